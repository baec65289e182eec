"""Plan columns: the plans of many leases, read column by column.

Law: a plan with anything that its columns do not have, or that its record would refuse, is odd.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.errors import RentBillingError
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    again,
    coded,
    days_of,
    empty_texts,
    in_calendar,
    largest,
    list_lengths,
    lists,
    named,
    there,
    true,
)
from rentbilling.portfolio.arrow.calendar import FIRST_DAY, LAST_DAY
from rentbilling.portfolio.arrow.column_types import functions, shape_of
from rentbilling.portfolio.arrow.payloads import values_of
from rentbilling.portfolio.plans.listed_adjustments import ListedAdjustments, listed_adjustments
from rentbilling.portfolio.plans.plan_items import Followed, PlanItems
from rentbilling.records import moment_of
from rentbilling.terms import RentAdjustmentPlan, reading_context
from rentbilling.values import month_index

_CODE_BITS: Final = 31
_MOMENTS: Final = ("created", "modified")
_ENDS: Final = ("ended_on", "cancelled_on", "cancelled_or_ended_on")
MOST_INCREMENTS: Final = 24
"""Increments of a rule; leases with more are left."""
_NAMES: Final = (
    *("id", "lease_id", "adjustee_ref", "next_adjustment_date", "adjustments"),
    *(*_MOMENTS, *_ENDS),
)
_OWN: Final = (*_NAMES, "rent_adjustment_rules")
"""Fields that may differ between plans of one shape."""
_NO_MOMENT: Final = -1


class PlanColumns:
    """The plans of some leases, each with the place of its lease, and its own in the lease."""

    def __init__(self, array: Any, place: Column, number: Column) -> None:  # noqa: ANN401 - an Arrow array
        fields = Struct(array)
        self._array, self._fields, self.place, self.number = array, fields, place, number
        self._rule_id: Any = None
        rules, values, sound = lists(fields.of("rent_adjustment_rules"))
        counts = np.diff(rules)
        # A plan without rules adjusts nothing, unless it lists what it did.
        idle = counts == 0
        listed = list_lengths(fields.of("adjustments")) > 0
        self.odd: Mask = ~sound | (counts > 1) | (idle & listed)
        self.shape = np.zeros(len(array), dtype=np.int64)
        """Equal numbers for plans that differ in nothing but names."""
        self.of_odd_items = np.zeros(len(array), dtype=np.bool_)
        if not len(array):
            return
        rule = values.take(pa.array(np.where(idle, 0, rules[:-1]), mask=idle))
        self.odd |= ~there(array) | (~there(rule) & ~idle)
        self.created = self._created()
        self.last = self._last_days()
        self._rule_id = Struct(rule).of("id")
        ids = fields.of("id")
        self.odd |= empty_texts(ids) | empty_texts(self._rule_id)
        if ids.null_count < len(ids):
            # The place of a plan without an id may be the id of another one.
            both = np.bincount(place, there(ids)), np.bincount(place, ~there(ids))
            self.odd |= again(place, ids) | np.minimum(*both)[place].astype(np.bool_)
        next_day = days_of(fields.of("next_adjustment_date"), NEVER)
        self.odd |= ~in_calendar(next_day)
        self.odd |= list_lengths(Struct(rule).of("increments")) > MOST_INCREMENTS
        self.shape = _paired(_alike(array, _OWN), _alike(rule, ("id",)))

    def _created(self) -> Column:
        """Return the month before the first one that begins after each plan was made (A32)."""
        created, modified = (coded(self._fields.of(name), _month_made, 0) for name in _MOMENTS)
        self.odd |= (created == _NO_MOMENT) | (modified == _NO_MOMENT)
        return created

    def _last_days(self) -> Column:
        """Return the last day on which each plan adjusts, as `Bounds.of_plan` has it (A32)."""
        days = [days_of(self._fields.of(name), NEVER) for name in _ENDS]
        for each in days:
            self.odd |= ~in_calendar(each)
        ended, cancelled, either = days
        stop = np.where(np.minimum(ended, cancelled) == NEVER, either, cancelled)
        last: Column = np.minimum(ended, stop - 1)
        return last

    def ids(self, at: Column) -> dict[str, Any]:
        """Return the ids of plans and of their rules, by position where absent (A57)."""
        rows = pa.array(at)
        return {
            "plan_id": named(self._fields.of("id").take(rows), "plan", self.number[at]),
            "rent_adjustment_rule_id": named(self._rule_id.take(rows), "rule", np.zeros_like(at)),
        }

    def listed(self, rows: Column, items: PlanItems) -> ListedAdjustments:
        """Return what the plans of the items of some rows list; what is not plain is odd."""
        codes = pa.array(items.currencies, pa.string()).take(pa.array(items.currency[rows]))
        found = listed_adjustments(self._fields.of("adjustments"), codes, self.odd)
        early = (found.day <= items.opening_end[rows[found.plan]]) | (found.day > LAST_DAY)
        self.odd[found.plan[early]] = True
        return found

    def payloads(self, at: Column, followed: Followed) -> list[Any]:
        """Return what some of the plans are read from, without what may differ between them."""
        context = reading_context(followed.policy, exact_texts=True)
        shape = shape_of(RentAdjustmentPlan)
        shape = replace(shape, parts=tuple(each for each in shape.parts if each[0] not in _NAMES))
        return values_of(self._array.take(pa.array(at)), shape, context, {}) or []

    def rows(self, lease_ids: Any, items: PlanItems) -> Column:  # noqa: ANN401 - an Arrow array
        """Return the row of the item that each plan adjusts; what is not certain is odd."""
        count, fields = len(lease_ids), self._fields
        has_id = there(fields.of("lease_id"))
        same = functions.equal(fields.of("lease_id"), lease_ids.take(pa.array(self.place)))
        self.odd |= has_id & ~true(same)
        first = np.searchsorted(items.owner, np.arange(count))
        number = np.bincount(items.owner, minlength=count)
        # Each plan beside each item of its lease.
        beside = number[self.place]
        of = np.repeat(np.arange(len(beside)), beside)
        place = np.arange(len(of)) - np.repeat(np.cumsum(beside) - beside, beside)
        rows = first[self.place[of]] + place
        names = named(items.item_id.take(pa.array(rows)), "recurring", place)
        ref = fields.of("adjustee_ref")
        wanted = true(functions.equal(names, ref.take(pa.array(of))))
        wanted |= ~there(ref)[of] & (beside[of] == 1)
        found = np.full(len(self.place), -1)
        found[of[wanted][::-1]] = rows[wanted][::-1]
        self.odd |= (found < 0) | ~items.fits[found]
        self.of_odd_items = (found >= 0) & items.odd[found]
        opening = items.opening_end[found]
        self.odd |= (opening < FIRST_DAY) | (opening > LAST_DAY)
        return found


def _month_made(text: str) -> int:
    """Return the month before the first one that begins after a moment, as the columns have it."""
    try:
        day = moment_of(text).date()
    except RentBillingError:
        return _NO_MOMENT
    return min(month_index(day.toordinal()) + (day.day > 1) - 1, month_index(LAST_DAY))


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
        for at in range(min(largest(counts), MOST_INCREMENTS)):
            there_at = np.where(counts > at, offsets[:-1] + at, -1)
            found = _paired(found, inside[there_at])
        return found
    codes: Column = array.dictionary_encode().indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _paired(one: Column, other: Column) -> Column:
    """Return equal numbers where two columns of numbers are equal."""
    found: Column = np.unique((one << _CODE_BITS) | (other + 1), return_inverse=True)[1]
    return found.reshape(-1)
