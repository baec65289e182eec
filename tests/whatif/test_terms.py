"""Scenarios of due days, starts, ends and items, worked out by hand."""

from datetime import date

import pytest

from rentbilling import BillingPolicy, InvalidInputError, LeaseTerms, pending_bills
from rentbilling.errors import InvalidDueDateRuleError, InvalidPeriodError, InvalidRecordError
from rentbilling.testing import a_lease, a_one_time_item, a_rent, an_item
from rentbilling.whatif import (
    BillingInputs,
    Scenario,
    due_on,
    end_on,
    start_on,
    with_item,
    without_item,
)

FIRST_HALF = "2026-01-01/2026-06-30"


def billed(lease: LeaseTerms, scenario: Scenario) -> list[tuple[str, str]]:
    inputs = scenario(BillingInputs.of(lease))
    bills = pending_bills(inputs.terms, FIRST_HALF, policy=inputs.policy)
    return [(str(bill.due_date), str(bill.total.amount)) for bill in bills]


def test_another_due_day_moves_regular_bills() -> None:
    lease = a_lease(a_rent(amount=100))

    assert ["2026-01-01", "2026-02-10", "2026-03-10"] == [
        day for day, _ in billed(lease, due_on(10))
    ][:3]
    assert "2026-03-01" == billed(lease, due_on(1, relative_to="end"))[1][0]
    assert "all items due on day 1 from the end" == due_on(1, relative_to="end").name


def test_a_due_day_that_is_so_already_changes_nothing() -> None:
    inputs = BillingInputs.of(a_lease())

    assert inputs is due_on(1)(inputs)


def test_no_day_is_refused() -> None:
    with pytest.raises(InvalidDueDateRuleError):
        due_on(0)


def test_a_lease_ends_on_its_last_day() -> None:
    """1,000 × 15 / 31 = 483.87 for half of March."""
    lease = a_lease(a_rent(amount=1000))

    assert [("2026-02-01", "1000.00"), ("2026-03-01", "483.87")] == billed(
        lease, end_on("2026-03-15")
    )[1:]


def test_an_end_can_be_taken_away() -> None:
    lease = a_lease(a_rent(amount=1000), contract_end="2026-02-28")
    inputs = BillingInputs.of(lease)

    assert 2 == len(billed(lease, end_on("2026-02-28")))
    assert 6 == len(billed(lease, end_on(None)))
    assert inputs is end_on("2026-02-28")(inputs)
    assert ("lease without end", "lease ends 2026-02-28") == (
        end_on(None).name,
        end_on("2026-02-28").name,
    )


def test_a_lease_that_begins_later_has_another_opening_period() -> None:
    """1,000 × 17 / 31 = 548.39 for the 15th to the 31st of March, due on the 15th."""
    lease = a_lease(a_rent(amount=1000), contract_start="2026-01-01")

    changed = start_on("2026-03-15")(BillingInputs.of(lease)).terms

    assert [("2026-03-15", "548.39"), ("2026-04-01", "1000.00")] == billed(
        lease, start_on("2026-03-15")
    )[:2]
    assert date(2026, 3, 15) == changed.contract_start


def test_an_opening_period_is_priced_with_what_is_in_force() -> None:
    """Since February the rent is 2,000 for two rooms each: 2 × 2,000 × 17 / 31 = 2,193.55.

    The policy that counts parts is the item's.
    """
    rent = a_rent(amount=1000, amounts={"2026-02-01": 2000}, quantities={"2026-02-01": 2})
    lease = a_lease(rent)

    assert ("2026-03-15", "2193.55") == billed(lease, start_on("2026-03-15"))[0]
    inputs = BillingInputs.of(lease, policy=BillingPolicy(part_period="full"))
    changed = start_on("2026-03-15")(inputs)
    (first, *_) = pending_bills(changed.terms, FIRST_HALF, policy=changed.policy)
    assert "4000.00 DKK" == str(first.total)


def test_a_start_after_the_end_is_refused() -> None:
    lease = a_lease(a_rent(), contract_start="2026-01-01", contract_end="2026-02-28")

    with pytest.raises(InvalidPeriodError):
        start_on("2026-03-01")(BillingInputs.of(lease))
    with pytest.raises(InvalidPeriodError):
        start_on("March")


def test_items_come_and_go() -> None:
    """Parking for 50 more; without the rent nothing but heating is left."""
    lease = a_lease(a_rent(amount=1000), an_item(amount=100, vat="Exempt"))
    parking = an_item(product_key="key:parking", amount=50, vat="Exempt")

    assert "1150.00" == billed(lease, with_item(parking))[-1][1]
    assert "100.00" == billed(lease, without_item("key:rent"))[-1][1]
    assert [] == billed(lease, without_item(None))
    assert ("with key:parking", "without key:rent") == (
        with_item(parking).name,
        without_item("key:rent").name,
    )


def test_a_one_time_item_comes_too() -> None:
    once = a_one_time_item()
    inputs = BillingInputs.of(a_lease())

    assert (once,) == with_item(once)(inputs).terms.one_time_bill_items


def test_an_item_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidRecordError):
        with_item("parking")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError):
        with_item(a_rent(id="rent"))(BillingInputs.of(a_lease(a_rent(id="rent"))))
