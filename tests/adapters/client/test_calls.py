"""What is sent for each operation, and as what its answer is read."""

import inspect
import json
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlencode

import httpx
import pytest

from rentbilling import (
    Amount,
    AmountRecord,
    BillingPolicy,
    Period,
    RentAdjustment,
    dumps,
    interface as api,
)
from rentbilling.adapters.client import AsyncRentalClient, RentalClient
from rentbilling.adapters.client.calls import call_of
from rentbilling.adapters.http.docs.openapi import examples
from rentbilling.errors import InvalidRecordError
from rentbilling.records import write_json
from rentbilling.testing import a_plan, a_rent
from tests.adapters.client.callers import BASE, KEY, Act, Caller, always, body_of, says, target_of

ADDRESS = api.NewTenancyAddress(
    street_name="Nygade", street_number="7", postal_code="1164", city="København", country="DK"
)
PLAN = a_plan()


class Sample(NamedTuple):
    """An operation with what should be sent for it."""

    operation: str
    """Its name."""
    act: Act
    """How it is called."""
    target: str
    """Path and query, below the base address."""
    answer: Mapping[str, Any]
    """What the service answers, as JSON."""
    body: object = None
    """What is sent, as JSON."""


def example_of(operation: str) -> Sample:
    """Return the example of the document: its parameters and its body are the arguments."""
    endpoint, asked = api.ENDPOINTS[operation], examples()["operations"][operation]
    told = json.loads(write_json(asked))
    request = endpoint.request.model_validate(asked.get("parameters", {}) | asked.get("body", {}))
    query: dict[str, Any] = {"limit": 10} if "limit" in endpoint.request.model_fields else {}
    query |= told.get("parameters", {})
    path = endpoint.path.format(**{name: quote(query.pop(name)) for name in endpoint.in_path})

    def act(client: RentalClient) -> Any:  # noqa: ANN401
        method = getattr(client, operation)
        if "request" in inspect.signature(method).parameters:
            return method(request)
        fields = {name: getattr(request, name) for name in type(request).model_fields}
        return method(**fields) if "limit" in fields else method(*fields.values())

    target = f"{path}?{urlencode(query)}" if query else path
    return Sample(operation, act, target, told["answer"], told.get("body"))


SAMPLES = (
    *map(example_of, api.ENDPOINTS),
    Sample(
        "list_leases",
        lambda client: client.list_leases(starting_after="a&b=c", tenancy_id="t 1"),
        "/leases?limit=10&startingAfter=a%26b%3Dc&tenancyId=t%201",
        {"leases": []},
    ),
    Sample(
        "change_recurring_bill_item",
        lambda client: client.change_recurring_bill_item(
            api.ChangeRecurringBillItem(
                recurring_bill_item_id="item 1",
                amount_records=(AmountRecord(value=Amount(9000, "DKK"), start=date(2026, 7, 1)),),
                clear=("discount",),
            )
        ),
        "/recurring-bill-items/item%201",
        json.loads(dumps(a_rent())),
        {
            "amountRecords": [
                {"value": {"currency": "DKK", "amount": 9000}, "start": "2026-07-01"}
            ],
            "clear": ["discount"],
        },
    ),
    # Without a tenant from now on: an empty list is sent, too.
    Sample(
        "change_lease",
        lambda client: client.change_lease(api.ChangeLease(lease_id="lease-1", tenant_ids=())),
        *("/leases/lease-1", {"id": "lease-1"}, {"tenantIds": []}),
    ),
    # A new plan has no empty lists (A72).
    Sample(
        "create_rent_adjustment_plan",
        lambda client: client.create_rent_adjustment_plan("lease-1", PLAN),
        *("/rent-adjustment-plans", {"rentAdjustmentPlanId": "plan-1"}),
        {
            "leaseId": "lease-1",
            "rentAdjustmentPlan": {
                "rentAdjustmentRules": [
                    {"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}
                ]
            },
        },
    ),
)
by_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.operation)


@by_sample
def test_an_operation_is_sent_as_the_table_says(caller: Caller, sample: Sample) -> None:
    """Method, path, query, body and headers are those of the interface, with the bare key (A45)."""
    endpoint = api.ENDPOINTS[sample.operation]
    found = caller.result_of(always(sample.answer, endpoint.status), sample.act)
    (sent,) = caller.sent

    assert endpoint.answer is type(found)
    assert (endpoint.method, f"/api{sample.target}") == (sent.method, target_of(sent))
    assert [KEY] == sent.headers.get_list("Authorization")
    assert "application/json" == sent.headers["Accept"]
    if sample.body is None:
        assert (b"", "Content-Type" in sent.headers) == (sent.content, False)
    else:
        assert "application/json" == sent.headers["Content-Type"]
        assert sample.body == body_of(sent)


@by_sample
def test_the_help_of_an_extension_says_so(sample: Sample) -> None:
    for kind in (RentalClient, AsyncRentalClient):
        told = inspect.getdoc(getattr(kind, sample.operation)) or ""
        assert not api.ENDPOINTS[sample.operation].ours or "extension" in told.lower()


@by_sample
def test_a_newer_service_is_read(caller: Caller, sample: Sample) -> None:
    """Fields that we do not know are passed over (A50)."""
    known = caller.result_of(always(sample.answer), sample.act)
    newer = caller.result_of(always({**sample.answer, "newField": {"deep": [1]}}), sample.act)

    assert dumps(known) == dumps(newer)


def public_methods(kind: type[object]) -> dict[str, Callable[..., Any]]:
    return {
        name: method
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_both_clients_have_the_same_methods() -> None:
    """Names, arguments, defaults and help are the same; only closing is called otherwise."""
    waiting, other = public_methods(RentalClient), public_methods(AsyncRentalClient)
    del waiting["close"], other["aclose"]

    assert waiting.keys() == other.keys()
    for name, method in waiting.items():
        twin = other[name]
        mine, theirs = inspect.signature(method), inspect.signature(twin)
        assert list(mine.parameters.values()) == list(theirs.parameters.values())
        assert inspect.getdoc(method) == inspect.getdoc(twin)
        given = str(mine.return_annotation).replace("abc.Iterator", "abc.AsyncIterator")
        assert given == str(theirs.return_annotation)


@pytest.mark.parametrize(
    ("lease_id", "segment"),
    [
        ("a/b", "a%2Fb"),
        ("..", "%2E%2E"),
        (".", "%2E"),
        ("..a", "..a"),
        ("Ø 1", "%C3%98%201"),
        ("100%", "100%25"),
        ("a?b#c", "a%3Fb%23c"),
        ("{leaseId}", "%7BleaseId%7D"),
    ],
)
def test_an_id_stays_one_part_of_the_path(caller: Caller, lease_id: str, segment: str) -> None:
    caller.result_of(always({"id": "x"}), lambda client: client.retrieve_lease(lease_id))

    assert f"/api/leases/{segment}" == target_of(caller.sent[0])


@pytest.mark.parametrize("given", [{"purpose": "x"}, api.ChangeLease(lease_id="x"), None])
def test_anything_but_the_record_of_the_method_is_refused(caller: Caller, given: object) -> None:
    error = caller.error_of(always({}), lambda client: client.create_tenancy(cast("Any", given)))

    assert isinstance(error, TypeError)
    assert str(error).startswith("create_tenancy takes the record CreateTenancy, not ")
    assert "CreateTenancy.model_validate(…) reads plain data" in str(error)
    assert [] == caller.sent


@pytest.mark.parametrize(
    ("act", "path", "code"),
    [
        (lambda client: client.retrieve_lease("x" * 251), "lease_id", "too_long"),
        (lambda client: client.list_leases(starting_after="ø" * 251), "starting_after", "too_long"),
        (lambda client: client.retrieve_product("k" * 251), "product_key", "too_long"),
        (
            lambda client: client.change_lease(api.ChangeLease(lease_id="x" * 251, purpose="y")),
            "lease_id",
            "too_long",
        ),
        (lambda client: client.retrieve_lease("a\r\nb"), "lease_id", "control_character"),
        (lambda client: client.list_leases(limit=101), "limit", "out_of_range"),
    ],
    ids=["path", "query", "key", "change", "control", "limit"],
)
def test_an_argument_that_the_record_refuses_is_not_sent(
    caller: Caller, act: Act, path: str, code: str
) -> None:
    """It is refused by its name, so that no address is too long."""
    error = caller.error_of(always({}), act)

    assert isinstance(error, InvalidRecordError)
    assert [(path, code)] == [(each.path, each.code) for each in error.problems][:1]
    assert [] == caller.sent


def test_what_is_sent_in_a_body_may_be_long(caller: Caller) -> None:
    tenants = tuple(f"tenant-{number:04}" for number in range(900))
    request = api.ChangeLease(lease_id="x", tenant_ids=tenants)
    caller.result_of(always({"id": "x"}), lambda client: client.change_lease(request))

    assert len(caller.sent[0].content) > 9_000
    assert list(tenants) == body_of(caller.sent[0])["tenantIds"]


def test_a_plan_is_sent_with_all_its_fields(caller: Caller) -> None:
    """Creating plans is an extension, so that no field of an adjustment is left out (A56)."""
    listed = RentAdjustment(
        id="a", adjusted_on=date(2026, 1, 1), year="2026", plan_id="p", adjustee_id="item-1"
    )
    plan = a_plan(adjustments=(listed,))
    caller.result_of(
        always({"rentAdjustmentPlanId": "p"}),
        lambda client: client.create_rent_adjustment_plan("lease-1", plan),
    )
    (sent,) = body_of(caller.sent[0])["rentAdjustmentPlan"]["adjustments"]

    assert ("p", "item-1") == (sent["planId"], sent["adjusteeId"])


def test_a_call_shows_what_is_asked() -> None:
    call = call_of("retrieve_lease", api.LeaseRequest(lease_id="lease-1"), api.Lease)

    assert ("GET /leases/lease-1", True) == (call.request_line, call.is_safe)


@pytest.mark.parametrize(
    ("base", "expected"), [(BASE, BASE), (f"{BASE}/", BASE), ("http://h:8080", "http://h:8080")]
)
def test_a_base_address_may_have_a_path_and_a_slash(
    caller: Caller, base: str, expected: str
) -> None:
    caller.result_of(always({"id": "x"}), lambda client: client.retrieve_lease("x"), base_url=base)

    assert f"{expected}/leases/x" == str(caller.sent[0].url)


def test_periods_are_written_in_the_convention_of_the_service(caller: Caller) -> None:
    """Under half-open periods January is 2026-01-01/2026-02-01, as a text or a period (A4)."""
    half_open = BillingPolicy(period_end="excluded")
    january = Period.parse("2026-01-01/2026-01-31")
    for period in (january, "2026-01-01/2026-02-01", "2026-01", ("2026-01-01", january.end)):
        caller.result_of(
            always({"bills": []}),
            lambda client, period=period: client.pending_bills("x", period),  # type: ignore[misc]
            policy=half_open,
        )

    assert ["2026-01-01/2026-02-01"] * 4 == [each.url.params["period"] for each in caller.sent]


def test_amounts_are_sent_and_read_to_the_last_digit(caller: Caller) -> None:
    """No number passes through a binary one, which 9007199254740.93 would not survive (A1)."""
    owed = Amount(Decimal("9007199254740.93"), "DKK")
    text = '{"id": "x", "balance": {"currency": "DKK", "amount": 9007199254740.93}}'
    request = api.ChangeLease(lease_id="x", balance=owed)
    found = caller.result_of(
        lambda _: httpx.Response(200, text=text), lambda client: client.change_lease(request)
    )

    assert owed == found.balance
    assert b'"amount": 9007199254740.93' in caller.sent[0].content


def test_a_given_transport_stays_open(caller: Caller) -> None:
    http = httpx.Client(transport=httpx.MockTransport(lambda _: says({"id": "x"})))
    with RentalClient(BASE, KEY, http=http):
        pass
    own = RentalClient(BASE, KEY)
    own.close()

    assert not http.is_closed
    with pytest.raises(RuntimeError, match="closed"):
        own.retrieve_lease("x")
    http.close()
    assert [] == caller.sent
