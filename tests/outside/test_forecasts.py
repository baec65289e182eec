"""Published tables of several years, rebuilt as forecasts: every printed level comes out.

A table is a worked example with several steps, or several examples of one source that go on from
one another: from the same rent and index to later ones, or each from the rent that the one before
it ends with. These examples are recognised by their fields alone.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from itertools import permutations
from typing import Any, Final

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    Increment,
    IndexClause,
    IndexSeries,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    forecast,
)
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import Forecast
from tests.outside.folders import FIGURES

Case = dict[str, Any]
Levels = dict[date, Decimal]

_PER_PERIOD: Final = BillingPolicy(increment_amount="per_period")
_YEARLY: Final = BillingCycle(time_unit="Year")
_HUNDRED: Final = 100


@pytest.fixture(scope="module")
def examples() -> list[Case]:
    cases = json.loads((FIGURES / "index" / "cases.json").read_text(encoding="utf-8"))
    return [case for case in cases if case["checks"]]


def lease_forecast(
    case: Case, first: int, years: int, rule: RentAdjustmentRule, index: IndexSeries | None = None
) -> Forecast:
    """Return the forecast of a rent as an example has it, from January of a year on."""
    cycle = _YEARLY if case["amount_per"] == "year" else BillingCycle()
    rent = a_rent(
        id="rent",
        amount=case["base_amount"],
        currency=case["currency"],
        moved_in=f"{first}-01-01",
        billing_cycle=cycle,
    )
    lease = a_lease(rent, plans=[RentAdjustmentPlan(rent_adjustment_rules=(rule,))])
    return forecast(lease, years=years, indices=index, policy=_PER_PERIOD)


def levels(made: Forecast) -> Levels:
    """Return from which day on the rent of a forecast is how much, but for the first."""
    return {row["from_date"]: row["amount"] for row in made.rents().rows()[1:]}


# ---------------------------------------------------------------------------- agreed in steps


def stepped(examples: Iterable[Case]) -> list[Case]:
    return [case for case in examples if len((case["extra"] or {}).get("steps", ())) > 1]


def steps_forecast(case: Case) -> Forecast:
    """Return the forecast of a stepped rent, from the year before its first step on."""
    steps = case["extra"]["steps"]
    increments = tuple(
        Increment(year=step["year"], amount=Amount(Decimal(step["amount"]), case["currency"]))
        for step in steps
    )
    rule = RentAdjustmentRule(
        adjustment_type="Increment", adjustment_month=1, increments=increments
    )
    return lease_forecast(case, int(steps[0]["year"]) - 1, len(steps) + 1, rule)


def test_stepped_rents_are_met_year_by_year(examples: list[Case]) -> None:
    tables = stepped(examples)
    for case in tables:
        printed = {
            date(int(step["year"]), 1, 1): Decimal(step["expected"])
            for step in case["extra"]["steps"]
        }
        assert printed == levels(steps_forecast(case))

    assert {"DE", "DK"} == {case["country"] for case in tables}


# ------------------------------------------------------------------- from one start to later ends


def from_one_start(examples: Iterable[Case]) -> list[list[Case]]:
    """Return groups of examples that go from one rent and one index to several later points."""
    groups: defaultdict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in examples:
        key = tuple(str(case[name]) for name in ("source_url", "base_amount", "from_month"))
        if case["from_month"] and case["to_month"] and case["expected_new_amount"]:
            groups[key].append(case)
    found = [sorted(group, key=lambda case: str(case["to_month"])) for group in groups.values()]
    return [group for group in found if len({case["to_month"] for case in group}) > 1]


def anchored_forecast(group: list[Case]) -> tuple[Forecast, Levels]:
    """Return the forecast of a rent that always counts from its start, and what is printed.

    A month decides two months later, the mean of a year in the January after it.
    """
    first, *_ = group
    by_month = len(first["from_month"]) > len("2024")
    ends = [int(case["to_month"][:4]) + (not by_month) for case in group]
    rounding = first["convention_rounding"] or {}
    clause = IndexClause(
        reference="month" if by_month else "year_mean",
        lag_months=2 if by_month else None,
        year_offset=None if by_month else 1,
        basis="anchored",
        start_point=first["from_month"],
        interval_years=ends[1] - ends[0],
        amount_rounding=rounding.get("mode", "half_up"),
    )
    month = int(first["from_month"][5:]) + 2 if by_month else 1
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        first_year=str(ends[0]),
        index_clause=clause,
    )
    published = {first["from_month"]: first["from_index"]}
    coming = {case["to_month"]: case["to_index"] for case in group}
    index = IndexSeries("index", {**published, **coming}, assumed=list(coming))
    start = int(first["from_month"][:4]) + (not by_month)
    made = lease_forecast(first, start, ends[-1] - start + 1, rule, index)
    printed = zip(ends, (case["expected_new_amount"] for case in group), strict=True)
    return made, {date(year, month, 1): Decimal(amount) for year, amount in printed}


def test_rents_that_count_from_their_start_are_met_at_every_end(examples: list[Case]) -> None:
    """Finnish tables: a flat revised in 2018 and 2020, a land rent foreseen for 2034 and 2043."""
    groups = from_one_start(examples)
    for group in groups:
        made, printed = anchored_forecast(group)
        assert printed == levels(made)
        # Every end depends on a value that the forecast assumes.
        assert min(printed) == made.assumed_from

    assert 2 <= len(groups)


# ----------------------------------------------------------------- each from the one before it


def chained(examples: Iterable[Case]) -> list[tuple[Case, Case]]:
    """Return pairs of examples of which the second begins with the rent of the first one's end."""
    stated = [
        case
        for case in examples
        if case["expected_new_amount"] and "given_pct" in (case["extra"] or {})
    ]
    return [
        (one, other)
        for one, other in permutations(stated, 2)
        if one["source_url"] == other["source_url"]
        and one["expected_new_amount"] == other["base_amount"]
        and one["extra"].keys() == other["extra"].keys()
    ]


def test_a_rent_that_goes_on_from_year_to_year_is_met(examples: list[Case]) -> None:
    """An Austrian table: 2.4 % and then 2.0 %, above 3 % half; 800.00, 819.20, 835.58."""
    pairs = chained(examples)
    for pair in pairs:
        extra = pair[0]["extra"]
        clause = IndexClause(
            reference="year_mean",
            year_offset=1,
            excess_over=Decimal(extra["excess_over"]) / _HUNDRED,
            excess_share=Decimal(extra["excess_share"]) / _HUNDRED,
        )
        rule = RentAdjustmentRule(adjustment_type="Index", adjustment_month=4, index_clause=clause)
        changes = {
            f"{year}": Decimal(case["extra"]["given_pct"]) / _HUNDRED
            for year, case in enumerate(pair, 2025)
        }
        index = IndexSeries("changes", changes, kind="change")
        made = lease_forecast(pair[0], 2026, 2, rule, index)
        printed = {
            date(year, 4, 1): Decimal(case["expected_new_amount"])
            for year, case in enumerate(pair, 2026)
        }
        assert printed == levels(made)

    assert pairs
