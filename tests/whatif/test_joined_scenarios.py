"""Scenarios that are joined: what prices follow comes first, whatever the order they stand in."""

from datetime import date

import pytest

from rentbilling import (
    Amount,
    IndexSeries,
    LeaseTerms,
    RentAdjustment,
    RentAdjustmentPlan,
    UnsupportedCaseError,
    pending_bills,
    rent_adjustments,
    what_if,
)
from rentbilling.testing import a_lease, a_plan, a_rent, an_index, an_item
from rentbilling.whatif import (
    BillingInputs,
    Scenario,
    assume_index,
    cap,
    floor,
    raise_rent,
    set_rent,
    start_on,
    without_adjustments,
    without_item,
)
from tests.support.rows import rows

INDEX = an_index({"2025-10": 100, "2026-10": 102, "2027-10": 110, "2028-10": 112})
LEASE = a_lease(a_rent(amount=10_000), plans=[a_plan()])


def price(scenario: Scenario, day: str, lease: LeaseTerms = LEASE) -> str:
    inputs = scenario(BillingInputs.of(lease, INDEX))
    (bill,) = pending_bills(inputs.terms, f"{day}/{day}", indices=inputs.indices)
    return str(bill.total.amount)


def test_a_raise_counts_from_what_a_cap_leaves() -> None:
    """10,000 × 1.01 × 1.01 = 10,201 in 2028, × 1.03 = 10,507.03 from July, in either order."""
    raised, capped = raise_rent(0.03, on="2028-07-01"), cap(0.01)

    for both in (raised | capped, capped | raised):
        assert "10507.03" == price(both, "2028-07-01")


def test_an_assumed_index_is_assumed_before_prices_are_counted() -> None:
    """10,000 × 1.5 × 1.5 = 22,500 in 2028, × 1.03 = 23,175 from July."""
    lease = BillingInputs.of(LEASE, IndexSeries("INDEX", {"2025-10": "100.0"}))
    raised, assumed = raise_rent(0.03, on="2028-07-01"), assume_index(0.5, until="2030")

    for both in (raised | assumed, assumed | raised):
        inputs = both(lease)
        bills = pending_bills(inputs.terms, "2028-07-01/2028-07-01", indices=inputs.indices)
        assert "23175.00 DKK" == str(bills[0].total)


def test_a_start_moves_no_item_that_begins_later() -> None:
    later = a_rent(amount=500, moved_in="2026-07-01", product_key="key:parking")
    inputs = start_on("2026-03-01")(BillingInputs.of(a_lease(a_rent(amount=8500), later)))
    bills = pending_bills(inputs.terms, "2026-01-01/2026-08-31")

    assert ["8500.00"] * 4 + ["9000.00"] * 2 == [str(bill.total.amount) for bill in bills]


def test_a_start_goes_on_with_what_is_in_force() -> None:
    """11,000 in 2028 by the index: 11,000 × 17 / 31 = 6,032.26 for half of March, then 11,000."""
    start = start_on("2028-03-15")

    assert "6032.26" == price(start, "2028-03-15")
    assert "11000.00" == price(start, "2028-04-01")
    # 11,000 × 112 / 110
    assert "11200.00" == price(start, "2029-01-01")


def test_functions_of_ones_own_stay_where_they_stand() -> None:
    seen: list[bool] = []

    def look(inputs: BillingInputs) -> BillingInputs:
        (plan,) = inputs.terms.rent_adjustment_plans
        seen.append(plan.rent_adjustment_rules[0].maximum_percentage is not None)
        return inputs

    (look | cap(0.01))(BillingInputs.of(LEASE))
    (cap(0.01) | look)(BillingInputs.of(LEASE))

    assert [False, True] == seen
    assert "look, cap 1 %" == (look | cap(0.01)).name


def test_a_maker_that_was_not_called_is_refused() -> None:
    with pytest.raises(TypeError, match="cap returns a scenario when it is called"):
        raise_rent(0.03) | cap  # type: ignore[operator]
    with pytest.raises(TypeError):
        3 | cap(0.01)  # type: ignore[operator]


# -------------------------------------------------------------------------- listed adjustments


def listed(*steps: tuple[str, int, int]) -> RentAdjustmentPlan:
    adjustments = tuple(
        RentAdjustment(
            adjusted_on=date.fromisoformat(day),
            from_period_amount=Amount(before, "DKK"),
            to_period_amount=Amount(after, "DKK"),
        )
        for day, before, after in steps
    )
    return RentAdjustmentPlan(adjustee_ref="rent", adjustments=adjustments)


TOLD = a_lease(
    a_rent(amount=10_000, id="rent"),
    plans=[listed(("2027-01-01", 10_000, 10_500), ("2028-01-01", 10_500, 11_111))],
)


@rows(
    ("on", "prices"),
    [
        (None, ("11000.00", "11550.00", "11550.00", "12222.10")),
        ("2027-01-01", ("10000.00", "11550.00", "11550.00", "12222.10")),
        ("2027-07-01", ("10000.00", "10500.00", "11550.00", "12222.10")),
        ("2028-07-01", ("10000.00", "10500.00", "10500.00", "11111.00")),
    ],
)
def test_a_raise_is_of_listed_adjustments_too(on: str | None, prices: tuple[str, ...]) -> None:
    """Ten percent more, on what was listed from that day on: 10,500 × 1.1, 11,111 × 1.1."""
    raised = raise_rent(0.1, on=on)
    days = ("2026-12-01", "2027-06-01", "2027-07-01", "2028-06-01")

    assert prices == tuple(price(raised, day, TOLD) for day in days)
    result = what_if(TOLD, raised, period="2026-01-01/2028-12-31")
    assert () == result.variants[0].results[0].notices


def test_a_listed_adjustment_may_keep_silent_on_what_it_began_with() -> None:
    """10,500 × 1.1; plans of other items stay as they are."""
    told = RentAdjustment(adjusted_on=date(2027, 1, 1), to_period_amount=Amount(10_500, "DKK"))
    other = listed(("2027-01-01", 500, 600)).evolve(adjustee_ref="heat")
    lease = a_lease(
        a_rent(amount=10_000, id="rent"),
        an_item(amount=500, vat="Exempt", id="heat"),
        plans=[other, RentAdjustmentPlan(adjustee_ref="rent", adjustments=(told,))],
    )

    assert "12150.00" == price(raise_rent(0.1), "2027-06-01", lease)
    # 10,500 + 700: the heating's own list ends before.
    changed = set_rent(Amount(700, "DKK"), on="2027-02-01", of="heat")
    assert "11200.00" == price(changed, "2027-06-01", lease)


def test_another_amount_before_a_listed_adjustment_is_refused() -> None:
    inputs = BillingInputs.of(TOLD)

    for on in (None, "2028-01-01"):
        with pytest.raises(UnsupportedCaseError) as refused:
            set_rent(Amount(20_000, "DKK"), on=on)(inputs)
        assert "2028-01-01: give a later day" in str(refused.value.facts["case"])
    assert "20000.00" == price(set_rent(Amount(20_000, "DKK"), on="2028-02-01"), "2028-02-01", TOLD)


def test_a_start_after_listed_adjustments_leaves_them_behind() -> None:
    """From February 2028 on the lease costs 11,111, which was listed for January."""
    started = start_on("2028-02-01")(BillingInputs.of(TOLD)).terms

    assert () == started.rent_adjustment_plans[0].adjustments
    assert "11111.00" == price(start_on("2028-02-01"), "2028-02-01", TOLD)
    assert 1 == len(
        start_on("2027-02-01")(BillingInputs.of(TOLD)).terms.rent_adjustment_plans[0].adjustments
    )


def test_what_is_listed_of_a_balance_is_not_guessed() -> None:
    yearly = RentAdjustment(adjusted_on=date(2027, 1, 1), to_yearly_amount=Amount(120_000, "DKK"))
    plan = RentAdjustmentPlan(adjustments=(yearly,))

    with pytest.raises(UnsupportedCaseError):
        raise_rent(0.1)(BillingInputs.of(a_lease(a_rent(amount=9000), plans=[plan])))


# ----------------------------------------------------------------------------- from a day on


def after(scenario: Scenario) -> list[str]:
    """Return the rent after each adjustment of 2027 to 2029."""
    inputs = scenario(BillingInputs.of(LEASE, INDEX))
    made = rent_adjustments(inputs.terms, "2027-01-01/2029-12-31", indices=INDEX)
    return [str(each.to_period_amount.amount) for each in made if each.to_period_amount]


def test_a_cap_from_a_day_leaves_what_was_adjusted() -> None:
    """10,200 and 11,000 as it is; held to one percent from 2028: 10,302, then 10,405.02."""
    assert ["10200.00", "10302.00", "10405.02"] == after(cap(0.01, on="2028-01-01"))
    assert ["10200.00", "11000.00", "11110.00"] == after(cap(0.01, on="2028-01-02"))
    assert "cap 1 % from 2028-01-01" == cap(0.01, on="2028-01-01").name


def test_a_floor_from_a_day() -> None:
    """At least nine percent from 2028."""
    assert ["10200.00", "11118.00", "12118.62"] == after(floor(0.09, on="2027-06-01"))


def test_no_adjustments_from_a_day() -> None:
    assert ["10200.00"] == after(without_adjustments(on="2028-01-01"))
    ended = BillingInputs.of(
        a_lease(a_rent(), plans=[a_plan(cancelled_on=date(2027, 1, 1))]), INDEX
    )
    assert ended is without_adjustments(on="2028-01-01")(ended)


# --------------------------------------------------------------------------------- portfolios


def test_a_refusal_says_which_lease_and_which_run() -> None:
    leases = [a_lease(), TOLD]

    with pytest.raises(UnsupportedCaseError) as refused:
        what_if(leases, set_rent(Amount(1, "DKK")).named("cheap"), period="2026-01-01/2026-12-31")
    assert ["in the run 'cheap' of the lease number 2"] == refused.value.__notes__
    with pytest.raises(UnsupportedCaseError) as refused:
        what_if(TOLD, set_rent(Amount(1, "DKK")).named("cheap"), period="2026-01-01/2026-12-31")
    assert ["in the run 'cheap'"] == refused.value.__notes__


def test_an_item_goes_with_the_plans_about_it() -> None:
    lease = a_lease(
        a_rent(amount=100),
        an_item(product_key="key:parking", amount=50, vat="Exempt"),
        plans=[
            a_plan(percent="0.03", adjustee_ref="recurring-1"),
            a_plan(percent="0.1", adjustee_ref="recurring-2"),
        ],
    )

    left = without_item("key:rent")(BillingInputs.of(lease)).terms

    assert (("recurring-2",), 1) == (left.item_ids, len(left.rent_adjustment_plans))
    assert "55.00" == price(without_item("key:rent"), "2027-01-01", lease)
    inputs = BillingInputs.of(lease)
    assert inputs is without_item("key:none")(inputs)


def test_the_leases_of_a_portfolio_share_an_assumed_series() -> None:
    series = IndexSeries("INDEX", {"2025-10": "100.0"})
    assumed = assume_index(0.02, until="2030")

    first, second = (assumed(BillingInputs.of(LEASE, series)).indices["INDEX"] for _ in range(2))

    assert first is second
