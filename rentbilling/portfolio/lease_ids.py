"""Ids of leases in a run: beside earlier bills, each belongs to one lease (A53).

Law: two leases with one id are refused wherever they stand in a run, because the bills of the one
would be taken for bills of the other; sixteen bytes are kept for each lease.
What does not live here: earlier bills (`earlier_bills`), leases without an id (`batch_runs`).
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.column_types import ExtraColumns, lease_readers
from rentbilling.portfolio.lease_batches import row_numbers, told_by
from rentbilling.portfolio.problems import UnreadLease, lease_id_of

_BYTES: Final = 16
"""Of a fingerprint: no two of a million million ids share one."""


class LeaseIds:
    """The ids that a run has met.

    Examples:
        >>> ids = LeaseIds()
        >>> ids.add(["a", "b"], range(2))
        >>> ids.add(["c", "a"], range(2, 4))
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: [3].lease_id: is the id of another lease too, and \
earlier bills are found by it (met 'a'; expected an id of its own for each lease)
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        """Begin with none."""
        # Sorted, each at least twice as long as the next: few to look into, seldom put together.
        self._kept: list[Any] = []

    def add(self, ids: Sequence[str | None], rows: Sequence[int]) -> None:
        """Meet the ids of some leases.

        Args:
            ids: The ids; leases without one are passed over.
            rows: The numbers of the leases.

        Raises:
            InvalidRecordError: One of them was met before.
        """
        found = np.array([_fingerprint(each) for each in ids if each is not None], f"S{_BYTES}")
        found.sort()
        again = np.zeros(len(found), np.bool_)
        again[1:] = found[1:] == found[:-1]
        for kept in self._kept:
            at = np.minimum(np.searchsorted(kept, found), len(kept) - 1)
            again |= kept[at] == found
        if again.any():
            _refuse(ids, rows, {bytes(each).ljust(_BYTES, b"\0") for each in found[again]})
        if len(found):
            self._keep(found)

    def again(self, ids: Sequence[str | None]) -> list[bool]:
        """Meet ids, and tell of each whether it was met before, also among them.

        Args:
            ids: The ids; leases without one were never met.

        Returns:
            A flag for each.

        Examples:
            >>> ids = LeaseIds()
            >>> ids.again(["a", None, "a"]), ids.again(["b", None, "a"])
            ([False, False, True], [False, False, True])
        """
        found = np.array(
            [b"" if each is None else _fingerprint(each) for each in ids], f"S{_BYTES}"
        )
        named = np.array([each is not None for each in ids], np.bool_)
        once, firsts = np.unique(found, return_index=True)
        again = np.ones(len(found), np.bool_)
        again[firsts] = False
        for kept in self._kept:
            at = np.minimum(np.searchsorted(kept, found), len(kept) - 1)
            again |= kept[at] == found
        fresh = once[(named & ~again)[firsts]]
        if len(fresh):
            self._keep(fresh)
        flags: list[bool] = (again & named).tolist()
        return flags

    def holds(self, shorts: Any) -> Any:  # noqa: ANN401 - arrays
        """Return of each short fingerprint whether its id was met.

        Args:
            shorts: An array as `short_fingerprints` gives it.

        Returns:
            An array of flags.
        """
        found = np.zeros(len(shorts), np.bool_)
        for kept in self._kept:
            found |= np.isin(shorts, kept.view("<u8")[::2])
        return found

    def _keep(self, found: Any) -> None:  # noqa: ANN401 - an array
        """Keep sorted fingerprints."""
        while self._kept and len(self._kept[-1]) < 2 * len(found):
            found = np.concatenate([self._kept.pop(), found])
            found.sort(kind="stable")
        self._kept.append(found)


def _fingerprint(lease_id: str) -> bytes:
    """Return what is kept of an id; half characters have one as well."""
    return blake2b(lease_id.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


def short_fingerprints(ids: Iterable[str]) -> Any:  # noqa: ANN401 - an array
    """Return eight bytes of each id, the same in every process; seldom do two ids share them.

    Args:
        ids: The ids.

    Returns:
        An array of whole numbers.

    Examples:
        >>> short_fingerprints(["a", "a"]).tolist()
        [9189440641721877287, 9189440641721877287]
    """
    return np.frombuffer(b"".join(map(_fingerprint, ids)), "<u8")[::2]


def _refuse(ids: Sequence[str | None], rows: Sequence[int], again: set[bytes]) -> None:
    """Refuse the last lease whose id was met before."""
    known = zip(rows, ids, strict=True)
    row, lease_id = max(
        (row, each) for row, each in known if each is not None and _fingerprint(each) in again
    )
    said = "is the id of another lease too, and earlier bills are found by it"
    expected = "an id of its own for each lease"
    raise InvalidRecordError.of(f"[{row}].lease_id", "duplicate_id", said, lease_id, expected)


def ids_of(leases: Any, policy: BillingPolicy, extra_columns: ExtraColumns) -> list[str | None]:  # noqa: ANN401 - a record batch or leases
    """Return the ids of the leases of a batch, None for those without.

    Args:
        leases: A record batch, or a sequence of leases, their payloads or refusals.
        policy: What reads texts.
        extra_columns: What to do about columns that no lease has.

    Returns:
        The ids.

    Raises:
        InvalidRecordError: The columns are not those of leases.
    """
    if not isinstance(leases, pa.RecordBatch):
        # A lease that its source could not put together is not billed, whatever its id.
        return [None if isinstance(each, UnreadLease) else lease_id_of(each) for each in leases]
    readers = lease_readers(leases.schema, extra_columns)
    found = None
    if "lease_id" in readers:
        found = readers["lease_id"](leases.column("lease_id"), told_by(policy))
    return list(found or [None] * leases.num_rows)


def of_one_lease_each(
    batches: Iterable[Any], policy: BillingPolicy, extra_columns: ExtraColumns, met: LeaseIds
) -> Iterator[Any]:
    """Give batches of leases as they come, as long as their ids are their own.

    Args:
        batches: Record batches, or sequences of leases.
        policy: What reads texts.
        extra_columns: What to do about columns that no lease has.
        met: Keeps the ids.

    Yields:
        The batches.

    Raises:
        InvalidRecordError: Two leases have one id.
    """
    first = 0
    for leases in batches:
        count = len(leases)
        rows: Sequence[int] = range(first, first + count)
        if isinstance(leases, pa.RecordBatch):
            rows = row_numbers(leases, first)
        met.add(ids_of(leases, policy, extra_columns), rows)
        if not isinstance(leases, pa.RecordBatch):
            # A lease that could not be put together is in the source all the same.
            met.again([each.lease_id for each in leases if isinstance(each, UnreadLease)])
        first += count
        yield leases
