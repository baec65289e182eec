"""What is earned by month: worked out by hand, and added up to what is billed."""

from collections import Counter

import pytest
from hypothesis import given

from rentbilling import pending_bills
from rentbilling.errors import UnknownWordError
from rentbilling.reports import accruals
from rentbilling.testing import a_bill, a_line
from rentbilling.testing.strategies import BillingRun, billing_runs

QUARTER = "2025-12-01/2026-02-28"


def cells(table: object) -> list[list[str]]:
    """Return the rows of a report as text."""
    return [[str(value) for value in row.values()] for row in table.rows()]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        (
            "2025-12-01",
            [
                "2025-12-01 DKK 3000.00 9000.00 6000.00 0.00",
                "2026-01-01 DKK 3000.00 0.00 3000.00 0.00",
                "2026-02-01 DKK 3000.00 0.00 0.00 0.00",
            ],
        ),
        (
            "2026-03-01",
            [
                "2025-12-01 DKK 3000.00 0.00 0.00 3000.00",
                "2026-01-01 DKK 3000.00 0.00 0.00 6000.00",
                "2026-02-01 DKK 3000.00 0.00 0.00 9000.00",
                "2026-03-01 DKK 0.00 9000.00 0.00 0.00",
            ],
        ),
        (
            "2026-05-01",
            [
                "2025-12-01 DKK 3000.00 0.00 0.00 3000.00",
                "2026-01-01 DKK 3000.00 0.00 0.00 6000.00",
                "2026-02-01 DKK 3000.00 0.00 0.00 9000.00",
                "2026-03-01 DKK 0.00 0.00 0.00 9000.00",
                "2026-04-01 DKK 0.00 0.00 0.00 9000.00",
                "2026-05-01 DKK 0.00 9000.00 0.00 0.00",
            ],
        ),
        (
            "2025-10-15",
            [
                "2025-10-01 DKK 0.00 9000.00 9000.00 0.00",
                "2025-11-01 DKK 0.00 0.00 9000.00 0.00",
                "2025-12-01 DKK 3000.00 0.00 6000.00 0.00",
                "2026-01-01 DKK 3000.00 0.00 3000.00 0.00",
                "2026-02-01 DKK 3000.00 0.00 0.00 0.00",
            ],
        ),
    ],
)
def test_a_quarter_over_the_end_of_a_year(due: str, expected: list[str]) -> None:
    bill = a_bill(a_line(amount=9000, period=QUARTER), due=due)

    assert cells(accruals(bill)) == [row.split() for row in expected]


def test_days_of_a_part_month_and_running_totals() -> None:
    """From 15 January to 31 March: 17/31 + 1 + 1 = 79/31 months of 1,000.00.

    17/79 of 1,000.00 are 215.189…, 48/79 are 607.594…, so 215.19, 392.40 and 392.41.
    """
    bill = a_bill(a_line(amount=1000, period="2026-01-15/2026-03-31"), due="2026-01-15")

    assert [row[2] for row in cells(accruals(bill))] == ["215.19", "392.40", "392.41"]


def test_by_quarter_and_by_year() -> None:
    bill = a_bill(a_line(amount=9000, period=QUARTER), due="2025-12-01")

    assert cells(accruals(bill, by="quarter")) == [
        ["2025-10-01", "DKK", "3000.00", "9000.00", "6000.00", "0.00"],
        ["2026-01-01", "DKK", "6000.00", "0.00", "0.00", "0.00"],
    ]
    years = accruals(bill, by="year")
    assert [*years.rows()[0]] == ["year", "currency", "earned", "billed", "deferred", "accrued"]
    assert [row[:3] for row in cells(years)] == [
        ["2025-01-01", "DKK", "3000.00"],
        ["2026-01-01", "DKK", "6000.00"],
    ]


def test_a_credit_is_negative_and_currencies_are_apart() -> None:
    bills = [
        a_bill(a_line(amount=-300, period=QUARTER), due="2025-12-01"),
        a_bill(a_line(amount=90, currency="EUR", period="2026-01-01/2026-01-31"), due="2026-01-01"),
    ]

    assert cells(accruals(bills)) == [
        ["2025-12-01", "DKK", "-100.00", "-300.00", "-200.00", "0.00"],
        ["2026-01-01", "DKK", "-100.00", "0.00", "-100.00", "0.00"],
        ["2026-02-01", "DKK", "-100.00", "0.00", "0.00", "0.00"],
        ["2026-01-01", "EUR", "90.00", "90.00", "0.00", "0.00"],
    ]


def test_another_length_is_refused() -> None:
    with pytest.raises(UnknownWordError, match="expected one of month, quarter, year"):
        accruals((), by="week")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@given(billing_runs())
def test_all_that_is_billed_is_earned(run: BillingRun) -> None:
    result = pending_bills(run.terms, run.period, policy=run.policy)
    net = Counter[str]()
    for bill in result:
        net[bill.currency] += bill.subtotal.amount  # type: ignore[assignment] # pyright: ignore[reportArgumentType]
    earned, billed, at_end = Counter[str](), Counter[str](), {}
    for row in accruals(result).rows():
        earned[row["currency"]] += row["earned"]
        billed[row["currency"]] += row["billed"]
        at_end[row["currency"]] = row["deferred"], row["accrued"]
        owed = billed[row["currency"]] - earned[row["currency"]]
        assert row["deferred"] - row["accrued"] == owed

    assert earned == billed == net
    assert not any(value for pair in at_end.values() for value in pair)
