"""How much one request may read and answer, and when it ends early.

Laws: what a page costs is bounded by the entries of what it reads, whatever its owner has stored;
a single object can always be read; a read whose caller has hung up ends at its next call.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import chain
from typing import Any, Final, TypeVar

from rentbilling.adapters.http.refusals import invalid
from rentbilling.errors import Problem
from rentbilling.records import Record
from rentbilling.service import Store, Stored
from rentbilling.values import Period

K = TypeVar("K", bound=Record)

_FIRST: Final = 10
"""Objects that are read at once before it is known what they cost: those of a usual page."""
_MORE: Final = 4
"""By how much the next number of objects is larger, at most."""


_AT_ONCE: Final = 2_000
"""Entries that are read at once after that, so that others need not wait for long."""


class GivenUpError(Exception):
    """The caller has hung up, so that its read is not finished."""


def check_length(answer: Sized, most: int) -> None:
    """Refuse an answer that is too long.

    Raises:
        RefusalError: It has more bytes than allowed.
    """
    if len(answer) > most:
        said, expected = f"has an answer of {len(answer)} bytes", "a shorter period or a page"
        problem = Problem("", "answer_too_long", said, str(len(answer)), f"at most {most}")
        raise invalid(problem._replace(expected=f"{problem.expected}, by {expected}"))


class BoundedReading:
    """The methods of an owner's store that read, within bounds.

    Objects are read a few at once, so that a page that would cost too much is refused before it
    does.
    """

    def __init__(self, store: Store, most: int, goes_on: Callable[[], bool] | None) -> None:
        self._store, self._most, self._goes_on = store, most, goes_on
        self._entries = 0
        self._known: dict[object, tuple[int, int]] = {}
        """Of each kind that belongs to something, or not: for how many objects what was read."""

    def find(self, kind: type[K], object_id: str) -> Stored[K] | None:
        """Return an object, as `Store.find` does."""
        self._go_on()
        return self._store.find(kind, object_id)

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Stored[K]]:
        """Return some objects, as `Store.several` does."""
        found: dict[str, Stored[K]] = {}
        for part in self._parts(kind, ids):
            some = self._store.several(kind, part)
            found |= some
            self._count(kind, some.values(), len(part), len(ids))
        return found

    def belonging(
        self, kind: type[K], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[K]]]:
        """Return the objects of several others, as `Store.belonging` does."""
        found: dict[str, Sequence[Stored[K]]] = {}
        for part in self._parts((kind, "of"), to):
            some = self._store.belonging(kind, part, days=days)
            found |= some
            self._count((kind, "of"), chain(*some.values()), len(part), len(to))
        return found

    def page(
        self, kind: type[K], *, limit: int, after: str | None = None, belongs_to: str | None = None
    ) -> Sequence[Stored[K]]:
        """Return the next objects of a list, as `Store.page` does."""
        found: list[Stored[K]] = []
        while True:
            asked = min(self._next(kind), limit - len(found))
            some = self._store.page(kind, limit=asked, after=after, belongs_to=belongs_to)
            found += some
            self._count(kind, some, len(some), limit)
            if len(some) < asked or len(found) == limit:
                return found
            after = found[-1].id

    def _parts(self, what: object, ids: Sequence[str]) -> Iterator[Sequence[str]]:
        at = 0
        while at < len(ids):
            part = ids[at : at + self._next(what)]
            yield part
            at += len(part)

    def _next(self, what: object) -> int:
        """Return for how many objects to read next: fewer, the more was read for each before."""
        self._go_on()
        objects, entries = self._known.get(what, (0, 0))
        if not objects:
            return _FIRST
        left = min(max(self._most - self._entries, 0), _AT_ONCE)
        return max(1, min(_MORE * objects, left * objects // max(entries, 1)))

    def _count(self, what: object, read: Iterable[Stored[Any]], objects: int, asked: int) -> None:
        """Count what was read, and refuse to read more if it is too much.

        Raises:
            RefusalError: It is, and fewer objects can be asked for.
        """
        if asked <= 1:
            # It can always be read.
            return
        entries = sum(_entries_of(each.record) for each in read)
        before = self._known.get(what, (0, 0))
        self._known[what] = before[0] + objects, before[1] + entries
        self._entries += entries
        if self._entries > self._most:
            said = f"reads more than {self._most} entries of lists"
            raise invalid(Problem("limit", "too_many_entries", said, str(asked), "a smaller one"))

    def _go_on(self) -> None:
        """Give way to others, and refuse to read on for nobody.

        Raises:
            GivenUpError: The caller has hung up.
        """
        if self._goes_on is not None and not self._goes_on():
            raise GivenUpError


def _entries_of(record: Record) -> int:
    """Return the entries in the lists of a record, and 1 for itself."""
    return 1 + sum(len(each) for each in vars(record).values() if type(each) is tuple)
