"""Prices: the later prices and the adjustments that plans make of the items of many leases."""

from collections.abc import Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import AmountScale, single_adjustment
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Mask, lists
from rentbilling.portfolio.arrow.calendar import first_day, month_of
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.plans.plain_plans import plain_plan
from rentbilling.portfolio.plans.plan_columns import PlanColumns
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, Made, PlanItems
from rentbilling.portfolio.plans.steps import Does, Steps
from rentbilling.terms import RentAdjustment, periods_a_year
from rentbilling.values import minor_units


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
    owner = np.repeat(np.arange(len(counts)), counts)
    own = np.flatnonzero(sound[owner])
    place, number = owner[own], (np.arange(len(owner)) - offsets[owner])[own]
    plans = PlanColumns(array.take(pa.array(own)), place, number)
    row = plans.rows(leases["lease_id"], items)
    sure = np.flatnonzero(~plans.odd)
    if not len(sure):
        return left, LaterPrices(none, none, none), ()
    _, first, shape = np.unique(plans.shape[sure], return_index=True, return_inverse=True)
    openings = first_day(month_of(items.opening_end[row[sure[first]]])).tolist()
    plain = [
        plain_plan(given, opening, followed)
        for given, opening in zip(plans.payloads(sure[first], followed), openings, strict=True)
    ]
    lives = plans.created[sure], plans.last[sure]
    steps = Steps(plain, shape.reshape(-1), row[sure], lives, items, followed)
    right, prices, acted = steps.taken()
    followed_by = np.bincount(place[sure[right]], minlength=len(counts))
    left[sound & (followed_by == counts)] = False
    made: list[tuple[tuple[int, int, int], RentAdjustment]] = []
    for each in steps.does(acted):
        at = sure[each.at]
        found = _adjustment(int(row[at]), plans.ids(at), each, items, followed.policy)
        made.append(((int(place[at]), each.day, int(number[at])), found))
    # As `LeaseHistories.adjusted` has them: by days, then by plans.
    made.sort(key=itemgetter(0))
    return left, prices, [(key[0], found) for key, found in made]


def _adjustment(
    row: int,
    ids: tuple[str, str],
    does: Does,
    items: PlanItems,
    rules: BillingPolicy,
) -> RentAdjustment:
    """Return the adjustment of an item."""
    code = items.currencies[int(items.currency[row])]
    a_year = periods_a_year(items.cycle_of(row))
    scale = AmountScale(code, minor_units(code, rules.currencies), rules.rounding, a_year)
    before, after = (Fraction(each, 10**FINEST) for each in (does.before, does.after))
    plan_id, rule_id = ids
    effect = {**does.effect, "rent_adjustment_rule_id": rule_id}
    return single_adjustment(does.day, (plan_id, items.id_of(row)), (before, after), scale, effect)
