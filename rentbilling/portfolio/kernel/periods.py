"""Periods: which regular periods of many items fall due in an asked period, and when.

Laws: as in `schedule`: period n is computed from the cycle's anchor, and a due date from its
period; an item that has a notice in the asked period is marked.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rentbilling.portfolio.arrow.arrays import NEVER, Column, Mask, largest
from rentbilling.portfolio.arrow.calendar import SHORTEST_MONTH, first_day, month_of
from rentbilling.portfolio.kernel.items import FlatItems
from rentbilling.values import MONTHS_PER_YEAR

_WEEK: Final = 7
_EVERY: Final = slice(None)
"""All rows."""


@dataclass(frozen=True, slots=True, eq=False)
class BillingEnds:
    """Where items stop (A17), as `schedule.ends` has it, and which of their days are billed."""

    end: Column
    """The last day paid for."""
    last_start: Column
    """The last day on which a billed period may start."""
    last_due: Column
    """The last day on which a bill may fall due."""
    opens: Mask
    """Whether the opening period is billed."""


@dataclass(frozen=True, slots=True, eq=False)
class Periods:
    """The regular periods that fall due in an asked period, a row each, item by item."""

    item: Column
    """Row of the item."""
    start: Column
    after: Column
    """The day after the last one."""
    due: Column


class Schedules:
    """The cycles of many items."""

    __slots__ = (
        *("_anchor", "_arrears", "_by_day", "_items", "_late"),
        *("_recurring", "_start_day", "_step", "ends"),
    )

    def __init__(self, items: FlatItems) -> None:
        """Find where each item's cycles begin and where it ends."""
        self._items = items
        self._start_day = None if (items.start_day == 1).all() else items.start_day
        days = items.days
        self._by_day = days > 0 if days.any() else None
        """Which cycles are days, where any are: their places are days, those of others months."""
        self._step = (
            items.months if self._by_day is None else np.where(days > 0, days, items.months)
        )
        shortest = (
            SHORTEST_MONTH if self._by_day is None else np.where(days > 0, days, SHORTEST_MONTH)
        )
        self._late = bool((items.due_day > shortest).any())
        """Whether a due date may lie past the end of its period (A10)."""
        self._arrears = items.arrears if items.arrears.any() else None
        ends = np.repeat(items.contract_end, np.diff(items.lease_offsets))
        last_start = end = np.minimum(ends, items.ended_on)
        last_due = items.cancelled_on - 1
        if self._arrears is not None:
            # Billed after it ends, a period is stopped by its start (A51).
            last_start = np.where(items.arrears, np.minimum(end, last_due), end)
            last_due = np.where(items.arrears, NEVER, last_due)
        opens = (items.opening_start <= last_start) & (items.opening_due <= last_due)
        self._recurring = None if not items.once.any() else ~items.once
        if self._recurring is not None:
            opens |= items.once
        self.ends = BillingEnds(end, last_start, last_due, opens)
        self._anchor = self._first_places()

    def _first_places(self) -> Column:
        """Return the place of the first cycle of each item (A8, A13, A151)."""
        items, days = self._items, self._items.opening_end
        months = month_of(days)
        # Cycles that fit into no year begin in their month of any.
        rest = MONTHS_PER_YEAR % items.months
        every = np.where(rest, MONTHS_PER_YEAR, items.months)
        if self._start_day is None:
            found = months + 1 + (items.start_month - 2 - months) % every
        else:
            found = months + (items.start_month - 1 - months) % every
            found += (first_day(found, self._start_day) <= days) * every
        if rest.any():
            # An opening of whole cycles from a possible start is followed by the next one.
            begun, after = month_of(items.opening_start), month_of(days + 1)
            whole = (begun + 1 - items.start_month) % every == 0
            whole &= (after - begun) % items.months == 0
            whole &= first_day(begun, self._start_day) == items.opening_start
            whole &= first_day(after, self._start_day) == days + 1
            found = np.where(whole, after, found)
        if self._by_day is None:
            return found
        # The first of all days was a Monday.
        wait = np.where(items.start_month <= _WEEK, (items.start_month - 1 - days) % _WEEK, 0)
        return np.where(self._by_day, days + 1 + wait, found)

    def _starts(self, places: Column, rows: Any = _EVERY) -> Column:  # noqa: ANN401 - an index
        """Return the first days of periods of some items by their places."""
        day = None if self._start_day is None else self._start_day[rows]
        if self._by_day is None:
            return first_day(places, day)
        by_day = self._by_day[rows]
        return np.where(by_day, places, first_day(np.where(by_day, 0, places), day))

    def _dated(self, places: Column, rows: Any = _EVERY) -> tuple[Column, Column, Column]:  # noqa: ANN401
        """Return the first days of periods, the days after them, and their due dates (A10, A51)."""
        step, due_day = self._step[rows], self._items.due_day[rows]
        start, after = self._starts(places, rows), self._starts(places + step, rows)
        since, until = start, after
        if self._arrears is not None:
            late = self._arrears[rows]
            since = np.where(late, after, start)
            until = np.where(late, self._starts(places + 2 * step, rows), after)
        due = since + due_day - (due_day > 0)
        return start, after, np.minimum(due, until - 1) if self._late else due

    def periods(self, first: int, last: int, billed: Mask) -> Periods:
        """Return the periods that fall due between two days."""
        items, step = self._items, self._step
        if self._recurring is not None:
            billed = billed & self._recurring
        shift = items.due_day - (items.due_day > 0)
        # No period that starts before the first month or after the last one falls due here.
        # Where cycles start on the 1st, a month that has begun before is none of them.
        begun = int(self._start_day is None)
        low = month_of(first - begun - shift) + begun
        high = month_of(last - np.where(items.due_day > SHORTEST_MONTH, 0, shift))
        if self._by_day is not None:
            shift = np.minimum(shift, items.days - 1)
            low = np.where(self._by_day, first - shift, low)
            high = np.where(self._by_day, last - shift, high)
        if self._arrears is not None:
            low, high = low - self._arrears * step, high - self._arrears * step
        low += (self._anchor - low) % step
        low = np.maximum(low, self._anchor)
        counts = np.where(billed & (low <= high), (high - low) // step + 1, 0)
        if largest(counts) <= 1:
            rows = np.flatnonzero(counts)
            there = low[rows]
        else:
            rows = np.repeat(np.arange(len(counts)), counts)
            before = np.cumsum(counts) - counts
            there = low[rows] + (np.arange(len(rows)) - before[rows]) * step[rows]
        start, after, due = self._dated(there, rows)
        ends = self.ends
        kept = (start <= ends.last_start[rows]) & (due <= np.minimum(last, ends.last_due[rows]))
        kept &= due >= first
        if kept.all():
            return Periods(rows, start, after, due)
        return Periods(rows[kept], start[kept], after[kept], due[kept])

    def noticed(self, first: int, last: int) -> Mask:
        """Return which items would bring a notice in an asked period (A12, A13, A17).

        An item with a cancellation in the period counts, also where no notice comes of it, and one
        that ends before it begins.
        """
        items, ends = self._items, self.ends
        opening, due = items.opening_start, items.opening_due

        def shown(low: Column, high: Column) -> Mask:
            return (np.minimum(low, high) <= last) & (np.maximum(low, high) >= first)

        found = (items.started_on < due) & (items.started_on <= last) & (due >= first)
        # Of every period, because a summary counts them (A158).
        found |= ends.end < opening
        past = ends.opens & (items.opening_end > ends.end)
        if past.any():
            found |= past & shown(opening, due)
        # A due date that lies far beyond 31 days moves neither of the two below earlier.
        start, _, first_due = self._dated(self._anchor)
        until = np.minimum(np.minimum(start, items.cancelled_on), ends.end + 1) - 1
        gap = ends.opens & (until > items.opening_end)
        if gap.any():
            days = np.minimum(due, items.opening_end + 1)
            found |= gap & shown(days, np.maximum(until, first_due))
        early = first_due < due
        if early.any():
            billed = (start <= ends.last_start) & (first_due <= ends.last_due)
            found |= early & billed & shown(first_due, due)
        cancelled = items.cancelled_on
        # In arrears no billed period starts after it, and no day before it is left out.
        stopped = (cancelled < NEVER) & ~items.arrears
        if stopped.any():
            near = np.abs(items.due_day) + 1
            plain = ends.opens & (opening < cancelled)
            low = np.where(plain, cancelled, np.minimum(cancelled, np.minimum(opening, due)))
            high = np.where(plain, cancelled, np.maximum(cancelled, np.maximum(opening, due)))
            found |= stopped & shown(low - near, high + near)
        return found if self._recurring is None else found & self._recurring
