"""Two services with known contents: one has a value in every field, one only where it must.

They are filled at noon on 31 January 2026; ids are id-1, id-2 … in the order of creation. They are
asked a year later, after a rent adjustment that the service computed: no adjustment is sent. What
is sent stands here, what must come back in `answers`, worked out by hand.
"""

from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from rentbilling import IndexSeries
from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http.served import ask, data_of, service

Data = dict[str, Any]

PERIOD: Final = "2026-01-01/2026-03-31"
A_YEAR_LATER: Final = datetime(2027, 1, 31, 12, tzinfo=UTC)
INDICES: Final = {"CPI": IndexSeries("CPI", {"2025-10": "120.0", "2026-10": "122.4"})}


def money(amount: object, currency: str = "DKK") -> Data:
    return {"currency": currency, "amount": amount}


ADDRESS: Final[Data] = {
    "streetName": "Nygade",
    "streetNumber": "7A",
    "floor": "2",
    "door": "tv",
    "subdivision": "Hovedstaden",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
    "co": "Kontoret",
}
TENANCY: Final[Data] = {"purpose": "key:residential", "address": ADDRESS}
BARE_TENANCY: Final[Data] = {
    "purpose": "key:parking",
    "address": {
        name: ADDRESS[name]
        for name in ("streetName", "streetNumber", "postalCode", "city", "country")
    },
}
RENT: Final[Data] = {
    "productKey": "key:rent",
    "description": "Husleje",
    "amount": money(8500),
    "quantity": 1,
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-15",
    "firstBillingPeriodBillItem": {
        "amount": money(4661),
        "dueDate": "2026-01-15",
        "accountingPeriod": "2026-01-15/2026-01-31",
    },
    "discount": {"percentage": 0.10, "description": "Byggeri", "endDate": "2026-03-31"},
}
PARKING: Final[Data] = {
    "productKey": "key:parking",
    "description": "Parkering",
    "amount": money(250),
    "quantity": 2,
    "vat": {"taxMode": "Exempt"},
    "dueDateRule": {"dayOfPeriod": -1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-31",
    "firstBillingPeriodBillItem": {
        "amount": money(225),
        "dueDate": "2026-01-31",
        "accountingPeriod": "2026-02-01/2026-02-28",
    },
    "discount": {"amount": money(25), "endDate": "2026-12-31"},
}
BARE_ITEM: Final[Data] = {
    name: RENT[name]
    for name in (
        *("productKey", "amount", "dueDateRule", "billingCycle", "startedOn"),
        "firstBillingPeriodBillItem",
    )
} | {"vat": {"taxMode": "Exempt"}}
LEASE_CHANGES: Final[Data] = {
    "operationalState": "Active",
    "contractStart": "2026-01-15",
    "contractEnd": "2036-12-31",
    "primaryTenantContactName": "Cykler ApS",
    "tenantIds": ["contact-1", "contact-2"],
    "associatedContactIds": ["contact-3"],
    "primaryTenantId": "contact-1",
    "billingContactId": "contact-4",
    "balance": money(-1250.5),
}
BALANCES: Final = [
    {"balanceChargeType": "deposit", "amount": money(25500)},
    {"balanceChargeType": "prepaidRent", "amount": money(8500)},
]
TENANCY_CHANGES: Final[Data] = {
    "groupId": {"region": "group-1", "owner": "group-2"},
    "unitType": "OTHER",
    "unitTypeName": "Bådehus",
    "roomCounts": [{"type": "BEDROOM", "count": 2}, {"type": "KITCHEN", "count": 0.5}],
    "totalArea": {"value": 85.5, "unit": "SQUARE_METER"},
    "businessArea": {"value": 20, "unit": "SQUARE_METER"},
}
INDEX_RULE: Final[Data] = {
    "id": "rule-index",
    "adjustmentType": "Index",
    "adjustmentMonth": 1,
    "firstYear": "2027",
    "lastYear": "2034",
    "indexMonth": 10,
    "minimumPercentage": 0,
    "maximumPercentage": 0.04,
}
PLAN: Final[Data] = {
    "created": "2025-12-01T09:30:00+00:00",
    "modified": "2025-12-02T09:30:00+01:00",
    "adjusteeRef": "id-3",
    "balanceChargeType": "deposit",
    "cancelledOn": "2035-01-01",
    "endedOn": "2034-12-31",
    "cancelledOrEndedOn": "2034-12-31",
    "adjustsRecurringBillItem": True,
    "adjustsBalance": True,
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
    "rentAdjustmentRules": [INDEX_RULE],
}
INCREMENT_RULE: Final[Data] = {
    "id": "rule-steps",
    "adjustmentType": "Increment",
    "adjustmentMonth": 7,
    "increments": [
        {"year": "2027", "percentage": 0.03, "recurrence": "Recurring"},
        {"year": "2028", "amount": money(120), "recurrence": "OneTime"},
    ],
}
STEPS: Final[Data] = {"adjusteeRef": "id-4", "rentAdjustmentRules": [INCREMENT_RULE]}
BARE_PLAN: Final[Data] = {
    "rentAdjustmentRules": [
        {
            "adjustmentType": "Increment",
            "adjustmentMonth": 7,
            # Over when the service is asked: nothing comes next.
            "lastYear": "2026",
            "increments": [{"year": "2026", "amount": money(1200)}],
        }
    ]
}
PRODUCT: Final[Data] = {
    "productKey": "key:parking",
    "productName": {"en": "Parking", "da": "Parkering", "nl": "Parkeren", "de": "Parkplatz"},
    "archived": True,
    "custom": False,
    "position": 3,
    "isDefaultProduct": True,
}
BARE_PRODUCT: Final[Data] = {"productKey": "key:rent", "productName": {"en": "Rent"}}
PAYOUT: Final[Data] = {
    "payoutReason": "Payment",
    "payoutDate": "2026-01-30",
    "net": money(980.25),
    "fees": money(19.75),
    "gross": money(1000),
    "bankStatement": "RENT-2026-01",
}
BARE_PAYOUT: Final[Data] = {
    name: value for name, value in PAYOUT.items() if name != "bankStatement"
}

LISTS: Final = (
    "/leases",
    "/tenancies",
    "/rent-adjustment-plans",
    "/products",
    "/payouts",
    f"/pending-bills?leaseId=id-2&period={PERIOD}",
    "/recurring-bill-items",
)
"""What is asked of both services."""


def told(of: RentalService, method: str, address: str, body: Data | None = None) -> Any:  # noqa: ANN401
    answer = ask(of, method, address, body)
    assert answer.status in (200, 201), answer.body
    return data_of(answer)


def created(of: RentalService, item: Data, lease_id: str = "id-2") -> Any:  # noqa: ANN401
    body = {"leaseId": lease_id, "recurringBillItem": item}
    return told(of, "POST", "/recurring-bill-items", body)


def planned(of: RentalService, plan: Data, lease_id: str = "id-2") -> Any:  # noqa: ANN401
    body = {"leaseId": lease_id, "rentAdjustmentPlan": plan}
    return told(of, "POST", "/rent-adjustment-plans", body)


def fill_whole(of: RentalService) -> None:
    told(of, "POST", "/tenancies", TENANCY)  # id-1, with the lease id-2
    created(of, RENT)  # id-3
    created(of, PARKING)  # id-4
    told(of, "PATCH", "/leases/id-2", LEASE_CHANGES | {"balances": BALANCES})  # id-5, id-6
    told(of, "PATCH", "/tenancies/id-1", TENANCY_CHANGES)
    planned(of, PLAN)  # id-7
    planned(of, STEPS)  # id-8
    told(of, "POST", "/products", PRODUCT)  # id-9
    told(of, "POST", "/payouts", PAYOUT)  # id-10
    told(of, "POST", "/tenancies", BARE_TENANCY)  # id-11, with the lease id-12
    told(of, "POST", "/tenancies/id-11/archive")


def fill_bare(of: RentalService) -> None:
    told(of, "POST", "/tenancies", BARE_TENANCY)  # id-1, with the lease id-2
    created(of, BARE_ITEM)  # id-3
    planned(of, BARE_PLAN)  # id-4
    told(of, "POST", "/products", BARE_PRODUCT)  # id-5
    told(of, "POST", "/payouts", BARE_PAYOUT)  # id-6


def a_year_later(fill: Callable[[RentalService], None]) -> RentalService:
    """Return a service that was filled in January 2026, over the same store in January 2027."""
    stores = MemoryStores()
    fill(service(indices=INDICES, stores=stores))
    return service(indices=INDICES, stores=stores, clock=lambda: A_YEAR_LATER)


@cache
def sample_service(*, whole: bool) -> RentalService:
    return a_year_later(fill_whole if whole else fill_bare)


@cache
def listed(address: str, *, whole: bool) -> Any:  # noqa: ANN401
    return told(sample_service(whole=whole), "GET", address)


def at(data: Any, path: str) -> list[Any]:  # noqa: ANN401
    """Return all values that stand at a path, of every entry of the lists on the way.

    Examples:
        >>> at({"bills": [{"dueDate": 1}, {"dueDate": 2}]}, "bills.dueDate")
        [1, 2]
    """
    found = [data]
    for name in path.split("."):
        inner = [each for one in found for each in (one if isinstance(one, list) else [one])]
        found = [one[name] for one in inner if name in one]
    return found


def changed(data: Data, path: str, value: object) -> Data:
    """Return data with another value at a path, whose lists are entered by their first entry."""
    copy = deepcopy(data)
    *way, last = path.split(".")
    _inside(copy, way)[last] = value
    return copy


def without(data: Data, path: str) -> Data:
    copy = deepcopy(data)
    *way, last = path.split(".")
    del _inside(copy, way)[last]
    return copy


def _inside(data: Data, way: list[str]) -> Data:
    for name in way:
        inner = data[name]
        data = inner[0] if isinstance(inner, list) else inner
    return data
