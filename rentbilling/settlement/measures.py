"""How much: of a period some days are, meters show, hot water takes of the heat, and CO2 costs.

Laws: the days of a period cut in two weigh what they weighed together, but for whole months (A76);
consumption is a sum of differences of readings, and a missing one is not 0 (A78).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal

from rentbilling.errors import (
    InvalidAmountError,
    InvalidRecordError,
    Problem,
    check_word,
    paths_under,
)
from rentbilling.settlement.occupancies import PersonsRecord, Reading
from rentbilling.settlement.policy import VDI_2067, DegreeDays
from rentbilling.terms import value_on
from rentbilling.values import (
    AnyPeriod,
    Period,
    Rounding,
    day_in_month,
    divide_rounded,
    exact_number,
    month_index,
    month_start,
    period_of,
    rounded,
)

_PER_KELVIN: Final = Fraction(5, 2)
"""kWh that heat a cubic metre of water by a kelvin (HeizkostenV § 9(2))."""
_PER_AREA: Final = 32
"""kWh of hot water for a square metre and year where nothing is measured (ibidem)."""

Number = Decimal | Fraction | int | str
"""A Fraction, or an exact number as amounts have them: a Decimal, a whole number or its text."""
Supply = Literal["fuel", "upper_value", "district"]
_SUPPLIES: Final = MappingProxyType(
    {"fuel": Fraction(1), "upper_value": Fraction(111, 100), "district": Fraction(100, 115)}
)
HEATING_VALUES: Final = MappingProxyType({"oil": 10, "gas_h": 10, "gas_l": 9, "pellets": 5})
"""kWh of a litre of oil, a cubic metre of gas, a kilogram of wood pellets (ibidem, (3))."""
_SUMMER = (6, 7, 8)
_DAYS_OF_SUMMER = 92
_DAYS_OF_YEAR = 365


def _exact(value: Number, name: str) -> Fraction:
    """Return an exact number, or refuse what is none by its name."""
    if isinstance(value, Fraction):
        return value
    with paths_under(name):
        return Fraction(exact_number(value, "47.2"))


def degree_days(period: AnyPeriod, table: DegreeDays = VDI_2067) -> Fraction:
    """Return the degree days of a period, in permille of a year (A76).

    Examples:
        From 16 October to the end of the year:

        >>> degree_days("2011-10-16/2011-12-31")
        Fraction(9960, 31)
    """
    return sum((_of_days(run, table) for run in period_of(period).months), Fraction(0))


def _of_days(run: Period, table: DegreeDays) -> Fraction:
    month, days = run.start.month, days_of_month(run)
    if table.summer is None:
        return Fraction(table.months[month - 1]) * run.days / days
    if month not in _SUMMER:
        at = month - 1 if month < _SUMMER[0] else month - 1 - len(_SUMMER)
        return Fraction(table.months[at]) * run.days / days
    if table.summer_by == "day":
        return Fraction(table.summer) * run.days / _DAYS_OF_SUMMER
    return Fraction(table.summer) * run.days / days / len(_SUMMER)


def person_days(period: AnyPeriod, persons: int, records: Sequence[PersonsRecord] = ()) -> int:
    """Return persons times days, with later numbers of persons from their days on (A77).

    Examples:
        >>> third = PersonsRecord(value=3, start="2025-07-01")
        >>> person_days("2025", 2, [third])
        914
    """
    first = int(_exact(persons, "persons"))
    runs = period_of(period).split_at(*(each.start for each in records))
    return sum(run.days * int(value_on(records, run.first, first)) for run in runs)


def weighted_area(area: Number, bands: Sequence[tuple[Number | None, Number]]) -> Fraction:
    """Return an area whose bands have weights of their own; the last may be without an end (A77).

    Raises:
        InvalidRecordError: The ends do not rise, or are below the area.

    Examples:
        5,000 square feet count whole, the next 5,000 for 80 %, more for 60 %:

        >>> weighted_area(12000, [(5000, 1), (10000, Decimal("0.8")), (None, Decimal("0.6"))])
        Fraction(10200, 1)
    """
    total, below, whole = Fraction(0), Fraction(0), _exact(area, "area")
    for at, (end, weight) in enumerate(bands):
        above = whole if end is None else _exact(end, f"bands[{at}]")
        if above < below:
            break
        total += (min(above, whole) - min(below, whole)) * _exact(weight, f"bands[{at}]")
        below = above
    else:
        if below >= whole:
            return total
    said, expected = "do not rise up to the area", f"{area} or more"
    raise InvalidRecordError((Problem("bands", "sum_missed", said, str(below), expected),))


def whole_months(
    period: AnyPeriod, runs: Iterable[AnyPeriod], *, begun: bool = False
) -> tuple[list[int], int]:
    """Return the months of a period that each run of days has, and those that none has (A76).

    Months begin on the day of the period's first day where they end with it, else on the first. A
    month that several runs share counts for none of them, or with `begun` for the last one. One
    that the period cuts counts with `begun` alone, or where the period has no whole one.

    Examples:
        >>> halves = "2026-01-01/2026-03-14", "2026-03-15/2026-12-31"
        >>> whole_months("2026", halves)
        ([2, 9], 1)
        >>> whole_months("2026", halves, begun=True)
        ([2, 10], 0)
    """
    given = [period_of(each) for each in runs]
    counts, left = [0] * len(given), 0
    for month in _months_of(period_of(period), begun=begun):
        there = [at for at, run in enumerate(given) if run.overlaps(month)]
        if len(there) == 1 and given[there[0]].intersection(month) == month:
            counts[there[0]] += 1
        elif begun and there:
            counts[there[-1]] += 1
        else:
            left += 1
    return counts, left


def _months_of(period: Period, *, begun: bool) -> Sequence[Period]:
    """Return the months that a period is counted in."""
    first, last = month_index(period.first), month_index(period.last + 1)
    day = period.first - month_start(first) + 1
    starts = [day_in_month(at, day) for at in range(first, last + 1)]
    if starts[-1] == period.last + 1:
        return [Period.unchecked(start, end - 1) for start, end in pairwise(starts)]
    whole = [each for each in period.months if each.days == days_of_month(each)]
    return period.months if begun or not whole else whole


def days_of_month(run: Period) -> int:
    """Return how many days the calendar month has in which a run of days begins."""
    index = month_index(run.first)
    return month_start(index + 1) - month_start(index)


def consumption(readings: Iterable[Reading], period: AnyPeriod | None = None) -> Decimal | None:
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
        >>> consumption(readings), consumption(readings, "2025-07-01/2025-12-31")
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
    asked = period_of(period)
    ends = [_shown_on(shown, day) for day in (asked.first - 1, asked.last)]
    return None if None in ends else ends[1] - ends[0]  # type: ignore[operator]


def _shown_on(shown: list[tuple[int, Decimal]], day: int) -> Decimal | None:
    """Return the total at the end of a day."""
    for wanted in (day, day + 1):
        found = [total for there, total in shown if there == wanted]
        if found:
            return found[-1 if wanted == day else 0]
    return None


# ------------------------------------------------------------------------------- heat


def hot_water_heat(
    volume_m3: Number, hot_c: Number, cold_c: Number = 10, *, supply: Supply = "fuel"
) -> Fraction:
    """Return the kWh that heated a volume of water: 2.5 kWh for a cubic metre and kelvin (A85).

    Of gas that is billed by its upper calorific value it is × 1.11, of district heat ÷ 1.15.

    Raises:
        InvalidAmountError: The volume is below 0, the water is not heated, or a number is none.
        UnknownWordError: There is no such supply.

    Examples:
        >>> hot_water_heat(Decimal("47.2"), 60)
        Fraction(5900, 1)
    """
    volume, hot = _exact(volume_m3, "volume_m3"), _exact(hot_c, "hot_c")
    rise = hot - _exact(cold_c, "cold_c")
    if volume < 0 or rise <= 0:
        met, expected = f"{volume_m3} m3, {hot_c} over {cold_c}", "heated water"
        raise InvalidAmountError.of("volume_m3", "out_of_range", "is not heated", met, expected)
    return _PER_KELVIN * volume * rise * _supplied(supply)


def _supplied(supply: str) -> Fraction:
    check_word("supply", supply, _SUPPLIES, "is no kind of supply")
    return _SUPPLIES[supply]


def hot_water_by_area(area_m2: Number, *, supply: Supply = "fuel") -> Fraction:
    """Return the kWh of hot water of a year where no volume is measured (A85).

    Raises:
        InvalidAmountError: The area is below 0.

    Examples:
        >>> hot_water_by_area(100)
        Fraction(3200, 1)
    """
    area = _exact(area_m2, "area_m2")
    if area < 0:
        raise InvalidAmountError.of("area_m2", "out_of_range", "is no area", area_m2, "0 or more")
    return area * _PER_AREA * _supplied(supply)


def fuel_used(heat_kwh: Number, heating_value: Number) -> Fraction:
    """Return how much fuel gave a heat, in the unit of its heating value (A85).

    Raises:
        InvalidAmountError: The heating value is not above 0.

    Examples:
        >>> fuel_used(5900, HEATING_VALUES["oil"])
        Fraction(590, 1)
    """
    heat, value = _exact(heat_kwh, "heat_kwh"), _exact(heating_value, "heating_value")
    if value <= 0:
        said, met = "gives no heat", heating_value
        raise InvalidAmountError.of("heating_value", "out_of_range", said, met, "above 0")
    return heat / value


def heat_share(
    part_kwh: Number,
    all_kwh: Number,
    *,
    percent_places: int | None = None,
    rounding: Rounding = "half_up",
) -> Fraction:
    """Return what a part of the heat is of all, perhaps as a rounded percentage (A85).

    Raises:
        InvalidAmountError: There is no heat, or the part is more than all.

    Examples:
        >>> heat_share(5900, 34000, percent_places=2)
        Fraction(347, 2000)
    """
    part, whole = _exact(part_kwh, "part_kwh"), _exact(all_kwh, "all_kwh")
    if not 0 <= part <= whole or not whole:
        met, expected = f"{part_kwh} of {all_kwh}", "a part of the heat"
        raise InvalidAmountError.of("part_kwh", "out_of_range", "is no part", met, expected)
    share = part / whole
    if percent_places is None:
        return share
    fine = 10 ** (percent_places + 2)
    over, below = (share * fine).as_integer_ratio()
    return Fraction(divide_rounded(over, below, rounding), fine)


@dataclass(frozen=True, slots=True)
class CarbonTier:
    """A tier of emissions, and the share of the cost of CO2 that tenants bear in it."""

    least: int
    """kg for a square metre and year; the lower edge belongs to the tier."""
    most: int | None
    """The edge of the next tier."""
    tenants: Fraction
    """Share of the tenants; the rest is not recoverable."""

    @property
    def landlord(self) -> Decimal:
        """Share of the landlord, which is `by_law` of a pool with the cost of CO2."""
        return rounded(1 - self.tenants, 2)

    def __str__(self) -> str:
        return f"{self.least}-{self.most}" if self.most else f"{self.least}-"


_EDGES: Final = (0, 12, 17, 22, 27, 32, 37, 42, 47, 52)
_TENANTS: Final = (100, 90, 80, 70, 60, 50, 40, 30, 20, 5)
CARBON_TIERS: Final = tuple(
    CarbonTier(least, most, Fraction(percent, 100))
    for least, most, percent in zip(_EDGES, (*_EDGES[1:], None), _TENANTS, strict=True)
)
"""Tiers of dwellings in Germany since 2023 (CO2KostAufG, annex)."""
CARBON_HALVES: Final = (CarbonTier(0, None, Fraction(1, 2)),)
"""Of other buildings tenants and landlord bear a half each (ibidem, § 8)."""


def carbon_intensity(co2_kg: Number, area_m2: Number, *, days: int | None = None) -> Fraction:
    """Return the kg of CO2 for a square metre and year; without days the period is a year (A85).

    Raises:
        InvalidAmountError: The area or the days are not above 0, or the emission is below 0.

    Examples:
        >>> carbon_intensity(2302, 100, days=366) == Fraction(2302 * 365, 100 * 366)
        True
    """
    emitted, area = _exact(co2_kg, "co2_kg"), _exact(area_m2, "area_m2")
    if area <= 0 or emitted < 0:
        met, expected = f"{co2_kg} kg on {area_m2} m2", "0 or more on an area above 0"
        raise InvalidAmountError.of("area_m2", "out_of_range", "is no area", met, expected)
    run = None if days is None else _exact(days, "days")
    if run is not None and run <= 0:
        raise InvalidAmountError.of("days", "out_of_range", "are none", days, "1 or more")
    return emitted / area * (1 if run is None else _DAYS_OF_YEAR / run)


def carbon_tier(intensity: Number, tiers: Sequence[CarbonTier] = CARBON_TIERS) -> CarbonTier:
    """Return the tier of an emission (A85).

    Raises:
        InvalidAmountError: No tier has it.

    Examples:
        >>> str(carbon_tier(22)), carbon_tier(22).tenants, carbon_tier(22).landlord
        ('22-27', Fraction(7, 10), Decimal('0.30'))
    """
    exact = _exact(intensity, "intensity")
    for tier in reversed(tiers):
        if exact >= tier.least:
            return tier
    raise InvalidAmountError.of("intensity", "out_of_range", "has no tier", intensity, "0 or more")
