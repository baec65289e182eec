"""A lease year as it is written down: terms, reports of sales, and base rents that are stated.

Law: base rents that are stated count; else those that the lease yields.
"""

from datetime import date
from typing import Annotated

from rentbilling.errors import MissingFactError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy
from rentbilling.records import (
    AmountField,
    AskedPeriodField,
    CheckedRecord,
    IdField,
    Listed,
    VatField,
)
from rentbilling.terms import RENT, LeaseTerms
from rentbilling.turnover.clause import TurnoverTerms
from rentbilling.turnover.leases import lease_turnover
from rentbilling.turnover.sales import SalesReport
from rentbilling.turnover.year import TurnoverYear, turnover_year


class TurnoverAccount(CheckedRecord):
    """The sales of a lease year, with all that turnover rent follows from."""

    year: AskedPeriodField
    """The lease year; from the opening where the lease opens within it."""
    terms: TurnoverTerms
    """What the lease says of turnover rent."""
    reports: Annotated[tuple[SalesReport, ...], Listed]
    """Sales that are reported so far."""
    base_rents: Annotated[tuple[AmountField, ...], Listed] = ()
    """Base rent of each interval; none: what the lease yields (A102)."""
    vat: VatField | None = None
    """VAT of the items, where base rents are stated."""
    product_key: IdField | None = None
    """Product of the base rent; absent: `key:rent`."""


def turnover_of(
    account: TurnoverAccount,
    lease: LeaseTerms | None = None,
    *,
    through: date | str | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> TurnoverYear:
    """Return what each interval of an account bills, and the true-up (A129).

    Args:
        account: Terms and reports.
        lease: The lease; its base rent and VAT count where no base rents are stated.
        through: The last day that is computed.
        indices: The index series that the lease names.
        policy: The billing policy.

    Raises:
        MissingFactError: No base rents are stated, and no lease is given.
        RentBillingError: See `lease_turnover` and `turnover_year`.

    Examples:
        >>> account = TurnoverAccount.model_validate({
        ...     "year": "2026",
        ...     "terms": {"clauses": [{"tiers": [{"rate": "10%"}]}], "intervalMonths": 12},
        ...     "reports": [{"period": "2026", "sales": {"currency": "EUR", "amount": 5000}}],
        ...     "baseRents": [{"currency": "EUR", "amount": 1200}],
        ... })
        >>> print(turnover_of(account))
        interval 2026-01-01/2026-12-31: 500.00 EUR of sales 5000.00 EUR
    """
    terms, reports, year = account.terms, account.reports, account.year
    if account.base_rents:
        vats = () if account.vat is None else (account.vat,)
        return turnover_year(terms, reports, year, account.base_rents, through=through, vats=vats)
    if lease is None:
        raise MissingFactError("base_rent_needed")
    product = account.product_key or RENT
    return lease_turnover(
        *(lease, terms, reports, year),
        of=product,
        through=through,
        indices=indices,
        policy=policy,
    )
