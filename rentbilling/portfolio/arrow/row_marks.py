"""Row marks: 64 bits of the values of each row of some columns, the same in every process.

Law: rows with equal values have equal marks, whatever else is in the columns; a value that is null
counts as one that is not there.
"""

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rentbilling.portfolio.arrow.arrays import lists, there

Words = NDArray[np.uint64]

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_OF_TEXTS: Final = 32
"""Bits of a byte's place in its text; the byte itself is above them."""


def row_marks(names: Iterable[str], arrays: Iterable[Any], count: int) -> Words:
    """Return the mark of each row of some columns.

    Examples:
        >>> def marks(*values):
        ...     return row_marks(["a"], [pa.array([*values])], len(values))
        >>> one, other = marks([{"b": 1}, {}], [{}, {"b": 1}])
        >>> bool(one == marks([{"b": 1}, {}])[0]), bool(one == other)
        (True, False)
    """
    total = np.zeros(count, np.uint64)
    for name, array in zip(names, arrays, strict=True):
        total += _marks(array, _seed(name))
    return _mixed(total)


@cache
def _seed(path: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(path.encode(), digest_size=8).digest(), "little"))


def _mixed(words: Words) -> Words:
    """Return words whose bits each depend on all bits of a word (splitmix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _marks(array: Any, seed: np.uint64) -> Words:  # noqa: ANN401 - an Arrow array
    """Return words of the values of an array, 0 where there is none."""
    count, kind = len(array), array.type
    if array.null_count == count:
        return np.zeros(count, np.uint64)
    if pa.types.is_list(kind):
        offsets, values, _ = lists(array)
        inside = _mixed(_marks(values, seed) + _places(offsets) * _ODD + seed)
        return _sums(inside, offsets)
    if pa.types.is_struct(kind):
        words = np.full(count, seed, np.uint64)
        for field, each in zip(kind, array.flatten(), strict=True):
            words += _marks(each, _mixed(np.array([seed ^ _seed(field.name)]))[0])
    else:
        words = _mixed(_words(array) * _ODD + seed)
    return words if not array.null_count else np.where(there(array), words, np.uint64(0))


def _words(array: Any) -> Words:  # noqa: ANN401 - an Arrow array
    """Return a word of each plain value, anything where it is null."""
    count, kind, start = len(array), array.type, array.offset
    if pa.types.is_decimal(kind):
        both = np.frombuffer(array.buffers()[1], np.uint64).reshape(-1, 2)[start : start + count]
        return both[:, 0] + _mixed(both[:, 1])
    if pa.types.is_string(kind):
        _, ends, data = array.buffers()
        offsets = np.frombuffer(ends, np.int32)[start : start + count + 1].astype(np.int64)
        size = int(offsets[-1] - offsets[0])
        text = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
        bytes_of = text[int(offsets[0]) :][:size].astype(np.uint64)
        offsets -= offsets[0]
        placed = (bytes_of << np.uint64(_OF_TEXTS)) + _places(offsets) + np.uint64(1)
        return _sums(_mixed(placed), offsets)
    if pa.types.is_date32(kind):
        array = array.view(pa.int32())
    found: Words = array.cast(pa.int64()).fill_null(0).to_numpy().view(np.uint64)
    return found


def _places(offsets: NDArray[np.int64]) -> Words:
    """Return of each value its place in its list."""
    counts = np.diff(offsets)
    return (np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)).astype(np.uint64)


def _sums(words: Words, offsets: NDArray[np.int64]) -> Words:
    sums = np.zeros(len(words) + 1, np.uint64)
    np.cumsum(words, out=sums[1:])
    found: Words = sums[offsets[1:]] - sums[offsets[:-1]]
    return found
