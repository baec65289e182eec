"""What the two services of `samples` must list in January 2027, worked out by hand.

The rent is 8,500.00 less 10 % = 7,650.00, and 25 % VAT of it is 1,912.50; its opening period is
4,661.00 as agreed, with VAT of 1,165.25. Two parking places cost 250.00 less 25.00 each, 450.00
together, exempt from VAT, due the day before each month.

The index of October rose from 120.0 to 122.4, by 2 %: on 1 January 2027 the rent rises to 8,670.00
before discount, 104,040.00 a year instead of 102,000.00, and the deposit from 25,500.00 to
26,010.00. In the bare service 1,200.00 a year more are 100.00 a month from 1 July 2026 on.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from rentbilling.records import read_json
from tests.conformance import samples

NOON: Final = "2026-01-31T12:00:00+00:00"
BILLS: Final = f"/pending-bills?leaseId=id-2&period={samples.PERIOD}"
TAXED: Final[samples.Data] = {"taxMode": "Exclusive", "taxRate": 0.25}
EXEMPT: Final[samples.Data] = {"taxMode": "Exempt"}
RAISED: Final[samples.Data] = {
    "fromYearlyAmount": samples.money(102000),
    "toYearlyAmount": samples.money(104040),
    "yearlyAmountChange": samples.money(2040),
    "fromPeriodAmount": samples.money(8500),
    "toPeriodAmount": samples.money(8670),
    "periodAmountChange": samples.money(170),
    "fromBalanceAmount": samples.money(25500),
    "toBalanceAmount": samples.money(26010),
    "balanceAmountChange": samples.money(510),
}
EFFECT: Final[samples.Data] = {
    "rentAdjustmentRuleId": "rule-index",
    "calculatedPercentage": 0.02,
    "fromIndex": 120,
    "toIndex": 122.4,
    "fromYearMonth": "2025-10",
    "toYearMonth": "2026-10",
    **RAISED,
    "minimumPercentage": 0,
    "maximumPercentage": 0.04,
}
ADJUSTMENT: Final[samples.Data] = {
    # Plan and day are its id.
    "id": "id-7-2027-01-01",
    "adjustedOn": "2027-01-01",
    "year": "2027",
    **RAISED,
    "adjustmentRulesEffects": [EFFECT],
}
STEPPED: Final[samples.Data] = {
    "fromYearlyAmount": samples.money(102000),
    "toYearlyAmount": samples.money(103200),
    "yearlyAmountChange": samples.money(1200),
    "fromPeriodAmount": samples.money(8500),
    "toPeriodAmount": samples.money(8600),
    "periodAmountChange": samples.money(100),
}
BARE_ADJUSTMENT: Final[samples.Data] = {
    "id": "id-4-2026-07-01",
    "adjustedOn": "2026-07-01",
    "year": "2026",
    **STEPPED,
    # A rule that was given no id has its place in the plan.
    "adjustmentRulesEffects": [{"rentAdjustmentRuleId": "rule-1", **STEPPED}],
}
BARE_ADDRESS: Final[samples.Data] = {"street": "Nygade 7A", **samples.BARE_TENANCY["address"]}


def bill(due: str, line: samples.Data, total: object, vat: object) -> samples.Data:
    return {
        "dueDate": due,
        "pendingBillLineItems": [line],
        "subtotal": line["netPrice"],
        "total": samples.money(total),
        "vatTotals": [{"vat": line["vat"], "amount": samples.money(vat)}],
    }


def rented(days: str, net: object, vat: samples.Data = TAXED, **more: object) -> samples.Data:
    return {
        "productKey": "key:rent",
        "amount": samples.money(net),
        "unitNetPrice": samples.money(net),
        "netPrice": samples.money(net),
        "vat": vat,
        "accountingPeriod": days,
        # Also of an item that says no quantity, a line says that it is 1 (A21).
        "quantity": 1,
        **more,
    }


def parked(days: str) -> samples.Data:
    return rented(days, 225, EXEMPT) | {
        "productKey": "key:parking",
        "quantity": 2,
        "netPrice": samples.money(450),
    }


LEASE: Final[samples.Data] = samples.LEASE_CHANGES | {
    "id": "id-2",
    "tenancyId": "id-1",
    "contractPeriodState": "Active",
    "purpose": "key:residential",
    # After the adjustment of 1 January.
    "depositBalance": samples.money(26010),
    "prepaidBalance": samples.money(8500),
    # After the adjustment, and before discount (A25).
    "monthlyRentLevel": samples.money(8670),
}
ARCHIVED_LEASE: Final[samples.Data] = {
    "id": "id-12",
    "tenancyId": "id-11",
    "operationalState": "Archived",
    "contractPeriodState": "Upcoming",
    "purpose": "key:parking",
    "archivedAt": NOON,
    # Lists are sent, also empty ones (A72).
    "tenantIds": [],
    "associatedContactIds": [],
}
BARE_LEASE: Final[samples.Data] = {
    "id": "id-2",
    "tenancyId": "id-1",
    "operationalState": "Draft",
    "contractPeriodState": "Upcoming",
    "purpose": "key:parking",
    "monthlyRentLevel": samples.money(8600),
    "tenantIds": [],
    "associatedContactIds": [],
}
NEW: Final[samples.Data] = {
    "leaseId": "id-2",
    "created": NOON,
    "modified": NOON,
    # A plan that does not say what it adjusts is about an item (A39).
    "adjustsRecurringBillItem": True,
    "adjustsBalance": False,
}
WHOLE: Final[Mapping[str, samples.Data]] = {
    "/leases": {"leases": [LEASE, ARCHIVED_LEASE]},
    "/tenancies": {
        "tenancies": [
            samples.TENANCY_CHANGES
            | {
                "id": "id-1",
                "address": {"street": "Nygade 7A", **samples.ADDRESS},
                "currentLease": LEASE,
                "leaseIds": ["id-2"],
            },
            {
                "id": "id-11",
                "address": BARE_ADDRESS,
                "leaseIds": ["id-12"],
                "roomCounts": [],
                "archivedAt": NOON,
            },
        ]
    },
    "/rent-adjustment-plans": {
        "rentAdjustmentPlans": [
            samples.PLAN
            | {
                "id": "id-7",
                "leaseId": "id-2",
                "nextAdjustmentDate": "2028-01-01",
                # The service has one series, and the rule says which (A40).
                "rentAdjustmentRules": [
                    samples.INDEX_RULE | {"increments": [], "indexClause": {"series": "CPI"}}
                ],
                "adjustments": [ADJUSTMENT],
            },
            samples.STEPS
            | NEW
            | {"id": "id-8", "nextAdjustmentDate": "2027-07-01", "adjustments": []},
        ]
    },
    "/products": {"products": [samples.PRODUCT | {"productId": "id-9"}]},
    "/payouts": {"payouts": [samples.PAYOUT | {"id": "id-10"}]},
    BILLS: {
        "bills": [
            bill("2026-01-15", rented("2026-01-15/2026-01-31", 4661), 5826.25, 1165.25),
            bill("2026-01-31", parked("2026-02-01/2026-02-28"), 450, 0),
            bill("2026-02-01", rented("2026-02-01/2026-02-28", 7650), 9562.5, 1912.5),
            bill("2026-02-28", parked("2026-03-01/2026-03-31"), 450, 0),
            bill("2026-03-01", rented("2026-03-01/2026-03-31", 7650), 9562.5, 1912.5),
            bill("2026-03-31", parked("2026-04-01/2026-04-30"), 450, 0),
        ]
    },
    "/recurring-bill-items": {
        "recurringBillItems": [
            samples.RENT | {"id": "id-3", "leaseId": "id-2"},
            samples.PARKING | {"id": "id-4", "leaseId": "id-2"},
        ]
    },
}
BARE: Final[Mapping[str, samples.Data]] = {
    "/leases": {"leases": [BARE_LEASE]},
    "/tenancies": {
        "tenancies": [
            {
                "id": "id-1",
                "address": BARE_ADDRESS,
                "currentLease": BARE_LEASE,
                "leaseIds": ["id-2"],
                "roomCounts": [],
            }
        ]
    },
    "/rent-adjustment-plans": {
        "rentAdjustmentPlans": [
            NEW
            | {
                "id": "id-4",
                # The lease has one item, and that is what the plan adjusts (A39).
                "adjusteeRef": "id-3",
                "rentAdjustmentRules": [
                    samples.BARE_PLAN["rentAdjustmentRules"][0] | {"id": "rule-1"}
                ],
                "adjustments": [BARE_ADJUSTMENT],
            }
        ]
    },
    "/products": {
        "products": [
            samples.BARE_PRODUCT
            | {"productId": "id-5", "archived": False, "custom": True, "isDefaultProduct": False}
        ]
    },
    "/payouts": {"payouts": [samples.BARE_PAYOUT | {"id": "id-6"}]},
    BILLS: {
        "bills": [
            bill("2026-01-15", rented("2026-01-15/2026-01-31", 4661, EXEMPT), 4661, 0),
            bill("2026-02-01", rented("2026-02-01/2026-02-28", 8500, EXEMPT), 8500, 0),
            bill("2026-03-01", rented("2026-03-01/2026-03-31", 8500, EXEMPT), 8500, 0),
        ]
    },
    "/recurring-bill-items": {
        "recurringBillItems": [samples.BARE_ITEM | {"id": "id-3", "leaseId": "id-2"}]
    },
}

PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "Amount object": (BILLS, "bills.total"),
    "VAT object": (BILLS, "bills.vatTotals.vat"),
    "Lease": ("/leases", "leases"),
    "Tenancy": ("/tenancies", "tenancies"),
    "Tenancy address": ("/tenancies", "tenancies.address"),
    "Recurring bill item": ("/recurring-bill-items", "recurringBillItems"),
    "Rent adjustment plan": ("/rent-adjustment-plans", "rentAdjustmentPlans"),
    "Rent adjustment rule": ("/rent-adjustment-plans", "rentAdjustmentPlans.rentAdjustmentRules"),
    "Rent adjustment": ("/rent-adjustment-plans", "rentAdjustmentPlans.adjustments"),
    "Effect": ("/rent-adjustment-plans", "rentAdjustmentPlans.adjustments.adjustmentRulesEffects"),
    "Product": ("/products", "products"),
    "Payout": ("/payouts", "payouts"),
    "Pending bill": (BILLS, "bills"),
    "Line item": (BILLS, "bills.pendingBillLineItems"),
}
"""Where the objects of each section are listed."""

OURS: Final[Mapping[str, tuple[str, ...]]] = {
    "Tenancy address": ("co",),
    "Recurring bill item": ("id", "leaseId"),
    "Rent adjustment rule": ("indexClause",),
}
"""Fields that are listed beside those of the interface: where they were given, or who it is."""


def expected(address: str, *, whole: bool) -> Any:  # noqa: ANN401
    return read_json(json.dumps((WHOLE if whole else BARE)[address]))
