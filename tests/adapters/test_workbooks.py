"""Workbooks: sheets have the values of their tables, and no text is a formula."""

from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rentbilling import what_if
from rentbilling.adapters.workbooks import read_xlsx, write_xlsx
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import bill_portfolio
from rentbilling.records import read_json
from rentbilling.tables import Table, columns
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import raise_rent
from tests.support.command_line import run
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


def workbook(*given: tuple[object, ...]) -> bytes:
    """Return a workbook of the lines of bills."""
    book, names = BytesIO(), "number due_date currency net_price period_start period_end"
    write_xlsx(book, {"bills": Table(columns(text=names), given)})  # type: ignore[arg-type]
    return book.getvalue()


def test_bills_of_a_workbook_are_checked_and_its_rows_have_the_numbers_that_are_shown() -> None:
    """The third row is empty, and the fourth has a price that is none."""
    day = DAY.date()
    good, bad = ("1", day, "DKK", 0.1 + 0.2, day, day), ("2", day, "DKK", "x", day, day)
    found = run("verify", "-", "--format", "json", given=workbook(good, (None,) * 6, bad))

    lost, right = read_json(found.stdout)["bills"]
    assert ("row 4.net_price", "2") == (lost["findings"][0]["path"], lost["number"])
    assert (Decimal("0.3"), True) == (right["total"]["amount"], right["isConsistent"])


def changed(given: bytes, old: bytes, new: bytes) -> bytes:
    """Return a workbook whose parts have other text."""
    made = BytesIO()
    with ZipFile(BytesIO(given)) as source, ZipFile(made, "w") as target:
        for each in source.infolist():
            target.writestr(each.filename, source.read(each).replace(old, new))
    return made.getvalue()


def test_hostile_workbooks_are_refused() -> None:
    book = workbook(("1", DAY.date(), "DKK", 8500, DAY.date(), DAY.date()))
    entity = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>'
    large = BytesIO()
    with ZipFile(large, "w", compresslevel=9, compression=8) as archive:
        archive.writestr("x.xml", b"0" * (65 << 20))
    for given, said in {
        changed(book, b"<worksheet", entity + b"<worksheet"): "entities or a document type",
        changed(book, b"<v>8500</v>", b"<f>1+1</f><v>2</v>"): "has a formula in D2",
        changed(book, b"period_end", b"due_date"): "has a header twice",
        changed(book, b'r="F2"', b'r="XFD1048576"'): "spans more than 4,000,000 cells",
        changed(book, b"<sheets>", b"<sheet>"): "cannot be read",
        large.getvalue(): "unpacks to more than 64 MiB",
    }.items():
        with pytest.raises(InvalidRecordError, match=said):
            read_xlsx(given)
