"""Bills that others made as a table: read as data of bills to check and compare.

Law: what the rows state is passed on as it is, also where it is wrong.
"""

from rentbilling.checks.tables.table_bills import (
    BillTable as BillTable,
    TableBills as TableBills,
    UnreadableBill as UnreadableBill,
)
