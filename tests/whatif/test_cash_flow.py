"""What bills add up to, by month, year, product, item and lease."""

from datetime import date
from decimal import Decimal

import pytest

from rentbilling import Amount, BillingPolicy, Vat, VatTotal, pending_bills
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.tables import Table
from rentbilling.testing import a_bill, a_lease, a_line, a_one_time_item, a_rent, an_item
from rentbilling.whatif import cash_flow

HALF_YEAR = "2026-01-01/2026-06-30"


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


def test_days_are_days() -> None:
    flow = cash_flow(pending_bills(a_rent(amount=1), "2026-02-01/2026-03-31"), by="day")

    assert [date(2026, 2, 1), date(2026, 3, 1)] == [row["due_date"] for row in flow.rows()]


def test_cash_rounding_is_not_in_it() -> None:
    """100.30 are paid as 100.50 in cash; the bill's total stays what it is (A52)."""
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    bills = pending_bills(a_rent(amount="100.30"), "2026-02-01/2026-02-28", policy=policy)

    assert Amount(Decimal("100.50"), "DKK") == bills[0].payable
    assert [Decimal("100.30")] == [row["gross"] for row in cash_flow(bills).rows()]


def test_a_bill_with_two_totals_of_one_rate_shares_their_sum() -> None:
    bill = a_bill(
        a_line(amount=100, vat="Exclusive 0.25"),
        a_line(product_key="key:water", amount=300, vat="Exclusive 0.25"),
        vat_totals=[stated(2500), stated(7500)],
    )

    flow = cash_flow(bill, by="product")

    assert [Decimal("25.00"), Decimal("75.00")] == [row["vat"] for row in flow.rows()]


def test_vat_that_is_wrong_by_much_is_shared_all_the_same() -> None:
    """1.00 too much on two lines is 0.50 more on each."""
    bill = a_bill(
        a_line(amount=100, vat="Exclusive 0.25"),
        a_line(product_key="key:water", amount=100, vat="Exclusive 0.25"),
        vat_totals=[stated(5100)],
    )

    flow = cash_flow(bill, by="product")

    assert [Decimal("25.50"), Decimal("25.50")] == [row["vat"] for row in flow.rows()]


def test_vat_of_no_line_is_in_the_bill_and_in_no_product() -> None:
    bill = a_bill(a_line(amount=100), vat_totals=[stated(2500)])

    assert [Decimal("25.00")] == [row["vat"] for row in cash_flow(bill, by=()).rows()]
    assert [Decimal("0.00")] == [row["vat"] for row in cash_flow(bill, by="product").rows()]


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


def test_one_time_items_are_in_it() -> None:
    lease = a_lease(a_rent(amount=100), a_one_time_item())

    flow = cash_flow(pending_bills(lease, HALF_YEAR), by="product")

    assert lease.one_time_bill_items[0].product_key in [row["product_key"] for row in flow.rows()]


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


def test_a_single_unit_of_vat_is_not_lost() -> None:
    """Two lines of 0.01 at 25 % have 0.005 of VAT together, which half up is 0.01: for one line."""
    lease = a_lease(an_item(amount="0.01"), an_item(product_key="key:water", amount="0.01"))

    flow = cash_flow(pending_bills(lease, "2026-02-01/2026-02-28"), by="product")

    assert [Decimal("0.01"), Decimal("0.00")] == [row["vat"] for row in flow.rows()]
