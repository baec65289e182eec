"""Terms that a lease may have been billed by in error: without an adjustment, or without a limit.

Law: each differs from the lease in one thing of one plan or rule, which its words name.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from rentbilling.adjustments import rent_adjustments
from rentbilling.checks.other_terms import Other
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy
from rentbilling.terms import LeaseTerms, RentAdjustmentPlan, RentAdjustmentRule, item_at, plan_ids
from rentbilling.values import MONTHS_PER_YEAR, Period

_LATEST: Final = 6
"""Adjustments of a plan that are left out one by one, the latest ones."""
_PUBLISHED: Final = 2
"""Months from the index month to the adjustment, at least (A33)."""


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
    """Return the days of the adjustments by each plan up to a day."""
    made = rent_adjustments(terms, Period.unchecked(1, until), indices=indices, policy=policy)
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
