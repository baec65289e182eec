"""Every plan that the interface allows a service to list is listed and written again."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, strategies as st

from rentbilling import InvalidInputError, Problem, RentAdjustmentPlan, dumps, loads
from rentbilling.interface import RentAdjustmentPlanPage
from rentbilling.records import RawRecord
from tests.support.received import exact, plain, told, with_lists

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
WORD = st.one_of(st.sampled_from(["Index", "Increment", "OneTime", "Recurring", "", "2027"]), TEXT)
NUMBER = st.decimals(-100, 100, places=3).map(float)
CURRENCIES = st.sampled_from(["DKK", "EUR", "JPY"])
AMOUNTS = st.fixed_dictionaries({"currency": CURRENCIES, "amount": NUMBER})
MODES = WORD.filter(lambda word: word.lower() not in {"exclusive", "inclusive", "exempt"})
# Known words in another case are read as the known one, and written so (A7).
RECURRENCES = WORD.filter(
    lambda word: word in {"OneTime", "Recurring"} or word.lower() not in {"onetime", "recurring"}
)
DAYS = st.dates().map(str)


def objects(required: Mapping[str, Any], **fields: Any) -> st.SearchStrategy[dict[str, Any]]:  # noqa: ANN401
    """Return a strategy of objects in which each other field may be missing."""
    return st.fixed_dictionaries(dict(required), optional=fields)


def lists(each: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Return a strategy of lists that say something: an empty one is written as absent (A6)."""
    return st.lists(each, min_size=1, max_size=3)


VATS = objects(
    {"taxMode": st.one_of(st.just("Exempt"), st.just("Exclusive"), MODES)}, taxRate=NUMBER
)
STEP_LIKE = objects({}, year=WORD, amount=AMOUNTS, percentage=NUMBER, recurrence=RECURRENCES)
RULES = objects(
    {},
    id=TEXT,
    adjustmentType=WORD,
    adjustmentMonth=st.integers(-20, 20),
    firstYear=WORD,
    lastYear=WORD,
    indexMonth=st.integers(-20, 20),
    minimumPercentage=NUMBER,
    maximumPercentage=NUMBER,
    increments=lists(STEP_LIKE),
)
OUTCOMES = {
    f"{side}{what}Amount": AMOUNTS
    for what in ("Yearly", "Period", "Balance")
    for side in ("from", "to")
} | {f"{what}AmountChange": AMOUNTS for what in ("yearly", "period", "balance")}
EFFECTS = objects(
    {},
    rentAdjustmentRuleId=TEXT,
    calculatedPercentage=NUMBER,
    fromIndex=NUMBER,
    toIndex=NUMBER,
    fromYearMonth=st.sampled_from(["2025-10", "0001-01"]),
    toYearMonth=st.sampled_from(["2026-10", "9999-12"]),
    minimumPercentage=NUMBER,
    maximumPercentage=NUMBER,
    **OUTCOMES,
)
ADJUSTMENTS = objects(
    # Without a year it is that of the day, and written (A31).
    {"adjustedOn": DAYS, "year": WORD},
    id=TEXT,
    adjustmentRulesEffects=lists(EFFECTS),
    **OUTCOMES,
)
MOMENTS = st.sampled_from(["2026-01-31T12:00:00+00:00", "2026-01-31T12:00:00+02:00"])
PLANS = objects(
    {},
    id=TEXT,
    leaseId=TEXT,
    created=MOMENTS,
    modified=MOMENTS,
    adjusteeRef=TEXT,
    balanceChargeType=TEXT,
    nextAdjustmentDate=DAYS,
    cancelledOn=DAYS,
    endedOn=DAYS,
    cancelledOrEndedOn=DAYS,
    adjustsRecurringBillItem=st.booleans(),
    adjustsBalance=st.booleans(),
    vat=VATS,
    rentAdjustmentRules=lists(RULES),
    adjustments=lists(ADJUSTMENTS),
)


@given(data=PLANS)
def test_every_plan_that_the_interface_allows_is_listed_and_written_again(
    data: dict[str, Any],
) -> None:
    """As a plan or as its data, whatever its texts, numbers and days say (A48, A49, A50)."""
    page = loads(
        json.dumps({"rentAdjustmentPlans": [data]}), RentAdjustmentPlanPage, from_service=True
    )
    (written,) = exact(dumps(page))["rentAdjustmentPlans"]

    assert plain(with_lists(data)) == with_lists(written)


@given(data=PLANS)
def test_a_plan_of_a_service_is_checked_as_if_it_were_created(data: dict[str, Any]) -> None:
    strict: RentAdjustmentPlan | tuple[Problem, ...]
    try:
        strict = loads(json.dumps(data), RentAdjustmentPlan)
    except InvalidInputError as error:
        strict = error.problems
    listed = told({**data, "newField": {"of": "a newer service"}})

    assert strict == (listed.problems if isinstance(listed, RawRecord) else listed)
