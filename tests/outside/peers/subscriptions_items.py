"""Subscriptions of peers as recurring bill items, and what the library bills for them.

A subscription has no opening period of its own. It opens with the days before its first regular
period, and where there are none, with the day before it starts, which costs nothing.
Law: every price comes from `pending_bills` or `share_out`, every share from `period_share` or a
line; nothing is rounded here.
What does not live here: which periods a cycle gives (`subscriptions_cycles`).
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Final

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    BillingPolicy,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    PendingBillLineItem,
    Period,
    RecurringBillItem,
    Vat,
    pending_bills,
    share_out,
)
from tests.outside.peers.subscriptions_cycles import cycle_of
from tests.outside.peers.subscriptions_reading import day_before

BY_PERIOD_DAYS: Final = BillingPolicy(part_period="period_days")
"""Part periods as nearly all subscription peers count them: days / days of the period."""

NOTHING: Final = Decimal(0)


def opening_of(price: Amount, period: Period) -> FirstBillingPeriodBillItem:
    return FirstBillingPeriodBillItem(amount=price, due_date=period.start, accounting_period=period)


def subscription(
    price: Amount,
    cycle: BillingCycle,
    start: date,
    *,
    item_id: str = "subscription",
    opening: FirstBillingPeriodBillItem | None = None,
    quantity: Decimal | None = None,
    discount: Discount | None = None,
    amount_records: Iterable[AmountRecord] = (),
    ended_on: date | None = None,
) -> RecurringBillItem:
    """Return a subscription that is billed on the first day of each period.

    Args:
        price: Price of one unit for a whole period.
        cycle: Its cycle.
        start: Its first day.
        item_id: What its lines are found by.
        opening: The days before the first regular period; absent if a period begins on `start`.
        quantity: Units, if it has any.
        discount: Discount, if it has any.
        amount_records: Later prices.
        ended_on: The last day paid for.

    Returns:
        The item.
    """
    eve = day_before(start)
    nothing = opening_of(Amount(NOTHING, price.currency), Period(eve, eve))
    first = opening or nothing
    return RecurringBillItem(
        id=item_id,
        product_key="key:subscription",
        amount=price,
        quantity=quantity,
        discount=discount,
        amount_records=tuple(amount_records),
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(day_of_period=1),
        billing_cycle=cycle,
        started_on=first.due_date,
        first_billing_period_bill_item=first,
        ended_on=ended_on,
    )


def lines_due(
    items: RecurringBillItem | Iterable[RecurringBillItem],
    since: date,
    through: date,
    *,
    policy: BillingPolicy = BY_PERIOD_DAYS,
) -> list[PendingBillLineItem]:
    """Return the lines that fall due from one day through another, in the order of the bills."""
    if through < since:
        return []
    result = pending_bills(items, Period(since, through), policy=policy)
    return [line for bill in result for line in bill.pending_bill_line_items]


def lines_within(
    item: RecurringBillItem, period: Period, *, policy: BillingPolicy = BY_PERIOD_DAYS
) -> list[PendingBillLineItem]:
    return lines_due(
        item, period.start, period.end, policy=policy.evolve(select="accounting_period")
    )


def total(amounts: Iterable[Amount], currency: str) -> Amount:
    result = Amount(NOTHING, currency)
    for each in amounts:
        result = result + each
    return result


def net_of(lines: Iterable[PendingBillLineItem], currency: str) -> Amount:
    return total((line.net_price for line in lines), currency)


def part_of(price: Amount, share: Fraction) -> Amount:
    """Return a share of a price, rounded once to the currency's minor unit."""
    return share_out(price, (share, 1 - share))[0]


def period_price(
    price: Amount,
    period: Period,
    *,
    quantity: Decimal | None = None,
    discount: Discount | None = None,
) -> Amount:
    item = subscription(price, cycle_of(period), period.start, quantity=quantity, discount=discount)
    return net_of(lines_within(item, period), price.currency)
