"""Runs of days taken apart and put together: what two share, what is left, where a run is cut.

Law: every answer is a method of `Period`, or the library's accounting periods as the places to cut.
What does not live here: what the parts cost (`landlords_parts`, `landlords_prices`).
"""

from collections.abc import Callable, Iterable
from typing import Any

from rentbilling import BillingCycle, Period, accounting_periods, divide_rounded
from tests.outside.board import Case, Verdict, failed, held_against, not_expressible
from tests.outside.peers.landlords_terms import (
    day_after,
    day_before,
    day_of,
    half_open,
    half_open_text,
    open_run,
    period_with,
    run,
    written,
)

_NO_FRAME = "the case does not state the range that is divided"

_CYCLE_STARTS = {"JANUARY_TO_DECEMBER": 1, "APRIL_TO_MARCH": 4}


def mvj_range_split(case: Case) -> Verdict:
    given = case["input"]
    for keys, judge in _BY_SHAPE:
        if keys <= given.keys():
            return judge(case)
    return failed(f"no judge for a case with {sorted(given)}")


def estatio_range_split(case: Case) -> Verdict:
    """Judge what is left of a period to the right of the days already calculated."""
    given = case["input"]
    whole = half_open(given["period"])
    rest: tuple[Period, ...] = (whole,)
    if given["already"] is not None:
        already = half_open(given["already"])
        rest = tuple(part for part in whole.minus(already) if part.start > already.start)
    leftover = half_open_text(rest[0]) if rest else None
    return held_against(
        case["expected"]["leftover"],
        leftover,
        what="leftover (of a period calculated to its end the peer gives the whole again)"
        if leftover is None
        else "leftover",
    )


def _years(cycle: str) -> BillingCycle:
    return BillingCycle(time_unit="Year", start=_CYCLE_STARTS[cycle])


def _by_years(days: Iterable[Period], cycle: str) -> list[Period]:
    return [
        part for each in days for part in _cut_at(each, accounting_periods(_years(cycle), each))
    ]


def _cut_at(days: Period, periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return a run cut where periods begin; this peer never cuts off a last single day."""
    return days.split_at(*(each.start for each in periods if each.start < days.end))


def _minus_one(case: Case) -> Verdict:
    given = case["input"]
    rest = run(given["range1"]).minus(run(given["subtract_range"]))
    return held_against(case["expected"]["value"], written(rest), what="ranges")


def _minus_many(case: Case) -> Verdict:
    given = case["input"]
    taken = [run(pair) for pair in given["subtract_ranges"] or ()]
    rest = [part for pair in given["ranges"] or () for part in run(pair).minus(*taken)]
    return held_against(case["expected"]["value"], written(rest), what="ranges")


def _in_parts(case: Case) -> Verdict:
    """Judge a range in a number of parts, which are all but the last equally long."""
    given = case["input"]
    whole = run(given["date_range"])
    # The peer rounds the length of a part up, so the parts are cycles of that many days.
    length = divide_rounded(whole.days, given["count"], "up") if given["count"] else whole.days
    cycle = BillingCycle(time_unit="Day", period_length=length)
    cycles = accounting_periods(cycle, whole, after=day_before(whole.start))
    parts = _cut_at(whole, cycles)
    return held_against(case["expected"]["value"], written(parts), what="parts")


def _remaining(_: Case) -> Verdict:
    """Judge what an override leaves of a range that the case does not state."""
    return not_expressible(_NO_FRAME)


def _active(case: Case) -> Verdict:
    given = case["input"]
    term = open_run(given["rent_start_date"], given["rent_end_date"])
    asked = open_run(given["period_start_date"], given["period_end_date"])
    return held_against(case["expected"]["value"], term.overlaps(asked), what="active")


def _rent_year(case: Case) -> Verdict:
    """Judge which rent year holds a day; it is named by the year in which it begins."""
    given = case["input"]
    year = period_with(day_of(given["the_date"]), _years(given["rent_cycle"]))
    return held_against(case["expected"]["value"], year.start.year, what="rent year")


def _cut_by_cycle(case: Case) -> Verdict:
    """Judge a range cut where rent years begin; those of the cases without a cycle are April's."""
    given = case["input"]
    whole = run((given["range_start"], given["range_end"]))
    parts = _by_years([whole], given.get("cycle", "APRIL_TO_MARCH"))
    return held_against(case["expected"]["value"], written(parts), what="parts")


def _ranges_alone(case: Case) -> Verdict:
    """Judge some ranges merged, or cut by rent years, whichever the case is about."""
    ranges = [run(pair) for pair in case["input"]["ranges"] or ()]
    if "merge" in case["about"]:
        done: Iterable[Period] = Period.joined(ranges)
    else:
        done = _by_years(ranges, case["input"].get("cycle", "APRIL_TO_MARCH"))
    return held_against(case["expected"]["value"], written(done), what="ranges")


def _grouped(case: Case) -> Verdict:
    """Judge a period split by which dated items are in force.

    The case states its period only as the days that the answer covers.
    """
    expected = case["expected"]["value"]
    spans = Period.joined(Period.parse(text) for text in expected)
    if not spans:
        return not_expressible(_NO_FRAME)
    items = case["input"]["items"] or []
    terms = [open_run(*item["date_range"]) for item in items]
    inside = [part for part in (term.intersection(spans[0]) for term in terms) if part]
    cuts = [part.start for part in inside] + [day_after(part.end) for part in inside]
    groups = {
        str(part): [item for item, term in zip(items, terms, strict=True) if term.overlaps(part)]
        for part in spans[0].split_at(*cuts)
    }
    return held_against(expected, groups, what="parts")


def _overlap(case: Case) -> Verdict:
    """Judge what two ranges share, and what is left of the first where they share anything."""
    given = case["input"]
    first, second = open_run(given["s1"], given["e1"]), open_run(given["s2"], given["e2"])
    shared = first.intersection(second)
    answer: list[Any] = [None, []]
    if shared is not None:
        answer = [written([shared])[0], written(first.minus(second))]
    return held_against(case["expected"]["value"], answer, what="overlap and rest")


_BY_SHAPE: tuple[tuple[frozenset[str], Callable[[Case], Verdict]], ...] = (
    (frozenset({"range1", "subtract_range"}), _minus_one),
    (frozenset({"ranges", "subtract_ranges"}), _minus_many),
    (frozenset({"date_range", "count"}), _in_parts),
    (frozenset({"start_date1", "end_date1", "start_date2", "end_date2"}), _remaining),
    (frozenset({"rent_start_date", "rent_end_date"}), _active),
    (frozenset({"rent_cycle", "the_date"}), _rent_year),
    (frozenset({"range_start", "range_end"}), _cut_by_cycle),
    (frozenset({"items"}), _grouped),
    (frozenset({"s1", "e1", "s2", "e2"}), _overlap),
    (frozenset({"ranges"}), _ranges_alone),
)
