"""What a source gets wrong: ours must be right, or the input refused by name."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import Amount, InvalidInputError, RentBillingError
from rentbilling.settlement import VDI_2067
from tests.outside.board import MismatchError
from tests.outside.settlement.figures import Given, agrees, house
from tests.outside.settlement.houses import share_by
from tests.outside.settlement.single import time_weight
from tests.support.settlements import (
    CostPool,
    Data,
    DegreeDays,
    Occupancy,
    PoolPart,
    SettlementUnit,
)

_MONTHS = 12


def answer(given: Given) -> Mapping[str, Any]:
    for name in (each for each in given if each.startswith("wrong")):
        table, scale = given[name], 10 if "percent" in name else 1
        if isinstance(table, list) and len(table) == _MONTHS and "weights" not in given:
            return _table([Decimal(each) * scale for each in table], scale)
    if "weights" in given:
        found = [
            *share_by(given, given["amount"], [("key", "1", given["weights"])]).shares.values()
        ]
        if agrees(given["wrong"], found):
            raise MismatchError("ours is the figure known as wrong")
        return {
            "multiset": sorted(each.amount for each in found),
            "sum": sum(found, given.amount(0)),
        }
    if "hot_water_percent" in given:
        return _heating(given)
    return _right(given)


def _table(months: list[Decimal], scale: int) -> Mapping[str, Any]:
    """Return the sum of a table of degree days that is refused, as the refusal names it."""
    right = [each.numerator for each in map(Fraction, VDI_2067.months)]
    try:
        DegreeDays(months=months)
        return {"sum": sum(months), "multiset": sorted(right), "right": right}
    except RentBillingError as error:
        met = Decimal(error.problems[0].met) / scale  # type: ignore[attr-defined]
        return {"sum_percent": met, "sum": met}


def _whole(given: Given) -> Amount:
    """Return the amount of the pool, under any of its names."""
    names = ("amount", "total", "cost", "fuel_cost")
    return given.amount(next(given[name] for name in names if name in given))


def _right(given: Given) -> Mapping[str, Any]:
    """Return a time weight beside the wrong one; whichever figure it is, one has to be right."""
    found = time_weight(given)
    right = given.expected.get("right")
    if right is not None and not any(_is(right, each) for each in found.values()):
        raise MismatchError(f"right: expected {right}, got {found}")
    return found


def _is(right: object, ours: Data) -> bool:
    exact = "/" in str(right) and not isinstance(ours, str)
    return Fraction(str(right)) == ours if exact else agrees(right, ours)


def _heating(given: Given) -> Mapping[str, Any]:
    """Return a pool of hot water and heating, of which a part has no readings."""
    percent = Decimal(given["hot_water_percent"]) / 100
    heat = given["heating_kwh"]
    names = [*heat] if isinstance(heat, Mapping) else [f"{at:03d}" for at in range(len(heat))]
    readings = given.get("hot_water_readings") or {}
    occupancies = []
    for at, name in enumerate(names):
        stated = {"hot_water": _value(readings, at, name), "heating": _value(heat, at, name)}
        used = {key: Decimal(each) for key, each in stated.items() if each is not None}
        occupancies.append(Occupancy(id=name, unit=name, consumption=used))
    parts = [
        PoolPart(key="hot_water", fraction=percent, time="readings"),
        PoolPart(key="heating", time="readings"),
    ]
    pool = CostPool(id="heat", amount=_whole(given), parts=parts)
    units = [SettlementUnit(id=name) for name in names]
    try:
        shares = house(given, [pool], units, occupancies).shares
    except InvalidInputError:
        # Refused by name: nothing of the whole is lost.
        return {"sum": _whole(given)}
    total = sum(shares.values(), given.amount(0))
    if total != _whole(given):
        raise MismatchError(f"shares add up to {total}")
    return {"shares": shares, "sum": _whole(given)}


def _value(rows: Data, at: int, name: str) -> Data:
    if isinstance(rows, Mapping):
        return rows.get(name)
    return rows[at] if at < len(rows) else None
