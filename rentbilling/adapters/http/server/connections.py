"""The connections of a server: bounds of uvicorn's HTTP that no application sees.

Laws: a connection without a whole head is closed in time; of more connections than the server can
have, the oldest without a key is closed, so that a caller with a key always finds room; a request
has a limit of bytes as it arrives, however small its chunks are.
"""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rentbilling.adapters.http.answers import CONNECTION
from rentbilling.adapters.http.request_limits import Limits

_MOST_HEAD: Final = 65_536
"""Bytes of a head, at most."""
_READ: Final = 8_192
"""Bytes that are read at once before a key is shown: more of a body than that is not kept."""
_READ_WITH_KEY: Final = 65_536
_DROPPED: Final = 262_144
"""Bytes that are read at once only to be dropped."""
_WIRE: Final = 2
"""By how much a body with its chunks is longer than the body, at most."""
_LINGERS: Final = 2.0
"""Seconds in which the rest of a refused body is dropped, for its caller to read the answer."""
_HEAD: Final = b"HTTP/1.1 "
_OF_A_BODY: Final = (b"content-length", b"transfer-encoding")
_SHARE: Final = 4
"""The keys of one owner may have at most one in so many of all connections."""


class Connections:
    """The open connections of a server, oldest first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._keyless: dict[Connection, None] = {}
        self._keyed: dict[Connection, str] = {}
        self._owners: dict[str, int] = {}

    def add(self, connection: "Connection") -> None:
        """Add a connection; the oldest without a key makes room for it."""
        self._keyless[connection] = None
        if len(self._keyless) + len(self._keyed) > self.most:
            next(iter(self._keyless)).hang_up()

    def shows_key(self, connection: "Connection", owner: str) -> None:
        """Keep a connection that has shown a key, unless its owner has many already."""
        count = self._owners.get(owner, 0)
        if connection in self._keyless and count < self.most // _SHARE:
            del self._keyless[connection]
            self._keyed[connection] = owner
            self._owners[owner] = count + 1

    def remove(self, connection: "Connection") -> None:
        self._keyless.pop(connection, None)
        owner = self._keyed.pop(connection, None)
        if owner is not None:
            self._owners[owner] -= 1
            if not self._owners[owner]:
                del self._owners[owner]


class Connection(HttpToolsProtocol):
    """A connection of uvicorn, with bounds."""

    def __init__(self, limits: Limits, connections: Connections, *given: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*given, **named)
        self._limits, self._open = limits, connections
        self._most_body = _WIRE * limits.most_bytes + _MOST_HEAD
        self._late: asyncio.TimerHandle | None = None
        self._in_head, self._in_body, self._dropping = True, False, False
        self._bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head, for some seconds."""
        lingering = _Lingering(transport, self)
        lingering.reads(_READ)
        super().connection_made(lingering)  # type: ignore[arg-type]
        self._open.add(self)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.remove(self)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what arrived, if it is not too much."""
        if self._dropping:
            self._bytes += len(data)
            if self._bytes > self._most_body:
                self.hang_up()
            return
        if self._late is None and not self._in_body:
            # The next request of a connection that stays open.
            self._await_head()
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > (_MOST_HEAD if self._in_head else self._most_body):
            self._refuse()

    def on_message_begin(self) -> None:
        """Begin to read a head."""
        super().on_message_begin()
        self._in_head, self._in_body = True, False
        # The first method that the parser calls of each request.
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        scope.setdefault("extensions", {})[CONNECTION] = self

    def on_headers_complete(self) -> None:
        """Begin to read a body, if the head is sound."""
        hosts = [value for name, value in self.headers if name == b"host"]
        parser: Any = self.parser
        version = parser.get_http_version()
        if version not in ("1.0", "1.1") or (version == "1.1" and len(hosts) != 1):
            raise ValueError("no request of HTTP/1.1")
        self._stop_waiting()
        self._in_head, self._in_body, self._bytes = False, True, 0
        super().on_headers_complete()
        if any(name in _OF_A_BODY for name, _ in self.headers):
            # Nothing of a body is read before the application asks for it.
            self.flow.pause_reading()

    def on_message_complete(self) -> None:
        """Wait for the next request."""
        super().on_message_complete()
        self._in_body, self._bytes = False, 0
        # Only now a caller who hangs up, or who sends the next request, is heard.
        if not self.pipeline:
            self.flow.resume_reading()

    def shows_key(self, owner: str) -> None:
        """Keep the connection, whose caller has shown a key of an owner."""
        self.transport.reads(_READ_WITH_KEY)  # type: ignore[attr-defined]
        self._open.shows_key(self, owner)

    def hang_up(self) -> None:
        """Close the connection at once."""
        self._open.remove(self)
        if self.transport is not None:
            self.transport.abort()

    @property
    def is_unread(self) -> bool:
        """Whether a part of a request is still to come."""
        return self._in_body

    def drop_the_rest(self) -> None:
        """Read the rest of a request no more."""
        self._dropping = True
        self._stop_waiting()
        self._late = self.loop.call_later(_LINGERS, self.hang_up)

    def _await_head(self) -> None:
        self._late = self.loop.call_later(self._limits.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        """Close the connection, unless its caller still waits for the answer before."""
        if self.cycle is None or self.cycle.response_complete:
            self.hang_up()
        else:
            self._await_head()

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self) -> None:
        """Refuse a request that is too large before the application can."""
        if self._in_head and (self.cycle is None or self.cycle.response_complete):
            self.send_400_response("The request is too large.")
        else:
            self.hang_up()


class _Lingering:
    """A transport that sends what was written before it closes, whatever else arrives.

    To close a connection with bytes in it that were not read would also take away the answer. A
    head is sent with the beginning of its body: at each call of the system other threads go first.
    """

    def __init__(self, transport: Any, connection: Connection) -> None:  # noqa: ANN401
        self._transport, self._connection = transport, connection
        self._ends, self._head = False, b""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._transport, name)

    def reads(self, most: int) -> None:
        """Set how many bytes are read at once, where the loop is Python's own."""
        if hasattr(self._transport, "max_size"):
            self._transport.max_size = most

    def write(self, data: bytes) -> None:
        """Send bytes, unless the connection has been closed for the caller."""
        if self._ends:
            return
        if not self._head and data.startswith(_HEAD):
            self._head = data
            self._connection.loop.call_soon(self._send_head)
        else:
            head, self._head = self._head, b""
            self._transport.write(head + data)

    def _send_head(self) -> None:
        """Send a head after which nothing was written at once."""
        if self._head:
            self.write(b"")

    def is_closing(self) -> bool:
        """Return whether nothing is written any more."""
        return self._ends or self._transport.is_closing()

    def close(self) -> None:
        """Close it, once what was written is sent."""
        self._send_head()
        if self._ends or not self._connection.is_unread or not self._transport.can_write_eof():
            self._transport.close()
            return
        self._ends = True
        self.reads(_DROPPED)
        self._connection.drop_the_rest()
        with suppress(OSError, RuntimeError):
            self._transport.write_eof()
            self._transport.resume_reading()


def protocol_of(limits: Limits, connections: Connections) -> Any:  # noqa: ANN401 - uvicorn wants a class
    """Return what makes the connections of a server."""
    return partial(Connection, limits, connections)
