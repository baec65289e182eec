"""Tests of an adapter are left out where the packages of its extra are absent.

Tests that need PostgreSQL ask for `postgres_url`, and are skipped where no server can be started.
"""

import multiprocessing
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from tests.support.postgres import NoServerError, Servers

# What the processes of runs begin from loads once what each of them needs, as for the command.
if "forkserver" in multiprocessing.get_all_start_methods():
    multiprocessing.set_forkserver_preload(
        [
            "rentbilling.adapters.file_runs.bill_run",
            "pandas",
            "tests.adapters.file_runs.test_killed",
        ]
    )

collect_ignore_glob = [] if find_spec("click") and find_spec("rich") else ["test_cli_*.py"]


@pytest.fixture(scope="session")
def postgres_servers() -> Iterator[Servers]:
    """The one server of this run, started when a test first asks for it."""
    servers = Servers()
    yield servers
    servers.stop()


@contextmanager
def postgres_place(servers: Servers) -> Generator[str]:
    """Give the URL of a schema of its own, or skip where there is no server."""
    try:
        servers.url()
    except NoServerError as error:
        pytest.skip(f"no server of PostgreSQL: {error}")
    with servers.place() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_servers: Servers) -> Iterator[str]:
    with postgres_place(postgres_servers) as url:
        yield url
