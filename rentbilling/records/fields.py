"""The types of record fields: how each kind of value is read.

Law: a value is read exactly or refused, never coerced: `true` is no number and `0` is no date.
"""

import re
from collections.abc import Mapping
from datetime import MAXYEAR, date, datetime
from decimal import Decimal
from functools import cache
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
)
from pydantic.alias_generators import to_snake
from pydantic_core import CoreSchema, core_schema

from rentbilling.errors import (
    InvalidAmountError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    InvalidVatError,
    Problem,
    UnknownTimeUnitError,
    UnknownWordError,
    error_of,
    shown,
)
from rentbilling.indices import IndexPoint
from rentbilling.records.bounds import MORE_THAN_NONE, InSchema
from rentbilling.records.description import fields_of, wire_names
from rentbilling.records.json_text import LONE_SURROGATE
from rentbilling.records.text_limits import A_KEY, A_LONG_TEXT, A_NAME, A_TEXT, A_WORD
from rentbilling.values import (
    ASKED_PERIOD,
    CURRENCIES,
    MONTHS,
    NO_CURRENCIES,
    TOO_LARGE,
    YEAR,
    Amount,
    Period,
    Rate,
    Vat,
    YearMonth,
    fraction_of,
    is_figure,
    is_length,
    minor_units,
    months_of,
    number,
    parse_date,
)


def in_any_case(*words: str) -> Mapping[str, str]:
    """Return words of the interface by how they are read: in small letters, one or several (A7).

    Examples:
        >>> in_any_case("Month")["months"]
        'Month'
    """
    return MappingProxyType({f"{word.lower()}{end}": word for word in words for end in ("", "s")})


_TIME_UNITS: Final = in_any_case("Month", "Year", "Week", "Day")
_ADJUSTMENT_TYPES: Final = MappingProxyType(
    {**in_any_case("Index", "Increment"), "indexes": "Index", "indices": "Index"}
)


PLAIN_DATA: Final[Mapping[str, object]] = MappingProxyType({})
"""Validation context of JSON data, in which a number is no text (A1)."""
PLAIN_DICT: Final[Mapping[str, object]] = MappingProxyType({"exact_texts": True})
"""Validation context of plain data of Python, in which the text of a number is one."""
BY_HAND: Final[Mapping[str, object]] = MappingProxyType(dict(PLAIN_DICT))
"""Validation context of the keyword arguments of a record."""


def _context(info: ValidationInfo) -> Mapping[str, Any]:
    """Return the validation context, such as private currencies; empty without one."""
    given: Any = info.context
    # The comparison of identities is cheap and decides for most payloads.
    return given if given is PLAIN_DATA or isinstance(given, Mapping) else PLAIN_DATA


def is_lenient(info: ValidationInfo) -> bool:
    """Return whether a service wrote the payload, whose unknown fields are ignored (A50)."""
    return _context(info).get("from_service") is True


def _reads_texts(info: ValidationInfo) -> bool:
    """Return whether the text of a number is read as the number (A1)."""
    return _context(info).get("exact_texts") is True


def period_end_of(context: object) -> Any:  # noqa: ANN401 - what a caller passes
    """Return what a period's text ends with, by default its last day (A4)."""
    if context is PLAIN_DATA or not isinstance(context, Mapping):
        return "included"
    return context.get("period_end", "included")


class Allowance:
    """How many problems of one payload are described; afterwards its other records are not read.

    It is the entry `allowance` of a validation context.

    Examples:
        >>> allowance = Allowance(1)
        >>> allowance.found += 2
        >>> allowance.is_used_up
        True
    """

    __slots__ = ("_most", "found")

    def __init__(self, most: int) -> None:
        self._most = most
        self.found = 0
        """The problems found so far."""

    @property
    def is_used_up(self) -> bool:
        """Whether more problems were found than are described."""
        return self.found > self._most


def allowance_in(context: object) -> Allowance | None:
    """Return the allowance of a validation context, None where all problems are described."""
    if context is PLAIN_DATA or not isinstance(context, Mapping):
        return None
    return cast("Mapping[str, Any]", context).get("allowance")


def _missing(path: str, expected: str) -> Problem:
    return Problem(path, "missing", "is required", "nothing", expected)


def _parts(
    value: object, kind: type[InvalidInputError], names: tuple[str, str], *, lenient: bool
) -> Mapping[str, Any]:
    """Return the two parts of an amount or VAT by camelCase name; refuse other shapes."""
    made = "an Amount" if kind is InvalidAmountError else "a Vat"
    expected = f"{made}, or an object with {names[0]} and {names[1]}"
    if value is None:
        raise kind((_missing("", expected),))
    if not isinstance(value, Mapping):
        raise kind.of("", "not_an_object", "is not an object", value, expected)
    parts = dict(value)
    for name in names:
        snake = to_snake(name)
        if snake != name and snake in parts and name not in parts:
            parts[name] = parts.pop(snake)
    unknown = [] if lenient else [key for key in parts if key not in names]
    if unknown:
        expected = " or ".join(names)
        raise InvalidRecordError(
            Problem(str(key), "unknown_field", "is not a field", shown(parts[key]), expected)
            for key in unknown
        )
    return parts


def amount_from(
    value: object, currencies: Mapping[str, int], *, lenient: bool, texts: bool = False
) -> Amount:
    """Return the amount that an object describes; both parts are checked (A1, A2).

    Raises:
        InvalidInputError: A part is missing or wrong; every problem with its path in the object.
    """
    if type(value) is Amount:
        return _short_enough(value)
    if type(value) is dict and len(value) == 2 and "amount" in value and "currency" in value:  # noqa: PLR2004
        parts: Mapping[str, Any] = value
    else:
        parts = _parts(value, InvalidAmountError, ("currency", "amount"), lenient=lenient)
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    exact = Decimal(0)
    currency = parts.get("currency")
    if type(currency) is not str or currency not in CURRENCIES:
        try:
            _known_currency(currency, currencies)
        except InvalidInputError as error:
            problems += error.under("currency").problems
            kinds.append(type(error))
    if parts.get("amount") is None:
        problems.append(_missing("amount", "a number such as 8500.00"))
        kinds.append(InvalidAmountError)
    else:
        try:
            exact = _exact(parts["amount"], "8500.00", texts=texts)
        except InvalidInputError as error:
            problems += error.under("amount").problems
            kinds.append(type(error))
    if problems:
        raise error_of(problems, kinds)
    return Amount.unchecked(exact, str(currency))


def _exact(value: object, such_as: str, *, texts: bool) -> Decimal:
    """Return a number, also that of a text where these are read (A1)."""
    if texts and isinstance(value, str) and is_figure(value):
        value = Decimal(value)
    return number(value, such_as)


def _short_enough(amount: Amount) -> Amount:
    """Return an amount if it has no more digits than one in JSON may have (A1)."""
    try:
        exact = number(amount.amount)
    except InvalidInputError as error:
        raise error.under("amount") from None
    return amount if exact is amount.amount else Amount.unchecked(exact, amount.currency)


def _amount(value: object, info: ValidationInfo) -> Amount:
    """Read an amount (A1, A2)."""
    given = _context(info)
    lenient = given.get("from_service") is True
    currencies = given.get("currencies", NO_CURRENCIES)
    return amount_from(value, currencies, lenient=lenient, texts=_reads_texts(info))


def _number(value: object, info: ValidationInfo) -> Decimal:
    """Read a number (A1)."""
    return _exact(value, "8500.00", texts=_reads_texts(info))


def _quantity(value: object, info: ValidationInfo) -> Decimal:
    """Read a quantity (A1, A21)."""
    return _exact(value, "2.5", texts=_reads_texts(info))


def _rate(value: object, info: ValidationInfo) -> Decimal:
    """Read a rate: a fraction, in Python also a text in percent (A1, A5)."""
    if isinstance(value, str) and _reads_texts(info):
        return fraction_of(value)
    return number(value, "0.03")


def _known_currency(value: object, currencies: Mapping[str, int]) -> str:
    """Return a currency code that is known (A2)."""
    if value is None:
        raise InvalidAmountError((_missing("", "a code such as DKK"),))
    if type(value) is not str:
        raise InvalidAmountError.of("", "not_a_text", "is not a text", value, "a code such as DKK")
    try:
        minor_units(value, currencies)
    except UnknownWordError as error:
        raise UnknownWordError(problem._replace(path="") for problem in error.problems) from None
    return value


def _currency(value: object, info: ValidationInfo) -> str:
    """Read a currency code (A2)."""
    return _known_currency(value, _context(info).get("currencies", NO_CURRENCIES))


_VAT_KEYS: Final = frozenset({"taxMode", "taxRate"})


def vat_from(value: object, *, lenient: bool, texts: bool = False) -> Vat:
    """Return the VAT that an object describes (A27, A28).

    Raises:
        InvalidInputError: A part is missing or wrong; every problem with its path in the object.
    """
    if type(value) is Vat:
        return value
    if isinstance(value, Vat):
        # An unchecked VAT of a service is refused like the same words in JSON.
        value = {"taxMode": value.tax_mode, "taxRate": value.tax_rate}
    if type(value) is dict and value.keys() <= _VAT_KEYS:
        parts: Mapping[str, Any] = value
    else:
        parts = _parts(value, InvalidVatError, ("taxMode", "taxRate"), lenient=lenient)
    if parts.get("taxMode") is None:
        raise InvalidVatError(
            (_missing("taxMode", "one of Exclusive, Inclusive, Exempt, ReverseCharge"),)
        )
    mode: Any = parts["taxMode"]
    rate = parts.get("taxRate")
    return Vat(mode, rate) if texts and isinstance(rate, str) else Vat.of_data(mode, rate)


def _vat(value: object, info: ValidationInfo) -> Vat:
    """Read a VAT (A27, A28)."""
    return vat_from(value, lenient=is_lenient(info), texts=_reads_texts(info))


def _period(value: object, info: ValidationInfo) -> Period:
    """Read a period text (A4)."""
    if type(value) is Period:
        return value
    return Period.parse_days(value, period_end=period_end_of(_context(info)))  # type: ignore[arg-type]


def _asked_period(value: object, info: ValidationInfo) -> Period:
    """Read a period that is asked for, which may be a month or a year (A4)."""
    if isinstance(value, str) and "/" not in value:
        return Period.parse(value)
    return _period(value, info)


def _whole(value: object) -> int:
    """Read a whole number; 1.0 is 1, `true` is not (A7)."""
    if type(value) is int:
        if abs(value) < TOO_LARGE:
            return value
    elif isinstance(value, (Decimal, Real)) and not isinstance(value, bool):
        exact = number(value)
        if exact == exact.to_integral_value():
            return int(exact)
    such = 1
    if isinstance(value, str):
        # The number of a month that is given by its name.
        such = next((at for at, name in enumerate(MONTHS, 1) if name == value.capitalize()), 1)
    expected = f"a whole number such as {such}"
    raise InvalidRecordError.of("", "not_a_whole_number", "is not a whole number", value, expected)


def _months(value: object) -> int:
    """Read a number of months, whole or as a `relativedelta`."""
    return _whole(months_of(value) if is_length(value) else value)


def _time_unit(value: object) -> str:
    """Read a time unit, in any case and in the plural (A7)."""
    word = _TIME_UNITS.get(value.lower()) if isinstance(value, str) else None
    if word is None:
        said, expected = "is not a known time unit", "one of Month, Year, Week, Day"
        if isinstance(value, str) and value.lower().startswith("quarter"):
            expected = "Month, and a length of 3 for a quarter"
        raise UnknownTimeUnitError.of("", "unknown_time_unit", said, value, expected)
    return word


def _text(value: object) -> str:
    """Read a text; a lone surrogate could not be written again."""
    if not isinstance(value, str):
        raise InvalidRecordError.of("", "not_a_text", "is not a text", value, "a text")
    if not value.isascii() and LONE_SURROGATE.search(value):
        expected = "a text without lone surrogates"
        raise InvalidRecordError.of("", "not_a_text", "is not valid Unicode", value, expected)
    return str(value)


def _adjustment_type(value: object) -> str:
    """Read an adjustment type; another word than the known ones is kept as it came (A36)."""
    word = _text(value)
    return _ADJUSTMENT_TYPES.get(word.lower(), word)


def _listed(value: object) -> object:
    """Refuse a text, mapping or record in place of a list."""
    if not isinstance(value, (list, tuple)) and isinstance(value, (BaseModel, Mapping, str)):
        raise InvalidRecordError.of("", "not_a_list", "is not a list", value, "a list")
    return value


_A_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
    r"(Z|[+-][0-9]{2}(:?[0-9]{2}(:?[0-9]{2})?)?)"
)


def moment_of(value: object) -> datetime:
    """Read a date-time; without an offset it would be ambiguous (A58)."""
    # A time zone is reduced to its offset of that moment, as it is written.
    text = value.isoformat() if isinstance(value, datetime) else value
    if isinstance(text, str) and _A_MOMENT.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass
    said, expected = "is not a date-time with an offset", "such as 2026-01-31T12:00:00Z"
    raise InvalidPeriodError.of("", "not_a_date_time", said, value, expected)


_FIRST_YEAR: Final = 1000
"""The first year with four digits as a whole number."""


def _year(value: object) -> str:
    """Read a year `YYYY`; a whole number of four digits is one too (A31)."""
    if type(value) is int and _FIRST_YEAR <= value <= MAXYEAR:
        return str(value)
    if isinstance(value, str) and re.fullmatch(YEAR, value):
        return str(value)
    raise InvalidPeriodError.of("", "not_a_year", "is not a year", value, "YYYY, such as 2026")


def _year_month(value: object, info: ValidationInfo) -> YearMonth:
    """Read a month of a year (A31)."""
    del info
    if isinstance(value, YearMonth):
        return value
    if isinstance(value, str):
        return YearMonth.parse(value)
    raise InvalidPeriodError.of("", "not_a_year_month", "is not a month", value, "YYYY-MM")


def _flag(value: object) -> bool:
    """Read true or false; `1` and `"yes"` are neither."""
    if value is True or value is False:
        return value
    said, expected = "is neither true nor false", "true or false"
    raise InvalidRecordError.of("", "wrong_value", said, value, expected)


_RECURRENCES: Final = in_any_case("OneTime", "Recurring")


def _recurrence(value: object) -> str:
    """Read a recurrence, in any case (A36)."""
    word = _RECURRENCES.get(value.lower()) if isinstance(value, str) else None
    if word is None:
        said, expected = "is not a known recurrence", "one of OneTime, Recurring"
        raise UnknownWordError.of("", "unknown_recurrence", said, value, expected)
    return word


def _calendar_month(value: object) -> int:
    month = _whole(value)
    if not 1 <= month <= 12:  # noqa: PLR2004
        expected = "a calendar month from 1 to 12"
        raise InvalidRecordError.of("", "out_of_range", "is out of range", value, expected)
    return month


def _point(value: Any, info: ValidationInfo) -> IndexPoint:  # noqa: ANN401
    """Read a month, quarter or year of an index (A31)."""
    del info
    return IndexPoint.parse(value)


class _Reads(PlainValidator):
    """Reads a field of a class that pydantic could write by itself, which the record does."""

    # `PlainValidator` would build a serializer for each of these fields on import.
    def __get_pydantic_core_schema__(self, source_type: object, handler: object) -> CoreSchema:
        del source_type, handler
        return core_schema.with_info_plain_validator_function(self.func)  # type: ignore[arg-type]


AmountField = Annotated[Amount, _Reads(_amount)]
CurrencyField = Annotated[str, PlainValidator(_currency), InSchema({"pattern": "^[A-Z0-9]+$"})]
CalendarMonthField = Annotated[
    int, PlainValidator(_calendar_month), InSchema({"minimum": 1, "maximum": 12})
]
DateTimeField = Annotated[datetime, PlainValidator(moment_of)]
FlagField = Annotated[bool, PlainValidator(_flag)]
MonthsField = Annotated[int, PlainValidator(_months)]
"""A whole number of months, or a `relativedelta` of months or years."""
PointField = Annotated[IndexPoint, _Reads(_point)]
TextField = Annotated[str, PlainValidator(_text), A_TEXT]
"""A text; in a request it has one line."""
LongTextField = Annotated[str, PlainValidator(_text), A_LONG_TEXT]
"""A text that may have several lines."""
IdField = Annotated[str, Field(strict=True, min_length=1), A_WORD]
"""An id, a key or a word; never empty."""
NameField = Annotated[str, Field(strict=True, min_length=1), A_NAME]
"""A name or another text that is never empty."""
VatField = Annotated[Vat, _Reads(_vat)]
FromShort: Final = BeforeValidator
"""Makes of a short form, by a function, what the field reads; it follows the type."""


def AnyCase(*words: str) -> BeforeValidator:  # noqa: N802 - it stands where types do
    """Read words of the interface in any case; it follows their `Literal`."""
    known = in_any_case(*words)
    return BeforeValidator(
        lambda value: known.get(value.lower(), value) if isinstance(value, str) else value
    )


Listed: Final = BeforeValidator(_listed)
"""Reads a list; it follows the type in `Annotated`."""
WholeField = Annotated[int, PlainValidator(_whole)]
YearField = Annotated[str, PlainValidator(_year), InSchema({"pattern": f"^{YEAR}$"})]
YearMonthField = Annotated[YearMonth, _Reads(_year_month)]


def sound_parts(
    kind: type[BaseModel], data: object, error: ValidationError, info: ValidationInfo
) -> dict[str, Any]:
    """Return the readable fields of a payload, by name; `error` has those that are not."""
    parts: dict[str, Any] = {}
    if not isinstance(data, Mapping):
        return parts
    # What could not be read is not read again: inside lists of lists it would be each time.
    wrong = {
        fault["loc"][0]
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
        if fault["loc"] and fault["type"] != "extra_forbidden"
    }
    for field, reader in zip(fields_of(kind), _readers(kind), strict=True):
        key = field.wire if field.wire in data else field.name
        if key in wrong:
            continue
        if key in data:
            try:
                parts[field.name] = reader.validate_python(data[key], context=info.context)
            except ValidationError:
                continue
        elif not field.required:
            parts[field.name] = field.default
    return parts


@cache
def _readers(kind: type[BaseModel]) -> tuple["TypeAdapter[Any]", ...]:
    return tuple(TypeAdapter(each.rebuild_annotation()) for each in kind.model_fields.values())


def known_parts(kind: type[BaseModel], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without the fields that its record does not have (A50)."""
    aliases = wire_names(kind)
    return {
        key: value
        for key, value in data.items()
        if (alias := aliases.get(key)) is not None and (alias == key or alias not in data)
    }


if TYPE_CHECKING:
    _Read = TypeVar("_Read")
    _Given = TypeVar("_Given")

    class Reading(Generic[_Read, _Given]):
        """What a field is read as, and what it may be given as: type checkers take both from it."""

        def __get__(self, record: object, kind: type[object] | None = None) -> _Read: ...
        def __set__(self, record: object, given: _Given) -> None: ...

    DateField = Reading[date, date | str]
    OptionalDateField = Reading[date | None, date | str | None]
    PeriodField = Reading[Period, Period | str]
    AskedPeriodField = Reading[Period, Period | str]
    OptionalPeriodField = Reading[Period | None, Period | str | None]
    OptionalAskedPeriodField = OptionalPeriodField
    # An exact text or a float, too, and a rate also as "3%".
    NumberField = Reading[Decimal, Rate]
    QuantityField = NumberField
    RateField = NumberField
    OptionalNumberField = Reading[Decimal | None, Rate | None]
    OptionalQuantityField = OptionalNumberField
    OptionalRateField = OptionalNumberField
    # Editors complete the words; any other text is read too, or refused with the known words.
    AdjustmentTypeField = Literal["Index", "Increment"] | str
    RecurrenceField = Literal["OneTime", "Recurring"] | str
    TimeUnitField = Literal["Month", "Year", "Week", "Day"] | str
else:
    DateField = Annotated[date, PlainValidator(parse_date)]
    OptionalDateField = DateField | None
    PeriodField = Annotated[Period, _Reads(_period)]
    # A period that is asked for is two days, a month or a year.
    AskedPeriodField = Annotated[Period, _Reads(_asked_period), InSchema({"pattern": ASKED_PERIOD})]
    OptionalPeriodField = PeriodField | None
    OptionalAskedPeriodField = AskedPeriodField | None
    NumberField = Annotated[Decimal, PlainValidator(_number)]
    QuantityField = Annotated[Decimal, PlainValidator(_quantity), MORE_THAN_NONE]
    RateField = Annotated[Decimal, PlainValidator(_rate)]
    OptionalNumberField = NumberField | None
    OptionalQuantityField = QuantityField | None
    OptionalRateField = RateField | None
    AdjustmentTypeField = Annotated[str, PlainValidator(_adjustment_type), A_KEY]
    RecurrenceField = Annotated[
        str, PlainValidator(_recurrence), InSchema({"enum": ["OneTime", "Recurring", None]})
    ]
    TimeUnitField = Annotated[
        str, PlainValidator(_time_unit), InSchema({"enum": ["Month", "Year", "Week", "Day"]})
    ]

ABSENT: Final[Any] = None
"""The default of an optional date, period or number, of which type checkers know two types."""
