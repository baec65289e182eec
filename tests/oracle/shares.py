"""What part of a regular period some of its days are, each way on exact fractions (A20).

Law: days are weighed one by one, and a share is a sum of weights.
"""

from calendar import isleap
from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from math import ceil

from rentbilling import BillingCycle
from tests.oracle.days import DAY, RegularPeriod, Stretch, begins_own_month, length_in_months

ONE = Fraction(1)
DAYS_OF_MONTH = 30
DAYS_OF_YEAR = 365
MOST_DAYS_OF_HALF = 14


def thirty_day_places(stretch: Stretch) -> set[tuple[int, int, int]]:
    """Return the days of a calendar of thirty-day months that some days take up (30/360).

    The 31st is the same place as the 30th, and the last day of a February takes up what is missing
    to the 30th as well.
    """
    places: set[tuple[int, int, int]] = set()
    for day in stretch.days():
        is_last = (day + DAY).month != day.month
        until = DAYS_OF_MONTH if is_last else day.day
        first = min(day.day, DAYS_OF_MONTH)
        places |= {(day.year, day.month, place) for place in range(first, max(first, until) + 1)}
    return places


def actual_weights(month: Stretch) -> dict[date, Fraction]:
    """Return each day of a month weighing one part of the month's days."""
    days = month.days()
    return {day: Fraction(1, len(days)) for day in days}


def weights_within(period: RegularPeriod) -> dict[date, Fraction]:
    """Return what each day of a regular period weighs: one part of its own month."""
    return {day: weight for month in period.months for day, weight in actual_weights(month).items()}


def weight_of(cycle: BillingCycle, period: RegularPeriod, part: Stretch, method: str) -> Fraction:
    """Return what a part of a regular period weighs when a split divides it."""
    if method == "thirty_day" and length_in_months(cycle) is not None:
        return Fraction(len(thirty_day_places(part)))
    weights = weights_within(period)
    return sum((weights[day] for day in part.days()), Fraction(0))


def share_of_days(
    cycle: BillingCycle, period: RegularPeriod, part: Stretch, method: str
) -> Fraction:
    """Return the share of a regular period that a part of it makes up."""
    if part == period.span or method == "full":
        return ONE
    if length_in_months(cycle) is None:
        return _period_days(cycle, period, part)
    return min(ONE, _METHODS[method](cycle, period, part))


def shares_of_parts(
    cycle: BillingCycle,
    period: RegularPeriod,
    billed: Stretch,
    parts: Sequence[Stretch],
    method: str,
) -> list[Fraction]:
    """Return the shares of the parts of a split; they sum to the share of what is billed."""
    whole = share_of_days(cycle, period, billed, method)
    if len(parts) == 1:
        return [whole]
    weights = [weight_of(cycle, period, part, method) for part in parts]
    return [whole * weight / sum(weights) for weight in weights]


def opening_share(cycle: BillingCycle, part: Stretch, method: str) -> Fraction:
    """Return how many cycles an opening period is: its own months over those of a cycle (A20)."""
    count = length_in_months(cycle)
    if count is None:
        in_days = Fraction(len(part.days()), cycle.period_length * _DAYS_OF_UNIT[cycle.time_unit])
        return Fraction(ceil(in_days)) if method == "full" else in_days
    months = own_months(part, cycle.start_day, count)
    whole = RegularPeriod(Stretch(months[-count].first, months[-1].last), months, part.last)
    covered = weight_of(cycle, whole, part, "actual_days") / count
    if method == "full":
        return Fraction(ceil(covered))
    if part == whole.span:
        return ONE
    if method == "actual_days":
        return covered
    by_months = method in {"half_month", "days_over_30"}
    share = _METHODS[method](cycle, whole, part) * (
        Fraction(len(months), count) if by_months else ONE
    )
    return min(ONE, share) if part.first in whole.span else share


_DAYS_OF_UNIT = {"Week": 7, "Day": 1}


def own_months(part: Stretch, start_day: int, least: int) -> tuple[Stretch, ...]:
    """Return the own months of a cycle that some days touch, and so many before the last."""
    day = part.last
    while not begins_own_month(day + DAY, start_day):
        day += DAY
    months: list[Stretch] = []
    while len(months) < least or months[0].first > part.first:
        last = day
        while not begins_own_month(day, start_day):
            day -= DAY
        months.insert(0, Stretch(day, last))
        day -= DAY
    return tuple(months)


def periods_in_a_year(cycle: BillingCycle) -> Fraction:
    """Return how many cycles a year has (A38)."""
    in_year = {"Month": 12, "Year": 1, "Week": 52, "Day": 365}[cycle.time_unit]
    return Fraction(in_year, cycle.period_length)


def _actual_days(cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    return weight_of(cycle, period, part, "actual_days") / len(period.months)


def _period_days(_cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    return Fraction(len(part.days()), len(period.span.days()))


def _thirty_day(_cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    return Fraction(len(thirty_day_places(part)), len(thirty_day_places(period.span)))


def _year_365(cycle: BillingCycle, _period: RegularPeriod, part: Stretch) -> Fraction:
    return periods_in_a_year(cycle) * len(part.days()) / DAYS_OF_YEAR


def _year_actual(cycle: BillingCycle, _period: RegularPeriod, part: Stretch) -> Fraction:
    """Every day weighs one part of its own year's days."""
    lengths = (366 if isleap(day.year) else 365 for day in part.days())
    return periods_in_a_year(cycle) * sum((Fraction(1, each) for each in lengths), Fraction(0))


def _days_over_30(_cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    months = Fraction(0)
    for month in period.months:
        covered = sum(day in part for day in month.days())
        thirtieths = Fraction(min(covered, DAYS_OF_MONTH), DAYS_OF_MONTH)
        months += ONE if covered == len(month.days()) else thirtieths
    return months / len(period.months)


def _half_month(_cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    halves = 0
    for month in period.months:
        covered = sum(day in part for day in month.days())
        if covered == len(month.days()) or covered > MOST_DAYS_OF_HALF:
            halves += 2
        elif covered:
            halves += 1
    return Fraction(halves, 2 * len(period.months))


_METHODS: dict[str, Callable[[BillingCycle, RegularPeriod, Stretch], Fraction]] = {
    "actual_days": _actual_days,
    "period_days": _period_days,
    "thirty_day": _thirty_day,
    "year_365": _year_365,
    "half_month": _half_month,
    "days_over_30": _days_over_30,
    "year_actual": _year_actual,
}
