"""Bills as JSON, letter by letter: the interface's form, and the full one beside it (A56)."""

from decimal import Decimal
from fractions import Fraction

import pytest

import rentbilling as rb
from rentbilling.billing.wire import BillWriter
from rentbilling.billing.wire.bill_writer import units_text
from rentbilling.records import vat_text
from tests.support.rents import EXEMPT, amount, day, fee, opening, period, rent, vat
from tests.support.rows import rows

PLAIN = BillWriter(full=False, period_end="included")
FULL = BillWriter(full=True, period_end="included")
HALF_OPEN = BillWriter(full=True, period_end="excluded")

PARKING = rent(
    "600.00",
    id="parking",
    product_key="key:parking",
    description='Parking "7"',
    vat=vat("Exclusive", "0.25"),
    first_billing_period_bill_item=opening(price="296.13"),
    discount=rb.Discount(percentage=Decimal("0.10"), description="10 % off"),
)
"""Due from 15 January 2026: 600.00 less 10 % is 540.00, VAT of it 135.00, together 675.00."""


def dkk(figure: str) -> str:
    return f'{{"currency": "DKK", "amount": {figure}}}'


@rows(
    ("units", "places", "text"),
    [
        (850000, 2, "8500.00"),
        (5, 2, "0.05"),
        (-5, 2, "-0.05"),
        (-850005, 2, "-8500.05"),
        (0, 2, "0.00"),
        (0, 0, "0"),
        (-7, 0, "-7"),
        (1234, 3, "1.234"),
        (1, 8, "0.00000001"),
    ],
)
def test_minor_units_are_written_in_the_main_unit(units: int, places: int, text: str) -> None:
    """With all decimals of the currency (A2)."""
    assert text == units_text(units, places)


@rows(
    ("tax", "text"),
    [
        (EXEMPT, '{"taxMode": "Exempt"}'),
        (rb.Vat("reversecharge"), '{"taxMode": "ReverseCharge"}'),
        (vat("Exclusive", "0.25"), '{"taxMode": "Exclusive", "taxRate": 0.25}'),
        (vat("Inclusive", "0.00001"), '{"taxMode": "Inclusive", "taxRate": 0.00001}'),
        (vat("Exempt", "0"), '{"taxMode": "Exempt", "taxRate": 0}'),
    ],
)
def test_a_rate_is_written_as_a_number_in_plain_digits(tax: rb.Vat, text: str) -> None:
    """None where there is none (A6)."""
    assert text == vat_text(tax)


def test_a_bill_is_written_as_the_interface_has_it() -> None:
    """540.00 net, 135.00 VAT, 675.00 in all; nothing of ours (A56)."""
    (bill,) = rb.pending_bills(PARKING, "2026-02-01/2026-02-28")

    assert (
        '{"dueDate": "2026-02-01", "pendingBillLineItems": [{"productKey": "key:parking", '
        f'"amount": {dkk("540.00")}, "quantity": 1, "unitNetPrice": {dkk("540.00")}, '
        f'"netPrice": {dkk("540.00")}, "vat": {{"taxMode": "Exclusive", "taxRate": 0.25}}, '
        '"accountingPeriod": "2026-02-01/2026-02-28"}], '
        f'"subtotal": {dkk("540.00")}, "total": {dkk("675.00")}, '
        '"vatTotals": [{"vat": {"taxMode": "Exclusive", "taxRate": 0.25}, '
        f'"amount": {dkk("135.00")}}}]}}'
    ) == PLAIN.bill(bill)


def test_a_bill_in_full_says_what_the_result_knows() -> None:
    """Item, kind, texts, share, regular period and the base of VAT (A56)."""
    (bill,) = rb.pending_bills(PARKING, "2026-02-01/2026-02-28")

    assert (
        '"accountingPeriod": "2026-02-01/2026-02-28", "itemId": "parking", "kind": "regular", '
        '"description": "Parking \\"7\\"", "discountText": "10 % off", '
        '"discounts": [{"description": "10 % off", "percentage": 0.10, "takenOff": '
        '{"currency": "DKK", "amount": 60.00}}], "share": "1", '
        '"regularPeriod": "2026-02-01/2026-02-28"}]'
    ) in FULL.bill(bill)
    assert f'"amount": {dkk("135.00")}, "base": {dkk("540.00")}}}]}}' in FULL.bill(bill)


def test_an_opening_line_in_full_belongs_to_no_regular_period() -> None:
    """Nor has a one-time line one; what is absent is not written (A6, A12, A55)."""
    opened = rent(first_billing_period_bill_item=opening())
    (bill,) = rb.pending_bills([opened, fee(due="2026-01-15")], "2026-01-15/2026-01-15")

    assert (
        '"accountingPeriod": "2026-01-15/2026-01-31", "itemId": "recurring-1", '
        '"kind": "opening", "share": "1"}, '
    ) in FULL.bill(bill)
    assert (
        '"accountingPeriod": "2026-01-15/2026-01-15", "itemId": "one-time-1", '
        '"kind": "one_time", "share": "1"}], '
    ) in FULL.bill(bill)


def test_a_part_in_full_names_the_regular_period_it_is_a_part_of() -> None:
    """To 10 February are 10 of 28 days, 5/14 of the month (A17, A20)."""
    ending = rent(ended_on=day("2026-02-10"))
    (bill,) = rb.pending_bills(ending, "2026-02-01/2026-02-28")

    assert (
        '"accountingPeriod": "2026-02-01/2026-02-10", "itemId": "recurring-1", "kind": "part", '
        '"share": "5/14", "counted": "10 of 28 days", "regularPeriod": "2026-02-01/2026-02-28"}'
    ) in FULL.bill(bill)


def test_a_share_of_a_line_made_by_hand_is_written_reduced() -> None:
    line = rb.PendingBillLineItem(
        product_key="key:rent",
        amount=amount("1"),
        net_price=amount("1.00"),
        vat=EXEMPT,
        accounting_period=period("2026-01-15/2026-01-31"),
        kind="part",
        share=Fraction(34, 62),
        regular_period=period("2026-01-01/2026-01-31"),
    )
    (bill,) = rb.pending_bills(rent(), "2026-02-01/2026-02-28")
    made = type(bill)(bill.due, "DKK", 2, [line.raw], [], (100, 100, None))

    assert '"kind": "part", "share": "17/31", "regularPeriod": "2026-01-01/2026-01-31"}' in (
        FULL.bill(made)
    )


def test_half_open_periods_name_the_day_after_the_last() -> None:
    """Of the line, of its regular period, of the asked days (A4)."""
    result = rb.pending_bills(rent(ended_on=day("2026-02-10")), "2026-02-01/2026-02-28")

    assert '"accountingPeriod": "2026-02-01/2026-02-11"' in HALF_OPEN.result(result)
    assert '"regularPeriod": "2026-02-01/2026-03-01"' in HALF_OPEN.result(result)
    assert '"period": "2026-02-01/2026-03-01"' in HALF_OPEN.result(result)


def test_the_day_after_the_last_of_all_days_cannot_be_named() -> None:
    """A half-open text would need 1 January 10000; with both ends included there is one (A4)."""
    endless = fee(days="2026-02-01/9999-12-31")
    (bill,) = rb.pending_bills(endless, "2026-02-01/2026-02-28")
    with pytest.raises(rb.UnsupportedCaseError) as caught:
        HALF_OPEN.bill(bill)

    assert "unsupported" == caught.value.code
    assert '"accountingPeriod": "2026-02-01/9999-12-31"' in FULL.bill(bill)


def test_cash_rounding_is_written_where_the_policy_has_it() -> None:
    """8,499.99 is payable as 8,500.00, 0.01 above; the total stays as it is (A52)."""
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    (bill,) = rb.pending_bills(rent("8499.99"), "2026-02-01/2026-02-28", policy=policy)

    assert PLAIN.bill(bill).endswith(
        f'"total": {dkk("8499.99")}, "vatTotals": [{{"vat": {{"taxMode": "Exempt"}}, '
        f'"amount": {dkk("0.00")}}}], "cashRounding": {dkk("0.01")}, "payable": {dkk("8500.00")}}}'
    )


@rows(
    ("price", "written"),
    [("8500 JPY", "8500"), ("8500 KWD", "8500.000"), ("8500.5 EUR", "8500.50")],
)
def test_sums_have_the_decimals_of_their_currency(price: str, written: str) -> None:
    """None for JPY, three for KWD (A2)."""
    (bill,) = rb.pending_bills(fee(price), "2026-02-01/2026-02-28")
    currency = rb.Amount.parse(price).currency

    assert f'"total": {{"currency": "{currency}", "amount": {written}}}' in PLAIN.bill(bill)


def test_a_result_without_bills_is_an_empty_list() -> None:
    empty = rb.pending_bills(rent(), "2025-01-01/2025-12-31")
    fingerprint = rb.BillingPolicy().fingerprint

    assert '{"bills": []}' == PLAIN.result(empty)
    assert (
        '{"bills": [], "period": "2025-01-01/2025-12-31", '
        f'"policyFingerprint": "{fingerprint}", "notices": []}}'
    ) == FULL.result(empty)


def test_what_a_result_does_not_know_is_not_written() -> None:
    """A lease, days and a policy may be unknown; notices are a list in any case (A6)."""
    notices = (rb.Notice("a", "Look.", "rent", (("days", "3"),)), rb.Notice("b", "Look here."))

    assert '{"bills": [], "notices": []}' == FULL.result(rb.BillingResult((), (), None, None))
    assert (
        '{"bills": [], "leaseId": "lease-1", "notices": [{"code": "a", "message": "Look.", '
        '"itemId": "rent", "facts": {"days": "3"}}, {"code": "b", "message": "Look here.", '
        '"facts": {}}]}'
    ) == FULL.result(rb.BillingResult((), notices, None, None, "lease-1"))


def test_bills_stand_in_their_order_and_share_nothing_but_text() -> None:
    result = rb.pending_bills([rent(), PARKING], "2026-02-01/2026-03-31")
    first, second = (PLAIN.bill(bill) for bill in result)

    assert f'{{"bills": [{first}, {second}]}}' == PLAIN.result(result)
    assert 2 == first.count("2026-02-01/2026-02-28") == second.count("2026-03-01/2026-03-31")
