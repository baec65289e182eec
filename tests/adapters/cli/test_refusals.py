"""What the command line refuses: 1 for what was handed in, 2 for the command; never a traceback.

The lines of `tests/refusals` are tried with the library's functions as well.
"""

from pathlib import Path

import pytest

from tests.refusals.tables import RENT, Row, json_of, refused_rules
from tests.support.command_line import billed, example, refused, rent, run, written
from tests.support.rows import rows

GOOD = json_of(RENT)


def lease(*items: str) -> str:
    return f'{{"leaseId": "lease-1", "recurringBillItems": [{", ".join(items)}]}}'


def test_the_rows_are_of_an_item_that_is_right() -> None:
    """January 2026 brings 8,500 and 25 % of it, 2,125: 10,625 (A29)."""
    finished = billed(lease(GOOD), "2026-01", "--format", "json")

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert '"total": {"currency": "DKK", "amount": 10625.00}' in finished.stdout


@rows("row", refused_rules("RecurringBillItem"))
@rows("form", ["table", "json", "csv"])
def test_a_wrong_field_is_one_line_and_no_bill(row: Row, form: str) -> None:
    """The line has the file, the path, the value met and what would be right; the code is 1."""
    said = refused(billed(lease(GOOD, row.text), "2026", "--format", form))
    (line,) = said.splitlines()

    assert line.startswith(f"Error: standard input: recurringBillItems[1].{row.path}: ")
    assert f" (met {row.met}; expected " in line


def test_every_problem_of_a_file_has_its_line_in_order(tmp_path: Path) -> None:
    """Each line names the file, so that a tool can read it."""
    first = GOOD.replace('"dayOfPeriod": 1', '"dayOfPeriod": 0').replace("0.25", "25")
    third = json_of({**RENT, "startedOn": 0, "amount": {"currency": "DKK", "amount": True}})
    path = written(tmp_path, "lease.json", lease(first, GOOD, third))
    said = refused(run("bills", path, "--period", "2026"))

    assert [
        f"Error: {path}: recurringBillItems[0].vat.taxRate",
        f"Error: {path}: recurringBillItems[0].dueDateRule.dayOfPeriod",
        f"Error: {path}: recurringBillItems[2].amount.amount",
        f"Error: {path}: recurringBillItems[2].startedOn",
    ] == [line.rsplit(": ", 1)[0].partition(": is ")[0] for line in said.splitlines()]


@rows(
    ("given", "said"),
    [
        (b"", "is not JSON at line 1, column 1"),
        (b"rent: 8500", "is not JSON at line 1, column 1"),
        (b'{"leaseId": "lease-1",}', "is not JSON at line 1"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8 at byte 0"),
        (b'{"leaseId": "\xe6"}', "is not UTF-8 at byte 13"),
        (b"[" * 100_000, "is nested too deeply"),
        (lease("[" * 100_000 + "]" * 100_000), "is nested too deeply"),
        ("x" * 10_000_000, "is not JSON at line 1, column 1"),
        (b"\xff" * 10_000_000, "is not UTF-8 at byte 0"),
        (b'{"leaseId": "a", "leaseId": "b"}', "leaseId: is repeated in one object"),
        (b'{"leaseId": "a", "balances": NaN}', "balances: is not a finite"),
        (
            lease(GOOD.replace("8500", "NaN", 1)),
            "recurringBillItems[0].amount.amount: is not a finite number (met ",
        ),
        (
            lease(GOOD.replace("8500", "-Infinity", 1)),
            "recurringBillItems[0].amount.amount: is not a finite number (met ",
        ),
        (b"1" * 10_000, "is a number that is too long"),
        (b"null", "is not an object"),
        (b"8500", "is not an object"),
        (b'"key:rent"', "is not an object"),
        (b'{"leaseId": 7}', "leaseId: is not a text"),
        (b'{"leaseId": "\\ud800"}', "leaseId: is not valid Unicode"),
        (b'{"lease": "a"}', "lease: is not a field"),
        # A key cannot take over the terminal.
        ({"recurringBillItems": [], "\x1b[31m\n\u202e": 1}, r"\x1b[31m\n\u202e: is not a field"),
    ],
)
def test_what_is_no_lease_is_refused_in_one_short_line(given: object, said: str) -> None:
    told = refused(billed(given, "2026"))
    (line,) = told.splitlines()

    assert line.startswith(f"Error: standard input: {said}")
    assert len(line) < 250


@rows("name", ["nowhere.json", ".", "\0", "no\ud800where"])
@rows("option", [None, "--policy"])
def test_a_file_that_cannot_be_read_is_refused(name: str, option: str | None) -> None:
    files = ("-", option, name) if option else (name,)
    said = refused(run("bills", *files, "--period", "2026", given=example()))
    (line,) = said.splitlines()

    assert line.startswith("Error: ")


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
def test_a_bad_policy_is_refused_by_its_name(
    tmp_path: Path, policy: bytes, said: list[str]
) -> None:
    path = written(tmp_path, "policy.json", policy)
    told = refused(billed(example(), "2026", "--policy", path))

    for begun, line in zip(said, told.splitlines(), strict=True):
        assert line.startswith(f"Error: {path}: {begun}")


def test_an_answer_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """By the bound of the policy, also for a rent of each day of 2026 to 9999 (A60)."""
    policy = written(tmp_path, "policy.json", '{"maxLines": 3}')
    daily = lease(GOOD.replace('"Month"', '"Day"'))
    for finished in (
        billed(example(), "2026", "--policy", policy),
        billed(daily, "0001-01-01/9999-12-31"),
    ):
        assert (1, "") == (finished.exit_code, finished.stdout)
        assert finished.stderr.startswith("Error: standard input: the answer would have ")


@rows(
    "period",
    [
        *("", " ", "soon", "26", "202", "20261", "2026-13", "2026-00", "0000"),
        *("2026-03-05", "2026-01-01/", "/", "2026-01-01/2026-02-30", "2026-01-01/2026-01-01/x"),
        *("2026-01-01T00:00/2026-02-01", "٢٠٢٦", "2026/2027-01-01", "\x1b[31m", "9" * 500),
    ],
)
def test_a_malformed_period_is_a_usage_error(period: str) -> None:
    said = refused(run("bills", "nowhere.json", "--period", period), 2)

    assert "YYYY-MM-DD/YYYY-MM-DD" in said or "write two days as 2026-01-01/2026-03-31" in said
    assert "\x1b" not in said


def test_a_reversed_period_is_a_usage_error() -> None:
    assert "write 2026-01-01/2026-03-31" in refused(billed(example(), "2026-03-31/2026-01-01"), 2)


@rows(
    "arguments",
    [
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
        ("adjustments", "-", "--period", "soon"),
        ("adjustments", "-", "--period", "2023", "--indices"),
        ("adjustments", "-", "--period", "2023", "--indices", "-"),
        ("adjustments", "-", "--period", "2023", "--policy", "-"),
        ("adjustments", "-", "--period", "2023", "--format", "xml"),
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
)
def test_a_command_that_is_not_well_formed_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    """Exit code 2, something said on stderr, nothing on stdout."""
    assert refused(run(*arguments), 2)


def test_no_command_is_answered_with_the_help() -> None:
    finished = run()

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert finished.stdout == run("--help").stdout


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
    said = refused(billed(lease, "9999-12", "--policy", str(policy), "--format", "json"))

    assert said.startswith("Error: standard input: not supported: a period to 9999")
    assert "1–31 Dec 9999" in billed(lease, "9999-12", "--policy", str(policy)).stdout
