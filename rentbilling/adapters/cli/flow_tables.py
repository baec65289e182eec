"""Sums of bills as a table for people: what scenarios change, what a forecast adds up to.

Laws: a figure is never cut off; where rows are grouped, the sums of the columns stand below them,
for each scenario and currency.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rich.text import Text

from rentbilling.adapters.cli.layout import (
    FAINT,
    GAP,
    STRONG,
    Column,
    Layout,
    joined,
    widest,
    width_of,
)
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import figure, short_day
from rentbilling.tables.columns import Table
from rentbilling.tables.html import heading

_LEAST: Final = 10
"""The room for the name of a scenario below which nothing gives way."""
_HEADINGS: Final = MappingProxyType(
    {
        "baseline": "As it is",
        "amount": "Under it",
        "assumed_gross": "Of it assumed",
        "product_key": "Product",
        "item_id": "Item",
        "lease_id": "Lease",
    }
)
_SCENARIO: Final = "scenario"
_CURRENCY: Final = "currency"

Row = dict[str, Any]


def flow_text(table: Table) -> str:
    """Return rows of money as a text for the terminal that stdout is."""
    layout = Layout()
    return layout.printed(_Flow(table, layout).parts())


class _Flow:
    """Lays out rows, and below them their sums."""

    def __init__(self, table: Table, layout: Layout) -> None:
        self._layout = layout
        self._rows = table.rows()
        currencies = {row[_CURRENCY] for row in self._rows}
        # In the headings where all are of one; a column of its own otherwise.
        self._currency = printable(currencies.pop()) if len(currencies) == 1 else ""
        self._money = [each.name for each in table.columns if each.kind == "money"]
        known = [each.name for each in table.columns if each.name not in self._money]
        self._named = [name for name in known if name != _CURRENCY or not self._currency]
        groups = [name for name in known if name not in {_SCENARIO, _CURRENCY}]
        self._sums = [self._cells(row, "Total") for row in self._added()] if groups else []
        self._cells_of_rows = [self._cells(row) for row in self._rows]
        self._columns = self._fitted()

    def parts(self) -> Iterator[Text]:
        """Give what is printed, from top to bottom."""
        columns, rule = self._columns, self._layout.rule * width_of(self._columns) + "\n"
        part = Text(joined((each.heading for each in columns), columns), style=FAINT)
        part.append(rule, style=FAINT)
        said = ""
        for cells, row in zip(self._cells_of_rows, self._rows, strict=True):
            name = row.get(_SCENARIO, "")
            # The name of a scenario stands in its first row alone.
            self._add(part, ["", *cells[1:]] if name and name == said else cells)
            said = name
        if self._sums:
            part.append(rule, style=FAINT)
        for cells in self._sums:
            self._add(part, cells, STRONG)
        yield part

    def _added(self) -> Iterator[Row]:
        """Give the sums of each scenario and currency."""
        sums: dict[tuple[str, str], Row] = {}
        for row in self._rows:
            key = row.get(_SCENARIO, ""), row[_CURRENCY]
            total = sums.setdefault(
                key, {_SCENARIO: key[0], _CURRENCY: key[1], **dict.fromkeys(self._money, 0)}
            )
            for name in self._money:
                total[name] += row[name]
        yield from sums.values()

    def _cells(self, row: Row, total: str = "") -> list[str]:
        """Return a row as cells; that of a sum says so in its first column without a value."""
        cells = []
        for name in self._named:
            value = row.get(name)
            if value is None:
                value, total = total, ""
            cells.append(_cell(value))
        return [*cells, *(_cell(row[name]) for name in self._money)]

    def _fitted(self) -> list[Column]:
        """Return the columns; the names of scenarios give way to figures."""
        rows = [*self._cells_of_rows, *self._sums]
        columns = []
        for at, name in enumerate((*self._named, *self._money)):
            title = _HEADINGS.get(name, heading(name))
            unit = f" {self._currency}" if name == self._money[-1] and self._currency else ""
            width = widest([title + unit, *(cells[at] for cells in rows)])
            columns.append(Column(name, title + unit, width, name in self._money))
        first, *others = columns
        if first.name == _SCENARIO:
            room = self._layout.width - width_of(others) - GAP
            first = first._replace(width=max(min(_LEAST, first.width), min(first.width, room)))
        return [first, *others]

    def _add(self, part: Text, cells: Sequence[str], style: str = "") -> None:
        """Add a row; the name of a scenario may take several lines."""
        first, *more = self._layout.wrapped(cells[0], self._columns[0].width)
        part.append(joined([first, *cells[1:]], self._columns), style=style)
        for line in more:
            part.append(f"{line}\n", style=style)


def _cell(value: object) -> str:
    """Return a value as a cell."""
    if isinstance(value, Decimal):
        return figure(value)
    if isinstance(value, date):
        return short_day(value)
    return printable(str(value))
