"""Workbooks: sheets have the values of their tables, and no text is a formula."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from rentbilling.adapters.workbooks import write_xlsx
from rentbilling.tables import Table, columns

openpyxl = pytest.importorskip("openpyxl", reason="needs the extra excel")

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
