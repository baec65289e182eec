"""The presets of all countries, found by country, name, region and day.

Law: a preset is only a filled-in clause; if several fit, the caller must choose.
"""

from collections.abc import Iterable
from datetime import date
from types import MappingProxyType
from typing import Final

from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.presets.clause_preset import ClausePreset as ClausePreset  # noqa: PLC0414 - offered
from rentbilling.presets.continental import CONTINENTAL
from rentbilling.presets.nordic import NORDIC
from rentbilling.presets.overseas import OVERSEAS
from rentbilling.values import day_of

PRESETS: Final = (*NORDIC, *CONTINENTAL, *OVERSEAS)
"""All presets, country by country."""
COUNTRIES: Final = tuple(dict.fromkeys(each.country for each in PRESETS))
"""The countries with presets, by code."""
_ALSO: Final = MappingProxyType({"UK": "GB"})
_SEPARATOR: Final = "; "


def find(country: str | None = None, *, on: date | str | None = None) -> tuple[ClausePreset, ...]:
    """Return the presets of a country, or of all.

    Args:
        country: Code of two letters, in any case; None: all countries.
        on: Only those that apply to an adjustment on this day.

    Returns:
        The presets, in the order of the table; empty if none of the country applies on the day.

    Raises:
        UnknownWordError: There are no presets for the country.
        InvalidPeriodError: The day is malformed.

    Examples:
        >>> [each.name for each in find("FR")]
        ['residential', 'shops', 'offices']
    """
    day = day_or_none(on)
    code = None if country is None else country_code(country)
    return tuple(each for each in PRESETS if each.holds_on(day) and code in (None, each.country))


def preset(
    country: str,
    name: str | None = None,
    *,
    region: str | None = None,
    on: date | str | None = None,
) -> ClausePreset:
    """Return the one preset that fits.

    Args:
        country: Code of two letters, in any case.
        name: Its name; may be left out if the country has only one.
        region: Its region; may be left out if there is only one.
        on: The day of an adjustment; needed if presets differ only by their dates.

    Returns:
        The preset; `preset(...).rule(month)` returns a rule with it.

    Raises:
        UnknownWordError: There is none for the country, of the name, in the region, or on the day.
        InvalidRecordError: Several fit; they are listed.
        InvalidPeriodError: The day is malformed.

    Examples:
        The rent of a flat in Brussels on 1 May, from the health index of April:

        >>> rule = preset("BE", region="Brussels").rule(5, start_point="2020-08")
        >>> rule.clause.basis, rule.clause.lag_months
        ('anchored', 1)
        >>> preset("FR")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: name: fits several presets \
(met None; expected name, region or day of one of: residential; shops; offices)
    """
    day = day_or_none(on)
    found = find(country)
    named = [each for each in found if _is(each.name, name)]
    if not named:
        raise _unknown("name", name, (each.name for each in found))
    there = [each for each in named if _is(each.region, region)]
    if not there:
        regions = (each.region or "none" for each in named)
        raise _unknown("region", region, regions)
    now = [each for each in there if each.holds_on(day)]
    if not now:
        raise _unknown("on", day, (each.label for each in there))
    if len(now) > 1:
        labels = _SEPARATOR.join(dict.fromkeys(each.label for each in now))
        said = "fits several presets"
        expected = f"name, region or day of one of: {labels}"
        raise InvalidRecordError.of("name", "preset_needed", said, name, expected)
    return now[0]


def country_code(country: str) -> str:
    """Return a country's code in the form of the tables.

    Raises:
        UnknownWordError: No table has it.

    Examples:
        >>> country_code("dk"), country_code("UK")
        ('DK', 'GB')
    """
    if isinstance(country, str):
        code = country.upper()
        code = _ALSO.get(code, code)
        if code in COUNTRIES:
            return code
    raise _unknown("country", country, COUNTRIES)


def day_or_none(on: date | str | None) -> date | None:
    return None if on is None else date.fromordinal(day_of(on, "on"))


def _is(own: str | None, wanted: str | None) -> bool:
    """Return whether a word is the requested one, in upper or lower case; without one, always."""
    return wanted is None or (own is not None and own.casefold() == wanted.casefold())


def _unknown(field: str, met: object, known: Iterable[str]) -> UnknownWordError:
    words = _SEPARATOR.join(dict.fromkeys(known))
    said = "has no preset"
    return UnknownWordError.of(field, "unknown_preset", said, met, f"one of: {words}")
