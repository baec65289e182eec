"""Judging figures read from other systems' tests and manuals: prices with tax and without.

`check.agrees_with` names the conventions under which a figure comes out; the first one that we have
is taken:

- per group (Exclusive) and per group, tax rounded (Inclusive): our default.
- per line and per line, tax rounded: `vat_rounding="per_line"`.
- net rounded instead of tax (Inclusive): of an exact half, what the net gets is what the tax does
  not, so the tax is rounded with `half_down`, which says the same where prices are whole minor
  units.
- per unit, from unrounded lines, by the sum of nets: no policy says that.

A case without `check` states its discount or surcharge among the expected figures, where it is an
input: a discount of the document is shared out over the lines, a surcharge is untaxed.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import Amount, BillingPolicy
from rentbilling.values import share_out
from tests.outside.board import Case, Figure, Head, UnsaidError, Verdict, compared
from tests.outside.vat.billing import UNTAXED, Charged, Piece, charged, taxed

_CURRENCY: Final = "EUR"
_PLACES: Final = 2
_QUANTUM: Final = Decimal("0.01")
_POLICIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "per_group": {},
        "per_group_tax_rounded": {},
        "per_line": {"vat_rounding": "per_line"},
        "per_line_tax_rounded": {"vat_rounding": "per_line"},
        "per_group_net_rounded": {"rounding": "half_down"},
        "per_line_net_rounded": {"rounding": "half_down", "vat_rounding": "per_line"},
    }
)


def judge(case: Case, _head: Head) -> Verdict:
    _refuse(case)
    policy = _policy(case)
    lines = [_line_pieces(case, line) for line in case["lines"]]
    pieces = [piece for part in lines for piece in part] + _extras(case, lines)
    bill = charged(pieces, _CURRENCY, policy=policy)
    return compared(
        (*_totals(case["expected"], bill), *_groups(case, bill), *_lines(case, lines, policy))
    )


def _agrees_with(case: Case) -> list[str] | None:
    check = case.get("check")
    return None if check is None else list(check["agrees_with"])


def _refuse(case: Case) -> None:
    names = _agrees_with(case)
    if names is not None and not any(name in _POLICIES for name in names):
        named = (", ".join(names) or "none that is named").replace("_", " ")
        raise UnsaidError(f"{named}: the convention")
    if "rates" in case["expected"] or any("rate" not in line for line in case["lines"]):
        raise UnsaidError("several taxes on one line")
    if names is None and _is_short(case):
        raise UnsaidError("a discount that is stated in words only")


def _is_short(case: Case) -> bool:
    """Return whether the prices do not add up to what they lead to, by more than rounding."""
    expected = case["expected"].get("gross" if case["price_includes_tax"] else "net")
    if expected is None:
        return False
    stated = sum((_price(line) for line in case["lines"]), _stated(case, "surcharge_untaxed"))
    stated -= _stated(case, "document_discount")
    return abs(stated - Decimal(expected)) > _QUANTUM * len(case["lines"])


def _price(line: Mapping[str, Any]) -> Decimal:
    discount = Decimal(line.get("discount", "0"))
    return Decimal(line["quantity"]) * Decimal(line["unit_price"]) - discount


def _stated(case: Case, name: str) -> Decimal:
    return Decimal(case["expected"].get(name, "0"))


def _policy(case: Case) -> BillingPolicy:
    names = [name for name in _agrees_with(case) or ["per_group"] if name in _POLICIES]
    places = int(case.get("places", _PLACES))
    return BillingPolicy(currencies={_CURRENCY: places}, **_POLICIES[names[0]])


def _line_pieces(case: Case, line: Mapping[str, Any]) -> tuple[Piece, ...]:
    vat = taxed(line["rate"], included=case["price_includes_tax"])
    main = Piece(Decimal(line["unit_price"]), vat, Decimal(line["quantity"]))
    discount = Decimal(line.get("discount", "0"))
    return (main, Piece(-discount, vat)) if discount else (main,)


def _extras(case: Case, lines: Sequence[tuple[Piece, ...]]) -> list[Piece]:
    """Return the discount of the document, shared out over its lines, and its surcharge."""
    pieces: list[Piece] = []
    discount, surcharge = _stated(case, "document_discount"), _stated(case, "surcharge_untaxed")
    if discount:
        weights = [_price(line) for line in case["lines"]]
        shares = share_out(Amount(discount, _CURRENCY), weights)
        pieces += [
            Piece(-share.amount, part[0].vat) for share, part in zip(shares, lines, strict=True)
        ]
    if surcharge:
        pieces.append(Piece(surcharge, UNTAXED))
    return pieces


def _totals(expected: Case, bill: Charged, of: str = "") -> Iterator[Figure]:
    for name, ours in (("net", bill.net), ("tax", bill.tax), ("gross", bill.gross)):
        if name in expected:
            yield f"{of}{name}", Decimal(expected[name]), ours


def _groups(case: Case, bill: Charged) -> Iterator[Figure]:
    for group in case["expected"].get("groups", ()):
        vat = taxed(group["rate"], included=case["price_includes_tax"])
        yield f"base at {group['rate']}", Decimal(group["base"]), bill.base_of(vat)
        yield f"tax at {group['rate']}", Decimal(group["tax"]), bill.tax_of(vat)


def _lines(
    case: Case, lines: Sequence[tuple[Piece, ...]], policy: BillingPolicy
) -> Iterator[Figure]:
    expected = case["expected"]
    taxes = [{"tax": text} for text in expected.get("line_taxes", ())]
    for place, line in enumerate(expected.get("lines", taxes)):
        bill = charged(lines[place], _CURRENCY, policy=policy)
        yield from _totals(line, bill, f"line {place + 1} ")
