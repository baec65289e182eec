"""On which day is the bill of an accounting period to be paid?

Law: a due date is computed from its period; only a weekend or holiday moves it.
"""

from datetime import date
from typing import Final

from rentbilling.errors import MissingFactError, UnsupportedCaseError, shown
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import BillingCycle, DueDateRule
from rentbilling.values import LAST_DAY, AnyPeriod, day_in_month, month_index, period_of

_WEEK: Final = 7
_FRIDAY: Final = 5
MOST_SHIFT: Final = 40
"""Days that a due date may move to find a business day; a longer closure is a mistake."""


def needs_next_period(rule: DueDateRule) -> bool:
    return rule.relative_to == "end" and rule.day_of_period > 1


def due_day(rule: DueDateRule, start: int, after: int, following: int) -> int:
    """Return the ordinal of a period's due date before it moves to a business day (A10, A51).

    `after` is the first day after the period, and `following` the one after the next period.

    Examples:
        >>> due_day(DueDateRule(day_of_period=31), 1, 29, 57)
        28
        >>> due_day(DueDateRule(day_of_period=-3), 101, 129, 157)
        98
    """
    day = rule.day_of_period
    if rule.relative_to == "start":
        return start + day if day < 0 else min(start + day, after) - 1
    if day <= 1:
        return after + day - (day > 0)
    # A51: at most the next regular period's last day, even if that period is never billed.
    return min(after + day, following) - 1


def due_beyond_calendar() -> UnsupportedCaseError:
    return UnsupportedCaseError("unsupported", case="a due date outside the years 1 to 9999")


def business_day(day: int, policy: BillingPolicy) -> int:
    """Return the business day to which a due date moves, within 40 days (A11).

    Examples:
        >>> policy = BillingPolicy(business_day="following")
        >>> date.fromordinal(business_day(date(2026, 8, 1).toordinal(), policy))
        datetime.date(2026, 8, 3)
    """
    way = policy.business_day
    if way == "none":
        return day
    found = _first_open(day, -1 if way == "preceding" else 1, policy)
    if way == "modified_following" and month_index(found) != month_index(day):
        found = _first_open(day, -1, policy)
    return found


def first_business_day(first: int, last: int, policy: BillingPolicy) -> int:
    """Return the first business day between two days, the first of them where there is none.

    The first day as well where due dates do not move (A159).
    """
    if policy.business_day == "none":
        return first
    if last - first > MOST_SHIFT:
        return _first_open(first, 1, policy)
    return next((day for day in range(first, last + 1) if _is_open(day, policy)), first)


def _is_open(day: int, policy: BillingPolicy) -> bool:
    return (day - 1) % _WEEK < _FRIDAY and date.fromordinal(day) not in policy.holidays


def _first_open(day: int, step: int, policy: BillingPolicy) -> int:
    for there in range(day, day + step * (MOST_SHIFT + 1), step):
        if not 1 <= there <= LAST_DAY:
            break
        if _is_open(there, policy):
            return there
    raise UnsupportedCaseError(
        "unsupported", case=f"no business day within {MOST_SHIFT} days of {date.fromordinal(day)}"
    )


def due_date(
    rule: DueDateRule,
    period: AnyPeriod,
    *,
    cycle: BillingCycle | None = None,
    policy: BillingPolicy | None = None,
) -> date:
    """Return the day on which the bill for an accounting period falls due.

    Days are counted from the start of the period: day 1 is the period's first day and day −1 the
    day before it; a day past the period's end means its last day (A10). In arrears they are counted
    from the end: day 1 is the first day after the period, day −1 its last day (A51). Days above 1
    then need the `cycle`, because they stop at the last day of the next period. The policy's
    `business_day` moves the day from weekends and holidays (A11).

    Raises:
        MissingFactError: The rule counts from the end, beyond day 1, and no cycle is given.
        InvalidPeriodError: The period's text is malformed or reversed.
        UnsupportedCaseError: The day lies outside the years 1 to 9999, or no business day near it.
        TypeError: An argument has a wrong type.

    Examples:
        Rent for February 2024, due on the first day of the month, three days before the month, and
        at the end of it:

        >>> from rentbilling import Period
        >>> february = Period.parse("2024-02-01/2024-02-29")
        >>> due_date(DueDateRule(day_of_period=1), february)
        datetime.date(2024, 2, 1)
        >>> due_date(DueDateRule(day_of_period=-3), february)
        datetime.date(2024, 1, 29)
        >>> due_date(DueDateRule(day_of_period=31), february)
        datetime.date(2024, 2, 29)
    """
    if not isinstance(rule, DueDateRule):
        raise TypeError(f"due_date takes a DueDateRule, not {shown(rule)}")
    if cycle is not None and not isinstance(cycle, BillingCycle):
        raise TypeError(f"due_date takes a BillingCycle, not {shown(cycle)}")
    rules = policy_of(policy)
    billed = period_of(period, period_end=rules.period_end, by="due_date")
    after = following = billed.last + 1
    if needs_next_period(rule):
        if cycle is None:
            raise MissingFactError("missing_cycle", fact="the billing cycle (cycle=)")
        if after > LAST_DAY:
            raise due_beyond_calendar()
        following = _end_after(cycle, after)
    due = due_day(rule, billed.first, after, following)
    if not 1 <= due <= LAST_DAY:
        raise due_beyond_calendar()
    return date.fromordinal(business_day(due, rules))


def _end_after(cycle: BillingCycle, start: int) -> int:
    if not cycle.months:
        return start + cycle.days
    return day_in_month(month_index(start) + cycle.months, cycle.start_day)
