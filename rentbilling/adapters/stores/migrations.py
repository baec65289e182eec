"""Migrations: the steps that bring the tables of a database up to this release.

Laws: a step that was released never changes; the steps that a database lacks are taken in one
transaction, and by one process; a database of a later release is refused, never guessed at.
"""

from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, inspect, text

from rentbilling.adapters.stores.databases import reading_engine, transaction, writing_engine
from rentbilling.service import StoreError

_KINDS: Final = (
    "tenancies",
    "leases",
    "recurring_bill_items",
    "one_time_bill_items",
    "rent_adjustment_plans",
    "balances",
    "products",
    "payouts",
)

_OBJECTS: Final = (
    """
    CREATE TABLE {name} (
        owner {word} NOT NULL REFERENCES owners (owner),
        place BIGINT NOT NULL,
        id {word} NOT NULL,
        belongs_to {word},
        record TEXT NOT NULL,
        PRIMARY KEY (owner, place),
        UNIQUE (owner, id)
    )
    """,
    "CREATE INDEX {name}_belonging ON {name} (owner, belongs_to, place)",
)

_DAY: Final = (
    "ALTER TABLE one_time_bill_items ADD COLUMN {name} {word} NOT NULL DEFAULT ''",
    # Within a text of JSON the quotes of the mark would be escaped.
    "UPDATE one_time_bill_items SET {name} = substr(record, {at}(record, '{mark}') + {length}, 10)",
    (
        "CREATE INDEX one_time_bill_items_by_{name} ON one_time_bill_items"
        " (owner, belongs_to, {name}, place)"
    ),
)
"""The column of a day, for rows from before too."""


class Migration(NamedTuple):
    """One step."""

    version: int
    """The version that a database has after it."""
    purpose: str
    """What it is for."""
    statements: tuple[str, ...]
    """`{word}` is the type of a text that is searched for, `{at}` the function that searches."""


MIGRATIONS: Final = (
    Migration(
        1,
        "objects",
        (
            "CREATE TABLE owners (owner {word} NOT NULL PRIMARY KEY, places BIGINT NOT NULL)",
            *(each.replace("{name}", name) for name in _KINDS for each in _OBJECTS),
            """
            CREATE TABLE removed (
                owner {word} NOT NULL REFERENCES owners (owner),
                kind {word} NOT NULL,
                id {word} NOT NULL,
                place BIGINT NOT NULL,
                PRIMARY KEY (owner, kind, id)
            )
            """,
        ),
    ),
    Migration(
        2,
        "keys",
        (
            """
            CREATE TABLE api_keys (
                key_id {word} NOT NULL PRIMARY KEY,
                owner {word} NOT NULL,
                name TEXT NOT NULL,
                rights TEXT NOT NULL,
                digest TEXT NOT NULL,
                created TEXT NOT NULL,
                revoked TEXT
            )
            """,
        ),
    ),
    Migration(
        3,
        "answers to changes with an idempotency key",
        (
            """
            CREATE TABLE answers (
                owner {word} NOT NULL REFERENCES owners (owner),
                idempotency_key {word} NOT NULL,
                digest TEXT NOT NULL,
                status BIGINT NOT NULL,
                body TEXT NOT NULL,
                moment {word} NOT NULL,
                PRIMARY KEY (owner, idempotency_key)
            )
            """,
            "CREATE INDEX answers_by_moment ON answers (owner, moment)",
        ),
    ),
    Migration(
        4, "audit records", tuple(each.replace("{name}", "audit_records") for each in _OBJECTS)
    ),
    Migration(5, "keys that expire", ("ALTER TABLE api_keys ADD COLUMN expires TEXT",)),
    Migration(
        6,
        "days of one-time items",
        tuple(
            each.format(name=name, mark=mark, length=len(mark), word="{word}", at="{at}")
            for name, mark in (("due_day", '"dueDate": "'), ("start_day", '"accountingPeriod": "'))
            for each in _DAY
        ),
    ),
    Migration(7, "settlements", tuple(each.replace("{name}", "settlements") for each in _OBJECTS)),
    Migration(
        8,
        "no settlements any more",
        (
            "DROP TABLE settlements",
            (
                "UPDATE api_keys SET rights ="
                " replace(replace(rights, 'settlements:read', ''), 'settlements:write', '')"
            ),
        ),
    ),
)
"""All steps, in order."""

_VERSIONS: Final = "CREATE TABLE schema_version (version BIGINT NOT NULL PRIMARY KEY, purpose TEXT)"
_LOCK: Final = 7_264_501_120
"""The number of PostgreSQL's lock for migrations; any that nothing else uses."""


def migrate(engine: Engine, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Take the steps that a database lacks.

    Raises:
        StoreError: `newer_database`: a later release made it. `wrong_encoding`: it keeps texts in
            less than Unicode.
    """
    known = migrations[-1].version
    with transaction(reading_engine(engine)) as connection:
        if _version(connection, known) == known:
            return
    with transaction(writing_engine(engine)) as connection:
        if connection.dialect.name == "postgresql":
            _refuse_encoding(connection)
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        # Somebody else may have taken the steps in the meantime.
        found = _version(connection, known)
        if found == 0 and not inspect(connection).has_table("schema_version"):
            connection.exec_driver_sql(_VERSIONS)
        for migration in migrations:
            if migration.version > found:
                _take(connection, migration)


def _version(connection: Connection, known: int) -> int:
    """Return the version of a database, 0 for an empty one."""
    if not inspect(connection).has_table("schema_version"):
        return 0
    found = connection.exec_driver_sql("SELECT MAX(version) FROM schema_version").scalar() or 0
    if found > known:
        raise StoreError("newer_database", found=found, known=known)
    return int(found)


def _take(connection: Connection, migration: Migration) -> None:
    # Bytewise, whatever language the database sorts in: no upgrade of its sorting breaks an index.
    word = 'TEXT COLLATE "C"' if connection.dialect.name == "postgresql" else "TEXT"
    at = "strpos" if connection.dialect.name == "postgresql" else "instr"
    for statement in migration.statements:
        connection.exec_driver_sql(statement.replace("{word}", word).replace("{at}", at))
    connection.execute(
        text("INSERT INTO schema_version (version, purpose) VALUES (:version, :purpose)"),
        {"version": migration.version, "purpose": migration.purpose},
    )


def _refuse_encoding(connection: Connection) -> None:
    """Refuse a database of PostgreSQL that cannot store every text."""
    found = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if found != "UTF8":
        raise StoreError("wrong_encoding", found=found)
