"""Money, days and months, VAT, notices: the one package that rounds and counts months."""

from rentbilling.values.allocation import (
    share_out as share_out,
    share_units as share_units,
    unit_price as unit_price,
)
from rentbilling.values.currencies import (
    CURRENCIES as CURRENCIES,
    NO_CURRENCIES as NO_CURRENCIES,
    are_minor_units as are_minor_units,
    minor_units as minor_units,
    private_problems as private_problems,
)
from rentbilling.values.holidays import (
    Recurrence as Recurrence,
    RecurringDays as RecurringDays,
    holiday as holiday,
    listed_days as listed_days,
)
from rentbilling.values.lengths import (
    Length as Length,
    is_length as is_length,
    months_and_days as months_and_days,
    months_of as months_of,
)
from rentbilling.values.money import (
    MAX_DIGITS as MAX_DIGITS,
    TOO_LARGE as TOO_LARGE,
    Amount as Amount,
    Rounding as Rounding,
    amount_of as amount_of,
    amounts_by_currency as amounts_by_currency,
    check_rounding as check_rounding,
    decimal_of as decimal_of,
    divide_rounded as divide_rounded,
    exact_number as exact_number,
    exact_ratio as exact_ratio,
    is_figure as is_figure,
    number as number,
    padded as padded,
    rounded as rounded,
    units_of as units_of,
)
from rentbilling.values.notice import Notice as Notice, notice_lines as notice_lines
from rentbilling.values.payment_references import (
    PaymentReference as PaymentReference,
    is_payment_reference as is_payment_reference,
    payment_reference as payment_reference,
)
from rentbilling.values.periods import (
    LAST_DAY as LAST_DAY,
    MONTHS as MONTHS,
    MONTHS_PER_YEAR as MONTHS_PER_YEAR,
    NEVER as NEVER,
    WEEKDAYS as WEEKDAYS,
    AnyPeriod as AnyPeriod,
    Period as Period,
    PeriodEnd as PeriodEnd,
    SpanOfDays as SpanOfDays,
    YearMonth as YearMonth,
    day_in_month as day_in_month,
    day_of as day_of,
    is_no_day as is_no_day,
    month_index as month_index,
    month_start as month_start,
    months_later as months_later,
    parse_date as parse_date,
    period_of as period_of,
)
from rentbilling.values.rates import (
    Rate as Rate,
    above_one as above_one,
    fraction_of as fraction_of,
    percent_words as percent_words,
    rate_of as rate_of,
)
from rentbilling.values.schemas import (
    ASKED_PERIOD as ASKED_PERIOD,
    DAY as DAY,
    DIALECT as DIALECT,
    YEAR as YEAR,
    Definitions as Definitions,
    Schema as Schema,
    an_object as an_object,
    day_schema as day_schema,
    month_schema as month_schema,
    or_null as or_null,
    period_schema as period_schema,
    point_schema as point_schema,
)
from rentbilling.values.vat import (
    TAX_MODES as TAX_MODES,
    TAXED as TAXED,
    UnknownVat as UnknownVat,
    Vat as Vat,
    vat_schema as vat_schema,
    vat_words as vat_words,
)
from rentbilling.values.wire_form import (
    PydanticDefinitions as PydanticDefinitions,
    WireForm as WireForm,
    exact_numbers as exact_numbers,
    json_numbers as json_numbers,
    plain_data as plain_data,
)
