"""`rentbilling report`: the library's reports of one lease, of several, and of a portfolio.

The rent of `command_line`: 8,500 DKK a month from January 2026 on, exempt from VAT.
"""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling import LeaseTerms, loads
from rentbilling.portfolio import leases_to_arrow
from rentbilling.reports import rent_roll
from tests.support.command_line import (
    BY_INDEX,
    Golden,
    npi,
    refused,
    rent,
    rent_by,
    rows_of,
    run,
    written,
)
from tests.support.rows import rows

TWO = {"leaseId": "a", "contractEnd": "2030-06-30", "recurringBillItems": [rent()]}
OTHER = {"leaseId": "b", "recurringBillItems": [rent(productKey="key:rent")]}
MAPPING = """
[lease]
lease_id = "No"
[item]
amount = "Rent"
moved_in = "From"
[constants]
currency = "DKK"
product_key = "key:rent"
tax_mode = "Exempt"
"""
UNITS = [{"leaseId": "a", "unit": "1st floor", "tenant": "=Hansen", "area": 85}, {"unit": "attic"}]


def lease_files(folder: Path) -> list[str]:
    return [written(folder, f"{each['leaseId']}.json", json.dumps(each)) for each in (TWO, OTHER)]


def test_a_list_of_leases_is_several_leases(tmp_path: Path) -> None:
    """A list of items stays one lease."""
    asked = ("--on", "2026-05-01", "--format", "csv")
    files = run("report", "rent-roll", *lease_files(tmp_path), *asked).stdout
    listed = written(tmp_path, "both.json", json.dumps([TWO, OTHER]))
    items = written(tmp_path, "items.json", json.dumps([rent(), rent()]))
    wrong = written(tmp_path, "wrong.json", json.dumps([TWO, {"leaseId": "b", "rent": 1}]))

    assert run("report", "rent-roll", listed, *asked).stdout == files
    (row,) = rows_of(run("report", "rent-roll", items, *asked).stdout)
    assert row["monthly"] == "17000.00"
    # A lease that cannot be read is named, and the others are reported.
    partly = run("report", "rent-roll", wrong, *asked)
    assert (3, "b: [1].rent: is not a field") == (
        partly.exit_code,
        partly.stderr.partition(" (")[0],
    )
    assert rows_of(partly.stdout) == rows_of(files)[:1]
    neither = written(tmp_path, "neither.json", json.dumps([{"leaseId": "b", "rent": 1}]))
    assert "neither.json: b: [0].rent: is not" in refused(
        run("report", "rent-roll", neither, *asked)
    )


def test_a_rent_roll_with_units_and_expiries(tmp_path: Path, golden: Golden) -> None:
    """Two rents of 8,500 × 12 = 102,000; 102,000 / 85 = 1,200 a square metre."""
    units = written(tmp_path, "units.json", json.dumps(UNITS))
    asked = ("report", "rent-roll", *lease_files(tmp_path), "--on", "2026-05-01", "--units", units)

    golden("report, rent roll", run(*asked))
    first, second, vacant = rows_of(run(*asked, "--format", "csv").stdout)
    assert ["a", "DKK", "8500.00", "102000.00", "1200.00", "'=Hansen"] == [
        first[name] for name in ("lease_id", "currency", "monthly", "yearly", "per_area", "tenant")
    ]
    assert ("b", "", "attic") == (second["lease_id"], vacant["lease_id"], vacant["unit"])
    data = json.loads(run(*asked, "--format", "json").stdout)
    assert {"rows": 3, "sums": 1, "expiries": 2, "problems": 0} == {
        name: len(data[name]) for name in data
    }
    later = run(*asked[:-3], "2031-01-01")
    assert "1 lease left out that ended before 2031-01-01" in later.stderr


def test_a_portfolio_of_columns_is_read_in_batches(tmp_path: Path) -> None:
    """Parquet and one's own CSV give the roll of the same leases."""
    leases = [loads(json.dumps(each), LeaseTerms) for each in (TWO, OTHER)]
    pq.write_table(pa.Table.from_batches([leases_to_arrow(leases)]), tmp_path / "leases.parquet")
    asked = ("report", "rent-roll", "--on", "2026-05-01", "--format", "csv")

    found = rows_of(run(*asked, str(tmp_path / "leases.parquet")).stdout)

    expected = rent_roll(leases, on="2026-05-01").rows()
    assert [str(row["yearly"]) for row in expected] == [row["yearly"] for row in found]
    assert found == rows_of(run(*asked, str(tmp_path)).stdout)
    table = written(tmp_path, "own.csv", "No,Rent,From\na,8500.00,2026-01-01\nb,100,2026-01-01\n")
    own = run(*asked, table, "--map", written(tmp_path, "map.toml", MAPPING))
    assert ["102000.00", "1200.00"] == [row["yearly"] for row in rows_of(own.stdout)], own.stderr
    assert "gone.csv" in refused(run(*asked, "gone.csv", "--map", str(tmp_path / "map.toml")))
    # A row that cannot be read, in CSV or in Parquet, is the problem of its lease.
    torn = written(tmp_path, "torn.csv", "No,Rent,From\na,8500.00,2026-01-01\nb,x,2026-01-01\n")
    partly = run(*asked, torn, "--map", str(tmp_path / "map.toml"))
    assert (3, ["a"], "b: ") == (
        partly.exit_code,
        [row["lease_id"] for row in rows_of(partly.stdout)],
        partly.stderr[:3],
    )
    batch = leases_to_arrow(leases).to_pylist()
    batch[1]["recurring_bill_items"][0]["billing_cycle"]["period_length"] = 0
    wrong = pa.RecordBatch.from_pylist(batch, schema=leases_to_arrow(leases).schema)
    pq.write_table(pa.Table.from_batches([wrong]), tmp_path / "wrong.parquet")
    partly = run(*asked, str(tmp_path / "wrong.parquet"))
    assert (3, "b: [1].recurring_bill_items[0]") == (partly.exit_code, partly.stderr[:30])


def test_what_bills_earn_and_their_vat(tmp_path: Path) -> None:
    files = lease_files(tmp_path)

    earned = run(
        "report", "accruals", *files, "--period", "2026", "--by", "year", "--format", "csv"
    )
    assert {"earned": "204000.00", "billed": "204000.00"}.items() <= rows_of(earned.stdout)[
        0
    ].items()
    whole = run("report", "vat", *files, "--period", "2026-02", "--format", "csv")
    by = ("--by", "accounting_period")
    days = run("report", "vat", *files, "--period", "2026-02", *by, "--format", "csv")
    assert ["17000.00"] == [row["gross"] for row in rows_of(whole.stdout)]
    assert whole.stdout == days.stdout


QUARTERLY = {
    "leaseId": "q",
    "recurringBillItems": [
        rent(
            startedOn="2025-12-01",
            billingCycle={"timeUnit": "Month", "periodLength": 3, "start": 3},
            vat={"taxMode": "Exclusive", "taxRate": 0.25},
            firstBillingPeriodBillItem={
                "amount": {"amount": 8500, "currency": "DKK"},
                "dueDate": "2025-12-01",
                "accountingPeriod": "2025-12-01/2026-02-28",
            },
        )
    ],
    "oneTimeBillItems": [
        {
            "productKey": "key:keys",
            "amount": {"amount": 310, "currency": "DKK"},
            "vat": {"taxMode": "Exempt"},
            "dueDate": "2026-03-01",
            "accountingPeriod": "2026-01-01/2026-01-31",
        }
    ],
}


def test_vat_of_the_days_that_bills_pay_for() -> None:
    """8,500 for December to February, due before January: 2,833.33 is January's; 310 due after it.

    2,125 of VAT: 708.33 by the end of December, 1,416.67 by that of January, so 708.34. Net:
    2,833.33 by the end of December, 5,666.67 by that of January, so 2,833.34.
    """
    asked = ("report", "vat", "-", "--period", "2026-01", "--format", "json")

    due = json.loads(run(*asked, given=QUARTERLY).stdout)
    days = json.loads(run(*asked, "--by", "accounting_period", given=QUARTERLY).stdout)

    assert due == {"rows": [], "sums": [], "problems": []}
    assert [(row["net"], row["vat"]) for row in days["rows"]] == [(2833.34, 708.34), (310, 0)]
    assert days["sums"] == [{"currency": "DKK", "net": 3143.34, "vat": 708.34, "gross": 3851.68}]


def test_vat_of_months_adds_up_to_the_bills_that_months_share() -> None:
    """Rent of a month and parking of the next fall due together, 20.20 and 25 % of VAT: 5.05.

    Rent has 2.52 of it and parking 2.53 (A29: 2.525 each, a cent too many is the first line's);
    in January both are of one bill, in February parking's is of the bill before. In March, when no
    parking of April is asked for, rent alone would have 2.53.
    """
    vat = {"taxMode": "Exclusive", "taxRate": 0.25}
    opening = {"amount": {"amount": 10.10, "currency": "DKK"}, "dueDate": "2026-01-01"}
    of_days = {**opening, "accountingPeriod": "2026-01-01/2026-01-31"}
    items = [
        rent(
            productKey=key,
            vat=vat,
            startedOn="2026-01-01",
            amount=opening["amount"],
            firstBillingPeriodBillItem=of_days,
            dueDateRule={"dayOfPeriod": day},
        )
        for key, day in (("key:rent", 31), ("key:parking", -1))
    ]
    asked = ("report", "vat", "-", "--by", "accounting_period", "--format", "csv", "--period")

    found = {
        period: rows_of(run(*asked, period, given={"recurringBillItems": items}).stdout)[0]["vat"]
        for period in ("2026-01", "2026-02", "2026-03", "2026-01-01/2026-03-31")
    }

    assert [*found.values()] == ["5.05", "5.05", "5.05", "15.15"]
    assert rows_of(run(*asked, "2025", given={"recurringBillItems": items}).stdout) == []


def test_corrections_are_apart_in_a_report_of_bills(tmp_path: Path) -> None:
    """January was billed at 8,000 and is 8,500: 500 more in February's bill of 8,500."""
    lease = written(tmp_path, "a.json", json.dumps(TWO))
    before = json.dumps(TWO).replace("8500", "8000")
    full = ("--format", "json", "--full")
    early = run("bills", "-", "--period", "2026-01", *full, given=before).stdout
    sent = written(tmp_path, "sent.json", early)
    more = run("bills", lease, "--period", "2026-02", "--already-billed", sent, *full).stdout
    bills = written(tmp_path, "more.json", more)
    asked = ("report", "vat", sent, bills, "--bills", "--period", "2026", "--format", "csv")

    rows = rows_of(run(*asked).stdout)

    assert [(row["gross"], row["corrections"]) for row in rows] == [
        ("16500.00", "False"),
        ("500.00", "True"),
    ]
    assert "17000.00" in run(*asked[:-2]).stdout
    assert "--map has no effect" in refused(run(*asked, "--map", sent), 2)
    february = run("report", "accruals", *asked[2:5], "--period", "2026-02", *asked[-2:])
    assert {"9000.00"} == {
        row["billed"] for row in rows_of(february.stdout) if row["month"] == "2026-02-01"
    }


def test_even_income_of_all_leases(tmp_path: Path) -> None:
    files = lease_files(tmp_path)

    even = run("report", "straight-line", *files, "--term", "2026-01/soon", "--format", "csv")
    assert 2 == even.exit_code
    even = run("report", "straight-line", *files, "--term", "2026", "--format", "csv")
    assert {"17000.00"} == {row["income"] for row in rows_of(even.stdout)}
    ended = run("report", "straight-line", files[0], "--format", "csv")
    assert 54 == len(rows_of(ended.stdout))
    said = refused(run("report", "straight-line", files[1]))
    assert "b: it is unknown from when to when rents of b are income: pass the days, --term" in said
    partly = run("report", "straight-line", *files, "--format", "csv")
    assert (3, ended.stdout) == (partly.exit_code, partly.stdout)
    assert "b: it is unknown" in partly.stderr


def test_a_rent_that_needs_an_index(tmp_path: Path) -> None:
    """The roll names what is missing and goes on; bills are refused with the lease."""
    lease = written(tmp_path, "lease.json", json.dumps({"leaseId": "x", **rent_by(BY_INDEX)}))
    roll = run("report", "rent-roll", lease, "--on", "2026-05-01")
    assert (3, True) == (roll.exit_code, roll.stderr.startswith("x: "))

    said = refused(run("report", "vat", lease, "--period", "2026"))
    assert "x: the series" in said
    assert "--indices FILE" in said
    assumed = ("--indices", npi(tmp_path), "--assume-index", "2%")
    found = run("report", "rent-roll", lease, "--on", "2030-05-01", *assumed, "--format", "csv")
    assert "2031-01-01" == rows_of(found.stdout)[0]["next_adjustment"]
    billed = run("report", "vat", lease, "--period", "2030", *assumed)
    assert "[assumed_index]" in billed.stderr


def test_a_picture_of_expiries_and_a_workbook(tmp_path: Path) -> None:
    picture, book = tmp_path / "ends.png", tmp_path / "roll.xlsx"
    asked = ("report", "rent-roll", *lease_files(tmp_path), "--on", "2026-05-01")

    assert 0 == run(*asked, "--plot", str(picture)).exit_code
    assert picture.read_bytes().startswith(b"\x89PNG")
    pytest.importorskip("openpyxl", reason="needs the extra excel")
    assert 0 == run(*asked, "--xlsx", str(book)).exit_code
    assert book.read_bytes().startswith(b"PK")
    assert "nowhere" in refused(run(*asked, "--xlsx", str(tmp_path / "nowhere" / "roll.xlsx")))


@rows(
    ("options", "code", "said"),
    [
        (("rent-roll", "-", "--on", "tomorrow"), 2, "'--on'"),
        (("rent-roll", "-"), 2, "--on"),
        (("vat", "-", "--period", "x"), 2, "'--period'"),
        (("rent-roll", "gone.parquet", "--on", "2026-01-01"), 1, "gone.parquet"),
        (("rent-roll", "-", "--on", "2026-01-01", "--units", "gone.json"), 1, "gone.json"),
        (("rent-roll", "gone.csv", "--on", "2026-01-01", "--map", "gone.toml"), 1, "gone.toml"),
    ],
)
def test_what_is_not_well_formed(options: tuple[str, ...], code: int, said: str) -> None:
    assert said in refused(run("report", *options, given=TWO), code)


def test_units_are_a_list(tmp_path: Path) -> None:
    units = written(tmp_path, "units.json", "{}")
    found = run("report", "rent-roll", "-", "--on", "2026-01-01", "--units", units, given=TWO)

    assert "is not a list" in refused(found)
    lost = run("report", "rent-roll", "-", "--on", "2026-01-01", "--map", units, given=TWO)
    assert "units.json" in refused(lost)
