"""Comparing workings with the figures that they explain, by the evaluator that replays them."""

from collections.abc import Callable

import rentbilling as rb
from tests.oracle.workings import all_replayed, replayed
from tests.support.adjusted import ASKED

Outlined = Callable[[str, object], None]
"""Compares the text of a working with the file of a name."""


def check(result: rb.BillingResult) -> None:
    assert [bill.payable for bill in result] == all_replayed(rb.explain(result))
    for at, bill in enumerate(result.bills):
        assert bill.payable == replayed(rb.explain(result, bill=at))
        for place, line in enumerate(bill.lines):
            working = rb.explain(result, bill=at, line=place)
            assert line.net_price == replayed(working)
            assert line.accounting_period == working.find("accounting period").result
            assert bill.due_date == working.find("due date").result
        for place, vat_total in enumerate(bill.vat_totals):
            assert vat_total.amount == replayed(rb.explain(result, bill=at, vat=place))


def check_adjustments(
    terms: rb.LeaseTerms, series: rb.IndexSeries, policy: rb.BillingPolicy
) -> None:
    made = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)
    known: dict[str, object] = {}
    for at, (record, working) in enumerate(zip(made, rb.explain(made), strict=True)):
        found = replayed(working, known)
        assert found == replayed(rb.explain(made, adjustment=at))
        assert found in (record.to_period_amount, record.to_balance_amount)
        steps = {step.label: step.result for step in working.steps()}
        if record.to_yearly_amount is not None and "new amount of a year" in steps:
            assert record.to_yearly_amount == steps["new amount of a year"]
            assert record.yearly_amount_change == steps["change of a year"]
            assert record.period_amount_change == steps["change of a period"]
        if record.balance_amount_change is not None and "change of the balance" in steps:
            assert record.balance_amount_change == steps["change of the balance"]
