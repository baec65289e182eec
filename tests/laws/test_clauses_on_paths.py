"""Every clause gives on each of many paths what it gives on that path alone: one rule for both.

All pairs of ways to fill the fields of a clause are tried under one pair of limits; under the
profile `deep`, all triples under four, on more paths and for all years.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pytest

from rentbilling import InvalidInputError, LeaseTerms
from rentbilling.simulation import IndexPaths
from tests.simulation.futures_of import differing
from tests.support.plans import by_steps, figure, lease, octobers, plan, ruled, step
from tests.support.strategies import IS_DEEP

WAYS: Final[tuple[dict[str, Any], ...]] = (
    {"basis": "anchored"},
    {"basis": "last_indexed"},
    {"basis": "mixed"},
    {"base_amount": "9500 DKK"},
    {"interval_years": 2},
    {"lag_months": 3},
    {"year_offset": 1},
    {"from_lag_months": 27},
    {"start_point": "2019-10"},
    {"start_point": "2019-10", "start_index": "101", "base": "2015=100"},
    {"percentage_decimals": 1},
    {"percentage_decimals": 1, "percentage_rounding": "down"},
    {"percentage_decimals": 0, "percentage_rounded": "applied"},
    {"threshold": "0.03"},
    {"threshold": "0.03", "threshold_inclusive": False},
    {"threshold": "5", "threshold_unit": "points"},
    {"increase_only": True},
    {"share": "0.75"},
    {"share": "0.75", "share_of": "money"},
    {"excess_over": "0.03", "excess_share": "0.5"},
    {"surcharge": "0.005"},
    {"limit_per": "year_simple"},
    {"limit_per": "year_compound", "limit_months": 18},
    {"pro_rata": "first_year"},
    {"pro_rata": "elapsed", "pro_rata_months": 24},
    {"after_limit": "carry"},
    {"indexed_share": "0.6"},
    {"indexed_amount": "4000 DKK"},
    {"correction_factor": "0.9"},
    {"amount_quantum": "10"},
    {"amount_quantum": "12", "amount_per": "month"},
    {"amount_quantum": "10", "amount_rounded": "change"},
    {"amount_quantum": "100", "amount_per": "year", "amount_rounding": "up"},
    {"amount_rounding": "down"},
    {"carried": "exact"},
    {"floor_amount": "10100 DKK"},
    {"floor_at_start": True},
    {"combine": "sum"},
    {"combine": "lower_of"},
)
LIMITS: Final = ((None, "0.02"), (None, None), ("0", "0.05"), ("-0.02", "0.02"))
DAYS: Final = "2020-02-01/2025-12-31" if IS_DEEP else "2025-01-01/2025-03-31"
ROWS: Final = (
    (1030, 1030, 1200, 1210),
    (990, 970, 1010, 1080),
    (1120, 1110, 1110, 900),
    (1040, 1060, 1090, 1120),
    (1000, 1010, 1010, 1150),
)
"""A leap; a dip; a leap first and a fall last; steady; a fall and a leap: tenths of points."""
PATHS: Final = IndexPaths.of_array(
    octobers("98.0", "100.0", "103.0", first=2018),
    ROWS if IS_DEEP else ROWS[:2],
    points=("2021-10", "2022-10", "2023-10", "2024-10"),
)


def terms_of(
    ways: tuple[dict[str, Any], ...], limits: tuple[str | None, str | None]
) -> LeaseTerms | None:
    """Return a lease by a clause, after a yearly rise where that matters; None if it is refused."""
    fields = {name: value for way in ways for name, value in way.items()}
    least, most = map(figure, limits)
    rises = [by_steps(step(2021, "2 %", recurs=True))] if "combine" in fields else []
    try:
        rule = ruled(**fields).evolve(minimum_percentage=least, maximum_percentage=most)
        return lease(plan(*rises, rule))
    except InvalidInputError:
        return None


def cases(first: int, count: int) -> Iterator[LeaseTerms]:
    """Give the leases of so many ways, of which one is the first, under all limits tried."""
    others = WAYS[first + 1 :]
    for ways in combinations(others, count - 1):
        names = [name for way in (WAYS[first], *ways) for name in way]
        if len(set(names)) == len(names):
            for limits in LIMITS if IS_DEEP else LIMITS[:1]:
                terms = terms_of((WAYS[first], *ways), limits)
                if terms is not None:
                    yield terms


@pytest.mark.parametrize("first", range(len(WAYS)), ids=lambda at: "-".join(WAYS[at]))
def test_each_clause_gives_on_each_path_what_it_gives_there_alone(first: int) -> None:
    """Bills and adjustments, after five adjustments, on paths that are all computed in arrays."""
    for terms in cases(first, 3 if IS_DEEP else 2):
        assert [] == differing(terms, PATHS, DAYS), terms.rent_adjustment_plans
