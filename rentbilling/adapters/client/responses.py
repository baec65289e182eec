"""What came of a call, read: the answer of the operation, or an error that says what happened.

Laws: whatever a service, a proxy or a network says, the outcome is the answer or a `ServiceError`;
what is quoted of a strange text is short, printable and without the key.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeVar

from rentbilling import BillingPolicy, InvalidInputError, Problem, RentBillingError, loads
from rentbilling.adapters.client.calls import Call
from rentbilling.adapters.client.service_errors import (
    InvalidRequestError,
    NoAnswerError,
    ObjectNotFoundError,
    RequestNotAllowedError,
    ServiceError,
    ServiceUnavailableError,
    StateConflictError,
    UnreadableAnswerError,
)
from rentbilling.records.json_text import read_json

T = TypeVar("T")
Hide = Callable[[str], str]
"""Takes the key out of a text."""

_MOST_QUOTED: Final = 200
"""Letters of a strange text that are quoted."""
_MOST_SAID: Final = 1_000
"""Letters of a sentence that a service says itself."""
_A_CODE: Final = re.compile("[a-z][a-z0-9_]{0,63}")


class Heard(NamedTuple):
    """An answer, whatever it says."""

    status: int
    """Its status."""
    headers: Mapping[str, str]
    """Its headers, which are found by their names in small letters."""
    body: bytes
    """Its body, unpacked."""


class Silence(NamedTuple):
    """No answer, or half of one."""

    code: Literal[
        "not_connected",
        "tls_refused",
        "timed_out",
        "connection_broken",
        "answer_too_long",
        "unreadable_answer",
    ]
    """What happened; only after `not_connected` and `tls_refused` nothing was sent."""
    reason: str
    """What the transport says about it."""


_REFUSALS: Final[Mapping[int, tuple[type[ServiceError], str]]] = MappingProxyType(
    {
        400: (InvalidRequestError, "invalid_request"),
        401: (RequestNotAllowedError, "unknown_key"),
        403: (RequestNotAllowedError, "not_allowed"),
        404: (ObjectNotFoundError, "not_found"),
        408: (ServiceUnavailableError, "request_timed_out"),
        409: (StateConflictError, "conflict"),
        413: (InvalidRequestError, "request_too_large"),
        415: (InvalidRequestError, "unsupported_media_type"),
        422: (InvalidRequestError, "invalid_request"),
        429: (ServiceUnavailableError, "too_many_requests"),
    }
)
"""For each status its error, and its code where the service says none."""
_NOTHING_DONE: Final = frozenset({408, 429})
"""Statuses of the unavailable that say that nothing was done."""


def read_outcome(
    call: Call[T],
    outcome: Heard | Silence,
    hidden: Hide,
    *,
    policy: BillingPolicy | None = None,
    retry_after: float | None = None,
) -> T:
    """Return the answer of an operation.

    Raises:
        ServiceError: It was no success, or cannot be read.

    Examples:
        >>> from rentbilling.adapters.client.calls import call_of
        >>> from rentbilling.interface.resources import Lease
        >>> from rentbilling.interface.resource_requests import LeaseRequest
        >>> call = call_of("retrieve_lease", LeaseRequest(lease_id="lease-1"), Lease)
        >>> read_outcome(call, Heard(200, {}, b'{"id": "lease-1", "newField": 1}'), str).id
        'lease-1'
        >>> read_outcome(call, Heard(502, {}, b"<h1>Bad gateway</h1>"), str)
        Traceback (most recent call last):
        rentbilling.adapters.client.service_errors.ServiceUnavailableError: GET /leases/lease-1: \
the service answered 502, and not in JSON: <h1>Bad gateway</h1> (status_502)
    """
    if isinstance(outcome, Silence):
        _refuse_silence(call, outcome, hidden)
    if 200 <= outcome.status < 300:  # noqa: PLR2004
        return _answer(call, outcome, hidden, policy)
    if 300 <= outcome.status < 400:  # noqa: PLR2004
        towards = plain(hidden(outcome.headers.get("location", "")), _MOST_QUOTED)
        detail = f"and redirects to {towards or 'nowhere'}, where the key is not sent"
        raise UnreadableAnswerError(
            "redirected", asked=call.asked, status=outcome.status, detail=detail
        )
    raise _refusal(call, outcome, hidden, retry_after)


def _answer(call: Call[T], heard: Heard, hidden: Hide, policy: BillingPolicy | None) -> T:
    try:
        return loads(heard.body, call.into, policy=policy, from_service=True)
    except RentBillingError as error:
        # Refused outside of this block, so that no error holds another that quotes the body.
        found = error
    said = _text(heard.body)
    quoted = plain(hidden(said), _MOST_QUOTED)
    # What quotes the key might quote a part of it, which nobody would find again.
    is_clean = hidden(said) == said
    problems = found.problems if isinstance(found, InvalidInputError) and is_clean else ()
    name = getattr(call.into, "__name__", "answer")
    raise UnreadableAnswerError(
        "unreadable_answer",
        asked=call.asked,
        status=heard.status,
        detail=f"and its body is no {name}: {quoted or 'it is empty'}",
        problems=problems,
        request_id=_request_id({}, heard, hidden),
    )


def _refuse_silence(call: Call[Any], silence: Silence, hidden: Hide) -> NoReturn:
    """Refuse a call to which no answer came."""
    reason = plain(hidden(silence.reason), _MOST_QUOTED)
    if silence.code in ("answer_too_long", "unreadable_answer"):
        raise UnreadableAnswerError(silence.code, asked=call.asked, detail=reason)
    sent = silence.code not in ("not_connected", "tls_refused")
    raise NoAnswerError(
        silence.code, asked=call.asked, detail=reason, may_be_done=sent and not call.is_safe
    )


def _refusal(
    call: Call[Any], heard: Heard, hidden: Hide, retry_after: float | None
) -> ServiceError:
    """Return the error that an answer without success says."""
    status, said = heard.status, _document(heard.body)
    other = ServiceUnavailableError if status >= 500 else ServiceError  # noqa: PLR2004
    kind, usual = _REFUSALS.get(status, (other, f"status_{status}"))
    word = said.get("code")
    code = word if isinstance(word, str) and _A_CODE.fullmatch(word) else usual
    known: dict[str, Any] = {
        "asked": call.asked,
        "status": status,
        "detail": _detail(said, heard, hidden),
        "request_id": _request_id(said, heard, hidden),
    }
    problems = _problems(said.get("problems"), hidden)
    if issubclass(kind, ServiceUnavailableError):
        done = status not in _NOTHING_DONE and not call.is_safe
        known |= {"may_be_done": done, "retry_after": retry_after}
    if issubclass(kind, InvalidRequestError):
        whole = Problem("", code, "was refused", call.operation, "what the service takes")
        return kind(problems or (whole,), code=code, **known)
    return kind(code, problems=problems, **known)


# -------------------------------------------------------------------------- what a service may say


def _document(body: bytes) -> Mapping[str, Any]:
    """Return a problem document (RFC 9457), or any object; nothing where the body is none."""
    try:
        data = read_json(body)
    except InvalidInputError:
        return {}
    return data if isinstance(data, dict) else {}


def _detail(said: Mapping[str, Any], heard: Heard, hidden: Hide) -> str:
    """Return what happened in words of the service, or the first letters of what it says."""
    for name in ("detail", "title", "message"):
        if isinstance(said.get(name), str) and said[name].strip():
            return plain(hidden(said[name]), _MOST_SAID)
    quoted = plain(hidden(_text(heard.body)), _MOST_QUOTED)
    if not quoted:
        return "without a body"
    return f"and says {quoted}" if said else f"and not in JSON: {quoted}"


def _request_id(said: Mapping[str, Any], heard: Heard, hidden: Hide) -> str | None:
    found = said.get("requestId") or heard.headers.get("x-request-id")
    return plain(hidden(found), _MOST_QUOTED) if isinstance(found, str) and found else None


def _problems(listed: object, hidden: Hide) -> tuple[Problem, ...]:
    """Return the problems that a document lists, as far as they are any."""
    if not isinstance(listed, list):
        return ()
    return tuple(
        Problem(*(_said(each.get(name), hidden) for name in Problem._fields))
        for each in listed
        if isinstance(each, dict)
    )


def _said(value: object, hidden: Hide) -> str:
    """Return a part of a problem as a text."""
    return "" if value is None else plain(hidden(str(value)), _MOST_SAID)


def _text(body: bytes) -> str:
    """Return a body as a text, whatever it is."""
    return body.decode("utf-8", errors="replace")


def plain(text: str, most: int) -> str:
    r"""Return a strange text on one line, printable, and cut where it is long.

    Examples:
        >>> plain("<html>\n  <h1>\x1b[31mNo</h1>", 16)
        '<html> <h1> [31…'
    """
    printable = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(printable.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
