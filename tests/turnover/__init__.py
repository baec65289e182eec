"""Turnover rent: clauses, sales, lease years (A87)."""
