"""The VAT of an item: its tax mode and its rate.

Laws: a charged mode has a rate (A28); with a VAT that cannot be charged nothing is computed (A27).
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, Literal, Self, get_args

from rentbilling.errors import (
    InvalidAmountError,
    InvalidInputError,
    InvalidVatError,
    Problem,
    UnknownTaxModeError,
    shown,
)
from rentbilling.values.money import exact_number, number
from rentbilling.values.rates import above_one, percent_words, rate_of
from rentbilling.values.schemas import Definitions, Schema, an_object, or_null
from rentbilling.values.wire_form import WireForm

TaxMode = Literal["Exclusive", "Inclusive", "Exempt", "ReverseCharge"]
"""How VAT is charged."""
TAX_MODES: Final[tuple[str, ...]] = get_args(TaxMode)
TAXED: Final = frozenset({"Exclusive", "Inclusive"})
"""The modes that charge VAT."""

_PARTS: Final = frozenset({"taxMode", "taxRate"})
_MODES: Final = MappingProxyType({word.lower(): word for word in TAX_MODES})
_NO_RATE: Final = Decimal(0)
_MOST: Final = 1


class Vat(WireForm):
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
        rentbilling.errors.InvalidVatError: taxRate: is above 1 (met 25; expected a fraction: \
25 means 2500 %; write 0.25 or '25%')
    """

    __slots__ = ("_mode", "_rate")
    _mode: str
    _rate: Decimal | None

    def __new__(cls, tax_mode: TaxMode | str, tax_rate: Decimal | int | str | None = None) -> Self:
        """Check a mode in any case, and an exact rate from 0 to 1, also as a text, "0.25" or "25%".

        Raises:
            InvalidVatError: The rate is missing, no number, too long, or outside 0 to 1, or the
                mode is unknown (`UnknownTaxModeError`).
        """
        return cls._of(tax_mode, tax_rate, _by_hand)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the VAT written as a mode and, where it has one, a rate.

        Raises:
            InvalidVatError: The text is not of that form, or there is no such VAT.

        Examples:
            >>> Vat.parse("Exclusive 25%"), Vat.parse("Exempt")
            (Vat('Exclusive', Decimal('0.25')), Vat('Exempt'))
        """
        if not isinstance(text, str):
            expected = 'a Vat, or a text such as "Exclusive 25%" or "Exempt"'
            raise InvalidVatError.of("vat", "not_a_vat", "is no VAT", text, expected)
        mode, _, rate = text.strip().partition(" ")
        if mode[:1].isdigit():
            said, expected = "has no tax mode", f"such as {shown(f'Exclusive {text.strip()}')}"
            raise InvalidVatError.of("vat", "not_a_vat", said, text, expected)
        return cls(mode, rate or None)

    @classmethod
    def of_data(cls, tax_mode: object, tax_rate: object) -> Self:
        """Return the VAT of a mode and a rate in JSON, where a rate is a number and no text (A1).

        Examples:
            >>> Vat.of_data("Exclusive", 0.25)
            Vat('Exclusive', Decimal('0.25'))
        """
        return cls._of(tax_mode, tax_rate, _in_data)

    @classmethod
    def _of(cls, tax_mode: object, tax_rate: object, read: Callable[[object], Decimal]) -> Self:
        mode = _MODES.get(tax_mode.lower()) if isinstance(tax_mode, str) else None
        try:
            if mode is not None and type(tax_rate) is Decimal and _in_range(tax_rate):
                rate: Decimal | None = number(tax_rate)
            else:
                rate = _checked_rate(mode, tax_mode, tax_rate, read)
        except InvalidAmountError as error:
            raise InvalidVatError(error.under("taxRate").problems) from None
        self = object.__new__(cls)
        self._mode = mode  # type: ignore[assignment]
        self._rate = rate
        return self

    @property
    def tax_mode(self) -> TaxMode | str:
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
        rate = self._rate
        return self._mode, _NO_RATE if rate is None or self._mode not in TAXED else rate

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        if not (isinstance(data, Mapping) and {"taxMode"} <= data.keys() <= _PARTS):
            expected = "an object with taxMode and taxRate"
            raise InvalidVatError.of("", "not_an_object", "is no VAT", data, expected)
        return cls(data["taxMode"], data.get("taxRate"))

    def _to_wire(self) -> dict[str, object]:
        data: dict[str, object] = {"taxMode": self._mode}
        return data if self._rate is None else {**data, "taxRate": self._rate}

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        return vat_schema(parts)

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

    @property
    def category(self) -> tuple[str, Decimal]:
        """The mode and the rate on the bill."""
        return self._mode, self.charged_rate


def _in_range(rate: Decimal) -> bool:
    return rate.is_finite() and 0 <= rate <= _MOST


def _by_hand(tax_rate: object) -> Decimal:
    return rate_of(tax_rate) if isinstance(tax_rate, str) else exact_number(tax_rate, "0.25")


def _in_data(tax_rate: object) -> Decimal:
    try:
        return number(tax_rate)
    except InvalidAmountError as error:
        if error.problems[0].code != "not_a_number":
            raise
        raise InvalidAmountError.of(
            "", "not_a_number", "is not a number", tax_rate, "a fraction such as 0.25"
        ) from None


def _checked_rate(
    mode: str | None, tax_mode: object, tax_rate: object, read: Callable[[object], Decimal]
) -> Decimal | None:
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
            rate = read(tax_rate)
        except InvalidInputError as error:
            problems += error.under("taxRate").problems
    if rate is not None and rate > _MOST:
        problems.append(above_one("taxRate", rate, tax_rate))
    elif rate is not None and rate < 0:
        expected = "a fraction: 0.25 means 25 percent"
        problems.append(Problem("taxRate", "out_of_range", "is below 0", shown(tax_rate), expected))
    if problems:
        raise kind(problems)
    return rate


def vat_schema(parts: Definitions) -> Schema:
    return parts.defined("Vat", _schema)


def _schema() -> Schema:
    fraction = {
        "description": "A fraction: 0.25 is 25 percent.",
        "minimum": 0,
        "maximum": _MOST,
    }
    rate = {**or_null({"type": "number"}), **fraction}
    parts: Schema = {"taxMode": {"enum": list(TAX_MODES)}, "taxRate": rate}
    return {
        **an_object(parts, ["taxMode"]),
        "if": {"properties": {"taxMode": {"enum": sorted(TAXED)}}},
        "then": {"properties": {"taxRate": {"type": "number"}}, "required": ["taxRate"]},
    }


def vat_words(vat: Vat) -> str:
    """Return tax mode and rate.

    Examples:
        >>> vat_words(Vat("Exclusive", Decimal("0.25"))), vat_words(Vat("Exempt"))
        ('Exclusive 25 %', 'Exempt')
    """
    rate = vat.tax_rate
    return vat.tax_mode if rate is None else f"{vat.tax_mode} {percent_words(rate)}"
