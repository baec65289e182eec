"""Either client before a service that is a function, in a time that passes only when told to."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import httpx

from rentbilling.adapters.client import AsyncRentalClient, RentalClient

KEY = "rent_7f3a_not-so-secret-after-all"
BASE = "https://rent.example/api"
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
Service = Callable[[httpx.Request], httpx.Response]
Act = Callable[[RentalClient], Any]


def says(data: object, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=data, headers=headers)


def always(data: object, status: int = 200, **headers: str) -> Service:
    return lambda _: says(data, status, **headers)


def in_turn(*answers: httpx.Response | Exception) -> Service:
    waiting = iter(answers)

    def service(_: httpx.Request) -> httpx.Response:
        answer = next(waiting)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return service


def body_of(request: httpx.Request) -> Any:  # noqa: ANN401 - whatever was sent
    return json.loads(request.content)


def target_of(request: httpx.Request) -> str:
    return request.url.raw_path.decode()


class Caller(ABC):
    """A client, what it sent, and the waits that it made."""

    def __init__(self) -> None:
        self.sent: list[httpx.Request] = []
        self.waits: list[float] = []
        self.seconds = 0.0

    def told(self, service: Service, act: Act, **options: Any) -> Any:  # noqa: ANN401
        """Return what an act on the client gives; of an iterator all that it gives."""

        def seen(request: httpx.Request) -> httpx.Response:
            self.sent.append(request)
            return service(request)

        return self._told(httpx.MockTransport(seen), act, self._options(options))

    def refusal(self, service: Service, act: Act, **options: Any) -> Exception:  # noqa: ANN401
        try:
            found = self.told(service, act, **options)
        except Exception as error:  # noqa: BLE001 - the test says which it expects
            return error
        raise AssertionError(f"no error, but {found!r}")

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        return {
            "base_url": BASE,
            "api_key": KEY,
            "chance": lambda: 1.0,
            "clock": lambda: self.seconds,
            "moment": lambda: NOON + timedelta(seconds=self.seconds),
            **given,
        }

    def _slept(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    @abstractmethod
    def _told(self, transport: httpx.MockTransport, act: Act, options: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return what an act gives."""


class SyncCaller(Caller):
    """The client that waits."""

    def _told(self, transport: httpx.MockTransport, act: Act, options: dict[str, Any]) -> Any:  # noqa: ANN401
        with httpx.Client(transport=transport) as http:
            client = RentalClient(http=http, sleep=self._slept, **options)
            found = act(client)
            return list(found) if isinstance(found, Iterator) else found


class AsyncCaller(Caller):
    """The client of an event loop."""

    def _told(self, transport: httpx.MockTransport, act: Act, options: dict[str, Any]) -> Any:  # noqa: ANN401
        async def slept(seconds: float) -> None:
            await asyncio.sleep(0)
            self._slept(seconds)

        async def main() -> Any:  # noqa: ANN401
            async with httpx.AsyncClient(transport=transport) as http:
                client = AsyncRentalClient(http=http, sleep=slept, **options)
                # Its methods have the names and arguments of the other's.
                found: Any = act(cast("RentalClient", client))
                return await settled(found)

        return asyncio.run(main())


async def settled(found: Any) -> Any:  # noqa: ANN401
    if isinstance(found, AsyncIterator):
        return [each async for each in found]
    return await found if isinstance(found, Awaitable) else found
