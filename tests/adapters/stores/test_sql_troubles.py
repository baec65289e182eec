"""Whatever goes wrong with a database is one of our errors, and shows nothing of its inside."""

import inspect
import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from rentbilling.adapters.client import RentalClient
from rentbilling.adapters.http import Limits
from rentbilling.adapters.stores import SqlStores, databases, open_stores, sql_stores
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import Lease
from rentbilling.service import StoreError, StoreUnavailableError, key_text, stored_key
from tests.adapters.stores.kept_objects import MOMENT, every_id, fill, lease

BUSY = StoreUnavailableError("store_unavailable", reason="busy")
UNREACHABLE = StoreUnavailableError("store_unavailable", reason="unreachable")
LOST = StoreUnavailableError("store_unavailable", reason="lost")


@pytest.mark.parametrize(
    "url",
    ["", "kept.sqlite", "mysql://user:hunter2@host/x", "://", "sqlite", "postgres", "oracle://x"],
)
def test_what_is_no_url_of_a_database_that_we_know_is_refused(url: str) -> None:
    """Without quoting it, because it may hold a password."""
    with pytest.raises(InvalidRecordError) as refused:
        SqlStores(url)

    assert [("database", "unknown_database")] == [
        (each.path, each.code) for each in refused.value.problems
    ]
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://user:hunter2@127.0.0.1:1/kept",
        "postgresql://user:hunter2@/kept?host=/nowhere&connect_timeout=2",
        "sqlite:////nowhere/at/all/kept.sqlite",
    ],
)
def test_a_database_that_cannot_be_reached_is_said_to_be_so(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreUnavailableError) as refused:
        SqlStores(url)

    assert UNREACHABLE == refused.value
    assert "the database is unreachable" == str(refused.value)
    assert refused.value.__cause__ is None
    assert "the database failed: OperationalError" in caplog.text
    for secret in ("hunter2", "nowhere", "127.0.0.1"):
        assert secret not in caplog.text


def test_a_database_of_postgresql_that_does_not_exist_cannot_be_reached(postgres_url: str) -> None:
    with pytest.raises(StoreUnavailableError) as refused:
        SqlStores(postgres_url.replace("/postgres?", "/nowhere?"))

    assert UNREACHABLE == refused.value


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Call the plumber. " * 100, encoding="utf-8")
    with pytest.raises(StoreError) as refused:
        SqlStores(f"sqlite:///{notes}")

    assert StoreError("no_database") == refused.value
    assert "the file is no database" == str(refused.value)
    assert "Call the plumber. " * 100 == notes.read_text(encoding="utf-8")


def test_a_database_in_less_than_unicode_is_refused(postgres_url: str) -> None:
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    name = f"rentbilling_latin_{os.getpid()}"
    with engine.connect() as connection:
        connection.execute(
            text(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        )
    try:
        with pytest.raises(StoreError) as refused:
            SqlStores(postgres_url.replace("/postgres?", f"/{name}?"))
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()

    assert StoreError("wrong_encoding", found="LATIN1") == refused.value
    assert "keeps texts as LATIN1" in str(refused.value)


def test_a_file_that_others_keep_locked_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "FIRST_PATIENCE", 0.1)
    place = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{place}") as stores:
        with stores.writing("acme") as store:
            fill(store, "lease-1")
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError) as refused, stores.writing("acme"):
            raise AssertionError
        with stores.reading("acme") as store:
            assert ["lease-1"] == every_id(store)
        other.execute("ROLLBACK")
        other.close()
        with stores.writing("acme") as store:
            fill(store, "lease-2")

    assert BUSY == refused.value


def test_the_service_gives_up_before_its_client() -> None:
    """A turn 10, a connection 10, the changes before it 20: 40 seconds, and the client waits 45."""
    timeout = inspect.signature(RentalClient).parameters["timeout"].default

    assert Limits().turn_seconds + databases.FIRST_PATIENCE + databases.PATIENCE < timeout


def test_who_waits_too_long_for_a_turn_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_stores, "PATIENCE", 0.1)
    told: list[BaseException] = []
    with SqlStores(f"sqlite:///{tmp_path}/kept.sqlite") as stores:

        def change() -> None:
            try:
                with stores.writing("acme") as store:
                    fill(store, "lease-2")
            except StoreUnavailableError as error:
                told.append(error)

        with stores.writing("acme") as store:
            fill(store, "lease-1")
            other = Thread(target=change)
            other.start()
            other.join(30)
        change()
        with stores.reading("acme") as store:
            assert ["lease-1", "lease-2"] == every_id(store)

    assert [BUSY] == told


def test_who_waits_too_long_for_the_row_of_an_owner_is_told_so(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "PATIENCE", 1)
    with SqlStores(postgres_url) as one, SqlStores(postgres_url) as two:
        with one.writing("acme") as store:
            fill(store, "lease-1")
        with one.writing("acme") as store:
            fill(store, "lease-2")
            with two.writing("other") as beside:
                fill(beside, "lease-1")
            with pytest.raises(StoreUnavailableError) as refused, two.writing("acme"):
                raise AssertionError
        with two.reading("acme") as store:
            assert ["lease-1", "lease-2"] == every_id(store)

    assert BUSY == refused.value


def end_all_connections(url: str) -> None:
    """End every other connection to the server of PostgreSQL, as one that is started again does."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE pid <> :own AND backend_type = 'client backend'"
            ),
            {"own": connection.execute(text("SELECT pg_backend_pid()")).scalar()},
        )
    engine.dispose()


def test_a_server_that_was_started_again_costs_nobody_an_error(postgres_url: str) -> None:
    with SqlStores(postgres_url) as stores:
        with stores.writing("acme") as store:
            fill(store, "lease-1")
        end_all_connections(postgres_url)
        with stores.reading("acme") as store:
            assert ["lease-1"] == every_id(store)
        end_all_connections(postgres_url)
        with stores.writing("acme") as store:
            fill(store, "lease-2")


def test_a_connection_that_is_lost_within_a_change_keeps_nothing_of_it(postgres_url: str) -> None:
    with SqlStores(postgres_url) as stores:

        def change() -> None:
            with stores.writing("acme") as store:
                fill(store, "lease-1")
                end_all_connections(postgres_url)
                fill(store, "lease-2")

        with pytest.raises(StoreUnavailableError) as refused:
            change()
        assert LOST == refused.value
        with stores.writing("acme") as store:
            fill(store, "lease-3")
        with stores.reading("acme") as store:
            assert ["lease-3"] == every_id(store)


def test_a_change_that_cannot_be_kept_at_its_end_says_so(postgres_url: str) -> None:
    with SqlStores(postgres_url) as stores:

        def change() -> None:
            with stores.writing("acme") as store:
                fill(store, "lease-1")
                end_all_connections(postgres_url)

        with pytest.raises(StoreUnavailableError):
            change()
        with stores.reading("acme") as store:
            assert [] == every_id(store)


def test_what_a_database_refuses_is_told_without_its_words(
    database: SqlStores, caplog: pytest.LogCaptureFixture
) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE leases")
    with (
        caplog.at_level(logging.DEBUG),
        database.reading("acme") as store,
        pytest.raises(StoreError) as refused,
    ):
        store.find(Lease, "secret-id")

    assert "secret-id" not in f"{refused.value!r} {refused.value} {caplog.text}"
    assert "leases" not in f"{refused.value!r} {refused.value}"
    assert "the database failed" in caplog.text


def test_an_error_of_the_caller_is_passed_on_as_it_is(database: SqlStores) -> None:
    mine: Any = create_engine("sqlite://")

    def change() -> None:
        with database.writing("acme") as store, mine.connect() as own:
            fill(store, "lease-1")
            own.execute(text("SELECT nonsense"))

    with pytest.raises(Exception, match="no such column: nonsense"):
        change()
    mine.dispose()
    with database.reading("acme") as store:
        assert [] == every_id(store)


def test_stores_that_were_closed_open_nothing(database: SqlStores) -> None:
    database.close()
    database.close()
    for ask in (database.reading, database.writing):
        with pytest.raises(RuntimeError, match="were closed"), ask("acme"):
            raise AssertionError


DIES = """
import os, sys
from rentbilling.adapters.stores import SqlStores
from rentbilling.service import Stored
from rentbilling.interface import Lease
stores = SqlStores(sys.argv[1])
with stores.writing("acme") as store:
    store.add(Stored(Lease(id="any"), "lease-1"))
with stores.writing("acme") as store:
    store.add(Stored(Lease(id="any"), "lease-2"))
    store.remove(Lease, "lease-1")
    os._exit(9)
"""


def test_a_process_that_dies_within_a_change_leaves_nothing_of_it(database_url: str) -> None:
    died = subprocess.run([sys.executable, "-c", DIES, database_url], check=False, timeout=60)
    with SqlStores(database_url) as stores:
        with stores.writing("acme") as store:
            assert ["lease-1"] == every_id(store)
            fill(store, "lease-3")
        with stores.reading("acme") as store:
            assert [lease("lease-1"), lease("lease-3")] == store.page(Lease, limit=9)

    assert 9 == died.returncode


def test_a_file_of_sqlite_is_told_to_keep_everything(tmp_path: Path) -> None:
    with SqlStores(f"sqlite:///{tmp_path}/kept.sqlite") as stores:
        with stores.engine.connect() as connection:
            told = [
                connection.exec_driver_sql(f"PRAGMA {each}").scalar()
                for each in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
        begun: list[str] = []
        event.listen(
            stores.engine, "before_cursor_execute", lambda *values: begun.append(values[2])
        )
        with stores.writing("acme"), stores.reading("acme"):
            pass

    assert ["wal", 2, 1, 10_000] == told
    assert ["BEGIN IMMEDIATE", "BEGIN"] == [each for each in begun if each.startswith("BEGIN")]


def test_no_secret_of_a_key_is_in_the_database(tmp_path: Path) -> None:
    drawn = "0123456789abcdefghijklmnopqrstuv"
    key = stored_key(key_text("k1", drawn), owner="acme", name="n", rights=["*"], created=MOMENT)
    with open_stores(f"sqlite:///{tmp_path}/kept.sqlite") as stores:
        stores.keys.add(key)
        kept = b"".join(each.read_bytes() for each in tmp_path.iterdir())

    assert key.digest.encode() in kept
    assert drawn.encode() not in kept
    assert drawn[:16].encode() not in kept
