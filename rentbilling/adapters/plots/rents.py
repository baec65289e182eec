"""Rent over time: a step for each amount, with the adjustments marked.

Law: what is drawn is the amount in force; the part that depends on assumed index values
has another line, another ground and a name.
"""

from collections.abc import Collection, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from textwrap import shorten
from typing import Any, Final, NamedTuple, Protocol, Unpack, runtime_checkable

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from rentbilling.adapters.money_texts import date_text
from rentbilling.adapters.plots import pictures
from rentbilling.adapters.plots.plotted_rows import (
    Row,
    Rows,
    number_of,
    of_one_currency,
    places_of,
    refuse_without_room,
    rows_of,
)
from rentbilling.adapters.plots.plotted_texts import amount_text, change_text, named
from rentbilling.adapters.plots.rent_steps import rent_steps
from rentbilling.adapters.plots.styles import Style, colour, line_style, mark
from rentbilling.billing import BillingResult
from rentbilling.errors import InvalidRecordError
from rentbilling.values import Amount
from rentbilling.whatif import WhatIf

_YEAR: Final = 365
_LONGEST_NAME: Final = 28


@runtime_checkable
class HasResults(Protocol):
    """A forecast: whatever has a computed result of each lease."""

    @property
    def results(self) -> Sequence[BillingResult]: ...


class _Run(NamedTuple):
    """The steps of one item, and the day to which the last one is drawn."""

    name: str
    steps: list[Row]
    until: date

    @property
    def changes(self) -> list[Row]:
        """The steps from one amount to another."""
        return [
            row
            for before, row in pairwise(self.steps)
            if row["amount"] is not None and row["amount"] != before["amount"]
        ]


def rent_over_time(
    rents: BillingResult | HasResults | Rows,
    *,
    items: Collection[str] = (),
    until: date | None = None,
    currency: str | None = None,
    **look: Unpack[pictures.Look],
) -> pictures.Picture:
    """Draw what items cost over time, with a mark where an amount changes.

    Args:
        rents: A computed result, a forecast of one lease or of several, or rows of steps (see
            `rent_steps`): `item_id`, `from_date`, `amount` (Decimal; None where the item has ended)
            and `currency`; where known also `change` (a fraction), `adjusted` (False where the
            change is no rent adjustment), `text` (shown below it), `assumed`, `name` and `per`.
        items: Ids, product keys or names, such as `["key:rent"]`; by default the items whose
            amount changes. Of the others the legend has the amounts.
        until: The day to which the last amounts are drawn; by default the end of the result's
            period, or a year after the last step.
        currency: Which currency, where there are several.
        **look: See `Look`; the title names the lease by default.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows or no such item, a row lacks a key, or the result
            was read or is no result of one lease.
        UnsupportedCaseError: The days lie at an end of the calendar.
        UnknownWordError: The locale is not known.
    """
    if isinstance(rents, WhatIf):
        said, expected = "has no steps of rents", "a forecast, or a result of bill_period"
        raise InvalidRecordError.of("rents", "wrong_value", said, rents, expected)
    title = "Rent over time"
    if isinstance(rents, (BillingResult, HasResults)):
        results = [rents] if isinstance(rents, BillingResult) else [*rents.results]
        ends = [each.period.end for each in results if each.period is not None]
        end = until or max(ends, default=None)
        given: Rows = _steps_of(results, look.get("locale", pictures.ENGLISH))
        title = named(title, [each.lease_id for each in results])
    else:
        end, given = until, rents
    all_rows = rows_of(given, "item_id", "from_date", "amount", "currency")
    rows, chosen = of_one_currency(_of_items(all_rows, items), currency)
    all_runs = _runs(rows, end)
    changing = [run for run in all_runs if len({row["amount"] for row in run.steps}) > 1]
    runs = all_runs if items or not changing else changing
    per = {str(row.get("per", "billing period")) for run in runs for row in run.steps}
    unit = f"{chosen} a {per.pop()}" if len(per) == 1 else f"{chosen} a billing period"
    picture, axes, style, locale = pictures.begun(title, unit, **look)
    handles: list[Line2D | Patch] = [_drawn(axes, style, run, at) for at, run in enumerate(runs)]
    names = [f"{run.name}: {_first_to_last(run, chosen, locale)}" for run in runs]
    if (assumed := _ground(axes, style, runs)) is not None:
        handles.append(Patch(**_shade(style)))
        names.append(f"Assumed index values, from {date_text(assumed, locale)} on")
    if len(runs) < len(all_runs):
        handles.append(Line2D([], [], linestyle="none"))
        names.append(_unchanged_text([run for run in all_runs if run not in runs], chosen, locale))
    pictures.show_numbers(axes.yaxis, locale)
    pictures.show_days(axes, locale)
    axes.margins(x=0.02)
    pictures.leave_room(axes, above=0.3)
    pictures.add_legend(picture, style, handles, names)
    labels = [_labels(axes, style, row, at, locale) for row, at in _marked(runs)]
    at_ends = _end_labels(axes, style, runs)
    return pictures.finish(picture, [*at_ends, *labels])


def _steps_of(results: Sequence[BillingResult], locale: str) -> list[Row]:
    """Return the steps of leases; of several, ids and names say which lease it is."""
    found: list[Row] = []
    for at, result in enumerate(results, 1):
        steps = rent_steps(result, locale)
        if len(results) > 1:
            lease = result.lease_id or f"lease {at}"
            for step in steps:
                name = step["name"] or step["product_key"]
                step |= {"item_id": f"{lease}/{step['item_id']}", "name": f"{name}, {lease}"}
        found += steps
    return found


_NAMES: Final = ("item_id", "product_key", "name")


def _of_items(rows: Sequence[Row], items: Collection[str]) -> list[Row]:
    """Return the rows of the items that were chosen by id, product key or name.

    Raises:
        InvalidRecordError: There is no such item.
    """
    if isinstance(items, str):
        items = [items]
    known = {str(row[key]): None for row in rows for key in _NAMES if row.get(key)}
    if not known.keys() >= set(items):
        said, expected = "are not all there", f"some of {', '.join(known)}"
        raise InvalidRecordError.of("items", "not_there", said, ", ".join(items), expected)
    chosen = {row["item_id"] for row in rows if not {*map(row.get, _NAMES)}.isdisjoint(items)}
    return [row for row in rows if not items or row["item_id"] in chosen]


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


def _drawn(axes: Axes, style: Style, run: _Run, at: int) -> Line2D:
    """Draw the steps of an item, published and assumed, with a mark where its amount changes."""
    days = [*map(pictures.place_of, map(_day, run.steps)), pictures.place_of(run.until)]
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
                linestyle=(0, (2.5, 1.5)) if assumed else line_style(at),
                solid_joinstyle="miter",
                solid_capstyle="butt",
                gid="assumed" if assumed else "published",
            )
    changed = run.changes
    for gid, inside, rows in (
        ("adjustments", own, [row for row in changed if _is_adjusted(row)]),
        ("changes", style.paper, [row for row in changed if not _is_adjusted(row)]),
    ):
        axes.plot(
            [pictures.place_of(_day(row)) for row in rows],
            places_of(number_of(row["amount"]) for row in rows),
            linestyle="none",
            marker=mark(at),
            color=own,
            markerfacecolor=inside,
            markersize=6.5,
            gid=gid,
            zorder=3,
        )
    style_of_line: Any = line_style(at)
    return Line2D([], [], color=own, linewidth=2.2, linestyle=style_of_line)


def _is_adjusted(row: Row) -> bool:
    """Return whether an amount comes from a rent adjustment whose change is known."""
    return row.get("change") is not None and bool(row.get("adjusted", True))


def _unchanged_text(runs: Sequence[_Run], currency: str, locale: str) -> str:
    """Return what the items cost that are not drawn."""
    said = (f"{run.name} {_first_to_last(run, currency, locale)}" for run in runs)
    return f"Unchanged: {', '.join(said)}"


def _end_labels(axes: Axes, style: Style, runs: Sequence[_Run]) -> list[list[Text]]:
    """Return the names of the items at the ends of their lines, where there are several."""
    return [
        [
            pictures.end_label(
                axes,
                shorten(pictures.one_line(run.name), _LONGEST_NAME, placeholder=" …"),
                places_of([number_of(run.steps[-1]["amount"])])[0],
                colour(style, at),
            )
        ]
        for at, run in enumerate(runs)
        if len(runs) > 1 and run.steps[-1]["amount"] is not None
    ]


def _first_to_last(run: _Run, currency: str, locale: str) -> str:
    """Return from which amount to which an item went."""
    amounts = [
        Amount.unchecked(number_of(row["amount"]), currency) for row in run.steps if row["amount"]
    ]
    if not amounts:
        return "nothing"
    first = amount_text(amounts[0], locale)
    return first if len(amounts) == 1 else f"{first} → {amount_text(amounts[-1], locale)}"


def _ground(axes: Axes, style: Style, runs: Sequence[_Run]) -> date | None:
    """Shade the days on which an amount depends on assumed index values; return the first one."""
    days = [_day(row) for run in runs for row in run.steps if row.get("assumed")]
    if not days:
        return None
    until = max(run.until for run in runs)
    axes.axvspan(
        pictures.place_of(min(days)),
        pictures.place_of(until),
        zorder=0,
        gid="assumed",
        **_shade(style),
    )
    return min(days)


def _shade(style: Style) -> dict[str, Any]:
    return {"facecolor": (style.grid, 0.45), "linewidth": 0}


def _marked(runs: Sequence[_Run]) -> list[tuple[Row, int]]:
    """Return the adjustments with the place of their item, those that are labelled first in front.

    The last one and the largest ones matter most where not all fit.
    """
    found = [(row, at) for at, run in enumerate(runs) for row in run.changes if _is_adjusted(row)]
    return sorted(found, key=lambda each: -abs(Decimal(each[0]["change"])))


def _labels(axes: Axes, style: Style, row: Row, at: int, locale: str) -> list[Text]:
    """Return the texts of an adjustment, the longest first."""
    change = change_text(Decimal(row["change"]), locale)
    day = date_text(_day(row), locale)
    texts = [f"{change}\n{day}", change]
    if row.get("text"):
        texts.insert(0, f"{change}\n{row['text']}\n{day}")
    place = pictures.place_of(_day(row)), places_of([number_of(row["amount"])])[0]
    return [
        pictures.label(axes, text, place, colour(style, at), gap=7, linespacing=1.25, visible=False)
        for text in texts
    ]
