"""JSON schemas of records: their fields as they stand on the wire.

Law: a schema refuses what the reader refuses wherever one object alone shows it; what several
objects demand of each other is left to the reader.
"""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
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
    return {"description": said, **an_object(properties, required), **_across(kind)}


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


_NO: Final = (False,)
_OF_VALUES: Final = "startPoint fromLagMonths meanDecimals intervalYears intervalMonths"


_CLEARED: Final = "clear"
"""A field that changes alone have: which others have no value from now on."""


def _across(kind: type[BaseModel]) -> Schema:
    """Return what the fields of one record demand of each other."""
    record = kind.__name__
    if record == "Discount":
        return _one_of({"amount": "object", "percentage": "number"})
    if record == "Increment":
        one = _one_of({"amount": "object", "percentage": "number", "level": "object"})
        return {**one, "not": {"allOf": [_says("level"), _says("recurrence", "OneTime")]}}
    if record == "BillingCycle":
        # A week starts on one of seven days, and neither unit knows days of a month (A8, A9).
        last = {"Week": 7, "Day": 1}
        return {
            "allOf": [
                {
                    "if": {"properties": {"timeUnit": {"const": unit}}, "required": ["timeUnit"]},
                    "then": {"properties": {"start": {"maximum": most}, "startDay": {"const": 1}}},
                }
                for unit, most in last.items()
            ]
        }
    if record == "RentAdjustmentPlan":
        return {"if": _is("adjustsRecurringBillItem", *_NO), "then": _says("adjustsBalance", *_NO)}
    if record in ("IndexClause", "RentAdjustmentRule"):
        return _across_clause() if record == "IndexClause" else _across_rule(kind)
    return _across_change(kind) if _CLEARED in kind.model_fields else {}


def _one_of(either: Mapping[str, str]) -> Schema:
    """Return that exactly one of some fields is given, where null is absent (A6, A22, A36)."""
    return {
        "oneOf": [
            {"properties": {name: {"type": word}}, "required": [name]}
            for name, word in either.items()
        ]
    }


def _across_change(kind: type[BaseModel]) -> Schema:
    """Return that no field of an object is set and cleared at once."""
    (words,) = get_args(kind.model_fields["clear"].annotation)[:1]
    cleared = {
        name: {
            "properties": {"clear": {"type": "array", "contains": {"const": name}}},
            "required": ["clear"],
        }
        for name in get_args(words)
    }
    return {"allOf": [{"not": {"allOf": [_says(name), cleared[name]]}} for name in cleared]}


def _says(name: str, *silent: object) -> Schema:
    """Return that a field says more than absence, or than these values."""
    return {"properties": {name: {"not": {"enum": [None, *silent]}}}, "required": [name]}


def _silent(name: str) -> Schema:
    """Return that a list is empty, null or absent, which mean the same (A6)."""
    return {"properties": {name: {"anyOf": [{"type": "null"}, {"type": "array", "maxItems": 0}]}}}


def _if(condition: Schema, *demands: Schema) -> Schema:
    """Return what holds where something else does."""
    return {"if": condition, "then": {"allOf": list(demands)}}


def _of_clause(demand: Schema) -> Schema:
    """Return that a rule has a clause of which something holds."""
    return {
        "properties": {"indexClause": {"type": "object", **demand}},
        "required": ["indexClause"],
    }


def _across_rule(kind: type[BaseModel]) -> Schema:
    """Return what the fields of a rule demand of each other (A33, A35, A36, A40)."""
    (clause,) = set(get_args(kind.model_fields["index_clause"].annotation)) - {NoneType}
    index = {"properties": {"adjustmentType": {"pattern": "^[Ii][Nn][Dd][Ee][Xx]$"}}}
    limits = {"anyOf": [_says("minimumPercentage"), _says("maximumPercentage")]}
    only_limits = _of_clause(_is("combine", "limit"))
    finds_points = [
        _of_clause(_says("lagMonths")),
        _of_clause(_says("indexQuarter")),
        _of_clause(_is("reference", "year_mean", "last_published")),
    ]
    by_percentage = {"properties": {"percentage": {"type": "number"}}, "required": ["percentage"]}
    some = {
        "properties": {"increments": {"type": "array", "minItems": 1}},
        "required": ["increments"],
    }
    by_index: Schema = {
        "allOf": [
            {"anyOf": [_says("indexMonth"), *finds_points]},
            {"not": {"allOf": [_says("indexMonth"), {"anyOf": finds_points}]}},
        ]
    }
    return {
        "allOf": [
            _if(index, _silent("increments")),
            _if(limits, {"properties": {"increments": {"items": by_percentage}}}),
            _if(_of_clause(_says("limitPer", "adjustment")), limits),
            {
                "if": only_limits,
                "then": {
                    "allOf": [
                        limits,
                        _silent("increments"),
                        _clause_of(clause, clause.beside_a_limit),
                    ]
                },
                "else": {
                    "if": index,
                    "then": by_index,
                    "else": {"allOf": [some, _clause_of(clause, clause.beside_increments)]},
                },
            },
        ]
    }


def _clause_of(kind: type[BaseModel], meant: Collection[str]) -> Schema:
    """Return that the clause of a rule, if any, says something by these fields only (A40)."""
    idle: list[Schema] = []
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        if name not in meant:
            default = field.default
            if default == ():
                idle.append(_silent(wire))
            else:
                silent = int(default) if isinstance(default, Decimal) else default
                idle.append({"not": _says(wire, silent)})
    return {"properties": {"indexClause": {"anyOf": [{"type": "null"}, {"allOf": idle}]}}}


def _is(name: str, *words: object) -> Schema:
    """Return that a field has one of some values, none of which is its default."""
    return {"properties": {name: {"enum": list(words)}}, "required": [name]}


def _across_clause() -> Schema:
    """Return which fields of a clause exclude or need each other (A40)."""
    anchored = _is("basis", "anchored")
    excluded = {
        "lagMonths": (_says("yearOffset"), _says("indexQuarter")),
        "intervalYears": (_says("intervalMonths"),),
        "indexedShare": (_says("indexedAmount"),),
        "fromLagMonths": (_says("basis", "chained"),),
    }
    needed = {
        "indexQuarter": _is("reference", "quarter"),
        "baseAmount": _is("basis", "anchored", "last_indexed"),
        "correctionFactor": anchored,
        "excessOver": _says("excessShare"),
        "excessShare": _says("excessOver"),
        "startIndex": {"allOf": [_says("startPoint"), _says("base")]},
        "meanDecimals": {"anyOf": [_says("meanOf", 1), _is("reference", "year_mean")]},
    }
    # Fields with a default, and what they need when they say something else.
    words: Mapping[tuple[str, object], Schema] = {
        ("thresholdUnit", "percent"): _says("threshold"),
        ("thresholdInclusive", True): _says("threshold"),
        ("percentageRounding", "half_up"): _says("percentageDecimals"),
        ("percentageRounded", "change"): _says("percentageDecimals"),
        ("meanOfWhat", "values"): _says("meanOf", 1),
        ("proRataMonths", 12): _is("proRata", "elapsed"),
        ("limitMonths", 12): _says("limitPer", "adjustment"),
        ("shareOf", "change"): {"allOf": [anchored, _says("share", 1)]},
    }
    contradicted = {
        "lagMonths": _is("reference", "last_published", "year_mean"),
        "yearOffset": _is("reference", "last_published"),
        "fromLagMonths": _says("reference", "month"),
    }
    return {
        "allOf": [
            *(
                {"not": {"allOf": [_says(name), other]}}
                for name, others in excluded.items()
                for other in others
            ),
            *(_if(_says(name), other) for name, other in needed.items()),
            *(_if(_says(*field), other) for field, other in words.items()),
            *({"not": {"allOf": [_says(name), each]}} for name, each in contradicted.items()),
            *_contradicted_words(),
            *(
                {"not": {"allOf": [_says(name, silent), anchored]}}
                for name, silent in (("surcharge", 0), ("excessOver", None), ("proRata", "none"))
            ),
            {
                "anyOf": [
                    _is("thresholdUnit", "points"),
                    {"properties": {"threshold": {"maximum": 10}}},
                ]
            },
        ]
    }


def _contradicted_words() -> list[Schema]:
    """Return which words of a clause do not hold beside other fields (A40)."""
    return [
        *(
            {"not": {"allOf": [_is("combine", "sum"), each]}}
            for each in (
                _says("basis", "chained"),
                _says("indexedShare"),
                _says("indexedAmount"),
                _is("afterLimit", "carry"),
            )
        ),
        *(
            {"not": {"allOf": [_is("meanOfWhat", "changes"), _says(name)]}}
            for name in _OF_VALUES.split()
        ),
        {"not": {"allOf": [_says("lowerOf", []), _says("startIndex")]}},
        {"not": {"allOf": [_is("afterLimit", "carry"), _is("basis", "last_indexed", "mixed")]}},
    ]
