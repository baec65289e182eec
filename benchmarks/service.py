"""Leases of the workload behind the service, and the same service with its work left out.

Law: what bounds the service from below reads its head, finds its key and makes its reads like any
other, and then sends bytes that were there before: it neither reads what is asked, nor bills, nor
writes JSON. Everything around that, from the socket on, is the same code.

`python -m benchmarks.service KIND DATABASE` serves until its input ends. It prints its port, and
its processor time for each line that it is sent.
"""

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from threading import Thread
from time import process_time
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import parse_qs

import uvicorn

from benchmarks import wire, workload
from rentbilling.adapters.http import HttpAnswer, RentalService, create_app, server_of
from rentbilling.adapters.http.answers import JSON, answer_of
from rentbilling.adapters.http.server.serving import listener, serve_on
from rentbilling.adapters.http.service import RequestHead
from rentbilling.adapters.stores import MemoryStores, SqlStores, open_stores
from rentbilling.billing import pending_bills
from rentbilling.interface import Lease
from rentbilling.service import key_text, stored_key
from rentbilling.terms import Balance, OneTimeBillItem, RecurringBillItem, RentAdjustmentPlan
from rentbilling.values import Period

OWNER: Final = "acme"
KEY: Final = key_text("bench", "0123456789abcdef0123456789abcdef")
HEADERS: Final = MappingProxyType({"Authorization": KEY, "Content-Type": "application/json"})
MOMENT: Final = datetime(2026, 6, 15, 12, tzinfo=UTC)
PERIOD: Final = "2026-06-01/2026-06-30"
PATH: Final = "/pending-bills"
LEASES: Final = 20
"""Leases that are asked for in turn, each with three lines in the period."""
OWN: Final = "own"
CONSTANT: Final = "constant"
MONTHLY: Final = "monthly"
"""The service with leases of two monthly items, for what knows no others (`peer`)."""

_PARTS: Final = (OneTimeBillItem, RecurringBillItem, RentAdjustmentPlan, Balance)
_DAYS: Final = Period.parse(PERIOD)
_HOME: Final = {
    "streetName": "Nygade",
    "streetNumber": "7",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
}


class ConstantService(RentalService):
    """Makes the reads that pending bills need, and answers with bytes that were there before."""

    bodies: MappingProxyType[str, bytes] = MappingProxyType({})
    """By the id of the lease."""

    def finish(
        self, head: RequestHead, body: bytes, *, goes_on: Callable[[], bool] | None = None
    ) -> HttpAnswer:
        """Return the bytes for the lease that is asked for, after the reads."""
        del body, goes_on
        if head.route is None:
            raise LookupError(f"{head.name or 'this'} is not measured")
        key = self._allowed(head.key, head.route.rights)
        lease_id = parse_qs(head.query)["leaseId"][0]
        with self._stores.reading(key.owner) as store:
            store.find(Lease, lease_id)
            for kind in _PARTS:
                days = _DAYS if kind is OneTimeBillItem else None
                store.belonging(kind, [lease_id], days=days)
        found = answer_of(200, JSON, self.bodies[lease_id], head.request_id)
        return found._replace(route=head.name, owner=key.owner, key_id=key.key_id)


def query_of(lease_id: str) -> str:
    return f"leaseId={lease_id}&period={PERIOD}"


@contextmanager
def opened(database: str) -> Generator[MemoryStores | SqlStores]:
    """Open stores that know the key: `memory:`, or `file:` for a file of SQLite, then removed."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'rent.sqlite'}" if database == "file:" else database
        with open_stores(url) as stores:
            stores.keys.add(
                stored_key(KEY, owner=OWNER, name="benchmarks", rights=["*"], created=MOMENT)
            )
            yield stores


def service_over(stores: MemoryStores | SqlStores) -> RentalService:
    """Return the service as it is, with ids that are the same in each process."""
    numbers = count(1)
    return RentalService(
        stores, stores.keys, clock=lambda: MOMENT, new_id=lambda: f"id-{next(numbers)}"
    )


def constant_over(stores: MemoryStores | SqlStores, ids: list[str]) -> ConstantService:
    """Return the service that only reads; it answers what the service answers for these leases."""
    own, constant = service_over(stores), ConstantService(stores, stores.keys)
    constant.bodies = MappingProxyType(
        {each: own.answer("GET", PATH, query_of(each), HEADERS).body for each in ids}
    )
    return constant


def created(service: RentalService, path: str, fields: dict[str, Any]) -> dict[str, Any]:
    answer = service.answer("POST", path, "", HEADERS, json.dumps(fields).encode())
    if answer.status != 201:
        raise ValueError(f"{path} answers {answer.status}: {answer.body.decode()}")
    found: dict[str, Any] = json.loads(answer.body)
    return found


def leases_of_three_lines() -> Iterator[workload.PlainLease]:
    """Give the leases of the workload all of whose three items fall due in the period."""
    for lease in map(workload.lease, count()):
        bills = pending_bills(wire.lease_terms(lease), PERIOD).bills
        if sum(len(bill.lines) for bill in bills) == len(lease.items):
            yield lease


def fill(service: RentalService, leases: Iterable[workload.PlainLease]) -> list[str]:
    """Create leases of the workload as any caller would, and return their ids."""
    ids: list[str] = []
    for lease in leases:
        lease_id = created(service, "/tenancies", home())["leaseId"]
        for item in json.loads(wire.lease_text(lease))["recurringBillItems"]:
            part = {"leaseId": lease_id, "recurringBillItem": item}
            created(service, "/recurring-bill-items", part)
        ids.append(lease_id)
    return ids


def two_monthly_items(number: int) -> list[dict[str, Any]]:
    """Return two recurring items without VAT, each due on the first of a month for the month."""
    return [
        {
            "productKey": key,
            "amount": {"currency": "DKK", "amount": price},
            "vat": {"taxMode": "Exempt"},
            "dueDateRule": {"dayOfPeriod": 1},
            "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
            "startedOn": "2026-01-01",
            "firstBillingPeriodBillItem": {
                "amount": {"currency": "DKK", "amount": price},
                "dueDate": "2026-01-01",
                "accountingPeriod": "2026-01-01/2026-01-31",
            },
        }
        for key, price in (("key:rent", 8_500 + number), ("key:heating-on-account", 650))
    ]


def home() -> dict[str, Any]:
    """Return a new tenancy."""
    return {"purpose": "key:residential", "address": _HOME}


def fill_monthly(service: RentalService) -> list[str]:
    """Create leases of two monthly items, and return their ids."""
    ids = [created(service, "/tenancies", home())["leaseId"] for _ in range(LEASES)]
    for number, lease_id in enumerate(ids):
        for item in two_monthly_items(number):
            part = {"leaseId": lease_id, "recurringBillItem": item}
            created(service, "/recurring-bill-items", part)
    return ids


def serve_until_the_input_ends(
    server: uvicorn.Server, ids: list[str], serve: Callable[[socket, uvicorn.Server], None]
) -> None:
    def talk() -> None:
        """Print the processor time as often as it is asked for, and end with the input."""
        for _ in sys.stdin:
            print(process_time(), flush=True)
        server.should_exit = True

    Thread(target=talk, daemon=True).start()
    with listener("127.0.0.1", 0) as bound:
        print(json.dumps({"port": bound.getsockname()[1], "leases": ids}), flush=True)
        serve(bound, server)


def main(kind: str, database: str) -> None:
    with opened(database) as stores:
        service = service_over(stores)
        if kind == MONTHLY:
            ids = fill_monthly(service)
        else:
            ids = fill(service, islice(leases_of_three_lines(), LEASES))
        if kind == CONSTANT:
            service = constant_over(stores, ids)
        serve_until_the_input_ends(server_of(create_app(service)), ids, serve_on)


if __name__ == "__main__":
    main(*sys.argv[1:])
