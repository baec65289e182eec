"""Plans and index values become dated adjustments and balances, and the amount in force.

Law: the same plans, series and policy give the same adjustments, whatever period is asked.
"""
