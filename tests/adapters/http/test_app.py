"""The application of ASGI: bodies as they arrive, slow and vanishing callers, threads, mounting."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from threading import Event, Semaphore, get_ident
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import Message

from rentbilling.adapters.http import Limits, create_app
from rentbilling.adapters.http.server import app as served_app
from rentbilling.adapters.http.server.app import path_of
from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http.served import (
    JSON_BODY,
    KEY,
    PROBLEM_BODY,
    RENT,
    TENANCY,
    ask,
    exchange,
    scope_of,
    service,
    with_lease,
)
from tests.conformance.proving import proves
from tests.support.rows import rows

SOUND = json.dumps(TENANCY).encode()
HEADERS = {"Authorization": KEY, "Content-Type": JSON_BODY}


def called(app: Any, *requests: tuple[str, str, Any]) -> list[httpx.Response]:  # noqa: ANN401
    async def run() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
            return [
                await client.request(method, address, json=body, headers={"Authorization": KEY})
                for method, address, body in requests
            ]

    return asyncio.run(run())


def test_the_application_answers_what_the_service_answers() -> None:
    asked = service()
    lease_id = with_lease(asked, RENT)
    app = create_app(asked)
    told = {"X-Request-Id": "one"}
    for method, address in (
        ("GET", f"/leases/{lease_id}"),
        ("HEAD", f"/leases/{lease_id}"),
        ("GET", f"/pending-bills?leaseId={lease_id}&period=2026-01-01/2026-03-31"),
        ("GET", "/leases?limit=0"),
        ("GET", "/leases/a%2Fb"),
        ("GET", "/none"),
        ("DELETE", "/leases"),
        ("GET", "/health"),
    ):
        expected = ask(asked, method, address, headers=told)
        scope = scope_of(method, address, {"Authorization": KEY, **told})
        found = exchange(app, scope)

        headers = {name.lower(): value for name, value in expected.headers}
        assert (expected.status, headers) == (found.status, found.headers)
        assert expected.body == found.body


def test_a_body_may_arrive_in_parts() -> None:
    parts = [each for byte in SOUND for each in (bytes([byte]), b"")]

    found = exchange(create_app(service()), scope_of("POST", "/tenancies", HEADERS), parts)

    assert 201 == found.status


@rows(
    ("limits", "headers", "status", "taken"),
    [
        # Of 100 parts of 1,000 bytes four are more than 3,500, also with a false length.
        (Limits(most_bytes=3_500), {}, 413, 4),
        *(
            (Limits(most_bytes=3_500), {"Content-Length": each}, 413, 4)
            for each in ("5", "0", "-1", "ten", "²")
        ),
        # Nothing is read where the head says enough.
        *((Limits(), {"Content-Length": each}, 413, 0) for each in ("10000000", "1000001")),
        (Limits(), {"Authorization": ""}, 401, 0),
        (Limits(), {"Content-Type": "text/plain"}, 415, 0),
    ],
)
def test_no_more_of_a_body_is_read_than_is_needed_to_refuse_it(
    limits: Limits, headers: dict[str, str], status: int, taken: int
) -> None:
    scope = scope_of("POST", "/tenancies", {**HEADERS, **headers})

    found = exchange(create_app(service(limits)), scope, [b" " * 1_000] * 100)

    assert (status, taken) == (found.status, found.taken)
    assert PROBLEM_BODY == found.headers["content-type"]


@pytest.mark.parametrize("parts", [[b"{", 5.0], [5.0, b"{"], [b"{"] + [0.03, b"a"] * 50])
@proves("Errors 1")
def test_a_body_that_takes_too_long_is_answered_408(parts: list[bytes | float]) -> None:
    app = create_app(service(Limits(body_seconds=0.2)))

    found = exchange(app, scope_of("POST", "/tenancies", HEADERS), [*parts, b"}"])

    assert (408, "close") == (found.status, found.headers["connection"])
    assert "slow_body" == json.loads(found.body)["code"]


@pytest.mark.parametrize("parts", [[None], [b"{", None], [SOUND, b"", None]])
def test_a_caller_who_hangs_up_before_the_end_has_asked_nothing(
    parts: list[bytes | None], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is done and nothing sent; the log has 499."""
    asked = service()
    with caplog.at_level(logging.INFO, "rentbilling.access"):
        found = exchange(create_app(asked), scope_of("POST", "/tenancies", HEADERS), parts)

    (line,) = [json.loads(each.getMessage()) for each in caplog.records]
    assert ([], "/tenancies", 499) == (found.sent, line["route"], line["status"])
    assert b'{"tenancies": []}' == ask(asked, "GET", "/tenancies").body


def test_a_caller_who_hangs_up_during_the_answer_changes_nothing_of_what_was_done() -> None:
    asked = service()

    def gone(_message: Message) -> None:
        raise OSError("the connection is gone")

    exchange(create_app(asked), scope_of("POST", "/tenancies", HEADERS), [SOUND], on_send=gone)

    assert b'"id": "id-1"' in ask(asked, "GET", "/tenancies").body


def test_an_answer_is_sent_in_pieces_to_who_takes_it_in_time() -> None:
    """Some 300 KB: no more than 64 KiB at once, and given up where nobody takes it."""
    asked = service(Limits(answer_seconds=0.2))
    with_lease(asked, *[RENT] * 30)
    address = "/pending-bills?leaseId=id-2&period=2026-01-01/2028-12-31"
    scope = scope_of("GET", address, {"Authorization": KEY})
    whole = exchange(create_app(asked), scope)
    sizes = [len(each["body"]) for each in whole.sent[1:]]

    assert len(sizes) > 3
    assert max(sizes) == 65_536
    assert whole.body == ask(asked, "GET", address).body

    taken: list[Message] = []

    async def slow(message: Message) -> None:
        taken.append(message)
        await asyncio.sleep(30 if len(taken) == 3 else 0)

    async def receive() -> Message:
        await asyncio.sleep(0.01)  # Who waits for a hang-up takes turns with the rest.
        return {"type": "http.request"}

    asyncio.run(create_app(asked)(scope, receive, slow))

    assert 3 == len(taken)


@pytest.mark.parametrize(
    ("parts", "status"), [([b"{", 0.05] * 40, 408), ([b"{" + b" " * 4_000, 0.05] * 12, 400)]
)
def test_a_body_has_a_least_rate(
    parts: list[bytes | float], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while 10,000 bytes a second: 40 in two seconds are too slow, 48,000 are not."""
    monkeypatch.setattr("rentbilling.adapters.http.server.app._GRACE", 0.5)
    app = create_app(service(Limits(least_rate=10_000)))

    found = exchange(app, scope_of("POST", "/tenancies", HEADERS), [*parts, b"}"])

    assert status == found.status


def test_health_is_asked_of_the_store_once_a_second_however_many_ask() -> None:
    gate = Gate()
    gate.open.set()
    app = create_app(service(stores=gate))
    found = called(app, *[("GET", "/health", None)] * 50)

    assert {200} == {each.status_code for each in found}
    # On a machine that stands still for seconds, a few times.
    assert gate.count < 25
    assert 50 == len({each.headers["X-Request-Id"] for each in found})


def test_health_answers_soon_where_the_store_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another program has locked: one trial waits for it, and no caller."""
    monkeypatch.setattr(served_app, "_HEALTH_PATIENCE", 0.01)
    goes_on, trials = Event(), 0

    class Locked(MemoryStores):
        def writing(self, owner: str) -> Any:  # noqa: ANN401
            nonlocal trials
            trials += 1
            assert goes_on.wait(30)
            return super().writing(owner)

    app = create_app(service(stores=Locked()))

    async def asked() -> tuple[list[httpx.Response], httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            slow = [await client.get("/health") for _ in range(3)]
            goes_on.set()
            monkeypatch.setattr(served_app, "_HEALTH_PATIENCE", 30)
            return slow, await client.get("/health")

    slow, good = asyncio.run(asked())
    assert [503] * 3 == [each.status_code for each in slow]
    assert {"store_out_of_reach"} == {each.json()["code"] for each in slow}
    assert "has not answered for 0.01 seconds" in slow[0].json()["detail"]
    assert "1" == slow[0].headers["Retry-After"]
    assert (200, 1) == (good.status_code, trials)


class Gate(MemoryStores):
    """Stores whose reading waits for a signal, and records its thread."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived, self.open = Semaphore(0), Event()
        self.threads: set[int] = set()
        self.count = 0

    def reading(self, owner: str) -> Any:  # noqa: ANN401
        self.threads.add(get_ident())
        self.count += 1
        self.arrived.release()
        assert self.open.wait(10)
        return super().reading(owner)


def test_the_loop_does_not_wait_for_a_store() -> None:
    gate = Gate()
    app = create_app(service(stores=gate))

    async def run() -> tuple[int, int, int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://service", headers={"Authorization": KEY}
        ) as client:
            waiting = asyncio.create_task(client.get("/leases"))
            await asyncio.to_thread(gate.arrived.acquire)
            refused = await client.get("/none")
            page = await client.get("/problems/no-key")
            gate.open.set()
            return (await waiting).status_code, refused.status_code, page.status_code

    assert (200, 404, 200) == asyncio.run(run())
    assert get_ident() not in gate.threads


def test_more_requests_than_can_wait_are_answered_503() -> None:
    gate = Gate()
    app = create_app(service(Limits(most_at_once=2), stores=gate))

    async def run() -> tuple[list[int], httpx.Response, int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://service", headers={"Authorization": KEY}
        ) as client:
            waiting = [asyncio.create_task(client.get("/leases")) for _ in "ab"]
            for _ in waiting:
                await asyncio.to_thread(gate.arrived.acquire)
            third = await client.get("/leases")
            gate.open.set()
            first = [(await each).status_code for each in waiting]
            return first, third, (await client.get("/leases")).status_code

    first, third, after = asyncio.run(run())

    assert ([200, 200], 503, 200) == (first, third.status_code, after)
    assert ("too_much_to_do", "1") == (third.json()["code"], third.headers["Retry-After"])


def test_requests_wait_for_a_free_thread() -> None:
    gate = Gate()
    gate.open.set()
    app = create_app(service(Limits(threads=2), stores=gate))

    async def run() -> list[int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://service", headers={"Authorization": KEY}
        ) as client:
            answers = await asyncio.gather(*(client.get("/leases") for _ in range(6)))
            return [each.status_code for each in answers]

    assert [200] * 6 == asyncio.run(run())
    assert len(gate.threads) <= 2


@pytest.mark.parametrize("prefix", ["/rent", "/api/v1", "/with%20blank"])
def test_it_may_be_mounted_below_a_path(prefix: str) -> None:
    asked = service()
    decoded = prefix.replace("%20", " ")
    app = Starlette(routes=[Mount(decoded, app=create_app(asked))])
    with_lease(asked)

    found = called(
        app,
        ("GET", f"{prefix}/leases/id-2", None),
        ("GET", f"{prefix}/leases/a%2Fb", None),
        ("GET", f"{prefix}/leases/", None),
        ("GET", f"{prefix}/rents", None),
        ("POST", f"{prefix}/tenancies", TENANCY),
    )

    assert [200, 404, 404, 404, 201] == [each.status_code for each in found]
    # Whoever follows the type of a problem comes to its page.
    types = [each.json()["type"] for each in found[1:4]]
    pages = called(app, *(("GET", each, None) for each in types))
    assert f"{prefix}/problems/not-found" == types[0]
    assert [(200, each) for each in types] == [
        (each.status_code, each.json()["type"]) for each in pages
    ]
    codes = [each.json().get("code") for each in found]
    assert [None, "unknown_id", "unknown_path", "unknown_path", None] == codes
    # Whoever appends a path to the server of the document comes to the operation.
    (document,) = called(app, ("GET", f"{prefix}/openapi.json", None))
    (server,) = document.json()["servers"]
    (lease,) = called(app, ("GET", f"{server['url']}/leases/id-2", None))
    assert (prefix, 200) == (server["url"], lease.status_code)


@rows("prefix", ["", "/rent"])
def test_the_service_itself_leads_to_its_page(prefix: str) -> None:
    app = create_app(service())
    if prefix:
        app = Starlette(routes=[Mount(prefix, app)])

    page, posted = called(app, ("GET", f"{prefix}/", None), ("POST", f"{prefix}/", {}))

    assert (307, b"") == (page.status_code, page.content)
    assert f"{prefix}/docs" == page.headers["location"]
    assert (405, "GET, HEAD") == (posted.status_code, posted.headers["allow"])


@rows(
    ("scope", "expected"),
    [
        ({"path": "/leases"}, "/leases"),
        ({"path": "/leases/a b"}, "/leases/a%20b"),
        ({"path": "/leases/a b", "raw_path": b"/leases/a%20b"}, "/leases/a%20b"),
        ({"path": "/leases/a/b", "raw_path": b"/leases/a%2Fb"}, "/leases/a%2Fb"),
        ({"path": "/r/leases", "root_path": "/r"}, "/leases"),
        ({"path": "/r/leases", "root_path": "/r", "raw_path": b"/r/leases"}, "/leases"),
        ({"path": "/r s/x", "root_path": "/r s", "raw_path": b"/r%20s/x"}, "/x"),
        ({"path": "/r", "root_path": "/r", "raw_path": b"/r"}, ""),
        ({"path": "/r/", "root_path": "/r", "raw_path": b"/r/"}, "/"),
        # A proxy that took the prefix off, where the server does not put it back.
        ({"path": "/leases", "root_path": "/r", "raw_path": b"/leases"}, "/leases"),
        ({"path": "/reports", "root_path": "/r", "raw_path": b"/reports"}, "/reports"),
        # An id that begins like the prefix is no prefix.
        ({"path": "/r/r/x", "root_path": "/r", "raw_path": b"/r/r/x"}, "/r/x"),
    ],
)
def test_the_path_below_the_prefix_is_as_it_came(scope: dict[str, Any], expected: str) -> None:
    assert expected == path_of(scope)


def test_a_web_socket_is_closed() -> None:
    found = exchange(create_app(service()), {"type": "websocket", "path": "/leases", "headers": []})

    assert ["websocket.close"] == [each["type"] for each in found.sent]


def test_a_lifespan_may_be_given() -> None:
    steps: list[str] = []

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        steps.append("opened")
        yield
        steps.append("closed")

    app = create_app(service(), lifespan=lifespan)

    async def run() -> None:
        events = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive() -> Message:
            return next(events)

        async def send(message: Message) -> None:
            steps.append(message["type"])

        await app({"type": "lifespan", "app": app}, receive, send)

    asyncio.run(run())

    expected = ["opened", "lifespan.startup.complete", "closed", "lifespan.shutdown.complete"]
    assert expected == steps
