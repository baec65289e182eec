"""`rentbilling explain`: the workings of bills, as the library tells them.

By hand, for a rent of 400.10 that ends on 14 February: 400.10 × 14 / 28 = 200.05, 25 % of it are
50.0125, rounded 50.01, together 250.06.
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from rentbilling import IndexSeries, LeaseTerms, explain, loads, pending_bills, rent_adjustments
from rentbilling.adapters.cli.output.outlines import RULE_WORDS
from tests.architecture.sources import GUIDE, PACKAGE, text_of
from tests.support.command_line import Golden, example, npi, refused, rent, run, written
from tests.support.rows import rows

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


EUROS = {"currency": "EUR", "amount": 100.00}
IN_EUROS = rent(
    amount=EUROS,
    firstBillingPeriodBillItem={**rent()["firstBillingPeriodBillItem"], "amount": EUROS},
)
DAY = ("--bill", "2026-02-01")
JANUARY = ("2024-01-01/2024-02-29", "--indices", "NPI")
LATER = ("2024", "--indices", "NPI")
CASES: Mapping[str, tuple[object, ...]] = {
    # As worked out at the top of this file.
    "half a month": (HALF, "2026-02"),
    # 400.10 × 14 / 30 = 186.7133, rounded 186.71 (A24).
    "days of thirty": (HALF, "2026-02", "--policy", "POLICY"),
    "two bills": (rent(), "2026-01-01/2026-02-28"),
    # A day has a bill for each currency (A16).
    "two currencies": ([rent(), IN_EUROS], "2026", *DAY),
    # Parking is the third one, 600.00 less 10 percent.
    "one line": ("", "2026", *DAY, "--line", "3"),
    # 8,840.00 × 118.3 / 117.7 = 8,885.06; February refers to January (A42).
    "by an index": ("--with-index", *JANUARY),
    # Asked for alone, February has the whole history (A42).
    "by an index, one bill": ("--with-index", *LATER, "--bill", "2024-02-01"),
    # 8,840.00 × 118.3 / 117.7 = 8,885.06, after 8,500.00 × 1.04 = 8,840.00 a year before.
    "adjustment": ("--with-index", *LATER, "--adjustment", "2024-01-01"),
}
"""A lease, or which example; a period; and options, of which POLICY and NPI become files."""


@pytest.mark.parametrize("name", CASES)
def test_an_outline_leads_each_figure_back_to_the_terms(
    tmp_path: "Path", golden: Golden, name: str
) -> None:
    given, period, *options = CASES[name]
    if isinstance(given, str):
        given = example(*filter(None, [given]))
    files = {
        "NPI": npi(tmp_path),
        "POLICY": written(tmp_path, "policy.json", '{"partPeriod": "thirty_day"}'),
    }
    named = (files.get(str(each), str(each)) for each in options)

    golden(f"explain, {name}", explained(given, str(period), *named, columns=100))


def test_every_rule_of_a_working_has_words() -> None:
    modules = (PACKAGE / "explanations").glob("*.py")
    named = {rule for path in modules for rule in re.findall(r'"(A[0-9]+)"', text_of(path))}
    register = text_of(GUIDE / "registers" / "assumptions.md")
    known = re.findall(r"^\| (A[0-9]+) \|", register, re.MULTILINE)

    assert named == set(RULE_WORDS)
    assert named <= set(known)


def test_one_bill_of_many_may_be_asked_for() -> None:
    asked = explained(example(), "2026", "--bill", "2026-02-01")

    assert explained(example(), "2026-02").stdout == asked.stdout


def test_workings_for_machines_are_the_library_s() -> None:
    result = pending_bills(loads(json.dumps(HALF)), FEBRUARY)
    finished = explained(HALF, "2026-02", "--format", "json")
    working = explain(result, bill=0).as_data()
    expected = {"bills": [{"dueDate": "2026-02-01", "currency": "DKK", "working": working}]}

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert expected == json.loads(finished.stdout)


def test_bills_for_machines_refer_to_earlier_ones(tmp_path: "Path") -> None:
    lease, series = example("--with-index"), npi(tmp_path)
    options = ("--indices", series, "--format", "json")
    printed = json.loads(explained(lease, "2024-01-01/2024-02-29", *options).stdout)
    index = loads(example("--index"), IndexSeries)
    result = pending_bills(loads(lease, LeaseTerms), "2024-01-01/2024-02-29", indices=index)

    assert explain(result).as_data() == [each["working"] for each in printed["bills"]]
    assert 1 == str(printed).count("'operation': 'referred'")


@rows(
    ("options", "said"),
    [
        (("--bill", "2026-02-01", "--line", "4"), "the bill due 2026-02-01 has 3 lines, no line 4"),
        (
            ("--line", "1"),
            "a line is one of one bill: 12 bills fall due, on 2026-01-15, 2026-02-01",
        ),
        (
            ("--adjustment", "2026-01-01"),
            "nothing is adjusted on 2026-01-01 in 2026-01-01/2026-12-31",
        ),
        (("--bill", "2026-02-02"), "no bill falls due on 2026-02-02 in 2026-01-01/2026-12-31"),
    ],
)
@rows("form", ["table", "json"])
def test_what_is_not_there_is_refused(options: tuple[str, ...], said: str, form: str) -> None:
    """Exit code 1, with what there is."""
    told = refused(explained(example(), "2026", *options, "--format", form))

    assert told.startswith(f"Error: standard input: {said}")


@rows(
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


def test_adjustments_for_machines_are_the_library_s(tmp_path: "Path") -> None:
    lease, series = example("--with-index"), npi(tmp_path)
    options = ("--indices", series, "--adjustment", "2024-01-01", "--format", "json")
    printed = json.loads(explained(lease, "2024", *options).stdout)
    index = loads(example("--index"), IndexSeries)
    made = rent_adjustments(loads(lease, LeaseTerms), "2024-01-01/2024-12-31", indices=index)
    working = explain(made, adjustment=0).as_data()

    assert {"adjustments": [{"adjustedOn": "2024-01-01", "working": working}]} == printed


def test_without_the_index_the_lease_is_refused() -> None:
    said = refused(explained(example("--with-index"), "2024-01"))

    assert said.startswith("Error: standard input: ")


def test_no_bills_are_said_where_an_outline_would_stand() -> None:
    finished = explained(example(), "2025")

    assert (0, "", "No bills in 2025-01-01/2025-12-31.\n") == (
        finished.exit_code,
        finished.stdout,
        finished.stderr,
    )
    assert '{"bills": []}\n' == explained(example(), "2025", "--format", "json").stdout


def test_a_day_that_is_none_is_a_usage_error() -> None:
    said = refused(explained(example(), "2026", "--bill", "2026-02-30"), 2)

    assert "'2026-02-30' is not a date; write a date such as 2026-02-01." in said


def test_notices_go_to_standard_error() -> None:
    finished = explained(rent(quantity=-1), "2026-02")

    assert (0, "Notice: ") == (finished.exit_code, finished.stderr[:8])
    assert "Notice" not in finished.stdout


@rows("columns", [0, 1, 10, 40, 60, 80, 110, 200])
def test_an_outline_is_wrapped_within_its_steps(columns: int) -> None:
    printed = explained(HALF, "2026-02", columns=columns).stdout
    # Words of the legend that are wider than the terminal are broken.
    wide, narrow = (text.partition("\n\n") for text in (explained(HALF, "2026-02").stdout, printed))

    assert words_of(wide[0]) == words_of(narrow[0])
    assert "".join(words_of(wide[2])) == "".join(words_of(narrow[2]))
    if columns >= 60:
        assert max(map(len, printed.splitlines())) <= columns


@rows("text", ["\x1b[31mred", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(text: str) -> None:
    printed = explained(rent(productKey=text), "2026-02", columns=110).stdout

    assert text.encode("unicode_escape").decode() in printed
    assert text not in printed


def test_a_line_break_in_a_name_begins_no_line_of_its_own() -> None:
    given = rent(productKey="key:rent\ntotal: 1.00 DKK")
    printed = explained(given, "2026-02", columns=110).stdout

    assert 1 == len(re.findall(r"^total: ", printed, re.MULTILINE))
