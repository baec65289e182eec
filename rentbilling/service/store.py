"""The store of an owner's objects, as operations use it, and the context of an operation.

Laws: a store is that of one owner, within one transaction, so that no operation can reach objects
of another owner or leave half of a change behind; pages come in order of creation (A43).
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from rentbilling.errors import NotFoundError, RentBillingError, shown
from rentbilling.indices import AnyIndices
from rentbilling.interface import AuditRecord, Lease, Payout, Product, Tenancy
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import Record
from rentbilling.terms import Balance, OneTimeBillItem, RecurringBillItem, RentAdjustmentPlan
from rentbilling.values import Period

K = TypeVar("K", bound=Record)
V = TypeVar("V")

KINDS: Final = (
    Tenancy,
    Lease,
    RecurringBillItem,
    OneTimeBillItem,
    RentAdjustmentPlan,
    Balance,
    Product,
    Payout,
    AuditRecord,
)
"""The kinds of objects: a tenancy without its leases, a lease without its figures. Items, plans and
balances belong to their lease, a lease to its tenancy, a product to its key and an audit record to
its object (so that they are found by it), the others to none."""


def unknown_id(kind: type[Record], object_id: str) -> NotFoundError:
    """Return the error for an id that the owner does not have.

    Examples:
        >>> print(unknown_id(Lease, "lease-7"))
        there is no lease with the id lease-7
    """
    return NotFoundError("unknown_id", kind=called(kind), id=object_id)


def called(kind: type[Record]) -> str:
    """Return the name of a kind of object in a message.

    Examples:
        >>> called(RecurringBillItem)
        'recurring bill item'
    """
    return _CAPITAL.sub(" ", kind.__name__).lower().replace("one time", "one-time")


_CAPITAL: Final = re.compile("(?<=[a-z])(?=[A-Z])")


class StoreError(RentBillingError):
    """The store failed, and nothing of a change was stored: a fault of the software or the disk.

    Codes: `store_failed`, `damaged_database`; at opening also `no_database`, `newer_database`
    (facts `found` and `known`) and `wrong_encoding` (fact `found`).
    """

    def __str__(self) -> str:
        said = _FAILED.get(self.code)
        return said.format_map(self.facts) if said else super().__str__()


class StoreUnavailableError(StoreError):
    """The store cannot be reached, or is too busy, at the moment: ask again later.

    Code: `store_unavailable`. Fact `reason`: `unreachable`, `lost`, `busy`, `full`, `read-only`,
    `unreadable` (the disk fails) or `gone` (the file was deleted or replaced). After `lost` and
    `gone`, look whether the change was stored before asking again.

    Examples:
        >>> print(StoreUnavailableError("store_unavailable", reason="busy"))
        the database is busy
    """


_FAILED: Final = MappingProxyType(
    {
        "store_failed": "the database failed",
        "no_database": "the file is no database",
        "damaged_database": "the file is damaged: restore a backup",
        "store_unavailable": "the database is {reason}",
        "newer_database": "the database has version {found}, and this release knows versions up to"
        " {known}: use a newer release",
        "wrong_encoding": "the database keeps texts as {found}: make one with the encoding UTF8",
    }
)
"""The message of each code, with the facts filled in."""


class Stored(NamedTuple, Generic[K]):
    """An object, with the object that it belongs to."""

    record: K
    id: str
    """Its id, one of its own among the owner's objects of its kind."""
    belongs_to: str | None = None
    """Id of the lease or tenancy that it belongs to; of a product, its key."""


def days_of(item: OneTimeBillItem) -> tuple[date, date]:
    """Return the days of which one decides whether an item is billed: by policy (A15).

    The due date, and the first of the days that it belongs to.

    Examples:
        >>> from rentbilling import Amount, Period, Vat
        >>> fee = OneTimeBillItem(product_key="key:fee", amount=Amount(100, "DKK"),
        ...     vat=Vat("Exempt"), due_date=date(2026, 3, 1),
        ...     accounting_period=Period.parse("2026-02-01/2026-02-28"))
        >>> [str(day) for day in days_of(fee)]
        ['2026-03-01', '2026-02-01']
    """
    return item.due_date, item.accounting_period.start


class KeptAnswer(NamedTuple):
    """The answer to a change that was sent with an idempotency key."""

    digest: str
    """Digest of the request, to recognize another one with the same key."""
    status: int
    """Its status over HTTP."""
    body: str
    moment: datetime
    """When it was given, with its offset."""


class Store(Protocol):
    """The objects of one owner, within one transaction.

    An embedder's own store has these eight methods; `tests/adapters/stores` in the sources tries
    any.
    """

    def add(self, stored: Stored[K]) -> None:
        """Add a new object, after all others of its kind.

        Raises:
            ConflictError: `duplicate_id` (facts `kind` and `id`): the owner has, or had, one of
                this kind with this id.
        """
        ...

    def replace(self, stored: Stored[K]) -> None:
        """Replace an object by another state of it, at its place.

        Raises:
            NotFoundError: `unknown_id`: the owner has none of this kind with this id.
        """
        ...

    def remove(self, kind: type[K], object_id: str) -> None:
        """Remove an object but its place, so that a page can still begin after it (A43).

        Raises:
            NotFoundError: `unknown_id`: the owner has none of this kind with this id.
        """
        ...

    def find(self, kind: type[K], object_id: str) -> Stored[K] | None:
        """Return an object, None where the owner has none of this kind with this id.

        In a transaction for writing, no other one changes it before the transaction ends.
        """
        ...

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Stored[K]]:
        """Return those of some objects that the owner has, by id, in the order of the ids."""
        ...

    def page(
        self,
        kind: type[K],
        *,
        limit: int,
        after: str | None = None,
        belongs_to: str | None = None,
    ) -> Sequence[Stored[K]]:
        """Return the next objects of a kind after the one `after`, which may be removed.

        Raises:
            NotFoundError: `unknown_cursor`: the owner never had one of this kind with the id.
        """
        ...

    def belonging(
        self, kind: type[K], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[K]]]:
        """Return for each lease or tenancy its objects of a kind, in order of creation.

        Of one-time items, a store may leave out those of which `days` have none of `days_of`.
        """
        ...

    def count(self, kind: type[K], belongs_to: str) -> int:
        """Return how many objects of a kind belong to a lease or tenancy."""
        ...


class ServedStore(Store, Protocol):
    """A store that the service opens, with the answers to idempotency keys: ten methods."""

    def kept_answer(self, key: str) -> KeptAnswer | None:
        """Return the answer that was kept for an idempotency key of the owner, or None."""
        ...

    def keep_answer(self, key: str, answer: KeptAnswer, *, since: datetime) -> None:
        """Keep an answer, in place of an older one, and delete those from before `since`."""
        ...


class Stores(Protocol):
    """Opens the store of an owner for one operation."""

    def reading(self, owner: str) -> AbstractContextManager[ServedStore]:
        """Return the owner's store as it is at one moment; nothing is written."""
        ...

    def writing(self, owner: str) -> AbstractContextManager[ServedStore]:
        """Return the owner's store for a change, committed at the end, or not at all on an error.

        Changes of one owner happen one after another.
        """
        ...


class Remembering(Protocol):
    """Returns what was made for a key, or makes it; the size is what it takes of a cache."""

    def __call__(self, key: Hashable, size: int, make: Callable[[], V], /) -> V: ...


def _made_anew(_key: Hashable, _size: int, make: Callable[[], V]) -> V:
    return make()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an operation needs from its caller, because the core has no clock and no random source.

    Examples:
        >>> from datetime import UTC
        >>> from itertools import count
        >>> numbers = count(1)
        >>> context = Context(moment=datetime(2026, 1, 31, 12, tzinfo=UTC),
        ...               new_id=lambda: f"id-{next(numbers)}")
        >>> context.day, context.new_id()
        (datetime.date(2026, 1, 31), 'id-1')
    """

    moment: datetime
    """Now, with its offset."""
    new_id: Callable[[], str]
    """Returns a new id, different from all others."""
    today: date | None = None
    """The day of the figures in answers; absent: the day of `moment`, in its own offset."""
    indices: AnyIndices = None
    """The index series that plans name."""
    policy: BillingPolicy = DEFAULT
    """The policy of all bills."""
    most_days: int = 3_660
    """Days of a requested period, at most."""
    remembered: Remembering = _made_anew
    """Returns what was made before for the same key under the same policy and indices."""

    def __post_init__(self) -> None:
        """Refuse a moment without an offset.

        Raises:
            TypeError: The moment has no offset.
        """
        if self.moment.tzinfo is None:
            raise TypeError(f"a moment has an offset, which {shown(self.moment)} has not")

    @property
    def day(self) -> date:
        """The day of the figures in answers."""
        return self.today or self.moment.date()
