"""The interface's resources, requests, answers and endpoints, with exactly its names."""

from rentbilling.interface.audit import (
    AuditRecord as AuditRecord,
    AuditRecordPage as AuditRecordPage,
    AuditRecordsRequest as AuditRecordsRequest,
)
from rentbilling.interface.endpoints import (
    ENDPOINTS as ENDPOINTS,
    MAX_IDEMPOTENCY_KEY as MAX_IDEMPOTENCY_KEY,
    RESOURCES as RESOURCES,
    Endpoint as Endpoint,
)
from rentbilling.interface.items import (
    ChangeOneTimeBillItem as ChangeOneTimeBillItem,
    ChangeRecurringBillItem as ChangeRecurringBillItem,
    CreateOneTimeBillItem as CreateOneTimeBillItem,
    CreateRecurringBillItem as CreateRecurringBillItem,
    LeaseOneTimeBillItem as LeaseOneTimeBillItem,
    LeaseRecurringBillItem as LeaseRecurringBillItem,
    OneTimeBillItemCreated as OneTimeBillItemCreated,
    OneTimeBillItemPage as OneTimeBillItemPage,
    OneTimeBillItemRequest as OneTimeBillItemRequest,
    RecurringBillItemCreated as RecurringBillItemCreated,
    RecurringBillItemPage as RecurringBillItemPage,
    RecurringBillItemRequest as RecurringBillItemRequest,
)
from rentbilling.interface.leases import (
    ChangeLease as ChangeLease,
    CreateLease as CreateLease,
    Lease as Lease,
    LeaseCreated as LeaseCreated,
    LeasePage as LeasePage,
    LeaseRequest as LeaseRequest,
    LeasesRequest as LeasesRequest,
    PendingBillsRequest as PendingBillsRequest,
)
from rentbilling.interface.payouts import (
    Payout as Payout,
    PayoutPage as PayoutPage,
    PayoutRecorded as PayoutRecorded,
    PayoutRequest as PayoutRequest,
    RecordPayout as RecordPayout,
)
from rentbilling.interface.plans import (
    ChangeRentAdjustmentPlan as ChangeRentAdjustmentPlan,
    CreateRentAdjustmentPlan as CreateRentAdjustmentPlan,
    RentAdjustmentPlanCreated as RentAdjustmentPlanCreated,
    RentAdjustmentPlanPage as RentAdjustmentPlanPage,
    RentAdjustmentPlanRequest as RentAdjustmentPlanRequest,
)
from rentbilling.interface.products import (
    ChangeProduct as ChangeProduct,
    Product as Product,
    ProductName as ProductName,
    ProductPage as ProductPage,
    ProductRecorded as ProductRecorded,
    ProductRequest as ProductRequest,
    RecordProduct as RecordProduct,
)
from rentbilling.interface.request import (
    MOST_OBJECTS as MOST_OBJECTS,
    USUAL_OBJECTS as USUAL_OBJECTS,
    LeasePartsRequest as LeasePartsRequest,
    PageRequest as PageRequest,
    check_bounds as check_bounds,
)
from rentbilling.interface.schemas import (
    RECORDS as RECORDS,
    SCHEMA_NAMES as SCHEMA_NAMES,
    schema_of as schema_of,
)
from rentbilling.interface.tenancies import (
    Area as Area,
    ChangeTenancy as ChangeTenancy,
    CreateTenancy as CreateTenancy,
    NewArea as NewArea,
    NewRoomCount as NewRoomCount,
    NewTenancyAddress as NewTenancyAddress,
    RoomCount as RoomCount,
    Tenancy as Tenancy,
    TenancyAddress as TenancyAddress,
    TenancyCreated as TenancyCreated,
    TenancyPage as TenancyPage,
    TenancyRequest as TenancyRequest,
)
