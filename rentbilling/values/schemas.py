"""JSON schemas of amounts, days, months and periods, and where parts of a schema are defined.

Law: a kind of value has one schema.
"""

from collections.abc import Callable
from typing import Any, Final

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
"""Pattern of a day."""
YEAR: Final = "(?!0000)[0-9]{4}"
"""Pattern of a year."""
_MONTH: Final = f"{YEAR}-(0[1-9]|1[0-2])"
ASKED_PERIOD: Final = f"^({DAY}/{DAY}|{_MONTH}|{YEAR})$"
"""A period that is asked for: two days, a month or a year (A4)."""


class Definitions:
    """Definitions of one schema: a part that occurs several times is defined once."""

    def __init__(self, *, bounded: bool = False, answered: bool = False) -> None:
        self.found: Schema = {}
        self.bounded = bounded
        self.answered = answered

    def defined(self, name: str, make: Callable[[], Schema]) -> Schema:
        """Return a reference to a part, making its definition when it is first needed."""
        if name not in self.found:
            self.found[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    def record(self, kind: type, name: str, make: Callable[[], Schema]) -> Schema:
        """Return a reference to a record, whose schema may depend on who writes it."""
        del kind
        return self.defined(name, make)

    def whole(self, title: str, body: Schema) -> Schema:
        whole = {"$schema": DIALECT, "title": title, **body}
        return {**whole, "$defs": self.found} if self.found else whole

    def amount(self) -> Schema:
        return self.defined("Amount", _amount)


def an_object(properties: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def or_null(schema: Schema) -> Schema:
    """Return a schema that also takes null, which reads as absent (A6)."""
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {"anyOf": [schema, {"type": "null"}]}


def _amount() -> Schema:
    said = "A number in the currency's main unit, with at most 15 significant digits."
    code = {"description": "ISO 4217 code, such as DKK.", "type": "string", "minLength": 1}
    parts: Schema = {"currency": code, "amount": {"type": "number"}}
    return {"description": said, **an_object(parts, list(parts))}


def month_schema() -> Schema:
    """Return the schema of a month of a year (A31)."""
    return {"type": "string", "pattern": f"^{_MONTH}$"}


def point_schema() -> Schema:
    """Return the schema of a month, quarter or year of an index (A31)."""
    return {"type": "string", "pattern": f"^({_MONTH}|{YEAR}(-[Qq][1-4])?)$"}


def period_schema() -> Schema:
    """Return the schema of a period (A4)."""
    return {"type": "string", "pattern": f"^{DAY}/{DAY}$"}


def day_schema() -> Schema:
    return {"type": "string", "format": "date", "pattern": f"^{DAY}$"}
