"""JSON schemas of single values: amounts, VAT, dates, periods, points, numbers, texts.

Law: a kind of value has one schema.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from rentbilling.indices import IndexPoint
from rentbilling.records.json_text import JsonData
from rentbilling.values import TAX_MODES, TAXED, Amount, Period, Vat, YearMonth

Schema = dict[str, JsonData]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
_OFFSET: Final = "(Z|[+-][0-9]{2}(:?[0-9]{2}(:?[0-9]{2})?)?)"
YEAR: Final = "(?!0000)[0-9]{4}"
"""Pattern of a year."""
_MONTH: Final = f"{YEAR}-(0[1-9]|1[0-2])"
POINT: Final = f"{_MONTH}|{YEAR}(-[Qq][1-4])?"
"""Pattern of a month, quarter or year of an index."""


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

    def whole(self, title: str, body: Schema) -> Schema:
        """Return a schema that is complete in itself."""
        whole = {"$schema": DIALECT, "title": title, **body}
        return {**whole, "$defs": self.found} if self.found else whole

    def amount(self) -> Schema:
        """Return a reference to the schema of an amount."""
        return self.defined(Amount.__name__, _amount)

    def vat(self) -> Schema:
        """Return a reference to the schema of a VAT."""
        return self.defined(Vat.__name__, _vat)


def an_object(properties: Schema, required: list[str]) -> Schema:
    """Return the schema of an object with these fields and no others."""
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


def plain(kind: type) -> Schema:
    """Return the schema of a value that is no object, such as a text, a number or a date."""
    known: dict[type, Schema] = {
        str: {"type": "string"},
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        Decimal: {"type": "number"},
        date: {"type": "string", "format": "date", "pattern": f"^{_DAY}$"},
        datetime: {
            "type": "string",
            "format": "date-time",
            "pattern": f"^{_DAY}T{_TIME}{_OFFSET}$",
        },
        IndexPoint: {"type": "string", "pattern": f"^({POINT})$"},
        YearMonth: {"type": "string", "pattern": f"^{_MONTH}$"},
        Period: {"type": "string", "pattern": f"^{_DAY}/{_DAY}$"},
    }
    return known[kind]


def _amount() -> Schema:
    """Return the schema of an amount (A1, A2)."""
    said = "A number in the currency's main unit, with at most 15 significant digits."
    code = {"description": "ISO 4217 code, such as DKK.", "type": "string", "minLength": 1}
    parts: Schema = {"currency": code, "amount": plain(Decimal)}
    return {"description": said, **an_object(parts, list(parts))}


def _vat() -> Schema:
    """Return the schema of a VAT: a rate is required where it is charged (A27, A28)."""
    fraction = {"description": "A fraction: 0.25 is 25 percent.", "minimum": 0, "maximum": 1}
    rate = {**or_null(plain(Decimal)), **fraction}
    parts: Schema = {"taxMode": {"enum": list(TAX_MODES)}, "taxRate": rate}
    return {
        **an_object(parts, ["taxMode"]),
        "if": {"properties": {"taxMode": {"enum": sorted(TAXED)}}},
        "then": {"properties": {"taxRate": {"type": "number"}}, "required": ["taxRate"]},
    }
