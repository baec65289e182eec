"""The workload as the package takes it: records, and the JSON of a lease's file (A57).

Law: both are made from the same plain integers, the JSON without the package, so that reading it
is measured on a text the package did not write itself.
"""

import json
from datetime import date
from decimal import Decimal
from typing import Any, Final

from benchmarks.workload import EXEMPT, PlainItem, PlainLease
from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    Period,
    RecurringBillItem,
    Vat,
)

CURRENCY: Final = "DKK"

PRODUCTS: Final = ("key:rent", "key:heating-on-account", "key:parking")

DESCRIPTIONS: Final = ("Rent", "Heating on account", "Parking space")


def lease_terms(lease: PlainLease) -> LeaseTerms:
    return LeaseTerms(
        lease_id=_lease_id(lease), recurring_bill_items=tuple(_record(item) for item in lease.items)
    )


def lease_text(lease: PlainLease) -> str:
    """Return one lease of the workload as the JSON text of its file."""
    items = [_fields(item) for item in lease.items]
    return json.dumps({"leaseId": _lease_id(lease), "recurringBillItems": items})


def _lease_id(lease: PlainLease) -> str:
    return f"lease-{lease.number:06d}"


def _record(item: PlainItem) -> RecurringBillItem:
    opening = item.opening
    discount = None
    if item.discount is not None:
        discount = Discount(
            percentage=_scaled(item.discount.basis_points, 4),
            end_date=date.fromordinal(item.discount.last_day),
        )
    return RecurringBillItem(
        product_key=PRODUCTS[item.product],
        description=DESCRIPTIONS[item.product],
        amount=_amount(item.minor),
        quantity=_scaled(item.hundredths, 2),
        vat=vat_of(item.tax_mode, item.percent),
        due_date_rule=DueDateRule(day_of_period=item.due_day),
        billing_cycle=BillingCycle(time_unit="Month", period_length=item.months, start=item.start),
        started_on=date.fromordinal(opening.due),
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=_amount(opening.minor),
            due_date=date.fromordinal(opening.due),
            accounting_period=Period(
                date.fromordinal(opening.start), date.fromordinal(opening.end)
            ),
        ),
        discount=discount,
        amount_records=tuple(
            AmountRecord(value=_amount(price.minor), start=date.fromordinal(price.start))
            for price in item.prices
        ),
    )


def vat_of(tax_mode: str, percent: int) -> Vat:
    return Vat(tax_mode) if tax_mode == EXEMPT else Vat(tax_mode, _scaled(percent, 2))


def _scaled(units: int, places: int) -> Decimal:
    return Decimal(units).scaleb(-places)


def _amount(minor: int) -> Amount:
    return Amount(_scaled(minor, 2), CURRENCY)


def _fields(item: PlainItem) -> dict[str, Any]:
    """Return the fields of an item as JSON has them.

    Every figure has so few digits that the double nearest to it is written with exactly them.
    """
    opening = item.opening
    fields: dict[str, Any] = {
        "productKey": PRODUCTS[item.product],
        "description": DESCRIPTIONS[item.product],
        "amount": _amount_fields(item.minor),
        "quantity": _number(item.hundredths, 100),
        "vat": {"taxMode": item.tax_mode},
        "dueDateRule": {"dayOfPeriod": item.due_day},
        "billingCycle": {"timeUnit": "Month", "periodLength": item.months, "start": item.start},
        "startedOn": _day(opening.due),
        "firstBillingPeriodBillItem": {
            "amount": _amount_fields(opening.minor),
            "dueDate": _day(opening.due),
            "accountingPeriod": f"{_day(opening.start)}/{_day(opening.end)}",
        },
    }
    if item.tax_mode != EXEMPT:
        fields["vat"]["taxRate"] = item.percent / 100
    if item.discount is not None:
        fields["discount"] = {
            "percentage": item.discount.basis_points / 10_000,
            "endDate": _day(item.discount.last_day),
        }
    if item.prices:
        fields["amountRecords"] = [
            {"value": _amount_fields(price.minor), "start": _day(price.start)}
            for price in item.prices
        ]
    return fields


def _amount_fields(minor: int) -> dict[str, Any]:
    return {"currency": CURRENCY, "amount": _number(minor, 100)}


def _number(units: int, scale: int) -> float | int:
    return units // scale if units % scale == 0 else units / scale


def _day(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()
