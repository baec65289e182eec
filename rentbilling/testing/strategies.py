"""Hypothesis strategies for everything that is billed: records, policies, series, portfolios.

Laws: every example is accepted by the library, none is thrown away; examples shrink towards a plain
monthly rent; ends of months, leap days, ties, opening gaps, part periods, credits and currencies
without or with three decimals come up often.

Examples:
    >>> from hypothesis import given, settings
    >>> from rentbilling import pending_bills
    >>> from rentbilling.testing import strategies
    >>> @settings(max_examples=20)
    ... @given(strategies.lease_terms(), strategies.asked_periods())
    ... def test_bills_are_in_order(terms, period):
    ...     days = [bill.due_date for bill in pending_bills(terms, period)]
    ...     assert days == sorted(days)
    >>> test_bills_are_in_order()
"""

from decimal import Decimal
from typing import Final, NamedTuple

from hypothesis import strategies as st

from rentbilling import (
    Amount,
    AmountRecord,
    Balance,
    BillingCycle,
    BillingPolicy,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    Increment,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    QuantityRecord,
    RecurringBillItem,
    RentAdjustment,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    Vat,
    VatRecord,
)
from rentbilling.testing import adjusted_deals, item_deals as items, plan_deals as plans
from rentbilling.testing.deck import Deck, dealt

_ITEM: Final = 260
_LEASE: Final = 900
_PLAN: Final = 240
_MONTHS: Final = tuple(range(1, 13))


def currencies() -> st.SearchStrategy[str]:
    """Return currencies with two decimals, with none and with three."""
    return st.sampled_from(items.CURRENCIES)


def amounts(currency: str | None = None) -> st.SearchStrategy[Amount]:
    """Return amounts as items have them: credits, fractions of a minor unit and ties among them.

    Examples:
        >>> from hypothesis import find
        >>> find(amounts("DKK"), lambda amount: amount.amount < 0).currency
        'DKK'
    """
    return dealt(lambda deck: items.deal_amount(deck, currency))


def vats() -> st.SearchStrategy[Vat]:
    """Return VAT of every tax mode and many rates."""
    return dealt(items.deal_vat)


def periods() -> st.SearchStrategy[Period]:
    """Return periods of one day to about a year."""
    return dealt(items.deal_period)


def asked_periods() -> st.SearchStrategy[Period]:
    """Return periods to ask bills for: years, quarters, months, days."""
    return dealt(items.deal_window)


def billing_cycles() -> st.SearchStrategy[BillingCycle]:
    """Return billing cycles of every unit, odd lengths and late start days among them."""
    return dealt(items.deal_cycle)


def due_date_rules() -> st.SearchStrategy[DueDateRule]:
    """Return due date rules, counted from either end of a period."""
    return dealt(items.deal_due_date_rule)


def discounts(amount: Amount | None = None) -> st.SearchStrategy[Discount]:
    """Return discounts that an item of some amount may carry."""
    whole = Amount(8500, "DKK") if amount is None else amount
    return dealt(lambda deck: items.deal_discount(deck, whole))


def opening_periods(currency: str | None = None) -> st.SearchStrategy[FirstBillingPeriodBillItem]:
    """Return opening periods of one day to most of a year, in one currency or in any."""
    return dealt(lambda deck: items.deal_opening(deck, items.deal_currency(deck, currency)))


def amount_records(currency: str | None = None) -> st.SearchStrategy[AmountRecord]:
    """Return records of amounts, in one currency or in any."""
    return dealt(
        lambda deck: AmountRecord(value=items.deal_amount(deck, currency), start=deck.day())
    )


def vat_records() -> st.SearchStrategy[VatRecord]:
    """Return records of VAT."""
    return dealt(lambda deck: VatRecord(value=items.deal_vat(deck), start=deck.day()))


def description_records() -> st.SearchStrategy[DescriptionRecord]:
    """Return records of texts."""
    return dealt(lambda deck: DescriptionRecord(value=deck.pick(items.TEXTS), start=deck.day()))


def quantity_records() -> st.SearchStrategy[QuantityRecord]:
    """Return records of quantities."""
    return dealt(lambda deck: QuantityRecord(value=items.deal_quantity(deck), start=deck.day()))


def recurring_bill_items(currency: str | None = None) -> st.SearchStrategy[RecurringBillItem]:
    """Return recurring items with everything that they may have, in one currency or in any."""
    return dealt(lambda deck: items.deal_item(deck, currency), _ITEM)


def one_time_bill_items(currency: str | None = None) -> st.SearchStrategy[OneTimeBillItem]:
    """Return one-time items, in one currency or in any."""
    return dealt(lambda deck: items.deal_one_time_item(deck, currency))


def lease_terms(currency: str | None = None) -> st.SearchStrategy[LeaseTerms]:
    """Return leases of one to three recurring items and up to two one-time items.

    Rent adjustments come with what they are billed with: see `billing_runs`.
    """

    def deal(deck: Deck) -> LeaseTerms:
        return items.deal_terms(deck, currency or deck.pick((*items.CURRENCIES, None)))

    return dealt(deal, _LEASE)


def portfolios(most: int = 3) -> st.SearchStrategy[list[LeaseTerms]]:
    """Return portfolios: lists of leases, each with an id of its own."""

    def deal(deck: Deck) -> list[LeaseTerms]:
        codes = (*items.CURRENCIES, None)
        return [
            items.deal_terms(deck, deck.pick(codes), f"lease-{at}")
            for at in range(1, 2 + deck.below(most))
        ]

    return dealt(deal, _LEASE * most)


def billing_policies() -> st.SearchStrategy[BillingPolicy]:
    """Return policies with up to three choices of their own."""
    return dealt(items.deal_policy)


def increments(currency: str | None = None) -> st.SearchStrategy[Increment]:
    """Return increments: percentages, amounts and levels, in one currency or in any."""
    kinds = ("percentage", "amount", "level")

    def deal(deck: Deck) -> Increment:
        code = items.deal_currency(deck, currency)
        return plans.deal_increment(deck, deck.pick(plans.YEARS), code, kinds)

    return dealt(deal)


def index_clauses(currency: str = "DKK") -> st.SearchStrategy[IndexClause]:
    """Return clauses with up to three conventions, whose amounts are in a currency."""
    part = Amount(Decimal("12.34"), currency)
    return dealt(lambda deck: plans.deal_clause(deck, currency, part=part))


def rent_adjustment_rules(currency: str = "DKK") -> st.SearchStrategy[RentAdjustmentRule]:
    """Return rules by an index and rules of increments, whose amounts are in a currency."""

    def deal(deck: Deck) -> RentAdjustmentRule:
        month = deck.pick(_MONTHS)
        if deck.below(2):
            return plans.deal_increment_rule(deck, month, currency)
        return plans.deal_index_rule(deck, deck.pick(_MONTHS), month, currency)

    return dealt(deal, _PLAN)


def rent_adjustment_plans(currency: str = "DKK") -> st.SearchStrategy[RentAdjustmentPlan]:
    """Return plans of one rule or two, whose amounts are in a currency."""
    return dealt(
        lambda deck: plans.deal_plan(deck, deck.pick(_MONTHS), deck.pick(_MONTHS), currency), _PLAN
    )


def rent_adjustments() -> st.SearchStrategy[RentAdjustment]:
    """Return adjustments as a service lists them."""
    return dealt(plans.deal_adjustment)


def balances(currency: str | None = None) -> st.SearchStrategy[Balance]:
    """Return deposits of an amount or of months of rent, in one currency or in any."""
    return dealt(lambda deck: plans.deal_balance(deck, currency))


def index_series() -> st.SearchStrategy[IndexSeries]:
    """Return series of months, quarters or years, with holes and marks."""
    return dealt(plans.deal_any_series, _PLAN)


class BillingRun(NamedTuple):
    """Everything that `pending_bills` and `check_laws` take: bills are made of it, not refused."""

    terms: LeaseTerms
    period: Period
    indices: IndexSeries | None
    policy: BillingPolicy


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

    def deal(deck: Deck) -> BillingRun:
        if deck.below(2):
            terms, indices, policy = adjusted_deals.deal_adjusted(deck)
            return BillingRun(terms, adjusted_deals.deal_asked(deck), indices, policy)
        period, policy = items.deal_window(deck), items.deal_policy(deck)
        terms = items.deal_terms(deck, deck.pick((*items.CURRENCIES, None)))
        return BillingRun(terms, period, None, policy)

    return dealt(deal, _LEASE)
