"""Figures: the whole numbers behind a line, made once for a price and shared by many lines.

Law: everything of a line but its days is here, in minor units of its currency.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from rentbilling.billing.discounts import left_after
from rentbilling.schedule import Share
from rentbilling.terms import Discount
from rentbilling.values import (
    TAXED,
    Amount,
    Notice,
    Rounding,
    UnknownVat,
    Vat,
    decimal_of,
    divide_rounded,
    unit_price,
)

Kind = Literal["opening", "regular", "part", "one_time", "balance", "correction", "discount"]


class VatGroup:
    """One tax mode at one rate, as a VAT total sums it, with the rate as whole numbers."""

    __slots__ = ("inclusive", "rate", "rate_below", "rate_over", "taxed", "vat")

    def __init__(self, vat: Vat) -> None:
        mode, rate = vat.category
        self.vat = vat if mode in TAXED or isinstance(vat, UnknownVat) else Vat(mode)
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


class TakenOff(NamedTuple):
    """The amount that a discount took off a line (A61)."""

    description: str | None
    percentage: Decimal | None
    """None of a discount by amount."""
    units: int
    """Minor units of the whole line in its own tax mode; below 0 off a credit."""


class Discounted(NamedTuple):
    """The discounts of a computed line, and all that says what they take off it."""

    discounts: tuple[Discount, ...]
    price: Decimal | Fraction
    """Of one unit, before discounts."""
    cycles: Share
    """How many the price is for."""
    times: Share
    """Minor units of the line for a main unit of the price: quantity, share and currency."""
    mode: Rounding

    def taken(self) -> tuple[TakenOff, ...]:
        """Return what each takes off: differences of what is left, rounded."""
        left = [
            divide_rounded(over * self.times[0], below * self.times[1], self.mode)
            for over, below in left_after(self.price, self.discounts, self.cycles)
        ]
        return tuple(
            TakenOff(each.description, each.percentage, before - after)
            for each, before, after in zip(self.discounts, left, left[1:], strict=False)
        )


# Not frozen, because setting each field of a frozen one would take longer than all else of a price,
# and made by position for the same reason.
@dataclass(slots=True, eq=False)
class LineFigures:
    """Everything of a line but its days: made once for a price in force, shared by many lines.

    It is not changed afterwards.
    """

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
    discounted: Discounted | tuple[TakenOff, ...] = ()
    """Its discounts, or what they took off where the line was read."""
    counted: str | None = None
    """Of a part, what was counted for its share (A157)."""
    made: tuple[Amount, Amount, Amount] | None = field(default=None, init=False, repr=False)
    """The amounts, once they were read; they follow from the figures."""

    @property
    def taken(self) -> tuple[TakenOff, ...]:
        """The amount that each discount took off; empty where the line was read without."""
        found = self.discounted
        return found.taken() if isinstance(found, Discounted) else found

    @property
    def amounts(self) -> tuple[Amount, Amount, Amount]:
        """The unit price, the same without VAT, and the net price, which `made` keeps."""
        currency, net = self.currency, decimal_of(self.net, self.places)
        prices = Amount.unchecked(self.amount, currency), Amount.unchecked(self.unit_net, currency)
        self.made = found = *prices, Amount.unchecked(net, currency)
        return found


@dataclass(slots=True, eq=False, kw_only=True)
class CorrectionFigures(LineFigures):
    """Figures of a correction, with what it is the difference of, in its own tax mode (A53)."""

    owed: int
    """The amount due by the present terms, in minor units."""
    billed: int
    """The amount billed before."""


def shown_unit(
    units: int, quantity: Decimal, over: int, below: int, places: int, mode: Rounding
) -> Decimal:
    """Return the unit price to print on a line of so many minor units (A21)."""
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
    """Return the unit price without VAT to print on an Inclusive line (A21)."""
    over, below = exact
    whole = group.rate_below + group.rate_over
    return shown_unit(net, quantity, over * group.rate_below, below * whole, places, mode)


def gross_units(price: tuple[int, int], quantity: Decimal, places: int, mode: Rounding) -> int:
    """Return the gross of an Inclusive line with a stated price, in minor units (A29)."""
    times, parts = quantity.as_integer_ratio()
    return divide_rounded(price[0] * times * 10**places, price[1] * parts, mode)


RawLine = tuple[LineFigures, int, int]
"""A line as it is computed: its figures, and the ordinals of its first and last day."""

ALIKE: Final = tuple(10 ** (8 - places) for places in range(9))
"""By the minor units of a currency, at most 8 (A2): what makes equal amounts equal numbers."""


def line_key(line: RawLine) -> tuple[object, ...]:
    """Return what equality of lines compares: the interface's fields (A56)."""
    figures, first, last = line
    return (
        figures.product_key,
        figures.currency,
        figures.amount,
        figures.quantity,
        figures.unit_net,
        figures.net * ALIKE[figures.places],
        figures.vat.category,
        first,
        last,
    )


def stated_vat(group: VatGroup, lines: Sequence[RawLine]) -> Vat:
    """Return the VAT of a group's total, with a rate of 0 if its first line has one (A30)."""
    if group.taxed:
        return group.vat
    category = group.vat.category
    own = next((each[0].vat for each in lines if each[0].vat.category == category), group.vat)
    return group.vat if own.tax_rate else own


RawTotal = tuple[Vat, int, int]
"""A VAT total as it is computed: the VAT, its amount and its base in minor units."""


def vat_of_lines(lines: Sequence[RawLine], totals: Sequence[RawTotal]) -> list[int]:
    """Return the VAT of each line in minor units, so that the lines of a VAT total sum to it.

    An Inclusive line has what its gross is above its net, another one its net times the rate,
    rounded half up. What is missing to the total goes to the lines in single minor units, the
    largest residue first, of equal ones the earlier line.
    """
    shares = [0] * len(lines)
    wanted: dict[object, int] = {}
    for vat, units, _ in totals:
        wanted[vat.category] = wanted.get(vat.category, 0) + units
    for category, units in wanted.items():
        own = [at for at, line in enumerate(lines) if line[0].vat.category == category]
        if len(own) == 1:
            shares[own[0]] = units
        elif own:
            found = [_own_vat(lines[at]) for at in own]
            # A total of 0 that rounding does not explain is no VAT of any line.
            if units or abs(sum(found)) <= len(own):
                for at, each in zip(own, found, strict=True):
                    shares[at] = each
                _add_up(shares, own, units, lines)
    return shares


def _own_vat(line: RawLine) -> int:
    figures = line[0]
    if figures.group.inclusive:
        return figures.base - figures.net
    return figures.group.vat_on_net(figures.net, "half_up")


def _add_up(shares: list[int], own: Sequence[int], units: int, lines: Sequence[RawLine]) -> None:
    """Spread what is missing to the total over the lines, unit by unit."""
    missing = units - sum(shares[at] for at in own)
    step = 1 if missing > 0 else -1

    def residue(at: int) -> int:
        figures = lines[at][0]
        group = figures.group
        return (figures.net * group.rate_over - shares[at] * group.rate_below) * step

    each, more = divmod(abs(missing), len(own))
    for place, at in enumerate(sorted(own, key=residue, reverse=True)):
        shares[at] += step * (each + (place < more))
