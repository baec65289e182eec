"""The whole numbers behind a line: VAT of a group, and prices that add up."""

from decimal import Decimal
from typing import Final, cast

import pytest

from rentbilling import billing
from rentbilling.errors import UnknownWordError
from rentbilling.values import Amount, Notice, Period, Rounding, Vat
from tests.support.rows import rows

JANUARY: Final = Period.parse("2026-01-01/2026-01-31")


def figures_of(vat: Vat, amount: str, net: str, quantity: str = "1") -> billing.LineFigures:
    return billing.PendingBillLineItem(
        product_key="key:rent",
        amount=Amount(Decimal(amount), "DKK"),
        net_price=Amount(Decimal(net), "DKK"),
        quantity=Decimal(quantity),
        vat=vat,
        accounting_period=JANUARY,
    ).figures


def group(mode: str, rate: str | None = None) -> billing.VatGroup:
    return billing.VatGroup(Vat(mode, None if rate is None else Decimal(rate)))


@rows(
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
    rate: str, net: int, mode: Rounding, expected: int
) -> None:
    """Net × rate, rounded once; a credit like its charge (A26, A29)."""
    assert expected == group("Exclusive", rate).vat_on_net(net, mode)


@rows(
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
    rate: str, gross: int, mode: Rounding, vat: int, net: int
) -> None:
    """Gross × r / (1 + r) is VAT, gross / (1 + r) is net, each rounded once (A29)."""
    inside = group("Inclusive", rate)

    assert (vat, net) == (inside.vat_in_gross(gross, mode), inside.net_in_gross(gross, mode))


@rows(
    ("given", "taxed", "inclusive", "shown"),
    [
        (group("Exclusive", "0.25"), True, False, Vat("Exclusive", Decimal("0.25"))),
        (group("Inclusive", "0.25"), True, True, Vat("Inclusive", Decimal("0.25"))),
        (group("Exempt"), False, False, Vat("Exempt")),
        (group("Exempt", "0.25"), False, False, Vat("Exempt")),
        (group("ReverseCharge"), False, False, Vat("ReverseCharge")),
        (group("ReverseCharge", "0.25"), False, False, Vat("ReverseCharge")),
    ],
)
def test_an_untaxed_group_shows_and_charges_no_rate(
    given: billing.VatGroup, taxed: bool, inclusive: bool, shown: Vat
) -> None:
    """Whatever rate was given, so that the total does not name it (A28, A30)."""
    assert (taxed, inclusive, shown) == (given.taxed, given.inclusive, given.vat)
    assert taxed or (Decimal(0), 0) == (given.rate, given.vat_on_net(850_000, "up"))


def test_an_unknown_rounding_is_refused() -> None:
    with pytest.raises(UnknownWordError):
        group("Exempt").vat_on_net(0, cast("Rounding", "bankers"))


INSIDE: Final = group("Inclusive", "0.25")


@rows(
    ("price", "expected"),
    [
        # One unit costs the line: 4661.29 for 17 of 31 days of 8500, whatever the exact price was.
        (billing.shown_unit(466_129, Decimal(1), 144_500, 31, 2, "half_up"), "4661.29"),
        # 3 for 100.00: 33.333 × 3 = 99.999, rounded 100.00; 33.33 would only make 99.99.
        (billing.shown_unit(10_000, Decimal(3), 100, 3, 2, "half_up"), "33.333"),
        # 10 at 12.50 with 25 %: 100.00 net, so 10.00 each.
        (billing.shown_unit_net(10_000, Decimal(10), (25, 2), INSIDE, 2, "half_up"), "10.00"),
        # Corrected by a cent on 10 units: 10.00 makes 100.00, and 10.001 makes 100.01.
        (billing.shown_unit_net(10_001, Decimal(10), (25, 2), INSIDE, 2, "half_up"), "10.001"),
    ],
)
def test_a_printed_price_gives_the_line_when_it_is_multiplied(
    price: Decimal, expected: str
) -> None:
    """And rounded (A21)."""
    assert expected == str(price)


def test_figures_are_compared_by_identity() -> None:
    """Lines share them, and the sums of a bill are remembered by them."""
    one, other = (figures_of(Vat("Exempt"), "8500.00", "8500.00") for _ in range(2))

    assert 2 == len({one, other})


def test_the_amounts_of_figures_are_made_once() -> None:
    figures = figures_of(Vat("Exempt"), "8500.00", "8400.00")

    assert [str(each) for each in figures.amounts] == ["8500.00 DKK", "8500.00 DKK", "8400.00 DKK"]
    assert figures.amounts is figures.amounts


def test_a_notice_is_a_code_a_sentence_and_values() -> None:
    notice = Notice("gap", "days are on no bill")
    full = Notice("gap", "days are on no bill", "item-1", (("count", "3"),))
    name = "code"

    assert (None, ()) == (notice.item_id, notice.facts)
    assert {full} == {full, Notice(*full)}
    with pytest.raises(AttributeError):
        setattr(notice, name, "other")
