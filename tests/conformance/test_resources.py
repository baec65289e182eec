"""Every field of every resource is answered over HTTP with the interface's name and type."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

import pytest

from rentbilling.values import Period
from tests.conformance.answers import OURS, PLACES, expected
from tests.conformance.fields import Field, fields_of
from tests.conformance.proving import cases, proves
from tests.conformance.samples import LISTS, PLAN, at, listed

RESOURCES: Final = fields_of(*PLACES)
ADDED: Final = {
    # What a resource has in the words of another one.
    "Tenancy: address": "Tenancy address",
    "Tenancy: currentLease": "Lease",
    "Rent adjustment plan: rentAdjustmentRules": "Rent adjustment rule",
    "Rent adjustment plan: adjustments": "Rent adjustment",
    "Rent adjustment: adjustmentRulesEffects": "Effect",
    "Pending bill: pendingBillLineItems": "Line item",
}


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_number(value: object) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_amount(value: object) -> bool:
    """Return whether this is an amount: a currency and a number, nothing else."""
    return (
        isinstance(value, dict)
        and ["amount", "currency"] == sorted(value)
        and is_text(value["currency"])
        and is_number(value["amount"])
    )


def is_vat(value: object) -> bool:
    """Return whether this is a VAT: a mode, and a rate where there is one."""
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
    """Return the values of a field that must be listed, and those that are."""
    address, path = PLACES[field.section]
    there = f"{path}.{field.name}"
    return at(expected(address, whole=whole), there), at(listed(address, whole=whole), there)


def _objects(data: Any, path: str) -> list[dict[str, Any]]:  # noqa: ANN401
    return [one for each in at(data, path) for one in (each if isinstance(each, list) else [each])]


def stands_in_bare(field: Field) -> bool:
    """Return whether the bare service lists an object that could have a field."""
    address, path = PLACES[field.section]
    *way, _ = f"{path}.{field.name}".split(".")
    return bool(_objects(expected(address, whole=False), ".".join(way)))


@pytest.mark.parametrize("field", cases(RESOURCES))
def test_a_field_comes_back(field: Field) -> None:
    """By its name and with its value, in every resource of the whole service that has one."""
    told, found = values(field, whole=True)

    assert told
    assert told == found


@pytest.mark.parametrize("field", cases(RESOURCES))
def test_a_field_has_its_type(field: Field) -> None:
    """At least one value is listed, and each has the type of the interface."""
    _, found = values(field, whole=True)
    _, more = values(field, whole=False)
    assert found
    strangers = [each for each in (*found, *more) if not TYPES[field.kind](each)]

    assert [] == strangers


@pytest.mark.parametrize("field", cases(field for field in RESOURCES if stands_in_bare(field)))
def test_a_field_of_bare_objects_has_its_computed_value(field: Field) -> None:
    """Only required fields were sent: the answer has these and the fields computed from them."""
    told, found = values(field, whole=False)

    assert told == found


@pytest.mark.parametrize("field", cases(field for field in RESOURCES if field.need == "applicable"))
@proves("Resources and their fields 4", "Gaps in the resource definitions 2")
def test_a_field_that_does_not_apply_is_absent(field: Field) -> None:
    """A field "if applicable" is left out, and not null, if it does not apply (A6).

    One of them always applies here: the service gives every product an identifier.
    """
    _, found = values(field, whole=False)

    assert ([] if field.key != "Product: productId" else ["id-5"]) == found


@pytest.mark.parametrize(
    "field",
    cases(
        field for field in RESOURCES if field.kind in ("array", "strings") and "." not in field.name
    ),
)
@proves("Gaps in the resource definitions 2")
def test_a_list_is_always_there(field: Field) -> None:
    """Every object of either service has the list, even if it is empty (A72)."""
    address, path = PLACES[field.section]
    for whole in (True, False):
        objects = _objects(listed(address, whole=whole), path)

        assert objects
        assert [True] * len(objects) == [isinstance(each.get(field.name), list) for each in objects]


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "bare"])
@pytest.mark.parametrize("address", LISTS)
@proves("Gaps in the resource definitions 2")
def test_every_listed_object_was_expected(address: str, whole: bool) -> None:
    """Whole answers equal those worked out by hand: no other field, no missing one, no null."""
    assert expected(address, whole=whole) == listed(address, whole=whole)


@pytest.mark.parametrize("section", PLACES)
def test_objects_have_no_other_fields(section: str) -> None:
    """Other fields than those of the interface are the extensions that the page names."""
    address, path = PLACES[section]
    known = {field.name.split(".")[0] for field in fields_of(section)} | {*OURS.get(section, ())}
    found = {name for each in _objects(listed(address, whole=True), path) for name in each}

    assert found <= known


@pytest.mark.parametrize(("key", "section"), ADDED.items())
def test_an_object_within_another_has_the_fields_of_its_kind(key: str, section: str) -> None:
    """A resource inside another one has all fields of that resource."""
    (field,) = (each for each in RESOURCES if each.key == key)
    _, found = values(field, whole=True)
    names = {each.name.split(".")[0] for each in fields_of(section)} | {*OURS.get(section, ())}
    told = {
        name
        for each in found
        for one in (each if isinstance(each, list) else [each])
        for name in one
    }

    assert told <= names
    assert told


@proves("Tenancy: currentLease")
def test_the_current_lease_equals_the_listed_lease() -> None:
    """The lease inside a tenancy and the one in the list of leases are the same, field by field."""
    (inside,) = at(listed("/tenancies", whole=True), "tenancies.currentLease")

    assert listed("/leases", whole=True)["leases"][0] == inside


@proves("Resources and their fields 1", "Resources and their fields 2")
def test_dates_and_moments_are_written_as_iso_8601() -> None:
    """A date has a year, a month and a day; a date-time has the time and its offset too (A58)."""
    dates = [each for field in RESOURCES if field.kind == "date" for each in _texts(field)]
    moments = [each for field in RESOURCES if field.kind == "date-time" for each in _texts(field)]

    assert dates
    assert moments
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", each) for each in dates)
    assert all(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", each) for each in moments
    )


def _texts(field: Field) -> list[str]:
    return values(field, whole=True)[1]


@proves("Resources and their fields 3")
def test_identifiers_are_strings() -> None:
    """Every field whose name ends in id or ids contains texts."""
    ids = [
        each
        for field in RESOURCES
        if field.name.split(".")[-1].lower().endswith(("id", "ids")) and field.name != "groupId"
        for value in _texts(field)
        for each in (value if isinstance(value, list) else [value])
    ]

    assert ids
    assert all(map(is_text, ids))


@proves(
    "Line item: accountingPeriod",
    "Recurring bill item: firstBillingPeriodBillItem.accountingPeriod",
    "Pending bill 1",
)
def test_accounting_periods_are_two_days_with_a_slash() -> None:
    """`YYYY-MM-DD/YYYY-MM-DD`, and both days belong to it (A4)."""
    bills, items = listed(LISTS[5], whole=True), listed(LISTS[6], whole=True)
    periods = at(bills, "bills.pendingBillLineItems.accountingPeriod") + at(
        items, "recurringBillItems.firstBillingPeriodBillItem.accountingPeriod"
    )

    assert 8 == len(periods)
    assert all(each == str(Period.parse(each)) for each in periods)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d/\d{4}-\d\d-\d\d", each) for each in periods)


@proves("Pending bill 1")
def test_a_line_item_has_seven_fields() -> None:
    """Every line of every bill has exactly these."""
    names = {field.name for field in fields_of("Line item")}
    lines = _objects(listed(LISTS[5], whole=True), "bills.pendingBillLineItems")

    assert [names] * 6 == [each.keys() for each in lines]


@proves("Rent adjustment 1")
def test_an_adjustment_has_the_effect_of_each_rule() -> None:
    """The adjustments that the service computed have effects, which name the rules of the plan."""
    plans = listed("/rent-adjustment-plans", whole=True)["rentAdjustmentPlans"]
    computed, _ = plans
    effects = at(computed, "adjustments.adjustmentRulesEffects.rentAdjustmentRuleId")
    names = {field.name for field in fields_of("Effect")}
    (effect,) = computed["adjustments"][0]["adjustmentRulesEffects"]

    # No adjustment was sent.
    assert "adjustments" not in PLAN
    assert ["rule-index"] == effects == at(computed, "rentAdjustmentRules.id")
    assert names == effect.keys()


@proves("Pending bill: vatTotals", "Pending bill: subtotal", "Pending bill: total")
def test_sums_of_a_bill_agree() -> None:
    """Subtotal = net prices; total = subtotal + VAT of each rate, on every bill (A30)."""
    for bill in listed(LISTS[5], whole=True)["bills"]:
        nets = at(bill, "pendingBillLineItems.netPrice.amount")
        vats = at(bill, "vatTotals.amount.amount")

        assert sum(nets) == bill["subtotal"]["amount"]
        assert sum(nets) + sum(vats) == bill["total"]["amount"]
