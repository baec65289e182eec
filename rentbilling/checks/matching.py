"""Matching of the bills, lines and VAT totals of two sides.

Law: each bill, line or total is in exactly one pair; those with more in common are matched first.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeVar

from rentbilling.billing import LineFigures, PendingBill, PendingBillLineItem, RawLine, VatTotal

T = TypeVar("T")

Match = Literal["product", "period", "order"]
"""How lines are matched: by product, and accounting period if both sides have it, then by equal
days, VAT and figures; always by product and accounting period; or by their order."""

Pair = tuple[int | None, int | None]
"""The places on both sides; None on the side without a counterpart."""


def same_places(expected: Sequence[PendingBill], actual: Sequence[PendingBill]) -> set[int]:
    """Return the places at which both sides have equal bills, as most do."""
    return {at for at, sides in enumerate(zip(expected, actual, strict=False)) if says_same(*sides)}


def at_places(
    first: Sequence[T], second: Sequence[T], places: Iterable[Pair]
) -> Iterator[tuple[T | None, T | None]]:
    """Give what is at the places of each pair; None on a side without a counterpart."""
    for one, other in places:
        yield None if one is None else first[one], None if other is None else second[other]


def bill_pairs(
    expected: Sequence[PendingBill], actual: Sequence[PendingBill], same: set[int] | None = None
) -> list[Pair]:
    """Return the pairs of bills, where it is known or not at which places they are the same.

    Equal bills are matched first; then those of one day with lines for the same products and days;
    then those of other days with such lines, so that a bill that moved is found even if another one
    has its old day; then those whose largest lines are for the same; at last those of one day and
    currency.
    """
    done = same_places(expected, actual) if same is None else same
    mine, theirs = (
        [at for at in range(len(side)) if at not in done] for side in (expected, actual)
    )
    left = _paired(
        [expected[at] for at in mine],
        [actual[at] for at in theirs],
        lambda bill: (bill.sums, _everything(bill)),
        # One side may have no cash rounding.
        _everything,
        lambda bill: (bill.due, bill.sums[:2], _purpose(bill)),
        lambda bill: (bill.due, _purpose(bill)),
        lambda bill: (bill.sums[:2], _purpose(bill)),
        _purpose,
        lambda bill: (bill.due, _main(bill)),
        _main,
        lambda bill: (bill.due, bill.currency),
    )
    found = at_places(mine, theirs, left)
    return sorted([*((at, at) for at in done), *found], key=_place_of)


def says_same(one: PendingBill, other: PendingBill) -> bool:
    """Return whether bills are equal; one may have no cash rounding."""
    mine, theirs = one.sums[2], other.sums[2]
    return (mine is None or theirs is None or mine == theirs) and one == other


def line_pairs(
    expected: Sequence[PendingBillLineItem], actual: Sequence[PendingBillLineItem], match: Match
) -> list[Pair]:
    """Return the pairs of lines, in the order of the expected ones."""
    if match == "order":
        return _paired(expected, actual, lambda _line: None)
    keys: list[Callable[[PendingBillLineItem], Hashable]] = [
        lambda line: line,
        lambda line: (line.product_key, line.accounting_period, line.vat.category),
        lambda line: (line.product_key, line.accounting_period),
    ]
    if match == "product":
        keys += [lambda line: line.product_key, _figures]
    return _paired(expected, actual, *keys)


def vat_pairs(expected: Sequence[VatTotal], actual: Sequence[VatTotal]) -> list[Pair]:
    """Return the pairs of VAT totals with one mode and rate, in the order of the expected ones."""
    return _paired(expected, actual, lambda total: total.vat.category)


def _figures(line: PendingBillLineItem) -> Hashable:
    """Return the key for a line of another product: its days, VAT and figures."""
    amounts = line.amount, line.unit_net_price, line.net_price
    return line.accounting_period, line.vat.category, line.quantity, amounts


def _everything(bill: PendingBill) -> Hashable:
    """Return the key for equal bills, whatever the order of their lines and VAT totals."""
    lines = [(*_days_of(line), *_charged(line[0])) for line in bill.raw_lines]
    totals = [(vat.category, units) for vat, units, _ in bill.raw_totals]
    return bill.due, bill.currency, bill.sums[:2], tuple(sorted(lines)), tuple(sorted(totals))


def _charged(figures: LineFigures) -> tuple[Any, ...]:
    prices = figures.amount, figures.unit_net, figures.net
    return *figures.vat.category, figures.quantity, *prices


def _purpose(bill: PendingBill) -> Hashable:
    """Return the key for a bill that moved and changed: the products and days of its lines."""
    return bill.currency, tuple(sorted(map(_days_of, bill.raw_lines)))


def _main(bill: PendingBill) -> Hashable:
    """Return the key for a bill with a line more or less: its largest line."""
    largest = max(bill.raw_lines, key=lambda line: abs(line[0].net), default=None)
    return bill.currency, None if largest is None else _days_of(largest)


def _days_of(line: RawLine) -> tuple[str, int, int]:
    figures, first, last = line
    return figures.product_key, first, last


def _paired(
    expected: Sequence[T], actual: Sequence[T], *keys: Callable[[T], Hashable]
) -> list[Pair]:
    """Return the pairs with equal keys, by one key after another."""
    return sorted(_pairs(expected, actual, *keys), key=_place_of)


def _pairs(
    expected: Sequence[T], actual: Sequence[T], *keys: Callable[[T], Hashable]
) -> Iterator[Pair]:
    """Yield pairs as they are found; each key matches the rest of the key before."""
    mine, theirs = list(range(len(expected))), list(range(len(actual)))
    for key in keys:
        if not (mine and theirs):
            break
        waiting: dict[Hashable, list[int]] = {}
        for place in reversed(theirs):
            waiting.setdefault(key(actual[place]), []).append(place)
        left: list[int] = []
        for place in mine:
            others = waiting.get(key(expected[place]))
            if others:
                yield place, others.pop()
            else:
                left.append(place)
        mine, theirs = left, sorted(place for others in waiting.values() for place in others)
    for place in mine:
        yield place, None
    for place in theirs:
        yield None, place


def _place_of(pair: Pair) -> tuple[bool, int]:
    """Return the sort key of a pair: the expected side's order, then the additional actual ones."""
    one, other = pair
    return one is None, (other or 0) if one is None else one
