"""While twenty clients write, the database is copied and a key is rotated, and nothing is lost."""

import json
from importlib.util import find_spec
from pathlib import Path
from threading import Condition, Thread

import pytest

from tests.adapters.http.served import RENT, TENANCY
from tests.support.command_line import run

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import SqlStores

CLIENTS = 20
WRITES = 4
# After so many of the writes, or tenancies with their items, the operator begins.
EARLY = 20


class Writers:
    """Clients that create tenancies with an item each, with the key that is in use."""

    def __init__(self, service: RentalService, key: str) -> None:
        self.key, self.done = key, dict[str, str]()
        self.refused: list[bytes] = []
        self._service, self._changed = service, Condition()
        self._threads = [Thread(target=self._write) for _ in range(CLIENTS)]

    def ask(self, method: str, path: str, query: str = "", body: object = None) -> object:
        headers = {"Authorization": self.key}
        data = b""
        if body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        answer = self._service.answer(method, path, query, headers, data)
        if answer.status not in (200, 201):
            self.refused.append(answer.body)
        return json.loads(answer.body)

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def wait_for(self, writes: int) -> dict[str, str]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.done) >= writes or self.refused, 60)
            return dict(self.done)

    def end(self) -> None:
        for each in self._threads:
            each.join(60)

    def _write(self) -> None:
        for _ in range(WRITES):
            lease: str = self.ask("POST", "/tenancies", "", TENANCY)["leaseId"]  # type: ignore[index]
            item = {"leaseId": lease, "recurringBillItem": RENT}
            made = self.ask("POST", "/recurring-bill-items", "", item)
            with self._changed:
                self.done[lease] = made["recurringBillItemId"]  # type: ignore[index]
                self._changed.notify_all()

    def bills(self) -> dict[str, object]:
        query = "leaseId={}&period=2026-01-01/2026-03-31"
        return {
            lease: self.ask("GET", "/pending-bills", query.format(lease)) for lease in self.done
        }


def items_of(url: str) -> dict[str, str]:
    """Return the item of each lease that a database has, and check that each has one."""
    lines = run("owner", "export", "--database", url, "--owner", "acme").stdout.splitlines()
    objects = [json.loads(each) for each in lines]
    items = {
        each["belongsTo"]: each["id"] for each in objects if each["kind"] == "recurring-bill-items"
    }
    assert items.keys() <= {each["id"] for each in objects if each["kind"] == "leases"}
    return items


def test_a_copy_and_a_rotated_key_lose_nothing_while_twenty_clients_write(tmp_path: Path) -> None:
    """The copy has all that was answered before it began, and answers as the database does."""
    url, copy = f"sqlite:///{tmp_path}/rent.sqlite", tmp_path / "copy.sqlite"
    old = run("keys", "add", "--database", url, "--owner", "acme").stdout.strip()
    with SqlStores(url) as stores:
        writers = Writers(RentalService(stores, stores.keys), old)
        writers.start()
        before = writers.wait_for(EARLY)
        assert 0 == run("backup", "--database", url, str(copy)).exit_code
        new = run("keys", "rotate", "--database", url, old).stdout.strip()
        writers.key = new
        writers.end()
        bills = writers.bills()
    assert [] == writers.refused
    assert CLIENTS * WRITES == len(writers.done)
    assert writers.done == items_of(url)
    copied = items_of(f"sqlite:///{copy}")
    assert before.items() <= copied.items() <= writers.done.items()

    with SqlStores(f"sqlite:///{copy}") as stores:
        again = Writers(RentalService(stores, stores.keys), old)
        again.done = copied
        assert {lease: bills[lease] for lease in copied} == again.bills()
        again.key = new
        again.ask("GET", "/leases")
    # The key came after the copy was made.
    assert 1 == len(again.refused)
