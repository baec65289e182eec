"""`rentbilling verify FILE --against LEASE`: bills beside those that are expected.

By hand, for the example in February: 8,500.00 + 950.00 + 540.00 = 9,990.00, 25 % of 540.00 are
135.00, and 9,990.00 + 135.00 = 10,125.00.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.support.command_line import bills_in, example, npi, rent, run, verified, written

LINES = "pendingBillLineItems"
QUARTER = "2026-01-01/2026-03-31"

# Heating is 955.25: 9,990.00 + 5.25 = 9,995.25, and 9,995.25 + 135.00 = 10,130.25.
DEARER = """\
Due Sunday 1 February 2026
   Line                   Period         Expected DKK  Actual DKK
─────────────────────────────────────────────────────────────────
   key:rent               1–28 Feb 2026      8,500.00    8,500.00
!  key:heating            1–28 Feb 2026        950.00      955.25
   key:parking            1–28 Feb 2026        540.00      540.00
─────────────────────────────────────────────────────────────────
!  Subtotal                                  9,990.00    9,995.25
   VAT of Exclusive 25 %                       135.00      135.00
!  Total                                    10,125.00   10,130.25
price of key:heating 1–28 Feb 2026: expected 950.00 DKK, actual 955.25 DKK, 5.25
  higher
unit price without VAT of key:heating 1–28 Feb 2026: expected 950.00 DKK, actual
  955.25 DKK, 5.25 higher
net price of key:heating 1–28 Feb 2026: expected 950.00 DKK, actual 955.25 DKK,
  5.25 higher
subtotal: expected 9,990.00 DKK, actual 9,995.25 DKK, 5.25 higher
total: expected 10,125.00 DKK, actual 10,130.25 DKK, 5.25 higher

5 differences in 1 bill; 2 bills equal
"""

# February falls due a day later; March is not there.
MOVED = """\
Due Sunday 1 February 2026
   Line                   Period         Expected DKK  Actual DKK
─────────────────────────────────────────────────────────────────
!  due date                                1 Feb 2026  2 Feb 2026
   key:rent               1–28 Feb 2026      8,500.00    8,500.00
   key:heating            1–28 Feb 2026        950.00      950.00
   key:parking            1–28 Feb 2026        540.00      540.00
─────────────────────────────────────────────────────────────────
   Subtotal                                  9,990.00    9,990.00
   VAT of Exclusive 25 %                       135.00      135.00
   Total                                    10,125.00   10,125.00
due date: expected 1 Feb 2026, actual 2 Feb 2026

Due Sunday 1 March 2026
   Line                   Period         Expected DKK  Actual DKK
─────────────────────────────────────────────────────────────────
!  key:rent               1–31 Mar 2026      8,500.00
!  key:heating            1–31 Mar 2026        950.00
!  key:parking            1–31 Mar 2026        540.00
─────────────────────────────────────────────────────────────────
!  Subtotal                                  9,990.00
!  VAT of Exempt                                 0.00
!  VAT of Exclusive 25 %                       135.00
!  Total                                    10,125.00
bill: expected 10,125.00 DKK, 3 lines, actual no bill, 10,125.00 lower

2 differences in 2 bills; 1 bill equal
"""


def against(
    lease: object, given: object, period: str, *options: str, folder: Path, columns: int = 80
) -> Result:
    """Run `verify` on bills given on standard input, against the bills of a lease."""
    text = lease if isinstance(lease, str) else json.dumps(lease)
    path = written(folder, "lease.json", text)
    arguments = ("--against", path, "--period", period, *options)
    return verified(given, *arguments, columns=columns)


def dearer_heating() -> Any:  # noqa: ANN401 - changed by the tests
    """Return the example's bills of a quarter, with heating 5.25 dearer in February."""
    bills = bills_in(QUARTER)
    heating, february = bills[1][LINES][1], bills[1]
    for name in ("amount", "unitNetPrice", "netPrice"):
        heating[name]["amount"] = 955.25
    february["subtotal"]["amount"], february["total"]["amount"] = 9995.25, 10130.25
    return bills


def test_a_bill_that_differs_is_shown_beside_the_expected_one(tmp_path: Path) -> None:
    finished = against(example(), dearer_heating(), QUARTER, folder=tmp_path)

    assert (3, "") == (finished.exit_code, finished.stderr)
    assert DEARER == finished.stdout


def test_equal_bills_are_only_counted(tmp_path: Path) -> None:
    """In whatever order their lines stand (A56)."""
    bills = bills_in(QUARTER)
    bills[1][LINES].reverse()
    finished = against(example(), bills, QUARTER, folder=tmp_path)

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert "3 bills, no difference\n" == finished.stdout


def test_a_bill_that_moved_is_told_apart_from_one_that_is_missing(tmp_path: Path) -> None:
    january, february, _ = bills_in(QUARTER)
    february["dueDate"] = "2026-02-02"
    finished = against(example(), [january, february], QUARTER, folder=tmp_path)

    assert (3, MOVED) == (finished.exit_code, finished.stdout)


def test_a_bill_that_nobody_expects_is_shown_alone(tmp_path: Path) -> None:
    finished = against(example(), bills_in("2026-02-01/2026-03-31"), "2026-02", folder=tmp_path)
    printed = finished.stdout.splitlines()

    assert 3 == finished.exit_code
    assert "Due Sunday 1 March 2026" == printed[0]
    assert "!  key:rent               1–31 Mar 2026                  8,500.00" == printed[3]
    assert "1 difference in 1 bill; 1 bill equal" == printed[-1]


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        (
            {"quantity": 2, "amount": {"currency": "DKK", "amount": 475.0}},
            "quantity +1 +2",
        ),
        ({"amount": {"currency": "DKK", "amount": 9500.0}}, r"price +950[.]00 +9,500[.]00"),
        ({"vat": {"taxMode": "ReverseCharge"}}, "VAT +Exempt +ReverseCharge"),
        (
            {"unitNetPrice": {"currency": "DKK", "amount": 951.5}},
            r"price without VAT +950[.]00 +951[.]50",
        ),
    ],
)
def test_what_differs_beside_the_net_has_a_row(
    tmp_path: Path, changes: dict[str, Any], row: str
) -> None:
    """Heating has the net of 950.00 on both sides, and something else is another one."""
    (bill,) = bills_in("2026-02")
    bill[LINES][1] |= changes
    printed = against(example(), bill, "2026-02", folder=tmp_path).stdout

    assert re.search(rf"^!    {row}$", printed, re.MULTILINE)
    assert re.search(r"^   key:heating +1–28 Feb 2026 +950[.]00 +950[.]00$", printed, re.MULTILINE)


def test_a_line_of_another_product_names_both(tmp_path: Path) -> None:
    (bill,) = bills_in("2026-02")
    bill[LINES][1]["productKey"] = "key:Heating"
    printed = against(example(), bill, "2026-02", folder=tmp_path).stdout

    assert "!  key:heating / key:Heating  1–28 Feb 2026        950.00" in printed


def test_a_line_too_many_has_an_empty_cell(tmp_path: Path) -> None:
    (bill,) = bills_in("2026-02")
    bill[LINES].append(bill[LINES][1])
    printed = against(example(), bill, "2026-02", folder=tmp_path).stdout

    assert "!  key:heating            1–28 Feb 2026                    950.00" in printed
    assert "expected no line, actual 950.00 DKK, 950.00 higher" in " ".join(printed.split())


def test_a_report_for_machines_has_every_field(tmp_path: Path) -> None:
    bills = bills_in("2026-02-01/2026-03-31")
    bills[0]["total"]["amount"] = 10125.01
    bills[1]["dueDate"] = "2026-03-02"
    asked = "2026-02-01/2026-04-30"
    finished = against(example(), bills, asked, "--format", "json", folder=tmp_path)
    expected = {
        "isEqual": False,
        "differences": [
            {
                "code": "total",
                "dueDate": "2026-02-01",
                "path": "total",
                "label": "total",
                "expected": "10125.00 DKK",
                "actual": "10125.01 DKK",
                "by": {"currency": "DKK", "amount": 0.01},
                "cause": None,
            },
            {
                "code": "due_date",
                "dueDate": "2026-03-01",
                "path": "dueDate",
                "label": "due date",
                "expected": "2026-03-01",
                "actual": "2026-03-02",
                "by": None,
                "cause": None,
            },
            {
                "code": "missing_bill",
                "dueDate": "2026-04-01",
                "path": "",
                "label": "bill",
                "expected": "10125.00 DKK, 3 lines",
                "actual": "no bill",
                "by": {"currency": "DKK", "amount": -10125.00},
                "cause": None,
            },
        ],
        "causes": [],
        "counts": {
            "expected": 3,
            "actual": 2,
            "equal": 0,
            "differences": 3,
            "byCode": {"total": 1, "due_date": 1, "missing_bill": 1},
        },
    }

    assert (3, "") == (finished.exit_code, finished.stderr)
    assert expected == json.loads(finished.stdout)


def test_a_report_without_differences_says_so(tmp_path: Path) -> None:
    options = ("--format", "json")
    finished = against(example(), bills_in("2026-02"), "2026-02", *options, folder=tmp_path)
    report = json.loads(finished.stdout)

    assert (0, True, [], 1) == (
        finished.exit_code,
        report["isEqual"],
        report["differences"],
        report["counts"]["equal"],
    )


def test_a_vat_that_was_rounded_for_each_line_is_diagnosed(tmp_path: Path) -> None:
    """25 % of 10.10 is 2.525, rounded 2.53, twice 5.06; 25 % of 20.20 is 5.05 (A29)."""
    amount = {"currency": "DKK", "amount": 10.10}
    opening = {**rent()["firstBillingPeriodBillItem"], "amount": amount}
    vat = {"taxMode": "Exclusive", "taxRate": 0.25}
    item = rent(amount=amount, vat=vat, firstBillingPeriodBillItem=opening)
    lease = {"recurringBillItems": [{**item, "id": each} for each in ("left", "right")]}
    (bill,) = bills_in("2026-02", lease)
    bill["vatTotals"][0]["amount"]["amount"], bill["total"]["amount"] = 5.06, 25.26
    finished = against(lease, bill, "2026-02", "--diagnose", folder=tmp_path)
    said = " ".join(finished.stdout.split())

    assert 3 == finished.exit_code
    assert "0.01 higher: rounded for each line instead of once for the rate" in said
    assert "All of it: the policy with vat_rounding='per_line' gives the actual bills" in said


def test_days_that_were_counted_otherwise_are_diagnosed(tmp_path: Path) -> None:
    """8,500 × 17 / 31 = 4,661.29, and 8,500 × 17 / 30 = 4,816.67 (A24)."""
    lease = rent(endedOn="2026-03-17")
    policy = written(tmp_path, "policy.json", '{"partPeriod": "thirty_day"}')
    by_thirty = bills_in("2026-03", lease)
    line = by_thirty[0][LINES][0]
    for name in ("netPrice", "unitNetPrice", "amount"):
        line[name]["amount"] = 4816.67
    for name in ("subtotal", "total"):
        by_thirty[0][name]["amount"] = 4816.67
    plain = against(lease, by_thirty, "2026-03", "--diagnose", folder=tmp_path)
    followed = against(lease, by_thirty, "2026-03", "--policy", policy, folder=tmp_path)

    assert "part_period='thirty_day'" in plain.stdout
    assert (3, 0) == (plain.exit_code, followed.exit_code)


@pytest.mark.parametrize(("match", "count"), [("product", 1), ("period", 2), ("order", 1)])
def test_lines_find_each_other_as_it_was_asked(tmp_path: Path, match: str, count: int) -> None:
    (bill,) = bills_in("2026-02")
    bill[LINES][1]["accountingPeriod"] = "2026-03-01/2026-03-31"
    printed = against(example(), bill, "2026-02", "--match", match, folder=tmp_path).stdout

    assert (2 - count, count // 2 * 2) == (
        len(re.findall(r"^!    period +1–28 Feb 2026 +1–31 Mar 2026$", printed, re.MULTILINE)),
        len(re.findall(r"^!  key:heating ", printed, re.MULTILINE)),
    )
    assert f"{count} difference{'s' if count > 1 else ''} in 1 bill\n" in printed


def test_a_rent_that_follows_an_index_is_compared_in_force(tmp_path: Path) -> None:
    """8,500.00 × 1.04 = 8,840.00 in January 2023; a service that bills 8,500.00 is found."""
    lease = example("--with-index")
    options = ("--indices", npi(tmp_path))
    given = bills_in("2023-01", json.loads(lease) | {"rentAdjustmentPlans": []})
    finished = against(lease, given, "2023-01", *options, folder=tmp_path)

    assert 3 == finished.exit_code
    assert re.search(r"^! +key:rent .* 8,840.00 +8,500.00$", finished.stdout, re.MULTILINE)


def test_notices_about_the_lease_go_to_standard_error(tmp_path: Path) -> None:
    lease = rent(quantity=-1)
    finished = against(lease, bills_in("2026-02", lease), "2026-02", folder=tmp_path)

    assert (0, "1 bill, no difference\n") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Notice: ")


def test_cash_that_is_rounded_otherwise_is_marked(tmp_path: Path) -> None:
    """10.30 is paid as 10.50, with 0.20, or as 10.25, which leaves -0.05 (A52)."""
    amount = {"currency": "DKK", "amount": 10.30}
    lease = rent(amount=amount)
    policy = written(tmp_path, "policy.json", '{"cashRounding": {"DKK": 0.5}}')
    (bill,) = bills_in("2026-02", lease)
    bill["cashRounding"] = {"currency": "DKK", "amount": -0.05}
    printed = against(lease, bill, "2026-02", "--policy", policy, folder=tmp_path).stdout

    assert re.search(r"^! +Rounding +0.20 +-0.05$", printed, re.MULTILINE)
    assert "1 difference in 1 bill" == printed.splitlines()[-1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{}], "[0].dueDate: is required"),
        ({"bills": [{}]}, "bills[0].dueDate: is required"),
        ({"total": 7}, "dueDate: is required"),
        ({"leaseId": "lease-1"}, "bills: is required"),
        ({"bills": 7}, "bills: is not a list"),
        ([7], "[0]: is not an object"),
        (b"rent", "is not JSON at line 1"),
    ],
)
def test_bills_that_cannot_be_read_are_refused(tmp_path: Path, given: object, said: str) -> None:
    """Exit code 1, a line for each problem with the path in the file."""
    finished = against(example(), given, "2026-02", folder=tmp_path)

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith(f"Error: standard input: {said}")


def test_a_lease_that_cannot_be_read_is_refused_by_its_name(tmp_path: Path) -> None:
    finished = against({"leaseId": 7}, bills_in("2026-02"), "2026-02", folder=tmp_path)

    assert (1, "") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith(f"Error: {tmp_path / 'lease.json'}: leaseId: is not a text")


def test_the_lease_may_come_from_standard_input(tmp_path: Path) -> None:
    path = written(tmp_path, "bills.json", json.dumps(bills_in("2026-02")))
    finished = run("verify", path, "--period", "2026-02", "--against", "-", given=example())

    assert (0, "1 bill, no difference\n") == (finished.exit_code, finished.stdout)


@pytest.mark.parametrize("columns", [0, 1, 10, 30, 59, 65, 80, 100, 200])
def test_a_table_fits_its_terminal_and_cuts_no_figure(tmp_path: Path, columns: int) -> None:
    bills = dearer_heating()
    for bill in bills:
        bill[LINES][1]["productKey"] = "key:heating of the flat on the second floor"
    printed = against(example(), bills, QUARTER, folder=tmp_path, columns=columns).stdout

    assert {"8,500.00", "955.25", "9,995.25", "10,130.25"} <= set(printed.split())
    assert not re.search(r"[ \t]$", printed, re.MULTILINE)
    if columns >= 59:
        assert max(map(len, printed.splitlines())) <= columns


@pytest.mark.parametrize("text", ["\x1b[31mred", "two\nlines", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(tmp_path: Path, text: str) -> None:
    bills = bills_in("2026-02")
    bills[0][LINES][1]["productKey"] = text
    printed = against(example(), bills, "2026-02", folder=tmp_path, columns=110).stdout

    assert 2 <= printed.count(text.encode("unicode_escape").decode())
    assert text not in printed
