"""Money: exact numbers, amounts, and the one rule of rounding.

Laws: a number stays exact until `divide_rounded`, the one place in the package that rounds; the
ambient decimal context is never read, so a caller's precision changes nothing.
What does not live here: the currencies (`currencies`), sharing out (`sharing`), the choice of a
rounding mode (`policy`).
"""

from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from numbers import Real
from typing import Final, Literal, Self, get_args

from rentbilling.currencies import CURRENCIES, NO_CURRENCIES, minor_units
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidInputError,
    UnknownWordError,
    shown,
)

Rounding = Literal["half_up", "half_even", "half_down", "up", "down"]
ROUNDINGS: Final[tuple[str, ...]] = get_args(Rounding)

MAX_DIGITS: Final = 15
"""Significant digits of a number: those survive every JSON reader, also one with doubles (A1)."""


def divide_rounded(numerator: int, denominator: int, mode: str = "half_up") -> int:
    """Return numerator / denominator as a whole number, rounded once (assumption A3).

    Every mode is symmetric around zero: a credit rounds like the charge it takes back (A26).

    Args:
        numerator: Any integer.
        denominator: Any integer but 0.
        mode: `half_up` (ties away from zero), `half_down` (ties towards zero), `half_even`, `up`
            (away from zero) or `down` (towards zero).

    Returns:
        The rounded quotient.

    Raises:
        UnknownWordError: The mode is not a known word.

    Examples:
        >>> [divide_rounded(n, 2) for n in (5, -5, 4)]
        [3, -3, 2]
        >>> [divide_rounded(5, 2, mode) for mode in ("half_even", "half_down", "up", "down")]
        [2, 2, 3, 2]
    """
    if mode == "half_up" and numerator >= 0 and denominator > 0:
        return (2 * numerator + denominator) // (2 * denominator)
    if mode not in ROUNDINGS:
        raise UnknownWordError.of(
            "", "unknown_word", "is not a rounding mode", mode, "one of " + ", ".join(ROUNDINGS)
        )
    negative = (numerator < 0) is not (denominator < 0)
    whole, rest = divmod(abs(numerator), abs(denominator))
    if rest:
        if mode == "half_up":
            whole += 2 * rest >= abs(denominator)
        elif mode == "up":
            whole += 1
        elif mode != "down":
            tie = 2 * rest - abs(denominator)
            whole += tie > 0 or (tie == 0 and mode == "half_even" and whole % 2)
    return -whole if negative else whole


def decimal_of(units: int, places: int) -> Decimal:
    """Return whole minor units as a decimal number with that many places.

    Examples:
        >>> decimal_of(850000, 2)
        Decimal('8500.00')
    """
    return Decimal(f"{units}E-{places}")


def rounded(value: Decimal | Fraction | int, places: int, mode: str = "half_up") -> Decimal:
    """Return an exact value with a number of decimals, rounded once (assumption A3).

    Args:
        value: An exact number; a Fraction for shares and ratios.
        places: Decimals of the answer.
        mode: See `divide_rounded`.

    Returns:
        A decimal number with exactly `places` decimals.

    Examples:
        >>> rounded(Fraction(8500 * 17, 31), 2)
        Decimal('4661.29')
    """
    numerator, denominator = value.as_integer_ratio()
    return decimal_of(divide_rounded(numerator * 10**places, denominator, mode), places)


def number(value: object) -> Decimal:
    """Return a number as it is meant, exact to the last digit, or refuse it (assumption A1).

    Args:
        value: A Decimal or int. A binary number, as other JSON readers give, counts as the
            shortest decimal that it prints as, which has at most 15 digits unless it is noise.

    Returns:
        The number, finite, with at most 15 significant digits and 15 decimals.

    Raises:
        InvalidAmountError: It is no number, not finite, or has more digits.

    Examples:
        >>> number(Decimal("8500.10"))
        Decimal('8500.10')
        >>> number(Decimal("0.30000000000000004"))
        Traceback (most recent call last):
        rentbilling.errors.InvalidAmountError: has 17 significant digits (met \
Decimal('0.30000000000000004'); expected at most 15, such as 0.3)
    """
    if type(value) is Decimal:
        exact = value
    elif type(value) is int:
        if not -(10**MAX_DIGITS) < value < 10**MAX_DIGITS:
            raise _too_long(value, "more than 15 digits before the point")
        return Decimal(value)
    elif isinstance(value, Real) and not isinstance(value, (bool, Fraction)):
        try:
            exact = Decimal(repr(value))
        except ArithmeticError:
            exact = Decimal(str(value))
    else:
        raise InvalidAmountError.of(
            "", "not_a_number", "is not a number", value, "a number such as 8500.00"
        )
    if not exact.is_finite():
        raise InvalidAmountError.of(
            "", "not_finite", "is not a finite number", value, "a number such as 8500.00"
        )
    _, digits, exponent = exact.as_tuple()
    if not exact:
        return Decimal(0) if exact.is_signed() or abs(int(exponent)) > MAX_DIGITS else exact
    if len(digits) > MAX_DIGITS or int(exponent) < -MAX_DIGITS or exact.adjusted() >= MAX_DIGITS:
        return _trimmed(exact, digits, int(exponent))
    return exact


def _trimmed(exact: Decimal, digits: tuple[int, ...], exponent: int) -> Decimal:
    """Return a number without its closing zeros if it is short enough then, else refuse it."""
    if exact.adjusted() >= MAX_DIGITS:
        raise _too_long(exact, "more than 15 digits before the point")
    kept = len(digits)
    while exponent < 0 and digits[kept - 1] == 0:
        kept, exponent = kept - 1, exponent + 1
    if kept > MAX_DIGITS:
        raise _too_long(exact, f"{kept} significant digits")
    if exponent < -MAX_DIGITS:
        raise _too_long(exact, f"{-exponent} decimals")
    return Decimal((exact.as_tuple().sign, digits[:kept], exponent))


def _too_long(value: Decimal | int, count: str) -> InvalidAmountError:
    """Return the refusal of a number with too many digits, with the number that was meant."""
    near = ""
    if isinstance(value, Decimal) and value.adjusted() < MAX_DIGITS:
        near = f", such as {format(Context(prec=MAX_DIGITS).plus(value).normalize(), 'f')}"
    return InvalidAmountError.of("", "too_many_digits", f"has {count}", value, f"at most 15{near}")


class Amount:
    """An exact amount of one currency, in its main unit: 8500.00 DKK (assumptions A1, A2).

    It adds, subtracts and compares with amounts of the same currency only, and is equal by value:
    8500 DKK is 8500.00 DKK.

    Examples:
        >>> rent = Amount(Decimal("8500.00"), "DKK")
        >>> rent.amount, rent.currency
        (Decimal('8500.00'), 'DKK')
        >>> print(rent + Amount(1, "DKK"))
        8501.00 DKK
        >>> rent + Amount(1, "EUR")
        Traceback (most recent call last):
        rentbilling.errors.CurrencyMismatchError: is another currency (met 'EUR'; expected DKK)
    """

    __slots__ = ("_amount", "_currency")
    _amount: Decimal
    _currency: str

    def __new__(
        cls,
        amount: Decimal | int,
        currency: str,
        *,
        currencies: Mapping[str, int] = NO_CURRENCIES,
    ) -> Self:
        """Check and keep both.

        Args:
            amount: A Decimal or int of at most 15 significant digits; it may have more decimals
                than the currency (0.1255 per kWh).
            currency: An ISO 4217 code.
            currencies: Minor units of private codes (`policy.currencies`).

        Returns:
            The amount.

        Raises:
            InvalidAmountError: The number is not exact, not finite or too long.
            UnknownWordError: The currency is unknown.
        """
        if type(amount) is not Decimal and type(amount) is not int:
            raise InvalidAmountError.of(
                "amount",
                "not_exact",
                "is not an exact number",
                amount,
                'Decimal("8500.00") or 8500',
            )
        try:
            exact = number(amount)
        except InvalidInputError as error:
            raise error.under("amount") from None
        if type(currency) is not str or (currency not in CURRENCIES and currency not in currencies):
            minor_units(shown(currency) if type(currency) is not str else currency, currencies)
        return cls.of(exact, currency)

    @classmethod
    def of(cls, amount: Decimal, currency: str) -> Self:
        """Return an amount of parts that were checked before.

        Args:
            amount: A finite number.
            currency: A known code.

        Returns:
            The amount.

        Examples:
            >>> Amount.of(Decimal(5), "DKK")
            Amount(Decimal('5'), 'DKK')
        """
        self = object.__new__(cls)
        self._amount = amount
        self._currency = currency
        return self

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the amount written as a number, a space and a currency.

        Args:
            text: Such as "8500.00 DKK".

        Returns:
            The amount.

        Raises:
            InvalidAmountError: The text is not of that form.

        Examples:
            >>> Amount.parse("8500.00 DKK")
            Amount(Decimal('8500.00'), 'DKK')
        """
        figure, _, currency = text.partition(" ")
        try:
            amount = Decimal(figure)
        except ArithmeticError:
            raise InvalidAmountError.of(
                "", "not_an_amount", "is not an amount", text, "a text such as 8500.00 DKK"
            ) from None
        return cls(amount, currency)

    @property
    def amount(self) -> Decimal:
        """The number, in the currency's main unit."""
        return self._amount

    @property
    def currency(self) -> str:
        """The currency code."""
        return self._currency

    def __add__(self, other: "Amount") -> "Amount":
        """Return the exact sum."""
        return Amount.of(_exact().add(self._amount, self._same(other)), self._currency)

    def __sub__(self, other: "Amount") -> "Amount":
        """Return the exact difference."""
        return Amount.of(_exact().subtract(self._amount, self._same(other)), self._currency)

    def __neg__(self) -> "Amount":
        """Return the same amount the other way."""
        return Amount.of(
            self._amount.copy_negate() if self._amount else self._amount, self._currency
        )

    def __eq__(self, other: object) -> bool:
        """Amounts are equal when number and currency are."""
        if type(other) is not Amount:
            return NotImplemented
        return self._amount == other._amount and self._currency == other._currency

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash((self._amount, self._currency))

    def __lt__(self, other: "Amount") -> bool:
        """Return whether this is less, in the same currency."""
        return self._amount < self._same(other)

    def __le__(self, other: "Amount") -> bool:
        """Return whether this is not more, in the same currency."""
        return self._amount <= self._same(other)

    def __repr__(self) -> str:
        """Return the call that makes it."""
        return f"Amount({self._amount!r}, {self._currency!r})"

    def __str__(self) -> str:
        """Return the number and the currency."""
        return f"{self._amount:f} {self._currency}"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts."""
        return Amount.of, (self._amount, self._currency)

    def _same(self, other: "Amount") -> Decimal:
        """Return the other's number, refusing another currency."""
        if type(other) is not Amount:
            raise TypeError(f"an Amount is needed, not {type(other).__name__}")
        if other._currency != self._currency:
            raise CurrencyMismatchError.of(
                "", "currency_mismatch", "is another currency", other._currency, self._currency
            )
        return other._amount


def _exact() -> Context:
    """Return a context that is wide enough for any sum of numbers, whatever the caller's is."""
    return Context(prec=100)


def units_of(amount: Amount, currencies: Mapping[str, int] = NO_CURRENCIES) -> int:
    """Return an amount in whole minor units of its currency.

    Args:
        amount: The amount.
        currencies: Minor units of private codes.

    Returns:
        850000 for 8500.00 DKK.

    Raises:
        InvalidAmountError: It has more decimals than its currency.

    Examples:
        >>> units_of(Amount(Decimal("8500.00"), "DKK"))
        850000
    """
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
