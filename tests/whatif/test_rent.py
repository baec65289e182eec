"""Scenarios of the price, worked out by hand."""

from decimal import Decimal

import pytest

from rentbilling import (
    Amount,
    BillingPolicy,
    Discount,
    LeaseTerms,
    MissingIndexError,
    Vat,
    pending_bills,
)
from rentbilling.errors import (
    InvalidAmountError,
    InvalidDiscountError,
    InvalidPeriodError,
    InvalidRecordError,
)
from rentbilling.testing import a_lease, a_plan, a_rent, an_index, an_item
from rentbilling.whatif import BillingInputs, Scenario, give_discount, raise_rent, set_rent, use_vat

FIRST_HALF = "2026-01-01/2026-06-30"


def totals(lease: LeaseTerms, scenario: Scenario, period: str = FIRST_HALF) -> list[str]:
    inputs = scenario(BillingInputs.of(lease))
    return [str(bill.total.amount) for bill in pending_bills(inputs.terms, period)]


def test_a_raise_from_a_day_on_leaves_what_was_before() -> None:
    """8,500 × 1.03 = 8,755 from April."""
    lease = a_lease(a_rent(amount=8500))

    found = totals(lease, raise_rent(0.03, on="2026-04-01"))

    assert ["8500.00"] * 3 + ["8755.00"] * 3 == found


def test_a_raise_without_a_day_is_of_every_amount() -> None:
    rent = a_rent(amount=1000, moved_in="2026-01-15", amounts={"2026-03-01": 2000})
    before = pending_bills(rent, FIRST_HALF)[0].total.amount

    found = totals(a_lease(rent), raise_rent("0.5"))

    assert "548.39" == str(before)
    # 548.39 × 1.5 = 822.585
    assert ["822.59", "1500.00", "3000.00", "3000.00", "3000.00", "3000.00"] == found


def test_a_raise_on_the_first_day_is_one_from_the_beginning() -> None:
    lease = a_lease(a_rent(amount=1000))

    assert ["1100.00"] * 6 == totals(lease, raise_rent(0.1, on="2026-01-01"))


def test_a_raise_is_rounded_as_a_contract_states_it() -> None:
    """8,500.55 × 1.03 = 8,755.5665, which the policy's rounding makes 8,755.57."""
    lease = a_lease(a_rent(amount="8500.55"))

    assert "8755.57" == totals(lease, raise_rent(0.03))[-1]
    half_down = BillingPolicy(rounding="half_even")
    inputs = BillingInputs.of(a_lease(a_rent(amount="0.50")), policy=half_down)
    # 0.50 × 1.01 = 0.505, to the even unit.
    changed = raise_rent(0.01)(inputs).terms.recurring_bill_items[0]
    assert Amount(Decimal("0.50"), "DKK") == changed.amount


def test_later_amounts_rise_by_the_same() -> None:
    rent = a_rent(amount=1000, amounts={"2026-02-01": 1200, "2026-05-01": 1500})

    found = totals(a_lease(rent), raise_rent(0.1, on="2026-03-01"))

    assert ["1000.00", "1200.00", "1320.00", "1320.00", "1650.00", "1650.00"] == found


def test_a_raise_on_the_day_of_an_amount_is_of_that_amount() -> None:
    """From March the rent is 1,200; ten percent more are 1,320."""
    rent = a_rent(amount=1000, amounts={"2026-03-01": 1200})

    found = totals(a_lease(rent), raise_rent(0.1, on="2026-03-01"))

    assert ["1000.00", "1000.00", "1320.00", "1320.00", "1320.00", "1320.00"] == found


def test_a_raise_counts_from_what_is_in_force_after_adjustments() -> None:
    """10,000 × 1.02 = 10,200 from January by the index, × 1.10 = 11,220 from March.

    The adjustment of the next January goes on from there: 11,220 × 1.02 = 11,444.40.
    """
    lease = a_lease(a_rent(amount=10_000), plans=[a_plan()])
    index = an_index({"2025-10": 100, "2026-10": 102, "2027-10": "104.04"})

    changed = raise_rent(0.1, on="2027-03-01")(BillingInputs.of(lease, index)).terms

    bills = pending_bills(changed, "2026-12-01/2028-01-31", indices=index)
    assert ["10000.00", "10200.00", "10200.00", "11220.00"] == [
        str(bill.total.amount) for bill in bills[:4]
    ]
    assert "11444.40" == str(bills[-1].total.amount)


def test_a_raise_of_an_adjusted_rent_needs_the_index() -> None:
    lease = a_lease(a_rent(), plans=[a_plan()])

    with pytest.raises(MissingIndexError):
        raise_rent(0.1, on="2027-03-01")(BillingInputs.of(lease, an_index({"2025-10": 100})))


def test_an_adjusted_price_is_of_one_unit() -> None:
    """Two garages at 500 are 1,000; 2 % by the index make 1,020, ten percent more 561 each."""
    lease = a_lease(a_rent(amount=500, quantity=2), plans=[a_plan()])
    index = an_index({"2025-10": 100, "2026-10": 102})

    changed = raise_rent(0.1, on="2027-03-01")(BillingInputs.of(lease, index)).terms

    (record,) = changed.recurring_bill_items[0].amount_records
    assert Amount(Decimal("561.00"), "DKK") == record.value


def test_an_amount_is_added_to_each_unit() -> None:
    """200 more a month; less where the amount is negative."""
    lease = a_lease(a_rent(amount=1000))

    assert ["1000.00"] * 5 + ["1200.00"] == totals(
        lease, raise_rent(Amount(200, "DKK"), on="2026-06-01")
    )
    assert "key:rent -50 DKK" == raise_rent(Amount(-50, "DKK")).name
    assert ["950.00"] * 6 == totals(lease, raise_rent(Amount(-50, "DKK")))


def test_an_amount_of_another_currency_changes_nothing() -> None:
    inputs = BillingInputs.of(a_lease(a_rent(currency="EUR")))

    assert inputs is raise_rent(Amount(200, "DKK"))(inputs)


@pytest.mark.parametrize("ended", [{"ended_on": "2026-03-31"}, {"cancelled_on": "2026-03-31"}])
def test_what_has_ended_is_not_raised(ended: dict[str, str]) -> None:
    inputs = BillingInputs.of(a_lease(a_rent(**ended)))

    assert inputs is raise_rent(0.1, on="2026-04-01")(inputs)
    assert inputs is set_rent(Amount(1, "DKK"), on="2026-04-01")(inputs)
    assert inputs is not raise_rent(0.1, on="2026-03-31")(inputs)


def test_only_the_rent_is_raised_unless_others_are_named() -> None:
    lease = a_lease(a_rent(amount=100), an_item(amount=10, vat="Exempt", id="heat"))

    assert "120.00" == totals(lease, raise_rent(0.1))[-1]
    assert "120.00" == totals(lease, raise_rent(1, of="heat"))[-1]
    assert "120.00" == totals(lease, raise_rent(1, of="key:heating"))[-1]
    assert "120.00" == totals(lease, raise_rent(1, of=["heat"]))[-1]
    assert "220.00" == totals(lease, raise_rent(1, of=None))[-1]
    assert "110.00" == totals(lease, raise_rent(1, of="key:none"))[-1]


def test_another_rent_replaces_what_comes_later() -> None:
    rent = a_rent(amount=1000, moved_in="2026-01-15", amounts={"2026-05-01": 1500})
    lease = a_lease(rent)

    assert ["548.39", "900.00", "900.00", "900.00", "900.00", "900.00"] == totals(
        lease, set_rent(Amount(900, "DKK"))
    )
    assert ["548.39", "1000.00", "900.00", "900.00", "900.00", "900.00"] == totals(
        lease, set_rent(Amount(900, "DKK"), on="2026-03-01")
    )
    assert "key:rent 900 DKK from 2026-03-01" == set_rent(Amount(900, "DKK"), on="2026-03-01").name


def test_a_discount_takes_the_place_of_another() -> None:
    lease = a_lease(a_rent(amount=1000, discount=Discount(amount=Amount(500, "DKK"))))

    found = totals(lease, give_discount(0.1, until="2026-04-30"))

    assert ["900.00"] * 3 + ["1000.00"] * 2 == found[1:]
    assert "key:rent 10 % off until 2026-04-30" == give_discount(0.1, until="2026-04-30").name


def test_a_discount_by_amount_is_off_each_unit() -> None:
    lease = a_lease(a_rent(amount=1000, quantity=2))

    assert "1900.00" == totals(lease, give_discount(Amount(50, "DKK")))[-1]
    assert "key:rent 50 DKK off" == give_discount(Amount(50, "DKK")).name


def test_vat_changes_for_what_is_named_from_a_day_on() -> None:
    """100 plus 25 % from April; later VATs are replaced."""
    taxed = Vat("Exclusive", Decimal("0.25"))
    lease = a_lease(a_rent(amount=100, vats={"2026-05-01": "Exclusive 0.1"}))

    assert ["100.00"] * 3 + ["125.00"] * 3 == totals(lease, use_vat(taxed, on="2026-04-01"))
    assert ["125.00"] * 5 == totals(lease, use_vat(taxed))[1:]
    assert "all items VAT Exclusive 25 % from 2026-04-01" == use_vat(taxed, on="2026-04-01").name
    assert "all items VAT Exempt" == use_vat(Vat("Exempt")).name


def test_wrong_arguments_are_refused_when_the_scenario_is_made() -> None:
    with pytest.raises(InvalidAmountError):
        raise_rent("much")
    with pytest.raises(InvalidPeriodError):
        raise_rent(0.1, on="tomorrow")
    with pytest.raises(InvalidDiscountError):
        give_discount(2)
    with pytest.raises(InvalidRecordError):
        set_rent(100)  # type: ignore[arg-type]
    with pytest.raises(InvalidRecordError):
        use_vat("Exempt")  # type: ignore[arg-type]


def test_items_without_a_plan_are_raised_beside_one_that_has() -> None:
    """The plan is about the rent; heating of 100 rises to 110."""
    lease = a_lease(
        a_rent(amount=1000),
        an_item(amount=100, vat="Exempt"),
        plans=[a_plan(percent="0.03", adjustee_ref="recurring-1")],
    )

    found = totals(lease, raise_rent(0.1, on="2026-04-01", of="key:heating"))

    assert ["1100.00"] * 3 + ["1110.00"] * 3 == found
