"""Lease forms: batches of leases in other types of Arrow, as the one form that is quick to read.

Laws: a value in its new type says what it said before; a lease with a value that the type cannot
say, such as a part of a day, is named, and nothing is cut or rounded for it.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import Column, Mask, list_lengths, there
from rentbilling.portfolio.arrow.column_types import ExtraColumns
from rentbilling.portfolio.arrow.lease_columns import Told, moments_of
from rentbilling.portfolio.arrow.schemas import (
    LEASE_SCHEMA,
    NUMBER,
    Shape,
    Word,
    functions,
    shape_of,
)
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.terms.lease_terms import LeaseTerms

_DAY_IN_MS: Final = 86_400_000
_DAYS: Final = 2**31
"""Days from 1970 on that a column holds."""
_WHOLE: Final = 2**63
"""The first number without a sign that has none with one."""


class LeaseForm(NamedTuple):
    """A batch of leases in the form of `LEASE_SCHEMA`."""

    batch: Any
    """A record batch of `LEASE_SCHEMA`."""
    lost: Mask
    """Which leases have a value that the form cannot say; it is null there."""


class _Formed(NamedTuple):
    """An array in its new type."""

    array: Any
    lost: Mask | None = None
    """Where a value is null that was not, or something inside it is; None for nowhere."""


class _NoFormError(Exception):
    """A column is of a type that does not become the wanted one."""


def lease_form(batch: Any) -> LeaseForm | None:  # noqa: ANN401 - a record batch
    """Return a batch of leases in the form of `LEASE_SCHEMA`.

    Args:
        batch: A record batch with columns of leases in any types that say the same, in any order,
            none of them or some of them missing; others are passed over.

    Returns:
        The same leases; None where a column is of a type that says something else.

    Examples:
        >>> ids = pa.array(["lease-1"]).dictionary_encode()
        >>> form = lease_form(pa.RecordBatch.from_arrays([ids], names=["lease_id"]))
        >>> form.batch.schema.equals(LEASE_SCHEMA), form.lost.tolist()
        (True, [False])
    """
    count, names = batch.num_rows, batch.schema.names
    lost = np.zeros(count, np.bool_)
    columns = []
    try:
        for name, shape in shape_of(LeaseTerms).parts:
            if name not in names:
                columns.append(pa.nulls(count, shape.arrow))
                continue
            made = _formed(batch.column(name), shape)
            columns.append(made.array)
            if made.lost is not None:
                lost |= made.lost
        return LeaseForm(pa.RecordBatch.from_arrays(columns, schema=LEASE_SCHEMA), lost)
    except (_NoFormError, pa.ArrowInvalid, UnicodeDecodeError):
        return None


def in_form(array: Any, shape: Shape) -> tuple[Any, bool]:  # noqa: ANN401 - an Arrow array
    """Return an array in the type of a shape, and whether a value was lost.

    Args:
        array: The array.
        shape: What it should be.

    Returns:
        The array, None where it is of a type that says something else; and whether a value is null
        in it that was not.
    """
    try:
        made = _formed(array, shape)
    except (_NoFormError, pa.ArrowInvalid, UnicodeDecodeError):
        return None, False
    return made.array, made.lost is not None and bool(made.lost.any())


def payloads_at(
    places: Column,
    leases: Any,  # noqa: ANN401 - a record batch
    form: LeaseForm | None,
    told: Told,
    extra_columns: ExtraColumns,
) -> Iterator[dict[str, Any]]:
    """Give what some leases of a batch are read from: its form, as far as it has one.

    Args:
        places: Those of the leases in the batch; rising, and all in a row where it has no form.
        leases: The batch.
        form: Its form.
        told: What records are told about it.
        extra_columns: What to do about columns that no lease has.

    Yields:
        A payload for each place.

    Raises:
        InvalidRecordError: The columns are not those of leases.
    """
    if form is None:
        # Not every type of Arrow can be taken from.
        some = leases.slice(int(places[0]), len(places))
        yield from payloads(some, told, extra_columns)
        return
    whole = form.batch.take(pa.array(places[~form.lost[places]]))
    found = iter(payloads(whole, told, extra_columns))
    for place in places.tolist():
        if form.lost[place]:
            yield from payloads(leases.slice(place, 1), told, extra_columns)
        else:
            yield next(found)


def _formed(array: Any, shape: Shape) -> _Formed:  # noqa: ANN401 - an Arrow array
    """Return an array in the type of a shape."""
    met, types = array.type, pa.types
    if met == shape.arrow:
        return _Formed(array)
    if types.is_null(met):
        return _Formed(pa.nulls(len(array), shape.arrow))
    if types.is_dictionary(met):
        made, places = _formed(array.dictionary, shape), array.indices
        lost = None
        if made.lost is not None:
            lost = made.lost[places.fill_null(0).to_numpy()] & there(places)
        return _Formed(made.array.take(places), lost)
    if shape.word == "list":
        return _list(array, shape)
    if shape.parts:
        return _struct(array, shape)
    for is_met, form in _FORMS[shape.word].items():
        if is_met(met):
            return form(array, shape.arrow)
    raise _NoFormError


def _struct(array: Any, shape: Shape) -> _Formed:  # noqa: ANN401 - an Arrow array
    """Return structs with all fields in their order; those that are absent are null."""
    if not pa.types.is_struct(array.type):
        raise _NoFormError
    given = dict(zip((each.name for each in array.type), array.flatten(), strict=True))
    lost, columns = None, []
    for name, part in shape.parts:
        if name not in given:
            columns.append(pa.nulls(len(array), part.arrow))
            continue
        made = _formed(given[name], part)
        columns.append(made.array)
        if made.lost is not None:
            lost = made.lost if lost is None else lost | made.lost
    mask = array.is_null() if array.null_count else None
    return _Formed(pa.StructArray.from_arrays(columns, fields=list(shape.arrow), mask=mask), lost)


_OTHER_LISTS: Final = (
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)


def _list(array: Any, shape: Shape) -> _Formed:  # noqa: ANN401 - an Arrow array
    """Return lists of any kind as plain ones."""
    ((_, item),) = shape.parts
    if pa.types.is_list(array.type):
        # A list that is null and holds something keeps it, so that it is seen.
        ends = array.offsets.to_numpy().astype(np.int64)
        inside = array.values.slice(int(ends[0]), int(ends[-1] - ends[0]))
        ends -= ends[0]
    elif any(is_some(array.type) for is_some in _OTHER_LISTS):
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(list_lengths(array))])
        inside = array.flatten()
    else:
        raise _NoFormError
    made = _formed(inside, item)
    mask = array.is_null() if array.null_count else None
    offsets = pa.array(ends.astype(np.int32))
    found = pa.ListArray.from_arrays(offsets, made.array, type=shape.arrow, mask=mask)
    lost = None
    if made.lost is not None:
        owner = np.repeat(np.arange(len(array)), np.diff(ends))
        lost = np.zeros(len(array), np.bool_)
        lost[owner[made.lost]] = True
    return _Formed(found, lost)


def _cast(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return values of a type that says no more than the wanted one."""
    return _Formed(array.cast(wanted))


def _number(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return decimals of another width or scale."""
    try:
        return _Formed(array.cast(wanted))
    except pa.ArrowInvalid:
        # Some of them have more digits than it holds.
        made = pa.array([_held(each) for each in array.to_pylist()], wanted)
    return _Formed(made, there(array) & ~there(made))


def _held(value: Decimal | None) -> Decimal | None:
    """Return a number that a column of numbers holds, or None."""
    try:
        pa.scalar(value, NUMBER)
    except pa.ArrowInvalid:
        return None
    return value


def _whole(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return whole numbers without a sign."""
    right = functions.less(array, pa.scalar(_WHOLE, pa.uint64()))
    made = functions.if_else(right, array, pa.scalar(None, pa.uint64())).cast(wanted)
    return _Formed(made, there(array) & ~there(made))


def _day(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return days that are counted in milliseconds."""
    given = there(array)
    counted = array.view(pa.int64()).fill_null(0).to_numpy()
    days = counted // _DAY_IN_MS
    right = (days * _DAY_IN_MS == counted) & (days >= -_DAYS) & (days < _DAYS)
    made = pa.array(np.where(right, days, 0).astype(np.int32), mask=~(given & right))
    return _Formed(made.view(wanted), given & ~right)


def _midnight(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return moments of no time zone as days, which are what bills have in data frames."""
    days = array.cast(wanted)
    same = functions.equal(days.cast(array.type), array).fill_null(pa.scalar(value=False))
    made = functions.if_else(same, days, pa.scalar(None, wanted))
    return _Formed(made, there(array) & ~there(made))


def _is_local(met: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether values of a type are moments of no time zone."""
    return pa.types.is_timestamp(met) and met.tz is None


def _view(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return texts whose bytes stand elsewhere; older versions of Arrow do not cast them."""
    encoded = array.dictionary_encode()
    return _Formed(pa.array(encoded.dictionary.to_pylist(), wanted).take(encoded.indices))


def _moment(array: Any, wanted: Any) -> _Formed:  # noqa: ANN401 - Arrow arrays and types
    """Return date-times as they are written."""
    encoded = array.dictionary_encode()
    found = moments_of(encoded.dictionary)
    # What no calendar has is a text already, which its reader refuses.
    texts = [each if isinstance(each, str) else each.isoformat() for each in found]
    return _Formed(pa.array(texts, wanted).take(encoded.indices))


def _is_moment(met: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether values of a type are certain moments."""
    return pa.types.is_timestamp(met) and met.tz is not None


_Forms = Mapping[Callable[[Any], bool], Callable[[Any, Any], _Formed]]

_TEXTS: Final[_Forms] = MappingProxyType(
    {pa.types.is_large_string: _cast, pa.types.is_string_view: _view}
)
_NUMBERS: Final[_Forms] = MappingProxyType(
    {pa.types.is_decimal: _number, pa.types.is_integer: _cast}
)
_FORMS: Final[Mapping[Word, _Forms]] = MappingProxyType(
    {
        "text": _TEXTS,
        "money": _NUMBERS,
        "number": _NUMBERS,
        "whole": MappingProxyType({pa.types.is_uint64: _whole, pa.types.is_integer: _cast}),
        "flag": MappingProxyType({}),
        "day": MappingProxyType({pa.types.is_date64: _day, _is_local: _midnight}),
        "moment": MappingProxyType({**_TEXTS, _is_moment: _moment}),
    }
)
