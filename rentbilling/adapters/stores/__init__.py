"""Stores of owners' objects and API keys: in memory, in SQLite or in PostgreSQL.

Laws: an owner's objects are reached through that owner alone; an operation is committed whole or
not at all, and nothing committed is lost; every error of a database becomes a `StoreError`.

`MemoryStores` and `MemoryKeys` need nothing. `SqlStores` and `SqlKeys` need the extra `sql`, and
PostgreSQL needs psycopg too. `open_stores` opens whichever a URL names.

Examples:
    >>> from rentbilling.service import store as stores
    >>> from rentbilling.adapters.stores import MemoryStores
    >>> from rentbilling.interface.payouts import Payout
    >>> memory = MemoryStores()
    >>> with memory.writing("acme") as store:
    ...     store.add(stores.Stored(Payout(id="payout-1"), "payout-1"))
    >>> with memory.reading("acme") as store:
    ...     [stored.id for stored in store.page(Payout, limit=10)]
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

_MODULES: Final = MappingProxyType(
    {
        "MemoryKeys": "memory",
        "MemoryStores": "memory",
        "SqlKeys": "sql_keys",
        "SqlStores": "sql",
        "open_stores": "opening",
    }
)
"""The module of each name: SQLAlchemy is loaded only for a database."""


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a name when it is first used."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)
    except ImportError as missing:
        # Another missing module is reported as it is.
        if (missing.name or "").partition(".")[0] != "sqlalchemy":
            raise
        raise ImportError(
            "a database needs sqlalchemy: pip install 'rentbilling[sql]'", name="sqlalchemy"
        ) from missing


def __dir__() -> list[str]:
    """List what can be loaded."""
    return sorted({*globals(), *__all__})
