"""The words that the fields of a billing policy choose from; `BillingPolicy` documents them."""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from rentbilling.values import PeriodEnd, Rounding

BusinessDay = Literal["none", "following", "preceding", "modified_following"]
Select = Literal["due_date", "accounting_period"]
MidPeriodChange = Literal["split", "next_period"]
PartPeriod = Literal[
    "actual_days",
    "period_days",
    "thirty_day",
    "days_over_30",
    "year_365",
    "year_actual",
    "half_month",
    "full",
]


class PartPeriods(NamedTuple):
    """How the part periods at the two ends of an item are counted (A66)."""

    first: PartPeriod = "actual_days"
    """Of an opening period that is priced (A14)."""
    last: PartPeriod = "actual_days"
    """Of a period that an end cuts (A17)."""


VatDay = Literal["split", "period_start", "period_end", "due_date"]
DiscountEnd = Literal["last_day", "whole_period"]
VatRounding = Literal["per_rate", "per_line"]
IncrementAmount = Literal["per_year", "per_period"]
MissingIndex = Literal["refuse", "notice"]
BalanceChange = Literal["not_billed", "once"]

WORDS: Final = MappingProxyType(
    {
        "rounding": Rounding,
        "period_end": PeriodEnd,
        "business_day": BusinessDay,
        "select": Select,
        "mid_period_change": MidPeriodChange,
        "part_period": PartPeriod,
        "discount_end": DiscountEnd,
        "vat_day": VatDay,
        "vat_rounding": VatRounding,
        "increment_amount": IncrementAmount,
        "missing_index": MissingIndex,
        "balance_change": BalanceChange,
    }
)
"""The words of each field."""

OF_THE_BILL: Final = (
    "currencies",
    "period_end",
    "select",
    "vat_rounding",
    "cash_rounding",
    "by_product",
    "increment_amount",
    "missing_index",
    "balance_change",
    "max_lines",
)
"""Fields that a whole bill or answer has one of, so that a product's own policy cannot set them."""
