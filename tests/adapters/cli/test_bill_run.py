"""`rentbilling bill-run`: a file of leases becomes a file of bills, from the command line."""

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.file_runs.engines import MadeParts, WorkerDiedError
from tests.support.command_line import refused, run, written
from tests.support.rows import rows
from tests.support.run_files import PERIOD, lease_file, left_in

MONTHS = ("--period", PERIOD)
PARTS = ("--part-size", "4", "--out")


def test_the_summary_is_printed(tmp_path: Path) -> None:
    """Counts, totals, VAT for each rate; without problems the exit code is 0.

    16 leases have 2 bills each: 32 × 8,500 = 272,000 rent without VAT, 16 × 500 = 8,000 heating
    with 2,000. 8 have nothing due. None of the 24 is rare.
    """
    leases, out = lease_file(tmp_path, has_bad=False), tmp_path / "bills.parquet"
    finished = run("bill-run", str(leases), *MONTHS, "--out", str(out))

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert [
        "24 leases: 16 billed, 8 with nothing due, 0 with problems",
        "32 bills, 0 adjustments, 0 notices",
        "280000.00 DKK + 2000.00 VAT = 282000.00 DKK",
        "  Exclusive 25 %: 2000.00 of 8000.00",
        "  Exempt: 0.00 of 272000.00",
        "billed one by one, by the engine for single leases: 0.0 %",
    ] == finished.stdout.splitlines()
    assert 32 == pq.read_metadata(out).num_rows


def test_leases_with_problems_are_exit_code_3(tmp_path: Path) -> None:
    """The others are billed; 1 of 24 is 4.2 %."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.jsonl"
    bad = tmp_path / "bad.parquet"
    options = ("--out", str(out), "--problems", str(bad), "--format", "jsonl")
    finished = run("bill-run", str(leases), "--period", "2026-02", *options)

    assert 3 == finished.exit_code
    assert "problems missing: 1" in finished.stdout
    assert finished.stdout.endswith("single leases: 4.2 % (billing_cycle 1)\n")
    assert 16 == len(out.read_text().splitlines())
    assert ["lease-5"] == pq.read_table(bad).column("lease_id").to_pylist()


def test_a_strict_run_is_refused(tmp_path: Path) -> None:
    """With the lease, exit code 1 and no file; of smaller parts, one is kept, which is told."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    options = ("--out", str(out), "--on-problem", "raise")
    said = refused(run("bill-run", str(leases), *MONTHS, *options))
    parts = run("bill-run", str(leases), *MONTHS, *options[2:], *PARTS, str(tmp_path / "b.pq"))

    assert "[5].recurring_bill_items[0]" in said
    assert 1 == len(said.splitlines())
    assert parts.stderr.startswith(said)
    assert parts.stderr.splitlines()[1].startswith("       1 part is kept in ")
    assert ["b.pq.parts", "leases.parquet"] == left_in(tmp_path)


def test_nothing_is_billed_twice(tmp_path: Path) -> None:
    """Beside the bills of February and March, nothing is due in them (A53)."""
    leases, out = lease_file(tmp_path, has_bad=False), tmp_path / "bills.parquet"
    run("bill-run", str(leases), *MONTHS, "--out", str(out))
    options = ("--out", str(tmp_path / "again.parquet"), "--already-billed", str(out))
    finished = run("bill-run", str(leases), *MONTHS, *options, "--billed-since", "2026-02-01")

    assert 0 == finished.exit_code
    assert finished.stdout.startswith("24 leases: 0 billed, 24 with nothing due")


def test_a_run_that_had_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leases, out = lease_file(tmp_path, has_bad=False), tmp_path / "bills.parquet"
    given = ("bill-run", str(leases), *MONTHS, "--out", str(out))

    def full(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("rentbilling.adapters.file_runs.targets._settle", full)
        first = run(*given)
    other = run(*given[:2], "--period", "2026-02", "--out", str(out))
    second = run(*given)

    kept = f"1 part is kept in {out}.parts: the same command goes on from there."
    assert (1, f"Error: {out}: No space left on device\n       {kept}\n") == (
        first.exit_code,
        first.stderr,
    )
    assert 1 == other.exit_code
    assert "       --afresh throws the 1 part away; " in other.stderr
    assert "are of another run: period differs" in other.stderr
    assert (0, "Parts of an earlier run that were kept: 1 of 1.\n") == (
        second.exit_code,
        second.stderr,
    )


def test_a_process_that_died_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a line, with exit code 1."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"

    def engine(_make: object, _tasks: object) -> MadeParts:
        raise WorkerDiedError("a process that made bills has ended by signal 9")

    monkeypatch.setattr("rentbilling.adapters.file_runs.bill_run.in_this_process", engine)
    said = refused(run("bill-run", str(leases), *MONTHS, "--out", str(out)))

    assert f"Error: {out}: a process that made bills has ended by signal 9\n" == said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("leases.parquet", b"PAR1", "is damaged or cut short"),
        ("leases.csv", b"lease_id", "is CSV, which needs a mapping"),
        ("leases.txt", b"lease_id", "is a file of an unknown kind"),
        ("leases.arrow", b"", "is damaged or cut short"),
    ],
)
def test_a_file_that_holds_no_leases_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = written(tmp_path, name, content)
    told = refused(run("bill-run", path, *MONTHS, "--out", str(tmp_path / "bills.parquet")))

    assert told.startswith(f"Error: {path}: ")
    assert said in told
    assert [name] == left_in(tmp_path)


def test_wrong_columns_are_all_told(tmp_path: Path) -> None:
    path = tmp_path / "leases.parquet"
    pq.write_table(pa.table({"rent": [8500], "tenant": ["lease-1"]}), path)
    finished = run("bill-run", str(path), *MONTHS, "--out", str(tmp_path / "bills.parquet"))

    assert (1, 1) == (finished.exit_code, len(finished.stderr.splitlines()))
    assert "rent, tenant" in finished.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone.parquet"
    out = tmp_path / "nowhere" / "bills.parquet"
    first = run("bill-run", str(gone), *MONTHS, "--out", str(tmp_path / "bills.parquet"))
    second = run("bill-run", str(lease_file(tmp_path)), *MONTHS, "--out", str(out))

    assert (1, f"Error: {gone}: No such file or directory\n") == (first.exit_code, first.stderr)
    assert (1, f"Error: {out}: there is no folder {out.parent}\n") == (
        second.exit_code,
        second.stderr,
    )


@rows(
    ("options", "said"),
    [
        (("--stamp", "2026-01-31T12:00:00Z"), "--stamp has no effect without --format ics"),
        (("--stamp", "2026-01-31T12:00:00", "--format", "ics"), "a moment with its offset"),
        (("--stamp", "noon", "--format", "ics"), "a moment with its offset"),
        (("--billed-since", "2026-01-01"), "has no effect without --already-billed"),
        (("--workers", "0"), "is not in the range"),
        (("--engine", "dask"), "--engine dask and --scheduler need each other"),
        (("--scheduler", "tcp://gone:1"), "--engine dask and --scheduler need each other"),
        (
            ("--engine", "dask", "--scheduler", "tcp://gone:1", "--workers", "2"),
            "--workers has no effect with --engine dask",
        ),
        (("--policy", "-", "--indices", "-"), "can be standard input"),
    ],
)
def test_options_that_say_nothing_are_usage_errors(options: tuple[str, ...], said: str) -> None:
    """Exit code 2, before a file is looked for."""
    told = refused(run("bill-run", "gone.parquet", *MONTHS, *options, "--out", "bills.parquet"), 2)

    assert said in " ".join(told.split())


def test_a_calendar_takes_its_stamp(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "due.ics"
    stamp = ("--format", "ics", "--stamp", "2026-01-31T12:00:00+02:00")
    run("bill-run", str(leases), *MONTHS, "--out", str(out), *stamp)

    assert 32 == out.read_text().count("DTSTAMP:20260131T100000Z\n")
