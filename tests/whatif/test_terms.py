"""Scenarios of due days, starts, ends and items, worked out by hand."""

from datetime import date
from decimal import Decimal

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    InvalidInputError,
    LeaseTerms,
    monthly_rent,
    pending_bills,
    whatif,
)
from rentbilling.errors import InvalidDueDateRuleError, InvalidPeriodError, InvalidRecordError
from rentbilling.testing import a_lease, a_one_time_item, a_rent, an_item

FIRST_HALF = "2026-01-01/2026-06-30"


def billed(lease: LeaseTerms, scenario: whatif.Scenario) -> list[tuple[str, str]]:
    inputs = scenario(whatif.BillingInputs.of(lease))
    bills = pending_bills(inputs.terms, FIRST_HALF, policy=inputs.policy)
    return [(str(bill.due_date), str(bill.total.amount)) for bill in bills]


def test_another_due_day_moves_regular_bills() -> None:
    lease = a_lease(a_rent(amount=100))

    assert ["2026-01-01", "2026-02-10", "2026-03-10"] == [
        day for day, _ in billed(lease, whatif.due_on(10))
    ][:3]
    assert "2026-03-01" == billed(lease, whatif.due_on(1, relative_to="end"))[1][0]
    assert "all items due on day 1 from the end" == whatif.due_on(1, relative_to="end").name


def test_a_due_day_that_is_so_already_changes_nothing() -> None:
    inputs = whatif.BillingInputs.of(a_lease())

    assert inputs is whatif.due_on(1)(inputs)


def test_no_day_is_refused() -> None:
    with pytest.raises(InvalidDueDateRuleError):
        whatif.due_on(0)


def test_a_lease_ends_on_its_last_day() -> None:
    """1,000 × 15 / 31 = 483.87 for half of March."""
    lease = a_lease(a_rent(amount=1000))

    assert [("2026-02-01", "1000.00"), ("2026-03-01", "483.87")] == billed(
        lease, whatif.end_on("2026-03-15")
    )[1:]


def test_an_end_can_be_taken_away() -> None:
    lease = a_lease(a_rent(amount=1000), contract_end="2026-02-28")
    inputs = whatif.BillingInputs.of(lease)

    assert 2 == len(billed(lease, whatif.end_on("2026-02-28")))
    assert 6 == len(billed(lease, whatif.end_on(None)))
    assert inputs is whatif.end_on("2026-02-28")(inputs)
    assert ("lease without end", "lease ends 2026-02-28") == (
        whatif.end_on(None).name,
        whatif.end_on("2026-02-28").name,
    )


def test_a_lease_that_begins_later_has_another_opening_period() -> None:
    """1,000 × 17 / 31 = 548.39 for the 15th to the 31st of March, due on the 15th."""
    lease = a_lease(a_rent(amount=1000), contract_start="2026-01-01")

    changed = whatif.start_on("2026-03-15")(whatif.BillingInputs.of(lease)).terms

    assert [("2026-03-15", "548.39"), ("2026-04-01", "1000.00")] == billed(
        lease, whatif.start_on("2026-03-15")
    )[:2]
    assert date(2026, 3, 15) == changed.contract_start


def test_an_opening_period_ends_with_the_contract() -> None:
    """15 to 18 March are 4 of 31 days: 3,100 × 4/31 = 400 (A14)."""
    lease = a_lease(a_rent(amount=3100), contract_end="2026-03-18")

    assert [("2026-03-15", "400.00")] == billed(lease, whatif.start_on("2026-03-15"))


def test_another_start_may_open_a_whole_cycle() -> None:
    """Monday 16 March opens a fortnight, Thursday the 19th four days of one (A151)."""
    fortnight = BillingCycle(time_unit="Week", period_length=2)
    lease = a_lease(a_rent(amount=1400, billing_cycle=fortnight, moved_in="2026-01-05"))

    assert [("2026-03-16", "1400.00"), ("2026-03-30", "1400.00")] == billed(
        lease, whatif.start_on("2026-03-16")
    )[:2]
    assert [("2026-03-19", "400.00"), ("2026-03-23", "1400.00")] == billed(
        lease, whatif.start_on("2026-03-19")
    )[:2]


def test_an_opening_under_a_product_s_policy_has_the_currencies_of_the_bills() -> None:
    """17 of 31 days of 10.0 points are 5.5 (A2, A54)."""
    own = BillingPolicy(rounding="half_even")
    policy = BillingPolicy(currencies={"POINTS": 1}, by_product={"key:rent": own})
    points = Amount(10, "POINTS", currencies=policy.currencies)
    lease = a_lease(monthly_rent(points, "2026-01-01", policy=policy))
    changed = whatif.start_on("2026-03-15")(whatif.BillingInputs.of(lease, policy=policy)).terms

    assert Amount(Decimal("5.5"), "POINTS", currencies=policy.currencies) == (
        changed.recurring_bill_items[0].first_billing_period_bill_item.amount
    )


def test_a_later_price_counts_in_another_opening_period() -> None:
    """7 days of 3,100 a month and 10 of 6,200."""
    lease = a_lease(a_rent(amount=3100, amounts={"2026-03-22": 6200}))

    assert ("2026-03-15", "2700.00") == billed(lease, whatif.start_on("2026-03-15"))[0]


def test_an_opening_period_is_priced_with_what_is_in_force() -> None:
    """Since February the rent is 2,000 for two rooms each: 2 × 2,000 × 17 / 31 = 2,193.55.

    The policy that counts parts is the item's.
    """
    rent = a_rent(amount=1000, amounts={"2026-02-01": 2000}, quantities={"2026-02-01": 2})
    lease = a_lease(rent)

    assert ("2026-03-15", "2193.55") == billed(lease, whatif.start_on("2026-03-15"))[0]
    inputs = whatif.BillingInputs.of(lease, policy=BillingPolicy(part_period="full"))
    changed = whatif.start_on("2026-03-15")(inputs)
    (first, *_) = pending_bills(changed.terms, FIRST_HALF, policy=changed.policy)
    assert "4000.00 DKK" == str(first.total)


def test_a_start_after_the_end_is_refused() -> None:
    lease = a_lease(a_rent(), contract_start="2026-01-01", contract_end="2026-02-28")

    with pytest.raises(InvalidPeriodError):
        whatif.start_on("2026-03-01")(whatif.BillingInputs.of(lease))
    with pytest.raises(InvalidPeriodError):
        whatif.start_on("March")


def test_items_come_and_go() -> None:
    """Parking for 50 more; without the rent nothing but heating is left."""
    lease = a_lease(a_rent(amount=1000), an_item(amount=100, vat="Exempt"))
    parking = an_item(product_key="key:parking", amount=50, vat="Exempt")

    assert "1150.00" == billed(lease, whatif.with_item(parking))[-1][1]
    assert "100.00" == billed(lease, whatif.without_item("key:rent"))[-1][1]
    assert [] == billed(lease, whatif.without_item(None))
    assert ("with key:parking", "without key:rent") == (
        whatif.with_item(parking).name,
        whatif.without_item("key:rent").name,
    )


def test_a_one_time_item_comes_too() -> None:
    once = a_one_time_item()
    inputs = whatif.BillingInputs.of(a_lease())

    assert (once,) == whatif.with_item(once)(inputs).terms.one_time_bill_items


def test_an_item_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidRecordError):
        whatif.with_item("parking")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError):
        whatif.with_item(a_rent(id="rent"))(whatif.BillingInputs.of(a_lease(a_rent(id="rent"))))
