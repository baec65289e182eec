"""Bills made of short texts, and what they come to as short texts."""

from datetime import date
from decimal import Decimal

import rentbilling as rb

MARCH = "2026-03-01/2026-03-31"
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")


def bill_of(
    *lines: str, policy: rb.BillingPolicy | None = None, days: str = MARCH
) -> rb.PendingBill:
    """Return a bill of lines such as "1000.01 Exclusive 25%" or "3 × 33.34 Exempt", in EUR."""
    items = []
    for at, text in enumerate(lines, 1):
        times, _, rest = text.rpartition(" × ")
        amount, _, vat = rest.partition(" ")
        items.append(
            rb.OneTimeBillItem(
                product_key=f"key:{at}",
                amount=rb.Amount(amount, "EUR"),
                quantity=Decimal(times or 1),
                vat=rb.Vat.parse(vat),
                due_date=date(2026, 3, 1),
                accounting_period=days,
            )
        )
    (bill,) = rb.pending_bills(items, MARCH, policy=policy)
    return bill


def parts_text(result: rb.BillingResult) -> list[str]:
    """Return of each payer's bill the nets, the VAT totals and the total."""
    return [
        " | ".join(
            (
                " ".join(f"{line.net_price.amount}" for line in bill.lines),
                " ".join(f"{total.amount.amount}" for total in bill.vat_totals),
                f"{bill.total.amount}",
            )
        )
        for bill in result
    ]


def corrections(result: rb.BillingResult) -> dict[str, int]:
    """Return the units that make figures add up, by path, such as `vatTotals[0].amount`."""
    return {
        f"{bill.payer.name} {path}": units
        for bill in result
        if bill.payer
        for path, units in bill.payer.corrections.items()
    }
