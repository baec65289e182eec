"""Stores in memory: for tests, for trying, and for data that is stored elsewhere.

Laws: they answer as a database does; a change that fails leaves everything as it was; threads see
whole changes only. A page or change takes time in proportion to the objects of its kind.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import dropwhile, islice
from threading import Lock, RLock
from typing import Any, Self, TypeVar

from rentbilling.adapters.stores.stored_texts import known_kind, own_copy, short_enough, until_end
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.records import Record
from rentbilling.service import KeptAnswer, Stored, StoredKey, called, days_of, unknown_id
from rentbilling.terms import OneTimeBillItem
from rentbilling.values import Period

K = TypeVar("K", bound=Record)


Shelf = dict[str, Stored[Any] | None]
"""The objects of a kind by id, in order of creation; None at the place of one that was removed."""


class _Owner:
    """All that one owner has. A change replaces the shelves that it changed by changed copies."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.shelves: dict[type[Any], Shelf] = {}
        self.answers: Mapping[str, KeptAnswer] = {}
        self.is_changing = False


class _MemoryStore:
    """An owner's objects within one transaction, with the methods of `Store`."""

    def __init__(self, owner: _Owner, *, writes: bool) -> None:
        self._shelves: dict[type[Any], Shelf] | None = dict(owner.shelves)
        self._answers = owner.answers
        self._owner, self._writes = owner, writes
        self._copied: set[type[Any]] = set()

    def end(self, *, commit: bool) -> None:
        """End the transaction; others see what was changed from now on, or never."""
        if commit and self._shelves is not None:
            self._owner.shelves, self._owner.answers = self._shelves, self._answers
        self._shelves = None

    def _open(self, *, writes: bool = False) -> dict[type[Any], Shelf]:
        """Return the shelves while the transaction lasts."""
        if self._shelves is None:
            raise RuntimeError("the transaction of this store has ended")
        if writes and not self._writes:
            raise TypeError("this store was opened for reading: open it by writing(owner)")
        return self._shelves

    def _shelf(self, kind: type[Any], *, writes: bool = False) -> Shelf:
        """Return the objects of a kind; a copy where they change."""
        shelves = self._open(writes=writes)
        shelf = shelves.get(known_kind(kind), {})
        if writes and kind not in self._copied:
            shelf = shelves[kind] = dict(shelf)
            self._copied.add(kind)
        return shelf

    def add(self, stored: Stored[K]) -> None:
        kind = type(stored.record)
        shelf, own = self._shelf(kind, writes=True), _own(stored)
        if short_enough(stored.id) in shelf:
            raise ConflictError("duplicate_id", kind=called(kind), id=stored.id)
        shelf[stored.id] = own

    def replace(self, stored: Stored[K]) -> None:
        self._put(type(stored.record), stored.id, _own(stored))

    def remove(self, kind: type[K], object_id: str) -> None:
        self._put(kind, object_id, None)

    def _put(self, kind: type[Any], object_id: str, stored: Stored[Any] | None) -> None:
        shelf = self._shelf(kind, writes=True)
        if shelf.get(object_id) is None:
            raise unknown_id(kind, object_id)
        shelf[object_id] = stored

    def find(self, kind: type[K], object_id: str) -> Stored[K] | None:
        return self.several(kind, [object_id]).get(object_id)

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Stored[K]]:
        shelf = self._shelf(kind)
        return {each: _own(stored) for each in ids if (stored := shelf.get(each)) is not None}

    def page(
        self,
        kind: type[K],
        *,
        limit: int,
        after: str | None = None,
        belongs_to: str | None = None,
    ) -> Sequence[Stored[K]]:
        shelf = self._shelf(kind)
        ids: Iterator[str] = iter(shelf)
        if after is not None:
            if after not in shelf:
                raise NotFoundError("unknown_cursor", kind=called(kind), id=after)
            ids = islice(dropwhile(lambda each: each != after, ids), 1, None)
        found = (
            _own(stored)
            for each in ids
            if (stored := shelf[each]) is not None and belongs_to in (None, stored.belongs_to)
        )
        return list(islice(found, max(limit, 0)))

    def belonging(
        self, kind: type[K], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[K]]]:
        found: dict[str, list[Stored[K]]] = {each: [] for each in to}
        for stored in self._shelf(kind).values():
            if stored is not None and stored.belongs_to in found and _is_of(stored.record, days):
                found[stored.belongs_to].append(_own(stored))
        return found

    def count(self, kind: type[K], belongs_to: str) -> int:
        shelf = self._shelf(kind).values()
        return sum(each is not None and each.belongs_to == belongs_to for each in shelf)

    def kept_answer(self, key: str) -> KeptAnswer | None:
        self._open()
        return self._answers.get(key)

    def keep_answer(self, key: str, answer: KeptAnswer, *, since: datetime) -> None:
        self._open(writes=True)
        younger = {each: old for each, old in self._answers.items() if old.moment >= since}
        self._answers = {**younger, short_enough(key): answer}


def _is_of(record: Record, days: Period | None) -> bool:
    """Return whether a record can have something in some days."""
    if days is None or not isinstance(record, OneTimeBillItem):
        return True
    return any(days.start <= day <= days.end for day in days_of(record))


def _own(stored: Stored[K]) -> Stored[K]:
    """Return an object that shares nothing with the given one that could be changed."""
    if stored.belongs_to is not None:
        short_enough(stored.belongs_to)
    record = own_copy(stored.record)
    return stored if record is stored.record else stored._replace(record=record)


class MemoryStores:
    """Stores of all owners in the memory of this process.

    Operations of one owner wait for each other, whether they read or write; those of different
    owners do not.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> stores = MemoryStores()
        >>> with stores.writing("acme") as store:
        ...     store.add(Stored(Payout(id="payout-1"), "payout-1"))
        >>> with stores.reading("other") as store:
        ...     store.find(Payout, "payout-1")
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._owners: dict[str, _Owner] = {}
        self.keys = MemoryKeys()
        """API keys, in memory too."""

    @contextmanager
    def reading(self, owner: str) -> Generator[_MemoryStore]:
        """Return the owner's store as it is at one moment; see `Stores.reading`."""
        # Reading adds no owner.
        known = self._owners.get(owner) or _Owner()
        with known.lock, until_end(_MemoryStore(known, writes=False)) as store:
            yield store

    @contextmanager
    def writing(self, owner: str) -> Generator[_MemoryStore]:
        """Return the owner's store for a change; see `Stores.writing`.

        Raises:
            RuntimeError: The same thread is within a change of this owner already.
        """
        with self._lock:
            known = self._owners.setdefault(short_enough(owner), _Owner())
        with known.lock:
            if known.is_changing:
                raise RuntimeError("a change of an owner's objects cannot hold another one")
            known.is_changing = True
            try:
                with until_end(_MemoryStore(known, writes=True)) as store:
                    yield store
            finally:
                known.is_changing = False

    def close(self) -> None:
        """Do nothing: there is no connection to close."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MemoryKeys:
    """API keys in the memory of this process.

    Examples:
        >>> MemoryKeys().find("k7f3")
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: dict[str, StoredKey] = {}

    def add(self, key: StoredKey) -> None:
        """Add a new key; see `KeyRing.add`.

        Raises:
            ConflictError: There is a key with this id.
        """
        with self._lock:
            if key.key_id in self._keys:
                raise ConflictError("duplicate_id", kind="key", id=key.key_id)
            self._keys[key.key_id] = key

    def find(self, key_id: str) -> StoredKey | None:
        """Return the record of a key, or None; see `KeyRing.find`."""
        return self._keys.get(key_id)

    def revoke(self, key_id: str, moment: datetime) -> None:
        """Revoke a key; see `KeyRing.revoke`.

        Raises:
            NotFoundError: There is no key with this id.
        """
        with self._lock:
            key = self._keys.get(key_id)
            if key is None:
                raise NotFoundError("unknown_id", kind="key", id=key_id)
            if key.revoked is None:
                self._keys[key_id] = key._replace(revoked=moment)

    def listed(self, owner: str | None = None) -> Sequence[StoredKey]:
        """Return all keys, or those of an owner; see `KeyRing.listed`."""
        with self._lock:
            found = [key for key in self._keys.values() if owner in (None, key.owner)]
        return sorted(found, key=lambda key: (key.created, key.key_id))
