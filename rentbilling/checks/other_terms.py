"""Terms that a lease may have been billed by in error: without a discount, an adjustment, a limit.

Law: each differs from the lease in one thing of an item, a plan or a rule, which its words name.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple, get_args

from rentbilling.adjustments import rent_adjustments
from rentbilling.billing import priced_opening
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy, PartPeriod
from rentbilling.terms import (
    Discount,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    item_at,
    plan_ids,
    prices_in_a_cycle,
)
from rentbilling.values import MONTHS_PER_YEAR, Amount, Period, minor_units, rounded

_LATEST: Final = 6
"""Prices of an item, and adjustments of a plan, that are left out one by one."""
_PUBLISHED: Final = 2
"""Months from the index month to the adjustment, at least (A33)."""


class Other(NamedTuple):
    """Terms and a policy that differ from those of the lease in one thing."""

    said: str
    """What differs: `the lease with recurring-1 without the discount 1`."""
    terms: LeaseTerms
    policy: BillingPolicy


def other_items(
    terms: LeaseTerms, policy: BillingPolicy, ends: Mapping[str, date | None]
) -> Iterator[Other]:
    """Give terms in which one thing of an item is changed.

    `ends` has the products whose lines differ, and of each the last day that the other bills are
    paid for until, if that differs.
    """
    for at, item in enumerate(terms.recurring_bill_items):
        if item.product_key in ends:
            for said, changes in _changes(item, policy, ends[item.product_key]):
                other = _with_items(terms, {at: changes})
                if other is not None:
                    yield Other(f"the lease with {terms.item_ids[at]} {said}", other, policy)


def other_openings(
    terms: LeaseTerms, policy: BillingPolicy, products: Container[str]
) -> Iterator[tuple[Other, PartPeriod]]:
    """Give terms whose openings are counted in another way, of some products, and which (A20)."""
    items = terms.recurring_bill_items
    for word in get_args(PartPeriod):
        changes = {
            at: {"first_billing_period_bill_item": opening}
            for at, item in enumerate(items)
            if item.product_key in products
            if (opening := _opening(item, policy, word)) is not None
        }
        # All of them, then each.
        for places in ([*changes], *([at] for at in changes if len(changes) > 1)):
            other = _with_items(terms, {at: changes[at] for at in places})
            if places and other is not None:
                ids = ", ".join(terms.item_ids[at] for at in places)
                said = f"the lease with the opening of {ids} counted by {word}"
                yield Other(said, other, policy), word


def _with_items(terms: LeaseTerms, changes: Mapping[int, Mapping[str, Any]]) -> LeaseTerms | None:
    """Return terms with items changed by their places; None for an item that cannot be so."""
    items = [*terms.recurring_bill_items]
    try:
        for at, change in changes.items():
            items[at] = items[at].evolve(**change)
        return terms.evolve(recurring_bill_items=tuple(items))
    except RentBillingError:
        return None


def _opening(
    item: RecurringBillItem, policy: BillingPolicy, word: PartPeriod
) -> FirstBillingPeriodBillItem | None:
    """Return an item's opening as a way to count gives it; None for other days or no change."""
    stated = item.first_billing_period_bill_item
    days = stated.accounting_period
    try:
        found = priced_opening(item, days.first, days.end, policy, word)
    except RentBillingError:
        return None
    is_other = found.accounting_period == days and found.amount != stated.amount
    return stated.evolve(amount=found.amount) if is_other else None


def _changes(
    item: RecurringBillItem, policy: BillingPolicy, end: date | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    if item.ended_on is not None:
        yield "without its end", {"ended_on": None}
    if end is not None:
        yield f"ended on {end}", {"ended_on": end}
    records = sorted(item.amount_records, key=lambda each: each.start)
    for record in records[-_LATEST:]:
        others = tuple(each for each in records if each is not record)
        yield f"without its price from {record.start}", {"amount_records": others}
    listed = item.all_discounts
    for at, each in enumerate(listed):
        rest = (*listed[:at], *listed[at + 1 :])
        yield f"without the discount {_named(each, at)}", {"discount": None, "discounts": rest}
    if len(listed) > 1:
        yield "with its discounts in the opposite order", {"discounts": listed[::-1]}
    for at, each in enumerate(listed if len(listed) > 1 else ()):
        if each.percentage is not None:
            of, words = (None, "what is left") if each.of == "list" else ("list", "the full price")
            other = (*listed[:at], each.evolve(of=of), *listed[at + 1 :])
            yield f"with the discount {_named(each, at)} of {words}", {"discounts": other}
    if item.part_period is not None:
        yield "without a part_period of its own", {"part_period": None}
    if item.price_per != "cycle":
        yield "with its price rounded for each cycle", _by_cycle(item, policy)


def _named(discount: Discount, at: int) -> str:
    return str(at + 1) if discount.description is None else repr(discount.description)


def _by_cycle(item: RecurringBillItem, policy: BillingPolicy) -> dict[str, Any]:
    """Return a price of a year or a month as one of a cycle, rounded, as is often billed (A65)."""
    times = prices_in_a_cycle(item.billing_cycle, item.price_per)
    mode = policy.for_product(item.product_key).rounding

    def of_cycle(amount: Amount) -> Amount:
        places = minor_units(amount.currency, policy.currencies)
        exact = Fraction(amount.amount) * times
        return Amount.unchecked(rounded(exact, places, mode), amount.currency)

    records = (each.evolve(value=of_cycle(each.value)) for each in item.amount_records)
    return {"price_per": "cycle", "amount": of_cycle(item.amount), "amount_records": tuple(records)}


# ------------------------------------------------------------------------------------- plans


class _Change(NamedTuple):
    """Fields of a plan that are other ones, or of one rule, and its clause."""

    said: str
    of_plan: Mapping[str, Any]
    at: int | None = None
    of_clause: Mapping[str, Any] | None = None

    def made(self, plan: RentAdjustmentPlan) -> RentAdjustmentPlan:
        """Return the plan with the change.

        Raises:
            RentBillingError: A plan cannot be so.
        """
        if self.at is None:
            return plan.evolve(**self.of_plan)
        rules = [*plan.rent_adjustment_rules]
        change, clause = dict(self.of_plan), rules[self.at].clause
        if self.of_clause is not None:
            change["index_clause"] = clause.evolve(**self.of_clause)
        rules[self.at] = rules[self.at].evolve(**change)
        return plan.evolve(rent_adjustment_rules=tuple(rules))


def other_plans(
    terms: LeaseTerms,
    policy: BillingPolicy,
    indices: AnyIndices,
    products: Container[str],
    until: int,
) -> Iterator[Other]:
    """Give terms in which one thing of a plan is changed.

    Plans of items whose product is not one of `products` are left as they are; `until` is the last
    day that is paid for.
    """
    plans, ids = terms.rent_adjustment_plans, plan_ids(terms.rent_adjustment_plans)
    items = terms.recurring_bill_items
    if len(plans) > 1:
        none = terms.evolve(rent_adjustment_plans=())
        yield Other("the lease without any of its adjustments", none, policy)
    days = _days(terms, policy, indices, until) if plans else {}
    for at, (plan_id, plan) in enumerate(zip(ids, plans, strict=True)):
        item = item_at(plan, terms.item_ids[: len(items)]) if plan.adjusts_items else None
        if item is not None and items[item].product_key not in products:
            continue
        for each in (*_without_adjustments(plan, days.get(plan_id, ())), *_other_rules(plan)):
            # A value of another month that is missing is no reason to adjust nothing (A41).
            rules = policy if each.of_clause is None else policy.evolve(missing_index="refuse")
            try:
                plans_then = (*plans[:at], each.made(plan), *plans[at + 1 :])
                other = terms.evolve(rent_adjustment_plans=plans_then)
            except RentBillingError:
                # A plan that cannot be so did not adjust so.
                continue
            of = f" of {plan_id}" if len(plans) > 1 else ""
            yield Other(f"the lease {each.said}{of}", other, rules)


def _days(
    terms: LeaseTerms, policy: BillingPolicy, indices: AnyIndices, until: int
) -> Mapping[str | None, Sequence[date]]:
    """Return the days of the adjustments of items by each plan up to a day.

    Empty where an index value is missing that no bill needs: those of balances are not asked for.
    """
    named = zip(terms.rent_adjustment_plans, plan_ids(terms.rent_adjustment_plans), strict=True)
    own = tuple(plan.evolve(id=plan_id) for plan, plan_id in named if plan.adjusts_items)
    days, items = Period.unchecked(1, until), terms.evolve(rent_adjustment_plans=own)
    try:
        made = rent_adjustments(items, days, indices=indices, policy=policy)
    except RentBillingError:
        return {}
    found: dict[str | None, list[date]] = {}
    for each in made:
        found.setdefault(each.plan_id, []).append(each.adjusted_on)
    return found


def _without_adjustments(plan: RentAdjustmentPlan, days: Sequence[date]) -> Iterator[_Change]:
    """Give a plan that ends before one of its adjustments, the latest one first."""
    for back, day in enumerate(reversed(days[-_LATEST:])):
        listed = tuple(each for each in plan.adjustments if each.adjusted_on < day)
        said = f"the adjustments from {day} on" if back else f"the adjustment of {day}"
        yield _Change(f"without {said}", {"cancelled_on": day, "adjustments": listed})
    if len(days) > _LATEST:
        yield _Change("without the adjustments", {"rent_adjustment_rules": (), "adjustments": ()})


def _other_rules(plan: RentAdjustmentPlan) -> Iterator[_Change]:
    """Give a plan with a rule without a limit, without the rule, or with another month's index."""
    rules, ids = plan.rent_adjustment_rules, plan.rule_ids
    for at, rule in enumerate(rules):
        named = ids[at] if len(rules) > 1 else "the rule"
        for word in ("maximum", "minimum"):
            if getattr(rule, f"{word}_percentage") is not None:
                change = {f"{word}_percentage": None}
                yield _Change(f"without the {word} of {named}", change, at)
        if len(rules) > 1:
            rest = (*rules[:at], *rules[at + 1 :])
            yield _Change(f"without {ids[at]}", {"rent_adjustment_rules": rest})
        lag = _lag(rule)
        for word, other in () if lag is None else (("earlier", lag + 1), ("later", lag - 1)):
            said = f"with the index of one month {word} for {named}"
            clause = {"lag_months": other, "year_offset": None}
            yield _Change(said, {"index_month": None}, at, clause)


def _lag(rule: RentAdjustmentRule) -> int | None:
    """Return how many months an index month is before the adjustment (A33); None without one."""
    clause, named = rule.clause, rule.index_month
    if clause.reference != "month" or not rule.by_index:
        return None
    if named is None:
        return clause.lag_months
    if clause.year_offset is not None:
        return rule.month - named + clause.year_offset * MONTHS_PER_YEAR
    return (rule.month - _PUBLISHED - named) % MONTHS_PER_YEAR + _PUBLISHED
