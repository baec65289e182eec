"""Stores of owners' objects and API keys: in memory, in SQLite or in PostgreSQL.

Laws: an owner's objects are reached through that owner alone; an operation is committed whole or
not at all, and nothing committed is lost; every error of a database becomes a `StoreError`.

`MemoryStores` and `MemoryKeys` need nothing. `SqlStores` and `SqlKeys` need the extra `sql`, and
PostgreSQL needs psycopg too. `open_stores` opens whichever a URL names.

Examples:
    >>> from rentbilling.service import store as stores
    >>> from rentbilling.adapters.stores import MemoryStores
    >>> from rentbilling.interface import Payout
    >>> memory = MemoryStores()
    >>> with memory.writing("acme") as store:
    ...     store.add(stores.Stored(Payout(id="payout-1"), "payout-1"))
    >>> with memory.reading("acme") as store:
    ...     [stored.id for stored in store.page(Payout, limit=10)]
    ['payout-1']
"""

from rentbilling.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __spec__, what="a database needs", extra="sql", packages=("sqlalchemy",)
)
