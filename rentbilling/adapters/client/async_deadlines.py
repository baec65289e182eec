"""Connections of an event loop that wait no longer than the deadline of a call.

Law: the deadline holds for each piece that arrives, also of a head, however often one arrives.
"""

from collections.abc import Iterable
from ssl import SSLContext
from typing import Any

import httpcore
import httpx

from rentbilling.adapters.client.receiving import most_seconds


class AsyncTimedStream(httpcore.AsyncNetworkStream):
    """A connection that waits no longer than the deadline of the call that uses it."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, most_seconds(timeout))

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, most_seconds(timeout))

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        seconds = most_seconds(timeout)
        return AsyncTimedStream(await self._stream.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401
        return self._stream.get_extra_info(info)


class AsyncTimedBackend(httpcore.AsyncNetworkBackend):
    """Opens such connections."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend) -> None:
        self._backend = backend

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        seconds = most_seconds(timeout)
        return AsyncTimedStream(
            await self._backend.connect_tcp(host, port, seconds, local_address, socket_options)
        )

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        seconds = most_seconds(timeout)
        return AsyncTimedStream(
            await self._backend.connect_unix_socket(path, seconds, socket_options)
        )

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


def time_connections(http: httpx.AsyncClient) -> None:
    """Let the connections of a client end with the deadline of a call; others stay as they are.

    Httpx has no way to say so. A transport of the caller's own, without such connections, keeps to
    the seconds of each piece alone.
    """
    for transport in (http._transport, *http._mounts.values()):
        pool: Any = getattr(transport, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if backend is not None and not isinstance(backend, AsyncTimedBackend):
            pool._network_backend = AsyncTimedBackend(backend)
