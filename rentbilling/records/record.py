"""Records: frozen, validated however they are created, refused with every problem at once.

Laws: a record is valid whether it was created in Python, from a dict or from JSON, and a refusal
names every problem, each with its path in the caller's own spelling.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import Parameter, Signature
from threading import RLock
from types import MappingProxyType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, PydanticCustomError

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown
from rentbilling.records.bounds import Bound
from rentbilling.records.description import RecordField, fields_of, wire_names
from rentbilling.records.fields import (
    BY_HAND,
    PLAIN_DATA,
    PLAIN_DICT,
    allowance_in,
    is_lenient,
    known_parts,
    period_end_of,
    sound_parts,
)
from rentbilling.records.json_schema import record_body, schema_of_record
from rentbilling.records.json_text import read_json
from rentbilling.records.messages import UNREAD, error_from, joined, value_words
from rentbilling.records.quick_reader import LEFT, filled, filler_of, reader_of
from rentbilling.records.raw_record import RawRecord
from rentbilling.records.record_writer import record_writer
from rentbilling.values import (
    Amount,
    PeriodEnd,
    PydanticDefinitions,
    Schema,
    is_no_day,
    json_numbers,
)

R = TypeVar("R", bound="Record")

_FEW: Final = 100
"""Records of a list that `evolve` does not validate again: any list may have so many."""

_PERIOD_ENDS: Final = get_args(PeriodEnd)
_BUILDING: Final = RLock()

Problems = Iterator[tuple[type[InvalidInputError], Problem]]
"""Problems of a record, each with its kind of error; paths are relative to the record."""


class _PythonNames:
    """The signature of a record in Python's names; made when it is read, as by an editor."""

    def __get__(self, _record: object, kind: type[BaseModel]) -> Signature:
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if field.is_required() else field.default,
                    annotation=_plain_type(field.annotation),
                )
                for name, field in kind.model_fields.items()
            ]
        )


_PYTHON_NAMES: Final[Any] = _PythonNames()


class Record(BaseModel):
    """The base of all records: frozen, validated, refused with errors of this library.

    Fields are snake_case in Python and camelCase on the wire; both are read.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        # Most programs use a few of the records, and most payloads need no validator at all. True
        # in number only: an adapter waits where it is True itself, and the adapters that FastAPI
        # builds for parameters warn if they are built later.
        defer_build=cast("bool", 1),
    )

    required_on_wire: ClassVar[tuple[str, ...]] = ()
    """Fields that have a default in Python and that JSON must have."""
    _on_wire: ClassVar[frozenset[str]] = frozenset()
    """The names of `required_on_wire` on the wire."""
    sent_lists: ClassVar[tuple[str, ...]] = ()
    """Lists of the interface, which an answer has even where they are empty (A72)."""
    always_written: ClassVar[tuple[str, ...]] = ()
    """Lists that every form has, even where they are empty."""
    silent_defaults: ClassVar[Collection[str]] = ()
    """Fields beyond the interface, which are not written where they have their defaults."""
    written_in_full: ClassVar[Collection[str]] = ()
    """Fields beyond the interface, which only the full form has (A56)."""
    written_first: ClassVar[tuple[str, ...]] = ()
    """Fields that are written before the others, as in the interface."""
    answered: ClassVar[bool] = False
    """Whether it is an answer or a part of one, so that callers never write it."""
    takes_null: ClassVar[bool] = True
    """Whether null reads as absent; in a change it would change nothing (A6)."""
    sparse: ClassVar[bool] = False
    """Whether empty lists are left out of it and its parts: in files and requests (A57, A72)."""
    reads_quickly: ClassVar[bool] = True
    """Whether it has no validators but those of this module."""

    def __init__(self, *unnamed: object, **values: Any) -> None:  # noqa: ANN401
        """Validate the fields.

        Raises:
            InvalidInputError: Something is wrong; `problems` has all of it.
            TypeError: A value has no name.
        """
        if unnamed:
            kind = type(self)
            first = next(iter(kind.model_fields), "")
            said = f"takes its fields by name: {kind.__name__}({first}=…)"
            raise TypeError(f"{kind.__name__} {said}, not {shown(unnamed[0])}")
        try:
            filler_of(type(self), plain=False)(values, self)
        except LEFT:
            self._read_slowly(values)

    def _read_slowly(self, values: dict[str, Any]) -> None:
        """Validate the fields by pydantic, which finds all that is wrong."""
        try:
            # As `BaseModel.__init__` does, which has no context.
            self.__pydantic_validator__.validate_python(values, self_instance=self, context=BY_HAND)
        except ValidationError as error:
            raise error_from(error, values, type(self), by_name=True) from None

    # With this mark pydantic validates nested records without calling `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        """Give the class a signature of Python names; pydantic's has those of JSON."""
        super().__pydantic_init_subclass__(**options)
        cls._on_wire = frozenset(map(to_camel, cls.required_on_wire))
        cls.__signature__ = _PYTHON_NAMES

    @classmethod
    def model_rebuild(cls, **options: Any) -> bool | None:  # pyright: ignore[reportIncompatibleMethodOverride] # noqa: ANN401
        """Build the validator, which pydantic asks for on first use.

        One thread at a time: pydantic before 2.12 may take a validator away that another built.
        """
        with _BUILDING:
            done = super().model_rebuild(**options)
            # It has set a signature of its own.
            cls.__signature__ = _PYTHON_NAMES
            return done

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Give the fields that differ from their defaults."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if field.is_required() or value != field.default:
                yield name, value

    def __str__(self) -> str:
        """Return it as code, like `repr`; pydantic would leave out its name."""
        return repr(self)

    # Type checkers know that a record is frozen and need not see these.
    if not TYPE_CHECKING:  # pragma: no branch

        def __setattr__(self, name: str, value: object) -> None:
            """Refuse to change a record in place."""
            said = f"evolve({name}=…) returns another one"
            raise AttributeError(f"{type(self).__name__} is frozen; {said}")

        def __delattr__(self, name: str) -> None:
            said = f"evolve({name}=None) returns another one"
            raise AttributeError(f"{type(self).__name__} is frozen; {said}")

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:  # noqa: ANN401
        """Return the record that plain data describes; a number may be its exact text (A1).

        Raises:
            InvalidInputError: Something is wrong; `problems` has all of it.
        """
        if options.get("context") is None:
            options["context"] = PLAIN_DICT
        period_end = period_end_of(options["context"])
        if len(options) == 1 and period_end in _PERIOD_ENDS:
            try:
                return cast("Self", reader_of(cls, period_end)(obj))
            except LEFT:
                pass
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise error_from(error, obj, cls) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:  # noqa: ANN401
        """Return the record that a JSON text describes; `loads` is the exact and strict way.

        Raises:
            InvalidInputError: Something is wrong; `problems` has all of it.
        """
        if options.get("context") is None:
            options["context"] = PLAIN_DATA
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise error_from(error, None, cls) from None

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the JSON schema of the record in JSON, as `schema_of` does.

        Examples:
            >>> from rentbilling import DueDateRule
            >>> DueDateRule.model_json_schema()["required"]
            ['dayOfPeriod']
        """
        return schema_of_record(cls)

    @model_serializer(mode="plain", when_used="json")
    def _json_data(self) -> Any:  # noqa: ANN401
        """Return what `dumps` writes, for the JSON of pydantic."""
        return json_numbers(read_json(record_writer(sparse=self.sparse).record(self)))

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> Schema:
        """Tell pydantic, and so FastAPI, what `schema_of` says."""
        del core_schema
        bounded = bool(getattr(cls, "bounded", False))
        return record_body(
            cls, PydanticDefinitions(handler, bounded=bounded, answered=cls.answered)
        )

    def evolve(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return the same record with some fields changed, checked again.

        Raises:
            InvalidInputError: The changed record is wrong.

        Examples:
            >>> from rentbilling import BillingCycle
            >>> BillingCycle(period_length=1).evolve(period_length=3).period_length
            3
        """
        fields = type(self).model_fields
        values = {name: getattr(self, name) for name in self.model_fields_set}
        if not changes.keys() <= fields.keys():
            for name in fields:
                if name not in changes and to_camel(name) in changes:
                    values.pop(name, None)
        return type(self)(**{**values, **changes})


@cache
def _parts_of(record: type[Record]) -> Mapping[str, tuple[RecordField, type[Record]]]:
    """Return the fields that are a record or a list of them, and of which class.

    None of a class that changes what it has read.
    """
    if record.model_post_init is not BaseModel.model_post_init:
        return MappingProxyType({})
    kinds = ((each, each.type.innermost) for each in fields_of(record))
    return MappingProxyType(
        {
            field.name: (field, kind)
            for field, kind in kinds
            if isinstance(kind, type) and issubclass(kind, Record)
        }
    )


def _fits(record: type[Record], name: str, value: object) -> bool:
    """Return whether a value is a valid record of a field's class, or a short list of them.

    None is no value of a field that need not have one.
    """
    if name not in (parts := _parts_of(record)):
        return False
    field, kind = parts[name]
    if value is None:
        return not field.required and field.default is None
    if not field.type.is_list:
        return type(value) is kind
    return type(value) is tuple and len(value) <= _FEW and set(map(type, value)) <= {kind}


@cache
def _bounds_of(record: type[Record]) -> tuple[tuple[RecordField, Bound], ...]:
    """Return the bounds of a record's fields: whole numbers first, what is above 0 last."""
    found = [
        (field, each)
        for field in fields_of(record)
        for each in field.type.notes
        if isinstance(each, Bound)
    ]
    return tuple(sorted(found, key=lambda pair: _rank(pair[0].type.kind, pair[1])))


def _rank(kind: object, bound: Bound) -> tuple[bool, bool, bool]:
    return kind is Amount, getattr(bound, "above", False), kind is not int


def _plain_type(kind: Any) -> Any:  # noqa: ANN401
    """Return a field's type without how it is read."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(map(_plain_type, get_args(kind)))]  # noqa: UP007
    return kind


class CheckedRecord(Record):
    """A record with rules between its fields, checked even where some fields cannot be read."""

    problem_error: ClassVar[type[InvalidInputError]] = InvalidRecordError
    """The kind of error of a field that is out of its bounds."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return what is out of bounds or contradicts itself; `parts` lacks unreadable fields."""
        return cls.bound_problems(parts)

    @classmethod
    def bound_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of single fields that are out of their bounds."""
        for field, bound in _bounds_of(cls):
            value = parts.get(field.name)
            problem = None if value is None else bound.problem(field.wire, value)
            if problem is not None:
                yield cls.problem_error, problem

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether all fields are there and nothing is wrong between them."""
        return next(cls.cross_field_problems(parts), None) is None

    @classmethod
    def quick_check(cls) -> Callable[[Mapping[str, Any]], bool] | None:
        """Return what says whether fields fit together; None where nothing can be wrong."""
        inherited = _function(cls.cross_field_problems) is _function(
            CheckedRecord.cross_field_problems
        )
        return None if inherited and not _bounds_of(cls) else cls.fits

    @classmethod
    def drops_nulls(cls) -> bool:
        """Return whether every null reads as absent."""
        return _function(cls.null_problems) is _function(CheckedRecord.null_problems)

    @classmethod
    def null_problems(cls, names: Iterable[str]) -> Problems:
        """Return the problems of fields that are null in JSON and must not be."""
        del names
        return iter(())

    def evolve(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return the same record with some fields changed, checked again; see `Record.evolve`.

        Raises:
            InvalidInputError: The changed record is wrong.

        Examples:
            >>> from datetime import date
            >>> from rentbilling import Amount, AmountRecord
            >>> record = AmountRecord(value=Amount(8500, "DKK"), start=date(2026, 1, 1))
            >>> record.evolve(start=date(2027, 1, 1)).value
            Amount(Decimal('8500'), 'DKK')
        """
        kind, names = type(self), self.model_fields_set | changes.keys()
        for name, value in changes.items():
            if not _fits(kind, name, value):
                return super().evolve(**changes)
            if value is None:
                names.discard(name)
        # The new parts are valid records; only the rules between fields are checked again.
        values = {**self.__dict__, **changes}
        if not kind.fits(values) and (found := [*kind.cross_field_problems(values)]):
            raise _error_of(found)
        return filled(object.__new__(kind), values, names)

    @model_validator(mode="wrap")
    @classmethod
    def _validated(
        cls,
        data: Any,  # noqa: ANN401
        handler: ModelWrapValidatorHandler[Self],
        info: ValidationInfo,
    ) -> Self:
        """Report unreadable fields together with other problems; null reads as absent (A6)."""
        # A record was validated when it was created.
        if type(data) is cls:
            return data
        if isinstance(data, RawRecord):
            raise data.error
        context = info.context
        nulls: Sequence[tuple[type[InvalidInputError], Problem]] = ()
        if isinstance(data, dict):
            data = _stated(data)
            if None in data.values():
                nulls = cls._found_nulls(data, context)
                data = _without_nulls(data, wire_names(cls))
            # The comparison of identities is cheap and decides for most payloads.
            if context is not PLAIN_DATA and is_lenient(info):
                data = known_parts(cls, data)
        try:
            record = _handled(handler, data, context)
        except ValidationError as error:
            sound = sound_parts(cls, data, error, info)
            found = [*nulls, *cls._absent(data, context), *cls.cross_field_problems(sound)]
            if found:
                raise joined(error, data, _error_of(found)) from None
            raise
        found = [*nulls, *cls.cross_field_problems(record.__dict__)]
        # Most payloads have all required names on the wire; only others need a closer look.
        if isinstance(data, dict) and not data.keys() >= cls._on_wire:
            found += cls._absent(data, context)
        if found:
            raise _error_of(found)
        return record

    @classmethod
    def _found_nulls(
        cls, data: Mapping[str, Any], context: object
    ) -> Sequence[tuple[type[InvalidInputError], Problem]]:
        if _is_python(context):
            return ()
        known = wire_names(cls)
        return list(
            cls.null_problems(known[key] for key in data if data[key] is None and key in known)
        )

    @classmethod
    def _absent(cls, data: object, context: object) -> Problems:
        """Return the problems of required fields that a payload lacks."""
        if not isinstance(data, dict) or _is_python(context):
            return
        for name in cls.required_on_wire:
            if name not in data and (alias := to_camel(name)) not in data:
                expected = value_words(cls, (name,))
                problem = Problem(alias, "missing", "is required", "nothing", expected)
                yield InvalidRecordError, problem


class SilentRecord(CheckedRecord):
    """A record beyond the interface, which writes no field that has its default."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401 - as pydantic has it
        super().__pydantic_init_subclass__(**kwargs)
        cls.silent_defaults = cls.model_fields.keys()


def _is_python(context: object) -> bool:
    """Return whether the fields of a record are keyword arguments of Python."""
    return context is None or context is BY_HAND


def _handled(handler: ModelWrapValidatorHandler[R], data: Any, context: object) -> R:  # noqa: ANN401
    """Return the record that pydantic makes, as long as its problems would be described."""
    allowance = allowance_in(context)
    if allowance is None:
        return handler(data)
    if allowance.is_used_up:
        raise PydanticCustomError(UNREAD, "is not read")
    before = allowance.found
    try:
        return handler(data)
    except ValidationError as error:
        # Those of the records inside are among them.
        allowance.found = before + error.error_count()
        raise


def _function(method: Any) -> object:  # noqa: ANN401 - a method of a class
    return method.__func__


def _stated(data: dict[str, Any]) -> dict[str, Any]:
    """Return a payload without the absent days of pandas and NumPy, which are no null of JSON."""
    if not any(map(is_no_day, data.values())):
        return data
    return {name: value for name, value in data.items() if not is_no_day(value)}


def _without_nulls(data: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return an object without the nulls of known fields; unknown ones are refused (A50)."""
    return {key: value for key, value in data.items() if value is not None or key not in known}


def _error_of(found: Sequence[tuple[type[InvalidInputError], Problem]]) -> InvalidInputError:
    return error_of((problem for _, problem in found), (kind for kind, _ in found))
