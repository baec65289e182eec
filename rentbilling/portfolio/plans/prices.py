"""Prices: the later prices and the adjustments that plans make of the items of many leases."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rentbilling.adjustments import AmountScale, single_adjustment
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, lists
from rentbilling.portfolio.arrow.calendar import first_day, month_of
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.plans.listed_adjustments import ListedAdjustments
from rentbilling.portfolio.plans.plain_plans import plain_plan
from rentbilling.portfolio.plans.plan_columns import PlanColumns
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, Made, PlanItems
from rentbilling.portfolio.plans.rule_months import PlanRows, RuleMonths
from rentbilling.portfolio.plans.steps import COMPUTED, Acted, Steps
from rentbilling.terms import RentAdjustment, periods_a_year, reading_context
from rentbilling.values import minor_units, month_start


def plan_prices(
    leases: Mapping[str, Any],
    items: PlanItems,
    followed: Followed,
) -> tuple[Mask, LaterPrices, Made]:
    """Return which leases have a plan that is not followed; prices and adjustments of the others.

    Args:
        leases: The columns of the batch.
        items: Their recurring items.
        followed: Series, policy and days.
    """
    offsets, array, sound = lists(leases["rent_adjustment_plans"])
    counts = np.diff(offsets)
    left = ~sound | (counts > 0)
    none = np.zeros(0, dtype=np.int64)
    if not len(items.owner):
        return left, LaterPrices(none, none, none), ()
    place = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(len(place)) - offsets[place]
    plans = PlanColumns(array, place, number)
    row = plans.rows(leases["lease_id"], items)
    listed = plans.listed(row, items)
    sure = np.flatnonzero(~plans.odd)
    if not len(sure):
        return left, LaterPrices(none, none, none), ()
    listed = listed.of_plans(sure)
    _, first, shape = np.unique(plans.shape[sure], return_index=True, return_inverse=True)
    openings = first_day(month_of(items.opening_end[row[sure[first]]])).tolist()
    plain = [
        plain_plan(given, opening, followed)
        for given, opening in zip(plans.payloads(sure[first], followed), openings, strict=True)
    ]
    until = np.zeros(len(sure), dtype=np.int64)
    np.maximum.at(until, listed.plan, listed.day)
    rows = PlanRows(row[sure], shape.reshape(-1), plans.created[sure], plans.last[sure], until)
    months = RuleMonths(plain, rows, items, followed)
    right, prices, acted = Steps(months, rows, listed, items, followed).taken()
    followed_by = np.bincount(place[sure[right]], minlength=len(counts))
    left[sound & (followed_by == counts)] = False
    at = sure[acted.plan]
    records = _Records(plans, items, months, listed, followed.policy)
    made = [*zip(place[at].tolist(), records.of(acted, row[at], at), strict=True)]
    # As `LeaseHistories.adjusted` has them: by days, then by plans.
    order = np.lexsort((number[at], acted.month, place[at]))
    return left, prices, [made[each] for each in order]


class _Records(NamedTuple):
    """Makes the records of adjustments."""

    plans: PlanColumns
    items: PlanItems
    months: RuleMonths
    listed: ListedAdjustments
    policy: BillingPolicy

    def of(self, acted: Acted, items: Column, plans: Column) -> Iterator[RentAdjustment]:
        """Give the adjustments that plans made of the items of some rows."""
        context = reading_context(self.policy, exact_texts=True)
        known = iter(self.listed.records(acted.listed[acted.listed >= 0], context))
        columns = (items, plans, *acted[1:])
        for item, plan, *done, listed in zip(*(each.tolist() for each in columns), strict=True):
            plan_id, rule_id = self.plans.ids(plan)
            ids = plan_id, self.items.id_of(item)
            if listed >= 0:
                yield next(known).evolve(plan_id=ids[0], adjustee_id=ids[1])
                continue
            rule, month, *amounts = done
            effect = None
            if listed == COMPUTED:
                effect = {**self.months.effects[rule, month], "rent_adjustment_rule_id": rule_id}
            before, after = (Fraction(each, 10**FINEST) for each in amounts)
            day, scale = month_start(month), self._scale(item)
            yield single_adjustment(day, ids, (before, after), scale, effect)

    def _scale(self, item: int) -> AmountScale:
        """Return how amounts of the item of a row are counted."""
        code, policy = self.items.currencies[int(self.items.currency[item])], self.policy
        a_year = periods_a_year(self.items.cycle_of(item))
        return AmountScale(code, minor_units(code, policy.currencies), policy.rounding, a_year)
