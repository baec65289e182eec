"""What a bill says, in plain values that compare: the common ground of the oracle and the library.

Law: nothing is computed here. The oracle fills these records from its own reckoning, and
`bills_told_by` copies the public fields of a library answer into the same records.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from inspect import signature
from typing import Final

from rentbilling import PendingBill, PendingBillLineItem, RecurringBillItem, Vat
from rentbilling.testing.strategies.choices import texts_of

UNTAXED = ("Exempt", "ReverseCharge")
PASSED_ON: Final = sorted(
    texts_of(RecurringBillItem).keys() & signature(PendingBillLineItem).parameters.keys()
)
"""Texts of an item that its lines have under the same name, whichever these are."""
Texts = tuple[str | None, ...]
"""Id of the item, text of the discounts, and the texts that are passed on."""


@dataclass(frozen=True)
class UnknownVat:
    """A tax mode and the rate that counts for it; untaxed modes show none (A30)."""

    mode: str
    rate: Fraction | None


@dataclass(frozen=True)
class ToldLine:
    """One line of a bill."""

    product_key: str
    first_day: date
    last_day: date
    quantity: Fraction
    amount: Fraction
    unit_net_price: Fraction
    net_price: Fraction
    vat: UnknownVat
    kind: str
    share: Fraction | None
    """The share of a regular period; stated lines (opening, one-time) tell none."""
    texts: Texts


@dataclass(frozen=True)
class UnknownVatTotal:
    """The VAT of one group of lines."""

    vat: UnknownVat
    base: Fraction
    amount: Fraction


@dataclass(frozen=True)
class ToldBill:
    """One bill."""

    due_date: date
    currency: str
    lines: tuple[ToldLine, ...]
    subtotal: Fraction
    vat_totals: tuple[UnknownVatTotal, ...]
    total: Fraction
    payable: Fraction


def told_vat(vat: Vat) -> UnknownVat:
    """Return the mode of a VAT with the rate that counts for it."""
    if vat.tax_mode in UNTAXED or vat.tax_rate is None:
        return UnknownVat(vat.tax_mode, None)
    return UnknownVat(vat.tax_mode, Fraction(vat.tax_rate))


def line_told_by(line: PendingBillLineItem) -> ToldLine:
    stated = line.kind in {"opening", "one_time"}
    return ToldLine(
        product_key=line.product_key,
        first_day=line.accounting_period.start,
        last_day=line.accounting_period.end,
        quantity=Fraction(line.quantity),
        amount=Fraction(line.amount.amount),
        unit_net_price=Fraction(line.unit_net_price.amount),
        net_price=Fraction(line.net_price.amount),
        vat=told_vat(line.vat),
        kind=line.kind,
        share=None if stated else line.share,
        texts=tuple(getattr(line, name) for name in ("item_id", "discount_text", *PASSED_ON)),
    )


def bill_told_by(bill: PendingBill) -> ToldBill:
    return ToldBill(
        due_date=bill.due_date,
        currency=bill.currency,
        lines=tuple(line_told_by(line) for line in bill.lines),
        subtotal=Fraction(bill.subtotal.amount),
        vat_totals=tuple(
            UnknownVatTotal(
                told_vat(total.vat), Fraction(total.base.amount), Fraction(total.amount.amount)
            )
            for total in bill.vat_totals
        ),
        total=Fraction(bill.total.amount),
        payable=Fraction(bill.payable.amount),
    )


def bills_told_by(bills: Iterable[PendingBill]) -> tuple[ToldBill, ...]:
    return tuple(bill_told_by(bill) for bill in bills)
