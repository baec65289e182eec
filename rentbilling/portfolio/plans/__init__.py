"""Index plans: the later prices that one plain rule makes of each item that has a plan.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain. A record of the amount is the
adjustment of its day, and what the next one starts from (A18); a lease with one on an asked day is
left.
"""
