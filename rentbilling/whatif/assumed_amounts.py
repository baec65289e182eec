"""Assumed amounts: from which day on an amount rests on an index value that nobody published.

Law: an amount rests on an assumed value from the first adjustment day whose outcome published
values alone do not give, be it an adjustment or none, until an amount is agreed anew.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

from rentbilling.adjustments.dates import RuleDates
from rentbilling.adjustments.history import History
from rentbilling.adjustments.lease_history import LeaseHistories
from rentbilling.errors import MissingIndexError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.terms.lease_terms import LeaseTerms
from rentbilling.values.periods import NEVER, month_index, month_start

_ALWAYS: Final = 0


class AssumedAmounts:
    """Which amounts of a lease rest on assumed index values, by item and day."""

    __slots__ = ("_agreed", "_events", "first")

    def __init__(
        self,
        terms: LeaseTerms,
        indices: Mapping[str, IndexSeries],
        policy: BillingPolicy,
        last: int,
    ) -> None:
        self._events: dict[str | None, list[int]] = {}
        self._agreed: dict[str | None, list[int]] = {}
        self.first = NEVER
        """Ordinal of the first day from which an amount rests on an assumed value, or NEVER."""
        if not any(series.assumed for series in indices.values()):
            return
        known = {name: published(series) for name, series in indices.items()}
        histories = LeaseHistories(terms, known, policy.evolve(missing_index="refuse"))
        days = _event_days(histories, last)
        for at, history in histories.items.items():
            item_id = terms.item_ids[at]
            resting = _beyond(history, days.get(at, []))
            records = terms.recurring_bill_items[at].amount_records
            self._events[item_id] = resting
            self._agreed[item_id] = sorted(each.start.toordinal() for each in records)
            self.first = min([self.first, *resting[:1]])

    def on(self, item_id: str | None, day: int) -> bool:
        """Return whether what a recurring item costs on a day rests on an assumed value."""
        resting = self._events.get(item_id, ())
        return _latest(resting, day) > _latest(self._agreed.get(item_id, ()), day)


def _latest(days: Sequence[int], day: int) -> int:
    """Return the last of some days up to another, 0 where there is none."""
    at = bisect_right(days, day)
    return days[at - 1] if at else _ALWAYS


def _event_days(histories: LeaseHistories, last: int) -> dict[int, list[int]]:
    """Return the days on which rules may adjust each item, in order."""
    days: dict[int, set[int]] = {}
    for place, (plan, bounds) in enumerate(histories.bounds()):
        at, _ = histories.places_of(place)
        for rule in plan.rent_adjustment_rules if at is not None else ():
            months = RuleDates(rule, plan, bounds).between(_ALWAYS, month_index(last))
            days.setdefault(at or 0, set()).update(map(month_start, months))
    return {at: sorted(found) for at, found in days.items()}


def _beyond(history: History, days: list[int]) -> list[int]:
    """Return the days from the first one on whose outcome published values do not give."""
    for place, day in enumerate(days):
        try:
            history.until(day)
        except MissingIndexError:
            return days[place:]
    return []


def published(series: IndexSeries) -> IndexSeries:
    """Return a series without its assumed values.

    Examples:
        >>> published(IndexSeries("NPI", {"2024": "118.0"}).extended(until="2026"))
        <IndexSeries NPI, 1 year 2024>
    """
    if not series.assumed:
        return series
    data = series.to_data()
    data["values"] = {at: each for at, each in data["values"].items() if at not in data["assumed"]}
    return IndexSeries.from_data({**data, "assumed": []})
