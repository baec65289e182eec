"""How much of a period some days are, and what meters show in them.

Laws: the days of a period cut in two weigh what they weighed together, but for whole months (A76);
consumption is a sum of differences of readings, and a missing one is not 0 (A78).
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from rentbilling.errors import InvalidRecordError
from rentbilling.settlement.occupancies import PersonsRecord, Reading
from rentbilling.settlement.policy import VDI_2067, DegreeDays
from rentbilling.values import Period, month_index, month_start

_SUMMER = (6, 7, 8)
_DAYS_OF_SUMMER = 92


def degree_days(period: Period, table: DegreeDays = VDI_2067) -> Fraction:
    """Return the degree days of a period, in permille of a year (A76).

    Examples:
        From 16 October to the end of the year:

        >>> degree_days(Period.parse("2011-10-16/2011-12-31"))
        Fraction(9960, 31)
    """
    return sum((_of_days(run, table) for run in period.months), Fraction(0))


def _of_days(run: Period, table: DegreeDays) -> Fraction:
    """Return the degree days of days in one month."""
    index = month_index(run.first)
    month, days = index % 12 + 1, month_start(index + 1) - month_start(index)
    if table.summer is None:
        return Fraction(table.months[month - 1]) * run.days / days
    if month not in _SUMMER:
        at = month - 1 if month < _SUMMER[0] else month - 1 - len(_SUMMER)
        return Fraction(table.months[at]) * run.days / days
    if table.summer_by == "day":
        return Fraction(table.summer) * run.days / _DAYS_OF_SUMMER
    return Fraction(table.summer) * run.days / days / len(_SUMMER)


def person_days(period: Period, persons: int, records: Sequence[PersonsRecord] = ()) -> int:
    """Return persons times days, with later numbers of persons from their days on (A77).

    Examples:
        >>> third = PersonsRecord(value=3, start="2025-07-01")
        >>> person_days(Period.parse("2025"), 2, [third])
        914
    """
    in_order = sorted(records, key=lambda each: each.start)
    total = 0
    for run in period.split_at(*(each.start for each in in_order)):
        since = [each.value for each in in_order if each.start.toordinal() <= run.first]
        total += run.days * (since[-1] if since else persons)
    return total


def whole_months(
    period: Period, runs: Iterable[Period], *, begun: bool = False
) -> tuple[list[int], int]:
    """Return the months of a period that each run of days has, and those that none has (A76).

    A month that several runs share counts for none of them, or with `begun` for the last one.

    Examples:
        >>> halves = Period.parse("2026-01-01/2026-03-14"), Period.parse("2026-03-15/2026-12-31")
        >>> whole_months(Period.parse("2026"), halves)
        ([2, 9], 1)
        >>> whole_months(Period.parse("2026"), halves, begun=True)
        ([2, 10], 0)
    """
    given = list(runs)
    counts, left = [0] * len(given), 0
    for month in period.months:
        there = [at for at, run in enumerate(given) if run.overlaps(month)]
        if len(there) == 1 and given[there[0]].intersection(month) == month:
            counts[there[0]] += 1
        elif begun and there:
            counts[there[-1]] += 1
        else:
            left += 1
    return counts, left


def consumption(readings: Iterable[Reading], period: Period | None = None) -> Decimal | None:
    """Return what one meter and those before it measured, in all or in the days of a period (A78).

    A reading counts for the end of its day, or for the beginning where the end of the day before
    has none. Where a reading is missing, the answer is None.

    Raises:
        InvalidRecordError: A reading is below the one before it, and no meter was replaced; or a
            meter was replaced and its last or the new one's first reading is missing.

    Examples:
        >>> rows = [("2024-12-31", 950, "read"), ("2025-06-30", 980, "removed"),
        ...         ("2025-06-30", 3, "installed"), ("2025-12-31", 40, "read")]
        >>> readings = [Reading(unit="u1", day=day, value=value, event=event)
        ...             for day, value, event in rows]
        >>> consumption(readings), consumption(readings, Period.parse("2025-07-01/2025-12-31"))
        (Decimal('67'), Decimal('37'))
    """
    in_order = sorted(readings, key=lambda each: each.day)
    # The total that all meters have shown by each reading.
    shown, total = [(each.day.toordinal(), Decimal(0)) for each in in_order[:1]], Decimal(0)
    for before, after in pairwise(in_order):
        replaced = before.event == "removed" or before.day == after.day
        if (after.event == "installed" and not replaced) or (
            before.event == "removed" and after.event != "installed"
        ):
            said, expected = "has no other half", "the last reading, and the first of the new meter"
            path = f"readings of {after.unit} on {after.day}"
            raise InvalidRecordError.of(path, "meter_change", said, after.event, expected)
        if after.event != "installed":
            if after.value < before.value:
                said, expected = "falls", f"{before.value} or more, or a replaced meter"
                path = f"readings of {after.unit} on {after.day}"
                raise InvalidRecordError.of(path, "reading_falls", said, after.value, expected)
            total += after.value - before.value
        shown.append((after.day.toordinal(), total))
    if period is None:
        return total if len(shown) > 1 else None
    ends = [_shown_on(shown, day) for day in (period.first - 1, period.last)]
    return None if None in ends else ends[1] - ends[0]  # type: ignore[operator]


def _shown_on(shown: list[tuple[int, Decimal]], day: int) -> Decimal | None:
    """Return the total at the end of a day."""
    for wanted in (day, day + 1):
        found = [total for there, total in shown if there == wanted]
        if found:
            return found[-1 if wanted == day else 0]
    return None
