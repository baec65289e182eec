"""Pictures: a matplotlib figure that shows itself in a notebook, and how axes and texts are set.

Laws: no picture changes settings that all of matplotlib shares (`pyplot`, `rcParams`); no text is
cut off and none lies upon another; texts are shown as they are, whatever signs are in them.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from os import PathLike
from textwrap import fill
from typing import Any, Final, NamedTuple, TypedDict

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.dates import AutoDateLocator, date2num, num2date
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import Formatter, MaxNLocator
from matplotlib.transforms import Bbox

from rentbilling.adapters.money_texts import month_text
from rentbilling.adapters.plots.plotted_texts import tick_text
from rentbilling.adapters.plots.styles import Style, style_of

_DPI: Final = 100
_SHARP: Final = 2
"""Dots of a picture in a notebook for each dot of a plain screen."""
_NAME_WIDTH: Final = 64
_LETTERS: Final = 11
"""Letters of a name on an inch, and of the sample before it."""
_ROOM: Final = 8
"""Dots between two texts."""

Size = tuple[float, float]
"""Width and height in inches."""

SIZE: Final = (10.0, 5.4)
ENGLISH: Final = "en"


class Look(TypedDict, total=False):
    """How a picture looks: what every function that draws one takes by these names."""

    locale: str
    """How amounts, percentages, days and months are written; `en` by default."""
    dark: bool
    """Whether it is shown on a dark ground; on a light one by default."""
    title: str
    """The title, in place of the one that the function writes."""
    size: Size
    """Width and height in inches."""


class Picture(Figure):
    """A figure of matplotlib that a notebook shows by itself, and that is saved with `save`.

    Everything in it can be changed afterwards as in any figure: `picture.axes[0].set_ylim(0)`.
    """

    def save(self, path: str | PathLike[str], *, dpi: int = 200) -> None:
        """Write it to a file, in the format that the name ends with: png, svg, pdf.

        Args:
            path: The file.
            dpi: Dots for an inch, where it is made of dots.
        """
        self.savefig(path, dpi=dpi)

    def _repr_png_(self) -> tuple[bytes, dict[str, int | str]]:
        """Return what a notebook shows, sharp on screens with many dots, its size there and title.

        The title is the text in place of the picture, for who cannot see it.
        """
        written = BytesIO()
        self.savefig(written, format="png", dpi=_DPI * _SHARP)
        wide, high = (int(each * _DPI) for each in self.get_size_inches())
        title = self.get_suptitle() or self.axes[0].get_title(loc="left")
        return written.getvalue(), {"width": wide, "height": high, "alt": title}


def new_picture(style: Style, size: Size) -> Picture:
    picture = Picture(figsize=size, dpi=_DPI, facecolor=style.paper, layout="constrained")
    engine = picture.get_layout_engine()
    if engine is not None:
        engine.set(w_pad=0.15, h_pad=0.1)  # type: ignore[call-arg]
    return picture


class Begun(NamedTuple):
    """A picture with its axes, in which nothing is drawn yet."""

    picture: Picture
    axes: Axes
    style: Style
    locale: str


def begun(
    default_title: str,
    unit: str,
    *,
    locale: str = ENGLISH,
    dark: bool = False,
    title: str | None = None,
    size: Size = SIZE,
) -> Begun:
    """Return a picture that looks as it is asked for; the unit is that of its vertical axis."""
    style = style_of(dark=dark)
    picture = new_picture(style, size)
    return Begun(picture, new_axes(picture, style, title or default_title, unit), style, locale)


def new_axes(picture: Picture, style: Style, title: str, unit: str) -> Axes:
    """Return axes with lines that guide the eye, and no frame."""
    axes = picture.add_subplot()
    axes.set_facecolor(style.paper)
    axes.set_title(
        title, loc="left", color=style.ink, fontweight="bold", fontsize=12, pad=12, gid="title"
    )
    axes.set_ylabel(unit, color=style.muted, fontsize=9.5)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(style.muted)
    axes.tick_params(colors=style.muted, labelsize=9, length=3)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="y", color=style.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def one_line(text: str) -> str:
    """Return a text in one line; spaces that do not break stay what they are."""
    return re.sub(r"[ \t\r\n\v\f]+", " ", text).strip(" ")


def add_legend(
    picture: Picture, style: Style, handles: Sequence[Line2D | Patch], names: Iterable[str]
) -> None:
    """Add the names of the lines and areas, below the axes, in as many columns as fit."""
    texts = [fill(one_line(name), _NAME_WIDTH, break_on_hyphens=False) for name in names]
    longest = max((len(line) for text in texts for line in text.split("\n")), default=0)
    columns = max(1, min(len(texts), int(picture.get_size_inches()[0] * _LETTERS / (longest + 9))))
    # Labels that begin with an underscore would be left out, so that they are put in afterwards.
    legend = picture.legend(
        handles,
        ["."] * len(texts),
        loc="outside lower left",
        ncols=columns,
        frameon=False,
        labelcolor=style.ink,
        fontsize=9,
        handlelength=3.2,
    )
    for shown, text in zip(legend.get_texts(), texts, strict=True):
        shown.set_text(text)


# --------------------------------------------------------------------------------------------- axes


class _Ticks(Formatter):
    """The texts of an axis, which depend on each other."""

    def __init__(self, locale: str) -> None:
        self._locale = locale

    def __call__(self, x: float, _pos: int | None = None) -> str:
        return self.format_ticks([x])[0]


class _Numbers(_Ticks):
    """Numbers of an axis as a country writes them, all with as many decimals."""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        # Ticks are places on a scale, not money: 0.30000000000000004 is 0.3.
        numbers = [Decimal(str(round(float(value), 9))) for value in values]
        plain = [Decimal(0) if not each else each.normalize() for each in numbers]
        places = max((-int(each.as_tuple().exponent) for each in plain), default=0)
        return [tick_text(Decimal(f"{each:f}"), self._locale, places) for each in plain]


class _Days(_Ticks):
    """Days of an axis: years where all are the first of one, else months, else days."""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        days = [num2date(value).date() for value in values]  # type: ignore[no-untyped-call]
        if all((day.month, day.day) == (1, 1) for day in days):
            return [f"{day.year}" for day in days]
        if all(day.day == 1 for day in days):
            return [month_text(day, self._locale, short=True) for day in days]
        return [f"{day.day} {month_text(day, self._locale, short=True)}" for day in days]


def show_numbers(axis: Axis, locale: str) -> None:
    axis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
    axis.set_major_formatter(_Numbers(locale))


def show_days(axes: Axes, locale: str) -> None:
    """Let the horizontal axis show days, no more than fit."""
    locator = AutoDateLocator(minticks=3, maxticks=9)  # type: ignore[no-untyped-call]
    # Months by quarters and halves, never by twos and fours.
    for unit, steps in ((0, [1, 2, 5, 10, 20, 50, 100]), (1, [1, 3, 6]), (3, [1, 7, 14])):
        locator.intervald[unit] = steps
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(_Days(locale))


def leave_room(axes: Axes, *, above: float, below: float = 0.08) -> None:
    """Leave space above and below what is drawn; nothing below zero where all is above it."""
    low, high = axes.dataLim.y0, axes.dataLim.y1
    height = high - low or abs(high) / 10 or 1.0
    floor = low - height * below
    axes.set_ylim(max(floor, 0.0) if low >= 0 else floor, high + height * above)


def place_of(day: date) -> float:
    """Return where a day lies on an axis of days."""
    return float(date2num(day))  # type: ignore[no-untyped-call]


# -------------------------------------------------------------------------------------------- texts


def label(
    axes: Axes,
    text: str,
    place: tuple[float, float],
    colour: str,
    *,
    gap: int = 4,
    **how: Any,  # noqa: ANN401 - matplotlib's own
) -> Text:
    """Write a text a few points above a place, or below it where the gap is negative."""
    how = {"fontsize": 8, **how}
    return axes.annotate(
        text,
        place,
        xytext=(0, gap),
        textcoords="offset points",
        ha="center",
        va="bottom" if gap > 0 else "top",
        color=colour,
        **how,
    )


def end_label(axes: Axes, text: str, height: float, colour: str, **how: Any) -> Text:  # noqa: ANN401
    """Write a text next to the right end of the axes, at a height of the figures."""
    return axes.annotate(
        text,
        (1, height),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=8.5,
        annotation_clip=False,
        **how,
    )


def finish(picture: Picture, labels: Sequence[Sequence[Text]] = ()) -> Picture:
    for label in labels:
        for text in label:
            text.set_visible(text is label[0])
    _show_plainly(picture)
    _break_titles(picture)
    picture.draw_without_rendering()
    _show_plainly(picture)
    if labels:
        _keep_apart(picture, labels)
    return picture


def _show_plainly(picture: Picture) -> None:
    """Let no text be read as a formula: `$` is a currency here."""
    for text in picture.findobj(Text):
        if isinstance(text, Text):
            text.set_parse_math(False)


def _break_titles(picture: Picture) -> None:
    """Break titles and names of axes that are longer than their side of the picture."""
    wide, high = (int(inches) for inches in picture.get_size_inches())
    for title in picture.findobj(_is_title):
        if isinstance(title, Text) and len(title.get_text()) > wide * 8:
            title.set_text(fill(one_line(title.get_text()), wide * 8))
    for axes in picture.axes:
        axes.set_ylabel(fill(axes.get_ylabel(), max(high * 10, 12)))


def _is_title(artist: Artist) -> bool:
    return isinstance(artist, Text) and artist.get_gid() == "title"


def _keep_apart(picture: Picture, labels: Sequence[Sequence[Text]]) -> None:
    """Show the labels as long as all of them fit; of the shortest those that do."""
    whole = picture.bbox
    standing = [
        *(text for text in picture.findobj(_is_title) if isinstance(text, Text)),
        *(text for axes in picture.axes for text in axes.get_xticklabels()),
        *(text for axes in picture.axes for text in axes.get_yticklabels()),
    ]
    fixed = [text.get_window_extent() for text in standing]
    longest = max(map(len, labels))
    for level in range(longest):
        taken = list(fixed)
        # Labels of one picture are alike: a few with more than the others would look arbitrary.
        texts = [label[max(level - longest + len(label), 0)] for label in labels]
        for text in texts:
            text.set_visible(True)
            box = text.get_window_extent()
            room = Bbox.from_extents(box.x0 - _ROOM / 2, box.y0 - 2, box.x1 + _ROOM / 2, box.y1 + 2)
            inside = whole.x0 <= box.x0 and box.x1 <= whole.x1
            inside = inside and whole.y0 <= box.y0 and box.y1 <= whole.y1
            text.set_visible(inside and not any(room.overlaps(other) for other in taken))
            if text.get_visible():
                taken.append(room)
        if level == longest - 1 or all(text.get_visible() for text in texts):
            return
        for text in texts:
            text.set_visible(False)
