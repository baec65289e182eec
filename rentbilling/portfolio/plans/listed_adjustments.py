"""Listed adjustments: what the plans of many leases list as made, read column by column.

Law: a plan that lists anything that a record might refuse, or that says no amount, is odd.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.errors import RentBillingError
from rentbilling.indices import IndexPoint
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    coded,
    days_of,
    empty_texts,
    in_calendar,
    list_column,
    list_lengths,
    lists,
    offsets_of,
    there,
    true,
    with_fields,
)
from rentbilling.portfolio.arrow.column_types import Shape, functions, shape_of
from rentbilling.portfolio.arrow.decimals import units_of
from rentbilling.terms import RentAdjustment
from rentbilling.values import TOO_LARGE, YearMonth

NOT_SAID: Final = -(2**62)
"""In place of an amount, and smaller than any."""
_SHAPE: Final = shape_of(RentAdjustment)
_LONGER: Final = 4
"""Digits of a whole number of 64 bits beyond those of A1."""
_NO_POINT: Final = 0
_POINT_BITS: Final = 20
"""Bits of any month."""
_WRONG: Final = -1


class ListedAdjustments(NamedTuple):
    """What plans list, in the order of plans and days."""

    array: Any
    """The adjustments of all plans, as an array of Arrow."""
    row: Column
    """The place of each among them."""
    plan: Column
    """The place of the plan."""
    day: Column
    before: Column
    """In units of the finest decimal; NOT_SAID where it is not there."""
    after: Column
    point: Column
    """The last month of the latest point of an index that its effects name."""
    earlier: Column
    """The same of those that the plan lists before it."""

    def of_plans(self, plans: Column) -> "ListedAdjustments":
        """Return those of some plans, which are numbered by their places among these."""
        kept = np.isin(self.plan, plans)
        found = ListedAdjustments(self.array, *(each[kept] for each in self[1:]))
        return found._replace(plan=np.searchsorted(plans, found.plan))

    def structs(self, at: Column) -> Any:  # noqa: ANN401 - an Arrow array
        """Return some of them as their records are written, with the year of their days."""
        found = _written(self.array.take(pa.array(self.row[at])), _SHAPE)
        fields = Struct(found)
        years = functions.year(fields.of("adjusted_on")).cast(pa.string())
        years = functions.coalesce(fields.of("year"), functions.utf8_lpad(years, 4, "0"))
        return with_fields(found, {"year": years})


def listed_adjustments(array: Any, currency: Any, odd: Mask) -> ListedAdjustments:  # noqa: ANN401 - Arrow arrays
    """Return what lists of plans have; a plan whose list is not plain is odd.

    Each amount has the currency of what the plan adjusts.
    """
    offsets, values, sound = lists(array)
    odd |= ~sound
    plan = np.repeat(np.arange(len(sound)), np.diff(offsets))
    fields = Struct(values)
    wrong = ~there(values) | _refused(values, _SHAPE, currency.take(pa.array(plan)))
    days = days_of(fields.of("adjusted_on"), 0)
    after, said = units_of(fields.struct("to_period_amount").of("amount"))
    before, known = units_of(fields.struct("from_period_amount").of("amount"))
    wrong |= (days < 1) | ~said | (there(fields.of("from_period_amount")) & ~known)
    odd[plan[wrong]] = True
    point, order = _points(fields, len(plan)), np.lexsort((days, plan))
    columns = plan, days, np.where(known, before, NOT_SAID), after, point, point
    found = ListedAdjustments(values, order, *(each[order] for each in columns))
    same = found.plan[1:] == found.plan[:-1]
    odd[found.plan[1:][same & (found.day[1:] == found.day[:-1])]] = True
    latest = np.maximum.accumulate((found.plan << _POINT_BITS) | found.point)
    earlier = np.zeros_like(latest)
    earlier[1:] = np.where(same, latest[:-1] & ((1 << _POINT_BITS) - 1), _NO_POINT)
    return found._replace(earlier=earlier)


def _points(fields: Struct, count: int) -> Column:
    """Return the last month of the latest point that the effects of each adjustment name."""
    offsets, values, _ = lists(fields.of("adjustment_rules_effects"))
    effects, found = Struct(values), np.zeros(count, dtype=np.int64)
    owner = np.repeat(np.arange(count), np.diff(offsets))
    for name in ("to_point", "to_year_month"):
        np.maximum.at(found, owner, coded(effects.of(name), _last_month, _NO_POINT))
    return found


def _refused(array: Any, shape: Shape, currency: Any) -> Mask:  # noqa: ANN401 - Arrow arrays
    """Return which values a record might refuse, or whose amounts have another currency."""
    if array.null_count == len(array):
        return np.zeros(len(array), dtype=np.bool_)
    if shape.word == "list":
        offsets, values, sound = lists(array)
        owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
        inside = _refused(values, shape.parts[0][1], currency.take(pa.array(owner)))
        return ~sound | (np.bincount(owner, inside | ~there(values), len(sound)) > 0)
    if shape.word == "record":
        fields, wrong = Struct(array), np.zeros(len(array), dtype=np.bool_)
        for name, part in shape.parts:
            wrong |= _refused(fields.of(name), part, currency)
            if name in _READ:
                wrong |= coded(fields.of(name), _READ[name], _NO_POINT) == _WRONG
        return wrong
    if shape.word == "amount":
        fields = Struct(array)
        wrong = ~true(functions.equal(fields.of("currency"), currency))
        return there(array) & (wrong | _too_long(fields.of("amount")))
    if shape.word == "number":
        return there(array) & _too_long(array)
    day = shape.word == "day"
    return ~in_calendar(days_of(array, NEVER)) if day else empty_texts(array)


def _written(array: Any, shape: Shape) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return records as they are written: without absent lists, and points in one form."""
    if shape.word == "list":
        inside = _written(array.flatten(), shape.parts[0][1])
        return list_column(offsets_of(list_lengths(array)), inside, array.type)
    if shape.word == "record":
        own = {name: _written(array.field(name), part) for name, part in shape.parts}
        for name in own.keys() & _POINTS.keys():
            encoded = own[name].dictionary_encode()
            texts = [str(_POINTS[name](each)) for each in encoded.dictionary.to_pylist()]
            own[name] = pa.array(texts, pa.string()).take(encoded.indices)
        return with_fields(array, own)
    return array


def _too_long(array: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    """Return which numbers may have more digits than A1 allows, or are not there."""
    units, right = units_of(array)
    wrong = ~right | (np.abs(units) >= TOO_LARGE)
    at = np.flatnonzero(wrong & there(array))
    if len(at):
        # Of many decimals: as many digits, but for closing zeros.
        words = np.frombuffer(array.take(pa.array(at)).buffers()[1], np.int64)
        low, high = words[::2], words[1::2]
        short = np.zeros(len(at), dtype=np.bool_)
        for zeros in range(_LONGER):
            most = TOO_LARGE * 10**zeros
            short |= (low < most) & (low > -most) & (low % 10**zeros == 0)
        wrong[at] = ~(short & (high == low >> 63))
    return wrong


def _read(kind: Callable[[str], Any]) -> Callable[[str], int]:
    """Return what says whether a text is read as a kind."""

    def found(text: str) -> int:
        try:
            kind(text)
        except RentBillingError:
            return _WRONG
        return _NO_POINT

    return found


def _last_month(text: str) -> int:
    try:
        return IndexPoint.parse(text).last_month
    except RentBillingError:
        return _NO_POINT


_POINTS: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        **dict.fromkeys(("from_year_month", "to_year_month"), YearMonth.parse),
        **dict.fromkeys(("from_point", "to_point"), IndexPoint.parse),
    }
)
_READ: Final = MappingProxyType(
    {
        "year": _read(lambda text: YearMonth.parse(f"{text}-01")),
        **dict.fromkeys(("from_year_month", "to_year_month"), _read(YearMonth.parse)),
        **dict.fromkeys(("from_point", "to_point"), _read(IndexPoint.parse)),
    }
)
