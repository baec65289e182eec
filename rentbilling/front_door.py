"""Which room owns which public name, so that a name is loaded when it is first used.

Law: every public name has one room, and every name of the table is public.
"""

from types import MappingProxyType
from typing import Final

_ROOMS: Final = MappingProxyType(
    {
        "errors": (
            "ConflictError CurrencyMismatchError InvalidAdjustmentRuleError InvalidAmountError "
            "InvalidCycleError InvalidDiscountError InvalidDueDateRuleError InvalidInputError "
            "InvalidPeriodError InvalidPolicyError InvalidRecordError InvalidVatError "
            "MissingFactError MissingIndexError NotAllowedError NotFoundError Problem "
            "RentBillingError UnknownTaxModeError UnknownTimeUnitError UnknownWordError "
            "UnsupportedCaseError"
        ),
        "values.currencies": "minor_units",
        "values.money": "Amount divide_rounded rounded",
        "values.allocation": "share_out",
        "values.periods": "Period YearMonth",
        "values.vat": "Vat",
        "policy": "BillingPolicy",
        "billing.figures": "Notice",
        "billing.line_items": "PendingBillLineItem",
        "billing.bill": "BillingResult PendingBill VatTotal",
        "terms.item_parts": (
            "AmountRecord BillingCycle DescriptionRecord Discount DueDateRule "
            "FirstBillingPeriodBillItem QuantityRecord VatRecord"
        ),
        "terms.lease_terms": "LeaseTerms OneTimeBillItem RecurringBillItem",
        "schedule.part_periods": "period_share",
        "schedule.due_dates": "due_date",
        "schedule.periods": "accounting_periods",
        "billing.vat": "vat_totals",
        "billing.api": "bill_period compile_terms pending_bills",
        "explanations.api": "explain",
        "explanations.working": "Explanation Working",
        "billing.opening": "first_billing_period",
        "checks.finding": "CheckResult Finding",
        "checks.check": "check_bill",
        "checks.difference": "Comparison Difference PortfolioComparison",
        "checks.compare": "compare_bills compare_portfolio",
        "billing.compiled": "CompiledTerms",
        "codec.records": "dumps loads",
        "adjustments.results": "AdjustmentResult",
        "adjustments.api": (
            "adjusted_terms amount_in_force next_adjustment_date rent_adjustments rolled_back"
        ),
        "indices.points": "IndexPoint",
        "indices": "IndexSeries",
        "presets.catalogue": "PRESETS ClausePreset preset",
        "presets.caps": "LEGAL_CAPS LegalCap cap_rules legal_caps",
        "terms.index_clause": "IndexClause",
        "terms.rules": "Increment RentAdjustmentRule",
        "terms.plans": "AdjustmentEffect Balance RentAdjustment RentAdjustmentPlan",
        "interface.schemas": "SCHEMA_NAMES schema_of",
        "whatif.cash_flow": "cash_flow",
        "whatif.cycle": "switch_cycle switch_to_monthly switch_to_quarterly switch_to_yearly",
        "whatif.forecast": "Forecast forecast",
        "whatif.index": "assume_index cap floor use_clause without_adjustments",
        "whatif.rent": "give_discount raise_rent set_rent use_vat",
        "whatif.scenario": "BillingInputs Scenario as_it_is under_policy",
        "tables.columns": "Column Table",
        "tables.record_rows": "table_of",
        "whatif.terms": "due_on end_on start_on with_item without_item",
        "whatif.comparison": "Run WhatIf what_if",
        "interface.items": (
            "ChangeOneTimeBillItem ChangeRecurringBillItem CreateOneTimeBillItem "
            "CreateRecurringBillItem LeaseOneTimeBillItem LeaseRecurringBillItem "
            "OneTimeBillItemCreated OneTimeBillItemPage OneTimeBillItemRequest "
            "RecurringBillItemCreated RecurringBillItemPage RecurringBillItemRequest"
        ),
        "interface.leases": (
            "ChangeLease CreateLease Lease LeaseCreated LeasePage LeaseRequest LeasesRequest "
            "PendingBillsRequest"
        ),
        "interface.payouts": "Payout PayoutPage PayoutRecorded PayoutRequest RecordPayout",
        "interface.plans": (
            "ChangeRentAdjustmentPlan CreateRentAdjustmentPlan RentAdjustmentPlanCreated "
            "RentAdjustmentPlanPage RentAdjustmentPlanRequest"
        ),
        "interface.products": (
            "ChangeProduct Product ProductName ProductPage ProductRecorded ProductRequest "
            "RecordProduct"
        ),
        "interface.request": "LeasePartsRequest PageRequest",
        "interface.tenancies": (
            "Area ChangeTenancy CreateTenancy NewArea NewRoomCount NewTenancyAddress "
            "RoomCount Tenancy TenancyAddress TenancyCreated TenancyPage TenancyRequest"
        ),
        "records.raw_record": "RawRecord",
        "service.store": "Context Stored Store Stores",
        "interface.endpoints": "ENDPOINTS Endpoint",
        "service.operations": "OPERATIONS",
        "service.lease_figures": "LeaseFigures contract_period_state lease_figures_on",
    }
)
ROOM_OF: Final = MappingProxyType(
    {name: room for room, names in _ROOMS.items() for name in names.split()}
)
"""The room of each public name."""
