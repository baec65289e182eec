"""The calendar walked one day at a time: which days begin a cycle, a month of one, a due date.

Law: no month is ever added to a date. The walk steps to the next day and asks what that day is,
so that it cannot share a mistake with arithmetic on months.
"""

from copy import copy
from dataclasses import dataclass
from datetime import date, timedelta

from rentbilling import BillingCycle, BillingPolicy, DueDateRule

DAY = timedelta(days=1)
SATURDAY = 6


@dataclass(frozen=True)
class Stretch:
    """Days in a row, both ends included."""

    first: date
    last: date

    def days(self) -> list[date]:
        return [self.first + DAY * n for n in range((self.last - self.first).days + 1)]

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True)
class RegularPeriod:
    """A regular accounting period, with the months of the cycle that it is made of (A20)."""

    span: Stretch
    months: tuple[Stretch, ...]
    """The cycle's own months; for Week and Day cycles one stretch, the period itself."""

    next_last: date
    """The last day of the regular period that follows (A51)."""


def length_in_months(cycle: BillingCycle) -> int | None:
    """Return the length of a cycle in months, or None for Week and Day cycles."""
    if cycle.time_unit == "Month":
        return cycle.period_length
    if cycle.time_unit == "Year":
        return cycle.period_length * 12
    return None


def begins_own_month(day: date, start_day: int) -> bool:
    """Return whether a cycle's own month begins on a day (A9).

    It is the day asked for, or a month's last day where the month is too short for it.
    """
    is_last_of_month = (day + DAY).month != day.month
    return day.day == start_day or (day.day < start_day and is_last_of_month)


class _Starts:
    """Decides, for one day after the other, whether a cycle begins on it (A8)."""

    def __init__(self, cycle: BillingCycle) -> None:
        self._cycle = cycle
        self._months = length_in_months(cycle)
        self._passed = -1
        """Days (or own months) since the anchor was met; -1 before it."""

    def begins(self, day: date) -> bool:
        """Return whether a cycle begins on a day; asked once for every day in order."""
        cycle = self._cycle
        if self._months is not None:
            if not begins_own_month(day, cycle.start_day):
                return False
            if 12 % self._months == 0:
                return (day.month - cycle.start) % self._months == 0
            return self._counts(self._months, anchor=day.month == cycle.start)
        if cycle.time_unit == "Week":
            return self._counts(7 * cycle.period_length, anchor=day.isoweekday() == cycle.start)
        return self._counts(cycle.period_length, anchor=True)

    def _counts(self, length: int, *, anchor: bool) -> bool:
        """Count one more day or month, from the first that can be the anchor."""
        if self._passed >= 0 or anchor:
            self._passed += 1
        return self._passed >= 0 and self._passed % length == 0


def _decider(cycle: BillingCycle, opening: Stretch) -> _Starts:
    """Return what decides after an opening: the walk from its first day if that fits (A151)."""
    walked = _Starts(cycle)
    begun = [walked.begins(day) for day in opening.days()]
    fits = begun[0] and copy(walked).begins(opening.last + DAY)
    return walked if fits else _Starts(cycle)


def regular_periods(cycle: BillingCycle, opening: Stretch, until: date) -> list[RegularPeriod]:
    """Return the periods after an opening, up to the last that begins by `until` (A8, A13)."""
    starts: list[date] = []
    own: dict[date, list[date]] = {}
    decider = _decider(cycle, opening)
    by_month = length_in_months(cycle) is not None
    day = opening.last
    while len(starts) < 3 or starts[-3] <= until:
        day += DAY
        if decider.begins(day):
            starts.append(day)
            own[day] = [day]
        elif starts and by_month and begins_own_month(day, cycle.start_day):
            own[starts[-1]].append(day)
    periods = []
    for start, following, third in zip(starts, starts[1:], starts[2:], strict=False):
        if start <= until:
            lasts = [first - DAY for first in own[start][1:]] + [following - DAY]
            months = tuple(Stretch(*pair) for pair in zip(own[start], lasts, strict=True))
            periods.append(RegularPeriod(Stretch(start, following - DAY), months, third - DAY))
    return periods


def moved_to_business_day(day: date, policy: BillingPolicy) -> date:
    """Return the day that a due date is moved to (A11)."""
    follows, precedes = day, day
    while not _is_business_day(follows, policy):
        follows += DAY
    while not _is_business_day(precedes, policy):
        precedes -= DAY
    if policy.business_day == "following":
        return follows
    if policy.business_day == "preceding":
        return precedes
    if policy.business_day == "modified_following":
        return follows if follows.month == day.month else precedes
    return day


def due_day(rule: DueDateRule, period: RegularPeriod, policy: BillingPolicy) -> date:
    """Return the due date of a regular period, found by counting days (A10, A11, A51)."""
    in_arrears = rule.relative_to == "end"
    first_day = period.span.last + DAY if in_arrears else period.span.first
    latest = period.next_last if in_arrears else period.span.last
    day = first_day
    if rule.day_of_period > 0:
        for _ in range(rule.day_of_period - 1):
            day = min(day + DAY, latest)
    else:
        for _ in range(-rule.day_of_period):
            day -= DAY
    return moved_to_business_day(day, policy)


def _is_business_day(day: date, policy: BillingPolicy) -> bool:
    return day.isoweekday() < SATURDAY and day not in policy.holidays
