"""Rates: fractions such as 0.03, also written "3%"; a bare 3 is refused, "300%" is clear."""

from decimal import Decimal
from typing import Final, SupportsFloat

from rentbilling.errors import InvalidAmountError, InvalidInputError, Problem, shown
from rentbilling.values.money import is_figure, number

Rate = SupportsFloat | str
"""A fraction: 0.03 or "3%" is three percent; a binary number counts as it prints."""

_A_RATE: Final = "a fraction such as 0.03, or a text such as '3%'"
_SHIFT: Final = 2


def rate_of(given: object, name: str = "") -> Decimal:
    """Return a rate as an exact fraction.

    Raises:
        InvalidAmountError: It is no number, or a number above 1 without a sign of percent.

    Examples:
        >>> rate_of(0.03), rate_of("0.025"), rate_of("3.5%")
        (Decimal('0.03'), Decimal('0.025'), Decimal('0.035'))
        >>> rate_of(3)
        Traceback (most recent call last):
        rentbilling.errors.InvalidAmountError: is above 1 (met 3; expected a fraction: \
3 means 300 %; write 0.03 or '3%')
    """
    rate = fraction_of(given, name)
    if rate > 1 and not _in_percent(given):
        raise InvalidAmountError((above_one(name, rate, given),))
    return rate


def fraction_of(given: object, name: str = "") -> Decimal:
    """Return a rate as an exact fraction, without an upper bound.

    Raises:
        InvalidAmountError: It is no number.

    Examples:
        >>> fraction_of("150%"), fraction_of("1.5")
        (Decimal('1.50'), Decimal('1.5'))
    """
    percent = _in_percent(given)
    figure: object = given.rstrip()[:-1].rstrip() if percent else given  # type: ignore[attr-defined]
    try:
        if isinstance(figure, str) and is_figure(figure):
            figure = Decimal(figure)
        rate = number(figure)
    except (InvalidInputError, ArithmeticError):
        raise InvalidAmountError.of(name, "not_a_number", "is not a rate", given, _A_RATE) from None
    return _shifted(rate, -_SHIFT) if percent else rate


def _in_percent(given: object) -> bool:
    return isinstance(given, str) and given.rstrip().endswith("%")


def above_one(path: str, rate: Decimal, given: object) -> Problem:
    """Return the problem of a rate above 1, with the two ways to write what was probably meant.

    Examples:
        >>> above_one("by", Decimal(25), 25).expected
        "a fraction: 25 means 2500 %; write 0.25 or '25%'"
    """
    meant = f"{_shifted(rate, -_SHIFT):f}"
    expected = f"a fraction: {rate:f} means {percent_words(rate)}; write {meant} or '{rate:f}%'"
    return Problem(path, "out_of_range", "is above 1", shown(given), expected)


def percent_words(rate: Decimal) -> str:
    """Return a rate in percent.

    Examples:
        >>> percent_words(Decimal("0.025")), percent_words(Decimal("0.1"))
        ('2.5 %', '10 %')
    """
    text = f"{_shifted(rate, _SHIFT):f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def _shifted(rate: Decimal, places: int) -> Decimal:
    # By its digits, because a product would follow the caller's decimal context.
    sign, digits, exponent = rate.as_tuple()
    return Decimal((sign, digits, int(exponent) + places))
