"""Scenarios of the terms: another due day, another start or end, additional or removed items.

Law: what a scenario does not name stays as it is.
"""

from datetime import date
from typing import Any, Literal

from rentbilling.billing import first_billing_period
from rentbilling.terms import (
    Discount,
    DueDateRule,
    OneTimeBillItem,
    RecurringBillItem,
    RentAdjustmentPlan,
    item_at,
)
from rentbilling.values import day_of
from rentbilling.whatif import scenario
from rentbilling.whatif.rent import paid_until, quantity_on, stated_price


def due_on(
    day_of_period: int,
    *,
    relative_to: Literal["start", "end"] = "start",
    of: scenario.Chosen = None,
) -> scenario.Scenario:
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

    def change(inputs: scenario.BillingInputs, at: int) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]
        return item if item.due_date_rule == rule else item.evolve(due_date_rule=rule)

    ending = "" if relative_to == "start" else " from the end"
    said = f"{scenario.chosen_words(of)} due on day {day_of_period}{ending}"
    return scenario.of_items(said, of, change, turn="terms")


def end_on(day: date | str | None) -> scenario.Scenario:
    """Return the scenario of a lease with another last day paid for; None means no end.

    Raises:
        InvalidPeriodError: The day is malformed; or, when it runs, is before the stated contract
            start.

    Examples:
        >>> end_on("2027-06-30")
        <Scenario lease ends 2027-06-30>
    """
    end = None if day is None else date.fromordinal(day_of(day, "day"))

    def change(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        if inputs.terms.contract_end == end:
            return inputs
        return inputs.evolve(terms=inputs.terms.evolve(contract_end=end))

    return scenario.Scenario(
        "lease without end" if end is None else f"lease ends {end}", change, turn="terms"
    )


def start_on(day: date | str) -> scenario.Scenario:
    """Return the scenario of a lease that begins on another day.

    Every recurring item that the lease begins with, or that has begun by then, gets an opening
    period from that day to its first regular cycle. It is priced by its share of the amount then in
    force, is due on the day itself (A14), and the item continues with that amount. Items that begin
    later do not change.

    Raises:
        InvalidPeriodError: The day is malformed; or, when it runs, is after the end of a lease that
            states its contract start.

    Examples:
        >>> start_on("2027-03-15")
        <Scenario lease starts 2027-03-15>
    """
    first = day_of(day, "day")
    start = date.fromordinal(first)

    def change(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        terms = inputs.terms
        begun = [_opens(item) for item in terms.recurring_bill_items]
        items = [
            _moved(inputs, at, start) if opens <= max(first, min(begun)) else item
            for at, (item, opens) in enumerate(zip(terms.recurring_bill_items, begun, strict=True))
        ]
        plans = tuple(_after(plan, start) for plan in terms.rent_adjustment_plans)
        changes: dict[str, Any] = {"recurring_bill_items": items, "rent_adjustment_plans": plans}
        if terms.contract_start is not None:
            changes["contract_start"] = start
        return inputs.evolve(terms=terms.evolve(**changes))

    return scenario.Scenario(f"lease starts {start}", change, turn="terms")


def _opens(item: RecurringBillItem) -> int:
    return item.first_billing_period_bill_item.accounting_period.first


def _moved(inputs: scenario.BillingInputs, at: int, start: date) -> RecurringBillItem:
    """Return an item that begins on another day with the amount then in force."""
    item, first = inputs.terms.recurring_bill_items[at], start.toordinal()
    amount, quantity = stated_price(inputs, at, first), quantity_on(item, first)
    ended_on = paid_until(inputs, at)
    opening = first_billing_period(
        amount,
        item.billing_cycle,
        start,
        # One that ended before has a notice (A158).
        ended_on=None if ended_on is None or ended_on < start else ended_on,
        quantity=quantity,
        discounts=discounts_from(item, first),
        amount_records=[each for each in item.amount_records if each.start > start],
        price_per=item.price_per,
        part_period=item.part_period,
        product_key=item.product_key,
        policy=inputs.policy,
    )
    return item.evolve(
        started_on=start,
        first_billing_period_bill_item=opening,
        amount=amount,
        amount_records=tuple(each for each in item.amount_records if each.start > start),
        quantity=quantity,
        quantity_records=tuple(each for each in item.quantity_records if each.start > start),
    )


def _after(plan: RentAdjustmentPlan, start: date) -> RentAdjustmentPlan:
    """Return a plan without the adjustments up to a day, which its price includes."""
    kept = tuple(each for each in plan.adjustments if each.adjusted_on > start)
    return plan if len(kept) == len(plan.adjustments) else plan.evolve(adjustments=kept)


def discounts_from(item: RecurringBillItem, day: int) -> tuple[Discount, ...]:
    return tuple(each for each in item.all_discounts if each.days[1] >= day)


def with_item(item: RecurringBillItem | OneTimeBillItem) -> scenario.Scenario:
    """Return the scenario of an additional item.

    Raises:
        InvalidRecordError: It is not an item; or, when it runs, its id is taken.

    Examples:
        >>> from rentbilling.testing import an_item
        >>> with_item(an_item(product_key="key:parking"))
        <Scenario with key:parking>
    """
    scenario.refuse_unless((RecurringBillItem, OneTimeBillItem), item, "item", "a bill item")

    def change(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        terms = inputs.terms
        if isinstance(item, OneTimeBillItem):
            once = (*terms.one_time_bill_items, item)
            return inputs.evolve(terms=terms.evolve(one_time_bill_items=once))
        return scenario.with_items(inputs, (*terms.recurring_bill_items, item))

    return scenario.Scenario(f"with {item.product_key}", change, turn="terms")


def without_item(of: scenario.Chosen) -> scenario.Scenario:
    """Return the scenario without some recurring items and the plans that adjust them.

    Raises:
        InvalidAdjustmentRuleError: When it runs: a plan of the item adjusts a balance too.

    Examples:
        >>> without_item("key:parking")
        <Scenario without key:parking>
    """

    def change(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        terms = inputs.terms
        ids = terms.item_ids[: len(terms.recurring_bill_items)]
        gone = {
            at
            for at, (item, item_id) in enumerate(zip(terms.recurring_bill_items, ids, strict=True))
            if scenario.chooses(of, item, item_id)
        }
        if not gone:
            return inputs
        plans = terms.rent_adjustment_plans
        kept = {
            # Items named by position are named by id from here on, since positions change.
            "recurring_bill_items": [
                item.evolve(id=item_id)
                for at, (item, item_id) in enumerate(
                    zip(terms.recurring_bill_items, ids, strict=True)
                )
                if at not in gone
            ],
            "rent_adjustment_plans": [
                plan for plan in plans if plan.adjusts_balances or item_at(plan, ids) not in gone
            ],
        }
        return inputs.evolve(terms=terms.evolve(**kept))

    return scenario.Scenario(f"without {scenario.chosen_words(of)}", change, turn="terms")
