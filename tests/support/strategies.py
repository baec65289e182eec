"""Hypothesis strategies of the project's own tests: what users get, and a few kinds beside it.

Laws: what is drawn is always accepted by the library, so no test filters.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from hypothesis import settings, strategies as st

import rentbilling as rb
from rentbilling import Amount, BillingCycle
from rentbilling.testing.strategies.choices import EPOCH, Choices, chosen
from rentbilling.testing.strategies.items import (
    BUSINESS_DAYS,
    CURRENCIES,
    PLACES,
    ROUNDINGS,
    SHARE_METHODS,
    choose_amount,
    choose_cycle,
    choose_due_date_rule,
    choose_item,
    choose_one_time_item,
    choose_period,
    choose_policy,
    choose_terms,
    choose_vat,
    choose_window,
)

IS_DEEP = settings().max_examples >= 5000
"""Whether the profile is `deep`."""
LATTICE_MONTHS = (1, 3, 2, 4, 6, 12)
START_DAYS = (1, 1, 1, 15, 28, 29, 30, 31)


def choose_payment(choices: Choices) -> Amount:
    code = choices.pick(CURRENCIES)
    minor = choices.below(2_000_000) - choices.pick((0, 0, 0, 1_000_000))
    return Amount(Decimal(f"{minor}e-{PLACES[code]}"), code)


def choose_lattice_cycle(choices: Choices) -> BillingCycle:
    """Choose a cycle that needs no anchor: its periods stand in the calendar by themselves (A8)."""
    unit = choices.pick(("Month", "Month", "Year", "Week"))
    if unit == "Week":
        return BillingCycle(time_unit=unit, start=1 + choices.below(7))
    return BillingCycle(
        time_unit=unit,
        period_length=choices.pick(LATTICE_MONTHS if unit == "Month" else (1,)),
        start=1 + choices.below(12),
        start_day=choices.pick(START_DAYS),
    )


figures = chosen(lambda choices: choose_amount(choices, "DKK").amount)
amounts = chosen(choose_amount)
payments = chosen(choose_payment)
vats = chosen(choose_vat)
cycles = chosen(choose_cycle)
lattice_cycles = chosen(choose_lattice_cycle)
due_date_rules = chosen(choose_due_date_rule)
periods = chosen(choose_period)
windows = chosen(choose_window)
days = chosen(Choices.day)
items = chosen(choose_item, 240)
leases = chosen(lambda choices: choose_terms(choices, choices.pick((*CURRENCIES, None))), 700)
policies = chosen(choose_policy)


@dataclass(frozen=True)
class Run:
    """A lease without plans, the days that are asked for, and the policy."""

    terms: rb.LeaseTerms
    period: rb.Period
    policy: rb.BillingPolicy

    @cached_property
    def bills(self) -> rb.BillingResult:
        return self.billed()

    def billed(self, **beside: Any) -> rb.BillingResult:  # noqa: ANN401 - arguments
        return rb.pending_bills(self.terms, self.period, policy=self.policy, **beside)

    def other(self, **changes: Any) -> "Run":  # noqa: ANN401 - fields
        return replace(self, **changes)

    def cut(self, days: int) -> "list[Run]":
        """Return the run cut in two after some days of it."""
        day = self.period.start + timedelta(days=1 + days % self.period.days)
        return [self.other(period=part) for part in self.period.split_at(day)]


def choose_run(choices: Choices) -> Run:
    period, policy = choose_window(choices), choose_policy(choices)
    return Run(choose_terms(choices, choices.pick((*CURRENCIES, None))), period, policy)


runs = chosen(choose_run, 1000)
cuts = chosen(lambda choices: choices.below(731))
ALWAYS = rb.Period(EPOCH - timedelta(days=500), EPOCH + timedelta(days=1100))
"""All days that leases have; an opening may fall due before its first day."""

roundings = st.sampled_from(ROUNDINGS)
share_methods = st.sampled_from(SHARE_METHODS)
business_days = st.sampled_from(BUSINESS_DAYS)

whole_bills = chosen(
    lambda choices: tuple(
        choose_one_time_item(choices, "DKK", EPOCH) for _ in range(1 + choices.below(6))
    ),
    240,
)
"""One-time items that fall due together: one bill of stated lines."""
