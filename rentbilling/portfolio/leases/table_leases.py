"""Table leases: the rows of a flat table as leases, by a mapping from columns to fields.

Laws: a value or a row that cannot be read is a problem of its lease, with row, column and value; no
lease is billed of which a row may be missing, and none twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress, islice
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import largest
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.leases.csv_lines import Line, Stretch, TornLine, csv_lines
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.portfolio.leases.leases_by_column import ColumnReader
from rentbilling.portfolio.leases.leases_by_row import LeaseRows, RowReader, placed
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.portfolio.leases.row_rules import RowCounts, RowFilter
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.portfolio.leases.table_rows import refuse_other_file, rows_of, stretches_of
from rentbilling.tables import names_totals
from rentbilling.terms import LeaseTerms

_AT_ONCE: Final = 4096
"""Leases whose ids are looked up together."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_SCATTERED: Final = Problem(
    "lease_id",
    "duplicate_id",
    "is in several places of the table, and would be billed in parts",
    "",
    "rows of a lease that follow each other: sort the table by it",
)


@dataclass(slots=True)
class _Run:
    """Rows of some leases, all of each."""

    pieces: list[Stretch] = field(default_factory=list)
    count: int = 0
    """Rows of all pieces."""
    first: list[int] = field(default_factory=list)
    """The first row of each lease."""
    ids: list[str | None] = field(default_factory=list)
    """The id of each lease."""

    def add(self, piece: Stretch, starts: Iterable[int], ids: Iterable[str | None]) -> None:
        """Add rows, in some of which a lease begins."""
        self.first += [at + self.count for at in starts]
        self.ids += ids
        self.pieces.append(piece)
        self.count += len(piece.numbers)

    def going_on(
        self,
        piece: Stretch,
        begin: int,
        starts: Sequence[int],
        ids: Sequence[str | None],
        leases: int,
    ) -> Iterator["_Run"]:
        """Give runs of so many leases at most that it and more rows make; the last may go on.

        The rows are those of the piece from `begin` on; in those of `starts` a lease begins.
        """
        run, taken = self, 0
        while begin < len(ids):
            if len(run.first) == leases and [*starts[taken : taken + 1]] == [begin]:
                yield run
                run = _Run()
            until = taken + leases - len(run.first)
            end = starts[until] if until < len(starts) else len(ids)
            own = starts[taken:until]
            run.add(piece.part(begin, end), [at - begin for at in own], [ids[at] for at in own])
            begin, taken = end, until
        yield run

    def rows(self, first: int, end: int) -> Iterator[tuple[Stretch, int]]:
        """Give rows, each as its place in a piece."""
        for piece in self.pieces:
            for at in range(max(first, 0), min(end, len(piece.numbers))):
                yield piece, at
            first, end = first - len(piece.numbers), end - len(piece.numbers)

    def repeating(self) -> list[int]:
        """Return the places of leases that have a row twice (A141)."""
        counts = np.diff([*self.first, self.count])
        if largest(counts, 1) == 1:
            return []
        owner = np.repeat(np.arange(len(counts)), counts)
        marks = np.zeros(self.count, np.uint64)
        for column in zip(*(each.columns for each in self.pieces), strict=True):
            texts = pa.concat_arrays([*map(_texts, column)])
            codes = texts.dictionary_encode().indices.to_numpy()
            marks = marks * _ODD + codes.astype(np.uint64)
        order = np.lexsort((marks, owner))
        owner, marks = owner[order], marks[order]
        again = (owner[1:] == owner[:-1]) & (marks[1:] == marks[:-1])
        return [*dict.fromkeys(owner[1:][again].tolist())]

    def without_last(self) -> tuple[list["_Run"], list[tuple[Stretch, int]]]:
        """Return it without its last lease, if it has others, and the rows of that."""
        start = self.first[-1]
        last, run, left = [*self.rows(start, self.count)], _Run(), start
        for piece in self.pieces:
            if left > 0:
                run.add(piece.part(0, left), (), ())
            left -= len(piece.numbers)
        run.first, run.ids = self.first[:-1], self.ids[:-1]
        return [run] if start else [], last


def _texts(cells: Any) -> Any:  # noqa: ANN401 - an Arrow array, or a sequence
    """Return cells as an array of texts without blanks around them (A142)."""
    if isinstance(cells, pa.Array):
        return functions.utf8_trim_whitespace(cells)
    found = ["" if cell is None else str(cell).strip() for cell in cells]
    return pa.array([each.encode(errors="replace") for each in found]).cast(pa.string())


_NEEDED: Final = ("price_per", "time_unit", "tax_mode")
"""Fields with texts, without which a default of a figure would count."""


@dataclass(frozen=True)
class TableLeases:
    """The leases of a flat table; made by `TableMapping.leases`.

    A row with too few or too many fields, in CSV, is the problem of the lease whose id it has: as
    its first field, or in its place where the row before or after has the same. Where the id is not
    certain, the row is a problem of its own, and so are the leases before and after, of which it
    may be a part.
    """

    source: Any = field(repr=False)
    """The path of a CSV file, a data frame, an Arrow table, or a tuple of dicts by column."""
    mapping: TableMapping
    """Which columns have which fields."""

    @classmethod
    def of(cls, source: Any, mapping: TableMapping) -> Self:  # noqa: ANN401 - whatever holds rows
        """Return the leases of a table; columns of a file are looked for when it is read.

        Raises:
            InvalidRecordError: It is no table, or a column is missing.
        """
        if isinstance(source, (str, PathLike)):
            refuse_other_file(Path(source))
            return cls(source, mapping)
        if mapping.header_line is not None:
            said, expected = "is of a file, and these rows have headers", "a mapping without it"
            raise InvalidRecordError.of(
                "header_line", "says_nothing", said, mapping.header_line, expected
            )
        rows = rows_of(source)
        next(stretches_of(rows, mapping.read_headers), None)
        return cls(rows, mapping)

    def __iter__(self) -> Iterator[LeaseTerms]:
        """Give the leases; see `priced_under`."""
        return self.priced_under(None)

    def priced_under(self, policy: BillingPolicy | None) -> Iterator[LeaseTerms]:
        """Give the leases, with opening periods priced under a policy (A14).

        Raises:
            RentBillingError: A lease cannot be read; with all of its problems.
        """
        for batch in self.batches(_AT_ONCE, policy):
            for lease in batch:
                if isinstance(lease, UnreadLease):
                    raise lease.error
                yield lease

    def batches(
        self,
        batch_size: int,
        policy: BillingPolicy | None = None,
        counts: RowCounts | None = None,
    ) -> Iterator[Sequence[LeaseTerms | UnreadLease]]:
        """Give the leases of the table in batches.

        Args:
            batch_size: Leases of a batch at most.
            policy: The billing policy, which opening periods follow (A14).
            counts: Counts the rows that are no items of leases, while batches are taken.

        Yields:
            Leases, or the refusals of those whose rows cannot be read, contradict each other, or do
            not follow each other.

        Raises:
            InvalidRecordError: The file is no CSV with these columns, see `csv_lines`.
            OSError: There is no such file.
        """
        rules, reader = policy_of(policy), RowReader(self.mapping)
        odd, columns = self._odd(), ColumnReader(reader, rules)

        def read(lease: LeaseRows) -> LeaseTerms | UnreadLease:
            problem = odd.get(lease.joined_by)
            if problem is not None:
                lease.refuse(problem)
            return lease.read(rules)

        def one(run: _Run, place: int) -> LeaseTerms | UnreadLease:
            lease = LeaseRows(run.ids[place], reader)
            ends = [*run.first, run.count]
            for row in run.rows(ends[place], ends[place + 1]):
                lease.add(self._line(*row))
            return read(lease)

        for run in self._runs(reader, batch_size, counts):
            if isinstance(run, _Run):
                has_ids = reader.id_at is not None
                lost = [
                    at
                    for at, own in enumerate(run.ids)
                    if own in odd or (own is None and has_ids) or names_totals(own)
                ]
                cells = [*zip(*(each.columns for each in run.pieces), strict=True)]
                yield columns.leases(cells, run.first, run.count, lost, partial(one, run))
                continue
            leases = _put_together(run, reader)
            while group := [*islice(leases, batch_size)]:
                yield [*map(read, group)]

    def _line(self, piece: Stretch, at: int) -> Line:
        number, last = piece.numbers[at], piece.last
        place = f"line {number}" if last is None else f"lines {number} to {last}"
        return Line(place if self._is_file else f"row {number}", piece.cells(at))

    @property
    def _is_file(self) -> bool:
        return isinstance(self.source, (str, PathLike))

    def _odd(self) -> dict[str | None, Problem | None]:
        """Return leases whose rows are not together, or not once, and perhaps why, by their ids.

        The table is gone through for them first: billed as far as it was read, a lease would lack
        what comes later.
        """
        seen, reader = LeaseIds(), RowReader(self.mapping)
        odd: dict[str | None, Problem | None] = {}
        for run in self._runs(reader, _AT_ONCE) if reader.joins else ():
            if isinstance(run, _Run):
                ids = run.ids
                odd |= dict.fromkeys([ids[at] for at in run.repeating()])
            else:
                ids = [each.joined_by for each in _put_together(run, reader, ids_alone=True)]
            for own in compress(ids, seen.again(ids)):
                odd[own] = _SCATTERED._replace(met=shown(own))
        return odd

    def _rows(self) -> Iterator[Stretch | TornLine]:
        mapping = self.mapping
        if not self._is_file:
            return stretches_of(self.source, mapping.read_headers)
        path = Path(self.source)
        if path.exists() and not (path.is_file() or path.is_dir()):
            said, expected = "cannot be gone through twice", "a file, not a pipe or device"
            raise InvalidRecordError.of("source", "not_a_source", said, str(path), expected)
        return csv_lines(
            path,
            mapping.read_headers,
            delimiter=mapping.delimiter,
            encoding=mapping.encoding,
            header_line=mapping.header_line,
        )

    def _items(self, reader: RowReader, counts: RowCounts | None) -> Iterator[Stretch | TornLine]:
        """Give the rows that are items, with the columns that have fields."""
        mapping = self.mapping
        return RowFilter(
            mapping.row_rules,
            mapping.read_headers,
            len(mapping.headers),
            reader.id_at if reader.joins else None,
            reader.lease_id,
            RowCounts() if counts is None else counts,
            [
                mapping.headers[at]
                for target, at in reader.columns
                if target.word not in ("text", "day") or target.steps[-1] in _NEEDED
            ],
        ).rows(self._rows())

    def _runs(
        self, reader: RowReader, leases: int, counts: RowCounts | None = None
    ) -> Iterator["_Run | list[Line | TornLine]"]:
        """Give the rows in runs that share no lease, each of so many leases at most.

        A line that cannot be read is in a list, with the rows of the leases before and after it.
        """
        run, own, follows_torn = _Run(), None, False
        torn: list[Line | TornLine] = []
        for found in self._items(reader, counts):
            piece = found
            if isinstance(piece, TornLine):
                if not torn and run.count:
                    whole, last = run.without_last()
                    torn += [self._line(*row) for row in last]
                    yield from whole
                    run = _Run()
                torn.append(piece)
                follows_torn = True
                continue
            count = len(piece.numbers)
            ids = reader.lease_ids(piece.columns, count)
            starts = reader.starts(ids, own)
            own, begin = ids[-1], 0
            if torn:
                # The lease after the line may be the one that it belongs to.
                starts = [at for at in starts if at or not follows_torn]
                begin, follows_torn = [*starts, count][0], False
                torn += [self._line(piece, at) for at in range(begin)]
                if begin == count:
                    continue
                yield torn
                torn = []
            *full, run = run.going_on(piece, begin, starts, ids, leases)
            yield from full
        if torn or run.count:
            yield torn or run


def _put_together(
    rows: Iterable[Line | TornLine], reader: RowReader, *, ids_alone: bool = False
) -> Iterator[LeaseRows]:
    """Give the rows of lease after lease, or only whose they are."""
    lease: LeaseRows | None = None
    torn: list[TornLine] = []
    for line in rows:
        if isinstance(line, TornLine):
            torn.append(line)
            continue
        lease_id = None if reader.id_at is None else reader.lease_id(line.cells[reader.id_at])
        goes_on = reader.joins and lease_id is not None
        if lease is not None and goes_on and lease_id == lease.lease_id:
            following = lease
        else:
            following = LeaseRows(lease_id, reader)
        alone = placed(torn, lease, following, reader) if torn else ()
        torn = []
        if lease is not None and following is not lease:
            yield lease
        yield from alone
        lease = following
        if not ids_alone:
            lease.add(line)
    alone = placed(torn, lease, None, reader)
    if lease is not None:
        yield lease
    yield from alone
