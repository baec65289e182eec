"""Stored objects for operations: look-up, pages, and leases with all that belongs to them.

Laws: a page of leases costs as many calls of the store as one lease; a lease is listed in the same
way by every operation; a change is refused if the lease could not be billed after it.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import MAXYEAR, date
from types import MappingProxyType
from typing import Any, Final, TypeVar

from rentbilling.adjustments import LeaseHistories
from rentbilling.billing import CompiledTerms, compile_terms
from rentbilling.errors import (
    ConflictError,
    InvalidInputError,
    InvalidRecordError,
    MissingIndexError,
    NotFoundError,
    Problem,
    UnsupportedCaseError,
)
from rentbilling.indices import series_of
from rentbilling.interface import Lease, PageRequest
from rentbilling.records import Record
from rentbilling.reports import contract_period_state, lease_figures_on
from rentbilling.service.store import Context, Store, Stored, unknown_id
from rentbilling.terms import (
    Balance,
    LeaseTerms,
    OneTimeBillItem,
    RecurringBillItem,
    RentAdjustmentPlan,
    plan_ids,
)
from rentbilling.values import Period

K = TypeVar("K", bound=Record)

_LOOKED_AHEAD: Final = 30
"""Plans are computed so many years past the last one they name, to find errors early."""
_NONE: Final[Mapping[str, Sequence[Stored[Any]]]] = MappingProxyType({})
_SHARED: Final = 8
"""So many items take the place of one in a cache where they are compiled already."""
ARCHIVED: Final = "Archived"
"""The state that a lease never leaves (assumption A48)."""


def require(store: Store, kind: type[K], object_id: str) -> Stored[K]:
    """Return an object that the owner has.

    Raises:
        NotFoundError: The owner has none of this kind with this id.
    """
    stored = store.find(kind, object_id)
    if stored is None:
        raise unknown_id(kind, object_id)
    return stored


def open_lease(store: Store, lease_id: str) -> Stored[Lease]:
    """Return a lease that may change.

    Raises:
        NotFoundError: The owner has no such lease.
        ConflictError: It is archived.
    """
    stored = require(store, Lease, lease_id)
    if stored.record.operational_state == ARCHIVED:
        raise ConflictError("archived_lease", lease=lease_id)
    return stored


def list_page(
    store: Store,
    kind: type[K],
    request: PageRequest,
    *,
    of: type[Record] | None = Lease,
    belongs_to: str | None = None,
) -> Sequence[Stored[K]]:
    """Return the page of objects that is asked for (assumption A43).

    `of` is the kind of what they belong to; None where that may be gone.

    Raises:
        NotFoundError: The owner has not what they should belong to.
        InvalidRecordError: The owner never had the object after which the page begins.
    """
    after = request.starting_after
    if belongs_to is not None and of is not None:
        require(store, of, belongs_to)
    try:
        return store.page(kind, limit=request.limit, after=after, belongs_to=belongs_to)
    except NotFoundError:
        said, expected = "is no object of this list", "the id of the last object received"
        raise InvalidRecordError.of(
            "startingAfter", "unknown_cursor", said, after, expected
        ) from None


def terms_of(store: Store, leases: Sequence[Stored[Lease]]) -> list[LeaseTerms]:
    """Return what leases are billed by but one-time items, in one call for each kind of part."""
    return [LeaseTerms(**each) for each in _parts_of(store, leases)]


def _parts_of(
    store: Store, leases: Sequence[Stored[Lease]], once: Mapping[str, Sequence[Stored[Any]]] = _NONE
) -> list[dict[str, Any]]:
    """Return the fields of the terms of leases, with these one-time items."""
    ids = [each.id for each in leases]
    if not ids:
        return []
    recurring = store.belonging(RecurringBillItem, ids)
    plans = store.belonging(RentAdjustmentPlan, ids)
    balances = store.belonging(Balance, ids)
    return [
        {
            "lease_id": each.id,
            "contract_start": each.record.contract_start,
            "contract_end": each.record.contract_end,
            "recurring_bill_items": _records(recurring, each.id),
            "one_time_bill_items": _records(once, each.id),
            "rent_adjustment_plans": _records(plans, each.id),
            "balances": _records(balances, each.id),
        }
        for each in leases
    ]


def _records(parts: Mapping[str, Sequence[Stored[K]]], lease_id: str) -> tuple[K, ...]:
    return tuple(each.record for each in parts.get(lease_id, ()))


def whole_terms(store: Store, stored: Stored[Lease]) -> LeaseTerms:
    """Return all that one lease is billed by."""
    (parts,) = _parts_of(store, [stored], store.belonging(OneTimeBillItem, [stored.id]))
    return LeaseTerms(**parts)


def terms_beside(store: Store, lease: Stored[Lease]) -> LeaseTerms:
    """Return what a recurring item of a lease depends on: other items only where there are plans.

    No item depends on a one-time item.
    """
    if store.belonging(RentAdjustmentPlan, [lease.id])[lease.id]:
        (terms,) = terms_of(store, [lease])
        return terms
    start, end = lease.record.contract_start, lease.record.contract_end
    return LeaseTerms(lease_id=lease.id, contract_start=start, contract_end=end)


class _SameRecords(tuple[object, ...]):
    """Objects that equal nothing but the same objects, which is quicker than to compare records."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameRecords) and [*map(id, self)] == [*map(id, other)]


def compiled_terms(
    store: Store, stored: Stored[Lease], days: Period, context: Context
) -> CompiledTerms:
    """Return all that some days of a lease are billed by, compiled, remembered by its records.

    What recurs is compiled once for all days, and one-time items are added for those asked for.
    """
    (parts,) = _parts_of(store, [stored], store.belonging(OneTimeBillItem, [stored.id], days=days))
    once, (key, size) = parts["one_time_bill_items"], _key_of(parts)

    # Terms are made of the parts where nothing is remembered: that costs more than to look.
    def recurring() -> CompiledTerms:
        terms = LeaseTerms(**{**parts, "one_time_bill_items": ()})
        return compile_terms(terms, policy=context.policy, indices=context.indices)

    def together() -> CompiledTerms:
        ready = context.remembered((stored.id, key), size, recurring)
        return CompiledTerms(LeaseTerms(**parts), context.policy, context.indices, like=ready)

    # Adjustments are computed as far as they are asked for, by one thread at a time.
    if parts["rent_adjustment_plans"]:
        return compile_terms(LeaseTerms(**parts), policy=context.policy, indices=context.indices)
    if not once:
        return context.remembered((stored.id, key), size, recurring)
    key_of_all = stored.id, key, _SameRecords(once)
    return context.remembered(key_of_all, len(once) + size // _SHARED, together)


def _key_of(parts: Mapping[str, Any]) -> tuple[Hashable, int]:
    """Return what the figures of a lease depend on, but one-time items, and its size."""
    records = _SameRecords(
        (
            *parts["recurring_bill_items"],
            *parts["rent_adjustment_plans"],
            *parts["balances"],
        )
    )
    return (parts["contract_start"], parts["contract_end"], records), len(records) + 1


def listed_lease(lease: Lease, terms: LeaseTerms, context: Context) -> Lease:
    """Return a lease as it is listed: with its figures on the day.

    One that is archived has no rent of a month, because nothing falls due any more (A48).
    """
    key, size = _key_of(vars(terms))
    figures = context.remembered(
        (context.day, key),
        size,
        lambda: lease_figures_on(
            terms, context.day, indices=context.indices, policy=context.policy
        ),
    )
    if lease.operational_state == ARCHIVED:
        figures = figures._replace(monthly_rent_level=None)
    state = contract_period_state(lease.contract_start, lease.contract_end, context.day)
    return lease.evolve(contract_period_state=state, **figures._asdict())


def listed_leases(
    store: Store, leases: Sequence[Stored[Lease]], context: Context
) -> tuple[Lease, ...]:
    """Return leases as they are listed, read in a fixed number of calls."""
    terms = terms_of(store, leases)
    return tuple(
        listed_lease(each.record, of_it, context) for each, of_it in zip(leases, terms, strict=True)
    )


def changed_terms(
    terms: LeaseTerms, changes: Mapping[str, Any], places: Mapping[str, str], context: Context
) -> LeaseTerms:
    """Return the terms of a lease after a change, refused where it could not be billed any more.

    Raises:
        InvalidInputError: Something does not fit; every problem with its path in the request.
        MissingFactError: A balance follows a rent that the lease does not have.
        UnsupportedCaseError: It lies outside what can be billed.
    """
    try:
        after = terms.evolve(**changes)
        compile_terms(after, policy=context.policy, indices=context.indices)
        # A single plan that stays as it is contradicts no other.
        if _PLANS in changes or len(terms.rent_adjustment_plans) > 1:
            _try_plans(after, context)
    except InvalidInputError as error:
        plans = changes.get(_PLANS, terms.rent_adjustment_plans)
        raise _by_id(placed(error, places), plans) from None
    return after


def _try_plans(terms: LeaseTerms, context: Context) -> None:
    """Refuse plans that contradict each other in the years to come, whatever the indices do."""
    policy = context.policy.evolve(missing_index="notice")
    named = [
        int(year)
        for plan in terms.rent_adjustment_plans
        for rule in plan.rent_adjustment_rules
        for year in (rule.first_year, rule.last_year, *(each.of_year for each in rule.increments))
        if year is not None
    ]
    last = min(max([context.day.year, *named]) + _LOOKED_AHEAD, MAXYEAR)
    with suppress(UnsupportedCaseError, MissingIndexError):
        histories = LeaseHistories(terms, series_of(context.indices), policy)
        # Year by year, so that the first wrong month is the one in the message.
        for year in range(min([context.day.year, *named]), last + 1):
            histories.adjusted(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal())


_PLANS: Final = "rent_adjustment_plans"
_A_PLAN: Final = re.compile(r"rentAdjustmentPlans\[([0-9]+)\](?:\.(\S+))?")


def _by_id(error: InvalidInputError, plans: Sequence[RentAdjustmentPlan]) -> InvalidInputError:
    """Return an error whose messages name plans by id instead of by place."""
    ids = plan_ids(plans)

    def called(found: re.Match[str]) -> str:
        """Return a place in a plan in words."""
        plan = f"plan {ids[int(found[1])]}"
        return f"{found[2]} of {plan}" if found[2] else plan

    return type(error)(
        problem._replace(message=_A_PLAN.sub(called, problem.message)) for problem in error.problems
    )


def placed(error: InvalidInputError, places: Mapping[str, str]) -> InvalidInputError:
    """Return what is wrong with the terms of a lease with its paths in a request."""
    return type(error)(_problems(error.problems, places))


def _problems(problems: Iterable[Problem], places: Mapping[str, str]) -> Iterable[Problem]:
    somewhere = next(iter(places.values()))
    for problem in problems:
        for prefix, written in places.items():
            rest = problem.path.removeprefix(prefix)
            if problem.path.startswith(prefix) and (not rest or rest[0] in ".["):
                yield problem._replace(path=f"{written}{rest}")
                break
        else:
            said = f"does not fit the lease, whose {problem.path} {problem.message}"
            yield problem._replace(path=somewhere, message=said)
