"""How much was billed, and how much VAT is in it, by tax mode and rate?

Law: nets and VAT of the rows add up to the totals of the bills, currency by currency.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final, Literal

from rentbilling.billing import BillingResult, PendingBill, RawLine, vat_of_lines
from rentbilling.errors import check_word
from rentbilling.reports.cash_flow import billed_of
from rentbilling.reports.earned import Span
from rentbilling.tables import Table, columns
from rentbilling.values import LAST_DAY, AnyPeriod, Period, decimal_of, period_of

VatDay = Literal["due_date", "accounting_period"]

_COLUMNS: Final = (
    *columns(text="tax_mode", number="tax_rate"),
    *columns(text="currency", money="net vat gross", flag="corrections"),
)

_Key = tuple[str, Decimal | None, str, int, bool]


def vat_report(
    results: PendingBill | BillingResult | Iterable[BillingResult | PendingBill],
    *,
    period: AnyPeriod | None = None,
    by: VatDay = "due_date",
) -> Table:
    """Return net, VAT and gross of bills by tax mode and rate, corrections apart.

    Args:
        results: A bill, or the bills of one or many leases.
        period: The days to report; all of them by default.
        by: Whether a bill counts whole on its due date, or each line on the days that it pays for,
            by A20: so much of its net and of its share of the VAT (A29) as is earned in the period.

    Returns:
        Rows in order of first appearance, in main units; the tax rate is a fraction, None where the
        mode has none. `corrections` are lines that correct earlier bills (A53).

    Raises:
        InvalidPeriodError: The period cannot be read.
        InvalidRecordError: A part of the argument is not a bill; its place is named.
        UnknownWordError: `by` is not a known word.

    Examples:
        >>> from rentbilling import Vat, pending_bills
        >>> from rentbilling.testing import a_lease, a_rent
        >>> rent = a_rent(amount=8500, vat=Vat("Exclusive", "0.25"))
        >>> print(vat_report(pending_bills(a_lease(rent), "2026"), period="2026-03"))
        tax_mode   tax_rate  currency      net      vat     gross  corrections
        Exclusive      0.25  DKK       8500.00  2125.00  10625.00  no
    """
    words = ("due_date", "accounting_period")
    check_word("by", by, words, expected=" or ".join(words))
    asked = Period.unchecked(1, LAST_DAY) if period is None else period_of(period)
    sums: dict[_Key, tuple[int, int]] = {}
    for _, bills in billed_of(results):
        for bill in bills:
            for line, net, vat in _figures(bill, asked, by):
                figures = line[0]
                # An untaxed mode is one, with or without a rate of 0.
                of, correction = figures.group.vat, figures.kind == "correction"
                key = (of.tax_mode, of.tax_rate, bill.currency, bill.places, correction)
                before = sums.get(key, (0, 0))
                sums[key] = before[0] + net, before[1] + vat
    return Table(_COLUMNS, [*_rows(sums)])


def _figures(bill: PendingBill, asked: Period, by: VatDay) -> Iterator[tuple[RawLine, int, int]]:
    """Give the lines of a bill that are in a period, with their net and VAT there."""
    first, last = asked.first, asked.last
    if by == "due_date" and not first <= bill.due <= last:
        return
    lines = bill.raw_lines
    for line, vat in zip(lines, vat_of_lines(lines, bill.raw_totals), strict=True):
        figures, start, end = line
        if by == "due_date":
            yield line, figures.net, vat
        elif start <= last and first <= end:
            net, tax = (Span(units, start, end) for units in (figures.net, vat))
            yield line, net.within(first, last), tax.within(first, last)


def _rows(sums: dict[_Key, tuple[int, int]]) -> Iterator[tuple[object, ...]]:
    # Rates that are equal numbers are one row, whatever their digits: they are equal as keys.
    for (mode, rate, currency, places, correction), (net, vat) in sums.items():
        money = (decimal_of(units, places) for units in (net, vat, net + vat))
        yield mode, rate, currency, *money, correction
