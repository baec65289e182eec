"""Baseline against variants: the differences of scenarios, month by month or year by year.

Law: what is drawn is the difference from the baseline, which is the zero of the axis; its sum is
written after the name.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import accumulate
from math import ceil
from typing import Any, Final, Literal, NamedTuple, Unpack

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from rentbilling.adapters.money_texts import month_text
from rentbilling.adapters.plots import pictures, plotted_rows
from rentbilling.adapters.plots.plotted_texts import amount_text, named, signed_text
from rentbilling.adapters.plots.styles import Style, colour, line_style
from rentbilling.errors import InvalidRecordError
from rentbilling.values import MONTHS_PER_YEAR, Amount
from rentbilling.whatif import WhatIf

_MOST_BARS: Final = 12
_MOST_MONTHS: Final = 36
_LONGEST_TITLE: Final = 36
_WIDTH: Final = 0.8
"""Share of a year's width that its bars take."""
_BASELINE: Final = "baseline"

Kind = Literal["lines", "bars"]


class _Compared(NamedTuple):
    """Figures by month or year, without gaps."""

    starts: list[date]
    """The first days of the months or years, and the day after the last one."""
    base: list[Decimal]
    variants: Mapping[str, list[Decimal]]
    per: str

    @property
    def differences(self) -> dict[str, list[Decimal]]:
        """By how much each variant is more than the baseline."""
        return {
            name: [there - here for here, there in zip(self.base, values, strict=True)]
            for name, values in self.variants.items()
        }


def against_baseline(
    rows: plotted_rows.Rows | WhatIf,
    *,
    kind: Kind | None = None,
    running: bool | None = None,
    currency: str | None = None,
    **look: Unpack[pictures.Look],
) -> pictures.Picture:
    """Draw by how much variants differ from a baseline.

    Args:
        rows: What `what_if` gives, whose gross is drawn by month, or by year where there are more
            than 36 months; or a row for each month or year: `month` (`2027-01`, or a day of it) or
            `year` (2027), `currency`, `baseline`, and a figure (Decimal) for each variant by its
            name. A month or year without a row is one in which nothing is due.
        kind: `lines` or `bars`; by default bars for up to 12 years, else lines.
        running: Whether to draw the sum of the differences since the start, instead of each; by
            default for lines of months, in which another day of payment would hide all else.
        currency: Which currency, where there are several.
        **look: See `Look`; the title names the variants and the lease by default.

    Raises:
        CurrencyMismatchError: There are several currencies, or not the one asked for.
        InvalidRecordError: There are no rows, a row lacks a key or is there twice, there is no
            variant, or the rows are `differences`.
        UnsupportedCaseError: The days lie at an end of the calendar.
        UnknownWordError: The locale is not known.
    """
    chosen_rows, chosen = plotted_rows.of_one_currency(
        plotted_rows.rows_of(
            _sides(rows) if isinstance(rows, WhatIf) else rows, "currency", _BASELINE
        ),
        currency,
    )
    compared = _compared(chosen_rows)
    few_years = compared.per == "year" and len(compared.starts) <= _MOST_BARS + 1
    as_bars = kind == "bars" or (kind is None and few_years)
    if running is None:
        running = compared.per == "month" and not as_bars
    leases = (each.lease_id for each in rows.baseline.results) if isinstance(rows, WhatIf) else ()
    said = "since the start" if running else f"a {compared.per}"
    title = named(_title([*compared.variants]), leases)
    picture, axes, style, locale = pictures.begun(title, f"{chosen} {said}", **look)
    drawn = {
        name: list(accumulate(values)) if running else values
        for name, values in compared.differences.items()
    }
    labels: list[list[Text]] = []
    if as_bars:
        handles = _bars(axes, style, drawn)
        labels = _bar_labels(axes, style, drawn, locale)
        _name_bars(axes, compared, locale)
    else:
        handles = _lines(axes, style, drawn, compared.starts)
        pictures.show_days(axes, locale)
    pictures.show_numbers(axes.yaxis, locale)
    axes.axhline(0, color=style.ink, linewidth=1.6, zorder=4, gid=_BASELINE)
    zero = Line2D([], [], color=style.ink, linewidth=1.6)
    pictures.add_legend(picture, style, [zero, *handles], _sums(compared, chosen, locale))
    return pictures.finish(picture, labels)


def _sides(given: WhatIf) -> plotted_rows.Rows:
    """Return what was compared by month, or by year where there are many months."""
    by_month = given.side_by_side("month").rows()
    months = {row["month"] for row in by_month}
    return by_month if len(months) <= _MOST_MONTHS else given.side_by_side("year")


def _compared(rows: Sequence[plotted_rows.Row]) -> _Compared:
    if "scenario" in rows[0]:
        said, expected = "are differences already", "the answer of what_if itself"
        raise InvalidRecordError.of("rows", "wrong_value", said, ", ".join(rows[0]), expected)
    per = "month" if "month" in rows[0] else "year"
    names = [name for name in rows[0] if name not in (per, "currency", _BASELINE)]
    if not names:
        said, expected = "compares with nothing", "a figure besides the baseline"
        raise InvalidRecordError.of("rows[0]", "missing", said, ", ".join(rows[0]), expected)
    by_start: dict[date, plotted_rows.Row] = {}
    for at, row in enumerate(rows):
        if per not in row:
            expected = "a month such as 2027-01, or a year"
            raise InvalidRecordError.of(f"rows[{at}]", "missing", f"has no {per}", "none", expected)
        start = plotted_rows.start_of(row[per])
        if start in by_start:
            said, expected = "is there twice", "one row for each month or year"
            raise InvalidRecordError.of(f"rows[{at}].{per}", "equal_days", said, row[per], expected)
        by_start[start] = row
    plotted_rows.refuse_without_room(by_start)
    months = 1 if per == "month" else MONTHS_PER_YEAR
    starts = list(plotted_rows.first_days(min(by_start), max(by_start), months, more=months))
    base, *variants = (
        [plotted_rows.number_of(by_start.get(start, {}).get(name)) for start in starts[:-1]]
        for name in (_BASELINE, *names)
    )
    return _Compared(starts, base, dict(zip(names, variants, strict=True)), per)


def _title(names: Sequence[str]) -> str:
    """Return what a picture of some variants shows; the legend names those that are many."""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    if len(listed) > _LONGEST_TITLE and len(names) > 1:
        listed = f"{len(names)} variants"
    # A product key stays as it is written.
    first = listed[:1] if ":" in listed.partition(" ")[0] else listed[:1].upper()
    return f"{first}{listed[1:]} against the baseline"


def _sums(compared: _Compared, currency: str, locale: str) -> list[str]:
    """Return the names with what they come to, and by how much that differs from the baseline."""
    base = sum(compared.base, Decimal(0))
    labels = [f"Baseline: {amount_text(Amount.unchecked(base, currency), locale)}"]
    for name, values in compared.variants.items():
        total = sum(values, Decimal(0))
        more = amount_text(Amount.unchecked(total - base, currency), locale, signed=True)
        labels.append(f"{name}: {amount_text(Amount.unchecked(total, currency), locale)} ({more})")
    return labels


def _lines(
    axes: Axes, style: Style, drawn: Mapping[str, list[Decimal]], starts: Sequence[date]
) -> list[Line2D | Patch]:
    """Draw each as a line of steps; a single one with what lies between it and the baseline."""
    days = [pictures.place_of(start) for start in starts]
    handles: list[Line2D | Patch] = []
    for at, (name, values) in enumerate(drawn.items()):
        own = colour(style, at)
        # The last step lasts to the end of its month or year.
        steps = plotted_rows.places_of([*values, values[-1]])
        (line,) = axes.step(
            days,
            steps,
            where="post",
            color=own,
            linewidth=2.2,
            linestyle=line_style(at),
            zorder=3,
            gid=name,
        )
        handles.append(line)
        if len(drawn) == 1:
            axes.fill_between(
                days, steps, step="post", facecolor=(own, 0.15), linewidth=0, zorder=1
            )
    axes.margins(x=0.01)
    axes.update_datalim([(days[0], 0.0)])
    pictures.leave_room(axes, above=0.12, below=0.12)
    return handles


def _bars(axes: Axes, style: Style, drawn: Mapping[str, list[Decimal]]) -> list[Line2D | Patch]:
    """Draw each as a bar above or below the baseline."""
    width = _WIDTH / len(drawn)
    handles: list[Line2D | Patch] = []
    for at, (name, values) in enumerate(drawn.items()):
        look: dict[str, Any] = {
            "facecolor": colour(style, at),
            "edgecolor": style.paper,
            "linewidth": 0,
            "hatch": ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo")[at % 7],
        }
        lefts = [place - _WIDTH / 2 + width * at for place in range(len(values))]
        for bar in axes.bar(
            lefts, plotted_rows.places_of(values), width * 0.92, align="edge", zorder=2, **look
        ):
            bar.set_gid(name)
        handles.append(Patch(**look))
    axes.update_datalim([(0.0, 0.0)])
    pictures.leave_room(axes, above=0.14, below=0.14)
    return handles


def _bar_labels(
    axes: Axes, style: Style, drawn: Mapping[str, list[Decimal]], locale: str
) -> list[list[Text]]:
    width = _WIDTH / len(drawn)
    return [
        [
            pictures.label(
                axes,
                signed_text(value, locale),
                (place - _WIDTH / 2 + width * (at + 0.46), plotted_rows.places_of([value])[0]),
                style.ink,
                gap=3 if value > 0 else -3,
            )
        ]
        for at, values in enumerate(drawn.values())
        for place, value in enumerate(values)
        if value
    ]


def _name_bars(axes: Axes, compared: _Compared, locale: str) -> None:
    """Write the years or months below the bars, as many as fit."""
    starts = compared.starts[:-1]
    every = ceil(len(starts) / _MOST_BARS)
    names = [
        str(start.year) if compared.per == "year" else month_text(start, locale, short=True)
        for start in starts
    ]
    axes.set_xticks(range(0, len(starts), every), names[::every])
