"""Judges of single dates: the next one, the one some cycles on, and how many cycles have passed.

What does not live here: whole periods (`subscriptions_periods`), bill runs (`subscriptions_runs`).
"""

from datetime import date
from typing import Final

from rentbilling import BillingCycle
from tests.outside.board import Case, Head, Verdict, failed, held_against
from tests.outside.peers.subscriptions_cycles import (
    Step,
    anchored,
    containing,
    first_period,
    moved,
    of_the_calendar,
    periods_from,
    regular_periods,
    step_given,
    step_named,
    step_of,
    years_on,
)
from tests.outside.peers.subscriptions_reading import (
    day,
    day_after,
    half_open,
    held,
    optional_day,
)

_CALENDAR: Final = "start of the next calendar"


def some_cycles_on(case: Case, _head: Head) -> Verdict:
    """Judge the date that lies a number of cycles after another, or before it."""
    given = case["input"]
    there = moved(day(given["date"]), step_named(given["period"]), int(given["n"]))
    return held(case["expected"], {"date": there})


def something_added(case: Case, _head: Head) -> Verdict:
    """Judge the date to which a number of months, weeks or years leads."""
    given = case["input"]
    there = day(given["start"])
    for unit, count in given["add"].items():
        there = moved(there, step_of(unit.removesuffix("s")), int(count))
    return held(case["expected"], {"date": there})


def first_dates(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    start, count = day(given["start"]), int(given["count"])
    step = step_given(given["cycle"])
    periods = regular_periods(anchored(step, start), start, years_on(start, step.years(count)))
    return held(case["expected"], {"dates": [period.start for period in periods[:count]]})


def cycle_around(case: Case, _head: Head) -> Verdict:
    """Judge the period of an anchored cycle that holds a date, also before the anchor."""
    given = case["input"]
    anchor, there = day(given["anchor"]), day(given["date"])
    step = step_given(given["cycle"])
    since, back = anchor, 0
    while since > there:
        back += 1
        since = moved(anchor, step, -back)
    found = containing(periods_from(anchored(step, anchor), since, there), there)
    if found is None:
        return failed(f"no period holds {there}")
    start, end = half_open(found)
    return held(
        case["expected"], {"start": start, "end_exclusive": end, "end_inclusive": found.end}
    )


def periods_completed(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    start, end = day(given["start"]), day(given["end"])
    periods = regular_periods(anchored(step_named(given["period"]), start), start, end)
    return held(case["expected"], {"whole_periods": sum(period.end < end for period in periods)})


def cycles_begun(case: Case, _head: Head) -> Verdict:
    """Judge how many cycles have begun since the day on which billing started."""
    given = case["input"]
    start, target = day(given["billing_start"]), day(given["target"])
    cycle = anchored(
        step_named(given["billing_period"]), start, start_day=int(given["billing_day"])
    )
    begun = regular_periods(cycle, start, target)
    return held_against(
        case["expected"]["expected"],
        sum(period.start > start for period in begun),
        what="cycles",
    )


def calendar_start(case: Case, _head: Head) -> Verdict:
    """Judge the first day of the calendar week, month, quarter or year that comes next."""
    given = case["input"]
    there = _next_of_the_calendar(day(given["start"]), step_named(given["period"]))
    return held(case["expected"], {"date": there})


def next_date(case: Case, _head: Head) -> Verdict:
    """Judge the date on which the period after the current one begins.

    The end of the subscription comes first where it lies before that date.
    """
    given = case["input"]
    current = day(given["current_period_start"])
    step = step_named(given["period"])
    anchor = given["billing_anchor"]
    at = _next_of_the_calendar(current, step) if anchor.startswith(_CALENDAR) else day(anchor)
    there = _next_after(current, at, step, int(given["unit"]))
    end = optional_day(given.get("end_date"))
    return held(case["expected"], {"date": there if end is None else min(there, end)})


def _next_of_the_calendar(there: date, step: Step) -> date:
    return first_period(of_the_calendar(step), day_after(there)).start


def _next_after(current: date, anchor: date, step: Step, unit: int) -> date:
    """Return the day on which the period after the one that begins on `current` begins.

    Weeks are counted on the anchor's weekday and years from the next calendar year on. Months keep
    the anchor's day: the cycle has a month in which the current period begins, so a period that
    begins before the anchor's day of its own month is a short one.
    """
    cycle = anchored(step.times(unit), anchor)
    if step.unit == "Day":
        return moved(current, step, unit)
    if step.unit == "Week":
        return _nth_start(anchored(step, anchor), day_after(current), step, unit)
    if step.unit == "Year":
        next_year = day_after(years_on(current, 0))
        return _nth_start(anchored(step, anchor), next_year, step, unit)
    if step.length > 1:
        return first_period(cycle, day_after(current)).start
    months = anchored(step.times(unit), current, start_day=anchor.day)
    return next(
        period.start
        for period in regular_periods(
            months, _first_of_the_month(current), years_on(current, months.months // 12 + 2)
        )
        if period.start > current
    )


def _first_of_the_month(there: date) -> date:
    return there.replace(day=1)


def _nth_start(cycle: BillingCycle, since: date, step: Step, count: int) -> date:
    """Return where the `count`-th period begins that begins on a day or later."""
    through = years_on(since, step.years(count))
    return regular_periods(cycle, since, through)[count - 1].start
