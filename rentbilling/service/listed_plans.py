"""Rent adjustment plans as they are listed: with what came of them, and what comes next.

Laws: what is told of a plan is what bills and `rent_adjustments` make of the whole terms of its
lease; what cannot be told, because an index value is missing, is left out and never guessed; a page
of plans costs as many calls of the store as one plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final

from rentbilling.adjustments.lease_history import LeaseHistories, next_day
from rentbilling.adjustments.results import known_adjustments
from rentbilling.errors import RentBillingError
from rentbilling.indices import IndexSeries, series_of
from rentbilling.interface.resources import Lease
from rentbilling.policy import BillingPolicy
from rentbilling.service.lease_access import terms_of
from rentbilling.service.store import Facts, Kept, Store
from rentbilling.terms.lease_terms import LeaseTerms
from rentbilling.terms.plans import RentAdjustment, RentAdjustmentPlan, plan_ids

_NO_SERIES: Final[Mapping[str, IndexSeries]] = MappingProxyType({})


def told_plans(
    store: Store, kept: Sequence[Kept[RentAdjustmentPlan]], facts: Facts
) -> tuple[RentAdjustmentPlan, ...]:
    """Return plans as they are listed, read in a fixed number of calls."""
    of_leases = dict.fromkeys(each.belongs_to for each in kept if each.belongs_to is not None)
    leases = [*store.several(Lease, [*of_leases]).values()]
    told = {
        lease.id: [*zip(terms.rent_adjustment_plans, plans_on(terms, facts), strict=True)]
        for lease, terms in zip(leases, terms_of(store, leases), strict=True)
    }
    return tuple(
        next(
            (plan for before, plan in told.get(str(each.belongs_to), ()) if before == each.record),
            each.record,
        )
        for each in kept
    )


def plans_on(terms: LeaseTerms, facts: Facts) -> tuple[RentAdjustmentPlan, ...]:
    """Return the plans of a lease as they stand on the day."""
    day = facts.day.toordinal()
    histories = _histories(terms, series_of(facts.indices), facts.policy)
    # The days of adjustments need no index; what nobody could bill has none.
    dated = histories or _histories(terms, _NO_SERIES, facts.policy)
    plans, ids = terms.rent_adjustment_plans, plan_ids(terms.rent_adjustment_plans)
    days = [None] * len(plans) if dated is None else [*_next_days(dated, day)]
    made: dict[str, list[RentAdjustment]] = {each: [] for each in ids}
    for adjustment in known_adjustments(histories, day) if histories is not None else ():
        made[str(adjustment.plan_id)].append(adjustment)
    return tuple(
        plan.evolve(
            next_adjustment_date=None if when is None else date.fromordinal(when),
            adjustments=_together(plan, plan_id, made[plan_id]),
        )
        for plan, plan_id, when in zip(plans, ids, days, strict=True)
    )


def _histories(
    terms: LeaseTerms, series: Mapping[str, IndexSeries], policy: BillingPolicy
) -> LeaseHistories | None:
    """Return the adjustments of a lease, None where they cannot be told at all."""
    try:
        return LeaseHistories(terms, series, policy)
    except RentBillingError:
        return None


def _next_days(histories: LeaseHistories, after: int) -> Iterator[int | None]:
    """Give the day of the next adjustment of each plan, None without one."""
    for plan, bounds in histories.bounds():
        yield next_day(plan, bounds, after)


def _together(
    plan: RentAdjustmentPlan, plan_id: str, made: Sequence[RentAdjustment]
) -> tuple[RentAdjustment, ...]:
    """Return what a plan lists and what was computed, in order of days, each with an id.

    The id of one that has none is made of plan and day, of which there is one: it stays the same.
    """
    listed = {each.adjusted_on for each in plan.adjustments}
    both = [*plan.adjustments, *(each for each in made if each.adjusted_on not in listed)]
    return tuple(
        each if each.id is not None else each.evolve(id=f"{plan_id}-{each.adjusted_on}")
        for each in sorted(both, key=lambda each: each.adjusted_on)
    )
