"""Builders of bills: what a bill should say, or wrongly says, written down by hand.

Law: what is not stated is computed; what is stated stays, be it right or wrong.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import (
    Amount,
    BillingPolicy,
    PendingBill,
    PendingBillLineItem,
    VatTotal,
    vat_totals as vat_totals_of,
)
from rentbilling.billing import AnyDay, RawLine, VatGroup, bill_of_lines, shown_unit_net
from rentbilling.policy import policy_of
from rentbilling.testing.builders.plain_values import (
    AnyAmount,
    AnyNumber,
    AnyVat,
    amount_of,
    number_of,
    one_by_one,
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
    currency: str = "DKK",
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
        currency: Currency of amounts given as numbers.
        quantity: Units.
        net_price: The line without VAT; amount × quantity where absent, less the VAT inside it for
            an Inclusive line.
        unit_net_price: Price of one unit without VAT; what fits the rest where absent (A21).
        vat: Tax mode and rate.
        period: The days it pays for.
        policy: For rounding, half-open period texts and private currencies.
        **fields: Everything else that `PendingBillLineItem` takes, such as `kind` or `item_id`.

    Examples:
        >>> a_line(amount="1250.00", vat="Inclusive 0.25", quantity=2).net_price
        Amount(Decimal('2000.00'), 'DKK')
        >>> a_line(amount="8500.00", net_price="8500.01")
        <PendingBillLineItem key:rent 2026-02-01/2026-02-28 1 × 8500.00 = 8500.01 DKK Exempt>
    """
    price, units, tax = amount_of(amount, currency), number_of(quantity), vat_of(vat)
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
    """Return a bill of some lines, one plain rent where none are given, due on 1 February 2026.

    What is stated stays, so that a bill can be written down wrong on purpose. Inclusive lines
    that have the net of a line alone get the one that they have together, where the gross of their
    rate asks for it (A29); a line with another net leaves those of its rate as they are.

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
        TypeError: One of the lines is no line item, such as a list of them.

    Examples:
        >>> heating = a_line(product_key="key:heating", amount=500, vat="Exclusive 0.25")
        >>> bill = a_bill(a_line(), heating)
        >>> bill.subtotal, bill.total
        (Amount(Decimal('9000.00'), 'DKK'), Amount(Decimal('9125.00'), 'DKK'))
        >>> a_bill(a_line(), heating, total="9125.01").total
        Amount(Decimal('9125.01'), 'DKK')
    """
    one_by_one(lines, (PendingBillLineItem,), "a_bill(*lines)")
    rules = policy_of(policy)
    raw = _made_to_fit(lines or (a_line(),), rules)
    there = [*map(PendingBillLineItem.of, raw)]
    currency = there[0].net_price.currency

    def units(given: AnyAmount) -> int:
        return units_of(amount_of(given, currency), rules.currencies)

    bases: Counter[Category] = Counter()
    for line in there:
        bases[line.vat.category] += line.figures.net
    if isinstance(vat_totals, Mapping):
        stated = {vat_of(vat): units(amount) for vat, amount in vat_totals.items()}
        totals = [(vat, tax, bases[vat.category]) for vat, tax in stated.items()]
    elif vat_totals is None:
        computed = vat_totals_of(there, policy=policy)
        totals = [(each.vat, each.units, bases[each.vat.category]) for each in computed]
    else:
        totals = [(each.vat, each.units, each.base_units) for each in vat_totals]
    net = sum(bases.values()) if subtotal is None else units(subtotal)
    gross = net + sum(tax for _, tax, _ in totals) if total is None else units(total)
    cash = None if cash_rounding is None else units(cash_rounding)
    places = minor_units(currency, rules.currencies)
    return PendingBill(day_of(due, "due"), currency, places, raw, totals, (net, gross, cash))


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
