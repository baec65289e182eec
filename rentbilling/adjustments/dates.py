"""The days on which the rules of a plan adjust (assumption A32).

Laws: a rule's days are computed from its first one, so that a later year costs no more; a rule of
increments has no day in a year without one.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from rentbilling.terms import RentAdjustmentPlan, RentAdjustmentRule
from rentbilling.values import MONTHS_PER_YEAR, NEVER, month_index


class Bounds(NamedTuple):
    """Between which days an item or balance can be adjusted."""

    after: int
    """Ordinal of a day: adjustments are made after it (the opening period's last day)."""
    last: int = NEVER
    """Ordinal of the last day with an adjustment."""

    def of_plan(self, plan: RentAdjustmentPlan) -> "Bounds":
        """Return the bounds within the end and the cancellation of a plan."""
        last = self.last
        if plan.ended_on is not None:
            last = min(last, plan.ended_on.toordinal())
        stop = plan.cancelled_on
        if stop is None and plan.ended_on is None:
            stop = plan.cancelled_or_ended_on
        if stop is not None:
            last = min(last, stop.toordinal() - 1)
        return self if last == self.last else self._replace(last=last)


class RuleDates:
    """The months on whose first day one rule of a plan adjusts."""

    __slots__ = (
        "_after",
        "_all_from",
        "_first",
        "_last",
        "_once",
        "_recurs_from",
        "_rule",
        "_step",
    )

    def __init__(self, rule: RentAdjustmentRule, plan: RentAdjustmentPlan, bounds: Bounds) -> None:
        """Find the first of the days and the step between them."""
        bounds = bounds.of_plan(plan)
        self._rule = rule
        self._step = rule.clause.interval
        wanted = rule.month - 1
        # The first month that begins after the bound.
        earliest = month_index(bounds.after) + 1
        if rule.first_year is None and plan.created is not None:
            created = plan.created.date()
            earliest = max(earliest, month_index(created.toordinal()) + (created.day > 1))
        if rule.counts_from is not None:
            self._first = int(rule.counts_from) * MONTHS_PER_YEAR + wanted
        else:
            rhythm = self._step if MONTHS_PER_YEAR % self._step == 0 else MONTHS_PER_YEAR
            self._first = earliest + (wanted - earliest) % rhythm
        self._after = earliest
        last = month_index(min(bounds.last, _LAST_DAY))
        if rule.last_year is not None:
            last = min(last, int(rule.last_year) * MONTHS_PER_YEAR + MONTHS_PER_YEAR - 1)
        self._once: frozenset[int] = frozenset()
        self._recurs_from: int | None = None
        self._all_from: int | None = None
        if rule.increments:
            recurring = [int(each.of_year) for each in rule.increments if each.recurs]
            self._once = frozenset(int(each.of_year) for each in rule.increments if not each.recurs)
            self._recurs_from = min(recurring, default=None)
            if recurring:
                self._all_from = max([min(recurring), *(year + 1 for year in self._once)])
            else:
                last = min(last, max(self._once) * MONTHS_PER_YEAR + MONTHS_PER_YEAR - 1)
        self._last = last

    def has(self, month: int) -> bool:
        """Return whether it adjusts on the first day of a month."""
        return (
            max(self._after, self._first) <= month <= self._last
            and (month - self._first) % self._step == 0
            and self._acts_in(month)
        )

    def between(self, first: int, last: int) -> Sequence[int]:
        """Return the numbers of the months from one to another on whose first day it adjusts."""
        low = max(first, self._after, self._first)
        month = self._first - (self._first - low) // self._step * self._step
        months = range(month, min(last, self._last) + 1, self._step)
        if not self._rule.increments:
            return months
        since = len(months)
        if self._all_from is not None:
            # From then on it adjusts on every date, and there are thousands of them.
            since = bisect_left(months, self._all_from * MONTHS_PER_YEAR)
        once = [month for month in months[:since] if self._acts_in(month)]
        return [*once, *months[since:]] if once else months[since:]

    def _acts_in(self, month: int) -> bool:
        """Return whether it has an increment for one of its months; true without increments (A36).

        One of a single year is made once: on the first of the rule's dates in that year.
        """
        year = month // MONTHS_PER_YEAR
        if year in self._once:
            return month - self._step < max(year * MONTHS_PER_YEAR, self._first)
        since = self._recurs_from
        return not self._rule.increments or (since is not None and year >= since)

    @property
    def first(self) -> int:
        """Number of the first month with an adjustment, whatever ends the plan before it."""
        return max(self._first, self._after)

    def next_after(self, day: int) -> int | None:
        """Return the number of the first month after a day with an adjustment, None without.

        A rule that only limits others has no day of its own.
        """
        if self._rule.only_limits:
            return None
        return next(iter(self.between(month_index(day) + 1, self._last)), None)


_LAST_DAY: Final = date.max.toordinal()
