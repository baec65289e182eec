"""What is sent to an operation: one record for each, with parameters and body together.

Law: everything that a caller creates is checked to the last field, and what we do not know is
refused by its path (A50).
What does not live here: which fields travel in the path, the query and the body (`endpoints`), what
an operation does (`operations`), what it answers (`resource_answers`), parts of what is created or
changed (`request_parts`), changes of items and plans (`part_changes`).
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from rentbilling.errors import InvalidAmountError, InvalidRecordError, Problem, shown
from rentbilling.judging import Faults, JudgedRecord
from rentbilling.plans import Balance, RentAdjustmentPlan
from rentbilling.reading import (
    AmountField,
    DateField,
    FlagField,
    IdField,
    Listed,
    PeriodField,
    TextField,
    WholeField,
)
from rentbilling.records import mismatch
from rentbilling.request_parts import Change, NewArea, NewRoomCount
from rentbilling.resources import ProductName, contract_faults
from rentbilling.terms import OneTimeBillItem, RecurringBillItem

MOST_OBJECTS: Final = 100
"""Objects on a page, at most (A43)."""
USUAL_OBJECTS: Final = 10
"""Objects on a page where nobody says how many (A43)."""
MOST_CHARACTERS: Final = 250
"""Characters of a product's key, at most: of any script, an index of a database takes so many."""


class PageRequest(JudgedRecord):
    """Which page of a list is asked for (assumption A43).

    Examples:
        >>> PageRequest(limit=101)
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: limit: is out of range (met 101; \
expected a whole number from 1 to 100)
    """

    # Ours
    limit: WholeField = USUAL_OBJECTS
    """Objects on the page, 1 to 100."""
    starting_after: IdField | None = None
    """Id of the last object of the page before; absent for the first page."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find a page of nothing, or of too much."""
        limit = parts.get("limit", USUAL_OBJECTS)
        if not 1 <= limit <= MOST_OBJECTS:
            expected = f"a whole number from 1 to {MOST_OBJECTS}"
            problem = Problem("limit", "out_of_range", "is out of range", shown(limit), expected)
            yield InvalidRecordError, problem


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


class LeaseRequest(JudgedRecord):
    """Which lease is asked for."""

    # Interface: leaseId
    lease_id: IdField
    """Its identifier."""


class TenancyRequest(JudgedRecord):
    """Which tenancy is asked for."""

    # Ours
    tenancy_id: IdField
    """Its identifier."""


class PendingBillsRequest(JudgedRecord):
    """Of which lease, and for which period, pending bills are asked for (assumption A44)."""

    # Interface: leaseId, period
    lease_id: IdField
    """The lease."""
    period: PeriodField
    """The period, both ends included: `YYYY-MM-DD/YYYY-MM-DD` (A4)."""


class NewTenancyAddress(JudgedRecord):
    """Where a new tenancy is."""

    # Interface: address
    street_name: IdField
    """Street name."""
    street_number: IdField
    """Number on the street."""
    postal_code: IdField
    """Postal code."""
    city: IdField
    """City."""
    country: IdField
    """Country code: two or three capital letters, as in ISO 3166."""
    floor: TextField | None = None
    """Floor."""
    door: TextField | None = None
    """Door."""
    subdivision: TextField | None = None
    """Part of a country or town."""
    co: TextField | None = None
    """Care-of line."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find a country that is no code."""
        country = parts.get("country")
        if country is not None and not (
            len(country) in _CODE_LENGTHS
            and country.isascii()
            and country.isalpha()
            and country.isupper()
        ):
            said, expected = "is no country code", "two or three capital letters, such as DK"
            problem = Problem("country", "not_a_country_code", said, shown(country), expected)
            yield InvalidRecordError, problem


_CODE_LENGTHS: Final = (2, 3)


class CreateTenancy(JudgedRecord):
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
    unit_type_name: IdField | None = None
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

    Draft becomes Active when the contract begins, Active becomes Ended; Ended may become Active
    again. Archiving is an operation of its own.

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
    """The state it goes to (A48)."""
    contract_start: DateField | None = None
    """First day of the contract."""
    contract_end: DateField | None = None
    """Last day of the contract, included."""
    purpose: IdField | None = None
    """What it is let for."""
    primary_tenant_contact_name: IdField | None = None
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
    """Deposits and prepaid rents before their plans move them, whole (A39)."""
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
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find a contract that ends before it starts, and fields set and cleared at once."""
        yield from contract_faults(parts)
        yield from super().misfits(parts)


class CreateRecurringBillItem(JudgedRecord):
    """A new recurring bill item of a lease."""

    # Interface: leaseId, recurringBillItem
    lease_id: IdField
    """The lease that it is created for."""
    recurring_bill_item: RecurringBillItem
    """The item, without an id."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find an id that is not the caller's to give."""
        return _given_id("recurringBillItem", parts.get("recurring_bill_item"))


class CreateOneTimeBillItem(JudgedRecord):
    """A new one-time bill item of a lease (assumption A55)."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    one_time_bill_item: OneTimeBillItem
    """The item, without an id."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find an id that is not the caller's to give."""
        return _given_id("oneTimeBillItem", parts.get("one_time_bill_item"))


class CreateRentAdjustmentPlan(JudgedRecord):
    """A new rent adjustment plan of a lease."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    rent_adjustment_plan: RentAdjustmentPlan
    """The plan, without an id and a next adjustment; its lease is the one it is created for."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
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
) -> Faults:
    """Find an id of what is created, which the service gives."""
    if created is not None and created.id is not None:
        said, expected = "is given by who keeps the object", "none"
        problem = Problem(f"{path}.id", "given_id", said, shown(created.id), expected)
        yield InvalidRecordError, problem


class RecordProduct(JudgedRecord):
    """A product that is offered from now on."""

    # Ours
    product_key: IdField
    """Key, by which items name it; one of its own among the owner's products."""
    product_name: ProductName
    """Names by language, at least one."""
    archived: FlagField | None = None
    """Whether it is no longer offered; absent: no."""
    custom: FlagField | None = None
    """Whether the owner made it; absent: yes."""
    position: WholeField | None = None
    """Place in a list; absent: it has none."""
    is_default_product: FlagField | None = None
    """Whether it is a default product; absent: no."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find a key too long to be looked up by, and a product without a name."""
        key = parts.get("product_key")
        if key is not None and len(key) > MOST_CHARACTERS:
            said, expected = f"has {len(key)} characters", f"at most {MOST_CHARACTERS}"
            problem = Problem("productKey", "too_long", said, shown(key), expected)
            yield InvalidRecordError, problem
        name = parts.get("product_name")
        if name is not None and not any(text for _, text in name):
            said, expected = "has no name", "a name in en, da, nl or de"
            problem = Problem("productName", "says_nothing", said, "no text", expected)
            yield InvalidRecordError, problem


class RecordPayout(JudgedRecord):
    """A payout that was made."""

    # Ours
    payout_reason: Literal["Payment", "Refund"]
    """Why."""
    payout_date: DateField
    """Day on which it was made."""
    net: AmountField
    """What was paid out: gross less fees."""
    fees: AmountField
    """What was kept of it."""
    gross: AmountField
    """What came in."""
    bank_statement: TextField | None = None
    """Reference on the bank statement."""

    @classmethod
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find several currencies, and a net amount that is not gross less fees."""
        gross, fees, net = parts.get("gross"), parts.get("fees"), parts.get("net")
        if gross is None:
            return
        others = [(name, each) for name, each in (("fees", fees), ("net", net)) if each is not None]
        strangers = [(name, each) for name, each in others if each.currency != gross.currency]
        for name, each in strangers:
            yield mismatch(f"{name}.currency", each.currency, gross.currency)
        if not strangers and fees is not None and net is not None:
            due = gross.amount - fees.amount
            if due != net.amount:
                expected = f"{due:f}"
                problem = Problem(
                    "net.amount", "wrong_sum", "is not gross less fees", shown(net.amount), expected
                )
                yield InvalidAmountError, problem


REQUEST_KINDS: Final = (
    NewTenancyAddress,
    PageRequest,
    LeasePartsRequest,
    LeasesRequest,
    LeaseRequest,
    TenancyRequest,
    PendingBillsRequest,
    CreateTenancy,
    ChangeTenancy,
    ChangeLease,
    CreateRecurringBillItem,
    CreateOneTimeBillItem,
    CreateRentAdjustmentPlan,
    RecordProduct,
    RecordPayout,
)
"""The records of this room."""
