"""Compiled terms: terms that are like others are billed as if they were compiled anew."""

from datetime import date
from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.billing.compiled import CompiledTerms
from tests.support.rents import amount, opening, price_from, rent, vat
from tests.support.rows import rows

YEAR = "2026-01-01/2026-12-31"
DISCOUNT = rb.Discount(percentage=Decimal("0.1"), start_date=date(2026, 3, 15))
BEFORE = rb.LeaseTerms.of(rent(), rent(id="b"))


@rows(
    "changes",
    [
        {"amount": amount("8100.55")},
        {"discounts": (DISCOUNT,)},
        {"discounts": (DISCOUNT.evolve(start_date=None),)},
        {"amount_records": (price_from("2026-03-10", "1"),)},
        {"vat": vat("Inclusive", "0.25")},
        {"quantity": Decimal(-2)},
        {"price_per": "year"},
        {"part_period": "days_over_30"},
        {"description": "Another text"},
        {"product_key": "key:parking"},
        {"ended_on": date(2026, 4, 10)},
        {"cancelled_on": date(2026, 4, 10)},
        {"started_on": date(2025, 12, 1)},
        {"due_date_rule": rb.DueDateRule(day_of_period=5)},
        {"billing_cycle": rb.BillingCycle(period_length=3)},
        {"first_billing_period_bill_item": opening(price="12.50")},
        {"amount": amount("8000 EUR"), "first_billing_period_bill_item": opening(price="8 EUR")},
    ],
)
@rows("policy", [rb.BillingPolicy(), rb.BillingPolicy(discount_opening=True)])
def test_a_changed_item_is_billed_as_one_compiled_anew(
    changes: dict[str, Any], policy: rb.BillingPolicy
) -> None:
    """And what it was like is billed as before."""
    compiled = CompiledTerms(BEFORE, policy)
    billed = rb.pending_bills(compiled, YEAR)
    after = rb.LeaseTerms.of(rent().evolve(**changes), BEFORE.recurring_bill_items[1])

    found = rb.pending_bills(CompiledTerms(after, policy, None, compiled), YEAR)

    assert rb.dumps(found) == rb.dumps(rb.pending_bills(after, YEAR, policy=policy))
    assert billed == rb.pending_bills(compiled, YEAR)


def test_terms_of_another_policy_or_end_share_nothing() -> None:
    policy = rb.BillingPolicy()
    compiled = CompiledTerms(BEFORE, policy)
    for terms, other in (
        (BEFORE, rb.BillingPolicy(part_period="full")),
        (BEFORE.evolve(contract_end=date(2026, 4, 10)), policy),
    ):
        found = rb.pending_bills(CompiledTerms(terms, other, None, compiled), YEAR)

        assert rb.dumps(found) == rb.dumps(rb.pending_bills(terms, YEAR, policy=other))


def test_only_prices_are_compiled_anew_where_only_they_change() -> None:
    """So that a hundred variants of a lease take little longer than one."""
    item, same = BEFORE.recurring_bill_items
    compiled = CompiledTerms(BEFORE, rb.BillingPolicy())
    after = rb.LeaseTerms.of(item.evolve(discounts=(DISCOUNT,)), same)

    (old, kept), (new, other) = (
        each.billed_items
        for each in (compiled, CompiledTerms(after, compiled.policy, None, compiled))
    )
    assert kept is other
    assert (old is new, old.prices is new.prices, old.schedule is new.schedule) == (
        False,
        False,
        True,
    )
