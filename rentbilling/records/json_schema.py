"""JSON schemas of records: their fields as they stand on the wire.

Law: a schema refuses what the reader refuses wherever one field alone shows it; what several fields
or objects demand of each other is left to the reader.
"""

from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

from rentbilling.records.bounds import Bound, OrWord
from rentbilling.records.description import FieldType, RecordField, fields_of, words_of
from rentbilling.records.json_text import JsonData
from rentbilling.records.text_limits import A_KEY, MOST_IN_A_LIST, TextBound
from rentbilling.records.value_schemas import plain
from rentbilling.values import Amount, Definitions, Schema, Vat, an_object, or_null, vat_schema


def schema_of_record(kind: type[BaseModel]) -> Schema:
    """Return the JSON schema of a record, complete in itself, of draft 2020-12 as plain data."""
    parts = definitions_for(kind)
    return parts.whole(kind.__name__, record_body(kind, parts))


def definitions_for(kind: type[BaseModel]) -> Definitions:
    """Return where the parts of a record are defined, as it is sent, answered or written."""
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
    words = words_of(kind)
    for field in fields_of(kind):
        if field.required or field.name in on_wire:
            required.append(field.wire)
        may_be_null = field.type.nullable or field.name not in on_wire
        null = may_be_null and not field.required and getattr(kind, "takes_null", True)
        known = {"description": words[field.wire]} if field.wire in words else {}
        properties[field.wire] = {**known, **_field(field, parts, null=null)}
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"description": said, **an_object(properties, required)}


def _sent_lists(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the lists that an answer always has (A72)."""
    lists: tuple[str, ...] = getattr(kind, "sent_lists", ())
    return lists


def _field(field: RecordField, parts: Definitions, *, null: bool) -> Schema:
    schema = _type(field.type, parts, needed=field.required)
    schema = or_null(schema) if null else schema
    for each in field.type.notes:
        if isinstance(each, OrWord):
            schema = {"anyOf": [{"enum": [*each.words]}, *schema.get("anyOf", [schema])]}
        elif isinstance(each, Bound):
            schema |= deepcopy(dict(each.schema(field.type.kind)))
    return schema


def _type(known: FieldType, parts: Definitions, *, needed: bool = False) -> Schema:
    """Return the schema of a value, one that is needed or not."""
    if known.entries is not None:
        entries = _type(known.entries, parts)
        if known.is_list:
            most = {"maxItems": MOST_IN_A_LIST} if parts.bounded else {}
            return {"type": "array", "items": entries, **most}
        schema = {"type": "object", "additionalProperties": entries}
        return {**schema, **_KEYS} if parts.bounded else schema
    if get_origin(known.kind) is Literal:
        return {"enum": list(get_args(known.kind))}
    length = _length(known.notes, bounded=parts.bounded, needed=needed)
    return {**_of_class(known.kind, parts), **length}


def _length(stated: tuple[Any, ...], *, bounded: bool, needed: bool) -> Schema:
    """Return how long a text is, and of which characters, as far as it has bounds."""
    least = next((each.min_length for each in stated if hasattr(each, "min_length")), None)
    bound = next((each for each in stated if isinstance(each, TextBound)), None)
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
        return vat_schema(parts)
    if issubclass(kind, BaseModel):
        # What is sent without its lists is another object than what is answered with them (A72).
        name = f"New{kind.__name__}" if parts.bounded and _sent_lists(kind) else kind.__name__
        return parts.record(kind, name, lambda: record_body(kind, parts))
    return plain(kind)
