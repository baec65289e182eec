"""Which month, quarter or year has a value? Points of two units have no order."""

import re
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime
from functools import total_ordering
from types import MappingProxyType
from typing import Any, Final, Literal, Self, get_args

from rentbilling.errors import InvalidPeriodError, UnsupportedCaseError
from rentbilling.values import (
    Definitions,
    Period,
    Schema,
    SpanOfDays,
    WireForm,
    YearMonth,
    month_start,
    point_schema,
)

IndexUnit = Literal["month", "quarter", "year"]
"""The time of one value of a series."""

UNITS: Final[tuple[IndexUnit, ...]] = get_args(IndexUnit)
"""The units, the finest first."""

_PER_YEAR: Final = MappingProxyType({"month": 12, "quarter": 4, "year": 1})

_WRITTEN: Final = re.compile(r"([0-9]{4})(?:-(?:([0-9]{2})|[Qq]([0-9])))?")
_NO_POINT: Final = "not_an_index_point", "is not a month, quarter or year of an index"
_EXPECTED: Final = "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY"


@total_ordering
@dataclass(frozen=True, slots=True)
class IndexPoint(WireForm):
    """A month, a quarter or a year of an index series: 2021-06, 2021-Q2 or 2021 (A31).

    Points of one unit are in order; those of two units cannot be compared, but are unequal.

    Raises:
        InvalidPeriodError: The unit is unknown, or the years 1 to 9999 have no such point.

    Examples:
        >>> june = IndexPoint.parse("2021-06")
        >>> str(june.years_earlier(1)), str(june.shifted(-4)), june < june.shifted(1)
        ('2020-06', '2021-02', True)
    """

    unit: IndexUnit
    """Whether it is a month, a quarter or a year."""
    number: int
    """Years × 12 + month − 1, years × 4 + quarter − 1, or the year."""

    def __post_init__(self) -> None:
        if self.unit not in UNITS or type(self.number) is not int or not self._is_there(0):
            raise _no_point((self.unit, self.number))

    @classmethod
    def parse(cls, given: "AnyPoint") -> "IndexPoint":
        """Return the point written `YYYY-MM`, `YYYY-Qn` or `YYYY`, or given as such or as a month.

        A date is the month that begins on it.

        Raises:
            InvalidPeriodError: It is anything else.

        Examples:
            >>> [str(IndexPoint.parse(text)) for text in ("2021-06", "2021-q2", "2021")]
            ['2021-06', '2021-Q2', '2021']
            >>> IndexPoint.parse("2021-13")
            Traceback (most recent call last):
            rentbilling.errors.InvalidPeriodError: is not a month, quarter or year of an index \
(met '2021-13'; expected YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY)
        """
        if isinstance(given, IndexPoint):
            return given
        if isinstance(given, YearMonth) or (type(given) is date and given.day == 1):
            return cls.month(given.year, given.month)
        found = _WRITTEN.fullmatch(given) if isinstance(given, str) else None
        if found is None:
            return cls._of_span(given)
        year, month, quarter = found.groups()
        unit: IndexUnit = "month" if month else "quarter" if quarter else "year"
        return _counted(unit, int(year), int(month or quarter or 1), given)

    @classmethod
    def _of_span(cls, given: Any) -> "IndexPoint":  # noqa: ANN401
        """Return the point of a Period of pandas: of its days, because its year may begin later."""
        if hasattr(given, "start_time"):
            days = Period.parse(given)
            month = YearMonth(days.start.year, days.start.month)
            for point in (cls.holding(month, unit) for unit in UNITS):
                ends = month_start(point.first_month), month_start(point.last_month + 1) - 1
                if ends == (days.first, days.last):
                    return point
        raise _no_point(given)

    @classmethod
    def month(cls, year: int, month: int) -> "IndexPoint":
        """Return a month of a year.

        Raises:
            InvalidPeriodError: No year from 1 to 9999 has this month.

        Examples:
            >>> str(IndexPoint.month(2021, 6))
            '2021-06'
        """
        if type(year) is not int or type(month) is not int:
            raise _no_point((year, month))
        return _counted("month", year, month, (year, month))

    @classmethod
    def of_month_number(cls, number: int) -> "IndexPoint":
        """Return the month with the number that `month_index` gives it.

        Raises:
            UnsupportedCaseError: It lies outside the years 1 to 9999.

        Examples:
            >>> str(IndexPoint.of_month_number(2021 * 12 + 5))
            '2021-06'
        """
        try:
            return cls("month", number)
        except InvalidPeriodError:
            raise UnsupportedCaseError(
                "unsupported", case=f"an index month outside the years {MINYEAR} to {MAXYEAR}"
            ) from None

    @classmethod
    def holding(cls, month: YearMonth, unit: IndexUnit) -> Self:
        """Return the point of a unit that contains a month.

        Examples:
            >>> str(IndexPoint.holding(YearMonth(2021, 6), "quarter"))
            '2021-Q2'
        """
        return cls(unit, (month.year * 12 + month.month - 1) * _PER_YEAR[unit] // 12)

    @property
    def per_year(self) -> int:
        """How many of its unit a year has: 12, 4 or 1."""
        return _PER_YEAR[self.unit]

    @property
    def year(self) -> int:
        return self.number // self.per_year

    @property
    def first_month(self) -> int:
        """Number of its first month, as `periods.month_index` counts."""
        return self.number * (12 // self.per_year)

    @property
    def last_month(self) -> int:
        """Number of its last month, as `periods.month_index` counts."""
        return (self.number + 1) * (12 // self.per_year) - 1

    @property
    def year_month(self) -> YearMonth:
        """Its last month, used where only a month can be written."""
        return YearMonth(self.last_month // 12, self.last_month % 12 + 1)

    def shifted(self, by: int) -> Self:
        """Return the point so many units later, or earlier below zero.

        Raises:
            UnsupportedCaseError: It lies outside the years 1 to 9999.

        Examples:
            >>> str(IndexPoint.parse("2021-Q1").shifted(-1))
            '2020-Q4'
        """
        if not self._is_there(by):
            case = f"an index point outside the years {MINYEAR} to {MAXYEAR}, {by} from {self}"
            raise UnsupportedCaseError("unsupported", case=case)
        return type(self)(self.unit, self.number + by)

    def years_earlier(self, years: int) -> Self:
        """Return the same month, quarter or year so many years before.

        Raises:
            UnsupportedCaseError: It lies outside the years 1 to 9999.

        Examples:
            >>> str(IndexPoint.parse("2021-Q1").years_earlier(3))
            '2018-Q1'
        """
        return self.shifted(-years * self.per_year)

    def within(self, unit: IndexUnit) -> "tuple[IndexPoint, ...]":
        """Return the points of a finer unit that it consists of; none for a coarser one.

        Examples:
            >>> [str(month) for month in IndexPoint.parse("2021-Q2").within("month")]
            ['2021-04', '2021-05', '2021-06']
        """
        each = _PER_YEAR[unit] // self.per_year
        first = self.number * each
        return tuple(IndexPoint(unit, number) for number in range(first, first + each))

    def _is_there(self, by: int) -> bool:
        return MINYEAR <= (self.number + by) // self.per_year <= MAXYEAR

    @classmethod
    def _from_wire(cls, data: Any) -> "IndexPoint":  # noqa: ANN401
        return cls.parse(data)

    def _to_wire(self) -> str:
        return str(self)

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        del parts
        return point_schema()

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, IndexPoint) or other.unit != self.unit:
            return NotImplemented
        return self.number < other.number

    def __repr__(self) -> str:
        return f"IndexPoint.parse({str(self)!r})"

    def __str__(self) -> str:
        year, there = divmod(self.number, self.per_year)
        if self.unit == "month":
            return f"{year:04d}-{there + 1:02d}"
        return f"{year:04d}-Q{there + 1}" if self.unit == "quarter" else f"{year:04d}"


AnyPoint = str | YearMonth | date | IndexPoint | SpanOfDays
"""A point as a caller may give it: as such, as a month, as its text, or as a Period of pandas."""


def _counted(unit: IndexUnit, year: int, there: int, met: object) -> IndexPoint:
    per_year = _PER_YEAR[unit]
    if not (MINYEAR <= year <= MAXYEAR and 1 <= there <= per_year):
        raise _no_point(met)
    return IndexPoint(unit, year * per_year + there - 1)


def _no_point(met: object) -> InvalidPeriodError:
    days = ""
    if isinstance(met, date):
        days = f"; {met.year:04d}-{met.month:02d} is the month of this day"
    if isinstance(met, datetime):
        days = '; .to_period("M") makes months of the days of a Series'
    return InvalidPeriodError.of("", *_NO_POINT, met, _EXPECTED + days)
