"""Shares of periods and what they cost, as landlords' peers and pages count them.

A method of a peer becomes one of our policies together with the cycle whose days it counts: days
over 30 are days of a 30-day cycle, days of each month are parts of calendar months.
Law: a share is `period_share`; an amount is the line of an item or an opening period. Only days in
the middle of a period, which no item has, are multiplied here, and rounded by the library.
What does not live here: what a case asks about them (`landlords_proration`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    Period,
    first_billing_period,
    period_share,
    rounded,
)
from rentbilling.values.money import Rounding
from tests.outside.peers.landlords_terms import (
    CALENDAR_MONTH,
    CALENDAR_YEAR,
    CENTS,
    CURRENCY,
    day_after,
    lines_of,
    period_with,
    periods_over,
    rent,
    total_of,
)

BY_MONTHS = BillingPolicy()
BY_DAYS = BillingPolicy(part_period="period_days")
BY_THIRTY = BillingPolicy(part_period="thirty_day")
BY_YEAR = BillingPolicy(part_period="year_365")
IN_FULL = BillingPolicy(part_period="full")

# By the words of TentMan and of the pages.
_POLICIES: Mapping[str, BillingPolicy] = MappingProxyType(
    {
        "actual_days_of_month": BY_MONTHS,
        "actual_days_of_each_month": BY_MONTHS,
        "actual_days_of_period": BY_DAYS,
        "strict_30": BY_THIRTY,
        "strict_30_360": BY_THIRTY,
        "annual_365": BY_YEAR,
        "half_month": BillingPolicy(part_period="half_month"),
        "round_up_to_whole_period": IN_FULL,
    }
)


class UnknownMethodError(LookupError):
    """A peer counts part periods in a way that none of our policies does."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some days of a regular period, and how their share is counted."""

    days: Period
    whole: Period
    cycle: BillingCycle = CALENDAR_MONTH
    policy: BillingPolicy = BY_MONTHS

    @property
    def share(self) -> Fraction:
        return period_share(self.days, self.cycle, whole=self.whole, policy=self.policy)


def counted(days: Period, method: str, whole: Period | None = None) -> tuple[Part, ...]:
    """Return the parts whose shares together are what a method counts for some days.

    Args:
        days: The days in question.
        method: The word of the pages and TentMan.
        whole: The billing period; by default the calendar month in which the days begin.

    Returns:
        One part for each period that the method looks at.

    Raises:
        UnknownMethodError: No policy of ours counts like that.
    """
    if method == "actual_over_30":
        return (of_days(days, 30),)
    policy = _policy_of(method)
    if policy in {BY_DAYS, IN_FULL}:
        return (_in_period(days, whole or period_with(days.start, CALENDAR_MONTH), policy),)
    return _in_each(days, CALENDAR_MONTH, policy)


def counted_by_year(days: Period, method: str) -> tuple[Part, ...]:
    """Return the same for a price of a whole year.

    Raises:
        UnknownMethodError: No policy of ours counts like that.
    """
    return _in_each(days, CALENDAR_YEAR, _policy_of(method))


def _policy_of(method: str) -> BillingPolicy:
    if method not in _POLICIES:
        raise UnknownMethodError(method)
    return _POLICIES[method]


def of_days(days: Period, length: int) -> Part:
    """Return some days as a part of a cycle of a number of days, which begins with them."""
    whole = Period(days.start, day_after(days.start, length - 1))
    return Part(days, whole, BillingCycle(time_unit="Day", period_length=length))


def _in_each(days: Period, cycle: BillingCycle, policy: BillingPolicy) -> tuple[Part, ...]:
    """Return the days as parts of each calendar month or year that has any of them."""
    cut = ((whole.intersection(days), whole) for whole in periods_over(days, cycle))
    return tuple(Part(part, whole, cycle, policy) for part, whole in cut if part is not None)


def _in_period(days: Period, whole: Period, policy: BillingPolicy) -> Part:
    if period_with(whole.start, CALENDAR_MONTH) == whole:
        return Part(days, whole, CALENDAR_MONTH, policy)
    cycle = BillingCycle(time_unit="Day", period_length=whole.days)
    return Part(days, whole, cycle, policy)


def charge(
    price: Decimal, part: Part, *, places: int = CENTS, rounding: Rounding = "half_up"
) -> Decimal:
    """Return what the days of a part cost at a price for the whole.

    Days from a period's start are an item that ends early, days up to its end an opening period.
    """
    policy = part.policy.evolve(currencies={CURRENCY: places}, rounding=rounding)
    days, whole = part.days, part.whole
    if days.start == whole.start and days.end <= whole.end:
        item = rent(price, part.cycle, whole.start, ended_on=days.end)
        return total_of(lines_of(item, Period(whole.start, whole.start), policy=policy))
    if days.end == whole.end and days.start > whole.start and part.cycle.time_unit == "Month":
        opening = first_billing_period(
            Amount(price, CURRENCY), part.cycle, days.start, policy=policy
        )
        return opening.amount.amount
    return rounded(Fraction(price) * part.share, places, rounding)


def charges(
    price: Decimal, parts: tuple[Part, ...], *, places: int = CENTS, rounding: Rounding = "half_up"
) -> Decimal:
    costs = (charge(price, part, places=places, rounding=rounding) for part in parts)
    return sum(costs, Decimal(0))


def shares(parts: tuple[Part, ...]) -> Fraction:
    return sum((part.share for part in parts), Fraction(0))
