"""Tenancies: as they are listed, requested, created and changed."""

from types import MappingProxyType
from typing import Annotated, ClassVar, Final, Literal

from rentbilling.interface.leases import Lease
from rentbilling.interface.request import Change, SentRecord
from rentbilling.records import (
    ABSENT,
    NOT_BELOW_ZERO,
    CheckedRecord,
    DateTimeField,
    IdField,
    Listed,
    Matching,
    NameField,
    NumberField,
    OptionalNumberField,
    TextField,
)
from rentbilling.tables import PageRecord, TabularRecord


class TenancyAddress(CheckedRecord):
    """Where a tenancy is, as the interface lists it."""

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
    """How many rooms of one type a tenancy has."""

    # Interface: roomCounts
    type: TextField | None = None
    """The type of room; any word (A49)."""
    count: Annotated[OptionalNumberField, NOT_BELOW_ZERO] = ABSENT
    """The number of rooms, 0 or more; half a room is 0.5."""

    @property
    def in_a_word(self) -> str:
        count = "" if self.count is None else f"{self.count:f}"
        return " ".join(filter(None, (count, self.type)))


class Area(CheckedRecord):
    """An area with its unit."""

    # Interface: totalArea, businessArea
    value: Annotated[OptionalNumberField, NOT_BELOW_ZERO] = ABSENT
    """The size, 0 or more."""
    unit: TextField | None = None
    """The unit of the size; any word (A49)."""


class Tenancy(TabularRecord):
    """A unit that is let, as the interface lists it."""

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
    """The type of unit; any word (A49)."""
    unit_type_name: TextField | None = None
    """The type in words, where it is OTHER."""
    room_counts: Annotated[tuple[RoomCount, ...], Listed] = ()
    """Rooms by type."""
    total_area: Area | None = None
    """All of its area."""
    business_area: Area | None = None
    """The part used for business."""
    archived_at: DateTimeField | None = None
    """When it was archived."""


class TenancyPage(PageRecord):
    """A page of tenancies."""

    # Interface: tenancies
    tenancies: Annotated[tuple[Tenancy, ...], Listed]
    """The tenancies, in order of creation."""


class TenancyRequest(SentRecord):
    """A request about one tenancy."""

    # Ours
    tenancy_id: IdField
    """Its identifier."""


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
    """The purpose of the lease; any word (A49)."""
    address: NewTenancyAddress
    """Where it is."""


class TenancyCreated(CheckedRecord):
    """A tenancy was created, and a draft lease of it."""

    # Interface: tenancyId, leaseId
    tenancy_id: IdField
    """The tenancy."""
    lease_id: IdField
    """Its draft lease."""


class NewRoomCount(CheckedRecord):
    """How many rooms of one type a tenancy has from now on; both fields are required."""

    # Ours
    type: IdField
    """The type of room; any word (A49)."""
    count: Annotated[NumberField, NOT_BELOW_ZERO]
    """The number of rooms, 0 or more; half a room is 0.5."""


class NewArea(CheckedRecord):
    """An area from now on; its unit is required."""

    # Ours
    value: Annotated[NumberField, NOT_BELOW_ZERO]
    """The size, 0 or more."""
    unit: IdField
    """The unit of the size; any word (A49)."""


class ChangeTenancy(Change):
    """A change of a tenancy; a field that is absent stays.

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
    """The type of unit."""
    unit_type_name: NameField | None = None
    """The type in words, where it is OTHER."""
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
