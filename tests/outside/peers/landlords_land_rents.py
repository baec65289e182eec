"""Land rents of the City of Helsinki: a base amount times the yearly mean of an index, over a base.

The mean of a year holds for the year after, from January or from April on; what a year costs is the
sum of what is billed for its days.
Law: amounts in force are the library's adjustments, sums are its bills.
What does not live here: dated discounts and surcharges (`landlords_prices`).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import (
    Discount,
    IndexClause,
    IndexPoint,
    IndexSeries,
    LeaseTerms,
    Period,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    amount_in_force,
    pending_bills,
    rent_adjustments,
)
from tests.outside.board import Case, Verdict, held_against, not_expressible
from tests.outside.peers.landlords_terms import (
    CALENDAR_YEAR,
    HUNDRED,
    NOTHING,
    UNROUNDED,
    agrees,
    day_of,
    periods_over,
    price_of,
    rent,
    run,
    stepped,
)

_ITEM: Final = "rent"
_BASE_YEAR: Final = IndexPoint.parse("1951")
_YEARS_BEFORE: Final = 3
_MONTHS: Final[Mapping[str, int]] = MappingProxyType(
    {"JANUARY_TO_DECEMBER": 1, "APRIL_TO_MARCH": 4}
)
_PUBLISHED: Final[Mapping[str, int]] = MappingProxyType(
    {"2012": 1863, "2013": 1890, "2014": 1910, "2015": 1906, "2016": 1913, "2017": 1927}
)
"""Yearly means of the Finnish cost-of-living index, as far as the peer's tests know them."""
_BELOW_ZERO: Final = "a rent below zero counts as nothing there; ours is a credit (A26)"
_LATER_DISCOUNT: Final = "a discount that begins later than the rent"
_READ: Final = frozenset(
    {
        "amount",
        "base_amount_per_year",
        "base_amounts_per_year",
        "base_index",
        "base_index_month",
        "current_index",
        "current_index_year",
        "cycle",
        "discount_percent",
        "discount_range",
        "factor_apr_dec",
        "factor_jan_mar",
        "index_base",
        "index_number_previous_year",
        "note",
        "period",
        "range",
    }
)
_INDEX_OF: Final = re.compile(r"index_(\d{4})", flags=0)


def mvj_index_adjustment(case: Case) -> Verdict:
    """Judge the index used on a day, or what an index rent comes to in some days."""
    given, expected = case["input"], case["expected"]
    if "the_date" in given:
        return held_against(
            Decimal(expected["value"]), _index_on(given["rent_cycle"], given["the_date"])
        )
    unknown = sorted(name for name in given.keys() - _READ if not _INDEX_OF.fullmatch(name))
    if unknown:
        return not_expressible(f"rent adjustment by {', '.join(unknown)}")
    if any(price < 0 for price in _prices(given)):
        return not_expressible(_BELOW_ZERO)
    days = run(given["range"])
    if "discount_range" in given and run(given["discount_range"]).start > days.start:
        return not_expressible(_LATER_DISCOUNT)
    series = IndexSeries("index", dict(_values(given, days)))
    total = sum((_cost(given, price, days, series) for price in _prices(given)), NOTHING)
    return agrees(expected["value"], total)


def _index_on(cycle: str, text: str) -> Decimal:
    """Return the index that is used on a day: the last mean known when the rent year began."""
    day = day_of(text)
    known = {year: date(int(year) + 1, 1, 1) for year in _PUBLISHED}
    series = IndexSeries("index", {str(_BASE_YEAR): HUNDRED, **_PUBLISHED}, known=known)
    clause = IndexClause(basis="anchored", start_point=_BASE_YEAR, reference="last_published")
    terms = _terms(HUNDRED, date(day.year - _YEARS_BEFORE, 1, 1), _MONTHS[cycle], clause)
    made = rent_adjustments(terms, Period(date.min, day), indices=series)
    (effect,) = made[-1].adjustment_rules_effects
    return effect.to_index or NOTHING


def _terms(price: Decimal, start: date, month: int, clause: IndexClause, **more: Any) -> LeaseTerms:  # noqa: ANN401
    """Return terms of a yearly rent that is adjusted in one month of each year."""
    rule = RentAdjustmentRule(adjustment_type="Index", adjustment_month=month, index_clause=clause)
    return LeaseTerms(
        recurring_bill_items=(rent(price, CALENDAR_YEAR, start, id=_ITEM, **more),),
        rent_adjustment_plans=(RentAdjustmentPlan(rent_adjustment_rules=(rule,)),),
    )


def _prices(given: Mapping[str, Any]) -> list[Decimal]:
    if "amount" in given:
        price = Decimal(given["amount"])
        per_month = given["period"] == "PER_MONTH"
        return [price_of(price, quantity=Decimal(12)) if per_month else price]
    listed = given.get("base_amounts_per_year") or [given["base_amount_per_year"]]
    return [Decimal(price) for price in listed]


def _values(given: Mapping[str, Any], days: Period) -> Iterator[tuple[str, Decimal]]:
    """Give the index of each year that a case states, and that of the base, by default 100.

    A factor is that of an index over 100. Years before the first one that is stated have its value,
    and their amounts are not asked for.
    """
    stated = {int(found[1]): given[name] for name in given if (found := _INDEX_OF.fullmatch(name))}
    year = days.start.year
    for name, back in (("index_number_previous_year", 1), ("current_index", 1)):
        if name in given:
            stated[year - back] = given[name]
    for name, back in (("factor_jan_mar", 2), ("factor_apr_dec", 1)):
        if name in given:
            stated[year - back] = Decimal(given[name]) * HUNDRED
    first = min(stated)
    for earlier in range(first - _YEARS_BEFORE, first):
        yield str(earlier), Decimal(stated[first])
    for there, value in stated.items():
        yield str(there), Decimal(value)
    base = given.get("base_index") or given.get("index_base") or HUNDRED
    yield str(_base_point(given)), Decimal(base)


def _base_point(given: Mapping[str, Any]) -> IndexPoint:
    month = given.get("base_index_month")
    return _BASE_YEAR if month is None else IndexPoint.parse(month)


def _cost(given: Mapping[str, Any], price: Decimal, days: Period, series: IndexSeries) -> Decimal:
    """Return what some days of an index rent cost.

    An index over 100 is a factor of two decimals; an amount over another base index is rounded.
    """
    month = _MONTHS[given.get("cycle", "JANUARY_TO_DECEMBER")]
    rounding: dict[str, Any] = {"percentage_decimals": 0}
    if "base_index" in given:
        rounding = {"amount_quantum": Decimal("0.01")}
    start = _base_point(given)
    clause = IndexClause(basis="anchored", start_point=start, reference="year_mean", **rounding)
    percent = given.get("discount_percent")
    end = run(given["discount_range"]).end if "discount_range" in given else None
    off = None if percent is None else Discount(percentage=Decimal(percent) / HUNDRED, end_date=end)
    first = date(days.start.year - _YEARS_BEFORE + 1, 1, 1)
    return _billed(_terms(price, first, month, clause, discount=off), days, series)


def _billed(terms: LeaseTerms, days: Period, series: IndexSeries) -> Decimal:
    """Return what is billed for some days: whole years as they are, others cut by their months."""
    years = periods_over(days, CALENDAR_YEAR)
    if (years[0].start, years[-1].end) == (days.start, days.end):
        policy = UNROUNDED.evolve(select="accounting_period")
        bills = pending_bills(terms, days, indices=series, policy=policy)
        return sum((line.net_price.amount for bill in bills for line in bill.lines), NOTHING)
    made = rent_adjustments(terms, days, indices=series, policy=UNROUNDED)
    pieces = [
        (
            piece,
            amount_in_force(terms, _ITEM, piece.start, indices=series, policy=UNROUNDED).amount,
        )
        for piece in days.split_at(*(each.adjusted_on for each in made))
    ]
    return stepped(pieces)
