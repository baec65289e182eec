"""Reports: rents in force, cash flows, what was earned when, VAT by rate, even income.

Law: the rows of a report add up to the bills that it is about, to the minor unit.
"""

from rentbilling.reports.accruals import accruals as accruals
from rentbilling.reports.cash_flow import (
    Billed as Billed,
    By as By,
    Groups as Groups,
    Key as Key,
    Sums as Sums,
    cash_flow as cash_flow,
    flow_table as flow_table,
    group_columns as group_columns,
    groups_of as groups_of,
    marked_sums as marked_sums,
    money_of as money_of,
    ordered as ordered,
    sums_of as sums_of,
)
from rentbilling.reports.earned import Span as Span
from rentbilling.reports.lease_figures import (
    LeaseFigures as LeaseFigures,
    contract_period_state as contract_period_state,
    lease_figures_on as lease_figures_on,
)
from rentbilling.reports.rent_roll import (
    LeasedUnit as LeasedUnit,
    RentRoll as RentRoll,
    rent_roll as rent_roll,
)
from rentbilling.reports.straight_line import straight_line as straight_line
from rentbilling.reports.vat import vat_report as vat_report
