"""Operations on tenancies: created with a draft lease, listed, changed, archived.

Laws: a tenancy never stands without the lease it was created with; of an archived one nothing
changes any more, and it gets no other lease.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

from rentbilling.errors import ConflictError
from rentbilling.interface.answers import TenancyCreated, TenancyPage
from rentbilling.interface.resource_requests import (
    ChangeTenancy,
    CreateTenancy,
    NewTenancyAddress,
    PageRequest,
    TenancyRequest,
)
from rentbilling.interface.resources import Area, Lease, RoomCount, Tenancy, TenancyAddress
from rentbilling.service.lease_access import ARCHIVED, found, page, told_leases
from rentbilling.service.lease_figures import contract_period_state
from rentbilling.service.store import Facts, Kept, Store


def create_tenancy(request: CreateTenancy, store: Store, facts: Facts) -> TenancyCreated:
    """Create a tenancy and its draft lease."""
    tenancy_id = facts.new_id()
    store.add(Kept(Tenancy(id=tenancy_id, address=_address(request.address)), tenancy_id))
    lease_id = add_draft_lease(store, tenancy_id, request.purpose, facts)
    return TenancyCreated(tenancy_id=tenancy_id, lease_id=lease_id)


def add_draft_lease(store: Store, tenancy_id: str, purpose: str, facts: Facts) -> str:
    """Keep a new draft lease of a tenancy, whose address and unit are those of the tenancy."""
    lease_id = facts.new_id()
    lease = Lease(id=lease_id, tenancy_id=tenancy_id, operational_state="Draft", purpose=purpose)
    store.add(Kept(lease, lease_id, tenancy_id))
    return lease_id


def _address(given: NewTenancyAddress) -> TenancyAddress:
    """Return an address as it is listed, with street and number in one text."""
    return TenancyAddress(street=f"{given.street_name} {given.street_number}", **dict(given))


def list_tenancies(request: PageRequest, store: Store, facts: Facts) -> TenancyPage:
    """List tenancies, each with its current lease."""
    kept = page(store, Tenancy, request)
    return TenancyPage(tenancies=_told(store, kept, facts))


def retrieve_tenancy(request: TenancyRequest, store: Store, facts: Facts) -> Tenancy:
    """Retrieve one tenancy."""
    return _told_one(store, found(store, Tenancy, request.tenancy_id), facts)


def change_tenancy(request: ChangeTenancy, store: Store, facts: Facts) -> Tenancy:
    """Change what is known of a tenancy; what the request does not name stays."""
    kept = open_tenancy(store, request.tenancy_id)
    changes = request.changes()
    if request.address is not None:
        changes["address"] = _address(request.address)
    # Kept as they are listed, and not as they were asked for.
    if request.room_counts is not None:
        changes["room_counts"] = tuple(RoomCount(**dict(each)) for each in request.room_counts)
    for name in ("total_area", "business_area"):
        if changes.get(name) is not None:
            changes[name] = Area(**dict(changes[name]))
    changed = kept._replace(record=kept.record.evolve(**changes))
    store.replace(changed)
    return _told_one(store, changed, facts)


def open_tenancy(store: Store, tenancy_id: str) -> Kept[Tenancy]:
    """Return a tenancy that may change, and that may have another lease.

    Raises:
        NotFoundError: The owner has no such tenancy.
        ConflictError: It is archived.
    """
    kept = found(store, Tenancy, tenancy_id)
    if kept.record.archived_at is not None:
        raise ConflictError("archived_tenancy", tenancy=kept.id)
    return kept


def archive_tenancy(request: TenancyRequest, store: Store, facts: Facts) -> Tenancy:
    """Archive a tenancy and its leases; one that is archived stays as it is."""
    kept = found(store, Tenancy, request.tenancy_id)
    if kept.record.archived_at is None:
        leases = store.belonging(Lease, [kept.id]).get(kept.id, ())
        for each in leases:
            archive(store, each, facts)
        kept = kept._replace(record=kept.record.evolve(archived_at=facts.moment))
        store.replace(kept)
    return _told_one(store, kept, facts)


def archive(store: Store, kept: Kept[Lease], facts: Facts) -> Kept[Lease]:
    """Archive a lease; one that is archived stays as it is.

    Raises:
        ConflictError: The lease is active.
    """
    state = kept.record.operational_state
    if state == ARCHIVED:
        return kept
    if state == "Active":
        raise ConflictError("active_lease", lease=kept.id)
    archived = kept.record.evolve(operational_state=ARCHIVED, archived_at=facts.moment)
    kept = kept._replace(record=archived)
    store.replace(kept)
    return kept


def _told_one(store: Store, kept: Kept[Tenancy], facts: Facts) -> Tenancy:
    """Return a tenancy as it is listed."""
    (tenancy,) = _told(store, [kept], facts)
    return tenancy


def _told(store: Store, kept: Sequence[Kept[Tenancy]], facts: Facts) -> tuple[Tenancy, ...]:
    """Return tenancies as they are listed, read in a fixed number of calls."""
    leases = store.belonging(Lease, [each.id for each in kept]) if kept else {}
    of_each = [leases.get(each.id, ()) for each in kept]
    current = [current_lease(each, facts.day) for each in of_each]
    told = told_leases(store, [lease for lease in current if lease is not None], facts)
    by_id = {lease.id: lease for lease in told}
    return tuple(
        each.record.evolve(
            lease_ids=tuple(lease.id for lease in all_of),
            current_lease=None if now is None else by_id[now.id],
        )
        for each, all_of, now in zip(kept, of_each, current, strict=True)
    )


_EVER: Final = date.max


def current_lease(leases: Sequence[Kept[Lease]], day: date) -> Kept[Lease] | None:
    """Return the lease of a tenancy that counts on a day."""
    there = [each for each in leases if each.record.operational_state != ARCHIVED]
    by_state: dict[str, list[Kept[Lease]]] = {}
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
