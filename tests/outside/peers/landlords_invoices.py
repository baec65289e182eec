"""Invoices of landlords' peers and pages: totals, VAT and amounts shared out.

Law: nets, VAT and totals are those of a bill, shares those of `share_out`; what a peer keeps
unrounded comes from a bill with more minor units, rounded by the library at the end.
What does not live here: what a part of a period costs (`landlords_parts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import (
    Amount,
    BillingPolicy,
    Discount,
    RecurringBillItem,
    Vat,
    pending_bills,
    rounded,
    share_out,
)
from rentbilling.errors import InvalidDiscountError
from tests.outside.board import Case, Verdict, failed, held_against, not_expressible
from tests.outside.peers.landlords_terms import (
    CALENDAR_MONTH,
    CENTS,
    CURRENCY,
    HUNDRED,
    NOTHING,
    UNROUNDED,
    UNTAXED,
    agrees,
    all_of,
    day_of,
    open_run,
    period_with,
    rent,
)
from tests.outside.vat.billing import Piece, charged, taxed

PER_LINE = BillingPolicy(vat_rounding="per_line")
NET_FIRST = BillingPolicy(rounding="half_down")
"""Whoever rounds the net of a gross half up rounds its VAT, which is the rest, half down."""

_MOST_PLACES = 8
_TWO_TAXES = "two taxes on one line"


# --- Invoice Ninja --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an invoice, as pieces before and after the invoice's own discount."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


def ninja_invoice_total(case: Case) -> Verdict:
    """Judge an invoice with discounts on its lines and on itself, its VAT rounded for each line."""
    given = case["input"]
    if any(len(line["tax_rates"]) > 1 for line in given["lines"]):
        return not_expressible(_TWO_TAXES)
    included = bool(given["prices_include_tax"])
    before = [_ninja_pieces(line, included=included) for line in given["lines"]]
    lines = _less_document_discount(before, given["document_discount"], included=included)
    taxes = sum((rounded(_bill(line.after).tax, CENTS) for line in lines), NOTHING)
    sums = [_price(line.before, included=included) for line in lines]
    paid = sum((_price(line.after, included=included) for line in lines), NOTHING)
    answer = {
        "line_total": sums[0] if sums else NOTHING,
        "sub_total": sum(sums, NOTHING),
        "total_taxes": taxes,
        "amount": paid if included else paid + taxes,
    }
    return all_of(
        held_against(Decimal(stated), rounded(answer[name], CENTS), what=name)
        for name, stated in case["expected"].items()
    )


def _bill(pieces: Sequence[Piece]) -> Any:  # noqa: ANN401
    return charged(pieces, CURRENCY, policy=UNROUNDED)


def _price(pieces: Sequence[Piece], *, included: bool) -> Decimal:
    bill = _bill(pieces)
    amount: Decimal = bill.gross if included else bill.net
    return amount


def _ninja_pieces(line: Mapping[str, Any], *, included: bool) -> tuple[Piece, ...]:
    """Return a line as its price times quantity, and its own discount as a piece below zero."""
    rates = line["tax_rates"]
    vat = taxed(rates[0], included=included) if rates else UNTAXED
    price, quantity = Decimal(line["unit_price"]), Decimal(line["quantity"])
    discount = Decimal(line["discount"])
    if line["discount_type"] == "percent":
        less = Piece(-price, vat, quantity * discount / HUNDRED)
    else:
        # The peer's own figures have more digits than a price can have here.
        less = Piece(-rounded(discount, _MOST_PLACES), vat)
    return (Piece(price, vat, quantity), less)


def _less_document_discount(
    lines: Sequence[tuple[Piece, ...]], stated: Mapping[str, Any], *, included: bool
) -> list[Line]:
    """Return the lines less the invoice's discount: a percentage of each, or parts of an amount."""
    value = Decimal(stated["value"])
    if stated["type"] == "percent":
        return [
            Line(pieces, pieces + tuple(_times(piece, -value / HUNDRED) for piece in pieces))
            for pieces in lines
        ]
    weights = [abs(_price(pieces, included=included)) for pieces in lines]
    if not any(weights):
        return [Line(pieces, pieces) for pieces in lines]
    parts = share_out(Amount(value, CURRENCY), weights, currencies=UNROUNDED.currencies)
    return [
        Line(pieces, (*pieces, Piece(-part.amount, pieces[0].vat)))
        for pieces, part in zip(lines, parts, strict=True)
    ]


def _times(piece: Piece, factor: Decimal) -> Piece:
    return Piece(piece.price, piece.vat, piece.quantity * factor)


def ninja_cash_rounding(case: Case) -> Verdict:
    """Judge what is to pay when totals are rounded to what coins there are."""
    given = case["input"]
    policy = BillingPolicy(cash_rounding={CURRENCY: Decimal(given["round_total_to"])})
    pieces = [
        Piece(Decimal(line["cost"]), UNTAXED, Decimal(line["quantity"])) for line in given["lines"]
    ]
    bill = charged(pieces, CURRENCY, policy=policy).bill
    payable = bill.payable.amount if bill else NOTHING
    return all_of(agrees(stated, payable, what=name) for name, stated in case["expected"].items())


# --- MicroRealEstate ------------------------------------------------------------------------------


def microrealestate_invoice_total(case: Case) -> Verdict:
    """Judge the bill of a month: rents and charges of the items in force, less one discount."""
    given = case["input"]
    month = period_with(day_of(f"{given['month']}-01"), CALENDAR_MONTH)
    rate = given.get("vat_rate")
    vat = Vat("Exclusive", Decimal(rate)) if rate else UNTAXED
    discount = Decimal(given.get("discount") or 0)
    items: list[RecurringBillItem] = []
    for item in given["items"]:
        term = open_run(item["entry"], item["exit"])
        if not term.overlaps(month):
            continue
        less = {} if items or not discount else {"discount": _amount_off(discount)}
        try:
            items.append(rent(Decimal(item["rent"]), CALENDAR_MONTH, month.start, vat=vat, **less))
        except InvalidDiscountError:
            return not_expressible("a discount above the price is refused when it is made (A22)")
        items.append(rent(Decimal(item.get("charges") or 0), CALENDAR_MONTH, month.start, vat=vat))
    bills = pending_bills(items, month) if items else ()
    total = sum((bill.total.amount for bill in bills), NOTHING)
    return agrees(case["expected"]["grand_total"], total, what="grand total")


def _amount_off(amount: Decimal) -> Discount:
    return Discount(amount=Amount(amount, CURRENCY))


# --- VAT of single figures and of a few lines -----------------------------------------------------


def single_vat(case: Case) -> Verdict:
    """Judge the VAT of one figure, on top of it or inside it; either it or the net is rounded."""
    given = case["input"]
    rate = given.get("rate_percent") or given["vat_percent"]
    included = given.get("mode") == "inclusive"
    piece = Piece(Decimal(given["gross" if included else "net"]), taxed(rate, included=included))
    policy = NET_FIRST if given.get("round") == "net" else BillingPolicy()
    bill = charged([piece], CURRENCY, policy=policy)
    answer = {"net": bill.net, "vat": bill.tax, "gross": bill.gross}
    return all_of(
        agrees(stated, answer[name], what=name) for name, stated in case["expected"].items()
    )


def _page_piece(line: Mapping[str, Any]) -> Piece:
    included = "unit_gross" in line
    less = Decimal(line.get("discount_percent") or 0) / HUNDRED
    return Piece(
        Decimal(line["unit_gross" if included else "unit"]),
        taxed(line["rate_percent"], included=included),
        Decimal(line["qty"]) * (1 - less),
    )


def pages_vat_rounding(case: Case) -> Verdict:
    """Judge lines with VAT under each of the roundings that the page compares."""
    pieces = [_page_piece(line) for line in case["input"]["lines"]]
    verdicts = []
    for name, stated in case["expected"].items():
        if name == "vat_totals":
            verdicts.append(_held_vat_totals(stated, pieces))
            continue
        figures = {name: stated} if isinstance(stated, str) else stated
        for part, figure in figures.items():
            ours = _page_figure(name, part, pieces)
            if ours is None:
                return failed(f"no judge for {name}")
            verdicts.append(agrees(figure, ours, what=f"{name} {part}"))
    return all_of(verdicts)


def _page_figure(name: str, part: str, pieces: Sequence[Piece]) -> Decimal | None:
    per_line = charged(pieces, CURRENCY, policy=PER_LINE)
    per_rate = charged(pieces, CURRENCY)
    if name == "per_line":
        return {"net": per_line.net, "vat": per_line.tax, "total": per_line.gross}.get(part)
    if name == "unrounded_until_total":
        bill = _bill(pieces)
        exact = {"net": bill.net, "vat": bill.tax, "total": bill.gross}.get(part)
        return None if exact is None else rounded(exact, CENTS)
    if name == "unit_rounding_total":
        return charged([_unit_gross(piece) for piece in pieces], CURRENCY).gross
    if name == "vat_unit_rounded":
        return charged([_unit_vat(piece) for piece in pieces], CURRENCY).net
    return {
        "vat_per_line_sum": per_line.tax,
        "vat_per_rate": per_rate.tax,
        "vat_total": per_rate.tax,
        "line_rounding_total": per_line.gross,
        "vat": per_rate.tax,
        "net": per_rate.net,
        "total": per_rate.gross,
        "gross": per_rate.gross,
    }.get(name)


def _unit_gross(piece: Piece) -> Piece:
    """Return the same number of units, each at its own rounded price with VAT."""
    unit = charged([Piece(piece.price, piece.vat)], CURRENCY).gross
    return Piece(unit, UNTAXED, piece.quantity)


def _unit_vat(piece: Piece) -> Piece:
    unit = charged([Piece(piece.price, piece.vat)], CURRENCY).tax
    return Piece(unit, UNTAXED, piece.quantity)


def _held_vat_totals(stated: Sequence[Mapping[str, Any]], pieces: Sequence[Piece]) -> Verdict:
    bill = charged(pieces, CURRENCY)
    return all_of(
        agrees(entry[name], ours, what=f"{name} at {entry['rate_percent']} %")
        for entry in stated
        for vat in [taxed(entry["rate_percent"])]
        for name, ours in (("net", bill.base_of(vat)), ("vat", bill.tax_of(vat)))
        if name in entry
    )


def estatio_vat_rounding(case: Case) -> Verdict:
    """Judge VAT by rate, how far the lines' own VAT is from it, and the VAT handed to each line."""
    items, expected = case["input"]["items"], case["expected"]
    pieces = [Piece(Decimal(item["net"]), taxed(item["rate"])) for item in items]
    per_rate = charged(pieces, CURRENCY)
    verdicts = [
        agrees(stated, per_rate.tax_of(taxed(rate)), what=f"VAT at {rate} %")
        for rate, stated in expected.get("vat_total_by_rate", {}).items()
    ]
    if "delta" in expected:
        lines = charged(pieces, CURRENCY, policy=PER_LINE).tax
        verdicts.append(agrees(expected["delta"], lines - per_rate.tax, what="delta"))
    if "corrected_line_vat" in expected:
        nets = [abs(Decimal(item["net"])) for item in items]
        total = Amount(per_rate.tax, CURRENCY)
        shared = share_out(total, nets, method="largest_remainder")
        stated = [Decimal(each) for each in expected["corrected_line_vat"]]
        verdicts.append(held_against(stated, [each.amount for each in shared], what="line VAT"))
    return all_of(verdicts)


def tentman_credit(case: Case) -> Verdict:
    """Judge the VAT in a credit of part of a line: a price below zero, its VAT inside it."""
    line = case["input"]["line"]
    rate = Decimal(line["vat"]) / Decimal(line["net"])
    piece = Piece(-Decimal(case["input"]["credit_gross"]), Vat("Inclusive", rate))
    bill = charged([piece], CURRENCY)
    answer = {"vat": bill.tax, "gross": bill.gross, "net": bill.net}
    return all_of(
        agrees(stated, answer[name], what=name) for name, stated in case["expected"].items()
    )


# --- Amounts shared out ---------------------------------------------------------------------------


def pages_rounding_allocation(case: Case) -> Verdict:
    """Judge an amount shared out by weights, under each rule that the page names."""
    given = case["input"]
    methods: dict[str, Any] = {"shares": "largest_remainder", "first_in_list": "first"}
    stated_weights = given["weights"]
    if not isinstance(stated_weights, Mapping):
        stated_weights = dict(enumerate(stated_weights))
    names, weights = list(stated_weights), [Decimal(each) for each in stated_weights.values()]
    verdicts = []
    for rule, stated in case["expected"].items():
        if rule not in methods:
            return failed(f"no judge for {rule}")
        parts = share_out(Amount(Decimal(given["amount"]), CURRENCY), weights, method=methods[rule])
        ours = {name: part.amount for name, part in zip(names, parts, strict=True)}
        figures = stated if isinstance(stated, Mapping) else dict(enumerate(stated))
        expected = {name: Decimal(each) for name, each in figures.items()}
        verdicts.append(held_against(expected, ours, what=rule))
    return all_of(verdicts)


def mvj_rounding_allocation(case: Case) -> Verdict:
    """Judge an amount split by shares, or the sum of a year's bills, which loses no cent."""
    given = case["input"]
    if "shares" in given:
        amount = Amount(Decimal(given["amount"]), CURRENCY)
        weights = [Fraction(share) for share in given["shares"]]
        rest = 1 - sum(weights)
        parts = share_out(amount, [*weights, rest] if rest > 0 else weights)
        stated = [Decimal(each) for each in case["expected"]["amounts"]]
        ours = [part.amount for part in parts[: len(weights)]]
        return held_against(stated, ours, what="amounts")
    months = [1] * int(given["billing_periods_per_year"])
    bills = [
        bill.amount
        for text in given["rents_per_year"]
        for bill in share_out(Amount(Decimal(text.partition(" ")[0]), CURRENCY), months)
    ]
    return agrees(case["expected"]["sum_of_all_bills"], sum(bills, NOTHING))
