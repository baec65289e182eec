"""Lists of plans of a service: one that nobody could create comes as its data and problems."""

import copy
import json
import pickle
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.interface import RentAdjustmentPlanPage
from rentbilling.records import Problems, RawRecord, Record
from rentbilling.tables import table_of
from tests.refusals.tables import PLANNED as LEASE, STEP
from tests.support.plans import octobers
from tests.support.received import (
    ODD,
    RULE,
    exact,
    places,
    plain,
    raw,
    refused_by,
    told,
    with_index,
    with_steps,
)
from tests.support.rows import rows

ALL = pytest.mark.parametrize("name", ODD)
GOOD = rb.RentAdjustmentPlan(id="b")


def page(*plans: object) -> RentAdjustmentPlanPage:
    text = json.dumps({"rentAdjustmentPlans": plans})
    return rb.loads(text, RentAdjustmentPlanPage, from_service=True)


# -------------------------------------------------------------------------------- data and problems


@ALL
def test_an_odd_plan_comes_as_its_data_with_its_problems(name: str) -> None:
    """The same ones, with codes and paths, as creating it; the others are as ever (A49)."""
    data, found = ODD[name]
    first, plan, last = page({"id": "a"}, data, {"id": "b"}).rent_adjustment_plans
    strict = refused_by(lambda: rb.loads(json.dumps(data), rb.RentAdjustmentPlan))

    assert isinstance(plan, RawRecord)
    assert (plain(data), found) == (plan.data, places(plan))
    assert (type(strict), strict.problems) == (type(plan.error), plan.problems)
    assert (rb.RentAdjustmentPlan(id="a"), GOOD) == (first, last)


def test_pydantic_writes_an_odd_plan_as_it_came() -> None:
    data = {"id": "odd", "rentAdjustmentRules": 5}

    assert [data] == page(data).model_dump(mode="json")["rentAdjustmentPlans"]


@ALL
def test_an_odd_plan_is_written_as_it_came(name: str) -> None:
    """Digit for digit, in the list that it came in."""
    text = json.dumps({"rentAdjustmentPlans": [ODD[name][0]]})
    read = rb.loads(text, RentAdjustmentPlanPage, from_service=True)

    assert exact(text) == exact(rb.dumps(read)) == exact(rb.dumps(read, full=True))
    assert exact(text)["rentAdjustmentPlans"] == [*read.model_dump()["rentAdjustmentPlans"]]


@ALL
def test_nothing_is_billed_by_an_odd_plan(name: str) -> None:
    """Refused with the same codes, whether the terms are read or made."""
    data, found = ODD[name]
    lease = {**LEASE, "rentAdjustmentPlans": [with_index(), data]}
    whole = [(f"rentAdjustmentPlans[1].{path}", code) for path, code in found]
    items = rb.loads(json.dumps(LEASE)).recurring_bill_items

    of_terms = refused_by(lambda: rb.loads(json.dumps(lease), from_service=True))
    of_created = refused_by(lambda: rb.loads(json.dumps(lease)))
    plans: Any = (raw(data),)
    made = refused_by(
        lambda: rb.LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=plans)
    )

    assert whole == places(of_terms) == places(of_created)
    assert all(each.path.startswith("rent_adjustment_plans[0].") for each in made.problems)
    assert [code for _, code in found] == [each.code for each in made.problems]


@ALL
def test_an_odd_plan_is_a_value(name: str) -> None:
    plan = raw(ODD[name][0])

    assert plan == raw(ODD[name][0]) == pickle.loads(pickle.dumps(plan)) == copy.deepcopy(plan)
    assert hash(plan) == hash(raw(ODD[name][0]))
    assert plan != raw({**ODD[name][0], "nextAdjustmentDate": "2027-01-01"})
    assert {plan, GOOD} == {GOOD, *page(ODD[name][0]).rent_adjustment_plans}  # pyright: ignore[reportUnhashable]


def test_the_data_are_those_of_the_list_and_of_nobody_else() -> None:
    data = {"id": "a", "rentAdjustmentRules": [{}]}
    listed = RentAdjustmentPlanPage.model_validate(
        {"rentAdjustmentPlans": [data]}, context={"from_service": True}
    )
    data["rentAdjustmentRules"].append({})  # type: ignore[attr-defined]

    (plan,) = listed.rent_adjustment_plans
    assert isinstance(plan, RawRecord)
    assert [{}] == plan.data["rentAdjustmentRules"]


@rows(
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
)
def test_no_list_is_refused_for_what_is_no_value_at_all(
    data: dict[str, Any], found: tuple[str, str]
) -> None:
    """A text where a number must be, a day that is none, an adjustment of no day (A49, A58)."""
    assert found == places(raw(data))[0]
    assert places(refused_by(lambda: rb.loads(json.dumps(data), rb.RentAdjustmentPlan))) == places(
        raw(data)
    )


def test_half_a_character_is_no_text() -> None:
    error = refused_by(
        lambda: rb.RentAdjustmentPlan.model_validate(
            {"adjusteeRef": "\ud800"}, context={"from_service": True}
        )
    )

    assert ["adjusteeRef"] == [each.path for each in error.problems]


@rows("entry", ["a plan", 7, [{"id": "a"}], None])
def test_what_is_no_object_is_no_plan(entry: object) -> None:
    """A list of anything else is no list of plans: refused whole (A46)."""
    error = refused_by(lambda: page({"id": "a"}, entry))

    assert ["rentAdjustmentPlans[1]"] == [each.path for each in error.problems]


def test_a_list_that_is_made_here_has_no_odd_plan_by_itself() -> None:
    """Only what a service wrote is read so; a raw record that is given is listed again."""
    data, found = ODD["no index month"]
    whole = [(f"rentAdjustmentPlans[0].{path}", code) for path, code in found]
    strict = refused_by(
        lambda: rb.loads(json.dumps({"rentAdjustmentPlans": [data]}), RentAdjustmentPlanPage)
    )
    again = RentAdjustmentPlanPage(rent_adjustment_plans=(raw(data), GOOD))

    assert whole == places(strict)
    assert (raw(data), GOOD) == again.rent_adjustment_plans


# ------------------------------------------------------------------------------------------- tables


def test_an_odd_plan_is_a_row_of_what_its_data_say() -> None:
    """Texts, flags and how many there are; what is no such thing is empty."""
    data = {
        **with_index(indexMonth=None),
        "id": "a",
        "adjusteeRef": 7,
        "adjustsBalance": False,
        "endedOn": "2027-12-31",
        "created": "2026-01-31T12:00:00Z",
        "vat": {"taxMode": "Exempt"},
        "adjustments": {},
    }
    listed = page(data, {"id": "b"})
    row, other = listed.rows()

    assert {
        **dict.fromkeys(other),
        "id": "a",
        "adjusts_balance": False,
        "created": "2026-01-31T12:00:00Z",
        "rent_adjustment_rules": 1,
    } == row
    assert GOOD.rows() == [other]
    assert [row, other] == table_of(rb.RentAdjustmentPlan, listed.rent_adjustment_plans).rows()
    assert "<td" in listed._repr_html_()


# ------------------------------------------------------------------------- sound plans of a service


def test_a_sound_plan_of_a_service_is_the_one_that_anybody_could_make() -> None:
    data = {"id": "a", **with_index()}

    assert rb.loads(json.dumps(data), rb.RentAdjustmentPlan) == told(
        {**data, "newField": {"of": 1}}
    )


def test_terms_of_a_service_bill_like_those_that_were_created() -> None:
    """8,500 a month and a tenth more are 9,350: the figures do not know who wrote the plan."""
    lease = json.loads(json.dumps(LEASE))
    made, read = rb.loads(json.dumps(lease)), rb.loads(json.dumps(lease), from_service=True)

    assert made == read
    tenths = octobers(100, 110, first=2025)
    days = "2027-01-01/2027-12-31"
    found = [rb.rent_adjustments(terms, days, indices=tenths) for terms in (made, read)]

    assert found[0] == found[1]
    assert [rb.Amount(9350, "DKK")] * 2 == [each[0].to_period_amount for each in found]


def test_a_plan_is_not_checked_again_within_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[object] = []
    plan = rb.loads(json.dumps(with_index()), rb.RentAdjustmentPlan)
    items = rb.loads(json.dumps(LEASE)).recurring_bill_items

    def counted(parts: Mapping[str, Any]) -> Problems:
        checked.append(parts)
        return iter(())

    monkeypatch.setattr(rb.RentAdjustmentPlan, "cross_field_problems", counted)
    terms = rb.LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=(plan,))

    assert plan is terms.rent_adjustment_plans[0]
    assert [] == checked

    told({"id": "a"})
    assert 1 == len(checked)


@rows(
    ("kind", "values", "path"),
    [
        (
            rb.RentAdjustmentRule,
            {"adjustment_type": "Index", "index_month": 10},
            "adjustment_month",
        ),
        (rb.RentAdjustmentRule, {"adjustment_month": 1, "index_month": 10}, "adjustment_type"),
        (rb.Increment, {"percentage": Decimal("0.03")}, "year"),
    ],
)
@rows("as_none", [False, True])
def test_a_rule_has_what_it_is_billed_by(
    kind: type[Record], values: dict[str, Any], path: str, *, as_none: bool
) -> None:
    error = refused_by(lambda: kind(**values, **({path: None} if as_none else {})))

    assert (path, "missing") == places(error)[0]


def test_an_odd_plan_raises_what_creating_it_would() -> None:
    plan: Any = raw(with_index(indexMonth=None))

    with pytest.raises(InvalidAdjustmentRuleError):
        raise plan.error
    with pytest.raises(rb.InvalidInputError):
        rb.pending_bills(rb.LeaseTerms(rent_adjustment_plans=(plan,)), "2026-02-01/2026-02-28")
