"""Terms and a period become bills: prices, lines, discounts, VAT totals, corrections.

Law: every figure is exact until the one point at which the policy rounds it.
"""
