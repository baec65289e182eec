"""Bills as tables for people: one for each bill, figures right-aligned, all of one width.

Laws: a figure is never cut off, however narrow the terminal; a text that does not fit is wrapped.
What does not live here: the words in the cells (`words`), how the text gets out (`streams`).
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import (
    day_words,
    figure,
    period_words,
    vat_total_words,
    vat_words,
)
from rentbilling.line_items import PendingBillLineItem
from rentbilling.results import BillingResult, PendingBill

if TYPE_CHECKING:
    from rentbilling.money import Amount

_WIDEST = 110
# The room for texts below which the period moves under them, and below which nothing gives way.
_COMFORT = 20
_LEAST = 12
_GAP = 2

_STRONG = "bold"
_FAINT = "dim"


class _Row(NamedTuple):
    """The cells of one line item; the details stand below its text."""

    item: str
    details: tuple[str, ...]
    product: str
    period: str
    quantity: str
    unit: str
    vat: str
    net: str


class _Column(NamedTuple):
    """A column that is shown: which cell, its heading, its width, where its text stands."""

    name: str
    heading: str
    width: int
    right: bool


class _Sum(NamedTuple):
    """A line below the items: what it is, how much."""

    label: str
    value: str
    style: str = ""


def tables_of(result: BillingResult, *, full: bool) -> str:
    """Return the bills of a result as a text for the terminal that stdout is.

    Args:
        result: The bills.
        full: Whether lines say what they know beyond the interface (A56).

    Returns:
        The text, with colours only where stdout is a terminal that has them.
    """
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if console.legacy_windows:
        # Its colours are calls of Windows, which no text can hold.
        console = Console(file=sys.stdout, width=console.width, color_system=None)
    tables = _Tables(result, console, full=full)
    console.width = max(console.width, tables.width)
    with console.capture() as captured:
        for part in tables.parts():
            console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().split("\n")[:-1])


class _Tables:
    """Lays out all bills of a result in columns of the same widths."""

    def __init__(self, result: BillingResult, console: Console, *, full: bool) -> None:
        self._result = result
        unicode = console.encoding.lower().startswith("utf")
        self._dash, self._rule = ("–", "─") if unicode else ("-", "-")
        self._full = full
        self._rows = [[self._row(line) for line in bill.lines] for bill in result]
        self._sums = [list(self._sums_of(bill)) for bill in result]
        if len(result) > 1:
            self._sums.append(list(self._grand_totals()))
        self._columns = self._fitted(console.width)
        self.width = sum(each.width + _GAP for each in self._columns) - _GAP

    def parts(self) -> Iterator[RenderableType]:
        """Give what is printed, from top to bottom."""
        line = Text(self._rule * self.width, style=_FAINT)
        for at, (bill, rows) in enumerate(zip(self._result, self._rows, strict=True)):
            yield Text(f"Due {day_words(bill.due_date)}", style="bold cyan")
            yield self._grid([self._headings(bill.currency)])
            yield line
            yield self._grid(self._cells(row) for row in rows)
            yield line
            yield self._summed(self._sums[at])
            yield Text()
        if len(self._result) > 1:
            yield self._summed(self._sums[-1])

    def _row(self, line: PendingBillLineItem) -> _Row:
        """Return the cells of a line."""
        text = printable(line.description or "").strip()
        product = printable(line.product_key)
        details = [printable(line.discount_text)] if line.discount_text else []
        regular = line.regular_period
        if line.kind == "part" and regular is not None:
            details.append(f"{line.share} of {period_words(regular, self._dash)}")
        if self._full:
            details.append(f"{printable(line.item_id or 'no id')}, {line.kind.replace('_', '-')}")
        return _Row(
            text or product,
            tuple(details),
            product if text else "",
            period_words(line.accounting_period, self._dash),
            figure(line.quantity),
            figure(line.unit_net_price.amount),
            vat_words(line.vat),
            figure(line.net_price.amount),
        )

    def _sums_of(self, bill: PendingBill) -> Iterator[_Sum]:
        """Give the sums of a bill."""
        yield _Sum("Subtotal", figure(bill.subtotal.amount))
        for each in bill.vat_totals:
            yield _Sum(vat_total_words(each.vat, each.base), figure(each.amount.amount))
        if bill.cash_rounding is None:
            yield _Sum(f"Total {bill.currency}", figure(bill.total.amount), _STRONG)
            return
        yield _Sum("Total", figure(bill.total.amount))
        yield _Sum("Rounding", figure(bill.cash_rounding.amount))
        yield _Sum(f"To pay {bill.currency}", figure(bill.payable.amount), _STRONG)

    def _grand_totals(self) -> Iterator[_Sum]:
        """Give what all bills come to, for each currency."""
        sums: dict[str, list[Amount]] = {}
        for bill in self._result:
            sums.setdefault(bill.currency, []).append(bill.payable)
        for currency, amounts in sums.items():
            total = sum(amounts[1:], amounts[0])
            bills = f"{len(amounts)} bills" if len(amounts) > 1 else "1 bill"
            yield _Sum(f"Total of {bills} {currency}", figure(total.amount), _STRONG)

    def _fitted(self, console_width: int) -> list[_Column]:
        """Return the columns for a terminal: what finds no room goes below the text, or away."""
        net = max((f"Net {bill.currency}" for bill in self._result), key=cell_len)
        figures = [
            self._column("quantity", "Qty", right=True),
            self._column("unit", "Unit net", right=True),
            self._column("vat", "VAT"),
            self._column("net", net, right=True),
        ]
        text, product = self._column("item", "Item"), self._column("product", "Product")
        period = self._column("period", "Period")
        details = [cell_len(each) + _GAP for row in self._all_rows for each in row.details]
        text = text._replace(width=max([text.width, *details]))
        room = min(console_width, _WIDEST) - sum(each.width + _GAP for each in figures)
        beside = room - period.width - _GAP
        if text.width + product.width + _GAP <= beside and any(
            row.product for row in self._all_rows
        ):
            return [text, product, period, *figures]
        if beside >= min(_COMFORT, text.width):
            return [text._replace(width=min(text.width, beside)), period, *figures]
        wanted = max(text.width, period.width + _GAP)
        return [text._replace(width=max(_LEAST, min(wanted, room))), *figures]

    @property
    def _all_rows(self) -> list[_Row]:
        """The rows of all bills."""
        return [row for rows in self._rows for row in rows]

    def _column(self, name: str, heading: str, *, right: bool = False) -> _Column:
        """Return a column as wide as its widest cell."""
        cells = [heading, *(getattr(row, name) for row in self._all_rows)]
        return _Column(name, heading, max(map(cell_len, cells)), right)

    def _headings(self, currency: str) -> list[RenderableType]:
        """Return the headings of a bill's columns."""
        return [
            Text(f"Net {currency}" if each.name == "net" else each.heading, style=_FAINT)
            for each in self._columns
        ]

    def _cells(self, row: _Row) -> list[RenderableType]:
        """Return the cells of a line as they are shown."""
        below = row.details
        if all(each.name != "period" for each in self._columns):
            below = (row.period, *below)
        cells: list[RenderableType] = [Text(getattr(row, each.name)) for each in self._columns]
        if below:
            details = (Padding(Text(each, style=_FAINT), (0, 0, 0, _GAP)) for each in below)
            cells[0] = Group(cells[0], *details)
        return cells

    def _grid(self, rows: Iterable[list[RenderableType]]) -> Table:
        """Return rows in the columns."""
        grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        for each in self._columns:
            side: JustifyMethod = "right" if each.right else "left"
            grid.add_column(width=each.width, justify=side, overflow="fold")
        for row in rows:
            grid.add_row(*row)
        return grid

    def _summed(self, sums: Iterable[_Sum]) -> Table:
        """Return sums at the right end of the table, all bills' figures in one column."""
        last = max(cell_len(each.value) for sums in self._sums for each in sums)
        grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        grid.add_column(width=self.width - last - _GAP, justify="right", overflow="fold")
        grid.add_column(width=last, justify="right")
        for each in sums:
            grid.add_row(Text(each.label, style=each.style), Text(each.value, style=each.style))
        return grid
