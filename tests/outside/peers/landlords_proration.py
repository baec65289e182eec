"""Proration asked of landlords' peers: fractions, amounts of parts, amounts of billing periods.

Law: which days and method a case means is read here; shares and charges are `landlords_parts`.
What does not live here: prices that change or are discounted (`landlords_prices`).
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from rentbilling import BillingCycle, Period, accounting_periods, rounded
from tests.outside.board import Case, Verdict, failed, held_against, not_expressible
from tests.outside.peers.landlords_dates import MONTHS_OF_FREQUENCY, frequency, periods_due_in
from tests.outside.peers.landlords_parts import (
    BY_DAYS,
    BY_MONTHS,
    IN_FULL,
    Part,
    UnknownMethodError,
    charge,
    charges,
    counted,
    counted_by_year,
    of_days,
    shares,
)
from tests.outside.peers.landlords_terms import (
    CALENDAR_MONTH,
    CENTS,
    agrees,
    all_of,
    cycle_from,
    day_after,
    day_before,
    day_of,
    half_open,
    period_price,
    periods_over,
    run,
    unit_of,
)

if TYPE_CHECKING:
    from rentbilling.values.money import Rounding

_MONTHS_A_YEAR = 12


# --- City of Helsinki -----------------------------------------------------------------------------


def mvj_proration(case: Case) -> Verdict:
    """Judge an amount cut to an overlap: by whole months where all parts are, else by days."""
    given = case["input"]
    days = run(given["overlap"])
    rest = [run(pair) for pair in given["remainder"] or ()]
    (whole,) = Period.joined([days, *rest])
    by_months = all(_is_whole_months(each) for each in (days, *rest))
    cycle = BillingCycle(
        period_length=len(whole.months), start=whole.start.month, start_day=whole.start.day
    )
    part = Part(days, whole, cycle, BY_MONTHS if by_months else BY_DAYS)
    # The peer keeps amounts unrounded.
    amount = charge(Decimal(str(given["amount"])), part, places=8)
    return agrees(case["expected"]["value"], amount)


def _is_whole_months(days: Period) -> bool:
    return Period.joined(accounting_periods(CALENDAR_MONTH, days)) == (days,)


# --- Estatio --------------------------------------------------------------------------------------


def estatio_period_amounts(case: Case) -> Verdict:
    """Judge the amounts of the periods due in a range, 0.00 for those outside the term.

    A fixed value is billed in full each time; a yearly one as a period's part of the year, cut to
    the days that term, lease and tenancy have in the period.
    """
    given = case["input"]
    days = half_open(given.get("due_date_range") or given["calculation_range"])
    cycle, _ = frequency(given["frequency"])
    if cycle is None:
        return not_expressible("a term that is billed once has no cycle")
    fixed = str(given.get("value_type", "")).startswith("FIXED")
    price = (
        Decimal(given["value"])
        if fixed
        else frequency_price(given["annual_value"], given["frequency"])
    )
    bounds = _bounds(given)
    earliest = day_of(given.get("first_invoiceable_due_date") or "0001-01-01")
    amounts = []
    for period, due in periods_due_in(days, given["frequency"], days):
        if due < earliest:
            continue
        billed: Period | None = period
        for bound in bounds:
            billed = billed and billed.intersection(bound)
        amount = Decimal(0)
        if billed is not None:
            amount = charge(price, Part(billed, period, cycle, IN_FULL if fixed else BY_DAYS))
        amounts.append(str(rounded(amount, 2)))
    return held_against(list(case["expected"]["amounts"]), amounts, what="amounts")


def frequency_price(yearly: str, word: str) -> Decimal:
    """Return the part of a yearly value that a period of a frequency has."""
    months = MONTHS_OF_FREQUENCY[word.partition("_IN_")[0]]
    return period_price(yearly, _MONTHS_A_YEAR // months)


def _bounds(given: Mapping[str, Any]) -> list[Period]:
    """Return what a case lets bound the days billed: half-open terms, or named inclusive dates."""
    bounds = [half_open(given["term"])] if given.get("term") else []
    for name in ("term", "lease", "tenancy"):
        start, end = given.get(f"{name}_start"), given.get(f"{name}_end")
        bounds.append(
            Period(day_of(start) if start else date.min, day_of(end) if end else date.max)
        )
    return bounds


# --- TentMan --------------------------------------------------------------------------------------


def tentman_proration(case: Case) -> Verdict:
    """Judge what the days cost that a service has in a billing period."""
    given = case["input"]
    whole = run(given["billing_period"])
    days = whole.intersection(run(given["service_period"]))
    amount = Decimal(0)
    if days is not None:
        try:
            parts = counted(days, given["method"], whole)
        except UnknownMethodError as error:
            return not_expressible(f"part periods counted by {error}")
        amount = charges(Decimal(given["amount"]), parts, rounding=_rounding(given))
    return agrees(case["expected"]["amount"], amount)


def _rounding(given: Mapping[str, Any]) -> "Rounding":
    word = str(given.get("rounding", "half up")).replace(" ", "_").replace("-", "_")
    # The library refuses a word that it does not know.
    return cast("Rounding", word)


# --- Documentation pages and threads --------------------------------------------------------------


def _stated_days(given: Mapping[str, Any]) -> Period:
    """Return the days that a page is about, however it states their end."""
    if "days" in given:
        start = day_of(f"{given.get('month', '2026-01')}-01")
        return Period(start, day_after(start, int(given["days"]) - 1))
    start = day_of(given.get("start") or given["term_start"])
    if "next_period" in given:
        return Period(start, day_before(day_of(given["next_period"])))
    if "period" in given and "end_inclusive" not in given:
        return Period(start, day_of(given["period"][1]))
    return Period(start, day_of(given.get("end_inclusive") or given["bill_through"]))


def _stated_parts(given: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the parts whose shares are asked; several where the days are in several periods.

    A period that the days cover wholly counts as it is; the method says how the others count.
    """
    days, method = _stated_days(given), given["method"]
    if method == "days":
        return (of_days(days, int(given["term_days"])),)
    if "period" in given:
        return counted(days, method, run(given["period"]))
    if given.get("per") == "year":
        return counted_by_year(days, method)
    if "anchor_day" not in given and "cycle" not in given:
        return counted(days, method)
    cycle = _stated_cycle(given, days.start)
    parts: list[Part] = []
    for inside, whole in _inside(days, cycle):
        if inside == whole:
            parts.append(Part(whole, whole, cycle))
        else:
            parts += _counted_in(inside, method, whole, cycle)
    return tuple(parts)


def _counted_in(days: Period, method: str, whole: Period, cycle: BillingCycle) -> tuple[Part, ...]:
    parts = counted(days, method, whole)
    if parts and parts[0].whole == whole:
        return tuple(Part(part.days, whole, cycle, part.policy) for part in parts)
    return parts


def _stated_cycle(given: Mapping[str, Any], start: date) -> BillingCycle:
    """Return the cycle that a page states, anchored on the day of the month that it names."""
    stated = given.get("cycle", {"unit": "month", "length": 1})
    unit, count = unit_of(stated["unit"])
    if unit in {"Day", "Week"}:
        return cycle_from(start, stated["unit"], int(stated["length"]))
    return BillingCycle(
        time_unit=unit,
        period_length=count * int(stated["length"]),
        start=1,
        start_day=int(given.get("anchor_day", 1)),
    )


def pages_fraction(case: Case) -> Verdict:
    try:
        parts = _stated_parts(case["input"])
    except UnknownMethodError as error:
        return not_expressible(f"part periods counted by {error}")
    stated = dict(case["expected"])
    if "of" in stated:
        stated["days"] = f"{stated['days']}/{stated.pop('of')}"
    share = shares(parts)
    return all_of(_held_share(name, value, share, parts) for name, value in stated.items())


def _held_share(name: str, stated: Any, share: Fraction, parts: tuple[Part, ...]) -> Verdict:  # noqa: ANN401
    if name in {"fraction", "sum", "days"}:
        return held_against(Fraction(stated), share, what="share")
    if name in {"parts", "fractions"}:
        ours = [part.share for part in parts]
        return held_against([Fraction(each) for each in stated], ours, what="shares")
    if name == "denominator":
        days = sum(part.days.days for part in parts)
        return held_against(Fraction(days, int(stated)), share, what="share")
    if name.endswith("dp"):
        return held_against(Decimal(stated), rounded(share, _places(name)), what="share")
    return failed(f"no judge for {name}")


def pages_proration(case: Case) -> Verdict:
    given, expected = case["input"], case["expected"]
    try:
        parts = _stated_parts(given)
    except UnknownMethodError as error:
        return not_expressible(f"part periods counted by {error}")
    price, rounding = Decimal(given["amount"]), _rounding(given)
    verdicts = []
    for name, stated in expected.items():
        if name.startswith("peer"):
            continue
        if name == "periods" and isinstance(stated, list):
            verdicts.append(_held_periods(stated, price, parts))
        elif name == "periods":
            count = int(shares(parts))
            verdicts.append(held_against(int(stated), count, what="periods"))
        elif name.startswith(("amount", "total")):
            places = _places(name)
            verdicts.append(
                agrees(stated, charges(price, parts, places=places, rounding=rounding), what=name)
            )
        else:
            verdicts.append(_held_share(name, stated, shares(parts), parts))
    return all_of(verdicts)


def _places(name: str) -> int:
    """Return the decimals of a figure by its name: five of `amount_5dp`, otherwise cents."""
    return int(name.removesuffix("dp").rpartition("_")[2]) if name.endswith("dp") else CENTS


def _held_periods(
    stated: list[Mapping[str, Any]], price: Decimal, parts: tuple[Part, ...]
) -> Verdict:
    days = [run((each["start"], each["end_inclusive"])) for each in stated]
    if days != [part.days for part in parts]:
        return failed(f"periods: expected {stated}, got {[str(part.days) for part in parts]}")
    return all_of(
        agrees(each["amount"], charge(price, part))
        for each, part in zip(stated, parts, strict=True)
    )


def pages_elapsed_cycles(case: Case) -> Verdict:
    """Judge how many months a service lasts, each part rounded as the page adds them."""
    given, expected = case["input"], case["expected"]
    days = _stated_days(given)
    aligned = given.get("align") == "calendar"
    cycle = CALENDAR_MONTH if aligned else cycle_from(days.start, "month")
    cut = [Part(each, whole, cycle, BY_DAYS) for each, whole in _inside(days, cycle)]
    whole_months = sum(part.days == part.whole for part in cut)
    lengths = [part.share for part in cut if part.days.start > part.whole.start]
    lengths += [Fraction(whole_months)] if whole_months else []
    lengths += [part.share for part in cut if _is_cut_at_the_end(part)]
    parts = [rounded(length, 3) for length in lengths]
    verdicts = [agrees(expected["months_3dp"], sum(parts, Decimal(0)), what="months")]
    if "parts_3dp" in expected:
        stated = [Decimal(each) for each in expected["parts_3dp"]]
        verdicts.append(held_against(stated, parts, what="parts"))
    return all_of(verdicts)


def _inside(days: Period, cycle: BillingCycle) -> list[tuple[Period, Period]]:
    """Return what the days have of each period of a cycle, with the period."""
    cut = [(whole.intersection(days), whole) for whole in periods_over(days, cycle)]
    return [(part, whole) for part, whole in cut if part is not None]


def _is_cut_at_the_end(part: Part) -> bool:
    return part.days.start == part.whole.start and part.days.end < part.whole.end
