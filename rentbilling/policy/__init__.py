"""The billing policy: every choice that the interface leaves open, with its default.

Law: a policy is a checked value that is passed whole; equal ones have equal fingerprints (A59).
"""

from rentbilling.policy.billing_policy import (
    DEFAULT as DEFAULT,
    BillingPolicy as BillingPolicy,
    policy_of as policy_of,
    policy_schema as policy_schema,
)
from rentbilling.policy.words import (
    OF_THE_BILL as OF_THE_BILL,
    WORDS as WORDS,
    BalanceChange as BalanceChange,
    BusinessDay as BusinessDay,
    DiscountEnd as DiscountEnd,
    IncrementAmount as IncrementAmount,
    MidPeriodChange as MidPeriodChange,
    MissingIndex as MissingIndex,
    PartPeriod as PartPeriod,
    PartPeriods as PartPeriods,
    Select as Select,
    VatDay as VatDay,
    VatRounding as VatRounding,
)
