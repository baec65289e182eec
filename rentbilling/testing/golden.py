"""Golden files: bills as they were when somebody looked at them and found them right.

Laws: a golden file is written only when one asks for it; it is plain JSON with exact numbers, one
line item on a line, so that a change of it reads well in a review.
"""

from collections.abc import Mapping, Sequence

from rentbilling import BillingPolicy, BillingResult, PendingBill, dumps
from rentbilling.records import JsonData, quoted, read_json, write_json

_LISTS_OF_LINES = ("pendingBillLineItems", "vatTotals")


def golden_text(bills: Sequence[PendingBill], *, policy: BillingPolicy | None = None) -> str:
    """Return bills as a golden file holds them.

    Examples:
        >>> print(golden_text([]), end="")
        {
          "bills": []
        }
    """
    data = read_json(dumps(BillingResult(bills), policy=policy))
    if not data["bills"]:
        return write_json(data, indent=2) + "\n"
    written = ",\n".join(f"    {_bill(bill)}" for bill in data["bills"])
    return f'{{\n  "bills": [\n{written}\n  ]\n}}\n'


def _bill(data: Mapping[str, JsonData]) -> str:
    """Return a bill with a line for each field, and one for each line item and VAT total."""
    fields: list[str] = []
    for key, value in data.items():
        text = write_json(value)
        if key in _LISTS_OF_LINES and value:
            inner = ",\n".join(f"        {write_json(each)}" for each in value)
            text = f"[\n{inner}\n      ]"
        fields.append(f"      {quoted(key)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n    }"
