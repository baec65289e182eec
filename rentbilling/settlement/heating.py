"""Parts of a heating pool by formula: hot water out of a combined plant, and the cost of CO2.

Law: formulas and tables are data with their sources; what they give is a share, which a pool takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from rentbilling.errors import InvalidAmountError, shown
from rentbilling.values import Rounding, divide_rounded

_PER_KELVIN: Final = Fraction(5, 2)
"""kWh that heat a cubic metre of water by a kelvin (HeizkostenV § 9(2))."""
_PER_AREA: Final = 32
"""kWh of hot water for a square metre and year where nothing is measured (ibidem)."""
_GRAMS: Final = 1000

Number = Decimal | Fraction | int


def hot_water_heat(volume_m3: Number, hot_c: Number, cold_c: Number = 10) -> Fraction:
    """Return the kWh that heated a volume of water: 2.5 kWh for a cubic metre and kelvin (A85).

    Raises:
        InvalidAmountError: The volume is below 0, or the water is not heated.

    Examples:
        >>> hot_water_heat(Decimal("47.2"), 60)
        Fraction(5900, 1)
    """
    if volume_m3 < 0 or hot_c <= cold_c:
        met, expected = f"{volume_m3} m3, {hot_c} over {cold_c}", "heated water"
        raise InvalidAmountError.of("volume_m3", "out_of_range", "is not heated", met, expected)
    return _PER_KELVIN * Fraction(volume_m3) * (Fraction(hot_c) - Fraction(cold_c))


def hot_water_by_area(area_m2: Number) -> Fraction:
    """Return the kWh of hot water of a year where no volume is measured (A85).

    Examples:
        >>> hot_water_by_area(100)
        Fraction(3200, 1)
    """
    return Fraction(area_m2) * _PER_AREA


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
    if not 0 <= part_kwh <= all_kwh or not all_kwh:
        met, expected = f"{part_kwh} of {all_kwh}", "a part of the heat"
        raise InvalidAmountError.of("part_kwh", "out_of_range", "is no part", met, expected)
    share = Fraction(part_kwh) / Fraction(all_kwh)
    if percent_places is None:
        return share
    fine = 10 ** (percent_places + 2)
    return Fraction(_whole(share * fine, rounding), fine)


def _whole(value: Fraction, rounding: Rounding) -> int:
    return divide_rounded(value.numerator, value.denominator, rounding)


@dataclass(frozen=True, slots=True)
class CarbonTier:
    """A tier of emissions, and the share of the cost of CO2 that tenants bear in it."""

    least: int
    """kg for a square metre and year; the lower edge belongs to the tier."""
    most: int | None
    """The edge of the next tier."""
    tenants: Fraction
    """Share of the tenants; the rest is not recoverable."""

    def __str__(self) -> str:
        return f"{self.least}-{self.most}" if self.most else f"{self.least}-"


_EDGES: Final = (0, 12, 17, 22, 27, 32, 37, 42, 47, 52)
_TENANTS: Final = (100, 90, 80, 70, 60, 50, 40, 30, 20, 5)
CARBON_TIERS: Final = tuple(
    CarbonTier(least, most, Fraction(percent, 100))
    for least, most, percent in zip(_EDGES, (*_EDGES[1:], None), _TENANTS, strict=True)
)
"""Tiers of dwellings in Germany since 2023 (CO2KostAufG, annex)."""


def carbon_intensity(
    co2_kg: Number, area_m2: Number, *, days: int | None = None, year_days: int = 365
) -> Fraction:
    """Return the kg of CO2 for a square metre and year; without days the period is a year (A85).

    Raises:
        InvalidAmountError: The area is not above 0, or the emission is below 0.

    Examples:
        >>> carbon_intensity(2302, 100, days=366) == Fraction(2302 * 365, 100 * 366)
        True
    """
    if area_m2 <= 0 or co2_kg < 0:
        met, expected = f"{co2_kg} kg on {area_m2} m2", "0 or more on an area above 0"
        raise InvalidAmountError.of("area_m2", "out_of_range", "is no area", met, expected)
    scale = Fraction(1) if days is None else Fraction(year_days, days)
    return Fraction(co2_kg) / Fraction(area_m2) * scale


def carbon_tier(intensity: Number, tiers: Sequence[CarbonTier] = CARBON_TIERS) -> CarbonTier:
    """Return the tier of an emission (A85).

    Raises:
        InvalidAmountError: No tier has it.

    Examples:
        >>> str(carbon_tier(22)), carbon_tier(22).tenants
        ('22-27', Fraction(7, 10))
    """
    for tier in reversed(tiers):
        if intensity >= tier.least:
            return tier
    raise InvalidAmountError.of(
        "intensity", "out_of_range", "has no tier", shown(intensity), "0 or more"
    )
