"""Turnover rent: sales and a clause become what is due on top of the base rent (A87).

Law: what intervals and the true-up bill is what the clause yields for the lease year.
"""

from rentbilling.turnover.accounts import (
    TurnoverAccount as TurnoverAccount,
    turnover_of as turnover_of,
)
from rentbilling.turnover.clause import (
    TurnoverClause as TurnoverClause,
    TurnoverTerms as TurnoverTerms,
    TurnoverTier as TurnoverTier,
)
from rentbilling.turnover.explaining import explain_turnover as explain_turnover
from rentbilling.turnover.leases import base_rents as base_rents, lease_turnover as lease_turnover
from rentbilling.turnover.rent import (
    TurnoverRent as TurnoverRent,
    part_of_year as part_of_year,
    turnover_rent as turnover_rent,
)
from rentbilling.turnover.sales import SalesReport as SalesReport, expected_sales as expected_sales
from rentbilling.turnover.year import (
    TurnoverInterval as TurnoverInterval,
    TurnoverYear as TurnoverYear,
    turnover_year as turnover_year,
)
