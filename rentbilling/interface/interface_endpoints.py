"""The operations of the interface, and what is said of any operation.

Law: what stands in the interface is here as it stands there, in its order.
"""

from typing import Final, Literal, NamedTuple

from rentbilling.billing.bill import BillingResult
from rentbilling.interface.answers import (
    LeasePage,
    PayoutPage,
    ProductPage,
    RecurringBillItemCreated,
    RentAdjustmentPlanPage,
    TenancyCreated,
    TenancyPage,
)
from rentbilling.interface.resource_requests import (
    CreateRecurringBillItem,
    CreateTenancy,
    LeasePartsRequest,
    LeaseRequest,
    LeasesRequest,
    PageRequest,
    PendingBillsRequest,
)
from rentbilling.interface.resources import Lease
from rentbilling.records.record import Record


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
    also: tuple[str, ...] = ()
    """What else a key needs the same right for, because the operation reads or changes it too."""

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
        """What a key must be allowed to do."""
        return "read" if self.method == "GET" else "write"

    @property
    def rights(self) -> tuple[str, ...]:
        """All rights that a key needs, such as `leases:read`."""
        return tuple(f"{each}:{self.right}" for each in (self.resource, *self.also))

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


INTERFACE: Final = (
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
"""The nine of the interface."""
