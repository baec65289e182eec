"""The JSON schema of a policy, from the types of its fields."""

from collections.abc import Mapping
from typing import Final, get_args

from rentbilling.policy.words import OF_THE_BILL, PartPeriod, PartPeriods
from rentbilling.records import wire_name
from rentbilling.values import Schema, an_object, day_schema, or_null

VERSION: Final = 1
"""Version of the policy's JSON; it rises when the same text would mean something else (A59)."""


def schema_of_policy(hints: Mapping[str, object], *, whole_bill: bool = True) -> Schema:
    """Return the JSON schema of a policy, or of one for the lines of a product."""
    properties: Schema = {"version": {"const": VERSION}}
    for name in hints:
        if whole_bill or name not in OF_THE_BILL:
            properties[wire_name(name)] = or_null(_field(name, hints))
    said = "Every choice the interface leaves open; what is absent has its default."
    return {"description": said, **an_object(properties, [])}


def _field(name: str, hints: Mapping[str, object]) -> Schema:
    if name == "holidays":
        return {"type": "array", "items": day_schema()}
    if name == "max_lines":
        return {"type": "integer", "minimum": 1}
    values: dict[str, Schema] = {
        "currencies": {"type": "integer", "minimum": 0, "maximum": 8},
        "cash_rounding": {"type": "number", "exclusiveMinimum": 0},
    }
    if name == "by_product":
        values[name] = schema_of_policy(hints, whole_bill=False)
    if name == "part_period":
        word: Schema = {"enum": list(get_args(PartPeriod))}
        return {"anyOf": [word, an_object(dict.fromkeys(PartPeriods._fields, word), [])]}
    if name in values:
        return {"type": "object", "additionalProperties": values[name]}
    words = get_args(hints[name])
    return {"enum": list(words)} if words else {"type": "boolean"}
