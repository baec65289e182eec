"""The quick way into a record: one table per class, for what is certainly right.

Laws: whatever it accepts, pydantic accepts with the same values, digits and fields set; everything
else raises `Unusual` and is left to pydantic, which alone words refusals.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, TypeVar, get_args, get_origin

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
    PeriodEnd,
    Vat,
    number,
    parse_date,
)

M = TypeVar("M", bound=BaseModel)
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


_amount_of: Final = Amount.unchecked
_CODES: Final = frozenset(CURRENCIES)


_whole: Final = lru_cache(maxsize=1024)(number)


def quick_number(value: Any) -> Decimal:  # noqa: ANN401
    if type(value) is int:
        return _whole(value)
    if type(value) is Decimal and value and value.is_finite():
        text = str(value)
        if len(text) <= _SHORT and "E" not in text:
            return value
    return number(value)


def _amount(value: Any) -> Amount:  # noqa: ANN401
    if type(value) is dict and len(value) == 2:  # noqa: PLR2004
        currency, amount = value["currency"], value["amount"]
        if type(currency) is str and currency in _CODES:
            # As in `quick_number`, without another call for what every lease has most of.
            if type(amount) is Decimal and amount and amount.is_finite():
                text = str(amount)
                if len(text) <= _SHORT and "E" not in text:
                    return _amount_of(amount, currency)
            return _amount_of(number(amount), currency)
    return amount_from(value, NO_CURRENCIES, lenient=False)


# Values that many leases share. Texts are the keys, so that 0.25 and 0.250 remain two rates. A date
# that is no text is equal to equal dates alone, which are read as the same.
quick_date: Final = lru_cache(maxsize=4096)(parse_date)
_a_period: Final = lru_cache(maxsize=4096)(Period.parse_days)
_a_half_open_period: Final = lru_cache(maxsize=4096)(
    partial(Period.parse_days, period_end="excluded")
)


@lru_cache(maxsize=1024)
def _a_vat(mode: str, rate: str | None) -> Vat:
    return Vat.of_data(mode, None if rate is None else Decimal(rate))


def _period(value: Any) -> Period:  # noqa: ANN401
    return _a_period(value) if type(value) is str else _same_period(value)


def _half_open_period(value: Any) -> Period:  # noqa: ANN401
    return _a_half_open_period(value) if type(value) is str else _same_period(value)


def _same_period(value: Any) -> Period:  # noqa: ANN401
    if type(value) is Period:
        return value
    raise Unusual


def quick_vat(value: Any) -> Vat:  # noqa: ANN401
    if type(value) is dict:
        mode, rate = value["taxMode"], value.get("taxRate")
        # A whole number may be too long to be a text.
        exact = type(rate) is Decimal or (type(rate) is int and 0 <= rate <= 1)
        if type(mode) is str and len(value) == 1 + exact:
            return _a_vat(mode, str(rate) if exact else None)
    return vat_from(value, lenient=False)


def _currency(value: Any) -> str:  # noqa: ANN401
    if type(value) is str and value in _CODES:
        return value
    raise Unusual


def _word(value: Any) -> str:  # noqa: ANN401
    """Read a text, which may be empty."""
    if type(value) is str and (value.isascii() or not LONE_SURROGATE.search(value)):
        return value
    raise Unusual


def _id(value: Any) -> str:  # noqa: ANN401
    if type(value) is str and value and (value.isascii() or not LONE_SURROGATE.search(value)):
        return value
    raise Unusual


def _function_of(field: Any) -> Any:  # noqa: ANN401 - a type with its notes
    return next(each.func for each in field.__metadata__ if isinstance(each, PlainValidator))


_OWN: Final[Mapping[Any, Read]] = MappingProxyType(
    {
        _function_of(field): read
        for field, read in (
            (AmountField, _amount),
            (AskedPeriodField, _period),
            (CurrencyField, _currency),
            (DateField, quick_date),
            (NumberField, quick_number),
            (PeriodField, _period),
            (QuantityField, quick_number),
            (RateField, quick_number),
            (TextField, _word),
            (VatField, quick_vat),
        )
    }
)
"""Quicker readers, and those of fields that depend on a context; others read as they are."""


def quick_period(period_end: PeriodEnd) -> Read:
    """Return the reader of the texts of periods that end so (A4)."""
    return _a_half_open_period if period_end == "excluded" else _a_period


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


def _reader_of(kind: FieldType, period_end: PeriodEnd) -> Read:
    functions: list[Any] = [each.func for each in kind.notes if isinstance(each, PlainValidator)]
    filled = any(hasattr(each, "min_length") for each in kind.notes)
    if not all(isinstance(each, _KNOWN) or hasattr(each, "min_length") for each in kind.notes):
        return _left
    if kind.entries is not None:
        entry = _reader_of(kind.entries, period_end)
        return _list_of(entry) if kind.is_list else _texts_by_name(entry)
    if functions:
        function: Read = functions[0]
        own = _OWN.get(function, function)
        return _half_open_period if own is _period and period_end == "excluded" else own
    if get_origin(kind.kind) is Literal:
        return _one_of(get_args(kind.kind))
    if isinstance(kind.kind, type) and issubclass(kind.kind, BaseModel):
        return reader_of(kind.kind, period_end)
    return _id if filled else _left


# ------------------------------------------------------------------------------------- records


def _table_of(
    fields: Iterable[RecordField], period_end: PeriodEnd
) -> Mapping[str, tuple[str, Read]]:
    """Return the name and the reader of each field, by its name in both spellings."""
    table: dict[str, tuple[str, Read]] = {}
    for each in fields:
        table[each.wire] = table[each.name] = each.name, _reader_of(each.type, period_end)
    return table


class Fill(Protocol):
    """Gives a record its fields from an object, and returns it; without a record, a new one."""

    def __call__(self, data: Any, record: Any = None) -> Any:  # noqa: ANN401
        ...


_Shape = tuple[Read, set[str]]
"""Of objects with certain keys in a certain order: what reads the values of all fields, and the
fields that are set."""

MOST_SHAPES: Final = 64
"""Orders of keys that are remembered of a class; most programs write a few."""


def _values_reader(columns: Sequence[tuple[str, Read]], defaults: dict[str, Any]) -> Read:
    """Return what reads the values of all fields from an object with certain keys in their order.

    Most records of a lease have two or three fields, for which a loop takes twice as long.

    Examples:
        >>> _values_reader([("start", str)], {"id": None, "start": None})({"begin": 1})
        {'id': None, 'start': '1'}
    """
    copy = defaults.copy
    match columns:
        case [(one, read_one), (two, read_two)]:

            def values_of(data: Any) -> dict[str, Any]:  # noqa: ANN401
                values = copy()
                first, second = data.values()
                values[one] = read_one(first)
                values[two] = read_two(second)
                return values

        case [(one, read_one), (two, read_two), (three, read_three)]:

            def values_of(data: Any) -> dict[str, Any]:  # noqa: ANN401
                values = copy()
                first, second, third = data.values()
                values[one] = read_one(first)
                values[two] = read_two(second)
                values[three] = read_three(third)
                return values

        case _:

            def values_of(data: Any) -> dict[str, Any]:  # noqa: ANN401
                values = copy()
                for (name, read), value in zip(columns, data.values()):  # noqa: B905 - of one object
                    values[name] = read(value)
                return values

    return values_of


class Shapes:
    """How a record class is read from objects with certain keys in a certain order."""

    def __init__(self, kind: Any, period_end: PeriodEnd, *, plain: bool) -> None:  # noqa: ANN401
        fields = fields_of(kind)
        self._table = _table_of(fields, period_end)
        self._defaults = {each.name: None if each.required else each.default for each in fields}
        on_wire = kind.required_on_wire if plain else ()
        self._needed = {*on_wire, *(each.name for each in fields if each.required)}
        self.known: dict[tuple[str, ...], _Shape] = {}

    def of(self, keys: tuple[str, ...]) -> _Shape:
        """Return how objects with these keys are read, and remember it."""
        columns = [self._table[key] for key in keys]
        names = {name for name, _ in columns}
        # Fewer names than keys: one field was written in both spellings.
        if len(names) != len(keys) or not self._needed <= names:
            raise Unusual
        if len(self.known) >= MOST_SHAPES:
            self.known.clear()
        self.known[keys] = found = _values_reader(columns, self._defaults), names
        return found


@cache
def filler_of(kind: Any, *, plain: bool, period_end: PeriodEnd = "included") -> Fill:  # noqa: ANN401 - a record class
    """Return what fills a new record from plain data, or from keyword arguments.

    It raises one of `LEFT` where pydantic must read.
    """
    if not _is_ours(kind):
        return _unfilled
    fits, drops_nulls = kind.quick_check(), kind.drops_nulls()
    finish = kind.model_post_init if kind.model_post_init is not BaseModel.model_post_init else None
    shapes = Shapes(kind, period_end, plain=plain)
    new, known = object.__new__, shapes.known.get

    def fill(data: Any, record: Any = None) -> Any:  # noqa: ANN401
        if type(data) is not dict:
            # A record was validated when it was created.
            if type(data) is kind:
                return data
            raise Unusual
        keys = tuple(data)
        values_of, names = known(keys) or shapes.of(keys)
        try:
            values = values_of(data)
        except LEFT:
            # No reader takes null, which reads as absent (A6).
            others = {key: value for key, value in data.items() if value is not None}
            if not drops_nulls or len(others) == len(data):
                raise
            return fill(others, record)
        record = new(kind) if record is None else record
        _set_fields(record, values)
        _set_names(record, names.copy())
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


def filled(record: M, values: dict[str, Any], names: set[str]) -> M:
    """Give a new record the values of all fields, which are valid, and the fields set."""
    _set_fields(record, values)
    _set_names(record, names)
    _set_extra(record, None)
    _set_private(record, None)
    return record


def _is_ours(kind: Any) -> bool:  # noqa: ANN401
    """Return whether a class has no validators but those that are known here."""
    return bool(kind.__module__.partition(".")[0] == _OUR_PACKAGE and kind.reads_quickly)


def _unfilled(data: Any, record: Any = None) -> Any:  # noqa: ANN401
    del data, record
    raise Unusual


@cache
def reader_of(kind: Any, period_end: PeriodEnd = "included") -> Read:  # noqa: ANN401 - a record class
    """Return the quick reader of a record class from plain data.

    Raises from it one of `LEFT`: pydantic must read.
    """
    read = filler_of(kind, plain=True, period_end=period_end)
    return remembered(read) if is_small(kind) else read


def is_small(kind: Any) -> bool:  # noqa: ANN401
    """Return whether all fields of a record class are words of a few, or whole numbers."""
    return all(map(_is_small, fields_of(kind)))


def _is_small(field: RecordField) -> bool:
    if get_origin(field.type.kind) is Literal:
        return True
    functions = (each.func for each in field.type.notes if isinstance(each, PlainValidator))
    return any(each in _SMALL for each in functions)


def remembered(read: Read) -> Read:
    """Return a reader, or writer, that gives the same for the same words and whole numbers."""

    # By their types too: equal numbers of others, such as true, are another input.
    @lru_cache(maxsize=1024, typed=True)
    def made(*parts: Any) -> Any:  # noqa: ANN401
        count = len(parts) // 2
        return read(dict(zip(parts[:count], parts[count:], strict=True)))

    def given_again(data: Any) -> Any:  # noqa: ANN401
        return made(*data, *data.values()) if type(data) is dict else read(data)

    return given_again
