"""Files of SQLite: created for their owner alone, checked, and watched while they are open.

Law: a file is never opened past SQLite while it is in use, because closing it would release the
locks of this process; so watching it reads the names in its folder alone.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine

from rentbilling.adapters.stores.databases import is_in_memory, store_errors
from rentbilling.service import StoreError, StoreUnavailableError

_MODE: Final = 0o600
"""Only the user who runs the service reads and writes; SQLite gives `-wal` and `-shm` the same."""
_LOG: Final = "-wal"
"""Ends the name of the file with the changes that are not in the database's own file yet."""


def path_of(place: URL) -> Path | None:
    """Return the file of a database; None for another database, or for an address of SQLite."""
    if place.get_backend_name() != "sqlite" or is_in_memory(place):
        return None
    name = str(place.database)
    return None if name.startswith("file:") else Path(name).absolute()


def create_private(path: Path) -> None:
    """Create a file that other users cannot read; one that is there stays as it is.

    What forbids it is reported when SQLite opens the file.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _MODE))


def check_whole(engine: Engine) -> None:
    """Refuse a file whose pages contradict each other; it takes time in proportion to the file.

    Raises:
        StoreError: `damaged_database`.
    """
    with store_errors(), engine.connect() as connection:
        if connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar() != "ok":
            raise StoreError("damaged_database")


class WatchedFile:
    """A file that is in use, whose deletion or replacement is noticed."""

    def __init__(self, path: Path, engine: Engine) -> None:
        # SQLite puts the log beside the file that a link leads to.
        self._names = (path, Path(f"{path.resolve()}{_LOG}"))
        # While it is open, no other process removes the changes that are not in the file yet.
        self._anchor: Connection = engine.connect()
        with store_errors():
            self._anchor.exec_driver_sql("SELECT COUNT(*) FROM schema_version").scalar()
            self._anchor.rollback()
        self._known = self._identity()

    def check(self) -> None:
        """Refuse to go on where the file is another one, or none.

        Raises:
            StoreUnavailableError: Its reason is `gone`.
        """
        if self._identity() != self._known:
            raise StoreUnavailableError("store_unavailable", reason="gone")

    def close(self) -> None:
        """Let go of the file."""
        self._anchor.close()

    def _identity(self) -> list[tuple[int, int] | None]:
        """Return which files have the names now."""
        found: list[tuple[int, int] | None] = []
        for name in self._names:
            try:
                seen = name.stat()
            except OSError:
                found.append(None)
            else:
                found.append((seen.st_dev, seen.st_ino))
        return found
