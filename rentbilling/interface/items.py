"""Recurring and one-time bill items: as they are listed, requested, created and changed."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from rentbilling.interface.request import NEW, Change, SentRecord, given_id
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    DateField,
    IdField,
    Listed,
    LongTextField,
    OptionalDateField,
    OptionalPeriodField,
    OptionalQuantityField,
    Problems,
    VatField,
)
from rentbilling.tables import PageRecord
from rentbilling.terms import (
    AmountRecord,
    DescriptionRecord,
    Discount,
    OneTimeBillItem,
    QuantityRecord,
    RecurringBillItem,
    VatRecord,
    both_discounts,
    record_problems,
)


class LeaseRecurringBillItem(RecurringBillItem):
    """A recurring bill item with the lease that it belongs to."""

    # Ours
    lease_id: IdField | None = None
    """The lease."""


class LeaseOneTimeBillItem(OneTimeBillItem):
    """A one-time bill item with the lease that it belongs to."""

    # Ours
    lease_id: IdField | None = None
    """The lease."""


class RecurringBillItemPage(PageRecord):
    """A page of recurring bill items."""

    # Ours
    recurring_bill_items: Annotated[tuple[LeaseRecurringBillItem, ...], Listed]
    """The items, in order of creation."""


class OneTimeBillItemPage(PageRecord):
    """A page of one-time bill items."""

    # Ours
    one_time_bill_items: Annotated[tuple[LeaseOneTimeBillItem, ...], Listed]
    """The items, in order of creation."""


class RecurringBillItemRequest(SentRecord):
    """A request about one recurring bill item."""

    # Ours
    recurring_bill_item_id: IdField
    """Its identifier."""


class OneTimeBillItemRequest(SentRecord):
    """A request about one one-time bill item."""

    # Ours
    one_time_bill_item_id: IdField
    """Its identifier."""


class CreateRecurringBillItem(SentRecord):
    """A new recurring bill item of a lease."""

    # Interface: leaseId, recurringBillItem
    lease_id: IdField
    """The lease that it is created for."""
    recurring_bill_item: Annotated[RecurringBillItem, NEW]
    """The item, without an id."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        return given_id("recurringBillItem", parts.get("recurring_bill_item"))


class CreateOneTimeBillItem(SentRecord):
    """A new one-time bill item of a lease (assumption A55)."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    one_time_bill_item: Annotated[OneTimeBillItem, NEW]
    """The item, without an id."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        return given_id("oneTimeBillItem", parts.get("one_time_bill_item"))


class RecurringBillItemCreated(CheckedRecord):
    """A recurring bill item was created."""

    # Interface: recurringBillItemId, firstDueDate
    recurring_bill_item_id: IdField
    """The item."""
    first_due_date: DateField
    """Its first due date: that of the opening period (A12)."""


class OneTimeBillItemCreated(CheckedRecord):
    """A one-time bill item was created."""

    # Ours
    one_time_bill_item_id: IdField
    """The item."""


class ChangeRecurringBillItem(Change):
    """A change of a recurring bill item; a field that is absent stays.

    What was agreed from the beginning stays; a later value holds from the day of its record (A18),
    and `already_billed=` corrects what is due since then (A53).

    Examples:
        >>> raised = ChangeRecurringBillItem(recurring_bill_item_id="item-1", amount_records=[
        ...     {"value": {"currency": "DKK", "amount": 9000}, "start": "2026-07-01"}])
        >>> raised.amount_records[0].value
        Amount(Decimal('9000'), 'DKK')
    """

    subject: ClassVar[str] = "recurring_bill_item_id"

    # Ours
    recurring_bill_item_id: IdField
    """The item."""
    description: LongTextField | None = None
    """Text on the bill, where no later one holds."""
    discount: Discount | None = None
    """The discount on the amount, replaced as a whole (A22)."""
    discounts: Annotated[tuple[Discount, ...] | None, Listed] = None
    """Several discounts in order, instead of the one and of all those there (A61)."""
    amount_records: Annotated[tuple[AmountRecord, ...] | None, Listed] = None
    """Later amounts, added to those there; one of a day that has one takes its place (A18)."""
    vat_records: Annotated[tuple[VatRecord, ...] | None, Listed] = None
    """Later VATs, added in the same way."""
    description_records: Annotated[tuple[DescriptionRecord, ...] | None, Listed] = None
    """Later texts, added in the same way."""
    quantity_records: Annotated[tuple[QuantityRecord, ...] | None, Listed] = None
    """Later quantities, added in the same way."""
    cancelled_on: OptionalDateField = ABSENT
    """Nothing falls due on or after it (A17)."""
    ended_on: OptionalDateField = ABSENT
    """The last day paid for, included (A17)."""
    clear: Annotated[
        tuple[
            Literal[
                "description",
                "discount",
                "discounts",
                "amountRecords",
                "vatRecords",
                "descriptionRecords",
                "quantityRecords",
                "cancelledOn",
                "endedOn",
            ],
            ...,
        ],
        Listed,
    ] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        yield from both_discounts(parts.get("discount"), parts.get("discounts") or ())
        yield from record_problems(parts)
        yield from super().cross_field_problems(parts)


class ChangeOneTimeBillItem(Change):
    """A change of a one-time bill item; a field that is absent stays.

    It is billed as changed on its due date (A55); `already_billed=` corrects an earlier bill (A53).

    Examples:
        >>> cheaper = ChangeOneTimeBillItem(one_time_bill_item_id="item-1", clear=["quantity"],
        ...     amount={"currency": "DKK", "amount": 125})
        >>> cheaper.changes()
        {'amount': Amount(Decimal('125'), 'DKK'), 'quantity': None}
    """

    subject: ClassVar[str] = "one_time_bill_item_id"

    # Ours
    one_time_bill_item_id: IdField
    """The item."""
    product_key: IdField | None = None
    """Key of another product."""
    description: LongTextField | None = None
    """Another text on the bill."""
    amount: AmountField | None = None
    """Another price of one unit, in the item's tax mode."""
    quantity: OptionalQuantityField = ABSENT
    """Another number of units; 0 is refused (A21)."""
    vat: VatField | None = None
    """Another tax mode and rate, whole."""
    due_date: OptionalDateField = ABSENT
    """Another day on which it falls due."""
    accounting_period: OptionalPeriodField = ABSENT
    """The days that it belongs to."""
    clear: Annotated[tuple[Literal["description", "quantity"], ...], Listed] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        yield from cls.bound_problems(parts)
        yield from super().cross_field_problems(parts)
