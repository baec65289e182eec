"""The workload as columns: the same leases, drawn field by field from unsigned arrays of 64 bits.

Law: the columns hold the very figures of `workload.lease`, and a test holds them to that.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.wire import CURRENCY
from benchmarks.workload import BANDS, RATES, SEED, mix
from rentbilling.portfolio.arrow.arrays import NEVER
from rentbilling.portfolio.arrow.calendar import first_day, month_of
from rentbilling.portfolio.kernel.items import EXCLUSIVE, EXEMPT, INCLUSIVE, FlatItems

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Field = Callable[[int, Numbers | int], Numbers]
"""What draws a field of every item, from 0 to below a limit."""

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_LEASE: Final = 3
_EPOCH: Final = 1900 * 12
"""The first month of the tables of days, in the workload's own count."""
_LAST_MONTH: Final = 2026 * 12 + 11 - _EPOCH


def mixed(words: Words) -> Words:
    """Return the finishing function of splitmix64 of each word."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def draws(seed: int, lease: Numbers, item: Numbers | int, field: int) -> Words:
    counter = ((lease * 4 + item) * 32 + field).astype(np.uint64)
    return mixed(np.uint64(mix(seed)) + (counter + np.uint64(1)) * _STEP)


def _below(words: Words, limit: Numbers | int) -> Numbers:
    """Return words as whole numbers from 0 to below a limit."""
    return (words % np.asarray(limit).astype(np.uint64)).astype(np.int64)


def flat_items(count: int, first: int = 0, *, seed: int = SEED) -> FlatItems:
    """Return leases of the workload as columns."""
    lease = np.arange(first, first + count)
    leases, items = np.repeat(lease, len(BANDS)), np.tile(np.arange(len(BANDS)), count)

    def field(index: int, limit: Numbers | int) -> Numbers:
        return _below(draws(seed, leases, items, index), limit)

    moved_in = np.repeat(_moved_in(seed, lease), len(BANDS))
    low = np.array([low for low, _ in BANDS])[items]
    span = np.array([high - low + 1 for low, high in BANDS])[items]
    amount = low + field(0, span)
    other = np.where(field(2, 2) == 0, 100 * (2 + field(3, 9)), 101 + field(4, 1100))
    mode = field(5, 100)
    modes = np.where(mode < 50, EXEMPT, np.where(mode < 80, EXCLUSIVE, INCLUSIVE))
    length = field(7, 100)
    months = np.where(length < 70, 1, np.where(length < 95, 3, 12))
    start = 1 + field(8, months)
    following = month_of(moved_in) + 1
    regular = following + (start - 1 - following) % months
    end = first_day(regular) - 1
    whole = end - first_day(regular - months) + 1
    percentages, discount_ends = _discounts(field)
    offsets, starts, prices = _later_prices(field, amount, following)
    nothing = np.full(len(leases), NEVER)
    return FlatItems(
        lease_offsets=np.arange(count + 1) * len(BANDS),
        contract_end=np.full(count, NEVER),
        rare=np.zeros(count, dtype=np.bool_),
        currency=np.zeros(len(leases), dtype=np.int64),
        amount=amount,
        quantity=np.where(field(1, 100) < 90, 100, other),
        tax_mode=modes,
        tax_rate=np.where(modes == EXEMPT, 0, np.array(RATES)[field(6, 5)]) * 100,
        months=months,
        start_month=start,
        start_day=np.ones(len(leases), dtype=np.int64),
        due_day=np.where(field(9, 10) < 7, 1, -1),
        started_on=moved_in,
        opening_amount=amount * (end - moved_in + 1) // whole,
        opening_due=moved_in,
        opening_start=moved_in,
        opening_end=end,
        discount_amount=np.zeros(len(leases), dtype=np.int64),
        discount_percentage=percentages,
        discount_end=discount_ends,
        ended_on=nothing,
        cancelled_on=nothing.copy(),
        price_offsets=offsets,
        price_start=starts,
        price_amount=prices,
        currencies=(CURRENCY,),
    )


def _moved_in(seed: int, lease: Numbers) -> Numbers:
    def field(index: int, limit: int) -> Numbers:
        return _below(draws(seed, lease, _LEASE, index), limit)

    month = (2015 + field(0, 11)) * 12 + field(1, 12) - _EPOCH
    return first_day(month) + np.where(field(2, 2) == 0, 0, field(3, 28))


def _discounts(field: Field) -> tuple[Numbers, Numbers]:
    given = field(10, 100) < 15
    month = 2024 * 12 + field(12, 48) - _EPOCH
    inside = first_day(month) + field(14, 28)
    end = np.where(field(13, 4) == 0, inside, first_day(month + 1) - 1)
    return np.where(given, 1 + field(11, 5000), 0), np.where(given, end, 0)


def _later_prices(
    field: Field, amount: Numbers, following: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    count = field(15, 4)
    span = _LAST_MONTH - following + 1
    most = 3
    days = np.zeros((len(amount), most), dtype=np.int64)
    prices = np.zeros((len(amount), most), dtype=np.int64)
    for k in range(most):
        there = count > k
        parts = np.maximum(count, 1)
        low, high = k * span // parts, (k + 1) * span // parts
        # Of items without such a price, anything is drawn and dropped.
        width = np.maximum(high - low, 1)
        month = np.where(there, following + low + field(16 + 4 * k, width), 0)
        days[:, k] = first_day(month)
        days[:, k] += np.where(field(17 + 4 * k, 10) == 0, field(18 + 4 * k, 28), 0)
        amount = amount * (1_000_000 + field(19 + 4 * k, 50_001)) // 1_000_000
        prices[:, k] = amount
    drawn = np.arange(most) < count[:, None]
    offsets = np.zeros(len(amount) + 1, dtype=np.int64)
    np.cumsum(count, out=offsets[1:])
    return offsets, days[drawn], prices[drawn]
