"""Due dates: the day of a period, its limits, and business days."""

from datetime import date, timedelta
from typing import Any

import pytest

import rentbilling as rb
from tests.support.rents import day, period
from tests.support.rows import rows

DUE_BEYOND = rb.UnsupportedCaseError("unsupported", case="a due date outside the years 1 to 9999")


@rows(
    ("number", "due"),
    [
        (1, "2026-02-01"),
        (2, "2026-02-02"),
        (28, "2026-02-28"),
        (29, "2026-02-28"),
        (31, "2026-02-28"),
        (-1, "2026-01-31"),
        (-3, "2026-01-29"),
        (-40, "2025-12-23"),
    ],
)
def test_days_are_counted_from_the_start_of_the_period(number: int, due: str) -> None:
    """1 is the first day, −1 the day before; past the end means the last day (A10)."""
    february = period("2026-02-01/2026-02-28")

    assert day(due) == rb.due_date(rb.DueDateRule(day_of_period=number), february)


@rows(
    ("number", "due"),
    [
        (1, "2026-03-01"),
        (-1, "2026-02-28"),
        (-28, "2026-02-01"),
        (2, "2026-03-02"),
        (31, "2026-03-31"),
        (32, "2026-03-31"),
    ],
)
def test_in_arrears_days_are_counted_from_the_end_of_the_period(number: int, due: str) -> None:
    """1 is the day after it, −1 its last; the next period's last day is the limit (A51)."""
    rule = rb.DueDateRule(day_of_period=number, relative_to="end")
    february = period("2026-02-01/2026-02-28")

    assert day(due) == rb.due_date(rule, february, cycle=rb.BillingCycle())


def test_in_arrears_weeks_stop_at_the_end_of_the_next_week() -> None:
    """Cycles of days need no calendar: 12 to 18 January follow 5 to 11 (A51)."""
    rule = rb.DueDateRule(day_of_period=9, relative_to="end")
    week = rb.BillingCycle(time_unit="Week")

    assert day("2026-01-18") == rb.due_date(rule, period("2026-01-05/2026-01-11"), cycle=week)


def test_in_arrears_the_limit_needs_the_cycle() -> None:
    """Beyond day 1 nobody can tell where the next period ends without it (A51)."""
    february = period("2026-02-01/2026-02-28")

    with pytest.raises(rb.MissingFactError) as caught:
        rb.due_date(rb.DueDateRule(day_of_period=2, relative_to="end"), february)

    assert rb.MissingFactError("missing_cycle", fact="the billing cycle (cycle=)") == caught.value


@rows(("number", "days"), [(-2, "0001-01-01/0001-01-31"), (-400, "0001-12-01/0001-12-31")])
def test_a_due_date_before_the_calendar_is_refused(number: int, days: str) -> None:
    """There is no day before 1 January of the year 1."""
    with pytest.raises(rb.UnsupportedCaseError) as caught:
        rb.due_date(rb.DueDateRule(day_of_period=number), period(days))

    assert DUE_BEYOND == caught.value


@rows("way", ["none", "following"])
@rows(
    ("number", "days", "due"),
    [
        # A Monday, and a Friday.
        (1, "0001-01-01/0001-01-31", "0001-01-01"),
        (31, "9999-12-01/9999-12-31", "9999-12-31"),
    ],
)
def test_the_first_and_the_last_day_of_the_calendar_are_due_dates(
    way: Any,  # noqa: ANN401
    number: int,
    days: str,
    due: str,
) -> None:
    """Both are business days (A10, A11)."""
    policy = rb.BillingPolicy(business_day=way)

    assert day(due) == rb.due_date(
        rb.DueDateRule(day_of_period=number), period(days), policy=policy
    )


# 1 August 2026 is a Saturday, 31 May 2026 a Sunday; Monday 3 August is a holiday here.
HOLIDAYS = frozenset({day("2026-08-03")})


@rows(
    ("way", "given", "due"),
    [
        ("none", "2026-08-01", "2026-08-01"),
        ("following", "2026-08-01", "2026-08-04"),
        ("preceding", "2026-08-01", "2026-07-31"),
        ("modified_following", "2026-08-01", "2026-08-04"),
        ("modified_following", "2026-05-31", "2026-05-29"),
        ("modified_following", "2026-02-28", "2026-02-27"),
        ("following", "2026-05-31", "2026-06-01"),
        ("following", "2026-08-03", "2026-08-04"),
        ("following", "2026-08-05", "2026-08-05"),
    ],
)
def test_a_due_date_moves_from_weekends_and_holidays_as_asked(
    way: Any,  # noqa: ANN401
    given: str,
    due: str,
) -> None:
    """Modified following stays in the month (A11)."""
    policy = rb.BillingPolicy(business_day=way, holidays=HOLIDAYS)

    assert day(due) == rb.due_date(rb.DueDateRule(), period(f"{given}/{given}"), policy=policy)


class EvenDays:
    """A container that holds every day with an even number."""

    def __contains__(self, each: object) -> bool:
        return isinstance(each, date) and each.day % 2 == 0


def test_holidays_are_any_container() -> None:
    """A calendar that computes its days will do: Tuesday the 4th is even, the 5th is not (A11)."""
    policy = rb.BillingPolicy(business_day="following", holidays=EvenDays())

    assert day("2026-08-05") == rb.due_date(
        rb.DueDateRule(), period("2026-08-04/2026-08-31"), policy=policy
    )


class EveryDay:
    """A container that holds every day."""

    def __contains__(self, each: object) -> bool:
        return True


@rows("days", ["2026-08-01/2026-08-31", "9999-12-20/9999-12-31"])
def test_a_closure_without_end_is_refused(days: str) -> None:
    """No business day within 40 days, or before the calendar ends, is a mistake (A11)."""
    policy = rb.BillingPolicy(business_day="following", holidays=EveryDay())

    with pytest.raises(rb.UnsupportedCaseError) as caught:
        rb.due_date(rb.DueDateRule(), period(days), policy=policy)

    assert "unsupported" == caught.value.code


def test_a_closure_of_forty_days_is_the_longest() -> None:
    """40 days from Wednesday 5 August end on 13 September, before a Monday (A11).

    From Tuesday the 4th that Monday is the 41st day after it.
    """
    first = day("2026-08-04")
    closed = frozenset(first + timedelta(days=count) for count in range(41))
    policy = rb.BillingPolicy(business_day="following", holidays=closed)

    assert day("2026-09-14") == rb.due_date(
        rb.DueDateRule(), period("2026-08-05/2026-08-31"), policy=policy
    )
    with pytest.raises(rb.UnsupportedCaseError) as caught:
        rb.due_date(rb.DueDateRule(), period("2026-08-04/2026-08-31"), policy=policy)
    case = "no business day within 40 days of 2026-08-04"
    assert rb.UnsupportedCaseError("unsupported", case=case) == caught.value
