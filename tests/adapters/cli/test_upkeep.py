"""Backups, releases and an owner's data: nothing is overwritten, lost, or erased unasked."""

import json
import os
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


def test_a_restored_backup_answers_as_the_database_did_then(url: str, tmp_path: Path) -> None:
    """The former database stays under another name; the backup stays, too."""
    run("backup", "copy.sqlite")
    add_payout(url)
    for number in (1, 2):
        finished = run("restore", "copy.sqlite", "--replace")
        assert 0 == finished.exit_code, finished.stderr
        assert f"rent.sqlite.before-restore-{number}.\n" in finished.stderr
        assert (["lease of acme"], []) == (leases(url), payouts(url))

    assert ["later"] == payouts(f"sqlite:///{tmp_path}/rent.sqlite.before-restore-1")
    former = {f"rent.sqlite.before-restore-{number}" for number in (1, 2)}
    assert {"rent.sqlite", "copy.sqlite", *former} == files(tmp_path)


def test_a_backup_is_restored_where_there_is_nothing_or_only_a_damaged_file(
    url: str, tmp_path: Path
) -> None:
    run("backup", "copy.sqlite")
    Path("rent.sqlite").unlink()
    assert 0 == run("restore", "copy.sqlite").exit_code
    assert ["lease of acme"] == leases(url)
    Path("rent.sqlite").write_bytes(b"damaged " * 1_000)
    assert 0 == run("restore", "copy.sqlite", "--replace").exit_code
    assert ["lease of acme"] == leases(url)
    assert b"damaged" in (tmp_path / "rent.sqlite.before-restore-1").read_bytes()


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
    """Nothing is overwritten, and no database that is in use is replaced."""
    Path("taken").write_text("mine", encoding="utf-8")
    Path("damaged").write_bytes(b"damaged " * 1_000)
    run("backup", "copy.sqlite")
    no_database("other")
    later("later")
    there, is_there = "SQLite file ", files(tmp_path)
    rows = [
        (["backup", "taken"], "taken: there is a file already, which is not overwritten"),
        (["backup", "no/folder"], "no/folder: No such file or directory"),
        (["restore", "copy.sqlite"], f"{there}{tmp_path}/rent.sqlite: is there already"),
        (["restore", "missing"], "missing: there is no such file"),
        (["restore", "damaged", "--replace"], "damaged: the file is no database"),
        (["restore", "other", "--replace"], "other: the file is no database"),
        (["restore", "later", "--replace"], f"later: the database has version {KNOWN + 1}"),
        (["backup", "new", "--database", "sqlite:///none"], f"{tmp_path}/none: there is no such"),
        (["backup", "new", "--database", "postgresql://h/rent"], "is no file of SQLite"),
        (["upgrade", "--database", "sqlite:///none"], f"{tmp_path}/none: there is no such file"),
        (["upgrade", "--database", "sqlite:///later"], "use a newer release"),
        (["owner", "export", "--owner", "none"], "rent.sqlite: has nothing of an owner none"),
        (["owner", "erase", "--owner", "none", "--yes"], "has nothing of an owner none"),
    ]
    wrong = [row for row in rows if row[1] not in refused(run(*row[0]))]
    assert [] == wrong
    with SqlStores(url):
        said = refused(run("restore", "copy.sqlite", "--replace"))
        assert said.endswith("the database is busy\n       Stop the service first.\n")

    assert is_there == files(tmp_path)
    assert ["lease of acme"] == leases(url)


def test_an_upgrade_is_tried_first_and_then_taken(tmp_path: Path) -> None:
    """The steps of the trial are undone."""
    url = f"sqlite:///{tmp_path}/old.sqlite"
    engine = open_engine(url)
    migrate(engine, MIGRATIONS[:1])
    rows = []
    for options in (["--dry-run"], [], ["--dry-run"]):
        finished = run("upgrade", "--database", url, *options, columns=400)
        with engine.connect() as connection:
            found = connection.exec_driver_sql("SELECT COUNT(*) FROM schema_version").scalar()
        rows.append((finished.exit_code, finished.stderr.splitlines(), found))
    engine.dispose()
    steps = [f"step {each.version}: {each.purpose}." for each in MIGRATIONS[1:]]
    said = f"SQLite file {tmp_path}/old.sqlite"
    last = f"{said} has version {KNOWN}, that of this release."

    would = f"{said} would then have version {KNOWN}. Nothing was changed."
    assert [
        (0, [*(f"Would take {each}" for each in steps), would], 1),
        (0, [*(f"Took {each}" for each in steps), last], KNOWN),
        (0, [last], KNOWN),
    ] == rows


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
