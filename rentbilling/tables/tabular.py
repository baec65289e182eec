"""Tables: results as rows, for notebooks, data frames and files.

Laws: rows of one kind have the same keys in the same order; numbers are Decimal with all digits.
"""

from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from rentbilling.layout import html_table
from rentbilling.tables.frames import arrow_stream, pandas_of, polars_of
from rentbilling.values import WireForm, plain_data

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
"""A row: values by the names of the columns; None where there is none."""

ColumnKind = Literal["text", "date", "whole", "number", "money", "flag"]
"""Its values: str, date, int, Decimal, Decimal in the main unit of the row's currency, bool."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    """Name of the key in each row, in snake_case."""
    kind: ColumnKind = "text"

    @property
    def is_number(self) -> bool:
        """Whether it is shown to the right."""
        return self.kind in ("whole", "number", "money")


def columns(**kinds: str) -> tuple[Column, ...]:
    """Return columns by kind.

    Examples:
        >>> [column.name for column in columns(date="due_date", money="net vat gross")]
        ['due_date', 'net', 'vat', 'gross']
    """
    return tuple(
        Column(name, kind)  # type: ignore[arg-type]
        for kind, names in kinds.items()
        for name in names.split()
    )


class Tabular(WireForm):
    """Results with rows: as lists of dicts, data frames, Arrow, and a table in a notebook."""

    __slots__ = ()
    most_shown: ClassVar = 60
    """Rows that a notebook shows."""

    @property
    @abstractmethod
    def columns(self) -> Sequence[Column]:
        """The columns of its rows, in order."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """Return its rows: dicts with the same keys in the same order."""

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences that a table needs below its rows."""
        return ()

    def _to_wire(self) -> Any:  # noqa: ANN401
        return {"rows": plain_data(self.rows())}

    def to_pandas(self, *, floats: bool = False) -> "pd.DataFrame":
        """Return a pandas data frame: days as datetime64, numbers as Decimal.

        With `floats` they are floats: for pictures only, because floats are not exact.

        Raises:
            ImportError: pandas is not installed.
        """
        return pandas_of(self, floats=floats)

    def to_polars(self, *, floats: bool = False) -> Any:  # noqa: ANN401 - polars may be absent
        """Return a Polars data frame, as `to_pandas` does; needs the extra `notebook` too."""
        return polars_of(self, floats=floats)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream, which polars, duckdb, pandas and pyarrow read; decimals stay."""
        return arrow_stream(self, requested_schema)

    def _repr_html_(self) -> str:
        rows, kinds = self.rows(), self.columns
        left = len(rows) - self.most_shown
        more = [f"and {left:,} more rows"] if left > 0 else []
        note = "; ".join([*more, *self.remarks])
        return html_table(
            [(column.name, column.is_number) for column in kinds],
            [
                [_grouped(value, column) for value, column in zip(row.values(), kinds, strict=True)]
                for row in rows[: self.most_shown]
            ],
            note=note,
        )


class Table(Tabular):
    """Rows that were worked out, with their columns.

    Examples:
        >>> table = Table(columns(text="product", whole="bills"), [("key:rent", 12)])
        >>> table.rows()
        [{'product': 'key:rent', 'bills': 12}]
        >>> print(table)
        product   bills
        key:rent     12
    """

    __slots__ = ("_columns", "_values")

    def __init__(self, columns: Sequence[Column], values: Sequence[Sequence[Any]]) -> None:
        self._columns = tuple(columns)
        self._values = tuple(map(tuple, values))

    @property
    def columns(self) -> Sequence[Column]:
        """The columns, in order."""
        return self._columns

    def rows(self) -> list[Row]:
        """Return the rows."""
        names = [column.name for column in self._columns]
        return [dict(zip(names, values, strict=True)) for values in self._values]

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        """Tables are equal when columns and rows are."""
        if not isinstance(other, Table):
            return NotImplemented
        return (self._columns, self._values) == (other._columns, other._values)

    def __hash__(self) -> int:
        return hash((self._columns, self._values))

    def __str__(self) -> str:
        return text_table(self._columns, self._values)

    def __repr__(self) -> str:
        return str(self)


def text_table(columns: Sequence[Column], values: Sequence[Sequence[Any]]) -> str:
    """Return rows as aligned text with a line of names first."""
    cells = [[column.name for column in columns]]
    cells += [[shown_cell(value) for value in row] for row in values]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if column.is_number else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns, strict=True)
        ).rstrip()
        for row in cells
    ]
    return "\n".join(lines)


def shown_cell(value: object) -> str:
    """Return a value as the text of a cell: all digits of a number, nothing for None.

    Examples:
        >>> shown_cell(Decimal("8500.00")), shown_cell(None), shown_cell(True)
        ('8500.00', '', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _grouped(value: object, column: Column) -> str:
    """Return a value as the text of a cell, money with its thousands apart."""
    is_money = column.kind == "money" and isinstance(value, Decimal)
    return f"{value:,f}" if is_money else shown_cell(value)
