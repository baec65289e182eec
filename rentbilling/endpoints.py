"""The interface as a table: each operation with its method, path, parameters, body and answer.

Law: server, client, document and conformance table all read this one table.
What does not live here: what an operation does (`operations`), how a transport carries it
(`adapters.http`, `adapters.client`).
"""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from rentbilling.judging import Record
from rentbilling.part_changes import ChangeRecurringBillItem, ChangeRentAdjustmentPlan
from rentbilling.plans import RentAdjustmentPlan
from rentbilling.resource_answers import (
    LeasePage,
    LeaseRecurringBillItem,
    OneTimeBillItemCreated,
    OneTimeBillItemPage,
    PayoutPage,
    PayoutRecorded,
    ProductPage,
    ProductRecorded,
    RecurringBillItemCreated,
    RecurringBillItemPage,
    RentAdjustmentPlanCreated,
    RentAdjustmentPlanPage,
    TenancyCreated,
    TenancyPage,
)
from rentbilling.resource_requests import (
    ChangeLease,
    ChangeTenancy,
    CreateOneTimeBillItem,
    CreateRecurringBillItem,
    CreateRentAdjustmentPlan,
    CreateTenancy,
    LeasePartsRequest,
    LeaseRequest,
    LeasesRequest,
    PageRequest,
    PendingBillsRequest,
    RecordPayout,
    RecordProduct,
    TenancyRequest,
)
from rentbilling.resources import Lease, Tenancy
from rentbilling.results import BillingResult
from rentbilling.terms import LeaseTerms


class Endpoint(NamedTuple):
    """One operation as it stands on the wire."""

    operation: str
    """Name of the function in `operations`."""
    method: Literal["GET", "POST", "PATCH"]
    path: str
    """Below the base address; a parameter stands in braces."""
    purpose: str
    """What it is for, as a sentence without its full stop."""
    request: type[Record]
    """Parameters and body together."""
    answer: type[Record] | type[BillingResult]
    resource: str
    """What a key's right is about."""
    ours: bool = False
    """Whether it is beyond the interface."""

    @property
    def in_path(self) -> tuple[str, ...]:
        """Names of the parameters in the path."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def has_body(self) -> bool:
        """Whether what is not in the path travels in the body; otherwise in the query."""
        return self.method == "PATCH" or (self.method == "POST" and not self.in_path)

    @property
    def right(self) -> Literal["read", "write"]:
        """The right that a key needs."""
        return "read" if self.method == "GET" else "write"

    @property
    def status(self) -> Literal[200, 201]:
        """The status of success (A47)."""
        return 201 if self.method == "POST" and not self.in_path else 200

    @property
    def page_of(self) -> str | None:
        """The field of the answer that holds a page of objects, where it is one."""
        if not issubclass(self.request, PageRequest):
            return None
        (name,) = self.answer.model_fields  # type: ignore[union-attr]
        return name


_INTERFACE: Final = (
    Endpoint(
        "create_recurring_bill_item",
        "POST",
        "/recurring-bill-items",
        "Create a recurring bill item",
        CreateRecurringBillItem,
        RecurringBillItemCreated,
        "recurring-bill-items",
    ),
    Endpoint(
        "create_tenancy",
        "POST",
        "/tenancies",
        "Create a tenancy and its draft lease",
        CreateTenancy,
        TenancyCreated,
        "tenancies",
    ),
    Endpoint(
        "list_rent_adjustment_plans",
        "GET",
        "/rent-adjustment-plans",
        "List rent adjustment plans",
        LeasePartsRequest,
        RentAdjustmentPlanPage,
        "rent-adjustment-plans",
    ),
    Endpoint(
        "list_tenancies",
        "GET",
        "/tenancies",
        "List tenancies",
        PageRequest,
        TenancyPage,
        "tenancies",
    ),
    Endpoint(
        "list_leases",
        "GET",
        "/leases",
        "List leases",
        LeasesRequest,
        LeasePage,
        "leases",
    ),
    Endpoint(
        "retrieve_lease",
        "GET",
        "/leases/{leaseId}",
        "Retrieve one lease",
        LeaseRequest,
        Lease,
        "leases",
    ),
    Endpoint(
        "list_products",
        "GET",
        "/products",
        "List products",
        PageRequest,
        ProductPage,
        "products",
    ),
    Endpoint(
        "list_payouts",
        "GET",
        "/payouts",
        "List payouts",
        PageRequest,
        PayoutPage,
        "payouts",
    ),
    Endpoint(
        "list_pending_bills",
        "GET",
        "/pending-bills",
        "List the pending bills of a lease for a period",
        PendingBillsRequest,
        BillingResult,
        "pending-bills",
    ),
)

_OURS: Final = (
    Endpoint(
        "list_recurring_bill_items",
        "GET",
        "/recurring-bill-items",
        "List recurring bill items, of one lease or of all",
        LeasePartsRequest,
        RecurringBillItemPage,
        "recurring-bill-items",
        ours=True,
    ),
    Endpoint(
        "list_one_time_bill_items",
        "GET",
        "/one-time-bill-items",
        "List one-time bill items, of one lease or of all",
        LeasePartsRequest,
        OneTimeBillItemPage,
        "one-time-bill-items",
        ours=True,
    ),
    Endpoint(
        "change_recurring_bill_item",
        "PATCH",
        "/recurring-bill-items/{recurringBillItemId}",
        "Change a recurring bill item: its end, discount, text, or what holds from a later day",
        ChangeRecurringBillItem,
        LeaseRecurringBillItem,
        "recurring-bill-items",
        ours=True,
    ),
    Endpoint(
        "create_one_time_bill_item",
        "POST",
        "/one-time-bill-items",
        "Create a one-time bill item",
        CreateOneTimeBillItem,
        OneTimeBillItemCreated,
        "one-time-bill-items",
        ours=True,
    ),
    Endpoint(
        "create_rent_adjustment_plan",
        "POST",
        "/rent-adjustment-plans",
        "Create a rent adjustment plan",
        CreateRentAdjustmentPlan,
        RentAdjustmentPlanCreated,
        "rent-adjustment-plans",
        ours=True,
    ),
    Endpoint(
        "change_rent_adjustment_plan",
        "PATCH",
        "/rent-adjustment-plans/{rentAdjustmentPlanId}",
        "Change when a rent adjustment plan ends",
        ChangeRentAdjustmentPlan,
        RentAdjustmentPlan,
        "rent-adjustment-plans",
        ours=True,
    ),
    Endpoint(
        "retrieve_tenancy",
        "GET",
        "/tenancies/{tenancyId}",
        "Retrieve one tenancy",
        TenancyRequest,
        Tenancy,
        "tenancies",
        ours=True,
    ),
    Endpoint(
        "change_tenancy",
        "PATCH",
        "/tenancies/{tenancyId}",
        "Change what is known of a tenancy",
        ChangeTenancy,
        Tenancy,
        "tenancies",
        ours=True,
    ),
    Endpoint(
        "archive_tenancy",
        "POST",
        "/tenancies/{tenancyId}/archive",
        "Archive a tenancy and its leases",
        TenancyRequest,
        Tenancy,
        "tenancies",
        ours=True,
    ),
    Endpoint(
        "change_lease",
        "PATCH",
        "/leases/{leaseId}",
        "Change a lease: its state, contract, contacts or balances",
        ChangeLease,
        Lease,
        "leases",
        ours=True,
    ),
    Endpoint(
        "archive_lease",
        "POST",
        "/leases/{leaseId}/archive",
        "Archive a lease",
        LeaseRequest,
        Lease,
        "leases",
        ours=True,
    ),
    Endpoint(
        "retrieve_lease_terms",
        "GET",
        "/leases/{leaseId}/terms",
        "Retrieve all that a lease is billed by",
        LeaseRequest,
        LeaseTerms,
        "leases",
        ours=True,
    ),
    Endpoint(
        "record_product",
        "POST",
        "/products",
        "Record a product",
        RecordProduct,
        ProductRecorded,
        "products",
        ours=True,
    ),
    Endpoint(
        "record_payout",
        "POST",
        "/payouts",
        "Record a payout",
        RecordPayout,
        PayoutRecorded,
        "payouts",
        ours=True,
    ),
)

ENDPOINTS: Final = MappingProxyType({each.operation: each for each in (*_INTERFACE, *_OURS)})
"""All operations by name: those of the interface, then ours."""

RESOURCES: Final = tuple(sorted({each.resource for each in ENDPOINTS.values()}))
"""What rights of a key are about."""
