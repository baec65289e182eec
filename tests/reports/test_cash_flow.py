"""What bills add up to, by month, year, product, item and lease."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import Amount, BillingPolicy, Vat, VatTotal, pending_bills
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.reports import cash_flow
from rentbilling.tables import Table
from rentbilling.testing import a_bill, a_lease, a_line, a_one_time_item, a_rent, an_item

HALF_YEAR = "2026-01-01/2026-06-30"
SPRING = "2026-02-01/2026-03-31"


def values(table: Table) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in table.rows()]


def stated(units: int) -> VatTotal:
    """Return a VAT total of 25 % as a service states it."""
    return VatTotal(Vat("Exclusive", Decimal("0.25")), units, units * 4, "DKK", 2)


def test_months_are_those_of_the_due_dates() -> None:
    """A bill for February that falls due on 31 January is money of January."""
    rent = a_rent(amount=8500, due_day=-1)

    flow = cash_flow(pending_bills(rent, "2026-01-31/2026-03-01"))

    zero, full = Decimal("0.00"), Decimal("8500.00")
    assert [
        ("2026-01", "DKK", full, zero, full),
        ("2026-02", "DKK", full, zero, full),
    ] == values(flow)


def test_products_share_the_vat_of_a_bill() -> None:
    """Two lines of 0.10 at 25 % have a VAT of 0.05, of which the first gets the odd unit.

    0.20 × 0.25 = 0.05; each line alone has 0.025, rounded up to 0.03; one unit too much goes off
    the line with the largest residue in that direction, of equal ones the earlier.
    """
    lease = a_lease(
        an_item(product_key="key:heating", amount="0.10"),
        an_item(product_key="key:water", amount="0.10"),
    )

    flow = cash_flow(pending_bills(lease, "2026-02-01/2026-02-28"), by=("month", "product"))

    assert [
        ("2026-02", "key:heating", "DKK", Decimal("0.10"), Decimal("0.02"), Decimal("0.12")),
        ("2026-02", "key:water", "DKK", Decimal("0.10"), Decimal("0.03"), Decimal("0.13")),
    ] == values(flow)


def test_an_inclusive_line_keeps_what_its_gross_is_above_its_net() -> None:
    """100.00 with 25 % inside is 80.00 and 20.00, whatever stands beside it."""
    lease = a_lease(a_rent(amount=1000), an_item(amount=100, vat="Inclusive 0.25"))

    flow = cash_flow(pending_bills(lease, "2026-02-01/2026-02-28"), by="item")

    assert [
        ("recurring-1", "DKK", Decimal("1000.00"), Decimal("0.00"), Decimal("1000.00")),
        ("recurring-2", "DKK", Decimal("80.00"), Decimal("20.00"), Decimal("100.00")),
    ] == values(flow)


def test_currencies_stay_apart() -> None:
    items = [a_rent(amount=100, currency="JPY"), a_rent(amount=100)]

    flow = cash_flow([pending_bills(item, "2026-02-01/2026-02-28") for item in items], by=())

    assert [
        ("JPY", Decimal(100), Decimal(0), Decimal(100)),
        ("DKK", Decimal("100.00"), Decimal("0.00"), Decimal("100.00")),
    ] == values(flow)


def test_leases_and_years_are_told_by_their_columns() -> None:
    one = pending_bills(a_lease(a_rent(amount=1), lease_id="one"), "2026-01-01/2027-12-31")
    two = pending_bills(a_lease(a_rent(amount=2), lease_id="two"), "2026-01-01/2027-12-31")

    flow = cash_flow([one, two], by=("lease", "year"))

    assert [
        ("one", 2026, Decimal("12.00")),
        ("one", 2027, Decimal("12.00")),
        ("two", 2026, Decimal("24.00")),
        ("two", 2027, Decimal("24.00")),
    ] == [(row["lease_id"], row["year"], row["net"]) for row in flow.rows()]


def test_cash_rounding_is_not_in_it() -> None:
    """100.30 are paid as 100.50 in cash; the bill's total stays what it is (A52)."""
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    bills = pending_bills(a_rent(amount="100.30"), "2026-02-01/2026-02-28", policy=policy)

    assert Amount(Decimal("100.50"), "DKK") == bills[0].payable
    assert [Decimal("100.30")] == [row["gross"] for row in cash_flow(bills).rows()]


RATE = "Exclusive 0.25"
WATER = a_line(product_key="key:water", amount=100, vat=RATE)
LITTLE = a_lease(an_item(amount="0.01"), an_item(product_key="key:water", amount="0.01"))
FEE = a_one_time_item(due_date="2026-02-01", product_key="key:fee")
UNTAXED = a_bill(a_line(amount=100), vat_totals=[stated(2500)])


@pytest.mark.parametrize(
    ("bills", "by", "column", "expected"),
    [
        (pending_bills(a_rent(), SPRING), "day", "due_date", "2026-02-01 2026-03-01"),
        # Two totals of one rate share their sum: 25.00 and 75.00 on 100 and 300.
        (
            a_bill(
                a_line(amount=100, vat=RATE),
                a_line(product_key="key:water", amount=300, vat=RATE),
                vat_totals=[stated(2500), stated(7500)],
            ),
            *("product", "vat", "25.00 75.00"),
        ),
        # 1.00 too much on two lines is 0.50 more on each.
        (
            a_bill(a_line(amount=100, vat=RATE), WATER, vat_totals=[stated(5100)]),
            *("product", "vat", "25.50 25.50"),
        ),
        # VAT of no line is in the bill and in no product.
        (UNTAXED, (), "vat", "25.00"),
        (UNTAXED, "product", "vat", "0.00"),
        # Two lines of 0.01 at 25 % have 0.005 of VAT together, half up 0.01: for one line.
        (pending_bills(LITTLE, "2026-02-01/2026-02-28"), "product", "vat", "0.01 0.00"),
        (pending_bills(a_lease(FEE), SPRING), "product", "product_key", "key:fee"),
    ],
)
def test_a_column_of_a_cash_flow(bills: Any, by: Any, column: str, expected: str) -> None:  # noqa: ANN401 - as `cash_flow` takes them
    assert expected.split() == [str(row[column]) for row in cash_flow(bills, by=by).rows()]


def test_rows_of_a_bill_say_everything_of_its_lines() -> None:
    lease = a_lease(a_rent(amount=8500), an_item(amount="433.33"), lease_id="lease-1")
    result = pending_bills(lease, "2026-02-01/2026-02-28")

    rent, heating = result.rows()

    assert [column.name for column in result.columns] == list(rent)
    assert {
        "lease_id": "lease-1",
        "due_date": date(2026, 2, 1),
        "item_id": "recurring-2",
        "product_key": "key:heating",
        "description": None,
        "kind": "regular",
        "period_start": date(2026, 2, 1),
        "period_end": date(2026, 2, 28),
        "quantity": Decimal(1),
        "amount": Decimal("433.33"),
        "unit_net_price": Decimal("433.33"),
        "net_price": Decimal("433.33"),
        "vat": Decimal("108.33"),
        "gross": Decimal("541.66"),
        "tax_mode": "Exclusive",
        "tax_rate": Decimal("0.25"),
        "currency": "DKK",
    } == heating
    assert result[0].total.amount == rent["gross"] + heating["gross"]


@pytest.mark.parametrize("by", ["week", ("month", "colour")])
def test_unknown_groups_are_refused(by: str) -> None:
    with pytest.raises(UnknownWordError) as refused:
        cash_flow(pending_bills(a_rent(), HALF_YEAR), by=by)  # type: ignore[arg-type]

    assert "one of year, month, day, lease, product, item" == refused.value.problems[0].expected


@pytest.mark.parametrize(
    ("bills", "path", "met"),
    [("bills", "bills", "'bills'"), (1, "bills", "1"), ([1], "bills[0]", "1")],
)
def test_what_is_no_bills_is_refused(bills: object, path: str, met: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        cash_flow(bills)  # type: ignore[arg-type]

    (problem,) = refused.value.problems
    assert (path, "not_bills", met) == (problem.path, problem.code, problem.met)
