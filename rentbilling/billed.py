"""One item made ready for billing: its schedule, its prices, where it stops, and what to notice.

Laws: everything that does not depend on the asked period is found once, here; what a person should
look at carries the days it concerns, so that adjoining windows report it like the joined one.
What does not live here: grouping lines into bills (`bills`).
"""

from bisect import bisect_right
from typing import Final

from rentbilling.figures import Notice, RawLine
from rentbilling.lines import NEVER, ItemPrices, LineMaker, VatGroups, opening_figures
from rentbilling.periods import LAST_DAY, Period
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import Schedule
from rentbilling.terms import RecurringBillItem

_CAREFUL: Final = LAST_DAY - 366 * 101
"""From here on a period may end after the calendar does."""

Dated = tuple[int, int, Notice]
"""A notice with the first and last day of what it concerns."""


class BilledItem:
    """A recurring item compiled under a policy."""

    __slots__ = (
        "_cancelled",
        "_currency",
        "_item",
        "_last_due",
        "_last_start",
        "_maker",
        "_opening",
        "_opening_due",
        "_opens",
        "_own",
        "_prices",
        "_schedule",
        "_stops",
        "notices",
    )

    def __init__(
        self,
        item: RecurringBillItem,
        item_id: str,
        contract_end: int,
        groups: VatGroups,
        policy: BillingPolicy,
    ) -> None:
        """Find everything about the item that no asked period changes.

        Args:
            item: The recurring item.
            item_id: Its id.
            contract_end: Ordinal of the contract's last day, or NEVER.
            groups: The VAT groups of the lease.
            policy: The bill's own policy.
        """
        own = policy.for_product(item.product_key)
        end = (
            contract_end if item.ended_on is None else min(contract_end, item.ended_on.toordinal())
        )
        maker = LineMaker(item.product_key, item_id, item.amount.currency, groups, own, policy)
        opening = item.first_billing_period_bill_item
        self._currency = item.amount.currency
        self._prices = ItemPrices(item, maker, own, end)
        self._schedule = Schedule(
            item.billing_cycle, item.due_date_rule, opening.accounting_period.last, own
        )
        in_arrears = item.due_date_rule.relative_to == "end"
        self._cancelled = NEVER if item.cancelled_on is None else item.cancelled_on.toordinal()
        self._last_due = NEVER if in_arrears else self._cancelled - 1
        self._last_start = min(end, self._cancelled - 1) if in_arrears else end
        due, opens = opening.due_date.toordinal(), opening.accounting_period.first
        self._opens = opens <= self._last_start and due <= self._last_due
        self._opening_due = due if self._opens else NEVER
        self._opening: RawLine | None = None
        self._maker, self._item, self._own = maker, item, own
        plain = self._schedule.plain
        self._stops = (
            self._opening_due,
            self._last_due,
            self._last_start,
            None if plain is None else (*plain, *self._prices.table),
        )
        self.notices = self._found(item, item_id, end)

    @property
    def currency(self) -> str:
        """Currency of the item."""
        return self._currency

    def add_lines(
        self, first: int, last: int, month: int, by_day: dict[int, list[RawLine]]
    ) -> None:
        """Add the item's lines that belong to an asked period, by due date (A15).

        Args:
            first: Ordinal of the asked period's first day.
            last: Ordinal of its last day.
            month: Number of the month that holds the first day.
            by_day: Where to add.
        """
        opening_due, last_due, last_start, plain = self._stops
        if first <= opening_due <= last:
            by_day.setdefault(opening_due, []).append(self._opening_line())
        last = min(last, last_due)
        if plain is None or last > _CAREFUL:
            for start, end, due in self._schedule.due_between(first, last, last_start):
                self._prices.add_lines(start, end, by_day.setdefault(due, []))
            return
        # The same for the common case, kept in one loop: it is most of the work of a bill.
        step, index, back, shift, start_of, days, limits, ready = plain
        if month - back > index:
            index += -((index - month + back) // step) * step
        start = start_of(index)
        while (due := start + shift) <= last and start <= last_start:
            index += step
            after = start_of(index)
            if due >= first:
                lines = by_day.get(due)
                if lines is None:
                    lines = by_day[due] = []
                at = bisect_right(days, start) - 1
                figures = ready[at]
                if figures is not None and after <= limits[at]:
                    lines.append((figures, start, after - 1))
                else:
                    self._prices.add_lines(start, after - 1, lines)
            start = after

    def _opening_line(self) -> RawLine:
        """Return the opening line, made when it is first billed (A12)."""
        if self._opening is None:
            period = self._item.first_billing_period_bill_item.accounting_period
            figures = opening_figures(self._item, self._prices, self._maker, self._own)
            self._opening = figures, period.first, period.last
        return self._opening

    def add_lines_started(self, first: int, last: int, by_day: dict[int, list[RawLine]]) -> None:
        """Add the lines whose own accounting period starts in the asked period (A15)."""
        if (
            self._opens
            and first <= self._item.first_billing_period_bill_item.accounting_period.first <= last
        ):
            by_day.setdefault(self._opening_due, []).append(self._opening_line())
        for start, end, due in self._schedule.started_between(first, last, self._last_start):
            if due > self._last_due:
                break
            lines: list[RawLine] = []
            self._prices.add_lines(start, end, lines)
            kept = [line for line in lines if first <= line[1] <= last]
            if kept:
                by_day.setdefault(due, []).extend(kept)

    def count_lines(self, first: int, last: int) -> int:
        """Return how many lines an asked period has, without computing them (A60)."""
        opening = 1 if first <= self._opening_due <= last else 0
        due = self._schedule.numbers_due(first, min(last, self._last_due), self._last_start)
        if not due:
            return opening
        days = self._prices.split_days_between(
            self._schedule.start_of(due.start), self._schedule.start_of(due.stop) - 1
        )
        inside = sum(
            self._schedule.start_of(self._schedule.number_from(day)) != day for day in days
        )
        return opening + len(due) + inside

    def count_lines_started(self, first: int, last: int) -> int:
        """Return at least how many lines start in an asked period, without computing them (A60)."""
        started = self._schedule.number_from(last) - self._schedule.number_from(first) + 1
        return started + len(self._prices.split_days_between(first, last)) + 1

    def _found(self, item: RecurringBillItem, item_id: str, end: int) -> tuple[Dated, ...]:
        """Return what a person should look at (A12, A13, A17)."""
        opening = item.first_billing_period_bill_item
        due, period = opening.due_date.toordinal(), opening.accounting_period
        started, notices = item.started_on.toordinal(), []

        def notice(code: str, said: str, first: int, last: int, **facts: str) -> None:
            days = (min(first, last), max(first, last))
            notices.append((*days, Notice(code, said, item_id, tuple(facts.items()))))

        if started < due:
            said = "startedOn lies before the due date of the opening period"
            facts = {"startedOn": str(item.started_on), "dueDate": str(opening.due_date)}
            notice("started_on_before_opening_due_date", said, started, due, **facts)
        starts = self._schedule.start_of(0)
        first_due = self._schedule.due_of(0) if starts <= LAST_DAY else NEVER
        billed = starts <= self._last_start and first_due <= self._last_due
        if self._opens and period.last > end:
            said = "the opening period reaches past the end and is billed as stated"
            facts = {"accountingPeriod": str(period), "end": _day(end)}
            notice("opening_past_end", said, period.first, due, **facts)
        if billed and first_due < due:
            said = "a regular period falls due before the opening period"
            facts = {"dueDate": _day(first_due), "openingDueDate": _day(due)}
            notice("due_before_opening", said, first_due, due, **facts)
        gap_end = min(starts - 1, end, self._cancelled - 1, LAST_DAY)
        if self._opens and gap_end > period.last:
            days = Period.of(period.last + 1, gap_end)
            said = "days between the opening period and the first regular one are not billed"
            facts = {"days": str(days), "count": str(days.days)}
            notice(
                "gap_after_opening_period",
                said,
                min(due, days.first),
                max(days.last, min(first_due, LAST_DAY)),
                **facts,
            )
        if self._cancelled != NEVER:
            notices += self._cancellation(item, item_id, end)
        return tuple(notices)

    def _cancellation(self, item: RecurringBillItem, item_id: str, end: int) -> list[Dated]:
        """Return the notices of a cancellation: it stops bills, not days (A17)."""
        stop = self._cancelled
        opening = item.first_billing_period_bill_item.accounting_period
        spans: list[tuple[int, int, int]] = []
        if self._opens:
            spans.append((opening.first, opening.last, self._opening_due))
        number = max(0, self._first_stopped() - 40)
        covered = opening.last if self._opens else opening.first - 1
        while self._is_billed(number):
            start = self._schedule.start_of(number)
            spans.append(
                (start, self._schedule.start_of(number + 1) - 1, self._schedule.due_of(number))
            )
            number += 1
        notices: list[Dated] = []
        for start, last, due in spans:
            if start >= stop:
                facts = (
                    ("accountingPeriod", str(Period.of(start, last))),
                    ("cancelledOn", _day(stop)),
                )
                said = "a period that starts on or after the cancellation is billed"
                notice = Notice("billed_after_cancellation", said, item_id, facts)
                notices.append((min(due, start), max(due, start), notice))
            covered = max(covered, last)
        first_open = self._schedule.start_of(0)
        uncovered = max(covered + 1, first_open if self._opens else opening.first)
        until = min(stop - 1, end)
        if uncovered <= until:
            days = Period.of(uncovered, until)
            said = "days before the cancellation are covered by no bill"
            facts = (("days", str(days)), ("count", str(days.days)))
            notice = Notice("unbilled_days_before_cancellation", said, item_id, facts)
            notices.append((days.first, max(days.last, stop), notice))
        return notices

    def _is_billed(self, number: int) -> bool:
        """Return whether a numbered period is billed at all."""
        start = self._schedule.start_of(number)
        return start <= self._last_start and self._schedule.due_of(number) <= self._last_due

    def _first_stopped(self) -> int:
        """Return the number of the first regular period that is not billed, by halving."""
        high = 1
        while self._is_billed(high):
            high *= 2
        low = 0
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._is_billed(middle) else (low, middle)
        return low


def _day(day: int) -> str:
    """Return a day ordinal as `YYYY-MM-DD`."""
    return Period.of(min(day, LAST_DAY), LAST_DAY).start.isoformat()
