"""The laws of checks: what was computed is consistent, and one changed figure is found."""

from random import Random

from hypothesis import given, strategies as st

from rentbilling import BillingPolicy
from rentbilling.checks import check_bill, compare_bills
from rentbilling.checks.check import odd_lines, stated_findings
from rentbilling.checks.plain_bills import are_different_items, is_plainly_right
from rentbilling.checks.stated_bill import stated_bill
from tests.support.changed_bills import changed
from tests.support.strategies import Run, policies, runs

UNKNOWN = frozenset({"price", "unit net price"})
"""Figures that no other determines where the quantity is so small that the net stays as it is."""


@given(runs, policies)
def test_computed_bills_have_no_errors_and_no_warnings(run: Run, other: BillingPolicy) -> None:
    """What is taken for right at a glance has no findings by the rules themselves, either."""
    for bill in run.bills:
        found = check_bill(bill, policy=run.policy)
        assert {"vat_of_gross"} >= {each.code for each in found}, str(found)
        for each in (bill, *(one for _, one in changed(bill))):
            for policy in (run.policy, other):
                if is_plainly_right(each, policy):
                    assert [] == list(stated_findings(stated_bill(each), policy))
            if are_different_items(each):
                assert [] == list(odd_lines(each))


@given(runs, st.randoms(use_true_random=False))
def test_one_changed_figure_is_found(run: Run, choose: Random) -> None:
    """By a check where other figures determine it, by a comparison always."""
    for bill in run.bills[:1]:
        name, other = choose.choice(list(changed(bill)))
        findings = [check_bill(each, policy=run.policy).findings for each in (bill, other)]

        assert findings[0] != findings[1] or name in UNKNOWN, name
        assert (name == "base") is compare_bills(bill, other).is_equal
        assert compare_bills(bill, bill).is_equal
