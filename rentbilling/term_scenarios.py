"""Scenarios of the terms: another due day, another start or end, items more or fewer.

Law: what a scenario does not name stays as it is.
What does not live here: the price (`rent_scenarios`), another cycle (`cycle_scenarios`).
"""

from datetime import date
from decimal import Decimal
from typing import Literal

from rentbilling.opening import first_billing_period
from rentbilling.periods import day_of
from rentbilling.records import DueDateRule
from rentbilling.rent_scenarios import stated_price
from rentbilling.scenarios import (
    BillingInputs,
    Chosen,
    Scenario,
    chooses,
    chosen_words,
    of_items,
    refuse_unless,
    with_items,
)
from rentbilling.terms import OneTimeBillItem, RecurringBillItem


def due_on(
    day_of_period: int, *, relative_to: Literal["start", "end"] = "start", of: Chosen = None
) -> Scenario:
    """Return the scenario of bills that fall due on another day of their period (A10, A51).

    Args:
        day_of_period: 1 is the first day of the period, -1 the day before it.
        relative_to: Whether it is counted from the start of the period or from its end.
        of: Product keys or item ids; every recurring item by default.

    Returns:
        The scenario; the due date of the opening period is stated for itself and stays.

    Raises:
        InvalidDueDateRuleError: The rule names no day.

    Examples:
        >>> due_on(10)
        <Scenario all items due on day 10>
    """
    rule = DueDateRule(day_of_period=day_of_period, relative_to=relative_to)

    def change(inputs: BillingInputs, at: int) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]
        return item if item.due_date_rule == rule else item.evolve(due_date_rule=rule)

    ending = "" if relative_to == "start" else " from the end"
    return of_items(f"{chosen_words(of)} due on day {day_of_period}{ending}", of, change)


def end_on(day: date | str | None) -> Scenario:
    """Return the scenario of a lease whose last day paid for is another one; None is without end.

    Raises:
        InvalidPeriodError: The day is malformed; or, when it runs, lies before the lease's start.

    Examples:
        >>> end_on("2027-06-30")
        <Scenario lease ends 2027-06-30>
    """
    end = None if day is None else date.fromordinal(day_of(day, "day"))

    def change(inputs: BillingInputs) -> BillingInputs:
        if inputs.terms.contract_end == end:
            return inputs
        return inputs.evolve(terms=inputs.terms.evolve(contract_end=end))

    return Scenario("lease without end" if end is None else f"lease ends {end}", change)


def start_on(day: date | str) -> Scenario:
    """Return the scenario of a lease that begins on another day.

    Every recurring item gets an opening period from that day to its first regular cycle, priced by
    its share of what is in force then and due on the day itself (A14).

    Raises:
        InvalidPeriodError: The day is malformed; or, when it runs, lies after the lease's end.

    Examples:
        >>> start_on("2027-03-15")
        <Scenario lease starts 2027-03-15>
    """
    first = day_of(day, "day")
    start = date.fromordinal(first)

    def moved(inputs: BillingInputs, at: int) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]
        opening = first_billing_period(
            stated_price(inputs, at, first),
            item.billing_cycle,
            start,
            quantity=quantity_on(item, first),
            discount=item.discount if discounted_on(item, first) else None,
            policy=inputs.policy.for_product(item.product_key),
        )
        return item.evolve(started_on=start, first_billing_period_bill_item=opening)

    def change(inputs: BillingInputs) -> BillingInputs:
        terms = inputs.terms
        items = (moved(inputs, at) for at in range(len(terms.recurring_bill_items)))
        made = with_items(inputs, items)
        if terms.contract_start is None:
            return made
        return made.evolve(terms=made.terms.evolve(contract_start=start))

    return Scenario(f"lease starts {start}", change)


def quantity_on(item: RecurringBillItem, day: int) -> Decimal | None:
    """Return how many units of an item there are on a day."""
    held = [each for each in item.quantity_records if each.start.toordinal() <= day]
    latest = max(held, key=lambda each: each.start, default=None)
    return item.quantity if latest is None else latest.value


def discounted_on(item: RecurringBillItem, day: int) -> bool:
    """Return whether an item has a discount that has not ended by a day."""
    discount = item.discount
    if discount is None:
        return False
    return discount.end_date is None or discount.end_date.toordinal() >= day


def with_item(item: RecurringBillItem | OneTimeBillItem) -> Scenario:
    """Return the scenario of an item more.

    Raises:
        InvalidRecordError: It is no item; or, when it runs, its id is taken.

    Examples:
        >>> from rentbilling.testing import an_item
        >>> with_item(an_item(product_key="key:parking"))
        <Scenario with key:parking>
    """
    refuse_unless((RecurringBillItem, OneTimeBillItem), item, "item", "a bill item")

    def change(inputs: BillingInputs) -> BillingInputs:
        terms = inputs.terms
        if isinstance(item, OneTimeBillItem):
            once = (*terms.one_time_bill_items, item)
            return inputs.evolve(terms=terms.evolve(one_time_bill_items=once))
        return with_items(inputs, (*terms.recurring_bill_items, item))

    return Scenario(f"with {item.product_key}", change)


def without_item(of: Chosen) -> Scenario:
    """Return the scenario of recurring items fewer.

    Args:
        of: Product keys or item ids.

    Raises:
        InvalidAdjustmentRuleError: When it runs: a plan is about the item.

    Examples:
        >>> without_item("key:parking")
        <Scenario without key:parking>
    """

    def change(inputs: BillingInputs) -> BillingInputs:
        terms = inputs.terms
        pairs = zip(terms.recurring_bill_items, terms.item_ids, strict=False)
        return with_items(
            inputs, (item for item, item_id in pairs if not chooses(of, item, item_id))
        )

    return Scenario(f"without {chosen_words(of)}", change)
