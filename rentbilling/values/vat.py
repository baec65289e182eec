"""The VAT of an item: its tax mode and its rate.

Laws: a charged mode has a rate (A28); with a VAT that cannot be charged nothing is computed (A27).
"""

from decimal import Decimal
from types import MappingProxyType
from typing import Final, Literal, Self, get_args

from rentbilling.errors import (
    InvalidAmountError,
    InvalidInputError,
    InvalidVatError,
    Problem,
    UnknownTaxModeError,
    shown,
)
from rentbilling.values.money import exact_number, number

TaxMode = Literal["Exclusive", "Inclusive", "Exempt", "ReverseCharge"]
TAX_MODES: Final[tuple[str, ...]] = get_args(TaxMode)
_MODES: Final = MappingProxyType({word.lower(): word for word in TAX_MODES})

TAXED: Final = frozenset({"Exclusive", "Inclusive"})
"""The modes that charge VAT."""


class Vat:
    """How an amount is taxed: a tax mode in any case, and a rate such as 0.25 (A27, A28).

    `Exclusive` adds VAT, `Inclusive` has it inside the amount; both need a rate. `Exempt` and
    `ReverseCharge` charge none and have totals of their own.

    Examples:
        >>> Vat("Exclusive", Decimal("0.25"))
        Vat('Exclusive', Decimal('0.25'))
        >>> Vat("exempt").tax_mode
        'Exempt'
        >>> Vat("Exclusive", Decimal(25))
        Traceback (most recent call last):
        rentbilling.errors.InvalidVatError: taxRate: is above 1 (met 25; expected a fraction: 0.25 \
means 25 percent)
    """

    __slots__ = ("_mode", "_rate")
    _mode: str
    _rate: Decimal | None

    def __new__(cls, tax_mode: str, tax_rate: Decimal | int | None = None) -> Self:
        """Check a mode in any case, and a rate from 0 to 1, or None for the untaxed modes.

        Raises:
            InvalidVatError: The rate is missing, no number, too long, or outside 0 to 1, or the
                mode is unknown (`UnknownTaxModeError`).
        """
        mode = _MODES.get(tax_mode.lower()) if type(tax_mode) is str else None
        try:
            if mode is not None and type(tax_rate) is Decimal and _in_range(tax_rate):
                rate: Decimal | None = number(tax_rate)
            else:
                rate = _checked_rate(mode, tax_mode, tax_rate)
        except InvalidAmountError as error:
            raise InvalidVatError(error.under("taxRate").problems) from None
        self = object.__new__(cls)
        self._mode = mode  # type: ignore[assignment]
        self._rate = rate
        return self

    @property
    def tax_mode(self) -> str:
        """The tax mode; another word than the known ones only of a `UnknownVat`."""
        return self._mode

    @property
    def tax_rate(self) -> Decimal | None:
        """The rate as a fraction; None where none was given."""
        return self._rate

    @property
    def charged_rate(self) -> Decimal:
        """The rate that is charged: 0 for the untaxed modes, whatever was given with them (A28)."""
        return self._rate if self._rate is not None and self._mode in TAXED else Decimal(0)

    @property
    def category(self) -> tuple[str, Decimal]:
        """The key of VAT totals: the mode and the charged rate as a number (A30)."""
        return self._mode, self.charged_rate

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._mode == other._mode and self._rate == other._rate

    def __hash__(self) -> int:
        return hash((self._mode, self._rate))

    def __repr__(self) -> str:
        rate = "" if self._rate is None else f", {self._rate!r}"
        return f"{type(self).__name__}({self._mode!r}{rate})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._mode, self._rate)


class UnknownVat(Vat):
    """A VAT on a service's bill with a mode or rate that cannot be billed (A27).

    It is written as it came and compared like any other; records refuse it.

    Examples:
        >>> UnknownVat("MarginScheme", Decimal("0.25")).tax_mode
        'MarginScheme'
    """

    __slots__ = ()

    def __new__(cls, tax_mode: str, tax_rate: Decimal | int | None = None) -> Self:
        self = object.__new__(cls)
        self._mode = tax_mode
        self._rate = None if tax_rate is None else Decimal(tax_rate)
        return self

    @property
    def charged_rate(self) -> Decimal:
        """The rate on the bill; 0 for the untaxed modes, and where there is none."""
        untaxed = self._mode in TAX_MODES and self._mode not in TAXED
        return Decimal(0) if self._rate is None or untaxed else self._rate


def _in_range(rate: Decimal) -> bool:
    return rate.is_finite() and 0 <= rate <= 1


def _checked_rate(mode: str | None, tax_mode: object, tax_rate: object) -> Decimal | None:
    problems: list[Problem] = []
    kind: type[InvalidVatError] = InvalidVatError
    rate: Decimal | None = None
    if mode is None:
        kind, known = UnknownTaxModeError, "one of " + ", ".join(TAX_MODES)
        what = "is not a known tax mode"
        problems.append(Problem("taxMode", "unknown_tax_mode", what, shown(tax_mode), known))
    if tax_rate is None:
        if mode in TAXED:
            what, expected = f"is required when taxMode is {mode}", "a fraction such as 0.25"
            problems.append(Problem("taxRate", "missing_rate", what, "nothing", expected))
    else:
        try:
            # Payloads bring their binary numbers as decimals.
            rate = exact_number(tax_rate, "a fraction such as 0.25")
        except InvalidInputError as error:
            problems += error.under("taxRate").problems
    if rate is not None and not _in_range(rate):
        what, expected = (
            "is above 1" if rate > 1 else "is below 0",
            "a fraction: 0.25 means 25 percent",
        )
        problems.append(Problem("taxRate", "out_of_range", what, shown(tax_rate), expected))
    if problems:
        raise kind(problems)
    return rate


def percent_words(rate: Decimal) -> str:
    """Return a rate in percent.

    Examples:
        >>> percent_words(Decimal("0.025")), percent_words(Decimal("0.1"))
        ('2.5 %', '10 %')
    """
    sign, digits, exponent = rate.as_tuple()
    percent = Decimal((sign, digits, int(exponent) + 2))
    text = f"{percent:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def vat_words(vat: Vat) -> str:
    """Return tax mode and rate.

    Examples:
        >>> vat_words(Vat("Exclusive", Decimal("0.25"))), vat_words(Vat("Exempt"))
        ('Exclusive 25 %', 'Exempt')
    """
    rate = vat.tax_rate
    return vat.tax_mode if rate is None else f"{vat.tax_mode} {percent_words(rate)}"
