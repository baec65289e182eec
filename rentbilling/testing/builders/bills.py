"""Builders of bills: what a bill should say, or wrongly says, written down by hand.

Law: what is not stated is computed; what is stated stays, be it right or wrong.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from rentbilling import (
    Amount,
    BillingPolicy,
    PendingBill,
    PendingBillLineItem,
    Vat,
    VatTotal,
    vat_totals as vat_totals_of,
)
from rentbilling.billing import AnyDay, RawLine, VatGroup, bill_of_lines, shown_unit_net
from rentbilling.errors import InvalidVatError, other_currency
from rentbilling.policy import policy_of
from rentbilling.testing.builders.plain_values import (
    AnyAmount,
    AnyNumber,
    AnyVat,
    amount_of,
    number_of,
    one_by_one,
    price_of,
    vat_of,
)
from rentbilling.values import AnyPeriod, day_of, divide_rounded, minor_units, units_of

Category = tuple[str, Decimal]
"""A tax mode and its rate."""

_FEBRUARY: Final = "2026-02-01/2026-02-28"


def a_line(
    *,
    product_key: str = "key:rent",
    amount: AnyAmount = "8500.00",
    currency: str | None = None,
    quantity: AnyNumber = 1,
    net_price: AnyAmount | None = None,
    unit_net_price: AnyAmount | None = None,
    vat: AnyVat = "Exempt",
    period: AnyPeriod = _FEBRUARY,
    policy: BillingPolicy | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the line takes
) -> PendingBillLineItem:
    """Return a line item: the rent of February 2026, 8,500 DKK, exempt from VAT.

    Args:
        product_key: Key of the product billed.
        amount: Price of one unit in its own tax mode.
        currency: Currency of amounts given as numbers; DKK where none is given.
        quantity: Units.
        net_price: The line without VAT; amount × quantity where absent, less the VAT inside it for
            an Inclusive line.
        unit_net_price: Price of one unit without VAT; what fits the rest where absent (A21).
        vat: Tax mode and rate.
        period: The days it pays for.
        policy: For rounding, half-open period texts and private currencies.
        **fields: Everything else that `PendingBillLineItem` takes, such as `kind` or `item_id`.
            Bills and lines are compared by the fields of the interface, which these are not.

    Examples:
        >>> a_line(amount="1250.00", vat="Inclusive 0.25", quantity=2).net_price
        Amount(Decimal('2000.00'), 'DKK')
        >>> a_line(amount="8500.00", net_price="8500.01")
        <PendingBillLineItem key:rent 2026-02-01/2026-02-28 1 × 8500.00 = 8500.01 DKK Exempt>
    """
    price, units, tax = price_of(amount, currency), number_of(quantity), vat_of(vat)
    if net_price is None:
        rules = policy_of(policy)
        places = minor_units(price.currency, rules.currencies)
        over, below = (Fraction(price.amount) * Fraction(units) * 10**places).as_integer_ratio()
        net = divide_rounded(over, below, rules.rounding)
        if tax.tax_mode == "Inclusive":
            net -= VatGroup(tax).vat_in_gross(net, rules.rounding)
        stated = Amount.unchecked(number_of(f"{net}E-{places}"), price.currency)
    else:
        stated = amount_of(net_price, price.currency)
    own = None if unit_net_price is None else amount_of(unit_net_price, price.currency)
    return PendingBillLineItem(
        product_key=product_key,
        amount=price,
        quantity=units,
        net_price=stated,
        unit_net_price=own,
        vat=tax,
        accounting_period=period,
        policy=policy,
        **fields,
    )


def a_bill(
    *lines: PendingBillLineItem,
    due: AnyDay = "2026-02-01",
    subtotal: AnyAmount | None = None,
    total: AnyAmount | None = None,
    vat_totals: Sequence[VatTotal] | Mapping[AnyVat, AnyAmount] | None = None,
    cash_rounding: AnyAmount | None = None,
    policy: BillingPolicy | None = None,
) -> PendingBill:
    """Return a bill of some lines, or of one plain rent where none are given.

    That rent is for the month of `due`. Its price is the stated subtotal, or the stated total
    less the VAT, or 8,500; its VAT is the stated one, or Exempt. Amounts given as numbers have
    the currency of the lines, or of the other amounts, or DKK.

    What is stated stays, so that a bill of lines can be written down wrong on purpose. Inclusive
    lines that have the net of a line alone get the one that they have together, where the gross of
    their rate asks for it (A29); a line with another net leaves those of its rate as they are.

    Args:
        *lines: The line items, all of one currency.
        due: When the bill falls due.
        subtotal: Sum of the net prices; computed where absent.
        total: Subtotal and VAT; computed where absent, from what is stated of the two.
        vat_totals: VAT totals, or the VAT by mode and rate: `{"Exclusive 0.25": "2187.50"}`;
            computed where absent.
        cash_rounding: What is added to reach a payable step; none where absent.
        policy: How VAT is rounded.

    Raises:
        CurrencyMismatchError: An amount is in another currency than the lines, or than another.
        InvalidVatError: A VAT is given twice, or there are several and no lines.
        TypeError: One of the lines is no line item, such as a list of them.

    Examples:
        >>> heating = a_line(product_key="key:heating", amount=500, vat="Exclusive 0.25")
        >>> bill = a_bill(a_line(), heating)
        >>> bill.subtotal, bill.total
        (Amount(Decimal('9000.00'), 'DKK'), Amount(Decimal('9125.00'), 'DKK'))
        >>> a_bill(a_line(), heating, total="9125.01").total
        Amount(Decimal('9125.01'), 'DKK')
        >>> a_bill(due="2025-03-01", total="9371.03 EUR").lines
        (<PendingBillLineItem key:rent 2025-03-01/2025-03-31 1 × 9371.03 = 9371.03 EUR Exempt>,)
    """
    one_by_one(lines, (PendingBillLineItem,), "a_bill(*lines)")
    rules, day = policy_of(policy), day_of(due, "due")
    stated = _Stated.of(lines, subtotal, total, cash_rounding, vat_totals)
    raw = _made_to_fit(lines or (stated.line(day, policy),), rules)
    there = [*map(PendingBillLineItem.of, raw)]

    def units(given: Amount) -> int:
        return units_of(given, rules.currencies)

    bases: Counter[Category] = Counter()
    for line in there:
        bases[line.vat.category] += line.figures.net
    if stated.vats is None:
        computed = vat_totals_of(there, policy=policy)
        totals = [(each.vat, each.units, bases[each.vat.category]) for each in computed]
    else:
        totals = [
            (vat, units(tax), bases[vat.category] if base is None else units(base))
            for vat, tax, base in stated.vats
        ]
    net = sum(bases.values()) if stated.net is None else units(stated.net)
    gross = net + sum(tax for _, tax, _ in totals) if stated.gross is None else units(stated.gross)
    cash = None if stated.cash is None else units(stated.cash)
    currency = stated.currency
    places = minor_units(currency, rules.currencies)
    return PendingBill(day, currency, places, raw, totals, (net, gross, cash))


class _Stated(NamedTuple):
    """What is stated of a bill, in one currency."""

    currency: str
    net: Amount | None
    gross: Amount | None
    cash: Amount | None
    vats: tuple[tuple[Vat, Amount, Amount | None], ...] | None
    """VAT, its amount, and what it is of where that is stated."""

    @classmethod
    def of(
        cls,
        lines: Sequence[PendingBillLineItem],
        subtotal: AnyAmount | None,
        total: AnyAmount | None,
        cash_rounding: AnyAmount | None,
        vat_totals: Sequence[VatTotal] | Mapping[AnyVat, AnyAmount] | None,
    ) -> "_Stated":
        """Read the amounts, and refuse those of several currencies."""
        vats: list[tuple[Vat, AnyAmount, Amount | None]] = []
        if isinstance(vat_totals, Mapping):
            vats = [(vat_of(vat), tax, None) for vat, tax in vat_totals.items()]
            _refuse_twice([vat for vat, *_ in vats])
        elif vat_totals is not None:
            one_by_one((*vat_totals,), (VatTotal,), "vat_totals=[...]")
            vats = [(each.vat, each.amount, each.base) for each in vat_totals]
        given = {"subtotal": subtotal, "total": total, "cash_rounding": cash_rounding}
        given |= {f"vat_totals[{at}]": tax for at, (_, tax, _) in enumerate(vats)}
        currencies = [line.net_price.currency for line in lines]
        currencies += filter(None, map(_currency_of, given.values()))
        currency = price_of(0, next(iter(currencies), None)).currency
        read: dict[str, Any] = {}
        for path, each in given.items():
            read[path] = None if each is None else amount_of(each, currency)
            if each is not None and read[path].currency != currency:
                raise other_currency(path, read[path].currency, currency)
        taxes = ((vat, read[f"vat_totals[{at}]"], base) for at, (vat, _, base) in enumerate(vats))
        sums = read["subtotal"], read["total"], read["cash_rounding"]
        return cls(currency, *sums, None if vat_totals is None else tuple(taxes))

    def line(self, day: int, policy: BillingPolicy | None) -> PendingBillLineItem:
        """Return the one line of a bill without lines: the rent of the month of a day."""
        vats = self.vats or ((Vat("Exempt"), Amount(0, self.currency), None),)
        if len(vats) > 1:
            said, expected = "has several VATs and no lines", "lines: a_bill(a_line(...), ...)"
            raise InvalidVatError.of("vat_totals", "several_vats", said, len(vats), expected)
        vat, tax, _ = next(iter(vats))
        net = self.net
        if net is None:
            net = Amount("8500.00", self.currency) if self.gross is None else self.gross - tax
        return a_line(
            amount=net + tax if vat.tax_mode == "Inclusive" else net,
            net_price=net,
            vat=vat,
            period=date.fromordinal(day).isoformat()[:7],
            policy=policy,
        )


def _currency_of(given: AnyAmount | None) -> str | None:
    """Return the currency that an amount has of its own."""
    if isinstance(given, str) and " " in given.strip():
        given = amount_of(given, "")
    return given.currency if isinstance(given, Amount) else None


def _refuse_twice(vats: Sequence[Vat]) -> None:
    """Refuse a VAT that two keys of a mapping name."""
    for vat, count in Counter(vat.category for vat in vats).items():
        if count > 1:
            said, expected = "has a VAT twice", "each mode and rate once"
            raise InvalidVatError.of("vat_totals", "duplicate_vat", said, vat, expected)


def _made_to_fit(lines: Sequence[PendingBillLineItem], policy: BillingPolicy) -> list[RawLine]:
    """Return lines of which the Inclusive ones keep the gross of their rate together (A29)."""
    raw = [line.raw for line in lines]
    if policy.vat_rounding == "per_line":
        return raw
    places: dict[Category, list[int]] = {}
    for at, line in enumerate(lines):
        if line.figures.group.inclusive:
            places.setdefault(line.vat.category, []).append(at)
    for there in places.values():
        if all(_is_by_itself(lines[at], policy) for at in there):
            group = lines[there[0]].figures.group
            firsts = [_first_net(raw[at], group, policy) for at in there]
            for at, fitted in zip(there, bill_of_lines(1, firsts, policy).raw_lines, strict=True):
                raw[at] = fitted
    return raw


def _is_by_itself(line: PendingBillLineItem, policy: BillingPolicy) -> bool:
    gross = line.figures.base
    return line.figures.net == gross - line.figures.group.vat_in_gross(gross, policy.rounding)


def _first_net(line: RawLine, group: VatGroup, policy: BillingPolicy) -> RawLine:
    """Return an Inclusive line with its net before those of its rate are made to fit (A29)."""
    figures, first, last = line
    net = group.net_in_gross(figures.base, policy.rounding)
    unit_net = figures.unit_net
    if net != figures.net:
        unit_net = shown_unit_net(
            net, figures.quantity, figures.exact, group, figures.places, policy.rounding
        )
    return replace(figures, group=group, net=net, unit_net=unit_net), first, last
