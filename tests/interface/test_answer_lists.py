"""Lists that the interface names are always sent (assumption A72).

A typed client reads `plan["adjustments"]` without asking first whether the plan has any. Single
values that are absent are left out (A6), and an empty list reads as absent.
"""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from jsonschema import Draft202012Validator

import rentbilling as rb
from rentbilling.adapters.http.docs.openapi import openapi_document
from rentbilling.adapters.stores.stored_texts import record_of, text_of
from rentbilling.codec import answer_text
from rentbilling.interface import (
    CreateRentAdjustmentPlan,
    Lease,
    LeasePage,
    RentAdjustmentPlanPage,
    Tenancy,
    TenancyPage,
    schema_of,
)
from rentbilling.records import Record
from tests.support.rows import rows

INDEX: Final = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
PLAN: Final = rb.RentAdjustmentPlan(rent_adjustment_rules=(INDEX,))
MADE: Final = rb.RentAdjustment(adjusted_on=date(2027, 1, 1))
SPARSE_PLAN: Final = {
    "rentAdjustmentRules": [{"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}]
}
RENT: Final = {
    "productKey": "key:rent",
    "amount": {"currency": "DKK", "amount": 8500.0},
    "vat": {"taxMode": "Exempt"},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-01",
    "firstBillingPeriodBillItem": {
        "amount": {"currency": "DKK", "amount": 8500.0},
        "dueDate": "2026-01-01",
        "accountingPeriod": "2026-01-01/2026-01-31",
    },
}
LISTS: Final[Mapping[type[Record], tuple[str, ...]]] = {
    Lease: ("tenantIds", "associatedContactIds"),
    Tenancy: ("leaseIds", "roomCounts"),
    rb.RentAdjustmentPlan: ("rentAdjustmentRules", "adjustments"),
    rb.RentAdjustmentRule: ("increments",),
    rb.RentAdjustment: ("adjustmentRulesEffects",),
}
"""Every list that the interface names inside an object."""


@rows("record", [Lease(id="a"), Tenancy(id="a"), rb.RentAdjustmentPlan(), INDEX, MADE])
@rows("full", [False, True])
def test_an_empty_list_is_written(record: Record, full: bool) -> None:
    """Every list of the interface is there, and reads as absent again (A72)."""
    data = json.loads(rb.dumps(record, full=full))

    assert {name: [] for name in LISTS[type(record)]} == {
        name: value for name, value in data.items() if isinstance(value, list)
    }
    assert record == rb.loads(rb.dumps(record, full=full), type(record))


def test_lists_that_the_interface_does_not_name_stay_absent() -> None:
    assert "{}" == rb.dumps(rb.AdjustmentEffect())
    assert "{}" == rb.dumps(rb.AdjustmentEffect(), full=True)
    clause = {"series": "CPI"}
    rule = json.loads(rb.dumps(INDEX.evolve(index_clause=clause)))
    assert (clause, []) == (rule["indexClause"], rule["increments"])


def test_lists_are_written_however_deep_they_stand() -> None:
    page = RentAdjustmentPlanPage(rent_adjustment_plans=(PLAN.evolve(adjustments=(MADE,)),))
    (plan,) = json.loads(rb.dumps(page))["rentAdjustmentPlans"]
    tenancy = Tenancy(id="a", current_lease=Lease(id="b"))
    (listed,) = json.loads(rb.dumps(TenancyPage(tenancies=(tenancy,))))["tenancies"]

    assert [] == plan["rentAdjustmentRules"][0]["increments"]
    assert [] == plan["adjustments"][0]["adjustmentRulesEffects"]
    assert {"id": "b", "tenantIds": [], "associatedContactIds": []} == listed["currentLease"]


@rows("full", [False, True])
def test_adjustments_of_a_result_have_their_effects(full: bool) -> None:
    """Also one that has none, because a record took its place."""
    (made,) = json.loads(rb.dumps(rb.AdjustmentResult((MADE,), ()), full=full))["adjustments"]

    assert [] == made["adjustmentRulesEffects"]
    bills = rb.BillingResult((), (), adjustments=(MADE,))
    (beside,) = json.loads(rb.dumps(bills, full=True))["adjustments"]
    assert [] == beside["adjustmentRulesEffects"]


def test_a_lease_file_has_no_empty_lists() -> None:
    """A file is no answer (A57): whoever writes one by hand leaves out what the lease has not."""
    file = {"recurringBillItems": [RENT], "rentAdjustmentPlans": [SPARSE_PLAN]}

    written = json.loads(rb.dumps(rb.loads(json.dumps(file))))

    assert file == written
    assert [] == [*faults(schema_of("LeaseTerms"), written)]


def test_an_operation_answers_the_lists_of_a_lease_file() -> None:
    """Where the terms of a lease are an answer, the lists of the interface stand in them (A72)."""
    terms = rb.loads(json.dumps(RENT)).evolve(rent_adjustment_plans=(PLAN,))
    answered = json.loads(answer_text(terms))
    (plan,) = answered["rentAdjustmentPlans"]

    assert [] == plan["adjustments"] == plan["rentAdjustmentRules"][0]["increments"]
    assert terms == rb.loads(answer_text(terms))
    # Names of the file itself are ours, and stay absent.
    assert ["recurringBillItems", "rentAdjustmentPlans"] == list(answered)
    assert answer_text(rb.BillingResult((), ())) == rb.dumps(rb.BillingResult((), ()))


def test_a_request_need_not_carry_them() -> None:
    body = {"leaseId": "a", "rentAdjustmentPlan": SPARSE_PLAN}
    short = CreateRentAdjustmentPlan.model_validate(body)
    empty = {
        "adjustments": [],
        "rentAdjustmentRules": [{**SPARSE_PLAN["rentAdjustmentRules"][0], "increments": []}],
    }
    long = CreateRentAdjustmentPlan.model_validate({**body, "rentAdjustmentPlan": empty})

    assert body == json.loads(rb.dumps(short))
    assert short == long


@rows(
    ("kind", "text"),
    [
        (LeasePage, '{"leases": [{"id": "a"}]}'),
        (TenancyPage, '{"tenancies": [{"id": "a", "currentLease": {"id": "b"}}]}'),
        (RentAdjustmentPlanPage, json.dumps({"rentAdjustmentPlans": [SPARSE_PLAN]})),
    ],
)
def test_what_an_older_service_answers_is_read(kind: type[Record], text: str) -> None:
    """Without the lists it means the same (A6, A72), and the schema of answers asks for them."""
    old = rb.loads(text, kind, from_service=True)
    new = rb.dumps(old)

    assert old == rb.loads(new, kind, from_service=True)
    assert [] == faults(schema_of(kind.__name__), json.loads(new))
    assert faults(schema_of(kind.__name__), json.loads(text))


@rows(
    ("kind", "text"),
    [
        (Lease, '{"id": "a"}'),
        (Tenancy, '{"id": "a", "leaseIds": ["b"]}'),
        (rb.RentAdjustmentPlan, json.dumps(SPARSE_PLAN)),
    ],
)
def test_what_an_older_version_kept_is_answered_with_its_lists(
    kind: type[Record], text: str
) -> None:
    """A store whose texts have no empty lists gives the same records (A72)."""
    kept = record_of(kind, text)
    answered = json.loads(answer_text(kept))

    assert {*LISTS[kind]} <= answered.keys()
    assert kept == record_of(kind, text_of(kept))


@rows(
    ("name", "data"),
    [
        ("Lease", {"id": "a"}),
        ("Tenancy", {"id": "a"}),
        ("AdjustmentResult", {"adjustments": [{"adjustedOn": "2027-01-01"}]}),
        (
            "BillingResultFull",
            {"bills": [], "notices": [], "adjustments": [{"adjustedOn": "2027-01-01"}]},
        ),
    ],
)
def test_schemas_of_answers_ask_for_the_lists(name: str, data: dict[str, Any]) -> None:
    assert faults(schema_of(name), data)


@rows(
    ("name", "data"),
    [("RentAdjustmentPlan", SPARSE_PLAN), ("RentAdjustment", {"adjustedOn": "2027-01-01"})],
)
def test_schemas_of_what_is_written_by_hand_do_not(name: str, data: dict[str, Any]) -> None:
    assert [] == faults(schema_of(name), data)


@rows("kind", LISTS)
def test_the_document_asks_for_the_lists_in_answers(kind: type[Record]) -> None:
    schema = openapi_document()["components"]["schemas"][kind.__name__]

    assert {*LISTS[kind]} <= {*schema["required"]}
    assert ["array"] * len(LISTS[kind]) == [
        schema["properties"][name]["type"] for name in LISTS[kind]
    ]


def test_the_document_asks_for_no_list_in_bodies() -> None:
    schemas = openapi_document()["components"]["schemas"]
    sent = schemas["CreateRentAdjustmentPlan"]["properties"]["rentAdjustmentPlan"]["$ref"]
    name = sent.rpartition("/")[2]
    plan = schemas[name]

    assert "NewRentAdjustmentPlan" == name
    assert "required" not in plan
    assert 1_000 == plan["properties"]["adjustments"]["maxItems"]
    assert "maxItems" not in schemas["RentAdjustmentPlan"]["properties"]["adjustments"]
    assert "increments" not in schemas["NewRentAdjustmentRule"]["required"]
    assert {"adjustedOn"} == {*schemas["NewRentAdjustment"]["required"]}


def faults(schema: dict[str, Any], data: Any) -> list[str]:  # noqa: ANN401
    return [error.message for error in Draft202012Validator(schema).iter_errors(data)]
