"""Unit prices: the price of one unit that is printed with each line, chosen to add up (A21).

Law: a price is the one that `allocation.unit_price` gives. Where the plain price already gives the
line, or one with a few more decimals, it is computed in arrays; elsewhere by that function, once
for all equal lines.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import Column, Mask, largest
from rentbilling.portfolio.arrow.column_types import NUMBER, functions
from rentbilling.portfolio.arrow.decimals import numbers_of
from rentbilling.portfolio.arrow.rounding import MOST, halves_up
from rentbilling.values import TOO_LARGE, unit_price

if TYPE_CHECKING:
    from decimal import Decimal


_MORE: Final = 4
"""Decimals beyond those of the currency that are tried in arrays."""


class Exact(NamedTuple):
    """Exact prices of one unit: over × times / (below × parts), each a column."""

    over: Column
    times: Column
    below: Column
    parts: Column


def unit_prices(
    lines: Column, quantity: Column, quantity_scale: int, exact: Exact, places: Column
) -> Any:  # noqa: ANN401 - an Arrow array
    """Return the unit prices to print with lines.

    Examples:
        100 m² at 8.50 for 17 of 31 days make 466.13; two of them at 8.50 make 17.00:

        >>> one = np.array([1, 1])
        >>> exact = Exact(np.array([850, 850]), np.array([17, 1]), 100 * one, np.array([31, 1]))
        >>> found = unit_prices(np.array([46613, 1700]), np.array([100, 2]), 0, exact, 2 * one)
        >>> [str(each.normalize()) for each in found.to_pylist()]
        ['4.6613', '8.5']
    """
    one = 10**quantity_scale
    most = largest(places)
    single = quantity == one
    units = lines
    left = np.flatnonzero(~single)
    if len(left):
        found, plain = _plain_prices(lines, quantity, one, exact, places, left)
        units = lines.copy()
        units[left] = found
        left = left[~plain]
    even = places == most
    if not even.all():
        units = units * 10 ** (most - places)
    shown = numbers_of(units, most)
    if len(left):
        mask = np.zeros(len(lines), dtype=np.bool_)
        mask[left] = True
        columns = (lines, quantity, *exact, places)
        own = np.stack([column[left] for column in columns])
        units, sure = _longer_prices(own, one, most)
        rest = numbers_of(units, most + _MORE)
        if not sure.all():
            few = _one_by_one(own[:, ~sure], one)
            rest = functions.replace_with_mask(rest, pa.array(~sure), few)
        shown = functions.replace_with_mask(shown, pa.array(mask), rest)
    return shown


def _plain_prices(
    lines: Column, quantity: Column, one: int, exact: Exact, places: Column, rows: Column
) -> tuple[Column, Mask]:
    """Return prices of some lines rounded to minor units, and which of them give their line."""
    over, times, below, parts = (column[rows] for column in exact)
    step = times * 10 ** places[rows]
    # Whole digits of what is divided by are far fewer than those of what is divided.
    fits = (np.abs(over) <= MOST // step) & (below <= MOST // parts)
    units = halves_up(np.where(fits, over, 0) * step, np.where(fits, below * parts, 1))
    product = halves_up(units * quantity[rows], one)
    return units, fits & (product == lines[rows]) & (np.abs(units) < TOO_LARGE)


def _longer_prices(columns: Column, one: int, most: int) -> tuple[Column, Mask]:
    """Return prices in units of the longest of them, and which of them are sure.

    With the fewest decimals with which any price gives the line; of those the nearest one.
    """
    line, quantity, over, times, below, parts, places = columns
    sign = np.where(line < 0, -1, 1)
    line, over = line * sign, over * sign
    units, sure = np.zeros_like(line), np.zeros(len(line), dtype=np.bool_)
    left = (line > 0) & (over > 0) & (below <= MOST // parts)
    for more in range(_MORE + 1):
        count, step = one * 10**more, times * 10 ** (places + more)
        left &= (over <= MOST // step) & (line <= MOST // (4 * count))
        price = halves_up(np.where(left, over, 0) * step, np.where(left, below * parts, 1))
        # Of half a unit less and of half a unit more, which is rounded up.
        low = -((1 - 2 * line * left) * count // (2 * quantity))
        high = ((2 * line * left + 1) * count - 1) // (2 * quantity)
        near, longest = np.clip(price, low, high), 10 ** (most + _MORE - more - places)
        found = left & (low <= high) & (near < TOO_LARGE) & (near <= MOST // longest)
        units[found] = (near * sign * longest)[found]
        sure |= found
        # A price that no column of 64 bits can hold is not sought further.
        left &= low > high
    return units, sure


def _one_by_one(columns: Column, one: int) -> Any:  # noqa: ANN401 - an Arrow array
    """Return the prices of lines, of equal ones once."""
    distinct, places = np.unique(columns, axis=1, return_inverse=True)
    prices: list[Decimal] = []
    for line, quantity, over, times, below, parts, digits in distinct.T.tolist():
        exact = over * times, below * parts
        prices.append(unit_price(line, (quantity, one), exact, digits, "half_up"))
    return pa.array(prices, NUMBER).take(pa.array(places.reshape(-1)))
