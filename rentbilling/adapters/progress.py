"""Progress: a tqdm bar on stderr for a run of more than two seconds, in a terminal or notebook.

Examples:
    >>> from rentbilling import what_if
    >>> from rentbilling.whatif import end_on
    >>> from rentbilling.testing import a_lease
    >>> leases = [a_lease()] * 3
    >>> with progress_bar("leases") as bar:
    ...     answer = what_if(leases, end_on("2026-06-30"), period="2026-01-01/2026-12-31",
    ...         progress=bar)
    >>> bar.is_shown
    False
"""

import sys
import warnings
from math import inf
from threading import RLock
from time import monotonic
from typing import Any, Final, Self

_SOON: Final = 2.0


class ProgressBar:
    """A bar that is called with how many are done and how many there are."""

    def __init__(self, what: str = "done", *, after: float = _SOON) -> None:
        self._what, self._after = what, after
        self._bar: Any = None
        self._start = monotonic()

    @property
    def is_shown(self) -> bool:
        return self._bar is not None

    def __call__(self, done: int, total: int | None) -> None:
        if total is not None and done >= total:
            self.close()
        elif self._bar is not None and self._bar.total == total:
            self._bar.update(done - self._bar.n)
        elif self._bar is not None:
            # Another count begins, of which the number of all is known now.
            self._bar.close()
            self._bar = _bar(self._what, done, total)
        elif monotonic() - self._start >= self._after:
            self._bar = _bar(self._what, done, total)
            if self._bar is None:
                # Asked once: a later call would find nothing else.
                self._after = inf

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._start = None, monotonic()

    def __enter__(self) -> Self:
        self._start = monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def progress_bar(what: str = "done", *, after: float = _SOON) -> ProgressBar:
    """Return a bar for `progress=`, which counts `what`, is shown after two seconds, and then goes.

    Examples:
        >>> bar = progress_bar("paths")
        >>> bar(5_000, 10_000)
    """
    return ProgressBar(what, after=after)


def _is_watched() -> bool:
    """Return whether stderr is a terminal, or a notebook runs this code."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel") or (sys.stderr is not None and sys.stderr.isatty())


def _bar(what: str, done: int, total: int | None) -> Any:  # noqa: ANN401 - tqdm has no types
    """Return a bar; None without a terminal or notebook, or without tqdm."""
    if not _is_watched():
        return None
    try:
        with warnings.catch_warnings():
            # Without ipywidgets a notebook gets a bar of letters.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0

    Bar.set_lock(RLock())
    return Bar(initial=done, total=total, leave=False, miniters=1, unit=f" {what}")
