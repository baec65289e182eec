"""Column types: the columns of leases, derived from their records, and those of the results.

Laws: every field of a lease's records has its column, so that no rule is missing; every number is
exact, one decimal type for all of them; absent is null.

**A lease** is a row of `LEASE_SCHEMA`; fields have the names of the records in Python:

=====================  ====================================================================
in the records         in Arrow
=====================  ====================================================================
Amount                 struct of amount (decimal, main unit: 8500.00) and currency (string)
Vat                    struct of tax_mode (string) and tax_rate (decimal, a fraction: 0.25)
Period                 struct of start and end (date32), both days included
number                 decimal128(38, 15), enough for every number of A1
whole number           int64
date                   date32
date-time              string with its offset, because its own day counts (A32)
text, month, word      string
record                 struct of its fields
tuple                  list
=====================  ====================================================================

Every column may be null where the record's field may be absent; of a list, null and empty mean the
same. **A bill** is a row of `BILL_SCHEMA`, with lists of lines and VAT totals; amounts are in the
main unit of the bill's currency. `LINE_SCHEMA` is the same with a row for each line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_origin

import pyarrow as pa
import pyarrow.compute

from rentbilling.indices import IndexPoint
from rentbilling.records import FieldType, Record, fields_of
from rentbilling.terms import LeaseTerms, RentAdjustment
from rentbilling.values import MAX_DIGITS, Amount, Period, Vat, YearMonth

functions: Final[Any] = pyarrow.compute
"""Arrow's functions, which it makes when it is loaded, so that no type checker knows them."""

SCALE: Final = MAX_DIGITS
"""Decimals of every number."""

NUMBER: Final = pa.decimal128(38, SCALE)
"""Every number, and every amount in the main unit of its currency."""
A_DECIMAL: Final = f"decimal, such as {NUMBER}"

DAY: Final = pa.date32()

CENTS: Final = 2
"""Decimals of an amount of money at least, also where they are zeros."""

ROW: Final = "row"
"""The column that numbers the leases of a source from 0."""

Word = Literal[
    "text",
    "money",
    "number",
    "whole",
    "flag",
    "day",
    "moment",
    "list",
    "amount",
    "vat",
    "period",
    "record",
]
"""What a column holds; the last four are structs."""

PLAIN: Final[Mapping[Word, Any]] = MappingProxyType(
    {
        "text": pa.string(),
        "money": NUMBER,
        "number": NUMBER,
        "whole": pa.int64(),
        "flag": pa.bool_(),
        "day": DAY,
        "moment": pa.string(),
    }
)
"""The one type in which each plain column is read and written."""
_WORDS: Final[MappingProxyType[type, Word]] = MappingProxyType(
    {
        str: "text",
        IndexPoint: "text",
        YearMonth: "text",
        Decimal: "number",
        int: "whole",
        bool: "flag",
        date: "day",
        datetime: "moment",
        Amount: "amount",
        Vat: "vat",
        Period: "period",
    }
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a field of a record is as a column."""

    word: Word
    """The kind of its values."""
    arrow: Any
    """Its Arrow type, as it is written."""
    parts: "tuple[tuple[str, Shape], ...]" = ()
    """The fields of a struct by name, or the shape of a list under the name `item`."""
    record: type[Record] | None = None
    """The record whose fields they are."""


def _struct(word: Word, parts: dict[str, Shape], record: type[Record] | None = None) -> Shape:
    arrow = pa.struct([pa.field(name, part.arrow) for name, part in parts.items()])
    return Shape(word, arrow, tuple(parts.items()), record)


@cache
def _plain(word: Word) -> Shape:
    """Return the shape of a word, whose parts are always the same."""
    if word == "amount":
        return _struct(word, {"amount": _plain("money"), "currency": _plain("text")})
    if word == "vat":
        return _struct(word, {"tax_mode": _plain("text"), "tax_rate": _plain("number")})
    if word == "period":
        return _struct(word, {"start": _plain("day"), "end": _plain("day")})
    return Shape(word, PLAIN[word])


@cache
def shape_of(kind: Any) -> Shape:  # noqa: ANN401 - a class or a Literal
    """Return what a value of some class is as a column, with everything that is inside.

    Examples:
        >>> shape_of(Amount).word, shape_of(Period).arrow
        ('amount', StructType(struct<start: date32[day], end: date32[day]>))
    """
    if get_origin(kind) is Literal:
        return _plain("text")
    if kind in _WORDS:
        return _plain(_WORDS[kind])
    fields = {each.name: each.type for each in fields_of(kind)}
    names = dict.fromkeys((*kind.written_first, *fields))
    return _struct("record", {name: _shape(fields[name]) for name in names}, kind)


def _shape(known: FieldType) -> Shape:
    if known.entries is None:
        return shape_of(known.kind)
    item = _shape(known.entries)
    return Shape("list", pa.list_(item.arrow), (("item", item),))


def _schema(*fields: tuple[str, Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return a schema of fields that may be null."""
    return pa.schema([pa.field(name, kind) for name, kind in fields])


def _fields_of(kind: Any) -> Iterable[tuple[str, Any]]:  # noqa: ANN401 - a record
    return ((name, part.arrow) for name, part in shape_of(kind).parts)


LEASE_SCHEMA: Final = _schema(*_fields_of(LeaseTerms))
"""A row for each lease: the fields of `LeaseTerms`.

A column `row` (whole numbers) may be added where batches of one source are billed apart
with numbers that go through all of them.
"""

VAT: Final = shape_of(Vat).arrow
"""Tax mode and rate; the rate is a fraction, null where none was given."""

PERIOD: Final = shape_of(Period).arrow
"""First and last day, both included."""

TAKEN_OFF: Final = pa.struct(
    [("description", pa.string()), ("percentage", NUMBER), ("taken_off", NUMBER)]
)
"""A discount of a line: `percentage` is null of one by amount (A61)."""

_LINE: Final = (
    ("item_id", pa.string()),
    ("product_key", pa.string()),
    ("description", pa.string()),
    ("discount_text", pa.string()),
    ("kind", pa.string()),
    ("accounting_period", PERIOD),
    ("regular_period", PERIOD),
    ("share", pa.string()),
    ("counted", pa.string()),
    ("quantity", NUMBER),
    ("amount", NUMBER),
    ("unit_net_price", NUMBER),
    ("net_price", NUMBER),
    ("vat", VAT),
    ("discounts", pa.list_(TAKEN_OFF)),
)

LINE: Final = pa.struct([pa.field(name, kind) for name, kind in _LINE])
"""A line item, as `PendingBillLineItem` has it.

`regular_period` is null for opening and one-time lines; `share` is the exact share of the regular
period as a text such as `17/31`, `1` for a whole one (A20, A56); `counted` says what was counted
for a part, null for other lines (A157). `discounts` are those in force,
each with what it took off the line (A61).
"""

VAT_TOTAL: Final = pa.struct(
    [pa.field("vat", VAT), pa.field("amount", NUMBER), pa.field("base", NUMBER)]
)
"""A VAT total: tax mode and rate, the VAT, and the net amount that it is the VAT of."""

_OF_LEASE: Final = ((ROW, pa.int64()), ("lease_id", pa.string()))
_OF_BILL: Final = (*_OF_LEASE, ("due_date", DAY), ("currency", pa.string()))

BILL_SCHEMA: Final = _schema(
    *_OF_BILL,
    ("subtotal", NUMBER),
    ("total", NUMBER),
    ("cash_rounding", NUMBER),
    ("lines", pa.list_(LINE)),
    ("vat_totals", pa.list_(VAT_TOTAL)),
)
"""A row for each bill, in order of lease, due date and currency (A16).

`row` is the number of the lease in its source, from 0; `cash_rounding` is null where the policy has
none (A52).
"""

_FLAT: Final = MappingProxyType(
    {
        "accounting_period": (("period_start", DAY), ("period_end", DAY)),
        "regular_period": (("regular_start", DAY), ("regular_end", DAY)),
        "vat": (("tax_mode", pa.string()), ("tax_rate", NUMBER)),
        "discounts": (),
    }
)
"""The columns of a line's structs and lists where lines are flat."""
LINE_SCHEMA: Final = _schema(
    *_OF_BILL,
    *(column for field in _LINE for column in _FLAT.get(field[0], (field,))),
)
"""A row for each line of each bill: flat columns, for engines that have no lists or structs."""

ADJUSTMENT_SCHEMA: Final = _schema(*_OF_LEASE, *_fields_of(RentAdjustment))
"""A row for each rent adjustment: the fields of `RentAdjustment`, those of A56 included."""

NOTICE_SCHEMA: Final = _schema(
    *_OF_LEASE,
    ("code", pa.string()),
    ("message", pa.string()),
    ("item_id", pa.string()),
    ("facts", pa.map_(pa.string(), pa.string())),
)
"""A row for each thing that a person should look at; `facts` are the values involved, by name."""

PROBLEM_SCHEMA: Final = _schema(
    *_OF_LEASE,
    ("code", pa.string()),
    ("path", pa.string()),
    ("message", pa.string()),
    ("met", pa.string()),
    ("expected", pa.string()),
)
"""A row for each thing that is wrong with a lease, which has no bills then.

`path` is its place, such as `recurring_bill_items[0].amount.amount`, empty for the lease
itself; `met` and `expected` are null where a fact is missing and no value is wrong.
"""
