"""Invoice Ninja: totals with discounts, cash rounding, and due dates on a day of the month."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from rentbilling import BillingCycle, BillingPolicy
from rentbilling.values import rounded, share_out
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near
from tests.outside.vat.billing import Piece, charged, taxed

_MOST_PLACES: Final = 8
Line = tuple[Piece, ...]


def invoice_total(given: Asked) -> Figures:
    """Answer an invoice with discounts on its lines and on itself, its VAT rounded for each line.

    Figures are not rounded to cents before the end.
    """
    if any(len(line["tax_rates"]) > 1 for line in given["lines"]):
        raise UnsaidError("two taxes on one line")
    included = bool(given["prices_include_tax"])
    before = [_pieces(line, included=included) for line in given["lines"]]
    after = _less_document_discount(before, given["document_discount"], included=included)
    taxes = sum((rounded(_bill(line).tax, rents.CENTS) for line in after), rents.NOTHING)
    sums = [_price(line, included=included) for line in before]
    paid = sum((_price(line, included=included) for line in after), rents.NOTHING)
    figures = {
        "line_total": sums[0] if sums else rents.NOTHING,
        "sub_total": sum(sums, rents.NOTHING),
        "total_taxes": taxes,
        "amount": paid if included else paid + taxes,
    }
    return {name: rounded(figure, rents.CENTS) for name, figure in figures.items()}


def _bill(line: Line) -> Any:  # noqa: ANN401
    return charged(line, rents.CURRENCY, policy=rents.UNROUNDED)


def _price(line: Line, *, included: bool) -> Decimal:
    amount: Decimal = _bill(line).gross if included else _bill(line).net
    return amount


def _pieces(line: Mapping[str, Any], *, included: bool) -> Line:
    """Return a line as its price times quantity, and its own discount as a piece below zero."""
    rates = line["tax_rates"]
    vat = taxed(rates[0], included=included) if rates else rents.UNTAXED
    price, quantity = Decimal(line["unit_price"]), Decimal(line["quantity"])
    discount = Decimal(line["discount"])
    if line["discount_type"] == "percent":
        less = Piece(-price, vat, quantity * discount / rents.HUNDRED)
    else:
        # Figures of the system have more digits than a price can have here.
        less = Piece(-rounded(discount, _MOST_PLACES), vat)
    return (Piece(price, vat, quantity), less)


def _less_document_discount(
    lines: Sequence[Line], stated: Mapping[str, Any], *, included: bool
) -> Sequence[Line]:
    """Return the lines less the invoice's discount: a percentage of each, or parts of an amount."""
    value = Decimal(stated["value"])
    if stated["type"] == "percent":
        share = -value / rents.HUNDRED
        return [
            line + tuple(Piece(piece.price, piece.vat, piece.quantity * share) for piece in line)
            for line in lines
        ]
    weights = [abs(_price(line, included=included)) for line in lines]
    if not any(weights):
        return lines
    parts = share_out(rents.money(value), weights, currencies=rents.UNROUNDED.currencies)
    return [
        (*line, Piece(-part.amount, line[0].vat)) for line, part in zip(lines, parts, strict=True)
    ]


def cash_rounding(given: Asked) -> Figures:
    policy = BillingPolicy(cash_rounding={rents.CURRENCY: Decimal(given["round_total_to"])})
    pieces = [
        Piece(Decimal(line["cost"]), rents.UNTAXED, Decimal(line["quantity"]))
        for line in given["lines"]
    ]
    bill = charged(pieces, rents.CURRENCY, policy=policy).bill
    payable = Near(bill.payable.amount if bill else rents.NOTHING)
    return dict.fromkeys(given.expected, payable)


def due_on_a_day(given: Asked) -> Figures:
    """Answer the due date of a rule: a numbered, the first or the last day of a month after a date.

    Each is the first day of the next monthly cycle that begins on that day of the month.
    """
    rule, day = given["rule"], days.of(given["date"])
    if rule.startswith("day-of-month"):
        start_day = int(given["day"])
    elif rule.startswith(("first day of month", "last day of month")):
        start_day = 1 if rule.startswith("first") else 31
    else:
        raise MismatchError(f"no answer for the rule {rule!r}")
    following = days.first(BillingCycle(start_day=start_day), days.after(day))
    return {"due_date": following.start}
