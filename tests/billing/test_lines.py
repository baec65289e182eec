"""Lines: one item in one period, rounded once, and what is shown adds up (A21)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import discounted
from rentbilling.billing.lines import LineMaker, VatGroups, one_time_figures
from rentbilling.billing.prices import PriceInForce
from rentbilling.values import Notice
from tests.support.plans import TENTHS, by_index, home, lease
from tests.support.rents import (
    amount,
    day,
    fee,
    in_force,
    maker,
    noticed,
    price_from,
    rent,
    told,
    vat,
)
from tests.support.rows import rows

FEBRUARY = "2026-02-01/2026-02-28"
ON_TOP = vat("Exclusive", "0.25")
INSIDE = vat("Inclusive", "0.25")
TENTH = rb.Discount(percentage=Decimal("0.10"))


def off(text: str) -> rb.Discount:
    return rb.Discount(amount=amount(text))


@rows(
    ("price", "discount", "expected", "notice"),
    [
        ("8500.00", None, "8500", None),
        ("8500.00", TENTH, "7650", None),
        ("8500.00", rb.Discount(percentage=Decimal(0)), "8500", None),
        ("8500.00", rb.Discount(percentage=Decimal(1)), "0", None),
        # 0.1255 × 0.6667, with all its decimals.
        ("0.1255", rb.Discount(percentage=Decimal("0.3333")), "0.08367085", None),
        ("-250.00", TENTH, "-225", None),
        ("8500.00", off("500.50"), "7999.50", None),
        ("8500.00", off("8500.00"), "0", None),
        ("8500.00", off("8500.01"), "0", "discount_stopped_at_zero"),
        ("0.00", off("1.00"), "0", "discount_stopped_at_zero"),
        ("-250.00", off("1.00"), "-250", "discount_on_negative_ignored"),
    ],
)
def test_a_discount_comes_off_the_price_of_a_unit(
    price: str, discount: rb.Discount | None, expected: str, notice: str | None
) -> None:
    """Exactly; by amount it stops at zero, and leaves a credit alone (A22)."""
    discounts = () if discount is None else (discount,)
    over, below, code = discounted(Decimal(price), discounts)

    assert (Fraction(expected), notice) == (Fraction(over, below), code)


@rows(
    ("other", "differs"),
    [
        (in_force("8500"), False),
        (in_force("8500.01"), True),
        (in_force(quantity="1.0"), False),
        (in_force(quantity="2"), True),
        (in_force(tax=rb.Vat("Exempt")), False),
        (in_force(tax=vat("ReverseCharge")), True),
        (in_force(text="Rent"), False),
    ],
)
def test_prices_differ_by_amount_vat_and_quantity(
    other: PriceInForce,
    differs: bool,
) -> None:
    """As numbers; a new text makes no other price (A19)."""
    assert differs is in_force().differs(other)


def test_rates_differ_as_numbers() -> None:
    """0.250 is 0.25, 0.20 is not; on top is not inside (A19)."""
    old = in_force(tax=ON_TOP)

    assert [False, True, True] == [
        old.differs(in_force(tax=tax))
        for tax in (vat("Exclusive", "0.250"), vat("Exclusive", "0.20"), INSIDE)
    ]


def test_a_category_of_vat_has_one_group() -> None:
    """So that the lines of a bill can be summed by it (A30)."""
    groups = VatGroups()

    assert (True, False, False) == (
        groups.of(ON_TOP) is groups.of(vat("exclusive", "0.250")),
        groups.of(ON_TOP) is groups.of(INSIDE),
        groups.noticed,
    )


@rows(
    ("price", "share", "net", "unit"),
    [
        # 100 m² at 8.50 for 17/31 of a month: 14,450 / 31 = 466.129…; 100 × 4.66 is 466.00.
        (in_force("8.50", quantity="100"), (17, 31), 46_613, "4.6613"),
        (in_force("8500.00"), (1, 1), 850_000, "8500.00"),
        # 1,200 kWh at 0.1255: 150.60, which 0.13 each would not give.
        (in_force("0.1255", quantity="1200"), (1, 1), 15_060, "0.1255"),
        # 2.5 × 33.33 = 83.325, a tie, goes up to 83.33; 33.33 gives it.
        (in_force("33.33", quantity="2.5"), (1, 1), 8_333, "33.33"),
        # A credit is rounded like its charge.
        (in_force("-33.33", quantity="2.5"), (1, 1), -8_333, "-33.33"),
        (in_force("33.33", quantity="-2.5"), (1, 1), -8_333, "33.33"),
        (in_force("0.00"), (1, 1), 0, "0.00"),
    ],
)
def test_a_line_is_rounded_once_from_the_exact_product(
    price: PriceInForce, share: tuple[int, int], net: int, unit: str
) -> None:
    """And the unit price shown gives it when it is multiplied (A3, A21, A26)."""
    figures = maker().figures(price, "regular", share)

    assert (net, net, unit, unit) == (
        figures.net,
        figures.base,
        f"{figures.amount:f}",
        f"{figures.unit_net:f}",
    )


@rows(
    ("currency", "net", "unit"),
    [("JPY", 83, "33"), ("DKK", 8_333, "33.33"), ("KWD", 83_325, "33.33")],
)
def test_a_line_is_rounded_to_the_minor_unit_of_its_currency(
    currency: str, net: int, unit: str
) -> None:
    """2.5 × 33.33 = 83.325: 83 yen, 83.33 kroner, 83.325 dinars (A2, A3)."""
    figures = maker(currency).figures(in_force("33.33", quantity="2.5"), "regular")

    assert (currency, net, Decimal(unit)) == (figures.currency, figures.net, figures.amount)


@rows(
    ("tax", "price", "choices", "gross", "net", "unit_net"),
    [
        # 3 × 33.35 = 100.05 gross; / 1.25 = 80.04, of which a third is 26.68.
        (INSIDE, "33.35", {}, 10_005, 8_004, "26.68"),
        (INSIDE, "33.35", {"vat_rounding": "per_line"}, 10_005, 8_004, "26.68"),
        # 3 × 0.01, half of it VAT: a net of 0.015 rises, and so does the line's own VAT.
        (vat("Inclusive", "1"), "0.01", {}, 3, 2, "0.005"),
        (vat("Inclusive", "1"), "0.01", {"vat_rounding": "per_line"}, 3, 1, "0.004"),
    ],
)
def test_an_inclusive_line_keeps_its_gross(
    tax: rb.Vat, price: str, choices: dict[str, Any], gross: int, net: int, unit_net: str
) -> None:
    """Its amount reproduces the gross, its unit net price the net (A21, A29)."""
    made = maker(policy=rb.BillingPolicy(**choices))
    figures = made.figures(in_force(price, tax, "3"), "regular")

    assert (gross, net, price, unit_net) == (
        figures.base,
        figures.net,
        f"{figures.amount:f}",
        f"{figures.unit_net:f}",
    )


@rows(("own", "gross", "net"), [("half_up", 8_333, 6_666), ("down", 8_332, 6_666)])
def test_the_line_follows_its_product_and_its_net_the_bill(own: Any, gross: int, net: int) -> None:  # noqa: ANN401
    """2.5 × 33.33 = 83.325; / 1.25 = 66.664 or, of 83.32, 66.656, both 66.66 (A54)."""
    rules = rb.BillingPolicy()
    made = LineMaker(
        "key:rent", "recurring-1", "DKK", VatGroups(), rb.BillingPolicy(rounding=own), rules
    )
    figures = made.figures(in_force("33.33", INSIDE, "2.5"), "regular")

    assert (gross, net) == (figures.base, figures.net)


@rows("sign", [1, -1])
def test_a_line_of_more_than_15_digits_is_refused(sign: int) -> None:
    """9,999,999,999,999.99 pass, twice 5,000,000,000,000 does not (A1)."""
    most = in_force("9999999999999.99", quantity=str(sign))
    net = maker().figures(most, "regular").net

    with pytest.raises(rb.UnsupportedCaseError) as caught:
        maker().figures(in_force("5000000000000", quantity=str(2 * sign)), "regular")

    assert (sign * (10**15 - 1), "amount_too_large", "recurring-1") == (
        net,
        caught.value.code,
        caught.value.facts["item"],
    )
    assert "a line of more than 15 digits" == caught.value.facts["case"]


@rows("sign", [1, -1])
@rows(("price", "large"), [("2499999999999.99", False), ("2500000000000.00", True)])
def test_a_line_may_be_so_large_that_sums_are_too(price: str, large: bool, sign: int) -> None:
    """Four times 2,500,000,000,000 are 10,000,000,000,000.00, of 16 digits (A1)."""
    groups, one_line = VatGroups(), rb.BillingPolicy(max_lines=1)
    made = LineMaker("key:rent", "recurring-1", "DKK", groups, one_line, one_line)
    made.figures(in_force(price, quantity=str(sign)), "regular")

    assert large is groups.large


@rows(
    ("price", "written"),
    [(Decimal("1E+2"), "100"), (Decimal("100.50"), "100.50"), (Fraction(100, 3), "100/3")],
)
def test_a_notice_of_a_line_says_all_of_it(price: Decimal | Fraction, written: str) -> None:
    """A taxed price of 100 with 500 off: the words, the item and both amounts (A22, A42)."""
    figures = maker().figures(
        PriceInForce(price, ON_TOP, Decimal(1), (off("500"),), None), "regular"
    )

    assert (
        Notice(
            "discount_stopped_at_zero",
            "the discount is larger than the price and stops at zero",
            "recurring-1",
            (("amount", written), ("discount", "500 DKK")),
        ),
    ) == figures.notices


def test_a_rate_that_charges_nothing_is_told_of_a_line_without_a_discount() -> None:
    """25 percent of what is exempt (A28)."""
    (notice,) = maker().figures(in_force(tax=vat("Exempt", "0.25")), "regular").notices

    assert ("rate_without_tax", "a tax rate given with an untaxed mode charges nothing") == (
        notice.code,
        notice.message,
    )


@rows(
    ("mode", "expected"),
    [("half_up", ["33.34", "66.66"]), ("down", ["33.33", "66.67"])],
)
def test_the_parts_of_a_period_are_rounded_as_the_policy_says(
    mode: Any,  # noqa: ANN401
    expected: list[str],
) -> None:
    """14 of 28 days at 66.67 and at 133.33 are 33.335 and 66.665: 100.00 together (A21).

    Half up the first part is 33.34 and 66.66 are left; cut down it is 33.33, and 66.67 are.
    """
    item = rent("66.67", amount_records=(price_from("2026-02-15", "133.33"),))

    assert expected == [price for _, price in told(item, FEBRUARY, rb.BillingPolicy(rounding=mode))]


@rows(
    ("discount", "choices", "expected"),
    [
        (TENTH, {}, "4661.29"),
        # 4,661.29 × 90 % = 4,195.161.
        (TENTH, {"discount_opening": True}, "4195.16"),
        # An amount by the opening's share of a cycle (A20): 4,661.29 − 17/31 × 620 = 4,321.29.
        (off("620.00"), {"discount_opening": True}, "4321.29"),
        # It ended before the opening period.
        (TENTH.evolve(end_date=day("2026-01-14")), {"discount_opening": True}, "4661.29"),
    ],
)
def test_nothing_comes_off_the_stated_opening_amount(
    discount: rb.Discount, choices: dict[str, Any], expected: str
) -> None:
    """Unless the policy discounts it too (A24)."""
    item = rent(discount=discount)

    assert [("2026-01-15/2026-01-31", expected)] == told(
        item, "2026-01-15/2026-01-15", rb.BillingPolicy(**choices)
    )


@rows(("quantity", "net"), [(None, 17_550), (Decimal("2.5"), 43_875)])
def test_a_one_time_line_is_quantity_times_amount(quantity: Decimal | None, net: int) -> None:
    """An absent quantity is 1 (A21, A55)."""
    figures = one_time_figures(fee("175.50", description="Keys", quantity=quantity), maker())

    assert ("one_time", net, "Keys", None) == (
        figures.kind,
        figures.net,
        figures.description,
        figures.discount_text,
    )


@rows(
    ("item", "expected"),
    [
        (
            rent(discount=off("500"), amount_records=(price_from("2026-02-01", "400"),)),
            [("discount_stopped_at_zero", {"amount": "400", "discount": "500 DKK"})],
        ),
        (
            rent(discount=off("500"), amount_records=(price_from("2026-02-01", "-1"),)),
            [("discount_on_negative_ignored", {"amount": "-1", "discount": "500 DKK"})],
        ),
        (
            rent(vat=vat("Exempt", "0.25"), quantity=-2),
            [
                ("rate_without_tax", {"taxMode": "Exempt", "taxRate": "0.25"}),
                ("credit_quantity", {"quantity": "-2"}),
            ],
        ),
        (rent(vat=vat("ReverseCharge", "0"), quantity=Decimal("0.5")), []),
        (rent(vat=ON_TOP, quantity=-2), [("credit_quantity", {"quantity": "-2"})]),
    ],
)
def test_a_line_says_what_a_person_should_look_at(
    item: rb.RecurringBillItem, expected: list[tuple[str, dict[str, str]]]
) -> None:
    """A discount that stopped, a rate that charges nothing, a credit (A21, A22, A28)."""
    assert expected == noticed(item, FEBRUARY)


def test_a_discount_ends_whatever_adjusts_the_price() -> None:
    """A tenth off 10,000 and off 11,000 until June 2021; then 11,000 (A23, A42)."""
    item = home(discount=TENTH.evolve(end_date=day("2021-06-30")))
    bills = rb.pending_bills(lease(by_index(), item=item), "2020-12-01/2021-07-31", indices=TENTHS)

    assert ["9000.00", *["9900.00"] * 6, "11000.00"] == [f"{bill.total.amount:f}" for bill in bills]
