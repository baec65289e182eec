"""Operations on rent adjustment plans: created on a lease that they can adjust, listed, ended.

Laws: what a plan is about (its item, its balance, its series) is settled when it is created, and no
later item or series makes it doubtful; a lease that could not be billed with a new plan refuses it;
a listed plan has the adjustments that bills and `rent_adjustments` compute from the whole terms of
its lease, without those whose index value is missing; a page costs as many calls of the store as
one plan.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from rentbilling.adjustments import LeaseHistories, known_adjustments, next_day
from rentbilling.errors import Problem, RentBillingError, UnknownWordError, shown
from rentbilling.indices import IndexSeries, series_of
from rentbilling.interface import (
    ChangeRentAdjustmentPlan,
    CreateRentAdjustmentPlan,
    Lease,
    LeasePartsRequest,
    RentAdjustmentPlanCreated,
    RentAdjustmentPlanPage,
    RentAdjustmentPlanRequest,
)
from rentbilling.policy import BillingPolicy
from rentbilling.service.lease_access import changed_terms, list_page, open_lease, require, terms_of
from rentbilling.service.store import Context, Store, Stored
from rentbilling.terms import (
    LeaseTerms,
    RentAdjustment,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    balance_at,
    balance_ids,
    item_at,
    plan_ids,
)

_PLAN: Final = "rentAdjustmentPlan"
_NO_SERIES: Final[Mapping[str, IndexSeries]] = MappingProxyType({})
_ENDS: Final = MappingProxyType({"cancelled_on": "cancelledOn", "ended_on": "endedOn"})
"""Fields of a plan that change, and their names in a request."""


def create_rent_adjustment_plan(
    request: CreateRentAdjustmentPlan, store: Store, context: Context
) -> RentAdjustmentPlanCreated:
    """Create a rent adjustment plan."""
    lease = open_lease(store, request.lease_id)
    (terms,) = terms_of(store, [lease])
    given = request.rent_adjustment_plan
    _refuse_unknown_series(given, context)
    plan_id = context.new_id()
    plan = _settled(given, terms, context).evolve(id=plan_id, lease_id=lease.id)
    before = terms.rent_adjustment_plans
    written = {f"rentAdjustmentPlans[{len(before)}]": _PLAN}
    changed_terms(terms, {"rent_adjustment_plans": (*before, plan)}, written, context)
    store.add(Stored(plan, plan_id, lease.id))
    return RentAdjustmentPlanCreated(rent_adjustment_plan_id=plan_id)


def list_rent_adjustment_plans(
    request: LeasePartsRequest, store: Store, context: Context
) -> RentAdjustmentPlanPage:
    """List rent adjustment plans, of one lease or of all, as they stand on the day."""
    stored = list_page(store, RentAdjustmentPlan, request, belongs_to=request.lease_id)
    return RentAdjustmentPlanPage(rent_adjustment_plans=listed_plans(store, stored, context))


def retrieve_rent_adjustment_plan(
    request: RentAdjustmentPlanRequest, store: Store, context: Context
) -> RentAdjustmentPlan:
    """Retrieve one rent adjustment plan, as it is listed on the day."""
    stored = require(store, RentAdjustmentPlan, request.rent_adjustment_plan_id)
    (plan,) = listed_plans(store, [stored], context)
    return plan


def change_rent_adjustment_plan(
    request: ChangeRentAdjustmentPlan, store: Store, context: Context
) -> RentAdjustmentPlan:
    """Change when a rent adjustment plan ends."""
    stored = require(store, RentAdjustmentPlan, request.rent_adjustment_plan_id)
    (terms,) = terms_of(store, [open_lease(store, str(stored.belongs_to))])
    at = terms.rent_adjustment_plans.index(stored.record)
    changes = request.changes()
    if changes:
        changed = stored.record.evolve(**changes, modified=context.moment)
        # The one of the two that is given, so that the field does not contradict them (A32).
        stop = changed.cancelled_on or changed.ended_on
        changed = changed.evolve(cancelled_or_ended_on=stop)
        plans = [*terms.rent_adjustment_plans]
        plans[at] = changed
        written = {f"rentAdjustmentPlans[{at}]": _ENDS[next(iter(changes))]}
        terms = changed_terms(terms, {"rent_adjustment_plans": tuple(plans)}, written, context)
        store.replace(stored._replace(record=changed))
    return plans_on(terms, context)[at]


def _refuse_unknown_series(plan: RentAdjustmentPlan, context: Context) -> None:
    """Refuse an index that the service does not have, with the ones that it has."""
    indices = series_of(context.indices)
    expected = f"one of {', '.join(indices)}" if indices else "a service with index series"
    problems: list[Problem] = []
    for at, rule in enumerate(plan.rent_adjustment_rules):
        if not rule.by_index or rule.only_limits:
            continue
        named = {"series": rule.clause.series}
        named |= {f"lowerOf[{place}]": name for place, name in enumerate(rule.clause.lower_of)}
        for field, name in named.items():
            if name not in indices and (name is not None or not indices):
                path = f"{_PLAN}.rentAdjustmentRules[{at}].indexClause.{field}"
                met = "nothing" if name is None else shown(name)
                said = "is no index series of the service"
                problems.append(Problem(path, "unknown_series", said, met, expected))
    if problems:
        raise UnknownWordError(problems)


def _settled(plan: RentAdjustmentPlan, terms: LeaseTerms, context: Context) -> RentAdjustmentPlan:
    """Return a plan with its adjustee, balance and series filled in, where they are known today."""
    changes: dict[str, Any] = {
        "created": plan.created or context.moment,
        "modified": plan.modified or context.moment,
        "adjusts_recurring_bill_item": plan.adjusts_items,
        "adjusts_balance": plan.adjusts_balances,
        "rent_adjustment_rules": tuple(
            _with_series(rule.evolve(id=rule_id), context)
            for rule, rule_id in zip(plan.rent_adjustment_rules, plan.rule_ids, strict=True)
        ),
    }
    ids = terms.item_ids[: len(terms.recurring_bill_items)]
    item = item_at(plan, ids) if plan.adjusts_items else None
    balance = balance_at(plan, terms.balances) if plan.adjusts_balances else None
    if item is not None:
        changes["adjustee_ref"] = ids[item]
    if balance is not None and not plan.adjusts_items:
        changes["adjustee_ref"] = balance_ids(terms.balances)[balance]
    if balance is not None:
        changes["balance_charge_type"] = terms.balances[balance].balance_charge_type
    return plan.evolve(**changes)


def _with_series(rule: RentAdjustmentRule, context: Context) -> RentAdjustmentRule:
    """Return a rule that names its index, where the service has only one."""
    names = list(series_of(context.indices))
    if not rule.by_index or rule.only_limits or rule.clause.series is not None or len(names) != 1:
        return rule
    return rule.evolve(index_clause=rule.clause.evolve(series=names[0]))


def listed_plans(
    store: Store, stored: Sequence[Stored[RentAdjustmentPlan]], context: Context
) -> tuple[RentAdjustmentPlan, ...]:
    """Return plans as they are listed, read in a fixed number of calls."""
    of_leases = dict.fromkeys(each.belongs_to for each in stored if each.belongs_to is not None)
    leases = [*store.several(Lease, [*of_leases]).values()]
    listed = {
        lease.id: [*zip(terms.rent_adjustment_plans, plans_on(terms, context), strict=True)]
        for lease, terms in zip(leases, terms_of(store, leases), strict=True)
    }
    return tuple(
        next(
            (
                plan
                for before, plan in listed.get(str(each.belongs_to), ())
                if before == each.record
            ),
            each.record,
        )
        for each in stored
    )


def plans_on(terms: LeaseTerms, context: Context) -> tuple[RentAdjustmentPlan, ...]:
    """Return the plans of a lease as they are listed on the day."""
    day = context.day.toordinal()
    histories = _histories(terms, series_of(context.indices), context.policy)
    # Dates of adjustments need no index; a lease that cannot be billed has none.
    dated = histories or _histories(terms, _NO_SERIES, context.policy)
    plans, ids = terms.rent_adjustment_plans, plan_ids(terms.rent_adjustment_plans)
    bounds = () if dated is None else dated.bounds()
    days = [next_day(plan, each, day) for plan, each in bounds] or [None] * len(plans)
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
    """Return the adjustments of a lease, None where they cannot be computed."""
    try:
        return LeaseHistories(terms, series, policy)
    except RentBillingError:
        return None


def _together(
    plan: RentAdjustmentPlan, plan_id: str, made: Sequence[RentAdjustment]
) -> tuple[RentAdjustment, ...]:
    """Return listed and computed adjustments in order of days, each with an id.

    An adjustment without an id gets one of plan and day, which is unique and stays the same.
    """
    listed = {each.adjusted_on for each in plan.adjustments}
    both = [*plan.adjustments, *(each for each in made if each.adjusted_on not in listed)]
    return tuple(
        each if each.id is not None else each.evolve(id=f"{plan_id}-{each.adjusted_on}")
        for each in sorted(both, key=lambda each: each.adjusted_on)
    )
