"""The client and the service itself: all operations, all pages, and what is refused."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from rentbilling import Amount, interface as api
from rentbilling.adapters.client import (
    AsyncRentalClient,
    InvalidRequestError,
    ObjectNotFoundError,
    RentalClient,
    RequestNotAllowedError,
    ServiceError,
)
from rentbilling.adapters.http import Limits, RentalService, create_app
from rentbilling.testing import a_plan, a_rent
from tests.adapters.client.callers import Act, Caller, Service, always, target_of
from tests.adapters.client.test_calls import ADDRESS, example_of
from tests.adapters.http.sample_session import ENDS, STEPS
from tests.adapters.http.served import KEY, READER, STRANGER, service

NEW = api.CreateTenancy(purpose="key:residential", address=ADDRESS)
RENT = a_rent(amount="8500.00", moved_in="2026-01-15")
QUARTER = "2027-01-01/2027-03-31"


def over(of: RentalService) -> Service:
    def answered(request: httpx.Request) -> httpx.Response:
        path, _, query = target_of(request).partition("?")
        # The id of the requests of the session: audit records name it.
        headers = [*request.headers.multi_items(), ("X-Request-Id", "example")]
        found = of.answer(request.method, path, query, headers, request.content)
        return httpx.Response(found.status, headers=list(found.headers), content=found.body)

    return answered


class Asking:
    """A client before one service, with one key."""

    def __init__(self, caller: Caller, of: RentalService, key: str = KEY) -> None:
        self._caller, self._service, self.key = caller, over(of), key

    def __call__(self, act: Act) -> Any:  # noqa: ANN401
        told = {"base_url": "http://served", "api_key": self.key}
        return self._caller.result_of(self._service, act, **told)

    def refusal(self, act: Act) -> Exception:
        told = {"base_url": "http://served", "api_key": self.key}
        return self._caller.error_of(self._service, act, **told)


@pytest.fixture
def asking(caller: Caller) -> Asking:
    return Asking(caller, service())


def test_every_operation_is_answered_as_in_the_document(asking: Asking, caller: Caller) -> None:
    """Step by step as in its session, so that each id is known; and lists are of all pages."""
    for operation, _, _ in STEPS:
        example = example_of(operation)
        found = asking(example.act)
        assert caller.result_of(always(example.answer), example.act) == found
    for of in ("id-3", None):
        for name in ("recurring_bill_items", "one_time_bill_items", "rent_adjustment_plans"):
            items = asking(lambda client, of=of, name=name: getattr(client, name)(lease_id=of))  # type: ignore[misc]
            assert {"id-3"} == {each.lease_id for each in items}
    assert ["key:rent"] == [each.product_key for each in asking(lambda client: client.products())]
    assert ["id-8"] == [each.id for each in asking(lambda client: client.payouts())]
    terms = asking(lambda client: client.retrieve_lease_terms("id-3"))
    assert asking(lambda client: client.verify("id-3", terms, QUARTER)).is_equal
    for operation, _, _ in ENDS:
        asking(example_of(operation).act)
    assert [] == [*asking(lambda client: client.one_time_bill_items())]
    assert api.ENDPOINTS.keys() == {step[0] for step in (*STEPS, *ENDS)}


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
    app = create_app(service(Limits(owner_waiting=50)))

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
