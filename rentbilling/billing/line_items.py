"""Line items: what a bill says about one item for the days of one accounting period.

Law: a line shows amounts when they are read, and is equal to another when the interface's fields
are, wherever they were made (A56).
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, Final, NamedTuple, Self

from rentbilling.billing.figures import (
    Kind,
    LineFigures,
    RawLine,
    TakenOff,
    VatGroup,
    gross_units,
    line_key,
    shown_unit_net,
)
from rentbilling.errors import InvalidAmountError, other_currency, shown
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from rentbilling.values import (
    Amount,
    AnyPeriod,
    Definitions,
    Period,
    Schema,
    Vat,
    WireForm,
    decimal_of,
    exact_number,
    minor_units,
    period_of,
    plain_data,
    units_of,
)

_WRITTEN: Final = (
    *("product_key", "amount", "quantity", "unit_net_price", "net_price", "vat"),
    *("accounting_period", "item_id", "kind", "description", "discount_text", "regular_period"),
)


class LineDiscount(NamedTuple):
    """A discount in force on a line, with what it took off (A61)."""

    description: str | None
    """Its text."""
    percentage: Decimal | None
    """Fraction that it takes off; None of a discount by amount."""
    taken_off: Amount
    """Of the whole line in its own tax mode: the line before it less the line after, each rounded.

    Below 0 off a credit. A line before all discounts is `net_price` (Inclusive: its gross) with
    those of all added, but for lines that are rounded as a running total: a part of a split (A21),
    and an item with a price of a year or a month (A65). A payer's part has their share of it (A64).
    """


def discounts_of(figures: LineFigures) -> tuple[LineDiscount, ...]:
    """Return the discounts of a line."""
    places, currency = figures.places, figures.currency
    return tuple(
        LineDiscount(text, rate, Amount.unchecked(decimal_of(units, places), currency))
        for text, rate, units in figures.taken
    )


class PendingBillLineItem(WireForm):
    """A line of a bill: one item, or a part of it, for the days of one accounting period.

    Raises:
        CurrencyMismatchError: The amounts given by hand are not of one currency.
        InvalidAmountError: The net price has more decimals than its currency, or the quantity more
            than 15 digits.
        TypeError: An argument is of another kind.

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
        accounting_period: AnyPeriod,
        unit_net_price: Amount | None = None,
        quantity: Decimal | int = 1,
        item_id: str | None = None,
        kind: Kind = "regular",
        description: str | None = None,
        discount_text: str | None = None,
        discounts: Sequence[LineDiscount] = (),
        share: Fraction | int = 1,
        counted: str | None = None,
        regular_period: Period | None = None,
        policy: BillingPolicy | None = None,
    ) -> None:
        """Make a line by hand; the computed ones come from `pending_bills`.

        Args:
            product_key: Key of the product billed.
            amount: Price of one unit in its own tax mode.
            net_price: The line without VAT, in whole minor units.
            vat: Tax mode and rate.
            accounting_period: The days it pays for, or their text.
            unit_net_price: Price of one unit without VAT; where it is not given, the amount, or for
                an Inclusive line the price that gives its net (A21).
            quantity: Units.
            item_id: The item it comes from.
            kind: Which period of the item it is.
            description: Text on the bill.
            discount_text: Text of the discounts.
            discounts: Each discount in force, with what it took off.
            share: Exact share of the regular period.
            counted: What was counted for it, in words.
            regular_period: The regular period that it is or is a part of.
            policy: For the rounding of an Inclusive line's gross and for private currencies.
        """
        rules = policy_of(policy)
        _refuse_misfits(amount, net_price, unit_net_price, vat, share)
        taken = tuple(
            TakenOff(text, rate, units_of(taken_off, rules.currencies))
            for text, rate, taken_off in discounts
        )
        times = _quantity(quantity)
        group, places = VatGroup(vat), minor_units(amount.currency, rules.currencies)
        net, exact = units_of(net_price, rules.currencies), amount.amount.as_integer_ratio()
        unit_net = amount if unit_net_price is None else unit_net_price
        unit = unit_net.amount
        if unit_net_price is None and group.inclusive:
            unit = shown_unit_net(net, times, exact, group, places, rules.rounding)
        self._figures = LineFigures(
            product_key=product_key,
            item_id=item_id,
            kind=kind,
            description=description,
            discount_text=discount_text,
            currency=amount.currency,
            places=places,
            quantity=times,
            vat=vat,
            group=group,
            share=Fraction(share).as_integer_ratio(),
            amount=amount.amount,
            unit_net=unit,
            net=net,
            base=gross_units(exact, times, places, rules.rounding) if group.inclusive else net,
            exact=exact,
            regular=None if regular_period is None else (regular_period.first, regular_period.last),
            discounted=taken,
            counted=counted,
        )
        days = period_of(accounting_period, period_end=rules.period_end)
        self._first, self._last = days.first, days.last

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
        figures = self._figures
        return (figures.made or figures.amounts)[0]

    @property
    def quantity(self) -> Decimal:
        """Units."""
        return self._figures.quantity

    @property
    def unit_net_price(self) -> Amount:
        """Price of one unit without VAT (A21)."""
        figures = self._figures
        return (figures.made or figures.amounts)[1]

    @property
    def net_price(self) -> Amount:
        """The line without VAT (EN 16931 BT-131)."""
        figures = self._figures
        return (figures.made or figures.amounts)[2]

    @property
    def vat(self) -> Vat:
        """Tax mode and rate."""
        return self._figures.vat

    @property
    def accounting_period(self) -> Period:
        """The days it pays for, both ends included."""
        return Period.unchecked(self._first, self._last)

    # Ours (A56)
    @property
    def item_id(self) -> str | None:
        """The item it comes from."""
        return self._figures.item_id

    @property
    def regular_period(self) -> Period | None:
        """The regular period that it is, is a part of, or corrects.

        None for opening and one-time lines.
        """
        regular = self._figures.regular
        if regular is None:
            return (
                Period.unchecked(self._first, self._last)
                if self._figures.kind == "regular"
                else None
            )
        return Period.unchecked(*regular)

    @property
    def kind(self) -> Kind:
        """Its kind: opening, regular, part, one_time, balance, correction or discount."""
        return self._figures.kind

    @property
    def description(self) -> str | None:
        """Text on the bill."""
        return self._figures.description

    @property
    def discount_text(self) -> str | None:
        """Text of the discounts taken off, None without one."""
        return self._figures.discount_text

    @property
    def discounts(self) -> tuple[LineDiscount, ...]:
        """Each discount in force, with what it took off; none where the line was read without."""
        return discounts_of(self._figures)

    @property
    def share(self) -> Fraction:
        """Exact share of the regular period that is billed (A20).

        1 for a whole one, and for opening and one-time lines, whose amount is stated.
        """
        return Fraction(*self._figures.share)

    @property
    def counted(self) -> str | None:
        """What was counted for the share of a part, in words, such as `17 of 31 days` (A157).

        The share itself where an end cuts a period that a change splits; None where a part counts
        as a whole period, and for lines that are no part or were read without it.
        """
        return self._figures.counted

    @classmethod
    def _from_wire(cls, data: Any) -> "PendingBillLineItem":  # noqa: ANN401
        from rentbilling.billing.wire import line_of  # noqa: PLC0415 - it makes bills

        return line_of(data, DEFAULT)

    def _to_wire(self) -> dict[str, Any]:
        data: dict[str, Any] = plain_data({name: getattr(self, name) for name in _WRITTEN})
        if self.discounts:
            data["discounts"] = plain_data(self.discounts)
        data["share"] = str(self.share)
        return data if self.counted is None else {**data, "counted": self.counted}

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        from rentbilling.billing.wire import BillSchemas  # noqa: PLC0415 - as above

        return BillSchemas(parts, full=True).line()

    def __eq__(self, other: object) -> bool:
        """Lines are equal when the interface's fields are."""
        if type(other) is not PendingBillLineItem:
            return NotImplemented
        return line_key(self.raw) == line_key(other.raw)

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(line_key(self.raw))

    def _repr_html_(self) -> str:
        from rentbilling.billing.wire import lines_html  # noqa: PLC0415 - it makes bills

        return lines_html((self,))

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        figures = self._figures
        rate = "" if figures.group.rate == 0 else f" {figures.group.rate:f}"
        return (
            f"<PendingBillLineItem {self.product_key} {self.accounting_period} "
            f"{figures.quantity:f} × {figures.unit_net:f} = {self.net_price} "
            f"{figures.vat.tax_mode}{rate}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts."""
        return PendingBillLineItem.of, (self.raw,)


def _refuse_misfits(
    amount: object, net_price: object, unit_net_price: object, vat: object, share: object
) -> None:
    """Refuse parts of another kind, or of another currency than the amount's (A2)."""
    usual = type(vat) is Vat and type(share) in (Fraction, int)
    if usual and type(amount) is type(net_price) is type(unit_net_price) is Amount:
        amounts: Any = amount, net_price, unit_net_price
        if len({each.currency for each in amounts}) == 1:
            return
    _must_be(Vat, vat=vat)
    _must_be((Fraction, int), share=share)
    _must_be(Amount, amount=amount, net_price=net_price)
    _must_be((Amount, NoneType), unit_net_price=unit_net_price)
    given = {"amount": amount, "net_price": net_price, "unit_net_price": unit_net_price}
    currencies = [(path, each.currency) for path, each in given.items() if isinstance(each, Amount)]
    for path, currency in currencies:
        if currency != currencies[0][1]:
            raise other_currency(f"{path}.currency", currency, currencies[0][1])


def _must_be(kind: type | tuple[type, ...], **arguments: object) -> None:
    """Refuse arguments of another kind than the one they are said to have."""
    for name, value in arguments.items():
        if not isinstance(value, kind):
            raise TypeError(f"a line's {name} cannot be {shown(value)}")


def _quantity(given: Decimal | int) -> Decimal:
    """Return a quantity as a number of at most 15 digits (A1)."""
    try:
        return exact_number(given, "12.5")
    except InvalidAmountError as error:
        raise error.under("quantity") from None
