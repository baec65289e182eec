"""Runs: the leases of a file, a period and an engine; out comes a file of bills, and its summary.

Laws: the bytes depend on what was handed in alone, not on the engine or on how often the run was
begun; leases in = leases billed + with problems + with nothing due; no file that was asked
for is ever there half-written.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from rentbilling.adapters.bill_forms import SUFFIXES, Form
from rentbilling.adapters.file_runs.engines import Engine, MadeParts, in_processes, in_this_process
from rentbilling.adapters.file_runs.file_errors import refuse_unreadable, refused_file
from rentbilling.adapters.file_runs.forms import PartMaker, form_of, summary_of
from rentbilling.adapters.file_runs.lease_files import LeaseFiles, lease_files
from rentbilling.adapters.file_runs.manifests import PART_SIZE, facts_of
from rentbilling.adapters.file_runs.mapped_leases import RunLeases, run_leases
from rentbilling.adapters.file_runs.part_tasks import (
    can_be_read_in_parts,
    passing_tasks,
    referring_tasks,
)
from rentbilling.adapters.file_runs.parts import (
    Parts,
    discard,
    folder_of,
    note_unfinished,
    opened_parts,
)
from rentbilling.adapters.file_runs.targets import (
    Add,
    EndOfHistory,
    unfinished,
    written,
)
from rentbilling.errors import InvalidRecordError, check_progress
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns
from rentbilling.portfolio.leases.problems import OnProblem
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.portfolio.runs.batch_runs import SCHEMAS, BillRecordBatches
from rentbilling.portfolio.runs.bill_sources import bill_files
from rentbilling.portfolio.runs.earlier_bills import EarlierBills, end_of_history
from rentbilling.portfolio.runs.histories import history_files
from rentbilling.portfolio.runs.summaries import RunSummary
from rentbilling.portfolio.runs.table_runs import refuse_unwritable
from rentbilling.values import AnyPeriod

AnyPath = str | PathLike[str]
Progress = Callable[[int, int | None], object]
"""Takes how many leases are done, and how many there are; None while a flat table is read."""


_OTHERS: Final = ("problems", "adjustments", "notices", "history")
"""The tables of a run beside the bills."""


class RunReport(NamedTuple):
    """The outcome of a run."""

    summary: RunSummary
    parts: int
    """Parts that the run has."""
    kept: int
    """Those of them that an earlier run had made."""


class CheckReport(NamedTuple):
    """The outcome that a run would have."""

    summary: RunSummary
    problems: Any
    """A table of `PROBLEM_SCHEMA`."""


def run_bills(
    leases: AnyPath,
    period: AnyPeriod,
    out: AnyPath,
    *,
    mapping: TableMapping | None = None,
    problems: AnyPath | None = None,
    adjustments: AnyPath | None = None,
    notices: AnyPath | None = None,
    history: AnyPath | None = None,
    form: Form | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    already_billed: AnyPath | Sequence[AnyPath] | None = None,
    billed_since: date | str | None = None,
    stamp: datetime | None = None,
    workers: int = 1,
    engine: Engine | None = None,
    progress: Progress | None = None,
    afresh: bool = False,
    send_leases: bool = False,
    part_size: int = PART_SIZE,
) -> RunReport:
    """Bill the leases of a file, and write the bills to another.

    Finished parts are stored in a folder next to the bills, `bills.parquet.parts`, until the run is
    finished; a run that was killed goes on from there when it is begun again.

    Args:
        leases: A Parquet or Arrow file, or a folder of Parquet files, see `bill_portfolio`.
        period: The asked days, both ends included.
        out: The file of the bills; one that is there is replaced.
        mapping: Which columns have which fields, where the leases are a flat table in CSV. The
            problems of its rows come first.
        problems: The file of the problems, in Parquet, CSV or lines of JSON, as its name ends;
            where absent, that of `problems_of`.
        adjustments: The Parquet file of the rent adjustments, where one is wanted.
        notices: The Parquet file of the notices, where one is wanted.
        history: The Parquet file of what the next run needs, see `write_parquet` of a run.
        form: What the bills are written as: `parquet`, `csv`, `jsonl`, or `ics` for the due dates;
            where absent, what the name of their file ends in.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        on_problem: Whether a lease that cannot be billed is a row of the problems, or stops the
            run.
        extra_columns: Whether columns that no lease has are refused or ignored.
        already_billed: The Parquet files of all bills of the last months, or folders of them; what
            they bill is not billed again (A53).
        billed_since: The first day that counts then, see `bill_period`.
        stamp: DTSTAMP of a calendar; where absent, midnight UTC of each due date.
        workers: Processes.
        engine: What makes the parts in their place.
        progress: Is called with the leases that are done, and all of them, where that is known.
        afresh: Whether the parts of an earlier run are thrown away.
        send_leases: Whether leases are read here and sent to where they are billed. Else workers
            read Parquet files of small groups of rows themselves, under the same paths.
        part_size: Leases of a part.

    Returns:
        The summary, and how many parts an earlier run had made.

    Raises:
        FileRefusedError: A file or its columns are wrong, two files are the same one, or the parts
            there are of another run; it knows which file.
        RentBillingError: The period or a word is wrong, or a lease is, with `on_problem="raise"`;
            finished parts stay.
        WorkerDiedError: A process has died; finished parts stay.
        OSError: A file cannot be read or written; finished parts stay.
    """
    source, to = Path(leases), Path(out)
    check_progress(progress)
    earlier = _earlier_files(already_billed, to)
    found_form = form_of(to, form)
    targets = _targets(to, found_form, problems, adjustments, notices, history)
    with refused_file(to):
        refuse_unwritable(_named(targets), source, earlier)
    with run_leases(source, mapping, policy, on_problem, progress) as given:
        asked = _Asked(
            given,
            earlier,
            extra_columns,
            part_size,
            send_leases=send_leases,
            histories=_histories(already_billed),
        )
        bill = asked.bill(
            period,
            indices=indices,
            policy=policy,
            on_problem=on_problem,
            billed_since=billed_since,
            with_history=history is not None,
        )
        files, known = asked.files(bill)
        end_of = None if history is None else asked.end_of_history(bill, files, found_form)
        make = PartMaker(bill, found_form, stamp, tuple(targets))
        facts = facts_of(given.path, earlier, make, part_size)
        run = _Run(make, asked, files, known, engine or _engine(workers), progress)
        with opened_parts(folder_of(to), facts, afresh=afresh) as parts:
            note_unfinished(folder_of(to), unfinished(targets).values())
            with written(targets, found_form, end_of) as add:
                report = run.finished(parts, add)
    discard(folder_of(to))
    return report


def check_leases(
    leases: AnyPath,
    period: AnyPeriod,
    *,
    mapping: TableMapping | None = None,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    extra_columns: ExtraColumns = "refuse",
    already_billed: AnyPath | Sequence[AnyPath] | None = None,
    billed_since: date | str | None = None,
    workers: int = 1,
    engine: Engine | None = None,
    progress: Progress | None = None,
    send_leases: bool = False,
    part_size: int = PART_SIZE,
) -> CheckReport:
    """Bill the leases of a file as `run_bills` does, with the same arguments, and write nothing.

    Raises:
        FileRefusedError: A file or its columns are wrong.
        RentBillingError: The period or a word is wrong.
        WorkerDiedError: A process has died.
        OSError: A file cannot be read.
    """
    check_progress(progress)
    earlier = _earlier_files(already_billed)
    with run_leases(Path(leases), mapping, policy, "table", progress) as given:
        asked = _Asked(given, earlier, extra_columns, part_size, send_leases=send_leases)
        bill = asked.bill(
            period, indices=indices, policy=policy, on_problem="table", billed_since=billed_since
        )
        files, known = asked.files(bill)
        make = PartMaker(bill, "parquet", tables=("problems",))
        return _Run(make, asked, files, known, engine or _engine(workers), progress).checked()


def _engine(workers: int) -> Engine:
    return in_this_process if workers == 1 else in_processes(workers)


def problems_of(out: Path, form: Form) -> Path:
    """Return the usual file of the problems of a run, which is of the form of its bills.

    Examples:
        >>> problems_of(Path("march.csv"), "csv").name, problems_of(Path("a.ics"), "ics").name
        ('march.problems.csv', 'a.ics.problems.csv')
    """
    kind: Form = "csv" if form == "ics" else form
    is_named = SUFFIXES.get(out.suffix.lower()) == kind
    return out.with_name(
        f"{out.stem}.problems{out.suffix}" if is_named else f"{out.name}.problems.{kind}"
    )


def _refuse_other_form(name: str, path: Path) -> None:
    """Refuse a file whose name says that it is of a form in which its table is not written.

    Raises:
        InvalidRecordError: It is.
    """
    form, known = SUFFIXES.get(path.suffix.lower()), [*SUFFIXES][:-1]
    if name == "problems" and form in (None, "ics"):
        said, expected = "does not say the form of the problems", "one of " + ", ".join(known)
    elif name not in ("bills", "problems") and form not in (None, "parquet"):
        said, expected = "would be written in Parquet", path.with_suffix(".parquet").name
    else:
        return
    raise InvalidRecordError.of(name, "unknown_form", said, path.name, expected)


def _targets(out: Path, form: Form, *others: AnyPath | None) -> dict[str, Path]:
    """Return the files of a run by their tables: of the bills, and of the others that are wanted.

    Raises:
        FileRefusedError: The name of one says another form.
    """
    targets = {"bills": out, "problems": problems_of(out, form)}
    named = zip(_OTHERS, others, strict=True)
    targets |= {name: Path(path) for name, path in named if path is not None}
    for name, path in targets.items():
        with refused_file(path):
            _refuse_other_form(name, path)
    return targets


def _named(targets: Mapping[str, Path]) -> dict[str, Path]:
    """Return files by the names of the arguments that say them."""
    return {"out" if table == "bills" else table: path for table, path in targets.items()}


@dataclass(frozen=True)
class _Asked:
    """The input of a run, and how it is read."""

    given: RunLeases
    earlier: Sequence[Path]
    extra_columns: ExtraColumns
    part_size: int
    send_leases: bool
    histories: Sequence[Path] = ()

    def bill(self, period: AnyPeriod, **options: Any) -> BillRecordBatches:  # noqa: ANN401
        """Return what bills a batch, with the earlier bills checked."""
        earlier = None
        if self.earlier:
            with refused_file(self.earlier[0]):
                earlier = EarlierBills(self.earlier, self.histories)
        return BillRecordBatches(
            period, extra_columns=self.extra_columns, already_billed=earlier, **options
        )

    def files(self, bill: BillRecordBatches) -> tuple[LeaseFiles, RunSummary]:
        """Return the files of leases, all of them checked, and what is known before billing.

        That is how many leases have earlier bills and are in none of the files, and what cannot be
        read of a flat table.
        """
        files = lease_files(self.given.path, self.extra_columns)
        seen = files.own_ids()
        seen.again(self.given.unread)
        known = self.given.summary
        if bill.already_billed is not None:
            known += RunSummary(gone=bill.already_billed.gone_from(seen))
        return files, known

    def end_of_history(
        self, bill: BillRecordBatches, files: LeaseFiles, form: Form
    ) -> EndOfHistory:
        """Return what a history ends with: leases that are gone, and the files it is for.

        Raises:
            InvalidRecordError: There is none of such a run.
        """
        if form != "parquet":
            said, expected = "is of bills in Parquet alone", "bills without --format"
            raise InvalidRecordError.of("history", "no_history", said, form, expected)
        facts = bill.history_facts()

        def end(bills: Path) -> tuple[Any, Mapping[bytes, bytes]]:
            seen = files.own_ids()
            seen.again(self.given.unread)
            return end_of_history(facts, bill.already_billed, seen, bills)

        return end


@dataclass(frozen=True)
class _Run:
    """A run that can begin."""

    make: PartMaker
    asked: _Asked
    files: LeaseFiles
    known: RunSummary
    """The facts that are known before a lease is billed."""
    engine: Engine
    progress: Progress | None

    def finished(self, parts: Parts, add: Add) -> RunReport:
        """Make the parts that are missing and hand over all of them in order."""
        done, summary, following = parts.numbers, self.known, 0
        if self.asked.given.unread:
            nothing = self.make((), 0).tables
            add({**nothing, "problems": self.asked.given.stream})
        self._report(parts.leases)
        with closing(self._made(done)) as made:
            for number, part in made:
                parts.keep(number, part)
                self._report(parts.leases)
                # While other processes make parts, those that are next are written.
                while following in parts.numbers:
                    summary += _added(parts, following, add)
                    following += 1
        while following in parts.numbers:
            summary += _added(parts, following, add)
            following += 1
        return RunReport(summary, following, len(done))

    def checked(self) -> CheckReport:
        """Make all parts, and return their problems alone."""
        summary, done = self.known, 0
        with pa.ipc.open_stream(self.asked.given.stream) as problems:
            found: dict[int, list[Any]] = {-1: list(problems)}
        with closing(self._made(())) as made:
            for number, part in made:
                summary += summary_of(part.summary)
                done += part.leases
                self._report(done)
                with pa.ipc.open_stream(part.tables["problems"]) as problems:
                    found[number] = list(problems)
        batches = [batch for number in sorted(found) for batch in found[number]]
        return CheckReport(summary, pa.Table.from_batches(batches, SCHEMAS["problems"]))

    def _made(self, done: Container[int]) -> MadeParts:
        """Make the parts that are not done yet, and give each, in any order."""
        size = self.asked.part_size
        if self.engine is in_this_process:
            return self.engine(self.make, passing_tasks(self.files, size, done))
        refers = not self.asked.send_leases and can_be_read_in_parts(self.files, size)
        tasks = (referring_tasks if refers else passing_tasks)(self.files, size, done)
        # What is passed is packed at once, so that an engine may take tasks as it likes.
        return self.engine(self.make, (task._replace(given=task.sent()) for task in tasks))

    def _report(self, done: int) -> None:
        if self.progress is not None:
            self.progress(done, self.files.leases)


def _added(parts: Parts, number: int, add: Add) -> RunSummary:
    part = parts.part(number)
    add(part.tables)
    return summary_of(part.summary)


def _earlier_files(
    given: AnyPath | Sequence[AnyPath] | None, out: Path | None = None
) -> list[Path]:
    """Return the files of earlier bills, those of folders one by one.

    A run that was killed while it removed its parts has written its bills, which may be in such a
    folder; when it is begun again they are none of the earlier ones.
    """
    own = out.resolve() if out is not None and folder_of(out).is_dir() else None
    paths = [given] if isinstance(given, (str, PathLike)) else given or ()
    found: list[Path] = []
    for path in map(Path, paths):
        refuse_unreadable(path)
        with refused_file(path):
            files = bill_files(path)
        found += [each for each in files if not path.is_dir() or each.resolve() != own]
    return found


def _histories(given: AnyPath | Sequence[AnyPath] | None) -> list[Path]:
    paths = [given] if isinstance(given, (str, PathLike)) else given or ()
    return history_files([*paths])
