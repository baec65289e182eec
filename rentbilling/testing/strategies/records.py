"""A strategy for each record, for policies and series, and for leases with all that bills them."""

from decimal import Decimal
from typing import Final, NamedTuple

from hypothesis import strategies as st

import rentbilling as rb
from rentbilling.testing.strategies import adjusted_leases, items, plans
from rentbilling.testing.strategies.choices import Choices, chosen

_ITEM: Final = 300
_LEASE: Final = 1000
_PLAN: Final = 300
_MONTHS: Final = tuple(range(1, 13))


def currencies() -> st.SearchStrategy[str]:
    """Return currencies with two decimals, with none and with three."""
    return st.sampled_from(items.CURRENCIES)


def amounts(currency: str | None = None) -> st.SearchStrategy[rb.Amount]:
    """Return amounts as items have them: credits, fractions of a minor unit and ties among them.

    Examples:
        >>> from hypothesis import find
        >>> find(amounts("DKK"), lambda amount: amount.amount < 0).currency
        'DKK'
    """
    return chosen(lambda choices: items.choose_amount(choices, currency))


def vats() -> st.SearchStrategy[rb.Vat]:
    """Return VAT of every tax mode and many rates."""
    return chosen(items.choose_vat)


def periods() -> st.SearchStrategy[rb.Period]:
    """Return periods of one day to about a year."""
    return chosen(items.choose_period)


def asked_periods() -> st.SearchStrategy[rb.Period]:
    """Return periods to ask bills for: years, quarters, months, days."""
    return chosen(items.choose_window)


def billing_cycles() -> st.SearchStrategy[rb.BillingCycle]:
    """Return billing cycles of every unit, odd lengths and late start days among them."""
    return chosen(items.choose_cycle)


def due_date_rules() -> st.SearchStrategy[rb.DueDateRule]:
    """Return due date rules, counted from either end of a period."""
    return chosen(items.choose_due_date_rule)


def discounts(amount: rb.Amount | None = None) -> st.SearchStrategy[rb.Discount]:
    """Return discounts that an item of some amount may carry."""
    whole = rb.Amount(8500, "DKK") if amount is None else amount
    return chosen(lambda choices: items.choose_discount(choices, whole))


def opening_periods(
    currency: str | None = None,
) -> st.SearchStrategy[rb.FirstBillingPeriodBillItem]:
    """Return opening periods of one day to most of a year, in one currency or in any."""
    return chosen(
        lambda choices: items.choose_opening(choices, items.choose_currency(choices, currency))
    )


def amount_records(currency: str | None = None) -> st.SearchStrategy[rb.AmountRecord]:
    """Return records of amounts, in one currency or in any."""
    return chosen(
        lambda choices: rb.AmountRecord(
            value=items.choose_amount(choices, currency), start=choices.day()
        )
    )


def vat_records() -> st.SearchStrategy[rb.VatRecord]:
    """Return records of VAT."""
    return chosen(
        lambda choices: rb.VatRecord(value=items.choose_vat(choices), start=choices.day())
    )


def description_records() -> st.SearchStrategy[rb.DescriptionRecord]:
    """Return records of texts."""
    return chosen(
        lambda choices: rb.DescriptionRecord(value=choices.pick(items.TEXTS), start=choices.day())
    )


def quantity_records() -> st.SearchStrategy[rb.QuantityRecord]:
    """Return records of quantities."""
    return chosen(
        lambda choices: rb.QuantityRecord(value=items.choose_quantity(choices), start=choices.day())
    )


def recurring_bill_items(currency: str | None = None) -> st.SearchStrategy[rb.RecurringBillItem]:
    """Return recurring items with everything that they may have, in one currency or in any."""
    return chosen(lambda choices: items.choose_item(choices, currency), _ITEM)


def one_time_bill_items(currency: str | None = None) -> st.SearchStrategy[rb.OneTimeBillItem]:
    """Return one-time items, in one currency or in any."""
    return chosen(lambda choices: items.choose_one_time_item(choices, currency))


def lease_terms(currency: str | None = None) -> st.SearchStrategy[rb.LeaseTerms]:
    """Return leases of one to three recurring items and up to two one-time items.

    Rent adjustments come with what they are billed with: see `billing_runs`.
    """

    def choose(choices: Choices) -> rb.LeaseTerms:
        return items.choose_terms(choices, currency or choices.pick((*items.CURRENCIES, None)))

    return chosen(choose, _LEASE)


def portfolios(most: int = 3) -> st.SearchStrategy[list[rb.LeaseTerms]]:
    """Return portfolios: lists of leases, each with an id of its own."""

    def choose(choices: Choices) -> list[rb.LeaseTerms]:
        codes = (*items.CURRENCIES, None)
        return [
            items.choose_terms(choices, choices.pick(codes), f"lease-{at}")
            for at in range(1, 2 + choices.below(most))
        ]

    return chosen(choose, _LEASE * most)


def billing_policies() -> st.SearchStrategy[rb.BillingPolicy]:
    """Return policies with up to three choices of their own."""
    return chosen(items.choose_policy)


def increments(currency: str | None = None) -> st.SearchStrategy[rb.Increment]:
    """Return increments: percentages, amounts and levels, in one currency or in any."""
    kinds = ("percentage", "amount", "level")

    def choose(choices: Choices) -> rb.Increment:
        code = items.choose_currency(choices, currency)
        return plans.choose_increment(choices, choices.pick(plans.YEARS), code, kinds)

    return chosen(choose)


def index_clauses(currency: str = "DKK") -> st.SearchStrategy[rb.IndexClause]:
    """Return clauses with up to four conventions, whose amounts are in a currency."""
    part = rb.Amount(Decimal("12.34"), currency)
    return chosen(lambda choices: plans.choose_clause(choices, currency, part=part))


def rent_adjustment_rules(currency: str = "DKK") -> st.SearchStrategy[rb.RentAdjustmentRule]:
    """Return rules by an index and rules of increments, whose amounts are in a currency."""

    def choose(choices: Choices) -> rb.RentAdjustmentRule:
        month = choices.pick(_MONTHS)
        if choices.below(2):
            return plans.choose_increment_rule(choices, month, currency)
        return plans.choose_index_rule(choices, choices.pick(_MONTHS), month, currency)

    return chosen(choose, _PLAN)


def rent_adjustment_plans(currency: str = "DKK") -> st.SearchStrategy[rb.RentAdjustmentPlan]:
    """Return plans of one rule or two, whose amounts are in a currency."""
    return chosen(lambda choices: plans.choose_kept_plan(choices, currency), _PLAN)


def rent_adjustments() -> st.SearchStrategy[rb.RentAdjustment]:
    """Return adjustments as a service lists them."""
    return chosen(plans.choose_adjustment)


def balances(currency: str | None = None) -> st.SearchStrategy[rb.Balance]:
    """Return deposits of an amount or of months of rent, in one currency or in any."""
    return chosen(lambda choices: plans.choose_balance(choices, currency))


def index_series() -> st.SearchStrategy[rb.IndexSeries]:
    """Return series of months, quarters or years, with holes and marks."""
    return chosen(plans.choose_any_series, _PLAN)


class BillingRun(NamedTuple):
    """Everything that `pending_bills` and `check_laws` take: bills are made of it, not refused."""

    terms: rb.LeaseTerms
    period: rb.Period
    indices: rb.IndexSeries | None
    policy: rb.BillingPolicy


def billing_runs() -> st.SearchStrategy[BillingRun]:
    """Return leases together with what they are billed with: half of them with rent adjustments.

    Examples:
        >>> from hypothesis import given, settings
        >>> from rentbilling.testing import check_laws
        >>> @settings(max_examples=20, deadline=None)
        ... @given(billing_runs())
        ... def test_the_laws_hold(run):
        ...     terms, period, indices, policy = run
        ...     check_laws(terms, period, indices=indices, policy=policy)
        >>> test_the_laws_hold()
    """

    def choose(choices: Choices) -> BillingRun:
        if choices.below(2):
            period = adjusted_leases.choose_asked(choices)
            terms, indices, policy = adjusted_leases.choose_adjusted(choices)
            return BillingRun(terms, period, indices, policy)
        period, policy = items.choose_window(choices), items.choose_policy(choices)
        terms = items.choose_terms(choices, choices.pick((*items.CURRENCIES, None)))
        return BillingRun(terms, period, None, policy)

    return chosen(choose, _LEASE)
