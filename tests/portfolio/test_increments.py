"""Increments on columns: those of a year that is asked for, and the notices of unused ones."""

from typing import Any

import pytest

from rentbilling import (
    Increment,
    IndexClause,
    LeaseTerms,
    Period,
    RecurringBillItem,
    RentAdjustmentPlan,
)
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent
from tests.portfolio.real_leases import both_ways, differing


def of_increment(**fields: Any) -> RentAdjustmentPlan:  # noqa: ANN401 - whatever the record takes
    """Return a plan of one increment."""
    plan = a_plan(percent="0.03")
    (rule,) = plan.rent_adjustment_rules
    return plan.evolve(rent_adjustment_rules=[rule.evolve(increments=[Increment(**fields)])])


def old(**changes: Any) -> RecurringBillItem:  # noqa: ANN401 - whatever the record takes
    return a_rent(moved_in="2021-01-15", amount=8000, **changes)


def leases_of(*plans: RentAdjustmentPlan) -> list[LeaseTerms]:
    """Return leases that open, end or are adjusted around the beginning of 2027."""
    young = a_rent(moved_in="2026-12-20", amount=8000)
    opening = young.first_billing_period_bill_item
    days = Period("2026-12-20", "2027-01-31")
    young = young.evolve(first_billing_period_bill_item=opening.evolve(accounting_period=days))
    return [
        a_lease(item, plans=[plan.evolve(**change)])
        for item in (young, old(), old(ended_on="2026-12-31"), old(ended_on="2027-01-01"))
        for plan in plans
        for change in ({}, {"ended_on": "2026-12-31"}, {"created": "2027-01-02T00:00:00Z"})
    ]


@pytest.mark.parametrize("asked", ["2027-01", "2026-12-15/2027-02-14", "2026-01-01/2028-12-31"])
def test_increments_of_asked_years_have_the_notices_of_unused_ones(asked: str) -> None:
    """A recurring one of a year is used in the next one too, and one of one year is not (A36)."""
    once = of_increment(year="2027", percentage="0.03", recurrence="OneTime")
    large = of_increment(year="2027", percentage="1.03", recurrence="Recurring")
    leases = leases_of(a_plan(percent="0.03"), once, large)
    batch = leases_to_arrow(leases)
    run = BillRecordBatches(asked, on_problem="table")
    found, expected = both_ways(run, batch)
    quiet = {*range(len(leases))} - {*expected.notices.column("row").to_pylist()}

    assert set() == differing(found, expected)
    assert found.summary.scalar_leases <= len(leases) - len(quiet)
    assert 0 < len(quiet) < len(leases)


def test_an_item_too_young_for_an_increment_leaves_no_other_to_the_scalar_engine() -> None:
    """The first lease opens after the only increment, and the second before it."""
    plan = of_increment(year="2025", percentage="0.03", recurrence="OneTime")
    leases = [a_lease(a_rent(moved_in="2025-06-15"), plans=[plan]), a_lease(old(), plans=[plan])]
    found, expected = both_ways(BillRecordBatches("2026-03"), leases_to_arrow(leases))

    assert set() == differing(found, expected)
    assert 0 == found.summary.scalar_leases


@pytest.mark.parametrize("asked", ["2027-01", "2026-01-01/2028-12-31"])
@pytest.mark.parametrize(
    ("recurrence", "clause"),
    [
        ("Recurring", {"interval_years": 3}),
        ("Recurring", {"interval_months": 18}),
        ("OneTime", {"interval_months": 6}),
    ],
)
def test_an_interval_counts_from_the_first_increment(
    asked: str,
    recurrence: str,
    clause: Any,  # noqa: ANN401
) -> None:
    """Whichever day each lease opens on, and the first year is 2027 (A36, A153)."""
    plan = of_increment(year="2027", percentage="0.03", recurrence=recurrence)
    (rule,) = plan.rent_adjustment_rules
    rule = rule.evolve(index_clause=IndexClause(**clause))
    leases = leases_of(RentAdjustmentPlan(rent_adjustment_rules=(rule,)))
    found, expected = both_ways(
        BillRecordBatches(asked, on_problem="table"), leases_to_arrow(leases)
    )

    assert set() == differing(found, expected)
    assert found.summary.scalar_leases == len({*expected.notices.column("row").to_pylist()})
