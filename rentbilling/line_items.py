"""Line items: what a bill says about one item for the days of one accounting period.

Law: a line shows amounts when they are read, and is equal to another when the interface's fields
are, wherever they were made (A56).
What does not live here: the whole numbers behind it (`figures`), how they come about (`lines`).
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Self

from rentbilling.currencies import minor_units
from rentbilling.errors import CurrencyMismatchError
from rentbilling.figures import Kind, LineFigures, RawLine, VatGroup
from rentbilling.money import Amount, decimal_of, divide_rounded, number, units_of
from rentbilling.periods import Period
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.tax import Vat


class PendingBillLineItem:
    """A line of a bill: one item, or a part of it, for the days of one accounting period.

    Raises:
        CurrencyMismatchError: The amounts given by hand are not of one currency.
        InvalidAmountError: The net price has more decimals than its currency.

    Examples:
        By hand, as an engineer writes down what a bill should say:

        >>> PendingBillLineItem(
        ...     product_key="key:rent",
        ...     amount=Amount(Decimal("8500.00"), "DKK"),
        ...     quantity=Decimal(1),
        ...     unit_net_price=Amount(Decimal("8500.00"), "DKK"),
        ...     net_price=Amount(Decimal("8500.00"), "DKK"),
        ...     vat=Vat("Exempt"),
        ...     accounting_period=Period.parse("2026-02-01/2026-02-28"),
        ... ).net_price
        Amount(Decimal('8500.00'), 'DKK')
    """

    __slots__ = ("_figures", "_first", "_last")
    _figures: LineFigures
    _first: int
    _last: int

    def __init__(
        self,
        *,
        product_key: str,
        amount: Amount,
        net_price: Amount,
        vat: Vat,
        accounting_period: Period,
        unit_net_price: Amount | None = None,
        quantity: Decimal | int = 1,
        item_id: str | None = None,
        kind: Kind = "regular",
        description: str | None = None,
        discount_text: str | None = None,
        share: Fraction | int = 1,
        regular_period: Period | None = None,
        policy: BillingPolicy = DEFAULT,
    ) -> None:
        """Make a line by hand; the computed ones come from `pending_bills`.

        Args:
            product_key: Key of the product billed.
            amount: Price of one unit in its own tax mode.
            net_price: The line without VAT, in whole minor units.
            vat: Tax mode and rate.
            accounting_period: The days it pays for.
            unit_net_price: Price of one unit without VAT; the amount where it is not given.
            quantity: Units.
            item_id: The item it comes from.
            kind: Which period of the item it is.
            description: Text on the bill.
            discount_text: Text of the discount.
            share: Exact share of the regular period.
            regular_period: The regular period that it is or is a part of.
            policy: For the rounding of an Inclusive line's gross and for private currencies.
        """
        unit_net = amount if unit_net_price is None else unit_net_price
        for path, other in (("net_price", net_price), ("unit_net_price", unit_net)):
            if other.currency != amount.currency:
                raise CurrencyMismatchError.of(
                    f"{path}.currency",
                    "currency_mismatch",
                    "is another currency",
                    other.currency,
                    amount.currency,
                )
        figures = LineFigures()
        figures.product_key, figures.item_id, figures.kind = product_key, item_id, kind
        figures.description, figures.discount_text = description, discount_text
        figures.share = share.as_integer_ratio()
        figures.currency, figures.vat, figures.group = amount.currency, vat, VatGroup(vat)
        figures.places = minor_units(amount.currency, policy.currencies)
        figures.quantity = number(quantity if isinstance(quantity, (Decimal, int)) else None)
        figures.amount, figures.unit_net = amount.amount, unit_net.amount
        figures.net = units_of(net_price, policy.currencies)
        _judge(figures, policy.rounding)
        figures.regular = (
            None if regular_period is None else (regular_period.first, regular_period.last)
        )
        self._figures = figures
        self._first, self._last = accounting_period.first, accounting_period.last

    @classmethod
    def of(cls, raw: RawLine) -> Self:
        """Return the line of computed figures and days."""
        self = object.__new__(cls)
        self._figures, self._first, self._last = raw
        return self

    @property
    def figures(self) -> LineFigures:
        """The whole numbers behind the line."""
        return self._figures

    @property
    def raw(self) -> RawLine:
        """The figures and the ordinals of the days."""
        return self._figures, self._first, self._last

    # Interface: pendingBillLineItems
    @property
    def product_key(self) -> str:
        """Key of the product billed."""
        return self._figures.product_key

    @property
    def amount(self) -> Amount:
        """Price of one unit in its own tax mode, after discount and share (A21)."""
        return Amount.of(self._figures.amount, self._figures.currency)

    @property
    def quantity(self) -> Decimal:
        """Units."""
        return self._figures.quantity

    @property
    def unit_net_price(self) -> Amount:
        """Price of one unit without VAT (A21)."""
        return Amount.of(self._figures.unit_net, self._figures.currency)

    @property
    def net_price(self) -> Amount:
        """The line without VAT (EN 16931 BT-131)."""
        figures = self._figures
        return Amount.of(decimal_of(figures.net, figures.places), figures.currency)

    @property
    def vat(self) -> Vat:
        """Tax mode and rate."""
        return self._figures.vat

    @property
    def accounting_period(self) -> Period:
        """The days it pays for, both ends included."""
        return Period.of(self._first, self._last)

    # Ours (A56)
    @property
    def item_id(self) -> str | None:
        """The item it comes from."""
        return self._figures.item_id

    @property
    def regular_period(self) -> Period | None:
        """The regular period that it is or is a part of; None for opening and one-time lines."""
        regular = self._figures.regular
        if regular is None:
            return Period.of(self._first, self._last) if self._figures.kind == "regular" else None
        return Period.of(*regular)

    @property
    def kind(self) -> Kind:
        """Which period of its item it is: opening, regular, part or one_time."""
        return self._figures.kind

    @property
    def description(self) -> str | None:
        """Text on the bill."""
        return self._figures.description

    @property
    def discount_text(self) -> str | None:
        """Text of the discount taken off, None without one."""
        return self._figures.discount_text

    @property
    def share(self) -> Fraction:
        """Exact share of the regular period; 1 for a whole one (A20)."""
        return Fraction(*self._figures.share)

    def _wire(self) -> tuple[object, ...]:
        """Return what equality compares: the interface's fields."""
        figures = self._figures
        return (
            figures.product_key,
            figures.currency,
            figures.amount,
            figures.quantity,
            figures.unit_net,
            decimal_of(figures.net, figures.places),
            figures.vat.category,
            self._first,
            self._last,
        )

    def __eq__(self, other: object) -> bool:
        """Lines are equal when the interface's fields are."""
        if type(other) is not PendingBillLineItem:
            return NotImplemented
        return self._wire() == other._wire()

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(self._wire())

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<PendingBillLineItem {self.product_key} {self.accounting_period} {self.net_price}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts."""
        named = {
            name: getattr(self._figures, name) for name in LineFigures.__slots__ if name != "group"
        }
        return _line_again, (named, self._first, self._last)


def _line_again(named: dict[str, Any], first: int, last: int) -> PendingBillLineItem:
    """Make a line once more from its parts, for pickling."""
    figures = LineFigures()
    for name, value in named.items():
        setattr(figures, name, value)
    figures.group = VatGroup(figures.vat)
    return PendingBillLineItem.of((figures, first, last))


def _judge(figures: LineFigures, mode: str) -> None:
    """Fill in what follows from the other figures of a line made by hand."""
    group = figures.group
    figures.exact = figures.amount.as_integer_ratio()
    over, below = (Fraction(figures.amount) * Fraction(figures.quantity)).as_integer_ratio()
    figures.gross = divide_rounded(over * 10**figures.places, below, mode)
    figures.base = figures.gross if group.inclusive else figures.net
    figures.tax = (
        group.vat_in_gross(figures.gross, mode)
        if group.inclusive
        else group.vat_on_net(figures.net, mode)
    )
    figures.notices = ()
