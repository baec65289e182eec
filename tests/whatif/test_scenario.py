"""Scenarios: named functions from inputs to inputs, joined with a bar."""

from decimal import Decimal

import pytest

from rentbilling import BillingPolicy, LeaseTerms
from rentbilling.errors import InvalidPolicyError, InvalidRecordError
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import BillingInputs, Scenario, as_it_is, raise_rent, under_policy
from tests.support.rows import rows

LEASE = BillingInputs.of(a_lease(a_rent(amount=100)))


def test_a_bar_joins_scenarios_one_after_the_other() -> None:
    """Ten percent and then ten percent are 121; the names are joined too."""
    twice = raise_rent(0.1).named("first") | raise_rent(0.1).named("then")

    assert "first, then" == twice.name
    assert Decimal("121.00") == twice(LEASE).terms.recurring_bill_items[0].amount.amount


def test_a_plain_function_is_a_scenario_by_its_own_name() -> None:
    def no_terms(inputs: BillingInputs) -> BillingInputs:
        return inputs.evolve(terms=LeaseTerms())

    joined = as_it_is() | no_terms

    assert "no terms" == Scenario.of(no_terms).name
    assert LeaseTerms() == joined(LEASE).terms
    assert Scenario.of(joined) is joined


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match="a scenario has a name, not ' '"):
        Scenario(" ", lambda inputs: inputs)
    with pytest.raises(
        TypeError, match=r"raise_rent.*or a function of the inputs that returns them, not 3"
    ):
        Scenario("three", 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        as_it_is() | 3  # type: ignore[operator]


def test_a_change_that_returns_something_else_is_refused() -> None:
    wrong = Scenario("wrong", lambda inputs: inputs.terms)  # type: ignore[arg-type,return-value]

    with pytest.raises(TypeError, match=r"the scenario wrong returned .*not its inputs"):
        wrong(LEASE)


def test_inputs_are_lease_terms() -> None:
    with pytest.raises(TypeError, match="a scenario is about LeaseTerms"):
        BillingInputs.of(a_rent())  # type: ignore[arg-type]


def test_another_policy_keeps_the_other_choices() -> None:
    inputs = LEASE.evolve(policy=BillingPolicy(rounding="half_even"))

    changed = under_policy(vat_rounding="per_line")(inputs).policy

    assert ("half_even", "per_line") == (changed.rounding, changed.vat_rounding)
    whole = under_policy(policy=BillingPolicy(part_period="full"))(inputs).policy
    assert BillingPolicy(part_period="full") == whole


def test_an_unknown_choice_is_refused_when_it_is_named() -> None:
    with pytest.raises(InvalidPolicyError):
        under_policy(vat_rounding="sometimes")
    with pytest.raises(InvalidPolicyError) as refused:
        under_policy(foo=1)
    assert ("foo", "unknown_field") == (
        refused.value.problems[0].path,
        refused.value.problems[0].code,
    )


def test_a_scenario_shows_its_name() -> None:
    assert "<Scenario as it is>" == repr(as_it_is())


@rows("of", [5, ["key:rent", 5]])
def test_items_are_named_by_texts(of: object) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        raise_rent(0.1, of=of)  # type: ignore[arg-type]

    assert "of" == refused.value.problems[0].path
