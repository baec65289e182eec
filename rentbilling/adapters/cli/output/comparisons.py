"""Compared bills: as JSON, and as tables for people with expected and actual figures side by side.

Laws: in JSON every field is there, names in camelCase as on the wire, all digits of figures; the
tables mark every row in which the sides differ, say every difference in a sentence, cut no figure
off, and only count bills that are equal; lines that the comparison matches are one row.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from rentbilling.adapters.cli.output import findings
from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.billing import PendingBill, PendingBillLineItem
from rentbilling.checks import (
    Comparison,
    Difference,
    DifferenceGroup,
    Match,
    category_of,
    matching,
)
from rentbilling.codec import Given
from rentbilling.errors import printable
from rentbilling.layout import (
    FAINT,
    STRONG,
    TITLE,
    Grid,
    GridColumn,
    Page,
    Part,
    cell_width,
    day_words,
    figure,
    period_words,
    short_day,
)
from rentbilling.tables import counted
from rentbilling.values import Amount

T = TypeVar("T")

_MORE: Final = "--diagnose looks for what explains them."
_MARK: Final = "!"
_DIFFERS: Final = "bold red"


class BillPair(NamedTuple):
    """Two bills for the same thing; None where one side has none."""

    expected: PendingBill | None
    actual: PendingBill | None
    group: DifferenceGroup | None
    """Their differences, causes apart from what follows from them; None where they are equal."""
    number: str | None
    """The number of the actual bill, where its data have one."""

    @property
    def bills(self) -> tuple[PendingBill | None, PendingBill | None]:
        """Both sides."""
        return self.expected, self.actual

    @property
    def causes(self) -> tuple[Difference, ...]:
        """The differences that follow from no other ones."""
        return () if self.group is None else self.group.causes


def bill_pairs(
    found: Comparison,
    expected: Sequence[PendingBill],
    actual: Sequence[PendingBill],
    stated: Sequence[Mapping[str, Any]] = (),
) -> Iterator[BillPair]:
    """Give the bills that were compared with each other, each pair with its differences.

    What is `stated` of the actual ones may have their numbers.
    """
    groups = {group.places: group for group in found.groups}
    for places in found.pairs:
        one, other = places
        mine = None if one is None else expected[one]
        theirs = None if other is None else actual[other]
        number = Given("", stated[other]).number if stated and other is not None else None
        yield BillPair(mine, theirs, groups.get(places), number)


class _Row(NamedTuple):
    """The cells of one row; those of lines are above a rule, those of sums below it."""

    mark: str
    what: str
    period: str
    expected: str
    actual: str
    is_sum: bool


def comparison_data(
    comparison: Comparison, actual: Sequence[PendingBill], equal: int
) -> dict[str, Any]:
    """Return differences, causes and counts as data for JSON."""
    return {
        "isEqual": comparison.is_equal,
        "differences": [*map(findings.fields_of, comparison)],
        "causes": [*comparison.causes],
        "counts": {
            "expected": comparison.bills,
            "actual": len(actual),
            "equal": equal,
            "differences": len(comparison),
            "byCode": dict(Counter(each.code for each in comparison).most_common()),
        },
    }


def comparison_table(
    pairs: Sequence[BillPair], found: Comparison, match: Match, *, diagnose: bool
) -> str:
    """Return compared bills, and what the comparison of all of them found, as a text.

    `match` is how lines find each other; `diagnose`, whether causes were searched.
    """
    layout = Terminal()
    differing = [pair for pair in pairs if pair.group is not None]
    rows = [[*_rows_of(pair, match, layout.dash)] for pair in differing]
    codes = [printable(_either(pair.bills).currency) for pair in differing]
    columns = _columns(max(codes, key=cell_width, default=""))
    grid = Grid(layout, columns, [row[:5] for each in rows for row in each])
    parts = [
        part
        for each in zip(differing, codes, rows, strict=True)
        for part in _bill(*each, layout, grid)
    ]
    parts += [
        Part("".join(_sentence_lines(f"{each[0].upper()}{printable(each[1:])}", layout)))
        for each in found.explained()
    ]
    counts = f"{counted(len(found), 'difference')} in {counted(len(differing), 'bill')}"
    counts += f": {found.summary}" if found.is_folded else ""
    equal = len(pairs) - len(differing)
    rest = f"; {counted(equal, 'bill')} equal" if equal else ""
    last = str(found) if found.is_equal else counts + rest
    parts.append(Part("".join(_sentence_lines(last, layout)), STRONG))
    if differing and not diagnose:
        parts.append(Part("".join(_sentence_lines(_MORE, layout)), FAINT))
    return layout.printed(parts)


def _columns(code: str) -> list[GridColumn]:
    """Return the columns; the names of lines give way to figures."""
    figures = (f"Expected {code}", f"Actual {code}")
    return [
        *(GridColumn(""), GridColumn("Line", least=8), GridColumn("Period")),
        *(GridColumn(each, right=True) for each in figures),
    ]


def _bill(
    pair: BillPair, code: str, rows: Sequence[_Row], layout: Page, grid: Grid
) -> Iterator[Part]:
    number = "" if pair.number is None else f", number {printable(pair.number)}"
    yield Part(f"Due {day_words(_either(pair.bills).due_date)}{number}\n", TITLE)
    yield from grid.head([each.heading for each in _columns(code)])
    was_sum = False
    for row in rows:
        if row.is_sum and not was_sum:
            yield grid.line()
        was_sum = row.is_sum
        yield from grid.row(row[:5], _DIFFERS if row.mark else "")
    for each in pair.causes:
        sentence = printable(findings.difference_words(each, layout.dash))
        yield from map(Part, _sentence_lines(sentence, layout))
    if pair.group is not None and pair.group.consequences:
        following = printable(findings.following_words(pair.group)).strip()
        yield from map(Part, layout.below(following, layout.width))
    yield Part("\n")


def _sentence_lines(sentence: str, layout: Page) -> Iterator[str]:
    """Give a sentence as lines, all but the first indented."""
    first, *more = layout.wrapped(sentence, layout.width)
    yield f"{first}\n"
    if more:
        yield from layout.below(sentence[len(first) :].strip(), layout.width)


def _either(pair: tuple[T | None, T | None]) -> T:
    """Return the expected one of two, the actual one where none was expected."""
    found = pair[1] if pair[0] is None else pair[0]
    if found is None:
        raise ValueError("a pair has at least one part")
    return found


def _rows_of(pair: BillPair, match: Match, dash: str) -> Iterator[_Row]:
    """Give the rows of two bills: a due date that differs, lines, then VAT totals and sums."""
    first, second = (short_day(bill.due_date) if bill else "" for bill in pair.bills)
    if any(each.code == "due_date" for each in pair.causes):
        yield _Row(_MARK, "due date", "", first, second, is_sum=False)
    mine, theirs = (bill.lines if bill else () for bill in pair.bills)
    for lines in matching.at_places(mine, theirs, matching.line_pairs(mine, theirs, match)):
        yield from _line_rows(lines, dash)
    yield _sum("Subtotal", _both(pair.bills, lambda bill: bill.subtotal))
    my_vat, their_vat = (bill.vat_totals if bill else () for bill in pair.bills)
    for totals in matching.at_places(my_vat, their_vat, matching.vat_pairs(my_vat, their_vat)):
        category = category_of(_either(totals).vat)
        row = _sum(f"VAT of {category}", _both(totals, lambda total: total.amount))
        # A tax mode without tax has a row only where the amounts differ.
        if row.mark or category.taxed:
            yield row
    yield _sum("Total", _both(pair.bills, lambda bill: bill.total))
    rounding = _both(pair.bills, lambda bill: bill.cash_rounding)
    if all(rounding):
        yield _sum("Rounding", rounding)


def _line_rows(
    lines: tuple[PendingBillLineItem | None, PendingBillLineItem | None], dash: str
) -> Iterator[_Row]:
    """Give the row of a line, and below it the parts that differ where its nets are equal."""
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
    one: PendingBillLineItem, other: PendingBillLineItem, dash: str
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
    return _Row(_MARK, f"  {what}", "", expected, actual, is_sum=False)


def _price(amount: Amount) -> str:
    """Return a price with at least the decimals of its currency."""
    return findings.value_words(str(amount)).removesuffix(f" {amount.currency}")


def _both(
    pair: tuple[T | None, T | None], amount_of: Callable[[T], Amount | None]
) -> tuple[str, str]:
    """Return an amount of either side as its cell; an empty one where there is none."""
    amounts = [None if each is None else amount_of(each) for each in pair]
    first, second = ("" if each is None else figure(each.amount) for each in amounts)
    return first, second


def _sum(what: str, cells: tuple[str, str]) -> _Row:
    """Return the row of a sum, whose figures are of one currency and differ as their texts do."""
    return _Row(_MARK if cells[0] != cells[1] else "", what, "", *cells, is_sum=True)
