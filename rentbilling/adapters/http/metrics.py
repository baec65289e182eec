"""Figures of the running service for Prometheus: requests, refusals, the line, time in the store.

Law: no figure names an owner, a key or an object; of a path only its operation is shown.
"""

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.service import Stores

if TYPE_CHECKING:
    from prometheus_client import Histogram

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder in which several processes add up their figures."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH"})
_SECONDS: Final = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)


class ServiceMetrics:
    """The figures of one service, which `RentalService(metrics=…)` counts and shows at `/metrics`.

    Raises:
        ImportError: prometheus-client, which is in the extra `http`, is not installed.
    """

    def __init__(self) -> None:
        try:
            from prometheus_client import (
                CollectorRegistry,
                Counter,
                Gauge,
                Histogram,
                ProcessCollector,
            )
        except ImportError as missing:
            said = "metrics need prometheus-client: pip install 'rentbilling[http]'"
            raise ImportError(said, name=missing.name) from missing
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        of: dict[str, Any] = {"namespace": "rentbilling", "registry": self._registry}
        self._requests = Counter(
            "requests", "Answers by operation and status.", ("method", "route", "status"), **of
        )
        self._request_seconds = Histogram(
            "request_seconds", "From head to answer.", ("route",), buckets=_SECONDS, **of
        )
        self._refusals = Counter("refusals", "Refusals by code.", ("code",), **of)
        self.waiting = Gauge(
            "requests_waiting",
            "Requests that wait for a thread.",
            multiprocess_mode="livesum",
            **of,
        )
        """Requests that wait for a thread at this moment."""
        self._store_seconds = Histogram(
            "store_seconds",
            "Time of an operation in the store, waiting for the database included.",
            ("access",),
            buckets=_SECONDS,
            **of,
        )

    def count(self, method: str, answer: HttpAnswer, seconds: float, status: int) -> None:
        # Any text can be a method or a path; a label for each would fill the memory.
        known, route = method if method in _METHODS else "other", answer.route or "none"
        self._requests.labels(known, route, status).inc()
        self._request_seconds.labels(route).observe(seconds)

    def refuse(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def timed(self, stores: Stores) -> Stores:
        """Return stores whose time is measured."""
        return _TimedStores(stores, self._store_seconds)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them; those of all processes, if they share."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self._registry
        if SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        text: bytes = generate_latest(registry)
        return text


def forget_process(number: int) -> None:
    """Take a process that ended out of the figures of this moment, which several share."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(number)  # type: ignore[no-untyped-call]


class _TimedStores:
    """Stores that measure how long an operation waits for them."""

    def __init__(self, stores: Stores, seconds: "Histogram") -> None:
        self._stores = stores
        self._seconds = {each: seconds.labels(each) for each in ("read", "write")}

    def reading(self, owner: str) -> AbstractContextManager[Any]:
        return self._opened(self._stores.reading, owner, "read")

    def writing(self, owner: str) -> AbstractContextManager[Any]:
        return self._opened(self._stores.writing, owner, "write")

    @contextmanager
    def _opened(
        self, opens: Callable[[str], AbstractContextManager[Any]], owner: str, access: str
    ) -> Generator[Any]:
        watch = _Watch()
        try:
            with watch, opens(owner) as store:
                watch.stop()
                try:
                    yield _TimedStore(store, watch)
                finally:
                    # What comes now is the end of the transaction.
                    watch.start()
        finally:
            self._seconds[access].observe(watch.seconds)


class _Watch:
    """Adds up the time within it."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def start(self) -> None:
        self._began = perf_counter()

    def stop(self) -> None:
        self.seconds += perf_counter() - self._began

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _TimedStore:
    """A store each of whose calls is measured."""

    def __init__(self, store: Any, watch: _Watch) -> None:  # noqa: ANN401
        self._store, self._watch = store, watch

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._store, name)

        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401
            with self._watch:
                return method(*given, **named)

        return call
