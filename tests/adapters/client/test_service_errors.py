"""What a service refuses, or what became of an answer, is told by errors of our own."""

import copy
import logging
import pickle
import re
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, cast

import httpx
import pytest

from rentbilling import (
    ConflictError,
    InvalidInputError,
    InvalidRecordError,
    NotAllowedError,
    NotFoundError,
    Problem,
    RentBillingError,
)
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
from rentbilling.interface.resource_requests import CreateTenancy
from tests.adapters.client.callers import BASE, KEY, Act, Caller, always, in_turn, says
from tests.adapters.client.test_calls import ADDRESS
from tests.architecture.sources import GUIDE, text_of

READS: Act = lambda client: client.retrieve_lease("lease-1")  # noqa: E731 - a table of acts
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
    error = caller.refusal(always({}, status), READS, retries=ONCE)

    assert kind is type(error)
    assert isinstance(error, ServiceError)
    assert isinstance(error, meaning)
    assert (code, status) == (error.code, error.status)


def test_a_problem_document_is_told_whole(caller: Caller) -> None:
    """Code, detail, request and every problem with its path (RFC 9457, A46)."""
    error = caller.refusal(always(DOCUMENT, 400), READS)

    assert isinstance(error, InvalidRequestError)
    assert ("out_of_range", 400, "request-1") == (error.code, error.status, error.request_id)
    assert (Problem(**LIMIT),) == error.problems
    assert (
        "GET /leases/lease-1: the service answered 400, one field is wrong"
        " (out_of_range; request request-1)\n"
        "limit: is out of range (met 101; expected a whole number from 1 to 100)"
    ) == str(error)


def test_a_request_has_its_name_also_from_the_header(caller: Caller) -> None:
    error = caller.refusal(always({}, 404, **{"X-Request-Id": "request-2"}), READS)

    assert "request-2" == getattr(error, "request_id", None)


def test_a_refusal_without_problems_is_one(caller: Caller) -> None:
    error = caller.refusal(always({"code": "unsupported", "detail": "no"}, 400), READS)

    assert isinstance(error, InvalidInputError)
    assert [("", "unsupported")] == [(each.path, each.code) for each in error.problems]


def test_paths_can_be_set_below_others() -> None:
    error = InvalidRequestError([Problem(**LIMIT)], asked="GET /leases", request_id="r", status=422)
    below = error.under("query")

    assert ("query.limit", 422, "r") == (below.problems[0].path, below.status, below.request_id)
    assert error == below.within("query")


@pytest.mark.parametrize(
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
    ids=lambda each: type(each).__name__,
)
def test_an_error_is_data(error: ServiceError) -> None:
    again: Any = pickle.loads(pickle.dumps(error))

    assert (error, str(error), type(error)) == (again, str(again), type(again))
    assert error == copy.deepcopy(error)
    assert hash(error) == hash(again)
    assert error != ServiceError("another")


# ------------------------------------------------------------------------------ what is no document


@pytest.mark.parametrize("status", [200, 400, 401, 404, 500, 502])
def test_the_page_of_a_proxy_is_quoted_shortly(caller: Caller, status: int) -> None:
    """Status and first letters, on one line; 9,000 letters are cut after 200."""
    page = httpx.Response(status, text=HTML, headers={"Content-Type": "text/html"})
    error = caller.refusal(in_turn(page), READS, retries=ONCE)

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
    error = caller.refusal(in_turn(httpx.Response(status, content=body)), READS, retries=ONCE)

    assert isinstance(error, ServiceError)
    assert status == error.status
    assert all(line.isprintable() for line in str(error).splitlines())
    assert error == pickle.loads(pickle.dumps(error))


def test_success_that_says_something_else_names_what_is_missing(caller: Caller) -> None:
    error = caller.refusal(always({"tenancies": []}), lambda client: client.list_leases())

    assert isinstance(error, UnreadableAnswerError)
    assert ("unreadable_answer", ["leases"]) == (error.code, [each.path for each in error.problems])
    assert "no LeasePage" in str(error)


def test_a_body_that_cannot_be_unpacked_is_told(caller: Caller) -> None:
    class Packed(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"no gzip"

        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"no gzip"

    packed = {"Content-Encoding": "gzip"}
    error = caller.refusal(lambda _: httpx.Response(200, headers=packed, stream=Packed()), READS)

    assert ("unreadable_answer", 1) == (getattr(error, "code", ""), len(caller.sent))


def test_a_connection_that_breaks_tells_why(caller: Caller) -> None:
    error = caller.refusal(in_turn(httpx.ReadError("reset by peer")), READS, retries=ONCE)

    assert isinstance(error, NoAnswerError)
    assert "GET /leases/lease-1: no answer, ReadError: reset by peer (connection_broken)" == str(
        error
    )
    assert (None, ()) == (error.status, error.problems)


# -------------------------------------------------------------------------------------- redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("towards", ["https://other.example/leases/lease-1", "/other", ""])
def test_no_redirect_is_followed(caller: Caller, status: int, towards: str) -> None:
    answer = httpx.Response(status, headers={"Location": towards} if towards else {})
    error = caller.refusal(in_turn(answer), READS)

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


# ----------------------------------------------------------------------------------------- the key


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
    error = caller.refusal(in_turn(ECHOES[echo]()), READS, retries=ONCE)

    assert isinstance(error, ServiceError)
    assert (None, None) == (error.__cause__, error.__context__)
    trace = "".join(traceback.format_exception(error))
    for text in (str(error), repr(error), repr(error.facts), trace, caplog.text):
        assert KEY not in text
        assert KEY[5:15] not in text


def test_a_key_stands_in_no_repr() -> None:
    shown = [repr(RentalClient(BASE, KEY)), repr(AsyncRentalClient(BASE, KEY))]
    shown.append(repr(Access(BASE, KEY)))

    assert [f"RentalClient({BASE!r})", f"AsyncRentalClient({BASE!r})"] == shown[:2]
    assert KEY not in "".join(shown)


def test_a_short_key_leaves_texts_alone() -> None:
    """Below 8 letters it is no secret, and words would be torn apart."""
    assert "a lease" == Access(BASE, "a").hidden("a lease")


@pytest.mark.parametrize(
    "key", ["", " ", "a key", "key\r\nX-Other: 1", "nøgle-med-langt-navn", "key\x00", "key\x7f"]
)
def test_a_key_that_no_header_can_carry_is_refused_unquoted(key: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        RentalClient(BASE, key)

    problem = refused.value.problems[0]
    assert ("api_key", f"a text of {len(key)} characters") == (problem.path, problem.met)


@pytest.mark.parametrize(
    "base",
    [
        "",
        "rent.example",
        "ftp://rent.example",
        "https://",
        "https:///api",
        "https://rent.example/api?x=1",
        "https://rent.example/api?",
        "https://rent.example/api#x",
        "https://name:word@rent.example/api",
        "http://[::1",
        "http://rent.example:port",
        "https://rent.example/\x00",
    ],
)
def test_an_address_that_leads_nowhere_is_refused(base: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        RentalClient(base, KEY)

    assert "base_url" == refused.value.problems[0].path
    assert "word@" not in str(refused.value)


@pytest.mark.parametrize(("base", "key"), [(None, KEY), (b"https://x", KEY), (BASE, None)])
def test_address_and_key_are_texts(base: object, key: object) -> None:
    with pytest.raises(TypeError, match="is a text") as refused:
        RentalClient(cast("str", base), cast("str", key))

    assert KEY not in str(refused.value)


def test_what_a_record_refuses_is_the_cores_own_error(caller: Caller) -> None:
    error = caller.refusal(
        always({}), lambda client: client.pending_bills("lease-1", "2026-02-30/2026-03-01")
    )

    assert isinstance(error, InvalidInputError)
    assert not isinstance(error, ServiceError)
    assert [] == caller.sent


def test_a_created_tenancy_that_cannot_be_read_is_told_as_success(caller: Caller) -> None:
    create: Act = lambda client: client.create_tenancy(  # noqa: E731
        CreateTenancy(purpose="key:home", address=ADDRESS)
    )
    error = caller.refusal(always({"ok": True}, 201), create)

    assert isinstance(error, UnreadableAnswerError)
    assert (201, 1) == (error.status, len(caller.sent))


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
