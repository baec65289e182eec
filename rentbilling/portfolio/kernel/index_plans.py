"""Index plans: the later prices that one plain rule of each lease makes of its item.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain, or where it is adjusted on an asked
day, so that its adjustments are given with all that is known of them. A record of the amount is the
adjustment of its day, and what the next one starts from (A18).
"""

from collections.abc import Mapping, Sequence
from datetime import date
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
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.payloads import values_of
from rentbilling.portfolio.arrow.schemas import functions, shape_of
from rentbilling.portfolio.kernel.calendar import FIRST_DAY, LAST_DAY, first_day, month_of
from rentbilling.portfolio.kernel.rounding import MOST, halves_up, largest, smallest
from rentbilling.terms import (
    RENT,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    reading_context,
)
from rentbilling.values import Amount, Period, Vat, month_index, month_start

_CODE_BITS: Final = 31
_ABSENT: Final = ("created", "modified", "cancelled_on", "ended_on", "cancelled_or_ended_on")
"""Fields that only the engine for single leases reads."""
_MOST_INCREMENTS: Final = 24
"""Increments of a rule; leases with more are left."""
_NAMES: Final = ("id", "lease_id", "adjustee_ref", "next_adjustment_date")
_OWN: Final = (*_NAMES, "rent_adjustment_rules")
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
    followed: Followed,
) -> tuple[Mask, LaterPrices]:
    """Return which leases have a plan that is not followed, and the prices of the others.

    Args:
        leases: The columns of the batch.
        items: Their recurring items.
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
    openings = items.opening_end[row[sure[first]]].tolist()
    plain = [
        _plain(given, opening, followed)
        for given, opening in zip(plans.payloads(sure[first], followed), openings, strict=True)
    ]
    right, prices = _Steps(plain, shape.reshape(-1), row[sure], items, followed).taken()
    left[single[sure[right]]] = False
    return left, prices


class _Plans:
    """The only plans of some leases."""

    def __init__(self, array: Any, place: Column) -> None:  # noqa: ANN401 - an Arrow array
        fields = Struct(array)
        self._array, self._fields, self._place = array, fields, place
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

    def payloads(self, at: Column, followed: Followed) -> list[Any]:
        """Return what some of the plans are read from."""
        context = reading_context(followed.policy, exact_texts=True)
        shape = shape_of(RentAdjustmentPlan)
        return values_of(self._array.take(pa.array(at)), shape, context, {}) or []

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


def _plain(given: Mapping[str, Any], opening: int, followed: Followed) -> AmountsOnly | None:
    """Return the plain rule of a plan for an item that opens to a day, None where it is none.

    Only amounts of rules have a currency, and none of them is plain.
    """
    context = reading_context(followed.policy, exact_texts=True)
    own = {name: value for name, value in given.items() if name not in _NAMES}
    try:
        plan = RentAdjustmentPlan.model_validate(own, context=context)
        if plan.adjusts_balances or any(
            each.percentage is None
            for rule in plan.rent_adjustment_rules
            for each in rule.increments
        ):
            return None
        lease = LeaseTerms(recurring_bill_items=(_item(opening),), rent_adjustment_plans=(plan,))
        histories = LeaseHistories(lease, followed.indices, followed.policy)
    except RentBillingError:
        return None
    (history,) = histories.items.values()
    return history.plain


def _item(opening: int) -> RecurringBillItem:
    """Return an item that opens to a day; nothing else of it says anything of a plain rule."""
    price, day = Amount(1, "EUR"), date.fromordinal(opening)
    return RecurringBillItem(
        product_key=RENT,
        amount=price,
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(),
        started_on=day,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price, due_date=day, accounting_period=Period(day, day)
        ),
    )


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
        self._factors: list[tuple[int, int, int, int]] = []
        """Rule, month, and by what an amount is multiplied: a fraction, of none where not sure."""
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
        alike = not rule.counts_from_opening
        openings = [int(self._opening[own].min())] if alike else np.unique(self._opening[own])
        for opening in openings:
            some = own if alike else own[self._opening[own] == opening]
            self._rule[some], end = self._rules, 0
            for month in rule.months(month_start(int(opening)), until):
                # Notices of days before the asked ones are not asked for.
                found = factor(month, noticed=month >= month_index(self._asked.first))
                # What was counted before is not counted again.
                times, of, to = _NO_FACTOR if found is None or found[2] <= end else found
                if max(abs(times), of * 10**FINEST) >= MOST:
                    of = 0
                end = max(end, to)
                self._factors.append((self._rules, month, times if of else 0, of))
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
        rules, months, times, below = np.array([*self._factors, _NO_STEP]).T
        days, steps = first_day(months - _FIRST_MONTH), (rules << _DAY_BITS) | months
        begin, end = (
            np.searchsorted(steps, (self._rule << _DAY_BITS) | each, side="right")
            for each in (self._opening, self._last)
        )
        counts = np.where(self._right, end - begin, 0)
        for step in range(largest(counts)):
            # The next adjustment of all that have one.
            at = np.flatnonzero(counts > step)
            there = begin[at] + step
            day, by, of = days[there], times[there], below[there] * cut[at]
            place = np.searchsorted(keys, (rows[at] << _DAY_BITS) | day, side="right") - 1
            begun = np.where(place >= first[at], np.append(records.start, 0)[place], 0)
            over[at] = np.where(begun > since[at], agreed[place] // unit[at], over[at])
            now, of_day = over[at], begun == day
            size = max(largest(now), -smallest(now))
            sure = (now != 0) & (of > 0) & (size <= MOST // np.maximum(np.abs(by), 1))
            # Notices and adjustments of the asked days are on no bill of the kernel.
            sure &= (day < self._asked.first) | (~of_day & (day > self._asked.last))
            self._right[at[~sure]] = False
            counts[at[~sure]] = 0
            at, now, of_day, day = at[sure], now[sure], of_day[sure], day[sure]
            made = halves_up(now * by[sure], of[sure]) * cut[at]
            over[at], since[at] = np.where(of_day, now, made), day
            new = at[~of_day]
            parts.append((rows[new], day[~of_day], over[new] * unit[new], new))
        return self._right, self._prices(parts)

    def _prices(self, parts: Sequence[tuple[Column, ...]]) -> LaterPrices:
        """Return prices in the order of items and days, those that are sure."""
        none = (np.zeros(0, dtype=np.int64),) * 4
        item, start, amount, at = map(np.concatenate, zip(*parts, none, strict=True))
        order = np.argsort(item, kind="stable")
        order = order[self._right[at[order]]]
        return LaterPrices(item[order], start[order], amount[order])


_FIRST_MONTH: Final = month_index(FIRST_DAY)
_NO_FACTOR: Final = (0, 0, 0)
_NO_MONTH: Final = month_index(LAST_DAY) + 12 * _MOST_INCREMENTS
_NO_STEP: Final = (1 << _CODE_BITS, _FIRST_MONTH, 0, 0)
"""After the steps of all rules."""
_DAY_BITS: Final = 30
"""Bits of any day, and of NEVER."""
