"""A URL opens its stores, and nothing more is needed than it names."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from rentbilling.adapters import stores
from rentbilling.adapters.stores import MemoryKeys, MemoryStores, SqlKeys, SqlStores, open_stores
from rentbilling.adapters.stores.stored_texts import own_copy, record_of, text_of
from rentbilling.interface import Lease, Tenancy
from rentbilling.service import KINDS, Stored, StoreError, StoreUnavailableError
from tests.adapters.stores.kept_objects import FULL, every_id, fill, full_tenancy

WITHOUT = """
import sys
# Without the driver first: what is missing then was never loaded when SQLAlchemy goes, too.
for missing, url in (("psycopg", "postgresql://x"), ("sqlalchemy", "sqlite://")):
    for name in [each for each in sys.modules if each.startswith("rentbilling.adapters.stores")]:
        del sys.modules[name]
    sys.modules[missing] = None
    from rentbilling.adapters.stores import open_stores
    with open_stores("memory:") as stores:
        print(type(stores).__name__)
    try:
        open_stores(url)
    except ImportError as error:
        print(error)
"""


def test_each_url_opens_its_sort_of_stores(tmp_path: Path) -> None:
    with open_stores("memory:") as memory:
        assert isinstance(memory, MemoryStores)
        assert isinstance(memory.keys, MemoryKeys)
    with open_stores(f"sqlite:///{tmp_path}/kept.sqlite") as file:
        assert isinstance(file, SqlStores)
        assert isinstance(file.keys, SqlKeys)


def test_a_file_keeps_what_was_kept(tmp_path: Path) -> None:
    for at, url in enumerate((f"sqlite:///{tmp_path}/kept.sqlite", "sqlite://", "memory:")):
        for time in range(2):
            with open_stores(url) as opened:
                with opened.writing("acme") as store:
                    fill(store, f"lease-{time}")
                with opened.reading("acme") as store:
                    expected = ["lease-0", "lease-1"][: time + 1] if at == 0 else [f"lease-{time}"]
                    assert expected == every_id(store)


def test_what_is_not_installed_is_said_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True, check=False
    )

    assert (
        "MemoryStores\nPostgreSQL needs psycopg: pip install 'psycopg[binary]'\n"
        "MemoryStores\na database needs sqlalchemy: pip install 'rentbilling[sql]'\n"
    ) == done.stdout
    assert "" == done.stderr


def test_the_names_are_listed_before_they_are_loaded() -> None:
    assert set(stores.__all__) <= set(dir(stores))
    with pytest.raises(AttributeError, match="SqlStoress"):
        getattr(stores, "SqlStoress")  # noqa: B009


def test_only_a_tenancy_has_something_that_could_be_changed() -> None:
    def mappings(kind: object) -> bool:
        return getattr(kind, "__origin__", None) is dict or any(map(mappings, get_args(kind)))

    found = [
        (kind, name)
        for kind in KINDS
        for name, field in kind.model_fields.items()
        if mappings(field.annotation)
    ]

    assert [(Tenancy, "group_id")] == found
    tenancy = full_tenancy()
    assert tenancy == own_copy(tenancy)
    assert own_copy(tenancy).group_id is not tenancy.group_id


def test_a_text_is_read_once_for_each_owner(tmp_path: Path) -> None:
    with open_stores(f"sqlite:///{tmp_path}/kept.sqlite") as stores:
        found = {}
        for owner in ("acme", "other"):
            with stores.writing(owner) as store:
                store.add(Stored(Lease(id="a"), "a"))
            for again in range(2):
                with stores.reading(owner) as store:
                    found[owner, again] = store.page(Lease, limit=1)[0].record

    assert found["acme", 0] is found["acme", 1]
    assert found["acme", 0] == found["other", 0]
    assert found["acme", 0] is not found["other", 0]


def test_one_text_is_another_record_for_another_kind() -> None:
    assert Lease(id="a") == record_of(Lease, '{"id": "a"}')
    assert Tenancy(id="a") == record_of(Tenancy, '{"id": "a"}')


@pytest.mark.parametrize("kept", FULL, ids=lambda kept: type(kept.record).__name__)
def test_a_text_is_that_of_the_record_which_it_gives(kept: Stored[Any]) -> None:
    text = text_of(kept.record)

    assert text == text_of(record_of(type(kept.record), text))
    assert "\0" not in text


def test_an_error_of_a_store_is_data_and_says_what_happened() -> None:
    busy = StoreUnavailableError("store_unavailable", reason="busy")

    assert busy == pickle.loads(pickle.dumps(busy))
    assert "the database is busy" == str(busy)
    assert "the database failed" == str(StoreError("store_failed"))
    assert "odd: at 1" == str(StoreError("odd", at=1))
    assert isinstance(busy, StoreError)
