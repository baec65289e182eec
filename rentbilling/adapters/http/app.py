"""The service as an ASGI application on Starlette: reading bodies, threads, callers that hang up.

Laws: a body has a limit of bytes and of seconds; the event loop never waits for a store; an
operation that has begun is finished, even if the caller hangs up.
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
from rentbilling.adapters.http.service import RentalService, RequestHead

_HUNG_UP: Final = 499
"""The status in the access log where the caller hung up before the answer."""


def create_app(service: RentalService, *, lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Return the service as an ASGI application, to be served or mounted below a path.

    Args:
        service: The service.
        lifespan: What to do before the first request and after the last one.

    Returns:
        The application.
    """
    app = Starlette(lifespan=lifespan)
    # The service has its own routes, and a path with a slash at its end is an unknown one.
    app.router.redirect_slashes = False
    app.router.default = _Endpoint(service)
    return app


class _HungUpError(Exception):
    """The caller hung up before the request was whole."""


class _Endpoint:
    """Answers requests of ASGI."""

    def __init__(self, service: RentalService) -> None:
        self._service = service
        self._limits = service.limits
        self._running = 0
        # It starts threads when they are needed.
        self._threads = ThreadPoolExecutor(self._limits.threads, "rentbilling")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            # A web socket, for which the service has no use.
            await send({"type": "websocket.close", "code": 1000})
            return
        began = perf_counter()
        method: str = scope["method"]
        head = self._service.begin(
            method,
            path_of(scope),
            scope["query_string"].decode("latin-1"),
            _headers_of(scope),
            mount=quote(scope.get("root_path", "")),
        )
        status = 0
        try:
            answer = head if isinstance(head, HttpAnswer) else await self._answer(head, receive)
        except _HungUpError:
            answer, status = _hung_up(head), _HUNG_UP
        else:
            try:
                await _send(answer, send)
            except OSError:
                # The operation is done; only the caller hung up before its answer.
                status = _HUNG_UP
        log_access(method, answer, perf_counter() - began, status=status)

    async def _answer(self, head: RequestHead, receive: Receive) -> HttpAnswer:
        """Return the answer to a request, once its body is there and a thread is free."""
        limits = self._limits
        if self._running >= limits.most_at_once:
            return self._service.busy(head)
        self._running += 1
        try:
            body = b""
            if head.takes_body:
                try:
                    async with asyncio.timeout(limits.body_seconds):
                        body = await _body(receive, limits.most_bytes)
                except TimeoutError:
                    return self._service.too_slow(head)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._service.finish, head, body)
        finally:
            self._running -= 1


def _hung_up(head: RequestHead | HttpAnswer) -> HttpAnswer:
    """Return the facts for the access log of a request that was never whole."""
    name = head.name if isinstance(head, RequestHead) else head.route
    return HttpAnswer(_HUNG_UP, (), b"", head.request_id, name)


async def _body(receive: Receive, most: int) -> bytes:
    """Return a body, or the beginning of one that is too large."""
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
