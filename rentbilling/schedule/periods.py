"""Schedules: a billing cycle becomes accounting periods, and each period its due date.

Laws: period n is computed from the cycle's anchor, never from period n−1; a due date is born from
its period and travels with it.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Final

from rentbilling.errors import MissingFactError, UnsupportedCaseError, shown
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from rentbilling.terms.item_parts import BillingCycle, DueDateRule
from rentbilling.values.periods import (
    LAST_DAY,
    Period,
    day_in_month,
    day_of,
    month_index,
    month_start,
    period_of,
)

_WEEK: Final = 7
_FRIDAY: Final = 5
MOST_SHIFT: Final = 40
"""Days that a due date may move to find a business day; a longer closure is a mistake."""

_SHORTEST_MONTH: Final = 28
_LONGEST_MONTH: Final = 31

Span = tuple[int, int, int]
"""First day, last day and due date of a regular period, as ordinals."""


Plain = tuple[int, int, int, int, Callable[[int], int]]
"""Months of a cycle; month of the first period; months to look back; days from a first day to its
due date; and the first day of the period that starts in a month."""


class Schedule:
    """The regular periods of one item, numbered from 0, with their due dates, as whole numbers."""

    __slots__ = (
        "_anchor",
        "_at_end",
        "_day",
        "_lowest",
        "_plain",
        "_policy",
        "_starts",
        "_step",
        "_units",
    )

    def __init__(
        self,
        cycle: BillingCycle,
        rule: DueDateRule,
        after: int | None,
        policy: BillingPolicy = DEFAULT,
    ) -> None:
        """Find the anchor: the first period that starts after a day (A8, A13)."""
        self._units = cycle.months
        self._step = cycle.months or cycle.days
        self._day = rule.day_of_period
        self._at_end = rule.relative_to == "end"
        self._policy = None if policy.business_day == "none" else policy
        day = rule.day_of_period
        start_day = cycle.start_day
        self._starts = month_start if start_day == 1 else partial(day_in_month, day=start_day)
        plain = self._units and self._policy is None and not self._at_end and after is not None
        self._plain = bool(plain and day <= _SHORTEST_MONTH)
        self._anchor = _anchor(cycle, after)
        self._lowest = None if after is None else 0

    @property
    def plain(self) -> Plain | None:
        """The numbers of the common case, None in all others.

        In it cycles are months, due dates are counted from a period's first day and neither moved
        nor stopped by its end: `start + days from the start` is all there is to a due date.
        """
        if not self._plain:
            return None
        day = self._day
        # Months by which a period starts before the month of its due date, at most.
        back = (day + 26) // 28 if day > 0 else day // 31 + 1
        return self._step, self._anchor, back, day if day < 0 else day - 1, self._starts

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
        """Return a due date after A11; one that the calendar does not have stays."""
        if self._policy is None or not 1 <= due <= LAST_DAY:
            return due
        return business_day(due, self._policy)

    def _due(self, start: int, after: int, number: int) -> int:
        """Return the due date of a period from its days (A10, A51)."""
        day = self._day
        if not self._at_end:
            return start + day if day < 0 else min(start + day, after) - 1
        if day <= 1:
            return after + day - (day > 0)
        # A51: the next regular period's last day, also when that one is never billed.
        return min(after + day, self.start_of(number + 2)) - 1

    def due_between(self, first: int, last: int, last_start: int) -> list[Span]:
        """Return the periods that fall due between two days and start by `last_start`.

        Raises:
            UnsupportedCaseError: A period ends after the year 9999.
        """
        if self._policy is None:
            return list(self._walk(first, last, last_start))
        wide = self._walk(max(1, first - MOST_SHIFT), last + MOST_SHIFT, last_start)
        moved = ((start, end, self._moved(due)) for start, end, due in wide)
        return [span for span in moved if first <= span[2] <= last]

    def _walk(self, first: int, last: int, last_start: int) -> Iterator[Span]:
        """Give the same for cycles of days and for arrears, period by period."""
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
        there = day - min(self._day, longest)
        number = self.number_from(max(1, min(there, LAST_DAY))) - (2 if self._at_end else 1)
        number = max(number, 0)
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
                raise _due_beyond_calendar()
            spans.append((start, end, due))
            number += 1
        return spans

    def numbers_due(self, first: int, last: int, last_start: int) -> range:
        """Return the numbers of the periods that `due_between` gives, found by halving."""
        low = self.first_with(lambda number: self.due_of(number) >= first)
        high = self.first_with(
            lambda number: self.start_of(number) > last_start or self.due_of(number) > last
        )
        return range(low, max(low, high))

    def first_with(self, holds: Callable[[int], bool]) -> int:
        """Return the first number, from 0, from which something holds for good."""
        high = 1
        while not holds(high - 1):
            high *= 2
        return bisect_left(range(high), True, key=holds)  # noqa: FBT003 - what is looked for.


def _anchor(cycle: BillingCycle, after: int | None) -> int:
    """Return the month number or day ordinal of period 0 (A8, A13)."""
    if after is None:
        if cycle.needs_anchor:
            raise MissingFactError("missing_anchor", fact="the opening period's last day (after=)")
        return cycle.start - 1 if cycle.months else 1 + (cycle.start - 1)
    if not cycle.months:
        # A8: a week starts on its ISO weekday; day ordinal 1 is a Monday.
        wait = (cycle.start - 1 - after) % _WEEK if cycle.time_unit == "Week" else 0
        return after + 1 + wait
    every = cycle.months if 12 % cycle.months == 0 else 12
    month = month_index(after)
    month += (cycle.start - 1 - month) % every
    return month if day_in_month(month, cycle.start_day) > after else month + every


def _beyond_calendar() -> UnsupportedCaseError:
    """Return the refusal of a period that the calendar has no dates for."""
    return UnsupportedCaseError(
        "unsupported", case="an accounting period that ends after 9999-12-31"
    )


def _due_beyond_calendar() -> UnsupportedCaseError:
    """Return the refusal of a due date that the calendar does not have."""
    return UnsupportedCaseError("unsupported", case="a due date outside the years 1 to 9999")


def business_day(day: int, policy: BillingPolicy) -> int:
    """Return where a due date moves when it falls on a weekend or holiday (assumption A11).

    Raises:
        UnsupportedCaseError: No business day lies within 40 days.

    Examples:
        >>> policy = BillingPolicy(business_day="following")
        >>> date.fromordinal(business_day(date(2026, 8, 1).toordinal(), policy))
        datetime.date(2026, 8, 3)
    """
    way = policy.business_day
    if way == "none":
        return day
    found = _first_open(day, -1 if way == "preceding" else 1, policy)
    if way == "modified_following" and month_index(found) != month_index(day):
        found = _first_open(day, -1, policy)
    return found


def _first_open(day: int, step: int, policy: BillingPolicy) -> int:
    """Return the first day that is neither weekend nor holiday, going one way."""
    for there in range(day, day + step * (MOST_SHIFT + 1), step):
        if not 1 <= there <= LAST_DAY:
            break
        if (there - 1) % _WEEK < _FRIDAY and date.fromordinal(there) not in policy.holidays:
            return there
    raise UnsupportedCaseError(
        "unsupported", case=f"no business day within {MOST_SHIFT} days of {date.fromordinal(day)}"
    )


def accounting_periods(
    cycle: BillingCycle,
    period: Period | str,
    *,
    after: date | str | None = None,
    policy: BillingPolicy | None = None,
) -> tuple[Period, ...]:
    """Return the regular accounting periods of a cycle whose first day lies in a period.

    Args:
        cycle: The billing cycle (assumptions A7, A8, A9).
        period: The days in which a period must start, both ends included.
        after: The opening period's last day: only periods that start after it, and cycles that
            count from an anchor start there. These are lengths in months that do not divide 12,
            weeks longer than one, and days.
        policy: For a half-open period's text (A4) and its `max_lines` (A60).

    Returns:
        The periods in order.

    Raises:
        MissingFactError: The cycle counts from an anchor and `after` is not given.
        InvalidPeriodError: A text is malformed, or the period reversed.
        UnsupportedCaseError: There are more than `max_lines` (A60), or one ends after 9999.
        TypeError: An argument is of another kind.

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
    schedule = Schedule(cycle, DueDateRule(), None if after is None else day_of(after, "after"))
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
        found.append(Period.of(start, following - 1))
        start = following
    return tuple(found)


def due_date(
    rule: DueDateRule,
    period: Period | str,
    *,
    cycle: BillingCycle | None = None,
    policy: BillingPolicy | None = None,
) -> date:
    """Return the day on which the bill for an accounting period falls due.

    Days are counted from the start of the period: day 1 is the period's first day and day −1 the
    day before it; a day past the period's end means its last day (assumption A10). In arrears they
    are counted from the end: day 1 is the first day after the period, day −1 its last day (A51).

    Args:
        rule: The due date rule of the recurring bill item.
        period: The regular accounting period that is billed, or its text.
        cycle: The billing cycle; needed in arrears for days above 1, which stop at the last day of
            the next period.
        policy: Moves the day from weekends and holidays where it says so (A11), and tells how the
            period's text is read (A4).

    Returns:
        The due date.

    Raises:
        MissingFactError: The rule counts from the end, beyond day 1, and no cycle is given.
        InvalidPeriodError: The period's text is malformed or reversed.
        UnsupportedCaseError: The day lies outside the years 1 to 9999, or no business day near it.
        TypeError: An argument is of another kind.

    Examples:
        Rent for February 2024, due on the first day of the month, three days before the month, and
        at the end of it:

        >>> february = Period.parse("2024-02-01/2024-02-29")
        >>> due_date(DueDateRule(day_of_period=1), february)
        datetime.date(2024, 2, 1)
        >>> due_date(DueDateRule(day_of_period=-3), february)
        datetime.date(2024, 1, 29)
        >>> due_date(DueDateRule(day_of_period=31), february)
        datetime.date(2024, 2, 29)
    """
    if not isinstance(rule, DueDateRule):
        raise TypeError(f"due_date takes a DueDateRule, not {shown(rule)}")
    if cycle is not None and not isinstance(cycle, BillingCycle):
        raise TypeError(f"due_date takes a BillingCycle, not {shown(cycle)}")
    rules = policy_of(policy)
    billed = period_of(period, period_end=rules.period_end, by="due_date")
    day, after = rule.day_of_period, billed.last + 1
    if rule.relative_to == "start":
        due = billed.first + day if day < 0 else min(billed.first + day, after) - 1
    elif day <= 1:
        due = after + day - (day > 0)
    elif cycle is None:
        raise MissingFactError("missing_cycle", fact="the billing cycle (cycle=)")
    elif after > LAST_DAY:
        raise _due_beyond_calendar()
    else:
        due = min(after + day, _end_after(cycle, after)) - 1
    if not 1 <= due <= LAST_DAY:
        raise _due_beyond_calendar()
    return date.fromordinal(business_day(due, rules))


def _end_after(cycle: BillingCycle, start: int) -> int:
    """Return the day after the cycle's period that starts on a day."""
    if not cycle.months:
        return start + cycle.days
    return day_in_month(month_index(start) + cycle.months, cycle.start_day)
