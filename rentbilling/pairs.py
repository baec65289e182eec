"""Pairs: which bills, lines and VAT totals of two sides belong together.

Law: everything stands in one pair, on its own side; what agrees in more is paired before the rest.
What does not live here: what differs between the two of a pair (`bill_comparisons`).
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Literal, TypeVar

from rentbilling.line_items import PendingBillLineItem
from rentbilling.results import PendingBill, VatTotal

T = TypeVar("T")

Match = Literal["product", "period", "order"]
"""How lines find each other: by product, and accounting period where both sides have it; by product
and accounting period always; or by their order."""

Pair = tuple[int | None, int | None]
"""The places on both sides, None where something stands alone."""


def bill_pairs(expected: Sequence[PendingBill], actual: Sequence[PendingBill]) -> list[Pair]:
    """Return the bills that belong together.

    By due date and currency; those that are left over by what they are for and how much they are,
    then by what they are for, so that a bill that moved is found.

    Args:
        expected: One side.
        actual: The other side.

    Returns:
        The places, in the order of the expected ones, then of those that stand alone.
    """
    return _paired(expected, actual, lambda bill: (bill.due, bill.currency), _content, _purpose)


def line_pairs(
    expected: Sequence[PendingBillLineItem], actual: Sequence[PendingBillLineItem], match: Match
) -> list[Pair]:
    """Return the lines that belong together, in the order of the expected ones.

    Args:
        expected: One side.
        actual: The other side.
        match: How lines find each other.

    Returns:
        The places.
    """
    if match == "order":
        return _paired(expected, actual, lambda _line: None)
    keys: list[Callable[[PendingBillLineItem], Hashable]] = [
        lambda line: line,
        lambda line: (line.product_key, line.accounting_period, line.vat.category),
        lambda line: (line.product_key, line.accounting_period),
    ]
    if match == "product":
        keys.append(lambda line: line.product_key)
    return _paired(expected, actual, *keys)


def vat_pairs(expected: Sequence[VatTotal], actual: Sequence[VatTotal]) -> list[Pair]:
    """Return the VAT totals of the same mode and rate, in the order of the expected ones."""
    return _paired(expected, actual, lambda total: total.vat.category)


def _content(bill: PendingBill) -> Hashable:
    """Return what a bill that moved is found by: what it is for, and how much it is."""
    return _purpose(bill), bill.sums


def _purpose(bill: PendingBill) -> Hashable:
    """Return what a bill that moved and changed is found by: what it is for."""
    lines = sorted((line.product_key, first, last) for line, first, last in bill.raw_lines)
    return bill.currency, tuple(lines)


def _paired(
    expected: Sequence[T], actual: Sequence[T], *keys: Callable[[T], Hashable]
) -> list[Pair]:
    """Return the places of what has the same key, by one key after another."""
    return sorted(_pairs(expected, actual, *keys), key=_place_of)


def _pairs(
    expected: Sequence[T], actual: Sequence[T], *keys: Callable[[T], Hashable]
) -> Iterator[Pair]:
    """Give pairs as they are found; what the first key leaves over is paired by the next."""
    mine, theirs = list(range(len(expected))), list(range(len(actual)))
    for key in keys:
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
    """Return where a pair stands: by the expected side, and what that lacks at the end."""
    one, other = pair
    return one is None, (other or 0) if one is None else one
