"""What a service with this interface lists is read by the same records, field by field."""

import json
from typing import Final

import pytest

from rentbilling import ENDPOINTS, InvalidInputError, dumps, loads
from rentbilling.records.json_text import read_json
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
    """Return what is listed, an object first that has what stands around a field."""
    name, *inside = path.split(".")[:-1]
    # Of its own, so that a change of one VAT changes no other.
    data: Data = json.loads(json.dumps(WHOLE[address]))
    data[name].sort(key=lambda each: not (inside and any(at(each, ".".join(inside)))))
    return data


@pytest.mark.parametrize("sample", [WHOLE, BARE], ids=["whole", "bare"])
@pytest.mark.parametrize("address", WHOLE)
def test_what_is_listed_is_read_and_written_again(address: str, sample: dict[str, object]) -> None:
    text = json.dumps(sample[address])
    record = loads(text, ANSWERS[address], from_service=True)

    assert read_json(text) == read_json(dumps(record))


@pytest.mark.parametrize("field", cases(READ))
def test_an_answer_with_a_value_of_another_type_is_refused(field: Field) -> None:
    address, path = PLACES[field.section]
    there = f"{path}.{field.name}"
    for value in WRONG[field.kind]:
        text = json.dumps(changed(document(address, there), there, value))
        with pytest.raises(InvalidInputError) as caught:
            loads(text, ANSWERS[address], from_service=True)
        paths = [each.path.replace("[0]", "") for each in caught.value.problems]

        assert paths, value
        assert all(each.startswith(there) for each in paths), (value, paths)
