"""Laws of futures: each path is what the scalar engine bills on it, to the minor unit (A42)."""

from datetime import date
from typing import Any

import numpy as np
from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.simulation import IndexPaths, simulate
from rentbilling.testing.strategies.adjusted_leases import choose_adjusted, choose_asked
from rentbilling.testing.strategies.choices import Choices, chosen
from rentbilling.testing.strategies.items import choose_policy, choose_terms
from tests.simulation.futures_of import told_alone, told_of

_MOVES = (0, 0, 1, 2, 5, -3, 10)
"""Percent by which an index moves from one value to the next."""
_POLICIES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"vat_rounding": "per_line"},
    {"select": "accounting_period"},
    {"mid_period_change": "next_period"},
    {"discount_end": "whole_period"},
)
Case = tuple[rb.LeaseTerms, IndexPaths, rb.Period, rb.BillingPolicy]


def choose_paths(choices: Choices, series: rb.IndexSeries) -> IndexPaths:
    """Choose up to four paths that go on from some year of a series."""
    year = 2018 + choices.below(9)
    early = {point: value for point, value in series.values.items() if point.year < year}
    later = [point for point in series.points if point.year >= year]
    published = rb.IndexSeries(series.name, early, base=series.base)
    level = int(list(early.values())[-1].scaleb(published.decimals))
    rows: list[list[int]] = []
    for _ in range(1 + choices.below(4)):
        row = [level]
        for _ in later:
            row.append(max(1, row[-1] * (100 + choices.pick(_MOVES)) // 100))
        rows.append(row[1:])
    return IndexPaths.of_array(published, np.array(rows), points=later)


def choose_ruled(choices: Choices) -> Case:
    """Choose a lease of one rent with rules and clauses of every kind."""
    terms, series, policy = choose_adjusted(choices)
    if choices.below(4):
        policy = policy.evolve(balance_change="not_billed")
    paths = choose_paths(choices, series)
    if not choices.below(3):
        terms = recorded_on_days(choices, terms, paths, policy)
    return terms, paths, choose_asked(choices), policy.evolve(**choices.pick(_POLICIES))


def recorded_on_days(
    choices: Choices, terms: rb.LeaseTerms, paths: IndexPaths, policy: rb.BillingPolicy
) -> rb.LeaseTerms:
    """Return terms with amounts recorded on days of adjustments: of a path, or others (A18)."""
    (item,) = terms.recurring_bill_items
    on_path = [paths.series(choices.below(len(paths)))]
    days = rb.Period(date(2019, 1, 1), date(2029, 12, 31))
    made = rb.bill_period(terms, days, policy=policy, indices=on_path).adjustments
    amounts = {
        each.adjusted_on: each.to_period_amount
        for each in made
        if each.adjustee_id == terms.item_ids[0] and each.to_period_amount and choices.below(2)
    }
    records = tuple(
        rb.AmountRecord(start=day, value=(value, value, item.amount)[choices.below(3)])
        for day, value in amounts.items()
    )
    return terms.evolve(recurring_bill_items=(item.evolve(amount_records=records),))


def choose_itemed(choices: Choices) -> Case:
    """Choose a lease of items of every kind, most of which follow an index, under any policy."""
    terms, policy = choose_terms(choices, "DKK"), choose_policy(choices)
    plans = [
        rb.RentAdjustmentPlan(
            adjustee_ref=item_id,
            rent_adjustment_rules=(
                rb.RentAdjustmentRule(
                    adjustment_type="Index", adjustment_month=1 + choices.below(12), index_month=10
                ),
            ),
        )
        for item_id in terms.item_ids[: len(terms.recurring_bill_items)]
        if choices.below(4)
    ]
    values = {f"{year}-10": 1000 + 7 * (year - 2000) for year in range(2000, 2031)}
    paths = choose_paths(choices, rb.IndexSeries("CPI", values))
    return terms.evolve(rent_adjustment_plans=tuple(plans)), paths, choose_asked(choices), policy


@given(st.one_of(chosen(choose_ruled, 1200), chosen(choose_itemed, 3000)))
def test_each_path_is_what_the_scalar_engine_bills(case: Case) -> None:
    terms, paths, period, policy = case
    futures = simulate(terms, paths, period, policy=policy)

    for at in range(len(paths)):
        assert told_alone(terms, paths, at, period, policy).flows == told_of(futures, at).flows


@given(chosen(choose_ruled, 1200))
def test_each_adjustment_is_that_of_the_scalar_engine(case: Case) -> None:
    terms, paths, period, policy = case
    futures = simulate(terms, paths, period, policy=policy)
    places = 10**futures.places

    for at in range(len(paths)):
        expected = [
            (each.adjusted_on, each.adjustee_id, old.amount * places, new.amount * places)
            for each in futures.path(at).adjustments
            if (old := each.from_period_amount) and (new := each.to_period_amount)
        ]
        found = [
            (each.adjusted_on, each.item_id, int(each.before[at]), int(each.after[at]))
            for each in futures.adjustments
            if each.made[at]
        ]
        assert expected == found


@given(st.integers(0, 2**64), st.integers(1, 4), st.sampled_from(("bootstrap", "ar1")))
def test_a_seed_gives_the_same_paths(seed: int, count: int, model: str) -> None:
    history = rb.IndexSeries("CPI", {f"{year}": 900 + year * 37 % 60 for year in range(2010, 2026)})
    make = getattr(IndexPaths, model)
    first, again = (make(history, until="2040", paths=count, seed=seed) for _ in range(2))

    assert first.values.tolist() == again.values.tolist()
    assert (count, 15) == first.values.shape
    series = first.series(count - 1)
    assert dict(history.values) == {
        point: value for point, value in series.values.items() if point.year < 2026
    }
