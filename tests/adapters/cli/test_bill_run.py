"""`rentbilling bill-run` that stops: what it says, what is kept, and how far it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow.parquet as pq

from rentbilling.adapters.cli.output.run_reports import ProgressLines
from rentbilling.adapters.file_runs.engines import MadeParts, WorkerDiedError, in_this_process
from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask
from tests.support.command_line import refused, run
from tests.support.rows import rows
from tests.support.run_files import PERIOD, lease_file, lease_table

ENGINE = "rentbilling.adapters.file_runs.bill_run.in_this_process"


@rows(("last", "said"), [(0, ""), (1, "1 part is kept in "), (2, "2 parts are kept in ")])
def test_an_interrupted_run_says_what_is_kept_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int, said: str
) -> None:
    out = tmp_path / "bills.parquet"

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for number, part in in_this_process(make, tasks):
            if number == last:
                raise KeyboardInterrupt
            yield number, part

    asked = ("bill-run", str(lease_file(tmp_path, has_bad=False)), "--period", PERIOD)
    given = (*asked, "--out", str(out), "--part-size", "4")
    with monkeypatch.context() as patched:
        patched.setattr(ENGINE, engine)
        finished = run(*given)
    again = run(*given)
    kept = f"{said}{out}.parts: the same command goes on from there.\n" if said else ""
    goes_on = f"Parts of an earlier run that were kept: {last} of 6.\n" if last else ""

    assert (130, f"Interrupted.\n{kept}") == (finished.exit_code, finished.stderr)
    assert (0, goes_on) == (again.exit_code, again.stderr)


@rows(
    ("where", "error", "said"),
    [
        (
            "rentbilling.adapters.file_runs.targets._settle",
            OSError(28, "-"),
            "No space left on device\n  ",
        ),
        (ENGINE, WorkerDiedError("a process has ended"), "a process has ended\n"),
    ],
)
def test_a_run_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, error: Exception, said: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(where, fails)
    asked = ("bill-run", str(lease_file(tmp_path, has_bad=False)), "--period", PERIOD)
    found = refused(run(*asked, "--out", "b.parquet"))

    assert found.startswith(f"Error: b.parquet: {said}")


def test_a_summary_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / ".s.json.new").mkdir()
    asked = ("bill-run", str(lease_file(tmp_path)), "--period", PERIOD, "--check")
    said = refused(run(*asked, "--summary", str(tmp_path / "s.json"))).splitlines()

    assert f"Error: {tmp_path / 's.json'}: Is a directory" == said[-1]


def test_a_check_says_twenty_problems(tmp_path: Path) -> None:
    """And how many more there are: 24 leases without an id and without a billing cycle."""
    table = lease_table()
    found = [
        {**row, "lease_id": None, "recurring_bill_items": [item | {"billing_cycle": None}]}
        for row in table.to_pylist()
        for item in row["recurring_bill_items"][:1]
    ]
    pq.write_table(type(table).from_pylist(found, table.schema), tmp_path / "leases.parquet")
    asked = ("bill-run", str(tmp_path / "leases.parquet"), "--period", PERIOD, "--check")
    lines = run(*asked).stderr.splitlines()

    assert 21 == len(lines)
    assert lines[0].startswith("Problem: row 0: recurring_bill_items[0].billing_cycle")
    assert "and 4 more problems; the run without --check writes all of them." == lines[20]


def test_lines_come_every_five_seconds() -> None:
    """1,000 of 4,000 after 5 s are 200 a second, and 3,000 more take 15 s.

    Of a run that goes on with 1,000 leases that were kept, 1,000 more in 10 s are 100 a second. A
    table is read, 4,000 in ten seconds, and then billed, 3,000 in five.
    """
    said: list[str] = []
    for times, counts in (
        ((0, 0, 1, 5, 9, 20), ((0, 4000), (500, 4000), (1000, 4000), (3000, 4000), (4000, 4000))),
        ((0, 0, 10), ((1000, 4000), (2000, 4000))),
        ((0, 0, 10, 11, 16), ((1, None), (4_001, None), (0, 6_000), (3_000, 6_000))),
    ):
        with ProgressLines(said.append, iter(map(float, times)).__next__) as lines:
            for done, total in counts:
                lines(done, total)

    assert [
        "1,000 of 4,000 leases, 200 a second, 15 s left",
        "4,000 of 4,000 leases, 200 a second",
        "2,000 of 4,000 leases, 100 a second, 20 s left",
        "4,001 leases, 400 a second",
        "3,000 of 6,000 leases, 600 a second, 5 s left",
    ] == said
