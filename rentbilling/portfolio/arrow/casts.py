"""Casts: columns of any Arrow types that mean the same, in the one type that is read.

Law: a value is not cut or rounded to fit its new type. One that does not fit, such as a part of a
day, is null there and given apart.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import (
    Mask,
    absent_of,
    list_column,
    list_lengths,
    offsets_of,
    struct_column,
    there,
)
from rentbilling.portfolio.arrow.column_types import CENTS, NUMBER, PLAIN, Shape, Word, functions

Path = tuple[str, ...]
"""The names that lead to a column inside of others; the values of a list are its `item`."""

Apart = dict[Path, dict[int, Any]]
"""Values that do not fit the one type, by the path of their column and their place in it."""

_DAY_IN_MS: Final = 86_400_000
_DAYS: Final = 2**31
"""Days from 1970 on that a column can have."""
_WHOLE: Final = 2**63
"""The first number without a sign that has none with one."""
_EXACT: Final = 2**53
"""The first whole number that a binary one of 64 bits shares with others."""
_WIDTH: Final = 128
"""Bits of a decimal number as Arrow usually has it."""
_START_OF_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


class NoCastError(Exception):
    """A column is of a type that cannot become the wanted one."""


class Cast(NamedTuple):
    """An array in its new type."""

    array: Any
    lost: Mask | None = None
    """Where a value, or one inside of it, is given apart; None for nowhere."""


def cast(array: Any, shape: Shape, apart: Apart, path: Path = ()) -> Cast:  # noqa: ANN401 - an Arrow array
    """Return an array in the type of a shape; `apart` receives the values that do not fit.

    Raises:
        NoCastError: It is of another type.

    Examples:
        >>> apart: Apart = {}
        >>> days = pa.array([86_400_000, 86_400_001], pa.int64()).view(pa.date64())
        >>> cast(days, Shape("day", pa.date32()), apart, ("contract_end",)).array.to_pylist()
        [datetime.date(1970, 1, 2), None]
        >>> apart
        {('contract_end',): {1: '1 days after 1970-01-01, and a part of one'}}
    """
    kind = array.type
    if kind == shape.arrow:
        return Cast(array)
    if pa.types.is_null(kind):
        return Cast(pa.nulls(len(array), shape.arrow))
    if pa.types.is_dictionary(kind):
        return _decoded(array, shape, apart, path)
    if shape.word == "list":
        return _list(array, shape, apart, path)
    if shape.parts:
        return _struct(array, shape, apart, path)
    for is_kind, plain in CASTS[shape.word].items():
        if is_kind(kind):
            made, values = plain(array, shape)
            return Cast(made, _noted(values, len(array), apart, path))
    raise NoCastError


def _noted(values: Mapping[int, Any], count: int, apart: Apart, path: Path) -> Mask | None:
    """Note the values of a column that are given apart, and return where they are."""
    if not values:
        return None
    apart[path] = dict(values)
    lost = np.zeros(count, np.bool_)
    lost[[*values]] = True
    return lost


def _decoded(array: Any, shape: Shape, apart: Apart, path: Path) -> Cast:  # noqa: ANN401 - an Arrow array
    """Return the values of a dictionary, each in the new type once."""
    own: Apart = {}
    made, places = cast(array.dictionary, shape, own, path), array.indices
    if made.lost is None:
        return Cast(made.array.take(places))
    lost = made.lost[places.fill_null(0).to_numpy()] & there(places)
    # Of texts, numbers and days; structs and lists that are encoded so are no columns of leases.
    values, at = own.get(path, {}), np.flatnonzero(lost)
    of = places.take(pa.array(at)).to_pylist()
    apart[path] = {place: values.get(each) for place, each in zip(at.tolist(), of, strict=True)}
    return Cast(made.array.take(places), lost)


def _struct(array: Any, shape: Shape, apart: Apart, path: Path) -> Cast:  # noqa: ANN401 - an Arrow array
    """Return structs with all fields in their order; those that are absent are null."""
    if not pa.types.is_struct(array.type):
        raise NoCastError
    given = dict(zip((each.name for each in array.type), array.flatten(), strict=True))
    lost, columns = None, []
    for name, part in shape.parts:
        if name not in given:
            columns.append(pa.nulls(len(array), part.arrow))
            continue
        made = cast(given[name], part, apart, (*path, name))
        columns.append(made.array)
        if made.lost is not None:
            lost = made.lost if lost is None else lost | made.lost
    return Cast(struct_column(shape.arrow, columns, absent_of(array)), lost)


def is_some_list(kind: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether a type is that of lists of any kind."""
    return any(is_one(kind) for is_one in _LISTS)


_LISTS: Final = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)


def _list(array: Any, shape: Shape, apart: Apart, path: Path) -> Cast:  # noqa: ANN401 - an Arrow array
    """Return lists of any kind as plain ones."""
    if not is_some_list(array.type):
        raise NoCastError
    ((name, item),) = shape.parts
    lengths = list_lengths(array)
    made = cast(array.flatten(), item, apart, (*path, name))
    found = list_column(offsets_of(lengths), made.array, shape.arrow, absent_of(array))
    if made.lost is None:
        return Cast(found)
    lost = np.zeros(len(array), np.bool_)
    lost[np.repeat(np.arange(len(array)), lengths)[made.lost]] = True
    return Cast(found, lost)


_Values = Mapping[int, Any]
_Plain = tuple[Any, _Values]
"""An array in its new type, and the values that are given apart by their places."""

_NONE: Final[_Values] = MappingProxyType({})


def _same(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return values of a type all of whose values fit the wanted one."""
    return array.cast(shape.arrow), _NONE


def _number(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return decimals of another width or scale."""
    try:
        return array.cast(shape.arrow), _NONE
    except pa.ArrowInvalid:
        # Some of them have more digits than that type.
        values = array.to_pylist()
    made = pa.array([each if _fits(each) else None for each in values], shape.arrow)
    least = CENTS if shape.word == "money" else 0
    is_wide = array.type.bit_width > _WIDTH
    apart = {
        place: value if is_wide else _shortest(value, least)
        for place, value in enumerate(values)
        if not _fits(value)
    }
    return made, apart


def _fits(value: Decimal | None) -> bool:
    """Return whether a column of numbers can have a number."""
    try:
        pa.scalar(value, NUMBER)
    except pa.ArrowInvalid:
        return False
    return True


def _shortest(value: Decimal, least: int) -> Decimal:
    """Return a number without the zeros that its column adds, with so many decimals at least."""
    sign, digits, exponent = value.as_tuple()
    places = -int(exponent)
    while not digits[-1] and places > least:
        digits, places = digits[:-1], places - 1
    return Decimal((sign, digits, -places))


def _whole(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return whole numbers without a sign."""
    fits = functions.less(array, pa.scalar(_WHOLE, pa.uint64()))
    made = functions.if_else(fits, array, pa.scalar(None, pa.uint64())).cast(shape.arrow)
    return made, _apart(array, made, lambda given: given.to_pylist())


def _double(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return whole numbers that are written as binary ones, as frames do beside absent ones."""
    values = array.fill_null(0).to_numpy()
    right = there(array) & (values == np.floor(values)) & (np.abs(values) < _EXACT)
    made = pa.array(np.where(right, values, 0).astype(np.int64), shape.arrow, mask=~right)
    return made, _apart(
        array, made, lambda given: [f"{each} (binary)" for each in given.to_pylist()]
    )


def _day(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return days that are counted in milliseconds."""
    counted = array.view(pa.int64()).fill_null(0).to_numpy()
    days = counted // _DAY_IN_MS
    right = there(array) & (days * _DAY_IN_MS == counted) & (days >= -_DAYS) & (days < _DAYS)
    made = pa.array(np.where(right, days, 0).astype(np.int32), mask=~right).view(shape.arrow)
    return made, _apart(array, made, _part_days)


def _part_days(array: Any) -> list[str]:  # noqa: ANN401 - an Arrow array
    parts = (divmod(each, _DAY_IN_MS) for each in array.view(pa.int64()).to_pylist())
    return [days_text(days) + (", and a part of one" if rest else "") for days, rest in parts]


def days_text(days: int) -> str:
    """Return a day beyond the calendar, which its reader refuses."""
    return f"{days} days after 1970-01-01"


def _midnight(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return moments of no time zone as days, which are what data frames have."""
    days = array.cast(shape.arrow)
    same = functions.equal(days.cast(array.type), array).fill_null(pa.scalar(value=False))
    made = functions.if_else(same, days, pa.scalar(None, shape.arrow))
    return made, _apart(array, made, lambda given: given.cast(pa.string()).to_pylist())


def _apart(array: Any, made: Any, said: Callable[[Any], list[Any]]) -> _Values:  # noqa: ANN401 - Arrow arrays
    """Return the values of an array that are null in its new type."""
    at = np.flatnonzero(there(array) & ~there(made))
    if not len(at):
        return _NONE
    return dict(zip(at.tolist(), said(array.take(pa.array(at))), strict=True))


def _view(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    """Return texts whose bytes are elsewhere; older versions of Arrow do not cast them."""
    encoded = array.dictionary_encode()
    # As bytes, which are handed on also where they are no Unicode.
    plain = pa.array(encoded.dictionary.view(pa.binary_view()).to_pylist(), pa.binary())
    return plain.view(shape.arrow).take(encoded.indices), _NONE


def _moment(array: Any, shape: Shape) -> _Plain:  # noqa: ANN401 - an Arrow array
    encoded = array.dictionary_encode()
    unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    counted = encoded.dictionary.view(pa.int64()).to_pylist()
    texts = [_moment_text(each * 10**6 // unit) for each in counted]
    return pa.array(texts, shape.arrow).take(encoded.indices), _NONE


def _moment_text(microseconds: int) -> str:
    """Return a date-time counted from 1970; one beyond the calendar is refused by its reader."""
    try:
        return (_START_OF_TIME + timedelta(microseconds=microseconds)).isoformat()
    except OverflowError:
        return f"{microseconds} microseconds after 1970-01-01"


def _is_local(kind: Any) -> bool:  # noqa: ANN401 - an Arrow type
    return pa.types.is_timestamp(kind) and kind.tz is None


def _is_moment(kind: Any) -> bool:  # noqa: ANN401 - an Arrow type
    return pa.types.is_timestamp(kind) and kind.tz is not None


_Casts = Mapping[Callable[[Any], bool], Callable[[Any, Shape], _Plain]]

_TEXTS: Final[_Casts] = MappingProxyType(
    {pa.types.is_large_string: _same, pa.types.is_string_view: _view}
)
_NUMBERS: Final[_Casts] = MappingProxyType(
    {pa.types.is_decimal: _number, pa.types.is_integer: _same}
)
_DAYS_OF: Final[_Casts] = MappingProxyType({pa.types.is_date64: _day})

CASTS: Final[Mapping[Word, _Casts]] = MappingProxyType(
    {
        "text": _TEXTS,
        "money": _NUMBERS,
        "number": _NUMBERS,
        "whole": MappingProxyType(
            {
                pa.types.is_uint64: _whole,
                pa.types.is_integer: _same,
                # Each that is whole (A110).
                pa.types.is_float64: _double,
            }
        ),
        "flag": MappingProxyType({}),
        "day": MappingProxyType({**_DAYS_OF, _is_local: _midnight}),
        "moment": MappingProxyType({**_TEXTS, _is_moment: _moment}),
    }
)
"""The types that become the one type of a plain column; that type itself is not among them."""


def is_plain(word: Word, kind: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether values of a type can be those of a plain column.

    Examples:
        >>> is_plain("day", pa.timestamp("s")), is_plain("day", pa.timestamp("s", "UTC"))
        (True, False)
    """
    return kind == PLAIN[word] or any(is_kind(kind) for is_kind in CASTS[word])
