"""JSON schemas of records: their fields as they stand on the wire.

Law: a schema refuses what the reader refuses wherever one object alone shows it; what several
objects demand of each other is left to the reader.
What does not live here: the fields themselves (`records`, `terms`), the schemas of values
(`value_schemas`), which schemas there are (`schemas`).
"""

from collections.abc import Mapping
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from rentbilling.money import Amount
from rentbilling.tax import Vat
from rentbilling.value_schemas import Definitions, Schema, an_object, or_null, plain


def _facts(description: str = "", **known: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """Return what is known of a field alone, as its schema says it."""
    return MappingProxyType({"description": description, **known} if description else known)


_FILLED: Final = _facts(minLength=1)
_NOT_ZERO: Final = MappingProxyType({"not": MappingProxyType({"const": 0})})
_EMPTY: Final = _facts("Only an empty list is accepted so far.", maxItems=0)

FIELD_FACTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "AmountRecord.id": _FILLED,
        "BillingCycle.timeUnit": _facts(
            "Written like this, read in any case.", enum=("Month", "Year", "Week", "Day")
        ),
        "BillingCycle.periodLength": _facts(minimum=1, maximum=1200),
        "BillingCycle.start": _facts(
            "Month and Year: calendar month of a start; Week: ISO weekday.", minimum=1, maximum=12
        ),
        "BillingCycle.startDay": _facts(
            "Day of the month on which cycles start.", minimum=1, maximum=31
        ),
        "DescriptionRecord.id": _FILLED,
        "Discount.amount": _facts("Taken off each unit; either amount or percentage is given."),
        "Discount.percentage": _facts("A fraction: 0.10 is ten percent.", minimum=0, maximum=1),
        "Discount.endDate": _facts("Last day with the discount, included."),
        "DueDateRule.dayOfPeriod": _facts(
            "1 is the period's first day, -1 the day before it.",
            minimum=-36_525,
            maximum=36_525,
            **_NOT_ZERO,
        ),
        "DueDateRule.relativeTo": _facts("end counts from the period's end."),
        "FirstBillingPeriodBillItem.amount": _facts("Price of one unit for the opening period."),
        "LeaseTerms.leaseId": _FILLED,
        "LeaseTerms.currency": _facts(
            "The one currency of all items; absent where there are several."
        ),
        "LeaseTerms.contractEnd": _facts("The last day paid for, included."),
        "LeaseTerms.rentAdjustmentPlans": _EMPTY,
        "LeaseTerms.balances": _EMPTY,
        "OneTimeBillItem.id": _FILLED,
        "OneTimeBillItem.productKey": _FILLED,
        "OneTimeBillItem.quantity": _NOT_ZERO,
        "QuantityRecord.id": _FILLED,
        "QuantityRecord.value": _NOT_ZERO,
        "RecurringBillItem.id": _FILLED,
        "RecurringBillItem.productKey": _FILLED,
        "RecurringBillItem.amount": _facts(
            "Price of one unit for one cycle, in the item's tax mode."
        ),
        "RecurringBillItem.quantity": _NOT_ZERO,
        "RecurringBillItem.startedOn": _facts("First due date; not after the opening due date."),
        "RecurringBillItem.cancelledOn": _facts("Nothing falls due on or after it."),
        "RecurringBillItem.endedOn": _facts("The last day paid for, included."),
        "VatRecord.id": _FILLED,
    }
)
"""What is known of a field beyond its type, by its record and its name on the wire."""


def schema_of_record(kind: type[BaseModel]) -> Schema:
    """Return the JSON schema of a record, complete in itself.

    Args:
        kind: The record.

    Returns:
        A schema of draft 2020-12 as plain data.
    """
    parts = Definitions()
    return parts.whole(kind.__name__, record_body(kind, parts))


def record_body(kind: type[BaseModel], parts: Definitions) -> Schema:
    """Return the schema of a record without what makes it a document of its own.

    Args:
        kind: The record.
        parts: Where definitions are kept.

    Returns:
        The schema of an object with the record's fields and no others.
    """
    properties: Schema = {}
    required: list[str] = []
    # Fields with a default in Python that a payload must have.
    on_wire: tuple[str, ...] = getattr(kind, "required_on_wire", ())
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        schema = _field(f"{kind.__name__}.{wire}", field.annotation, parts)
        if field.is_required() or name in on_wire:
            required.append(wire)
        elif field.default is not None:
            schema = or_null(schema)
        properties[wire] = schema
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"description": said, **an_object(properties, required), **_across(kind.__name__)}


def _field(place: str, kind: object, parts: Definitions) -> Schema:
    """Return the schema of a record's field, with what is known of the field alone."""
    known = {
        name: dict(fact) if isinstance(fact, Mapping) else list(fact) if name == "enum" else fact
        for name, fact in FIELD_FACTS.get(place, {}).items()
    }
    said = {"description": known.pop("description")} if "description" in known else {}
    return {**said, **_type(kind, parts), **known}


def _type(kind: Any, parts: Definitions) -> Schema:  # noqa: ANN401
    """Return the schema of a value of a Python type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return or_null(_type(inner, parts))
    if origin is Annotated:
        return _type(arguments[0], parts)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        items = {} if arguments[0] is Any else _type(arguments[0], parts)
        return {"type": "array", "items": items}
    return _of_class(kind, parts)


def _of_class(kind: type, parts: Definitions) -> Schema:
    """Return the schema of a value of a class."""
    if kind is Amount:
        return parts.amount()
    if kind is Vat:
        return parts.vat()
    if issubclass(kind, BaseModel):
        return parts.defined(kind.__name__, lambda: record_body(kind, parts))
    return plain(kind)


def _across(record: str) -> Schema:
    """Return what the fields of one record demand of each other."""
    if record == "Discount":
        # Exactly one of the two, where null is absent (A6, A22).
        either = {"amount": "object", "percentage": "number"}
        return {
            "oneOf": [
                {"properties": {name: {"type": word}}, "required": [name]}
                for name, word in either.items()
            ]
        }
    if record == "BillingCycle":
        # A week starts on one of seven days, and neither unit knows days of a month (A8, A9).
        last = {"Week": 7, "Day": 1}
        return {
            "allOf": [
                {
                    "if": {"properties": {"timeUnit": {"const": unit}}, "required": ["timeUnit"]},
                    "then": {"properties": {"start": {"maximum": most}, "startDay": {"const": 1}}},
                }
                for unit, most in last.items()
            ]
        }
    return {}
