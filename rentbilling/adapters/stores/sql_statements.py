"""The tables of a database, and every statement that is sent to one.

Laws: every statement about objects names their owner; a page is found by its index, whatever lies
before it; amounts stand in no column but in the exact text of their record.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Executable,
    Insert,
    MetaData,
    Select,
    Table,
    Text,
    bindparam,
    delete,
    func,
    literal,
    select,
    union,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from rentbilling.interface import AuditRecord, Lease, Payout, Product, Tenancy
from rentbilling.records import Record
from rentbilling.terms import Balance, OneTimeBillItem, RecurringBillItem, RentAdjustmentPlan

NAMES: Final[Mapping[type[Record], str]] = MappingProxyType(
    {
        Tenancy: "tenancies",
        Lease: "leases",
        RecurringBillItem: "recurring_bill_items",
        OneTimeBillItem: "one_time_bill_items",
        RentAdjustmentPlan: "rent_adjustment_plans",
        Balance: "balances",
        Product: "products",
        Payout: "payouts",
        AuditRecord: "audit_records",
    }
)
"""The table of each kind."""

DATED: Final = OneTimeBillItem
"""The kind whose rows have the days of which one decides whether they are billed."""
DAYS: Final = ("due_day", "start_day")
"""Their columns, with dates of ISO 8601, which sort as texts."""

METADATA: Final = MetaData()

_COUNTED: Final[Mapping[str, bool]] = MappingProxyType({"preserve_rowcount": True})
"""For statements that add rows, whose number SQLAlchemy does not keep by itself."""

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("owner", Text, primary_key=True),
    # Places given so far. Whoever changes something locks the row: places rise as changes end.
    Column("places", BigInteger, nullable=False),
)

REMOVED: Final = Table(
    "removed",
    METADATA,
    Column("owner", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("place", BigInteger, nullable=False),
)
"""Places of what was removed, at which a page can still begin (A43)."""

KEYS: Final = Table(
    "api_keys",
    METADATA,
    Column("key_id", Text, primary_key=True),
    *(
        Column(each, Text, nullable=False)
        for each in ("owner", "name", "rights", "digest", "created")
    ),
    Column("revoked", Text),
    Column("expires", Text),
)

ANSWERS: Final = Table(
    "answers",
    METADATA,
    Column("owner", Text, primary_key=True),
    Column("idempotency_key", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("status", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    # In UTC and of one length, so that texts sort as moments do.
    Column("moment", Text, nullable=False),
)


def _place_of_removed(name: str) -> Select[tuple[int]]:
    """Return the statement for the place of what was removed; `the_owner` and `the_id`."""
    is_it = (REMOVED.c.owner == bindparam("the_owner")) & (REMOVED.c.id == bindparam("the_id"))
    return select(REMOVED.c.place).where(is_it, REMOVED.c.kind == name)


def _table(name: str) -> Table:
    return Table(
        name,
        METADATA,
        Column("owner", Text, primary_key=True),
        Column("place", BigInteger, primary_key=True, autoincrement=False),
        Column("id", Text, nullable=False),
        Column("belongs_to", Text),
        Column("record", Text, nullable=False),
        *(Column(each, Text, nullable=False) for each in DAYS if name == NAMES[DATED]),
    )


class Statements(NamedTuple):
    """The statements of the table of one kind; every statement has the parameter `the_owner`."""

    table: Table
    find: Executable
    """Also `the_id`."""
    several: Executable
    """Also `the_ids`, several."""
    place: Executable
    """The place of an object or of a removed one. Also `the_id`."""
    page: Executable
    """Also `after` and `most`."""
    page_below: Executable
    """Also `above`, `after` and `most`."""
    belonging: Executable
    """Also `above`, several."""
    belonging_on: Executable | None
    """What may be billed in some days. Also `above`, several, `first` and `last`; None for a kind
    other than `DATED`."""
    counted: Executable
    """Also `above`."""
    replace: Executable
    """Also `the_id`, `above` and `text`, of `DATED` also `DAYS`."""
    remove: Executable
    """Also `the_id`."""
    forget: Executable
    """Notes the place of what is removed. Also `the_id`."""


def _statements(name: str) -> Statements:
    table = _table(name)
    is_owners = table.c.owner == bindparam("the_owner")
    is_it = is_owners & (table.c.id == bindparam("the_id"))
    wanted = select(table.c.id, table.c.belongs_to, table.c.record)
    later = table.c.place > bindparam("after")
    page = wanted.where(is_owners, later).order_by(table.c.place).limit(bindparam("most"))
    is_below = is_owners & table.c.belongs_to.in_(bindparam("above", expanding=True))
    days: dict[str, Any] = {each: bindparam(each) for each in DAYS if each in table.c}
    places = [
        select(table.c.place).where(
            is_below, table.c[each].between(bindparam("first"), bindparam("last"))
        )
        for each in days
    ]
    belonging_on = wanted.where(is_owners, table.c.place.in_(union(*places))) if days else None
    return Statements(
        table=table,
        find=wanted.where(is_it),
        several=wanted.where(is_owners).where(table.c.id.in_(bindparam("the_ids", expanding=True))),
        place=union_all(select(table.c.place).where(is_it), _place_of_removed(name)),
        page=page,
        page_below=page.where(table.c.belongs_to == bindparam("above")),
        belonging=wanted.where(is_below).order_by(table.c.place),
        belonging_on=None if belonging_on is None else belonging_on.order_by(table.c.place),
        counted=select(func.count()).where(is_owners, table.c.belongs_to == bindparam("above")),
        replace=update(table)
        .where(is_it)
        .values(belongs_to=bindparam("above"), record=bindparam("text"), **days),
        remove=delete(table).where(is_it),
        forget=REMOVED.insert()
        .from_select(
            ["owner", "kind", "id", "place"],
            select(table.c.owner, literal(name), table.c.id, table.c.place).where(is_it),
        )
        .execution_options(**_COUNTED),
    )


STATEMENTS: Final = MappingProxyType({kind: _statements(name) for kind, name in NAMES.items()})
"""The statements of the table of each kind."""


def _adding(name: str, dialect: Any) -> Insert:  # noqa: ANN401 - a module of SQLAlchemy
    """Return the statement that adds an object, or no row where its id is, or was, taken.

    Parameters: `the_owner`, `at`, `the_id`, `above`, `text`, of `DATED` also both days.
    """
    table = METADATA.tables[name]
    days = [each for each in DAYS if each in table.c]
    named = ("the_owner", "at", "the_id", "above", "text", *days)
    values = [bindparam(each, type_=BigInteger if each == "at" else Text) for each in named]
    row = select(*values).where(~_place_of_removed(name).exists())
    columns = ["owner", "place", "id", "belongs_to", "record", *days]
    added: Insert = (
        dialect.insert(table)
        .from_select(columns, row)
        .on_conflict_do_nothing(index_elements=["owner", "id"])
        .execution_options(**_COUNTED)
    )
    return added


ADDING: Final = MappingProxyType(
    {
        module.dialect.name: MappingProxyType(
            {kind: _adding(name, module) for kind, name in NAMES.items()}
        )
        for module in (sqlite, postgresql)
    }
)
"""The statement that adds an object of each kind, in each dialect."""

NEW_OWNER: Final = MappingProxyType(
    {
        module.dialect.name: module.insert(OWNERS)
        .values(owner=bindparam("the_owner"), places=0)
        .on_conflict_do_nothing()
        for module in (sqlite, postgresql)
    }
)
"""Adds an owner, in each dialect; parameter `the_owner`."""

LOCK: Final = (
    select(OWNERS.c.places).where(OWNERS.c.owner == bindparam("the_owner")).with_for_update()
)
"""Locks the owner for other changes; SQLite has locked the whole file by then."""

GIVE_PLACES: Final = (
    update(OWNERS).where(OWNERS.c.owner == bindparam("the_owner")).values(places=bindparam("given"))
)
"""Notes the places given."""

FIND_ANSWER: Final = (
    select(ANSWERS.c.digest, ANSWERS.c.status, ANSWERS.c.body, ANSWERS.c.moment)
    .where(ANSWERS.c.owner == bindparam("the_owner"))
    .where(ANSWERS.c.idempotency_key == bindparam("the_key"))
)
"""The answer that was kept for a key; parameters `the_owner` and `the_key`."""

FORGET_ANSWERS: Final = (
    delete(ANSWERS)
    .where(ANSWERS.c.owner == bindparam("the_owner"))
    .where(
        (ANSWERS.c.moment < bindparam("since"))
        | (ANSWERS.c.idempotency_key == bindparam("the_key"))
    )
)
"""Deletes old answers, and that of a key; parameters `the_owner`, `since` and `the_key`."""

KEEP_ANSWER: Final = ANSWERS.insert().values(
    owner=bindparam("the_owner"), idempotency_key=bindparam("the_key")
)
"""Adds an answer; parameters `the_owner`, `the_key` and the other columns."""
