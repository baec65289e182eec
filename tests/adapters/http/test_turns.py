"""Limits of each owner, and turns between owners: nobody waits for the requests of another."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from threading import Event, Semaphore
from typing import Any

import httpx
import pytest

from rentbilling.adapters.http import Limits, create_app
from rentbilling.adapters.http.request_limits import TooManyError
from rentbilling.adapters.http.server.turns import Absence, Turns, _timed
from rentbilling.adapters.stores import MemoryKeys, MemoryStores
from rentbilling.service import StoredKey
from tests.adapters.http.served import KEY, STRANGER, TENANCY, keys, service

Call = Callable[..., Awaitable[httpx.Response]]


class Gates(MemoryStores):
    """Stores that acme waits for, others do not; they record who came."""

    def __init__(self, *, reads: bool = True, writes: bool = True) -> None:
        super().__init__()
        self.arrived, self.open = Semaphore(0), Event()
        self._shut = {"reading": reads, "writing": writes}

    def _wait(self, way: str, owner: str) -> None:
        if owner == "acme" and self._shut[way]:
            self.arrived.release()
            assert self.open.wait(20)

    def reading(self, owner: str) -> Any:  # noqa: ANN401
        self._wait("reading", owner)
        return super().reading(owner)

    def writing(self, owner: str) -> Any:  # noqa: ANN401
        self._wait("writing", owner)
        return super().writing(owner)


def calling(
    limits: Limits,
    stores: MemoryStores,
    told: Callable[[Call], Awaitable[None]],
    **more: Any,  # noqa: ANN401
) -> None:
    app = create_app(service(limits, stores=stores, **more))

    async def run() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:

            async def call(address: str, *, key: str = KEY, body: Any = None) -> httpx.Response:  # noqa: ANN401
                method = "GET" if body is None else "POST"
                return await client.request(
                    method, address, json=body, headers={"Authorization": key}
                )

            await told(call)

    asyncio.run(run())


async def arrived(gates: Gates, count: int) -> None:
    for _ in range(count):
        assert await asyncio.to_thread(gates.arrived.acquire, timeout=20)


def test_an_owner_has_a_number_of_requests_at_once_and_the_next_one_is_answered_429() -> None:
    """Two in threads and one that waits; the fourth is too many, and another owner's is not."""
    gates = Gates()

    async def told(call: Call) -> None:
        first = [asyncio.ensure_future(call("/leases")) for _ in range(3)]
        await arrived(gates, 2)
        fourth = await call("/leases")
        other = await call("/leases", key=STRANGER)
        gates.open.set()

        assert (429, "1") == (fourth.status_code, fourth.headers["Retry-After"])
        assert "too_many_at_once" == fourth.json()["code"]
        assert 200 == other.status_code
        assert [200] * 3 == [(await each).status_code for each in first]
        assert 200 == (await call("/leases")).status_code

    limits = Limits(owner_at_once=2, owner_waiting=1, owner_seconds=20, turn_seconds=20)
    calling(limits, gates, told)


def test_twenty_requests_of_an_owner_are_there_at_once_and_one_more_is_answered_429() -> None:
    """By the usual limits: four in work, of reads two in threads, and sixteen that wait."""
    gates = Gates()

    async def told(call: Call) -> None:
        first = [asyncio.ensure_future(call("/leases")) for _ in range(20)]
        await arrived(gates, 2)
        more = await asyncio.gather(*(call("/leases") for _ in range(3)))
        gates.open.set()

        assert [(429, "1")] * 3 == [
            (each.status_code, each.headers["Retry-After"]) for each in more
        ]
        assert [200] * 20 == [each.status_code for each in await asyncio.gather(*first)]

    calling(Limits(owner_seconds=20, turn_seconds=20), gates, told)


def test_an_owner_whose_requests_compute_for_long_has_few_threads_beside_others() -> None:
    """Of four threads, one that has computed for long has one beside others, and two alone."""
    limits = Limits()
    turns = Turns(limits)
    reads, owner, other = turns._reads, turns._owner("a"), turns._owner("b")
    reads.start("a", owner)

    assert not reads.is_full("a", owner)
    owner.heavy_until = float("inf")
    assert not reads.is_full("a", owner)
    reads.start("b", other)
    assert reads.is_full("a", owner)
    assert not reads.is_full("b", other)
    reads.end("b", other)
    assert not reads.is_full("a", owner)


def test_a_request_that_computes_for_long_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 0.05, 1.0, 1.06])
    monkeypatch.setattr("rentbilling.adapters.http.server.turns.thread_time", lambda: next(seconds))
    owner = Turns(Limits())._owner("a")

    assert 7 == _timed(lambda: 7, owner)
    assert 0.0 == owner.heavy_until
    assert 8 == _timed(lambda: 8, owner)
    assert owner.heavy_until > 0.0


def test_a_long_read_sleeps_while_others_have_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has computed 0.02 s since it began, and sleeps 3 times as long; alone it does not."""
    now, slept = [5.0], list[float]()
    monkeypatch.setattr("rentbilling.adapters.http.server.turns.thread_time", lambda: now[0])
    monkeypatch.setattr("rentbilling.adapters.http.server.turns.sleep", slept.append)
    turns = Turns(Limits())
    give_way = turns.giving_way("a")
    give_way()
    now[0] = 5.02
    give_way()

    assert [] == slept
    turns._reads.start("b", turns._owner("b"))
    give_way()
    give_way()
    now[0] = 5.021
    give_way()
    now[0] = 6.0
    give_way()

    assert [0.06, 0.3] == [round(each, 6) for each in slept]


@pytest.mark.parametrize(
    ("limits", "key", "refusal"),
    [
        (Limits(owner_at_once=1, owner_seconds=0.1), KEY, (429, "too_many_at_once")),
        (
            Limits(threads=1, owner_seconds=0.05, turn_seconds=0.1),
            *(STRANGER, (503, "too_much_to_do")),
        ),
    ],
    ids=["others of its owner", "a thread"],
)
def test_a_request_waits_for_a_while(limits: Limits, key: str, refusal: tuple[int, str]) -> None:
    gates = Gates()

    async def told(call: Call) -> None:
        first = asyncio.ensure_future(call("/leases"))
        await arrived(gates, 1)
        second = await call("/leases", key=key)
        gates.open.set()

        assert refusal == (second.status_code, second.json()["code"])
        assert 200 == (await first).status_code

    calling(limits, gates, told)


def test_changes_that_wait_keep_no_read_waiting_and_no_health() -> None:
    gates = Gates(reads=False)

    async def told(call: Call) -> None:
        changes = [asyncio.ensure_future(call("/tenancies", body=TENANCY)) for _ in range(20)]
        await arrived(gates, 4)
        others = [await call("/leases", key=STRANGER), await call("/health")]
        own = await call("/tenancies", key=STRANGER, body=TENANCY)
        gates.open.set()

        assert [200, 200, 201] == [each.status_code for each in (*others, own)]
        assert [201] * 20 == [(await each).status_code for each in changes]

    calling(Limits(owner_seconds=20, turn_seconds=20), gates, told)


class CountingKeys(MemoryKeys):
    """Keys that count how often they are looked for."""

    asked = 0

    def find(self, key_id: str) -> StoredKey | None:
        self.asked += 1
        return super().find(key_id)


def test_owners_take_turns() -> None:
    """One thread, five requests of acme, then two of another: its first one is second."""
    order: list[str] = []
    begun, go = Event(), Event()

    def work(name: str) -> Callable[[], None]:
        def done() -> None:
            order.append(name)
            begun.set()
            assert go.wait(20)

        return done

    async def run() -> None:
        turns = Turns(Limits(threads=1))

        async def turn(owner: str, name: str) -> None:
            with Absence(_never) as gone:
                await turns.run(owner, work(name), writes=False, gone=gone)

        tasks = [asyncio.ensure_future(turn("acme", f"a{at}")) for at in range(5)]
        await asyncio.to_thread(begun.wait, 20)
        tasks += [asyncio.ensure_future(turn("other", f"b{at}")) for at in range(2)]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())

    assert ["a0", "a1", "b0", "a2", "b1", "a3", "a4"] == order


async def _never() -> Any:  # noqa: ANN401
    await asyncio.sleep(60)


async def _gone() -> Any:  # noqa: ANN401
    return {"type": "http.disconnect"}


def test_what_waits_for_nobody_is_not_begun() -> None:
    begun, go = Event(), Event()

    def first() -> None:
        begun.set()
        assert go.wait(20)

    async def run() -> None:
        turns = Turns(Limits(threads=1))
        with Absence(_never) as present, Absence(_gone) as gone:
            running = asyncio.ensure_future(turns.run("acme", first, writes=False, gone=present))
            await asyncio.to_thread(begun.wait, 20)
            assert await turns.run("b", lambda: "never", writes=False, gone=gone) is None
            go.set()
            await running
            # Its place is free again.
            assert "b" == await turns.run("b", lambda: "b", writes=False, gone=present)

    asyncio.run(run())


def test_bodies_that_arrive_are_counted_by_owner_and_in_all() -> None:
    """Of eight bodies two can be of each owner; the ninth of all is one too many for any."""
    turns = Turns(Limits(most_bodies=8))
    with ExitStack() as arriving:
        for owner in "abcd":
            for _ in range(2):
                arriving.enter_context(turns.body(owner))
        refusals = []
        for owner in "ae":
            with pytest.raises(TooManyError) as refused, turns.body(owner):
                pass
            refusals.append((refused.value.code, refused.value.of_owner))
        assert [("too_many_at_once", True), ("too_much_to_do", False)] == refusals
    with turns.body("e"):
        pass


def test_requests_a_second_are_counted_by_owner() -> None:
    """Two a second: two at once, a third after half a second, and of another owner two as well."""
    now = 100.0
    turns = Turns(Limits(per_second=2), lambda: now)
    turns.count("acme")
    turns.count("acme")
    with pytest.raises(TooManyError) as refused:
        turns.count("acme")
    turns.count("other")

    assert ("too_many_a_second", 0.5) == (refused.value.code, refused.value.after)
    now += 0.5
    turns.count("acme")
    with pytest.raises(TooManyError):
        turns.count("acme")
    # What was not used in a long time is no more than what one second allows.
    now += 3_600
    turns.count("acme")
    turns.count("acme")
    with pytest.raises(TooManyError):
        turns.count("acme")


def test_too_many_a_second_are_answered_429_with_the_seconds_to_wait() -> None:
    async def told(call: Call) -> None:
        assert 200 == (await call("/leases")).status_code
        refused = await call("/leases")

        assert (429, "too_many_a_second") == (refused.status_code, refused.json()["code"])
        # One in ten seconds: nine and a bit are left.
        assert "10" == refused.headers["Retry-After"]
        assert 200 == (await call("/leases", key=STRANGER)).status_code

    calling(Limits(per_second=0.1), MemoryStores(), told)


def test_an_unknown_key_is_looked_up_before_a_body_is_read_and_a_known_one_once() -> None:
    ring = CountingKeys()
    for each in keys().listed():
        ring.add(each)

    async def told(call: Call) -> None:
        for _ in range(3):
            assert 201 == (await call("/tenancies", body=TENANCY)).status_code
        # Once before the first body, and with each change.
        assert 4 == ring.asked
        # What cannot be a key is looked for nowhere.
        assert 401 == (await call("/tenancies", body=TENANCY, key="Bearer x")).status_code
        assert 4 == ring.asked

    calling(Limits(), MemoryStores(), told, keys=ring)
