"""Leases with rent adjustments, drawn from `Choices` together with what they are billed with.

Law: such a lease, billed with the series and the policy chosen with it, is not refused.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

import rentbilling as rb
from rentbilling.testing.strategies.choices import Choices, with_texts
from rentbilling.testing.strategies.items import choose_currency, choose_vat
from rentbilling.testing.strategies.plans import (
    ADJUSTED_IN,
    PRICES,
    YEARS,
    choose_balance,
    choose_ends,
    choose_increment_rule,
    choose_plan,
    choose_series,
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


def _adjusted_item(choices: Choices, currency: str, *, agreed: bool) -> rb.RecurringBillItem:
    """Choose a rent whose opening is January 2020; prices and quantities may be agreed anew."""
    price = rb.Amount(choices.number(PRICES), currency)
    start = date(choices.pick(YEARS), 1 + choices.below(12), choices.pick((1, 1, 15)))
    value = rb.Amount(4321, currency)
    dated: tuple[dict[str, Any], ...] = (
        {},
        {},
        {"amount_records": (rb.AmountRecord(value=value, start=start.replace(day=15)),)},
        {"quantity_records": (rb.QuantityRecord(value=Decimal(7), start=start),)},
    )
    cycle = choices.pick(_CYCLES)
    return with_texts(
        choices,
        rb.RecurringBillItem,
        id=None,
        product_key="key:rent",
        amount=price,
        price_per=choices.pick(("cycle", "cycle", "cycle", "cycle", "month", "year")),
        quantity=choices.pick(_QUANTITIES),
        vat=choose_vat(choices),
        due_date_rule=rb.DueDateRule(),
        billing_cycle=rb.BillingCycle(**cycle),
        started_on=date(2020, 1, 1),
        first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
            amount=price,
            due_date=date(2020, 1, 1),
            accounting_period=rb.Period(date(2020, 1, 1), date(2020, 1, 31)),
        ),
        ended_on=choices.pick((None, None, None, date(2026, 4, 1))),
        **(choices.pick(dated) if agreed else {}),
    )


class Adjusted(NamedTuple):
    """A lease with plans, and what it is billed with."""

    terms: rb.LeaseTerms
    indices: rb.IndexSeries
    policy: rb.BillingPolicy


def choose_adjusted(choices: Choices) -> Adjusted:
    """Choose a lease of one adjusted rent, perhaps with a deposit, its series and its policy.

    The policy goes on past missing index values, and the series may have holes.
    """
    code = choose_currency(choices)
    index_month, month = choices.pick(INDEX_MONTHS), choices.pick(ADJUSTED_IN)
    item = _adjusted_item(choices, code, agreed=bool(choices.below(2)))
    part = item.amount if item.amount.amount > 0 and (item.quantity or 1) >= 1 else None
    about = {"lease_id": choices.pick((None, "lease-1"))}
    about["adjustee_ref"] = choices.pick((None, "recurring-1"))
    plans = [choose_plan(choices, index_month, month, code, part, **about)]
    if any(rule.clause.basis == "anchored" for rule in plans[0].rent_adjustment_rules):
        # What is agreed anew has no place between an anchored rule's amounts.
        item = item.evolve(amount_records=(), quantity_records=())
    if choices.rarely(3):
        other = choose_increment_rule(choices, month % 12 + 1, code)
        plans.append(rb.RentAdjustmentPlan(rent_adjustment_rules=(other,), **choose_ends(choices)))
    balances: tuple[rb.Balance, ...] = ()
    if choices.rarely(3):
        balances = (choose_balance(choices, code),)
        plans[0] = plans[0].evolve(
            adjusts_recurring_bill_item=True,
            adjusts_balance=True,
            balance_charge_type=choices.pick((None, balances[0].balance_charge_type)),
            vat=choices.pick((None, choose_vat(choices))),
        )
    policy = rb.BillingPolicy(
        missing_index="notice",
        rounding=choices.pick(("half_up", "half_up", "half_even", "up", "down")),
        increment_amount=choices.pick(("per_year", "per_year", "per_period")),
        balance_change=choices.pick(("not_billed", "once")),
    )
    months = tuple(range(1, 13)) if _asks_all_months(plans) else (index_month,)
    terms = rb.LeaseTerms(
        lease_id=about["lease_id"],
        recurring_bill_items=(item,),
        rent_adjustment_plans=tuple(plans),
        balances=balances,
        contract_end=choices.pick((None, None, None, date(2027, 6, 30))),
    )
    return Adjusted(terms, choose_series(choices, months, holes=choices.rarely(3)), policy)


def _asks_all_months(plans: Sequence[rb.RentAdjustmentPlan]) -> bool:
    """Say whether a clause compares other points than those of the index month."""
    clauses = [rule.clause for plan in plans for rule in plan.rent_adjustment_rules]
    return any(each.finds_points or each.mean_of > 1 for each in clauses)


def choose_asked(choices: Choices) -> rb.Period:
    """Choose a period to ask an adjusted lease for: a year, some years, or a month of its time."""
    first = choices.pick(YEARS)
    last = min(first + choices.pick((0, 0, 2)), YEARS[-1])
    if choices.rarely(4):
        return rb.Period(date(first, 1, 1), date(first, 1, 31))
    return rb.Period(date(first, 1, 1), date(last, 12, 31))
