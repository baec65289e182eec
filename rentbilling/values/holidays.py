"""Holidays as callers have them: lists and columns of days, rules that recur, any container."""

from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from datetime import date, datetime, time
from typing import Any, Final, Protocol, runtime_checkable

from rentbilling.values.periods import parse_date

# How columns of numpy, pandas, pyarrow and polars give their values.
_AS_LISTS: Final = ("tolist", "to_list")


@runtime_checkable
class Recurrence(Protocol):
    """An `rrule` or `rruleset` of dateutil: whatever has the moments between two moments."""

    def between(self, after: datetime, before: datetime, inc: bool = ...) -> Iterable[datetime]: ...  # noqa: FBT001

    def __iter__(self) -> Iterator[datetime]: ...

    def __contains__(self, moment: Any, /) -> bool: ...  # noqa: ANN401 - of dates it knows nothing


class RecurringDays:
    """The days on which a recurrence occurs; those of a year are computed once."""

    __slots__ = ("_rule", "_years")

    def __init__(self, rule: Recurrence) -> None:
        self._rule = rule
        self._years: dict[int, frozenset[date]] = {}

    def __contains__(self, day: object) -> bool:
        if not isinstance(day, date):
            return False
        found = self._years.get(day.year)
        if found is None:
            found = self._years[day.year] = frozenset(self._of_year(day.year))
        return date(day.year, day.month, day.day) in found

    def _of_year(self, year: int) -> Iterator[date]:
        first = next(iter(self._rule), None)
        if first is None:
            return
        # The zone of the rule decides which day a moment is.
        begins = datetime(year, 1, 1, tzinfo=first.tzinfo)
        ends = datetime.combine(date(year, 12, 31), time.max, first.tzinfo)
        for each in self._rule.between(begins, ends, inc=True):
            yield each.date()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecurringDays):
            return NotImplemented
        return self._rule is other._rule

    def __hash__(self) -> int:
        return hash(id(self._rule))

    def __reduce__(self) -> tuple[object, ...]:
        return RecurringDays, (self._rule,)


def listed_days(holidays: object) -> AbstractSet[object] | Sequence[object] | None:
    """Return holidays that can be listed at once; None for containers to be asked day by day.

    Examples:
        >>> listed_days({"2026-12-25": "Christmas"}), listed_days(range(0)), listed_days("2026")
        (dict_keys(['2026-12-25']), range(0, 0), None)
    """
    if isinstance(holidays, (str, bytes, bytearray)):
        return None
    if type(holidays) is dict:
        return holidays.keys()
    if isinstance(holidays, (AbstractSet, Sequence)):
        return holidays
    for name in _AS_LISTS:
        as_list = getattr(holidays, name, None)
        if as_list is not None:
            values = as_list()
            return values if isinstance(values, list) else None
    return None


def holiday(given: object) -> date:
    """Return a holiday given as a date, its text, or its midnight without a time zone (A58).

    Raises:
        InvalidPeriodError: It is anything else.

    Examples:
        >>> holiday(datetime(2026, 12, 25))
        datetime.date(2026, 12, 25)
    """
    if isinstance(given, datetime) and given.tzinfo is None:
        # Not `time()`, which the missing moment of pandas refuses.
        parts = given.hour, given.minute, given.second, given.microsecond
        if not any(part != 0 for part in parts):
            return date(given.year, given.month, given.day)
    return parse_date(given)
