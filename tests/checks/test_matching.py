"""Bills and lines of two sides find each other: what agrees in more is paired before the rest."""

from typing import Any

import rentbilling as rb
from rentbilling.checks.matching import bill_pairs, line_pairs
from rentbilling.testing import a_bill, a_line, a_rent
from tests.support.rows import rows

Bills = list[rb.PendingBill]

RENT = a_line()
PARKING = a_line(product_key="key:parking", amount="450.00", vat="Exclusive 0.25")
HEATING = a_line(product_key="key:heating", amount="500.00")
CREDIT = a_line(amount="-8500.00")
BILL, BOTH = a_bill(RENT), a_bill(RENT, PARKING)
DEAR, DEARER = a_bill(a_line(amount="8600.00")), a_bill(RENT, PARKING, total="9000.00")
HALVES, TENTHS = a_bill(cash_rounding="0.50"), a_bill(cash_rounding="0.10")
EMPTY = rb.PendingBill(BILL.due, "DKK", 2, (), (), (0, 0, None))
MARCH, LATE = a_bill(RENT, due="2026-03-01"), a_bill(due="2026-02-03")


def said(**line: Any) -> rb.PendingBill:  # noqa: ANN401
    """Return a bill of which only the line says otherwise; sums and VAT totals are those of one."""
    return a_bill(a_line(**line), subtotal="8500.00", total="8500.00", vat_totals=[])


# fmt: off
SECOND: dict[str, tuple[rb.PendingBill, Bills]] = {
    # Bills that are not quite equal come after those that are.
    "VAT totals": (BOTH, [
        a_bill(RENT, PARKING, vat_totals={"Exempt": "0.01", "Exclusive 0.25": "112.49"}), BOTH]),
    "VAT of another rate": (BOTH, [
        a_bill(RENT, PARKING, vat_totals={"Exempt": "112.50", "Exclusive 0.25": "0.00"}), BOTH]),
    "VAT of a line": (BOTH, [
        a_bill(RENT, a_line(product_key="key:parking", amount="450.00", vat="Exempt")), BOTH]),
    # Every figure of a line counts.
    "price": (said(), [
        said(amount="8501.00", unit_net_price="8500.00", net_price="8500.00"), said()]),
    "unit price": (said(), [said(unit_net_price="8501.00"), said()]),
    "net price": (said(), [said(net_price="8501.00"), said()]),
    "quantity": (said(), [said(quantity=2, net_price="8500.00"), said()]),
    "mode": (said(), [said(vat="ReverseCharge"), said()]),
    "VAT": (said(), [said(vat="Exclusive 0.25"), said()]),
    "24 percent and not 25": (
        said(vat="Exclusive 0.25"), [said(vat="Exclusive 0.24"), said(vat="Exclusive 0.25")]),
    # A bill that moved is for the same days: both are late and come to 8,500, and the second is for
    # all of February.
    "last day": (BILL, [
        a_bill(a_line(period="2026-02-01/2026-02-27"), due="2026-02-02"), LATE]),
    "first day": (BILL, [
        a_bill(a_line(period="2026-02-02/2026-02-28"), due="2026-02-02"), LATE]),
    "product": (BILL, [a_bill(a_line(product_key="key:lease"), due="2026-02-02"), LATE]),
    # Equal but for what is paid in cash (A52).
    "rounded otherwise": (HALVES, [TENTHS, HALVES]),
    # 8,500 beside 8,500 with another unit price, and not beside 8,600 that stands first.
    "the same sums before the same purpose": (
        BILL, [DEAR, a_bill(a_line(unit_net_price="8499.00"))]),
    # The rent of February costs 8,600 on the day, and 8,500 a day later.
    "the same day before the same sums of another day": (BILL, [a_bill(due="2026-02-02"), DEAR]),
    "moved and changed before one of its day": (
        BILL, [a_bill(PARKING), a_bill(a_line(amount="8600.00"), due="2026-03-01")]),
    # Two late bills for the rent of February, of 8,600 and of 8,500.
    "the same sums of another day before other ones": (
        BILL, [a_bill(a_line(amount="8600.00"), due="2026-02-02"), LATE]),
    "by the largest line of those left": (
        a_bill(RENT, PARKING, HEATING), [a_bill(PARKING), a_bill(RENT, HEATING)]),
    "by the largest line of those left, moved": (
        a_bill(CREDIT, HEATING), [a_bill(PARKING), a_bill(CREDIT, due="2026-02-05")]),
    "of two that lost a line that of the day": (
        a_bill(RENT, HEATING), [a_bill(RENT, PARKING, due="2026-02-05"), a_bill(RENT)]),
}
PAIRS: dict[str, tuple[list[tuple[int | None, int | None]], Bills, Bills]] = {
    "another order": ([(0, 1), (1, 0)], [BILL, a_bill(PARKING)], [a_bill(PARKING), BILL]),
    "lines in another order": (
        [(0, 1), (1, 0)], [BOTH, DEARER], [DEARER, a_bill(PARKING, RENT)]),
    "both are rounded otherwise": ([(0, 0), (None, 1)], [BILL], [TENTHS, HALVES]),
    "places in the order of the expected bills": (
        [(0, None), (1, 3), (2, 1), (None, 0), (None, 2)],
        [a_bill(HEATING, due="2026-04-01"), BILL, MARCH],
        [a_bill(PARKING, due="2026-05-01"), MARCH, a_bill(PARKING), BILL]),
    # Bills of one day and currency are paired at last.
    "of one day": ([(0, 0)], [BILL], [a_bill(HEATING)]),
    "of one day in two currencies": (
        [(0, None), (None, 0)], [BILL],
        [a_bill(a_line(currency="EUR", product_key="key:heating"))]),
    "without lines": ([(0, 0)], [EMPTY], [BILL]),
}
DIFFERENT: dict[str, dict[str, Any]] = {
    "price": {"amount": "8501.00", "unit_net_price": "8500.00", "net_price": "8500.00"},
    "quantity": {"quantity": 2, "net_price": "8500.00"},
    "unit price": {"unit_net_price": "8501.00"},
    "net": {"net_price": "8501.00"},
    "VAT": {"vat": "ReverseCharge"},
    "days": {"period": "2026-02-01/2026-02-27"},
}
# fmt: on


@rows(("bill", "actual"), SECOND.values(), ids=SECOND)
def test_of_two_bills_the_second_agrees_in_more(bill: rb.PendingBill, actual: Bills) -> None:
    assert [(0, 1), (None, 0)] == bill_pairs([bill], actual)


@rows(("expected", "mine", "actual"), PAIRS.values(), ids=PAIRS)
def test_bills_are_paired(
    expected: list[tuple[int | None, int | None]], mine: Bills, actual: Bills
) -> None:
    assert expected == bill_pairs(mine, actual)


def test_equal_bills_in_another_order_are_equal() -> None:
    assert rb.compare_bills([BILL, a_bill(PARKING)], [a_bill(PARKING), BILL]).is_equal


def test_bills_of_which_one_side_says_nothing_of_cash_rounding() -> None:
    """A result that was computed rounds nothing; what a service rounds is not known (A52)."""
    dear = a_bill(RENT, total="8500.01")
    computed = rb.BillingResult([BILL, dear], policy=rb.BillingPolicy())

    assert rb.compare_bills(computed, [dear, BILL]).is_equal
    late = a_bill(RENT, total="8500.01", due="2026-02-03"), a_bill(due="2026-02-02")
    assert ["due_date"] * 2 == [each.code for each in rb.compare_bills(computed, late)]


def test_a_service_that_is_a_month_late() -> None:
    expected = rb.pending_bills(a_rent(), "2026-01-01/2026-03-31")
    days = ("2026-02-01", "2026-03-01", "2026-04-01")
    actual = [a_bill(*bill.lines, due=due) for bill, due in zip(expected, days, strict=True)]

    assert [
        "2026-01-01 due date: expected 2026-01-01, actual 2026-02-01",
        "2026-02-01 due date: expected 2026-02-01, actual 2026-03-01",
        "2026-03-01 due date: expected 2026-03-01, actual 2026-04-01",
    ] == [str(each) for each in rb.compare_bills(expected, actual)]


def test_a_line_for_another_product() -> None:
    (found,) = rb.compare_bills(BILL, a_bill(a_line(product_key="key:Rent")))

    assert ("product", "key:rent", "key:Rent") == (found.code, found.expected, found.actual)


@rows("changes", DIFFERENT.values(), ids=DIFFERENT)
def test_a_line_of_which_more_than_the_product_differs_stands_alone(
    changes: dict[str, Any],
) -> None:
    (line,) = a_bill(a_line(product_key="key:x", **changes)).lines

    assert [(0, None), (None, 0)] == line_pairs([RENT], [line], "product")


def test_by_product_and_period_no_other_product_is_taken() -> None:
    other = a_line(product_key="key:Rent")

    assert [(0, None), (None, 0)] == line_pairs([RENT], [other], "period")


@rows(
    "lines",
    [
        # The same days and VAT come first.
        [a_line(amount="8600.00", vat="Exclusive 0.25"), a_line(amount="8700.00")],
        [a_line(amount="8600.00", period="2026-02-01/2026-02-27"), a_line(amount="8700.00")],
        # The product comes before the figures.
        [a_line(product_key="key:twin"), a_line(period="2026-03-01/2026-03-31")],
    ],
)
def test_of_two_lines_the_second_agrees_in_more(lines: list[rb.PendingBillLineItem]) -> None:
    assert [(0, 1), (None, 0)] == line_pairs([RENT], lines, "product")
