"""The accounting periods of a billing cycle, each with its due date.

Law: period n is computed from the cycle's anchor, never from period n−1.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache, partial
from typing import Final, Literal, NamedTuple

from rentbilling.errors import MissingFactError, UnsupportedCaseError, shown
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from rentbilling.schedule.due_dates import (
    MOST_SHIFT,
    business_day,
    due_beyond_calendar,
    due_day,
    needs_next_period,
)
from rentbilling.terms import BillingCycle, DueDateRule
from rentbilling.values import (
    LAST_DAY,
    AnyPeriod,
    Period,
    day_in_month,
    day_of,
    month_index,
    month_start,
    period_of,
)

_WEEK: Final = 7
_SHORTEST_MONTH: Final = 28
_LONGEST_MONTH: Final = 31

Span = tuple[int, int, int]
"""First day, last day and due date of a regular period, as ordinals."""


class Plain(NamedTuple):
    """A schedule of months whose due dates are a fixed number of days from the period's start."""

    months: int
    """Length of a period in months."""
    anchor: int
    """Number of the month in which period 0 starts."""
    after: int
    """Months from that of a day to the first in which a period can start after that day."""
    due_offset: int
    """Days from the first day of a period to its due date."""
    start_in: Callable[[int], int]
    """Returns the first day of the period that starts in a month."""
    certain: int
    """The last day that may be asked about with all periods sure to end by the year 9999."""


class Schedule:
    """The regular periods of one item, numbered from 0, with their due dates, as whole numbers."""

    __slots__ = (
        "_anchor",
        "_lowest",
        "_needs_next",
        "_policy",
        "_rule",
        "_starts",
        "_step",
        "_units",
        "first_due",
        "first_start",
        "plain",
    )

    def __init__(
        self,
        cycle: BillingCycle,
        rule: DueDateRule,
        after: Period | int | None,
        policy: BillingPolicy = DEFAULT,
    ) -> None:
        """Find the anchor: the first period after the opening period or a day (A8, A13, A151)."""
        self._units = cycle.months
        self._step = cycle.months or cycle.days
        self._rule = rule
        self._needs_next = needs_next_period(rule)
        self._policy = None if policy.business_day == "none" else policy
        start_day = cycle.start_day
        self._starts = month_start if start_day == 1 else partial(day_in_month, day=start_day)
        self._anchor = _anchor(cycle, after)
        self._lowest = None if after is None else 0
        self.plain = self._in_plain_months(rule.day_of_period)
        self.first_start, self.first_due = self.start_of(0), self.due_of(0)

    def _in_plain_months(self, day: int) -> Plain | None:
        """Return the numbers of cycles in months with plain due dates, None for all others."""
        if (
            not self._units
            or self._policy is not None
            or self._lowest is None
            or self._rule.relative_to == "end"
            or day > _SHORTEST_MONTH
        ):
            return None
        after = 1 if self._starts is month_start else 0
        offset = day if day < 0 else day - 1
        certain = LAST_DAY - _LONGEST_MONTH * (self._step + 1) - abs(day)
        return Plain(self._step, self._anchor, after, offset, self._starts, certain)

    @property
    def shortest(self) -> int:
        """Days between the due dates of two periods, at least, before A11."""
        return (_SHORTEST_MONTH if self._units else 1) * self._step

    def start_of(self, number: int) -> int:
        """Return the first day of a numbered period (A9)."""
        there = self._anchor + number * self._step
        return self._starts(there) if self._units else there

    def number_from(self, day: int) -> int:
        """Return the number of the first period that starts on a day or later."""
        if not self._units:
            number = -((self._anchor - day) // self._step)
        else:
            number = -((self._anchor - month_index(day)) // self._step)
            if self.start_of(number) < day:
                number += 1
        return number if self._lowest is None else max(number, self._lowest)

    def due_of(self, number: int) -> int:
        """Return the due date of a numbered period, after A11."""
        start, after = self.start_of(number), self.start_of(number + 1)
        return self._moved(self._due(start, after, number))

    def _moved(self, due: int) -> int:
        """Return a due date after A11; one outside the calendar does not move."""
        if self._policy is None or not 1 <= due <= LAST_DAY:
            return due
        return business_day(due, self._policy)

    def _due(self, start: int, after: int, number: int) -> int:
        following = self.start_of(number + 2) if self._needs_next else after
        return due_day(self._rule, start, after, following)

    def due_between(self, first: int, last: int, last_start: int) -> list[Span]:
        """Return the periods that fall due between two days and start by `last_start`."""
        if self._policy is None:
            return list(self._walk(first, last, last_start))
        wide = self._walk(max(1, first - MOST_SHIFT), last + MOST_SHIFT, last_start)
        moved = ((start, end, self._moved(due)) for start, end, due in wide)
        return [span for span in moved if first <= span[2] <= last]

    def _walk(self, first: int, last: int, last_start: int) -> Iterator[Span]:
        """Yield the periods due between two days, before A11."""
        number = self._first_due_from(first)
        while (start := self.start_of(number)) <= last_start:
            after = self.start_of(number + 1)
            due = self._due(start, after, number)
            if due > last:
                return
            if after > LAST_DAY + 1:
                raise _beyond_calendar()
            yield start, after - 1, due
            number += 1

    def _first_due_from(self, day: int) -> int:
        """Return the number of the first period that falls due on a day or later, before A11."""
        # However late in its period a bill falls due, it is not after the period's end.
        longest = _LONGEST_MONTH * self._step if self._units else self._step
        there = day - min(self._rule.day_of_period, longest)
        number = self.number_from(max(1, min(there, LAST_DAY)))
        number = max(number - (2 if self._rule.relative_to == "end" else 1), 0)
        while (start := self.start_of(number)) <= LAST_DAY:
            if self._due(start, self.start_of(number + 1), number) >= day:
                break
            number += 1
        return number

    def started_between(self, first: int, last: int, last_start: int) -> list[Span]:
        """Return the periods that have a day between two days, with their due dates."""
        number = self.number_from(first)
        if number != self._lowest and self.start_of(number) > first:
            number -= 1
        spans: list[Span] = []
        while (start := self.start_of(number)) <= min(last, last_start):
            end = self.start_of(number + 1) - 1
            if end > LAST_DAY:
                raise _beyond_calendar()
            due = self.due_of(number)
            if not 1 <= due <= LAST_DAY:
                raise due_beyond_calendar()
            spans.append((start, end, due))
            number += 1
        return spans

    def numbers_due(self, first: int, last: int, last_start: int) -> range:
        """Return the numbers of the periods that `due_between` returns, by bisection."""
        low = self.first_with(lambda number: self.due_of(number) >= first)
        high = self.first_with(
            lambda number: self.start_of(number) > last_start or self.due_of(number) > last
        )
        return range(low, max(low, high))

    def first_with(self, reached: Callable[[int], bool]) -> int:
        """Return the first number, from 0, for which a condition is true; it then stays true."""
        high = 1
        while not reached(high - 1):
            high *= 2
        return bisect_left(range(high), True, key=reached)  # noqa: FBT003 - the value searched for.


def schedule_of(
    cycle: BillingCycle, rule: DueDateRule, opening: Period, policy: BillingPolicy
) -> Schedule:
    """Return the schedule of an item; items of equal terms share one, of any lease."""
    if policy.business_day != "none":
        return Schedule(cycle, rule, opening, policy)
    months = cycle.months
    # Where an opening began decides only in months that neither fill a year nor are years (A151).
    after = opening if months and 12 % months and months % 12 else opening.last
    # The values of its fields are all that a record is, and quicker compared.
    return _shared_schedule(*vars(cycle).values(), *vars(rule).values(), after)


@lru_cache(maxsize=2048)
def _shared_schedule(
    time_unit: str,
    length: int,
    start: int,
    start_day: int,
    day: int,
    relative_to: Literal["start", "end"],
    after: Period | int,
) -> Schedule:
    cycle = BillingCycle(
        time_unit=time_unit, period_length=length, start=start, start_day=start_day
    )
    return Schedule(cycle, DueDateRule(day_of_period=day, relative_to=relative_to), after)


def _anchor(cycle: BillingCycle, opening: Period | int | None) -> int:
    """Return the month number or day ordinal of period 0 (A8, A13)."""
    after = opening.last if isinstance(opening, Period) else opening
    if after is None:
        if cycle.needs_anchor:
            raise MissingFactError("missing_anchor", fact="the opening period's last day (after=)")
        return cycle.start - 1 if cycle.months else 1 + (cycle.start - 1)
    if not cycle.months:
        # A8: a week starts on its ISO weekday; day ordinal 1 is a Monday.
        wait = (cycle.start - 1 - after) % _WEEK if cycle.time_unit == "Week" else 0
        return after + 1 + wait
    every = cycle.months if 12 % cycle.months == 0 else 12
    if isinstance(opening, Period) and _is_whole(opening, cycle, every):
        return month_index(after + 1)
    month = month_index(after)
    month += (cycle.start - 1 - month) % every
    return month if day_in_month(month, cycle.start_day) > after else month + every


def _is_whole(opening: Period, cycle: BillingCycle, every: int) -> bool:
    """Return whether an opening begins on a possible start and is whole cycles long (A151)."""
    begun, month = month_index(opening.first), month_index(opening.last + 1)
    return (
        (begun - cycle.start + 1) % every == 0
        and (month - begun) % cycle.months == 0
        and day_in_month(begun, cycle.start_day) == opening.first
        and day_in_month(month, cycle.start_day) == opening.last + 1
    )


def _beyond_calendar() -> UnsupportedCaseError:
    return UnsupportedCaseError(
        "unsupported", case="an accounting period that ends after 9999-12-31"
    )


def opening_of(after: Period | date | str | None) -> Period | int | None:
    """Return an opening period, or its last day, as a schedule takes it."""
    return after if after is None or isinstance(after, Period) else day_of(after, "after")


def accounting_periods(
    cycle: BillingCycle,
    period: AnyPeriod,
    *,
    after: Period | date | str | None = None,
    policy: BillingPolicy | None = None,
) -> tuple[Period, ...]:
    """Return the regular accounting periods of a cycle that begin in a period (A7, A8, A9).

    Args:
        cycle: The billing cycle.
        period: The days in which a period must start, both ends included.
        after: The opening period, or its last day; cycles that count from an anchor start after it:
            lengths in months that do not divide 12, weeks longer than one, and days (A8).
        policy: For a half-open period's text (A4) and its `max_lines` (A60).

    Raises:
        MissingFactError: The cycle counts from an anchor and `after` is not given.
        InvalidPeriodError: A text is malformed, or the period reversed.
        UnsupportedCaseError: There are more than `max_lines` (A60), or one ends after 9999.
        TypeError: An argument has a wrong type.

    Examples:
        Quarters that begin in February:

        >>> quarters = BillingCycle(time_unit="Month", period_length=3, start=2)
        >>> [str(each) for each in accounting_periods(quarters, "2026-01-01/2026-08-31")]
        ['2026-02-01/2026-04-30', '2026-05-01/2026-07-31', '2026-08-01/2026-10-31']

        Months from the 31st come back to it after a February:

        >>> months = BillingCycle(start_day=31)
        >>> [str(each) for each in accounting_periods(months, "2026-01-31/2026-03-31")]
        ['2026-01-31/2026-02-27', '2026-02-28/2026-03-30', '2026-03-31/2026-04-29']
    """
    if not isinstance(cycle, BillingCycle):
        raise TypeError(f"accounting_periods takes a BillingCycle, not {shown(cycle)}")
    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end, by="accounting_periods")
    schedule = Schedule(cycle, DueDateRule(), opening_of(after))
    number = schedule.number_from(asked.first)
    final = schedule.number_from(asked.last)
    count = final - number + (schedule.start_of(final) == asked.last)
    if count > rules.max_lines:
        raise UnsupportedCaseError("too_many_lines", lines=count, most=rules.max_lines)
    found: list[Period] = []
    start = schedule.start_of(number)
    while start <= asked.last:
        number += 1
        following = schedule.start_of(number)
        if following > LAST_DAY + 1:
            raise _beyond_calendar()
        found.append(Period.unchecked(start, following - 1))
        start = following
    return tuple(found)
