"""Months are found from their number, never by walking from the month before (A9)."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta

from rentbilling.errors import InvalidPeriodError, shown
from rentbilling.values import YearMonth, day_in_month, month_index, month_start
from tests.support.rows import rows

ANY: Any = YearMonth
"""Without its types, for what no type checker lets through."""
PARTS: tuple[tuple[Any, Any], ...] = (
    *((2026, 0), (2026, 13), (0, 1), (10_000, 1), (-1, 1), ("2026", 1), (2026, None), (True, 1)),
)
NO_MONTHS: tuple[Any, ...] = (
    *("2026-13", "2026-00", "2026", "2026-1", "2026-01-01", "", "Q1"),
    *(None, 202601, date(2026, 1, 1), b"2026-01"),
)


class TestMonthArithmetic:
    """The same months as python-dateutil finds when it starts from the first one (A9)."""

    @rows("day", [1, 15, 28, 29, 30, 31])
    @rows("start", ["2023-01", "2024-01", "1999-12", "2100-01", "2000-01"])
    def test_a_day_so_many_months_later(self, start: str, day: int) -> None:
        """The 31st comes back after a February; 2000 had a leap day, 2100 will have none."""
        anchor = date.fromisoformat(f"{start}-{31:02d}")
        there = anchor.replace(day=day)
        index = month_index(there.toordinal())

        found = [date.fromordinal(day_in_month(index + months, day)) for months in range(60)]

        assert [there + relativedelta(months=months) for months in range(60)] == found

    def test_every_first_of_a_month_begins_the_month_of_its_number(self) -> None:
        first = date(1800, 1, 1)

        found = [date.fromordinal(month_start(1800 * 12 + months)) for months in range(4801)]

        assert [first + relativedelta(months=months) for months in range(4801)] == found

    def test_every_day_lies_in_the_month_of_its_number(self) -> None:
        """Years of 365 and 366 days: the number changes on the 1st and only then."""
        days = [date(2023, 1, 1) + timedelta(days=count) for count in range(800)]

        assert [day.year * 12 + day.month - 1 for day in days] == [
            month_index(day.toordinal()) for day in days
        ]

    @rows("index", [-1, 0, 11, 12, 10_000 * 12 - 1, 10_000 * 12, 20_000 * 12])
    def test_days_beyond_the_calendar_lie_in_a_month(self, index: int) -> None:
        assert [index - 1, index] == [
            month_index(month_start(index) - 1),
            month_index(month_start(index)),
        ]

    @rows(
        ("index", "expected"),
        [
            (1 * 12, date.min.toordinal()),
            # December 9999 has 31 days; the month after it has a first day, but no date.
            (10_000 * 12, date.max.toordinal() + 1),
            # The year 0 is a leap year of 366 days, and it ends before day 1.
            (0, 1 - 366),
        ],
    )
    def test_months_beyond_the_calendar_have_a_first_day(self, index: int, expected: int) -> None:
        assert expected == month_start(index)

    @rows(("day", "expected"), [(28, "2026-02-28"), (29, "2026-02-28"), (31, "2026-02-28")])
    def test_a_month_without_the_day_uses_its_last(self, day: int, expected: str) -> None:
        """February 2026 has 28 days (A9)."""
        found = day_in_month(2026 * 12 + 1, day)

        assert expected == str(date.fromordinal(found))


class TestYearMonths:
    """A month of a year is `YYYY-MM` (A31)."""

    @rows("text", ["2026-01", "0001-12", "9999-12"])
    def test_a_text_is_read_and_written_alike(self, text: str) -> None:
        assert text == str(YearMonth.parse(text))

    def test_months_have_an_order(self) -> None:
        months = [YearMonth(2026, 2), YearMonth(2025, 12), YearMonth(2026, 1)]

        assert ["2025-12", "2026-01", "2026-02"] == [str(month) for month in sorted(months)]

    @rows(("year", "month"), [(1, 1), (9999, 12)])
    def test_the_first_and_the_last_month_are_months(self, year: int, month: int) -> None:
        """The calendar has the years 1 to 9999."""
        assert (year, month) == tuple(YearMonth(year, month))

    def test_a_month_stays_a_month_when_it_changes(self) -> None:
        january = YearMonth(2026, 1)

        with pytest.raises(InvalidPeriodError):
            replace(january, month=13)
        with pytest.raises(AttributeError):
            january.month = 13  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]

    def test_a_month_is_a_value(self) -> None:
        january = YearMonth(2026, 1)

        assert (january, 1, "YearMonth(year=2026, month=1)") == (
            pickle.loads(pickle.dumps(january)),
            len({january, YearMonth(2026, 1)}),
            repr(january),
        )

    @rows(
        ("call", "met", "expected"),
        [
            *(
                (partial(ANY, *parts), parts, "a year from 1 to 9999, a month from 1 to 12")
                for parts in PARTS
            ),
            *((partial(ANY.parse, given), given, "YYYY-MM") for given in NO_MONTHS),
        ],
    )
    def test_what_is_no_month_is_refused(
        self, call: Callable[[], object], met: object, expected: str
    ) -> None:
        """Year and month are whole numbers that the calendar has (A31)."""
        with pytest.raises(InvalidPeriodError) as caught:
            call()

        assert (("", "not_a_year_month", "is not a month", shown(met), expected),) == (
            caught.value.problems
        )
