"""JSON schemas (draft 2020-12) of what is read and written: records, the policy, bills.

Laws: what `dumps` writes is valid under the schema of its name, and a schema refuses what the
reader refuses wherever one object alone shows it; what several objects demand of each other is left
to the reader.
What does not live here: reading and writing (`codec`), the fields themselves (`records`, `terms`,
`policy`), the schemas of values (`value_schemas`) and of bills (`bill_schemas`).
"""

from dataclasses import fields
from datetime import date
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from rentbilling.bill_schemas import BillSchemas
from rentbilling.errors import UnknownWordError
from rentbilling.money import Amount
from rentbilling.policy import VERSION, BillingPolicy
from rentbilling.records import (
    AmountRecord,
    BillingCycle,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    QuantityRecord,
    Record,
    VatRecord,
)
from rentbilling.tax import Vat
from rentbilling.terms import LeaseTerms, OneTimeBillItem, RecurringBillItem
from rentbilling.value_schemas import Definitions, Schema, an_object, or_null, plain

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_RECORDS: Final = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (
            LeaseTerms,
            RecurringBillItem,
            OneTimeBillItem,
            BillingCycle,
            DueDateRule,
            FirstBillingPeriodBillItem,
            Discount,
            AmountRecord,
            VatRecord,
            DescriptionRecord,
            QuantityRecord,
        )
    }
)

SCHEMA_NAMES: Final = (
    *_RECORDS,
    "BillingPolicy",
    "BillingResult",
    "BillingResultFull",
    "PendingBill",
    "PendingBillFull",
)
"""Names that `schema_of` knows; `Full` is what `dumps(…, full=True)` writes (A56)."""

# What is known of a field alone, beyond its type; each key is a record and its field on the wire.
_BOUNDS: Final = MappingProxyType(
    {
        "BillingCycle.periodLength": (1, 1200),
        "BillingCycle.start": (1, 12),
        "BillingCycle.startDay": (1, 31),
        "Discount.percentage": (0, 1),
    }
)
_WORDS: Final = MappingProxyType({"BillingCycle.timeUnit": ("Month", "Year", "Week", "Day")})
_FILLED: Final = frozenset(
    {
        "AmountRecord.id",
        "DescriptionRecord.id",
        "LeaseTerms.leaseId",
        "OneTimeBillItem.id",
        "OneTimeBillItem.productKey",
        "QuantityRecord.id",
        "RecurringBillItem.id",
        "RecurringBillItem.productKey",
        "VatRecord.id",
    }
)
_NOT_ZERO: Final = frozenset(
    {
        "DueDateRule.dayOfPeriod",
        "OneTimeBillItem.quantity",
        "QuantityRecord.value",
        "RecurringBillItem.quantity",
    }
)
_EMPTY: Final = frozenset({"LeaseTerms.balances", "LeaseTerms.rentAdjustmentPlans"})
_SAID: Final = MappingProxyType(
    {
        "BillingCycle.timeUnit": "Written like this, read in any case.",
        "BillingCycle.start": "Month and Year: calendar month of a start; Week: ISO weekday.",
        "BillingCycle.startDay": "Day of the month on which cycles start.",
        "Discount.amount": "Taken off each unit; either amount or percentage is given.",
        "Discount.percentage": "A fraction: 0.10 is ten percent.",
        "Discount.endDate": "Last day with the discount, included.",
        "DueDateRule.dayOfPeriod": "1 is the period's first day, -1 the day before it.",
        "DueDateRule.relativeTo": "end counts from the period's end.",
        "FirstBillingPeriodBillItem.amount": "Price of one unit for the opening period.",
        "LeaseTerms.currency": "The one currency of all items; absent where there are several.",
        "LeaseTerms.contractEnd": "The last day paid for, included.",
        "LeaseTerms.rentAdjustmentPlans": "Only an empty list is accepted so far.",
        "LeaseTerms.balances": "Only an empty list is accepted so far.",
        "RecurringBillItem.amount": "Price of one unit for one cycle, in the item's tax mode.",
        "RecurringBillItem.startedOn": "First due date; not after the opening due date.",
        "RecurringBillItem.cancelledOn": "Nothing falls due on or after it.",
        "RecurringBillItem.endedOn": "The last day paid for, included.",
    }
)
FIELDS_SAID: Final = frozenset({*_BOUNDS, *_WORDS, *_FILLED, *_NOT_ZERO, *_EMPTY, *_SAID})
"""Fields that are described beyond their type, so that tests can tell whether they exist."""

# Fields that only a whole bill has one of, so that a product's own policy cannot set them (A54).
_OF_THE_BILL: Final = frozenset(
    {
        "by_product",
        "cash_rounding",
        "currencies",
        "max_lines",
        "period_end",
        "select",
        "vat_rounding",
    }
)


def schema_of(name: str) -> Schema:
    """Return the JSON schema of a record, of the policy, or of bills as they are written.

    Args:
        name: One of `SCHEMA_NAMES`, in any case: the name of a record, `BillingPolicy`, or
            `BillingResult` and `PendingBill`, with `Full` behind it for the full form (A56).

    Returns:
        A schema of draft 2020-12 as plain data, complete in itself.

    Raises:
        UnknownWordError: There is no schema of that name.

    Examples:
        >>> schema_of("DueDateRule")["required"]
        ['dayOfPeriod']
        >>> schema_of("Lease")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rentbilling.errors.UnknownWordError: is not a known schema (met 'Lease'; expected one of \
LeaseTerms, RecurringBillItem, ...)
    """
    known = {each.lower(): each for each in SCHEMA_NAMES}.get(name.lower())
    if known is None:
        expected = "one of " + ", ".join(SCHEMA_NAMES)
        raise UnknownWordError.of("", "unknown_schema", "is not a known schema", name, expected)
    parts = Definitions()
    bills = BillSchemas(parts, full=known.endswith("Full"))
    if known in _RECORDS:
        body = _record(_RECORDS[known], parts)
    elif known == BillingPolicy.__name__:
        body = _policy(whole_bill=True)
    else:
        body = bills.bill() if known.startswith("PendingBill") else bills.result()
    whole = {"$schema": DIALECT, "title": known, **body}
    return {**whole, "$defs": parts.found} if parts.found else whole


def _record(kind: type[Record], parts: Definitions) -> Schema:
    """Return the schema of a record: its fields by their names on the wire."""
    properties: Schema = {}
    required: list[str] = []
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        schema = _field(f"{kind.__name__}.{wire}", field.annotation, parts)
        if field.is_required() or name in kind.required_on_wire:
            required.append(wire)
        elif field.default is not None:
            schema = or_null(schema)
        properties[wire] = schema
    said = _first_line(kind)
    return {"description": said, **an_object(properties, required), **_across(kind)}


def _field(place: str, kind: object, parts: Definitions) -> Schema:
    """Return the schema of a record's field, with what is known of the field alone."""
    schema: Schema = {"description": _SAID[place]} if place in _SAID else {}
    schema |= _type(kind, parts)
    if place in _WORDS:
        schema["enum"] = list(_WORDS[place])
    if place in _BOUNDS:
        schema["minimum"], schema["maximum"] = _BOUNDS[place]
    if place in _FILLED:
        schema["minLength"] = 1
    if place in _NOT_ZERO:
        schema["not"] = {"const": 0}
    if place in _EMPTY:
        schema["maxItems"] = 0
    return schema


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
    if issubclass(kind, Record):
        return parts.defined(kind.__name__, lambda: _record(kind, parts))
    return plain(kind)


def _across(kind: type[Record]) -> Schema:
    """Return what the fields of one record demand of each other."""
    if kind is Discount:
        # Exactly one of the two, where null is absent (A6, A22).
        either = {"amount": "object", "percentage": "number"}
        return {
            "oneOf": [
                {"properties": {name: {"type": word}}, "required": [name]}
                for name, word in either.items()
            ]
        }
    if kind is BillingCycle:
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


def _policy(*, whole_bill: bool) -> Schema:
    """Return the schema of a policy; of a product's own only the fields of its lines (A54)."""
    hints = get_type_hints(BillingPolicy)
    properties: Schema = {"version": {"const": VERSION}}
    for name in (each.name for each in fields(BillingPolicy)):
        if whole_bill or name not in _OF_THE_BILL:
            first, *rest = name.split("_")
            wire = first + "".join(word.capitalize() for word in rest)
            properties[wire] = or_null(_policy_field(name, hints[name]))
    said = "Every choice the interface leaves open; what is absent has its default."
    return {"description": said, **an_object(properties, [])}


def _policy_field(name: str, hint: object) -> Schema:
    """Return the schema of a policy's field."""
    if name == "holidays":
        return {"type": "array", "items": plain(date)}
    if name == "max_lines":
        return {"type": "integer", "minimum": 1}
    values: dict[str, Schema] = {
        "currencies": {"type": "integer", "minimum": 0, "maximum": 8},
        "cash_rounding": {"type": "number", "exclusiveMinimum": 0},
    }
    if name == "by_product":
        values[name] = _policy(whole_bill=False)
    if name in values:
        return {"type": "object", "additionalProperties": values[name]}
    return {"enum": list(get_args(hint))} if get_args(hint) else plain(bool)


def _first_line(kind: type) -> str:
    """Return the first line of a class's docstring."""
    return (kind.__doc__ or "").partition("\n")[0]
