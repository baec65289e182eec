"""Forecasts: bills and adjustments up to a horizon, with assumed index values listed separately.

Laws: a forecast of a period has the bills of that period; its years add up to its bills. An amount
is assumed from the first adjustment day that published index values do not decide, until an amount
is newly agreed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from rentbilling.adjustments import History, LeaseHistories, RuleDates
from rentbilling.billing import BillingResult, PendingBill, RawLine, bill_period
from rentbilling.errors import (
    InvalidPeriodError,
    MissingFactError,
    MissingIndexError,
    RentBillingError,
    UnsupportedCaseError,
)
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.reports import (
    Groups,
    Sums,
    group_columns,
    groups_of,
    marked_sums,
    money_of,
    ordered,
)
from rentbilling.schedule import BillingEnds
from rentbilling.tables import Column, ResultSequence, Row, Table, Tabular, columns
from rentbilling.terms import AnyTerms, LeaseTerms, RentAdjustment, balance_ids, leases_of
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
    notice_lines,
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
        histories = LeaseHistories(terms, known, policy.evolve(missing_index="refuse"))
        days = _event_days(histories, last)
        for at, history in histories.items.items():
            item_id = terms.item_ids[at]
            assumed = _beyond(history, days.get(at, []))
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


def _event_days(histories: LeaseHistories, last: int) -> dict[int, list[int]]:
    days: dict[int, set[int]] = {}
    for place, (plan, bounds) in enumerate(histories.bounds()):
        at, _ = histories.places_of(place)
        for rule in plan.rent_adjustment_rules if at is not None else ():
            months = RuleDates(rule, plan, bounds).between(_ALWAYS, month_index(last))
            days.setdefault(at or 0, set()).update(map(month_start, months))
    return {at: sorted(found) for at, found in days.items()}


def _beyond(history: History, days: list[int]) -> list[int]:
    """Return the days from the first one on that published values do not decide."""
    for place, day in enumerate(days):
        try:
            history.until(day)
        except MissingIndexError:
            return days[place:]
    return []


class _LeaseForecast(NamedTuple):
    """What comes of one lease."""

    terms: LeaseTerms
    period: Period
    result: BillingResult
    histories: LeaseHistories
    assumed: _AssumedAmounts

    def is_assumed(self, line: RawLine) -> bool:
        """Return whether a line's amount depends on an assumed index value."""
        figures, first, _ = line
        if figures.kind in ("opening", "one_time"):
            return False
        if figures.kind == "balance":
            return first >= self.assumed.first
        return self.assumed.on(figures.item_id, first)

    def rents(self) -> Iterator[tuple[object, ...]]:
        """Give the rows of `Forecast.rents`."""
        for at in range(len(self.terms.recurring_bill_items)):
            yield from self._steps(at)

    def _steps(self, at: int) -> Iterator[tuple[object, ...]]:
        item, item_id = self.terms.recurring_bill_items[at], self.terms.item_ids[at]
        period = self.period
        first = max(period.first, item.first_billing_period_bill_item.accounting_period.first)
        stops = BillingEnds.of(item, self.histories.last_day)
        last = min(period.last, stops.end, stops.cancelled - 1)
        adjusted = {
            each.adjusted_on.toordinal()
            for each in self.result.adjustments
            if each.adjustee_id == item_id
        }
        days = {each.start.toordinal() for each in item.amount_records}
        days |= {each.start.toordinal() for each in item.quantity_records}
        before: Decimal | None = None
        for day in sorted({first, *(day for day in days | adjusted if first < day)}):
            if day > last:
                break
            amount = self.histories.amount_on(item_id, day)
            value = amount.amount
            if before is None or value != before or day in adjusted:
                change = None if before is None else _change(before, value)
                when = date.fromordinal(day)
                name = item.description or item.product_key
                shown = (self.terms.lease_id, item_id, name, when, amount.currency)
                yield *shown, value, change, day in adjusted, self.assumed.on(item_id, day)
            before = value

    def balances(self) -> Iterator[tuple[object, ...]]:
        """Give the rows of `Forecast.balances`."""
        last = self.period.last
        ends = [
            date(year, 12, 31).toordinal()
            for year in range(self.period.start.year, self.period.end.year)
        ]
        for balance_id in balance_ids(self.terms.balances):
            for day in (*(end for end in ends if end < last), last):
                level = self.histories.amount_on(balance_id, day)
                when = date.fromordinal(day)
                yield self.terms.lease_id, balance_id, when, level.currency, level.amount


class Forecast(ResultSequence[PendingBill], Tabular):
    """The bills of a lease, or of several, to a horizon; made by `forecast`."""

    __slots__ = ("_given", "_leases", "_period", "_result")

    def __init__(
        self, period: Period, leases: Sequence[_LeaseForecast], given: tuple[object, ...]
    ) -> None:
        """Keep what comes of each lease; `given` is what a copy is computed from."""
        self._period = period
        self._leases = leases
        self._result = leases[0].result if len(leases) == 1 else _joined(period, leases)
        self._given = given

    @property
    def parts(self) -> tuple[PendingBill, ...]:
        """The bills."""
        return self._result.bills

    @property
    def result(self) -> BillingResult:
        """Bills, adjustments and notices, as from `bill_period`; of several leases together."""
        return self._result

    @property
    def results(self) -> tuple[BillingResult, ...]:
        """The result of each lease, in order."""
        return tuple(each.result for each in self._leases)

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
        first = min((each.assumed.first for each in self._leases), default=NEVER)
        return date.fromordinal(first) if first < NEVER else None

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
        every: Sums = {}
        assumed: Sums = {}
        for each in self._leases:
            billed = each.terms.lease_id, each.result
            for into, sums in zip(
                (every, assumed), marked_sums(billed, groups, each.is_assumed), strict=True
            ):
                for key, (net, vat) in sums.items():
                    before = into.get(key, (0, 0))
                    into[key] = before[0] + net, before[1] + vat
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

        Its rows are, by lease and item, the first day in the forecast that an item is paid for, and
        each later day on which its amount changes. `amount` is that of the whole line before
        discount (A25), `change` a fraction of the amount before; `assumed` means that an adjustment
        up to then used an assumed index value.
        """
        kinds = columns(text="lease_id item_id name", date="from_date")
        money = (Column("currency"), Column("amount", "money"), Column("change", "number"))
        flags = columns(flag="adjusted assumed")
        values = [row for each in self._leases for row in each.rents()]
        return Table((*kinds, *money, *flags), values)

    def balances(self) -> Table:
        """Return the size of every balance at the end of each year and of the forecast (A39)."""
        values = [row for each in self._leases for row in each.balances()]
        kinds = (
            *columns(text="lease_id balance_id", date="on"),
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
        """The first day on which amounts depend on assumed index values, and the other notices."""
        since = self.assumed_from
        said = [] if since is None else [f"from {since} on with assumed index values"]
        others = (each for run in self.results for each in run.notices)
        return [*said, *notice_lines(each for each in others if each.code != "assumed_index")]

    def __str__(self) -> str:
        return "\n".join([str(self.yearly()), *self.remarks])

    def __reduce__(self) -> tuple[object, ...]:
        return _forecast, self._given

    def __repr__(self) -> str:
        since = "" if self.assumed_from is None else f", assumed from {self.assumed_from}"
        count = f"{len(self)} bills, {len(self.adjustments)} adjustments"
        return f"<Forecast {self.period}, {count}{since}>"


def forecast(
    terms: AnyTerms | Iterable[LeaseTerms | Mapping[str, Any]],
    *,
    years: int | Length = 30,
    start: date | str | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> Forecast:
    """Return the bills and rent adjustments of leases for years to come.

    Args:
        terms: A lease, an item alone, or several leases; also the JSON of them, as data or a text.
        years: The number of years from the start, 1 to 200, or a `relativedelta` of months.
        start: The first day, the same for all leases; by default the first day that a recurring
            item of any of them is paid for.
        indices: The index series; `series.extended(...)` has values for the years to come, marked
            as assumed.
        policy: The billing policy.

    Returns:
        The bills that fall due in these years, with adjustments, cash flow and balances.

    Raises:
        MissingFactError: No lease has a recurring item to start with, and no start is given.
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
    leases = tuple(leases_of(terms, rules, "forecast"))
    return _forecast(leases, _horizon(leases, years, start), dict(series_of(indices)), rules)


def _forecast(
    leases: tuple[LeaseTerms, ...],
    period: Period,
    series: Mapping[str, IndexSeries],
    policy: BillingPolicy,
) -> Forecast:
    made = []
    for at, terms in enumerate(leases, 1):
        try:
            result = bill_period(terms, period, policy=policy, indices=series)
            histories = LeaseHistories(terms, series, policy)
            assumed = _AssumedAmounts(terms, series, policy, period.last)
        except RentBillingError as error:
            if len(leases) > 1:
                error.add_note(f"of the lease {terms.lease_id or f'number {at}'}")
            raise
        made.append(_LeaseForecast(terms, period, result, histories, assumed))
    return Forecast(period, made, (leases, period, series, policy))


def _joined(period: Period, leases: Sequence[_LeaseForecast]) -> BillingResult:
    """Return the bills of several leases in order of due date, then currency."""
    bills = [bill for each in leases for bill in each.result]
    return BillingResult(
        sorted(bills, key=lambda bill: (bill.due, bill.currency)),
        dict.fromkeys(notice for each in leases for notice in each.result.notices),
        period,
        leases[0].result.policy if leases else None,
        adjustments=[made for each in leases for made in each.result.adjustments],
    )


def _horizon(leases: Sequence[LeaseTerms], years: int | Length, start: date | str | None) -> Period:
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
            for terms in leases
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
