"""How much weight each unit, and each occupancy in it, has in a part of a pool.

Law: a unit's value is its own, and the days inside it never alter that of another unit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Final

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.settlement.measures import consumption, degree_days, person_days, whole_months
from rentbilling.settlement.occupancies import House, SettlementUnit, Stay
from rentbilling.settlement.policy import VDI_2067
from rentbilling.settlement.pools import DIRECT, LANDLORD, PERSONS, UNITS, CostPool, PoolPart
from rentbilling.values import Notice, Period

OUTSIDE: Final = "outside_key"
NO_READING: Final = "no_reading"

Weight = Fraction | int


@dataclass(frozen=True, slots=True)
class UnitWeight:
    """A unit in a part: its value of the key, and how its stays divide it."""

    unit: str
    value: Fraction
    stays: Sequence[Stay]
    inside: Sequence[Weight]
    left: Weight = 0
    """Weight inside the unit that no stay has: divided months."""


@dataclass(frozen=True)
class PartWeights:
    """How a part is divided among units and stays."""

    units: Sequence[UnitWeight]
    outside: Fraction
    """What of the denominator no unit has."""
    notices: tuple[Notice, ...] = ()
    outside_reason: str = OUTSIDE

    @cached_property
    def denominator(self) -> Fraction:
        """The sum that each unit's value is divided by."""
        return sum((each.value for each in self.units), self.outside)

    @cached_property
    def by_unit(self) -> Mapping[str, UnitWeight]:
        """The weights by the id of the unit."""
        return {each.unit: each for each in self.units}


def part_weights(house: House, pool: CostPool, part: PoolPart) -> PartWeights:
    """Return the weights of a part.

    Raises:
        InvalidInputError: A value, a number of persons or a reading is missing, the days of a unit
            do not fit, or the values do not add up to the stated whole.
    """
    if part.key == LANDLORD:
        return PartWeights((), Fraction(1), outside_reason=LANDLORD)
    units = _units(house, part)
    problems = [house.problems[each.id] for each in units if each.id in house.problems]
    if problems:
        raise InvalidRecordError(problems)
    notices: list[Notice] = []
    if part.time_weight == "readings":
        try:
            weights = _by_readings(house, pool, part, units, notices)
        except _MissingReadingError as missing:
            return _without_readings(house, pool, part, missing)
        if not weights:
            return PartWeights((), Fraction(1), tuple(notices), NO_READING)
    else:
        weights = [_weight(house, part, each) for each in units]
    outside = _outside(part, weights)
    if outside:
        missed = f"{part.key} {part.denominator:f}"
        code, said = "denominator_not_reached", f"the units leave some of {missed} to the landlord"
        if outside < 0:
            code, said = "denominator_exceeded", f"the units have more than {missed}"
        notices.append(Notice(code, said, pool.id))
    if part.time_weight == "degree_days" and house.policy.degree_days != VDI_2067:
        said = "degree days are counted by another table than VDI 2067"
        notices.append(Notice("other_degree_days", said, pool.id))
    return PartWeights(_borne(house, weights), outside, tuple(notices))


def _units(house: House, part: PoolPart) -> Sequence[SettlementUnit]:
    if part.units:
        return [house.units[each] for each in sorted(set(part.units)) if each in house.spans]
    return [each for each in house.units.values() if each.takes_part and each.id in house.spans]


def _weight(house: House, part: PoolPart, unit: SettlementUnit) -> UnitWeight:
    """Return the weight of a unit whose value does not depend on readings."""
    stays = house.stays_of[unit.id]
    if part.key == PERSONS:
        days = [_person_days(house, each) for each in stays]
        return UnitWeight(unit.id, Fraction(sum(days)), stays, days)
    value = Decimal(1) if part.key in (UNITS, DIRECT) else (unit.values or {}).get(part.key)
    stated = [(each.occupancy.values or {}).get(part.key, value) for each in stays]
    known = [Fraction(each) for each in stated if each is not None]
    if len(known) < len(stated):
        path, expected = f"units.{unit.id}.values", f"a value for {part.key}, 0 if it bears nothing"
        raise InvalidRecordError.of(path, "key_value_missing", "lack a key", part.key, expected)
    span, asked = house.spans[unit.id], house.settlement.period
    inside, left = _inside(house, part, span, [each.period for each in stays])
    time = Fraction(sum(inside, left))
    exact = known[0]
    if any(each != exact for each in known):
        # A divided month counts by the value of the unit, or of its first occupancy.
        left *= exact if value is None else Fraction(value)
        inside = [each * own for each, own in zip(inside, known, strict=True)]
        exact = sum(inside, left) / time if time else Fraction(sum(known)) / len(known)
    if span != asked:
        (whole,), _ = _inside(house, part, asked, [asked])
        exact *= time / (whole or 1)
    return UnitWeight(unit.id, exact, stays, inside, left)


def _inside(
    house: House, part: PoolPart, span: Period, runs: Sequence[Period]
) -> tuple[Sequence[Weight], Weight]:
    """Return the weights of runs of days in a unit, and what none of them has."""
    if part.time_weight == "months":
        return whole_months(span, runs, begun=house.policy.begun_month)
    if part.time_weight == "degree_days":
        return [degree_days(each, house.policy.degree_days) for each in runs], 0
    return [each.days for each in runs], 0


def _person_days(house: House, stay: Stay) -> int:
    occupancy = stay.occupancy
    if occupancy.persons is None and not occupancy.person_records:
        if occupancy.who == "vacant":
            return stay.period.days * house.policy.vacant_persons
        said, expected = "are missing", "a number of persons"
        path = f"occupancies.{occupancy.id}.persons"
        raise InvalidRecordError.of(path, "key_value_missing", said, None, expected)
    first = min((each.start for each in occupancy.person_records), default=stay.period.start)
    if occupancy.persons is None and first > stay.period.start:
        said, expected = "begin later than the occupancy", f"{stay.period.start} or earlier"
        path = f"occupancies.{occupancy.id}.person_records"
        raise InvalidRecordError.of(path, "key_value_missing", said, str(first), expected)
    return person_days(stay.period, occupancy.persons or 0, occupancy.person_records)


# ------------------------------------------------------------------------------- consumption


class _MissingReadingError(Exception):
    """No reading shows what a stay consumed."""

    def __init__(
        self, stays: Sequence[Stay], weights: Sequence[UnitWeight], *, by_fixed_key: bool = False
    ) -> None:
        super().__init__()
        self.stays = stays
        self.weights = weights
        self.by_fixed_key = by_fixed_key
        """Whether so much is missing that the fixed key counts, whatever else the policy says."""


def _by_readings(
    house: House,
    pool: CostPool,
    part: PoolPart,
    units: Sequence[SettlementUnit],
    notices: list[Notice],
) -> list[UnitWeight]:
    missing: list[Stay] = []
    unread: list[Stay] = []
    weights: list[UnitWeight] = []
    for unit in units:
        stays = house.stays_of[unit.id]
        inside: list[Weight] = []
        for stay in stays:
            used = _consumed(house, part.key, stay)
            if used is None and stay.occupancy.who == "vacant":
                said = f"vacant in {stay.period}, and counts no {part.key}"
                notices.append(Notice("vacant_without_reading", said, unit.id))
            elif used is None:
                missing.append(stay)
            elif not used and stay.occupancy.who == "tenant":
                said = f"{part.key} 0"
                notices.append(Notice("zero_consumption", said, stay.occupancy.id))
            if stay.occupancy.estimated:
                unread.append(stay)
            inside.append(Fraction(used or 0))
        weights.append(UnitWeight(unit.id, Fraction(sum(inside)), stays, inside))
    unread += missing
    if unread and _is_too_much(house, pool, part, unread):
        raise _MissingReadingError(unread, weights, by_fixed_key=True)
    if missing:
        raise _MissingReadingError(missing, weights)
    if all(stay.reason for each in weights for stay in each.stays) and not any(
        each.value for each in weights
    ):
        # No tenant could bear it, so nothing has to be measured.
        return []
    return weights


def _fixed_part(pool: CostPool, part: PoolPart) -> PoolPart | None:
    """Return the first part of a pool that needs no readings, for the units of another part."""
    for each in pool.parts:
        if each.time_weight != "readings" and each.key != LANDLORD:
            return each.evolve(units=each.units or part.units)
    return None


def _is_too_much(house: House, pool: CostPool, part: PoolPart, unread: Sequence[Stay]) -> bool:
    """Return whether units without a reading have too much of the fixed key, such as area (A90)."""
    limit, fixed = house.policy.estimate_limit, _fixed_part(pool, part)
    if limit is None or fixed is None:
        return False
    values = {each.unit: each.value for each in part_weights(house, pool, fixed).units}
    affected = sum(values.get(unit, 0) for unit in {stay.occupancy.unit for stay in unread})
    return affected > Fraction(limit) * sum(values.values())


def _consumed(house: House, key: str, stay: Stay) -> Decimal | None:
    given = (stay.occupancy.consumption or {}).get(key)
    if given is not None:
        return given
    found = house.readings.get((stay.occupancy.unit, key), ())
    whole = stay.period == house.spans[stay.occupancy.unit]
    measured = consumption(found, stay.period) if found else None
    if measured is None and not found and whole:
        return (house.units[stay.occupancy.unit].values or {}).get(key)
    return measured


def _without_readings(
    house: House, pool: CostPool, part: PoolPart, missing: _MissingReadingError
) -> PartWeights:
    """Return the weights of a part in which a reading is missing, as the policy says (A78)."""
    names = [each.occupancy.id for each in missing.stays]
    said = f"no reading of {part.key} for {', '.join(names)}"
    wanted = "fixed_key" if missing.by_fixed_key else house.policy.missing_reading
    if wanted == "landlord":
        notice = Notice("missing_reading", f"{said}: what none shows is the landlord's", pool.id)
        if part.denominator is None:
            return PartWeights((), Fraction(1), (notice,), NO_READING)
        outside = _outside(part, missing.weights)
        return PartWeights(_borne(house, missing.weights), outside, (notice,), NO_READING)
    fixed = _fixed_part(pool, part)
    if wanted == "fixed_key" and fixed is not None:
        notice = Notice("missing_reading", f"{said}: shared by {fixed.key}", pool.id)
        found = part_weights(house, pool, fixed)
        return PartWeights(found.units, found.outside, (*found.notices, notice))
    expected = "a reading, an estimate, or another missing_reading of the policy"
    raise InvalidRecordError(
        Problem(f"occupancies.{name}", "missing_reading", f"has no {part.key}", "none", expected)
        for name in names
    )


# ------------------------------------------------------------------------------- denominators


def _outside(part: PoolPart, weights: Sequence[UnitWeight]) -> Fraction:
    """Return what the units leave of a stated denominator, below 0 if they have more (A94)."""
    total = sum((each.value for each in weights), Fraction(0))
    if part.whole is not None and total != Fraction(part.whole):
        raise _wrong_sum(part, "do not add up to the whole", total, f"exactly {part.whole:f}")
    if part.denominator is None:
        return Fraction(0)
    if part.time_weight == "readings" and total > part.denominator:
        expected = f"at most {part.denominator:f}"
        raise _wrong_sum(part, "are more than the denominator", total, expected)
    return Fraction(part.denominator) - total


def _wrong_sum(part: PoolPart, said: str, total: Fraction, expected: str) -> InvalidInputError:
    problem = Problem(f"values of {part.key}", "sum_missed", said, str(total), expected)
    return InvalidRecordError((problem,))


def _borne(house: House, weights: Sequence[UnitWeight]) -> Sequence[UnitWeight]:
    """Return the weights as far as the landlord bears vacancy; the others bear the rest (A75)."""
    bears = Fraction(house.policy.landlord_bears)
    if bears == 1:
        return weights
    let = vacant = Fraction(0)
    for each in weights:
        total = sum(each.inside, each.left)
        for stay, weight in zip(each.stays, each.inside, strict=True):
            share = each.value * weight / (total or 1)
            if stay.occupancy.who == "vacant":
                vacant += share
            else:
                let += share
    if not let or not vacant:
        return weights
    more = (let + vacant - bears * vacant) / let
    return [_scaled(each, bears, more) for each in weights]


def _scaled(weight: UnitWeight, bears: Fraction, more: Fraction) -> UnitWeight:
    inside = [
        each * (bears if stay.occupancy.who == "vacant" else more)
        for stay, each in zip(weight.stays, weight.inside, strict=True)
    ]
    before, left = sum(weight.inside, weight.left), weight.left * more
    after = sum(inside, left)
    value = weight.value * after / before if before else weight.value
    return UnitWeight(weight.unit, value, weight.stays, inside, left)
