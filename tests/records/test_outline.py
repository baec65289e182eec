"""What `print` shows of a record: its fields in one line, or a line each where it has parts."""

from datetime import date
from decimal import Decimal

import rentbilling as rb
from tests.support.rows import rows

DAY = date(2026, 1, 15)
RULE = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)

PLAN = """\
RentAdjustmentPlan:
  adjusts_balance: no
  rent_adjustment_rules[0]: adjustment_type Index, adjustment_month 1, index_month 10"""


@rows(
    ("record", "text"),
    [
        (
            rb.AmountRecord(value=rb.Amount(9, "DKK"), start=DAY),
            "AmountRecord: value 9 DKK, start 2026-01-15",
        ),
        (
            rb.VatRecord(value=rb.Vat("Exclusive", "25%"), start=DAY),
            "VatRecord: value Exclusive 25 %, start 2026-01-15",
        ),
        (
            rb.AdjustmentEffect(applied_percentage=Decimal("0.050"), reasons=("maximum", "share")),
            "AdjustmentEffect: applied_percentage 0.050, reasons maximum share",
        ),
        (rb.AdjustmentEffect(), "AdjustmentEffect: nothing"),
        (
            rb.RentAdjustmentPlan(adjusts_balance=False, rent_adjustment_rules=(RULE,)),
            PLAN,
        ),
    ],
)
def test_a_record_prints_its_fields(record: object, text: str) -> None:
    assert text == str(record)


@rows(
    ("cycle", "text"),
    [
        (rb.BillingCycle(), "every month"),
        (rb.BillingCycle(start_day=15), "every month from day 15"),
        (rb.BillingCycle(period_length=3, start=2), "every 3 months from February"),
        (rb.BillingCycle(time_unit="Year", start=7, start_day=2), "every year from 2 July"),
        (rb.BillingCycle(time_unit="Week", period_length=2, start=1), "every 2 weeks from Monday"),
        (rb.BillingCycle(time_unit="Day", period_length=30), "every 30 days"),
    ],
)
def test_a_cycle_prints_in_words(cycle: rb.BillingCycle, text: str) -> None:
    assert text == str(cycle)


@rows(
    ("day", "side", "text"),
    [
        (1, "start", "day 1"),
        (-1, "start", "1 day before"),
        (-3, "start", "3 days before"),
        (1, "end", "1 day after the end"),
        (-2, "end", "day 2 from the end"),
    ],
)
def test_a_due_date_rule_prints_in_words(day: int, side: str, text: str) -> None:
    rule = rb.DueDateRule.model_validate({"dayOfPeriod": day, "relativeTo": side})

    assert f"{text}, by the accounting period" == str(rule)
