"""What was earned in each month, and what is billed and not earned, or earned and not billed?

Laws: what is earned over all months is what is billed; at the end of the last one nothing is
deferred or accrued.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from types import MappingProxyType
from typing import Final, Literal

from rentbilling.billing import BillingResult, PendingBill
from rentbilling.errors import check_word
from rentbilling.reports.cash_flow import billed_of
from rentbilling.reports.earned import Span
from rentbilling.tables import Column, Table, columns
from rentbilling.values import MONTHS_PER_YEAR, decimal_of, month_index, month_start

AccrualsBy = Literal["month", "quarter", "year"]

_MONTHS: Final = MappingProxyType({"month": 1, "quarter": 3, "year": MONTHS_PER_YEAR})


class _Sums:
    """Minor units of one currency: changes by month."""

    def __init__(self) -> None:
        self.earned: defaultdict[int, int] = defaultdict(int)
        self.billed: defaultdict[int, int] = defaultdict(int)
        self.deferred: defaultdict[int, int] = defaultdict(int)
        """Billed and not earned at the end of a month."""
        self.accrued: defaultdict[int, int] = defaultdict(int)
        """Earned and not billed at the end of a month."""

    def add(self, due: int, span: Span) -> None:
        """Add a line that falls due in a month."""
        self.billed[due] += span.units
        so_far = 0
        for month, reached in span.by_month():
            self.earned[month] += reached - so_far
            so_far = reached
            if month < due:
                self.accrued[month] += reached
            else:
                self.deferred[month] += span.units - reached
        start, end = month_index(span.first), month_index(span.last)
        for month in range(due, start):
            self.deferred[month] += span.units
        for month in range(end + 1, due):
            self.accrued[month] += span.units


def accruals(
    results: PendingBill | BillingResult | Iterable[BillingResult | PendingBill],
    *,
    by: AccrualsBy = "month",
) -> Table:
    """Return what bills earn in each calendar month, without VAT, beside what they bill in it.

    A line is earned on the days of its accounting period, by A20: a whole calendar month counts 1,
    a part of one its days; the parts of a line add up to it (A21).

    Returns:
        Rows without gaps for each currency: the first day of the calendar's month, quarter or year
        under the name of `by`; `earned` and `billed` (by due date) in it; at its end `deferred`,
        billed and not yet earned, and `accrued`, earned and not yet billed. Main units.

    Raises:
        InvalidRecordError: A part of the argument is not a bill; its place is named.
        UnknownWordError: `by` is not a known word.

    Examples:
        A quarter from December is billed in advance:

        >>> from rentbilling.testing import a_bill, a_line
        >>> line = a_line(amount="9000.00", period="2025-12-01/2026-02-28")
        >>> print(accruals(a_bill(line, due="2025-12-01")))
        month       currency   earned   billed  deferred  accrued
        2025-12-01  DKK       3000.00  9000.00   6000.00     0.00
        2026-01-01  DKK       3000.00     0.00   3000.00     0.00
        2026-02-01  DKK       3000.00     0.00      0.00     0.00
    """
    check_word("by", by, _MONTHS)
    found: dict[tuple[str, int], _Sums] = {}
    for _, bills in billed_of(results):
        for bill in bills:
            sums = found.setdefault((bill.currency, bill.places), _Sums())
            due = month_index(bill.due)
            for figures, first, last in bill.raw_lines:
                sums.add(due, Span(figures.net, first, last))
    rows = [
        row
        for (currency, places), sums in found.items()
        for row in _rows(sums, currency, places, _MONTHS[by])
    ]
    kinds = columns(text="currency", money="earned billed deferred accrued")
    return Table((Column(by, "date"), *kinds), rows)


def _rows(sums: _Sums, currency: str, places: int, length: int) -> Iterable[tuple[object, ...]]:
    months = sums.earned.keys() | sums.billed.keys()
    for start in range(min(months) // length * length, max(months) + 1, length):
        within = range(start, start + length)
        flows = (sum(each.get(month, 0) for month in within) for each in (sums.earned, sums.billed))
        at_end = (each.get(within[-1], 0) for each in (sums.deferred, sums.accrued))
        money = (decimal_of(units, places) for units in (*flows, *at_end))
        yield date.fromordinal(month_start(start)), currency, *money
