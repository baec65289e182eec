"""Cycles and due dates as recurrences; their laws are in tests/laws/test_schedule.py."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

import pytest

from rentbilling import BillingCycle, BillingPolicy, DueDateRule
from rentbilling.errors import MissingFactError, UnsupportedCaseError
from rentbilling.schedule import to_rrule, to_rruleset
from tests.support.rows import rows

MONTHS, RULE = BillingCycle(), DueDateRule()
YEAR = "2026-01-01/2026-12-31"
TEN = BillingPolicy(max_lines=10)


@rows(
    ("cycle", "after", "text"),
    [
        (MONTHS, None, "FREQ=MONTHLY;UNTIL=20261231T000000;BYMONTHDAY=1"),
        (
            BillingCycle(period_length=3, start=2, start_day=15),
            None,
            "FREQ=MONTHLY;INTERVAL=3;UNTIL=20261231T000000;BYMONTHDAY=15",
        ),
        (
            BillingCycle(time_unit="Week", start=3),
            None,
            "FREQ=DAILY;INTERVAL=7;UNTIL=20261231T000000",
        ),
        (
            BillingCycle(time_unit="Day", period_length=10),
            "2026-01-31",
            "FREQ=DAILY;INTERVAL=10;UNTIL=20261231T000000",
        ),
    ],
)
def test_a_rule_reads_as_calendars_write_it(
    cycle: BillingCycle, after: str | None, text: str
) -> None:
    assert f"RRULE:{text}" == str(to_rrule(cycle, YEAR, after=after)).split("\n")[1]


def test_without_a_period_a_rule_never_recurs() -> None:
    assert [] == list(to_rrule(MONTHS, "2026-01-02/2026-01-31"))


def test_other_dates_can_be_added_to_a_set() -> None:
    """Quarters due at their end, beside a deposit that is due on 15 June."""
    deposit = datetime(2026, 6, 15)  # noqa: DTZ001 - dateutil's days.
    due = to_rruleset(BillingCycle(period_length=3), DueDateRule(day_of_period=92), YEAR)
    due.rdate(deposit)

    assert ["03-31", "06-15", "06-30", "09-30", "12-31"] == [f"{each:%m-%d}" for each in due]


def test_due_dates_before_their_period_are_there() -> None:
    """January 2027 is due on 29 December 2026, three days before it."""
    due = to_rruleset(MONTHS, DueDateRule(day_of_period=-3), YEAR)

    assert (12, datetime(2026, 12, 29)) == (due.count(), list(due)[-1])  # noqa: DTZ001


REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: to_rrule(MONTHS, cast("Any", 2026)), TypeError, "to_rrule takes a Period"),
    (lambda: to_rrule(cast("Any", "Month"), YEAR), TypeError, "takes a BillingCycle, not 'Month'"),
    (lambda: to_rruleset(cast("Any", None), RULE, YEAR), TypeError, "a BillingCycle, not None"),
    (lambda: to_rruleset(MONTHS, cast("Any", 1), YEAR), TypeError, "a DueDateRule, not 1"),
    (lambda: to_rruleset(MONTHS, RULE, cast("Any", 1)), TypeError, "to_rruleset takes a Period"),
    (lambda: to_rrule(BillingCycle(period_length=5), YEAR), MissingFactError, "after="),
    (lambda: to_rruleset(BillingCycle(period_length=5), RULE, YEAR), MissingFactError, "after="),
    (lambda: to_rrule(MONTHS, YEAR, policy=TEN), UnsupportedCaseError, "10"),
    (lambda: to_rruleset(MONTHS, RULE, YEAR, policy=TEN), UnsupportedCaseError, "10"),
]


@rows(("call", "error", "said"), REFUSED)
def test_what_has_no_recurrence_is_refused(
    call: Callable[[], object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        call()
