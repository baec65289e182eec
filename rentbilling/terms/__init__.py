"""What a lease says: items, cycles, prices, discounts, plans, rules, index clauses.

Law: terms are data; nothing here computes a bill.
"""

from rentbilling.terms.adjustees import (
    RENT as RENT,
    balance_at as balance_at,
    balance_ids as balance_ids,
    item_at as item_at,
)
from rentbilling.terms.adjustment_tables import (
    adjustment_html as adjustment_html,
    adjustment_table as adjustment_table,
    changes_of as changes_of,
)
from rentbilling.terms.any_terms import (
    MOST_ENTRIES as MOST_ENTRIES,
    AnyLease as AnyLease,
    AnyPlans as AnyPlans,
    AnyTerms as AnyTerms,
    adjustable_of as adjustable_of,
    leases_of as leases_of,
    reading_context as reading_context,
    terms_of as terms_of,
    terms_of_data as terms_of_data,
)
from rentbilling.terms.index_clause import (
    OF_THE_STEP as OF_THE_STEP,
    IndexClause as IndexClause,
    has_defaults as has_defaults,
)
from rentbilling.terms.item_parts import (
    AmountRecord as AmountRecord,
    BillingCycle as BillingCycle,
    DescriptionRecord as DescriptionRecord,
    Discount as Discount,
    DueDateRule as DueDateRule,
    FirstBillingPeriodBillItem as FirstBillingPeriodBillItem,
    PartPeriodEnds as PartPeriodEnds,
    PartPeriodField as PartPeriodField,
    PricePer as PricePer,
    QuantityRecord as QuantityRecord,
    VatRecord as VatRecord,
    both_discounts as both_discounts,
    currency_mismatch as currency_mismatch,
    discount_problems as discount_problems,
    discounts_in_force as discounts_in_force,
    other_currencies as other_currencies,
    periods_a_year as periods_a_year,
    prices_a_year as prices_a_year,
    prices_in_a_cycle as prices_in_a_cycle,
    value_on as value_on,
)
from rentbilling.terms.lease_terms import (
    RECORDS as RECORDS,
    LeaseTerms as LeaseTerms,
    OneTimeBillItem as OneTimeBillItem,
    RecurringBillItem as RecurringBillItem,
    contract_problems as contract_problems,
    record_problems as record_problems,
)
from rentbilling.terms.plans import (
    EXTENSIONS as EXTENSIONS,
    AdjustmentEffect as AdjustmentEffect,
    AdjustmentList as AdjustmentList,
    Balance as Balance,
    NoticeRecord as NoticeRecord,
    RentAdjustment as RentAdjustment,
    RentAdjustmentPlan as RentAdjustmentPlan,
    plan_ids as plan_ids,
)
from rentbilling.terms.rules import Increment as Increment, RentAdjustmentRule as RentAdjustmentRule
