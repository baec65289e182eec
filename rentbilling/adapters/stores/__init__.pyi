from rentbilling.adapters.stores.memory import (
    MemoryKeys as MemoryKeys,
    MemoryStores as MemoryStores,
)
from rentbilling.adapters.stores.opening import open_stores as open_stores
from rentbilling.adapters.stores.sql_keys import SqlKeys as SqlKeys
from rentbilling.adapters.stores.sql_stores import SqlStores as SqlStores
from rentbilling.adapters.stores.stored_texts import (
    column_text as column_text,
    columns_of as columns_of,
    stored_of as stored_of,
)

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
