"""Running totals: the rounded lines of a price of a month or a year add up to it (A65).

Law: a line is the rounded total with its days, less the rounded total before them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from rentbilling.billing.prices import PriceInForce
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import WHOLE, Share, part_periods_of, schedule_of, shares_of_parts
from rentbilling.terms import RecurringBillItem

if TYPE_CHECKING:
    from rentbilling.policy import PartPeriod

Part = tuple[int, int, PriceInForce]
"""A part of a period: its first and last day, and its price."""


class BilledPrices(Protocol):
    """The prices by which an item is billed, as `ItemPrices` of `billing.lines` has them."""

    @property
    def days_of_change(self) -> Sequence[int]: ...

    def parts(self, first: int, last: int, due: int) -> list[Part]:
        """Return the parts of the billed days of a period, with their prices."""
        ...

    def effective_on(self, day: int, first: int) -> PriceInForce: ...


class RunningTotals:
    """The running totals of an item whose amount is for a month or a year (A65).

    They count from the first regular period on; one begins with each change of the price that is
    billed, except for a change of the VAT rate alone.
    """

    __slots__ = ("_begins", "_cycle", "_method", "_opened", "_prices", "_schedule")

    def __init__(
        self, item: RecurringBillItem, policy: BillingPolicy, prices: BilledPrices
    ) -> None:
        opening = item.first_billing_period_bill_item.accounting_period
        self._schedule = schedule_of(item.billing_cycle, item.due_date_rule, opening, policy)
        self._cycle, self._prices = item.billing_cycle, prices
        self._method: PartPeriod = part_periods_of(item, policy).last
        self._begins: Sequence[int] | None = None
        self._opened: dict[int, Fraction] = {}

    def since(self, day: int) -> int:
        """Return the first day of the running total that a day of a regular period is in."""
        if self._begins is None:
            self._begins = self._changes()
        return self._begins[bisect_right(self._begins, day) - 1]

    def cycles_before(
        self, first: int, starts: Sequence[int], shares: Sequence[Share]
    ) -> list[Fraction]:
        """Return the cycles of its running total that come before each part of a period."""
        found, cycles = [], self._until(first)
        for start, share in zip(starts, shares, strict=True):
            if start != first and self.since(start) == start:
                cycles = Fraction(0)
            found.append(cycles)
            cycles += Fraction(*share)
        return found

    def _until(self, first: int) -> Fraction:
        """Return the cycles of a running total that come before a regular period."""
        schedule, begins = self._schedule, self.since(first)
        number = schedule.number_from(begins)
        whole = Fraction(schedule.number_from(first) - number)
        if begins == schedule.start_of(number) or begins == first:
            return whole if begins != first else Fraction(0)
        opened = self._opened.get(begins)
        if opened is None:
            opened = self._opened[begins] = self._rest_of(number - 1, begins)
        return opened + whole

    def _rest_of(self, number: int, day: int) -> Fraction:
        """Return the share of a period that begins on a day inside it."""
        schedule = self._schedule
        first, last = schedule.start_of(number), schedule.start_of(number + 1) - 1
        days = [part[:2] for part in self._prices.parts(first, last, schedule.due_of(number))]
        shares = shares_of_parts(days, WHOLE, self._cycle, self._method)
        parts = zip(days, shares, strict=True)
        return sum((Fraction(*share) for (start, _), share in parts if start >= day), Fraction(0))

    def _changes(self) -> Sequence[int]:
        schedule, prices = self._schedule, self._prices
        first = schedule.start_of(0)
        later = [day for day in prices.days_of_change if day > first]
        # What waits for the next period acts on its first day.
        days = {*later, *(schedule.start_of(schedule.number_from(day)) for day in later)}
        found, old = [first], prices.effective_on(first, first)
        for day in sorted(days):
            number = schedule.number_from(day + 1) - 1
            new = prices.effective_on(day, schedule.start_of(number))
            mode = new.vat.tax_mode != old.vat.tax_mode
            if mode or new.differs(old, vat=False) or not new.is_discounted_as(old):
                found.append(day)
            old = new
        return found
