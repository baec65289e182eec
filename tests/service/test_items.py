"""Bill items and plans: created on a lease that can be billed with them, and listed."""

from datetime import date, timedelta
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import ConflictError, InvalidAdjustmentRuleError, UnknownWordError
from tests.support.operated import (
    DEPOSIT,
    NOON,
    OF_BALANCE,
    Service,
    by_index,
    by_percent,
    by_step,
    fee,
    ids,
    money,
    rent,
)
from tests.support.plans import octobers
from tests.support.rows import rows

OCTOBERS = octobers(100, 110, first=2025)


def test_a_recurring_item_is_kept_as_it_was_given() -> None:
    """The answer has its id and the due date of its opening period (A12)."""
    service = Service()
    lease_id = service.lease()
    discount = {"percentage": 0.1, "endDate": "2026-06-30"}
    records = [{"value": money(9000), "start": "2026-07-01"}]
    item = rent(description="Rent", discount=discount, amountRecords=records)
    created = service("create_recurring_bill_item", lease_id, recurringBillItem=item)

    assert '{"recurringBillItemId": "id-3", "firstDueDate": "2026-01-15"}' == rb.dumps(created)
    (kept,) = service.kept(rb.RecurringBillItem)
    assert rb.RecurringBillItem.model_validate({**item, "id": "id-3"}) == kept
    assert (kept,) == service("retrieve_lease_terms", lease_id).recurring_bill_items


def test_items_are_listed_with_their_lease() -> None:
    service = Service()
    one, other = service.lease(rent()), service.lease(rent(9000), rent(300, productKey="key:water"))
    service("create_one_time_bill_item", one, oneTimeBillItem=fee())
    service("create_one_time_bill_item", other, oneTimeBillItem=fee())
    items = service("list_recurring_bill_items").recurring_bill_items
    fees = service("list_one_time_bill_items").one_time_bill_items

    assert [one, other, other] == [each.lease_id for each in items]
    assert [one, other] == [each.lease_id for each in fees]
    assert items[1:] == service("list_recurring_bill_items", other).recurring_bill_items
    assert fees[:1] == service("list_one_time_bill_items", one).one_time_bill_items
    for listed, kind in ((items[0], rb.RecurringBillItem), (fees[0], rb.OneTimeBillItem)):
        written = rb.loads(rb.dumps(listed), kind, from_service=True)
        assert written in service.kept(kind)
        assert f'"leaseId": "{one}"' in rb.dumps(listed)


def test_a_listed_item_says_no_more_than_it_was_given() -> None:
    """What is absent stays absent (A6)."""
    service = Service()
    service("create_one_time_bill_item", service.lease(), oneTimeBillItem=fee())
    (listed,) = service("list_one_time_bill_items").one_time_bill_items

    assert (
        '{"id": "id-3", "productKey": "key:fee", '
        '"amount": {"currency": "DKK", "amount": 100.00}, "vat": {"taxMode": "Exempt"}, '
        '"dueDate": "2026-02-01", "accountingPeriod": "2026-02-01/2026-02-28", '
        '"leaseId": "id-2"}'
    ) == rb.dumps(listed)


def test_an_item_that_the_lease_cannot_have_is_refused() -> None:
    """A rent in another currency than the deposit that follows the rents (A2, A39)."""
    service = Service(indices=OCTOBERS)
    lease_id = service.lease(rent(), balances=[{**DEPOSIT, "months": 3}])
    service.plan(lease_id, by_index(**OF_BALANCE))
    euros = rent(100, "EUR")

    error = service.refused("create_recurring_bill_item", lease_id, recurringBillItem=euros)
    assert "recurringBillItem: does not fit the lease, whose balances[0].amount.currency" in str(
        error
    )
    assert 1 == len(service.kept(rb.RecurringBillItem))


def test_an_item_that_could_never_be_billed_is_refused() -> None:
    """A year of holidays leaves no day on which it could fall due (A11)."""
    year = frozenset(date(2026, 1, 1) + timedelta(days) for days in range(365))
    service = Service(policy=rb.BillingPolicy(business_day="following", holidays=year))
    error = service.refused("create_recurring_bill_item", service.lease(), recurringBillItem=rent())

    assert isinstance(error, rb.UnsupportedCaseError)
    assert [] == service.kept(rb.RecurringBillItem)


def test_a_plan_says_what_it_is_about() -> None:
    service = Service(indices=OCTOBERS)
    lease_id = service.lease(rent(), balances=[DEPOSIT])
    both = {"adjustsRecurringBillItem": True, "adjustsBalance": True}
    plan_id = service.plan(lease_id, by_index(**both))
    (plan,) = service("list_rent_adjustment_plans").rent_adjustment_plans

    assert (plan_id, lease_id, NOON, NOON) == (plan.id, plan.lease_id, plan.created, plan.modified)
    assert ("id-3", "deposit") == (plan.adjustee_ref, plan.balance_charge_type)
    (rule,) = plan.rent_adjustment_rules
    assert ("rule-1", "NPI") == (rule.id, rule.clause.series)


def test_what_a_plan_says_itself_is_kept() -> None:
    service = Service(indices=(OCTOBERS, rb.IndexSeries("KPI", {"2025-10": "100"})))
    lease_id = service.lease(rent())
    rule = {
        "id": "own",
        "adjustmentType": "Index",
        "adjustmentMonth": 1,
        "indexMonth": 10,
        "indexClause": {"series": "NPI"},
    }
    own = {
        "leaseId": lease_id,
        "created": "2020-01-01T00:00:00+00:00",
        "modified": "2021-01-01T00:00:00+00:00",
        "adjusteeRef": "id-3",
        "adjustsRecurringBillItem": True,
        "adjustsBalance": False,
        "rentAdjustmentRules": [rule],
        "cancelledOn": "2030-01-01",
        "vat": {"taxMode": "Exempt"},
        "adjustments": [{"adjustedOn": "2026-03-01", "toPeriodAmount": money(8600)}],
    }
    plan_id = service.plan(lease_id, own)

    assert [rb.RentAdjustmentPlan.model_validate({**own, "id": plan_id})] == service.kept(
        rb.RentAdjustmentPlan
    )


def test_a_second_item_makes_no_plan_doubtful() -> None:
    service = Service()
    lease_id = service.lease(rent())
    service.plan(lease_id, by_percent(0.02))
    water = rent(300, productKey="key:water")
    service("create_recurring_bill_item", lease_id, recurringBillItem=water)
    found = service("list_pending_bills", lease_id, period="2027-01-01/2027-01-31")

    # 8,500 x 1.02 and 300.
    assert "8970.00 DKK" == str(found[0].total)


def test_a_second_series_makes_no_plan_doubtful() -> None:
    """8,500 x 110 / 100 by the series that was the only one."""
    service = Service(indices=OCTOBERS)
    lease_id = service.lease(rent())
    service.plan(lease_id, by_index())
    service.indices = (OCTOBERS, rb.IndexSeries("KPI", {"2025-10": "100"}))
    found = service("list_pending_bills", lease_id, period="2027-01-01/2027-01-31")

    assert "9350.00 DKK" == str(found[0].total)


def test_a_plan_of_a_balance_alone_is_about_that_balance() -> None:
    """Its id is written down, so that a second deposit makes no difference."""
    service = Service()
    lease_id = service.lease(rent(), balances=[DEPOSIT])
    service.plan(lease_id, by_percent(0.02, **OF_BALANCE))
    (balance,) = service("retrieve_lease_terms", lease_id).balances
    (plan,) = service.kept(rb.RentAdjustmentPlan)

    assert (balance.id, "deposit") == (plan.adjustee_ref, plan.balance_charge_type)
    second = {**DEPOSIT, "amount": money(100)}
    same = {**DEPOSIT, "id": balance.id}
    assert service("change_lease", lease_id, balances=[same, second])


@rows(
    ("plan", "path", "code"),
    [
        (by_percent(0.02, adjusteeRef="id-9"), "adjusteeRef", "unknown_adjustee"),
        (by_percent(0.02, **OF_BALANCE), "adjusteeRef", "unknown_adjustee"),
        (
            by_percent(0.02, adjustsBalance=True, balanceChargeType="deposit"),
            "balanceChargeType",
            "unknown_adjustee",
        ),
        (
            by_step("2027", amount=money(100, "EUR")),
            "rentAdjustmentRules[0].increments[0].amount.currency",
            "currency_mismatch",
        ),
    ],
)
def test_a_plan_that_the_lease_cannot_have_is_refused(
    plan: dict[str, Any], path: str, code: str
) -> None:
    """With the path in the request, as the caller wrote it (A46)."""
    service = Service()
    lease_id = service.lease(rent())

    assert [(f"rentAdjustmentPlan.{path}", code)] == service.paths(
        "create_rent_adjustment_plan", lease_id, rentAdjustmentPlan=plan
    )
    assert [] == service.kept(rb.RentAdjustmentPlan)


def test_plans_that_meet_are_refused_when_the_second_is_made() -> None:
    """The first month in which they meet is told, and the plan that is there already (A37)."""
    service = Service()
    lease_id = service.lease(rent())
    first = service.plan(lease_id, by_percent(0.02, month=4))
    error = service.refused(
        "create_rent_adjustment_plan", lease_id, rentAdjustmentPlan=by_percent(0.03, month=4)
    )

    assert isinstance(error, InvalidAdjustmentRuleError)
    (problem,) = error.problems
    assert ("rentAdjustmentPlan", "two_plans") == (problem.path, problem.code)
    assert f"adjusts what plan {first} adjusts in 2027-04" == problem.message
    assert service.plan(lease_id, by_percent(0.03, month=5))


@pytest.mark.parametrize("first", ["2090", None])
def test_plans_of_far_years_are_tried_too(first: str | None) -> None:
    """They meet in 2090, which no bill asks for today (A37)."""
    service = Service()
    lease_id = service.lease(rent())
    far = by_step("2090", first=first)
    service.plan(lease_id, far)

    assert [("rentAdjustmentPlan", "two_plans")] == service.paths(
        "create_rent_adjustment_plan", lease_id, rentAdjustmentPlan=far
    )


def test_a_plan_in_the_last_years_of_the_calendar_is_no_trouble() -> None:
    """Nobody looks beyond the year 9999."""
    service = Service()

    assert service.plan(service.lease(rent()), by_step("9999", first="9990"))


def test_an_index_that_the_service_does_not_have_is_refused() -> None:
    """Each wrong series with its path, and the ones there are (A41)."""
    service = Service(indices=(OCTOBERS, rb.IndexSeries("KPI", {"2025-10": "100"})))
    lease_id = service.lease(rent())
    rule = {
        "adjustmentType": "Index",
        "adjustmentMonth": 1,
        "indexMonth": 10,
        "indexClause": {"series": "CPI", "lowerOf": ["KPI", "HICP"]},
    }
    error = service.refused(
        "create_rent_adjustment_plan", lease_id, rentAdjustmentPlan={"rentAdjustmentRules": [rule]}
    )

    assert isinstance(error, UnknownWordError)
    there = "rentAdjustmentPlan.rentAdjustmentRules[0].indexClause"
    assert [
        (f"{there}.series", "'CPI'", "one of NPI, KPI"),
        (f"{there}.lowerOf[1]", "'HICP'", "one of NPI, KPI"),
    ] == [(each.path, each.met, each.expected) for each in error.problems]


def test_a_service_without_series_says_so() -> None:
    service = Service()
    error = service.refused(
        "create_rent_adjustment_plan", service.lease(rent()), rentAdjustmentPlan=by_index()
    )

    assert "is no index series of the service (met nothing; expected a service with index" in str(
        error
    )


def test_of_several_series_a_rule_names_its_own() -> None:
    """Nobody picks one for it (A41)."""
    service = Service(indices=(OCTOBERS, rb.IndexSeries("KPI", {"2025-10": "100"})))

    assert [
        ("rentAdjustmentPlan.rentAdjustmentRules[0].indexClause.series", "series_needed")
    ] == service.paths(
        "create_rent_adjustment_plan", service.lease(rent()), rentAdjustmentPlan=by_index()
    )


def test_a_rule_that_only_limits_needs_no_series() -> None:
    """Beside a rule of the index, which has one (A40)."""
    service = Service(indices=OCTOBERS)
    index = {"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}
    cap = {
        "adjustmentType": "Index",
        "adjustmentMonth": 1,
        "maximumPercentage": 0.04,
        "indexClause": {"combine": "limit"},
    }
    service.plan(service.lease(rent()), {"rentAdjustmentRules": [index, cap]})
    (plan,) = service.kept(rb.RentAdjustmentPlan)

    assert ["NPI", None] == [each.clause.series for each in plan.rent_adjustment_rules]


def test_a_missing_value_is_no_reason_to_refuse_a_plan() -> None:
    service = Service(indices=octobers(100, first=2025))

    assert service.plan(service.lease(rent()), by_index())


def test_a_deposit_of_months_needs_a_rent() -> None:
    """A fact is missing that the lease does not have (A39)."""
    service = Service(indices=OCTOBERS)
    lease_id = service.lease(contractStart="2026-01-15", balances=[{**DEPOSIT, "months": 3}])
    plan = by_index(**OF_BALANCE)
    error = service.refused("create_rent_adjustment_plan", lease_id, rentAdjustmentPlan=plan)

    assert rb.MissingFactError("no_rent", product_key="key:rent") == error
    assert [] == service.kept(rb.RentAdjustmentPlan)


def test_plans_are_listed_of_one_lease_or_of_all() -> None:
    service = Service()
    one, other = service.lease(rent()), service.lease(rent())
    made = [service.plan(each, by_percent(0.02)) for each in (other, one)]

    assert made == ids(service("list_rent_adjustment_plans").rent_adjustment_plans)
    assert made[1:] == ids(service("list_rent_adjustment_plans", one).rent_adjustment_plans)


@pytest.mark.parametrize(
    ("operation", "name", "item"),
    [
        ("create_recurring_bill_item", "recurringBillItem", rent(300, productKey="key:water")),
        ("create_one_time_bill_item", "oneTimeBillItem", fee()),
    ],
)
def test_a_lease_has_no_more_items_than_its_bills_can_read(
    operation: str, name: str, item: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rentbilling.service.items.MOST_ITEMS", 2)
    service = Service()
    lease_id = service.lease(rent())
    service("create_one_time_bill_item", lease_id, oneTimeBillItem=fee())

    error = service.refused(operation, lease_id, **{name: item})

    assert ConflictError("too_many_items", lease=lease_id, most=2) == error
    assert 2 == len(service.kept(rb.RecurringBillItem)) + len(service.kept(rb.OneTimeBillItem))
