"""Stores in a database: SQLite, PostgreSQL.

Laws: a change locks its owner's row, so that places follow one another as changes end, and no page
skips the row of a slower writer; reading waits for no lock, and writes nothing.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from threading import local
from typing import Any, Final, Self, TypeVar

from sqlalchemy import Connection, CursorResult, Executable

from rentbilling.adapters.fair_cache import FairCache
from rentbilling.adapters.stores.databases import (
    PATIENCE,
    PlainReader,
    PlainReaders,
    is_in_memory,
    open_engine,
    reading_engine,
    store_errors,
    transaction,
    write_ahead,
    writing_engine,
)
from rentbilling.adapters.stores.fifo_lock import FifoLock
from rentbilling.adapters.stores.migrations import migrate
from rentbilling.adapters.stores.sql_keys import SqlKeys
from rentbilling.adapters.stores.sql_statements import (
    ADDING,
    DATED,
    DAYS,
    FIND_ANSWER,
    FORGET_ANSWERS,
    GIVE_PLACES,
    KEEP_ANSWER,
    LOCK,
    NEW_OWNER,
    STATEMENTS,
    Statements,
)
from rentbilling.adapters.stores.sqlite_files import (
    WatchedFile,
    check_whole,
    create_private,
    path_of,
)
from rentbilling.adapters.stores.stored_texts import (
    column_text,
    columns_of,
    id_of_column,
    known_kind,
    own_copy,
    record_of,
    short_enough,
    until_end,
)
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.records import Record
from rentbilling.service import KeptAnswer, Stored, called, days_of, unknown_id
from rentbilling.values import Period

K = TypeVar("K", bound=Record)

_AT_ONCE: Final = 500
"""Ids that one statement asks for."""
_CACHED: Final = 8_000_000
"""Characters of all texts whose records are cached; a record takes some 15 bytes for each."""


class _SqlStore:
    """An owner's objects within one transaction, with the methods of `Store`."""

    def __init__(
        self,
        connection: Connection | PlainReader,
        owner: str,
        records: FairCache[Any],
        places: int | None = None,
    ) -> None:
        self._connection: Any = connection
        self._owner = {"the_owner": column_text(owner)}
        self._records, self._owner_name = records, owner
        # Places given so far; None where nothing may be written.
        self._places = places
        self._known_places = places

    def end(self, *, commit: bool) -> None:
        """End the transaction, noting the places that were given."""
        if commit and self._places != self._known_places:
            self._run(GIVE_PLACES, given=self._places)
        self._connection = None

    def _run(self, statement: Executable, **values: object) -> CursorResult[Any]:
        if self._connection is None:
            raise RuntimeError("the transaction of this store has ended")
        with store_errors():
            found: CursorResult[Any] = self._connection.execute(statement, self._owner | values)
        return found

    def _rows(self, statement: Executable, **values: object) -> Sequence[Any]:
        found = self._run(statement, **values)
        with store_errors():
            return found.fetchall()

    def _stored(self, kind: type[K], rows: Sequence[Any]) -> list[Stored[K]]:
        """Return the objects of rows; those read before are found in the cache all at once."""
        if not rows:
            return []
        texts = [(kind, text) for _, _, text in rows]
        cached: list[K | None] = self._records.found(self._owner_name, texts)
        # No change can make another record of a text.
        records = [
            self._records.value_of(self._owner_name, each, len(each[1]), partial(record_of, *each))
            if record is None
            else record
            for each, record in zip(texts, cached, strict=True)
        ]
        return [
            Stored(own_copy(record), id_of_column(name), above and id_of_column(above))
            for (name, above, _), record in zip(rows, records, strict=True)
        ]

    def _changing(self, kind: type[Any]) -> Statements:
        """Return what is asked of a kind that is to be changed."""
        statements = STATEMENTS[known_kind(kind)]
        self._check_writes()
        return statements

    def _check_writes(self) -> None:
        if self._places is None:
            raise TypeError("this store was opened for reading: open it by writing(owner)")

    def add(self, stored: Stored[K]) -> None:
        kind = type(stored.record)
        self._changing(kind)
        if self._connection is None or self._places is None:
            raise RuntimeError("the transaction of this store has ended")
        short_enough(stored.id)
        name, above, text = columns_of(stored)
        statement = ADDING[self._connection.dialect.name][kind]
        at, days = self._places + 1, _days(stored.record)
        added = self._run(statement, at=at, the_id=name, above=above, text=text, **days)
        if added.rowcount != 1:
            raise ConflictError("duplicate_id", kind=called(kind), id=stored.id)
        self._places += 1

    def replace(self, stored: Stored[K]) -> None:
        kind = type(stored.record)
        statement, (name, above, text) = self._changing(kind).replace, columns_of(stored)
        days = _days(stored.record)
        replaced = self._run(statement, the_id=name, above=above, text=text, **days)
        if replaced.rowcount != 1:
            raise unknown_id(kind, stored.id)

    def remove(self, kind: type[K], object_id: str) -> None:
        statements, column = self._changing(kind), column_text(object_id)
        noted = self._run(statements.forget, the_id=column)
        if noted.rowcount != 1:
            raise unknown_id(kind, object_id)
        self._run(statements.remove, the_id=column)

    def find(self, kind: type[K], object_id: str) -> Stored[K] | None:
        found = self._rows(STATEMENTS[known_kind(kind)].find, the_id=column_text(object_id))
        return self._stored(kind, found)[0] if found else None

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Stored[K]]:
        statement, asked = STATEMENTS[known_kind(kind)].several, tuple(dict.fromkeys(ids))
        wanted = [column_text(each) for each in asked]
        found: dict[str, Stored[K]] = {}
        for at in range(0, len(wanted), _AT_ONCE):
            rows = self._rows(statement, the_ids=wanted[at : at + _AT_ONCE])
            found |= {stored.id: stored for stored in self._stored(kind, rows)}
        return {each: found[each] for each in asked if each in found}

    def page(
        self,
        kind: type[K],
        *,
        limit: int,
        after: str | None = None,
        belongs_to: str | None = None,
    ) -> Sequence[Stored[K]]:
        statements, place = STATEMENTS[known_kind(kind)], 0
        if after is not None:
            places = self._rows(statements.place, the_id=column_text(after))
            if not places:
                raise NotFoundError("unknown_cursor", kind=called(kind), id=after)
            place = places[0][0]
        below = {} if belongs_to is None else {"above": column_text(belongs_to)}
        statement = statements.page_below if below else statements.page
        return self._stored(kind, self._rows(statement, after=place, most=max(limit, 0), **below))

    def belonging(
        self, kind: type[K], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[K]]]:
        statements = STATEMENTS[known_kind(kind)]
        statement, values = statements.belonging, dict[str, str]()
        if days is not None and statements.belonging_on is not None:
            statement = statements.belonging_on
            values = {"first": days.start.isoformat(), "last": days.end.isoformat()}
        found: dict[str, list[Stored[K]]] = {each: [] for each in to}
        wanted = [column_text(each) for each in found]
        for at in range(0, len(wanted), _AT_ONCE):
            rows = self._rows(statement, above=wanted[at : at + _AT_ONCE], **values)
            for stored in self._stored(kind, rows):
                found[str(stored.belongs_to)].append(stored)
        return found

    def count(self, kind: type[K], belongs_to: str) -> int:
        statement, above = STATEMENTS[known_kind(kind)].counted, column_text(belongs_to)
        ((found,),) = self._rows(statement, above=above)
        return int(found)

    def kept_answer(self, key: str) -> KeptAnswer | None:
        for digest, status, body, moment in self._rows(FIND_ANSWER, the_key=column_text(key)):
            return KeptAnswer(digest, status, body, datetime.fromisoformat(moment))
        return None

    def keep_answer(self, key: str, answer: KeptAnswer, *, since: datetime) -> None:
        self._check_writes()
        the_key = column_text(short_enough(key))
        self._run(FORGET_ANSWERS, the_key=the_key, since=_moment_text(since))
        values = answer._asdict() | {"moment": _moment_text(answer.moment)}
        self._run(KEEP_ANSWER, the_key=the_key, **values)


def _days(record: Record) -> dict[str, str]:
    """Return the values of the columns of days, if the table of a record has them."""
    if not isinstance(record, DATED):
        return {}
    return {name: day.isoformat() for name, day in zip(DAYS, days_of(record), strict=True)}


def _moment_text(moment: datetime) -> str:
    """Return a moment as a text that sorts as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


class SqlStores:
    """Stores of all owners in a database.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> with SqlStores("sqlite://") as stores:
        ...     with stores.writing("acme") as store:
        ...         store.add(Stored(Payout(id="payout-1"), "payout-1"))
        ...     with stores.reading("acme") as store:
        ...         print(store.find(Payout, "payout-1").record.id)
        payout-1
    """

    def __init__(self, url: str) -> None:
        """Open a database, and bring its tables up to this release.

        Args:
            url: `sqlite:///file`, `sqlite://` for one in memory, or `postgresql+psycopg://…`.

        Raises:
            InvalidRecordError: It is no such URL.
            StoreError: The database failed, or a later release made it.
            StoreUnavailableError: It cannot be reached.
            ImportError: PostgreSQL's driver is not installed.
        """
        engine = open_engine(url)
        file = path_of(engine.url)
        if file is not None:
            create_private(file)
        try:
            write_ahead(engine)
            with store_errors():
                migrate(engine)
            self._file = None if file is None else WatchedFile(file, reading_engine(engine))
        except BaseException:
            engine.dispose()
            raise
        self.engine = engine
        """The engine of SQLAlchemy, to watch or measure it."""
        self._reading, self._writing = reading_engine(engine), writing_engine(engine)
        # SQLite takes one change of a file at a time, and waiting there is polling; a database in
        # memory is one connection, which readers need too.
        self._lock = FifoLock() if engine.dialect.name == "sqlite" else None
        self._is_in_memory = is_in_memory(engine.url)
        is_file = self._lock is not None and not self._is_in_memory
        self._plain = PlainReaders(self._reading) if is_file else None
        self._thread = local()
        self._records = FairCache[Any](_CACHED)
        self._is_open = True
        self.keys = SqlKeys(self._connected, self._first)
        """API keys in the same database."""

    @contextmanager
    def _connected(self, *, writes: bool) -> Generator[Any]:
        """Open a transaction.

        Raises:
            RuntimeError: The stores were closed, or a change is to hold another one.
            StoreUnavailableError: The database cannot be reached, or is too busy.
        """
        if not self._is_open:
            raise RuntimeError("these stores were closed")
        if not writes and self._plain is not None and not self._plain.are_watched:
            with self._plain.reading(begins=True) as reader:
                self._check_file()
                yield reader
            return
        with ExitStack() as held:
            if writes or self._is_in_memory:
                held.enter_context(self._once())
                if self._lock is not None:
                    # Before a connection is taken, because readers need some too.
                    held.enter_context(self._lock.acquired(PATIENCE))
            engine = self._writing if writes else self._reading
            connection = held.enter_context(transaction(engine))
            self._check_file()
            yield connection
        if writes:
            # What was written into a deleted file is not acknowledged.
            self._check_file()

    def _first(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any] | None:
        if self._is_open and self._plain is not None and not self._plain.are_watched:
            with self._plain.reading(begins=False) as reader, store_errors():
                row: Sequence[Any] | None = reader.execute(statement, values).fetchone()
            if row is not None:
                return row
        with self._connected(writes=False) as connection, store_errors():
            found: Sequence[Any] | None = connection.execute(statement, values).fetchone()
        return found

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    def check_whole(self) -> None:
        """Check a file of SQLite from end to end, as `serve` does at its start.

        Raises:
            StoreError: `damaged_database`.
        """
        if self.engine.dialect.name == "sqlite":
            check_whole(self.engine)

    @contextmanager
    def _once(self) -> Generator[None]:
        """Refuse a change within a change of the same thread, which would wait for itself.

        Raises:
            RuntimeError: The thread is within a change already.
        """
        if getattr(self._thread, "is_inside", False):
            raise RuntimeError("a change of an owner's objects cannot hold another one")
        self._thread.is_inside = True
        try:
            yield
        finally:
            self._thread.is_inside = False

    @contextmanager
    def reading(self, owner: str) -> Generator[_SqlStore]:
        """Return the owner's store as it is at one moment; see `Stores.reading`."""
        with (
            self._connected(writes=False) as connection,
            until_end(_SqlStore(connection, owner, self._records)) as store,
        ):
            yield store

    @contextmanager
    def writing(self, owner: str) -> Generator[_SqlStore]:
        """Return the owner's store for a change; see `Stores.writing`."""
        with self._connected(writes=True) as connection:
            places = _locked(connection, column_text(short_enough(owner)))
            with until_end(_SqlStore(connection, owner, self._records, places)) as store:
                yield store

    def close(self) -> None:
        """Close the connections."""
        self._is_open = False
        if self._plain is not None:
            self._plain.close()
        if self._file is not None:
            self._file.close()
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(connection: Connection, owner: str) -> int:
    """Return how many places an owner has given, and lock the owner for other changes."""
    named = {"the_owner": owner}
    with store_errors():
        known: int | None = connection.execute(LOCK, named).scalar()
        if known is not None:
            return known
        connection.execute(NEW_OWNER[connection.dialect.name], named)
        places: int = connection.execute(LOCK, named).scalar_one()
    return places
