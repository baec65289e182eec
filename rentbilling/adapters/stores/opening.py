"""Opens the stores of a URL.

Law: nothing is loaded that the URL does not need.
"""

from typing import TYPE_CHECKING

from rentbilling.adapters.stores.memory import MemoryStores

if TYPE_CHECKING:
    from rentbilling.adapters.stores.sql_stores import SqlStores


def open_stores(url: str) -> "MemoryStores | SqlStores":
    """Return the stores of a URL; `keys` is the ring of their API keys.

    Args:
        url: `memory:` for stores that end with the process, `sqlite:///file`, or
            `postgresql+psycopg://user:password@host/database`.

    Returns:
        The stores, open; `close()` lets go of them.

    Raises:
        InvalidRecordError: It is no such URL.
        StoreError: The database failed, or a later release made it.
        StoreUnavailableError: The database cannot be reached.
        ImportError: sqlalchemy or PostgreSQL's driver is not installed.

    Examples:
        >>> with open_stores("memory:") as stores:
        ...     stores.keys.listed()
        []
    """
    if url == "memory:":
        return MemoryStores()
    from rentbilling.adapters.stores import SqlStores

    return SqlStores(url)
