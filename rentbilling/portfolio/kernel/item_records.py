"""Item records: VAT and quantities of items on all days that are billed, prices of several units.

Laws: of an item the record counts that is in force on all these days; an item with one that begins
on one of them, but for a description, or with one that would be refused, is odd.
"""

from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrays import (
    Column,
    Mask,
    Struct,
    coded,
    days_of,
    empty_texts,
    lists,
    there,
)
from rentbilling.portfolio.arrow.calendar import LONGEST_MONTH
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST, units_of
from rentbilling.portfolio.arrow.rounding import MOST
from rentbilling.portfolio.kernel.items import EXEMPT, MODES, MOST_UNITS
from rentbilling.values import LAST_DAY, TOO_LARGE

_NONE: Final = -1
_DAY_BITS: Final = 30
"""Bits of any day."""
_MODES: Final = MappingProxyType({mode.lower(): at for at, mode in enumerate(MODES)})


class BilledDays(NamedTuple):
    """The days whose lines are billed, for each item a first and a last one, and more."""

    first: Column
    last: Column

    @classmethod
    def of(cls, first: int, last: int, columns: dict[str, Any]) -> "BilledDays":
        """Return the days of lines that fall due from one day to another."""
        due, reach = columns["due_day"], (columns["months"] + 1) * LONGEST_MONTH
        before = np.maximum(due, 0) + np.where(columns["arrears"], reach, LONGEST_MONTH)
        return cls(first - before, last - np.minimum(due, 0) + reach)


def with_records(
    fields: Struct, columns: dict[str, Any], days: BilledDays, asked: tuple[int, int]
) -> dict[str, Mask]:
    """Put what records say of VAT and quantity in place of what items say.

    Return which items have records that cannot be followed.

    Args:
        fields: Of the items.
        columns: Of the items; changed in place.
        days: The days that are billed.
        asked: The first and last day on which a bill may fall due.
    """
    due, left = columns["opening_due"], dict[str, Mask]()
    # The opening period has days of its own.
    opens = (due >= asked[0]) & (due <= asked[1])
    for name in ("vat_records", "quantity_records"):
        listed = fields.of(name)
        if not len(listed.values):
            continue
        left[name] = np.zeros(len(due), dtype=np.bool_)
        owner, records, place = _in_force(listed, left[name], days)
        value, at = records.of("value"), np.flatnonzero(place != _NONE)
        if name == "quantity_records":
            found, right = units_of(value)
            right &= (found > 0) & (found < TOO_LARGE)
            columns["quantity"][at] = found[place[at]]
        else:
            mode, rate = vat_columns(Struct(value))
            right = (mode >= 0) & (rate >= 0) & (rate <= 10**FINEST)
            columns["tax_mode"][at], columns["tax_rate"][at] = mode[place[at]], rate[place[at]]
        left[name][owner[~right | opens[owner]]] = True
    return left


def _in_force(listed: Any, odd: Mask, days: BilledDays) -> tuple[Column, Struct, Column]:  # noqa: ANN401 - an Arrow array
    """Return whose each record is, all records, and which of them is in force for each item."""
    owner, records, starts, order = _dated(listed, odd)
    odd[owner[(starts > days.first[owner]) & (starts <= days.last[owner])]] = True
    # Of several the last one that has begun.
    place = np.full(len(odd), _NONE)
    begun = order[(starts <= days.first[owner])[order]]
    place[owner[begun]] = begun
    return owner, records, place


def _dated(listed: Any, odd: Mask) -> tuple[Column, Struct, Column, Column]:  # noqa: ANN401 - an Arrow array
    """Return whose each record is, all records, their days, and their order by items and days."""
    offsets, array, sound = lists(listed)
    owner, records = np.repeat(np.arange(len(sound)), np.diff(offsets)), Struct(array)
    starts = days_of(records.of("start"), 0)
    order = np.lexsort((starts, owner))
    again = np.zeros(len(owner), dtype=np.bool_)
    again[1:] = (starts[order][1:] == starts[order][:-1]) & (owner[1:] == owner[:-1])
    wrong = again[np.argsort(order)] | (starts < 1) | (starts > LAST_DAY) | ~there(array)
    wrong |= empty_texts(records.of("id"))
    odd |= ~sound
    odd[owner[wrong]] = True
    return owner, records, starts, order


class LaterTexts(NamedTuple):
    """The descriptions that records say, in the order of items and days."""

    item: Column
    start: Column
    text: Any

    @classmethod
    def of(cls, listed: Any, odd: Mask) -> "LaterTexts | None":  # noqa: ANN401 - an Arrow array
        """Return those of lists of records, None for none; an item with a wrong one is odd."""
        owner, records, starts, order = _dated(listed, odd)
        if not len(order):
            return None
        text = records.of("value")
        odd[owner[~there(text)]] = True
        return cls(owner[order], starts[order], text.take(pa.array(order)))

    def on(self, item: Column, day: Column, own: Any) -> Any:  # noqa: ANN401 - Arrow arrays
        """Return the texts of items on days, which are their own where no record has begun."""
        keys = (self.item << _DAY_BITS) | self.start
        at = np.searchsorted(keys, (item << _DAY_BITS) | day, side="right") - 1
        begun = (at >= 0) & (self.item[at] == item)
        return functions.if_else(pa.array(begun), self.text.take(pa.array(np.maximum(at, 0))), own)


def changed_between(listed: Any, first: Column, last: Column) -> Mask:  # noqa: ANN401 - an Arrow array
    """Return which items have a record after one day, up to another."""
    offsets, array, _ = lists(listed)
    owner = np.repeat(np.arange(len(first)), np.diff(offsets))
    start = days_of(Struct(array).of("start"), 0)
    inside = (start > first[owner]) & (start <= last[owner])
    return np.bincount(owner[inside], minlength=len(first)) > 0


def price_together(columns: dict[str, Any], rows: Mask, asked: tuple[int, int]) -> None:
    """Give items of several units the price of all of them, which rules round (A38).

    Args:
        columns: Of the items; changed in place where all such prices have no more decimals than
            columns have.
        rows: The items that rules may adjust.
        asked: The first and last day on which a bill may fall due.
    """
    quantity, one = columns["quantity"], 10**FINEST
    done = rows & (quantity != one) & (quantity > 0) & (quantity <= MOST_UNITS)
    if not done.any():
        return
    owner = np.repeat(np.arange(len(quantity)), np.diff(columns["price_offsets"]))
    found = {}
    for name in ("amount", "opening_amount", "discount_amount", "price_amount"):
        of = owner if name == "price_amount" else np.arange(len(quantity))
        price, times = columns[name], np.where(done, quantity, one)[of]
        right = np.abs(price) <= MOST // times
        product = np.where(right, price, 0) * times
        right &= product % one == 0
        if name == "opening_amount":
            # One that is not billed is not shown either.
            right |= (columns["opening_due"] < asked[0]) | (columns["opening_due"] > asked[1])
        found[name] = of, product // one
        done[of[~right]] = False
    for name, (of, product) in found.items():
        columns[name] = np.where(done[of], product, columns[name])
    columns["priced_units"] = np.where(done, quantity, 0)
    columns["quantity"] = np.where(done, one, quantity)


def vat_columns(vat: Struct) -> tuple[Column, Column]:
    """Return the numbers of tax modes, and rates; -1 where a record would refuse them (A28)."""
    mode = coded(vat.of("tax_mode"), lambda word: _MODES.get(word.lower(), _NONE), _NONE)
    rate, right = units_of(vat.of("tax_rate"))
    taxed = mode < EXEMPT
    wrong = np.where(taxed, ~right, there(vat.of("tax_rate")))
    return mode, np.where(wrong, _NONE, np.where(taxed, rate, 0))
