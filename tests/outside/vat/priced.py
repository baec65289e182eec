"""Judging priced lines of other systems: their tests, example documents, and manuals.

*Tests of an accounting system.* `round_per_line` is our `vat_rounding="per_line"`,
`round_globally` our `per_rate`. A computation under `round_globally` is printed before it is
rounded; it is computed in a currency with as many minor units as are printed. `precision` is the
quantum of the currency. A discount in percent comes off the unit price before everything else.
A reverse charge is printed as a tax and its counterpart, which is our VAT of nothing.

*Example documents.* `prices_include` names the tax that is inside the prices; lines with another
tax, or none, are then untaxed. A key without a percentage charges nothing. `rounding: currency`
rounds every line, as we do; `precise` rounds sums only, which says the same where every line comes
out even. A retained tax is taken off what is paid, not off the bill.

*Figures of tests and manuals.* `check.agrees_with` names the conventions under which a figure comes
out; the first one that we have is taken (`_POLICIES`). Of an exact half, what a rounded net gets is
what the tax does not, so the tax is rounded with `half_down`. A case without `check` states its
discount or surcharge among the expected figures: a discount of the document is shared out over the
lines, a surcharge is untaxed.

A tax is expressible when a line has at most one and it is a percentage.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import Amount, BillingPolicy, Vat
from rentbilling.values import minor_units, share_out
from tests.outside.board import Case, Figure, Head, UnsaidError, Verdict, compared
from tests.outside.vat.billing import (
    NOTHING,
    REVERSED,
    UNTAXED,
    Charged,
    Piece,
    charged,
    taxed,
    with_extras,
)

Given = Mapping[str, Any]

_CURRENCY: Final = "EUR"
"""Of cases that name none."""
_SEVERAL: Final = "several taxes on one line"


def _sums(bill: Charged) -> tuple[tuple[str, Decimal], ...]:
    return ("net", bill.net), ("tax", bill.tax), ("gross", bill.gross)


# --------------------------------------------------------------- tests of an accounting system

_MOST_PLACES: Final = 8
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "global_discount": "a discount on the document",
        "line_details": "differences spread over the lines",
    }
)


def judge_tests(case: Case, _head: Head) -> Verdict:
    _refuse_taxes(case)
    pieces = [_taxed_piece(line) for line in case["lines"]]
    bill = charged(pieces, _CURRENCY, policy=_tests_policy(case))
    expected = case["expected"]
    figures: list[Figure] = [(name, Decimal(expected[name]), ours) for name, ours in _sums(bill)]
    groups = _tax_groups(case["lines"], pieces, bill)
    printed = sorted(
        (Decimal(group["base"]), Decimal(group["tax"]))
        for group in expected.get("groups", expected.get("taxes", ()))
    )
    if groups is not None:
        figures.append(("groups", printed, groups))
    return compared(figures)


def _refuse_taxes(case: Case) -> None:
    taxes = [tax for line in case["lines"] for tax in line["taxes"]]
    for tax in taxes:
        if tax["type"] != "percent":
            raise UnsaidError(f"{tax['type']} tax")
    if any(len(line["taxes"]) > 1 for line in case["lines"]):
        stacked = any(tax["include_base_amount"] for tax in taxes)
        raise UnsaidError("stacked taxes" if stacked else _SEVERAL)
    if any(Decimal(tax["amount"]) < 0 for tax in taxes):
        raise UnsaidError("a tax below zero")
    if case.get("cash_rounding"):
        raise UnsaidError("cash rounding on a line of its own")
    if case["kind"] in _KINDS:
        raise UnsaidError(_KINDS[case["kind"]])


def _taxed_piece(line: Given) -> Piece:
    left = (100 - Decimal(line["discount_percent"])) / 100
    price, vat = Decimal(line["unit_price"]) * left, UNTAXED
    if line["taxes"]:
        (tax,) = line["taxes"]
        vat = REVERSED
        if not tax["reverse_charge"]:
            vat = taxed(tax["amount"], included=tax["price_include"])
    return Piece(price, vat, Decimal(line["quantity"]))


def _tests_policy(case: Case) -> BillingPolicy:
    per_line = case["rounding_method"] == "round_per_line"
    places = _decimals(case["precision"])
    if case["kind"] == "computation" and not per_line:
        places = max([places, *(_decimals(text) for text in _printed(case["expected"]))])
    return BillingPolicy(
        currencies={_CURRENCY: min(places, _MOST_PLACES)},
        vat_rounding="per_line" if per_line else "per_rate",
    )


def _printed(expected: Given) -> Iterator[str]:
    for figure in expected.values():
        if isinstance(figure, str):
            yield figure
        else:
            for group in figure:
                yield from group.values()


def _decimals(text: str) -> int:
    exponent = Decimal(text).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _tax_groups(
    lines: Sequence[Given], pieces: Sequence[Piece], bill: Charged
) -> list[tuple[Decimal, Decimal]] | None:
    """Return base and VAT of each tax group, in order of size.

    None where our groups do not distinguish them: where two groups share a rate, and where a tax is
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


# --------------------------------------------------------------------------- example documents


def judge_example(case: Case, _head: Head) -> Verdict:
    _refuse_example(case)
    lines = [_example_line(case, line) for line in case["lines"]]
    extras = [
        Piece(sign * Decimal(item["amount"]), _example_vat(case, _taxes(case, item)))
        for name, sign in (("document_allowances", -1), ("document_charges", 1))
        for item in case[name]
    ]
    bill = charged([piece for part in lines for piece in part] + extras, case["currency"])
    return compared(
        (*_line_totals(case, lines), *_example_groups(case, bill), *_example_totals(case, bill))
    )


def _taxes(case: Case, item: Given) -> list[Given]:
    retained = {tax["cat"] for tax in case["tax_breakdown"] if tax["retained"]}
    return [tax for tax in item["taxes"] if tax["cat"] not in retained]


def _refuse_example(case: Case) -> None:
    items = [*case["lines"], *case["document_allowances"], *case["document_charges"]]
    taxes = [_taxes(case, item) for item in items]
    if any(tax.get("surcharge") for found in taxes for tax in found):
        raise UnsaidError("a surcharge on the rate")
    if any(len(found) > 1 for found in taxes):
        raise UnsaidError(_SEVERAL)
    if case["rounding"] == "precise" and not all(_is_even(case, line) for line in case["lines"]):
        raise UnsaidError("sums of lines that are not rounded")


def _is_even(case: Case, line: Given) -> bool:
    exact = Decimal(line["quantity"]) * Decimal(line["unit_price"])
    quantum = Decimal(f"1E-{minor_units(case['currency'])}")
    parts = (exact, Decimal(line["allowance"]), Decimal(line["charge"]))
    return all(part % quantum == 0 for part in parts)


def _example_vat(case: Case, taxes: Sequence[Given]) -> Vat:
    if not taxes:
        return UNTAXED
    (tax,) = taxes
    if tax.get("key") == "reverse-charge":
        return REVERSED
    if tax.get("percent") is None:
        return UNTAXED
    return taxed(tax["percent"], included=tax["cat"] == case["prices_include"])


def _example_line(case: Case, line: Given) -> tuple[Piece, ...]:
    vat = _example_vat(case, _taxes(case, line))
    extras = (-Decimal(line["allowance"]), Decimal(line["charge"]))
    return with_extras(Piece(Decimal(line["unit_price"]), vat, Decimal(line["quantity"])), *extras)


def _line_totals(case: Case, lines: Sequence[tuple[Piece, ...]]) -> Iterator[Figure]:
    """Yield the total of each line and their sum, in prices as they are stated."""
    total = NOTHING
    for line, pieces in zip(case["lines"], lines, strict=True):
        untaxed = [Piece(piece.price, UNTAXED, piece.quantity) for piece in pieces]
        ours = charged(untaxed, case["currency"]).net
        total += ours
        yield f"line {line['id']}", Decimal(line["line_total"]), ours
    yield "sum", Decimal(case["totals"]["sum"]), total


def _example_groups(case: Case, bill: Charged) -> Iterator[Figure]:
    printed: dict[object, tuple[Vat, Decimal, Decimal]] = {}
    for tax in case["tax_breakdown"]:
        if tax["retained"]:
            continue
        for rate in tax["rates"]:
            vat = _example_vat(case, [{"cat": tax["cat"], **rate}])
            _, base, amount = printed.get(vat.category, (vat, NOTHING, NOTHING))
            base, amount = base + Decimal(rate["base"]), amount + Decimal(rate["tax"])
            printed[vat.category] = (vat, base, amount)
    for vat, base, amount in printed.values():
        yield f"{vat} tax", amount, bill.tax_of(vat)
        if vat.category != UNTAXED.category:
            yield f"{vat} base", base, bill.base_of(vat)


def _example_totals(case: Case, bill: Charged) -> Iterator[Figure]:
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


# ------------------------------------------------------------------ figures of tests and manuals

_PLACES: Final = 2
_QUANTUM: Final = Decimal("0.01")
_POLICIES: Mapping[str, Given] = MappingProxyType(
    {
        "per_group": {},
        "per_group_tax_rounded": {},
        "per_line": {"vat_rounding": "per_line"},
        "per_line_tax_rounded": {"vat_rounding": "per_line"},
        "per_group_net_rounded": {"rounding": "half_down"},
        "per_line_net_rounded": {"rounding": "half_down", "vat_rounding": "per_line"},
    }
)


def judge_figures(case: Case, _head: Head) -> Verdict:
    _refuse_figures(case)
    policy = _figures_policy(case)
    lines = [_line_pieces(case, line) for line in case["lines"]]
    pieces = [piece for part in lines for piece in part] + _document_extras(case, lines)
    bill = charged(pieces, _CURRENCY, policy=policy)
    expected = case["expected"]
    return compared(
        (*_stated_sums(expected, bill), *_groups(case, bill), *_lines(expected, lines, policy))
    )


def _agrees_with(case: Case) -> list[str] | None:
    check = case.get("check")
    return None if check is None else list(check["agrees_with"])


def _refuse_figures(case: Case) -> None:
    names = _agrees_with(case)
    if names is not None and not any(name in _POLICIES for name in names):
        named = (", ".join(names) or "none that is named").replace("_", " ")
        raise UnsaidError(f"{named}: the convention")
    if "rates" in case["expected"] or any("rate" not in line for line in case["lines"]):
        raise UnsaidError(_SEVERAL)
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


def _price(line: Given) -> Decimal:
    discount = Decimal(line.get("discount", "0"))
    return Decimal(line["quantity"]) * Decimal(line["unit_price"]) - discount


def _stated(case: Case, name: str) -> Decimal:
    return Decimal(case["expected"].get(name, "0"))


def _figures_policy(case: Case) -> BillingPolicy:
    names = [name for name in _agrees_with(case) or ["per_group"] if name in _POLICIES]
    places = int(case.get("places", _PLACES))
    return BillingPolicy(currencies={_CURRENCY: places}, **_POLICIES[names[0]])


def _line_pieces(case: Case, line: Given) -> tuple[Piece, ...]:
    vat = taxed(line["rate"], included=case["price_includes_tax"])
    main = Piece(Decimal(line["unit_price"]), vat, Decimal(line["quantity"]))
    return with_extras(main, -Decimal(line.get("discount", "0")))


def _document_extras(case: Case, lines: Sequence[tuple[Piece, ...]]) -> list[Piece]:
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


def _stated_sums(expected: Case, bill: Charged, of: str = "") -> Iterator[Figure]:
    for name, ours in _sums(bill):
        if name in expected:
            yield f"{of}{name}", Decimal(expected[name]), ours


def _groups(case: Case, bill: Charged) -> Iterator[Figure]:
    for group in case["expected"].get("groups", ()):
        vat = taxed(group["rate"], included=case["price_includes_tax"])
        yield f"base at {group['rate']}", Decimal(group["base"]), bill.base_of(vat)
        yield f"tax at {group['rate']}", Decimal(group["tax"]), bill.tax_of(vat)


def _lines(
    expected: Given, lines: Sequence[tuple[Piece, ...]], policy: BillingPolicy
) -> Iterator[Figure]:
    taxes = [{"tax": text} for text in expected.get("line_taxes", ())]
    for place, line in enumerate(expected.get("lines", taxes)):
        bill = charged(lines[place], _CURRENCY, policy=policy)
        yield from _stated_sums(line, bill, f"line {place + 1} ")
