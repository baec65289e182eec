"""Prices: the later prices and the adjustments that plans make of the items of many leases."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, lists, named, with_fields
from rentbilling.portfolio.arrow.calendar import first_day, month_of
from rentbilling.portfolio.plans.listed_adjustments import ListedAdjustments
from rentbilling.portfolio.plans.made import NONE_MADE, Acts, Made, adjustments_of
from rentbilling.portfolio.plans.plain_plans import PlainPlan, plain_plan
from rentbilling.portfolio.plans.plan_columns import PlanColumns
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.portfolio.plans.rule_months import PlanRows, RuleMonths
from rentbilling.portfolio.plans.steps import COMPUTED, RECORDED, Acted, Steps
from rentbilling.values import month_start


def plan_prices(
    leases: Mapping[str, Any],
    items: PlanItems,
    followed: Followed,
) -> tuple[Mask, Mask, LaterPrices, Made]:
    """Return which leases have a plan that is not followed; prices and adjustments of the others.

    After the leases, those of them that have one which is not of an item that is odd itself.
    """
    offsets, array, sound = lists(leases["rent_adjustment_plans"])
    counts = np.diff(offsets)
    left = ~sound | (counts > 0)
    none = np.zeros(0, dtype=np.int64)
    if not len(items.owner):
        return left, left, LaterPrices(none, none, none), NONE_MADE
    place = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(len(place)) - offsets[place]
    plans = PlanColumns(array, place, number)
    row = plans.rows(leases["lease_id"], items)
    listed = plans.listed(row, items)
    sure = np.flatnonzero(~plans.odd)
    own = ~plans.of_odd_items
    if not len(sure):
        return left, _of_leases(own, place, ~sound), LaterPrices(none, none, none), NONE_MADE
    listed = listed.of_plans(sure)
    _, first, shape = np.unique(plans.shape[sure], return_index=True, return_inverse=True)
    # An increment that the first item is too young for is one of the others all the same.
    openings = items.opening_end[row[sure[first]]]
    np.minimum.at(openings, shape.reshape(-1), items.opening_end[row[sure]])
    plain = [
        plain_plan(given, opening, followed)
        for given, opening in zip(
            plans.payloads(sure[first], followed),
            first_day(month_of(openings)).tolist(),
            strict=True,
        )
    ]
    until = np.zeros(len(sure), dtype=np.int64)
    np.maximum.at(until, listed.plan, listed.day)
    bounds = plans.created[sure], plans.last[sure], until
    own_items, shape = row[sure], shape.reshape(-1)
    quanta, anchors = _quanta(plain, shape, own_items, items), _anchors(plain, shape)
    rows = PlanRows(own_items, shape, *bounds, quanta, *anchors)
    months = RuleMonths(plain, rows, items, followed)
    steps = Steps(months, rows, listed, items, followed)
    right, prices, acted = steps.taken()
    own[sure[right]] = False
    followed_by = np.bincount(place[sure[right]], minlength=len(counts))
    left[sound & (followed_by == counts)] = False
    made, too_wide = _Adjustments(plans, items, months, listed, followed.policy).of(
        acted, row[sure], sure
    )
    left[too_wide] = True
    # In place of an adjustment that no column has.
    own_left = _of_leases(own, place, ~sound)
    own_left[too_wide] = True
    return left, own_left, prices, made._replace(gaps=place[sure[steps.gaps(acted)]])


def _quanta(
    plain: Sequence[PlainPlan | None], shape: Column, row: Column, items: PlanItems
) -> Column:
    """Return what the amounts of plans are rounded to, as `PlanRows.quantum` has it."""
    of_shapes = np.array([(0, 0) if each is None else each.quantum for each in plain], np.int64)
    quantum, of = of_shapes[shape].T
    whole = quantum * np.where(of > 0, items.months[row], 1)
    is_none = (quantum < 0) | (whole % np.maximum(of, 1) > 0) | ((of > 0) & (items.days[row] > 0))
    return np.where(is_none, -1, whole // np.maximum(of, 1))


def _anchors(plain: Sequence[PlainPlan | None], shape: Column) -> tuple[Column, Column]:
    """Return which plans are anchored, and their limits, as `PlanRows` has both."""
    found = [None if each is None else each.step_limits for each in plain]
    flags = [
        -1 if limits is None else int(bool(each and each.rule and each.rule.is_anchored))
        for each, limits in zip(plain, found, strict=True)
    ]
    limits = np.array([each or (0, 0) for each in found], dtype=np.int64)
    return np.array(flags, dtype=np.int64)[shape], limits[shape]


def _of_leases(plans: Mask, place: Column, others: Mask) -> Mask:
    """Return the leases of some plans, and some others."""
    return others | (np.bincount(place[plans], minlength=len(others)) > 0)


class _Adjustments(NamedTuple):
    """Makes the adjustments of the asked days."""

    plans: PlanColumns
    items: PlanItems
    months: RuleMonths
    listed: ListedAdjustments
    policy: BillingPolicy

    def of(self, acted: Acted, row: Column, sure: Column) -> tuple[Made, Column]:
        """Return what plans did to the items of some rows, and leases with one of too many digits.

        `sure` are the places of these plans among all.
        """
        if not len(acted.plan):
            return NONE_MADE, acted.plan
        at, row = sure[acted.plan], row[acted.plan]
        place, number = self.plans.place[at], self.plans.number[at]
        item = row - np.searchsorted(self.items.owner, place)
        ids = self.plans.ids(at)
        ids["adjustee_id"] = named(self.items.item_id.take(pa.array(row)), "recurring", item)
        order = np.lexsort((number, acted.month, place))
        own, known = (np.flatnonzero(each) for each in (acted.listed < 0, acted.listed >= 0))
        found, fits = self._made(acted, row, ids, own)
        if len(known):
            listed = self.listed.structs(acted.listed[known])
            listed = with_fields(listed, {name: ids[name].take(pa.array(known)) for name in ids})
            found = pa.concat_arrays([found, listed])
            found = found.take(pa.array(np.argsort(np.concatenate([own, known]))))
        # As `LeaseHistories.adjusted` has them: by days, then by plans.
        new = acted.listed == COMPUTED
        made = Made(place, number, item, new, found, acted.plan[:0])
        return made.only(order), place[own[~fits]]

    def _made(
        self, acted: Acted, row: Column, ids: Mapping[str, Any], at: Column
    ) -> tuple[Any, Mask]:
        """Return those of some rows that no plan lists, and which have no amount of many digits."""
        rule = np.where(acted.listed == COMPUTED, acted.rule, RECORDED)[at]
        pairs, effect = np.unique([rule, acted.month[at]], axis=1, return_inverse=True)
        effects = [
            (month_start(month), self.months.effects.get((rule, month)))
            for rule, month in pairs.T.tolist()
        ]
        acts = Acts(row[at], effect.reshape(-1), acted.before[at], acted.after[at])
        own = {name: each.take(pa.array(at)) for name, each in ids.items()}
        return adjustments_of(acts, effects, own, self.items, self.policy)
