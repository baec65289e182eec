"""Lengths of time in months or days, as numbers or as `relativedelta` of python-dateutil."""

from typing import Final, Protocol, TypeGuard

from rentbilling.errors import InvalidPeriodError
from rentbilling.values.periods import MONTHS_PER_YEAR

_OTHER_PARTS: Final = (
    *("hours", "minutes", "seconds", "microseconds", "leapdays", "year", "month", "day"),
    *("weekday", "hour", "minute", "second", "microsecond"),
)


class Length(Protocol):
    """A `relativedelta` of python-dateutil, by the parts that are counted."""

    years: int
    months: int
    days: int
    leapdays: int


def is_length(given: object) -> TypeGuard[Length]:
    if isinstance(given, (int, str)):
        return False
    # Loaded here alone, because most lengths are numbers and it takes a while to load.
    from dateutil.relativedelta import relativedelta  # noqa: PLC0415

    return isinstance(given, relativedelta)


def months_and_days(length: Length) -> tuple[int, int]:
    """Return the months and the days of a length.

    Raises:
        InvalidPeriodError: It has other parts.

    Examples:
        >>> from dateutil.relativedelta import relativedelta
        >>> months_and_days(relativedelta(years=1, months=3))
        (15, 0)
        >>> months_and_days(relativedelta(weeks=2))
        (0, 14)
    """
    if any(getattr(length, each) for each in _OTHER_PARTS[:5]) or any(
        getattr(length, each) is not None for each in _OTHER_PARTS[5:]
    ):
        raise _no_length(length, "years, months, weeks or days alone")
    if length.days != int(length.days):
        raise _no_length(length, "whole days")
    return length.years * MONTHS_PER_YEAR + length.months, int(length.days)


def months_of(given: object, *, each: int = 1) -> int | None:
    """Return the months of a whole number of units, or of a `relativedelta`; None for all else.

    1 unit is `each` months.

    Raises:
        InvalidPeriodError: It is a `relativedelta` of anything but whole months.

    Examples:
        >>> from dateutil.relativedelta import relativedelta
        >>> months_of(3), months_of(2, each=12), months_of(relativedelta(years=1)), months_of("3")
        (3, 24, 12, None)
    """
    if type(given) is int:
        return given * each
    if not is_length(given):
        return None
    months, days = months_and_days(given)
    if days:
        raise _no_length(given, "months alone, such as relativedelta(months=3)")
    return months


def _no_length(met: object, expected: str) -> InvalidPeriodError:
    return InvalidPeriodError.of("", "not_a_length", "is no length in months", met, expected)
