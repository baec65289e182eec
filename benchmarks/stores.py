"""Tables of any length, and what a page of one costs: in steps of the database, not in time.

    python -m benchmarks.stores [ROWS…]

prints the steps that SQLite's machine takes for a page of ten leases, at the beginning, in the
middle and at the end of tables of 100 to 1,000,000 rows.
"""

import sys
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import event, insert

from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.sql_statements import OWNERS, STATEMENTS
from rentbilling.adapters.stores.stored_texts import column_text, text_of
from rentbilling.interface import Lease
from rentbilling.records import Record
from rentbilling.service import Store

ROWS = (100, 1_000, 10_000, 100_000, 1_000_000)
LEASES_OF_A_TENANCY = 25
LIMIT = 10

_AT_ONCE = 10_000
_COLUMNS: tuple[str, ...] = ("owner", "place", "id", "belongs_to", "record")
Row = tuple[int, str, str | None, str]
"""Place, id, what it belongs to, and the text of a record."""


def fill(stores: SqlStores, owner: str, rows: int) -> None:
    """Keep so many leases of a new owner, `lease-0` to `lease-<rows - 1>`, as fast as can be.

    A million take some ten seconds. Lease *n* belongs to `tenancy-<n % (rows / 25)>`, so that what
    belongs to one tenancy is spread over the whole table.
    """
    text = text_of(Lease(id="any", operational_state="Draft", purpose="key:residential"))
    tenancies = max(1, rows // LEASES_OF_A_TENANCY)
    leases = ((at + 1, f"lease-{at}", f"tenancy-{at % tenancies}", text) for at in range(rows))
    insert_rows(stores, column_text(owner), rows, {Lease: leases})


def insert_rows(
    stores: SqlStores, owner: str, places: int, rows: Mapping[type[Record], Iterator[Row]]
) -> None:
    """Insert records of a new owner, many at a time."""
    with stores.engine.begin() as connection:
        connection.execute(insert(OWNERS), [{"owner": owner, "places": places}])
        for kind, each in rows.items():
            while some := [*islice(each, _AT_ONCE)]:
                named = [dict(zip(_COLUMNS, (owner, *row), strict=True)) for row in some]
                connection.execute(insert(STATEMENTS[kind].table), named)
    with stores.engine.begin() as connection:
        # What the planner knows of a table that has grown over the years.
        connection.exec_driver_sql("ANALYZE")


@contextmanager
def counted_steps(stores: SqlStores) -> Generator[list[int]]:
    """Count the steps of SQLite's machine; the list has their number so far."""
    steps = [0]

    def count() -> int:
        steps[0] += 1
        return 0

    def begin(connection: Any, *_: object) -> None:  # noqa: ANN401 - a connection of sqlite3
        connection.set_progress_handler(count, 1)

    def end(connection: Any, *_: object) -> None:  # noqa: ANN401
        connection.set_progress_handler(None, 0)

    event.listen(stores.engine, "checkout", begin)
    event.listen(stores.engine, "checkin", end)
    try:
        yield steps
    finally:
        event.remove(stores.engine, "checkout", begin)
        event.remove(stores.engine, "checkin", end)


def page_steps(stores: SqlStores, owner: str, rows: int) -> Mapping[str, int]:
    """Return the steps of a page of leases at several places, and of other questions."""
    middle, late = f"lease-{rows // 2}", f"lease-{rows - LIMIT - 1}"

    def pages(store: Store) -> Mapping[str, Any]:
        return {
            "first page": lambda: store.page(Lease, limit=LIMIT),
            "page in the middle": lambda: store.page(Lease, limit=LIMIT, after=middle),
            "last page": lambda: store.page(Lease, limit=LIMIT, after=late),
            "first page of a tenancy": lambda: store.page(
                Lease, limit=LIMIT, belongs_to="tenancy-0"
            ),
            "what belongs to a tenancy": lambda: store.belonging(Lease, ["tenancy-0"]),
            "one lease": lambda: store.find(Lease, middle),
        }

    found: dict[str, int] = {}
    with counted_steps(stores) as steps, stores.reading(owner) as store:
        for name, ask in pages(store).items():
            before = steps[0]
            ask()
            found[name] = steps[0] - before
    return found


def main(rows: tuple[int, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for each in rows:
            with SqlStores(f"sqlite:///{Path(folder) / str(each)}.sqlite") as stores:
                fill(stores, "owner", each)
                for name, steps in page_steps(stores, "owner", each).items():
                    print(f"{each:>9,} rows   {name:<26} {steps:>6} steps")


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or ROWS)
