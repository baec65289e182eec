"""JSON schemas of bills: the interface's fields, in full also what a result knows (A56)."""

from datetime import date
from decimal import Decimal
from typing import get_args

from rentbilling.billing import Kind
from rentbilling.records import plain
from rentbilling.values import Definitions, Period, Schema, an_object, vat_schema


class BillSchemas:
    """Makes the schemas of bills in one of their two forms."""

    def __init__(self, parts: Definitions, *, full: bool) -> None:
        self._parts = parts
        self._full = full

    def result(self) -> Schema:
        """Return the schema of a result: its bills, and in full what else it knows."""
        bill = self._parts.defined("PendingBill", self.bill)
        properties: Schema = {"bills": {"type": "array", "items": bill}}
        required = ["bills"]
        if self._full:
            notice = self._parts.defined("Notice", _notice)
            properties["leaseId"] = plain(str)
            properties["period"] = plain(Period)
            properties["policyFingerprint"] = plain(str)
            properties["notices"] = {"type": "array", "items": notice}
            required.append("notices")
        said = "Bills in order of due date, then currency."
        return {"description": said, **an_object(properties, required)}

    def whole_result(self) -> Schema:
        """Return the schema of a result, in full with its adjustments (A56)."""
        body = self.result()
        if self._full:
            from rentbilling.adjustments import adjustments_schema  # noqa: PLC0415 - few ask

            made = adjustments_schema(self._parts, full=True)["properties"]["adjustments"]
            body["properties"]["adjustments"] = made
        return body

    def bill(self) -> Schema:
        amount = self._parts.amount()
        line = self._parts.defined("PendingBillLineItem", self.line)
        vat_total = self._parts.defined("VatTotal", self.vat_total)
        required: Schema = {
            "dueDate": plain(date),
            "pendingBillLineItems": {"type": "array", "items": line},
            "subtotal": amount,
            "total": amount,
            "vatTotals": {"type": "array", "items": vat_total},
        }
        # Only where the policy rounds cash, and then both (A52).
        rounded: Schema = {"cashRounding": amount, "payable": amount}
        # Only of a payer's part of another bill (A68).
        corrected = {"type": "object", "additionalProperties": amount}
        part: Schema = {"payer": {"type": "string", "minLength": 1}, "corrections": corrected}
        said = "A bill that is about to fall due: its lines, VAT totals and sums."
        return {
            "description": said,
            **an_object({**required, **rounded, **part}, list(required)),
            "dependentRequired": {
                "cashRounding": ["payable"],
                "payable": ["cashRounding"],
                "corrections": ["payer"],
            },
        }

    def line(self) -> Schema:
        amount = self._parts.amount()
        required: Schema = {
            "productKey": plain(str),
            "amount": amount,
            "quantity": plain(Decimal),
            "unitNetPrice": amount,
            "netPrice": amount,
            "vat": vat_schema(self._parts),
            "accountingPeriod": plain(Period),
        }
        known: Schema = {}
        if self._full:
            required["kind"] = {"enum": list(get_args(Kind))}
            required["share"] = {"type": "string", "pattern": "^[0-9]+(/[1-9][0-9]*)?$"}
            known = {
                name: plain(str) for name in ("itemId", "description", "discountText", "counted")
            }
            known["regularPeriod"] = plain(Period)
            taken = {"description": plain(str), "percentage": plain(Decimal), "takenOff": amount}
            each = {"description": "What a discount took off.", **an_object(taken, ["takenOff"])}
            known["discounts"] = {"type": "array", "items": each}
        said = "One item, or a part of it, for the days of one accounting period."
        return {"description": said, **an_object({**required, **known}, list(required))}

    def vat_total(self) -> Schema:
        properties: Schema = {"vat": vat_schema(self._parts), "amount": self._parts.amount()}
        if self._full:
            properties["base"] = self._parts.amount()
        said = "VAT of all lines of one tax mode and rate."
        return {"description": said, **an_object(properties, list(properties))}


def _notice() -> Schema:
    parts: Schema = {name: plain(str) for name in ("code", "message", "itemId")}
    parts["facts"] = {"type": "object", "additionalProperties": plain(str)}
    said = "Something a person should look at, which did not stop the run."
    return {"description": said, **an_object(parts, ["code", "message", "facts"])}
