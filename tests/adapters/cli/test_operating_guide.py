"""The commands of the page on operating are run, and print what it shows."""

import re
import shlex
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.architecture.sources import GUIDE
from tests.support.command_line import run
from tests.support.pages import sessions_of

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling.adapters.stores import SqlStores
from rentbilling.interface import Lease, Tenancy
from rentbilling.service import Stored, key_text, stored_key

PAGE = GUIDE / "operating.md"


def test_the_page_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dots are any text; the database has a tenancy, and a key with an end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RENTBILLING_DATABASE", raising=False)
    now, text = datetime.now(UTC), key_text("demo", "x" * 32)
    with SqlStores("sqlite:///rentbilling.sqlite") as stores:
        key = stored_key(
            text, owner="acme", name="", rights=["*"], created=now, expires=now + timedelta(90)
        )
        stores.keys.add(key)
        with stores.writing("acme") as store:
            store.add(Stored(Tenancy(id="tenancy-1"), "tenancy-1"))
            store.add(Stored(Lease(id="lease-1"), "lease-1"))
    commands = re.split(r"^\$ rentbilling ", sessions_of(PAGE), flags=re.MULTILINE)[1:]
    wrong = []
    for each in commands:
        command, _, shown = each.partition("\n")
        found = run(*shlex.split(command), columns=400).output
        pattern = ".*".join(map(re.escape, shown.strip().split("…")))
        if not re.fullmatch(pattern, found.strip(), re.DOTALL):
            wrong.append((command, found))

    assert 6 <= len(commands)
    assert [] == wrong
