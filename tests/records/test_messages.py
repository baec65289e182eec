"""Refusals of unknown fields name the one that may have been meant, or else those there are."""

import json
from time import process_time
from typing import Any

import pytest
from pydantic import ValidationError

from rentbilling import AmountRecord, LeaseTerms, RecurringBillItem, loads
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import ChangeTenancy, CreateTenancy, PageRequest
from rentbilling.records import Record
from rentbilling.records.fields import Allowance
from rentbilling.records.messages import error_from, value_words
from tests.support.rents import rent
from tests.support.rows import rows

FIELDS = "streetName, streetNumber, postalCode, city, country, floor, door, subdivision, co"
OF_AN_ITEM = "id, productKey, description, amount, quantity, vat, dueDateRule, billingCycle"


def expected(kind: type[Record], data: object) -> dict[str, str]:
    """Return what is expected in the place of each unknown field, by its path."""
    with pytest.raises(InvalidRecordError) as caught:
        loads(json.dumps(data), kind)
    return {
        each.path: each.expected for each in caught.value.problems if each.code == "unknown_field"
    }


@rows(
    ("kind", "data", "found"),
    [
        (PageRequest, {"limt": 5}, {"limt": "a known field, such as limit"}),
        (PageRequest, {"Limit": 5}, {"Limit": "a known field, such as limit"}),
        (PageRequest, {"limt": 5, "limit": 5}, {"limt": "one of limit, startingAfter"}),
        (
            PageRequest,
            {"starting_afer": "a"},
            {"starting_afer": "a known field, such as starting_after"},
        ),
        (PageRequest, {"page": 5}, {"page": "one of limit, startingAfter"}),
        (
            PageRequest,
            {"startingAfter": "a", "starting_after": "b"},
            {"starting_after": "startingAfter or starting_after, not both"},
        ),
        (CreateTenancy, {"address": {"zip": 1}}, {"address.zip": f"one of {FIELDS}"}),
        (
            CreateTenancy,
            {"address": {"postcode": 1, "stret": 2}, "porpose": 3},
            {
                "address.postcode": "a known field, such as postalCode",
                "address.stret": "a known field, such as streetName",
                "porpose": "a known field, such as purpose",
            },
        ),
        (
            ChangeTenancy,
            {"roomCounts": [{"typ": 1, "count": 2}]},
            {"roomCounts[0].typ": "a known field, such as type"},
        ),
        (
            LeaseTerms,
            {"recurringBillItems": [{"sum": 1}]},
            {"recurringBillItems[0].sum": f"one of {OF_AN_ITEM}, …"},
        ),
        (
            AmountRecord,
            {"value": {"currency": "DKK", "amount": 1, "unit": 2}},
            {"value.unit": "currency or amount"},
        ),
        (PageRequest, {"x" * 10_000: 1}, {"x" * 10_000: "one of limit, startingAfter"}),
    ],
)
def test_the_nearest_known_field_is_named(
    kind: type[Record], data: object, found: dict[str, str]
) -> None:
    """In the caller's spelling, of those that are not there yet; otherwise the known ones."""
    assert found == expected(kind, data)


def test_it_is_the_same_in_python() -> None:
    wrong: Any = {"ended_o": "2026-12-31"}
    with pytest.raises(InvalidRecordError) as caught:
        rent().evolve(**wrong)

    assert ["a known field, such as ended_on"] == [each.expected for each in caught.value.problems]


def test_many_unknown_fields_cost_little() -> None:
    """Of 9,000 that are nearly known a few are compared; the known ones are listed each time."""
    data = {f"productKe{at}": at for at in range(9_000)}
    begun = process_time()
    found = [*expected(RecurringBillItem, data).values()]

    assert process_time() - begun < 2
    assert ["a known field, such as productKey"] * 20 == found[:20]
    assert {f"one of {OF_AN_ITEM}, …"} == {*found[20:]}


def test_without_a_record_no_field_is_named() -> None:
    fault: Any = {"type": "extra_forbidden", "loc": ("a",), "input": 1}
    error = ValidationError.from_exception_data("Anything", [fault])

    assert ["a known field"] == [each.expected for each in error_from(error, {"a": 1}).problems]


def test_a_field_of_no_known_record_is_a_value() -> None:
    assert ["a value", "a list", "a date, YYYY-MM-DD"] == [
        value_words(None, ("amount",)),
        value_words(LeaseTerms, ("recurringBillItems",)),
        value_words(LeaseTerms, ("contractStart",)),
    ]


def test_no_further_record_is_read_once_enough_is_wrong() -> None:
    """Two wrong records are more than the one that is described; the third is not read."""
    records = [{"value": "x", "start": "2026-01-01"}] * 3

    found: dict[bool, set[str]] = {}
    for bounded in (False, True):
        context = {"allowance": Allowance(1)} if bounded else {}
        with pytest.raises(InvalidRecordError) as caught:
            RecurringBillItem.model_validate({"amountRecords": records}, context=context)
        found[bounded] = {each.path for each in caught.value.problems}

    assert {f"amountRecords[{at}].value" for at in range(3)} < found[False]
    assert {"amountRecords[2].value"} == found[False] - found[True]
