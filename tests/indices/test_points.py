"""Points of an index: a month, a quarter or a year, counted in its own unit (A31)."""

import operator
import pickle
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import InvalidPeriodError, UnsupportedCaseError
from rentbilling.indices import UNITS, IndexPoint
from rentbilling.values import YearMonth, month_index
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rows import rows
from tests.support.series import point

JUNE = IndexPoint.parse("2021-06")
SPRING = IndexPoint.parse("2021-Q2")
YEAR = IndexPoint.parse("2021")
ANY: Any = IndexPoint
"""Without its types, for what no type checker lets through."""
EXPECTED = "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY"


NUMBER = 2021 * 12 + 5
OUTSIDE = "an index point outside the years 1 to 9999"

ROWS: list[tuple[object, object]] = [
    # Months are year × 12 + month − 1, quarters year × 4 + quarter − 1, years themselves.
    (point("2021-06"), IndexPoint("month", NUMBER)),
    (point("2021-Q2"), IndexPoint("quarter", 2021 * 4 + 1)),
    (point("2021-q2"), IndexPoint("quarter", 2021 * 4 + 1)),
    (point("2021"), IndexPoint("year", 2021)),
    (IndexPoint.parse(YearMonth(2021, 6)), IndexPoint("month", NUMBER)),
    (IndexPoint.parse(JUNE), JUNE),
    (point("0001-01"), IndexPoint("month", 12)),
    (point("9999-Q4"), IndexPoint("quarter", 39_999)),
    # Months have the numbers of the calendar.
    (month_index(date(2021, 6, 30).toordinal()), NUMBER),
    (IndexPoint.of_month_number(NUMBER), JUNE),
    (IndexPoint.month(2021, 6), JUNE),
    # A shift counts own units.
    *(
        (str(point(start).shifted(by)), end)
        for start, by, end in (
            ("2021-01", -1, "2020-12"),
            ("2021-06", 16, "2022-10"),
            ("2021-Q1", -1, "2020-Q4"),
            ("2021-Q4", 5, "2023-Q1"),
            ("2021", -3, "2018"),
            ("2021", 0, "2021"),
        )
    ),
    # Two years earlier are 24 months or 8 quarters.
    (point("2021-06").years_earlier(2), point("2019-06")),
    (point("2021-Q2").years_earlier(2), point("2019-Q2")),
    (point("2021").years_earlier(2), point("2019")),
    # A point consists of finer ones.
    *(
        ([str(each) for each in ANY.within(point(whole), unit)], parts)
        for whole, unit, parts in (
            ("2021", "quarter", ["2021-Q1", "2021-Q2", "2021-Q3", "2021-Q4"]),
            ("2021-Q4", "month", ["2021-10", "2021-11", "2021-12"]),
            ("2021-Q4", "quarter", ["2021-Q4"]),
            ("2021-Q4", "year", []),
            ("2021-10", "quarter", []),
            ("2021", "month", [f"2021-{month:02}" for month in range(1, 13)]),
        )
    ),
]


@rows(("found", "expected"), ROWS)
def test_a_point_gives(found: object, expected: object) -> None:
    assert expected == found


@rows(
    ("whole", "per_year", "first", "last"),
    [
        ("2021-06", 12, "2021-06", "2021-06"),
        ("2021-Q2", 4, "2021-04", "2021-06"),
        ("2021", 1, "2021-01", "2021-12"),
    ],
)
def test_a_point_has_a_first_and_a_last_month(
    whole: str, per_year: int, first: str, last: str
) -> None:
    found = point(whole)

    assert (2021, per_year) == (found.year, found.per_year)
    assert (point(first).number, point(last).number) == (found.first_month, found.last_month)
    assert YearMonth.parse(last) == found.year_month


NO_POINTS: tuple[Any, ...] = (
    *("2021-13", "2021-00", "2021-Q0", "2021-Q5", "0000", "0000-01", "21-06", "2021-6"),
    *("2021-06-01", "2021Q2", "2021-06\n", " 2021", "٢٠٢١", ""),
    *(2021, None, ["2021"]),
)
REFUSED: list[Call] = [
    *(partial(ANY.parse, given) for given in NO_POINTS),
    # Months are 1 to 12, years 1 to 9999, both whole numbers.
    *(
        partial(ANY.month, year, month)
        for year, month in ((2021, 0), (2021, 13), (0, 1), (10_000, 1), ("2021", 1), (2021, True))
    ),
    # Month 11 would be December of the year 0, quarter 40,000 the first one of 10000.
    *(
        partial(ANY, unit, number)
        for unit, number in (
            *(("week", 2021), ([], 2021), ("year", 0), ("year", 10_000), ("month", 11)),
            *(("quarter", 40_000), ("year", "2021"), ("year", True)),
        )
    ),
]


@rows("call", REFUSED)
def test_what_is_no_point_is_refused(call: Call) -> None:
    assert "InvalidPeriodError: not_an_index_point" == refusal_text(call)
    (problem,) = refused(call).problems
    assert problem.message.startswith("is not a month, quarter or year")
    assert EXPECTED == problem.expected


@rows(
    ("call", "case"),
    [
        *(
            (partial(point(start).shifted, by), f"{OUTSIDE}, {by} from {start}")
            for start, by in (("0001-01", -1), ("9999-12", 1), ("9999-Q4", 1), ("0001", -1))
        ),
        # A lag can lead there: December of the year 0, January 10000.
        *(
            (
                partial(IndexPoint.of_month_number, number),
                "an index month outside the years 1 to 9999",
            )
            for number in (11, 120_000)
        ),
    ],
)
def test_the_calendar_has_ends(call: Call, case: str) -> None:
    with pytest.raises(UnsupportedCaseError) as caught:
        call()

    assert UnsupportedCaseError("unsupported", case=case) == caught.value


def test_points_of_one_unit_are_in_order() -> None:
    months = [point(text) for text in ("2021-06", "2020-12", "2021-01")]

    assert ["2020-12", "2021-01", "2021-06"] == [str(each) for each in sorted(months)]
    assert SPRING <= SPRING.shifted(0) < SPRING.shifted(1)
    assert YEAR >= YEAR.shifted(0) > YEAR.shifted(-1)


@rows("compare", [operator.lt, operator.le, operator.gt, operator.ge])
@rows("other", [SPRING, YEAR, YearMonth(2021, 6), 24_257, "2021-06"])
def test_points_of_two_units_have_no_order(
    compare: Callable[[Any, Any], bool], other: object
) -> None:
    with pytest.raises(TypeError):
        compare(JUNE, other)


def test_points_are_equal_when_unit_and_number_are() -> None:
    month, year = IndexPoint("month", 2021), IndexPoint("year", 2021)

    assert (SPRING, hash(SPRING)) == (point("2021-q2"), hash(point("2021-q2")))
    assert month != year
    assert cast("object", "2021-06") != JUNE


def test_a_point_cannot_change() -> None:
    with pytest.raises(AttributeError):
        cast("Any", JUNE).number = 1


@rows("each", [JUNE, SPRING, YEAR, point("0001-01")])
def test_a_point_survives_pickling_and_writing(each: IndexPoint) -> None:
    assert each == pickle.loads(pickle.dumps(each))
    assert each == IndexPoint.parse(str(each))


YEARS = st.integers(min_value=1, max_value=9999).map(lambda year: IndexPoint("year", year))
PARTS = st.sampled_from(UNITS).flatmap(
    lambda unit: YEARS.flatmap(lambda year: st.sampled_from(year.within(unit)))
)
"""Months, quarters and years, each as often as the others."""


@given(PARTS, st.integers(min_value=-200_000, max_value=200_000))
def test_law_a_shift_is_undone_by_its_opposite(start: IndexPoint, by: int) -> None:
    try:
        there = start.shifted(by)
    except UnsupportedCaseError:
        assert not 1 <= (start.number + by) // start.per_year <= 9999
    else:
        assert start == there.shifted(-by)
        assert (by > 0) == (there > start)


def test_a_date_is_the_month_that_begins_on_it() -> None:
    assert IndexPoint.parse("2025-10") == IndexPoint.parse(date(2025, 10, 1))
    with pytest.raises(InvalidPeriodError, match="2025-10 is the month of this day"):
        IndexPoint.parse(date(2025, 10, 2))
