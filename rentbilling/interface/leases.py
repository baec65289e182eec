"""Leases: as they are listed, requested, created and changed; the request for pending bills.

Laws: words that are only read stay as they came (A49); an absent field has no value (A6).
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from rentbilling.interface.request import Change, PageRequest, SentRecord
from rentbilling.records import (
    ABSENT,
    AmountField,
    AnyCase,
    AskedPeriodField,
    CheckedRecord,
    DateTimeField,
    IdField,
    Listed,
    NameField,
    OptionalDateField,
    Problems,
    TextField,
)
from rentbilling.tables import PageRecord, TabularRecord
from rentbilling.terms import Balance, contract_problems


class Lease(TabularRecord):
    """A lease as the interface lists it; its figures hold for the day on which it was listed."""

    answered = True
    sent_lists = ("tenant_ids", "associated_contact_ids")

    # Interface: lease
    id: IdField
    """Identifier."""
    tenancy_id: IdField | None = None
    """The tenancy it belongs to."""
    operational_state: TextField | None = None
    """Draft, Active, Ended or Archived; other words of a service are kept (A48)."""
    contract_period_state: TextField | None = None
    """Upcoming, Active or Expired on the day of the listing (A48)."""
    primary_tenant_contact_name: TextField | None = None
    """Name of the primary tenant contact."""
    tenant_ids: Annotated[tuple[IdField, ...], Listed] = ()
    """Identifiers of the tenants."""
    associated_contact_ids: Annotated[tuple[IdField, ...], Listed] = ()
    """Identifiers of associated contacts."""
    primary_tenant_id: IdField | None = None
    """Identifier of the primary tenant."""
    billing_contact_id: IdField | None = None
    """Identifier of the billing contact."""
    balance: AmountField | None = None
    """What the tenant owes, as recorded in the ledger."""
    deposit_balance: AmountField | None = None
    """The deposit on the day of the listing (A39)."""
    prepaid_balance: AmountField | None = None
    """The prepaid rent on the day of the listing (A39)."""
    contract_start: OptionalDateField = ABSENT
    """First day of the contract."""
    contract_end: OptionalDateField = ABSENT
    """Last day of the contract, included (A17)."""
    purpose: TextField | None = None
    """The purpose of the lease; any word (A49)."""
    monthly_rent_level: AmountField | None = None
    """Rent of a month on the day of the listing, before discount."""
    archived_at: DateTimeField | None = None
    """When it was archived."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        return contract_problems(parts)


class LeasePage(PageRecord):
    """A page of leases."""

    # Interface: leases
    leases: Annotated[tuple[Lease, ...], Listed]
    """The leases, in order of creation."""


class LeaseRequest(SentRecord):
    """A request about one lease."""

    # Interface: leaseId
    lease_id: IdField
    """Its identifier."""


class LeasesRequest(PageRequest):
    """A request for a page of leases: of one tenancy, or of all."""

    # Ours
    tenancy_id: IdField | None = None
    """Only leases of this tenancy."""


class CreateLease(SentRecord):
    """A new draft lease of an existing tenancy, for the next tenants.

    Examples:
        >>> CreateLease(tenancy_id="tenancy-1", purpose="key:residential").purpose
        'key:residential'
    """

    # Ours
    tenancy_id: IdField
    """The tenancy, which is not archived."""
    purpose: IdField
    """The purpose of the lease; any word (A49)."""


class LeaseCreated(CheckedRecord):
    """A draft lease of a tenancy was created."""

    # Ours
    lease_id: IdField
    """The lease."""


class ChangeLease(Change):
    """A change of a lease; a field that is absent stays.

    The owner decides on the state: Draft goes to Active, Active to Ended, and back, on any day.
    Bills follow from dates alone: an Ended lease is billed up to a later contract end.

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
    operational_state: (
        Annotated[Literal["Draft", "Active", "Ended"], AnyCase("Draft", "Active", "Ended")] | None
    ) = None
    """The state it goes to, which needs a contract start, and Ended an end too (A48)."""
    contract_start: OptionalDateField = ABSENT
    """First day of the contract."""
    contract_end: OptionalDateField = ABSENT
    """Last day of the contract and of what is billed, included (A17)."""
    purpose: IdField | None = None
    """The purpose of the lease."""
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
    """What the tenant owes, from the ledger."""
    balances: Annotated[tuple[Balance, ...] | None, Listed] = None
    """All deposits and prepaid rents before plans move them (A39); a new one has no id."""
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
        yield from contract_problems(parts)
        yield from super().cross_field_problems(parts)


class PendingBillsRequest(SentRecord):
    """A request for the pending bills of a lease in a period (A44)."""

    # Interface: leaseId, period
    lease_id: IdField
    """The lease."""
    period: AskedPeriodField
    """Days with both ends: `YYYY-MM-DD/YYYY-MM-DD`, a month `YYYY-MM` or a year `YYYY` (A4)."""
