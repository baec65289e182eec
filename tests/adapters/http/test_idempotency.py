"""A change with an idempotency key is carried out once, and its answer is given again."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from rentbilling.adapters.http import HttpAnswer, RentalService
from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http import served
from tests.support.rows import rows

KEYED = {"Idempotency-Key": "create-1"}


def create(of: RentalService, body: object = served.TENANCY, **options: Any) -> HttpAnswer:  # noqa: ANN401
    return served.ask(of, "POST", "/tenancies", body, **{"headers": KEYED, **options})


def number_of(of: RentalService, resource: str = "tenancies", **options: Any) -> int:  # noqa: ANN401
    (listed,) = served.data_of(served.ask(of, "GET", f"/{resource}?limit=100", **options)).values()
    return len(listed)


def is_replayed(answer: HttpAnswer) -> bool:
    return "true" == dict(answer.headers).get("Idempotent-Replayed")


def test_the_first_answer_is_given_again() -> None:
    """With a request id of its own, and a header that says so."""
    of = served.service()
    first = create(of, headers={**KEYED, "X-Request-Id": "one"})
    again = create(of, headers={**KEYED, "X-Request-Id": "two"})

    assert (201, 201, first.body) == (first.status, again.status, again.body)
    assert (False, True) == (is_replayed(first), is_replayed(again))
    assert ("one", "two") == (first.request_id, again.request_id)
    assert 1 == number_of(of)


def test_without_a_key_a_change_is_carried_out_each_time() -> None:
    of = served.service()
    for _ in range(2):
        create(of, headers={})

    assert 2 == number_of(of)


@rows(
    ("method", "address", "body"),
    [
        ("POST", "/tenancies", {**served.TENANCY, "purpose": "key:other"}),
        ("POST", "/leases", {"tenancyId": "id-1", "purpose": "x"}),
        ("PATCH", "/leases/id-2", {"purpose": "y"}),
        ("POST", "/leases/id-2/archive", None),
    ],
    ids=["body", "path", "method", "none"],
)
def test_a_key_of_another_request_is_refused(method: str, address: str, body: object) -> None:
    of = served.service()
    create(of)

    served.check_problem(served.ask(of, method, address, body, headers=KEYED), 409, "key_reused")
    assert (1, 1) == (number_of(of), number_of(of, "leases"))
    assert is_replayed(create(of))


def test_a_key_of_one_object_is_none_of_another() -> None:
    of = served.service()
    for _ in range(2):
        create(of, headers={})
    served.ask(of, "POST", "/leases/id-2/archive", headers=KEYED)

    served.check_problem(
        served.ask(of, "POST", "/leases/id-4/archive", headers=KEYED), 409, "key_reused"
    )


def test_each_owner_has_keys_of_its_own() -> None:
    of = served.service()
    mine, others = create(of), create(of, key=served.STRANGER)

    assert not is_replayed(others)
    assert mine.body != others.body
    assert (1, 1) == (number_of(of), number_of(of, key=served.STRANGER))


def test_a_key_is_good_for_a_day() -> None:
    """24 hours later it is still known; a microsecond after that it is forgotten."""
    moment = [served.NOON]
    of = served.service(clock=lambda: moment[0])
    create(of)
    moment[0] = served.NOON + timedelta(hours=24)
    assert is_replayed(create(of))
    moment[0] += timedelta(microseconds=1)
    assert not is_replayed(create(of))

    assert 2 == number_of(of)


def test_a_change_is_made_once_too() -> None:
    """The answer is that of the first call, although the lease has changed since."""
    of = served.service()
    lease_id = served.with_lease(of)
    first = served.ask(of, "PATCH", f"/leases/{lease_id}", {"purpose": "a"}, headers=KEYED)
    served.ask(of, "PATCH", f"/leases/{lease_id}", {"purpose": "b"})
    again = served.ask(of, "PATCH", f"/leases/{lease_id}", {"purpose": "a"}, headers=KEYED)

    assert first.body == again.body
    assert "b" == served.data_of(served.ask(of, "GET", f"/leases/{lease_id}"))["purpose"]


def test_a_conflict_is_given_again_and_leaves_nothing() -> None:
    """The tenancy's active lease forbids it; the draft that was archived before is none again."""
    of = served.service()
    lease_id = served.with_lease(of)
    served.ask(of, "POST", "/leases", {"tenancyId": "id-1", "purpose": "x"})
    active = {"contractStart": "2026-01-01", "operationalState": "Active"}
    assert 200 == served.ask(of, "PATCH", "/leases/id-3", active).status
    first = served.ask(of, "POST", "/tenancies/id-1/archive", headers=KEYED)
    served.check_problem(first, 409, "active_lease")
    served.ask(
        of, "PATCH", "/leases/id-3", {"operationalState": "Ended", "contractEnd": "2026-01-31"}
    )
    again = served.ask(of, "POST", "/tenancies/id-1/archive", headers=KEYED)

    assert (first.body, True) == (again.body, is_replayed(again))
    assert "application/problem+json" == dict(again.headers)["Content-Type"]
    assert (
        "Draft" == served.data_of(served.ask(of, "GET", f"/leases/{lease_id}"))["operationalState"]
    )
    assert 200 == served.ask(of, "POST", "/tenancies/id-1/archive").status


@rows(
    ("address", "body", "status"),
    [
        ("/tenancies", {"purpose": 1}, 400),
        ("/recurring-bill-items", {"leaseId": "none", "recurringBillItem": served.RENT}, 404),
    ],
)
def test_what_is_not_valid_is_not_stored(address: str, body: object, status: int) -> None:
    """The same key can then be sent with a request that is."""
    of = served.service()
    refused = served.ask(of, "POST", address, body, headers=KEYED)

    assert status == refused.status
    assert 201 == create(of).status


def test_a_key_without_a_right_is_refused_before_an_answer_is_given_again() -> None:
    of = served.service()
    create(of)

    served.check_problem(create(of, key=served.READER), 403, "missing_right")


class Failing(MemoryStores):
    """Stores whose changes fail at their end for a while."""

    fails = True

    @contextmanager
    def writing(self, owner: str) -> Generator[Any]:
        with super().writing(owner) as store:
            yield store
            if self.fails:
                raise OSError("no disk")


def test_a_failure_stores_neither_the_object_nor_the_answer() -> None:
    stores = Failing()
    of = served.service(stores=stores)
    served.check_problem(create(of), 500, "internal")
    stores.fails = False

    assert (201, False) == ((found := create(of)).status, is_replayed(found))
    assert 1 == number_of(of)


class Halting(MemoryStores):
    """Stores in which a change waits until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.goes_on = Event(), Event()

    @contextmanager
    def writing(self, owner: str) -> Generator[Any]:
        with super().writing(owner) as store:
            self.began.set()
            assert self.goes_on.wait(30)
            yield store


def test_a_key_whose_first_call_is_running_is_refused_for_a_moment() -> None:
    stores = Halting()
    of = served.service(stores=stores)
    found: list[HttpAnswer] = []
    first = Thread(target=lambda: found.append(create(of)))
    first.start()
    assert stores.began.wait(30)
    second = create(of)
    stores.goes_on.set()
    first.join(30)

    served.check_problem(second, 409, "key_in_use")
    assert "1" == dict(second.headers)["Retry-After"]
    assert [201] == [each.status for each in found]
    assert (True, found[0].body) == (is_replayed(again := create(of)), again.body)


@rows("key", ["", "x" * 256, "æ", "a\x7fb", "a\tb"])
def test_a_header_that_is_no_key_is_refused(key: str) -> None:
    of = served.service()
    answer = create(of, headers={"Idempotency-Key": key})

    served.check_problem(answer, 400, "not_a_key", "idempotency-key")
    assert 0 == number_of(of)


@rows("key", ["x", "x" * 255, 'a key, with "signs" ~'])
def test_any_printable_text_is_a_key(key: str) -> None:
    of = served.service()
    for _ in range(2):
        assert 201 == create(of, headers={"Idempotency-Key": key}).status

    assert 1 == number_of(of)


def test_two_keys_and_a_key_of_a_read_are_refused() -> None:
    of = served.service()
    pairs = [("Authorization", "x"), ("Idempotency-Key", "a"), ("Idempotency-Key", "b")]

    served.check_problem(
        of.answer("POST", "/leases", "", pairs), 400, "repeated_header", "idempotency-key"
    )
    read = served.ask(of, "GET", "/leases", headers=KEYED)
    served.check_problem(read, 400, "unexpected_header", "idempotency-key")
