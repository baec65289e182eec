"""What to write instead of a text that is no date: nothing is read this way, only suggested."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

_FORM: Final = "YYYY-MM-DD"
_THREE_NUMBERS: Final = re.compile(r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})", re.ASCII)
_YEAR_DIGITS: Final = 4


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
