"""Sums of bills as a table for people: what scenarios change, what a forecast adds up to.

Laws: a figure is never cut off; where rows are grouped, the sums of the columns stand below them,
for each scenario and currency.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling.adapters.cli.layout import STRONG, Column, Grid, Layout
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import figure, short_day
from rentbilling.tables.columns import Table
from rentbilling.tables.html import heading

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

Row = Mapping[str, Any]


def flow_text(table: Table) -> str:
    """Return rows of `cash_flow` or `differences` as a text for the terminal that stdout is."""
    layout, rows = Layout(), table.rows()
    currencies = {row["currency"] for row in rows}
    # In the headings where all are of one; a column of its own otherwise.
    currency = f" {printable(currencies.pop())}" if len(currencies) == 1 else ""
    money = [each.name for each in table.columns if each.kind == "money"]
    known = [each.name for each in table.columns if each.name not in money]
    named = [name for name in known if name != "currency" or not currency]
    columns = [
        Column(
            _HEADINGS.get(name, heading(name)) + (currency if name == money[-1] else ""),
            right=name in money,
            least=10 if name == "scenario" else None,
        )
        for name in (*named, *money)
    ]
    grouped = not {"scenario", "currency"}.issuperset(known)
    sums = [_cells(row, named, money, "Total") for row in _sums(rows, money)] if grouped else []
    cells = [_cells(row, named, money) for row in rows]
    grid = Grid(layout, columns, [*cells, *sums])
    parts = [*grid.head()]
    said = ""
    for each, row in zip(cells, rows, strict=True):
        name = row.get("scenario", "")
        # The name of a scenario stands in its first row alone.
        parts += grid.row(["", *each[1:]] if name and name == said else each)
        said = name
    parts += [grid.line()] if sums else []
    return layout.printed([*parts, *(part for each in sums for part in grid.row(each, STRONG))])


def _sums(rows: Iterable[Row], money: list[str]) -> Iterator[Row]:
    """Give the sums of each scenario and currency."""
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        key = row.get("scenario", ""), row["currency"]
        begun = {"scenario": key[0], "currency": key[1], **dict.fromkeys(money, 0)}
        total = sums.setdefault(key, begun)
        for name in money:
            total[name] += row[name]
    yield from sums.values()


def _cells(row: Row, named: list[str], money: list[str], total: str = "") -> list[str]:
    """Return a row as cells; that of a sum says so in its first column without a value."""
    cells = []
    for name in named:
        value = row.get(name)
        if value is None:
            value, total = total, ""
        cells.append(_cell(value))
    return [*cells, *(_cell(row[name]) for name in money)]


def _cell(value: object) -> str:
    """Return a value as a cell."""
    if isinstance(value, Decimal):
        return figure(value)
    return short_day(value) if isinstance(value, date) else printable(str(value))
