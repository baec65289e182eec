"""What a lease says: items, cycles, prices, discounts, plans, rules, index clauses.

Law: terms are data; nothing here computes a bill.
"""
