"""Working texts: how a value of a working is written for people.

Law: what is written is what was reckoned with; a number that is cut short ends in an ellipsis.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Final

from rentbilling.values import CURRENCIES, Amount, Period, decimal_of, divide_rounded

Value = int | Decimal | Fraction | date | Period | str | Amount
"""What a step of a working takes and gives."""

Named = Sequence[tuple[str, Value]]
"""Inputs by name, each with its value."""

_SHORT: Final = 4
_LONG: Final = 10
_DECIMALS: Final = 10
_SHARE: Final = 1000
_PERCENT: Final = ("percentage", "rate")
# What amounts are multiplied with: four decimals would not lead to the minor unit.
_MULTIPLIED: Final = frozenset({"factor", "ratio", "share"})


def as_fraction(value: Value) -> Fraction:
    """Return the number that a value is.

    Raises:
        TypeError: It is no number.

    Examples:
        >>> as_fraction(Decimal("0.25"))
        Fraction(1, 4)
    """
    if isinstance(value, Amount):
        return Fraction(value.amount)
    if isinstance(value, (int, Decimal, Fraction)):
        return Fraction(value)
    raise TypeError(f"{value!r} is no number")


def ended(value: Fraction) -> Decimal | None:
    """Return the decimal number that a fraction is, None where it has no end within 10 decimals."""
    scaled = value * 10**_DECIMALS
    if scaled.denominator != 1:
        return None
    places = next(n for n in range(_DECIMALS + 1) if (value * 10**n).denominator == 1)
    return decimal_of(int(value * 10**places), places)


def number_text(value: Fraction, places: int = _SHORT, *, parts: bool = True) -> str:
    """Return an exact number: 7,812.5, 17/31, or cut after some decimals with an ellipsis.

    Examples:
        >>> number_text(Fraction(15625, 2)), number_text(Fraction(17, 31))
        ('7,812.5', '17/31')
        >>> number_text(Fraction(144500, 31))
        '4,661.2903…'
    """
    short = ended(value)
    if short is not None:
        return f"{short:,f}"
    if parts and abs(value.numerator) < _SHARE and value.denominator < _SHARE:
        return f"{value.numerator}/{value.denominator}"
    over, below = value.as_integer_ratio()
    # Small numbers show as many digits as large ones.
    while places < _DECIMALS * 2 and abs(over) * 10 ** (places - 2) < below:
        places += 1
    cut = decimal_of(divide_rounded(over * 10**places, below, "down"), places)
    return f"{cut:,f}…"


def value_text(value: Value, name: str = "") -> str:
    """Return a value as people write it.

    Examples:
        >>> value_text(Amount(Decimal("7812.50"), "DKK")), value_text(Decimal("0.025"), "tax rate")
        ('7,812.50 DKK', '2.5 %')
    """
    if isinstance(value, Amount):
        return f"{figure_text(value)} {value.currency}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Period, str)):
        return str(value)
    if name.rpartition(" ")[2] in _PERCENT:
        return f"{number_text(Fraction(value) * 100, parts=False)} %"
    if isinstance(value, Decimal):
        return f"{value:,f}"
    is_multiplied = not _MULTIPLIED.isdisjoint(name.split())
    return number_text(Fraction(value), _LONG if is_multiplied else _SHORT)


def figure_text(amount: Amount) -> str:
    """Return an amount's number with at least the decimals of its currency."""
    places, number = CURRENCIES.get(amount.currency, 0), amount.amount
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent < places:
        number = decimal_of(int(number * 10**places), places)
    return f"{number:,f}"


def value_data(value: Value) -> object:
    """Return a value as plain data: exact numbers as text.

    Examples:
        >>> value_data(Fraction(17, 31)), value_data(Amount(5, "DKK"))
        ('17/31', {'amount': '5', 'currency': 'DKK'})
    """
    if isinstance(value, Amount):
        return {"amount": f"{value.amount:f}", "currency": value.currency}
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
