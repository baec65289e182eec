"""Index plans: the later prices that one plain rule of each lease makes of its item.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain, or where it is adjusted on an asked
day, so that its adjustments are given with all that is known of them. A record of the amount is the
adjustment of its day, and what the next one starts from (A18).
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
    list_lengths,
    lists,
    there,
    true,
)
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.kernel.calendar import FIRST_DAY, LAST_DAY, month_of
from rentbilling.portfolio.kernel.rounding import MOST, halves_up, largest, smallest
from rentbilling.terms import LeaseTerms, RecurringBillItem
from rentbilling.values import Period, month_index, month_start

_CODE_BITS: Final = 31
_ABSENT: Final = ("created", "modified", "cancelled_on", "ended_on", "cancelled_or_ended_on")
"""Fields that only the engine for single leases reads."""
_MOST_INCREMENTS: Final = 24
"""Increments of a rule; leases with more are left."""
_OWN: Final = ("id", "lease_id", "adjustee_ref", "next_adjustment_date", "rent_adjustment_rules")
"""Fields that may differ between plans of one shape."""


class Followed(NamedTuple):
    """What plans are followed by."""

    indices: Mapping[str, IndexSeries]
    policy: BillingPolicy
    asked: Period
    """Leases that are adjusted in these days are left."""
    first: int
    """The first day on which a bill may fall due."""
    last: int
    """The last day on which a bill may fall due."""


class PlanItems(NamedTuple):
    """The recurring items of leases, a row each."""

    owner: Column
    """The place of the lease."""
    item_id: Any
    """Array of Arrow."""
    fits: Mask
    """Whether it is one unit, with records of its amount alone, in the order of their days."""
    amount: Column
    """In units of the finest decimal."""
    records: "LaterPrices"
    """Records of amounts."""
    places: Column
    """Decimals of the currency."""
    opening_end: Column
    last: Column
    """The last day on which it can be adjusted."""
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
    records_at: Callable[[Column], Iterator[LeaseTerms | None]],
    followed: Followed,
) -> tuple[Mask, LaterPrices]:
    """Return which leases have a plan that is not followed, and the prices of the others.

    Args:
        leases: The columns of the batch.
        items: Their recurring items.
        records_at: Reads the leases of some places; None for one that cannot be read.
        followed: Series, policy and days.
    """
    offsets, array, sound = lists(leases["rent_adjustment_plans"])
    counts = np.diff(offsets)
    left = ~sound | (counts > 0)
    single = np.flatnonzero(sound & (counts == 1))
    plans = _Plans(array.take(pa.array(offsets[:-1][single])), single)
    row = plans.rows(leases["lease_id"], items)
    sure = np.flatnonzero(~plans.odd)
    if not len(sure):
        none = np.zeros(0, dtype=np.int64)
        return left, LaterPrices(none, none, none)
    _, first, shape = np.unique(plans.shape[sure], return_index=True, return_inverse=True)
    plain = [_plain(each, followed) for each in records_at(single[sure[first]])]
    right, prices = _Steps(plain, shape.reshape(-1), row[sure], items, followed).taken()
    left[single[sure[right]]] = False
    return left, prices


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
        self.odd |= list_lengths(fields.of("adjustments")) > 0
        self.odd |= list_lengths(Struct(rule).of("increments")) > _MOST_INCREMENTS
        self.shape = _paired(_alike(array, (*_OWN, *_ABSENT, "adjustments")), _alike(rule, ("id",)))

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


def _alike(array: Any, without: Sequence[str] = ()) -> Column:  # noqa: ANN401 - an Arrow array
    """Return equal numbers for equal values, some fields and long lists' ends aside."""
    found = there(array).astype(np.int64)
    if pa.types.is_struct(array.type):
        fields = Struct(array)
        for each in array.type:
            column = fields.of(each.name)
            if each.name not in without and column.null_count < len(column):
                found = _paired(found, _alike(column))
        return found
    if pa.types.is_list(array.type):
        offsets, values, _ = lists(array)
        inside, counts = np.append(_alike(values) + 1, 0), np.diff(offsets)
        for at in range(min(largest(counts), _MOST_INCREMENTS)):
            there_at = np.where(counts > at, offsets[:-1] + at, -1)
            found = _paired(found, inside[there_at])
        return found
    codes: Column = array.dictionary_encode().indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _paired(one: Column, other: Column) -> Column:
    """Return equal numbers where two columns of numbers are equal."""
    found: Column = np.unique((one << _CODE_BITS) | (other + 1), return_inverse=True)[1]
    return found.reshape(-1)


def _plain(terms: LeaseTerms | None, followed: Followed) -> AmountsOnly | None:
    """Return the plain rule of the plan of a lease, None where it is none.

    Records and ends of the items say nothing of the rule.
    """
    if terms is None:
        return None
    items = tuple(map(_bare, terms.recurring_bill_items))
    terms = terms.evolve(recurring_bill_items=items, contract_end=None)
    try:
        histories = LeaseHistories(terms, followed.indices, followed.policy)
    except RentBillingError:
        return None
    (history,) = histories.items.values() if len(histories.items) == 1 else (None,)
    return None if history is None or histories.balances else history.plain


def _bare(item: RecurringBillItem) -> RecurringBillItem:
    """Return an item without records of its amount, and without an end."""
    if item.amount_records or item.ended_on or item.cancelled_on:
        return item.evolve(amount_records=(), ended_on=None, cancelled_on=None)
    return item


class _Steps:
    """The steps of the plain rules of many items, month by month for all of them together."""

    def __init__(
        self,
        plain: Sequence[AmountsOnly | None],
        shape: Column,
        rows: Column,
        items: PlanItems,
        followed: Followed,
    ) -> None:
        """Find in which months each item is adjusted.

        Args:
            plain: The rules.
            shape: For each item that is adjusted the place of its rule.
            rows: The row of each of them.
            items: All items.
            followed: Series, policy and days.
        """
        self._items, self._rows, self._asked = items, rows, followed.asked
        # No period that is billed reaches beyond the cycle that begins in the last month.
        shift = np.minimum(items.due_day[rows], 0)
        last = month_of(np.minimum(followed.last - shift, LAST_DAY)) + items.months[rows]
        self._reach = last - (items.start_day[rows] == 1) + _FIRST_MONTH
        end = month_of(np.clip(items.last[rows], FIRST_DAY, LAST_DAY)) + _FIRST_MONTH
        self._last = np.minimum(self._reach, end)
        self._opening = month_of(items.opening_end[rows]) + _FIRST_MONTH
        self._right = np.ones(len(rows), dtype=np.bool_)
        self._rule = np.zeros(len(rows), dtype=np.int64)
        """The rule of each item, rules that adjust in other months being others."""
        self._factors: dict[int, dict[int, tuple[int, int, int] | None]] = {}
        """By month and rule."""
        self._rules = 0
        order = np.argsort(shape, kind="stable")
        ends = np.cumsum(np.bincount(shape, minlength=len(plain)))
        for rule, own in zip(plain, np.split(order, ends[:-1]), strict=True):
            if rule is None:
                self._right[own] = False
            else:
                self._add(rule, own)

    def _add(self, rule: AmountsOnly, own: Column) -> None:
        """Add the months of the items of a rule."""
        noticed = [each for each in rule.stated if each >= month_index(self._asked.first)]
        self._right[own[self._reach[own] >= min(noticed, default=_NO_MONTH)]] = False
        until, factor = int(self._last[own].max()), cache(rule.factor)
        openings = np.unique(self._opening[own]).tolist()
        months = [rule.months(month_start(each), until) for each in openings]
        # Items opened later are adjusted in the same months, unless a rule counts years from there.
        alike = all(
            [*each] == [month for month in months[0] if month > opening]
            for opening, each in zip(openings, months, strict=True)
        )
        for opening, each in zip(openings, months[:1] if alike else months, strict=not alike):
            some = own if alike else own[self._opening[own] == opening]
            self._rule[some], end = self._rules, 0
            for month in each:
                # Notices of days before the asked ones are not asked for.
                found = factor(month, noticed=month >= month_index(self._asked.first))
                # What was counted before is not counted again.
                found, end = (None, end) if found is None or found[2] <= end else (found, found[2])
                self._factors.setdefault(month, {})[self._rules] = found
            self._rules += 1

    def taken(self) -> tuple[Mask, LaterPrices]:
        """Return of which items the prices are sure, and those prices."""
        items, rows = self._items, self._rows
        records = items.records
        keys = (records.item << _DAY_BITS) | records.start
        fine = 10 ** (FINEST - items.places)
        # Minor units unless an amount has decimals below them.
        parted = np.bincount(records.item, records.amount % fine[records.item], len(fine))
        unit = np.where((items.amount % fine) + parted > 0, 1, fine)
        cut, unit = (fine // unit)[rows], unit[rows]
        over, agreed = items.amount[rows] // unit, np.append(records.amount, 0)
        self._right[np.isin(rows, records.item[records.amount == 0])] = False
        first = np.searchsorted(keys, rows << _DAY_BITS)
        since, parts = np.zeros_like(rows), []
        for month, factors in sorted(self._factors.items()):
            day = month_start(month)
            acts, times, of = self._factors_of(factors)
            at = np.flatnonzero(acts[self._rule] & (self._opening < month) & (month <= self._last))
            times, of = times[self._rule[at]], of[self._rule[at]] * cut[at]
            place = np.searchsorted(keys, (rows[at] << _DAY_BITS) | day, side="right") - 1
            begun = np.where(place >= first[at], np.append(records.start, 0)[place], 0)
            over[at] = np.where(begun > since[at], agreed[place] // unit[at], over[at])
            now, of_day = over[at], begun == day
            size = max(largest(now), -smallest(now))
            sure = (now != 0) & (of > 0) & (size <= MOST // np.maximum(np.abs(times), 1))
            if day >= self._asked.first:
                # Notices and adjustments of these days are on no bill of the kernel.
                sure &= ~of_day & (day > self._asked.last)
            self._right[at[~sure]] = False
            at, now, of_day = at[sure], now[sure], of_day[sure]
            made = halves_up(now * times[sure], of[sure]) * cut[at]
            over[at], since[at] = np.where(of_day, now, made), day
            new = at[~of_day]
            parts.append((rows[new], np.full(len(new), day), over[new] * unit[new], new))
        return self._right, self._prices(parts)

    def _factors_of(
        self, factors: Mapping[int, tuple[int, int, int] | None]
    ) -> tuple[Mask, Column, Column]:
        """Return of each rule whether it acts, and its factor; one below 0 where none is sure."""
        acts = np.zeros(self._rules, dtype=np.bool_)
        times, of = np.zeros(self._rules, dtype=np.int64), np.zeros(self._rules, dtype=np.int64)
        for rule, found in factors.items():
            acts[rule] = True
            if found is not None and max(abs(found[0]), found[1] * 10**FINEST) < MOST:
                times[rule], of[rule], _ = found
        return acts, times, of

    def _prices(self, parts: Sequence[tuple[Column, ...]]) -> LaterPrices:
        """Return prices in the order of items and days, those that are sure."""
        none = (np.zeros(0, dtype=np.int64),) * 4
        item, start, amount, at = map(np.concatenate, zip(*parts, none, strict=True))
        order = np.argsort(item, kind="stable")
        order = order[self._right[at[order]]]
        return LaterPrices(item[order], start[order], amount[order])


_FIRST_MONTH: Final = month_index(FIRST_DAY)
_NO_MONTH: Final = month_index(LAST_DAY) + 12 * _MOST_INCREMENTS
_DAY_BITS: Final = 30
"""Bits of any day, and of NEVER."""
