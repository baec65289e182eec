"""`rentbilling explain`: the workings of bills, as the library tells them.

By hand, for a rent of 400.10 that ends on 14 February: 400.10 × 14 / 28 = 200.05, 25 % of it are
50.0125, rounded 50.01, together 250.06.
"""

import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from rentbilling import (
    BillingPolicy,
    IndexSeries,
    LeaseTerms,
    explain,
    loads,
    pending_bills,
    rent_adjustments,
)
from rentbilling.adapters.cli.rule_words import RULE_WORDS
from tests.architecture.sources import GUIDE, PACKAGE, text_of
from tests.support.command_line import example, npi, rent, run, written

if TYPE_CHECKING:
    from pathlib import Path

FEBRUARY = "2026-02-01/2026-02-28"
HALF = rent(
    endedOn="2026-02-14",
    amount={"currency": "DKK", "amount": 400.10},
    vat={"taxMode": "Exclusive", "taxRate": 0.25},
)


def explained(given: object, period: str, *options: str, columns: int = 80) -> Result:
    return run("explain", "-", "--period", period, *options, given=given, columns=columns)


def words_of(text: str) -> list[str]:
    return text.split()


def outline_of(printed: str) -> str:
    """Return what stands between the title of the only working and the legend."""
    return printed.partition("\n")[2].partition("\n\n")[0]


def test_an_outline_is_the_library_s_under_the_due_date() -> None:
    (bill,) = result = pending_bills(loads(json.dumps(HALF)), FEBRUARY)
    finished = explained(HALF, "2026-02")

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert finished.stdout.startswith("Due Sunday 1 February 2026\n")
    assert words_of(str(explain(result, bill=bill))) == words_of(outline_of(finished.stdout))


def test_the_legend_says_what_the_rules_are_about() -> None:
    printed = explained(rent(), "2026-02").stdout
    expected = (
        "In brackets, the assumptions of the guide: A8 billing cycles, A10 due dates, A12 the"
        " opening period, A18 price, quantity and VAT over time, A21 the figures of a line, A27 tax"
        " modes, A30 VAT totals; and rules of EN 16931, the European standard for invoices."
    )

    assert words_of(expected) == words_of(printed.split("\n\n")[-1])


def test_every_rule_of_a_working_has_words() -> None:
    modules = (PACKAGE / "explanations").glob("*.py")
    named = {rule for path in modules for rule in re.findall(r'"(A[0-9]+)"', text_of(path))}
    known = re.findall(r"^\| (A[0-9]+) \|", text_of(GUIDE / "assumptions.md"), re.MULTILINE)

    assert named == set(RULE_WORDS)
    assert named <= set(known)


@pytest.mark.parametrize(
    "figures",
    [
        r"^total: 250\.06 DKK = 200\.05 \+ 50\.01 ",
        r"^  subtotal: 200\.05 DKK ",
        r"^ +net price: 200\.05 DKK = 400\.10 × 0\.5 ",
        r"^ +days.*: 14 ",
        r"^ +days.*: 28 ",
        r"^ +exact VAT: 50\.0125 = 200\.05 × 25 % \[EN 16931 BR-CO-17\]$",
    ],
)
def test_an_outline_has_the_figures_that_lead_to_the_total(figures: str) -> None:
    assert re.search(figures, explained(HALF, "2026-02").stdout, re.MULTILINE)


def test_bills_are_explained_in_order_with_a_blank_line_between_them() -> None:
    printed = explained(rent(), "2026-01-01/2026-02-28").stdout
    first, second, _ = printed.split("\n\n")

    assert first.startswith("Due Thursday 1 January 2026\ntotal: 8,500.00 DKK")
    assert second.startswith("Due Sunday 1 February 2026\ntotal: 8,500.00 DKK")


def test_one_bill_of_many_may_be_asked_for() -> None:
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
    assert words_of(str(explain(result, bill=0))) == words_of(outline_of(printed))


def test_an_index_is_led_back_to_its_values(tmp_path: "Path") -> None:
    """8,840.00 × 118.3 / 117.7 = 8,885.06 in January 2024."""
    options = ("--indices", npi(tmp_path))
    printed = explained(example("--with-index"), "2024-01", *options, columns=110).stdout

    assert "118.3 / 117.7" in printed
    assert "8,885.06 DKK" in printed


def test_a_bill_refers_to_what_one_before_explains(tmp_path: "Path") -> None:
    """February has January's amount; asked for alone, it has the whole history (A42)."""
    options = ("--indices", npi(tmp_path))
    both = explained(example("--with-index"), "2024-01-01/2024-02-29", *options, columns=200).stdout
    january, february = re.findall(r"^ +new amount: .*", both, re.MULTILINE)
    alone = explained(
        example("--with-index"), "2024", *options, "--bill", "2024-02-01", columns=200
    ).stdout

    assert "118.3 / 117.7" in both
    assert "explained above" not in january
    assert "explained above under the bill due 2024-01-" in february
    assert "explained above" not in alone
    assert "adjustment of 2023-01-01: 340.00 DKK" in alone


def test_bills_for_machines_refer_to_earlier_ones(tmp_path: "Path") -> None:
    lease, series = example("--with-index"), npi(tmp_path)
    options = ("--indices", series, "--format", "json")
    printed = json.loads(explained(lease, "2024-01-01/2024-02-29", *options).stdout)
    index = loads(example("--index"), IndexSeries)
    result = pending_bills(loads(lease, LeaseTerms), "2024-01-01/2024-02-29", indices=index)

    assert explain(result).as_data() == [each["working"] for each in printed["bills"]]
    assert 1 == str(printed).count("'operation': 'referred'")


def test_one_line_of_a_bill_may_be_asked_for() -> None:
    """Parking is the third one, 600.00 less 10 percent."""
    finished = explained(example(), "2026", "--bill", "2026-02-01", "--line", "3")

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert finished.stdout.startswith(
        "Due Sunday 1 February 2026\nline 3: 540.00 DKK; Parking space 7 (key:parking), whole"
    )
    assert "600.00 × 0.9 [A22]" in finished.stdout
    assert "line 1" not in finished.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bill", "2026-02-01", "--line", "4"), "the bill due 2026-02-01 has 3 lines, no line 4"),
        (
            ("--line", "1"),
            "a line is one of one bill: 12 bills fall due, on 2026-01-15, 2026-02-01",
        ),
        (
            ("--adjustment", "2026-01-01"),
            "nothing is adjusted on 2026-01-01 in 2026-01-01/2026-12-",
        ),
    ],
)
def test_what_is_not_there_is_refused(options: tuple[str, ...], said: str) -> None:
    """Exit code 1, with what there is."""
    finished = explained(example(), "2026", *options)

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith(f"Error: standard input: {said}")


@pytest.mark.parametrize(
    "options",
    [("--line", "0"), ("--line", "x"), ("--adjustment", "soon")]
    + [
        ("--adjustment", "2026-01-01", *more)
        for more in (("--line", "1"), ("--bill", "2026-01-01"))
    ],
)
def test_what_says_nothing_is_a_usage_error(options: tuple[str, ...]) -> None:
    """A line is counted from 1, and an adjustment is no bill."""
    assert 2 == explained(example(), "2026", *options).exit_code


def test_an_adjustment_may_be_asked_for(tmp_path: "Path") -> None:
    """8,840.00 × 118.3 / 117.7 = 8,885.06, after 8,500.00 × 1.04 = 8,840.00 a year before."""
    options = ("--indices", npi(tmp_path), "--adjustment", "2024-01-01")
    finished = explained(example("--with-index"), "2024", *options, columns=110)
    lines = finished.stdout.splitlines()

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert ["Adjusted Monday 1 January 2024", "adjustment of 2024-01-01: 8,885.06 DKK;"] == [
        lines[0],
        " ".join(lines[1].split()[:5]),
    ]
    assert any("agreed amount: 8,500.00 DKK" in line for line in lines)
    assert any(
        "adjustment of 2023-01-01: 340.00 DKK = 8,840.00 − 8,500.00" in line for line in lines
    )


def test_adjustments_for_machines_are_the_library_s(tmp_path: "Path") -> None:
    lease, series = example("--with-index"), npi(tmp_path)
    options = ("--indices", series, "--adjustment", "2024-01-01", "--format", "json")
    printed = json.loads(explained(lease, "2024", *options).stdout)
    index = loads(example("--index"), IndexSeries)
    made = rent_adjustments(loads(lease, LeaseTerms), "2024-01-01/2024-12-31", indices=index)
    working = explain(made, adjustment=0).as_data()

    assert {"adjustments": [{"adjustedOn": "2024-01-01", "working": working}]} == printed


def test_without_the_index_the_lease_is_refused() -> None:
    finished = explained(example("--with-index"), "2024-01")

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Error: standard input: ")


def test_no_bills_are_said_where_an_outline_would_stand() -> None:
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
    finished = explained(example(), "2026", "--bill", "2026-02-30")

    assert 2 == finished.exit_code
    assert "'2026-02-30' is not a date; write a date such as 2026-02-01." in finished.stderr


def test_notices_go_to_standard_error() -> None:
    finished = explained(rent(quantity=-1), "2026-02")

    assert (0, "Notice: ") == (finished.exit_code, finished.stderr[:8])
    assert "Notice" not in finished.stdout


@pytest.mark.parametrize("columns", [0, 1, 10, 40, 60, 80, 110, 200])
def test_an_outline_is_wrapped_within_its_steps(columns: int) -> None:
    printed = explained(HALF, "2026-02", columns=columns).stdout
    # Words of the legend that are wider than the terminal are broken.
    wide, narrow = (text.partition("\n\n") for text in (explained(HALF, "2026-02").stdout, printed))

    assert words_of(wide[0]) == words_of(narrow[0])
    assert "".join(words_of(wide[2])) == "".join(words_of(narrow[2]))
    if columns >= 60:
        assert max(map(len, printed.splitlines())) <= columns


@pytest.mark.parametrize("text", ["\x1b[31mred", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(text: str) -> None:
    printed = explained(rent(productKey=text), "2026-02", columns=110).stdout

    assert text.encode("unicode_escape").decode() in printed
    assert text not in printed


def test_a_line_break_in_a_name_begins_no_line_of_its_own() -> None:
    given = rent(productKey="key:rent\ntotal: 1.00 DKK")
    printed = explained(given, "2026-02", columns=110).stdout

    assert 1 == len(re.findall(r"^total: ", printed, re.MULTILINE))
