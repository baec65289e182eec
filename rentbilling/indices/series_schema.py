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
    change = {"properties": {"kind": {"const": "change"}}, "required": ["kind"]}
    within = {"then": {"minimum": -1, "maximum": 10}, "else": {"exclusiveMinimum": 0}}
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
