"""Prices: the later prices and the adjustments that plans make of the items of many leases."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, lists, named
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, first_day, month_of
from rentbilling.portfolio.plans.made import NONE_MADE, Acts, Made, adjustments_of
from rentbilling.portfolio.plans.plain_plans import plain_plan
from rentbilling.portfolio.plans.plan_columns import PlanColumns
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.portfolio.plans.steps import Acted, Steps
from rentbilling.values import month_index, month_start


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
        return left, LaterPrices(none, none, none), NONE_MADE
    owner = np.repeat(np.arange(len(counts)), counts)
    own = np.flatnonzero(sound[owner])
    place = owner[own]
    plans = PlanColumns(
        array.take(pa.array(own)), place, (np.arange(len(owner)) - offsets[owner])[own]
    )
    row = plans.rows(leases["lease_id"], items)
    sure = np.flatnonzero(~plans.odd)
    if not len(sure):
        return left, LaterPrices(none, none, none), NONE_MADE
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
    made, too_wide = _made(sure, row, steps.effects, acted, plans, items, followed.policy)
    left[too_wide] = True
    return left, prices, made


def _made(
    sure: Column,
    row: Column,
    effects: Mapping[tuple[int, int], Mapping[str, Any]],
    acted: Acted,
    plans: PlanColumns,
    items: PlanItems,
    policy: BillingPolicy,
) -> tuple[Made, Column]:
    """Return the adjustments, and the places of leases with one of too many digits."""
    if not len(acted.at):
        return NONE_MADE, acted.at
    at = sure[acted.at]
    place, number, row = plans.place[at], plans.number[at], row[at]
    pairs, effect = np.unique([acted.rule, acted.month], axis=1, return_inverse=True)
    alike = [(month_start(month), effects[rule, month]) for rule, month in pairs.T.tolist()]
    item = row - np.searchsorted(items.owner, place)
    ids = plans.ids(at)
    ids["adjustee_id"] = named(items.item_id.take(pa.array(row)), "recurring", item)
    acts = Acts(row, effect.reshape(-1), acted.before, acted.after)
    found, fits = adjustments_of(acts, alike, ids, items, policy)
    days = first_day(acted.month - month_index(FIRST_DAY))
    # What was made before the asked days is agreed where a record has it.
    agreed = np.append(False, at[1:] == at[:-1])
    agreed |= acted.before == items.recorded_on(row, days)
    # As `LeaseHistories.adjusted` has them: by days, then by plans.
    order = np.lexsort((number, days, place))
    return Made(place, number, item, agreed, found).only(order[fits[order]]), place[~fits]
