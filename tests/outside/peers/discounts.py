"""Discounts of subscriptions, amounts shared out, and what is refused."""

import re
from decimal import Decimal
from typing import Final

from rentbilling import Amount, BillingCycle, Discount, InvalidInputError
from rentbilling.payers import BillDiscount
from rentbilling.values import rounded, share_out
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, figure, is_refused

_FROM_THE_START: Final = re.compile(r"(\d+) (day|week|month|year)s? from the start")


def one_after_another(given: Asked) -> Figures:
    """Answer amounts and percentages off a whole bill, each from what is left (A73)."""
    subtotal = rents.money(given["subtotal"])
    discounts = [
        BillDiscount(percentage=rents.fraction_of(text))
        if str(text).endswith("%")
        else BillDiscount(amount=rents.money(figure(text)))
        for text in given["discounts"]
    ]
    left = rents.whole_bill([subtotal], discounts)
    return {"discount": subtotal - left, "total": left}


def stacked(given: Asked) -> Figures:
    """Answer percentages of the bill that add up, then percentages of what is left (A73)."""
    added = [each for each in given["discounts"] if each["stack"] == "additive"]
    others = [each for each in given["discounts"] if each["stack"] != "additive"]
    discounts = [
        *(BillDiscount(percentage=rents.fraction_of(each["percent"]), of="list") for each in added),
        *(BillDiscount(percentage=rents.fraction_of(each["percent"])) for each in others),
    ]
    return {"total": rents.whole_bill(map(rents.money, given["lines"]), discounts)}


def for_some_time(given: Asked) -> Figures:
    """Answer a percentage that ends inside a billed period.

    What was used is a stated sum, so it is billed like a price of the first period.
    """
    found = _FROM_THE_START.fullmatch(given["discount_duration"])
    if found is None:
        raise UnsaidError(f"a discount for {given['discount_duration']}")
    start = given.day("start")
    last = days.before(days.moved(start, days.step(found[2]), int(found[1])))
    discount = rents.by_percentage(given["discount_percent"]).evolve(end_date=last)
    billed = [days.run(pair) for pair in given["billed"]]
    cycle = days.anchored(given.step("interval"), start)
    plan = rents.rent(rents.money(given["amount"]), cycle, start, discount=discount)
    lines = [line for run in billed for line in rents.lines_of(plan, run, policy=rents.BY_DAYS)]
    if given.get("usage"):
        usage = rents.rent(rents.money(given["usage"]), cycle, start, discount=discount)
        lines += rents.lines_of(usage, billed[0], policy=rents.BY_DAYS)
    return {"total": rents.net(lines)}


def for_some_months(given: Asked) -> Figures:
    """Answer which periods a discount of a number of months holds for, with a day that clamps."""
    since, count = given.day("discount_from"), int(given["months"])

    def cycle(step: days.Step) -> BillingCycle:
        return days.anchored(step, since, start_day=int(given["anchor_day"]))

    months = days.first_of(cycle(days.Step("Month")), since, count)
    discount = Discount(percentage=Decimal("0.10"), end_date=months[-1].end)
    every = cycle(days.step_given(given["cycle"]))
    item = rents.rent(Decimal(100), every, since, discount=discount)
    through = days.years_on(since, days.Step("Month").years(count) + 1)
    lines = rents.lines_due(item, since, through)
    starts = [line.accounting_period.start for line in lines if line.net_price < item.amount]
    return {"discounted_periods": starts}


def on_lines_or_total(given: Asked) -> Figures:
    discount = rents.by_percentage(given["percent"])
    lines = [rents.money(text) for text in given["lines"]]
    per_line = [line - rents.less(line, discount) for line in lines]
    whole = rents.total(lines)
    on_the_total = whole - rents.less(whole, discount)
    sums = {"per_line_sum": rents.total(per_line), "on_the_total": on_the_total}
    return {"per_line": per_line, **sums}


def discount_shares(given: Asked) -> Figures:
    """Answer an amount taken off several lines in proportion, never more than their sum."""
    lines = [rents.money(text) for text in given["lines"]]
    whole = rents.total(lines)
    taken_off = whole - rents.less(whole, Discount(amount=rents.money(given["discount"])))
    shares = share_out(taken_off, [line.amount for line in lines], method="largest_remainder")
    taxable = [line - share for line, share in zip(lines, shares, strict=True)]
    return {"shares": shares, "taxable": taxable}


def weighted_shares(given: Asked) -> Figures:
    """Answer an amount shared out by weights; shares of nothing are left out."""
    weights = {name: Decimal(weight) for name, weight in given["weights"].items()}
    by_key = given.get("tie_breaker") == "key ascending"
    names = sorted(weights) if by_key else list(weights)
    listed = [weights[name] for name in names]
    shares = share_out(_amount(given), listed, method="largest_remainder")
    found = zip(names, shares, strict=True)
    return {"shares": {name: share for name, share in found if share.amount != rents.NOTHING}}


def refused_shares(given: Asked) -> Figures:
    weights = [Decimal(weight) for weight in given["weights"].values()]

    def shared() -> None:
        share_out(_amount(given), weights, method="largest_remainder")

    return {"refused": is_refused(shared, InvalidInputError)}


def _amount(given: Asked) -> Amount:
    return Amount(Decimal(given["amount"]), given["currency"])


def rounded_value(given: Asked) -> Figures:
    mode = rents.mode(given["mode"])
    return {"value": rounded(Decimal(given["value"]), int(given["digits"]), mode)}
