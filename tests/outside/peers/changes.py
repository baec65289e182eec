"""Parts of a period, and changes inside one that was billed before: the credit, the new charge.

The old price is credited and the new one charged for the days from the change on. Within one
month, or one run of days, that is the second part of a split (A19, A20); in a longer cycle, whose
splits count months, it is a part period by days.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount, BillingPolicy, Discount, Period, QuantityRecord
from rentbilling.policy import PartPeriod
from rentbilling.schedule import period_share
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, figure

# ------------------------------------------------------------------------------------- parts

_METHODS: Final[dict[str, PartPeriod]] = {
    "none": "full",
    "days of service / days of full period": "period_days",
}


def days_between(given: Asked) -> Figures:
    """Answer the days from one date to another, the second excluded, in months of a length."""
    fixed = _month_length(given)
    start, end = given.day("startDate"), given.day("endDate")
    if not fixed:
        return {"days": Period(start, days.before(end)).days}
    return {"days": rents.months_between(start, end, rents.BY_THIRTY) * fixed}


def days_before_a_cycle(given: Asked) -> Figures:
    """Answer the share of the days before the first cycle date, in the period that ends there."""
    end = given.day("nextBillingCycleDate")
    whole = Period(days.moved(end, given.step("period"), -1), days.before(end))
    return _share(given, Period(given.day("startDate"), whole.end), whole)


def days_after_a_cycle(given: Asked) -> Figures:
    """Answer the share of the days after the last cycle date, in the period that begins there."""
    start = given.day("previousBillThroughDate")
    whole = Period(start, days.before(days.moved(start, given.step("period"), 1)))
    return _share(given, Period(start, days.before(given.day("endDate"))), whole)


def _share(given: Asked, part: Period, whole: Period) -> Figures:
    policy = rents.BY_THIRTY if _month_length(given) else rents.BY_DAYS
    cycle = days.anchored(given.step("period"), whole.start)
    return {"fraction": period_share(part, cycle, whole=whole, policy=policy)}


def _month_length(given: Asked) -> int:
    """Return how long a month is, or 0 where it is as long as it is."""
    fixed = int(given["fixed_days_in_month"])
    if fixed not in {0, 30}:
        raise UnsaidError(f"a month of {fixed} days")
    return fixed


def months_in_between(given: Asked) -> Figures:
    """Answer the months from one date to another, the second excluded, as an exact number."""
    start, end = given.day("start"), given.day("end")
    return {"months": rents.months_between(start, end, BillingPolicy())}


def cut_period(given: Asked) -> Figures:
    """Answer what remains of a period that a first or a last day cuts, and which share it is."""
    whole = given.run("period")
    start = days.maybe(given.get("from_date")) or whole.start
    end = days.maybe(given.get("to_date"))
    last = whole.end if end is None else days.before(end) if given.excluded else end
    part = Period(start, last).intersection(whole) if start <= last else None
    if part is None:
        return {"period": None, "fraction": Fraction(0)}
    share = period_share(part, days.cycle_of(whole), whole=whole, policy=rents.BY_DAYS)
    return {"period": days.ends(part) if given.excluded else part, "fraction": share}


def calendar_part(given: Asked) -> Figures:
    part = given.run("period")
    cycle = days.of_the_calendar(given.step("interval"))
    price = rents.money(given["amount"])
    starts = [period.start for period in days.regular(cycle, part.start, part.end)]
    shares = [period_share(each, cycle, policy=rents.BY_DAYS) for each in part.split_at(*starts)]
    return {"total": rents.total(rents.part_of(price, share) for share in shares)}


def served_part(given: Asked) -> Figures:
    """Answer the price of the days of service within a full period."""
    method = _METHODS.get(given["method"])
    if method is None:
        raise UnsaidError(f"the method {given['method']}")
    whole, part = given.run("full_period"), given.run("service_period")
    policy = BillingPolicy(part_period=method)
    share = period_share(part, days.cycle_of(whole), whole=whole, policy=policy)
    return {"amount": rents.part_of(Amount(Decimal(given["amount"]), given["currency"]), share)}


# ------------------------------------------------------------------------------------- changes


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


def _price(amount: object, quantity: object = None, discount: Any = None) -> Price | None:  # noqa: ANN401
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


def _changed(
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


def changed_lines(given: Asked) -> Figures:
    if figure(given.get("previous_credits") or 0):
        raise UnsaidError("credit_cap")
    old = _price(given["old_price"], given["old_quantity"])
    new = _price(given["new_price"], given["new_quantity"])
    return _changed(old, new, given.run("period"), given.day("change_date"))


def changed_amount(given: Asked) -> Figures:
    old = _price(given.get("old_amount", given.get("removed_monthly")))
    new = _price(given.get("new_amount", given.get("added_monthly")))
    return _changed(old, new, given.run("period"), given.day("change_date"))


def changed_plan(given: Asked) -> Figures:
    """Answer a change of plan; another length of cycle begins anew on its day."""
    period, change = given.run("period"), given.day("change_on")
    before, after = (
        _price(plan["amount"], plan.get("quantity"), plan.get("discount"))
        for plan in (given["old"], given["new"])
    )
    later = None
    if given["old"].get("unit") != given["new"].get("unit"):
        later = days.first(days.anchored(days.step(given["new"]["unit"]), change), change)
    found = _changed(before, after, period, change, later)
    credit = found["credit"]
    return {**found, "credit": -credit if credit else None, "debit": found["charge"]}


def changed_quantity(given: Asked) -> Figures:
    """Answer a quantity that changes now and a price that changes with the next period."""
    period, change = given.run("period"), given.day("change_on")
    next_start = days.after(period.end)
    amount, quantity = rents.money(given["unit_price"]), Decimal(given["quantity"])
    more = Decimal(given["new_quantity"])
    item = rents.rent(
        amount,
        days.cycle_of(period),
        period.start,
        quantity=quantity,
        later={next_start: Decimal(given["next_period_unit_price"])},
        quantity_records=(QuantityRecord(value=more, start=change),),
    )
    net = _changed(Price(amount, quantity), Price(amount, more), period, change)["net"]
    credited = net < rents.money(0)
    return {
        "credit": -net if credited else None,
        "debit": None if credited else net,
        "next_period_amount": rents.net(rents.lines_due(item, next_start, next_start)),
    }
