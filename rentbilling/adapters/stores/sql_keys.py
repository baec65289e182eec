"""API keys in a database.

Law: of a key only its digest is there.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Executable, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from rentbilling.adapters.stores.databases import store_errors
from rentbilling.adapters.stores.sql_statements import KEYS
from rentbilling.adapters.stores.stored_texts import column_text, id_of_column
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.service import StoredKey

_ADD: Final = insert(KEYS)
_FIND: Final = select(KEYS).where(KEYS.c.key_id == bindparam("the_id"))
_ALL: Final = select(KEYS)
_OWNERS: Final = select(KEYS).where(KEYS.c.owner == bindparam("the_owner"))
_REVOKE: Final = (
    update(KEYS)
    .where(KEYS.c.key_id == bindparam("the_id"), KEYS.c.revoked.is_(None))
    .values(revoked=bindparam("moment"))
)
_EXPIRE: Final = (
    update(KEYS).where(KEYS.c.key_id == bindparam("the_id")).values(expires=bindparam("moment"))
)


class Connected(Protocol):
    """Opens a transaction."""

    def __call__(self, *, writes: bool) -> AbstractContextManager[Connection]:
        """Return a connection within a transaction."""
        ...


class SqlKeys:
    """API keys in a database; `SqlStores.keys` has them.

    Examples:
        >>> from rentbilling.adapters.stores import SqlStores
        >>> with SqlStores("sqlite://") as stores:
        ...     stores.keys.listed()
        []
    """

    def __init__(
        self,
        connected: Connected,
        first: Callable[[Executable, Mapping[str, Any]], Sequence[Any] | None],
    ) -> None:
        """Take the function that opens a transaction, and that which returns one row."""
        self._connected, self._first = connected, first

    def add(self, key: StoredKey) -> None:
        """Add a new key; see `KeyRing.add`.

        Raises:
            ConflictError: There is a key with this id.
        """
        with self._connected(writes=True) as connection, store_errors():
            self._insert(connection, key)

    @staticmethod
    def _insert(connection: Connection, key: StoredKey) -> None:
        values = {
            "key_id": column_text(key.key_id),
            "owner": column_text(key.owner),
            "name": column_text(key.name),
            "rights": " ".join(sorted(key.rights)),
            "digest": key.digest,
            "created": key.created.isoformat(),
            "revoked": _moment_text(key.revoked),
            "expires": _moment_text(key.expires),
        }
        try:
            connection.execute(_ADD, values)
        except IntegrityError:
            raise ConflictError("duplicate_id", kind="key", id=key.key_id) from None

    def rotate(self, old: StoredKey, new: StoredKey) -> None:
        """Add the successor of a key, and store when the old one expires, or neither.

        Raises:
            ConflictError: There is a key with the id of the new one.
        """
        values = {"the_id": column_text(old.key_id), "moment": _moment_text(old.expires)}
        with self._connected(writes=True) as connection, store_errors():
            self._insert(connection, new)
            connection.execute(_EXPIRE, values)

    def find(self, key_id: str) -> StoredKey | None:
        """Return the record of a key, or None; see `KeyRing.find`."""
        row = self._first(_FIND, {"the_id": column_text(key_id)})
        return _key(row) if row else None

    def revoke(self, key_id: str, moment: datetime) -> None:
        """Revoke a key; see `KeyRing.revoke`.

        Raises:
            NotFoundError: There is no key with this id.
        """
        named = {"the_id": column_text(key_id)}
        with self._connected(writes=True) as connection, store_errors():
            revoked = connection.execute(_REVOKE, named | {"moment": moment.isoformat()})
            if revoked.rowcount != 1 and connection.execute(_FIND, named).first() is None:
                raise NotFoundError("unknown_id", kind="key", id=key_id)

    def listed(self, owner: str | None = None) -> Sequence[StoredKey]:
        """Return all keys, or those of an owner; see `KeyRing.listed`."""
        with self._connected(writes=False) as connection, store_errors():
            named = {} if owner is None else {"the_owner": column_text(owner)}
            rows = connection.execute(_OWNERS if named else _ALL, named).fetchall()
        return sorted(map(_key, rows), key=lambda key: (key.created, key.key_id))


def _moment_text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _key(row: Sequence[Any]) -> StoredKey:
    key_id, owner, name, rights, digest, created, revoked, expires = row
    return StoredKey(
        key_id=id_of_column(key_id),
        owner=id_of_column(owner),
        name=id_of_column(name),
        rights=frozenset(rights.split()),
        digest=digest,
        created=datetime.fromisoformat(created),
        revoked=datetime.fromisoformat(revoked) if revoked else None,
        expires=datetime.fromisoformat(expires) if expires else None,
    )
