"""Operations on leases: created, listed, retrieved, changed, archived, and their pending bills.

Laws: a lease goes from Draft to Active, from Active to Ended and back, and to Archived from Draft
or Ended for good, and of an archived one nothing falls due after that day (A48); else what is
pending follows from its terms alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rentbilling.billing import BillingResult, pending_bills
from rentbilling.errors import ConflictError, InvalidPeriodError, InvalidRecordError, Problem, shown
from rentbilling.interface import (
    ChangeLease,
    CreateLease,
    Lease,
    LeaseCreated,
    LeasePage,
    LeaseRequest,
    LeasesRequest,
    PendingBillsRequest,
    Tenancy,
)
from rentbilling.service.lease_access import (
    changed_terms,
    compiled_terms,
    list_page,
    listed_lease,
    listed_leases,
    open_lease,
    require,
    terms_of,
    whole_terms,
)
from rentbilling.service.store import Context, Store, Stored
from rentbilling.service.tenancies import add_draft_lease, archive, open_tenancy
from rentbilling.terms import Balance, LeaseTerms, contract_problems
from rentbilling.values import Period

_NEXT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"Draft": ("Active",), "Active": ("Ended",), "Ended": ("Active",)}
)
_NEEDED: Final = (
    ("contract_start", "contractStart", ("Active", "Ended")),
    ("contract_end", "contractEnd", ("Ended",)),
)
"""Fields that a lease has in some states."""
_BILLED_BY: Final = MappingProxyType(
    {"contract_start": "contractStart", "contract_end": "contractEnd", "balances": "balances"}
)
"""Fields of a lease that bills depend on, and their names in a request."""


def create_lease(request: CreateLease, store: Store, context: Context) -> LeaseCreated:
    """Create another draft lease of a tenancy that is not archived."""
    tenancy = open_tenancy(store, request.tenancy_id)
    return LeaseCreated(lease_id=add_draft_lease(store, tenancy.id, request.purpose, context))


def list_leases(request: LeasesRequest, store: Store, context: Context) -> LeasePage:
    """List leases, of one tenancy or of all, with their figures on the day."""
    stored = list_page(store, Lease, request, of=Tenancy, belongs_to=request.tenancy_id)
    return LeasePage(leases=listed_leases(store, stored, context))


def retrieve_lease(request: LeaseRequest, store: Store, context: Context) -> Lease:
    """Retrieve one lease, with its figures on the day."""
    return _listed_one(store, require(store, Lease, request.lease_id), context)


def _listed_one(store: Store, stored: Stored[Lease], context: Context) -> Lease:
    (lease,) = listed_leases(store, [stored], context)
    return lease


def retrieve_lease_terms(request: LeaseRequest, store: Store, context: Context) -> LeaseTerms:
    """Retrieve all that a lease is billed by."""
    del context
    return whole_terms(store, require(store, Lease, request.lease_id))


def list_pending_bills(
    request: PendingBillsRequest, store: Store, context: Context
) -> BillingResult:
    """List the pending bills of a lease for a period, of an archived one to that day (A48)."""
    asked, most = request.period, context.most_days
    if asked.days > most:
        said, expected = f"has {asked.days} days", f"at most {most} days"
        raise InvalidPeriodError.of("period", "too_many_days", said, str(asked), expected)
    stored = require(store, Lease, request.lease_id)
    archived_at = stored.record.archived_at
    if archived_at is not None:
        # The day in the moment's own offset.
        last = archived_at.toordinal()
        if last < asked.first:
            nothing = LeaseTerms(lease_id=stored.id)
            return pending_bills(nothing, asked, policy=context.policy, indices=context.indices)
        if last < asked.last:
            asked = Period.unchecked(asked.first, last)
    return pending_bills(compiled_terms(store, stored, asked, context), asked)


def archive_lease(request: LeaseRequest, store: Store, context: Context) -> Lease:
    """Archive a lease that is a draft or has ended; one that is archived stays as it is."""
    stored = archive(store, require(store, Lease, request.lease_id), context)
    return _listed_one(store, stored, context)


def change_lease(request: ChangeLease, store: Store, context: Context) -> Lease:
    """Change a lease: its state, contract, contacts or balances."""
    stored = open_lease(store, request.lease_id)
    changes = request.changes()
    balances = changes.pop("balances", None)
    _refuse_state(stored, request.operational_state)
    # A request may have one of the two days alone.
    if reversed_days := [*contract_problems({**dict(stored.record), **changes})]:
        raise InvalidPeriodError(problem for _, problem in reversed_days)
    changed = stored.record.evolve(**changes)
    _refuse_missing(changed)
    (terms,) = terms_of(store, [stored])
    before = terms.balances
    after = {name: changes[name] for name in _BILLED_BY if name in changes}
    if balances is not None:
        after["balances"] = _with_ids(balances, before, context)
    if after:
        written = {path: path for name, path in _BILLED_BY.items() if name in after}
        terms = changed_terms(terms, after, written, context)
    if balances is not None:
        _store_balances(store, stored.id, before, terms.balances)
    store.replace(stored._replace(record=changed))
    return listed_lease(changed, terms, context)


def _with_ids(
    balances: Iterable[Balance], before: Sequence[Balance], context: Context
) -> tuple[Balance, ...]:
    """Return balances that all have an id: of one that the lease has, or a new one."""
    known = [str(each.id) for each in before]
    strangers = [
        Problem(
            f"balances[{at}].id",
            "unknown_id",
            "is no balance of the lease",
            shown(each.id),
            "none for a new one" + "".join(f", or {one}" for one in known),
        )
        for at, each in enumerate(balances)
        if each.id is not None and each.id not in known
    ]
    if strangers:
        raise InvalidRecordError(strangers)
    return tuple(each.evolve(id=context.new_id()) if each.id is None else each for each in balances)


def _store_balances(
    store: Store, lease_id: str, before: Sequence[Balance], after: Sequence[Balance]
) -> None:
    known = {str(each.id) for each in before}
    for each in after:
        stored = Stored(each, str(each.id), lease_id)
        if stored.id in known:
            store.replace(stored)
        else:
            store.add(stored)
    for gone in known - {str(each.id) for each in after}:
        store.remove(Balance, gone)


def _refuse_state(stored: Stored[Lease], wanted: str | None) -> None:
    """Refuse a state that cannot follow the state of a lease (A48)."""
    state = stored.record.operational_state
    if wanted in (None, state) or wanted in _NEXT.get(state or "", ()):
        return
    raise ConflictError("wrong_state", lease=stored.id, state=state, wanted=wanted)


def _refuse_missing(lease: Lease) -> None:
    state = lease.operational_state
    problems = [
        Problem(path, "missing", f"is required of a lease that is {state}", "nothing", "a date")
        for name, path, states in _NEEDED
        if state in states and getattr(lease, name) is None
    ]
    if problems:
        raise InvalidRecordError(problems)
