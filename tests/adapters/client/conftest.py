"""Every test of the client runs for the waiting one and for the one of an event loop."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("httpx") else ["*.py"]

if find_spec("httpx"):
    from tests.adapters.client.callers import AsyncCaller, Caller, SyncCaller

    @pytest.fixture(params=[SyncCaller, AsyncCaller], ids=["sync", "async"])
    def caller(request: pytest.FixtureRequest) -> Caller:
        kind: type[Caller] = request.param
        return kind()
