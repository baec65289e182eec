"""Tests of processes need the extras of server, database and client; they share a server."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

PARTS = ("click", "httptools", "httpx", "rich", "sqlalchemy", "starlette", "uvicorn")
IS_WHOLE = os.name == "posix" and all(map(find_spec, PARTS))
collect_ignore_glob = [] if IS_WHOLE else ["*.py"]

if IS_WHOLE:
    from tests.adapters.processes.server_processes import Place, Server, served

    @pytest.fixture(params=["sqlite", "postgresql"])
    def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
        if request.param == "sqlite":
            return Place.made(f"sqlite:///{tmp_path}/rent.sqlite", tmp_path)
        return Place.made(request.getfixturevalue("postgres_url"), tmp_path)

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        folder = tmp_path_factory.mktemp("served")
        with served(Place.made(f"sqlite:///{folder}/rent.sqlite", folder)) as running:
            yield running
