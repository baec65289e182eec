"""Plans as a service tells them: kept as they came, judged where somebody bills by them."""

import copy
import json
import pickle
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    Amount,
    Balance,
    Increment,
    InvalidAdjustmentRuleError,
    LeaseTerms,
    RentAdjustmentPlan,
    RentAdjustmentPlanPage,
    RentAdjustmentRule,
    loads,
    pending_bills,
    rent_adjustments,
)
from rentbilling.records.record import Faults, ToldRecord
from tests.support.bad_plans import (
    LEASE,
    STEP,
    WRONG_ADJUSTMENTS,
    WRONG_CLAUSES,
    WRONG_INCREMENTS,
    WRONG_PLANS,
    WRONG_RULES,
    WrongRecord,
    named,
)
from tests.support.plans import octobers
from tests.support.received import (
    ODD,
    RULE,
    places,
    plain,
    refused_by,
    told,
    with_index,
    with_lists,
    with_steps,
    written,
)

ALL = pytest.mark.parametrize("name", ODD)


# --------------------------------------------------------------------------------- kept as it came


@ALL
def test_an_odd_plan_is_read_and_written_as_it_came(name: str) -> None:
    """Alone and on a page between two others; what nobody could bill by harms no list (A49)."""
    data, _ = ODD[name]
    plans = [{"id": "a"}, data, {"id": "b", **with_index()}]
    page = {"rentAdjustmentPlans": plans}

    read = loads(json.dumps(page), RentAdjustmentPlanPage, from_service=True)

    assert plain(with_lists(data)) == written(told(data))
    assert plain({"rentAdjustmentPlans": [*map(with_lists, plans)]}) == written(read)
    assert told(data) == read.rent_adjustment_plans[1]


@ALL
def test_an_odd_plan_is_judged_where_it_is_billed(name: str) -> None:
    data, found = ODD[name]
    lease = {**LEASE, "rentAdjustmentPlans": [with_index(), data]}
    whole = [(f"rentAdjustmentPlans[1].{path}", code) for path, code in found]

    strict = refused_by(lambda: loads(json.dumps(data), RentAdjustmentPlan))
    judged = refused_by(told(data).judged)
    of_terms = refused_by(lambda: loads(json.dumps(lease), from_service=True))
    of_created = refused_by(lambda: loads(json.dumps(lease)))

    assert found == places(strict) == places(judged)
    assert strict.problems == judged.problems
    assert type(strict) is type(judged)
    assert whole == places(of_terms) == places(of_created)
    assert of_created.problems == of_terms.problems
    assert type(strict) is type(of_terms)


@ALL
def test_an_odd_plan_is_judged_where_terms_are_made_of_it(name: str) -> None:
    data, found = ODD[name]
    terms, plan = loads(json.dumps(LEASE)), told(data)
    made = refused_by(lambda: LeaseTerms(rent_adjustment_plans=(plan,)))
    changed = refused_by(lambda: terms.evolve(rent_adjustment_plans=(plan,)))

    codes = [code for _, code in found]
    assert codes == [each.code for each in made.problems]
    assert codes == [each.code for each in changed.problems]
    assert all(each.path.startswith("rent_adjustment_plans[0].") for each in made.problems)
    assert [each.path for each in made.problems] == [each.path for each in changed.problems]


@ALL
def test_an_odd_plan_is_a_value_like_any_other(name: str) -> None:
    plan = told(ODD[name][0])
    again = pickle.loads(pickle.dumps(plan))

    assert plan.is_told
    assert again.is_told
    assert plan == again == copy.copy(plan) == copy.deepcopy(plan) == told(ODD[name][0])
    assert hash(plan) == hash(again)
    assert plan != told({"id": "another"})
    assert repr(plan).startswith("RentAdjustmentPlan(")
    assert plan.rows()


TABLES = (WRONG_RULES, WRONG_INCREMENTS, WRONG_CLAUSES, WRONG_PLANS, WRONG_ADJUSTMENTS)
# No service lists a balance alone: it is judged at once.
WRONG = [wrong for table in TABLES for wrong in table if wrong.record is not Balance]


@pytest.mark.parametrize("wrong", WRONG, ids=named)
def test_whatever_is_wrong_with_a_record_is_told_at_one_of_two_times(wrong: WrongRecord) -> None:
    text, kind = json.dumps(wrong.data), wrong.record
    assert issubclass(kind, ToldRecord)
    strict = refused_by(lambda: loads(text, kind))
    if "unknown_field" == wrong.code:
        # What we do not know is passed over (A50).
        assert not loads(text, kind, from_service=True).judged().is_told
        return
    found = refused_by(lambda: loads(text, kind, from_service=True).judged())

    assert strict.problems == found.problems
    assert type(strict) is type(found)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (with_index(adjustmentMonth="January"), (f"{RULE}.adjustmentMonth", "not_a_whole_number")),
        (with_index(adjustmentMonth=1.5), (f"{RULE}.adjustmentMonth", "not_a_whole_number")),
        (with_index(indexMonth=True), (f"{RULE}.indexMonth", "not_a_whole_number")),
        (with_index(indexMonth=10**15), (f"{RULE}.indexMonth", "not_a_whole_number")),
        (with_index(firstYear=20), (f"{RULE}.firstYear", "not_a_year")),
        (with_index(maximumPercentage="4 %"), (f"{RULE}.maximumPercentage", "not_a_number")),
        (
            with_steps({**STEP, "recurrence": 2}),
            (f"{RULE}.increments[0].recurrence", "unknown_recurrence"),
        ),
        ({"endedOn": "next year"}, ("endedOn", "not_a_date")),
        ({"adjustments": [{"year": "2027"}]}, ("adjustments[0].adjustedOn", "missing")),
        ({"vat": {"taxMode": "Scheme", "taxRate": "25 %"}}, ("vat.taxMode", "unknown_tax_mode")),
        ({"vat": {"taxMode": 1, "taxRate": 0.25}}, ("vat.taxMode", "unknown_tax_mode")),
        ({"vat": ["Exempt"]}, ("vat", "not_an_object")),
        ({"id": 7}, ("id", "not_a_text")),
    ],
    ids=str,
)
def test_what_is_no_value_at_all_is_refused_also_in_what_a_service_told(
    data: dict[str, Any], found: tuple[str, str]
) -> None:
    """A text where a number must be, a day that is none, an adjustment of no day (A49, A58)."""
    strict = refused_by(lambda: loads(json.dumps(data), RentAdjustmentPlan))
    read = refused_by(lambda: told(data))

    assert found == places(read)[0]
    assert set(places(read)) <= set(places(strict))


def test_half_a_character_is_no_text() -> None:
    error = refused_by(
        lambda: RentAdjustmentPlan.model_validate(
            {"adjusteeRef": "\ud800"}, context={"from_service": True}
        )
    )

    assert ["adjusteeRef"] == [each.path for each in error.problems]


# ------------------------------------------------------------------------- sound plans of a service


def test_a_sound_plan_of_a_service_is_the_one_that_anybody_could_make() -> None:
    text = json.dumps({"id": "a", **with_index()})
    made, read = loads(text, RentAdjustmentPlan), loads(text, RentAdjustmentPlan, from_service=True)

    assert (False, True) == (made.is_told, read.is_told)
    assert made == read == read.judged()
    assert hash(made) == hash(read)
    assert not read.judged().is_told
    assert made is made.judged()


def test_terms_of_a_service_bill_like_those_that_were_created() -> None:
    """8,500 a month and a tenth more are 9,350: the figures do not know who told the plan."""
    lease = json.loads(json.dumps(LEASE))
    made, read = loads(json.dumps(lease)), loads(json.dumps(lease), from_service=True)

    assert made == read
    tenths = octobers(100, 110, first=2025)
    days = "2027-01-01/2027-12-31"
    found = [rent_adjustments(terms, days, indices=tenths) for terms in (made, read)]

    assert found[0] == found[1]
    assert [Amount(9350, "DKK")] * 2 == [each[0].to_period_amount for each in found]


def test_a_plan_that_was_made_here_is_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[object] = []
    plan, of_service = loads(json.dumps(with_index()), RentAdjustmentPlan), told(with_index())
    items = loads(json.dumps(LEASE)).recurring_bill_items
    misfits = RentAdjustmentPlan.misfits

    def counted(parts: Mapping[str, Any]) -> Faults:
        judged.append(parts)
        return misfits(parts)

    monkeypatch.setattr(RentAdjustmentPlan, "misfits", counted)

    terms = LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=(plan,))
    assert plan is terms.rent_adjustment_plans[0]
    assert [] == judged

    LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=(of_service,))
    assert 1 == len(judged)


# ----------------------------------------------------------------------- what is built of odd parts


@ALL
def test_python_builds_on_no_odd_part(name: str) -> None:
    plan = told(ODD[name][0])
    parts = {
        field: getattr(plan, field)
        for field in plan.model_fields_set
        if getattr(plan, field) is not None
    }
    good = RentAdjustmentPlan(created=None)

    refused_by(lambda: RentAdjustmentPlan(**parts))
    refused_by(lambda: good.evolve(**parts))
    refused_by(lambda: plan.evolve(next_adjustment_date=None))


def test_an_odd_plan_can_be_mended() -> None:
    plan = told({"id": "a", **with_index(indexMonth=None)})
    rule = plan.rent_adjustment_rules[0].evolve(index_month=10)

    assert not rule.is_told
    assert loads(json.dumps({"id": "a", **with_index()}), RentAdjustmentPlan) == plan.evolve(
        rent_adjustment_rules=(rule,)
    )


def test_an_odd_plan_is_listed_again() -> None:
    plan = told(with_index(indexMonth=None))
    page = RentAdjustmentPlanPage(rent_adjustment_plans=(plan,))
    passed = RentAdjustmentPlanPage.model_validate(
        {"rentAdjustmentPlans": [plan]}, context={"from_service": True}
    )
    within = RentAdjustmentPlan.model_validate(
        {"rentAdjustmentRules": plan.rent_adjustment_rules}, context={"from_service": True}
    )

    assert plan is page.rent_adjustment_plans[0] is passed.rent_adjustment_plans[0]
    assert plan == within


def test_what_a_rule_lacks_is_none_and_no_figure() -> None:
    """Who reads it sees None; who would compute with it is refused (A32, A36)."""
    rule = told(with_steps({"percentage": 0.03}, adjustmentMonth=None)).rent_adjustment_rules[0]
    bare = told({"rentAdjustmentRules": [{"id": "a"}]}).rent_adjustment_rules[0]

    assert (None, None, None) == (
        bare.adjustment_month,
        bare.adjustment_type,
        rule.increments[0].year,
    )
    assert not bare.by_index
    for act, path in (
        (lambda: bare.month, "adjustmentMonth"),
        (lambda: bare.calendar_months, "adjustmentMonth"),
        (lambda: rule.increments[0].of_year, "year"),
    ):
        assert [(path, "missing")] == places(refused_by(act))


@pytest.mark.parametrize(
    ("kind", "values", "path"),
    [
        (RentAdjustmentRule, {"adjustment_type": "Index", "index_month": 10}, "adjustment_month"),
        (RentAdjustmentRule, {"adjustment_month": 1, "index_month": 10}, "adjustment_type"),
        (Increment, {"percentage": Decimal("0.03")}, "year"),
    ],
    ids=str,
)
@pytest.mark.parametrize("as_none", [False, True])
def test_who_creates_a_rule_says_what_a_service_may_leave_out(
    kind: type[ToldRecord], values: dict[str, Any], path: str, *, as_none: bool
) -> None:
    error = refused_by(lambda: kind(**values, **({path: None} if as_none else {})))

    assert (path, "missing") == places(error)[0]


def test_bills_are_made_of_terms_that_hold_no_odd_plan() -> None:
    lease = {**LEASE, "rentAdjustmentPlans": [with_index(indexMonth=None)]}

    with pytest.raises(InvalidAdjustmentRuleError):
        pending_bills(loads(json.dumps(lease), from_service=True), "2026-02-01/2026-02-28")
