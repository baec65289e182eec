"""Which share of a regular period are some of its days (A20)?

Laws: a share is an exact fraction, 1 for the whole period; the shares of a split add up.
"""

from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Final

from rentbilling.errors import UnsupportedCaseError, shown
from rentbilling.policy import BillingPolicy, PartPeriod, PartPeriods, policy_of
from rentbilling.terms import BillingCycle, RecurringBillItem, periods_a_year
from rentbilling.values import (
    LAST_DAY,
    AnyPeriod,
    Period,
    day_in_month,
    month_index,
    month_start,
    period_of,
)

Share = tuple[int, int]
"""An exact share of a regular period: numerator and denominator, not reduced."""


WHOLE: Final[Share] = (1, 1)


_HALF_MONTH_DAYS: Final = 14
_BANKERS_MONTH: Final = 30
_YEAR_DAYS: Final = 365

MONTH_PARTS: Final = lcm(28, 29, 30, 31)
"""Parts of a month; a multiple of every length, so that a day has a whole number of parts."""


def own_month(day: int, start_day: int) -> int:
    """Return the number of the own month of a cycle that a day is in."""
    index = month_index(day)
    return index if day >= day_in_month(index, start_day) else index - 1


def month_parts(first: int, last: int, start_day: int) -> int:
    """Return days in months that begin on `start_day`; a partial month counts its days' share."""
    opening, closing = own_month(first, start_day), own_month(last, start_day)
    start, after = day_in_month(opening, start_day), day_in_month(opening + 1, start_day)
    if opening == closing:
        return (last - first + 1) * (MONTH_PARTS // (after - start))
    started, next_start = day_in_month(closing, start_day), day_in_month(closing + 1, start_day)
    return (
        (after - first) * (MONTH_PARTS // (after - start))
        + (closing - opening - 1) * MONTH_PARTS
        + (last + 1 - started) * (MONTH_PARTS // (next_start - started))
    )


def _half_month(days: int, length: int) -> Fraction:
    return Fraction(1) if days > _HALF_MONTH_DAYS or days == length else Fraction(1, 2)


def _month_over_30(days: int, length: int) -> Fraction:
    return Fraction(1) if days == length else Fraction(min(days, _BANKERS_MONTH), _BANKERS_MONTH)


_BY_MONTH: Final = MappingProxyType({"half_month": _half_month, "days_over_30": _month_over_30})


def _months_in(
    first: int, last: int, start_day: int, count: Callable[[int, int], Fraction]
) -> Fraction:
    """Return the days in months, each counted by its days that are there and its length."""
    total = Fraction(0)
    for index in range(own_month(first, start_day), own_month(last, start_day) + 1):
        start, after = day_in_month(index, start_day), day_in_month(index + 1, start_day)
        total += count(min(last + 1, after) - max(first, start), after - start)
    return total


def calendar_years(first: int, last: int) -> list[tuple[int, int, int]]:
    """Return the days that each calendar year has of some days, and the length of the year."""
    years = range(date.fromordinal(first).year, date.fromordinal(last).year + 1)
    ends = [(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()) for year in years]
    return [(max(first, start), min(last, end), end - start + 1) for start, end in ends]


def thirty_day_count(first: int, last: int) -> int:
    """Return the days of 30/360: the 31st is a 30th, as last day also the end of February."""
    opening, closing = month_index(first), month_index(last)
    begins = min(first - month_start(opening) + 1, _BANKERS_MONTH)
    ends = min(last - month_start(closing) + 1, _BANKERS_MONTH)
    if last + 1 == month_start(closing + 1):
        ends = _BANKERS_MONTH
    return (closing - opening) * _BANKERS_MONTH + ends - begins + 1


def share_of(
    part: tuple[int, int], whole: tuple[int, int], cycle: BillingCycle, method: PartPeriod
) -> Fraction:
    """Return the share of a regular period that some of its days are."""
    if method == "full" or part == whole:
        return Fraction(1)
    share = uncapped_share(part, whole, cycle, method)
    # An opening may be longer than a regular period, a part of one never counts more (A20).
    is_part = whole[0] <= part[0] and part[1] <= whole[1]
    return min(share, Fraction(1)) if is_part else share


def uncapped_share(
    part: tuple[int, int], whole: tuple[int, int], cycle: BillingCycle, method: PartPeriod
) -> Fraction:
    """Return the share of a regular period that some of its days are, before its limit of 1."""
    days = part[1] - part[0] + 1
    if not cycle.months or method == "actual_days":
        return periods_covered(part, cycle)
    if method == "year_365":
        return days * periods_a_year(cycle) / _YEAR_DAYS
    if method == "year_actual":
        years = (Fraction(end + 1 - start, length) for start, end, length in calendar_years(*part))
        return sum(years, Fraction(0)) * periods_a_year(cycle)
    if method == "period_days":
        return Fraction(days, whole[1] - whole[0] + 1)
    if method == "thirty_day":
        if whole[0] < 1 or whole[1] > LAST_DAY:
            raise UnsupportedCaseError("unsupported", case="a cycle outside the years 1 to 9999")
        return Fraction(thirty_day_count(*part), thirty_day_count(*whole))
    return _months_in(*part, cycle.start_day, _BY_MONTH[method]) / cycle.months


def periods_covered(part: tuple[int, int], cycle: BillingCycle) -> Fraction:
    """Return the length of some days in cycles, by the cycle's own months or days."""
    if cycle.months:
        parts = month_parts(*part, cycle.start_day)
        return Fraction(parts, MONTH_PARTS * cycle.months)
    return Fraction(part[1] - part[0] + 1, cycle.days)


def opening_share(
    part: Period, cycle: BillingCycle, method: PartPeriod, uncut: Period | None = None
) -> Fraction:
    """Return how many regular periods an opening period is, above 1 for a longer one (A14, A24).

    `uncut` is the period to the next regular one, where an end cuts the part.
    """
    days = part.first, part.last
    if method == "full":
        return Fraction(-(-periods_covered(days, cycle) // 1))
    return share_of(days, whole_before(uncut or part, cycle), cycle, method)


def shares_of_parts(
    parts: Sequence[tuple[int, int]], share: Share, cycle: BillingCycle, method: PartPeriod
) -> list[Share]:
    """Return the share of each part of a split; they add up to the share of the whole."""
    if not cycle.months:
        weights = [last - first + 1 for first, last in parts]
    elif method == "thirty_day":
        weights = [thirty_day_count(first, last) for first, last in parts]
    else:
        start_day = cycle.start_day
        weights = [month_parts(first, last, start_day) for first, last in parts]
    over, below = share
    below *= sum(weights)
    return [(over * weight, below) for weight in weights]


def part_periods_of(item: RecurringBillItem, policy: BillingPolicy) -> PartPeriods:
    """Return how an item's part periods are counted, under the policy of its product (A66)."""
    ends = vars(item)["part_period"]
    found: PartPeriods = policy.part_periods if ends is None else ends.over(policy.part_periods)
    return found


def period_share(
    part: AnyPeriod,
    cycle: BillingCycle,
    *,
    whole: AnyPeriod | None = None,
    policy: BillingPolicy | None = None,
) -> Fraction:
    """Return the exact share of a regular period that some days are, above 1 for more (A20).

    `whole` is the regular period; by default as many months, weeks or days as the cycle has, ending
    with the month the part ends in. The policy's `part_period` names the method; of two it is that
    of the first end for days up to the end of the period, else that of the last.

    Raises:
        InvalidPeriodError: A period's text is malformed or reversed.
        UnsupportedCaseError: `thirty_day` needs a cycle outside the years 1 to 9999.
        TypeError: An argument has a wrong type.

    Examples:
        A tenant moves in on 15 January and pays 17 of its 31 days:

        >>> period_share(Period.parse("2026-01-15/2026-01-31"), BillingCycle())
        Fraction(17, 31)
        >>> period_share(
        ...     Period.parse("2026-01-15/2026-01-31"),
        ...     BillingCycle(),
        ...     policy=BillingPolicy(part_period="thirty_day"),
        ... )
        Fraction(8, 15)
    """
    if not isinstance(cycle, BillingCycle):
        raise TypeError(f"period_share takes a BillingCycle, not {shown(cycle)}")
    rules = policy_of(policy)
    days = period_of(part, period_end=rules.period_end, by="period_share")
    if whole is None:
        regular = whole_before(days, cycle)
    else:
        stated = period_of(whole, period_end=rules.period_end, by="period_share")
        regular = stated.first, stated.last
    ends = rules.part_periods
    is_first = days.first > regular[0] and days.last >= regular[1]
    return share_of((days.first, days.last), regular, cycle, ends.first if is_first else ends.last)


def whole_before(part: Period, cycle: BillingCycle) -> tuple[int, int]:
    """Return the days of one cycle that ends with the last own month, week or days of a part."""
    if cycle.months:
        after = own_month(part.last, cycle.start_day) + 1
        return (
            day_in_month(after - cycle.months, cycle.start_day),
            day_in_month(after, cycle.start_day) - 1,
        )
    return part.last + 1 - cycle.days, part.last
