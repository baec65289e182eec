"""Judging the arithmetic rules of the validators by the library's own sums.

A fragment states a rule, a few facts of a document, and whether the rule holds (success) or fires
(error, warning). Where the rule is about a sum, a product or a rounding, the library computes what
should stand there. We agree with the validator when the printed figure lies within the slack that
the rule grants around ours in the cases that hold, and outside of it in those that fire.
The rules, by their number: BR-CO-10 … 17 are the totals, BR-x-08 the base of a category, BR-x-09
its VAT, R040 a percentage of a base, R046 a price less its discount, R120 the net of a line. Rules
about what must be present, and which rate or sign is allowed, are not about arithmetic.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.vat.billing import NOTHING, UNTAXED, Piece, charged
from tests.outside.vat.categories import Key, key_of, vat_of
from tests.outside.vat.documents import line_pieces

Facts = Mapping[str, Any]
Pair = tuple[Decimal, Decimal]
"""What is printed, and ours."""

_PENNIES = Decimal("0.02")
_LESS_THAN_ONE = Decimal("0.99")
_RATED = frozenset({"S", "L", "M"})
"""The categories whose groups differ by rate; only their rules grant a slack."""
_CATEGORIES = MappingProxyType(
    {
        "S": "S",
        "Z": "Z",
        "E": "E",
        "AE": "AE",
        "IC": "K",
        "G": "G",
        "O": "O",
        "AF": "L",
        "IG": "L",
        "AG": "M",
        "IP": "M",
    }
)
"""The category that a family of rules is about."""


def judge(case: Case, head: Head) -> Verdict:
    del head
    rule = str(case["rule"])
    found = _pairs(rule, case["facts"])
    if found is None:
        return not_expressible(f"not an arithmetic rule: {rule}")
    slack, pairs = found
    off = [pair for pair in pairs if abs(pair[0] - pair[1]) > slack]
    if (case["expect"] == "success") is not bool(off):
        return PASSED
    if off:
        return failed(f"{rule} holds, but stated {off[0][0]} where ours is {off[0][1]}")
    return failed(f"{rule} fires, but the stated figures agree with ours")


def _pairs(rule: str, facts: Facts) -> tuple[Decimal, list[Pair]] | None:
    """Return the slack of a rule, and each printed figure beside ours; None for other rules."""
    if rule in _RULES:
        slack, pairs = _RULES[rule]
        return slack, list(pairs(facts))
    if not is_arithmetic(rule):
        return None
    family, _, number = rule.removeprefix("BR-").rpartition("-")
    category = _CATEGORIES[family]
    slack = _LESS_THAN_ONE if category in _RATED else NOTHING
    return slack, list((_bases if number == "08" else _taxes)(facts, category))


def is_arithmetic(rule: str) -> bool:
    """Return whether a rule is about a sum, a product or a rounding.

    Args:
        rule: By its name.
    """
    family, _, number = rule.removeprefix("BR-").rpartition("-")
    is_of_category = rule.startswith("BR-") and family in _CATEGORIES and number in {"08", "09"}
    return rule in _RULES or is_of_category


def _currency(facts: Facts) -> str:
    return str(facts.get("currency", "EUR"))


def _number(text: str | None) -> Decimal:
    return NOTHING if text is None else Decimal(text)


def _sum(facts: Facts, figures: Iterable[Decimal]) -> Decimal:
    pieces = [Piece(figure, UNTAXED) for figure in figures]
    return charged(pieces, _currency(facts)).net


def _total(
    name: str, plus: Sequence[str] = (), minus: Sequence[str] = ()
) -> Callable[[Facts], Iterator[Pair]]:
    def pairs(facts: Facts) -> Iterator[Pair]:
        totals = facts.get("totals", {})
        parts = [_number(totals.get(part)) for part in plus]
        parts += [-_number(totals.get(part)) for part in minus]
        yield _number(totals.get(name)), _sum(facts, parts)

    return pairs


def _sum_of(name: str, items: str, field: str) -> Callable[[Facts], Iterator[Pair]]:
    """Return the rule by which a total is the sum of a field of some items."""

    def pairs(facts: Facts) -> Iterator[Pair]:
        figures = [_number(item.get(field)) for item in facts.get(items, ())]
        yield _number(facts.get("totals", {}).get(name)), _sum(facts, figures)

    return pairs


def _group_taxes(facts: Facts) -> Iterator[Pair]:
    """Yield the VAT of each group; a group without a rate has none."""
    for group in facts.get("vat_breakdown", ()):
        yield _number(group.get("tax")), _vat(facts, group)


def _vat(facts: Facts, group: Facts) -> Decimal:
    vat = vat_of(group.get("category"), group.get("rate"))
    return charged([Piece(_number(group.get("taxable")), vat)], _currency(facts)).tax


def _taxes(facts: Facts, category: str) -> Iterator[Pair]:
    for group in facts.get("vat_breakdown", ()):
        if group.get("category") == category:
            yield _number(group.get("tax")), _vat(facts, group)


def _bases(facts: Facts, category: str) -> Iterator[Pair]:
    """Yield the base of each group of a category, as its lines, allowances and charges give it."""
    entries: list[tuple[Key, Decimal]] = []
    for items, field, sign in (
        ("lines", "line_net", 1),
        ("document_allowances", "amount", -1),
        ("document_charges", "amount", 1),
    ):
        for item in facts.get(items, ()):
            key = key_of(item.get("category"), item.get("rate"))
            entries.append((key, sign * _number(item.get(field))))
    for group in facts.get("vat_breakdown", ()):
        if group.get("category") == category:
            key = key_of(category, group.get("rate"))
            ours = _sum(facts, [net for other, net in entries if other == key])
            yield _number(group.get("taxable")), ours


def _percentages(facts: Facts) -> Iterator[Pair]:
    items = [*facts.get("document_allowances", ()), *facts.get("document_charges", ())]
    for line in facts.get("lines", ()):
        items += line.get("allowance_charge_items", ())
    for item in items:
        if item.get("base") is not None and item.get("percent") is not None:
            piece = Piece(Decimal(item["base"]), UNTAXED, Decimal(item["percent"]) / 100)
            yield _number(item.get("amount")), charged([piece], _currency(facts)).net


def _prices(facts: Facts) -> Iterator[Pair]:
    """Yield the unit price of each line as its gross price and discount give it."""
    for line in facts.get("lines", ()):
        parts = [_number(line.get("gross_price")), -_number(line.get("price_discount"))]
        yield _number(line.get("unit_net_price")), _sum(facts, parts)


def _nets(facts: Facts) -> Iterator[Pair]:
    """Yield the net of each line as its quantity, price, allowance and charge give it."""
    for line in facts.get("lines", ()):
        pieces = line_pieces(line, UNTAXED)
        if pieces is not None:
            yield _number(line.get("line_net")), charged(pieces, _currency(facts)).net


_RULES: Mapping[str, tuple[Decimal, Callable[[Facts], Iterator[Pair]]]] = MappingProxyType(
    {
        "BR-CO-10": (NOTHING, _sum_of("line_net_sum", "lines", "line_net")),
        "BR-CO-11": (NOTHING, _sum_of("allowance_total", "document_allowances", "amount")),
        "BR-CO-12": (NOTHING, _sum_of("charge_total", "document_charges", "amount")),
        "BR-CO-13": (
            NOTHING,
            _total("tax_exclusive", ("line_net_sum", "charge_total"), ("allowance_total",)),
        ),
        "BR-CO-14": (NOTHING, _sum_of("tax_total", "vat_breakdown", "tax")),
        "BR-CO-15": (NOTHING, _total("tax_inclusive", ("tax_exclusive", "tax_total"))),
        "BR-CO-16": (NOTHING, _total("payable", ("tax_inclusive", "rounding"), ("prepaid",))),
        "BR-CO-17": (_LESS_THAN_ONE, _group_taxes),
        "PEPPOL-EN16931-R040": (_PENNIES, _percentages),
        "PEPPOL-EN16931-R046": (NOTHING, _prices),
        "PEPPOL-EN16931-R120": (_PENNIES, _nets),
    }
)
"""The slack of each rule, and its figures."""
