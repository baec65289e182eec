"""`rentbilling verify` on what `bill-run` writes: JSON lines and Parquet, of many leases."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

from rentbilling import PendingBill, bill_period, dumps, loads
from rentbilling.portfolio import bills_from_arrow, leases_from_arrow
from rentbilling.testing import a_lease, a_rent, assert_bills_equal
from tests.support.command_line import refused, run, written
from tests.support.run_files import PERIOD, lease_file, lease_table, made

MONTHS = ("--period", PERIOD)
SUFFIXES = ("parquet", "jsonl")


def billed(folder: Path, suffix: str) -> Path:
    """Return the file of bills that a run makes of 24 leases, 16 of which have two bills each."""
    out = folder / f"bills.{suffix}"
    made(lease_file(folder, has_bad=False), out, form=suffix)
    return out


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_bills_of_a_run_are_consistent(suffix: str, tmp_path: Path) -> None:
    """16 × 2 = 32 bills."""
    finished = run("verify", str(billed(tmp_path, suffix)))

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert "32 bills: all consistent\n" == finished.stdout


def test_every_line_is_a_bill_that_loads_reads(tmp_path: Path) -> None:
    terms = {each.lease_id: each for each in leases_from_arrow(lease_table(has_bad=False))}
    lines = billed(tmp_path, "jsonl").read_text(encoding="utf-8").splitlines()
    found: dict[str, list[PendingBill]] = {}
    for line in lines:
        found.setdefault(json.loads(line)["leaseId"], []).append(loads(line, PendingBill))

    assert 16 == len(found)
    for lease_id, bills in found.items():
        assert_bills_equal(bill_period(terms[lease_id], PERIOD), bills)


def test_both_files_hold_the_same_bills(tmp_path: Path) -> None:
    results = bills_from_arrow(billed(tmp_path, "parquet"))
    lines = billed(tmp_path, "jsonl").read_text(encoding="utf-8").splitlines()
    read = [loads(line, PendingBill) for line in lines]

    assert [bill for result in results for bill in result] == read


def with_total(path: Path, total: float) -> Path:
    lines = path.read_text(encoding="utf-8").splitlines()
    bill: dict[str, Any] = json.loads(lines[1])
    bill["total"]["amount"] = total
    path.write_text("\n".join([lines[0], json.dumps(bill), "", *lines[2:]]) + "\n")
    return path


def test_what_is_wrong_is_told_with_its_lease(tmp_path: Path) -> None:
    """A total of 8,500.01 for a rent of 8,500.00; an empty line is no bill."""
    bills = with_total(billed(tmp_path, "jsonl"), 8500.01)
    finished = run("verify", str(bills))

    assert 3 == finished.exit_code
    assert (
        "lease-0  2026-03-01  8,500.01 DKK  1 error\n"
        "  error  total is not subtotal + VAT totals: met 8,500.01, expected 8,500.00\n"
        "         EN 16931 BR-CO-14, BR-CO-15; total\n"
        "32 bills: 31 consistent, 1 with errors\n"
    ) == finished.stdout
    report = json.loads(run("verify", str(bills), "--format", "json").stdout)
    assert ["lease-0", "lease-0", "lease-1"] == [each["leaseId"] for each in report["bills"][:3]]


def lease(folder: Path, name: str, **changes: Any) -> str:  # noqa: ANN401 - as a_rent takes them
    return written(folder, "lease.json", dumps(a_lease(a_rent(**changes), lease_id=name)))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_bills_of_many_leases_are_compared_with_one(suffix: str, tmp_path: Path) -> None:
    """Those with its id alone: the rent of the first one is right, and 100 more is not."""
    bills = str(billed(tmp_path, suffix))
    right = run("verify", bills, "--against", lease(tmp_path, "lease-0"), *MONTHS)
    wrong = run("verify", bills, "--against", lease(tmp_path, "lease-0", amount=8600), *MONTHS)

    assert (0, "") == (right.exit_code, right.stderr)
    assert 3 == wrong.exit_code
    assert "8,600.00" in wrong.stdout


def test_bills_of_many_leases_need_the_id_of_the_one(tmp_path: Path) -> None:
    terms = written(tmp_path, "lease.json", dumps(a_lease()))
    said = refused(run("verify", str(billed(tmp_path, "jsonl")), "--against", terms, *MONTHS))

    assert "holds bills of several leases (met 16 leases; expected the id of one" in said


def test_a_bill_of_the_lease_that_cannot_be_read_is_told_by_its_line(tmp_path: Path) -> None:
    """Counted from 0; those of other leases are nobody's business."""
    bills = billed(tmp_path, "jsonl")
    lines = bills.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].replace('"dueDate": "2026-03-01"', '"dueDate": "March"')
    bills.write_text("\n".join(lines))
    right = run("verify", str(bills), "--against", lease(tmp_path, "lease-3"), *MONTHS)
    wrong = run("verify", str(bills), "--against", lease(tmp_path, "lease-0"), *MONTHS)

    assert 0 == right.exit_code
    assert 1 == wrong.exit_code
    assert "[1].dueDate: is not a date" in wrong.stderr


def test_a_line_that_is_no_json_is_told_by_its_number(tmp_path: Path) -> None:
    given = written(tmp_path, "bills.jsonl", '{"dueDate": "2026-01-01"}\n{"dueDate": }\n')

    assert f"Error: {given}: [1]: " in refused(run("verify", given))


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    given = written(tmp_path, "bills.parquet", billed(tmp_path, "parquet").read_bytes()[:900])
    said = refused(run("verify", given))

    assert f"Error: {given}: source: cannot be read, it is damaged or cut short" in said


def test_a_parquet_file_without_bills_is_refused(tmp_path: Path) -> None:
    assert "due_date: is required" in refused(run("verify", str(lease_file(tmp_path))))


def test_parquet_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bills = billed(tmp_path, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "rentbilling.portfolio.runs.bill_results")

    assert "pip install 'rentbilling[bulk]'" in refused(run("verify", str(bills)))
