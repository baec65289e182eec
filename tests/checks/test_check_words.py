"""A finding says all of it in one line: the field, what is the matter, both figures, the rule."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import BillingPolicy, check_bill
from rentbilling.checks.stated_bill import Category, StatedBill
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
from tests.support.stated import (
    EXEMPT,
    GROSS_25,
    a_stated_bill,
    a_stated_line,
    a_stated_total,
    findings,
)

PER_LINE = BillingPolicy(vat_rounding="per_line")
HALVES = BillingPolicy(cash_rounding={"EUR": Decimal("0.50")})
ZERO = Category("S", Fraction(0))
PRICE_RULE = "[EN 16931 BT-131, PEPPOL-EN16931-R120]"
VAT_RULE = "[EN 16931 BR-CO-17, BR-S-09]"
BASES_RULE = "[EN 16931 BT-116, BT-109]"
TWICE = "is repeated (met S 25 %; expected one total for each mode and rate)"
NEAR = "is off by no more than the tolerance"


def texts(bill: StatedBill, policy: BillingPolicy | None = None, tolerance: str = "0") -> list[str]:
    return [str(each) for each in findings(bill, policy, Fraction(tolerance))]


def printed(*lines: Any) -> list[str]:  # noqa: ANN401
    return [str(each) for each in check_bill(a_bill(*lines))]


class TestLines:
    """Of a line its net price and its unit price without VAT are judged (A21, A29)."""

    def test_a_net_price(self) -> None:
        """3 × 33.33 are 99.99, and 2 × 50 and a charge of 5 are 105."""
        lines = [
            a_stated_line(100, path="lines[0]", quantity=3, unit="33.33"),
            a_stated_line(95, path="lines[1]", quantity=2, unit=50, extra=5),
        ]

        assert [
            (
                "error: lines[0].netPrice is not quantity × price "
                f"(met 100.00; expected 99.99) {PRICE_RULE}"
            ),
            (
                "error: lines[1].netPrice is not quantity × price "
                f"(met 95.00; expected 105.00) {PRICE_RULE}"
            ),
        ] == texts(a_stated_bill(lines, [a_stated_total("48.75", 195)]))

    def test_a_unit_price_of_a_price_without_vat(self) -> None:
        lines = [a_stated_line(100, quantity=1, unit=100, unit_net="100.005")]

        assert [
            (
                "error: line.unitNetPrice is not the price, which has no VAT in it "
                "(met 100.005; expected 100.00) [EN 16931 BT-146, A21]"
            )
        ] == texts(a_stated_bill(lines, [a_stated_total(25, 100)]))

    def test_lines_without_quantity_or_price_are_passed_over(self) -> None:
        """The third has both, and 2 × 50 are not 101."""
        lines = [
            a_stated_line(100, quantity=1),
            a_stated_line(100, unit=100),
            a_stated_line(101, path="third", quantity=2, unit=50),
        ]

        assert [
            (
                f"error: third.netPrice is not quantity × price (met 101.00; expected 100.00) "
                f"{PRICE_RULE}"
            )
        ] == texts(a_stated_bill(lines, [a_stated_total("75.25", 301)]))

    def test_a_net_price_of_a_price_with_vat(self) -> None:
        """125 with 25 percent are 100 and 25: with 97 it is 122, and 24.25 would be base × rate."""
        lines = [a_stated_line(97, GROSS_25, quantity=1, unit=125)]

        assert [
            (
                "error: line.netPrice is not quantity × price without VAT "
                "(met 97.00; expected 100.00) [A29]"
            ),
            (
                "error: vat with its base does not make the gross of its lines "
                "(met 122.00; expected 125.00) [A29]"
            ),
            (
                "information: vat.amount preserves the gross, so it is not base × rate "
                "(met 25.00; expected 24.25) [EN 16931 BR-CO-17, A29]"
            ),
        ] == texts(a_stated_bill(lines, [a_stated_total(25, 97, GROSS_25)]))

    @pytest.mark.parametrize(
        ("net", "slack", "wrong"),
        [
            ("99.98", 0, True),
            ("99.99", 0, False),
            ("100.01", 0, False),
            ("100.02", 0, True),
            ("100.02", "0.03", False),
            ("100.04", "0.03", False),
            ("100.05", "0.03", True),
        ],
    )
    def test_a_net_price_of_a_price_with_vat_may_miss_by_less_than_two_units(
        self, net: str, slack: str | int, wrong: bool
    ) -> None:
        """100 by itself; with a price of so many digits that 0.03 is within it, by 0.03 more."""
        lines = [a_stated_line(net, GROSS_25, quantity=1, unit=125, slack=slack)]
        codes = {each.code for each in findings(a_stated_bill(lines))}

        assert wrong == ("net_price" in codes)

    def test_a_unit_price_of_a_price_with_vat(self) -> None:
        """3 × 125/3 with 25 percent are 100 net, each 100/3 and not 33."""
        lines = [a_stated_line(100, GROSS_25, quantity=3, unit="125/3", unit_net=33)]

        assert [
            (
                "error: line.unitNetPrice × quantity is not the net price "
                "(met 33.00; expected 100/3) [EN 16931 BT-146, PEPPOL-EN16931-R120]"
            )
        ] == texts(a_stated_bill(lines, [a_stated_total(25, 100, GROSS_25)]))

    def test_a_unit_price_of_nothing(self) -> None:
        """0 × 62.50 are 0, of which a unit costs nothing; 0.01 is near enough to be its net."""
        lines = [a_stated_line("0.01", GROSS_25, quantity=0, unit="62.5", unit_net=50)]

        assert (
            "error: line.unitNetPrice × quantity is not the net price "
            "(met 50.00; expected 0.00) [EN 16931 BT-146, PEPPOL-EN16931-R120]"
        ) == texts(a_stated_bill(lines))[0]

    def test_a_price_with_vat_and_no_quantity_is_that_of_one(self) -> None:
        """125 once are 100 and 25."""
        lines = [a_stated_line(100, GROSS_25, unit=125)]

        assert [] == texts(a_stated_bill(lines, [a_stated_total(25, 100, GROSS_25)]))


class TestSums:
    """Of the sums each is judged by its parts (EN 16931 BR-CO-10 to BR-CO-16)."""

    def test_all_of_them(self) -> None:
        """100, 10, 4 and 23.50 are the parts; 101 - 11 + 5 = 95; 94 + 24 = 118; 119 - 20 = 99."""
        bill = a_stated_bill(
            [
                a_stated_line(100),
                a_stated_line(-10, kind="allowance"),
                a_stated_line(4, kind="charge"),
            ],
            [a_stated_total("23.5", 94)],
            line_sum=101,
            allowance_sum=11,
            charge_sum=5,
            subtotal=94,
            tax_sum=24,
            total=119,
            prepaid=20,
            payable=98,
        )

        assert [
            (
                "error: lineSum is not the sum of the lines "
                "(met 101.00; expected 100.00) [EN 16931 BR-CO-10]"
            ),
            (
                "error: allowanceSum is not the sum of the allowances "
                "(met 11.00; expected 10.00) [EN 16931 BR-CO-11]"
            ),
            (
                "error: chargeSum is not the sum of the charges "
                "(met 5.00; expected 4.00) [EN 16931 BR-CO-12]"
            ),
            (
                "error: subtotal is not the sum of lines, allowances and charges "
                "(met 94.00; expected 95.00) [EN 16931 BR-CO-13]"
            ),
            (
                "error: taxSum is not the sum of the VAT totals "
                "(met 24.00; expected 23.50) [EN 16931 BR-CO-14]"
            ),
            (
                "error: total is not subtotal + VAT totals "
                "(met 119.00; expected 118.00) [EN 16931 BR-CO-15]"
            ),
            (
                "error: payable is not total + rounding - what was paid "
                "(met 98.00; expected 99.00) [EN 16931 BR-CO-16]"
            ),
        ] == texts(bill)

    def test_of_lines_and_vat_totals_alone(self) -> None:
        """100 of lines; 101 and 25 are 126."""
        bill = a_stated_bill([a_stated_line(100)], [a_stated_total(25, 100)])
        summed = bill._replace(subtotal=Fraction(101), total=Fraction(127))

        assert [
            (
                "error: subtotal is not the sum of the net prices "
                "(met 101.00; expected 100.00) [EN 16931 BR-CO-10, BR-CO-13]"
            ),
            (
                "error: total is not subtotal + VAT totals "
                "(met 127.00; expected 126.00) [EN 16931 BR-CO-14, BR-CO-15]"
            ),
        ] == texts(summed)

    def test_of_no_lines(self) -> None:
        assert [
            (
                "error: pendingBillLineItems has no line (met 0 lines; expected at least one) "
                "[EN 16931 BR-16]"
            )
        ] == texts(a_stated_bill())

    def test_cash_rounding(self) -> None:
        """100.30 lacks 0.20 to 100.50 (A52)."""
        bill = a_stated_bill([a_stated_line("100.3", None)], total="100.3")

        assert [
            (
                "error: cashRounding does not bring the total to a multiple of 0.50 "
                "(met 0.00; expected 0.20) [EN 16931 BT-114, A52]"
            )
        ] == texts(bill, HALVES)

    def test_cash_is_rounded_in_the_mode_of_the_policy(self) -> None:
        """Cut down, 100.30 are 100 (A52)."""
        bill = a_stated_bill([a_stated_line("100.3", None)], total="100.3", cash_rounding="-0.3")

        assert [] == texts(bill, HALVES.evolve(rounding="down"))

    @pytest.mark.parametrize(
        ("cash", "prepaid", "payable"),
        [(None, None, "100.3"), ("0.2", None, "100.5"), ("0.2", "50.5", 50), (None, 20, "80.3")],
    )
    def test_what_is_to_be_paid(
        self, cash: str | None, prepaid: int | str | None, payable: int | str
    ) -> None:
        """The total 100.30, with its rounding, less what was paid."""
        bill = a_stated_bill(
            [a_stated_line("100.3", None)],
            total="100.3",
            cash_rounding=cash,
            prepaid=prepaid,
            payable=payable,
        )

        assert [] == texts(bill)


class TestVat:
    """Of VAT totals the tax and the base are judged, and whether they are there (A29, A30)."""

    def test_a_base(self) -> None:
        """101 for 100, taxed as stated; what is charged at 0 percent is zero rated."""
        plain = a_stated_bill([a_stated_line(100)], [a_stated_total("25.25", 101)])
        zero = a_stated_bill([a_stated_line(100, ZERO)], [a_stated_total(0, 101, ZERO)])
        said = "error: vat.base is not the sum of its lines (met 101.00; expected 100.00)"

        assert [f"{said} [EN 16931 BR-S-08]"] == texts(plain)
        assert [f"{said} [EN 16931 BR-Z-08]"] == texts(zero)
        assert [
            f"information: vat.base {NEAR} (met 101.00; expected 100.00) [EN 16931 BR-S-08]"
        ] == texts(plain, tolerance="1")

    def test_all_bases_together(self) -> None:
        """60 and 40 are not the 90 of the line."""
        bill = a_stated_bill(
            [a_stated_line(90, None)], [a_stated_total(15, 60), a_stated_total(0, 40, EXEMPT)]
        )

        assert [
            (
                "error: vatTotals have bases that do not add up to the subtotal "
                f"(met 100.00; expected 90.00) {BASES_RULE}"
            )
        ] == texts(bill)
        assert [
            f"information: vatTotals {NEAR} (met 100.00; expected 90.00) {BASES_RULE}"
        ] == texts(bill, tolerance="10")

    def test_all_bases_follow_the_subtotal_that_is_stated(self) -> None:
        bill = a_stated_bill([a_stated_line(90, None)], [a_stated_total(25, 100)], subtotal=100)

        assert ["subtotal"] == [each.code for each in findings(bill)]

    def test_a_tax(self) -> None:
        """25 percent of 100 are 25."""
        bill = a_stated_bill([a_stated_line(100)], [a_stated_total("25.02", 100)])
        figures = "(met 25.02; expected 25.00)"

        assert [f"error: vat.amount is not base × rate {figures} {VAT_RULE}"] == texts(bill)
        assert [f"information: vat.amount {NEAR} {figures} {VAT_RULE}"] == texts(
            bill, tolerance="0.02"
        )

    def test_a_tax_of_nothing_where_the_lines_are_not_known(self) -> None:
        """25 percent of 60 are 15, and no rounding makes them 0."""
        bill = a_stated_bill([a_stated_line(60, None)], [a_stated_total(0, 60)])

        assert [
            f"error: vat.amount is not base × rate (met 0.00; expected 15.00) {VAT_RULE}"
        ] == texts(bill)

    def test_a_tax_at_zero_percent_where_nothing_else_is_known(self) -> None:
        bill = a_stated_bill((), [a_stated_total(10, None, ZERO)])._replace(has_lines=False)

        assert [
            (
                "error: vat.amount is not base × rate (met 10.00; expected 0.00) "
                "[EN 16931 BR-CO-17, BR-Z-09]"
            )
        ] == texts(bill, PER_LINE)

    def test_a_tax_that_is_rounded_otherwise(self) -> None:
        """0.03 twice, and 0.05 for 0.20."""
        lines = [a_stated_line("0.1"), a_stated_line("0.1")]

        assert [
            (
                "warning: vat.amount is rounded for each line instead of once for the rate "
                "(met 0.06; expected 0.05) [EN 16931 BR-CO-17, BR-S-09, A29]"
            )
        ] == texts(a_stated_bill(lines, [a_stated_total("0.06", "0.2")]))

    def test_a_tax_in_prices_with_vat_that_is_rounded_otherwise(self) -> None:
        """A fifth of 0.06 is 0.01 (0.012), and of 0.03 it is 0.01 (0.006), twice 0.02."""
        lines = [a_stated_line(net, GROSS_25, quantity=1, unit="0.03") for net in ("0.03", "0.02")]
        bill = a_stated_bill(lines, [a_stated_total("0.01", "0.05", GROSS_25)])

        assert [] == texts(bill)
        assert [
            (
                "warning: vat.amount is rounded once for the rate instead of for each line "
                "(met 0.01; expected 0.02) [EN 16931 BR-CO-17, BR-S-09, A29]"
            )
        ] == texts(bill, PER_LINE)

    def test_a_tax_on_what_is_exempt(self) -> None:
        bill = a_stated_bill([a_stated_line(100, EXEMPT)], [a_stated_total(1, 100, EXEMPT)])

        assert [
            "error: vat.amount charges VAT on E (met 1.00; expected 0.00) [EN 16931 BR-E-09]"
        ] == texts(bill)

    def test_a_total_that_is_missing(self) -> None:
        """Of nothing it is odd, of 100 wrong."""
        said = "vatTotals has none for S 25 %, of which there are lines"
        rule = "[EN 16931 BR-CO-18, BR-S-01, A30]"

        assert [f"error: {said} (met nothing; expected the VAT on 100.00) {rule}"] == texts(
            a_stated_bill([a_stated_line(100)])
        )
        assert [f"warning: {said} (met nothing; expected the VAT on 0.00) {rule}"] == texts(
            a_stated_bill([a_stated_line(0)])
        )

    @pytest.mark.parametrize(
        ("tax", "base", "met"), [(2, 8, "8.00"), (1, None, "1.00"), (0, 0, None), (0, None, None)]
    )
    def test_a_total_of_no_line(self, tax: int, base: int | None, met: str | None) -> None:
        bill = a_stated_bill(
            [a_stated_line(100, EXEMPT)],
            [a_stated_total(0, 100, EXEMPT), a_stated_total(tax, base, path="stray")],
        )
        said = "error: stray.vat belongs to no line: there is none of S 25 %"
        expected = [] if met is None else [f"{said} (met {met}; expected 0.00) [EN 16931 BR-S-08]"]

        assert expected == texts(bill)


class TestRepeatedTotals:
    """Several totals of a category are judged by their bases, or together (A30)."""

    LINES = (a_stated_line(200), a_stated_line(100))

    def test_that_are_right(self) -> None:
        """50 of 200 and 25 of 100."""
        totals = [a_stated_total(50, 200), a_stated_total(25, 100, path="second")]

        assert [f"warning: second.vat {TWICE} [EN 16931 BG-23, A30]"] == texts(
            a_stated_bill(self.LINES, totals)
        )

    def test_of_which_one_is_wrong(self) -> None:
        """26 of 100."""
        totals = [a_stated_total(50, 200), a_stated_total(26, 100, path="second")]

        assert [
            f"error: second.amount is not base × rate (met 26.00; expected 25.00) {VAT_RULE}",
            f"warning: second.vat {TWICE} [EN 16931 BG-23, A30]",
        ] == texts(a_stated_bill(self.LINES, totals))

    @pytest.mark.parametrize(
        ("bases", "policy"),
        [((None, None), None), ((200, None), None), ((200, 100), PER_LINE)],
        ids=["no base", "one base", "per line"],
    )
    def test_that_can_only_be_judged_together(
        self, bases: tuple[int | None, int | None], policy: BillingPolicy | None
    ) -> None:
        """50 and 26 are 76, and 25 percent of 300 are 75."""
        totals = [a_stated_total(50, bases[0]), a_stated_total(26, bases[1], path="second")]

        assert [
            f"error: vat.amount is not base × rate (met 76.00; expected 75.00) {VAT_RULE}",
            f"warning: second.vat {TWICE} [EN 16931 BG-23, A30]",
        ] == texts(a_stated_bill(self.LINES, totals), policy)

    def test_of_prices_with_vat(self) -> None:
        """375 have 75 in them, and not 25 + 51; with the right VAT the nets make the gross."""
        lines = [
            a_stated_line(net, GROSS_25, quantity=1, unit=unit)
            for net, unit in ((100, 125), (200, 250))
        ]
        totals = [a_stated_total(25, 100, GROSS_25), a_stated_total(51, 200, GROSS_25, path="2nd")]

        assert [
            (
                "error: vat.amount is not the VAT in the gross of its lines "
                "(met 76.00; expected 75.00) [A29]"
            ),
            f"warning: 2nd.vat {TWICE} [EN 16931 BG-23, A30]",
        ] == texts(a_stated_bill(lines, totals))


class TestOddLines:
    """Lines that bill the same thing twice are told with their places (A16, A19)."""

    PARKING = a_line(product_key="key:parking", amount="100.00")

    def test_the_same_line_again(self) -> None:
        deposit = a_line(product_key="key:deposit", kind="balance")

        assert [
            (
                "warning: pendingBillLineItems[2] repeats pendingBillLineItems[1] "
                "(met key:parking 2026-02-01/2026-02-28; "
                "expected one line, or two items by their ids) [A16]"
            )
        ] == printed(deposit, self.PARKING, self.PARKING)

    def test_days_of_one_item_again(self) -> None:
        """The 15th, in whichever order the lines stand."""
        one, other = (
            a_line(period=days, item_id="rent")
            for days in ("2026-02-01/2026-02-15", "2026-02-15/2026-02-28")
        )

        assert [
            (
                "warning: pendingBillLineItems[0].accountingPeriod bills days of "
                "pendingBillLineItems[1] again "
                "(met 2026-02-15/2026-02-28; expected no day of 2026-02-01/2026-02-15) [A19]"
            )
        ] == printed(other, one)

    def test_days_that_begin_together_are_told_in_their_order(self) -> None:
        month, half = (
            a_line(period=days, item_id="rent")
            for days in ("2026-02-01/2026-02-28", "2026-02-01/2026-02-15")
        )

        assert [
            (
                "warning: pendingBillLineItems[1].accountingPeriod bills days of "
                "pendingBillLineItems[0] again "
                "(met 2026-02-01/2026-02-15; expected no day of 2026-02-01/2026-02-28) [A19]"
            )
        ] == printed(month, half)


class TestCalls:
    """What cannot be judged is told or refused in full."""

    def test_what_cannot_be_read(self) -> None:
        found = check_bill({"dueDate": 5})

        assert ("not_a_date", "missing") == (found[0].code, found[1].code)
        assert [
            "error: dueDate is not a date (met 5; expected YYYY-MM-DD) [interface: pending bills]",
            (
                "error: pendingBillLineItems is required (met nothing; expected a value) "
                "[interface: pending bills]"
            ),
        ] == [str(each) for each in found][:2]

    @pytest.mark.parametrize(
        ("tolerance", "text"),
        [
            (
                0.05,
                (
                    "tolerance: is not an exact number "
                    "(met 0.05; expected a Decimal or a whole number, such as Decimal('0.05'))"
                ),
            ),
            (-1, "tolerance: is below 0 (met -1; expected 0 or more)"),
        ],
    )
    def test_a_tolerance(self, tolerance: Any, text: str) -> None:  # noqa: ANN401
        """It is exact, and not below 0."""
        with pytest.raises(InvalidAmountError) as caught:
            check_bill(a_bill(), tolerance=tolerance)

        assert text == str(caught.value)

    def test_what_is_no_bill(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            check_bill(5)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

        kinds = "a BillingResult, a PendingBill, several, a JSON text, or its data"
        assert f"bill: holds no bills (met 5; expected {kinds})" == str(caught.value)

    def test_what_is_no_bill_among_others(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            check_bill(["bill", a_bill(), None])

        kinds = "a PendingBill, or its data"
        assert [
            f"bills[0]: is no bill (met 'bill'; expected {kinds})",
            f"bills[2]: is no bill (met None; expected {kinds})",
        ] == [str(problem) for problem in caught.value.problems]
