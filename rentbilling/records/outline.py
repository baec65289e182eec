"""Records for people: their fields, a line each, those of a part indented below it.

Law: nothing that is said is left out; what a field does not say has no line.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel

from rentbilling.errors import printable
from rentbilling.values import Vat, vat_words

_INDENT: Final = "  "


def outline(record: BaseModel) -> str:
    """Return a record as a text: the name of its kind, and its fields; those of a small one in it.

    Examples:
        >>> from rentbilling import BillingCycle
        >>> print(outline(BillingCycle(period_length=3)))
        BillingCycle: time_unit Month, period_length 3, start 1, start_day 1
    """
    return "\n".join(_lines(type(record).__name__, record))


def _lines(name: str, record: BaseModel) -> Iterator[str]:
    said = [(field, value) for field, value in record if value is not None and value != ()]
    if not any(_has_parts(value) for _, value in said):
        facts = ", ".join(f"{field} {_text(value)}" for field, value in said)
        yield f"{name}: {facts}" if facts else f"{name}: nothing"
        return
    yield f"{name}:"
    for field, value in said:
        for place, each in _parts_of(field, value):
            part = isinstance(each, BaseModel)
            lines = _lines(place, each) if part else iter([f"{place}: {_text(each)}"])
            yield from (_INDENT + line for line in lines)


def _has_parts(value: object) -> bool:
    return isinstance(value, BaseModel) or (
        isinstance(value, tuple) and any(isinstance(each, BaseModel) for each in value)
    )


def _parts_of(field: str, value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - of any field
    """Return the parts of a field with their places: its value, or each record of a list."""
    if isinstance(value, tuple) and _has_parts(value):
        return [(f"{field}[{at}]", each) for at, each in enumerate(value)]
    return [(field, value)]


def _text(value: object) -> str:
    if isinstance(value, Vat):
        return printable(vat_words(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(_text, value))
    return f"{value:f}" if isinstance(value, Decimal) else printable(str(value))
