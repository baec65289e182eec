"""A biller as one writes it in an afternoon: plain Python, `Decimal` and `date`, no package.

Law: it makes the bills of one month of monthly items as the package does where a month holds no
surprises, and knows nothing else: no records, no cycles of other lengths, no part periods, no
inclusive prices. It is the measure of whether the package is at least as quick as doing without.

What does not live here: the integer loop that is the least possible cost (`floor`).
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, TypeAlias

_CENT: Final = Decimal("0.01")

Line: TypeAlias = tuple[str, Decimal, Decimal, date, date]
"""Product key, quantity, net price, first day, last day."""


@dataclass
class PlainCharge:
    """One monthly item due on the 1st, its VAT on top."""

    product_key: str
    price: Decimal
    quantity: Decimal
    tax_rate: Decimal
    discount: Decimal
    discount_end: date


@dataclass
class PlainBill:
    """One bill."""

    due_date: date
    lines: list[Line]
    vat_totals: dict[Decimal, Decimal]
    subtotal: Decimal
    total: Decimal


def plain_bill(charges: list[PlainCharge], start: date) -> PlainBill:
    """Return the bill of the month that starts on a day."""
    end = (start.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    lines: list[Line] = []
    bases: dict[Decimal, Decimal] = {}
    for charge in charges:
        price = charge.price
        if start <= charge.discount_end:
            price *= 1 - charge.discount
        net = (charge.quantity * price).quantize(_CENT, ROUND_HALF_UP)
        lines.append((charge.product_key, charge.quantity, net, start, end))
        bases[charge.tax_rate] = bases.get(charge.tax_rate, Decimal(0)) + net
    subtotal = sum(bases.values(), Decimal(0))
    vat = {rate: (base * rate).quantize(_CENT, ROUND_HALF_UP) for rate, base in bases.items()}
    return PlainBill(start, lines, vat, subtotal, subtotal + sum(vat.values(), Decimal(0)))
