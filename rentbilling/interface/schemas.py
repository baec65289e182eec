"""JSON schemas (draft 2020-12) of what `dumps` writes: records, policy, series, results."""

from dataclasses import fields
from datetime import date
from typing import Final, get_args, get_type_hints

from rentbilling.adjustments import AdjustmentResult
from rentbilling.errors import UnknownWordError, shown
from rentbilling.indices import IndexKind, IndexPoint, IndexSeries
from rentbilling.interface.bill_schemas import BillSchemas
from rentbilling.interface.endpoints import ENDPOINTS
from rentbilling.policy import OF_THE_BILL, VERSION, BillingPolicy
from rentbilling.records import (
    Definitions,
    Schema,
    an_object,
    definitions_for,
    or_null,
    plain,
    record_body,
    records_in,
    wire_name,
)
from rentbilling.terms import EXTENSIONS, AdjustmentList, LeaseTerms

RECORDS: Final = records_in(
    LeaseTerms,
    *(kind for each in ENDPOINTS.values() for kind in (each.request, each.answer)),
)
"""Lease terms, requests and answers, and every record inside them."""

SCHEMA_NAMES: Final = (
    *RECORDS,
    "BillingPolicy",
    "BillingResult",
    "BillingResultFull",
    "PendingBill",
    "PendingBillFull",
    "AdjustmentResult",
    "AdjustmentResultFull",
    "IndexSeries",
)
"""Names that `schema_of` knows; `Full` is what `dumps(…, full=True)` writes (A56)."""


def schema_of(name: str) -> Schema:
    """Return the JSON schema (draft 2020-12) of one of `SCHEMA_NAMES`, complete in itself.

    Names are read in any case; `Full` behind the name of a result means the full form (A56).

    Raises:
        UnknownWordError: There is no schema of that name.
        TypeError: The name is no text.

    Examples:
        >>> schema_of("DueDateRule")["required"]
        ['dayOfPeriod']
        >>> schema_of("Rent")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rentbilling.errors.UnknownWordError: is not a known schema (met 'Rent'; expected one of \
LeaseTerms, RecurringBillItem, ...)
    """
    if not isinstance(name, str):
        raise TypeError(f"a schema has a name such as 'LeaseTerms', not {shown(name)}")
    known = {each.lower(): each for each in SCHEMA_NAMES}.get(name.lower())
    if known is None:
        expected = "one of " + ", ".join(SCHEMA_NAMES)
        raise UnknownWordError.of("", "unknown_schema", "is not a known schema", name, expected)
    parts = Definitions()
    full = known.endswith("Full")
    bills = BillSchemas(parts, full=full)
    if known in RECORDS:
        parts = definitions_for(RECORDS[known])
        body = record_body(RECORDS[known], parts)
    elif known == BillingPolicy.__name__:
        body = _policy(whole_bill=True)
    elif known == IndexSeries.__name__:
        body = _series()
    elif known.startswith(AdjustmentResult.__name__):
        body = _adjustments(parts, full=full)
    else:
        body = bills.bill() if known.startswith("PendingBill") else bills.result()
        if known == "BillingResultFull":
            made = _adjustments(parts, full=True)["properties"]["adjustments"]
            body["properties"]["adjustments"] = made
    return parts.whole(known, body)


def _adjustments(parts: Definitions, *, full: bool) -> Schema:
    parts.answered = True
    body = record_body(AdjustmentList, parts)
    properties = body["properties"]
    if full:
        return {**body, "required": ["adjustments", "notices"]}
    del properties["notices"]
    for each in parts.found.values():
        for name in EXTENSIONS:
            each["properties"].pop(wire_name(name), None)
    return body


def _series() -> Schema:
    text: Schema = {"type": "string", "pattern": r"\S"}
    figure = {"type": ["number", "string"], "pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}
    point = plain(IndexPoint)
    points = {"type": ["array", "null"], "items": point}
    named = {"type": "object", "propertyNames": point}
    properties: Schema = {
        "name": text,
        "base": or_null(text),
        "kind": {"enum": [*get_args(IndexKind), None]},
        "values": {**named, "additionalProperties": figure},
        "known": or_null({**named, "additionalProperties": plain(date)}),
        "provisional": points,
        "assumed": points,
        "source": or_null(text),
    }
    change = {"properties": {"kind": {"const": "change"}}, "required": ["kind"]}
    within = {
        "then": {"minimum": -1, "maximum": 10},
        "else": {"exclusiveMinimum": 0},
    }
    limits = {
        branch: {"properties": {"values": {"additionalProperties": bounds}}}
        for branch, bounds in within.items()
    }
    said = "The values of one index on one base, by month, quarter or year."
    return {
        "description": said,
        **an_object(properties, ["name", "values"]),
        "if": change,
        **limits,
    }


def _policy(*, whole_bill: bool) -> Schema:
    hints = get_type_hints(BillingPolicy)
    properties: Schema = {"version": {"const": VERSION}}
    for name in (each.name for each in fields(BillingPolicy)):
        if whole_bill or name not in OF_THE_BILL:
            properties[wire_name(name)] = or_null(_policy_field(name, hints[name]))
    said = "Every choice the interface leaves open; what is absent has its default."
    return {"description": said, **an_object(properties, [])}


def _policy_field(name: str, hint: object) -> Schema:
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
