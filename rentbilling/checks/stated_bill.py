"""Stated bills: the figures that a bill states, as exact fractions, whoever made it.

Law: nothing is computed or corrected here; what a bill does not state is None.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from rentbilling.billing.bill import PendingBill
from rentbilling.billing.figures import LineFigures
from rentbilling.values.money import MAX_DIGITS, decimal_of
from rentbilling.values.vat import TAXED, ToldVat, Vat

Kind = Literal["line", "allowance", "charge"]
"""What an amount is: a line, or an allowance or a charge of the whole bill."""


class Category(NamedTuple):
    """What VAT totals are grouped by (A30)."""

    name: str
    """The tax mode, or the category of a standard."""
    rate: Fraction
    """The charged rate; 0 where nothing is charged."""
    taxed: bool = True
    inclusive: bool = False
    known: bool = True
    """Whether anybody here knows how its VAT is reckoned (A27)."""

    def __str__(self) -> str:
        """Return how people name it: the mode, and the rate in percent where there is one."""
        if not self.taxed and self.known:
            return self.name
        return f"{self.name} {plain_text(self.rate * 100)} %"


def plain_text(value: Fraction) -> str:
    """Return a fraction as a decimal where it ends, else as a fraction.

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
    """None where it does not say which VAT total it belongs to."""
    net: Fraction
    """Of an allowance of the whole bill: below 0."""
    product: str = ""
    """Key of the product, whose policy may round in its own way (A54)."""
    quantity: Fraction | None = None
    unit: Fraction | None = None
    """Price of one unit in its own tax mode."""
    unit_net: Fraction | None = None
    """Price of one unit without VAT."""
    slack: Fraction = Fraction(0)
    """By how much a unit price may be off that has as many digits as any number may have."""
    extra: Fraction = Fraction(0)
    """Allowances (below 0) and charges of the line itself."""
    kind: Kind = "line"


class StatedTotal(NamedTuple):
    """A VAT total as it is stated."""

    path: str
    category: Category | None
    """None where it does not say which lines it is of."""
    tax: Fraction | None = None
    base: Fraction | None = None


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
    """The lines alone (BT-106), where they are stated apart."""
    allowance_sum: Fraction | None = None
    """The allowances of the whole bill (BT-107), where they are stated apart; above 0."""
    charge_sum: Fraction | None = None
    """The charges of the whole bill (BT-108), where they are stated apart."""
    tax_sum: Fraction | None = None
    """All VAT (BT-110), where it is stated apart."""
    cash_rounding: Fraction | None = None
    """What is added to the total to pay it (BT-114)."""
    prepaid: Fraction | None = None
    """What was paid before (BT-113); below 0 where something is owed besides the bill."""
    payable: Fraction | None = None
    """What is to be paid (BT-115)."""
    has_lines: bool = True
    """False where the bill states sums alone and its lines stand elsewhere."""


def category_of(vat: Vat) -> Category:
    """Return what the total of a VAT is grouped by (A30)."""
    mode, rate = vat.category
    known = not isinstance(vat, ToldVat)
    return Category(mode, Fraction(rate), mode in TAXED, mode == "Inclusive", known)


def stated_bill(bill: PendingBill) -> StatedBill:
    """Return what a bill states, as exact fractions of the currency's main unit."""
    unit = 10**bill.places
    lines = tuple(
        _line(f"pendingBillLineItems[{at}]", figures, unit)
        for at, (figures, _, _) in enumerate(bill.raw_lines)
    )
    totals = tuple(
        StatedTotal(
            f"vatTotals[{at}]", category_of(vat), Fraction(units, unit), Fraction(base, unit)
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


def _line(path: str, figures: LineFigures, unit: int) -> StatedLine:
    """Return a line as it is stated."""
    return StatedLine(
        path=path,
        category=category_of(figures.vat),
        net=Fraction(figures.net, unit),
        product=figures.product_key,
        quantity=Fraction(figures.quantity),
        unit=Fraction(figures.amount),
        unit_net=Fraction(figures.unit_net),
        slack=max(_slack(figures.amount), _slack(figures.unit_net))
        * abs(Fraction(figures.quantity)),
    )


def _slack(price: Decimal) -> Fraction:
    """Return by how much a price with no room for more digits may be off: half the last (A21)."""
    _, digits, exponent = price.as_tuple()
    if len(digits) < MAX_DIGITS:
        return Fraction(0)
    return Fraction(10) ** int(exponent) / 2
