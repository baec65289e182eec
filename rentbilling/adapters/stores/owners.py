"""All that a database has of one owner: read as JSON, and erased.

Laws: what is read is one moment; erasing is one transaction, after which no table names the owner.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from types import MappingProxyType
from typing import Final, TypeVar

from sqlalchemy import bindparam, delete, func, select

from rentbilling.adapters.stores.databases import (
    reading_engine,
    store_errors,
    transaction,
    writing_engine,
)
from rentbilling.adapters.stores.sql_statements import METADATA, NAMES, OWNERS
from rentbilling.adapters.stores.sql_stores import SqlStores
from rentbilling.adapters.stores.stored_texts import column_text
from rentbilling.codec import dumps
from rentbilling.records import Record, write_json
from rentbilling.service import Store, Stored

K = TypeVar("K", bound=Record)

_AT_ONCE: Final = 500
_IS_OWNERS: Final = MappingProxyType(
    {table: table.c.owner == bindparam("the_owner") for table in METADATA.tables.values()}
)
"""Every table, each of which has the column `owner`, with the condition of one owner."""


def exported(stores: SqlStores, owner: str) -> Iterator[str]:
    """Give all objects of an owner in order of creation by kind, audit records last.

    Yields:
        A line of JSON for each object: `kind`, `id`, `belongsTo` if it belongs to one, `record`.
    """
    with stores.reading(owner) as store:
        for kind, name in NAMES.items():
            for each in all_of(store, kind):
                above = {"belongsTo": each.belongs_to} if each.belongs_to else {}
                facts = {"kind": name.replace("_", "-"), "id": each.id, **above}
                record = dumps(each.record, full=True)
                yield f'{write_json(facts).removesuffix("}")}, "record": {record}}}'


def all_of(store: Store, kind: type[K], belongs_to: str | None = None) -> Iterator[Stored[K]]:
    """Give all objects of a kind, or those that belong to one, page by page."""
    after: str | None = None
    while page := store.page(kind, limit=_AT_ONCE, after=after, belongs_to=belongs_to):
        yield from page
        after = page[-1].id


def stored_rows(stores: SqlStores, owner: str) -> Mapping[str, int]:
    """Return how many rows of each table are an owner's, without tables that have none."""
    named = {"the_owner": column_text(owner)}
    with transaction(reading_engine(stores.engine)) as connection, store_errors():
        counts = {
            table.name: connection.execute(
                select(func.count()).select_from(table).where(is_owners), named
            ).scalar_one()
            for table, is_owners in _IS_OWNERS.items()
        }
    return {name: count for name, count in counts.items() if count}


def erase(stores: SqlStores, owner: str) -> None:
    """Delete every row of an owner: objects, audit records, stored answers and keys.

    SQLite overwrites the bytes in its file; backups, logs and copies elsewhere have their own.
    """
    named, is_file = {"the_owner": column_text(owner)}, stores.engine.dialect.name == "sqlite"
    with transaction(writing_engine(stores.engine)) as connection, store_errors():
        if is_file:
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
        # Owners last: what was removed names them.
        for table in sorted(_IS_OWNERS, key=lambda each: each is OWNERS):
            connection.execute(delete(table).where(_IS_OWNERS[table]), named)
    if is_file:
        # The log of the file has the former pages until it is written over.
        with store_errors(), closing(stores.engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
