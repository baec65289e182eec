"""The operations of the interface as methods to be awaited.

Law: each operation of the table is a method of its name; the docstrings of extensions say so.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any, TypeVar

from rentbilling import (
    BillingPolicy,
    BillingResult,
    LeaseTerms,
    OneTimeBillItem,
    RecurringBillItem,
    RentAdjustmentPlan,
    compare_bills,
    pending_bills,
)
from rentbilling.adapters.client.calls import Call, EntityTags, call_of
from rentbilling.adapters.client.pages import Pages
from rentbilling.adapters.client.verifying import bills_of_lease, period_under
from rentbilling.checks import Comparison
from rentbilling.indices import AnyIndices
from rentbilling.interface import (
    MOST_OBJECTS,
    USUAL_OBJECTS,
    AuditRecord,
    AuditRecordPage,
    AuditRecordsRequest,
    ChangeLease,
    ChangeOneTimeBillItem,
    ChangeProduct,
    ChangeRecurringBillItem,
    ChangeRentAdjustmentPlan,
    ChangeTenancy,
    CreateLease,
    CreateOneTimeBillItem,
    CreateRecurringBillItem,
    CreateRentAdjustmentPlan,
    CreateTenancy,
    Lease,
    LeaseCreated,
    LeaseOneTimeBillItem,
    LeasePage,
    LeasePartsRequest,
    LeaseRecurringBillItem,
    LeaseRequest,
    LeasesRequest,
    OneTimeBillItemCreated,
    OneTimeBillItemPage,
    OneTimeBillItemRequest,
    PageRequest,
    Payout,
    PayoutPage,
    PayoutRecorded,
    PayoutRequest,
    PendingBillsRequest,
    Product,
    ProductPage,
    ProductRecorded,
    ProductRequest,
    RecordPayout,
    RecordProduct,
    RecurringBillItemCreated,
    RecurringBillItemPage,
    RecurringBillItemRequest,
    RentAdjustmentPlanCreated,
    RentAdjustmentPlanPage,
    RentAdjustmentPlanRequest,
    Tenancy,
    TenancyCreated,
    TenancyPage,
    TenancyRequest,
)
from rentbilling.records import RawRecord, Record
from rentbilling.values import AnyPeriod

T = TypeVar("T")


class AsyncOperations(ABC):
    """All operations, for a client that makes the calls.

    `if_match` is the object as it was received, or its `ETag`: what has changed since is not
    changed (`StateConflictError`, `changed_since`).
    """

    _policy: BillingPolicy | None
    _tags: EntityTags

    @abstractmethod
    async def _answer(self, call: Call[T]) -> T:
        """Make a call and return its answer."""

    async def _ask(
        self, operation: str, request: Record, into: type[T], if_match: Record | str | None = None
    ) -> T:
        call = call_of(operation, request, into, policy=self._policy)
        return await self._answer(call.matching(self._tags.of(if_match)))

    def _all(self, operation: str, page_size: int, **filters: str | None) -> AsyncIterator[Any]:
        return self._paged(Pages(operation, page_size, policy=self._policy, **filters))

    async def _paged(self, pages: Pages) -> AsyncIterator[Any]:
        while not pages.is_done:
            for each in pages.objects_of(await self._answer(pages.call())):
                yield each

    # ----------------------------------------------------------------------------------- tenancies

    async def create_tenancy(self, request: CreateTenancy) -> TenancyCreated:
        """Create a tenancy and its draft lease."""
        return await self._ask("create_tenancy", request, TenancyCreated)

    async def list_tenancies(
        self, *, limit: int = USUAL_OBJECTS, starting_after: str | None = None
    ) -> TenancyPage:
        """Return one page of tenancies (A43)."""
        request = PageRequest(limit=limit, starting_after=starting_after)
        return await self._ask("list_tenancies", request, TenancyPage)

    def tenancies(self, page_size: int = MOST_OBJECTS) -> AsyncIterator[Tenancy]:
        """Return all tenancies, page by page as they are needed."""
        return self._all("list_tenancies", page_size)

    async def retrieve_tenancy(self, tenancy_id: str) -> Tenancy:
        """Return one tenancy. An extension of the interface."""
        return await self._ask("retrieve_tenancy", TenancyRequest(tenancy_id=tenancy_id), Tenancy)

    async def change_tenancy(
        self, request: ChangeTenancy, *, if_match: Tenancy | str | None = None
    ) -> Tenancy:
        """Change the fields of a tenancy, and return it. An extension of the interface."""
        return await self._ask("change_tenancy", request, Tenancy, if_match)

    async def archive_tenancy(
        self, tenancy_id: str, *, if_match: Tenancy | str | None = None
    ) -> Tenancy:
        """Archive a tenancy and its leases. An extension of the interface."""
        return await self._ask(
            "archive_tenancy", TenancyRequest(tenancy_id=tenancy_id), Tenancy, if_match
        )

    # -------------------------------------------------------------------------------------- leases

    async def list_leases(
        self,
        *,
        limit: int = USUAL_OBJECTS,
        starting_after: str | None = None,
        tenancy_id: str | None = None,
    ) -> LeasePage:
        """Return one page of leases (A43), of one tenancy (an extension) or of all."""
        request = LeasesRequest(limit=limit, starting_after=starting_after, tenancy_id=tenancy_id)
        return await self._ask("list_leases", request, LeasePage)

    def leases(
        self, page_size: int = MOST_OBJECTS, *, tenancy_id: str | None = None
    ) -> AsyncIterator[Lease]:
        """Return all leases, or those of one tenancy (an extension), page by page as needed."""
        return self._all("list_leases", page_size, tenancy_id=tenancy_id)

    async def retrieve_lease(self, lease_id: str) -> Lease:
        """Return one lease."""
        return await self._ask("retrieve_lease", LeaseRequest(lease_id=lease_id), Lease)

    async def create_lease(self, request: CreateLease) -> LeaseCreated:
        """Create another draft lease of a tenancy. An extension of the interface."""
        return await self._ask("create_lease", request, LeaseCreated)

    async def change_lease(
        self, request: ChangeLease, *, if_match: Lease | str | None = None
    ) -> Lease:
        """Change the state, contract, contacts or balances of a lease. An extension."""
        return await self._ask("change_lease", request, Lease, if_match)

    async def archive_lease(self, lease_id: str, *, if_match: Lease | str | None = None) -> Lease:
        """Archive a lease. An extension of the interface."""
        return await self._ask("archive_lease", LeaseRequest(lease_id=lease_id), Lease, if_match)

    async def retrieve_lease_terms(self, lease_id: str) -> LeaseTerms:
        """Return the billing terms of a lease. An extension of the interface."""
        return await self._ask("retrieve_lease_terms", LeaseRequest(lease_id=lease_id), LeaseTerms)

    # --------------------------------------------------------------------------------------- bills

    async def list_pending_bills(self, lease_id: str, period: AnyPeriod) -> BillingResult:
        """Return the bills of a lease that fall due in a period (A44)."""
        days = period_under(period, self._policy)
        request = PendingBillsRequest(lease_id=lease_id, period=days)
        bills = await self._ask("list_pending_bills", request, BillingResult)
        return bills_of_lease(bills, lease_id)

    async def pending_bills(self, lease_id: str, period: AnyPeriod) -> BillingResult:
        """Return the bills of a lease for a period: `list_pending_bills`, which has no pages."""
        return await self.list_pending_bills(lease_id, period)

    async def verify(
        self,
        lease_id: str,
        terms: LeaseTerms,
        period: AnyPeriod,
        *,
        policy: BillingPolicy | None = None,
        indices: AnyIndices = None,
        diagnose: bool = False,
    ) -> Comparison:
        """Return the differences of the service's pending bills from those computed here.

        Bills are computed here first, so that terms which cannot be billed are refused before any
        call.
        """
        rules = policy or self._policy
        days = period_under(period, rules)
        expected = pending_bills(terms, days, policy=rules, indices=indices)
        actual = await self.list_pending_bills(lease_id, days)
        return compare_bills(expected, actual, diagnose=diagnose)

    # ------------------------------------------------------------------------------ items and plans

    async def create_recurring_bill_item(
        self, lease_id: str, item: RecurringBillItem
    ) -> RecurringBillItemCreated:
        """Create a recurring bill item of a lease."""
        request = CreateRecurringBillItem(lease_id=lease_id, recurring_bill_item=item)
        return await self._ask("create_recurring_bill_item", request, RecurringBillItemCreated)

    async def list_recurring_bill_items(
        self,
        *,
        limit: int = USUAL_OBJECTS,
        starting_after: str | None = None,
        lease_id: str | None = None,
    ) -> RecurringBillItemPage:
        """Return one page of recurring bill items, of one lease or of all. An extension."""
        request = LeasePartsRequest(limit=limit, starting_after=starting_after, lease_id=lease_id)
        return await self._ask("list_recurring_bill_items", request, RecurringBillItemPage)

    def recurring_bill_items(
        self, lease_id: str | None = None, *, page_size: int = MOST_OBJECTS
    ) -> AsyncIterator[LeaseRecurringBillItem]:
        """Return all recurring bill items, of one lease or of all, page by page. An extension."""
        return self._all("list_recurring_bill_items", page_size, lease_id=lease_id)

    async def retrieve_recurring_bill_item(
        self, recurring_bill_item_id: str
    ) -> LeaseRecurringBillItem:
        """Return one recurring bill item. An extension of the interface."""
        request = RecurringBillItemRequest(recurring_bill_item_id=recurring_bill_item_id)
        return await self._ask("retrieve_recurring_bill_item", request, LeaseRecurringBillItem)

    async def change_recurring_bill_item(
        self,
        request: ChangeRecurringBillItem,
        *,
        if_match: LeaseRecurringBillItem | str | None = None,
    ) -> LeaseRecurringBillItem:
        """Change a recurring bill item, and return it. An extension of the interface."""
        return await self._ask(
            "change_recurring_bill_item", request, LeaseRecurringBillItem, if_match
        )

    async def create_one_time_bill_item(
        self, lease_id: str, item: OneTimeBillItem
    ) -> OneTimeBillItemCreated:
        """Create a one-time bill item of a lease (A55). An extension of the interface."""
        request = CreateOneTimeBillItem(lease_id=lease_id, one_time_bill_item=item)
        return await self._ask("create_one_time_bill_item", request, OneTimeBillItemCreated)

    async def list_one_time_bill_items(
        self,
        *,
        limit: int = USUAL_OBJECTS,
        starting_after: str | None = None,
        lease_id: str | None = None,
    ) -> OneTimeBillItemPage:
        """Return one page of one-time bill items, of one lease or of all. An extension."""
        request = LeasePartsRequest(limit=limit, starting_after=starting_after, lease_id=lease_id)
        return await self._ask("list_one_time_bill_items", request, OneTimeBillItemPage)

    def one_time_bill_items(
        self, lease_id: str | None = None, *, page_size: int = MOST_OBJECTS
    ) -> AsyncIterator[LeaseOneTimeBillItem]:
        """Return all one-time bill items, of one lease or of all, page by page. An extension."""
        return self._all("list_one_time_bill_items", page_size, lease_id=lease_id)

    async def retrieve_one_time_bill_item(self, one_time_bill_item_id: str) -> LeaseOneTimeBillItem:
        """Return a one-time bill item. An extension of the interface."""
        request = OneTimeBillItemRequest(one_time_bill_item_id=one_time_bill_item_id)
        return await self._ask("retrieve_one_time_bill_item", request, LeaseOneTimeBillItem)

    async def change_one_time_bill_item(
        self, request: ChangeOneTimeBillItem, *, if_match: LeaseOneTimeBillItem | str | None = None
    ) -> LeaseOneTimeBillItem:
        """Change a one-time bill item, and return it. An extension of the interface."""
        return await self._ask("change_one_time_bill_item", request, LeaseOneTimeBillItem, if_match)

    async def withdraw_one_time_bill_item(
        self, one_time_bill_item_id: str, *, if_match: LeaseOneTimeBillItem | str | None = None
    ) -> LeaseOneTimeBillItem:
        """Withdraw a one-time bill item, so that nothing of it falls due. An extension.

        What was billed of it comes back as a correction where bills are made with
        `already_billed=`, of bills that name their items (A53).
        """
        request = OneTimeBillItemRequest(one_time_bill_item_id=one_time_bill_item_id)
        return await self._ask(
            "withdraw_one_time_bill_item", request, LeaseOneTimeBillItem, if_match
        )

    async def create_rent_adjustment_plan(
        self, lease_id: str, plan: RentAdjustmentPlan
    ) -> RentAdjustmentPlanCreated:
        """Create a rent adjustment plan of a lease. An extension of the interface."""
        request = CreateRentAdjustmentPlan(lease_id=lease_id, rent_adjustment_plan=plan)
        return await self._ask("create_rent_adjustment_plan", request, RentAdjustmentPlanCreated)

    async def retrieve_rent_adjustment_plan(
        self, rent_adjustment_plan_id: str
    ) -> RentAdjustmentPlan:
        """Return one rent adjustment plan, as it is listed. An extension of the interface."""
        request = RentAdjustmentPlanRequest(rent_adjustment_plan_id=rent_adjustment_plan_id)
        return await self._ask("retrieve_rent_adjustment_plan", request, RentAdjustmentPlan)

    async def change_rent_adjustment_plan(
        self, request: ChangeRentAdjustmentPlan, *, if_match: RentAdjustmentPlan | str | None = None
    ) -> RentAdjustmentPlan:
        """Change when a rent adjustment plan ends, and return it. An extension of the interface."""
        return await self._ask("change_rent_adjustment_plan", request, RentAdjustmentPlan, if_match)

    async def list_rent_adjustment_plans(
        self,
        *,
        limit: int = USUAL_OBJECTS,
        starting_after: str | None = None,
        lease_id: str | None = None,
    ) -> RentAdjustmentPlanPage:
        """Return one page of rent adjustment plans (A43), of one lease (an extension) or of all."""
        request = LeasePartsRequest(limit=limit, starting_after=starting_after, lease_id=lease_id)
        return await self._ask("list_rent_adjustment_plans", request, RentAdjustmentPlanPage)

    def rent_adjustment_plans(
        self, lease_id: str | None = None, *, page_size: int = MOST_OBJECTS
    ) -> AsyncIterator[RentAdjustmentPlan | RawRecord]:
        """Return all rent adjustment plans, or those of one lease (an extension), page by page."""
        return self._all("list_rent_adjustment_plans", page_size, lease_id=lease_id)

    # ------------------------------------------------------------------------- products and payouts

    async def list_products(
        self, *, limit: int = USUAL_OBJECTS, starting_after: str | None = None
    ) -> ProductPage:
        """Return one page of products (A43)."""
        request = PageRequest(limit=limit, starting_after=starting_after)
        return await self._ask("list_products", request, ProductPage)

    def products(self, page_size: int = MOST_OBJECTS) -> AsyncIterator[Product]:
        """Return all products, page by page as they are needed."""
        return self._all("list_products", page_size)

    async def record_product(self, request: RecordProduct) -> ProductRecorded:
        """Record a product. An extension of the interface."""
        return await self._ask("record_product", request, ProductRecorded)

    async def retrieve_product(self, product_key: str) -> Product:
        """Return one product by its key. An extension of the interface."""
        return await self._ask("retrieve_product", ProductRequest(product_key=product_key), Product)

    async def change_product(
        self, request: ChangeProduct, *, if_match: Product | str | None = None
    ) -> Product:
        """Change the names, place or offer of a product, and return it. An extension."""
        return await self._ask("change_product", request, Product, if_match)

    async def list_payouts(
        self, *, limit: int = USUAL_OBJECTS, starting_after: str | None = None
    ) -> PayoutPage:
        """Return one page of payouts (A43)."""
        request = PageRequest(limit=limit, starting_after=starting_after)
        return await self._ask("list_payouts", request, PayoutPage)

    def payouts(self, page_size: int = MOST_OBJECTS) -> AsyncIterator[Payout]:
        """Return all payouts, page by page as they are needed."""
        return self._all("list_payouts", page_size)

    async def record_payout(self, request: RecordPayout) -> PayoutRecorded:
        """Record a payout. An extension of the interface."""
        return await self._ask("record_payout", request, PayoutRecorded)

    async def retrieve_payout(self, payout_id: str) -> Payout:
        """Return one payout. An extension of the interface."""
        return await self._ask("retrieve_payout", PayoutRequest(payout_id=payout_id), Payout)

    async def withdraw_payout(
        self, payout_id: str, *, if_match: Payout | str | None = None
    ) -> Payout:
        """Withdraw a payout that was recorded in error, and return it as it was. An extension."""
        return await self._ask(
            "withdraw_payout", PayoutRequest(payout_id=payout_id), Payout, if_match
        )

    # ------------------------------------------------------------------------------- audit records

    async def list_audit_records(
        self,
        *,
        limit: int = USUAL_OBJECTS,
        starting_after: str | None = None,
        object_id: str | None = None,
    ) -> AuditRecordPage:
        """Return one page of changes, of one object or of all. An extension of the interface."""
        request = AuditRecordsRequest(
            limit=limit, starting_after=starting_after, object_id=object_id
        )
        return await self._ask("list_audit_records", request, AuditRecordPage)

    def audit_records(
        self, object_id: str | None = None, page_size: int = MOST_OBJECTS
    ) -> AsyncIterator[AuditRecord]:
        """Return all changes, of one object or of all, page by page as they are needed."""
        return self._all("list_audit_records", page_size, object_id=object_id)
