"""Connections on a real socket: bounds that no application sees, and what a stranger can do."""

import json
import socket
from contextlib import ExitStack, closing, suppress

import pytest

from rentbilling.adapters.http import Limits
from rentbilling.adapters.http.server.connections import Connections
from rentbilling.service import key_text
from tests.adapters.http.served import TENANCY, service
from tests.adapters.http.test_serving import HEAD, is_well, raw, request, running, status_of
from tests.support.rows import rows

BODY = json.dumps(TENANCY)
WRONG = key_text("none", "0123456789abcdef0123456789abcdef")
KEYLESS = f"Host: x\r\nAuthorization: {WRONG}\r\nContent-Type: application/json\r\n"
JUST_BEGUN = b"GET /leases HTTP/1.1\r\nHost: x\r\n"


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def is_answered(to: socket.socket, sent: bytes) -> bool:
    """Return whether a request for an empty list has its whole answer."""
    to.sendall(sent)
    answer = b""
    while not answer.endswith(b'{"leases": []}'):
        answer += to.recv(65_536)
    return status_of(answer) == 200


def is_closed(to: socket.socket) -> bool:
    """Return whether a connection is closed from the other side."""
    with suppress(ConnectionError):
        return to.recv(1_000) == b""
    return True


@rows(
    ("length", "begun"),
    [("Content-Length: 9000", " "), ("Transfer-Encoding: chunked", "1\r\n \r\n")],
    ids=["long", "chunked"],
)
@rows("key", ["BAD", WRONG], ids=["no key", "unknown"])
def test_a_stranger_is_refused_before_a_body_is_read(key: str, length: str, begun: str) -> None:
    """One byte of the body has come, and the rest never will."""
    head = f"POST /tenancies HTTP/1.1\r\n{KEYLESS}{length}\r\n\r\n".replace(WRONG, key)
    with running(service()) as port, closing(connected(port)) as to:
        to.sendall(f"{head}{begun}".encode())
        answer = to.recv(65_536)
        while b"\r\n\r\n" not in answer:
            answer += to.recv(65_536)

    assert 401 == status_of(answer)
    assert b"connection: close" in answer.lower()


def test_a_refused_body_that_is_still_sent_takes_no_answer_away() -> None:
    """900 KB, of which nothing is read by the service: the answer comes whole."""
    head = f"POST /tenancies HTTP/1.1\r\n{KEYLESS}Content-Length: 900000\r\n\r\n"
    with running(service()) as port:
        answer = raw(port, head.encode(), *([b" " * 90_000] * 10))

    assert 401 == status_of(answer)
    assert answer.endswith(b"}")


def test_a_head_that_does_not_come_is_not_waited_for() -> None:
    """Also the second head of a connection; between them, some seconds are allowed."""
    whole = b"GET /leases HTTP/1.1\r\n" + HEAD.encode() + b"\r\n"
    with running(service(Limits(head_seconds=0.3))) as port:
        for sent in (b"", JUST_BEGUN):
            with closing(connected(port)) as to:
                to.sendall(sent)
                assert is_closed(to)
        with closing(connected(port)) as to:
            assert is_answered(to, whole)
            to.sendall(JUST_BEGUN)
            assert is_closed(to)


def test_the_oldest_connection_without_a_key_makes_room() -> None:
    """Of five connections with room for four, the first one without a key is closed."""
    whole = b"GET /leases HTTP/1.1\r\n" + HEAD.encode() + b"\r\n"
    with running(service(Limits(most_connections=4))) as port, ExitStack() as opened:
        keyed = opened.enter_context(closing(connected(port)))
        assert is_answered(keyed, whole)
        idle = []
        for _ in range(4):
            each = opened.enter_context(closing(connected(port)))
            each.sendall(JUST_BEGUN)
            idle.append(each)
        assert is_closed(idle[0])
        assert is_answered(keyed, whole)
        assert is_answered(idle[3], f"{HEAD[HEAD.index('Auth') :]}\r\n".encode())


class Held:
    """A connection that is only counted."""

    def __init__(self, held: Connections) -> None:
        self.held, self.is_open = held, True

    def hang_up(self) -> None:
        self.is_open = False
        self.held.remove(self)  # type: ignore[arg-type]


def test_an_owner_keeps_a_quarter_of_all_connections() -> None:
    """With 8 in all, two of the three that show its key stay; the third is as good as keyless."""
    held = Connections(8)
    of_owner = [Held(held) for _ in range(3)]
    for each in of_owner:
        held.add(each)  # type: ignore[arg-type]
        held.shows_key(each, "acme")  # type: ignore[arg-type]
    others = [Held(held) for _ in range(8)]
    for each in others:
        held.add(each)  # type: ignore[arg-type]

    assert [True, True, False] == [each.is_open for each in of_owner]
    assert [False] * 2 + [True] * 6 == [each.is_open for each in others]
    # When one of its connections ends, another one can show its key.
    of_owner[0].hang_up()
    held.shows_key(others[2], "acme")  # type: ignore[arg-type]
    held.add(Held(held))  # type: ignore[arg-type]
    held.add(Held(held))  # type: ignore[arg-type]
    assert [True, False] == [each.is_open for each in others[2:4]]


@pytest.mark.parametrize("key", [True, False], ids=["key", "stranger"])
def test_a_body_in_small_chunks_is_answered(key: bool) -> None:
    """300,000 chunks of a byte, 1.8 MB; the attacks measure that others wait no longer for it."""
    head = "POST /tenancies HTTP/1.1\r\n" + (HEAD if key else KEYLESS)
    whole = f"{head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    with running(service()) as port:
        answer = raw(port, whole, b"1\r\n \r\n" * 300_000 + b"0\r\n\r\n")

    assert (400 if key else 401) == status_of(answer)


def test_a_body_is_bounded_as_it_arrives() -> None:
    """Chunks of one byte in six: 40,000 bytes are less than allowed, but not as they are sent."""
    head = request("POST", "/tenancies", "Transfer-Encoding: chunked")
    with running(service(Limits(most_bytes=40_001))) as port:
        answer = raw(port, head, b"1\r\n \r\n" * 40_000 + b"0\r\n\r\n", wait=20)

        assert not answer
        assert is_well(port)


@rows(
    "head",
    [
        "GET /leases HTTP/3.7\r\nHost: x",
        "GET /leases HTTP/1.1\r\nHost: x\r\n folded",
        "GET /leases HTTP/1.1\r\nHost: x\r\nHost: y",
        "POST /tenancies HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2",
        "POST /tenancies HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
    ],
)
def test_what_a_proxy_may_read_otherwise_is_refused(head: str) -> None:
    with running(service()) as port:
        assert 400 == status_of(raw(port, f"{head}\r\n\r\n{{}}".encode()))
