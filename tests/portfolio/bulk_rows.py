"""What the tests of portfolios share: leases, and rows of Arrow as the JSON that results have.

Law: what is expected comes from the engine for single leases alone.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import pyarrow as pa

from rentbilling import BillingPolicy, BillingResult, LeaseTerms, dumps
from rentbilling.records import JsonData, read_json
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index, an_item

INCLUDED = BillingPolicy()
"""Writes periods with both days, as Arrow has them."""

NPI = an_index({"2025-10": "100.0", "2026-10": "103.0"}, name="NPI")


def bad_payload(lease_id: str = "bad") -> dict[str, Any]:
    """Return the payload of a lease whose rent has no number, and no billing cycle."""
    lease: dict[str, Any] = read_json(dumps(a_lease(lease_id=lease_id)))
    lease["recurringBillItems"][0]["amount"]["amount"] = "much"
    del lease["recurringBillItems"][0]["billingCycle"]
    return lease


def bills_in_full(results: Iterable[BillingResult]) -> list[JsonData]:
    """Return the bills of results as data, each with all that the result knows and with its row."""
    return [
        {"row": row, "leaseId": result.lease_id, "currency": bill.currency, **written}
        for row, result in enumerate(results)
        for bill, written in zip(
            result, read_json(dumps(result, full=True, policy=INCLUDED))["bills"], strict=True
        )
    ]


def bills_of_rows(bills: Any) -> list[JsonData]:  # noqa: ANN401 - a record batch or table
    return [_bill(row) for row in bills.to_pylist()]


def _bill(row: Mapping[str, Any]) -> JsonData:
    def money(amount: Decimal) -> JsonData:
        return {"currency": row["currency"], "amount": amount}

    bill = {
        "row": row["row"],
        "leaseId": row["lease_id"],
        "currency": row["currency"],
        "dueDate": row["due_date"].isoformat(),
        "pendingBillLineItems": [_line(line, row["currency"]) for line in row["lines"]],
        "subtotal": money(row["subtotal"]),
        "total": money(row["total"]),
        "vatTotals": [
            {
                "vat": _vat(each["vat"]),
                "amount": money(each["amount"]),
                "base": money(each["base"]),
            }
            for each in row["vat_totals"]
        ],
    }
    if row["cash_rounding"] is not None:
        bill["cashRounding"] = money(row["cash_rounding"])
        bill["payable"] = money(row["cash_rounding"] + row["total"])
    return bill


def _line(line: Mapping[str, Any], currency: str) -> JsonData:
    data = {
        "productKey": line["product_key"],
        "amount": {"currency": currency, "amount": line["amount"]},
        "quantity": line["quantity"],
        "unitNetPrice": {"currency": currency, "amount": line["unit_net_price"]},
        "netPrice": {"currency": currency, "amount": line["net_price"]},
        "vat": _vat(line["vat"]),
        "accountingPeriod": _period(line["accounting_period"]),
        "itemId": line["item_id"],
        "kind": line["kind"],
        "description": line["description"],
        "discountText": line["discount_text"],
        "share": line["share"],
        "counted": line["counted"],
        "regularPeriod": line["regular_period"] and _period(line["regular_period"]),
        "discounts": [_taken_off(each, currency) for each in line["discounts"]] or None,
    }
    return {name: value for name, value in data.items() if value is not None}


def _taken_off(each: Mapping[str, Any], currency: str) -> JsonData:
    taken_off = {"currency": currency, "amount": each["taken_off"]}
    data = {name: each[name] for name in ("description", "percentage") if each[name] is not None}
    return {**data, "takenOff": taken_off}


def _vat(vat: Mapping[str, Any]) -> JsonData:
    data = {"taxMode": vat["tax_mode"], "taxRate": vat["tax_rate"]}
    return {name: value for name, value in data.items() if value is not None}


def _period(period: Mapping[str, Any]) -> str:
    return f"{period['start']}/{period['end']}"


def without_nulls(value: Any) -> Any:  # noqa: ANN401 - part of a row
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def several_leases() -> list[LeaseTerms]:
    return [
        a_lease(lease_id="plain"),
        a_lease(an_item(vat="Inclusive 0.25", quantity="2.5"), lease_id="quantity"),
        a_lease(a_rent(), plans=[a_plan()], lease_id="indexed"),
        a_lease(lease_id="empty").evolve(recurring_bill_items=()),
        a_lease(a_rent(), a_one_time_item(), lease_id="once"),
        a_lease(a_rent(amount="7000", currency="EUR"), lease_id="euro"),
    ]


def tables_are_valid(*batches: Any) -> bool:  # noqa: ANN401 - record batches
    """Return whether Arrow finds nothing wrong with record batches; it raises where it does."""
    for batch in batches:
        batch.validate(full=True)
    return all(isinstance(batch, pa.RecordBatch) for batch in batches)
