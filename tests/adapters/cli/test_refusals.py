"""What the command line refuses: 1 for what was handed in, 2 for the command; never a traceback."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import billed, example, rent, run

LEASE = {"leaseId": "lease-1", "recurringBillItems": [rent()]}


def lines_of(text: str) -> list[str]:
    return text.splitlines()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "is not JSON at line 1, column 1"),
        (b"rent: 8500", "is not JSON at line 1, column 1"),
        (b'{"leaseId": "lease-1",}', "is not JSON at line 1"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8 at byte 0"),
        (b'{"leaseId": "\xe6"}', "is not UTF-8 at byte 13"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"leaseId": "a", "leaseId": "b"}', "leaseId: stands twice in one object"),
        (b'{"leaseId": "a", "balances": NaN}', "balances: is not a finite"),
        (b"1" * 10_000, "is a number that is too long"),
        (b"null", "is not an object"),
        (b"8500", "is not an object"),
        (b'"key:rent"', "is not an object"),
        (b'{"leaseId": 7}', "leaseId: is not a text"),
        (b'{"leaseId": "\\ud800"}', "leaseId: is not valid Unicode"),
        (b'{"lease": "a"}', "lease: is not a field"),
    ],
)
def test_what_is_no_lease_is_refused_in_one_line(given: bytes, said: str) -> None:
    finished = billed(given, "2026")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert 1 == len(lines_of(finished.stderr))
    assert finished.stderr.startswith(f"Error: standard input: {said}")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"amount": {"currency": "DKR", "amount": 1}}, "amount.currency: is not an ISO 4217"),
        ({"amount": {"currency": "DKK", "amount": "1"}}, "amount.amount: "),
        ({"vat": {"taxMode": "Exclusive", "taxRate": 25}}, "vat.taxRate: is above 1"),
        ({"billingCycle": {"timeUnit": "Moon"}}, "billingCycle.timeUnit: is not a known time unit"),
        ({"dueDateRule": {"dayOfPeriod": 0}}, "dueDateRule.dayOfPeriod: names no day"),
        ({"startedOn": "2026-02-30"}, "startedOn: is not a date"),
        ({"startedOn": "2026-01-02"}, "startedOn: lies after the due date"),
        ({"discount": {}}, "discount: has neither amount nor percentage"),
        ({"quantity": 0}, "quantity: bills nothing"),
        ({"rabat": 1}, "rabat: is not a field"),
    ],
)
def test_a_wrong_field_is_named_by_its_path(changes: dict[str, object], said: str) -> None:
    finished = billed({"recurringBillItems": [rent(), rent(**changes)]}, "2026")

    assert 1 == finished.exit_code
    assert finished.stderr.startswith(f"Error: standard input: recurringBillItems[1].{said}")


def test_every_problem_has_a_line_of_its_own(tmp_path: Path) -> None:
    """Three things are wrong; each line names the file, so that a tool can read it."""
    path = tmp_path / "lease.json"
    wrong = rent(quantity="two", startedOn="soon", productKey=None)
    path.write_text(json.dumps({"recurringBillItems": [wrong]}), encoding="utf-8")
    finished = run("bills", str(path), "--period", "2026")
    fields = [line.split(": ")[2] for line in lines_of(finished.stderr)]

    assert 1 == finished.exit_code
    assert all(line.startswith(f"Error: {path}: ") for line in lines_of(finished.stderr))
    assert [
        f"recurringBillItems[0].{name}" for name in ("productKey", "quantity", "startedOn")
    ] == (sorted(fields))


def test_a_key_cannot_take_over_the_terminal() -> None:
    finished = billed({"recurringBillItems": [], "\x1b[31m\n\u202e": 1}, "2026")

    assert 1 == len(lines_of(finished.stderr))
    assert finished.stderr.startswith(r"Error: standard input: \x1b[31m\n\u202e: is not a field")


@pytest.mark.parametrize("name", ["nowhere.json", ".", "\0", "no\ud800where"])
def test_a_file_that_cannot_be_read_is_refused(name: str) -> None:
    finished = run("bills", name, "--period", "2026")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert 1 == len(lines_of(finished.stderr))
    assert finished.stderr.startswith("Error: ")


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (b"", ["is not JSON"]),
        (b"\xff", ["is not UTF-8"]),
        (b"[]", ["is not an object"]),
        (b'{"rounding": "bankers", "maxLines": 0}', ["rounding: ", "maxLines: "]),
        (b'{"version": 2}', ["version: is not known"]),
        (b'{"part_period": "full"}', ["part_period: is not a field"]),
    ],
)
def test_a_bad_policy_is_refused(tmp_path: Path, policy: bytes, said: list[str]) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(policy)
    finished = billed(example(), "2026", "--policy", str(path))

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert len(said) == len(lines_of(finished.stderr))
    for begun, line in zip(said, lines_of(finished.stderr), strict=True):
        assert line.startswith(f"Error: {path}: {begun}")


def test_a_policy_that_is_not_there_is_refused() -> None:
    finished = billed(example(), "2026", "--policy", "nowhere.json")

    assert 1 == finished.exit_code
    assert finished.stderr.startswith("Error: nowhere.json: ")


def test_an_answer_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """The bound is that of the policy (A60)."""
    path = tmp_path / "policy.json"
    path.write_text('{"maxLines": 3}', encoding="utf-8")
    finished = billed(example(), "2026", "--policy", str(path))

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Error: standard input: the answer would have ")


@pytest.mark.parametrize(
    "period",
    [
        *("", " ", "soon", "26", "202", "20261", "2026-1", "2026-13", "2026-00", "0000"),
        *("2026-03-05", "2026-01-01/", "/", "2026-01-01/2026-02-30", "2026-01-01/2026-01-01/x"),
        *("2026-01-01T00:00/2026-02-01", "٢٠٢٦", "2026/2027", "\x1b[31m", "9" * 500),
    ],
)
def test_a_malformed_period_is_a_usage_error(period: str) -> None:
    finished = run("bills", "nowhere.json", "--period", period)

    assert (2, "") == (finished.exit_code, finished.stdout)
    assert "a year (2026), a month (2026-03), or two days (2026-01-01/2026-03-31)" in (
        finished.stderr
    )
    assert "\x1b" not in finished.stderr


def test_a_reversed_period_is_a_usage_error() -> None:
    finished = billed(example(), "2026-03-31/2026-01-01")

    assert 2 == finished.exit_code
    assert "write 2026-01-01/2026-03-31" in finished.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("bill",),
        ("bills",),
        ("bills", "-"),
        ("bills", "--period", "2026"),
        ("bills", "-", "--period"),
        ("bills", "-", "--period", "2026", "--format", "xml"),
        ("bills", "-", "--period", "2026", "--policy", "-"),
        ("bills", "-", "-", "--period", "2026"),
        ("bills", "-", "--period", "2026", "--indices", "-"),
        ("adjustments",),
        ("adjustments", "lease.json"),
        ("adjustments", "--period", "2026"),
        ("example", "lease"),
        ("example", "--with-index", "--index"),
        ("verify",),
        ("verify", "-", "--format", "csv"),
        ("verify", "-", "--period", "2026"),
        ("verify", "-", "--indices", "npi.json"),
        ("verify", "-", "--match", "order"),
        ("verify", "-", "--diagnose"),
        ("verify", "-", "--tolerance", "-0.01"),
        ("verify", "-", "--tolerance", "much"),
        ("verify", "-", "--tolerance", "nan"),
        ("verify", "-", "--tolerance", ""),
        ("verify", "-", "--policy", "-"),
        ("verify", "bills.json", "--against", "lease.json"),
        ("verify", "bills.json", "--against", "lease.json", "--period", "soon"),
        ("verify", "-", "--against", "-", "--period", "2026"),
        ("verify", "-", "--against", "a", "--period", "2026", "--match", "item"),
        ("verify", "-", "--against", "a", "--period", "2026", "--tolerance", "1"),
        ("explain",),
        ("explain", "-"),
        ("explain", "-", "--period", "soon"),
        ("explain", "-", "--period", "2026", "--bill", "2026-02-30"),
        ("explain", "-", "--period", "2026", "--bill", "0"),
        ("explain", "-", "--period", "2026", "--bill", ""),
        ("explain", "-", "--period", "2026", "--format", "csv"),
        ("explain", "-", "--period", "2026", "--indices", "-"),
        ("schema", "Leases"),
        ("schema", ""),
        ("--versions",),
    ],
    ids=" ".join,
)
def test_a_command_that_is_not_well_formed_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    """Exit code 2, something said on stderr, nothing on stdout."""
    finished = run(*arguments)

    assert (2, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr


def test_a_bill_that_cannot_be_written_is_refused_as_well(tmp_path: Path) -> None:
    """A half-open text cannot name the day after December 9999; a table shows the last day (A4)."""
    policy = tmp_path / "policy.json"
    policy.write_text('{"periodEnd": "excluded"}', encoding="utf-8")
    opening = {
        "amount": {"currency": "DKK", "amount": 8500},
        "dueDate": "9999-11-01",
        "accountingPeriod": "9999-11-01/9999-12-01",
    }
    lease = {
        "recurringBillItems": [rent(startedOn="9999-11-01", firstBillingPeriodBillItem=opening)]
    }
    finished = billed(lease, "9999-12", "--policy", str(policy), "--format", "json")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Error: standard input: not supported: a period to 9999")
    assert "1–31 Dec 9999" in billed(lease, "9999-12", "--policy", str(policy)).stdout
