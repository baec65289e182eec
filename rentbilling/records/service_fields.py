"""How values are read that a service may tell in a form in which nobody could create them.

Laws: what a caller creates is read as strictly as everywhere; in what a service returns a word, a
year, an id, the number of a month or a VAT is kept as it came, and what is none is refused (A49).
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from rentbilling.errors import InvalidInputError
from rentbilling.records.fields import (
    CalendarMonthField,
    IdField,
    RecurrenceField,
    VatField,
    YearField,
    is_lenient,
)
from rentbilling.records.json_text import LONE_SURROGATE
from rentbilling.values.money import number
from rentbilling.values.vat import ToldVat, Vat

_LARGEST: Final = 10**15
"""Whole numbers up to it are exact for every reader of JSON (A1)."""


def _kept(read: Callable[[object], Any]) -> WrapValidator:
    """Return what reads a value as anybody may write it, and else as a service may tell it."""

    def told(value: object, strict: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:  # noqa: ANN401
        try:
            return strict(value)
        except ValidationError:
            found = read(value) if is_lenient(info) else None
            if found is None:
                raise
            return found

    return WrapValidator(told)


def _text(value: object) -> str | None:
    """Return a text that can be written again, whatever it says."""
    return str(value) if isinstance(value, str) and not LONE_SURROGATE.search(value) else None


def _month(value: object) -> int | None:
    """Return a whole number, also one of no month."""
    if type(value) is int or isinstance(value, Decimal):
        whole = int(value)
        return whole if whole == value and abs(whole) < _LARGEST else None
    return None


def vat_as_told(value: object) -> Vat | None:
    """Return a VAT of any mode and rate, as a service tells it."""
    if isinstance(value, ToldVat):
        return value
    if not isinstance(value, Mapping):
        return None
    mode = _text(value.get("taxMode", value.get("tax_mode")))
    rate = value.get("taxRate", value.get("tax_rate"))
    try:
        return None if mode is None else ToldVat(mode, None if rate is None else number(rate))
    except InvalidInputError:
        return None


def _as_it_is(value: object, read: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401
    """Return a record itself, which nobody builds on."""
    return value if isinstance(value, BaseModel) else read(value)


Untouched: Final = WrapValidator(_as_it_is)
"""Beside the kind of records that are listed alone: those that a service told are not judged."""
ToldIdField = Annotated[IdField, _kept(_text)]
ToldMonthField = Annotated[CalendarMonthField, _kept(_month)]
ToldRecurrenceField = Annotated[RecurrenceField, _kept(_text)]
ToldVatField = Annotated[VatField, _kept(vat_as_told)]
ToldYearField = Annotated[YearField, _kept(_text)]
