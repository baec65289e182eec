"""JSON texts, exact both ways: numbers are read as decimals and written as numbers.

Laws: what is ambiguous or not exact is refused (duplicate keys, NaN, endless nesting), and a number
keeps every digit.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from json.encoder import encode_basestring as quoted
from threading import local
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import InvalidRecordError, Problem, refuse_file_name, shown

__all__ = (
    "LONE_SURROGATE",
    "MOST_LEVELS",
    "NOT_READ",
    "JsonData",
    "entries_of",
    "quoted",
    "read_json",
    "read_odd_json",
    "read_quickly",
    "refuse_too_many",
    "with_json_problems",
    "write_json",
)

JsonData = Any
"""Data as a JSON text holds it: objects, lists, texts, Decimal and int numbers, and constants."""


LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which UTF-8 cannot encode."""

MOST_LEVELS: Final = 100
"""Levels of objects and lists in a text at most."""
"""Levels of objects and lists that a text may have; a lease has six."""


def read_json(text: str | bytes) -> JsonData:
    """Return the data of a JSON text, numbers exact.

    Raises:
        InvalidRecordError: It is not JSON, an object has a key twice, or it is nested too deeply.
        TypeError: It is neither a text nor bytes.

    Examples:
        >>> read_json('{"amount": 8500.10}')
        {'amount': Decimal('8500.10')}
        >>> read_json('{"amount": 1, "amount": 2}')
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: amount: is repeated in one object (met 2; \
expected one of them)
    """
    data, problems = read_odd_json(text)
    if problems:
        raise InvalidRecordError(problems)
    return data


def read_odd_json(text: str | bytes) -> tuple[JsonData, tuple[Problem, ...]]:
    """Return the data of a JSON text and the problems of the text itself, to be reported together.

    Raises:
        InvalidRecordError: It is not JSON, or it is nested too deeply.
        TypeError: It is neither a text nor bytes.

    Examples:
        >>> data, problems = read_odd_json('{"a": NaN, "b": 1, "b": 2, "c": 3}')
        >>> data
        {'a': NaN, 'b': …, 'c': 3}
        >>> [(each.path, each.code) for each in problems]
        [('b', 'duplicate_key'), ('a', 'not_finite')]
    """
    if not isinstance(text, (str, bytes, bytearray)):
        right = "model_validate reads plain data"
        if hasattr(text, "read_text"):
            right = 'write path.read_text(encoding="utf-8")'
        given = type(text).__name__
        raise TypeError(f"JSON is read from a str or bytes, not from {given}; {right}")
    odd = _Odd()
    try:
        plain = text if isinstance(text, str) else text.decode("utf-8-sig")
        plain = plain.removeprefix("\ufeff")
        data = read_quickly(plain)
        if data is NOT_READ:
            data = _read(plain, odd)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError as error:
        raise _not_json(f"is not UTF-8 at byte {error.start}", error.object[:20], "UTF-8") from None
    except json.JSONDecodeError as error:
        raise _unreadable(error) from None
    # Most texts are too small for that, which is quickly seen.
    half = MOST_LEVELS // 2
    if (plain.count("{") > half or plain.count("[") > half) and _is_too_deep(data):
        raise _too_deep()
    if odd.found or _may_hold_surrogates(plain):
        problems = tuple(odd.problems(data, ""))
        if problems:
            return odd.readable(data), problems
    return data, ()


def _unreadable(error: json.JSONDecodeError) -> InvalidRecordError:
    refuse_file_name(error.doc, "JSON", "not_json")
    where = f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
    return _not_json(where, error.doc[error.pos : error.pos + 20], "a JSON text")


NOT_READ: Final = object()
"""No data: the text must be read with a closer look."""


def read_quickly(plain: str) -> JsonData:
    """Return the data of a text in which every key is certainly there once, else `NOT_READ`.

    Python's parser keeps the last of two equal keys. Where nothing is escaped and there is no blank
    before a colon, each key ends with the two characters counted here; a text that begins with a
    colon adds one. As many as there are keys in the data: none was lost.
    """
    # From the end it is found, or not, in half the time.
    if "\\" in plain or plain.rfind(" :") >= 0 or _has_other_blanks_before_colons(plain):
        return NOT_READ
    try:
        data, end, keys = _PARSERS.parse(plain)
    except (ValueError, ArithmeticError, RecursionError):
        return NOT_READ
    return data if keys == plain.count('":') and not plain[end:].strip(_BLANKS) else NOT_READ


def _left(word: str) -> JsonData:
    """Leave NaN and the infinities to the closer look."""
    raise ValueError(word)


def _counting_parser() -> Callable[[str], tuple[JsonData, int, int]]:
    """Return what parses a text, and says where the data end and how many keys they have."""
    keys = 0

    def count(found: dict[str, JsonData]) -> dict[str, JsonData]:
        nonlocal keys
        keys += len(found)
        return found

    parse_first = json.JSONDecoder(
        parse_float=Decimal, parse_constant=_left, object_hook=count
    ).raw_decode

    def parse(plain: str) -> tuple[JsonData, int, int]:
        nonlocal keys
        # The collector may run a finalizer between two objects that reads a text too.
        around, keys = keys, 0
        try:
            data, end = parse_first(plain)
            return data, end, keys
        finally:
            keys = around

    return parse


class _Parsers(local):
    """The parser of each thread, because it counts; making one takes a tenth of a short text."""

    def __init__(self) -> None:
        self.parse = _counting_parser()


_PARSERS: Final = _Parsers()
_BLANKS: Final = " \t\n\r"


def _has_other_blanks_before_colons(plain: str) -> bool:
    """Return whether a line break or tab comes before a colon; most texts have neither."""
    return (
        ("\n" in plain and "\n:" in plain)
        or ("\t" in plain and "\t:" in plain)
        or ("\r" in plain and "\r:" in plain)
    )


def _read(plain: str, odd: "_Odd") -> JsonData:
    """Return the data of a text, with placeholders for unreadable values."""
    try:
        return json.loads(
            plain, parse_float=Decimal, parse_constant=odd.constant, object_pairs_hook=odd.object
        )
    except json.JSONDecodeError:
        raise
    except (ValueError, ArithmeticError):
        # Few have a number so long that Python refuses it; it is found again one by one.
        return json.loads(
            plain,
            parse_int=odd.whole,
            parse_float=odd.decimal,
            parse_constant=odd.constant,
            object_pairs_hook=odd.object,
        )


class _Unread:
    """A placeholder for an unreadable value, which every field refuses."""

    __slots__ = ("code", "values", "word")

    def __init__(self, word: str = "…", code: str = "", values: tuple[JsonData, ...] = ()) -> None:
        self.word, self.code, self.values = word, code, values

    def __repr__(self) -> str:
        return self.word


class _Odd:
    """Finds what Python's parser accepts and JSON does not allow, with its path."""

    def __init__(self) -> None:
        self.found = False
        # Objects with a duplicate key, by `id`; the reference keeps the id from being reused.
        self._doubled: dict[int, tuple[JsonData, list[tuple[str, JsonData]]]] = {}

    def constant(self, word: str) -> JsonData:
        """Return a placeholder for NaN or an infinity."""
        self.found = True
        return _Unread(word, "not_finite")

    def whole(self, digits: str) -> JsonData:
        """Return a whole number, or a placeholder for one with thousands of digits."""
        try:
            return int(digits)
        except ValueError:
            return self._too_long(digits)

    def decimal(self, digits: str) -> JsonData:
        """Return a number, or a placeholder for one whose exponent is too large."""
        try:
            return Decimal(digits)
        except ArithmeticError:
            return self._too_long(digits)

    def _too_long(self, digits: str) -> JsonData:
        self.found = True
        most = 20
        word = digits if len(digits) <= most else f"{digits[:most]}…"
        return _Unread(word, "too_many_digits")

    def object(self, pairs: list[tuple[str, JsonData]]) -> dict[str, JsonData]:
        """Return an object and remember its duplicate keys."""
        found = dict(pairs)
        if len(found) != len(pairs):
            self.found = True
            seen: set[str] = set()
            twice = [
                (key, value)
                for key, value in pairs
                if key in seen or seen.add(key)  # type: ignore[func-returns-value]
            ]
            again = {key for key, _ in twice}
            values: dict[str, list[JsonData]] = {key: [] for key in again}
            for key, value in pairs:
                if key in again:
                    values[key].append(value)
            # It is unknown which of the values is meant.
            found |= {key: _Unread(values=tuple(each)) for key, each in values.items()}
            self._doubled[id(found)] = found, twice
        return found

    def problems(self, data: JsonData, path: str) -> Iterator[Problem]:
        """Give the problems of a text, with their paths in its data."""
        if isinstance(data, dict):
            for key, value in self._doubled.get(id(data), (None, ()))[1]:
                said = "is repeated in one object"
                yield Problem(_below(path, key), "duplicate_key", said, shown(value), "one of them")
            for key, value in data.items():
                yield from self.problems(key, path)
                yield from self.problems(value, _below(path, key))
        elif isinstance(data, list):
            for at, value in enumerate(data):
                yield from self.problems(value, f"{path}[{at}]")
        elif isinstance(data, _Unread):
            for value in data.values:
                yield from self.problems(value, path)
            if data.code:
                said, expected = _OF_A_NUMBER[data.code]
                yield Problem(path, data.code, said, data.word, expected)
        elif isinstance(data, str) and LONE_SURROGATE.search(data):
            expected = "a text without lone surrogates"
            yield Problem(path, "not_a_text", "is not valid Unicode", shown(data), expected)

    def readable(self, data: JsonData) -> JsonData:
        """Return data with placeholders in place of texts with lone surrogates."""
        if isinstance(data, dict):
            pairs = data.items()
            return {
                key: self.readable(value) for key, value in pairs if not LONE_SURROGATE.search(key)
            }
        if isinstance(data, list):
            return [self.readable(each) for each in data]
        halved = isinstance(data, str) and LONE_SURROGATE.search(data)
        return _Unread() if halved else data


_OF_A_NUMBER: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "not_finite": ("is not a finite number", "a number"),
        "too_many_digits": ("is a number that is too long", "at most 15 digits"),
    }
)


def refuse_too_many(data: JsonData, most: int) -> None:
    """Refuse a payload with too many entries before each of them is read.

    Raises:
        InvalidRecordError: It has more.

    Examples:
        >>> refuse_too_many([1, [2, 3]], 4)
    """
    entries = entries_of(data)
    if entries > most:
        said, expected = f"has {entries} entries in its lists", f"at most {most}"
        raise InvalidRecordError.of("", "too_many_entries", said, entries, expected)


def with_json_problems(odd: Sequence[Problem], others: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems of a text and those of its data that do not follow from them.

    Examples:
        >>> data, odd = read_odd_json('{"rent": {"amount": NaN}, "days": 0}')
        >>> missing = Problem("rent.amount", "missing", "is required", "nothing", "a number")
        >>> zero = Problem("days", "out_of_range", "is 0", "0", "1 or more")
        >>> [each.code for each in with_json_problems(odd, [missing, zero])]
        ['not_finite', 'out_of_range']
    """
    paths = {each.path for each in odd}
    return (
        *odd,
        *(
            each
            for each in others
            if each.code == "unknown_field" or paths.isdisjoint(_ways_to(each.path))
        ),
    )


def _ways_to(path: str) -> Iterator[str]:
    """Give a path and those of all objects and lists around it."""
    yield path
    for step in _A_STEP.finditer(path):
        yield path[: step.start()]


_A_STEP: Final = re.compile(r"[.\[]")


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _may_hold_surrogates(plain: str) -> bool:
    """Return whether a text may contain a lone surrogate, as such or as an escape."""
    return "\\u" in plain or bool(not plain.isascii() and LONE_SURROGATE.search(plain))


def _is_too_deep(data: JsonData) -> bool:
    level: list[JsonData] = [[data]]
    for _ in range(MOST_LEVELS + 1):
        level = [
            each
            for outer in level
            for each in _inside(outer)
            if (kind := type(each)) is dict or kind is list or kind is _Unread
        ]
        if not level:
            return False
    return True


def _inside(outer: JsonData) -> Iterable[JsonData]:
    """Return the values in an object, in a list, or under a duplicate key."""
    if type(outer) is dict:
        return outer.values()
    return outer.values if type(outer) is _Unread else outer


def entries_of(data: JsonData) -> int:
    """Return the number of entries of all lists in some data.

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
    return _not_json("is nested too deeply", "…", f"at most {MOST_LEVELS} levels")


def _not_json(message: str, met: object, expected: str) -> InvalidRecordError:
    return InvalidRecordError.of("", "not_json", message, met, expected)


def write_json(data: JsonData, *, indent: int | None = None) -> str:
    """Return data as a JSON text, every number with all its digits.

    Examples:
        >>> write_json({"amount": Decimal("8500.00"), "currency": "DKK"})
        '{"amount": 8500.00, "currency": "DKK"}'
    """
    return _written(data, indent, 0)


def _written(data: JsonData, indent: int | None, level: int) -> str:
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
    opening, closing = brackets[0], brackets[1]
    if indent is None or not parts:
        return opening + ", ".join(parts) + closing
    inner = "\n" + " " * indent * (level + 1)
    return f"{opening}{inner}{(',' + inner).join(parts)}\n{' ' * indent * level}{closing}"
