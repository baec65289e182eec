"""The stated figures of a bill as exact fractions.

Law: nothing is computed or corrected here; a figure that the bill does not state is None.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from rentbilling.billing import LineFigures, PendingBill
from rentbilling.values import MAX_DIGITS, TAXED, UnknownVat, Vat, decimal_of

_ZERO: Final = Fraction(0)

Kind = Literal["line", "allowance", "charge"]
"""A line, or an allowance or a charge of the whole bill."""


class Category(NamedTuple):
    """A tax mode and rate, by which VAT totals are grouped (A30)."""

    name: str
    """The tax mode, or the category of a standard."""
    rate: Fraction
    """The charged rate; 0 if no VAT is charged."""
    taxed: bool = True
    inclusive: bool = False
    known: bool = True
    """Whether the tax mode is known, so that its VAT can be computed (A27)."""

    def __str__(self) -> str:
        """Return the mode, and the rate in percent if there is one."""
        if not self.taxed and self.known:
            return self.name
        return f"{self.name} {plain_text(self.rate * 100)} %"


def plain_text(value: Fraction) -> str:
    """Return a fraction as a finite decimal if there is one, else as a fraction.

    Examples:
        >>> plain_text(Fraction(25, 2)), plain_text(Fraction(1, 3))
        ('12.5', '1/3')
    """
    below, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while below % prime == 0:
            below //= prime
            count += 1
        places = max(places, count)
    if below != 1:
        return str(value)
    return f"{decimal_of(int(value * 10**places), places):f}"


class StatedLine(NamedTuple):
    """A line, or an allowance or a charge of the whole bill, as it is stated."""

    path: str
    category: Category | None
    """None if the line names no VAT."""
    net: Fraction
    """Below 0 for an allowance of the whole bill."""
    product: str = ""
    """Key of the product, which may have its own rounding (A54)."""
    quantity: Fraction | None = None
    unit: Fraction | None = None
    """Price of one unit in its own tax mode."""
    unit_net: Fraction | None = None
    """Price of one unit without VAT."""
    slack: Fraction = Fraction(0)
    """Deviation of the net that the limited digits of a unit price explain (A21)."""
    extra: Fraction = Fraction(0)
    """Allowances (below 0) and charges of the line itself."""
    correction: Fraction = Fraction(0)
    """The net above its own one, as the bill of a payer states it (A68)."""
    kind: Kind = "line"


class StatedTotal(NamedTuple):
    """A VAT total as it is stated."""

    path: str
    category: Category | None
    """None if the total names no VAT."""
    tax: Fraction | None = None
    base: Fraction | None = None
    correction: Fraction = Fraction(0)
    """The VAT above its own one, as the bill of a payer states it (A68)."""


class StatedBill(NamedTuple):
    """A bill as it is stated."""

    currency: str
    places: int
    """Minor units of the currency."""
    lines: tuple[StatedLine, ...]
    totals: tuple[StatedTotal, ...]
    subtotal: Fraction | None = None
    """Without VAT (EN 16931 BT-109)."""
    total: Fraction | None = None
    """With VAT (BT-112)."""
    line_sum: Fraction | None = None
    """The sum of the lines alone (BT-106), if it is stated."""
    allowance_sum: Fraction | None = None
    """The allowances of the whole bill (BT-107), if they are stated; above 0."""
    charge_sum: Fraction | None = None
    """The charges of the whole bill (BT-108), if they are stated."""
    tax_sum: Fraction | None = None
    """All VAT (BT-110), if it is stated."""
    cash_rounding: Fraction | None = None
    """The amount added to the total for payment in cash (BT-114)."""
    prepaid: Fraction | None = None
    """The amount paid before (BT-113); below 0 if more than the bill is owed."""
    payable: Fraction | None = None
    """The amount to pay (BT-115)."""
    has_lines: bool = True
    """False if the bill states only sums, without its lines."""


@lru_cache(maxsize=256)
def category_of(vat: Vat) -> Category:
    """Return the category of a VAT (A30)."""
    mode, rate = vat.category
    known = not isinstance(vat, UnknownVat)
    return Category(mode, Fraction(rate), mode in TAXED, mode == "Inclusive", known)


def stated_bill(bill: PendingBill) -> StatedBill:
    """Return the stated figures of a bill as exact fractions of the currency's main unit."""
    unit = 10**bill.places
    off = {} if bill.payer is None else bill.payer.corrections
    lines = tuple(
        _line(f"pendingBillLineItems[{at}]", figures, unit, off)
        for at, (figures, _, _) in enumerate(bill.raw_lines)
    )
    totals = tuple(
        StatedTotal(
            f"vatTotals[{at}]",
            category_of(vat),
            Fraction(units, unit),
            Fraction(base, unit),
            Fraction(off.get(f"vatTotals[{at}].amount", 0), unit),
        )
        for at, (vat, units, base) in enumerate(bill.raw_totals)
    )
    subtotal, total, cash = bill.sums
    return StatedBill(
        currency=bill.currency,
        places=bill.places,
        lines=lines,
        totals=totals,
        subtotal=Fraction(subtotal, unit),
        total=Fraction(total, unit),
        cash_rounding=None if cash is None else Fraction(cash, unit),
    )


def _line(path: str, figures: LineFigures, unit: int, off: Mapping[str, int]) -> StatedLine:
    quantity, unit_price = Fraction(figures.quantity), Fraction(figures.amount)
    same = figures.unit_net is figures.amount
    slack = max(_slack(figures.amount), _ZERO if same else _slack(figures.unit_net))
    return StatedLine(
        path=path,
        category=category_of(figures.vat),
        net=Fraction(figures.net, unit),
        product=figures.product_key,
        quantity=quantity,
        unit=unit_price,
        unit_net=unit_price if same else Fraction(figures.unit_net),
        slack=slack * abs(quantity) if slack else _ZERO,
        correction=Fraction(off.get(f"{path}.netPrice", 0), unit),
    )


def _slack(price: Decimal) -> Fraction:
    """Return half the last digit of a price with the most digits, else 0 (A21)."""
    _, digits, exponent = price.as_tuple()
    if len(digits) < MAX_DIGITS:
        return _ZERO
    return Fraction(10) ** int(exponent) / 2
