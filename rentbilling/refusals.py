"""How the refusal of a payload is put into words: ours, with paths as the caller spells them.

Laws: every problem keeps its path in the caller's own spelling, and the time it takes to word them
grows with their number alone.
What does not live here: how values are read (`reading`), the errors themselves (`errors`).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from pydantic import ValidationError
from pydantic.alias_generators import to_camel, to_snake
from pydantic_core import InitErrorDetails

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown

Steps = tuple[int | str, ...]
"""The way from what was handed in to a fault: names of fields and positions in lists."""

# What pydantic itself finds wrong: our code, what is said, what would be right.
_SAID: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "missing": ("missing", "is required", "a value"),
        "extra_forbidden": ("unknown_field", "is not a field", "a known field"),
        "model_type": ("not_an_object", "is not an object", "an object"),
        "model_attributes_type": ("not_an_object", "is not an object", "an object"),
        "dict_type": ("not_an_object", "is not an object", "an object"),
        "tuple_type": ("not_a_list", "is not a list", "a list"),
        "string_type": ("not_a_text", "is not a text", "a text"),
        "string_unicode": ("not_a_text", "is not valid Unicode", "a text without lone surrogates"),
        "string_sub_type": ("not_a_text", "is not a text", "a text"),
        "string_too_short": ("empty_text", "is empty", "a text"),
        "literal_error": ("unknown_word", "is not a known word", ""),
        "json_invalid": ("not_json", "is not JSON", "a JSON text"),
        "recursion_loop": ("recursive", "contains itself", "plain data"),
    }
)


def refused(error: ValidationError, given: object, *, by_name: bool = False) -> InvalidInputError:
    """Return our error for what pydantic refused.

    Args:
        error: What pydantic raised.
        given: The payload, whose spelling the paths follow.
        by_name: Whether the payload's own keys are Python names.

    Returns:
        One error with every problem.
    """
    spelling = _Spelling(given, by_name=by_name)
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    for fault in error.errors(include_url=False):
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
        expected = expected or f"one of {facts.get('expected', '')}"
        problems.append(Problem(path, code, message, met, expected))
        kinds.append(InvalidRecordError)
    return error_of(problems, kinds)


def joined(error: ValidationError, data: object, misfit: InvalidInputError) -> ValidationError:
    """Return what pydantic refused together with what we found about the same payload."""
    details = [
        InitErrorDetails(
            type=fault["type"], loc=fault["loc"], input=fault["input"], ctx=fault.get("ctx", {})
        )
        for fault in error.errors(include_url=False)
    ]
    own = InitErrorDetails(type="value_error", loc=(), input=data, ctx={"error": misfit})
    return ValidationError.from_exception_data(error.title, [*details, own])


class _Spelling:
    """The caller's spelling of a payload's keys; that of an object is found out once."""

    def __init__(self, given: object, *, by_name: bool) -> None:
        self._given = given
        self._by_name = by_name
        # Each object is kept beside its spelling, so that no other one takes its identity.
        self._known: dict[int, tuple[object, Callable[[str], str]]] = {}

    def followed(self, steps: Steps) -> tuple[str, object]:
        """Return the path of a fault, and the object or value at its end."""
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

    def _speller(self, place: object) -> Callable[[str], str]:
        """Return how an object's keys are spelled."""
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
