"""Discounts of a whole bill: a line for each discount and VAT group (A73)."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.payers import BillDiscount, discount_bill, split_bill
from tests.oracle.workings import replayed
from tests.payers.billed import bill_of
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

ANY: Any = discount_bill


def off(amount: str, **fields: Any) -> BillDiscount:  # noqa: ANN401
    return BillDiscount(amount=rb.Amount(amount, "EUR"), **fields)


def percent(percentage: str, **fields: Any) -> BillDiscount:  # noqa: ANN401
    return BillDiscount(percentage=Decimal(percentage) / 100, **fields)


# Discounts of a bill: the prices of their lines, then VAT totals and total; whether a notice comes.
DISCOUNTED: list[tuple[tuple[str, ...], list[BillDiscount], str, bool]] = [
    # 100.00 by 1,000 : 500 is 66.67 and 33.33; VAT of 933.33 is 233.3325.
    (
        ("1000.00 Exclusive 25%", "500.00 Exempt"),
        [off("100")],
        "-66.67 -33.33 | 233.33 0.00 | 1633.33",
        False,
    ),
    # 300 and 150, so 100 and 50 are left; half of the list is 200 and 100.
    (
        ("400.00 Exclusive 25%", "200.00 Exempt"),
        [off("450"), percent("50", of="list")],
        "-300.00 -150.00 -100.00 -50.00 | 0.00 0.00 | 0.00",
        True,
    ),
    # 10 % of 1,000.00, then 5 % of the rest, or of the list.
    (
        ("1000.00 Exclusive 25%",),
        [percent("10"), percent("5")],
        "-100.00 -45.00 | 213.75 | 1068.75",
        False,
    ),
    (
        ("1000.00 Exclusive 25%",),
        [percent("10"), percent("5", of="list")],
        "-100.00 -50.00 | 212.50 | 1062.50",
        False,
    ),
    # 5 % of 1,000.00, then 100.00 of what is left: 950 : 475.
    (
        ("1000.00 Exclusive 25%", "500.00 Exempt"),
        [percent("5"), off("100")],
        "-50.00 -25.00 -66.67 -33.33 | 220.83 0.00 | 1545.83",
        False,
    ),
    # Of gross prices the gross goes down: 1,250.00 − 100.00 has 230.00 of VAT inside.
    (("1250.00 Inclusive 25%",), [off("100")], "-100.00 | 230.00 | 1150.00", False),
    # By gross 1,000.00 and net 500.00.
    (
        ("1000.00 Inclusive 25%", "500.00 Exempt"),
        [off("100")],
        "-66.67 -33.33 | 186.67 0.00 | 1400.00",
        False,
    ),
    # A percentage of each group, also where gross and net prices are mixed: 3.333 and 10.
    (
        ("33.33 Exclusive 25%", "100.00 Inclusive 25%"),
        [percent("10")],
        "-3.33 -10.00 | 7.50 18.00 | 127.50",
        False,
    ),
    # A group of 0 or less gets nothing.
    (
        ("100.00 Exclusive 25%", "-50.00 Exempt"),
        [off("30"), percent("10")],
        "-30.00 -7.00 | 15.75 0.00 | 28.75",
        False,
    ),
    (("-50.00 Exempt",), [percent("10")], " | 0.00 | -50.00", False),
    (("-50.00 Exempt",), [off("10")], " | 0.00 | -50.00", True),
    # Three lines of one rate are one group.
    (("10.00 Exclusive 25%",) * 3, [off("1")], "-1.00 | 7.25 | 36.25", False),
    (("10.00 Exempt",), [], " | 0.00 | 10.00", False),
]


@rows(("lines", "discounts", "expected", "stops"), DISCOUNTED)
def test_each_discount_has_a_line_for_each_rate(
    lines: tuple[str, ...], discounts: list[BillDiscount], expected: str, stops: bool
) -> None:
    result = discount_bill(bill_of(*lines), discounts)

    (bill,) = result
    shown = (
        " ".join(f"{line.amount.amount}" for line in bill.lines[len(lines) :]),
        " ".join(f"{total.amount.amount}" for total in bill.vat_totals),
        f"{bill.total.amount}",
    )
    assert expected == " | ".join(shown)
    assert ["discount_stopped_at_zero"] * stops == [each.code for each in result.notices]
    assert not rb.check_bill(result).errors
    (working,) = rb.explain(result)
    assert bill.total == replayed(working)


def test_a_line_says_what_it_is() -> None:
    """Its days are those of the whole bill, its kind is discount, its quantity 1."""
    rent = rb.monthly_rent("100 EUR", "2026-01-01")
    heating = rb.monthly_rent("10 EUR", "2026-01-01", months=3)
    bill = next(iter(rb.pending_bills([rent, heating], "2026-04-01/2026-04-30")))

    (less,) = discount_bill(
        bill, [off("1", description="Sorry", product_key="key:sorry"), off("2")]
    )

    known = [
        (each.product_key, each.description, each.kind, str(each.accounting_period))
        for each in less.lines[2:]
    ]
    assert [
        ("key:sorry", "Sorry", "discount", "2026-04-01/2026-06-30"),
        ("key:discount", None, "discount", "2026-04-01/2026-06-30"),
    ] == known
    assert {Decimal(1)} == {each.quantity for each in less.lines}


def test_equal_discounts_repeat_nothing() -> None:
    result = discount_bill(bill_of("100.00 Exempt"), [off("5"), off("5")])

    assert 0 == len(rb.check_bill(result))


def test_a_discount_is_read_again_and_split() -> None:
    """36.25 by halves: 5.00 three times less 0.50 are 14.50, and VAT 3.625 twice is a cent more."""
    result = discount_bill(bill_of(*["10.00 Exclusive 25%"] * 3), [off("1")])
    (bill,) = result

    (again,) = rb.loads(rb.dumps(result, full=True), rb.BillingResult)
    parts = split_bill(again, {"Ann": "1/2", "Bo": "1/2"})

    assert bill == again
    assert "discount" == again.lines[3].kind
    assert ["18.12 EUR", "18.13 EUR"] == [str(each.total) for each in parts]


def test_a_discount_of_a_bill_is_not_taken_back_later() -> None:
    rent = rb.monthly_rent("1000 EUR", "2026-01-01", id="rent")
    (bill,) = rb.pending_bills(rent, "2026-02-01/2026-02-28")

    less = discount_bill(bill, [off("100")])

    assert not rb.pending_bills(rent, "2026-02-01/2026-02-28", already_billed=less)


def test_a_percentage_is_rounded_as_the_product_of_the_discount_is() -> None:
    """5 % of 0.10 is half a cent."""
    down = rb.BillingPolicy(by_product={"key:discount": rb.BillingPolicy(rounding="down")})

    totals = [
        discount_bill(bill_of("0.10 Exempt"), [percent("5")], policy=policy).bills[0].total
        for policy in (None, down)
    ]

    assert ["0.09 EUR", "0.10 EUR"] == list(map(str, totals))


BILL = bill_of("100.00 Exclusive 25%")
MIXED = bill_of("100.00 Exclusive 25%", "100.00 Inclusive 25%")
PART = split_bill(BILL, {"Ann": 1}).bills[0]
REFUSED: dict[str, Call] = {
    "InvalidDiscountError: discounts[1].amount mixed_tax_modes": lambda: discount_bill(
        MIXED, [percent("5"), off("5")]
    ),
    "CurrencyMismatchError: discounts[0].amount.currency currency_mismatch": lambda: discount_bill(
        BILL, [BillDiscount(amount=rb.Amount(5, "DKK"))]
    ),
    "InvalidAmountError: discounts[0].amount too_many_decimals": lambda: discount_bill(
        BILL, [off("0.001")]
    ),
    "InvalidDiscountError: bill part_of_a_bill": lambda: discount_bill(PART, [off("5")]),
    "InvalidDiscountError: of discount_of_amount": lambda: off("5", of="rest"),
    "InvalidDiscountError: end_date says_nothing": lambda: off("5", end_date=date(2026, 3, 1)),
    "InvalidDiscountError: one_of_two": BillDiscount,
}


@rows("found", REFUSED)
def test_what_cannot_be_taken_off_is_refused_at_its_place(found: str) -> None:
    assert found == refusal_text(REFUSED[found])


def test_a_discount_of_an_item_is_none_of_a_bill() -> None:
    with pytest.raises(TypeError, match="a discount of a bill is a BillDiscount"):
        ANY(BILL, [rb.Discount(percentage=Decimal("0.1"))])
