"""A slow biller written from the assumptions alone, to judge the fast one.

It walks the calendar day by day from the opening period on, asks every day what it costs,
gathers equal days into lines and reckons with exact fractions. It reads the fields of records and
policies and nothing else of the library: not its schedule, lines, shares, VAT or bills.
"""

from tests.oracle.answers import bills_told_by as bills_told_by
from tests.oracle.bills import bills_by_oracle as bills_by_oracle
from tests.oracle.days import (
    RegularPeriod as RegularPeriod,
    Stretch as Stretch,
    due_day as due_day,
    regular_periods as regular_periods,
)
from tests.oracle.rounding import rounded as rounded, shown_unit_price as shown_unit_price
from tests.oracle.shares import (
    share_of_days as share_of_days,
    shares_of_parts as shares_of_parts,
)
