"""Laws of flat tables by columns: the same leases, bills and refusals as row by row."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pandas as pd
import pyarrow as pa
from hypothesis import given, strategies as st

from rentbilling import BillingPolicy
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BillRecordBatches, TableMapping, bill_portfolio
from rentbilling.portfolio.leases import csv_lines as reading
from rentbilling.portfolio.leases.csv_lines import Stretch, TornLine, csv_lines
from rentbilling.portfolio.leases.leases_by_column import ColumnLeases
from rentbilling.portfolio.leases.table_leases import TableLeases
from tests.support.rows import rows

PERIOD = "2026-01-01/2026-03-31"
FIELDS = {
    "amount": [
        "8.500,00",
        "7000,5",
        "-120,00",
        "0,10",
        "meget",
        "10 %",
        "",
        "1e3",
        "9000000000000",
    ],
    "currency": ["DKK", "EUR", "KWD", "dkk", " ", "DKK"],
    "moved_in": ["15-01-2026", "01-01-2026", "01-02-2015", "31-02-2026", "2026-01-01", ""],
    "tax_rate": ["25 %", "0,25", "", "25", "0"],
    "tax_mode": ["Exclusive", "Inclusive", "Exempt", "exempt", ""],
    "months": ["1", "3", "12", "7", "0", "x", ""],
    "due_day": ["1", "15", "99", ""],
    "description": ["Bolig", "Øl", "\x1c", "=1+1", "", 'say "x"'],
    "amount_records[0].value.amount": ["9.000,00", "", "", "x"],
    "amount_records[0].start": ["01-02-2026", "", "", "01-01-2026"],
    "quantity_records[0].value": ["3", "", "", "0"],
    "quantity_records[0].start": ["15-01-2026", "", "01-02-2026", "x"],
    "discount.percentage": ["10 %", "", "", "", "200 %"],
    "discount.end_date": ["31-12-2026", "", "", ""],
    "discounts[0].percentage": ["", "", "10 %", "200 %"],
    "discounts[0].start_date": ["", "", "20-01-2026", "x"],
    "discounts[1].amount.amount": ["", "", "50", "0,10"],
    "part_period.first": ["", "", "full", "halv"],
    "part_period.last": ["", "", "actual_days", "thirty_day"],
    "quantity": ["", "", "", "2", "0"],
    "ended_on": ["31-01-2026", "", "", ""],
}
LEASE = {"id": "id", "contract_end": "end"}
NOTATION: dict[str, Any] = {
    "date": "DD-MM-YYYY",
    "decimal": ",",
    "thousands": ".",
    "delimiter": ";",
}
WHOLE_ROW = st.tuples(
    st.sampled_from(["a", "b", "c", "d", "", " "]),
    st.sampled_from(["", "", "", "31-12-2030", "x"]),
    *(st.sampled_from(cells) | st.just(cells[0]) for cells in FIELDS.values()),
)


def mapping_of(item: dict[str, str], **more: Mapping[str, object]) -> TableMapping:
    """Return a mapping of columns that are named like their fields."""
    given: dict[str, Any] = {"lease": LEASE, "item": item, **NOTATION, **more}
    return TableMapping(**given)


def tables(batch: Sequence[object], policy: BillingPolicy | None = None) -> list[Any]:
    """Return what comes of a batch of leases."""
    made = BillRecordBatches(PERIOD, on_problem="table", policy=policy).billed(batch)
    return [each.to_pylist() for each in (made.bills, made.notices, made.problems)]


def differing(leases: TableLeases, policy: BillingPolicy | None = None) -> list[Any]:
    """Return what comes of leases otherwise by columns than row by row."""
    found = []
    for batch in leases.batches(5, policy):
        pair = tables(batch, policy), tables([*batch], policy)
        found += [] if pair[0] == pair[1] else [pair]
    return found


@given(
    rows=st.lists(WHOLE_ROW, max_size=12),
    names=st.sets(st.sampled_from(sorted({*FIELDS} - {"amount", "currency", "moved_in"}))),
    constants=st.sampled_from(
        [{}, {"currency": "DKK"}, {"lease.currency": "EUR"}, {"product_key": " "}, {"id": ["x"]}]
    ),
    is_quoted=st.booleans(),
    is_file=st.booleans(),
    policy=st.sampled_from(
        [
            None,
            BillingPolicy(part_period="thirty_day", rounding="half_even"),
            BillingPolicy(by_product={"key:rent": BillingPolicy(part_period="full")}),
        ]
    ),
)
def test_columns_bill_and_refuse_what_rows_do(
    rows: list[tuple[str, ...]],
    names: set[str],
    constants: dict[str, object],
    *,
    is_quoted: bool,
    is_file: bool,
    policy: BillingPolicy | None,
) -> None:
    if "tax_rate" in names:
        names.add("tax_mode")
    wanted = [name for name in FIELDS if name in names | {"amount", "moved_in"}]
    if "currency" not in constants:
        wanted.append("currency")
    mapping = mapping_of({name: name for name in wanted}, constants=constants)
    headers = ["id", "end", *FIELDS]
    with TemporaryDirectory() as folder:
        source: Any = [dict(zip(headers, row, strict=True)) for row in rows]
        if is_file:
            source = Path(folder, "leases.csv")
            with source.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL if is_quoted else 0)
                writer.writerows([headers, *rows])

        assert [] == differing(mapping.leases(source), policy)


def test_a_sound_table_is_billed_on_columns(tmp_path: Path) -> None:
    """A figure by hand: 17 of 31 days of 8,500 are 4,661.29, and 8,500 in February and March."""
    text = "id;rent;from\n1;8.500,00;15-01-2026\n1;400;01-02-2026\n2;7.000;01-01-2015\n"
    (tmp_path / "leases.csv").write_text(text)
    mapping = mapping_of(
        {"amount": "rent", "moved_in": "from"}, lease={"id": "id"}, constants={"currency": "DKK"}
    )
    run = bill_portfolio(mapping.leases(tmp_path / "leases.csv"), PERIOD)
    totals = run.to_pandas()["total"].tolist()

    assert [Decimal(each) for each in ("4661.29", "8900", "8900", "7000", "7000", "7000")] == totals
    assert 0 == run.summary.scalar_leases


@rows(
    ("cycle", "moved_in", "totals"),
    [
        # 400 a fortnight from Monday 29 April 2002: 13 fall due to 24 October (A151).
        (("Week", 2), "29-04-2002", ["400"] * 13),
        # From Wednesday 1 May: 5 of 14 days, and 13 fortnights from 6 May to 21 October.
        (("Week", 2), "01-05-2002", ["142.86"] + ["400"] * 13),
        # Five months from January, the next ones directly after them.
        (("Month", 5), "01-01-2002", ["400"] * 2),
        (("Day", 100), "29-04-2002", ["400"] * 2),
        (("Year", 2), "01-01-2002", ["400"]),
    ],
)
def test_cycles_without_a_grid(cycle: tuple[str, int], moved_in: str, totals: list[str]) -> None:
    names = ("time_unit", "period_length")
    mapping = mapping_of(
        {"amount": "rent", "moved_in": "from"},
        lease={"id": "id"},
        constants={
            "currency": "AUD",
            "billing_cycle.start": 1,
            **{f"billing_cycle.{name}": of for name, of in zip(names, cycle, strict=True)},
        },
    )
    leases = mapping.leases([{"id": 1, "rent": "400", "from": moved_in}])
    found = bill_portfolio(leases, "2002-01-01/2002-10-24").to_pandas()["total"]

    assert [Decimal(each) for each in totals] == found.tolist()
    assert [] == differing(leases)


def test_an_item_with_own_ways_to_price_its_opening_is_billed_on_columns() -> None:
    """The opening is whole; 17 of 31 days of 8,500 less 10 percent, which are 7,650; of 3 × 8,500.

    The last has its quantity from the day of moving in on (A14, A21).
    """
    names = (
        *("part_period.first", "discounts[0].percentage"),
        *("quantity_records[0].value", "quantity_records[0].start"),
    )
    rows = [
        {
            "id": at,
            "amount": "8500",
            "moved_in": "15-01-2026",
            **dict(zip(names, cells, strict=True)),
        }
        for at, cells in enumerate(
            [("full", "", "", ""), ("", "10 %", "", ""), ("", "", "3", "15-01-2026")]
        )
    ]
    item = {name: name for name in ("amount", "moved_in", *names)}
    mapping = mapping_of(item, lease={"id": "id"}, constants={"currency": "DKK"})
    (leases,) = mapping.leases(rows).batches(9)
    found = BillRecordBatches("2026-01-01/2026-02-28").billed(leases)

    assert isinstance(leases, ColumnLeases)
    assert {} == leases.alone
    # Columns do not bill quantities that change.
    assert 1 == found.summary.scalar_leases
    assert ["8500", "8500", "4195.16", "7650", "13983.87", "25500"] == [
        f"{each.normalize():f}" for each in found.bills.column("total").to_pylist()
    ]


@rows(
    "cells",
    [
        [8500, 7000.5, Decimal("120.00"), None, "9000,10"],
        [True, 1, 1.0, float("nan"), Decimal("NaN")],
        [pd.NA, pd.NaT, 8500, "x", [1]],
        ["8500", "\ud800", "1", "2", "3"],
    ],
    ids=["numbers", "equal ones of several types", "absent or of no type", "no Unicode"],
)
def test_cells_of_several_types(cells: list[Any]) -> None:
    rows = [
        {"id": at or None, "end": None, "amount": cell, "moved_in": pd.Timestamp("2026-01-01")}
        for at, cell in enumerate(cells)
    ]
    item = {"amount": "amount", "moved_in": "moved_in"}
    for constants in (
        {"currency": "DKK"},
        {"currency": "?"},
        {"currency": "DKK", "quantity": "x"},
        {"currency": "DKK", "discount.amount.amount": None},
    ):
        assert [] == differing(mapping_of(item, constants=constants).leases(rows))


def test_later_prices_have_the_currency_of_item_or_lease() -> None:
    """Also where amounts are too large or too fine for whole numbers of 64 bits."""
    later = "amount_records[0]"
    rows = [
        {"id": at, "amount": amount, "currency": code, "from": "01-01-2026", "later": "9.000"}
        for at, (amount, code) in enumerate(
            [("8.500", "EUR"), ("8.500", ""), ("9000000000000", "EUR"), ("1", "FINE")]
        )
    ]
    item = {"amount": "amount", "amount.currency": "currency", "moved_in": "from"}
    mapping = mapping_of(
        {**item, f"{later}.value.amount": "later"},
        lease={"id": "id"},
        constants={"lease.currency": "EUR", f"{later}.start": "2026-02-01"},
    )

    assert [] == differing(mapping.leases(rows), BillingPolicy(currencies={"FINE": 8}))


def test_openings_beside_other_fields_of_the_item() -> None:
    """Quantities, discounts, yearly prices and ways to count are priced alone."""
    cells = {
        "amount": ["8.500", "9.600", "3.000,10", "8.500", "1.200"],
        "moved_in": ["15-01-2026", "15-01-2026", "", "20-02-2026", "01-01-2026"],
        "quantity": ["3", "", "2", "", "0"],
        "price_per": ["", "year", "", "", ""],
        "discount.percentage": ["10 %", "", "", "200 %", ""],
        "discount.end_date": ["31-12-2026", "", "", "31-12-2026", ""],
        "part_period.first": ["", "", "", "thirty_day", ""],
        "started_on": ["", "16-01-2026", "", "", ""],
    }
    rows = [
        {"id": at, **dict(zip(cells, row, strict=True))}
        for at, row in enumerate(zip(*cells.values(), strict=True))
    ]
    constants = {"currency": "DKK"}
    for item in (cells, {name: name for name in cells if name != "part_period.first"}):
        mapping = mapping_of({name: name for name in item}, lease={"id": "id"}, constants=constants)
        for policy in (None, BillingPolicy(rounding="down")):
            assert [] == differing(mapping.leases(rows), policy)


def test_several_items_in_a_row() -> None:
    """Items by place, one-time items of a row each, a discount and a lease of contradictions."""
    rows = [
        {"id": at // 2, "own": at, "r": "8500", "h": heating, "f": "01-01-2026", "once": once}
        for at, (heating, once) in enumerate(
            [("300", ""), ("300", ""), ("300", "50"), ("", "60"), ("", ""), ("x", "70")]
        )
    ]
    second = "recurring_bill_items[1]"
    item = {"amount": "r", "moved_in": "f"}
    by_place = {
        "recurring_bill_items[0].amount": "r",
        "recurring_bill_items[0].moved_in": "f",
        f"{second}.amount": "h",
        f"{second}.moved_in": "f",
        "one_time_bill_items[0].amount.amount": "once",
    }
    constants = {
        "lease.currency": "DKK",
        "recurring_bill_items[0].product_key": "key:rent",
        f"{second}.product_key": "key:heating",
        "one_time_bill_items[0].amount.currency": "DKK",
        "one_time_bill_items[0].product_key": "key:fee",
        "one_time_bill_items[0].vat.tax_mode": "Exempt",
        "one_time_bill_items[0].due_date": "2026-02-01",
        "one_time_bill_items[0].accounting_period.start": "2026-02-01",
        "one_time_bill_items[0].accounting_period.end": "2026-02-28",
    }
    once = {name.replace("[0]", ""): value for name, value in constants.items() if "one_" in name}
    of_rows = {**item, "one_time_bill_items.amount.amount": "once"}
    of_lease = {"lease.currency": "DKK", **once}
    for given_id in ({"id": "id"}, {}):
        of_places = mapping_of(by_place, lease={**given_id, "id": "own"}, constants=constants)
        assert [] == differing(of_places.leases(rows))
        assert [] == differing(mapping_of(of_rows, lease=given_id, constants=of_lease).leases(rows))


TEXTS = st.text(alphabet='ab;";\r\n\n\0 ', max_size=40)


def lines_of(found: Iterable[Stretch | TornLine]) -> list[Any]:
    """Return each line with its place, a line that cannot be read as its problem."""
    lines: list[Any] = []
    for each in found:
        if isinstance(each, TornLine):
            lines.append((each.place, each.texts, each.problem))
        else:
            lines += [(number, each.last, each.cells(at)) for at, number in enumerate(each.numbers)]
    return lines


def refusal_or(lines: Iterable[Stretch | TornLine]) -> list[Any] | str:
    try:
        return lines_of(lines)
    except (csv.Error, InvalidRecordError) as error:
        return re.sub(r".*?(line|new-line|unexpected)", r"\1", str(error), count=1)[:25]


@given(text=TEXTS, quick=TEXTS, block=st.integers(1, 30))
def test_lines_are_those_of_the_reader_of_python(text: str, quick: str, block: int) -> None:
    """In blocks of any size, with plain lines before and behind."""
    body = f"1;x\n{quick.replace(chr(34), '')}\n2;y\r\n{text}\n3;z"
    by_line = reading._Table(";", 2, [1, 0])._line_by_line(StringIO(body, newline=""), 1)
    with TemporaryDirectory() as folder:
        path = Path(folder, "leases.csv")
        path.write_bytes(f"p;q\n{body}".encode())
        with patch.object(reading, "_BLOCK", block):
            found = refusal_or(csv_lines(path, ["q", "p"], delimiter=";", encoding="utf-8"))

    assert refusal_or(by_line) == found


def test_plain_lines_are_read_by_columns(tmp_path: Path) -> None:
    """Also those with quotation marks; lines from a quotation over several lines on are not."""
    (tmp_path / "a.csv").write_bytes(b'p;q\n1;"x;""y"""\r\n2;y\n')
    (stretch,) = csv_lines(tmp_path / "a.csv", ["q"], delimiter=";", encoding="utf-8")

    assert isinstance(stretch, Stretch)
    assert isinstance(stretch.columns[0], pa.Array)
    assert ['x;"y"', "y"] == stretch.columns[0].to_pylist()


def test_fields_longer_than_python_reads_are_refused_by_line(tmp_path: Path) -> None:
    long = "x" * (csv.field_size_limit() + 1)
    (tmp_path / "a.csv").write_text(f"p;q\n1;{long}\n2;y\n")
    torn, stretch = csv_lines(tmp_path / "a.csv", ["q"], delimiter=";", encoding="utf-8")

    assert isinstance(torn, TornLine)
    assert isinstance(stretch, Stretch)
    assert [("y",)] == [stretch.cells(0)]


def test_leases_by_column_are_a_sequence(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id;end;amount;moved_in\n1;;8500;01-01-2026\n2;;x;01-01-2026\n")
    mapping = mapping_of(
        {"amount": "amount", "moved_in": "moved_in"}, constants={"currency": "DKK"}
    )
    (leases,) = mapping.leases(tmp_path / "a.csv").batches(9)

    assert isinstance(leases, ColumnLeases)
    assert ["1", None] == leases.ids
    assert [next(iter(leases))] == [leases[0]] == leases[:1]
