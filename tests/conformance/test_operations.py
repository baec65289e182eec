"""The nine operations with their paths, requests and answers, over HTTP and without it."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from rentbilling.interface import ENDPOINTS
from tests.adapters.http.served import KEY, ask, check_problem, data_of, service
from tests.conformance import samples
from tests.conformance.answers import BILLS
from tests.conformance.fields import fields_of
from tests.conformance.proving import proves

ITEM: Final[samples.Data] = {"leaseId": "id-2", "recurringBillItem": samples.RENT}
ASKED: Final[Mapping[str, tuple[str, samples.Data | None]]] = {
    "POST /recurring-bill-items": ("/recurring-bill-items", ITEM),
    "POST /tenancies": ("/tenancies", samples.TENANCY),
    "GET /rent-adjustment-plans": ("/rent-adjustment-plans", None),
    "GET /tenancies": ("/tenancies", None),
    "GET /leases": ("/leases", None),
    "GET /leases/{leaseId}": ("/leases/id-2", None),
    "GET /products": ("/products", None),
    "GET /payouts": ("/payouts", None),
    "GET /pending-bills": (BILLS, None),
}
"""A request for each operation, to a service that has one lease with an item."""
GETS: Final = tuple(name for name in ASKED if name.startswith("GET"))
PAGED: Final = tuple(
    name for name in GETS if name not in {"GET /leases/{leaseId}", "GET /pending-bills"}
)


def rows(*names: str, number: int | None = None) -> list[Any]:
    """Return a case for each operation, which proves it, or the sentence with a number in it."""
    return [
        pytest.param(
            name,
            id=name.replace("{", "").replace("}", ""),
            marks=proves(name if number is None else f"{name} {number}"),
        )
        for name in names
    ]


def with_one_of_each(**given: Any) -> Any:  # noqa: ANN401
    """Return a service that has one object of each kind: the lease id-2, the item id-3."""
    of = service(**given)
    samples.told(of, "POST", "/tenancies", samples.TENANCY)
    samples.created(of, samples.RENT)
    samples.planned(of, samples.STEPS | {"adjusteeRef": "id-3"})
    samples.told(of, "POST", "/products", samples.PRODUCT)
    samples.told(of, "POST", "/payouts", samples.PAYOUT)
    return of


@pytest.mark.parametrize("name", rows(*ASKED))
@proves("What the service does 1", "Gaps in the endpoint definitions 1")
def test_an_operation_answers(name: str) -> None:
    """201 with the ids created, 200 with the objects listed; type, length and request id (A47)."""
    address, body = ASKED[name]
    answer = ask(with_one_of_each(), name.split(maxsplit=1)[0], address, body)
    headers = dict(answer.headers)

    assert (201 if name.startswith("POST") else 200) == answer.status
    assert ("application/json", f"{len(answer.body)}") == (
        headers["Content-Type"],
        headers["Content-Length"],
    )
    assert headers["X-Request-Id"]


@proves("Endpoints 1", "Versioning 1")
def test_the_nine_operations_are_the_ones_of_the_interface() -> None:
    """The table of endpoints has these methods and paths in this order; others are extensions."""
    found = [f"{each.method} {each.path}" for each in ENDPOINTS.values() if not each.ours]

    assert list(ASKED) == found
    assert not any(part.startswith("v1") for each in found for part in each.split("/"))


ANSWERED: Final = (
    ("POST /recurring-bill-items", "recurringBillItemId firstDueDate", 3),
    ("POST /tenancies", "tenancyId leaseId", 2),
    ("GET /rent-adjustment-plans", "rentAdjustmentPlans", 3),
    ("GET /tenancies", "tenancies", 3),
    ("GET /leases", "leases", 3),
    ("GET /products", "products", 3),
    ("GET /payouts", "payouts", 3),
    ("GET /pending-bills", "bills", 2),
)
"""An operation, the names of its answer, and the number of the sentence that tells them."""


@pytest.mark.parametrize(
    ("name", "names"),
    [
        pytest.param(
            name,
            names,
            id=name,
            marks=proves(*(f"{name} answer: {each}" for each in names.split()), f"{name} {number}"),
        )
        for name, names, number in ANSWERED
    ],
)
def test_an_answer_has_the_names_of_the_interface(name: str, names: str) -> None:
    """Only these at the top level; for a list, an array of objects."""
    address, body = ASKED[name]
    data = data_of(ask(with_one_of_each(), name.split(maxsplit=1)[0], address, body))

    assert names.split() == list(data)
    if body is None:
        (objects,) = data.values()
        assert [dict] * len(objects) == [type(each) for each in objects]
        assert objects
    else:
        assert [str] * len(data) == [type(each) for each in data.values()]


@proves("GET /leases/{leaseId} 3", "GET /leases/{leaseId} 1", "GET /leases/{leaseId}: leaseId")
def test_one_lease_is_the_whole_answer() -> None:
    """The fields of the lease in the path, as in a list; another id is a 404."""
    of = with_one_of_each()
    (listed,) = samples.told(of, "GET", "/leases")["leases"]

    assert listed == samples.told(of, "GET", "/leases/id-2")
    assert set(listed) <= {field.name for field in fields_of("Lease")}
    check_problem(ask(of, "GET", "/leases/id-1"), 404, "unknown_id")


@proves(
    "What the service does 3",
    "What the service does 4",
    "What the service does 5",
    "What the service does 6",
    "What the service does 7",
    "What the service does 2",
)
def test_a_caller_gets_from_a_tenancy_to_its_bills() -> None:
    """From a tenancy to its bills, only by operations of the interface."""
    of = service()
    ids = samples.told(of, "POST", "/tenancies", samples.TENANCY)
    lease_id = ids["leaseId"]
    item = samples.told(of, "POST", "/recurring-bill-items", ITEM | {"leaseId": lease_id})

    assert ids["tenancyId"] == samples.told(of, "GET", "/tenancies")["tenancies"][0]["id"]
    assert lease_id == samples.told(of, "GET", "/leases")["leases"][0]["id"]
    assert "Draft" == samples.told(of, "GET", f"/leases/{lease_id}")["operationalState"]
    for name in ("rentAdjustmentPlans", "products", "payouts"):
        address = name.replace("rentAdjustmentPlans", "rent-adjustment-plans")
        assert {name: []} == samples.told(of, "GET", f"/{address}")
    bills = samples.told(of, "GET", f"/pending-bills?leaseId={lease_id}&period={samples.PERIOD}")[
        "bills"
    ]
    # The opening period, February and March.
    assert ["2026-01-15", "2026-02-01", "2026-03-01"] == [each["dueDate"] for each in bills]
    assert bills[0]["dueDate"] == item["firstDueDate"]


@pytest.mark.parametrize(
    "name",
    [*rows(*PAGED, number=1), *rows("GET /leases/{leaseId}", number=2), "GET /pending-bills"],
)
def test_a_get_has_no_body(name: str) -> None:
    """It is answered without a body, and refused with one."""
    of = with_one_of_each()
    address, _ = ASKED[name]

    assert 200 == ask(of, "GET", address).status
    # The problem stands at the body as a whole.
    check_problem(ask(of, "GET", address, {"limit": 1}), 400, "unexpected_body", "")


@pytest.mark.parametrize("name", rows(*PAGED, number=2))
@proves("Endpoints 3", "Gaps in the endpoint definitions 2", "Limits 1")
def test_a_list_comes_in_pages(name: str) -> None:
    """Ten objects unless `limit` says otherwise, the next ones after `startingAfter` (A43)."""
    of = service()
    address, _ = ASKED[name]
    for number in range(12):
        add(of, name, number)
    (ten,) = samples.told(of, "GET", address).values()
    (two,) = samples.told(of, "GET", f"{address}?startingAfter={id_of(ten[-1])}").values()
    (all_of,) = samples.told(of, "GET", f"{address}?limit=100").values()

    assert (10, 2) == (len(ten), len(two))
    assert [*ten, *two] == all_of
    for limit in (0, 101, -1):
        check_problem(ask(of, "GET", f"{address}?limit={limit}"), 400, "out_of_range", "limit")


def add(of: Any, name: str, number: int) -> None:  # noqa: ANN401
    """Add an object to the list of an operation."""
    kind = name.removeprefix("GET /")
    if kind == "products":
        samples.told(of, "POST", "/products", samples.PRODUCT | {"productKey": f"key:{number}"})
        return
    if kind == "payouts":
        samples.told(of, "POST", "/payouts", samples.PAYOUT)
        return
    lease_id = samples.told(of, "POST", "/tenancies", samples.TENANCY)["leaseId"]
    if kind == "rent-adjustment-plans":
        item = samples.created(of, samples.RENT, lease_id)["recurringBillItemId"]
        samples.planned(of, samples.STEPS | {"adjusteeRef": item}, lease_id)


def id_of(listed: samples.Data) -> str:
    found: str = listed.get("id") or listed["productId"]
    return found


@proves("GET /pending-bills 3")
def test_pending_bills_come_all_at_once() -> None:
    """The parameter `limit` is refused, and twelve bills are more than a page."""
    of = with_one_of_each()
    asked = "/pending-bills?leaseId=id-2&period=2026-01-01/2026-12-31"

    assert 12 == len(samples.told(of, "GET", asked)["bills"])
    for more in ("limit=5", "startingAfter=id-3"):
        check_problem(
            ask(of, "GET", f"{asked}&{more}"), 400, "unknown_parameter", more.split("=")[0]
        )


@proves("GET /pending-bills 1", "Gaps in the endpoint definitions 4")
@pytest.mark.parametrize(
    ("query", "status", "paths"),
    [
        (f"leaseId=id-2&period={samples.PERIOD}", 200, ()),
        (f"leaseId=id-2&period={samples.PERIOD.replace('/', '%2F')}", 200, ()),
        (f"period={samples.PERIOD}", 400, ("leaseId",)),
        ("leaseId=id-2", 400, ("period",)),
        ("", 400, ("leaseId", "period")),
        ("leaseId=id-2&period=2026-13", 400, ("period",)),
        ("leaseId=id-2&period=2026-03-31/2026-01-01", 400, ("period",)),
        ("leaseId=id-2&period=01-01-2026/31-01-2026", 400, ("period",)),
        (f"leaseId=id-1&period={samples.PERIOD}", 404, ()),
    ],
)
def test_pending_bills_need_a_lease_and_a_period(
    query: str, status: int, paths: tuple[str, ...]
) -> None:
    """Both are in the query and required; the period is `YYYY-MM-DD/YYYY-MM-DD` (A44)."""
    answer = ask(with_one_of_each(), "GET", f"/pending-bills?{query}")

    assert status == answer.status
    assert paths == tuple(each["path"] for each in data_of(answer).get("problems", ()))


@proves("Gaps in the endpoint definitions 3")
def test_lists_have_no_filter_that_the_page_does_not_name() -> None:
    """Extensions are the filters `leaseId`, and for leases `tenancyId` (A43); no sorting."""
    of = with_one_of_each()

    assert 1 == len(samples.told(of, "GET", "/leases?tenancyId=id-1")["leases"])
    assert 1 == len(
        samples.told(of, "GET", "/rent-adjustment-plans?leaseId=id-2")["rentAdjustmentPlans"]
    )
    for name in PAGED:
        answer = ask(of, "GET", f"{ASKED[name][0]}?sort=id")
        check_problem(answer, 400, "unknown_parameter", "sort")


@proves("What the service does 9", "POST /recurring-bill-items 1", "POST /tenancies 1")
@pytest.mark.parametrize("name", ["POST /recurring-bill-items", "POST /tenancies"])
def test_a_body_is_json_and_says_so(name: str) -> None:
    """`application/json` is accepted; another media type is a 415, invalid JSON a 400 (A46)."""
    of = with_one_of_each()
    address, body = ASKED[name]
    sent = json.dumps(body).encode()

    assert 201 == ask(of, "POST", address, sent).status
    assert 415 == ask(of, "POST", address, sent, headers={"Content-Type": "text/plain"}).status
    assert 400 == ask(of, "POST", address, sent[:-1]).status
    assert 400 == ask(of, "POST", address, []).status


@proves("What the service does 8", "Endpoints 1", "Versioning 1")
def test_paths_are_below_the_base_address() -> None:
    """Only the exact path is answered; with a prefix, a slash or a capital it is a 404."""
    of = with_one_of_each()

    assert 200 == ask(of, "GET", "/leases").status
    for path in ("/v1/leases", "/leases/", "/Leases", "/leases/id-2/bills"):
        check_problem(ask(of, "GET", path), 404, "unknown_path")


@proves("What the service does 10", "Endpoints 2", "Authentication 1", "Authentication 2")
@pytest.mark.parametrize("name", ASKED)
def test_every_operation_asks_for_the_key(name: str) -> None:
    """With the key it is answered; without the header, or with another key, 401 (A45)."""
    of = with_one_of_each()
    address, body = ASKED[name]
    method, (path, _, query) = name.split(maxsplit=1)[0], address.partition("?")
    sent = b"" if body is None else json.dumps(body).encode()
    said = {} if body is None else {"Content-Type": "application/json"}

    assert ask(of, method, address, body, key=KEY).status in (200, 201)
    missing = of.answer(method, path, query, said, sent)
    check_problem(missing, 401, "missing_key")
    check_problem(ask(of, method, address, body, key="rent_all_x"), 401, "unknown_key")


@proves("Versioning 2")
def test_no_version_is_sent_or_answered() -> None:
    """A version header has no effect, and no answer has one."""
    of = with_one_of_each()
    plain = ask(of, "GET", "/leases")
    asked = ask(of, "GET", "/leases", headers={"Accept-Version": "2", "X-Api-Version": "7"})

    assert plain.body == asked.body
    assert [] == [name for name, _ in plain.headers if "version" in name.lower()]
