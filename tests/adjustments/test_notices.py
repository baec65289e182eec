"""Notices about rent adjustments: what a person should look at (A5, A32, A33, A36, A41)."""

from typing import Any

from rentbilling import LeaseTerms, rent_adjustments
from rentbilling.indices import AnyIndices
from rentbilling.values import Notice
from tests.support.plans import (
    FEW,
    IN_2021,
    ITEM,
    TENTHS,
    TO_2021,
    amounts,
    by_index,
    by_steps,
    codes,
    facts_of,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
)
from tests.support.rents import day
from tests.support.rows import rows

Told = tuple[str, dict[str, str]]

IN_JANUARY = {"rule": "rule-1", "adjustedOn": "2021-01-01", "series": "NPI"}
UNUSED = lease(
    by_steps(step(2020, "1 %"), step(2021, "2 %"), step(2023, "3 %")),
    contract_end=day("2022-12-31"),
)
OTHER, KNOWN = (
    lease(by_steps(step(2021, "2 %"), adjustment_type=name)) for name in ("Step", "INCREMENT")
)
RISES = by_steps(step(2015, "1 %", recurs=True), step(2024, "2 %", recurs=True))

# fmt: off
FACTS: list[tuple[list[Told], LeaseTerms, AnyIndices, str]] = [
    # December is 13 months old in January: it is no earlier than two months before (A33).
    ([("old_index", {**IN_JANUARY, "toYearMonth": "2019-12"})],
     lease(by_index(index_month=12)), series({"2018-12": 100, "2019-12": 101}), TO_2021),
    # A value of a year ago is not old.
    ([], lease(by_index(index_month=1)), series({"2019-01": 100, "2020-01": 101}), TO_2021),
    # The value compared with is provisional, the one used is assumed (A41).
    ([("provisional_index", {**IN_JANUARY, "at": "2019-10"}),
      ("assumed_index", {**IN_JANUARY, "at": "2020-10"})],
     lease(by_index()), octobers(100, 110, provisional=["2019-10"], assumed=["2020-10"]), TO_2021),
    # The mean of September and October holds a provisional September (A40, A41).
    ([("provisional_index", {**IN_JANUARY, "at": "2020-09"})], lease(ruled(mean_of=2)),
     series({"2019-09": 99, "2019-10": 101, "2020-09": 101, "2020-10": 103},
            provisional=["2020-09"]), TO_2021),
    # 100 as stated for October 2019, a point that the series does not have: no mark (A40).
    ([("provisional_index", {**IN_JANUARY, "at": "2020-10"})],
     lease(ruled(start_point="2019-10", start_index="100", base="2015=100")),
     series({"2020-10": 102}, base="2015=100", provisional=["2020-10"]), TO_2021),
    # A stated percentage above 1 may be meant in percent (A5).
    ([("large_percentage", {"rule": "rule-1", "year": "2022", "percentage": "1.50"})],
     lease(by_steps(step(2022, "150 %"), step(2023, "100 %"))), None, FEW),
    # `Step` with increments is an increment, in any case of the known words (A36).
    ([("other_adjustment_type", {"rule": "rule-1", "adjustmentType": "Step"})], OTHER, None, FEW),
    ([], KNOWN, None, FEW),
    # The lease begins in January 2020 and ends in 2022: 2020 and 2023 have none (A32).
    ([("increment_unused", {"rule": "rule-1", "year": "2020"}),
      ("increment_unused", {"rule": "rule-1", "year": "2023"})],
     UNUSED, None, "2020-01-01/2024-12-31"),
    # Every three years from the first of them, so not in 2023 (A153).
    ([("increment_unused", {"rule": "rule-1", "year": "2023"})],
     lease(by_steps(step(2021, "5 %"), step(2023, "2 %"), step(2024, "4 %"), interval_years=3)),
     None, FEW),
    # From 2024 on, in a lease that ends in 2023; one of before the lease acts later on.
    ([("increment_unused", {"rule": "rule-1", "year": "2024"})],
     lease(RISES, contract_end=day("2023-05-01")), None, FEW),
]
CODES: list[tuple[list[str], LeaseTerms, Any, str]] = [
    # 0.1 % of 2021 waits and is compounded with what follows, provisional or not.
    (["index_below_threshold", "provisional_index"],
     lease(by_index(threshold="0.005", first_year="2022")),
     series({"2021-10": "0.001", "2022-10": "0.02"}, kind="change", provisional=["2021-10"]),
     "2022-01-01/2023-12-31"),
    # A mean of yearly changes is of two values each.
    (["provisional_index"], lease(ruled(mean_of=2, mean_of_what="changes", lag_months=3)),
     series({"2019-09": 100, "2019-10": 100, "2020-09": 102, "2020-10": 102},
            provisional=["2019-09"]), TO_2021),
    (["provisional_index"], lease(ruled(reference="year_mean")),
     series({"2020": "0.02"}, kind="change", provisional=["2020"]), TO_2021),
    # An index that more than doubles happens, and should be looked at (A5).
    ([], lease(by_index()), octobers(100, "200"), TO_2021),
    (["large_change"], lease(by_index()), octobers(100, "200.1"), TO_2021),
    # So is one after a rule without an index.
    (["large_change"], lease(plan(by_steps(step(2021, "2 %")), by_index())),
     octobers(100, "200.1"), TO_2021),
    # An index that fell.
    (["index_fell"], lease(ruled(increase_only=True)), octobers(100, 98), TO_2021),
    # Every second year 2 percent, and 3 of the year between; published every second year, nothing.
    (["change_of_a_year"], lease(by_index(interval_years=2)),
     octobers("0.03", "0.02", kind="change"), TO_2021),
    ([], lease(by_index(interval_years=2)), octobers("0.02", first=2020, kind="change"), TO_2021),
    # A notice belongs to its period.
    (["double_compounding"], lease(ruled(basis="mixed")), TENTHS, "2021-01-01/2021-01-31"),
    ([], lease(ruled(basis="mixed")), TENTHS, "2021-02-01/2022-12-31"),
]
# fmt: on


@rows(("expected", "terms", "values", "days"), FACTS)
def test_a_person_should_look_at(
    expected: list[Told], terms: LeaseTerms, values: AnyIndices, days: str
) -> None:
    assert expected == facts_of(terms, values, days)


@rows(("expected", "terms", "values", "days"), CODES)
def test_notices_are(expected: list[str], terms: LeaseTerms, values: AnyIndices, days: str) -> None:
    assert expected == codes(terms, values, days)


def test_what_is_noticed_is_adjusted_all_the_same() -> None:
    assert ["10200.00"] == amounts(OTHER) == amounts(KNOWN) == amounts(UNUSED)


def test_a_notice_says_what_it_is_about() -> None:
    (found,) = rent_adjustments(lease(ruled(threshold="0.2")), IN_2021, indices=TENTHS).notices

    assert (
        Notice(
            "index_below_threshold",
            "the change of the index is too small for an adjustment",
            ITEM,
            (("rule", "rule-1"), ("year", "2021")),
        )
        == found
    )
