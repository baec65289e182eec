"""A check finds where a bill contradicts itself, and names the rule (EN 16931, A16-A30, A52)."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import (
    Amount,
    BillingPolicy,
    Finding,
    LeaseTerms,
    PendingBill,
    Vat,
    check_bill,
    dumps,
)
from rentbilling.billing import VatTotal
from rentbilling.checks import CheckResult
from rentbilling.checks.check import stated_findings
from rentbilling.checks.stated_bill import (
    Category,
    StatedBill,
    StatedLine,
    StatedTotal,
    plain_text,
    stated_bill,
)
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
from tests.support.rents import amount

QUARTER = "Exclusive 0.25"
GROSS = "Inclusive 0.25"
PARKING = a_line(product_key="key:parking", amount="100.00", vat=QUARTER)
PER_LINE = BillingPolicy(vat_rounding="per_line")


def codes(bill: PendingBill, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [(each.code, each.path) for each in check_bill(bill, **options)]


def vat_total(vat: str, tax: str, base: str) -> VatTotal:
    mode, _, rate = vat.partition(" ")
    units, net = (int(Decimal(text) * 100) for text in (tax, base))
    return VatTotal(Vat(mode, Decimal(rate) if rate else None), units, net, "DKK", 2)


class TestLines:
    """Net prices follow from quantity and price (EN 16931 BT-131)."""

    def test_a_right_bill_has_no_findings(self) -> None:
        """Rent, and parking with 25 percent on top: 8,500 + 100 + 25."""
        found = check_bill(a_bill(a_line(), PARKING))

        assert () == found.findings
        assert found.is_consistent
        assert "no findings" == str(found)

    def test_a_net_that_is_not_quantity_times_price(self) -> None:
        """3 × 33.33 are 99.99."""
        wrong = a_line(amount="33.33", quantity=3, net_price="100.00")
        (found,) = check_bill(a_bill(wrong))

        assert ("net_price", "error", "100.00", "99.99") == (
            found.code,
            found.severity,
            found.met,
            found.expected,
        )
        assert "pendingBillLineItems[0].netPrice" == found.path
        assert "EN 16931 BT-131" in found.rule

    def test_a_unit_price_without_vat_that_is_not_the_price(self) -> None:
        """A price that has no VAT in it is its own price without VAT (A21)."""
        wrong = a_line(amount="100.00", unit_net_price="100.01", vat=QUARTER)

        assert [("unit_net_price", "pendingBillLineItems[0].unitNetPrice")] == codes(a_bill(wrong))

    def test_an_inclusive_net_that_is_not_the_gross_without_vat(self) -> None:
        """125 with 25 percent in it are 100 net; 97 is no rounding."""
        wrong = a_line(amount="125.00", vat=GROSS, net_price="97.00")
        found = dict(codes(a_bill(wrong)))

        assert "pendingBillLineItems[0].netPrice" == found["net_price"]

    def test_an_inclusive_unit_price_that_does_not_make_its_net(self) -> None:
        """2 × 100.01 are 200.02, and the net is 200."""
        wrong = a_line(amount="125.00", vat=GROSS, quantity=2, unit_net_price="100.01")

        assert [("unit_net_price", "pendingBillLineItems[0].unitNetPrice")] == codes(a_bill(wrong))

    @pytest.mark.parametrize(
        ("net", "found"),
        [
            ("6666666666666.66", []),
            ("6666666666666.67", []),
            ("6666666666666.65", []),
            ("6666666666666.68", ["net_price"]),
        ],
    )
    def test_a_price_of_fifteen_digits_has_no_room_for_more(
        self, net: str, found: list[str]
    ) -> None:
        """2,000 × 3,333,333,333.33333; half of the price's last digit is worth 0.01 (A21)."""
        line = a_line(amount="3333333333.33333", quantity=2000, net_price=net)

        assert found == [code for code, _ in codes(a_bill(line))]

    def test_a_line_is_rounded_by_the_policy_of_its_product(self) -> None:
        """0.125 cut down is 0.12; half up it would be 0.13 (A54)."""
        own = BillingPolicy(by_product={"key:parking": BillingPolicy(rounding="down")})
        line = a_line(product_key="key:parking", amount="0.125", net_price="0.12")

        assert [] == codes(a_bill(line), policy=own)
        assert ["net_price"] == [code for code, _ in codes(a_bill(line))]


class TestVat:
    """VAT totals follow from the lines of their rate (EN 16931 BR-S-08, BR-CO-17, A29)."""

    def test_a_vat_that_is_not_base_times_rate(self) -> None:
        """25 percent of 100 are 25."""
        (found,) = check_bill(a_bill(PARKING, vat_totals={QUARTER: "25.02"}))

        assert ("vat_amount", "error", "vatTotals[0].amount") == found[:3]
        assert ("25.02", "25.00") == (found.met, found.expected)
        assert "EN 16931 BR-CO-17, BR-S-09" == found.rule

    def test_a_base_that_is_not_the_sum_of_its_lines(self) -> None:
        """100, and 25 percent of it are right; the base says 100.01."""
        bill = a_bill(PARKING, vat_totals=[vat_total(QUARTER, "25.00", "100.01")])

        assert [("vat_base", "vatTotals[0].base")] == codes(bill)

    def test_a_vat_that_another_convention_gives_is_told(self) -> None:
        """Two lines of 0.10: 0.03 each and 0.06 by the line, 0.05 for the rate."""
        lines = [a_line(product_key=key, amount="0.10", vat=QUARTER) for key in ("a", "b")]
        by_line = a_bill(*lines, policy=PER_LINE)
        (found,) = check_bill(by_line)

        assert ("vat_rounded_otherwise", "warning") == (found.code, found.severity)
        assert "is rounded for each line instead of once for the rate" == found.message
        assert [] == codes(by_line, policy=PER_LINE)
        (other,) = check_bill(a_bill(*lines), policy=PER_LINE)
        assert "is rounded once for the rate instead of for each line" == other.message
        assert check_bill(by_line).is_consistent

    def test_a_tolerance_forgives_what_is_near(self) -> None:
        """0.02 off and 0.05 allowed is information, 0.01 allowed an error."""
        bill = a_bill(PARKING, vat_totals={QUARTER: "25.02"})
        (near,) = check_bill(bill, tolerance=Decimal("0.02"))

        assert ("vat_within_tolerance", "information") == (near.code, near.severity)
        assert ["vat_amount"] == [code for code, _ in codes(bill, tolerance=Decimal("0.01"))]

    def test_vat_on_what_is_exempt(self) -> None:
        """An exempt rent has none (EN 16931 BR-E-09)."""
        bill = a_bill(a_line(), vat_totals={"Exempt": "1.00"})
        (found,) = check_bill(bill)

        assert ("vat_on_untaxed", "charges VAT on Exempt") == (found.code, found.message)

    def test_lines_without_a_vat_total(self) -> None:
        """Each mode and rate has one (A30)."""
        (found,) = check_bill(a_bill(PARKING, vat_totals=[]))

        assert ("vat_total_missing", "the VAT on 100.00") == (found.code, found.expected)
        assert "has none for Exclusive 25 %, of which there are lines" == found.message

    def test_a_vat_total_without_lines(self) -> None:
        """There is nothing at 12.5 percent; a total of nothing is no harm."""
        stray = vat_total("Exclusive 0.125", "1.00", "8.00")
        nothing = vat_total("Exclusive 0.125", "0.00", "0.00")
        plain = vat_total("Exempt", "0.00", "8500.00")
        (found,) = check_bill(a_bill(a_line(), vat_totals=[plain, stray]))

        assert ("vat_total_without_lines", "vatTotals[1].vat") == (found.code, found.path)
        assert "belongs to no line: there is none of Exclusive 12.5 %" == found.message
        assert [] == codes(a_bill(a_line(), vat_totals=[plain, nothing]))

    def test_a_vat_total_that_stands_there_twice(self) -> None:
        twice = [vat_total(QUARTER, "25.00", "100.00")] * 2

        assert [("vat_total_repeated", "vatTotals[1].vat")] == codes(
            a_bill(PARKING, vat_totals=twice)
        )

    def test_keeping_the_gross_is_right_and_told(self) -> None:
        """0.02 with 25 percent in it: VAT 0.00 (0.004), net 0.02; a quarter of that is 0.01."""
        (found,) = check_bill(a_bill(a_line(amount="0.02", vat=GROSS)))

        assert ("vat_of_gross", "information") == (found.code, found.severity)
        assert ("0.00", "0.01") == (found.met, found.expected)

    def test_a_gross_that_is_not_kept(self) -> None:
        """125 were promised; 100.01 and 25 are 125.01."""
        line = a_line(amount="125.00", vat=GROSS, net_price="100.01", unit_net_price="100.01")
        bill = a_bill(line, vat_totals=[vat_total(GROSS, "25.00", "100.01")])

        assert [("gross", "vatTotals[0]")] == codes(bill)

    def test_a_vat_that_is_not_in_the_gross(self) -> None:
        """A fifth of 125 is 25, and not 20."""
        line = a_line(amount="125.00", vat=GROSS)
        bill = a_bill(line, vat_totals=[vat_total(GROSS, "20.00", "100.00")])

        assert ["vat_amount"] == [code for code, _ in codes(bill)]


class TestSums:
    """Sums are sums of their parts (EN 16931 BR-CO-10 to BR-CO-16)."""

    def test_a_subtotal_that_is_not_the_sum_of_the_nets(self) -> None:
        """8,500 + 100, and the total follows the subtotal that is stated."""
        (found,) = check_bill(a_bill(a_line(), PARKING, subtotal="8600.01"))

        assert ("subtotal", "8600.01", "8600.00") == (found.code, found.met, found.expected)
        assert "EN 16931 BR-CO-10, BR-CO-13" == found.rule

    def test_a_total_that_is_not_subtotal_and_vat(self) -> None:
        """8,600 + 25."""
        (found,) = check_bill(a_bill(a_line(), PARKING, total="8625.01"))

        assert ("total", "8625.01", "8625.00") == (found.code, found.met, found.expected)

    def test_a_bill_without_lines(self) -> None:
        """There is nothing to pay for (EN 16931 BR-16)."""
        bill = PendingBill(739_648, "DKK", 2, [], [], (0, 0, None))

        assert [("no_lines", "pendingBillLineItems")] == codes(bill)

    @pytest.mark.parametrize(
        ("cash", "found"),
        [("0.20", []), ("-0.30", ["cash_rounding"]), (None, ["cash_rounding"])],
    )
    def test_cash_is_rounded_to_the_nearest_step(self, cash: str | None, found: list[str]) -> None:
        """8,500.30 is 0.20 below 8,500.50 (A52)."""
        policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
        bill = a_bill(a_line(amount="8500.30"), cash_rounding=cash)

        assert found == [code for code, _ in codes(bill, policy=policy)]

    def test_a_stated_sum_of_lines_and_of_vat_is_judged(self) -> None:
        """As other services state them: BT-106 and BT-110, and what was paid before."""
        stated = StatedBill(
            currency="EUR",
            places=2,
            lines=(StatedLine("line", Category("S", Fraction(1, 5)), Fraction(100)),),
            totals=(StatedTotal("vat", Category("S", Fraction(1, 5)), Fraction(20)),),
            line_sum=Fraction(99),
            tax_sum=Fraction(21),
            subtotal=Fraction(100),
            total=Fraction(121),
            prepaid=Fraction(21),
            payable=Fraction(99),
        )

        assert ["line_sum", "subtotal", "tax_sum", "payable"] == [
            each.code for each in stated_findings(stated, BillingPolicy())
        ]

    def test_what_is_not_stated_is_not_judged(self) -> None:
        taxed = Category("S", Fraction(1, 5), inclusive=True)
        lines = (
            StatedLine("net alone", taxed, Fraction(1)),
            StatedLine("gross", taxed, Fraction(10), quantity=Fraction(1), unit=Fraction(12)),
        )
        bare = StatedBill("EUR", 2, lines, ())

        assert ["vat_total_missing"] == [
            each.code for each in stated_findings(bare, BillingPolicy())
        ]


class TestOddLines:
    """The same thing billed twice is odd."""

    def test_equal_lines_of_one_item(self) -> None:
        found = check_bill(a_bill(a_line(), PARKING, PARKING))

        assert [("duplicate_line", "warning")] == [(each.code, each.severity) for each in found]
        assert "repeats pendingBillLineItems[1]" == found[0].message
        assert found.is_consistent

    def test_equal_lines_of_two_items(self) -> None:
        lines = [
            a_line(product_key="key:parking", amount="100.00", item_id=name) for name in ("a", "b")
        ]

        assert [] == codes(a_bill(*lines))

    def test_days_of_one_item_that_overlap(self) -> None:
        """The 15th of February is billed twice."""
        one, other = (
            a_line(period=days, item_id="rent")
            for days in ("2026-02-01/2026-02-15", "2026-02-15/2026-02-28")
        )
        (found,) = check_bill(a_bill(other, one))

        assert ("overlapping_periods", "2026-02-15/2026-02-28") == (found.code, found.met)
        assert "pendingBillLineItems[0].accountingPeriod" == found.path

    def test_balances_may_be_billed_for_the_same_days(self) -> None:
        """Instalments of two changes meet in one month (A39)."""
        lines = [a_line(item_id="deposit", kind="balance")] * 2

        assert [] == codes(a_bill(*lines))


class TestPlainData:
    """A bill may come as plain data, of which what cannot be read is found too."""

    DATA: dict[str, Any] = json.loads(
        dumps(a_bill(a_line(), PARKING)), parse_float=Decimal, parse_int=Decimal
    )

    def test_what_can_be_read_is_judged(self) -> None:
        payable = {"amount": Decimal("8625.50"), "currency": "DKK"}

        assert () == check_bill(self.DATA).findings
        assert ["payable"] == [each.code for each in check_bill({**self.DATA, "payable": payable})]

    def test_what_cannot_be_read_is_found(self) -> None:
        found = check_bill({**self.DATA, "dueDate": "soon", "total": 5})

        assert {"dueDate", "total"} <= {each.path.partition(".")[0] for each in found}
        assert {"error"} == {each.severity for each in found}

    def test_nothing_at_all_is_found(self) -> None:
        assert not check_bill({}).is_consistent


class TestCalls:
    """What is no bill is refused."""

    @pytest.mark.parametrize("given", [None, 5, ["bill"], LeaseTerms()], ids=repr)
    def test_what_is_no_bill(self, given: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidRecordError) as caught:
            check_bill(given)

        assert "not_bills" == caught.value.code

    def test_a_tolerance_is_an_exact_number(self) -> None:
        with pytest.raises(InvalidAmountError):
            check_bill(a_bill(), tolerance=0.05)  # type: ignore[arg-type]

    def test_a_tolerance_is_not_below_zero(self) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            check_bill(a_bill(), tolerance=Decimal("-0.05"))

        assert ("tolerance", "out_of_range") == caught.value.problems[0][:2]

    def test_results_compare_and_print(self) -> None:
        one = Finding("total", "error", "total", "is off", "1", "2", "BR")
        hint = one._replace(severity="information")
        result = CheckResult([one, hint])

        assert (one,) == result.errors
        assert f"<CheckResult 1 error, 2 findings: {one}; {hint}>" == repr(result)
        assert "error: total is off (met 1; expected 2) [BR]" == str(result).splitlines()[0]
        assert CheckResult([one, hint]) == result
        assert CheckResult([one]) != result


class TestStatedBills:
    """A bill is judged as it is stated."""

    def test_figures_are_exact(self) -> None:
        stated = stated_bill(a_bill(PARKING))

        assert ("DKK", Fraction(100), Fraction(125)) == (
            stated.currency,
            stated.subtotal,
            stated.total,
        )
        assert ("pendingBillLineItems[0]", Fraction(100)) == (
            stated.lines[0].path,
            stated.lines[0].unit,
        )
        assert [(Fraction(25), Fraction(100))] == [(each.tax, each.base) for each in stated.totals]

    def test_half_of_the_last_of_fifteen_digits_may_be_off(self) -> None:
        """0.000005 of 3,333,333,333.33333, 2,000 times: 0.01; of fewer digits nothing (A21)."""
        line = a_line(amount="3333333333.33333", quantity=2000)

        assert [Fraction(1, 100), Fraction(0)] == [
            each.slack for each in stated_bill(a_bill(line, a_line())).lines
        ]

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Fraction(25), "25"),
            (Fraction(-1, 8), "-0.125"),
            (Fraction(7, 20), "0.35"),
            (Fraction(2, 3), "2/3"),
            (Fraction(0), "0"),
            (Fraction(1, 10**30), f"0.{'0' * 29}1"),
        ],
        ids=str,
    )
    def test_a_figure_is_written_with_all_its_digits(self, value: Fraction, text: str) -> None:
        assert text == plain_text(value)

    def test_a_figure_finer_than_the_minor_unit_is_written_whole(self) -> None:
        """The unit price 100 / 3 has no end."""
        wrong = a_line(amount="125.00", vat=GROSS, quantity=3, unit_net_price="90.00")
        found = [each for each in check_bill(a_bill(wrong)) if each.code == "unit_net_price"]

        assert ["100.00"] == [each.expected for each in found]
        assert amount("300.00") == wrong.net_price
        assert Amount(300, "DKK") == wrong.net_price
