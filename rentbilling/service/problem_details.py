"""Refusals as problem details of RFC 9457: kinds, statuses, and the body for an error.

Laws: an error of the library has one kind, wherever it is answered (A46); every problem of it is in
the body, with its path in the caller's own spelling; an internal error says nothing but that it is
one.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

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
from rentbilling.service.store import StoreUnavailableError


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

    def body(
        self,
        code: str,
        detail: str,
        problems: Sequence[Problem] = (),
        *,
        mount: str = "",
        request_id: str = "",
    ) -> dict[str, JsonData]:
        """Return the body of an answer, without a list of problems or an id that is empty."""
        facts: dict[str, JsonData] = {
            "type": self.type_below(mount),
            "title": self.title,
            "status": self.status,
            "detail": detail,
            "code": code,
        }
        if request_id:
            facts["requestId"] = request_id
        if problems:
            facts["problems"] = _listed(problems)
        return facts

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
        "slow-body", 408, "The body did not arrive in time", "Send it again, faster or smaller."
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
    ProblemKind("too-large", 413, "The body is too large", "`detail` has the limit in bytes."),
    ProblemKind(
        "address-too-long", 414, "Path and query are too long", "`detail` has the limit in bytes."
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

_MEANINGS: Final[tuple[tuple[type[RentBillingError], str], ...]] = (
    (NotFoundError, "not-found"),
    (ConflictError, "conflict"),
    (MissingFactError, "missing-fact"),
    (NotAllowedError, "not-allowed"),
    (UnsupportedCaseError, "unsupported"),
    (StoreUnavailableError, "unavailable"),
)


class ProblemAnswer(NamedTuple):
    """The answer to a request that is refused, for any framework."""

    status: int
    """The status of HTTP."""
    body: Mapping[str, JsonData]
    """Texts, whole numbers and lists of them, to be sent as `application/problem+json`."""


def problem(error: Exception, *, mount: str = "") -> ProblemAnswer:
    """Return the answer for an error, as the service of this package has it (A46).

    Args:
        error: An error of the library; any other is answered as an internal one, without its text.
        mount: What the path of a `type` begins with, such as `/rent` or `https://example.com`.

    Returns:
        Status and body; a service adds its `requestId`.

    Examples:
        >>> from rentbilling import loads
        >>> try:
        ...     loads('{"recurringBillItems": [{"productKey": 7}], "plan": []}')
        ... except InvalidInputError as error:
        ...     status, body = problem(error)
        >>> status, body["type"], body["code"], body["problems"][0]["path"]
        (400, '/problems/invalid-input', 'not_a_text', 'recurringBillItems[0].productKey')
        >>> problem(ZeroDivisionError("secret")).body["detail"]
        'the request failed, and the fault is ours'
    """
    slug, code, detail, problems = meaning_of(error)
    kind = PROBLEM_KINDS[slug]
    return ProblemAnswer(kind.status, kind.body(code, detail, problems, mount=mount))


INTERNAL: Final = "the request failed, and the fault is ours"
"""The whole answer to an internal error."""


class Meaning(NamedTuple):
    """What an error is to the caller of a service."""

    slug: str
    """The kind of problem."""
    code: str
    detail: str
    problems: Sequence[Problem] = ()


def meaning_of(error: Exception) -> Meaning:
    """Return what an error is to a caller; all but those of the library are internal ones."""
    # An unknown word is invalid input and an unsupported case: input goes first.
    if isinstance(error, InvalidInputError):
        code, detail = error.problems[0].code, summary(error.problems)
        return Meaning("invalid-input", code, detail, error.problems)
    for kind, slug in _MEANINGS:
        if isinstance(error, kind):
            return Meaning(slug, error.code, str(error))
    return Meaning("internal", "internal", INTERNAL)


_MOST_OF_A_PATH: Final = 400
"""Characters of a path: more than any field has with a key of the most characters below it."""


def _short(problem: Problem) -> Problem:
    """Return a problem without the rest of a very long path, whose names a caller made up."""
    if len(problem.path) <= _MOST_OF_A_PATH:
        return problem
    return problem._replace(path=f"{problem.path[:_MOST_OF_A_PATH]}…")


_MOST_BYTES: Final = 250_000
"""Bytes of all listed problems as JSON, which takes six for some characters of a caller's names."""


def _listed(problems: Iterable[Problem]) -> list[JsonData]:
    """Return as many problems as have room in an answer, one at least."""
    listed: list[JsonData] = []
    left = _MOST_BYTES
    for each in problems:
        data = _short(each)._asdict()
        left -= len(write_json(data).encode("utf-8", "replace"))
        if left < 0 and listed:
            break
        listed.append(data)
    return listed


def summary(problems: Sequence[Problem], *, are_all: bool = True) -> str:
    """Return problems, of which there may be more, as one sentence."""
    first, others = _short(problems[0]), problems[1:]
    count = f"{len(problems)} problems" if are_all else f"{len(problems)} problems or more"
    return f"{count}, the first: {first}" if others or not are_all else str(first)
