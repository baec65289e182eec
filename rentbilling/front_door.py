"""Which room owns which public name, so that a name is loaded when it is first used.

Law: every public name has one room, and every name of the table is public.
What does not live here: the loading (`__init__`).
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
        "currencies": "minor_units",
        "money": "Amount divide_rounded rounded",
        "sharing": "share_out",
        "periods": "Period YearMonth",
        "tax": "Vat",
        "policy": "BillingPolicy",
        "figures": "Notice",
        "line_items": "PendingBillLineItem",
        "results": "BillingResult PendingBill VatTotal",
        "records": (
            "AmountRecord BillingCycle DescriptionRecord Discount DueDateRule "
            "FirstBillingPeriodBillItem QuantityRecord VatRecord"
        ),
        "terms": "LeaseTerms OneTimeBillItem RecurringBillItem",
        "shares": "period_share",
        "schedule": "accounting_periods due_date",
        "vat": "vat_totals",
        "bills": "bill_period compile_terms pending_bills",
        "explanations": "explain",
        "workings": "Explanation Working",
        "opening": "first_billing_period",
        "findings": "CheckResult Finding",
        "checks": "check_bill",
        "differences": "Comparison Difference PortfolioComparison",
        "comparisons": "compare_bills compare_portfolio",
        "compiled_terms": "CompiledTerms",
        "codec": "dumps loads",
        "adjustment_records": "AdjustmentResult",
        "adjustments": (
            "adjusted_terms amount_in_force next_adjustment_date rent_adjustments rolled_back"
        ),
        "index_points": "IndexPoint",
        "indices": "IndexSeries",
        "country_presets": "PRESETS ClausePreset preset presets",
        "country_caps": "LEGAL_CAPS LegalCap cap_rules legal_caps",
        "index_clause": "IndexClause",
        "rules": "Increment RentAdjustmentRule",
        "plans": "AdjustmentEffect Balance RentAdjustment RentAdjustmentPlan",
        "schemas": "SCHEMA_NAMES schema_of",
        "cash_flows": "cash_flow",
        "cycle_scenarios": "switch_cycle switch_to_monthly switch_to_quarterly switch_to_yearly",
        "forecasts": "Forecast forecast",
        "index_scenarios": "assume_index cap floor use_clause without_adjustments",
        "rent_scenarios": "give_discount raise_rent set_rent use_vat",
        "scenarios": "BillingInputs Scenario as_it_is under_policy",
        "tabular": "Column Table",
        "record_rows": "table_of",
        "term_scenarios": "due_on end_on start_on with_item without_item",
        "what_ifs": "Run WhatIf what_if",
        "resources": "Area Lease Payout Product ProductName RoomCount Tenancy TenancyAddress",
        "request_parts": "NewArea NewRoomCount",
        "part_changes": "ChangeOneTimeBillItem ChangeRecurringBillItem ChangeRentAdjustmentPlan",
        "product_requests": (
            "ChangeProduct PayoutRequest ProductRequest RecordPayout RecordProduct"
        ),
        "resource_requests": (
            "ChangeLease ChangeTenancy CreateLease CreateOneTimeBillItem CreateRecurringBillItem "
            "CreateRentAdjustmentPlan CreateTenancy LeasePartsRequest LeaseRequest LeasesRequest "
            "NewTenancyAddress OneTimeBillItemRequest PageRequest PendingBillsRequest "
            "RecurringBillItemRequest RentAdjustmentPlanRequest TenancyRequest"
        ),
        "resource_answers": (
            "LeaseCreated LeaseOneTimeBillItem LeasePage LeaseRecurringBillItem "
            "OneTimeBillItemCreated OneTimeBillItemPage PayoutPage PayoutRecorded "
            "ProductPage ProductRecorded RecurringBillItemCreated RecurringBillItemPage "
            "RentAdjustmentPlanCreated RentAdjustmentPlanPage TenancyCreated TenancyPage"
        ),
        "stores": "Facts Kept Store Stores",
        "endpoints": "ENDPOINTS",
        "interface_endpoints": "Endpoint",
        "operations": "OPERATIONS",
        "lease_figures": "LeaseFigures contract_period_state lease_figures_on",
    }
)
ROOM_OF: Final = MappingProxyType(
    {name: room for room, names in _ROOMS.items() for name in names.split()}
)
"""The room of each public name."""
