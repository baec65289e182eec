"""What rent adjustments cost the bills that follow them.

Law: each turn adjusts anew; nothing that an earlier turn found is used.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Final

from benchmarks.timing import Piece, best_times
from rentbilling import IndexSeries, LeaseTerms, Period, pending_bills
from rentbilling.testing import a_lease, a_plan, a_rent

FIRST_YEAR: Final = 2026
THIRTY_YEARS: Final = Period(date(FIRST_YEAR, 1, 1), date(FIRST_YEAR + 29, 12, 31))
ADJUSTMENTS: Final = 29
"""Of thirty years, as the first year has none."""
TENTH_YEAR: Final = Period(date(FIRST_YEAR + 10, 6, 1), date(FIRST_YEAR + 10, 6, 30))


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
