"""Batches of leases in other types of Arrow, as other programs write them.

Law: every value is the one that it was.
"""

from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import list_lengths
from rentbilling.portfolio.arrow.column_types import functions

_DAY_IN_MS = 86_400_000
_WHOLE = (pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint64(), pa.int64())
_NUMBERS = (
    pa.decimal128(38, 20),
    pa.decimal128(18, 4),
    pa.decimal128(38, 2),
    pa.decimal256(60, 15),
    pa.decimal256(76, 30),
    pa.int64(),
    *([pa.decimal64(18, 4), pa.decimal32(9, 2)] if hasattr(pa, "decimal64") else []),
)


def retyped(batch: Any, random: Random) -> Any:  # noqa: ANN401 - record batches
    """Return a batch of leases with its columns in another order, and of other types."""
    names = [name for name in batch.schema.names if not _is_empty(batch.column(name), random)]
    random.shuffle(names)
    columns = [other_type(batch.column(name), random) for name in names]
    return pa.RecordBatch.from_arrays(columns, names=names)


def _is_empty(array: Any, random: Random) -> bool:  # noqa: ANN401 - an Arrow array
    return array.null_count == len(array) and random.random() < 0.5


def other_type(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return the same values as an array of some other type, or of the same."""
    types = pa.types
    if array.null_count == len(array) and random.random() < 0.5:
        return pa.nulls(len(array))
    for is_one, other in (
        (types.is_struct, _struct),
        (types.is_list, _list),
        (types.is_date32, _day),
        (types.is_string, _text),
        (types.is_decimal, _number),
        (types.is_integer, _number),
    ):
        if is_one(array.type):
            return other(array, random)
    return array


def _day(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    if random.random() < 0.5:
        return array
    whole = array.view(pa.int32()).cast(pa.int64())
    kind = random.choice((pa.date64(), pa.timestamp("ms")))
    return functions.multiply(whole, _DAY_IN_MS).view(kind)


def _struct(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return structs with their fields in another order, some that say nothing left out."""
    given = dict(zip((each.name for each in array.type), array.flatten(), strict=True))
    names = [name for name, each in given.items() if not _is_empty(each, random)] or [*given][:1]
    random.shuffle(names)
    columns = [other_type(given[name], random) for name in names]
    return pa.StructArray.from_arrays(columns, names=names, mask=array.is_null())


def _list(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    inside, sizes = other_type(array.flatten(), random), list_lengths(array)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    kind = random.randrange(4)
    if kind < 2:
        of, width = (pa.ListArray, pa.int32()) if kind else (pa.LargeListArray, pa.int64())
        # Older versions of Arrow take no mask for wide lists: a null place says the same.
        missing = np.append(~array.is_valid().to_numpy(zero_copy_only=False), False)
        return of.from_arrays(pa.array(ends, width, mask=missing), inside)
    of, width = (pa.ListViewArray, pa.int32()) if kind == 2 else (pa.LargeListViewArray, pa.int64())
    return of.from_arrays(
        pa.array(ends[:-1], width), pa.array(sizes, width), inside, mask=array.is_null()
    )


def _text(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    kind = random.randrange(5)
    if kind == 0:
        return array.cast(pa.large_string())
    if kind == 1:
        return pa.array(array.to_pylist(), pa.string_view())
    if kind == 2:
        return array.dictionary_encode()
    if kind == 3:
        encoded = array.dictionary_encode()
        views = pa.array(encoded.dictionary.to_pylist(), pa.string_view())
        return pa.DictionaryArray.from_arrays(encoded.indices, views)
    return array


def _number(array: Any, random: Random) -> Any:  # noqa: ANN401 - Arrow arrays
    kind = random.choice(_NUMBERS if pa.types.is_decimal(array.type) else _WHOLE)
    try:
        made = pa.array(array.to_pylist(), kind)
    except (pa.ArrowInvalid, OverflowError, TypeError):
        return array
    if made.to_pylist() != array.to_pylist():
        return array
    if random.random() < 0.2 and not pa.types.is_integer(kind):
        distinct = sorted({each for each in made.to_pylist() if each is not None})
        at = [None if each is None else distinct.index(each) for each in made.to_pylist()]
        return pa.DictionaryArray.from_arrays(pa.array(at, pa.int32()), pa.array(distinct, kind))
    return made
