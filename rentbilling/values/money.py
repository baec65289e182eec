"""Money: exact numbers, amounts, and the one rule of rounding.

Laws: a number stays exact until `divide_rounded`, the one place that rounds; the ambient decimal
context is never read.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, Self, get_args

from rentbilling.errors import (
    InvalidAmountError,
    InvalidInputError,
    check_word,
    other_currency,
    shown,
)
from rentbilling.values.currencies import CURRENCIES, NO_CURRENCIES, minor_units
from rentbilling.values.schemas import Definitions, Schema
from rentbilling.values.wire_form import WireForm

Rounding = Literal["half_up", "half_even", "half_down", "up", "down"]
ROUNDINGS: Final[tuple[str, ...]] = get_args(Rounding)

MAX_DIGITS: Final = 15
"""Significant digits of a number: those survive every JSON reader, also one with doubles (A1)."""
TOO_LARGE: Final = 10**MAX_DIGITS
"""The first whole number with more of them."""

_MOST_DIGITS: Final = 1000
"""Digits of a computed number before or after the point: far more than any bill needs."""
_MOST: Final = 10**_MOST_DIGITS

_A_NUMBER: Final = "a number such as "
_AN_AMOUNT: Final = "8500.00"
_NOT_FINITE: Final = "not_finite", "is not a finite number"

# Only ever copied: a context remembers what happened in it. All is said, so that nothing comes from
# the defaults, which a caller may have changed.
_CONTEXT: Final = Context(100, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])

# Whole units times a step have as many digits as the units, so that nothing is ever rounded.
_PRODUCT: Final = _CONTEXT.copy().multiply
_MOST_UNITS: Final = 10**90
_LEAST_UNITS: Final = -_MOST_UNITS
_STEP_COUNT: Final = 9
_STEPS: Final = tuple(Decimal(f"1E-{places}") for places in range(_STEP_COUNT))

# Digits of ASCII, a point, and no more of an exponent than a Decimal can have.
_FIGURE: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,8})?")


def divide_rounded(numerator: int, denominator: int, mode: Rounding = "half_up") -> int:
    """Return numerator / denominator as a whole number, rounded once (A3).

    `half_up` rounds ties away from zero, `half_down` towards zero; `up` rounds away from zero and
    `down` towards it. So every mode rounds a credit like the charge that it takes back (A26).

    Raises:
        UnknownWordError: The mode is not a known word.

    Examples:
        >>> [divide_rounded(n, 2) for n in (5, -5, 4)]
        [3, -3, 2]
        >>> [divide_rounded(5, 2, mode) for mode in ("half_even", "half_down", "up", "down")]
        [2, 2, 3, 2]
    """
    # Every line comes through here. Only integers have bitwise operators, so that binary numbers
    # are refused without asking for a type.
    try:
        if mode == "half_up":
            if (numerator | denominator) > 0:
                return (numerator + denominator // 2) // denominator
            if denominator > 0:
                return -((denominator // 2 - numerator) // denominator)
        negative = (numerator ^ denominator) < 0
    except TypeError:
        raise TypeError(
            f"divide_rounded takes whole numbers, not {shown(numerator)} and {shown(denominator)}"
        ) from None
    if mode not in ROUNDINGS:
        check_rounding(mode)
    whole, rest = divmod(abs(numerator), abs(denominator))
    if rest:
        if mode == "up":
            whole += 1
        elif mode != "down":
            tie = 2 * rest - abs(denominator)
            odd = mode == "half_even" and whole % 2
            whole += tie > 0 or (tie == 0 and (odd or mode == "half_up"))
    return -whole if negative else whole


def check_rounding(mode: str) -> None:
    if mode not in ROUNDINGS:
        check_word("", mode, ROUNDINGS, "is not a rounding mode")


def decimal_of(units: int, places: int) -> Decimal:
    """Return whole minor units as a decimal number with that many places.

    Examples:
        >>> decimal_of(850000, 2)
        Decimal('8500.00')
    """
    if 0 <= places < _STEP_COUNT and _LEAST_UNITS < units < _MOST_UNITS:
        return _PRODUCT(units, _STEPS[places])
    return Decimal(f"{units}E-{places}")


def amount_of(units: Fraction | int, currency: str) -> "Amount":
    """Return minor units as an amount, rounded half up where they are no whole number.

    Examples:
        >>> print(amount_of(Fraction(200, 3), "EUR"))
        0.67 EUR
    """
    whole = divide_rounded(units.numerator, units.denominator)
    return Amount.unchecked(decimal_of(whole, minor_units(currency)), currency)


def rounded(value: Decimal | Fraction | int, places: int, mode: Rounding = "half_up") -> Decimal:
    """Return an exact value with a number of decimals from 0 to 1,000, rounded once (A3).

    Raises:
        InvalidAmountError: The value is not finite, or has more than 1,000 digits on a side.
        UnknownWordError: The mode is not a known word.

    Examples:
        >>> rounded(Fraction(8500 * 17, 31), 2)
        Decimal('4661.29')
    """
    numerator, denominator = exact_ratio(value)
    if type(places) is not int or not 0 <= places <= _MOST_DIGITS:
        raise TypeError(f"rounded takes from 0 to {_MOST_DIGITS} places, not {shown(places)}")
    return decimal_of(divide_rounded(numerator * 10**places, denominator, mode), places)


def exact_ratio(value: Decimal | Fraction | int) -> tuple[int, int]:
    """Return an exact number of at most 1,000 digits on each side of the point as a ratio."""
    if not isinstance(value, (Decimal, Fraction, int)) or isinstance(value, bool):
        raise TypeError(
            f"an exact number is needed, a Decimal, Fraction or int, not {shown(value)}"
        )
    if isinstance(value, Decimal) and not value.is_finite():
        raise InvalidAmountError.of("", *_NOT_FINITE, value, _A_NUMBER + _AN_AMOUNT)
    if isinstance(value, Decimal) and value:
        # Checked before any digit is written out.
        _, digits, exponent = value.as_tuple()
        fits = -_MOST_DIGITS <= int(exponent) <= _MOST_DIGITS - len(digits)
    else:
        fits = -_MOST < value < _MOST
    if not fits:
        most = f"at most {_MOST_DIGITS} before and after the point"
        raise InvalidAmountError.of("", "too_many_digits", "has too many digits", value, most)
    return value.as_integer_ratio()


def number(value: object, such_as: str = _AN_AMOUNT) -> Decimal:
    """Return a number of at most 15 digits (A1), a binary one as the decimal that it prints as.

    `such_as` is the example of a refusal.

    Raises:
        InvalidAmountError: It is no number, not finite, or has more digits.

    Examples:
        >>> number(Decimal("8500.10"))
        Decimal('8500.10')
        >>> number(Decimal("0.30000000000000004"))
        Traceback (most recent call last):
        rentbilling.errors.InvalidAmountError: has 17 significant digits (met 0.30000000000000004; \
expected at most 15, such as 0.3)
    """
    if type(value) is Decimal:
        exact = value
    elif type(value) is int:
        if not -TOO_LARGE < value < TOO_LARGE:
            raise _too_long(value, "more than 15 digits before the point")
        return Decimal(value)
    elif isinstance(value, Real) and not isinstance(value, (bool, Fraction)):
        exact = _printed(value)
    else:
        expected = _A_NUMBER + such_as
        if isinstance(value, str) and is_figure(value):
            expected += ", and not its text"
        raise InvalidAmountError.of("", "not_a_number", "is not a number", value, expected)
    if not exact.is_finite():
        raise InvalidAmountError.of("", *_NOT_FINITE, value, _A_NUMBER + such_as)
    _, digits, exponent = exact.as_tuple()
    if not exact:
        return Decimal(0) if exact.is_signed() or abs(int(exponent)) > MAX_DIGITS else exact
    if len(digits) > MAX_DIGITS or int(exponent) < -MAX_DIGITS or exact.adjusted() >= MAX_DIGITS:
        return _trimmed(exact, digits, int(exponent))
    return exact


def exact_number(value: object, such_as: str) -> Decimal:
    """Return a `number` given by hand: a Decimal, a whole number or a text, and no binary one.

    Raises:
        InvalidAmountError: It is no exact number, not finite, or too long.

    Examples:
        >>> exact_number("8500.10", "8500.00")
        Decimal('8500.10')
        >>> exact_number(0.25, "0.25")
        Traceback (most recent call last):
        rentbilling.errors.InvalidAmountError: is not an exact number (met 0.25; \
expected Decimal("0.25") or "0.25")
    """
    if isinstance(value, str) and is_figure(value):
        return number(Decimal(value))
    if isinstance(value, (Decimal, Integral)) and not isinstance(value, bool):
        return number(value)
    expected = f'Decimal("{such_as}") or "{such_as}"'
    raise InvalidAmountError.of("", "not_exact", "is not an exact number", value, expected)


def is_figure(text: str) -> bool:
    """Return whether a text is a number, in digits of ASCII with a point.

    Examples:
        >>> is_figure("8500.00"), is_figure("8.500,00")
        (True, False)
    """
    return _FIGURE.fullmatch(text) is not None


def _printed(value: Real) -> Decimal:
    texts = (text for text in (repr(value), str(value)) if _FIGURE.fullmatch(text))
    return Decimal(next(texts, "NaN"))


def _trimmed(exact: Decimal, digits: tuple[int, ...], exponent: int) -> Decimal:
    """Return a number without its closing zeros if it is short enough then, else refuse it."""
    if exact.adjusted() >= MAX_DIGITS:
        raise _too_long(exact, "more than 15 digits before the point")
    length = len(digits)
    while exponent < 0 and digits[length - 1] == 0:
        length, exponent = length - 1, exponent + 1
    if length > MAX_DIGITS:
        raise _too_long(exact, f"{length} significant digits")
    if exponent < -MAX_DIGITS:
        raise _too_long(exact, f"{-exponent} decimals")
    return Decimal((exact.as_tuple().sign, digits[:length], exponent))


def _too_long(value: Decimal | int, count: str) -> InvalidAmountError:
    near = ""
    if isinstance(value, Decimal) and -MAX_DIGITS <= value.adjusted() < MAX_DIGITS:
        context = _CONTEXT.copy()
        context.prec = MAX_DIGITS
        meant = value.normalize(context)
        # Only what would be taken is worth saying, and it is short to say.
        if meant.adjusted() < MAX_DIGITS and int(meant.as_tuple().exponent) >= -MAX_DIGITS:
            near = f", such as {meant:f}"
    return InvalidAmountError.of("", "too_many_digits", f"has {count}", value, f"at most 15{near}")


def padded(value: Decimal, places: int) -> Decimal:
    """Return a number with so many decimals at least.

    Examples:
        >>> padded(Decimal("8500"), 2), padded(Decimal("0.1255"), 2)
        (Decimal('8500.00'), Decimal('0.1255'))
    """
    sign, digits, exponent = value.as_tuple()
    missing = places + int(exponent)
    return Decimal((sign, (*digits, *(0,) * missing), -places)) if missing > 0 else value


_PARTS: Final = frozenset({"currency", "amount"})
_FORMAT: Final = re.compile(r"[^.]*?(?:\.([0-9]{1,3})f|f|,)")
"""Formats of numbers; any other is one of texts."""


class Amount(WireForm):
    """An exact amount of one currency, in its main unit: 8500.00 DKK (A1, A2).

    It adds, subtracts and compares with amounts of the same currency only, and is equal by value:
    8500 DKK is 8500.00 DKK. `sum` of no amounts is the number 0, unless it has a `start`.

    Examples:
        >>> rent = Amount(Decimal("8500.00"), "DKK")
        >>> rent.amount, rent.currency
        (Decimal('8500.00'), 'DKK')
        >>> print(rent + Amount(1, "DKK"))
        8501.00 DKK
        >>> sum([rent, rent], start=Amount(0, "DKK"))
        Amount(Decimal('17000.00'), 'DKK')
        >>> rent + Amount(1, "EUR")
        Traceback (most recent call last):
        rentbilling.errors.CurrencyMismatchError: is another currency (met 'EUR'; expected DKK)
        >>> f"{rent:,.2f}"
        '8,500.00 DKK'
    """

    __slots__ = ("_amount", "_currency")
    _amount: Decimal
    _currency: str

    def __new__(
        cls,
        amount: Decimal | int | str,
        currency: str = "",
        *,
        currencies: Mapping[str, int] = NO_CURRENCIES,
    ) -> Self:
        """Check number and currency; `currencies` are the minor units of private codes.

        The number is exact, also as a text, and may have more decimals than the currency.

        Raises:
            InvalidAmountError: The number is not exact, not finite or too long.
            UnknownWordError: The currency is unknown.
            InvalidPolicyError: A private currency has no number of decimals.
        """
        try:
            exact = exact_number(amount, "8500.00")
        except InvalidInputError as error:
            if not currency and isinstance(amount, str) and " " in amount.strip():
                raise TypeError(
                    f"write Amount.parse({amount!r}) for a text with a currency"
                ) from None
            raise error.under("amount") from None
        if type(currency) is not str or currency not in CURRENCIES:
            minor_units(currency, currencies)
        return cls.unchecked(exact, currency)

    @classmethod
    def unchecked(cls, amount: Decimal, currency: str) -> Self:
        """Return an amount of a finite number and a known currency, which the caller has checked.

        Examples:
            >>> Amount.unchecked(Decimal(5), "DKK")
            Amount(Decimal('5'), 'DKK')
        """
        self = object.__new__(cls)
        self._amount = amount
        self._currency = currency
        return self

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the amount written as a number, a space and a currency, such as "8500.00 DKK".

        Raises:
            InvalidAmountError: The text is not of that form, or the number too long.
            UnknownWordError: The currency is unknown.

        Examples:
            >>> Amount.parse("8500.00 DKK")
            Amount(Decimal('8500.00'), 'DKK')
        """
        if not isinstance(text, str):
            raise TypeError(f"Amount.parse takes a text such as 8500.00 DKK, not {shown(text)}")
        figure, _, currency = text.partition(" ")
        if not (is_figure(figure) and currency):
            raise InvalidAmountError.of(
                "", "not_an_amount", "is not an amount", text, "a text such as 8500.00 DKK"
            )
        return cls(figure, currency)

    @property
    def amount(self) -> Decimal:
        """The number, in the currency's main unit."""
        return self._amount

    @property
    def currency(self) -> str:
        return self._currency

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        if not (isinstance(data, Mapping) and data.keys() == _PARTS):
            expected = "an object with currency and amount"
            raise InvalidAmountError.of("", "not_an_object", "is no amount", data, expected)
        return cls(data["amount"], data["currency"])

    def _to_wire(self) -> dict[str, object]:
        places = CURRENCIES.get(self._currency, 0)
        return {"currency": self._currency, "amount": padded(self._amount, places)}

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        return parts.amount()

    def __add__(self, other: "Amount") -> "Amount":
        return Amount.unchecked(
            _CONTEXT.copy().add(self._amount, self._same(other)), self._currency
        )

    def __radd__(self, other: int) -> "Amount":
        """Return this amount where `sum` begins: it adds the first one to 0."""
        if type(other) is int and other == 0:
            return self
        raise _no_amount(other)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount.unchecked(
            _CONTEXT.copy().subtract(self._amount, self._same(other)), self._currency
        )

    def __neg__(self) -> "Amount":
        return Amount.unchecked(
            self._amount.copy_negate() if self._amount else self._amount, self._currency
        )

    if not TYPE_CHECKING:  # pragma: no branch

        def __mul__(self, factor: object) -> NoReturn:
            """Refuse, because a product must be rounded where the caller says."""
            said = "write Amount(amount.amount * factor, amount.currency), rounded where it must be"
            raise TypeError(f"an Amount is not multiplied or divided: {said}")

        __rmul__ = __truediv__ = __mul__

    def __eq__(self, other: object) -> bool:
        if type(other) is not Amount:
            return NotImplemented
        return self._amount == other._amount and self._currency == other._currency

    def __hash__(self) -> int:
        return hash((self._amount, self._currency))

    def __lt__(self, other: "Amount") -> bool:
        return self._amount < self._same(other)

    def __le__(self, other: "Amount") -> bool:
        return self._amount <= self._same(other)

    def __repr__(self) -> str:
        return f"Amount({self._amount!r}, {self._currency!r})"

    def __str__(self) -> str:
        return f"{self._amount:f} {self._currency}"

    def __format__(self, spec: str) -> str:
        """Return the number in a format such as `,.2f`, rounded half up, and its currency."""
        found = _FORMAT.fullmatch(spec)
        if not spec or found is None:
            return format(str(self), spec)
        places = found[1]
        number = self._amount if places is None else rounded(self._amount, int(places))
        return f"{number:{spec}} {self._currency}"

    def __float__(self) -> NoReturn:
        """Refuse to become a binary number, which has no currency and is not exact."""
        raise TypeError(
            "an Amount is no float: write amount.amount, or float(amount.amount) for a picture"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return Amount.unchecked, (self._amount, self._currency)

    def _same(self, other: "Amount") -> Decimal:
        if type(other) is not Amount:
            raise _no_amount(other)
        if other._currency != self._currency:
            raise other_currency("", other._currency, self._currency)
        return other._amount


def _no_amount(met: object) -> TypeError:
    return TypeError(f'an Amount is needed, such as Amount(5, "DKK"), not {shown(met)}')


def amounts_by_currency(amounts: Iterable[Amount]) -> dict[str, Amount]:
    """Return the sum of amounts for each of their currencies.

    Examples:
        >>> amounts_by_currency([Amount(1, "DKK"), Amount(3, "DKK")])
        {'DKK': Amount(Decimal('4'), 'DKK')}
    """
    sums: dict[str, Amount] = {}
    for amount in amounts:
        so_far = sums.get(amount.currency)
        sums[amount.currency] = amount if so_far is None else so_far + amount
    return sums


def units_of(amount: Amount, currencies: Mapping[str, int] = NO_CURRENCIES) -> int:
    """Return an amount in whole minor units of its currency.

    Raises:
        InvalidAmountError: It has more decimals than its currency.
        UnknownWordError: Its currency is a private one that is not given.

    Examples:
        >>> units_of(Amount(Decimal("8500.00"), "DKK"))
        850000
    """
    if not isinstance(amount, Amount):
        raise _no_amount(amount)
    places = minor_units(amount.currency, currencies)
    over, below = amount.amount.as_integer_ratio()
    units, rest = divmod(over * int(10**places), below)
    if rest:
        raise InvalidAmountError.of(
            "",
            "too_many_decimals",
            "has more decimals than its currency",
            amount.amount,
            f"at most {places}",
        )
    return units
