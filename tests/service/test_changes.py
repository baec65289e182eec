"""Items and plans of a lease change: raised, ended, cancelled, and checked with the whole lease."""

from datetime import date, timedelta
from typing import Any

from rentbilling import RecurringBillItem, RentAdjustmentPlan, dumps
from rentbilling.errors import ConflictError, InvalidAdjustmentRuleError, NotFoundError
from tests.support.operated import EXEMPT, NOON, Body, Service, by_percent, by_step, money, rent
from tests.support.rows import rows

ITEM = {"recurringBillItemId": "id-3"}
PLAN = {"rentAdjustmentPlanId": "id-4"}
RAISED = {"value": money(9000), "start": "2026-07-01"}


def with_rent(**changes: Any) -> Service:  # noqa: ANN401
    """Return a service whose lease id-2 has the rent id-3."""
    service = Service()
    service.lease(rent(**changes))
    return service


def item_of(service: Service) -> RecurringBillItem:
    (item,) = service.kept(RecurringBillItem)
    return item


def test_a_rent_is_raised_from_a_day() -> None:
    """8,500 until June and 9,000 from July; the answer is the item with its lease (A18)."""
    service = with_rent()
    changed = service("change_recurring_bill_item", ITEM, amountRecords=[RAISED])

    assert ["8500.00 DKK", "9000.00 DKK"] == service.totals("id-2", "2026-06-01/2026-07-31")
    assert ("id-3", "id-2") == (changed.id, changed.lease_id)
    written = '"amountRecords": [{"value": {"currency": "DKK", "amount": 9000.00}, "start": "2026'
    assert written in dumps(changed)
    assert RecurringBillItem.model_validate(rent(id="id-3", amountRecords=[RAISED])) == item_of(
        service
    )


def test_records_are_added_to_those_there_and_replace_those_of_their_day() -> None:
    """9,500 in the place of 9,000 in July, under its id; 10,000 in October; May's 8,700 stays."""
    may = {"id": "may", "value": money(8700), "start": "2026-05-01"}
    july = {**RAISED, "id": "july"}
    service = with_rent(amountRecords=[may, july])
    october = {"id": "october", "value": money(10_000), "start": "2026-10-01"}
    again = {"value": money(9500), "start": "2026-07-01"}
    changed = service("change_recurring_bill_item", ITEM, amountRecords=[october, again])

    assert ["may", "july", "october"] == [each.id for each in changed.amount_records]
    assert ["8700.00 DKK", "8700.00 DKK", "9500.00 DKK"] == service.totals(
        "id-2", "2026-05-01/2026-07-31"
    )
    assert ["9500.00 DKK", "10000.00 DKK"] == service.totals("id-2", "2026-09-01/2026-10-31")
    other = {"id": "own", "value": money(9600), "start": "2026-07-01"}
    changed = service("change_recurring_bill_item", ITEM, amountRecords=[other])
    assert ["may", "own", "october"] == [each.id for each in changed.amount_records]


def test_vat_text_and_quantity_change_from_a_day() -> None:
    """From July two units at 25 percent: 8,500 x 2 x 1.25 = 21,250; June as before."""
    service = with_rent(description="Rent")
    changes = {
        "vatRecords": [{"value": {"taxMode": "Exclusive", "taxRate": 0.25}, "start": "2026-07-01"}],
        "quantityRecords": [{"value": 2, "start": "2026-07-01"}],
        "descriptionRecords": [{"value": "Two rents", "start": "2026-07-01"}],
    }
    service("change_recurring_bill_item", ITEM, **changes)
    june, july = service("list_pending_bills", "id-2", period="2026-06-01/2026-07-31")

    assert ("8500.00 DKK", "21250.00 DKK") == (str(june.total), str(july.total))
    lines = [line.description for bill in (june, july) for line in bill.lines]
    assert ["Rent", "Two rents"] == lines


def test_an_item_ends() -> None:
    """The last day paid for is 15 June: 8,500 x 15/30 = 4,250; nothing after it (A17)."""
    service = with_rent()
    service("change_recurring_bill_item", ITEM, endedOn="2026-06-15")

    assert ["4250.00 DKK"] == service.totals("id-2", "2026-06-01/2026-12-31")
    service("change_recurring_bill_item", ITEM, clear=["endedOn"], cancelledOn="2026-07-01")
    assert ["8500.00 DKK"] == service.totals("id-2", "2026-06-01/2026-12-31")
    assert item_of(service).ended_on is None


def test_a_discount_and_a_text_are_changed_whole() -> None:
    """A tenth off 8,500 is 7,650; cleared, it is 8,500 again (A22)."""
    service = with_rent()
    service(
        "change_recurring_bill_item", ITEM, discount={"percentage": 0.1}, description="Rent, less"
    )
    assert ["7650.00 DKK"] == service.totals("id-2", "2026-03-01/2026-03-31")
    assert "Rent, less" == item_of(service).description

    everything = {"clear": ["discount", "description", "amountRecords", "quantityRecords"]}
    service("change_recurring_bill_item", ITEM, amountRecords=[RAISED])
    service("change_recurring_bill_item", ITEM, **everything)
    assert ["8500.00 DKK"] == service.totals("id-2", "2026-07-01/2026-07-31")
    assert RecurringBillItem.model_validate(rent(id="id-3")) == item_of(service)


def test_several_discounts_are_changed_whole() -> None:
    """(8,500 − 850) × 0.8 = 6,120 in March, and 7,650 in April (A61)."""
    service = with_rent()
    fifth = {"percentage": 0.2, "startDate": "2026-03-01", "endDate": "2026-03-31"}
    service("change_recurring_bill_item", ITEM, discounts=[{"percentage": 0.1}, fifth])
    assert ["6120.00 DKK", "7650.00 DKK"] == service.totals("id-2", "2026-03-01/2026-04-30")

    service("change_recurring_bill_item", ITEM, discounts=[fifth])
    assert ["8500.00 DKK"] == service.totals("id-2", "2026-04-01/2026-04-30")

    one = {"discount": {"percentage": 0.5}}
    assert [("discount", "one_of_two")] == service.paths("change_recurring_bill_item", ITEM, **one)
    service("change_recurring_bill_item", ITEM, **one, clear=["discounts"])
    assert ["4250.00 DKK"] == service.totals("id-2", "2026-03-01/2026-03-31")


@rows(
    "name",
    ["amountRecords", "vatRecords", "descriptionRecords", "quantityRecords", "discounts"],
)
def test_a_list_without_records_adds_none(name: str) -> None:
    service = with_rent(amountRecords=[RAISED])
    changed = service("change_recurring_bill_item", ITEM, **{name: []})

    assert 1 == len(changed.amount_records)
    assert RecurringBillItem.model_validate(rent(id="id-3", amountRecords=[RAISED])) == item_of(
        service
    )


def test_a_change_of_nothing_keeps_nothing() -> None:
    service = with_rent()
    service.plan("id-2", by_percent(0.02))
    assert "id-3" == service("change_recurring_bill_item", ITEM).id
    assert 0 == service.calls["replace"]
    assert date(2027, 1, 1) == service("change_rent_adjustment_plan", PLAN).next_adjustment_date
    assert 0 == service.calls["replace"]


@rows(
    ("changes", "problems"),
    [
        (
            {"amountRecords": [RAISED, {"value": money(1, "EUR"), "start": "2026-05-01"}]},
            [("amountRecords[1].value.currency", "currency_mismatch")],
        ),
        ({"discount": {"amount": money(8501)}}, [("discount.amount", "discount_above_amount")]),
        (
            {"discount": {"amount": money(1, "EUR")}, "endedOn": "2026-12-31"},
            [("discount.amount.currency", "currency_mismatch")],
        ),
    ],
)
def test_what_does_not_fit_an_item_is_refused_where_the_caller_wrote_it(
    changes: Body, problems: list[tuple[str, str]]
) -> None:
    """Whatever the item has before it: the second record sent is the third of the item (A46)."""
    may = {"value": money(8700), "start": "2026-04-01"}
    service = with_rent(amountRecords=[may])
    before = item_of(service)

    assert problems == service.paths("change_recurring_bill_item", ITEM, **changes)
    assert before == item_of(service)


def test_an_item_that_its_lease_could_not_be_billed_with_is_refused() -> None:
    """Two plans of the item would meet in 2028, were it not for its end (A37)."""
    service = with_rent(endedOn="2027-12-31")
    for _ in range(2):
        service.plan("id-2", by_step("2028", first="2028"))
    error = service.refused("change_recurring_bill_item", ITEM, clear=["endedOn"])

    assert isinstance(error, InvalidAdjustmentRuleError)
    (problem,) = error.problems
    assert ("endedOn", "two_plans") == (problem.path, problem.code)
    assert (
        "does not fit the lease, whose plan id-5 adjusts what plan id-4 adjusts in 2028-01"
    ) == problem.message


def test_a_contract_without_its_end_is_tried_with_its_plans() -> None:
    service = Service()
    lease_id = service.lease(rent(), contractEnd="2027-12-31")
    for _ in range(2):
        service.plan(lease_id, by_step("2028", first="2028"))

    assert [("contractEnd", "two_plans")] == service.paths(
        "change_lease", lease_id, clear=["contractEnd"]
    )


def test_an_item_that_could_never_be_billed_is_refused() -> None:
    """With a place of its own: a year of holidays leaves no day for a bill (A11)."""
    service = with_rent()
    year = frozenset(date(2026, 1, 1) + timedelta(days) for days in range(365))
    service.policy = service.policy.evolve(business_day="following", holidays=year)
    before = item_of(service)
    error = service.refused("change_recurring_bill_item", ITEM, description="Rent")

    assert "UnsupportedCaseError" == type(error).__name__
    assert before == item_of(service)


def test_a_plan_is_cancelled_or_ends() -> None:
    """8,500 x 1.02 = 8,670 in 2027; from 2028 on nothing is added (A32)."""
    service = with_rent()
    service.plan("id-2", by_percent(0.02, created="2020-01-01T00:00:00+00:00"))
    changed = service("change_rent_adjustment_plan", PLAN, cancelledOn="2028-01-01")
    assert ["8670.00 DKK"] == service.totals("id-2", "2028-01-01/2028-01-31")
    assert (date(2028, 1, 1), NOON) == (changed.cancelled_or_ended_on, changed.modified)
    assert date(2027, 1, 1) == changed.next_adjustment_date

    changed = service("change_rent_adjustment_plan", PLAN, clear=["cancelledOn"])
    # 8,670 x 1.02 = 8,843.40.
    assert ["8843.40 DKK"] == service.totals("id-2", "2028-01-01/2028-01-31")
    assert (None, None) == (changed.cancelled_on, changed.cancelled_or_ended_on)

    changed = service("change_rent_adjustment_plan", PLAN, endedOn="2026-12-31")
    assert ["8500.00 DKK"] == service.totals("id-2", "2028-01-01/2028-01-31")
    assert date(2026, 12, 31) == changed.cancelled_or_ended_on
    assert changed.next_adjustment_date is None
    (kept,) = service.kept(RentAdjustmentPlan)
    assert kept == changed


def test_what_stands_alone_gives_way_to_what_is_changed() -> None:
    """A plan that came with `cancelledOrEndedOn` goes on once its end is cleared (A32)."""
    service = with_rent()
    service.plan("id-2", by_percent(0.02, cancelledOrEndedOn="2026-12-31"))
    assert ["8500.00 DKK"] == service.totals("id-2", "2027-01-01/2027-01-31")
    service("change_rent_adjustment_plan", PLAN, clear=["cancelledOn"])

    assert ["8670.00 DKK"] == service.totals("id-2", "2027-01-01/2027-01-31")


def test_a_plan_that_would_meet_another_is_not_taken_up_again() -> None:
    """One to the end of 2027, another from 2028 on; together they meet in 2028-01 (A37)."""
    service = with_rent()
    service.plan("id-2", by_percent(0.02, endedOn="2027-12-31"))
    service.plan("id-2", by_step("2028", first="2028", percentage=0.03, recurrence="Recurring"))
    before = service.kept(RentAdjustmentPlan)
    error = service.refused("change_rent_adjustment_plan", PLAN, clear=["endedOn"])

    assert isinstance(error, InvalidAdjustmentRuleError)
    (problem,) = error.problems
    assert ("endedOn", "two_plans") == (problem.path, problem.code)
    assert "whose plan id-5 adjusts what plan id-4 adjusts in 2028-01" in problem.message
    assert before == service.kept(RentAdjustmentPlan)


CHANGES = [
    ("change_recurring_bill_item", "recurringBillItemId", "recurring bill item", "id-3"),
    ("change_rent_adjustment_plan", "rentAdjustmentPlanId", "rent adjustment plan", "id-4"),
]


@rows(("operation", "name", "kind", "part"), CHANGES)
def test_what_is_not_there_is_not_found(operation: str, name: str, kind: str, part: str) -> None:
    """Nor is what somebody else has (A45)."""
    service = with_rent()
    service.plan("id-2", by_percent(0.02))
    for by, told in (("home", "id-9"), ("away", part), ("home", "id-2")):
        error = service.refused(operation, {name: told}, endedOn="2026-12-31", by=by)
        assert NotFoundError("unknown_id", kind=kind, id=told) == error


@rows(("operation", "name", "kind", "part"), CHANGES)
def test_nothing_of_an_archived_lease_is_changed(
    operation: str, name: str, kind: str, part: str
) -> None:
    """Archived is final (A48)."""
    del kind
    service = with_rent()
    service.plan("id-2", by_percent(0.02))
    service("archive_lease", "id-2")
    before = service("retrieve_lease_terms", "id-2")
    error = service.refused(operation, {name: part}, endedOn="2026-12-31")

    assert ConflictError("archived_lease", lease="id-2") == error
    assert before == service("retrieve_lease_terms", "id-2")


def test_only_the_item_that_is_named_changes() -> None:
    service = with_rent()
    service("create_recurring_bill_item", "id-2", recurringBillItem=rent(300))
    service.lease(rent(700, vat=EXEMPT))
    before = service.kept(RecurringBillItem)
    service("change_recurring_bill_item", recurringBillItemId="id-4", endedOn="2026-12-31")
    after = service.kept(RecurringBillItem)

    assert [before[0], before[1].evolve(ended_on=date(2026, 12, 31)), before[2]] == after
