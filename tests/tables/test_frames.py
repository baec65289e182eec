"""Rows as data frames: what pandas, polars, duckdb and Arrow read is what the rows say."""

import sys
from datetime import date
from decimal import Decimal
from importlib import import_module
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from rentbilling.tables import Column, Table, columns
from rentbilling.tables.frames import arrow_stream, arrow_table, pandas_of

# Neither pyarrow nor this method of pandas has types.
pa: Any = import_module("pyarrow")
from_arrow: Any = getattr(pd.DataFrame, "from_arrow")  # noqa: B009

KINDS = columns(
    text="product_key", date="due_date", whole="bills", number="share", money="net", flag="assumed"
)
ROWS: list[tuple[Any, ...]] = [
    ("key:rent", date(2026, 2, 1), 12, Decimal("0.548387"), Decimal("8500.00"), False),
    (None, None, None, None, None, None),
    ("key:heating", date(9999, 12, 31), -1, Decimal(1), Decimal("-0.1"), True),
]
TABLE = Table(KINDS, ROWS)
# What those rows say with the decimals of their column: 6 of `share`, 2 of `net`.
WIDENED = [
    ("key:rent", date(2026, 2, 1), 12, Decimal("0.548387"), Decimal("8500.00"), False),
    (None, None, None, None, None, None),
    ("key:heating", date(9999, 12, 31), -1, Decimal("1.000000"), Decimal("-0.10"), True),
]


def texts_of(rows: list[tuple[Any, ...]]) -> list[tuple[str, ...]]:
    """Return rows as texts, in which 1 and 1.00, and a number and a text, differ."""
    return [tuple(map(repr, row)) for row in rows]


def test_each_kind_has_its_arrow_type() -> None:
    """Numbers are decimals of 38 digits, with the most decimals of the column, money 2 at least."""
    assert [
        ("product_key", "string"),
        ("due_date", "date32[day]"),
        ("bills", "int64"),
        ("share", "decimal128(38, 6)"),
        ("net", "decimal128(38, 2)"),
        ("assumed", "bool"),
    ] == [(field.name, str(field.type)) for field in arrow_table(TABLE).schema]


def test_pyarrow_reads_the_rows() -> None:
    found = pa.table(TABLE).to_pylist()

    assert texts_of(WIDENED) == texts_of([tuple(row.values()) for row in found])


def test_polars_reads_the_rows() -> None:
    found = pl.DataFrame(TABLE)

    assert [pl.String, pl.Date, pl.Int64, pl.Decimal(38, 6), pl.Decimal(38, 2), pl.Boolean] == (
        found.dtypes
    )
    assert texts_of(WIDENED) == texts_of(found.rows())


def test_duckdb_reads_the_rows_and_sums_exactly() -> None:
    """8500.00 - 0.10 is 8499.90, a decimal of SQL."""
    table = pa.table(TABLE)
    with duckdb.connect() as connection:
        connection.register("lines", table)
        found = connection.sql("select * from lines").fetchall()
        total = connection.sql("select sum(net) from lines").fetchall()

    assert texts_of(WIDENED) == texts_of(found)
    assert "[(Decimal('8499.90'),)]" == repr(total)


def test_pandas_reads_the_stream_as_well() -> None:
    found = from_arrow(TABLE)

    assert [Decimal("8500.00"), None, Decimal("-0.10")] == list(found["net"])


def test_a_pandas_frame_has_decimals_days_and_missing_values() -> None:
    """No whole number becomes a binary one because another is missing, and no day a text."""
    found = pandas_of(TABLE)

    assert ["key:rent", "key:heating"] == list(found["product_key"].dropna())
    assert ["str", "datetime64[s]", "Int64", "object", "object", "boolean"] == [
        str(kind) for kind in found.dtypes
    ]
    assert texts_of([(row[3], row[4]) for row in ROWS]) == texts_of(
        list(zip(found["share"], found["net"], strict=True))
    )
    assert [2026, 9999] == list(found["due_date"].dropna().dt.year)
    assert [12, -1] == list(found["bills"].dropna())
    assert 1 == found["product_key"].isna().sum()


def test_sums_of_pandas_are_exact() -> None:
    """Ten times 0.1 is 1.0, which it is not in binary numbers."""
    table = Table(columns(text="item", money="net"), [("a", Decimal("0.1"))] * 10)

    assert "Decimal('1.0')" == repr(pandas_of(table).groupby("item")["net"].sum()["a"])


def test_whole_columns_have_plain_kinds() -> None:
    table = Table(columns(whole="year", flag="assumed"), [(2026, True)])

    assert ["int64", "bool"] == [str(kind) for kind in pandas_of(table).dtypes]


@pytest.mark.parametrize("values", [[], [(None,)]])
@pytest.mark.parametrize(
    ("kind", "arrow", "pandas"),
    [
        ("text", "string", "str"),
        ("date", "date32[day]", "datetime64[s]"),
        ("whole", "int64", None),
        ("number", "decimal128(38, 0)", "object"),
        ("money", "decimal128(38, 2)", "object"),
        ("flag", "bool", None),
    ],
)
def test_a_column_without_values_has_its_type(
    kind: Any,  # noqa: ANN401
    arrow: str,
    pandas: str | None,
    values: list[tuple[Any]],
) -> None:
    table = Table([Column("value", kind)], values)
    missing = (
        {"whole": "Int64", "flag": "boolean"} if values else {"whole": "int64", "flag": "bool"}
    )

    assert arrow == str(arrow_table(table).schema.field("value").type)
    assert (pandas or missing[kind]) == str(pandas_of(table)["value"].dtype)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("1E+3", "decimal128(38, 2)"),
        ("0.000000000000001", "decimal128(38, 15)"),
        ("-999999999999999.999999999999999", "decimal128(38, 15)"),
        # 36 digits before the point and 2 after it still fit, 37 do not.
        ("9" * 36, "decimal128(38, 2)"),
        ("9" * 37, "decimal256(76, 2)"),
        ("0." + "0" * 39 + "1", "decimal256(76, 40)"),
    ],
)
def test_numbers_keep_all_their_digits(number: str, kind: str) -> None:
    found = arrow_table(Table(columns(money="net"), [(Decimal(number),)]))

    assert kind == str(found.schema.field("net").type)
    assert [Decimal(number)] == found.column("net").to_pylist()


def test_a_number_that_is_too_long_is_refused() -> None:
    """75 digits and 2 decimals do not fit in 76."""
    with pytest.raises(OverflowError, match="a column needs 77 digits, and Arrow has at most 76"):
        arrow_table(Table(columns(money="net"), [(Decimal("9" * 75),)]))


class _Asking:
    """A table that is asked for with a schema."""

    def __init__(self, table: Table, schema: Any) -> None:  # noqa: ANN401
        self._table, self._schema = table, schema

    def __arrow_c_stream__(self, _requested: object = None) -> object:
        return arrow_stream(self._table, self._schema.__arrow_c_schema__())


def test_a_reader_may_ask_for_other_types() -> None:
    asked = pa.schema([("net", pa.decimal128(20, 4))])
    table = Table(columns(money="net"), [(Decimal("8500.00"),)])
    found = pa.table(_Asking(table, asked))

    assert "arrow_array_stream" in repr(arrow_stream(table))
    assert "decimal128(20, 4)" == str(found.schema.field("net").type)
    assert [Decimal("8500.00")] == found.column("net").to_pylist()


@pytest.mark.parametrize(
    ("module", "read", "said"),
    [
        ("pyarrow", arrow_table, r"Arrow needs pyarrow: pip install 'rentbilling\[notebook\]'"),
        ("pandas", pandas_of, "A data frame needs pandas: pip install pandas"),
    ],
)
def test_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    read: Any,  # noqa: ANN401
    said: str,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(ImportError, match=said):
        read(TABLE)


def test_a_library_that_lacks_another_one_says_so_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> object:
        raise ImportError(f"{name} needs six", name="six")

    monkeypatch.setattr("rentbilling.tables.frames.import_module", broken)
    with pytest.raises(ImportError) as refused:
        pandas_of(TABLE)

    assert ("pandas needs six", "six") == (str(refused.value), refused.value.name)
