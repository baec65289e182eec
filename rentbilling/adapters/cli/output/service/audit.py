"""Audit records as a table, and as JSON."""

from collections.abc import Sequence
from datetime import UTC
from typing import Final

from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.codec import dumps
from rentbilling.errors import printable
from rentbilling.interface import AuditRecord, AuditRecordPage
from rentbilling.layout import GridColumn

_COLUMNS: Final = (
    GridColumn("moment"),
    *(GridColumn(heading, least=6) for heading in ("key", "operation", "type", "object")),
    GridColumn("change"),
)


def audit_table(records: Sequence[AuditRecord]) -> str:
    """Return audit records as a text for the terminal that stdout is."""
    rows = [
        (
            each.moment.astimezone(UTC).isoformat(timespec="seconds") if each.moment else "",
            *(
                printable(str(text))
                for text in (each.key_id, each.operation, each.object_type, each.object_id)
            ),
            "created" if each.before is None else "removed" if each.after is None else "changed",
        )
        for each in records
    ]
    return Terminal().listed(_COLUMNS, rows)


def audit_data(records: Sequence[AuditRecord]) -> str:
    """Return audit records as the JSON that `GET /audit-records` answers."""
    return dumps(AuditRecordPage(audit_records=tuple(records)))
