"""Cycles become accounting periods, due dates, recurrences, and shares of part periods."""

from rentbilling.schedule.counted_days import counted_words as counted_words
from rentbilling.schedule.due_dates import (
    MOST_SHIFT as MOST_SHIFT,
    business_day as business_day,
    due_date as due_date,
    first_business_day as first_business_day,
)
from rentbilling.schedule.ends import (
    BillingEnds as BillingEnds,
    ends_before_it_begins as ends_before_it_begins,
)
from rentbilling.schedule.part_periods import (
    MONTH_PARTS as MONTH_PARTS,
    WHOLE as WHOLE,
    Share as Share,
    calendar_years as calendar_years,
    month_parts as month_parts,
    opening_share as opening_share,
    own_month as own_month,
    part_periods_of as part_periods_of,
    period_share as period_share,
    share_of as share_of,
    shares_of_parts as shares_of_parts,
    thirty_day_count as thirty_day_count,
    whole_before as whole_before,
)
from rentbilling.schedule.periods import (
    Schedule as Schedule,
    accounting_periods as accounting_periods,
    schedule_of as schedule_of,
)
from rentbilling.schedule.recurrences import to_rrule as to_rrule, to_rruleset as to_rruleset
from rentbilling.schedule.vat_days import VatDays as VatDays
