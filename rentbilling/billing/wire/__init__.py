"""Bills in other forms: the interface's JSON, the JSON schema of that, and tables for people.

Laws: what is written and read again is equal; this is loaded when it is first asked for.
"""

from rentbilling.billing.wire.bill_reader import (
    bill_of as bill_of,
    bills_of as bills_of,
    line_of as line_of,
    notice_of as notice_of,
    vat_total_of as vat_total_of,
)
from rentbilling.billing.wire.bill_schemas import BillSchemas as BillSchemas
from rentbilling.billing.wire.bill_tables import (
    bill_html as bill_html,
    bill_tables as bill_tables,
    lines_html as lines_html,
    result_html as result_html,
    result_text as result_text,
)
from rentbilling.billing.wire.bill_writer import (
    BillWriter as BillWriter,
    bills_text as bills_text,
    notice_data as notice_data,
)
