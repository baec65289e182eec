"""Rent adjustments as a table for people: a line for each change, and below it why.

Laws: a figure is never cut off; what explains a change stands below its line.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rentbilling.adapters.cli.adjustment_words import Change, changes_of
from rentbilling.adapters.cli.layout import Column, Grid, Layout
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import figure, short_day
from rentbilling.terms.plans import RentAdjustment

if TYPE_CHECKING:
    from rentbilling.values.money import Amount


def adjustment_table(adjustments: Iterable[RentAdjustment], *, full: bool) -> str:
    """Return adjustments as a text for the terminal that stdout is.

    `full` also says the amounts of a year.
    """
    layout = Layout()
    changes = [[*changes_of(each, full=full)] for each in adjustments]
    amounts = (
        amount
        for each in changes
        for change in each
        for amount in (change.before, change.after, change.by)
    )
    currencies = {amount.currency for amount in amounts if amount is not None}
    # In the headings where all are of one; beside each amount otherwise.
    currency = f" {printable(currencies.pop())}" if len(currencies) == 1 else ""
    rows = [row for each in changes for row in _rows(each, alone=bool(currency))]
    figures = (f"From{currency}", f"To{currency}", "Change", "Applied")
    columns = [
        Column("Day"),
        Column("Item", least=8),
        *(Column(each, right=True) for each in figures),
    ]
    grid = Grid(layout, columns, [cells for cells, _ in rows])
    return layout.printed(
        [*grid.head(), *(part for cells, why in rows for part in grid.row(cells, below=why))]
    )


def _rows(changes: Iterable[Change], *, alone: bool) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Give the cells of an adjustment's changes; what one says like the one above is left out."""
    said = ("", "")
    for change in changes:
        names = short_day(change.day), change.what
        told = ["" if names[0] == said[0] else names[0], "" if names == said else names[1]]
        amounts = (_amount(each, alone=alone) for each in (change.before, change.after, change.by))
        yield [*told, *amounts, change.applied], change.why
        said = names


def _amount(amount: "Amount | None", *, alone: bool) -> str:
    """Return an amount as a cell."""
    if amount is None:
        return ""
    return figure(amount.amount) + ("" if alone else f" {printable(amount.currency)}")
