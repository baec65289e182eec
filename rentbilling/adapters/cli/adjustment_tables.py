"""Rent adjustments as a table for people: a line for each change, and below it why.

Laws: a figure is never cut off; what explains a change stands below its line.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text

from rentbilling.adapters.cli.adjustment_words import Change, changes_of
from rentbilling.adapters.cli.layout import (
    FAINT,
    GAP,
    Column,
    Layout,
    joined,
    widest,
    width_of,
)
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import figure, short_day
from rentbilling.terms.plans import RentAdjustment

if TYPE_CHECKING:
    from rentbilling.values.money import Amount

# The room for names of items below which nothing gives way.
_LEAST: Final = 8


class _Row(NamedTuple):
    """The cells of one change; the details stand below them."""

    day: str
    what: str
    before: str
    after: str
    by: str
    applied: str
    details: tuple[str, ...]


def adjustment_table(adjustments: Iterable[RentAdjustment], *, full: bool) -> str:
    """Return adjustments as a text for the terminal that stdout is."""
    layout = Layout()
    return layout.printed(_Table(adjustments, layout, full=full).parts())


class _Table:
    """Lays out all adjustments in the same columns."""

    def __init__(
        self, adjustments: Iterable[RentAdjustment], layout: Layout, *, full: bool
    ) -> None:
        changes = [[*changes_of(each, full=full)] for each in adjustments]
        currencies = {
            amount.currency
            for each in changes
            for change in each
            for amount in (change.before, change.after, change.by)
            if amount is not None
        }
        self._layout = layout
        # In the headings where all are of one; beside each amount otherwise.
        self._currency = printable(currencies.pop()) if len(currencies) == 1 else ""
        self._rows = [[*self._rows_of(each)] for each in changes]
        self._columns = self._fitted()

    def parts(self) -> Iterator[Text]:
        """Give what is printed, adjustment by adjustment, from top to bottom."""
        columns = self._columns
        part = Text(joined((each.heading for each in columns), columns), style=FAINT)
        yield part.append(self._layout.rule * width_of(columns) + "\n")
        for rows in self._rows:
            part = Text()
            for row in rows:
                self._add(part, row)
            yield part

    def _rows_of(self, changes: Iterable[Change]) -> Iterator[_Row]:
        """Give the rows of an adjustment; what one says like the one above is left out."""
        said = ("", "")
        for change in changes:
            day, what = short_day(change.day), change.what
            yield _Row(
                "" if day == said[0] else day,
                "" if (day, what) == said else what,
                self._amount(change.before),
                self._amount(change.after),
                self._amount(change.by),
                change.applied,
                change.why,
            )
            said = day, what

    def _amount(self, amount: "Amount | None") -> str:
        """Return an amount as a cell."""
        if amount is None:
            return ""
        written = figure(amount.amount)
        return written if self._currency else f"{written} {printable(amount.currency)}"

    def _fitted(self) -> list[Column]:
        """Return the columns for the width of the terminal: names give way to figures."""
        rows = [row for rows in self._rows for row in rows]

        def column(name: str, heading: str, *, right: bool = False) -> Column:
            cells = [heading, *(getattr(row, name) for row in rows)]
            return Column(name, heading, widest(cells), right)

        unit = f" {self._currency}" if self._currency else ""
        day, what = column("day", "Day"), column("what", "Item")
        figures = [
            column("before", f"From{unit}", right=True),
            column("after", f"To{unit}", right=True),
            column("by", "Change", right=True),
            column("applied", "Applied", right=True),
        ]
        room = self._layout.width - width_of([day, *figures]) - GAP
        what = what._replace(width=max(min(_LEAST, what.width), min(what.width, room)))
        return [day, what, *figures]

    def _add(self, part: Text, row: _Row) -> None:
        """Add a change: its cells, then why."""
        first, *more = self._layout.wrapped(row.what, self._columns[1].width)
        cells = (row.day, first, row.before, row.after, row.by, row.applied)
        part.append(joined(cells, self._columns))
        for line in more:
            part.append(joined(("", line, "", "", "", ""), self._columns))
        for detail in row.details:
            for line in self._layout.below(detail, self._layout.width):
                part.append(line, style=FAINT)
