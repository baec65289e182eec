"""How the amount of an opening period comes about, where a rule gives it (A14, A154).

Law: an amount that no word for part periods gives is called agreed, and no step is made up.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rentbilling.billing import opening_by_rule, opening_changes, opening_days
from rentbilling.explanations import operations as op
from rentbilling.explanations.formatting import figure_text, number_text
from rentbilling.explanations.periods import share_of_cut, share_of_part
from rentbilling.explanations.working import Working, agreed, idle_source
from rentbilling.policy import BillingPolicy, PartPeriod
from rentbilling.schedule import part_periods_of, whole_before
from rentbilling.terms import RecurringBillItem
from rentbilling.values import Amount, Period

_TRIED: Final[tuple[PartPeriod, ...]] = (
    *("actual_days", "period_days", "thirty_day", "year_365", "half_month", "full"),
    *("days_over_30", "year_actual"),
)
"""The words of A20, then those of A66."""
OPENING_PRICE: Final = "opening price"
"""The label of the exact price of one of several units; the stated one gives the same line."""


def opening_amount(
    item: RecurringBillItem,
    policy: BillingPolicy,
    end: int,
    price_on: Callable[[int], Working],
    quantity: Working,
    coin: op.Coin,
    *,
    rounded: bool,
) -> Working:
    """Return how the unit price of an opening period comes about.

    Args:
        item: The item.
        policy: The policy of the bills.
        end: Last day that is billed.
        price_on: The price of a cycle after discounts that a part from some day on has.
        quantity: The units.
        coin: The currency.
        rounded: Whether the price as it is stated is wanted, and not the exact one of many units.
    """
    opening = item.first_billing_period_bill_item
    method = _method_of(item, policy, end)
    if method is None:
        return op.stated("unit price", opening.amount, "A12", "agreed for the opening period")
    exact, note = _exact_price(item, policy, method, price_on)
    exact = coin.exact_step(exact)
    mode = policy.for_product(item.product_key).rounding
    if op.value_of(quantity) == 1:
        found = coin.rounded("unit price", "A14", mode, exact=exact)
    elif not rounded:
        return op.total(OPENING_PRICE, "A14", exact=exact, note=note)
    else:
        line = op.product("exact line", "A21", quantity=quantity, unit_price=exact)
        whole = coin.rounded("line", "A21", mode, line=line)
        found = op.printed("unit price", "A14", whole, quantity, exact, coin, mode)
    return agreed(replace(found, note=note), opening.amount, "an opening price")


def _method_of(item: RecurringBillItem, policy: BillingPolicy, end: int) -> PartPeriod | None:
    """Return the first word that gives the stated amount, beginning with that of the item."""
    stated = item.first_billing_period_bill_item.amount
    own = part_periods_of(item, policy.for_product(item.product_key)).first
    for method in (own, *_TRIED):
        if opening_by_rule(item, policy, part_period=method, contract_end=end) == stated:
            return method
    return None


def _exact_price(
    item: RecurringBillItem,
    policy: BillingPolicy,
    method: PartPeriod,
    price_on: Callable[[int], Working],
) -> tuple[Working, str]:
    """Return the exact price of a unit for the opening period, and how it was counted."""
    period, cycle = item.first_billing_period_bill_item.accounting_period, item.billing_cycle
    days = period.first, period.last
    whole = whole_before(Period.unchecked(*opening_days(days[0], cycle)), cycle)
    share = None if days == whole else share_of_cut(days, whole, cycle, method)
    starts = (days[0], *opening_changes(item, policy))
    said = "a whole period" if share is None else f"as {method} counts"
    if len(starts) == 1:
        price = price_on(days[0])
        if share is None:
            return price, said
        exact = op.product("exact price", "A14", price=price, share=share)
        return exact, f"{said}: {_figure(price)} × {_counted(share)}"
    parts = [*zip(starts, (*(day - 1 for day in starts[1:]), days[1]), strict=True)]
    named: list[op.NamedInput] = []
    for at, part in enumerate(parts):
        own = share_of_part(at, parts, share, cycle, method)
        label = f"exact part {Period.unchecked(*part)}"
        named.append((label, op.product(label, "A14", price=price_on(part[0]), share=own)))
    return op.total("exact price", "A14", *named), said


def _figure(price: Working) -> str:
    value = price.result
    if isinstance(value, Amount):
        return figure_text(value)
    return number_text(op.number_of(price), parts=False)


def _counted(share: Working) -> str:
    """Return a share as it was counted, such as 21/30, where days are over days; else as it is."""
    step = share
    while (source := idle_source(step)) is not None:
        step = source
    numbers = [op.number_of(value) for _, value in step.values if step.operation == "quotient"]
    if numbers and all(each.denominator == 1 for each in numbers):
        return "/".join(map(str, numbers))
    return number_text(op.number_of(share))
