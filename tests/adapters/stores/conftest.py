"""The stores that every test of the contract runs over.

A database with its tables is made once: PostgreSQL's is emptied after each test, SQLite's file is
copied. Tests of how a database comes about ask for `database_url`, whose database has no tables.

`RENTBILLING_STORES=module:function` names a function that returns an embedder's own stores, empty.
Then the contract is tested over them alone.
"""

import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from rentbilling.adapters.stores import MemoryStores, SqlStores, open_stores
from tests.adapters.conftest import postgres_place
from tests.support.postgres import Servers

HAS_SQL = find_spec("sqlalchemy") is not None
collect_ignore_glob = [] if HAS_SQL else ["test_sql_*.py"]
DATABASES = ("sqlite file", "sqlite in memory", "postgresql")
OWN = os.environ.get("RENTBILLING_STORES")
STORES = (OWN,) if OWN else ("memory", *(DATABASES if HAS_SQL else ()))


@pytest.fixture(scope="session")
def postgres_stores(postgres_servers: Servers) -> Iterator[SqlStores]:
    with postgres_place(postgres_servers) as url, SqlStores(url) as stores:
        yield stores


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "empty.sqlite"
    SqlStores(f"sqlite:///{file}").close()
    return file


@contextmanager
def emptied(stores: SqlStores) -> Generator[SqlStores]:
    """Give stores that others use too, and leave them as empty as they were."""
    from rentbilling.adapters.stores.sql_statements import METADATA, OWNERS  # noqa: PLC0415 - needs SQL

    try:
        yield stores
    finally:
        with stores.engine.begin() as connection:
            # Owners last: what was removed names them.
            for table in sorted(METADATA.tables.values(), key=lambda each: each is OWNERS):
                connection.execute(table.delete())


@contextmanager
def opened(name: str, request: pytest.FixtureRequest) -> Generator[MemoryStores | SqlStores]:
    if name == OWN:
        module, _, function = name.partition(":")
        yield getattr(import_module(module), function)()
        return
    if name == "postgresql":
        with emptied(request.getfixturevalue("postgres_stores")) as shared:
            yield shared
        return
    url = {"memory": "memory:", "sqlite in memory": "sqlite://"}.get(name)
    if url is None:
        file = request.getfixturevalue("tmp_path") / "kept.sqlite"
        shutil.copyfile(request.getfixturevalue("sqlite_file"), file)
        url = f"sqlite:///{file}"
    with open_stores(url) as stores:
        yield stores


@pytest.fixture(params=STORES)
def stores(request: pytest.FixtureRequest) -> Iterator[MemoryStores | SqlStores]:
    with opened(request.param, request) as found:
        yield found


@pytest.fixture(params=["sqlite file", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return f"sqlite:///{request.getfixturevalue('tmp_path')}/kept.sqlite"


@pytest.fixture
def database(database_url: str) -> Iterator[SqlStores]:
    with SqlStores(database_url) as found:
        yield found
