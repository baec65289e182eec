"""Adjustments made: what the rules of plans did in the asked days, as columns.

Law: a row has what `single_adjustment` gives for it, in every digit and text.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import AmountScale, single_adjustment
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    Column,
    Mask,
    Struct,
    list_lengths,
    struct_column,
    with_fields,
    words_at,
)
from rentbilling.portfolio.arrow.column_types import shape_of
from rentbilling.portfolio.arrow.decimals import FINEST, numbers_of
from rentbilling.portfolio.arrow.rounding import MOST, halves_up
from rentbilling.portfolio.leases.batches import record_columns
from rentbilling.portfolio.plans.plan_items import PlanItems
from rentbilling.terms import RentAdjustment
from rentbilling.values import MONTHS_PER_YEAR, TOO_LARGE, Amount, minor_units

_SHAPE: Final = shape_of(RentAdjustment)
_AMOUNT: Final = shape_of(Amount).arrow
_WEEK: Final = 7
_DAYS: Final = 365


class Made(NamedTuple):
    """Adjustments of the asked days, in the order of leases, days and plans."""

    place: Column
    """The place of the lease."""
    plan: Column
    """The place of the plan in its lease."""
    item: Column
    """The place of the item in its lease."""
    new: Mask
    """Which of them the plan does not list, and no record of the item is."""
    adjustments: Any
    """Array of structs with the fields of `RentAdjustment`."""
    gaps: Column
    """The places of leases to which those that are new cannot be added, see `Steps.gaps`."""

    def only(self, rows: Mask | Column) -> "Made":
        """Return some of them."""
        at = np.arange(len(self.place))[rows]
        columns = self.place[at], self.plan[at], self.item[at], self.new[at]
        return Made(*columns, self.adjustments.take(pa.array(at)), self.gaps)


_NONE: Final = np.zeros(0, np.int64)
NONE_MADE: Final = Made(
    *(_NONE, _NONE, _NONE, np.zeros(0, np.bool_)), pa.array([], _SHAPE.arrow), _NONE
)


class Acts(NamedTuple):
    """What rules did, a row for each adjustment."""

    row: Column
    """Of the item."""
    effect: Column
    """The place of the effect."""
    before: Column
    """In units of the finest decimal."""
    after: Column


def adjustments_of(
    acts: Acts,
    effects: Sequence[tuple[int, Mapping[str, Any] | None]],
    ids: Mapping[str, Any],
    items: PlanItems,
    policy: BillingPolicy,
) -> tuple[Any, Mask]:
    """Return adjustments as structs, and which of them have no amount of too many digits.

    Args:
        acts: What the one rule of each did, or a record.
        effects: Days, each with the fields of an effect but for its amounts and ids; None of a
            record, which shows no effect.
        ids: Arrays of the ids of plan, item and rule by the names of their fields.
        items: The items.
        policy: How amounts are counted.
    """
    scale, none = AmountScale("", 0, policy.rounding, Fraction(1)), (Fraction(0), Fraction(0))
    alike = [single_adjustment(day, ("", ""), none, scale, effect) for day, effect in effects]
    amounts, fits = _amounts(acts, items, policy)
    # Equal ones are written once.
    found = struct_column(_SHAPE.arrow, record_columns(_SHAPE, alike))
    at, own = pa.array(acts.effect), {**amounts, **ids}
    inside = Struct(found.take(at)).of("adjustment_rules_effects")
    rows = pa.array(np.flatnonzero(list_lengths(inside)))
    filled = {name: each.take(rows) for name, each in own.items()}
    own["adjustment_rules_effects"] = pa.ListArray.from_arrays(
        inside.offsets, with_fields(inside.flatten(), filled), type=inside.type
    )
    return with_fields(found.take(at), own), fits


def _amounts(acts: Acts, items: PlanItems, policy: BillingPolicy) -> tuple[dict[str, Any], Mask]:
    """Return the amounts of a billing period and of a year by their names (A38)."""
    currency, days = items.currency[acts.row], items.days[acts.row]
    places = np.array([minor_units(each, policy.currencies) for each in items.currencies])
    fine = 10 ** np.maximum(FINEST - places, 0)[currency]
    # 12, 52 or 365 over the length of the cycle; days of weeks are seven each.
    of_days = np.where(items.start_month[acts.row] > _WEEK, _DAYS, _DAYS - 1)
    a_year = np.where(days > 0, of_days, MONTHS_PER_YEAR)
    # Odd cycles have no length; their leases are left.
    length = np.maximum(np.where(days > 0, days, items.months[acts.row]), 1)
    codes, found = words_at(items.currencies, currency), {}
    most = MOST // (2 * _DAYS)
    fits: Mask = (np.abs(acts.before) <= most) & (np.abs(acts.after) <= most)
    old, new = (halves_up(np.where(fits, each, 0), fine) for each in (acts.before, acts.after))
    yearly = (halves_up(each * a_year, length) for each in (old, new))
    for name, (before, after) in (("period", (old, new)), ("yearly", (*yearly,))):
        for word, units in (
            (f"from_{name}_amount", before),
            (f"to_{name}_amount", after),
            (f"{name}_amount_change", after - before),
        ):
            fits &= np.abs(units) < TOO_LARGE
            found[word] = struct_column(_AMOUNT, (numbers_of(units * fine, FINEST), codes))
    return found, fits
