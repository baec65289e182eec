"""The JSON schema of an index series."""

from typing import get_args

from rentbilling.indices.values import IndexKind
from rentbilling.values import Schema, an_object, day_schema, or_null, point_schema


def series_schema() -> Schema:
    """Return the schema of the values of one index."""
    text: Schema = {"type": "string", "pattern": r"\S"}
    figure = {"type": ["number", "string"], "pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}
    point = point_schema()
    points = {"type": ["array", "null"], "items": point}
    named = {"type": "object", "propertyNames": point}
    properties: Schema = {
        "name": text,
        "base": or_null(text),
        "kind": {"enum": [*get_args(IndexKind), None]},
        "values": {**named, "additionalProperties": figure},
        "known": or_null({**named, "additionalProperties": day_schema()}),
        "provisional": points,
        "assumed": points,
        "source": or_null(text),
    }
    month = {"propertyNames": {"pattern": r"^[0-9]{4}-[0-9]{2}$"}}
    monthly = _values(exclusiveMinimum=-1, maximum=10)
    monthly["properties"]["values"] |= month
    monthly["properties"]["base"] = {"type": "null"}
    levels = _values(exclusiveMinimum=0)
    others = {"if": _of_kind("monthly_change"), "then": monthly, "else": levels}
    limits = {"then": _values(minimum=-1, maximum=10), "else": others}
    said = "The values of one index on one base, by month, quarter or year."
    return {
        "description": said,
        **an_object(properties, ["name", "values"]),
        "if": _of_kind("change"),
        **limits,
    }


def _of_kind(kind: str) -> Schema:
    return {"properties": {"kind": {"const": kind}}, "required": ["kind"]}


def _values(**bounds: int) -> Schema:
    return {"properties": {"values": {"additionalProperties": bounds}}}
