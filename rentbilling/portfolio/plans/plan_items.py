"""Plan items: the items that plans adjust as columns, and what comes of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.values import Period


class Followed(NamedTuple):
    """What plans are followed by."""

    indices: Mapping[str, IndexSeries]
    policy: BillingPolicy
    asked: Period
    """The days whose adjustments are given."""
    first: int = 0
    """The first day on which a bill may fall due."""
    last: int = 0
    """The last day on which a bill may fall due; before the asked ones where none is asked for."""

    @property
    def bills(self) -> bool:
        """Whether bills are asked for, not adjustments alone."""
        return self.last >= self.asked.first


class PlanItems(NamedTuple):
    """The recurring items of leases, a row each."""

    owner: Column
    """The place of the lease."""
    item_id: Any
    """Array of Arrow."""
    fits: Mask
    """Whether it is one unit, with records of its amount alone, in the order of their days."""
    odd: Mask
    """Whether something else of it is odd."""
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


class LaterPrices(NamedTuple):
    """The later prices of items, in the order of items and days."""

    item: Column
    start: Column
    amount: Column
    """In units of the finest decimal."""
