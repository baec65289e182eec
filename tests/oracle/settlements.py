"""Settlements found anew: every day is weighed by itself, and cents are handed out one by one.

Law: it reads the fields of records and reckons with exact fractions; nothing of the library's
weights, sharing or rounding.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

Shares = dict[str, dict[str, int]]
"""Cents by pool and occupancy; what no occupancy has stands under the empty id."""
DAY = timedelta(days=1)
PERMILLE = (
    170,
    150,
    130,
    80,
    40,
    Fraction(40, 3),
    Fraction(40, 3),
    Fraction(40, 3),
    30,
    80,
    120,
    160,
)


def days_of(settlement: Any, occupancy: Any) -> list[date]:  # noqa: ANN401
    first = max(occupancy.first_day or settlement.period.start, settlement.period.start)
    last = min(occupancy.last_day or settlement.period.end, settlement.period.end)
    return [first + DAY * at for at in range((last - first).days + 1)]


def degree_day(day: date) -> Fraction:
    following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    days = (following - date(day.year, day.month, 1)).days
    return Fraction(PERMILLE[day.month - 1]) / days


def persons_on(occupancy: Any, day: date) -> int:  # noqa: ANN401
    found, since = occupancy.persons or 0, date.min
    for record in occupancy.person_records:
        if since <= record.start <= day:
            found, since = record.value, record.start
    return int(found)


def handed_out(cents: int, weights: Sequence[Fraction]) -> list[int]:
    """Return cents handed out one by one, each to who lacks most of the exact share."""
    total, sign = sum(weights), -1 if cents < 0 else 1
    exact = [abs(cents) * weight / total for weight in weights]
    shares = [int(each) for each in exact]
    for _ in range(abs(cents) - sum(shares)):
        lacking = [one - other for one, other in zip(exact, shares, strict=True)]
        shares[lacking.index(max(lacking))] += 1
    return [sign * each for each in shares]


def weight(settlement: Any, part: Any, occupancy: Any) -> Fraction:  # noqa: ANN401
    days = days_of(settlement, occupancy)
    if part.key == "persons":
        return Fraction(sum(persons_on(occupancy, day) for day in days))
    if part.key == "consumption":
        return Fraction((occupancy.consumption or {}).get("consumption", 0))
    if part.time == "degree_days":
        return sum((degree_day(day) for day in days), Fraction(0))
    return Fraction(len(days))


def value(part: Any, unit: Any, occupancy: Any) -> Fraction:  # noqa: ANN401
    """Return the value by which an occupancy's time counts: the lease's own, or the unit's."""
    if part.key in ("persons", "consumption", "units", "direct"):
        return Fraction(1)
    return Fraction((occupancy.values or {}).get(part.key, unit.values[part.key]))


def shares_of(settlement: Any) -> Shares:  # noqa: ANN401
    """Return the shares of a settlement by the default policy, with vacancy for the landlord."""
    units = sorted(settlement.units, key=lambda unit: unit.id)
    stays: Mapping[str, list[Any]] = {
        unit.id: sorted(
            (each for each in settlement.occupancies if each.unit == unit.id),
            key=lambda each: each.first_day or date.min,
        )
        for unit in units
    }
    found: Shares = {}
    for pool in settlement.pools:
        own = found[pool.id] = {each.id: 0 for each in settlement.occupancies} | {"": 0}
        cents = int(pool.amount.amount * 100)
        exact = cents * Fraction(pool.recoverable)
        shared = int(abs(exact) + Fraction(1, 2)) * (-1 if cents < 0 else 1)
        own[""] = cents - shared
        fractions = [Fraction(part.fraction or 0) for part in pool.parts]
        fractions[-1] = 1 - sum(fractions[:-1], Fraction(0))
        for part, size in zip(pool.parts, handed_out(shared, fractions), strict=True):
            taking = [unit for unit in units if not part.units or unit.id in part.units]
            time = {
                unit.id: [weight(settlement, part, each) for each in stays[unit.id]]
                for unit in taking
            }
            inside = {
                unit.id: [
                    each * value(part, unit, stay)
                    for each, stay in zip(time[unit.id], stays[unit.id], strict=True)
                ]
                for unit in taking
            }
            summed = part.key in ("persons", "consumption")
            values = [
                Fraction(sum(inside[unit.id])) / (1 if summed else sum(time[unit.id]))
                for unit in taking
            ]
            if part.denominator is not None:
                values.append(Fraction(part.denominator) - sum(values))
            nothing = [] if part.denominator else [0]
            *sizes, outside = [*handed_out(size, values), *nothing]
            own[""] += outside
            for unit, units_cents in zip(taking, sizes, strict=True):
                if units_cents:
                    parts = handed_out(units_cents, inside[unit.id])
                    for each, cent in zip(stays[unit.id], parts, strict=True):
                        own[each.id] += cent
    return found
