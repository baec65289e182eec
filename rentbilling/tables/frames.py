"""Rows as data frames and Arrow tables (extra `notebook`).

Laws: money is a decimal number from end to end; None stays missing; rows are those of `rows()`.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

    from rentbilling.tables.tabular import Column, ColumnKind, Tabular

_NUMBERS: Final = ("number", "money")
"""Kinds of columns that are decimal numbers."""
_NARROW: Final = 38
"""Digits of Arrow's usual decimal number, which polars and duckdb read as well."""
_WIDE: Final = 76
"""Digits of its widest one."""
_MONEY_DECIMALS: Final = 2
"""Decimals of money at least, so that tables of two leases can be put below each other."""


def pandas_of(tabular: "Tabular", *, floats: bool = False) -> "pd.DataFrame":
    """Return a pandas data frame with the same columns.

    Numbers are `Decimal`, or float64 for pictures; days datetime64; missing whole numbers Int64.

    Raises:
        ImportError: pandas is not installed.

    Examples:
        >>> from rentbilling.tables import Table, columns
        >>> kinds = columns(date="due_date", money="net")
        >>> table = Table(kinds, [(date(2026, 2, 1), Decimal("8.50"))])
        >>> pandas_of(table)["net"].sum()
        Decimal('8.50')
    """
    pandas = _loaded("pandas", "A data frame", "pip install pandas")
    values = _by_column(tabular)
    found: pd.DataFrame = pandas.DataFrame(
        {
            column.name: pandas.Series(
                [_pandas_value(value) for value in values[column.name]],
                dtype=_pandas_kind(column.kind, values[column.name], floats=floats),
            )
            for column in tabular.columns
        },
        columns=[column.name for column in tabular.columns],
    )
    return found


def polars_of(tabular: "Tabular", *, floats: bool = False) -> Any:  # noqa: ANN401 - may be absent
    """Return a Polars data frame with the columns of `arrow_table`, or numbers as Float64.

    Examples:
        >>> from rentbilling.tables import Table, columns
        >>> table = Table(columns(text="product", money="net"), [("rent", Decimal("8500.5"))])
        >>> polars_of(table)["net"].sum(), polars_of(table, floats=True)["net"].sum()
        (Decimal('8500.50'), 8500.5)
    """
    polars = _loaded("polars", "A data frame of Polars", "pip install polars")
    found = polars.from_arrow(arrow_table(tabular))
    if not floats:
        return found
    numbers = [each.name for each in tabular.columns if each.kind in _NUMBERS]
    return found.with_columns(polars.col(numbers).cast(polars.Float64))


def arrow_table(tabular: "Tabular") -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return a `pyarrow.Table` with the same columns.

    Numbers and money are decimal128 of 38 digits, decimal256 only if a column needs more, with the
    most decimals of the column, money with at least 2; days are date32.

    Raises:
        ImportError: pyarrow is not installed.
        OverflowError: A column needs more than 76 digits, or a whole number more than 64 bits.

    Examples:
        >>> from rentbilling.tables import Table, columns
        >>> table = Table(columns(text="product", money="net"), [("rent", Decimal("8500.5"))])
        >>> [str(field.type) for field in arrow_table(table).schema]
        ['string', 'decimal128(38, 2)']
    """
    arrow = _loaded("pyarrow", "Arrow", "pip install 'rentbilling[notebook]'")
    values = _by_column(tabular)
    names = [column.name for column in tabular.columns]
    arrays = [_array(arrow, column, values[column.name]) for column in tabular.columns]
    return arrow.Table.from_arrays(arrays, names=names)


def arrow_stream(tabular: "Tabular", requested_schema: object = None) -> object:
    """Return the Arrow C stream of a table, in the types of `requested_schema` (Arrow PyCapsule).

    Raises:
        ImportError: pyarrow is not installed.
        OverflowError: A column needs more than 76 digits, or a whole number more than 64 bits.
    """
    stream: object = arrow_table(tabular).__arrow_c_stream__(requested_schema)
    return stream


def _loaded(module: str, what: str, how: str) -> Any:  # noqa: ANN401 - neither has types of its own
    try:
        return import_module(module)
    except ImportError as missing:
        # The error of a dependency of that module is passed on as it is.
        if missing.name != module:
            raise
        raise ImportError(f"{what} needs {module}: {how}", name=module) from missing


def _by_column(tabular: "Tabular") -> Mapping[str, Sequence[Any]]:
    rows = tabular.rows()
    return {column.name: [row[column.name] for row in rows] for column in tabular.columns}


# ------------------------------------------------------------------------------------------ pandas


def _pandas_kind(kind: "ColumnKind", values: Sequence[Any], *, floats: bool) -> str:
    missing = None in values
    if floats and kind in _NUMBERS:
        return "float64"
    if kind == "whole":
        return "Int64" if missing else "int64"
    if kind == "flag":
        return "boolean" if missing else "bool"
    return {"date": "datetime64[s]", "text": "str"}.get(kind, "object")


def _pandas_value(value: object) -> object:
    """Return a value as pandas takes it; a day without detour, so that the year 9999 fits."""
    return value.isoformat() if isinstance(value, date) else value


# ------------------------------------------------------------------------------------------- Arrow


def _array(arrow: Any, column: "Column", values: Sequence[Any]) -> Any:  # noqa: ANN401
    if column.kind in _NUMBERS:
        return arrow.array(values, type=_decimal_type(arrow, column.kind, values))
    return arrow.array(values, type=_TYPES[column.kind](arrow))


def _decimal_type(arrow: Any, kind: "ColumnKind", values: Sequence[Decimal | None]) -> Any:  # noqa: ANN401
    known = [value for value in values if value is not None]
    decimals = max((-int(value.as_tuple().exponent) for value in known), default=0)
    scale = max(decimals, _MONEY_DECIMALS if kind == "money" else 0)
    whole = max((value.adjusted() + 1 for value in known if value), default=0)
    digits = max(whole, 0) + scale
    if digits > _WIDE:
        raise OverflowError(f"a column needs {digits} digits, and Arrow has at most {_WIDE}")
    return arrow.decimal128(_NARROW, scale) if digits <= _NARROW else arrow.decimal256(_WIDE, scale)


_TYPES: Final[Mapping["ColumnKind", Callable[[Any], Any]]] = MappingProxyType(
    {
        "text": lambda arrow: arrow.string(),
        "date": lambda arrow: arrow.date32(),
        "whole": lambda arrow: arrow.int64(),
        "flag": lambda arrow: arrow.bool_(),
    }
)
