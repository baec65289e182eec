"""Full disks, files that are gone or damaged, and servers that only read: nothing is lost."""

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import event, text

from rentbilling.adapters.stores import SqlStores
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import Lease
from rentbilling.service import Stored, StoreError, StoreUnavailableError
from tests.adapters.stores.kept_objects import every_id, fill

# More than the pages that the steps of a new database leave free.
LONG = "x" * 80_000


def unavailable(reason: str) -> StoreUnavailableError:
    return StoreUnavailableError("store_unavailable", reason=reason)


def refusal(stores: SqlStores, name: str = "refused") -> StoreError:
    """Return the error of a change."""
    with pytest.raises(StoreError) as refused, stores.writing("acme") as store:
        store.add(Stored(Lease(id="any", purpose=LONG), name))
    return refused.value


def names(stores: SqlStores) -> list[str]:
    with stores.reading("acme") as store:
        return every_id(store)


def change(stores: SqlStores, name: str) -> None:
    with stores.writing("acme") as store:
        fill(store, name)


def test_a_full_disk_refuses_a_change_and_loses_none(tmp_path: Path) -> None:
    """SQLite is given no more pages, as a full disk gives none; with more room it goes on."""
    url, pages = f"sqlite:///{tmp_path}/kept.sqlite", [1_000_000]
    with SqlStores(url) as stores:

        @event.listens_for(stores.engine, "begin")
        def limit(connection: object) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages[0]}")  # type: ignore[attr-defined]

        change(stores, "before")
        pages[0] = 1
        assert unavailable("full") == refusal(stores)
        assert ["before"] == names(stores)
        pages[0] = 1_000_000
        change(stores, "after")
    with SqlStores(url) as again:
        assert ["before", "after"] == names(again)


@pytest.mark.parametrize(
    ("sqlstate", "reason"), [("53100", "full"), ("58030", "unreadable"), ("25006", "read-only")]
)
def test_a_server_that_cannot_write_refuses_a_change(
    postgres_url: str, sqlstate: str, reason: str
) -> None:
    """53100 is the disk of PostgreSQL that is full; a trigger raises it here."""
    with SqlStores(postgres_url) as stores:
        change(stores, "before")
        with stores.engine.begin() as connection:
            connection.execute(
                text(
                    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
                    f"BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '{sqlstate}'; END $$"
                )
            )
            connection.execute(
                text(
                    "CREATE TRIGGER refuses BEFORE INSERT ON leases"
                    " FOR EACH ROW EXECUTE FUNCTION refuse()"
                )
            )
        assert unavailable(reason) == refusal(stores)
        with stores.engine.begin() as connection:
            connection.execute(text("DROP TRIGGER refuses ON leases"))
        change(stores, "after")
        assert ["before", "after"] == names(stores)


def test_a_server_that_is_set_to_read_alone_is_not_written(postgres_url: str) -> None:
    """The setting is kept after reading too, when the driver would begin to write."""
    frozen = f"{postgres_url}{quote(' -cdefault_transaction_read_only=on')}"
    with SqlStores(postgres_url) as stores, SqlStores(frozen) as reading:
        change(stores, "before")
        for _ in range(2):
            assert ["before"] == names(reading)
            assert unavailable("read-only") == refusal(reading)
        change(stores, "after")
        assert ["before", "after"] == names(stores)


def delete(file: Path) -> None:
    file.unlink()


def replace(file: Path) -> None:
    """Put a whole copy in its place, as a backup that is restored."""
    copy = file.with_name("copy")
    shutil.copyfile(file, copy)
    copy.replace(file)


def delete_the_log(file: Path) -> None:
    file.with_name(f"{file.name}-wal").unlink()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted")
@pytest.mark.parametrize("lose", [delete, replace, delete_the_log])
def test_a_file_that_is_gone_is_neither_written_nor_read(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    file = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{file}") as stores:
        change(stores, "before")
        lose(file)
        assert unavailable("gone") == refusal(stores)
        with pytest.raises(StoreUnavailableError) as refused:
            names(stores)
        assert "the database is gone" == str(refused.value)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted")
def test_a_link_to_a_file_is_watched_with_the_log_of_that_file(tmp_path: Path) -> None:
    file, link = tmp_path / "kept.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(file)
    file.touch()
    with SqlStores(f"sqlite:///{link}") as stores:
        change(stores, "before")
        delete_the_log(file)
        assert unavailable("gone") == refusal(stores)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted")
def test_a_file_that_goes_within_a_change_acknowledges_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{file}") as stores:

        def lose() -> None:
            with stores.writing("acme") as store:
                fill(store, "lost")
                file.unlink()

        with pytest.raises(StoreUnavailableError) as refused:
            lose()
        assert unavailable("gone") == refused.value


def test_another_process_may_come_and_go(tmp_path: Path) -> None:
    """What it closes last would otherwise remove the log that is being watched."""
    file = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{file}") as stores:
        for at in range(3):
            change(stores, f"mine-{at}")
            with SqlStores(f"sqlite:///{file}") as other:
                change(other, f"other-{at}")
            other = sqlite3.connect(file)  # type: ignore[assignment]
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
            other.close()
        assert 6 == len(names(stores))


def test_a_damaged_file_is_found_by_the_check(tmp_path: Path) -> None:
    """An index lacks an entry of its table: only a check of the whole file sees that."""
    file = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{file}") as stores:
        for at in range(9):
            change(stores, f"lease-{at}")
        stores.check_whole()
    connection = sqlite3.connect(file)
    connection.executescript(
        "PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON;"
        "UPDATE sqlite_schema SET sql = replace(sql, 'belongs_to, place)', 'place, belongs_to)')"
        " WHERE name = 'leases_belonging';"
    )
    connection.close()
    with SqlStores(f"sqlite:///{file}") as stores, pytest.raises(StoreError) as refused:
        stores.check_whole()

    assert StoreError("damaged_database") == refused.value
    assert "damaged" in str(refused.value)


def test_a_file_of_other_bytes_is_refused_or_found_by_the_check(tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    with SqlStores(f"sqlite:///{file}") as stores:
        for at in range(200):
            with stores.writing("acme") as store:
                store.add(Stored(Lease(id="any", purpose=LONG[:900]), f"lease-{at}"))
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(size // 2)
        opened.write(os.urandom(size // 4))
    with pytest.raises(StoreError) as refused, SqlStores(f"sqlite:///{file}") as stores:
        stores.check_whole()

    assert StoreError("damaged_database") == refused.value


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes")
def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    """So are its log and its index; a file that was there keeps the mode that it was given."""
    file, shared = tmp_path / "kept.sqlite", tmp_path / "shared.sqlite"
    shared.touch(0o660)
    shared.chmod(0o660)
    for each, mode in ((file, 0o600), (shared, 0o660)):
        with SqlStores(f"sqlite:///{each}") as stores:
            change(stores, "lease-1")
            modes = {
                part.name: stat.S_IMODE(part.stat().st_mode)
                for part in tmp_path.glob(f"{each.name}*")
            }
        assert {f"{each.name}{end}": mode for end in ("", "-wal", "-shm")} == modes


@pytest.mark.parametrize("password", ["aaa@hunter2", "a@a/hunter2", "aaa@hunter2/a"])
def test_a_password_with_a_bare_at_sign_is_refused_and_not_shown(password: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        SqlStores(f"postgresql://user:{password}@host/x")

    assert "%40" in str(refused.value)
    assert "hunter2" not in str(refused.value)
