"""Reading a response from the transport, piece by piece, or the reason why there is none.

Laws: a body has a limit, and so has the time for all of it, however slowly it arrives; no error of
the transport leaves this module, because it refers to the request with the key.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from ssl import SSLError
from typing import Final

import httpx

from rentbilling.adapters.client.responses import NoResponse, Response

MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes of an unpacked body, at most: many times a page of the largest leases."""

CONNECTING: Final = 10.0
"""Seconds to connect, at most: where nobody listens, no answer is worked on."""
_LEAST: Final = 0.001
"""Seconds for an attempt that begins at the last moment."""


_LEFT: ContextVar[Callable[[], float] | None] = ContextVar("_LEFT", default=None)
"""The seconds that are left to the call which runs."""


def most_seconds(timeout: float | None) -> float | None:
    """Return the seconds that a connection may wait now: its own, and no more than the call has."""
    left = _LEFT.get()
    if left is None:
        return timeout
    return left() if timeout is None else min(timeout, left())


class BodyReader:
    """Collects the body of a response, up to a limit of bytes and of time."""

    def __init__(self, clock: Callable[[], float], until: float) -> None:
        self._clock = clock
        self._until = until
        self._pieces: list[bytes] = []
        self._bytes = 0
        self._failure: NoResponse | None = None

    def seconds_left(self, most: float) -> float:
        """Return the seconds that the transport may wait for anything, `most` or fewer."""
        return min(most, self._left())

    def _left(self) -> float:
        return max(self._until - self._clock(), _LEAST)

    @contextmanager
    def timed(self) -> Generator[None]:
        """Let connections that are used in a block end with the call's deadline."""
        token = _LEFT.set(self._left)
        try:
            yield
        finally:
            _LEFT.reset(token)

    def accepts(self, piece: bytes) -> bool:
        """Add a piece, and return whether the next one is wanted."""
        self._pieces.append(piece)
        self._bytes += len(piece)
        if self._bytes > MOST_BYTES:
            self._failure = NoResponse("answer_too_long", f"more than {MOST_BYTES} bytes")
        elif self._clock() > self._until:
            self._failure = NoResponse("timed_out", "the answer is not whole within the deadline")
        return self._failure is None

    def outcome(self, status: int, headers: Mapping[str, str]) -> Response | NoResponse:
        """Return the response with its whole body, or why there is none."""
        return self._failure or Response(status, headers, b"".join(self._pieces))


def no_response_of(error: httpx.RequestError) -> NoResponse:
    """Return why a call has no response, in the words of the transport.

    Examples:
        >>> no_response_of(httpx.ConnectError("connection refused"))
        NoResponse(code='not_connected', reason='ConnectError: connection refused')
    """
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)):
        return NoResponse("tls_refused" if _is_of_tls(error) else "not_connected", reason)
    if isinstance(error, httpx.TimeoutException):
        return NoResponse("timed_out", reason)
    if isinstance(error, httpx.DecodingError):
        return NoResponse("unreadable_answer", f"it cannot be unpacked: {reason}")
    return NoResponse("connection_broken", reason)


def _is_of_tls(error: BaseException) -> bool:
    """Return whether a connection failed because the server has no valid certificate."""
    at: BaseException | None = error
    while at is not None and not isinstance(at, SSLError):
        at = at.__cause__ or at.__context__
    return at is not None
