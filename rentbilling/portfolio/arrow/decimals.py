"""Decimals: numbers of Arrow as whole numbers of 64 bits, and back.

Law: a number has all its digits afterwards, or is marked as one with too many of them.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import Column, Mask, largest, smallest
from rentbilling.portfolio.arrow.column_types import NUMBER, SCALE

FINEST: Final = 4
"""Decimals of the finest number that the kernel takes."""

_FIRST_STEP: Final = 10**6
_SECOND_STEP: Final = 10 ** (SCALE - FINEST) // _FIRST_STEP
_HALF: Final = 32
_LOW: Final = 2**_HALF - 1
_LARGEST: Final = 2**19
"""High halves below it leave a quotient of the first step that has 64 bits."""


def units_of(array: Any) -> tuple[Column, Mask]:  # noqa: ANN401 - an Arrow array
    """Return numbers in units of the finest decimal, and which of them they are exactly.

    Examples:
        >>> from decimal import Decimal
        >>> units, right = units_of(pa.array([Decimal("8.50"), Decimal("0.00001")], NUMBER))
        >>> units.tolist(), right.tolist()
        ([85000, 0], [True, False])
    """
    if not len(array):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    words = np.frombuffer(array.buffers()[1], np.int64)
    words = words[2 * array.offset : 2 * (array.offset + len(array))]
    low, high = words[::2], words[1::2]
    if np.array_equal(high, low >> 63):
        units, right = _divided(low, _FIRST_STEP)
    else:
        # Long division of two digits in base 2**32, of which the first one has the sign.
        top = (high << _HALF) | ((low >> _HALF) & _LOW)
        first = top // _FIRST_STEP
        rest = ((top - first * _FIRST_STEP) << _HALF) | (low & _LOW)
        units, right = _divided(rest, _FIRST_STEP)
        units += first << _HALF
        right &= (high < _LARGEST) & (high >= -_LARGEST)
    units, exact = _divided(units, _SECOND_STEP)
    right &= exact
    if array.null_count:
        right &= array.is_valid().to_numpy(zero_copy_only=False)
    return units, right


def _divided(numbers: Column, step: int) -> tuple[Column, Mask]:
    """Return numbers divided by a step, rounded down, and where nothing was left."""
    found = numbers // step
    return found, found * step == numbers


def numbers_of(units: Column, decimals: int) -> Any:  # noqa: ANN401 - an Arrow array
    """Return whole numbers below 2**62 as Arrow's numbers.

    Examples:
        >>> numbers_of(np.array([85000, -5]), 4).to_pylist()
        [Decimal('8.500000000000000'), Decimal('-0.000500000000000')]
    """
    words, step = np.empty(2 * len(units), dtype=np.int64), 10 ** (SCALE - decimals)
    # The low halves go around the end of 64 bits.
    np.multiply(units, step, out=words[::2])
    most = (2**63 - 1) // step
    if -most <= smallest(units) and largest(units) <= most:
        np.right_shift(words[::2], 63, out=words[1::2])
    else:
        # Long multiplication of two digits in base 2**32, of which the first one has the sign.
        first, second = units >> _HALF, units & _LOW
        carried = (second.view(np.uint64) * np.uint64(step & _LOW)) >> np.uint64(_HALF)
        middle = first * (step & _LOW) + second * (step >> _HALF) + carried.view(np.int64)
        words[1::2] = first * (step >> _HALF) + (middle >> _HALF)
    return pa.Array.from_buffers(NUMBER, len(units), [None, pa.py_buffer(words)])
