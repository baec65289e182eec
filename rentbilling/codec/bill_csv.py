"""Bills as CSV: one row for each line item, as RFC 4180 has it.

The columns, in this order:

    due_date          when the bill falls due, YYYY-MM-DD
    item_id           the bill item
    product_key       key of the product billed
    description       text on the bill, empty without one
    period_start      first day paid for
    period_end        last day paid for, included whatever the policy says of texts
    quantity          units
    amount            price of one unit in its own tax mode
    unit_net_price    price of one unit without VAT
    net_price         the line without VAT; the rows of a bill sum to its subtotal
    tax_mode          Exclusive, Inclusive, Exempt or ReverseCharge
    tax_rate          a fraction, 0.25 is 25 percent; empty without one
    currency          of all amounts in the row

With the full form, also:

    lease_id          the lease, empty where it has no id
    kind              opening, regular, part, one_time, balance, correction or discount
    share             exact share of the regular period, such as 17/31
    regular_start     first day of the regular period; empty for opening and one-time lines
    regular_end       its last day
    discount          texts of the discounts taken off

and of the whole bill, the same on each of its rows:

    bill_subtotal     sum of the net prices
    bill_vat          all VAT
    bill_total        both together
    bill_payable      total and cash rounding: what the tenant pays

"""

from collections.abc import Iterator

from rentbilling.billing import BillingResult, PendingBill, PendingBillLineItem
from rentbilling.codec.csv_texts import Cell, csv_text

COLUMNS = (
    *("due_date", "item_id", "product_key", "description", "period_start", "period_end"),
    *("quantity", "amount", "unit_net_price", "net_price", "tax_mode", "tax_rate", "currency"),
)
FULL_COLUMNS = (
    *("lease_id", "kind", "share", "regular_start", "regular_end", "discount"),
    *("bill_subtotal", "bill_vat", "bill_total", "bill_payable"),
)


def csv_of(result: BillingResult, *, full: bool) -> str:
    r"""Return the line items of a result as CSV, with a row of names first.

    Examples:
        >>> csv_of(BillingResult(()), full=False)[:17]
        'due_date,item_id,'
    """
    return csv_text(_rows(result, full=full))


def _rows(result: BillingResult, *, full: bool) -> Iterator[list[Cell]]:
    """Give the row of names, and a row for each line."""
    yield [*COLUMNS, *FULL_COLUMNS] if full else [*COLUMNS]
    for bill in result:
        of_bill = [*_bill_cells(bill)]
        for line in bill.lines:
            row = [*_cells(bill, line)]
            if full:
                row += [*_more_cells(result.lease_id, line), *of_bill]
            yield row


def _cells(bill: PendingBill, line: PendingBillLineItem) -> Iterator[Cell]:
    """Give the cells of a line, in the order of the columns."""
    yield bill.due_date
    yield line.item_id
    yield line.product_key
    yield line.description
    yield line.accounting_period.start
    yield line.accounting_period.end
    yield line.quantity
    yield line.amount.amount
    yield line.unit_net_price.amount
    yield line.net_price.amount
    yield line.vat.tax_mode
    yield line.vat.tax_rate
    yield bill.currency


def _more_cells(lease_id: str | None, line: PendingBillLineItem) -> Iterator[Cell]:
    regular = line.regular_period
    yield lease_id
    yield line.kind
    yield line.share
    yield None if regular is None else regular.start
    yield None if regular is None else regular.end
    yield line.discount_text


def _bill_cells(bill: PendingBill) -> Iterator[Cell]:
    for amount in (bill.subtotal, bill.total - bill.subtotal, bill.total, bill.payable):
        yield amount.amount
