"""Hypothesis strategies of the project's own tests: what users get, and a few kinds beside it.

Laws: what is drawn is always accepted by the library, so no test filters.
What does not live here: how records are dealt (`rentbilling.testing.item_deals`).
"""

from decimal import Decimal

from hypothesis import strategies as st

from rentbilling import Amount, BillingCycle
from rentbilling.testing.deck import EPOCH, Deck, dealt
from rentbilling.testing.item_deals import (
    BUSINESS_DAYS,
    CURRENCIES,
    PLACES,
    ROUNDINGS,
    SHARE_METHODS,
    deal_amount,
    deal_cycle,
    deal_due_date_rule,
    deal_item,
    deal_one_time_item,
    deal_period,
    deal_policy,
    deal_terms,
    deal_vat,
    deal_window,
)

LATTICE_MONTHS = (1, 3, 2, 4, 6, 12)
START_DAYS = (1, 1, 1, 15, 28, 29, 30, 31)


def deal_payment(deck: Deck) -> Amount:
    code = deck.pick(CURRENCIES)
    minor = deck.below(2_000_000) - deck.pick((0, 0, 0, 1_000_000))
    return Amount(Decimal(f"{minor}e-{PLACES[code]}"), code)


def deal_lattice_cycle(deck: Deck) -> BillingCycle:
    """Deal a cycle that needs no anchor: its periods stand in the calendar by themselves (A8)."""
    unit = deck.pick(("Month", "Month", "Year", "Week"))
    if unit == "Week":
        return BillingCycle(time_unit=unit, start=1 + deck.below(7))
    return BillingCycle(
        time_unit=unit,
        period_length=deck.pick(LATTICE_MONTHS if unit == "Month" else (1,)),
        start=1 + deck.below(12),
        start_day=deck.pick(START_DAYS),
    )


figures = dealt(lambda deck: deal_amount(deck, "DKK").amount)
amounts = dealt(deal_amount)
payments = dealt(deal_payment)
vats = dealt(deal_vat)
cycles = dealt(deal_cycle)
lattice_cycles = dealt(deal_lattice_cycle)
due_date_rules = dealt(deal_due_date_rule)
periods = dealt(deal_period)
windows = dealt(deal_window)
days = dealt(Deck.day)
items = dealt(deal_item, 240)
one_time_items = dealt(deal_one_time_item)
leases = dealt(lambda deck: deal_terms(deck, deck.pick((*CURRENCIES, None))), 700)
policies = dealt(deal_policy)
roundings = st.sampled_from(ROUNDINGS)
share_methods = st.sampled_from(SHARE_METHODS)
business_days = st.sampled_from(BUSINESS_DAYS)

whole_bills = dealt(
    lambda deck: tuple(deal_one_time_item(deck, "DKK", EPOCH) for _ in range(1 + deck.below(6))),
    240,
)
"""One-time items that fall due together: one bill of stated lines."""
