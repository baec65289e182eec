"""Index values from the caller, read as whole numbers of a series' last decimal.

Law: a value is taken as it is meant, or refused with its place.
"""

from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal
from operator import index
from typing import Any, Final

import numpy as np

from rentbilling.errors import InvalidAmountError, InvalidRecordError, MissingFactError, shown
from rentbilling.indices import AnyPoint, IndexPoint, IndexSeries
from rentbilling.simulation.vector_rounding import Array, narrowed
from rentbilling.values import MAX_DIGITS, TOO_LARGE, decimal_of, rounded

_SURE: Final = 10**9
_NEAR: Final = 10**6
_DIMENSIONS: Final = 2


def whole_of(value: object) -> int | None:
    """Return a whole number, also one of numpy; None where it is none.

    Examples:
        >>> whole_of(np.int64(4)), whole_of(True), whole_of("4")
        (4, None, None)
    """
    try:
        return None if isinstance(value, (bool, np.bool_)) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def at_of(what: str, at: object, count: int) -> int:
    """Return the place of something among so many, from 0.

    Raises:
        MissingFactError: There is nothing of it.
    """
    place = whole_of(at)
    if place is None or not 0 <= place < count:
        raise MissingFactError(f"unknown_{what}", **{what: at, "known": f"0 to {count - 1}"})
    return place


def table_of(values: Any, columns: int) -> Array:  # noqa: ANN401 - whatever numpy reads
    """Return the values of a caller as an array of rows that are as long as there are columns.

    Raises:
        InvalidRecordError: The shape is another one.
    """
    said = "have another shape"
    met: object = "rows of several lengths"
    with suppress(ValueError):
        given = np.asarray(values)
        if given.ndim == _DIMENSIONS and given.shape[1] == columns and len(given):
            return given
        said, met = "has another shape", given.shape
    raise InvalidRecordError.of("values", "wrong_shape", said, met, f"(paths, {columns})")


def points_of(series: IndexSeries, given: Iterable[AnyPoint]) -> list[IndexPoint]:
    """Return the points of the columns, each once, of a unit of the series, and after its values.

    Raises:
        InvalidRecordError: A point is of another unit, is there twice, has a value already, or lies
            before one that has.
    """
    if not isinstance(series, IndexSeries):
        raise TypeError(f"IndexPaths takes an IndexSeries, not {shown(series)}")
    found: list[IndexPoint] = []
    # Points are in order within a unit, so that the last one of each stays.
    last = {point.unit: point for point in series.points}
    units = last.keys()
    for at, each in enumerate(given):
        point = IndexPoint.parse(each)
        if units and point.unit not in units:
            said = "is no " + " or ".join(sorted(units))
            expected = "points of the series' own units"
            raise InvalidRecordError.of(f"points[{at}]", "other_unit", said, str(point), expected)
        if point in series.values or point in found:
            said, expected = "has a value already", "a point without one"
            raise InvalidRecordError.of(
                f"points[{at}]", "duplicate_point", said, str(point), expected
            )
        if units and point.number < last[point.unit].number:
            said, expected = "is not to come", f"a point after {last[point.unit]}"
            raise InvalidRecordError.of(f"points[{at}]", "out_of_range", said, str(point), expected)
        found.append(point)
    return found


def whole_numbers(given: Array, decimals: int) -> Array:
    """Return values in units of the last published decimal, too large ones as they are."""
    if given.dtype.kind == "i":
        return given.astype(np.int64)
    if given.dtype.kind == "f":
        return _of_binary(given, decimals)
    flat = [_whole_number(each, decimals) for each in given.ravel()]
    return np.asarray(narrowed(np.asarray(flat, dtype=object))).reshape(given.shape)


def _whole_number(value: object, decimals: int) -> int:
    """Return one value in units of the last published decimal, rounded half up."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    if not isinstance(value, Decimal) or not value.is_finite() or value.adjusted() > MAX_DIGITS:
        raise _no_number(value)
    return int(rounded(value, decimals).scaleb(decimals))


def _no_number(met: object) -> InvalidAmountError:
    """Return the refusal of what is no number that an index has."""
    expected = "whole units, or Decimal values such as 104.8"
    return InvalidAmountError.of("values", "not_a_number", "has no number", met, expected)


def _of_binary(given: Array, decimals: int) -> Array:
    """Return binary numbers in units: each as it prints, rounded half up.

    Where a number is far from a tie, its product with a power of ten has the nearest unit;
    the others, large ones, and those of another width are read digit by digit.
    """
    near = given.astype(np.float64)
    wrong = ~np.isfinite(near) | (abs(near) >= 10 * TOO_LARGE)
    if wrong.any():
        raise _no_number(given[wrong][0].item())
    scaled = near * 10**decimals
    low = np.floor(scaled)
    tie = 2 * (scaled - low) - 1
    sure = (abs(scaled) < _SURE) & (abs(tie) * _NEAR > 1) & (given.dtype == np.float64)
    found: Array = np.where(sure, low + (tie > 0), 0).astype(np.int64)
    unsure = list(zip(*np.nonzero(~sure), strict=True))
    if unsure:
        found = found.astype(object)
    for place in unsure:
        found[place] = _whole_number(Decimal(str(given[place])), decimals)
    return np.asarray(narrowed(found))


def refuse_values(series: IndexSeries, values: Array) -> None:
    """Refuse values that the series could not have."""
    unit = 10**series.decimals
    least, most = (1, TOO_LARGE - 1) if series.kind == "level" else (-unit, 10 * unit)
    outside = (values < least) | (values > most)
    if outside.any():
        path, point = (int(each[0]) for each in np.nonzero(outside))
        met = decimal_of(int(values[path, point]), series.decimals)
        expected = "a level above 0" if series.kind == "level" else "a change from -1 to 10"
        place = f"values[{path}][{point}]"
        raise InvalidAmountError.of(place, "out_of_range", "is out of range", met, expected)
