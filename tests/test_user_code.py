# pyright: strict
"""Code as users write it, for type checkers: what is taken when it runs is taken by them too.

Mypy reads it strictly with all tests, pyright by its first line; here it also runs.
"""

from datetime import date
from typing import assert_type

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    BillingResult,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    RecurringBillItem,
    RentAdjustmentRule,
    Vat,
    check_bill,
    compare_bills,
    explain,
    pending_bills,
)
from rentbilling.whatif import raise_rent, what_if

VAT = Vat("Exempt")
RENT = RecurringBillItem(
    product_key="key:rent",
    amount=Amount("8500.00", "DKK"),
    vat=VAT,
    due_date_rule=DueDateRule(day_of_period=1),
    billing_cycle=BillingCycle(time_unit="Month"),
    started_on="2026-01-15",
    first_billing_period_bill_item=FirstBillingPeriodBillItem(
        amount=Amount("4661.29", "DKK"),
        due_date=date(2026, 1, 15),
        accounting_period="2026-01-15/2026-01-31",
    ),
    discount=Discount(amount=Amount(100, "DKK"), end_date="2026-12-31"),
    amount_records=(AmountRecord(value=Amount(8700, "DKK"), start="2027-01-01"),),
    ended_on=None,
)
LEASE = LeaseTerms(
    contract_start="2026-01-15",
    contract_end=date(2030, 12, 31),
    recurring_bill_items=(RENT,),
    one_time_bill_items=(
        OneTimeBillItem(
            product_key="key:key",
            amount=Amount(250, "DKK"),
            vat=VAT,
            due_date="2026-02-01",
            accounting_period=Period.month(2026, 2),
        ),
    ),
)


def test_a_field_is_read_as_what_it_is() -> None:
    assert date(2026, 1, 15) == assert_type(RENT.started_on, date)
    assert assert_type(RENT.ended_on, date | None) is None
    assert date(2030, 12, 31) == assert_type(LEASE.contract_end, date | None)
    opening = RENT.first_billing_period_bill_item
    assert "2026-01-15/2026-01-31" == str(assert_type(opening.accounting_period, Period))
    assert "Month" == RENT.billing_cycle.time_unit


def test_words_that_a_service_sends_are_texts() -> None:
    """Editors complete those of the interface; any other text is for the reader to refuse."""
    unit, kind, mode = "month", "Step", "exempt"

    assert "Month" == BillingCycle(time_unit=unit).time_unit
    assert VAT == Vat(mode)
    step = {"year": "2027", "percentage": 0.03}
    data = {"adjustmentType": kind, "adjustmentMonth": 1, "increments": [step]}
    rule = RentAdjustmentRule.model_validate(data)

    assert "Step" == rule.adjustment_type


def test_results_are_typed() -> None:
    result = pending_bills(LEASE, "2026-02")

    assert_type(result, BillingResult)
    assert Amount(8650, "DKK") == assert_type(result.total["DKK"], Amount)
    assert [8650] == [assert_type(bill.total, Amount).amount for bill in result]
    assert check_bill(result).is_consistent
    assert compare_bills(result, result).is_equal
    assert explain(result).rows()
    answer = what_if(LEASE, [raise_rent("3%"), raise_rent("4%")], period="2027")
    assert ["key:rent +3 %", "key:rent +4 %"] == [run.name for run in answer.variants]
