"""The client over real sockets: the service of this package, and servers that behave badly."""

import asyncio
import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any, cast

import pytest

from rentbilling.adapters.client import (
    AsyncRentalClient,
    NoAnswerError,
    RentalClient,
    Retries,
    ServiceError,
    UnreadableAnswerError,
)
from rentbilling.adapters.http import create_app, server_of
from tests.adapters.client.callers import Act, settled
from tests.adapters.client.test_served import NEW
from tests.adapters.http.served import KEY, service

READS: Act = lambda client: client.retrieve_lease("lease-1")  # noqa: E731 - a table of acts
ONCE = Retries(most=0)
Ask = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore the proxies of this machine."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("all_proxy", raising=False)
    monkeypatch.setenv("NO_PROXY", "")


def waiting(act: Act, base_url: str, **options: Any) -> Any:  # noqa: ANN401
    with RentalClient(base_url, KEY, **options) as client:
        found = act(client)
        return list(found) if isinstance(found, Iterator) else found


def awaited(act: Act, base_url: str, **options: Any) -> Any:  # noqa: ANN401
    async def main() -> Any:  # noqa: ANN401
        async with AsyncRentalClient(base_url, KEY, **options) as client:
            return await settled(act(cast("RentalClient", client)))

    return asyncio.run(main())


@pytest.fixture(params=[waiting, awaited], ids=["sync", "async"])
def ask(request: pytest.FixtureRequest) -> Ask:
    return cast("Ask", request.param)


@contextmanager
def served() -> Generator[str]:
    server = server_of(create_app(service()))
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def badly_served(answer: bytes | None, received: list[bytes] | None = None) -> Generator[str]:
    """Run a server that sends some bytes and hangs up; with None it never says anything."""
    over = Event()

    def serve(bound: socket.socket) -> None:
        while not over.is_set():
            with suppress(OSError):
                caller, _ = bound.accept()
                with caller:
                    first = caller.recv(65536)
                    if received is not None:
                        received.append(first)
                    if answer is None:
                        over.wait(5)
                    elif answer:
                        caller.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as bound:
        bound.settimeout(0.05)
        thread = Thread(target=serve, args=(bound,))
        thread.start()
        try:
            yield f"127.0.0.1:{bound.getsockname()[1]}"
        finally:
            over.set()
            thread.join()


@contextmanager
def dripping(first: bytes, piece: bytes) -> Generator[tuple[str, list[bytes]]]:
    """Run a server that sends a piece every 20 milliseconds, 500 at most, and then an answer."""
    sent: list[bytes] = []

    def serve(bound: socket.socket) -> None:
        caller, _ = bound.accept()
        with caller, suppress(OSError):
            caller.recv(65536)
            caller.sendall(first)
            while len(sent) < 500:
                caller.sendall(piece)
                sent.append(piece)
                Event().wait(0.02)
            caller.sendall(b"HTTP/1.1 200 OK\r\n" if first == b"" else b"Content-Length: 2\r\n")
            caller.sendall(b"Connection: close\r\n\r\n{}")

    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = Thread(target=serve, args=(bound,))
        thread.start()
        yield f"127.0.0.1:{bound.getsockname()[1]}", sent
        thread.join()


def refusal(ask: Ask, act: Act, base_url: str, **options: Any) -> Any:  # noqa: ANN401
    with pytest.raises(ServiceError) as refused:
        ask(act, base_url, **options)
    assert KEY not in str(refused.value)
    return refused.value


@pytest.mark.parametrize(
    ("first", "piece"),
    [(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"), (b"", b"HTTP/1.1 100 Continue\r\n\r\n")],
    ids=["head", "100"],
)
def test_the_deadline_holds_however_slowly_a_head_comes(
    ask: Ask, first: bytes, piece: bytes
) -> None:
    """Each piece comes in time, and the answer would be right in the end."""
    with dripping(first, piece) as (address, sent):
        rules = Retries(most=0, deadline=0.3)
        error = refusal(ask, READS, f"http://{address}", retries=rules)

    assert "timed_out" == error.code
    assert len(sent) < 500


def test_pages_come_over_the_wire(ask: Ask) -> None:
    """25 tenancies in pages of 10, with connections that are kept and used again."""
    with served() as address:
        made = waiting(lambda client: [client.create_tenancy(NEW) for _ in range(25)], address)
        found = ask(lambda client: client.tenancies(10), address)

    assert [each.tenancy_id for each in made] == [each.id for each in found]


def test_a_server_that_is_not_there_is_an_error_after_the_retries(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
    create: Act = lambda client: client.create_tenancy(NEW)  # noqa: E731
    quick = Retries(most=2, first_wait=0.001)
    error = refusal(ask, create, f"http://127.0.0.1:{port}", retries=quick)

    assert isinstance(error, NoAnswerError)
    assert ("not_connected", False) == (error.code, error.may_be_done)


def test_a_server_that_hangs_up_may_have_done_it(ask: Ask) -> None:
    received: list[bytes] = []
    with badly_served(b"", received) as address:
        base, create = f"http://{address}", lambda client: client.create_tenancy(NEW)
        error = refusal(ask, create, base, is_idempotent=False)

    assert isinstance(error, NoAnswerError)
    assert ("connection_broken", True, 1) == (error.code, error.may_be_done, len(received))


def test_a_server_that_says_nothing_is_left(ask: Ask) -> None:
    with badly_served(None) as address:
        error = refusal(ask, READS, f"http://{address}", timeout=0.1, retries=ONCE)

    assert "timed_out" == error.code


@pytest.mark.parametrize(
    "answer",
    [
        # 9 bytes of 100, and another protocol.
        b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id": "l',
        b"220 mail ready\r\n",
    ],
)
def test_half_an_answer_is_none(ask: Ask, answer: bytes) -> None:
    with badly_served(answer) as address:
        error = refusal(ask, READS, f"http://{address}", retries=ONCE)

    assert "connection_broken" == error.code


def test_a_server_that_cannot_prove_who_it_is_gets_no_key(ask: Ask) -> None:
    received: list[bytes] = []
    with badly_served(b"HTTP/1.1 400 Bad Request\r\n\r\n", received) as address:
        error = refusal(ask, READS, f"https://{address}")

    assert ("tls_refused", 1) == (error.code, len(received))
    assert KEY.encode() not in b"".join(received)


def test_a_proxy_is_used_as_the_machine_says(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[bytes] = []
    page = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 15\r\n\r\n<h1>No way</h1>"
    with badly_served(page, received) as address:
        monkeypatch.setenv("HTTP_PROXY", f"http://{address}")
        error = refusal(ask, READS, "http://rent.example/api", retries=ONCE)

    assert received[0].startswith(b"GET http://rent.example/api/leases/lease-1 HTTP/1.1\r\n")
    assert "<h1>No way</h1>" in str(error)


def test_a_redirect_over_the_wire_is_not_followed(ask: Ask) -> None:
    received: list[bytes] = []
    with badly_served(b"", received) as other:
        moved = f"HTTP/1.1 307 Moved\r\nLocation: http://{other}/\r\nContent-Length: 0\r\n\r\n"
        with badly_served(moved.encode()) as address:
            error = refusal(ask, READS, f"http://{address}")

    assert isinstance(error, UnreadableAnswerError)
    assert [] == received
