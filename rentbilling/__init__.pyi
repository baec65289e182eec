# The names of `rentbilling`; each is loaded from its package when it is first used (lazy.py).

from rentbilling.adjustments import (
    AdjustmentResult as AdjustmentResult,
    adjusted_terms as adjusted_terms,
    amount_in_force as amount_in_force,
    next_adjustment_date as next_adjustment_date,
    rent_adjustments as rent_adjustments,
)
from rentbilling.billing import (
    BillingResult as BillingResult,
    CompiledTerms as CompiledTerms,
    PendingBill as PendingBill,
    PendingBillLineItem as PendingBillLineItem,
    VatTotal as VatTotal,
    bill_period as bill_period,
    compile_terms as compile_terms,
    first_billing_period as first_billing_period,
    monthly_rent as monthly_rent,
    one_time_item as one_time_item,
    pending_bills as pending_bills,
    recurring_item as recurring_item,
    vat_totals as vat_totals,
)
from rentbilling.checks import (
    Difference as Difference,
    Finding as Finding,
    check_bill as check_bill,
    compare_bills as compare_bills,
)
from rentbilling.codec import dumps as dumps, loads as loads
from rentbilling.errors import (
    InvalidInputError as InvalidInputError,
    MissingFactError as MissingFactError,
    MissingIndexError as MissingIndexError,
    Problem as Problem,
    RentBillingError as RentBillingError,
    UnsupportedCaseError as UnsupportedCaseError,
)
from rentbilling.explanations import Working as Working, explain as explain
from rentbilling.indices import IndexPoint as IndexPoint, IndexSeries as IndexSeries
from rentbilling.policy import BillingPolicy as BillingPolicy
from rentbilling.schedule import accounting_periods as accounting_periods, due_date as due_date
from rentbilling.terms import (
    AdjustmentEffect as AdjustmentEffect,
    AmountRecord as AmountRecord,
    Balance as Balance,
    BillingCycle as BillingCycle,
    DescriptionRecord as DescriptionRecord,
    Discount as Discount,
    DueDateRule as DueDateRule,
    FirstBillingPeriodBillItem as FirstBillingPeriodBillItem,
    Increment as Increment,
    IndexClause as IndexClause,
    LeaseTerms as LeaseTerms,
    OneTimeBillItem as OneTimeBillItem,
    QuantityRecord as QuantityRecord,
    RecurringBillItem as RecurringBillItem,
    RentAdjustment as RentAdjustment,
    RentAdjustmentPlan as RentAdjustmentPlan,
    RentAdjustmentRule as RentAdjustmentRule,
    VatRecord as VatRecord,
)
from rentbilling.values import (
    Amount as Amount,
    Notice as Notice,
    Period as Period,
    Vat as Vat,
    YearMonth as YearMonth,
)
from rentbilling.whatif import forecast as forecast, what_if as what_if

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
__version__: str
