"""Days, months and periods: the only month arithmetic in the package.

Laws: a period includes both its ends (A4); a month is found from its number alone.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime
from functools import lru_cache, total_ordering
from numbers import Number
from typing import Any, Final, Literal, Protocol, Self, get_args

from rentbilling.errors import InvalidPeriodError, check_word, shown
from rentbilling.values.schemas import Definitions, Schema, month_schema, period_schema
from rentbilling.values.wire_form import WireForm

NEVER: Final = 10**9
"""A day ordinal after every date."""

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

PeriodEnd = Literal["included", "excluded"]
"""Whether the text of a period ends with its last day or with the day after it (A4)."""

LAST_DAY: Final = date.max.toordinal()

MONTHS_PER_YEAR: Final = 12

# The Gregorian calendar repeats every 400 years = 4,800 months = 146,097 days.
_MONTHS: Final = 4800
_DAYS: Final = 146_097
_YEARS: Final = 400
_SHORTEST_MONTH: Final = 28


# Days and months are cached, because many bills need the same ones.
@lru_cache(maxsize=2048)
def month_index(day: int) -> int:
    """Return the number of a day's month, year × 12 + month − 1, also outside the years 1 to 9999.

    Examples:
        >>> month_index(date(2026, 1, 31).toordinal()) == 2026 * 12
        True
    """
    eras, rest = divmod(day - 1, _DAYS)
    there = date.fromordinal(rest + 1)
    return eras * _MONTHS + there.year * 12 + there.month - 1


@lru_cache(maxsize=2048)
def month_start(index: int) -> int:
    """Return the ordinal of the first day of a month given by its number, of any year.

    Examples:
        >>> date.fromordinal(month_start(2026 * 12 + 1))
        datetime.date(2026, 2, 1)
    """
    eras, there = divmod(index, _MONTHS)
    first = date(_YEARS + there // 12, there % 12 + 1, 1)
    return first.toordinal() + (eras - 1) * _DAYS


def day_in_month(index: int, day: int) -> int:
    """Return the ordinal of a numbered day of a month; the last day where it has fewer (A9).

    Examples:
        >>> date.fromordinal(day_in_month(2026 * 12 + 1, 31))
        datetime.date(2026, 2, 28)
    """
    there = month_start(index) + day - 1
    return there if day <= _SHORTEST_MONTH else min(there, month_start(index + 1) - 1)


def months_later(day: int, months: int) -> int:
    """Return the day of the same number so many months later, or the last one of its month.

    Examples:
        >>> date.fromordinal(months_later(date(2026, 1, 31).toordinal(), 1))
        datetime.date(2026, 2, 28)
    """
    index = month_index(day)
    return day_in_month(index + months, day - month_start(index) + 1)


def parse_date(text: object) -> date:
    """Return the date written `YYYY-MM-DD`, or given as a date (assumption A58).

    A date-time is refused, because its day depends on the time zone; midnight without a zone, as
    data frames and NumPy hold days, is its day.

    Raises:
        InvalidPeriodError: The text is anything else; the problem names the date, if it can.

    Examples:
        >>> parse_date("2026-01-31")
        datetime.date(2026, 1, 31)
        >>> parse_date("2025-12-31T23:00Z")
        Traceback (most recent call last):
        rentbilling.errors.InvalidPeriodError: is a date with a time of day (met \
'2025-12-31T23:00Z'; expected a date alone: 2025-12-31, or the day it is where the lease is)
    """
    if type(text) is str:
        if len(text) == 10 and text[4] == "-" == text[7] and text.isascii():  # noqa: PLR2004
            try:
                return date.fromisoformat(text)
            except ValueError:
                pass
    elif type(text) is date:
        return text
    elif isinstance(text, date) and not isinstance(text, datetime):
        # A subclass of date, as other libraries have, becomes a plain date.
        return date(text.year, text.month, text.day)
    midnight = _at_midnight(text)
    if midnight is None:
        raise _no_date(text)
    return midnight


def is_no_day(value: object) -> bool:
    """Return whether a value is how pandas or NumPy write an absent day: NaT.

    Examples:
        >>> is_no_day(None), is_no_day(date(2026, 1, 31))
        (False, False)
    """
    return type(value).__name__ in _MOMENTS and str(value) == "NaT"


_MOMENTS: Final = frozenset({"NaTType", "datetime64"})
_DAY_OF: Final = re.compile("((?!0000)[0-9]{4}-(?:0[1-9]|1[0-2]))-[0-9]{2}")
_NO_TIME: Final = re.compile("[T ]?[0:.]*")


def _at_midnight(given: object) -> date | None:
    """Return the day of a midnight without a zone, of Python, pandas or NumPy; else None."""
    if not isinstance(given, datetime) and type(given).__name__ != "datetime64":
        return None
    # By its text, because a moment of NumPy or pandas may be finer than one of Python.
    text = str(given)
    if not _NO_TIME.fullmatch(text[10:]):
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def day_of(given: date | str, name: str) -> int:
    """Return the ordinal of a day given as a date or as its text, or refuse it by its name."""
    if not isinstance(given, (date, str)) and _at_midnight(given) is None:
        raise TypeError(f"{name} is a date or its text, not {shown(given)}")
    try:
        return parse_date(given).toordinal()
    except InvalidPeriodError as error:
        raise error.under(name) from None


def _no_date(met: object) -> InvalidPeriodError:
    moment: datetime | None = met if isinstance(met, datetime) else None
    form = "YYYY-MM-DD"
    if isinstance(met, str) and len(met) < 40 and met.isascii():  # noqa: PLR2004
        # Only such a refusal needs it, and it takes a while to load.
        from dateutil.parser import isoparse  # noqa: PLC0415

        try:
            moment = isoparse(met)
        except (ValueError, OverflowError):
            if found := _DAY_OF.fullmatch(met):
                form += f": {found[1]} has {Period.parse(found[1]).days} days"
    if moment is None or is_no_day(met):
        return InvalidPeriodError.of("", "not_a_date", "is not a date", met, form)
    right = moment.date().isoformat()
    if isinstance(met, datetime) or "T" in str(met) or ":" in str(met):
        said = "is a date with a time of day"
        alone = f"a date alone: {right}, or the day it is where the lease is"
        return InvalidPeriodError.of("", "date_time_for_date", said, met, alone)
    return InvalidPeriodError.of("", "not_a_date", "is not a date", met, f"{form}: {right}")


_SPAN: Final = re.compile("([0-9]{4})(?:-(?:[Qq]([1-4])|(0[1-9]|1[0-2])))?")
"""A year, a quarter or a month."""


def _months_in(text: str) -> tuple[int, int] | None:
    """Return the numbers of the first and last month of a year, quarter or month; else None."""
    found = _SPAN.fullmatch(text)
    if found is None or not int(found[1]):
        return None
    january = int(found[1]) * MONTHS_PER_YEAR
    if found[2]:
        first = january + 3 * (int(found[2]) - 1)
        return first, first + 2
    month = january + int(found[3] or 1) - 1
    return month, month if found[3] else january + 11


_NO_MONTH: Final = "not_a_year_month", "is not a month"


@dataclass(frozen=True, slots=True, order=True)
class YearMonth(WireForm):
    """A month of a year, written `YYYY-MM` (A31).

    Raises:
        InvalidPeriodError: No year from 1 to 9999 has this month.

    Examples:
        >>> str(YearMonth(2026, 1)), YearMonth(2026, 1) < YearMonth(2026, 2)
        ('2026-01', True)
    """

    year: int
    month: int

    def __post_init__(self) -> None:
        whole = type(self.year) is type(self.month) is int
        if not (whole and MINYEAR <= self.year <= MAXYEAR and 1 <= self.month <= 12):  # noqa: PLR2004
            expected = f"a year from {MINYEAR} to {MAXYEAR}, a month from 1 to 12"
            raise InvalidPeriodError.of("", *_NO_MONTH, (self.year, self.month), expected)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the month written `YYYY-MM`.

        Raises:
            InvalidPeriodError: The text is anything else.

        Examples:
            >>> YearMonth.parse("2026-01")
            YearMonth(year=2026, month=1)
        """
        try:
            # A number may be too long to be a text, and is no date.
            first = parse_date(text if isinstance(text, Number) else f"{text}-01")
        except InvalidPeriodError:
            raise InvalidPeriodError.of("", *_NO_MONTH, text, "YYYY-MM") from None
        return cls(first.year, first.month)

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        return cls.parse(data)

    def _to_wire(self) -> str:
        return str(self)

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        del parts
        return month_schema()

    def __iter__(self) -> Iterator[int]:
        return iter((self.year, self.month))

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"


_TWO_DAYS: Final = "YYYY-MM-DD/YYYY-MM-DD"
_ANY_FORM: Final = f"2026, 2026-Q1, 2026-03, 2026-01/2026-03 or {_TWO_DAYS}"


@total_ordering
class Period(WireForm):
    """A run of days, both ends included, written `YYYY-MM-DD/YYYY-MM-DD` (assumption A4).

    Examples:
        >>> january = Period.parse("2026-01-01/2026-01-31")
        >>> january.days, date(2026, 1, 31) in january, str(january)
        (31, True, '2026-01-01/2026-01-31')
        >>> Period.parse("2026-01-31/2026-01-01")
        Traceback (most recent call last):
        rentbilling.errors.InvalidPeriodError: ends before it starts (met \
'2026-01-31/2026-01-01'; expected 2026-01-01/2026-01-31)
    """

    __slots__ = ("_first", "_last")
    _first: int
    _last: int

    def __new__(cls, start: date | str, end: date | str) -> Self:
        """Check the first and the last day.

        Raises:
            InvalidPeriodError: The end lies before the start, or one is not a date.
        """
        first, last = parse_date(start), parse_date(end)
        if last < first:
            raise _reversed(f"{first}/{last}", f"{last}/{first}")
        return cls.unchecked(first.toordinal(), last.toordinal())

    @classmethod
    def unchecked(cls, first: int, last: int) -> Self:
        """Return the period between two day ordinals that are known to be in order.

        Examples:
            >>> str(Period.unchecked(date(2026, 1, 1).toordinal(), date(2026, 1, 2).toordinal()))
            '2026-01-01/2026-01-02'
        """
        self = object.__new__(cls)
        self._first = first
        self._last = last
        return self

    @classmethod
    def parse(cls, text: "str | SpanOfDays", *, period_end: PeriodEnd = "included") -> Self:
        """Return a period of a text: a year, a quarter, a month, two of these, or two days.

        They are written 2026, 2026-Q1, 2026-03, 2026-01/2026-03 and 2026-01-01/2026-03-31. With
        `period_end="excluded"` two days are half-open, and two months are refused. A Period of
        pandas, of days or longer, is one too.

        Raises:
            InvalidPeriodError: The text is malformed, reversed or empty.

        Examples:
            >>> str(Period.parse("2026-Q1")), Period.parse("2025/2026").days
            ('2026-01-01/2026-03-31', 730)
        """
        if isinstance(text, str):
            sides = text.split("/")
            spans = [span for side in sides if (span := _months_in(side)) is not None]
            if len(spans) == len(sides) <= 2:  # noqa: PLR2004 - a first and a last one
                if len(sides) == 2 and period_end != "included":  # noqa: PLR2004 - as above
                    raise _malformed(text, f"{_TWO_DAYS}, the second the day after the last")
                first, last = spans[0][0], spans[-1][1]
                if last < first:
                    raise _reversed(text, f"{sides[1]}/{sides[0]}")
                return cls.unchecked(month_start(first), month_start(last + 1) - 1)
            # In 03/2026 and 2026/3 the longer side is the year.
            meant = f"{max(sides, key=len)}-{min(sides, key=len):0>2}"
            turned = len(sides) == 2 and _months_in(meant) is not None  # noqa: PLR2004 - as above
            if turned or "/" not in text:
                raise _malformed(text, meant if turned else _ANY_FORM)
        if not isinstance(text, str):
            if (days := _days_of(text)) is not None:
                return cls(*days)
            raise _malformed(text, f"a text: {_ANY_FORM}")
        return cls.parse_days(text, period_end=period_end)

    @classmethod
    def month(cls, year: int, month: int) -> Self:
        """Return a calendar month.

        Examples:
            >>> str(Period.month(2026, 2))
            '2026-02-01/2026-02-28'
        """
        YearMonth(year, month)
        index = year * MONTHS_PER_YEAR + month - 1
        return cls.unchecked(month_start(index), month_start(index + 1) - 1)

    @classmethod
    def year(cls, year: int) -> Self:
        """Return a calendar year."""
        if type(year) is not int:
            raise InvalidPeriodError.of(
                "", "not_a_year", "is not a year", year, "a whole number such as 2026"
            )
        return cls.unchecked(cls.month(year, 1)._first, cls.month(year, 12)._last)

    @classmethod
    def parse_days(cls, text: str, *, period_end: PeriodEnd = "included") -> Self:
        """Return the period of two days, the one form that JSON has (A4); see `parse`."""
        if type(text) is not str or text.count("/") != 1:
            raise _malformed(text, _TWO_DAYS)
        start, end = text.split("/")
        first, last = parse_date(start).toordinal(), parse_date(end).toordinal()
        if period_end == "excluded":
            last -= 1
        elif period_end != "included":
            known = get_args(PeriodEnd)
            check_word("period_end", period_end, known, expected=" or ".join(known))
        if last < first:
            raise _reversed(text, f"{end}/{start}" if end < start else "at least one day")
        return cls.unchecked(first, last)

    @property
    def start(self) -> date:
        return date.fromordinal(self._first)

    @property
    def end(self) -> date:
        """The last day, included."""
        return date.fromordinal(self._last)

    @property
    def first(self) -> int:
        """Ordinal of the first day."""
        return self._first

    @property
    def last(self) -> int:
        """Ordinal of the last day."""
        return self._last

    @property
    def days(self) -> int:
        """Number of days, at least 1."""
        return self._last - self._first + 1

    @property
    def months(self) -> "tuple[Period, ...]":
        """The calendar months that it covers, the first and the last cut to it."""
        starts = range(month_index(self._first) + 1, month_index(self._last) + 1)
        return self.split_at(*(date.fromordinal(month_start(index)) for index in starts))

    def overlaps(self, other: "Period") -> bool:
        """Return whether both have a day in common."""
        try:
            return self._first <= other._last and other._first <= self._last
        except AttributeError:
            raise _no_period(other) from None

    def intersection(self, other: "Period") -> "Period | None":
        """Return the days that both have, or None.

        Examples:
            >>> print(Period.parse("2026-01-01/2026-01-31").intersection(
            ...     Period.parse("2026-01-15/2026-02-14")))
            2026-01-15/2026-01-31
        """
        if not self.overlaps(other):
            return None
        return Period.unchecked(max(self._first, other._first), min(self._last, other._last))

    def minus(self, *others: "Period") -> "tuple[Period, ...]":
        """Return what remains of this period without the days of the others, in order.

        Examples:
            >>> [str(rest) for rest in Period.parse("2026-01-01/2026-01-31").minus(
            ...     Period.parse("2026-01-10/2026-01-19"))]
            ['2026-01-01/2026-01-09', '2026-01-20/2026-01-31']
        """
        rest: list[Period] = []
        free = self._first
        for other in Period.joined(others):
            if other._last < free:
                continue
            if other._first > self._last:
                break
            if other._first > free:
                rest.append(Period.unchecked(free, other._first - 1))
            free = other._last + 1
        if free <= self._last:
            rest.append(Period.unchecked(free, self._last))
        return tuple(rest)

    def split_at(self, *days: date | str) -> "tuple[Period, ...]":
        """Return the parts of this period cut before each given day that lies inside it.

        Examples:
            >>> [str(part) for part in Period.parse("2026-01-01/2026-01-31").split_at(
            ...     date(2026, 1, 15))]
            ['2026-01-01/2026-01-14', '2026-01-15/2026-01-31']
        """
        given = {day_of(day, "day") for day in days}
        cuts = sorted(day for day in given if self._first < day <= self._last)
        starts = (self._first, *cuts)
        ends = (*(cut - 1 for cut in cuts), self._last)
        return tuple(
            Period.unchecked(first, last) for first, last in zip(starts, ends, strict=True)
        )

    @staticmethod
    def joined(periods: Iterable["Period"]) -> "tuple[Period, ...]":
        """Return the same days as the fewest periods, in order.

        Raises:
            TypeError: One of them is no period.

        Examples:
            >>> [str(run) for run in Period.joined(map(Period.parse, (
            ...     "2026-02-01/2026-02-28", "2026-01-01/2026-01-31", "2026-04-01/2026-04-30")))]
            ['2026-01-01/2026-02-28', '2026-04-01/2026-04-30']
        """
        runs: list[Period] = []
        try:
            in_order = sorted(periods, key=lambda run: run._first)
        except AttributeError:
            raise _no_period(periods) from None
        for period in in_order:
            if runs and period._first <= runs[-1]._last + 1:
                runs[-1] = Period.unchecked(runs[-1]._first, max(runs[-1]._last, period._last))
            else:
                runs.append(period)
        return tuple(runs)

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        return cls.parse(data)

    def _to_wire(self) -> str:
        return str(self)

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        del parts
        return period_schema()

    def __contains__(self, day: date | str) -> bool:
        there = day.toordinal() if type(day) is date else day_of(day, "day")
        return self._first <= there <= self._last

    def __eq__(self, other: object) -> bool:
        if type(other) is not Period:
            return NotImplemented
        return self._first == other._first and self._last == other._last

    def __hash__(self) -> int:
        return hash((self._first, self._last))

    def __lt__(self, other: "Period") -> bool:
        if type(other) is not Period:
            return NotImplemented
        return (self._first, self._last) < (other._first, other._last)

    def __repr__(self) -> str:
        return f"Period({self.start!r}, {self.end!r})"

    def __str__(self) -> str:
        return f"{self.start.isoformat()}/{self.end.isoformat()}"

    def __reduce__(self) -> tuple[object, ...]:
        return Period.unchecked, (self._first, self._last)


def _reversed(met: str, right: str) -> InvalidPeriodError:
    return InvalidPeriodError.of("", "reversed_period", "ends before it starts", met, right)


def _malformed(met: object, expected: str) -> InvalidPeriodError:
    return InvalidPeriodError.of("", "not_a_period", "is not a period", met, expected)


def _no_period(met: object) -> TypeError:
    return TypeError(f"a Period is needed, not {shown(met)}")


class SpanOfDays(Protocol):
    """A Period of pandas, by its ends."""

    @property
    def start_time(self) -> datetime:
        """The first moment."""
        ...

    @property
    def end_time(self) -> datetime:
        """The last moment."""
        ...


def _days_of(given: object) -> tuple[date, date] | None:
    """Return the first and last day of a Period of pandas; None if it is none of whole days."""
    first = _at_midnight(getattr(given, "start_time", None))
    last = str(getattr(given, "end_time", None))
    return (first, date.fromisoformat(last[:10])) if first and _LAST_MOMENT in last else None


_LAST_MOMENT: Final = " 23:59:59.999"

AnyPeriod = Period | str | tuple[date | str, date | str] | SpanOfDays
"""A period, its text as `Period.parse` reads it, its first and last day, or a Period of pandas."""


def period_of(
    given: AnyPeriod,
    *,
    period_end: PeriodEnd = "included",
    by: str = "",
    name: str = "period",
) -> Period:
    """Return a period given as such, as a text that `Period.parse` reads, or as two days.

    `name` is the path of a refusal, and `by` the function that was called.

    Raises:
        InvalidPeriodError: It is none of them.

    Examples:
        >>> period_of("2026-01").days, period_of(("2026-01-01", date(2026, 1, 31))).days
        (31, 31)
    """
    if isinstance(given, Period):
        return given
    if by and not isinstance(given, (str, tuple)) and _days_of(given) is None:
        raise TypeError(f"{by} takes a Period, its text or two days, not {shown(given)}")
    try:
        if isinstance(given, tuple) and len(given) == 2:  # noqa: PLR2004 - a first and a last day
            return Period(*map(parse_date, given))
        return Period.parse(given, period_end=period_end)
    except InvalidPeriodError as error:
        raise error.under(name) from None
