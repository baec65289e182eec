"""Lines: the prices of many items for whole periods and for the parts of split ones.

Laws: as in `lines`: a line is rounded once, from the exact product of quantity, unit price,
discount and share; the parts of a split sum to the rounded whole (A21).
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from rentbilling.portfolio.arrow.arrays import NEVER, Column, offsets_of
from rentbilling.portfolio.arrow.calendar import month_parts
from rentbilling.portfolio.arrow.rounding import halves_up
from rentbilling.portfolio.kernel.eligibility import Scales
from rentbilling.portfolio.kernel.items import FlatItems
from rentbilling.portfolio.kernel.periods import Periods, Schedules
from rentbilling.schedule import MONTH_PARTS

OPENING: Final = 0
REGULAR: Final = 1
PART: Final = 2
ONE_TIME: Final = 3
KINDS: Final = ("opening", "regular", "part", "one_time")
"""The kinds of lines by their numbers."""

_DAY_BITS: Final = 30
"""Bits of any day, and of NEVER."""


@dataclass(frozen=True, slots=True, eq=False)
class RawLines:
    """Lines that are not on bills yet, a row each."""

    item: Column
    """Row of the item."""
    due: Column
    start: Column
    end: Column
    base: Column
    """Minor units in the item's own tax mode: gross if Inclusive, else net."""
    unit: Column
    """Exact price of one unit after discount: in steps of the scales of amount and percentage."""
    kind: Column
    discounted: Column
    """1 where the discount is in force, 0 elsewhere."""
    taken: Column
    """Minor units that the discount took off (A61)."""
    share: Column
    """Parts of the regular period."""
    whole: Column
    """Parts that the whole regular period has; 1 for a line that is no part."""
    first: Column
    """First day of the regular period, 0 for a line that has none."""
    last: Column
    order: Column
    """Place among the lines of an item on one due date."""

    @classmethod
    def joined(cls, parts: "list[RawLines]") -> "RawLines":
        """Return the lines of all of some parts."""
        return cls(
            *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls))
        )


class Prices:
    """What the units of many items cost over time, and their lines."""

    __slots__ = (
        *("_amounts", "_begins", "_below", "_items", "_keys", "_offsets", "_scales"),
        "_starts",
    )

    def __init__(self, items: FlatItems, scales: Scales) -> None:
        """Put the later prices in one order of items and days."""
        self._items, self._scales = items, scales
        self._begins = items.discount_start if items.discount_start.any() else None
        """From when discounts are in force, where any begins later than its item."""
        self._below = scales.below_of(items.currency)
        offsets, starts, amounts = items.price_offsets, items.price_start, items.price_amount
        owner = np.repeat(np.arange(len(items.amount)), np.diff(offsets))
        before = np.empty_like(amounts)
        before[1:] = amounts[:-1]
        firsts = offsets[:-1][offsets[:-1] < offsets[1:]]
        before[firsts] = items.amount[owner[firsts]]
        # A price equal to the one before it is no change (A19).
        changes = amounts != before
        if not changes.all():
            owner, starts, amounts = owner[changes], starts[changes], amounts[changes]
            offsets = offsets_of(np.bincount(owner, minlength=len(items.amount)))
        self._offsets = offsets
        self._keys = (owner << _DAY_BITS) | starts
        # One more of each, so that the place after the last price can be looked at.
        self._starts = np.append(starts, NEVER)
        self._amounts = np.append(amounts, 0)

    def _price_on(self, item: Column, day: Column) -> tuple[Column, Column, Column, Column, Column]:
        """Return exact units after discount, 1 where it is in force, and the next day of change.

        And the place of the next price among all later prices, and exact units before discount.
        """
        items, whole = self._items, self._scales.whole
        at = np.searchsorted(self._keys, (item << _DAY_BITS) | day, side="right")
        later = at > self._offsets[item]
        price = np.where(later, self._amounts[at - 1], items.amount[item])
        following = np.where(at < self._offsets[item + 1], self._starts[at], NEVER)
        end = items.discount_end[item]
        held = day <= end
        begins = None if self._begins is None else self._begins[item]
        if begins is not None:
            held &= day >= begins
        left = price - held * items.discount_amount[item]
        unit = left * (whole - held * items.discount_percentage[item])
        following = np.where(held, np.minimum(following, end + 1), following)
        if begins is not None:
            following = np.where(day < begins, np.minimum(following, begins), following)
        return unit, held.astype(np.int64), following, at, price * whole

    def _units(self, item: Column, unit: Column) -> Column:
        """Return exact units as lines in minor units, rounded once (A21)."""
        return halves_up(unit * self._items.quantity[item], self._below_of(item))

    def _below_of(self, item: Column) -> int | Column:
        return self._below if isinstance(self._below, int) else self._below[item]

    def lines(self, periods: Periods, end: Column) -> list[RawLines]:
        """Return the lines of regular periods."""
        item, start = periods.item, periods.start
        unit, held, following, at, listed = self._price_on(item, start)
        last = periods.after - 1
        is_whole = (last < following) & (last <= end[item])
        whole = np.flatnonzero(is_whole)
        found = [self._whole(periods, whole, unit, held, listed)]
        if len(whole) < len(item):
            rest = np.flatnonzero(~is_whole)
            found.append(self._parts(periods, rest, np.minimum(last, end[item])[rest], at[rest]))
        return found

    def _whole(
        self, periods: Periods, rows: Column, unit: Column, held: Column, listed: Column
    ) -> RawLines:
        if len(rows) == len(unit):
            item, start, due, last = periods.item, periods.start, periods.due, periods.after - 1
        else:
            item, start, due = periods.item[rows], periods.start[rows], periods.due[rows]
            last, unit, held = periods.after[rows] - 1, unit[rows], held[rows]
            listed = listed[rows]
        ones = np.ones(len(rows), dtype=np.int64)
        base = self._units(item, unit)
        taken = np.zeros_like(base)
        off = np.flatnonzero(held)
        taken[off] = self._units(item[off], listed[off]) - base[off]
        return RawLines(
            *(item, due, start, last, base, unit, ones, held, taken, ones, ones),
            *(start, last, ones),
        )

    def opening_lines(self, schedule: Schedules, first: int, last: int) -> RawLines:
        """Return the opening and one-time lines that fall due between two days (A12, A24, A55)."""
        items = self._items
        due = items.opening_due
        rows = np.flatnonzero(schedule.ends.opens & (first <= due) & (due <= last))
        unit = items.opening_amount[rows] * self._scales.whole
        none, ones = np.zeros(len(rows), dtype=np.int64), np.ones(len(rows), dtype=np.int64)
        start, end = items.opening_start[rows], items.opening_end[rows]
        base, kind = self._units(rows, unit), np.where(items.once[rows], ONE_TIME, OPENING)
        return RawLines(
            *(rows, due[rows], start, end, base, unit, kind, none, none, ones, ones),
            *(none, none, none),
        )

    def _parts(self, periods: Periods, rows: Column, cut: Column, place: Column) -> RawLines:
        """Return the lines of periods that an end cuts or a change splits (A17, A19, A20, A21)."""
        of, start = _part_days(
            periods.start[rows], *self._days_of_change(periods, rows, cut, place)
        )
        row = rows[of]
        item, begins = periods.item[row], periods.start[row]
        end = np.append(start[1:] - 1, 0)
        final = np.append(of[1:] != of[:-1], True)
        end[final] = cut
        items = self._items
        unit, held, _, _, listed = self._price_on(item, start)
        weight = month_parts(start, end, items.start_day[item])
        whole = MONTH_PARTS * items.months[item]
        days = items.days[item]
        if days.any():
            # Twice as many, so that half of them is a whole number.
            weight = np.where(days > 0, 2 * (end - start + 1), weight)
            whole = np.where(days > 0, 2 * days, whole)
        exact = unit * items.quantity[item]
        reached = _running_totals(exact, self._below_of(item), weight, whole, of)
        base = reached.copy()
        inside = ~np.append(True, final[:-1])
        base[inside] -= reached[:-1][inside[1:]]
        first_rows = np.flatnonzero(~inside)
        order = np.arange(len(of)) - first_rows[of] + 1
        kind = np.full(len(of), PART)
        taken = np.zeros_like(base)
        off = np.flatnonzero(held)
        if len(off):
            # Rounded for each part by itself: those before the discount less those after it (A61).
            quantity, below = items.quantity[item[off]], self._below_of(item[off])
            before, left = (
                _running_totals(
                    each[off] * quantity, below, weight[off], whole[off], np.arange(len(off))
                )
                for each in (listed, unit)
            )
            taken[off] = before - left
        return RawLines(
            *(item, periods.due[row], start, end, base, unit, kind, held, taken, weight, whole),
            *(begins, periods.after[row] - 1, order),
        )

    def _days_of_change(
        self, periods: Periods, rows: Column, cut: Column, place: Column
    ) -> tuple[Column, Column]:
        """Return the days on which anything changes inside of periods, and of which they are."""
        item = periods.item[rows]
        # Later prices up to the last day paid for.
        stop = np.searchsorted(self._keys, (item << _DAY_BITS) | cut, side="right")
        counts = stop - place
        of = np.repeat(np.arange(len(rows)), counts)
        inner = np.arange(len(of)) - np.repeat(offsets_of(counts)[:-1], counts)
        prices = self._starts[place[of] + inner]
        found, days = [of], [prices]
        # A discount's first day, and the day after its last one.
        for each in (self._begins, self._items.discount_end + 1):
            if each is not None:
                there = np.flatnonzero((periods.start[rows] < each[item]) & (each[item] <= cut))
                found.append(there)
                days.append(each[item][there])
        return np.concatenate(found), np.concatenate(days)


def _running_totals(
    exact: Column, below: int | Column, weight: Column, whole: Column, of: Column
) -> Column:
    """Return the rounded totals of the parts so far, of each period by itself (A21).

    A part is exact × weight / (below × whole). The division by `below` comes first, with its rest
    kept apart, so that no product is larger than the line or the rest times the weight.
    """
    high = exact // below
    product = (exact - high * below) * weight
    carried = product // below
    high, low = _summed(high * weight + carried, of), _summed(product - carried * below, of)
    carried = low // below
    high, low = high + carried, low - carried * below
    total = high // whole
    rest = high - total * whole
    # The rest is below a half unless its whole number is; a half goes away from zero.
    tie = rest == whole // 2
    up: Column = (rest > whole // 2) | (tie & ((high >= 0) | (low > 0)))
    return total + up


def _part_days(starts: Column, of_changes: Column, changes: Column) -> tuple[Column, Column]:
    """Return the first day of each part, and the place of its period; each day once."""
    of = np.concatenate([np.arange(len(starts)), of_changes])
    keys = np.unique((of << _DAY_BITS) | np.concatenate([starts, changes]))
    return keys >> _DAY_BITS, keys & ((1 << _DAY_BITS) - 1)


def _summed(numbers: Column, of: Column) -> Column:
    """Return running totals within runs that are numbered from 0.

    Totals over all runs may go around the end of 64 bits; their differences are exact all the same.
    """
    totals = np.cumsum(numbers)
    firsts = np.searchsorted(of, np.arange(of[-1] + 1))
    return totals - (totals[firsts] - numbers[firsts])[of]
