"""Lease columns: the values of Arrow columns as the readers of records take them.

Laws: a value is read as what it says; what cannot be one is handed on as it is, so that the record
refuses it with its path; equal values are made once for a batch.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidInputError
from rentbilling.portfolio.arrow.arrays import list_lengths
from rentbilling.portfolio.arrow.schemas import Word
from rentbilling.records.record import Record
from rentbilling.terms.index_clause import IndexClause
from rentbilling.terms.item_parts import BillingCycle, Discount, DueDateRule
from rentbilling.terms.rules import Increment, RentAdjustmentRule
from rentbilling.values.currencies import CURRENCIES
from rentbilling.values.money import Amount
from rentbilling.values.periods import LAST_DAY, Period
from rentbilling.values.vat import Vat

Column = list[Any] | None
"""The values of a column, None for those that are absent; None alone where all of them are."""

Told = Mapping[str, object]
"""What records are told about a payload, such as the private currencies."""

Reader = Callable[[Any, Told], Column]
"""Reads an Arrow array of the one type that it was made for."""

_EPOCH: Final = date(1970, 1, 1).toordinal()
_START_OF_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_IN_MS: Final = 86_400_000
_CENTS: Final = 2
_HALF: Final = 64
"""Bits of half a decimal number."""
_WIDTH: Final = 128
"""Bits of a decimal number as Arrow usually has it."""

_SHARED: Final = frozenset(
    {BillingCycle, DueDateRule, Discount, IndexClause, Increment, RentAdjustmentRule}
)
"""Records that many items have alike: made and judged once for a batch."""


def plain_reader(word: Word) -> Reader:
    """Return what reads a column of texts, numbers, flags or days.

    Args:
        word: What the column holds.

    Returns:
        The reader.
    """
    made = _MAKERS[word]

    def read(array: Any, told: Told) -> Column:  # noqa: ANN401 - an Arrow array
        del told
        if array.null_count == len(array):
            return None
        distinct, places = _distinct(array)
        return _spread(made(distinct), places)

    return read


def _distinct(array: Any) -> tuple[Any, Any]:  # noqa: ANN401 - Arrow arrays
    """Return the distinct values of an array, none of them null, and which each place has."""
    if pa.types.is_dictionary(array.type):
        if len(array.dictionary) <= len(array) and not array.dictionary.null_count:
            return array.dictionary, array.indices
        # A dictionary of the whole file, of which this part has few, or one that holds null.
        array = array.dictionary_decode()
    encoded = _widened(array).dictionary_encode()
    return encoded.dictionary, encoded.indices


def _widened(array: Any) -> Any:  # noqa: ANN401 - an Arrow array
    """Return decimals of 32 and 64 bits, of which Arrow can do little, as those of 128."""
    kind = array.type
    if pa.types.is_decimal(kind) and kind.bit_width < _WIDTH:
        return array.cast(pa.decimal128(38, kind.scale))
    return array


def _spread(values: list[Any], places: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return the value of each place."""
    if places.null_count:
        values = [*values, None]
        places = places.fill_null(len(values) - 1)
    return list(map(values.__getitem__, places.to_numpy(zero_copy_only=False).tolist()))


def _texts(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return texts; of those that are no Unicode, what a reader of texts refuses."""
    try:
        return list(array.to_pylist())
    except UnicodeDecodeError:
        # Older versions of Arrow do not cast views.
        views = pa.types.is_string_view(array.type)
        bare = array.view(pa.binary_view()) if views else array.cast(pa.large_binary())
        return [each.decode("utf-8", "surrogateescape") for each in bare.to_pylist()]


def _listed(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return flags or whole numbers."""
    return list(array.to_pylist())


def _numbers(array: Any, least: int = 0) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return numbers as decimals without the zeros that the column's scale adds.

    Args:
        array: Decimals or whole numbers.
        least: Decimals that are kept, also where they are zeros.
    """
    if not pa.types.is_decimal(array.type):
        return list(map(Decimal, array.to_pylist()))
    if array.type.bit_width > _WIDTH:
        return list(array.to_pylist())
    array, scale = _widened(array), array.type.scale
    shown = min(scale, least)
    step = 10 ** (scale - shown)
    made: list[Any] = []
    for units in _unscaled(array):
        short, rest = divmod(units, step)
        made.append(_trimmed(units, scale) if rest else Decimal(f"{short}E{-shown}"))
    return made


def _trimmed(units: int, scale: int) -> Decimal:
    """Return a number that has decimals, without closing zeros."""
    while not units % 10:
        units, scale = units // 10, scale - 1
    return Decimal(f"{units}E{-scale}")


def _money(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return amounts as one writes them, with two decimals at least."""
    return _numbers(array, _CENTS)


def _unscaled(array: Any) -> list[int]:  # noqa: ANN401 - an Arrow array
    """Return the whole numbers behind decimals of 128 bits: 850 for 8.50 in a column of scale 2."""
    words = np.frombuffer(array.buffers()[1], np.int64)[2 * array.offset :][: 2 * len(array)]
    lows, highs = words[::2].view(np.uint64).tolist(), words[1::2].tolist()
    return [(high << _HALF) | low for low, high in zip(lows, highs, strict=True)]


def _days(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return days; those beyond the calendar as texts, which a reader of days refuses."""
    if pa.types.is_date64(array.type):
        parts = (divmod(ms, _DAY_IN_MS) for ms in _whole_of(array))
        return [_day(each, exact=not rest) for each, rest in parts]
    return [_day(each) for each in _whole_of(array)]


def _day(days: int, *, exact: bool = True) -> date | str:
    """Return a day counted from 1970."""
    if exact and 0 < days + _EPOCH <= LAST_DAY:
        return date.fromordinal(days + _EPOCH)
    return f"{days} days after 1970-01-01" + ("" if exact else ", and a part of one")


def moments_of(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return date-times; those beyond the calendar as texts, which their reader refuses.

    Args:
        array: Texts, or timestamps with a time zone, none of them null.

    Returns:
        Date-times of timestamps, in UTC; texts as such.

    Examples:
        >>> str(*moments_of(pa.array([0], pa.timestamp("s", "UTC"))))
        '1970-01-01 00:00:00+00:00'
    """
    if not pa.types.is_timestamp(array.type):
        return _texts(array)
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    return [_moment(each * 10**6 // per_second) for each in _whole_of(array)]


def _moment(microseconds: int) -> datetime | str:
    """Return a date-time counted from 1970."""
    try:
        return _START_OF_TIME + timedelta(microseconds=microseconds)
    except OverflowError:
        return f"{microseconds} microseconds after 1970-01-01"


def _whole_of(array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return the whole numbers behind days or moments."""
    whole = pa.int32() if pa.types.is_date32(array.type) else pa.int64()
    return list(array.view(whole).to_pylist())


_MAKERS: Final[Mapping[str, Callable[[Any], list[Any]]]] = MappingProxyType(
    {
        "text": _texts,
        "money": _money,
        "number": _numbers,
        "whole": _listed,
        "flag": _listed,
        "day": _days,
        "moment": moments_of,
    }
)


def list_reader(item: Reader) -> Reader:
    """Return what reads a column of lists of any kind.

    Args:
        item: Reads what the lists hold.

    Returns:
        The reader; lists are tuples.
    """

    def read(array: Any, told: Told) -> Column:  # noqa: ANN401 - an Arrow array
        if array.null_count == len(array):
            return None
        inside = array.flatten()
        if not len(inside):
            # Empty lists and absent ones say the same.
            return None
        values = item(inside, told) or [None] * len(inside)
        ends = [0, *list_lengths(array).cumsum().tolist()]
        return _masked([tuple(values[start:end]) for start, end in pairwise(ends)], array)

    return read


def _masked(values: list[Any], array: Any) -> list[Any]:  # noqa: ANN401 - an Arrow array
    """Return values with None where the array is null."""
    if not array.null_count:
        return values
    valid = array.is_valid().to_pylist()
    return [each if there else None for each, there in zip(values, valid, strict=True)]


Rows = Iterable[tuple[Any, ...]]


def struct_reader(word: Word, parts: Mapping[str, Reader], record: type[Record] | None) -> Reader:
    """Return what reads a column of structs.

    Args:
        word: What they are.
        parts: What reads their fields, by name.
        record: The record, where they are one.

    Returns:
        The reader.
    """

    def read(array: Any, told: Told) -> Column:  # noqa: ANN401 - an Arrow array
        if array.null_count == len(array):
            return None
        columns = {name: part(array.field(name), told) for name, part in parts.items()}
        if record is not None:
            return _masked(records_of(record, columns, len(array), told), array)
        first, second = (columns.get(name) or [None] * len(array) for name in _PARTS[word])
        return _masked(_shared(_OF_PARTS[word], zip(first, second, strict=True)), array)

    return read


def records_of(
    record: type[Record], columns: Mapping[str, Column], count: int, told: Told
) -> list[Any]:
    """Return what a record is read from, for each row; a shared one as such where it is sound.

    Args:
        record: The record.
        columns: Its fields by name, each with a value for each row.
        count: How many rows there are.
        told: What the record is told about the payload.

    Returns:
        Payloads, or records.
    """
    there = {name: column for name, column in columns.items() if column is not None}
    names = tuple(there)
    if not names:
        return [{} for _ in range(count)]
    rows = zip(*there.values(), strict=True)

    def payload(*row: object) -> dict[str, Any]:
        return {name: value for name, value in zip(names, row, strict=True) if value is not None}

    if record not in _SHARED:
        return [payload(*row) for row in rows]

    def made(*row: object) -> object:
        given = payload(*row)
        try:
            return record.model_validate(given, context=told)
        except InvalidInputError:
            # Refused again, with its path, by the lease that has it.
            return given

    return _shared(made, rows)


def _shared(made: Callable[..., Any], rows: Rows) -> list[Any]:
    """Return what is made of each row, of equal rows once."""
    known: dict[tuple[Any, ...], Any] = {}
    found: list[Any] = []
    for row in rows:
        try:
            value = known.get(row)
        except TypeError:
            # It holds a payload that was refused.
            found.append(made(*row))
            continue
        if value is None:
            value = known[row] = made(*row)
        found.append(value)
    return found


def _amount(amount: Decimal | None, currency: str | None) -> object:
    """Return an amount, or the payload of one that is refused or of a private currency."""
    if amount is not None and currency is not None and currency in CURRENCIES:
        # Its digits are judged by the record that has it.
        return Amount.of(amount, currency)
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
        return Period.of(start.toordinal(), end.toordinal())
    return f"{start or ''}/{end or ''}"


_PARTS: Final = MappingProxyType(
    {
        "amount": ("amount", "currency"),
        "vat": ("tax_mode", "tax_rate"),
        "period": ("start", "end"),
    }
)
_OF_PARTS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {"amount": _amount, "vat": _vat, "period": _period}
)
