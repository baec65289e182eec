"""Due lines: the lines that terms ask for on given days, item by item, before earlier bills count.

Laws: the lines of some days are those of a run without earlier bills; an item is compiled for the
days asked for, and no further.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from rentbilling.billing.figures import RawLine
from rentbilling.billing.items.item import CompiledItem
from rentbilling.billing.lines import LineMaker, VatGroups, one_time_figures
from rentbilling.billing.prices import UNIT, PriceInForce
from rentbilling.policy import BillingPolicy
from rentbilling.terms import OneTimeBillItem
from rentbilling.values import (
    LAST_DAY,
    Vat,
    month_index,
    month_start,
)

if TYPE_CHECKING:
    from rentbilling.adjustments import BalanceHistory, LeaseHistories, Moved

_EXEMPT: Final = Vat("Exempt")

OnceLine = tuple[int, int, RawLine]
"""The day that a one-time line is selected by, its due date, and the line."""


class BalanceLines:
    """The lines that bill the changes of a lease's balances."""

    __slots__ = ("_groups", "_histories", "_policy")

    def __init__(
        self, histories: "LeaseHistories", groups: VatGroups, policy: BillingPolicy
    ) -> None:
        self._histories = histories
        self._groups = groups
        self._policy = policy

    def between(self, first: int, last: int) -> Iterator[tuple[int, RawLine]]:
        """Give the lines of the changes between two days, each with the day as its due date (A39).

        A line is for the rest of its month; there is none after the contract's end.
        """
        for history in self._histories.balances.values():
            scale = history.scale
            for moved in history.until(min(last, self._histories.last_day)):
                change = scale.units(moved.after - moved.before)
                if moved.day >= first and change:
                    yield moved.day, self._line(history, moved, change * scale.unit)

    def _line(self, history: "BalanceHistory", moved: "Moved", change: Fraction) -> RawLine:
        balance, plan = history.balance, self._histories.plan(moved.plan)
        key = balance.product_key or balance.balance_charge_type
        own = self._policy.for_product(key)
        currency = history.scale.currency
        maker = LineMaker(key, history.balance_id, currency, self._groups, own, self._policy)
        price = PriceInForce(change, plan.vat or _EXEMPT, UNIT, (), None)
        month_end = month_start(month_index(moved.day) + 1) - 1
        return maker.figures(price, "balance"), moved.day, month_end


class DueLine(NamedTuple):
    """A line that the terms ask for."""

    order: tuple[int, int]
    """Its place among the lines of a bill: that of its item, and its first day (A16)."""
    day: int
    """Ordinal of the day that it is selected by (A15)."""
    due: int
    """Ordinal of its due date."""
    raw: RawLine

    @property
    def base(self) -> int:
        """Minor units in its own tax mode: gross if Inclusive, else net."""
        return self.raw[0].base


class LeaseParts(NamedTuple):
    """The compiled parts of a lease that are billed."""

    items: Sequence[CompiledItem]
    """The recurring items, adjusted up to the days that are asked for."""
    ids: Sequence[str]
    """Ids of the recurring items, then of the one-time items."""
    once: Sequence[OnceLine]
    """The lines of the one-time items, in the order they were given."""
    histories: "LeaseHistories | None"
    balances: BalanceLines | None
    policy: BillingPolicy


def one_time_line(
    item: OneTimeBillItem, item_id: str, groups: VatGroups, policy: BillingPolicy
) -> OnceLine:
    """Return the line of a one-time item with the days that select it (A15, A55)."""
    own = policy.for_product(item.product_key)
    maker = LineMaker(item.product_key, item_id, item.amount.currency, groups, own, policy)
    period, due = item.accounting_period, item.due_date.toordinal()
    line = one_time_figures(item, maker), period.first, period.last
    return (period.first if policy.select == "accounting_period" else due), due, line


class DueLines:
    """The lines due under a lease, by days or by item."""

    __slots__ = ("_by_start", "_once_at", "_parts", "_places")

    def __init__(self, parts: LeaseParts) -> None:
        self._parts = parts
        self._by_start = parts.policy.select == "accounting_period"
        count = len(parts.items)
        self._places = {item_id: at for at, item_id in enumerate(parts.ids[:count])}
        self._once_at = {item_id: at for at, item_id in enumerate(parts.ids[count:])}

    def between(self, first: int, last: int) -> Iterator[tuple[str, DueLine]]:
        """Give the lines that belong to some days, each with the id of its item (A15, A16)."""
        for item_id, place in self._places.items():
            item, by_day = self._parts.items[place], dict[int, list[RawLine]]()
            if self._by_start:
                item.add_lines_started(first, last, by_day)
            else:
                item.add_lines(first, last, by_day)
            yield from ((item_id, each) for each in self._placed(place, by_day))
        for item_id in self._once_at:
            each = self._once(item_id)
            if first <= each.day <= last:
                yield item_id, each
        if self._parts.balances is not None:
            # After all items, in the order in which they come.
            place = len(self._parts.ids)
            for at, (due, raw) in enumerate(self._parts.balances.between(first, last)):
                yield raw[0].item_id or "", DueLine((place, at), due, due, raw)

    def _placed(self, place: int, by_day: Mapping[int, list[RawLine]]) -> Iterator[DueLine]:
        found = [(raw[1], due, raw) for due, lines in by_day.items() for raw in lines]
        for first, due, raw in sorted(found, key=lambda each: each[0]):
            yield DueLine((place, first), first if self._by_start else due, due, raw)

    def _once(self, item_id: str) -> DueLine:
        at = self._once_at[item_id]
        day, due, raw = self._parts.once[at]
        return DueLine((len(self._places) + at, raw[1]), day, due, raw)

    def is_once(self, item_id: str) -> bool:
        """Return whether it is a one-time item, whose lines are one charge whatever their days."""
        return item_id in self._once_at

    def place_of(self, item_id: str) -> int:
        """Return the place of an item among the lines of a bill; after all others if it is gone."""
        if item_id in self._once_at:
            return len(self._places) + self._once_at[item_id]
        return self._places.get(item_id, len(self._parts.ids))

    def near(self, item_id: str, first: int, last: int) -> list[DueLine]:
        """Return the lines of all periods of an item that have one of some days, whenever due."""
        if item_id in self._once_at:
            return [self._once(item_id)]
        if item_id not in self._places:
            return []
        place = self._places[item_id]
        item = self._parts.items[place]
        first, last, price_day = _whole_periods(item, first, last)
        histories = self._parts.histories
        if histories is not None and place in histories.items:
            done = histories.items[place].units_until(price_day)
            if len(done) > item.adjustments:
                item = item.adjusted(done)
        by_day: dict[int, list[RawLine]] = {}
        item.add_lines_started(first, last, by_day)
        return list(self._placed(place, by_day))

    def owners(self, product_key: str, days: tuple[int, int]) -> tuple[str, ...]:
        """Return the ids of the items that a line without an id may be for."""
        parts = self._parts
        owned = [
            (item_id, item.item.product_key)
            for item_id, item in zip(parts.ids, parts.items, strict=False)
        ]
        once = zip(self._once_at, (raw[0].product_key for _, _, raw in parts.once), strict=True)
        balances = () if parts.histories is None else parts.histories.balances.values()
        named = (
            (each.balance_id, each.balance.product_key or each.balance.balance_charge_type)
            for each in balances
        )
        found = [item_id for item_id, key in (*owned, *once, *named) if key == product_key]
        if len(found) > 1:
            found = [item_id for item_id in found if self._may_hold(item_id, days)]
        return tuple(found)

    def _may_hold(self, item_id: str, days: tuple[int, int]) -> bool:
        """Return whether an item may bill some days as a period or a part of one."""
        first, last = days
        if item_id in self._once_at:
            _, begins, ends = self._once(item_id).raw
            return (begins, ends) == days
        if item_id not in self._places:
            # A balance: its days depend on adjustments.
            return True
        item = self._parts.items[self._places[item_id]]
        opening = item.item.first_billing_period_bill_item.accounting_period
        if opening.first <= first and last <= opening.last:
            return True
        after = item.schedule.number_from(first + 1)
        return after > 0 and first <= item.end and last < item.schedule.start_of(after)


def _whole_periods(item: CompiledItem, first: int, last: int) -> tuple[int, int, int]:
    """Return the days of an item's periods that have one of some days, opening included.

    And the last day whose price their lines need (A19). Where no period has one of the days, days
    on which none starts.
    """
    opening, schedule = item.item.first_billing_period_bill_item.accounting_period, item.schedule
    begins, after = first, schedule.number_from(last + 1)
    number = schedule.number_from(first)
    if number > 0 and schedule.start_of(number) > first:
        begins = schedule.start_of(number - 1)
    # The first period never starts before the opening one has ended (A13).
    if number == 0 and opening.first <= last and first <= opening.last:
        begins = opening.first
    ends, price_day = last, opening.first
    if after > 0:
        ends = max(last, schedule.start_of(after) - 1)
        price_day = ends
        # A change inside a period takes effect in the next one, if the policy says so (A19).
        if item.policy.mid_period_change == "next_period":
            price_day = schedule.start_of(after - 1)
    return begins, min(ends, LAST_DAY), min(price_day, item.end, LAST_DAY)
