"""Turnover rent of a lease: base rents and VAT are those that its terms yield.

Law: what is set off is what the terms yield for the days, after index and discounts, never what was
paid.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from operator import itemgetter
from typing import Final

from rentbilling.billing import RawLine, bill_period
from rentbilling.errors import MissingFactError, MissingIndexError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.reports import Span
from rentbilling.terms import LeaseTerms, PartPeriodEnds, RecurringBillItem
from rentbilling.turnover.clause import TurnoverTerms
from rentbilling.turnover.sales import SalesReport
from rentbilling.turnover.year import TurnoverYear, turnover_year
from rentbilling.values import Amount, AnyPeriod, Period, Vat, amount_of, period_of

_WEEK: Final = 7
_LONGEST_MONTH: Final = 31


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
    reports: Iterable[SalesReport],
    year: AnyPeriod,
    *,
    of: str = "key:rent",
    through: date | str | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> TurnoverYear:
    """Return `turnover_year` with the base rents and the VAT that a lease yields (A101, A102).

    VAT that is inside the base rent is charged on top of turnover rent (A138).

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
    charged = [
        Vat("Exclusive", vat.tax_rate) if vat.tax_mode == "Inclusive" else vat for vat in vats
    ]
    return turnover_year(terms, reports, days, rents, through=through, vats=charged)


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
    found = []
    for days in intervals:
        for figures, first, _ in lines:
            if first <= days.last:
                vat = figures.vat
        units = sum(Span(each[0].net, *each[1:]).within(days.first, days.last) for each in lines)
        found.append((amount_of(units, currency), vat))
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
    """Return the lines of the base rent that the intervals need, in order of their days."""
    items = [
        each.evolve(discount=None, discounts=())
        if before_discount and each.product_key == of
        else each
        for each in lease.recurring_bill_items
    ]
    # Whole periods, also where they begin before the intervals or reach past them.
    whole = lease.evolve(recurring_bill_items=items, one_time_bill_items=())
    begins = min(_reach(each, intervals[0].first) for each in items if each.product_key == of)
    asked = Period.unchecked(begins, intervals[-1].last)
    rules = policy_of(policy).evolve(select="accounting_period")
    try:
        bills = bill_period(whole, asked, indices=indices, policy=rules).bills
    except MissingIndexError:
        # Of a later day of the last period, or it is missing again.
        cut = _cut(whole, intervals[-1].end)
        bills = bill_period(cut, asked, indices=indices, policy=rules).bills
    lines = [line for bill in bills for line in bill.raw_lines if line[0].product_key == of]
    return sorted(lines, key=itemgetter(1))


def _reach(item: RecurringBillItem, day: int) -> int:
    """Return a day before which no period of an item begins that has a day."""
    cycle, opening = item.billing_cycle, item.first_billing_period_bill_item.accounting_period
    begins = day - (_LONGEST_MONTH * cycle.months or _WEEK * cycle.period_length)
    return max(min(begins, opening.first) if opening.last >= day else begins, 1)


def _cut(lease: LeaseTerms, end: date) -> LeaseTerms:
    """Return a lease up to a day, in the middle of a period as a change splits it there (A20)."""
    items = [
        each
        if each.ended_on is not None and each.ended_on <= end
        else each.evolve(
            ended_on=end,
            part_period=PartPeriodEnds.of(each.part_period).evolve(last="actual_days"),
        )
        for each in lease.recurring_bill_items
    ]
    return lease.evolve(recurring_bill_items=items)
