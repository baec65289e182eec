"""The audit record: which key changed which object, when, and how."""

from typing import Annotated

from rentbilling.interface.request import PageRequest
from rentbilling.records import DateTimeField, IdField, Listed, TextField
from rentbilling.tables import PageRecord, TabularRecord


class AuditRecord(TabularRecord):
    """One change of one object. It is never changed itself."""

    # Ours
    id: IdField
    """Identifier."""
    moment: DateTimeField | None = None
    """When it was changed."""
    key_id: TextField | None = None
    """Id of the API key that was sent."""
    operation: TextField | None = None
    """Operation that changed it, such as change_lease."""
    request_id: TextField | None = None
    """Id of the request, also in the log."""
    object_type: TextField | None = None
    """Record of the object, such as Lease, RecurringBillItem or Balance."""
    object_id: TextField | None = None
    """Identifier of the object."""
    before: TextField | None = None
    """The object before as JSON, with all its fields; absent where it was created."""
    after: TextField | None = None
    """The object afterwards as JSON, with all its fields; absent where it was removed."""


class AuditRecordPage(PageRecord):
    """A page of audit records."""

    # Ours
    audit_records: Annotated[tuple[AuditRecord, ...], Listed]
    """The audit records, oldest first."""


class AuditRecordsRequest(PageRequest):
    """A request for a page of audit records: of one object, or of all."""

    # Ours
    object_id: IdField | None = None
    """Only changes of the object with this id."""
