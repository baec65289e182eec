"""Stores in memory: for tests, for trying, and for who keeps everything elsewhere.

Laws: they answer as a database does; a change that fails leaves everything as it was; threads see
whole changes only.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from operator import attrgetter
from threading import Lock, RLock
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from rentbilling.adapters.stores.kept_texts import known_kind, own_copy, short_enough
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.records.record import Record
from rentbilling.service.keys import KeptKey
from rentbilling.service.store import Kept, called, unknown_id

K = TypeVar("K", bound=Record)


class _Slot:
    """The place of one object, which stays when the object is removed."""

    __slots__ = ("kept", "place")

    def __init__(self, place: int) -> None:
        self.place = place
        self.kept: Kept[Any] | None = None


_PLACE: Final = attrgetter("place")


class _Shelf:
    """The objects of one kind of an owner, in order of creation."""

    def __init__(self) -> None:
        self.by_id: dict[str, _Slot] = {}
        self.slots: list[_Slot] = []
        self._below: dict[str, list[_Slot]] = {}

    def put(self, slot: _Slot, kept: Kept[Any] | None) -> None:
        """Keep an object, or none, at its place."""
        before = slot.kept.belongs_to if slot.kept else None
        after = kept.belongs_to if kept else None
        if before != after:
            if before is not None:
                beside = self._below[before]
                del beside[bisect_left(beside, slot.place, key=_PLACE)]
                if not beside:
                    del self._below[before]
            if after is not None:
                insort(self._below.setdefault(after, []), slot, key=_PLACE)
        slot.kept = kept

    def below(self, above: str) -> Sequence[_Slot]:
        """Return the places of what belongs to a lease or tenancy, in order."""
        return self._below.get(above, ())


class _Owner:
    """All that one owner has."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.shelves: dict[type[Any], _Shelf] = {}
        self.places = 0
        self.is_changing = False

    def shelf(self, kind: type[Any]) -> _Shelf:
        """Return the objects of a kind."""
        shelf = self.shelves.get(known_kind(kind))
        if shelf is None:
            shelf = self.shelves[kind] = _Shelf()
        return shelf


class _MemoryStore:
    """An owner's objects within one transaction."""

    def __init__(self, owner: _Owner, *, writes: bool) -> None:
        self._owner: _Owner | None = owner
        self._writes = writes
        self._undo: list[Callable[[], None]] = []

    def end(self, *, kept: bool) -> None:
        """End the transaction: what was changed stays, or is taken back, the last change first."""
        while self._undo and not kept:
            self._undo.pop()()
        self._owner = None

    def _shelf(self, kind: type[Any], *, writes: bool = False) -> _Shelf:
        """Return the objects of a kind, while the transaction lasts."""
        if self._owner is None:
            raise RuntimeError("the transaction of this store has ended")
        if writes and not self._writes:
            raise TypeError("this store was opened for reading: open it by writing(owner)")
        return self._owner.shelf(kind)

    def add(self, kept: Kept[K]) -> None:
        """Keep a new object; see `Store.add`.

        Raises:
            ConflictError: The owner has, or had, one of this kind with this id.
        """
        shelf, owner = self._shelf(type(kept.record), writes=True), self._owner
        _check_above(kept)
        if short_enough(kept.id) in shelf.by_id or owner is None:
            raise ConflictError("duplicate_id", kind=called(type(kept.record)), id=kept.id)
        slot = _Slot(owner.places + 1)

        def undo() -> None:
            shelf.put(slot, None)
            shelf.slots.pop()
            del shelf.by_id[kept.id]
            owner.places -= 1

        owner.places += 1
        shelf.slots.append(slot)
        shelf.by_id[kept.id] = slot
        shelf.put(slot, _own(kept))
        self._undo.append(undo)

    def replace(self, kept: Kept[K]) -> None:
        """Keep another state of an object; see `Store.replace`."""
        _check_above(kept)
        self._put(type(kept.record), kept.id, _own(kept))

    def remove(self, kind: type[K], object_id: str) -> None:
        """Forget an object but its place; see `Store.remove`."""
        self._put(kind, object_id, None)

    def _put(self, kind: type[Any], object_id: str, kept: Kept[Any] | None) -> None:
        """Keep another state of an object, or none."""
        shelf = self._shelf(kind, writes=True)
        slot = shelf.by_id.get(object_id)
        if slot is None or slot.kept is None:
            raise unknown_id(kind, object_id)
        before = slot.kept
        shelf.put(slot, kept)
        self._undo.append(lambda: shelf.put(slot, before))

    def find(self, kind: type[K], object_id: str) -> Kept[K] | None:
        """Return an object, or None; see `Store.find`."""
        slot = self._shelf(kind).by_id.get(object_id)
        return _own(slot.kept) if slot and slot.kept else None

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Kept[K]]:
        """Return some objects by their ids; see `Store.several`."""
        slots = self._shelf(kind).by_id
        found = {each: slots[each].kept for each in ids if each in slots}
        return {each: _own(kept) for each, kept in found.items() if kept}

    def page(
        self,
        kind: type[K],
        *,
        limit: int,
        after: str | None = None,
        belongs_to: str | None = None,
    ) -> Sequence[Kept[K]]:
        """Return the next objects of a kind; see `Store.page`.

        Raises:
            NotFoundError: The owner never had one of this kind with the id `after`.
        """
        shelf = self._shelf(kind)
        place = 0
        if after is not None:
            if after not in shelf.by_id:
                raise NotFoundError("unknown_cursor", kind=called(kind), id=after)
            place = shelf.by_id[after].place
        slots = shelf.slots if belongs_to is None else shelf.below(belongs_to)
        found: list[Kept[K]] = []
        for at in range(bisect_right(slots, place, key=_PLACE), len(slots)):
            if len(found) >= limit:
                break
            kept = slots[at].kept
            if kept is not None:
                found.append(_own(kept))
        return found

    def belonging(self, kind: type[K], to: Sequence[str]) -> Mapping[str, Sequence[Kept[K]]]:
        """Return the objects that belong to some leases or tenancies; see `Store.belonging`."""
        shelf = self._shelf(kind)
        return {each: [_own(slot.kept) for slot in shelf.below(each) if slot.kept] for each in to}


def _check_above(kept: Kept[Any]) -> None:
    """Refuse what belongs to something that no id can name."""
    if kept.belongs_to is not None:
        short_enough(kept.belongs_to)


def _own(kept: Kept[K]) -> Kept[K]:
    """Return an object that shares nothing with the given one that could be changed."""
    record = own_copy(kept.record)
    return kept if record is kept.record else kept._replace(record=record)


class MemoryStores:
    """Stores of all owners in the memory of this process.

    Operations of one owner wait for each other, whether they read or write; those of different
    owners do not.

    Examples:
        >>> from rentbilling.interface.payouts import Payout
        >>> stores = MemoryStores()
        >>> with stores.writing("acme") as store:
        ...     store.add(Kept(Payout(id="payout-1"), "payout-1"))
        >>> with stores.reading("other") as store:
        ...     store.find(Payout, "payout-1")
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._owners: dict[str, _Owner] = {}
        self.keys = MemoryKeys()
        """API keys, as forgetful as the stores."""

    @contextmanager
    def reading(self, owner: str) -> Generator[_MemoryStore]:
        """Return the owner's store as it is at one moment; see `Stores.reading`.

        Yields:
            The store.
        """
        # An owner who has nothing gets nothing by being asked for.
        known = self._owners.get(owner) or _Owner()
        with known.lock:
            store = _MemoryStore(known, writes=False)
            try:
                yield store
            finally:
                store.end(kept=True)

    @contextmanager
    def writing(self, owner: str) -> Generator[_MemoryStore]:
        """Return the owner's store for a change; see `Stores.writing`.

        Yields:
            The store.

        Raises:
            RuntimeError: The same thread is within a change of this owner already.
        """
        with self._lock:
            known = self._owners.setdefault(short_enough(owner), _Owner())
        with known.lock:
            if known.is_changing:
                raise RuntimeError("a change of an owner's objects cannot hold another one")
            known.is_changing, store, ended_well = True, _MemoryStore(known, writes=True), False
            try:
                yield store
                ended_well = True
            finally:
                store.end(kept=ended_well)
                known.is_changing = False

    def close(self) -> None:
        """Let go of what is held, which is nothing here."""

    def __enter__(self) -> Self:
        """Return the stores."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of what is held."""
        self.close()


class MemoryKeys:
    """API keys in the memory of this process.

    Examples:
        >>> MemoryKeys().find("k7f3")
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: dict[str, KeptKey] = {}

    def add(self, key: KeptKey) -> None:
        """Keep a new key; see `KeyRing.add`.

        Raises:
            ConflictError: There is a key with this id.
        """
        with self._lock:
            if key.key_id in self._keys:
                raise ConflictError("duplicate_id", kind="key", id=key.key_id)
            self._keys[key.key_id] = key

    def find(self, key_id: str) -> KeptKey | None:
        """Return what is kept of a key, or None; see `KeyRing.find`."""
        return self._keys.get(key_id)

    def revoke(self, key_id: str, moment: datetime) -> None:
        """Let a key open nothing from now on; see `KeyRing.revoke`.

        Raises:
            NotFoundError: There is no key with this id.
        """
        with self._lock:
            key = self._keys.get(key_id)
            if key is None:
                raise NotFoundError("unknown_id", kind="key", id=key_id)
            if key.revoked is None:
                self._keys[key_id] = key._replace(revoked=moment)

    def listed(self, owner: str | None = None) -> Sequence[KeptKey]:
        """Return all keys, or those of an owner; see `KeyRing.listed`."""
        with self._lock:
            found = [key for key in self._keys.values() if owner in (None, key.owner)]
        return sorted(found, key=lambda key: (key.created, key.key_id))
