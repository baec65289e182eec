"""What `rentbilling bill-run` says: errors by file, what is kept, progress, and its summary."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.cli.output.run_reports import ProgressLines
from rentbilling.adapters.file_runs.engines import MadeParts, in_this_process
from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask
from rentbilling.portfolio import leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent
from tests.support.command_line import refused, run
from tests.support.rows import rows
from tests.support.run_files import PERIOD, lease_file, lease_table, left_in

MONTHS = ("--period", PERIOD)
ENGINE = "rentbilling.adapters.file_runs.bill_run.in_this_process"


def test_a_bad_file_of_a_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "leases"
    folder.mkdir()
    pq.write_table(lease_table(), folder / "a.parquet")
    pq.write_table(lease_table().append_column("tenant", [["x"] * 24]), folder / "b.parquet")
    said = refused(run("bill-run", str(folder), *MONTHS, "--out", str(tmp_path / "bills.parquet")))

    assert said.startswith(f"Error: {folder / 'b.parquet'}: tenant: is not a column of")


def test_a_folder_is_no_file_of_bills(tmp_path: Path) -> None:
    leases, folder = lease_file(tmp_path), tmp_path / "o.parquet"
    folder.mkdir()
    first = run("bill-run", str(leases), *MONTHS, "--out", str(folder))
    asked = ("--out", str(tmp_path / "b.parquet"), "--summary")
    second = run("bill-run", str(leases), *MONTHS, *asked, str(folder))
    third = run("bill-run", str(leases), *MONTHS, *asked, str(tmp_path / "gone" / "s.json"))

    assert (1, f"Error: {folder}: is a folder, not a file\n") == (first.exit_code, first.stderr)
    assert (1, f"Error: {folder}: is a folder, not a file\n") == (second.exit_code, second.stderr)
    assert f"s.json: there is no folder {tmp_path / 'gone'}\n" in third.stderr
    assert ["leases.parquet", "o.parquet"] == left_in(tmp_path)


@rows(
    ("options", "said"),
    [
        (("-", "--out", "b.parquet"), "is a file or a folder: a run that is begun again"),
        (("l.parquet",), "Missing option '--out', or --check"),
        (("l.parquet", "--out", "bills.xlsx"), "ends in none of .parquet, .pq, .csv, .jsonl"),
        (("l.parquet", "--out", "b.csv", "--check"), "--out has no effect with --check"),
        (("l.parquet", "--check", "--afresh"), "have no effect with --check"),
        (("l.parquet", "--out", "b.csv", "--send-leases"), "--send-leases has no effect"),
        (("l.parquet", "--out", "b.csv", "--part-size", "0"), "is not in the range"),
    ],
)
def test_commands_that_are_not_well_formed(options: tuple[str, ...], said: str) -> None:
    """Exit code 2, with what would be."""
    told = refused(run("bill-run", *options, *MONTHS), 2)

    assert said in " ".join(told.replace("│", " ").split())


def test_the_form_is_that_of_the_name_and_that_of_format_comes_first(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "b.csv"
    run("bill-run", str(leases), *MONTHS, "--out", str(out))
    as_csv = out.read_text()
    run("bill-run", str(leases), *MONTHS, "--out", str(out), "--format", "jsonl")

    assert as_csv.startswith("due_date,")
    assert out.read_text().startswith('{"row": 0, ')


def test_the_summary_for_machines_has_exact_figures(tmp_path: Path) -> None:
    """280,000 net and 2,000 VAT, as the text has it."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    asked = ("--out", str(out), "--summary", str(tmp_path / "s.json"))
    finished = run("bill-run", str(leases), *MONTHS, *asked)
    text = (tmp_path / "s.json").read_text()
    told = json.loads(text)
    (total,) = told["totals"]

    assert 3 == finished.exit_code
    assert (24, 16, 1, 32) == (told["leases"], told["billed"], told["withProblems"], told["bills"])
    assert {"missing": 1} == told["problems"]
    assert ("DKK", 280000, 2000) == (total["currency"], total["subtotal"], total["vat"])
    assert '"subtotal": 280000.00,' in text
    assert ".s.json.new" not in left_in(tmp_path)


def test_a_summary_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    (tmp_path / ".s.json.new").mkdir()
    asked = ("--out", str(out), "--summary", str(tmp_path / "s.json"))
    finished = run("bill-run", str(leases), *MONTHS, *asked)

    assert (1, f"Error: {tmp_path / 's.json'}: Is a directory\n") == (
        finished.exit_code,
        finished.stderr,
    )
    assert out.exists()


def test_a_check_tells_problems_and_the_summary(tmp_path: Path) -> None:
    """And leaves nothing; exit code 3 as the run has."""
    leases = lease_file(tmp_path)
    checked = run("bill-run", str(leases), *MONTHS, "--check")
    names = left_in(tmp_path)
    billed = run("bill-run", str(leases), *MONTHS, "--out", str(tmp_path / "b.parquet"))

    assert (3, ["leases.parquet"]) == (checked.exit_code, names)
    assert checked.stderr.startswith("Problem: row 5, lease-5: recurring_bill_items[0].")
    assert checked.stderr.endswith("[missing]\n")
    assert billed.stdout == checked.stdout


def test_a_run_says_where_its_problems_are(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "b.csv"
    finished = run("bill-run", str(leases), *MONTHS, "--out", str(out), "--progress", "none")

    assert 3 == finished.exit_code
    assert f"Leases with problems, which are in {tmp_path}/b.problems.csv: 1.\n" == finished.stderr


def test_a_problem_without_a_value_names_none(tmp_path: Path) -> None:
    indexed = leases_to_arrow([a_lease(a_rent(), plans=[a_plan()], lease_id="a")])
    pq.write_table(pa.Table.from_batches([indexed]), tmp_path / "l.parquet")
    checked = run("bill-run", str(tmp_path / "l.parquet"), "--period", "2027-02", "--check")

    assert "None" not in checked.stderr
    assert checked.stderr.endswith("pass it as one of indices= [missing_series]\n")


def test_a_check_tells_twenty_problems(tmp_path: Path) -> None:
    """And how many more there are: 24 leases without an id and without a billing cycle."""
    rows = [
        {**row, "lease_id": None, "recurring_bill_items": [item | {"billing_cycle": None}]}
        for row in lease_table().to_pylist()
        for item in row["recurring_bill_items"][:1]
    ]
    table = lease_table()
    pq.write_table(type(table).from_pylist(rows, table.schema), tmp_path / "leases.parquet")
    finished = run("bill-run", str(tmp_path / "leases.parquet"), *MONTHS, "--check")
    lines = finished.stderr.splitlines()

    assert 21 == len(lines)
    assert lines[0].startswith("Problem: row 0: recurring_bill_items[0].billing_cycle")
    assert "and 4 more problems; the run without --check writes all of them." == lines[20]


@pytest.mark.parametrize(
    ("last", "said"), [(0, ""), (1, "1 part is kept in "), (2, "2 parts are kept in ")]
)
def test_an_interrupted_run_tells_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int, said: str
) -> None:
    """And how to go on; exit code 130."""
    leases, out = lease_file(tmp_path, has_bad=False), tmp_path / "bills.parquet"

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for number, part in in_this_process(make, tasks):
            if number == last:
                raise KeyboardInterrupt
            yield number, part

    given = ("bill-run", str(leases), *MONTHS, "--out", str(out), "--part-size", "4")
    with monkeypatch.context() as patched:
        patched.setattr(ENGINE, engine)
        finished = run(*given)
    again = run(*given)
    kept = f"{said}{out}.parts: the same command goes on from there.\n" if said else ""

    assert (130, f"Interrupted.\n{kept}") == (finished.exit_code, finished.stderr)
    assert 0 == again.exit_code
    told = f"Parts of an earlier run that were kept: {last} of 6.\n" if last else ""
    assert told == again.stderr


def test_progress_can_be_lines(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path, has_bad=False), tmp_path / "bills.parquet"
    given = ("bill-run", str(leases), *MONTHS, "--out", str(out), "--progress")

    assert run(*given, "plain").stderr.startswith("24 of 24 leases, ")
    assert not run(*given, "none").stderr


def test_lines_come_every_five_seconds() -> None:
    """1,000 of 4,000 after 5 s are 200 a second, and 3,000 more take 15 s.

    Of a run that goes on with 1,000 leases that were kept, 1,000 more in 10 s are 100 a second.
    """
    told: list[str] = []
    clock = iter((0.0, 0.0, 1.0, 5.0, 9.0, 20.0)).__next__
    with ProgressLines(told.append, clock) as lines:
        for done in (0, 500, 1000, 3000, 4000):
            lines(done, 4000)
    later = iter((0.0, 0.0, 10.0)).__next__
    with ProgressLines(told.append, later) as lines:
        for done in (1000, 2000):
            lines(done, 4000)

    assert [
        "1,000 of 4,000 leases, 200 a second, 15 s left",
        "4,000 of 4,000 leases, 200 a second",
        "2,000 of 4,000 leases, 100 a second, 20 s left",
    ] == told


def test_a_flat_table_is_read_before_it_is_billed() -> None:
    """4,000 leases in ten seconds, and of 6,000 a half in five more: 600 a second."""
    told: list[str] = []
    with ProgressLines(told.append, iter((0.0, 0.0, 10.0, 11.0, 16.0)).__next__) as lines:
        for done, total in ((1, None), (4_001, None), (0, 6_000), (3_000, 6_000)):
            lines(done, total)

    assert [
        "4,001 leases, 400 a second",
        "3,000 of 6,000 leases, 600 a second, 5 s left",
    ] == told


def test_columns_are_printed() -> None:
    finished = run("bill-run", "--columns")
    lines = finished.stdout.splitlines()

    assert (0, "lease_id: string") == (finished.exit_code, lines[0])
    at = lines.index("recurring_bill_items: list of struct")
    assert ["  id: string", "  product_key: string"] == lines[at + 1 : at + 3]
    assert "    tax_rate: decimal128(38, 15)" in lines
