"""`rentbilling verify FILE`: bills judged by their own figures, told to people and to machines.

By hand, for the example in February: 8,500.00 + 950.00 + 540.00 = 9,990.00, 25 % of 540.00 are
135.00, and 9,990.00 + 135.00 = 10,125.00.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Golden, bills_in, example, refused, run, verified, written
from tests.support.rows import rows

LINES = "pendingBillLineItems"


def february() -> Any:  # noqa: ANN401 - changed by the tests
    (bill,) = bills_in("2026-02")
    return bill


def with_vat(units: str, total: str) -> dict[str, Any]:
    bill: dict[str, Any] = february()
    bill["vatTotals"][1]["amount"]["amount"] = float(units)
    bill["total"]["amount"] = float(total)
    return bill


def billing_twice() -> dict[str, Any]:
    """Return the bill of February with heating on it twice, its sums right."""
    bill: dict[str, Any] = february()
    bill[LINES].append(bill[LINES][1])
    bill["subtotal"]["amount"] = 10940.00
    bill["total"]["amount"] = 11075.00
    return bill


def unreadable() -> dict[str, Any]:
    """Return the bill of February without a total and a net price, and with a price as a text."""
    bill: dict[str, Any] = february()
    del bill["total"], bill[LINES][1]["netPrice"]
    bill[LINES][2]["amount"]["amount"] = "540"
    return bill


CASES: Mapping[str, Callable[[], Any]] = {
    # The VAT is 0.01 too high: 9,990.00 + 135.01 = 10,125.01 (A30).
    "wrong figure": lambda: {"bills": [*bills_in("2026-01"), with_vat("135.01", "10125.00")]},
    # A line that is there twice may be meant (A16): 9,990.00 + 950.00 + 135.00 = 11,075.00.
    "warning": billing_twice,
    "unreadable": unreadable,
    "no due date": lambda: {**with_vat("135.00", "10125.25"), "dueDate": "2026-02-30"},
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_is_below_its_bill(golden: Golden, name: str) -> None:
    finished = verified(CASES[name]())

    golden(f"verify, {name}", finished)
    assert "" == finished.stderr


def test_bills_without_a_finding_are_counted_where_there_are_several() -> None:
    finished = verified({"bills": bills_in("2026")})

    assert (0, "12 bills: all consistent\n") == (finished.exit_code, finished.stdout)


def test_right_bills_have_nothing_below_them() -> None:
    for options in ((), ("--full",)):
        given = run(
            *("bills", "-", "--period", "2026-02", "--format", "json"), *options, given=example()
        )
        finished = verified(given.stdout)

        assert (0, "") == (finished.exit_code, finished.stderr)
        assert "2026-02-01  10,125.00 DKK  consistent\n" == finished.stdout


def test_bills_may_come_in_three_forms(tmp_path: Path) -> None:
    bill = with_vat("135.01", "10125.00")
    answers = {verified(given).stdout for given in ({"bills": [bill]}, [bill], bill)}
    path = written(tmp_path, "bill.json", json.dumps(bill))

    assert {run("verify", path).stdout} == answers


@rows(
    ("tolerance", "code", "verdict"),
    [("0.01", 0, "consistent, 1 information"), ("0.009", 3, "1 error"), ("0", 3, "1 error")],
)
def test_a_tolerance_turns_an_error_into_information(
    tolerance: str, code: int, verdict: str
) -> None:
    """The VAT is off by 0.01."""
    finished = verified(with_vat("135.01", "10125.01"), "--tolerance", tolerance)

    assert (code, verdict) == (
        finished.exit_code,
        finished.stdout.splitlines()[0].partition("DKK  ")[2],
    )


def test_a_policy_says_how_it_should_be_rounded(tmp_path: Path) -> None:
    """25 % of 10.10 twice, rounded by itself, is 2.53 + 2.53; of 20.20 it is 5.05 (A29)."""
    bill = february()
    parking = bill[LINES][2]
    for name in ("amount", "unitNetPrice", "netPrice"):
        parking[name]["amount"] = 10.10
    other = {**parking, "accountingPeriod": "2026-03-01/2026-03-31"}
    bill[LINES] = [parking, other]
    bill["vatTotals"] = bill["vatTotals"][1:]
    bill["vatTotals"][0]["amount"]["amount"] = 5.06
    bill["subtotal"]["amount"], bill["total"]["amount"] = 20.20, 25.26
    policy = written(tmp_path, "policy.json", '{"vatRounding": "per_line"}')
    plain, by_line = verified(bill), verified(bill, "--policy", policy)

    assert "rounded for each line instead of once for the rate" in " ".join(plain.stdout.split())
    assert (0, "2026-02-01  25.26 DKK  consistent\n") == (by_line.exit_code, by_line.stdout)


def test_a_bill_of_which_little_can_be_read_says_what_it_can() -> None:
    bill = {**february(), "dueDate": "2026-02-30", "total": {"currency": "KRO", "amount": 1}}

    assert verified(bill).stdout.startswith("no due date  no total  ")


def test_a_report_for_machines_has_every_field(golden: Golden) -> None:
    """A consistent bill, and one whose VAT is 135.01 where base and rate make 135.00."""
    given = [*bills_in("2026-01"), with_vat("135.01", "10125.01")]
    finished = verified(given, "--format", "json")

    golden("verify, json", finished)
    assert (3, "") == (finished.exit_code, finished.stderr)


def test_a_report_of_what_cannot_be_read_has_its_nulls() -> None:
    (bill,) = json.loads(verified([{}], "--format", "json").stdout)["bills"]

    assert (None, None, False) == (bill["dueDate"], bill["total"], bill["isConsistent"])
    assert {"missing"} == {each["code"] for each in bill["findings"]}


@rows("form", ["table", "json"])
def test_no_bills_are_no_error(form: str) -> None:
    finished = verified({"bills": []}, "--format", form)

    assert 0 == finished.exit_code
    if form == "table":
        assert ("", "No bills to check.\n") == (finished.stdout, finished.stderr)
    else:
        assert [] == json.loads(finished.stdout)["bills"]


@rows(
    ("given", "said"),
    [
        (b"", "is not JSON at line 1, column 1"),
        (b"\xff", "is not UTF-8 at byte 0"),
        (
            b"null",
            "contains no bills (met None; expected an object with bills, a list of bills, or",
        ),
        (b"8500", "contains no bills (met 8500; "),
        (b"{}", "bills: is required (met {}; "),
        (b'{"leaseId": "lease-1"}', "bills: is required ("),
        (b'{"bills": null}', "bills: is not a list (met None; "),
        (b'{"bills": {}}', "bills: is not a list (met {}; "),
        (b'{"bills": [7]}', "bills[0]: is not an object (met 7; "),
        (b"[{}, []]", "[1]: is not an object (met []; "),
        (b'{"bills": [], "bills": []}', "bills: is repeated in one object"),
    ],
)
@rows("form", ["table", "json"])
def test_what_holds_no_bills_is_refused_in_one_line(given: bytes, said: str, form: str) -> None:
    """Exit code 1, and nothing is printed."""
    told = refused(verified(given, "--format", form))

    assert 1 == len(told.splitlines())
    assert told.startswith(f"Error: standard input: {said}")


def test_a_file_that_is_not_there_is_refused() -> None:
    assert refused(run("verify", "nowhere.json")).startswith("Error: nowhere.json: ")


@rows("text", ["\x1b[31mred", "two\nlines", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(text: str) -> None:
    bill = billing_twice()
    bill[LINES][1]["productKey"] = text
    printed = verified(bill, columns=110).stdout

    assert text.encode("unicode_escape").decode() in printed
    assert text not in printed


@rows("columns", [0, 1, 10, 30, 60, 80, 200])
def test_no_figure_is_ever_cut_off(columns: int) -> None:
    printed = verified(with_vat("135.01", "10125.00"), columns=columns).stdout

    for figure in ("10,125.00 DKK", "135.01", "135.00", "10,125.00", "10,125.01"):
        assert figure.replace(" ", "") in "".join(printed.split())
