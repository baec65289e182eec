"""Figures for Prometheus: answered without a key, without names, and only where they are wanted."""

import asyncio
import sys
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("prometheus_client"):
    pytest.skip("prometheus-client is not installed", allow_module_level=True)

from prometheus_client.parser import text_string_to_metric_families

from rentbilling.adapters.http import Limits, RentalService, ServiceMetrics
from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http.served import KEY, RENT, ask, service, with_lease
from tests.adapters.http.test_turns import Call, Gates, arrived, calling

Samples = dict[tuple[str, ...], float]


def samples(text: str) -> Samples:
    """Return each figure by its name and the values of its labels."""
    return {
        (each.name.removeprefix("rentbilling_"), *each.labels.values()): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


def figures(of: RentalService) -> Samples:
    answer = of.answer("GET", "/metrics")
    assert (200, True) == (answer.status, dict(answer.headers)["Content-Type"].startswith("text/"))
    return samples(answer.body.decode())


def test_requests_refusals_and_the_store_are_counted_without_any_name() -> None:
    """Methods and paths that the service does not have count together."""
    of = service(metrics=ServiceMetrics())
    lease = with_lease(of, RENT)
    for _ in range(2):
        ask(of, "GET", f"/leases/{lease}")
    ask(of, "GET", f"/leases/{lease}", key="x")
    ask(of, "GET", "/leases?limit=0")
    of.answer("BREW", "/coffee/acme")
    found = figures(of)

    assert {
        ("requests_total", "POST", "/tenancies", "201"): 1,
        ("requests_total", "POST", "/recurring-bill-items", "201"): 1,
        ("requests_total", "GET", "/leases/{leaseId}", "200"): 2,
        ("requests_total", "GET", "/leases/{leaseId}", "401"): 1,
        ("requests_total", "GET", "/leases", "400"): 1,
        ("requests_total", "other", "none", "404"): 1,
    } == {name: value for name, value in found.items() if name[0] == "requests_total"}
    refusals = {name[1]: value for name, value in found.items() if name[0] == "refusals_total"}
    assert {"unknown_key": 1, "out_of_range": 1, "unknown_path": 1} == refusals
    assert (2, 2) == tuple(found["store_seconds_count", each] for each in ("read", "write"))
    assert 3 == found["request_seconds_count", "/leases/{leaseId}"]
    text = of.answer("GET", "/metrics").body.decode()
    assert [] == [name for name in ("acme", lease, "coffee", "k1", KEY) if name in text]


def test_without_metrics_there_is_no_such_path() -> None:
    assert 404 == service().answer("GET", "/metrics").status
    assert 405 == service(metrics=ServiceMetrics()).answer("POST", "/metrics").status


def test_without_their_package_there_are_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(ImportError, match="metrics need prometheus-client: pip install"):
        ServiceMetrics()


def test_requests_that_wait_for_a_thread_are_counted_while_they_wait() -> None:
    """Of three requests with one thread, two wait; scraping and living need no turn."""
    gates = Gates()

    async def told(call: Call) -> None:
        async def waiting() -> float:
            return samples((await call("/metrics")).text)[("requests_waiting",)]

        first = [asyncio.ensure_future(call("/leases")) for _ in range(3)]
        await arrived(gates, 1)
        for _ in range(500):
            if await waiting() == 2:
                break
            await asyncio.sleep(0.01)
        assert 2 == await waiting()
        assert 200 == (await call("/live")).status_code
        gates.open.set()
        assert [200] * 3 == [(await each).status_code for each in first]
        assert 0 == await waiting()

    limits = Limits(threads=1, owner_seconds=20, turn_seconds=20)
    calling(limits, gates, told, metrics=ServiceMetrics())


def test_the_process_is_alive_where_its_store_is_not() -> None:
    class Broken(MemoryStores):
        def writing(self, owner: str) -> Any:  # noqa: ANN401
            raise OSError(owner)

    of = service(stores=Broken())
    found = [of.answer("GET", path) for path in ("/live", "/health")]

    assert [200, 503] == [each.status for each in found]
    assert b'{"status": "ok"}' == found[0].body


def test_time_in_a_store_that_fails_is_counted() -> None:
    class Broken(MemoryStores):
        def reading(self, owner: str) -> Any:  # noqa: ANN401
            raise OSError(owner)

    of = service(stores=Broken(), metrics=ServiceMetrics())
    assert 500 == ask(of, "GET", "/leases").status
    assert 1 == figures(of)["store_seconds_count", "read"]
