"""Changes inside a period that was billed before: the credit, and the new charge.

The old price is credited and the new one charged for the days from the change on. Within one
month, or one run of days, that is the second part of a split (A19, A20); in a longer cycle, whose
splits count months, it is a part period by days.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from rentbilling import Amount, Discount, Period
from rentbilling.schedule import period_share
from tests.outside.peers import days, rents
from tests.outside.peers.asked import figure


@dataclass(frozen=True, slots=True)
class Price:
    """A price of one unit for a whole period, with its quantity and discount."""

    amount: Amount
    quantity: Decimal | None = None
    discount: Discount | None = None

    def rest(self, period: Period, change: date) -> Amount | None:
        """Return what the days of a period cost from a change on, or None if there are none."""
        more: dict[str, Any] = {"quantity": self.quantity, "discount": self.discount}
        if change > period.end:
            return None
        if change <= period.start:
            return rents.period_price(self.amount, period, **more)
        cycle = days.cycle_of(period)
        if cycle.months > 1 or (self.discount and self.discount.amount):
            part = Period(change, period.end)
            share = period_share(part, cycle, whole=period, policy=rents.BY_DAYS)
            return rents.part_of(rents.period_price(self.amount, period, **more), share)
        later = {change: self.amount.amount}
        item = rents.rent(rents.NOTHING, cycle, period.start, later=later, **more)
        lines = rents.lines_due(item, period.start, period.end)
        return rents.net(line for line in lines if line.accounting_period.start >= change)


def price(amount: object, quantity: object = None, discount: Any = None) -> Price | None:  # noqa: ANN401
    if amount is None:
        return None
    units = None if quantity is None else Decimal(str(quantity))
    return Price(rents.money(figure(amount)), units, _discount(discount))


def _discount(given: Mapping[str, Any] | None) -> Discount | None:
    if given is None:
        return None
    if "percent" in given:
        return rents.by_percentage(given["percent"])
    return Discount(amount=rents.money(figure(given["amount"])))


def changed(
    old: Price | None, new: Price | None, period: Period, change: date, later: Period | None = None
) -> dict[str, Any]:
    """Return the credit below zero, the charge, and both together.

    The new price is one of the same period, or of a later one that begins with the change.
    """
    credit = old and old.rest(period, change)
    charge = new and new.rest(later or period, change)
    back = -credit if credit else None
    return {
        "credit": back,
        "charge": charge,
        "net": rents.total(each for each in (back, charge) if each),
        "credits": [back] if back else [],
        "charges": [charge] if charge else [],
    }
