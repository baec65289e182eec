"""Steps: the plain rules of many items, month by month for all of them together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from rentbilling.portfolio.arrow.arrays import NEVER, Column, Mask, largest, smallest
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, LAST_DAY, first_day, month_of
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.rounding import MOST, halves_up
from rentbilling.portfolio.plans.plain_plans import PlainPlan, effect_of
from rentbilling.portfolio.plans.plan_columns import MOST_INCREMENTS
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.values import minor_units, month_index, month_start

_CODE_BITS: Final = 31


class Acted(NamedTuple):
    """What rules did in the asked days, a row each."""

    at: Column
    """The place of the item among those that are adjusted."""
    rule: Column
    month: Column
    before: Column
    """In units of the finest decimal."""
    after: Column


class Does(NamedTuple):
    """What a rule did on a day to the item of a place, as in `Acted`."""

    at: int
    day: int
    before: int
    after: int
    effect: Mapping[str, Any]
    """All other fields, without ids."""


class Steps:
    """The steps of the plain rules of many items, month by month for all of them together."""

    def __init__(
        self,
        plain: Sequence[PlainPlan | None],
        shape: Column,
        rows: Column,
        lives: tuple[Column, Column],
        items: PlanItems,
        followed: Followed,
    ) -> None:
        """Find in which months each item is adjusted.

        Args:
            plain: The rules.
            shape: For each item that is adjusted the place of its rule.
            rows: The row of each of them.
            lives: The month before which each plan adjusts nothing, and its last day.
            items: All items.
            followed: Series, policy and days.
        """
        self._items, self._rows, self._followed = items, rows, followed
        self._asked = followed.asked
        # No period that is billed reaches beyond the cycle that begins in the last month.
        shift = np.minimum(items.due_day[rows], 0)
        last = month_of(np.minimum(followed.last - shift, LAST_DAY)) + items.months[rows]
        # A cycle of days may begin in the last days of a month.
        whole = (items.start_day[rows] == 1) & (items.days[rows] == 0)
        self._reach = last - whole + _FIRST_MONTH
        self._created, end = lives
        end = np.minimum(items.last[rows], end)
        end = month_of(np.clip(end, FIRST_DAY, LAST_DAY)) + _FIRST_MONTH
        self._last = np.minimum(self._reach, end)
        self._opening = month_of(items.opening_end[rows]) + _FIRST_MONTH
        self._right = np.ones(len(rows), dtype=np.bool_)
        self._rule = np.zeros(len(rows), dtype=np.int64)
        """The rule of each item, rules that adjust in other months being others."""
        self._factors: list[tuple[int, int, int, int]] = []
        """Rule, month, and by what an amount is multiplied: a fraction, of none where not sure."""
        self._effects: dict[tuple[int, int], Mapping[str, Any]] = {}
        """What the rules do in the asked days, by rule and month."""
        self._rules = 0
        order = np.argsort(shape, kind="stable")
        ends = np.cumsum(np.bincount(shape, minlength=len(plain)))
        for each, own in zip(plain, np.split(order, ends[:-1]), strict=True):
            if each is None:
                self._right[own] = False
            else:
                self._add(each, own)

    def _add(self, plain: PlainPlan, own: Column) -> None:
        """Add the months of the items of a rule."""
        rule = plain.rule
        noticed = [each for each in rule.stated if each >= month_index(self._asked.first)]
        self._right[own[self._reach[own] >= min(noticed, default=_NO_MONTH)]] = False
        until, factor = int(self._last[own].max()), cache(rule.factor)
        if not rule.names_its_year:
            self._opening[own] = np.maximum(self._opening[own], self._created[own])
        alike = not rule.counts_from_opening
        openings = [smallest(self._opening[own], NEVER)] if alike else np.unique(self._opening[own])
        for opening in openings:
            some = own if alike else own[self._opening[own] == opening]
            opened = month_start(int(opening))
            self._rule[some], end = self._rules, 0
            for month in rule.months(opened, until):
                # Notices of days before the asked ones are not asked for.
                found = factor(month, noticed=month >= month_index(self._asked.first))
                # What was counted before is not counted again.
                times, of, to = _NO_FACTOR if found is None or found[2] <= end else found
                if max(abs(times), of * 10**FINEST) >= MOST:
                    of = 0
                end = max(end, to)
                if of and self._asked.first <= month_start(month) <= self._asked.last:
                    effect = effect_of(plain.plan, opened, month, self._followed)
                    of = 0 if effect is None else of
                    self._effects[self._rules, month] = effect or {}
                self._factors.append((self._rules, month, times if of else 0, of))
            self._rules += 1

    def does(self, acted: Acted) -> Iterator[Does]:
        """Give what rules did, with their effects."""
        rows = zip(*(each.tolist() for each in acted), strict=True)
        for at, rule, month, before, after in rows:
            yield Does(at, month_start(month), before, after, self._effects[rule, month])

    def taken(self) -> tuple[Mask, LaterPrices, Acted]:
        """Return of which items the prices are sure, those prices, and what they were made by."""
        items, rows, asked = self._items, self._rows, self._asked
        records = items.records
        keys = (records.item << _DAY_BITS) | records.start
        known = self._followed.policy.currencies
        places = np.array([minor_units(each, known) for each in items.currencies], dtype=np.int64)
        fine = 10 ** (FINEST - places[items.currency])
        # Minor units unless an amount has decimals below them.
        parted = np.bincount(records.item, records.amount % fine[records.item], len(fine))
        unit = np.where((items.amount % fine) + parted > 0, 1, fine)
        cut, unit = (fine // unit)[rows], unit[rows]
        over, agreed = items.amount[rows] // unit, np.append(records.amount, 0)
        self._right[np.isin(rows, records.item[records.amount == 0])] = False
        first = np.searchsorted(keys, rows << _DAY_BITS)
        since, parts, acted = np.zeros_like(rows), [], []
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
            # Notices of the asked days are on no bill of the kernel.
            sure &= (day < asked.first) | ~of_day
            self._right[at[~sure]] = False
            counts[at[~sure]] = 0
            at, now, of_day, day = at[sure], now[sure], of_day[sure], day[sure]
            made = halves_up(now * by[sure], of[sure]) * cut[at]
            over[at], since[at] = np.where(of_day, now, made), day
            new = at[~of_day]
            parts.append((rows[new], day[~of_day], over[new] * unit[new], new))
            shown = np.flatnonzero((day >= asked.first) & (day <= asked.last))
            place = at[shown]
            amounts = now[shown] * unit[place], over[place] * unit[place]
            acted.append((place, self._rule[place], months[there[sure][shown]], *amounts))
        return self._right, self._prices(parts), self._acted(acted)

    def _acted(self, parts: Sequence[tuple[Column, ...]]) -> Acted:
        """Return what rules did, where it is sure, in the order of items and days."""
        none = (np.zeros(0, dtype=np.int64),) * len(Acted._fields)
        found = [np.concatenate(each) for each in zip(*parts, none, strict=True)]
        order = np.argsort(found[0], kind="stable")
        order = order[self._right[found[0][order]]]
        return Acted(*(each[order] for each in found))

    def _prices(self, parts: Sequence[tuple[Column, ...]]) -> LaterPrices:
        """Return prices in the order of items and days, those that are sure."""
        none = (np.zeros(0, dtype=np.int64),) * 4
        item, start, amount, at = map(np.concatenate, zip(*parts, none, strict=True))
        order = np.argsort(item, kind="stable")
        order = order[self._right[at[order]]]
        return LaterPrices(item[order], start[order], amount[order])


_FIRST_MONTH: Final = month_index(FIRST_DAY)
_NO_FACTOR: Final = (0, 0, 0)
_NO_MONTH: Final = month_index(LAST_DAY) + 12 * MOST_INCREMENTS
_NO_STEP: Final = (1 << _CODE_BITS, _FIRST_MONTH, 0, 0)
"""After the steps of all rules."""
_DAY_BITS: Final = 30
"""Bits of any day, and of NEVER."""
