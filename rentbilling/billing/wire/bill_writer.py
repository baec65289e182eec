"""Bills written as JSON: the interface's `{"bills": […]}`, from whole numbers.

Law: the interface's fields and no others, unless the full form is asked for (A56), a policy adds
one that is used (A52), or the bill is a payer's part of another (A68).
"""

from fractions import Fraction

from rentbilling.billing import (
    BillingResult,
    LineFigures,
    PendingBill,
    RawLine,
    RawTotal,
    discounts_of,
)
from rentbilling.policy import BillingPolicy
from rentbilling.records import (
    JsonData,
    day_text,
    days_past_end,
    quoted,
    record_writer,
    vat_text,
    write_json,
)
from rentbilling.values import Notice, plain_data


def bills_text(value: BillingResult | PendingBill, policy: BillingPolicy, *, full: bool) -> str:
    """Return bills as JSON, in full with their adjustments (A56)."""
    writer = BillWriter(full=full, period_end=policy.period_end)
    if isinstance(value, PendingBill):
        return writer.bill(value)
    text = writer.result(value)
    if not (full and value.adjustments):
        return text
    records = record_writer(policy.currencies, period_end=policy.period_end, full=True)
    return f'{text[:-1]}, "adjustments": {records.several(tuple(value.adjustments))}}}'


class BillWriter:
    """Writes bills as JSON; texts that many lines share are cached."""

    __slots__ = ("_figures", "_full", "_past_end")

    def __init__(self, *, full: bool, period_end: str) -> None:
        self._full = full
        self._past_end = days_past_end(period_end)
        self._figures: dict[LineFigures, tuple[str, str]] = {}

    def result(self, result: BillingResult) -> str:
        bills = ", ".join([self.bill(bill) for bill in result.bills])
        if not self._full:
            return f'{{"bills": [{bills}]}}'
        known: dict[str, JsonData] = {"leaseId": result.lease_id}
        if result.period is not None:
            known["period"] = self._period(result.period.first, result.period.last)
        known["policyFingerprint"] = result.policy_fingerprint
        known["notices"] = [notice_data(notice) for notice in result.notices]
        tail = write_json({key: value for key, value in known.items() if value is not None})
        return f'{{"bills": [{bills}], {tail[1:]}'

    def bill(self, bill: PendingBill) -> str:
        places = bill.places
        subtotal, total, cash = bill.sums
        head = f'{{"currency": {quoted(bill.currency)}, "amount": '
        lines = ", ".join([self._line(line) for line in bill.raw_lines])
        totals = ", ".join([self._vat_total(each, head, places) for each in bill.raw_totals])
        text = (
            f'{{"dueDate": "{day_text(bill.due)}", "pendingBillLineItems": [{lines}], '
            f'"subtotal": {head}{units_text(subtotal, places)}}}, '
            f'"total": {head}{units_text(total, places)}}}, "vatTotals": [{totals}]'
        )
        if cash is not None:
            text += f', "cashRounding": {head}{units_text(cash, places)}}}'
            text += f', "payable": {head}{units_text(total + cash, places)}}}'
        if bill.payer is not None:
            text += f', "payer": {quoted(bill.payer.name)}'
            off = [
                f'"{path}": {head}{units_text(units, places)}}}'
                for path, units in bill.payer.corrections.items()
            ]
            text += f', "corrections": {{{", ".join(off)}}}' if off else ""
        return text + "}"

    def _vat_total(self, each: RawTotal, head: str, places: int) -> str:
        vat, units, net = each
        base = f', "base": {head}{units_text(net, places)}}}' if self._full else ""
        amount = f"{head}{units_text(units, places)}}}"
        return f'{{"vat": {vat_text(vat)}, "amount": {amount}{base}}}'

    def _line(self, line: RawLine) -> str:
        figures, first, last = line
        there = self._figures.get(figures)
        if there is None:
            there = self._figures[figures] = self._shared(figures)
        before, after = there
        text = f"{before}{day_text(first)}/{day_text(last + self._past_end)}{after}"
        if self._full and figures.kind == "regular" and figures.regular is None:
            text = f'{text[:-1]}, "regularPeriod": "{self._period(first, last)}"}}'
        return text

    def _shared(self, figures: LineFigures) -> tuple[str, str]:
        """Return the text of a line before and after its days."""
        head = f'{{"currency": {quoted(figures.currency)}, "amount": '
        before = (
            f'{{"productKey": {quoted(figures.product_key)}, "amount": {head}{figures.amount:f}}}, '
            f'"quantity": {figures.quantity:f}, "unitNetPrice": {head}{figures.unit_net:f}}}, '
            f'"netPrice": {head}{units_text(figures.net, figures.places)}}}, '
            f'"vat": {vat_text(figures.vat)}, "accountingPeriod": "'
        )
        if not self._full:
            return before, '"}'
        known = {
            "itemId": figures.item_id,
            "kind": figures.kind,
            "description": figures.description,
            "discountText": figures.discount_text,
            "discounts": plain_data(discounts_of(figures)) if figures.taken else None,
            "share": str(Fraction(*figures.share)),
            "counted": figures.counted,
            "regularPeriod": figures.regular and self._period(*figures.regular),
        }
        tail = write_json({key: value for key, value in known.items() if value is not None})
        return before, f'", {tail[1:]}'

    def _period(self, first: int, last: int) -> str:
        return f"{day_text(first)}/{day_text(last + self._past_end)}"


def units_text(units: int, places: int) -> str:
    """Return minor units as a number in the main unit: 850000 with 2 places is 8500.00."""
    if not places:
        return str(units)
    if units < 0:
        return "-" + units_text(-units, places)
    digits = str(units).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"


def notice_data(notice: Notice) -> JsonData:
    data = {"code": notice.code, "message": notice.message, "itemId": notice.item_id}
    kept: dict[str, JsonData] = {key: value for key, value in data.items() if value is not None}
    return {**kept, "facts": dict(notice.facts)}
