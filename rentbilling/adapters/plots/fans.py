"""Fan charts: how far apart many futures lie, year by year.

Law: a band reaches from one quantile to its counterpart, and each edge is a figure of the rows.
What does not live here: the futures and their quantiles (`portfolio`).
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rentbilling.adapters.money_texts import money_text
from rentbilling.adapters.plots.pictures import (
    Picture,
    Size,
    add_legend,
    finish,
    leave_room,
    new_axes,
    new_picture,
    show_numbers,
)
from rentbilling.adapters.plots.plotted_rows import (
    Row,
    Rows,
    number_of,
    of_one_currency,
    places_of,
    rows_of,
)
from rentbilling.adapters.plots.styles import Style, style_of
from rentbilling.errors import InvalidRecordError
from rentbilling.money import Amount

_SIZE: Final = (10.0, 5.4)
_QUANTILE: Final = re.compile(r"q(\d{1,2})")
_HATCHES: Final = ("", "....", "////", "xxxx")
_HALF_A_YEAR: Final = 0.3
_FEW_YEARS: Final = 8
_SHARES: Final = 100


def fan_chart(
    rows: Rows,
    *,
    of: str = "",
    currency: str | None = None,
    locale: str = "en",
    dark: bool = False,
    title: str = "Range of futures by year",
    size: Size = _SIZE,
) -> Picture:
    """Draw quantiles by year: the middle as a line, the others as bands around it.

    Args:
        rows: One for each year: `year`, `currency`, and quantiles as Decimal: `q5`, `q25`, `q50`,
            `q75`, `q95` (or any others: `q50` and pairs that sum to 100).
        of: What they are quantiles of, for the vertical axis: `gross`, `net`.
        currency: Which currency, where there are several.
        locale: How amounts are written.
        dark: Whether it stands on a dark ground.
        title: What is written above.
        size: Width and height in inches.

    Returns:
        The picture.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows, a row lacks a key, or quantiles do not pair.
        UnknownWordError: The locale is not known.
    """
    style = style_of(dark=dark)
    found, chosen = of_one_currency(rows_of(rows, "year", "currency", "q50"), currency)
    found.sort(key=_year)
    pairs = _pairs(found[0])
    rows_of(found, *(f"q{each}" for pair in pairs for each in pair))
    picture = new_picture(style, size)
    axes = new_axes(picture, style, title, f"{chosen} a year{f', {of}' if of else ''}")
    handles = _drawn(axes, style, found, pairs)
    names = ["Middle: half of the futures lie below, half above"]
    names += [f"{high - low} of 100 futures: {low} % to {high} %" for low, high in reversed(pairs)]
    show_numbers(axes.yaxis, locale)
    if len(found) <= _FEW_YEARS:
        axes.set_xticks([_year(row) for row in found])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    axes.margins(x=0.02)
    leave_room(axes, above=0.08)
    add_legend(picture, style, handles, names)
    return finish(picture, _ends(axes, style, found[-1], pairs, chosen, locale))


def _year(row: Row) -> int:
    """Return the year of a row."""
    return int(row["year"])


def _pairs(row: Row) -> list[tuple[int, int]]:
    """Return the quantiles that make bands, the widest first."""
    found = sorted(int(name[1:]) for name in row if _QUANTILE.fullmatch(name))
    alone = [each for each in found if _SHARES - each not in found]
    if alone:
        said, expected = "have no counterpart", "pairs that sum to 100, such as q5 and q95"
        met = ", ".join(f"q{each}" for each in alone)
        raise InvalidRecordError.of("rows", "missing", said, met, expected)
    return [(each, _SHARES - each) for each in found if each < _SHARES - each]


def _drawn(
    axes: Axes, style: Style, rows: Sequence[Row], pairs: Sequence[tuple[int, int]]
) -> list[Line2D | Patch]:
    """Draw the bands and the middle."""
    years = [float(_year(row)) for row in rows]
    alone = len(rows) == 1
    # One year is as wide as a bar.
    across = [years[0] - _HALF_A_YEAR, years[0] + _HALF_A_YEAR] if alone else years
    own = style.series[0]

    def edge(name: str) -> list[float]:
        found = places_of(number_of(row[name]) for row in rows)
        return found * 2 if alone else found

    handles: list[Line2D | Patch] = []
    for at, (low, high) in enumerate(pairs):
        how: dict[str, Any] = {
            "facecolor": (own, 0.16 + 0.2 * at),
            "edgecolor": (own, 0.45),
            "hatch": _HATCHES[(len(pairs) - 1 - at) % len(_HATCHES)],
            "linewidth": 0.6,
        }
        axes.fill_between(
            across,
            edge(f"q{low}"),
            edge(f"q{high}"),
            gid=f"q{low}-q{high}",
            **how,
        )
        handles.append(Patch(**how))
    (middle,) = axes.plot(across, edge("q50"), color=style.ink, linewidth=2.4, gid="q50")
    return [middle, *reversed(handles)]


def _ends(
    axes: Axes,
    style: Style,
    row: Row,
    pairs: Sequence[tuple[int, int]],
    currency: str,
    locale: str,
) -> list[list[Text]]:
    """Return what stands beside the last year: the middle and the widest band first."""
    order = [50, *(each for pair in pairs for each in reversed(pair))]
    labels: list[list[Text]] = []
    for quantile in order:
        value = number_of(row[f"q{quantile}"])
        amount = money_text(Amount.of(value, currency), locale)
        label = axes.annotate(
            f"{quantile} %  {amount}",
            (1, places_of([value])[0]),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            verticalalignment="center",
            color=style.ink if quantile == 50 else style.muted,  # noqa: PLR2004
            fontsize=8.5,
            fontweight="bold" if quantile == 50 else "normal",  # noqa: PLR2004
            annotation_clip=False,
        )
        labels.append([label])
    return labels
