"""Tables come about step by step, once, whoever opens the database first."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from sqlalchemy import Engine, inspect, text

from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.databases import open_engine
from rentbilling.adapters.stores.migrations import MIGRATIONS, Migration, migrate
from rentbilling.adapters.stores.sql_statements import METADATA
from rentbilling.adapters.stores.stored_texts import text_of
from rentbilling.interface import Lease
from rentbilling.service import StoreError, days_of, key_text, stored_key
from tests.adapters.stores.kept_objects import MOMENT, every_id, fill
from tests.support.rents import fee

KNOWN = MIGRATIONS[-1].version


def versions(url: str) -> list[tuple[int, str]]:
    engine = open_engine(url)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT version, purpose FROM schema_version").all()
    engine.dispose()
    return sorted((row.version, row.purpose) for row in found)


def tables(engine: Engine) -> dict[str, Any]:
    """Return what a database has: columns by table, with what is null and what is the key."""
    seen = inspect(engine)
    return {
        name: (
            [(each["name"], each["nullable"]) for each in seen.get_columns(name)],
            seen.get_pk_constraint(name)["constrained_columns"],
        )
        for name in seen.get_table_names()
        if name != "schema_version"
    }


def test_the_steps_are_numbered_without_a_gap() -> None:
    """1, 2, 3 and so on; each says what it is for."""
    assert list(range(1, KNOWN + 1)) == [each.version for each in MIGRATIONS]
    assert all(each.purpose and each.statements for each in MIGRATIONS)


def test_a_new_database_has_every_step_and_the_tables_that_are_asked(
    database_url: str, database: SqlStores
) -> None:
    assert [(each.version, each.purpose) for each in MIGRATIONS] == versions(database_url)
    assert {
        name: (
            [(column.name, bool(column.nullable)) for column in table.columns],
            [column.name for column in table.primary_key],
        )
        for name, table in METADATA.tables.items()
    } == tables(database.engine)


def test_a_database_of_the_first_version_goes_on_as_one_of_this(database_url: str) -> None:
    engine = open_engine(database_url)
    migrate(engine, MIGRATIONS[:1])
    assert "api_keys" not in tables(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO owners (owner, places) VALUES ('acme', 1)")
        connection.exec_driver_sql(
            "INSERT INTO leases (owner, place, id, belongs_to, record)"
            " VALUES ('acme', 1, 'lease-1', NULL, '{\"id\": \"lease-1\"}')"
        )
    engine.dispose()
    assert [(1, "objects")] == versions(database_url)

    key = stored_key(key_text("k1", "x" * 32), owner="acme", name="", rights=["*"], created=MOMENT)
    for at in (2, 3):
        with SqlStores(database_url) as stores:
            with stores.writing("acme") as store:
                fill(store, f"lease-{at}")
            if at == 2:
                stores.keys.add(key)
            assert [key] == list(stores.keys.listed())
    with SqlStores(database_url) as stores, stores.reading("acme") as store:
        assert ["lease-1", "lease-2", "lease-3"] == every_id(store)
    assert [(each.version, each.purpose) for each in MIGRATIONS] == versions(database_url)


def test_a_database_with_settlements_opens_without_them(database_url: str) -> None:
    """Their table and the rights to them are gone, so that an owner is erased whole."""
    with SqlStores(database_url) as stores:
        key = stored_key(
            key_text("k1", "x" * 32), owner="acme", name="", rights=["*"], created=MOMENT
        )
        stores.keys.add(key._replace(rights=key.rights | {"settlements:read", "settlements:write"}))
        with stores.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM schema_version WHERE version > 7")
            connection.exec_driver_sql("CREATE TABLE settlements (owner TEXT NOT NULL)")
            connection.exec_driver_sql("INSERT INTO settlements VALUES ('acme')")
    with SqlStores(database_url) as stores:
        assert [key] == list(stores.keys.listed())
        assert "settlements" not in tables(stores.engine)
    assert [(each.version, each.purpose) for each in MIGRATIONS] == versions(database_url)


def test_items_from_before_have_their_days(database_url: str) -> None:
    """Whatever their texts contain; the days are those that a new row has."""
    odd = '", "dueDate": "1999-01-01", "accountingPeriod": "1999-01-01'
    items = [
        fee(id="first", due="0987-06-05", days="0986-01-02/2026-01-31"),
        fee(id="odd", description=odd, product_key="dueDate", due="2026-03-01"),
    ]
    engine = open_engine(database_url)
    migrate(engine, MIGRATIONS[:4])
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO owners (owner, places) VALUES ('acme', 2)")
        for place, item in enumerate(items, 1):
            connection.execute(
                text(
                    "INSERT INTO one_time_bill_items (owner, place, id, belongs_to, record)"
                    " VALUES ('acme', :place, :id, 'lease-1', :record)"
                ),
                {"place": place, "id": item.id, "record": text_of(item)},
            )
    engine.dispose()
    with SqlStores(database_url) as stores, stores.engine.begin() as connection:
        rows = connection.exec_driver_sql(
            "SELECT due_day, start_day FROM one_time_bill_items ORDER BY place"
        ).all()

    assert [tuple(map(str, days_of(item))) for item in items] == [tuple(row) for row in rows]


def test_a_database_of_a_later_release_is_refused_and_left_alone(database_url: str) -> None:
    """With both versions, so that it is clear what to do; older code would misread it."""
    with SqlStores(database_url) as stores, stores.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO schema_version (version, purpose) VALUES (:version, 'later')"),
            {"version": KNOWN + 1},
        )
    before = versions(database_url)
    with pytest.raises(StoreError) as refused:
        SqlStores(database_url)

    assert StoreError("newer_database", found=KNOWN + 1, known=KNOWN) == refused.value
    assert (
        f"the database has version {KNOWN + 1}, and this release knows versions up to {KNOWN}:"
        " use a newer release"
    ) == str(refused.value)
    assert before == versions(database_url)


def test_a_step_that_fails_leaves_the_database_as_it_was(database_url: str) -> None:
    broken = Migration(KNOWN + 1, "broken", ("CREATE TABLE fine (a TEXT)", "CREATE NONSENSE"))
    engine = open_engine(database_url)
    migrate(engine, MIGRATIONS[:1])
    before = tables(engine)
    with pytest.raises(Exception, match="NONSENSE"):
        migrate(engine, (*MIGRATIONS, broken))

    assert before == tables(engine)
    assert [(1, "objects")] == versions(database_url)
    migrate(engine, (*MIGRATIONS, broken._replace(statements=broken.statements[:1])))
    assert {*METADATA.tables, "fine"} == set(tables(engine))
    engine.dispose()


OPENS = """
import os, sys, traceback
from rentbilling.adapters.stores import SqlStores
from rentbilling.service import Stored
from rentbilling.interface import Lease

def work(name):
    with SqlStores(sys.argv[1]) as stores:
        for at in range(10):
            with stores.writing("acme") as store:
                store.add(Stored(Lease(id="any"), f"lease-{name}-{at}"))

# Processes that have loaded all that they need, and wait until the pipe is closed.
waits, go = os.pipe()
children = []
for name in range(3):
    child = os.fork()
    if child:
        children.append(child)
        continue
    os.close(go)
    os.read(waits, 1)
    try:
        work(name)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(0)
os.close(go)
for child in children:
    os.waitpid(child, 0)
"""


def test_processes_that_open_a_new_database_at_once_each_take_it_as_it_is(
    database_url: str,
) -> None:
    command = [sys.executable, "-W", "error", "-c", OPENS, database_url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert ("", 0) == (done.stderr, done.returncode)
    assert [(each.version, each.purpose) for each in MIGRATIONS] == versions(database_url)
    with SqlStores(database_url) as stores, stores.reading("acme") as store:
        found = [each.id for each in store.page(Lease, limit=100)]
    assert {f"lease-{name}-{at}" for name in range(3) for at in range(10)} == set(found)
    for name in range(3):
        own = [each for each in found if re.match(f"lease-{name}-", each)]
        assert [f"lease-{name}-{at}" for at in range(10)] == own


def test_a_new_file_that_another_connection_writes_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ended = Timer(0.2, other.close)
    ended.start()
    url = f"sqlite:///{path}"

    with SqlStores(url):
        ended.join()
        assert [(each.version, each.purpose) for each in MIGRATIONS] == versions(url)
