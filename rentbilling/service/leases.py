"""Operations on leases: created, listed, retrieved, changed, archived, and their pending bills.

Laws: a lease goes from Draft to Active, from Active to Ended and back, and to Archived from Draft
or Ended for good, and of an archived one nothing falls due after that day (A48); else what is
pending follows from its terms alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rentbilling.billing.api import pending_bills
from rentbilling.billing.bill import BillingResult
from rentbilling.errors import ConflictError, InvalidPeriodError, InvalidRecordError, Problem, shown
from rentbilling.interface.answers import LeaseCreated, LeasePage
from rentbilling.interface.resource_requests import (
    ChangeLease,
    CreateLease,
    LeaseRequest,
    LeasesRequest,
    PendingBillsRequest,
)
from rentbilling.interface.resources import Lease, Tenancy, contract_problems
from rentbilling.service.lease_access import (
    changed_terms,
    found,
    open_lease,
    page,
    terms_of,
    told,
    told_leases,
    whole_terms,
)
from rentbilling.service.store import Facts, Kept, Store
from rentbilling.service.tenancies import add_draft_lease, archive, open_tenancy
from rentbilling.terms.lease_terms import LeaseTerms
from rentbilling.terms.plans import Balance
from rentbilling.values.periods import Period

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
"""Fields of a lease that bills depend on, and where a caller writes them."""


def create_lease(request: CreateLease, store: Store, facts: Facts) -> LeaseCreated:
    """Create another draft lease of a tenancy that is not archived."""
    tenancy = open_tenancy(store, request.tenancy_id)
    return LeaseCreated(lease_id=add_draft_lease(store, tenancy.id, request.purpose, facts))


def list_leases(request: LeasesRequest, store: Store, facts: Facts) -> LeasePage:
    """List leases, of one tenancy or of all, with their figures on the day."""
    kept = page(store, Lease, request, of=Tenancy, belongs_to=request.tenancy_id)
    return LeasePage(leases=told_leases(store, kept, facts))


def retrieve_lease(request: LeaseRequest, store: Store, facts: Facts) -> Lease:
    """Retrieve one lease, with its figures on the day."""
    return _told_one(store, found(store, Lease, request.lease_id), facts)


def _told_one(store: Store, kept: Kept[Lease], facts: Facts) -> Lease:
    """Return a lease as it is listed."""
    (lease,) = told_leases(store, [kept], facts)
    return lease


def retrieve_lease_terms(request: LeaseRequest, store: Store, facts: Facts) -> LeaseTerms:
    """Retrieve all that a lease is billed by."""
    del facts
    return whole_terms(store, found(store, Lease, request.lease_id))


def list_pending_bills(request: PendingBillsRequest, store: Store, facts: Facts) -> BillingResult:
    """List the pending bills of a lease for a period, of an archived one to that day (A48)."""
    asked, most = request.period, facts.most_days
    if asked.days > most:
        said, expected = f"has {asked.days} days", f"at most {most} days"
        raise InvalidPeriodError.of("period", "too_many_days", said, str(asked), expected)
    kept = found(store, Lease, request.lease_id)
    terms, archived_at = whole_terms(store, kept), kept.record.archived_at
    if archived_at is not None:
        # The day where it was archived, which the moment's own offset tells.
        last = archived_at.toordinal()
        if last < asked.first:
            terms = LeaseTerms(lease_id=kept.id)
        elif last < asked.last:
            asked = Period.of(asked.first, last)
    return pending_bills(terms, asked, policy=facts.policy, indices=facts.indices)


def archive_lease(request: LeaseRequest, store: Store, facts: Facts) -> Lease:
    """Archive a lease that is a draft or has ended; one that is archived stays as it is."""
    kept = archive(store, found(store, Lease, request.lease_id), facts)
    return _told_one(store, kept, facts)


def change_lease(request: ChangeLease, store: Store, facts: Facts) -> Lease:
    """Change a lease: its state, contract, contacts or balances."""
    kept = open_lease(store, request.lease_id)
    changes = request.changes()
    balances = changes.pop("balances", None)
    _refuse_state(kept, request.operational_state)
    _refuse_reversed({**dict(kept.record), **changes})
    changed = kept.record.evolve(**changes)
    _refuse_missing(changed)
    (terms,) = terms_of(store, [kept], one_time=True)
    before = terms.balances
    after = {name: changes[name] for name in _BILLED_BY if name in changes}
    if balances is not None:
        after["balances"] = _with_ids(balances, before, facts)
    if after:
        written = {path: path for name, path in _BILLED_BY.items() if name in after}
        terms = changed_terms(terms, after, written, facts)
    if balances is not None:
        _keep(store, kept.id, before, terms.balances)
    store.replace(kept._replace(record=changed))
    return told(changed, terms, facts)


def _with_ids(
    balances: Iterable[Balance], before: Sequence[Balance], facts: Facts
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
    return tuple(each.evolve(id=facts.new_id()) if each.id is None else each for each in balances)


def _keep(store: Store, lease_id: str, before: Sequence[Balance], after: Sequence[Balance]) -> None:
    """Keep the balances of a lease in the place of those that it had."""
    known = {str(each.id) for each in before}
    for each in after:
        kept = Kept(each, str(each.id), lease_id)
        if kept.id in known:
            store.replace(kept)
        else:
            store.add(kept)
    for gone in known - {str(each.id) for each in after}:
        store.remove(Balance, gone)


def _refuse_state(kept: Kept[Lease], wanted: str | None) -> None:
    """Refuse a state that a lease does not go to from where it is (A48)."""
    state = kept.record.operational_state
    if wanted in (None, state) or wanted in _NEXT.get(state or "", ()):
        return
    raise ConflictError("wrong_state", lease=kept.id, state=state, wanted=wanted)


def _refuse_reversed(fields: Mapping[str, Any]) -> None:
    """Refuse a contract that would end before it starts, where only one of the two is sent."""
    problems = [problem for _, problem in contract_problems(fields)]
    if problems:
        raise InvalidPeriodError(problems)


def _refuse_missing(lease: Lease) -> None:
    """Refuse a lease without what its state says that it has."""
    state = lease.operational_state
    problems = [
        Problem(path, "missing", f"is required of a lease that is {state}", "nothing", "a date")
        for name, path, states in _NEEDED
        if state in states and getattr(lease, name) is None
    ]
    if problems:
        raise InvalidRecordError(problems)
