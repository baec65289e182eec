"""The session whose requests and answers are the examples of the document.

    python -m tests.adapters.http.sample_session

writes them anew, so that the diff is reviewed. The clock stands still, and ids are in order.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from rentbilling.adapters.http import RentalService
from rentbilling.adapters.http.request_limits import TooManyError
from rentbilling.adapters.http.service import RequestHead
from rentbilling.interface import ENDPOINTS
from rentbilling.records import read_json, write_json
from rentbilling.service.problem_details import PROBLEM_KINDS
from tests.adapters.http import served

FILE: Final = Path(str(files("rentbilling.adapters.http.docs") / "examples.json"))

Step = tuple[str, Mapping[str, Any], Any]
"""An operation, its parameters, and its body."""

STEPS: Final[tuple[Step, ...]] = (
    (
        "record_product",
        {},
        {"productKey": "key:rent", "productName": {"en": "Rent", "da": "Husleje"}, "position": 1},
    ),
    ("list_products", {}, None),
    (
        "change_product",
        {"productKey": "key:rent"},
        {"productName": {"en": "Rent", "da": "Husleje", "de": "Miete"}, "isDefaultProduct": True},
    ),
    ("retrieve_product", {"productKey": "key:rent"}, None),
    ("create_tenancy", {}, served.TENANCY),
    (
        "create_recurring_bill_item",
        {},
        {"leaseId": "id-3", "recurringBillItem": {**served.RENT, "description": "Rent, Nygade 7"}},
    ),
    (
        "create_one_time_bill_item",
        {},
        {
            "leaseId": "id-3",
            "oneTimeBillItem": {
                "productKey": "key:keys",
                "description": "Two keys",
                "amount": {"currency": "DKK", "amount": 125},
                "quantity": 2,
                "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
                "dueDate": "2026-02-01",
                "accountingPeriod": "2026-02-01/2026-02-28",
            },
        },
    ),
    (
        "create_rent_adjustment_plan",
        {},
        {
            "leaseId": "id-3",
            "rentAdjustmentPlan": {
                "adjustsRecurringBillItem": True,
                "rentAdjustmentRules": [
                    {
                        "adjustmentType": "Increment",
                        "adjustmentMonth": 1,
                        "firstYear": "2027",
                        "increments": [
                            {"year": "2027", "percentage": 0.02, "recurrence": "Recurring"}
                        ],
                    }
                ],
            },
        },
    ),
    (
        "change_lease",
        {"leaseId": "id-3"},
        {
            "operationalState": "Active",
            "contractStart": "2026-01-15",
            "primaryTenantContactName": "A. Jensen",
            "tenantIds": ["contact-1"],
            "primaryTenantId": "contact-1",
            "balances": [
                {"balanceChargeType": "deposit", "amount": {"currency": "DKK", "amount": 25500}}
            ],
        },
    ),
    (
        "change_recurring_bill_item",
        {"recurringBillItemId": "id-4"},
        {
            "discount": {
                "percentage": 0.10,
                "description": "10 % off until 30 June",
                "endDate": "2026-06-30",
            }
        },
    ),
    (
        "change_one_time_bill_item",
        {"oneTimeBillItemId": "id-5"},
        {"description": "Three keys", "quantity": 3},
    ),
    ("change_rent_adjustment_plan", {"rentAdjustmentPlanId": "id-6"}, {"endedOn": "2030-12-31"}),
    (
        "change_tenancy",
        {"tenancyId": "id-2"},
        {
            "unitType": "APARTMENT",
            "totalArea": {"value": 72.5, "unit": "m2"},
            "roomCounts": [{"type": "BEDROOM", "count": 2}],
        },
    ),
    (
        "record_payout",
        {},
        {
            "payoutReason": "Payment",
            "payoutDate": "2026-01-30",
            "gross": {"currency": "DKK", "amount": 4661.29},
            "fees": {"currency": "DKK", "amount": 12.50},
            "net": {"currency": "DKK", "amount": 4648.79},
            "bankStatement": "PO-2026-0001",
        },
    ),
    ("list_payouts", {}, None),
    ("retrieve_payout", {"payoutId": "id-8"}, None),
    ("list_tenancies", {"limit": 10}, None),
    ("retrieve_tenancy", {"tenancyId": "id-2"}, None),
    ("list_leases", {"tenancyId": "id-2"}, None),
    ("list_audit_records", {"objectId": "id-3"}, None),
    ("retrieve_lease", {"leaseId": "id-3"}, None),
    ("retrieve_lease_terms", {"leaseId": "id-3"}, None),
    ("list_recurring_bill_items", {"leaseId": "id-3"}, None),
    ("retrieve_recurring_bill_item", {"recurringBillItemId": "id-4"}, None),
    ("list_one_time_bill_items", {"leaseId": "id-3"}, None),
    ("retrieve_one_time_bill_item", {"oneTimeBillItemId": "id-5"}, None),
    ("list_rent_adjustment_plans", {"leaseId": "id-3"}, None),
    ("retrieve_rent_adjustment_plan", {"rentAdjustmentPlanId": "id-6"}, None),
    ("list_pending_bills", {"leaseId": "id-3", "period": "2026-02-01/2026-02-28"}, None),
    ("create_lease", {}, {"tenancyId": "id-2", "purpose": "key:residential"}),
)
# A draft can be archived, and so can its tenancy.
ENDS: Final[tuple[Step, ...]] = (
    ("create_tenancy", {}, served.TENANCY),
    ("archive_lease", {"leaseId": "id-11"}, None),
    ("archive_tenancy", {"tenancyId": "id-10"}, None),
    ("withdraw_one_time_bill_item", {"oneTimeBillItemId": "id-5"}, None),
    ("withdraw_payout", {"payoutId": "id-8"}, None),
)


def example_of(of: RentalService, step: Step) -> dict[str, Any]:
    operation, parameters, body = step
    endpoint = ENDPOINTS[operation]
    path = endpoint.path
    for name in endpoint.in_path:
        path = path.replace(f"{{{name}}}", quote(parameters[name], safe=""))
    query = "&".join(
        f"{name}={quote(str(value), safe='/')}"
        for name, value in parameters.items()
        if name not in endpoint.in_path
    )
    headers = {"X-Request-Id": "example"}
    address = f"{path}?{query}" if query else path
    answer = served.ask(of, endpoint.method, address, body, headers=headers)
    assert endpoint.status == answer.status, (operation, answer.body)
    asked = {"parameters": dict(parameters)} if parameters else {}
    if body is not None:
        asked["body"] = read_json(json.dumps(body))
    return {**asked, "answer": served.data_of(answer)}


def after_the_session() -> RentalService:
    asked = served.service()
    for step in STEPS:
        example_of(asked, step)
    return asked


def operations() -> dict[str, Any]:
    asked = served.service()
    found: dict[str, Any] = {}
    for step in (*STEPS, *ENDS):
        made = example_of(asked, step)
        found.setdefault(step[0], made)
    return {name: found[name] for name in ENDPOINTS}


def problems() -> dict[str, Any]:
    """Return an example of each kind of problem, but those of a broken service."""
    asked = after_the_session()
    found = {
        "invalid-input": served.ask(asked, "GET", "/leases?limit=500"),
        "no-key": served.ask(asked, "GET", "/leases", headers={"Authorization": ""}),
        "not-allowed": served.ask(asked, "GET", "/leases", key=served.BILLS_ALONE),
        "not-found": served.ask(asked, "GET", "/leases/lease-7"),
        "unknown-path": served.ask(asked, "GET", "/rents"),
        "method-not-allowed": served.ask(asked, "DELETE", "/leases/id-3"),
        "conflict": served.ask(asked, "POST", "/leases/id-3/archive"),
        "too-large": served.ask(asked, "POST", "/tenancies", b" " * 1_000_001),
        "address-too-long": served.ask(asked, "GET", f"/leases/{'1' * 8_000}"),
        "media-type": served.ask(
            asked, "POST", "/tenancies", served.TENANCY, headers={"Content-Type": "text/plain"}
        ),
    }
    begun = asked.begin(
        "POST", "/tenancies", "", {"Authorization": served.KEY, "Content-Type": served.JSON_BODY}
    )
    assert isinstance(begun, RequestHead)
    many = TooManyError("too_many_at_once", "the owner of the key has 20 requests at once already")
    found |= {
        "slow-body": asked.too_slow(begun),
        "too-many-requests": asked.too_many(begun, many),
        "unavailable": asked.busy(begun),
    }
    for slug, answer in found.items():
        assert PROBLEM_KINDS[slug].type == served.data_of(answer)["type"], (slug, answer.body)
    data = {
        slug: {**served.data_of(answer), "requestId": "request-1"} for slug, answer in found.items()
    }
    return {slug: data[slug] for slug in PROBLEM_KINDS if slug in data}


def text() -> str:
    return write_json({"operations": operations(), "problems": problems()}, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
