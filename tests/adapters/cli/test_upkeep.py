"""Backups, releases and an owner's data: nothing is overwritten, lost, or erased unasked."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.command_line import refused, run

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.databases import open_engine
from rentbilling.adapters.stores.migrations import MIGRATIONS, migrate
from rentbilling.interface import Lease, Payout
from rentbilling.service import Stored
from tests.adapters.stores.kept_objects import fill

KNOWN = MIGRATIONS[-1].version


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database with a lease of acme and one of bolig, in the working folder."""
    monkeypatch.chdir(tmp_path)
    found = f"sqlite:///{tmp_path}/rent.sqlite"
    monkeypatch.setenv("RENTBILLING_DATABASE", found)
    with SqlStores(found) as stores:
        for owner in ("acme", "bolig"):
            with stores.writing(owner) as store:
                fill(store, f"lease of {owner}")
    return found


def leases(url: str, owner: str = "acme") -> list[str]:
    with SqlStores(url) as stores, stores.reading(owner) as store:
        return [each.id for each in store.page(Lease, limit=10)]


def add_payout(url: str) -> None:
    with SqlStores(url) as stores, stores.writing("acme") as store:
        store.add(Stored(Payout(id="later"), "later"))


def payouts(url: str) -> list[str]:
    with SqlStores(url) as stores, stores.reading("acme") as store:
        return [each.id for each in store.page(Payout, limit=10)]


def files(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_a_backup_has_what_was_there_and_is_the_users_alone(url: str, tmp_path: Path) -> None:
    with SqlStores(url):
        finished = run("backup", "copy.sqlite", columns=400)
        before = leases("sqlite:///copy.sqlite")
    add_payout(url)

    assert (0, "") == (finished.exit_code, finished.stdout)
    said = f"SQLite file {tmp_path}/rent.sqlite, version {KNOWN}, checked from end to end."
    assert f"copy.sqlite is a copy of {said}\n" == finished.stderr
    assert ["lease of acme"] == before
    assert [] == payouts("sqlite:///copy.sqlite")
    assert os.name != "posix" or 0o600 == Path("copy.sqlite").stat().st_mode & 0o777
    assert {"rent.sqlite", "copy.sqlite"} == files(tmp_path)


def test_a_backup_that_is_copied_back_answers_as_the_database_did_then(url: str) -> None:
    """As the guide says: with nothing open, and the former files out of the way."""
    run("backup", "copy.sqlite")
    add_payout(url)
    Path("before").mkdir()
    for each in Path().glob("rent.sqlite*"):
        each.rename(Path("before", each.name))
    shutil.copy("copy.sqlite", "rent.sqlite")

    assert (["lease of acme"], []) == (leases(url), payouts(url))
    assert ["later"] == payouts("sqlite:///before/rent.sqlite")


def no_database(name: str) -> str:
    with closing(sqlite3.connect(name)) as made:
        made.execute("CREATE TABLE other (a TEXT)")
        made.commit()
    return name


def later(name: str) -> str:
    run("backup", name)
    with closing(sqlite3.connect(name)) as made:
        made.execute("INSERT INTO schema_version VALUES (?, 'later')", [KNOWN + 1])
        made.commit()
    return name


def test_what_cannot_be_copied_is_refused_and_changes_nothing(url: str, tmp_path: Path) -> None:
    """Nothing is overwritten."""
    Path("taken").write_text("mine", encoding="utf-8")
    Path("damaged").write_bytes(b"damaged " * 1_000)
    run("backup", "copy.sqlite")
    no_database("other")
    later("later")
    is_there = files(tmp_path)
    rows = [
        (["backup", "taken"], "taken: there is a file already, which is not overwritten"),
        (["backup", "no/folder"], "no/folder: No such file or directory"),
        (["backup", "new", "--database", "sqlite:///none"], f"{tmp_path}/none: there is no such"),
        (["backup", "new", "--database", "postgresql://h/rent"], "is no file of SQLite"),
        (["backup", "new", "--database", "sqlite:///damaged"], "/damaged: the file is no database"),
        (["backup", "new", "--database", "sqlite:///other"], "/other: the file is no database"),
        (["backup", "new", "--database", "sqlite:///later"], f"has version {KNOWN + 1}"),
        (["keys", "list", "--database", "sqlite:///later"], "use a newer release"),
        (["owner", "export", "--owner", "none"], "rent.sqlite: has nothing of an owner none"),
        (["owner", "erase", "--owner", "none", "--yes"], "has nothing of an owner none"),
    ]
    wrong = [row for row in rows if row[1] not in refused(run(*row[0]))]
    assert [] == wrong
    assert is_there == files(tmp_path)
    assert ["lease of acme"] == leases(url)


def test_a_command_brings_the_tables_up_to_this_release(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    engine = open_engine(url)
    migrate(engine, MIGRATIONS[:2])
    finished = run("keys", "list", "--database", url)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT MAX(version) FROM schema_version").scalar()
    engine.dispose()

    assert (0, KNOWN) == (finished.exit_code, found)


@pytest.mark.usefixtures("url")
def test_the_data_of_one_owner_is_written_out_and_erased(tmp_path: Path) -> None:
    """No byte of it is left in the file; the data of others is as it was."""
    key = run("keys", "add", "--owner", "acme").stdout.strip()
    lines = run("owner", "export", "--owner", "acme").stdout.splitlines()
    objects = [json.loads(line) for line in lines]
    (lease,) = [each for each in objects if each["kind"] == "leases"]
    assert {"kind", "id", "record"} <= lease.keys()
    assert "lease of acme" == lease["id"]
    others = run("owner", "export", "--owner", "bolig").stdout

    asked = run("owner", "erase", "--owner", "acme", columns=400)
    assert "Nothing is erased without --yes: acme in SQLite file" in asked.stderr
    assert "leases 1" in asked.stderr
    assert lines == run("owner", "export", "--owner", "acme").stdout.splitlines()
    erased = run("owner", "erase", "--owner", "acme", "--yes", columns=400)
    assert 0 == erased.exit_code
    assert "has nothing of an owner acme" in refused(run("owner", "export", "--owner", "acme"))
    assert others == run("owner", "export", "--owner", "bolig").stdout
    for file in tmp_path.iterdir():
        assert b"acme" not in file.read_bytes()
        assert key.split("_")[1].encode() not in file.read_bytes()
