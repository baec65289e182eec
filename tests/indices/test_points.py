"""Points of an index: a month, a quarter or a year, counted in its own unit (A31)."""

import operator
import pickle
from datetime import date
from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import InvalidPeriodError, UnsupportedCaseError
from rentbilling.indices import UNITS, IndexPoint
from rentbilling.values import YearMonth, month_index
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rows import rows

ANY: Any = IndexPoint
"""Without its types, for what no type checker lets through."""
point = IndexPoint.parse
JUNE, SPRING, YEAR = map(point, ("2021-06", "2021-Q2", "2021"))
ORDER: tuple[Any, ...] = (operator.lt, operator.le, operator.gt, operator.ge)

# fmt: off
ROWS: list[tuple[object, object]] = [
    # Months are year × 12 + month − 1, as those of the calendar, quarters year × 4 + quarter − 1.
    (JUNE, IndexPoint("month", 24_257)), (month_index(date(2021, 6, 30).toordinal()), 24_257),
    *((each, JUNE) for each in (
        point(YearMonth(2021, 6)), point(JUNE), IndexPoint.of_month_number(24_257),
        IndexPoint.month(2021, 6), point(date(2021, 6, 1)))),
    (SPRING, IndexPoint("quarter", 8085)), (point("2021-q2"), SPRING),
    (YEAR, IndexPoint("year", 2021)),
    (point("0001-01"), IndexPoint("month", 12)), (point("9999-Q4"), IndexPoint("quarter", 39_999)),
    # A shift counts own units; two years are 24 months or 8 quarters.
    *((str(point(start).shifted(by)), end) for start, by, end in (
        ("2021-01", -1, "2020-12"), ("2021-06", 16, "2022-10"), ("2021-Q1", -1, "2020-Q4"),
        ("2021-Q4", 5, "2023-Q1"), ("2021", -3, "2018"), ("2021", 0, "2021"))),
    *((str(each.years_earlier(2)), end) for each, end in (
        (JUNE, "2019-06"), (SPRING, "2019-Q2"), (YEAR, "2019"))),
    # A point consists of finer ones, and has a first and a last month.
    *((" ".join(map(str, ANY.within(point(whole), unit))), parts) for whole, unit, parts in (
        ("2021", "quarter", "2021-Q1 2021-Q2 2021-Q3 2021-Q4"), ("2021-Q4", "quarter", "2021-Q4"),
        ("2021-Q4", "month", "2021-10 2021-11 2021-12"), ("2021-Q4", "year", ""),
        ("2021-10", "quarter", ""), ("2021-10", "month", "2021-10"))),
    (12, len(YEAR.within("month"))),
    *(((each.year, each.per_year, each.first_month, each.last_month, str(each.year_month)), months)
      for each, months in (
        (JUNE, (2021, 12, 24_257, 24_257, "2021-06")),
        (SPRING, (2021, 4, 24_255, 24_257, "2021-06")),
        (YEAR, (2021, 1, 24_252, 24_263, "2021-12")))),
    # Points of one unit have an order.
    ([str(each) for each in sorted(map(point, ("2021-06", "2020-12", "2021-01")))],
     ["2020-12", "2021-01", "2021-06"]),
    ([each(SPRING, SPRING.shifted(0)) for each in ORDER], [False, True, False, True]),
    ([each(SPRING, SPRING.shifted(-1)) for each in ORDER], [False, False, True, True]),
    ({SPRING, point("2021-q2")}, {SPRING}),
    (JUNE == ANY("year", 24_257 // 12), False), (JUNE == "2021-06", False),
]
NO_POINTS: tuple[Any, ...] = (
    "2021-13", "2021-00", "2021-Q0", "2021-Q5", "0000", "0000-01", "21-06", "2021-6", "2021-06-01",
    "2021Q2", "2021-06\n", " 2021", "٢٠٢١", "", 2021, None, ["2021"])
REFUSED: list[Call] = [
    *(partial(ANY.parse, given) for given in NO_POINTS),
    *(partial(ANY.month, *each) for each in (
        (2021, 0), (2021, 13), (0, 1), (10_000, 1), ("2021", 1), (2021, True))),
    # Month 11 would be December of the year 0, quarter 40,000 the first one of 10000.
    *(partial(ANY, *each) for each in (
        ("week", 2021), ([], 2021), ("year", 0), ("year", 10_000), ("month", 11),
        ("quarter", 40_000), ("year", "2021"), ("year", True))),
]
ENDS: list[tuple[Call, str]] = [
    *((partial(point(start).shifted, by), f"point outside the years 1 to 9999, {by} from {start}")
      for start, by in (("0001-01", -1), ("9999-12", 1), ("9999-Q4", 1), ("0001", -1))),
    # A lag can lead there: December of the year 0, January 10000.
    *((partial(IndexPoint.of_month_number, number), "month outside the years 1 to 9999")
      for number in (11, 120_000)),
]
# fmt: on


@rows(("found", "expected"), ROWS)
def test_a_point_gives(found: object, expected: object) -> None:
    assert expected == found


@rows("call", REFUSED)
def test_what_is_no_point_is_refused(call: Call) -> None:
    assert "InvalidPeriodError: not_an_index_point" == refusal_text(call)
    (problem,) = refused(call).problems
    assert problem.message.startswith("is not a month, quarter or year")
    assert "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY" == problem.expected


@rows(("call", "case"), ENDS)
def test_the_calendar_has_ends(call: Call, case: str) -> None:
    error = refused(call, UnsupportedCaseError)
    assert UnsupportedCaseError("unsupported", case=f"an index {case}") == error


@rows("compare", ORDER)
@rows("other", [SPRING, YEAR, YearMonth(2021, 6), 24_257, "2021-06"])
def test_points_of_two_units_have_no_order(compare: Any, other: object) -> None:  # noqa: ANN401
    with pytest.raises(TypeError):
        compare(JUNE, other)


def test_a_point_cannot_change_and_survives_pickling_and_writing() -> None:
    june: Any = JUNE
    with pytest.raises(AttributeError):
        june.number = 1
    for each in (JUNE, SPRING, YEAR, point("0001-01")):
        assert each == pickle.loads(pickle.dumps(each)) == point(str(each))


def test_a_day_in_the_month_is_no_point() -> None:
    with pytest.raises(InvalidPeriodError, match="2025-10 is the month of this day"):
        point(date(2025, 10, 2))


PARTS = st.sampled_from(UNITS).flatmap(
    lambda unit: st.integers(1, 9999).flatmap(
        lambda year: st.sampled_from(IndexPoint("year", year).within(unit))
    )
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
