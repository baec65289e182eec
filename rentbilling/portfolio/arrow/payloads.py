"""Payloads: the values that records are read from, out of columns of the one type of each field.

Laws: a value that is no date or text is handed on as it is, so that the record refuses it with its
path; equal values are made once for a batch.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidInputError
from rentbilling.portfolio.arrow.arrays import list_lengths
from rentbilling.portfolio.arrow.casts import Apart, Path, cast, days_text
from rentbilling.portfolio.arrow.column_types import CENTS, SCALE, Shape, shape_of
from rentbilling.records import Record
from rentbilling.terms import (
    BillingCycle,
    Discount,
    DueDateRule,
    Increment,
    IndexClause,
    RentAdjustmentRule,
)
from rentbilling.values import CURRENCIES, LAST_DAY, Amount, Period, Vat

Values = list[Any] | None
"""The values of a column, None for those that are absent; None alone where all of them are."""

Context = Mapping[str, object]
"""What records know of a payload, such as the private currencies."""

_EPOCH: Final = date(1970, 1, 1).toordinal()
_HALF: Final = 64
"""Bits of half a decimal number."""

_SHARED: Final = frozenset(
    {BillingCycle, DueDateRule, Discount, IndexClause, Increment, RentAdjustmentRule}
)
"""Records that many items have alike: made and validated once for a batch."""


def texts_of(array: Any) -> list[str | None]:  # noqa: ANN401 - an Arrow array
    """Return the texts of a column of any type of texts.

    Examples:
        >>> texts_of(pa.array(["a", None], pa.large_string()))
        ['a', None]
    """
    if pa.types.is_string(array.type):
        return _texts(array)
    text = shape_of(str)
    return values_of(cast(array, text, {}).array, text, {}, {}) or [None] * len(array)


def values_of(
    array: Any,  # noqa: ANN401 - an Arrow array
    shape: Shape,
    context: Context,
    apart: Apart,
    path: Path = (),
) -> Values:
    """Return the values of a column in the type of its shape; lists are tuples."""
    own = apart.get(path)
    if own is None and array.null_count == len(array):
        return None
    if shape.word == "list":
        return _lists(array, shape.parts[0], context, apart, path)
    if shape.parts:
        columns = {
            name: values_of(array.field(name), part, context, apart, (*path, name))
            for name, part in shape.parts
        }
        return _masked(_structs(shape, columns, len(array), context), array)
    encoded = array.dictionary_encode()
    values = _spread(_PLAIN[shape.word](encoded.dictionary), encoded.indices)
    for place, value in (own or {}).items():
        values[place] = value
    return values


def _lists(
    array: Any,  # noqa: ANN401 - an Arrow array
    item: tuple[str, Shape],
    context: Context,
    apart: Apart,
    path: Path,
) -> Values:
    (name, shape), inside = item, array.flatten()
    if not len(inside):
        # Empty lists and absent ones say the same.
        return None
    values = values_of(inside, shape, context, apart, (*path, name)) or [None] * len(inside)
    ends = [0, *list_lengths(array).cumsum().tolist()]
    return _masked([tuple(values[start:end]) for start, end in pairwise(ends)], array)


def _structs(
    shape: Shape, columns: Mapping[str, Values], count: int, context: Context
) -> list[Any]:
    if shape.record is not None:
        return _records(shape.record, columns, count, context)
    first, second = (values or [None] * count for values in columns.values())
    made = _OF_PARTS[shape.word]
    if made is _amount:
        # Sooner made than found again.
        return list(map(made, first, second))
    return _shared(made, zip(first, second, strict=True))


def _masked(values: list[Any], array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    if not array.null_count:
        return values
    valid = array.is_valid().to_pylist()
    return [each if there else None for each, there in zip(values, valid, strict=True)]


def _spread(values: list[Any], places: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    if places.null_count:
        values = [*values, None]
        places = places.fill_null(len(values) - 1)
    return list(map(values.__getitem__, places.to_numpy(zero_copy_only=False).tolist()))


def _texts(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return texts; of those that are no Unicode, what a reader of texts refuses."""
    try:
        return list(array.to_pylist())
    except UnicodeDecodeError:
        bare = array.view(pa.binary()).to_pylist()
        return [each.decode("utf-8", "surrogateescape") for each in bare]


def _listed(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    return list(array.to_pylist())


def _numbers(array: Any, least: int = 0) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return numbers without the zeros that the column adds, with so many decimals at least."""
    step = 10 ** (SCALE - least)
    made: list[Any] = []
    for units in _unscaled(array):
        short, rest = divmod(units, step)
        made.append(_trimmed(units, SCALE) if rest else Decimal(f"{short}E{-least}"))
    return made


def _trimmed(units: int, scale: int) -> Decimal:
    """Return a number that has decimals, without closing zeros."""
    while not units % 10:
        units, scale = units // 10, scale - 1
    return Decimal(f"{units}E{-scale}")


def _money(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return amounts as one writes them, with two decimals at least."""
    return _numbers(array, CENTS)


def _unscaled(array: Any) -> list[int]:  # noqa: ANN401 - an Arrow array
    """Return the whole numbers behind decimals: 8500000000000000 for 8.50, with 15 decimals."""
    words = np.frombuffer(array.buffers()[1], np.int64)[2 * array.offset :][: 2 * len(array)]
    lows, highs = words[::2].view(np.uint64).tolist(), words[1::2].tolist()
    return [(high << _HALF) | low for low, high in zip(lows, highs, strict=True)]


def _days(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return days; those beyond the calendar as texts, which a reader of days refuses."""
    return [_day(each) for each in array.view(pa.int32()).to_pylist()]


def _day(days: int) -> date | str:
    if 0 < days + _EPOCH <= LAST_DAY:
        return date.fromordinal(days + _EPOCH)
    return days_text(days)


_PLAIN: Final[Mapping[str, Callable[[Any], list[Any]]]] = MappingProxyType(
    {
        "text": _texts,
        "money": _money,
        "number": _numbers,
        "whole": _listed,
        "flag": _listed,
        "day": _days,
        "moment": _texts,
    }
)


def _records(
    record: type[Record], columns: Mapping[str, Values], count: int, context: Context
) -> list[Any]:
    """Return what a record is read from, for each row: a payload, or a valid record if shared."""
    given_columns = {name: values for name, values in columns.items() if values is not None}
    names = tuple(given_columns)
    if not names:
        return [{} for _ in range(count)]
    rows = zip(*given_columns.values(), strict=True)

    def payload(*row: object) -> dict[str, Any]:
        return {name: value for name, value in zip(names, row, strict=True) if value is not None}

    if record not in _SHARED:
        return [payload(*row) for row in rows]

    def made(*row: object) -> object:
        given = payload(*row)
        try:
            return record.model_validate(given, context=context)
        except InvalidInputError:
            # Refused again, with its path, by the lease that has it.
            return given

    return _shared(made, rows)


def _shared(made: Callable[..., Any], rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Return what is made of each row, of equal rows once."""
    known: dict[tuple[Any, ...], Any] = {}
    found: list[Any] = []
    for row in rows:
        try:
            value = known.get(row)
        except TypeError:
            # A payload inside of it was refused.
            found.append(made(*row))
            continue
        if value is None:
            value = known[row] = made(*row)
        found.append(value)
    return found


def _amount(amount: Decimal | None, currency: str | None) -> object:
    """Return an amount, or the payload of one that is refused or of a private currency."""
    if amount is not None and currency is not None and currency in CURRENCIES:
        # Its digits are checked by the record that has it.
        return Amount.unchecked(amount, currency)
    return {"amount": amount, "currency": currency}


def _vat(tax_mode: str | None, tax_rate: Decimal | None) -> object:
    """Return a VAT, or the payload of one that is refused."""
    if tax_mode is not None:
        try:
            return Vat(tax_mode, tax_rate)
        except InvalidInputError:
            pass
    return {"tax_mode": tax_mode, "tax_rate": tax_rate}


def _period(start: date | str | None, end: date | str | None) -> object:
    """Return a period, or the text of one that is refused."""
    if isinstance(start, date) and isinstance(end, date) and start <= end:
        return Period.unchecked(start.toordinal(), end.toordinal())
    return f"{start or ''}/{end or ''}"


_OF_PARTS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {"amount": _amount, "vat": _vat, "period": _period}
)
