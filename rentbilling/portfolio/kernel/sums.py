"""Sums: the lines of many leases become bills with VAT totals and sums.

Laws: as in `vat`: subtotal = sum of the lines' net prices; total = subtotal + VAT totals; an
Inclusive group has exactly the gross that was agreed (A29, A30).
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rentbilling.portfolio.arrow.arrays import Column, largest
from rentbilling.portfolio.arrow.rounding import halves_up
from rentbilling.portfolio.kernel.eligibility import Scales
from rentbilling.portfolio.kernel.items import INCLUSIVE, FlatItems
from rentbilling.portfolio.kernel.lines import RawLines

KEY_BITS: Final = 63
"""Bits of a key that lines are sorted by, as whole numbers; longer ones are sorted in parts."""


def in_order(items: FlatItems, lease: Column, lines: RawLines, first: int) -> tuple[Column, Column]:
    """Return the order of lines on bills, and where each bill begins (A16).

    By lease, due date and currency, then in the order of the items and of their periods.
    """
    item = lines.item
    codes = sorted(range(len(items.currencies)), key=items.currencies.__getitem__)
    rank = np.empty(len(codes), dtype=np.int64)
    rank[codes] = np.arange(len(codes))
    owner, due, code = lease[item], lines.due - first, rank[items.currency[item]]
    keys = [
        (owner, len(items.contract_end)),
        (due, largest(due) + 1),
        (code, len(codes)),
        (item - items.lease_offsets[owner], int(np.diff(items.lease_offsets).max())),
        (lines.order, largest(lines.order) + 1),
        (np.arange(len(item)), len(item)),
    ]
    if sum(count.bit_length() for _, count in keys) > KEY_BITS:
        order = np.lexsort([column for column, _ in reversed(keys)])
        changes = (np.diff(column[order]) != 0 for column in (owner, due, code))
        # What numpy says of the type differs from version to version.
        any_of: Any = np.logical_or.reduce
        return order, np.flatnonzero(np.append(True, any_of([*changes])))
    key = np.zeros(len(item), dtype=np.int64)
    for column, count in keys:
        key = (key << count.bit_length()) | column
    key.sort()
    order = key & ((1 << len(item).bit_length()) - 1)
    bill = key >> sum(count.bit_length() for _, count in keys[3:])
    return order, np.flatnonzero(np.append(True, bill[1:] != bill[:-1]))


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """VAT totals of bills, a row each, bill by bill in the order of first appearance (A30)."""

    bill: Column
    mode: Column
    rate: Column
    base: Column
    """Net, in minor units."""
    vat: Column
    of_line: Column
    """For each line the row of its total."""
    net: Column
    """For each line its net, in minor units."""


def totals_of(scales: Scales, bill: Column, base: Column, mode: Column, rate: Column) -> Totals:
    """Return the VAT totals of lines, and the lines' nets (A29)."""
    place = len(bill).bit_length()
    width = (4 * (scales.rate + 1)).bit_length()
    group = mode * (scales.rate + 1) + rate
    key = (((bill << width) | group) << place) | np.arange(len(bill))
    key.sort()
    order = key & ((1 << place) - 1)
    key >>= place
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    firsts = order[starts]
    sums = np.add.reduceat(base[order], starts)
    # Groups in the order of the lines that they begin with.
    by_first = np.full(len(bill), -1)
    by_first[firsts] = np.arange(len(firsts))
    appearance = by_first[by_first >= 0]
    number = np.empty_like(appearance)
    number[appearance] = np.arange(len(appearance))
    of_sorted = np.repeat(number, np.diff(np.append(starts, len(bill))))
    of_line = np.empty_like(of_sorted)
    of_line[order] = of_sorted
    firsts, sums = firsts[appearance], sums[appearance]
    modes, rates = mode[firsts], rate[firsts]
    # Untaxed modes have a rate of 0.
    vat = halves_up(sums * rates, scales.rate)
    net = base
    inclusive = np.flatnonzero(modes == INCLUSIVE)
    if len(inclusive):
        vat[inclusive] = halves_up(
            sums[inclusive] * rates[inclusive], scales.rate + rates[inclusive]
        )
        sums[inclusive] -= vat[inclusive]
        net = _inclusive_nets(scales.rate, base, mode, rate, of_line, sums)
    return Totals(bill[firsts], modes, rates, sums, vat, of_line, net)


def _inclusive_nets(
    one: int, base: Column, mode: Column, rate: Column, of_line: Column, sums: Column
) -> Column:
    """Return the nets of lines, those of Inclusive groups so that they sum to the group's (A29)."""
    net = base.copy()
    rows = np.flatnonzero(mode == INCLUSIVE)
    group, below = of_line[rows], one + rate[rows]
    gross = base[rows]
    own = halves_up(gross * one, below)
    missing = sums.copy()
    np.subtract.at(missing, group, own)
    lacks = missing[group]
    wrong = np.flatnonzero(lacks)
    if len(wrong):
        # The largest residue in the direction of the correction first, of equal ones the earlier.
        step = np.sign(lacks[wrong])
        residue = (gross * one - own * below)[wrong] * step
        of = group[wrong]
        by_residue = np.lexsort((-residue, of))
        there = of[by_residue]
        rank = np.arange(len(there)) - np.searchsorted(there, there)
        taken = rank < np.abs(lacks[wrong])[by_residue]
        changed = by_residue[taken]
        own[wrong[changed]] += step[changed]
    net[rows] = own
    return net
