"""Scenarios of another cycle: what a year costs stays, and every day is paid for once."""

from datetime import date
from decimal import Decimal

import pytest

from rentbilling import (
    Amount,
    Balance,
    BillingCycle,
    BillingPolicy,
    Discount,
    IndexClause,
    LeaseTerms,
    UnsupportedCaseError,
    pending_bills,
    rent_adjustments,
)
from rentbilling.errors import InvalidRecordError
from rentbilling.testing import a_lease, a_plan, a_rent, an_index, an_item
from rentbilling.whatif import (
    BillingInputs,
    Scenario,
    switch_cycle,
    switch_to_monthly,
    switch_to_quarterly,
    switch_to_yearly,
)

TWO_YEARS = "2026-01-01/2027-12-31"
INDEX = an_index({"2025-10": 100, "2026-10": 102, "2027-10": "104.04"})


def billed(lease: LeaseTerms, scenario: Scenario, period: str = TWO_YEARS) -> list[tuple[str, str]]:
    inputs = scenario(BillingInputs.of(lease, INDEX))
    bills = pending_bills(inputs.terms, period, indices=inputs.indices, policy=inputs.policy)
    return [(str(bill.due_date), str(bill.total.amount)) for bill in bills]


def days_paid_for(terms: LeaseTerms) -> list[tuple[str, str]]:
    periods = [
        line.accounting_period for bill in pending_bills(terms, TWO_YEARS) for line in bill.lines
    ]
    return [(str(period.start), str(period.end)) for period in periods]


def test_twelve_payments_become_four_from_a_day_on() -> None:
    """8,500 a month are 25,500 a quarter; half a year costs 51,000 either way."""
    lease = a_lease(a_rent(amount=8500))

    found = billed(lease, switch_to_quarterly(on="2026-07-01"), "2026-06-01/2026-12-31")

    assert [
        ("2026-06-01", "8500.00"),
        ("2026-07-01", "25500.00"),
        ("2026-10-01", "25500.00"),
    ] == found


def test_a_switch_is_made_where_the_next_period_begins() -> None:
    lease = a_lease(a_rent(amount=8500))

    found = billed(lease, switch_to_quarterly(on="2026-06-15"), "2026-06-01/2026-12-31")

    assert ["2026-06-01", "2026-07-01", "2026-10-01"] == [day for day, _ in found]


def test_four_payments_become_twelve() -> None:
    """A third of each; a third of 1,000.00 is 333.33."""
    lease = a_lease(a_rent(amount=1000, months=3))

    found = billed(lease, switch_to_monthly(on="2026-04-01"), "2026-04-01/2026-06-30")

    assert [("2026-04-01", "333.33"), ("2026-05-01", "333.33"), ("2026-06-01", "333.33")] == found


def test_every_day_is_paid_for_once() -> None:
    """Quarters from a month's 15th follow the months before them without a gap."""
    rent = a_rent(billing_cycle=BillingCycle(start_day=15), moved_in="2026-01-15")
    changed = switch_to_quarterly(on="2026-02-01")(BillingInputs.of(a_lease(rent))).terms

    assert [
        ("2026-01-15", "2026-02-14"),
        ("2026-02-15", "2026-05-14"),
        ("2026-05-15", "2026-08-14"),
    ] == days_paid_for(changed)[:3]


def test_without_a_day_the_cycle_is_another_one_from_the_beginning() -> None:
    rent = a_rent(amount=1000, amounts={"2027-02-01": 1100})

    assert [
        ("2026-01-01", "1000.00"),
        ("2026-02-01", "12000.00"),
        ("2027-02-01", "13200.00"),
    ] == billed(a_lease(rent), switch_to_yearly())


def test_all_items_switch_and_keep_their_order() -> None:
    lease = a_lease(a_rent(amount=100), an_item(amount=10), an_item(product_key="key:water"))

    changed = switch_to_quarterly(on="2026-07-01", of=["key:rent", "key:heating"])(
        BillingInputs.of(lease)
    ).terms

    assert (
        "recurring-1",
        "recurring-1-from-2026-07-01",
        "recurring-2",
        "recurring-2-from-2026-07-01",
        "recurring-3",
    ) == changed.item_ids


def test_a_cycle_of_that_length_stays() -> None:
    inputs = BillingInputs.of(a_lease(a_rent(months=3)))
    ended = BillingInputs.of(a_lease(contract_end="2026-03-31"))

    assert inputs is switch_to_quarterly(on="2026-07-01")(inputs)
    assert ended is switch_to_quarterly(on="2026-04-01")(ended)


def test_later_prices_and_discounts_are_for_the_new_periods() -> None:
    """1,000 less 50 from July, 1,200 less 50 from October: 2,850 and 3,450 a quarter."""
    discount = Discount(amount=Amount(50, "DKK"))
    rent = a_rent(amount=1000, discount=discount, amounts={"2026-10-01": 1200})

    found = billed(a_lease(rent), switch_to_quarterly(on="2026-07-01"), "2026-07-01/2026-12-31")

    assert [("2026-07-01", "2850.00"), ("2026-10-01", "3450.00")] == found


def test_adjustments_go_on() -> None:
    """10,000 × 1.02 = 10,200 a month in 2027, 30,600 a quarter, × 1.02 = 31,212 in 2028."""
    lease = a_lease(a_rent(amount=10_000), plans=[a_plan()])
    inputs = switch_to_quarterly(on="2027-01-01")(BillingInputs.of(lease, INDEX))

    bills = pending_bills(inputs.terms, "2026-12-01/2028-03-31", indices=INDEX)
    made = rent_adjustments(inputs.terms, "2026-01-01/2028-12-31", indices=INDEX)

    assert ["10000.00 DKK", *["30600.00 DKK"] * 4, "31212.00 DKK"] == [
        str(bill.total) for bill in bills
    ]
    assert [
        ("2028-01-01", "recurring-1-from-2027-01-01", "plan-1-recurring-1-from-2027-01-01")
    ] == [(str(each.adjusted_on), each.adjustee_id, each.plan_id) for each in made]


def test_a_percentage_goes_on_from_the_beginning() -> None:
    """Three percent a year are three percent of a quarter too: 3,000 and 3,090."""
    lease = a_lease(a_rent(amount=1000), plans=[a_plan(percent="0.03")])

    found = billed(lease, switch_to_quarterly(), "2026-02-01/2027-04-30")

    # The quarter from November 2026 is split by the adjustment of January: two months at 1,000 and
    # one at 1,030 (A20).
    assert ["3000.00", "3000.00", "3000.00", "3030.00", "3090.00"] == [total for _, total in found]


def test_weeks_and_other_units_are_counted_with_their_years() -> None:
    """12,000 a year of 52 weeks are 230.77 a week; a year of days costs 365 of them."""
    lease = a_lease(a_rent(amount=1000))

    weekly = switch_cycle(BillingCycle(time_unit="Week"), on="2026-06-01")
    daily = switch_cycle(BillingCycle(time_unit="Day", period_length=5), on="2026-06-01")

    assert [("2026-06-01", "230.77"), ("2026-06-08", "230.77")] == billed(
        lease, weekly, "2026-06-01/2026-06-14"
    )
    # 12,000 × 5 / 365 = 164.38
    assert [("2026-06-01", "164.38"), ("2026-06-06", "164.38")] == billed(
        lease, daily, "2026-06-01/2026-06-10"
    )
    assert "all items every 1 weeks from 2026-06-01" == weekly.name


@pytest.mark.parametrize(
    ("lease", "case"),
    [
        (
            a_lease(a_rent(amounts={"2026-08-01": 9000})),
            "a price that changes within the first period of another cycle",
        ),
        (
            a_lease(a_rent(), plans=[a_plan(month=8, first_year=2026)]),
            "an adjustment within the first period of another cycle",
        ),
        (
            a_lease(a_rent(), plans=[a_plan(clause=IndexClause(basis="anchored"))]),
            "another cycle under a clause that counts from the start",
        ),
        (
            a_lease(a_rent(), plans=[a_plan(clause=IndexClause(interval_years=2))]),
            "another cycle under a clause that counts from the start",
        ),
        (
            a_lease(
                a_rent(),
                plans=[a_plan(adjusts_balance=True, adjusts_recurring_bill_item=True)],
                balances=[Balance(amount=Amount(25_500, "DKK"), months=Decimal(3))],
            ),
            "another cycle of a rent that balances move with",
        ),
    ],
)
def test_what_nobody_can_tell_is_refused(lease: LeaseTerms, case: str) -> None:
    with pytest.raises(UnsupportedCaseError) as refused:
        switch_to_quarterly(on="2026-07-01")(BillingInputs.of(lease, INDEX))

    assert {"case": case, "product": "key:rent"} == dict(refused.value.facts)


@pytest.mark.parametrize(
    "lease",
    [
        a_lease(a_rent(), plans=[a_plan(clause=IndexClause(floor_amount=Amount(8000, "DKK")))]),
        a_lease(
            a_rent(),
            plans=[
                a_plan().evolve(
                    adjustments=(
                        {
                            "adjusted_on": "2027-01-01",
                            "to_period_amount": {"amount": 9000, "currency": "DKK"},
                        },
                    )
                )
            ],
        ),
    ],
)
def test_stated_amounts_of_a_period_are_not_guessed(lease: LeaseTerms) -> None:
    with pytest.raises(UnsupportedCaseError) as refused:
        switch_to_quarterly()(BillingInputs.of(lease, INDEX))

    assert "another cycle of an item whose plan states amounts" == refused.value.facts["case"]


def test_increments_of_a_period_are_not_guessed() -> None:
    lease = a_lease(a_rent(amount=1000), plans=[a_plan(amount=1200)])
    per_period = BillingPolicy(increment_amount="per_period")

    # 1,200 a year are 300 a quarter; half of the quarter from November is adjusted.
    assert "3300.00" == billed(lease, switch_to_quarterly(), "2027-02-01/2027-02-28")[0][1]
    with pytest.raises(UnsupportedCaseError):
        switch_to_quarterly()(BillingInputs.of(lease, policy=per_period))


def test_what_is_no_cycle_is_refused() -> None:
    with pytest.raises(InvalidRecordError):
        switch_cycle("quarterly")  # type: ignore[arg-type]


def test_vat_and_quantity_of_the_day_go_over() -> None:
    """Two units at 100 and 25 % from July: 3 × 250 = 750 a quarter."""
    rent = a_rent(amount=100, quantities={"2026-05-01": 2}, vats={"2026-05-01": "Exclusive 0.25"})

    found = billed(a_lease(rent), switch_to_quarterly(on="2026-07-01"), "2026-07-01/2026-09-30")

    assert [("2026-07-01", str(Decimal("750.00")))] == found


def test_a_discount_that_has_ended_does_not_go_over() -> None:
    discount = Discount(amount=Amount(50, "DKK"), end_date=date(2026, 5, 31))
    rent = a_rent(amount=100, discount=discount)

    found = billed(a_lease(rent), switch_to_quarterly(on="2026-07-01"), "2026-07-01/2026-09-30")

    assert [("2026-07-01", "300.00")] == found


def test_plans_of_other_items_stay() -> None:
    lease = a_lease(
        a_rent(amount=1000),
        an_item(amount=100, vat="Exempt"),
        plans=[
            a_plan(percent="0.03", adjustee_ref="recurring-2", id="heating"),
            a_plan(percent="0.02", adjustee_ref="recurring-1", id="rent"),
        ],
    )

    changed = switch_to_quarterly(on="2026-07-01", of="key:rent")(BillingInputs.of(lease)).terms

    assert [
        ("heating", "recurring-2"),
        ("rent", "recurring-1"),
        ("rent-recurring-1-from-2026-07-01", "recurring-1-from-2026-07-01"),
    ] == [(plan.id, plan.adjustee_ref) for plan in changed.rent_adjustment_plans]
    # 3 × 1,000 × 1.02 + 100 × 1.03
    (bill,) = pending_bills(changed, "2027-01-01/2027-01-31")
    assert "3163.00 DKK" == str(bill.total)
