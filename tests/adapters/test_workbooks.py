"""Workbooks: sheets have the values of their tables, and no text is a formula."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rentbilling import what_if
from rentbilling.adapters.workbooks import write_xlsx
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import bill_portfolio
from rentbilling.tables import Table, columns
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import raise_rent
from tests.support.rows import rows

openpyxl = pytest.importorskip("openpyxl", reason="needs the extra excel")

DAY = datetime.fromisoformat("2026-02-01")
NOON = datetime.fromisoformat("2026-02-01T12:00")

TABLE = Table(
    (*columns(text="lease_id", money="net"), *columns(date="due"), *columns(flag="is_right")),
    [
        ("=HYPERLINK(1)", Decimal("123456789012.45"), date(2026, 5, 1), True),
        ("a\x07b", Decimal(7), None, False),
    ],
)


def test_values_and_formats(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"rows": TABLE, "a name that is longer than thirty-one letters": TABLE})

    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["rows", "a name that is longer than thir"]
    head, first, second = book["rows"].iter_rows()
    assert [cell.value for cell in head] == ["lease_id", "net", "due", "is_right"]
    assert [cell.data_type for cell in first] == ["s", "n", "d", "b"]
    assert (first[0].value, first[1].number_format) == ("=HYPERLINK(1)", "#,##0.00")
    assert (Decimal(str(first[1].value)), first[2].value.date()) == (
        Decimal("123456789012.45"),
        date(2026, 5, 1),
    )
    assert [cell.value for cell in second] == ["a\\x07b", 7, None, False]
    book.close()


def test_without_openpyxl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)

    with pytest.raises(ImportError, match=r"rentbilling\[excel\]"):
        write_xlsx(tmp_path / "book.xlsx", {"rows": TABLE})


FRAME = pl.DataFrame({"rent": [Decimal("8500.50"), None], "due": [date(2026, 2, 1), None]})
ROWS = [{"rent": Decimal("8500.50"), "due": DAY}, {"rent": float("nan")}]


@rows(
    "table, head, cells",
    [
        (FRAME, ["rent", "due"], [8500.5, DAY]),
        (FRAME.to_pandas(), ["rent", "due"], [8500.5, DAY]),
        (FRAME.to_arrow(), ["rent", "due"], [8500.5, DAY]),
        (ROWS, ["rent", "due"], [8500.5, DAY]),
        (FRAME.head(0), ["rent", "due"], []),
        (FRAME.head(0).to_arrow(), ["rent", "due"], []),
        (Table(columns(text="lease_id"), []), ["lease_id"], []),
        ([{"at": NOON.replace(tzinfo=UTC)}], ["at"], ["2026-02-01T12:00:00+00:00"]),
        ([{"at": NOON}], ["at"], [NOON]),
        (pd.DataFrame({1: [np.int64(7)]}, dtype=object), ["1"], [7]),
        (
            what_if(a_rent(), raise_rent("10%"), period="2026-02"),
            ["scenario", "currency", "baseline", "amount", "change"],
            ["key:rent +10 %", "DKK", 8500, 9350, 850],
        ),
        (
            bill_portfolio([a_lease(lease_id="A")], "2026-02"),
            ["row", "lease_id", "due_date", "currency", "subtotal", "total", "cash_rounding"],
            [0, "A", DAY, "DKK", 8500, 8500, None],
        ),
    ],
)
def test_a_sheet_of_any_table(
    tmp_path: Path, table: object, head: list[str], cells: list[object]
) -> None:
    write_xlsx(tmp_path / "book.xlsx", table)
    book = openpyxl.load_workbook(tmp_path / "book.xlsx")

    names, *found = book["table"].iter_rows(values_only=True)
    assert head == [*names]
    assert cells == [*next(iter(found), ())]


@rows(
    "sheets, said",
    [
        ({}, "sheets: has no table"),
        ({"a": 5}, "a: is no table"),
        ({"a": "rents.csv"}, "a: is no table"),
        ([5], "table: is no table"),
        ({"a": [{"b": [1]}]}, r"a\[0\].b: fits no cell"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, sheets: object, said: str) -> None:
    with pytest.raises(InvalidRecordError, match=said):
        write_xlsx(tmp_path / "book.xlsx", sheets)
    assert not [*tmp_path.iterdir()]
