"""Requests keep to bounds: how long texts and lists may be, and which characters texts hold.

Laws: whatever is sent is judged field by field as its type says, to the last part of it, however
the request is made: from JSON or in Python; so an operation that is added has these bounds without
a word; and they are told beside everything else that is wrong.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, NamedTuple, Self, Union, cast, get_args, get_origin

from pydantic import (
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import InitErrorDetails

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.records.json_text import quoted
from rentbilling.records.messages import Steps, with_details
from rentbilling.records.record import JudgedRecord, Record
from rentbilling.records.text_limits import (
    A_KEY,
    MOST_IN_A_LIST,
    MOST_IN_ALL_LISTS,
    MOST_OF_ALL_TEXTS,
    TextBound,
)


class Bounded(NamedTuple):
    """What is known of a value: that it is a text, a list, a dictionary or a record."""

    text: TextBound | None = None
    """The bound of a text."""
    entries: "Bounded | None" = None
    """What the entries of a list or dictionary are, where there are any."""
    record: type[Record] | None = None
    """The record."""


_NOTHING: Bounded = Bounded()
"""What has bounds of its own: a number, a day, a word of a known list."""


def _known(kind: Any, *, needed: bool = False) -> Bounded:  # noqa: ANN401
    """Return what is known of the values of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (kind,) = (each for each in arguments if each is not NoneType)
        return _known(kind, needed=needed)
    if origin is Annotated:
        bound = next((each for each in arguments[1:] if isinstance(each, TextBound)), None)
        if bound is None:
            return _known(arguments[0], needed=needed)
        return Bounded(text=bound.needed() if needed else bound)
    if origin is tuple:
        return Bounded(entries=_known(arguments[0]))
    if origin is dict:
        return Bounded(entries=_known(arguments[1]))
    is_record = isinstance(kind, type) and issubclass(kind, Record)
    return Bounded(record=kind) if is_record else _NOTHING


@cache
def _fields(kind: type[Record]) -> tuple[tuple[str, str, Bounded], ...]:
    """Return the fields that have bounds: the name, the name on the wire, and what is known."""
    found = (
        (name, field.alias or name, _known(field.rebuild_annotation(), needed=field.is_required()))
        for name, field in kind.model_fields.items()
    )
    return tuple(each for each in found if each[2] != _NOTHING)


class _Measured:
    """A request that is gone through: what is wrong with it, and how much it is in all."""

    def __init__(self) -> None:
        self.found: list[tuple[Steps, Problem]] = []
        self._bytes = self._entries = 0

    def record(self, kind: type[Record], given: object, steps: Steps) -> None:
        """Go through an object, written as data or made in Python."""
        if isinstance(given, Mapping):
            for name, wire, known in _fields(kind):
                value = given.get(wire, given.get(name))
                if value is not None:
                    self._value(known, value, (*steps, wire))
        elif isinstance(given, kind):
            for name, wire, known in _fields(kind):
                value = getattr(given, name)
                if value is not None:
                    self._value(known, value, (*steps, wire))

    def _value(self, known: Bounded, value: object, steps: Steps) -> None:
        """Go through a value; one of another type is refused by its reader."""
        if known.record is not None:
            self.record(known.record, value, steps)
        elif known.text is not None:
            if isinstance(value, str):
                self._text(known.text, value, steps)
        elif isinstance(value, Mapping):
            self._list(value, steps)
            for key, each in value.items():
                if isinstance(key, str):
                    self._text(A_KEY, key, (*steps, key))
                    self._entry(known, each, (*steps, key))
        elif isinstance(value, (list, tuple)):
            entries = cast("Sequence[object]", value)
            self._list(entries, steps)
            for at, each in enumerate(entries):
                self._entry(known, each, (*steps, at))

    def _entry(self, known: Bounded, value: object, steps: Steps) -> None:
        if known.entries is not None:
            self._value(known.entries, value, steps)

    def _text(self, bound: TextBound, text: str, steps: Steps) -> None:
        self._bytes += len(quoted(text).encode("utf-8", "replace"))
        self.found += ((steps, each) for each in bound.faults(text))

    def _list(self, given: Sequence[object] | Mapping[Any, object], steps: Steps) -> None:
        self._entries += len(given)
        if len(given) > MOST_IN_A_LIST:
            said, expected = f"has {len(given)} entries", f"at most {MOST_IN_A_LIST}"
            problem = Problem("", "too_many", said, str(len(given)), expected)
            self.found.append((steps, problem))

    def whole(self) -> None:
        """Judge all of it together, where no part of it is too much by itself."""
        if self.found:
            return
        for code, count, most, what in (
            ("too_long", self._bytes, MOST_OF_ALL_TEXTS, "bytes in its texts"),
            ("too_many", self._entries, MOST_IN_ALL_LISTS, "entries in its lists"),
        ):
            if count > most:
                said, expected = f"has {count} {what}", f"at most {most}"
                self.found.append(((), Problem("", code, said, str(count), expected)))


def faults_of(kind: type[Record], given: object) -> list[tuple[Steps, Problem]]:
    """Return where something that is sent keeps not to its bounds."""
    measured = _Measured()
    measured.record(kind, given, ())
    measured.whole()
    return measured.found


def check_bounds(record: Record) -> None:
    """Refuse an object that a change made larger than one that could be created.

    Raises:
        InvalidRecordError: Its texts or lists are longer; `problems` has each of them.
    """
    problems = [_placed(steps, problem) for steps, problem in faults_of(type(record), record)]
    if problems:
        raise InvalidRecordError(problems)


def _placed(steps: Steps, problem: Problem) -> Problem:
    """Return a problem with the way to it as its path."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return problem._replace(path=path.removeprefix("."))


class SentRecord(JudgedRecord):
    """A request: what a caller sends to an operation, within the bounds of `text_bounds`.

    Examples:
        >>> from rentbilling.records.fields import IdField
        >>> class AskAgain(SentRecord):
        ...     lease_id: IdField
        >>> AskAgain(lease_id=" ")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: lease_id: is blank (met ' '; \
expected a text that says something)
    """

    bounded: ClassVar[bool] = True
    """Whether its schema tells how long it may be."""
    sparse = True

    @model_validator(mode="wrap")
    @classmethod
    def _bounded(
        cls,
        data: Any,  # noqa: ANN401
        handler: ModelWrapValidatorHandler[Self],
        info: ValidationInfo,
    ) -> Self:
        """Report what keeps not to its bounds beside what cannot be read or does not fit."""
        del info
        if type(data) is cls:
            return data
        found = faults_of(cls, data)
        try:
            record = handler(data)
        except ValidationError as error:
            if not found:
                raise
            raise with_details(error, _details(found)) from None
        if found:
            raise ValidationError.from_exception_data(cls.__name__, _details(found))
        return record

    def evolve(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return the same request with some fields changed, checked again; see `Record.evolve`.

        Raises:
            InvalidInputError: The changed request is wrong.
        """
        # What fits its field was judged by itself, and not as a part of what is sent.
        return super(JudgedRecord, self).evolve(**changes)


def _details(found: Sequence[tuple[Steps, Problem]]) -> list[InitErrorDetails]:
    """Return faults as pydantic hands them on to who words a refusal."""
    return [
        InitErrorDetails(
            type="value_error",
            loc=steps,
            input=None,
            ctx={"error": InvalidRecordError((problem,))},
        )
        for steps, problem in found
    ]
