"""Laws of cash flows, scenarios, what-if runs and forecasts, for leases of every kind."""

from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given, reject, strategies as st

import rentbilling as rb
from rentbilling import whatif
from rentbilling.reports import By, cash_flow
from rentbilling.testing import strategies
from rentbilling.testing.strategies import BillingRun

GROUPS = st.lists(
    st.sampled_from(("year", "month", "day", "lease", "product", "item")), max_size=3
).map(tuple)

SCENARIOS = st.sampled_from(
    (
        whatif.raise_rent(0.03),
        whatif.raise_rent("0.1", of=None),
        whatif.give_discount(0.1, of=None),
        whatif.use_vat(rb.Vat("Inclusive", Decimal("0.25"))),
        whatif.due_on(10),
        whatif.end_on("2027-06-30"),
        whatif.cap(0.01),
        whatif.under_policy(vat_rounding="per_line"),
    )
)


def what_if(
    run: BillingRun, *scenarios: whatif.Scenario, period: rb.Period | None = None
) -> whatif.WhatIf:
    """Return what scenarios make of a run; a lease that one cannot change is another matter."""
    terms, asked, indices, policy = run
    try:
        return rb.what_if(terms, *scenarios, period=period or asked, indices=indices, policy=policy)
    except rb.RentBillingError:
        # A minimum above a maximum, a discount above the price, a price with listed adjustments.
        reject()


def billed(run: BillingRun) -> rb.BillingResult:
    return rb.bill_period(run.terms, run.period, indices=run.indices, policy=run.policy)


@given(strategies.billing_runs(), GROUPS)
def test_rows_sum_to_the_bills(run: BillingRun, by: tuple[By, ...]) -> None:
    result = billed(run)
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for bill in result:
        sums[bill.currency][0] += bill.subtotal.amount
        sums[bill.currency][1] += bill.total.amount

    found: dict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for row in cash_flow(result, by=by).rows():
        assert row["gross"] == row["net"] + row["vat"]
        found[row["currency"]][0] += row["net"]
        found[row["currency"]][1] += row["gross"]

    assert sums == found


@given(strategies.billing_runs())
def test_nothing_changed_differs_in_nothing(run: BillingRun) -> None:
    result = what_if(run, whatif.as_it_is().named("same"))

    assert result.baseline.results == result.variants[0].results
    assert all(row["change"] == 0 for row in result.differences("month").rows())
    assert 0 == result.variants[0].changed


LATER = st.sampled_from(
    tuple(map(rb.Period.parse, ("2026-03", "2026-05", "2026-05-11/2026-12-31", "2027", "2028-02")))
)
"""Periods of which most leases have a past."""

FROM_A_DAY: dict[str, Callable[[str | None], whatif.Scenario]] = {
    "cap": lambda on: whatif.cap(0.01, on=on),
    "floor": lambda on: whatif.floor(0.02, on=on),
    "without adjustments": lambda on: whatif.without_adjustments(on=on),
    "raise": lambda on: whatif.raise_rent(0.03, on=on, of=None),
    "VAT": lambda on: whatif.use_vat(rb.Vat("Inclusive", Decimal("0.25")), on=on),
}


@pytest.mark.parametrize("of_day", FROM_A_DAY.values(), ids=FROM_A_DAY)
@given(run=strategies.billing_runs(), period=LATER)
def test_a_scenario_acts_from_the_first_day_of_the_period(
    of_day: Callable[[str | None], whatif.Scenario], run: BillingRun, period: rb.Period
) -> None:
    one, other = what_if(run, of_day(None), of_day(str(period.start)), period=period).variants

    assert one.results == other.results


@given(strategies.billing_runs(), LATER)
def test_a_discount_from_the_first_day_reduces_no_day_before_it(
    run: BillingRun, period: rb.Period
) -> None:
    """Lines before it do not name it; periods from it on name nothing else (A61)."""
    rate = Decimal("0.1234")
    answer = what_if(run, whatif.give_discount(rate, of=None), period=period)
    begins = min(
        item.first_billing_period_bill_item.accounting_period.start
        for item in run.terms.recurring_bill_items
    )
    for bill in answer.variants[0].results[0]:
        for line in bill.lines if period.start > begins else ():
            regular, rates = line.regular_period, [each.percentage for each in line.discounts]
            if line.accounting_period.start < period.start:
                assert rate not in rates
            elif line.kind != "opening" and regular is not None and regular.start >= period.start:
                assert [rate] == rates


@given(strategies.billing_runs(), SCENARIOS, GROUPS)
def test_a_run_is_as_if_it_stood_alone(
    run: BillingRun, scenario: whatif.Scenario, by: tuple[By, ...]
) -> None:
    result = what_if(run, scenario)
    inputs = whatif.BillingInputs.of(run.terms, run.indices, run.policy)
    changed = scenario(inputs.evolve(asked_from=run.period.start))
    alone = rb.bill_period(
        changed.terms, run.period, indices=changed.indices, policy=changed.policy
    )

    (variant,) = result.variants
    assert (alone, alone.notices) == (variant.results[0], variant.results[0].notices)
    total: dict[str, Decimal] = defaultdict(Decimal)
    for row in result.rows():
        total[row["currency"]] += row["change"]
    grouped: dict[str, Decimal] = defaultdict(Decimal)
    for row in result.differences(by).rows():
        assert row["change"] == row["amount"] - row["baseline"]
        grouped[row["currency"]] += row["change"]
    assert total == grouped


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (whatif.raise_rent(0.03), whatif.due_on(10)),
        (whatif.give_discount(0.1, of=None), whatif.end_on("2027-06-30")),
        (whatif.cap(0.01), whatif.use_vat(rb.Vat("Exempt"))),
        (whatif.raise_rent(0.03, on="2026-07-01"), whatif.cap(0.01)),
        (whatif.raise_rent("0.1", on="2026-07-01", of=None), whatif.without_adjustments()),
        (whatif.start_on("2026-03-01"), whatif.raise_rent(0.03, on="2026-10-01")),
        (whatif.under_policy(vat_rounding="per_line"), whatif.due_on(5)),
    ],
    ids=lambda scenario: scenario.name,
)
@given(run=strategies.billing_runs())
def test_scenarios_of_different_things_commute(
    run: BillingRun, one: whatif.Scenario, other: whatif.Scenario
) -> None:
    inputs = whatif.BillingInputs.of(run.terms, run.indices, run.policy)
    try:
        before = (one | other)(inputs)
    except rb.RentBillingError:
        with pytest.raises(rb.RentBillingError):
            (other | one)(inputs)
        return

    assert before == (other | one)(inputs)


@given(strategies.billing_runs(), st.integers(1, 3))
def test_a_forecast_is_what_billing_its_period_gives(run: BillingRun, years: int) -> None:
    try:
        made = rb.forecast(
            run.terms, years=years, start=run.period.start, indices=run.indices, policy=run.policy
        )
    except rb.RentBillingError:
        # The index of a run reaches as far as its period alone.
        reject()

    result = rb.bill_period(run.terms, made.period, indices=run.indices, policy=run.policy)
    assert (result, result.adjustments) == (made.result, made.adjustments)
    rows = made.yearly().rows()
    assert sum((bill.total.amount for bill in result), Decimal(0)) == sum(
        (row["gross"] for row in rows), Decimal(0)
    )
    if made.assumed_from is None:
        assert all(row["assumed_gross"] == 0 for row in rows)
    ids_and_items = zip(run.terms.item_ids, run.terms.recurring_bill_items, strict=False)
    names = {item_id: item.description or item.product_key for item_id, item in ids_and_items}
    assert all(row["name"] == names[row["item_id"]] for row in made.rents().rows())
