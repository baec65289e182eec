"""Figures: the whole numbers behind a line, made once for a price and shared by many lines.

Law: everything of a line but its days is here, in minor units of its currency.
What does not live here: how the figures come about (`lines`), what a reader sees (`line_items`).
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from rentbilling.money import Rounding, decimal_of, divide_rounded
from rentbilling.sharing import unit_price
from rentbilling.tax import TAXED, ToldVat, Vat

Kind = Literal["opening", "regular", "part", "one_time", "balance", "correction"]

Share = tuple[int, int]
"""An exact share of a regular period: so many parts, of so many; not reduced."""

WHOLE: Final[Share] = (1, 1)


class Notice(NamedTuple):
    """Something a person should look at, which did not stop the run.

    Examples:
        >>> Notice("credit_quantity", "quantity -1 makes a credit", "recurring-1").code
        'credit_quantity'
    """

    code: str
    """What it is, as a stable word; the limits page lists all of them."""
    message: str
    """The same as a sentence."""
    item_id: str | None = None
    """The item it is about."""
    facts: tuple[tuple[str, str], ...] = ()
    """The values involved, by name."""


class VatGroup:
    """One tax mode at one rate: what a VAT total stands for, with its rate as whole numbers."""

    __slots__ = ("inclusive", "rate", "rate_below", "rate_over", "taxed", "vat")

    def __init__(self, vat: Vat) -> None:
        """Keep the VAT and its rate.

        Args:
            vat: Mode and rate of the lines in the group.
        """
        mode, rate = vat.category
        self.vat = vat if mode in TAXED or isinstance(vat, ToldVat) else Vat(mode)
        self.taxed = mode in TAXED
        self.inclusive = mode == "Inclusive"
        self.rate = rate
        self.rate_over, self.rate_below = rate.as_integer_ratio()

    def vat_on_net(self, net: int, mode: Rounding) -> int:
        """Return the VAT that comes on top of a net amount, rounded once."""
        return divide_rounded(net * self.rate_over, self.rate_below, mode)

    def vat_in_gross(self, gross: int, mode: Rounding) -> int:
        """Return the VAT inside a gross amount, rounded once (A29)."""
        return divide_rounded(gross * self.rate_over, self.rate_below + self.rate_over, mode)

    def net_in_gross(self, gross: int, mode: Rounding) -> int:
        """Return a gross amount without its VAT, rounded once (A29)."""
        return divide_rounded(gross * self.rate_below, self.rate_below + self.rate_over, mode)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LineFigures:
    """Everything of a line but its days: made once for a price in force, shared by many lines."""

    product_key: str
    item_id: str | None
    kind: Kind
    description: str | None
    discount_text: str | None
    currency: str
    places: int
    quantity: Decimal
    vat: Vat
    group: VatGroup
    share: Share
    amount: Decimal
    """Price of one unit in its own tax mode, as printed (A21)."""
    unit_net: Decimal
    """The same without VAT."""
    net: int
    """Minor units without VAT."""
    base: int
    """What VAT is computed from: amount × quantity, the gross, if Inclusive, else the net (A29)."""
    exact: tuple[int, int]
    """The exact unit price in its own tax mode, after discount and share: over, below."""
    regular: tuple[int, int] | None = None
    """First and last day of the regular period that a part belongs to or a correction is about."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CorrectionFigures(LineFigures):
    """Figures of a correction, with what it is the difference of, in its own tax mode (A53)."""

    owed: int
    """What is due by the terms as they are now, in minor units."""
    billed: int
    """What was billed before."""


def shown_unit(
    units: int, quantity: Decimal, over: int, below: int, places: int, mode: Rounding
) -> Decimal:
    """Return the unit price to print beside a line of so many minor units (A21)."""
    if quantity == 1:
        return decimal_of(units, places)
    return unit_price(units, quantity.as_integer_ratio(), (over, below), places, mode)


def shown_unit_net(
    net: int,
    quantity: Decimal,
    exact: tuple[int, int],
    group: VatGroup,
    places: int,
    mode: Rounding,
) -> Decimal:
    """Return the unit price without VAT to print beside an Inclusive line's net (A21)."""
    over, below = exact
    whole = group.rate_below + group.rate_over
    return shown_unit(net, quantity, over * group.rate_below, below * whole, places, mode)


RawLine = tuple[LineFigures, int, int]
"""A line as it is computed: its figures, and the ordinals of its first and last day."""

RawTotal = tuple[Vat, int, int]
"""A VAT total as it is computed: the VAT, its amount and its base in minor units."""
