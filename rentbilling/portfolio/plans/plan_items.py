"""Plan items: the items that plans adjust as columns, and what comes of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.terms import BillingCycle, RentAdjustment
from rentbilling.values import Period

_WEEK: Final = 7


class Followed(NamedTuple):
    """What plans are followed by."""

    indices: Mapping[str, IndexSeries]
    policy: BillingPolicy
    asked: Period
    """The days whose adjustments are given."""
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
    currency: Column
    """Number of the currency in `currencies`."""
    currencies: Sequence[str]
    opening_end: Column
    last: Column
    """The last day on which it can be adjusted."""
    months: Column
    days: Column
    start_month: Column
    start_day: Column
    due_day: Column
    """The last five as in `FlatItems`."""

    def id_of(self, row: int) -> str:
        """Return the id of an item, by its place where it is absent (A57)."""
        place = row - int(np.searchsorted(self.owner, self.owner[row]))
        return self.item_id[row].as_py() or f"recurring-{place + 1}"

    def cycle_of(self, row: int) -> BillingCycle:
        """Return how often an item is billed."""
        days = int(self.days[row])
        if not days:
            return BillingCycle(period_length=int(self.months[row]))
        if self.start_month[row] > _WEEK:
            return BillingCycle(time_unit="Day", period_length=days)
        return BillingCycle(time_unit="Week", period_length=days // _WEEK)


class LaterPrices(NamedTuple):
    """The later prices of items, in the order of items and days."""

    item: Column
    start: Column
    amount: Column
    """In units of the finest decimal."""


Made = Sequence[tuple[int, RentAdjustment]]
"""Adjustments of the asked days, each with the place of its lease."""
