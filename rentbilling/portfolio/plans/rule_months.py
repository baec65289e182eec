"""Rule months: the months in which the plain rules of many plans adjust, and by how much."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from rentbilling.adjustments import AmountsOnly
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.arrow.arrays import NEVER, Column, Mask, smallest
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, LAST_DAY, first_day, month_of
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.rounding import MOST
from rentbilling.portfolio.plans.plain_plans import PlainPlan, effect_of
from rentbilling.portfolio.plans.plan_columns import MOST_INCREMENTS
from rentbilling.portfolio.plans.plan_items import Followed, PlanItems
from rentbilling.terms import RentAdjustmentPlan
from rentbilling.values import month_index, month_start

KEY_BITS: Final = 31
"""Bits of any day or month, and of NEVER, below a number in one key."""


class PlanRows(NamedTuple):
    """The plans that may be followed, a row each."""

    item: Column
    """The row of the item."""
    shape: Column
    """The place of its rule among the plain ones."""
    created: Column
    """The month before which it adjusts nothing."""
    last: Column
    """Its last day."""
    listed_until: Column
    """The last day that it lists an adjustment for, up to which its rule makes none; 0 without."""
    quantum: Column
    """What its amounts are rounded to, in units of the finest decimal; 0 the minor unit, below 0
    what no column rounds to."""
    anchored: Column
    """1 where its rule is anchored, below 0 where its limits are none of columns; else 0."""
    limits: Column
    """Of an anchored rule the least and the most of a step, in millionths: two columns."""


class MonthTable(NamedTuple):
    """What rules do in their months, in the order of rules and months."""

    rule: Column
    month: Column
    times: Column
    """What an amount is multiplied by: a fraction."""
    below: Column
    """Its other half: 0 where that is not sure, below 0 where nothing is sure after the month."""
    to: Column
    """The last month of the point that counts from then on."""


class RuleMonths:
    """The months of the plain rules of many plans."""

    def __init__(
        self,
        plain: Sequence[PlainPlan | None],
        plans: PlanRows,
        items: PlanItems,
        followed: Followed,
    ) -> None:
        """Find in which months each plan adjusts by its plain rule."""
        rows, self._followed, self._asked = plans.item, followed, followed.asked
        # No period that is billed reaches beyond the cycle that begins in the last month.
        shift = np.minimum(items.due_day[rows], 0)
        last = _month(followed.last - shift) + items.months[rows]
        # A cycle of days may begin in the last days of a month.
        whole = (items.start_day[rows] == 1) & (items.days[rows] == 0)
        self._reach = np.maximum(last - whole, month_index(followed.asked.last))
        end = np.minimum(items.last[rows], plans.last)
        self._end = _month(end)
        self._last = np.minimum(self._reach, self._end)
        self._created, self._opening = plans.created, _month(items.opening_end[rows])
        self._listed = np.where(plans.listed_until > 0, _month(plans.listed_until), 0)
        self.right: Mask = np.ones(len(rows), dtype=np.bool_)
        """Which plans are followed so far."""
        self.rule: Column = np.zeros(len(rows), dtype=np.int64)
        """The rule of each plan, rules that adjust in other months being others."""
        self.effects: dict[tuple[int, int], Mapping[str, Any]] = {}
        """What the rules do in the asked days, by rule and month."""
        self._found: list[tuple[int, int, int, int, int]] = []
        self._rules = 0
        order = np.argsort(plans.shape, kind="stable")
        ends = np.cumsum(np.bincount(plans.shape, minlength=len(plain)))
        for each, own in zip(plain, np.split(order, ends[:-1]), strict=True):
            if each is None:
                self.right[own] = False
            elif each.rule is not None:
                self._add(each.plan, each.rule, own)
            else:
                # A rule of its own, which has no months.
                self.rule[own] = self._rules
                self._rules += 1
        self.table = MonthTable(*np.array([*self._found, _NO_MONTH_OF_A_RULE]).T)
        self.days = first_day(self.table.month - _FIRST_MONTH)
        """The first day of each month of the table."""

    def _add(self, plan: RentAdjustmentPlan, rule: AmountsOnly, own: Column) -> None:
        until = int(self._last[own].max())
        if not rule.names_its_year:
            self._opening[own] = np.maximum(self._opening[own], self._created[own])
        self._note_unused(rule, own)
        alike = not rule.counts_from_opening and not rule.is_anchored
        openings = [smallest(self._opening[own], NEVER)] if alike else np.unique(self._opening[own])
        found = cache(partial(self._factor, rule))
        for opening in openings:
            some = own if alike else own[self._opening[own] == opening]
            opened = month_start(int(opening))
            self.rule[some], end = self._rules, 0
            months = rule.months(opened, until)
            first = months[0] if rule.is_anchored and len(months) else 0
            for month in months:
                times, of, to = found(month, first)
                # What was counted before is not counted again.
                of = min(of, 0) if to <= end else of
                end = max(end, to)
                if of > 0 and self._asked.first <= month_start(month) <= self._asked.last:
                    effect = None
                    if not rule.is_anchored:
                        # The percentage applied of an anchored rule differs from lease to lease.
                        effect = effect_of(plan, opened, month, self._followed)
                    of = 0 if effect is None else of
                    self.effects[self._rules, month] = effect or {}
                self._found.append((self._rules, month, times if of > 0 else 0, of, to))
            self._rules += 1

    def _note_unused(self, rule: AmountsOnly, own: Column) -> None:
        """Leave plans that may have a notice of an increment for a month from the asked days on."""
        opening, end = self._opening[own], self._end[own]
        for stated, months in rule.stated(month_start(smallest(opening, NEVER))):
            if stated >= month_index(self._asked.first):
                used = [(opening < month) & (month <= end) for month in months]
                noticed = (self._reach[own] >= stated) & ~np.any([*used, opening < 0], axis=0)
                self.right[own[noticed]] = False

    def _factor(self, rule: AmountsOnly, month: int, first: int) -> tuple[int, int, int]:
        """Return what the table has of a month, from `times` on.

        The first adjustment of an anchored rule is in a month that decides about the others.
        """
        # Notices of days before the asked ones are not asked for.
        found = rule.factor(month, first, noticed=month >= month_index(self._asked.first))
        if found is None:
            # Where a value is missing, nothing waits that the rule need not make.
            waits = self._followed.policy.missing_index != DEFAULT.missing_index
            sure = not waits and rule.rests_for_years and rule.lacks(month)
            return 0, 0 if sure else -1, 0
        times, of, to = found
        return times, of if max(abs(times), of * 10**FINEST) < MOST else 0, to

    def reached(self, plan: Column, day: Column) -> Mask:
        """Return which days lie in a month that a bill of a plan's item may reach to."""
        found: Mask = _month(day) <= self._reach[plan]
        return found

    def between(self) -> tuple[Column, Column]:
        """Return the rows of the table that each plan needs: from the first one to before the last.

        A plan is not right whose rule made, or might have made, something of its own up to the last
        adjustment that it lists.
        """
        table = self.table
        keys = (table.rule << KEY_BITS) | table.month
        # Of those that are listed, the ones of asked days are looked at.
        before = month_index(self._asked.first - 1)
        since = np.maximum(self._opening, np.minimum(self._listed, before))
        opened, begin, end = (
            np.searchsorted(keys, (self.rule << KEY_BITS) | each, side="right")
            for each in (self._opening, since, self._last)
        )
        vain = np.append(0, np.cumsum(table.below < 0))
        begin = np.minimum(begin, np.maximum(end, opened))
        self.right &= vain[begin] == vain[opened]
        return begin, np.where(self.right, np.maximum(end, begin), begin)


def _month(days: Column) -> Column:
    """Return the numbers of the months of days, as `periods.month_index` counts them."""
    return month_of(np.clip(days, FIRST_DAY, LAST_DAY)) + _FIRST_MONTH


_FIRST_MONTH: Final = month_index(FIRST_DAY)
_NO_MONTH: Final = month_index(LAST_DAY) + 12 * MOST_INCREMENTS
_NO_MONTH_OF_A_RULE: Final = (1 << KEY_BITS, _FIRST_MONTH, 0, 0, 0)
"""After the months of all rules."""
