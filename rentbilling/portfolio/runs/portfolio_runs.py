"""Portfolio runs: a source of leases and a period go in, tables of bills come out.

Laws: a run is one pass over its source, batch by batch; a file has its name when it is whole, and
not before; a run that is refused leaves no file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from errno import EISDIR, ENOENT
from os import PathLike, getpid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError, refuse_no_progress
from rentbilling.indices import AnyIndices
from rentbilling.layout import heading, html_table
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_columns
from rentbilling.portfolio.leases.ids import LeaseIds, of_one_lease_each
from rentbilling.portfolio.leases.problems import OnProblem
from rentbilling.portfolio.leases.sources import leases_in, source_of
from rentbilling.portfolio.runs.batch_runs import SCHEMAS, BilledBatch, BillRecordBatches, Output
from rentbilling.portfolio.runs.frames import frame_table, loaded
from rentbilling.portfolio.runs.summaries import RunSummary
from rentbilling.tables import counted
from rentbilling.values import AnyPeriod

if TYPE_CHECKING:
    import pandas as pd

BATCH_SIZE: Final = 4096
"""Leases of a batch: enough for the columns to pay, few enough to fit anywhere."""

AnyPath = str | PathLike[str]

Progress = Callable[[int, int | None], object]
"""Takes how many leases are done, and how many there are; None where that is not known."""

_GO_ON: Final = (
    "to_table(), to_tables(), to_pandas(), to_polars(), write_parquet(path), or for bills in run"
)


class PortfolioRun:
    """A run over many leases, which is under way as far as its batches are taken.

    It gives its batches once: as record batches of one table (`for bills in run`), as all tables of
    each batch (`run.batches()`), written to files, or collected. `run.summary` is that of the
    batches given so far.
    """

    __slots__ = ("_batches", "_begun", "_bill", "_done", "_progress", "_seen", "_summary", "_total")

    def __init__(
        self,
        bill: BillRecordBatches,
        batches: Iterator[Any],
        *,
        progress: Progress | None = None,
        total: int | None = None,
        seen: LeaseIds | None = None,
    ) -> None:
        """Begin a run; make it with `bill_portfolio`.

        Args:
            bill: What bills a batch.
            batches: The leases.
            progress: Is called after each batch.
            total: How many leases there are, where that is known.
            seen: The ids that the batches have had so far.
        """
        self._bill = bill
        self._batches = batches
        self._progress, self._total, self._seen = progress, total, seen
        self._begun = self._done = False
        self._summary = RunSummary(begun=False)

    @property
    def summary(self) -> RunSummary:
        """What came of the leases so far; of a run that was not begun it says so."""
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
        self._summary = RunSummary()
        for leases in self._batches:
            made = self._bill.billed(leases, first)
            first += len(leases)
            self._summary += made.summary
            # No reference to a batch is left while its bills are used.
            del leases
            yield made
            del made
            self._report(first, self._total)
        if self._seen is not None and self._bill.already_billed is not None:
            self._summary += RunSummary(gone=self._bill.already_billed.gone_from(self._seen))
        self._done = True
        self._report(first, first)

    def _report(self, done: int, total: int | None) -> None:
        """Say how far it is; that all is done, once."""
        if self._progress is not None and (done != total or self._done):
            self._progress(done, total)

    def __iter__(self) -> Iterator[Any]:
        """Give the record batches of the run's output, those that have rows."""
        for made in self.batches():
            table = getattr(made, self._bill.output)
            if table.num_rows:
                yield table

    def to_table(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the run's output as one `pyarrow.Table`, in memory."""
        return pa.Table.from_batches(list(self), SCHEMAS[self._bill.output])

    def to_tables(self) -> dict[Output, Any]:
        """Return every table of the run as a `pyarrow.Table` by its name, in memory."""
        found: dict[Output, list[Any]] = {name: [] for name in SCHEMAS}
        for made in self.batches():
            for name, kept in found.items():
                kept.append(getattr(made, name))
        return {name: pa.Table.from_batches(kept, SCHEMAS[name]) for name, kept in found.items()}

    def to_pandas(self, *, floats: bool = False, nested: bool = False) -> "pd.DataFrame":
        """Return the run's output as a pandas data frame: numbers are Decimal, days datetime64.

        Money has the decimals of its currency, more where a value needs them. Lists, such as the
        lines of a bill, are left out; `output="lines"` gives a row for each line.

        Args:
            floats: Whether numbers are floats, which plot; for pictures only, because they are not
                exact.
            nested: Whether the frame has every column as `to_table` does, also lists of dicts;
                such a frame is taken by `bills_from_arrow` and as `already_billed`.

        Raises:
            ImportError: pandas is not installed.
            InvalidRecordError: Both are asked for.
        """
        loaded("pandas")
        found: pd.DataFrame = self._frame(floats=floats, nested=nested).to_pandas(
            date_as_object=False
        )
        return found

    def to_polars(self, *, floats: bool = False, nested: bool = False) -> Any:  # noqa: ANN401
        """Return the run's output as a Polars data frame, with the arguments of `to_pandas`.

        Raises:
            ImportError: Polars is not installed.
            InvalidRecordError: Both are asked for.
        """
        return loaded("polars").from_arrow(self._frame(floats=floats, nested=nested))

    def _frame(self, *, floats: bool, nested: bool) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the table that a data frame is made of."""
        currencies = policy_of(self._bill.policy).currencies
        return frame_table(self.to_table(), currencies, floats=floats, nested=nested)

    def write_parquet(
        self,
        path: AnyPath,
        *,
        problems: AnyPath | None = None,
        others: Mapping[Output, AnyPath] | None = None,
    ) -> RunSummary:
        """Write the run's output to a Parquet file, and its problems to another.

        Files are written under other names, and have their own when all of them are whole; those
        that were there before are replaced then.

        Args:
            path: Of the run's output.
            problems: Of the problems; where absent, `bills.problems.parquet` in the same folder.
            others: Paths of other tables by their names.

        Returns:
            The summary of the run.

        Raises:
            RentBillingError: See `batches`; no file is left behind.
            InvalidRecordError: Two tables have the same path.
            OSError: A file cannot be written; none is left behind.
        """
        to = Path(path)
        usual = to.with_name(f"{to.stem}.problems{to.suffix}")
        targets: dict[Output, Path] = {
            "problems": usual if problems is None else Path(problems),
            self._bill.output: to,
        }
        targets |= {name: Path(where) for name, where in (others or {}).items()}
        _refuse_repeated(targets.values())
        _refuse_unwritable(targets.values())
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
        return f"<PortfolioRun {self._bill.period}, {self._state()}>"

    def _state(self) -> str:
        """Return how far it is, in words."""
        if not self._begun:
            return "not begun"
        return counted(self._summary.leases, "lease") + ("" if self._done else " so far")

    def _repr_html_(self) -> str:
        """Return for a notebook what it is, how far it is, and how it goes on."""
        there = "" if self._total is None else f" (of {self._total:,})"
        facts = {"period": self._bill.period, "gives": self._bill.output}
        facts["leases"] = self._state() + ("" if self._done else there)
        note = f"go on with {_GO_ON}"
        if self._begun:
            names = "billed", "nothing_due", "with_problems"
            facts |= {name: getattr(self._summary, name) for name in names}
            note = "gives its batches once; another call of bill_portfolio is another run"
        cells = [[heading(name), str(value)] for name, value in facts.items()]
        heads = [("field", False), ("value", False)]
        return html_table(heads, cells, caption=type(self).__name__, note=note)


def _refuse_repeated(paths: Iterable[Path]) -> None:
    """Refuse one path for two tables, of which one would be lost."""
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            said, expected = "is the file of two tables", "a path for each"
            raise InvalidRecordError.of("path", "duplicate_path", said, str(path), expected)
        seen.add(path)


def _refuse_unwritable(paths: Iterable[Path]) -> None:
    """Refuse files that have no folder, or are one, by the names that were asked for."""
    for path in paths:
        if not path.parent.is_dir():
            raise FileNotFoundError(ENOENT, f"there is no folder {path.parent}", str(path))
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "is a folder, not a file", str(path))


def bill_portfolio(
    source: Any,  # noqa: ANN401 - whatever holds leases
    period: AnyPeriod,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    output: Output = "bills",
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    batch_size: int = BATCH_SIZE,
    already_billed: Any = None,  # noqa: ANN401 - whatever holds bills
    billed_since: date | str | None = None,
    progress: Progress | None = None,
) -> PortfolioRun:
    """Return the run that bills many leases for a period, with the figures of `bill_period`.

    Args:
        source: What holds the leases, with the columns of `LEASE_SCHEMA` in any order: the path of
            a Parquet or Arrow file or of a folder of Parquet files, also in sub-folders,
            `TableMapping.leases` of a flat table, an Arrow table or reader, a data frame, or an
            iterable of record batches, of leases, or of payloads. Flat tables, leases and payloads
            are billed one by one.
        period: The asked days, both ends included.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        output: The table that the run gives: a row for each bill or line, or for each adjustment,
            notice or problem.
        on_problem: Whether a lease that cannot be billed is a row of the problems, or stops
            the run.
        extra_columns: Whether columns that no lease has are refused or ignored.
        batch_size: Leases of a batch at most; memory grows with it, and hardly with anything else.
        already_billed: All bills of the last months, as runs give them: the path of a Parquet file
            or of a folder of them, a table or reader of Arrow, a data frame, or several of those in
            a list. They are found by the id of the lease, which each lease must have then; what
            they bill is not billed again, and what has changed since is corrected (A53). A bill
            that is given twice is refused.
        billed_since: The first day that counts then, the same for all leases; all bills that were
            due since are given. Without it a lease counts from the first due date of its own
            earlier bills, and nothing is made up for a lease without any, such as one that had a
            problem.
        progress: Is called after each batch with how many leases are done and how many there are,
            None where the source does not say; at the end with the same number twice.

    Returns:
        The run, of which no lease has been billed yet. Of each lease it keeps 24 bytes, so that two
        leases of one id are refused and not billed twice.

    Raises:
        InvalidInputError: The period is malformed, a word unknown, the source has no leases, or
            its columns are not those of leases. While the run is under way: two leases have one
            id.
        OSError: There is no such file.
        TypeError: `policy` is no BillingPolicy, or the batch size no number of 1 or more.

    Examples:
        >>> from rentbilling.testing import a_lease
        >>> run = bill_portfolio([a_lease()], "2026-02-01/2026-03-31")
        >>> run.to_table().column("due_date").to_pylist()
        [datetime.date(2026, 2, 1), datetime.date(2026, 3, 1)]
        >>> print(run.summary)
        1 lease: 1 billed, 0 with nothing due, 0 with problems
        2 bills, 0 adjustments, 0 notices
        17000.00 DKK + 0.00 VAT = 17000.00 DKK
          Exempt: 0.00 of 17000.00
    """
    if type(batch_size) is not int or batch_size < 1:
        raise TypeError(f"a batch has 1 lease or more, not {batch_size!r}")
    refuse_no_progress(progress)
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
    found = source_of(source, batch_size, policy)
    if found.schema is not None:
        check_columns(found.schema, extra_columns)
    seen = LeaseIds()
    batches = of_one_lease_each(found.batches, extra_columns, seen, found.place)
    total = None if progress is None else leases_in(source)
    return PortfolioRun(bill, batches, progress=progress, total=total, seen=seen)
