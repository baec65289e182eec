"""Styles: the colours, line styles and marks of the pictures.

Laws: series differ by line style, mark, hatch or label as well as by colour, so that a grey print
shows the same; texts have a contrast of 4.5 to 1 with their ground, lines of 3 to 1.
"""

from typing import Final, NamedTuple

LineStyle = str | tuple[int, tuple[int, ...]]


class Style(NamedTuple):
    """Colours of a picture, for a light ground or for a dark one."""

    paper: str
    """The ground."""
    ink: str
    """Titles, figures, and the baseline of a comparison."""
    muted: str
    """Axes, and what is said in passing."""
    grid: str
    """Lines that guide the eye."""
    series: tuple[str, ...]
    """Of the series; they differ also for red-green colour blindness."""
    more: str
    """Colour of an addition."""
    less: str
    """Colour of a deduction."""


LIGHT: Final = Style(
    paper="#ffffff",
    ink="#1b222b",
    muted="#5a6572",
    grid="#dde2e8",
    series=("#0b4f8a", "#c2540a", "#1f7a63", "#8a3f86", "#7a6200", "#4d5a68"),
    more="#1f7a63",
    less="#c2540a",
)
DARK: Final = Style(
    paper="#14181d",
    ink="#e8ebef",
    muted="#a3aebb",
    grid="#303943",
    series=("#7db8ee", "#f4a259", "#66d1b0", "#dc9bd7", "#e3c94f", "#b4c0cc"),
    more="#66d1b0",
    less="#f4a259",
)

_LINES: Final[tuple[LineStyle, ...]] = (
    "-",
    (0, (6, 2)),
    (0, (6, 2, 1, 2)),
    (0, (1, 1)),
    (0, (6, 2, 1, 2, 1, 2)),
    (0, (3, 1)),
    (0, (10, 3)),
)
_MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")

# Seven of each and six colours: the same pair comes again after 42.


def style_of(*, dark: bool) -> Style:
    """Return the style for a dark ground, or for a light one."""
    return DARK if dark else LIGHT


def colour(style: Style, at: int) -> str:
    return style.series[at % len(style.series)]


def line_style(at: int) -> LineStyle:
    return _LINES[at % len(_LINES)]


def mark(at: int) -> str:
    return _MARKS[at % len(_MARKS)]
