"""When a call is made again, after which waits, and when it is not."""

import ssl
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any, cast

import httpx
import pytest

from rentbilling import InvalidRecordError
from rentbilling.adapters.client import NoAnswerError, Retries, ServiceUnavailableError
from rentbilling.adapters.client.responses import Heard
from rentbilling.adapters.client.retries import asked_wait
from rentbilling.interface.resource_requests import ChangeLease, CreateTenancy
from tests.adapters.client.callers import NOON, Act, Caller, always, in_turn, says
from tests.adapters.client.test_calls import ADDRESS

LEASE = {"id": "lease-1"}
READS: Act = lambda client: client.retrieve_lease("lease-1")  # noqa: E731 - a table of acts
WRITES: dict[str, Act] = {
    "create": lambda client: client.create_tenancy(CreateTenancy(purpose="x", address=ADDRESS)),
    "change": lambda client: client.change_lease(ChangeLease(lease_id="x", purpose="y")),
    "archive": lambda client: client.archive_lease("x"),
}
by_write = pytest.mark.parametrize("write", WRITES)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 507, 520, 599])
def test_a_trouble_that_passes_is_waited_for(caller: Caller, status: int) -> None:
    """At most 0.5 s before the first retry, 1 s before the second; chance gives all of it here."""
    found = caller.told(in_turn(says({}, status), says({}, status), says(LEASE)), READS)

    assert ("lease-1", [0.5, 1.0]) == (found.id, caller.waits)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 408, 409, 418, 501, 505])
def test_a_trouble_that_stays_is_told_at_once(caller: Caller, status: int) -> None:
    caller.refusal(in_turn(says({}, status)), READS)

    assert (1, []) == (len(caller.sent), caller.waits)


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.PoolTimeout("full"),
        httpx.ReadTimeout("slow"),
        httpx.WriteTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("cut off"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_read_is_made_again_after_any_trouble_of_the_network(
    caller: Caller, error: Exception
) -> None:
    found = caller.told(in_turn(error, says(LEASE)), READS)

    assert ("lease-1", [0.5]) == (found.id, caller.waits)


@by_write
@pytest.mark.parametrize(
    "error", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.PoolTimeout("x")]
)
def test_a_change_is_sent_again_only_where_it_never_left(
    caller: Caller, write: str, error: Exception
) -> None:
    caller.refusal(in_turn(error, says({}, 400)), WRITES[write])

    assert (2, [0.5]) == (len(caller.sent), caller.waits)


@by_write
@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ReadTimeout("slow"),
        httpx.WriteTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.WriteError("reset"),
        httpx.RemoteProtocolError("cut off"),
        429,
        502,
        503,
        504,
    ],
    ids=str,
)
def test_a_change_that_may_have_arrived_is_never_sent_again(
    caller: Caller, write: str, trouble: Exception | int
) -> None:
    answer = says({}, trouble) if isinstance(trouble, int) else trouble
    error = caller.refusal(in_turn(answer), WRITES[write])

    assert isinstance(error, ServiceUnavailableError)
    assert (1, []) == (len(caller.sent), caller.waits)
    # 429 says that nothing was done; after anything else nobody knows.
    assert (error.status != 429) is error.may_be_done


def test_a_read_is_never_said_to_be_done(caller: Caller) -> None:
    error = caller.refusal(always({}, 504), READS)

    assert isinstance(error, ServiceUnavailableError)
    assert not error.may_be_done


def test_a_change_that_never_left_is_not_done(caller: Caller) -> None:
    error = caller.refusal(in_turn(*[httpx.ConnectError("refused")] * 4), WRITES["create"])

    assert isinstance(error, NoAnswerError)
    assert ("not_connected", False, 4) == (error.code, error.may_be_done, len(caller.sent))


def test_a_stranger_is_not_asked_again(caller: Caller) -> None:
    refused = httpx.ConnectError("certificate verify failed")
    refused.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    error = caller.refusal(in_turn(refused), READS)

    assert isinstance(error, NoAnswerError)
    assert ("tls_refused", [], False) == (error.code, caller.waits, error.may_be_done)


def test_in_the_end_the_last_trouble_is_told(caller: Caller) -> None:
    error = caller.refusal(always({"detail": "we move house"}, 503), READS)

    assert (4, [0.5, 1.0, 2.0]) == (len(caller.sent), caller.waits)
    assert "we move house" in str(error)


@pytest.mark.parametrize(("most", "made"), [(0, 1), (1, 2), (5, 6)])
def test_how_often_is_the_callers_choice(caller: Caller, most: int, made: int) -> None:
    caller.refusal(always({}, 503), READS, retries=Retries(most=most))

    assert made == len(caller.sent)


@pytest.mark.parametrize(
    ("chance", "waits"), [(0.0, [0.0] * 3), (0.25, [0.125, 0.25, 0.5]), (1.0, [0.5, 1.0, 2.0])]
)
def test_waits_are_spread_by_chance(caller: Caller, chance: float, waits: list[float]) -> None:
    """Full jitter: between nothing and all of 0.5, 1 and 2 seconds."""
    caller.refusal(always({}, 503), READS, chance=lambda: chance)

    assert waits == caller.waits


def test_a_wait_grows_no_longer_than_its_limit(caller: Caller) -> None:
    """0.5, 1, 2, 4, 8, 16, and from then on 20 seconds."""
    caller.refusal(always({}, 503), READS, retries=Retries(most=8, deadline=1000))

    assert [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0] == caller.waits


def test_a_thousand_retries_are_no_number_too_large() -> None:
    assert Retries().longest_wait == Retries(most=5000).wait_after(5000, chance=1.0)


# ------------------------------------------------------------------------------------- Retry-After


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
    """Seconds or a moment; what is past or unreadable leaves the usual wait of 0.5 s."""
    caller.told(in_turn(says({}, 503, **headers), says(LEASE)), READS)

    assert [wait] == caller.waits


@pytest.mark.parametrize("asked", ["61", "99999999999999999999", http_date(61)])
def test_a_service_that_asks_for_too_long_is_left_alone(caller: Caller, asked: str) -> None:
    """Beyond 60 s the caller decides; the error tells how long it would be."""
    error = caller.refusal(in_turn(says({}, 429, **{"Retry-After": asked})), READS)

    assert isinstance(error, ServiceUnavailableError)
    assert [] == caller.waits
    assert error.retry_after is not None
    assert error.retry_after >= 61


def test_a_moment_without_a_zone_is_of_greenwich() -> None:
    """Headers name moments in GMT, also where they write -0000."""
    heard = Heard(503, {"retry-after": "Sat, 31 Jan 2026 12:00:09 -0000"}, b"")

    assert 9.0 == asked_wait(heard, NOON)


# ---------------------------------------------------------------------------------------- deadline


def test_no_wait_goes_beyond_the_deadline(caller: Caller) -> None:
    """After 0.5 + 1 seconds of waiting, 2 more would end at 3.5: beyond 3 seconds."""
    caller.refusal(always({}, 503), READS, retries=Retries(most=9, deadline=3))

    assert [0.5, 1.0] == caller.waits


def test_slow_attempts_use_up_the_deadline(caller: Caller) -> None:
    """Each attempt takes 50 s: after the second, 100.5 s are gone, and after the third 151.5."""

    def slow(_: httpx.Request) -> httpx.Response:
        caller.seconds += 50
        raise httpx.ReadTimeout("slow")

    error = caller.refusal(slow, READS)

    assert isinstance(error, NoAnswerError)
    assert ("timed_out", [0.5, 1.0]) == (error.code, caller.waits)


def test_an_attempt_gets_no_more_time_than_is_left(caller: Caller) -> None:
    """15 s for the first attempt; 0.5 s before the deadline of 40 s the last one gets 0.5 s."""

    def slow(_: httpx.Request) -> httpx.Response:
        caller.seconds += 39
        raise httpx.ReadTimeout("slow")

    caller.refusal(slow, READS, timeout=15, retries=Retries(deadline=40))

    assert [15, 0.5] == [each.extensions["timeout"]["read"] for each in caller.sent]


class Drip(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes in pieces, with a second between them."""

    def __init__(self, caller: Caller, piece: bytes, count: int) -> None:
        self.caller, self.piece, self.count, self.given = caller, piece, count, 0

    def __iter__(self) -> Iterator[bytes]:
        while self.given < self.count:
            self.given += 1
            self.caller.seconds += 1
            yield self.piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for each in self:
            yield each


def test_a_body_that_drips_for_ever_is_left(caller: Caller) -> None:
    """A piece each second would never be a timeout; after the deadline of 120 s it is one."""
    drip = Drip(caller, b" ", 10_000)
    error = caller.refusal(lambda _: httpx.Response(200, stream=drip), READS)

    assert isinstance(error, NoAnswerError)
    assert ("timed_out", 121) == (error.code, drip.given)


def test_a_body_without_end_is_left(caller: Caller) -> None:
    """After 64 MiB nothing more is read, and nobody asks again."""
    drip = Drip(caller, b" " * 2**24, 10_000)
    error = caller.refusal(lambda _: httpx.Response(200, stream=drip), READS)

    assert ("answer_too_long", 5) == (getattr(error, "code", ""), drip.given)
    assert 1 == len(caller.sent)


# --------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("most", -1),
        ("first_wait", -0.1),
        ("longest_wait", float("nan")),
        ("longest_asked", float("inf")),
        ("deadline", 0),
        ("deadline", "120"),
        ("most", True),
    ],
)
def test_what_is_no_number_of_seconds_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        Retries(**cast("dict[str, Any]", {name: value}))

    assert name == refused.value.problems[0].path


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), None])
def test_a_timeout_is_a_time(caller: Caller, timeout: float | None) -> None:
    error = caller.refusal(always(LEASE), READS, timeout=timeout)

    assert isinstance(error, InvalidRecordError)
    assert "timeout" == error.problems[0].path
