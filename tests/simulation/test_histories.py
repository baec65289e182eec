"""Rules on many paths: every field of a clause and every order of rules, as on one path (A40)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import UnsupportedCaseError
from rentbilling.simulation import IndexPaths, simulate
from tests.simulation.futures_of import differing
from tests.support.plans import by_index, by_steps, clause, home, lease, octobers, plan, step, whole
from tests.support.rents import amount, day

ROWS = (
    (1040, 1060, 1090, 1120),
    (1030, 1030, 1200, 1210),
    (990, 970, 1010, 1080),
    (1120, 1110, 1110, 900),
)
"""Steady; a leap; a dip; a leap first and a fall last: tenths of points, from 2021 on."""
YEARS = ("2021-10", "2022-10", "2023-10", "2024-10")
PATHS = IndexPaths.of_array(octobers("100.0", "103.0"), ROWS, points=YEARS)
"""Published in October 2019 and 2020, so that all paths share the adjustment of January 2021."""
EARLY = IndexPaths.of_array(
    octobers("100.0"),
    [[1000 + 10 * at, *row] for at, row in enumerate(ROWS)],
    points=("2020-10", *YEARS),
)
"""The same with 100 to 103 in 2020, so that they part from the first adjustment on."""
DAYS = "2020-02-01/2025-12-31"
YEARLY = step(2021, "2 %", recurs=True)


def units(value: str, start: str) -> rb.QuantityRecord:
    return rb.QuantityRecord(value=Decimal(value), start=day(start))


def record(units: int, start: str) -> rb.AmountRecord:
    return rb.AmountRecord(value=amount(f"{units}.00"), start=day(start))


LOWER = clause(combine="lower_of")
SUM = clause(combine="sum")
LIMITS = clause(combine="limit")


def limit(least: str | None = None, most: str | None = None) -> rb.RentAdjustmentRule:
    return by_index(least=least, most=most, index_month=None, index_clause=LIMITS)


CARRYING = clause(after_limit="carry")
CARRYING_BASE = clause(basis="anchored", after_limit="carry")

TWO_AND_THREE = (units("2", "2022-05-01"), units("3", "2023-09-01"))
AGREED = (record(10_500, "2022-06-01"), record(11_000, "2024-01-15"))

# fmt: off
LEASES: Mapping[str, rb.LeaseTerms | rb.RentAdjustmentPlan | rb.RentAdjustmentRule] = {
    # One rule with a clause.
    "indexed_amount": by_index(indexed_amount="4000.00 DKK"),
    "indexed_amount_carried": by_index(most="0.03", indexed_amount="4000.00 DKK",
     after_limit="carry", carried="exact"),
    "indexed_amount_anchored": by_index(most="0.03", indexed_amount="4000.00 DKK",
     basis="anchored"),
    "indexed_share_anchored": by_index(least="0", most="0.03", indexed_share="0.6",
     basis="anchored"),
    "all_of_it_still": by_index(most="0.03", indexed_share="0", basis="anchored"),
    "correction_of_what_stands": by_index(least="0", most="0.05", indexed_share="0",
     correction_factor="0.98", basis="anchored"),
    "correction_of_a_share": by_index(least="0", most="0.02", indexed_share="0.5",
     correction_factor="0.9", basis="anchored"),
    "correction_factor": by_index(most="0.05", correction_factor="0.98", basis="anchored"),
    "correction_factor_beside_an_indexed_amount": by_index(most="0.02", basis="anchored",
     correction_factor="0.9", indexed_amount="4000 DKK"),
    "carried_past_a_limit": by_index(most="0.02", after_limit="carry", carried="exact"),
    "carried_past_a_floor": by_index(most="0.5", after_limit="carry", floor_at_start=True),
    "rounded_after_limits": by_index(most="0.04", basis="anchored", after_limit="carry",
     percentage_decimals=0, percentage_rounded="applied"),
    "rounded_steps_after_limits": by_index(most="0.015", after_limit="carry", percentage_decimals=0,
     percentage_rounded="applied"),
    "carried_for_parts_of_years": by_index(most="0.02", after_limit="carry", pro_rata="elapsed",
     pro_rata_months=24),
    "agreed_before_a_rule_begins": lease(by_index(), by_index(adjustment_month=7, first_year="2024",
     basis="last_indexed", base_amount="9500.00 DKK"), item=home(amount_records=(record(10_500,
     "2023-03-01"),))),
    "start_point_to_come": by_index(start_point="2021-10"),
    "correction_factor_agreed_anew": lease(by_index(correction_factor="0.98", basis="anchored"),
     item=home(amount_records=(record(10_500, "2022-06-01"),))),
    "base_amount_anchored": by_index(base_amount="9500.00 DKK", basis="anchored"),
    "base_amount_last_indexed": by_index(most="0.05", base_amount="9500.00 DKK",
     basis="last_indexed"),
    "mixed": by_index(basis="mixed"),
    "pro_rata_first_year": by_index(pro_rata="first_year"),
    "pro_rata_elapsed": by_index(pro_rata="elapsed", pro_rata_months=24),
    "year_simple": by_index(most="0.01", first_year="2022", limit_per="year_simple",
     interval_years=2),
    "floor_amount": by_index(floor_amount="10100.00 DKK"),
    "floor_of_a_credit": lease(by_index(floor_at_start=True, floor_amount="900.00 DKK"),
     item=home("-1000.00")),
    "surcharge_and_quantum": by_index(surcharge="0.005", amount_quantum="12", amount_per="month"),
    "threshold_exclusive": by_index(threshold="0.03", threshold_inclusive=False),
    "threshold_points": by_index(threshold="5", threshold_unit="points"),
    "increase_only_anchored": by_index(increase_only=True, basis="anchored"),
    # Rules in turn, in sum, the lower of both, and held within limits (A37).
    "limit_on_what_is_carried": plan(by_index(index_clause=CARRYING), by_steps(YEARLY),
     limit(most="0.03")),
    "limit_on_a_base_that_is_carried": plan(by_index(index_clause=CARRYING_BASE), by_steps(YEARLY),
     limit(most="0.03")),
    "limit_on_what_was_indexed_last": plan(by_index(basis="last_indexed"), limit(most="0.02")),
    "limits_one_after_the_other": plan(by_index(), limit(most="0.02"), by_steps(YEARLY),
     limit(most="0.03")),
    "in_turn": plan(by_index(most="0.04"), by_steps(YEARLY)),
    "in_turn_anchored": plan(by_steps(YEARLY), by_index(most="0.04", basis="anchored")),
    "two_indexes": plan(by_index(basis="anchored"), by_index(share="0.1")),
    "sum": plan(by_index(), by_steps(YEARLY, index_clause=SUM)),
    "sum_of_amounts": plan(by_index(), by_steps(step(2021, "1200.00", recurs=True),
     index_clause=SUM)),
    "sum_after_a_base": plan(by_index(basis="last_indexed"), by_steps(YEARLY, index_clause=SUM)),
    "sum_of_indexes": plan(by_index(share="0.5"), by_index(index_clause=SUM, most="0.01")),
    "lower_of": plan(by_index(), by_steps(YEARLY, index_clause=LOWER)),
    "lower_of_anchored": plan(by_steps(YEARLY), by_index(combine="lower_of", basis="anchored")),
    "lower_than_anchored": plan(by_index(basis="anchored"), by_steps(YEARLY, index_clause=LOWER)),
    "lower_than_one_that_stands": plan(by_index(threshold="0.04"), by_steps(YEARLY,
     index_clause=LOWER)),
    "lower_and_then_sum": plan(by_index(), by_steps(YEARLY, index_clause=LOWER), by_steps(step(2021,
     "1 %", recurs=True), index_clause=SUM)),
    "limit": plan(by_index(), by_steps(YEARLY), limit("0.01", "0.045")),
    "limit_anchored": plan(by_index(basis="anchored"), limit("0.01", "0.045"), by_steps(step(2021,
     "1 %", recurs=True), index_clause=SUM)),
    "limit_of_nothing": plan(by_index(threshold="0.04"), limit("0.01", "0.045")),
    "limit_from_zero": lease(plan(by_steps(step(2021, "1200.00", recurs=True)), by_index(),
     limit(most="0.045")), item=home("0.00")),
    "limit_after_zero": plan(by_index(), by_steps(step(2022, "0.00", level=True)),
     by_steps(step(2022, "1200.00")), limit(least="-0.5"), by_steps(step(2022, "1200.00"),
     index_clause=SUM)),
    "nothing_of_nothing": lease(plan(by_index(basis="anchored"), by_steps(YEARLY, index_clause=SUM),
     by_index(combine="lower_of", share="0.5")), item=home("0.00")),
    "levels": plan(by_index(), by_steps(step(2022, "132000.00", level=True), adjustment_month=7)),
    "down_to_zero": plan(by_index(), by_steps(step(2021, "-48000.00", recurs=True))),
    "two_plans": lease(plan(by_index(most="0.04", basis="anchored", after_limit="carry")),
     plan(by_steps(YEARLY, adjustment_month=7))),
    "two_plans_carried": lease(plan(by_index(most="0.02", after_limit="carry")),
     plan(by_steps(YEARLY, adjustment_month=7))),
    "taken_over": plan(by_index(threshold="0.05", last_year="2022"), by_index(first_year="2023")),
    "once_a_year": plan(by_index(), by_steps(step(2021, "1 %"), step(2022, "2 %"),
     adjustment_month=7, interval_months=6)),
    "later_months": plan(by_index(), by_index(adjustment_month=7, first_year="2021", most="0.01")),
    # What was agreed between two adjustments, and units that come or go (A18, A38).
    "quantity": lease(by_index(most="0.04"), item=home(quantity=Decimal("1.5"))),
    "quantities": lease(by_index(most="0.04", carried="exact", after_limit="carry",
     indexed_amount="90.00 DKK"), item=home(quantity_records=TWO_AND_THREE)),
    "quantities_anchored": lease(by_index(basis="anchored", floor_at_start=True),
     item=home(quantity_records=TWO_AND_THREE)),
    "quantities_begun_apart": lease(by_index(threshold="0.025", floor_at_start=True),
     item=home(quantity_records=(units("2", "2021-06-01"), units("3", "2023-09-01")))),
    "quantities_last_indexed": lease(by_index(basis="last_indexed"),
     item=home(quantity_records=TWO_AND_THREE)),
    "amounts": lease(by_index(most="0.04"), item=home(amount_records=AGREED)),
    "amounts_anchored": lease(by_index(most="0.04", basis="anchored", pro_rata="none"),
     item=home(amount_records=AGREED)),
    "amounts_carried": lease(by_index(most="0.04", carried="exact", after_limit="carry"),
     item=home(amount_records=AGREED)),
    "amounts_of_a_year": lease(by_index(most="0.04", limit_per="year_simple"),
     item=home(amount_records=AGREED, quantity_records=TWO_AND_THREE)),
}
# fmt: on


@pytest.mark.parametrize("paths", [PATHS, EARLY], ids=("late", "early"))
@pytest.mark.parametrize("terms", LEASES.values(), ids=LEASES)
def test_a_lease_is_adjusted_on_each_path_as_on_one(
    terms: rb.LeaseTerms | rb.RentAdjustmentPlan | rb.RentAdjustmentRule, paths: IndexPaths
) -> None:
    assert [] == differing(whole(terms), paths, DAYS)


@pytest.mark.parametrize("paths", [PATHS, EARLY], ids=("late", "early"))
def test_increments_are_of_a_period_where_the_policy_says_so(paths: IndexPaths) -> None:
    """100 a month on top of the index, each year (A36)."""
    policy = rb.BillingPolicy(increment_amount="per_period")
    terms = lease(plan(by_index(), by_steps(step(2021, "100.00", recurs=True))))

    assert [] == differing(terms, paths, DAYS, policy)


# On the day of an adjustment, which it is already (A18): what path 1 makes of it, or no path.
ON_THE_DAY = (
    (record(10_400, "2022-01-01"),),
    (record(10_500, "2023-01-01"),),
    (record(10_300, "2021-01-01"), record(10_400, "2022-01-01"), record(10_600, "2023-01-01")),
    (record(10_400, "2022-01-01"), record(11_000, "2022-06-01"), record(11_500, "2024-01-01")),
)
RECORDED: Mapping[str, Any] = {
    "index": by_index(),
    "limits": by_index(least="0.01", most="0.03"),
    "exact": by_index(most="0.03", after_limit="carry", carried="exact"),
    "anchored": by_index(basis="anchored", most="0.05", after_limit="carry"),
    "last indexed": by_index(basis="last_indexed", base_amount="9500.00 DKK"),
    "increments too": plan(by_index(), by_steps(YEARLY)),
    "held together": plan(by_index(), by_steps(YEARLY), limit("0.00", "0.02")),
    "two plans": (
        plan(by_index()),
        plan(by_steps(step(2021, "1 %", recurs=True), adjustment_month=7)),
    ),
}


@pytest.mark.parametrize("paths", [PATHS, EARLY], ids=("late", "early"))
@pytest.mark.parametrize("rules", RECORDED.values(), ids=RECORDED)
def test_an_amount_agreed_on_the_day_is_the_adjustment_on_each_path(
    rules: Any,  # noqa: ANN401
    paths: IndexPaths,
) -> None:
    plans = rules if isinstance(rules, tuple) else (rules,)
    for records in ON_THE_DAY:
        for quantities in ((), TWO_AND_THREE):
            item = home(amount_records=records, quantity_records=quantities)
            assert [] == differing(lease(*plans, item=item), paths, DAYS), (records, quantities)


def test_paths_part_where_an_amount_was_agreed_as_worked_by_hand() -> None:
    """104/103 of 10,300 is the 10,400.00 of the record: on path 1 the adjustment, on others not.

    All go on from the record: 2023 with the indices of 2022 over those of 2021, 106/104, 103/103,
    97/99 and 111/112: 10,600.00, 10,400.00, 10,189.90 (10,189.898...) and 10,307.14.
    """
    terms = lease(by_index(most="0.10"), item=home(amount_records=ON_THE_DAY[0]))
    futures = simulate(terms, PATHS, "2022-01-01/2023-12-31")

    taken, later = futures.adjustments
    assert [10_400_00] * 4 == taken.after.tolist()
    assert [10_600_00, 10_400_00, 10_189_90, 10_307_14] == later.after.tolist()
    assert 0 == futures.scalar_share


def test_an_amount_too_large_for_the_notice_of_an_agreed_one_is_refused_as_everywhere() -> None:
    """6 x 10¹¹ by an index a thousandfold is what the notice would show beside the record."""
    most = home("600000000000.00", amount_records=(record(10_500, "2023-01-01"),))
    paths = IndexPaths.of_array(
        octobers("100.0", "103.0"), [[1040, 1060], [1040, 999_999]], points=YEARS[:2]
    )

    with pytest.raises(UnsupportedCaseError):
        simulate(lease(by_index(), item=most), paths, "2022-01-01/2023-12-31")


def test_rules_of_one_day_worked_by_hand() -> None:
    """Index and two percent on 10,000, held at 4.5 percent in all; rents of 2022 on each path.

    2021: 103/100, and 2 percent of that: 10,506.00 is 5.06 percent, held at 10,450.00.
    2022: 104/103 gives 10,551.46 (10,551.456...), and 2 percent of that 10,762.49 (10,762.489...),
    2.99 percent in all. The index as it was: 10,659.00. 99/103 gives 10,044.17 (10,044.174...), and
    then 10,245.05 (10,245.053...): less than one percent, so 10,554.50. 112/103 is too much:
    10,920.25.
    """
    held = by_index(least="0.01", most="0.045", index_month=None, index_clause=LIMITS)
    terms = lease(plan(by_index(), by_steps(YEARLY), held))
    futures = simulate(terms, PATHS, "2021-01-01/2022-12-31")

    first, second = futures.adjustments
    assert [10_450_00] * 4 == first.after.tolist()
    assert [10_762_49, 10_659_00, 10_554_50, 10_920_25] == second.after.tolist()
    assert [False, False, True, True] == second.limited.tolist()
    assert [True] * 4 == first.limited.tolist()
