"""How a server process ends, and what it does with what is no sound request."""

import json
import re
import signal
import socket
import time
from contextlib import closing

import pytest

from rentbilling.adapters.stores import open_stores
from rentbilling.interface import Tenancy
from tests.adapters.http.served import TENANCY
from tests.adapters.processes.server_processes import KEY, NEW, PATIENCE, Place, Server, served

BODY = json.dumps(TENANCY).encode()
NO_UNICODE = BODY.replace(b'"Nygade"', b'"\xff\xfe"')
MEGABYTES = b" " * 10_000_000


def head(length: int, *more: str, method: str = "POST") -> bytes:
    lines = (
        f"{method} /tenancies HTTP/1.1",
        "Host: service",
        f"Authorization: {KEY}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        "Connection: close",
        *more,
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def status_of(answer: bytes) -> int:
    """Return the status of an answer, 0 for none."""
    found = re.match(rb"HTTP/1.1 (\d{3}) ", answer)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_request_that_runs_at_the_end_is_answered(
    tmp_path_factory: pytest.TempPathFactory, number: signal.Signals
) -> None:
    """Half of its body came before the signal, the rest afterwards: 201, and it is kept.

    Who comes after the signal finds nobody, and the process ends with 0 and a word.
    """
    folder = tmp_path_factory.mktemp("ended")
    place = Place.made(f"sqlite:///{folder}/rent.sqlite", folder)
    with served(place) as server:
        with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as to:
            to.sendall(head(len(BODY)) + BODY[:10])
            # Answered after the head of the first one was read.
            assert 200 == status_of(server.answer(head(0, method="GET")))
            server.process.send_signal(number)
            wait_until_nobody_listens(server.port)
            to.sendall(BODY[10:])
            answer = b""
            while more := to.recv(65_536):
                answer += more
        code = server.process.wait(PATIENCE)

    assert 201 == status_of(answer)
    assert (0, "Ended.") == (code, json.loads(server.said.splitlines()[-1])["message"])
    tenancy_id = json.loads(answer.partition(b"\r\n\r\n")[2])["tenancyId"]
    with open_stores(place.url) as stores, stores.reading("acme") as store:
        assert [tenancy_id] == [each.id for each in store.page(Tenancy, limit=10)]


def wait_until_nobody_listens(port: int) -> None:
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            # It waited to be taken when the server stopped listening.
            continue
    raise AssertionError("it still listens")


def is_well(server: Server) -> bool:
    with server.client() as client:
        return client.create_tenancy(NEW).tenancy_id == list(client.tenancies())[-1].id


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"\x00\x01\x02\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET /tenancies\r\n\r\n", 400),
        (b"POST /tenancies HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        (head(len(NO_UNICODE)) + NO_UNICODE, 400),
        (head(4) + b"null", 400),
        (head(100_000) + b"[" * 100_000, 400),
        (head(len(MEGABYTES)) + MEGABYTES, 413),
    ],
    ids=["bytes", "TLS", "no version", "length", "UTF-8", "null", "deep", "10 MB"],
)
def test_what_is_no_sound_request_is_refused_and_the_server_goes_on(
    server: Server, sent: bytes, status: int
) -> None:
    assert status == status_of(server.answer(sent))
    assert is_well(server)
    assert "traceback" not in server.said.lower()


def test_callers_who_stop_in_the_middle_keep_nobody_waiting(server: Server) -> None:
    halves = (b"GET /tenan", head(100), head(len(BODY)) + BODY[:20])
    open_ones = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(60)]
    try:
        for at, each in enumerate(open_ones):
            each.sendall(halves[at % 3])
        assert is_well(server)
        # The slow ones are answered once they are whole.
        slow = open_ones[2]
        slow.sendall(BODY[20:])
        assert 201 == status_of(slow.recv(65_536))
    finally:
        for each in open_ones:
            each.close()
    assert is_well(server)
    assert "traceback" not in server.said.lower()
