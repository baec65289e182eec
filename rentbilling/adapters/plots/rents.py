"""Rent over time: a step for each amount, with the adjustments marked.

Law: what is drawn is the amount in force; the part that depends on assumed index values
has another line, another ground and a name.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple, Protocol, Unpack, runtime_checkable

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from rentbilling.adapters.money_texts import date_text, money_text, percent_text
from rentbilling.adapters.plots.pictures import (
    ENGLISH,
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
    Row,
    Rows,
    number_of,
    of_one_currency,
    places_of,
    refuse_without_room,
    rows_of,
)
from rentbilling.adapters.plots.rent_steps import rent_steps
from rentbilling.adapters.plots.styles import Style, colour, mark
from rentbilling.billing import BillingResult
from rentbilling.values import Amount

_YEAR: Final = 365
_MARKS: Final = 4
"""Marks along a line where there are several, in addition to the one at its start."""


@runtime_checkable
class HasResult(Protocol):
    """A forecast: whatever has a computed result."""

    @property
    def result(self) -> BillingResult:
        """The bills and adjustments."""
        ...


class _Run(NamedTuple):
    """The steps of one item, and the day to which the last one is drawn."""

    name: str
    steps: list[Row]
    until: date


def rent_over_time(
    rents: BillingResult | HasResult | Rows,
    *,
    items: Collection[str] = (),
    until: date | None = None,
    currency: str | None = None,
    **look: Unpack[Look],
) -> Picture:
    """Draw what items cost over time, with every rent adjustment marked.

    Args:
        rents: A computed result, a forecast, or rows of steps (see `rent_steps`): `item_id`,
            `from_date`, `amount` (Decimal; None where the item has ended) and `currency`; where
            known also `change` (a fraction), `adjusted` (False where the change is no rent
            adjustment), `text` (shown below it), `assumed`, `name` and `per`.
        items: Ids of the items to draw; by default all. The steps of a parking space
            are hardly visible next to a rent of thousands.
        until: The day to which the last amounts are drawn; by default the end of the result's
            period, or a year after the last step.
        currency: Which currency, where there are several.
        **look: See `Look`; the title is `Rent over time` by default.

    Returns:
        The picture.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows, a row lacks a key, or the result was read.
        UnsupportedCaseError: The days lie at an end of the calendar.
        UnknownWordError: The locale is not known.
    """
    if isinstance(rents, HasResult):
        rents = rents.result
    if isinstance(rents, BillingResult):
        end = until or (None if rents.period is None else rents.period.end)
        given: Rows = rent_steps(rents, look.get("locale", ENGLISH))
    else:
        end, given = until, rents
    all_rows = rows_of(given, "item_id", "from_date", "amount", "currency")
    wanted = [row for row in all_rows if not items or row["item_id"] in items]
    rows, chosen = of_one_currency(rows_of(wanted), currency)
    runs = _runs(rows, end)
    per = {str(row.get("per", "billing period")) for row in rows}
    unit = f"{chosen} a {per.pop()}" if len(per) == 1 else f"{chosen} a billing period"
    look.setdefault("title", "Rent over time")
    picture, axes, style, locale = begun("", unit, **look)
    handles: list[Line2D | Patch] = [
        _drawn(axes, style, run, (at, len(runs))) for at, run in enumerate(runs)
    ]
    names = [f"{run.name}: {_first_to_last(run, chosen, locale)}" for run in runs]
    if (assumed := _ground(axes, style, runs)) is not None:
        handles.append(assumed)
        names.append("Rests on assumed index values")
    show_numbers(axes.yaxis, locale)
    show_days(axes, locale)
    axes.margins(x=0.02)
    leave_room(axes, above=0.3)
    add_legend(picture, style, handles, names)
    labels = [_labels(axes, style, row, at, locale) for row, at in _marked(runs)]
    return finish(picture, labels)


def _runs(rows: Sequence[Row], until: date | None) -> list[_Run]:
    """Return the steps by item, each in order of days."""
    last = max(row["from_date"] for row in rows)
    if until is None or until <= last:
        until = date.fromordinal(min(last.toordinal() + _YEAR, date.max.toordinal()))
    refuse_without_room((until, *(row["from_date"] for row in rows)))
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row["item_id"], []).append(row)
    pers = {row.get("per") for row in rows}
    names = {item_id: str(steps[0].get("name") or item_id) for item_id, steps in by_item.items()}
    runs = []
    for item_id, steps in by_item.items():
        steps.sort(key=_day)
        name = names[item_id]
        if list(names.values()).count(name) > 1:
            name += f", {item_id}"
        if len(pers) > 1 and steps[0].get("per"):
            name += f" (a {steps[0]['per']})"
        runs.append(_Run(name, steps, until))
    return runs


def _day(row: Row) -> date:
    day: date = row["from_date"]
    return day


def _drawn(axes: Axes, style: Style, run: _Run, among: tuple[int, int]) -> Line2D:
    """Draw the steps of an item, published and assumed, with its marks and each adjustment."""
    at, _ = among
    days = [*map(place_of, map(_day, run.steps)), place_of(run.until)]
    amounts = [*(row["amount"] for row in run.steps), run.steps[-1]["amount"]]
    own = colour(style, at)
    for assumed in (False, True):
        for start, end, row, after in zip(days, days[1:], run.steps, amounts[1:], strict=False):
            if row["amount"] is None or bool(row.get("assumed")) is not assumed:
                continue
            here, there = places_of(map(number_of, (row["amount"], after or row["amount"])))
            axes.plot(
                [start, end, end],
                [here, here, there],
                color=own,
                linewidth=2.2,
                linestyle=(0, (2.5, 1.5)) if assumed else "-",
                solid_joinstyle="miter",
                solid_capstyle="butt",
                gid="assumed" if assumed else "published",
            )
    # By hollow marks items differ that are never adjusted, or whose colours are alike.
    axes.plot(
        *_marks(days, amounts, among),
        linestyle="none",
        marker=mark(at),
        color=own,
        markerfacecolor=style.paper,
        markersize=6.5,
        gid="start",
        zorder=3,
    )
    changed = [row for row in run.steps if _is_adjusted(row)]
    axes.plot(
        [place_of(_day(row)) for row in changed],
        places_of(number_of(row["amount"]) for row in changed),
        linestyle="none",
        marker=mark(at),
        color=own,
        markeredgecolor=style.paper,
        markersize=7.5,
        gid="adjustments",
        zorder=3,
    )
    return Line2D([], [], color=own, linewidth=2.2, marker=mark(at), markeredgecolor=style.paper)


def _is_adjusted(row: Row) -> bool:
    """Return whether an amount comes from a rent adjustment whose change is known."""
    return row.get("change") is not None and bool(row.get("adjusted", True))


def _marks(
    days: Sequence[float], amounts: Sequence[Any], among: tuple[int, int]
) -> tuple[list[float], list[float]]:
    """Return the places of an item's marks: at its start, and along it next to those of others."""
    at, count = among
    places = (
        days[:1]
        if count == 1
        else [
            days[0],
            *(
                days[0] + (days[-1] - days[0]) * (part + (at + 1) / (count + 1)) / _MARKS
                for part in range(_MARKS)
            ),
        ]
    )
    found = [(place, amounts[bisect_right(days, place) - 1]) for place in places]
    kept = [(place, number_of(amount)) for place, amount in found if amount is not None]
    return [place for place, _ in kept], places_of(amount for _, amount in kept)


def _first_to_last(run: _Run, currency: str, locale: str) -> str:
    """Return from which amount to which an item went."""
    amounts = [Amount.of(number_of(row["amount"]), currency) for row in run.steps if row["amount"]]
    if not amounts:
        return "nothing"
    first = money_text(amounts[0], locale)
    return first if len(amounts) == 1 else f"{first} → {money_text(amounts[-1], locale)}"


def _ground(axes: Axes, style: Style, runs: Sequence[_Run]) -> Patch | None:
    """Hatch the days on which an amount depends on assumed index values."""
    days = [_day(row) for run in runs for row in run.steps if row.get("assumed")]
    if not days:
        return None
    until = max(run.until for run in runs)
    how: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": style.grid,
        "hatch": "////",
        "linewidth": 0,
    }
    axes.axvspan(place_of(min(days)), place_of(until), zorder=0, gid="assumed", **how)
    return Patch(**how)


def _marked(runs: Sequence[_Run]) -> list[tuple[Row, int]]:
    """Return the adjustments with the place of their item, those that are labelled first in front.

    The last one and the largest ones matter most where not all fit.
    """
    found = [(row, at) for at, run in enumerate(runs) for row in run.steps if _is_adjusted(row)]
    return sorted(found, key=lambda each: -abs(Decimal(each[0]["change"])))


def _labels(axes: Axes, style: Style, row: Row, at: int, locale: str) -> list[Text]:
    """Return the texts of an adjustment, the longest first."""
    change = percent_text(Decimal(row["change"]), locale, signed=True)
    day = date_text(_day(row), locale)
    texts = [f"{change}\n{day}", change]
    if row.get("text"):
        texts.insert(0, f"{change}\n{row['text']}\n{day}")
    place = place_of(_day(row)), places_of([number_of(row["amount"])])[0]
    return [
        axes.annotate(
            text,
            place,
            xytext=(0, 7),
            textcoords="offset points",
            horizontalalignment="center",
            verticalalignment="bottom",
            color=colour(style, at),
            fontsize=8,
            linespacing=1.25,
            visible=False,
        )
        for text in texts
    ]
