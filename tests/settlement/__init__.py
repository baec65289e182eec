"""Settlements: pools, keys, days, statements (A71)."""
