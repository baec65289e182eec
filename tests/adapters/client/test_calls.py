"""What is sent for each operation, and as what its answer is read."""

import inspect
import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, cast

import httpx
import pytest

from rentbilling import (
    Amount,
    AmountRecord,
    BillingPolicy,
    LeaseTerms,
    Period,
    RentAdjustment,
    dumps,
    interface as api,
)
from rentbilling.adapters.client import AsyncRentalClient, RentalClient
from rentbilling.adapters.client.calls import call_of
from rentbilling.errors import InvalidRecordError
from rentbilling.testing import a_one_time_item, a_plan, a_rent
from tests.adapters.client.callers import BASE, KEY, Act, Caller, always, body_of, says, target_of

ADDRESS = api.NewTenancyAddress(
    street_name="Nygade", street_number="7", postal_code="1164", city="København", country="DK"
)
ADDRESS_SENT = {
    "streetName": "Nygade",
    "streetNumber": "7",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
}
ITEM = a_one_time_item(amount=250, product_key="key:new-key")
ITEM_TOLD = {**json.loads(dumps(ITEM)), "id": "item-1", "leaseId": "lease-1"}
RENT = a_rent(amount="8500.00")
PLAN = a_plan()
TERMS = LeaseTerms(recurring_bill_items=(RENT,))


class Sample(NamedTuple):
    """An operation with what should be sent for it."""

    operation: str
    """Its name."""
    act: Act
    """How it is called."""
    target: str
    """Path and query, below the base address."""
    answer: object
    """What the service answers, as JSON."""
    body: object = None
    """What is sent, as JSON."""


def sample(
    asked: str,
    answer: object,
    *given: Any,  # noqa: ANN401
    body: object = None,
    **named: Any,  # noqa: ANN401
) -> Sample:
    """Return the sample of a method and its target, called with these arguments."""
    operation, target = asked.split()

    def act(client: RentalClient) -> Any:  # noqa: ANN401
        return getattr(client, operation)(*given, **named)

    return Sample(operation, act, target, answer, body)


SAMPLES = (
    sample(
        "create_tenancy /tenancies",
        {"tenancyId": "tenancy-1", "leaseId": "lease-1"},
        api.CreateTenancy(purpose="key:home", address=ADDRESS),
        body={"purpose": "key:home", "address": ADDRESS_SENT},
    ),
    sample(
        "create_recurring_bill_item /recurring-bill-items",
        {"recurringBillItemId": "item-1", "firstDueDate": "2026-01-01"},
        "lease-1",
        RENT,
        body={"leaseId": "lease-1", "recurringBillItem": ...},
    ),
    sample(
        "list_rent_adjustment_plans /rent-adjustment-plans?limit=5&leaseId=lease-1",
        {"rentAdjustmentPlans": []},
        limit=5,
        lease_id="lease-1",
    ),
    sample(
        "list_tenancies /tenancies?limit=5&startingAfter=tenancy-4",
        {"tenancies": [{"id": "tenancy-5"}]},
        limit=5,
        starting_after="tenancy-4",
    ),
    sample(
        "list_leases /leases?limit=10&startingAfter=a%26b%3Dc&tenancyId=t%201",
        {"leases": [{"id": "lease-5"}]},
        starting_after="a&b=c",
        tenancy_id="t 1",
    ),
    sample("retrieve_lease /leases/lease-1", {"id": "lease-1"}, "lease-1"),
    sample(
        "list_products /products?limit=100", {"products": [{"productKey": "key:rent"}]}, limit=100
    ),
    sample("list_payouts /payouts?limit=10", {"payouts": [{"id": "payout-1"}]}),
    sample(
        "list_pending_bills /pending-bills?leaseId=lease-1&period=2026-01-01%2F2026-03-31",
        {"bills": []},
        "lease-1",
        "2026-01-01/2026-03-31",
    ),
    sample(
        "list_recurring_bill_items /recurring-bill-items?limit=10&leaseId=lease-1",
        {"recurringBillItems": []},
        lease_id="lease-1",
    ),
    sample(
        "list_one_time_bill_items /one-time-bill-items?limit=10&startingAfter=item-1",
        {"oneTimeBillItems": []},
        starting_after="item-1",
    ),
    sample(
        "retrieve_recurring_bill_item /recurring-bill-items/item%201",
        json.loads(dumps(RENT)),
        "item 1",
    ),
    sample("retrieve_one_time_bill_item /one-time-bill-items/item-1", ITEM_TOLD, "item-1"),
    sample(
        "change_recurring_bill_item /recurring-bill-items/item%201",
        json.loads(dumps(RENT)),
        api.ChangeRecurringBillItem(
            recurring_bill_item_id="item 1",
            ended_on=date(2026, 12, 31),
            amount_records=(AmountRecord(value=Amount(9000, "DKK"), start=date(2026, 7, 1)),),
            clear=("discount",),
        ),
        body={
            "amountRecords": [
                {"value": {"currency": "DKK", "amount": 9000}, "start": "2026-07-01"}
            ],
            "endedOn": "2026-12-31",
            "clear": ["discount"],
        },
    ),
    sample(
        "create_one_time_bill_item /one-time-bill-items",
        {"oneTimeBillItemId": "item-1"},
        "lease-1",
        ITEM,
        body={"leaseId": "lease-1", "oneTimeBillItem": ...},
    ),
    sample(
        "change_one_time_bill_item /one-time-bill-items/item-1",
        ITEM_TOLD,
        api.ChangeOneTimeBillItem(
            one_time_bill_item_id="item-1",
            amount=Amount(Decimal("12.5"), "DKK"),
            due_date=date(2026, 7, 1),
            clear=("description",),
        ),
        body={
            "amount": {"currency": "DKK", "amount": 12.5},
            "dueDate": "2026-07-01",
            "clear": ["description"],
        },
    ),
    sample("withdraw_one_time_bill_item /one-time-bill-items/item-1/withdraw", ITEM_TOLD, "item-1"),
    sample(
        "create_rent_adjustment_plan /rent-adjustment-plans",
        {"rentAdjustmentPlanId": "plan-1"},
        "lease-1",
        PLAN,
        body={"leaseId": "lease-1", "rentAdjustmentPlan": ...},
    ),
    sample(
        "retrieve_rent_adjustment_plan /rent-adjustment-plans/plan-1",
        {"id": "plan-1", "nextAdjustmentDate": "2028-01-01"},
        "plan-1",
    ),
    sample(
        "change_rent_adjustment_plan /rent-adjustment-plans/plan-1",
        {"id": "plan-1", "cancelledOn": "2028-01-01"},
        api.ChangeRentAdjustmentPlan(
            rent_adjustment_plan_id="plan-1", cancelled_on=date(2028, 1, 1)
        ),
        body={"cancelledOn": "2028-01-01"},
    ),
    sample("retrieve_tenancy /tenancies/tenancy-1", {"id": "tenancy-1"}, "tenancy-1"),
    sample(
        "change_tenancy /tenancies/tenancy-1",
        {"id": "tenancy-1", "unitType": "PARKING"},
        api.ChangeTenancy(tenancy_id="tenancy-1", unit_type="PARKING", clear=("totalArea",)),
        body={"unitType": "PARKING", "clear": ["totalArea"]},
    ),
    sample(
        "archive_tenancy /tenancies/tenancy-1/archive",
        {"id": "tenancy-1", "archivedAt": "2026-01-31T12:00:00Z"},
        "tenancy-1",
    ),
    sample(
        "create_lease /leases",
        {"leaseId": "lease-2"},
        api.CreateLease(tenancy_id="tenancy-1", purpose="key:home"),
        body={"tenancyId": "tenancy-1", "purpose": "key:home"},
    ),
    sample(
        "change_lease /leases/lease-1",
        {"id": "lease-1", "operationalState": "Active"},
        api.ChangeLease(
            lease_id="lease-1",
            operational_state="Active",
            contract_start=date(2026, 1, 15),
            balance=Amount(Decimal("12.5"), "DKK"),
            tenant_ids=(),
        ),
        body={
            "operationalState": "Active",
            "contractStart": "2026-01-15",
            "balance": {"currency": "DKK", "amount": 12.5},
            # Without a tenant from now on: an empty list is sent, too.
            "tenantIds": [],
        },
    ),
    sample(
        "archive_lease /leases/lease-1/archive",
        {"id": "lease-1", "operationalState": "Archived"},
        "lease-1",
    ),
    sample("retrieve_lease_terms /leases/lease-1/terms", {"recurringBillItems": []}, "lease-1"),
    sample(
        "record_product /products",
        {"productId": "product-1"},
        api.RecordProduct(product_key="key:bike", product_name=api.ProductName(en="Bicycle")),
        body={"productKey": "key:bike", "productName": {"en": "Bicycle"}},
    ),
    sample("retrieve_product /products/key%3Abike%2F2", {"productKey": "key:bike/2"}, "key:bike/2"),
    sample(
        "change_product /products/key%3Abike",
        {"productKey": "key:bike", "archived": False},
        api.ChangeProduct(product_key="key:bike", archived=False, clear=("position",)),
        body={"archived": False, "clear": ["position"]},
    ),
    sample(
        "record_payout /payouts",
        {"payoutId": "payout-1"},
        api.RecordPayout(
            payout_reason="Payment",
            payout_date=date(2026, 1, 31),
            gross=Amount(1000, "DKK"),
            fees=Amount(20, "DKK"),
            net=Amount(980, "DKK"),
        ),
        body={
            "payoutReason": "Payment",
            "payoutDate": "2026-01-31",
            "net": {"currency": "DKK", "amount": 980},
            "fees": {"currency": "DKK", "amount": 20},
            "gross": {"currency": "DKK", "amount": 1000},
        },
    ),
    sample("retrieve_payout /payouts/payout-1", {"id": "payout-1"}, "payout-1"),
    sample("withdraw_payout /payouts/payout-1/withdraw", {"id": "payout-1"}, "payout-1"),
)
WHOLE_PARTS = {
    "recurringBillItem": dumps(RENT),
    "oneTimeBillItem": dumps(ITEM, full=True),
    # A request has no empty lists (A72).
    "rentAdjustmentPlan": '{"rentAdjustmentRules": [{"adjustmentType": "Index", '
    '"adjustmentMonth": 1, "indexMonth": 10}]}',
}
by_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.operation)


def test_every_operation_of_the_table_has_a_sample() -> None:
    assert list(api.ENDPOINTS) == [each.operation for each in sorted(SAMPLES, key=_place)]


def _place(sample: Sample) -> int:
    return list(api.ENDPOINTS).index(sample.operation)


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
        assert _whole(sample.body) == body_of(sent)


def _whole(body: Any) -> Any:  # noqa: ANN401
    """Return a body with its items and plans, as the codec writes them."""
    written = httpx.Response(200, text=f"{{{_members()}}}").json()
    return {name: written[name] if value is ... else value for name, value in body.items()}


def _members() -> str:
    return ", ".join(f'"{name}": {text}' for name, text in WHOLE_PARTS.items())


@by_sample
def test_the_help_of_an_extension_says_so(sample: Sample) -> None:
    for kind in (RentalClient, AsyncRentalClient):
        told = inspect.getdoc(getattr(kind, sample.operation)) or ""
        assert not api.ENDPOINTS[sample.operation].ours or "extension" in told.lower()


@by_sample
def test_a_newer_service_is_read(caller: Caller, sample: Sample) -> None:
    """Fields that we do not know are passed over (A50)."""
    assert isinstance(sample.answer, dict)
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
    for period in (january, "2026-01-01/2026-02-01"):
        caller.result_of(
            always({"bills": []}),
            lambda client, period=period: client.pending_bills("x", period),  # type: ignore[misc]
            policy=half_open,
        )

    assert ["2026-01-01/2026-02-01"] * 2 == [each.url.params["period"] for each in caller.sent]


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
