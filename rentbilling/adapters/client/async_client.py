"""A client for an event loop.

Laws: a change is sent again only with the key of its first attempt, to a service that stores the
answers to keys; no redirect is followed, so that no other server receives the key.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Self, TypeVar
from uuid import uuid4

import httpx

from rentbilling import BillingPolicy
from rentbilling.adapters.client.access import Access
from rentbilling.adapters.client.async_deadlines import time_connections
from rentbilling.adapters.client.async_operations import AsyncOperations
from rentbilling.adapters.client.calls import HEALTH, Call, EntityTags
from rentbilling.adapters.client.receiving import CONNECTING, BodyReader, no_response_of
from rentbilling.adapters.client.responses import NoResponse, Response, read_outcome
from rentbilling.adapters.client.retries import (
    KEPT,
    Retries,
    check_seconds,
    may_pass,
    may_repeat,
    requested_wait,
)

T = TypeVar("T")


class AsyncRentalClient(AsyncOperations):
    """Calls a service with the interface from an event loop, with the methods of `RentalClient`.

    Methods are awaited, lists are iterated with `async for`. A client belongs to one loop, whose
    tasks may share it. It is closed at the end of an `async with` block, or by `aclose`.

    Examples:
        >>> def service(request):
        ...     return httpx.Response(200, json={"id": "lease-1", "operationalState": "Draft"})
        >>> http = httpx.AsyncClient(transport=httpx.MockTransport(service))
        >>> async def asked():
        ...     address, key = "https://rent.example/api", "rent_1_a-secret"
        ...     async with AsyncRentalClient(address, key, http=http) as client:
        ...         return await client.retrieve_lease("lease-1")
        >>> asyncio.run(asked()).operational_state
        'Draft'
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 45.0,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
        policy: BillingPolicy | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,  # noqa: S311 - spreads waits
        clock: Callable[[], float] = time.monotonic,
        moment: Callable[[], datetime] = lambda: datetime.now(UTC),
        new_key: Callable[[], str] = lambda: str(uuid4()),
        is_idempotent: bool | None = None,
    ) -> None:
        """Set the address of the service, and how it is called.

        Args:
            base_url: Address below which the paths of the interface are.
            api_key: The key, bare (A45).
            timeout: Seconds for each piece that is sent or received, and to connect, for which it
                waits 10 at most. A shorter one gives up calls that the service still works on.
            retries: When a call is made again; `Retries(most=0)`: never.
            http: The httpx client that sends the calls, with your proxies, certificates or
                transport; you close it. Absent: one with httpx's defaults, which verifies
                certificates.
            policy: For half-open periods (A4) and private currencies (A2), and for `verify`.
            sleep: Waits for some seconds.
            chance: Returns a number from 0 to 1.
            clock: Returns seconds from any fixed moment.
            moment: Returns the time, for a `Retry-After` that is a date.
            new_key: Returns a new idempotency key, one for each change.
            is_idempotent: Whether the service makes a change once that is sent twice with its
                key. Absent: the headers of its answers say so.
        """
        self._access = Access(base_url, api_key)
        check_seconds("timeout", timeout, zero=False)
        self._timeout = timeout
        self._retries = Retries() if retries is None else retries
        self._policy = policy
        self._is_own = http is None
        self._http = httpx.AsyncClient() if http is None else http
        time_connections(self._http)
        self._sleep, self._chance, self._clock, self._moment = sleep, chance, clock, moment
        self._new_key, self._is_idempotent = new_key, is_idempotent
        self._tags = EntityTags()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._access.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close its connections; a client that was passed as `http` stays open."""
        if self._is_own:
            await self._http.aclose()

    async def _answer(self, call: Call[T]) -> T:
        started, made = self._clock(), 0
        if not call.is_safe:
            call = call.named(self._new_key())
        while True:
            outcome = await self._outcome(call, started)
            made += 1
            asked = requested_wait(outcome, self._moment())
            spent = self._clock() - started
            wait = self._retries.wait_after(made, chance=self._chance(), asked=asked, spent=spent)
            if wait is None or not await self._may_repeat(call, outcome, started):
                answer = read_outcome(
                    call, outcome, self._access.without_key, policy=self._policy, retry_after=asked
                )
                if isinstance(outcome, Response):
                    self._tags.remember(answer, outcome.headers.get("etag"))
                return answer
            await self._sleep(wait)

    async def _may_repeat(
        self, call: Call[Any], outcome: Response | NoResponse, started: float
    ) -> bool:
        if may_repeat(call, outcome):
            return True
        if call.is_safe or not may_pass(outcome, has_key=True):
            return False
        if self._is_idempotent is None:
            await self._outcome(HEALTH, started)
        return bool(self._is_idempotent)

    async def _outcome(self, call: Call[Any], started: float) -> Response | NoResponse:
        body = BodyReader(self._clock, started + self._retries.deadline)
        try:
            with body.timed():
                return await self._received(call, body)
        except httpx.RequestError as error:
            return no_response_of(error)

    async def _received(self, call: Call[Any], body: BodyReader) -> Response | NoResponse:
        seconds = body.seconds_left(self._timeout)
        async with self._http.stream(
            call.method,
            self._access.url_of(call),
            content=call.body,
            headers=self._access.headers_for(call),
            auth=None,
            follow_redirects=False,
            timeout=httpx.Timeout(seconds, connect=min(seconds, CONNECTING)),
        ) as response:
            if KEPT in response.headers and self._is_idempotent is None:
                self._is_idempotent = True
            async for piece in response.aiter_bytes():
                if not body.accepts(piece):
                    break
            return body.outcome(response.status_code, response.headers)
