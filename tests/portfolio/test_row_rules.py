"""Rows of an export (A156): totals, vacant units, cells to fill, words, rows without an id."""

from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, strategies as st

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import TableMapping, adjust_portfolio, bill_portfolio
from rentbilling.portfolio.leases import csv_lines, table_rows
from rentbilling.portfolio.leases.problems import UnreadLease
from tests.support.rows import rows

ROLL = """Property,Unit,Tenant,Status,Rent,Lease To,Move-in,Move-out
Elm St,101,"Doe, John",Current,"$1,500.00",12/31/2026,01/01/2026,
Elm St,102,"Smith, Jane",Current,"$1,200.00",01/31/2027,01/15/2026,
Elm St,103,,Vacant-Unrented,,,,
Elm St,104,"Ray, Ana",Notice-Unrented,"$1,480.00",02/28/2026,03/01/2025,03/14/2026
,,4 Units,,"4,180.00",,,
"""
ROLL_MAP = """
[lease]
id = "Unit"
[item]
amount = "Rent"
moved_in = "Move-in"
ended_on = "Move-out"
[constants]
currency = "USD"
[rows]
skip = { "Unit" = [""] }
vacant = { "Status" = ["Vacant-Unrented"] }
[format]
date = "MM/DD/YYYY"
thousands = ","
currency_sign = "$"
"""
CHARGES = """Unit,Resident,Name,Code,Amount,Deposit,Move In,Move Out
0101,t12345,"Vale, Jordan",rent,1350.00,500.00,06/15/2025,
,,,petrent,35.00,,,
,,,concess,-100.00,,,
,,,Total,1285.00,,,
0102,t12399,"Osei, Kwame",rent,1375.00,500.00,03/01/2026,
,,,trash,15.00,,,
,,,Total,1390.00,,,
0103,VACANT,VACANT,,0.00,0.00,,
,,,Total,0.00,,,
"""
CHARGES_MAP = """
[lease]
id = "Resident"
[item]
amount = "Amount"
description = "Code"
moved_in = "Move In"
ended_on = "Move Out"
[constants]
currency = "USD"
[rows]
skip = { "Code" = ["Total"] }
fill_down = ["Resident", "Move In", "Move Out"]
vacant = { "Resident" = ["VACANT"] }
[format]
date = "MM/DD/YYYY"
"""
STEPS = """Lease Name,Type,Start,End,Amount,Frequency
TMP-01,Base Rent,2022-09-01,2024-08-31,5000.00,Monthly
TMP-01,Rent Step,2024-09-01,2026-08-31,5250.00,Monthly
TMP-01,Rent Step,2026-09-01,2028-02-29,5512.50,Monthly
YBR-01,Base Rent,2021-12-01,2026-11-30,36000.00, Annually
F3,Base Rent,2026-01-01,,900.00,Wkly
F4,Base Rent,2026-01-01,,700.00,
"""
STEPS_MAP = """
[lease]
id = "Lease Name"
[item]
amount = "Amount"
moved_in = "Start"
ended_on = "End"
FIELD = "Frequency"
[words]
"Frequency" = { "Monthly" = MONTHLY, "Annually" = ANNUALLY }
[constants]
currency = "USD"
"""
FREQUENCIES = {"FIELD": "price_per", "MONTHLY": '"month"', "ANNUALLY": '"year"'}
CYCLES = {"FIELD": "months", "MONTHLY": "1", "ANNUALLY": "12"}


def steps_map(meant: dict[str, str]) -> str:
    text = STEPS_MAP
    for name, word in meant.items():
        text = text.replace(name, word)
    return text


def csv_file(folder: Path, text: str) -> Path:
    there = folder / "leases.csv"
    there.write_text(text, encoding="utf-8")
    return there


@rows(
    "text, mapping, period, totals, counts",
    [
        # 1,480 x 14 / 31 = 668.387 until 14 March.
        (
            *(ROLL, ROLL_MAP, "2026-03"),
            {"101": "1500.00", "102": "1200.00", "104": "668.39"},
            (3, 1, 1, 0),
        ),
        # 1,350 + 35 - 100, and 1,375 + 15.
        (CHARGES, CHARGES_MAP, "2026-03", {"t12345": "1285.00", "t12399": "1390.00"}, (2, 1, 3, 0)),
        # 36,000 / 12; a blank cell says nothing, so that the amount is for a cycle.
        (
            *(STEPS, steps_map(FREQUENCIES), "2026-09"),
            {"TMP-01": "5512.50", "YBR-01": "3000.00", "F4": "700.00"},
            (4, 0, 0, 1),
        ),
        # As cycles of twelve months, which begin in January; a cycle without months is none.
        (
            STEPS,
            steps_map(CYCLES),
            "2025-01",
            {"TMP-01": "5250.00", "YBR-01": "36000.00"},
            (4, 0, 0, 2),
        ),
    ],
)
def test_an_export_is_billed(
    text: str,
    mapping: str,
    period: str,
    totals: dict[str, str],
    counts: tuple[int, ...],
    tmp_path: Path,
) -> None:
    """From a file, a frame, Arrow and dicts alike."""
    read = TableMapping.from_toml(mapping)
    there = csv_file(tmp_path, text)
    frame = pd.read_csv(there, dtype=str)
    sources = there, frame, pa.Table.from_pandas(frame), frame.to_dict("records")
    for source in sources:
        run = bill_portfolio(read.leases(source), period)
        bills = run.to_tables()["bills"].to_pylist()
        found: dict[str, Decimal] = {}
        for bill in bills:
            found[bill["lease_id"]] = found.get(bill["lease_id"], Decimal(0)) + bill["total"]

        assert found == {name: Decimal(total) for name, total in totals.items()}
        summary = run.summary
        assert counts == (
            *(summary.leases, summary.vacant, summary.skipped_rows, summary.with_problems),
        )
        assert counts[1:3] == (summary.to_data()["vacant"], summary.to_data()["skippedRows"])
        said = "1 vacant unit, " in str(summary)
        assert said == (counts[1] == 1)


def test_an_unknown_word_is_the_problem_of_its_lease(tmp_path: Path) -> None:
    mapping = TableMapping.from_toml(steps_map(FREQUENCIES))
    run = bill_portfolio(mapping.leases(csv_file(tmp_path, STEPS)), "2026-09")
    (problem,) = run.to_tables()["problems"].to_pylist()

    assert ("F3", "line 6, Frequency", "unknown_word", "'Wkly'", "one of Monthly, Annually") == (
        *(problem["lease_id"], problem["path"], problem["code"]),
        *(problem["met"], problem["expected"]),
    )


@rows(
    "field, values",
    [
        ("product_key", ["x"]),
        ("amount", ["x", 5]),
        ("ended_on", ["x"]),
        ("due_day", ["x", 1]),
        ("tax_mode", ["x"]),
        ("quantity", ["x"]),
    ],
)
def test_a_word_without_a_meaning_is_refused_for_every_kind_of_field(
    field: str, values: list[Any]
) -> None:
    mapping = TableMapping(
        {"id": "id"},
        {"amount": "rent"} | {field: "word"},
        {"currency": "DKK", "moved_in": "2026-01-01"},
        words={"word": {"right": {"amount": 1}.get(field, "2026-01-01")}},
    )
    given_rows = [{"id": at, "rent": 100, "word": word} for at, word in enumerate(values)]
    problems = bill_portfolio(mapping.leases(given_rows), "2026").to_tables()["problems"]

    assert ["unknown_word"] * len(values) == problems.column("code").to_pylist()


def test_a_meaning_is_read_as_a_cell() -> None:
    """25 of a column in percent is 0.25; a row of the meaning of another is the same (A141)."""
    mapping = TableMapping(
        {"id": "id"},
        {"amount": "rent", "tax_rate": "vat"},
        {"currency": "DKK", "moved_in": "2026-01-01", "tax_mode": "Exclusive"},
        rates="percent",
        words={"vat": {"S": 25, "STD": "25 %", "": 0}},
    )
    leases = mapping.leases(
        [{"id": at, "rent": 1, "vat": word} for at, word in enumerate(["S", "STD", None])]
    )

    rates = [lease.recurring_bill_items[0].vat.tax_rate for lease in leases]
    assert [Decimal("0.25"), Decimal("0.25"), Decimal(0)] == rates
    twice = mapping.leases([{"id": 1, "rent": 1, "vat": word} for word in ("S", "S ")])
    with pytest.raises(InvalidRecordError, match="is the same as row 0"):
        list(twice)


@rows(
    "choices, problems",
    [
        ({"header_line": 0}, [("header_line", "wrong_value")]),
        ({"header_line": True}, [("header_line", "wrong_value")]),
        ({"skip": ["Total"]}, [("skip", "not_an_object")]),
        ({"vacant": {"Status": "Vacant"}}, [("vacant.Status", "not_a_list")]),
        ({"skip": {"Status": [5]}}, [("skip.Status", "not_a_list")]),
        ({"fill_down": "id"}, [("fill_down", "not_a_list")]),
        ({"words": []}, [("words", "not_an_object")]),
        ({"words": {"rent": "month"}}, [("words.rent", "not_an_object")]),
        ({"words": {"rent": {5: "month"}}}, [("words.rent", "not_an_object")]),
        ({"words": {"other": {"a": 1}}}, [("words.other", "says_nothing")]),
        ({"words": {"id": {"a": "b"}}}, [("words.id", "says_nothing")]),
        (
            {"words": {"rent": {"a": "", "b": [1], "c": 1}}},
            [("words.rent.a", "wrong_value"), ("words.rent.b", "wrong_value")],
        ),
    ],
)
def test_rules_that_could_not_be_followed_are_refused(
    choices: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    constants = {"currency": "DKK", "moved_in": "2026-01-01"}
    with pytest.raises(InvalidRecordError) as refused:
        TableMapping({"id": "id"}, {"amount": "rent"}, constants, **choices)

    assert problems == [(each.path, each.code) for each in refused.value.problems]


@rows("text, path", [("[rows]\nheader = 1\n", "rows.header"), ("rows = 1\n", "rows")])
def test_a_table_of_rows_is_known_by_its_entries(text: str, path: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        TableMapping.from_toml(text)

    assert path == refused.value.problems[0].path


def test_a_line_of_headers_is_of_a_file() -> None:
    mapping = TableMapping.from_toml(f"{ROLL_MAP}".replace("[rows]", "[rows]\nheader_line = 1"))
    with pytest.raises(InvalidRecordError, match="header_line: is of a file"):
        mapping.leases([{"Unit": 1}])


def test_a_column_of_the_rules_has_to_be_there() -> None:
    constants = {"currency": "DKK", "moved_in": "2026-01-01"}
    mapping = TableMapping({"id": "id"}, {"amount": "rent"}, constants, skip={"Code": [""]})
    with pytest.raises(InvalidRecordError, match="column Code: is no column of the table"):
        mapping.leases([{"id": 1, "rent": 5}])


def test_rows_below_an_unreadable_line_are_not_filled_from_above_it(tmp_path: Path) -> None:
    """They may be those of its lease."""
    torn = CHARGES.replace("0102,t12399,", "0102,t12399,,", 1)
    mapping = TableMapping.from_toml(CHARGES_MAP)
    (batch,) = mapping.leases(csv_file(tmp_path, torn)).batches(9)
    found = [
        (lease.lease_id, [each.code for each in lease.error.problems])
        for lease in batch
        if isinstance(lease, UnreadLease) and isinstance(lease.error, InvalidRecordError)
    ]

    assert [
        *[("t12345", ["may_be_incomplete"]), (None, ["wrong_fields"]), (None, ["missing"])],
    ] == found


def test_a_short_line_of_totals_is_skipped_too(tmp_path: Path) -> None:
    """It stops no other lease."""
    mapping = TableMapping.from_toml(ROLL_MAP.replace('"Unit" = [""]', '"Unit" = ["", "Total"]'))
    text = ROLL.replace(',,4 Units,,"4,180.00",,,', "All,Total ,4")
    run = bill_portfolio(mapping.leases(csv_file(tmp_path, text)), "2026-03")
    run.to_tables()

    assert (3, 1, 0) == (run.summary.billed, run.summary.skipped_rows, run.summary.with_problems)


def test_adjustments_count_rows_too(tmp_path: Path) -> None:
    mapping = TableMapping.from_toml(ROLL_MAP)
    run = adjust_portfolio(mapping.leases(csv_file(tmp_path, ROLL)), "2026")
    run.to_tables()

    assert "1 vacant unit, 1 skipped row" == str(run.summary).splitlines()[-1]


@given(
    names=st.lists(st.sampled_from(["a", "b", "", "v", "s"]), max_size=9), size=st.integers(1, 4)
)
@example(names=["a", "", "a", "b"], size=2)
def test_rows_without_an_id_part_no_lease(names: list[str], size: int) -> None:
    """However many rows are read at a time; `v` is vacant, `s` is skipped."""
    mapping = TableMapping(
        {"id": "id"},
        {"amount": "rent"},
        {"currency": "DKK", "moved_in": "2026-01-01"},
        skip={"id": ["s"]},
        vacant={"id": ["v"]},
    )
    table = [{"id": name, "rent": at} for at, name in enumerate(names)]
    groups = [name for name, _ in groupby(name for name in names if name in ("a", "b"))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table_rows, "_AT_ONCE", size)
        patched.setattr(csv_lines, "_AT_ONCE", size)
        found = [each for batch in mapping.leases(table).batches(2) for each in batch]

    whole = [each for each in found if each.lease_id is not None]
    assert groups == [each.lease_id for each in whole]
    assert names.count("") == len(found) - len(whole)
    for lease in whole:
        name = str(lease.lease_id)
        if groups.count(name) > 1:
            assert isinstance(lease, UnreadLease)
        else:
            assert not isinstance(lease, UnreadLease)
            assert names.count(name) == len(lease.recurring_bill_items)
