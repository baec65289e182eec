"""Several server processes that share an address: replaced, stopped together, never left behind."""

import os
import signal
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from tests.adapters.processes.server_processes import NEW, PATIENCE, Place, Server, served

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.made(f"sqlite:///{tmp_path}/rent.sqlite", tmp_path)


@pytest.fixture(autouse=True)
def _two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTBILLING_WORKERS", "2")


def workers_of(process: int) -> set[int]:
    """Return the processes that a process has started, without the one that counts resources."""
    started = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return {int(each) for each in started if b"spawn_main" in command_of(int(each))}


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def eventually(happened: Callable[[], bool]) -> None:
    last = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < last
        time.sleep(0.05)


def running(server: Server) -> set[int]:
    eventually(lambda: len(workers_of(server.process.pid)) == 2)
    return workers_of(server.process.pid)


def test_a_worker_that_ends_is_replaced_and_all_end_together(place: Place) -> None:
    with served(place) as server:
        first = running(server)
        with server.client() as client:
            made = client.create_tenancy(NEW).tenancy_id
        os.kill(min(first), signal.SIGKILL)
        eventually(lambda: len(workers_of(server.process.pid) - {min(first)}) == 2)
        with server.client() as client:
            assert made == client.retrieve_tenancy(made).id
        if find_spec("prometheus_client"):
            # Of both processes together, also of the one that has ended.
            said = httpx.get(f"{server.base}/metrics", trust_env=False).text
            assert 'requests_total{method="POST",route="/tenancies",status="201"} 1.0' in said
        last = workers_of(server.process.pid)

        assert 0 == server.end()
    assert [b""] * 2 == [command_of(each) for each in last]
    assert "Ended." in server.said


def test_workers_end_when_the_first_process_is_killed(place: Place) -> None:
    with served(place) as server:
        workers = running(server)
        server.end(signal.SIGKILL)

        eventually(lambda: not any(command_of(each) for each in workers))
