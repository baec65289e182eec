"""Ids of leases in a run: each belongs to one lease, so that no lease is billed twice.

Law: two leases with one id are refused wherever they are in a run, and the error names both places;
each lease takes 16 bytes, 20 where rows have numbers of their own beyond four thousand million.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio.arrow.column_types import ROW
from rentbilling.portfolio.arrow.payloads import texts_of
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_schema
from rentbilling.portfolio.leases.batches import row_numbers
from rentbilling.portfolio.leases.leases_by_column import ColumnLeases
from rentbilling.portfolio.leases.problems import UnreadLease, lease_id_of

_BYTES: Final = 16
"""Of a fingerprint, of which twelve are stored: no two of a million million ids share these."""
_LONGEST: Final = 1 << 17
"""Ids of a part at most: it fits into the processor's cache, and is put together in little room."""
Place = Callable[[int], str]
"""Returns where a lease is, by the number of its row."""


def row_place(row: int) -> str:
    """Return where a lease is of which only the number of the row is known.

    Examples:
        >>> row_place(3)
        'row 3'
    """
    return f"row {row}"


def place_in(files: Iterable[tuple[Path, int]], row: int) -> str:
    """Return where a lease is that is read from files.

    Examples:
        >>> place_in([(Path("a.parquet"), 2), (Path("b.parquet"), 2)], 3)
        'row 1 of b.parquet'
    """
    left = row
    for path, leases in files:
        if left < leases:
            return f"row {left} of {path}"
        left -= leases
    return row_place(row)


class Repeated(NamedTuple):
    """An id that two rows have."""

    id: str
    first: int
    """The number of the row that has it first."""
    row: int
    """The number of the other row."""


class _SortedIds(NamedTuple):
    """Ids in the order of the first eight bytes of their fingerprints."""

    short: Any
    """The first eight bytes of each fingerprint, as a whole number."""
    rest: Any
    """The next four."""
    row: Any
    """The number of the row that has the id."""

    def places_of(self, short: Any, rest: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
        """Return of each fingerprint whether it is here, and where."""
        at = np.minimum(np.searchsorted(self.short, short), len(self.short) - 1)
        alike = self.short[at] == short
        same = alike & (self.rest[at] == rest)
        # Seldom do two ids share eight bytes.
        for place in np.flatnonzero(alike & ~same).tolist():
            end = np.searchsorted(self.short, short[place], side="right")
            others = at[place] + np.flatnonzero(self.rest[at[place] : end] == rest[place])
            same[place] = bool(len(others))
            at[place] = [*others.tolist(), at[place]][0]
        return same, at


class LeaseIds:
    """The ids of the leases of a run so far.

    Examples:
        >>> ids = LeaseIds()
        >>> ids.add(["a", "b"], range(2))
        >>> ids.add(["c", "a"], range(2, 4))
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: [3].lease_id: is the id of another lease too: row 0 \
and row 3 (met 'a'; expected an id of its own for each lease)
    """

    __slots__ = ("_sorted",)

    def __init__(self) -> None:
        # Each is long, or twice as long as the next: few to look into, seldom put together.
        self._sorted: list[_SortedIds] = []

    def add(self, ids: Sequence[str | None], rows: Sequence[int], place: Place = row_place) -> None:
        """Add the ids of some leases; None for a lease without one.

        Raises:
            InvalidRecordError: A lease has the id of an earlier one.
        """
        twin = self.repeated(ids, rows)
        if twin is None:
            return
        said = f"is the id of another lease too: {place(twin.first)} and {place(twin.row)}"
        path, expected = f"[{twin.row}].lease_id", "an id of its own for each lease"
        raise InvalidRecordError.of(path, "duplicate_id", said, twin.id, expected)

    def repeated(self, ids: Sequence[str | None], rows: Sequence[int]) -> "Repeated | None":
        """Add ids unless one is repeated; return the last repeated one, also among themselves.

        Examples:
            >>> ids = LeaseIds()
            >>> ids.repeated(["a", "b"], [0, 1]), ids.repeated(["c", "a"], [2, 3])
            (None, Repeated(id='a', first=0, row=3))
        """
        names = [each for each in ids if each is not None]
        numbers = np.asarray(rows, np.int64)
        if len(names) < len(ids):
            numbers = numbers[[each is not None for each in ids]]
        short, rest, order = _sorted_parts(names)
        twins: dict[str, list[int]] = {}
        for part in self._sorted:
            same, at = part.places_of(short, rest)
            for there in np.flatnonzero(same).tolist():
                place = order[there]
                found = twins.setdefault(names[place], [])
                found += (int(part.row[at[there]]), int(numbers[place]))
        if len(set(names)) < len(names):
            counts = Counter(names)
            for name, row in zip(names, numbers.tolist(), strict=True):
                if counts[name] > 1:
                    twins.setdefault(name, []).append(row)
        if twins:
            name = max(twins, key=lambda each: max(twins[each]))
            return Repeated(name, min(twins[name]), max(twins[name]))
        self._keep(short, rest, numbers[order])
        return None

    def again(self, ids: Sequence[str | None]) -> list[bool]:
        """Add ids, and return of each whether it was there before, also among themselves.

        Examples:
            >>> ids = LeaseIds()
            >>> ids.again(["a", None, "a"]), ids.again(["b", None, "a"])
            ([False, False, True], [False, False, True])
        """
        names = [*dict.fromkeys(each for each in ids if each is not None)]
        short, rest, order = _sorted_parts(names)
        known = np.zeros(len(names), np.bool_)
        for part in self._sorted:
            known |= part.places_of(short, rest)[0]
        seen = {names[place] for place in order[known].tolist()}
        self._keep(short[~known], rest[~known], np.zeros(np.count_nonzero(~known), np.int64))
        flags = []
        for each in ids:
            flags.append(each in seen)
            if each is not None:
                seen.add(each)
        return flags

    def holds(self, shorts: Any) -> Any:  # noqa: ANN401 - arrays
        """Return of each short fingerprint whether an id with it is there."""
        found = np.zeros(len(shorts), np.bool_)
        for part in self._sorted:
            found |= np.isin(shorts, part.short)
        return found

    def _keep(self, short: Any, rest: Any, row: Any) -> None:  # noqa: ANN401 - arrays
        """Add the parts of fingerprints in their order, with their rows."""
        if not len(short):
            return
        few = row.max() <= np.iinfo(np.uint32).max
        added = _SortedIds(short, rest, row.astype(np.uint32) if few else row)
        while self._sorted:
            length, most = len(self._sorted[-1].short), 2 * len(added.short)
            if length >= most or length + len(added.short) > _LONGEST:
                break
            pairs = zip(self._sorted.pop(), added, strict=True)
            first, *others = (np.concatenate(each) for each in pairs)
            order = np.argsort(first, kind="stable")
            added = _SortedIds(first[order], *(each[order] for each in others))
        self._sorted.append(added)


def _halves(ids: Sequence[str]) -> Any:  # noqa: ANN401 - an array
    """Return both halves of the fingerprint of each id as whole numbers."""
    return np.frombuffer(b"".join(map(_fingerprint, ids)), "<u8").reshape(-1, 2)


def _sorted_parts(ids: Sequence[str]) -> tuple[Any, Any, Any]:
    """Return the first and the next bytes of fingerprints in their order, and that order."""
    short, rest = _halves(ids).T
    order = np.argsort(short, kind="stable")
    return short[order], rest[order].astype(np.uint32), order


def _fingerprint(lease_id: str) -> bytes:
    """Return the fingerprint of an id; half characters have one as well."""
    return blake2b(lease_id.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


def short_fingerprints(ids: Iterable[str]) -> Any:  # noqa: ANN401 - an array
    """Return eight bytes of each id, the same in every process; seldom do two ids share them.

    Examples:
        >>> short_fingerprints(["a", "a"]).tolist()
        [9189440641721877287, 9189440641721877287]
    """
    return _halves([*ids])[:, 0]


def ids_of(leases: Any, extra_columns: ExtraColumns) -> list[str | None]:  # noqa: ANN401 - a record batch or leases
    """Return the ids of the leases of a batch, None for those without.

    Raises:
        InvalidRecordError: The columns are not those of leases.
    """
    if isinstance(leases, ColumnLeases):
        return leases.ids
    if not isinstance(leases, pa.RecordBatch):
        # A lease that its source could not put together is not billed, whatever its id.
        return [None if isinstance(each, UnreadLease) else lease_id_of(each) for each in leases]
    check_schema(leases.schema, extra_columns)
    if "lease_id" not in leases.schema.names:
        return [None] * leases.num_rows
    return texts_of(leases.column("lease_id"))


def refuse_repeated(ids: Sequence[str | None], rows: Sequence[int]) -> None:
    """Refuse a batch in which two leases have one id.

    Raises:
        InvalidRecordError: Two leases have one id.

    Examples:
        >>> refuse_repeated(["a", "b", None, None], range(4))
    """
    if len(set(ids)) + max(ids.count(None) - 1, 0) < len(ids):
        LeaseIds().add(ids, rows)


def of_one_lease_each(
    batches: Iterable[Any],
    extra_columns: ExtraColumns,
    seen: LeaseIds,
    place: Place = row_place,
) -> Iterator[Any]:
    """Give batches of leases as they come, as long as their ids are their own.

    Raises:
        InvalidRecordError: Two leases have one id.
    """
    first = 0
    for leases in batches:
        count = len(leases)
        rows: Sequence[int] = range(first, first + count)
        if isinstance(leases, pa.RecordBatch):
            rows = row_numbers(leases, first)
            # Numbers of its own say nothing of files.
            place = row_place if ROW in leases.schema.names else place
        seen.add(ids_of(leases, extra_columns), rows, place)
        if not isinstance(leases, pa.RecordBatch):
            # A lease that could not be put together is in the source all the same.
            unread = leases.alone.values() if isinstance(leases, ColumnLeases) else leases
            seen.again([each.lease_id for each in unread if isinstance(each, UnreadLease)])
        first += count
        given = [leases]
        # No reference to a batch is left here while it is billed.
        del leases
        yield given.pop()
