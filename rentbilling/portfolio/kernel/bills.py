"""Bills: many leases and a period go in as columns, their bills come out as columns.

Laws: every figure is the one that the scalar engine gives; a lease that the kernel cannot bill is
marked as not eligible, and has no lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.portfolio.kernel.eligibility import (
    Scales,
    asked_in_tables,
    eligible_by_columns,
    every,
    follows,
)
from rentbilling.portfolio.kernel.items import FlatItems
from rentbilling.portfolio.kernel.lines import Prices, RawLines
from rentbilling.portfolio.kernel.periods import Schedules
from rentbilling.portfolio.kernel.sums import in_order, totals_of
from rentbilling.values import AnyPeriod, Period, month_index, period_of

ROWS: Final = 12_288
"""Lines that are computed at a time, about: their columns stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlatBills:
    """The bills of many leases as columns of whole numbers.

    Sums are minor units of the bill's currency, days ordinals, and rows are counted from 0. Bills
    are ordered by lease, due date and currency; lines by bill, then item, then day; VAT totals by
    bill in the order of first appearance (A16, A30).
    """

    eligible: Mask
    """For each lease whether it was billed here; the others have no rows."""
    noticed: Mask
    """For each lease whether it was not, because it may have a notice."""
    bill_lease: Column
    bill_due: Column
    bill_currency: Column
    bill_subtotal: Column
    bill_total: Column
    line_bill: Column
    line_lease: Column
    line_item: Column
    """Row of the item."""
    line_due: Column
    line_start: Column
    line_end: Column
    """First and last day of the accounting period."""
    line_kind: Column
    """Number of the kind in `lines.KINDS`."""
    line_base: Column
    """The line in its own tax mode: the gross if Inclusive, else the net."""
    line_net: Column
    line_total: Column
    """Row of the VAT total that it counts in."""
    line_unit: Column
    """Exact price of one unit in its own tax mode, after discount, before the share of a part: in
    10**-(amount_scale + percentage_scale) of the main unit."""
    line_discounted: Column
    """1 where the discount is in force, 0 elsewhere."""
    line_taken: Column
    """What the discount took off the line, in its own tax mode (A61)."""
    line_share: Column
    line_whole: Column
    """Share of the regular period: so many parts, of so many; 1 of 1 unless it is a part."""
    line_regular_start: Column
    line_regular_end: Column
    """First and last day of the regular period; 0 for a line that has none."""
    total_bill: Column
    total_mode: Column
    total_rate: Column
    """The VAT, as in FlatItems."""
    total_base: Column
    """Net amount that it is the VAT of."""
    total_vat: Column

    @property
    def nbytes(self) -> int:
        """Bytes of all columns."""
        return sum(getattr(self, each.name).nbytes for each in fields(self))


def bill_flat(
    items: FlatItems,
    period: AnyPeriod,
    *,
    policy: BillingPolicy | None = None,
    rows: int = ROWS,
) -> FlatBills:
    """Return the bills of many leases that fall due in a period, computed on columns.

    Args:
        items: Their items.
        period: The asked days, both ends included (A15).
        policy: Under any that the kernel does not follow, no lease is eligible.
        rows: Lines that are computed at a time, about, and ROWS at most; they change no figure.

    Returns:
        The bills of the eligible leases, and which those are.

    Raises:
        InvalidPeriodError: The period is malformed or reversed.
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling.portfolio import leases_to_arrow
        >>> from rentbilling.portfolio.kernel.reading import read_flat
        >>> from rentbilling.testing import a_lease
        >>> items = read_flat(leases_to_arrow([a_lease()])).items
        >>> found = bill_flat(items, "2026-02-01/2026-03-31")
        >>> found.eligible.tolist(), found.bill_total.tolist(), found.line_net.tolist()
        ([True], [850000, 850000], [850000, 850000])
    """
    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end)
    scales = Scales(items, rules)
    leases = len(items.contract_end)
    if not (follows(rules) and scales.fit and asked_in_tables(asked.first, asked.last)):
        return _empty(*np.zeros((2, leases), dtype=np.bool_))
    months = month_index(asked.last) - month_index(asked.first) + 1
    bounds = _bounds(items, max(min(rows, ROWS) // months, 1))
    parts = [_chunk(items.part(*each), scales, rules, asked) for each in bounds]
    if not parts:
        return _empty(*np.zeros((2, 0), dtype=np.bool_))
    return _joined(parts, [int(items.lease_offsets[first]) for first, _ in bounds])


def _bounds(items: FlatItems, rows: int) -> list[tuple[int, int]]:
    """Return runs of leases with about so many items each."""
    offsets = items.lease_offsets
    found: list[tuple[int, int]] = []
    first, leases = 0, len(offsets) - 1
    while first < leases:
        last = int(np.searchsorted(offsets, offsets[first] + rows, side="right")) - 1
        last = min(max(last, first + 1), first + rows, leases)
        found.append((first, last))
        first = last
    return found


def _chunk(items: FlatItems, scales: Scales, policy: BillingPolicy, asked: Period) -> FlatBills:
    """Return the bills of some leases, with rows and leases counted from the first of them."""
    first, last = asked.first, asked.last
    months = month_index(last) - month_index(first) + 1
    eligible = eligible_by_columns(items, scales, policy, months)
    kept = None
    if not eligible.all():
        kept = np.flatnonzero(np.repeat(eligible, np.diff(items.lease_offsets)))
        items = items.only(eligible)
    schedule = Schedules(items)
    quiet = every(~schedule.noticed(first, last), items.lease_offsets)
    noticed = eligible & ~quiet
    eligible &= quiet
    lease = np.repeat(np.arange(len(quiet)), np.diff(items.lease_offsets))
    if quiet.all():
        billed = np.ones(len(lease), dtype=np.bool_)
    else:
        billed = quiet[lease]
        schedule.ends.opens[~billed] = False
    prices = Prices(items, scales)
    openings = prices.opening_lines(schedule, first, last)
    lines = prices.lines(schedule.periods(first, last, billed), schedule.ends.end)
    raw = RawLines.joined([openings, *lines])
    if not len(raw.item):
        return _empty(eligible, noticed)
    return _billed(items, scales, raw, lease, (eligible, noticed, kept, first))


def _billed(
    items: FlatItems,
    scales: Scales,
    raw: RawLines,
    lease: Column,
    about: tuple[Mask, Mask, Column | None, int],
) -> FlatBills:
    eligible, noticed, kept, first = about
    order, starts = in_order(items, lease, raw, first)
    item, due, base = raw.item[order], raw.due[order], raw.base[order]
    leading = np.zeros(len(order), dtype=np.int64)
    leading[starts[1:]] = 1
    bill = np.cumsum(leading)
    totals = totals_of(scales, bill, base, items.tax_mode[item], items.tax_rate[item])
    of_bill = np.flatnonzero(np.append(True, totals.bill[1:] != totals.bill[:-1]))
    subtotal = np.add.reduceat(totals.base, of_bill)
    leases, lead = lease[item], item[starts]
    return FlatBills(
        eligible=eligible,
        noticed=noticed,
        bill_lease=leases[starts],
        bill_due=due[starts],
        bill_currency=items.currency[lead],
        bill_subtotal=subtotal,
        bill_total=subtotal + np.add.reduceat(totals.vat, of_bill),
        line_bill=bill,
        line_lease=leases,
        line_item=item if kept is None else kept[item],
        line_due=due,
        line_start=raw.start[order],
        line_end=raw.end[order],
        line_kind=raw.kind[order],
        line_base=base,
        line_net=totals.net,
        line_total=totals.of_line,
        line_unit=raw.unit[order],
        line_discounted=raw.discounted[order],
        line_taken=raw.taken[order],
        line_share=raw.share[order],
        line_whole=raw.whole[order],
        line_regular_start=raw.first[order],
        line_regular_end=raw.last[order],
        total_bill=totals.bill,
        total_mode=totals.mode,
        total_rate=totals.rate,
        total_base=totals.base,
        total_vat=totals.vat,
    )


_COUNTED: Final = MappingProxyType(
    {
        **dict.fromkeys(("bill_lease", "line_lease"), "eligible"),
        **dict.fromkeys(("line_bill", "total_bill"), "bill_lease"),
        "line_total": "total_bill",
    }
)
"""Columns of row numbers, each with a column of the table that they count in."""


def _joined(parts: Sequence[FlatBills], items: Sequence[int]) -> FlatBills:
    """Return the bills of all chunks, with rows counted from the first one."""
    before = {
        name: np.cumsum([0, *(len(getattr(part, name)) for part in parts[:-1])])
        for name in set(_COUNTED.values())
    }
    columns: dict[str, Any] = {}
    for each in fields(FlatBills):
        name, of = each.name, _COUNTED.get(each.name)
        some = [getattr(part, name) for part in parts]
        shifts = items if name == "line_item" else None if of is None else before[of]
        if shifts is not None and len(parts) > 1:
            some = [column + shift for column, shift in zip(some, shifts, strict=True)]
        columns[name] = some[0] if len(some) == 1 else np.concatenate(some)
    return FlatBills(**columns)


def _empty(eligible: Mask, noticed: Mask) -> FlatBills:
    """Return that some leases have no bills."""
    none = np.zeros(0, dtype=np.int64)
    columns: dict[str, Any] = dict.fromkeys((each.name for each in fields(FlatBills)), none)
    return FlatBills(**{**columns, "eligible": eligible, "noticed": noticed})
