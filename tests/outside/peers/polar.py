"""Polar: changes of plan and quantity, discounts of a number of months, and rounding."""

from datetime import date
from decimal import Decimal

from rentbilling import BillingCycle, Discount, QuantityRecord
from rentbilling.values import rounded, share_out
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures
from tests.outside.peers.changes import Price, changed, price


def first_dates(given: Asked) -> Figures:
    start, count = days.of(given["start"]), int(given["count"])
    cycle = days.anchored(days.step_given(given["cycle"]), start)
    return {"dates": [period.start for period in days.first_of(cycle, start, count)]}


def changed_plan(given: Asked) -> Figures:
    """Answer a change of plan; another length of cycle begins anew on its day."""
    period, change = days.run(given["period"], excluded=given.excluded), _change(given)
    before, after = (
        price(plan["amount"], plan.get("quantity"), plan.get("discount"))
        for plan in (given["old"], given["new"])
    )
    later = None
    if given["old"].get("unit") != given["new"].get("unit"):
        later = days.first(days.anchored(days.step(given["new"]["unit"]), change), change)
    found = changed(before, after, period, change, later)
    credit = found["credit"]
    return {**found, "credit": -credit if credit else None, "debit": found["charge"]}


def _change(given: Asked) -> date:
    return days.of(given["change_on"])


def changed_quantity(given: Asked) -> Figures:
    """Answer a quantity that changes now and a price that changes with the next period."""
    period, change = days.run(given["period"], excluded=given.excluded), _change(given)
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
    net = changed(Price(amount, quantity), Price(amount, more), period, change)["net"]
    credited = net < rents.money(0)
    return {
        "credit": -net if credited else None,
        "debit": None if credited else net,
        "next_period_amount": rents.net(rents.lines_due(item, next_start, next_start)),
    }


def on_lines_or_total(given: Asked) -> Figures:
    discount = rents.by_percentage(given["percent"])
    lines = [rents.money(text) for text in given["lines"]]
    per_line = [line - rents.less(line, discount) for line in lines]
    whole = rents.total(lines)
    return {
        "per_line": per_line,
        "per_line_sum": rents.total(per_line),
        "on_the_total": whole - rents.less(whole, discount),
    }


def for_some_months(given: Asked) -> Figures:
    """Answer which periods a discount of a number of months holds for, with a day that clamps."""
    since, count = days.of(given["discount_from"]), int(given["months"])

    def cycle(step: days.Step) -> BillingCycle:
        return days.anchored(step, since, start_day=int(given["anchor_day"]))

    months = days.first_of(cycle(days.Step("Month")), since, count)
    discount = Discount(percentage=Decimal("0.10"), end_date=months[-1].end)
    item = rents.rent(
        Decimal(100), cycle(days.step_given(given["cycle"])), since, discount=discount
    )
    through = days.years_on(since, days.Step("Month").years(count) + 1)
    lines = rents.lines_due(item, since, through)
    starts = [line.accounting_period.start for line in lines if line.net_price < item.amount]
    return {"discounted_periods": starts}


def discount_shares(given: Asked) -> Figures:
    """Answer an amount taken off several lines in proportion, never more than their sum."""
    lines = [rents.money(text) for text in given["lines"]]
    whole = rents.total(lines)
    taken_off = whole - rents.less(whole, Discount(amount=rents.money(given["discount"])))
    shares = share_out(taken_off, [line.amount for line in lines], method="largest_remainder")
    taxable = [line - share for line, share in zip(lines, shares, strict=True)]
    return {"shares": shares, "taxable": taxable}


def rounded_value(given: Asked) -> Figures:
    mode = rents.mode(given["mode"])
    return {"value": rounded(Decimal(given["value"]), int(given["digits"]), mode)}
