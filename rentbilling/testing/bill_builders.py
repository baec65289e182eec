"""Builders of bills: what a bill should say, or wrongly says, written down by hand.

Laws: what is not stated is computed from what is; what is stated is kept, be it right or wrong.
What does not live here: what is billed (`builders`), how a figure comes about (`rentbilling.vat`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rentbilling import (
    Amount,
    BillingPolicy,
    PendingBill,
    PendingBillLineItem,
    Period,
    VatTotal,
    divide_rounded,
    minor_units,
    vat_totals as vat_totals_of,
)
from rentbilling.figures import VatGroup
from rentbilling.money import units_of
from rentbilling.periods import day_of
from rentbilling.policy import policy_of
from rentbilling.testing.builders import Day
from rentbilling.testing.plain_values import (
    AnyAmount,
    AnyNumber,
    AnyVat,
    amount_of,
    number_of,
    vat_of,
)

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
    period: Period | str = _FEBRUARY,
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

    Returns:
        The line.

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
        stated = Amount.of(number_of(f"{net}E-{places}"), price.currency)
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
    due: Day = "2026-02-01",
    subtotal: AnyAmount | None = None,
    total: AnyAmount | None = None,
    vat_totals: Sequence[VatTotal] | Mapping[AnyVat, AnyAmount] | None = None,
    cash_rounding: AnyAmount | None = None,
    policy: BillingPolicy | None = None,
) -> PendingBill:
    """Return a bill of some lines, one plain rent where none are given, due on 1 February 2026.

    The lines are kept as they are, so that a bill can be written down wrong on purpose; state the
    net price of an Inclusive line where it must be another one for the group's gross to be kept
    (A29).

    Args:
        *lines: The line items, all of one currency.
        due: When the bill falls due.
        subtotal: Sum of the net prices; computed where absent.
        total: Subtotal and VAT; computed where absent, from what is stated of the two.
        vat_totals: VAT totals, or the VAT by mode and rate: `{"Exclusive 0.25": "2187.50"}`;
            computed where absent.
        cash_rounding: What is added to reach a payable step; none where absent.
        policy: How VAT is rounded.

    Returns:
        The bill.

    Examples:
        >>> heating = a_line(product_key="key:heating", amount=500, vat="Exclusive 0.25")
        >>> bill = a_bill(a_line(), heating)
        >>> bill.subtotal, bill.total
        (Amount(Decimal('9000.00'), 'DKK'), Amount(Decimal('9125.00'), 'DKK'))
        >>> a_bill(a_line(), heating, total="9125.01").total
        Amount(Decimal('9125.01'), 'DKK')
    """
    there, rules = lines or (a_line(),), policy_of(policy)
    currency = there[0].net_price.currency

    def units(given: AnyAmount) -> int:
        return units_of(amount_of(given, currency), rules.currencies)

    computed = vat_totals_of(there, policy=policy)
    if vat_totals is None:
        totals = [(each.vat, each.units, each.base_units) for each in computed]
    elif isinstance(vat_totals, Mapping):
        bases = {each.vat.category: each.base_units for each in computed}
        stated = {vat_of(vat): units(amount) for vat, amount in vat_totals.items()}
        totals = [(vat, tax, bases.get(vat.category, 0)) for vat, tax in stated.items()]
    else:
        totals = [(each.vat, each.units, each.base_units) for each in vat_totals]
    net = sum(line.figures.net for line in there) if subtotal is None else units(subtotal)
    gross = net + sum(tax for _, tax, _ in totals) if total is None else units(total)
    cash = None if cash_rounding is None else units(cash_rounding)
    return PendingBill(
        day_of(due, "due"),
        currency,
        minor_units(currency, rules.currencies),
        [line.raw for line in there],
        totals,
        (net, gross, cash),
    )
