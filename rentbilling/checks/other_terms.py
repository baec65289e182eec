"""Terms that a lease may have been billed by in error: an item without a discount, and the like.

Law: each differs from the lease in one thing, which its words name.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rentbilling.errors import RentBillingError
from rentbilling.policy import BillingPolicy
from rentbilling.terms import Discount, LeaseTerms, RecurringBillItem, prices_in_a_cycle
from rentbilling.values import Amount, minor_units, rounded


def other_terms(terms: LeaseTerms, policy: BillingPolicy) -> Iterator[tuple[str, LeaseTerms]]:
    """Give terms in which one thing of an item is changed, and in words which."""
    for at, item in enumerate(terms.recurring_bill_items):
        for said, changes in _changes(item, policy):
            items = [*terms.recurring_bill_items]
            try:
                items[at] = item.evolve(**changes)
                other = terms.evolve(recurring_bill_items=tuple(items))
            except RentBillingError:
                # An item that cannot be so was not billed so.
                continue
            yield f"with {terms.item_ids[at]} {said}", other


def _changes(
    item: RecurringBillItem, policy: BillingPolicy
) -> Iterator[tuple[str, dict[str, Any]]]:
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
