"""Checks of what other services and standards state: sums apart, allowances, categories, gaps."""

from fractions import Fraction

import pytest

from rentbilling import BillingPolicy
from rentbilling.checks.stated_bill import Category, StatedLine
from tests.support.stated import (
    EXEMPT,
    a_stated_bill,
    a_stated_line,
    a_stated_total,
    findings,
    found,
)


class TestSums:
    """Each sum is judged by its parts as they are stated (EN 16931 BR-CO-10 to BR-CO-15)."""

    LINES = (
        a_stated_line(100),
        a_stated_line(-10, kind="allowance"),
        a_stated_line(4, kind="charge"),
    )
    TOTALS = (a_stated_total("23.5", 94),)

    def test_allowances_and_charges_of_the_whole_bill(self) -> None:
        """100 - 10 + 4 are 94."""
        bill = a_stated_bill(
            self.LINES, self.TOTALS, line_sum=100, allowance_sum=10, charge_sum=4, subtotal=94
        )

        assert [] == found(bill)

    @pytest.mark.parametrize(
        ("sums", "code", "rule"),
        [
            ({"allowance_sum": 11, "subtotal": 93}, "allowance_sum", "EN 16931 BR-CO-11"),
            ({"charge_sum": 5, "subtotal": 95}, "charge_sum", "EN 16931 BR-CO-12"),
            ({"line_sum": 101, "subtotal": 95}, "line_sum", "EN 16931 BR-CO-10"),
            ({"line_sum": 100, "subtotal": 95}, "subtotal", "EN 16931 BR-CO-13"),
        ],
    )
    def test_a_sum_that_is_stated_wrong(self, sums: dict[str, int], code: str, rule: str) -> None:
        (wrong,) = findings(a_stated_bill(self.LINES, self.TOTALS, **sums))

        assert (code, "error", rule) == (wrong.code, wrong.severity, wrong.rule)

    def test_sums_without_lines(self) -> None:
        """95 - 9 + 14 are 100, of which the bases are; nothing says what the lines are."""
        bill = a_stated_bill(
            (a_stated_line(-9, kind="allowance"), a_stated_line(14, EXEMPT, kind="charge")),
            [a_stated_total(10, 40), a_stated_total(0, 60, EXEMPT)],
            line_sum=95,
            allowance_sum=9,
            charge_sum=14,
            subtotal=100,
            total=110,
        )._replace(has_lines=False)

        assert [] == found(bill)
        assert [("subtotal", "error"), ("total", "error")] == found(
            bill._replace(subtotal=Fraction(101), totals=())
        )

    def test_a_total_whose_parts_are_not_all_stated(self) -> None:
        half = a_stated_bill([a_stated_line(100)], [a_stated_total(None, 100)], total=130)
        alone = a_stated_bill((), (), total=130)._replace(has_lines=False)

        assert [] == found(half)
        assert [] == found(alone)


class TestUnknownCategories:
    """Where a line or a VAT total does not say its category, only the whole can be judged."""

    def test_bases_are_together_the_subtotal(self) -> None:
        """60 at 25 percent and 40 exempt are the 100 of the line."""
        totals = [a_stated_total(15, 60), a_stated_total(0, 40, EXEMPT)]

        assert [] == found(a_stated_bill([a_stated_line(100, None)], totals))
        assert [("vat_base", "error")] == found(a_stated_bill([a_stated_line(90, None)], totals))

    def test_a_tax_follows_from_the_base(self) -> None:
        """25 percent of 60 are 15; for each line cannot be known."""
        bill = a_stated_bill([a_stated_line(60, None)], [a_stated_total(16, 60)])

        assert [("vat_amount", "error")] == found(bill)
        assert [] == findings(bill, BillingPolicy(vat_rounding="per_line"))

    def test_a_total_of_no_category_is_not_judged_by_a_rate(self) -> None:
        bill = a_stated_bill(
            [a_stated_line(100)], [a_stated_total(16, None, None)], tax_sum=16, total=116
        )

        assert [] == found(bill)
        assert [("tax_sum", "error"), ("total", "error")] == found(
            bill._replace(tax_sum=Fraction(17))
        )

    def test_zero_percent_of_an_unknown_base_is_known(self) -> None:
        """10 of VAT on a zero rate is wrong whatever the base."""
        bill = a_stated_bill((), [a_stated_total(10, None, Category("Z", Fraction(0)))])

        (wrong,) = findings(bill._replace(has_lines=False))

        assert ("vat_amount", "EN 16931 BR-CO-17, BR-Z-09") == (wrong.code, wrong.rule)


class TestRepeatedTotals:
    """Two totals of a category are odd where they are right together (A30)."""

    LINES = (a_stated_line(200), a_stated_line(100))

    def test_two_that_share_the_lines(self) -> None:
        """200 and 100 of 300."""
        bill = a_stated_bill(self.LINES, [a_stated_total(50, 200), a_stated_total(25, 100)])

        assert [("vat_total_repeated", "warning")] == found(bill)

    def test_each_is_taxed_by_its_own_base(self) -> None:
        """0.02 at 25 percent is 0.01 (0.005) twice, and once for 0.04 as well; 0.02 is right."""
        cents = [a_stated_line("0.02"), a_stated_line("0.02")]
        apart = [a_stated_total("0.01", "0.02"), a_stated_total("0.01", "0.02")]

        assert [("vat_total_repeated", "warning")] == found(a_stated_bill(cents, apart))

    def test_one_of_them_is_wrong(self) -> None:
        """25 percent of 100 are 25."""
        bill = a_stated_bill(self.LINES, [a_stated_total(50, 200), a_stated_total(26, 100)])

        assert [("vat_amount", "error"), ("vat_total_repeated", "warning")] == found(bill)

    def test_the_same_again(self) -> None:
        """One total for 300, twice."""
        bill = a_stated_bill(self.LINES, [a_stated_total(75, 300), a_stated_total(75, 300)])

        assert [("vat_total_repeated", "error")] == found(bill)


class TestRules:
    """A finding names the rule of its category, as EN 16931 calls it."""

    @pytest.mark.parametrize(
        ("name", "family"),
        [
            ("Exclusive", "S"),
            ("S", "S"),
            ("L", "AF"),
            ("M", "AG"),
            ("Z", "Z"),
        ],
    )
    def test_of_a_base(self, name: str, family: str) -> None:
        """A base of 101 for lines of 100."""
        category = Category(name, Fraction(0) if name == "Z" else Fraction(1, 4))
        tax = 101 * category.rate
        bill = a_stated_bill(
            [a_stated_line(100, category)], [a_stated_total(str(tax), 101, category)]
        )

        assert [f"EN 16931 BR-{family}-08"] == [each.rule for each in findings(bill)]

    @pytest.mark.parametrize(
        ("name", "family"),
        [("Exempt", "E"), ("ReverseCharge", "AE"), ("K", "IC"), ("G", "G"), ("O", "O")],
    )
    def test_of_vat_that_is_charged_on_nothing_taxed(self, name: str, family: str) -> None:
        """1 of VAT on an untaxed 100."""
        category = Category(name, Fraction(0), taxed=False)
        bill = a_stated_bill([a_stated_line(100, category)], [a_stated_total(1, 100, category)])

        assert [f"EN 16931 BR-{family}-09"] == [each.rule for each in findings(bill)]

    def test_of_a_category_that_the_standard_does_not_know(self) -> None:
        category = Category("NG", Fraction(1, 4))
        bill = a_stated_bill([a_stated_line(100, category)], [a_stated_total(30, 101, category)])

        assert ["EN 16931 BG-23", "EN 16931 BR-CO-17, BG-23"] == [
            each.rule for each in findings(bill)
        ]

    def test_lines_of_nothing_need_no_total(self) -> None:
        bill = a_stated_bill([a_stated_line(0), a_stated_line(1, EXEMPT)], [])

        assert [("vat_total_missing", "warning"), ("vat_total_missing", "error")] == found(bill)


class TestTolerance:
    """A tolerance is for the VAT of a rate and for its base (EN 16931 BR-S-08, BR-CO-17)."""

    def test_a_base_within_it(self) -> None:
        """0.50 off is information, 0.51 an error; nothing is forgiven what is exempt."""
        half = Fraction(1, 2)
        near, far = (
            a_stated_bill([a_stated_line(100)], [a_stated_total(tax, base)])
            for tax, base in (("25.13", "100.50"), ("25.13", "100.51"))
        )
        exempt = a_stated_bill([a_stated_line(100, EXEMPT)], [a_stated_total(0, "100.5", EXEMPT)])

        assert ["vat_within_tolerance"] == [each.code for each in findings(near, None, half)]
        assert ["vat_base"] == [each.code for each in findings(far, None, half)]
        assert ["vat_base"] == [each.code for each in findings(exempt, None, half)]


def test_the_unit_price_of_an_inclusive_line_without_quantity_or_with_an_allowance() -> None:
    """2 × 62.50 - 25 are 100 with 25 percent: 80 net, 2 × 50 - 20; 0 × anything is not 80."""
    gross = Category("S", Fraction(1, 4), inclusive=True)
    line = StatedLine(
        "line",
        gross,
        net=Fraction(80),
        quantity=Fraction(2),
        unit=Fraction(125, 2),
        unit_net=Fraction(50),
        extra=Fraction(-25),
    )
    totals = [a_stated_total(20, 80, gross)]

    assert [] == found(a_stated_bill([line], totals))
    (wrong,) = findings(a_stated_bill([line._replace(unit_net=Fraction(49))], totals))
    assert ("unit_net_price", "49.00", "50.00") == (wrong.code, wrong.met, wrong.expected)
    none = line._replace(quantity=Fraction(0), extra=Fraction(0))
    assert {
        ("net_price", "0.00"),
        ("unit_net_price", "0.00"),
        ("gross", "0.00"),
        ("vat_amount", "0.00"),
    } == {(each.code, each.expected) for each in findings(a_stated_bill([none], totals))}


def test_an_inclusive_line_without_a_price_tells_no_gross() -> None:
    gross = Category("S", Fraction(1, 4), inclusive=True)

    assert [] == found(a_stated_bill([a_stated_line(80, gross)], [a_stated_total(19, 80, gross)]))
