"""Calendar: the days of three hundred years as tables, in which arrays of days find their months.

Laws: a month is found from its number, never from the month before; the tables agree with
`values.periods`.
"""

from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rentbilling.schedule import MONTH_PARTS
from rentbilling.values import MONTHS_PER_YEAR, month_index, month_start

Days = NDArray[np.int64]
"""Whole numbers of 64 bits: here days, as `date.toordinal` counts them, or numbers of months."""

FIRST_DAY: Final = date(1900, 1, 1).toordinal()
LAST_DAY: Final = date(2199, 12, 31).toordinal()
"""Days outside of the tables are no days of the columns; an end beyond them is no end yet."""

_FIRST_MONTH: Final = month_index(FIRST_DAY)
_SPARE: Final = 48
_COUNT: Final = 300 * MONTHS_PER_YEAR + _SPARE
SHORTEST_MONTH: Final = 28
LONGEST_MONTH: Final = 31


def _tables() -> tuple[Days, NDArray[np.int32]]:
    """Return the first day of each month, and the month of each day, both from 1900 on."""
    starts = np.array([month_start(_FIRST_MONTH + at) for at in range(_COUNT + 1)], dtype=np.int64)
    months = np.repeat(np.arange(_COUNT, dtype=np.int32), np.diff(starts))
    starts.flags.writeable = months.flags.writeable = False
    return starts, months


_STARTS, _MONTHS = _tables()


def month_of(days: Days) -> Days:
    """Return the month that each day lies in, counted from January 1900.

    Examples:
        >>> month_of(np.array([date(1901, 2, 28).toordinal()]))
        array([13])
    """
    return _MONTHS[days - FIRST_DAY].astype(np.int64)


def first_day(months: Days, start_day: Days | None = None) -> Days:
    """Return a day of each month: the first, or a numbered one or else the last (A9).

    Examples:
        >>> found = first_day(np.array([13]), np.array([31]))
        >>> date.fromordinal(int(found[0]))
        datetime.date(1901, 2, 28)
    """
    starts = _STARTS[months]
    if start_day is None:
        return starts
    found: Days = np.minimum(starts + start_day, _STARTS[months + 1]) - 1
    return np.where(start_day == 1, starts, found)


def month_parts(first: Days, last: Days, start_day: Days) -> Days:
    """Return `shares.month_parts` of days: the months they are, in parts of a month (A20)."""
    opening, closing = _own_months(first, start_day), _own_months(last, start_day)
    start, after = first_day(opening, start_day), first_day(opening + 1, start_day)
    started, next_start = first_day(closing, start_day), first_day(closing + 1, start_day)
    part, following = MONTH_PARTS // (after - start), MONTH_PARTS // (next_start - started)
    across = (
        (after - first) * part
        + (closing - opening - 1) * MONTH_PARTS
        + (last + 1 - started) * following
    )
    return np.where(opening == closing, (last - first + 1) * part, across)


def _own_months(days: Days, start_day: Days) -> Days:
    """Return the month of a cycle that each day lies in, by the month it begins in."""
    months = month_of(days)
    return months - (days < first_day(months, start_day))
