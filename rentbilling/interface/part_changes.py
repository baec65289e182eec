"""What is sent to change what belongs to a lease: its bill items, and its plans.

Law: what was agreed of a recurring item from the beginning is not sent again: the opening period
and the first values stay (A18).
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from rentbilling.interface.request_parts import Change
from rentbilling.records.fields import (
    AmountField,
    DateField,
    IdField,
    Listed,
    LongTextField,
    PeriodField,
    QuantityField,
    VatField,
)
from rentbilling.records.record import Problems
from rentbilling.terms.item_parts import (
    AmountRecord,
    DescriptionRecord,
    Discount,
    QuantityRecord,
    VatRecord,
)
from rentbilling.terms.lease_terms import record_problems


class ChangeRecurringBillItem(Change):
    """What changes of a recurring bill item; what is absent stays.

    What was agreed from the beginning stays as it is, the opening period and the first values: a
    later amount, VAT, text or quantity holds from the day of its record (A18). A record of a past
    day changes what is due since then, which `already_billed=` corrects (A53).

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
    """What is taken off the amount, whole (A22)."""
    amount_records: Annotated[tuple[AmountRecord, ...] | None, Listed] = None
    """Later amounts, added to those there; one of a day that has one takes its place (A18)."""
    vat_records: Annotated[tuple[VatRecord, ...] | None, Listed] = None
    """Later VATs, added in the same way."""
    description_records: Annotated[tuple[DescriptionRecord, ...] | None, Listed] = None
    """Later texts, added in the same way."""
    quantity_records: Annotated[tuple[QuantityRecord, ...] | None, Listed] = None
    """Later quantities, added in the same way."""
    cancelled_on: DateField | None = None
    """Nothing falls due on or after it (A17)."""
    ended_on: DateField | None = None
    """The last day paid for, included (A17)."""
    clear: Annotated[
        tuple[
            Literal[
                "description",
                "discount",
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
        """Find two records of one day, and fields set and cleared at once."""
        yield from record_problems(parts)
        yield from super().cross_field_problems(parts)


class ChangeOneTimeBillItem(Change):
    """What changes of a one-time bill item; what is absent stays.

    It is billed from now on as it stands after the change, on its due date (A55). Where it was
    billed before, that is corrected by `already_billed=` (A53).

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
    quantity: QuantityField | None = None
    """Another number of units; 0 is refused (A21)."""
    vat: VatField | None = None
    """Another tax mode and rate, whole."""
    due_date: DateField | None = None
    """Another day on which it falls due."""
    accounting_period: PeriodField | None = None
    """The days that it belongs to."""
    clear: Annotated[tuple[Literal["description", "quantity"], ...], Listed] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a quantity of nothing, and fields set and cleared at once."""
        yield from cls.bound_problems(parts)
        yield from super().cross_field_problems(parts)


class ChangeRentAdjustmentPlan(Change):
    """What changes of a rent adjustment plan; what is absent stays.

    Examples:
        >>> from datetime import date
        >>> ChangeRentAdjustmentPlan(
        ...     rent_adjustment_plan_id="plan-1", ended_on=date(2030, 12, 31)
        ... ).changes()
        {'ended_on': datetime.date(2030, 12, 31)}
    """

    subject: ClassVar[str] = "rent_adjustment_plan_id"

    # Ours
    rent_adjustment_plan_id: IdField
    """The plan."""
    cancelled_on: DateField | None = None
    """No adjustment on or after it (A32)."""
    ended_on: DateField | None = None
    """No adjustment after it (A32)."""
    clear: Annotated[tuple[Literal["cancelledOn", "endedOn"], ...], Listed] = ()
    """Fields that have no value from now on."""
