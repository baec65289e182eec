"""`rentbilling explain`: the workings of bills, as the library tells them.

By hand, for a rent of 400.10 that ends on 14 February: 400.10 × 14 / 28 = 200.05, 25 % of it are
50.0125, rounded 50.01, together 250.06.
"""

import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from rentbilling import BillingPolicy, explain, loads, pending_bills
from tests.adapters.command_line import example, npi, rent, run, written

if TYPE_CHECKING:
    from pathlib import Path

FEBRUARY = "2026-02-01/2026-02-28"
HALF = rent(
    endedOn="2026-02-14",
    amount={"currency": "DKK", "amount": 400.10},
    vat={"taxMode": "Exclusive", "taxRate": 0.25},
)


def explained(given: object, period: str, *options: str, columns: int = 80) -> Result:
    """Run `explain` on what is given on standard input."""
    return run("explain", "-", "--period", period, *options, given=given, columns=columns)


def words_of(text: str) -> list[str]:
    """Return the words of a text, wherever its lines end."""
    return text.split()


def test_an_outline_is_the_library_s_under_the_due_date() -> None:
    """Not a word is different."""
    (bill,) = result = pending_bills(loads(json.dumps(HALF)), FEBRUARY)
    finished = explained(HALF, "2026-02")
    title, outline = finished.stdout.split("\n", 1)

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert "Due Sunday 1 February 2026" == title
    assert words_of(str(explain(result, bill=bill))) == words_of(outline)


@pytest.mark.parametrize(
    "figures",
    [
        r"^total: 250\.06 DKK = 200\.05 \+ 50\.01 ",
        r"^  subtotal: 200\.05 DKK ",
        r"^ +exact part .*: 200\.05 = 400\.1 × ",
        r"^ +days.*: 14 ",
        r"^ +days.*: 28 ",
        r"^ +exact VAT: 50\.0125 = 200\.05 × 25 % \[EN 16931 BR-CO-17\]$",
    ],
)
def test_an_outline_has_the_figures_that_lead_to_the_total(figures: str) -> None:
    """The share, the VAT and the sum as they are worked out at the top of this file."""
    assert re.search(figures, explained(HALF, "2026-02").stdout, re.MULTILINE)


def test_bills_are_explained_in_order_with_a_blank_line_between_them() -> None:
    """January's opening bill, then February's."""
    printed = explained(rent(), "2026-01-01/2026-02-28").stdout
    first, second = printed.split("\n\n")

    assert first.startswith("Due Thursday 1 January 2026\ntotal: 8,500.00 DKK")
    assert second.startswith("Due Sunday 1 February 2026\ntotal: 8,500.00 DKK")


def test_one_bill_of_many_may_be_asked_for() -> None:
    """By its due date; the bills before it decide nothing about what is printed."""
    asked = explained(example(), "2026", "--bill", "2026-02-01")

    assert explained(example(), "2026-02").stdout == asked.stdout


def test_bills_of_one_day_in_two_currencies_are_both_explained() -> None:
    """A day has a bill for each currency (A16)."""
    euros = {"currency": "EUR", "amount": 100.00}
    opening = {**rent()["firstBillingPeriodBillItem"], "amount": euros}
    given = [rent(), rent(amount=euros, firstBillingPeriodBillItem=opening)]
    printed = explained(given, "2026", "--bill", "2026-02-01").stdout

    assert ["8,500.00 DKK", "100.00 EUR"] == re.findall(r"^total: (\S+ \S+)", printed, re.MULTILINE)


def test_workings_for_machines_are_the_library_s() -> None:
    """Due date, currency and the working of the total as plain data."""
    result = pending_bills(loads(json.dumps(HALF)), FEBRUARY)
    finished = explained(HALF, "2026-02", "--format", "json")
    working = explain(result, bill=0).as_data()
    expected = {"bills": [{"dueDate": "2026-02-01", "currency": "DKK", "working": working}]}

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert expected == json.loads(finished.stdout)


def test_the_policy_is_the_one_that_is_handed_in(tmp_path: "Path") -> None:
    """400.10 × 14 / 30 = 186.7133, rounded 186.71 (A24)."""
    policy = written(tmp_path, "policy.json", '{"partPeriod": "thirty_day"}')
    rules = BillingPolicy(part_period="thirty_day")
    result = pending_bills(loads(json.dumps(HALF)), FEBRUARY, policy=rules)
    printed = explained(HALF, "2026-02", "--policy", policy).stdout

    assert re.search(r"^  subtotal: 186\.71 DKK ", printed, re.MULTILINE)
    assert words_of(str(explain(result, bill=0))) == words_of(printed.split("\n", 1)[1])


def test_an_index_is_led_back_to_its_values(tmp_path: "Path") -> None:
    """8,840.00 × 118.3 / 117.7 = 8,885.06 in January 2024."""
    options = ("--indices", npi(tmp_path))
    printed = explained(example("--with-index"), "2024-01", *options, columns=110).stdout

    assert "118.3 / 117.7" in printed
    assert "8,885.06 DKK" in printed


def test_without_the_index_the_lease_is_refused() -> None:
    """As `bills` refuses it."""
    finished = explained(example("--with-index"), "2024-01")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Error: standard input: ")


def test_no_bills_are_said_where_an_outline_would_stand() -> None:
    """For machines it is an empty list."""
    finished = explained(example(), "2025")

    assert (0, "", "No bills in 2025-01-01/2025-12-31.\n") == (
        finished.exit_code,
        finished.stdout,
        finished.stderr,
    )
    assert '{"bills": []}\n' == explained(example(), "2025", "--format", "json").stdout


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_day_without_a_bill_is_refused(form: str) -> None:
    """What was asked for is not there: exit code 1."""
    finished = explained(example(), "2026", "--bill", "2026-02-02", "--format", form)
    said = "no bill falls due on 2026-02-02 in 2026-01-01/2026-12-31"

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert f"Error: standard input: {said}\n" == finished.stderr


def test_a_day_that_is_none_is_a_usage_error() -> None:
    """It says what would be right."""
    finished = explained(example(), "2026", "--bill", "2026-02-30")

    assert 2 == finished.exit_code
    assert "'2026-02-30' is not a date; write a date such as 2026-02-01." in finished.stderr


def test_notices_go_to_standard_error() -> None:
    """A credit is explained, and somebody should look at it."""
    finished = explained(rent(quantity=-1), "2026-02")

    assert (0, "Notice: ") == (finished.exit_code, finished.stderr[:8])
    assert "Notice" not in finished.stdout


@pytest.mark.parametrize("columns", [0, 1, 10, 40, 60, 80, 110, 200])
def test_an_outline_is_wrapped_within_its_steps(columns: int) -> None:
    """Nothing is lost, however narrow the terminal; it fits where steps have some room."""
    printed = explained(HALF, "2026-02", columns=columns).stdout

    assert words_of(explained(HALF, "2026-02").stdout) == words_of(printed)
    if columns >= 60:
        assert max(map(len, printed.splitlines())) <= columns


@pytest.mark.parametrize("text", ["\x1b[31mred", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(text: str) -> None:
    """Controls are shown as escapes."""
    printed = explained(rent(productKey=text), "2026-02", columns=110).stdout

    assert text.encode("unicode_escape").decode() in printed
    assert text not in printed


def test_a_line_break_in_a_name_begins_no_line_of_its_own() -> None:
    """What follows it is part of the same step."""
    given = rent(productKey="key:rent\ntotal: 1.00 DKK")
    printed = explained(given, "2026-02", columns=110).stdout

    assert 1 == len(re.findall(r"^total: ", printed, re.MULTILINE))
