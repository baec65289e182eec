"""Exact arithmetic and rounding of whole numbers in arrays.

Laws: `divide_rounded` of an array is `money.divide_rounded` of each of its numbers; no figure
overflows: before arrays are multiplied or added, the largest possible result is computed, and where
64 bits are not enough the arrays go on with Python's own integers.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rentbilling.values import Rounding, check_rounding, divide_rounded as divided_alone

Array = NDArray[Any]
"""Whole numbers: 64 bits each, or Python's own where those are not enough."""
Whole = int | Array
"""One whole number for all paths, or one for each."""
Mask = NDArray[np.bool_]

MOST: Final = 2**62
"""Up to here twice a number fits in 64 bits with its sign."""


def largest(numbers: Whole) -> int:
    """Return the largest distance from zero.

    Examples:
        >>> largest(np.array([3, -7]))
        7
    """
    if isinstance(numbers, int):
        return abs(numbers)
    if numbers.size == 0:
        return 0
    return max(abs(int(numbers.max())), abs(int(numbers.min())))


def own_integers(numbers: Whole) -> Whole:
    """Return an array of Python's own integers; one number stays as it is."""
    return numbers if isinstance(numbers, int) else numbers.astype(object)


def times(left: Whole, right: Whole) -> Whole:
    """Return the product, exact at any size.

    Examples:
        >>> times(np.array([2**40, 3]), 2**40)
        array([1208925819614629174706176, 3298534883328], dtype=object)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    high, low = largest(left), largest(right)
    if max(high, low, high * low) > MOST:
        left, right = own_integers(left), own_integers(right)
    found: Array = np.multiply(left, right)
    return found


def plus(left: Whole, right: Whole) -> Whole:
    """Return the sum, exact at any size."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if largest(left) + largest(right) > MOST:
        left, right = own_integers(left), own_integers(right)
    found: Array = np.add(left, right)
    return found


def minus(left: Whole, right: Whole) -> Whole:
    """Return the difference, exact at any size."""
    # The least number of 64 bits has no opposite among them.
    return plus(left, -(right if largest(right) <= MOST else own_integers(right)))


def narrowed(numbers: Whole) -> Whole:
    """Return Python's own integers in 64 bits again where all of them fit.

    Examples:
        >>> narrowed(np.array([1, 2], dtype=object)).dtype
        dtype('int64')
    """
    if isinstance(numbers, int) or numbers.dtype != object or largest(numbers) > MOST:
        return numbers
    return numbers.astype(np.int64)


def chosen(mask: Mask, left: Whole, right: Whole) -> Array:
    """Return the one number where the mask holds and the other elsewhere."""
    if max(largest(left), largest(right)) > MOST:
        left, right = own_integers(left), own_integers(right)
        return np.where(mask, np.asarray(left, dtype=object), np.asarray(right, dtype=object))
    return np.where(mask, left, right)


def divide_rounded(numerator: Whole, denominator: Whole, mode: Rounding = "half_up") -> Whole:
    """Return numerator / denominator as whole numbers, each rounded once (assumption A3).

    Denominators are above 0; the quotients have 64 bits where they fit.

    Raises:
        UnknownWordError: The mode is not a known word.

    Examples:
        >>> divide_rounded(np.array([5, -5, 4]), 2)
        array([ 3, -3,  2])
        >>> divide_rounded(np.array([5, -5, 7]), 2, "half_even")
        array([ 2, -2,  4])
    """
    if isinstance(numerator, int) and isinstance(denominator, int):
        return divided_alone(numerator, denominator, mode)
    check_rounding(mode)
    if max(largest(numerator), largest(denominator)) > MOST:
        numerator, denominator = own_integers(numerator), own_integers(denominator)
    over = np.asarray(numerator)
    whole = _of_sizes(np.abs(over), denominator, mode)
    return narrowed(np.where(over < 0, -whole, whole))


def _of_sizes(size: Whole, below: Whole, mode: Rounding) -> Any:  # noqa: ANN401 - numbers or arrays
    """Return the rounded quotients of numbers that are not below zero."""
    if mode == "half_up":
        return (size + below // 2) // below
    if mode == "down":
        return size // below
    if mode == "up":
        return -(-size // below)
    whole = size // below
    tie = 2 * (size - whole * below) - below
    if mode == "half_down":
        return whole + (tie > 0)
    return whole + ((tie > 0) | ((tie == 0) & (whole % 2 == 1)))
