"""What rent adjustments cost: beside the bills that follow them, and alone.

Law: each turn adjusts anew; nothing that an earlier turn found is used.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Final

from benchmarks.timing import Piece, best_times, count_calls
from rentbilling import (
    BillingResult,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    Period,
    explain,
    pending_bills,
    rent_adjustments,
)
from rentbilling.testing import a_lease, a_plan, a_rent

FIRST_YEAR: Final = 2026
THIRTY_YEARS: Final = Period(date(FIRST_YEAR, 1, 1), date(FIRST_YEAR + 29, 12, 31))
ADJUSTMENTS: Final = 29
"""Of thirty years, as the first year has none."""
TENTH_YEAR: Final = Period(date(FIRST_YEAR + 10, 6, 1), date(FIRST_YEAR + 10, 6, 30))
# The year of a portfolio whose leases are five years old.
YEAR: Final = Period(date(FIRST_YEAR + 5, 1, 1), date(FIRST_YEAR + 5, 12, 31))
MONTH: Final = Period(date(FIRST_YEAR + 5, 1, 1), date(FIRST_YEAR + 5, 1, 31))


def series() -> IndexSeries:
    """Return an index of forty Octobers that rises by 1.5 to 3.4 points a year."""
    value, values = Decimal("100.0"), {}
    for year in range(FIRST_YEAR - 3, FIRST_YEAR + 37):
        values[f"{year}-10"] = value
        value += Decimal(15 + year * 7 % 20) / 10
    return IndexSeries("CPI", values, base="2015=100")


def lease(number: int, *, adjusted: bool) -> LeaseTerms:
    """Return a monthly rent from January of the first year, with a yearly index rule or without."""
    rent = a_rent(amount=Decimal(700_000 + 1234 * number) / 100)
    return a_lease(rent, plans=[a_plan(minimum=0, maximum="0.04")] if adjusted else ())


def monthly_series() -> IndexSeries:
    """Return an index of twenty years of months that rises by a tenth of a point each month."""
    months = ((FIRST_YEAR - 1 + at // 12, at % 12 + 1) for at in range(12 * 20))
    values = {
        f"{year}-{month:02d}": Decimal(1000 + at) / 10 for at, (year, month) in enumerate(months)
    }
    return IndexSeries("CPI", values)


def monthly_lease() -> LeaseTerms:
    """Return the first lease, adjusted every month by the index of two months before."""
    plan = a_plan(clause=IndexClause(interval_months=1, lag_months=2))
    return lease(0, adjusted=False).evolve(rent_adjustment_plans=(plan,))


def explained(result: BillingResult) -> tuple[str, object]:
    """Return why all figures of bills are what they are, as text and as data."""
    explanation = explain(result)
    return str(explanation), explanation.as_data()


def over_plain(period: Period, rounds: int, beside: Sequence[Piece] = ()) -> dict[str, float]:
    """Return the times of a period's bills of one lease, adjusted yearly and not.

    And of other work `beside`, in turn with it.
    """
    index = series()
    plain, adjusted = (lease(0, adjusted=each) for each in (False, True))
    work: dict[str, Sequence[Piece]] = {
        "plain": [partial(pending_bills, plain, period)],
        "adjusted": [partial(pending_bills, adjusted, period, indices=index)],
        "beside": beside,
    }
    return best_times(work, rounds)


def portfolio(leases: int, rounds: int) -> dict[str, float]:
    """Return the times of a year's adjustments and of a month's bills of many leases."""
    index = series()
    terms = [lease(number, adjusted=True) for number in range(leases)]
    work: dict[str, list[Piece]] = {
        "adjustments": [partial(rent_adjustments, each, YEAR, indices=index) for each in terms],
        "month": [partial(pending_bills, each, MONTH, indices=index) for each in terms],
    }
    return best_times(work, rounds)


def calls() -> dict[str, int]:
    """Return how many functions are called for bills and for explanations of many years."""
    index, monthly = series(), monthly_series()
    explain_years = {}
    for name, years in (("explain_eight_years", 8), ("explain_sixteen_years", 16)):
        asked = Period(date(FIRST_YEAR, 2, 1), date(FIRST_YEAR + years, 1, 31))
        result = pending_bills(monthly_lease(), asked, indices=monthly)
        explain_years[name] = count_calls(partial(explained, result))
    plain, adjusted = (lease(0, adjusted=each) for each in (False, True))
    return {
        "thirty_years": count_calls(partial(pending_bills, plain, THIRTY_YEARS)),
        "thirty_years_adjusted": count_calls(
            partial(pending_bills, adjusted, THIRTY_YEARS, indices=index)
        ),
        **explain_years,
    }
