"""A service for tests: stores in memory, keys of two owners, a clock that never moves.

It is noon on 31 January 2026 in UTC. Ids of new objects are id-1, id-2 … in order.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from rentbilling.adapters.http import HttpAnswer, Limits, RentalService
from rentbilling.adapters.stores import MemoryKeys, MemoryStores
from rentbilling.records import read_json
from rentbilling.service import key_text, stored_key

NOON: Final = datetime(2026, 1, 31, 12, tzinfo=UTC)
SECRET: Final = "0123456789abcdef0123456789abcdef"  # noqa: S105
KEY: Final = key_text("all", SECRET)
READER: Final = key_text("reader", SECRET)
BILLS_ALONE: Final = key_text("bills", SECRET)
STRANGER: Final = key_text("stranger", SECRET)
JSON_BODY: Final = "application/json"
PROBLEM_BODY: Final = "application/problem+json"

ADDRESS: Final = {
    "streetName": "Nygade",
    "streetNumber": "7",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
}
TENANCY: Final = {"purpose": "key:residential", "address": ADDRESS}
RENT: Final = {
    "productKey": "key:rent",
    "amount": {"currency": "DKK", "amount": 8500},
    "vat": {"taxMode": "Exempt"},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-15",
    "firstBillingPeriodBillItem": {
        "amount": {"currency": "DKK", "amount": 4661.29},
        "dueDate": "2026-01-15",
        "accountingPeriod": "2026-01-15/2026-01-31",
    },
}


def keys() -> MemoryKeys:
    """Return the keys: of acme all rights, reading alone, bills alone; of a stranger all rights."""
    ring = MemoryKeys()
    for text, owner, rights in (
        (KEY, "acme", ["*"]),
        (READER, "acme", ["*:read"]),
        (BILLS_ALONE, "acme", ["pending-bills:read"]),
        (STRANGER, "stranger", ["*"]),
    ):
        ring.add(stored_key(text, owner=owner, name="", rights=rights, created=NOON))
    return ring


def service(limits: Limits | None = None, **told: Any) -> RentalService:  # noqa: ANN401
    numbers, audits = count(1), count(1)
    given: dict[str, Any] = {
        "stores": MemoryStores(),
        "keys": keys(),
        "clock": lambda: NOON,
        "new_id": lambda: f"id-{next(numbers)}",
        "new_audit_id": lambda: f"audit-{next(audits)}",
        "limits": limits,
    }
    return RentalService(**{**given, **told})


def data_of(answer: HttpAnswer) -> Any:  # noqa: ANN401
    return read_json(answer.body)


def ask(
    of: RentalService,
    method: str,
    address: str,
    body: object = None,
    *,
    key: str = KEY,
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    """Ask a service something: an address with its query, and a body that is sent as JSON."""
    path, _, query = address.partition("?")
    given = {"Authorization": key}
    sent = b""
    if body is not None:
        given["Content-Type"] = JSON_BODY
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return of.answer(method, path, query, {**given, **(headers or {})}, sent)


def with_lease(of: RentalService, *items: Mapping[str, Any]) -> str:
    """Create a tenancy with its draft lease and items of it; return the lease's id."""
    lease_id: str = data_of(ask(of, "POST", "/tenancies", TENANCY))["leaseId"]
    for item in items:
        body = {"leaseId": lease_id, "recurringBillItem": item}
        created = ask(of, "POST", "/recurring-bill-items", body)
        assert 201 == created.status, created.body
    return lease_id


def check_problem(answer: HttpAnswer, status: int, code: str, *paths: str) -> Any:  # noqa: ANN401
    """See that an answer is a whole problem document with this code; return its data."""
    data = data_of(answer)
    headers = dict(answer.headers)
    assert (status, code) == (answer.status, data["code"]), answer.body
    assert PROBLEM_BODY == headers["Content-Type"]
    assert str(len(answer.body)) == headers["Content-Length"]
    assert (status, headers["X-Request-Id"]) == (data["status"], data["requestId"])
    assert data["type"].startswith("/problems/")
    assert data["title"]
    assert data["detail"]
    assert list(paths) == [each["path"] for each in data.get("problems", ())]
    for each in data.get("problems", ()):
        assert {"path", "code", "message", "met", "expected"} == each.keys()
    return data


Message = MutableMapping[str, Any]
App = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


@dataclass
class Exchange:
    """What an application of ASGI was sent and sent back."""

    taken: int = 0
    """Messages of the body that it asked for."""
    sent: list[Message] = field(default_factory=list)

    @property
    def status(self) -> int:
        status: int = self.sent[0]["status"]
        return status

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(each.get("body", b"") for each in self.sent[1:])


def scope_of(method: str, address: str, headers: Mapping[str, str], **more: Any) -> Message:  # noqa: ANN401
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), text.encode()) for name, text in headers.items()],
        **more,
    }


def exchange(
    app: App,
    scope: Message,
    parts: Iterable[bytes | float | None] = (b"",),
    *,
    on_send: Callable[[Message], None] | None = None,
) -> Exchange:
    """Send a request to an application of ASGI, and return what came of it.

    Args:
        app: The application.
        scope: The scope.
        parts: The body in parts; a number is so many seconds of silence, None a caller who
            hangs up, and after the last part nothing more comes.
        on_send: Called with each message that comes back.
    """
    found = Exchange()
    left = list(parts)

    async def receive() -> Message:
        found.taken += 1
        if not left:
            await asyncio.sleep(60)
        part = left.pop(0)
        while isinstance(part, float):
            await asyncio.sleep(part)
            part = left.pop(0)
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": bool(left)}

    async def send(message: Message) -> None:
        if on_send is not None:
            on_send(message)
        found.sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    asyncio.run(run())
    return found
