"""The quick way into a record: one table per class, for what is certainly right.

Laws: whatever it accepts, pydantic accepts with the same values, digits and fields set; everything
else raises `Unusual` and is left to pydantic, which alone words refusals.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, PlainValidator, Strict

from rentbilling.errors import InvalidInputError
from rentbilling.records.bounds import Bound
from rentbilling.records.description import FieldType, RecordField, fields_of
from rentbilling.records.fields import (
    AmountField,
    AskedPeriodField,
    CurrencyField,
    DateField,
    NumberField,
    PeriodField,
    QuantityField,
    RateField,
    TextField,
    TimeUnitField,
    VatField,
    WholeField,
    amount_from,
    vat_from,
)
from rentbilling.records.json_text import LONE_SURROGATE
from rentbilling.records.raw_record import OrRaw
from rentbilling.records.text_limits import TextBound
from rentbilling.values import (
    CURRENCIES,
    NO_CURRENCIES,
    Amount,
    Period,
    Vat,
    number,
    parse_date,
)

Read = Callable[[Any], Any]
"""Reads one value, or raises one of `LEFT`."""


class Unusual(Exception):  # noqa: N818 - nothing is wrong
    """A value that is not read quickly; it may be right all the same."""


LEFT: Final = (Unusual, InvalidInputError, KeyError, TypeError, AttributeError)
"""What a quick reader raises for a value that pydantic must read."""

_SHORT: Final = 15
"""Characters of a number without exponent that has certainly not too many digits (A1)."""

_OUR_PACKAGE: Final = __name__.partition(".")[0]


# ------------------------------------------------------------------------------- single values


def _exact(value: Any) -> Decimal:  # noqa: ANN401
    if type(value) is Decimal and value and value.is_finite():
        text = str(value)
        if len(text) <= _SHORT and "E" not in text:
            return value
    return number(value)


def _amount(value: Any) -> Amount:  # noqa: ANN401
    if type(value) is dict and len(value) == 2:  # noqa: PLR2004
        currency, amount = value["currency"], value["amount"]
        if type(currency) is str and currency in CURRENCIES:
            # As in `_exact`, without another call for what every lease has most of.
            if type(amount) is Decimal and amount and amount.is_finite():
                text = str(amount)
                if len(text) <= _SHORT and "E" not in text:
                    return Amount.unchecked(amount, currency)
            return Amount.unchecked(number(amount), currency)
    return amount_from(value, NO_CURRENCIES, lenient=False)


# Values that many leases share. Texts are the keys, so that 0.25 and 0.250 remain two rates.
_a_date: Final = lru_cache(maxsize=4096)(parse_date)
_a_period: Final = lru_cache(maxsize=4096)(Period.parse_days)


@lru_cache(maxsize=1024)
def _a_vat(mode: str, rate: str | None) -> Vat:
    return Vat.of_data(mode, None if rate is None else Decimal(rate))


def _date(value: Any) -> Any:  # noqa: ANN401
    return _a_date(value) if type(value) is str else parse_date(value)


def _period(value: Any) -> Period:  # noqa: ANN401
    return value if type(value) is Period else _a_period(_word(value))


def _vat(value: Any) -> Vat:  # noqa: ANN401
    if type(value) is dict:
        mode, rate = value["taxMode"], value.get("taxRate")
        exact = type(rate) is Decimal or type(rate) is int
        if type(mode) is str and len(value) == 1 + exact:
            return _a_vat(mode, str(rate) if exact else None)
    return vat_from(value, lenient=False)


def _currency(value: Any) -> str:  # noqa: ANN401
    if type(value) is str and value in CURRENCIES:
        return value
    raise Unusual


def _word(value: Any) -> str:  # noqa: ANN401
    """Read a text, which may be empty."""
    if type(value) is str and (value.isascii() or not LONE_SURROGATE.search(value)):
        return value
    raise Unusual


def _id(value: Any) -> str:  # noqa: ANN401
    if value:
        return _word(value)
    raise Unusual


def _function_of(field: Any) -> Any:  # noqa: ANN401 - a type with its notes
    """Return the function by which a type of field is read."""
    return next(each.func for each in field.__metadata__ if isinstance(each, PlainValidator))


_OWN: Final[Mapping[Any, Read]] = MappingProxyType(
    {
        _function_of(field): read
        for field, read in (
            (AmountField, _amount),
            (AskedPeriodField, _period),
            (CurrencyField, _currency),
            (DateField, _date),
            (NumberField, _exact),
            (PeriodField, _period),
            (QuantityField, _exact),
            (RateField, _exact),
            (TextField, _word),
            (VatField, _vat),
        )
    }
)
"""Quicker readers, and those of fields that depend on a context; others read as they are."""

_SMALL: Final = (_function_of(TimeUnitField), _function_of(WholeField))

# They say how a text or a whole record is refused, or nothing that a reader needs.
_KNOWN: Final = (Strict, TextBound, Bound, OrRaw, PlainValidator, BeforeValidator)


def _one_of(words: tuple[Any, ...]) -> Read:
    known = frozenset(words)

    def read(value: Any) -> Any:  # noqa: ANN401
        if type(value) is str and value in known:
            return value
        raise Unusual

    return read


def _list_of(entry: Read) -> Read:
    def read(value: Any) -> tuple[Any, ...]:  # noqa: ANN401
        if type(value) is list or type(value) is tuple:
            return tuple([entry(each) for each in value])
        raise Unusual

    return read


def _texts_by_name(entry: Read) -> Read:
    def read(value: Any) -> dict[str, Any]:  # noqa: ANN401
        if type(value) is dict:
            return {_word(key): entry(each) for key, each in value.items()}
        raise Unusual

    return read


def _left(_: object) -> Any:  # noqa: ANN401
    """Leave a value of a type that is not known here."""
    raise Unusual


def _reader_of(kind: FieldType) -> Read:
    """Return the reader of a field's values."""
    functions: list[Any] = [each.func for each in kind.notes if isinstance(each, PlainValidator)]
    filled = any(hasattr(each, "min_length") for each in kind.notes)
    if not all(isinstance(each, _KNOWN) or hasattr(each, "min_length") for each in kind.notes):
        return _left
    if kind.entries is not None:
        entry = _reader_of(kind.entries)
        return _list_of(entry) if kind.is_list else _texts_by_name(entry)
    if functions:
        function: Read = functions[0]
        return _OWN.get(function, function)
    if get_origin(kind.kind) is Literal:
        return _one_of(get_args(kind.kind))
    if isinstance(kind.kind, type) and issubclass(kind.kind, BaseModel):
        return reader_of(kind.kind)
    return _id if filled else _left


# ------------------------------------------------------------------------------------- records


def _table_of(fields: Iterable[RecordField]) -> Mapping[str, tuple[str, Read]]:
    """Return the name and the reader of each field, by its name in both spellings."""
    table: dict[str, tuple[str, Read]] = {}
    for each in fields:
        table[each.wire] = table[each.name] = each.name, _reader_of(each.type)
    return table


Fill = Callable[[Any, Any], Any]
"""Gives a record its fields from an object, and returns it; without a record, a new one."""


@cache
def filler_of(kind: Any, *, plain: bool) -> Fill:  # noqa: ANN401 - a record class
    """Return what fills a new record from plain data, or from keyword arguments.

    It raises one of `LEFT` where pydantic must read.
    """
    if not _is_ours(kind):
        return _unfilled
    fields = fields_of(kind)
    table = _table_of(fields)
    defaults = {each.name: None if each.required else each.default for each in fields}
    on_wire = kind.required_on_wire if plain else ()
    needed = frozenset((*on_wire, *(each.name for each in fields if each.required)))
    fits, drops_nulls = kind.quick_check(), kind.drops_nulls()
    finish = kind.model_post_init if kind.model_post_init is not BaseModel.model_post_init else None
    copy, new = defaults.copy, object.__new__

    def fill(record: Any, data: Any) -> Any:  # noqa: ANN401
        if type(data) is not dict:
            # A record was validated when it was created.
            if type(data) is kind:
                return data
            raise Unusual
        values, names, count = copy(), set(), len(data)
        for key, value in data.items():
            name, read = table[key]
            if value is None and drops_nulls:
                count -= 1
            else:
                values[name] = read(value)
                names.add(name)
        # Fewer names than keys: one field was written in both spellings.
        if len(names) != count or not needed <= names:
            raise Unusual
        record = new(kind) if record is None else record
        _set_fields(record, values)
        _set_names(record, names)
        _set_extra(record, None)
        _set_private(record, None)
        if finish is not None:
            finish(record, None)
        if fits is not None and not fits(values):
            raise Unusual
        return record

    return fill


# What pydantic's own `model_construct` sets; a test fails where a version has others.
_set_fields: Final = BaseModel.__dict__["__dict__"].__set__
_set_names: Final = BaseModel.__dict__["__pydantic_fields_set__"].__set__
_set_extra: Final = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_private: Final = BaseModel.__dict__["__pydantic_private__"].__set__


def _is_ours(kind: Any) -> bool:  # noqa: ANN401
    """Return whether a class has no validators but those that are known here."""
    return bool(kind.__module__.partition(".")[0] == _OUR_PACKAGE and kind.reads_quickly)


def _unfilled(_record: object, _data: object) -> Any:  # noqa: ANN401
    raise Unusual


@cache
def reader_of(kind: Any) -> Read:  # noqa: ANN401 - a record class
    """Return the quick reader of a record class from plain data.

    Raises from it one of `LEFT`: pydantic must read.
    """
    read = partial(filler_of(kind, plain=True), None)
    return _remembered(read) if all(map(_is_small, fields_of(kind))) else read


def _is_small(field: RecordField) -> bool:
    """Return whether a field is a word of a few, or a whole number."""
    if get_origin(field.type.kind) is Literal:
        return True
    functions = (each.func for each in field.type.notes if isinstance(each, PlainValidator))
    return any(each in _SMALL for each in functions)


def _remembered(read: Read) -> Read:
    """Return a reader that gives the same record for the same words and whole numbers."""

    @lru_cache(maxsize=1024)
    def made(count: int, *parts: Any) -> Any:  # noqa: ANN401
        return read(dict(zip(parts[:count], parts[count:], strict=True)))

    def remembered(data: Any) -> Any:  # noqa: ANN401
        if type(data) is not dict:
            return read(data)
        for each in data.values():
            # Equal numbers of other types, such as true, are another input.
            if type(each) is not int and type(each) is not str:
                return read(data)
        return made(len(data), *data, *data.values())

    return remembered
