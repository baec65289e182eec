"""Expiries: the rents of a year by the year in which their leases end.

Law: years without an end of a lease have their place too; leases without an end come last.
"""

from decimal import Decimal
from typing import Any, Final, Unpack

from matplotlib.axes import Axes
from matplotlib.text import Text

from rentbilling.adapters.plots import pictures
from rentbilling.adapters.plots.plotted_rows import Rows, number_of, of_one_currency, rows_of
from rentbilling.adapters.plots.plotted_texts import amount_text
from rentbilling.adapters.plots.styles import Style
from rentbilling.errors import UnsupportedCaseError
from rentbilling.reports import RentRoll
from rentbilling.values import Amount

_MOST_YEARS: Final = 200
_LARGE: Final = 100_000
"""From this amount on, amounts are in whole main units."""
_MOST_NAMED: Final = 14
"""Years on the axis."""


def expiries_by_year(
    roll: RentRoll | Rows, *, currency: str | None = None, **look: Unpack[pictures.Look]
) -> pictures.Picture:
    """Draw what rents of a year end in which year, with the number of leases.

    Args:
        roll: A rent roll, or rows of its `expiries()`.
        currency: Which currency, where there are several.
        **look: See `Look`.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rents, or a row lacks a key.
        UnsupportedCaseError: The ends are more than 200 years apart.
    """
    given = roll.expiries() if isinstance(roll, RentRoll) else roll
    rows, chosen = of_one_currency(rows_of(given, "year", "currency", "leases", "yearly"), currency)
    by_year: dict[int | None, list[dict[str, Any]]] = {}
    for row in rows:
        by_year.setdefault(row["year"], []).append(dict(row))
    ends = [year for year in by_year if year is not None]
    years: list[int | None] = list(range(min(ends), max(ends) + 1)) if ends else []
    if len(years) > _MOST_YEARS:
        raise UnsupportedCaseError("unsupported", case=f"a picture of {len(years)} years")
    years += [None] if None in by_year else []
    sums = [
        sum((number_of(row["yearly"]) for row in by_year.get(year, ())), Decimal(0))
        for year in years
    ]
    counts = [sum(row["leases"] for row in by_year.get(year, ())) for year in years]
    without = counts[-1] if years[-1] is None else 0
    ending = sum(counts) - without
    title = f"Rents by the year in which {ending:,} lease{'s' * (ending != 1)} end"
    title += f"; {without:,} without an end" if without else ""
    whole = max(map(abs, sums)) >= _LARGE
    picture, axes, style, locale = pictures.begun(title, f"{chosen} a year", **look)
    _draw_bars(axes, style, years, sums)
    labels = [
        _label(axes, style, at, (_text(total, chosen, locale, whole=whole), total, count))
        for at, (total, count) in enumerate(zip(sums, counts, strict=True))
        if count
    ]
    pictures.leave_room(axes, above=0.14)
    pictures.show_numbers(axes.yaxis, locale)
    return pictures.finish(picture, labels)


def _draw_bars(axes: Axes, style: Style, years: list[int | None], sums: list[Decimal]) -> None:
    places = range(len(years))
    bars = axes.bar(places, [float(each) for each in sums], width=0.7, color=style.series[0])
    if years[-1] is None:
        # Not to be taken for a year.
        bars[-1].set(facecolor=style.paper, edgecolor=style.series[0], hatch="////")
    step = -(-len(years) // _MOST_NAMED)
    named = [at for at in places if at % step == 0 or years[at] is None]
    if len(named) > 1 and named[-1] - named[-2] < step:
        del named[-2]
    axes.set_xticks(named, ["no end" if years[at] is None else str(years[at]) for at in named])
    if min(sums) < 0:
        # Zero is the one line then; otherwise the axis is at zero.
        axes.axhline(0, color=style.muted, linewidth=0.8)
        axes.spines["bottom"].set_visible(False)


def _text(total: Decimal, currency: str, locale: str, *, whole: bool) -> str:
    return amount_text(Amount.unchecked(total, currency), locale, whole=whole)


def _label(axes: Axes, style: Style, at: int, shown: tuple[str, Decimal, int]) -> list[Text]:
    """Return the texts above a bar, the longest first."""
    text, total, count = shown
    leases = f"{count:,} lease{'s' * (count != 1)}"
    place = at, max(float(total), 0.0)
    return [
        pictures.label(axes, each, place, style.ink, fontsize=9)
        for each in (f"{text}\n{leases}", leases, f"{count:,}")
    ]
