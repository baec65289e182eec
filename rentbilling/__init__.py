"""Rent billing: recurring bill items and a period go in, exact pending bills come out.

Everything public is reachable from here and loaded when it is first used, so that importing the
package costs nothing.

Examples:
    >>> import rentbilling
    >>> rentbilling.Period.parse("2026-01-01/2026-01-31").days
    31
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rentbilling.adjustments.api import (
        adjusted_terms as adjusted_terms,
        amount_in_force as amount_in_force,
        next_adjustment_date as next_adjustment_date,
        rent_adjustments as rent_adjustments,
        rolled_back as rolled_back,
    )
    from rentbilling.adjustments.results import AdjustmentResult as AdjustmentResult
    from rentbilling.billing.api import (
        bill_period as bill_period,
        compile_terms as compile_terms,
        pending_bills as pending_bills,
    )
    from rentbilling.billing.bill import (
        BillingResult as BillingResult,
        PendingBill as PendingBill,
        VatTotal as VatTotal,
    )
    from rentbilling.billing.compiled import CompiledTerms as CompiledTerms
    from rentbilling.billing.line_items import PendingBillLineItem as PendingBillLineItem
    from rentbilling.billing.opening import first_billing_period as first_billing_period
    from rentbilling.billing.vat import vat_totals as vat_totals
    from rentbilling.checks.check import check_bill as check_bill
    from rentbilling.checks.compare import (
        compare_bills as compare_bills,
        compare_portfolio as compare_portfolio,
    )
    from rentbilling.checks.difference import (
        Comparison as Comparison,
        Difference as Difference,
        PortfolioComparison as PortfolioComparison,
    )
    from rentbilling.checks.finding import CheckResult as CheckResult, Finding as Finding
    from rentbilling.codec.records import dumps as dumps, loads as loads
    from rentbilling.errors import (
        ConflictError as ConflictError,
        CurrencyMismatchError as CurrencyMismatchError,
        InvalidAdjustmentRuleError as InvalidAdjustmentRuleError,
        InvalidAmountError as InvalidAmountError,
        InvalidCycleError as InvalidCycleError,
        InvalidDiscountError as InvalidDiscountError,
        InvalidDueDateRuleError as InvalidDueDateRuleError,
        InvalidInputError as InvalidInputError,
        InvalidPeriodError as InvalidPeriodError,
        InvalidPolicyError as InvalidPolicyError,
        InvalidRecordError as InvalidRecordError,
        InvalidVatError as InvalidVatError,
        MissingFactError as MissingFactError,
        MissingIndexError as MissingIndexError,
        NotAllowedError as NotAllowedError,
        NotFoundError as NotFoundError,
        Problem as Problem,
        RentBillingError as RentBillingError,
        UnknownTaxModeError as UnknownTaxModeError,
        UnknownTimeUnitError as UnknownTimeUnitError,
        UnknownWordError as UnknownWordError,
        UnsupportedCaseError as UnsupportedCaseError,
    )
    from rentbilling.explanations.api import explain as explain
    from rentbilling.explanations.working import Explanation as Explanation, Working as Working
    from rentbilling.indices import IndexSeries as IndexSeries
    from rentbilling.indices.points import IndexPoint as IndexPoint
    from rentbilling.interface.endpoints import ENDPOINTS as ENDPOINTS, Endpoint as Endpoint
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
        LeasePartsRequest as LeasePartsRequest,
        PageRequest as PageRequest,
    )
    from rentbilling.interface.schemas import SCHEMA_NAMES as SCHEMA_NAMES, schema_of as schema_of
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
    from rentbilling.policy import BillingPolicy as BillingPolicy
    from rentbilling.presets.caps import (
        LEGAL_CAPS as LEGAL_CAPS,
        LegalCap as LegalCap,
        cap_rules as cap_rules,
        legal_caps as legal_caps,
    )
    from rentbilling.presets.catalogue import (
        PRESETS as PRESETS,
        ClausePreset as ClausePreset,
        preset as preset,
    )
    from rentbilling.records.raw_record import RawRecord as RawRecord
    from rentbilling.schedule.due_dates import due_date as due_date
    from rentbilling.schedule.part_periods import period_share as period_share
    from rentbilling.schedule.periods import accounting_periods as accounting_periods
    from rentbilling.service.lease_figures import (
        LeaseFigures as LeaseFigures,
        contract_period_state as contract_period_state,
        lease_figures_on as lease_figures_on,
    )
    from rentbilling.service.operations import OPERATIONS as OPERATIONS
    from rentbilling.service.store import (
        Context as Context,
        Store as Store,
        Stored as Stored,
        Stores as Stores,
    )
    from rentbilling.tables.columns import (
        Column as Column,
        Table as Table,
    )
    from rentbilling.tables.record_rows import table_of as table_of
    from rentbilling.terms.index_clause import IndexClause as IndexClause
    from rentbilling.terms.item_parts import (
        AmountRecord as AmountRecord,
        BillingCycle as BillingCycle,
        DescriptionRecord as DescriptionRecord,
        Discount as Discount,
        DueDateRule as DueDateRule,
        FirstBillingPeriodBillItem as FirstBillingPeriodBillItem,
        QuantityRecord as QuantityRecord,
        VatRecord as VatRecord,
    )
    from rentbilling.terms.lease_terms import (
        LeaseTerms as LeaseTerms,
        OneTimeBillItem as OneTimeBillItem,
        RecurringBillItem as RecurringBillItem,
    )
    from rentbilling.terms.plans import (
        AdjustmentEffect as AdjustmentEffect,
        Balance as Balance,
        RentAdjustment as RentAdjustment,
        RentAdjustmentPlan as RentAdjustmentPlan,
    )
    from rentbilling.terms.rules import (
        Increment as Increment,
        RentAdjustmentRule as RentAdjustmentRule,
    )
    from rentbilling.values.allocation import share_out as share_out
    from rentbilling.values.currencies import minor_units as minor_units
    from rentbilling.values.money import (
        Amount as Amount,
        divide_rounded as divide_rounded,
        rounded as rounded,
    )
    from rentbilling.values.notice import Notice as Notice
    from rentbilling.values.periods import Period as Period, YearMonth as YearMonth
    from rentbilling.values.vat import Vat as Vat
    from rentbilling.whatif.cash_flow import (
        cash_flow as cash_flow,
    )
    from rentbilling.whatif.comparison import (
        Run as Run,
        WhatIf as WhatIf,
        what_if as what_if,
    )
    from rentbilling.whatif.cycle import (
        switch_cycle as switch_cycle,
        switch_to_monthly as switch_to_monthly,
        switch_to_quarterly as switch_to_quarterly,
        switch_to_yearly as switch_to_yearly,
    )
    from rentbilling.whatif.forecast import (
        Forecast as Forecast,
        forecast as forecast,
    )
    from rentbilling.whatif.index import (
        assume_index as assume_index,
        cap as cap,
        floor as floor,
        use_clause as use_clause,
        without_adjustments as without_adjustments,
    )
    from rentbilling.whatif.rent import (
        give_discount as give_discount,
        raise_rent as raise_rent,
        set_rent as set_rent,
        use_vat as use_vat,
    )
    from rentbilling.whatif.scenario import (
        BillingInputs as BillingInputs,
        Scenario as Scenario,
        as_it_is as as_it_is,
        under_policy as under_policy,
    )
    from rentbilling.whatif.terms import (
        due_on as due_on,
        end_on as end_on,
        start_on as start_on,
        with_item as with_item,
        without_item as without_item,
    )

__all__ = (
    "ENDPOINTS",
    "LEGAL_CAPS",
    "OPERATIONS",
    "PRESETS",
    "SCHEMA_NAMES",
    "AdjustmentEffect",
    "AdjustmentResult",
    "Amount",
    "AmountRecord",
    "Area",
    "Balance",
    "BillingCycle",
    "BillingInputs",
    "BillingPolicy",
    "BillingResult",
    "ChangeLease",
    "ChangeOneTimeBillItem",
    "ChangeProduct",
    "ChangeRecurringBillItem",
    "ChangeRentAdjustmentPlan",
    "ChangeTenancy",
    "CheckResult",
    "ClausePreset",
    "Column",
    "Comparison",
    "CompiledTerms",
    "ConflictError",
    "Context",
    "CreateLease",
    "CreateOneTimeBillItem",
    "CreateRecurringBillItem",
    "CreateRentAdjustmentPlan",
    "CreateTenancy",
    "CurrencyMismatchError",
    "DescriptionRecord",
    "Difference",
    "Discount",
    "DueDateRule",
    "Endpoint",
    "Explanation",
    "Finding",
    "FirstBillingPeriodBillItem",
    "Forecast",
    "Increment",
    "IndexClause",
    "IndexPoint",
    "IndexSeries",
    "InvalidAdjustmentRuleError",
    "InvalidAmountError",
    "InvalidCycleError",
    "InvalidDiscountError",
    "InvalidDueDateRuleError",
    "InvalidInputError",
    "InvalidPeriodError",
    "InvalidPolicyError",
    "InvalidRecordError",
    "InvalidVatError",
    "Lease",
    "LeaseCreated",
    "LeaseFigures",
    "LeaseOneTimeBillItem",
    "LeasePage",
    "LeasePartsRequest",
    "LeaseRecurringBillItem",
    "LeaseRequest",
    "LeaseTerms",
    "LeasesRequest",
    "LegalCap",
    "MissingFactError",
    "MissingIndexError",
    "NewArea",
    "NewRoomCount",
    "NewTenancyAddress",
    "NotAllowedError",
    "NotFoundError",
    "Notice",
    "OneTimeBillItem",
    "OneTimeBillItemCreated",
    "OneTimeBillItemPage",
    "OneTimeBillItemRequest",
    "PageRequest",
    "Payout",
    "PayoutPage",
    "PayoutRecorded",
    "PayoutRequest",
    "PendingBill",
    "PendingBillLineItem",
    "PendingBillsRequest",
    "Period",
    "PortfolioComparison",
    "Problem",
    "Product",
    "ProductName",
    "ProductPage",
    "ProductRecorded",
    "ProductRequest",
    "QuantityRecord",
    "RawRecord",
    "RecordPayout",
    "RecordProduct",
    "RecurringBillItem",
    "RecurringBillItemCreated",
    "RecurringBillItemPage",
    "RecurringBillItemRequest",
    "RentAdjustment",
    "RentAdjustmentPlan",
    "RentAdjustmentPlanCreated",
    "RentAdjustmentPlanPage",
    "RentAdjustmentPlanRequest",
    "RentAdjustmentRule",
    "RentBillingError",
    "RoomCount",
    "Run",
    "Scenario",
    "Store",
    "Stored",
    "Stores",
    "Table",
    "Tenancy",
    "TenancyAddress",
    "TenancyCreated",
    "TenancyPage",
    "TenancyRequest",
    "UnknownTaxModeError",
    "UnknownTimeUnitError",
    "UnknownWordError",
    "UnsupportedCaseError",
    "Vat",
    "VatRecord",
    "VatTotal",
    "WhatIf",
    "Working",
    "YearMonth",
    "accounting_periods",
    "adjusted_terms",
    "amount_in_force",
    "as_it_is",
    "assume_index",
    "bill_period",
    "cap",
    "cap_rules",
    "cash_flow",
    "check_bill",
    "compare_bills",
    "compare_portfolio",
    "compile_terms",
    "contract_period_state",
    "divide_rounded",
    "due_date",
    "due_on",
    "dumps",
    "end_on",
    "explain",
    "first_billing_period",
    "floor",
    "forecast",
    "give_discount",
    "lease_figures_on",
    "legal_caps",
    "loads",
    "minor_units",
    "next_adjustment_date",
    "pending_bills",
    "period_share",
    "preset",
    "raise_rent",
    "rent_adjustments",
    "rolled_back",
    "rounded",
    "schema_of",
    "set_rent",
    "share_out",
    "start_on",
    "switch_cycle",
    "switch_to_monthly",
    "switch_to_quarterly",
    "switch_to_yearly",
    "table_of",
    "under_policy",
    "use_clause",
    "use_vat",
    "vat_totals",
    "what_if",
    "with_item",
    "without_adjustments",
    "without_item",
)


def __getattr__(name: str) -> object:
    """Load a public name from the room that owns it."""
    room = import_module(f"{__name__}.front_door").ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
