"""What `print` shows of a record: its fields in one line, or a line each where it has parts."""

from datetime import date
from decimal import Decimal

from rentbilling import (
    AdjustmentEffect,
    Amount,
    AmountRecord,
    BillingCycle,
    DueDateRule,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    Vat,
    VatRecord,
)
from tests.support.rows import rows

DAY = date(2026, 1, 15)
RULE = RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)

PLAN = """\
RentAdjustmentPlan:
  adjusts_balance: no
  rent_adjustment_rules[0]: adjustment_type Index, adjustment_month 1, index_month 10"""


@rows(
    ("record", "text"),
    [
        (
            AmountRecord(value=Amount(9, "DKK"), start=DAY),
            "AmountRecord: value 9 DKK, start 2026-01-15",
        ),
        (
            VatRecord(value=Vat("Exclusive", "25%"), start=DAY),
            "VatRecord: value Exclusive 25 %, start 2026-01-15",
        ),
        (
            AdjustmentEffect(applied_percentage=Decimal("0.050"), reasons=("maximum", "share")),
            "AdjustmentEffect: applied_percentage 0.050, reasons maximum share",
        ),
        (AdjustmentEffect(), "AdjustmentEffect: nothing"),
        (
            RentAdjustmentPlan(adjusts_balance=False, rent_adjustment_rules=(RULE,)),
            PLAN,
        ),
    ],
)
def test_a_record_prints_its_fields(record: object, text: str) -> None:
    assert text == str(record)


@rows(
    ("cycle", "text"),
    [
        (BillingCycle(), "every month"),
        (BillingCycle(start_day=15), "every month from day 15"),
        (BillingCycle(period_length=3, start=2), "every 3 months from February"),
        (BillingCycle(time_unit="Year", start=7, start_day=2), "every year from 2 July"),
        (BillingCycle(time_unit="Week", period_length=2, start=1), "every 2 weeks from Monday"),
        (BillingCycle(time_unit="Day", period_length=30), "every 30 days"),
    ],
)
def test_a_cycle_prints_in_words(cycle: BillingCycle, text: str) -> None:
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
    rule = DueDateRule.model_validate({"dayOfPeriod": day, "relativeTo": side})

    assert f"{text}, by the accounting period" == str(rule)
