"""Bills as tables for people: one for each bill, figures right-aligned, all of one width.

Laws: a figure is never cut off, however narrow the terminal; a text that does not fit is wrapped.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from rentbilling.adapters.cli.layout import (
    FAINT,
    GAP,
    STRONG,
    TITLE,
    Column,
    Layout,
    joined,
    padded,
    widest,
    width_of,
)
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import (
    day_words,
    figure,
    period_words,
    vat_total_words,
    vat_words,
)
from rentbilling.billing.bill import BillingResult, PendingBill
from rentbilling.billing.line_items import PendingBillLineItem

if TYPE_CHECKING:
    from rentbilling.values.money import Amount

# The room for texts below which the period moves under them, and below which nothing gives way.
_COMFORT: Final = 20
_LEAST: Final = 12


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


class _Sum(NamedTuple):
    """A line below the items: what it is, how much."""

    label: str
    value: str
    style: str = ""


def tables_of(result: BillingResult, *, full: bool) -> str:
    """Return the bills of a result as a text for the terminal that stdout is."""
    layout = Layout()
    return layout.printed(_Tables(result, layout, full=full).parts())


class _Tables:
    """Lays out all bills of a result in columns of the same widths."""

    def __init__(self, result: BillingResult, layout: Layout, *, full: bool) -> None:
        self._result = result
        self._layout = layout
        self._full = full
        self._rows = [[self._row(line) for line in bill.lines] for bill in result]
        self._columns = self._fitted(layout.width)
        self._width = width_of(self._columns)
        self._sums = [list(self._sums_of(bill)) for bill in result]
        self._grand = list(self._grand_totals()) if len(result) > 1 else []
        sums = (each for sums in (*self._sums, self._grand) for each in sums)
        self._last = widest(each.value for each in sums)

    def parts(self) -> Iterator[Text]:
        """Give what is printed, bill by bill, from top to bottom."""
        rule = self._layout.rule * self._width + "\n"
        for bill, rows, sums in zip(self._result, self._rows, self._sums, strict=True):
            text = Text(f"Due {day_words(bill.due_date)}\n", style=TITLE)
            part = Text().append_text(text)
            part.append(self._headings(printable(bill.currency)), style=FAINT)
            part.append(rule, style=FAINT)
            for row in rows:
                self._add_row(part, row)
            part.append(rule, style=FAINT)
            for each in sums:
                self._add_sum(part, each)
            yield part.append("\n") if self._grand else part
        part = Text()
        for each in self._grand:
            self._add_sum(part, each)
        yield part

    def _row(self, line: PendingBillLineItem) -> _Row:
        text = printable(line.description or "").strip()
        product = printable(line.product_key)
        details = [printable(line.discount_text)] if line.discount_text else []
        regular = line.regular_period
        if line.kind == "part" and regular is not None:
            details.append(f"{line.share} of {period_words(regular, self._layout.dash)}")
        if line.kind == "correction":
            details.append("difference to what was billed")
        if self._full:
            details.append(f"{printable(line.item_id or 'no id')}, {line.kind.replace('_', '-')}")
        return _Row(
            text or product,
            tuple(details),
            product if text else "",
            period_words(line.accounting_period, self._layout.dash),
            figure(line.quantity),
            figure(line.unit_net_price.amount),
            vat_words(line.vat),
            figure(line.net_price.amount),
        )

    def _sums_of(self, bill: PendingBill) -> Iterator[_Sum]:
        yield _Sum("Subtotal", figure(bill.subtotal.amount))
        for each in bill.vat_totals:
            yield _Sum(vat_total_words(each.vat, each.base), figure(each.amount.amount))
        if bill.cash_rounding is None:
            yield _Sum(f"Total {printable(bill.currency)}", figure(bill.total.amount), STRONG)
            return
        yield _Sum("Total", figure(bill.total.amount))
        yield _Sum("Rounding", figure(bill.cash_rounding.amount))
        yield _Sum(f"To pay {printable(bill.currency)}", figure(bill.payable.amount), STRONG)

    def _grand_totals(self) -> Iterator[_Sum]:
        """Give what all bills come to, for each currency."""
        sums: dict[str, list[Amount]] = {}
        for bill in self._result:
            sums.setdefault(printable(bill.currency), []).append(bill.payable)
        for currency, amounts in sums.items():
            total = sum(amounts[1:], amounts[0])
            bills = f"{len(amounts)} bills" if len(amounts) > 1 else "1 bill"
            yield _Sum(f"Total of {bills} {currency}", figure(total.amount), STRONG)

    def _fitted(self, width: int) -> list[Column]:
        """Return the columns for a width: what finds no room goes below the text, or away."""
        rows = [row for rows in self._rows for row in rows]

        def column(name: str, heading: str, *, right: bool = False) -> Column:
            cells = [heading, *(getattr(row, name) for row in rows)]
            return Column(name, heading, widest(cells), right)

        net = max((f"Net {printable(bill.currency)}" for bill in self._result), key=cell_len)
        figures = [
            column("quantity", "Qty", right=True),
            column("unit", "Unit net", right=True),
            column("vat", "VAT"),
            column("net", net, right=True),
        ]
        text, product, period = (
            column(name.lower(), name) for name in ("Item", "Product", "Period")
        )
        details = [cell_len(each) + GAP for row in rows for each in row.details]
        text = text._replace(width=max([text.width, *details]))
        room = width - sum(each.width + GAP for each in figures)
        beside = room - period.width - GAP
        named = any(row.product for row in rows)
        if named and text.width + product.width + GAP <= beside:
            return [text, product, period, *figures]
        if beside >= min(_COMFORT, text.width):
            return [text._replace(width=min(text.width, beside)), period, *figures]
        wanted = max(text.width, period.width + GAP)
        return [text._replace(width=max(_LEAST, min(wanted, room))), *figures]

    def _headings(self, currency: str) -> str:
        columns = self._columns
        names = (f"Net {currency}" if each.name == "net" else each.heading for each in columns)
        return joined(names, columns)

    def _add_row(self, part: Text, row: _Row) -> None:
        """Add a line item: its cells, then what stands below its text."""
        width = self._columns[0].width
        first, *more = self._layout.wrapped(row.item, width)
        cells = [first, *(getattr(row, each.name) for each in self._columns[1:])]
        part.append(joined(cells, self._columns))
        for line in more:
            part.append(f"{line}\n")
        below = row.details
        if all(each.name != "period" for each in self._columns):
            below = (row.period, *below)
        for detail in below:
            for line in self._layout.below(detail, width):
                part.append(line, style=FAINT)

    def _add_sum(self, part: Text, each: _Sum) -> None:
        """Add a sum at the right end of the table, all bills' figures in one column."""
        width = self._width - self._last - GAP
        *before, last = (
            padded(line, width, right=True) for line in self._layout.wrapped(each.label, width)
        )
        for line in before:
            part.append(f"{line}\n", style=each.style)
        value = padded(each.value, self._last + GAP, right=True)
        part.append(f"{last}{value}\n", style=each.style)
