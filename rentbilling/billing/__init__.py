"""Terms and a period become bills: prices, lines, discounts, VAT totals, corrections.

Law: every figure is exact until the one point at which the policy rounds it.
"""

from rentbilling.billing.api import (
    bill_period as bill_period,
    compile_terms as compile_terms,
    pending_bills as pending_bills,
)
from rentbilling.billing.bill import (
    BillingResult as BillingResult,
    Payer as Payer,
    PendingBill as PendingBill,
    VatTotal as VatTotal,
)
from rentbilling.billing.compiled import CompiledTerms as CompiledTerms
from rentbilling.billing.discounts import discounted as discounted
from rentbilling.billing.earlier_bills import refuse_unknown_vat as refuse_unknown_vat
from rentbilling.billing.figures import (
    CorrectionFigures as CorrectionFigures,
    Kind as Kind,
    LineFigures as LineFigures,
    RawLine as RawLine,
    RawTotal as RawTotal,
    TakenOff as TakenOff,
    VatGroup as VatGroup,
    gross_units as gross_units,
    shown_unit as shown_unit,
    shown_unit_net as shown_unit_net,
    stated_vat as stated_vat,
    vat_of_lines as vat_of_lines,
)
from rentbilling.billing.items.item import CompiledItem as CompiledItem
from rentbilling.billing.items.new_items import (
    AnyDay as AnyDay,
    monthly_rent as monthly_rent,
    one_time_item as one_time_item,
    recurring_item as recurring_item,
    rent_free as rent_free,
    stepped_discount as stepped_discount,
)
from rentbilling.billing.items.opening import (
    cut_opening as cut_opening,
    discounts_in_price as discounts_in_price,
    first_billing_period as first_billing_period,
    opening_by_rule as opening_by_rule,
    opening_changes as opening_changes,
    opening_days as opening_days,
    priced_opening as priced_opening,
)
from rentbilling.billing.line_items import (
    LineDiscount as LineDiscount,
    PendingBillLineItem as PendingBillLineItem,
    discounts_of as discounts_of,
)
from rentbilling.billing.vat import (
    bill_of_lines as bill_of_lines,
    cash_rounding as cash_rounding,
    regrouped as regrouped,
    vat_totals as vat_totals,
)
