"""Operations on tenancies: created with a draft lease, listed, changed, archived.

Laws: a tenancy is created together with a lease; an archived tenancy changes no more, and gets no
other lease.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

from rentbilling.errors import ConflictError
from rentbilling.interface import (
    Area,
    ChangeTenancy,
    CreateTenancy,
    Lease,
    NewTenancyAddress,
    PageRequest,
    RoomCount,
    Tenancy,
    TenancyAddress,
    TenancyCreated,
    TenancyPage,
    TenancyRequest,
)
from rentbilling.reports import contract_period_state
from rentbilling.service.lease_access import ARCHIVED, list_page, listed_leases, require
from rentbilling.service.store import Context, Store, Stored


def create_tenancy(request: CreateTenancy, store: Store, context: Context) -> TenancyCreated:
    """Create a tenancy and its draft lease."""
    tenancy_id = context.new_id()
    store.add(Stored(Tenancy(id=tenancy_id, address=_address(request.address)), tenancy_id))
    lease_id = add_draft_lease(store, tenancy_id, request.purpose, context)
    return TenancyCreated(tenancy_id=tenancy_id, lease_id=lease_id)


def add_draft_lease(store: Store, tenancy_id: str, purpose: str, context: Context) -> str:
    """Add a draft lease to a tenancy, whose address and unit it has."""
    lease_id = context.new_id()
    lease = Lease(id=lease_id, tenancy_id=tenancy_id, operational_state="Draft", purpose=purpose)
    store.add(Stored(lease, lease_id, tenancy_id))
    return lease_id


def _address(given: NewTenancyAddress) -> TenancyAddress:
    """Return an address as it is listed, with street and number in one text."""
    return TenancyAddress(street=f"{given.street_name} {given.street_number}", **dict(given))


def list_tenancies(request: PageRequest, store: Store, context: Context) -> TenancyPage:
    """List tenancies, each with its current lease."""
    stored = list_page(store, Tenancy, request)
    return TenancyPage(tenancies=_listed(store, stored, context))


def retrieve_tenancy(request: TenancyRequest, store: Store, context: Context) -> Tenancy:
    """Retrieve one tenancy."""
    return _listed_one(store, require(store, Tenancy, request.tenancy_id), context)


def change_tenancy(request: ChangeTenancy, store: Store, context: Context) -> Tenancy:
    """Change what is known of a tenancy; what the request does not name stays."""
    stored = open_tenancy(store, request.tenancy_id)
    changes = request.changes()
    if request.address is not None:
        changes["address"] = _address(request.address)
    # Stored as they are listed, not as they were requested.
    if request.room_counts is not None:
        changes["room_counts"] = tuple(RoomCount(**dict(each)) for each in request.room_counts)
    for name in ("total_area", "business_area"):
        if changes.get(name) is not None:
            changes[name] = Area(**dict(changes[name]))
    changed = stored._replace(record=stored.record.evolve(**changes))
    store.replace(changed)
    return _listed_one(store, changed, context)


def open_tenancy(store: Store, tenancy_id: str) -> Stored[Tenancy]:
    """Return a tenancy that may change, and that may have another lease.

    Raises:
        NotFoundError: The owner has no such tenancy.
        ConflictError: It is archived.
    """
    stored = require(store, Tenancy, tenancy_id)
    if stored.record.archived_at is not None:
        raise ConflictError("archived_tenancy", tenancy=stored.id)
    return stored


def archive_tenancy(request: TenancyRequest, store: Store, context: Context) -> Tenancy:
    """Archive a tenancy and its leases; one that is archived stays as it is."""
    stored = require(store, Tenancy, request.tenancy_id)
    if stored.record.archived_at is None:
        leases = store.belonging(Lease, [stored.id]).get(stored.id, ())
        for each in leases:
            archive(store, each, context)
        stored = stored._replace(record=stored.record.evolve(archived_at=context.moment))
        store.replace(stored)
    return _listed_one(store, stored, context)


def archive(store: Store, stored: Stored[Lease], context: Context) -> Stored[Lease]:
    """Archive a lease; one that is archived stays as it is.

    Raises:
        ConflictError: The lease is active.
    """
    state = stored.record.operational_state
    if state == ARCHIVED:
        return stored
    if state == "Active":
        raise ConflictError("active_lease", lease=stored.id)
    archived = stored.record.evolve(operational_state=ARCHIVED, archived_at=context.moment)
    stored = stored._replace(record=archived)
    store.replace(stored)
    return stored


def _listed_one(store: Store, stored: Stored[Tenancy], context: Context) -> Tenancy:
    (tenancy,) = _listed(store, [stored], context)
    return tenancy


def _listed(
    store: Store, stored: Sequence[Stored[Tenancy]], context: Context
) -> tuple[Tenancy, ...]:
    """Return tenancies as they are listed, read in a fixed number of calls."""
    leases = store.belonging(Lease, [each.id for each in stored]) if stored else {}
    of_each = [leases.get(each.id, ()) for each in stored]
    current = [current_lease(each, context.day) for each in of_each]
    listed = listed_leases(store, [lease for lease in current if lease is not None], context)
    by_id = {lease.id: lease for lease in listed}
    return tuple(
        each.record.evolve(
            lease_ids=tuple(lease.id for lease in all_of),
            current_lease=None if now is None else by_id[now.id],
        )
        for each, all_of, now in zip(stored, of_each, current, strict=True)
    )


_EVER: Final = date.max


def current_lease(leases: Sequence[Stored[Lease]], day: date) -> Stored[Lease] | None:
    """Return the lease of a tenancy that counts on a day."""
    there = [each for each in leases if each.record.operational_state != ARCHIVED]
    by_state: dict[str, list[Stored[Lease]]] = {}
    # The one created last wins a tie.
    for each in reversed(there):
        lease = each.record
        state = contract_period_state(lease.contract_start, lease.contract_end, day)
        by_state.setdefault(state, []).append(each)
    if "Active" in by_state:
        return max(by_state["Active"], key=lambda each: each.record.contract_start or date.min)
    if "Upcoming" in by_state:
        return min(by_state["Upcoming"], key=lambda each: each.record.contract_start or _EVER)
    return there[-1] if there else None
