"""An analyst's own table: `lease_id;rent;currency;start` in Danish, as a file and as a frame.

15 to 31 January are 17 of 31 days (A14, A20): 8500 × 17/31 = 4661.290…, so the first lease has
4661.29 in January, and the quarter has 4661.29 + 2 × 8500 + 2 × 7000.50 = 35662.29.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rentbilling import Vat
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.portfolio import TableMapping, bill_portfolio
from tests.support.refusals import faults, refused
from tests.support.rows import rows

ITEM = {"amount": "rent", "currency": "currency", "moved_in": "start"}
PLAIN = TableMapping({"id": "lease_id"}, ITEM)
DANISH = TableMapping(
    {"id": "lease_id"}, ITEM, date="DD-MM-YYYY", decimal=",", thousands=".", delimiter=";"
)
QUARTER = "2026-01-01/2026-03-31"
BILLS = [
    ("1", "2026-01-15", "4661.29"),
    ("1", "2026-02-01", "8500.00"),
    ("1", "2026-03-01", "8500.00"),
    ("2", "2026-02-01", "7000.50"),
    ("2", "2026-03-01", "7000.50"),
]
CSV = """\
lease_id;rent;currency;start
1;8.500,00;DKK;15-01-2026
2;7.000,50;DKK;01-02-2026
3;meget;DKK;01-02-2026
4;5.000,00;DKK;2026-02-01
5;5.000,00;;01-02-2026
6;5.000,00;DKK;
"""
FRAME = pd.DataFrame(
    {
        "lease_id": [1, 2],
        "rent": [8500.0, 7000.5],
        "currency": "DKK",
        "start": pd.to_datetime(["2026-01-15", "2026-02-01"]),
        "remark": "not read",
    }
)
ROWS: list[dict[str, Any]] = [
    {
        "lease_id": "1",
        "rent": np.int64(8500),
        "currency": "DKK",
        "start": np.datetime64("2026-01-15"),
    },
    {"lease_id": "2", "rent": Decimal("7000.50"), "currency": "DKK", "start": date(2026, 2, 1)},
]


@rows(
    ("rent", "currency", "form", "found"),
    [
        # 1,400 or 1.40: three decimals are more than kroner have, and dinars have three (A116).
        ("1.400", "DKK", {}, "ambiguous_number"),
        ("-1,400", "DKK", {"decimal": ","}, "ambiguous_number"),
        ("1.400", "DKK", {"thousands": ","}, "1.40"),
        ("1.400", "DKK", {"thousands": ".", "decimal": ","}, "1400.00"),
        ("1.400", "KWD", {}, "1.400"),
        ("1.400", "nought", {}, "unknown_currency"),
        ("0.400", "DKK", {}, "0.40"),
        ("1400.125", "DKK", {}, "1400.13"),
    ],
)
def test_thousands_are_never_guessed(
    rent: str, currency: str, form: dict[str, str], found: str
) -> None:
    row = {"lease_id": "1", "rent": rent, "currency": currency, "start": "2026-01-01"}
    run = bill_portfolio(replace(PLAIN, **form).leases([row]), "2026-01")  # type: ignore[arg-type]
    tables: dict[Any, Any] = run.to_tables()

    said = [each["code"] for each in tables["problems"].to_pylist()]
    totals = [each["total"] for each in tables["bills"].to_pylist()]
    assert [found] == (said or [f"{each:.{len(found.partition('.')[2])}f}" for each in totals])


def billed(source: Any, mapping: TableMapping) -> dict[Any, Any]:  # noqa: ANN401 - as `leases` takes it
    """Return the tables of the quarter, bills as lease, due date and total."""
    tables: dict[Any, Any] = bill_portfolio(mapping.leases(source), QUARTER).to_tables()
    return {
        "bills": [
            (row["lease_id"], str(row["due_date"]), f"{row['total']:.2f}")
            for row in tables["bills"].to_pylist()
        ],
        "problems": [
            (row["lease_id"], row["path"], row["met"], row["expected"])
            for row in tables["problems"].to_pylist()
        ],
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_exported_by_a_spreadsheet(encoding: str, tmp_path: Path) -> None:
    """Good rows are billed; bad ones are refused with line, column, value and what is right."""
    there = tmp_path / "leases.csv"
    there.write_text(CSV, encoding=encoding, newline="\r\n")
    found = billed(there, DANISH)

    assert BILLS == found["bills"]
    assert Decimal("35662.29") == sum(Decimal(total) for _, _, total in found["bills"])
    assert [
        ("3", "line 4, rent", "'meget'", "a number such as 8.500,00"),
        (
            *("4", "line 5, start", "'2026-02-01'"),
            'a date as DD-MM-YYYY; date = "YYYY-MM-DD" reads this one',
        ),
        ("5", "line 6, currency", "nothing", "a code such as DKK"),
        ("6", "line 7, start", "nothing", "the first day to pay for, as DD-MM-YYYY"),
    ] == found["problems"]


FRAMES: dict[str, Callable[[], Any]] = {
    "pandas": lambda: FRAME,
    "pandas of objects": lambda: FRAME.astype(object),
    "pandas of Arrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "categories": lambda: FRAME.astype({"currency": "category", "lease_id": "Int64"}),
    "ids with a gap": lambda: FRAME.astype({"lease_id": "float64"}),
    "polars": lambda: pl.from_pandas(FRAME),
    "polars dates": lambda: pl.from_pandas(FRAME).with_columns(pl.col("start").cast(pl.Date)),
    "Arrow table": lambda: pa.Table.from_pandas(FRAME),
    "record batch": lambda: pa.RecordBatch.from_pandas(FRAME),
    "reader": lambda: pa.Table.from_pandas(FRAME).to_reader(),
    "DuckDB": lambda: duckdb.from_arrow(pa.Table.from_pandas(FRAME)),
    "dicts": lambda: ROWS,
    "dicts one by one": lambda: iter(ROWS),
}


@rows("frame", FRAMES.values(), ids=FRAMES)
def test_the_same_as_a_frame(frame: Callable[[], Any]) -> None:
    assert {"bills": BILLS, "problems": []} == billed(frame(), PLAIN)


def test_a_frame_of_texts_has_the_notation_of_the_mapping(tmp_path: Path) -> None:
    there = tmp_path / "leases.csv"
    there.write_text(CSV, encoding="utf-8")
    texts = pd.read_csv(there, sep=";", dtype=str)

    assert billed(there, DANISH)["bills"] == billed(texts, DANISH)["bills"]


def test_cells_that_are_not_there_are_absent() -> None:
    """NaN, NaT and NA are how frames say nothing."""
    ends: Any = [pd.NaT, pd.Timestamp("2026-02-28")]
    mapping = TableMapping({"id": "lease_id"}, {**ITEM, "ended_on": "end", "quantity": "units"})
    frame = FRAME.assign(end=ends, units=pd.array([None, 2], dtype="Int64"))

    # February twice, 2 × 7000.50 = 14001, and no March.
    assert [*BILLS[:3], ("2", "2026-02-01", "14001.00")] == billed(frame, mapping)["bills"]


def test_whole_numbers_that_a_gap_made_binary_are_read_by_columns() -> None:
    """As pandas has a column with an empty cell."""
    frame = FRAME.assign(due=[1.0, np.nan], start=[20260115.0, 20260201.0])
    mapping = replace(PLAIN, item={**ITEM, "due_day": "due"}, date="YYYYMMDD")
    run = bill_portfolio(mapping.leases(frame), QUARTER)
    tables = run.to_tables()

    assert [total for lease, _, total in BILLS if lease == "1"] == [
        f"{each:.2f}" for each in tables["bills"]["total"].to_pylist()
    ]
    assert ["2"] == tables["problems"]["lease_id"].to_pylist()
    assert 1 == run.summary.scalar_leases


def test_one_wrong_cell_of_a_frame_is_the_problem_of_its_row() -> None:
    frame = FRAME.astype({"rent": object})
    frame.loc[1, "rent"] = "meget"
    found = billed(frame, PLAIN)

    assert BILLS[:3] == found["bills"]
    assert [("2", "row 1, rent", "'meget'", "a number such as 8500.00")] == found["problems"]


TWICE = pa.Table.from_pandas(FRAME).rename_columns(["rent"] * 5)


@rows(
    ("source", "path", "said"),
    [
        (FRAME.drop(columns="rent"), "column rent", "is no column of the table"),
        (FRAME.astype({"rent": "float32"}), "column rent", "binary numbers of 32 bits"),
        (pl.from_pandas(FRAME).lazy(), "source", "is a query and no table"),
        (TWICE, "column lease_id", "column rent: is the header of several"),
        ([{"rent": 1}], "column lease_id", "is no column of the table"),
        (["rent"], "source[0]", "is no row"),
        ("leases.XLSX", "source", "or the frame: pandas.read_excel"),
        (Path("leases.parquet"), "source", "or the frame: pandas.read_parquet"),
        ({"rent": 1}, "source", "holds no rows"),
        (5, "source", "holds no rows"),
        (FRAME["rent"], r"source[0]", "is no row"),
        (Path(), "source", "is a folder"),
    ],
)
def test_what_is_no_such_table_is_refused_at_once(source: object, path: str, said: str) -> None:
    error = refused(lambda: PLAIN.leases(source), InvalidRecordError)

    assert path == error.problems[0].path
    assert re.search(said, str(error))


RATED = TableMapping(
    {"id": "id"},
    {"amount": "rent", "tax_rate": "vat"},
    {"currency": "DKK", "moved_in": "2026-01-01", "tax_mode": "Exclusive"},
)
VATS = pd.DataFrame({"id": list("abcd"), "rent": [1000] * 4, "vat": ["25", "7.7", "25 %", "0"]})


@pytest.mark.parametrize("vat", [VATS["vat"], [25.0, 7.7, 25, 0], None], ids=["", "floats", "CSV"])
def test_rates_of_vat_may_be_percentages(vat: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """1,000 with 25 %, 7.7 %, 25 % and 0 %: 1,250, 1,077, 1,250 and 1,000."""
    frame: Any = VATS if vat is None else VATS.assign(vat=vat)
    if vat is None:
        frame.to_csv(tmp_path / "vat.csv", index=False)
        frame = tmp_path / "vat.csv"
    run = bill_portfolio(replace(RATED, rates="percent").leases(frame), "2026-03")
    assert [1250, 1077, 1250, 1000] == run.to_table()["total"].to_pylist()
    assert 0 == run.summary.scalar_leases

    run = bill_portfolio(RATED.leases(frame), "2026-03")
    (first, *_) = run.to_tables()["problems"].to_pylist()
    expected = 'a fraction such as 0.25, or 25 %; rates = "percent" reads this one'
    assert ("is above 1", expected) == (first["message"], first["expected"])
    assert first["path"] == ("line 2, vat" if vat is None else "row 0, vat")


SEVERAL = "reads this line of headers as several"
ELSEWHERE = "header_line = 8 in [rows] is the line of headers that are not in the first"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("lease_id;rent", f'one such column; delimiter = ";" {SEVERAL}'),
        ("lease_id\trent", rf'one such column; delimiter = "\t" {SEVERAL}'),
        ("lease_id", f"one such column; {ELSEWHERE}"),
        ("lease_id,rent", "one such column"),
    ],
)
def test_a_wrong_delimiter_is_named(header: str, expected: str, tmp_path: Path) -> None:
    there = tmp_path / "leases.csv"
    there.write_text(header, encoding="utf-8")

    assert (expected,) == faults(lambda: billed(there, PLAIN), InvalidRecordError, "expected")[-1]


def test_no_rows_are_no_leases() -> None:
    nothing: tuple[Any, ...] = ([], FRAME.iloc[:0])
    for empty in nothing:
        assert {"bills": [], "problems": []} == billed(empty, PLAIN)


def test_leases_of_a_table_are_iterated_until_one_is_wrong() -> None:
    rows = [*ROWS, {**ROWS[0], "lease_id": "3", "rent": None}]
    leases = iter(PLAIN.leases(rows))

    assert ["1", "2"] == [next(leases).lease_id for _ in ROWS]
    with pytest.raises(InvalidInputError, match="row 2, rent: is required"):
        next(leases)


BY_PLACE: Final = TableMapping(
    {
        "id": "Lease",
        "recurring_bill_items[0].amount": "Rent",
        "recurring_bill_items[0].moved_in": "From",
        "recurring_bill_items[1].amount": "Heating",
        "recurring_bill_items[1].moved_in": "From",
        "recurring_bill_items[2].moved_in": "Parking from",
    },
    constants={
        "lease.currency": "DKK",
        "recurring_bill_items[0].product_key": "key:rent",
        "recurring_bill_items[1].product_key": "key:heating",
        "recurring_bill_items[1].tax_mode": "Exclusive",
        "recurring_bill_items[1].tax_rate": 0.25,
        "recurring_bill_items[2].product_key": "key:parking",
        "recurring_bill_items[2].amount": 620,
    },
)
ONE_ROW: Final = {"Lease": "a", "Rent": 8500, "From": "2026-01-15", "Heating": 500}


def test_a_row_is_a_lease_with_several_items() -> None:
    """From the 15th 17 of January's 31 days: 4,661.29 and 274.19; from the 1st 620 whole."""
    rows = [{**ONE_ROW, "Parking from": "2026-01-01"}]
    rows.append({**rows[0], "Lease": "b", "Heating": None})
    first, second = BY_PLACE.leases(rows)

    assert ["key:rent 4661.29 DKK", "key:heating 274.19 DKK", "key:parking 620.00 DKK"] == [
        f"{each.product_key} {each.first_billing_period_bill_item.amount}"
        for each in first.recurring_bill_items
    ]
    assert Vat("Exclusive", "25%") == first.recurring_bill_items[1].vat
    assert ["key:rent", "key:parking"] == [each.product_key for each in second.recurring_bill_items]


@rows("gap", [{}, {"Rent": None}], ids=["all", "without rent"])
def test_what_is_wrong_with_an_item_of_a_row_names_its_column(gap: dict[str, object]) -> None:
    table = BY_PLACE.leases([{**ONE_ROW, "From": None, "Parking from": "2026-01-01", **gap}])

    assert {("row 0, From",)} == {*faults(lambda: list(table), InvalidRecordError, "path")}


def test_each_item_of_a_row_needs_its_own_fields() -> None:
    item = "recurring_bill_items[3]"

    assert [(f"{item}.{name}",) for name in ("currency", "moved_in", "product_key")] == faults(
        lambda: TableMapping({f"{item}.amount": "Rent"}), InvalidRecordError, "path"
    )


def test_blank_rows_do_not_count(tmp_path: Path) -> None:
    """As spreadsheets write them below their rows and between them (A144)."""
    header, first, second, *_ = CSV.splitlines()
    there = tmp_path / "leases.csv"
    blank = ";;;"
    for lines in (
        [first, second, blank, ";; ;\u00a0"],
        [blank, blank, first, blank, second],
        [*[blank] * 5000, first, second],
    ):
        there.write_text("\n".join([header, *lines]), encoding="utf-8")
        assert {"bills": BILLS, "problems": []} == billed(there, DANISH)
    there.write_text(f"{header}\n{blank}\n{blank}\n", encoding="utf-8")
    assert {"bills": [], "problems": []} == billed(there, DANISH)


def test_blank_rows_of_a_frame_do_not_count_and_numbers_stay() -> None:
    """The remark is no mapped column."""
    gap = pd.DataFrame({"remark": ["below"]})
    frame = pd.concat([FRAME.head(1), gap, FRAME.tail(1).assign(rent="meget")], ignore_index=True)
    found = billed(frame, PLAIN)

    assert BILLS[:3] == found["bills"]
    assert [("2", "row 2, rent", "'meget'", "a number such as 8500.00")] == found["problems"]


def test_a_lease_goes_on_behind_a_blank_row(tmp_path: Path) -> None:
    there = tmp_path / "leases.csv"
    lines = [*CSV.splitlines()[:2], ";;;", "1;100,00;DKK;01-02-2026"]
    there.write_text("\n".join(lines), encoding="utf-8")

    assert [("1", "2026-02-01", "8600.00"), ("1", "2026-03-01", "8600.00")] == [
        each for each in billed(there, DANISH)["bills"] if each[1] > "2026-01-31"
    ]
