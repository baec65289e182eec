"""The access log: one line of JSON for each request, on the logger `rentbilling.access`.

Law: a line has the owner, the operation, the status and the time, and never a key, a body, an id
of a path or a value of a query.
"""

import logging
from decimal import Decimal
from typing import Final

from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.records import JsonData, write_json
from rentbilling.service import PROBLEM_KINDS

ACCESS: Final = logging.getLogger("rentbilling.access")
_TOO_MANY: Final = tuple(
    PROBLEM_KINDS[name].status for name in ("too-many-requests", "unavailable")
)
_KNOWN: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE"})


def log_access(method: str, answer: HttpAnswer, seconds: float, *, status: int = 0) -> None:
    """Write the line of a request."""
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    facts: dict[str, JsonData] = {
        # Any text can be a method; the log repeats those that HTTP has.
        "method": method if method in _KNOWN else "other",
        "route": answer.route or None,
        "status": status or answer.status,
        "ms": Decimal(int(seconds * 1_000_000)).scaleb(-3),
        "bytes": len(answer.body),
        "owner": answer.owner or None,
        "keyId": answer.key_id or None,
        "requestId": answer.request_id,
    }
    known = {name: value for name, value in facts.items() if value is not None}
    # A log may leave some out of many refusals that cost their callers nothing.
    refused = not answer.owner or answer.status in _TOO_MANY
    alike = ("access", answer.owner, answer.status) if refused else None
    ACCESS.info("%s", write_json(known), extra={"alike": alike})
