"""Cycles as documentation pages and threads count them: starts, anchors and first periods.

Law: days come from `accounting_periods` and `due_date`; a judge only reads the page's words.
What does not live here: shares and prices that pages work out (`landlords_parts`).
"""

from datetime import date

from rentbilling import BillingCycle, Period, due_date
from tests.outside.board import Case, Verdict, held_against
from tests.outside.peers.landlords_terms import (
    AT_THE_START,
    CALENDAR_MONTH,
    ON_THE_LAST_DAY,
    cycle_from,
    day_after,
    day_of,
    period_with,
    periods_from,
    unit_of,
)


def _stated_cycle(case: Case, first: date) -> BillingCycle:
    """Return the cycle that a page states, with a period that begins on the day `first`."""
    stated = case["input"].get("cycle", {"unit": "month", "length": 1})
    return cycle_from(first, stated["unit"], int(stated["length"]))


def _stated_start(case: Case) -> date:
    return day_of(case["input"].get("start") or case["input"]["anchor"])


def pages_starts(case: Case) -> Verdict:
    """Judge on which days the cycles of an anchor begin, by whatever name the page lists them."""
    (name,) = [key for key in case["expected"] if not key.startswith("peer")]
    start = _stated_start(case)
    expected = case["expected"][name]
    cycle = _stated_cycle(case, start)
    periods = periods_from(start, cycle, int(case["input"].get("count", len(expected))))
    late = str(case["input"].get("in", "advance")).startswith("arrear") and name != "starts"
    rule = ON_THE_LAST_DAY if late else AT_THE_START
    dates = [due_date(rule, period, cycle=cycle).isoformat() for period in periods]
    return held_against(list(expected), dates, what=name)


def pages_calendar_anchor(case: Case) -> Verdict:
    """Judge where the first period ends when cycles follow the calendar, or the start."""
    given = case["input"]
    start = _stated_start(case)
    aligned = given.get("align", "calendar") == "calendar"
    if aligned:
        unit, _ = unit_of(given["cycle"]["unit"])
        anchor = date(start.year, 1, 1) if unit in {"Month", "Year"} else start
        period = period_with(start, _stated_cycle(case, anchor))
    else:
        period = periods_from(start, _stated_cycle(case, start), 1)[0]
    return held_against(
        case["expected"]["first_period_end"], period.end.isoformat(), what="first period's end"
    )


def pages_period_containing(case: Case) -> Verdict:
    """Judge the first periods of a cycle that begins on a day, ends included."""
    start = _stated_start(case)
    expected = case["expected"]["periods"]
    periods = periods_from(start, _stated_cycle(case, start), len(expected))
    answer = [[period.start.isoformat(), period.end.isoformat()] for period in periods]
    return held_against(expected, answer, what="periods")


def pages_period_sequence(case: Case) -> Verdict:
    """Judge periods with exclusive ends, each marked as full or as a part."""
    start = _stated_start(case)
    expected = case["expected"]["periods"]
    if case["input"].get("align") == "anniversary":
        whole = periods_from(start, cycle_from(start, "month"), len(expected))
    else:
        first = period_with(start, CALENDAR_MONTH)
        whole = (first, *periods_from(day_after(first.end), CALENDAR_MONTH, len(expected)))
    parts = [Period(max(start, period.start), period.end) for period in whole[: len(expected)]]
    answer = [
        [str(part.start), str(day_after(part.end)), part == period]
        for part, period in zip(parts, whole, strict=False)
    ]
    stated = [[begin, end, label == "full"] for begin, end, label in expected]
    return held_against(stated, answer, what="periods")
