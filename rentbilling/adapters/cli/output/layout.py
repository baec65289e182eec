"""How a table is laid out: columns of figures, wrapped texts, and the terminal that it is for.

Laws: a figure is never cut off, however narrow the terminal; no line has blanks at its end; colours
come only where stdout is a terminal that has them.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.console import Console

WIDEST: Final = 110
"""The most columns of the terminal that a table takes."""
GAP: Final = 2
"""Blanks between two columns, and in front of an indented line."""

TITLE: Final = "bold cyan"
STRONG: Final = "bold"
FAINT: Final = "dim"

_UNKNOWN: Final = 80
_ASK_FOR_MORE: Final = (
    *("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("JUPYTER_COLUMNS", "JUPYTER_LINES", "DATABRICKS_RUNTIME_VERSION"),
)
"""Variables by which rich prints as on a terminal where there is none."""


class Part(NamedTuple):
    """A text with its style: whole lines of a table, or the beginning of one."""

    text: str
    style: str = ""


class Column(NamedTuple):
    """A column: its heading, whether its cells are right-aligned, and how narrow it may become."""

    heading: str
    right: bool = False
    least: int | None = None
    """The least width to which it is narrowed; None where it is never narrowed nor wrapped."""


class Layout:
    """The terminal that a table is for: its width, its signs, and how texts fit into it."""

    def __init__(self) -> None:
        """Look at the terminal that stdout is."""
        self._is_plain = _is_plain()
        found = _columns() if self._is_plain else self._console.width
        # Some programs say that the terminal has no columns, which would leave no text.
        self.width = min(found if found > 0 else _UNKNOWN, WIDEST)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        unicode = encoding.lower().startswith("utf")
        self.dash, self.rule = ("–", "─") if unicode else ("-", "-")

    @cached_property
    def _console(self) -> "Console":
        """The terminal as rich knows it; loaded where there are colours, or texts to wrap."""
        from rich.console import Console

        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        if console.width < 1:
            console = Console(
                file=sys.stdout, width=_UNKNOWN, highlight=False, markup=False, emoji=False
            )
        if console.legacy_windows:
            # Its colours are calls of Windows, which no text can hold.
            console = Console(file=sys.stdout, width=console.width, color_system=None)
        return console

    def printed(self, parts: Iterable[Part]) -> str:
        """Return parts as one text, with colours only where stdout is a terminal that has them."""
        if self._is_plain:
            return "".join(text for text, _ in parts)
        from rich.text import Text

        with self._console.capture() as captured:
            for text, style in parts:
                self._console.print(Text(text, style=style), soft_wrap=True, end="")
        return captured.get()

    def wrapped(self, text: str, width: int) -> list[str]:
        """Return a text as lines of a width, with whole words where they fit."""
        if cell_len(text) <= width:
            return [text]
        from rich.text import Text

        lines = Text(text).wrap(self._console, width, overflow="fold")
        return [line.plain.rstrip() for line in lines]

    def below(self, text: str, width: int) -> Iterator[str]:
        """Give a text as lines below a cell, indented."""
        for line in self.wrapped(text, width - GAP):
            yield f"{' ' * GAP}{line}".rstrip() + "\n"


def _is_plain() -> bool:
    """Return whether stdout is certainly no terminal, and nothing asks for colours all the same."""
    asked = any(name in os.environ for name in _ASK_FOR_MORE)
    return not (asked or os.name == "nt" or sys.stdout is None or sys.stdout.isatty())


def _columns() -> int:
    """Return the columns of the terminal that any stream is, as rich finds them."""
    stated = os.environ.get("COLUMNS", "")
    if stated.isdigit():
        return int(stated)
    for descriptor in range(3):
        try:
            return os.get_terminal_size(descriptor).columns
        except OSError:
            # It is no terminal, or closed.
            continue
    return _UNKNOWN


class Grid:
    """Rows under headings, each column as wide as its widest cell; texts give way to figures."""

    def __init__(
        self, layout: Layout, columns: Sequence[Column], rows: Iterable[Sequence[str]]
    ) -> None:
        """Find the widths for the terminal, so that all rows fit where they can."""
        self._layout, self._columns = layout, columns
        heads = [each.heading for each in columns]
        self._widths = [widest(cells) for cells in zip(heads, *rows, strict=True)]
        gives = [at for at, each in enumerate(columns) if each.least is not None]
        while gives and self.width > layout.width:
            at = max(gives, key=self._widths.__getitem__)
            if self._widths[at] <= (columns[at].least or 0):
                break
            self._widths[at] -= 1

    @property
    def width(self) -> int:
        """How wide all columns are together."""
        return sum(self._widths) + GAP * (len(self._widths) - 1)

    def head(self, headings: Sequence[str] | None = None, style: str = FAINT) -> Iterator[Part]:
        """Give the headings, and the line below them."""
        yield Part(self._line(headings or [each.heading for each in self._columns]), style)
        yield self.line()

    def line(self) -> Part:
        """Return a line across all columns."""
        return Part(self._layout.rule * self.width + "\n", FAINT)

    @property
    def fits(self) -> bool:
        """Whether the terminal has room for all of it."""
        return self.width <= self._layout.width

    def row(
        self,
        cells: Sequence[str],
        style: str = "",
        below: Iterable[str] = (),
        *,
        within_first: bool = False,
    ) -> Iterator[Part]:
        """Give the lines of a row, and texts below it or below its first cell."""
        lines = [
            [cell] if column.least is None else self._layout.wrapped(cell, width)
            for cell, column, width in zip(cells, self._columns, self._widths, strict=True)
        ]
        for line in zip_longest(*lines, fillvalue=""):
            yield Part(self._line(line), style)
        room = self._widths[0] if within_first else self._layout.width
        for text in below:
            for each in self._layout.below(text, room):
                yield Part(each, FAINT)

    def _line(self, cells: Sequence[str]) -> str:
        """Return cells as one line, each as wide as its column."""
        every = (
            padded(cell, width, right=column.right)
            for cell, column, width in zip(cells, self._columns, self._widths, strict=True)
        )
        return (" " * GAP).join(every).rstrip() + "\n"


def widest(cells: Iterable[str]) -> int:
    """Return how wide the widest of some cells is; 0 where there are none."""
    return max(map(cell_len, cells), default=0)


def padded(text: str, width: int, *, right: bool) -> str:
    """Return a text filled up to a width, at its left or right end."""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
