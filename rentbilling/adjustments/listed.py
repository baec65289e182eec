"""Adjustments that a service has listed in a plan (A18).

Law: up to the day of the last listed adjustment, rules adjust nothing.
"""

from fractions import Fraction

from rentbilling.terms import RentAdjustment, RentAdjustmentPlan


def listed_until(plan: RentAdjustmentPlan) -> int:
    """Return the ordinal of the last day that a plan lists an adjustment for, 0 without any."""
    return max((each.adjusted_on.toordinal() for each in plan.adjustments), default=0)


def listed_amount(
    listed: RentAdjustment, before: Fraction, per_year: Fraction, *, of_balance: bool
) -> Fraction | None:
    """Return the balance, or amount of a period, that a listed adjustment led to; None without."""
    if of_balance:
        whole, change = listed.to_balance_amount, listed.balance_amount_change
        per_year = Fraction(1)
    elif listed.to_period_amount is not None or listed.period_amount_change is not None:
        whole, change = listed.to_period_amount, listed.period_amount_change
        per_year = Fraction(1)
    else:
        whole, change = listed.to_yearly_amount, listed.yearly_amount_change
    if whole is not None:
        return Fraction(whole.amount) / per_year
    return None if change is None else before + Fraction(change.amount) / per_year
