# pyright: strict
"""Code as users write it, for type checkers: what is taken when it runs is taken by them too.

Mypy reads it strictly with all tests, pyright by its first line; here it also runs.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import assert_type

from dateutil.relativedelta import relativedelta

import rentbilling as rb
from rentbilling.whatif import cap, raise_rent, set_rent, use_vat, what_if

QUARTER = relativedelta(months=3)
VAT = rb.Vat("Exempt")
RENT = rb.RecurringBillItem(
    product_key="key:rent",
    amount=rb.Amount("8500.00", "DKK"),
    vat=VAT,
    due_date_rule=rb.DueDateRule(day_of_period=1),
    billing_cycle=rb.BillingCycle(time_unit="Month"),
    started_on="2026-01-15",
    first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
        amount=rb.Amount("4661.29", "DKK"),
        due_date=date(2026, 1, 15),
        accounting_period="2026-01-15/2026-01-31",
    ),
    quantity="1",
    discount=rb.Discount(amount=rb.Amount(100, "DKK"), end_date="2026-12-31"),
    amount_records=(rb.AmountRecord(value=rb.Amount(8700, "DKK"), start="2027-01-01"),),
    ended_on=None,
)
LEASE = rb.LeaseTerms(
    contract_start="2026-01-15",
    contract_end=date(2030, 12, 31),
    recurring_bill_items=(RENT,),
    one_time_bill_items=(
        rb.OneTimeBillItem(
            product_key="key:key",
            amount=rb.Amount(250, "DKK"),
            vat=VAT,
            due_date="2026-02-01",
            accounting_period=rb.Period.month(2026, 2),
        ),
    ),
)


def test_a_field_is_read_as_what_it_is() -> None:
    assert date(2026, 1, 15) == assert_type(RENT.started_on, date)
    assert assert_type(RENT.ended_on, date | None) is None
    assert date(2030, 12, 31) == assert_type(LEASE.contract_end, date | None)
    opening = RENT.first_billing_period_bill_item
    assert "2026-01-15/2026-01-31" == str(assert_type(opening.accounting_period, rb.Period))
    assert "Month" == RENT.billing_cycle.time_unit


def test_numbers_and_rates_are_taken_as_exact_texts() -> None:
    index = rb.IndexSeries("NPI", {"2024-10": 100, "2025-10": "104.5"}).extended("2%", "2030")
    clause = rb.IndexClause(threshold="3%", share="0.75")
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        index_month=10,
        maximum_percentage="4%",
        index_clause=clause,
    )
    policy = rb.BillingPolicy(cash_rounding={"DKK": "0.50"}, holidays=["2026-12-25"])
    scenarios = [set_rent("9000 DKK"), use_vat("Exclusive 25%"), cap("4%")]

    assert Decimal("0.1") == assert_type(rb.Discount(percentage="10%").percentage, Decimal | None)
    assert Decimal(1) == assert_type(RENT.quantity, Decimal | None)
    assert Decimal("0.75") == assert_type(clause.share, Decimal)
    assert Decimal("0.04") == rule.maximum_percentage
    assert Decimal("0.50") == assert_type(policy.cash_rounding, Mapping[str, Decimal])["DKK"]
    assert 3 == len(what_if(LEASE, scenarios, period="2027", indices=index).variants)
    assert rb.Period("2026-02-01", "2026-02-28") == rb.Period.month(2026, 2)
    assert not rb.rent_adjustments({"leaseId": "lease-1"}, ("2026-01-01", date(2026, 12, 31)))


def test_words_that_a_service_sends_are_texts() -> None:
    """Editors complete those of the interface; any other text is for the reader to refuse."""
    unit, kind, mode = "month", "Step", "exempt"

    assert "Month" == rb.BillingCycle(time_unit=unit).time_unit
    assert VAT == rb.Vat(mode)
    step = {"year": "2027", "percentage": 0.03}
    data = {"adjustmentType": kind, "adjustmentMonth": 1, "increments": [step]}
    rule = rb.RentAdjustmentRule.model_validate(data)

    assert "Step" == rule.adjustment_type


def test_results_are_typed() -> None:
    result = rb.pending_bills(LEASE, "2026-02")

    assert_type(result, rb.BillingResult)
    assert rb.Amount(8650, "DKK") == assert_type(result.total["DKK"], rb.Amount)
    assert [8650] == [assert_type(bill.total, rb.Amount).amount for bill in result]
    assert rb.check_bill(result).is_consistent
    assert rb.compare_bills(result, result).is_equal
    assert rb.explain(result).rows()
    answer = what_if(LEASE, [raise_rent("3%"), raise_rent("4%")], period="2027")
    assert ["key:rent +3 %", "key:rent +4 %"] == [run.name for run in answer.variants]
