"""Mapped leases: a flat table as the file of leases that a run reads.

Laws: each row of the table is billed or is a problem; the numbers of leases are those of the table,
with those that cannot be read; the file is gone when the run is over.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rentbilling.adapters.file_runs.file_errors import FileRefusedError, refused_file
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Mask
from rentbilling.portfolio.arrow.column_types import LEASE_SCHEMA, PROBLEM_SCHEMA, ROW, functions
from rentbilling.portfolio.arrow.joined_batches import BATCH_SIZE
from rentbilling.portfolio.kernel.eligibility import Scales, eligible_by_columns
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.leases.batches import leases_to_arrow
from rentbilling.portfolio.leases.leases_by_column import ColumnLeases
from rentbilling.portfolio.leases.problems import (
    Cells,
    OnProblem,
    UnreadLease,
    located,
    problem_batch,
    problem_cells,
)
from rentbilling.portfolio.leases.row_rules import RowCounts
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.portfolio.runs.summaries import RunSummary

if TYPE_CHECKING:
    from rentbilling.terms import LeaseTerms


@dataclass(frozen=True)
class RunLeases:
    """A table from which a run reads its leases."""

    path: Path
    """A file or folder of leases by columns."""
    problems: tuple[Cells, ...] = ()
    """Rows of the problems of leases that cannot be read from the table."""
    unread: tuple[str | None, ...] = ()
    """The ids of these leases."""
    counts: RowCounts = field(default_factory=RowCounts)
    """The rows of the table that are no items."""

    @property
    def summary(self) -> RunSummary:
        """The problems of leases that cannot be read, and the rows that are no items."""
        counts: dict[tuple[Any, ...], list[int]] = {}
        for cells in self.problems:
            counts.setdefault((cells[2],), [0])[0] += 1
        count = len(self.unread)
        rows = vars(self.counts)
        return RunSummary(leases=count, with_problems=count, problems=counts, **rows)

    @property
    def stream(self) -> bytes:
        """The problems as a stream of Arrow."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, PROBLEM_SCHEMA) as writer:
            writer.write_batch(problem_batch(list(self.problems)))
        return bytes(sink.getvalue())


@contextmanager
def run_leases(
    source: Path,
    mapping: TableMapping | None,
    policy: BillingPolicy | None,
    on_problem: OnProblem,
    progress: Callable[[int, int | None], object] | None = None,
) -> Generator[RunLeases]:
    """Give what a run reads its leases from: a file as it is, or one made of a flat table.

    Of a flat table, `progress` is called with the leases that are read, and None.

    Raises:
        FileRefusedError: The table has no such columns, or two of its leases have one id.
        RentBillingError: A lease cannot be read, with `on_problem="raise"`.
        OSError: There is no such file.
    """
    if mapping is None:
        yield RunLeases(source)
        return
    with TemporaryDirectory() as folder:
        made = Path(folder, f"{source.name}.arrow")
        with refused_file(source):
            counts = RowCounts()
            batches = mapping.leases(source).batches(BATCH_SIZE, policy, counts)
            leases = _written(batches, policy, on_problem, made, progress)
            leases = replace(leases, counts=counts)
        try:
            yield leases
        except FileRefusedError as error:
            if error.file != str(made):
                raise
            raise FileRefusedError.of_file(source, error) from None


def _written(
    batches: Iterable[Sequence[Any]],
    policy: BillingPolicy | None,
    on_problem: OnProblem,
    made: Path,
    progress: Callable[[int, int | None], object] | None,
) -> RunLeases:
    """Write the leases of a table to a file by columns."""
    problems: list[Cells] = []
    unread: list[str | None] = []
    schema = LEASE_SCHEMA.append(pa.field(ROW, pa.int64()))
    first = 0
    with pa.ipc.new_file(str(made), schema) as writer:
        for batch in batches:
            sound = _sound(batch, policy)
            rows = np.flatnonzero(sound).tolist()
            alone: list[LeaseTerms] = []
            for row in np.flatnonzero(~sound).tolist():
                lease = batch[row]
                if not isinstance(lease, UnreadLease):
                    alone.append(lease)
                    rows.append(row)
                    continue
                if on_problem == "raise":
                    raise located(first + row, lease.lease_id, lease.error)
                problems += problem_cells(first + row, lease.lease_id, lease.error)
                unread.append(lease.lease_id)
            made_of = [leases_to_arrow(alone)]
            if isinstance(batch, ColumnLeases):
                made_of.insert(0, batch.form.batch.filter(pa.array(sound)))
            numbers = pa.array(rows, pa.int64())
            order = np.argsort(rows, kind="stable")
            table = pa.Table.from_batches(made_of).append_column(
                ROW, functions.add(numbers, pa.scalar(first, pa.int64()))
            )
            writer.write_table(table.take(pa.array(order)).combine_chunks())
            first += len(batch)
            if progress is not None:
                progress(first, None)
    return RunLeases(made, tuple(problems), tuple(unread))


def _sound(batch: Sequence[Any], policy: BillingPolicy | None) -> Mask:
    """Return which leases no record refuses; any other is read for itself."""
    nothing = np.zeros(len(batch), np.bool_)
    rules = policy_of(policy)
    read = read_flat(batch.form, rules) if isinstance(batch, ColumnLeases) else None
    if read is None:
        return nothing
    scales = Scales(read.items, rules)
    return eligible_by_columns(read.items, scales, rules, 0) if scales.fit else nothing
