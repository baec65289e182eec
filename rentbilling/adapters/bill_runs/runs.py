"""Runs: the leases of a file, a period and an engine; out comes a file of bills, and its summary.

Laws: the bytes depend on what was handed in alone, not on the engine or on how often the run was
begun; leases in = leases billed + with problems + with nothing due; nothing half-written stands
under a name that was asked for.
What does not live here: how parts are made (`forms`, `engines`), kept (`parts`) and written
(`targets`); the command (`cli.bill_runs`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.bill_runs.engines import Engine, in_processes, in_this_process
from rentbilling.adapters.bill_runs.forms import FORMS, Form, PartMaker, PartTask
from rentbilling.adapters.bill_runs.manifests import PART_SIZE, facts_of
from rentbilling.adapters.bill_runs.parts import Parts, discard, kept_in
from rentbilling.adapters.bill_runs.summaries import summary_of
from rentbilling.adapters.bill_runs.targets import Add, written
from rentbilling.errors import InvalidRecordError, RentBillingError, UnknownWordError
from rentbilling.indices import AnyIndices
from rentbilling.periods import Period
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.batch_runs import BillRecordBatches, Output
from rentbilling.portfolio.column_types import ExtraColumns, lease_readers
from rentbilling.portfolio.lease_ids import of_one_lease_each
from rentbilling.portfolio.portfolio_runs import BATCH_SIZE
from rentbilling.portfolio.problems import OnProblem
from rentbilling.portfolio.run_summaries import RunSummary
from rentbilling.portfolio.sources import source_of

AnyPath = str | PathLike[str]
Progress = Callable[[int, int], None]
"""Takes how many leases are done, and how many there are."""


class RunReport(NamedTuple):
    """What came of a run."""

    summary: RunSummary
    parts: int
    """Parts that the run has."""
    kept: int
    """Those of them that an earlier run had made."""


def run_bills(
    leases: AnyPath,
    period: Period | str,
    out: AnyPath,
    *,
    problems: AnyPath | None = None,
    adjustments: AnyPath | None = None,
    notices: AnyPath | None = None,
    form: Form = "parquet",
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    already_billed: AnyPath | None = None,
    billed_since: date | str | None = None,
    stamp: datetime | None = None,
    workers: int = 1,
    engine: Engine | None = None,
    progress: Progress | None = None,
    afresh: bool = False,
    part_size: int = PART_SIZE,
) -> RunReport:
    """Bill the leases of a file, and write the bills to another.

    What is done is kept in a folder beside the bills, `bills.parquet.parts`, until all of it is; a
    run that was killed goes on from there when it is begun again.

    Args:
        leases: A Parquet or Arrow file, or a folder of Parquet files, see `bill_portfolio`.
        period: The asked days, both ends included.
        out: The file of the bills; one that is there is replaced.
        problems: The Parquet file of the problems; where absent, `bills.problems.parquet`.
        adjustments: The Parquet file of the rent adjustments, where one is wanted.
        notices: The Parquet file of the notices, where one is wanted.
        form: What the bills are written as: `parquet`, `csv`, `jsonl`, or `ics` for the due dates.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        on_problem: Whether a lease that cannot be billed is a row of the problems, or stops the
            run.
        extra_columns: Whether columns that no lease has are refused or ignored.
        already_billed: A Parquet file of earlier bills; what they bill is not billed again (A53).
        billed_since: The first day that counts then, see `bill_period`.
        stamp: DTSTAMP of a calendar; where absent, midnight UTC of each due date.
        workers: Processes.
        engine: What makes the parts in their place.
        progress: Is told how far the run is, where the number of leases is known.
        afresh: Whether the parts of an earlier run are thrown away.
        part_size: Leases of a part, about.

    Returns:
        The summary, and how many parts an earlier run had made.

    Raises:
        RentBillingError: A file or its columns, the period or a word is wrong, the parts there are
            of another run, or a lease is wrong, with `on_problem="raise"`.
        WorkerDiedError: A process has died; what is done is kept.
        OSError: A file cannot be read or written; what is done is kept.
    """
    source, to = Path(leases), Path(out)
    earlier = None if already_billed is None else Path(already_billed)
    beside = to.with_name(f"{to.stem}.problems.parquet") if problems is None else Path(problems)
    targets: dict[Output, Path] = {"bills": to, "problems": beside}
    wanted: tuple[tuple[Output, AnyPath | None], ...] = (
        ("adjustments", adjustments),
        ("notices", notices),
    )
    targets |= {name: Path(path) for name, path in wanted if path is not None}
    _refuse_twins(targets, leases=source, already_billed=earlier)
    if form not in FORMS:
        expected = "one of " + ", ".join(FORMS)
        raise UnknownWordError.of("form", "unknown_word", "is not a known word", form, expected)
    for each in (source, *(() if earlier is None else (earlier,))):
        _refuse_unreadable(each)
    bill = BillRecordBatches(
        period,
        indices=indices,
        policy=policy,
        on_problem=on_problem,
        extra_columns=extra_columns,
        already_billed=None if earlier is None else str(earlier),
        billed_since=billed_since,
    )
    found = source_of(source, min(BATCH_SIZE, part_size))
    lease_readers(found.schema, extra_columns)
    make = PartMaker(bill, form, stamp, tuple(targets))
    facts = facts_of(source, earlier, make, part_size)
    chosen = engine or (in_this_process if workers == 1 else in_processes(workers))
    folder = to.with_name(f"{to.name}.parts")
    batches = found.batches
    if earlier is not None:
        batches = of_one_lease_each(batches, policy_of(policy), extra_columns)
    run = _Run(make, batches, part_size, chosen, progress, _leases_in(source))
    with kept_in(folder, facts, afresh=afresh) as parts:
        try:
            with written(targets, form) as add:
                report = run.finished(parts, add)
        except RentBillingError:
            # What is wrong has to be changed, and the run is another one then.
            discard(folder)
            raise
        discard(folder)
    return report


@dataclass(frozen=True)
class _Run:
    """A run that can begin."""

    make: PartMaker
    batches: Iterable[Any]
    part_size: int
    engine: Engine
    progress: Progress | None
    total: int | None
    """Leases of the source, where that is known."""

    def finished(self, parts: Parts, add: Add) -> RunReport:
        """Make the parts that are missing and hand over all of them in order."""
        kept, summary, following = parts.numbers, RunSummary(), 0
        self._tell(parts.leases)
        with closing(self.engine(self.make, self._tasks(kept))) as made:
            for number, part in made:
                parts.keep(number, part)
                self._tell(parts.leases)
                # While others make parts, those that are next are put together.
                while following in parts.numbers:
                    summary += _added(parts, following, add)
                    following += 1
        while following in parts.numbers:
            summary += _added(parts, following, add)
            following += 1
        return RunReport(summary, following, len(kept))

    def _tasks(self, kept: frozenset[int]) -> Iterator[PartTask]:
        """Give the parts that are to be made."""
        number = first = rows = 0
        held: list[Any] = []
        for batch in self.batches:
            held.append(batch)
            rows += batch.num_rows
            if rows >= self.part_size:
                if number not in kept:
                    yield PartTask(number, first, held)
                number, first, rows, held = number + 1, first + rows, 0, []
        if rows and number not in kept:
            yield PartTask(number, first, held)

    def _tell(self, done: int) -> None:
        """Say how far the run is."""
        if self.progress is not None and self.total is not None:
            self.progress(done, self.total)


def _added(parts: Parts, number: int, add: Add) -> RunSummary:
    """Hand over a part, and return its summary."""
    part = parts.part(number)
    add(part.tables)
    return summary_of(part.summary)


def _leases_in(path: Path) -> int | None:
    """Return how many leases a Parquet file holds, or the files of a folder; None where unknown."""
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    try:
        return sum(int(pq.read_metadata(each).num_rows) for each in files)
    except (pa.ArrowException, OSError):
        return None


def _refuse_unreadable(path: Path) -> None:
    """Let the system refuse a file that is not there or not to be read, by its name."""
    if path.is_dir():
        return
    with path.open("rb"):
        pass


def _refuse_twins(targets: Mapping[Output, Path], **sources: Path | None) -> None:
    """Refuse one file for two things, of which one would be lost."""
    seen = {path.resolve(): name for name, path in sources.items() if path is not None}
    for table, path in targets.items():
        name = "out" if table == "bills" else table
        other = seen.setdefault(path.resolve(), name)
        if other != name:
            said, expected = f"is the file of {other} as well", "another file"
            raise InvalidRecordError.of(name, "duplicate_path", said, str(path), expected)
