"""Refusals of adjustments: what was needed and is missing, and plans that meet (A37, A41).

Law: a refusal says which plan, which rule and which day it is about.
What does not live here: what goes on with a notice (`adjustment_notices`).
"""

from datetime import date
from typing import Final

from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError

_YEAR: Final = 12


def missing_index(
    error: MissingIndexError, plan_id: str, rule_id: str, day: int
) -> MissingIndexError:
    """Return the refusal with what the value was needed for (A41)."""
    when = date.fromordinal(day).isoformat()
    facts = {**error.facts, "plan": plan_id, "rule": rule_id, "adjusted_on": when}
    return MissingIndexError(error.code, **facts)


def two_plans(one: int, other: int, plan_id: str, month: int) -> InvalidAdjustmentRuleError:
    """Return the refusal of two plans that adjust one item in one month (A37)."""
    year, there = divmod(month, _YEAR)
    return InvalidAdjustmentRuleError.of(
        f"rentAdjustmentPlans[{other}]",
        "two_plans",
        f"adjusts what rentAdjustmentPlans[{one}] adjusts in {year:04d}-{there + 1:02d}",
        plan_id,
        "one plan with several rules, or another month",
    )
