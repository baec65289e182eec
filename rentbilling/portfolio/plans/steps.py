"""Steps: the plain rules of many items, adjustment by adjustment for all of them together.

Law: what one plan or several make of an item is in the order of days; two plans that act on one day
are not followed.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from rentbilling.portfolio.arrow.arrays import Column, Mask, largest, smallest
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, first_day
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.rounding import MOST, halves_up
from rentbilling.portfolio.plans.listed_adjustments import NOT_SAID, ListedAdjustments
from rentbilling.portfolio.plans.plain_plans import MILLION
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.portfolio.plans.rule_months import KEY_BITS, PlanRows, RuleMonths
from rentbilling.values import minor_units, month_index

COMPUTED: Final = -1
RECORDED: Final = -2


class Acted(NamedTuple):
    """What plans did in the asked days, a row each."""

    plan: Column
    rule: Column
    month: Column
    before: Column
    """In units of the finest decimal."""
    after: Column
    listed: Column
    """The row of what the plan lists of the day; COMPUTED, or RECORDED as the item's amount."""


class _Events(NamedTuple):
    """The days on which a plan adjusts an item, in the order of items and days."""

    item: Column
    """Its place among the items that are adjusted."""
    plan: Column
    step: Column
    """The row in the table of the rules' months."""
    listed: Column
    """The row of what the plan lists of the day, or COMPUTED."""


class _Agreed(NamedTuple):
    """The prices that records and lists say, in the order of items and days, and a last one."""

    key: Column
    start: Column
    amount: Column
    added: LaterPrices
    """Those of lists alone."""
    by: Column
    """The plans that list these."""


class Steps:
    """The steps of the plans of many items."""

    def __init__(
        self,
        months: RuleMonths,
        plans: PlanRows,
        listed: ListedAdjustments,
        items: PlanItems,
        followed: Followed,
    ) -> None:
        """Find the days on which each item is adjusted."""
        self._months, self._rows, self._listed = months, plans.item, listed
        self._items, self._followed, self._asked = items, followed, followed.asked
        self._right, self._table, self._days = months.right, months.table, months.days
        self._adjusted, self._item_of = np.unique(self._rows, return_inverse=True)
        self._events = self._found(plans.listed_until)
        self._agreed = self._merged()
        self._first = np.searchsorted(self._agreed.key, _keys(self._adjusted, 0))
        self._began = np.append(listed.before, NOT_SAID)
        self._unit, self._cut = self._units()
        self._whole = self._rounded_to(plans.quantum)
        self._over = items.amount[self._adjusted] // self._unit
        """The amount of each item so far, in its unit."""
        self._base = self._over.copy()
        """The amount of each item at first, of which an anchored rule changes."""
        self._since = np.zeros_like(self._over)
        """The day of it."""
        self._anchored, self._limits = plans.anchored > 0, plans.limits
        self._note_anchors(plans.anchored)

    def _found(self, until: Column) -> _Events:
        """Return on which days the plans act."""
        begin, end = self._months.between()
        counts, listed = end - begin, self._listed
        plan = np.repeat(np.arange(len(counts)), counts)
        step = np.arange(len(plan)) - np.repeat(np.cumsum(counts) - counts - begin, counts)
        day, entry = self._days[step], np.full(len(plan), COMPUTED)
        if len(listed.plan):
            known, keys = _keys(listed.plan, listed.day), _keys(plan, day)
            place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            entry = np.where(known[place] == keys, place, COMPUTED)
            kept = (entry >= 0) | (day > until[plan])
            plan, step, entry, day = plan[kept], step[kept], entry[kept], day[kept]
            self._note_points(plan, step, entry)
        item = self._item_of[plan]
        if len(self._adjusted) < len(self._rows):
            self._note_meetings(plan, day)
        order = np.argsort(_keys(item, day), kind="stable")
        return _Events(item[order], plan[order], step[order], entry[order])

    def _note_points(self, plan: Column, step: Column, entry: Column) -> None:
        """Leave plans whose lists say that a point counts already which is still to be used.

        And those that list a day that may have a notice, and on which their rule does not adjust.
        """
        listed = self._listed
        last = np.zeros(len(self._rows), dtype=np.int64)
        np.maximum.at(last, listed.plan, listed.point)
        point = np.where(entry >= 0, listed.earlier[entry], last[plan])
        self._right[plan[(point > 0) & (self._table.to[step] <= point)]] = False
        alone = (listed.day >= self._asked.first) & self._months.reached(listed.plan, listed.day)
        alone[entry[entry >= 0]] = False
        self._right[listed.plan[alone]] = False

    def _note_anchors(self, anchored: Column) -> None:
        """Leave anchored plans of items with agreed amounts or another plan, and with lists."""
        several = np.bincount(self._item_of)[self._item_of] > 1
        agreed = np.isin(self._rows, self._items.records.item) | several
        agreed[self._listed.plan] = True
        self._right[(anchored < 0) | (self._anchored & agreed)] = False

    def _note_meetings(self, plan: Column, day: Column) -> None:
        """Leave plans that act on a day on which another one acts on the same item."""
        plan = np.concatenate([plan, self._listed.plan])
        key = _keys(self._item_of[plan], np.concatenate([day, self._listed.day]))
        order = np.lexsort((plan, key))
        plan, key = plan[order], key[order]
        twice = (key[1:] == key[:-1]) & (plan[1:] != plan[:-1])
        self._right[plan[1:][twice]] = False

    def _merged(self) -> _Agreed:
        """Return the prices that records and lists say; where there are both, the record (A18)."""
        records, listed = self._items.records, self._listed
        adjusted = np.zeros(len(self._items.owner), dtype=np.bool_)
        adjusted[self._rows] = True
        # Those of other items may be on any day.
        item, start, amount = (each[adjusted[records.item]] for each in records)
        key, owner = _keys(item, start), self._rows[listed.plan]
        new = ~np.isin(_keys(owner, listed.day), key)
        added = LaterPrices(owner[new], listed.day[new], listed.after[new])
        key = np.concatenate([key, _keys(added.item, added.start), [np.iinfo(np.int64).max]])
        order = np.argsort(key, kind="stable")
        start = np.concatenate([start, added.start, [0]])[order]
        amount = np.concatenate([amount, added.amount, [0]])[order]
        return _Agreed(key[order], start, amount, added, listed.plan[new])

    def _units(self) -> tuple[Column, Column]:
        """Return the unit of each item's amounts, and how many of it are a minor unit."""
        items, agreed, known = self._items, self._agreed, self._followed.policy.currencies
        places = np.array([minor_units(each, known) for each in items.currencies], dtype=np.int64)
        fine = 10 ** np.maximum(FINEST - places[items.currency], 0)
        # Minor units unless an amount has decimals below them.
        item = agreed.key[:-1] >> KEY_BITS
        parted = np.bincount(item, agreed.amount[:-1] % fine[item], len(fine))
        unit = np.where((items.amount % fine) + parted > 0, 1, fine)[self._adjusted]
        return unit, fine[self._adjusted] // unit

    def _rounded_to(self, quantum: Column) -> Column:
        """Return what each plan rounds amounts to, in units of its item's amounts."""
        unit, cut = self._unit[self._item_of], self._cut[self._item_of]
        odd = (quantum < 0) | (quantum % (unit * cut) > 0)
        self._right[odd] = False
        return np.where(odd | (quantum == 0), cut, quantum // unit)

    def taken(self) -> tuple[Mask, LaterPrices, Acted]:
        """Return which plans are followed, the prices that come of them, and what made those."""
        items, added = self._items, self._agreed.added
        nothing = items.records.item[items.records.amount == 0]
        self._right[np.isin(self._rows, nothing) | (items.amount[self._rows] == 0)] = False
        counts = np.bincount(self._events.item, minlength=len(self._adjusted))
        begin = np.cumsum(counts) - counts
        # Of each price the plan, to begin with those that lists say.
        prices: list[tuple[Column, ...]] = [(self._agreed.by, *added)]
        acted: list[tuple[Column, ...]] = [(np.zeros(0, dtype=np.int64),) * len(Acted._fields)]
        for turn in range(largest(counts)):
            # The next adjustment of all that have one.
            at = np.flatnonzero(counts > turn)
            event = _Events(*(each[begin[at] + turn] for each in self._events))
            sure = self._stepped(event, prices, acted)
            self._right[event.plan[~sure]] = False
            counts[at[~sure]] = 0
        _, *columns = self._sure(prices)
        order = np.argsort(_keys(columns[0], columns[1]), kind="stable")
        found = LaterPrices(*(each[order] for each in columns))
        return self._right, found, Acted(*self._sure(acted))

    def _stepped(
        self, event: _Events, prices: list[tuple[Column, ...]], acted: list[tuple[Column, ...]]
    ) -> Mask:
        """Take a step of each of some items; return where it is sure what comes of it."""
        table, agreed, asked = self._table, self._agreed, self._asked
        at, plan, step, entry = event
        day, by, of = self._days[step], table.times[step], table.below[step]
        unit, cut, whole = self._unit[at], self._cut[at], self._whole[plan]
        key = _keys(self._adjusted[at], day)
        place = np.searchsorted(agreed.key, key)
        of_day, latest = agreed.key[place] == key, place - 1
        begun = np.where(latest >= self._first[at], agreed.start[latest], 0)
        now = np.where(begun > self._since[at], agreed.amount[latest] // unit, self._over[at])
        base = np.where(self._anchored[plan], self._base[at], now)
        size = max(largest(base), -smallest(base))
        sure = (now != 0) & (of > 0) & (size <= MOST // np.maximum(np.abs(by), 1))
        sure &= of <= MOST // whole
        made = halves_up(base * (by * sure), np.where(sure, of * whole, 1)) * whole
        sure &= ~self._anchored[plan] | self._within(plan, np.abs(now), np.abs(made), whole)
        after = np.where(of_day, agreed.amount[place] // unit, made)
        # What is agreed for the day is what the rule makes of it, or there is a notice.
        began = self._began[entry]
        began = np.where(began == NOT_SAID, now * unit, began)
        sure &= (np.abs(after - made) < cut) & (np.abs(began - now * unit) < cut * unit)
        # Notices of days before the asked ones are not asked for.
        found: Mask = sure | (of_day & (of >= 0) & (day < asked.first))
        self._over[at], self._since[at] = after, day
        new, shown = found & ~of_day, found & (day >= asked.first) & (day <= asked.last)
        own = plan, self._adjusted[at], day, after * unit
        prices.append(tuple(each[new] for each in own))
        kind = np.where((entry < 0) & of_day, RECORDED, entry)
        done = plan, self._months.rule[plan], table.month[step], now * unit, own[-1], kind
        acted.append(tuple(each[shown] for each in done))
        return found

    def _within(self, plan: Column, now: Column, made: Column, whole: Column) -> Mask:
        """Return where an anchored rule surely stays within its limits, however it is rounded."""
        least, most = self._limits[plan].T
        fits = np.maximum(now, made + whole) <= MOST // (4 * MILLION)
        now, made = now * fits, made * fits
        low, high = now * (MILLION + least), now * (MILLION + most)
        found: Mask = fits & ((made - whole) * MILLION >= low) & ((made + whole) * MILLION <= high)
        return found

    def gaps(self, acted: Acted) -> Column:
        """Return plans with adjustments that those of the asked days cannot be added to.

        Of such a plan, or of another one of its item, a list or what comes first in the asked days
        begins with another amount than lists and records lead to; or a list has a later day, or one
        of the asked days that no record has; or its rule acts on an earlier day that neither has.
        """
        listed, asked = self._listed, self._asked
        day = first_day(acted.month - month_index(FIRST_DAY))
        apart = (listed.before != NOT_SAID) & (
            listed.before != self._agreed_before(listed.plan, listed.day)
        )
        no_record = np.isin(
            _keys(self._rows[listed.plan], listed.day),
            _keys(self._agreed.added.item, self._agreed.added.start),
        )
        apart |= (listed.day > asked.last) | (no_record & (listed.day >= asked.first))
        item = self._item_of[acted.plan]
        order = np.argsort(_keys(item, day), kind="stable")
        after_others = np.zeros(len(order), dtype=np.bool_)
        after_others[order[1:]] = item[order][1:] == item[order][:-1]
        missing = ~after_others & (acted.before != self._agreed_before(acted.plan, day))
        missing |= np.isin(acted.plan, self._unlisted())
        missing &= acted.listed == COMPUTED
        return np.concatenate([listed.plan[apart], acted.plan[missing]])

    def _unlisted(self) -> Column:
        """Return plans with an adjustment before the asked days that no list and no record has."""
        _, plan, step, entry = self._events
        day = self._days[step]
        agreed = np.isin(_keys(self._rows[plan], day), self._agreed.key)
        found: Column = plan[(entry == COMPUTED) & (day < self._asked.first) & ~agreed]
        return found

    def _agreed_before(self, plan: Column, day: Column) -> Column:
        """Return the amounts of the items of plans before days, by lists and records alone."""
        row, agreed = self._rows[plan], self._agreed
        latest = np.searchsorted(agreed.key, _keys(row, day)) - 1
        begun = agreed.key[latest] >> KEY_BITS == row
        found: Column = np.where(begun, agreed.amount[latest], self._items.amount[row])
        return found

    def _sure(self, parts: Sequence[tuple[Column, ...]]) -> list[Column]:
        """Return the rows of parts whose plans, in the first column, are followed."""
        columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
        return [each[self._right[columns[0]]] for each in columns]


def _keys(owner: Column, day: Column | int) -> Column:
    """Return numbers in the order of owners, then of days."""
    return (owner << KEY_BITS) | day
