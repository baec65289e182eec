"""A biller as one writes it in an afternoon: plain Python, `Decimal` and `date`, no package.

Law: it gives the fields of the interface's bill for one month of monthly items, and knows nothing
else: no records, no other cycles, no part periods, no inclusive prices, no currencies. It is the
measure of whether the package is at least as quick as doing without.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

_CENT: Final = Decimal("0.01")


@dataclass(slots=True)
class PlainCharge:
    """One monthly item due on the 1st, its VAT on top."""

    product_key: str
    price: Decimal
    quantity: Decimal
    tax_rate: Decimal
    discount: Decimal
    discount_end: date


@dataclass(slots=True)
class PlainLine:
    """One line: the price of a unit, and the line without VAT."""

    product_key: str
    amount: Decimal
    quantity: Decimal
    net_price: Decimal
    tax_rate: Decimal
    start: date
    end: date


@dataclass(slots=True)
class PlainBill:
    """One bill."""

    due_date: date
    lines: list[PlainLine]
    vat_totals: dict[Decimal, Decimal]
    subtotal: Decimal
    total: Decimal


def plain_bill(charges: list[PlainCharge], start: date) -> PlainBill:
    end = (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    lines: list[PlainLine] = []
    bases: dict[Decimal, Decimal] = {}
    for charge in charges:
        amount = charge.price
        if start <= charge.discount_end:
            amount = (amount * (1 - charge.discount)).quantize(_CENT, ROUND_HALF_UP)
        net = (charge.quantity * amount).quantize(_CENT, ROUND_HALF_UP)
        rate = charge.tax_rate
        lines.append(PlainLine(charge.product_key, amount, charge.quantity, net, rate, start, end))
        bases[rate] = bases.get(rate, Decimal(0)) + net
    vat = {rate: (base * rate).quantize(_CENT, ROUND_HALF_UP) for rate, base in bases.items()}
    subtotal = sum(bases.values(), Decimal(0))
    return PlainBill(start, lines, vat, subtotal, subtotal + sum(vat.values(), Decimal(0)))
