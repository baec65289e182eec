"""Turnover rent of a lease: base rents and VAT are those that its terms yield.

Law: what is set off is what the terms yield for the days, after index and discounts, never what was
paid.
"""

from collections.abc import Sequence
from datetime import date
from operator import itemgetter
from typing import Final

from rentbilling.billing import RawLine, bill_period
from rentbilling.errors import MissingFactError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy
from rentbilling.reports import Span
from rentbilling.terms import LeaseTerms
from rentbilling.turnover.clause import TurnoverTerms
from rentbilling.turnover.sales import SalesReport
from rentbilling.turnover.year import TurnoverYear, turnover_year
from rentbilling.values import Amount, AnyPeriod, Period, Vat, decimal_of, minor_units, period_of

_AROUND: Final = 800
"""Days by which a bill may be due before or after what it is for."""


def base_rents(
    lease: LeaseTerms,
    intervals: Sequence[Period],
    *,
    of: str = "key:rent",
    before_discount: bool = False,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> tuple[Amount, ...]:
    """Return what the terms of a lease yield for a product in each interval, without VAT (A102).

    Args:
        lease: The lease.
        intervals: Days that follow each other.
        of: The product of the base rent.
        before_discount: Whether discounts of items are left out.
        indices: The index series that its plans name.
        policy: The billing policy.

    Raises:
        MissingFactError: The lease has no recurring item of the product.
        MissingIndexError: An adjustment has no index value (A41).

    Examples:
        >>> from rentbilling.testing import a_lease, a_rent
        >>> months = Period.parse("2026-01-01/2026-02-28").months
        >>> [str(each) for each in base_rents(a_lease(a_rent(amount=8000)), months)]
        ['8000.00 DKK', '8000.00 DKK']
    """
    return tuple(rent for rent, _ in _rents(lease, intervals, of, indices, policy, before_discount))


def lease_turnover(
    lease: LeaseTerms,
    terms: TurnoverTerms,
    reports: Sequence[SalesReport],
    year: AnyPeriod,
    *,
    of: str = "key:rent",
    through: date | str | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> TurnoverYear:
    """Return `turnover_year` with the base rents and the VAT that a lease yields (A101, A102).

    VAT that is inside the base rent is charged on top of turnover rent, which has none inside.

    Raises:
        RentBillingError: See `base_rents` and `turnover_year`.

    Examples:
        >>> from rentbilling.testing import a_lease, a_rent
        >>> from rentbilling.turnover import TurnoverClause, TurnoverTier
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="10%")], relation="higher_of")
        >>> terms = TurnoverTerms(clauses=[clause], interval_months=12)
        >>> sold = SalesReport(period=Period.year(2026), sales=Amount(1_000_000, "DKK"))
        >>> year = lease_turnover(a_lease(a_rent(amount=8000)), terms, [sold], "2026")
        >>> for item in year.items():
        ...     print(item.amount, item.vat.tax_mode, item.due_date)
        4000.00 DKK Exempt 2027-01-30
    """
    days = period_of(year)
    before = terms.base_rent == "before_discount"
    found = _rents(lease, terms.intervals(days), of, indices, policy, before)
    rents, vats = zip(*found, strict=True)
    vats = [Vat("Exclusive", vat.tax_rate) if vat.tax_mode == "Inclusive" else vat for vat in vats]
    return turnover_year(terms, reports, days, rents, through=through, vats=vats)


def _rents(
    lease: LeaseTerms,
    intervals: Sequence[Period],
    of: str,
    indices: AnyIndices,
    policy: BillingPolicy | None,
    before_discount: bool,  # noqa: FBT001 - passed on
) -> list[tuple[Amount, Vat]]:
    """Return what the terms yield for each interval, and the VAT in force at its end."""
    chosen = [each for each in lease.recurring_bill_items if each.product_key == of]
    if not chosen:
        raise MissingFactError("no_base_rent", product_key=of)
    lines = _lines(lease, intervals, of, indices, policy, before_discount=before_discount)
    currency, vat = chosen[0].amount.currency, chosen[0].vat
    places, found = minor_units(currency), []
    for days in intervals:
        for figures, first, _ in lines:
            if first <= days.last:
                vat = figures.vat
        units = sum(Span(each[0].net, *each[1:]).within(days.first, days.last) for each in lines)
        found.append((Amount.unchecked(decimal_of(units, places), currency), vat))
    return found


def _lines(
    lease: LeaseTerms,
    intervals: Sequence[Period],
    of: str,
    indices: AnyIndices,
    policy: BillingPolicy | None,
    *,
    before_discount: bool,
) -> list[RawLine]:
    """Return the lines of the base rent in order of their days, up to the last interval's end."""
    items = [
        each.evolve(discount=None, discounts=())
        if before_discount and each.product_key == of
        else each
        for each in lease.recurring_bill_items
    ]
    # Cut there, because later bills may need index values that are not known.
    last = intervals[-1].last
    ends = [] if lease.contract_end is None else [lease.contract_end.toordinal()]
    begins = [] if lease.contract_start is None else [lease.contract_start.toordinal()]
    end = date.fromordinal(max([min([last, *ends]), *begins]))
    asked = Period.unchecked(intervals[0].first - _AROUND, last + _AROUND)
    cut = lease.evolve(recurring_bill_items=items, one_time_bill_items=(), contract_end=end)
    bills = bill_period(cut, asked, indices=indices, policy=policy).bills
    lines = [line for bill in bills for line in bill.raw_lines if line[0].product_key == of]
    return sorted(lines, key=itemgetter(1))
