"""Reading a response: as the answer of the operation, or as an error that says what happened.

Laws: whatever a service, a proxy or a network sends, the result is the answer or a `ServiceError`;
a text that is quoted is short, printable and without the key.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeVar

from rentbilling import BillingPolicy, InvalidInputError, Problem, RentBillingError, loads
from rentbilling.adapters.client import service_errors
from rentbilling.adapters.client.calls import Call
from rentbilling.records import read_json

T = TypeVar("T")
Hide = Callable[[str], str]
"""Removes the key from a text."""

_MOST_QUOTED: Final = 200
"""Letters that are quoted of a text of any kind."""
_MOST_SAID: Final = 1_000
"""Letters that are quoted of a sentence in a problem document."""
_A_CODE: Final = re.compile("[a-z][a-z0-9_]{0,63}")


class Response(NamedTuple):
    """A whole response, with any status."""

    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes
    """Unpacked."""


class NoResponse(NamedTuple):
    """A call without a whole response."""

    code: Literal[
        "not_connected",
        "tls_refused",
        "timed_out",
        "connection_broken",
        "answer_too_long",
        "unreadable_answer",
    ]
    """What happened; after `not_connected` and `tls_refused` alone, nothing was sent."""
    reason: str
    """The words of the transport."""


_REFUSALS: Final[Mapping[int, tuple[type[service_errors.ServiceError], str]]] = MappingProxyType(
    {
        400: (service_errors.InvalidRequestError, "invalid_request"),
        401: (service_errors.RequestNotAllowedError, "unknown_key"),
        403: (service_errors.RequestNotAllowedError, "not_allowed"),
        404: (service_errors.ObjectNotFoundError, "not_found"),
        408: (service_errors.ServiceUnavailableError, "request_timed_out"),
        409: (service_errors.StateConflictError, "conflict"),
        412: (service_errors.StateConflictError, "changed_since"),
        413: (service_errors.InvalidRequestError, "request_too_large"),
        414: (service_errors.InvalidRequestError, "request_too_large"),
        415: (service_errors.InvalidRequestError, "unsupported_media_type"),
        422: (service_errors.InvalidRequestError, "invalid_request"),
        429: (service_errors.ServiceUnavailableError, "too_many_requests"),
    }
)
"""For each status its error, and the code where the service sends none."""
_NOTHING_DONE: Final = frozenset({408, 429})
"""Statuses of an unavailable service that has changed nothing."""


def read_outcome(
    call: Call[T],
    outcome: Response | NoResponse,
    hide: Hide,
    *,
    policy: BillingPolicy | None = None,
    retry_after: float | None = None,
) -> T:
    """Return the answer of an operation.

    Raises:
        ServiceError: It was no success, or cannot be read.

    Examples:
        >>> from rentbilling.adapters.client.calls import call_of
        >>> from rentbilling.interface import Lease
        >>> from rentbilling.interface import LeaseRequest
        >>> call = call_of("retrieve_lease", LeaseRequest(lease_id="lease-1"), Lease)
        >>> read_outcome(call, Response(200, {}, b'{"id": "lease-1", "newField": 1}'), str).id
        'lease-1'
        >>> read_outcome(call, Response(502, {}, b"<h1>Bad gateway</h1>"), str)
        Traceback (most recent call last):
        rentbilling.adapters.client.service_errors.ServiceUnavailableError: GET /leases/lease-1: \
the service answered 502, and not in JSON: <h1>Bad gateway</h1> (status_502)
    """
    if isinstance(outcome, NoResponse):
        _refuse_no_response(call, outcome, hide)
    if 200 <= outcome.status < 300:  # noqa: PLR2004
        return _answer(call, outcome, hide, policy)
    if 300 <= outcome.status < 400:  # noqa: PLR2004
        towards = plain(hide(outcome.headers.get("location", "")), _MOST_QUOTED)
        detail = f"and redirects to {towards or 'nowhere'}, where the key is not sent"
        raise service_errors.UnreadableAnswerError(
            "redirected", asked=call.request_line, status=outcome.status, detail=detail
        )
    raise _refusal(call, outcome, hide, retry_after)


def _answer(call: Call[T], response: Response, hide: Hide, policy: BillingPolicy | None) -> T:
    try:
        return loads(response.body, call.into, policy=policy, from_service=True)
    except RentBillingError as error:
        # Raised outside of this block, so that no error has a context that quotes the body.
        found = error
    said = _text(response.body)
    quoted = plain(hide(said), _MOST_QUOTED)
    # A body with the key may be quoted in part, where the part of a key would not be recognized.
    is_clean = hide(said) == said
    problems = found.problems if isinstance(found, InvalidInputError) and is_clean else ()
    name = getattr(call.into, "__name__", "answer")
    raise service_errors.UnreadableAnswerError(
        "unreadable_answer",
        asked=call.request_line,
        status=response.status,
        detail=f"and its body is no {name}: {quoted or 'it is empty'}",
        problems=problems,
        request_id=_request_id({}, response, hide),
    )


def _refuse_no_response(call: Call[Any], failure: NoResponse, hide: Hide) -> NoReturn:
    reason = plain(hide(failure.reason), _MOST_QUOTED)
    if failure.code in ("answer_too_long", "unreadable_answer"):
        raise service_errors.UnreadableAnswerError(
            failure.code, asked=call.request_line, detail=reason
        )
    sent = failure.code not in ("not_connected", "tls_refused")
    raise service_errors.NoAnswerError(
        failure.code, asked=call.request_line, detail=reason, may_be_done=sent and not call.is_safe
    )


def _refusal(
    call: Call[Any], response: Response, hide: Hide, retry_after: float | None
) -> service_errors.ServiceError:
    """Return the error that a status other than success means."""
    status, document = response.status, _document(response.body)
    said = document or {}
    other = service_errors.ServiceUnavailableError if status >= 500 else service_errors.ServiceError  # noqa: PLR2004
    kind, usual = _REFUSALS.get(status, (other, f"status_{status}"))
    word = said.get("code")
    code = word if isinstance(word, str) and _A_CODE.fullmatch(word) else usual
    known: dict[str, Any] = {
        "asked": call.request_line,
        "status": status,
        "detail": _detail(document, response, hide),
        "request_id": _request_id(said, response, hide),
    }
    problems = _problems(said.get("problems"), hide)
    if issubclass(kind, service_errors.ServiceUnavailableError):
        done = status not in _NOTHING_DONE and not call.is_safe
        known |= {"may_be_done": done, "retry_after": retry_after}
    if issubclass(kind, service_errors.InvalidRequestError):
        whole = Problem("", code, "was refused", call.operation, "what the service takes")
        return kind(problems or (whole,), code=code, **known)
    return kind(code, problems=problems, **known)


# --------------------------------------------------------------------- parts of a problem document


def _document(body: bytes) -> Mapping[str, Any] | None:
    """Return a problem document (RFC 9457) or another object; None where a body is not JSON."""
    try:
        data = read_json(body)
    except InvalidInputError:
        return None
    return data if isinstance(data, dict) else {}


def _detail(document: Mapping[str, Any] | None, response: Response, hide: Hide) -> str:
    """Return the sentence of the service, or the first letters of any other body."""
    for name in ("detail", "title", "message"):
        sentence = (document or {}).get(name)
        if isinstance(sentence, str) and sentence.strip():
            return plain(hide(sentence), _MOST_SAID)
    quoted = plain(hide(_text(response.body)), _MOST_QUOTED)
    if not quoted:
        return "without a body"
    return f"and not in JSON: {quoted}" if document is None else f"and says {quoted}"


def _request_id(said: Mapping[str, Any], response: Response, hide: Hide) -> str | None:
    found = said.get("requestId") or response.headers.get("x-request-id")
    return plain(hide(found), _MOST_QUOTED) if isinstance(found, str) and found else None


def _problems(listed: object, hide: Hide) -> tuple[Problem, ...]:
    if not isinstance(listed, list):
        return ()
    return tuple(
        Problem(*(_said(each.get(name), hide) for name in Problem._fields))
        for each in listed
        if isinstance(each, dict)
    )


def _said(value: object, hide: Hide) -> str:
    return "" if value is None else plain(hide(str(value)), _MOST_SAID)


def _text(body: bytes) -> str:
    return body.decode("utf-8", errors="replace")


def plain(text: str, most: int) -> str:
    r"""Return a text on one line, printable, and cut where it is long.

    Examples:
        >>> plain("<html>\n  <h1>\x1b[31mNo</h1>", 16)
        '<html> <h1> [31…'
    """
    printable = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(printable.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
