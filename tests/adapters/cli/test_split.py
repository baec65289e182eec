"""`rentbilling split`: one bill for each payer of a bill."""

import json
from typing import Any

from click.testing import Result

from tests.support.command_line import bills_in, rent, run
from tests.support.rows import rows

VAT = {"taxMode": "Exclusive", "taxRate": 0.25}
AMOUNT = {"currency": "DKK", "amount": 1000.01}
OPENING = {
    "amount": AMOUNT,
    "dueDate": "2026-01-01",
    "accountingPeriod": "2026-01-01/2026-01-31",
}
LEASE = {
    "recurringBillItems": [rent(amount=AMOUNT, vat=VAT, firstBillingPeriodBillItem=OPENING)],
}


def split(*options: str, given: Any = None) -> Result:  # noqa: ANN401 - JSON data
    text = json.dumps(bills_in("2026-02", LEASE) if given is None else given)
    return run("split", "-", *options, given=text, columns=80)


def test_the_bills_of_payers_are_printed_with_their_names() -> None:
    """1,000.01 by 1 : 2 is 333.34 and 666.67, with 83.34 of VAT and the 166.66 that are left."""
    finished = split("--payer", "Ann=1/3", "--payer", "Bo=2/3")

    lines = finished.stdout.splitlines()
    assert (0, "") == (finished.exit_code, finished.stderr)
    assert [
        "Due Sunday 1 February 2026, Ann",
        "Due Sunday 1 February 2026, Bo",
    ] == [line for line in lines if line.startswith("Due")]
    assert ["416.68", "833.33", "1,250.01"] == [
        line.split()[-1] for line in lines if "otal DKK" in line or "Total of" in line
    ]


def test_what_is_printed_is_verified() -> None:
    finished = split("--payer", "City=0.02 DKK", "--payer", "Ann=rest", "--format", "json")

    verified = run("verify", "-", given=finished.stdout)

    data = json.loads(finished.stdout)
    assert ["City", "Ann"] == [bill["payer"] for bill in data["bills"]]
    assert "fixed_amount_not_made" in finished.stderr
    assert 0 == verified.exit_code


@rows(
    ("options", "code", "said"),
    [
        (("--payer", "Ann"), 2, "write such as Ann=1/3"),
        (("--payer", "=1"), 2, "write such as Ann=1/3"),
        (("--payer", "Ann=1/2", "--payer", "Ann=1/2"), 2, "write such as Ann=1/3"),
        ((), 2, "--payer"),
        (("--payer", "Ann=1/2"), 1, "standard input: shares: do not sum to 1"),
        (("--payer", "Ann=1", "--policy", "-"), 2, "standard input"),
    ],
)
def test_what_is_no_share_is_refused(options: tuple[str, ...], code: int, said: str) -> None:
    finished = split(*options)

    assert code == finished.exit_code
    assert said in finished.stderr
    assert not finished.stdout


def test_no_bills_are_no_parts() -> None:
    finished = split("--payer", "Ann=1", given={"bills": []})

    assert (0, "", "No bills to split.\n") == (
        finished.exit_code,
        finished.stdout,
        finished.stderr,
    )
