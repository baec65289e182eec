"""A service for unit tests: in memory, without a socket, and alike in every run.

Laws: it is the service of `adapters.http` and the client of `adapters.client`, and only the wire
between them is missing; nothing of it varies: ids count from 1, and its clock stops until it
is moved.

It needs the extra `client`.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import TYPE_CHECKING, Final

from rentbilling import BillingPolicy
from rentbilling.adapters.client import AsyncRentalClient, RentalClient, Retries
from rentbilling.adapters.http import Limits, RentalService
from rentbilling.adapters.stores import MemoryKeys, MemoryStores
from rentbilling.errors import shown
from rentbilling.indices import AnyIndices
from rentbilling.service import key_text, stored_key
from rentbilling.values import parse_date

if TYPE_CHECKING:
    import httpx

Moment = datetime | date | str
"""A moment with its offset; a day, or its text, for noon of it in UTC."""

BASE_URL: Final = "https://rent.example"
_SECRET: Final = "for-unit-tests-alone-0123456789abcdef"  # noqa: S105 - opens nothing but memory
_NOON: Final = time(12, tzinfo=UTC)


class ServiceInMemory:
    """A service in memory, and its clients; made by `a_service`.

    It is a context manager: `with` gives a `RentalClient`, `async with` an `AsyncRentalClient`.

    Examples:
        >>> from rentbilling.testing import a_service, a_tenancy
        >>> service = a_service(moment="2026-01-31")
        >>> service.client.create_tenancy(a_tenancy())
        TenancyCreated(tenancy_id='id-1', lease_id='id-2')
        >>> [*service.client_of("another owner").tenancies()]
        []
        >>> service.move_on(days=1)
        >>> service.moment.isoformat()
        '2026-02-01T12:00:00+00:00'
    """

    def __init__(
        self,
        *,
        moment: Moment,
        owner: str,
        indices: AnyIndices,
        policy: BillingPolicy | None,
        most_days: int | None,
    ) -> None:
        self._moment = _moment_of(moment)
        self._owner, self._policy = owner, policy
        self._keys, self._numbers, self._requests = MemoryKeys(), count(1), count(1)
        self._client: RentalClient | None = None
        self._opened: list[httpx.Client] = []
        self._opened_async: list[httpx.AsyncClient] = []
        ids, audit_ids = count(1), count(1)
        self.service: Final = RentalService(
            MemoryStores(),
            self._keys,
            indices=indices,
            policy=policy,
            clock=lambda: self._moment,
            new_id=lambda: f"id-{next(ids)}",
            new_audit_id=lambda: f"audit-{next(audit_ids)}",
            limits=None if most_days is None else Limits(most_days=most_days),
        )
        """The service itself, for a transport of your own: `answer`, `create_app(service)`."""

    @property
    def base_url(self) -> str:
        """An address for its clients, which is never resolved."""
        return BASE_URL

    @property
    def moment(self) -> datetime:
        """Its present moment; figures are those of its day, in its own offset."""
        return self._moment

    def move_to(self, moment: Moment) -> None:
        """Set the clock to a moment with its offset, or to noon UTC of a day."""
        self._moment = _moment_of(moment)

    def move_on(self, *, days: int = 0, hours: int = 0, minutes: int = 0) -> None:
        """Let time pass."""
        self._moment += timedelta(days=days, hours=hours, minutes=minutes)

    def key(self, owner: str | None = None, rights: Iterable[str] = ("*",)) -> str:
        """Return a new API key, with rights such as `leases:read` or with all."""
        text = key_text(f"k{next(self._numbers)}", _SECRET)
        stored = stored_key(
            text,
            owner=self._owner if owner is None else owner,
            name="unit test",
            rights=rights,
            created=self._moment,
        )
        self._keys.add(stored)
        return text

    @property
    def client(self) -> RentalClient:
        """A client of its first owner with all rights, always the same."""
        if self._client is None:
            self._client = self.client_of()
        return self._client

    def client_of(self, owner: str | None = None, rights: Iterable[str] = ("*",)) -> RentalClient:
        """Return a new client with such a key of its own (`key`); it makes no call twice."""
        import httpx  # noqa: PLC0415 - after the client, which says what to install

        http = httpx.Client(transport=self.transport, trust_env=False)
        self._opened.append(http)
        key = self.key(owner, rights)
        return RentalClient(BASE_URL, key, http=http, retries=Retries(most=0), policy=self._policy)

    def async_client_of(
        self, owner: str | None = None, rights: Iterable[str] = ("*",)
    ) -> AsyncRentalClient:
        """Return a new client for an event loop; see `client_of`."""
        import httpx  # noqa: PLC0415 - as above

        http = httpx.AsyncClient(transport=self.transport, trust_env=False)
        self._opened_async.append(http)
        key = self.key(owner, rights)
        return AsyncRentalClient(
            BASE_URL, key, http=http, retries=Retries(most=0), policy=self._policy
        )

    @property
    def transport(self) -> "httpx.MockTransport":
        """What carries a call to it, for clients of httpx of your own, of both kinds."""
        import httpx  # noqa: PLC0415 - as above

        return httpx.MockTransport(self._answered)

    def _answered(self, request: "httpx.Request") -> "httpx.Response":
        import httpx  # noqa: PLC0415 - as above

        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        headers = request.headers.multi_items()
        if "x-request-id" not in request.headers:
            # The service's own ids of requests are by chance, and stand in errors.
            headers.append(("X-Request-Id", f"request-{next(self._requests)}"))
        answer = self.service.answer(request.method, path, query, headers, request.content)
        return httpx.Response(answer.status, headers=[*answer.headers], content=answer.body)

    def close(self) -> None:
        """Close the clients; what was created stays, and `client` is a new one afterwards."""
        self._client = None
        while self._opened:
            self._opened.pop().close()

    async def aclose(self) -> None:
        """Close the clients, those of an event loop too."""
        self.close()
        while self._opened_async:
            await self._opened_async.pop().aclose()

    def __repr__(self) -> str:
        return f"<ServiceInMemory at {self._moment.isoformat()}>"

    def __enter__(self) -> RentalClient:
        return self.client

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> AsyncRentalClient:
        return self.async_client_of()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def a_service(
    *,
    moment: Moment = "2026-01-01",
    owner: str = "acme",
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    most_days: int | None = None,
) -> ServiceInMemory:
    """Return a service in memory, to test what calls one: no socket, no server, no waiting.

    Args:
        moment: What it takes for now, until it is moved: a day is noon of it in UTC.
        owner: The owner of its first client.
        indices: Index series that plans name.
        policy: The policy of all bills, and of the clients.
        most_days: Days of a period that may be asked for at once; absent: as a service has it.

    Returns:
        The service; `with` gives its client, `async with` one for an event loop.

    Raises:
        ImportError: The extra `client` is not installed.
        TypeError: The moment has no offset, or is none.
        InvalidPeriodError: The text of the moment is no day.

    Examples:
        >>> from rentbilling.testing import a_rent, a_tenancy
        >>> with a_service() as client:
        ...     lease_id = client.create_tenancy(a_tenancy()).lease_id
        ...     created = client.create_recurring_bill_item(lease_id, a_rent(amount="8500.00"))
        ...     bills = client.pending_bills(lease_id, "2026-02-01/2026-02-28")
        >>> created.recurring_bill_item_id, str(bills[0].total)
        ('id-3', '8500.00 DKK')
    """
    return ServiceInMemory(
        moment=moment, owner=owner, indices=indices, policy=policy, most_days=most_days
    )


def _moment_of(given: Moment) -> datetime:
    """Return a moment, that of a day at noon in UTC."""
    if isinstance(given, str):
        given = datetime.fromisoformat(given) if "T" in given else parse_date(given)
    if isinstance(given, datetime):
        if given.tzinfo is None:
            raise TypeError(f"a moment has an offset, which {shown(given)} has not")
        return given
    if not isinstance(given, date):
        raise TypeError(f"a moment is a day, a datetime, or the text of one, not {shown(given)}")
    return datetime.combine(given, _NOON)
