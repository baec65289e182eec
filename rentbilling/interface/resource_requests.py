"""What is sent to an operation: one record for each, with parameters and body together.

Law: everything that a caller creates is checked to the last field, and what we do not know is
refused by its path (A50).
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.interface.request_bounds import SentRecord
from rentbilling.interface.request_parts import Change, NewArea, NewRoomCount
from rentbilling.interface.resources import contract_problems
from rentbilling.records.bounds import InSchema, Matching, Within
from rentbilling.records.fields import (
    AmountField,
    DateField,
    IdField,
    Listed,
    NameField,
    PeriodField,
    TextField,
    WholeField,
)
from rentbilling.records.record import CheckedRecord, Problems
from rentbilling.terms.lease_terms import OneTimeBillItem, RecurringBillItem
from rentbilling.terms.plans import Balance, RentAdjustmentPlan

MOST_OBJECTS: Final = 100
"""Objects on a page, at most (A43)."""
USUAL_OBJECTS: Final = 10
"""Objects on a page where nobody says how many (A43)."""


class PageRequest(SentRecord):
    """Which page of a list is asked for (assumption A43).

    Examples:
        >>> PageRequest(limit=101)
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: limit: is out of range (met 101; \
expected a whole number from 1 to 100)
    """

    # Ours
    limit: Annotated[WholeField, Within(1, MOST_OBJECTS)] = USUAL_OBJECTS
    """Objects on the page, 1 to 100."""
    starting_after: IdField | None = None
    """Id of the last object of the page before; absent for the first page."""


class LeasePartsRequest(PageRequest):
    """Which page of what belongs to leases: of one lease, or of all."""

    # Ours
    lease_id: IdField | None = None
    """Only what belongs to this lease."""


class LeasesRequest(PageRequest):
    """Which page of leases: of one tenancy, or of all."""

    # Ours
    tenancy_id: IdField | None = None
    """Only leases of this tenancy."""


class LeaseRequest(SentRecord):
    """Which lease is asked for."""

    # Interface: leaseId
    lease_id: IdField
    """Its identifier."""


class TenancyRequest(SentRecord):
    """Which tenancy is asked for."""

    # Ours
    tenancy_id: IdField
    """Its identifier."""


class RecurringBillItemRequest(SentRecord):
    """Which recurring bill item is asked for."""

    # Ours
    recurring_bill_item_id: IdField
    """Its identifier."""


class OneTimeBillItemRequest(SentRecord):
    """Which one-time bill item is asked for."""

    # Ours
    one_time_bill_item_id: IdField
    """Its identifier."""


class RentAdjustmentPlanRequest(SentRecord):
    """Which rent adjustment plan is asked for."""

    # Ours
    rent_adjustment_plan_id: IdField
    """Its identifier."""


class PendingBillsRequest(SentRecord):
    """Of which lease, and for which period, pending bills are asked for (assumption A44)."""

    # Interface: leaseId, period
    lease_id: IdField
    """The lease."""
    period: PeriodField
    """The period, both ends included: `YYYY-MM-DD/YYYY-MM-DD` (A4)."""


_A_COUNTRY: Final = Matching(
    "[A-Z]{2,3}",
    "not_a_country_code",
    "is no country code",
    "two or three capital letters, such as DK",
)


class NewTenancyAddress(CheckedRecord):
    """Where a new tenancy is."""

    # Interface: address
    street_name: NameField
    """Street name."""
    street_number: NameField
    """Number on the street."""
    postal_code: NameField
    """Postal code."""
    city: NameField
    """City."""
    country: Annotated[IdField, _A_COUNTRY]
    """Country code: two or three capital letters, as in ISO 3166."""
    floor: TextField | None = None
    """Floor."""
    door: TextField | None = None
    """Door."""
    subdivision: TextField | None = None
    """Part of a country or town."""
    co: TextField | None = None
    """Care-of line."""


class CreateTenancy(SentRecord):
    """A new tenancy, which gets a draft lease.

    Examples:
        >>> CreateTenancy(purpose="key:residential", address={
        ...     "streetName": "Nygade", "streetNumber": "7", "postalCode": "1164",
        ...     "city": "København", "country": "DK"}).address.country
        'DK'
    """

    # Interface: purpose, address
    purpose: IdField
    """What the lease is for; any word (A49)."""
    address: NewTenancyAddress
    """Where it is."""


class CreateLease(SentRecord):
    """A new draft lease of a tenancy that is there, for the tenants who come next.

    Examples:
        >>> CreateLease(tenancy_id="tenancy-1", purpose="key:residential").purpose
        'key:residential'
    """

    # Ours
    tenancy_id: IdField
    """The tenancy, which is not archived."""
    purpose: IdField
    """What the lease is for; any word (A49)."""


class ChangeTenancy(Change):
    """What changes of a tenancy; what is absent stays.

    Examples:
        >>> change = ChangeTenancy(tenancy_id="t-1", unit_type="PARKING", clear=["roomCounts"])
        >>> change.changes()
        {'unit_type': 'PARKING', 'room_counts': ()}
    """

    subject: ClassVar[str] = "tenancy_id"

    # Ours
    tenancy_id: IdField
    """The tenancy."""
    address: NewTenancyAddress | None = None
    """Another address, whole."""
    group_id: dict[str, TextField] | None = None
    """Categories and the group of each, whole."""
    unit_type: IdField | None = None
    """What it is."""
    unit_type_name: NameField | None = None
    """What it is in a text of its own, where the type is OTHER."""
    room_counts: Annotated[tuple[NewRoomCount, ...] | None, Listed] = None
    """Rooms by type, whole."""
    total_area: NewArea | None = None
    """All of its area."""
    business_area: NewArea | None = None
    """The part used for business."""
    clear: Annotated[
        tuple[
            Literal[
                "groupId", "unitType", "unitTypeName", "roomCounts", "totalArea", "businessArea"
            ],
            ...,
        ],
        Listed,
    ] = ()
    """Fields that have no value from now on."""


class ChangeLease(Change):
    """What changes of a lease; what is absent stays.

    The state is the owner's word: Draft goes to Active, Active to Ended, and Ended to Active again,
    on whichever day the owner says so. What is billed follows from dates, those of the items and
    the contract end, whatever the state: a lease may be Active before its contract starts, and one
    that is Ended is billed up to a contract end that lies ahead. Archiving is an operation of its
    own.

    Examples:
        >>> ChangeLease(lease_id="lease-1", operational_state="Active", contract_start="2026-01-15",
        ...             clear=["contractStart"])
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: clear[0]: clears contractStart, which is set too \
(met 'contractStart'; expected one of the two)
    """

    subject: ClassVar[str] = "lease_id"

    # Ours
    lease_id: IdField
    """The lease."""
    operational_state: Literal["Draft", "Active", "Ended"] | None = None
    """The state it goes to, which needs a contract start, and Ended an end too (A48)."""
    contract_start: DateField | None = None
    """First day of the contract."""
    contract_end: DateField | None = None
    """Last day of the contract and of what is billed, included (A17)."""
    purpose: IdField | None = None
    """What it is let for."""
    primary_tenant_contact_name: NameField | None = None
    """Name of the primary tenant contact."""
    tenant_ids: Annotated[tuple[IdField, ...] | None, Listed] = None
    """Identifiers of the tenants, whole."""
    associated_contact_ids: Annotated[tuple[IdField, ...] | None, Listed] = None
    """Identifiers of associated contacts, whole."""
    primary_tenant_id: IdField | None = None
    """Identifier of the primary tenant."""
    billing_contact_id: IdField | None = None
    """Identifier of the billing contact."""
    balance: AmountField | None = None
    """What the tenant owes, from who keeps the ledger."""
    balances: Annotated[tuple[Balance, ...] | None, Listed] = None
    """All deposits and prepaid rents before their plans move them (A39): one of the lease's own has
    its id, a new one has none."""
    clear: Annotated[
        tuple[
            Literal[
                "contractStart",
                "contractEnd",
                "primaryTenantContactName",
                "tenantIds",
                "associatedContactIds",
                "primaryTenantId",
                "billingContactId",
                "balance",
                "balances",
            ],
            ...,
        ],
        Listed,
    ] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a contract that ends before it starts, and fields set and cleared at once."""
        yield from contract_problems(parts)
        yield from super().cross_field_problems(parts)


_NEW: Final = InSchema({"properties": {"id": {"type": "null"}}})
_NEW_PLAN: Final = InSchema(
    {"properties": {"id": {"type": "null"}, "nextAdjustmentDate": {"type": "null"}}}
)


class CreateRecurringBillItem(SentRecord):
    """A new recurring bill item of a lease."""

    # Interface: leaseId, recurringBillItem
    lease_id: IdField
    """The lease that it is created for."""
    recurring_bill_item: Annotated[RecurringBillItem, _NEW]
    """The item, without an id."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find an id that is not the caller's to give."""
        return _given_id("recurringBillItem", parts.get("recurring_bill_item"))


class CreateOneTimeBillItem(SentRecord):
    """A new one-time bill item of a lease (assumption A55)."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    one_time_bill_item: Annotated[OneTimeBillItem, _NEW]
    """The item, without an id."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find an id that is not the caller's to give."""
        return _given_id("oneTimeBillItem", parts.get("one_time_bill_item"))


class CreateRentAdjustmentPlan(SentRecord):
    """A new rent adjustment plan of a lease."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    rent_adjustment_plan: Annotated[RentAdjustmentPlan, _NEW_PLAN]
    """The plan, without an id and a next adjustment; its lease is the one it is created for."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find what is not the caller's to give, and a plan of another lease."""
        plan, lease_id = parts.get("rent_adjustment_plan"), parts.get("lease_id")
        yield from _given_id("rentAdjustmentPlan", plan)
        if plan is not None and plan.next_adjustment_date is not None:
            said, met = "follows from the plan's rules", shown(plan.next_adjustment_date)
            path = "rentAdjustmentPlan.nextAdjustmentDate"
            yield InvalidRecordError, Problem(path, "follows", said, met, "none")
        if plan is not None and lease_id is not None and plan.lease_id not in (None, lease_id):
            said, path = "is another lease", "rentAdjustmentPlan.leaseId"
            expected = f"none, or {shown(lease_id)}"
            problem = Problem(path, "other_lease", said, shown(plan.lease_id), expected)
            yield InvalidRecordError, problem


def _given_id(
    path: str, created: RecurringBillItem | OneTimeBillItem | RentAdjustmentPlan | None
) -> Problems:
    """Find an id of what is created, which the service gives."""
    if created is not None and created.id is not None:
        said, expected = "is given by who keeps the object", "none"
        problem = Problem(f"{path}.id", "given_id", said, shown(created.id), expected)
        yield InvalidRecordError, problem
