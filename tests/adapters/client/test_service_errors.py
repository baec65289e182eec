"""Every failed call raises an error of the client, with code and problems, and without the key."""

import copy
import logging
import pickle
import re
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, cast

import httpx
import pytest

from rentbilling import InvalidInputError, Problem, RentBillingError
from rentbilling.adapters import client
from rentbilling.adapters.client import (
    AsyncRentalClient,
    InvalidRequestError,
    NoAnswerError,
    ObjectNotFoundError,
    RentalClient,
    RequestNotAllowedError,
    Retries,
    ServiceError,
    ServiceUnavailableError,
    StateConflictError,
    UnreadableAnswerError,
)
from rentbilling.adapters.client.access import Access
from rentbilling.errors import ConflictError, InvalidRecordError, NotAllowedError, NotFoundError
from rentbilling.interface import CreateTenancy
from tests.adapters.client.callers import BASE, KEY, Act, Caller, always, in_turn, says
from tests.adapters.client.test_calls import ADDRESS
from tests.architecture.sources import GUIDE, text_of
from tests.support.rows import rows

READS: Act = lambda client: client.retrieve_lease("lease-1")  # noqa: E731 - a table of acts
CREATES: Act = lambda client: client.create_tenancy(  # noqa: E731
    CreateTenancy(purpose="key:home", address=ADDRESS)
)
ONCE = Retries(most=0)
LIMIT = {
    "path": "limit",
    "code": "out_of_range",
    "message": "is out of range",
    "met": "101",
    "expected": "a whole number from 1 to 100",
}
DOCUMENT = {
    "type": "/problems/invalid-input",
    "title": "Invalid input",
    "status": 400,
    "detail": "one field is wrong",
    "code": "out_of_range",
    "requestId": "request-1",
    "problems": [LIMIT],
}
HTML = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>" + "x" * 9000 + "</body></html>"


@pytest.mark.parametrize(
    ("status", "kind", "meaning", "code"),
    [
        (400, InvalidRequestError, InvalidInputError, "invalid_request"),
        (401, RequestNotAllowedError, NotAllowedError, "unknown_key"),
        (403, RequestNotAllowedError, NotAllowedError, "not_allowed"),
        (404, ObjectNotFoundError, NotFoundError, "not_found"),
        (405, ServiceError, RentBillingError, "status_405"),
        (408, ServiceUnavailableError, RentBillingError, "request_timed_out"),
        (409, StateConflictError, ConflictError, "conflict"),
        (413, InvalidRequestError, InvalidInputError, "request_too_large"),
        (414, InvalidRequestError, InvalidInputError, "request_too_large"),
        (415, InvalidRequestError, ValueError, "unsupported_media_type"),
        (418, ServiceError, RentBillingError, "status_418"),
        (422, InvalidRequestError, InvalidInputError, "invalid_request"),
        (429, ServiceUnavailableError, RentBillingError, "too_many_requests"),
        (500, ServiceUnavailableError, RentBillingError, "status_500"),
        (502, ServiceUnavailableError, RentBillingError, "status_502"),
        (503, ServiceUnavailableError, RentBillingError, "status_503"),
        (504, ServiceUnavailableError, RentBillingError, "status_504"),
        (599, ServiceUnavailableError, RentBillingError, "status_599"),
    ],
)
def test_each_status_has_its_error(
    caller: Caller, status: int, kind: type[ServiceError], meaning: type[Exception], code: str
) -> None:
    """It is one of the core's own as well, with a code also where the service says none (A46)."""
    error = caller.error_of(always({}, status), READS, retries=ONCE)

    assert kind is type(error)
    assert isinstance(error, ServiceError)
    assert isinstance(error, meaning)
    assert (code, status) == (error.code, error.status)


def test_an_error_has_the_whole_problem_document(caller: Caller) -> None:
    """Code, detail, request and every problem with its path (RFC 9457, A46)."""
    error = caller.error_of(always(DOCUMENT, 400), READS)

    assert isinstance(error, InvalidRequestError)
    assert ("out_of_range", 400, "request-1") == (error.code, error.status, error.request_id)
    assert (Problem(**LIMIT),) == error.problems
    assert (
        "GET /leases/lease-1: the service answered 400, one field is wrong"
        " (out_of_range; request request-1)\n"
        "limit: is out of range (met 101; expected a whole number from 1 to 100)"
    ) == str(error)


def test_paths_can_be_set_below_others() -> None:
    error = InvalidRequestError([Problem(**LIMIT)], asked="GET /leases", request_id="r", status=422)
    below = error.under("query")

    assert ("query.limit", 422, "r") == (below.problems[0].path, below.status, below.request_id)
    assert error == below.within("query")


@rows(
    "error",
    [
        ServiceError("status_405", asked="GET /x", status=405, detail="no"),
        InvalidRequestError([Problem(**LIMIT)], asked="GET /x", request_id="r"),
        RequestNotAllowedError("not_allowed", status=403),
        ObjectNotFoundError("not_found", status=404),
        StateConflictError("active_lease", status=409),
        ServiceUnavailableError("status_503", status=503, retry_after=3.0),
        NoAnswerError("timed_out", may_be_done=True),
        UnreadableAnswerError("redirected", status=301),
    ],
)
def test_an_error_is_data(error: ServiceError) -> None:
    again: Any = pickle.loads(pickle.dumps(error))

    assert (error, str(error), type(error)) == (again, str(again), type(again))
    assert error == copy.deepcopy(error)
    assert hash(error) == hash(again)
    assert error != ServiceError("another")


@pytest.mark.parametrize("status", [200, 400, 401, 404, 500, 502])
def test_the_page_of_a_proxy_is_quoted_shortly(caller: Caller, status: int) -> None:
    """Status and first letters, on one line; 9,000 letters are cut after 200."""
    page = httpx.Response(status, text=HTML, headers={"Content-Type": "text/html"})
    error = caller.error_of(in_turn(page), READS, retries=ONCE)

    assert isinstance(error, ServiceError)
    first = str(error).splitlines()[0]
    assert f"answered {status}" in first
    assert "<html> <head><title>502 Bad Gateway</title></head> <body>xxx" in first
    assert len(first) < 330


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"null",
        b"[]",
        b'"text"',
        b"12",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"problems": 3, "detail": 4, "code": [], "requestId": {}}',
        b'{"problems": [1, null, {"path": 2, "met": {"a": [1]}}], "title": ""}',
        b'{"code": "Not a code!", "detail": "\\u001b[31mred\\n\\u0000"}',
        b'{"a": 1, "a": 2}',
        b'{"detail": NaN}',
    ],
    ids=lambda each: each[:12],
)
@pytest.mark.parametrize("status", [200, 201, 204, 299, 400, 404, 409, 500])
def test_no_body_breaks_the_client(caller: Caller, status: int, body: bytes) -> None:
    error = caller.error_of(in_turn(httpx.Response(status, content=body)), READS, retries=ONCE)

    assert isinstance(error, ServiceError)
    assert status == error.status
    assert all(line.isprintable() for line in str(error).splitlines())
    assert error == pickle.loads(pickle.dumps(error))


class Packed(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that is no gzip."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"no gzip"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"no gzip"


def unreadable(status: int | None, *missing: str) -> UnreadableAnswerError:
    problems = [Problem(name, "missing", "", "", "") for name in missing]
    return UnreadableAnswerError("unreadable_answer", status=status, problems=problems)


ANSWERS: dict[str, tuple[Callable[[], httpx.Response | Exception], Act, ServiceError, str]] = {
    "the request's id in a header": (
        *(lambda: says({}, 404, **{"X-Request-Id": "request-2"}), READS),
        ObjectNotFoundError("not_found", status=404, request_id="request-2"),
        "GET /leases/lease-1: the service answered 404, and says {} (not_found; request",
    ),
    "a refusal that is no object": (
        *(lambda: says([1], 409), READS, StateConflictError("conflict", status=409)),
        "GET /leases/lease-1: the service answered 409, and says [1] (conflict)",
    ),
    "a refusal without problems": (
        *(lambda: says({"code": "unsupported", "detail": "no"}, 400), READS),
        InvalidRequestError([Problem("", "unsupported", "", "", "")]),
        "GET /leases/lease-1: the service answered 400, no (unsupported)",
    ),
    "success of another kind": (
        *(lambda: says({"tenancies": []}), lambda client: client.list_leases()),
        unreadable(200, "leases"),
        "GET /leases?limit=10: the service answered 200, and its body is no LeasePage: {",
    ),
    "a created tenancy that cannot be read": (
        *(lambda: says({"ok": True}, 201), CREATES, unreadable(201, "tenancyId", "leaseId")),
        "POST /tenancies: the service answered 201, and its body is no TenancyCreated: {",
    ),
    "a body that cannot be unpacked": (
        lambda: httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=Packed()),
        *(READS, unreadable(None)),
        "GET /leases/lease-1: no answer, it cannot be unpacked: DecodingError: ",
    ),
    "a connection that breaks": (
        *(lambda: httpx.ReadError("reset by peer"), CREATES, NoAnswerError("connection_broken")),
        "POST /tenancies: no answer, ReadError: reset by peer (connection_broken)",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_failure_is_raised_once_with_all_that_is_known(caller: Caller, name: str) -> None:
    answer, act, expected, sentence = ANSWERS[name]
    error = caller.error_of(in_turn(answer()), act, is_idempotent=False)

    assert isinstance(error, ServiceError)
    assert facts_of(expected) == facts_of(error)
    assert str(error).startswith(sentence)
    assert 1 == len(caller.sent)


def facts_of(error: ServiceError) -> tuple[object, ...]:
    problems = [(each.path, each.code) for each in error.problems]
    return type(error), error.code, error.status, error.request_id, problems


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("towards", ["https://other.example/leases/lease-1", "/other", ""])
def test_no_redirect_is_followed(caller: Caller, status: int, towards: str) -> None:
    answer = httpx.Response(status, headers={"Location": towards} if towards else {})
    error = caller.error_of(in_turn(answer), READS)

    assert isinstance(error, UnreadableAnswerError)
    assert ("redirected", 1) == (error.code, len(caller.sent))
    assert (towards or "nowhere") in str(error)


def test_not_even_a_transport_that_follows_redirects_takes_the_key_away() -> None:
    sent: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(307, headers={"Location": "https://other.example/"})

    http = httpx.Client(
        transport=httpx.MockTransport(service), follow_redirects=True, auth=("name", "word")
    )
    with http, pytest.raises(UnreadableAnswerError):
        RentalClient(BASE, KEY, http=http).retrieve_lease("x")

    assert [KEY] == [each.headers["Authorization"] for each in sent]


ECHOES: dict[str, Callable[[], httpx.Response | Exception]] = {
    "a document": lambda: says({"detail": f"no key {KEY}", "requestId": KEY, "code": "bad"}, 401),
    "a problem": lambda: says({"problems": [{**LIMIT, "met": KEY, "message": KEY * 9}]}, 400),
    "a page": lambda: httpx.Response(502, text=f"<pre>Authorization: {KEY}</pre>"),
    "success": lambda: httpx.Response(200, text=f"<pre>Authorization: {KEY}</pre>"),
    "a wrong field": lambda: says({"id": [f"{'x' * 40}{KEY}"]}),
    "a redirect": lambda: httpx.Response(302, headers={"Location": f"https://o.example/?k={KEY}"}),
    "a long page": lambda: httpx.Response(500, text=f"{'x' * 190}{KEY}"),
    "the transport": lambda: httpx.LocalProtocolError(f"Illegal header value b'{KEY}'"),
}


@pytest.mark.parametrize("echo", ECHOES)
def test_a_key_that_is_quoted_back_is_hidden(
    caller: Caller, echo: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    error = caller.error_of(in_turn(ECHOES[echo]()), READS, retries=ONCE)

    assert isinstance(error, ServiceError)
    assert (None, None) == (error.__cause__, error.__context__)
    trace = "".join(traceback.format_exception(error))
    for text in (str(error), repr(error), repr(error.facts), trace, caplog.text):
        assert KEY not in text
        assert KEY[5:15] not in text


def test_no_repr_has_the_key() -> None:
    shown = [repr(RentalClient(BASE, KEY)), repr(AsyncRentalClient(BASE, KEY))]
    shown.append(repr(Access(BASE, KEY)))

    assert [f"RentalClient({BASE!r})", f"AsyncRentalClient({BASE!r})"] == shown[:2]
    assert KEY not in "".join(shown)


def test_a_short_key_leaves_texts_alone() -> None:
    """Below 8 letters it is no secret, and words would be torn apart."""
    assert "a lease" == Access(BASE, "a").without_key("a lease")


@rows(
    ("path", "value"),
    [
        *(("api_key", each) for each in ("", " ", "a key", "key\r\nX-Other: 1")),
        *(("api_key", each) for each in ("nøgle-med-langt-navn", "key\x00", "key\x7f")),
        *(("base_url", each) for each in ("", "rent.example", "ftp://rent.example", "https://")),
        *(("base_url", f"https://{each}") for each in ("/api", "rent.example/\x00")),
        *(("base_url", f"{BASE}{each}") for each in ("?x=1", "?", "#x")),
        ("base_url", "https://name:word@rent.example/api"),
        *(("base_url", f"http://{each}") for each in ("[::1", "rent.example:port")),
    ],
)
def test_a_wrong_address_or_key_is_refused(path: str, value: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        RentalClient(BASE if path == "api_key" else value, KEY if path == "base_url" else value)

    (problem,) = refused.value.problems
    assert path == problem.path
    assert "word@" not in str(refused.value)
    # A key is never quoted.
    assert path != "api_key" or f"a text of {len(value)} characters" == problem.met


@rows(("base", "key"), [(None, KEY), (b"https://x", KEY), (BASE, None)])
def test_address_and_key_are_texts(base: object, key: object) -> None:
    with pytest.raises(TypeError, match="is a text") as refused:
        RentalClient(cast("str", base), cast("str", key))

    assert KEY not in str(refused.value)


def test_what_a_record_refuses_is_the_cores_own_error(caller: Caller) -> None:
    error = caller.error_of(
        always({}), lambda client: client.pending_bills("lease-1", "2026-02-30/2026-03-01")
    )

    assert isinstance(error, InvalidInputError)
    assert not isinstance(error, ServiceError)
    assert [] == caller.sent


def test_the_guide_names_every_error_with_what_it_is_too() -> None:
    rows = [line for line in text_of(GUIDE / "client.md").splitlines() if line.startswith("| ")]
    for name in client.__all__:
        kind = getattr(client, name)
        if isinstance(kind, type) and issubclass(kind, ServiceError):
            (row,) = (each for each in rows if each.split("|")[2].strip().startswith(f"`{name}`"))
            also = {
                each.__name__
                for each in kind.__bases__
                if each not in (ServiceError, RentBillingError)
            }
            assert also == set(re.findall("`([A-Za-z]+)`", row.split("|")[3]))
