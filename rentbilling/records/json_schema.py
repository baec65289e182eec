"""JSON schemas of records: their fields as they stand on the wire.

Law: a schema refuses what the reader refuses wherever one field alone shows it; what several fields
or objects demand of each other is left to the reader.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rentbilling.records.field_facts import FIELD_FACTS
from rentbilling.records.json_text import JsonData
from rentbilling.records.text_limits import A_KEY, MOST_IN_A_LIST, TextBound
from rentbilling.records.value_schemas import Definitions, Schema, an_object, or_null, plain
from rentbilling.values.money import Amount
from rentbilling.values.vat import Vat


def schema_of_record(kind: type[BaseModel]) -> Schema:
    """Return the JSON schema of a record, complete in itself."""
    parts = definitions_for(kind)
    return parts.whole(kind.__name__, record_body(kind, parts))


def definitions_for(kind: type[BaseModel]) -> Definitions:
    """Return where the parts of a record are defined, as sent, answered or written by hand."""
    bounded, answered = getattr(kind, "bounded", False), getattr(kind, "answered", False)
    return Definitions(bounded=bounded, answered=answered)


def record_body(kind: type[BaseModel], parts: Definitions) -> Schema:
    """Return the schema of a record without what makes it a document of its own."""
    properties: Schema = {}
    required: list[str] = []
    # Fields with a default in Python that a payload must have.
    on_wire: tuple[str, ...] = getattr(kind, "required_on_wire", ())
    if parts.answered:
        on_wire += _sent_lists(kind)
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        # An annotation is taken apart where nothing else stands beside it.
        stated = Annotated[field.annotation, field] if field.metadata else field.annotation
        # A null in a change would change nothing, and is refused; a field that has to be there has
        # none but in what a service told.
        told = _CLEARED in kind.model_fields
        needed = field.is_required()
        place, meant = f"{kind.__name__}.{wire}", _told(stated) if told or needed else stated
        schema = _field(place, meant, parts, needed=needed)
        if needed or name in on_wire:
            required.append(wire)
        elif field.default is not None and not told:
            schema = or_null(schema)
        properties[wire] = schema
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"description": said, **an_object(properties, required)}


def _sent_lists(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the lists that an answer always has (A72)."""
    lists: tuple[str, ...] = getattr(kind, "sent_lists", ())
    return lists


def _told(kind: Any) -> Any:  # noqa: ANN401
    """Return a type without null."""
    if get_origin(kind) is Annotated:
        inner, *beside = get_args(kind)
        return Annotated[(_told(inner), *beside)]
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    return kind


def _field(place: str, kind: object, parts: Definitions, *, needed: bool) -> Schema:
    """Return the schema of a record's field, with what is known of the field alone."""
    known = _copied(FIELD_FACTS.get(place, {}))
    said = {"description": known.pop("description")} if "description" in known else {}
    return {**said, **_type(kind, parts, needed=needed), **known}


def _copied(facts: Any) -> Any:  # noqa: ANN401 - facts are plain data
    """Return facts that nobody else has."""
    if isinstance(facts, Mapping):
        return {name: _copied(fact) for name, fact in facts.items()}
    return [_copied(each) for each in facts] if isinstance(facts, tuple) else facts


def _type(kind: Any, parts: Definitions, *, needed: bool = False) -> Schema:  # noqa: ANN401
    """Return the schema of a value of a Python type, one that is needed or not."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return or_null(_type(inner, parts))
    if origin is Annotated:
        length = _length(kind.__metadata__, bounded=parts.bounded, needed=needed)
        return {**_type(arguments[0], parts), **length}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        most = {"maxItems": MOST_IN_A_LIST} if parts.bounded else {}
        return {"type": "array", "items": _type(arguments[0], parts), **most}
    if origin is dict:
        schema = {"type": "object", "additionalProperties": _type(arguments[1], parts)}
        return {**schema, **_KEYS} if parts.bounded else schema
    return _of_class(kind, parts)


def _length(stated: Sequence[object], *, bounded: bool, needed: bool) -> Schema:
    """Return how long a text is, and of which characters, as far as it has bounds."""
    known: list[Any] = [
        each
        for field in stated
        for each in (field.metadata if isinstance(field, FieldInfo) else (field,))
    ]
    least = next((each.min_length for each in known if hasattr(each, "min_length")), None)
    bound = next((each for each in known if isinstance(each, TextBound)), None)
    if not bounded or bound is None:
        return {} if least is None else {"minLength": least}
    return _bounds(bound.needed() if needed else bound)


def _bounds(bound: TextBound) -> Schema:
    """Return what is asked of a text that a caller sends."""
    least = {"minLength": 1} if bound.says_something else {}
    return {**least, "maxLength": bound.most, "pattern": bound.pattern()}


_KEYS: Final[Mapping[str, JsonData]] = MappingProxyType(
    {"maxProperties": MOST_IN_A_LIST, "propertyNames": _bounds(A_KEY)}
)
"""What is asked of the keys of a dictionary that a caller sends."""


def _of_class(kind: type, parts: Definitions) -> Schema:
    if kind is Amount:
        return parts.amount()
    if kind is Vat:
        return parts.vat()
    if issubclass(kind, BaseModel):
        # What is sent without its lists is another object than what is answered with them (A72).
        name = f"New{kind.__name__}" if parts.bounded and _sent_lists(kind) else kind.__name__
        return parts.defined(name, lambda: record_body(kind, parts))
    return plain(kind)


_CLEARED: Final = "clear"
"""A field that changes alone have: which others have no value from now on."""
