"""Columns of text: how wide they are, how texts wrap, and where a figure is right-aligned.

Laws: a figure is never cut off, however narrow the page; no line has blanks at its end; the text is
the same on every machine, unless a page says otherwise.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple
from unicodedata import category, combining, east_asian_width

GAP: Final = 2
"""Blanks between two columns, and in front of an indented line."""

TITLE: Final = "bold cyan"
STRONG: Final = "bold"
FAINT: Final = "dim"

_USUAL: Final = 80
"""Columns of a page that is no terminal."""
_NO_WIDTH: Final = ("Mn", "Me", "Cf")
"""Marks, and signs that join or direct others."""
_WORD: Final = re.compile(r"\s*\S+")


class Part(NamedTuple):
    """A text with its style: whole lines of a table, or the beginning of one."""

    text: str
    style: str = ""


class GridColumn(NamedTuple):
    """A column: its heading, whether its cells are right-aligned, and how narrow it may become."""

    heading: str
    right: bool = False
    least: int | None = None
    """The least width to which it is narrowed; None where it is never narrowed nor wrapped."""


class Page:
    """What a text is written for: its width, its signs, and whether it has styles."""

    def __init__(self, width: int = _USUAL, *, unicode: bool = True) -> None:
        self.width = width
        self.dash, self.rule = ("–", "─") if unicode else ("-", "-")

    def printed(self, parts: Iterable[Part]) -> str:
        return "".join(text for text, _ in parts)

    def wrapped(self, text: str, width: int) -> list[str]:
        """Return a text as lines of a width, with whole words where they fit.

        Examples:
            >>> Page().wrapped("Rent of the flat", 9)
            ['Rent of', 'the flat']
        """
        if cell_width(text) <= width:
            return [text]
        lines, line = [], ""
        for word in _WORD.findall(text):
            if cell_width(line + word) <= width:
                line += word
                continue
            if line:
                lines.append(line)
                word = word.lstrip()  # noqa: PLW2901
            *whole, line = _folded(word, width)
            lines += whole
        return [*lines, line]

    def below(self, text: str, width: int) -> Iterator[str]:
        """Give a text as lines below a cell, indented."""
        for line in self.wrapped(text, width - GAP):
            yield f"{' ' * GAP}{line}".rstrip() + "\n"


PLAIN: Final = Page()
"""What `print` writes for."""


def _folded(word: str, width: int) -> list[str]:
    pieces, piece = [], ""
    for each in word:
        if piece and cell_width(piece + each) > width:
            pieces.append(piece)
            piece = ""
        piece += each
    return [*pieces, piece]


class Grid:
    """Rows under headings, each column as wide as its widest cell; texts give way to figures."""

    def __init__(
        self, page: Page, columns: Sequence[GridColumn], rows: Iterable[Sequence[str]]
    ) -> None:
        """Find the widths for the page, so that all rows fit where they can."""
        self._page, self._columns = page, columns
        heads = [each.heading for each in columns]
        self._widths = [widest(cells) for cells in zip(heads, *rows, strict=True)]
        gives = [at for at, each in enumerate(columns) if each.least is not None]
        while gives and self.width > page.width:
            at = max(gives, key=self._widths.__getitem__)
            if self._widths[at] <= (columns[at].least or 0):
                break
            self._widths[at] -= 1

    @property
    def width(self) -> int:
        return sum(self._widths) + GAP * (len(self._widths) - 1)

    def head(self, headings: Sequence[str] | None = None, style: str = FAINT) -> Iterator[Part]:
        """Give the headings, and the line below them."""
        yield Part(self._line(headings or [each.heading for each in self._columns]), style)
        yield self.line()

    def line(self) -> Part:
        return Part(self._page.rule * self.width + "\n", FAINT)

    @property
    def fits(self) -> bool:
        return self.width <= self._page.width

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
            [cell] if column.least is None else self._page.wrapped(cell, width)
            for cell, column, width in zip(cells, self._columns, self._widths, strict=True)
        ]
        for line in zip_longest(*lines, fillvalue=""):
            yield Part(self._line(line), style)
        room = self._widths[0] if within_first else self._page.width
        for text in below:
            for each in self._page.below(text, room):
                yield Part(each, FAINT)

    def _line(self, cells: Sequence[str]) -> str:
        every = (
            padded(cell, width, right=column.right)
            for cell, column, width in zip(cells, self._columns, self._widths, strict=True)
        )
        return (" " * GAP).join(every).rstrip() + "\n"


def widest(cells: Iterable[str]) -> int:
    return max(map(cell_width, cells), default=0)


def padded(text: str, width: int, *, right: bool) -> str:
    """Return a text filled up to a width, at its left or right end."""
    space = " " * (width - cell_width(text))
    return space + text if right else text + space


def cell_width(text: str) -> int:
    """Return how many columns a text takes: two for a wide character, none for a mark above one.

    Examples:
        >>> cell_width("Rent"), cell_width("家賃"), cell_width("e\u0301")
        (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if combining(each) or category(each) in _NO_WIDTH
        else 1 + (east_asian_width(each) in "WF")
        for each in text
    )
