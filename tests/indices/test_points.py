"""Points of an index: a month, a quarter or a year, counted in its own unit (A31)."""

import operator
import pickle
from collections.abc import Callable
from datetime import date
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import InvalidPeriodError, UnsupportedCaseError
from rentbilling.indices import UNITS, IndexPoint, IndexUnit
from rentbilling.values import YearMonth, month_index

JUNE = IndexPoint.parse("2021-06")
SPRING = IndexPoint.parse("2021-Q2")
YEAR = IndexPoint.parse("2021")
EXPECTED = "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY"


def point(text: str) -> IndexPoint:
    return IndexPoint.parse(text)


class TestReading:
    """`YYYY-MM`, `YYYY-Qn` or `YYYY`, and nothing else."""

    @pytest.mark.parametrize(
        ("given", "unit", "number"),
        [
            ("2021-06", "month", 2021 * 12 + 5),
            ("2021-Q2", "quarter", 2021 * 4 + 1),
            ("2021-q2", "quarter", 2021 * 4 + 1),
            ("2021", "year", 2021),
            (YearMonth(2021, 6), "month", 2021 * 12 + 5),
            (JUNE, "month", 2021 * 12 + 5),
            ("0001-01", "month", 12),
            ("9999-Q4", "quarter", 39_999),
        ],
    )
    def test_a_point_is_read(
        self, given: str | YearMonth | IndexPoint, unit: IndexUnit, number: int
    ) -> None:
        """Months are year × 12 + month − 1, quarters year × 4 + quarter − 1, years themselves."""
        assert IndexPoint(unit, number) == IndexPoint.parse(given)

    def test_months_have_the_numbers_of_the_calendar(self) -> None:
        number = month_index(date(2021, 6, 30).toordinal())

        assert JUNE == IndexPoint.of_month_number(number)
        assert JUNE == IndexPoint.month(2021, 6)
        assert (number, number) == (JUNE.first_month, JUNE.last_month)

    @pytest.mark.parametrize(
        "given",
        [
            "2021-13",
            "2021-00",
            "2021-Q0",
            "2021-Q5",
            "0000",
            "0000-01",
            "21-06",
            "2021-6",
            "2021-06-01",
            "2021Q2",
            "2021-06\n",
            " 2021",
            "٢٠٢١",
            "",
            2021,
            date(2021, 6, 1),
            None,
            ["2021"],
        ],
        ids=repr,
    )
    def test_anything_else_is_refused(self, given: object) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            IndexPoint.parse(cast("Any", given))

        assert [("", "not_an_index_point", EXPECTED)] == [
            (each.path, each.code, each.expected) for each in caught.value.problems
        ]

    @pytest.mark.parametrize(
        ("year", "month"), [(2021, 0), (2021, 13), (0, 1), (10_000, 1), ("2021", 1), (2021, True)]
    )
    def test_no_year_has_another_month(self, year: object, month: object) -> None:
        """Months are 1 to 12, years 1 to 9999, both whole numbers."""
        with pytest.raises(InvalidPeriodError, match="is not a month, quarter or year"):
            IndexPoint.month(cast("Any", year), cast("Any", month))

    @pytest.mark.parametrize(
        ("unit", "number"),
        [
            ("week", 2021),
            ([], 2021),
            ("year", 0),
            ("year", 10_000),
            ("month", 11),
            ("quarter", 40_000),
            ("year", "2021"),
            ("year", True),
        ],
    )
    def test_a_point_outside_the_calendar_is_refused(self, unit: object, number: object) -> None:
        """Month 11 would be December of the year 0, quarter 40,000 the first one of 10000."""
        with pytest.raises(InvalidPeriodError, match="is not a month, quarter or year"):
            IndexPoint(cast("Any", unit), cast("Any", number))


class TestMoving:
    """Points move by their own units, or by years."""

    @pytest.mark.parametrize(
        ("start", "by", "end"),
        [
            ("2021-01", -1, "2020-12"),
            ("2021-06", 16, "2022-10"),
            ("2021-Q1", -1, "2020-Q4"),
            ("2021-Q4", 5, "2023-Q1"),
            ("2021", -3, "2018"),
            ("2021", 0, "2021"),
        ],
    )
    def test_a_shift_counts_own_units(self, start: str, by: int, end: str) -> None:
        assert end == str(point(start).shifted(by))

    @pytest.mark.parametrize(
        ("start", "end"), [("2021-06", "2019-06"), ("2021-Q2", "2019-Q2"), ("2021", "2019")]
    )
    def test_years_earlier_is_the_same_part_of_the_year(self, start: str, end: str) -> None:
        """Two years are 24 months or 8 quarters."""
        assert point(end) == point(start).years_earlier(2)

    @pytest.mark.parametrize(
        ("start", "by"), [("0001-01", -1), ("9999-12", 1), ("9999-Q4", 1), ("0001", -1)]
    )
    def test_the_calendar_has_ends(self, start: str, by: int) -> None:
        case = f"an index point outside the years 1 to 9999, {by} from {start}"

        with pytest.raises(UnsupportedCaseError) as caught:
            point(start).shifted(by)

        assert UnsupportedCaseError("unsupported", case=case) == caught.value

    @pytest.mark.parametrize("number", [11, 120_000])
    def test_a_month_number_outside_the_calendar_is_not_supported(self, number: int) -> None:
        """A lag can lead there: December of the year 0, January 10000."""
        with pytest.raises(UnsupportedCaseError) as caught:
            IndexPoint.of_month_number(number)

        case = "an index month outside the years 1 to 9999"
        assert UnsupportedCaseError("unsupported", case=case) == caught.value


class TestParts:
    """What a point covers."""

    @pytest.mark.parametrize(
        ("whole", "per_year", "first", "last"),
        [
            ("2021-06", 12, "2021-06", "2021-06"),
            ("2021-Q2", 4, "2021-04", "2021-06"),
            ("2021", 1, "2021-01", "2021-12"),
        ],
    )
    def test_a_point_has_a_first_and_a_last_month(
        self, whole: str, per_year: int, first: str, last: str
    ) -> None:
        found = point(whole)

        assert (2021, per_year) == (found.year, found.per_year)
        assert (point(first).number, point(last).number) == (found.first_month, found.last_month)
        assert YearMonth.parse(last) == found.year_month

    @pytest.mark.parametrize(
        ("whole", "unit", "parts"),
        [
            ("2021", "quarter", ["2021-Q1", "2021-Q2", "2021-Q3", "2021-Q4"]),
            ("2021-Q4", "month", ["2021-10", "2021-11", "2021-12"]),
            ("2021-Q4", "quarter", ["2021-Q4"]),
            ("2021-Q4", "year", []),
            ("2021-10", "quarter", []),
        ],
    )
    def test_a_point_consists_of_finer_ones(
        self, whole: str, unit: IndexUnit, parts: list[str]
    ) -> None:
        assert parts == [str(each) for each in point(whole).within(unit)]

    def test_a_year_has_twelve_months(self) -> None:
        months = YEAR.within("month")

        assert (12, "2021-01", "2021-12") == (len(months), str(months[0]), str(months[-1]))


class TestValue:
    """A point is a value."""

    def test_points_of_one_unit_are_in_order(self) -> None:
        months = [point(text) for text in ("2021-06", "2020-12", "2021-01")]

        assert ["2020-12", "2021-01", "2021-06"] == [str(each) for each in sorted(months)]
        assert SPRING <= SPRING.shifted(0) < SPRING.shifted(1)
        assert YEAR >= YEAR.shifted(0) > YEAR.shifted(-1)

    @pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
    @pytest.mark.parametrize("other", [SPRING, YEAR, YearMonth(2021, 6), 24_257, "2021-06"])
    def test_points_of_two_units_have_no_order(
        self, compare: Callable[[Any, Any], bool], other: object
    ) -> None:
        with pytest.raises(TypeError):
            compare(JUNE, other)

    def test_points_are_equal_when_unit_and_number_are(self) -> None:
        month, year = IndexPoint("month", 2021), IndexPoint("year", 2021)

        assert point("2021-q2") == SPRING
        assert hash(point("2021-q2")) == hash(SPRING)
        assert month != year
        assert cast("object", "2021-06") != JUNE

    def test_a_point_cannot_change(self) -> None:
        with pytest.raises(AttributeError):
            cast("Any", JUNE).number = 1

    @pytest.mark.parametrize("each", [JUNE, SPRING, YEAR, point("0001-01")], ids=str)
    def test_a_point_survives_pickling_and_writing(self, each: IndexPoint) -> None:
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
