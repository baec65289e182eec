"""Listed adjustments: what a service says came of a plan so far (A18).

Law: up to the last listed day, rules adjust nothing of their own.
"""

from fractions import Fraction

from rentbilling.terms.plans import RentAdjustment, RentAdjustmentPlan


def listed_until(plan: RentAdjustmentPlan) -> int:
    """Return the ordinal of the last day that a plan lists an adjustment for, 0 without any."""
    return max((each.adjusted_on.toordinal() for each in plan.adjustments), default=0)


def amount_told(
    told: RentAdjustment, before: Fraction, per_year: Fraction, *, of_balance: bool
) -> Fraction | None:
    """Return what a listed adjustment says that an amount became."""
    if of_balance:
        whole, change = told.to_balance_amount, told.balance_amount_change
        per_year = Fraction(1)
    elif told.to_period_amount is not None or told.period_amount_change is not None:
        whole, change = told.to_period_amount, told.period_amount_change
        per_year = Fraction(1)
    else:
        whole, change = told.to_yearly_amount, told.yearly_amount_change
    if whole is not None:
        return Fraction(whole.amount) / per_year
    return None if change is None else before + Fraction(change.amount) / per_year
