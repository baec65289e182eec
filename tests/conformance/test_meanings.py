"""The meaning of fields and states of the interface, beyond names and types."""

from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

import pytest

from rentbilling.adapters.stores import MemoryStores
from tests.adapters.http.served import NOON, ask, check_problem, data_of, service
from tests.conformance.proving import proves
from tests.conformance.samples import (
    BALANCES,
    BARE_ITEM,
    BARE_TENANCY,
    PERIOD,
    RENT,
    TENANCY,
    TENANCY_CHANGES,
    Data,
    at,
    created,
    money,
    told,
)

ITEM: Final = "POST /recurring-bill-items: recurringBillItem"
OPENING: Final[Data] = RENT["firstBillingPeriodBillItem"]


def billed(item: Data, period: str = PERIOD) -> list[Any]:
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    created(of, item)
    bills: list[Any] = told(of, "GET", f"/pending-bills?leaseId=id-2&period={period}")["bills"]
    return bills


@proves(
    "(no lease) POST /tenancies",
    "States and transitions 1",
    "POST /tenancies answer: leaseId",
    "POST /tenancies answer: tenancyId",
    "Lease: operationalState",
)
def test_a_new_tenancy_has_a_draft_lease() -> None:
    """Both ids are answered; the lease belongs to the tenancy, is a Draft and Upcoming (A48)."""
    of = service()
    ids = told(of, "POST", "/tenancies", TENANCY)
    lease = told(of, "GET", f"/leases/{ids['leaseId']}")
    (tenancy,) = told(of, "GET", "/tenancies")["tenancies"]

    assert (ids["tenancyId"], "Draft") == (lease["tenancyId"], lease["operationalState"])
    assert "Upcoming" == lease["contractPeriodState"]
    assert (ids["tenancyId"], [ids["leaseId"]]) == (tenancy["id"], tenancy["leaseIds"])
    assert lease == tenancy["currentLease"]


@proves("(no lease) POST /tenancies")
def test_an_invalid_request_makes_no_lease() -> None:
    """A refused request creates neither a tenancy nor a lease."""
    of = service()

    assert 400 == ask(of, "POST", "/tenancies", {"purpose": "key:residential"}).status
    assert {"tenancies": []} == told(of, "GET", "/tenancies")
    assert {"leases": []} == told(of, "GET", "/leases")


@proves("States and transitions 2", "Lease: archivedAt", "Tenancy: archivedAt")
def test_archiving_keeps_its_time() -> None:
    """Archiving again does not change the moment of the first archiving (A48)."""
    stores = MemoryStores()
    of = service(stores=stores)
    later = service(stores=stores, clock=lambda: NOON + timedelta(days=1))
    told(of, "POST", "/tenancies", BARE_TENANCY)

    first = told(of, "POST", "/leases/id-2/archive")
    again = told(later, "POST", "/leases/id-2/archive")

    assert ("Archived", NOON.isoformat()) == (first["operationalState"], first["archivedAt"])
    assert first == again
    tenancy = told(of, "POST", "/tenancies/id-1/archive")
    assert NOON.isoformat() == tenancy["archivedAt"]
    assert tenancy == told(later, "POST", "/tenancies/id-1/archive")


@proves("States and transitions 3", "States and transitions 4", "Lease: contractPeriodState")
def test_a_lease_goes_through_its_states() -> None:
    """Draft, Active, Ended, Archived; not from Draft to Ended, and not back from Archived (A48)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    lease = "/leases/id-2"
    dates = {"contractStart": "2026-01-01", "contractEnd": "2026-01-30"}

    check_problem(
        ask(of, "PATCH", lease, {"operationalState": "Ended"} | dates), 409, "wrong_state"
    )
    active = told(of, "PATCH", lease, {"operationalState": "Active"} | dates)
    ended = told(of, "PATCH", lease, {"operationalState": "Ended"})
    archived = told(of, "POST", f"{lease}/archive")

    # It is the 31st, and the contract ended on the 30th.
    assert ["Active", "Ended", "Archived"] == [
        each["operationalState"] for each in (active, ended, archived)
    ]
    assert ["Expired"] * 3 == [each["contractPeriodState"] for each in (active, ended, archived)]
    check_problem(ask(of, "PATCH", lease, {"purpose": "x"}), 409, "archived_lease")


@pytest.mark.parametrize(
    ("day", "due"),
    [
        pytest.param(day, due, id=str(day), marks=proves(f"{ITEM}.dueDateRule.dayOfPeriod"))
        for day, due in ((1, "2026-02-01"), (5, "2026-02-05"), (-1, "2026-01-31"))
    ],
)
@proves("Recurring bill item: dueDateRule.dayOfPeriod", f"{ITEM}.dueDateRule")
def test_a_bill_falls_due_on_the_day_of_its_period(day: int, due: str) -> None:
    """1 is the first day of February, −1 the day before it (A10)."""
    bills = billed(BARE_ITEM | {"dueDateRule": {"dayOfPeriod": day}})
    february = [
        bill["dueDate"]
        for bill in bills
        if bill["pendingBillLineItems"][0]["accountingPeriod"].startswith("2026-02-01")
    ]

    assert [due] == february


@proves(
    f"{ITEM}.billingCycle",
    f"{ITEM}.billingCycle.timeUnit",
    f"{ITEM}.billingCycle.periodLength",
    f"{ITEM}.billingCycle.start",
    "Gaps in the resource definitions 4",
)
@pytest.mark.parametrize(
    ("cycle", "periods"),
    [
        (("Month", 1, 1), ["2026-02-01/2026-02-28", "2026-03-01/2026-03-31"]),
        (("Month", 3, 2), ["2026-02-01/2026-04-30"]),
        (("Year", 1, 3), ["2026-03-01/2027-02-28"]),
        # From the first Monday after the opening period: 2 February 2026.
        (("Week", 8, 1), ["2026-02-02/2026-03-29", "2026-03-30/2026-05-24"]),
        (("Day", 50, 1), ["2026-02-01/2026-03-22", "2026-03-23/2026-05-11"]),
    ],
)
def test_a_cycle_has_a_unit_a_length_and_a_start(
    cycle: tuple[str, int, int], periods: list[str]
) -> None:
    """Months and years start in the calendar month `start`, weeks on its weekday (A7, A8)."""
    unit, length, start = cycle
    told_cycle = {"timeUnit": unit, "periodLength": length, "start": start}
    bills = billed(BARE_ITEM | {"billingCycle": told_cycle})

    assert ["2026-01-15/2026-01-31", *periods] == at(bills, "pendingBillLineItems.accountingPeriod")


@proves(
    f"{ITEM}.startedOn",
    f"{ITEM}.firstBillingPeriodBillItem",
    f"{ITEM}.firstBillingPeriodBillItem.amount",
    f"{ITEM}.firstBillingPeriodBillItem.dueDate",
    f"{ITEM}.firstBillingPeriodBillItem.accountingPeriod",
    "POST /recurring-bill-items 3",
    "POST /recurring-bill-items answer: firstDueDate",
    "Recurring bill item: startedOn",
)
def test_the_first_bill_is_the_opening_one() -> None:
    """Amount, due date and days are as agreed, and the due date is answered (A12)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    opening = OPENING | {"amount": money(4000.5), "dueDate": "2026-01-20"}
    answer = created(of, BARE_ITEM | {"firstBillingPeriodBillItem": opening})
    first, *_ = told(of, "GET", f"/pending-bills?leaseId=id-2&period={PERIOD}")["bills"]

    assert "2026-01-20" == answer["firstDueDate"] == first["dueDate"]
    assert Decimal("4000.50") == first["total"]["amount"]
    assert ["2026-01-15/2026-01-31"] == at(first, "pendingBillLineItems.accountingPeriod")


@proves(
    f"{ITEM}.discount.amount",
    f"{ITEM}.discount.percentage",
    f"{ITEM}.discount.endDate",
    "POST /recurring-bill-items 2",
)
@pytest.mark.parametrize(
    ("discount", "totals"),
    [
        # 8,500 less 500; to the end of February.
        ({"amount": money(500), "endDate": "2026-02-28"}, ["4661.00", "8000.00", "8500.00"]),
        # 8,500 less 10 % = 7,650.
        ({"percentage": 0.10, "endDate": "2026-02-28"}, ["4661.00", "7650.00", "8500.00"]),
        # Without an end it goes on.
        ({"percentage": 0.10}, ["4661.00", "7650.00", "7650.00"]),
    ],
)
def test_a_discount_is_taken_off_until_it_ends(discount: Data, totals: list[str]) -> None:
    """An amount, or 0.10 for ten percent, to its last day; not off the opening amount (A22–A24)."""
    bills = billed(BARE_ITEM | {"discount": discount})

    assert totals == [f"{each:f}" for each in at(bills, "total.amount")]


@proves(
    f"{ITEM}.amount",
    f"{ITEM}.quantity",
    f"{ITEM}.vat",
    f"{ITEM}.productKey",
    "Line item: quantity",
    "Line item: unitNetPrice",
    "Line item: netPrice",
    "Pending bill: vatTotals",
    "VAT object: taxRate",
    "Gaps in the resource definitions 1",
)
@pytest.mark.parametrize(
    ("vat", "unit", "net", "tax", "total"),
    [
        # 3 × 100.00 = 300.00; 25 % on top is 75.00.
        ({"taxMode": "Exclusive", "taxRate": 0.25}, "100.00", "300.00", "75.00", "375.00"),
        # 3 × 100.00 = 300.00 with VAT inside: 300 × 0.25 / 1.25 = 60.00.
        ({"taxMode": "Inclusive", "taxRate": 0.25}, "80.00", "240.00", "60.00", "300.00"),
        ({"taxMode": "Exempt"}, "100.00", "300.00", "0.00", "300.00"),
        ({"taxMode": "ReverseCharge"}, "100.00", "300.00", "0.00", "300.00"),
    ],
)
def test_units_and_vat_make_the_bill(vat: Data, unit: str, net: str, tax: str, total: str) -> None:
    """Three units of 100.00 kroner in each of the four tax modes; 0.25 is 25 percent (A5, A27)."""
    bills = billed(BARE_ITEM | {"amount": money(100), "quantity": 3, "vat": vat})
    bill = bills[1]
    (line,) = bill["pendingBillLineItems"]

    found = (line["unitNetPrice"], line["netPrice"], bill["vatTotals"][0]["amount"], bill["total"])
    assert [unit, net, tax, total] == [f"{each['amount']:f}" for each in found]
    assert ("key:rent", 3, vat["taxMode"]) == (
        line["productKey"],
        line["quantity"],
        line["vat"]["taxMode"],
    )
    assert bill["subtotal"] == line["netPrice"]


@proves("Gaps in the resource definitions 1", "Amount object: currency", "Amount object: amount")
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"amount": money(100, "kr")}, "amount.currency"),
        ({"amount": money(100, "dkk")}, "amount.currency"),
        ({"amount": money(0.30000000000000004)}, "amount.amount"),
        ({"vat": {"taxMode": "None"}}, "vat.taxMode"),
        ({"vat": {"taxMode": "Exclusive", "taxRate": 25}}, "vat.taxRate"),
        (
            {"billingCycle": {"timeUnit": "Fortnight", "periodLength": 1, "start": 1}},
            "billingCycle.timeUnit",
        ),
    ],
)
def test_words_and_scales_are_known_ones(change: Data, path: str) -> None:
    """ISO 4217, 15 digits, four tax modes, a rate as a fraction, four units (A1, A2, A5, A7)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    body = {"leaseId": "id-2", "recurringBillItem": BARE_ITEM | change}
    answer = ask(of, "POST", "/recurring-bill-items", body)

    assert 400 == answer.status
    assert [f"recurringBillItem.{path}"] == [each["path"] for each in data_of(answer)["problems"]]


@proves("Gaps in the resource definitions 1", "Gaps in the resource definitions 3")
def test_code_words_of_answers_are_preserved() -> None:
    """Any type of a unit or room, any unit of an area and any group is stored unchanged (A49)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    words = TENANCY_CHANGES | {
        "unitType": "PARKING",
        "roomCounts": [{"type": "Værelse 🛏", "count": 1}],
        "totalArea": {"value": 1, "unit": "tønder land"},
        "groupId": {"any category": "any group"},
    }

    changed = told(of, "PATCH", "/tenancies/id-1", words)

    names = ("unitType", "roomCounts", "totalArea", "groupId")
    assert [words[name] for name in names] == [changed[name] for name in names]


@proves(
    "Lease: monthlyRentLevel", "Lease: depositBalance", "Lease: prepaidBalance", "Lease: balance"
)
def test_figures_of_a_lease_follow_from_its_terms() -> None:
    """9,000 a quarter is 3,000 a month (A38); deposits are added; the balance is as recorded."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    quarter = {"timeUnit": "Month", "periodLength": 3, "start": 1}
    created(of, BARE_ITEM | {"amount": money(9000), "billingCycle": quarter})
    extra = {"balanceChargeType": "deposit", "amount": money(500)}
    told(of, "PATCH", "/leases/id-2", {"balances": [*BALANCES, extra], "balance": money(12.5)})

    lease = told(of, "GET", "/leases/id-2")

    names = ("monthlyRentLevel", "depositBalance", "prepaidBalance", "balance")
    assert [3000, 26000, 8500, Decimal("12.5")] == [lease[name]["amount"] for name in names]


@proves("Gaps in the resource definitions 4", "Rent adjustment rule: firstYear")
@pytest.mark.parametrize("year", ["26", "2026-01", "MMXXVI"])
def test_years_have_four_digits(year: str) -> None:
    """`YYYY`, and nothing else (A31)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    created(of, BARE_ITEM)
    increment = {"year": "2027", "percentage": 0.03}
    rule = {"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": [increment]}
    plan = {"rentAdjustmentRules": [rule | {"firstYear": year}]}
    answer = ask(
        of, "POST", "/rent-adjustment-plans", {"leaseId": "id-2", "rentAdjustmentPlan": plan}
    )

    assert 400 == answer.status
    there = "rentAdjustmentPlan.rentAdjustmentRules[0].firstYear"
    assert [there] == [each["path"] for each in data_of(answer)["problems"]]


@proves("Gaps in the resource definitions 4", "Rent adjustment plan: adjusteeRef")
def test_an_adjustee_is_an_item_or_a_balance() -> None:
    """Named by its id; in a lease with two items a plan must name the item it adjusts (A39)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    for key in ("key:rent", "key:parking"):
        created(of, BARE_ITEM | {"productKey": key})  # id-3, id-4
    increment = {"year": "2027", "percentage": 0.03}
    rule = {"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": [increment]}
    plan: Data = {"rentAdjustmentRules": [rule]}
    body = {"leaseId": "id-2", "rentAdjustmentPlan": plan}

    refused = ask(of, "POST", "/rent-adjustment-plans", body)
    told(of, "POST", "/rent-adjustment-plans", body | {"rentAdjustmentPlan": plan | _PARKING})

    assert 400 == refused.status
    paths = [each["path"] for each in data_of(refused)["problems"]]
    assert ["rentAdjustmentPlan.adjusteeRef"] == paths
    (kept,) = told(of, "GET", "/rent-adjustment-plans")["rentAdjustmentPlans"]
    assert "id-4" == kept["adjusteeRef"]


_PARKING: Final = {"adjusteeRef": "id-4"}
