"""Exact values: money, days and months, VAT modes and rates, notices.

Law: figures are rounded here and nowhere else, and months are counted here and nowhere else.
"""
