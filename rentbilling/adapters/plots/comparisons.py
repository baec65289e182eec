"""Baseline against variants: the changes of a scenario, month by month or year by year.

Laws: the area between two lines, and what is hatched between two bars, is the difference, and its
sum is written after the name; the axis has its zero, so that a small difference looks small.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import accumulate
from math import ceil
from typing import Any, Final, Literal, NamedTuple, Protocol, Unpack, runtime_checkable

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from rentbilling.adapters.money_texts import money_text, month_text
from rentbilling.adapters.plots.pictures import (
    Look,
    Picture,
    add_legend,
    begun,
    finish,
    leave_room,
    place_of,
    show_days,
    show_numbers,
)
from rentbilling.adapters.plots.plotted_rows import (
    HasRows,
    Row,
    Rows,
    first_days,
    number_of,
    of_one_currency,
    places_of,
    refuse_without_room,
    rows_of,
    start_of,
)
from rentbilling.adapters.plots.styles import Style, colour, hatch, line_style
from rentbilling.errors import InvalidRecordError
from rentbilling.values import MONTHS_PER_YEAR, Amount

_MOST_BARS: Final = 12
_MOST_MONTHS: Final = 36
_MOST_HATCHED: Final = 2
"""Variants whose areas can lie upon each other without hiding the lines."""
_LONGEST_TITLE: Final = 64
_WIDTH: Final = 0.8
"""Share of a year's width that its bars take."""
_BASELINE: Final = "baseline"

Kind = Literal["lines", "bars"]


@runtime_checkable
class HasSides(Protocol):
    """What was compared: whatever has the sums of all runs side by side."""

    def side_by_side(self, by: Any = ...) -> HasRows:  # noqa: ANN401
        """Return the sums by month or year, with a column for each run."""
        ...


class _Compared(NamedTuple):
    """Figures by month or year, without gaps."""

    starts: list[date]
    """The first days of the months or years, and the day after the last one."""
    values: Mapping[str, list[Decimal]]
    """By name; the baseline first."""
    per: str


def against_baseline(
    rows: Rows | HasSides,
    *,
    kind: Kind | None = None,
    running: bool = False,
    currency: str | None = None,
    **look: Unpack[Look],
) -> Picture:
    """Draw a baseline and its variants, with the differences shaded.

    Args:
        rows: What `what_if` gives, whose gross is drawn by month, or by year where there are more
            than 36 months; or a row for each month or year: `month` (`2027-01`, or a day of it) or
            `year` (2027), `currency`, `baseline`, and a figure (Decimal) for each variant by its
            name. A month or year without a row is one in which nothing is due.
        kind: `lines` or `bars`; by default bars for up to 12 years, else lines.
        running: Whether to draw what has come together since the start, instead of each month.
        currency: Which currency, where there are several.
        **look: See `Look`; the title names the variants by default.

    Returns:
        The picture.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows, a row lacks a key or is there twice, or there is no
            variant.
        UnsupportedCaseError: The days lie at an end of the calendar.
        UnknownWordError: The locale is not known.
    """
    chosen_rows, chosen = of_one_currency(
        rows_of(_sides(rows) if isinstance(rows, HasSides) else rows, "currency", _BASELINE),
        currency,
    )
    compared = _compared(chosen_rows, running=running)
    names = [name for name in compared.values if name != _BASELINE]
    said = f"since the start, by {compared.per}" if running else f"a {compared.per}"
    picture, axes, style, locale = begun(_title(names), f"{chosen} {said}", **look)
    as_bars = kind == "bars" or (
        kind is None and compared.per == "year" and len(compared.starts) <= _MOST_BARS + 1
    )
    handles = _bars(axes, style, compared, locale) if as_bars else _lines(axes, style, compared)
    show_numbers(axes.yaxis, locale)
    if not as_bars:
        show_days(axes, locale)
    labels = _sums(compared, chosen, locale, running=running)
    add_legend(picture, style, handles, labels)
    return finish(picture)


def _sides(given: HasSides) -> Rows:
    """Return what was compared by month, or by year where there are many months."""
    by_month = given.side_by_side("month").rows()
    months = {row["month"] for row in by_month}
    return by_month if len(months) <= _MOST_MONTHS else given.side_by_side("year")


def _compared(rows: Sequence[Row], *, running: bool) -> _Compared:
    """Return the figures in order and without gaps."""
    per = "month" if "month" in rows[0] else "year"
    names = [name for name in rows[0] if name not in (per, "currency", _BASELINE)]
    if not names:
        said, expected = "compares with nothing", "a figure besides the baseline"
        raise InvalidRecordError.of("rows[0]", "missing", said, ", ".join(rows[0]), expected)
    by_start: dict[date, Row] = {}
    for at, row in enumerate(rows):
        if per not in row:
            expected = "a month such as 2027-01, or a year"
            raise InvalidRecordError.of(f"rows[{at}]", "missing", f"has no {per}", "none", expected)
        start = start_of(row[per])
        if start in by_start:
            said, expected = "is there twice", "one row for each month or year"
            raise InvalidRecordError.of(f"rows[{at}].{per}", "equal_days", said, row[per], expected)
        by_start[start] = row
    refuse_without_room(by_start)
    months = 1 if per == "month" else MONTHS_PER_YEAR
    starts = list(first_days(min(by_start), max(by_start), months, more=months))
    values = {
        name: [number_of(by_start.get(start, {}).get(name)) for start in starts[:-1]]
        for name in (_BASELINE, *names)
    }
    if running:
        values = {name: list(accumulate(each)) for name, each in values.items()}
    return _Compared(starts, values, per)


def _title(names: Sequence[str]) -> str:
    """Return what a picture of some variants shows; the legend names those that are many."""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    if len(listed) > _LONGEST_TITLE and len(names) > 1:
        listed = f"{len(names)} variants"
    return f"Baseline against {listed}"


def _sums(compared: _Compared, currency: str, locale: str, *, running: bool) -> list[str]:
    """Return the names with what they come to, and by how much that differs from the baseline."""
    totals = {
        name: values[-1] if running else sum(values, Decimal(0))
        for name, values in compared.values.items()
    }
    labels = []
    for name, total in totals.items():
        text = f"{name}: {money_text(Amount.of(total, currency), locale)}"
        if name == _BASELINE:
            labels.append(text[0].upper() + text[1:])
            continue
        more = total - totals[_BASELINE]
        sign = "+" if more > 0 else ""
        labels.append(f"{text} ({sign}{money_text(Amount.of(more, currency), locale)})")
    return labels


def _lines(axes: Axes, style: Style, compared: _Compared) -> list[Line2D | Patch]:
    """Draw each as a line of steps, and hatch what lies between it and the baseline."""
    days = [place_of(start) for start in compared.starts]
    base = places_of(compared.values[_BASELINE])
    few = len(compared.values) - 1 <= _MOST_HATCHED
    handles: list[Line2D | Patch] = []
    for at, (name, values) in enumerate(compared.values.items(), -1):
        own = style.ink if at < 0 else colour(style, at)
        steps = places_of(values)
        # The last step lasts to the end of its month or year.
        (line,) = axes.step(
            days,
            [*steps, steps[-1]],
            where="post",
            color=own,
            linewidth=2.6 if at < 0 else 2,
            linestyle="-" if at < 0 else line_style(at + 1),
            zorder=2 if at < 0 else 3,
            gid=name,
        )
        handles.append(line)
        if at >= 0:
            axes.fill_between(
                days,
                [*steps, steps[-1]],
                [*base, base[-1]],
                step="post",
                facecolor=(own, 0.14 if few else 0.07),
                edgecolor=(own, 0.5),
                hatch=hatch(at)[:2] if few else "",
                linewidth=0,
                zorder=1,
                gid=f"difference {name}",
            )
    axes.margins(x=0.01)
    # The shaded part is shown with the whole.
    axes.update_datalim([(days[0], 0.0)])
    leave_room(axes, above=0.12, below=0.12)
    return handles


def _bars(axes: Axes, style: Style, compared: _Compared, locale: str) -> list[Line2D | Patch]:
    """Draw each as a bar, and outline what it has more or less than the baseline."""
    width = _WIDTH / len(compared.values)
    base = places_of(compared.values[_BASELINE])
    handles: list[Line2D | Patch] = []
    for at, (name, values) in enumerate(compared.values.items(), -1):
        look: dict[str, Any] = {"facecolor": style.muted, "linewidth": 0}
        if at >= 0:
            look |= {"facecolor": colour(style, at), "edgecolor": style.paper, "hatch": hatch(at)}
        lefts = [place - _WIDTH / 2 + width * (at + 1) for place in range(len(base))]
        heights = places_of(values)
        bars = axes.bar(lefts, heights, width * 0.9, align="edge", zorder=2, **look)
        for bar in bars:
            bar.set_gid(name)
        handles.append(Patch(**look))
        if at < 0:
            continue
        for left, here, there in zip(lefts, base, heights, strict=True):
            between = _between(style, colour(style, at), (left, width * 0.9), (here, there))
            between.set_gid(f"difference {name}")
            axes.add_patch(between)
    axes.axhline(0, color=style.muted, linewidth=0.8)
    _name_bars(axes, compared, locale)
    axes.margins(y=0.12)
    return handles


def _name_bars(axes: Axes, compared: _Compared, locale: str) -> None:
    """Write the years or months below the bars, as many as fit."""
    starts = compared.starts[:-1]
    every = ceil(len(starts) / _MOST_BARS)
    names = [
        str(start.year) if compared.per == "year" else month_text(start, locale, short=True)
        for start in starts
    ]
    axes.set_xticks(range(0, len(starts), every), names[::every])


def _between(
    style: Style, own: str, side: tuple[float, float], ends: tuple[float, float]
) -> Rectangle:
    """Return what lies between the end of a bar and the baseline."""
    left, width = side
    here, there = ends
    inside = abs(there) > abs(here)
    return Rectangle(
        (left, min(here, there)),
        width,
        abs(there - here),
        facecolor="none" if inside else (own, 0.15),
        edgecolor=style.ink if inside else own,
        linestyle="--" if here != there else "-",
        linewidth=1 if here != there else 0,
        zorder=3,
    )
