"""Earlier bills: what a run billed before, found again by lease (A53).

Laws: earlier bills are read as they were written, and belong to the lease whose id they have; of a
file, only the groups of rows are read in which the leases of a batch have bills; a bill that is
given twice is refused, because it would be credited.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.billing import PendingBill
from rentbilling.errors import InvalidInputError, InvalidRecordError, shown
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.column_types import BILL_SCHEMA, functions
from rentbilling.portfolio.leases.ids import LeaseIds, short_fingerprints
from rentbilling.portfolio.runs.bill_results import bill_of_row
from rentbilling.portfolio.runs.bill_sources import BillFile, BillSource, bill_sources
from rentbilling.portfolio.runs.histories import (
    History,
    history_files,
    history_rows,
    written_facts,
)

Found = list[PendingBill] | InvalidInputError
"""The bills of a lease, or why one of them cannot be read."""


class EarlierBills:
    """Earlier bills of many leases, of which those of a few are read at a time.

    Examples:
        >>> EarlierBills(BILL_SCHEMA.empty_table()).of(["lease-1"], BillingPolicy())
        {}
    """

    __slots__ = ("_index", "_sources", "history")

    def __init__(self, given: Any, histories: Sequence[Path] | None = None) -> None:  # noqa: ANN401
        """Find out which bills there are; with a history of all of them, where they are needed.

        Args:
            given: What holds the bills.
            histories: Files of histories; where absent, those in the folders that are given.

        Raises:
            InvalidRecordError: It has no bills, bills without a lease, or a bill twice.
            OSError: There is no such file.
        """
        self._sources = bill_sources(given)
        self.history: History | None = None
        if self.paths:
            found = history_files(given) if histories is None else histories
            self.history = History.of(found, self.paths)
        self._index: tuple[Any, Any] | None = None
        if self.history is None:
            self._indexed()

    def _indexed(self) -> tuple[Any, Any]:
        """Return the leases of each group of rows, looked for once."""
        if self._index is not None:
            return self._index
        # For each lease and each group of rows that it has bills in: eight bytes of its id, sorted,
        # and the number of the group. Texts have another hash in each process, and these have not.
        ids, groups = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
        marks = []
        for group, keys in enumerate(each for one in self._sources for each in one.bill_keys()):
            there, of_bills = marks_of(keys)
            marks.append(of_bills)
            ids.append(there)
            groups.append(np.full(len(there), group, np.int32))
        refuse_repeated_bills(self._sources, marks)
        del marks
        found = np.concatenate(ids)
        order = np.argsort(found, kind="stable")
        self._index = found[order], np.concatenate(groups)[order]
        return self._index

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with what was found out, so that no file is gone through again."""
        return _restored, (self._sources, self._index, self.history)

    def __eq__(self, other: object) -> bool:
        """Two are equal when they were made of the same."""
        return isinstance(other, EarlierBills) and self._sources == other._sources

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(len(self._sources))

    def of(self, lease_ids: Iterable[str], policy: BillingPolicy) -> dict[str, Found]:
        """Return the earlier bills of some leases, by their ids.

        Raises:
            InvalidRecordError: A file cannot be read.
        """
        return bills_by_lease(self.rows_of(lease_ids), policy)

    def rows_of(self, lease_ids: Iterable[str]) -> Any:  # noqa: ANN401 - a table
        """Return the earlier bills of some leases as one table.

        Raises:
            InvalidRecordError: A file cannot be read.
        """
        wanted = sorted(set(lease_ids))
        kept = pa.array(wanted, pa.string())
        found = [
            table.filter(functions.is_in(table.column("lease_id"), kept))
            for table in self._tables(self._groups_of(wanted))
        ]
        return pa.concat_tables([BILL_SCHEMA.empty_table(), *found])

    @property
    def files(self) -> list[Path]:
        """The files of the bills, without those that are in memory."""
        return [each.path for each in self._sources if isinstance(each, BillFile)]

    @property
    def paths(self) -> list[Path] | None:
        """The files of the bills; None where some are in memory."""
        return self.files if len(self.files) == len(self._sources) else None

    def gone_from(self, seen: LeaseIds) -> int:
        """Return how many leases have earlier bills and are not among those of a run."""
        return len(self.keys_beside(seen))

    def keys_beside(self, seen: LeaseIds) -> Any:  # noqa: ANN401 - an array
        """Return the keys of leases that have earlier bills and are not among those of a run."""
        known = np.unique(self._indexed()[0]) if self.history is None else self.history.keys
        return known[~seen.holds(known)]

    def _groups_of(self, lease_ids: Sequence[str]) -> list[int]:
        """Return the groups of rows that leases have bills in."""
        if not lease_ids:
            return []
        ids, groups = self._indexed()
        wanted = short_fingerprints(lease_ids)
        first = np.searchsorted(ids, wanted)
        counts = np.searchsorted(ids, wanted, side="right") - first
        begins = np.cumsum(counts) - counts
        places = np.repeat(first - begins, counts) + np.arange(counts.sum())
        found: list[int] = np.unique(groups[places]).tolist()
        return found

    def _tables(self, groups: Iterable[int]) -> Iterator[Any]:
        left, first = deque(groups), 0
        for source in self._sources:
            if not left:
                return
            after = first + source.groups()
            own = []
            while left and left[0] < after:
                own.append(left.popleft() - first)
            if own:
                yield from source.rows(own)
            first = after


def _restored(
    sources: tuple[BillSource, ...], index: tuple[Any, Any] | None, history: History | None
) -> EarlierBills:
    """Return earlier bills with what was found out about them before."""
    made = EarlierBills.__new__(EarlierBills)
    made._sources, made._index, made.history = sources, index, history
    return made


def end_of_history(
    facts: Mapping[str, Any], earlier: EarlierBills | None, seen: LeaseIds, bills: Path
) -> tuple[Any, dict[bytes, bytes]]:
    """Return what a history ends with: leases that are not there any more, and its own facts.

    Raises:
        OSError: A file of bills cannot be read.
    """
    gone = np.zeros(0, np.uint64) if earlier is None else earlier.keys_beside(seen)
    nothing = np.zeros(len(gone), np.int64)
    paths = [bills, *((earlier.paths if earlier is not None else None) or ())]
    rows = history_rows(gone, nothing.astype(np.uint64), nothing)
    return rows, written_facts(facts, paths)


def bills_by_lease(rows: Any, policy: BillingPolicy) -> dict[str, Found]:  # noqa: ANN401 - a table
    """Return the bills of some rows, by the ids of their leases.

    Examples:
        >>> bills_by_lease(BILL_SCHEMA.empty_table(), BillingPolicy())
        {}
    """
    found: dict[str, Found] = {}
    for row in rows.to_pylist():
        bills = found.setdefault(row["lease_id"], [])
        if isinstance(bills, list):
            try:
                bills.append(bill_of_row(row, policy))
            except InvalidInputError as error:
                found[row["lease_id"]] = error.under("already_billed")
    return found


_COMPARED: Final = ("lease_id", "due_date", "currency", "lines")
_BY_CURRENCY: Final = np.uint64(0x9E3779B97F4A7C15)
_BY_DAY: Final = np.uint64(0xBF58476D1CE4E5B9)
"""Odd numbers, so that two days or currencies never give a lease the same mark."""


def marks_of(keys: Any) -> tuple[Any, Any]:  # noqa: ANN401 - tables and arrays
    """Return eight bytes of each lease and of each bill."""
    leases, lease_at = _distinct(keys.column("lease_id"))
    currencies, currency_at = _distinct(keys.column("currency"))
    days = keys.column("due_date").cast(pa.int32()).to_numpy().astype(np.int64).view(np.uint64)
    marks = leases[lease_at] + days * _BY_DAY + (currencies * _BY_CURRENCY)[currency_at]
    return leases, marks


def _distinct(column: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return the fingerprints of the texts of a column, and for each row which of them it has."""
    texts = functions.unique(column)
    at = functions.index_in(column, texts).to_numpy()
    return short_fingerprints(texts.to_pylist()), at


def refuse_repeated_bills(sources: Sequence[BillSource], marks: Sequence[Any]) -> None:
    """Refuse earlier bills of which one is given twice.

    Raises:
        InvalidRecordError: A bill is given twice; the error names both places.
    """
    every = np.sort(np.concatenate([np.zeros(0, np.uint64), *marks]))
    again = np.unique(every[1:][every[1:] == every[:-1]])
    del every
    if not len(again):
        return
    # Of each group of rows the bills that may be given twice.
    places = [np.flatnonzero(_among(again, each)) for each in marks]
    groups = _Groups(sources, marks)
    seen = LeaseIds()
    for group in _neighbours_first([own[at] for own, at in zip(marks, places, strict=True)]):
        bills = groups.bills(group, places[group])
        said = {row: text for row, bill in bills.items() if (text := _said(bill)) is not None}
        same = seen.repeated(list(said.values()), list(said))
        if same is not None:
            raise groups.refusal(bills[same.row], same.first, same.row)


def _among(known: Any, marks: Any) -> Any:  # noqa: ANN401 - arrays
    """Return of each mark whether it is one of some that are sorted."""
    return known[np.minimum(np.searchsorted(known, marks), len(known) - 1)] == marks


def _neighbours_first(marks: Sequence[Any]) -> Iterator[int]:
    """Give the groups that have marks, each followed by those that have the same ones.

    So where a file was copied, the copy of its first group is read next.
    """
    every = np.concatenate(marks)
    order = np.argsort(every, kind="stable")
    groups = np.repeat(np.arange(len(marks)), [len(own) for own in marks])[order]
    every = every[order]
    left = set(groups.tolist())
    for group, own in enumerate(marks):
        if group in left:
            # Each mark has two bills at least; of more, the first and the last will do.
            ends = np.searchsorted(every, own), np.searchsorted(every, own, side="right") - 1
            near = {group, *groups[np.concatenate(ends)].tolist()} & left
            left -= near
            yield from sorted(near)


def _said(bill: Mapping[str, Any]) -> str | None:
    """Return what a bill bills but for corrections, as a text; None where it is nothing."""
    lines = sorted(repr(line) for line in bill["lines"] if line["kind"] != "correction")
    if not lines:
        return None
    return repr([*(bill[name] for name in _COMPARED[:-1]), *lines])


class _Groups:
    """The groups of rows of several sources, whose rows are counted through."""

    def __init__(self, sources: Sequence[BillSource], marks: Sequence[Any]) -> None:
        self._groups = [(source, at) for source in sources for at in range(source.groups())]
        self._firsts = np.cumsum([0, *(len(each) for each in marks[:-1])])

    def bills(self, group: int, places: Any) -> dict[int, dict[str, Any]]:  # noqa: ANN401 - an array
        """Return some bills of a group, by the numbers of their rows."""
        source, at = self._groups[group]
        (table,) = source.rows([at])
        bills = table.select(_COMPARED).take(pa.array(places)).to_pylist()
        return dict(zip((self._firsts[group] + places).tolist(), bills, strict=True))

    def refusal(self, bill: Mapping[str, Any], *rows: int) -> InvalidRecordError:
        """Return the refusal of a bill that is in two rows."""
        places, source = [], self._groups[0][0]
        for row in rows:
            group = int(np.searchsorted(self._firsts, row, side="right")) - 1
            source, at = self._groups[group]
            places.append(f"row {row - self._firsts[group - at]} of {source.name}")
        lease_id, due = bill["lease_id"], bill["due_date"]
        said = (
            f"has the bill of lease {shown(lease_id)}, due {due}, {bill['currency']} twice:"
            f" {' and '.join(places)}"
        )
        path, expected = "already_billed", "each earlier bill once"
        error = InvalidRecordError.of(path, "duplicate_bill", said, lease_id, expected)
        error.facts["file"] = source.name
        return error
