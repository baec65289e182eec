"""The HTTP request of an operation: method, path, query, body, and the type of the answer.

Laws: a call follows from the table of the interface and the request's record alone; nothing is
sent that the record would refuse.
"""

from typing import Any, Final, Generic, NamedTuple, TypeVar
from urllib.parse import quote, urlencode
from weakref import ref

from rentbilling import BillingPolicy, dumps
from rentbilling.errors import InvalidRecordError, shown
from rentbilling.interface import ENDPOINTS, MAX_IDEMPOTENCY_KEY
from rentbilling.records import Record, read_json, write_json

T = TypeVar("T")


class Call(NamedTuple, Generic[T]):
    """The HTTP request of one operation."""

    operation: str
    """Its name in the table of the interface."""
    method: str
    """GET, POST or PATCH."""
    path: str
    """Below the base address, percent-encoded."""
    query: tuple[tuple[str, str], ...]
    """Parameters in the query, as texts."""
    body: bytes | None
    """The JSON text of the body, None where there is none."""
    into: type[T]
    """The type of the answer."""
    idempotency_key: str = ""
    """By which the service recognizes a change that is sent again."""

    if_match: str = ""
    """The tag that the object has, where it is to be changed only as it is known."""

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.query, quote_via=quote, safe='')}".rstrip("?")

    @property
    def request_line(self) -> str:
        """Method, path and query, as errors quote them."""
        return f"{self.method} {self.target}"

    @property
    def is_safe(self) -> bool:
        """Whether the call changes nothing, so that it may be made twice."""
        return self.method == "GET"

    def named(self, key: object) -> "Call[T]":
        """Return the call with an idempotency key; one that no header can have is refused."""
        if isinstance(key, str) and 0 < len(key) <= MAX_IDEMPOTENCY_KEY and _is_plain(key):
            return self._replace(idempotency_key=key)
        expected = f"1 to {MAX_IDEMPOTENCY_KEY} printable characters of ASCII, no blank at an end"
        raise InvalidRecordError.of("new_key", "not_a_key", _NO_HEADER, key, expected)

    def matching(self, tag: str) -> "Call[T]":
        """Return the call with the tag that its object must have; empty: any."""
        if not _is_plain(tag):
            expected = "the ETag of an answer, with its quotes"
            raise InvalidRecordError.of("if_match", "not_a_tag", _NO_HEADER, tag, expected)
        return self._replace(if_match=tag) if tag else self


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and text == text.strip()


HEALTH: Final[Call[Any]] = Call("health", "GET", "/health", (), None, dict)
"""The call that asks a service for its headers, because it changes nothing and needs no right."""
_NO_HEADER: Final = "cannot be sent in a header"


class EntityTags:
    """The `ETag` of each answer that is still in use; threads may share it.

    A tag belongs to one answer, and is gone with it: two answers that are equal may be of two
    moments.
    """

    def __init__(self) -> None:
        self._tags: dict[int, tuple[ref[object], str]] = {}

    def remember(self, answer: object, tag: str | None) -> None:
        if tag is not None:
            name = id(answer)
            self._tags[name] = ref(answer, lambda _: self._tags.pop(name, None)), tag

    def of(self, known: object) -> str:
        """Return the tag of an answer, or a tag itself; empty for None.

        Raises:
            InvalidRecordError: `if_match`: it is no answer that came with a tag.
        """
        if known is None or isinstance(known, str):
            return known or ""
        answer, tag = self._tags.get(id(known), (None, ""))
        if answer is None or answer() is not known:
            said, expected = "came from no answer with an ETag", "what this client retrieved"
            raise InvalidRecordError.of("if_match", "unknown_tag", said, known, expected)
        return tag


def call_of(
    operation: str, request: Record, into: type[T], *, policy: BillingPolicy | None = None
) -> Call[T]:
    """Return the call of an operation.

    Raises:
        TypeError: The request is not the record of the operation.

    Examples:
        >>> from rentbilling.interface import PendingBillsRequest
        >>> from rentbilling import BillingResult
        >>> request = PendingBillsRequest(lease_id="lease 1", period="2026-01-01/2026-03-31")
        >>> call_of("list_pending_bills", request, BillingResult).request_line
        'GET /pending-bills?leaseId=lease%201&period=2026-01-01%2F2026-03-31'
    """
    endpoint = ENDPOINTS[operation]
    if not isinstance(request, endpoint.request):
        kind = endpoint.request.__name__
        given = f"not {shown(request)}; {kind}.model_validate(…) reads plain data"
        raise TypeError(f"{operation} takes the record {kind}, {given}")
    # Bodies of the interface have its fields alone, bodies of extensions have all fields.
    data: dict[str, Any] = read_json(dumps(request, full=endpoint.ours, policy=policy))
    path = endpoint.path.format_map({name: _segment(data[name]) for name in endpoint.in_path})
    rest = {name: value for name, value in data.items() if name not in endpoint.in_path}
    body = write_json(rest).encode() if endpoint.has_body else None
    query = () if endpoint.has_body else tuple((name, str(rest[name])) for name in rest)
    return Call(operation, endpoint.method, path, query, body, into)


def _segment(text: str) -> str:
    """Return an id as one part of a path, also an id with slashes, or one of dots alone."""
    return text.replace(".", "%2E") if not text.strip(".") else quote(text, safe="")
