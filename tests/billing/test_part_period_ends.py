"""Words of an item, of its product and of the policy for part periods (A66), worked out by hand.

A rent of 9,300 a month from 16 January 2026, ended on 10 April: 16 of January's 31 days, 10 of
April's 30.
"""

from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import recurring_item
from rentbilling.errors import InvalidPolicyError, UnknownWordError
from rentbilling.schedule import period_share
from rentbilling.terms import BillingCycle
from tests.oracle import bills_by_oracle, bills_told_by
from tests.support.explained import check
from tests.support.rows import rows

APRIL, JANUARY = "2026-04-01/2026-04-30", "2026-01-16/2026-01-31"
FULL: dict[str, Any] = {"part_period": "full"}
# 9,300 × 16/31, × 16/30, whole; 9,300 × 10/30 by days and by days over 30.
DAYS, OVER_30, WHOLE, THIRD = "4800.00", "4960.00", "9300.00", "3100.00"


def ends(policy: rb.BillingPolicy, **own: Any) -> tuple[str, str]:  # noqa: ANN401
    """Return the first and the last bill; the oracle and the explanation agree with them."""
    item = recurring_item(
        "key:rent", "9300.00 EUR", "2026-01-16", ended_on="2026-04-10", policy=policy, **own
    )
    found = []
    for days in (JANUARY, APRIL):
        result = rb.pending_bills(item, days, policy=policy)
        assert bills_by_oracle([item], rb.Period.parse(days), policy) == bills_told_by(result.bills)
        check(result)
        found.append(f"{result[0].total.amount:f}")
    return found[0], found[1]


@rows(
    ("policy", "item", "expected"),
    [
        ({}, {}, (DAYS, THIRD)),
        ({"part_period": "days_over_30"}, {}, (OVER_30, THIRD)),
        ({"part_period": {"last": "full"}}, {}, (DAYS, WHOLE)),
        ({"part_period": {"first": "full"}}, {}, (WHOLE, THIRD)),
        # The item goes before the policy; an end that it does not name goes on to it.
        ({}, FULL, (WHOLE, WHOLE)),
        ({}, {"part_period": {"last": "full"}}, (DAYS, WHOLE)),
        (FULL, {"part_period": {"first": "days_over_30"}}, (OVER_30, WHOLE)),
        (FULL, {"part_period": {}}, (WHOLE, WHOLE)),
    ],
)
def test_each_end_is_counted_by_its_own_word(
    policy: dict[str, Any], item: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert expected == ends(rb.BillingPolicy(**policy), **item)


def test_an_item_goes_before_the_policy_of_its_product() -> None:
    """The product bills both ends in full, the item its last one by days (A54)."""
    policy = rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(**FULL)})
    item = recurring_item(
        *("key:rent", "9300.00 EUR", "2026-01-16"),
        ended_on="2026-04-10",
        part_period={"last": "actual_days"},
    )

    assert THIRD == f"{rb.pending_bills(item, APRIL, policy=policy)[0].total.amount:f}"


def test_two_rents_of_one_product_end_in_their_own_ways() -> None:
    two = [
        recurring_item("key:rent", "9300.00 EUR", "2026-01-01", ended_on="2026-04-10", **own)
        for own in ({}, FULL)
    ]

    [bill] = rb.pending_bills(two, APRIL)

    assert [THIRD, WHOLE] == [f"{line.net_price.amount:f}" for line in bill.lines]


def test_a_word_for_both_ends_is_read_and_both_are_written() -> None:
    item = recurring_item("key:rent", "9300.00 EUR", "2026-01-01", part_period="half_month")
    written = rb.dumps(item)
    named = '"partPeriod": {"first": "half_month", "last": "half_month"}'

    assert named in written
    assert item == rb.loads(written, rb.RecurringBillItem)
    assert item == rb.loads(
        written.replace(named, '"partPeriod": "half_month"'), rb.RecurringBillItem
    )
    assert "partPeriod" not in rb.dumps(recurring_item("key:rent", "9300.00 EUR", "2026-01-01"))
    assert item == rb.LeaseTerms.of(item).recurring_bill_items[0]


def test_a_policy_of_two_words_is_written_and_read() -> None:
    policy = rb.BillingPolicy(part_period={"first": "full"})

    assert {
        "version": 1,
        "partPeriod": {"first": "full", "last": "actual_days"},
    } == policy.to_data()
    assert policy == rb.BillingPolicy.from_data(policy.to_data()) == policy.evolve()
    assert rb.BillingPolicy(part_period={"first": "full", "last": "full"}) == rb.BillingPolicy(
        **FULL
    )
    assert policy.fingerprint != rb.BillingPolicy().fingerprint
    assert hash(policy) == hash(policy.evolve())


@rows(
    ("given", "said"),
    [
        ({"lst": "full"}, "part_period.lst: is not a field"),
        ({"last": "half"}, "part_period.last: is not a known word"),
        (["full"], "part_period: is not a known word"),
    ],
)
def test_other_words_are_refused_with_their_place(given: Any, said: str) -> None:  # noqa: ANN401
    with pytest.raises(InvalidPolicyError, match=said):
        rb.BillingPolicy(part_period=given)


def test_a_word_of_an_item_is_refused_once() -> None:
    with pytest.raises(UnknownWordError) as refused:
        recurring_item("key:rent", "9300.00 EUR", "2026-01-01", part_period="days/30")

    [problem] = refused.value.problems
    assert ("part_period", "unknown_word", "'days/30'") == (problem.path, problem.code, problem.met)


def test_a_share_is_that_of_the_end_where_the_days_lie() -> None:
    policy = rb.BillingPolicy(part_period={"first": "full", "last": "days_over_30"})
    days = ("2026-01-16/2026-01-31", "2026-01-01/2026-01-15")

    assert ["1", "1/2"] == [str(period_share(each, BillingCycle(), policy=policy)) for each in days]
