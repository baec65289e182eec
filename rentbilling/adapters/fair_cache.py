"""A cache in which no owner takes away the place of another.

Law: what is found is what would be made: nothing in a key changes, or can be changed.
"""

from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class _Share(dict[Hashable, tuple[V, int]]):
    """Values and sizes of an owner by their keys, the one that was used last at the end."""

    size = 0


class FairCache(Generic[V]):
    """Values by owner and key, up to a size of all together; several threads may use it.

    An owner with more than an equal part of it makes room for others.

    Examples:
        >>> cache = FairCache[str](most=10)
        >>> for owner, size in (("a", 9), ("b", 4), ("b", 5), ("a", 9)):
        ...     cache.value_of(owner, size, size, lambda: f"made for {owner}")
        'made for a'
        'made for b'
        'made for b'
        'made for a'
    """

    def __init__(self, most: int) -> None:
        """Take the size of all values together."""
        self._most, self._size = most, 0
        self._owners: dict[str, _Share[V]] = {}
        self._lock = Lock()

    def value_of(self, owner: str, key: Hashable, size: int, make: Callable[[], V]) -> V:
        """Return the value of an owner for a key, which is made if it is not there."""
        (found,) = self.found(owner, (key,))
        if found is not None:
            return found
        value = make()
        if size <= self._most:
            with self._lock:
                self._add(owner, key, value, size)
        return value

    def found(self, owner: str, keys: Iterable[Hashable]) -> list[V | None]:
        """Return the value of an owner for each key, None where it has to be made."""
        values: list[V | None] = []
        with self._lock:
            share: dict[Hashable, tuple[V, int]] = self._owners.get(owner) or {}
            for key in keys:
                found = share.pop(key, None)
                values.append(None if found is None else found[0])
                if found is not None:
                    share[key] = found
        return values

    def _add(self, owner: str, key: Hashable, value: V, size: int) -> None:
        share = self._owners.setdefault(owner, _Share())
        # Another thread may have made it meanwhile.
        if key not in share:
            share[key] = value, size
            share.size += size
            self._size += size
        while self._size > self._most:
            self._remove_one(owner)

    def _remove_one(self, owner: str) -> None:
        """Remove the value that was used longest ago of an owner who has more than its part."""
        if self._owners[owner].size * len(self._owners) <= self._most:
            parts = self._most // len(self._owners)
            owner = next(name for name, each in self._owners.items() if each.size > parts)
        share = self._owners[owner]
        _, size = share.pop(next(iter(share)))
        share.size -= size
        self._size -= size
        if not share:
            del self._owners[owner]
