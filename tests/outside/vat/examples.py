"""Judging example documents of a system that computes its own totals.

`prices_include` names the tax that is inside the prices; lines with another tax, or none, are then
untaxed. A key without a percentage charges nothing: exempt, outside scope, export, reverse charge.
`rounding: currency` rounds every line, as we do; `precise` rounds sums only, which says the same
where every line comes out even in the currency's minor unit, and is not expressible elsewhere.
Surcharges on a rate and several taxes on a line are other models. A retained tax is taken off what
is paid, not off the bill, so it only lies between the total and the payable amount.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from rentbilling import Amount, Vat
from rentbilling.values import minor_units
from tests.outside.board import Case, Figure, Head, UnsaidError, Verdict, compared
from tests.outside.vat.billing import NOTHING, REVERSED, UNTAXED, Charged, Piece, charged, taxed

Tax = Mapping[str, Any]


def judge(case: Case, _head: Head) -> Verdict:
    _refuse(case)
    lines = [_line_pieces(case, line) for line in case["lines"]]
    extras = [*_extra_pieces(case, "document_allowances", -1)]
    extras += _extra_pieces(case, "document_charges", 1)
    bill = charged([piece for part in lines for piece in part] + extras, case["currency"])
    return compared((*_sums(case, lines), *_groups(case, bill), *_totals(case, bill)))


def _retained(case: Case) -> frozenset[str]:
    return frozenset(tax["cat"] for tax in case["tax_breakdown"] if tax["retained"])


def _taxes(case: Case, item: Mapping[str, Any]) -> list[Tax]:
    return [tax for tax in item["taxes"] if tax["cat"] not in _retained(case)]


def _refuse(case: Case) -> None:
    items = [*case["lines"], *case["document_allowances"], *case["document_charges"]]
    taxes = [_taxes(case, item) for item in items]
    if any(tax.get("surcharge") for found in taxes for tax in found):
        raise UnsaidError("a surcharge on the rate")
    if any(len(found) > 1 for found in taxes):
        raise UnsaidError("several taxes on one line")
    if case["rounding"] == "precise" and not all(_is_even(case, line) for line in case["lines"]):
        raise UnsaidError("sums of lines that are not rounded")


def _is_even(case: Case, line: Mapping[str, Any]) -> bool:
    exact = Decimal(line["quantity"]) * Decimal(line["unit_price"])
    quantum = Decimal(f"1E-{minor_units(case['currency'])}")
    parts = (exact, Decimal(line["allowance"]), Decimal(line["charge"]))
    return all(part % quantum == 0 for part in parts)


def _vat(case: Case, taxes: Sequence[Tax]) -> Vat:
    if not taxes:
        return UNTAXED
    (tax,) = taxes
    if tax.get("key") == "reverse-charge":
        return REVERSED
    if tax.get("percent") is None:
        return UNTAXED
    return taxed(tax["percent"], included=tax["cat"] == case["prices_include"])


def _line_pieces(case: Case, line: Mapping[str, Any]) -> tuple[Piece, ...]:
    vat = _vat(case, _taxes(case, line))
    extras = (-Decimal(line["allowance"]), Decimal(line["charge"]))
    main = Piece(Decimal(line["unit_price"]), vat, Decimal(line["quantity"]))
    return (main, *(Piece(extra, vat) for extra in extras if extra))


def _extra_pieces(case: Case, items: str, sign: int) -> Iterator[Piece]:
    for item in case[items]:
        yield Piece(sign * Decimal(item["amount"]), _vat(case, _taxes(case, item)))


def _sums(case: Case, lines: Sequence[tuple[Piece, ...]]) -> Iterator[Figure]:
    """Yield the total of each line and their sum, in prices as they are stated."""
    total = NOTHING
    for line, pieces in zip(case["lines"], lines, strict=True):
        untaxed = [Piece(piece.price, UNTAXED, piece.quantity) for piece in pieces]
        ours = charged(untaxed, case["currency"]).net
        total += ours
        yield f"line {line['id']}", Decimal(line["line_total"]), ours
    yield "sum", Decimal(case["totals"]["sum"]), total


def _groups(case: Case, bill: Charged) -> Iterator[Figure]:
    printed: dict[object, tuple[Vat, Decimal, Decimal]] = {}
    for tax in case["tax_breakdown"]:
        if tax["retained"]:
            continue
        for rate in tax["rates"]:
            vat = _vat(case, [{"cat": tax["cat"], **rate}])
            _, base, amount = printed.get(vat.category, (vat, NOTHING, NOTHING))
            base, amount = base + Decimal(rate["base"]), amount + Decimal(rate["tax"])
            printed[vat.category] = (vat, base, amount)
    for vat, base, amount in printed.values():
        yield f"{vat} tax", amount, bill.tax_of(vat)
        if vat.category != UNTAXED.category:
            yield f"{vat} base", base, bill.base_of(vat)


def _totals(case: Case, bill: Charged) -> Iterator[Figure]:
    stated = {name: Decimal(text) for name, text in case["totals"].items() if text is not None}
    payable = Amount(bill.gross, case["currency"])
    payable -= Amount(stated.get("retained_tax", NOTHING), case["currency"])
    payable += Amount(stated.get("rounding", NOTHING), case["currency"])
    ours = {
        "total": bill.net,
        "tax": bill.tax,
        "total_with_tax": bill.gross,
        "payable": payable.amount,
        "due": (payable - Amount(stated.get("advance", NOTHING), case["currency"])).amount,
    }
    for name, figure in ours.items():
        if name in stated:
            yield name, stated[name], figure
