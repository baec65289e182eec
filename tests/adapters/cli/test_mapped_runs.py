"""`rentbilling bill-run leases.csv --map map.toml`: one's own table becomes a file of bills."""

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow.parquet as pq

from rentbilling.adapters.file_runs import check_leases, run_bills
from rentbilling.portfolio import TableMapping
from tests.support.command_line import refused, run
from tests.support.run_files import left_in, stopped_after

MAP = """
[lease]
id = "lease_id"
[item]
amount = "rent"
currency = "currency"
moved_in = "start"
[format]
date = "DD-MM-YYYY"
decimal = ","
thousands = "."
delimiter = ";"
"""
CSV = """lease_id;rent;currency;start
1;8.500,00;DKK;15-01-2026
3;meget;DKK;01-02-2026
2;7.000,50;DKK;01-02-2026
"""
ASKED = ("--period", "2026-01-01/2026-02-28")


def table(folder: Path, text: str = CSV) -> tuple[str, ...]:
    """Write a table and its mapping; return the arguments."""
    (folder / "leases.csv").write_text(text, encoding="utf-8-sig")
    (folder / "map.toml").write_text(MAP, encoding="utf-8")
    return "bill-run", str(folder / "leases.csv"), "--map", str(folder / "map.toml"), *ASKED


def test_good_rows_are_billed_and_bad_ones_are_problems(tmp_path: Path) -> None:
    """15 to 31 January are 17 of 31 days: 4661.29 + 8500 + 7000.50 = 20161.79 (A14)."""
    out = tmp_path / "bills.parquet"
    finished = run(*table(tmp_path), "--out", str(out))

    assert 3 == finished.exit_code
    assert [
        "3 leases: 2 billed, 0 with nothing due, 1 with problems",
        "3 bills, 0 adjustments, 0 notices",
        "20161.79 DKK + 0.00 VAT = 20161.79 DKK",
        "  Exempt: 0.00 of 20161.79",
        "problems not_a_number: 1",
    ] == finished.stdout.splitlines()[:5]
    bills = pq.read_table(out)
    assert [(0, "1"), (0, "1"), (2, "2")] == [
        *zip(*(bills.column(name).to_pylist() for name in ("row", "lease_id")), strict=True)
    ]
    assert Decimal("20161.79") == sum(bills.column("total").to_pylist())
    (problem,) = pq.read_table(tmp_path / "bills.problems.parquet").to_pylist()
    assert (1, "3", "line 3, rent", "'meget'", "a number such as 8.500,00") == (
        *(problem["row"], problem["lease_id"], problem["path"]),
        *(problem["met"], problem["expected"]),
    )


@pytest.mark.parametrize("more", [("--workers", "2"), ("--part-size", "1")], ids=["two", "parts"])
def test_processes_and_parts_change_nothing(more: tuple[str, ...], tmp_path: Path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    asked = table(tmp_path)
    run(*asked, "--out", str(one))
    run(*asked, "--out", str(other), *more)

    assert pq.read_table(one).equals(pq.read_table(other))


@pytest.mark.parametrize("more", [("--workers", "2"), ("--part-size", "1"), ("--check",)], ids=str)
def test_rows_that_are_no_items_are_counted(more: tuple[str, ...], tmp_path: Path) -> None:
    """They are no problems, also in several parts."""
    asked = table(tmp_path, "lease_id;rent;currency;start\n1;5,00;DKK;01-01-2026\n2;;;\n;5,00;;\n")
    rules = '[rows]\nskip = { "lease_id" = [""] }\nvacant = { "rent" = [""] }\n'
    (tmp_path / "map.toml").write_text(rules + MAP, encoding="utf-8")
    summary = tmp_path / "summary.json"
    out = () if more == ("--check",) else ("--out", str(tmp_path / "b.parquet"))
    finished = run(*asked, *out, *more, "--summary", str(summary))

    assert 0 == finished.exit_code
    assert "1 vacant unit, 1 skipped row" in finished.stdout.splitlines()
    found = json.loads(summary.read_text(encoding="utf-8"))
    assert [1, 1, 1, 0] == [
        found[name] for name in ("leases", "vacant", "skippedRows", "withProblems")
    ]


def test_a_run_that_is_continued_counts_rows_once(tmp_path: Path) -> None:
    table(tmp_path, CSV.replace("meget", "1,00") + ";9,00;;\n")
    mapping = TableMapping.from_toml(MAP + '[rows]\nskip = { "lease_id" = [""] }\n')
    asked = tmp_path / "leases.csv", "2026-02", tmp_path / "b.csv"
    with pytest.raises(OSError, match="No space"):
        run_bills(*asked, mapping=mapping, part_size=1, engine=stopped_after(1))
    report = run_bills(*asked, mapping=mapping, part_size=1)

    assert (1, 3, 1) == (report.kept, report.summary.leases, report.summary.skipped_rows)


@pytest.mark.parametrize("form", ["csv", "jsonl", "ics"])
def test_every_form_is_written(form: str, tmp_path: Path) -> None:
    out = tmp_path / f"bills.{form}"

    assert 3 == run(*table(tmp_path), "--out", str(out)).exit_code
    assert "4661.29" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("more", [(), ("--part-size", "1")], ids=["at once", "parts"])
def test_problems_are_written_in_the_form_of_the_bills(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    asked = table(tmp_path)
    names = ("b.csv", "b.jsonl", "b.ics", "b.parquet")
    for name in names:
        finished = run(*asked, "--out", str(tmp_path / name), *more)
        assert 3 == finished.exit_code
        assert f"{tmp_path}/b." in finished.stderr
    (row,) = pq.read_table(tmp_path / "b.problems.parquet").to_pylist()
    expected = [{**row, "row": str(row["row"])}]
    for name in ("b.problems.csv", "b.ics.problems.csv"):
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            assert expected == [*csv.DictReader(file)]
    (line,) = (tmp_path / "b.problems.jsonl").read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert {**row, "leaseId": row["lease_id"]} == {**found, "lease_id": found["leaseId"]}


def test_a_run_without_problems_writes_their_header(tmp_path: Path) -> None:
    asked = table(tmp_path, CSV.replace("meget", "100"))
    out, problems = str(tmp_path / "b.parquet"), tmp_path / "p.csv"

    assert 0 == run(*asked, "--out", out, "--problems", str(problems)).exit_code
    assert b"row,lease_id,code,path,message,met,expected\r\n" == problems.read_bytes()


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--problems", "p.ics", "does not say the form of the problems"),
        ("--problems", "p", "one of .parquet, .pq, .csv, .jsonl, .ndjson"),
        ("--adjustments", "a.csv", "would be written in Parquet"),
        ("--notices", "n.jsonl", "expected n.parquet"),
    ],
)
def test_a_name_of_another_form_is_refused(
    option: str, name: str, said: str, tmp_path: Path
) -> None:
    asked = table(tmp_path)
    before = left_in(tmp_path)

    assert said in refused(run(*asked, "--out", f"{tmp_path}/b.csv", option, f"{tmp_path}/{name}"))
    assert before == left_in(tmp_path)


def test_the_progress_of_a_table_begins_with_its_reading(tmp_path: Path) -> None:
    """Three leases are read, of which two can be; then two of two are billed."""
    table(tmp_path)
    mapping, told = TableMapping.from_toml(MAP), list[tuple[int, int | None]]()
    check_leases(
        tmp_path / "leases.csv",
        "2026-02",
        mapping=mapping,
        progress=lambda done, total: told.append((done, total)),
    )

    assert [(3, None), (2, 2)] == told


def test_fortnights_follow_one_another_from_a_monday(tmp_path: Path) -> None:
    """400 from 29 April 2002 and every 14 days, 13 times up to 14 October: 5,200 (A151)."""
    arguments = table(tmp_path, "lease_id;rent;currency;start\n1;400,00;AUD;29-04-2002\n")[:-1]
    cycle = '"billing_cycle.time_unit" = "Week"\n"billing_cycle.period_length" = 2\n'
    start = '"billing_cycle.start" = 1\n'
    with (tmp_path / "map.toml").open("a", encoding="utf-8") as file:
        file.write(f"[constants]\n{cycle}{start}")
    finished = run(*arguments, "2002-04-01/2002-10-24", "--check")

    assert [
        "13 bills, 0 adjustments, 0 notices",
        "5200.00 AUD + 0.00 VAT = 5200.00 AUD",
    ] == finished.stdout.splitlines()[1:3]


def test_a_check_prints_what_is_wrong(tmp_path: Path) -> None:
    before = left_in(tmp_path)
    finished = run(*table(tmp_path), "--check")

    assert 3 == finished.exit_code
    assert "line 3, rent: is not a number of this notation" in finished.stderr
    assert {"leases.csv", "map.toml", *before} == {*left_in(tmp_path)}


def test_without_bad_rows_all_is_fine(tmp_path: Path) -> None:
    text = CSV.replace("meget", "100")

    finished = run(*table(tmp_path, text), "--out", str(tmp_path / "b.parquet"))

    assert 0 == finished.exit_code
    assert "3 leases: 3 billed" in finished.stdout


def test_a_strict_run_stops_at_the_first_bad_row(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "b.parquet"), "--on-problem", "raise")

    assert "[1].line 3, rent: is not a number" in refused(run(*table(tmp_path), *out))


def test_nothing_is_written_over_what_is_read(tmp_path: Path) -> None:
    asked = table(tmp_path, CSV.replace("meget", "100"))
    mapping, leases, out = asked[3], asked[1], str(tmp_path / "b.parquet")
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    adjusting = ("adjust-run", *asked[1:])
    for arguments in (
        (*asked, "--out", mapping, "--format", "csv"),
        (*asked, "--out", out, "--problems", f"{tmp_path}/../{tmp_path.name}/map.toml"),
        (*asked, "--out", out, "--summary", mapping),
        (*asked, "--out", out, "--summary", out),
        (*asked, "--check", "--summary", leases),
        (*adjusting, "--out", mapping),
        (*adjusting, "--out", out, "--leases-out", out),
    ):
        assert "would be written over" in refused(run(*arguments), 2), arguments

    assert before == {each: each.read_bytes() for each in tmp_path.iterdir()}


def test_earlier_bills_are_not_billed_again(tmp_path: Path) -> None:
    """A lease whose row cannot be read is in the table all the same, and not gone."""
    sent, out = tmp_path / "sent.parquet", tmp_path / "again.parquet"
    run(*table(tmp_path, CSV.replace("meget", "100")), "--out", str(sent))
    finished = run(*table(tmp_path), "--out", str(out), "--already-billed", str(sent))

    assert 0 == pq.read_metadata(out).num_rows
    assert "3 leases: 0 billed, 2 with nothing due, 1 with problems" in finished.stdout
    assert "gone" not in finished.stdout


@pytest.mark.parametrize(
    ("text", "mapping", "said"),
    [
        ("lease_id;rent\n", MAP, "leases.csv: column currency: is no column of the table"),
        (CSV, "[item", "map.toml: is not TOML"),
        (CSV, MAP.replace("amount", "price"), "map.toml: item.price: leads to no field"),
        (CSV, MAP.replace('";"', '","'), 'delimiter = ";" reads this line of headers'),
        (CSV, "\udcff", "map.toml: is not TOML"),
    ],
    ids=["column", "torn", "field", "delimiter", "not Unicode"],
)
def test_what_is_no_such_table_or_mapping_is_refused(
    text: str, mapping: str, said: str, tmp_path: Path
) -> None:
    asked = table(tmp_path, text)
    (tmp_path / "map.toml").write_bytes(mapping.encode("utf-8", "surrogateescape"))

    assert said in refused(run(*asked, "--check"))


def test_a_table_without_a_mapping_says_what_to_write(tmp_path: Path) -> None:
    name, leases, *_ = table(tmp_path)

    assert "--map map.toml" in refused(run(name, leases, *ASKED, "--check"))


def test_two_leases_of_one_id_are_refused_by_the_name_of_the_table(tmp_path: Path) -> None:
    asked = table(tmp_path, CSV.replace("meget", "100"))
    columns = "one_time_bill_items[0]"
    placed = f"""
[lease]
id = "currency"
"{columns}.amount.amount" = "rent"
"{columns}.due_date" = "start"
[constants]
"{columns}.product_key" = "key:fee"
"{columns}.amount.currency" = "DKK"
"{columns}.vat.tax_mode" = "Exempt"
"{columns}.accounting_period.start" = "2026-01-01"
"{columns}.accounting_period.end" = "2026-01-31"
"""
    (tmp_path / "map.toml").write_text(placed + MAP[MAP.index("[format]") :], encoding="utf-8")

    said = refused(run(*asked, "--check"))
    assert "leases.csv: [2].lease_id: is the id of another lease too: row 0 and row 2" in said
