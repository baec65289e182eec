"""Any creates, with calls and answers that get lost anywhere, make each object once."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from rentbilling.adapters.client import RentalClient, Retries, ServiceUnavailableError
from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import MemoryKeys, open_stores
from rentbilling.interface import CreateLease
from rentbilling.service import ServedStore, Stores, StoreUnavailableError, key_text, stored_key
from rentbilling.testing import a_one_time_item, a_rent, a_tenancy
from tests.adapters.client.callers import BASE, NOON
from tests.adapters.conftest import postgres_place

if TYPE_CHECKING:
    from tests.support.postgres import Servers

NUMBERS: Final = count(1)
FATES: Final = st.sampled_from(
    ("arrives", "arrives", "request is lost", "answer is lost", "comes twice", "commit is unknown")
)
"""What becomes of one request on its way."""
CREATES: Final = st.lists(st.sampled_from(("tenancy", "item", "fee", "lease")), max_size=6)


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgresql"])
def stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stores]:
    pytest.importorskip("sqlalchemy")
    if request.param == "postgresql":
        servers: Servers = request.getfixturevalue("postgres_servers")
        with postgres_place(servers) as url, open_stores(url) as found:
            yield found
        return
    file = tmp_path_factory.mktemp("once") / "once.sqlite"
    with open_stores("memory:" if request.param == "memory" else f"sqlite:///{file}") as found:
        yield found


class Unsure:
    """Stores that may lose the news of a commit."""

    def __init__(self, stores: Stores) -> None:
        self._stores, self.is_unsure = stores, False

    def reading(self, owner: str) -> Any:  # noqa: ANN401 - a context manager
        return self._stores.reading(owner)

    @contextmanager
    def writing(self, owner: str) -> Generator[ServedStore]:
        with self._stores.writing(owner) as store:
            yield store
        if self.is_unsure:
            raise StoreUnavailableError("store_unavailable", reason="lost")


class Network:
    """A network that brings requests to a service as it was drawn, and afterwards as it should."""

    def __init__(self, stores: Stores, owner: str, fates: list[str]) -> None:
        self._fates = iter(fates)
        self._stores, self._keys, ids = Unsure(stores), MemoryKeys(), count(1)
        self._key = key_text("k1", "0123456789abcdef0123456789abcdef")
        self._keys.add(stored_key(self._key, owner=owner, name="", rights=["*"], created=NOON))
        self._new_id = lambda: f"id-{next(ids)}"

    def client(self, way: Callable[[httpx.Request], httpx.Response], **told: Any) -> RentalClient:  # noqa: ANN401
        http = httpx.Client(transport=httpx.MockTransport(way))
        return RentalClient(BASE, self._key, http=http, sleep=lambda _: None, **told)

    def lossy(self, request: httpx.Request) -> httpx.Response:
        fate = next(self._fates, "arrives")
        if fate == "request is lost":
            raise httpx.ReadTimeout(fate)
        self._stores.is_unsure = fate == "commit is unknown"
        answer = self.answered(request)
        if fate == "comes twice":
            answer = self.answered(request)
        self._stores.is_unsure = False
        if fate == "answer is lost":
            raise httpx.ReadError(fate)
        return answer

    def answered(self, request: httpx.Request) -> httpx.Response:
        path, _, query = request.url.raw_path.decode().partition("?")
        # A process of its own for each request: what is known of keys is in the store alone.
        service = RentalService(self._stores, self._keys, clock=lambda: NOON, new_id=self._new_id)
        headers = request.headers.multi_items()
        found = service.answer(
            request.method, path.removeprefix("/api"), query, headers, request.content
        )
        return httpx.Response(found.status, headers=[*found.headers], content=found.body)


def create(client: RentalClient, what: str, tenancy_id: str, lease_id: str) -> str:
    """Create an object; send the call again, as a program does, until there is an answer."""
    while True:
        try:
            if what == "tenancy":
                return client.create_tenancy(a_tenancy()).tenancy_id
            if what == "item":
                return client.create_recurring_bill_item(lease_id, a_rent()).recurring_bill_item_id
            if what == "fee":
                return client.create_one_time_bill_item(
                    lease_id, a_one_time_item()
                ).one_time_bill_item_id
            return client.create_lease(CreateLease(tenancy_id=tenancy_id, purpose="x")).lease_id
        except ServiceUnavailableError:
            continue


@given(creates=CREATES, fates=st.lists(FATES, max_size=30), most=st.integers(0, 4))
@settings(
    max_examples=min(30, settings().max_examples),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_each_object_is_created_once(
    stores: Stores, creates: list[str], fates: list[str], most: int
) -> None:
    """Each create has one key, whether the client sends it again or the caller does."""
    network, turn = Network(stores, f"owner-{next(NUMBERS)}", fates), [0]
    retries = Retries(most=most, first_wait=0)
    lossy = network.client(network.lossy, retries=retries, new_key=lambda: f"create-{turn[0]}")
    calm = network.client(network.answered)
    made: dict[str, list[str]] = {"tenancy": [], "lease": [], "item": [], "fee": []}
    tenancy_id = lease_id = ""
    for at, what in enumerate(["tenancy", *creates]):
        turn[0] = at
        made[what].append(create(lossy, what, tenancy_id, lease_id))
        if not lease_id:
            (first,) = calm.tenancies()
            tenancy_id, (lease_id,) = first.id, first.lease_ids
    drafts = {lease_id for each in calm.tenancies() for lease_id in each.lease_ids[:1]}

    assert made == {
        "tenancy": [each.id for each in calm.tenancies()],
        "lease": [each.id for each in calm.leases() if each.id not in drafts],
        "item": [each.id for each in calm.recurring_bill_items()],
        "fee": [each.id for each in calm.one_time_bill_items()],
    }


def test_processes_that_get_a_create_at_once_make_one_object(stores: Stores) -> None:
    """Each has a service of its own; the others wait for the first, and give its answer again."""
    network = Network(stores, f"owner-{next(NUMBERS)}", [])
    client = network.client(network.answered, new_key=lambda: "once")
    with ThreadPoolExecutor(6) as threads:
        asked = [threads.submit(client.create_tenancy, a_tenancy()) for _ in range(6)]
        made = {each.result(60).tenancy_id for each in asked}

    assert made == {each.id for each in client.tenancies()}
    assert 1 == len(made)
