"""JSON schemas of records: their fields as they stand on the wire.

Law: a schema refuses what the reader refuses wherever one object alone shows it; what several
objects demand of each other is left to the reader.
What does not live here: the fields themselves (`records`, `terms`), the schemas of values
(`value_schemas`), which schemas there are (`schemas`).
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from rentbilling.money import Amount
from rentbilling.tax import Vat
from rentbilling.value_schemas import YEAR, Definitions, Schema, an_object, or_null, plain


def _facts(description: str = "", **known: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """Return what is known of a field alone, as its schema says it."""
    return MappingProxyType({"description": description, **known} if description else known)


_FILLED: Final = _facts(minLength=1)
_NOT_ZERO: Final = MappingProxyType({"not": MappingProxyType({"const": 0})})
_CALENDAR_MONTH: Final = MappingProxyType({"minimum": 1, "maximum": 12})
_YEAR_TEXT: Final = MappingProxyType({"pattern": f"^{YEAR}$"})
_PERCENTAGE: Final = _facts("A fraction: 0.04 is four percent.", minimum=-1, maximum=10)
_ABOVE_ZERO: Final = MappingProxyType({"exclusiveMinimum": 0})
_AMOUNT_ABOVE_ZERO: Final = MappingProxyType(
    {"properties": MappingProxyType({"amount": _ABOVE_ZERO})}
)


def _between(least: int, most: int | None = None, description: str = "") -> Mapping[str, Any]:
    """Return the facts of a number within bounds that belong to it."""
    bounds = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return _facts(description, **bounds)


FIELD_FACTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "AdjustmentEffect.rentAdjustmentRuleId": _FILLED,
        "AdjustmentEffect.calculatedPercentage": _facts(
            "The raw change as a fraction; absent for amounts."
        ),
        "AdjustmentEffect.appliedPercentage": _facts("The fraction that was applied."),
        "AmountRecord.id": _FILLED,
        "Balance.id": _FILLED,
        "Balance.balanceChargeType": _facts("Such as deposit or prepaidRent.", minLength=1),
        "Balance.months": _facts("Months of rent that it stands for.", **_ABOVE_ZERO, maximum=1200),
        "Balance.productKey": _FILLED,
        "BillingCycle.timeUnit": _facts(
            "Written like this, read in any case.", enum=("Month", "Year", "Week", "Day")
        ),
        "BillingCycle.periodLength": _facts(minimum=1, maximum=1200),
        "BillingCycle.start": _facts(
            "Month and Year: calendar month of a start; Week: ISO weekday.", minimum=1, maximum=12
        ),
        "BillingCycle.startDay": _facts(
            "Day of the month on which cycles start.", minimum=1, maximum=31
        ),
        "DescriptionRecord.id": _FILLED,
        "Discount.amount": _facts("Taken off each unit; either amount or percentage is given."),
        "Discount.percentage": _facts("A fraction: 0.10 is ten percent.", minimum=0, maximum=1),
        "Discount.endDate": _facts("Last day with the discount, included."),
        "DueDateRule.dayOfPeriod": _facts(
            "1 is the period's first day, -1 the day before it.",
            minimum=-36_525,
            maximum=36_525,
            **_NOT_ZERO,
        ),
        "DueDateRule.relativeTo": _facts("end counts from the period's end."),
        "FirstBillingPeriodBillItem.amount": _facts("Price of one unit for the opening period."),
        "Increment.year": _YEAR_TEXT,
        "Increment.amount": _facts(
            "Added to the whole line; exactly one of amount, percentage and level is given."
        ),
        "Increment.percentage": _PERCENTAGE,
        "Increment.level": _facts("What the whole line costs from then on."),
        "Increment.recurrence": _facts(
            "Written like this, read in any case.", enum=("OneTime", "Recurring", None)
        ),
        "IndexClause.series": _FILLED,
        "IndexClause.base": _FILLED,
        "IndexClause.lowerOf": _facts(
            "Further series: the lowest change counts.",
            items=MappingProxyType({"type": "string", "minLength": 1}),
        ),
        "IndexClause.lagMonths": _between(0, 120),
        "IndexClause.yearOffset": _between(0, 10),
        "IndexClause.indexQuarter": _between(1, 4),
        "IndexClause.fromLagMonths": _between(1, 1200),
        "IndexClause.startIndex": _ABOVE_ZERO,
        "IndexClause.meanOf": _between(1, 120),
        "IndexClause.meanDecimals": _between(0, 10),
        "IndexClause.intervalYears": _between(1, 100),
        "IndexClause.intervalMonths": _between(1, 1200),
        "IndexClause.percentageDecimals": _between(0, 10, "Of the percentage in percent."),
        "IndexClause.threshold": _between(0),
        "IndexClause.share": _between(0, 10, "Part of the change: 0.75 is 75 percent."),
        "IndexClause.excessOver": _between(0, 10, "A fraction."),
        "IndexClause.excessShare": _between(0, 1),
        "IndexClause.surcharge": _between(-1, 1, "0.01 is one percentage point."),
        "IndexClause.limitMonths": _between(1, 120),
        "IndexClause.proRataMonths": _between(1, 120),
        "IndexClause.indexedShare": _between(0, 1, "Part of the amount that follows the index."),
        "IndexClause.indexedAmount": _AMOUNT_ABOVE_ZERO,
        "IndexClause.correctionFactor": _ABOVE_ZERO,
        "IndexClause.amountQuantum": _ABOVE_ZERO,
        "LeaseTerms.leaseId": _FILLED,
        "LeaseTerms.currency": _facts(
            "The one currency of all items; absent where there are several."
        ),
        "LeaseTerms.contractEnd": _facts("The last day paid for, included."),
        "NoticeRecord.code": _FILLED,
        "NoticeRecord.itemId": _FILLED,
        "OneTimeBillItem.id": _FILLED,
        "OneTimeBillItem.productKey": _FILLED,
        "OneTimeBillItem.quantity": _NOT_ZERO,
        "QuantityRecord.id": _FILLED,
        "QuantityRecord.value": _NOT_ZERO,
        "RecurringBillItem.id": _FILLED,
        "RecurringBillItem.productKey": _FILLED,
        "RecurringBillItem.amount": _facts(
            "Price of one unit for one cycle, in the item's tax mode."
        ),
        "RecurringBillItem.quantity": _NOT_ZERO,
        "RecurringBillItem.startedOn": _facts("First due date; not after the opening due date."),
        "RecurringBillItem.cancelledOn": _facts("Nothing falls due on or after it."),
        "RecurringBillItem.endedOn": _facts("The last day paid for, included."),
        "RentAdjustment.id": _FILLED,
        "RentAdjustment.year": _YEAR_TEXT,
        "RentAdjustment.planId": _FILLED,
        "RentAdjustment.adjusteeId": _FILLED,
        "RentAdjustmentPlan.id": _FILLED,
        "RentAdjustmentPlan.leaseId": _FILLED,
        "RentAdjustmentPlan.adjusteeRef": _facts(
            "Id of the item or balance; absent where the lease has only one.", minLength=1
        ),
        "RentAdjustmentPlan.balanceChargeType": _FILLED,
        "RentAdjustmentPlan.cancelledOn": _facts("No adjustment on or after it."),
        "RentAdjustmentPlan.endedOn": _facts("No adjustment after it."),
        "RentAdjustmentRule.id": _FILLED,
        "RentAdjustmentRule.adjustmentType": _facts(
            "Index, or Increment; another word with increments is read as that."
        ),
        "RentAdjustmentRule.adjustmentMonth": _CALENDAR_MONTH,
        "RentAdjustmentRule.firstYear": _YEAR_TEXT,
        "RentAdjustmentRule.lastYear": _YEAR_TEXT,
        "RentAdjustmentRule.indexMonth": _CALENDAR_MONTH,
        "RentAdjustmentRule.minimumPercentage": _PERCENTAGE,
        "RentAdjustmentRule.maximumPercentage": _PERCENTAGE,
        "VatRecord.id": _FILLED,
    }
)
"""What is known of a field beyond its type, by its record and its name on the wire."""


def schema_of_record(kind: type[BaseModel]) -> Schema:
    """Return the JSON schema of a record, complete in itself.

    Args:
        kind: The record.

    Returns:
        A schema of draft 2020-12 as plain data.
    """
    parts = Definitions()
    return parts.whole(kind.__name__, record_body(kind, parts))


def record_body(kind: type[BaseModel], parts: Definitions) -> Schema:
    """Return the schema of a record without what makes it a document of its own.

    Args:
        kind: The record.
        parts: Where definitions are kept.

    Returns:
        The schema of an object with the record's fields and no others.
    """
    properties: Schema = {}
    required: list[str] = []
    # Fields with a default in Python that a payload must have.
    on_wire: tuple[str, ...] = getattr(kind, "required_on_wire", ())
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        schema = _field(f"{kind.__name__}.{wire}", field.annotation, parts)
        if field.is_required() or name in on_wire:
            required.append(wire)
        elif field.default is not None:
            schema = or_null(schema)
        properties[wire] = schema
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"description": said, **an_object(properties, required), **_across(kind)}


def _field(place: str, kind: object, parts: Definitions) -> Schema:
    """Return the schema of a record's field, with what is known of the field alone."""
    known = _copied(FIELD_FACTS.get(place, {}))
    said = {"description": known.pop("description")} if "description" in known else {}
    return {**said, **_type(kind, parts), **known}


def _copied(facts: Any) -> Any:  # noqa: ANN401 - facts are plain data
    """Return facts that nobody else has."""
    if isinstance(facts, Mapping):
        return {name: _copied(fact) for name, fact in facts.items()}
    return list(facts) if isinstance(facts, tuple) else facts


def _type(kind: Any, parts: Definitions) -> Schema:  # noqa: ANN401
    """Return the schema of a value of a Python type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return or_null(_type(inner, parts))
    if origin is Annotated:
        return _type(arguments[0], parts)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _type(arguments[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1], parts)}
    return _of_class(kind, parts)


def _of_class(kind: type, parts: Definitions) -> Schema:
    """Return the schema of a value of a class."""
    if kind is Amount:
        return parts.amount()
    if kind is Vat:
        return parts.vat()
    if issubclass(kind, BaseModel):
        return parts.defined(kind.__name__, lambda: record_body(kind, parts))
    return plain(kind)


_NO: Final = (False,)
_OF_VALUES: Final = "startPoint fromLagMonths meanDecimals intervalYears intervalMonths"


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
    if record == "RentAdjustmentRule":
        return _across_rule(kind)
    return _across_clause() if record == "IndexClause" else {}


def _one_of(either: Mapping[str, str]) -> Schema:
    """Return that exactly one of some fields is given, where null is absent (A6, A22, A36)."""
    return {
        "oneOf": [
            {"properties": {name: {"type": word}}, "required": [name]}
            for name, word in either.items()
        ]
    }


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
