"""One wrong figure of a VAT total is told once, and by the figures that are right (A29)."""

from rentbilling import BillingPolicy
from tests.support.rows import rows
from tests.support.stated import (
    EXEMPT,
    GROSS_25,
    a_stated_bill,
    a_stated_line,
    a_stated_total,
    findings,
)

PER_LINE = BillingPolicy(vat_rounding="per_line")


def found(
    tax: str, base: str, lines: tuple[str, ...], policy: BillingPolicy | None = None
) -> list[tuple[str, str, str]]:
    """Return code and figures of what is found on lines without VAT, at 25 percent."""
    bill = a_stated_bill([a_stated_line(net) for net in lines], [a_stated_total(tax, base)])
    return [(each.code, each.met, each.expected) for each in findings(bill, policy)]


def found_of_gross(tax: str, *lines: tuple[str, str]) -> list[tuple[str, str, str]]:
    """Return code and figures of what is found on nets and prices with 25 percent in them."""
    made = [a_stated_line(net, GROSS_25, quantity=1, unit=price) for net, price in lines]
    base = str(sum(line.net for line in made))
    bill = a_stated_bill(made, [a_stated_total(tax, base, GROSS_25)])
    return [(each.code, each.met, each.expected) for each in findings(bill)]


class TestWrongBases:
    """Where the base is wrong, the VAT may follow the lines or the base."""

    @rows("policy", [None, PER_LINE], ids=["per rate", "per line"])
    @rows("tax", ["108.33", "0.25"])
    def test_a_vat_that_follows_either_is_no_second_error(
        self, tax: str, policy: BillingPolicy | None
    ) -> None:
        """25 percent of 433.30 are 108.325, of the stated 1.00 they are 0.25."""
        assert [("vat_base", "1.00", "433.30")] == found(tax, "1", ("433.3",), policy)

    def test_a_vat_that_follows_neither_is_told_by_the_lines(self) -> None:
        """108.33 is expected, and not a quarter of 1.00."""
        assert [("vat_base", "1.00", "433.30"), ("vat_amount", "108.34", "108.33")] == found(
            "108.34", "1", ("433.3",)
        )

    def test_another_rounding_of_the_lines_is_still_told(self) -> None:
        """By the line 0.03 + 0.03 instead of 0.05 of 0.20; the base says 0.30."""
        assert [("vat_base", "0.30", "0.20"), ("vat_rounded_otherwise", "0.06", "0.05")] == found(
            "0.06", "0.3", ("0.1", "0.1")
        )


class TestGross:
    """A VAT of prices with VAT in them is judged before their gross is."""

    def test_a_wrong_vat_alone(self) -> None:
        """100 net and the right 25 make the 125."""
        assert [("vat_amount", "20.00", "25.00")] == found_of_gross("20", ("100", "125"))

    def test_wrong_nets_alone(self) -> None:
        """100.01 and 25 are 125.01."""
        assert [("gross", "125.01", "125.00")] == found_of_gross("25", ("100.01", "125"))

    def test_both(self) -> None:
        """100.01 and 20 are 120.01, and with the right 25 they are 125.01."""
        assert [("gross", "120.01", "125.00"), ("vat_amount", "20.00", "25.00")] == found_of_gross(
            "20", ("100.01", "125")
        )

    def test_a_wrong_vat_that_keeps_the_gross(self) -> None:
        """100.01 and 24.99 are the 125; that the VAT is 25 is one finding."""
        assert [("vat_amount", "24.99", "25.00")] == found_of_gross("24.99", ("100.01", "125"))

    def test_a_vat_that_is_rounded_otherwise_makes_another_gross(self) -> None:
        """0.04 twice have 0.01 each (0.008) in them, 0.02 together (0.016), and 0.06 net."""
        assert [] == found_of_gross("0.02", ("0.03", "0.04"), ("0.03", "0.04"))

    def test_nothing_is_judged_by_a_rate_where_nothing_is_charged(self) -> None:
        bill = a_stated_bill([a_stated_line(100, EXEMPT)], [a_stated_total(0, 90, EXEMPT)])

        assert ["vat_base"] == [each.code for each in findings(bill)]
