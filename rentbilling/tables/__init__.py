"""Rows of any result: as text, as HTML, as data frames. A table computes no figure."""

from rentbilling.tables.notation import (
    KNOWN_DATES as KNOWN_DATES,
    KNOWN_NUMBERS as KNOWN_NUMBERS,
    TOTALS as TOTALS,
    Notation as Notation,
    delimiter_problems as delimiter_problems,
    is_absent as is_absent,
    names_totals as names_totals,
    unread_day as unread_day,
    without_currency as without_currency,
)
from rentbilling.tables.record_rows import (
    PageRecord as PageRecord,
    TabularRecord as TabularRecord,
    table_of as table_of,
)
from rentbilling.tables.sequence import (
    ResultSequence as ResultSequence,
    beginning as beginning,
    counted as counted,
)
from rentbilling.tables.tabular import (
    Column as Column,
    Row as Row,
    Table as Table,
    Tabular as Tabular,
    columns as columns,
    shown_cell as shown_cell,
    text_table as text_table,
)
