"""Requests: the length limits of what is sent, changes of an object, pages of a list.

Laws: all problems of a request are reported together. A change is checked like what is created, and
what it does not name stays (A50); it refuses a null (A6).
"""

from collections.abc import Iterable, Mapping, Sequence, Sized
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Self, cast, get_args

from pydantic import (
    BaseModel,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import InitErrorDetails

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.records import (
    A_KEY,
    MOST_IN_A_LIST,
    MOST_IN_ALL_LISTS,
    MOST_OF_ALL_TEXTS,
    CheckedRecord,
    FieldType,
    IdField,
    InSchema,
    Problems,
    Record,
    RecordField,
    Steps,
    TextBound,
    WholeField,
    Within,
    fields_of,
    quoted,
    with_details,
)
from rentbilling.terms import OneTimeBillItem, RecurringBillItem, RentAdjustmentPlan

_TOO_MANY: Final = "too_many"


@cache
def _limited(kind: type[BaseModel]) -> tuple[RecordField, ...]:
    return tuple(each for each in fields_of(kind) if _has_limits(each.type))


def _has_limits(known: FieldType) -> bool:
    is_record = isinstance(known.kind, type) and issubclass(known.kind, Record)
    return known.entries is not None or is_record or _text_bound(known) is not None


def _text_bound(known: FieldType) -> TextBound | None:
    return next((each for each in known.notes if isinstance(each, TextBound)), None)


class _Measured:
    """The problems of a request with its limits, and its size so far."""

    def __init__(self) -> None:
        self.found: list[tuple[Steps, Problem]] = []
        self._bytes = self._entries = 0

    def record(self, kind: type[BaseModel], given: object, steps: Steps) -> None:
        if not isinstance(given, (Mapping, kind)):
            return
        if isinstance(given, Mapping) and len(given) > MOST_IN_A_LIST:
            self._too_many(given, steps, "fields")
            return
        for field in _limited(kind):
            if isinstance(given, Mapping):
                value = given.get(field.wire, given.get(field.name))
            else:
                value = getattr(given, field.name)
            if value is not None:
                self._value(field.type, value, (*steps, field.wire), needed=field.required)

    def _value(
        self, known: FieldType, value: object, steps: Steps, *, needed: bool = False
    ) -> None:
        bound, entries = _text_bound(known), known.entries
        if bound is not None:
            if isinstance(value, str):
                self._text(bound.needed() if needed else bound, value, steps)
        elif entries is None:
            if _has_limits(known):
                self.record(known.kind, value, steps)
        elif isinstance(value, Mapping):
            for key, each in value.items() if self._list(value, steps) else ():
                if isinstance(key, str):
                    self._text(A_KEY, key, (*steps, key))
                    self._value(entries, each, (*steps, key))
        elif isinstance(value, (list, tuple)):
            listed = cast("Sequence[object]", value)
            for at, each in enumerate(listed if self._list(listed, steps) else ()):
                self._value(entries, each, (*steps, at))

    def _text(self, bound: TextBound, text: str, steps: Steps) -> None:
        self._bytes += len(quoted(text).encode("utf-8", "replace"))
        self.found += ((steps, each) for each in bound.faults(text))

    def _list(self, given: Sequence[object] | Mapping[Any, object], steps: Steps) -> bool:
        self._entries += len(given)
        if len(given) > MOST_IN_A_LIST:
            self._too_many(given, steps, "entries")
        return len(given) <= MOST_IN_A_LIST

    def _too_many(self, given: Sized, steps: Steps, what: str) -> None:
        said, expected = f"has {len(given)} {what}", f"at most {MOST_IN_A_LIST}"
        self.found.append((steps, Problem("", _TOO_MANY, said, str(len(given)), expected)))

    def whole(self) -> None:
        if self.found:
            return
        for code, count, most, what in (
            ("too_long", self._bytes, MOST_OF_ALL_TEXTS, "bytes in its texts"),
            (_TOO_MANY, self._entries, MOST_IN_ALL_LISTS, "entries in its lists"),
        ):
            if count > most:
                said, expected = f"has {count} {what}", f"at most {most}"
                self.found.append(((), Problem("", code, said, str(count), expected)))


def faults_of(kind: type[Record], given: object) -> list[tuple[Steps, Problem]]:
    measured = _Measured()
    measured.record(kind, given, ())
    measured.whole()
    return measured.found


def check_bounds(record: Record) -> None:
    problems = [_placed(steps, problem) for steps, problem in faults_of(type(record), record)]
    if problems:
        raise InvalidRecordError(problems)


def _placed(steps: Steps, problem: Problem) -> Problem:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return problem._replace(path=path.removeprefix("."))


class SentRecord(CheckedRecord):
    """A request: the data that a caller sends to an operation, within limits (`text_limits`).

    Examples:
        >>> from rentbilling.records import IdField
        >>> class AskAgain(SentRecord):
        ...     lease_id: IdField
        >>> AskAgain(lease_id=" ")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: lease_id: is blank (met ' '; \
expected a text that says something)
    """

    bounded: ClassVar[bool] = True
    """Whether its schema states the limits."""
    sparse = True
    reads_quickly = False

    @model_validator(mode="wrap")
    @classmethod
    def _bounded(
        cls,
        data: Any,  # noqa: ANN401
        handler: ModelWrapValidatorHandler[Self],
        info: ValidationInfo,
    ) -> Self:
        del info
        if type(data) is cls:
            return data
        found = faults_of(cls, data)
        if any(each.code == _TOO_MANY for _, each in found):
            # Reading so many fields only to list what is wrong with them would cost too much.
            raise ValidationError.from_exception_data(cls.__name__, _details(found))
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
        # A record that fits its field was checked by itself, not as a part of a request.
        return super(CheckedRecord, self).evolve(**changes)


def _details(found: Sequence[tuple[Steps, Problem]]) -> list[InitErrorDetails]:
    return [
        InitErrorDetails(
            type="value_error", loc=steps, input=None, ctx={"error": InvalidRecordError((problem,))}
        )
        for steps, problem in found
    ]


class Change(SentRecord):
    """A change of an object; a field that is absent stays."""

    takes_null = False
    subject: ClassVar[str]
    """The field that names the object, which does not change."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        return _cleared_and_set(cls, parts)

    @classmethod
    def null_problems(cls, names: Iterable[str]) -> Problems:
        (words, _) = get_args(cls.model_fields["clear"].annotation)
        required = [each.wire for each in fields_of(cls) if each.required]
        for name in names:
            # A required field that is null is reported as missing.
            if name not in required:
                expected = f"a value, or {name} in clear" if name in get_args(words) else "a value"
                problem = Problem(name, "null_in_change", "changes nothing", "null", expected)
                yield InvalidRecordError, problem

    def changes(self) -> dict[str, Any]:
        """Return the changes by field: a cleared field is None, a cleared list is empty."""
        given = {
            name: value
            for name, value in self
            if value is not None and name not in (self.subject, "clear")
        }
        fields = {each.wire: each for each in fields_of(type(self))}
        cleared = [fields[wire] for wire in getattr(self, "clear", ())]
        return {**given, **{each.name: () if each.type.is_list else None for each in cleared}}


def _cleared_and_set(kind: type[CheckedRecord], parts: Mapping[str, Any]) -> Problems:
    names = {each.wire: each.name for each in fields_of(kind)}
    cleared: Sequence[str] = parts.get("clear", ())
    for at, each in enumerate(cleared):
        if parts.get(names[each]) is not None:
            said, expected = f"clears {each}, which is set too", "one of the two"
            problem = Problem(f"clear[{at}]", "cleared_and_set", said, shown(each), expected)
            yield InvalidRecordError, problem


MOST_OBJECTS: Final = 100
"""Objects on a page, at most (A43)."""
USUAL_OBJECTS: Final = 10
"""Objects on a page if a request does not say how many (A43)."""


class PageRequest(SentRecord):
    """A request for a page of a list (A43).

    Examples:
        >>> PageRequest(limit=101)
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: limit: is out of range (met 101; \
expected a whole number from 1 to 100)
    """

    # Ours
    limit: Annotated[WholeField, Within(1, MOST_OBJECTS)] = USUAL_OBJECTS
    """Objects on the page, 1 to 100."""
    starting_after: IdField | None = None
    """Id of the last object of the page before; absent for the first page."""


class LeasePartsRequest(PageRequest):
    """A request for a page of objects that belong to leases: of one lease, or of all."""

    # Ours
    lease_id: IdField | None = None
    """Only what belongs to this lease."""


def given_id(
    path: str, created: RecurringBillItem | OneTimeBillItem | RentAdjustmentPlan | None
) -> Problems:
    if created is not None and created.id is not None:
        said, expected = "is given by who keeps the object", "none: item.evolve(id=None) in Python"
        problem = Problem(f"{path}.id", "given_id", said, shown(created.id), expected)
        yield InvalidRecordError, problem


NEW: Final = InSchema({"properties": {"id": {"type": "null"}}})
