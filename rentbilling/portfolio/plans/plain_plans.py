"""Plain plans: what the one plain rule of a plan does in a month, as `adjustments` has it."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rentbilling.adjustments import AmountsOnly, LeaseHistories, adjustments_between
from rentbilling.errors import RentBillingError
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.arrow.column_types import SCALE
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.plans.plan_items import Followed
from rentbilling.terms import (
    RENT,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    reading_context,
)
from rentbilling.values import MONTHS_PER_YEAR, Amount, Period, Vat, month_start

MOST_UNITS: Final = 2**40
"""What amounts are rounded to at most, in units of the finest decimal."""
MILLION: Final = 10**6
_MONTHS: Final = MappingProxyType({"period": 0, "month": 1, "year": MONTHS_PER_YEAR})


class PlainPlan(NamedTuple):
    """A plan of one plain rule, or of none."""

    plan: RentAdjustmentPlan
    rule: AmountsOnly | None

    @property
    def quantum(self) -> tuple[int, int]:
        """What its amounts are rounded to in units of the finest decimal, and of how many months.

        0 is the minor unit, and below 0 is what no column rounds to; 0 months are those of a cycle.
        """
        if self.rule is None:
            return 0, 0
        clause = self.rule.clause
        over, below = (clause.amount_quantum or Decimal(0)).as_integer_ratio()
        units, rest = divmod(over * 10**FINEST, below)
        if rest or units > MOST_UNITS or clause.amount_rounding not in (None, DEFAULT.rounding):
            return -1, 0
        return units, _MONTHS[clause.amount_per]

    @property
    def step_limits(self) -> tuple[int, int] | None:
        """The limits of an anchored rule's step, in millionths; None where they are not whole.

        Without a limit they are nothing and three times the amount, as far as columns follow.
        """
        if self.rule is None or not self.rule.is_anchored:
            return 0, 0
        most_of_all = Fraction(2)
        least, most = (
            (free if limit is None else min(limit, most_of_all)) * MILLION
            for limit, free in zip(self.rule.limits, (Fraction(-1), most_of_all), strict=True)
        )
        is_whole = least.denominator == most.denominator == 1
        return (least.numerator, most.numerator) if is_whole else None


def plain_plan(given: Mapping[str, Any], opening: int, followed: Followed) -> PlainPlan | None:
    """Return the plain rule of a plan for an item that opens to a day, None where it is none.

    A plan without rules adjusts nothing, and is as plain. Only amounts of rules have a currency,
    and none of them is plain.
    """
    context = reading_context(followed.policy, exact_texts=True)
    try:
        plan = RentAdjustmentPlan.model_validate(given, context=context)
        if plan.adjusts_balances or any(
            each.percentage is None
            for rule in plan.rent_adjustment_rules
            for each in rule.increments
        ):
            return None
        if not plan.rent_adjustment_rules:
            return PlainPlan(plan, None)
        (history,) = _histories(plan, opening, followed).items.values()
    except RentBillingError:
        return None
    return None if history.plain is None else PlainPlan(plan, history.plain)


def _histories(plan: RentAdjustmentPlan, opening: int, followed: Followed) -> LeaseHistories:
    # Valid, because the plan is, and adjusts the only item.
    lease = LeaseTerms.model_construct(
        recurring_bill_items=(_item(opening),), rent_adjustment_plans=(plan,)
    )
    return LeaseHistories(lease, followed.indices, followed.policy)


def effect_of(
    plan: RentAdjustmentPlan, opening: int, month: int, followed: Followed
) -> Mapping[str, Any] | None:
    """Return what the rule of a plan does in a month, but for amounts and ids.

    None where that is not the same for an item that opened to a day and for one adjusted for the
    first time, or where a column has too few digits for it.
    """
    day, found = month_start(month), []
    for each in (opening, day - 1):
        try:
            (made,) = adjustments_between(_histories(plan, each, followed), day, day)
            (effect,) = made.adjustment_rules_effects
        except (RentBillingError, ValueError):
            return None
        values = {name: getattr(effect, name) for name in effect.model_fields_set}
        found.append({name: each for name, each in values.items() if not isinstance(each, Amount)})
    numbers = (each for each in found[0].values() if isinstance(each, Decimal))
    fits = all(10**SCALE % each.as_integer_ratio()[1] == 0 for each in numbers)
    return found[0] if fits and found[0] == found[1] else None


@lru_cache(maxsize=512)
def _item(opening: int) -> RecurringBillItem:
    """Return an item that opens to a day; nothing else of it says anything of a plain rule."""
    price, day = Amount(1000, "EUR"), date.fromordinal(opening)
    return RecurringBillItem(
        product_key=RENT,
        amount=price,
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(),
        started_on=day,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price, due_date=day, accounting_period=Period(day, day)
        ),
    )
