"""What `print` shows of a record: a cycle and a due date rule in words, others as code."""

import rentbilling as rb
from tests.support.rows import rows


def test_a_record_prints_as_code() -> None:
    effect = rb.AdjustmentEffect(reasons=("maximum",))

    assert "AdjustmentEffect(reasons=('maximum',))" == repr(effect) == str(effect)


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
