"""Table runs: a source of leases goes in batch by batch, tables of what came of it come out.

Laws: a run is one pass over its source; a file has its name when it is whole, and not before; a run
that is refused leaves no file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from errno import EISDIR, ENOENT
from os import PathLike, getpid
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.layout import heading, html_table
from rentbilling.policy import policy_of
from rentbilling.portfolio.arrow.column_types import PROBLEM_SCHEMA
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.portfolio.leases.problems import problem_of, problem_words
from rentbilling.portfolio.leases.row_rules import RowCounts
from rentbilling.portfolio.runs.earlier_bills import end_of_history
from rentbilling.portfolio.runs.frames import frame_table, loaded
from rentbilling.portfolio.runs.histories import HISTORY_SCHEMA, write_history
from rentbilling.tables import counted

if TYPE_CHECKING:
    import pandas as pd

AnyPath = str | PathLike[str]
B = TypeVar("B")
S = TypeVar("S")

Progress = Callable[[int, int | None], object]
"""Takes how many leases are done, and how many there are; None where that is not known."""

_FEW_PROBLEMS: Final = 3
_MOST_PROBLEMS: Final = 10
_GO_ON: Final = (
    "to_table(), to_tables(), to_pandas(), to_polars(), write_parquet(path), or for bills in run"
)


class TableRun(Generic[B, S]):
    """A run over many leases, which is under way as far as its batches are taken.

    It gives its batches once: as record batches of one table (`for bills in run`), as all tables of
    each batch (`run.batches()`), written to files, or collected. `run.summary` and `run.problems`
    are those of the batches given so far; printed, the run is both.
    """

    function: ClassVar[str]
    """What makes such a run."""
    counted: ClassVar[tuple[str, ...]]
    """The numbers of its summary that a notebook shows."""

    __slots__ = (
        *("_batches", "_begun", "_bill", "_counts", "_done", "_path", "_problems", "_progress"),
        *("_seen", "_summary", "_total"),
    )

    def __init__(
        self,
        bill: Any,  # noqa: ANN401 - what bills or adjusts a batch
        batches: Iterator[Any],
        *,
        progress: Progress | None = None,
        total: int | None = None,
        seen: LeaseIds | None = None,
        path: Path | None = None,
        counts: RowCounts | None = None,
    ) -> None:
        """Begin a run; make it with its function."""
        self._bill, self._path, self._counts = bill, path, counts
        self._batches = batches
        self._progress, self._total, self._seen = progress, total, seen
        self._begun = self._done = False
        self._problems = list[Any]()
        self._summary = bill.summary_type(begun=False)

    @property
    def summary(self) -> S:
        """What came of the leases so far; of a run that was not begun it says so."""
        found: S = self._summary
        return found

    @property
    def problems(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """What is wrong with leases, a `pyarrow.Table` with a row for each problem.

        A run that was not begun is made for it, and gives its batches no more.
        """
        if not self._begun:
            for _ in self.batches():
                pass
        return pa.Table.from_batches(self._problems, PROBLEM_SCHEMA)

    def batches(self) -> Iterator[B]:
        """Give all tables of what came of each batch of leases, one batch after another.

        Raises:
            InvalidRecordError: The run was begun before, or the source cannot be read.
            RentBillingError: A lease cannot be billed, with `on_problem="raise"`.
        """
        if self._begun:
            said, expected = "was begun before", f"another call of {self.function}"
            raise InvalidRecordError.of("run", "begun", said, self, expected)
        self._begun = True
        return self._given()

    def _given(self) -> Iterator[B]:
        first = 0
        self._summary = self._bill.summary_type()
        for leases in self._batches:
            made = self._bill.billed(leases, first)
            first += len(leases)
            self._summary += made.summary
            if made.problems.num_rows:
                self._problems.append(made.problems)
            # No reference to a batch is left while its bills are used.
            del leases
            yield made
            del made
            self._report(first, self._total)
        if self._seen is not None and self._bill.already_billed is not None:
            self._summary += self._bill.summary_type(
                gone=self._bill.already_billed.gone_from(self._seen)
            )
        if self._counts is not None:
            self._summary += self._bill.summary_type(**vars(self._counts))
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
        """Return the run's output as one `pyarrow.Table`, in memory.

        Raises:
            InvalidRecordError: Each of the leases has a problem, so that there is no output; the
                message has the first problems, `problems` all of them.
        """
        found = pa.Table.from_batches(list(self), self._bill.schema)
        self._refuse_all_refused()
        return found

    def _refuse_all_refused(self) -> None:
        refused = self._summary.with_problems
        if refused and refused == self._summary.leases and self._bill.output != "problems":
            said = f"gives no {self._bill.output}, because each lease has a problem"
            expected = "leases that can be billed; run.problems has every problem"
            whole = Problem("run", "all_refused", said, counted(refused, "lease"), expected)
            first = self.problems.slice(0, _FEW_PROBLEMS).to_pylist()
            raise InvalidRecordError((whole, *map(problem_of, first)))

    def _first_problems(self, most: int) -> list[str]:
        """Return the first problems as sentences, and how many there are more."""
        found = self.problems
        said = [problem_words(each) for each in found.slice(0, most).to_pylist()]
        more = found.num_rows - most
        return [*said, f"and {counted(more, 'more problem')}"] if more > 0 else said

    def to_tables(self) -> dict[str, Any]:
        """Return every table of the run as a `pyarrow.Table` by its name, in memory."""
        schemas = self._bill.schemas
        found: dict[str, list[Any]] = {name: [] for name in schemas}
        for made in self.batches():
            for name, kept in found.items():
                kept.append(getattr(made, name))
        return {name: pa.Table.from_batches(kept, schemas[name]) for name, kept in found.items()}

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
            InvalidRecordError: Both are asked for, or each lease has a problem (`to_table`).
        """
        loaded("pandas")
        table = self.flat_table(floats=floats, nested=nested)
        found: pd.DataFrame = table.to_pandas(date_as_object=False)
        return found

    def to_polars(self, *, floats: bool = False, nested: bool = False) -> Any:  # noqa: ANN401
        """Return the run's output as a Polars data frame, with the arguments of `to_pandas`.

        Raises:
            ImportError: Polars is not installed.
            InvalidRecordError: As for `to_pandas`.
        """
        return loaded("polars").from_arrow(self.flat_table(floats=floats, nested=nested))

    def flat_table(self, *, floats: bool = False, nested: bool = False) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the run's output as a `pyarrow.Table` without lists, as data frames have it."""
        currencies = policy_of(self._bill.policy).currencies
        return frame_table(self.to_table(), currencies, floats=floats, nested=nested)

    def write_parquet(
        self,
        path: AnyPath,
        *,
        problems: AnyPath | None = None,
        others: Mapping[str, AnyPath] | None = None,
    ) -> S:
        """Write the run's output to a Parquet file, and its problems to another.

        Files are written under other names, and have their own when all of them are whole; those
        that were there before are replaced then.

        Args:
            path: Of the run's output.
            problems: Of the problems; where absent, `bills.problems.parquet` in the same folder.
            others: Paths of other tables by their names. `history` with the bills makes the next
                run as fast as the first: write it to the folder that is its `already_billed`.

        Raises:
            RentBillingError: See `batches`; no file is left behind.
            InvalidRecordError: Two tables have the same path, the run has no such table, or a file
                would replace one that is read: leases or earlier bills.
            OSError: A file cannot be written; none is left behind.
        """
        to = Path(path)
        targets: dict[str, Path] = {
            "problems": problems_beside(to) if problems is None else Path(problems),
            self._bill.output: to,
        }
        targets |= {name: Path(where) for name, where in (others or {}).items()}
        facts = self._history_facts() if "history" in targets else {}
        named = {"path" if each == self._bill.output else each: targets[each] for each in targets}
        earlier = self._bill.already_billed
        refuse_unwritable(named, self._path, () if earlier is None else earlier.files)
        parts: dict[str, Path] = {
            name: where.with_name(f".{where.name}.{getpid()}.part")
            for name, where in targets.items()
        }
        with ExitStack() as undone:
            for part in parts.values():
                undone.callback(part.unlink, missing_ok=True)
            with ExitStack() as closing:
                writers = {
                    name: closing.enter_context(pq.ParquetWriter(part, self._schema_of(name)))
                    for name, part in parts.items()
                    if name != "history"
                }
                history = []
                made: Any
                for made in self.batches():
                    for name, writer in writers.items():
                        table = getattr(made, name)
                        if table.num_rows:
                            writer.write_batch(table)
                    if facts:
                        history.append(made.history)
            if facts:
                seen = self._seen or LeaseIds()
                end = end_of_history(facts, self._bill.already_billed, seen, parts["bills"])
                write_history(parts["history"], history, end)
            for name, where in targets.items():
                parts[name].replace(where)
        return self.summary

    def _schema_of(self, name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the schema of a table that a run can write.

        Raises:
            InvalidRecordError: It has no such table.
        """
        known = dict(self._bill.schemas)
        if self._bill.output == "bills":
            known["history"] = HISTORY_SCHEMA
        if name not in known:
            said, expected = "is no table of this run", "one of " + ", ".join(known)
            raise InvalidRecordError.of("others", "unknown_word", said, name, expected)
        return known[name]

    def _history_facts(self) -> dict[str, Any]:
        """Return what a history depends on, and let the run make its rows.

        Raises:
            InvalidRecordError: There is none of such a run.
        """
        self._schema_of("history")
        earlier = self._bill.already_billed
        if earlier is not None and earlier.paths is None:
            said, expected = "are not in files, so that no history can name them", "Parquet files"
            raise InvalidRecordError.of("already_billed", "no_history", said, earlier, expected)
        facts: dict[str, Any] = self._bill.history_facts()
        self._bill = replace(self._bill, with_history=True)
        return facts

    def __repr__(self) -> str:
        """Return how far it is."""
        return f"<{type(self).__name__} {self._bill.period}, {self._state()}>"

    def __str__(self) -> str:
        """Return what came of it: the summary, and the first problems."""
        if not self._begun:
            return repr(self)
        return "\n".join([str(self._summary), *self._first_problems(_MOST_PROBLEMS)])

    def _state(self) -> str:
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
            facts |= {name: getattr(self._summary, name) for name in self.counted}
            note = f"gives its batches once; another call of {self.function} is another run"
            if self._problems:
                note = "; ".join([*self._first_problems(_FEW_PROBLEMS), note])
        cells = [[heading(name), str(value)] for name, value in facts.items()]
        heads = [("field", False), ("value", False)]
        return html_table(heads, cells, caption=type(self).__name__, note=note)


def problems_beside(path: Path) -> Path:
    """Return the usual file of the problems of a run whose output has a path.

    Examples:
        >>> problems_beside(Path("bills.parquet")).name
        'bills.problems.parquet'
    """
    return path.with_name(f"{path.stem}.problems{path.suffix}")


def refuse_unwritable(
    targets: Mapping[str, Path], leases: Path | None, earlier: Iterable[Path] = ()
) -> None:
    """Refuse files that cannot be written, or that leases or earlier bills would be lost with.

    Raises:
        InvalidRecordError: A file is to be two things, or is in the folder of the leases.
        OSError: There is no folder for a file, or there is one in its place.
    """
    seen = {path.resolve(): f"already_billed, {path}" for path in earlier}
    source = None if leases is None else leases.resolve()
    if source is not None:
        seen[source] = "the leases"
    for name, path in targets.items():
        if not path.parent.is_dir():
            raise FileNotFoundError(ENOENT, f"there is no folder {path.parent}", str(path))
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "is a folder, not a file", str(path))
        whole = path.resolve()
        other = seen.setdefault(whole, name)
        if other != name:
            said, expected = f"is the file of {other} as well", "another file"
            raise _refused(name, "duplicate_path", said, path, expected)
        if source in whole.parents:
            said = "is in the folder of the leases, and would be taken for one of them"
            raise _refused(name, "among_leases", said, path, "another folder")


def _refused(name: str, code: str, said: str, path: Path, expected: str) -> InvalidRecordError:
    error = InvalidRecordError.of(name, code, said, str(path), expected)
    error.facts["file"] = str(path)
    return error
