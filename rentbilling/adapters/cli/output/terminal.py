"""The terminal that a table is for: its width, its signs, and its colours.

Law: colours come only where stdout is a terminal that has them.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rentbilling.layout import STRONG, Grid, GridColumn, Page, Part

if TYPE_CHECKING:
    from rich.console import Console

WIDEST: Final = 110
"""The most columns of the terminal that a table takes."""

_UNKNOWN: Final = 80
_ASK_FOR_MORE: Final = (
    *("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("JUPYTER_COLUMNS", "JUPYTER_LINES", "DATABRICKS_RUNTIME_VERSION"),
)
"""Variables by which rich prints as on a terminal where there is none."""


class Terminal(Page):
    """The terminal that stdout is, as a page."""

    def __init__(self) -> None:
        self._is_plain = _is_plain()
        found = _columns() if self._is_plain else self._console.width
        # Some programs say that the terminal has no columns, which would leave no text.
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        super().__init__(
            min(found if found > 0 else _UNKNOWN, WIDEST),
            unicode=encoding.lower().startswith("utf"),
        )

    @cached_property
    def _console(self) -> "Console":
        """The terminal as rich knows it; loaded where there are colours."""
        from rich.console import Console

        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        if console.width < 1:
            console.width = _UNKNOWN
        if console.legacy_windows:
            # Its colours are calls of Windows, which no text can hold.
            console = Console(file=sys.stdout, width=console.width, color_system=None)
        return console

    def listed(self, columns: Sequence[GridColumn], rows: Sequence[Sequence[str]]) -> str:
        """Return rows under headings that stand out."""
        grid = Grid(self, columns, rows)
        lines = (part for row in rows for part in grid.row(row))
        return self.printed([*grid.head(style=STRONG), *lines])

    def printed(self, parts: Iterable[Part]) -> str:
        """Return parts as one text, with colours only where stdout is a terminal that has them."""
        if self._is_plain:
            return "".join(text for text, _ in parts)
        from rich.text import Text

        with self._console.capture() as captured:
            for text, style in parts:
                self._console.print(Text(text, style=style), soft_wrap=True, end="")
        return captured.get()


def _is_plain() -> bool:
    """Return whether stdout is certainly no terminal, and nothing asks for colours all the same."""
    asked = any(name in os.environ for name in _ASK_FOR_MORE)
    return not (asked or os.name == "nt" or sys.stdout is None or sys.stdout.isatty())


def _columns() -> int:
    """Return the columns of the terminal that any stream is, as rich finds them."""
    stated = os.environ.get("COLUMNS", "")
    if stated.isdigit() and len(stated) < _UNKNOWN:
        return int(stated)
    for descriptor in range(3):
        try:
            return os.get_terminal_size(descriptor).columns
        except OSError:
            # It is no terminal, or closed.
            continue
    return _UNKNOWN
