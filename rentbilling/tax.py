"""The VAT of an item: its tax mode and its rate.

Law: a mode that is charged has a rate, one that is not charged needs none (A28).
What does not live here: VAT totals and their rounding (`vat`).
"""

from decimal import Decimal
from types import MappingProxyType
from typing import Final, Literal, Self, get_args

from rentbilling.errors import InvalidInputError, InvalidVatError, UnknownWordError
from rentbilling.money import number

TaxMode = Literal["Exclusive", "Inclusive", "Exempt", "ReverseCharge"]
TAX_MODES: Final[tuple[str, ...]] = get_args(TaxMode)
_MODES: Final = MappingProxyType({word.lower(): word for word in TAX_MODES})

TAXED: Final = frozenset({"Exclusive", "Inclusive"})
"""The modes that charge VAT."""


class UnknownTaxModeError(InvalidVatError, UnknownWordError):
    """A tax mode outside the known list."""


class Vat:
    """How an amount is taxed (assumptions A27, A28).

    `Exclusive`: VAT comes on top. `Inclusive`: VAT is inside the amount. `Exempt` and
    `ReverseCharge`: no VAT on the bill, kept apart in its totals. The rate is a fraction, 0.25 for
    25 percent; it is required for the first two and charges nothing with the others. Modes are read
    in any case. Two are equal when mode and rate are, rates compared as numbers.

    Examples:
        >>> Vat("Exclusive", Decimal("0.25"))
        Vat('Exclusive', Decimal('0.25'))
        >>> Vat("exempt").tax_mode
        'Exempt'
        >>> Vat("Exclusive", Decimal(25))
        Traceback (most recent call last):
        rentbilling.errors.InvalidVatError: taxRate: is above 1 (met Decimal('25'); expected a \
fraction: 0.25 means 25 percent)
    """

    __slots__ = ("_mode", "_rate")
    _mode: TaxMode
    _rate: Decimal | None

    def __new__(cls, tax_mode: str, tax_rate: Decimal | int | None = None) -> Self:
        """Check and keep both.

        Args:
            tax_mode: Exclusive, Inclusive, Exempt or ReverseCharge, in any case.
            tax_rate: A fraction from 0 to 1; None for the untaxed modes.

        Returns:
            The VAT.

        Raises:
            InvalidVatError: The rate is missing, no number, or outside 0 to 1, or the mode is
                unknown (`UnknownTaxModeError`).
        """
        mode = _MODES.get(tax_mode.lower()) if type(tax_mode) is str else None
        if mode is None:
            raise UnknownTaxModeError.of(
                "taxMode",
                "unknown_tax_mode",
                "is not a known tax mode",
                tax_mode,
                "one of " + ", ".join(TAX_MODES),
            )
        rate = None if tax_rate is None else _rate_of(tax_rate)
        if rate is None and mode in TAXED:
            raise InvalidVatError.of(
                "taxRate",
                "missing_rate",
                f"is required when taxMode is {mode}",
                None,
                "a fraction such as 0.25",
            )
        self = object.__new__(cls)
        self._mode = mode  # type: ignore[assignment]
        self._rate = rate
        return self

    @property
    def tax_mode(self) -> TaxMode:
        """The tax mode."""
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
        """What VAT totals are grouped by: the mode and the charged rate as a number (A30)."""
        return self._mode, self.charged_rate

    def __eq__(self, other: object) -> bool:
        """Equal when mode and rate are; no rate is not the rate 0."""
        if type(other) is not Vat:
            return NotImplemented
        return self._mode == other._mode and self._rate == other._rate

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash((self._mode, self._rate))

    def __repr__(self) -> str:
        """Return the call that makes it."""
        rate = "" if self._rate is None else f", {self._rate!r}"
        return f"Vat({self._mode!r}{rate})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts."""
        return Vat, (self._mode, self._rate)


def _rate_of(value: object) -> Decimal:
    """Return a tax rate as a fraction, or refuse it."""
    try:
        rate = number(value)
    except InvalidInputError as error:
        raise InvalidVatError(error.under("taxRate").problems) from None
    if not 0 <= rate <= 1:
        side = "above 1" if rate > 1 else "below 0"
        raise InvalidVatError.of(
            "taxRate", "out_of_range", f"is {side}", value, "a fraction: 0.25 means 25 percent"
        )
    return rate
