"""What arrives over the transport: an answer gathered piece by piece, or why there is none.

Laws: a body has a limit, and so has the time for all of it, however slowly it drips; no error of
the transport goes further than this room, because it holds the request with the key.
"""

from collections.abc import Callable, Mapping
from ssl import SSLError
from typing import Final

import httpx

from rentbilling.adapters.client.responses import Heard, Silence

MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a body, unpacked, at most: many times a page of the largest leases."""

_LEAST: Final = 0.001
"""Seconds that an attempt gets which begins at the last moment."""


class Arrival:
    """A body that arrives."""

    def __init__(self, clock: Callable[[], float], until: float) -> None:
        self._clock = clock
        self._until = until
        self._pieces: list[bytes] = []
        self._bytes = 0
        self._ended: Silence | None = None

    def seconds_left(self, most: float) -> float:
        """Return the seconds that the transport may wait for anything, `most` or fewer."""
        return max(min(most, self._until - self._clock()), _LEAST)

    def is_ended_by(self, piece: bytes) -> bool:
        """Take a piece, and return whether no more is wanted."""
        self._pieces.append(piece)
        self._bytes += len(piece)
        if self._bytes > MOST_BYTES:
            self._ended = Silence("answer_too_long", f"more than {MOST_BYTES} bytes")
        elif self._clock() > self._until:
            self._ended = Silence("timed_out", "the answer is not whole within the deadline")
        return self._ended is not None

    def outcome(self, status: int, headers: Mapping[str, str]) -> Heard | Silence:
        """Return the answer with the body that arrived, or why it is none."""
        return self._ended or Heard(status, headers, b"".join(self._pieces))


def silence_of(error: httpx.RequestError) -> Silence:
    """Return what became of a call, as the transport tells it.

    Examples:
        >>> silence_of(httpx.ConnectError("connection refused"))
        Silence(code='not_connected', reason='ConnectError: connection refused')
    """
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)):
        return Silence("tls_refused" if _is_of_tls(error) else "not_connected", reason)
    if isinstance(error, httpx.TimeoutException):
        return Silence("timed_out", reason)
    if isinstance(error, httpx.DecodingError):
        return Silence("unreadable_answer", f"it cannot be unpacked: {reason}")
    return Silence("connection_broken", reason)


def _is_of_tls(error: BaseException) -> bool:
    """Return whether a connection failed because the other side could not prove who it is."""
    at: BaseException | None = error
    while at is not None and not isinstance(at, SSLError):
        at = at.__cause__ or at.__context__
    return at is not None
