"""Plans that a service may list and nobody could bill by, and how they are read and written."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import InvalidInputError, RentAdjustmentPlan, dumps, loads
from rentbilling.interface import RentAdjustmentPlanPage
from rentbilling.records import RawRecord
from tests.refusals.tables import DKK, EUR, INDEX, STEP

RULE = "rentAdjustmentRules[0]"
STEPS = {"adjustmentType": "Increment", "adjustmentMonth": 1}
AMOUNT = {"year": "2027", "amount": DKK}

Found = list[tuple[str, str]]


def with_steps(*steps: Mapping[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"rentAdjustmentRules": [{**STEPS, "increments": list(steps), **changes}]}


def with_index(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a plan of one rule that follows an index; None takes a field away."""
    rule = {**INDEX, **changes}
    return {"rentAdjustmentRules": [{key: rule[key] for key in rule if rule[key] is not None}]}


# Plans that nobody could bill by, and what is wrong with each as bills meet it (A31-A37).
ODD: dict[str, tuple[dict[str, Any], Found]] = {
    "no index month": (with_index(indexMonth=None), [(f"{RULE}.indexMonth", "no_index_month")]),
    "no month": (with_index(adjustmentMonth=None), [(f"{RULE}.adjustmentMonth", "missing")]),
    "no type": (with_index(adjustmentType=None), [(f"{RULE}.adjustmentType", "missing")]),
    "a month 13": (with_index(adjustmentMonth=13), [(f"{RULE}.adjustmentMonth", "out_of_range")]),
    "an index month 0": (with_index(indexMonth=0), [(f"{RULE}.indexMonth", "out_of_range")]),
    "an unknown type": (
        with_index(adjustmentType="Stepped"),
        [(f"{RULE}.increments", "no_increments")],
    ),
    "a season": (with_index(firstYear="2026/27"), [(f"{RULE}.firstYear", "not_a_year")]),
    "reversed years": (
        with_index(firstYear="2030", lastYear="2029"),
        [(f"{RULE}.lastYear", "reversed_years")],
    ),
    "percent": (with_index(maximumPercentage=40), [(f"{RULE}.maximumPercentage", "out_of_range")]),
    "crossed limits": (
        with_index(minimumPercentage=0.05, maximumPercentage=0.04),
        [(f"{RULE}.minimumPercentage", "limits_crossed")],
    ),
    "increments on an index": (
        with_index(increments=[STEP]),
        [(f"{RULE}.increments", "increments_on_index")],
    ),
    "limits on amounts": (
        with_steps(AMOUNT, minimumPercentage=0),
        [(f"{RULE}.minimumPercentage", "limits_on_amounts")],
    ),
    "an unknown recurrence": (
        with_steps({**STEP, "recurrence": "Biennial"}),
        [(f"{RULE}.increments[0].recurrence", "unknown_recurrence")],
    ),
    "an amount and a percentage": (
        with_steps({**AMOUNT, "percentage": 0.03}),
        [(f"{RULE}.increments[0]", "one_of_three")],
    ),
    "an increment of no year": (
        with_steps({"percentage": 0.03}),
        [(f"{RULE}.increments[0].year", "missing")],
    ),
    "two of one year": (with_steps(STEP, STEP), [(f"{RULE}.increments[1].year", "duplicate_year")]),
    "two currencies": (
        with_steps(AMOUNT, {"year": "2028", "amount": EUR}),
        [(f"{RULE}.increments[1].amount.currency", "currency_mismatch")],
    ),
    "twins": (
        {"rentAdjustmentRules": [{**INDEX, "id": "a"}, {**INDEX, "id": "a"}]},
        [("rentAdjustmentRules[1].id", "duplicate_id")],
    ),
    "nothing adjusted": (
        {"adjustsRecurringBillItem": False},
        [("adjustsRecurringBillItem", "says_nothing")],
    ),
    "an empty id": ({"id": ""}, [("id", "empty_text")]),
    "an empty adjustee": ({"adjusteeRef": ""}, [("adjusteeRef", "empty_text")]),
    "an unknown tax mode": (
        {"vat": {"taxMode": "MarginScheme", "taxRate": 0.25}},
        [("vat.taxMode", "unknown_tax_mode")],
    ),
    "a rate in percent": (
        {"vat": {"taxMode": "Exclusive", "taxRate": 25}},
        [("vat.taxRate", "out_of_range")],
    ),
    "no rate": ({"vat": {"taxMode": "Inclusive"}}, [("vat.taxRate", "missing_rate")]),
    "two adjustments of a day": (
        {"adjustments": [{"adjustedOn": "2027-01-01", "year": "2027"}] * 2},
        [("adjustments[1].adjustedOn", "equal_days")],
    ),
    "a clause that contradicts itself": (
        with_index(indexClause={"lagMonths": 2, "yearOffset": 1}, indexMonth=None),
        [(f"{RULE}.indexClause.lagMonths", "contradiction")],
    ),
}


def told(data: Mapping[str, Any]) -> RentAdjustmentPlan | RawRecord:
    """Return a plan as a list of a service has it."""
    text = json.dumps({"rentAdjustmentPlans": [data]})
    (plan,) = loads(text, RentAdjustmentPlanPage, from_service=True).rent_adjustment_plans
    return plan


def raw(data: Mapping[str, Any]) -> RawRecord:
    """Return a plan that nobody could create, as a list of a service has it."""
    plan = told(data)
    assert isinstance(plan, RawRecord)
    return plan


def written(record: Any) -> Any:  # noqa: ANN401
    return exact(dumps(record))


def exact(text: str) -> Any:  # noqa: ANN401
    return json.loads(text, parse_float=Decimal)


def plain(data: object) -> Any:  # noqa: ANN401
    return exact(json.dumps(data))


def with_lists(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan as it is written: with every list of the interface, also an empty one (A72)."""
    return {
        **plan,
        "rentAdjustmentRules": [
            {"increments": [], **rule} for rule in plan.get("rentAdjustmentRules", ())
        ],
        "adjustments": [
            {"adjustmentRulesEffects": [], **made} for made in plan.get("adjustments", ())
        ],
    }


def refused_by(act: Any) -> InvalidInputError:  # noqa: ANN401
    with pytest.raises(InvalidInputError) as caught:
        act()
    return caught.value


def places(error: InvalidInputError | RawRecord) -> Found:
    return [(each.path, each.code) for each in error.problems]
