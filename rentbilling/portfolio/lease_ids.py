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
from rentbilling.portfolio.problems import lease_id_of

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

    def _keep(self, found: Any) -> None:  # noqa: ANN401 - an array
        """Keep sorted fingerprints."""
        while self._kept and len(self._kept[-1]) < 2 * len(found):
            found = np.concatenate([self._kept.pop(), found])
            found.sort(kind="stable")
        self._kept.append(found)


def _fingerprint(lease_id: str) -> bytes:
    """Return what is kept of an id; half characters have one as well."""
    return blake2b(lease_id.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


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
        return [lease_id_of(each) for each in leases]
    readers = lease_readers(leases.schema, extra_columns)
    found = None
    if "lease_id" in readers:
        found = readers["lease_id"](leases.column("lease_id"), told_by(policy))
    return list(found or [None] * leases.num_rows)


def of_one_lease_each(
    batches: Iterable[Any], policy: BillingPolicy, extra_columns: ExtraColumns
) -> Iterator[Any]:
    """Give batches of leases as they come, as long as their ids are their own.

    Args:
        batches: Record batches, or sequences of leases.
        policy: What reads texts.
        extra_columns: What to do about columns that no lease has.

    Yields:
        The batches.

    Raises:
        InvalidRecordError: Two leases have one id.
    """
    met, first = LeaseIds(), 0
    for leases in batches:
        count = len(leases)
        rows: Sequence[int] = range(first, first + count)
        if isinstance(leases, pa.RecordBatch):
            rows = row_numbers(leases, first)
        met.add(ids_of(leases, policy, extra_columns), rows)
        first += count
        yield leases
