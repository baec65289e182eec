"""What goes back to a caller, before any transport carries it.

Law: an answer says all that a transport needs, and what the access log tells of it.
"""

from typing import Final, NamedTuple

Headers = tuple[tuple[str, str], ...]
"""Names and values, in order."""

JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
ALWAYS: Final[Headers] = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
)
"""What every answer says: that it is for this caller alone, and what it says it is."""


class HttpAnswer(NamedTuple):
    """An answer with what the access log tells of it."""

    status: int
    headers: Headers
    body: bytes
    """Empty for HEAD, whose Content-Length is that of GET."""
    request_id: str = ""
    route: str = ""
    """The path as the interface writes it, such as `/leases/{leaseId}`; empty where none is."""
    owner: str = ""
    """Whose key it was; empty where none was known."""
    key_id: str = ""
    """Which key it was; never its text."""


def answer_of(
    status: int, media_type: str, body: bytes, request_id: str, more: Headers = ()
) -> HttpAnswer:
    """Return an answer with all its headers."""
    headers = (
        ("Content-Type", media_type),
        ("Content-Length", str(len(body))),
        *ALWAYS,
        ("X-Request-Id", request_id),
        *more,
    )
    return HttpAnswer(status, headers, body, request_id)
