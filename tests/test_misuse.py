"""Wrong use from Python: schedules, shares and opening periods say what they take.

No argument of another kind gets as far as an error from the inside; periods may be given as texts,
days as `YYYY-MM-DD`, and what lies beyond the calendar is refused by name.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    Period,
    UnsupportedCaseError,
    accounting_periods,
    due_date,
    first_billing_period,
)
from rentbilling.errors import InvalidAmountError, InvalidPeriodError
from rentbilling.schedule import period_share
from tests.support.refusals import faults
from tests.support.rows import rows

JANUARY = Period.parse("2026-01-01/2026-01-31")
MONTH = BillingCycle()
RULE = DueDateRule()
RENT = Amount(Decimal("8500.00"), "DKK")
HALF_OPEN = BillingPolicy(period_end="excluded")
THIRTY = BillingPolicy(part_period="thirty_day")
MOVED_IN = date(2026, 1, 15)
MIDNIGHT = datetime(2026, 1, 15, tzinfo=UTC)


class Day(date):
    """A date of another library."""


# A function, which argument of it is wrong, and how the sentence begins.
WRONG: tuple[tuple[Callable[..., object], tuple[object, ...], dict[str, object], str], ...] = (
    (accounting_periods, (None, JANUARY), {}, "accounting_periods takes a BillingCycle, not None"),
    (accounting_periods, (RULE, JANUARY), {}, "accounting_periods takes a BillingCycle, not Due"),
    (
        accounting_periods,
        (MONTH, 5),
        {},
        "accounting_periods takes a Period, its text or two days",
    ),
    (accounting_periods, (MONTH, JANUARY), {"after": 5}, "after is a date or its text, not 5"),
    (accounting_periods, (MONTH, JANUARY), {"policy": {}}, "a policy is a BillingPolicy or None"),
    (accounting_periods, (MONTH, JANUARY), {"policy": ""}, "a policy is a BillingPolicy or None"),
    (due_date, (5, JANUARY), {}, "due_date takes a DueDateRule, not 5"),
    (due_date, (1, JANUARY), {}, "due_date takes a DueDateRule, not 1"),
    (due_date, (RULE, 5), {}, "due_date takes a Period, its text or two days, not 5"),
    (
        due_date,
        (RULE, date(2026, 1, 1)),
        {},
        "due_date takes a Period, its text or two days, not dat",
    ),
    (due_date, (RULE, JANUARY), {"cycle": "Month"}, "due_date takes a BillingCycle, not 'Month'"),
    (due_date, (RULE, JANUARY), {"policy": {}}, "a policy is a BillingPolicy or None, not {}"),
    (period_share, (5, MONTH), {}, "period_share takes a Period, its text or two days, not 5"),
    (period_share, (JANUARY, "Month"), {}, "period_share takes a BillingCycle, not 'Month'"),
    (
        period_share,
        (JANUARY, MONTH),
        {"whole": 5},
        "period_share takes a Period, its text",
    ),
    (period_share, (JANUARY, MONTH), {"policy": 0}, "a policy is a BillingPolicy or None, not 0"),
    (first_billing_period, (8500, MONTH, MOVED_IN), {}, "first_billing_period takes an Amount"),
    (first_billing_period, (RENT, None, MOVED_IN), {}, "a billing cycle is a BillingCycle, such"),
    (first_billing_period, (RENT, MONTH, None), {}, "moved_in is a date or its text, not None"),
    (first_billing_period, (RENT, MONTH, MOVED_IN), {"due_date": 5}, "due_date is a date or its"),
    (
        first_billing_period,
        (RENT, MONTH, MOVED_IN),
        {"discount": Decimal("0.1")},
        "a discount is a Discount, such as",
    ),
    (first_billing_period, (RENT, MONTH, MOVED_IN), {"policy": {}}, "a policy is a BillingPolicy"),
)


@rows(("function", "given", "options", "sentence"), WRONG, ids=[row[3] for row in WRONG])
def test_an_argument_of_another_kind_is_a_type_error(
    function: Callable[..., object],
    given: tuple[object, ...],
    options: dict[str, object],
    sentence: str,
) -> None:
    with pytest.raises(TypeError) as caught:
        function(*given, **options)

    assert str(caught.value).startswith(sentence)


def test_a_period_is_given_as_its_text() -> None:
    """Wherever a period is taken (A4)."""
    assert (
        accounting_periods(MONTH, JANUARY),
        due_date(RULE, JANUARY),
        period_share(JANUARY, MONTH, whole=JANUARY),
    ) == (
        accounting_periods(MONTH, "2026-01-01/2026-01-31"),
        due_date(RULE, "2026-01-01/2026-01-31"),
        period_share("2026-01-01/2026-01-31", MONTH, whole="2026-01-01/2026-01-31"),
    )


def test_a_text_is_half_open_where_the_policy_says_so() -> None:
    """Day 31 of January is its last day; 17 of its 31 days begin on the 15th (A4, A10, A20)."""
    last = DueDateRule(day_of_period=31)
    counted = HALF_OPEN.evolve(part_period="period_days")
    whole = "2026-01-01/2026-02-01"

    assert (date(2026, 1, 31), Fraction(17, 31)) == (
        due_date(last, whole, policy=HALF_OPEN),
        period_share("2026-01-15/2026-02-01", MONTH, whole=whole, policy=counted),
    )


@rows(
    "ask",
    [
        lambda text: accounting_periods(MONTH, text),
        lambda text: due_date(RULE, text),
        lambda text: period_share(text, MONTH),
        lambda text: period_share(JANUARY, MONTH, whole=text),
    ],
    ids=["accounting_periods", "due_date", "period_share", "whole"],
)
@rows(("text", "code"), [("January", "not_a_period"), ("2026-01-31/2026-01-01", "reversed_period")])
def test_a_text_that_is_no_period_is_refused(
    ask: Callable[[str], object], text: str, code: str
) -> None:
    """As when it is read from a file (A4)."""
    with pytest.raises(InvalidPeriodError) as caught:
        ask(text)

    assert code == caught.value.code


@rows("after", ["2025-12-31", Day(2025, 12, 31)], ids=["text", "day"])
def test_the_opening_period_s_last_day_is_given_as_a_text_too(after: date | str) -> None:
    """Or as a date of another library: fortnights of 2026 from the Thursday after it (A8)."""
    fortnights = BillingCycle(time_unit="Week", period_length=2, start=4)

    found = accounting_periods(fortnights, "2026-01-01/2026-01-31", after=after)

    # 1 January 2026 is a Thursday.
    assert ["2026-01-01", "2026-01-15", "2026-01-29"] == [str(each.start) for each in found]


@rows("moved_in", ["2026-01-15", Day(2026, 1, 15)], ids=["text", "day"])
def test_the_day_of_moving_in_is_given_as_a_text_too(moved_in: date | str) -> None:
    """It is the due date, too, as a plain date: 8500 × 17/31 = 4661.290… (A14, A20)."""
    found = first_billing_period(RENT, MONTH, moved_in)

    assert (
        FirstBillingPeriodBillItem(
            amount=Amount(Decimal("4661.29"), "DKK"),
            due_date=MOVED_IN,
            accounting_period=Period(MOVED_IN, date(2026, 1, 31)),
        )
        == found
    )
    assert date is type(found.due_date)


@rows(
    ("ask", "path"),
    [
        (lambda: accounting_periods(MONTH, JANUARY, after=MIDNIGHT), "after"),
        (lambda: first_billing_period(RENT, MONTH, MIDNIGHT), "moved_in"),
        (lambda: first_billing_period(RENT, MONTH, MOVED_IN, due_date=MIDNIGHT), "due_date"),
    ],
    ids=["after", "moved_in", "due_date"],
)
def test_a_date_time_is_no_day(ask: Callable[[], object], path: str) -> None:
    """Python calls it a kind of date, but which day it is depends on where one stands (A58)."""
    assert [(path, "date_time_for_date")] == faults(ask, InvalidPeriodError)


@rows("quantity", [2.0, "two", True, Fraction(1, 3)])
def test_the_refusal_of_a_quantity_shows_it(quantity: object) -> None:
    """And what a quantity looks like, not an amount (A1, A21)."""
    assert [("quantity", "not_exact", repr(quantity), 'Decimal("12.5") or "12.5"')] == faults(
        lambda: first_billing_period(RENT, MONTH, MOVED_IN, quantity=cast("Any", quantity)),
        InvalidAmountError,
        "path code met expected",
    )


@rows(
    ("cycle", "moved_in"),
    [
        # The next Monday after Friday, 31 December 9999, has no date.
        (BillingCycle(time_unit="Week"), date.max),
        # The next March after June 9999 is in the year 10000.
        (BillingCycle(time_unit="Year", start=3), date(9999, 6, 1)),
        (BillingCycle(time_unit="Day", period_length=2), date.max),
        (BillingCycle(start_day=15), date(9999, 12, 15)),
    ],
    ids=["week", "year", "day", "month"],
)
def test_an_opening_period_that_outlives_the_calendar_is_refused(
    cycle: BillingCycle, moved_in: date
) -> None:
    for discount in (None, Discount(percentage=Decimal("0.1"), end_date=date.max)):
        with pytest.raises(UnsupportedCaseError, match="ends after 9999-12-31"):
            first_billing_period(RENT, cycle, moved_in, discount=discount)


def test_an_opening_period_may_end_with_the_calendar() -> None:
    """December 9999 is a whole month, of 8500.00."""
    found = first_billing_period(RENT, MONTH, date(9999, 12, 1))

    assert ("9999-12-01/9999-12-31", RENT) == (str(found.accounting_period), found.amount)


@rows(
    ("part", "cycle"),
    [
        (Period(date.min, date.min), BillingCycle(period_length=1200)),
        (Period(date.min, date.min), BillingCycle(start_day=15)),
        (Period(date.max, date.max), BillingCycle(start_day=15)),
    ],
    ids=["century", "december", "january"],
)
def test_a_cycle_that_the_calendar_does_not_have_cannot_be_counted_in_thirties(
    part: Period, cycle: BillingCycle
) -> None:
    """It begins before the year 1 or ends after 9999; its own months have a length all the same."""
    with pytest.raises(UnsupportedCaseError, match="a cycle outside the years 1 to 9999"):
        period_share(part, cycle, policy=THIRTY)

    # One day of 31, of a century of months or of one; both Decembers have 31 days.
    assert Fraction(1, 31 * cycle.months) == period_share(part, cycle)


def test_an_opening_period_of_such_a_cycle_is_refused_too() -> None:
    century = BillingCycle(period_length=1200)

    with pytest.raises(UnsupportedCaseError, match="a cycle outside the years 1 to 9999"):
        first_billing_period(RENT, century, date(1, 1, 2), policy=THIRTY)


@rows("cycle", [MONTH, BillingCycle(time_unit="Week")], ids=["month", "week"])
def test_a_due_date_after_the_calendar_is_refused(cycle: BillingCycle) -> None:
    """In arrears it would lie in January 10000 (A51)."""
    rule = DueDateRule(day_of_period=5, relative_to="end")

    with pytest.raises(UnsupportedCaseError, match="a due date outside the years 1 to 9999"):
        due_date(rule, "9999-12-01/9999-12-31", cycle=cycle)
