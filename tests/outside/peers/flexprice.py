"""Flexprice: the next billing date, calendar anchors, and changes of a subscription's lines."""

from datetime import date
from typing import Final

from rentbilling import BillingCycle
from tests.outside.board import UnsaidError
from tests.outside.peers import days
from tests.outside.peers.asked import Asked, Figures, figure
from tests.outside.peers.changes import changed, price

_CALENDAR: Final = "start of the next calendar"


def calendar_start(given: Asked) -> Figures:
    """Answer the first day of the calendar week, month, quarter or year that comes next."""
    return {"date": _next_of_the_calendar(days.of(given["start"]), days.step(given["period"]))}


def next_date(given: Asked) -> Figures:
    """Answer the date on which the period after the current one begins.

    The end of the subscription comes first where it lies before that date.
    """
    current, step = days.of(given["current_period_start"]), days.step(given["period"])
    anchor = given["billing_anchor"]
    on_calendar = anchor.startswith(_CALENDAR)
    at = _next_of_the_calendar(current, step) if on_calendar else days.of(anchor)
    there = _next_after(current, at, step, int(given["unit"]))
    return {"date": min(there, days.maybe(given.get("end_date")) or there)}


def _next_of_the_calendar(there: date, step: days.Step) -> date:
    return days.first(days.of_the_calendar(step), days.after(there)).start


def _next_after(current: date, anchor: date, step: days.Step, unit: int) -> date:
    """Return the day on which the period after the one that begins on `current` begins.

    Weeks are counted on the anchor's weekday and years from the next calendar year on. Months keep
    the anchor's day: the cycle has a month in which the current period begins, so a period that
    begins before the anchor's day of its own month is a short one.
    """
    if step.unit == "Day":
        return days.moved(current, step, unit)
    if step.unit == "Week":
        return _nth_start(days.anchored(step, anchor), days.after(current), unit)
    if step.unit == "Year":
        next_year = days.after(days.years_on(current, 0))
        return _nth_start(days.anchored(step, anchor), next_year, unit)
    if step.length > 1:
        return days.first(days.anchored(step.times(unit), anchor), days.after(current)).start
    months = days.anchored(step.times(unit), current, start_day=anchor.day)
    starts = days.first_of(months, current.replace(day=1), 2)
    return next(period.start for period in starts if period.start > current)


def _nth_start(cycle: BillingCycle, since: date, count: int) -> date:
    return days.first_of(cycle, since, count)[count - 1].start


def changed_lines(given: Asked) -> Figures:
    if figure(given.get("previous_credits") or 0):
        raise UnsaidError("credit_cap")
    old = price(given["old_price"], given["old_quantity"])
    new = price(given["new_price"], given["new_quantity"])
    period = days.run(given["period"], excluded=given.excluded)
    return changed(old, new, period, days.of(given["change_date"]))
