"""Which income has each month of a term where a landlord shows it evenly?

Operating leases of lessors: IFRS 16.81, ASC 842-30-25-11. Laws: the income of a term is its rents;
at its end nothing is deferred.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from rentbilling.billing import BillingResult, pending_bills
from rentbilling.errors import MissingFactError
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.reports.earned import Span
from rentbilling.tables import Table, columns
from rentbilling.terms import AnyTerms, LeaseTerms, leases_of
from rentbilling.values import AnyPeriod, Period, decimal_of, month_index, month_start, period_of

RENT: Final = ("key:rent",)

_COLUMNS: Final = columns(date="month", text="currency", money="income billed deferred")

_Months = dict[tuple[str, int], defaultdict[int, int]]
"""Minor units by month, for each currency and its minor units."""


def straight_line(
    leases: AnyTerms | Iterable[LeaseTerms | Mapping[str, Any]],
    *,
    term: AnyPeriod | None = None,
    products: Collection[str] = RENT,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> Table:
    """Return the rents of a term as even income of its months, without VAT.

    The fixed rents of the term, rent-free days, steps and increments included, are income by
    months: a whole calendar month counts 1, a part of one its days (A20), in running totals (A21).
    What an index changes is income of the days that it changes, because it is known only then.

    Args:
        leases: A lease in any form, or several, whose months are added up; a generator is read
            once.
        term: The days; of each lease from the first day of an opening period to the contract end
            by default.
        products: Keys of the products that are rent.
        indices: Index series; where a value is missing, nothing is adjusted (A41).
        policy: As `pending_bills` takes it.

    Returns:
        Rows by month, without gaps: its first day; `income`; `billed`, by due date; `deferred`,
        which is billed less income up to its end, below 0 where income came first. Main units.

    Raises:
        MissingFactError: A lease has no contract end, or one before its rents, or no rent, and
            there is no term.
        InvalidInputError: A lease or the term cannot be read.

    Examples:
        A year of which two months are free:

        >>> from rentbilling import Discount
        >>> from rentbilling.testing import a_lease, a_rent
        >>> free = Discount(percentage="1", end_date="2026-02-28")
        >>> lease = a_lease(a_rent(amount=1200, discount=free), contract_end="2026-04-30")
        >>> print(straight_line(lease, term="2026-01-01/2026-04-30"))
        month       currency  income   billed  deferred
        2026-01-01  DKK       600.00     0.00   -600.00
        2026-02-01  DKK       600.00     0.00  -1200.00
        2026-03-01  DKK       600.00  1200.00   -600.00
        2026-04-01  DKK       600.00  1200.00      0.00
    """
    rules = policy_of(policy).evolve(select="accounting_period", missing_index="notice")
    asked = None
    if term is not None:
        asked = period_of(term, period_end=rules.period_end, name="term")
    series = None if indices is None else series_of(indices)
    income: _Months = {}
    billed: _Months = {}
    for terms in leases_of(leases, rules, "straight_line"):
        lines, even = _of_lease(terms, asked, products, series, rules)
        _add(income, even, 1)
        _add(billed, _due(lines), 1)
    return Table(_COLUMNS, [*_rows(income, billed)])


def _of_lease(
    terms: LeaseTerms,
    term: Period | None,
    products: Collection[str],
    indices: Mapping[str, IndexSeries] | None,
    rules: BillingPolicy,
) -> tuple[Sequence["_Line"], _Months]:
    """Return the lines of a lease's rents, and their income by month."""
    asked, cut = term or _term_of(terms, products), term is not None
    index_plans = [
        plan
        for plan in terms.rent_adjustment_plans
        if any(rule.by_index for rule in plan.rent_adjustment_rules)
    ]
    others = [plan for plan in terms.rent_adjustment_plans if plan not in index_plans]
    # Periods that began before the term reach into it.
    whole = Period(min([*_starts(terms, products), asked.start]), asked.end)
    fixed = pending_bills(terms.evolve(rent_adjustment_plans=tuple(others)), whole, policy=rules)
    even = [*_lines(fixed, products, asked, cut=cut)]
    income = _evenly(even, asked)
    if not index_plans or indices is None:
        return even, income
    found = pending_bills(terms, whole, policy=rules, indices=indices)
    billed = [*_lines(found, products, asked, cut=cut)]
    _add(income, _earned(billed), 1)
    _add(income, _earned(even), -1)
    return billed, income


def _starts(terms: LeaseTerms, products: Collection[str]) -> list[date]:
    return [
        item.first_billing_period_bill_item.accounting_period.start
        for item in terms.recurring_bill_items
        if item.product_key in products
    ]


def _term_of(terms: LeaseTerms, products: Collection[str]) -> Period:
    """Return the days from the first opening period of a rent to the contract end."""
    starts = _starts(terms, products)
    if terms.contract_end is None or not starts or terms.contract_end < min(starts):
        raise MissingFactError("missing_term", lease=terms.lease_id or "the lease")
    return Period(min(starts), terms.contract_end)


class _Line(NamedTuple):
    """What a line of a rent bills for days of the term."""

    key: tuple[str, int]
    """The currency and its minor units."""
    due: int
    span: Span


def _lines(
    result: BillingResult, products: Collection[str], term: Period, *, cut: bool
) -> Iterator[_Line]:
    """Give the lines of rents; what they bill for days outside of the term may be cut off (A20).

    An opening period may go on after the end of its lease (A12), and counts whole then.
    """
    for bill in result:
        key = bill.currency, bill.places
        for figures, first, last in bill.raw_lines:
            start, end = max(first, term.first), min(last, term.last)
            if figures.product_key in products and start <= end:
                units = Span(figures.net, first, last).within(start, end) if cut else figures.net
                yield _Line(key, bill.due, Span(units, start, end))


def _evenly(lines: Iterable[_Line], term: Period) -> _Months:
    totals: defaultdict[tuple[str, int], int] = defaultdict(int)
    for key, _, span in lines:
        totals[key] += span.units
    return {key: _monthly(Span(units, term.first, term.last)) for key, units in totals.items()}


def _monthly(span: Span) -> defaultdict[int, int]:
    found: defaultdict[int, int] = defaultdict(int)
    so_far = 0
    for month, reached in span.by_month():
        found[month] = reached - so_far
        so_far = reached
    return found


def _earned(lines: Iterable[_Line]) -> _Months:
    found: _Months = {}
    for key, _, span in lines:
        _add(found, {key: _monthly(span)}, 1)
    return found


def _due(lines: Iterable[_Line]) -> _Months:
    found: _Months = {}
    for key, due, span in lines:
        found.setdefault(key, defaultdict(int))[month_index(due)] += span.units
    return found


def _add(months: _Months, more: _Months, sign: int) -> None:
    for key, by_month in more.items():
        own = months.setdefault(key, defaultdict(int))
        for month, units in by_month.items():
            own[month] += sign * units


def _rows(income: _Months, billed: _Months) -> Iterator[tuple[object, ...]]:
    for (currency, places), by_month in income.items():
        due = billed.get((currency, places), defaultdict(int))
        months = by_month.keys() | due.keys()
        deferred = 0
        for month in range(min(months), max(months) + 1):
            deferred += due[month] - by_month[month]
            figures = by_month[month], due[month], deferred
            money = (decimal_of(units, places) for units in figures)
            yield date.fromordinal(month_start(month)), currency, *money
