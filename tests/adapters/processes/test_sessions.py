"""A client process and many clients before a real server process."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

from rentbilling.adapters.client import ServiceUnavailableError
from rentbilling.testing import a_rent
from tests.adapters.processes.client_session import TENANCIES
from tests.adapters.processes.server_processes import KEY, NEW, Place, Server, served
from tests.support.command_line import ROOT, calm

T = TypeVar("T")

CLIENTS = 50
EACH = 1


def test_a_client_process_goes_from_tenancies_to_bills_and_pages_through_250(
    server: Server,
) -> None:
    """17 of 31 days of January and the whole of February: 8,500 × 17 / 31 = 4,661.29.

    250 tenancies in pages of 40 are six full pages and one of 10, each tenancy once, in order.
    """
    finished = subprocess.run(
        [sys.executable, "-m", "tests.adapters.processes.client_session", server.base],
        cwd=ROOT,
        env=calm(KEY=KEY),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert 0 == finished.returncode, finished.stderr.decode()
    told = json.loads(finished.stdout)
    tenancies, leases = ([pair[at] for pair in told["made"]] for at in (0, 1))

    assert TENANCIES == len(set(tenancies)) == len(set(leases))
    assert "2026-01-15" == told["due"]
    assert [["2026-01-15", "4661.29 DKK"], ["2026-02-01", "8500.00 DKK"]] == told["bills"]
    assert told["is_equal"] is True
    assert (tenancies, leases) == (told["tenancies"], told["leases"])


def done(make: Callable[[], T]) -> T:
    """Return what a call makes that is made again where its owner has too many at once."""
    while True:
        try:
            return make()
        except ServiceUnavailableError as error:
            if error.status != 429:
                raise
            time.sleep(error.retry_after or 0)


def test_fifty_clients_at_once_lose_no_write_and_meet_no_error(place: Place) -> None:
    """But 429: of one owner twenty calls are in work or wait."""
    wait = Barrier(CLIENTS)

    def work(server: Server) -> list[tuple[str, str]]:
        with server.client() as client:
            wait.wait(60)
            made = [done(lambda: client.create_tenancy(NEW)).lease_id for _ in range(EACH)]
            items = [
                done(partial(client.create_recurring_bill_item, each, a_rent())) for each in made
            ]
            return [
                (lease, item.recurring_bill_item_id)
                for lease, item in zip(made, items, strict=True)
            ]

    with served(place) as server, server.client() as client:
        with ThreadPoolExecutor(CLIENTS) as pool:
            told = [pair for pairs in pool.map(work, [server] * CLIENTS) for pair in pairs]
        leases = [each.id for each in client.leases()]
        items = [(each.lease_id, each.id) for each in client.recurring_bill_items()]
        tenancies = list(client.tenancies())
        said = server.said

    assert CLIENTS * EACH == len(told) == len(leases) == len(tenancies)
    assert {lease for lease, _ in told} == set(leases)
    assert sorted(told) == sorted(items)
    # Nothing worth a warning happened.
    assert {"rentbilling.server"} == {json.loads(line)["logger"] for line in said.splitlines()}
