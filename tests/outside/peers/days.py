"""Dates, periods and cycles of other systems in our words.

A system names a cycle by a word (QUARTERLY, THIRTY_DAYS) or by unit and length, and anchors it to
a day.
Law: months are counted by `accounting_periods`; only single days, and years of the window that is
looked through, are counted here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

from rentbilling import BillingCycle, DueDateRule, Period, accounting_periods
from tests.outside.board import UnsaidError

Unit = Literal["Day", "Week", "Month", "Year"]

MONTH: Final = BillingCycle()
YEAR: Final = BillingCycle(time_unit="Year")
AT_THE_START: Final = DueDateRule(day_of_period=1)
ON_THE_LAST_DAY: Final = DueDateRule(day_of_period=-1, relative_to="end")

_UNITS_A_YEAR: Final = MappingProxyType({"Day": 365, "Week": 52, "Month": 12, "Year": 1})


def of(text: str) -> date:
    """Return the day that a text names; a time of day is dropped."""
    return date.fromisoformat(text[:10])


def maybe(text: str | None) -> date | None:
    return of(text) if text else None


def before(day: date, count: int = 1) -> date:
    return day - timedelta(days=count)


def after(day: date, count: int = 1) -> date:
    return day + timedelta(days=count)


def run(pair: Sequence[str], *, excluded: bool = False) -> Period:
    """Return the days from a first to a second date, which may be the day after the last one."""
    return Period(of(pair[0]), before(of(pair[1])) if excluded else of(pair[1]))


def bounded(start: str | None, end: str | None) -> Period:
    """Return the days between two dates, where an absent one bounds nothing."""
    return Period(maybe(start) or date.min, maybe(end) or date.max)


def half_open(text: str) -> Period:
    """Return the days of a text whose second date is the first day no longer meant."""
    return Period.parse(text, period_end="excluded")


def half_open_text(period: Period) -> str:
    """Return a period as a text whose second date is the day after it."""
    return f"{period.start}/{after(period.end)}"


def ends(period: Period) -> list[date]:
    """Return the first day of a period and the day after it."""
    return [period.start, after(period.end)]


def pairs(periods: Iterable[Period]) -> list[list[date | None]]:
    """Return periods as pairs of dates; a date that bounds nothing is None."""
    return [
        [
            None if period.start == date.min else period.start,
            None if period.end == date.max else period.end,
        ]
        for period in periods
    ]


def years_on(day: date, years: int) -> date:
    """Return the last day of a year so many years on, where a search through them ends."""
    return date(min(day.year + years, date.max.year), 12, 31)


# ------------------------------------------------------------------------------------- cycles


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


def _words() -> Mapping[str, Step]:
    said: dict[Step, str] = {
        Step("Day"): "day daily",
        Step("Week"): "week weekly",
        Step("Week", 2): "biweekly",
        Step("Day", 30): "thirtydays",
        Step("Day", 31): "thirtyonedays",
        Step("Day", 60): "sixtydays",
        Step("Day", 90): "ninetydays",
        Step("Month"): "month monthly",
        Step("Month", 2): "bimestrial",
        Step("Month", 3): "quarter quarterly",
        Step("Month", 4): "triannual",
        Step("Month", 6): "halfyear halfyearly semiannual biannual semester semesterly "
        "semiyear semiyearly",
        Step("Year"): "year annual annually yearly",
        Step("Month", 18): "sesquiennial",
        Step("Year", 2): "biennial",
        Step("Year", 3): "triennial",
    }
    return MappingProxyType({word: step for step, words in said.items() for word in words.split()})


_WORDS: Final = _words()


def step(word: str, length: int | str = 1) -> Step:
    """Return the cycle of so many of what a word means: QUARTERLY, HALF_YEAR, months."""
    key = "".join(filter(str.isalpha, word)).lower()
    found = _WORDS.get(key) or _WORDS.get(key.removesuffix("s"))
    if found is None:
        raise UnsaidError(f"the cycle {word}")
    return found.times(int(length))


def step_given(cycle: Mapping[str, Any]) -> Step:
    return step(cycle["unit"], cycle.get("length", 1))


def anchored(length: Step, anchor: date, *, start_day: int | None = None) -> BillingCycle:
    """Return the cycle of which one period begins on a day, or on a day of the month of its own."""
    if length.unit == "Day":
        return BillingCycle(time_unit="Day", period_length=length.length)
    if length.unit == "Week":
        start = anchor.isoweekday()
        return BillingCycle(time_unit="Week", period_length=length.length, start=start)
    return BillingCycle(
        time_unit=length.unit,
        period_length=length.length,
        start=anchor.month,
        start_day=start_day or anchor.day,
    )


def of_the_calendar(length: Step) -> BillingCycle:
    """Return the cycle of the calendar: months from January, years, weeks from Monday."""
    return BillingCycle(time_unit=length.unit, period_length=length.length)


def regular(cycle: BillingCycle, since: date, through: date) -> tuple[Period, ...]:
    """Return the regular periods that begin from one day through another.

    A cycle that counts from an anchor counts from its first possible day on or after `since`.
    """
    if through < since:
        return ()
    return accounting_periods(cycle, Period(since, through), after=before(since))


def first_of(cycle: BillingCycle, since: date, count: int) -> tuple[Period, ...]:
    length = step(cycle.time_unit, int(cycle.period_length))
    return regular(cycle, since, years_on(since, length.years(count)))[:count]


def first(cycle: BillingCycle, since: date) -> Period:
    return first_of(cycle, since, 1)[0]


def all_from(cycle: BillingCycle, start: date, through: date) -> tuple[Period, ...]:
    """Return all periods of a service that begins on a day, up to those that begin by another.

    The days before the first regular period, if there are any, are a part period of their own.
    """
    lead = Period(start, first(cycle, start).end).minus(first(cycle, start))
    return (*lead, *regular(cycle, start, through))


def containing(periods: Iterable[Period], day: date) -> Period | None:
    return next((period for period in periods if day in period), None)


def moved(day: date, length: Step, count: int) -> date:
    """Return the day on which the cycle begins that lies `count` cycles after one on this day."""
    if count < 0:
        return _moved_back(day, length, -count)
    return regular(anchored(length, day), day, years_on(day, length.years(count)))[count].start


def _moved_back(day: date, length: Step, count: int) -> date:
    """Return the day on which the cycle began that lies `count` cycles before one on this day.

    A cycle only counts forward. Counted in cycles of one unit, though, a day has its place among
    them, and the one asked for lies so many places earlier.
    """
    since = date(max(1, day.year - length.years(count)), 1, 1)
    starts = regular(anchored(Step(length.unit), day), since, day)
    return starts[-1 - count * length.length].start


def cycle_of(period: Period) -> BillingCycle:
    """Return a cycle that has this period: of months or a year if one has, else of its days."""
    for length in (*(Step("Month", months) for months in (1, 2, 3, 4, 6)), Step("Year")):
        cycle = anchored(length, period.start)
        if first(cycle, period.start) == period:
            return cycle
    return BillingCycle(time_unit="Day", period_length=period.days)


def calendar_period(day: date, cycle: BillingCycle) -> Period:
    """Return the period that holds a day, of a cycle that counts from the calendar."""
    longest = {"Day": 1, "Week": 7, "Month": 31, "Year": 366}[cycle.time_unit]
    reach = longest * int(cycle.period_length)
    return accounting_periods(cycle, Period(before(day, reach), day))[-1]


def calendar_periods(days: Period, cycle: BillingCycle) -> tuple[Period, ...]:
    """Return the periods that hold any of the days, of a cycle that counts from the calendar."""
    lead = calendar_period(days.start, cycle)
    later = accounting_periods(cycle, days, after=lead.end) if days.end > lead.end else ()
    return (lead, *later)


def parts_of(days: Period, cycle: BillingCycle) -> list[tuple[Period, Period]]:
    cut = ((whole.intersection(days), whole) for whole in calendar_periods(days, cycle))
    return [(part, whole) for part, whole in cut if part is not None]
