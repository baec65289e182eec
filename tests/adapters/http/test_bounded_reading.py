"""Pages are bounded in what they read, answers in their bytes, and nobody's reads end early."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import pytest

from rentbilling.adapters.http import HttpAnswer, Limits, RentalService
from rentbilling.adapters.http.bounded_reading import BoundedReading, GivenUpError
from rentbilling.adapters.http.refusals import RefusalError
from rentbilling.adapters.stores import MemoryStores
from rentbilling.interface import Lease
from rentbilling.service import Stored
from rentbilling.values import Period
from tests.adapters.http.served import (
    RENT,
    TENANCY,
    ask,
    check_problem,
    data_of,
    service,
    with_lease,
)
from tests.support.rows import rows

LATER = [
    {"value": RENT["amount"], "start": f"{2027 + at // 12}-{at % 12 + 1:02d}-01"}
    for at in range(100)
]
HEAVY = {**RENT, "amountRecords": LATER}


def with_leases(count: int, **limits: Any) -> RentalService:  # noqa: ANN401
    """Return a service with leases, each with an item that has 100 later amounts."""
    of = service(Limits(**limits))
    for _ in range(count):
        with_lease(of, HEAVY)
    return of


@pytest.mark.parametrize(
    "address", ["/leases?limit={}", "/tenancies?limit={}", "/recurring-bill-items?limit={}"]
)
def test_a_page_is_bounded_in_what_it_reads(address: str) -> None:
    """Each of 30 leases has some 103 entries: 20 of them are too many for 1,500, and 10 are not."""
    of = with_leases(30, most_entries=1_500)

    check_problem(ask(of, "GET", address.format(20)), 400, "too_many_entries", "limit")
    assert 10 == len(listed(ask(of, "GET", address.format(10))))


def listed(answer: HttpAnswer) -> Sequence[Any]:
    assert 200 == answer.status, answer.body
    (found,) = data_of(answer).values()
    return found  # type: ignore[no-any-return]


@rows("address", ["/leases?limit=1", "/leases/{}", "/leases/{}/terms"])
def test_a_single_object_can_always_be_read(address: str) -> None:
    of = with_leases(2, most_entries=10)

    assert 200 == ask(of, "GET", address.format("id-2")).status


class Counting(MemoryStores):
    """Stores that record how many objects are read at once."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[int] = []

    def reading(self, owner: str) -> Any:  # noqa: ANN401
        return _Counted(super().reading(owner), self.parts)


class _Counted:
    def __init__(self, opened: Any, parts: list[int]) -> None:  # noqa: ANN401
        self._opened, self._parts = opened, parts

    def __enter__(self) -> Self:
        self._store = self._opened.__enter__()
        return self

    def __exit__(self, *given: object) -> None:
        self._opened.__exit__(*given)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._store, name)

    def belonging(
        self, kind: type[Any], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[Any]]]:
        self._parts.append(len(to))
        found: Mapping[str, Sequence[Stored[Any]]] = self._store.belonging(kind, to, days=days)
        return found


def test_of_a_page_that_is_too_much_little_is_read() -> None:
    """40 leases are asked for: after the items of the first 10 it is certain."""
    stores = Counting()
    of = service(Limits(most_entries=900), stores=stores)
    for _ in range(40):
        with_lease(of, HEAVY)
    check_problem(ask(of, "GET", "/leases?limit=40"), 400, "too_many_entries", "limit")

    assert [10] == stores.parts


def test_a_light_page_takes_few_calls_of_the_store() -> None:
    """100 leases: 10, then 40 and 50 at once, of each kind of part."""
    stores = Counting()
    of = service(stores=stores)
    for _ in range(100):
        with_lease(of)
    assert 100 == len(listed(ask(of, "GET", "/leases?limit=100")))

    assert [10, 40, 50] * 3 == stores.parts


def test_an_answer_has_a_number_of_bytes() -> None:
    whole = ask(with_leases(1), "GET", "/leases/id-2/terms")
    of = with_leases(1, most_answer_bytes=len(whole.body))
    assert whole.body == ask(of, "GET", "/leases/id-2/terms").body

    of = with_leases(1, most_answer_bytes=len(whole.body) - 1)
    check_problem(ask(of, "GET", "/leases/id-2/terms"), 400, "answer_too_long", "")


def test_an_answer_that_is_too_long_changes_nothing() -> None:
    """The answer would be two ids in 40 bytes."""
    of = service(Limits(most_answer_bytes=39))

    check_problem(ask(of, "POST", "/tenancies", TENANCY), 400, "answer_too_long", "")
    assert b'{"tenancies": []}' == ask(of, "GET", "/tenancies").body


def test_a_read_whose_caller_is_gone_ends_at_its_next_call() -> None:
    with MemoryStores().reading("acme") as store:
        reading = BoundedReading(store, 10, lambda: False)
        for call in (
            lambda: reading.find(Lease, "x"),
            lambda: reading.several(Lease, ["x"]),
            lambda: reading.belonging(Lease, ["x"]),
            lambda: reading.page(Lease, limit=1),
        ):
            with pytest.raises(GivenUpError):
                call()


def test_several_objects_are_counted_too() -> None:
    of = with_leases(3)
    with of._stores.reading("acme") as store:
        reading = BoundedReading(store, 2, None)
        with pytest.raises(RefusalError) as refused:
            reading.several(Lease, ["id-2", "id-5", "id-8"])

    assert "too_many_entries" == refused.value.code
