"""The client and the service itself: all operations, all pages, and what is refused."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import httpx
import pytest

from rentbilling import Amount, LeaseTerms, dumps, interface as api, loads, pending_bills
from rentbilling.adapters.client import (
    AsyncRentalClient,
    InvalidRequestError,
    ObjectNotFoundError,
    RentalClient,
    RequestNotAllowedError,
    ServiceError,
    StateConflictError,
)
from rentbilling.adapters.http import Limits, RentalService, create_app
from rentbilling.testing import a_one_time_item, a_plan, a_rent
from tests.adapters.client.callers import Act, Caller, Service, target_of
from tests.adapters.client.test_calls import ADDRESS
from tests.adapters.http.served import KEY, READER, STRANGER, service

NEW = api.CreateTenancy(purpose="key:residential", address=ADDRESS)
RENT = a_rent(amount="8500.00", moved_in="2026-01-15")
KEYCARD = a_one_time_item(amount=250, product_key="key:new-key")
PLAN = a_plan(percent="0.03", first_year=2027)
QUARTER = "2027-01-01/2027-03-31"


def over(of: RentalService) -> Service:
    def answered(request: httpx.Request) -> httpx.Response:
        path, _, query = target_of(request).partition("?")
        headers = request.headers.multi_items()
        found = of.answer(request.method, path, query, headers, request.content)
        return httpx.Response(found.status, headers=list(found.headers), content=found.body)

    return answered


class Asking:
    """A client before one service, and the operations that it called."""

    def __init__(self, caller: Caller, of: RentalService, key: str = KEY) -> None:
        self._caller, self._service, self.key = caller, over(of), key

    def __call__(self, act: Act) -> Any:  # noqa: ANN401
        told = {"base_url": "http://served", "api_key": self.key}
        return self._caller.result_of(self._service, act, **told)

    def refusal(self, act: Act) -> Exception:
        told = {"base_url": "http://served", "api_key": self.key}
        return self._caller.error_of(self._service, act, **told)

    @property
    def routes(self) -> set[str]:
        return {
            name
            for name, each in api.ENDPOINTS.items()
            for sent in self._caller.sent
            if each.method == sent.method and _fits(each.path, sent.url.path)
        }


def _fits(route: str, path: str) -> bool:
    parts, there = route.split("/"), path.split("/")
    return len(parts) == len(there) and all(
        part == found or part.startswith("{") for part, found in zip(parts, there, strict=True)
    )


@pytest.fixture
def asking(caller: Caller) -> Asking:
    return Asking(caller, service())


def test_every_operation_works(asking: Asking) -> None:
    made = asking(lambda client: client.create_tenancy(NEW))
    lease_id = made.lease_id
    item = asking(lambda client: client.create_recurring_bill_item(lease_id, RENT))
    assert date(2026, 1, 15) == item.first_due_date
    once = asking(lambda client: client.create_one_time_bill_item(lease_id, KEYCARD))
    plan = asking(lambda client: client.create_rent_adjustment_plan(lease_id, PLAN))
    product = asking(lambda client: client.record_product(_product()))
    payout = asking(lambda client: client.record_payout(_payout()))

    (tenancy,) = asking(lambda client: client.list_tenancies()).tenancies
    (lease,) = asking(lambda client: client.list_leases()).leases
    assert (made.tenancy_id, lease_id) == (tenancy.id, lease.id)
    assert lease == tenancy.current_lease
    _check_lists(asking, lease_id, item, once, plan)
    products = asking(lambda client: client.products())
    assert product.product_id in [each.product_id for each in products]
    assert [payout.payout_id] == [each.id for each in asking(lambda client: client.payouts())]

    _check_bills(asking, lease_id)
    _check_parts(asking, item.recurring_bill_item_id, plan.rent_adjustment_plan_id)
    _check_withdrawn(asking, once.one_time_bill_item_id, payout.payout_id)
    _check_single(asking)
    _check_changes(asking, made.tenancy_id, lease_id)
    assert set(api.ENDPOINTS) == asking.routes


def _check_lists(asking: Asking, lease_id: str, item: Any, once: Any, plan: Any) -> None:  # noqa: ANN401
    """See that what was created is listed, of the lease and of all."""
    for of_lease in (lease_id, None):
        items = asking(lambda client, of=of_lease: client.recurring_bill_items(lease_id=of))  # type: ignore[misc]
        assert [(item.recurring_bill_item_id, lease_id)] == [(e.id, e.lease_id) for e in items]
        single = asking(lambda client, of=of_lease: client.one_time_bill_items(lease_id=of))  # type: ignore[misc]
        assert [(once.one_time_bill_item_id, lease_id)] == [(e.id, e.lease_id) for e in single]
        plans = asking(lambda client, of=of_lease: client.rent_adjustment_plans(lease_id=of))  # type: ignore[misc]
        assert [(plan.rent_adjustment_plan_id, lease_id)] == [(e.id, e.lease_id) for e in plans]


def _check_bills(asking: Asking, lease_id: str) -> None:
    """See that the service bills as we do: 8,500 × 1.03 = 8,755 from January 2027."""
    terms = asking(lambda client: client.retrieve_lease_terms(lease_id))
    bills = asking(lambda client: client.pending_bills(lease_id, QUARTER))

    assert isinstance(terms, LeaseTerms)
    assert [Amount(8755, "DKK")] * 3 == [bill.total for bill in bills]
    assert dumps(pending_bills(terms, QUARTER)) == dumps(bills)
    assert asking(lambda client: client.verify(lease_id, terms, QUARTER)).is_equal
    mine = loads(dumps(RENT), LeaseTerms)
    other = asking(lambda client: client.verify(lease_id, mine, QUARTER))
    assert not other.is_equal


def _check_parts(asking: Asking, item_id: str, plan_id: str) -> None:
    ends = api.ChangeRecurringBillItem(recurring_bill_item_id=item_id, ended_on=date(2030, 12, 31))
    item = asking(lambda client: client.change_recurring_bill_item(ends))
    assert (item_id, date(2030, 12, 31)) == (item.id, item.ended_on)
    stops = api.ChangeRentAdjustmentPlan(
        rent_adjustment_plan_id=plan_id, cancelled_on=date(2026, 1, 1)
    )
    plan = asking(lambda client: client.change_rent_adjustment_plan(stops))
    assert (plan_id, date(2026, 1, 1), None) == (
        plan.id,
        plan.cancelled_on,
        plan.next_adjustment_date,
    )


def _check_single(asking: Asking) -> None:
    """See that each object alone is as it is listed, and that a product changes."""
    for listed, alone in (
        (
            lambda client: client.recurring_bill_items(),
            lambda client, of: client.retrieve_recurring_bill_item(of.id),
        ),
        (
            lambda client: client.rent_adjustment_plans(),
            lambda client, of: client.retrieve_rent_adjustment_plan(of.id),
        ),
        (
            lambda client: client.products(),
            lambda client, of: client.retrieve_product(of.product_key),
        ),
    ):
        for each in asking(listed):
            assert each == asking(lambda client, of=each, ask=alone: ask(client, of))  # type: ignore[misc]
    changed = api.ChangeProduct(product_key="key:bicycle", archived=True)
    product = asking(lambda client: client.change_product(changed))
    assert (True, product) == (
        product.archived,
        asking(lambda client: client.retrieve_product("key:bicycle")),
    )


def _check_withdrawn(asking: Asking, item_id: str, payout_id: str) -> None:
    """See that a one-time item changes, and that it and a payout are withdrawn."""
    cheaper = api.ChangeOneTimeBillItem(one_time_bill_item_id=item_id, amount=Amount(200, "DKK"))
    item = asking(lambda client: client.change_one_time_bill_item(cheaper))
    assert item == asking(lambda client: client.retrieve_one_time_bill_item(item_id))
    assert (item_id, Amount(200, "DKK")) == (item.id, item.amount)
    assert item == asking(lambda client: client.withdraw_one_time_bill_item(item_id))
    assert [] == asking(lambda client: client.one_time_bill_items())
    payout = asking(lambda client: client.retrieve_payout(payout_id))
    assert payout == asking(lambda client: client.withdraw_payout(payout_id))
    gone = asking.refusal(lambda client: client.retrieve_payout(payout_id))
    assert isinstance(gone, ObjectNotFoundError)


def _check_changes(asking: Asking, tenancy_id: str, lease_id: str) -> None:
    unit = api.ChangeTenancy(tenancy_id=tenancy_id, unit_type="APARTMENT")
    assert "APARTMENT" == asking(lambda client: client.change_tenancy(unit)).unit_type
    begins = api.ChangeLease(
        lease_id=lease_id,
        operational_state="Active",
        contract_start=date(2026, 1, 15),
        tenant_ids=("tenant-1",),
    )
    active = asking(lambda client: client.change_lease(begins))
    assert ("Active", ("tenant-1",)) == (active.operational_state, active.tenant_ids)
    refused = asking.refusal(lambda client: client.archive_lease(lease_id))
    assert isinstance(refused, StateConflictError)
    assert "active_lease" == refused.code
    ends = api.ChangeLease(
        lease_id=lease_id, operational_state="Ended", contract_end=date(2026, 12, 31), tenant_ids=()
    )
    ended = asking(lambda client: client.change_lease(ends))
    assert ("Ended", ()) == (ended.operational_state, ended.tenant_ids)
    assert ended == asking(lambda client: client.retrieve_lease(lease_id))
    archived = asking(lambda client: client.archive_lease(lease_id))
    assert "Archived" == archived.operational_state
    second = api.CreateLease(tenancy_id=tenancy_id, purpose="key:residential")
    let_again = asking(lambda client: client.create_lease(second))
    tenancy = asking(lambda client: client.archive_tenancy(tenancy_id))
    assert (lease_id, let_again.lease_id) == tenancy.lease_ids
    assert tenancy == asking(lambda client: client.retrieve_tenancy(tenancy_id))
    assert tenancy.archived_at is not None


def _product() -> api.RecordProduct:
    return api.RecordProduct(product_key="key:bicycle", product_name=api.ProductName(en="Bicycle"))


def _payout() -> api.RecordPayout:
    """Return a payout of 1,000 less 20."""
    return api.RecordPayout(
        payout_reason="Payment",
        payout_date=date(2026, 1, 31),
        gross=Amount(1000, "DKK"),
        fees=Amount(20, "DKK"),
        net=Amount(980, "DKK"),
    )


def test_250_tenancies_are_listed_in_order_of_their_creation(
    asking: Asking, caller: Caller
) -> None:
    """In three pages of 100, and in 36 of 7: every tenancy once (A43)."""
    made = [asking(lambda client: client.create_tenancy(NEW)).tenancy_id for _ in range(250)]
    for size, pages in ((100, 3), (7, 36)):
        before = len(caller.sent)
        found = asking(lambda client, size=size: client.tenancies(size))  # type: ignore[misc]

        assert made == [each.id for each in found]
        assert pages == len(caller.sent) - before


def test_leases_are_listed_of_one_tenancy(asking: Asking) -> None:
    first, second = (asking(lambda client: client.create_tenancy(NEW)) for _ in range(2))
    found = asking(lambda client: client.leases(tenancy_id=second.tenancy_id))

    assert [second.lease_id] == [each.id for each in found]
    assert first.lease_id != second.lease_id


@pytest.mark.parametrize("lease_id", ["lease-9", "a/b", "..", "Ø %", "a?b"])
def test_an_unknown_lease_is_not_found_by_its_own_id(asking: Asking, lease_id: str) -> None:
    error = asking.refusal(lambda client: client.retrieve_lease(lease_id))
    known = asking.refusal(lambda client: client.retrieve_lease("lease-1"))

    assert isinstance(error, ObjectNotFoundError)
    assert isinstance(known, ServiceError)
    assert (404, known.code) == (error.status, error.code)
    assert error.request_id


def test_a_key_opens_what_it_may(asking: Asking) -> None:
    """An unknown one opens nothing (401), a reader's changes none (403), another's finds none."""
    made = asking(lambda client: client.create_tenancy(NEW))
    asking.key = "rent_nobody_0123456789abcdef0123456789abcdef"
    unknown = asking.refusal(lambda client: client.list_leases())
    asking.key = READER
    forbidden = asking.refusal(lambda client: client.create_tenancy(NEW))
    readable = asking(lambda client: client.leases())
    asking.key = STRANGER
    strange = asking.refusal(lambda client: client.retrieve_lease(made.lease_id))

    assert isinstance(unknown, RequestNotAllowedError)
    assert isinstance(forbidden, RequestNotAllowedError)
    assert isinstance(strange, ObjectNotFoundError)
    assert (401, 403) == (unknown.status, forbidden.status)
    assert [made.lease_id] == [each.id for each in readable]


def test_a_wrong_plan_is_refused_with_its_problems(asking: Asking) -> None:
    """What the record lets pass and the service does not: an index that it does not know (A46)."""
    made = asking(lambda client: client.create_tenancy(NEW))
    plan = a_plan()
    asking(lambda client: client.create_recurring_bill_item(made.lease_id, RENT))
    error = asking.refusal(lambda client: client.create_rent_adjustment_plan(made.lease_id, plan))

    assert isinstance(error, InvalidRequestError)
    assert 400 == error.status
    path = "rentAdjustmentPlan.rentAdjustmentRules[0].indexClause.series"
    assert [(path, "unknown_series")] == [(each.path, each.code) for each in error.problems]
    # The service tells the one problem as its detail as well; nobody reads it twice.
    assert 1 == str(error).count(path)


def test_a_body_that_is_too_large_is_an_error(caller: Caller) -> None:
    """413 is an `InvalidRequestError` too."""
    small = Asking(caller, service(Limits(most_bytes=20)))
    error = small.refusal(lambda client: client.create_tenancy(NEW))

    assert isinstance(error, InvalidRequestError)
    assert 413 == error.status


def test_the_application_is_called_from_its_own_loop() -> None:
    """Through ASGI: 250 tenancies, an item of one of them, its bills, and a path with a slash."""
    app = create_app(service())

    async def told() -> tuple[Any, list[str]]:
        transport = httpx.ASGITransport(app=app)
        async with (
            httpx.AsyncClient(transport=transport) as http,
            AsyncRentalClient("http://served", KEY, http=http) as client,
        ):
            made = [await client.create_tenancy(NEW) for _ in range(250)]
            await client.create_recurring_bill_item(made[0].lease_id, RENT)
            found = [each.id async for each in client.tenancies()]
            assert [each.tenancy_id for each in made] == found
            bills = await client.pending_bills(made[0].lease_id, QUARTER)
            with pytest.raises(ObjectNotFoundError) as refused:
                await client.retrieve_lease("a/b")
            return bills, [refused.value.code]

    bills, codes = asyncio.run(told())
    assert [Amount(8500, "DKK")] * 3 == [bill.total for bill in bills]
    assert ["unknown_id"] == codes


def test_many_tasks_share_one_client() -> None:
    """50 at once: each tenancy is created once, and each answer is that of its own call."""
    app = create_app(service())

    async def told() -> tuple[list[str], list[str]]:
        transport = httpx.ASGITransport(app=app)
        async with (
            httpx.AsyncClient(transport=transport) as http,
            AsyncRentalClient("http://served", KEY, http=http) as client,
        ):
            made = await asyncio.gather(*(client.create_tenancy(NEW) for _ in range(50)))
            ids = [each.tenancy_id for each in made]
            found = await asyncio.gather(*map(client.retrieve_tenancy, ids))
            return ids, [each.id for each in found]

    ids, found = asyncio.run(told())
    assert ids == found
    assert 50 == len(set(ids))


def test_many_threads_share_one_client() -> None:
    """50 tenancies by 8 threads: each is created once, and each answer is that of its own call."""
    http = httpx.Client(transport=httpx.MockTransport(over(service())))
    with http, RentalClient("http://served", KEY, http=http) as client:
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda _: client.create_tenancy(NEW), range(50)))
            ids = [each.tenancy_id for each in made]
            found = list(threads.map(client.retrieve_tenancy, ids))
        listed = {each.id for each in client.tenancies()}

    assert ids == [each.id for each in found]
    assert (50, set(ids)) == (len(listed), listed)
