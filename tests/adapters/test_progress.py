"""Progress: a bar after two seconds, in a terminal or a notebook, and nothing anywhere else."""

import io
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rentbilling import what_if
from rentbilling.adapters import progress
from rentbilling.adapters.file_runs import check_leases, run_bills
from rentbilling.adapters.progress import progress_bar
from rentbilling.portfolio import bill_portfolio
from rentbilling.simulation import simulate
from rentbilling.testing import a_lease
from rentbilling.whatif import end_on
from tests.support.rows import rows

pytest.importorskip("tqdm", reason="the extra cli is not installed")


class _Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    """Return a terminal that is stderr from now on."""
    stream = _Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def at(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    """Let the clock of a bar say these seconds, one after the other."""
    monkeypatch.setattr(progress, "monotonic", iter(seconds).__next__)


@rows(
    "call",
    [
        lambda: what_if(a_lease(), end_on("2026-06-30"), period="2026", progress=cast("Any", 1)),
        lambda: bill_portfolio([a_lease()], "2026", progress=cast("Any", 1)),
        lambda: simulate(a_lease(), {}, "2026", progress=cast("Any", 1)),
        lambda: run_bills("leases.parquet", "2026", "bills.parquet", progress=cast("Any", 1)),
        lambda: check_leases("leases.parquet", "2026", progress=cast("Any", 1)),
    ],
)
def test_what_is_no_function_is_answered_with_the_bar(call: Callable[[], object]) -> None:
    with pytest.raises(
        TypeError, match=r"progress_bar\(\) of rentbilling.adapters.progress.*not 1"
    ):
        call()


def test_nothing_is_shown_within_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 1 s and 1.9 s after the start nothing; at 2.1 s the bar."""
    terminal = terminal_for(monkeypatch)
    at(monkeypatch, 10.0, 11.0, 11.9, 12.1)
    bar = progress_bar("leases")
    bar(1, 4)
    bar(2, 4)
    before = terminal.getvalue(), bar.is_shown
    bar(3, 4)

    assert ("", False) == before
    assert bar.is_shown
    assert "3/4" in terminal.getvalue()


def test_a_count_of_which_all_are_known_follows_one_of_which_they_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A flat table of 9,000 leases is read, and then billed."""
    terminal = terminal_for(monkeypatch)
    at(monkeypatch, 10.0, 13.0, 13.0)
    bar = progress_bar("leases")
    bar(8_000, None)
    bar(0, 9_000)
    bar(4_500, 9_000)

    assert "8000 leases" in terminal.getvalue()
    assert "0/9000" in terminal.getvalue()
    bar(9_000, 9_000)


def test_the_bar_goes_when_all_is_done_and_the_time_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second run of one second with the same bar shows nothing."""
    terminal = terminal_for(monkeypatch)
    at(monkeypatch, 0.0, 3.0, 3.5, 4.5)
    bar = progress_bar("leases")
    bar(1, 2)
    bar(2, 2)
    printed = terminal.getvalue()
    bar(1, 2)

    assert not bar.is_shown
    assert printed == terminal.getvalue()
    # The line is overwritten with blanks.
    assert printed.endswith(" \r")


def test_the_bar_goes_when_a_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `with`, whatever is raised."""
    terminal = terminal_for(monkeypatch)
    bar = progress_bar("leases", after=0)

    def refused() -> None:
        with bar:
            bar(1, 2)
            raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        refused()

    assert not bar.is_shown
    assert terminal.getvalue().endswith(" \r")


def test_a_run_tells_the_bar_and_is_the_same_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three leases, each told; the last one closes the bar."""
    terminal = terminal_for(monkeypatch)
    leases = [a_lease(), a_lease(), a_lease()]
    bar = progress_bar("leases", after=0)
    period = "2026-01-01/2026-12-31"
    with_bar = what_if(leases, end_on("2026-06-30"), period=period, progress=bar)
    without = what_if(leases, end_on("2026-06-30"), period=period)

    assert "1/3" in terminal.getvalue()
    assert not bar.is_shown
    assert without.rows() == with_bar.rows()


def test_a_terminal_gets_a_bar_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """How many of how many, and of what; stdout stays empty, and no thread is begun."""
    terminal = terminal_for(monkeypatch)
    threads = threading.active_count()
    with progress_bar("leases", after=0) as bar:
        bar(1_500, 4_000)
        shown = bar.is_shown

    assert shown
    assert "1500/4000 [" in terminal.getvalue()
    assert " leases/s]" in terminal.getvalue()
    assert "" == capsys.readouterr().out
    assert threads == threading.active_count()


def test_a_bar_counts_where_nobody_knows_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a run over an iterator: 1,500 done, then 2,000, which are all."""
    terminal = terminal_for(monkeypatch)
    bar = progress_bar("leases", after=0)
    bar(1_500, None)
    shown = bar.is_shown
    bar(2_000, 2_000)

    assert (True, False) == (shown, bar.is_shown)
    assert "1500 leases [" in terminal.getvalue()


def test_a_file_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a process without stderr; neither is asked again."""
    stream = io.StringIO()
    for each in (stream, None):
        monkeypatch.setattr(sys, "stderr", each)
        bar = progress_bar("leases", after=0)
        bar(1, 3)
        monkeypatch.setattr(sys, "stderr", _Terminal())
        bar(2, 3)
        assert not bar.is_shown

    assert "" == stream.getvalue()


def test_without_the_package_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is as quiet as in a pipe."""
    terminal = terminal_for(monkeypatch)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = progress_bar("leases", after=0)
    bar(1, 2)

    assert not bar.is_shown
    assert "" == terminal.getvalue()


@pytest.mark.parametrize("is_notebook", [True, False], ids=["notebook", "shell"])
def test_a_notebook_gets_a_bar_and_a_shell_of_ipython_in_a_pipe_none(
    monkeypatch: pytest.MonkeyPatch, *, is_notebook: bool
) -> None:
    """Though its stderr is no terminal."""
    shell = SimpleNamespace(kernel=1) if is_notebook else SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    bar = progress_bar("paths", after=0)
    bar(2_500, 10_000)
    shown = bar.is_shown
    bar(10_000, 10_000)

    assert (is_notebook, is_notebook) == (shown, "2500/10000" in stream.getvalue())
