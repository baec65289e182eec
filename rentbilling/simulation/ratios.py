"""Ratios: one exact fraction for each path, as arrays of whole numbers.

Laws: every figure is exact; one that is the same on all paths stays one `Fraction` in arrays of one
number each; a comparison gives a mask.
"""

from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final

import numpy as np

from rentbilling.simulation.vector_rounding import (
    MOST,
    Array,
    Mask,
    Whole,
    chosen,
    divide_rounded,
    largest,
    narrowed,
    plus,
    times,
)
from rentbilling.values.money import Rounding

_WIDE: Final = 2**52
"""Numbers beyond this are reduced before they are multiplied on."""


class Ratios:
    """Exact fractions: `over / (part × below)`, of which `part` is one number for all paths.

    Examples:
        >>> half = Ratios(np.array([1, 2]), 2)
        >>> [str(each) for each in (half * half + 1).fractions()]
        ['5/4', '2']
    """

    __slots__ = ("below", "over", "part")

    def __init__(self, over: Whole, part: int = 1, below: Whole = 1) -> None:
        """Keep the three; both divisors are above 0."""
        self.over = over
        self.part = part
        self.below = below

    @classmethod
    def of(cls, value: "Fraction | int | Ratios") -> "Ratios":
        """Return one fraction for all paths."""
        if isinstance(value, Ratios):
            return value
        over, below = value.as_integer_ratio()
        return cls(over, below)

    def fractions(self) -> list[Fraction]:
        """Return the fractions one by one."""
        over, below = np.broadcast_arrays(np.atleast_1d(self.over), np.atleast_1d(self.below))
        return [
            Fraction(int(each), self.part * int(of)) for each, of in zip(over, below, strict=True)
        ]

    def _tame(self) -> "Ratios":
        """Return the same, reduced where its numbers have grown large."""
        if largest(self.over) <= _WIDE and self.part * largest(self.below) <= _WIDE:
            return self
        if isinstance(self.over, int) and isinstance(self.below, int):
            return Ratios.of(Fraction(self.over, self.part * self.below))
        over, below = np.broadcast_arrays(np.asarray(self.over), np.asarray(self.below))
        common = np.gcd(over, below)
        over, below = over // common, below // common
        # What numpy says of the type differs from version to version.
        together: Any = np.gcd.reduce
        shared = gcd(int(together(over)), self.part)
        return Ratios(narrowed(over // shared), self.part // shared, narrowed(below))

    # ----------------------------------------------------------------------------- arithmetic

    def __mul__(self, other: "Ratios | Fraction | int") -> "Ratios":
        """Return the product."""
        left, right = self, Ratios.of(other)
        if largest(left.over) * largest(right.over) > MOST:
            left, right = left._tame(), right._tame()
        over, of = left.over, right.over
        part, by = left.part, right.part
        # What is the same for all paths is reduced at once.
        if isinstance(of, int):
            shared = gcd(of, part)
            of, part = of // shared, part // shared
        if isinstance(over, int):
            shared = gcd(over, by)
            over, by = over // shared, by // shared
        return Ratios(times(over, of), part * by, _product(left.below, right.below))

    __rmul__ = __mul__

    def __truediv__(self, other: "Ratios | Fraction | int") -> "Ratios":
        """Return the quotient; no divisor is 0."""
        right = Ratios.of(other)
        over, below = right.over, right.below
        if isinstance(over, int):
            sign = -1 if over < 0 else 1
            turned = Ratios(times(below, sign * right.part), abs(over))
        else:
            sign_of = np.where(over < 0, -1, 1)
            turned = Ratios(times(times(below, right.part), sign_of), 1, abs(over))
        return self * turned

    def __add__(self, other: "Ratios | Fraction | int") -> "Ratios":
        """Return the sum."""
        left, right = self, Ratios.of(other)
        common = lcm(left.part, right.part)
        over, of = times(left.over, common // left.part), times(right.over, common // right.part)
        if left.below is right.below or _same(left.below, right.below):
            return Ratios(plus(over, of), common, left.below)
        total = plus(times(over, right.below), times(of, left.below))
        return Ratios(total, common, _product(left.below, right.below))

    __radd__ = __add__

    def __neg__(self) -> "Ratios":
        """Return the same the other way."""
        return Ratios(-self.over, self.part, self.below)

    def __sub__(self, other: "Ratios | Fraction | int") -> "Ratios":
        """Return the difference."""
        return self + -Ratios.of(other)

    def __abs__(self) -> "Ratios":
        """Return the distance from zero."""
        size: Whole = abs(self.over) if isinstance(self.over, int) else np.abs(self.over)
        return Ratios(size, self.part, self.below)

    # ----------------------------------------------------------------------------- comparison

    def _against(self, other: "Ratios | Fraction | int") -> Array:
        found = self - Ratios.of(other)
        return np.asarray(found.over)

    def __lt__(self, other: "Ratios | Fraction | int") -> Mask:
        """Return where it is less."""
        return np.asarray(self._against(other) < 0, dtype=np.bool_)

    def __gt__(self, other: "Ratios | Fraction | int") -> Mask:
        """Return where it is more."""
        return np.asarray(self._against(other) > 0, dtype=np.bool_)

    def differs(self, other: "Ratios | Fraction | int") -> Mask:
        """Return where it is another number."""
        return np.asarray(self._against(other) != 0, dtype=np.bool_)

    # -------------------------------------------------------------------------------- choices

    def where(self, mask: Mask, other: "Ratios | Fraction | int") -> "Ratios":
        """Return these fractions where the mask holds, and the others elsewhere."""
        right = Ratios.of(other)
        if mask.ndim == 0:
            return self if mask else right
        common = lcm(self.part, right.part)
        over = chosen(
            mask, times(self.over, common // self.part), times(right.over, common // right.part)
        )
        if _same(self.below, right.below):
            return Ratios(over, common, self.below)
        return Ratios(over, common, chosen(mask, self.below, right.below))

    def only(self, places: Array) -> "Ratios":
        """Return the fractions of some paths."""
        over, below = self.over, self.below
        if not isinstance(over, int) and over.ndim:
            over = over[places]
        if not isinstance(below, int) and below.ndim:
            below = below[places]
        return Ratios(over, self.part, below)

    def beside(self, other: "Ratios", counts: tuple[int, int]) -> "Ratios":
        """Return these fractions of so many paths, followed by others."""
        common = lcm(self.part, other.part)
        over = _joined(
            times(self.over, common // self.part), times(other.over, common // other.part), counts
        )
        return Ratios(over, common, _joined(self.below, other.below, counts))

    # ------------------------------------------------------------------------------- rounding

    def rounded_to(self, steps: int, mode: Rounding) -> Whole:
        """Return the fractions times a whole number, rounded to whole numbers."""
        shared = gcd(steps, self.part)
        over = times(self.over, steps // shared)
        return divide_rounded(over, times(self.below, self.part // shared), mode)

    def rounded(self, step: Fraction, mode: Rounding) -> "Ratios":
        """Return the fractions rounded to whole steps."""
        scaled = self * (1 / step)
        return Ratios(scaled.rounded_to(1, mode)) * step


def _same(left: Whole, right: Whole) -> bool:
    """Return whether two divisors are known to be equal without looking at every one."""
    if left is right:
        return True
    return isinstance(left, int) and isinstance(right, int) and left == right


def _product(left: Whole, right: Whole) -> Whole:
    """Return the product of divisors, most of which are 1."""
    if isinstance(left, int) and left == 1:
        return right
    if isinstance(right, int) and right == 1:
        return left
    return times(left, right)


def _joined(left: Whole, right: Whole, counts: tuple[int, int]) -> Whole:
    """Return the numbers of so many paths, followed by those of others."""
    if isinstance(left, int) and isinstance(right, int) and left == right:
        return left
    wide = max(largest(left), largest(right)) > MOST
    kind = object if wide else np.int64
    return np.concatenate(
        [
            np.broadcast_to(np.asarray(each, dtype=kind), (count,))
            for each, count in zip((left, right), counts, strict=True)
        ]
    )


ZERO: Final = Ratios(0)
ONE: Final = Ratios(1)
