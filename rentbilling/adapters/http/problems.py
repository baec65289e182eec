"""The answers to requests that are refused: problem details of RFC 9457.

Laws: every refusal is one of the kinds in `PROBLEM_KINDS`, with a stable type and a stable code; it
lists every problem of the request, each with its path in the caller's own spelling (A46); an
internal error says nothing but that it is one.
"""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rentbilling.adapters.http.answers import PROBLEM, Headers, HttpAnswer, answer_of
from rentbilling.errors import (
    ConflictError,
    InvalidInputError,
    MissingFactError,
    NotAllowedError,
    NotFoundError,
    Problem,
    RentBillingError,
    UnsupportedCaseError,
)
from rentbilling.records import JsonData, write_json


class ProblemKind(NamedTuple):
    """A kind of problem: a `type` of RFC 9457."""

    slug: str
    """The last part of its type, `/problems/slug`."""
    status: int
    title: str
    meaning: str
    """When the service answers it, and what to do."""

    @property
    def type(self) -> str:
        """The URI reference of the kind; below the base address it leads to its page."""
        return self.type_below("")

    def type_below(self, mount: str) -> str:
        """Return the type for a service mounted below `mount`, so that it leads to its page.

        Examples:
            >>> PROBLEM_KINDS["no-key"].type_below("/rent")
            '/rent/problems/no-key'
        """
        return f"{mount}/problems/{self.slug}"

    def page(self, mount: str) -> bytes:
        """Return the page of the kind, as JSON."""
        facts = {"type": self.type_below(mount), "title": self.title, "status": self.status}
        return write_json({**facts, "meaning": self.meaning}).encode()


_KINDS: Final = (
    ProblemKind(
        "invalid-input",
        400,
        "The request is not valid",
        "A field, parameter, cursor or header is missing or wrong; `problems` has each of them.",
    ),
    ProblemKind(
        "unsupported",
        400,
        "The case is not supported",
        "The request is valid, but the library does not cover the case that `detail` names.",
    ),
    ProblemKind(
        "no-key",
        401,
        "An API key is needed",
        "Send a valid key as `Authorization: <API_KEY>`, without a scheme.",
    ),
    ProblemKind(
        "not-allowed",
        403,
        "The key lacks a right",
        "`detail` names each right that the key lacks for this.",
    ),
    ProblemKind(
        "not-found",
        404,
        "There is no such object",
        "The owner of the key has no object with this id.",
    ),
    ProblemKind(
        "unknown-path",
        404,
        "There is no such path",
        "There is no such path; no path ends with a slash.",
    ),
    ProblemKind(
        "method-not-allowed",
        405,
        "The path has no such method",
        "The header `Allow` names the methods of the path.",
    ),
    ProblemKind(
        "slow-body",
        408,
        "The body did not arrive in time",
        "Send it again, faster or smaller.",
    ),
    ProblemKind(
        "conflict",
        409,
        "The state of an object forbids it",
        "`code` and `detail` say which state; the request is refused as long as it lasts.",
    ),
    ProblemKind(
        "missing-fact",
        409,
        "A fact is missing",
        "The service lacks a fact for the answer, such as an index value.",
    ),
    ProblemKind(
        "idempotency-key",
        409,
        "The idempotency key is taken",
        "A call with this key is still running (`key_in_use`; `Retry-After` says when to try"
        " again), or the key was sent with another request (`key_reused`; make a new key).",
    ),
    ProblemKind(
        "precondition-failed",
        412,
        "The object has changed",
        "Its tag is not the one in `If-Match`: retrieve it again, and repeat the change.",
    ),
    ProblemKind(
        "too-large",
        413,
        "The body is too large",
        "`detail` has the limit in bytes.",
    ),
    ProblemKind(
        "address-too-long",
        414,
        "Path and query are too long",
        "`detail` has the limit in bytes.",
    ),
    ProblemKind(
        "media-type",
        415,
        "The body is not sent as JSON",
        "Send it in UTF-8 with `Content-Type: application/json`, not compressed.",
    ),
    ProblemKind(
        "too-many-requests",
        429,
        "The owner of the key has too many requests",
        "Nothing was done: send it again after the seconds in `Retry-After`.",
    ),
    ProblemKind(
        "internal",
        500,
        "Something went wrong here",
        "The request may be right: send the `requestId` to the operator of the service.",
    ),
    ProblemKind(
        "unavailable",
        503,
        "The service cannot answer now",
        "Its store is out of reach, or it has too many requests; `Retry-After` says when to try"
        " again. A change is sent again with the same `Idempotency-Key`; without one, check first"
        " whether it was saved.",
    ),
)
PROBLEM_KINDS: Final = MappingProxyType({each.slug: each for each in _KINDS})
"""Every kind of problem by the last part of its type."""


class RefusalError(Exception):
    """A request is refused; the error has the parts of the answer."""

    def __init__(
        self,
        slug: str,
        code: str,
        detail: str,
        *,
        problems: Sequence[Problem] = (),
        headers: Headers = (),
    ) -> None:
        super().__init__(slug, code)
        self.kind = PROBLEM_KINDS[slug]
        self.code, self.detail, self.problems, self.headers = code, detail, problems, headers

    def answer(self, request_id: str, most_problems: int, mount: str = "") -> HttpAnswer:
        """Return the answer."""
        data: dict[str, JsonData] = {
            "type": self.kind.type_below(mount),
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.code,
            "requestId": request_id,
        }
        if self.problems:
            data["problems"] = [each._asdict() for each in self.problems[:most_problems]]
        # Lone surrogates in the names of a caller, which no JSON reader need accept, become `?`.
        body = write_json(data).encode("utf-8", "replace")
        return answer_of(self.kind.status, PROBLEM, body, request_id, self.headers)


def type_pattern(kinds: Iterable[ProblemKind]) -> str:
    """Return the pattern of the types of some kinds, wherever the service is mounted.

    Examples:
        >>> type_pattern([PROBLEM_KINDS["no-key"]])
        '^(/.*)?/problems/(no-key)$'
    """
    return f"^(/.*)?/problems/({'|'.join(each.slug for each in kinds)})$"


def problem_schema() -> dict[str, Any]:
    """Return the JSON schema of the answer to a request that is refused."""
    text = {"type": "string"}
    parts = {
        "path": "Where it is, in the caller's own spelling; empty for the whole.",
        "code": "What is wrong, as a stable word.",
        "message": "What is wrong, as a sentence.",
        "met": "The value that was sent, shortened.",
        "expected": "What to send instead.",
    }
    problem = {
        "type": "object",
        "properties": {name: {**text, "description": said} for name, said in parts.items()},
        "required": list(parts),
        "additionalProperties": False,
    }
    statuses = sorted({each.status for each in _KINDS})
    fields = {
        "type": {
            **text,
            "pattern": type_pattern(_KINDS),
            "description": "The kind, as the path of its page from the root of the host.",
        },
        "title": {**text, "description": "The kind in words, always the same."},
        "status": {"type": "integer", "enum": statuses, "description": "The status."},
        "detail": {**text, "description": "What happened this time, for people."},
        "code": {**text, "description": "What happened, as a stable word for programs."},
        "requestId": {**text, "description": "The id of the request, also in the log."},
    }
    return {
        "type": "object",
        "description": "What is wrong, as RFC 9457 writes it.",
        "properties": {
            **fields,
            "problems": {"type": "array", "items": problem, "minItems": 1},
        },
        "required": list(fields),
        "additionalProperties": False,
    }


_MOST_OF_A_PATH: Final = 400
"""Characters of a path: more than any field has with a key of the most characters below it."""


def invalid(*problems: Problem, are_all: bool = True) -> RefusalError:
    """Return the refusal of a request with these problems, or with these and others."""
    # The names that a caller made up are in the paths.
    problems = tuple(
        each._replace(path=f"{each.path[:_MOST_OF_A_PATH]}…")
        if len(each.path) > _MOST_OF_A_PATH
        else each
        for each in problems
    )
    first, *others = problems
    count = f"{len(problems)} problems" if are_all else f"{len(problems)} problems or more"
    detail = f"{count}, the first: {first}" if others or not are_all else str(first)
    return RefusalError("invalid-input", first.code, detail, problems=problems)


def refusal_of(error: RentBillingError) -> RefusalError | None:
    """Return the refusal for an error of the core (A46); None for an internal error.

    Examples:
        >>> refused = refusal_of(ConflictError("archived_lease", lease_id="lease-1"))
        >>> refused.kind.status, refused.code, refused.detail
        (409, 'archived_lease', 'archived_lease: lease_id lease-1')
    """
    # An unknown word is invalid input and an unsupported case: input goes first.
    if isinstance(error, InvalidInputError):
        return invalid(*error.problems)
    for kind, slug in _MEANINGS:
        if isinstance(error, kind):
            return RefusalError(slug, error.code, str(error))
    return None


_MEANINGS: Final[tuple[tuple[type[RentBillingError], str], ...]] = (
    (NotFoundError, "not-found"),
    (ConflictError, "conflict"),
    (MissingFactError, "missing-fact"),
    (NotAllowedError, "not-allowed"),
    (UnsupportedCaseError, "unsupported"),
)
