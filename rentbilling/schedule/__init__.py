"""Cycles become accounting periods, due dates, and shares of part periods.

Law: period n is computed from the anchor, never from the period before.
"""
