"""Copies of a file of SQLite, made while it is served.

Laws: a copy is the database at one moment, and is checked from end to end before it has its name;
nothing is overwritten.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rentbilling.adapters.stores.databases import store_errors
from rentbilling.adapters.stores.migrations import MIGRATIONS
from rentbilling.service import StoreError

_PATIENCE: Final = 10
"""Seconds that a copy waits for a file that another process has locked."""
_MODE: Final = 0o600
"""Only the user who makes the copy reads and writes it."""


def back_up(database: Path, copy: Path) -> int:
    """Copy a database into a new file, while others read and write it; return its version.

    Only the user who runs this can read the new file.

    Raises:
        FileExistsError: There is a file of this name.
        OSError: The file cannot be written.
        StoreError: `no_database` or `damaged_database`: of the database, or of the disk.
    """
    with _opened(database) as source:
        version = _version(source)
        _copy(source, copy)
    return version


@contextmanager
def _opened(file: Path) -> Generator[sqlite3.Connection]:
    with store_errors():
        # As an address, so that no file is created; `%` and `?` in its name are part of it.
        address = f"file:{quote(str(file.absolute()))}?mode=rw"
        connection = sqlite3.connect(address, timeout=_PATIENCE, uri=True, isolation_level=None)
        with closing(connection):
            yield connection


def _version(database: sqlite3.Connection) -> int:
    """Return the version of a database's tables, if this release knows it.

    Raises:
        StoreError: `no_database`: it has no such tables. `newer_database`.
    """
    known = MIGRATIONS[-1].version
    try:
        found = database.execute("SELECT MAX(version) FROM schema_version").fetchone()[0]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname == "SQLITE_ERROR":
            raise StoreError("no_database") from None
        raise
    if found > known:
        raise StoreError("newer_database", found=found, known=known)
    return int(found)


def _copy(source: sqlite3.Connection, to: Path) -> None:
    """Write a whole database into a new file, which has its name only once it is checked."""
    if to.exists():
        raise FileExistsError(to)
    part = to.with_name(f"{to.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, _MODE))
    try:
        with _opened(part) as target:
            # In one step: it reads one moment, and a change meanwhile does not begin it again.
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            if target.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise StoreError("damaged_database")
        _on_disk(part)
        try:
            # Refused where the name was taken meanwhile; a rename would overwrite.
            os.link(part, to)
        except FileExistsError:
            raise
        except OSError:
            # A file system without links.
            part.rename(to)
        _on_disk(to.absolute().parent)
    finally:
        part.unlink(missing_ok=True)


def _on_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if os.name != "posix" and path.is_dir():
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
