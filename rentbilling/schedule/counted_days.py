"""What was counted for a part of a regular period, in words that a tenant can check (A157).

Law: the words say what the share is; where none do, the share itself is given.
"""

from fractions import Fraction
from typing import Final

from rentbilling.policy import PartPeriod
from rentbilling.schedule.part_periods import (
    Share,
    calendar_years,
    own_month,
    thirty_day_count,
    uncapped_share,
)
from rentbilling.terms import BillingCycle
from rentbilling.values import day_in_month

_HALF_MONTH_DAYS: Final = 14


def counted_words(
    part: tuple[int, int],
    whole: tuple[int, int],
    cycle: BillingCycle,
    method: PartPeriod,
    share: Share,
    *,
    split: bool,
    cut: bool,
) -> str | None:
    """Return in words what was counted for a part; None where it counts as a whole period.

    The share itself where an end cuts a period that a change splits, and where a limit made another
    share of what was counted.

    Examples:
        >>> from datetime import date
        >>> july, until = date(2026, 7, 1).toordinal(), date(2026, 8, 20).toordinal()
        >>> quarter = july, date(2026, 9, 30).toordinal()
        >>> cycle, method = BillingCycle(period_length=3), "actual_days"
        >>> counted_words((july, until), quarter, cycle, method, (17, 31), split=False, cut=True)
        '1 month and 20 of 31 days, of 3 months'
    """
    exact = Fraction(*share)
    if split:
        # Inside a split, all words but one divide by actual days (A20).
        method = method if method == "thirty_day" else "actual_days"
    elif method == "full":
        return None
    if (split and cut) or uncapped_share(part, whole, cycle, method) != exact:
        return str(exact)
    return _words(part, whole, cycle, method)


def _words(
    part: tuple[int, int], whole: tuple[int, int], cycle: BillingCycle, method: PartPeriod
) -> str:
    days = part[1] - part[0] + 1
    if not cycle.months or method == "period_days":
        return f"{days} of {whole[1] - whole[0] + 1} days"
    if method == "thirty_day":
        return f"{thirty_day_count(*part)} of {thirty_day_count(*whole)} days (30/360)"
    if method == "year_365":
        return f"{_number(days, 'day')} of 365"
    if method == "year_actual":
        (begun, ended, length), *more = calendar_years(*part)
        first = f"{_number(ended - begun + 1, 'day')} of {length}"
        return " and ".join([first, *(f"{end - start + 1} of {of}" for start, end, of in more)])
    return _months(part, cycle, method)


def _months(part: tuple[int, int], cycle: BillingCycle, method: PartPeriod) -> str:
    """Return the whole months, and the days of the others, in the cycle's own months."""
    first, last = part
    whole, cut, said = 0, list[str](), list[str]()
    for index in range(own_month(first, cycle.start_day), own_month(last, cycle.start_day) + 1):
        start, after = (
            day_in_month(index, cycle.start_day),
            day_in_month(index + 1, cycle.start_day),
        )
        days, length = min(last + 1, after) - max(first, start), after - start
        if days == length or (method == "half_month" and days > _HALF_MONTH_DAYS):
            whole += 1
        elif method == "half_month":
            said = ["half a month"]
        elif method == "days_over_30":
            cut.append(f"{min(days, 30)} of 30")
        else:
            cut.append(f"{days} of {length}")
    if whole:
        said = [_number(whole, "month"), *(["a half"] if said else [])]
    if cut:
        said.append(f"{' and '.join(cut)} days")
    of = f", of {cycle.months} months" if cycle.months > 1 else ""
    return " and ".join(said) + of


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
