"""Pages: order, size and cursor of every list, and what each operation costs its store."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from rentbilling.interface import ENDPOINTS, RESOURCES, Lease, Tenancy
from rentbilling.records import fields_of
from rentbilling.service import KINDS, OPERATIONS, Context, Stored, called
from tests.conformance.proving import proves
from tests.service.test_products import PAYOUT, SAUNA
from tests.support.operated import DEPOSIT, NOON, Service, by_percent, fee, rent
from tests.support.rows import rows

# Audit records are written with changes, not by an operation of their own: see test_audit.
PAGED = tuple(
    name
    for name, each in ENDPOINTS.items()
    if each.page_of is not None and name != "list_audit_records"
)


def filled(service: Service, objects: int) -> None:
    for at in range(objects):
        lease_id = service.lease(rent(), balances=[DEPOSIT])
        service("create_one_time_bill_item", lease_id, oneTimeBillItem=fee())
        service.plan(lease_id, by_percent(0.02))
        service("record_product", SAUNA, productKey=f"key:{at}")
        service("record_payout", PAYOUT)


def listed(service: Service, operation: str, **told: Any) -> list[Any]:  # noqa: ANN401
    answer = service(operation, **told)
    return [*getattr(answer, next(iter(type(answer).model_fields)))]


def id_of(each: Any) -> str:  # noqa: ANN401
    found: str = each.product_id if hasattr(each, "product_id") else each.id
    return found


@pytest.mark.parametrize("operation", PAGED)
@proves("Endpoints 3", "Gaps in the endpoint definitions 2")
def test_pages_cover_everything_once_and_in_order(operation: str) -> None:
    """Of 23 objects, pages of 5 are 5, 5, 5, 5 and 3, without a twin (A43)."""
    service = Service()
    filled(service, 23)
    whole = [id_of(each) for each in listed(service, operation, limit=100)]
    pages: list[list[str]] = []
    after: dict[str, Any] = {}
    while not pages or len(pages[-1]) == 5:
        pages.append([id_of(each) for each in listed(service, operation, limit=5, **after)])
        after = {"startingAfter": pages[-1][-1]}

    assert [5, 5, 5, 5, 3] == [len(each) for each in pages]
    assert whole == [each for page in pages for each in page]
    assert len(set(whole)) == 23
    assert sorted(whole, key=lambda each: int(each.removeprefix("id-"))) == whole
    assert whole[:10] == [id_of(each) for each in listed(service, operation)]


@rows("operation", PAGED)
def test_after_the_last_object_comes_an_empty_page(operation: str) -> None:
    service = Service()
    filled(service, 1)
    (only,) = listed(service, operation)

    assert [] == listed(service, operation, startingAfter=id_of(only))
    assert [] == listed(Service(), operation)


@rows("operation", PAGED)
def test_a_cursor_that_never_was_is_refused(operation: str) -> None:
    """With its path, as what it is: a bad parameter, no missing object (A43)."""
    service = Service()
    filled(service, 1)

    assert [("startingAfter", "unknown_cursor")] == service.paths(operation, startingAfter="id-99")


@rows("operation", PAGED)
def test_a_cursor_of_somebody_else_is_refused_like_one_that_never_was(operation: str) -> None:
    """Nobody learns that another owner has an object of that id (A45)."""
    service = Service()
    filled(service, 1)
    (theirs,) = listed(service, operation)
    error = service.refused(operation, by="other", startingAfter=id_of(theirs))
    unknown = service.refused(operation, by="other", startingAfter="id-99")

    assert str(unknown).replace("id-99", id_of(theirs)) == str(error)


def test_a_page_goes_on_after_an_object_that_is_gone() -> None:
    """Its place stays; here the middle one of three is removed by the embedder (A43)."""
    service = Service()
    filled(service, 3)
    first, second, third = (each.id for each in listed(service, "list_leases"))
    with service.stores.writing("home") as store:
        store.remove(Lease, second)

    assert [first, third] == [each.id for each in listed(service, "list_leases")]
    assert [third] == [each.id for each in listed(service, "list_leases", startingAfter=second)]


def test_a_cursor_of_another_lease_keeps_its_place_in_a_list_of_one() -> None:
    service = Service()
    one = service.lease(rent())
    other = service.lease(rent())
    water = rent(300, productKey="key:water")
    service("create_recurring_bill_item", one, recurringBillItem=water)
    (theirs,) = listed(service, "list_recurring_bill_items", leaseId=other)
    found = listed(service, "list_recurring_bill_items", leaseId=one, startingAfter=theirs.id)

    assert ["key:water"] == [each.product_key for each in found]


COSTS: dict[str, dict[str, int]] = {
    "list_tenancies": {"page": 1, "belonging": 4},
    "list_leases": {"page": 1, "belonging": 3},
    "list_rent_adjustment_plans": {"page": 1, "several": 1, "belonging": 3},
    "list_recurring_bill_items": {"page": 1},
    "list_one_time_bill_items": {"page": 1},
    "list_products": {"page": 1},
    "list_payouts": {"page": 1},
}


@pytest.mark.parametrize("operation", PAGED)
def test_a_page_costs_the_same_whatever_its_length(operation: str) -> None:
    service = Service()
    filled(service, 12)
    for limit in (1, 12):
        assert limit == len(listed(service, operation, limit=limit))
        assert COSTS[operation] == service.calls


@rows(
    ("operation", "body", "calls"),
    [
        ("retrieve_lease", {}, {"find": 1, "belonging": 3}),
        ("retrieve_lease_terms", {}, {"find": 1, "belonging": 4}),
        ("list_pending_bills", {"period": "2026-01-01/2026-12-31"}, {"find": 1, "belonging": 4}),
        (
            "create_recurring_bill_item",
            {"recurringBillItem": rent(productKey="key:water")},
            {"find": 1, "count": 2, "belonging": 4, "add": 1},
        ),
        (
            "create_one_time_bill_item",
            {"oneTimeBillItem": fee()},
            {"find": 1, "count": 2, "add": 1},
        ),
        ("change_lease", {"purpose": "key:office"}, {"find": 1, "belonging": 3, "replace": 1}),
        ("archive_lease", {}, {"find": 1, "replace": 1, "belonging": 3}),
    ],
)
def test_one_lease_costs_a_fixed_number_of_calls(
    operation: str, body: dict[str, Any], calls: dict[str, int]
) -> None:
    service = Service()
    filled(service, 1)
    for at in range(5):
        item = rent(100, productKey=f"key:{at}")
        service("create_recurring_bill_item", "id-2", recurringBillItem=item)
    service(operation, body, leaseId="id-2")

    assert calls == service.calls


@rows(
    ("operation", "changes", "calls"),
    [
        ("change_recurring_bill_item", {"recurringBillItemId": "id-3", "endedOn": "2026-12-31"}, 4),
        (
            "change_rent_adjustment_plan",
            {"rentAdjustmentPlanId": "id-6", "endedOn": "2026-12-31"},
            3,
        ),
    ],
)
def test_a_change_of_a_part_costs_a_fixed_number_of_calls(
    operation: str, changes: dict[str, Any], calls: int
) -> None:
    service = Service()
    filled(service, 3)
    service(operation, changes)

    assert {"find": 2, "belonging": calls, "replace": 1} == service.calls


@rows(
    ("operation", "body", "calls"),
    [
        ("create_recurring_bill_item", {"recurringBillItem": rent()}, {"count": 2, "add": 1}),
        ("create_one_time_bill_item", {"oneTimeBillItem": fee()}, {"count": 2, "add": 1}),
        (
            "change_recurring_bill_item",
            {"recurringBillItemId": "id-3", "endedOn": "2026-12-31"},
            {"replace": 1},
        ),
    ],
)
def test_an_item_without_plans_is_added_and_changed_without_reading_the_others(
    operation: str, body: dict[str, Any], calls: dict[str, int]
) -> None:
    service = Service()
    lease_id = service.lease(rent(), rent(900, productKey="key:water"))
    service("create_one_time_bill_item", lease_id, oneTimeBillItem=fee())
    above = {"leaseId": lease_id} if operation.startswith("create") else {}
    service(operation, {**above, **body})

    assert calls.items() <= service.calls.items()
    assert 1 >= service.calls["belonging"]


def test_every_endpoint_has_its_operation() -> None:
    assert list(ENDPOINTS) == list(OPERATIONS)
    assert [False] * 9 + [True] * 25 == [each.ours for each in ENDPOINTS.values()]
    for name, each in ENDPOINTS.items():
        assert name == each.operation
        assert name == getattr(OPERATIONS[name], "__name__", None)


def test_the_interface_is_told_as_it_stands() -> None:
    """Method, path, status, right and page of the nine operations (A47)."""
    table = [
        (each.method, each.path, each.status, f"{each.resource}:{each.right}", each.page_of)
        for each in ENDPOINTS.values()
        if not each.ours
    ]

    assert [
        ("POST", "/recurring-bill-items", 201, "recurring-bill-items:write", None),
        ("POST", "/tenancies", 201, "tenancies:write", None),
        (
            "GET",
            "/rent-adjustment-plans",
            200,
            "rent-adjustment-plans:read",
            "rent_adjustment_plans",
        ),
        ("GET", "/tenancies", 200, "tenancies:read", "tenancies"),
        ("GET", "/leases", 200, "leases:read", "leases"),
        ("GET", "/leases/{leaseId}", 200, "leases:read", None),
        ("GET", "/products", 200, "products:read", "products"),
        ("GET", "/payouts", 200, "payouts:read", "payouts"),
        ("GET", "/pending-bills", 200, "pending-bills:read", None),
    ] == table


@rows("name", ENDPOINTS)
def test_what_stands_in_a_path_is_a_field_of_the_request(name: str) -> None:
    endpoint = ENDPOINTS[name]
    fields = {field.wire for field in fields_of(endpoint.request)}

    assert set(endpoint.in_path) <= fields
    assert endpoint.has_body is (
        endpoint.method != "GET" and not endpoint.path.endswith(("/archive", "/withdraw"))
    )
    assert endpoint.resource in RESOURCES
    assert (201 if name.startswith(("create_", "record_")) else 200) == endpoint.status


def test_kinds_are_called_what_they_are() -> None:
    assert [
        "tenancy",
        "lease",
        "recurring bill item",
        "one-time bill item",
        "rent adjustment plan",
        "balance",
        "product",
        "payout",
        "audit record",
    ] == [called(kind) for kind in KINDS]


def no_id() -> str:
    return ""


def test_facts_are_of_a_moment_that_can_be_placed() -> None:
    facts = Context(moment=NOON, new_id=no_id)

    assert date(2026, 3, 15) == facts.day
    assert date(2026, 1, 1) == replace(facts, today=date(2026, 1, 1)).day
    with pytest.raises(TypeError, match="a moment has an offset"):
        Context(moment=datetime(2026, 3, 15, 12, tzinfo=UTC).replace(tzinfo=None), new_id=no_id)


def test_an_embedder_may_keep_several_leases_of_a_tenancy() -> None:
    service = Service()
    service.lease()
    second = Lease(id="own", tenancy_id="id-1", operational_state="Draft")
    service.keep(Stored(second, "own", "id-1"), Stored(Tenancy(id="empty"), "empty"))
    first, empty = listed(service, "list_tenancies")

    assert (("id-2", "own"), "own") == (first.lease_ids, first.current_lease.id)
    assert ((), None) == (empty.lease_ids, empty.current_lease)
