"""Progress: a bar after two seconds, in a terminal or a notebook, and nothing anywhere else."""

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from rentbilling import end_on, what_if
from rentbilling.adapters.progress import ProgressBar, bar_html, progress_bar, screen_for
from rentbilling.testing import a_lease


class _Told:
    """A screen that keeps what it is told."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, int | None]] = []
        self.closed = 0

    def show(self, done: int, total: int | None) -> None:
        self.shown.append((done, total))

    def close(self) -> None:
        self.closed += 1


def bar_at(*seconds: float) -> tuple[ProgressBar, _Told]:
    """Return a bar whose clock says these seconds, one after the other, and its screen."""
    screen, ticks = _Told(), iter(seconds)
    return ProgressBar(lambda: screen, clock=lambda: next(ticks)), screen


def test_nothing_is_shown_within_two_seconds() -> None:
    """At 1 s and 1.9 s after the start nothing; at 2.1 s the bar."""
    bar, screen = bar_at(10.0, 11.0, 11.9, 12.1)
    bar(1, 4)
    bar(2, 4)
    before = list(screen.shown)
    bar(3, 4)

    assert [] == before
    assert [(3, 4)] == screen.shown
    assert bar.is_shown


def test_a_bar_is_drawn_ten_times_a_second_at_most() -> None:
    """Calls at 2.00, 2.05, 2.11 and 2.15 s: the first and the third are drawn."""
    bar, screen = bar_at(0.0, 2.0, 2.05, 2.11, 2.15)
    for done in (1, 2, 3, 4):
        bar(done, 9)

    assert [(1, 9), (3, 9)] == screen.shown


def test_the_bar_goes_when_all_is_done_and_the_time_begins_anew() -> None:
    bar, screen = bar_at(0.0, 3.0, 3.5, 4.5)
    bar(1, 2)
    bar(2, 2)
    bar(1, 2)

    assert [(1, 2)] == screen.shown
    assert 1 == screen.closed
    assert not bar.is_shown


def test_the_bar_goes_when_a_run_is_refused() -> None:
    bar, screen = bar_at(0.0, 0.0, 5.0, 6.0)

    def refused() -> None:
        with bar:
            bar(1, 2)
            raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        refused()

    assert 1 == screen.closed


def test_where_nobody_watches_it_is_asked_once() -> None:
    asked: list[int] = []
    ticks = iter((0.0, 3.0, 4.0))
    bar = ProgressBar(lambda: asked.append(1), clock=lambda: next(ticks))
    bar(1, 3)
    bar(2, 3)

    assert [1] == asked
    assert not bar.is_shown


def test_a_run_tells_the_bar_and_is_the_same_with_it() -> None:
    leases = [a_lease(), a_lease(), a_lease()]
    screen = _Told()
    bar = ProgressBar(lambda: screen, after=0)
    period = "2026-01-01/2026-12-31"
    with_bar = what_if(leases, end_on("2026-06-30"), period=period, progress=bar)
    without = what_if(leases, end_on("2026-06-30"), period=period)

    assert (1, 3) == screen.shown[0]
    assert 1 == screen.closed
    assert without.rows() == with_bar.rows()


class _Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = _Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress_bar("leases", after=0) as bar:
        bar(1_500, 4_000)
        shown = bar.is_shown
    printed = stream.getvalue()

    assert shown
    assert "1,500 of 4,000 leases" in printed
    # The cursor comes back, and the line is erased.
    assert printed.index("\x1b[?25l") < printed.index("\x1b[?25h")
    assert "\x1b[2K" in printed
    assert "" == capsys.readouterr().out


def test_a_bar_counts_where_nobody_knows_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a run over an iterator: 1,500 done, then 2,000, which are all."""
    stream = _Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    bar = progress_bar("leases", after=0)
    bar(1_500, None)
    shown = bar.is_shown
    bar(2_000, 2_000)

    assert shown
    assert not bar.is_shown
    assert "1,500 leases" in stream.getvalue()
    assert " of " not in stream.getvalue()
    assert "<progress></progress> <small>1,500 leases</small>" == bar_html("leases", 1_500, None)


def test_a_file_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    for each in (stream, None):
        monkeypatch.setattr(sys, "stderr", each)
        bar = progress_bar("leases", after=0)
        bar(1, 2)
        assert not bar.is_shown

    assert "" == stream.getvalue()


def test_a_terminal_without_rich_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Terminal())
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    bar = progress_bar("leases", after=0)
    bar(1, 2)

    assert not bar.is_shown


class _Page:
    """IPython as far as a bar needs it, in a notebook or in a shell."""

    def __init__(self, *, kernel: bool) -> None:
        self.written: list[str] = []
        self._shell = SimpleNamespace(kernel=1) if kernel else SimpleNamespace()

    def get_ipython(self) -> Any:  # noqa: ANN401
        return self._shell

    @staticmethod
    def HTML(text: str) -> str:  # noqa: N802
        return text

    def display(self, shown: str, *, display_id: bool) -> "_Page":
        assert display_id
        self.written.append(shown)
        return self

    def update(self, shown: str) -> None:
        self.written.append(shown)


@pytest.fixture(params=[True, False], ids=["notebook", "shell"])
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> _Page:
    found = _Page(kernel=request.param)
    monkeypatch.setitem(sys.modules, "IPython", found)
    monkeypatch.setitem(sys.modules, "IPython.display", found)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    return found


def test_a_notebook_gets_a_bar_below_its_cell(page: _Page) -> None:
    bar = ProgressBar(lambda: screen_for("paths"), after=0, clock=iter(range(9)).__next__)
    bar(2_500, 10_000)
    bar(5_000, 10_000)
    bar(10_000, 10_000)
    is_notebook = hasattr(page.get_ipython(), "kernel")
    expected = [bar_html("paths", 2_500, 10_000), bar_html("paths", 5_000, 10_000), ""]

    assert (expected if is_notebook else []) == page.written
