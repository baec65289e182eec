"""The whole numbers behind a line: VAT of a group, and prices that add up."""

from dataclasses import FrozenInstanceError
from decimal import Decimal
from typing import Final, cast

import pytest

from rentbilling.billing import (
    LineFigures,
    PendingBillLineItem,
    VatGroup,
    shown_unit,
    shown_unit_net,
)
from rentbilling.errors import UnknownWordError
from rentbilling.values import Amount, Notice, Period, Rounding, Vat

JANUARY: Final = Period.parse("2026-01-01/2026-01-31")


def figures_of(vat: Vat, amount: str, net: str, quantity: str = "1") -> LineFigures:
    return PendingBillLineItem(
        product_key="key:rent",
        amount=Amount(Decimal(amount), "DKK"),
        net_price=Amount(Decimal(net), "DKK"),
        quantity=Decimal(quantity),
        vat=vat,
        accounting_period=JANUARY,
    ).figures


class TestVatGroups:
    """One tax mode at one rate, reckoned in minor units and rounded once (A29)."""

    @pytest.mark.parametrize(
        ("rate", "net", "mode", "expected"),
        [
            # 25 % of 8500.00 is 2125.00.
            ("0.25", 850_000, "half_up", 212_500),
            # 5.5 % of 0.10 is 0.0055: 0.55 of a cent.
            ("0.055", 10, "half_up", 1),
            ("0.055", 10, "down", 0),
            # 25 % of 0.02 is half a cent: a tie.
            ("0.25", 2, "half_up", 1),
            ("0.25", 2, "half_even", 0),
            ("0.25", -2, "half_up", -1),
            ("0", 850_000, "up", 0),
            ("1", 850_000, "half_up", 850_000),
        ],
    )
    def test_vat_comes_on_top_of_a_net_amount(
        self, rate: str, net: int, mode: Rounding, expected: int
    ) -> None:
        """Net × rate, rounded once; a credit like its charge (A26)."""
        group = VatGroup(Vat("Exclusive", Decimal(rate)))

        assert expected == group.vat_on_net(net, mode)

    @pytest.mark.parametrize(
        ("rate", "gross", "mode", "vat", "net"),
        [
            # 1000.00 at 25 %: 1000 × 0.25 / 1.25 = 200.
            ("0.25", 100_000, "half_up", 20_000, 80_000),
            # 100.00 at 19 %: 19 / 1.19 = 15.966…, 100 / 1.19 = 84.033….
            ("0.19", 10_000, "half_up", 1597, 8403),
            ("0.19", -10_000, "half_up", -1597, -8403),
            # 0.01 at 100 % is half a cent each way; both round up, and then do not sum.
            ("1", 1, "half_up", 1, 1),
            ("1", 1, "half_down", 0, 0),
            ("0", 10_000, "half_up", 0, 10_000),
        ],
    )
    def test_vat_is_taken_out_of_a_gross_amount(
        self, rate: str, gross: int, mode: Rounding, vat: int, net: int
    ) -> None:
        """Gross × r / (1 + r) is VAT, gross / (1 + r) is net, each rounded once (A29)."""
        group = VatGroup(Vat("Inclusive", Decimal(rate)))

        assert (vat, net) == (group.vat_in_gross(gross, mode), group.net_in_gross(gross, mode))

    @pytest.mark.parametrize(
        ("vat", "taxed", "inclusive", "shown"),
        [
            (Vat("Exclusive", Decimal("0.25")), True, False, Vat("Exclusive", Decimal("0.25"))),
            (Vat("Inclusive", Decimal("0.25")), True, True, Vat("Inclusive", Decimal("0.25"))),
            (Vat("Exempt"), False, False, Vat("Exempt")),
            (Vat("ReverseCharge", Decimal("0.25")), False, False, Vat("ReverseCharge")),
        ],
        ids=repr,
    )
    def test_an_untaxed_group_shows_no_rate(
        self, vat: Vat, taxed: bool, inclusive: bool, shown: Vat
    ) -> None:
        """A rate beside it charges nothing, so the total does not name it (A28, A30)."""
        group = VatGroup(vat)

        assert (taxed, inclusive, shown) == (group.taxed, group.inclusive, group.vat)

    @pytest.mark.parametrize(
        "vat", [Vat("Exempt", Decimal("0.25")), Vat("ReverseCharge")], ids=repr
    )
    def test_an_untaxed_group_charges_nothing(self, vat: Vat) -> None:
        """Whatever rate was given (A28)."""
        group = VatGroup(vat)

        assert (Decimal(0), 0) == (group.rate, group.vat_on_net(850_000, "up"))

    def test_an_unknown_rounding_is_refused(self) -> None:
        with pytest.raises(UnknownWordError):
            VatGroup(Vat("Exempt")).vat_on_net(0, cast("Rounding", "bankers"))


class TestPrintedPrices:
    """What is printed gives the line when it is multiplied and rounded (A21)."""

    def test_one_unit_costs_what_the_line_says(self) -> None:
        """4661.29 for 17 of 31 days of 8500, whatever the exact price was."""
        price = shown_unit(466_129, Decimal(1), 144_500, 31, 2, "half_up")

        assert "4661.29" == str(price)

    def test_several_units_cost_a_price_that_multiplies_to_the_line(self) -> None:
        """3 for 100.00: 33.333 × 3 = 99.999, rounded 100.00; 33.33 would only make 99.99."""
        price = shown_unit(10_000, Decimal(3), 100, 3, 2, "half_up")

        assert "33.333" == str(price)

    def test_the_net_price_of_an_inclusive_unit_is_without_its_vat(self) -> None:
        """10 at 12.50 with 25 %: 100.00 net, so 10.00 each."""
        group = VatGroup(Vat("Inclusive", Decimal("0.25")))

        price = shown_unit_net(10_000, Decimal(10), (25, 2), group, 2, "half_up")

        assert "10.00" == str(price)

    def test_a_net_line_that_was_corrected_has_a_price_that_gives_it(self) -> None:
        """A cent more on 10 units: 10.00 makes 100.00, and 10.001 makes 100.01."""
        group = VatGroup(Vat("Inclusive", Decimal("0.25")))

        price = shown_unit_net(10_001, Decimal(10), (25, 2), group, 2, "half_up")

        assert "10.001" == str(price)


class TestLineFigures:
    """Made once for a price in force and shared by many lines, so that nobody can change them."""

    def test_figures_cannot_be_changed(self) -> None:
        figures = figures_of(Vat("Exempt"), "8500.00", "8500.00")
        name = "net"

        with pytest.raises(FrozenInstanceError):
            setattr(figures, name, 1)

    def test_figures_are_told_apart_by_what_they_are_and_not_by_value(self) -> None:
        one, other = (figures_of(Vat("Exempt"), "8500.00", "8500.00") for _ in range(2))

        assert 2 == len({one, other})


class TestNotices:
    """A notice is a code for a program, a sentence for a person, and the values involved."""

    def test_a_notice_need_not_be_about_an_item(self) -> None:
        notice = Notice("gap", "days are on no bill")

        assert (None, ()) == (notice.item_id, notice.facts)

    def test_equal_notices_are_equal(self) -> None:
        notice = Notice("gap", "days are on no bill", "item-1", (("count", "3"),))

        assert {notice} == {notice, Notice(*notice)}

    def test_a_notice_cannot_be_changed(self) -> None:
        name = "code"

        with pytest.raises(AttributeError):
            setattr(Notice("gap", "days are on no bill"), name, "other")
