"""Health says whether a change can be stored, and tries it rarely."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest

from rentbilling.adapters.http import HttpAnswer, RentalService
from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http.served import NOON, service
from tests.support.rows import rows


class Counted(MemoryStores):
    """Stores that count changes, which may fail at their end."""

    def __init__(self) -> None:
        super().__init__()
        self.changes, self.fails = 0, False

    @contextmanager
    def writing(self, owner: str) -> Generator[Any]:
        self.changes += 1
        with super().writing(owner) as store:
            yield store
            if self.fails:
                raise OSError("no room")


def health(of: RentalService) -> HttpAnswer:
    return of.answer("GET", "/health")


def test_a_store_that_is_only_read_is_not_healthy(caplog: pytest.LogCaptureFixture) -> None:
    """It is healthy again with the first change that is stored; the log says what forbade it."""
    stores, moment = Counted(), [NOON]
    of = service(stores=stores, clock=lambda: moment[0])
    assert 200 == health(of).status
    stores.fails = True
    moment[0] += timedelta(seconds=5)
    ill = health(of)
    assert (503, "1") == (ill.status, dict(ill.headers)["Retry-After"])
    assert "no room" in caplog.text
    stores.fails = False
    moment[0] += timedelta(seconds=5)
    assert 200 == health(of).status


@rows(("seconds", "changes"), [(0, 1), (4.9, 1), (5, 2), (-5, 2)])
def test_a_change_is_tried_every_five_seconds_at_most(seconds: float, changes: int) -> None:
    """Nobody needs a key for it; a clock that is set back does not stop it."""
    stores, moment = Counted(), [NOON]
    of = service(stores=stores, clock=lambda: moment[0])
    for _ in range(3):
        health(of)
    moment[0] += timedelta(seconds=seconds)
    health(of)

    assert changes == stores.changes


def test_no_caller_waits_for_the_trial_of_another() -> None:
    began, goes_on = Event(), Event()

    class Halting(MemoryStores):
        @contextmanager
        def writing(self, owner: str) -> Generator[Any]:
            began.set()
            assert goes_on.wait(30)
            with super().writing(owner) as store:
                yield store

    of = service(stores=Halting())
    first = Thread(target=health, args=[of])
    first.start()
    assert began.wait(30)
    assert 200 == health(of).status
    goes_on.set()
    first.join(30)


def test_a_trial_leaves_nothing_that_an_owner_sees() -> None:
    stores = MemoryStores()
    health(service(stores=stores))
    with stores.reading("health") as store:
        assert store.kept_answer("health") is None
