"""Index plans: the later prices that one plain rule of each lease makes of its item.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain, or where it is adjusted on an asked
day, so that its adjustments are given with all that is known of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import AmountsOnly, LeaseHistories
from rentbilling.errors import RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    days_of,
    empty_texts,
    in_calendar,
    lists,
    there,
    true,
)
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.schemas import functions
from rentbilling.portfolio.kernel.calendar import FIRST_DAY, LAST_DAY, month_of
from rentbilling.portfolio.kernel.rounding import MOST, halves_up, largest, smallest
from rentbilling.terms import LeaseTerms
from rentbilling.values import Period, month_index, month_start

_CODE_BITS: Final = 31
_ABSENT: Final = ("created", "modified", "cancelled_on", "ended_on", "cancelled_or_ended_on")
"""Fields that only the engine for single leases reads."""
_OWN: Final = ("id", "lease_id", "adjustee_ref", "next_adjustment_date", "rent_adjustment_rules")
"""Fields that may differ between plans of one shape."""


class Followed(NamedTuple):
    """What plans are followed by."""

    indices: Mapping[str, IndexSeries]
    policy: BillingPolicy
    asked: Period
    """Leases that are adjusted in these days are left."""
    last: int
    """The last day on which a bill may fall due."""


class PlanItems(NamedTuple):
    """The recurring items of leases, a row each."""

    owner: Column
    """The place of the lease."""
    item_id: Any
    """Array of Arrow."""
    fits: Mask
    """Whether it is one unit, without records."""
    amount: Column
    """In units of the finest decimal."""
    places: Column
    """Decimals of the currency."""
    opening_end: Column
    months: Column
    start_day: Column
    due_day: Column


class LaterPrices(NamedTuple):
    """The later prices of items, in the order of items and days."""

    item: Column
    start: Column
    amount: Column
    """In units of the finest decimal."""


def plan_prices(
    leases: Mapping[str, Any],
    items: PlanItems,
    record_at: Callable[[int], LeaseTerms],
    followed: Followed,
) -> tuple[Mask, LaterPrices]:
    """Return which leases have a plan that is not followed, and the prices of the others.

    Args:
        leases: The columns of the batch.
        items: Their recurring items.
        record_at: Reads the lease of a place.
        followed: Series, policy and days.
    """
    offsets, array, sound = lists(leases["rent_adjustment_plans"])
    counts = np.diff(offsets)
    left = ~sound | (counts > 0)
    single = np.flatnonzero(sound & (counts == 1))
    plans = _Plans(array.take(pa.array(offsets[:-1][single])), single)
    row = plans.rows(leases["lease_id"], items)
    found = []
    for code in np.unique(plans.shape[~plans.odd]).tolist():
        own = np.flatnonzero((plans.shape == code) & ~plans.odd)
        plain = _plain(record_at, int(single[own[0]]), followed)
        if plain is not None:
            for some, prices in _adjusted(plain, items, row[own], followed):
                left[single[own[some]]] = False
                found.append(prices)
    return left, _joined(found)


class _Plans:
    """The only plans of some leases."""

    def __init__(self, array: Any, place: Column) -> None:  # noqa: ANN401 - an Arrow array
        fields = Struct(array)
        self._fields, self._place = fields, place
        rules, values, sound = lists(fields.of("rent_adjustment_rules"))
        self.odd: Mask = ~sound | (np.diff(rules) != 1)
        self.shape = np.zeros(len(array), dtype=np.int64)
        """Equal numbers for plans that differ in nothing but names."""
        if not len(array) or not len(values):
            self.odd[:] = True
            return
        rule = values.take(pa.array(np.minimum(rules[:-1], len(values) - 1)))
        self.odd |= ~there(array) | ~there(rule)
        for name in _ABSENT:
            self.odd |= there(fields.of(name))
        self.odd |= empty_texts(fields.of("id")) | empty_texts(Struct(rule).of("id"))
        next_day = days_of(fields.of("next_adjustment_date"), NEVER)
        self.odd |= ~in_calendar(next_day)
        self._add(fields, (*_OWN, *_ABSENT))
        self._add(Struct(rule), ("id",))

    def _add(self, fields: Struct, without: Sequence[str] = ()) -> None:
        """Tell apart the plans that differ in a field."""
        for field in fields.array.type:
            if field.name in without:
                continue
            column = fields.of(field.name)
            if column.null_count == len(column):
                continue
            if pa.types.is_list(field.type):
                self.odd |= np.diff(lists(column)[0]) > 0
                continue
            if pa.types.is_struct(field.type):
                self._tell_apart(there(column).astype(np.int64))
                self._add(Struct(column))
                continue
            codes = column.dictionary_encode().indices
            self._tell_apart(codes.fill_null(-1).to_numpy().astype(np.int64))

    def _tell_apart(self, codes: Column) -> None:
        _, found = np.unique((self.shape << _CODE_BITS) | (codes + 1), return_inverse=True)
        self.shape = found.reshape(-1)

    def rows(self, lease_ids: Any, items: PlanItems) -> Column:  # noqa: ANN401 - an Arrow array
        """Return the row of the item that each plan adjusts; what is not certain is odd."""
        count, fields = len(lease_ids), self._fields
        named = there(fields.of("lease_id"))
        same = functions.equal(fields.of("lease_id"), lease_ids.take(pa.array(self._place)))
        self.odd |= named & ~true(same)
        first = np.searchsorted(items.owner, np.arange(count))
        number = np.bincount(items.owner, minlength=count)
        place = np.arange(len(items.owner)) - first[items.owner]
        plan_of = np.full(count, -1)
        plan_of[self._place] = np.arange(len(self._place))
        rows = np.flatnonzero(plan_of[items.owner] >= 0)
        of = plan_of[items.owner[rows]]
        texts = pa.array(
            [f"recurring-{at + 1}" for at in range(largest(place, -1) + 1)], pa.string()
        )
        names = functions.coalesce(
            items.item_id.take(pa.array(rows)), texts.take(pa.array(place[rows]))
        )
        ref = fields.of("adjustee_ref")
        wanted = true(functions.equal(names, ref.take(pa.array(of))))
        wanted |= ~there(ref)[of] & (number[items.owner[rows]] == 1)
        found = np.full(len(self._place), -1)
        found[of[wanted][::-1]] = rows[wanted][::-1]
        self.odd |= (found < 0) | ~items.fits[found]
        opening = items.opening_end[found]
        self.odd |= (opening < FIRST_DAY) | (opening > LAST_DAY)
        return found


def _plain(
    record_at: Callable[[int], LeaseTerms], place: int, followed: Followed
) -> AmountsOnly | None:
    """Return the plain rule of the plan of a lease, None where it is none."""
    try:
        histories = LeaseHistories(record_at(place), followed.indices, followed.policy)
    except RentBillingError:
        return None
    (history,) = histories.items.values() if len(histories.items) == 1 else (None,)
    return None if history is None or histories.balances else history.plain


def _adjusted(
    plain: AmountsOnly, items: PlanItems, rows: Column, followed: Followed
) -> Iterator[tuple[Column, LaterPrices]]:
    """Give some items that a rule adjusts in the same months, and their prices."""
    factor = cache(plain.factor)
    # No period that is billed reaches beyond the cycle that begins in the last month.
    shift = np.minimum(items.due_day[rows], 0)
    last = month_of(np.minimum(followed.last - shift, LAST_DAY)) + items.months[rows]
    last -= items.start_day[rows] == 1
    opening = month_of(items.opening_end[rows])
    key, of = np.unique((opening << _CODE_BITS) | last, return_inverse=True)
    asked = range(month_index(followed.asked.first - 1) + 1, month_index(followed.asked.last) + 1)
    for at, (start, end) in enumerate(zip(*divmod(key, 1 << _CODE_BITS), strict=True)):
        months = plain.months(month_start(int(start) + _FIRST_MONTH), int(end) + _FIRST_MONTH)
        own = np.flatnonzero(of.reshape(-1) == at)
        factors = [factor(month) for month in months]
        if any(month in asked for month in months) or None in factors:
            continue
        item = rows[own]
        steps = _steps(items.amount[item], items.places[item], factors)
        if steps is None:
            continue
        right, amounts = steps
        starts = np.array([month_start(month) for month in months], dtype=np.int64)
        item = item[right]
        each = np.repeat(item, len(months))
        yield own[right], LaterPrices(each, np.tile(starts, len(item)), amounts.reshape(-1))


_FIRST_MONTH: Final = month_index(FIRST_DAY)


def _steps(amount: Column, places: Column, factors: Sequence[Any]) -> tuple[Mask, Column] | None:
    """Return the amounts after each factor, and which items have them; None where none is sure."""
    units = 10**places
    fine = 10 ** (FINEST - places)
    below: Any = fine
    over, right, end = amount, np.ones(len(amount), dtype=np.bool_), 0
    found = []
    for times, of, to in factors:
        size = max(largest(over), -smallest(over))
        if to <= end or size * abs(times) >= MOST or of * 10**FINEST >= MOST:
            return None
        right &= over != 0
        over, below, end = halves_up(over * times, of * below), units // units, to
        found.append(over * fine)
    if not found:
        return right, np.zeros((len(amount), 0), dtype=np.int64)
    return right, np.stack(found, axis=1)[right]


def _joined(parts: Sequence[LaterPrices]) -> LaterPrices:
    """Return prices in the order of items and days."""
    none = np.zeros(0, dtype=np.int64)
    item, start, amount = (
        (np.concatenate([none, *each]) for each in zip(*parts, strict=True))
        if parts
        else (none,) * 3
    )
    order = np.argsort(item, kind="stable")
    return LaterPrices(item[order], start[order], amount[order])
