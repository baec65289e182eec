"""Leases whose rent is adjusted, as the package's own strategies choose them, in the forms of laws.

A lease begins in January 2020; laws ask for its first eleven years.
"""

from datetime import date
from typing import Final

from rentbilling import (
    BillingPolicy,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    Period,
    RentAdjustmentPlan,
    RentAdjustmentRule,
)
from rentbilling.testing.strategies.adjusted_leases import Adjusted, choose_adjusted
from rentbilling.testing.strategies.choices import Choices, chosen
from rentbilling.testing.strategies.plans import (
    ADJUSTED_IN,
    YEARS,
    choose_balance,
)

LAST: Final = date(YEARS[-1], 12, 31)
ASKED: Final = Period(date(2020, 1, 1), LAST)

_KNOWN: Final = frozenset(
    {
        *("basis", "share", "interval_years", "threshold", "threshold_inclusive"),
        *("percentage_decimals", "percentage_rounding", "percentage_rounded"),
        *("excess_over", "excess_share", "surcharge"),
        *("amount_quantum", "amount_rounding", "amount_per"),
    }
)
"""Fields of a clause that the oracle knows."""


def _known(rule: RentAdjustmentRule) -> RentAdjustmentRule:
    """Return a rule of which only what the oracle knows is left."""
    clause = rule.index_clause
    if clause is None:
        return rule
    known = _KNOWN if rule.by_index else frozenset({"interval_years", "interval_months"})
    fields = {name: getattr(clause, name) for name in clause.model_fields_set & known}
    if clause.basis in ("mixed", "last_indexed"):
        del fields["basis"]
    month = rule.index_month or (10 if rule.by_index else None)
    return rule.evolve(index_clause=IndexClause(**fields), index_month=month)


def choose_known(choices: Choices) -> Adjusted:
    """Choose a lease without a deposit that the oracle knows; rules of a plan may act apart."""
    terms, series, policy = choose_adjusted(choices)
    plans: list[RentAdjustmentPlan] = []
    for plan in terms.rent_adjustment_plans:
        first, *others = [
            _known(rule) for rule in plan.rent_adjustment_rules if not rule.only_limits
        ]
        if len(terms.rent_adjustment_plans) == 1 and choices.rarely(3):
            others = [rule.evolve(adjustment_month=first.month % 12 + 1) for rule in others]
        rules = (first, *others) if choices.below(2) else (*others, first)
        plans.append(plan.evolve(rent_adjustment_rules=rules, adjusts_balance=None))
    return Adjusted(terms.evolve(rent_adjustment_plans=tuple(plans), balances=()), series, policy)


def choose_with_deposit(choices: Choices) -> Adjusted:
    """Choose a lease with a deposit: it follows a plan of the rent, or a plan of its own."""
    terms, series, policy = choose_adjusted(choices)
    currency = terms.recurring_bill_items[0].amount.currency
    balance = choose_balance(choices, currency)
    plans = [
        plan.evolve(
            id=f"p{at}",
            adjusts_recurring_bill_item=True,
            adjusts_balance=None,
            balance_charge_type=None,
        )
        for at, plan in enumerate(terms.rent_adjustment_plans)
    ]
    if balance.months is None or choices.below(2):
        at = choices.below(len(plans))
        plans[at] = plans[at].evolve(adjusts_balance=True)
    else:
        dates = RentAdjustmentRule(
            adjustment_type="Index", adjustment_month=choices.pick(ADJUSTED_IN), index_month=10
        )
        own = RentAdjustmentPlan(
            id="own",
            rent_adjustment_rules=(dates,),
            adjusts_recurring_bill_item=False,
            adjusts_balance=True,
        )
        plans.insert(choices.below(len(plans) + 1), own)
    terms = terms.evolve(rent_adjustment_plans=tuple(plans), balances=(balance,))
    return Adjusted(terms, series, policy)


def _choose_alone(choices: Choices, rule: RentAdjustmentRule) -> LeaseTerms:
    """Choose a lease whose rent follows one rule, and is never agreed anew."""
    terms, _, _ = choose_adjusted(choices)
    (item,) = terms.recurring_bill_items
    item = item.evolve(amount_records=(), quantity_records=(), ended_on=None)
    plan = RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    return LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))


def choose_exact(choices: Choices) -> Adjusted:
    """Choose a lease by the October index each January, whose exact amount is carried."""
    _, series, _ = choose_adjusted(choices)
    rises = [series.values[point] for point in series.points][:20]
    values = {f"{year}-10": rises[at % len(rises)] for at, year in enumerate(range(2010, 2031))}
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        index_month=10,
        index_clause=IndexClause(carried="exact"),
    )
    return Adjusted(_choose_alone(choices, rule), IndexSeries("INDEX", values), BillingPolicy())


adjusted_leases = chosen(choose_adjusted, 1200)
known_leases = chosen(choose_known, 1200)
exact_leases = chosen(choose_exact, 1200)
leases_with_deposit = chosen(choose_with_deposit, 1200)
