from rentbilling.adapters.stores.memory import (
    MemoryKeys as MemoryKeys,
    MemoryStores as MemoryStores,
)
from rentbilling.adapters.stores.opening import open_stores as open_stores
from rentbilling.adapters.stores.sql import SqlStores as SqlStores
from rentbilling.adapters.stores.sql_keys import SqlKeys as SqlKeys

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
