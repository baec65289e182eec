"""The command `audit`: changes from the database, as a table and as JSON."""

import json
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

from tests.support.command_line import refused, run

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling.adapters.stores import open_stores
from rentbilling.interface import Lease
from rentbilling.service import AuditedStore, Stored

NOON = datetime(2026, 1, 31, 13, tzinfo=UTC)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database in which a lease of acme was created, changed and removed."""
    monkeypatch.delenv("RENTBILLING_DATABASE", raising=False)
    url, numbers = f"sqlite:///{tmp_path}/rent.sqlite", count(1)
    with open_stores(url) as stores, stores.writing("acme") as store:
        for hours, operation in enumerate(("create_tenancy", "change_lease", "mine")):
            audited = AuditedStore(
                store,
                operation=operation,
                key_id="k1",
                request_id="r1",
                moment=NOON + timedelta(hours=hours),
                new_id=lambda: f"audit-{next(numbers)}",
            )
            if hours == 0:
                audited.add(Stored(Lease(id="lease-1"), "lease-1"))
                audited.add(Stored(Lease(id="lease-2"), "lease-2"))
            elif hours == 1:
                audited.replace(Stored(Lease(id="lease-1", purpose="\x1b[31mred"), "lease-1"))
            else:
                audited.remove(Lease, "lease-1")
    return url


def test_changes_are_listed_oldest_first(url: str) -> None:
    """Times are in UTC; what was created, changed or removed is said in a word."""
    found = run("audit", "--database", url, "--owner", "acme")
    lines = [line.split() for line in found.stdout.splitlines() if "2026" in line]

    assert 0 == found.exit_code
    assert [
        ["2026-01-31T13:00:00+00:00", "k1", "create_tenancy", "Lease", "lease-1", "created"],
        ["2026-01-31T13:00:00+00:00", "k1", "create_tenancy", "Lease", "lease-2", "created"],
        ["2026-01-31T14:00:00+00:00", "k1", "change_lease", "Lease", "lease-1", "changed"],
        ["2026-01-31T15:00:00+00:00", "k1", "mine", "Lease", "lease-1", "removed"],
    ] == lines


def test_json_has_objects_before_and_afterwards(url: str) -> None:
    found = run(
        "audit", "--database", url, "--owner", "acme", "--object", "lease-1", "--format", "json"
    )
    records = json.loads(found.stdout)["auditRecords"]

    assert ["audit-1", "audit-3", "audit-4"] == [each["id"] for each in records]
    assert "before" not in records[0]
    assert "\x1b[31mred" == json.loads(records[1]["after"])["purpose"]
    assert records[1]["after"] == records[2]["before"]
    assert "\x1b" not in found.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [((), "No changes by a key of other"), (("--object", "x"), "No changes of x")],
)
def test_no_changes_are_said(url: str, options: tuple[str, ...], said: str) -> None:
    found = run("audit", "--database", url, "--owner", "other", *options)

    assert (0, "") == (found.exit_code, found.stdout)
    assert found.stderr.startswith(said)


def test_a_file_that_is_not_there_is_not_created(tmp_path: Path) -> None:
    said = refused(
        run("audit", "--database", f"sqlite:///{tmp_path}/none.sqlite", "--owner", "acme")
    )

    assert "there is no such file" in said
    assert [] == list(tmp_path.iterdir())
