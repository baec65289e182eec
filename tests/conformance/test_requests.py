"""Every field of a request has its name and type, and is required where the interface says so."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from rentbilling.records import read_json
from tests.adapters.http.served import ask, check_problem, data_of, service
from tests.conformance import samples
from tests.conformance.fields import Field, fields_of
from tests.conformance.proving import cases, proves

ITEMS: Final = "POST /recurring-bill-items"
TENANCIES: Final = "POST /tenancies"
REQUESTS: Final = fields_of(ITEMS, TENANCIES)
# The cycle's own fields are told in a note; two of them together are what a cycle is (A7, A8).
REQUIRED: Final = tuple(
    field for field in REQUESTS if field.need == "required" or ".billingCycle." in field.name
)
OPTIONAL: Final = tuple(field for field in REQUESTS if field.need == "optional")

NO_AMOUNTS: Final[tuple[object, ...]] = (
    8500,
    "8500.00 DKK",
    True,
    [],
    {},
    {"amount": 1},
    {"currency": "DKK"},
)
WRONG: Final[Mapping[str, tuple[object, ...]]] = {
    "string": (True, 1, 0.5, [], ["x"], {}),
    "number": (True, "1", "one", [], {}),
    "integer": (True, "1", 1.5, [], {}),
    "boolean": (0, 1, "true", [], {}),
    "date": (True, 20260131, "31-01-2026", "2026-02-30", "2026-01-31T12:00:00Z", "", [], {}),
    "date-time": (True, 1, "2026-01-31", "2026-01-31T12:00:00", "noon", [], {}),
    "amount": (*NO_AMOUNTS, {"currency": 208, "amount": 1}, {"currency": "DKK", "amount": "1"}),
    "vat": (0.25, "Exempt", True, [], {}, {"taxRate": 0.25}, {"taxMode": 1}),
    "object": (True, 1, "words", [], ["x"]),
    "array": (True, 1, "words", {}),
    "strings": (True, 1, "words", {}, [1], [None], [{}]),
}
"""Values that are not of a type."""


def sent(field: Field) -> samples.Data:
    if field.section == TENANCIES:
        return samples.TENANCY
    item = samples.PARKING if field.name.endswith("discount.amount") else samples.RENT
    return {"leaseId": "id-2", "recurringBillItem": item}


def post(section: str, body: samples.Data) -> Any:  # noqa: ANN401
    of = service()
    samples.told(of, "POST", "/tenancies", samples.TENANCY)
    return ask(of, "POST", section.removeprefix("POST "), body)


def spoiled(field: Field) -> list[object]:
    more: tuple[object, ...] = ()
    if field.name.endswith("accountingPeriod"):
        more = ("2026-01-15", "2026-01-31/2026-01-15", "2026-01/2026-02", "a/b")
    if field.name.endswith(("periodLength", "billingCycle.start")):
        # Whole numbers (A7, A8).
        more = (1.5,)
    return [*WRONG[field.kind], *more]


@pytest.mark.parametrize("field", cases(REQUIRED))
@proves("Errors 1")
def test_a_missing_required_field_is_refused_with_its_path(field: Field) -> None:
    """400, and the only problem has the path of the field, also if it is null (A6, A46)."""
    for body in (
        samples.without(sent(field), field.name),
        samples.changed(sent(field), field.name, None),
    ):
        answer = post(field.section, body)
        problems = data_of(answer).get("problems", [])

        assert 400 == answer.status
        assert [(field.name, "missing")] == [(each["path"], each["code"]) for each in problems]


@pytest.mark.parametrize("field", cases(OPTIONAL))
def test_an_optional_field_may_be_absent(field: Field) -> None:
    """201 without it, and with null (A6, A47)."""
    for body in (
        samples.without(sent(field), field.name),
        samples.changed(sent(field), field.name, None),
    ):
        assert 201 == post(field.section, body).status


@pytest.mark.parametrize("field", cases(REQUESTS))
@proves("Errors 1")
def test_a_value_of_another_type_is_refused_with_its_path(field: Field) -> None:
    """400 for each, and every problem has the path of the field or of a part of it (A46)."""
    for value in spoiled(field):
        answer = post(field.section, samples.changed(sent(field), field.name, value))
        paths = {each["path"] for each in data_of(answer).get("problems", ())}

        assert 400 == answer.status, value
        assert paths, value
        assert all(f"{each}.".startswith(f"{field.name}.") for each in paths), (value, paths)


@pytest.mark.parametrize("field", cases(REQUESTS))
def test_the_value_sent_is_the_value_stored(field: Field) -> None:
    """A value of a request is in the lists of the service."""
    of = service()
    samples.told(of, "POST", "/tenancies", samples.TENANCY)
    if field.section == TENANCIES:
        name = field.name
        where = ("/leases", "leases") if name == "purpose" else ("/tenancies", "tenancies")
    else:
        samples.told(of, "POST", "/recurring-bill-items", sent(field))
        name = field.name.removeprefix("recurringBillItem").lstrip(".")
        where = ("/recurring-bill-items", "recurringBillItems")
    (value,) = samples.at(sent(field), field.name)
    (found,) = samples.at(samples.told(of, "GET", where[0]), f"{where[1]}.{name}".rstrip("."))
    if isinstance(found, list):
        (found,) = found

    if isinstance(value, dict):
        # The service adds what it alone knows: who it is, and the street in one text.
        found = {each: inner for each, inner in found.items() if each in value}
    assert read_json(json.dumps(value)) == found


@proves(f"{ITEMS} 2", f"{ITEMS}: recurringBillItem.discount")
@pytest.mark.parametrize(
    ("discount", "status"),
    [
        ({"amount": samples.money(100)}, 201),
        ({"percentage": 0.1}, 201),
        ({"amount": samples.money(100), "percentage": 0.1}, 400),
        ({}, 400),
        ({"description": "Byggeri", "endDate": "2026-06-30"}, 400),
    ],
)
def test_a_discount_is_an_amount_or_a_percentage(discount: samples.Data, status: int) -> None:
    """Exactly one of the two; the problem has the path of the discount (A22)."""
    item = samples.BARE_ITEM | {"discount": discount}
    answer = post(ITEMS, {"leaseId": "id-2", "recurringBillItem": item})

    assert status == answer.status
    if status == 400:
        check_problem(answer, 400, "one_of_two", "recurringBillItem.discount")
