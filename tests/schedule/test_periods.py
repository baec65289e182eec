"""Accounting periods of every cycle, and the periods that fall due between two days."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from rentbilling import (
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    MissingFactError,
    Period,
    UnsupportedCaseError,
    accounting_periods,
)
from rentbilling.schedule import Schedule
from rentbilling.values import NEVER
from tests.support.rents import day, due_dates, opening, period, rent
from tests.support.rows import rows

NEW_YEAR_OPENING = day("2026-01-31")
BY_START: dict[str, Any] = {"select": "accounting_period"}
BEYOND = UnsupportedCaseError("unsupported", case="an accounting period that ends after 9999-12-31")


def periods_of(
    cycle: BillingCycle, days: str, after: date | None = None, policy: BillingPolicy | None = None
) -> list[str]:
    return [str(each) for each in accounting_periods(cycle, days, after=after, policy=policy)]


YEAR_2026, YEARS = "2026-01-01/2026-12-31", "2024-01-01/2028-12-31"
FIVE_MONTHS = {"period_length": 5}
FIVE = {"period_length": 5, "start": 3, "start_day": 15}

# The cycle, the days asked for, the last day of the opening, and the first days of the periods.
STARTS: list[tuple[dict[str, Any], str, Period | date | None, str]] = [
    # Cycles that divide a year lie a multiple of the length from the month `start` (A8).
    ({}, YEAR_2026, None, " ".join(f"2026-{month:02}-01" for month in range(1, 13))),
    ({"period_length": 3}, YEAR_2026, None, "2026-01-01 2026-04-01 2026-07-01 2026-10-01"),
    *(
        ({"period_length": 3, "start": start}, YEAR_2026, None, starts)
        for start, starts in (
            (2, "2026-02-01 2026-05-01 2026-08-01 2026-11-01"),
            (12, "2026-03-01 2026-06-01 2026-09-01 2026-12-01"),
        )
    ),
    ({"period_length": 6, "start": 4}, YEAR_2026, None, "2026-04-01 2026-10-01"),
    ({"time_unit": "Year", "start": 4}, YEAR_2026, None, "2026-04-01"),
    ({"period_length": 12}, YEAR_2026, None, "2026-01-01"),
    ({"period_length": 6, "start_day": 15}, YEAR_2026, None, "2026-01-15 2026-07-15"),
    # A month without the day uses its last day; the next month goes back to the day asked (A9).
    *(
        ({"start_day": start_day}, "2023-12-05/2024-04-05", None, starts)
        for start_day, starts in (
            (28, "2023-12-28 2024-01-28 2024-02-28 2024-03-28"),
            (29, "2023-12-29 2024-01-29 2024-02-29 2024-03-29"),
            (30, "2023-12-30 2024-01-30 2024-02-29 2024-03-30"),
            (31, "2023-12-31 2024-01-31 2024-02-29 2024-03-31"),
        )
    ),
    # A period starts after the opening's last day, never on it (A8, A13).
    (FIVE, "2026-01-01/2027-06-30", day("2026-03-15"), "2027-03-15"),
    # No regular period starts before the opening ends, also where the calendar has one (A13).
    ({}, "2025-11-01/2026-03-31", NEW_YEAR_OPENING, "2026-02-01 2026-03-01"),
    # The first quarter after January begins in April, and not in the next January (A8, A13).
    ({"period_length": 3}, YEAR_2026, NEW_YEAR_OPENING, "2026-04-01 2026-07-01 2026-10-01"),
    # 1 is Monday: 5 January 2026 is one; 4 is Thursday, and the year begins on one (A8).
    *(
        ({"time_unit": "Week", "start": weekday}, "2026-01-01/2026-01-14", None, starts)
        for weekday, starts in (
            (1, "2026-01-05 2026-01-12"),
            (4, "2026-01-01 2026-01-08"),
            (7, "2026-01-04 2026-01-11"),
        )
    ),
    # Nothing starts in February and March.
    ({"period_length": 3}, "2026-02-01/2026-03-31", None, ""),
    # An opening of one or two whole cycles from a possible start is followed directly (A151); one
    # from another day or of other days, and a last day alone, by the next possible start.
    *(
        (FIVE_MONTHS, "2026-01-01/2027-06-30", after, starts)
        for after, starts in (
            (period("2026-01-01/2026-05-31"), "2026-06-01 2026-11-01 2027-04-01"),
            (period("2026-01-01/2026-10-31"), "2026-11-01 2027-04-01"),
            (period("2026-02-01/2026-06-30"), "2027-01-01 2027-06-01"),
            (period("2026-01-02/2026-05-31"), "2027-01-01 2027-06-01"),
            (period("2026-01-01/2026-04-30"), "2027-01-01 2027-06-01"),
            (period("2026-01-01/2026-05-30"), "2027-01-01 2027-06-01"),
            (day("2026-05-31"), "2027-01-01 2027-06-01"),
        )
    ),
    (
        {"period_length": 18, "start": 8, "start_day": 31},
        "2026-01-01/2030-12-31",
        period("2026-08-31/2028-02-28"),
        "2028-02-29 2029-08-31",
    ),
    (
        {"time_unit": "Year", "period_length": 2, "start": 2, "start_day": 29},
        YEARS,
        period("2024-02-29/2026-02-27"),
        "2026-02-28 2028-02-29",
    ),
    (
        {"time_unit": "Week", "period_length": 2},
        "2026-04-01/2026-06-15",
        period("2026-04-27/2026-05-10"),
        "2026-05-11 2026-05-25 2026-06-08",
    ),
]


@rows(("cycle", "days", "after", "starts"), STARTS)
def test_periods_start_where_their_cycle_says(
    cycle: dict[str, Any], days: str, after: Period | date | None, starts: str
) -> None:
    found = accounting_periods(BillingCycle(**cycle), days, after=after)

    assert starts == " ".join(each.start.isoformat() for each in found)


# As above, with the last days of the periods.
PERIODS: list[tuple[dict[str, Any], str, date | None, list[str]]] = [
    # A year from 29 February comes back to it in leap years; others start on the 28th (A9).
    (
        {"time_unit": "Year", "start": 2, "start_day": 29},
        YEARS,
        None,
        [
            "2024-02-29/2025-02-27",
            "2025-02-28/2026-02-27",
            "2026-02-28/2027-02-27",
            "2027-02-28/2028-02-28",
            "2028-02-29/2029-02-27",
        ],
    ),
    # After an opening that ends 31 January 2026 the first January is that of 2027 (A8).
    (
        {"period_length": 5},
        "2026-01-01/2027-12-31",
        NEW_YEAR_OPENING,
        ["2027-01-01/2027-05-31", "2027-06-01/2027-10-31", "2027-11-01/2028-03-31"],
    ),
    # 24 months and 2 years are the same (A8).
    *(
        (
            cycle,
            "2026-01-01/2029-12-31",
            NEW_YEAR_OPENING,
            ["2027-01-01/2028-12-31", "2029-01-01/2030-12-31"],
        )
        for cycle in ({"period_length": 24}, {"time_unit": "Year", "period_length": 2})
    ),
    # An opening that ends before the month of the start is followed in the same year (A8).
    (FIVE, YEAR_2026, day("2026-03-14"), ["2026-03-15/2026-08-14", "2026-08-15/2027-01-14"]),
    # Fortnights count from the first Monday after Saturday, 31 January 2026 (A8).
    (
        {"time_unit": "Week", "period_length": 2},
        "2026-01-01/2026-02-28",
        NEW_YEAR_OPENING,
        ["2026-02-02/2026-02-15", "2026-02-16/2026-03-01"],
    ),
    # Cycles of days follow the opening directly: there is no weekday or month to wait for (A8).
    (
        {"time_unit": "Day", "period_length": 10},
        "2026-01-01/2026-02-20",
        NEW_YEAR_OPENING,
        ["2026-02-01/2026-02-10", "2026-02-11/2026-02-20"],
    ),
]


@rows(("cycle", "days", "after", "periods"), PERIODS)
def test_periods_end_before_the_next_one_starts(
    cycle: dict[str, Any], days: str, after: date | None, periods: list[str]
) -> None:
    assert periods == periods_of(BillingCycle(**cycle), days, after)


@rows(
    "cycle",
    [
        {"period_length": 5},
        {"time_unit": "Year", "period_length": 2},
        {"time_unit": "Week", "period_length": 2},
        {"time_unit": "Day"},
    ],
)
def test_a_cycle_that_counts_from_the_opening_cannot_be_asked_without_it(
    cycle: dict[str, Any],
) -> None:
    """The error names the fact that is missing (A8)."""
    with pytest.raises(MissingFactError) as caught:
        accounting_periods(BillingCycle(**cycle), "2026-01-01/2026-12-31")

    assert ("missing_anchor", {"fact": "the opening period's last day (after=)"}) == (
        caught.value.code,
        caught.value.facts,
    )


def test_an_asked_period_is_read_as_the_policy_writes_it() -> None:
    """Half-open, 1 February is not asked for (A4)."""
    half_open = BillingPolicy(period_end="excluded")

    assert ["2026-01-01/2026-01-31"] == periods_of(
        BillingCycle(), "2026-01-01/2026-02-01", policy=half_open
    )


@rows("days", ["2026-01-01/2026-04-01", "2026-01-01/2026-04-30"])
def test_more_periods_than_the_bound_are_refused(days: str) -> None:
    """Four months pass where four are allowed, and not where three are (A60)."""
    exact, short = BillingPolicy(max_lines=4), BillingPolicy(max_lines=3)
    found = accounting_periods(BillingCycle(), days, policy=exact)

    with pytest.raises(UnsupportedCaseError) as caught:
        accounting_periods(BillingCycle(), days, policy=short)

    assert (4, "too_many_lines", {"lines": 4, "most": 3}) == (
        len(found),
        caught.value.code,
        caught.value.facts,
    )


def test_a_period_that_ends_after_the_calendar_is_refused() -> None:
    """December 9999 is the last month; five months from November 9999 have no end."""
    last = periods_of(BillingCycle(), "9999-12-01/9999-12-31")

    with pytest.raises(UnsupportedCaseError) as caught:
        accounting_periods(
            BillingCycle(period_length=5, start=11), "9999-11-01/9999-12-31", after=date(9999, 1, 1)
        )

    assert (["9999-12-01/9999-12-31"], BEYOND) == (last, caught.value)


def test_a_period_that_ends_a_day_after_the_calendar_is_refused() -> None:
    """Two days from 31 December 9999 end on 1 January 10000; two from the 30th do not."""
    cycle = BillingCycle(time_unit="Day", period_length=2)
    fits, ends_beyond = (
        Schedule(cycle, DueDateRule(), day(after).toordinal())
        for after in ("9999-12-29", "9999-12-30")
    )
    days = period("9999-12-31/9999-12-31")

    assert ["9999-12-30/9999-12-31"] == periods_of(
        cycle, "9999-12-30/9999-12-31", day("9999-12-29")
    )
    assert 1 == len(fits.due_between(days.first - 1, days.last, NEVER))
    for asked in (
        lambda: accounting_periods(cycle, days, after=day("9999-12-30")),
        lambda: ends_beyond.due_between(days.first, days.last, NEVER),
    ):
        with pytest.raises(UnsupportedCaseError) as caught:
            asked()

        assert BEYOND == caught.value


def test_in_arrears_of_days_the_next_day_is_the_limit() -> None:
    """The second day after 1 February would be the 3rd; the next period is the 2nd alone (A51)."""
    rule = DueDateRule(day_of_period=2, relative_to="end")

    assert day("2026-02-02").toordinal() == schedule(rule, time_unit="Day").due_of(0)


DUE: dict[str, tuple[dict[str, Any], str, dict[str, Any], str]] = {
    # Changes to the plain rent, the days asked for, choices of the policy, and the due dates.
    # Asked for by its period (A15): 31 days before 1 February of the year 1.
    "the first day of the calendar": (
        {
            "due_date_rule": DueDateRule(day_of_period=-31),
            "first_billing_period_bill_item": opening("0001-01-01/0001-01-31"),
        },
        "0001-02-01/0001-02-28",
        BY_START,
        "0001-01-01",
    ),
    "the last day of the calendar": (
        {"due_date_rule": DueDateRule(day_of_period=31)},
        "9999-12-01/9999-12-31",
        BY_START,
        "9999-12-31",
    ),
    # 1 August is a Saturday: its bill belongs to July's last day or to 3 August (A11, A15).
    "moved back": (
        {},
        "2026-07-01/2026-07-31",
        {"business_day": "preceding"},
        "2026-07-01 2026-07-31",
    ),
    "moved on": ({}, "2026-08-01/2026-08-31", {"business_day": "following"}, "2026-08-03"),
    # In the first four months, after the opening bill of 14 January (A10, A51).
    **{
        str(rule): (
            {
                "due_date_rule": rule,
                "first_billing_period_bill_item": opening(due="2026-01-14"),
            },
            "2026-01-14/2026-04-30",
            {},
            f"2026-01-14 {dates}",
        )
        for rule, dates in (
            (DueDateRule(), "2026-02-01 2026-03-01 2026-04-01"),
            (DueDateRule(day_of_period=31), "2026-02-28 2026-03-31 2026-04-30"),
            (DueDateRule(day_of_period=29), "2026-02-28 2026-03-29 2026-04-29"),
            (DueDateRule(day_of_period=-1), "2026-01-31 2026-02-28 2026-03-31 2026-04-30"),
            # 45 days before 1 March, April, May and June.
            (DueDateRule(day_of_period=-45), "2026-01-15 2026-02-15 2026-03-17 2026-04-17"),
            (DueDateRule(relative_to="end"), "2026-03-01 2026-04-01"),
            (
                DueDateRule(day_of_period=-1, relative_to="end"),
                "2026-02-28 2026-03-31 2026-04-30",
            ),
            (DueDateRule(day_of_period=40, relative_to="end"), "2026-03-31 2026-04-30"),
        )
    },
    # Days, weeks, months from the 31st, five months (A7, A8, A9).
    **{
        str(cycle): ({"billing_cycle": cycle}, "2026-02-15/2026-03-09", {}, dates)
        for cycle, dates in (
            (BillingCycle(time_unit="Day", period_length=10), "2026-02-21 2026-03-03"),
            (BillingCycle(time_unit="Week"), "2026-02-16 2026-02-23 2026-03-02 2026-03-09"),
            (BillingCycle(start_day=31), "2026-02-28"),
            (BillingCycle(period_length=5, start=3), "2026-03-01"),
        )
    },
    # From the first to the last day of the calendar, however many years lie between (A15).
    **{
        f"{days} {choices}": ({}, days, choices, dates)
        for days, dates in (
            ("0001-01-01/2026-02-01", "2026-01-15 2026-02-01"),
            ("9999-11-15/9999-12-31", "9999-12-01"),
        )
        for choices in ({}, BY_START)
    },
}


@rows(("changes", "days", "choices", "dates"), DUE.values(), ids=DUE)
def test_bills_fall_due_as_their_rule_says(
    changes: dict[str, Any], days: str, choices: dict[str, Any], dates: str
) -> None:
    assert dates == " ".join(due_dates(rent(**changes), days, BillingPolicy(**choices)))


@rows("select", ["due_date", "accounting_period"])
def test_a_bill_for_a_period_that_ends_after_the_calendar_is_refused(
    select: Any,  # noqa: ANN401
) -> None:
    """The last quarter from November 9999 would end in January 10000."""
    item = rent(billing_cycle=BillingCycle(period_length=3, start=11))

    with pytest.raises(UnsupportedCaseError):
        due_dates(item, "9999-11-01/9999-12-31", BillingPolicy(select=select))


def test_periods_that_are_due_long_before_them_end_with_the_calendar() -> None:
    """400 days before 1 December 9999 is 27 October 9998; the next month is of the year 10000."""
    item = rent(due_date_rule=DueDateRule(day_of_period=-400))
    by_start = BillingPolicy(select="accounting_period")

    assert ["9998-10-27"] == due_dates(item, "9998-10-01/9998-10-31")
    assert ["9998-10-27"] == due_dates(item, "9999-12-01/9999-12-31", by_start)
    for days in ("9998-11-01/9998-11-30", "9999-11-01/9999-11-30"):
        with pytest.raises(UnsupportedCaseError):
            due_dates(item, days)


@rows(
    ("rule", "before", "days"),
    [
        # 100 days before March of the year 1 is before the calendar.
        (DueDateRule(day_of_period=-100), "0001-01-01/0001-01-31", "0001-03-01/0001-03-31"),
        # The first day after December 9999 is after it.
        (DueDateRule(relative_to="end"), "2026-01-15/2026-01-31", "9999-12-01/9999-12-31"),
    ],
)
def test_a_due_date_outside_the_calendar_is_refused(
    rule: DueDateRule, before: str, days: str
) -> None:
    """A bill cannot say it (A15)."""
    first = opening(before)
    item = rent(due_date_rule=rule, first_billing_period_bill_item=first)

    with pytest.raises(UnsupportedCaseError) as caught:
        due_dates(item, days, BillingPolicy(select="accounting_period"))

    assert {"case": "a due date outside the years 1 to 9999"} == caught.value.facts


@rows("unit", ["Day", "Week", "Month", "Year"])
@rows("relative_to", ["start", "end"])
@rows("farthest", [-36_525, 36_525])
def test_a_bill_due_a_hundred_years_away_is_found_at_once(
    unit: str,
    relative_to: Any,  # noqa: ANN401
    farthest: int,
) -> None:
    """However far it lies from its period, few periods are looked at (A10, A51)."""
    rule = DueDateRule(day_of_period=farthest, relative_to=relative_to)
    made = Schedule(BillingCycle(time_unit=unit), rule, NEW_YEAR_OPENING.toordinal())
    asked = period("2326-01-01/2326-01-31")
    looked_at: list[int] = []
    start_of = Schedule.start_of

    def watched(self: Schedule, number: int) -> int:
        looked_at.append(number)
        return start_of(self, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Schedule, "start_of", watched)
        spans = made.due_between(asked.first, asked.last, NEVER)

    assert len(spans) <= 31
    assert all(asked.first <= due <= asked.last for _, _, due in spans)
    assert len(looked_at) <= 20 + 4 * len(spans)


def schedule(
    rule: DueDateRule | None = None,
    policy: BillingPolicy | None = None,
    **cycle: Any,  # noqa: ANN401
) -> Schedule:
    """Return the schedule after an opening that ends on 31 January 2026."""
    after = NEW_YEAR_OPENING.toordinal()
    rules = BillingPolicy() if policy is None else policy
    return Schedule(BillingCycle(**cycle), rule or DueDateRule(), after, rules)


@rows(
    ("made", "plain"),
    [
        (schedule, True),
        (lambda: schedule(DueDateRule(day_of_period=28)), True),
        (lambda: schedule(DueDateRule(day_of_period=-300), start_day=31), True),
        (lambda: schedule(DueDateRule(day_of_period=29)), False),
        (lambda: schedule(DueDateRule(relative_to="end")), False),
        (lambda: schedule(policy=BillingPolicy(business_day="following")), False),
        (lambda: schedule(time_unit="Week"), False),
    ],
)
def test_the_common_case_is_months_whose_due_date_nothing_moves(
    made: Callable[[], Schedule],
    plain: bool,
) -> None:
    """Only there a due date is no more than days from a start; day 29 may meet a February."""
    assert plain is (made().plain is not None)


def test_periods_are_numbered_from_the_first_regular_one() -> None:
    """Number 0 starts after the opening; earlier days lead to it as well (A13)."""
    months = schedule()

    assert (0, 0, 1, 2) == (
        months.number_from(day("2020-01-01").toordinal()),
        months.number_from(day("2026-02-01").toordinal()),
        months.number_from(day("2026-02-02").toordinal()),
        months.number_from(day("2026-04-01").toordinal()),
    )


@rows("way", ["none", "following"])
def test_the_numbers_that_fall_due_are_those_of_the_bills(way: Any) -> None:  # noqa: ANN401
    """Numbers 1 to 3 are March, April and May; 1 March is a Sunday and moves into March (A60)."""
    months = schedule(policy=BillingPolicy(business_day=way))
    days = period("2026-03-01/2026-05-31")
    numbers = months.numbers_due(days.first, days.last, days.last)
    due = [span[2] for span in months.due_between(days.first, days.last, days.last)]

    assert (range(1, 4), [months.due_of(number) for number in numbers]) == (numbers, due)


@rows(("until", "last_start"), [("2026-05-01", NEVER), ("2026-05-31", None)])
def test_the_last_day_and_the_last_start_count(until: str, last_start: int | None) -> None:
    first, last = day("2026-03-01").toordinal(), day(until).toordinal()
    stop = day("2026-05-01").toordinal() if last_start is None else last_start
    months = schedule()

    assert (range(1, 4), 3) == (
        months.numbers_due(first, last, stop),
        len(months.due_between(first, last, stop)),
    )


@rows("first", [0, 1, 2, 3, 5, 8, 100])
def test_the_first_number_is_found_by_halving(first: int) -> None:
    assert first == schedule().first_with(lambda number: number >= first)


def test_no_number_falls_due_after_the_last_start() -> None:
    days = period("2026-06-01/2026-06-30")

    assert 0 == len(schedule().numbers_due(days.first, days.last, day("2026-05-31").toordinal()))


def test_periods_with_a_day_between_two_days_begin_with_the_one_that_is_under_way() -> None:
    """February is under way on the 10th; March starts in the days (A15)."""
    spans = schedule().started_between(
        day("2026-02-10").toordinal(), day("2026-03-01").toordinal(), date.max.toordinal()
    )

    assert ["2026-02-01/2026-02-28", "2026-03-01/2026-03-31"] == [
        str(Period.unchecked(first, last)) for first, last, _ in spans
    ]


def test_a_period_that_ends_the_day_before_has_no_day_between_two_days() -> None:
    """February ends before 1 March (A15)."""
    first = day("2026-03-01").toordinal()

    assert [first] == [start for start, _, _ in schedule().started_between(first, first, NEVER)]
