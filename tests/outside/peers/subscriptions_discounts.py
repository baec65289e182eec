"""Judges of discounts, of amounts shared out, and of rounding by itself.

A discount is one of an item: several in a row are each taken off what the one before has left.
What does not live here: discounts that meet a change of plan (`subscriptions_changes`).
"""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import (
    Amount,
    AmountRecord,
    Discount,
    InvalidInputError,
    Period,
    rounded,
    share_out,
)
from rentbilling.values.money import Rounding
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.peers.subscriptions_cycles import (
    anchored,
    cycle_of,
    moved,
    regular_periods,
    step_given,
    step_named,
    step_of,
    years_on,
)
from tests.outside.peers.subscriptions_items import (
    NOTHING,
    lines_due,
    lines_within,
    net_of,
    subscription,
    total,
)
from tests.outside.peers.subscriptions_reading import (
    day,
    day_before,
    figure,
    fraction_of_percent,
    held,
)

_CURRENCY: Final = "EUR"
_MONTH: Final = Period(date(2026, 1, 1), date(2026, 1, 31))
_WEEKS_FROM_THE_START: Final = re.compile(r"(\d+) (day|week|month|year)s? from the start")
_MODES: Final[Mapping[str, Rounding]] = MappingProxyType(
    {
        "half away from zero": "half_up",
        "half up": "half_up",
        "half even": "half_even",
        "half down": "half_down",
        "half towards zero": "half_down",
        "up": "up",
        "down": "down",
    }
)


def _euros(value: Decimal | str | int) -> Amount:
    """Return an amount of a case that names no currency; two decimals are what matters."""
    return Amount(Decimal(value), _CURRENCY)


def less(price: Amount, discount: Discount) -> Amount:
    """Return what the library bills for a month of a price with a discount.

    An item refuses a discount above its own amount, but stops one at zero that meets a lower price
    later (A22); so where it is larger, the item begins with an amount that high and its price
    follows as a record.
    """
    item = subscription(price, cycle_of(_MONTH), _MONTH.start)
    if discount.amount is not None and price < discount.amount:
        record = AmountRecord(value=price, start=_MONTH.start)
        item = item.evolve(amount=discount.amount, amount_records=(record,))
    return net_of(lines_within(item.evolve(discount=discount), _MONTH), price.currency)


def _by_percentage(text: str | int | Decimal) -> Discount:
    return Discount(percentage=fraction_of_percent(text))


# -------------------------------------------------------------------------------- discounts


def on_lines_or_total(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    discount = _by_percentage(given["percent"])
    lines = [_euros(text) for text in given["lines"]]
    per_line = [line - less(line, discount) for line in lines]
    whole = total(lines, _CURRENCY)
    return held(
        case["expected"],
        {
            "per_line": per_line,
            "per_line_sum": total(per_line, _CURRENCY),
            "on_the_total": whole - less(whole, discount),
        },
    )


def one_after_another(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    subtotal = left = _euros(given["subtotal"])
    for text in given["discounts"]:
        percentage = str(text).endswith("%")
        left = less(
            left,
            _by_percentage(text) if percentage else Discount(amount=_euros(figure(text))),
        )
    return held(case["expected"], {"discount": subtotal - left, "total": left})


def stacked(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    left = total((_euros(text) for text in given["lines"]), _CURRENCY)
    additive = [each["percent"] for each in given["discounts"] if each["stack"] == "additive"]
    multiplied = [each["percent"] for each in given["discounts"] if each["stack"] != "additive"]
    summed = [sum(map(figure, additive), NOTHING)] if additive else []
    for percent in (*summed, *multiplied):
        left = less(left, _by_percentage(percent))
    return held(case["expected"], {"total": left})


def for_some_time(case: Case, _head: Head) -> Verdict:
    """Judge a percentage that ends inside a billed period (Silver).

    What was used is a stated sum, so it is billed like a price of the first period.
    """
    given = case["input"]
    found = _WEEKS_FROM_THE_START.fullmatch(given["discount_duration"])
    if found is None:
        return not_expressible(f"a discount for {given['discount_duration']}")
    start = day(given["start"])
    last = day_before(moved(start, step_of(found[2]), int(found[1])))
    discount = Discount(percentage=fraction_of_percent(given["discount_percent"]), end_date=last)
    billed = [Period(day(first), day(end)) for first, end in given["billed"]]
    cycle = anchored(step_named(given["interval"]), start)
    plan = subscription(_euros(given["amount"]), cycle, start, discount=discount)
    lines = [line for period in billed for line in lines_within(plan, period)]
    if given.get("usage"):
        usage = subscription(_euros(given["usage"]), cycle, start, discount=discount)
        lines += lines_within(usage, billed[0])
    return held(case["expected"], {"total": net_of(lines, _CURRENCY)})


def for_some_months(case: Case, _head: Head) -> Verdict:
    """Judge which periods a discount of a number of months holds for, with a day that clamps."""
    given = case["input"]
    since, anchor_day = day(given["discount_from"]), int(given["anchor_day"])
    months = int(given["months"])
    step = step_given(given["cycle"])
    cycle = anchored(step, since, start_day=anchor_day)
    through = years_on(since, step_of("month").years(months) + 1)
    discounted_months = regular_periods(
        anchored(step_of("month"), since, start_day=anchor_day), since, through
    )[:months]
    discount = Discount(percentage=Decimal("0.10"), end_date=discounted_months[-1].end)
    item = subscription(_euros(100), cycle, since, discount=discount)
    starts = [
        line.accounting_period.start
        for line in lines_due(item, since, through)
        if line.net_price < item.amount
    ]
    return held(case["expected"], {"discounted_periods": starts})


# ------------------------------------------------------------------------------ sharing out


def discount_shares(case: Case, _head: Head) -> Verdict:
    """Judge an amount taken off several lines in proportion, never more than their sum."""
    given = case["input"]
    lines = [_euros(text) for text in given["lines"]]
    whole = total(lines, _CURRENCY)
    taken_off = whole - less(whole, Discount(amount=_euros(given["discount"])))
    shares = share_out(taken_off, [line.amount for line in lines], method="largest_remainder")
    taxable = [line - share for line, share in zip(lines, shares, strict=True)]
    return held(case["expected"], {"shares": list(shares), "taxable": taxable})


def weighted_shares(case: Case, _head: Head) -> Verdict:
    """Judge an amount shared out by weights; the peer leaves out shares of nothing (OpenMeter)."""
    given = case["input"]
    weights = {name: Decimal(weight) for name, weight in given["weights"].items()}
    by_key = given.get("tie_breaker") == "key ascending"
    names = sorted(weights) if by_key else list(weights)
    shares = share_out(
        _sum_given(given), [weights[name] for name in names], method="largest_remainder"
    )
    ours = {
        name: share for name, share in zip(names, shares, strict=True) if share.amount != NOTHING
    }
    return held(case["expected"], {"shares": ours})


def refused_shares(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    weights = [Decimal(weight) for weight in given["weights"].values()]
    try:
        shares = share_out(_sum_given(given), weights, method="largest_remainder")
    except InvalidInputError:
        return held(case["expected"], {"refused": True})
    if not case["expected"]["refused"]:
        return PASSED
    parts = ", ".join(map(str, shares))
    return failed(f"refused: expected True, got {parts}: an amount is rounded to its currency (A3)")


def _sum_given(given: Any) -> Amount:  # noqa: ANN401
    return Amount(Decimal(given["amount"]), given["currency"])


# ---------------------------------------------------------------------------------- rounding


def rounded_value(case: Case, _head: Head) -> Verdict:
    given = case["input"]
    mode = _MODES.get(str(given["mode"]).lower().replace("_", " "))
    if mode is None:
        return not_expressible(f"the rounding {given['mode']}")
    return held(
        case["expected"], {"value": rounded(Decimal(given["value"]), int(given["digits"]), mode)}
    )
