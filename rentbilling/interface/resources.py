"""The interface's other resources: tenancies, leases, products and payouts, as they are listed.

Laws: a resource is the same record whether a service listed it or it is kept here; words that we
only read are kept as they came (A49); fields that a service may leave out have no value (A6).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from rentbilling.errors import InvalidPeriodError, Problem
from rentbilling.records.bounds import NOT_BELOW_ZERO
from rentbilling.records.fields import (
    AmountField,
    DateField,
    DateTimeField,
    FlagField,
    IdField,
    Listed,
    NumberField,
    TextField,
    WholeField,
)
from rentbilling.records.record import CheckedRecord, Problems
from rentbilling.tables.record_rows import TabularRecord


class Lease(TabularRecord):
    """A lease as the interface lists it; its figures hold for the day on which it was listed.

    Examples:
        >>> Lease(id="lease-1", operational_state="Draft").operational_state
        'Draft'
    """

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
    """What the tenant owes, as who keeps the ledger recorded it."""
    deposit_balance: AmountField | None = None
    """The deposit on the day of the listing (A39)."""
    prepaid_balance: AmountField | None = None
    """The prepaid rent on the day of the listing (A39)."""
    contract_start: DateField | None = None
    """First day of the contract."""
    contract_end: DateField | None = None
    """Last day of the contract, included (A17)."""
    purpose: TextField | None = None
    """What it is let for; any word (A49)."""
    monthly_rent_level: AmountField | None = None
    """Rent of a month on the day of the listing, before discount."""
    archived_at: DateTimeField | None = None
    """When it was archived."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a contract that ends before it starts."""
        return contract_problems(parts)


def contract_problems(parts: Mapping[str, Any]) -> Problems:
    """Find a contract that ends before it starts."""
    start, end = parts.get("contract_start"), parts.get("contract_end")
    if start is not None and end is not None and end < start:
        said, expected = "lies before contractStart", f"{start} or later"
        problem = Problem("contractEnd", "reversed_period", said, str(end), expected)
        yield InvalidPeriodError, problem


class TenancyAddress(CheckedRecord):
    """Where a tenancy is, as the interface lists it.

    Examples:
        >>> TenancyAddress(street_name="Nygade", street_number="7").street
    """

    # Interface: address
    street: TextField | None = None
    """Street name and number in one text."""
    street_name: TextField | None = None
    """Street name."""
    street_number: TextField | None = None
    """Number on the street."""
    floor: TextField | None = None
    """Floor, if applicable."""
    door: TextField | None = None
    """Door, if applicable."""
    subdivision: TextField | None = None
    """Part of a country or town, if applicable."""
    postal_code: TextField | None = None
    """Postal code."""
    city: TextField | None = None
    """City."""
    country: TextField | None = None
    """Country code."""
    # Ours
    co: TextField | None = None
    """Care-of line; the interface takes it when a tenancy is created, and lists it nowhere."""


class RoomCount(CheckedRecord):
    """How many rooms of one type a tenancy has.

    Examples:
        >>> RoomCount(type="BEDROOM", count=2).count
        Decimal('2')
    """

    # Interface: roomCounts
    type: TextField | None = None
    """What rooms; any word (A49)."""
    count: Annotated[NumberField, NOT_BELOW_ZERO] | None = None
    """How many, 0 or more; half a room is 0.5."""

    @property
    def in_a_word(self) -> str:
        """How many of what, as it stands in a row.

        Examples:
            >>> RoomCount(type="BEDROOM", count=2).in_a_word, RoomCount(type="KITCHEN").in_a_word
            ('2 BEDROOM', 'KITCHEN')
        """
        count = "" if self.count is None else f"{self.count:f}"
        return " ".join(filter(None, (count, self.type)))


class Area(CheckedRecord):
    """An area with its unit.

    Examples:
        >>> Area(value=85, unit="SQUARE_METER").value
        Decimal('85')
    """

    # Interface: totalArea, businessArea
    value: Annotated[NumberField, NOT_BELOW_ZERO] | None = None
    """How much, 0 or more."""
    unit: TextField | None = None
    """Of what; any word (A49)."""


class Tenancy(TabularRecord):
    """A unit that is let, as the interface lists it.

    Examples:
        >>> Tenancy(id="tenancy-1", unit_type="PARKING").lease_ids
        ()
    """

    listed_as = MappingProxyType({"room_counts": lambda rooms: rooms.in_a_word})

    answered = True
    sent_lists = ("lease_ids", "room_counts")

    # Interface: tenancy
    id: IdField
    """Identifier."""
    address: TenancyAddress | None = None
    """Where it is."""
    group_id: dict[str, TextField] | None = None
    """Categories and the group of each (A49)."""
    current_lease: Lease | None = None
    """The lease that counts on the day of the listing."""
    lease_ids: Annotated[tuple[IdField, ...], Listed] = ()
    """Identifiers of all its leases."""
    unit_type: TextField | None = None
    """What it is; any word (A49)."""
    unit_type_name: TextField | None = None
    """What it is in a text of its own, where the type is OTHER."""
    room_counts: Annotated[tuple[RoomCount, ...], Listed] = ()
    """Rooms by type."""
    total_area: Area | None = None
    """All of its area."""
    business_area: Area | None = None
    """The part used for business."""
    archived_at: DateTimeField | None = None
    """When it was archived."""


class ProductName(CheckedRecord):
    """A product's name in the languages of the interface.

    Examples:
        >>> ProductName(en="Rent", da="Husleje").da
        'Husleje'
    """

    # Interface: productName
    en: TextField | None = None
    """English."""
    da: TextField | None = None
    """Danish."""
    nl: TextField | None = None
    """Dutch."""
    de: TextField | None = None
    """German."""


class Product(TabularRecord):
    """What can be billed: its key and its names.

    Examples:
        >>> Product(product_key="key:rent", product_name=ProductName(en="Rent")).custom
    """

    # Interface: product
    product_key: IdField
    """Key, by which items name it."""
    product_id: IdField | None = None
    """Identifier, if applicable."""
    product_name: ProductName | None = None
    """Names by language."""
    archived: FlagField | None = None
    """Whether it is no longer offered."""
    custom: FlagField | None = None
    """Whether the owner made it."""
    position: WholeField | None = None
    """Place in a list."""
    is_default_product: FlagField | None = None
    """Whether it is a default product."""


class Payout(TabularRecord):
    """Money that was paid out.

    Examples:
        >>> from rentbilling import Amount
        >>> Payout(id="payout-1", net=Amount(980, "DKK")).net
        Amount(Decimal('980'), 'DKK')
    """

    # Interface: payout
    id: IdField
    """Identifier."""
    payout_reason: TextField | None = None
    """Payment or Refund; other words of a service are kept."""
    payout_date: DateField | None = None
    """Day on which it was made."""
    net: AmountField | None = None
    """What was paid out."""
    fees: AmountField | None = None
    """What was kept of it."""
    gross: AmountField | None = None
    """What came in."""
    bank_statement: TextField | None = None
    """Reference on the bank statement."""
