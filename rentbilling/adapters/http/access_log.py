"""The access log: one line of JSON for each request, on the logger `rentbilling.service.keys`.

Law: it tells who asked for what, with which outcome and in which time, and never a key, a body, an
id of a path or a value of a query.
"""

import logging
from decimal import Decimal
from typing import Final

from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.records.json_text import JsonData, write_json

ACCESS: Final = logging.getLogger("rentbilling.service.keys")
_KNOWN: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE"})


def log_access(method: str, answer: HttpAnswer, seconds: float, *, status: int = 0) -> None:
    """Write the line of a request."""
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    told: dict[str, JsonData] = {
        # Any text can be a method; what nobody knows is not repeated.
        "method": method if method in _KNOWN else "other",
        "route": answer.route or None,
        "status": status or answer.status,
        "ms": Decimal(int(seconds * 1_000_000)).scaleb(-3),
        "bytes": len(answer.body),
        "owner": answer.owner or None,
        "keyId": answer.key_id or None,
        "requestId": answer.request_id,
    }
    known = {name: value for name, value in told.items() if value is not None}
    ACCESS.info("%s", write_json(known))
