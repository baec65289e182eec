"""Lengths of time in months, as numbers or as `relativedelta` of python-dateutil."""

from typing import Protocol, TypeGuard

from rentbilling.errors import InvalidPeriodError
from rentbilling.values.periods import MONTHS_PER_YEAR


class Length(Protocol):
    """A `relativedelta` of python-dateutil, by the parts that are counted."""

    years: int
    months: int


def is_length(given: object) -> TypeGuard[Length]:
    if isinstance(given, (int, str)):
        return False
    # Loaded here alone, because most lengths are numbers and it takes a while to load.
    from dateutil.relativedelta import relativedelta  # noqa: PLC0415

    return isinstance(given, relativedelta)


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
    from dateutil.relativedelta import relativedelta  # noqa: PLC0415 - as above

    if given != relativedelta(years=given.years, months=given.months):
        said, expected = "is no length in months", "months alone, such as relativedelta(months=3)"
        raise InvalidPeriodError.of("", "not_a_length", said, given, expected)
    return given.years * MONTHS_PER_YEAR + given.months
