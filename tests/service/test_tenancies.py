"""Tenancies: created with a draft lease, listed with the current one, changed and archived."""

from datetime import date

from rentbilling import dumps
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface import Area, Lease, RoomCount, Tenancy
from rentbilling.service import Stored
from rentbilling.service.tenancies import current_lease
from tests.support.operated import ADDRESS, HOME, NOON, Body, Service, rent
from tests.support.rows import rows

START = "2026-01-15"


def test_a_tenancy_gets_another_draft_lease() -> None:
    service = Service()
    first = service.lease(rent(), operationalState="Active", contractStart=START)
    created = service("create_lease", tenancyId="id-1", purpose="key:office")

    assert '{"leaseId": "id-4"}' == dumps(created)
    assert (
        '{"id": "id-4", "tenancyId": "id-1", "operationalState": "Draft", '
        '"contractPeriodState": "Upcoming", "tenantIds": [], "associatedContactIds": [], '
        '"purpose": "key:office"}'
    ) == dumps(service("retrieve_lease", "id-4"))
    tenancy = service("retrieve_tenancy", tenancyId="id-1")
    assert ((first, "id-4"), first) == (tenancy.lease_ids, tenancy.current_lease.id)
    service("create_recurring_bill_item", "id-4", recurringBillItem=rent(9000))
    period = "2026-03-01/2026-03-31"
    bills = [
        str(bill.total)
        for lease_id in (first, "id-4")
        for bill in service("list_pending_bills", lease_id, period=period)
    ]
    assert ["8500.00 DKK", "9000.00 DKK"] == bills


def test_another_lease_is_like_the_first_one() -> None:
    service = Service()
    service("create_tenancy", HOME)
    service("create_lease", tenancyId="id-1", purpose=HOME["purpose"])
    first, second = service.kept(Lease)

    assert first.evolve(id="id-3") == second


def test_an_archived_tenancy_gets_no_other_lease() -> None:
    """A48: archived is final; no lease is left behind."""
    service = Service()
    service("create_tenancy", HOME)
    service("archive_tenancy", tenancyId="id-1")
    error = service.refused("create_lease", tenancyId="id-1", purpose="key:office")

    assert ConflictError("archived_tenancy", tenancy="id-1") == error
    assert 1 == len(service.kept(Lease))


def test_a_tenancy_whose_leases_are_archived_gets_another_one() -> None:
    service = Service()
    service("archive_lease", service.lease())
    service("create_lease", tenancyId="id-1", purpose="key:office")

    assert "id-3" == service("retrieve_tenancy", tenancyId="id-1").current_lease.id
    service("archive_tenancy", tenancyId="id-1")
    states = [each.operational_state for each in service("list_leases").leases]
    assert ["Archived", "Archived"] == states


def test_a_tenancy_is_changed_field_by_field() -> None:
    service = Service()
    service("create_tenancy", HOME)
    service(
        "change_tenancy",
        tenancyId="id-1",
        unitType="OTHER",
        unitTypeName="Boat house",
        groupId={"portfolio": "north"},
        roomCounts=[{"type": "BEDROOM", "count": 2}],
        totalArea={"value": 85, "unit": "SQUARE_METER"},
        businessArea={"value": 5, "unit": "SQUARE_METER"},
    )
    changed = service(
        "change_tenancy",
        tenancyId="id-1",
        unitType="PARKING",
        address={**ADDRESS, "streetNumber": "9"},
        clear=["unitTypeName", "businessArea"],
    )

    assert changed == service("retrieve_tenancy", tenancyId="id-1")
    assert ("Nygade 9", "PARKING", None) == (
        changed.address.street,
        changed.unit_type,
        changed.unit_type_name,
    )
    assert {"portfolio": "north"} == changed.group_id
    assert (RoomCount(type="BEDROOM", count=2),) == changed.room_counts
    assert (Area(value=85, unit="SQUARE_METER"), None) == (
        changed.total_area,
        changed.business_area,
    )
    assert () == service("change_tenancy", tenancyId="id-1", clear=["roomCounts"]).room_counts


def test_what_is_kept_of_a_tenancy_is_of_the_kinds_that_are_listed() -> None:
    service = Service()
    service("create_tenancy", HOME)
    area = {"value": 1, "unit": "m2"}
    service(
        "change_tenancy", tenancyId="id-1", roomCounts=[{"type": "A", "count": 1}], totalArea=area
    )
    (kept,) = service.kept(Tenancy)

    assert (RoomCount, Area) == (type(kept.room_counts[0]), type(kept.total_area))
    assert ((), None) == (kept.lease_ids, kept.current_lease)


def test_an_archived_tenancy_takes_its_leases_along() -> None:
    """It has no current lease any more; archiving it once more changes nothing (A48)."""
    service = Service()
    lease_id = service.lease()
    archived = service("archive_tenancy", tenancyId="id-1")

    assert (NOON, None, (lease_id,)) == (
        archived.archived_at,
        archived.current_lease,
        archived.lease_ids,
    )
    lease = service("retrieve_lease", lease_id)
    assert ("Archived", NOON) == (lease.operational_state, lease.archived_at)
    assert archived == service("archive_tenancy", tenancyId="id-1")
    assert 0 == service.calls["replace"]


def test_a_tenancy_with_an_active_lease_is_not_archived() -> None:
    """Nothing of it changes: neither the tenancy nor a lease of it that is a draft (A48)."""
    service = Service()
    lease_id = service.lease(rent(), operationalState="Active", contractStart=START)
    draft = Lease(id="draft", tenancy_id="id-1", operational_state="Draft")
    service.keep(Stored(draft, "draft", "id-1"))
    before = service("list_tenancies"), service("list_leases")
    error = service.refused("archive_tenancy", tenancyId="id-1")

    assert ConflictError("active_lease", lease=lease_id) == error
    assert before == (service("list_tenancies"), service("list_leases"))


def test_an_archived_tenancy_does_not_change() -> None:
    """A48: archived is final."""
    service = Service()
    service("create_tenancy", HOME)
    service("archive_tenancy", tenancyId="id-1")
    error = service.refused("change_tenancy", tenancyId="id-1", unitType="PARKING")

    assert ConflictError("archived_tenancy", tenancy="id-1") == error


def test_a_tenancy_whose_lease_is_archived_already_is_archived() -> None:
    service = Service()
    lease_id = service.lease()
    service("archive_lease", lease_id)
    before = service("retrieve_lease", lease_id)
    service("archive_tenancy", tenancyId="id-1")

    assert before == service("retrieve_lease", lease_id)


@rows(
    ("operation", "more"),
    [
        ("retrieve_tenancy", {}),
        ("change_tenancy", {}),
        ("archive_tenancy", {}),
        ("create_lease", {"purpose": "key:office"}),
    ],
)
def test_an_unknown_tenancy_is_not_found(operation: str, more: Body) -> None:
    """The refusal names what there is none of (A46)."""
    error = Service().refused(operation, tenancyId="id-9", **more)

    assert NotFoundError("unknown_id", kind="tenancy", id="id-9") == error
    assert "there is no tenancy with the id id-9" == str(error)


def lease(
    name: str, start: str | None = None, end: str | None = None, state: str = "Draft"
) -> Stored[Lease]:
    fields = {"contract_start": start, "contract_end": end}
    days = {name: date.fromisoformat(text) for name, text in fields.items() if text is not None}
    return Stored(Lease(id=name, operational_state=state, **days), name)  # type: ignore[arg-type]


PAST = lease("past", "2020-01-01", "2025-12-31")
NOW = lease("now", "2026-01-01", "2026-12-31")
ALSO_NOW = lease("also now", "2026-02-01")
NEXT = lease("next", "2027-01-01")
LATER = lease("later", "2028-01-01")
DRAFT = lease("draft")
GONE = lease("gone", "2026-01-01", state="Archived")


@rows(
    ("leases", "current"),
    [
        ([], None),
        ([GONE], None),
        ([PAST], "past"),
        ([PAST, lease("past too", "2025-01-01", "2025-06-30")], "past too"),
        ([NEXT, NOW, PAST, GONE], "now"),
        ([ALSO_NOW, NOW], "also now"),
        ([NOW, lease("twin", "2026-01-01")], "twin"),
        ([PAST, LATER, NEXT, DRAFT], "next"),
        ([DRAFT, PAST], "draft"),
        ([DRAFT, lease("draft too")], "draft too"),
    ],
)
def test_the_current_lease_is_the_one_that_counts_on_the_day(
    leases: list[Stored[Lease]], current: str | None
) -> None:
    """On 15 March 2026: the active contract, else the next one, else the one created last."""
    found = current_lease(leases, date(2026, 3, 15))

    assert current == (None if found is None else found.id)


def test_the_current_lease_changes_with_the_day() -> None:
    for day, name in (("2025-12-31", "past"), ("2026-01-01", "now"), ("2027-01-01", "next")):
        found = current_lease([PAST, NOW, NEXT], date.fromisoformat(day))

        assert found is not None
        assert name == found.id
