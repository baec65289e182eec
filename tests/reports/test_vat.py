"""VAT by mode and rate: worked out by hand, and added up to the bills."""

from datetime import date
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from rentbilling import BillingResult, Period, Vat, VatRecord, VatTotal, pending_bills
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.reports import vat_report
from rentbilling.testing import a_bill, a_lease, a_line, a_rent
from rentbilling.testing.strategies import BillingRun, billing_runs

NAMES = ("tax_mode", "tax_rate", "currency", "net", "vat", "gross", "corrections")


def cells(table: object) -> list[tuple[object, ...]]:
    """Return the rows of a report as text."""
    return [tuple(map(str, row.values())) for row in table.rows()]  # type: ignore[attr-defined]


def test_a_change_of_rate_within_a_quarter_and_a_correction() -> None:
    """24 % until August, 25.5 % from September; 3,000 a quarter.

    2,000 × 0.24 = 480 and 1,000 × 0.255 = 255.
    """
    rent = a_rent(
        amount=3000,
        currency="EUR",
        months=3,
        vat=Vat("Exclusive", "0.24"),
        vat_records=[VatRecord(value=Vat("Exclusive", "0.255"), start="2024-09-01")],
        moved_in="2024-04-01",
    )
    bills = pending_bills(a_lease(rent), "2024-07-01/2024-09-30")
    credit = a_bill(
        a_line(amount="-100.00", currency="EUR", vat=Vat("Exclusive", "0.24"), kind="correction"),
        due="2024-09-01",
    )

    table = vat_report([bills, credit])

    assert tuple(table.rows()[0]) == NAMES
    assert cells(table) == [
        ("Exclusive", "0.24", "EUR", "2000.00", "480.00", "2480.00", "False"),
        ("Exclusive", "0.255", "EUR", "1000.00", "255.00", "1255.00", "False"),
        ("Exclusive", "0.24", "EUR", "-100.00", "-24.00", "-124.00", "True"),
    ]


def test_by_due_date_a_bill_counts_whole_and_by_days_in_part() -> None:
    """9,000 for December to February: a third for each month, and VAT 2,250 likewise."""
    line = a_line(amount=9000, vat=Vat("Exclusive", "0.25"), period="2025-12-01/2026-02-28")
    bill = a_bill(line, due="2025-12-01")

    assert cells(vat_report(bill, period="2025"))[0][3:5] == ("9000.00", "2250.00")
    assert cells(vat_report(bill, period="2026")) == []
    for period, net, vat in (("2025", 3000, 750), ("2026", 6000, 1500), ("2026-03", None, None)):
        found = vat_report(bill, period=period, by="accounting_period").rows()
        assert [(row["net"], row["vat"]) for row in found] == ([(net, vat)] if net else [])


def test_lines_that_come_to_no_vat_together_have_their_own_each() -> None:
    """Rent moved from one item to another: −100 and 100 at 25 % are −25 and 25 of VAT, not 0 and 0.

    With VAT inside −125 and 125 are −100 − 25 and 100 + 25.
    """
    for mode, amount in (("Exclusive", 100), ("Inclusive", 125)):
        vat = Vat(mode, "0.25")
        moved = a_bill(
            a_line(amount=-amount, vat=vat, kind="correction"), a_line(amount=amount, vat=vat)
        )

        assert [row[3:] for row in cells(vat_report(moved))] == [
            ("-100.00", "-25.00", "-125.00", "True"),
            ("100.00", "25.00", "125.00", "False"),
        ]
        assert [(row["vat"], row["gross"]) for row in moved.rows()] == [(-25, -125), (25, 125)]
    # Lines of 100 and 300 of a bill that states no VAT of theirs have none.
    vat = Vat("Exclusive", "0.25")
    without = a_bill(
        *(a_line(amount=each, vat=vat) for each in (100, 300)),
        vat_totals=[VatTotal(vat, 0, 40_000, "DKK", 2)],
    )
    assert [row["vat"] for row in without.rows()] == [0, 0]


def test_without_a_rate_there_is_none() -> None:
    assert cells(vat_report(a_bill()))[0][:5] == ("Exempt", "None", "DKK", "8500.00", "0.00")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (
            {"by": "paid"},
            UnknownWordError,
            "by: is not a known word .met 'paid'; expected due_date",
        ),
        ({"results": ["x"]}, InvalidRecordError, r"bills\[0\]: contains no bills .met 'x'"),
    ],
)
def test_what_is_wrong_is_refused(
    arguments: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        vat_report(**{"results": (), **arguments})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@given(billing_runs(), st.lists(st.dates(date(2023, 1, 1), date(2027, 1, 1)), min_size=1))
def test_the_rows_add_up_to_the_bills(run: BillingRun, cuts: list[date]) -> None:
    """Whatever days a report has: a bill or a day of a line is in one of those that follow."""
    result = pending_bills(run.terms, run.period, policy=run.policy)
    whole = sums(result)
    ways: tuple[Literal["due_date"], Literal["accounting_period"]] = "due_date", "accounting_period"

    assert added(vat_report(result).rows()) == whole
    for by in ways:
        parts = [
            row
            for days in Period(date.min, date.max).split_at(*sorted({*cuts}))
            for row in vat_report(result, period=days, by=by).rows()
        ]
        assert added(parts) == whole


def sums(result: BillingResult) -> dict[str, tuple[Decimal, Decimal]]:
    """Return subtotals and totals by currency."""
    rows = [
        {"currency": bill.currency, "net": bill.subtotal.amount, "gross": bill.total.amount}
        for bill in result
    ]
    return added(rows)


def added(rows: list[dict[str, object]]) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the sums of net and gross by currency."""
    found: dict[str, tuple[Decimal, Decimal]] = {}
    for row in rows:
        net, gross = found.get(str(row["currency"]), (Decimal(0), Decimal(0)))
        more = Decimal(str(row["net"])), Decimal(str(row["gross"]))
        found[str(row["currency"])] = net + more[0], gross + more[1]
    return found
