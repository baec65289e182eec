"""Runs over portfolios: batches billed, their results, and what was billed before.

Law: leases in are leases billed, leases with problems and leases with nothing due.
"""
