"""`bills --already-billed`: earlier bills from files, what is left beside them, refusals (A53)."""

import json
from pathlib import Path

import pytest

from rentbilling import BillingResult, dumps, loads, pending_bills
from tests.support.command_line import billed, refused, rent, rows_of, written

DEARER = rent(amount={"currency": "DKK", "amount": 8600.00})


def earlier(folder: Path, *options: str, period: str = "2026-02", name: str = "old.json") -> str:
    """Return the path of a file with the bills of February for the plain rent."""
    text = billed(rent(), period, "--format", "json", *options).stdout
    return written(folder, name, text)


def lines(period: str, *options: str) -> list[tuple[str, str, str]]:
    """Return kind, first day and net price of what is billed to the dearer rent."""
    finished = billed(DEARER, period, "--format", "csv", "--full", *options)
    assert (0, "") == (finished.exit_code, finished.stderr)
    rows = rows_of(finished.stdout)
    return [(row["kind"], row["period_start"], row["net_price"]) for row in rows]


@pytest.mark.parametrize("full", [(), ("--full",)], ids=["plain", "full"])
def test_what_has_changed_is_corrected(tmp_path: Path, full: tuple[str, ...]) -> None:
    """8,600 instead of the 8,500 that were billed: 100, and the rent of March."""
    file = earlier(tmp_path, *full)

    assert [("correction", "2026-02-01", "100.00"), ("regular", "2026-03-01", "8600.00")] == lines(
        "2026-03", "--already-billed", file
    )


def test_bills_of_several_files_count(tmp_path: Path) -> None:
    """January and February are billed in two files, so that both are corrected."""
    january = earlier(tmp_path, period="2026-01", name="january.json")
    february = earlier(tmp_path)
    terms = json.dumps(DEARER)

    assert [("correction", "2026-02-01", "100.00"), ("regular", "2026-03-01", "8600.00")] == lines(
        "2026-03", "--already-billed", january, "--already-billed", february
    )[-2:]
    result = pending_bills(
        loads(terms),
        "2026-03-01/2026-03-31",
        already_billed=[
            loads(Path(each).read_text("utf-8"), BillingResult) for each in (january, february)
        ],
    )
    printed = billed(
        DEARER,
        "2026-03",
        *("--already-billed", february, "--already-billed", january),
        *("--format", "json", "--full"),
    )
    assert f"{dumps(result, full=True)}\n" == printed.stdout


@pytest.mark.parametrize("form", ["list", "bill"])
def test_a_list_or_a_bill_alone_is_read_too(tmp_path: Path, form: str) -> None:
    bills = json.loads(Path(earlier(tmp_path)).read_text("utf-8"))["bills"]
    file = written(tmp_path, "some.json", json.dumps(bills if form == "list" else bills[0]))

    assert [("regular", "2026-03-01", "8600.00")] == lines("2026-03", "--already-billed", file)[1:]


def test_the_first_day_that_counts_may_be_given(tmp_path: Path) -> None:
    finished = lines(
        "2026-03", "--already-billed", earlier(tmp_path), "--billed-since", "2026-01-01"
    )

    assert ("opening", "2026-01-01", "8500.00") == finished[0]


def test_the_table_says_what_a_correction_is(tmp_path: Path) -> None:
    printed = billed(DEARER, "2026-03", "--already-billed", earlier(tmp_path)).stdout

    assert "difference to what was billed" in printed


def test_a_period_that_is_billed_has_no_bills(tmp_path: Path) -> None:
    finished = billed(rent(), "2026-02", "--already-billed", earlier(tmp_path))

    assert (0, "", "No bills in 2026-02-01/2026-02-28.\n") == (
        finished.exit_code,
        finished.stdout,
        finished.stderr,
    )


def test_bills_of_another_lease_are_refused_with_the_name_of_their_file(tmp_path: Path) -> None:
    right = earlier(tmp_path)
    data = {**json.loads(Path(right).read_text("utf-8")), "leaseId": "other"}
    wrong = written(tmp_path, "wrong.json", json.dumps(data))
    lease = {"leaseId": "mine", "recurringBillItems": [rent()]}

    assert (
        f"Error: {wrong}: leaseId: is of another lease (met 'other'; expected mine)\n"
        == refused(billed(lease, "2026-03", "--already-billed", right, "--already-billed", wrong))
    )


def test_what_is_wrong_with_the_terms_is_said_of_the_terms(tmp_path: Path) -> None:
    file = earlier(tmp_path)
    stopped = rent(billingCycle={"timeUnit": "Month", "periodLength": 0, "start": 1})

    assert billed(stopped, "2026-03", "--already-billed", file).stderr.startswith(
        "Error: standard input: billingCycle.periodLength"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--billed-since", "2026-01-01"),
            "--billed-since has no effect without --already-billed.",
        ),
        (
            ("--already-billed", "FILE", "--billed-since", "January"),
            "Invalid value for '--billed-since': 'January' is not a date; write YYYY-MM-DD.",
        ),
        (
            ("--already-billed", "-"),
            "Only one of FILE, --policy and --indices can be standard input.",
        ),
    ],
)
def test_options_that_say_nothing_are_refused(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    file = earlier(tmp_path)
    told = refused(
        billed(rent(), "2026-03", *(file if each == "FILE" else each for each in options)), 2
    )

    assert said in told


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "is not JSON"), ("1", "contains no bills"), ('{"bills": [{}]}', "bills[0].dueDate")],
)
def test_a_file_that_holds_no_bills_is_refused_by_name(
    tmp_path: Path, text: str, said: str
) -> None:
    file = written(tmp_path, "broken.json", text)
    told = refused(billed(rent(), "2026-03", "--already-billed", file))

    assert told.startswith(f"Error: {file}: ")
    assert said in told
