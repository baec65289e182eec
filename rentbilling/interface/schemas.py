"""JSON schemas (draft 2020-12) of what `dumps` writes: records, policy, series, results."""

from typing import Final

from rentbilling.adjustments import AdjustmentResult, adjustments_schema
from rentbilling.billing.wire import BillSchemas
from rentbilling.errors import UnknownWordError, shown
from rentbilling.indices import IndexSeries, series_schema
from rentbilling.interface.endpoints import ENDPOINTS
from rentbilling.policy import BillingPolicy, policy_schema
from rentbilling.records import definitions_for, record_body, records_in
from rentbilling.terms import LeaseTerms
from rentbilling.turnover import TurnoverAccount
from rentbilling.values import Definitions, Schema

RECORDS: Final = records_in(
    LeaseTerms,
    TurnoverAccount,
    *(kind for each in ENDPOINTS.values() for kind in (each.request, each.answer)),
)

SCHEMA_NAMES: Final = (
    *RECORDS,
    "BillingPolicy",
    "BillingResult",
    "BillingResultFull",
    "PendingBill",
    "PendingBillFull",
    "AdjustmentResult",
    "AdjustmentResultFull",
    "IndexSeries",
)
"""Names that `schema_of` knows; `Full` is what `dumps(…, full=True)` writes (A56)."""


def schema_of(name: str) -> Schema:
    """Return the JSON schema (draft 2020-12) of one of `SCHEMA_NAMES`, written in any case.

    Raises:
        UnknownWordError: There is no schema of that name.
        TypeError: The name is no text.

    Examples:
        >>> schema_of("DueDateRule")["required"]
        ['dayOfPeriod']
        >>> schema_of("Rent")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rentbilling.errors.UnknownWordError: is not a known schema (met 'Rent'; expected one of \
LeaseTerms, RecurringBillItem, ...)
    """
    if not isinstance(name, str):
        raise TypeError(f"a schema has a name such as 'LeaseTerms', not {shown(name)}")
    known = {each.lower(): each for each in SCHEMA_NAMES}.get(name.lower())
    if known is None:
        expected = "one of " + ", ".join(SCHEMA_NAMES)
        raise UnknownWordError.of("", "unknown_schema", "is not a known schema", name, expected)
    parts = Definitions()
    full = known.endswith("Full")
    bills = BillSchemas(parts, full=full)
    record = RECORDS.get(known)
    if record is not None:
        parts = definitions_for(record)
        body = record_body(record, parts)
    elif known == BillingPolicy.__name__:
        body = policy_schema()
    elif known == IndexSeries.__name__:
        body = series_schema()
    elif known.startswith(AdjustmentResult.__name__):
        body = adjustments_schema(parts, full=full)
    else:
        body = bills.bill() if known.startswith("PendingBill") else bills.whole_result()
    return parts.whole(known, body)
