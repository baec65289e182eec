"""Bills by hand: what is not stated is computed, what is stated is kept."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.errors import CurrencyMismatchError, InvalidVatError
from rentbilling.testing import (
    a_bill,
    a_lease,
    a_line,
    a_one_time_item,
    a_plan,
    a_rent,
    an_item,
    assert_bills_equal,
    strategies,
)
from tests.support.rows import rows

HEATING = a_line(product_key="key:heating", amount="500.00", vat="Exclusive 0.25")


def test_the_plain_bill_is_that_of_the_plain_rent() -> None:
    assert [a_bill()] == list(rb.pending_bills(a_rent(), "2026-02-01/2026-02-28"))


def test_sums_and_vat_are_computed_from_the_lines() -> None:
    """8,500 exempt and 500 with 25 % make 9,000 net, 125 VAT, 9,125 in all."""
    bill = a_bill(a_line(), HEATING)
    computed = rb.pending_bills(a_lease(a_rent(), an_item()), "2026-02-01/2026-02-28")

    assert [bill] == list(computed)
    assert ["0.00 DKK", "125.00 DKK"] == [str(each.amount) for each in bill.vat_totals]
    assert ("9000.00 DKK", "9125.00 DKK") == (str(bill.subtotal), str(bill.total))


def test_an_inclusive_line_has_its_vat_inside() -> None:
    """Two times 1,250.00 with 25 % inside are 2,000.00 net and 500.00 VAT (A29)."""
    bill = a_bill(a_line(amount="1250.00", quantity=2, vat="Inclusive 0.25"))

    assert ("2000.00", "500.00", "2500.00") == (
        f"{bill.subtotal.amount:f}",
        f"{bill.vat_totals[0].amount.amount:f}",
        f"{bill.total.amount:f}",
    )
    assert rb.check_bill(bill).is_consistent


def test_inclusive_lines_keep_the_gross_of_their_rate() -> None:
    """Three grosses of 0.03: VAT of 0.09 is 0.018, so 0.02; net 0.03 + 0.02 + 0.02 (A29)."""
    inside = "Inclusive 0.25"
    lines = [a_line(product_key=f"key:{n}", amount="0.03", vat=inside) for n in range(3)]
    bill = a_bill(*lines)
    items = [a_one_time_item(product_key=f"key:{n}", amount="0.03", vat=inside) for n in range(3)]
    (computed,) = rb.pending_bills(items, "2026-02-01/2026-02-28")

    assert ["0.03", "0.02", "0.02"] == [f"{line.net_price.amount:f}" for line in bill.lines]
    assert (7, 9, None) == bill.sums == computed.sums
    assert [line.net_price for line in computed.lines] == [line.net_price for line in bill.lines]
    assert () == rb.check_bill(bill).errors


def test_lines_of_half_a_minor_unit_of_vat_share_it() -> None:
    """Two grosses of 0.03 with 20 % inside: VAT of 0.06 is 0.01, so net 0.05 (A29).

    By itself each has 0.005 of VAT, rounded to 0.01, and a net of 0.02; its exact net of 0.025 is
    rounded to 0.03 too. Of 0.03 + 0.03 one hundredth is too much, taken from the first of equals;
    the other one keeps 0.03, and its unit price says so (A21).
    """
    inside = "Inclusive 0.20"
    lines = [a_line(product_key=f"key:{n}", amount="0.03", vat=inside) for n in range(2)]
    items = [a_one_time_item(product_key=f"key:{n}", amount="0.03", vat=inside) for n in range(2)]
    bill = a_bill(*lines)
    (computed,) = rb.pending_bills(items, "2026-02-01/2026-02-28")

    assert ["0.02 DKK", "0.02 DKK"] == [str(line.net_price) for line in lines]
    for made in (bill, computed):
        assert (5, 6, None) == made.sums
        assert ["0.02 DKK", "0.03 DKK"] == [str(line.net_price) for line in made.lines]
        assert ["0.02 DKK", "0.03 DKK"] == [str(line.unit_net_price) for line in made.lines]
    assert () == rb.check_bill(bill).errors


def test_by_the_line_each_keeps_its_own_net() -> None:
    """0.03 has 0.006 of VAT inside, 0.01, by itself: three nets of 0.02 and 0.03 of VAT (A29)."""
    by_line = rb.BillingPolicy(vat_rounding="per_line")
    lines = [a_line(product_key=f"key:{n}", amount="0.03", vat="Inclusive 0.25") for n in range(3)]

    assert (6, 9, None) == a_bill(*lines, policy=by_line).sums


def test_a_stated_net_of_an_inclusive_line_is_kept() -> None:
    """100.01 where 100.00 would follow from 125.00; base and total follow from what was stated."""
    bill = a_bill(a_line(amount=125, vat="Inclusive 0.25", net_price="100.01"))

    assert (10_001, 12_501, None) == bill.sums
    assert 10_001 == bill.vat_totals[0].base_units


@given(st.lists(strategies.amounts(currency="DKK"), min_size=1, max_size=6))
def test_inclusive_lines_of_one_rate_contradict_nothing(amounts: list[rb.Amount]) -> None:
    bill = a_bill(*(a_line(amount=each, vat="Inclusive 0.25") for each in amounts))

    assert () == rb.check_bill(bill).errors
    assert bill.total.amount == sum(line.figures.base for line in bill.lines) / Decimal(100)


def test_the_repr_says_where_a_bill_contradicts_itself() -> None:
    """A total of 1.00 is not 8,500.00 and no VAT."""
    assert "<PendingBill due 2026-02-01 1.00 DKK ≠ 8500.00 + 0.00 VAT, 1 line>" == repr(
        a_bill(a_line(), total=1)
    )


def test_lines_are_passed_one_by_one() -> None:
    with pytest.raises(
        TypeError, match=r"PendingBillLineItem by itself, a_bill\(\*lines\), not \["
    ):
        a_bill([a_line()])  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_vat_is_a_text_or_a_vat() -> None:
    pair: Any = ("Exclusive", 0.25)
    with pytest.raises(InvalidVatError, match=r"is no VAT .* a text such as"):
        a_line(vat=pair)


def test_what_is_stated_is_kept_even_where_it_is_wrong() -> None:
    """A subtotal of 1, a total of 2 and a VAT of 3 stand on the bill; the rest does not follow."""
    bill = a_bill(
        a_line(net_price="8500.01", unit_net_price="7"),
        due=date(2026, 3, 1),
        subtotal=1,
        total="2.00",
        vat_totals={"Exclusive 0.25": 3},
        cash_rounding="-0.25",
    )

    assert date(2026, 3, 1) == bill.due_date
    assert (100, 200, -25) == bill.sums
    assert (rb.Amount(Decimal("8500.01"), "DKK"), rb.Amount(7, "DKK")) == (
        bill.lines[0].net_price,
        bill.lines[0].unit_net_price,
    )
    assert [(rb.Vat("Exclusive", Decimal("0.25")), 300, 0)] == list(bill.raw_totals)
    assert not rb.check_bill(bill).is_consistent


def test_a_stated_subtotal_is_what_the_total_follows() -> None:
    """The total is the stated subtotal and the VAT: 9,000.01 and 125.00."""
    bill = a_bill(a_line(), HEATING, subtotal="9000.01")

    assert "9125.01" == f"{bill.total.amount:f}"


def test_vat_totals_may_be_those_of_another_bill() -> None:
    stated = [rb.VatTotal(rb.Vat("Exempt"), 0, 850_000, "DKK", 2)]

    assert stated == list(a_bill(vat_totals=stated).vat_totals)


def test_a_line_of_a_currency_without_decimals() -> None:
    """1,000.5 yen round to 1,001, half up (A3), or down where the policy says so."""
    down = rb.BillingPolicy(rounding="down")

    assert "1001" == f"{a_line(amount='1000.5 JPY').net_price.amount:f}"
    assert "1000" == f"{a_line(amount='1000.5', currency='JPY', policy=down).net_price.amount:f}"


@given(strategies.amounts(), strategies.vats())
def test_a_bill_of_one_line_contradicts_nothing(amount: rb.Amount, vat: rb.Vat) -> None:
    assert () == rb.check_bill(a_bill(a_line(amount=amount, vat=vat))).errors


DUE = "2025-03-01"


@rows(
    "bill, line, sums",
    [
        (a_bill(due=DUE, total="9371.03"), "1 × 9371.03 = 9371.03 DKK Exempt", (937103, 937103)),
        (a_bill(due=DUE, total="8500 EUR"), "1 × 8500 = 8500.00 EUR Exempt", (850000, 850000)),
        (a_bill(due=DUE, total=rb.Amount(9, "EUR")), "1 × 9 = 9.00 EUR Exempt", (900, 900)),
        (a_bill(due=DUE, subtotal="9 EUR", total=10), "1 × 9 = 9.00 EUR Exempt", (900, 1000)),
        (
            a_bill(due=DUE, total="125.00 EUR", vat_totals={"Exclusive 25%": "25"}),
            "1 × 100.00 = 100.00 EUR Exclusive 0.25",
            (10000, 12500),
        ),
        (
            a_bill(due=DUE, subtotal=100, vat_totals={"Inclusive 25%": "25 EUR"}),
            "1 × 100.00 = 100.00 EUR Inclusive 0.25",
            (10000, 12500),
        ),
        (
            a_bill(due=DUE, vat_totals=[rb.VatTotal(rb.Vat("Exempt"), 0, 850_000, "EUR", 2)]),
            "1 × 8500.00 = 8500.00 EUR Exempt",
            (850000, 850000),
        ),
        (a_bill(due=DUE, cash_rounding="0.25 EUR"), "1 × 8500.00 = 8500.00 EUR", (850000, 850000)),
    ],
)
def test_a_bill_without_lines_has_the_one_that_is_stated(
    bill: rb.PendingBill, line: str, sums: tuple[int, int]
) -> None:
    """Price, currency, VAT and month come from what is stated; nothing else is compared."""
    assert f"key:rent 2025-03-01/2025-03-31 {line}" in repr(bill.lines[0])
    assert sums == bill.sums[:2]
    assert not [each for each in rb.check_bill(bill).errors if sums[0] == sums[1]]


@rows("stated", ["total", "subtotal", "cash_rounding", "vat_totals"])
def test_an_amount_in_another_currency_is_refused(stated: str) -> None:
    amounts: Any = {"Exempt": "8500 EUR"} if stated == "vat_totals" else "8500 EUR"
    with pytest.raises(CurrencyMismatchError, match=rf"{stated}.*met 'EUR'; expected DKK"):
        a_bill(a_line(), **{stated: amounts})
    with pytest.raises(CurrencyMismatchError, match="is another currency"):
        a_bill(**{"total": "8500 DKK", "subtotal": "8500 DKK", stated: amounts})


def test_a_bill_in_another_currency_is_not_equal() -> None:
    (bill,) = rb.pending_bills(rb.monthly_rent("8500 DKK", "2026-01-01"), "2026-02")

    assert_bills_equal(a_bill(total="8500 DKK"), bill)
    for other in ("8500 EUR", rb.Amount(8500, "EUR")):
        with pytest.raises(AssertionError, match="EUR"):
            assert_bills_equal(a_bill(total=other), bill)


def test_vats_that_one_line_cannot_have_are_refused() -> None:
    with pytest.raises(InvalidVatError, match="vat_totals: has several VATs and no lines"):
        a_bill(vat_totals={"Exempt": 0, "Exclusive 25%": 1})
    with pytest.raises(InvalidVatError, match="vat_totals: has a VAT twice"):
        a_bill(a_line(), vat_totals={"Exclusive 0.25": 1, "Exclusive 25%": 2})
    with pytest.raises(TypeError, match="VatTotal by itself"):
        a_bill(vat_totals=[1])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]


@rows("make", [a_line, an_item, a_rent, a_one_time_item, a_plan])
def test_a_price_in_another_currency_than_the_stated_one_is_refused(make: Any) -> None:  # noqa: ANN401
    assert "EUR" in str(make(amount="8500 EUR", currency="EUR"))
    with pytest.raises(CurrencyMismatchError, match="currency: is another currency"):
        make(amount="8500 EUR", currency="DKK")
