"""Requests: what is sent to an operation is checked to the last field, by reader and schema."""

import json
from decimal import Decimal
from functools import partial
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from rentbilling import OneTimeBillItem, Problem, RecurringBillItem, dumps, loads
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import (
    ENDPOINTS,
    RECORDS,
    ChangeLease,
    ChangeOneTimeBillItem,
    ChangeRecurringBillItem,
    ChangeTenancy,
    PageRequest,
    schema_of,
)
from rentbilling.records import fields_of, records_in
from rentbilling.terms import LeaseTerms
from tests.support.operated import ADDRESS, EXEMPT, HOME, by_index, fee, money, rent
from tests.support.refusals import faults
from tests.support.rows import rows

KINDS: dict[str, type[Any]] = {
    name: kind for name, kind in RECORDS.items() if name not in records_in(LeaseTerms)
}
TENTH: dict[str, Any] = {"percentage": 0.1}
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

ACCEPTED: dict[str, list[dict[str, Any]]] = {
    "PageRequest": [
        {},
        {"limit": None, "startingAfter": None},
        {"limit": 1},
        {"limit": 100.0, "startingAfter": "x"},
    ],
    "LeasePartsRequest": [{"limit": 5, **LEASE}],
    "LeasesRequest": [{"startingAfter": "x", **TENANCY}],
    "AuditRecordsRequest": [{}, {"limit": 5, "objectId": "x"}],
    "LeaseRequest": [LEASE],
    "TenancyRequest": [TENANCY],
    "RecurringBillItemRequest": [PART],
    "OneTimeBillItemRequest": [ONCE],
    "RentAdjustmentPlanRequest": [{"rentAdjustmentPlanId": "plan-1"}],
    "ProductRequest": [KEY],
    "PayoutRequest": [{"payoutId": "payout-1"}],
    "PendingBillsRequest": [
        {**LEASE, "period": period} for period in ("2026-01-01/2026-01-31", "2026-01", "2026")
    ],
    "CreateTenancy": [HOME, at("country=DNK"), at("co=Holm"), at("floor=")],
    "CreateLease": [{**TENANCY, "purpose": "key:residential"}],
    "ChangeTenancy": [
        TENANCY,
        {**TENANCY, "unitType": "PARKING", "clear": ["unitTypeName", "roomCounts"]},
        {**TENANCY, "roomCounts": ROOMS, "clear": []},
        {**TENANCY, "clear": ["roomCounts"]},
        {**TENANCY, "totalArea": {"value": 0, "unit": "m2"}},
        {**TENANCY, "address": ADDRESS, "groupId": {"a": "b"}},
    ],
    "ChangeLease": [
        {**LEASE, "operationalState": "Ended", "contractEnd": "2026-12-31"},
        {**LEASE, "tenantIds": [], "clear": ["balance", "contractEnd"]},
        {**LEASE, "balances": [{"balanceChargeType": "deposit", "amount": money(1)}]},
    ],
    "ChangeRecurringBillItem": [
        PART,
        {**PART, "amountRecords": [LATER], "clear": ["vatRecords"]},
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
    ],
    "ChangeOneTimeBillItem": [
        ONCE,
        {**ONCE, **fee(quantity=-2, description=""), "clear": []},
        {**ONCE, "clear": ["description", "quantity"]},
    ],
    "ChangeRentAdjustmentPlan": [
        {"rentAdjustmentPlanId": "plan-1", "endedOn": "2030-12-31"},
        {"rentAdjustmentPlanId": "plan-1", "clear": ["cancelledOn"]},
    ],
    "CreateRecurringBillItem": [ITEM, {**LEASE, "recurringBillItem": rent(id=None)}],
    "CreateOneTimeBillItem": [FEE],
    "CreateRentAdjustmentPlan": [
        PLAN,
        {**LEASE, "rentAdjustmentPlan": by_index(leaseId="lease-1")},
    ],
    "RecordProduct": [
        PRODUCT,
        {**PRODUCT, "productKey": "k" * 250, "archived": False, "position": -1},
    ],
    "ChangeProduct": [
        KEY,
        {**PRODUCT, "archived": True, "isDefaultProduct": False, "position": 2},
        {**KEY, "clear": ["position"]},
    ],
    "RecordPayout": [PAYOUT, {**PAYOUT, "bankStatement": "", "payoutReason": "Refund"}],
    "TenancyCreated": [{**TENANCY, **LEASE}],
    "LeaseCreated": [LEASE],
    "RecurringBillItemCreated": [{"recurringBillItemId": "a", "firstDueDate": "2026-01-15"}],
    "OneTimeBillItemCreated": [{"oneTimeBillItemId": "a"}],
    "RentAdjustmentPlanCreated": [{"rentAdjustmentPlanId": "a"}],
    "ProductRecorded": [{"productId": "a"}],
    "PayoutRecorded": [{"payoutId": "a"}],
    "RecurringBillItemPage": [{"recurringBillItems": [rent(id="a", **LEASE)]}],
    "OneTimeBillItemPage": [{"oneTimeBillItems": [fee(id="a", **LEASE)]}],
    "RentAdjustmentPlanPage": [{"rentAdjustmentPlans": [LISTED_PLAN]}],
}

# One object alone shows to a schema that these are wrong.
REFUSED: dict[str, list[tuple[dict[str, Any], str]]] = {
    "PageRequest": [
        ({"limit": 0}, "limit out_of_range"),
        ({"limit": 101}, "limit out_of_range"),
        ({"limit": 1.5}, "limit not_a_whole_number"),
        ({"limit": True}, "limit not_a_whole_number"),
        ({"limit": "10"}, "limit not_a_whole_number"),
        ({"startingAfter": ""}, "startingAfter empty_text"),
        ({"page": 2}, "page unknown_field"),
    ],
    "LeasePartsRequest": [(TENANCY, "tenancyId unknown_field")],
    "LeasesRequest": [(LEASE, "leaseId unknown_field")],
    "AuditRecordsRequest": [({"objectId": ""}, "objectId empty_text")],
    "LeaseRequest": [({}, "leaseId missing")],
    "TenancyRequest": [({"tenancyId": ""}, "tenancyId empty_text")],
    "RecurringBillItemRequest": [
        (ONCE, "recurringBillItemId missing; oneTimeBillItemId unknown_field")
    ],
    "OneTimeBillItemRequest": [({}, "oneTimeBillItemId missing")],
    "RentAdjustmentPlanRequest": [
        ({"rentAdjustmentPlanId": ""}, "rentAdjustmentPlanId empty_text")
    ],
    "ProductRequest": [({"productKey": None}, "productKey missing")],
    "PayoutRequest": [({"payoutId": 7}, "payoutId not_a_text")],
    "PendingBillsRequest": [({"period": "2026-13"}, "leaseId missing; period not_a_period")],
    "CreateTenancy": [
        ({}, "purpose missing; address missing"),
        *(
            ({**HOME, "address": without(ADDRESS, name)}, f"address.{name} missing")
            for name in ADDRESS
        ),
        (at("city="), "address.city empty_text"),
        (at("country=dk"), "address.country not_a_country_code"),
        (at("country=D"), "address.country not_a_country_code"),
        (at("country=DENM"), "address.country not_a_country_code"),
        (at("country=D1"), "address.country not_a_country_code"),
        (at("country=ÆØ"), "address.country not_a_country_code"),
        (at("street=Nygade 7"), "address.street unknown_field"),
        ({**HOME, "id": "mine"}, "id unknown_field"),
    ],
    "CreateLease": [
        (
            {"purpose": "", "address": ADDRESS},
            "tenancyId missing; purpose empty_text; address unknown_field",
        )
    ],
    "ChangeTenancy": [
        (
            {**TENANCY, "roomCounts": [{"type": "BEDROOM"}, {"count": 1}]},
            "roomCounts[0].count missing; roomCounts[1].type missing",
        ),
        (
            {**TENANCY, "roomCounts": [{"type": "BEDROOM", "count": -1}]},
            "roomCounts[0].count out_of_range",
        ),
        ({**TENANCY, "totalArea": {"value": 1}}, "totalArea.unit missing"),
        ({**TENANCY, "clear": ["address"]}, "clear[0] unknown_word"),
        ({**TENANCY, "archivedAt": None, "a": 1}, "archivedAt unknown_field; a unknown_field"),
        (
            {**TENANCY, "address": None, "roomCounts": None, "clear": None, "b": None},
            (
                "b unknown_field; address null_in_change; "
                "roomCounts null_in_change; clear null_in_change"
            ),
        ),
        ({"tenancyId": None}, "tenancyId missing"),
    ],
    "ChangeLease": [
        ({**LEASE, "contractEnd": None}, "contractEnd null_in_change"),
        ({**LEASE, "operationalState": "Archived"}, "operationalState unknown_word"),
        ({**LEASE, "monthlyRentLevel": money(1)}, "monthlyRentLevel unknown_field"),
        ({**LEASE, "balances": [{"amount": money(1)}]}, "balances[0].balanceChargeType missing"),
    ],
    "ChangeRecurringBillItem": [
        (
            {**PART, "endedOn": None, "amountRecords": [LATER, LATER], "clear": ["endedOn"]},
            "endedOn null_in_change; amountRecords[1].start equal_starts",
        ),
        (
            {"amount": money(1), "startedOn": "2026-01-01"},
            "recurringBillItemId missing; amount unknown_field; startedOn unknown_field",
        ),
        (
            {**PART, "quantityRecords": [{"value": 0, "start": "2026-07-01"}]},
            "quantityRecords[0].value zero_quantity",
        ),
        (
            {**PART, "discount": {"percentage": 2}, "clear": ["amount"]},
            "discount.percentage out_of_range; clear[0] unknown_word",
        ),
    ],
    "ChangeRentAdjustmentPlan": [
        ({"rentAdjustmentPlanId": "plan-1", "cancelledOn": None}, "cancelledOn null_in_change"),
        (
            {"rentAdjustmentPlanId": "plan-1", "rentAdjustmentRules": [], "adjusteeRef": "item-2"},
            "rentAdjustmentRules unknown_field; adjusteeRef unknown_field",
        ),
    ],
    "ChangeOneTimeBillItem": [
        (
            {**ONCE, "quantity": 0, "description": "Keys", "clear": ["quantity", "description"]},
            "quantity zero_quantity; clear[0] cleared_and_set; clear[1] cleared_and_set",
        ),
        (
            {**ONCE, "dueDate": None, "description": None, "id": "mine", "clear": ["amount"]},
            (
                "clear[0] unknown_word; id unknown_field; "
                "dueDate null_in_change; description null_in_change"
            ),
        ),
    ],
    "CreateRecurringBillItem": [
        (LEASE, "recurringBillItem missing"),
        ({**LEASE, "recurringBillItem": rent(id="mine")}, "recurringBillItem.id given_id"),
    ],
    "CreateOneTimeBillItem": [
        ({**LEASE, "oneTimeBillItem": fee(id="mine")}, "oneTimeBillItem.id given_id")
    ],
    "CreateRentAdjustmentPlan": [
        (
            {**LEASE, "rentAdjustmentPlan": by_index(id="mine", leaseId="lease-2")},
            "rentAdjustmentPlan.id given_id; rentAdjustmentPlan.leaseId other_lease",
        ),
        (
            {**LEASE, "rentAdjustmentPlan": by_index(nextAdjustmentDate="2027-01-01")},
            "rentAdjustmentPlan.nextAdjustmentDate follows",
        ),
    ],
    "RecordProduct": [
        ({**PRODUCT, "productName": {}}, "productName says_nothing"),
        ({**PRODUCT, "productName": {"en": ""}}, "productName says_nothing"),
        ({"productName": {"en": "Rent"}}, "productKey missing"),
        ({**PRODUCT, "productKey": "k" * 251}, "productKey too_long"),
        ({**PRODUCT, "productId": "mine"}, "productId unknown_field"),
    ],
    "ChangeProduct": [
        (
            {**KEY, "productName": {"de": ""}, "position": 2, "clear": ["position"]},
            "productName says_nothing; clear[0] cleared_and_set",
        ),
        (
            {**KEY, "custom": False, "productId": "mine", "clear": ["productName"]},
            "clear[0] unknown_word; custom unknown_field; productId unknown_field",
        ),
    ],
    "RecordPayout": [
        ({**PAYOUT, "payoutReason": "Gift"}, "payoutReason unknown_word"),
        (without(PAYOUT, "gross"), "gross missing"),
        (without(PAYOUT, "fees"), "fees missing"),
    ],
}

# Sums, orders and ends before starts are no matter of a schema.
REFUSED_BY_THE_READER: dict[str, list[tuple[dict[str, Any], str]]] = {
    "PendingBillsRequest": [
        ({**LEASE, "period": "2026-02-01/2026-01-31"}, "period reversed_period")
    ],
    "ChangeTenancy": [
        ({**TENANCY, "roomCounts": [], "clear": ["roomCounts"]}, "clear[0] cleared_and_set")
    ],
    "ChangeLease": [
        (
            {**LEASE, "contractStart": "2026-02-01", "contractEnd": "2026-01-31"},
            "contractEnd reversed_period",
        ),
        (
            {
                **LEASE,
                "contractStart": "2026-02-01",
                "balance": money(1),
                "clear": ["balance", "contractStart"],
            },
            "clear[0] cleared_and_set; clear[1] cleared_and_set",
        ),
    ],
    "ChangeRecurringBillItem": [
        (
            {
                **PART,
                "amountRecords": [LATER, LATER],
                "endedOn": "2026-12-31",
                "clear": ["endedOn"],
            },
            "amountRecords[1].start equal_starts; clear[0] cleared_and_set",
        ),
        ({**PART, "amountRecords": [LATER, LATER]}, "amountRecords[1].start equal_starts"),
        ({**PART, "discount": TENTH, "discounts": [TENTH]}, "discounts one_of_two"),
    ],
    "ChangeRentAdjustmentPlan": [
        (
            {"rentAdjustmentPlanId": "plan-1", "endedOn": "2030-12-31", "clear": ["endedOn"]},
            "clear[0] cleared_and_set",
        )
    ],
    "CreateRecurringBillItem": [
        ({**LEASE, "recurringBillItem": rent(discount={})}, "recurringBillItem.discount one_of_two")
    ],
    "RecordPayout": [
        ({**PAYOUT, "net": money(981)}, "net.amount wrong_sum"),
        (
            {**PAYOUT, "net": money(980, "EUR"), "fees": money(20, "SEK")},
            "fees.currency currency_mismatch; net.currency currency_mismatch",
        ),
    ],
}


def valid(name: str, data: Any) -> bool:  # noqa: ANN401
    return Draft202012Validator(schema_of(name)).is_valid(data)


@rows("name", ACCEPTED)
def test_reader_and_schema_accept_the_same(name: str) -> None:
    """What is read may be written again, and reads the same; null is absent (A6)."""
    for data in ACCEPTED[name]:
        read = loads(json.dumps(data), KINDS[name])

        assert read == loads(dumps(read), KINDS[name])
        assert valid(name, data)
        assert valid(name, json.loads(dumps(read)))


@rows("name", REFUSED)
def test_reader_and_schema_refuse_the_same(name: str) -> None:
    """Every problem at once, each with its path (A46, A50)."""
    by_both, more = REFUSED[name], REFUSED_BY_THE_READER.get(name, [])
    for data, problems in (*by_both, *more):
        found = faults(partial(loads, json.dumps(data), KINDS[name]))
        assert problems == "; ".join(f"{path} {code}" for path, code in found)

    assert [False] * len(by_both) == [valid(name, data) for data, _ in by_both]
    assert [True] * len(more) == [valid(name, data) for data, _ in more]


def test_every_request_and_answer_is_tried() -> None:
    sent = {each.request.__name__ for each in ENDPOINTS.values()}

    assert set() == sent - set(ACCEPTED)
    assert set() == sent - set(REFUSED)
    assert set() == set(REFUSED_BY_THE_READER) - set(REFUSED)
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
            "changes nothing",
            "null",
            "a value, or contractEnd in clear",
        ),
        Problem("purpose", "null_in_change", "changes nothing", "null", "a value"),
    ] == list(refusal.value.problems)
    assert {} == ChangeLease(lease_id="lease-1", contract_end=None).changes()


def test_a_payout_is_exact() -> None:
    """1000.10 less 20.05 is 980.05, to the last digit (A1)."""
    body = {**PAYOUT, "gross": money(1000.10), "fees": money(20.05), "net": money(980.05)}

    assert (
        Decimal("980.05") == KINDS["RecordPayout"].model_validate(body).model_dump()["net"].amount
    )


@rows(
    ("change", "item"),
    [
        (ChangeRecurringBillItem, RecurringBillItem),
        (ChangeOneTimeBillItem, OneTimeBillItem),
    ],
)
def test_what_an_item_may_be_without_can_be_cleared(change: Any, item: Any) -> None:  # noqa: ANN401
    """Every field that a change may give and an item need not have."""
    known = {each.wire: each for each in fields_of(change)}
    optional = {each.wire for each in fields_of(item) if not each.required}

    assert {*get_args(known["clear"].type.innermost)} == optional & known.keys()
