"""The questions of cases of other systems, and the comparison of their figures with ours.

A system prints a day with or without its time, a fraction to some decimals, and amounts rounded or
not; ours is compared in the form in which the figure is printed. A wrong answer of the system
itself is named `peer…`; ours is compared with the right figure that the case gives too.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount, Period, RentBillingError
from rentbilling.values import rounded
from tests.outside.board import PASSED, Case, Head, Verdict, failed
from tests.outside.peers import days

_FIGURE: Final = re.compile(r"-?\d+(?:\.\d+)?")
_CENTS: Final = 2
_LAST_PLACES: Final = Decimal("0.0000001")
"""What several roundings to 8 decimals can come to."""

Given = Mapping[str, Any]
Figures = Mapping[str, object]
"""Our answers by the names of the case."""


class Asked(dict[str, Any]):
    """The input of a case, with what is expected and what the case and its file say about it."""

    def __init__(self, case: Case, head: Head) -> None:
        super().__init__(case["input"])
        self.expected: Given = case["expected"]
        self.about = str(case.get("about", ""))
        conventions = str(head.get("conventions", ""))
        text = (self.get("period_end") or conventions).lower()
        self.excluded = "exclusive" in text and "inclusive" not in text.split("exclusive")[0]
        """Whether the second date of a period is the day after its last one."""

    def day(self, name: str) -> date:
        return days.of(self[name])

    def run(self, name: str) -> Period:
        return days.run(self[name], excluded=self.excluded)

    def step(self, name: str) -> days.Step:
        return days.step(self[name])


Answer = Callable[[Asked], Figures | Verdict]


def figure(text: object) -> Decimal:
    """Return the number at the beginning of a text, such as 50.00 of "50.00 (5 x 10)"."""
    found = _FIGURE.match(str(text).strip())
    if found is None:
        raise ValueError(f"no figure in {text!r}")
    return Decimal(found.group())


@dataclass(frozen=True, slots=True)
class Near:
    """A figure that is printed with fewer decimals than ours has."""

    figure: Decimal

    def __str__(self) -> str:
        return str(self.figure)

    def agrees(self, stated: Any) -> bool:  # noqa: ANN401
        """Return whether this is the stated figure.

        Stated with cents it is ours rounded to its decimals, with fewer ours to the last of the
        decimals that we keep, as `approx` ours to a millionth.
        """
        if isinstance(stated, Mapping):
            near = Decimal(str(stated["approx"]))
            return abs(near - self.figure) <= abs(near) / 10**6
        printed = Decimal(str(stated))
        places = -int(printed.as_tuple().exponent)
        if abs(printed - self.figure) <= _LAST_PLACES:
            return True
        return places >= _CENTS and rounded(self.figure, places) == printed


def agrees(stated: Any, ours: object) -> bool:  # noqa: ANN401
    if stated is None or ours is None:
        return stated is None and ours is None
    match ours:
        case Near():
            found = ours.agrees(stated)
        case Mapping():
            same = set(stated) == set(ours)
            found = same and all(agrees(stated[key], ours[key]) for key in ours)
        case Period():
            found = agrees(stated, [ours.start, ours.end])
        case list() | tuple():
            found = len(stated) == len(ours) and all(map(agrees, stated, ours))
        case date():
            found = date.fromisoformat(stated[:10]) == ours
        case Amount():
            found = Decimal(stated) == ours.amount
        case Decimal():
            found = Decimal(str(stated)) == ours
        case Fraction():
            found = _same_share(str(stated), ours)
        case _:
            found = bool(stated == ours)
    return found


def _same_share(stated: str, ours: Fraction) -> bool:
    """Return whether a share is the one stated, to the decimals that are printed."""
    decimals = len(stated.partition(".")[2])
    return Decimal(stated) == rounded(ours, decimals) if decimals else Fraction(stated) == ours


def compared(expected: Given, ours: Figures) -> Verdict:
    for name, stated in expected.items():
        if name.startswith("peer"):
            continue
        if name not in ours:
            return failed(f"{name}: expected {stated}, and the judge has no such figure")
        if not agrees(stated, ours[name]):
            return failed(f"{name}: expected {stated}, got {_shown(ours[name])}")
    return PASSED


def _shown(ours: object) -> str:
    if isinstance(ours, Mapping):
        return ", ".join(f"{name} {_shown(value)}" for name, value in ours.items())
    if isinstance(ours, Sequence) and not isinstance(ours, str):
        return "[" + ", ".join(map(_shown, ours)) + "]"
    return str(ours)


def is_refused(call: Callable[[], object], error: type[RentBillingError]) -> bool:
    try:
        call()
    except error:
        return True
    return False
