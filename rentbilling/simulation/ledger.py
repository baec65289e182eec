"""The sums of a simulation, by month and by year.

Law: sums are exact; sums that could exceed 64 bits are refused.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np

from rentbilling.errors import UnsupportedCaseError
from rentbilling.simulation.bills import BillSums
from rentbilling.simulation.futures import PathAdjustment
from rentbilling.simulation.vector_rounding import MOST, Array, Mask, Whole, largest
from rentbilling.values import MONTHS_PER_YEAR, Period, YearMonth, month_index

Key = tuple[int, int, str, str]
"""Day, place of the plan, id of the item and of the plan."""


class Ledger:
    """The sums of all leases so far."""

    __slots__ = (
        "_adjusted",
        "_asked",
        "_count",
        "_flows",
        "_keeps",
        "_limited",
        "_most",
        "_others",
        "_period",
        "_rent",
        "_years",
    )

    def __init__(self, period: Period, count: int, *, keeps_adjustments: bool) -> None:
        self._period = period
        self._count = count
        self._keeps = keeps_adjustments
        self._most = 0
        self._adjusted: dict[Key, PathAdjustment] = {}
        first, last = month_index(period.first), month_index(period.last)
        self._years = range(first // MONTHS_PER_YEAR, last // MONTHS_PER_YEAR + 1)
        self._rent: Array = np.zeros((len(self._years), count), dtype=np.int64)
        self._limited: Mask = np.zeros((len(self._years), count), dtype=np.bool_)
        self._asked = range(first, last + 1)
        self._flows: Array = np.zeros((3, len(self._asked), count), dtype=np.int64)
        # Bills may fall due outside of the asked months, where those are chosen by their start.
        self._others: dict[int, Array] = {}

    def _row(self, month: int) -> Array:
        if month in self._asked:
            found: Array = self._flows[:, month - self._asked.start]
            return found
        row = self._others.get(month)
        if row is None:
            row = self._others[month] = np.zeros((3, self._count), dtype=np.int64)
        return row

    def enter_bill(self, due: int, sums: BillSums, only: Mask | int | None = None) -> None:
        """Add the sums of a bill.

        Raises:
            UnsupportedCaseError: The sums of all leases are too large.
        """
        row = self._row(month_index(due))
        for flow, units in zip(row, sums, strict=True):
            if not (isinstance(units, int) and units == 0):
                self._add(flow, units, only)

    def enter_rent(self, year: int, units: Whole, only: Mask | int | None = None) -> None:
        """Add the yearly rent of an item that is in force at the end of a year."""
        self._add(self._rent[self._years.index(year)], units, only)

    def _add(self, row: Array, units: Whole, only: Mask | int | None) -> None:
        """Add to a row of all paths; refuse sums that could become too large."""
        self._most += largest(units)
        if self._most > MOST:
            raise UnsupportedCaseError("amount_too_large", case="sums of more than 18 digits")
        if isinstance(only, int):
            row[only] += units
        else:
            row += units if only is None else np.where(only, units, 0)

    def enter_adjustment(
        self,
        key: Key,
        before: Whole,
        after: Whole,
        made: Mask | bool,  # noqa: FBT001 - as an array
        limited: Mask | bool,  # noqa: FBT001
        only: Mask | int | None = None,
    ) -> None:
        """Add an adjustment of the period."""
        places: Any = slice(None) if only is None else only
        year = self._years.index(date.fromordinal(key[0]).year)
        self._limited[year, places] |= _part(limited, only)
        if not self._keeps:
            return
        entry = self._adjusted.get(key)
        if entry is None:
            entry = self._adjusted[key] = self._nothing(key)
        for there, value in (
            (entry.before, before),
            (entry.after, after),
            (entry.made, made),
            (entry.limited, limited),
        ):
            there[places] = _part(value, only)

    def _nothing(self, key: Key) -> PathAdjustment:
        """Return an adjustment that is made on no path yet."""
        before, after = (np.zeros((self._count,), dtype=np.int64) for _ in range(2))
        made, limited = (np.zeros((self._count,), dtype=np.bool_) for _ in range(2))
        day, _, item_id, plan_id = key
        return PathAdjustment(date.fromordinal(day), item_id, plan_id, before, after, made, limited)

    # ---------------------------------------------------------------------------- reading

    @property
    def months(self) -> tuple[YearMonth, ...]:
        """The months of all rows, in order and without a gap."""
        return tuple(
            YearMonth(month // MONTHS_PER_YEAR, month % MONTHS_PER_YEAR + 1)
            for month in self._numbers()
        )

    @property
    def years(self) -> tuple[int, ...]:
        """The years of all months: those asked, and others in which bills fall due."""
        months = self._numbers()
        return tuple(range(months[0] // MONTHS_PER_YEAR, months[-1] // MONTHS_PER_YEAR + 1))

    @property
    def rent(self) -> Array:
        """Yearly rent in force, a row for each year; 0 in years of which no day is asked."""
        return np.pad(self._rent, self._other_years)

    @property
    def limited(self) -> Mask:
        """Where a limit was reached, a row for each year."""
        return np.pad(self._limited, self._other_years)

    @property
    def _other_years(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """How many years there are before and after those asked, and no more paths."""
        years, asked = self.years, self._years
        return (asked[0] - years[0], years[-1] - asked[-1]), (0, 0)

    def _numbers(self) -> range:
        known = (*self._others, self._asked.start, self._asked.stop - 1)
        return range(min(known), max(known) + 1)

    def flows(self) -> tuple[Array, Array, Array]:
        """Return net, VAT and cash rounding, a row for each month."""
        if not self._others:
            net, vat, cash = self._flows
            return net, vat, cash
        rows = [self._row(month) for month in self._numbers()]
        net, vat, cash = (np.stack([row[at] for row in rows]) for at in range(3))
        return net, vat, cash

    def adjustments(self) -> Iterator[PathAdjustment]:
        """Give the adjustments in order of days, then of plans."""
        for key in sorted(self._adjusted):
            yield self._adjusted[key]


def _part(value: Any, only: Mask | int | None) -> Any:  # noqa: ANN401 - numbers, masks or arrays
    """Return a value for some paths, where it has one for each."""
    if only is None or isinstance(only, int) or not isinstance(value, np.ndarray) or not value.ndim:
        return value
    return value[only]
