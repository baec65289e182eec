"""Stores: where owners' objects and API keys are kept, in memory, in SQLite or in PostgreSQL.

Laws: an owner's objects are reached through that owner alone; an operation is kept whole or not at
all, and nothing that was kept is lost; every trouble of a database is one of our errors.

`MemoryStores` and `MemoryKeys` need nothing. `SqlStores` and `SqlKeys` need the extra `sql`, and
PostgreSQL needs psycopg beside it. `open_stores` opens whichever a URL names.

Examples:
    >>> from rentbilling.service import store as stores
    >>> from rentbilling.adapters.stores import MemoryStores
    >>> from rentbilling.interface.payouts import Payout
    >>> memory = MemoryStores()
    >>> with memory.writing("acme") as store:
    ...     store.add(stores.Kept(Payout(id="payout-1"), "payout-1"))
    >>> with memory.reading("acme") as store:
    ...     [kept.id for kept in store.page(Payout, limit=10)]
    ['payout-1']
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rentbilling.adapters.stores.memory import (
        MemoryKeys as MemoryKeys,
        MemoryStores as MemoryStores,
    )
    from rentbilling.adapters.stores.opening import open_stores as open_stores
    from rentbilling.adapters.stores.sql import SqlStores as SqlStores
    from rentbilling.adapters.stores.sql_keys import SqlKeys as SqlKeys

__all__ = ("MemoryKeys", "MemoryStores", "SqlKeys", "SqlStores", "open_stores")

_ROOMS: Final = MappingProxyType(
    {
        "MemoryKeys": "memory",
        "MemoryStores": "memory",
        "SqlKeys": "sql_keys",
        "SqlStores": "sql",
        "open_stores": "opening",
    }
)
"""The room of each name: SQLAlchemy is loaded by those who keep something in a database."""


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a name when it is first used."""
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{room}"), name)
    except ImportError as missing:
        # Another module that is missing is no matter of ours.
        if (missing.name or "").partition(".")[0] != "sqlalchemy":
            raise
        raise ImportError(
            "a database needs sqlalchemy: pip install 'rentbilling[sql]'", name="sqlalchemy"
        ) from missing


def __dir__() -> list[str]:
    """List what can be loaded."""
    return sorted({*globals(), *__all__})
