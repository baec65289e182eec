"""Bills and lines of two sides find each other: what agrees in more is paired before the rest."""

from typing import Any

import rentbilling as rb
from rentbilling.checks.matching import bill_pairs, line_pairs
from rentbilling.testing import a_bill, a_line, a_rent
from tests.support.rows import rows

RENT = a_line()
PARKING = a_line(product_key="key:parking", amount="450.00", vat="Exclusive 0.25")
HEATING = a_line(product_key="key:heating", amount="500.00")


def moved(bill: rb.PendingBill, due: str) -> rb.PendingBill:
    return a_bill(*bill.lines, due=due)


class TestBills:
    """Bills find each other by all they say, then by day and purpose, then by less."""

    def test_equal_bills_in_another_order(self) -> None:
        rent, parking = a_bill(RENT), a_bill(PARKING)

        assert [(0, 1), (1, 0)] == bill_pairs([rent, parking], [parking, rent])
        assert rb.compare_bills([rent, parking], [parking, rent]).is_equal

    def test_equal_bills_whose_lines_are_in_another_order(self) -> None:
        one, other = a_bill(RENT, PARKING), a_bill(PARKING, RENT)
        changed = a_bill(RENT, PARKING, total="9000.00")

        assert [(0, 1), (1, 0)] == bill_pairs([one, changed], [changed, other])

    def test_bills_of_which_one_side_says_nothing_of_cash_rounding(self) -> None:
        """A result that was computed rounds nothing; what a service rounds is not known (A52)."""
        rent, dear = a_bill(RENT), a_bill(RENT, total="8500.01")
        computed = rb.BillingResult([rent, dear], policy=rb.BillingPolicy())

        assert rb.compare_bills(computed, [dear, rent]).is_equal
        late = a_bill(RENT, total="8500.01", due="2026-02-03"), a_bill(due="2026-02-02")
        assert ["due_date"] * 2 == [each.code for each in rb.compare_bills(computed, late)]

    @rows(
        "other",
        [
            a_bill(RENT, PARKING, vat_totals={"Exempt": "0.01", "Exclusive 0.25": "112.49"}),
            a_bill(RENT, PARKING, vat_totals={"Exempt": "112.50", "Exclusive 0.25": "0.00"}),
            a_bill(RENT, a_line(product_key="key:parking", amount="450.00", vat="Exempt")),
        ],
        ids=["VAT totals", "VAT of another rate", "VAT of a line"],
    )
    def test_bills_that_are_not_quite_equal_come_after_those_that_are(
        self, other: rb.PendingBill
    ) -> None:
        bill = a_bill(RENT, PARKING)

        assert [(0, 1), (None, 0)] == bill_pairs([bill], [other, bill])

    @rows(
        "changed",
        [
            {"amount": "8501.00", "unit_net_price": "8500.00", "net_price": "8500.00"},
            {"unit_net_price": "8501.00"},
            {"net_price": "8501.00"},
            {"quantity": 2, "net_price": "8500.00"},
            {"vat": "ReverseCharge"},
            {"vat": "Exclusive 0.25"},
        ],
    )
    def test_every_figure_of_a_line_counts(self, changed: dict[str, Any]) -> None:
        """Only the line says otherwise; the sums and VAT totals are those of the other bill."""
        sums: dict[str, Any] = {"subtotal": "8500.00", "total": "8500.00", "vat_totals": []}
        bill, other = (a_bill(a_line(**each), **sums) for each in ({}, changed))

        assert [(0, 1), (None, 0)] == bill_pairs([bill], [other, bill])

    def test_the_rate_of_a_line_counts(self) -> None:
        """25 percent, and not 24."""
        sums: dict[str, Any] = {"subtotal": "8500.00", "total": "8500.00", "vat_totals": []}
        bill, other = (
            a_bill(a_line(vat=vat), **sums) for vat in ("Exclusive 0.25", "Exclusive 0.24")
        )

        assert [(0, 1), (None, 0)] == bill_pairs([bill], [other, bill])

    @rows(
        "other",
        [
            a_line(period="2026-02-01/2026-02-27"),
            a_line(period="2026-02-02/2026-02-28"),
            a_line(product_key="key:lease"),
        ],
        ids=["last day", "first day", "product"],
    )
    def test_a_bill_that_moved_is_for_the_same_days(self, other: rb.PendingBillLineItem) -> None:
        """Both are late and come to 8,500, and the second is for all of February."""
        actual = [a_bill(other, due="2026-02-02"), a_bill(due="2026-02-03")]

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill()], actual)

    def test_bills_that_are_rounded_otherwise_come_after_those_that_are_not(self) -> None:
        """They are equal but for what is paid in cash (A52)."""
        halves, tenths = (a_bill(cash_rounding=cash) for cash in ("0.50", "0.10"))

        assert [(0, 1), (None, 0)] == bill_pairs([halves], [tenths, halves])
        assert [(0, 0), (None, 1)] == bill_pairs([a_bill()], [tenths, halves])

    def test_the_same_sums_come_before_the_same_purpose(self) -> None:
        """8,500 beside 8,500 with another unit price, and not beside 8,600 that stands first."""
        dear = a_bill(a_line(amount="8600.00"))
        same = a_bill(a_line(unit_net_price="8499.00"))

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill()], [dear, same])

    def test_the_same_day_comes_before_the_same_sums_of_another_day(self) -> None:
        """The rent of February costs 8,600 on the day, and 8,500 a day later."""
        here, later = a_bill(a_line(amount="8600.00")), a_bill(due="2026-02-02")

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill()], [later, here])

    def test_a_service_that_is_a_month_late(self) -> None:
        expected = rb.pending_bills(a_rent(), "2026-01-01/2026-03-31")
        days = ("2026-02-01", "2026-03-01", "2026-04-01")
        actual = [moved(bill, due) for bill, due in zip(expected, days, strict=True)]

        assert [
            "2026-01-01 due date: expected 2026-01-01, actual 2026-02-01",
            "2026-02-01 due date: expected 2026-02-01, actual 2026-03-01",
            "2026-03-01 due date: expected 2026-03-01, actual 2026-04-01",
        ] == [str(each) for each in rb.compare_bills(expected, actual)]

    def test_a_bill_that_moved_and_changed_comes_before_one_of_its_day(self) -> None:
        late = a_bill(a_line(amount="8600.00"), due="2026-03-01")

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill()], [a_bill(PARKING), late])

    def test_the_same_sums_of_another_day_come_before_other_ones(self) -> None:
        """Two late bills for the rent of February, of 8,600 and of 8,500."""
        dear, same = a_bill(a_line(amount="8600.00"), due="2026-02-02"), a_bill(due="2026-02-03")

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill()], [dear, same])

    def test_a_bill_that_lost_a_line_is_found_by_its_largest(self) -> None:
        actual = [a_bill(PARKING), a_bill(RENT, HEATING)]

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill(RENT, PARKING, HEATING)], actual)

    def test_a_bill_that_moved_and_lost_a_line_is_found_by_its_largest(self) -> None:
        credit = a_line(amount="-8500.00")
        actual = [a_bill(PARKING), a_bill(credit, due="2026-02-05")]

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill(credit, HEATING)], actual)

    def test_of_two_that_lost_a_line_the_one_of_the_day_is_found(self) -> None:
        actual = [a_bill(RENT, PARKING, due="2026-02-05"), a_bill(RENT)]

        assert [(0, 1), (None, 0)] == bill_pairs([a_bill(RENT, HEATING)], actual)

    def test_places_come_in_the_order_of_the_expected_bills(self) -> None:
        march, parking = a_bill(RENT, due="2026-03-01"), a_bill(PARKING, due="2026-05-01")
        heating = a_bill(HEATING, due="2026-04-01")
        expected, actual = [heating, a_bill(), march], [parking, march, a_bill(PARKING), a_bill()]

        assert [(0, None), (1, 3), (2, 1), (None, 0), (None, 2)] == bill_pairs(expected, actual)

    def test_bills_of_one_day_and_currency_are_paired_at_last(self) -> None:
        euro = a_bill(a_line(currency="EUR", product_key="key:heating"))

        assert [(0, 0)] == bill_pairs([a_bill()], [a_bill(HEATING)])
        assert [(0, None), (None, 0)] == bill_pairs([a_bill()], [euro])

    def test_bills_without_lines(self) -> None:
        empty = rb.PendingBill(a_bill().due, "DKK", 2, (), (), (0, 0, None))

        assert [(0, 0)] == bill_pairs([empty], [a_bill()])


class TestLines:
    """Lines find each other by product, then by what they say."""

    def test_a_line_for_another_product(self) -> None:
        other = a_line(product_key="key:Rent")
        (found,) = rb.compare_bills(a_bill(), a_bill(other))

        assert ("product", "key:rent", "key:Rent") == (found.code, found.expected, found.actual)

    @rows(
        "other",
        [
            a_line(
                product_key="key:x",
                amount="8501.00",
                unit_net_price="8500.00",
                net_price="8500.00",
            ),
            a_line(product_key="key:x", quantity=2, net_price="8500.00"),
            a_line(product_key="key:x", unit_net_price="8501.00"),
            a_line(product_key="key:x", net_price="8501.00"),
            a_line(product_key="key:x", vat="ReverseCharge"),
            a_line(product_key="key:x", period="2026-02-01/2026-02-27"),
        ],
        ids=["price", "quantity", "unit price", "net", "VAT", "days"],
    )
    def test_a_line_of_which_more_differs_stands_alone(self, other: object) -> None:
        (line,) = a_bill(other).lines  # type: ignore[arg-type]

        assert [(0, None), (None, 0)] == line_pairs([RENT], [line], "product")

    def test_by_product_and_period_no_other_product_is_taken(self) -> None:
        other = a_line(product_key="key:Rent")

        assert [(0, None), (None, 0)] == line_pairs([RENT], [other], "period")

    @rows(
        "wrong",
        [{"vat": "Exclusive 0.25"}, {"period": "2026-02-01/2026-02-27"}],
        ids=["VAT", "days"],
    )
    def test_the_same_days_and_vat_come_first(self, wrong: dict[str, Any]) -> None:
        lines = [
            a_line(amount="8600.00", **wrong),
            a_line(amount="8700.00"),
        ]

        assert [(0, 1), (None, 0)] == line_pairs([RENT], lines, "product")

    def test_the_product_comes_before_the_figures(self) -> None:
        later, twin = a_line(period="2026-03-01/2026-03-31"), a_line(product_key="key:twin")

        assert [(0, 1), (None, 0)] == line_pairs([RENT], [twin, later], "product")
