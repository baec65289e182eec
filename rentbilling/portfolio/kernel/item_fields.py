"""Item fields: what items of an Arrow batch are, field by field, as columns.

Law: an item with a field that columns do not have, or that a record would refuse, is odd.
"""

from types import MappingProxyType
from typing import Any, Final, get_args

import numpy as np
import pyarrow as pa

from rentbilling.policy import DEFAULT, PartPeriod
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    coded,
    days_of,
    empty_texts,
    in_calendar,
    largest,
    lists,
    smallest,
    there,
    true,
    whole_of,
)
from rentbilling.portfolio.arrow.calendar import SHORTEST_MONTH
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST, units_of
from rentbilling.portfolio.kernel.item_records import vat_columns
from rentbilling.values import LAST_DAY, MONTHS_PER_YEAR

_UNITS: Final = MappingProxyType({"month": 1, "year": MONTHS_PER_YEAR, "week": -7, "day": -1})
"""Months of a unit, or its days below 0."""
_WEEK: Final = 7
_LONGEST: Final = 400
"""Units of a cycle: more than columns have of any."""
_FROM: Final = MappingProxyType({"start": 0, "end": 1})
_BASES: Final = ("rest", "list")
"""What a percentage may be of (A61); of one discount both are the same."""
_PART_PERIODS: Final = get_args(PartPeriod)


class ItemFields:
    """The items of a batch; what is odd about one makes its lease rare."""

    __slots__ = ("currency", "fields", "odd")

    def __init__(self, array: Any) -> None:  # noqa: ANN401 - an Arrow array
        self.fields = Struct(array)
        self.odd: Mask = ~there(array)
        self.currency = self.needed(self.fields.struct("amount").of("currency"))

    def needed(self, array: Any) -> Any:  # noqa: ANN401 - an Arrow array
        """Return an array; an item for which it is null is odd."""
        if array.null_count:
            self.odd |= ~there(array)
        return array

    def text(self, array: Any) -> Any:  # noqa: ANN401 - an Arrow array
        """Return texts; an item for which one is empty is odd."""
        self.odd |= empty_texts(array)
        return array

    def number(self, array: Any) -> Column:  # noqa: ANN401 - an Arrow array
        """Return numbers in units of the finest decimal; an item without one is odd."""
        units, right = units_of(array)
        self.odd |= ~right
        return units * right

    def number_if_any(self, array: Any, absent: int) -> Column:  # noqa: ANN401 - an Arrow array
        """Return the same, with a number in place of those that are not there."""
        if array.null_count == len(array):
            return np.full(len(array), absent)
        units, right = units_of(array)
        given = there(array)
        self.odd |= given & ~right
        return np.where(given, units * right, absent)

    def same(self, currency: Any, of: Column | None = None) -> None:  # noqa: ANN401 - an Arrow array
        """Note items with an amount of another currency."""
        own = self.currency if of is None else self.currency.take(pa.array(of))
        other = ~true(functions.equal(currency, own))
        if of is None:
            self.odd |= other
        else:
            self.odd[of[other]] = True

    def day(self, array: Any, absent: int | None = None) -> Column:  # noqa: ANN401 - an Arrow array
        """Return days; an item with one that no calendar has is odd."""
        if absent is None:
            self.needed(array)
        elif array.null_count == len(array):
            return np.full(len(array), absent)
        days = days_of(array, NEVER if absent is None else absent)
        if smallest(days, 1) < 1 or largest(days) > LAST_DAY:
            self.odd |= ~in_calendar(days) & (days != absent)
        return days


def names_of(items: ItemFields) -> tuple[Any, Any, Any]:
    """Return ids, product keys and descriptions."""
    fields = items.fields
    key = items.needed(items.text(fields.of("product_key")))
    return items.text(fields.of("id")), key, fields.of("description")


def vat_of(items: ItemFields) -> dict[str, Column]:
    """Return tax modes and rates; a rate that charges nothing, or above 1, is odd (A28)."""
    mode, rate = vat_columns(items.fields.struct("vat"))
    items.odd |= (mode < 0) | (rate < 0) | (rate > 10**FINEST)
    return {"tax_mode": mode, "tax_rate": rate}


def own_part_periods(fields: Struct) -> Mask:
    """Return which items count part periods otherwise than the policy; no word counts openings."""
    ends = fields.struct("part_period")
    first = coded(ends.of("first"), lambda word: int(word not in _PART_PERIODS), 0)
    last = coded(ends.of("last"), lambda word: int(word != DEFAULT.part_period), 0)
    return (first > 0) | (last > 0)


def cycle_columns(cycle: Struct) -> tuple[Column, Column, Column]:
    """Return the units of cycles as in _UNITS, their months, and the days of those of days.

    Months of a cycle that columns have not are none, or more than a year's; of a cycle of days they
    are those that it may reach over.
    """
    unit = coded(
        cycle.of("time_unit"), lambda word: _UNITS.get(word.lower().removesuffix("s"), 0), 0
    )
    # A long one is cut, so that the product stays small.
    length = np.clip(whole_of(cycle.of("period_length"), 0), 0, _LONGEST)
    days = np.maximum(-unit, 0) * length
    return unit, np.maximum(unit * length, -(-days // SHORTEST_MONTH)), days


def cycles_of(items: ItemFields) -> dict[str, Any]:
    """Return cycles and due days."""
    cycle, rule = items.fields.struct("billing_cycle"), items.fields.struct("due_date_rule")
    unit, months, days = cycle_columns(cycle)
    # An absent number becomes one that no item may have.
    start = whole_of(items.needed(cycle.of("start")), 0)
    start_day = whole_of(cycle.of("start_day"), 1)
    if days.any():
        late = (start < 1) | (start > np.where(unit < -1, _WEEK, 1))
        items.odd |= (days > 0) & ((start_day != 1) | late)
        start = start + (unit == -1) * _WEEK
    # These words are read in small letters alone.
    since = coded(rule.of("relative_to"), lambda word: _FROM.get(word, len(_FROM)), 0)
    items.odd |= since == len(_FROM)
    return {
        "months": months,
        "days": days,
        "start_month": start,
        "start_day": start_day,
        "due_day": whole_of(items.needed(rule.of("day_of_period")), 0),
        "arrears": since == 1,
    }


def dates_of(items: ItemFields) -> dict[str, Column]:
    fields = items.fields
    opening = fields.struct("first_billing_period_bill_item")
    period = opening.struct("accounting_period")
    return {
        "started_on": items.day(fields.of("started_on")),
        "opening_due": items.day(opening.of("due_date")),
        "opening_start": items.day(period.of("start")),
        "opening_end": items.day(period.of("end")),
        "ended_on": items.day(fields.of("ended_on"), NEVER),
        "cancelled_on": items.day(fields.of("cancelled_on"), NEVER),
    }


def discount_of(items: ItemFields) -> Struct:
    """Return the discount of each item: its own, or the only one of its list (A61)."""
    own, listed = items.fields.of("discount"), items.fields.of("discounts")
    if not len(listed.values):
        return Struct(own)
    offsets, values, sound = lists(listed)
    counts = np.diff(offsets)
    items.odd |= ~sound | (counts > 1) | ((counts > 0) & there(own))
    only = np.flatnonzero(counts == 1)
    items.odd[only[~there(values)[offsets[only]]]] = True
    place = np.arange(len(counts))
    place[only] = len(counts) + offsets[only]
    return Struct(pa.concat_arrays([own, values]).take(pa.array(place)))


def money_of(items: ItemFields, discount: Struct) -> dict[str, Column]:
    """Return prices, quantities and discounts, in units of the finest decimal."""
    fields = items.fields
    opening = fields.struct("first_billing_period_bill_item").struct("amount")
    items.same(opening.of("currency"))
    given = there(discount.array)
    off = discount.struct("amount")
    by_amount, by_share = there(discount.of("amount")), there(discount.of("percentage"))
    # One of both, and an amount that takes something off, in the currency of the item.
    items.odd |= given & (by_amount == by_share)
    if by_amount.any():
        items.odd |= by_amount & ~true(functions.equal(off.of("currency"), items.currency))
    amount = items.number_if_any(off.of("amount"), 0)
    items.odd |= by_amount & (amount <= 0)
    of = coded(discount.of("of"), lambda word: int(word in _BASES), -1)
    items.odd |= (of == 0) | (by_amount & (of >= 0))
    start, end = items.day(discount.of("start_date"), 0), items.day(discount.of("end_date"), NEVER)
    items.odd |= start > end
    return {
        "amount": items.number(fields.struct("amount").of("amount")),
        "quantity": items.number_if_any(fields.of("quantity"), 10**FINEST),
        "opening_amount": items.number(opening.of("amount")),
        "discount_amount": np.where(given, amount, 0),
        "discount_percentage": items.number_if_any(discount.of("percentage"), 0),
        "discount_start": start,
        "discount_end": np.where(given, end, 0),
        **_prices(items),
    }


def _prices(items: ItemFields) -> dict[str, Column]:
    """Return later prices in the order of their days; equal ones are left to `flat_eligibility`."""
    listed = items.fields.of("amount_records")
    offsets, array, sound = lists(listed)
    items.odd |= ~sound
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    records = Struct(array)
    value = records.struct("value")
    amounts, right = units_of(value.of("amount"))
    starts = days_of(records.of("start"), NEVER)
    # A day that is not there, like one that no calendar has, is odd.
    wrong = ~right | empty_texts(records.of("id")) | (starts < 1) | (starts > LAST_DAY)
    items.odd[owner[wrong]] = True
    items.same(value.of("currency"), owner)
    amounts *= right
    if ((starts[1:] < starts[:-1]) & (owner[1:] == owner[:-1])).any():
        # A service adds a record for each adjustment at the end.
        order = np.lexsort((starts, owner))
        starts, amounts = starts[order], amounts[order]
    return {"price_offsets": offsets, "price_start": starts, "price_amount": amounts}
