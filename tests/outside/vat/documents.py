"""Reading an invoice of the outside corpora: its lines, allowances, charges, groups and totals.

A *parent line* sums up the lines below it and adds nothing of its own: in CII it says so itself
(`line_status` GROUP or INFORMATION), so only the lines below it are billed and its printed net is
compared with their sum. A line whose sub-lines are not given (`has_sublines`) is billed by its own
quantity and price like any other.
A line without quantity and unit price cannot be computed; its printed net is then its price.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from rentbilling import Vat
from tests.outside.board import Case
from tests.outside.vat.billing import NOTHING, ONE, Piece, priced, with_extras
from tests.outside.vat.categories import Key, key_of, vat_of

PARENTS = frozenset({"GROUP", "INFORMATION"})


Kind = Literal["line", "allowance", "charge"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line, allowance or charge of a document."""

    name: str
    kind: Kind
    key: Key | None
    """What it is grouped by; None where the document does not say, or says several."""
    pieces: tuple[Piece, ...] | None
    """How its net is computed; None where its inputs are not given."""
    printed: Decimal | None
    vat_piece: Piece
    """Its printed net as one piece."""

    def billed(self, *, as_printed: bool) -> tuple[Piece, ...]:
        if self.pieces is None or (as_printed and self.printed is not None):
            return (self.vat_piece,)
        return self.pieces


@dataclass(frozen=True, slots=True)
class Parent:
    """A line that sums up the lines below it."""

    name: str
    printed: Decimal | None
    below: tuple[int, ...]
    """The places of those lines among the lines of the document."""


@dataclass(frozen=True, slots=True)
class Group:
    """One printed group of the VAT breakdown."""

    key: Key
    category: str | None
    rate: str | None
    base: Decimal | None
    tax: Decimal | None


@dataclass(frozen=True, slots=True)
class Document:
    """An invoice as its file states it."""

    currency: str
    lines: tuple[Entry, ...]
    parents: tuple[Parent, ...]
    allowances: tuple[Entry, ...]
    charges: tuple[Entry, ...]
    groups: tuple[Group, ...]
    totals: Mapping[str, Decimal]
    third_party: Decimal
    """Collected for third parties: owed, but no part of the bill."""
    rounding_in_total: bool
    """Whether the total with VAT includes the stated rounding, as it does in FatturaPA."""
    free: frozenset[Key]
    """Categories that are shown at a rate and charged no VAT."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.lines + self.allowances + self.charges

    @property
    def is_grouped(self) -> bool:
        return bool(self.lines) and all(entry.key is not None for entry in self.entries)


def read(case: Case, free: frozenset[Key] = frozenset()) -> Document:
    groups: Sequence[Mapping[str, Any]] = case["vat_breakdown"]
    stated = [line for line in case["lines"] if line.get("line_status") not in PARENTS]

    def extras(items: str, kind: Kind) -> tuple[Entry, ...]:
        return tuple(_extra(rated(item, groups), kind, free) for item in case[items])

    return Document(
        currency=case["currency"],
        lines=tuple(_line(rated(line, groups), free) for line in stated),
        parents=tuple(_parents(case["lines"], stated)),
        allowances=extras("document_allowances", "allowance"),
        charges=extras("document_charges", "charge"),
        groups=tuple(_group(group) for group in groups),
        totals={name: Decimal(text) for name, text in case["totals"].items() if text is not None},
        third_party=_decimal(case.get("third_party_payments")) or NOTHING,
        rounding_in_total=case.get("syntax") == "FatturaPA",
        free=free,
    )


def _line(line: Mapping[str, Any], free: frozenset[Key]) -> Entry:
    category, rate = line.get("category"), line.get("rate")
    printed = _decimal(line.get("line_net"))
    vat = vat_of(category, rate, free)
    return Entry(
        name=f"line {line.get('id')}",
        kind="line",
        key=None
        if line.get("multi_tax") or (category, rate) == (None, None)
        else key_of(category, rate),
        pieces=line_pieces(line, vat),
        printed=printed,
        vat_piece=Piece(printed or NOTHING, vat),
    )


def line_pieces(line: Mapping[str, Any], vat: Vat) -> tuple[Piece, ...] | None:
    """Return the pieces of a line's quantity, price, base quantity, allowance and charge.

    A quantity that is not stated is one, as FatturaPA has it; so is a base quantity.
    """
    price, quantity = _decimal(line.get("unit_net_price")), _decimal(line.get("quantity"))
    base = _decimal(line.get("base_quantity"))
    if price is None or base == NOTHING:
        return None
    main = priced(price, ONE if quantity is None else quantity, base or ONE, vat)
    allowance, charge = _decimal(line.get("allowance")), _decimal(line.get("charge"))
    return with_extras(main, -(allowance or NOTHING), charge or NOTHING)


def rated(item: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return an item with its rate; where it states only a category, with that of its one group."""
    category = item.get("category")
    rates = {group.get("rate") for group in groups if group.get("category") == category}
    if category is None or item.get("rate") is not None or len(rates) != 1:
        return item
    return {**item, "rate": rates.pop()}


def _extra(item: Mapping[str, Any], kind: Kind, free: frozenset[Key]) -> Entry:
    """Return a document's allowance or charge; one without an amount counts for nothing."""
    amount = _decimal(item.get("amount")) or NOTHING
    category, rate = item.get("category"), item.get("rate")
    piece = Piece(-amount if kind == "allowance" else amount, vat_of(category, rate, free))
    key = None if (category, rate) == (None, None) and amount else key_of(category, rate)
    return Entry(kind, kind, key, (piece,), amount, piece)


def _parents(lines: list[Mapping[str, Any]], stated: list[Mapping[str, Any]]) -> Iterator[Parent]:
    """Yield each parent line with the places of the billed lines anywhere below it."""
    above = {line.get("id"): line.get("parent_line") for line in lines}
    for line in lines:
        if line.get("line_status") != "GROUP":
            continue
        below = tuple(
            place
            for place, other in enumerate(stated)
            if line.get("id") in _ancestors(other.get("parent_line"), above)
        )
        yield Parent(f"parent line {line.get('id')}", _decimal(line.get("line_net")), below)


def _ancestors(parent: str | None, above: Mapping[str | None, str | None]) -> frozenset[str | None]:
    seen: set[str | None] = set()
    while parent is not None and parent not in seen:
        seen.add(parent)
        parent = above.get(parent)
    return frozenset(seen)


def _group(group: Mapping[str, Any]) -> Group:
    category, rate = group.get("category"), group.get("rate")
    return Group(
        key_of(category, rate),
        category,
        rate,
        _decimal(group.get("taxable")),
        _decimal(group.get("tax")),
    )


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
