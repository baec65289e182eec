"""JSON schemas (draft 2020-12) of what is read and written: records, the policy, bills.

Law: what `dumps` writes is valid under the schema of its name.
What does not live here: reading and writing (`codec`), the schemas of records (`record_schemas`),
of values (`value_schemas`) and of bills (`bill_schemas`).
"""

from dataclasses import fields
from datetime import date
from types import MappingProxyType
from typing import Final, get_args, get_type_hints

from rentbilling.bill_schemas import BillSchemas
from rentbilling.errors import UnknownWordError, shown
from rentbilling.policy import OF_THE_BILL, VERSION, BillingPolicy
from rentbilling.record_schemas import record_body
from rentbilling.records import (
    AmountRecord,
    BillingCycle,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    QuantityRecord,
    VatRecord,
)
from rentbilling.terms import LeaseTerms, OneTimeBillItem, RecurringBillItem
from rentbilling.value_schemas import Definitions, Schema, an_object, or_null, plain

_RECORDS: Final = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (
            LeaseTerms,
            RecurringBillItem,
            OneTimeBillItem,
            BillingCycle,
            DueDateRule,
            FirstBillingPeriodBillItem,
            Discount,
            AmountRecord,
            VatRecord,
            DescriptionRecord,
            QuantityRecord,
        )
    }
)

SCHEMA_NAMES: Final = (
    *_RECORDS,
    "BillingPolicy",
    "BillingResult",
    "BillingResultFull",
    "PendingBill",
    "PendingBillFull",
)
"""Names that `schema_of` knows; `Full` is what `dumps(…, full=True)` writes (A56)."""


def schema_of(name: str) -> Schema:
    """Return the JSON schema of a record, of the policy, or of bills as they are written.

    Args:
        name: One of `SCHEMA_NAMES`, in any case: the name of a record, `BillingPolicy`, or
            `BillingResult` and `PendingBill`, with `Full` behind it for the full form (A56).

    Returns:
        A schema of draft 2020-12 as plain data, complete in itself.

    Raises:
        UnknownWordError: There is no schema of that name.
        TypeError: The name is no text.

    Examples:
        >>> schema_of("DueDateRule")["required"]
        ['dayOfPeriod']
        >>> schema_of("Lease")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rentbilling.errors.UnknownWordError: is not a known schema (met 'Lease'; expected one of \
LeaseTerms, RecurringBillItem, ...)
    """
    if not isinstance(name, str):
        raise TypeError(f"a schema has a name such as 'LeaseTerms', not {shown(name)}")
    known = {each.lower(): each for each in SCHEMA_NAMES}.get(name.lower())
    if known is None:
        expected = "one of " + ", ".join(SCHEMA_NAMES)
        raise UnknownWordError.of("", "unknown_schema", "is not a known schema", name, expected)
    parts = Definitions()
    bills = BillSchemas(parts, full=known.endswith("Full"))
    if known in _RECORDS:
        body = record_body(_RECORDS[known], parts)
    elif known == BillingPolicy.__name__:
        body = _policy(whole_bill=True)
    else:
        body = bills.bill() if known.startswith("PendingBill") else bills.result()
    return parts.whole(known, body)


def _policy(*, whole_bill: bool) -> Schema:
    """Return the schema of a policy; of a product's own only the fields of its lines (A54)."""
    hints = get_type_hints(BillingPolicy)
    properties: Schema = {"version": {"const": VERSION}}
    for name in (each.name for each in fields(BillingPolicy)):
        if whole_bill or name not in OF_THE_BILL:
            first, *rest = name.split("_")
            wire = first + "".join(word.capitalize() for word in rest)
            properties[wire] = or_null(_policy_field(name, hints[name]))
    said = "Every choice the interface leaves open; what is absent has its default."
    return {"description": said, **an_object(properties, [])}


def _policy_field(name: str, hint: object) -> Schema:
    """Return the schema of a policy's field."""
    if name == "holidays":
        return {"type": "array", "items": plain(date)}
    if name == "max_lines":
        return {"type": "integer", "minimum": 1}
    values: dict[str, Schema] = {
        "currencies": {"type": "integer", "minimum": 0, "maximum": 8},
        "cash_rounding": {"type": "number", "exclusiveMinimum": 0},
    }
    if name == "by_product":
        values[name] = _policy(whole_bill=False)
    if name in values:
        return {"type": "object", "additionalProperties": values[name]}
    return {"enum": list(get_args(hint))} if get_args(hint) else plain(bool)
