"""The months of a text, and what is suggested instead of one that is no date, month or quarter."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

_FORM: Final = "YYYY-MM-DD"
_THREE_NUMBERS: Final = re.compile(r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})", re.ASCII)
_YEAR_DIGITS: Final = 4
_SPAN: Final = re.compile("([0-9]{4})(?:-(?:[Qq]([1-4])|(0[1-9]|1[0-2])))?")
"""A year, a quarter or a month."""
_MONTHS: Final = (
    re.compile("(?P<year>[0-9]{4})[-/. ](?P<month>[0-9]{1,2})"),
    re.compile("(?P<month>[0-9]{1,2})[-/. ](?P<year>[0-9]{4})"),
    re.compile("(?P<year>[0-9]{4})[/. ]?[Qq](?P<quarter>[1-4])"),
    re.compile("[Qq](?P<quarter>[1-4])[-/. ]?(?P<year>[0-9]{4})"),
)
"""Months and quarters in other forms."""


def meant_date(text: str) -> str:
    """Return the form of a date, with the dates that a text in another form may mean.

    Examples:
        >>> meant_date("31/01/2026"), meant_date("05.01.2026")
        ('YYYY-MM-DD: 2026-01-31', 'YYYY-MM-DD: 2026-01-05 or 2026-05-01')
        >>> meant_date("2026-02-30")
        'YYYY-MM-DD, and 2026-02 has 28 days'
    """
    parts = _THREE_NUMBERS.fullmatch(text)
    if parts is None:
        return _FORM
    first, second, third = map(int, parts.groups())
    months: tuple[int, ...]
    if len(parts[1]) == _YEAR_DIGITS:
        found = [*_days((first, second, third))] or [*_days((first, third, second))]
        year, months = first, (second,)
    elif len(parts[3]) == _YEAR_DIGITS:
        found = [*dict.fromkeys([*_days((third, second, first)), *_days((third, first, second))])]
        year, months = third, (second, first)
    else:
        return _FORM
    if found:
        return f"{_FORM}: {' or '.join(found)}"
    for month in months:
        there = [day for day in range(28, 32) if any(_days((year, month, day)))]
        if there:
            return f"{_FORM}, and {year:04d}-{month:02d} has {there[-1]} days"
    return _FORM


def _days(numbers: tuple[int, int, int]) -> Iterator[str]:
    try:
        yield date(*numbers).isoformat()
    except ValueError:
        return


def months_in(text: str) -> tuple[int, int] | None:
    """Return the numbers of the first and last month of a year, quarter or month; else None.

    Examples:
        >>> months_in("2026-Q1"), months_in("2026-03"), months_in("March")
        ((24312, 24314), (24314, 24314), None)
    """
    found = _SPAN.fullmatch(text)
    if found is None or not int(found[1]):
        return None
    january = int(found[1]) * 12
    if found[2]:
        first = january + 3 * (int(found[2]) - 1)
        return first, first + 2
    month = january + int(found[3] or 1) - 1
    return month, month if found[3] else january + 11


def meant_month(text: str) -> str | None:
    """Return the month or quarter that another form of it means; None for anything else.

    Examples:
        >>> meant_month("03/2026"), meant_month("Q1 2026"), meant_month("13/2026")
        ('2026-03', '2026-Q1', None)
    """
    found = next(filter(None, (form.fullmatch(text) for form in _MONTHS)), None)
    if found is None:
        return None
    parts = found.groupdict()
    inside = f"Q{parts['quarter']}" if "quarter" in parts else f"{int(parts['month']):02d}"
    meant = f"{parts['year']}-{inside}"
    return meant if months_in(meant) else None
