"""How a payload's values are read into records, and how a refusal is put into words.

Laws: a value is read as what it says or refused, never coerced: `true` is no number and `0` is no
date; every problem keeps its path in the caller's own spelling.
What does not live here: which fields a record has (`records`), JSON texts (`codec`).
"""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from numbers import Real
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel, to_snake
from pydantic_core import InitErrorDetails

from rentbilling.currencies import CURRENCIES, NO_CURRENCIES, minor_units
from rentbilling.errors import (
    InvalidAmountError,
    InvalidCycleError,
    InvalidInputError,
    InvalidRecordError,
    InvalidVatError,
    Problem,
    UnknownWordError,
    error_of,
    shown,
)
from rentbilling.money import Amount, number
from rentbilling.periods import Period, parse_date
from rentbilling.tax import Vat


class UnknownTimeUnitError(InvalidCycleError, UnknownWordError):
    """A time unit outside the known list (A7)."""


_TIME_UNITS: Final = MappingProxyType(
    {
        key: word
        for word in ("Month", "Year", "Week", "Day")
        for key in (word, word.lower(), word.upper())
    }
)


def _currencies(info: ValidationInfo) -> Mapping[str, int]:
    """Return the private currencies that the reader was given (A2)."""
    given = info.context
    return given.get("currencies", NO_CURRENCIES) if isinstance(given, Mapping) else NO_CURRENCIES


def _parts(
    value: object, kind: type[InvalidInputError], names: tuple[str, str]
) -> Mapping[str, Any]:
    """Return a value's two parts by camelCase name, refusing other shapes."""
    if value is None:
        raise kind((_missing("", "an object"),))
    if not isinstance(value, Mapping):
        raise kind.of("", "not_an_object", "is not an object", value, f"an object with {names[0]}")
    parts = dict(value)
    for name in names:
        snake = to_snake(name)
        if snake != name and snake in parts and name not in parts:
            parts[name] = parts.pop(snake)
    unknown = [key for key in parts if key not in names]
    if unknown:
        raise InvalidRecordError(
            Problem(
                str(key), "unknown_field", "is not a field", shown(parts[key]), " or ".join(names)
            )
            for key in unknown
        )
    return parts


def _amount(value: object, info: ValidationInfo) -> Amount:
    """Read an amount object; both of its parts are judged (A1, A2)."""
    if type(value) is Amount:
        return value
    if type(value) is dict and len(value) == 2 and "amount" in value and "currency" in value:  # noqa: PLR2004
        parts: Mapping[str, Any] = value
    else:
        parts = _parts(value, InvalidAmountError, ("currency", "amount"))
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    exact = Decimal(0)
    currency = parts.get("currency")
    if type(currency) is not str or currency not in CURRENCIES:
        try:
            _currency(currency, info)
        except InvalidInputError as error:
            problems += error.under("currency").problems
            kinds.append(type(error))
    try:
        exact = number(parts["amount"])
    except KeyError:
        problems.append(_missing("amount", "a number such as 8500.00"))
        kinds.append(InvalidAmountError)
    except InvalidInputError as error:
        problems += error.under("amount").problems
        kinds.append(type(error))
    if problems:
        raise error_of(problems, kinds)
    return Amount.of(exact, str(currency))


def _missing(path: str, expected: str) -> Problem:
    """Return the problem of a field that is not there."""
    return Problem(path, "missing", "is required", "nothing", expected)


def _currency(value: object, info: ValidationInfo) -> str:
    """Read a currency code (A2)."""
    if value is None:
        raise InvalidAmountError((_missing("", "a code such as DKK"),))
    if type(value) is not str:
        raise InvalidAmountError.of("", "not_a_text", "is not a text", value, "a code such as DKK")
    try:
        minor_units(value, _currencies(info))
    except UnknownWordError as error:
        raise UnknownWordError(problem._replace(path="") for problem in error.problems) from None
    return value


_VAT_KEYS: Final = frozenset({"taxMode", "taxRate"})


def _vat(value: object) -> Vat:
    """Read a VAT object (A27, A28)."""
    if type(value) is Vat:
        return value
    if type(value) is dict and value.keys() <= _VAT_KEYS:
        parts: Mapping[str, Any] = value
    else:
        parts = _parts(value, InvalidVatError, ("taxMode", "taxRate"))
    rate = parts.get("taxRate")
    if isinstance(rate, Real) and not isinstance(rate, (int, Decimal)):
        try:
            rate = number(rate)
        except InvalidInputError as error:
            raise InvalidVatError(error.under("taxRate").problems) from None
    return Vat(parts.get("taxMode"), rate)  # type: ignore[arg-type]


def _period(value: object, info: ValidationInfo) -> Period:
    """Read a period text (A4)."""
    if type(value) is Period:
        return value
    given = info.context
    period_end = given.get("period_end", "included") if isinstance(given, Mapping) else "included"
    return Period.parse(value, period_end=period_end)  # type: ignore[arg-type]


def _whole(value: object) -> int:
    """Read a whole number; 1.0 is 1, `true` is not (A7)."""
    if type(value) is int:
        if abs(value) < 10**15:
            return value
    elif isinstance(value, (Decimal, Real)) and not isinstance(value, bool):
        exact = number(value)
        if exact == exact.to_integral_value():
            return int(exact)
    raise InvalidRecordError.of(
        "", "not_a_whole_number", "is not a whole number", value, "such as 1"
    )


def _time_unit(value: object) -> str:
    """Read a time unit, in any case (A7)."""
    word = _TIME_UNITS.get(value) if type(value) is str else None
    if word is None and isinstance(value, str):
        word = _TIME_UNITS.get(value.lower())
    if word is None:
        raise UnknownTimeUnitError.of(
            "",
            "unknown_time_unit",
            "is not a known time unit",
            value,
            "one of Month, Year, Week, Day",
        )
    return word


_NUMBER_SCHEMA: Final = MappingProxyType({"type": "number"})


def _schema(**keys: object) -> WithJsonSchema:
    """Return the JSON schema of a value that is read by our own function."""
    return WithJsonSchema(dict(keys))


_AMOUNT_SCHEMA = _schema(
    type="object",
    properties={"currency": {"type": "string"}, "amount": {"type": "number"}},
    required=["currency", "amount"],
    additionalProperties=False,
)
_VAT_SCHEMA = _schema(
    type="object",
    properties={
        "taxMode": {
            "type": "string",
            "description": "Exclusive, Inclusive, Exempt or ReverseCharge",
        },
        "taxRate": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    },
    required=["taxMode"],
    additionalProperties=False,
)
_DAY = r"\d{4}-\d{2}-\d{2}"

AmountField = Annotated[Amount, PlainValidator(_amount), _AMOUNT_SCHEMA]
CurrencyField = Annotated[str, PlainValidator(_currency), _schema(type="string")]
DateField = Annotated[date, PlainValidator(parse_date), _schema(type="string", format="date")]
NumberField = Annotated[Decimal, PlainValidator(number), _schema(**_NUMBER_SCHEMA)]
PeriodField = Annotated[
    Period, PlainValidator(_period), _schema(type="string", pattern=f"^{_DAY}/{_DAY}$")
]
TextField = Annotated[str, Field(strict=True)]
IdField = Annotated[str, Field(strict=True, min_length=1)]
TimeUnitField = Annotated[str, PlainValidator(_time_unit), _schema(type="string")]
VatField = Annotated[Vat, PlainValidator(_vat), _VAT_SCHEMA]
WholeField = Annotated[int, PlainValidator(_whole), _schema(type="integer")]

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
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    for fault in error.errors(include_url=False):
        path = _path(fault["loc"], given, by_name=by_name)
        cause = fault.get("ctx", {}).get("error")
        if isinstance(cause, InvalidInputError):
            spelled = _Spelling(fault["loc"], given, by_name=by_name)
            problems += (spelled.of(problem).under(path) for problem in cause.problems)
            kinds.append(type(cause))
            continue
        code, message, expected = _SAID.get(
            fault["type"], (fault["type"], fault["msg"], "another value")
        )
        met = "nothing" if fault["type"] == "missing" else shown(fault["input"])
        expected = expected or f"one of {fault.get('ctx', {}).get('expected', '')}"
        problems.append(Problem(path, code, message, met, expected))
        kinds.append(InvalidRecordError)
    return error_of(problems, kinds)


def sound_parts(kind: type[BaseModel], data: object, info: ValidationInfo) -> dict[str, Any]:
    """Return the fields of a payload that can be read, where others cannot.

    Args:
        kind: The record that it should become.
        data: The payload.
        info: What the reader was given.

    Returns:
        Values by field name; fields that are absent have their default.
    """
    parts: dict[str, Any] = {}
    if not isinstance(data, Mapping):
        return parts
    for name, field in kind.model_fields.items():
        key = field.alias if field.alias in data else name
        if key in data:
            reader: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
            try:
                parts[name] = reader.validate_python(data[key], context=info.context)
            except ValidationError:
                continue
        elif not field.is_required():
            parts[name] = field.get_default()
    return parts


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


def _path(loc: tuple[int | str, ...], given: object, *, by_name: bool) -> str:
    """Return where a fault stands, in the caller's own spelling."""
    path = ""
    node: Any = given
    for key in loc:
        if isinstance(key, int):
            path += f"[{key}]"
            node = node[key] if isinstance(node, (list, tuple)) and key < len(node) else None
            continue
        name = _speller(node, by_name=by_name)(key)
        path += f".{name}" if path else name
        node = node.get(name) if isinstance(node, Mapping) else getattr(node, to_snake(key), None)
    return path


def _speller(node: object, *, by_name: bool) -> Callable[[str], str]:
    """Return how the caller spells the keys of a payload's object: camelCase or snake_case."""
    keys = [key for key in node if isinstance(key, str)] if isinstance(node, Mapping) else []
    snake = any("_" in key for key in keys)
    camel = any(key != key.lower() for key in keys)
    if snake is camel:
        snake = by_name
    change = to_snake if snake else to_camel

    def spelled(key: str) -> str:
        return key if key in keys else change(to_snake(key))

    return spelled


class _Spelling:
    """The spelling of paths inside the object where a fault was found."""

    def __init__(self, loc: tuple[int | str, ...], given: object, *, by_name: bool) -> None:
        node: Any = given
        for key in loc:
            if isinstance(key, int):
                node = node[key] if isinstance(node, (list, tuple)) and key < len(node) else None
            elif isinstance(node, Mapping):
                node = node.get(_speller(node, by_name=by_name)(key))
            else:
                node = getattr(node, to_snake(key), None)
        self._spelled = _speller(node, by_name=by_name)

    def of(self, problem: Problem) -> Problem:
        """Return the problem with each step of its path as the caller spells it."""
        steps = problem.path.split(".") if problem.path else []
        return problem._replace(path=".".join(self._step(step) for step in steps))

    def _step(self, step: str) -> str:
        name, bracket, rest = step.partition("[")
        return self._spelled(name) + bracket + rest if name else step
