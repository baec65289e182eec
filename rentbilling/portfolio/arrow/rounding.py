"""Rounding: numbers of 64 bits divided and rounded half up, none of them too large.

Law: `halves_up` of an array is `money.divide_rounded` of each of its numbers; its caller has made
sure that they are small enough.
"""

from typing import Final

from rentbilling.portfolio.arrow.arrays import Column

MOST: Final = 2**62
"""What no number of the kernel exceeds."""


def halves_up(over: Column, below: int | Column) -> Column:
    """Return over / below as whole numbers, ties away from zero (A3).

    Examples:
        >>> import numpy as np
        >>> halves_up(np.array([15, -15, 14]), 10)
        array([ 2, -2,  1])
        >>> halves_up(np.array([13, -13]), 5)
        array([ 3, -3])
    """
    # A whole number below zero is brought just past the tie, so that it goes away from zero too;
    # an odd divisor has no ties.
    if isinstance(below, int):
        if below % 2:
            return (over + below // 2) // below
        return (over + (below // 2) - (over < 0)) // below
    half = below >> 1
    found: Column = (over + half - ((over < 0) & (half << 1 == below))) // below
    return found
