"""What part of a regular period some of its days are: six ways, each on exact fractions (A20).

Law: days are weighed one by one, and a share is a sum of weights.
"""

from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction

from rentbilling import BillingCycle
from tests.oracle.days import DAY, RegularPeriod, Stretch, length_in_months

ONE = Fraction(1)
DAYS_OF_MONTH = 30
DAYS_OF_YEAR = 365
MOST_DAYS_OF_HALF = 14


def thirty_day_weights(stretch: Stretch) -> dict[date, Fraction]:
    """Return how far each day takes us through a calendar of thirty-day months (30E/360).

    The 30th and 31st are the same place in it: going from the 30th to the 31st adds nothing, and
    the last day of a February goes on to the place of 1 March.
    """
    days = stretch.days()
    return {day: Fraction(_place(day + DAY) - _place(day)) for day in days}


def _place(day: date) -> int:
    """Return the number of a day where every month has thirty days."""
    return (day.year * 12 + day.month) * DAYS_OF_MONTH + min(day.day, DAYS_OF_MONTH)


def actual_weights(month: Stretch) -> dict[date, Fraction]:
    """Return each day of a month weighing one part of the month's days."""
    days = month.days()
    return {day: Fraction(1, len(days)) for day in days}


def weights_within(cycle: BillingCycle, period: RegularPeriod, method: str) -> dict[date, Fraction]:
    """Return what each day of a regular period weighs when a split divides it."""
    thirty = method == "thirty_day" and length_in_months(cycle) is not None
    weigh = thirty_day_weights if thirty else actual_weights
    return {day: weight for month in period.months for day, weight in weigh(month).items()}


def share_of_days(
    cycle: BillingCycle, period: RegularPeriod, part: Stretch, method: str
) -> Fraction:
    """Return the share of a regular period that a part of it makes up."""
    if part == period.span or method == "full":
        return ONE
    return _METHODS[method](cycle, period, part)


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
    weights = weights_within(cycle, period, method)
    total = sum((weights[day] for day in billed.days()), Fraction(0))
    return [
        whole * sum((weights[day] for day in part.days()), Fraction(0)) / total for part in parts
    ]


def periods_in_a_year(cycle: BillingCycle) -> Fraction:
    """Return how many cycles a year has (A38)."""
    in_year = {"Month": 12, "Year": 1, "Week": 52, "Day": 365}[cycle.time_unit]
    return Fraction(in_year, cycle.period_length)


def _actual_days(cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    weights = weights_within(cycle, period, "actual_days")
    return sum((weights[day] for day in part.days()), Fraction(0)) / len(period.months)


def _period_days(_cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    return Fraction(len(part.days()), len(period.span.days()))


def _thirty_day(cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    weights = weights_within(cycle, period, "thirty_day")
    return sum((weights[day] for day in part.days()), Fraction(0)) / sum(weights.values())


def _year_365(cycle: BillingCycle, _period: RegularPeriod, part: Stretch) -> Fraction:
    return periods_in_a_year(cycle) * len(part.days()) / DAYS_OF_YEAR


def _half_month(cycle: BillingCycle, period: RegularPeriod, part: Stretch) -> Fraction:
    if length_in_months(cycle) is None:
        return _period_days(cycle, period, part)
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
}
