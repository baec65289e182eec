"""JSON texts, exact both ways: numbers are read as decimals and written as numbers.

Laws: what is ambiguous or not exact is refused (duplicate keys, NaN, endless nesting), and a number
keeps every digit.
What does not live here: what the data means (`codec`, `bill_texts`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from json.encoder import encode_basestring as quoted
from typing import Any, Final, NamedTuple

from rentbilling.errors import InvalidRecordError, Problem, shown

__all__ = ("LONE_SURROGATE", "JsonData", "entries_of", "quoted", "read_json", "write_json")

JsonData = Any
"""Data as a JSON text holds it: objects, lists, texts, Decimal and int numbers, and constants."""


LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half a character, which no UTF-8 can write."""

_DEEPEST: Final = 100
"""Levels of objects and lists that a text may have; a lease has six."""


def read_json(text: str | bytes) -> JsonData:
    """Return the data of a JSON text, numbers exact.

    Args:
        text: The text; bytes are UTF-8, with or without a byte order mark.

    Returns:
        Dicts, lists, texts, Decimal for numbers with a point or exponent, int for the others.

    Raises:
        InvalidRecordError: It is not JSON, an object has a key twice, or it is nested too deeply.
        TypeError: It is neither a text nor bytes.

    Examples:
        >>> read_json('{"amount": 8500.10}')
        {'amount': Decimal('8500.10')}
        >>> read_json('{"amount": 1, "amount": 2}')
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: amount: stands twice in one object (met 2; \
expected one of them)
    """
    if not isinstance(text, (str, bytes, bytearray)):
        given = type(text).__name__
        raise TypeError(
            f"JSON is read from a str or bytes, not from {given}; model_validate reads plain data"
        )
    odd = _Odd()
    try:
        plain = text if isinstance(text, str) else text.decode("utf-8-sig")
        data = json.loads(
            plain.removeprefix("\ufeff"),
            parse_float=Decimal,
            parse_constant=odd.constant,
            object_pairs_hook=odd.object,
        )
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError as error:
        raise _not_json(f"is not UTF-8 at byte {error.start}", error.object[:20], "UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        met = error.doc[error.pos : error.pos + 20]
        raise _not_json(where, met, "a JSON text") from None
    except (ValueError, ArithmeticError):
        raise _not_json("holds a number that is too long", "…", "at most 15 digits") from None
    # Most texts are too small for that, which is quickly seen.
    half = _DEEPEST // 2
    if (plain.count("{") > half or plain.count("[") > half) and _is_too_deep(data):
        raise _too_deep()
    if odd.found or _may_hold_surrogates(plain):
        problems = tuple(odd.problems(data, ""))
        if problems:
            raise InvalidRecordError(problems)
    return data


class _Constant(NamedTuple):
    """NaN or an infinity, which are no JSON."""

    word: str


class _Odd:
    """What Python's reader takes and JSON does not allow, found again with its path."""

    def __init__(self) -> None:
        self.found = False
        # Each object that has a key twice, kept so that no other one takes its identity.
        self._doubled: dict[int, tuple[JsonData, list[tuple[str, JsonData]]]] = {}

    def constant(self, word: str) -> JsonData:
        """Stand in for NaN and the infinities."""
        self.found = True
        return _Constant(word)

    def object(self, pairs: list[tuple[str, JsonData]]) -> dict[str, JsonData]:
        """Return an object, remembering its keys that stand twice."""
        found = dict(pairs)
        if len(found) != len(pairs):
            self.found = True
            seen: set[str] = set()
            twice = [
                (key, value)
                for key, value in pairs
                if key in seen or seen.add(key)  # type: ignore[func-returns-value]
            ]
            self._doubled[id(found)] = found, twice
        return found

    def problems(self, data: JsonData, path: str) -> Iterator[Problem]:
        """Give everything that is odd in some data, with its path."""
        if isinstance(data, dict):
            for key, value in self._doubled.get(id(data), (None, ()))[1]:
                said = "stands twice in one object"
                yield Problem(_below(path, key), "duplicate_key", said, shown(value), "one of them")
            for key, value in data.items():
                yield from self.problems(key, path)
                yield from self.problems(value, _below(path, key))
        elif isinstance(data, list):
            for at, value in enumerate(data):
                yield from self.problems(value, f"{path}[{at}]")
        elif isinstance(data, _Constant):
            yield Problem(path, "not_finite", "is not a finite number", data.word, "a number")
        elif isinstance(data, str) and LONE_SURROGATE.search(data):
            expected = "a text without lone surrogates"
            yield Problem(path, "not_a_text", "is not valid Unicode", shown(data), expected)


def _below(path: str, key: str) -> str:
    """Return the path of a field of an object."""
    return f"{path}.{key}" if path else key


def _may_hold_surrogates(plain: str) -> bool:
    """Return whether a text may hold half a character, written as such or as an escape."""
    return "\\u" in plain or bool(not plain.isascii() and LONE_SURROGATE.search(plain))


def _is_too_deep(data: JsonData) -> bool:
    """Return whether data has more levels of objects and lists than there may be."""
    level: list[JsonData] = [[data]]
    for _ in range(_DEEPEST + 1):
        level = [
            each
            for outer in level
            for each in (outer.values() if type(outer) is dict else outer)
            if (kind := type(each)) is dict or kind is list
        ]
        if not level:
            return False
    return True


def entries_of(data: JsonData) -> int:
    """Return how many entries the lists in some data have, all together.

    Examples:
        >>> entries_of({"items": [{"records": [1, 2]}, {}]})
        4
    """
    count, open_ones = 0, [data]
    while open_ones:
        each = open_ones.pop()
        if isinstance(each, dict):
            open_ones += each.values()
        elif isinstance(each, list):
            count += len(each)
            open_ones += each
    return count


def _too_deep() -> InvalidRecordError:
    """Return the refusal of a text that no payload of ours is like."""
    return _not_json("is nested too deeply", "…", f"at most {_DEEPEST} levels")


def _not_json(message: str, met: object, expected: str) -> InvalidRecordError:
    """Return the refusal of a text."""
    return InvalidRecordError.of("", "not_json", message, met, expected)


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
    if isinstance(data, Sequence) and not isinstance(data, (bytes, bytearray)):
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
