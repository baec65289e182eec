"""A page costs what its objects cost, wherever it lies and however much lies around it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from benchmarks.stores import LEASES_OF_A_TENANCY, counted_steps, fill, page_steps
from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.sql_statements import KEYS, STATEMENTS
from rentbilling.interface import Lease, Payout
from rentbilling.service import KINDS, Store, Stored
from rentbilling.terms import OneTimeBillItem
from rentbilling.values import Period
from tests.adapters.conftest import postgres_place
from tests.adapters.stores.kept_objects import FULL, every_id, ids, lease
from tests.support.postgres import Servers
from tests.support.rents import fee

ROWS = 8_000


@contextmanager
def sent(stores: SqlStores) -> Generator[list[str]]:
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(" ".join(statement.split()))

    event.listen(stores.engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(stores.engine, "before_cursor_execute", note)


def test_a_table_is_filled_as_if_by_single_changes(database: SqlStores) -> None:
    fill(database, "owner", 60)
    with database.writing("owner") as store:
        store.add(lease("one more"))
    with database.reading("owner") as store:
        assert [*(f"lease-{at}" for at in range(60)), "one more"] == every_id(store)
        assert [f"lease-{at}" for at in range(1, 60, 2)] == ids(
            store.belonging(Lease, ["tenancy-1"])["tenancy-1"]
        )


def test_a_page_takes_the_same_steps_wherever_it_lies_in_whatever_table() -> None:
    """Step by step of SQLite's machine, which runs ten times as long where it reads ten times more.

    Some 110 steps for a page of ten: ten for each object, and ten to find the first.
    """
    found = []
    for rows in (100, 1_000, 10_000):
        with SqlStores("sqlite://") as stores:
            fill(stores, "owner", rows)
            found.append(page_steps(stores, "owner", rows))
    small, middle, large = found

    assert small == middle == large
    assert small["page in the middle"] == small["last page"]
    assert all(steps <= 10 * LEASES_OF_A_TENANCY for steps in small.values())


def test_the_steps_tell_a_page_that_reads_the_whole_table() -> None:
    found = []
    for rows in (100, 2_500):
        with SqlStores("sqlite://") as stores:
            fill(stores, "owner", rows)
            with stores.engine.begin() as connection:
                connection.exec_driver_sql("DROP INDEX leases_belonging")
            found.append(page_steps(stores, "owner", rows)["what belongs to a tenancy"])

    assert 10 * found[0] < found[1]


def test_items_of_some_days_take_the_same_steps_however_many_there_are() -> None:
    """Of items ten days apart, three are due in June 2026: some 40 steps, and 30 for each."""
    june, steps = Period.parse("2026-06-01/2026-06-30"), set[int]()
    item = fee(id="any")
    for items in (100, 1_000):
        with SqlStores("sqlite://") as stores:
            with stores.writing("owner") as store:
                for at in range(items):
                    due = date(2026, 6, 15) + timedelta(10 * (at - items // 2))
                    of_day = item.evolve(due_date=due, accounting_period=Period(due, due))
                    store.add(Stored(of_day, f"item-{at}", "lease-1"))
            with counted_steps(stores) as counted, stores.reading("owner") as store:
                before = counted[0]
                found = store.belonging(OneTimeBillItem, ["lease-1"], days=june)["lease-1"]
                steps.add(counted[0] - before)
                middle = range(items // 2 - 1, items // 2 + 2)
                assert [f"item-{at}" for at in middle] == ids(found)
                before = counted[0]
                assert items == store.count(OneTimeBillItem, "lease-1")
                # In the index alone.
                assert 4 * items >= counted[0] - before

    assert 1 == len(steps)
    assert 150 > max(steps)


def asked(stores: SqlStores, ask: Callable[[Store], object]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, sql: str, values: object, *_: object) -> None:
        if sql != "BEGIN":
            found.append((sql, values))

    event.listen(stores.engine, "before_cursor_execute", note)
    try:
        with stores.reading("owner") as store:
            ask(store)
    finally:
        event.remove(stores.engine, "before_cursor_execute", note)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_sqlite_searches_by_an_index_and_sorts_no_page(kind: type[Any]) -> None:
    name = STATEMENTS[kind].table.name
    with SqlStores("sqlite://") as stores:

        def plan(ask: Callable[[Store], object]) -> list[str]:
            ((sql, values),) = asked(stores, ask)
            with stores.engine.connect() as connection:
                return [
                    row[-1]
                    for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
                ]

        in_order = f"sqlite_autoindex_{name}_1 (owner=? AND place>?)"
        assert [f"SEARCH {name} USING INDEX {in_order}"] == plan(
            lambda store: store.page(kind, limit=10)
        )
        below = f"{name}_belonging (owner=? AND belongs_to=? AND place>?)"
        assert [f"SEARCH {name} USING INDEX {below}"] == plan(
            lambda store: store.page(kind, limit=10, belongs_to="a")
        )
        by_id = f"sqlite_autoindex_{name}_2 (owner=? AND id=?)"
        assert [f"SEARCH {name} USING INDEX {by_id}"] == plan(lambda store: store.find(kind, "a"))
        assert [f"SEARCH {name} USING INDEX {by_id}"] == plan(
            lambda store: store.several(kind, ["a", "b"])
        )


@pytest.fixture(scope="module")
def long_tables(postgres_servers: Servers) -> Iterator[SqlStores]:
    """Stores in PostgreSQL with 8,000 leases of an owner, and some of another."""
    with postgres_place(postgres_servers) as url, SqlStores(url) as stores:
        fill(stores, "owner", ROWS)
        fill(stores, "other", 100)
        yield stores


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get("Plans", ()):
        yield from nodes(each)


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        (lambda store: store.page(Lease, limit=10, after=f"lease-{ROWS // 2}"), 10),
        (lambda store: store.page(Lease, limit=10, after=f"lease-{ROWS - 12}"), 10),
        (lambda store: store.page(Lease, limit=10, belongs_to="tenancy-7"), 10),
        (
            lambda store: store.page(
                Lease, limit=10, after=f"lease-{ROWS // 2}", belongs_to="tenancy-7"
            ),
            10,
        ),
        (lambda store: store.belonging(Lease, ["tenancy-7", "tenancy-8"]), 50),
        (lambda store: store.find(Lease, f"lease-{ROWS // 2}"), 1),
        (lambda store: store.several(Lease, [f"lease-{at * 800}" for at in range(10)]), 10),
    ],
    ids=["middle", "end", "tenancy", "tenancy, middle", "belonging", "find", "several"],
)
def test_postgresql_visits_the_rows_of_a_page_and_no_others(
    long_tables: SqlStores, ask: Callable[[Store], object], most: int
) -> None:
    """In 8,000 rows beside those of another owner: none is read and thrown away."""
    for sql, values in asked(long_tables, ask):
        with long_tables.engine.connect() as connection:
            ((told,),) = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values)
        for node in nodes(told[0]["Plan"]):
            if node.get("Relation Name") == "removed":
                # Nothing was removed, and so there is nothing to visit.
                assert 0 == node["Actual Rows"]
                continue
            assert "Seq Scan" != node["Node Type"]
            assert 0 == node.get("Rows Removed by Filter", 0)
            assert most >= node["Actual Rows"] * node["Actual Loops"]


CALLS: Sequence[tuple[str, Callable[[Store], object], int]] = (
    ("find", lambda store: store.find(Lease, "lease-1"), 1),
    ("first page", lambda store: store.page(Lease, limit=100), 1),
    ("later page", lambda store: store.page(Lease, limit=100, after="lease-1"), 2),
    ("belonging", lambda store: store.belonging(Lease, [f"tenancy-{at}" for at in range(100)]), 1),
    ("several", lambda store: store.several(Lease, [f"lease-{at}" for at in range(100)]), 1),
    (
        "on days",
        lambda store: store.belonging(OneTimeBillItem, ["x"], days=Period.month(2026, 6)),
        1,
    ),
    ("count", lambda store: store.count(Lease, "tenancy-1"), 1),
    ("replace", lambda store: store.replace(lease("lease-1", "tenancy-1")), 1),
    ("add", lambda store: store.add(lease("lease-new")), 1),
    ("remove", lambda store: store.remove(Lease, "lease-2"), 2),
)


@pytest.mark.parametrize(
    ("ask", "statements"), [each[1:] for each in CALLS], ids=[each[0] for each in CALLS]
)
def test_each_question_is_few_statements_however_much_it_answers(
    database: SqlStores, ask: Callable[[Store], object], statements: int
) -> None:
    fill(database, "owner", 200)
    with database.writing("owner") as store, sent(database) as found:
        ask(store)

    assert statements == len(found)


def test_reading_sends_nothing_but_questions(database: SqlStores) -> None:
    with sent(database) as found:
        for owner in ("owner", "nobody"):
            with database.reading(owner) as store:
                for kept in FULL:
                    kind = type(kept.record)
                    store.find(kind, kept.id)
                    store.page(kind, limit=9)
                    store.belonging(kind, ["x"])
                    store.several(kind, ["x"])
        database.keys.find("k1")
        database.keys.listed()

    assert {"SELECT"} == {each.split()[0] for each in found if each != "BEGIN"}


def test_postgresql_lets_a_transaction_for_reading_write_nothing(postgres_url: str) -> None:
    with SqlStores(postgres_url) as stores, stores.reading("owner") as store:
        with stores.engine.connect() as connection:
            assert "off" == connection.exec_driver_sql("SHOW transaction_read_only").scalar()
        run: Any = getattr(store, "_run")  # noqa: B009
        assert "on" == run(text("SHOW transaction_read_only")).scalar()
        assert "repeatable read" == run(text("SHOW transaction_isolation")).scalar()


def test_places_follow_one_another_without_a_gap(database: SqlStores) -> None:
    for name in ("owner", "other"):
        with database.writing(name) as store:
            for kept in FULL:
                store.add(kept)
        for at in range(3):
            with suppress(LookupError), database.writing(name) as store:
                store.add(lease(f"lease-{at}-a"))
                store.add(lease(f"lease-{at}-b"))
                if at == 1:
                    raise LookupError
    places: dict[str, list[int]] = {"owner": [], "other": []}
    with database.engine.connect() as connection:
        for kind in KINDS:
            for row in connection.execute(STATEMENTS[kind].table.select()):
                places[row.owner].append(row.place)
        noted = connection.exec_driver_sql("SELECT owner, places FROM owners").all()

    assert {"owner": list(range(1, 14)), "other": list(range(1, 14))} == {
        name: sorted(each) for name, each in places.items()
    }
    assert {("owner", 13), ("other", 13)} == {tuple(row) for row in noted}


def test_amounts_stand_as_exact_text(database: SqlStores) -> None:
    """No column is a number but places; 4661.29 is written so, 12.345 with all its digits."""
    (kept,) = (each for each in FULL if isinstance(each.record, Payout))
    with database.writing("owner") as store:
        store.add(kept)
    with database.engine.connect() as connection:
        ((record,),) = connection.exec_driver_sql("SELECT record FROM payouts").all()

    assert (
        '{"id": "payout-1", "payoutReason": "Refund", "payoutDate": "2026-02-28",'
        ' "net": {"currency": "EUR", "amount": 980.50},'
        ' "fees": {"currency": "JPY", "amount": 1000},'
        ' "gross": {"currency": "KWD", "amount": 12.345}, "bankStatement": "REF \\\\ 7"}'
    ) == record
    for kind in KINDS:
        table = STATEMENTS[kind].table
        numbers = [column.name for column in table.columns if column.type.python_type is not str]
        assert ["place"] == numbers
    assert {str} == {column.type.python_type for column in KEYS.columns}
