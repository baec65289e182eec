"""A whole list is read page by page, each page when it is needed, and never without end."""

from typing import Any, cast

import httpx
import pytest

from rentbilling.adapters.client import RentalClient, UnreadableAnswerError
from rentbilling.errors import InvalidRecordError
from tests.adapters.client.callers import BASE, KEY, Act, Caller, Service, in_turn, says

LISTS: dict[str, tuple[str, str, Act]] = {
    "tenancies": ("/tenancies", "tenancies", lambda client: client.tenancies()),
    "leases": ("/leases", "leases", lambda client: client.leases()),
    "rent_adjustment_plans": (
        "/rent-adjustment-plans",
        "rentAdjustmentPlans",
        lambda client: client.rent_adjustment_plans(),
    ),
    "payouts": ("/payouts", "payouts", lambda client: client.payouts()),
}


def listing(count: int, name: str = "leases") -> Service:
    """Return a service with so many objects, which are numbered from 0 (A43)."""

    def service(request: httpx.Request) -> httpx.Response:
        asked = request.url.params
        first = int(asked["startingAfter"]) + 1 if "startingAfter" in asked else 0
        last = min(first + int(asked["limit"]), count)
        return says({name: [{"id": str(each)} for each in range(first, last)]})

    return service


def ids(count: int) -> list[str]:
    return [str(each) for each in range(count)]


@pytest.mark.parametrize(
    ("count", "pages"), [(0, 1), (1, 1), (99, 1), (100, 2), (101, 2), (250, 3), (300, 4)]
)
def test_all_objects_come_once_and_in_order(caller: Caller, count: int, pages: int) -> None:
    """A page that is shorter than 100 is the last one; after a full one another is asked for."""
    found = caller.result_of(listing(count), lambda client: client.leases())

    assert ids(count) == [each.id for each in found]
    assert pages == len(caller.sent)


@pytest.mark.parametrize("name", LISTS)
def test_every_list_of_ids_has_its_iterator(caller: Caller, name: str) -> None:
    """250 of each, in three pages of its own path."""
    path, member, act = LISTS[name]
    found = caller.result_of(listing(250, member), act)

    assert ids(250) == [each.id for each in found]
    assert [f"/api{path}"] * 3 == [each.url.path for each in caller.sent]


@pytest.mark.parametrize(
    ("member", "path", "act"),
    [
        (
            "recurringBillItems",
            "/recurring-bill-items",
            lambda client: client.recurring_bill_items("x", page_size=2),
        ),
        (
            "oneTimeBillItems",
            "/one-time-bill-items",
            lambda client: client.one_time_bill_items("x", page_size=2),
        ),
        (
            "rentAdjustmentPlans",
            "/rent-adjustment-plans",
            lambda client: client.rent_adjustment_plans("x", page_size=2),
        ),
    ],
)
def test_parts_are_listed_of_one_lease(caller: Caller, member: str, path: str, act: Act) -> None:
    assert [] == caller.result_of(lambda _: says({member: []}), act)
    url = caller.sent[0].url
    assert (f"/api{path}", "limit=2&leaseId=x") == (url.path, url.query.decode())


def test_leases_are_listed_of_one_tenancy_on_every_page(caller: Caller) -> None:
    caller.result_of(listing(3), lambda client: client.leases(2, tenancy_id="t"))

    assert ["limit=2&tenancyId=t", "limit=2&startingAfter=1&tenancyId=t"] == [
        each.url.query.decode() for each in caller.sent
    ]


@pytest.mark.parametrize(
    ("last", "cursor"),
    [
        ({"productKey": "key:b", "productId": "product-2"}, "product-2"),
        ({"productKey": "key:b"}, "key:b"),
    ],
)
def test_products_go_on_from_their_id_or_their_key(
    caller: Caller, last: dict[str, str], cursor: str
) -> None:
    service = in_turn(says({"products": [{"productKey": "key:a"}, last]}), says({"products": []}))
    caller.result_of(service, lambda client: client.products(2))

    assert cursor == caller.sent[1].url.params["startingAfter"]


def test_pages_are_asked_for_when_they_are_needed() -> None:
    sent: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return listing(1000)(request)

    http = httpx.Client(transport=httpx.MockTransport(service))
    with RentalClient(BASE, KEY, http=http) as client:
        leases = client.leases(2)
        before = len(sent)
        first = [next(leases).id for _ in range(3)]

    assert (0, ["0", "1", "2"], 2) == (before, first, len(sent))
    http.close()


@pytest.mark.parametrize(
    ("pages", "act", "code"),
    [
        # A service that ignores the cursor, one that goes in a circle, and an object without id.
        ([{"leases": [{"id": "a"}, {"id": "b"}]}] * 2, lambda c: c.leases(2), "repeated_page"),
        ([{"leases": [{"id": each}]} for each in "abca"], lambda c: c.leases(1), "repeated_page"),
        (
            [{"rentAdjustmentPlans": [{"adjusteeRef": "x", "rentAdjustmentRules": []}]}],
            lambda c: c.rent_adjustment_plans(page_size=1),
            "no_cursor",
        ),
    ],
    ids=["ignored", "circle", "no id"],
)
def test_no_list_is_read_without_end(
    caller: Caller, pages: list[dict[str, Any]], act: Act, code: str
) -> None:
    error = caller.error_of(in_turn(*map(says, pages)), act)

    assert isinstance(error, UnreadableAnswerError)
    assert (code, len(pages)) == (error.code, len(caller.sent))
    assert code == "no_cursor" or pages[-1]["leases"][-1]["id"] in str(error)


def test_a_page_that_is_longer_than_asked_is_taken_whole(caller: Caller) -> None:
    everything = {"leases": [{"id": each} for each in "abc"]}
    found = caller.result_of(in_turn(says(everything), says({"leases": []})), lambda c: c.leases(2))

    assert ["a", "b", "c"] == [each.id for each in found]


@pytest.mark.parametrize("size", [0, 101, -1, "ten"])
def test_a_page_size_that_cannot_be_is_refused_before_the_first_object(size: object) -> None:
    client = RentalClient(BASE, KEY)
    with pytest.raises(InvalidRecordError) as refused:
        client.leases(cast("int", size))

    assert "page_size" == refused.value.problems[0].path
    client.close()


def test_a_page_is_requested_again_after_a_failure(caller: Caller) -> None:
    service = in_turn(
        says({"leases": [{"id": "a"}]}),
        says({}, 503),
        says({"leases": [{"id": "b"}]}),
        says({"leases": []}),
    )
    found = caller.result_of(service, lambda client: client.leases(1))

    assert (["a", "b"], [0.5]) == ([each.id for each in found], caller.waits)
