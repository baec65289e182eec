"""Explanations of many leases that are the same in every run, each replayed by the evaluator.

The laws draw theirs at random; these are chosen from numbered decks, so that every kind of line,
rule and balance is explained in every run.
"""

from collections.abc import Callable
from hashlib import shake_256

import pytest

import rentbilling as rb
from rentbilling.testing.strategies.adjusted_leases import Adjusted, choose_adjusted
from rentbilling.testing.strategies.choices import Choices
from rentbilling.testing.strategies.items import (
    CURRENCIES,
    choose_policy,
    choose_terms,
    choose_window,
)
from tests.support.adjusted import ASKED, choose_known, choose_with_deposit
from tests.support.explained import check, check_adjustments
from tests.support.rows import rows


def choices(number: int) -> Choices:
    return Choices(shake_256(str(number).encode()).digest(900))


@rows("number", range(60))
def test_a_lease_under_a_policy(number: int) -> None:
    """Every figure of its bills of some days (A21, A29, A30)."""
    cards = choices(number)
    terms, policy = choose_terms(cards, cards.pick((*CURRENCIES, None))), choose_policy(cards)

    check(rb.pending_bills(terms, choose_window(cards), policy=policy))


@pytest.mark.parametrize("choose", [choose_known, choose_adjusted, choose_with_deposit])
@pytest.mark.parametrize("number", range(20))
def test_the_adjustments_of_a_lease(number: int, choose: Callable[[Choices], Adjusted]) -> None:
    """Of ten years; and the same where the first three are listed (A37, A38)."""
    terms, series, policy = choose(choices(number))
    check_adjustments(terms, series, policy)
    made = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)

    listed = rb.adjusted_terms(terms, made[:3], indices=series, policy=policy)
    check_adjustments(listed, series, policy)


@pytest.mark.parametrize("number", range(20))
def test_the_bills_of_an_adjusted_lease(number: int) -> None:
    """With its deposit, billed on the day of its change (A39, A42)."""
    terms, series, policy = choose_with_deposit(choices(number))
    billed = policy.evolve(balance_change="once")

    check(rb.bill_period(terms, "2020-02-01/2022-12-31", indices=series, policy=billed))
