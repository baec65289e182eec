"""When a call is made again, after which waits, and when it is not."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Iterator
from datetime import timedelta
from typing import Any, Final, cast

import httpx
import pytest

from rentbilling.adapters.client import Retries, ServiceError, ServiceUnavailableError
from rentbilling.adapters.client.responses import Response
from rentbilling.adapters.client.retries import requested_wait
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import ChangeLease, CreateTenancy
from tests.adapters.client.callers import NOON, Act, Caller, always, in_turn, says
from tests.adapters.client.test_calls import ADDRESS

LEASE: Final = {"id": "lease-1"}
READS: Act = lambda client: client.retrieve_lease("lease-1")  # noqa: E731 - a table of acts
WRITES: dict[str, Act] = {
    "create": lambda client: client.create_tenancy(CreateTenancy(purpose="x", address=ADDRESS)),
    "change": lambda client: client.change_lease(ChangeLease(lease_id="x", purpose="y")),
    "archive": lambda client: client.archive_lease("x"),
}
NOT_CONNECTED: Final = (
    *(httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.PoolTimeout("full")),
)
SLOW: Final = (httpx.ReadTimeout("slow"), httpx.WriteTimeout("slow"))
"""Errors after which the service may still work on the request."""
CUT_OFF: Final = (
    *(httpx.ReadError("reset"), httpx.WriteError("reset")),
    httpx.RemoteProtocolError("cut off"),
)
LOST: Final = (*SLOW, *CUT_OFF)
"""Errors after which the request may have arrived."""
BROKEN: Final = LOST[2:]
"""Those of a connection that broke."""
STRANGER: Final = httpx.ConnectError("certificate verify failed")
STRANGER.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")


def answered(outcome: int | Exception) -> httpx.Response | Exception:
    return says({}, outcome) if isinstance(outcome, int) else outcome


@pytest.mark.parametrize(
    "failure", [429, 500, 502, 503, 504, 507, 520, 599, *NOT_CONNECTED, *CUT_OFF], ids=str
)
def test_a_read_is_made_again_after_a_failure_that_may_pass(
    caller: Caller, failure: int | Exception
) -> None:
    """At most 0.5 s before the first retry, 1 s before the second; chance gives all of it here."""
    found = caller.result_of(in_turn(answered(failure), answered(failure), says(LEASE)), READS)

    assert ("lease-1", [0.5, 1.0]) == (found.id, caller.waits)


@pytest.mark.parametrize(
    "failure", [400, 401, 403, 404, 405, 408, 409, 418, 501, 505, STRANGER, *SLOW], ids=str
)
def test_a_failure_that_stays_is_raised_at_once(caller: Caller, failure: int | Exception) -> None:
    """So is a timeout: a second call would double the load of a service that is slow."""
    error = caller.error_of(in_turn(answered(failure)), READS)

    assert (1, []) == (len(caller.sent), caller.waits)
    assert isinstance(error, ServiceError)
    assert ("tls_refused" == error.code) == (failure is STRANGER)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("failure", NOT_CONNECTED, ids=str)
def test_a_change_is_sent_again_only_where_it_never_left(
    caller: Caller, write: str, failure: Exception
) -> None:
    caller.error_of(in_turn(failure, says({}, 400)), WRITES[write])

    assert (2, [0.5]) == (len(caller.sent), caller.waits)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("failure", [*BROKEN, 429, 502, 503, 504], ids=str)
def test_a_change_that_may_have_arrived_is_not_sent_again_to_a_service_without_keys(
    caller: Caller, write: str, failure: int | Exception
) -> None:
    """After 429 nothing was done; after any other failure that is unknown.

    `/health` is asked once whether the service knows keys.
    """
    error = caller.error_of(in_turn(answered(failure), says({})), WRITES[write])

    assert isinstance(error, ServiceUnavailableError)
    assert [True, False] == [each.url.path != "/api/health" for each in caller.sent]
    assert [] == caller.waits
    assert (failure != 429) is error.may_be_done


@pytest.mark.parametrize("knows", ["an earlier answer", "health", "the caller"])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("failure", [*BROKEN, 429, 502, 503, 504, 409], ids=str)
def test_a_change_is_sent_again_with_its_key_to_a_service_that_knows_keys(
    caller: Caller, write: str, failure: int | Exception, knows: str
) -> None:
    """A 409 with Retry-After: the first attempt is still running."""
    known = {"Idempotency-Key-Expiry": "86400"}
    failed = says({}, 409, **{"Retry-After": "1"}) if failure == 409 else answered(failure)
    before = [says(LEASE, 200, **known)] if knows == "an earlier answer" else []
    asked = [says({}, 503, **known)] if knows == "health" else []
    options = {"is_idempotent": True} if knows == "the caller" else {}

    def act(client: Any) -> Any:  # noqa: ANN401 - of both clients
        return WRITES[write](client)

    def after_reading(client: Any) -> Any:  # noqa: ANN401
        if not before:
            return act(client)
        found = READS(client)
        if not isinstance(found, Awaitable):
            return act(client)

        async def both() -> Any:  # noqa: ANN401
            await found
            return await act(client)

        return both()

    caller.error_of(in_turn(*before, failed, *asked, says({}, 400)), after_reading, **options)

    keys = [each.headers.get("Idempotency-Key") for each in caller.sent]
    changes = [key for key in keys if key]
    assert (2, 1) == (len(changes), len({*changes}))
    assert [1.0 if failure == 409 else 0.5] == caller.waits


def test_each_change_has_a_key_of_its_own_and_a_read_has_none(caller: Caller) -> None:
    keys = iter("ab")
    caller.error_of(always({}, 400), WRITES["create"], new_key=lambda: next(keys))
    caller.error_of(always({}, 400), WRITES["change"], new_key=lambda: next(keys))
    caller.error_of(always({}, 400), READS, new_key=lambda: next(keys))

    assert ["a", "b", None] == [each.headers.get("Idempotency-Key") for each in caller.sent]


@pytest.mark.parametrize("key", ["", " a", "ø", "a\n", "x" * 256, None])
def test_a_key_that_no_header_can_have_is_refused(caller: Caller, key: Any) -> None:  # noqa: ANN401
    error = caller.error_of(always({}), WRITES["create"], new_key=lambda: key)

    assert isinstance(error, InvalidRecordError)
    assert [] == caller.sent


@pytest.mark.parametrize(
    ("act", "failure", "code"),
    [
        (READS, 504, "status_504"),
        (READS, STRANGER, "tls_refused"),
        (WRITES["create"], NOT_CONNECTED[0], "not_connected"),
    ],
    ids=["read", "stranger", "create"],
)
def test_a_read_and_a_change_that_never_left_are_not_done(
    caller: Caller, act: Act, failure: int | Exception, code: str
) -> None:
    error = caller.error_of(in_turn(*[answered(failure)] * 4), act)

    assert isinstance(error, ServiceUnavailableError)
    assert (code, False) == (error.code, error.may_be_done)
    assert (1 if failure is STRANGER else 4) == len(caller.sent)


def test_in_the_end_the_last_failure_is_raised(caller: Caller) -> None:
    error = caller.error_of(always({"detail": "we move house"}, 503), READS)

    assert (4, [0.5, 1.0, 2.0]) == (len(caller.sent), caller.waits)
    assert "we move house" in str(error)


@pytest.mark.parametrize(
    ("rules", "chance", "waits"),
    [
        (Retries(most=0), 1.0, []),
        (Retries(most=1), 1.0, [0.5]),
        # Full jitter: between nothing and all of 0.5, 1 and 2 seconds.
        (Retries(), 0.0, [0.0, 0.0, 0.0]),
        (Retries(), 0.25, [0.125, 0.25, 0.5]),
        (Retries(), 1.0, [0.5, 1.0, 2.0]),
        # 20 seconds at most.
        (Retries(most=8, deadline=1000), 1.0, [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0]),
        # After 0.5 + 1 seconds of waiting, 2 more would end at 3.5: beyond 3 seconds.
        (Retries(most=9, deadline=3), 1.0, [0.5, 1.0]),
    ],
    ids=str,
)
def test_waits_double_up_to_their_limits(
    caller: Caller, rules: Retries, chance: float, waits: list[float]
) -> None:
    caller.error_of(always({}, 503), READS, retries=rules, chance=lambda: chance)

    assert (waits, len(waits) + 1) == (caller.waits, len(caller.sent))


def test_a_thousand_retries_are_no_number_too_large() -> None:
    assert Retries().longest_wait == Retries(most=5000).wait_after(5000, chance=1.0)


def http_date(seconds: int) -> str:
    return (NOON + timedelta(seconds=seconds)).strftime("%a, %d %b %Y %H:%M:%S GMT")


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": " 7 "}, 7.0),
        ({"Retry-After": "0"}, 0.5),
        ({"Retry-After": "60"}, 60.0),
        ({"Retry-After": http_date(9)}, 9.0),
        ({"Retry-After": http_date(-9)}, 0.5),
        # The service's own clock is an hour late, and so is the moment that it names.
        ({"Retry-After": http_date(9 - 3600), "Date": http_date(-3600)}, 9.0),
        ({"Retry-After": "soon"}, 0.5),
        ({"Retry-After": "-3"}, 0.5),
        ({"Retry-After": "1.5"}, 0.5),
        ({"Retry-After": ""}, 0.5),
        ({"Retry-After": "Sat, 99 Foo 2026 12:00:00 GMT"}, 0.5),
    ],
    ids=str,
)
def test_the_service_says_when_to_come_back(
    caller: Caller, headers: dict[str, str], wait: float
) -> None:
    """Seconds or a date; a past or unreadable one leaves the usual wait of 0.5 s."""
    caller.result_of(in_turn(says({}, 503, **headers), says(LEASE)), READS)

    assert [wait] == caller.waits


@pytest.mark.parametrize("asked", ["61", "99999999999999999999", "9" * 400, http_date(61)])
def test_a_service_that_asks_for_too_long_is_left_alone(caller: Caller, asked: str) -> None:
    """Beyond 60 s the caller decides; the error has the seconds."""
    error = caller.error_of(in_turn(says({}, 429, **{"Retry-After": asked})), READS)

    assert isinstance(error, ServiceUnavailableError)
    assert [] == caller.waits
    assert error.retry_after is not None
    assert 61 <= error.retry_after <= 1e9


def test_a_date_without_a_zone_is_in_utc() -> None:
    """Headers have dates in GMT, also where they write -0000."""
    response = Response(503, {"retry-after": "Sat, 31 Jan 2026 12:00:09 -0000"}, b"")

    assert 9.0 == requested_wait(response, NOON)


@pytest.mark.parametrize(
    ("seconds", "options", "waits", "timeouts"),
    [
        # Each attempt takes 50 s: after the second, 100.5 s are gone, and the third gets 18.5.
        (50, {}, [0.5, 1.0], [45, 45, 18.5]),
        # 15 s for the first attempt; 0.5 s before the deadline of 40 s the last one gets 0.5 s.
        (39, {"timeout": 15, "retries": Retries(deadline=40)}, [0.5], [15, 0.5]),
    ],
)
def test_slow_attempts_use_up_the_deadline(
    caller: Caller,
    seconds: float,
    options: dict[str, Any],
    waits: list[float],
    timeouts: list[float],
) -> None:
    def slow(_: httpx.Request) -> httpx.Response:
        caller.seconds += seconds
        raise httpx.ReadError("reset")

    error = caller.error_of(slow, READS, **options)

    assert ("connection_broken", waits) == (getattr(error, "code", ""), caller.waits)
    assert timeouts == [each.extensions["timeout"]["read"] for each in caller.sent]
    # Nobody works on a call that is not connected: that it is, shows in ten seconds.
    connecting = [each.extensions["timeout"]["connect"] for each in caller.sent]
    assert [min(each, 10) for each in timeouts] == connecting


class Drip(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes in pieces, with a second between them."""

    def __init__(self, caller: Caller, piece: bytes) -> None:
        self.caller, self.piece, self.given = caller, piece, 0

    def __iter__(self) -> Iterator[bytes]:
        while self.given < 10_000:
            self.given += 1
            self.caller.seconds += 1
            yield self.piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for each in self:
            yield each


@pytest.mark.parametrize(
    ("piece", "code", "given"),
    [
        # A piece each second would never be a timeout; after the deadline of 120 s it is one.
        (b" ", "timed_out", 121),
        # After 64 MiB nothing more is read.
        (b" " * 2**24, "answer_too_long", 5),
    ],
    ids=["slow", "long"],
)
def test_a_body_without_end_is_left(caller: Caller, piece: bytes, code: str, given: int) -> None:
    drip = Drip(caller, piece)
    error = caller.error_of(lambda _: httpx.Response(200, stream=drip), READS)

    assert (code, given) == (getattr(error, "code", ""), drip.given)
    assert 1 == len(caller.sent)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("most", -1),
        ("most", True),
        ("first_wait", -0.1),
        ("longest_wait", float("nan")),
        ("longest_asked", float("inf")),
        ("deadline", 0),
        ("deadline", "120"),
        ("timeout", 0),
        ("timeout", -1),
        ("timeout", float("inf")),
        ("timeout", None),
    ],
)
def test_a_value_that_is_no_number_of_seconds_is_refused(
    caller: Caller, name: str, value: object
) -> None:
    wrong = cast("dict[str, Any]", {name: value})

    def act() -> object:
        if name == "timeout":
            return caller.result_of(always(LEASE), READS, **wrong)
        return Retries(**wrong)

    with pytest.raises(InvalidRecordError) as refused:
        act()

    assert name == refused.value.problems[0].path
