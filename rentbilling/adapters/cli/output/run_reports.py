"""What `bill-run` and `adjust-run` say: how far a run is, its problems, and its summary.

Law: the summary for machines has no binary numbers.
"""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from rentbilling.adapters.cli.streams import Refusal, say
from rentbilling.adapters.progress import ProgressBar, progress_bar

if TYPE_CHECKING:
    from rentbilling.portfolio.runs.adjust_runs import AdjustmentSummary
    from rentbilling.portfolio.runs.summaries import RunSummary

_PER_MILLE: Final = 1000
_EVERY: Final = 5.0
"""Seconds between two lines about how far a run is."""
_MOST_PROBLEMS: Final = 20
"""The most problems of a check that are said."""


class ProgressLines:
    """Lines about how far a run is, for logs: one every five seconds, and one at the end."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._start = self._last = clock()
        self._first: int | None = None
        self._total: int | None = None

    def __call__(self, done: int, total: int | None) -> None:
        """Say how far it is, where it is time."""
        now = self._clock()
        if total != self._total:
            # The table is read, and another count begins.
            self._start, self._first, self._total = now, None, total
        first = self._first = done if self._first is None else self._first
        if now - self._last < _EVERY and done != total:
            return
        self._last, took, made = now, now - self._start, done - first
        text = f"{done:,} leases" if total is None else f"{done:,} of {total:,} leases"
        if made and took:
            text += f", {made / took:,.0f} a second"
            if total is not None and done < total:
                text += f", {(total - done) * took / made:,.0f} s left"
        self._write(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to take away."""


def progress_of(kind: str) -> ProgressBar | ProgressLines:
    """Return what shows how far a run is: lines, a bar, or nothing."""
    if kind == "plain":
        return ProgressLines(say, monotonic)
    return progress_bar("leases", after=float("inf") if kind == "none" else 2.0)


def say_problems(problems: Any) -> None:  # noqa: ANN401 - a table of Arrow, which has no types
    """Say the first problems of a check, a line each."""
    from rentbilling.portfolio.leases.problems import problem_words

    for each in problems.slice(0, _MOST_PROBLEMS).to_pylist():
        say(f"Problem: {problem_words(each)}")
    more = problems.num_rows - _MOST_PROBLEMS
    if more > 0:
        say(f"and {more} more problems; the run without --check writes all of them.")


def say_where(problems: Path | None, leases: int) -> None:
    """Say which file has the problems of so many leases, if there is one."""
    if leases and problems is not None:
        say(f"Leases with problems, which are in {problems}: {leases}.")


def summary_words(summary: "RunSummary | AdjustmentSummary", done: str = "billed") -> str:
    """Return the summary of a run, and which share of it the slower engine made, and why."""
    share = summary.scalar_share
    mille = (2 * _PER_MILLE * share.numerator + share.denominator) // (2 * share.denominator)
    whole, tenth = divmod(mille, 10)
    why = ", ".join(f"{name} {count}" for (name,), (count,) in summary.scalar_reasons.items())
    said = f"{done} one by one, by the engine for single leases: {whole}.{tenth} %"
    return f"{summary}\n{said} ({why})\n" if why else f"{summary}\n{said}\n"


def write_summary(name: str, summary: "RunSummary") -> None:
    """Write the summary of a run as JSON.

    Raises:
        Refusal: It cannot be written.
    """
    from rentbilling.adapters.file_runs.file_errors import write_whole
    from rentbilling.records import write_json

    path = Path(name)
    text = f"{write_json(summary.to_data(), indent=2)}\n"
    try:
        write_whole(path, path.with_name(f".{path.name}.new"), text.encode())
    except OSError as error:
        raise Refusal.of_system(name, error) from None


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
