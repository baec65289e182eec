"""What is sent to change what belongs to a lease: its recurring bill items, and its plans.

Law: what was agreed from the beginning is not sent again: the opening period and the first values
stay (A18).
What does not live here: other requests (`resource_requests`), what a change leads to
(`item_operations`, `plan_operations`).
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from rentbilling.judging import Faults
from rentbilling.reading import DateField, IdField, Listed, TextField
from rentbilling.records import (
    AmountRecord,
    DescriptionRecord,
    Discount,
    QuantityRecord,
    VatRecord,
)
from rentbilling.request_parts import Change
from rentbilling.terms import record_faults


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
    description: TextField | None = None
    """Text on the bill, where no later one holds."""
    discount: Discount | None = None
    """What is taken off the amount, whole (A22)."""
    amount_records: Annotated[tuple[AmountRecord, ...] | None, Listed] = None
    """Later amounts, added to those there; one of a day that has one takes its place (A18)."""
    vat_records: Annotated[tuple[VatRecord, ...] | None, Listed] = None
    """Later VATs, likewise."""
    description_records: Annotated[tuple[DescriptionRecord, ...] | None, Listed] = None
    """Later texts, likewise."""
    quantity_records: Annotated[tuple[QuantityRecord, ...] | None, Listed] = None
    """Later quantities, likewise."""
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
    def misfits(cls, parts: Mapping[str, Any]) -> Faults:
        """Find two records of one day, and fields set and cleared at once."""
        yield from record_faults(parts)
        yield from super().misfits(parts)


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


CHANGE_KINDS: Final = (ChangeRecurringBillItem, ChangeRentAdjustmentPlan)
"""The records of this room."""
