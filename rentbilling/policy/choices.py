"""The choices of a policy, one by one: how each is checked and read.

Law: every wrong choice is a problem with its path, so that all are reported together.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args

from rentbilling.errors import NOT_KNOWN, InvalidInputError, InvalidPolicyError, Problem, shown
from rentbilling.policy.words import WORDS, PartPeriod, PartPeriods
from rentbilling.values import (
    Recurrence,
    RecurringDays,
    exact_number,
    holiday,
    listed_days,
    minor_units,
    number,
)

T = TypeVar("T")

_MAPPINGS: Final = MappingProxyType(
    {
        "currencies": "the minor units by code, such as {'XTS': 2}",
        "cash_rounding": "the smallest steps by currency, such as {'DKK': '0.50'}",
        "by_product": "policies by product key, such as {'key:parking': BillingPolicy(…)}",
    }
)
"""What each mapping is, for a message."""


def unknown_field(name: str, value: object, known: Sequence[str]) -> Problem:
    """Return the problem of an unknown field, with the one that was probably meant."""
    from difflib import get_close_matches  # noqa: PLC0415 - it takes long to import, and few err

    near = get_close_matches(name, known, 1)
    expected = f"a known field, such as {near[0]}" if near else f"one of {', '.join(known)}"
    return Problem(name, "unknown_field", "is not a field", shown(value), expected)


def one_of(name: str) -> str:
    """Return the words of a field, for a message."""
    return "one of " + ", ".join(get_args(WORDS[name]))


def ends_of(given: object) -> Mapping[str, Any]:
    """Return the words of the two ends by their names."""
    return given._asdict() if isinstance(given, PartPeriods) else given  # type: ignore[return-value]


def end_problems(given: object) -> Iterator[Problem]:
    """Give what is wrong with the words of the ends of a rent (A66)."""
    said, expected = NOT_KNOWN, one_of("part_period")
    if not isinstance(given, (Mapping, PartPeriods)):
        yield Problem("part_period", "unknown_word", said, shown(given), expected)
        return
    for end, word in ends_of(given).items():
        if end not in PartPeriods._fields:
            unknown = unknown_field(str(end), word, list(PartPeriods._fields))
            yield unknown._replace(path=f"part_period.{end}")
        elif not isinstance(word, str) or word not in get_args(PartPeriod):
            yield Problem(f"part_period.{end}", "unknown_word", said, shown(word), expected)


def listed_holidays(holidays: object) -> list[date]:
    """Return holidays in order; refuse a container that cannot be listed."""
    if not isinstance(holidays, frozenset):
        code, said = "not_listable", "cannot be listed"
        expected = "a set of dates, such as those of a rule between two days"
        raise InvalidPolicyError.of("holidays", code, said, holidays, expected)
    return sorted(holidays)


def holidays_of(given: Container[date] | Recurrence) -> Container[date]:
    """Return what a caller gave as holidays, each listed day checked."""
    listed = listed_days(given)
    if listed is not None:
        return holiday_set(listed)
    return RecurringDays(given) if isinstance(given, Recurrence) else given


def holiday_set(holidays: Iterable[object]) -> frozenset[date]:
    """Return holidays that were listed, with every problem at its place; a set has no places."""
    if isinstance(holidays, Sequence):
        return frozenset(each_read(((f"[{at}]", day) for at, day in enumerate(holidays)), holiday))
    return frozenset(each_read((("", day) for day in sorted(holidays, key=shown)), holiday))


def items_of(policy: object, name: str, problems: list[Problem]) -> list[tuple[str, Any]]:
    """Return the pairs of a mapping field; a problem where it is none."""
    value = getattr(policy, name)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return list(value.items())
    problems.append(wrong(name, value, _MAPPINGS[name]))
    return []


def step_problems(private: Mapping[str, int], code: str, step: object) -> list[Problem]:
    """Return the problems of a cash step, a positive multiple of the minor unit."""
    path = f"cash_rounding.{code}"
    try:
        places = minor_units(code, private)
        exact = Fraction(step_of(step))
    except InvalidInputError as error:
        return [problem._replace(path=path) for problem in error.problems]
    if exact <= 0 or (exact * 10**places).denominator != 1:
        return [wrong(path, step, "a multiple of the minor unit above 0, such as 0.50")]
    return []


def step_of(given: object) -> Decimal:
    """Return a cash step given as a number or as its text (A1)."""
    return exact_number(given, "0.50") if isinstance(given, str) else number(given, "0.50")


def wrong(path: str, met: object, expected: str) -> Problem:
    """Return the problem of a value that is not usable."""
    return Problem(path, "wrong_value", "is not usable", shown(met), expected)


def each_read(places: Iterable[tuple[str, Any]], read: Callable[[Any], T]) -> list[T]:
    """Return each value as it reads, with every problem of all of them at its place."""
    values: list[T] = []
    problems: list[Problem] = []
    for place, value in places:
        try:
            values.append(read(value))
        except InvalidInputError as error:
            problems += error.under(str(place)).problems
    if problems:
        raise InvalidPolicyError(problems)
    return values
