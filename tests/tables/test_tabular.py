"""Tables: rows, texts and their looks."""

from datetime import date
from decimal import Decimal

import pyarrow as pa

from rentbilling.tables import Column, Table, columns

TABLE = Table(
    (
        *columns(text="name", date="day", whole="count"),
        Column("net", "money"),
        Column("on", "flag"),
    ),
    [("a", date(2026, 1, 1), 2, Decimal("1.50"), True), (None, None, None, None, False)],
)


def test_rows_have_the_names_of_the_columns() -> None:
    first, second = TABLE.rows()

    assert {
        "name": "a",
        "day": date(2026, 1, 1),
        "count": 2,
        "net": Decimal("1.50"),
        "on": True,
    } == first
    assert {"name": None, "day": None, "count": None, "net": None, "on": False} == second


def test_a_table_is_an_arrow_stream() -> None:
    assert list(TABLE.rows()) == pa.table(TABLE).to_pylist()


def test_numbers_stand_to_the_right() -> None:
    assert (
        "name  day         count   net  on\n"
        "a     2026-01-01      2  1.50  yes\n"
        "                               no"
    ) == str(TABLE)
    assert str(TABLE) == repr(TABLE)


def test_tables_are_equal_by_what_they_say() -> None:
    same = Table(TABLE.columns, [tuple(row.values()) for row in TABLE.rows()])

    assert same == TABLE
    assert hash(same) == hash(TABLE)
    assert Table(TABLE.columns, []) != TABLE
    assert TABLE != "table"
    assert [0, 2] == [len(Table(TABLE.columns, [])), len(TABLE)]


def test_a_notebook_shows_the_first_rows_and_how_many_follow() -> None:
    table = Table(columns(whole="number"), [(at,) for at in range(1061)])

    page = table._repr_html_()

    assert ">59<" in page
    assert ">60<" not in page
    assert "1,001 more rows" in page
    assert "more rows" not in TABLE._repr_html_()


def test_a_notebook_sets_thousands_apart() -> None:
    table = Table(columns(money="net", whole="year"), [(Decimal("8500.00"), 2026)])

    assert ">8,500.00<" in table._repr_html_()
    assert ">2026<" in table._repr_html_()
