"""Reading a request record from headers, path, query and body.

Laws: nothing in a request is ignored: an unknown parameter, a repeated one and an unexpected body
are refused by name (A50); query and record are validated together, so that the answer lists every
problem; JSON is read as strictly as everywhere else.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, cast
from urllib.parse import unquote_to_bytes

from rentbilling.adapters.http.refusals import RefusalError, invalid
from rentbilling.adapters.http.routing import Route
from rentbilling.errors import InvalidInputError, Problem, error_of, shown
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import (
    PLAIN_DATA,
    Allowance,
    JsonData,
    Record,
    entries_of,
    read_odd_json,
    with_json_problems,
)
from rentbilling.terms import MOST_ENTRIES
from rentbilling.values import MAX_DIGITS

_WANTED: Final = frozenset(
    {
        "authorization",
        "content-encoding",
        "content-length",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "if-unmodified-since",
        "transfer-encoding",
        "x-request-id",
    }
)
_ONCE: Final = ("authorization", "content-encoding", "content-type", "idempotency-key", "if-match")
"""Headers that may come once only, because two would contradict each other."""
_OF_CHANGES: Final = ("idempotency-key", "if-match")
_MOST_PARAMETERS: Final = 100
"""Parameters of a query, many times those that any operation has."""

HeaderPairs = Mapping[str, str] | Iterable[tuple[str, str]]


def headers_of(headers: HeaderPairs) -> dict[str, list[str]]:
    """Return the headers that the service reads, by their names in small letters.

    Examples:
        >>> headers_of({"Authorization": "rent_a_b", "Accept": "*/*"})
        {'authorization': ['rent_a_b']}
    """
    found: dict[str, list[str]] = {}
    pairs: Iterable[tuple[str, str]] = (
        cast("Mapping[str, str]", headers).items() if isinstance(headers, Mapping) else headers
    )
    for name, value in pairs:
        key = name.lower()
        if key in _WANTED:
            found.setdefault(key, []).append(value.strip())
    return found


def single_headers(headers: Mapping[str, list[str]]) -> dict[str, str]:
    """Return each header's one value.

    Raises:
        RefusalError: A header is repeated that may come once only.
    """
    for name in _ONCE:
        if len(values := headers.get(name, ())) > 1:
            found = f"{len(values)} of them"
            problem = Problem(
                name, "repeated_header", "is given several times", found, "one of them"
            )
            raise invalid(problem)
    return {name: values[0] for name, values in headers.items()}


def check_media_type(headers: Mapping[str, str]) -> None:
    """Refuse a body whose headers name anything but JSON in UTF-8.

    A body without a media type is refused later, when the body is there.

    Raises:
        RefusalError: It is said to be something else, or to be compressed.
    """
    coding = headers.get("content-encoding", "identity")
    if coding.lower() not in ("", "identity"):
        raise _media_type("unknown_coding", f"a body is not taken in the coding {shown(coding)}")
    said = headers.get("content-type")
    if said is None or said == "application/json":
        return
    kind, *options = (part.strip().lower() for part in said.split(";"))
    for option in options:
        name, _, value = option.partition("=")
        if name.strip() == "charset" and value.strip(' "') not in ("utf-8", "utf8"):
            raise _media_type("unknown_charset", f"a body is UTF-8, and not {shown(said)}")
    if kind != "application/json":
        raise _media_type("unknown_media_type", f"a body is application/json, not {shown(said)}")


def check_no_body(headers: Mapping[str, str]) -> None:
    """Refuse a body of a method that takes none, because it would be ignored.

    Raises:
        RefusalError: A header says that there is one.
    """
    length = headers.get("content-length", "0")
    if length != "0" or "transfer-encoding" in headers:
        raise unexpected_body(f"{length} bytes" if length.isdecimal() else "a body")


def check_only_for_changes(headers: Mapping[str, str]) -> None:
    """Refuse headers of changes in a request that changes nothing, because they would be ignored.

    Raises:
        RefusalError: There is one.
    """
    for name in _OF_CHANGES:
        if name in headers:
            said, expected = "is a header of changes, and this method changes nothing", "none"
            raise invalid(Problem(name, "unexpected_header", said, shown(headers[name]), expected))


def unexpected_body(met: str) -> RefusalError:
    """Return the refusal of a body of a method that takes none."""
    said = "has a body, and this method takes none"
    return invalid(Problem("", "unexpected_body", said, met, "an empty body"))


def _media_type(code: str, detail: str) -> RefusalError:
    """Return the refusal of a body that is not declared as JSON."""
    return RefusalError("media-type", code, detail, headers=(("Accept", "application/json"),))


class RequestReader:
    """Reads request records under the conventions of a policy."""

    def __init__(self, policy: BillingPolicy = DEFAULT, most_problems: int = 1_000) -> None:
        self._most = most_problems
        self._context: Mapping[str, object] = PLAIN_DATA
        if policy.currencies or policy.period_end != DEFAULT.period_end:
            self._context = MappingProxyType(
                {"currencies": policy.currencies, "period_end": policy.period_end}
            )

    def request(
        self, route: Route, ids: Mapping[str, str], query: str, body: bytes, *, is_json: bool
    ) -> Record:
        """Return the validated request of an operation.

        Raises:
            RefusalError: The body does not belong there, or is not said to be JSON.
            InvalidInputError: Something is wrong; `problems` has all of it.
        """
        given, found = parameters_of(route, query) if query else ({}, [])
        data: JsonData = {**ids, **given}
        odd: Sequence[Problem] = ()
        if body and route.endpoint.method == "GET":
            raise unexpected_body(f"{len(body)} bytes")
        if body or route.endpoint.has_body:
            data, odd = _from_body(route, ids, body, is_json=is_json)
        context, allowance = self._context, Allowance(self._most)
        if len(body) > MOST_ENTRIES:
            # Only a long body can have more problems than an answer lists.
            context = {**context, "allowance": allowance}
        try:
            request = route.endpoint.request.model_validate(data, context=context)
        except InvalidInputError as error:
            if allowance.is_used_up:
                raise invalid(*found, *odd, *error.problems, are_all=False) from None
            if not found and not odd:
                raise
            kinds = [type(error), InvalidInputError]
            raise error_of((*found, *with_json_problems(odd, error.problems)), kinds) from None
        if found or odd:
            raise invalid(*found, *odd)
        return request


def _from_body(
    route: Route, ids: Mapping[str, str], body: bytes, *, is_json: bool
) -> tuple[JsonData, Sequence[Problem]]:
    """Return the data of a body with the parameters of the path, and problems of its text."""
    if not body:
        raise invalid(Problem("", "missing", "is required", "no body", "a JSON object"))
    if not is_json:
        raise _media_type("missing_media_type", "a body needs Content-Type: application/json")
    data, odd = read_odd_json(body)
    # A shorter body cannot have as many entries.
    if len(body) > MOST_ENTRIES and (entries := entries_of(data)) > MOST_ENTRIES:
        said, most = f"has {entries} entries in its lists", f"at most {MOST_ENTRIES}"
        raise invalid(Problem("", "too_many_entries", said, str(entries), most))
    if not isinstance(data, dict):
        if odd:
            raise invalid(*odd)
        raise invalid(Problem("", "not_an_object", "is not an object", shown(data), "an object"))
    if not ids:
        return data, odd
    doubled = [
        Problem(each, "unknown_field", "is in the path", shown(data[each]), "no such field")
        for each in route.spellings
        if data.get(each) is not None
    ]
    odd = (*odd, *doubled)
    rest = {key: value for key, value in data.items() if key not in route.spellings}
    return {**rest, **ids}, odd


def parameters_of(route: Route, query: str) -> tuple[dict[str, Any], list[Problem]]:
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    pairs = query.split("&")
    if len(pairs) > _MOST_PARAMETERS:
        said, most = f"has {len(pairs)} parameters", f"at most {_MOST_PARAMETERS}"
        return found, [Problem("", "too_many", said, str(len(pairs)), most)]
    for pair in pairs:
        if not pair:
            continue
        name, _, value = pair.partition("=")
        try:
            name, value = _decoded(name), _decoded(value)
        except UnicodeDecodeError:
            said, expected = "is not UTF-8", "percent-encoded UTF-8"
            problems.append(Problem(name, "not_utf8", said, shown(value), expected))
            continue
        if name not in route.query:
            expected = " or ".join(sorted(route.query)) or "no parameter"
            said = "is not a parameter"
            problems.append(Problem(name, "unknown_parameter", said, shown(value), expected))
        elif name in found:
            said, expected = "is given twice", "one of them"
            problems.append(Problem(name, "repeated_parameter", said, shown(value), expected))
        else:
            found[name] = _number(value) if name in route.whole_numbers else value
    return found, problems


def _decoded(text: str) -> str:
    if "+" in text:
        text = text.replace("+", " ")
    return unquote_to_bytes(text).decode() if "%" in text else text


def _number(text: str) -> int | str:
    """Return the whole number that a text writes; otherwise the text, which the record refuses."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return int(text)
    return text
