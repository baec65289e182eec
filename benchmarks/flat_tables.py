"""Leases as a flat table in CSV, a row for each item, and the mapping that reads it.

The columns are those that the ideal leases of `real_portfolios` need, opening periods stated.
"""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from rentbilling import LeaseTerms, RecurringBillItem
from rentbilling.portfolio import TableMapping

_OPENING: Final = "first_billing_period_bill_item"
_LATER: Final = "amount_records[0]"

MAPPING: Final = TableMapping(
    {"id": "Lease"},
    {
        "product_key": "Product",
        "description": "Text",
        "amount": "Rent",
        "currency": "Currency",
        "tax_mode": "VAT",
        "tax_rate": "Rate",
        "months": "Months",
        "billing_cycle.start": "Start",
        "started_on": "From",
        f"{_OPENING}.amount.amount": "First rent",
        f"{_OPENING}.due_date": "First due",
        f"{_OPENING}.accounting_period.start": "First day",
        f"{_OPENING}.accounting_period.end": "Last day",
        f"{_LATER}.value.amount": "Later rent",
        f"{_LATER}.start": "Later from",
        "discount.percentage": "Discount",
        "discount.end_date": "Discount until",
        "ended_on": "Until",
    },
    date="DD-MM-YYYY",
    decimal=",",
    thousands=".",
    delimiter=";",
)


def write_csv(leases: Iterable[LeaseTerms], path: Path) -> None:
    """Write leases to a file that MAPPING reads."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(MAPPING.headers)
        for lease in leases:
            writer.writerows(
                [lease.lease_id, *map(_text, _cells(item))] for item in lease.recurring_bill_items
            )


def _cells(item: RecurringBillItem) -> Iterable[Any]:
    """Give the values of an item in the order of the columns."""
    opening, cycle = item.first_billing_period_bill_item, item.billing_cycle
    yield from (item.product_key, item.description, item.amount.amount, item.amount.currency)
    yield from (item.vat.tax_mode, item.vat.tax_rate, cycle.period_length, cycle.start)
    period = opening.accounting_period
    yield from (item.started_on, opening.amount.amount, opening.due_date, period.start, period.end)
    for record in item.amount_records[:1] or (None,):
        yield from (record and record.value.amount, record and record.start)
    discount = item.discount
    yield from (discount and discount.percentage, discount and discount.end_date, item.ended_on)


def _text(value: Any) -> str:  # noqa: ANN401 - of a cell
    """Return a value as a table of continental Europe has it."""
    if hasattr(value, "strftime"):
        return f"{value:%d-%m-%Y}"
    if hasattr(value, "as_tuple"):
        return f"{value:,f}".translate(str.maketrans(",.", ".,"))
    return "" if value is None else str(value)
