"""Judging the tax tests of an accounting system: lines with taxes, and the sums they lead to.

`round_per_line` is our `vat_rounding="per_line"`, `round_globally` our `per_rate`. A computation
under `round_globally` is printed before it is rounded, with six decimals or a few more; it is
computed in a currency with as many minor units as are printed. `precision` is the quantum of the
currency. A discount in percent comes off the unit price before everything else.
A tax is expressible when a line has at most one and it is a percentage: taxes of a fixed amount,
taxes divided out of the price, taxes on taxes and several taxes on a line are other models.
A reverse charge is printed as a tax and its counterpart, which is our VAT of nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import BillingPolicy, Vat
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.vat.billing import NOTHING, REVERSED, UNTAXED, Charged, Piece, charged, taxed

_CURRENCY: Final = "EUR"
_MOST_PLACES: Final = 8
_HUNDRED: Final = Decimal(100)
_KINDS = MappingProxyType(
    {
        "global_discount": "a discount on the document",
        "line_details": "differences spread over the lines",
    }
)


def judge(case: Case, head: Head) -> Verdict:
    del head
    unsaid = _unsaid(case)
    if unsaid:
        return not_expressible(unsaid)
    pieces = [_piece(line) for line in case["lines"]]
    bill = charged(pieces, _CURRENCY, policy=_policy(case))
    expected = case["expected"]
    ours = {"net": bill.net, "tax": bill.tax, "gross": bill.gross}
    for name, figure in ours.items():
        if Decimal(expected[name]) != figure:
            return failed(f"{name}: expected {expected[name]}, got {figure}")
    groups = _groups(case["lines"], pieces, bill)
    printed = sorted(
        (Decimal(group["base"]), Decimal(group["tax"]))
        for group in expected.get("groups", expected.get("taxes", ()))
    )
    if groups is not None and printed != groups:
        return failed(f"groups: expected {printed}, got {groups}")
    return PASSED


def _unsaid(case: Case) -> str:
    """Return what a test asks for that the model cannot say, or nothing."""
    taxes = [tax for line in case["lines"] for tax in line["taxes"]]
    kinds = [tax["type"] for tax in taxes if tax["type"] != "percent"]
    if kinds:
        return f"{kinds[0]} tax"
    if any(len(line["taxes"]) > 1 for line in case["lines"]):
        stacked = any(tax["include_base_amount"] for tax in taxes)
        return "stacked taxes" if stacked else "several taxes on one line"
    if any(Decimal(tax["amount"]) < 0 for tax in taxes):
        return "a tax below zero"
    if case.get("cash_rounding"):
        return "cash rounding on a line of its own"
    return _KINDS.get(case["kind"], "")


def _piece(line: Mapping[str, Any]) -> Piece:
    left = (_HUNDRED - Decimal(line["discount_percent"])) / _HUNDRED
    return Piece(Decimal(line["unit_price"]) * left, _vat(line), Decimal(line["quantity"]))


def _vat(line: Mapping[str, Any]) -> Vat:
    if not line["taxes"]:
        return UNTAXED
    (tax,) = line["taxes"]
    if tax["reverse_charge"]:
        return REVERSED
    return taxed(tax["amount"], included=tax["price_include"])


def _policy(case: Case) -> BillingPolicy:
    per_line = case["rounding_method"] == "round_per_line"
    places = _decimals(case["precision"])
    if case["kind"] == "computation" and not per_line:
        places = max([places, *(_decimals(text) for text in _printed(case["expected"]))])
    return BillingPolicy(
        currencies={_CURRENCY: min(places, _MOST_PLACES)},
        vat_rounding="per_line" if per_line else "per_rate",
    )


def _printed(expected: Mapping[str, Any]) -> Iterator[str]:
    for figure in expected.values():
        if isinstance(figure, str):
            yield figure
        else:
            for group in figure:
                yield from group.values()


def _decimals(text: str) -> int:
    exponent = Decimal(text).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _groups(
    lines: Sequence[Mapping[str, Any]], pieces: Sequence[Piece], bill: Charged
) -> list[tuple[Decimal, Decimal]] | None:
    """Return base and VAT of each tax group, in order of size.

    None where our groups cannot tell them apart: where two groups share a rate, and where a tax is
    printed with its counterpart.
    """
    bases: dict[object, Decimal] = {}
    vats: dict[object, dict[object, Vat]] = {}
    for line, piece, net in zip(lines, pieces, bill.nets, strict=True):
        for tax in line["taxes"]:
            bases[tax["group"]] = bases.get(tax["group"], NOTHING) + net
            vats.setdefault(tax["group"], {})[piece.vat.category] = piece.vat
    rates = [category for found in vats.values() for category in found]
    if len(rates) != len(set(rates)) or REVERSED.category in rates:
        return None
    return sorted(
        (bases[group], sum((bill.tax_of(vat) for vat in found.values()), NOTHING))
        for group, found in vats.items()
    )
