"""Calendar of due dates: the months in which something falls due, with its days and totals.

Law: every bill is there: on its day, and with its total or counted among those that do not fit.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from math import ceil
from typing import Final

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from rentbilling.adapters import money_texts
from rentbilling.adapters.plots.pictures import Picture, finish, new_picture
from rentbilling.adapters.plots.plotted_rows import first_days
from rentbilling.adapters.plots.plotted_texts import amount_text, named
from rentbilling.adapters.plots.styles import Style, style_of
from rentbilling.billing import BillingResult, PendingBill
from rentbilling.errors import InvalidRecordError
from rentbilling.values import Amount

Bills = BillingResult | Iterable[PendingBill]

_ACROSS: Final = 4
_MOST_MONTHS: Final = 36
_MOST_TOTALS: Final = 4
_WEEKS: Final = 6
_SATURDAY: Final = 5
_WEEK: Final = 7


def due_date_calendar(
    bills: Bills, *, locale: str = "en", dark: bool = False, title: str | None = None
) -> Picture:
    """Draw a calendar with the days on which bills fall due, and their totals below each month.

    Args:
        bills: A result, or bills of any leases and currencies, of at most 36 months.
        locale: See `Look`; it also says which day a week begins with.
        dark: See `Look`.
        title: See `Look`; by default the first and the last month.

    Returns:
        The picture; it is as high as the months need.

    Raises:
        InvalidRecordError: There are no bills, or they fall due in more than 36 months.
        UnknownWordError: The locale is not known.
    """
    style = style_of(dark=dark)
    totals = _totals(bills)
    if not totals:
        raise InvalidRecordError.of("bills", "missing", "are empty", "none", "one bill at least")
    months = list(first_days(min(totals), max(totals)))
    if len(months) > _MOST_MONTHS:
        said, expected = "reach too far", f"due dates within {_MOST_MONTHS} months"
        met = f"{min(totals)} to {max(totals)}"
        raise InvalidRecordError.of("bills", "out_of_range", said, met, expected)
    lines = {month: _lines_below(month, totals, locale) for month in months}
    most = max(map(len, lines.values()))
    across = min(_ACROSS, len(months))
    down = ceil(len(months) / across)
    high = 2.15 + 0.2 * most
    picture = new_picture(style, (max(2.75 * across, 4.2), high * down + 0.5))
    grid = picture.subplots(down, across, squeeze=False)
    for at, axes in enumerate(grid.flat):
        axes.set_axis_off()
        axes.set_facecolor(style.paper)
        if at < len(months):
            _draw_month(axes, style, months[at], set(totals), locale)
            _write_below(axes, style, lines[months[at]], most)
    first, last = (money_texts.month_text(each, locale) for each in (months[0], months[-1]))
    said = f"Due dates in {first}" if first == last else f"Due dates from {first} to {last}"
    said = named(said, [bills.lease_id] if isinstance(bills, BillingResult) else [])
    side = 0.16 / picture.get_size_inches()[0]
    picture.suptitle(
        title or said,
        x=side,
        ha="left",
        color=style.ink,
        fontweight="bold",
        fontsize=12,
        gid="title",
    )
    return finish(picture)


def _totals(bills: Bills) -> dict[date, list[Amount]]:
    """Return what falls due on each day, summed by currency."""
    found: dict[date, dict[str, Amount]] = {}
    for bill in bills.bills if isinstance(bills, BillingResult) else bills:
        day = found.setdefault(bill.due_date, {})
        known = day.get(bill.currency)
        day[bill.currency] = bill.payable if known is None else known + bill.payable
    return {day: [day_sums[each] for each in sorted(day_sums)] for day, day_sums in found.items()}


def _lines_below(
    month: date, totals: dict[date, list[Amount]], locale: str
) -> list[tuple[str, str]]:
    """Return the totals of a month's days: as many as fit, and how many there are more."""
    days = sorted(day for day in totals if (day.year, day.month) == (month.year, month.month))
    found = [(f"{day.day}", amount_text(each, locale)) for day in days for each in totals[day]]
    if len(found) <= _MOST_TOTALS:
        return found
    more = len(found) - _MOST_TOTALS + 1
    return [*found[: _MOST_TOTALS - 1], ("", f"and {more} more")]


def _weeks(month: date, locale: str) -> Iterator[tuple[date, int, int]]:
    day, begins = month, money_texts.first_weekday(locale)
    offset = (month.weekday() - begins) % _WEEK
    while day.month == month.month:
        yield day, (day.day - 1 + offset) // _WEEK, (day.day - 1 + offset) % _WEEK
        if day == date.max:
            return
        day += timedelta(days=1)


def _draw_month(axes: Axes, style: Style, month: date, due: set[date], locale: str) -> None:
    """Draw the days of a month, those on which something falls due on a filled ground."""
    name = money_texts.month_text(month, locale)
    axes.set_title(
        f"{name[:1].upper()}{name[1:]}",
        loc="left",
        color=style.ink,
        fontsize=10,
        fontweight="bold",
        pad=4,
    )
    axes.set_xlim(-0.6, _WEEK - 0.4)
    how = {"ha": "center", "va": "center", "fontsize": 8}
    for place, name in enumerate(money_texts.weekday_texts(locale)):
        axes.text(place, 0, name, color=style.muted, **how)  # type: ignore[arg-type]
    for day, week, place in _weeks(month, locale):
        if day in due:
            axes.add_patch(
                FancyBboxPatch(
                    (place - 0.32, week + 1 - 0.3),
                    0.64,
                    0.6,
                    boxstyle="round,pad=0,rounding_size=0.15",
                    facecolor=style.series[0],
                    linewidth=0,
                    gid=day.isoformat(),
                )
            )
        ink = style.muted if day.weekday() >= _SATURDAY else style.ink
        axes.text(
            place,
            week + 1,
            f"{day.day}",
            color=style.paper if day in due else ink,
            fontweight="bold" if day in due else "normal",
            **how,  # type: ignore[arg-type]
        )


def _write_below(axes: Axes, style: Style, lines: Sequence[tuple[str, str]], most: int) -> None:
    axes.set_ylim(_WEEKS + 0.9 + 0.95 * most, -0.6)
    for at, (day, total) in enumerate(lines):
        high = _WEEKS + 1.15 + 0.95 * at
        axes.text(0, high, day, ha="center", va="center", fontsize=8.5, color=style.muted)
        axes.text(_WEEK - 0.6, high, total, ha="right", va="center", fontsize=8.5, color=style.ink)
