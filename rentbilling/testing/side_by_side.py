"""Bills side by side: a table of the expected and the actual ones, and a sentence for a difference.

Laws: bills without a difference give no text; every row in which the sides differ is marked; a row
is one line of the text, whatever a product is called.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

import rentbilling as rb
from rentbilling.checks import (
    Comparison,
    DifferenceGroup,
    Ignored,
    category_of,
    matching as pairs,
)
from rentbilling.layout import padded, widest
from rentbilling.tables import counted
from rentbilling.testing.given_bills import AnyBills, bills_in

SIDES: Final = ("expected", "actual")

_SAME: Final = " "
_OTHER: Final = "*"
_FIRST_ONLY: Final = "-"
_SECOND_ONLY: Final = "+"


class Row(NamedTuple):
    """One row of the table: a mark, what it is about, and what either side says of it."""

    mark: str
    label: str
    first: str = ""
    second: str = ""


def bill_table(
    first: AnyBills,
    second: AnyBills,
    names: tuple[str, str] = SIDES,
    *,
    ignore: tuple[Ignored, ...] = (),
    policy: rb.BillingPolicy | None = None,
    brief: bool = False,
) -> str:
    """Return the bills that differ side by side, and each difference in a sentence."""
    sides = [[*each] if isinstance(each, Iterator) else each for each in (first, second)]
    found = rb.compare_bills(*sides, ignore=ignore, policy=policy)
    if found.is_equal:
        return ""
    if any(isinstance(each, rb.BillingResult) for each in sides):
        found = rb.compare_bills(*sides, ignore=ignore, diagnose=True, policy=policy)
    groups = {group.places: group for group in found.groups}
    mine, theirs = (bills_in(each, policy=policy) for each in sides)
    bills = pairs.at_places(mine, theirs, found.pairs)
    rows = [
        row
        for places, both in zip(found.pairs, bills, strict=True)
        if places in groups
        for row in _bill_rows(*both, groups[places])
    ]
    return _text(rows, found, names, len(found.pairs) - len(groups), brief=brief)


def line_table(
    first: Sequence[rb.PendingBillLineItem],
    second: Sequence[rb.PendingBillLineItem],
    names: tuple[str, str] = SIDES,
    *,
    brief: bool = False,
) -> str:
    """Return line items side by side, and each difference in a sentence."""
    there = next(iter((*first, *second)), None)
    if there is None:
        return ""
    currency, places = there.amount.currency, there.figures.places
    bills = [
        rb.PendingBill(1, currency, places, [line.raw for line in lines], (), (0, 0, None))
        for lines in (first, second)
    ]
    found = rb.compare_bills(bills[:1], bills[1:])
    if found.is_equal:
        return ""
    return _text(list(_line_rows(first, second)), found, names, brief=brief, days=False)


def _sentences_of(found: Comparison, names: tuple[str, str], *, days: bool) -> Iterator[str]:
    """Give a sentence for each cause, one for what follows, and what explains all of it."""
    for group, again in found.folded:
        for each in group.causes:
            day = f"due {each.bill}, " if days else ""
            yield day + each.sentence(names)
        if group.consequences:
            yield group.following(names[1])
        if again:
            yield again
    yield from found.explained()


def _text(
    rows: Sequence[Row],
    found: Comparison,
    names: tuple[str, str],
    equal: int = 0,
    *,
    brief: bool = False,
    days: bool = True,
) -> str:
    """Return rows as an aligned table, with the number of differences and their sentences."""
    if brief:
        # The name of a bill is for the rows that differ below it.
        rows = [row for row in rows if row.mark != _SAME or not (row.first or row.second)]
    all_rows = [Row(_SAME, "", *names), *(Row(*map(_on_one_line, row)) for row in rows)]
    widths = [widest(row[at] for row in all_rows) for at in (1, 2)]
    table = []
    for mark, *texts, last in all_rows:
        cells = map(partial(padded, right=False), texts, widths)
        table.append("  ".join([f"{mark} {next(cells)}", *cells, last]).rstrip())
    sentences = [*map(_on_one_line, _sentences_of(found, names, days=days))]
    count = counted(len(found), "difference")
    if found.is_folded:
        count += f": {found.summary}"
    if equal:
        count += f"; {equal} other bill{'s are' if equal != 1 else ' is'} equal"
    parts = (sentences, table) if brief else (table, sentences)
    first = [count] if brief else [count, ""]
    return "\n".join([*first, *parts[0], "", *parts[1]])


def _on_one_line(text: str) -> str:
    """Return a text whose line breaks and controls are shown as escapes."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in text
    )


# ---------------------------------------------------------------------------------------- rows


def _bill_rows(
    first: rb.PendingBill | None, second: rb.PendingBill | None, group: DifferenceGroup
) -> Iterator[Row]:
    """Give the rows of two bills that belong together, or the one of a bill alone."""
    there = next(bill for bill in (first, second) if bill is not None)
    found = {each.code: each for side in (group.causes, group.consequences) for each in side}
    number = next(iter(found.values())).number
    label = f"due {there.due_date} in {there.currency}"
    label += "" if number is None else f", number {number}"
    if first is None or second is None:
        yield _row(label, _bill_text(first), _bill_text(second), same=False)
        return
    yield Row(_SAME, label)
    if "due_date" in found:
        yield Row(_OTHER, "due date", f"{first.due_date}", f"{second.due_date}")
    yield from _line_rows(first.lines, second.lines)
    mine, theirs = first.vat_totals, second.vat_totals
    for one, other in pairs.at_places(mine, theirs, pairs.vat_pairs(mine, theirs)):
        label = next(f"VAT {category_of(total.vat)}" for total in (one, other) if total is not None)
        yield _amounts(label, *(None if each is None else each.amount for each in (one, other)))
    yield _amounts("subtotal", first.subtotal, second.subtotal)
    yield _amounts("total", first.total, second.total)
    if first.cash_rounding is not None and second.cash_rounding is not None:
        yield _amounts("cash rounding", first.cash_rounding, second.cash_rounding)
    for code in ("tax_sum", "payable"):
        if code in found:
            texts = (text.partition(" ")[0] for text in (found[code].expected, found[code].actual))
            yield Row(_OTHER, found[code].label, *texts)


def _line_rows(
    first: Sequence[rb.PendingBillLineItem], second: Sequence[rb.PendingBillLineItem]
) -> Iterator[Row]:
    """Give a row for each line of either side, and one of its days where those differ."""
    places = pairs.line_pairs(first, second, "product")
    for one, other in pairs.at_places(first, second, places):
        there = next(line for line in (one, other) if line is not None)
        label = f"{there.product_key} {there.accounting_period}"
        if one is not None and other is not None:
            days = f"{one.accounting_period}", f"{other.accounting_period}"
            if days[0] != days[1]:
                label = one.product_key
                yield Row(_OTHER, f"{label} accounting period", *days)
        same = one is not None and other is not None and _figures(one) == _figures(other)
        texts = _line_text(one), _line_text(other)
        if not same and texts[0] == texts[1] and one is not None and other is not None:
            # What differs is not in the text: the currency.
            texts = f"{texts[0]} {one.amount.currency}", f"{texts[1]} {other.amount.currency}"
        yield _row(label, *texts, same=same)


def _amounts(label: str, first: rb.Amount | None, second: rb.Amount | None) -> Row:
    sides = ("" if each is None else _figure(each) for each in (first, second))
    return _row(label, *sides, same=first == second)


def _row(label: str, first: str, second: str, *, same: bool) -> Row:
    mark = _SAME if same else _OTHER if first and second else _FIRST_ONLY if first else _SECOND_ONLY
    return Row(mark, label, first, second)


def _figures(line: rb.PendingBillLineItem) -> tuple[object, ...]:
    """Return what is compared of a line except its product and days."""
    return line.quantity, line.amount, line.unit_net_price, line.net_price, line.vat.category


# --------------------------------------------------------------------------------------- texts


def _figure(amount: rb.Amount) -> str:
    return f"{amount.amount:f}"


def _bill_text(bill: rb.PendingBill | None) -> str:
    """Return a bill without a counterpart in a few words; nothing for None."""
    if bill is None:
        return ""
    return f"{_figure(bill.total)} in {counted(len(bill.raw_lines), 'line')}"


def _line_text(line: rb.PendingBillLineItem | None) -> str:
    """Return everything of a line but its product and days; nothing for None."""
    if line is None:
        return ""
    unit_net = line.unit_net_price
    net = "" if unit_net == line.amount else f" (net {_figure(unit_net)})"
    figures = f"{line.quantity:f} × {_figure(line.amount)}{net} = {_figure(line.net_price)}"
    return f"{figures} {category_of(line.vat)}"
