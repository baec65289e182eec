"""One exact fraction for each path, as arrays of whole numbers, and the answers of comparisons.

Laws: every figure is exact; ratios act like a `Fraction`, so that the rules of `adjustments` run on
them; a comparison answers path by path, and is a condition only where all paths answer alike.
"""

from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final

import numpy as np

from rentbilling.errors import RentBillingError
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
from rentbilling.values import Rounding

NOWHERE: Final[Mask] = np.zeros((), dtype=np.bool_)
_WIDE: Final = 2**52
"""Larger numbers are reduced before they are multiplied again."""


class DivergedError(RentBillingError):
    """Paths that part: on some of them a rule goes on in another way than on the others."""

    def __init__(self, paths: Mask) -> None:
        """Keep on which of them it goes the one way."""
        super().__init__("diverged")
        self.paths = paths


class PathMask:
    """On which paths something is true.

    Examples:
        >>> rents = Ratios(np.array([100, 120]))
        >>> bool(rents > 90), bool(rents > 130), (rents > 110).paths.tolist()
        (True, False, [False, True])
        >>> bool(rents > 110)
        Traceback (most recent call last):
        rentbilling.simulation.ratios.DivergedError: diverged
    """

    __slots__ = ("paths",)

    def __init__(self, paths: Mask) -> None:
        """Keep an answer for each path."""
        self.paths = paths

    def __bool__(self) -> bool:
        """Return whether it is true on all paths, or on none.

        Raises:
            DivergedError: It is true on some of them.
        """
        if self.paths.all():
            return True
        if self.paths.any():
            raise DivergedError(self.paths)
        return False

    def __or__(self, other: "PathMask | bool") -> "PathMask | bool":
        """Return where one of two things is true."""
        if isinstance(other, PathMask):
            return PathMask(self.paths | other.paths)
        return other or self

    __ror__ = __or__

    def choose(self, yes: "Ratios | Fraction", no: "Ratios | Fraction") -> "Ratios":
        """Return the one number where it is true, and the other elsewhere."""
        return Ratios.of(yes).where(self.paths, no)


Answer = PathMask | bool
"""An answer for each path, or one for all."""


def mask_of(answer: object) -> Mask:
    """Return an answer as an array, of no dimension where it is one for all paths."""
    return answer.paths if isinstance(answer, PathMask) else np.asarray(answer, dtype=np.bool_)


def _answer(found: Array) -> Answer:
    mask = np.asarray(found, dtype=np.bool_)
    return PathMask(mask) if mask.ndim else bool(mask)


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
        if isinstance(value, Ratios):
            return value
        over, below = value.as_integer_ratio()
        return cls(over, below)

    def fractions(self) -> list[Fraction]:
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

    def __rtruediv__(self, other: "Fraction | int") -> "Ratios":
        """Return the quotient of a single number."""
        return Ratios.of(other) / self

    def __add__(self, other: "Ratios | Fraction | int") -> "Ratios":
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
        return self + -Ratios.of(other)

    def __rsub__(self, other: "Fraction | int") -> "Ratios":
        """Return the difference from a single number."""
        return -self + other

    def __abs__(self) -> "Ratios":
        """Return the distance from zero."""
        size: Whole = abs(self.over) if isinstance(self.over, int) else np.abs(self.over)
        return Ratios(size, self.part, self.below)

    # ----------------------------------------------------------------------------- comparison

    def _against(self, other: "Ratios | Fraction | int") -> Array:
        """Return whole numbers with the sign of the difference."""
        if isinstance(other, int) and other == 0:
            return np.asarray(self.over)
        return np.asarray((self - other).over)

    def __lt__(self, other: "Ratios | Fraction | int") -> Answer:
        """Return where it is less."""
        return _answer(self._against(other) < 0)

    def __gt__(self, other: "Ratios | Fraction | int") -> Answer:
        """Return where it is more."""
        return _answer(self._against(other) > 0)

    def __ge__(self, other: "Ratios | Fraction | int") -> Answer:
        """Return where it is not less."""
        return _answer(self._against(other) >= 0)

    def __eq__(self, other: "Ratios | Fraction | int") -> Answer:  # type: ignore[override]
        """Return where it is the same number."""
        return _answer(self._against(other) == 0)

    def __ne__(self, other: "Ratios | Fraction | int") -> Answer:  # type: ignore[override]
        """Return where it is another number."""
        return _answer(self._against(other) != 0)

    __hash__ = None  # type: ignore[assignment]

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

    def joined_with(self, other: "Ratios", counts: tuple[int, int]) -> "Ratios":
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
        scaled = self * (1 / step)
        return Ratios(scaled.rounded_to(1, mode)) * step

    def within(
        self, least: Fraction | None, most: Fraction | None
    ) -> "tuple[Ratios, Answer | None]":
        """Return the fractions within limits, and where one was reached; None if nowhere (A35)."""
        value, reached = self, NOWHERE
        if most is not None:
            above = mask_of(value > most)
            value, reached = Ratios.of(most).where(above, value), above
        if least is not None:
            below = mask_of(value < least)
            value, reached = Ratios.of(least).where(below, value), reached | below
        return value, _answer(reached) if reached.any() else None


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
