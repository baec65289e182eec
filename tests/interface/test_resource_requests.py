"""Requests: what is sent to an operation is checked to the last field, by reader and schema."""

import json
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rentbilling import Problem, dumps, loads
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import (
    ENDPOINTS,
    RECORDS,
    ChangeLease,
    ChangeTenancy,
    PageRequest,
    schema_of,
)
from rentbilling.records import records_in
from rentbilling.terms import LeaseTerms
from tests.support.operated import ADDRESS, EXEMPT, HOME, by_index, fee, money, rent
from tests.support.refusals import faults

KINDS: dict[str, type[Any]] = {
    name: kind for name, kind in RECORDS.items() if name not in records_in(LeaseTerms)
}
LEASE = {"leaseId": "lease-1"}
TENANCY = {"tenancyId": "tenancy-1"}
PRODUCT: dict[str, Any] = {"productKey": "key:sauna", "productName": {"da": "Sauna"}}
PAYOUT: dict[str, Any] = {
    "payoutReason": "Payment",
    "payoutDate": "2026-02-01",
    "net": money(980),
    "fees": money(20),
    "gross": money(1000),
}
ITEM: dict[str, Any] = {**LEASE, "recurringBillItem": rent()}
FEE: dict[str, Any] = {**LEASE, "oneTimeBillItem": fee()}
PLAN: dict[str, Any] = {**LEASE, "rentAdjustmentPlan": by_index()}
PART = {"recurringBillItemId": "item-1"}
ONCE = {"oneTimeBillItemId": "item-2"}
KEY = {"productKey": "key:sauna"}
LATER: dict[str, Any] = {"value": money(9000), "start": "2026-07-01"}
ROOMS = [{"type": "BEDROOM", "count": 2}]


def at(path: str) -> dict[str, Any]:
    name, _, value = path.partition("=")
    return {**HOME, "address": {**ADDRESS, name: value}}


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


# An answer has these lists, also empty (A72).
LISTED_PLAN = by_index(id="a", adjustments=[], **LEASE)
LISTED_PLAN["rentAdjustmentRules"] = [
    {**rule, "increments": []} for rule in LISTED_PLAN["rentAdjustmentRules"]
]

ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("PageRequest", {}),
    ("PageRequest", {"limit": None, "startingAfter": None}),
    ("PageRequest", {"limit": 1}),
    ("PageRequest", {"limit": 100.0, "startingAfter": "x"}),
    ("LeasePartsRequest", {"limit": 5, **LEASE}),
    ("LeasesRequest", {"startingAfter": "x", **TENANCY}),
    ("LeaseRequest", LEASE),
    ("TenancyRequest", TENANCY),
    ("RecurringBillItemRequest", PART),
    ("OneTimeBillItemRequest", ONCE),
    ("RentAdjustmentPlanRequest", {"rentAdjustmentPlanId": "plan-1"}),
    ("ProductRequest", KEY),
    ("PayoutRequest", {"payoutId": "payout-1"}),
    ("PendingBillsRequest", {**LEASE, "period": "2026-01-01/2026-01-31"}),
    ("CreateTenancy", HOME),
    ("CreateTenancy", at("country=DNK")),
    ("CreateTenancy", at("co=Holm")),
    ("CreateTenancy", at("floor=")),
    ("CreateLease", {**TENANCY, "purpose": "key:residential"}),
    ("ChangeTenancy", TENANCY),
    ("ChangeTenancy", {**TENANCY, "unitType": "PARKING", "clear": ["unitTypeName", "roomCounts"]}),
    ("ChangeTenancy", {**TENANCY, "roomCounts": ROOMS, "clear": []}),
    ("ChangeTenancy", {**TENANCY, "clear": ["roomCounts"]}),
    ("ChangeTenancy", {**TENANCY, "totalArea": {"value": 0, "unit": "m2"}}),
    ("ChangeTenancy", {**TENANCY, "address": ADDRESS, "groupId": {"a": "b"}}),
    ("ChangeLease", {**LEASE, "operationalState": "Ended", "contractEnd": "2026-12-31"}),
    ("ChangeLease", {**LEASE, "tenantIds": [], "clear": ["balance", "contractEnd"]}),
    ("ChangeLease", {**LEASE, "balances": [{"balanceChargeType": "deposit", "amount": money(1)}]}),
    ("ChangeRecurringBillItem", PART),
    ("ChangeRecurringBillItem", {**PART, "amountRecords": [LATER], "clear": ["vatRecords"]}),
    (
        "ChangeRecurringBillItem",
        {
            **PART,
            "endedOn": "2026-12-31",
            "description": "",
            "discount": {"percentage": 0.1},
            "quantityRecords": [{"value": 2, "start": "2026-07-01"}],
            "vatRecords": [{"value": EXEMPT, "start": "2026-07-01"}],
            "descriptionRecords": [{"value": "Rent", "start": "2026-07-01"}],
            "clear": ["cancelledOn"],
        },
    ),
    ("ChangeOneTimeBillItem", ONCE),
    ("ChangeOneTimeBillItem", {**ONCE, **fee(quantity=-2, description=""), "clear": []}),
    ("ChangeOneTimeBillItem", {**ONCE, "clear": ["description", "quantity"]}),
    ("ChangeRentAdjustmentPlan", {"rentAdjustmentPlanId": "plan-1", "endedOn": "2030-12-31"}),
    ("ChangeRentAdjustmentPlan", {"rentAdjustmentPlanId": "plan-1", "clear": ["cancelledOn"]}),
    ("CreateRecurringBillItem", ITEM),
    ("CreateRecurringBillItem", {**LEASE, "recurringBillItem": rent(id=None)}),
    ("CreateOneTimeBillItem", FEE),
    ("CreateRentAdjustmentPlan", PLAN),
    ("CreateRentAdjustmentPlan", {**LEASE, "rentAdjustmentPlan": by_index(leaseId="lease-1")}),
    ("RecordProduct", PRODUCT),
    ("RecordProduct", {**PRODUCT, "productKey": "k" * 250, "archived": False, "position": -1}),
    ("ChangeProduct", KEY),
    ("ChangeProduct", {**PRODUCT, "archived": True, "isDefaultProduct": False, "position": 2}),
    ("ChangeProduct", {**KEY, "clear": ["position"]}),
    ("RecordPayout", PAYOUT),
    ("RecordPayout", {**PAYOUT, "bankStatement": "", "payoutReason": "Refund"}),
    ("TenancyCreated", {**TENANCY, **LEASE}),
    ("LeaseCreated", LEASE),
    ("RecurringBillItemCreated", {"recurringBillItemId": "a", "firstDueDate": "2026-01-15"}),
    ("OneTimeBillItemCreated", {"oneTimeBillItemId": "a"}),
    ("RentAdjustmentPlanCreated", {"rentAdjustmentPlanId": "a"}),
    ("ProductRecorded", {"productId": "a"}),
    ("PayoutRecorded", {"payoutId": "a"}),
    ("RecurringBillItemPage", {"recurringBillItems": [rent(id="a", **LEASE)]}),
    ("OneTimeBillItemPage", {"oneTimeBillItems": [fee(id="a", **LEASE)]}),
    ("RentAdjustmentPlanPage", {"rentAdjustmentPlans": [LISTED_PLAN]}),
]

# The kind, what is sent, where it is wrong, and whether one object alone shows it to a schema.
REFUSED: list[tuple[str, dict[str, Any], list[tuple[str, str]], bool]] = [
    ("PageRequest", {"limit": 0}, [("limit", "out_of_range")], True),
    ("PageRequest", {"limit": 101}, [("limit", "out_of_range")], True),
    ("PageRequest", {"limit": 1.5}, [("limit", "not_a_whole_number")], True),
    ("PageRequest", {"limit": True}, [("limit", "not_a_whole_number")], True),
    ("PageRequest", {"limit": "10"}, [("limit", "not_a_whole_number")], True),
    ("PageRequest", {"startingAfter": ""}, [("startingAfter", "empty_text")], True),
    ("PageRequest", {"page": 2}, [("page", "unknown_field")], True),
    ("LeasePartsRequest", TENANCY, [("tenancyId", "unknown_field")], True),
    ("LeasesRequest", LEASE, [("leaseId", "unknown_field")], True),
    ("LeaseRequest", {}, [("leaseId", "missing")], True),
    ("TenancyRequest", {"tenancyId": ""}, [("tenancyId", "empty_text")], True),
    (
        "RecurringBillItemRequest",
        ONCE,
        [("recurringBillItemId", "missing"), ("oneTimeBillItemId", "unknown_field")],
        True,
    ),
    ("OneTimeBillItemRequest", {}, [("oneTimeBillItemId", "missing")], True),
    (
        "RentAdjustmentPlanRequest",
        {"rentAdjustmentPlanId": ""},
        [("rentAdjustmentPlanId", "empty_text")],
        True,
    ),
    ("ProductRequest", {"productKey": None}, [("productKey", "missing")], True),
    ("PayoutRequest", {"payoutId": 7}, [("payoutId", "not_a_text")], True),
    (
        "PendingBillsRequest",
        {"period": "2026-01"},
        [("leaseId", "missing"), ("period", "not_a_period")],
        True,
    ),
    (
        "PendingBillsRequest",
        {**LEASE, "period": "2026-02-01/2026-01-31"},
        [("period", "reversed_period")],
        False,
    ),
    ("CreateTenancy", {}, [("purpose", "missing"), ("address", "missing")], True),
    *(
        ("CreateTenancy", {**HOME, "address": without(ADDRESS, name)}, [(path, "missing")], True)
        for name in ADDRESS
        for path in (f"address.{name}",)
    ),
    ("CreateTenancy", at("city="), [("address.city", "empty_text")], True),
    ("CreateTenancy", at("country=dk"), [("address.country", "not_a_country_code")], True),
    ("CreateTenancy", at("country=D"), [("address.country", "not_a_country_code")], True),
    ("CreateTenancy", at("country=DENM"), [("address.country", "not_a_country_code")], True),
    ("CreateTenancy", at("country=D1"), [("address.country", "not_a_country_code")], True),
    ("CreateTenancy", at("country=ÆØ"), [("address.country", "not_a_country_code")], True),
    ("CreateTenancy", at("street=Nygade 7"), [("address.street", "unknown_field")], True),
    ("CreateTenancy", {**HOME, "id": "mine"}, [("id", "unknown_field")], True),
    (
        "CreateLease",
        {"purpose": "", "address": ADDRESS},
        [("tenancyId", "missing"), ("purpose", "empty_text"), ("address", "unknown_field")],
        True,
    ),
    (
        "ChangeTenancy",
        {**TENANCY, "roomCounts": [{"type": "BEDROOM"}, {"count": 1}]},
        [("roomCounts[0].count", "missing"), ("roomCounts[1].type", "missing")],
        True,
    ),
    (
        "ChangeTenancy",
        {**TENANCY, "roomCounts": [{"type": "BEDROOM", "count": -1}]},
        [("roomCounts[0].count", "out_of_range")],
        True,
    ),
    (
        "ChangeTenancy",
        {**TENANCY, "totalArea": {"value": 1}},
        [("totalArea.unit", "missing")],
        True,
    ),
    (
        "ChangeTenancy",
        {**TENANCY, "roomCounts": [], "clear": ["roomCounts"]},
        [("clear[0]", "cleared_and_set")],
        False,
    ),
    ("ChangeTenancy", {**TENANCY, "clear": ["address"]}, [("clear[0]", "unknown_word")], True),
    (
        "ChangeTenancy",
        {**TENANCY, "archivedAt": None, "a": 1},
        [("archivedAt", "unknown_field"), ("a", "unknown_field")],
        True,
    ),
    (
        "ChangeTenancy",
        {**TENANCY, "address": None, "roomCounts": None, "clear": None, "b": None},
        [
            ("b", "unknown_field"),
            ("address", "null_in_change"),
            ("roomCounts", "null_in_change"),
            ("clear", "null_in_change"),
        ],
        True,
    ),
    ("ChangeTenancy", {"tenancyId": None}, [("tenancyId", "missing")], True),
    ("ChangeLease", {**LEASE, "contractEnd": None}, [("contractEnd", "null_in_change")], True),
    (
        "ChangeRecurringBillItem",
        {**PART, "endedOn": None, "amountRecords": [LATER, LATER], "clear": ["endedOn"]},
        [("endedOn", "null_in_change"), ("amountRecords[1].start", "equal_starts")],
        True,
    ),
    (
        "ChangeRentAdjustmentPlan",
        {"rentAdjustmentPlanId": "plan-1", "cancelledOn": None},
        [("cancelledOn", "null_in_change")],
        True,
    ),
    (
        "ChangeLease",
        {**LEASE, "operationalState": "Archived"},
        [("operationalState", "unknown_word")],
        True,
    ),
    (
        "ChangeLease",
        {**LEASE, "monthlyRentLevel": money(1)},
        [("monthlyRentLevel", "unknown_field")],
        True,
    ),
    (
        "ChangeLease",
        {**LEASE, "contractStart": "2026-02-01", "contractEnd": "2026-01-31"},
        [("contractEnd", "reversed_period")],
        False,
    ),
    (
        "ChangeLease",
        {
            **LEASE,
            "contractStart": "2026-02-01",
            "balance": money(1),
            "clear": ["balance", "contractStart"],
        },
        [("clear[0]", "cleared_and_set"), ("clear[1]", "cleared_and_set")],
        False,
    ),
    (
        "ChangeLease",
        {**LEASE, "balances": [{"amount": money(1)}]},
        [("balances[0].balanceChargeType", "missing")],
        True,
    ),
    (
        "ChangeRecurringBillItem",
        {"amount": money(1), "startedOn": "2026-01-01"},
        [
            ("recurringBillItemId", "missing"),
            ("amount", "unknown_field"),
            ("startedOn", "unknown_field"),
        ],
        True,
    ),
    (
        "ChangeRecurringBillItem",
        {**PART, "amountRecords": [LATER, LATER], "endedOn": "2026-12-31", "clear": ["endedOn"]},
        [("amountRecords[1].start", "equal_starts"), ("clear[0]", "cleared_and_set")],
        False,
    ),
    (
        "ChangeRecurringBillItem",
        {**PART, "amountRecords": [LATER, LATER]},
        [("amountRecords[1].start", "equal_starts")],
        False,
    ),
    (
        "ChangeRecurringBillItem",
        {**PART, "quantityRecords": [{"value": 0, "start": "2026-07-01"}]},
        [("quantityRecords[0].value", "zero_quantity")],
        True,
    ),
    (
        "ChangeRecurringBillItem",
        {**PART, "discount": {"percentage": 2}, "clear": ["amount"]},
        [("discount.percentage", "out_of_range"), ("clear[0]", "unknown_word")],
        True,
    ),
    (
        "ChangeOneTimeBillItem",
        {**ONCE, "quantity": 0, "description": "Keys", "clear": ["quantity", "description"]},
        [
            ("quantity", "zero_quantity"),
            ("clear[0]", "cleared_and_set"),
            ("clear[1]", "cleared_and_set"),
        ],
        True,
    ),
    (
        "ChangeOneTimeBillItem",
        {**ONCE, "dueDate": None, "description": None, "id": "mine", "clear": ["amount"]},
        [
            ("clear[0]", "unknown_word"),
            ("id", "unknown_field"),
            ("dueDate", "null_in_change"),
            ("description", "null_in_change"),
        ],
        True,
    ),
    (
        "ChangeRentAdjustmentPlan",
        {"rentAdjustmentPlanId": "plan-1", "endedOn": "2030-12-31", "clear": ["endedOn"]},
        [("clear[0]", "cleared_and_set")],
        False,
    ),
    (
        "ChangeRentAdjustmentPlan",
        {"rentAdjustmentPlanId": "plan-1", "rentAdjustmentRules": [], "adjusteeRef": "item-2"},
        [("rentAdjustmentRules", "unknown_field"), ("adjusteeRef", "unknown_field")],
        True,
    ),
    ("CreateRecurringBillItem", LEASE, [("recurringBillItem", "missing")], True),
    (
        "CreateRecurringBillItem",
        {**LEASE, "recurringBillItem": rent(id="mine")},
        [("recurringBillItem.id", "given_id")],
        True,
    ),
    (
        "CreateRecurringBillItem",
        {**LEASE, "recurringBillItem": rent(discount={})},
        [("recurringBillItem.discount", "one_of_two")],
        False,
    ),
    (
        "CreateOneTimeBillItem",
        {**LEASE, "oneTimeBillItem": fee(id="mine")},
        [("oneTimeBillItem.id", "given_id")],
        True,
    ),
    (
        "CreateRentAdjustmentPlan",
        {**LEASE, "rentAdjustmentPlan": by_index(id="mine", leaseId="lease-2")},
        [("rentAdjustmentPlan.id", "given_id"), ("rentAdjustmentPlan.leaseId", "other_lease")],
        True,
    ),
    (
        "CreateRentAdjustmentPlan",
        {**LEASE, "rentAdjustmentPlan": by_index(nextAdjustmentDate="2027-01-01")},
        [("rentAdjustmentPlan.nextAdjustmentDate", "follows")],
        True,
    ),
    ("RecordProduct", {**PRODUCT, "productName": {}}, [("productName", "says_nothing")], True),
    (
        "RecordProduct",
        {**PRODUCT, "productName": {"en": ""}},
        [("productName", "says_nothing")],
        True,
    ),
    ("RecordProduct", {"productName": {"en": "Rent"}}, [("productKey", "missing")], True),
    ("RecordProduct", {**PRODUCT, "productKey": "k" * 251}, [("productKey", "too_long")], True),
    ("RecordProduct", {**PRODUCT, "productId": "mine"}, [("productId", "unknown_field")], True),
    (
        "ChangeProduct",
        {**KEY, "productName": {"de": ""}, "position": 2, "clear": ["position"]},
        [("productName", "says_nothing"), ("clear[0]", "cleared_and_set")],
        True,
    ),
    (
        "ChangeProduct",
        {**KEY, "custom": False, "productId": "mine", "clear": ["productName"]},
        [("clear[0]", "unknown_word"), ("custom", "unknown_field"), ("productId", "unknown_field")],
        True,
    ),
    ("RecordPayout", {**PAYOUT, "payoutReason": "Gift"}, [("payoutReason", "unknown_word")], True),
    ("RecordPayout", {**PAYOUT, "net": money(981)}, [("net.amount", "wrong_sum")], False),
    (
        "RecordPayout",
        {**PAYOUT, "net": money(980, "EUR"), "fees": money(20, "SEK")},
        [("fees.currency", "currency_mismatch"), ("net.currency", "currency_mismatch")],
        False,
    ),
    ("RecordPayout", without(PAYOUT, "gross"), [("gross", "missing")], True),
    ("RecordPayout", without(PAYOUT, "fees"), [("fees", "missing")], True),
]


def named(value: object) -> str | None:
    """Return how a case is named: by its kind, or by what is wrong with it."""
    if isinstance(value, str):
        return value
    return str(value[0][0]) if isinstance(value, list) else ""


def valid(name: str, data: Any) -> bool:  # noqa: ANN401
    return Draft202012Validator(schema_of(name)).is_valid(data)


@pytest.mark.parametrize(("name", "data"), ACCEPTED, ids=named)
def test_reader_and_schema_accept_the_same(name: str, data: dict[str, Any]) -> None:
    """What is read may be written again, and reads the same; null is absent (A6)."""
    read = loads(json.dumps(data), KINDS[name])

    assert read == loads(dumps(read), KINDS[name])
    assert valid(name, data)
    assert valid(name, json.loads(dumps(read)))


@pytest.mark.parametrize(("name", "data", "problems", "alone"), REFUSED, ids=named)
def test_reader_and_schema_refuse_the_same(
    name: str, data: dict[str, Any], problems: list[tuple[str, str]], alone: bool
) -> None:
    """Every problem at once, each with its path (A46, A50); sums and orders no schema can tell."""
    assert problems == faults(lambda: loads(json.dumps(data), KINDS[name]))
    assert valid(name, data) is not alone


def test_every_request_and_answer_is_tried() -> None:
    tried = {name for name, _ in ACCEPTED}
    sent = {each.request.__name__ for each in ENDPOINTS.values()}

    assert set() == sent - tried
    assert set() == sent - {name for name, *_ in REFUSED}
    for name in KINDS:
        assert name == schema_of(name)["title"]


def test_a_page_has_ten_objects_where_nobody_says_how_many() -> None:
    """A43: the default."""
    assert (10, None) == (PageRequest().limit, PageRequest().starting_after)


def test_a_change_names_what_changes() -> None:
    change = ChangeLease(
        lease_id="lease-1", purpose="key:office", tenant_ids=(), clear=("balance", "balances")
    )

    assert {
        "purpose": "key:office",
        "tenant_ids": (),
        "balance": None,
        "balances": (),
    } == change.changes()
    assert {} == ChangeTenancy(tenancy_id="tenancy-1").changes()


def test_a_null_in_a_change_is_told_how_a_value_is_taken_away() -> None:
    """It would change nothing (A6); in Python, nothing is what a field has that is not named."""
    with pytest.raises(InvalidRecordError) as refusal:
        ChangeLease.model_validate({**LEASE, "contract_end": None, "purpose": None})

    assert [
        Problem(
            "contractEnd",
            "null_in_change",
            "says nothing",
            "null",
            "a value, or contractEnd in clear",
        ),
        Problem("purpose", "null_in_change", "says nothing", "null", "a value"),
    ] == list(refusal.value.problems)
    assert {} == ChangeLease(lease_id="lease-1", contract_end=None).changes()


def test_a_payout_is_exact() -> None:
    """1000.10 less 20.05 is 980.05, to the last digit (A1)."""
    body = {**PAYOUT, "gross": money(1000.10), "fees": money(20.05), "net": money(980.05)}

    assert (
        Decimal("980.05") == KINDS["RecordPayout"].model_validate(body).model_dump()["net"].amount
    )
