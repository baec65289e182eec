"""Every change of an object is recorded, with what it was before and afterwards."""

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from rentbilling import RentBillingError, dumps, loads
from rentbilling.adapters.stores import MemoryStores
from rentbilling.interface import ENDPOINTS, AuditRecord, Lease, Payout
from rentbilling.records import Record
from rentbilling.service import KINDS, OPERATIONS, AuditedStore, Context, Stored
from tests.laws.test_operations_laws import CALLS
from tests.support.operated import NOON, Body
from tests.support.rows import rows

if TYPE_CHECKING:
    from collections.abc import Callable


class Audited:
    """Operations over a store that is audited; ids and ids of audit records are in order."""

    def __init__(self) -> None:
        self.stores, self._ids, self._audits = MemoryStores(), count(1), count(1)

    def __call__(self, operation: str, body: Body | None = None, **more: Any) -> Any:  # noqa: ANN401
        endpoint = ENDPOINTS[operation]
        request = endpoint.request.model_validate({**(body or {}), **more})
        context = Context(moment=NOON, new_id=lambda: f"id-{next(self._ids)}")
        opened = self.stores.reading if endpoint.right == "read" else self.stores.writing
        with opened("home") as store:
            audited = AuditedStore(
                store,
                operation=operation,
                key_id="k1",
                request_id="r1",
                moment=NOON,
                new_id=lambda: f"audit-{next(self._audits)}",
            )
            return OPERATIONS[operation](request, audited, context)

    def kept(self, kind: type[Record]) -> dict[str, str]:
        with self.stores.reading("home") as store:
            return {
                each.id: dumps(each.record, full=True) for each in store.page(kind, limit=10_000)
            }

    def recorded(self) -> list[AuditRecord]:
        with self.stores.reading("home") as store:
            return [each.record for each in store.page(AuditRecord, limit=10_000)]


@given(CALLS)
def test_the_audit_records_lead_to_what_is_there(calls: list[tuple[str, Body]]) -> None:
    """Each begins where the one before ended; the last ones are the objects of the store."""
    service = Audited()
    for operation, body in calls:
        try:
            service(operation, body)
        except RentBillingError:
            continue
    state: dict[tuple[str | None, str | None], str] = {}
    for each in service.recorded():
        name = (each.object_type, each.object_id)
        assert each.before == state.pop(name, None)
        assert each.before != each.after
        if each.after is not None:
            state[name] = each.after

    kinds = [kind for kind in KINDS if kind is not AuditRecord]
    assert state == {
        (kind.__name__, name): text for kind in kinds for name, text in service.kept(kind).items()
    }


def test_a_record_says_who_changed_what_and_when() -> None:
    service = Audited()
    made = service("create_tenancy", purpose="x", address=HOME)
    service("change_lease", leaseId=made.lease_id, purpose="y")
    found = service.recorded()

    assert [
        ("audit-1", "create_tenancy", "Tenancy", made.tenancy_id),
        ("audit-2", "create_tenancy", "Lease", made.lease_id),
        ("audit-3", "change_lease", "Lease", made.lease_id),
    ] == [(each.id, each.operation, each.object_type, each.object_id) for each in found]
    assert {("k1", "r1", NOON)} == {(each.key_id, each.request_id, each.moment) for each in found}
    changed = found[-1]
    assert changed.before is not None
    assert changed.after is not None
    before, after = (
        loads(text, Lease, from_service=True) for text in (changed.before, changed.after)
    )
    assert ("x", "y") == (before.purpose, after.purpose)


HOME: Body = {
    "streetName": "Nygade",
    "streetNumber": "7",
    "postalCode": "1164",
    "city": "K",
    "country": "DK",
}


def test_what_stays_as_it_was_is_not_recorded() -> None:
    service = Audited()
    made = service("create_tenancy", purpose="x", address=HOME)
    service("change_lease", leaseId=made.lease_id, purpose="x")
    for _ in range(2):
        service("archive_lease", leaseId=made.lease_id)

    assert ["create_tenancy", "create_tenancy", "archive_lease"] == [
        each.operation for each in service.recorded()
    ]


def test_changes_of_one_object_are_listed_after_it_is_gone() -> None:
    """In pages, oldest first; of an id that was never there, none."""
    service = Audited()
    made = service("create_tenancy", purpose="x", address=HOME)
    for purpose in "abc":
        service("change_lease", leaseId=made.lease_id, purpose=purpose)

    def ids(**told: Any) -> list[str]:  # noqa: ANN401
        return [each.id for each in service("list_audit_records", **told).audit_records]

    assert ["audit-2", "audit-3", "audit-4", "audit-5"] == ids(objectId=made.lease_id)
    assert ["audit-4"] == ids(objectId=made.lease_id, limit=1, startingAfter="audit-3")
    assert ["audit-1"] == ids(limit=1)
    assert [] == ids(objectId="never")


@rows("verb", ["add", "replace", "remove"])
def test_a_change_that_is_refused_is_not_recorded(verb: str) -> None:
    stores = MemoryStores()
    with stores.writing("home") as store:
        store.add(Stored(Payout(id="p"), "p"))
        audited = AuditedStore(
            store, operation="x", key_id="", request_id="", moment=NOON, new_id=lambda: "a"
        )
        acts: dict[str, Callable[[], None]] = {
            "add": lambda: audited.add(Stored(Payout(id="p"), "p")),
            "replace": lambda: audited.replace(Stored(Payout(id="q"), "q")),
            "remove": lambda: audited.remove(Payout, "q"),
        }
        with pytest.raises(RentBillingError):
            acts[verb]()
        assert [] == store.page(AuditRecord, limit=10)
