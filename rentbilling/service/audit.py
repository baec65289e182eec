"""The audit record of changes: written with them, and listed.

Laws: a change and its audit record are in one transaction; what stays as it was has none; no
operation changes or removes one.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from rentbilling.codec import dumps
from rentbilling.interface import AuditRecord, AuditRecordPage, AuditRecordsRequest
from rentbilling.records import Record
from rentbilling.service.lease_access import list_page
from rentbilling.service.store import Context, Store, Stored

K = TypeVar("K", bound=Record)


class AuditedStore:
    """A store in which each change is recorded.

    Examples:
        >>> from datetime import UTC
        >>> from rentbilling.adapters.stores import MemoryStores
        >>> from rentbilling.interface import Payout
        >>> stores = MemoryStores()
        >>> with stores.writing("acme") as store:
        ...     AuditedStore(
        ...         store, operation="record_payout", key_id="k7f3", request_id="r1",
        ...         moment=datetime(2026, 1, 31, tzinfo=UTC), new_id=lambda: "audit-1",
        ...     ).add(Stored(Payout(id="payout-1"), "payout-1"))
        ...     (found,) = store.page(AuditRecord, limit=10)
        >>> found.record.key_id, found.record.object_id, found.record.before
        ('k7f3', 'payout-1', None)
    """

    def __init__(
        self,
        store: Store,
        *,
        operation: str,
        key_id: str,
        request_id: str,
        moment: datetime,
        new_id: Callable[[], str],
    ) -> None:
        self._store, self._new_id = store, new_id
        # Reading is that of the store itself.
        self.find, self.several, self.page = store.find, store.several, store.page
        self.belonging, self.count = store.belonging, store.count
        self._known: dict[str, Any] = {
            "moment": moment,
            "key_id": key_id,
            "operation": operation,
            "request_id": request_id,
        }

    def add(self, stored: Stored[K]) -> None:
        """Add a new object; see `Store.add`."""
        self._store.add(stored)
        self._record(type(stored.record), stored.id, None, stored.record)

    def replace(self, stored: Stored[K]) -> None:
        """Replace an object; see `Store.replace`."""
        kind = type(stored.record)
        before = self._store.find(kind, stored.id)
        self._store.replace(stored)
        if before is not None and before != stored:
            self._record(kind, stored.id, before.record, stored.record)

    def remove(self, kind: type[K], object_id: str) -> None:
        """Remove an object; see `Store.remove`."""
        before = self._store.find(kind, object_id)
        self._store.remove(kind, object_id)
        self._record(kind, object_id, before.record if before else None, None)

    def _record(
        self, kind: type[Record], object_id: str, before: Record | None, after: Record | None
    ) -> None:
        texts: dict[str, Any] = {
            name: dumps(record, full=True)
            for name, record in (("before", before), ("after", after))
            if record is not None
        }
        audit_id = self._new_id()
        record = AuditRecord(
            id=audit_id, object_type=kind.__name__, object_id=object_id, **self._known, **texts
        )
        self._store.add(Stored(record, audit_id, object_id))


def list_audit_records(
    request: AuditRecordsRequest, store: Store, context: Context
) -> AuditRecordPage:
    """List the changes of all objects of the owner, or of one, oldest first."""
    del context
    found = list_page(store, AuditRecord, request, of=None, belongs_to=request.object_id)
    return AuditRecordPage(audit_records=tuple(each.record for each in found))
