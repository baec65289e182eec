"""The answers to requests that are refused: problem details of RFC 9457.

Laws: every refusal is one of the kinds in `PROBLEM_KINDS`, with a stable type and a stable code; it
lists every problem of the request, each with its path in the caller's own spelling (A46); an
internal error says nothing but that it is one.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rentbilling.adapters.http.answers import PROBLEM, Headers, HttpAnswer, answer_of
from rentbilling.errors import Problem
from rentbilling.records import write_json
from rentbilling.service.problem_details import PROBLEM_KINDS, ProblemKind, meaning_of, summary


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
        problems = self.problems[:most_problems]
        data = self.kind.body(self.code, self.detail, problems, mount=mount, request_id=request_id)
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
    statuses = sorted({each.status for each in PROBLEM_KINDS.values()})
    fields = {
        "type": {
            **text,
            "pattern": type_pattern(PROBLEM_KINDS.values()),
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


def invalid(*problems: Problem, are_all: bool = True) -> RefusalError:
    """Return the refusal of a request with these problems, or with these and others."""
    detail = summary(problems, are_all=are_all)
    return RefusalError("invalid-input", problems[0].code, detail, problems=problems)


def refusal_of(error: Exception) -> RefusalError:
    """Return the refusal for an error (A46); any but those of the library is an internal one.

    Examples:
        >>> from rentbilling.errors import ConflictError
        >>> refused = refusal_of(ConflictError("archived_lease", lease_id="lease-1"))
        >>> refused.kind.status, refused.code, refused.detail
        (409, 'archived_lease', 'archived_lease: lease_id lease-1')
    """
    slug, code, detail, problems = meaning_of(error)
    return RefusalError(slug, code, detail, problems=problems)
