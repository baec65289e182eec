"""Scenarios of another cycle: what a year costs stays, and every day is paid for once."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import rent_free
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
from tests.support.rows import rows
from tests.whatif.billed import billed, totals

TWO_YEARS = "2026-01-01/2027-12-31"
BY_JULY = switch_to_quarterly(on="2026-07-01")
LAST_DAY = rb.DueDateRule(day_of_period=-1, relative_to="end")
WEEKLY = switch_cycle(rb.BillingCycle(time_unit="Week"), on="2026-06-01")
FIFTY_OFF = rb.Discount(amount=rb.Amount(50, "DKK"))
INDEX = an_index({"2025-10": 100, "2026-10": 102, "2027-10": "104.04"})


def lease_of(amount: int, **more: Any) -> rb.LeaseTerms:  # noqa: ANN401 - as `a_rent` takes them
    return a_lease(a_rent(amount=amount, **more))


@rows(
    ("lease", "scenario", "period", "expected"),
    [
        # 8,500 a month are 25,500 a quarter, from the next period that begins.
        *(
            (
                *(lease_of(8500), switch_to_quarterly(on=day), "2026-06-01/2026-12-31"),
                ["06-01 8500.00", "07-01 25500.00", "10-01 25500.00"],
            )
            for day in ("2026-07-01", "2026-06-15")
        ),
        # 10,000 a year stays a price of the year: 833.33, 833.34, then 2,500 a quarter (A65).
        (
            *(lease_of(10000, price_per="year"), BY_JULY, "2026-05-01/2026-12-31"),
            ["05-01 833.33", "06-01 833.34", "07-01 2500.00", "10-01 2500.00"],
        ),
        # A third of 1,000.00 is 333.33.
        (
            *(lease_of(1000, months=3), switch_to_monthly(on="2026-04-01")),
            *("2026-04-01/2026-06-30", ["04-01 333.33", "05-01 333.33", "06-01 333.33"]),
        ),
        # Without a day from the beginning.
        (
            *(lease_of(1000, amounts={"2027-02-01": 1100}), switch_to_yearly(), TWO_YEARS),
            ["01-01 1000.00", "02-01 12000.00", "02-01 13200.00"],
        ),
        # 1,000 less 50 from July, 1,200 less 50 from October: 2,850 and 3,450 a quarter.
        (
            lease_of(1000, discount=FIFTY_OFF, amounts={"2026-10-01": 1200}),
            *(BY_JULY, "2026-07-01/2026-12-31", ["07-01 2850.00", "10-01 3450.00"]),
        ),
        # Three percent a year are three percent of a quarter too: 3,000 and 3,090. The quarter from
        # November is split by the adjustment of January: two months at 1,000, one at 1,030 (A20).
        (
            a_lease(a_rent(amount=1000), plans=[a_plan(percent="0.03")]),
            *(switch_to_quarterly(), "2026-11-01/2027-04-30", ["11-01 3030.00", "02-01 3090.00"]),
        ),
        # 12,000 a year of 52 weeks are 230.77 a week; 12,000 × 5 / 365 = 164.38.
        (
            *(lease_of(1000), WEEKLY, "2026-06-01/2026-06-14"),
            ["06-01 230.77", "06-08 230.77"],
        ),
        (
            lease_of(1000),
            switch_cycle(rb.BillingCycle(time_unit="Day", period_length=5), on="2026-06-01"),
            *("2026-06-01/2026-06-10", ["06-01 164.38", "06-06 164.38"]),
        ),
        # Whole fortnights from the first one on, 12,000 / 26 (A151); five months and two years.
        (
            lease_of(1000),
            switch_cycle(rb.BillingCycle(time_unit="Week", period_length=2), on="2026-06-01"),
            *("2026-06-01/2026-06-30", ["06-01 461.54", "06-15 461.54", "06-29 461.54"]),
        ),
        *(
            (
                lease_of(1000),
                switch_cycle(rb.BillingCycle(period_length=length), on="2026-06-01"),
                *("2026-06-01/2028-06-30", expected),
            )
            for length, expected in (
                (5, [f"{month}-01 5000.00" for month in ("06", "11", "04", "09", "02")]),
                (24, ["06-01 24000.00", "06-01 24000.00"]),
            )
        ),
        # Two units at 100 and 25 % from July: 3 × 250 = 750 a quarter.
        (
            lease_of(100, quantities={"2026-05-01": 2}, vats={"2026-05-01": "Exclusive 0.25"}),
            *(BY_JULY, "2026-07-01/2026-09-30", ["07-01 750.00"]),
        ),
        # A discount that has ended does not go over.
        (
            lease_of(100, discount=FIFTY_OFF.evolve(end_date=date(2026, 5, 31))),
            *(BY_JULY, "2026-07-01/2026-09-30", ["07-01 300.00"]),
        ),
        # One month of the quarter is paid for, the quarter's due date stays (A14, A17).
        (
            lease_of(1000, ended_on="2026-07-31"),
            *(BY_JULY, "2026-07-01/2026-12-31", ["07-01 1000.00"]),
        ),
        (
            lease_of(1000, ended_on="2026-07-31", due_date_rule=LAST_DAY),
            *(BY_JULY, "2026-07-01/2026-12-31", ["09-30 1000.00"]),
        ),
        # One of a list goes over, by the quarter; the other ended. August is free: its third is in
        # the opening period's price: (3,000 − 150) × 2/3 = 1,900 (A14, A20, A61).
        (
            lease_of(
                1000,
                discounts=[
                    FIFTY_OFF,
                    FIFTY_OFF.evolve(end_date=date(2026, 5, 31)),
                    rent_free("2026-08-01", "2026-08-31"),
                ],
            ),
            *(BY_JULY, "2026-07-01/2026-12-31", ["07-01 1900.00", "10-01 2850.00"]),
        ),
    ],
)
def test_bills_of_another_cycle(
    lease: rb.LeaseTerms, scenario: Scenario, period: str, expected: list[str]
) -> None:
    found = billed(lease, scenario, period, INDEX)

    assert expected == [f"{day[5:]} {total}" for day, total in found]


def days_paid_for(terms: rb.LeaseTerms) -> list[tuple[str, str]]:
    periods = [
        line.accounting_period for bill in rb.pending_bills(terms, TWO_YEARS) for line in bill.lines
    ]
    return [(str(period.start), str(period.end)) for period in periods]


def test_every_day_is_paid_for_once() -> None:
    """Quarters from a month's 15th follow the months before them without a gap."""
    rent = a_rent(billing_cycle=rb.BillingCycle(start_day=15), moved_in="2026-01-15")
    changed = switch_to_quarterly(on="2026-02-01")(BillingInputs.of(a_lease(rent))).terms

    assert [
        ("2026-01-15", "2026-02-14"),
        ("2026-02-15", "2026-05-14"),
        ("2026-05-15", "2026-08-14"),
    ] == days_paid_for(changed)[:3]


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

    assert "all items every 1 weeks from 2026-06-01" == WEEKLY.name
    assert inputs is switch_to_quarterly(on="2026-07-01")(inputs)
    assert ended is switch_to_quarterly(on="2026-04-01")(ended)


def test_adjustments_go_on() -> None:
    """10,000 × 1.02 = 10,200 a month in 2027, 30,600 a quarter, × 1.02 = 31,212 in 2028."""
    lease = a_lease(a_rent(amount=10_000), plans=[a_plan()])
    inputs = switch_to_quarterly(on="2027-01-01")(BillingInputs.of(lease, INDEX))

    bills = rb.pending_bills(inputs.terms, "2026-12-01/2028-03-31", indices=INDEX)
    made = rb.rent_adjustments(inputs.terms, "2026-01-01/2028-12-31", indices=INDEX)

    assert ["10000.00 DKK", *["30600.00 DKK"] * 4, "31212.00 DKK"] == [
        str(bill.total) for bill in bills
    ]
    assert [
        ("2028-01-01", "recurring-1-from-2027-01-01", "plan-1-recurring-1-from-2027-01-01")
    ] == [(str(each.adjusted_on), each.adjustee_id, each.plan_id) for each in made]


@rows(
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
            a_lease(a_rent(), plans=[a_plan(clause=rb.IndexClause(basis="anchored"))]),
            "another cycle under a clause that counts from the start",
        ),
        (
            a_lease(a_rent(), plans=[a_plan(clause=rb.IndexClause(interval_years=2))]),
            "another cycle under a clause that counts from the start",
        ),
        (
            a_lease(
                a_rent(),
                plans=[a_plan(adjusts_balance=True, adjusts_recurring_bill_item=True)],
                balances=[rb.Balance(amount=rb.Amount(25_500, "DKK"), months=Decimal(3))],
            ),
            "another cycle of a rent that balances move with",
        ),
    ],
)
def test_what_nobody_can_tell_is_refused(lease: rb.LeaseTerms, case: str) -> None:
    with pytest.raises(rb.UnsupportedCaseError) as refused:
        switch_to_quarterly(on="2026-07-01")(BillingInputs.of(lease, INDEX))

    assert {"case": case, "product": "key:rent"} == dict(refused.value.facts)


@rows(
    "lease",
    [
        a_lease(
            a_rent(), plans=[a_plan(clause=rb.IndexClause(floor_amount=rb.Amount(8000, "DKK")))]
        ),
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
def test_stated_amounts_of_a_period_are_not_guessed(lease: rb.LeaseTerms) -> None:
    with pytest.raises(rb.UnsupportedCaseError) as refused:
        switch_to_quarterly()(BillingInputs.of(lease, INDEX))

    assert "another cycle of an item whose plan states amounts" == refused.value.facts["case"]


def test_increments_of_a_period_are_not_guessed() -> None:
    lease = a_lease(a_rent(amount=1000), plans=[a_plan(amount=1200)])
    per_period = rb.BillingPolicy(increment_amount="per_period")

    # 1,200 a year are 300 a quarter; half of the quarter from November is adjusted.
    assert ["3300.00"] == totals(lease, switch_to_quarterly(), "2027-02-01/2027-02-28", INDEX)
    with pytest.raises(rb.UnsupportedCaseError):
        switch_to_quarterly()(BillingInputs.of(lease, policy=per_period))


def test_what_is_no_cycle_is_refused() -> None:
    with pytest.raises(InvalidRecordError):
        switch_cycle("quarterly")  # type: ignore[arg-type]


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
    (bill,) = rb.pending_bills(changed, "2027-01-01/2027-01-31")
    assert "3163.00 DKK" == str(bill.total)
