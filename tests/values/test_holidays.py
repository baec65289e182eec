"""Holidays as callers have them: in lists and frames, as rules that recur, in any container."""

import pickle
from collections import UserList, deque
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from dateutil.easter import easter
from dateutil.rrule import DAILY, YEARLY, rrule, rruleset

from rentbilling import BillingPolicy, DueDateRule, Period, due_date
from rentbilling.errors import InvalidPolicyError
from rentbilling.values import RecurringDays
from tests.support.rows import rows

CHRISTMAS = date(2026, 12, 25)
MIDNIGHT = datetime.combine(CHRISTMAS, time())


def christmas(**how: Any) -> rrule:  # noqa: ANN401
    return rrule(YEARLY, dtstart=datetime(2000, 12, 25, **how))  # noqa: DTZ001 - dateutil's days.


def calendar() -> rruleset:
    """Return both days of Christmas, but for 2027, and Good Friday of 2026."""
    found = rruleset()
    found.rrule(christmas())
    found.rrule(rrule(YEARLY, dtstart=datetime(2000, 12, 26)))  # noqa: DTZ001 - dateutil's days.
    found.exdate(datetime(2027, 12, 26))  # noqa: DTZ001 - dateutil's days.
    found.rdate(datetime.combine(easter(2026) - timedelta(2), time()))
    return found


def test_a_set_of_rules_moves_due_dates() -> None:
    """Good Friday 2026 is 3 April: due on the 6th, because only Friday is a holiday here."""
    policy = BillingPolicy(business_day="following", holidays=calendar())
    april = Period(date(2026, 4, 1), date(2026, 4, 30))

    assert date(2026, 4, 6) == due_date(DueDateRule(day_of_period=3), april, policy=policy)
    assert [date(2028, 12, 25), date(2028, 12, 26), date(2027, 12, 25)] == [
        day
        for day in (
            *(date(2028, 12, 24 + at) for at in range(4)),
            *(date(2027, 12, 24 + at) for at in range(4)),
        )
        if day in policy.holidays
    ]


@rows(
    "rule",
    [
        christmas(),
        christmas(hour=9, minute=30),
        christmas(tzinfo=UTC),
        christmas(hour=23, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_a_moment_of_a_rule_is_its_day(rule: rrule) -> None:
    """In the zone of the rule, whatever the time of day."""
    holidays = BillingPolicy(holidays=rule).holidays

    assert [CHRISTMAS] == [
        day for day in (date(2026, 12, 24), CHRISTMAS, date(2026, 12, 26)) if day in holidays
    ]


def test_a_rule_ends_where_it_ends() -> None:
    """31 December is in its year, though its moment is the last one of the day."""
    late = datetime(2026, 12, 31, 23, 59, 59)  # noqa: DTZ001 - dateutil's days.
    days = RecurringDays(rrule(DAILY, dtstart=late, count=1))

    assert date(2026, 12, 31) in days
    assert date(2027, 1, 1) not in days


def test_a_rule_without_days_has_no_holiday() -> None:
    assert CHRISTMAS not in RecurringDays(rruleset())
    assert "2026-12-25" not in RecurringDays(christmas())


class _Counted:
    """A rule that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def between(self, after: datetime, before: datetime, inc: bool = False) -> list[datetime]:  # noqa: ARG002, FBT002
        self.asked.append(after.year)
        return [MIDNIGHT]

    def __iter__(self) -> Any:  # noqa: ANN401
        return iter([MIDNIGHT])

    def __contains__(self, moment: object) -> bool:
        return moment == MIDNIGHT


def test_a_rule_is_asked_once_a_year() -> None:
    rule = _Counted()
    days = RecurringDays(rule)

    assert 1 == sum(date(2026, 12, day) in days for day in range(1, 32))
    assert date(2027, 1, 1) not in days
    assert [2026, 2027] == rule.asked


def test_policies_of_one_rule_are_equal() -> None:
    rule = christmas()
    policy = BillingPolicy(holidays=rule)

    assert policy == BillingPolicy(holidays=rule)
    assert policy.evolve(select="accounting_period").holidays == policy.holidays
    assert policy != BillingPolicy(holidays=christmas())
    assert policy != BillingPolicy(holidays={CHRISTMAS})
    assert 1 == len({RecurringDays(rule), RecurringDays(rule)})


def test_a_policy_with_a_rule_goes_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(BillingPolicy(holidays=calendar())))

    assert CHRISTMAS in again.holidays
    assert date(2027, 12, 26) not in again.holidays


def test_a_rule_without_an_end_is_not_written() -> None:
    with pytest.raises(InvalidPolicyError, match="such as those of a rule between two days"):
        BillingPolicy(holidays=calendar()).to_data()


@rows(
    "listed",
    [
        [MIDNIGHT],
        christmas().between(datetime(2026, 1, 1), datetime(2027, 1, 1)),  # noqa: DTZ001
        UserList([CHRISTMAS]),
        deque(["2026-12-25"]),
        {CHRISTMAS: "Christmas"},
        {"2026-12-25": "Christmas"}.keys(),
    ],
)
def test_listed_days_become_a_set(listed: Any) -> None:  # noqa: ANN401
    assert frozenset({CHRISTMAS}) == BillingPolicy(holidays=listed).holidays


def test_columns_of_days_become_a_set() -> None:
    """A column of midnights does not contain a date, so that it would have no holidays."""
    np, pa = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    moments = pd.DatetimeIndex([MIDNIGHT])

    assert CHRISTMAS not in moments
    for column in (
        moments,
        pd.Series(moments),
        np.array(["2026-12-25"], "datetime64[D]"),
        pa.array([CHRISTMAS]),
        pl.Series([CHRISTMAS]),
    ):
        assert frozenset({CHRISTMAS}) == BillingPolicy(holidays=column).holidays


@rows(
    "moment",
    [MIDNIGHT.replace(hour=1), MIDNIGHT.replace(microsecond=1), MIDNIGHT.replace(tzinfo=UTC)],
)
def test_moments_within_a_day_are_refused(moment: datetime) -> None:
    with pytest.raises(InvalidPolicyError, match=r"^holidays\[0\]: is a date with a time of day"):
        BillingPolicy(holidays=[moment])


class _OneValue:
    """A value of a column, which lists as itself."""

    def tolist(self) -> date:
        return CHRISTMAS

    def __contains__(self, day: object) -> bool:
        return day == CHRISTMAS


def test_what_does_not_list_is_asked() -> None:
    value = _OneValue()

    assert value is BillingPolicy(holidays=value).holidays
