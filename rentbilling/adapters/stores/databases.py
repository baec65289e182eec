"""Connections to SQLite and PostgreSQL by URL, their transactions and their errors.

Laws: a transaction for reading sees one moment and writes nothing; one for writing is on the disk
as a whole when it ends; every error of a database becomes a `StoreError` without internals, and the
log has no more than its kind.
"""

import sqlite3
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from logging import NullHandler, getLogger
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Executable,
    PoolProxiedConnection,
    QueuePool,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError, TimeoutError as PoolTimeout

from rentbilling.errors import InvalidRecordError
from rentbilling.service import StoreError, StoreUnavailableError

_LOG: Final = getLogger("rentbilling.stores")
# Without a configured log the error alone says so.
_LOG.addHandler(NullHandler())

PATIENCE: Final = 20
"""Seconds that a transaction waits for others of this process, or for a lock of PostgreSQL."""
FIRST_PATIENCE: Final = 10
"""Seconds that it waits for a connection, or for a file that another process has locked. With the
turn of a request that is 40, from its arrival: less than the 45 of the client."""
_CONNECTIONS: Final = 10
"""Connections that stay open; as many again are opened while they are needed."""
_IDLE: Final = 4
"""Connections that read, at most, which stay taken from the pool."""
_SECONDS: Final = 10
"""Seconds that a server has to answer a new connection."""
_BUSY: Final = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "40001", "40P01", "55P03", "57014"})
_REASONS: Final = MappingProxyType(
    {
        "SQLITE_FULL": "full",
        "53100": "full",
        "SQLITE_READONLY": "read-only",
        "25006": "read-only",
        "SQLITE_IOERR": "unreadable",
        "58030": "unreadable",
    }
)
"""Why nothing can be written or read, by the beginning of the code of a database."""
_UNREACHABLE: Final = ("SQLITE_CANTOPEN", "08", "53300", "57P0", "28", "3D000")


def open_engine(url: str) -> Engine:
    """Return the engine of a database; nothing is connected yet.

    Raises:
        InvalidRecordError: `database`: it is no URL, or that of another database.
        ImportError: PostgreSQL's driver is not installed.
    """
    place = _place(url)
    if place.get_backend_name() == "sqlite":
        return _sqlite(place)
    # The URL may have a time of its own.
    times = {} if "connect_timeout" in place.query else {"connect_timeout": _SECONDS}
    try:
        engine = create_engine(
            place,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=FIRST_PATIENCE,
            # A server that was started again costs no error.
            pool_pre_ping=True,
            connect_args=times,
        )
    except ImportError as missing:
        raise ImportError(
            "PostgreSQL needs psycopg: pip install 'psycopg[binary]'", name=missing.name
        ) from missing

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: object) -> None:  # noqa: ANN401
        """Limit how long a lock is waited for."""
        del record
        connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
        connection.commit()

    @event.listens_for(engine, "checkout")
    def forget(connection: Any, record: object, proxy: object) -> None:  # noqa: ANN401
        """Write only where the server lets every session write.

        After a transaction that reads, SQLAlchemy would begin the next one as READ WRITE, although
        the server is set to `default_transaction_read_only`.
        """
        del record, proxy
        connection.read_only = None

    return engine


def _place(url: str) -> URL:
    """Return a URL in its parts, if it is that of a database we know."""
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):
        place = None
    kind = place.get_backend_name() if place else None
    if place is None or kind not in ("sqlite", "postgresql"):
        # The value is not quoted: it may hold a password.
        said, expected = "is no URL of a database we know", "sqlite:///FILE or postgresql://…"
        raise InvalidRecordError.of("database", "unknown_database", said, kind, expected)
    if "@" in (place.host or "") or (place.password and "@" in (place.database or "")):
        # The beginning of such a host or name is the end of a password.
        said, expected = "has an @ or / in its password", "%40 or %2F in its place"
        raise InvalidRecordError.of("database", "unknown_database", said, "@", expected)
    driver = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}[kind]
    return place.set(drivername=driver)


def is_in_memory(place: URL) -> bool:
    """Return whether a URL names a database of SQLite that ends with its connection."""
    return place.get_backend_name() == "sqlite" and place.database in (None, "", ":memory:")


def _sqlite(place: URL) -> Engine:
    # A database in memory is its one connection: transactions use it one after another.
    in_memory = is_in_memory(place)
    engine = create_engine(
        place,
        poolclass=QueuePool,
        pool_size=1 if in_memory else _CONNECTIONS,
        max_overflow=0 if in_memory else _CONNECTIONS,
        pool_timeout=FIRST_PATIENCE,
        connect_args={"timeout": FIRST_PATIENCE, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: object) -> None:  # noqa: ANN401
        """Begin transactions ourselves, and write to the disk so that a power cut loses nothing."""
        del record
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begins", "BEGIN"))

    return engine


def write_ahead(engine: Engine) -> None:
    """Let a file of SQLite be read while it is written; the file remembers that.

    SQLite does not wait for others by itself when this is asked for.
    """
    if engine.dialect.name != "sqlite":
        return
    last = monotonic() + PATIENCE
    while True:
        try:
            with store_errors(), engine.connect() as connection:
                driver: Any = connection.connection.driver_connection
                driver.rollback()
                driver.execute("PRAGMA journal_mode = WAL")
        except StoreUnavailableError as error:
            if error.facts["reason"] != "busy" or monotonic() > last:
                raise
            sleep(0.05)
        else:
            return


def reading_engine(engine: Engine) -> Engine:
    """Return the engine whose transactions read one moment and cannot write."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(begins="BEGIN")
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def writing_engine(engine: Engine) -> Engine:
    """Return the engine whose transactions write; SQLite's come one after another."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(begins="BEGIN IMMEDIATE")
    return engine.execution_options(isolation_level="READ COMMITTED")


@contextmanager
def transaction(engine: Engine) -> Generator[Connection]:
    """Open a transaction, committed at the end, or rolled back where an error ends it."""
    with store_errors():
        connection = engine.connect()
    try:
        with store_errors():
            begun = connection.begin()
        try:
            yield connection
        except BaseException:
            # The first error is raised, not that of rolling back: nothing was committed.
            with suppress(SQLAlchemyError):
                begun.rollback()
            raise
        with store_errors():
            begun.commit()
    finally:
        with suppress(SQLAlchemyError):
            connection.close()


class PlainReader:
    """A connection of SQLite that reads by the driver alone, without SQLAlchemy's work for it."""

    def __init__(self, taken: PoolProxiedConnection) -> None:
        self.taken = taken
        self.driver: Any = taken.driver_connection

    def execute(self, statement: Executable, values: Mapping[str, Any]) -> sqlite3.Cursor:
        """Execute a statement that reads."""
        text, names, defaults = _plain(statement)
        given: list[Any] = []
        for name in names:
            value = values.get(name, defaults.get(name))
            if type(value) is list:
                text = text.replace(f"__[POSTCOMPILE_{name}]", ", ".join("?" * len(value)))
                given += value
            else:
                given.append(value)
        cursor: sqlite3.Cursor = self.driver.execute(text, given)
        return cursor


@lru_cache(256)
def _plain(statement: Executable) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
    """Return the text of a statement, the names of its values, and those that it has itself."""
    plain: Any = statement
    compiled = plain.compile(dialect=sqlite_dialect.dialect())
    return str(compiled), tuple(compiled.positiontup), compiled.params


class PlainReaders:
    """Connections to a file of SQLite that read, a few of which stay taken from their pool."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._idle: deque[PlainReader] = deque()

    @property
    def are_watched(self) -> bool:
        """Whether something listens to the engine, so that statements go through SQLAlchemy."""
        engine = self._engine
        return bool(engine.dispatch.before_cursor_execute or engine.pool.dispatch.checkout)

    @contextmanager
    def reading(self, *, begins: bool) -> Generator[PlainReader]:
        """Take a connection, in a transaction if several statements are to see one moment."""
        try:
            reader = self._idle.pop()
        except IndexError:
            with store_errors():
                reader = PlainReader(self._engine.raw_connection())
        try:
            if begins:
                with store_errors():
                    reader.driver.execute("BEGIN")
            yield reader
        finally:
            self._give_back(reader)

    def _give_back(self, reader: PlainReader) -> None:
        try:
            reader.driver.rollback()
        except sqlite3.Error:
            reader.taken.invalidate()
            return
        if len(self._idle) < _IDLE:
            self._idle.append(reader)
        else:
            reader.taken.close()

    def close(self) -> None:
        """Let go of the connections."""
        while self._idle:
            self._idle.pop().taken.close()


@contextmanager
def store_errors() -> Generator[None]:
    """Raise errors of a database as `StoreError`.

    Raises:
        StoreError: The database failed.
    """
    try:
        yield
    except SQLAlchemyError as error:
        raise _error_of(error) from None
    except sqlite3.Error as error:
        # Of the driver itself, which is asked past SQLAlchemy where no transaction may begin.
        raise _error_of(DBAPIError(None, None, error)) from None


_BAD_FILES: Final = MappingProxyType(
    {"SQLITE_NOTADB": "no_database", "SQLITE_CORRUPT": "damaged_database"}
)


def _error_of(error: SQLAlchemyError) -> StoreError:
    if isinstance(error, PoolTimeout):
        return StoreUnavailableError("store_unavailable", reason="busy")
    origin = error.orig if isinstance(error, DBAPIError) else None
    word = getattr(origin, "sqlstate", None) or getattr(origin, "sqlite_errorname", None)
    _LOG.warning("the database failed: %s %s", type(origin or error).__name__, word or "")
    reason = _reason(error, origin, word)
    if reason:
        return StoreUnavailableError("store_unavailable", reason=reason)
    return StoreError(_BAD_FILES.get(word or "", "store_failed"))


def _reason(error: SQLAlchemyError, origin: object, word: str | None) -> str | None:
    """Return why a database cannot be reached at the moment; None where waiting does not help."""
    if word in _BUSY:
        return "busy"
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return "lost"
    for start, reason in _REASONS.items():
        if (word or "").startswith(start):
            return reason
    # PostgreSQL's driver has no code where no server answered.
    is_mute = word is None and type(origin).__name__ in ("OperationalError", "ConnectionTimeout")
    return "unreachable" if is_mute or (word or "").startswith(_UNREACHABLE) else None
