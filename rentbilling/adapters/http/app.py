"""The service as an ASGI application on Starlette: how bodies arrive, threads, who hung up.

Laws: no body is read further than it may be long, nor waited for longer than it may take; the loop
of events never waits for a store; what was begun is finished also when the caller hangs up.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.types import Lifespan, Receive, Scope, Send

from rentbilling.adapters.http.access_log import log_access
from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.adapters.http.service import Asked, RentalService

_HUNG_UP: Final = 499
"""What the access log tells where nobody waited for the answer."""


def create_app(service: RentalService, *, lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Return the service as an ASGI application, to be served or mounted below a path.

    Args:
        service: The service.
        lifespan: What to do before the first request and after the last one.

    Returns:
        The application.
    """
    app = Starlette(lifespan=lifespan)
    # Paths are the service's own matter, and none of them is another one with a slash.
    app.router.redirect_slashes = False
    app.router.default = _Endpoint(service)
    return app


class _HungUpError(Exception):
    """The caller went away before the request was whole."""


class _Endpoint:
    """Answers requests of ASGI."""

    def __init__(self, service: RentalService) -> None:
        self._service = service
        self._limits = service.limits
        self._running = 0
        # Threads are begun as they are needed.
        self._threads = ThreadPoolExecutor(self._limits.threads, "rentbilling")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            # A web socket, which nothing here understands.
            await send({"type": "websocket.close", "code": 1000})
            return
        began = perf_counter()
        method: str = scope["method"]
        asked = self._service.begin(
            method,
            path_of(scope),
            scope["query_string"].decode("latin-1"),
            _headers_of(scope),
            mount=quote(scope.get("root_path", "")),
        )
        status = 0
        try:
            answer = asked if isinstance(asked, HttpAnswer) else await self._answer(asked, receive)
        except _HungUpError:
            answer, status = _unheard(asked), _HUNG_UP
        else:
            try:
                await _send(answer, send)
            except OSError:
                # What was done is done; only nobody waited for the answer.
                status = _HUNG_UP
        log_access(method, answer, perf_counter() - began, status=status)

    async def _answer(self, asked: Asked, receive: Receive) -> HttpAnswer:
        """Return the answer to a request, once its body is there and a thread is free."""
        limits = self._limits
        if self._running >= limits.most_at_once:
            return self._service.busy(asked)
        self._running += 1
        try:
            body = b""
            if asked.takes_body:
                try:
                    async with asyncio.timeout(limits.body_seconds):
                        body = await _body(receive, limits.most_bytes)
                except TimeoutError:
                    return self._service.too_slow(asked)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._service.finish, asked, body)
        finally:
            self._running -= 1


def _unheard(asked: Asked | HttpAnswer) -> HttpAnswer:
    """Return what the access log tells of a request that never became whole."""
    name = asked.name if isinstance(asked, Asked) else asked.route
    return HttpAnswer(_HUNG_UP, (), b"", asked.request_id, name)


async def _body(receive: Receive, most: int) -> bytes:
    """Return a body, or as much of it as shows that it is too large."""
    whole = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _HungUpError
        whole += message.get("body", b"")
        if not message.get("more_body", False) or len(whole) > most:
            return bytes(whole)


async def _send(answer: HttpAnswer, send: Send) -> None:
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


def _headers_of(scope: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the headers of a request as texts."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]


def path_of(scope: Mapping[str, Any]) -> str:
    """Return the path below where the application is mounted, percent-encoded as it came.

    Examples:
        >>> path_of({"path": "/rent/leases/a/b", "raw_path": b"/rent/leases/a%2Fb",
        ...          "root_path": "/rent"})
        '/leases/a%2Fb'
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    came: bytes | None = scope.get("raw_path")
    text = came.decode("latin-1") if came else quote(path)
    if not root or not f"{path}/".startswith(f"{root}/"):
        return text
    # Each part of the root is one part of the path, however it is spelled.
    parts = text.split("/", root.count("/") + 1)
    return f"/{parts[-1]}" if len(parts) > root.count("/") + 1 else ""
