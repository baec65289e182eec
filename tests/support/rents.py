"""A plain monthly rent and what a test may change about it; short ways to write days and lines.

The rent: 8,500 DKK exempt from VAT, moved in on 15 January 2026, due on the first of each month.
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

import rentbilling as rb

Terms = rb.LeaseTerms | rb.RecurringBillItem | rb.OneTimeBillItem | Iterable[Any]

EXEMPT = rb.Vat("Exempt")
YEAR = "2026-01-01/2026-12-31"


def day(text: str) -> date:
    return date.fromisoformat(text)


def ordinal(text: str) -> int:
    return day(text).toordinal()


def period(text: str) -> rb.Period:
    return rb.Period.parse(text)


def amount(text: str) -> rb.Amount:
    """Return the amount written `8500.00`, in DKK unless a currency follows."""
    return rb.Amount.parse(text if " " in text else f"{text} DKK")


def vat(mode: str, rate: str | None = None) -> rb.Vat:
    return rb.Vat(mode, None if rate is None else Decimal(rate))


def opening(
    days: str = "2026-01-15/2026-01-31", *, price: str = "4661.29", due: str | None = None
) -> rb.FirstBillingPeriodBillItem:
    """Return an opening period, due on its first day unless another day is given."""
    there = period(days)
    return rb.FirstBillingPeriodBillItem(
        amount=amount(price),
        due_date=there.start if due is None else day(due),
        accounting_period=there,
    )


def rent(price: str = "8500.00", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return the plain rent with some fields changed; it starts on its opening's due date."""
    first = changes.setdefault("first_billing_period_bill_item", opening())
    fields: dict[str, Any] = {
        "product_key": "key:rent",
        "amount": amount(price),
        "vat": EXEMPT,
        "due_date_rule": rb.DueDateRule(),
        "billing_cycle": rb.BillingCycle(),
        "started_on": first.due_date,
    }
    return rb.RecurringBillItem(**{**fields, **changes})


def quarterly(price: str = "30000.00", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a rent paid by calendar quarters, whose opening is the last quarter of 2025."""
    first = opening("2025-10-01/2025-12-31", price=price)
    cycle = rb.BillingCycle(period_length=3)
    return rent(
        price, **{"first_billing_period_bill_item": first, "billing_cycle": cycle, **changes}
    )


def fee(
    price: str = "100.00",
    due: str = "2026-02-01",
    days: str | None = None,
    **changes: Any,  # noqa: ANN401
) -> rb.OneTimeBillItem:
    """Return a one-time fee, exempt from VAT, for its due date alone unless days are given."""
    fields: dict[str, Any] = {
        "product_key": "key:fee",
        "amount": amount(price),
        "vat": EXEMPT,
        "due_date": day(due),
        "accounting_period": period(days or f"{due}/{due}"),
    }
    return rb.OneTimeBillItem(**{**fields, **changes})


def price_from(start: str, price: str) -> rb.AmountRecord:
    return rb.AmountRecord(value=amount(price), start=day(start))


def quantity_from(start: str, quantity: str) -> rb.QuantityRecord:
    return rb.QuantityRecord(value=Decimal(quantity), start=day(start))


def lines_of(
    items: Terms, days: str = YEAR, policy: rb.BillingPolicy | None = None
) -> list[rb.PendingBillLineItem]:
    return [line for bill in rb.pending_bills(items, days, policy=policy) for line in bill.lines]


def told(
    items: Terms, days: str = YEAR, policy: rb.BillingPolicy | None = None
) -> list[tuple[str, str]]:
    return [
        (str(line.accounting_period), f"{line.net_price.amount:f}")
        for line in lines_of(items, days, policy)
    ]


def due_dates(items: Terms, days: str = YEAR, policy: rb.BillingPolicy | None = None) -> list[str]:
    return [bill.due_date.isoformat() for bill in rb.pending_bills(items, days, policy=policy)]


def noticed(
    items: Terms, days: str = YEAR, policy: rb.BillingPolicy | None = None
) -> list[tuple[str, dict[str, str]]]:
    found = rb.pending_bills(items, days, policy=policy).notices
    return [(notice.code, dict(notice.facts)) for notice in found]
