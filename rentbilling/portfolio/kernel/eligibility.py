"""Eligibility: which leases the kernel bills, and which the scalar engine bills.

Law: a lease is eligible only if the kernel gives the same bills as the scalar engine, without a
notice, and no number on the way needs more than 64 bits.
"""

from types import MappingProxyType
from typing import Final

import numpy as np

from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.portfolio.arrow.arrays import NEVER, Column, Mask, largest, offsets_of, smallest
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, LAST_DAY, LONGEST_MONTH
from rentbilling.portfolio.arrow.rounding import MOST
from rentbilling.portfolio.kernel.items import EXEMPT, MOST_UNITS, FlatItems
from rentbilling.values import CURRENCIES, TOO_LARGE, minor_units

LONGEST_SHIFT: Final = 366
"""Days that a due date may lie from its period; the scalar engine knows longer ones."""

_MARGIN: Final = 800
"""Days that a period or a due date may lie beyond what is asked, and more."""

_MOST_LINES: Final = 10**6
"""Lines of a lease that keys of 64 bits can count, and whose sum stays below A1's digits."""

_MOST_STEPS: Final = 12
"""Decimals of an exact line beyond minor units: its rest times the parts of a year fits then."""
_MOST_RATE_STEPS: Final = 4
"""Decimals of a VAT rate: a sum of lines times it fits then."""

_MORE_LINES: Final = 6
"""Lines that an item may have beyond one for each month: its opening, edges, a discount's ends."""

_DAYS: Final = FIRST_DAY, LAST_DAY
_BOUNDS: Final = MappingProxyType(
    {
        "months": (1, 12),
        "start_month": (1, 12),
        "start_day": (1, 31),
        "tax_mode": (0, 3),
        "due_day": (-LONGEST_SHIFT, LONGEST_SHIFT),
        "quantity": (1, TOO_LARGE - 1),
        "priced_units": (0, MOST_UNITS),
        **dict.fromkeys(("started_on", "opening_due", "opening_start", "opening_end"), _DAYS),
        **dict.fromkeys(("ended_on", "cancelled_on"), (0, NEVER)),
        **dict.fromkeys(("discount_start", "discount_end"), (0, NEVER)),
    }
)
"""From where to where a column may be."""

_FREE: Final = frozenset(
    {"currencies", "period_end", "holidays", "increment_amount", "missing_index"}
    | {"balance_change", "max_lines", "cash_rounding", "by_product"}
    # A lease on columns has one VAT for each item.
    | {"vat_day"}
)


def follows(policy: BillingPolicy) -> bool:
    """Return whether the kernel follows a policy: all that makes figures is the default.

    Examples:
        >>> follows(BillingPolicy()), follows(BillingPolicy(vat_rounding="per_line"))
        (True, False)
    """
    if policy.cash_rounding or policy.by_product or policy.max_lines > _MOST_LINES:
        return False
    names = (name for name in BillingPolicy.__dataclass_fields__ if name not in _FREE)
    return all(getattr(policy, name) == getattr(DEFAULT, name) for name in names)


class Scales:
    """What turns the numbers of the columns into minor units."""

    __slots__ = ("below", "fit", "rate", "whole")

    def __init__(self, items: FlatItems, policy: BillingPolicy) -> None:
        known = [
            minor_units(code, policy.currencies)
            for code in items.currencies
            if code in policy.currencies or code in CURRENCIES
        ]
        steps = items.amount_scale + items.quantity_scale + items.percentage_scale
        self.fit = (
            len(known) == len(items.currencies) > 0
            and steps - min(known) <= _MOST_STEPS
            and max(known) <= steps
            and items.rate_scale <= _MOST_RATE_STEPS
        )
        """Whether all currencies are known, and all numbers on the way can be bounded."""
        below = [10 ** (steps - places) if self.fit else 1 for places in known]
        self.below: int | Column = np.array(below, dtype=np.int64)
        """What an exact line is divided by to be minor units: of all, or of each currency."""
        if len(set(below)) == 1:
            self.below = below[0]
        self.whole = 10**items.percentage_scale
        """A whole price, in steps of a percentage."""
        self.rate = 10**items.rate_scale
        """A rate of 100 percent."""

    def below_of(self, currency: Column) -> int | Column:
        """Return what the exact lines of items are divided by: of all, or of each."""
        return self.below if isinstance(self.below, int) else self.below[currency]


def largest_line(policy: BillingPolicy) -> int:
    """Return minor units below which no sum of so many lines is too large to be written (A1)."""
    return TOO_LARGE // (4 * policy.max_lines)


def asked_in_tables(first: int, last: int) -> bool:
    """Return whether an asked period lies so that all its days are in the tables."""
    return first >= FIRST_DAY + _MARGIN and last <= LAST_DAY - _MARGIN


def eligible_by_columns(
    items: FlatItems, scales: Scales, policy: BillingPolicy, months: int
) -> Mask:
    """Return for each lease whether its columns are all as the kernel needs them."""
    sound = np.ones(len(items.amount), dtype=np.bool_)
    for name, (least, most) in _BOUNDS.items():
        _note(sound, getattr(items, name), least, most)
    _note(sound, items.currency, 0, len(items.currencies) - 1)
    _note(sound, items.tax_rate, 0, scales.rate)
    _note(sound, items.opening_end - items.opening_start, 0, MOST)
    _note(sound, items.opening_due - items.started_on, 0, MOST)
    sound &= items.due_day != 0
    sound &= (items.tax_mode < EXEMPT) | (items.tax_rate == 0)
    sound &= _sizes(items, scales, policy)
    items_of = np.diff(items.lease_offsets)
    prices_of = np.diff(items.price_offsets[items.lease_offsets])
    # A period may be split by each later price and by the end of a discount.
    lines = items_of * (months + _MORE_LINES) + prices_of
    if items.days.any():
        shorter = np.where(items.days > 0, months * LONGEST_MONTH // np.maximum(items.days, 1), 0)
        lines += np.diff(offsets_of(shorter)[items.lease_offsets])
    found = (lines <= policy.max_lines) & ~items.rare
    _note(found, items.contract_end, 0, NEVER)
    return every(sound, items.lease_offsets) & found


def _sizes(items: FlatItems, scales: Scales, policy: BillingPolicy) -> Mask:
    """Return where amounts are small enough, discounts leave something, and prices are in order."""
    off, share = items.discount_amount, items.discount_percentage
    sound = np.ones(len(off), dtype=np.bool_)
    _note(sound, share, 0, scales.whole)
    if off.any():
        sound &= (off >= 0) & ((off == 0) | ((share == 0) & (off <= items.amount)))
    prices, days = items.price_amount, items.price_start
    owner = np.repeat(np.arange(len(off)), np.diff(items.price_offsets))
    inside = np.ones(len(prices), dtype=np.bool_)
    inside[1:] = (days[1:] > days[:-1]) | (owner[1:] != owner[:-1])
    _note(inside, days, 1, NEVER)
    if off.any():
        inside &= (prices >= off[owner]) | (off[owner] <= 0)
    most = _largest_units(items, scales, policy)
    if most is not None:
        for amounts in (items.amount, items.opening_amount):
            sound &= (amounts < most) & (amounts > -most)
        inside &= (prices < most[owner]) & (prices > -most[owner])
    if not inside.all():
        sound[owner[~inside]] = False
    return sound


def _largest_units(items: FlatItems, scales: Scales, policy: BillingPolicy) -> Column | None:
    """Return for each item the price of a unit from which its lines are too large to be sure of.

    None where the largest price of all times the largest quantity is not.
    """
    below = scales.below_of(np.clip(items.currency, 0, len(items.currencies) - 1))
    line = np.minimum(MOST, largest_line(policy) * np.minimum(below, MOST // largest_line(policy)))
    amounts = (items.amount, items.opening_amount, items.price_amount)
    price = max(max(largest(each), -smallest(each)) for each in amounts)
    if price * largest(items.quantity, 1) * scales.whole < smallest(line, MOST):
        return None
    most: Column = line // (scales.whole * np.clip(items.quantity, 1, MOST // scales.whole))
    return most


def _note(sound: Mask, column: Column, least: int, most: int) -> None:
    """Take those rows out of a mask in which a column is not from one number to another."""
    # Nearly always all are, which is soon seen.
    if smallest(column, most) < least or largest(column, least) > most:
        sound &= within(column, least, most)


def within(column: Column, least: int, most: int) -> Mask:
    """Return where a column is from one number to another, both included."""
    # One comparison for both ends: what lies below the first one is very large without a sign.
    found: Mask = (column - least).view(np.uint64) <= np.uint64(most - least)
    return found


def every(sound: Mask, offsets: Column) -> Mask:
    """Return for each run of rows whether a mask holds for all of them.

    Examples:
        >>> every(np.array([True, False, True]), np.array([0, 1, 1, 3]))
        array([ True,  True, False])
    """
    if sound.all():
        return np.ones(len(offsets) - 1, dtype=np.bool_)
    wrong = np.zeros(len(sound) + 1, dtype=np.int64)
    np.cumsum(~sound, out=wrong[1:])
    found: Mask = wrong[offsets[1:]] == wrong[offsets[:-1]]
    return found
