"""What the benchmarks of the service compare answers alike, and nothing in it is out of date."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from decimal import Decimal
from itertools import islice
from typing import Any, Final

import pytest
from sqlalchemy import event

from benchmarks import asking, items, workload
from benchmarks.asking import Server, Shares, answers, over_peer, serving
from benchmarks.service import (
    CONSTANT,
    HEADERS,
    KEY,
    OWN,
    PATH,
    PERIOD,
    constant_over,
    created,
    fill,
    leases_of_three_lines,
    opened,
    query_of,
    service_over,
)
from rentbilling.adapters.http import RentalService
from rentbilling.adapters.stores import SqlStores

SERVICE: Final = "rentbilling.adapters.http.service"
ADDRESS: Final = {
    "streetNumber": "1",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
}


@contextmanager
def asked(stores: SqlStores) -> Generator[list[tuple[str, Any]]]:
    sent: list[tuple[str, Any]] = []

    def note(
        _connection: object, _cursor: object, statement: str, values: object, *_: object
    ) -> None:
        sent.append((statement, values))

    event.listen(stores.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(stores.engine, "before_cursor_execute", note)


def bodies(service: RentalService, ids: list[str]) -> list[bytes]:
    return [service.answer("GET", PATH, query_of(each), HEADERS).body for each in ids]


def lines(service: RentalService, lease_id: str) -> list[tuple[str, Decimal]]:
    answer = service.answer("GET", PATH, query_of(lease_id), HEADERS)

    assert answer.status == 200
    return [
        (line["productKey"], line["netPrice"]["amount"])
        for bill in json.loads(answer.body, parse_float=Decimal, parse_int=Decimal)["bills"]
        for line in bill["pendingBillLineItems"]
    ]


def change(service: RentalService, path: str, fields: dict[str, Any]) -> None:
    answer = service.answer("PATCH", path, "", HEADERS, json.dumps(fields).encode())

    assert answer.status == 200, answer.body


class TestConstant:
    """What the service is held against leaves out its work, and nothing else."""

    def test_it_sends_the_statements_of_the_service_and_the_same_bytes(self) -> None:
        with opened("file:") as stores:
            assert isinstance(stores, SqlStores)
            own = service_over(stores)
            ids = fill(own, islice(leases_of_three_lines(), 3))
            constant = constant_over(stores, ids)

            with asked(stores) as by_own:
                told = bodies(own, ids)
            with asked(stores) as by_constant:
                answered = bodies(constant, ids)

        assert by_own == by_constant
        assert len(by_own) >= 6 * len(ids)
        assert told == answered

    def test_it_bills_nothing_and_writes_no_json(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with opened("memory:") as stores:
            own = service_over(stores)
            ids = fill(own, [workload.lease(0)])
            constant = constant_over(stores, ids)
            told = bodies(own, ids)
            for name in ("rentbilling.service.leases.pending_bills", f"{SERVICE}.answer_text"):
                monkeypatch.delattr(name)

            assert told == bodies(constant, ids)
            assert told != bodies(own, ids)

    def test_a_key_that_opens_nothing_opens_nothing_here(self) -> None:
        with opened("memory:") as stores:
            constant = constant_over(stores, fill(service_over(stores), [workload.lease(0)]))
            (key,) = stores.keys.listed()
            stores.keys.revoke(key.key_id, key.created)

            with pytest.raises(Exception, match="unknown"):
                constant.answer("GET", PATH, query_of("id-2"), HEADERS)

    def test_three_lines_are_pending_of_each_lease(self) -> None:
        with opened("memory:") as stores:
            own = service_over(stores)
            ids = fill(own, islice(leases_of_three_lines(), 5))

            assert [3] * 5 == [len(lines(own, each)) for each in ids]


class TestPeer:
    """The program that the service is held against answers the same bills."""

    def test_both_answer_the_same_bills_and_know_their_key(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        measured = asking._shares

        def after_a_stranger(own: Server, peer: Server, turns: int, requests: int) -> Shares:
            stranger = peer.requests[0].replace(KEY.encode(), KEY.encode()[:-1] + b"x")
            with pytest.raises(ValueError, match="401"):
                list(answers(peer.port, [stranger], 1))
            return measured(own, peer, turns, requests)

        monkeypatch.setattr(asking, "_shares", after_a_stranger)

        assert over_peer(1, 5).by_requests > 0


class TestItems:
    """Leases with many items, as they are measured."""

    def test_every_request_is_answered_for_the_items_that_are_there(self) -> None:
        with opened("file:") as stores:
            own = service_over(stores)
            lease = items.fill(stores, own, 20)
            for ask in items.requests(own, lease).values():
                ask()

            assert 10 == len([each for each in lines(own, lease) if each[0] == "key:rent"])


class TestNothingIsOutOfDate:
    """A write is seen by the next request, whoever wrote."""

    def write_and_look(self, reader: RentalService, writer: RentalService) -> None:
        """Ask, change an item, add an item, end the contract, and ask after each.

        The rent of the workload's first lease is 8,407.20 since 2022, less 18.46 %:
        8,407.20 × 0.8154 = 6,855.23 (.230 88 rounded); without the discount 8,407.20. Rent and
        parking fall due on the last day for the month after, so nothing does once the contract
        ends with June, but the one-time item on its own day.
        """
        (lease_id,) = fill(writer, [workload.lease(0)])
        parking = ("key:parking", Decimal("529.61"))

        assert [("key:rent", Decimal("6855.23")), parking] == lines(reader, lease_id)

        listed = reader.answer("GET", "/recurring-bill-items", f"leaseId={lease_id}", HEADERS)
        rent = json.loads(listed.body)["recurringBillItems"][0]["id"]
        change(writer, f"/recurring-bill-items/{rent}", {"clear": ["discount"]})

        assert [("key:rent", Decimal("8407.2")), parking] == lines(reader, lease_id)

        key = {
            "productKey": "key:key",
            "amount": {"currency": "DKK", "amount": 150},
            "vat": {"taxMode": "Exempt"},
            "dueDate": "2026-06-10",
            "accountingPeriod": "2026-06-10/2026-06-10",
        }
        created(writer, "/one-time-bill-items", {"leaseId": lease_id, "oneTimeBillItem": key})

        once = ("key:key", Decimal(150))
        assert [once, ("key:rent", Decimal("8407.2")), parking] == lines(reader, lease_id)

        ended = {"contractStart": "2020-12-01", "contractEnd": PERIOD[-10:]}
        change(writer, f"/leases/{lease_id}", ended)

        assert [once] == lines(reader, lease_id)

    @pytest.mark.parametrize("database", ["memory:", "file:"])
    def test_the_next_request_sees_what_was_written(self, database: str) -> None:
        with opened(database) as stores:
            own = service_over(stores)

            self.write_and_look(own, own)

    def test_the_next_request_sees_what_another_service_wrote(self) -> None:
        with opened("file:") as stores:
            assert isinstance(stores, SqlStores)
            with SqlStores(str(stores.engine.url)) as others:
                self.write_and_look(service_over(stores), service_over(others))


class TestServers:
    """Servers as they are measured, in processes of their own, which end with their input."""

    def test_both_send_the_same_and_count_their_processor_time(self) -> None:
        """A refusal is quick, and would be counted otherwise."""
        with serving(OWN, "memory:") as own, serving(CONSTANT, "memory:") as constant:
            told = [
                [next(answers(server.port, [each], 1)) for each in server.requests]
                for server in (own, constant)
            ]
            many = list(answers(own.port, own.requests, 41))
            before = own.processor_time()
            assert own.asked(40) > 0
            after = own.processor_time()
            stranger = own.requests[0].replace(b"Authorization: ", b"Authorization: x")
            with pytest.raises(ValueError, match="401"):
                list(answers(own.port, [stranger], 1))

        assert told[0] == told[1]
        assert len(set(told[0])) == 20
        assert len(many) == 41
        assert set(told[0]) == set(many)
        assert 0 < before < after
