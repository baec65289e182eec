"""What the tests of portfolios share: leases, and rows of Arrow as the JSON that results have.

Law: what is expected comes from the engine for single leases alone.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import pyarrow as pa

from rentbilling import BillingPolicy, BillingResult, LeaseTerms, dumps
from rentbilling.records import JsonData, read_json, wire_name
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index, an_item

INCLUDED = BillingPolicy()
"""Writes periods with both days, as Arrow has them."""

_NAMED = {"lines": "pendingBillLineItems"}
_MONEY = {
    *("amount", "unit_net_price", "net_price", "subtotal", "total", "base", "taken_off"),
    "cash_rounding",
}
"""Columns whose amounts are of the bill's currency."""

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
    bill: JsonData = {"leaseId": None, **_data(row, row["currency"])}
    if row["cash_rounding"] is not None:
        bill["payable"] = {
            "currency": row["currency"],
            "amount": row["cash_rounding"] + row["total"],
        }
    return bill


def _data(value: Any, currency: str, name: str = "") -> Any:  # noqa: ANN401 - part of a row
    """Return whatever a row has as JSON names it, without what it has not."""
    if isinstance(value, dict):
        if value.keys() == {"start", "end"}:
            return f"{value['start']}/{value['end']}"
        there = {each: own for each, own in value.items() if own not in (None, [])}
        return {
            _NAMED.get(each, wire_name(each)): _data(own, currency, each)
            for each, own in there.items()
        }
    if isinstance(value, list):
        return [_data(each, currency, name) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return {"currency": currency, "amount": value} if name in _MONEY else value


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
