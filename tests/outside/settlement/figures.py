"""What an example states, and the comparison of printed figures with ours."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount, Period
from rentbilling.settlement import SettlementResult, settle
from rentbilling.values import rounded
from tests.outside.board import PASSED, Case, Verdict, failed
from tests.support.settlements import Data, Occupancy, Settlement

_EXACTLY: Final = Decimal(0)
_CENT: Final = Decimal("0.01")


YEAR: Final = Period.parse("2026")
"""The period of an example that names none."""


class Given(dict[str, Any]):
    """The input of a case, with what stands around it."""

    def __init__(self, case: Case) -> None:
        super().__init__(case["input"])
        self.expected: Mapping[str, Any] = case["expected"]
        self.currency = str(case.get("currency") or "EUR")
        self.country = str(case.get("country") or "")
        self.rounding = str(case.get("rounding") or "")

    def amount(self, value: object) -> Amount:
        return money(value, self.currency)

    @property
    def period(self) -> Period:
        named = self.get("period")
        return period(named) if named else YEAR

    def percent_places(self) -> int | None:
        """Return the decimals of a percentage that the source rounds before it is applied."""
        found = re.search(r"to (0\.0*1) percent", self.rounding)
        if found:
            return len(found[1]) - 2
        found = re.search(r"percent (?:cut )?to (\d) decimal", self.rounding)
        return int(found[1]) if found else None

    def unit_price_places(self) -> int | None:
        """Return the decimals of a unit price that the source rounds before it is applied."""
        found = re.search(r"unit prices? to (\d)", self.rounding)
        return int(found[1]) if found else None

    def tolerance(self) -> Decimal:
        """Return how far a printed figure may be from ours, where the source says so."""
        found = re.match(r"within (0\.\d+)", self.rounding)
        return Decimal(found[1]) if found else Decimal(0)

    def is_whole(self) -> bool:
        """Whether shares are whole units of the currency."""
        return re.match(r"whole (kroner|dollars|euros?)", self.rounding) is not None


def house(
    given: Given, pools: Iterable[Data], units: Iterable[Data], stays: Data = None, **more: Data
) -> SettlementResult:
    """Return what a house settles; where nothing says who is there, each unit has one lease."""
    units = [*units]
    stays = stays or [Occupancy(id=each.id, unit=each.id) for each in units]
    fields = {"period": given.period, "currency": given.currency, **more}
    return settle(Settlement(pools=[*pools], units=units, occupancies=stays, **fields))


def money(value: object, currency: str = "EUR") -> Amount:
    return Amount(Decimal(str(value)), currency)


def period(days: Data) -> Period:
    return Period(date.fromisoformat(days[0]), date.fromisoformat(days[1]))


def number(text: object) -> Fraction:
    return Fraction(str(text))


def printed(text: object, value: Data) -> object:
    """Return our figure as the example prints its own: to its decimals."""
    if isinstance(value, Amount):
        value = value.amount
    if isinstance(value, (Fraction, Decimal, int)) and not isinstance(value, bool):
        places = len(str(text).partition(".")[2])
        return f"{rounded(value, places):f}"
    return str(value)


def compared(given: Given, ours: Mapping[str, Any]) -> Verdict:
    for name, stated in given.expected.items():
        if name in {"law", "right"}:
            continue
        if name not in ours:
            return failed(f"{name}: the judge has no such figure")
        if not agrees(stated, ours[name], given.tolerance()):
            return failed(f"{name}: expected {stated}, got {shown(stated, ours[name])}")
    return PASSED


def agrees(stated: Data, ours: Data, near: Decimal = _EXACTLY) -> bool:
    """Return whether ours is the figure that is printed, or as near as the source says."""
    if isinstance(stated, (Mapping, list)):
        names = stated if isinstance(stated, Mapping) else range(len(stated))
        if isinstance(stated, list) and len(stated) != len(ours):
            return False
        if isinstance(stated, Mapping) and not stated.keys() <= ours.keys():
            return False
        pairs = [(stated[name], ours[name]) for name in names]
        return all(agrees(*pair, near) for pair in pairs) or _left_over(pairs)
    if stated is None or ours is None:
        return stated is ours
    text = printed(stated, ours)
    try:
        return abs(Decimal(str(stated)) - Decimal(str(text))) <= near
    except ArithmeticError:
        return str(stated) == text


def _left_over(pairs: list[tuple[Any, Any]]) -> bool:
    """Return whether the same amounts differ only in who has the cents that are left over."""
    if any(isinstance(each, (Mapping, list)) for pair in pairs for each in pair):
        return False
    ours = [Decimal(str(printed(*pair))) for pair in pairs]
    theirs = [Decimal(str(stated)) for stated, _ in pairs]
    return sorted(ours) == sorted(theirs) and all(
        abs(one - other) <= _CENT for one, other in zip(ours, theirs, strict=True)
    )


def shown(stated: Data, ours: Data) -> str:
    if isinstance(stated, Mapping):
        return str({name: shown(stated[name], ours.get(name)) for name in stated})
    if isinstance(stated, list):
        return str([shown(*pair) for pair in zip(stated, ours, strict=False)])
    return str(printed(stated, ours))
