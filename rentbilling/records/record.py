"""What all records share: they are frozen, checked however they are made, and refused in our words.

Laws: a record is valid however it was made (by hand, from a dict, from JSON), and a refusal names
every problem at once, each with its path in the caller's own spelling. What a service tells of
others' making (`ToldRecord`) is kept as it came and judged where somebody builds on it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, Signature
from types import UnionType
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
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    error_of,
)
from rentbilling.records.fields import PLAIN_DATA, is_lenient, known_parts, sound_parts, wire_names
from rentbilling.records.json_schema import schema_of_record
from rentbilling.records.messages import joined, refused

R = TypeVar("R", bound="Record")

_FEW: Final = 100
"""Parts up to which their number needs no judging."""
_AS_TOLD: Final = "_as_told"
"""What a record that a service told holds beside its fields, where nobody compares or writes it."""

Faults = Iterator[tuple[type[InvalidInputError], Problem]]
"""What does not fit together: the kind of error and the problem, path relative to the record."""


class Record(BaseModel):
    """What all records share: frozen, checked however made, refused with our own errors.

    Fields are snake_case in Python and camelCase on the wire; both are read.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    required_on_wire: ClassVar[tuple[str, ...]] = ()
    """Fields with a default for those who write Python, which a payload must have."""
    _on_wire: ClassVar[frozenset[str]] = frozenset()
    """Their names on the wire."""
    sent_lists: ClassVar[tuple[str, ...]] = ()
    """Lists that the interface names: an answer has them also where they are empty (A72)."""
    answered: ClassVar[bool] = False
    """Whether it is an answer, or stands in one, and is never written by hand."""
    sparse: ClassVar[bool] = False
    """Whether empty lists are left out of it and its parts: in files and requests (A57, A72)."""

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        """Check the fields and keep them.

        Raises:
            InvalidInputError: Something is wrong; `problems` has all of it.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise refused(error, values, type(self), by_name=True) from None

    # Tells pydantic that nested records are validated without calling this.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        """Show who writes Python the fields by their Python names, where pydantic shows JSON's."""
        super().__pydantic_init_subclass__(**options)
        cls._on_wire = frozenset(map(to_camel, cls.required_on_wire))
        cls.__signature__ = Signature(
            [
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if field.is_required() else field.default,
                    annotation=_plain_type(field.annotation),
                )
                for name, field in cls.model_fields.items()
            ]
        )

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Give what a reader looks for: the fields that say more than their defaults."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if field.is_required() or value != field.default:
                yield name, value

    # Hidden from type checkers, which know that a record is frozen.
    if not TYPE_CHECKING:  # pragma: no branch

        def __setattr__(self, name: str, value: object) -> None:
            """Refuse to change a record in place."""
            said = f"evolve({name}=…) returns another one"
            raise AttributeError(f"{type(self).__name__} is frozen; {said}")

        def __delattr__(self, name: str) -> None:
            """Refuse to take a field away."""
            said = f"evolve({name}=None) returns another one"
            raise AttributeError(f"{type(self).__name__} is frozen; {said}")

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:  # noqa: ANN401
        """Return the record that plain data describes.

        Raises:
            InvalidInputError: Something is wrong; `problems` has all of it.
        """
        if options.get("context") is None:
            options["context"] = PLAIN_DATA
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise refused(error, obj, cls) from None

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
            raise refused(error, None, cls) from None

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the JSON schema of the record as it stands on the wire, as `schema_of` does.

        Examples:
            >>> from rentbilling import DueDateRule
            >>> DueDateRule.model_json_schema()["required"]
            ['dayOfPeriod']
        """
        return schema_of_record(cls)

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


def _fits(field: FieldInfo | None, value: object) -> bool:
    """Return whether a value is a record, or a few, of the very kind that a field holds."""
    if field is None:
        return False
    if type(value) is tuple and get_origin(field.annotation) is tuple:
        (kind, _) = get_args(field.annotation)
        return len(value) <= _FEW and all(
            type(each) is kind and isinstance(each, Record) and not _is_told(each) for each in value
        )
    return isinstance(value, Record) and type(value) in _kinds_of(field) and not _is_told(value)


def _is_told(record: Record) -> bool:
    """Return whether a service told a record, which is not judged yet."""
    return _AS_TOLD in record.__dict__


def _kinds_of(field: FieldInfo) -> tuple[Any, ...]:
    """Return the kinds that a field holds."""
    return get_args(field.annotation) or (field.annotation,)


def _plain_type(kind: Any) -> Any:  # noqa: ANN401
    """Return a field's type without how it is read."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(map(_plain_type, get_args(kind)))]  # noqa: UP007
    return kind


class JudgedRecord(Record):
    """A record whose fields must fit together; they are judged even where some cannot be read."""

    told_without: ClassVar[tuple[str, ...]] = ()
    """Fields that everybody who creates one has to say, and a service may leave out."""
    _kept_as_told: ClassVar[bool] = False
    """Whether it is judged later where a service wrote it."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find what does not fit together."""
        del parts
        return iter(())

    @classmethod
    def nulls(cls, names: Iterable[str]) -> Faults:
        """Find what is null in a payload and must not be."""
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
        fields = type(self).model_fields
        fits = all(_fits(fields.get(name), value) for name, value in changes.items())
        others = type(self).model_post_init is not BaseModel.model_post_init
        if not fits or others or _is_told(self):
            return super().evolve(**changes)
        # Parts were judged when they were made; whether they fit together is judged anew.
        found = list(self.misfits({**self.__dict__, **changes}))
        if found:
            raise _error_of(found)
        return self.model_copy(update=changes)

    @model_validator(mode="wrap")
    @classmethod
    def _judged(
        cls,
        data: Any,  # noqa: ANN401
        handler: ModelWrapValidatorHandler[Self],
        info: ValidationInfo,
    ) -> Self:
        """Report unreadable fields and misfits together; null reads as absent (A6)."""
        # A record was judged when it was made, or is judged now that somebody builds on it.
        if type(data) is cls:
            return _built_on(data, info)
        context = info.context
        nulls: Sequence[tuple[type[InvalidInputError], Problem]] = ()
        if isinstance(data, dict):
            if None in data.values():
                nulls = cls._found_nulls(data, context)
                data = _without_nulls(data, wire_names(cls))
            # Asking first for the same object spares most payloads the dearer question.
            if context is not PLAIN_DATA and is_lenient(info):
                data = known_parts(cls, data)
                if cls._kept_as_told:
                    return cls._told(data, handler)
        try:
            record = handler(data)
        except ValidationError as error:
            sound = sound_parts(cls, data, info)
            found = [*nulls, *cls._absent(data, context), *cls.misfits(sound)]
            if found:
                raise joined(error, data, _error_of(found)) from None
            raise
        found = [*nulls, *cls.misfits(record.__dict__)]
        # Told by the names of the wire alone, most payloads have everything.
        if context is not None and isinstance(data, dict) and not data.keys() >= cls._on_wire:
            found += cls._absent(data, context)
        if found:
            raise _error_of(found)
        return record

    @classmethod
    def _found_nulls(
        cls, data: Mapping[str, Any], context: object
    ) -> Sequence[tuple[type[InvalidInputError], Problem]]:
        """Return the faults of what is null in a payload and must not be."""
        if context is None:
            return ()
        known = wire_names(cls)
        return list(cls.nulls(known[key] for key in data if data[key] is None and key in known))

    @classmethod
    def _told(cls, data: dict[str, Any], handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Return what a service told: what it lacks is None, what does not fit stays for later."""
        for name in cls.told_without:
            if name not in data:
                data.setdefault(wire_names(cls)[name], None)
        record = handler(data)
        vars(record)[_AS_TOLD] = True
        return record

    @classmethod
    def _absent(cls, data: object, context: object) -> Faults:
        """Find what a payload must have and has not."""
        if not isinstance(data, dict) or context is None:
            return
        for name in cls.required_on_wire:
            if name not in data and (alias := to_camel(name)) not in data:
                problem = Problem(alias, "missing", "is required", "nothing", "a value")
                yield InvalidRecordError, problem


def _without_nulls(data: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return an object without its nulls; what we do not know is refused also as null (A50)."""
    return {key: value for key, value in data.items() if value is not None or key not in known}


class ToldRecord(JudgedRecord):
    """A record that a service may tell in a form in which nobody could have created it.

    Read from a service it is kept as it came, as far as its values can be read at all; what is
    missing in it, out of range or contradicts itself is judged where somebody builds on it. Made in
    any other way it is judged at once, like every record.
    """

    _kept_as_told: ClassVar[bool] = True

    @property
    def is_told(self) -> bool:
        """Whether a service told it and it is not judged: it may be one that nobody can bill by."""
        return _is_told(self)

    def judged(self) -> Self:
        """Return the same record as creating it would give it, which bills can be made by.

        Raises:
            InvalidInputError: Nobody could have created it; `problems` has all of it.

        Examples:
            >>> from rentbilling import RentAdjustmentRule, loads
            >>> text = '{"adjustmentType": "Index", "adjustmentMonth": 1}'
            >>> told = loads(text, RentAdjustmentRule, from_service=True)
            >>> told.judged()
            Traceback (most recent call last):
            rentbilling.errors.InvalidAdjustmentRuleError: indexMonth: is missing: nothing else \
says which months are compared (met nothing; expected a calendar month from 1 to 12)
        """
        if not self.is_told:
            return self
        fields = type(self).model_fields
        named = {fields[name].alias or name: getattr(self, name) for name in self.model_fields_set}
        return type(self).model_validate(named)


def _built_on(record: R, info: ValidationInfo) -> R:
    """Return a record as it becomes a part of another one."""
    if isinstance(record, ToldRecord) and record.is_told and not is_lenient(info):
        return cast("R", record.judged())
    return record


def told_faults(path: str, records: Sequence[ToldRecord]) -> Faults:
    """Find what is wrong with records that a service told, which nobody has judged yet."""
    for at, record in enumerate(records):
        if record.is_told:
            try:
                record.judged()
            except InvalidInputError as error:
                for problem in error.under(f"{path}[{at}]").problems:
                    yield type(error), problem


def _error_of(found: Sequence[tuple[type[InvalidInputError], Problem]]) -> InvalidInputError:
    return error_of((problem for _, problem in found), (kind for kind, _ in found))
