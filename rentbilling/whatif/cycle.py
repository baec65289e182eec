"""Scenarios of another billing cycle: a year costs the same, and every day is paid for once."""

from datetime import date
from fractions import Fraction
from typing import Any, Final

from rentbilling.adjustments import Bounds, RuleDates
from rentbilling.billing import first_billing_period, opening_days
from rentbilling.errors import InvalidRecordError, UnsupportedCaseError
from rentbilling.schedule import BillingEnds, Schedule, due_date
from rentbilling.terms import (
    AmountRecord,
    BillingCycle,
    IndexClause,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    has_defaults,
    item_at,
    periods_a_year,
    plan_ids,
)
from rentbilling.values import LAST_DAY, MONTHS_PER_YEAR, NEVER, Length, Period, is_length
from rentbilling.whatif.rent import paid_until, quantity_on, scaled_price, stated_price
from rentbilling.whatif.scenario import (
    BillingInputs,
    Chosen,
    FromDay,
    Scenario,
    chooses,
    chosen_words,
    ordinal_of,
    since_words,
    with_items,
)
from rentbilling.whatif.terms import discounts_from

_QUARTER: Final = 3
_GOES_ON: Final = frozenset(
    (
        *("series", "base", "lower_of", "lag_months", "reference", "year_offset", "index_quarter"),
        *("from_lag_months", "mean_of", "mean_of_what", "mean_decimals", "percentage_decimals"),
        *("percentage_rounding", "percentage_rounded", "share", "share_of", "excess_over"),
        *("excess_share", "surcharge", "combine"),
    )
)
"""Fields of a clause whose meaning is the same for the item that replaces another one."""


def switch_to_monthly(*, on: FromDay = None, of: Chosen = None) -> Scenario:
    """Return the scenario of a bill a month; see `switch_cycle`.

    Examples:
        >>> switch_to_monthly()
        <Scenario all items monthly>
    """
    return switch_cycle(BillingCycle(), on=on, of=of)


def switch_to_quarterly(*, on: FromDay = None, of: Chosen = None) -> Scenario:
    """Return the scenario of a bill for three months; see `switch_cycle`.

    Examples:
        >>> switch_to_quarterly(on="2027-01-01")
        <Scenario all items quarterly from 2027-01-01>
    """
    return switch_cycle(BillingCycle(period_length=_QUARTER), on=on, of=of)


def switch_to_yearly(*, on: FromDay = None, of: Chosen = None) -> Scenario:
    """Return the scenario of a bill a year; see `switch_cycle`.

    Examples:
        >>> switch_to_yearly(of="key:parking")
        <Scenario key:parking yearly>
    """
    return switch_cycle(BillingCycle(period_length=MONTHS_PER_YEAR), on=on, of=of)


def switch_cycle(
    cycle: BillingCycle | Length, *, on: FromDay = None, of: Chosen = None
) -> Scenario:
    """Return the scenario of another billing cycle, with prices for its periods.

    From a day on, the item ends and another one replaces it, with the id of the old one and the
    day; its first period costs the amount in force on its first day.

    Args:
        cycle: The new cycle, or its length.
        on: The first day of the first new period, or a day before it: the new cycle starts when
            the next old period would begin. By default the first day of the asked period; with
            "start" it applies from the beginning, after the same opening period.
        of: Product keys or item ids; every recurring item by default.

    Raises:
        InvalidRecordError: It is not a cycle.
        UnsupportedCaseError: When it runs: a price changes within the first new period, a clause
            counts from the item's start, or the plans change balances with the rent.

    Examples:
        >>> from rentbilling import pending_bills
        >>> from rentbilling.testing import a_lease, a_rent
        >>> inputs = BillingInputs.of(a_lease(a_rent(amount=8500)))
        >>> quarterly = switch_to_quarterly(on="2026-07-01")(inputs)
        >>> [str(bill.total) for bill in pending_bills(quarterly.terms, "2026-05-01/2026-12-31")]
        ['8500.00 DKK', '8500.00 DKK', '25500.00 DKK', '25500.00 DKK']
    """
    new = _cycle_of(cycle)
    asked = ordinal_of(on)

    def change(inputs: BillingInputs) -> BillingInputs:
        day = inputs.first_day(asked)
        items = list(zip(inputs.terms.recurring_bill_items, inputs.terms.item_ids, strict=False))
        # From the last one on, since an additional item moves those after it.
        for at, (item, item_id) in reversed(list(enumerate(items))):
            if not chooses(of, item, item_id) or _same_length(item.billing_cycle, new):
                continue
            inputs = _always(inputs, at, new) if day is None else _from_day(inputs, at, new, day)
        return inputs

    name = f"{chosen_words(of)} {_cycle_words(new)}{since_words(asked)}"
    return Scenario(name, change, turn="cycles", from_period=asked is None)


def _cycle_of(given: BillingCycle | Length) -> BillingCycle:
    if isinstance(given, BillingCycle):
        return given
    if is_length(given):
        return BillingCycle.every(given)
    said, expected = "is not usable", "a BillingCycle or a relativedelta"
    raise InvalidRecordError.of("cycle", "wrong_value", said, given, expected)


def _same_length(one: BillingCycle, other: BillingCycle) -> bool:
    return (one.months, one.days) == (other.months, other.days)


def _cycle_words(cycle: BillingCycle) -> str:
    known = {1: "monthly", _QUARTER: "quarterly", MONTHS_PER_YEAR: "yearly"}
    if cycle.months in known:
        return known[cycle.months]
    return f"every {cycle.period_length} {cycle.time_unit.lower()}s"


def _fitted(cycle: BillingCycle, old: BillingCycle, first: int) -> BillingCycle:
    day = date.fromordinal(first)
    if not cycle.months:
        start = day.isoweekday() if cycle.time_unit == "Week" else 1
        return cycle.evolve(start=start)
    start_day = old.start_day if old.months else day.day
    return cycle.evolve(start=day.month, start_day=start_day)


def _times(item: RecurringBillItem, cycle: BillingCycle) -> Fraction:
    return periods_a_year(item.billing_cycle) / periods_a_year(cycle)


def _price_times(item: RecurringBillItem, times: Fraction) -> Fraction:
    """Return what the price is multiplied by: one of a month or year stays (A65)."""
    return times if item.price_per == "cycle" else Fraction(1)


# -------------------------------------------------------------------------- from the beginning


def _always(inputs: BillingInputs, at: int, cycle: BillingCycle) -> BillingInputs:
    item = inputs.terms.recurring_bill_items[at]
    opening = item.first_billing_period_bill_item.accounting_period
    times = _times(item, cycle)
    first = Schedule(item.billing_cycle, item.due_date_rule, opening).first_start
    if first > LAST_DAY:
        return inputs
    for plan in _plans_of(inputs.terms, at):
        if plan.adjustments or not _counts_in_percent(plan, inputs):
            raise _unsupported("another cycle of an item whose plan states amounts", item)
    changed = item.evolve(
        billing_cycle=_fitted(cycle, item.billing_cycle, first),
        **_scaled(inputs, at, item, times),
        amount=scaled_price(inputs, at, item.amount, _price_times(item, times)),
    )
    return _replaced(inputs, at, changed)


def _scaled(
    inputs: BillingInputs, at: int, item: RecurringBillItem, times: Fraction, after: int = 0
) -> dict[str, Any]:
    """Return an item's fields with amounts of a period, multiplied, from a day on."""
    later = [each for each in item.amount_records if each.start.toordinal() > after]
    prices = _price_times(item, times)
    values: dict[str, Any] = {
        "amount_records": tuple(
            AmountRecord(value=scaled_price(inputs, at, each.value, prices), start=each.start)
            for each in later
        )
    }
    discounts = tuple(
        each
        if each.amount is None
        else each.evolve(amount=scaled_price(inputs, at, each.amount, times))
        for each in discounts_from(item, after)
    )
    if item.discount is None:
        return {**values, "discounts": discounts}
    return {**values, "discount": discounts[0] if discounts else None}


def _replaced(inputs: BillingInputs, at: int, *items: RecurringBillItem) -> BillingInputs:
    old = inputs.terms.recurring_bill_items
    return with_items(inputs, (*old[:at], *items, *old[at + 1 :]))


def _plans_of(terms: LeaseTerms, at: int) -> list[RentAdjustmentPlan]:
    ids = terms.item_ids[: len(terms.recurring_bill_items)]
    plans = terms.rent_adjustment_plans
    return [plan for plan in plans if plan.adjusts_items and item_at(plan, ids) == at]


def _counts_in_percent(plan: RentAdjustmentPlan, inputs: BillingInputs) -> bool:
    of_a_period = ("base_amount", "indexed_amount", "floor_amount", "amount_quantum")
    by_period = inputs.policy.increment_amount != "per_year"
    return all(
        has_defaults(rule.clause, of_a_period)
        and not (by_period and any(each.percentage is None for each in rule.increments))
        for rule in plan.rent_adjustment_rules
    )


def _unsupported(case: str, item: RecurringBillItem) -> UnsupportedCaseError:
    return UnsupportedCaseError("unsupported", case=case, product=item.product_key)


# ------------------------------------------------------------------------------- from a day on


def _from_day(inputs: BillingInputs, at: int, cycle: BillingCycle, day: int) -> BillingInputs:
    """Return inputs in which an item ends and one of another cycle replaces it."""
    terms = inputs.terms
    item, item_id = terms.recurring_bill_items[at], terms.item_ids[at]
    opening = item.first_billing_period_bill_item.accounting_period
    schedule = Schedule(item.billing_cycle, item.due_date_rule, opening)
    first = schedule.start_of(schedule.number_from(day))
    end = NEVER if terms.contract_end is None else terms.contract_end.toordinal()
    # After 9999-12-31 no period begins, and nothing is left to switch.
    if first > min(BillingEnds.of(item, end).last_start, LAST_DAY):
        return inputs
    fitted = _fitted(cycle, item.billing_cycle, first)
    _refuse_changes(inputs, at, *opening_days(first, fitted))
    new_id = f"{item_id}-from-{date.fromordinal(first)}"
    made = _successor(inputs, at, fitted, first).evolve(id=new_id)
    kept = item.evolve(
        id=item_id,
        ended_on=date.fromordinal(first - 1),
        amount_records=tuple(r for r in item.amount_records if r.start.toordinal() < first),
    )
    plans = _plans_for(terms, at, item_id, new_id)
    items = [
        each if each.id is not None else each.evolve(id=own_id)
        for each, own_id in zip(terms.recurring_bill_items, terms.item_ids, strict=False)
    ]
    items[at : at + 1] = kept, made
    changed = terms.evolve(recurring_bill_items=items, rent_adjustment_plans=plans)
    return inputs.evolve(terms=changed)


def _successor(
    inputs: BillingInputs, at: int, cycle: BillingCycle, first: int
) -> RecurringBillItem:
    """Return the item of another cycle, whose opening period is its first whole one."""
    item = inputs.terms.recurring_bill_items[at]
    times = _times(item, cycle)
    scaled = _scaled(inputs, at, item, times, first)
    amount = stated_price(inputs, at, first, _price_times(item, times))
    opening = first_billing_period(
        amount,
        cycle,
        date.fromordinal(first),
        ended_on=paid_until(inputs, at),
        quantity=quantity_on(item, first),
        discount=scaled.get("discount"),
        discounts=scaled.get("discounts", ()),
        price_per=item.price_per,
        part_period=item.part_period,
        product_key=item.product_key,
        policy=inputs.policy,
    )
    whole = Period.unchecked(*opening_days(first, cycle))
    own = inputs.policy.for_product(item.product_key)
    due = due_date(item.due_date_rule, whole, cycle=cycle, policy=own)
    return item.evolve(
        **scaled,
        billing_cycle=cycle,
        amount=amount,
        started_on=due,
        first_billing_period_bill_item=opening.evolve(due_date=due),
    )


def _refuse_changes(inputs: BillingInputs, at: int, first: int, last: int) -> None:
    """Refuse a price that changes within the first period, and plans that cannot continue."""
    item = inputs.terms.recurring_bill_items[at]
    days = [each.start for each in item.amount_records]
    days += [each.start for each in item.quantity_records]
    days += [each.start for each in item.vat_records]
    if any(first < day.toordinal() <= last for day in days):
        raise _unsupported("a price that changes within the first period of another cycle", item)
    for plan in inputs.terms.rent_adjustment_plans:
        if plan.adjusts_balances:
            raise _unsupported("another cycle of a rent that balances move with", item)
    for plan in _plans_of(inputs.terms, at):
        if any(each.adjusted_on.toordinal() > first for each in plan.adjustments):
            raise _unsupported("another cycle before an adjustment that is listed", item)
        if not _counts_in_percent(plan, inputs) or not all(
            _goes_on(rule.clause) and rule.clause.interval == MONTHS_PER_YEAR
            for rule in plan.rent_adjustment_rules
        ):
            raise _unsupported("another cycle under a clause that counts from the start", item)
        bounds = Bounds(first, last)
        if any(
            RuleDates(rule, plan, bounds).next_after(first) is not None
            for rule in plan.rent_adjustment_rules
        ):
            raise _unsupported("an adjustment within the first period of another cycle", item)


def _goes_on(clause: IndexClause) -> bool:
    """Return whether a clause has the same meaning for an item that replaces another one."""
    others = (name for name in IndexClause.model_fields if name not in _GOES_ON)
    return has_defaults(clause, others)


def _plans_for(
    terms: LeaseTerms, at: int, item_id: str, new_id: str
) -> tuple[RentAdjustmentPlan, ...]:
    own = _plans_of(terms, at)
    plans: list[RentAdjustmentPlan] = []
    for plan_id, plan in zip(
        plan_ids(terms.rent_adjustment_plans), terms.rent_adjustment_plans, strict=True
    ):
        if not any(plan is each for each in own):
            plans.append(plan)
            continue
        plans.append(plan.evolve(id=plan_id, adjustee_ref=item_id))
        further = f"{plan_id}-{new_id}"
        plans.append(plan.evolve(id=further, adjustee_ref=new_id, adjustments=()))
    return tuple(plans)
