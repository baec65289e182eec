"""The server on a real socket: what no application sees, and how it ends."""

import json
import logging
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from itertools import count
from threading import Thread

import pytest

from rentbilling.adapters.http import Limits, RentalService, create_app, server_of
from rentbilling.adapters.http.server.serving import listener
from tests.adapters.http.served import KEY, RENT, TENANCY, ask, service, with_lease
from tests.conformance.proving import proves
from tests.conformance.test_operations import ASKED, with_one_of_each
from tests.support.rows import rows

HEAD = f"Host: service\r\nAuthorization: {KEY}\r\nContent-Type: application/json\r\n"
SOUND = json.dumps(TENANCY)


@contextmanager
def running(asked: RentalService, root_path: str = "") -> Generator[int]:
    """Run a server of a service in a thread, and give its port."""
    server = server_of(create_app(asked), port=0, root_path=root_path)
    with listener("127.0.0.1", 0) as bound:
        thread = Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)
    assert not thread.is_alive()


def raw(port: int, *parts: bytes | float, wait: float = 10) -> bytes:
    """Send parts to a port, a number being so many seconds of silence; return what came back.

    The connection is asked to be closed by the last request.
    """
    got = b""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=wait)) as to:
        try:
            for part in parts:
                if isinstance(part, bytes):
                    to.sendall(part)
                else:
                    time.sleep(part)
        except OSError:
            # It hung up in the middle; what it said before is told.
            pass
        try:
            while more := to.recv(65_536):
                got += more
        except ConnectionResetError:
            pass
    return got


def request(method: str, path: str, *more: str, body: str = "") -> bytes:
    """Return a request as it is sent, after which the connection is closed."""
    head = "\r\n".join([f"{method} {path} HTTP/1.1", HEAD + "Connection: close", *more])
    return f"{head}\r\n\r\n{body}".encode()


def status_of(answer: bytes) -> int:
    """Return the status of the first answer that is none of the hundreds."""
    lines = [each for each in answer.split(b"\r\n") if each.startswith(b"HTTP/1.1 ")]
    return next(int(each[9:12]) for each in lines if each[9:10] != b"1")


def is_well(port: int) -> bool:
    return status_of(raw(port, request("GET", "/leases"))) == 200


def test_a_request_is_answered() -> None:
    with running(service()) as port:
        answer = raw(
            port, request("POST", "/tenancies", f"Content-Length: {len(SOUND)}", body=SOUND)
        )

    assert 201 == status_of(answer)
    assert answer.endswith(b'{"tenancyId": "id-1", "leaseId": "id-2"}')
    assert b"server:" not in answer.lower()


@proves(
    "What the service does 1",
    "What the service does 8",
    "What the service does 9",
    "What the service does 10",
    "Authentication 1",
    "Gaps in the endpoint definitions 1",
    *ASKED,
)
def test_every_operation_of_the_interface_is_answered_over_a_socket() -> None:
    """The nine of them over HTTP/1.1: status, type and bytes are those of `answer` in process."""
    numbers = {served: count(1) for served in (True, False)}
    one, other = (
        with_one_of_each(new_id=lambda of=each: f"id-{next(of)}") for each in numbers.values()
    )
    with running(one) as port, closing(HTTPConnection("127.0.0.1", port, timeout=10)) as to:
        for name, (address, body) in ASKED.items():
            method = name.split(maxsplit=1)[0]
            headers = {"Authorization": KEY, "Content-Type": "application/json"}
            sent = None if body is None else json.dumps(body).encode()
            to.request(method, address, sent, headers if body else {"Authorization": KEY})
            answer = to.getresponse()
            expected = ask(other, method, address, body)

            assert (expected.status, expected.body) == (answer.status, answer.read()), name
            assert "application/json" == answer.headers["Content-Type"]
        to.request("GET", "/leases")
        assert 401 == to.getresponse().status


def test_a_proxy_may_show_it_below_a_path() -> None:
    asked = service()
    lease_id = with_lease(asked)
    with running(asked, "/rent") as port:
        answer = raw(port, request("GET", f"/leases/{lease_id}"))
        refused = raw(port, request("GET", "/none"))

    assert 200 == status_of(answer)
    # Whoever follows it comes by the proxy.
    assert b'"type": "/rent/problems/unknown-path"' in refused


@rows(
    "garbage",
    [
        b"\x00" * 100 + b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /leases\r\n\r\n",
        b"GET /leases HTTP/1.1\r\n\r\n",
        b"GET /lea ses HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /leases HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        b"POST /tenancies HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /tenancies HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_request_is_answered_400_by_the_server(garbage: bytes) -> None:
    with running(service()) as port:
        answer = raw(port, garbage)

        assert 400 == status_of(answer)
        assert is_well(port)


@pytest.mark.parametrize(
    "length", ["Content-Length: 10000000", "Transfer-Encoding: chunked"], ids=["told", "chunked"]
)
def test_ten_megabytes_are_answered_413(length: str) -> None:
    whole = b" " * 10_000_000
    if "chunked" in length:
        whole = b"%x\r\n%b\r\n0\r\n\r\n" % (len(whole), whole)
    with running(service()) as port:
        answer = raw(port, request("POST", "/tenancies", length), whole)

        assert 413 == status_of(answer)
        assert b'"too_large"' in answer
        assert is_well(port)


@rows("said", [5, 1_000])
def test_a_false_length_is_no_way_in(said: int) -> None:
    with running(service(Limits(body_seconds=0.5))) as port:
        answer = raw(
            port, request("POST", "/tenancies", f"Content-Length: {said}", body=SOUND), wait=5
        )

        assert (400 if said == 5 else 408) == status_of(answer)
        assert is_well(port)


def test_a_slow_body_is_answered_408() -> None:
    with running(service(Limits(body_seconds=0.3))) as port:
        answer = raw(port, request("POST", "/tenancies", "Content-Length: 100", body="{"))

        assert 408 == status_of(answer)
        assert b"connection: close" in answer.lower()
        assert is_well(port)


def test_a_caller_who_hangs_up_is_forgotten() -> None:
    asked = service()
    with_lease(asked, RENT)
    with running(asked) as port:
        for part in (
            b"GET /lea",
            request("POST", "/tenancies", "Content-Length: 100", body="{"),
            request("GET", "/leases"),
        ):
            with closing(socket.create_connection(("127.0.0.1", port))) as to:
                to.sendall(part)
        assert is_well(port)

    # The tenancy of half a body was never made: there is the one from before.
    assert 1 == ask(asked, "GET", "/tenancies").body.count(b'"address"')


def test_a_caller_may_wait_for_100_continue() -> None:
    """`Expect: 100-continue`: who has no key is refused before the body is sent."""
    length = f"Content-Length: {len(SOUND)}"
    welcome = request("POST", "/tenancies", length, "Expect: 100-continue")
    with running(service()) as port:
        allowed = raw(port, welcome, 0.2, SOUND.encode())
        refused = raw(port, welcome.replace(KEY.encode(), b""))

    assert allowed.startswith(b"HTTP/1.1 100 ")
    assert (201, 401) == (status_of(allowed), status_of(refused))
    assert not refused.startswith(b"HTTP/1.1 100 ")


def test_several_requests_in_one_go_are_answered_in_order() -> None:
    two = b"GET /leases HTTP/1.1\r\n" + HEAD.encode() + b"\r\n"
    with running(service()) as port:
        answer = raw(port, two, two, request("GET", "/nowhere"))

    assert [b"200", b"200", b"404"] == re.findall(rb"HTTP/1.1 (\d+)", answer)


def test_an_address_that_is_in_use_is_an_error() -> None:
    with listener("127.0.0.1", 0) as bound, pytest.raises(OSError, match="use"):
        listener("127.0.0.1", bound.getsockname()[1])


def test_an_answer_does_not_wait_for_its_head_to_be_confirmed() -> None:
    with listener("127.0.0.1", 0) as bound:
        told = bound.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

        assert (True, socket.IPPROTO_TCP) == (bool(told), bound.proto)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_running_request_is_finished_at_the_end(number: signal.Signals) -> None:
    """A signal comes while a store is slow: the caller is answered, the process ends with 0."""
    script = textwrap.dedent(
        """
        import sys, time
        from rentbilling.adapters.http import create_app, serve
        from rentbilling.adapters.stores import MemoryStores
        from tests.adapters.http.served import service

        class Slow(MemoryStores):
            def reading(self, owner):
                print("reading", flush=True)
                time.sleep(0.5)
                return super().reading(owner)

        def ready(host, port):
            print(port, flush=True)

        serve(create_app(service(stores=Slow())), port=0, ready=ready)
        print("ended", flush=True)
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as to:
            to.sendall(request("GET", "/leases"))
            assert "reading\n" == process.stdout.readline()
            process.send_signal(number)
            answer = b""
            while more := to.recv(65_536):
                answer += more
        rest, errors = process.communicate(timeout=20)

    assert 200 == status_of(answer)
    assert answer.endswith(b'{"leases": []}')
    assert (0, "ended\n", "") == (process.returncode, rest, errors)


def test_the_log_of_the_server_has_no_addresses(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), running(service()) as port:
        raw(port, request("GET", "/leases?startingAfter=hunter2"))

    assert any(each.name == "rentbilling.access" for each in caplog.records)
    assert "hunter2" not in caplog.text
