"""Histories asked again: what comes later is added, what was refused leaves no trace (A38, A39)."""

import json
from datetime import date

import pytest
from jsonschema import Draft202012Validator

import rentbilling as rb
from rentbilling import presets
from rentbilling.adjustments import LeaseHistories
from rentbilling.interface import schema_of
from tests.support.plans import (
    IN_2021,
    IN_2022,
    ITEM,
    TENTHS,
    by_index,
    deposit,
    lease,
    octobers,
    plan,
)
from tests.support.rents import ordinal


def test_adjustments_beside_bills_are_written_and_read_again_in_full() -> None:
    """The plain form is the interface's, which has bills alone (A56)."""
    found = rb.bill_period(lease(by_index()), IN_2021, indices=TENTHS)
    text = rb.dumps(found, full=True)
    again = rb.loads(text, rb.BillingResult)
    bills = rb.pending_bills(lease(by_index()), IN_2021, indices=TENTHS)

    assert (found.bills, found.adjustments) == (again.bills, again.adjustments)
    assert (found.bills, rb.dumps(found), ()) == (bills.bills, rb.dumps(bills), bills.adjustments)
    assert (text, ITEM) == (rb.dumps(again, full=True), again.adjustments[0].adjustee_id)
    assert [] == list(
        Draft202012Validator(schema_of("BillingResultFull")).iter_errors(json.loads(text))
    )


def test_a_refusal_half_way_leaves_nothing_half_done() -> None:
    """The change of 150 percent is there, and noticed, once; of 2022 nothing is known."""
    terms, index = lease(by_index()), octobers(100, 250, provisional=["2020-10"])
    (history,) = LeaseHistories(terms, {"NPI": index}, rb.BillingPolicy()).items.values()
    last = ordinal("2021-12-31")
    for _ in range(2):
        with pytest.raises(rb.MissingIndexError):
            history.until(ordinal("2022-12-31"))
        assert [25_000] == [each.after for each in history.until(last)]
        found = [notice.code for notice in history.notices(0, last)]
        assert ["large_change", "provisional_index"] == found
    assert () == tuple(history.notices(0, ordinal("2020-12-31")))
    compiled = rb.compile_terms(terms, indices=index)
    with pytest.raises(rb.MissingIndexError):
        rb.pending_bills(compiled, IN_2022)
    assert () == rb.pending_bills(compiled, "2020-11").notices


def test_a_deposit_moves_once_a_day_however_often_it_is_asked() -> None:
    """Three months of 10,000, 11,000 and 12,100, by a plan of its own and by that of the rent."""
    own = plan(by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True)
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    months = (deposit(months="3"),)
    expected = ["2021-01-01: 30000 → 33000", "2022-01-01: 33000 → 36300"]
    for terms in (lease(by_index(), own, balances=months), lease(both, balances=months)):
        (asked,) = LeaseHistories(terms, {"NPI": TENTHS}, rb.BillingPolicy()).balances.values()
        for until, count in (
            *(("2020-12-31", 0), ("2021-01-01", 1), ("2021-06-30", 1), ("2022-01-01", 2)),
            *(("2022-01-31", 2), ("2021-12-31", 1)),
        ):
            found = asked.until(ordinal(until))
            assert expected[:count] == [
                f"{date.fromordinal(each.day)}: {each.before} → {each.after}" for each in found
            ]


def test_public_functions_are_functions_after_their_first_use() -> None:
    assert callable(rb.rent_adjustments)
    assert presets.find("DE")
    assert callable(presets.preset)
    assert presets.legal_caps("DK")
    assert callable(presets.legal_caps)
