"""Scenarios of limits, clauses and assumed index values, worked out by hand."""

from decimal import Decimal

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError, InvalidRecordError
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from rentbilling.whatif import (
    BillingInputs,
    Scenario,
    assume_index,
    cap,
    floor,
    use_clause,
    without_adjustments,
)
from tests.support.rows import rows

INDEX = an_index({"2025-10": 100, "2026-10": 106, "2027-10": "100.7"})
LEASE = a_lease(a_rent(amount=10_000), plans=[a_plan()])
BY_INDEX = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)


def amounts(scenario: Scenario, lease: rb.LeaseTerms) -> list[str]:
    """Return the rent after each adjustment of 2027 and 2028."""
    inputs = scenario(BillingInputs.of(lease, INDEX))
    made = rb.rent_adjustments(inputs.terms, "2027-01-01/2028-12-31", indices=inputs.indices)
    return [str(each.to_period_amount) for each in made]


AND_TWO_MORE = rb.RentAdjustmentRule(
    adjustment_type="Increment",
    adjustment_month=1,
    increments=(rb.Increment(year="2027", percentage=Decimal("0.02")),),
)
TOGETHER = a_lease(a_rent(amount=10_000), plans=[a_plan(BY_INDEX, AND_TWO_MORE)])
ADDED = a_lease(a_rent(amount=1000), plans=[a_plan(amount=1200)])
HALF, ANCHORED = use_clause(share=Decimal("0.5")), use_clause(rb.IndexClause(basis="anchored"))


@rows(
    ("lease", "scenario", "expected"),
    [
        # Six percent become four; five percent down stay: 10,400 × 0.95 = 9,880.
        (LEASE, cap(0.04), ["10400.00 DKK", "9880.00 DKK"]),
        # Never down: 10,600 stay.
        (LEASE, floor(0), ["10600.00 DKK", "10600.00 DKK"]),
        # Six percent by the index and two more are 8.12 in turn; four is the most of both.
        (TOGETHER, Scenario("as it is", lambda inputs: inputs), ["10812.00 DKK"]),
        (TOGETHER, cap(0.04), ["10400.00 DKK"]),
        # 1,200 a year more are 100 a month on 1,000; four percent are 40.
        (ADDED, floor(-1), ["1100.00 DKK"]),
        (ADDED, cap(0.04), ["1040.00 DKK"]),
        # Half of the change is passed on: 3 percent up, 2.5 down.
        (LEASE, HALF, ["10300.00 DKK", "10042.50 DKK"]),
        (LEASE, ANCHORED, ["10600.00 DKK", "10070.00 DKK"]),
        (LEASE, without_adjustments(), []),
    ],
)
def test_each_adjustment_follows_the_scenario(
    lease: rb.LeaseTerms, scenario: Scenario, expected: list[str]
) -> None:
    assert expected == amounts(scenario, lease)[: len(expected) or None]


def test_scenarios_of_clauses_have_names() -> None:
    assert ("share 0.5", "another clause") == (HALF.name, ANCHORED.name)


def test_a_cap_above_the_rules_own_changes_nothing() -> None:
    lease = a_lease(a_rent(), plans=[a_plan(minimum=0, maximum="0.03")])
    inputs = BillingInputs.of(lease, INDEX)

    assert inputs is cap(0.04)(inputs)
    assert inputs is floor("-0.1")(inputs)
    assert inputs is not cap(0.02)(inputs)


def test_a_cap_below_a_minimum_is_refused() -> None:
    inputs = BillingInputs.of(a_lease(a_rent(), plans=[a_plan(minimum="0.05")]), INDEX)

    with pytest.raises(InvalidAdjustmentRuleError):
        cap(0.04)(inputs)


def test_a_lease_without_rules_has_nothing_to_cap() -> None:
    for lease in (a_lease(), a_lease(a_rent(), plans=[a_plan().evolve(rent_adjustment_rules=())])):
        inputs = BillingInputs.of(lease)
        for scenario in (cap(0.04), floor(0), without_adjustments(), use_clause(share=1)):
            assert inputs is scenario(inputs)


def test_a_clause_is_for_rules_by_an_index() -> None:
    inputs = BillingInputs.of(a_lease(a_rent(), plans=[a_plan(percent="0.03")]))

    assert inputs is use_clause(basis="anchored")(inputs)
    with pytest.raises(InvalidRecordError):
        use_clause("anchored")  # type: ignore[arg-type]


def test_an_assumed_index_goes_on_after_the_published_one() -> None:
    """100.7 × 1.02 = 102.714; assumed values are assumed anew, published ones stay."""
    inputs = BillingInputs.of(LEASE, INDEX.extended(Decimal("0.5"), "2028"))

    changed = assume_index(0.02, until="2028")(inputs).indices["INDEX"]

    assert Decimal("102.714000") == changed.values[changed.points[-1]]
    assert Decimal("100.7") == changed.values[changed.points[-2]]
    assert ["2028-10"] == [str(point) for point in changed.assumed]


def test_an_assumed_index_can_have_a_rate_for_each_year_and_a_name() -> None:
    other = an_index({"2025-10": 100}, name="OTHER")
    inputs = BillingInputs.of(LEASE, [INDEX, other])

    changed = assume_index({2028: "0.10"}, until="2028", of="INDEX")(inputs).indices

    assert Decimal("110.770000") == changed["INDEX"].values[changed["INDEX"].points[-1]]
    assert other is changed["OTHER"]
    assert ("INDEX by year", "index -1 %") == (
        assume_index({2028: 0}, of="INDEX").name,
        assume_index(-0.01).name,
    )


def test_an_assumption_that_is_there_changes_nothing() -> None:
    inputs = BillingInputs.of(LEASE, INDEX.extended(Decimal("0.02"), "2030"))

    assert inputs is assume_index(0.02, until="2030")(inputs)
