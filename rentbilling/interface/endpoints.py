"""The operations as one table, which server, client and documents read."""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from rentbilling.billing import BillingResult
from rentbilling.interface import (
    audit,
    items,
    leases,
    payouts,
    plans,
    products,
    tenancies,
)
from rentbilling.interface.request import LeasePartsRequest, PageRequest
from rentbilling.records import Record, fields_of
from rentbilling.terms import LeaseTerms, RentAdjustmentPlan


class Endpoint(NamedTuple):
    """One operation of the interface."""

    operation: str
    """Name of the function in `service`."""
    on_wire: str
    """Method and path below the base address; parameters are in braces."""
    purpose: str
    request: type[Record]
    """Parameters and body together."""
    answer: type[Record] | type[BillingResult]
    also: tuple[str, ...] = ()
    """Other resources that it reads or changes, which a key needs the same right for."""
    ours: bool = True
    """Whether it is beyond the interface."""

    @property
    def method(self) -> str:
        return self.on_wire.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.on_wire.partition(" ")[2]

    @property
    def resource(self) -> str:
        return self.path.split("/")[1]

    @property
    def in_path(self) -> tuple[str, ...]:
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def has_body(self) -> bool:
        """Whether what is not in the path travels in the body; otherwise in the query."""
        names = {each.wire for each in fields_of(self.request)}
        return self.method != "GET" and not names <= {*self.in_path}

    @property
    def right(self) -> Literal["read", "write"]:
        return "read" if self.method == "GET" else "write"

    @property
    def rights(self) -> tuple[str, ...]:
        return tuple(f"{each}:{self.right}" for each in (self.resource, *self.also))

    @property
    def status(self) -> Literal[200, 201]:
        # Of success (A47).
        return 201 if self.method == "POST" and not self.in_path else 200

    @property
    def page_of(self) -> str | None:
        """The field of the answer that holds a page of objects, where it is one."""
        if not issubclass(self.request, PageRequest):
            return None
        (name,) = self.answer.model_fields  # type: ignore[union-attr]
        return name


MAX_IDEMPOTENCY_KEY: Final = 255

_of = Endpoint
# fmt: off
_INTERFACE: Final = (
    _of("create_recurring_bill_item", "POST /recurring-bill-items", "Create a recurring bill item",
        items.CreateRecurringBillItem, items.RecurringBillItemCreated),
    _of("create_tenancy", "POST /tenancies", "Create a tenancy and its draft lease",
        tenancies.CreateTenancy, tenancies.TenancyCreated),
    _of("list_rent_adjustment_plans", "GET /rent-adjustment-plans", "List rent adjustment plans",
        LeasePartsRequest, plans.RentAdjustmentPlanPage),
    _of("list_tenancies", "GET /tenancies", "List tenancies", PageRequest, tenancies.TenancyPage),
    _of("list_leases", "GET /leases", "List leases", leases.LeasesRequest, leases.LeasePage),
    _of("retrieve_lease", "GET /leases/{leaseId}", "Retrieve one lease",
        leases.LeaseRequest, leases.Lease),
    _of("list_products", "GET /products", "List products", PageRequest, products.ProductPage),
    _of("list_payouts", "GET /payouts", "List payouts", PageRequest, payouts.PayoutPage),
    _of("list_pending_bills", "GET /pending-bills",
        "List the pending bills of a lease for a period",
        leases.PendingBillsRequest, BillingResult),
)
_OURS: Final = (
    _of("list_recurring_bill_items", "GET /recurring-bill-items",
        "List recurring bill items, of one lease or of all",
        LeasePartsRequest, items.RecurringBillItemPage),
    _of("retrieve_recurring_bill_item", "GET /recurring-bill-items/{recurringBillItemId}",
        "Retrieve one recurring bill item",
        items.RecurringBillItemRequest, items.LeaseRecurringBillItem),
    _of("list_one_time_bill_items", "GET /one-time-bill-items",
        "List one-time bill items, of one lease or of all",
        LeasePartsRequest, items.OneTimeBillItemPage),
    _of("retrieve_one_time_bill_item", "GET /one-time-bill-items/{oneTimeBillItemId}",
        "Retrieve a one-time bill item", items.OneTimeBillItemRequest, items.LeaseOneTimeBillItem),
    _of("change_recurring_bill_item", "PATCH /recurring-bill-items/{recurringBillItemId}",
        "Change a recurring bill item: its end, discount, text, or what holds from a later day",
        items.ChangeRecurringBillItem, items.LeaseRecurringBillItem),
    _of("create_one_time_bill_item", "POST /one-time-bill-items", "Create a one-time bill item",
        items.CreateOneTimeBillItem, items.OneTimeBillItemCreated),
    _of("change_one_time_bill_item", "PATCH /one-time-bill-items/{oneTimeBillItemId}",
        "Change a one-time bill item", items.ChangeOneTimeBillItem, items.LeaseOneTimeBillItem),
    _of("withdraw_one_time_bill_item", "POST /one-time-bill-items/{oneTimeBillItemId}/withdraw",
        "Withdraw a one-time bill item", items.OneTimeBillItemRequest, items.LeaseOneTimeBillItem),
    _of("create_rent_adjustment_plan", "POST /rent-adjustment-plans",
        "Create a rent adjustment plan",
        plans.CreateRentAdjustmentPlan, plans.RentAdjustmentPlanCreated),
    _of("retrieve_rent_adjustment_plan", "GET /rent-adjustment-plans/{rentAdjustmentPlanId}",
        "Retrieve one rent adjustment plan", plans.RentAdjustmentPlanRequest, RentAdjustmentPlan),
    _of("change_rent_adjustment_plan", "PATCH /rent-adjustment-plans/{rentAdjustmentPlanId}",
        "Change when a rent adjustment plan ends",
        plans.ChangeRentAdjustmentPlan, RentAdjustmentPlan),
    _of("retrieve_tenancy", "GET /tenancies/{tenancyId}", "Retrieve one tenancy",
        tenancies.TenancyRequest, tenancies.Tenancy),
    _of("change_tenancy", "PATCH /tenancies/{tenancyId}", "Change what is known of a tenancy",
        tenancies.ChangeTenancy, tenancies.Tenancy),
    _of("archive_tenancy", "POST /tenancies/{tenancyId}/archive",
        "Archive a tenancy and its leases",
        tenancies.TenancyRequest, tenancies.Tenancy, ("leases",)),
    _of("create_lease", "POST /leases", "Create another draft lease of a tenancy",
        leases.CreateLease, leases.LeaseCreated),
    _of("change_lease", "PATCH /leases/{leaseId}",
        "Change a lease: its state, contract, contacts or balances",
        leases.ChangeLease, leases.Lease),
    _of("archive_lease", "POST /leases/{leaseId}/archive", "Archive a lease",
        leases.LeaseRequest, leases.Lease),
    _of("retrieve_lease_terms", "GET /leases/{leaseId}/terms",
        "Retrieve all that a lease is billed by", leases.LeaseRequest, LeaseTerms,
        ("recurring-bill-items", "one-time-bill-items", "rent-adjustment-plans")),
    _of("record_product", "POST /products", "Record a product",
        products.RecordProduct, products.ProductRecorded),
    _of("retrieve_product", "GET /products/{productKey}", "Retrieve one product by its key",
        products.ProductRequest, products.Product),
    _of("change_product", "PATCH /products/{productKey}",
        "Change a product: its names, place, or whether it is offered",
        products.ChangeProduct, products.Product),
    _of("record_payout", "POST /payouts", "Record a payout",
        payouts.RecordPayout, payouts.PayoutRecorded),
    _of("retrieve_payout", "GET /payouts/{payoutId}", "Retrieve one payout",
        payouts.PayoutRequest, payouts.Payout),
    _of("withdraw_payout", "POST /payouts/{payoutId}/withdraw",
        "Withdraw a payout that was recorded in error", payouts.PayoutRequest, payouts.Payout),
    _of("list_audit_records", "GET /audit-records", "List the changes of objects",
        audit.AuditRecordsRequest, audit.AuditRecordPage),
)
# fmt: on

ENDPOINTS: Final = MappingProxyType(
    {each.operation: each for each in (*(each._replace(ours=False) for each in _INTERFACE), *_OURS)}
)
"""All operations by name: those of the interface, then ours."""

RESOURCES: Final = tuple(sorted({each.resource for each in ENDPOINTS.values()}))
