"""Values as one writes them in a test: amounts, numbers and VAT from texts.

Law: a text means what the same text means in a payload; a binary number is refused.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final, TypeVar

from rentbilling import Amount, Vat
from rentbilling.errors import InvalidAmountError, other_currency, shown

T = TypeVar("T")

_USUAL: Final = "DKK"

AnyNumber = Decimal | int | str
"""An exact number, or its text."""
AnyAmount = Amount | Decimal | int | str
"""An amount, its number where the currency is given apart, or a text such as `8500.00 EUR`."""
AnyVat = Vat | str
"""A VAT, or its mode and rate as a text such as `Exclusive 0.25`."""


def number_of(given: AnyNumber) -> Decimal:
    """Return the number that a value or its text means.

    Raises:
        InvalidAmountError: It is no exact number.

    Examples:
        >>> number_of("0.10")
        Decimal('0.10')
    """
    expected = 'an exact number: Decimal("0.10"), 3 or "0.10"'
    if isinstance(given, bool) or not isinstance(given, (Decimal, int, str)):
        raise InvalidAmountError.of("", "not_exact", "is not an exact number", given, expected)
    try:
        return Decimal(given)
    except InvalidOperation:
        said = "is not a number"
        raise InvalidAmountError.of("", "not_a_number", said, given, expected) from None


def amount_of(given: AnyAmount, currency: str) -> Amount:
    """Return an amount given as such or as a text, or that of a number in a currency.

    Examples:
        >>> amount_of("8500.00", "DKK"), amount_of("100 EUR", "DKK")
        (Amount(Decimal('8500.00'), 'DKK'), Amount(Decimal('100'), 'EUR'))
    """
    if isinstance(given, Amount):
        return given
    if isinstance(given, str) and " " in given.strip():
        return Amount.parse(given.strip())
    return Amount(number_of(given), currency)


def price_of(given: AnyAmount, currency: str | None) -> Amount:
    """Return a price in the stated currency, else in its own, else in DKK.

    Raises:
        CurrencyMismatchError: It is one of another currency than the stated one.

    Examples:
        >>> price_of("8500.00", None), price_of("100 EUR", None)
        (Amount(Decimal('8500.00'), 'DKK'), Amount(Decimal('100'), 'EUR'))
    """
    price = amount_of(given, currency or _USUAL)
    if currency is not None and price.currency != currency:
        raise other_currency("currency", currency, price.currency)
    return price


def vat_of(given: AnyVat) -> Vat:
    """Return a VAT given as such, or that of a text: the mode, and the rate if there is one.

    Examples:
        >>> vat_of("Exclusive 0.25"), vat_of("Exempt")
        (Vat('Exclusive', Decimal('0.25')), Vat('Exempt'))
    """
    return given if isinstance(given, Vat) else Vat.parse(given)


def one_by_one(given: tuple[object, ...], kinds: tuple[type, ...], call: str) -> None:
    """Refuse what a builder takes one by one and was handed in otherwise, such as a list of it.

    Raises:
        TypeError: One of them is something else.
    """
    for each in given:
        if not isinstance(each, kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"pass each {names} by itself, {call}, not {shown(each)}")


def every(given: T | Iterable[T], kind: type[T], call: str) -> tuple[T, ...]:
    """Return values of one kind that are given as one or as several; refuse others.

    Raises:
        TypeError: One of them is something else.
    """
    found = (given,) if isinstance(given, kind) else tuple(given)  # type: ignore[arg-type]
    one_by_one(found, (kind,), call)
    return found


def refuse_unused(call: str, *given: Mapping[str, object]) -> None:
    """Refuse arguments that have no meaning in a call.

    Raises:
        TypeError: One of them is given.
    """
    named = [name for each in given for name, value in each.items() if value is not None]
    if named:
        raise TypeError(f"{call} has no use for {', '.join(named)}")
