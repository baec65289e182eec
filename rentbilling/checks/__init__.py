"""Is a bill right, by its own figures or compared with the expected one.

Law: a finding is proven by the figures that it names.
"""

from rentbilling.checks.check import check_bill as check_bill
from rentbilling.checks.compare import (
    Ignored as Ignored,
    compare_bills as compare_bills,
    compare_portfolio as compare_portfolio,
)
from rentbilling.checks.difference import (
    Comparison as Comparison,
    Difference as Difference,
    DifferenceGroup as DifferenceGroup,
    PortfolioComparison as PortfolioComparison,
)
from rentbilling.checks.finding import (
    CheckResult as CheckResult,
    Finding as Finding,
    Severity as Severity,
)
from rentbilling.checks.matching import Match as Match
from rentbilling.checks.stated_bill import category_of as category_of
from rentbilling.checks.tables import (
    BillTable as BillTable,
    TableBills as TableBills,
    UnreadableBill as UnreadableBill,
)
