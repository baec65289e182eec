"""The answer to a request, before a transport sends it.

Law: an answer has all that a transport needs, and the facts for the access log.
"""

from typing import Final, NamedTuple

Headers = tuple[tuple[str, str], ...]
"""Names and values, in order."""

JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
KEPT_SECONDS: Final = 24 * 60 * 60
"""Seconds for which the answer to an `Idempotency-Key` is stored."""
CONNECTION: Final = "rentbilling.connection"
"""The extension of ASGI by which our own server shows the connection of a request."""
ALWAYS: Final[Headers] = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Idempotency-Key-Expiry", str(KEPT_SECONDS)),
)
"""Headers of every answer: no cache keeps it, no browser guesses another media type, and a client
learns that it may send a change again with its key."""


class HttpAnswer(NamedTuple):
    """An answer, with the facts for the access log."""

    status: int
    headers: Headers
    body: bytes
    """Empty for HEAD, whose Content-Length is that of GET."""
    request_id: str = ""
    route: str = ""
    """The path as the interface writes it, such as `/leases/{leaseId}`; empty if unknown."""
    owner: str = ""
    """The owner of the key; empty without a known key."""
    key_id: str = ""
    """The id of the key, never its text."""

    def for_request(self, request_id: str) -> "HttpAnswer":
        """Return the same answer to another request."""
        headers = tuple(
            (name, request_id if name == "X-Request-Id" else value) for name, value in self.headers
        )
        return self._replace(headers=headers, request_id=request_id)


def answer_of(
    status: int, media_type: str, body: bytes, request_id: str, more: Headers = ()
) -> HttpAnswer:
    headers = (
        ("Content-Type", media_type),
        ("Content-Length", str(len(body))),
        *ALWAYS,
        ("X-Request-Id", request_id),
        *more,
    )
    return HttpAnswer(status, headers, body, request_id)
