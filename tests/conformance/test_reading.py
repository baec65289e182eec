"""Answers of a service with this interface are read by the same records, field by field."""

import json
from typing import Any, Final

import pytest

from rentbilling import InvalidInputError, dumps, loads
from rentbilling.interface import ENDPOINTS
from rentbilling.records import RawRecord, read_json
from tests.conformance.answers import BARE, BILLS, PLACES, WHOLE
from tests.conformance.fields import Field, fields_of
from tests.conformance.proving import cases
from tests.conformance.samples import Data, at, changed
from tests.conformance.test_requests import WRONG

ANSWERS: Final = {
    each.path if each.path != "/pending-bills" else BILLS: each.answer
    for each in ENDPOINTS.values()
    if each.method == "GET" and not each.in_path
}
READ: Final = tuple(
    field
    for field in fields_of(*PLACES)
    # Items are listed by an operation of ours.
    if PLACES[field.section][0] != "/recurring-bill-items"
)


def document(address: str, path: str) -> Data:
    """Return the listed objects, first one that contains the parents of a field."""
    name, *inside = path.split(".")[:-1]
    # Of its own, so that a change of one VAT changes no other.
    data: Data = json.loads(json.dumps(WHOLE[address]))
    data[name].sort(key=lambda each: not (inside and any(at(each, ".".join(inside)))))
    return data


@pytest.mark.parametrize("sample", [WHOLE, BARE], ids=["whole", "bare"])
@pytest.mark.parametrize("address", WHOLE)
def test_what_is_listed_is_read_and_written_again(address: str, sample: dict[str, object]) -> None:
    """Every answer of a service becomes records, which are written as the same JSON."""
    text = json.dumps(sample[address])
    record = loads(text, ANSWERS[address], from_service=True)

    assert read_json(text) == read_json(dumps(record))


def wrong(text: str, kind: type[Any]) -> list[str]:
    """Return the paths of what is wrong with a list, or with the plans that come as raw data."""
    try:
        listed = loads(text, kind, from_service=True)
    except InvalidInputError as error:
        return [each.path for each in error.problems]
    (objects,) = dict(listed).values()
    return [
        f"rentAdjustmentPlans.{problem.path}"
        for each in objects
        if isinstance(each, RawRecord)
        for problem in each.problems
    ]


@pytest.mark.parametrize("field", cases(READ))
def test_an_answer_with_a_value_of_another_type_is_refused(field: Field) -> None:
    """A wrong type in an answer of a service is refused, and the problem names the field."""
    address, path = PLACES[field.section]
    there = f"{path}.{field.name}"
    for value in WRONG[field.kind]:
        text = json.dumps(changed(document(address, there), there, value))
        paths = [path.replace("[0]", "") for path in wrong(text, ANSWERS[address])]

        assert paths, value
        assert all(each.startswith(there) for each in paths), (value, paths)
