"""Leases with rent adjustments, dealt out of a deck together with what they are billed with.

Law: such a lease, billed with the series and the policy dealt with it, is not refused.
"""

from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from rentbilling import (
    Amount,
    AmountRecord,
    Balance,
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    FirstBillingPeriodBillItem,
    IndexSeries,
    LeaseTerms,
    Period,
    QuantityRecord,
    RecurringBillItem,
    RentAdjustmentPlan,
)
from rentbilling.testing.strategies.choices import Deck
from rentbilling.testing.strategies.items import deal_currency, deal_vat
from rentbilling.testing.strategies.plans import (
    ADJUSTED_IN,
    PRICES,
    YEARS,
    deal_balance,
    deal_ends,
    deal_increment_rule,
    deal_plan,
    deal_series,
)

_CYCLES: Final[tuple[dict[str, Any], ...]] = (
    {},
    {},
    {"period_length": 3},
    {"time_unit": "Year"},
    {"time_unit": "Week"},
    {"period_length": 5},
)
_QUANTITIES: Final = (None, None, Decimal(2), Decimal("33.333"), Decimal(100))
INDEX_MONTHS: Final = (10, 1, 6, 12)


def _adjusted_item(deck: Deck, currency: str, *, agreed: bool) -> RecurringBillItem:
    """Deal a rent whose opening is January 2020; prices and quantities may be agreed anew."""
    price = Amount(deck.number(PRICES), currency)
    start = date(deck.pick(YEARS), 1 + deck.below(12), deck.pick((1, 1, 15)))
    value = Amount(4321, currency)
    dated: tuple[dict[str, Any], ...] = (
        {},
        {},
        {"amount_records": (AmountRecord(value=value, start=start.replace(day=15)),)},
        {"quantity_records": (QuantityRecord(value=Decimal(7), start=start),)},
    )
    cycle = deck.pick(_CYCLES)
    return RecurringBillItem(
        product_key="key:rent",
        amount=price,
        quantity=deck.pick(_QUANTITIES),
        vat=deal_vat(deck),
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(**cycle),
        started_on=date(2020, 1, 1),
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price,
            due_date=date(2020, 1, 1),
            accounting_period=Period(date(2020, 1, 1), date(2020, 1, 31)),
        ),
        ended_on=deck.pick((None, None, None, date(2026, 4, 1))),
        **(deck.pick(dated) if agreed else {}),
    )


class Adjusted(NamedTuple):
    """A lease with plans, and what it is billed with."""

    terms: LeaseTerms
    indices: IndexSeries
    policy: BillingPolicy


def deal_adjusted(deck: Deck) -> Adjusted:
    """Deal a lease of one adjusted rent, perhaps with a deposit, its series and its policy.

    The policy goes on past missing index values, and the series may have holes.
    """
    code = deal_currency(deck)
    index_month, month = deck.pick(INDEX_MONTHS), deck.pick(ADJUSTED_IN)
    item = _adjusted_item(deck, code, agreed=bool(deck.below(2)))
    part = item.amount if item.amount.amount > 0 and (item.quantity or 1) >= 1 else None
    plans = [deal_plan(deck, index_month, month, code, part)]
    if any(rule.clause.basis == "anchored" for rule in plans[0].rent_adjustment_rules):
        # What is agreed anew has no place between an anchored rule's amounts.
        item = item.evolve(amount_records=(), quantity_records=())
    if deck.happens(3):
        other = deal_increment_rule(deck, month % 12 + 1, code)
        plans.append(RentAdjustmentPlan(rent_adjustment_rules=(other,), **deal_ends(deck)))
    balances: tuple[Balance, ...] = ()
    if deck.happens(3):
        balances = (deal_balance(deck, code),)
        plans[0] = plans[0].evolve(adjusts_recurring_bill_item=True, adjusts_balance=True)
    policy = BillingPolicy(
        missing_index="notice",
        rounding=deck.pick(("half_up", "half_up", "half_even", "up", "down")),
        increment_amount=deck.pick(("per_year", "per_year", "per_period")),
        balance_change=deck.pick(("not_billed", "once", "instalments")),
    )
    terms = LeaseTerms(
        recurring_bill_items=(item,),
        rent_adjustment_plans=tuple(plans),
        balances=balances,
        contract_end=deck.pick((None, None, None, date(2027, 6, 30))),
    )
    return Adjusted(terms, deal_series(deck, (index_month,), holes=deck.happens(3)), policy)


def deal_asked(deck: Deck) -> Period:
    """Deal a period to ask an adjusted lease for: a year, some years, or a month of its time."""
    first = deck.pick(YEARS)
    last = min(first + deck.pick((0, 0, 2)), YEARS[-1])
    if deck.happens(4):
        return Period(date(first, 1, 1), date(first, 1, 31))
    return Period(date(first, 1, 1), date(last, 12, 31))
