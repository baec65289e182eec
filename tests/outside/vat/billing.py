"""Bills that the library makes of priced pieces, all of them due on one day.

A piece is a price in its own tax mode, a quantity and a VAT. An allowance is a piece with a price
below zero. A piece is a one-time item; one that is a share of its price, a third or a 73rd, is a
recurring item instead, whose cycle has that many days and which ends after the first. All pieces of
a document fall due on the same day, so A16 puts them on one bill.
Law: nothing is added, rounded or taxed here that the library can add, round or tax.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

import rentbilling as rb

NOTHING = Decimal(0)
ONE = Decimal(1)
_HUNDRED = Decimal(100)
_PRODUCT = "key:piece"
_EVE = date(2025, 12, 31)
_DAY = date(2026, 1, 1)
_MONTH = rb.Period(date(2026, 1, 1), date(2026, 1, 31))


@dataclass(frozen=True, slots=True)
class Piece:
    """One price on a document."""

    price: Decimal
    vat: rb.Vat
    quantity: Decimal = ONE
    parts: int = 1
    """Of how many equal parts of the price this is one."""


@dataclass(frozen=True, slots=True)
class Charged:
    """Charges of the library for the pieces of one document; zero when there are none."""

    nets: tuple[Decimal, ...]
    bill: rb.PendingBill | None

    @property
    def net(self) -> Decimal:
        return self.bill.subtotal.amount if self.bill else NOTHING

    @property
    def gross(self) -> Decimal:
        return self.bill.total.amount if self.bill else NOTHING

    @property
    def tax(self) -> Decimal:
        totals = self.bill.vat_totals if self.bill else ()
        return sum((total.amount.amount for total in totals), NOTHING)

    def tax_of(self, vat: rb.Vat) -> Decimal:
        return sum((total.amount.amount for total in self._totals_of(vat)), NOTHING)

    def base_of(self, vat: rb.Vat) -> Decimal:
        return sum((total.base.amount for total in self._totals_of(vat)), NOTHING)

    def _totals_of(self, vat: rb.Vat) -> list[rb.VatTotal]:
        totals = self.bill.vat_totals if self.bill else ()
        return [total for total in totals if total.vat.category == vat.category]


def charged(
    pieces: Sequence[Piece], currency: str, *, policy: rb.BillingPolicy | None = None
) -> Charged:
    if not pieces:
        return Charged((), None)
    items = [_item(piece, currency, str(place)) for place, piece in enumerate(pieces)]
    (bill,) = rb.pending_bills(items, _MONTH, policy=policy)
    nets = {line.item_id: line.net_price.amount for line in bill.lines}
    return Charged(tuple(nets[item.id] for item in items), bill)


def _item(piece: Piece, currency: str, name: str) -> rb.OneTimeBillItem | rb.RecurringBillItem:
    """Return the item of a piece; none of something is billed as one of nothing."""
    amount = rb.Amount(piece.price if piece.quantity else NOTHING, currency)
    if piece.parts == 1:
        return rb.OneTimeBillItem(
            id=name,
            product_key=_PRODUCT,
            amount=amount,
            quantity=piece.quantity or ONE,
            vat=piece.vat,
            due_date=_DAY,
            accounting_period=_MONTH,
        )
    return rb.RecurringBillItem(
        id=name,
        product_key=_PRODUCT,
        amount=amount,
        quantity=piece.quantity or ONE,
        vat=piece.vat,
        due_date_rule=rb.DueDateRule(day_of_period=1),
        billing_cycle=rb.BillingCycle(time_unit="Day", period_length=piece.parts),
        started_on=_EVE,
        first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
            amount=rb.Amount(NOTHING, currency),
            due_date=_EVE,
            accounting_period=rb.Period(_EVE, _EVE),
        ),
        ended_on=_DAY,
    )


def taxed(rate: str | Decimal, *, included: bool = False) -> rb.Vat:
    """Return the VAT of a rate in percent, on top of the price or inside it."""
    return rb.Vat("Inclusive" if included else "Exclusive", Decimal(rate) / _HUNDRED)


def with_extras(main: Piece, *extras: Decimal) -> tuple[Piece, ...]:
    """Return a line's price with its allowances below zero and its charges, if there are any."""
    return (main, *(Piece(extra, main.vat) for extra in extras if extra))


UNTAXED = rb.Vat("Exempt")
REVERSED = rb.Vat("ReverseCharge")


def priced(price: Decimal, quantity: Decimal, base_quantity: Decimal, vat: rb.Vat) -> Piece:
    """Return the piece of a price that is stated for several units, exactly.

    A division that comes out even goes into the price: 1.95 for 100 becomes 0.0195. What does not
    come out even becomes a share: 90 at 1585 for 365 is 18 times one 73rd of 1585.
    """
    each = Fraction(price) / Fraction(base_quantity)
    if _odd_part(each.denominator) == 1:
        return Piece(_decimal(each), vat, quantity)
    units = Fraction(quantity) / Fraction(base_quantity)
    parts = _odd_part(units.denominator)
    return Piece(price, vat, _decimal(units * parts), parts)


def _odd_part(denominator: int) -> int:
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator


def _decimal(value: Fraction) -> Decimal:
    """Return a fraction of twos and fives as the finite decimal that it is."""
    places = 0
    while value.denominator != 1:
        value, places = value * 10, places + 1
    return Decimal(f"{value.numerator}E-{places}")
