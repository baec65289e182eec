"""Every field of every resource is answered over HTTP with the interface's name and type."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

import pytest

from tests.conformance.answers import OURS, PLACES, expected
from tests.conformance.fields import Field, fields_of
from tests.conformance.proving import cases, proves
from tests.conformance.samples import LISTS, at, listed

RESOURCES: Final = fields_of(*PLACES)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_number(value: object) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_amount(value: object) -> bool:
    return (
        isinstance(value, dict)
        and ["amount", "currency"] == sorted(value)
        and is_text(value["currency"])
        and is_number(value["amount"])
    )


def is_vat(value: object) -> bool:
    return (
        isinstance(value, dict)
        and {"taxMode"} <= value.keys() <= {"taxMode", "taxRate"}
        and is_text(value["taxMode"])
        and is_number(value.get("taxRate", 0))
    )


def is_date(value: object) -> bool:
    """Return whether this is a date as ISO 8601 writes it, and no date-time."""
    return isinstance(value, str) and value == date.fromisoformat(value).isoformat()


def is_moment(value: object) -> bool:
    """Return whether this is a date-time of ISO 8601 with its offset (A58)."""
    return isinstance(value, str) and datetime.fromisoformat(value).utcoffset() is not None


TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "string": is_text,
    "number": is_number,
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: type(value) is bool,
    "date": is_date,
    "date-time": is_moment,
    "amount": is_amount,
    "vat": is_vat,
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "strings": lambda value: isinstance(value, list) and all(map(is_text, value)),
}


def values(field: Field, *, whole: bool) -> tuple[list[Any], list[Any]]:
    address, path = PLACES[field.section]
    there = f"{path}.{field.name}"
    return at(expected(address, whole=whole), there), at(listed(address, whole=whole), there)


def _objects(data: Any, path: str) -> list[dict[str, Any]]:  # noqa: ANN401
    return [one for each in at(data, path) for one in (each if isinstance(each, list) else [each])]


@pytest.mark.parametrize("field", cases(RESOURCES))
def test_a_field_comes_back(field: Field) -> None:
    """By its name and with its value, wherever one of the two services has it, and not as null."""
    for whole in (True, False):
        told, found = values(field, whole=whole)

        assert told == found
        assert told or not whole


@pytest.mark.parametrize("field", cases(RESOURCES))
@proves(*(f"Resources and their fields {number}" for number in (1, 2, 3)))
def test_a_field_has_its_type(field: Field) -> None:
    """Each value has the type of the interface: dates as in ISO 8601, ids as texts (A58)."""
    _, found = values(field, whole=True)
    _, more = values(field, whole=False)
    assert found
    strangers = [each for each in (*found, *more) if not TYPES[field.kind](each)]

    assert [] == strangers


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "bare"])
@pytest.mark.parametrize("address", LISTS)
@proves(
    "Resources and their fields 4",
    "Rent adjustment 1",
    "Pending bill 1",
    "Gaps in the resource definitions 2",
)
def test_every_listed_object_was_expected(address: str, whole: bool) -> None:
    """Answers are those worked out by hand: no other field, no missing one, no null (A6, A72)."""
    assert expected(address, whole=whole) == listed(address, whole=whole)


@pytest.mark.parametrize("section", PLACES)
def test_objects_have_no_other_fields(section: str) -> None:
    """Other fields than those of the interface are the extensions that the page names."""
    address, path = PLACES[section]
    known = {field.name.split(".")[0] for field in fields_of(section)} | {*OURS.get(section, ())}
    found = {name for each in _objects(listed(address, whole=True), path) for name in each}

    assert found <= known
