"""Money, days and months, VAT, notices: the one package that rounds and counts months."""

from rentbilling.values.allocation import share_out as share_out, unit_price as unit_price
from rentbilling.values.currencies import (
    CURRENCIES as CURRENCIES,
    NO_CURRENCIES as NO_CURRENCIES,
    are_minor_units as are_minor_units,
    minor_units as minor_units,
    private_problems as private_problems,
)
from rentbilling.values.money import (
    MAX_DIGITS as MAX_DIGITS,
    Amount as Amount,
    Rounding as Rounding,
    check_rounding as check_rounding,
    decimal_of as decimal_of,
    divide_rounded as divide_rounded,
    exact_number as exact_number,
    exact_ratio as exact_ratio,
    number as number,
    rounded as rounded,
    units_of as units_of,
)
from rentbilling.values.notice import Notice as Notice
from rentbilling.values.periods import (
    LAST_DAY as LAST_DAY,
    MONTHS as MONTHS,
    MONTHS_PER_YEAR as MONTHS_PER_YEAR,
    NEVER as NEVER,
    WEEKDAYS as WEEKDAYS,
    Period as Period,
    PeriodEnd as PeriodEnd,
    YearMonth as YearMonth,
    day_in_month as day_in_month,
    day_of as day_of,
    month_index as month_index,
    month_start as month_start,
    parse_date as parse_date,
    period_of as period_of,
)
from rentbilling.values.policy_words import (
    WORDS as WORDS,
    BalanceChange as BalanceChange,
    BusinessDay as BusinessDay,
    DiscountEnd as DiscountEnd,
    IncrementAmount as IncrementAmount,
    MidPeriodChange as MidPeriodChange,
    MissingIndex as MissingIndex,
    PartPeriod as PartPeriod,
    Select as Select,
    VatRounding as VatRounding,
)
from rentbilling.values.vat import (
    TAX_MODES as TAX_MODES,
    TAXED as TAXED,
    UnknownVat as UnknownVat,
    Vat as Vat,
    percent_words as percent_words,
    vat_words as vat_words,
)
