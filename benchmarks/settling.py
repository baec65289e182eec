"""A house of many units and pools, settled by the package and by a plain loop.

The loop has the same arithmetic: weights as fractions, each pool shared by largest remainders among
units and then among the occupancies of a unit.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from rentbilling import Amount
from rentbilling.settlement import CostPool, Occupancy, PoolPart, Settlement, SettlementUnit, settle

_KEYS = ("area", "rooms", "persons", "consumption", "units")
_HALF = 181
_DAYS = 365


def house(units: int, pools: int) -> Settlement:
    """Return a house in which every tenth unit changes its tenant in the middle of the year."""
    stays: list[Occupancy] = []
    for at in range(units):
        name = f"{at:06d}"
        used = {"consumption": Decimal(at % 90 + 1)}
        if at % 10:
            stays.append(Occupancy(id=name, unit=name, persons=1 + at % 4, consumption=used))
            continue
        first = {"id": f"{name}a", "unit": name, "last_day": "2025-06-30", "persons": 2}
        second = {"id": f"{name}b", "unit": name, "first_day": "2025-07-01", "persons": 1}
        stays += (Occupancy(**each, consumption=used) for each in (first, second))  # type: ignore[arg-type]
    return Settlement(
        period="2025",
        currency="EUR",
        pools=tuple(
            CostPool(
                id=f"{at:03d}",
                amount=Amount(10_000 + 37 * at, "EUR"),
                parts=(PoolPart(key=_KEYS[at % len(_KEYS)]),),
            )
            for at in range(pools)
        ),
        units=tuple(
            SettlementUnit(
                id=f"{at:06d}", values={"area": Decimal(40 + at % 60), "rooms": Decimal(1 + at % 9)}
            )
            for at in range(units)
        ),
        occupancies=tuple(stays),
    )


def settled(given: Settlement) -> list[Amount]:
    """Return the share of each statement, with all of its lines read."""
    result = settle(given)
    return [each.share for each in result if each.lines]


def plainly(given: Settlement) -> list[Amount]:
    """Return the same by a plain loop."""
    units = {each.id: each.values or {} for each in given.units}
    stays: dict[str, list[Occupancy]] = {}
    for each in given.occupancies:
        stays.setdefault(each.unit, []).append(each)
    lines: dict[str, list[Amount]] = {each.id: [] for each in given.occupancies}
    for pool in given.pools:
        key = pool.parts[0].key
        inside = {unit: [_weight(key, each) for each in stays[unit]] for unit in units}
        values = [
            sum(weights, Fraction(0))
            if key in ("persons", "consumption")
            else Fraction(units[unit].get(key, 1))
            for unit, weights in inside.items()
        ]
        for unit, cents in zip(units, _shared(int(pool.amount.amount * 100), values), strict=True):
            for each, share in zip(stays[unit], _shared(cents, inside[unit]), strict=True):
                lines[each.id].append(Amount(Decimal(share).scaleb(-2), "EUR"))
    return [sum(each, Amount(0, "EUR")) for each in lines.values()]


def _weight(key: str, stay: Occupancy) -> Fraction:
    days = _HALF if stay.last_day else _DAYS - _HALF if stay.first_day else _DAYS
    if key == "persons":
        return Fraction((stay.persons or 0) * days)
    return Fraction((stay.consumption or {})[key]) if key == "consumption" else Fraction(days)


def _shared(cents: int, weights: Sequence[Fraction]) -> list[int]:
    total = sum(weights)
    exact = [cents * each / total for each in weights]
    shares = [int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda at: shares[at] - exact[at])
    for at in order[: cents - sum(shares)]:
        shares[at] += 1
    return shares
