"""Fan charts: how far apart many futures lie, year by year or month by month.

Law: a band reaches from one quantile to its counterpart, and each edge is a figure of the rows.
"""

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final, Protocol, Unpack, runtime_checkable

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rentbilling.adapters.plots import pictures, plotted_rows
from rentbilling.adapters.plots.plotted_texts import amount_text, named
from rentbilling.adapters.plots.styles import Style
from rentbilling.billing import BillingResult
from rentbilling.errors import InvalidRecordError, MissingFactError
from rentbilling.values import Amount

_QUANTILE: Final = re.compile(r"q(\d{1,2})")
_HALF_A_YEAR: Final = 0.3
_HALF_A_MONTH: Final = 10.0
_FEW_YEARS: Final = 8
_SHARES: Final = 100
_WORDS: Final = MappingProxyType(
    {
        "rent": "the rent",
        "net": "net amounts",
        "vat": "the VAT",
        "gross": "gross amounts",
        "payable": "amounts payable",
    }
)


@runtime_checkable
class HasQuantiles(Protocol):
    """Futures: whatever has quantiles of several figures."""

    def quantiles(self, q: Any = ..., *, of: Any = ..., by: Any = ...) -> Any:  # noqa: ANN401
        ...

    def rows(self, q: Any = ..., *, of: Any = ..., by: Any = ...) -> Sequence[plotted_rows.Row]:  # noqa: ANN401
        ...

    def path(self, at: int, lease: int = ...) -> BillingResult: ...

    def __len__(self) -> int: ...


def fan_chart(
    rows: plotted_rows.Rows | HasQuantiles,
    *,
    of: str = "",
    currency: str | None = None,
    **look: Unpack[pictures.Look],
) -> pictures.Picture:
    """Draw quantiles by year or month: the middle as a line, the others as bands around it.

    Args:
        rows: Futures, or a row for each year or month: `year` or `month`, `currency`, and quantiles
            as Decimal: `q5`, `q25`, `q50`, `q75`, `q95` (or any others: `q50` and pairs that sum to
            100); `futures.rows(by="month")` gives months.
        of: What they are quantiles of: `rent`, `net`, `vat`, `gross` or `payable`. Of futures that
            is drawn, by default `gross`; of rows it is written at the vertical axis, by
            default what they say themselves.
        currency: Which currency, where there are several.
        **look: See `Look`; the title of futures names the paths and the lease by default.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows, a row lacks a key or is of another figure, or
            quantiles do not pair.
        UnsupportedCaseError: The days lie at an end of the calendar.
        UnknownWordError: The locale is not known, or the futures have no such figure.
    """
    given = rows.rows(of=of or "gross") if isinstance(rows, HasQuantiles) else rows
    read_rows = plotted_rows.rows_of(given, "currency", "q50")
    per = "month" if "month" in read_rows[0] else "year"
    plotted_rows.rows_of(read_rows, per)
    found, chosen = plotted_rows.of_one_currency(read_rows, currency)
    figure = _figure_of(found, of)
    found.sort(key=lambda row: plotted_rows.start_of(row[per]))
    pairs = _pairs(found[0])
    plotted_rows.rows_of(found, *(f"q{each}" for pair in pairs for each in pair))
    unit = f"{chosen} a {per}{f', {figure}' if figure else ''}"
    title = f"Range of {_WORDS.get(figure, 'futures')} by {per}"
    if isinstance(rows, HasQuantiles):
        title = named(f"{title}, {len(rows):,} paths", _leases(rows))
    picture, axes, style, locale = pictures.begun(title, unit, **look)
    starts = [plotted_rows.start_of(row[per]) for row in found]
    plotted_rows.refuse_without_room(starts)
    handles = _drawn(axes, style, (found, _places(starts, per)), pairs)
    names = ["Middle: half of the futures lie below, half above"]
    names += [f"{high - low} of 100 futures: {low} % to {high} %" for low, high in reversed(pairs)]
    pictures.show_numbers(axes.yaxis, locale)
    if per == "month":
        pictures.show_days(axes, locale)
    else:
        _show_years(axes, starts)
    axes.margins(x=0.02)
    pictures.leave_room(axes, above=0.08)
    pictures.add_legend(picture, style, handles, names)
    return pictures.finish(picture, _ends(axes, style, found[-1], pairs, chosen, locale))


def _leases(futures: HasQuantiles) -> list[str | None]:
    """Return the lease of futures; nothing where they are those of several."""
    try:
        futures.path(0, 1)
    except MissingFactError:
        return [futures.path(0).lease_id]
    return []


def _figure_of(rows: Sequence[plotted_rows.Row], of: str) -> str:
    """Return what rows are quantiles of; nothing where neither they nor the caller say it.

    Raises:
        InvalidRecordError: They are of several figures, or of another one than the caller says.
    """
    known = list(dict.fromkeys(str(row["of"]) for row in rows if "of" in row))
    if known and known != [of or known[0]]:
        said, met = "is not what the rows are of", ", ".join(known)
        raise InvalidRecordError.of("of", "wrong_value", said, of or "nothing", met)
    return known[0] if known else of


def _places(starts: Sequence[date], per: str) -> list[float]:
    """Return where years or months lie; a single one is as wide as a bar."""
    places = [pictures.place_of(each) if per == "month" else float(each.year) for each in starts]
    half = _HALF_A_MONTH if per == "month" else _HALF_A_YEAR
    return [places[0] - half, places[0] + half] if len(places) == 1 else places


def _show_years(axes: Axes, starts: Sequence[date]) -> None:
    """Let the horizontal axis show years, no more than fit."""
    if len(starts) <= _FEW_YEARS:
        axes.set_xticks([each.year for each in starts])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))


def _pairs(row: plotted_rows.Row) -> list[tuple[int, int]]:
    """Return the quantiles that make bands, the widest first."""
    found = sorted(int(name[1:]) for name in row if _QUANTILE.fullmatch(name))
    alone = [each for each in found if _SHARES - each not in found]
    if alone:
        said, expected = "have no counterpart", "pairs that sum to 100, such as q5 and q95"
        met = ", ".join(f"q{each}" for each in alone)
        raise InvalidRecordError.of("rows", "missing", said, met, expected)
    return [(each, _SHARES - each) for each in found if each < _SHARES - each]


def _drawn(
    axes: Axes,
    style: Style,
    drawn: tuple[Sequence[plotted_rows.Row], Sequence[float]],
    pairs: Sequence[tuple[int, int]],
) -> list[Line2D | Patch]:
    """Draw the bands and the middle of rows at their places."""
    rows, across = drawn
    own = style.series[0]

    def edge(name: str) -> list[float]:
        found = plotted_rows.places_of(plotted_rows.number_of(row[name]) for row in rows)
        return found * 2 if len(found) == 1 else found

    handles: list[Line2D | Patch] = []
    for at, (low, high) in enumerate(pairs):
        how: dict[str, Any] = {
            "facecolor": (own, 0.28 + 0.2 * at),
            "edgecolor": (own, 0.45),
            "linewidth": 0.6,
        }
        axes.fill_between(across, edge(f"q{low}"), edge(f"q{high}"), gid=f"q{low}-q{high}", **how)
        handles.append(Patch(**how))
    (middle,) = axes.plot(across, edge("q50"), color=style.ink, linewidth=2.4, gid="q50")
    return [middle, *reversed(handles)]


def _ends(
    axes: Axes,
    style: Style,
    row: plotted_rows.Row,
    pairs: Sequence[tuple[int, int]],
    currency: str,
    locale: str,
) -> list[list[Text]]:
    """Return the labels of the last year: the middle and the widest band first."""
    order = [50, *(each for pair in pairs for each in reversed(pair))]
    labels: list[list[Text]] = []
    for at, quantile in enumerate(order):
        value = plotted_rows.number_of(row[f"q{quantile}"])
        text = f"{quantile} %  {amount_text(Amount.unchecked(value, currency), locale)}"
        ink, weight = (style.muted, "normal") if at else (style.ink, "bold")
        (height,) = plotted_rows.places_of([value])
        labels.append([pictures.end_label(axes, text, height, ink, fontweight=weight)])
    return labels
