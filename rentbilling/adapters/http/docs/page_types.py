"""The type of a value in words, read from its schema.

Law: the words say all that a schema of the document says of a single value.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Any, Final

from rentbilling.values import Schema

_CODE: Final = re.compile("`([^`]+)`")
_FORMATS: Final = MappingProxyType(
    {"date": "date <code>YYYY-MM-DD</code>", "date-time": "date-time with an offset"}
)
_PATTERNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "/problems/": "path of a kind of problem",
        "/": "period <code>YYYY-MM-DD/YYYY-MM-DD</code>",
        "[Qq]": (
            "month <code>YYYY-MM</code>, quarter <code>YYYY-Q1</code> or year <code>YYYY</code>"
        ),
        "-(0[1-9]": "month <code>YYYY-MM</code>",
        "[0-9]{4}": "year <code>YYYY</code>",
        "[A-Z]{2,3}": "two or three capital letters",
    }
)
"""The words for texts of a form, by a part of their pattern."""
_KINDS: Final = MappingProxyType(
    {
        "boolean": "true or false",
        "integer": "whole number",
        "number": "number",
        "object": "object",
        "string": "text",
    }
)


def code(text: str) -> str:
    """Return a text in the font of code."""
    return f"<code>{escape(text)}</code>"


def prose(text: str) -> str:
    """Return sentences, with code for the words between backticks.

    Examples:
        >>> prose("At most `limit` & more.")
        'At most <code>limit</code> &amp; more.'
    """
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


def type_words(schema: Schema) -> str:
    """Return the words for the type of a value.

    Examples:
        >>> type_words({"type": ["integer", "null"], "minimum": 1, "maximum": 12})
        'whole number, 1 to 12'
        >>> type_words({"type": "array", "items": {"type": "string"}})
        'list of text'
    """
    ways = [schema] if "$ref" in schema else schema.get("anyOf", [schema])
    return " or ".join(_one_type(each) for each in ways if each != {"type": "null"})


def _one_type(schema: Schema) -> str:
    if "$ref" in schema:
        return record_link(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return code(str(schema["const"]))
    if "enum" in schema:
        return "one of " + ", ".join(code(str(each)) for each in schema["enum"] if each is not None)
    kinds: Any = schema.get("type", "")
    kind = kinds if isinstance(kinds, str) else next(each for each in kinds if each != "null")
    if kind == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"list of {type_words(schema['items'])}{most}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {type_words(schema['additionalProperties'])} by name"
    return ", ".join((_form(schema) or _KINDS[kind], *_bounds(schema)))


def record_link(name: str) -> str:
    return f'<a href="#record-{escape(name)}">{escape(name)}</a>'


def _form(schema: Schema) -> str:
    """Return the form of a text; an empty text where any form is right."""
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    pattern: str = schema.get("pattern", "")
    return next((said for mark, said in _PATTERNS.items() if mark in pattern), "")


def _bounds(schema: Schema) -> Iterable[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        yield f"above {schema['exclusiveMinimum']}"
    if least is not None and most is not None:
        yield f"{least:,} to {most:,}".replace("-", "−")
    elif least is not None:
        yield f"{least:,} or more"
    elif most is not None:
        yield f"at most {most:,}"
    if schema.get("not") == {"const": 0}:
        yield "not 0"
    if "maxLength" in schema:
        yield f"at most {schema['maxLength']} characters"
    if "default" in schema:
        yield f"{schema['default']} where it is absent"
