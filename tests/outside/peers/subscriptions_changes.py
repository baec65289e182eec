"""Judges of changes inside a period that was billed before: what comes back and what is added.

The old price is credited and the new one charged for the days from the change on. Within one
month, or one run of days, that is the second part of a split (A19, A20); in a longer cycle, whose
splits count months, it is a part period by days.
What does not live here: discounts by themselves (`subscriptions_discounts`).
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    Discount,
    Period,
    QuantityRecord,
    period_share,
)
from tests.outside.board import Case, Head, Verdict, not_expressible
from tests.outside.peers.subscriptions_cycles import anchored, cycle_of, first_period, step_named
from tests.outside.peers.subscriptions_items import (
    BY_PERIOD_DAYS,
    NOTHING,
    lines_due,
    net_of,
    part_of,
    period_price,
    subscription,
)
from tests.outside.peers.subscriptions_reading import (
    day,
    day_after,
    ends_are_excluded,
    figure,
    fraction_of_percent,
    held,
    period_between,
)

_CURRENCY = "EUR"


@dataclass(frozen=True, slots=True)
class Price:
    """A price of one unit for a whole period, with its quantity and discount."""

    amount: Amount
    quantity: Decimal | None = None
    discount: Discount | None = None

    def for_all_of(self, period: Period) -> Amount:
        return period_price(self.amount, period, quantity=self.quantity, discount=self.discount)


def _price(amount: object, quantity: object = None, discount: Any = None) -> Price | None:  # noqa: ANN401
    """Return the price that a case states, or None where it states none."""
    if amount is None:
        return None
    units = None if quantity is None else Decimal(str(quantity))
    return Price(Amount(figure(str(amount)), _CURRENCY), units, _discount(discount))


def _discount(given: Any) -> Discount | None:  # noqa: ANN401
    """Return the discount that a case states, of a percentage or of an amount."""
    if given is None:
        return None
    if "percent" in given:
        return Discount(percentage=fraction_of_percent(given["percent"]))
    return Discount(amount=Amount(figure(given["amount"]), _CURRENCY))


def rest_of(price: Price, period: Period, change: date) -> Amount | None:
    """Return what the days of a period cost from a change on, or None if there are none.

    Args:
        price: The price of a whole period.
        period: The period.
        change: The first day that counts.

    Returns:
        The amount, rounded once.
    """
    if change > period.end:
        return None
    if change <= period.start:
        return price.for_all_of(period)
    cycle = cycle_of(period)
    if cycle.months > 1 or (price.discount and price.discount.amount):
        share = period_share(Period(change, period.end), cycle, whole=period, policy=BY_PERIOD_DAYS)
        return part_of(price.for_all_of(period), share)
    item = subscription(
        Amount(NOTHING, _CURRENCY),
        cycle,
        period.start,
        quantity=price.quantity,
        discount=price.discount,
        amount_records=[AmountRecord(value=price.amount, start=change)],
    )
    lines = lines_due(item, period.start, period.end)
    return net_of((line for line in lines if line.accounting_period.start >= change), _CURRENCY)


def _difference(old: Amount | None, new: Amount | None) -> Amount:
    nothing = Amount(NOTHING, _CURRENCY)
    return (new or nothing) - (old or nothing)


def _period_of(given: Any, head: Head) -> Period:  # noqa: ANN401
    excluded = ends_are_excluded(given.get("period_end"), head)
    return period_between(given["period"], excluded=excluded)


def changed_lines(case: Case, head: Head) -> Verdict:
    """Judge a change of price and quantity, a line added, or a line taken away (Flexprice)."""
    given = case["input"]
    if figure(given.get("previous_credits") or 0):
        return not_expressible("credit_cap")
    period, change = _period_of(given, head), day(given["change_date"])
    old = _price(given["old_price"], given["old_quantity"])
    new = _price(given["new_price"], given["new_quantity"])
    credit = rest_of(old, period, change) if old else None
    charge = rest_of(new, period, change) if new else None
    return held(
        case["expected"],
        {
            "net": _difference(credit, charge),
            "credits": [-credit] if credit else [],
            "charges": [charge] if charge else [],
        },
    )


def changed_amount(case: Case, head: Head) -> Verdict:
    """Judge a change from one amount to another, with the credit below zero (Meteroid)."""
    given = case["input"]
    period, change = _period_of(given, head), day(given["change_date"])
    old, new = _price(given.get("old_amount")), _price(given.get("new_amount"))
    credit = rest_of(old, period, change) if old else None
    charge = rest_of(new, period, change) if new else None
    return held(
        case["expected"],
        {
            "credit": -credit if credit else None,
            "charge": charge,
            "net": _difference(credit, charge),
        },
    )


def added_amount(case: Case, head: Head) -> Verdict:
    """Judge a price that is added or taken away inside a period (Meteroid)."""
    given = case["input"]
    period, change = _period_of(given, head), day(given["change_date"])
    added, removed = _price(given.get("added_monthly")), _price(given.get("removed_monthly"))
    charge = rest_of(added, period, change) if added else None
    credit = rest_of(removed, period, change) if removed else None
    return held(case["expected"], {"net": _difference(credit, charge), "charge": charge})


def changed_plan(case: Case, head: Head) -> Verdict:
    """Judge a change of plan; another length of cycle begins anew on its day (Polar)."""
    given = case["input"]
    period, change = _period_of(given, head), day(given["change_on"])
    old, new = given["old"], given["new"]
    before = _price(old["amount"], old.get("quantity"), old.get("discount"))
    after = _price(new["amount"], new.get("quantity"), new.get("discount"))
    credit = rest_of(before, period, change) if before else None
    begins_anew = old.get("unit") != new.get("unit")
    later = first_period(_cycle_named(new["unit"], change), change) if begins_anew else period
    charge = rest_of(after, later, change) if after else None
    return held(
        case["expected"],
        {"credit": credit, "debit": charge, "net": _difference(credit, charge)},
    )


def _cycle_named(unit: str, start: date) -> BillingCycle:
    return anchored(step_named(unit), start)


def changed_quantity(case: Case, head: Head) -> Verdict:
    """Judge a quantity that changes now and a price that changes with the next period (Polar)."""
    given = case["input"]
    period, change = _period_of(given, head), day(given["change_on"])
    next_start = day_after(period.end)
    price = Amount(Decimal(given["unit_price"]), _CURRENCY)
    later = Amount(Decimal(given["next_period_unit_price"]), _CURRENCY)
    item = subscription(
        price,
        cycle_of(period),
        period.start,
        quantity=Decimal(given["quantity"]),
        amount_records=[AmountRecord(value=later, start=next_start)],
    ).evolve(quantity_records=(QuantityRecord(value=Decimal(given["new_quantity"]), start=change),))
    more = _difference(
        rest_of(Price(price, Decimal(given["quantity"])), period, change),
        rest_of(Price(price, Decimal(given["new_quantity"])), period, change),
    )
    credited = more < Amount(NOTHING, _CURRENCY)
    return held(
        case["expected"],
        {
            "credit": -more if credited else None,
            "debit": None if credited else more,
            "next_period_amount": net_of(lines_due(item, next_start, next_start), _CURRENCY),
        },
    )
