"""Requests a second of a real server, held against the same server without its work.

Laws: each server is a process of its own on a socket of its own, asked over connections that stay
open; the two take turns, the first of a pair being the second of the next, and the share is the
median over the pairs, so that what else the machine does strikes both. Both must send the same
bytes before anything is measured, and no answer but 200 counts.

The client writes bytes that it made before and looks for the end of an answer, and nothing else:
what it takes itself is part of both times, and would hide the difference if it were much.
"""

import json
import selectors
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.service import CONSTANT, KEY, MONTHLY, OWN, PATH, query_of

CONNECTIONS: Final = 4
"""Callers at the same time; each asks again as soon as it was answered."""
PATIENCE: Final = 60.0
"""Seconds after which a server that does not answer is given up."""

_HOME: Final = Path(__file__).parent.parent
_LENGTH: Final = b"content-length: "


class Shares(NamedTuple):
    """What a service has of the requests that the same could answer without its work."""

    by_requests: float
    """Requests a second over those of the constant."""
    by_processor: float
    """Processor time of the constant's server over that of ours, for the same requests."""
    requests_a_second: float
    """Of ours."""
    processor_seconds: float
    """Of our server, for one request."""


class Server:
    """A server in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        told = json.loads(self._line())
        self.port: int = told["port"]
        self.leases: list[str] = told["leases"]
        self.requests = [_request(each) for each in self.leases]

    def _line(self) -> str:
        if self._process.stdout is None:
            raise ValueError("the server has no output")
        return self._process.stdout.readline()

    def processor_time(self) -> float:
        if self._process.stdin is None:
            raise ValueError("the server has no input")
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._line())

    def asked(self, times: int) -> float:
        begun = perf_counter()
        for _ in answers(self.port, self.requests, times):
            pass
        return perf_counter() - begun


def _request(lease_id: str) -> bytes:
    lines = (
        f"GET {PATH}?{query_of(lease_id)} HTTP/1.1",
        "Host: 127.0.0.1",
        "Accept: application/json",
        f"Authorization: {KEY}",
    )
    return "\r\n".join((*lines, "", "")).encode()


@contextmanager
def serving(*given: str, program: str = "benchmarks.service") -> Generator[Server]:
    command = [sys.executable, "-m", program, *given]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_HOME
    ) as process:
        try:
            yield Server(process)
            # Its input ends, and so does it.
            process.communicate(timeout=PATIENCE)
        finally:
            process.kill()


def answers(port: int, requests: Sequence[bytes], times: int) -> Iterator[bytes]:
    """Ask requests over and over on a few connections; give the body of each answer as it comes.

    Raises:
        ValueError: An answer is not 200, or the server hung up.
    """
    left, asks = times, cycle(requests)
    with selectors.DefaultSelector() as waiting:
        try:
            for _ in range(min(CONNECTIONS, times)):
                caller = socket.create_connection(("127.0.0.1", port), PATIENCE)
                waiting.register(caller, selectors.EVENT_READ, bytearray())
                caller.sendall(next(asks))
                left -= 1
            missing = times
            while missing:
                for key, _ in waiting.select(PATIENCE):
                    body = _body(key)
                    if body is None:
                        continue
                    missing -= 1
                    if left:
                        left -= 1
                        _socket(key).sendall(next(asks))
                    yield body
        finally:
            for key in list(waiting.get_map().values()):
                _socket(key).close()


def _socket(key: selectors.SelectorKey) -> socket.socket:
    if not isinstance(key.fileobj, socket.socket):
        raise TypeError("only connections are waited for")
    return key.fileobj


def _body(key: selectors.SelectorKey) -> bytes | None:
    """Return the body of the answer that has come, or None while it is not whole."""
    came: bytearray = key.data
    part = _socket(key).recv(65_536)
    if not part:
        raise ValueError("the server hung up")
    came += part
    head, end, rest = came.partition(b"\r\n\r\n")
    if not end:
        return None
    if not head.startswith(b"HTTP/1.1 200 "):
        raise ValueError(f"not what was to be measured: {head.decode('latin-1')}")
    length = int(head.partition(_LENGTH)[2].partition(b"\r\n")[0])
    if len(rest) < length:
        return None
    came.clear()
    return bytes(rest)


def shares(database: str, turns: int, requests: int) -> Shares:
    """Return what the service has of what the same could answer without its work.

    Raises:
        ValueError: The two do not answer alike.
    """
    with serving(OWN, database) as own, serving(CONSTANT, database) as constant:
        for each in own.requests:
            one, other = (next(answers(server.port, [each], 1)) for server in (own, constant))
            if one != other:
                raise ValueError("the two answer differently")
        return _shares(own, constant, turns, requests)


def over_peer(turns: int, requests: int) -> Shares:
    """Return what the service has of the requests that the plain program answers (`peer`).

    Raises:
        ValueError: The two do not answer alike.
    """
    with serving(MONTHLY, "file:") as own, serving(program="benchmarks.peer") as peer:
        for pair in zip(own.requests, peer.requests, strict=True):
            one, other = (
                json.loads(next(answers(server.port, [each], 1)))
                for server, each in zip((own, peer), pair, strict=True)
            )
            if one != other:
                raise ValueError("the two answer differently")
        return _shares(own, peer, turns, requests)


def _shares(own: Server, other: Server, turns: int, requests: int) -> Shares:
    pair = (own, other)
    for server in pair:
        server.asked(requests)
    rates: list[float] = []
    processors: list[float] = []
    seconds: list[float] = []
    used: list[float] = []
    for turn in range(turns):
        took: dict[Server, float] = {}
        worked: dict[Server, float] = {}
        for server in pair if turn % 2 == 0 else pair[::-1]:
            before = server.processor_time()
            took[server] = server.asked(requests)
            worked[server] = server.processor_time() - before
        rates.append(took[other] / took[own])
        processors.append(worked[other] / worked[own])
        seconds.append(took[own] / requests)
        used.append(worked[own] / requests)
    return Shares(median(rates), median(processors), 1 / median(seconds), median(used))


if __name__ == "__main__":
    for name in sys.argv[1:] or ("file:", "memory:"):
        print(name, shares(name, 10, 2_000))
    print("peer", over_peer(10, 2_000))
