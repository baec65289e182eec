"""What the command `bill-run` says: how far a run is, what came of it, why it stopped.

Laws: an error is told of the file that it is about; whoever stops a run is told what is kept of it;
the summary for machines has no binary numbers.
"""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from rentbilling.adapters.cli.streams import Refusal, refusing, say
from rentbilling.adapters.progress import ProgressBar, progress_bar
from rentbilling.errors import RentBillingError

if TYPE_CHECKING:
    from rentbilling.adapters.bill_forms import Form
    from rentbilling.adapters.bill_runs.engines import Engine
    from rentbilling.portfolio.runs.summaries import RunSummary

_PER_MILLE: Final = 1000
_EVERY: Final = 5.0
"""Seconds between two lines about how far a run is."""
_MOST_PROBLEMS: Final = 20
"""Problems of a check that are told, a line each."""
_PRELOADED: Final = ("rentbilling.adapters.bill_runs.runs", "pandas")
"""Where pandas is installed, Arrow loads it to see whether a list is a frame."""


class ProgressLines:
    """Lines about how far a run is, for logs: one every five seconds, and one at the end."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._start = self._last = clock()
        self._first: int | None = None

    def __call__(self, done: int, total: int) -> None:
        """Say how far it is, where it is time."""
        now = self._clock()
        first = self._first = done if self._first is None else self._first
        if now - self._last < _EVERY and done < total:
            return
        self._last, took, made = now, now - self._start, done - first
        told = f"{done:,} of {total:,} leases"
        if made and took:
            told += f", {made / took:,.0f} a second"
            if done < total:
                told += f", {(total - done) * took / made:,.0f} s left"
        self._write(told)

    def __enter__(self) -> Self:
        """Return these lines."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """There is nothing to take away."""


def _progress(kind: str) -> ProgressBar | ProgressLines:
    if kind == "plain":
        return ProgressLines(say, monotonic)
    return progress_bar("leases", after=float("inf") if kind == "none" else 2.0)


def billed(given: dict[str, Any], form: "Form") -> "RunSummary":
    """Return what came of a run, or refuse it.

    Raises:
        Refusal: Something is refused, or a file cannot be read or written.
    """
    engine = _engine(given)
    from rentbilling.adapters.bill_runs import run_bills

    out = given["out"]
    with _stopping(given["leases"], out), _progress(given.pop("progress")) as progress:
        report = run_bills(**given, form=form, engine=engine, progress=progress)
    if report.kept:
        say(f"Parts of an earlier run that were kept: {report.kept} of {report.parts}.")
    return report.summary


def checked(given: dict[str, Any]) -> "RunSummary":
    """Return what would come of a run, and tell its problems.

    Raises:
        Refusal: Something is refused, or a file cannot be read.
    """
    engine = _engine(given)
    from rentbilling.adapters.bill_runs import check_leases

    for name in ("out", "problems", "adjustments", "notices", "stamp", "afresh", "on_problem"):
        del given[name]
    with _stopping(given["leases"], None), _progress(given.pop("progress")) as progress:
        report = check_leases(**given, engine=engine, progress=progress)
    problems = report.problems
    for each in problems.slice(0, _MOST_PROBLEMS).to_pylist():
        lease = "" if each["lease_id"] is None else f", {each['lease_id']}"
        where = f" {each['path']}:" if each["path"] else ""
        about = f"(met {each['met']}; expected {each['expected']}) [{each['code']}]"
        say(f"Problem: row {each['row']}{lease}:{where} {each['message']} {about}")
    more = problems.num_rows - _MOST_PROBLEMS
    if more > 0:
        say(f"and {more} more problems; bill-run without --check writes all of them.")
    return report.summary


def _engine(given: dict[str, Any]) -> "Engine | None":
    """Return the engine that was asked for, None for processes of this machine."""
    scheduler = given.pop("scheduler")
    if scheduler is None:
        return None
    from rentbilling.adapters.bill_runs.engines import on_dask

    return on_dask(scheduler)


def prepare(workers: int) -> None:
    """Prepare this process and others, before Arrow is loaded."""
    # The system's own memory: Arrow's other kinds keep more of what was let go of.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if workers > 1:
        _prepare_processes()


def _prepare_processes() -> None:
    """Let what processes begin from load what they need, while this one does."""
    import multiprocessing
    from multiprocessing import forkserver

    if "forkserver" in multiprocessing.get_all_start_methods():
        multiprocessing.set_forkserver_preload([*_PRELOADED])
        forkserver.ensure_running()


@contextmanager
def _stopping(leases: str, out: str | None) -> Generator[None]:
    """Tell why a run has stopped, of which file, and what is kept of it."""
    from rentbilling.adapters.bill_runs.engines import WorkerDiedError
    from rentbilling.adapters.bill_runs.file_errors import FileRefusedError

    try:
        with refusing(leases):
            try:
                yield
            except FileRefusedError as error:
                notes = _advice(error.problems[0].code, out) or _kept(out)
                raise Refusal(error.file, map(str, error.problems), notes) from None
            except RentBillingError as error:
                for each in _kept(out):
                    error.add_note(each)
                raise
    except KeyboardInterrupt:
        for each in ("Interrupted.", *_kept(out)):
            say(each)
        raise
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else out or leases
        raise Refusal(name, [error.strerror or str(error)], _kept(out)) from None
    except WorkerDiedError as error:
        raise Refusal(out or leases, [str(error)], _kept(out)) from None


def _advice(code: str, out: str | None) -> list[str]:
    """Return what can be done about a refusal of a file of bills."""
    if code == "other_run" and out is not None:
        count = _parts(_kept_parts(out))
        return [f"--afresh throws the {count} away; another --out leaves them as they are."]
    if code == "other_file":
        return ["--send-leases reads the leases here and sends them."]
    return []


def _kept(out: str | None) -> list[str]:
    """Return what is said of the parts that a run has left, nothing where there are none."""
    count = 0 if out is None else _kept_parts(out)
    if not count:
        return []
    kept = "is" if count == 1 else "are"
    return [f"{_parts(count)} {kept} kept in {out}.parts: the same command goes on from there."]


def _kept_parts(out: str) -> int:
    """Return how many parts are kept for a file of bills."""
    from rentbilling.adapters.bill_runs.parts import kept_parts

    return kept_parts(Path(out))


def _parts(count: int) -> str:
    """Return so many parts in words."""
    return "1 part" if count == 1 else f"{count:,} parts"


def told(summary: "RunSummary") -> str:
    """Return the summary of a run, and which share of it the slower engine made."""
    share = summary.scalar_share
    mille = (2 * _PER_MILLE * share.numerator + share.denominator) // (2 * share.denominator)
    whole, tenth = divmod(mille, 10)
    return f"{summary}\nbilled one by one, by the engine for single leases: {whole}.{tenth} %\n"


def write_summary(name: str, summary: "RunSummary") -> None:
    """Write the summary of a run as JSON.

    Raises:
        Refusal: It cannot be written.
    """
    from rentbilling.records.json_text import write_json

    path = Path(name)
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(f"{write_json(summary.to_data(), indent=2)}\n", encoding="utf-8")
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise Refusal(name, [error.strerror or str(error)]) from None


def refuse_no_folder(name: str) -> None:
    """Refuse a file that could not be written at the end of a run.

    Raises:
        Refusal: There is no folder for it, or there is one in its place.
    """
    path = Path(name)
    if not path.parent.is_dir():
        raise Refusal(name, [f"there is no folder {path.parent}"])
    if path.is_dir():
        raise Refusal(name, ["is a folder, not a file"])
