"""How a table is laid out: columns of figures, texts that are wrapped, and the terminal it is for.

Laws: a figure is never cut off, however narrow the terminal; no line has blanks at its end; colours
come only where stdout is a terminal that has them.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

WIDEST: Final = 110
"""Columns that no table exceeds, however wide the terminal."""
GAP: Final = 2
"""Blanks between two columns, and before what stands below a text."""

TITLE: Final = "bold cyan"
STRONG: Final = "bold"
FAINT: Final = "dim"

_UNKNOWN: Final = 80


class Column(NamedTuple):
    """A column that is shown: which cell, its heading, its width, where its text stands."""

    name: str
    heading: str
    width: int
    right: bool


class Layout:
    """The terminal that a table is for: its width, its signs, and how texts fit into it."""

    def __init__(self) -> None:
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        if console.width < 1:
            # Some programs say that the terminal has no columns, which would leave no text.
            console = Console(
                file=sys.stdout, width=_UNKNOWN, highlight=False, markup=False, emoji=False
            )
        if console.legacy_windows:
            # Its colours are calls of Windows, which no text can hold.
            console = Console(file=sys.stdout, width=console.width, color_system=None)
        unicode = console.encoding.lower().startswith("utf")
        self._console = console
        self.dash, self.rule = ("–", "─") if unicode else ("-", "-")
        self.width = min(console.width, WIDEST)

    def printed(self, parts: Iterable[Text]) -> str:
        """Return parts as one text for the terminal, from top to bottom."""
        with self._console.capture() as captured:
            for part in parts:
                self._console.print(part, soft_wrap=True, end="")
        return captured.get()

    def wrapped(self, text: str, width: int) -> list[str]:
        """Return a text as lines of a width, words kept whole where they fit."""
        if cell_len(text) <= width:
            return [text]
        lines = Text(text).wrap(self._console, width, overflow="fold")
        return [line.plain.rstrip() for line in lines]

    def below(self, text: str, width: int) -> Iterator[str]:
        """Give a text as lines that stand below a cell, set in a little."""
        for line in self.wrapped(text, width - GAP):
            yield f"{' ' * GAP}{line}".rstrip() + "\n"


def joined(cells: Iterable[str], columns: Iterable[Column]) -> str:
    """Return cells as one line, each as wide as its column."""
    every = (
        padded(cell, column.width, right=column.right)
        for cell, column in zip(cells, columns, strict=True)
    )
    return (" " * GAP).join(every).rstrip() + "\n"


def width_of(columns: Iterable[Column]) -> int:
    """Return how wide columns are together."""
    return sum(each.width + GAP for each in columns) - GAP


def widest(cells: Iterable[str]) -> int:
    """Return how wide the widest of some cells is; 0 where there are none."""
    return max(map(cell_len, cells), default=0)


def padded(text: str, width: int, *, right: bool) -> str:
    """Return a text filled up to a width, standing at its left or right end."""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
