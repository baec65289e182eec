"""What requests cost of a lease that has many items, against one that has a tenth of them.

Law: half of the items recur and half are billed once, written to a file of SQLite past the service;
each request is made alone in this process, by processor time, the best of several.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from functools import partial
from math import inf
from time import process_time
from typing import Any, Final

from benchmarks.service import (
    HEADERS,
    OWNER,
    PATH,
    created,
    home,
    opened,
    query_of,
    service_over,
    two_monthly_items,
)
from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import MemoryStores, SqlStores
from rentbilling.service import Stored
from rentbilling.terms import OneTimeBillItem, RecurringBillItem
from rentbilling.values import Period

MANY: Final = 10_000
_ONCE: Final[Mapping[str, Any]] = {
    "productKey": "key:key",
    "amount": {"currency": "DKK", "amount": 150},
    "vat": {"taxMode": "Exempt"},
    "dueDate": "2026-06-10",
    "accountingPeriod": "2026-06-10/2026-06-10",
}


def fill(stores: MemoryStores | SqlStores, service: RentalService, items: int) -> str:
    """Create a lease with so many items, and return its id."""
    lease: str = created(service, "/tenancies", home())["leaseId"]
    rent = RecurringBillItem.model_validate(two_monthly_items(0)[0])
    once = OneTimeBillItem.model_validate(_ONCE)
    with stores.writing(OWNER) as store:
        for number in range(items // 2):
            day = date(2010 + number % 40, 1 + number % 12, 10)
            store.add(Stored(rent.evolve(id=f"rent-{number}"), f"rent-{number}", lease))
            of_day = once.evolve(
                id=f"once-{number}", due_date=day, accounting_period=Period(day, day)
            )
            store.add(Stored(of_day, f"once-{number}", lease))
    return lease


def requests(service: RentalService, lease: str) -> Mapping[str, Callable[[], object]]:
    """Return what is asked of a lease, by what it is."""

    def answered(method: str, path: str, query: str = "", body: bytes = b"") -> None:
        answer = service.answer(method, path, query, HEADERS, body)
        if answer.status != 200:
            raise ValueError(f"{path} answers {answer.status}: {answer.body.decode()}")

    one_day = f"leaseId={lease}&period=2026-06-02/2026-06-02"
    contact = b'{"primaryTenantContactName": "A. Jensen"}'
    item = {"leaseId": lease, "oneTimeBillItem": dict(_ONCE)}
    return {
        "bills of a month": partial(answered, "GET", PATH, query_of(lease)),
        "bills of a day": partial(answered, "GET", PATH, one_day),
        "the lease": partial(answered, "GET", f"/leases/{lease}"),
        "its terms": partial(answered, "GET", f"/leases/{lease}/terms"),
        "a change": partial(answered, "PATCH", f"/leases/{lease}", "", contact),
        "another item": partial(created, service, "/one-time-bill-items", item),
    }


def seconds(sizes: Sequence[int], rounds: int) -> list[dict[str, float]]:
    """Return the processor seconds of each request, for leases with so many items, in turns."""
    with ExitStack() as held:
        asked = []
        for items in sizes:
            stores = held.enter_context(opened("file:"))
            service = service_over(stores)
            asked.append(requests(service, fill(stores, service, items)))
        found: list[dict[str, float]] = [dict.fromkeys(each, inf) for each in asked]
        # A collection would look through all of both leases, whichever is asked for.
        gc.collect()
        gc.disable()
        try:
            for _ in range(rounds + 1):
                for least, of_lease in zip(found, asked, strict=True):
                    for name, ask in of_lease.items():
                        least[name] = min(least[name], _timed(ask))
        finally:
            gc.enable()
    return found


def _timed(ask: Callable[[], object]) -> float:
    began = process_time()
    ask()
    return process_time() - began


def costs(items: int, rounds: int) -> float:
    """Return so many items over a tenth: one request of each kind together."""
    few, many = seconds((items // 10, items), rounds)
    return sum(many.values()) / sum(few.values())


if __name__ == "__main__":
    few, many = seconds((MANY // 10, MANY), 9)
    for each in few:
        print(f"{each:17} {1e3 * few[each]:7.2f} ms {1e3 * many[each]:7.2f} ms")
    print(sum(many.values()) / sum(few.values()))
