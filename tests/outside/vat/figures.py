"""The figures of an invoice in three parts, each printed one with the one that we compute.

*Lines*: quantity, unit price, base quantity, allowance and charge give the net of each line.
*Groups*: nets, allowances and charges give base and VAT of each group.
*Totals*: the same bill gives the sums; what was prepaid, the stated rounding and payments for third
parties lead from there to what is payable.

A part whose inputs come from a part that the document itself gets wrong is computed alone: it
starts from the figures that are printed there. So the groups of a document with one wrong line
start from its printed nets, and the totals of a document with one wrong group add up its printed
VAT. Groups are also computed alone where lines do not name their group: then a group's printed base
gives its VAT. Groups that share a category and rate are compared by their sums; categories that
share a tax mode and rate are distinguished by their lines.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from rentbilling import Amount, BillingPolicy
from tests.outside.vat.billing import NOTHING, Charged, Piece, charged
from tests.outside.vat.categories import Key, vat_of
from tests.outside.vat.documents import Document, Group

LINES, GROUPS, TOTALS = "lines", "groups", "totals"


@dataclass(frozen=True, slots=True)
class Figure:
    """One printed figure with ours."""

    part: str
    name: str
    printed: Decimal
    ours: Decimal

    def __str__(self) -> str:
        return f"{self.name}: expected {self.printed}, got {self.ours}"


@dataclass(frozen=True, slots=True)
class _Sums:
    """The bill of the entries of a document, with their nets."""

    nets: tuple[Decimal, ...]
    bill: Charged


def figures(
    document: Document, trusted: Mapping[str, bool], policy: BillingPolicy | None
) -> Iterator[Figure]:
    computed = _billed(document, policy, as_printed=False)
    yield from _lines(document, computed.nets)
    sums = computed if trusted[LINES] else _billed(document, policy, as_printed=True)
    if document.is_grouped:
        yield from _groups(document, sums)
    else:
        yield from _alone(document, policy)
        if trusted[GROUPS]:
            yield from _bases(document)
    tax = _tax(document, sums, policy, trusted=trusted[GROUPS])
    computed_totals = _totals(document, sums, tax, trusted=trusted[LINES])
    for name, figure in computed_totals.items():
        if figure is not None and name in document.totals:
            yield Figure(TOTALS, name, document.totals[name], figure)


def _billed(document: Document, policy: BillingPolicy | None, *, as_printed: bool) -> _Sums:
    parts = [entry.billed(as_printed=as_printed) for entry in document.entries]
    bill = charged([piece for part in parts for piece in part], document.currency, policy=policy)
    nets = iter(bill.nets)
    return _Sums(tuple(sum(islice(nets, len(part)), NOTHING) for part in parts), bill)


def _lines(document: Document, nets: tuple[Decimal, ...]) -> Iterator[Figure]:
    for entry, net in zip(document.lines, nets, strict=False):
        if entry.pieces is not None and entry.printed is not None:
            yield Figure(LINES, entry.name, entry.printed, net)
    for parent in document.parents:
        if parent.printed is not None:
            below = sum((nets[place] for place in parent.below), NOTHING)
            yield Figure(LINES, parent.name, parent.printed, below)


def _groups(document: Document, sums: _Sums) -> Iterator[Figure]:
    bases: dict[Key, Decimal] = {}
    vats = {}
    for entry, net in zip(document.entries, sums.nets, strict=True):
        if entry.key is not None:
            bases[entry.key] = bases.get(entry.key, NOTHING) + net
            vats[entry.key] = entry.vat_piece.vat
    printed = _by_key(document.groups)
    for key, groups in printed.items():
        name = f"group {key[0]} {key[1]}"
        yield from _pair(f"{name} base", (group.base for group in groups), bases.get(key, NOTHING))
        vat = vats.get(key)
        shared = [other for other in vats if vat and vats[other].category == vat.category]
        ours = sums.bill.tax_of(vat) if vat else NOTHING
        taxes = [group.tax for other in {key, *shared} for group in printed.get(other, ())]
        yield from _pair(f"{name} VAT", taxes, ours)
        if key not in vats:
            yield Figure(GROUPS, f"{name} entries", Decimal(len(groups)), NOTHING)
    for key in (each for each in bases if each not in printed):
        yield Figure(GROUPS, f"group {key[0]} {key[1]} base", NOTHING, bases[key])


def _by_key(groups: Iterable[Group]) -> dict[Key, list[Group]]:
    """Return the printed groups by category and rate; a document may repeat one."""
    found: dict[Key, list[Group]] = {}
    for group in groups:
        found.setdefault(group.key, []).append(group)
    return found


def _pair(name: str, printed: Iterable[Decimal | None], ours: Decimal) -> Iterator[Figure]:
    stated = [figure for figure in printed if figure is not None]
    if stated:
        yield Figure(GROUPS, name, sum(stated, NOTHING), ours)


def _alone(document: Document, policy: BillingPolicy | None) -> Iterator[Figure]:
    for group in document.groups:
        if group.base is not None and group.tax is not None:
            ours = _group_bill(document, [group], policy).tax
            yield Figure(GROUPS, f"group {group.category} {group.rate} VAT", group.tax, ours)


def _bases(document: Document) -> Iterator[Figure]:
    bases = [group.base for group in document.groups if group.base is not None]
    exclusive = document.totals.get("tax_exclusive")
    if exclusive is not None and 0 < len(bases) == len(document.groups):
        yield Figure(GROUPS, "sum of the bases", exclusive, sum(bases, NOTHING))


def _group_bill(
    document: Document, groups: Iterable[Group], policy: BillingPolicy | None
) -> Charged:
    pieces = [
        Piece(group.base, vat_of(group.category, group.rate, document.free))
        for group in groups
        if group.base is not None
    ]
    return charged(pieces, document.currency, policy=policy)


def _tax(
    document: Document, sums: _Sums, policy: BillingPolicy | None, *, trusted: bool
) -> Decimal | None:
    """Return the VAT of the document: of its lines, of its groups' bases, or as printed there."""
    if trusted and document.is_grouped:
        return sums.bill.tax
    if trusted and all(group.base is not None for group in document.groups):
        return _group_bill(document, document.groups, policy).tax
    if not document.groups:
        return None
    return sum((group.tax for group in document.groups if group.tax is not None), NOTHING)


def _totals(
    document: Document, sums: _Sums, tax: Decimal | None, *, trusted: bool
) -> dict[str, Decimal | None]:
    """Return the sums of the document; without trusted lines, each from the printed one before."""
    currency, stated = document.currency, document.totals
    nets = dict.fromkeys(("line", "allowance", "charge"), NOTHING)
    for entry, net in zip(document.entries, sums.nets, strict=True):
        nets[entry.kind] += net
    extra = stated.get("charge_total", NOTHING) - stated.get("allowance_total", NOTHING)
    exclusive = sums.bill.net if trusted else _sum(currency, stated.get("line_net_sum"), extra)
    taxes = stated.get("tax_total", NOTHING) if tax is None else tax
    rounding = stated.get("rounding", NOTHING)
    inclusive = _sum(
        currency,
        exclusive if trusted else stated.get("tax_exclusive"),
        taxes if trusted else stated.get("tax_total", NOTHING),
        rounding if document.rounding_in_total else NOTHING,
    )
    return {
        "line_net_sum": nets["line"] if document.lines else None,
        "allowance_total": -nets["allowance"],
        "charge_total": nets["charge"],
        "tax_exclusive": exclusive,
        "tax_total": tax,
        "tax_inclusive": inclusive,
        "payable": _sum(
            currency,
            inclusive if trusted else stated.get("tax_inclusive"),
            -stated.get("prepaid", NOTHING),
            NOTHING if document.rounding_in_total else rounding,
            document.third_party,
        ),
    }


def _sum(currency: str, start: Decimal | None, *figures: Decimal) -> Decimal | None:
    """Return the sum of amounts of one currency; nothing where the first one is not known."""
    if start is None:
        return None
    total = Amount(start, currency)
    for figure in figures:
        total += Amount(figure, currency)
    return total.amount
