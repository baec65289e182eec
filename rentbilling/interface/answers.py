"""What an operation answers: what was created, one object, or a page of objects.

Law: an answer is what stands in the interface, and nothing beside it.
"""

from typing import Annotated

from rentbilling.interface.resources import Lease, Payout, Product, Tenancy
from rentbilling.records.fields import DateField, IdField, Listed
from rentbilling.records.record import CheckedRecord
from rentbilling.records.service_fields import Untouched
from rentbilling.tables.record_rows import PageRecord
from rentbilling.terms.lease_terms import OneTimeBillItem, RecurringBillItem
from rentbilling.terms.plans import RentAdjustmentPlan


class TenancyCreated(CheckedRecord):
    """A tenancy was created, and a draft lease of it."""

    # Interface: tenancyId, leaseId
    tenancy_id: IdField
    """The tenancy."""
    lease_id: IdField
    """Its draft lease."""


class LeaseCreated(CheckedRecord):
    """A draft lease of a tenancy was created."""

    # Ours
    lease_id: IdField
    """The lease."""


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


class RentAdjustmentPlanCreated(CheckedRecord):
    """A rent adjustment plan was created."""

    # Ours
    rent_adjustment_plan_id: IdField
    """The plan."""


class ProductRecorded(CheckedRecord):
    """A product was recorded."""

    # Ours
    product_id: IdField
    """The product."""


class PayoutRecorded(CheckedRecord):
    """A payout was recorded."""

    # Ours
    payout_id: IdField
    """The payout."""


class RentAdjustmentPlanPage(PageRecord):
    """A page of rent adjustment plans."""

    # Interface: rentAdjustmentPlans
    rent_adjustment_plans: Annotated[tuple[Annotated[RentAdjustmentPlan, Untouched], ...], Listed]
    """The plans, in order of creation (A43)."""


class TenancyPage(PageRecord):
    """A page of tenancies."""

    # Interface: tenancies
    tenancies: Annotated[tuple[Tenancy, ...], Listed]
    """The tenancies, in order of creation."""


class LeasePage(PageRecord):
    """A page of leases."""

    # Interface: leases
    leases: Annotated[tuple[Lease, ...], Listed]
    """The leases, in order of creation."""


class ProductPage(PageRecord):
    """A page of products."""

    # Interface: products
    products: Annotated[tuple[Product, ...], Listed]
    """The products, in order of creation."""


class PayoutPage(PageRecord):
    """A page of payouts."""

    # Interface: payouts
    payouts: Annotated[tuple[Payout, ...], Listed]
    """The payouts, in order of creation."""


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
