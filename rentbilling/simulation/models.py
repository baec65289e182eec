"""Simple models of an index, run on whole numbers from a seed.

Laws: a seed gives the same values on any machine: random bits come from PCG64, whose stream numpy
does not change, and the rest is arithmetic of whole numbers; values are computed with six decimals
more than are published, and rounded half up to be shown; none is below the last decimal.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Final, NamedTuple

import numpy as np

from rentbilling.errors import InvalidRecordError, shown
from rentbilling.indices import AnyPoint, IndexPoint, IndexSeries
from rentbilling.simulation.given_values import whole_of
from rentbilling.simulation.vector_rounding import Array, Whole, divide_rounded, plus, times
from rentbilling.values import (
    MONTHS_PER_YEAR,
    TOO_LARGE,
    Length,
    decimal_of,
    is_length,
    months_of,
    rounded,
)

_FINER: Final = 10**6
"""Factor for the six decimals that are computed beyond the published ones."""
_BILLION: Final = 10**9
"""Changes are counted in billionths."""
_SHOWN: Final = 9
_DRAWS: Final = 12
_HALF: Final = 2**31
_LOW: Final = 2**32 - 1
_FEWEST: Final = 2


class Run(NamedTuple):
    """The history that a model goes on from, and the points that it is to fill."""

    levels: tuple[int, ...]
    """Published levels in units of the last decimal, each `step` points after the one before."""
    numbers: tuple[int, ...]
    """Their numbers."""
    points: tuple[IndexPoint, ...]
    """The points to fill; the first follows the last level."""
    per_year: int
    """Points of a year: 1 where changes go from year to year."""


def count_of(value: object, name: str = "paths") -> int:
    """Return a number of paths, or of something else.

    Raises:
        InvalidRecordError: It is no whole number above 0.
    """
    count = whole_of(value)
    if count is None or count < 1:
        said, expected = "is no count", "a whole number of 1 or more"
        raise InvalidRecordError.of(name, "wrong_value", said, value, expected)
    return count


def run_of(series: IndexSeries, until: AnyPoint) -> Run:
    """Return what a model of a series goes on from.

    Raises:
        InvalidRecordError: The series has changes instead of levels, several units, or too few
            values.
    """
    if not isinstance(series, IndexSeries):
        raise TypeError(f"a model needs an IndexSeries, not {shown(series)}")
    points = series.points
    units = {point.unit for point in points}
    if series.kind != "level" or len(units) != 1:
        said, expected = "is nothing to model", "levels of months, of quarters or of years"
        raise InvalidRecordError.of("series", "not_levels", said, series, expected)
    last, per_year = points[-1], points[-1].per_year
    step = 1 if not series.holes else per_year
    numbers = [point.number for point in points if (last.number - point.number) % step == 0]
    used = numbers[-1:]
    for number in reversed(numbers[:-1]):
        if used[0] - number != step:
            break
        used.insert(0, number)
    if len(used) <= _FEWEST:
        said, expected = "is too short", "at least three values that follow each other"
        raise InvalidRecordError.of("series", "too_short", said, series, expected)
    levels = [
        int(series.values[IndexPoint(last.unit, number)].scaleb(series.decimals)) for number in used
    ]
    end = (IndexPoint.parse(until).last_month + 1) * per_year // MONTHS_PER_YEAR
    filled = tuple(IndexPoint(last.unit, number) for number in range(last.number + step, end, step))
    return Run(tuple(levels), tuple(used), filled, per_year if step == 1 else 1)


class _Bits:
    """Random bits of a seed."""

    def __init__(self, seed: object) -> None:
        begun = whole_of(seed)
        if begun is None or begun < 0:
            said, expected = "is no seed", "a whole number of 0 or more"
            raise InvalidRecordError.of("seed", "wrong_value", said, seed, expected)
        self._source = np.random.PCG64(begun)

    def below(self, most: int, count: int) -> Array:
        """Return so many whole numbers from 0 up to a small bound, equally often but for 2⁻³²."""
        high = (self._source.random_raw(count) >> np.uint64(32)).astype(np.int64)
        return (high * most) >> 32

    def normal(self, count: int) -> Array:
        """Return so many nearly normal numbers in units of 2⁻³²: sums of twelve draws less six."""
        raw = self._source.random_raw(count * _DRAWS // 2).reshape(_DRAWS // 2, count)
        high = (raw >> np.uint64(32)).astype(np.int64)
        low = (raw & np.uint64(_LOW)).astype(np.int64)
        total: Array = (high + low).sum(axis=0) - (_DRAWS * _HALF - _DRAWS // 2)
        return total


def bootstrapped(run: Run, paths: int, seed: int, block_months: int | Length) -> Array:
    """Return simulated values, a row for each point; see `IndexPaths.bootstrap`."""
    bits = _Bits(seed)
    months = months_of(block_months) if is_length(block_months) else block_months
    length = max(1, count_of(months, "block_months") * run.per_year // MONTHS_PER_YEAR)
    new, old = np.asarray(run.levels[1:]), np.asarray(run.levels[:-1])
    rows: list[Whole] = []
    exact: Whole = np.full((paths,), run.levels[-1] * _FINER, dtype=np.int64)
    at = np.zeros((paths,), dtype=np.int64)
    step = 1 if run.per_year > 1 else 0
    for done in range(len(run.points)):
        if done % length == 0:
            starts = _starts(run, len(run.levels) + done if step else None, length)
            at = starts[bits.below(len(starts), paths)]
        else:
            at = (at + 1) % len(new)
        exact = divide_rounded(times(exact, new[at]), old[at])
        rows.append(_published(exact))
    return _rows(rows, paths)


def _starts(run: Run, place: int | None, length: int) -> Array:
    """Return the changes that a block may begin with: those of the same part of the year."""
    count = len(run.levels) - 1
    possible = np.arange(count, dtype=np.int64)
    if place is not None:
        # Level `place` follows; change k leads to level k + 1.
        fitting = possible[(possible + 1 - place) % run.per_year == 0]
        whole = fitting[fitting + length <= count]
        fitting = whole if len(whole) else fitting
        return fitting if len(fitting) else possible
    whole = possible[possible + length <= count]
    return whole if len(whole) else possible


class Autoregression(NamedTuple):
    """The parameters of an autoregression, in billionths."""

    mean: int
    persistence: int
    spread: int

    def shown(self) -> dict[str, Decimal]:
        """Return the parameters as fractions, by name."""
        return {name: decimal_of(value, _SHOWN) for name, value in self._asdict().items()}


def autoregression(
    run: Run, mean: Decimal | None, persistence: Decimal | None, spread: Decimal | None
) -> Autoregression:
    """Return the parameters, those that are absent estimated from the history.

    Raises:
        InvalidRecordError: One is out of range.
    """
    changes = [Fraction(new, old) - 1 for old, new in pairwise(run.levels)]
    middle = _stated("mean", mean, -1, 1)
    if middle is None:
        middle = sum(changes, Fraction(0)) / len(changes)
    off = [each - middle for each in changes]
    pull = _stated("persistence", persistence, -1, 1)
    if pull is None:
        pull = _slope(off)
    noise = _stated("spread", spread, 0, 1)
    if noise is None:
        rest = [new - pull * old for old, new in pairwise(off)]
        square = sum((each * each for each in rest), Fraction(0)) / max(1, len(rest))
        noise = Fraction(isqrt(int(square * _BILLION**2)), _BILLION)
    return Autoregression(*(_in_billionths(each) for each in (middle, pull, noise)))


def _slope(off: Sequence[Fraction]) -> Fraction:
    """Return how much of what is off the mean stays for the next change: between −1 and 1."""
    below = sum((each * each for each in off[:-1]), Fraction(0))
    if not below:
        return Fraction(0)
    over = sum((a * b for a, b in pairwise(off)), Fraction(0))
    return max(Fraction(-1), min(Fraction(1), over / below))


def _stated(name: str, value: object, least: int, most: int) -> Fraction | None:
    if value is None:
        return None
    if (
        not isinstance(value, (Decimal, int))
        or isinstance(value, bool)
        or Decimal(value).is_nan()
        or not least <= value <= most
    ):
        said, expected = "is out of range", f"a Decimal from {least} to {most}, such as 0.02"
        raise InvalidRecordError.of(name, "out_of_range", said, value, expected)
    return Fraction(value)


def _in_billionths(value: Fraction) -> int:
    """Return a fraction in billionths, rounded half up."""
    return int(rounded(value, _SHOWN).scaleb(_SHOWN))


def autoregressed(run: Run, known: Autoregression, paths: int, seed: int) -> Array:
    """Return simulated values, a row for each point; see `IndexPaths.ar1`."""
    bits = _Bits(seed)
    last = Fraction(run.levels[-1], run.levels[-2]) - 1
    off: Whole = np.full((paths,), _in_billionths(last) - known.mean, dtype=np.int64)
    exact: Whole = np.full((paths,), run.levels[-1] * _FINER, dtype=np.int64)
    rows: list[Whole] = []
    for _ in run.points:
        stays = divide_rounded(times(off, known.persistence), _BILLION)
        news = divide_rounded(times(bits.normal(paths), known.spread), 2**32)
        off = plus(stays, news)
        # Nothing loses more than nine tenths, or grows tenfold, in one step.
        change = np.clip(plus(off, known.mean), -_BILLION * 9 // 10, _BILLION * 9)
        exact = divide_rounded(times(exact, change + _BILLION), _BILLION)
        exact = np.maximum(exact, _FINER)
        rows.append(_published(exact))
    return _rows(rows, paths)


def _published(exact: Whole) -> Whole:
    """Return values with the decimals that are published."""
    return np.maximum(divide_rounded(exact, _FINER), 1)


def _rows(rows: Sequence[Whole], paths: int) -> Array:
    """Return the values of all points, a row for each.

    Raises:
        InvalidRecordError: They have grown beyond what a series can say.
    """
    if not rows:
        return np.zeros((0, paths), dtype=np.int64)
    found: Array = np.stack([np.asarray(row) for row in rows])
    if found.dtype == object or int(found.max()) >= TOO_LARGE:
        said, expected = "leads to values of more than 15 digits", "an earlier end"
        raise InvalidRecordError.of("until", "too_many_digits", said, "a model", expected)
    return found
