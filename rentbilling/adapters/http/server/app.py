"""The service as an ASGI application on Starlette: keys, bodies, turns, callers that hang up.

Laws: nothing is read or kept for a request before its key is known; a body has a limit of bytes and
of seconds, and so has taking an answer; the event loop never waits for a store; a change that has
begun is finished, even if the caller hangs up, and a read is given up.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from math import inf
from time import monotonic, perf_counter
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.types import Lifespan, Receive, Scope, Send

from rentbilling.adapters.http.answers import CONNECTION, HttpAnswer
from rentbilling.adapters.http.request_limits import TooManyError
from rentbilling.adapters.http.server.turns import Absence, Turns
from rentbilling.adapters.http.service import RentalService, RequestHead

T = TypeVar("T")

_HUNG_UP: Final = 499
"""The status in the access log where the caller hung up before the answer."""
_GRACE: Final = 5.0
"""Seconds of a body before its rate counts."""
_HEALTH_AGE: Final = 1.0
"""Seconds for which an answer about health is given again."""
_HEALTH_PATIENCE: Final = 3.0
"""Seconds that the store has for it; a locked file keeps a change waiting for ten times as long."""
_MOST_KEYLESS: Final = 64
"""Keys that are looked up and pages that are made at the same moment, or wait for it."""
_OK: Final = 200
_CLOSES: Final = (b"connection", b"close")
_PIECE: Final = 65_536
"""Bytes of an answer that are handed to the server at once."""


def create_app(service: RentalService, *, lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Return the service as an ASGI application, to be served or mounted below a path.

    Args:
        service: The service.
        lifespan: What to do before the first request and after the last one.
    """
    app = Starlette(lifespan=lifespan)
    # The service has its own routes, and a path with a slash at its end is an unknown one.
    app.router.redirect_slashes = False
    app.router.default = _Endpoint(service)
    # For the server: see `server_of`.
    app.state.limits = service.limits
    return app


class _HungUpError(Exception):
    """The caller hung up before there was an answer."""


class _Caller(NamedTuple):
    """A request as its transport has it."""

    scope: Scope
    receive: Receive
    send: Send

    def shows_key(self, owner: str) -> None:
        """Let our own server know whose connection it is, so that it stays open."""
        connection = self.scope.get("extensions", {}).get(CONNECTION)
        if connection is not None:
            connection.shows_key(owner)

    def has_body(self) -> bool:
        return any(
            name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
            for name, value in self.scope["headers"]
        )

    def hang_up(self) -> None:
        """Close the connection, where our own server has it."""
        connection = self.scope.get("extensions", {}).get(CONNECTION)
        if connection is not None:
            connection.hang_up()


class _Endpoint:
    """Answers requests of ASGI."""

    def __init__(self, service: RentalService) -> None:
        self._service = service
        self._limits = service.limits
        metrics = service.metrics
        waits = metrics.waiting.track_inprogress if metrics else nullcontext
        self._turns = Turns(service.limits, waits=waits)
        # Keys and pages, and health, need no turn: no owner's requests keep them waiting.
        self._desk, self._watch = ThreadPoolExecutor(2, "desk"), ThreadPoolExecutor(1, "health")
        self._at_desk = self._asking = 0
        # By method: since when the last answer about health is good, and that answer.
        self._healthy: dict[str, tuple[float, asyncio.Future[HttpAnswer]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # A web socket, for which the service has no use.
            await send({"type": "websocket.close", "code": 1000})
            return
        began = perf_counter()
        caller = _Caller(scope, receive, send)
        method: str = scope["method"]
        head = self._service.begin(
            method,
            path_of(scope),
            scope["query_string"].decode("latin-1"),
            [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]],
            mount=quote(scope.get("root_path", "")),
        )
        status, answer, unread = 0, _hung_up(head), True
        # A request counts until its caller has taken the answer.
        with ExitStack() as counted:
            try:
                if isinstance(head, HttpAnswer):
                    answer = head
                else:
                    answer, unread = await self._answer(head, caller, counted)
                await self._send(answer, caller, unread=unread)
            except (_HungUpError, OSError):
                # What was begun is done; only the caller hung up before the answer.
                status = _HUNG_UP
        self._service.note(method, answer, perf_counter() - began, status=status)

    async def _answer(
        self, head: RequestHead, caller: _Caller, counted: ExitStack
    ) -> tuple[HttpAnswer, bool]:
        """Return the answer to a request, and whether its body is still unread."""
        if head.route is None:
            return await (self._page(head) if head.page else self._health(head)), True
        key = self._service.known_key(head)
        if key is None:
            key = await self._without_turn(self._service.key_for, head)
        if isinstance(key, HttpAnswer):
            return key, True
        caller.shows_key(key.owner)
        body, unread = b"", True
        try:
            self._turns.count(key.owner)
            if head.takes_body:
                with self._turns.body(key.owner):
                    body = await self._body(caller.receive)
            unread = len(body) > self._limits.most_bytes
            counted.enter_context(self._turns.request(key.owner))
            return await self._work(head, body, key.owner, caller.receive), unread
        except TooManyError as error:
            return self._service.too_many(head, error), unread
        except TimeoutError:
            return self._service.too_slow(head), unread

    async def _work(
        self, head: RequestHead, body: bytes, owner: str, receive: Receive
    ) -> HttpAnswer:
        writes = head.route is not None and head.route.writes
        with Absence(receive) as gone:
            give_way = self._turns.giving_way(owner)

            def goes_on() -> bool:
                give_way()
                return not gone.is_certain()

            answer = await self._turns.run(
                owner,
                # A change that has begun is finished: nobody knows how much of it is done.
                lambda: self._service.finish(head, body, goes_on=None if writes else goes_on),
                writes=writes,
                gone=gone,
            )
            if answer is None or (gone.is_certain() and not writes):
                raise _HungUpError
        return answer

    async def _page(self, head: RequestHead) -> HttpAnswer:
        return await self._without_turn(self._service.finish, head, b"")

    async def _health(self, head: RequestHead) -> HttpAnswer:
        """Return whether all is well, in a few seconds at most, whatever the store does."""
        if self._asking >= _MOST_KEYLESS:
            return self._service.busy(head)
        self._asking += 1
        try:
            checked, asked = self._healthy.get(head.method, (-inf, None))
            if asked is None or (asked.done() and monotonic() - checked >= _HEALTH_AGE):
                asked = asyncio.ensure_future(self._asked_store(head))
                self._healthy[head.method] = inf, asked
            await asyncio.wait({asked}, timeout=_HEALTH_PATIENCE)
            if not asked.done():
                return self._service.no_health(head, _HEALTH_PATIENCE)
            return asked.result().for_request(head.request_id)
        finally:
            self._asking -= 1

    async def _asked_store(self, head: RequestHead) -> HttpAnswer:
        """Return the store's answer about health, which is given again if it is a good one."""
        loop, good_since = asyncio.get_running_loop(), -inf
        try:
            answer = await loop.run_in_executor(self._watch, self._service.finish, head, b"")
            good_since = monotonic() if answer.status == _OK else -inf
        finally:
            self._healthy[head.method] = good_since, self._healthy[head.method][1]
        return answer

    async def _without_turn(self, work: Callable[..., T], *given: Any) -> T | HttpAnswer:  # noqa: ANN401
        """Return what a piece of work returns that is done for callers without a key."""
        if self._at_desk >= _MOST_KEYLESS:
            return self._service.busy(given[0])
        self._at_desk += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._desk, work, *given)
        finally:
            self._at_desk -= 1

    async def _body(self, receive: Receive) -> bytes:
        """Return a body, or the beginning of one that is too large.

        Raises:
            TimeoutError: It arrives too slowly.
        """
        limits, whole = self._limits, bytearray()
        began = asyncio.get_running_loop().time()
        async with asyncio.timeout(min(limits.body_seconds, _GRACE)) as until:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _HungUpError
                whole += message.get("body", b"")
                if not message.get("more_body", False) or len(whole) > limits.most_bytes:
                    return bytes(whole)
                allowed = min(limits.body_seconds, _GRACE + len(whole) / limits.least_rate)
                until.reschedule(began + allowed)

    async def _send(self, answer: HttpAnswer, caller: _Caller, *, unread: bool) -> None:
        """Send an answer, in pieces, so that no more of it waits in the server than one piece."""
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in answer.headers
        ]
        if unread and caller.has_body() and _CLOSES not in headers:
            headers.append(_CLOSES)
        start = {"type": "http.response.start", "status": answer.status, "headers": headers}
        body, send = answer.body, caller.send
        try:
            async with asyncio.timeout(self._limits.answer_seconds):
                await send(start)
                for at in range(0, max(len(body), 1), _PIECE):
                    piece, more = body[at : at + _PIECE], at + _PIECE < len(body)
                    await send({"type": "http.response.body", "body": piece, "more_body": more})
        except TimeoutError:
            caller.hang_up()
            raise _HungUpError from None


def _hung_up(head: RequestHead | HttpAnswer) -> HttpAnswer:
    """Return the facts for the access log of a request that has no answer."""
    name = head.name if isinstance(head, RequestHead) else head.route
    return HttpAnswer(_HUNG_UP, (), b"", head.request_id, name)


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
