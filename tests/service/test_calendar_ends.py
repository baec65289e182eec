"""The ends of the calendar in a service: every operation answers or refuses in the error tree."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given

from rentbilling import RentBillingError, dumps
from rentbilling.records import Record
from tests.support.calendar_ends import Case, cases
from tests.support.operated import Body, Service

NOT_SENT = ("amountRecords", "quantityRecords", "endedOn", "cancelledOn", "id")
"""Fields of an item that no item is created with."""


def sent(record: Record) -> Body:
    data: Body = json.loads(dumps(record, full=True))
    return {name: value for name, value in data.items() if name not in NOT_SENT}


@given(cases())
def test_every_operation_answers_or_refuses(case: Case) -> None:
    service = Service(day=case.day.isoformat(), indices=case.indices, policy=case.policy)
    lease_id = service.lease()

    def ask(operation: str, **told: Any) -> None:  # noqa: ANN401
        with suppress(RentBillingError):
            service(operation, **told)

    ask("create_recurring_bill_item", leaseId=lease_id, recurringBillItem=sent(case.item))
    once = sent(case.terms.one_time_bill_items[0])
    ask("create_one_time_bill_item", leaseId=lease_id, oneTimeBillItem=once)
    for each in case.terms.rent_adjustment_plans:
        plan = {"rentAdjustmentRules": sent(each)["rentAdjustmentRules"]}
        ask("create_rent_adjustment_plan", leaseId=lease_id, rentAdjustmentPlan=plan)
    asked, day = {"leaseId": lease_id, "period": str(case.period)}, case.day.isoformat()
    ask("list_pending_bills", **asked)
    plans = service("list_rent_adjustment_plans", lease_id).rent_adjustment_plans
    for made in plans:
        ask("change_rent_adjustment_plan", rentAdjustmentPlanId=made.id, cancelledOn=day)
    items = service("list_recurring_bill_items", lease_id).recurring_bill_items
    for made in items:
        ask("change_recurring_bill_item", recurringBillItemId=made.id, endedOn=day)
    ask("list_pending_bills", **asked)
    ask("archive_lease", leaseId=lease_id)

    assert items
    assert service("list_leases").leases
    assert plans == () or service("list_rent_adjustment_plans", lease_id)
    assert service("retrieve_lease_terms", lease_id)
