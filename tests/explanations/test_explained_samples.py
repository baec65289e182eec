"""Explanations of many leases that are the same in every run, each replayed by the evaluator.

The laws draw theirs at random; these are dealt from numbered decks, so that every kind of line,
rule and balance is explained in every run.
"""

from collections.abc import Callable
from hashlib import shake_256

import pytest

from rentbilling import (
    BillingPolicy,
    IndexSeries,
    LeaseTerms,
    adjusted_terms,
    bill_period,
    pending_bills,
    rent_adjustments,
)
from rentbilling.testing.deck import Deck
from rentbilling.testing.item_deals import CURRENCIES, deal_policy, deal_terms, deal_window
from tests.support.adjusting_strategies import ASKED, deal_adjusted, deal_wide, deal_with_deposit
from tests.support.explained import check, check_adjustments

Adjusted = tuple[LeaseTerms, IndexSeries, BillingPolicy]


def deck(number: int) -> Deck:
    return Deck(shake_256(str(number).encode()).digest(900))


@pytest.mark.parametrize("number", range(60))
def test_a_lease_under_a_policy(number: int) -> None:
    """Every figure of its bills of some days (A21, A29, A30)."""
    cards = deck(number)
    terms, policy = deal_terms(cards, cards.pick((*CURRENCIES, None))), deal_policy(cards)

    check(pending_bills(terms, deal_window(cards), policy=policy))


@pytest.mark.parametrize("deal", [deal_adjusted, deal_wide, deal_with_deposit])
@pytest.mark.parametrize("number", range(20))
def test_the_adjustments_of_a_lease(number: int, deal: Callable[[Deck], Adjusted]) -> None:
    """Of ten years; and the same where the first three are listed (A37, A38)."""
    terms, series, policy = deal(deck(number))
    check_adjustments(terms, series, policy)
    made = rent_adjustments(terms, ASKED, indices=series, policy=policy)

    check_adjustments(adjusted_terms(terms, made[:3]), series, policy)


@pytest.mark.parametrize("number", range(20))
def test_the_bills_of_an_adjusted_lease(number: int) -> None:
    """With its deposit, billed at once or in instalments (A39, A42)."""
    terms, series, policy = deal_with_deposit(deck(number))
    billed = policy.evolve(balance_change=("once", "instalments")[number % 2])

    check(bill_period(terms, "2020-02-01/2023-12-31", indices=series, policy=billed))
