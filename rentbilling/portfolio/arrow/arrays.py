"""Arrays: the values of Arrow's arrays as arrays of numpy, and which of them are null.

Law: a null never passes for a value.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rentbilling.portfolio.arrow.column_types import DAY, PERIOD, functions
from rentbilling.values import LAST_DAY, NEVER as _NEVER

Column = NDArray[np.int64]
"""A column of whole numbers of 64 bits."""

Mask = NDArray[np.bool_]

NEVER: Final = _NEVER
"""A day after every date: an end that there is none of."""


_ID_BITS: Final = 31
_EPOCH: Final = date(1970, 1, 1).toordinal()


class Struct:
    """The fields of a column of structs by name, null where the struct is."""

    __slots__ = ("_columns", "array")

    def __init__(self, array: Any) -> None:  # noqa: ANN401 - an Arrow array
        self.array = array
        names = (field.name for field in array.type)
        self._columns: Mapping[str, Any] = dict(zip(names, array.flatten(), strict=True))

    def of(self, name: str) -> Any:  # noqa: ANN401 - an Arrow array
        return self._columns[name]

    def struct(self, name: str) -> "Struct":
        return Struct(self._columns[name])


def largest(column: Column, least: int = 0) -> int:
    """Return the largest number of a column, or `least` where none is larger."""
    # What numpy says of the type differs from version to version.
    untyped: Any = column
    return int(untyped.max(initial=least))


def smallest(column: Column, most: int = 0) -> int:
    """Return the smallest number of a column, or `most` where none is smaller."""
    untyped: Any = column
    return int(untyped.min(initial=most))


def there(array: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    """Return where an array has a value."""
    found: Mask = array.is_valid().to_numpy(zero_copy_only=False)
    return found


def whole_of(array: Any, absent: int) -> Column:  # noqa: ANN401 - an Arrow array
    """Return whole numbers, with one in place of those that are not there."""
    if array.null_count:
        array = array.fill_null(absent)
    found: Column = array.to_numpy()
    return found


def days_of(array: Any, absent: int) -> Column:  # noqa: ANN401 - an Arrow array
    """Return days as ordinals, with one in place of those that are not there."""
    days = whole_of(array.view(pa.int32()), absent - _EPOCH)
    found: Column = np.add(days, _EPOCH, dtype=np.int64)
    return found


def day_column(ordinals: Column) -> Any:  # noqa: ANN401 - an Arrow array
    """Return days that are given as ordinals."""
    return pa.array((ordinals - _EPOCH).astype(np.int32)).view(DAY)


def struct_column(kind: Any, columns: Iterable[Any], absent: Mask | None = None) -> Any:  # noqa: ANN401 - Arrow types and arrays
    """Return structs of some fields, null where they are absent."""
    mask = None if absent is None else pa.array(absent)
    return pa.StructArray.from_arrays(list(columns), fields=list(kind), mask=mask)


def list_column(
    offsets: Column,
    values: Any,  # noqa: ANN401 - an Arrow array
    kind: Any = None,  # noqa: ANN401 - an Arrow type
    absent: Mask | None = None,
) -> Any:  # noqa: ANN401 - an Arrow array
    """Return lists of values, each from one offset up to the next, null where they are absent."""
    mask = None if absent is None else pa.array(absent)
    ends = pa.array(offsets.astype(np.int32))
    return pa.ListArray.from_arrays(ends, values, type=kind, mask=mask)


def offsets_of(counts: Column) -> Column:
    """Return where each of some runs begins, and where the last one ends.

    Examples:
        >>> offsets_of(np.array([2, 0, 3]))
        array([0, 2, 2, 5])
    """
    found = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=found[1:])
    return found


def absent_of(array: Any) -> Mask | None:  # noqa: ANN401 - an Arrow array
    """Return where an array is null, None for nowhere."""
    return ~there(array) if array.null_count else None


def with_fields(array: Any, own: Mapping[str, Any]) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return structs with other values of those of their fields that have some.

    Examples:
        >>> both = pa.array([{"a": 1, "b": 2}, None])
        >>> with_fields(both, {"b": pa.array([3, 4]), "c": None}).to_pylist()
        [{'a': 1, 'b': 3}, None]
    """
    fields = Struct(array)
    columns = (own[each.name] if each.name in own else fields.of(each.name) for each in array.type)
    return struct_column(array.type, columns, absent_of(array))


def words_at(words: Iterable[str], places: Column) -> Any:  # noqa: ANN401 - an Arrow array
    """Return the word of each place."""
    return pa.array(list(words), pa.string()).take(pa.array(places))


def named(given: Any, word: str, places: Column) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return ids, those that are absent by their places (A57).

    Examples:
        >>> named(pa.array(["a", None]), "plan", np.array([0, 1])).to_pylist()
        ['a', 'plan-2']
    """
    if not given.null_count:
        return given
    by_place = words_at((f"{word}-{at + 1}" for at in range(largest(places, -1) + 1)), places)
    return functions.coalesce(given, by_place)


def period_column(first: Column, last: Column, absent: Mask | None = None) -> Any:  # noqa: ANN401 - an Arrow array
    """Return periods that are given as ordinals, null where they are absent."""
    return struct_column(PERIOD, (day_column(first), day_column(last)), absent)


def in_calendar(days: Column) -> Mask:
    """Return which days a record would read; NEVER is an absent one."""
    found: Mask = ((days >= 1) & (days <= LAST_DAY)) | (days == NEVER)
    return found


def true(array: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    """Return where an array is true, and not null."""
    whole = functions.fill_null(array, pa.scalar(value=False))
    found: Mask = whole.to_numpy(zero_copy_only=False)
    return found


def coded(array: Any, number: Callable[[str], int], absent: int) -> Column:  # noqa: ANN401 - an Arrow array
    """Return a number for each text, found once for each distinct one."""
    if array.null_count == len(array):
        return np.full(len(array), absent)
    first = array[0]
    if functions.all(functions.equal(array, first), skip_nulls=False).as_py():
        # As of most columns.
        return np.full(len(array), number(first.as_py()))
    encoded = array.dictionary_encode()
    numbers = [number(word) for word in encoded.dictionary.to_pylist()]
    table = np.array([*numbers, absent], dtype=np.int64)
    places = encoded.indices
    if places.null_count:
        places = places.fill_null(len(numbers))
    found: Column = table[places.to_numpy()]
    return found


def lists(array: Any) -> tuple[Column, Any, Mask]:  # noqa: ANN401 - an Arrow array
    """Return where lists begin and end, their values, and which of them are sound.

    A list that is null and has values all the same is not.
    """
    offsets = array.offsets.to_numpy().astype(np.int64)
    values = array.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
    offsets -= offsets[0]
    sound = np.ones(len(array), dtype=np.bool_)
    if array.null_count:
        sound = there(array) | (np.diff(offsets) == 0)
    return offsets, values, sound


def coded_ids(array: Any) -> Column:  # noqa: ANN401 - an Arrow array
    """Return a number for each text, the same for equal ones; one of its own for each null."""
    places = array.dictionary_encode().indices
    count = len(array)
    if not places.null_count:
        found: Column = places.to_numpy().astype(np.int64)
        return found
    codes = places.fill_null(0).to_numpy().astype(np.int64)
    return np.where(there(array), codes, count + np.arange(count))


def again(owner: Column, texts: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    """Return the rows of owners with the same text twice.

    Examples:
        >>> again(np.array([0, 0, 0, 1]), pa.array(["a", "a", None, "a"])).tolist()
        [True, True, True, False]
    """
    key = np.sort((owner << _ID_BITS) | coded_ids(texts))
    found: Mask = np.isin(owner, key[1:][key[1:] == key[:-1]] >> _ID_BITS)
    return found


def empty_texts(array: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    if not len(array):
        return np.zeros(0, dtype=np.bool_)
    ends = np.frombuffer(array.buffers()[1], np.int32)[array.offset :][: len(array) + 1]
    found: Mask = ends[1:] == ends[:-1]
    return found & there(array) if array.null_count else found


def list_lengths(array: Any) -> Any:  # noqa: ANN401 - arrays
    """Return how many values each list of a column has; those that are null have none.

    Examples:
        >>> list_lengths(pa.array([["a", "b"], None])).tolist()
        [2, 0]
    """
    types = pa.types
    if types.is_list_view(array.type) or types.is_large_list_view(array.type):
        # Older versions of Arrow do not count them.
        return array.sizes.to_numpy() * array.is_valid().to_numpy(zero_copy_only=False)
    return functions.list_value_length(array).fill_null(0).to_numpy()


def equal_rows(one: Any, other: Any) -> Mask:  # noqa: ANN401 - Arrow arrays
    """Return where two arrays are equal.

    Examples:
        >>> rows = pa.array([["a", None], [], None])
        >>> equal_rows(rows, pa.array([["a", None], ["b"], None])).tolist()
        [True, False, True]
    """
    found: Mask = there(one) == there(other)
    if pa.types.is_struct(one.type):
        for mine, theirs in zip(one.flatten(), other.flatten(), strict=True):
            found &= equal_rows(mine, theirs)
    elif pa.types.is_list(one.type):
        lengths = list_lengths(one)
        found &= lengths == list_lengths(other)
        rows = np.flatnonzero(found)
        if len(rows) < len(found):
            lengths, at = lengths[rows], pa.array(rows)
            one, other = one.take(at), other.take(at)
        wrong = ~equal_rows(one.flatten(), other.flatten())
        found[np.repeat(rows, lengths)[wrong]] = False
    else:
        # What is null on both sides is equal; what is null on one of them is not already.
        alike = functions.equal(one, other).fill_null(pa.scalar(value=True))
        found &= alike.to_numpy(zero_copy_only=False)
    return found
