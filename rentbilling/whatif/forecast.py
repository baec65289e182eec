"""Forecasts: bills and adjustments up to a horizon, with assumed index values listed separately.

Laws: a forecast of a period has the bills of that period; its years add up to its bills. An amount
is assumed from the first adjustment day that published index values do not decide, until an amount
is newly agreed.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling.adjustments import History, LeaseHistories, RuleDates
from rentbilling.billing import BillingResult, PendingBill, RawLine, bill_period
from rentbilling.errors import (
    InvalidPeriodError,
    MissingFactError,
    MissingIndexError,
    UnsupportedCaseError,
)
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.reports import Groups, group_columns, groups_of, marked_sums, money_of, ordered
from rentbilling.schedule import BillingEnds
from rentbilling.tables import Column, ResultSequence, Row, Table, Tabular, columns
from rentbilling.terms import LeaseTerms, RecurringBillItem, RentAdjustment, balance_ids, lease_of
from rentbilling.values import (
    LAST_DAY,
    MONTHS_PER_YEAR,
    NEVER,
    Length,
    Notice,
    Period,
    day_in_month,
    day_of,
    month_index,
    month_start,
    months_of,
    plain_data,
    rounded,
)
from rentbilling.whatif.index import published

_ALWAYS: Final = 0
MOST_YEARS: Final = 200
"""Years of a forecast at most."""


class _AssumedAmounts:
    """The amounts of a lease that depend on assumed index values, by item and day."""

    __slots__ = ("_agreed", "_events", "first")

    def __init__(
        self,
        terms: LeaseTerms,
        indices: Mapping[str, IndexSeries],
        policy: BillingPolicy,
        last: int,
    ) -> None:
        self._events: dict[str | None, list[int]] = {}
        self._agreed: dict[str | None, list[int]] = {}
        self.first = NEVER
        """Ordinal of the first day on which an amount depends on an assumed value, or NEVER."""
        if not any(series.assumed for series in indices.values()):
            return
        known = {name: published(series) for name, series in indices.items()}
        for at, assumed in undecided(terms, known, policy, last).items():
            item_id = terms.item_ids[at]
            records = terms.recurring_bill_items[at].amount_records
            self._events[item_id] = assumed
            self._agreed[item_id] = sorted(each.start.toordinal() for each in records)
            self.first = min([self.first, *assumed[:1]])

    def on(self, item_id: str | None, day: int) -> bool:
        """Return whether the amount of a recurring item on a day depends on an assumed value."""
        assumed = self._events.get(item_id, ())
        return _latest(assumed, day) > _latest(self._agreed.get(item_id, ()), day)


def _latest(days: Sequence[int], day: int) -> int:
    at = bisect_right(days, day)
    return days[at - 1] if at else _ALWAYS


def undecided(
    terms: LeaseTerms, known: Mapping[str, IndexSeries], policy: BillingPolicy, last: int
) -> dict[int, list[int]]:
    """Return for each adjusted item the days from the first one that known values do not decide."""
    histories = LeaseHistories(terms, known, policy.evolve(missing_index="refuse"))
    days = _event_days(histories, last)
    return {at: _beyond(history, days.get(at, [])) for at, history in histories.items.items()}


def _event_days(histories: LeaseHistories, last: int) -> dict[int, list[int]]:
    days: dict[int, set[int]] = {}
    for place, (plan, bounds) in enumerate(histories.bounds()):
        at, _ = histories.places_of(place)
        for rule in plan.rent_adjustment_rules if at is not None else ():
            months = RuleDates(rule, plan, bounds).between(_ALWAYS, month_index(last))
            days.setdefault(at or 0, set()).update(map(month_start, months))
    return {at: sorted(found) for at, found in days.items()}


def _beyond(history: History, days: list[int]) -> list[int]:
    """Return the days from the first one on that the values do not decide."""
    for place, day in enumerate(days):
        try:
            history.until(day)
        except MissingIndexError:
            return days[place:]
    return []


class Forecast(ResultSequence[PendingBill], Tabular):
    """The bills of a lease to a horizon; made by `forecast`."""

    __slots__ = ("_assumed", "_histories", "_period", "_result", "_terms")

    def __init__(
        self,
        period: Period,
        result: BillingResult,
        terms: LeaseTerms,
        histories: LeaseHistories,
        assumptions: _AssumedAmounts,
    ) -> None:
        self._period = period
        self._result = result
        self._terms = terms
        self._histories = histories
        self._assumed = assumptions

    @property
    def parts(self) -> tuple[PendingBill, ...]:
        """The bills."""
        return self._result.bills

    @property
    def result(self) -> BillingResult:
        """Bills, adjustments and notices, as from `bill_period`."""
        return self._result

    def _to_wire(self) -> dict[str, Any]:
        return {**plain_data(self._result), "assumedFrom": plain_data(self.assumed_from)}

    @property
    def period(self) -> Period:
        """The days of the forecast."""
        return self._period

    @property
    def adjustments(self) -> tuple[RentAdjustment, ...]:
        """The rent adjustments, published and assumed."""
        return self._result.adjustments

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of the bills and adjustments."""
        return self._result.notices

    @property
    def assumed_from(self) -> date | None:
        """The first day on which an amount depends on an assumed index value; None without one."""
        first = self._assumed.first
        return date.fromordinal(first) if first < NEVER else None

    def is_assumed(self, line: RawLine) -> bool:
        """Return whether a line's amount depends on an assumed index value."""
        figures, first, _ = line
        if figures.kind in ("opening", "one_time"):
            return False
        if figures.kind == "balance":
            return first >= self._assumed.first
        return self._assumed.on(figures.item_id, first)

    # ------------------------------------------------------------------------------- cash flow

    def monthly(self) -> Table:
        """Return the cash flow by month of the due date; see `cash_flow`."""
        return self.cash_flow("month")

    def yearly(self) -> Table:
        """Return the cash flow by year of the due date; see `cash_flow`."""
        return self.cash_flow("year")

    def cash_flow(self, by: Groups = "year") -> Table:
        """Return the sums of the bills as `cash_flow` of reports does, and `assumed_gross`.

        That is the gross of the lines whose amount depends on an assumed index value.

        Raises:
            UnknownWordError: A group is unknown.
        """
        groups = groups_of(by)
        billed = self._terms.lease_id, self.parts
        every, assumed = marked_sums(billed, groups, self.is_assumed)
        values = []
        for key in ordered(groups, every):
            net, vat = every[key]
            figures = (net, vat, net + vat, sum(assumed.get(key, (0, 0))))
            values.append((*key[:-1], *(money_of(key, units) for units in figures)))
        kinds = (Column(name, "money") for name in ("net", "vat", "gross", "assumed_gross"))
        return Table((*group_columns(groups), *kinds), values)

    # ------------------------------------------------------------------------ what is in force

    def rents(self) -> Table:
        """Return the amount of every recurring item for a billing period, with all its changes.

        Its rows are the first day in the forecast that an item is paid for, and each later day on
        which its amount changes. `amount` is that of the whole line before discount (A25), `change`
        a fraction of the amount before; `assumed` means that an adjustment up to then used an
        assumed index value.
        """
        kinds = columns(text="item_id name", date="from_date")
        money = (Column("currency"), Column("amount", "money"), Column("change", "number"))
        flags = columns(flag="adjusted assumed")
        values = [
            row for at in range(len(self._terms.recurring_bill_items)) for row in self._steps(at)
        ]
        return Table((*kinds, *money, *flags), values)

    def _steps(self, at: int) -> Iterator[tuple[object, ...]]:
        item, item_id = self._terms.recurring_bill_items[at], self._terms.item_ids[at]
        period = self.period
        first = max(period.first, item.first_billing_period_bill_item.accounting_period.first)
        stops = BillingEnds.of(item, self._histories.last_day)
        last = min(period.last, stops.end, stops.cancelled - 1)
        adjusted = {
            each.adjusted_on.toordinal() for each in self.adjustments if each.adjustee_id == item_id
        }
        days = {each.start.toordinal() for each in item.amount_records}
        days |= {each.start.toordinal() for each in item.quantity_records}
        before: Decimal | None = None
        for day in sorted({first, *(day for day in days | adjusted if first < day)}):
            if day > last:
                break
            amount = self._histories.amount_on(item_id, day)
            value = amount.amount
            if before is None or value != before or day in adjusted:
                change = None if before is None else _change(before, value)
                when = date.fromordinal(day)
                shown = (item_id, item.description or item.product_key, when, amount.currency)
                yield *shown, value, change, day in adjusted, self._assumed.on(item_id, day)
            before = value

    def balances(self) -> Table:
        """Return the size of every balance at the end of each year and of the forecast (A39)."""
        last = self.period.last
        ends = [
            date(year, 12, 31).toordinal()
            for year in range(self.period.start.year, self.period.end.year)
        ]
        values = [
            (balance_id, date.fromordinal(day), amount.currency, amount.amount)
            for balance_id in balance_ids(self._terms.balances)
            for day in (*(end for end in ends if end < last), last)
            for amount in (self._histories.amount_on(balance_id, day),)
        ]
        kinds = (
            *columns(text="balance_id", date="on"),
            Column("currency"),
            Column("amount", "money"),
        )
        return Table(kinds, values)

    # ------------------------------------------------------------------------------------ rows

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the yearly cash flow."""
        return self.yearly().columns

    def rows(self) -> list[Row]:
        """Return the yearly cash flow."""
        return self.yearly().rows()

    @property
    def remarks(self) -> Sequence[str]:
        """A remark with the first day on which amounts depend on assumed index values."""
        since = self.assumed_from
        return [] if since is None else [f"from {since} on with assumed index values"]

    def __str__(self) -> str:
        return "\n".join([str(self.yearly()), *self.remarks])

    def __reduce__(self) -> tuple[object, ...]:
        known = self._histories
        return _forecast, (self._terms, self._period, dict(known.indices), known.policy)

    def __repr__(self) -> str:
        since = "" if self.assumed_from is None else f", assumed from {self.assumed_from}"
        count = f"{len(self)} bills, {len(self.adjustments)} adjustments"
        return f"<Forecast {self.period}, {count}{since}>"


def forecast(
    terms: LeaseTerms | RecurringBillItem | Mapping[str, Any] | str,
    *,
    years: int | Length = 30,
    start: date | str | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> Forecast:
    """Return the bills and rent adjustments of a lease for years to come.

    Args:
        terms: The lease, or an item alone; also the JSON of them, as data or a text.
        years: The number of years from the start, 1 to 200, or a `relativedelta` of months.
        start: The first day; by default the first day that a recurring item is paid for.
        indices: The index series; `series.extended(...)` has values for the years to come, marked
            as assumed.
        policy: The billing policy.

    Returns:
        The bills that fall due in these years, with adjustments, cash flow and balances.

    Raises:
        MissingFactError: The start of the lease is unknown, and no start is given.
        MissingIndexError: An adjustment has no index value, neither published nor assumed (A41).
        InvalidPeriodError: The start is malformed, or the years are out of range.
        UnsupportedCaseError: The horizon lies after the year 9999.
        TypeError: The terms are not lease terms.

    Examples:
        >>> from rentbilling.testing import a_lease, a_plan, a_rent
        >>> from rentbilling import IndexSeries
        >>> index = IndexSeries("CPI", {"2025-10": "120.0", "2026-10": "123.0"})
        >>> lease = a_lease(a_rent(amount=8000), plans=[a_plan()])
        >>> print(forecast(lease, years=3, indices=index.extended(Decimal("0.02"), "2030")))
        year  currency        net   vat      gross  assumed_gross
        2026  DKK        96000.00  0.00   96000.00           0.00
        2027  DKK        98400.00  0.00   98400.00           0.00
        2028  DKK       100368.00  0.00  100368.00      100368.00
        from 2028-01-01 on with assumed index values
    """
    rules = policy_of(policy)
    lease = lease_of(terms, rules, "forecast")
    return _forecast(lease, _horizon(lease, years, start), series_of(indices), rules)


def _forecast(
    terms: LeaseTerms, period: Period, series: Mapping[str, IndexSeries], policy: BillingPolicy
) -> Forecast:
    result = bill_period(terms, period, policy=policy, indices=series)
    histories = LeaseHistories(terms, series, policy)
    assumed = _AssumedAmounts(terms, series, policy, period.last)
    return Forecast(period, result, terms, histories, assumed)


def _horizon(terms: LeaseTerms, years: int | Length, start: date | str | None) -> Period:
    months = months_of(years, each=MONTHS_PER_YEAR)
    if months is None or not 1 <= months <= MOST_YEARS * MONTHS_PER_YEAR:
        expected = f"a whole number from 1 to {MOST_YEARS} such as 3, or relativedelta(months=18)"
        kind = "is a text" if isinstance(years, str) else "is not a whole number"
        what = (
            ("not_a_whole_number", kind) if months is None else ("out_of_range", "is out of range")
        )
        raise InvalidPeriodError.of("years", *what, years, expected)
    if start is not None:
        first = day_of(start, "start")
    else:
        openings = [
            item.first_billing_period_bill_item.accounting_period.first
            for item in terms.recurring_bill_items
        ]
        if not openings:
            raise MissingFactError("start_unknown")
        first = min(openings)
    day = date.fromordinal(first).day
    last = day_in_month(month_index(first) + months, day) - 1
    if last > LAST_DAY:
        raise UnsupportedCaseError("unsupported", case="a forecast beyond the year 9999")
    return Period.unchecked(first, last)


def _change(before: Decimal, after: Decimal) -> Decimal | None:
    """Return the change of an amount as a fraction, to six decimals."""
    if not before:
        return None
    return rounded(Fraction(after) / Fraction(before) - 1, 6)
