"""Lengths as dateutil has them, wherever months are counted."""

from collections.abc import Callable
from datetime import date
from typing import Any, cast

import pytest
from dateutil.relativedelta import MO, relativedelta

from rentbilling import BillingCycle, IndexClause, forecast
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    InvalidCycleError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
)
from rentbilling.testing import a_rent
from rentbilling.values import months_and_days, months_of
from rentbilling.whatif import switch_cycle, switch_to_quarterly
from tests.support.rows import rows

YEAR_AND_A_HALF = relativedelta(years=1, months=6)


@rows(
    ("length", "cycle"),
    [
        (relativedelta(months=1), BillingCycle()),
        (YEAR_AND_A_HALF, BillingCycle(period_length=18)),
        (relativedelta(years=2), BillingCycle(period_length=24)),
        (relativedelta(weeks=2), BillingCycle(time_unit="Day", period_length=14)),
        (relativedelta(days=10), BillingCycle(time_unit="Day", period_length=10)),
    ],
)
def test_a_cycle_has_a_length(length: relativedelta, cycle: BillingCycle) -> None:
    assert cycle == BillingCycle.every(length)


def test_a_cycle_of_a_length_has_a_start() -> None:
    expected = BillingCycle(period_length=3, start=2, start_day=15)

    assert expected == BillingCycle.every(relativedelta(months=3), start=2, start_day=15)


REFUSED: list[tuple[Callable[[], object], type[InvalidInputError], str]] = [
    *(
        (lambda length=length: months_and_days(length), InvalidPeriodError, ": not_a_length")
        for length in (
            relativedelta(months=1, day=31),
            relativedelta(months=1, weekday=MO),
            relativedelta(month=1),
            relativedelta(year=2026),
            relativedelta(hour=0),
            relativedelta(hours=1),
            relativedelta(microseconds=1),
            relativedelta(leapdays=1),
            relativedelta(days=cast("int", 0.5)),
        )
    ),
    (lambda: months_of(relativedelta(months=1, days=1)), InvalidPeriodError, ": not_a_length"),
    (
        lambda: BillingCycle.every(relativedelta(months=1, days=1)),
        InvalidPeriodError,
        "length: not_a_length",
    ),
    *(
        (
            lambda length=length: BillingCycle.every(length),
            InvalidCycleError,
            "period_length: out_of_range",
        )
        for length in (relativedelta(), relativedelta(months=-1), relativedelta(days=-1))
    ),
    (lambda: switch_cycle(cast("Any", "Month")), InvalidRecordError, "cycle: wrong_value"),
    *(
        (
            lambda years=years: forecast(a_rent(), years=years),
            InvalidPeriodError,
            f"years: {code}",
        )
        for years, code in (
            (relativedelta(), "out_of_range"),
            (relativedelta(years=201), "out_of_range"),
            (cast("Any", "3"), "not_a_whole_number"),
        )
    ),
    (
        lambda: IndexClause(**cast("Any", {"lag_months": relativedelta(days=60)})),
        InvalidInputError,
        "lag_months: not_a_length",
    ),
    (
        lambda: IndexClause(**cast("Any", {"lag_months": relativedelta(years=11)})),
        InvalidAdjustmentRuleError,
        "lag_months: out_of_range",
    ),
    # Years are counted in years: a length of months could be none.
    (
        lambda: IndexClause(**cast("Any", {"interval_years": relativedelta(years=3)})),
        InvalidInputError,
        "interval_years: not_a_whole_number",
    ),
    # A period's day is a place, no length.
    (
        lambda: a_rent(due_day=cast("Any", relativedelta(days=3))),
        InvalidInputError,
        "due_day: not_a_whole_number",
    ),
]


@rows(("call", "error", "problem"), REFUSED)
def test_other_lengths_are_refused(
    call: Callable[[], object], error: type[InvalidInputError], problem: str
) -> None:
    with pytest.raises(error) as refused:
        call()

    assert [problem] == [f"{each.path}: {each.code}" for each in refused.value.problems]


def test_what_is_no_length_is_no_cycle() -> None:
    with pytest.raises(TypeError, match=r"^BillingCycle.every takes a relativedelta, not 3$"):
        BillingCycle.every(cast("Any", 3))


def test_a_refused_length_says_what_would_be_right() -> None:
    with pytest.raises(InvalidPeriodError, match=r"expected months alone, such as relativedelta"):
        months_of(relativedelta(days=30))


@rows("name", ["lag_months", "interval_months"])
def test_months_of_a_clause_may_be_a_length(name: str) -> None:
    clause = IndexClause(**cast("Any", {name: YEAR_AND_A_HALF}))

    assert 18 == getattr(clause, name)


def test_a_forecast_may_end_within_a_year() -> None:
    """Eighteen months from January 2026 end on 30 June 2027."""
    coming = forecast(a_rent(), years=YEAR_AND_A_HALF, start="2026-01-01")

    assert date(2027, 6, 30) == coming.period.end
    assert (
        coming.period
        == forecast(a_rent(), years=2, start="2026-01-01").period.split_at("2027-07-01")[0]
    )


def test_a_scenario_takes_the_length_of_a_cycle() -> None:
    assert repr(switch_to_quarterly()) == repr(switch_cycle(relativedelta(months=3)))


def test_a_built_rent_may_have_a_length() -> None:
    assert a_rent(months=3) == a_rent(months=relativedelta(months=3))
