"""What a page of tenancies costs, wherever it lies in however long a list.

Law: the whole answer is measured, from the request to its JSON, in a file of SQLite, with a lease
for each tenancy. Beside the time stand the steps of SQLite's machine, which no other work disturbs.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final, NamedTuple

from benchmarks.service import HEADERS, OWNER, opened, service_over
from benchmarks.stores import counted_steps, insert_rows
from benchmarks.timing import Piece, best_times
from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.stored_texts import text_of
from rentbilling.interface import Lease, Tenancy, TenancyAddress

LIMIT: Final = 100
"""Tenancies of a page, as many as there may be."""
SHORT: Final = 100
"""Rows of the shortest table."""
_ID: Final = "the-id"


Costs = Mapping[tuple[int, str], float]
"""What pages cost, by the rows of the table and where in it they lie."""


class PageCosts(NamedTuple):
    """What pages cost in time, and in steps."""

    seconds: Costs
    steps: Mapping[tuple[int, str], int]
    """Of SQLite's machine."""


def last_over_first(cost: Costs, rows: int) -> float:
    return cost[rows, "last"] / cost[rows, "first"]


def long_over_short(cost: Costs, rows: int) -> float:
    """Return what the dearest page of a table costs over the dearest of the shortest."""
    return _dearest(cost, rows) / _dearest(cost, SHORT)


def _dearest(cost: Costs, rows: int) -> float:
    return max(took for (length, _), took in cost.items() if length == rows)


def lengths(most: int) -> list[int]:
    """Return the lengths of tables: 100, 1,000 and so on up to the longest."""
    found = [SHORT]
    while found[-1] * 10 <= most:
        found.append(found[-1] * 10)
    return found


def fill(stores: SqlStores, rows: int) -> None:
    """Keep tenancies `tenancy-1` to `tenancy-<rows>` of the owner, each with a draft lease."""
    address = TenancyAddress(
        street="Nygade 7", street_name="Nygade", street_number="7", city="København", country="DK"
    )
    tenancy = text_of(Tenancy(id=_ID, address=address))
    lease = text_of(Lease(id=_ID, operational_state="Draft", purpose="key:residential"))
    numbers = range(1, rows + 1)
    tenancies = (
        (2 * at - 1, f"tenancy-{at}", None, tenancy.replace(_ID, f"tenancy-{at}")) for at in numbers
    )
    leases = (
        (2 * at, f"lease-{at}", f"tenancy-{at}", lease.replace(_ID, f"lease-{at}"))
        for at in numbers
    )
    insert_rows(stores, OWNER, 2 * rows, {Tenancy: tenancies, Lease: leases})


def queries(rows: int) -> Mapping[str, str]:
    """Return the queries for the first page, one in the middle, and the last whole one."""
    at = {"middle": rows // 2 - LIMIT // 2, "last": rows - LIMIT}
    after = {
        name: f"&startingAfter=tenancy-{row}" if row > 0 else ""
        for name, row in {"first": 0, **at}.items()
    }
    return {name: f"limit={LIMIT}{more}" for name, more in after.items()}


def show(service: RentalService, query: str) -> bytes:
    answer = service.answer("GET", "/tenancies", query, HEADERS)
    if answer.status != 200:
        raise ValueError(f"{query} is answered by {answer.status}: {answer.body.decode()}")
    return answer.body


def _filled(stack: ExitStack, most: int) -> Iterator[tuple[int, SqlStores]]:
    for rows in lengths(most):
        stores = stack.enter_context(opened("file:"))
        if not isinstance(stores, SqlStores):
            raise TypeError("a file is kept by SQLAlchemy")
        fill(stores, rows)
        yield rows, stores


def costs(most: int, rounds: int) -> PageCosts:
    """Return what pages of tables of 100 rows to the most cost."""
    steps: dict[tuple[int, str], int] = {}
    work: dict[str, list[Piece]] = {}
    with ExitStack() as stack:
        for rows, stores in _filled(stack, most):
            service = service_over(stores)
            for name, query in queries(rows).items():
                # Once before, as statements are prepared only once.
                show(service, query)
                with counted_steps(stores) as counted:
                    show(service, query)
                steps[rows, name] = counted[0]
                work[f"{rows} {name}"] = [partial(show, service, query)]
        times = best_times(work, rounds)
    return PageCosts({key: times[f"{key[0]} {key[1]}"] for key in steps}, steps)
