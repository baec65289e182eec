"""Portfolio runs: a source of leases and a period go in, tables of bills come out.

Laws: a run is one pass over its source, batch by batch; a file stands under its name when it is
whole, and not before; what a run refuses leaves nothing behind.
What does not live here: how a batch is billed (`batch_runs`), where leases come from (`sources`).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from os import PathLike, getpid
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError
from rentbilling.indices import AnyIndices
from rentbilling.periods import Period
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.batch_runs import SCHEMAS, BilledBatch, BillRecordBatches, Output
from rentbilling.portfolio.column_types import ExtraColumns, lease_readers
from rentbilling.portfolio.lease_ids import of_one_lease_each
from rentbilling.portfolio.problems import OnProblem
from rentbilling.portfolio.run_summaries import RunSummary
from rentbilling.portfolio.sources import source_of

BATCH_SIZE: Final = 8192
"""Leases of a batch: enough for the columns to pay, few enough to fit anywhere."""

AnyPath = str | PathLike[str]


class PortfolioRun:
    """A run over many leases, which is under way as far as its batches are taken.

    It gives its batches once: as record batches of one table (`for bills in run`), as all tables of
    each batch (`run.batches()`), written to files, or collected. `run.summary` is that of the
    batches given so far.
    """

    __slots__ = ("_batches", "_begun", "_bill", "_summary")

    def __init__(self, bill: BillRecordBatches, batches: Iterator[Any]) -> None:
        """Begin a run; make it with `bill_portfolio`.

        Args:
            bill: What bills a batch.
            batches: The leases.
        """
        self._bill = bill
        self._batches = batches
        self._begun = False
        self._summary = RunSummary()

    @property
    def summary(self) -> RunSummary:
        """What came of the leases so far."""
        return self._summary

    def batches(self) -> Iterator[BilledBatch]:
        """Give all tables of what came of each batch of leases.

        Returns:
            The bills, adjustments, notices and problems of a batch, one batch after another.

        Raises:
            InvalidRecordError: The run was begun before, or the source cannot be read.
            RentBillingError: A lease cannot be billed, with `on_problem="raise"`.
        """
        if self._begun:
            said, expected = "was begun before", "another call of bill_portfolio"
            raise InvalidRecordError.of("run", "begun", said, self, expected)
        self._begun = True
        return self._given()

    def _given(self) -> Iterator[BilledBatch]:
        """Give batch after batch."""
        first = 0
        for leases in self._batches:
            made = self._bill.billed(leases, first)
            first += len(leases)
            self._summary += made.summary
            # Nothing of a batch is kept while its bills are looked at.
            del leases
            yield made
            del made

    def __iter__(self) -> Iterator[Any]:
        """Give the record batches of the run's output, those that have rows."""
        for made in self.batches():
            table = getattr(made, self._bill.output)
            if table.num_rows:
                yield table

    def to_table(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the run's output as one `pyarrow.Table`, held in memory."""
        return pa.Table.from_batches(list(self), SCHEMAS[self._bill.output])

    def to_tables(self) -> dict[Output, Any]:
        """Return every table of the run as a `pyarrow.Table` by its name, held in memory."""
        found: dict[Output, list[Any]] = {name: [] for name in SCHEMAS}
        for made in self.batches():
            for name, kept in found.items():
                kept.append(getattr(made, name))
        return {name: pa.Table.from_batches(kept, SCHEMAS[name]) for name, kept in found.items()}

    def write_parquet(
        self,
        path: AnyPath,
        *,
        problems: AnyPath | None = None,
        others: Mapping[Output, AnyPath] | None = None,
    ) -> RunSummary:
        """Write the run's output to a Parquet file, and its problems to another beside it.

        Files are written under other names, and have their own when all of them are whole; those
        that were there before are replaced then.

        Args:
            path: Of the run's output.
            problems: Of the problems; where absent, beside it: `bills.problems.parquet`.
            others: Paths of other tables by their names.

        Returns:
            The summary of the run.

        Raises:
            RentBillingError: See `batches`; no file is left behind.
            InvalidRecordError: Two tables have the same path.
            OSError: A file cannot be written; none is left behind.
        """
        to = Path(path)
        beside = to.with_name(f"{to.stem}.problems{to.suffix}")
        targets: dict[Output, Path] = {
            "problems": beside if problems is None else Path(problems),
            self._bill.output: to,
        }
        targets |= {name: Path(where) for name, where in (others or {}).items()}
        _refuse_twins(targets.values())
        parts: dict[Output, Path] = {
            name: where.with_name(f".{where.name}.{getpid()}.part")
            for name, where in targets.items()
        }
        with ExitStack() as undone:
            for part in parts.values():
                undone.callback(part.unlink, missing_ok=True)
            with ExitStack() as closing:
                writers = {
                    name: closing.enter_context(pq.ParquetWriter(part, SCHEMAS[name]))
                    for name, part in parts.items()
                }
                for made in self.batches():
                    for name, writer in writers.items():
                        table = getattr(made, name)
                        if table.num_rows:
                            writer.write_batch(table)
            for name, where in targets.items():
                parts[name].replace(where)
        return self._summary

    def __repr__(self) -> str:
        """Return how far it is."""
        return f"<PortfolioRun {self._bill.period}, {self._summary.leases} leases so far>"


def _refuse_twins(paths: Iterable[Path]) -> None:
    """Refuse one path for two tables, of which one would be lost."""
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            said, expected = "is the file of two tables", "a path for each"
            raise InvalidRecordError.of("path", "duplicate_path", said, str(path), expected)
        seen.add(path)


def bill_portfolio(
    source: Any,  # noqa: ANN401 - whatever holds leases
    period: Period | str,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    output: Output = "bills",
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    batch_size: int = BATCH_SIZE,
    already_billed: Any = None,  # noqa: ANN401 - whatever holds bills
    billed_since: date | str | None = None,
) -> PortfolioRun:
    """Return the run that bills many leases for a period, with the figures of `bill_period`.

    Args:
        source: What holds the leases, with the columns of `LEASE_SCHEMA` in any order: the path of
            a Parquet or Arrow file or of a folder of Parquet files, `CsvLeases`, an Arrow table or
            reader, a data frame, or an iterable of record batches, of leases, or of payloads.
        period: The asked days, both ends included.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        output: The table that the run gives: a row for each bill or line, or for each adjustment,
            notice or problem.
        on_problem: Whether a lease that cannot be billed is a row of the problems, beside the bills
            of the others, or stops the run.
        extra_columns: Whether columns that no lease has are refused or ignored.
        batch_size: Leases of a batch at most; memory grows with it, and hardly with anything else.
        already_billed: Earlier bills, as a run gives them: the path of a Parquet file, or a table.
            They are found by the id of the lease, which each lease must have then, and no two the
            same; what they bill is not billed again, and what has changed since is corrected (A53).
            Of each lease a few bytes are kept.
        billed_since: The first day that counts then, see `bill_period`.

    Returns:
        The run, of which no lease has been billed yet.

    Raises:
        InvalidInputError: The period is malformed, a word unknown, the source holds no leases, or
            its columns are not those of leases. While the run is under way: beside earlier bills,
            two leases have one id.
        OSError: There is no such file.
        TypeError: `policy` is no BillingPolicy, or the batch size no number of 1 or more.

    Examples:
        >>> from rentbilling.testing import a_lease
        >>> run = bill_portfolio([a_lease()], "2026-02-01/2026-03-31")
        >>> run.to_table().column("due_date").to_pylist()
        [datetime.date(2026, 2, 1), datetime.date(2026, 3, 1)]
        >>> print(run.summary)
        1 leases: 1 billed, 0 with nothing due, 0 with problems
        2 bills, 0 adjustments, 0 notices
        17000.00 DKK + 0.00 VAT = 17000.00 DKK
          Exempt: 0.00 of 17000.00
    """
    if type(batch_size) is not int or batch_size < 1:
        raise TypeError(f"a batch has 1 lease or more, not {batch_size!r}")
    bill = BillRecordBatches(
        period,
        indices=indices,
        policy=policy,
        output=output,
        on_problem=on_problem,
        extra_columns=extra_columns,
        already_billed=already_billed,
        billed_since=billed_since,
    )
    found = source_of(source, batch_size)
    if found.schema is not None:
        lease_readers(found.schema, extra_columns)
    batches = found.batches
    if already_billed is not None:
        batches = of_one_lease_each(batches, policy_of(policy), extra_columns)
    return PortfolioRun(bill, batches)
