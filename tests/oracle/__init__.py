"""A slow biller written from the assumptions alone, to judge the fast one.

It walks the calendar day by day from the opening period on, asks every day what it costs,
gathers equal days into lines and reckons with exact fractions. It reads the fields of records and
policies and nothing else of the library: not its schedule, lines, shares, VAT or bills.
"""

from tests.oracle.answers import (
    ToldBill,
    ToldLine,
    UnknownVat,
    UnknownVatTotal,
    bill_told_by,
    bills_told_by,
    line_told_by,
)
from tests.oracle.bills import bills_by_oracle, raw_lines
from tests.oracle.days import (
    RegularPeriod,
    Stretch,
    due_day,
    moved_to_business_day,
    regular_periods,
)
from tests.oracle.lines import after_discounts
from tests.oracle.rounding import rounded, shown_unit_price
from tests.oracle.shares import share_of_days, shares_of_parts

__all__ = [
    "RegularPeriod",
    "Stretch",
    "ToldBill",
    "ToldLine",
    "UnknownVat",
    "UnknownVatTotal",
    "after_discounts",
    "bill_told_by",
    "bills_by_oracle",
    "bills_told_by",
    "due_day",
    "line_told_by",
    "moved_to_business_day",
    "raw_lines",
    "regular_periods",
    "rounded",
    "share_of_days",
    "shares_of_parts",
    "shown_unit_price",
]
