"""Progress: a bar for what takes longer than two seconds, in a terminal and in a notebook.

Laws: nothing is shown for what is done sooner, nothing where nobody watches (a file, a pipe), and
nothing on stdout; what is computed does not depend on it.

A terminal gets a bar where the extra `cli` is installed, a notebook without any.

Examples:
    >>> from rentbilling import end_on, what_if
    >>> from rentbilling.testing import a_lease
    >>> leases = [a_lease()] * 3
    >>> with progress_bar("leases") as bar:
    ...     answer = what_if(leases, end_on("2026-06-30"), period="2026-01-01/2026-12-31",
    ...         progress=bar)
    >>> bar.is_shown
    False
"""

import sys
from collections.abc import Callable
from importlib import import_module
from time import monotonic
from types import TracebackType
from typing import Any, Final, Protocol, Self

_SOON: Final = 2.0
_EVERY: Final = 0.1
"""Seconds between two pictures of a bar."""


class Screen(Protocol):
    """Where a bar is shown."""

    def show(self, done: int, total: int | None) -> None:
        """Show how far it is; None where nobody knows how many there are."""

    def close(self) -> None:
        """Take the bar away."""


class ProgressBar:
    """A bar that is called with how many are done and how many there are; see `progress_bar`."""

    def __init__(
        self,
        screen: Callable[[], Screen | None],
        *,
        after: float = _SOON,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._make, self._clock, self._after = screen, clock, after
        self._screen: Screen | None = None
        self._looked = False
        self._start = self._last = clock()

    @property
    def is_shown(self) -> bool:
        """Whether a bar stands there now."""
        return self._screen is not None

    def __call__(self, done: int, total: int | None) -> None:
        """Say how far it is; the bar goes when all is done."""
        if total is not None and done >= total:
            self.close()
            return
        now = self._clock()
        if now - self._start < self._after:
            return
        if not self._looked:
            self._looked, self._screen = True, self._make()
        elif now - self._last < _EVERY:
            return
        self._last = now
        if self._screen is not None:
            self._screen.show(done, total)

    def close(self) -> None:
        """Take the bar away; the next call begins anew."""
        if self._screen is not None:
            self._screen.close()
        self._screen, self._looked, self._start = None, False, self._clock()

    def __enter__(self) -> Self:
        """Begin to count the time anew."""
        self._start = self._clock()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Take the bar away, whatever happened."""
        self.close()


def progress_bar(what: str = "done", *, after: float = _SOON) -> ProgressBar:
    """Return a bar for `progress=`, which shows after two seconds how far a run is.

    Examples:
        >>> bar = progress_bar("paths")
        >>> bar(5_000, 10_000)
    """
    return ProgressBar(lambda: screen_for(what), after=after)


def screen_for(what: str) -> Screen | None:
    """Return the notebook or the terminal that somebody looks at."""
    display = sys.modules.get("IPython.display")
    if display is not None and _in_notebook():
        return _Notebook(what, display)
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return None
    try:
        return _Terminal(what)
    except ImportError:
        return None


def _in_notebook() -> bool:
    """Return whether a notebook runs this code, and no shell of IPython."""
    core = sys.modules.get("IPython")
    shell = None if core is None else core.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class _Terminal:
    """A bar on stderr."""

    def __init__(self, what: str) -> None:
        """Make the bar.

        Raises:
            ImportError: The extra `cli` is not installed.
        """
        parts = import_module("rich.progress")
        console = import_module("rich.console").Console(stderr=True)
        self._bar = parts.Progress(
            parts.BarColumn(bar_width=30),
            parts.TextColumn("{task.fields[told]}"),
            parts.TextColumn("{task.fields[rate]}"),
            parts.TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
        )
        self._what = what
        self._task: Any = None

    def show(self, done: int, total: int | None) -> None:
        """Show how far it is."""
        told = words(self._what, done, total)
        if self._task is None:
            self._task = self._bar.add_task("", total=total, rate="", told=told)
            self._bar.start()
        speed = self._bar.tasks[0].speed
        rate = "" if speed is None else f"{speed:,.0f} a second"
        self._bar.update(
            self._task, completed=done, total=total, rate=rate, told=told, refresh=True
        )

    def close(self) -> None:
        """Take the bar away."""
        self._bar.stop()


class _Notebook:
    """A bar below a cell, of HTML, for light and dark pages."""

    def __init__(self, what: str, display: Any) -> None:  # noqa: ANN401 - IPython's module
        self._what, self._module = what, display
        self._handle: Any = None

    def show(self, done: int, total: int | None) -> None:
        """Show how far it is."""
        picture = self._module.HTML(bar_html(self._what, done, total))
        if self._handle is None:
            self._handle = self._module.display(picture, display_id=True)
        else:
            self._handle.update(picture)

    def close(self) -> None:
        """Take the bar away."""
        if self._handle is not None:
            self._handle.update(self._module.HTML(""))


def words(what: str, done: int, total: int | None) -> str:
    """Return how far it is in words.

    Examples:
        >>> words("leases", 2_500, None)
        '2,500 leases'
    """
    return f"{done:,} {what}" if total is None else f"{done:,} of {total:,} {what}"


def bar_html(what: str, done: int, total: int | None) -> str:
    """Return a bar as HTML, one that moves where nobody knows how many there are.

    Examples:
        >>> bar_html("paths", 2_500, 10_000)[-36:]
        '<small>2,500 of 10,000 paths</small>'
    """
    known = "" if total is None else f' value="{done}" max="{total}"'
    return f"<progress{known}></progress> <small>{words(what, done, total)}</small>"
