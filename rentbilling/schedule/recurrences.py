"""Billing cycles and due dates as the recurrences of python-dateutil.

Law: a rule recurs on the first days of the accounting periods, a set on the due dates of bills.

Bills do not use them: a year's due dates take `rrule` 21 times as long as the whole numbers of
`schedule.periods`, which give the periods too (`rrule_dates_over_ours` in the measurements).
"""

from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final

from rentbilling.errors import UnsupportedCaseError, shown
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.schedule.periods import Schedule, accounting_periods, opening_of
from rentbilling.terms import BillingCycle, DueDateRule
from rentbilling.values import LAST_DAY, AnyPeriod, Period, period_of

if TYPE_CHECKING:
    from dateutil.rrule import rrule, rruleset

_SHORTEST_MONTH: Final = 28


def to_rrule(
    cycle: BillingCycle,
    period: AnyPeriod,
    *,
    after: Period | date | str | None = None,
    policy: BillingPolicy | None = None,
) -> "rrule":
    """Return the rule that recurs on the first day of each accounting period of a cycle.

    It takes what `accounting_periods` takes, and refuses the same. Days are midnights without a
    time zone. `rule.replace(until=None)` has no end; `str(rule)` is the text that calendars read.

    Examples:
        Months from the 31st, or the last day of a shorter month:

        >>> print(to_rrule(BillingCycle(start_day=31), "2026-02-01/2026-04-30"))
        DTSTART:20260228T000000
        RRULE:FREQ=MONTHLY;UNTIL=20260430T000000;BYSETPOS=-1;BYMONTHDAY=28,29,30,31
    """
    from dateutil.rrule import DAILY, MONTHLY, rrule  # noqa: PLC0415 - it takes a while to load.

    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end, by="to_rrule")
    found = accounting_periods(cycle, asked, after=after, policy=rules)
    begins = found[0].start if found else asked.start
    recurs: dict[str, Any] = {"dtstart": _midnight(begins), "until": _midnight(asked.end)}
    if not found:
        # Without an end, which a rule with a count cannot have.
        recurs |= {"until": None, "count": 0}
    if not cycle.months:
        return rrule(DAILY, interval=cycle.days, **recurs)
    day = cycle.start_day
    if day > _SHORTEST_MONTH:
        return rrule(
            MONTHLY,
            interval=cycle.months,
            bymonthday=range(_SHORTEST_MONTH, day + 1),
            bysetpos=-1,
            **recurs,
        )
    return rrule(MONTHLY, interval=cycle.months, bymonthday=day, **recurs)


def to_rruleset(
    cycle: BillingCycle,
    rule: DueDateRule,
    period: AnyPeriod,
    *,
    after: Period | date | str | None = None,
    policy: BillingPolicy | None = None,
) -> "rruleset":
    """Return the due dates of a cycle's regular periods that lie in a period.

    They are listed one by one, because no rule says where weekends and holidays move a date.

    Args:
        cycle: The billing cycle.
        rule: The due date rule.
        period: The days in which a bill must fall due, both ends included.
        after: The opening period, or its last day; no bill of a period before it is due.
        policy: For `business_day` and `holidays` (A11).

    Raises:
        MissingFactError: The cycle counts from an anchor and `after` is not given.
        InvalidPeriodError: A text is malformed, or the period reversed.
        UnsupportedCaseError: There are more than `max_lines` (A60), or one ends after 9999.
        TypeError: An argument has a wrong type.

    Examples:
        Rent due on the first working day of a month; 1 February and 1 March 2026 are Sundays:

        >>> working_days = BillingPolicy(business_day="following")
        >>> due = to_rruleset(
        ...     BillingCycle(), DueDateRule(), "2026-01-01/2026-03-31", policy=working_days
        ... )
        >>> [f"{each:%d %b}" for each in due]
        ['01 Jan', '02 Feb', '02 Mar']
    """
    from dateutil.rrule import rruleset  # noqa: PLC0415 - it takes a while to load.

    for given, kind in ((cycle, BillingCycle), (rule, DueDateRule)):
        if not isinstance(given, kind):
            raise TypeError(f"to_rruleset takes a {kind.__name__}, not {shown(given)}")
    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end, by="to_rruleset")
    schedule = Schedule(cycle, rule, opening_of(after), rules)
    count = schedule.number_from(asked.last) - schedule.number_from(asked.first)
    if count > rules.max_lines:
        raise UnsupportedCaseError("too_many_lines", lines=count, most=rules.max_lines)
    found = rruleset()
    for _, _, due in schedule.due_between(asked.first, asked.last, LAST_DAY):
        found.rdate(_midnight(date.fromordinal(due)))
    return found


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())
