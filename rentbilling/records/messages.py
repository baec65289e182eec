"""Validation errors in the words of this library, with paths as the caller spells them.

Laws: a path has the caller's own spelling, and the time for all messages grows with the number of
problems alone.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel, to_snake
from pydantic_core import InitErrorDetails

from rentbilling.errors import (
    NOT_KNOWN,
    InvalidInputError,
    InvalidRecordError,
    Problem,
    error_of,
    shown,
)
from rentbilling.records.description import fields_of
from rentbilling.values import Amount, Period, Vat, YearMonth

Steps = tuple[int | str, ...]
"""The steps from the input to a problem: names of fields and positions in lists."""

# By pydantic's type of error: code, message, what is expected.
_SAID: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "missing": ("missing", "is required", ""),
        "extra_forbidden": ("unknown_field", "is not a field", ""),
        "model_type": ("not_an_object", "is not an object", ""),
        "model_attributes_type": ("not_an_object", "is not an object", ""),
        "dict_type": ("not_an_object", "is not an object", "an object"),
        "tuple_type": ("not_a_list", "is not a list", "a list"),
        "string_type": ("not_a_text", "is not a text", "a text"),
        "string_unicode": ("not_a_text", "is not valid Unicode", "a text without lone surrogates"),
        "string_sub_type": ("not_a_text", "is not a text", "a text"),
        "string_too_short": ("empty_text", "is empty", "a text"),
        "literal_error": ("unknown_word", NOT_KNOWN, ""),
        "json_invalid": ("not_json", "is not JSON", "a JSON text"),
        "recursion_loop": ("recursive", "contains itself", "plain data"),
    }
)


UNREAD: Final = "unread"
"""The type of pydantic's error for a record that is not read, because enough is wrong already."""


def error_from(
    error: ValidationError,
    given: object,
    kind: type[BaseModel] | None = None,
    *,
    by_name: bool = False,
) -> InvalidInputError:
    """Return the error of this library for one of pydantic's."""
    spelling = _Spelling(given, by_name=by_name)
    known = _KnownFields(kind, spelling)
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    for fault in error.errors(include_url=False):
        if fault["type"] == UNREAD:
            continue
        path, place = spelling.followed(fault["loc"])
        facts = fault.get("ctx", {})
        cause = facts.get("error")
        if isinstance(cause, InvalidInputError):
            problems += (spelling.inside(place, each).under(path) for each in cause.problems)
            kinds.append(type(cause))
            continue
        other = (fault["type"], fault["msg"], "another value")
        code, message, expected = _SAID.get(fault["type"], other)
        met = "nothing" if fault["type"] == "missing" else shown(fault["input"])
        if code == "unknown_field":
            expected = known.instead_of(fault["loc"])
        elif code == "missing":
            expected = value_words(kind, fault["loc"])
        elif code == "not_an_object" and not expected:
            expected = f"{_a(_kind_at(kind, fault['loc']))}, or an object with its fields"
        expected = expected or f"one of {facts.get('expected', '')}"
        problems.append(Problem(path, code, message, met, expected))
        kinds.append(InvalidRecordError)
    return error_of(problems, kinds)


def joined(error: ValidationError, data: object, misfit: InvalidInputError) -> ValidationError:
    """Return pydantic's error with problems of this library added to it."""
    own = InitErrorDetails(type="value_error", loc=(), input=data, ctx={"error": misfit})
    return with_details(error, [own])


def with_details(error: ValidationError, own: Sequence[InitErrorDetails]) -> ValidationError:
    """Return pydantic's error with details added, each at its own place."""
    details = [
        InitErrorDetails(
            type=fault["type"], loc=fault["loc"], input=fault["input"], ctx=fault.get("ctx", {})
        )
        for fault in error.errors(include_url=False)
    ]
    return ValidationError.from_exception_data(error.title, [*details, *own])


_VALUES: Final[Mapping[Any, str]] = MappingProxyType(
    {
        str: "a text",
        int: "a whole number",
        Decimal: "a number",
        date: "a date, YYYY-MM-DD",
        Amount: "an amount with its currency",
        Vat: "a VAT with its tax mode",
        Period: "a period, YYYY-MM-DD/YYYY-MM-DD",
        YearMonth: "a month, YYYY-MM",
    }
)
"""What a field is, in words, by its class."""
_MOST_COMPARED: Final = 20
"""Unknown fields for which a similar known one is suggested; more are no typing errors."""
_LONGEST: Final = 60
"""Longest name for which a similar one is suggested; no field is as long."""
_ENDS: Final = ("ended_on", "end_date", "contract_end")
_STARTS: Final = ("started_on", "start_date", "contract_start")
_MEANT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(("moved_out", "until", "end", "ends", "last_day", "valid_until"), _ENDS),
        **dict.fromkeys(("moved_in", "start", "starts", "since", "first_day"), _STARTS),
        **dict.fromkeys(("due", "due_on", "due_day"), ("due_date", "due_date_rule")),
        "price": ("amount",),
        "amounts": ("amount_records",),
        "items": ("recurring_bill_items",),
        "rules": ("rent_adjustment_rules",),
        "rent": ("amount", "recurring_bill_items"),
        "deposit": ("balances",),
    }
)
"""Fields by the words that people use for them."""
_LISTED: Final = 8
"""Known fields that a message lists; the others are counted."""


class _KnownFields:
    """Suggests a known field where one is unknown."""

    def __init__(self, kind: type[BaseModel] | None, spelling: "_Spelling") -> None:
        self._kind, self._spelling = kind, spelling
        self._known: dict[Steps, Callable[[str], str]] = {}
        self._compared = 0

    def instead_of(self, steps: Steps) -> str:
        """Return the field that may have been meant, otherwise the known ones."""
        *way, unknown = steps
        where = tuple(way)
        known = self._known.get(where)
        if known is None:
            known = self._known[where] = self._fields_at(where)
        return known(str(unknown))

    def _fields_at(self, way: Steps) -> Callable[[str], str]:
        """Return a function that suggests fields of one object."""
        kind = _kind_at(self._kind, way)
        if kind is None:
            return lambda _: "a known field"
        _, place = self._spelling.followed(way)
        given = place if isinstance(place, Mapping) else {}
        names = self._spelling.of_fields(place, kind)
        free = [name for name in names if name not in given]
        listed = _listed(names)

        def expected(found: str) -> str:
            twice = {each.name: each.wire for each in fields_of(kind)}.get(found)
            if twice is not None and twice in given:
                return f"{twice} or {found}, not both"
            self._compared += 1
            if self._compared > _MOST_COMPARED or len(found) > _LONGEST:
                return listed
            from difflib import get_close_matches  # noqa: PLC0415 - for refusals alone

            meant = _MEANT.get(to_snake(found), ())
            near = [each for each in names if to_snake(each) in meant]
            near = near or get_close_matches(found, free, 1)
            return f"a known field, such as {' or '.join(near)}" if near else listed

        return expected


def _listed(names: Sequence[str]) -> str:
    # One more is written out, because three dots are no shorter.
    shown = names if len(names) <= _LISTED + 1 else [*names[:_LISTED], "…"]
    return f"one of {', '.join(shown)}"


def _kind_at(kind: type[BaseModel] | None, steps: Sequence[int | str]) -> type[BaseModel] | None:
    """Return the record class at the end of a path, None where there is none."""
    for step in steps:
        # An entry of a list has the class of the list's field.
        if isinstance(step, int) or kind is None:
            continue
        inside = (each.type.innermost for each in fields_of(kind) if step in (each.name, each.wire))
        kind = next((each for each in inside if _is_record(each)), None)
    return kind


def value_words(kind: type[BaseModel] | None, steps: Steps) -> str:
    *way, name = steps
    record = _kind_at(kind, way)
    for field in () if record is None else fields_of(record):
        if name in (field.name, field.wire):
            if field.type.is_list:
                return "a list"
            inside = field.type.kind
            return _a(inside) if _is_record(inside) else _VALUES.get(inside, "a value")
    return "a value"


def _a(kind: type[BaseModel] | None) -> str:
    """Return the name of a record class with its article."""
    name = "record" if kind is None else kind.__name__
    return f"{'an' if name[0] in 'AEIO' else 'a'} {name}"


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


class _Spelling:
    """The caller's spelling of a payload's keys, determined once for each object."""

    def __init__(self, given: object, *, by_name: bool) -> None:
        self._given = given
        self._by_name = by_name
        # Keyed by `id`, which another object could reuse; the reference to the object prevents it.
        self._known: dict[int, tuple[object, Callable[[str], str]]] = {}

    def followed(self, steps: Steps) -> tuple[str, object]:
        """Return the path of a problem, and the object or value at its end."""
        path = ""
        place: Any = self._given
        for step in steps:
            if isinstance(step, int):
                path += f"[{step}]"
                there = isinstance(place, (list, tuple)) and step < len(place)
                place = place[step] if there else None
                continue
            name = self._speller(place)(step)
            path += f".{name}" if path else name
            if isinstance(place, Mapping):
                place = place.get(name)
            else:
                place = getattr(place, to_snake(step), None)
        return path, place

    def inside(self, place: object, problem: Problem) -> Problem:
        """Return a problem with the steps of its path as the caller spells those of an object."""
        if isinstance(place, Mapping) and problem.path in place:
            return problem
        spelled = self._speller(place)
        steps: list[str] = []
        for step in problem.path.split(".") if problem.path else ():
            name, bracket, rest = step.partition("[")
            steps.append(f"{name and spelled(name)}{bracket}{rest}")
        return problem._replace(path=".".join(steps))

    def of_fields(self, place: object, kind: type[BaseModel]) -> list[str]:
        spelled = self._speller(place)
        return [spelled(name) for name in kind.model_fields]

    def _speller(self, place: object) -> Callable[[str], str]:
        known = self._known.get(id(place))
        if known is None:
            known = self._known[id(place)] = place, _speller(place, by_name=self._by_name)
        return known[1]


def _speller(place: object, *, by_name: bool) -> Callable[[str], str]:
    """Return how the caller spells the keys of an object: camelCase or snake_case."""
    keys = {key for key in place if isinstance(key, str)} if isinstance(place, Mapping) else set()
    snake = any("_" in key for key in keys)
    camel = any(key != key.lower() for key in keys)
    if snake is camel:
        snake = by_name
    change = to_snake if snake else to_camel

    def spelled(key: str) -> str:
        return key if key in keys else change(to_snake(key))

    return spelled
