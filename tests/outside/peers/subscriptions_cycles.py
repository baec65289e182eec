"""Cycles of subscription peers as billing cycles, and the periods that the library gives for them.

Peers name a cycle by a word (QUARTERLY, THIRTY_DAYS) or by unit and length, and anchor it to a day.
Law: every first and last day of a cycle comes from `accounting_periods`. The only steps made here
are the day before and the day after, and years of the window that is looked through.
What does not live here: prices (`subscriptions_items`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Final, Literal

from rentbilling import BillingCycle, Period, accounting_periods
from tests.outside.peers.subscriptions_reading import day_before

Unit = Literal["Day", "Week", "Month", "Year"]

_UNITS_A_YEAR: Final = MappingProxyType({"Day": 365, "Week": 52, "Month": 12, "Year": 1})


@dataclass(frozen=True, slots=True)
class Step:
    """How long one cycle is: a unit and how many of them."""

    unit: Unit
    length: int = 1

    @property
    def keeps_the_day(self) -> bool:
        """Whether cycles begin on a day of the month, so that an anchor day means something."""
        return self.unit in {"Month", "Year"}

    def times(self, count: int) -> "Step":
        return Step(self.unit, self.length * count)

    def years(self, count: int) -> int:
        """Return how many years hold so many cycles, generously: it only bounds a search."""
        return abs(count) * self.length // _UNITS_A_YEAR[self.unit] + 2


class NoCycleError(ValueError):
    """A word that names no cycle of ours, such as a price that is asked for once."""


_WORDS: Final[Mapping[str, Step]] = MappingProxyType(
    {
        "day": Step("Day"),
        "daily": Step("Day"),
        "week": Step("Week"),
        "weekly": Step("Week"),
        "biweekly": Step("Week", 2),
        "thirtydays": Step("Day", 30),
        "thirtyonedays": Step("Day", 31),
        "sixtydays": Step("Day", 60),
        "ninetydays": Step("Day", 90),
        "month": Step("Month"),
        "monthly": Step("Month"),
        "bimestrial": Step("Month", 2),
        "quarter": Step("Month", 3),
        "quarterly": Step("Month", 3),
        "triannual": Step("Month", 4),
        "halfyear": Step("Month", 6),
        "halfyearly": Step("Month", 6),
        "semiannual": Step("Month", 6),
        "biannual": Step("Month", 6),
        "year": Step("Year"),
        "annual": Step("Year"),
        "yearly": Step("Year"),
        "sesquiennial": Step("Month", 18),
        "biennial": Step("Year", 2),
        "triennial": Step("Year", 3),
    }
)


def step_named(word: str) -> Step:
    """Return the cycle that a peer's word means: QUARTERLY, HALF_YEAR, month.

    Raises:
        NoCycleError: The word names none.
    """
    key = "".join(filter(str.isalpha, word)).lower()
    step = _WORDS.get(key) or _WORDS.get(key.removesuffix("s"))
    if step is None:
        raise NoCycleError(word)
    return step


def step_of(unit: str, length: int = 1) -> Step:
    """Return the cycle of so many units, each named as a cycle of its own."""
    return step_named(unit).times(int(length))


def step_given(cycle: Mapping[str, Any]) -> Step:
    return step_of(cycle["unit"], cycle.get("length", 1))


def anchored(step: Step, anchor: date, *, start_day: int | None = None) -> BillingCycle:
    """Return the cycle that begins on a day: its month and day of month, or its day of the week.

    Args:
        step: The length.
        anchor: A day on which a cycle begins, or in whose month one does.
        start_day: The day of the month on which cycles begin, if it is not the anchor's own.

    Returns:
        The billing cycle.
    """
    if step.unit == "Day":
        return BillingCycle(time_unit="Day", period_length=step.length)
    if step.unit == "Week":
        return BillingCycle(time_unit="Week", period_length=step.length, start=anchor.isoweekday())
    return BillingCycle(
        time_unit=step.unit,
        period_length=step.length,
        start=anchor.month,
        start_day=start_day or anchor.day,
    )


def of_the_calendar(step: Step) -> BillingCycle:
    """Return the cycle of the calendar: months from January, years, weeks from Monday."""
    return BillingCycle(time_unit=step.unit, period_length=step.length)


def step_of_cycle(cycle: BillingCycle) -> Step:
    return step_of(cycle.time_unit, cycle.period_length)


def regular_periods(cycle: BillingCycle, since: date, through: date) -> tuple[Period, ...]:
    """Return the regular periods that begin from one day through another.

    A cycle that counts from an anchor counts from its first possible day on or after `since`.
    """
    if through < since:
        return ()
    return accounting_periods(cycle, Period(since, through), after=day_before(since))


def years_on(there: date, years: int) -> date:
    """Return the last day of a year so many years on, where a search through them ends."""
    return date(min(there.year + years, date.max.year), 12, 31)


def first_period(cycle: BillingCycle, since: date) -> Period:
    through = years_on(since, step_of_cycle(cycle).years(1))
    return regular_periods(cycle, since, through)[0]


def periods_from(cycle: BillingCycle, start: date, through: date) -> tuple[Period, ...]:
    """Return all periods of a service that begins on a day, up to those that begin by another.

    The days before the first regular period, if there are any, are a part period of their own.
    """
    first = first_period(cycle, start)
    lead = Period(start, first.end).minus(first)
    return (*lead, *regular_periods(cycle, start, through))


def containing(periods: Iterable[Period], there: date) -> Period | None:
    return next((period for period in periods if there in period), None)


def moved(there: date, step: Step, count: int) -> date:
    """Return the day on which the cycle begins that lies `count` cycles after one on this day."""
    if count < 0:
        return _moved_back(there, step, -count)
    cycle = anchored(step, there)
    return regular_periods(cycle, there, years_on(there, step.years(count)))[count].start


def _moved_back(there: date, step: Step, count: int) -> date:
    """Return the day on which the cycle began that lies `count` cycles before one on this day.

    A cycle only counts forward. Counted in cycles of one unit, though, a day has its place among
    them, and the one asked for lies so many places earlier.
    """
    since = date(max(1, there.year - step.years(count)), 1, 1)
    starts = regular_periods(anchored(Step(step.unit), there), since, there)
    return starts[-1 - count * step.length].start


def cycle_of(period: Period) -> BillingCycle:
    """Return a cycle that has this period: of months or a year if one has, else of its days."""
    for months in (1, 2, 3, 4, 6):
        cycle = anchored(Step("Month", months), period.start)
        if first_period(cycle, period.start) == period:
            return cycle
    year = anchored(Step("Year"), period.start)
    if first_period(year, period.start) == period:
        return year
    return BillingCycle(time_unit="Day", period_length=period.days)
