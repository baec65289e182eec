"""Reading what subscription peers write, and holding our answers against it.

Law: nothing is computed here. A text becomes a date, a period or an amount, and two figures are
held against each other in the form in which the peer states them: dates without their time of day,
fractions to the number of decimals that the peer prints.
What does not live here: which period a cycle gives (`subscriptions_cycles`) and what is billed
(`subscriptions_items`).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import Amount, Period, rounded
from tests.outside.board import PASSED, Head, Verdict, failed

_FIGURE = re.compile(r"-?\d+(?:\.\d+)?")


def day(text: str) -> date:
    """Return the day that a text names; subscription peers add a time of day, which is dropped."""
    return date.fromisoformat(text[:10])


def optional_day(text: str | None) -> date | None:
    return day(text) if text else None


def day_before(there: date) -> date:
    """Return the day before; an excluded end becomes the last day that is included."""
    return date.fromordinal(there.toordinal() - 1)


def day_after(there: date) -> date:
    """Return the day after; a last day becomes the excluded end that most peers write."""
    return date.fromordinal(there.toordinal() + 1)


def figure(text: str | int | Decimal) -> Decimal:
    """Return the number at the beginning of a text, such as 50.00 of "50.00 (5 x 10)"."""
    found = _FIGURE.match(str(text).strip())
    if found is None:
        raise ValueError(f"no figure in {text!r}")
    return Decimal(found.group())


def fraction_of_percent(text: str | int | Decimal) -> Decimal:
    """Return a percentage as the fraction that A5 asks for: 0.25 of "25" or "25%"."""
    return figure(text).scaleb(-2)


def ends_are_excluded(stated: str | None, head: Head) -> bool:
    """Return whether a period's second date is the day after its last one.

    A case may say so itself; otherwise its file does.
    """
    text = (stated or str(head.get("conventions", ""))).lower()
    return "exclusive" in text and "inclusive" not in text.split("exclusive")[0]


def period_between(ends: Sequence[str], *, excluded: bool) -> Period:
    text = f"{day(ends[0])}/{day(ends[1])}"
    return Period.parse(text, period_end="excluded" if excluded else "included")


def half_open(period: Period) -> list[date]:
    """Return a period as its first day and its excluded end, as most peers write it."""
    return [period.start, day_after(period.end)]


def agrees(stated: Any, ours: object) -> bool:  # noqa: ANN401
    """Return whether our answer is the one stated, in the form in which it is stated."""
    if stated is None or ours is None:
        return stated is None and ours is None
    if isinstance(ours, Mapping):
        return set(stated) == set(ours) and all(agrees(stated[key], ours[key]) for key in ours)
    if isinstance(ours, list | tuple):
        return len(stated) == len(ours) and all(map(agrees, stated, ours))
    if isinstance(ours, date):
        return day(stated) == ours
    if isinstance(ours, Amount):
        return Decimal(stated) == ours.amount
    return _same_number(stated, ours) if isinstance(ours, Decimal | Fraction) else stated == ours


def _same_number(stated: str | int, ours: Decimal | Fraction) -> bool:
    """Return whether a number is the one stated, a fraction to the decimals that are printed."""
    text = str(stated)
    if isinstance(ours, Decimal):
        return Decimal(text) == ours
    decimals = text.partition(".")[2]
    return Decimal(text) == rounded(ours, len(decimals)) if decimals else Fraction(text) == ours


def held(expected: Mapping[str, Any], ours: Mapping[str, object]) -> Verdict:
    """Return what becomes of a case whose figures have names.

    What the peer itself answers wrongly stands under a name that begins with `peer`; our answer is
    held against the right figure beside it.
    """
    for name, stated in expected.items():
        if name.startswith("peer"):
            continue
        if name not in ours:
            return failed(f"{name}: expected {stated}, and the judge has no such figure")
        if not agrees(stated, ours[name]):
            return failed(f"{name}: expected {stated}, got {shown(ours[name])}")
    return PASSED


def shown(ours: object) -> str:
    if isinstance(ours, Mapping):
        return ", ".join(f"{name} {shown(value)}" for name, value in ours.items())
    if isinstance(ours, list | tuple):
        return "[" + ", ".join(map(shown, ours)) + "]"
    return str(ours)
