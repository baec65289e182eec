"""Record rows: resources, items and plans, and pages of them, as rows of plain values.

Laws: a record is one row, whose columns follow from its class alone; nothing is rounded or
converted.

A column has the name of its field; a part with fields of its own, such as an address, has a column
for each, both names joined by an underscore. What else a field becomes:

- an amount: its number, and its currency in the next column (`net`, `net_currency`); - a VAT:
`vat_tax_mode` and `vat_tax_rate`; a period: its first and last day (`…_start`, `…_end`); - a
date-time: its text in JSON; a resource within another one: its id (`current_lease_id`); - a list of
texts, rooms or groups (`category=group`): one text with commas; - a list of anything else: how many
there are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from rentbilling.errors import shown
from rentbilling.layout import heading, html_table
from rentbilling.records import CheckedRecord, FieldType, JsonData, RawRecord, fields_of, wire_names
from rentbilling.tables.tabular import Column, ColumnKind, Row, Table, Tabular, shown_cell
from rentbilling.values import Amount, Period, Vat

Getter = Callable[[Any], Any]
"""Takes a record, and gives a value of it; None where there is none."""


class _Cell(NamedTuple):
    """A column, and how its value is reached."""

    column: Column
    get: Getter


class TabularRecord(CheckedRecord, Tabular):
    """A record that is a row.

    Examples:
        >>> from rentbilling.interface import Product
        >>> Product(product_key="key:rent", position=1).rows()[0]["position"]
        1
    """

    listed_as: ClassVar[Mapping[str, Callable[[Any], str]]] = MappingProxyType({})
    """The text of each entry of a list; lists without one are counted."""

    @property
    def columns(self) -> Sequence[Column]:
        return columns_of(type(self))

    def rows(self) -> list[Row]:
        return [_row(type(self), self)]

    def _repr_html_(self) -> str:
        cells = [
            [heading(name), shown_cell(value)]
            for name, value in self.rows()[0].items()
            if value is not None
        ]
        return html_table([("field", False), ("value", False)], cells, caption=type(self).__name__)


class PageRecord(CheckedRecord, Tabular):
    """A page of records, each of which is a row.

    Examples:
        >>> from rentbilling.interface import Lease, LeasePage
        >>> [row["id"] for row in LeasePage(leases=(Lease(id="a"), Lease(id="b"))).rows()]
        ['a', 'b']
        >>> LeasePage(leases=()).columns == Lease(id="a").columns
        True
    """

    answered = True

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of its rows, also of an empty page."""
        return columns_of(_listed(type(self))[1])

    def rows(self) -> list[Row]:
        kind = _listed(type(self))[1]
        return [_row(kind, record) for record in self._records()]

    def _repr_html_(self) -> str:
        return table_of(_listed(type(self))[1], self._records())._repr_html_()

    def _records(self) -> Sequence[TabularRecord | RawRecord]:
        records: Sequence[TabularRecord | RawRecord] = getattr(self, _listed(type(self))[0])
        return records


class _RecordTable(Table):
    """A table of records, many of which leave much unsaid."""

    __slots__ = ("_remarks",)

    def __init__(
        self, columns: Sequence[Column], values: Sequence[Sequence[Any]], remarks: Sequence[str]
    ) -> None:
        super().__init__(columns, values)
        self._remarks = tuple(remarks)

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences that the table needs below its rows."""
        return self._remarks

    def _repr_html_(self) -> str:
        rows = self.rows()
        kept = [each for each in self.columns if any(row[each.name] is not None for row in rows)]
        left = len(self.columns) - len(kept)
        if not rows or not left:
            return super()._repr_html_()
        said = f"{left} empty column{'s' if left > 1 else ''} left out"
        values = [[row[column.name] for column in kept] for row in rows]
        return _RecordTable(kept, values, [said])._repr_html_()


def table_of(kind: type[TabularRecord], records: Iterable[TabularRecord | RawRecord]) -> Table:
    """Return a table of resources, items or plans: the columns of their kind, a row for each.

    Raises:
        TypeError: The kind has no rows, or something given is of another kind.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> table = table_of(Payout, [Payout(id="payout-1", net=Amount(Decimal("980.00"), "DKK"))])
        >>> row = table.rows()[0]
        >>> row["id"], row["net"], row["net_currency"], row["fees"]
        ('payout-1', Decimal('980.00'), 'DKK', None)
        >>> table_of(Payout, []).columns == table.columns
        True
    """
    if not (isinstance(kind, type) and issubclass(kind, TabularRecord)):
        raise TypeError(f"table_of takes a kind of record first, such as Lease, not {shown(kind)}")
    if hasattr(records, "__aiter__"):
        raise TypeError("table_of does not wait: pass [each async for each in …]")
    values = []
    for record in records:
        if not isinstance(record, (kind, RawRecord)):
            raise TypeError(f"table_of({kind.__name__}, …) takes no other kind: {shown(record)}")
        values.append(_values(kind, record))
    return _RecordTable(columns_of(kind), values, ())


@cache
def columns_of(kind: type[TabularRecord]) -> tuple[Column, ...]:
    """Return the columns of a kind of record.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> [column.name for column in columns_of(Payout)][:5]
        ['id', 'payout_reason', 'payout_date', 'net', 'net_currency']
    """
    return tuple(cell.column for cell in _cells_of(kind))


def _row(kind: type[TabularRecord], record: TabularRecord | RawRecord) -> Row:
    names = (column.name for column in columns_of(kind))
    return dict(zip(names, _values(kind, record), strict=True))


def _values(kind: type[TabularRecord], record: TabularRecord | RawRecord) -> list[Any]:
    if isinstance(record, RawRecord):
        return [_raw_value(column, kind, record.data) for column in columns_of(kind)]
    return [cell.get(record) for cell in _cells_of(kind)]


def _raw_value(column: Column, kind: type[TabularRecord], data: Mapping[str, JsonData]) -> JsonData:
    """Return what raw data say in a column of texts, flags or counts; None for anything else."""
    value = data.get(wire_names(kind).get(column.name, ""))
    if column.kind == "whole":
        return len(value) if isinstance(value, list) else None
    fits = {"text": str, "flag": bool}.get(column.kind)
    return value if fits is not None and isinstance(value, fits) else None


@cache
def _listed(kind: type[PageRecord]) -> tuple[str, type[TabularRecord]]:
    (field,) = fields_of(kind)
    return field.name, field.type.innermost


# -------------------------------------------------------------------------- what a field becomes


@cache
def _cells_of(kind: type[TabularRecord]) -> tuple[_Cell, ...]:
    return tuple(_fields(kind, "", lambda record: record))


def _fields(kind: type[CheckedRecord], prefix: str, get: Getter) -> Iterator[_Cell]:
    in_words = getattr(kind, "listed_as", {})
    for each in fields_of(kind):
        yield from _cells(
            f"{prefix}{each.name}", each.type, _part_of(get, each.name), in_words.get(each.name)
        )


def _cells(
    name: str,
    known: FieldType,
    get: Getter,
    in_words: Callable[[Any], str] | None,
) -> Iterator[_Cell]:
    kind = known.kind
    if known.is_list:
        yield _list_cell(name, known.innermost, get, in_words)
    elif kind is dict:
        yield _cell(name, "text", lambda record: _joined(_groups(get(record))))
    elif kind is datetime:
        yield _cell(name, "text", lambda record: _moment_text(get(record)))
    elif isinstance(kind, type) and issubclass(kind, TabularRecord):
        yield _cell(f"{name}_id", "text", _part_of(get, "id"))
    elif isinstance(kind, type) and issubclass(kind, CheckedRecord):
        yield from _fields(kind, f"{name}_", get)
    elif kind in _PARTS:
        for ending, part, column in _PARTS[kind]:
            yield _cell(f"{name}{ending}", column, _part_of(get, part))
    else:
        # A word of a few, such as the unit of a cycle, is a text.
        yield _cell(name, _PLAIN.get(kind, "text"), get)


def _list_cell(
    name: str,
    kind: Any,  # noqa: ANN401 - what annotations are
    get: Getter,
    in_words: Callable[[Any], str] | None,
) -> _Cell:
    if in_words is not None:
        return _cell(name, "text", lambda record: _joined(map(in_words, get(record) or ())))
    if kind is str:
        return _cell(name, "text", lambda record: _joined(get(record) or ()))

    def counted(record: object) -> int | None:
        parts = get(record)
        return None if parts is None else len(parts)

    return _cell(name, "whole", counted)


def _cell(name: str, kind: ColumnKind, get: Getter) -> _Cell:
    return _Cell(Column(name, kind), get)


def _part_of(get: Getter, name: str) -> Getter:
    def part(record: object) -> Any:  # noqa: ANN401 - of any kind
        value = get(record)
        return None if value is None else getattr(value, name)

    return part


def _joined(texts: Iterable[str]) -> str | None:
    return ", ".join(texts) or None


def _groups(groups: Mapping[str, str] | None) -> Iterator[str]:
    return (f"{category}={group}" for category, group in (groups or {}).items())


def _moment_text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


_PLAIN: Final[Mapping[object, ColumnKind]] = MappingProxyType(
    {str: "text", bool: "flag", int: "whole", Decimal: "number", date: "date"}
)
"""The kinds of columns by class."""
_PARTS: Final[Mapping[object, Sequence[tuple[str, str, ColumnKind]]]] = MappingProxyType(
    {
        Amount: (("", "amount", "money"), ("_currency", "currency", "text")),
        Vat: (("_tax_mode", "tax_mode", "text"), ("_tax_rate", "tax_rate", "number")),
        Period: (("_start", "start", "date"), ("_end", "end", "date")),
    }
)
"""Columns of values that have several: the ending of the name, the attribute, the kind."""
