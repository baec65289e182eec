"""`rentbilling verify FILE --against LEASE`: bills beside those that are expected.

By hand, for the example in February: 8,500.00 + 950.00 + 540.00 = 9,990.00, 25 % of 540.00 are
135.00, and 9,990.00 + 135.00 = 10,125.00.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.support.command_line import Golden, bills_in, example, rent, run, verified, written

LINES = "pendingBillLineItems"
QUARTER = "2026-01-01/2026-03-31"

Case = tuple[Any, ...]


def dkk(amount: float) -> dict[str, Any]:
    """Return an amount of kroner as JSON data."""
    return {"currency": "DKK", "amount": amount}


TEN = {"amount": dkk(10.10)}


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


def february(change: Callable[[Any], object] = lambda _: None) -> Any:  # noqa: ANN401 - JSON data
    """Return the example's bill of February, with a change."""
    (bill,) = bills_in("2026-02")
    change(bill)
    return bill


def with_heating(**changes: object) -> Case:
    """Return the example beside its bill of February, with another line for heating."""
    return example(), february(lambda bill: bill[LINES][1].update(changes)), "2026-02"


def moved() -> Case:
    """Return the example beside bills in which February moved and March is missing."""
    january, later, _ = bills_in(QUARTER)
    later["dueDate"] = "2026-02-02"
    return example(), [january, later], QUARTER


def vat_for_each_line() -> Case:
    """Return a lease of two items beside a bill whose VAT was rounded for each."""
    vat = {"taxMode": "Exclusive", "taxRate": 0.25}
    item = rent(amount=dkk(10.10), vat=vat)
    item["firstBillingPeriodBillItem"] = {**item["firstBillingPeriodBillItem"], **TEN}
    lease = {"recurringBillItems": [{**item, "id": each} for each in ("left", "right")]}
    (bill,) = bills_in("2026-02", lease)
    bill["vatTotals"][0]["amount"]["amount"], bill["total"]["amount"] = 5.06, 25.26
    return lease, bill, "2026-02", "--diagnose"


def days_of_thirty() -> Case:
    """Return a lease beside a bill that counted its last month as thirty days."""
    lease = rent(endedOn="2026-03-17")
    (bill,) = bills_in("2026-03", lease)
    line = bill[LINES][0]
    for amount in (line["netPrice"], line["unitNetPrice"], line["amount"]):
        amount["amount"] = 4816.67
    bill["subtotal"]["amount"] = bill["total"]["amount"] = 4816.67
    return lease, bill, "2026-03"


def other_cash() -> Case:
    """Return a lease beside a bill of 10.30 that is paid as 10.25."""
    (bill,) = bills_in("2026-02", rent(amount=dkk(10.30)))
    return rent(amount=dkk(10.30)), {**bill, "cashRounding": dkk(-0.05)}, "2026-02"


OTHER_MONTH = {"accountingPeriod": "2026-03-01/2026-03-31"}

CASES: Mapping[str, Callable[[], Case]] = {
    # Heating is 955.25: 9,990.00 + 5.25 = 9,995.25, and 9,995.25 + 135.00 = 10,130.25.
    "dearer": lambda: (example(), dearer_heating(), QUARTER),
    "moved and missing": moved,
    "not expected": lambda: (example(), bills_in("2026-02-01/2026-03-31"), "2026-02"),
    # Heating has the net of 950.00 on both sides, and something else differs.
    "other quantity": lambda: with_heating(quantity=2, amount=dkk(475.0)),
    "other price": lambda: with_heating(amount=dkk(9500.0)),
    "other VAT": lambda: with_heating(vat={"taxMode": "ReverseCharge"}),
    "other price without VAT": lambda: with_heating(unitNetPrice=dkk(951.5)),
    "other product": lambda: with_heating(productKey="key:Heating"),
    "a line too many": lambda: (
        example(),
        february(lambda bill: bill[LINES].append(bill[LINES][1])),
        "2026-02",
    ),
    # A line of another month is another line by its period, and a changed one by its product.
    "matched by product": lambda: (*with_heating(**OTHER_MONTH), "--match", "product"),
    "matched by period": lambda: (*with_heating(**OTHER_MONTH), "--match", "period"),
    "matched by order": lambda: (*with_heating(**OTHER_MONTH), "--match", "order"),
    # 25 % of 10.10 is 2.525, rounded 2.53, twice 5.06; 25 % of 20.20 is 5.05 (A29).
    "VAT rounded for each line": vat_for_each_line,
    # 8,500 × 17 / 31 = 4,661.29, and 8,500 × 17 / 30 = 4,816.67 (A24).
    "days of thirty": lambda: (*days_of_thirty(), "--diagnose"),
    # 10.30 is paid as 10.50, with 0.20, or as 10.25, which leaves -0.05 (A52).
    "cash": lambda: (*other_cash(), "--policy", '{"cashRounding": {"DKK": 0.5}}'),
    # 8,500.00 × 1.04 = 8,840.00 in January 2023, where a service bills 8,500.00.
    "by the index": lambda: (
        example("--with-index"),
        bills_in("2023-01", json.loads(example("--with-index")) | {"rentAdjustmentPlans": []}),
        "2023-01",
        "--indices",
        example("--index"),
    ),
}
"""A lease, bills, a period and options, of which JSON becomes a file."""


@pytest.mark.parametrize("name", CASES)
def test_what_differs_is_marked_and_said(tmp_path: Path, golden: Golden, name: str) -> None:
    lease, given, period, *options = CASES[name]()
    files = (written(tmp_path, "x.json", each) if "{" in each else each for each in options)
    finished = against(lease, given, period, *files, folder=tmp_path)

    golden(f"against, {name}", finished)
    assert (3, "") == (finished.exit_code, finished.stderr)


def test_days_that_were_counted_by_a_policy_are_equal_under_it(tmp_path: Path) -> None:
    policy = written(tmp_path, "policy.json", '{"partPeriod": "thirty_day"}')

    assert 0 == against(*days_of_thirty(), "--policy", policy, folder=tmp_path).exit_code


def test_equal_bills_are_only_counted(tmp_path: Path) -> None:
    """In whatever order their lines stand (A56)."""
    bills = bills_in(QUARTER)
    bills[1][LINES].reverse()
    finished = against(example(), bills, QUARTER, folder=tmp_path)

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert "3 bills, no difference\n" == finished.stdout


def test_a_report_for_machines_has_every_field(tmp_path: Path, golden: Golden) -> None:
    """A total, a due date and a missing bill: 0.01 more, a day later, and 10,125.00 less."""
    bills = bills_in("2026-02-01/2026-03-31")
    bills[0]["total"]["amount"] = 10125.01
    bills[1]["dueDate"] = "2026-03-02"
    asked = "2026-02-01/2026-04-30"
    finished = against(example(), bills, asked, "--format", "json", folder=tmp_path)

    golden("against, json", finished)
    assert (3, "") == (finished.exit_code, finished.stderr)


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


def test_notices_about_the_lease_go_to_standard_error(tmp_path: Path) -> None:
    lease = rent(quantity=-1)
    finished = against(lease, bills_in("2026-02", lease), "2026-02", folder=tmp_path)

    assert (0, "1 bill, no difference\n") == (finished.exit_code, finished.stdout)
    assert finished.stderr.startswith("Notice: ")


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
