"""Attacks on a server in a process of its own, and whether others are answered meanwhile.

    python -m tests.adapters.processes.attacked [NAME …]

prints a line for each attack and ends with 1 where a bound does not hold. The bounds are those of
an idle machine with two cores; an attacker is a process of its own.
"""

import asyncio
import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final

from rentbilling.adapters.stores import open_stores
from rentbilling.service import key_text, stored_key
from tests.adapters.http.served import JSON_BODY, RENT, TENANCY
from tests.adapters.http.test_costly_bodies import BODIES, sent
from tests.adapters.processes.server_processes import KEY, Place, Server, served

OTHER: Final = key_text("k2", "fedcba9876543210fedcba9876543210")
HEAD: Final = b"Host: x\r\nAuthorization: %b\r\nContent-Type: application/json\r\n"
WRONG: Final = key_text("none", "0123456789abcdef0123456789abcdef").encode()


# ----------------------------------------------------------------------------------- attackers


def posting(body: bytes, length: bytes) -> bytes:
    return b"POST /tenancies HTTP/1.1\r\n" + HEAD % WRONG + length + b"\r\n\r\n" + body


async def _holding(port: int, sent: bytes, count: int) -> None:
    """Hold connections on which something was sent, and open each again that is closed."""

    async def hold() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(sent)
                while await reader.read(65_536):
                    pass
                writer.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(hold() for _ in range(count)))


def slow_bodies(port: int) -> None:
    asyncio.run(_holding(port, posting(b" ", b"Content-Length: 9000"), 1_050))


def slow_heads(port: int) -> None:
    asyncio.run(_holding(port, b"GET /leases HTTP/1.1\r\nHost: x\r\n", 300))


def large_bodies(port: int) -> None:
    asyncio.run(_holding(port, posting(b" " * 890_000, b"Content-Length: 900000"), 1_000))


def small_chunks(port: int) -> None:
    whole = posting(b"1\r\n \r\n" * 300_000 + b"0\r\n\r\n", b"Transfer-Encoding: chunked")

    async def again() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(whole)
                await reader.read(100)
                await asyncio.wait_for(writer.drain(), 3)
                writer.close()
            await asyncio.sleep(0.5)

    asyncio.run(again())


def heavy_reads(port: int) -> None:
    """Ask for pages that are as large as a page may be, and together too large for any cache."""
    to = HTTPConnection("127.0.0.1", port)
    ids, page = [""], None
    while page != []:
        to.request("GET", f"/leases?limit=50{ids[-1]}", headers={"Authorization": KEY})
        page = json.loads(to.getresponse().read())["leases"]
        ids += [f"&startingAfter={page[-1]['id']}"] if page else []
    asyncio.run(_calling(port, [f"/leases?limit=50{each}" for each in ids[:-1]], KEY, 8))


async def _calling(port: int, addresses: list[str], key: str, count: int) -> None:
    asked = cycle(addresses)

    async def call() -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                head = f"GET {next(asked)} HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\n\r\n"
                writer.write(head.encode())
                await reader.readuntil(b"\r\n\r\n")
                writer.close()

    await asyncio.gather(*(call() for _ in range(count)))


def waiting_writers(port: int) -> None:
    body = json.dumps(TENANCY).encode()
    head = b"POST /tenancies HTTP/1.1\r\n" + HEAD % KEY.encode()
    sent = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    asyncio.run(_holding(port, sent, 45))


ATTACKERS: Final[Mapping[str, Callable[[int], None]]] = {
    each.__name__: each
    for each in (
        *(slow_bodies, slow_heads, large_bodies, small_chunks, heavy_reads, waiting_writers),
    )
}


@contextmanager
def attacked_by(name: str, port: int) -> Generator[None]:
    attacker = subprocess.Popen([sys.executable, __file__, "--attack", name, str(port)])
    try:
        time.sleep(5 if name == "heavy_reads" else 2)
        yield
    finally:
        attacker.kill()
        attacker.wait()


# ------------------------------------------------------------------------------------ good callers


@dataclass
class Calls:
    """Calls of an owner, from several connections, while the block lasts."""

    port: int
    address: str = "/leases"
    key: str = OTHER
    callers: int = 4
    pause: float = 0.01
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def during(self, seconds: float) -> "Calls":
        end = Event()
        threads = [Thread(target=self._call, args=(end,)) for _ in range(self.callers)]
        for each in threads:
            each.start()
        time.sleep(seconds)
        end.set()
        for each in threads:
            each.join()
        return self

    def _call(self, end: Event) -> None:
        to = HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not end.is_set():
            began = time.perf_counter()
            try:
                to.request("GET", self.address, headers={"Authorization": self.key})
                answer = to.getresponse()
                answer.read()
                status = answer.status
            except (OSError, HTTPException):
                to.close()
                status = 0
            self.statuses[status] += 1
            self.seconds.append(time.perf_counter() - began)
            time.sleep(self.pause)
        to.close()

    @property
    def good(self) -> float:
        return self.statuses[200] / max(sum(self.statuses.values()), 1)

    def at(self, share: float) -> float:
        return sorted(self.seconds)[min(int(len(self.seconds) * share), len(self.seconds) - 1)]

    def __str__(self) -> str:
        by = dict(sorted(self.statuses.items()))
        quantiles = ", ".join(
            f"{name} {1000 * self.at(each):.0f}"
            for name, each in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
        )
        return f"{by}, ms: {quantiles}"


def answered(port: int, method: str, address: str, body: bytes) -> tuple[int, Any]:
    to = HTTPConnection("127.0.0.1", port, timeout=60)
    to.request(method, address, body, {"Authorization": KEY, "Content-Type": JSON_BODY})
    answer = to.getresponse()
    data = json.loads(answer.read())
    to.close()
    return answer.status, data


def send(port: int, address: str, body: object) -> Any:  # noqa: ANN401
    status, data = answered(port, "POST", address, json.dumps(body).encode())
    assert 201 == status, data
    return data


def processor_of(server: Server) -> float:
    """Return the seconds of a processor that a server has used."""
    stat = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="utf-8")
    # After the name, which may have blanks: the 12th and 13th field.
    used = map(int, stat.rpartition(")")[2].split()[11:13])
    return sum(used) / os.sysconf("SC_CLK_TCK")


def memory_of(server: Server) -> float:
    """Return the most memory that a server has had, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    (line,) = [each for each in status.splitlines() if each.startswith("VmHWM")]
    return int(line.split()[1]) / 1_024


# ---------------------------------------------------------------------------------------- attacks

Found = tuple[str, bool]
"""What was measured, and whether the bound holds."""


def slow_bodies_without_a_key(server: Server, _place: Place) -> Found:
    """H1: 1,050 sockets that send one byte of a body: 99 % of good calls are answered."""
    with attacked_by("slow_bodies", server.port):
        calls = Calls(server.port).during(10)
    return str(calls), calls.good >= 0.99


def small_chunks_without_a_key(server: Server, _place: Place) -> Found:
    """H2: 300,000 chunks of one byte: others wait at most 0.3 s."""
    with attacked_by("small_chunks", server.port):
        calls = Calls(server.port, callers=2).during(10)
    return str(calls), calls.good >= 0.99 and calls.at(1.0) <= 0.3


def idle_connections(server: Server, _place: Place) -> Found:
    """H3: 300 connections without a head, 256 files: good calls are answered, the log is short."""
    with attacked_by("slow_heads", server.port):
        calls = Calls(server.port).during(10)
    lines = server.said.splitlines()
    is_json = all(each.startswith("{") for each in lines)
    return f"{calls}, {len(lines)} lines, JSON {is_json}", (
        calls.good >= 0.99 and len(lines) <= 100 and is_json
    )


def large_bodies_without_a_key(server: Server, _place: Place) -> Found:
    """H4: 1,000 bodies of 0.89 MB: no more than 100 MB of memory for them."""
    before = memory_of(server)
    with attacked_by("large_bodies", server.port):
        calls = Calls(server.port).during(10)
    more = memory_of(server) - before
    return f"{calls}, {more:.0f} MB more", calls.good >= 0.99 and more <= 100


def heavy_reads_of_one_owner(server: Server, _place: Place) -> Found:
    """H5, H6: 8 heavy reads of one owner: the p99 of another is at most 5 times its own alone."""
    made = {"currency": "DKK", "amount": 8600}
    months = [f"{year}-{month:02d}-01" for year in range(2027, 2109) for month in range(1, 13)]
    later = [{"value": made, "start": each} for each in months[:980]]
    for _ in range(150):
        lease = send(server.port, "/tenancies", TENANCY)
        item = {**RENT, "amountRecords": later}
        send(
            server.port,
            "/recurring-bill-items",
            {"leaseId": lease["leaseId"], "recurringBillItem": item},
        )
    alone = Calls(server.port, callers=20).during(8)
    with attacked_by("heavy_reads", server.port):
        beside = Calls(server.port, callers=20).during(15)
    times = beside.at(0.99) / alone.at(0.99)
    return f"alone {alone}; beside {beside}; p99 {times:.1f} times, {memory_of(server):.0f} MB", (
        times <= 5 and beside.good >= 0.99
    )


def invalid_bodies(server: Server, _place: Place) -> Found:
    """H8: invalid bodies of a megabyte: at most 0.5 s of a processor for each."""
    spent: dict[str, float] = {}
    for name in BODIES:
        before = processor_of(server)
        status, data = answered(server.port, *sent(name))
        assert 400 == status, data
        spent[name] = processor_of(server) - before
    worst = max(spent, key=lambda name: spent[name])
    return f"{len(spent)} bodies, at most {spent[worst]:.2f} s ({worst})", spent[worst] <= 0.5


def writers_that_wait(server: Server, place: Place) -> Found:
    """H9: 45 writers of an owner wait for a locked file: another owner reads within 1 s."""
    locked = sqlite3.connect(place.folder / "rent.sqlite", isolation_level=None)
    locked.execute("BEGIN IMMEDIATE")
    try:
        with attacked_by("waiting_writers", server.port):
            calls = Calls(server.port).during(10)
            health = Calls(server.port, "/health", callers=1, pause=0.1).during(3)
    finally:
        locked.execute("ROLLBACK")
        locked.close()
    return f"{calls}; health {health}", calls.good >= 0.99 and calls.at(1.0) <= 1


ATTACKS: Final = (
    slow_bodies_without_a_key,
    small_chunks_without_a_key,
    idle_connections,
    large_bodies_without_a_key,
    heavy_reads_of_one_owner,
    invalid_bodies,
    writers_that_wait,
)


@contextmanager
def files(most: int) -> Generator[None]:
    """Let processes that are started have so many files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def main(names: list[str]) -> int:
    failed = 0
    for attack in ATTACKS:
        if names and attack.__name__ not in names:
            continue
        with TemporaryDirectory() as folder:
            place = Place.made(f"sqlite:///{folder}/rent.sqlite", Path(folder))
            with open_stores(place.url) as stores:
                now = datetime.now(UTC)
                key = stored_key(OTHER, owner="other", name="", rights=["*"], created=now)
                stores.keys.add(key)
            # A server starts with the files that it may have.
            with files(256 if attack is idle_connections else 2_048):
                started = served(place)
                server = started.__enter__()
            try:
                found, holds = attack(server, place)
            finally:
                started.__exit__(None, None, None)
        failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {attack.__name__}: {found}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--attack"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, 4_096))
        ATTACKERS[sys.argv[2]](int(sys.argv[3]))
    else:
        sys.exit(main(sys.argv[1:]))
