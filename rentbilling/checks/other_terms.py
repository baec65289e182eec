"""Terms that a lease may have been billed by in error: an item without a discount, and the like.

Law: each differs from the lease in one thing, which its words name.
"""

from collections.abc import Container, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple, get_args

from rentbilling.billing import priced_opening
from rentbilling.errors import RentBillingError
from rentbilling.policy import BillingPolicy, PartPeriod
from rentbilling.terms import (
    Discount,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    prices_in_a_cycle,
)
from rentbilling.values import Amount, minor_units, rounded

_MOST_RECORDS: Final = 6
"""Prices of an item that are left out one by one, the latest ones."""


class Other(NamedTuple):
    """Terms and a policy that differ from those of the lease in one thing."""

    said: str
    """What differs: `the lease with recurring-1 without the discount 1`."""
    terms: LeaseTerms
    policy: BillingPolicy


def other_items(
    terms: LeaseTerms, policy: BillingPolicy, ends: Mapping[str, date | None]
) -> Iterator[Other]:
    """Give terms in which one thing of an item is changed.

    `ends` has the products whose lines differ, and of each the last day that the other bills are
    paid for until, if that differs.
    """
    for at, item in enumerate(terms.recurring_bill_items):
        if item.product_key in ends:
            for said, changes in _changes(item, policy, ends[item.product_key]):
                other = _with_items(terms, {at: changes})
                if other is not None:
                    yield Other(f"the lease with {terms.item_ids[at]} {said}", other, policy)


def other_openings(
    terms: LeaseTerms, policy: BillingPolicy, products: Container[str]
) -> Iterator[tuple[Other, PartPeriod]]:
    """Give terms whose openings are counted in another way, of some products, and which (A20)."""
    items = terms.recurring_bill_items
    for word in get_args(PartPeriod):
        changes = {
            at: {"first_billing_period_bill_item": opening}
            for at, item in enumerate(items)
            if item.product_key in products
            if (opening := _opening(item, policy, word)) is not None
        }
        # All of them, then each.
        for places in ([*changes], *([at] for at in changes if len(changes) > 1)):
            other = _with_items(terms, {at: changes[at] for at in places})
            if places and other is not None:
                ids = ", ".join(terms.item_ids[at] for at in places)
                said = f"the lease with the opening of {ids} counted by {word}"
                yield Other(said, other, policy), word


def _with_items(terms: LeaseTerms, changes: Mapping[int, Mapping[str, Any]]) -> LeaseTerms | None:
    """Return terms with items changed by their places; None for an item that cannot be so."""
    items = [*terms.recurring_bill_items]
    try:
        for at, change in changes.items():
            items[at] = items[at].evolve(**change)
        return terms.evolve(recurring_bill_items=tuple(items))
    except RentBillingError:
        return None


def _opening(
    item: RecurringBillItem, policy: BillingPolicy, word: PartPeriod
) -> FirstBillingPeriodBillItem | None:
    """Return an item's opening as a way to count gives it; None for other days or no change."""
    stated = item.first_billing_period_bill_item
    days = stated.accounting_period
    try:
        found = priced_opening(item, days.first, days.end, policy, word)
    except RentBillingError:
        return None
    is_other = found.accounting_period == days and found.amount != stated.amount
    return stated.evolve(amount=found.amount) if is_other else None


def _changes(
    item: RecurringBillItem, policy: BillingPolicy, end: date | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    if item.ended_on is not None:
        yield "without its end", {"ended_on": None}
    if end is not None:
        yield f"ended on {end}", {"ended_on": end}
    records = sorted(item.amount_records, key=lambda each: each.start)
    for record in records[-_MOST_RECORDS:]:
        others = tuple(each for each in records if each is not record)
        yield f"without its price from {record.start}", {"amount_records": others}
    listed = item.all_discounts
    for at, each in enumerate(listed):
        rest = (*listed[:at], *listed[at + 1 :])
        yield f"without the discount {_named(each, at)}", {"discount": None, "discounts": rest}
    if len(listed) > 1:
        yield "with its discounts in the opposite order", {"discounts": listed[::-1]}
    for at, each in enumerate(listed if len(listed) > 1 else ()):
        if each.percentage is not None:
            of, words = (None, "what is left") if each.of == "list" else ("list", "the full price")
            other = (*listed[:at], each.evolve(of=of), *listed[at + 1 :])
            yield f"with the discount {_named(each, at)} of {words}", {"discounts": other}
    if item.part_period is not None:
        yield "without a part_period of its own", {"part_period": None}
    if item.price_per != "cycle":
        yield "with its price rounded for each cycle", _by_cycle(item, policy)


def _named(discount: Discount, at: int) -> str:
    return str(at + 1) if discount.description is None else repr(discount.description)


def _by_cycle(item: RecurringBillItem, policy: BillingPolicy) -> dict[str, Any]:
    """Return a price of a year or a month as one of a cycle, rounded, as is often billed (A65)."""
    times = prices_in_a_cycle(item.billing_cycle, item.price_per)
    mode = policy.for_product(item.product_key).rounding

    def of_cycle(amount: Amount) -> Amount:
        places = minor_units(amount.currency, policy.currencies)
        exact = Fraction(amount.amount) * times
        return Amount.unchecked(rounded(exact, places, mode), amount.currency)

    records = (each.evolve(value=of_cycle(each.value)) for each in item.amount_records)
    return {"price_per": "cycle", "amount": of_cycle(item.amount), "amount_records": tuple(records)}
