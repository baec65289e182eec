"""Simulations: every path is what the scalar engine bills on it, and the rest goes through it."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import rentbilling as rb
from rentbilling.errors import MissingIndexError, UnsupportedCaseError
from rentbilling.simulation import Futures, IndexPaths, simulate
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_item
from tests.simulation.futures_of import told_alone, told_of
from tests.support.rows import rows

NPI = rb.IndexSeries("NPI", {"2024-10": "98.0", "2025-10": "100.0", "2026-10": "103.0"})
POINTS = ["2027-10", "2028-10", "2029-10"]
RISES = [[1060, 1090, 1120], [1081, 1030, 1200], [1030, 1030, 1031], [990, 1000, 1300]]
PATHS = IndexPaths.of_array(NPI, RISES, points=POINTS)
YEARS = rb.Period.parse("2026-01-01/2030-12-31")
POLICY = rb.BillingPolicy()
RENT = a_rent(amount=10_000)


def same(
    terms: rb.LeaseTerms,
    futures: Futures,
    policy: rb.BillingPolicy = POLICY,
    paths: IndexPaths = PATHS,
    period: rb.Period = YEARS,
) -> bool:
    """Return whether each path of a simulation is what the scalar engine says of it."""
    return all(
        told_alone(terms, paths, at, period, policy) == told_of(futures, at)
        for at in range(len(paths))
    )


def test_a_capped_rent_is_adjusted_on_each_path() -> None:
    """Worked by hand, the rent being 10,000 and the cap 4 %.

    2027: 103/100, 10,300.00. 2028, path 0: × 106.0/103.0 = 10,600.00; path 1: 108.1/103.0 is
    4.95 %, held at 4 %: 10,712.00; path 2: nothing; path 3: × 99/103 = 9,900.00.
    """
    lease = a_lease(RENT, plans=[a_plan(maximum="0.04")])
    futures = simulate(lease, PATHS, "2026-01-01/2028-12-31")

    assert [10_600_00, 10_712_00, 10_300_00, 9_900_00] == futures.adjustments[1].after.tolist()
    assert [10_300_00] * 4 == futures.adjustments[1].before.tolist()
    assert [12 * 10_000_00, 12 * 10_300_00, 12 * 10_712_00] == futures.yearly()[1].tolist()
    assert [False, False, True] == futures.limited[1].tolist()
    assert [False, False, False] == futures.limited[0].tolist()
    assert [12 * 10_000_00, 12 * 10_300_00, 12 * 10_600_00] == futures.rent[0].tolist()


CLAUSES: Mapping[str, rb.IndexClause] = {
    "plain": rb.IndexClause(),
    "anchored": rb.IndexClause(basis="anchored"),
    "last_indexed": rb.IndexClause(basis="last_indexed"),
    "threshold": rb.IndexClause(threshold=Decimal("0.04")),
    "increase_only": rb.IndexClause(increase_only=True),
    "anchored_threshold": rb.IndexClause(basis="anchored", threshold=Decimal("0.04")),
    "carry": rb.IndexClause(after_limit="carry"),
    "exact": rb.IndexClause(carried="exact"),
    "share": rb.IndexClause(share=Decimal("0.75")),
    "share_of_money": rb.IndexClause(basis="anchored", share=Decimal("0.5"), share_of="money"),
    "surcharge": rb.IndexClause(surcharge=Decimal("0.01")),
    "excess": rb.IndexClause(excess_over=Decimal("0.01"), excess_share=Decimal("0.5")),
    "percentage": rb.IndexClause(percentage_decimals=1, percentage_rounding="half_even"),
    "applied": rb.IndexClause(percentage_decimals=1, percentage_rounded="applied"),
    "quantum": rb.IndexClause(amount_quantum=Decimal(5), amount_rounding="up"),
    "month": rb.IndexClause(amount_quantum=Decimal(1), amount_per="year"),
    "change": rb.IndexClause(amount_quantum=Decimal(1), amount_rounded="change"),
    "part": rb.IndexClause(indexed_share=Decimal("0.4")),
    "floor": rb.IndexClause(floor_at_start=True),
    "compound": rb.IndexClause(limit_per="year_compound"),
    "two_years": rb.IndexClause(interval_years=2),
}


@rows("clause", CLAUSES.values(), ids=CLAUSES)
@rows("limits", [("0.005", "0.04"), (None, "0.03")])
def test_each_clause_is_followed_in_arrays(
    clause: rb.IndexClause, limits: tuple[str | None, str]
) -> None:
    least, most = limits
    plan = a_plan(minimum=least, maximum=most, clause=clause)
    lease = a_lease(a_rent(amount="9876.54"), plans=[plan])
    futures = simulate(lease, PATHS, YEARS)

    assert 0 == futures.scalar_share
    assert same(lease, futures)


POLICIES = {
    "half_even": rb.BillingPolicy(rounding="half_even"),
    "up": rb.BillingPolicy(rounding="up"),
    "per_line": rb.BillingPolicy(vat_rounding="per_line"),
    "cash": rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}),
    "next_period": rb.BillingPolicy(mid_period_change="next_period"),
    "by_start": rb.BillingPolicy(select="accounting_period"),
    "thirty_day": rb.BillingPolicy(part_period="thirty_day"),
    "by_product": rb.BillingPolicy(by_product={"key:heating": rb.BillingPolicy(rounding="down")}),
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_each_policy_is_followed(policy: rb.BillingPolicy) -> None:
    lease = a_lease(
        a_rent(amount="8540.25", vat="Inclusive 0.25", months=3),
        an_item(amount="612.5", quantity="1.5"),
        an_item(product_key="key:parking", amount="333.33", vat="Inclusive 0.25"),
        a_one_time_item(amount="99.99", vat="Exclusive 0.25"),
        plans=[
            a_plan(maximum="0.04", month=2, adjustee_ref="recurring-1"),
            a_plan(adjustee_ref="recurring-3"),
        ],
    )
    futures = simulate(lease, PATHS, YEARS, policy=policy)

    assert same(lease, futures, policy)


def test_a_path_that_splits_otherwise_goes_through_the_scalar_engine() -> None:
    """Quarters, adjusted in February, VAT by line: path 2 has no change in 2028, so no split."""
    lease = a_lease(
        a_rent(amount="8540.25", vat="Exclusive 0.25", months=3), plans=[a_plan(month=2)]
    )
    policy = rb.BillingPolicy(vat_rounding="per_line")
    futures = simulate(lease, PATHS, YEARS, policy=policy)

    assert (1, Fraction(1, 4)) == (futures.scalar_runs, futures.scalar_share)
    assert same(lease, futures, policy)


def test_what_was_listed_before_is_shared_and_what_is_listed_later_is_not() -> None:
    """Adjustments listed for 2027 are taken on all paths; of 2028, by the scalar engine."""
    lease = a_lease(RENT, plans=[a_plan()])
    made = rb.bill_period(lease, YEARS, indices=PATHS.series(0)).adjustments
    for count, share in ((1, 0), (2, 1)):
        listed = lease.evolve(rent_adjustment_plans=(a_plan(adjustments=made[:count]),))
        futures = simulate(listed, PATHS, YEARS)

        assert share == futures.scalar_share
        assert same(listed, futures)


def test_adjustments_are_of_a_billing_period_whatever_a_price_is_for() -> None:
    """1,200 a year, billed by quarters: 300.00, and 103/100 of it 309.00."""
    lease = a_lease(a_rent(amount=1200, months=3, price_per="year"), plans=[a_plan()])
    futures = simulate(lease, PATHS, YEARS)
    first = futures.adjustments[0]

    assert ([300_00] * 4, [309_00] * 4) == (first.before.tolist(), first.after.tolist())
    assert same(lease, futures)


def test_figures_beyond_64_bits_stay_exact() -> None:
    """A rent of nearly 10¹¹ and an index of six decimals: their product has 21 digits."""
    npi = rb.IndexSeries("NPI", {"2025-10": "100.000000", "2026-10": "103.000007"})
    points = [[105_999_983, 109_123_457], [108_100_001, 103_000_007]]
    paths = IndexPaths.of_array(npi, points, points=POINTS[:2])
    lease = a_lease(a_rent(amount="98765432109.87"), plans=[a_plan()])
    period = rb.Period.parse("2026-01-01/2029-12-31")
    futures = simulate(lease, paths, period)

    assert 0 == futures.scalar_share
    assert same(lease, futures, paths=paths, period=period)


def test_a_figure_of_too_many_digits_is_refused_as_everywhere() -> None:
    """10¹³ kroner, on a path with an index a hundredfold (A1)."""
    paths = IndexPaths.of_array(NPI, [[1060], [999_999]], points=POINTS[:1])
    lease = a_lease(a_rent(amount=9 * 10**12), plans=[a_plan()])

    with pytest.raises(UnsupportedCaseError):
        simulate(lease, paths, "2028-01-01/2028-12-31")


def test_a_missing_value_is_refused_or_noticed_as_everywhere() -> None:
    """The paths end in 2029, and an adjustment in 2031 needs 2030 (A41)."""
    lease = a_lease(RENT, plans=[a_plan()])
    longer = rb.Period.parse("2026-01-01/2031-12-31")
    policy = rb.BillingPolicy(missing_index="notice")

    with pytest.raises(MissingIndexError):
        simulate(lease, PATHS, longer)
    futures = simulate(lease, PATHS, longer, policy=policy)
    assert 1 == futures.scalar_share
    assert same(lease, futures, policy, period=longer)


def test_several_series_are_simulated_or_given() -> None:
    wages = rb.IndexSeries("WAGES", {"2025-10": "200", "2026-10": "204"})
    other = IndexPaths.of_array(wages, [[210, 220, 230]] * 4, points=POINTS)
    names = ("NPI", "WAGES")
    plans = [
        a_plan(clause=rb.IndexClause(series=name), adjustee_ref=f"recurring-{at}")
        for at, name in enumerate(names, 1)
    ]
    lease = a_lease(RENT, an_item(product_key="key:parking"), plans=plans)
    both = simulate(lease, {"NPI": PATHS, "WAGES": other}, YEARS)
    given = simulate(lease, PATHS, YEARS, indices=other.series(0))

    assert both.gross.tolist() == given.gross.tolist()
    for at in range(4):
        result = rb.bill_period(lease, YEARS, indices=[PATHS.series(at), other.series(at)])
        expected = sum(bill.sums[1] for bill in result)
        assert expected == int(both.gross[at].sum())


def test_several_leases_are_summed_on_the_same_paths() -> None:
    first = a_lease(RENT, plans=[a_plan(maximum="0.04")])
    second = a_lease(a_rent(amount="4321.09", months=3), plans=[a_plan(month=7)])
    alone = [simulate(each, PATHS, YEARS) for each in (first, second)]
    both = simulate([first, second], PATHS, YEARS)

    assert (alone[0].gross + alone[1].gross).tolist() == both.gross.tolist()
    assert (alone[0].rent + alone[1].rent).tolist() == both.rent.tolist()
    assert (alone[0].limited | alone[1].limited).tolist() == both.limited.tolist()
    assert () == both.adjustments
    assert rb.bill_period(second, YEARS, indices=PATHS.series(1)) == both.path(1, lease=1)


def test_the_rent_is_what_is_in_force_at_the_end_of_each_year() -> None:
    """Times the periods of a year; parking is no rent (A38)."""
    lease = a_lease(
        a_rent(amount="8540.25", months=3),
        an_item(product_key="key:parking"),
        plans=[a_plan(month=7, adjustee_ref="recurring-1")],
    )
    futures = simulate(lease, PATHS, YEARS)

    for at in range(len(PATHS)):
        shown = [
            rb.amount_in_force(lease, "recurring-1", f"{year}-12-31", indices=PATHS.series(at))
            for year in futures.years
        ]
        assert [int(each.amount * 400) for each in shown] == futures.rent[at].tolist()


def test_a_bill_that_no_path_has_brings_no_month() -> None:
    """The week of 27 December 2027 to 2 January 2028 is not split, as nothing changes on the 1st.

    Without a split it starts before the asked days; five weeks at 1,030 (103 / 100) are left.
    """
    cycle = rb.BillingCycle(time_unit="Week", period_length=1)
    lease = a_lease(a_rent(amount=1000, billing_cycle=cycle), plans=[a_plan()])
    paths = IndexPaths.of_array(NPI, [[1030]], points=("2027-10",))
    policy = rb.BillingPolicy(select="accounting_period")
    futures = simulate(lease, paths, "2028-01-01/2028-01-31", policy=policy)

    assert ["2028-01"] == [*map(str, futures.months)]
    assert [[515_000]] == futures.net.tolist()


def test_a_lease_without_plans_is_the_same_on_all_paths() -> None:
    """12 × 8,500 a year."""
    futures = simulate(a_lease(), PATHS, "2026-01-01/2027-12-31")

    assert [[10_200_000, 10_200_000]] * 4 == futures.yearly().tolist()
    assert 0 == futures.scalar_share


def test_a_lease_of_nothing_has_no_figures() -> None:
    futures = simulate(rb.LeaseTerms(), PATHS, "2026-01-01/2026-03-31")

    assert [[0, 0, 0]] * 4 == futures.gross.tolist()


def test_billed_balances_go_through_the_scalar_engine() -> None:
    """A deposit of three months that follows the rent, billed at once (A39)."""
    lease = rb.LeaseTerms.model_validate(
        {
            "recurring_bill_items": (RENT,),
            "balances": ({"balanceChargeType": "Deposit", "amount": RENT.amount, "months": 3},),
            "rent_adjustment_plans": (
                a_plan().evolve(adjusts_recurring_bill_item=True, adjusts_balance=True),
            ),
        }
    )
    policy = rb.BillingPolicy(balance_change="once")
    futures = simulate(lease, PATHS, YEARS, policy=policy)

    assert 1 == futures.scalar_share
    assert same(lease, futures, policy)
    assert 0 == simulate(lease, PATHS, YEARS).scalar_share


def test_progress_is_told_path_by_path_where_it_matters() -> None:
    told: list[tuple[int, int]] = []
    made = rb.bill_period(
        a_lease(RENT, plans=[a_plan()]), YEARS, indices=PATHS.series(0)
    ).adjustments
    leases = [a_lease(RENT, plans=[a_plan()]), a_lease(RENT, plans=[a_plan(adjustments=made)])]
    simulate(leases, PATHS, YEARS, progress=lambda done, total: told.append((done, total)))

    assert [(4, 8), (5, 8), (6, 8), (7, 8), (8, 8), (8, 8)] == told


def test_two_plans_on_one_item_meet_each_other() -> None:
    """An index in January and two percent in July, which the next index goes on from (A36)."""
    plans: list[rb.RentAdjustmentPlan] = [
        a_plan(maximum="0.04", clause=rb.IndexClause(basis="anchored")),
        a_plan(percent="0.02", month=7),
    ]
    lease = a_lease(RENT, plans=plans)
    futures = simulate(lease, PATHS, YEARS)

    assert 0 == futures.scalar_share
    assert same(lease, futures)
    assert np.dtype(np.int64) == futures.gross.dtype
