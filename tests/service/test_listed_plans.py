"""What is told of a plan: what came of it up to the day, and when it adjusts next."""

from datetime import date
from typing import Any

from rentbilling import RentAdjustmentPlan, dumps, next_adjustment_date
from rentbilling.errors import NotFoundError
from rentbilling.service import Stored
from tests.support import operated
from tests.support.plans import octobers, series, years
from tests.support.rows import rows

OCTOBERS = octobers(100, 110, first=2025)


def listed(service: operated.Service, **told: Any) -> list[RentAdjustmentPlan]:  # noqa: ANN401
    return list(service("list_rent_adjustment_plans", **told).rent_adjustment_plans)


def steps(plan: RentAdjustmentPlan) -> list[tuple[str, str, str]]:
    return [
        (str(each.adjusted_on), str(each.from_period_amount), str(each.to_period_amount))
        for each in plan.adjustments
    ]


def test_a_plan_tells_its_adjustments_up_to_the_day_and_the_next_one() -> None:
    """8,500 x 1.02 = 8,670 and 8,670 x 1.02 = 8,843.40; the next one comes in January 2029."""
    service = operated.Service(day="2028-03-15")
    plan_id = service.plan(service.lease(operated.rent()), operated.by_percent(0.02))
    (plan,) = listed(service)

    assert [
        ("2027-01-01", "8500.00 DKK", "8670.00 DKK"),
        ("2028-01-01", "8670.00 DKK", "8843.40 DKK"),
    ] == steps(plan)
    assert date(2029, 1, 1) == plan.next_adjustment_date
    assert [f"{plan_id}-2027-01-01", f"{plan_id}-2028-01-01"] == operated.ids(plan.adjustments)
    first = plan.adjustments[0]
    # A year's rent, 12 x 8,500 and 12 x 8,670, and what the one rule did.
    assert ("102000.00 DKK", "104040.00 DKK") == (
        str(first.from_yearly_amount),
        str(first.to_yearly_amount),
    )
    (effect,) = first.adjustment_rules_effects
    assert ("rule-1", "170.00 DKK") == (
        effect.rent_adjustment_rule_id,
        str(effect.period_amount_change),
    )


def test_a_plan_is_told_alone_as_it_is_listed() -> None:
    """With what was computed up to the day: 8,500 x 1.02 = 8,670, and again in 2028."""
    service = operated.Service(day="2027-03-15")
    lease_id = service.lease(operated.rent())
    plan_id = service.plan(lease_id, operated.by_percent(0.02))
    plan = service("retrieve_rent_adjustment_plan", rentAdjustmentPlanId=plan_id)

    assert [plan] == listed(service)
    assert [("2027-01-01", "8500.00 DKK", "8670.00 DKK")] == steps(plan)
    assert (date(2028, 1, 1), lease_id) == (plan.next_adjustment_date, plan.lease_id)


def test_a_plan_that_is_not_there_is_not_found() -> None:
    """Its lease's id is none of a plan (A46)."""
    service = operated.Service()
    error = service.refused(
        "retrieve_rent_adjustment_plan", rentAdjustmentPlanId=service.lease(operated.rent())
    )

    assert NotFoundError("unknown_id", kind="rent adjustment plan", id="id-2") == error


def test_a_plan_is_told_as_the_interface_shows_it() -> None:
    """The effect has the percentage and the index values, and nothing that is ours alone (A56)."""
    service = operated.Service(indices=OCTOBERS, day="2027-01-01")
    service.plan(service.lease(operated.rent()), operated.by_index())
    (plan,) = listed(service)
    text = dumps(plan)

    # 8,500 x 110 / 100 = 9,350.
    assert '"nextAdjustmentDate": "2028-01-01"' in text
    assert (
        '"adjustments": [{"id": "id-4-2027-01-01", "adjustedOn": "2027-01-01", "year": "2027",'
        ' "fromYearlyAmount": {"currency": "DKK", "amount": 102000.00},'
        ' "toYearlyAmount": {"currency": "DKK", "amount": 112200.00},'
    ) in text
    assert '"calculatedPercentage": 0.1' in text
    assert "planId" not in text


@rows(
    ("day", "made", "following"),
    [
        ("2026-12-31", 0, "2027-01-01"),
        ("2027-01-01", 1, "2028-01-01"),
        ("2027-12-31", 1, "2028-01-01"),
        ("2028-01-01", 2, "2029-01-01"),
    ],
)
def test_an_adjustment_of_the_day_is_made(day: str, made: int, following: str) -> None:
    service = operated.Service(day=day)
    service.plan(service.lease(operated.rent()), operated.by_percent(0.02))
    (plan,) = listed(service)

    assert (made, date.fromisoformat(following)) == (
        len(plan.adjustments),
        plan.next_adjustment_date,
    )


def test_what_an_index_does_not_tell_is_left_out() -> None:
    """The index of October 2027 is missing: 2028 is not told, nor is 2029 that follows it.

    The other item's plan is told whole: 300 x 1.02 = 306 in 2027, x 1.02 = 312.12, x 1.02 = 318.36.
    """
    service = operated.Service(indices=OCTOBERS, day="2029-02-01")
    lease_id = service.lease(operated.rent(), operated.rent(300, productKey="key:water"))
    service.plan(lease_id, operated.by_index(adjusteeRef="id-3"))
    service.plan(lease_id, operated.by_percent(0.02, adjusteeRef="id-4"))
    index, percent = listed(service)

    assert [("2027-01-01", "8500.00 DKK", "9350.00 DKK")] == steps(index)
    assert [
        ("2027-01-01", "300.00 DKK", "306.00 DKK"),
        ("2028-01-01", "306.00 DKK", "312.12 DKK"),
        ("2029-01-01", "312.12 DKK", "318.36 DKK"),
    ] == steps(percent)
    assert {date(2030, 1, 1)} == {index.next_adjustment_date, percent.next_adjustment_date}


def test_a_policy_that_goes_on_without_a_value_is_told_as_it_bills() -> None:
    """No adjustment in 2028, whose index is missing; the list agrees with the bills (A41)."""
    known = series({"2025-10": 100, "2026-10": 110, "2028-10": 121})
    service = operated.Service(indices=known, day="2029-02-01")
    service.policy = service.policy.evolve(missing_index="notice")
    lease_id = service.lease(operated.rent())
    service.plan(lease_id, operated.by_index())
    (plan,) = listed(service)
    (bill,) = service("list_pending_bills", lease_id, period="2029-02-01/2029-02-28")

    assert ["2027-01-01", "2029-01-01"] == [str(each.adjusted_on) for each in plan.adjustments]
    assert str(plan.adjustments[-1].to_period_amount) == str(bill.total)


def test_a_series_that_is_gone_leaves_the_dates() -> None:
    service = operated.Service(indices=OCTOBERS, day="2027-03-15")
    made = {"adjustedOn": "2026-03-01", "toPeriodAmount": operated.money(8600)}
    service.plan(service.lease(operated.rent()), operated.by_index(adjustments=[made]))
    service.indices = None
    (plan,) = listed(service)

    assert ["id-4-2026-03-01"] == operated.ids(plan.adjustments)
    assert date(2028, 1, 1) == plan.next_adjustment_date


def test_a_series_that_a_rule_does_not_fit_any_more_leaves_the_dates() -> None:
    """The service has values of whole years now, and the rule compares Octobers (A41)."""
    service = operated.Service(indices=OCTOBERS, day="2027-03-15")
    service.plan(service.lease(operated.rent()), operated.by_index())
    service.indices = years(100, 110, first=2025)
    (plan,) = listed(service)

    assert ((), date(2028, 1, 1)) == (plan.adjustments, plan.next_adjustment_date)


def test_a_plan_that_nobody_could_bill_has_no_dates() -> None:
    service = operated.Service()
    lease_id = service.lease(balances=[operated.DEPOSIT])
    plan = RentAdjustmentPlan.model_validate(
        {**operated.by_percent(0.02), **operated.OF_BALANCE, "id": "own"}
    )
    service.keep(Stored(plan, "own", lease_id))

    assert [plan] == listed(service)


def test_a_plan_of_a_balance_tells_how_it_moved() -> None:
    """A deposit of 25,500 x 1.02 = 26,010."""
    service = operated.Service(day="2027-02-01")
    lease_id = service.lease(operated.rent(), balances=[operated.DEPOSIT])
    service.plan(lease_id, operated.by_percent(0.02, **operated.OF_BALANCE))
    (plan,) = listed(service)
    (made,) = plan.adjustments

    assert ("25500.00 DKK", "26010.00 DKK", None) == (
        str(made.from_balance_amount),
        str(made.to_balance_amount),
        made.to_period_amount,
    )
    assert date(2028, 1, 1) == plan.next_adjustment_date


def test_a_balance_of_months_that_cannot_be_told_is_left_out() -> None:
    """Three months of a rent whose index is missing: 3 x 9,350 = 28,050 in 2027, then nothing."""
    service = operated.Service(indices=OCTOBERS, day="2028-02-01")
    lease_id = service.lease(operated.rent(), balances=[{**operated.DEPOSIT, "months": 3}])
    service.plan(lease_id, operated.by_index())
    service.plan(lease_id, operated.by_index(**operated.OF_BALANCE))
    _, plan = listed(service)

    assert ["28050.00 DKK"] == [str(each.to_balance_amount) for each in plan.adjustments]


def test_listed_adjustments_stay_and_those_after_them_are_computed() -> None:
    """9,000 as listed for 2027, under its own id; 9,000 x 1.02 = 9,180 in 2028."""
    service = operated.Service(day="2028-02-01")
    made = {"id": "own", "adjustedOn": "2027-01-01", "toPeriodAmount": operated.money(9000)}
    service.plan(service.lease(operated.rent()), operated.by_percent(0.02, adjustments=[made]))
    (plan,) = listed(service)

    assert ["own", "id-4-2028-01-01"] == operated.ids(plan.adjustments)
    assert "9180.00 DKK" == str(plan.adjustments[1].to_period_amount)


def test_a_listed_adjustment_to_come_is_the_next_one() -> None:
    service = operated.Service(day="2026-03-15")
    made = {"adjustedOn": "2026-07-01", "toPeriodAmount": operated.money(8600)}
    service.plan(service.lease(operated.rent()), operated.by_percent(0.02, adjustments=[made]))
    (plan,) = listed(service)

    assert date(2026, 7, 1) == plan.next_adjustment_date
    assert [date(2026, 7, 1)] == [each.adjusted_on for each in plan.adjustments]


def test_listed_adjustments_speak_for_the_days_up_to_them() -> None:
    """March 2026 is listed at 8,600; April 2026 adds two percent: 8,772 in May (A18)."""
    service = operated.Service(day="2026-03-15")
    made = {"adjustedOn": "2026-03-01", "toPeriodAmount": operated.money(8600)}
    adding = operated.by_step("2026", month=4, percentage=0.02, recurrence="Recurring")
    lease_id = service.lease(operated.rent())
    service.plan(lease_id, {**adding, "adjustments": [made]})
    (plan,) = listed(service)
    (bill,) = service("list_pending_bills", lease_id, period="2026-05-01/2026-05-31")

    assert date(2026, 4, 1) == plan.next_adjustment_date
    assert "8772.00 DKK" == str(bill.total)
    terms = service("retrieve_lease_terms", lease_id)
    assert date(2026, 4, 1) == next_adjustment_date(terms, "2026-03-15")


@rows(
    ("end", "following"),
    [
        ({"cancelledOn": "2028-01-01"}, None),
        ({"cancelledOn": "2028-01-02"}, "2028-01-01"),
        ({"endedOn": "2027-12-31"}, None),
        ({"endedOn": "2028-01-01"}, "2028-01-01"),
        ({"cancelledOrEndedOn": "2028-01-01"}, None),
    ],
)
def test_after_its_end_a_plan_has_no_next_adjustment(
    end: operated.Body, following: str | None
) -> None:
    """Cancelled on a day there is none on it; ended on a day there is (A32)."""
    service = operated.Service(day="2027-03-15")
    service.plan(service.lease(operated.rent()), operated.by_percent(0.02, **end))
    (plan,) = listed(service)

    assert following == (plan.next_adjustment_date and str(plan.next_adjustment_date))


def test_nothing_is_to_come_of_what_ends() -> None:
    service = operated.Service(day="2027-03-15")
    service.plan(service.lease(operated.rent(endedOn="2027-12-31")), operated.by_percent(0.02))
    service.plan(
        service.lease(operated.rent(), contractEnd="2027-12-31"), operated.by_percent(0.02)
    )

    assert [None, None] == [each.next_adjustment_date for each in listed(service)]
    assert [1, 1] == [len(each.adjustments) for each in listed(service)]


def test_a_page_of_plans_of_many_leases_is_told_by_each_lease() -> None:
    """1,000, 2,000 … x 1.02, whichever plan of whichever lease; two plans of the second."""
    service = operated.Service(day="2027-02-01")
    for thousands in range(1, 5):
        service.plan(service.lease(operated.rent(1000 * thousands)), operated.by_percent(0.02))
    service.plan("id-6", operated.by_percent(0.01, month=2))
    plans = listed(service, limit=4, startingAfter="id-4")

    assert [["2040.00 DKK"], ["3060.00 DKK"], ["4080.00 DKK"], ["2060.40 DKK"]] == [
        [str(each.to_period_amount) for each in plan.adjustments] for plan in plans
    ]


def test_a_plan_without_its_lease_is_told_as_it_is_kept() -> None:
    service = operated.Service()
    plan = RentAdjustmentPlan.model_validate(operated.by_percent(0.02, id="own"))
    service.keep(Stored(plan, "own", "nowhere"), Stored(plan.evolve(id="other"), "other"))

    assert [plan, plan.evolve(id="other")] == listed(service)
    assert plan == service("retrieve_rent_adjustment_plan", rentAdjustmentPlanId="own")
