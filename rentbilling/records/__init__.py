"""What every input record shares: strict reading, problems with paths, JSON schemas.

Law: a record that exists is valid; what is wrong is reported whole, each problem with its path.
"""

from rentbilling.records.bounds import (
    A_FRACTION as A_FRACTION,
    LIMIT as LIMIT,
    MORE_THAN_NONE as MORE_THAN_NONE,
    NOT_BELOW_ZERO as NOT_BELOW_ZERO,
    PERCENTAGE as PERCENTAGE,
    InSchema as InSchema,
    Matching as Matching,
    NotZero as NotZero,
    OrWord as OrWord,
    Within as Within,
)
from rentbilling.records.description import (
    FieldType as FieldType,
    RecordField as RecordField,
    fields_of as fields_of,
    records_in as records_in,
    sentences as sentences,
    wire_name as wire_name,
    wire_names as wire_names,
)
from rentbilling.records.fields import (
    ABSENT as ABSENT,
    PLAIN_DATA as PLAIN_DATA,
    PLAIN_DICT as PLAIN_DICT,
    AdjustmentTypeField as AdjustmentTypeField,
    Allowance as Allowance,
    AmountField as AmountField,
    AnyCase as AnyCase,
    AskedPeriodField as AskedPeriodField,
    CalendarMonthField as CalendarMonthField,
    CurrencyField as CurrencyField,
    DateField as DateField,
    DateTimeField as DateTimeField,
    FlagField as FlagField,
    FromShort as FromShort,
    IdField as IdField,
    Listed as Listed,
    LongTextField as LongTextField,
    MonthsField as MonthsField,
    NameField as NameField,
    NumberField as NumberField,
    OptionalAskedPeriodField as OptionalAskedPeriodField,
    OptionalDateField as OptionalDateField,
    OptionalNumberField as OptionalNumberField,
    OptionalPeriodField as OptionalPeriodField,
    OptionalQuantityField as OptionalQuantityField,
    OptionalRateField as OptionalRateField,
    PeriodField as PeriodField,
    PointField as PointField,
    QuantityField as QuantityField,
    RateField as RateField,
    RecurrenceField as RecurrenceField,
    TextField as TextField,
    TimeUnitField as TimeUnitField,
    VatField as VatField,
    WholeField as WholeField,
    YearField as YearField,
    YearMonthField as YearMonthField,
    amount_from as amount_from,
    moment_of as moment_of,
    vat_from as vat_from,
)
from rentbilling.records.json_schema import (
    definitions_for as definitions_for,
    record_body as record_body,
)
from rentbilling.records.json_text import (
    LONE_SURROGATE as LONE_SURROGATE,
    MOST_LEVELS as MOST_LEVELS,
    NOT_READ as NOT_READ,
    JsonData as JsonData,
    entries_of as entries_of,
    quoted as quoted,
    read_json as read_json,
    read_odd_json as read_odd_json,
    read_quickly as read_quickly,
    refuse_too_many as refuse_too_many,
    with_json_problems as with_json_problems,
    write_json as write_json,
)
from rentbilling.records.messages import Steps as Steps, with_details as with_details
from rentbilling.records.quick_reader import (
    LEFT as LEFT,
    Unusual as Unusual,
    quick_date as quick_date,
    quick_number as quick_number,
    quick_period as quick_period,
    quick_vat as quick_vat,
    reader_of as reader_of,
)
from rentbilling.records.raw_record import OrRaw as OrRaw, RawRecord as RawRecord
from rentbilling.records.record import (
    CheckedRecord as CheckedRecord,
    Problems as Problems,
    Record as Record,
    SilentRecord as SilentRecord,
)
from rentbilling.records.record_writer import (
    RecordWriter as RecordWriter,
    day_text as day_text,
    days_past_end as days_past_end,
    record_writer as record_writer,
    vat_text as vat_text,
)
from rentbilling.records.text_limits import (
    A_KEY as A_KEY,
    MOST_IN_A_LIST as MOST_IN_A_LIST,
    MOST_IN_ALL_LISTS as MOST_IN_ALL_LISTS,
    MOST_OF_A_LONG_TEXT as MOST_OF_A_LONG_TEXT,
    MOST_OF_A_TEXT as MOST_OF_A_TEXT,
    MOST_OF_A_WORD as MOST_OF_A_WORD,
    MOST_OF_ALL_TEXTS as MOST_OF_ALL_TEXTS,
    TextBound as TextBound,
)
from rentbilling.records.value_schemas import plain as plain
