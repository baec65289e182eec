"""Index plans: the later prices that plain rules make of the items that have plans.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain. What is recorded or listed of a day
is its adjustment, and what the next one starts from (A18); where it may have a notice, the lease is
left.
"""
