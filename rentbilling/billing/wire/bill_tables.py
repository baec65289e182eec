"""Bills as tables for people: as text and as HTML, one for each bill, the sums of all below.

Laws: a figure is never cut off, however narrow the page; a text that does not fit is wrapped.
"""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from rentbilling.errors import printable
from rentbilling.layout import (
    GAP,
    PLAIN,
    STRONG,
    TITLE,
    Grid,
    GridColumn,
    Head,
    Page,
    Part,
    cell_width,
    day_words,
    figure,
    html_below,
    html_bill,
    html_table,
    html_text,
    notice_words,
    padded,
    period_words,
    short_vat,
    vat_total_words,
    widest,
)
from rentbilling.tables import counted

if TYPE_CHECKING:
    from rentbilling.billing.bill import BillingResult, PendingBill
    from rentbilling.billing.line_items import PendingBillLineItem
    from rentbilling.values import Amount

# Width of texts below which the period moves under them, and their least width.
_COMFORT: Final = 20
_LEAST: Final = 12


class _Row(NamedTuple):
    """The cells of one line item; the details go below its text."""

    item: str
    details: tuple[str, ...]
    product: str
    period: str
    quantity: str
    unit: str
    vat: str
    net: str


class _Sum(NamedTuple):
    """A line below the items: its label and its figure."""

    label: str
    value: str
    style: str = ""


def bill_tables(
    result: "BillingResult | Sequence[PendingBill]", page: Page = PLAIN, *, full: bool = False
) -> str:
    """Return bills as a text.

    With `full`, a line has its item and kind, which the interface does not have (A56).
    """
    rows = [[_row(line, page, full=full) for line in bill.lines] for bill in result]
    sums = [[*_sums_of(bill)] for bill in result]
    grand = [*_grand_totals(result)] if len(result) > 1 else []
    codes = [printable(bill.currency) for bill in result]
    names, grid = _fitted([row for each in rows for row in each], max(codes, key=cell_width), page)
    last = widest(each.value for some in (*sums, grand) for each in some)
    parts: list[Part] = []
    for bill, code, own, below in zip(result, codes, rows, sums, strict=True):
        parts.append(Part(f"{_title(bill)}\n", TITLE))
        parts += grid.head([each.heading for each in _columns(names, code)])
        for row in own:
            details = row.details if "period" in names else (row.period, *row.details)
            cells = [getattr(row, name) for name in names]
            parts += grid.row(cells, below=details, within_first=True)
        parts += [grid.line(), *(part for each in below for part in _sum(each, grid, last, page))]
        parts += [Part("\n")] if grand else []
    return page.printed(
        [*parts, *(part for each in grand for part in _sum(each, grid, last, page))]
    )


def result_text(result: "BillingResult") -> str:
    """Return what `print` shows of a result: its bills, their sums, and its notices."""
    lines = [bill_tables(result) if result else f"{_no_bills(result)}\n"]
    return "\n".join([*lines, *map(notice_words, result.notices)]).rstrip("\n")


def result_html(result: "BillingResult") -> str:
    """Return what a notebook shows of a result: its bills, their sums, and its notices."""
    parts = [bill_html(bill) for bill in result]
    sums = [*_grand_totals(result)] if len(result) > 1 else []
    lines = [f"{each.label}: {each.value}" for each in sums]
    lines += [] if result else [_no_bills(result)]
    lines += map(notice_words, result.notices)
    return html_below([*parts, html_text("\n".join(lines))] if lines else parts)


def bill_html(bill: "PendingBill") -> str:
    """Return what a notebook shows of a bill."""
    sums = [(each.label, each.value) for each in _sums_of(bill)]
    return html_bill(_title(bill), *_html_lines(bill.lines), sums)


def _title(bill: "PendingBill") -> str:
    """Return the due date of a bill, and the payer of a part of one (A68)."""
    payer = "" if bill.payer is None else f", {printable(bill.payer.name)}"
    return f"Due {day_words(bill.due_date)}{payer}"


def lines_html(lines: Sequence["PendingBillLineItem"]) -> str:
    """Return what a notebook shows of lines alone."""
    return html_table(*_html_lines(lines))


def _html_lines(lines: Sequence["PendingBillLineItem"]) -> tuple[list[Head], list[list[str]]]:
    code = printable(lines[0].amount.currency) if lines else ""
    rows = [_row(line, PLAIN, full=False) for line in lines]
    names = ("item", "period", *_FIGURES)
    cells = [[getattr(row, name) for name in names] for row in rows]
    for row, own in zip(rows, cells, strict=True):
        own[0] = "; ".join((row.item, *row.details))
    return [(each.heading, each.right) for each in _columns(names, code)], cells


def _no_bills(result: "BillingResult") -> str:
    return "No bills" if result.period is None else f"No bills in {period_words(result.period)}"


def _row(line: "PendingBillLineItem", page: Page, *, full: bool) -> _Row:
    text = printable(line.description or "").strip()
    product = printable(line.product_key)
    details = [printable(line.discount_text)] if line.discount_text else []
    regular = line.regular_period
    if line.kind == "part" and regular is not None:
        days, counted = period_words(regular, page.dash), printable(line.counted or "")
        # A share that nothing was counted for, or that has no words, is printed itself.
        is_share, share = counted in ("", str(line.share)), "all" if line.share == 1 else line.share
        details.append(f"{share} of {days}" if is_share else f"{counted} in {days}")
    if line.kind == "correction":
        details.append("difference to what was billed")
    if full:
        details.append(f"{printable(line.item_id or 'no id')}, {line.kind.replace('_', '-')}")
    return _Row(
        text or product,
        tuple(details),
        product if text else "",
        period_words(line.accounting_period, page.dash),
        figure(line.quantity),
        figure(line.unit_net_price.amount),
        short_vat(line.vat),
        figure(line.net_price.amount),
    )


def _sums_of(bill: "PendingBill") -> Iterator[_Sum]:
    yield _Sum("Subtotal", figure(bill.subtotal.amount))
    for each in bill.vat_totals:
        yield _Sum(vat_total_words(each.vat, each.base), figure(each.amount.amount))
    if bill.cash_rounding is None:
        yield _Sum(f"Total {printable(bill.currency)}", figure(bill.total.amount), STRONG)
        return
    yield _Sum("Total", figure(bill.total.amount))
    yield _Sum("Rounding", figure(bill.cash_rounding.amount))
    yield _Sum(f"To pay {printable(bill.currency)}", figure(bill.payable.amount), STRONG)


def _grand_totals(result: "BillingResult | Sequence[PendingBill]") -> Iterator[_Sum]:
    """Give what all bills come to, for each currency."""
    sums: dict[str, list[Amount]] = {}
    for bill in result:
        sums.setdefault(printable(bill.currency), []).append(bill.payable)
    for currency, amounts in sums.items():
        total = sum(amounts[1:], amounts[0])
        bills = counted(len(amounts), "bill")
        yield _Sum(f"Total of {bills} {currency}", figure(total.amount), STRONG)


_FIGURES: Final = ("quantity", "unit", "vat", "net")
_HEADINGS: Final = MappingProxyType(
    {"item": "Item", "product": "Product", "period": "Period"}
    | {"quantity": "Qty", "unit": "Unit net", "vat": "VAT"}
)


def _columns(names: Sequence[str], code: str, least: int | None = _LEAST) -> list[GridColumn]:
    """Return columns by their names; texts of items give way to figures."""
    return [
        GridColumn(
            _HEADINGS.get(name, f"Net {code}"),
            right=name in _FIGURES and name != "vat",
            least=least if name == "item" else None,
        )
        for name in names
    ]


def _fitted(rows: Sequence[_Row], code: str, page: Page) -> tuple[Sequence[str], Grid]:
    """Return the columns that fit the page: the period may go below the text, products away."""
    texts = [row.item for row in rows] + [" " * GAP + each for row in rows for each in row.details]
    comfort = min(_COMFORT, widest([*texts, "Item"]))
    choices: list[tuple[Sequence[str], int | None]] = [(("item", "period", *_FIGURES), comfort)]
    if any(row.product for row in rows):
        choices.insert(0, (("item", "product", "period", *_FIGURES), None))
    for names, least in choices:
        grid = _grid(names, rows, texts, _columns(names, code, least), page)
        if grid.fits:
            return names, grid
    texts += [" " * GAP + row.period for row in rows]
    names = ("item", *_FIGURES)
    return names, _grid(names, rows, texts, _columns(names, code), page)


def _grid(
    names: Sequence[str],
    rows: Sequence[_Row],
    texts: Sequence[str],
    columns: Sequence[GridColumn],
    page: Page,
) -> Grid:
    """Return a grid of rows, and of the texts in and below their first cells."""
    cells = [[getattr(row, name) for name in names] for row in rows]
    return Grid(page, columns, [*cells, *([each, *[""] * (len(names) - 1)] for each in texts)])


def _sum(each: _Sum, grid: Grid, last: int, page: Page) -> Iterator[Part]:
    """Give a sum at the right end of the table, all bills' figures in one column."""
    width = grid.width - last - GAP
    *before, end = (padded(line, width, right=True) for line in page.wrapped(each.label, width))
    for line in before:
        yield Part(f"{line}\n", each.style)
    yield Part(f"{end}{padded(each.value, last + GAP, right=True)}\n", each.style)
