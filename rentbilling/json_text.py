"""JSON texts, exact both ways: numbers are read as decimals and written as numbers.

Laws: what is ambiguous or not exact is refused (duplicate keys, NaN, endless nesting), and a number
keeps every digit.
What does not live here: what the data means (`codec`, `bill_texts`).
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from json.encoder import encode_basestring as quoted
from typing import Any

from rentbilling.errors import InvalidRecordError, Problem, shown

__all__ = ("JsonData", "quoted", "read_json", "write_json")

JsonData = Any
"""Data as a JSON text holds it: objects, lists, texts, Decimal and int numbers, and constants."""


def read_json(text: str | bytes) -> JsonData:
    """Return the data of a JSON text, numbers exact.

    Args:
        text: The text; bytes are UTF-8, with or without a byte order mark.

    Returns:
        Dicts, lists, texts, Decimal for numbers with a point or exponent, int for the others.

    Raises:
        InvalidRecordError: It is not JSON, or an object has a key twice.

    Examples:
        >>> read_json('{"amount": 8500.10}')
        {'amount': Decimal('8500.10')}
        >>> read_json('{"amount": 1, "amount": 2}')
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: amount: stands twice in one object (met 2; \
expected one)
    """
    try:
        plain = text if isinstance(text, str) else text.decode("utf-8-sig")
        return json.loads(
            plain.removeprefix("\ufeff"),
            parse_float=Decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=_without_duplicates,
        )
    except InvalidRecordError:
        raise
    except RecursionError:
        raise _not_json(
            "is nested too deeply", "…", "an object or list a few levels deep"
        ) from None
    except UnicodeDecodeError as error:
        raise _not_json(f"is not UTF-8 at byte {error.start}", error.object[:20], "UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        met = error.doc[error.pos : error.pos + 20]
        raise _not_json(where, met, "a JSON text") from None
    except (ValueError, ArithmeticError):
        raise _not_json("holds a number that is too long", "…", "at most 15 digits") from None


def _not_json(message: str, met: object, expected: str) -> InvalidRecordError:
    """Return the refusal of a text."""
    return InvalidRecordError.of("", "not_json", message, met, expected)


def _refuse_constant(word: str) -> JsonData:
    """Refuse NaN and the infinities, which are no JSON."""
    raise InvalidRecordError.of("", "not_finite", "is not a finite number", word, "a number")


def _without_duplicates(pairs: list[tuple[str, JsonData]]) -> dict[str, JsonData]:
    """Return an object, refusing a key that stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        problems = [
            Problem(key, "duplicate_key", "stands twice in one object", shown(value), "one")
            for key, value in pairs
            if key in seen or seen.add(key)  # type: ignore[func-returns-value]
        ]
        raise InvalidRecordError(problems)
    return found


def write_json(data: JsonData, *, indent: int | None = None) -> str:
    """Return data as a JSON text, every number with all its digits.

    Args:
        data: Dicts, lists, texts, numbers, dates, true, false, None.
        indent: Blanks for each level; a text on one line by default.

    Returns:
        The text.

    Examples:
        >>> write_json({"amount": Decimal("8500.00"), "currency": "DKK"})
        '{"amount": 8500.00, "currency": "DKK"}'
    """
    return _written(data, indent, 0)


def _written(data: JsonData, indent: int | None, level: int) -> str:
    """Return one value as a text."""
    if isinstance(data, str):
        return quoted(data)
    if isinstance(data, Decimal):
        return format(data, "f")
    if data is None:
        return "null"
    if isinstance(data, (int, date)):
        return _plain(data)
    if isinstance(data, Mapping):
        parts = [
            f"{quoted(key)}: {_written(value, indent, level + 1)}" for key, value in data.items()
        ]
        return _joined(parts, "{}", indent, level)
    if isinstance(data, Sequence):
        return _joined([_written(value, indent, level + 1) for value in data], "[]", indent, level)
    raise TypeError(f"{type(data).__name__} cannot be written as JSON")


def _plain(data: int | date) -> str:
    """Return a whole number, true, false, or a date as a text."""
    if isinstance(data, bool):
        return "true" if data else "false"
    return str(data) if isinstance(data, int) else f'"{data.isoformat()}"'


def _joined(parts: list[str], brackets: str, indent: int | None, level: int) -> str:
    """Return the parts of an object or list between their brackets."""
    opening, closing = brackets[0], brackets[1]
    if indent is None or not parts:
        return opening + ", ".join(parts) + closing
    inner = "\n" + " " * indent * (level + 1)
    return f"{opening}{inner}{(',' + inner).join(parts)}\n{' ' * indent * level}{closing}"
