"""City of Helsinki: land leases, their runs of days, due dates, rents, discounts and indexes.

Runs of days are methods of `Period`; days come from `accounting_periods` and `due_date`. A dated
discount or surcharge cuts the rent's days; in each piece the library prices one period with one
discount after the other, and the pieces become the amount records of one yearly item. A rent by an
index is a base amount times the mean of the year before, over that of the base; what a year costs
is the sum of what is billed for its days.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import rentbilling as rb
from rentbilling.errors import InvalidDiscountError, InvalidInputError, InvalidPeriodError
from rentbilling.values import divide_rounded, share_out
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near

_RENT_YEARS: Final[Mapping[str, int]] = MappingProxyType(
    {"JANUARY_TO_DECEMBER": 1, "APRIL_TO_MARCH": 4}
)
"""The month in which a rent year begins."""


def _range(given: Mapping[str, Any]) -> rb.Period:
    return days.run(given["range"])


# ------------------------------------------------------------------------------- runs of days

_NO_FRAME: Final = "the case does not state the range that is divided"


def _rent_years(name: str) -> rb.BillingCycle:
    return rb.BillingCycle(time_unit="Year", start=_RENT_YEARS[name])


def _by_years(runs: Iterable[rb.Period], given: Asked) -> list[list[date | None]]:
    """Return the runs, each cut where a rent year begins; without a cycle those are April's."""
    cycle = _rent_years(given.get("cycle", "APRIL_TO_MARCH"))
    cut = (part for each in runs for part in _cut_at(each, rb.accounting_periods(cycle, each)))
    return days.pairs(cut)


def _cut_at(run: rb.Period, periods: Iterable[rb.Period]) -> tuple[rb.Period, ...]:
    """Return a run cut where periods begin; this system never cuts off a last single day."""
    return run.split_at(*(each.start for each in periods if each.start < run.end))


def range_less_another(given: Asked) -> Figures:
    rest = days.run(given["range1"]).minus(days.run(given["subtract_range"]))
    return {"value": days.pairs(rest)}


def ranges_less_others(given: Asked) -> Figures:
    taken = [days.run(pair) for pair in given["subtract_ranges"] or ()]
    rest = (part for pair in given["ranges"] or () for part in days.run(pair).minus(*taken))
    return {"value": days.pairs(rest)}


def range_in_parts(given: Asked) -> Figures:
    """Answer a range in a number of parts, which are all but the last equally long.

    The length of a part is rounded up, so the parts are cycles of that many days.
    """
    whole, count = days.run(given["date_range"]), given["count"]
    length = divide_rounded(whole.days, count, "up") if count else whole.days
    cycle = rb.BillingCycle(time_unit="Day", period_length=length)
    cycles = rb.accounting_periods(cycle, whole, after=days.before(whole.start))
    return {"value": days.pairs(_cut_at(whole, cycles))}


def range_left(_: Asked) -> Figures:
    """Answer what an override leaves of a range, which no case states."""
    raise UnsaidError(_NO_FRAME)


def is_in_force(given: Asked) -> Figures:
    term = days.bounded(given["rent_start_date"], given["rent_end_date"])
    asked = days.bounded(given["period_start_date"], given["period_end_date"])
    return {"value": term.overlaps(asked)}


def rent_year(given: Asked) -> Figures:
    """Answer which rent year holds a day; it is named by the year in which it begins."""
    year = days.calendar_period(days.of(given["the_date"]), _rent_years(given["rent_cycle"]))
    return {"value": year.start.year}


def range_by_years(given: Asked) -> Figures:
    return {"value": _by_years([days.run((given["range_start"], given["range_end"]))], given)}


def ranges_alone(given: Asked) -> Figures:
    """Answer some ranges merged, or cut by rent years, whichever the case is about."""
    ranges = [days.run(pair) for pair in given["ranges"] or ()]
    merged = "merge" in given.about
    return {"value": days.pairs(rb.Period.joined(ranges)) if merged else _by_years(ranges, given)}


def grouped(given: Asked) -> Figures:
    """Answer a period split by the dated items that are in force.

    The case states its period only as the days that the answer covers.
    """
    spans = rb.Period.joined(rb.Period.parse(text) for text in given.expected["value"])
    if not spans:
        raise UnsaidError(_NO_FRAME)
    items = given["items"] or []
    terms = [days.bounded(*item["date_range"]) for item in items]
    inside = [part for part in (term.intersection(spans[0]) for term in terms) if part]
    cuts = [part.start for part in inside] + [days.after(part.end) for part in inside]
    groups = {
        str(part): [item for item, term in zip(items, terms, strict=True) if term.overlaps(part)]
        for part in spans[0].split_at(*cuts)
    }
    return {"value": groups}


def overlap(given: Asked) -> Figures:
    """Answer what two ranges share, and what is left of the first where they share anything."""
    first = days.bounded(given["s1"], given["e1"])
    second = days.bounded(given["s2"], given["e2"])
    shared = first.intersection(second)
    if shared is None:
        return {"value": [None, []]}
    return {"value": [days.pairs([shared])[0], days.pairs(first.minus(second))]}


# ---------------------------------------------------------------------------------- due dates

_TABLE: Final = (
    "due dates from a table by number of bills a year, which follow no rule within a period"
)


def _periods(year: int, count: int) -> tuple[rb.Period, ...]:
    """Return the periods of a year for a number of bills; none where the library refuses it.

    The length goes to the library as it comes out, so that the library refuses 1.5 months.
    """
    if not count:
        return ()
    length: dict[str, Any] = {"period_length": Decimal(12) / count}
    whole = rb.Period(date(year, 1, 1), date(year, 12, 31))
    try:
        return rb.accounting_periods(rb.BillingCycle(**length), whole)
    except InvalidInputError:
        return ()


def _need_a_rule(count: int, periods: Sequence[rb.Period]) -> None:
    """Refuse a number of bills whose due dates do not lie on one day of each period."""
    if periods and count != 12:
        raise UnsaidError(_TABLE)


def is_last_of_year(given: Asked) -> Figures:
    period = days.run(given["billing_period"])
    periods = _periods(period.end.year, given["due_dates_per_year"])
    return {"value": bool(periods) and periods[-1] == period}


def billed_by_custom_date(given: Asked) -> Figures:
    """Answer which period a custom due date bills: the first date the first period, and so on."""
    dates = sorted(map(_month_and_day, given["rent_due_dates"] or ()))
    if given["due_date"] is None or not dates:
        return {"value": None}
    day = days.of(given["due_date"])
    billed = dict(zip(dates, _periods(day.year, len(dates)), strict=False))
    return {"value": billed.get((day.month, day.day))}


def _month_and_day(stated: Any) -> tuple[int, int]:  # noqa: ANN401
    """Return month and day of a due date in a year, stated as `{day, month}` or day and month."""
    if isinstance(stated, Mapping):
        return int(stated["month"]), int(stated["day"])
    if isinstance(stated, str):
        month, day = stated.split("-")[-2:]
        return int(month), int(day)
    day, month = stated
    return int(month), int(day)


def billed_by_date(given: Asked) -> Figures:
    if given["due_date"] is None:
        return {"value": None}
    day, count = days.of(given["due_date"]), given["due_dates_per_year"]
    periods = _periods(day.year, count)
    _need_a_rule(count, periods)
    return {
        "value": {rb.due_date(days.AT_THE_START, period): period for period in periods}.get(day)
    }


def custom_dates(given: Asked) -> Figures:
    """Answer the custom due dates that fall in a range: each begins a yearly cycle of its own."""
    run = days.run((given["start_date"], given["end_date"]))
    cycles = [
        rb.BillingCycle(time_unit="Year", start=month, start_day=day)
        for month, day in map(_month_and_day, given["rent_due_dates"] or ())
    ]
    due = sorted(year.start for cycle in cycles for year in rb.accounting_periods(cycle, run))
    return {"value": due}


def dates_in_range(given: Asked) -> Figures:
    run = days.run((given["start_date"], given["end_date"]))
    count = given["due_dates_per_year"]
    _need_a_rule(count, _periods(run.start.year, count))
    years = range(run.start.year, run.end.year + 1)
    due = [
        rb.due_date(days.AT_THE_START, period) for year in years for period in _periods(year, count)
    ]
    return {"value": [day for day in due if day in run]}


def dates_of_a_year(given: Asked) -> Figures:
    count, some_year = given["due_dates_per_year"], 2026
    periods = _periods(some_year, count)
    _need_a_rule(0 if given["rent_type"] == "FIXED" else count, periods)
    return {"value": [f"{rb.due_date(days.AT_THE_START, period):%m-%d}" for period in periods]}


def periods_of_a_year(given: Asked) -> Figures:
    """Answer the billing periods of a year; a number that gives no whole months gives none."""
    return {"value": _periods(given["year"], given["due_dates_per_year"])}


def business_day(given: Asked) -> Figures:
    """Answer which days are business days, and which is the next one; noise is refused."""
    weekdays, text = rb.BillingPolicy(business_day="following"), given["the_day"]
    try:
        day = rb.Period.parse(f"{text}/{text}")
    except InvalidPeriodError as error:
        kind = ValueError.__name__ if isinstance(error, ValueError) else type(error).__name__
        return {"value": f"raises {kind}"}
    if given.about.startswith("next"):
        following = rb.DueDateRule(day_of_period=1, relative_to="end")
        return {"value": rb.due_date(following, day, policy=weekdays)}
    return {"value": rb.due_date(days.AT_THE_START, day, policy=weekdays) == day.start}


# -------------------------------------------------------------------------------- part periods


def part_of_amount(given: Asked) -> Figures:
    """Answer an amount cut to an overlap: by whole months where all parts are, else by days."""
    run = days.run(given["overlap"])
    rest = [days.run(pair) for pair in given["remainder"] or ()]
    (whole,) = rb.Period.joined([run, *rest])
    by_months = all(
        rb.Period.joined(rb.accounting_periods(days.MONTH, each)) == (each,)
        for each in (run, *rest)
    )
    cycle = rb.BillingCycle(
        period_length=len(whole.months), start=whole.start.month, start_day=whole.start.day
    )
    part = rents.Part(run, whole, cycle, rents.BY_MONTHS if by_months else rents.BY_DAYS)
    # Amounts are not rounded there.
    return {"value": Near(rents.charge(Decimal(str(given["amount"])), part, places=8))}


def shares_of_amount(given: Asked) -> Figures:
    weights = [Fraction(share) for share in given["shares"]]
    rest = 1 - sum(weights)
    parts = share_out(rents.money(given["amount"]), [*weights, rest] if rest > 0 else weights)
    return {"amounts": parts[: len(weights)]}


def bills_of_a_year(given: Asked) -> Figures:
    months = [1] * int(given["billing_periods_per_year"])
    amounts = [rents.money(text.partition(" ")[0]) for text in given["rents_per_year"]]
    bills = (bill for amount in amounts for bill in share_out(amount, months))
    return {"sum_of_all_bills": Near(rents.total(bills).amount)}


# ----------------------------------------------------------------------------- dated discounts

_POT: Final = "a total discount that is used up over bills: what is left of it is a running balance"
_BANKERS: Final = rents.UNROUNDED.evolve(part_period=rents.BY_THIRTY.part_period)
_WAYS: Final = ("PERCENT_PER_YEAR", "AMOUNT_PER_YEAR")
"""Percentages are taken off before amounts, whatever the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Change:
    """A discount or a surcharge on a rent, in force on its own days."""

    by: Decimal
    """Below zero a discount, above it a surcharge."""
    way: str
    days: rb.Period

    def applied(self, price: Decimal) -> Decimal:
        """Return a price after the change: a discount, or a surcharge as quantity or amount."""
        if self.by == 0:
            return price
        if self.way == "PERCENT_PER_YEAR":
            part = abs(self.by) / rents.HUNDRED
            if self.by > 0:
                return rents.price_of(price, quantity=1 + part, policy=rents.UNROUNDED)
            off = rb.Discount(percentage=part)
            return rents.price_of(price, discount=off, policy=rents.UNROUNDED)
        if self.by > 0:
            return (rents.money(price) + rents.money(self.by)).amount
        off = rb.Discount(amount=rents.money(-self.by))
        return rents.price_of(price, discount=off, policy=rents.UNROUNDED)


def _change_of(kind: str, way: str, amount: object, run: rb.Period) -> Change:
    """Return a change as the case states it: a discount of less than nothing is a surcharge.

    A total that is used up over bills is no change of a price.
    """
    if way not in _WAYS:
        raise UnsaidError(_POT)
    by = Decimal(str(amount))
    return Change(by if kind == "INCREASE" else -by, way, run)


def _change(given: Asked, number: str = "") -> Change:
    start, end = (given.get(f"adjustment_{side}_date{number}") for side in ("start", "end"))
    way = given.get(f"adjustment_amount_type{number}", "PERCENT_PER_YEAR")
    kind, amount = given[f"adjustment_type{number}"], given[f"adjustment_amount{number}"]
    return _change_of(kind, way, amount, days.bounded(start, end))


def _steps(
    term: rb.Period, price: Decimal, changes: Iterable[Change]
) -> list[tuple[rb.Period, Decimal]]:
    """Return a rent's price in each piece of its days that the changes cut."""
    ordered = sorted(changes, key=lambda each: _WAYS.index(each.way))
    inside = [part for part in (each.days.intersection(term) for each in ordered) if part]
    cuts = [part.start for part in inside]
    cuts += [days.after(part.end) for part in inside if part.end < term.end]
    found = []
    for piece in term.split_at(*cuts):
        left = price
        for change in ordered:
            left = change.applied(left) if change.days.overlaps(piece) else left
        found.append((piece, left))
    return found


def _unless_above_price(answer: Callable[[Asked], Figures]) -> Callable[[Asked], Figures]:
    def answered(given: Asked) -> Figures:
        try:
            return answer(given)
        except InvalidDiscountError as error:
            reason = "a discount above the price is refused when it is made (A22)"
            raise UnsaidError(reason) from error

    return answered


def pot(_: Asked) -> Figures:
    raise UnsaidError(_POT)


@_unless_above_price
def changed(given: Asked) -> Figures:
    pieces = _steps(_range(given), Decimal(given["rent_per_year"]), [_change(given)])
    return {"value": Near(rents.stepped(pieces))}


@_unless_above_price
def changed_twice(given: Asked) -> Figures:
    """Answer two percentages with their own days, which compound where they overlap."""
    changes = [_change(given, "1"), _change(given, "2")]
    pieces = _steps(_range(given), Decimal(given["rent_per_year"]), changes)
    policy = _BANKERS if "fixed initial" in given.about else rents.UNROUNDED
    return {"value": Near(rents.stepped(pieces, policy=policy))}


@_unless_above_price
def change_of_rent(given: Asked) -> Figures:
    run, price = _range(given), Decimal(given["rent_amount"])
    changes = [
        _change_of(each["adjustment_type"], each["amount_type"], each["full_amount"], run)
        for each in given["rent_adjustments_kwargs"]
    ]
    made = rents.stepped(_steps(run, price, changes)) - rents.stepped([(run, price)])
    return {"expected_adjustment_total": Near(made), "expected_discount_amount_left": None}


@_unless_above_price
def changed_item(given: Asked) -> Figures:
    """Answer a discount that is bound to one item, on a rent that may be another one."""
    run = _range(given)
    change = _change_of("DISCOUNT", "PERCENT_PER_YEAR", given["discount_percent"], run)
    hit = given["discount_item"] == given["rent_item"]
    price = _indexed(given["base_per_year"], given["factor"])
    return {"value": Near(rents.stepped(_steps(run, price, [change] if hit else [])))}


def _indexed(base: object, factor: object) -> Decimal:
    """Return a base amount times an index factor: that many of the base."""
    quantity = Decimal(str(factor))
    return rents.price_of(Decimal(str(base)), quantity=quantity, policy=rents.UNROUNDED)


@_unless_above_price
def two_rents(given: Asked) -> Figures:
    """Answer two rents with days of their own, and a change of those with the same use."""
    run = _range(given)
    changes = [_change(given)] if "adjustment_type" in given else []
    total = rents.NOTHING
    for number in ("1", "2"):
        own = days.bounded(given[f"start_date{number}"], given[f"end_date{number}"])
        term = own.intersection(run)
        if term is None:
            continue
        hit = given.get("adjustment_intended_use") == given.get(f"intended_use{number}")
        price = _indexed(given[f"amount{number}"], given["factor"])
        if given[f"period{number}"] == "PER_MONTH":
            price = _indexed(price, 12)
        total += rents.stepped(_steps(term, price, changes if hit else []))
    return {"value": Near(total)}


@_unless_above_price
def fixed_rent(given: Asked) -> Figures:
    """Answer a rent that a fixed one overrides in its own days, counted in months of 30."""
    run = _range(given)
    changes = [_change(given)] if "adjustment_type" in given else []
    own = days.bounded(given["fixed_initial_start_date"], given["fixed_initial_end_date"])
    price = _indexed(given["base_per_year"], given["factor"])
    total = rents.stepped(
        [step for part in run.minus(own) for step in _steps(part, price, changes)]
    )
    fixed = own.intersection(run)
    if fixed is not None:
        price = Decimal(str(given["fixed_initial_amount"]))
        total += rents.stepped(_steps(fixed, price, changes), policy=_BANKERS)
    return {"value": Near(total)}


# ----------------------------------------------------------------------------- rents by an index

_ITEM: Final = "rent"
_BASE_YEAR: Final = rb.IndexPoint.parse("1951")
_YEARS_BEFORE: Final = 3
_PUBLISHED: Final[Mapping[str, int]] = MappingProxyType(
    {"2012": 1863, "2013": 1890, "2014": 1910, "2015": 1906, "2016": 1913, "2017": 1927}
)
"""Yearly means of the Finnish cost-of-living index, as far as the system's tests know them."""
_READ: Final = (
    "amount base_amount_per_year base_amounts_per_year base_index base_index_month current_index "
    "current_index_year cycle discount_percent discount_range factor_apr_dec factor_jan_mar "
    "index_base index_number_previous_year note period range"
)
_INDEX_OF: Final = re.compile(r"index_(\d{4})", flags=0)


def index_used(given: Asked) -> Figures:
    """Answer the index of a day: the last mean known when the rent year began."""
    day = days.of(given["the_date"])
    known = {year: date(int(year) + 1, 1, 1) for year in _PUBLISHED}
    values: dict[str, Any] = {str(_BASE_YEAR): rents.HUNDRED, **_PUBLISHED}
    series = rb.IndexSeries("index", values, known=known)
    clause = rb.IndexClause(basis="anchored", start_point=_BASE_YEAR, reference="last_published")
    start, month = date(day.year - _YEARS_BEFORE, 1, 1), _RENT_YEARS[given["rent_cycle"]]
    made = rb.rent_adjustments(
        _terms(rents.HUNDRED, start, month, clause), rb.Period(date.min, day), indices=series
    )
    (effect,) = made[-1].adjustment_rules_effects
    return {"value": effect.to_index or rents.NOTHING}


def rent_by_index(given: Asked) -> Figures:
    read = _READ.split()
    unknown = sorted(name for name in given if name not in read and not _INDEX_OF.fullmatch(name))
    if unknown:
        raise UnsaidError(f"rent adjustment by {', '.join(unknown)}")
    prices = _prices(given)
    if any(price < 0 for price in prices):
        raise UnsaidError("a rent below zero counts as nothing there; ours is a credit (A26)")
    run = _range(given)
    series = rb.IndexSeries("index", dict(_values(given, run)))
    total = sum((_cost(given, price, run, series) for price in prices), rents.NOTHING)
    return {"value": Near(total)}


def _terms(
    price: Decimal,
    start: date,
    month: int,
    clause: rb.IndexClause,
    **more: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index", adjustment_month=month, index_clause=clause
    )
    return rb.LeaseTerms(
        recurring_bill_items=(rents.rent(price, days.YEAR, start, id=_ITEM, **more),),
        rent_adjustment_plans=(rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,)),),
    )


def _prices(given: Asked) -> list[Decimal]:
    if "amount" in given:
        price = Decimal(given["amount"])
        monthly = given["period"] == "PER_MONTH"
        return [rents.price_of(price, quantity=Decimal(12)) if monthly else price]
    listed = given.get("base_amounts_per_year") or [given["base_amount_per_year"]]
    return [Decimal(price) for price in listed]


def _values(given: Asked, run: rb.Period) -> Iterator[tuple[str, Decimal]]:
    """Give the index of each year that a case states, and that of the base, by default 100.

    A factor is that of an index over 100. Years before the first one that is stated have its value,
    and their amounts are not asked for.
    """
    stated = {int(found[1]): given[name] for name in given if (found := _INDEX_OF.fullmatch(name))}
    year = run.start.year
    for name, back, scale in (
        ("index_number_previous_year", 1, 1),
        ("current_index", 1, 1),
        ("factor_jan_mar", 2, 100),
        ("factor_apr_dec", 1, 100),
    ):
        if name in given:
            stated[year - back] = Decimal(given[name]) * scale
    first = min(stated)
    for earlier in range(first - _YEARS_BEFORE, first):
        yield str(earlier), Decimal(stated[first])
    for there, value in stated.items():
        yield str(there), Decimal(value)
    base = given.get("base_index") or given.get("index_base") or rents.HUNDRED
    yield str(_base_point(given)), Decimal(base)


def _base_point(given: Asked) -> rb.IndexPoint:
    month = given.get("base_index_month")
    return _BASE_YEAR if month is None else rb.IndexPoint.parse(month)


def _cost(given: Asked, price: Decimal, run: rb.Period, series: rb.IndexSeries) -> Decimal:
    """Return what some days of an index rent cost.

    An index over 100 is a factor of two decimals; an amount over another base index is rounded.
    """
    rounding: dict[str, Any] = {"percentage_decimals": 0}
    if "base_index" in given:
        rounding = {"amount_quantum": Decimal("0.01")}
    start = _base_point(given)
    clause = rb.IndexClause(basis="anchored", start_point=start, reference="year_mean", **rounding)
    percent = given.get("discount_percent")
    span = days.run(given["discount_range"]) if "discount_range" in given else None
    own = {} if span is None else {"start_date": span.start, "end_date": span.end}
    off = None if percent is None else rents.by_percentage(percent, **own)
    first = date(run.start.year - _YEARS_BEFORE + 1, 1, 1)
    month = _RENT_YEARS[given.get("cycle", "JANUARY_TO_DECEMBER")]
    return _billed(_terms(price, first, month, clause, discount=off), run, series)


def _billed(terms: rb.LeaseTerms, run: rb.Period, series: rb.IndexSeries) -> Decimal:
    """Return what is billed for some days: whole years as they are, others cut by their months."""
    asked: dict[str, Any] = {"indices": series, "policy": rents.UNROUNDED}
    years = days.calendar_periods(run, days.YEAR)
    if (years[0].start, years[-1].end) == (run.start, run.end):
        asked["policy"] = rents.UNROUNDED.evolve(select="accounting_period")
        bills = rb.pending_bills(terms, run, **asked)
        return rents.net(line for bill in bills for line in bill.lines).amount
    made = rb.rent_adjustments(terms, run, **asked)
    return rents.stepped(
        [
            (piece, rb.amount_in_force(terms, _ITEM, piece.start, **asked).amount)
            for piece in run.split_at(*(each.adjusted_on for each in made))
        ]
    )
