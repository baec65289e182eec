"""Rows to draw: the figures that pictures take, checked before anything is drawn.

Laws: a picture has figures of one currency; a figure is a Decimal until it is a place on paper.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidPeriodError,
    InvalidRecordError,
    UnsupportedCaseError,
)
from rentbilling.values import LAST_DAY, Amount, YearMonth, month_index, month_start

Row: TypeAlias = Mapping[str, Any]

_YEAR: Final = 366
"""Days."""


@runtime_checkable
class HasRows(Protocol):
    """A table: whatever has rows."""

    def rows(self) -> Sequence[Row]: ...


Rows: TypeAlias = HasRows | Iterable[Row]
"""Rows, or a table that has them."""


def rows_of(given: Rows, *needed: str) -> list[Row]:
    """Return rows that have some keys.

    Raises:
        InvalidRecordError: There are none, or one lacks a key.
    """
    rows: list[Row] = list(given.rows() if isinstance(given, HasRows) else given)
    if not rows:
        raise InvalidRecordError.of("rows", "missing", "are empty", "none", "one row at least")
    for at, row in enumerate(rows):
        if not isinstance(row, Mapping):
            said, expected = "is no row", "a result, its rows(), or dicts with the same keys"
            raise InvalidRecordError.of(f"rows[{at}]", "not_an_object", said, row, expected)
        for key in needed:
            if key not in row:
                known = ", ".join(map(str, row))
                raise InvalidRecordError.of(
                    f"rows[{at}].{key}", "missing", "is required", "nothing", f"with {known}"
                )
    return rows


def of_one_currency(rows: Sequence[Row], currency: str | None) -> tuple[list[Row], str]:
    """Return the rows of a currency, and the currency.

    Raises:
        CurrencyMismatchError: The rows have several currencies and none was chosen, or not the one
            that was.
    """
    known = list(dict.fromkeys(row["currency"] for row in rows))
    if currency is None and len(known) == 1:
        return list(rows), str(known[0])
    if currency not in known:
        said = "have several currencies" if currency is None else "have no such currency"
        met, expected = ", ".join(map(str, known)), "the argument currency with one of them"
        raise CurrencyMismatchError.of("rows", "currency_mismatch", said, met, expected)
    return [row for row in rows if row["currency"] == currency], str(currency)


def start_of(given: object) -> date:
    """Return the first day of a month or year.

    Raises:
        InvalidPeriodError: It is neither.
    """
    if isinstance(given, (date, YearMonth)):
        return date(given.year, given.month, 1)
    text = str(given)
    try:
        return date(int(text), 1, 1) if text.isdecimal() else date.fromisoformat(f"{text}-01")
    except (ValueError, OverflowError):
        said, expected = "is no month or year", "a month such as 2027-01, or a year from 1 to 9999"
        raise InvalidPeriodError.of("rows", "not_a_year_month", said, given, expected) from None


def first_days(first: date, last: date, months: int = 1, more: int = 0) -> Iterator[date]:
    """Give the first day of every so many months, from the month of one day to that of another.

    `more` months after that one are there too.

    Examples:
        >>> [str(each) for each in first_days(date(2027, 12, 5), date(2028, 1, 1))]
        ['2027-12-01', '2028-01-01']
    """
    ends = month_index(first.toordinal()), month_index(last.toordinal())
    for month in range(ends[0], ends[1] + more + 1, months):
        yield date.fromordinal(month_start(month))


def refuse_without_room(days: Iterable[date]) -> None:
    """Refuse days so near the ends of the calendar that an axis does not fit.

    Raises:
        UnsupportedCaseError: A tenth of them and a year more lie outside the years 1 to 9999.
    """
    ordinals = [day.toordinal() for day in days]
    first, last = min(ordinals), max(ordinals)
    room = (last - first) // 10 + _YEAR
    if first - room < 1 or last + room > LAST_DAY:
        met = f"{date.fromordinal(first)} to {date.fromordinal(last)}"
        case = f"a picture of {met} with margins outside the years 1 to 9999"
        raise UnsupportedCaseError("unsupported", case=case)


def number_of(value: object) -> Decimal:
    """Return a figure of a row; nothing is none of it.

    Raises:
        InvalidRecordError: It is no Decimal, int or Amount.
    """
    if isinstance(value, Amount):
        return value.amount
    if value is None:
        return Decimal(0)
    if isinstance(value, Decimal) or type(value) is int:
        return Decimal(value)
    said, expected = "is no exact number", "a Decimal, int or Amount"
    raise InvalidRecordError.of("rows", "not_a_number", said, value, expected)


def places_of(values: Iterable[Decimal]) -> list[float]:
    """Return where figures lie on paper: here a binary number is good enough."""
    return [float(value) for value in values]
