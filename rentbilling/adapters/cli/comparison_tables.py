"""Compared bills as tables for people: what was expected beside what came, and each difference.

Laws: every row in which the sides differ is marked, and every difference is told in a sentence; a
figure is never cut off; of bills that are equal only the number is said.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from rich.text import Text

from rentbilling.adapters.cli.bill_pairs import BillPair, line_pairs, vat_pairs
from rentbilling.adapters.cli.finding_words import difference_words, value_words
from rentbilling.adapters.cli.layout import (
    FAINT,
    GAP,
    STRONG,
    TITLE,
    Column,
    Layout,
    joined,
    widest,
    width_of,
)
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import counted, day_words, figure, period_words, short_day
from rentbilling.checks.stated_bill import category_of

if TYPE_CHECKING:
    from rentbilling.billing.line_items import PendingBillLineItem
    from rentbilling.checks.difference import Comparison
    from rentbilling.checks.matching import Match
    from rentbilling.values.money import Amount

T = TypeVar("T")

_MARK: Final = "!"
_DIFFERS: Final = "bold red"
# The room for names of products below which nothing gives way.
_LEAST: Final = 8


class _Row(NamedTuple):
    """The cells of one row; those of lines stand above a rule, those of sums below it."""

    mark: str
    what: str
    period: str
    expected: str
    actual: str
    is_sum: bool


def comparison_table(pairs: Sequence[BillPair], found: "Comparison", match: "Match") -> str:
    """Return compared bills as a text for the terminal that stdout is."""
    layout = Layout()
    return layout.printed(_Table(pairs, found, match, layout).parts())


class _Table:
    """Lays out all pairs with differences in the same columns."""

    def __init__(
        self, pairs: Sequence[BillPair], found: "Comparison", match: "Match", layout: Layout
    ) -> None:
        self._layout = layout
        self._found = found
        self._equal = sum(not pair.differences for pair in pairs)
        self._pairs = [pair for pair in pairs if pair.differences]
        self._rows = [[*_rows_of(pair, match, layout.dash)] for pair in self._pairs]
        self._columns = self._fitted()

    def parts(self) -> Iterator[Text]:
        """Give what is printed, bill by bill, and what all of them come to."""
        for pair, rows in zip(self._pairs, self._rows, strict=True):
            yield self._bill(pair, rows)
        for cause in self._found.causes:
            yield Text("".join(self._told(f"All of it: {printable(cause)}")))
        if self._found.is_equal:
            yield Text(f"{self._found}\n", style=STRONG)
            return
        told = counted(len(self._found), "difference")
        differing = counted(len(self._pairs), "bill")
        rest = f"; {counted(self._equal, 'bill')} equal" if self._equal else ""
        yield Text(f"{told} in {differing}{rest}\n", style=STRONG)

    def _bill(self, pair: BillPair, rows: Sequence[_Row]) -> Text:
        """Return a bill: its rows, then its differences."""
        bill = _either(pair.bills)
        columns = [
            each._replace(heading=f"{each.heading} {printable(bill.currency)}")
            if each.right
            else each
            for each in self._columns
        ]
        rule = self._layout.rule * width_of(columns) + "\n"
        title = Text(f"Due {day_words(bill.due_date)}\n", style=TITLE)
        whole = Text().append_text(title)
        whole.append(joined((each.heading for each in columns), columns), style=FAINT)
        whole.append(rule, style=FAINT)
        was_sum = False
        for row in rows:
            if row.is_sum and not was_sum:
                whole.append(rule, style=FAINT)
            was_sum = row.is_sum
            self._add(whole, row)
        for each in pair.differences:
            for line in self._told(printable(difference_words(each, self._layout.dash))):
                whole.append(line)
        return whole.append("\n")

    def _told(self, sentence: str) -> Iterator[str]:
        """Give a sentence as lines, all but the first set in."""
        first, *more = self._layout.wrapped(sentence, self._layout.width)
        yield f"{first}\n"
        if more:
            yield from self._layout.below(sentence[len(first) :].strip(), self._layout.width)

    def _add(self, part: Text, row: _Row) -> None:
        """Add a row; the lines of a long name stand below each other."""
        style = _DIFFERS if row.mark else ""
        first, *more = self._layout.wrapped(row.what, self._columns[1].width)
        cells = (row.mark, first, row.period, row.expected, row.actual)
        part.append(joined(cells, self._columns), style=style)
        for line in more:
            part.append(joined(("", line, "", "", ""), self._columns), style=style)

    def _fitted(self) -> list[Column]:
        """Return the columns for the width of the terminal: names give way to figures."""
        rows = [row for rows in self._rows for row in rows]
        unit = widest(printable(_either(pair.bills).currency) for pair in self._pairs) + 1

        def column(name: str, heading: str, *, right: bool = False) -> Column:
            room = widest([*(getattr(row, name) for row in rows)])
            heads = widest([heading]) + (unit if right else 0)
            return Column(name, heading, max(room, heads), right)

        others = [
            column("period", "Period"),
            column("expected", "Expected", right=True),
            column("actual", "Actual", right=True),
        ]
        mark, what = Column("mark", "", 1, right=False), column("what", "Line")
        room = self._layout.width - width_of([mark, *others]) - GAP
        width = max(min(_LEAST, what.width), min(what.width, room))
        return [mark, what._replace(width=width), *others]


def _either(pair: tuple[T | None, T | None]) -> T:
    """Return the expected one of two, the actual one where none was expected."""
    found = pair[1] if pair[0] is None else pair[0]
    if found is None:
        raise ValueError("a pair has at least one part")
    return found


def _rows_of(pair: BillPair, match: "Match", dash: str) -> Iterator[_Row]:
    """Give the rows of two bills: a due date that differs, lines, then VAT totals and sums."""
    first, second = (short_day(bill.due_date) if bill else "" for bill in pair.bills)
    if first and second and first != second:
        yield _Row(_MARK, "due date", "", first, second, is_sum=False)
    for lines in line_pairs(pair, match):
        yield from _line_rows(lines, dash)
    yield _sum("Subtotal", _both(pair.bills, lambda bill: bill.subtotal))
    for totals in vat_pairs(pair):
        category = category_of(_either(totals).vat)
        row = _sum(f"VAT of {category}", _both(totals, lambda total: total.amount))
        # That nothing is charged where nothing is to be charged, nobody needs to read.
        if row.mark or category.taxed:
            yield row
    yield _sum("Total", _both(pair.bills, lambda bill: bill.total))
    rounding = _both(pair.bills, lambda bill: bill.cash_rounding)
    if all(rounding):
        yield _sum("Rounding", rounding)


def _line_rows(
    lines: "tuple[PendingBillLineItem | None, PendingBillLineItem | None]", dash: str
) -> Iterator[_Row]:
    """Give the row of a line; where its nets are equal, what differs stands below it."""
    nets = _both(lines, lambda each: each.net_price)
    names = dict.fromkeys(printable(each.product_key) for each in lines if each is not None)
    one, other = lines
    below: list[_Row] = []
    if one is not None and other is not None and one != other and nets[0] == nets[1]:
        below = [*_parts_that_differ(one, other, dash)]
    mark = _MARK if one != other and (len(names) > 1 or not below) else ""
    period = period_words(_either(lines).accounting_period, dash)
    yield _Row(mark, " / ".join(names), period, *nets, is_sum=False)
    yield from below


def _parts_that_differ(
    one: "PendingBillLineItem", other: "PendingBillLineItem", dash: str
) -> Iterator[_Row]:
    """Give a row for each part in which two lines of equal nets differ."""
    if one.accounting_period != other.accounting_period:
        days = (period_words(each.accounting_period, dash) for each in (one, other))
        yield _part("period", *days)
    if one.vat.category != other.vat.category:
        yield _part("VAT", *(str(category_of(each.vat)) for each in (one, other)))
    if one.quantity != other.quantity:
        yield _part("quantity", figure(one.quantity), figure(other.quantity))
    # A changed price is another one without VAT, too, which needs no row of its own.
    if one.amount != other.amount:
        yield _part("price", *(_price(each.amount) for each in (one, other)))
    elif one.unit_net_price != other.unit_net_price:
        prices = (_price(each.unit_net_price) for each in (one, other))
        yield _part("price without VAT", *prices)


def _part(what: str, expected: str, actual: str) -> _Row:
    """Return the row of a part of a line that differs."""
    return _Row(_MARK, f"  {what}", "", expected, actual, is_sum=False)


def _price(amount: "Amount") -> str:
    """Return a price with at least the decimals of its currency."""
    return value_words(str(amount)).removesuffix(f" {amount.currency}")


def _both(
    pair: tuple[T | None, T | None], amount_of: "Callable[[T], Amount | None]"
) -> tuple[str, str]:
    """Return an amount of either side as its cell; an empty one where there is none."""
    amounts = [None if each is None else amount_of(each) for each in pair]
    first, second = ("" if each is None else figure(each.amount) for each in amounts)
    return first, second


def _sum(what: str, cells: tuple[str, str]) -> _Row:
    """Return the row of a sum, whose figures are of one currency and differ as their texts do."""
    return _Row(_MARK if cells[0] != cells[1] else "", what, "", *cells, is_sum=True)
