"""Whatever is wrong in a lease's file, the command line says so, and prints no bill.

The rows of `tests.support.bad_input` are tried with the library's functions as well.
"""

import pytest

from tests.support.bad_input import WRONG, Wrong, item_with
from tests.support.command_line import billed, run

GOOD = item_with()


def lease(*items: str) -> str:
    return f'{{"leaseId": "lease-1", "recurringBillItems": [{", ".join(items)}]}}'


def test_the_rows_are_of_an_item_that_is_right() -> None:
    """January 2026 brings 8,500 and 25 % of it, 2,125: 10,625 (A29)."""
    finished = billed(lease(GOOD), "2026-01", "--format", "json")

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert '"total": {"currency": "DKK", "amount": 10625.00}' in finished.stdout


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.place}={wrong.written}")
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_wrong_field_is_one_line_and_no_bill(wrong: Wrong, form: str) -> None:
    """The line has the file, the path, the value met and what would be right; the code is 1."""
    finished = billed(lease(GOOD, item_with(wrong)), "2026", "--format", form)
    (line,) = finished.stderr.splitlines()

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert line.startswith(f"Error: standard input: recurringBillItems[1].{wrong.path}: ")
    assert line.endswith(f" (met {wrong.met}; expected {wrong.expected})")


def test_every_problem_of_a_file_has_its_line_in_order() -> None:
    by_place = {f"{wrong.place}={wrong.written}": wrong for wrong in WRONG}
    first = item_with(by_place["dueDateRule.dayOfPeriod=0"], by_place["vat.taxRate=25"])
    third = item_with(by_place["startedOn=0"], by_place["amount.amount=true"])
    finished = billed(lease(first, GOOD, third), "2026")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert [
        "recurringBillItems[0].vat.taxRate",
        "recurringBillItems[0].dueDateRule.dayOfPeriod",
        "recurringBillItems[2].amount.amount",
        "recurringBillItems[2].startedOn",
    ] == [line.split(": ")[2] for line in finished.stderr.splitlines()]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lease(GOOD.replace("8500", "NaN", 1)), "is not a finite number (met "),
        (lease(GOOD.replace("8500", "-Infinity", 1)), "is not a finite number (met "),
        (lease("[" * 100_000 + "]" * 100_000), "is nested too deeply"),
        ("x" * 10_000_000, "is not JSON at line 1, column 1"),
        (b"\xff" * 10_000_000, "is not UTF-8 at byte 0"),
    ],
    ids=["NaN", "-Infinity", "nesting", "ten megabytes of letters", "ten megabytes of bytes"],
)
def test_what_is_no_payload_is_one_short_line(given: str | bytes, said: str) -> None:
    finished = billed(given, "2026")
    (line,) = finished.stderr.splitlines()

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert said in line
    assert len(line) < 250


def test_9_999_years_are_refused_by_the_bound() -> None:
    """A rent for each day of 2026 to 9999 would be more lines than one answer may have (A60)."""
    daily = GOOD.replace('"Month"', '"Day"')
    finished = run("bills", "-", "--period", "0001-01-01/9999-12-31", given=lease(daily))

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Error: standard input: the answer would have ")
