"""Who pays how much of a bill: its discounts, its payers, and a balance taken into it.

Law: the figures of all parts add up to those of the bill, to the minor unit.
"""

from rentbilling.payers.bill_discounts import (
    BillDiscount as BillDiscount,
    DiscountedBill as DiscountedBill,
    DiscountStep as DiscountStep,
    discount_bill as discount_bill,
    product_of as product_of,
)
from rentbilling.payers.carried_balances import Carried as Carried, carry as carry
from rentbilling.payers.shares import AnyShare as AnyShare, Shares as Shares
from rentbilling.payers.split import SplitBill as SplitBill, split_bill as split_bill
