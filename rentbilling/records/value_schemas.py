"""JSON schemas of single values: dates, periods, points, numbers, texts.

Law: a kind of value has one schema.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Final

from rentbilling.indices import IndexPoint
from rentbilling.values import (
    DAY,
    Period,
    Schema,
    YearMonth,
    day_schema,
    month_schema,
    period_schema,
    point_schema,
)

_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
_OFFSET: Final = "(Z|[+-][0-9]{2}(:?[0-9]{2}(:?[0-9]{2})?)?)"


def plain(kind: type) -> Schema:
    """Return the schema of a value that is no object, such as a text, a number or a date."""
    known: dict[type, Schema] = {
        str: {"type": "string"},
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        Decimal: {"type": "number"},
        date: day_schema(),
        datetime: {"type": "string", "format": "date-time", "pattern": f"^{DAY}T{_TIME}{_OFFSET}$"},
        IndexPoint: point_schema(),
        YearMonth: month_schema(),
        Period: period_schema(),
    }
    return known[kind]
