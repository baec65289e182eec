"""Where the leases of a portfolio come from.

Law: every lease is read once and in order, or is a problem with its place.
"""
