"""One item made ready for billing: its schedule, its prices, where it stops, and what to notice.

Laws: everything that does not depend on the asked period is found once, here; what a person should
look at carries the days it concerns, so that adjoining windows report it like the joined one.
What does not live here: grouping lines into bills (`bills`).
"""

from rentbilling.figures import Notice
from rentbilling.line_items import PendingBillLineItem
from rentbilling.lines import NEVER, ItemPrices, LineMaker, VatGroups, opening_figures
from rentbilling.periods import LAST_DAY, Period
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import Schedule
from rentbilling.terms import RecurringBillItem

Dated = tuple[int, int, Notice]
"""A notice with the first and last day of what it concerns."""


class BilledItem:
    """A recurring item compiled under a policy."""

    __slots__ = (
        "_by_start",
        "_cancelled",
        "_currency",
        "_last_due",
        "_last_start",
        "_opening",
        "_opening_due",
        "_prices",
        "_schedule",
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
        self._by_start = policy.select == "accounting_period"
        self._prices = ItemPrices(item, maker, own, end)
        self._schedule = Schedule(
            item.billing_cycle, item.due_date_rule, opening.accounting_period.last, own
        )
        in_arrears = item.due_date_rule.relative_to == "end"
        self._cancelled = NEVER if item.cancelled_on is None else item.cancelled_on.toordinal()
        self._last_due = NEVER if in_arrears else self._cancelled - 1
        self._last_start = min(end, self._cancelled - 1) if in_arrears else end
        self._opening_due = opening.due_date.toordinal()
        opens = opening.accounting_period.first
        if opens > self._last_start or self._opening_due > self._last_due:
            self._opening = None
        else:
            figures = opening_figures(item, self._prices, maker, own)
            self._opening = PendingBillLineItem.of(figures, opens, opening.accounting_period.last)
        self.notices = self._found(item, item_id, end)

    @property
    def currency(self) -> str:
        """Currency of the item."""
        return self._currency

    def lines_due(
        self, first: int, last: int, month: int
    ) -> list[tuple[int, list[PendingBillLineItem]]]:
        """Return the item's lines that belong to an asked period, by due date (A15).

        Args:
            first: Ordinal of the asked period's first day.
            last: Ordinal of its last day.
            month: Number of the month that holds the first day.

        Returns:
            Due date and lines of each accounting period, in order.
        """
        if self._by_start:
            return self._lines_started(first, last)
        found: list[tuple[int, list[PendingBillLineItem]]] = []
        opening = self._opening
        if opening is not None and first <= self._opening_due <= last:
            found.append((self._opening_due, [opening]))
        until = min(last, self._last_due)
        for start, end, due in self._schedule.due_between(first, until, month, self._last_start):
            lines: list[PendingBillLineItem] = []
            self._prices.add_lines(start, end, lines)
            found.append((due, lines))
        return found

    def _lines_started(self, first: int, last: int) -> list[tuple[int, list[PendingBillLineItem]]]:
        """Return the lines whose own accounting period starts in the asked period (A15)."""
        found: list[tuple[int, list[PendingBillLineItem]]] = []
        if self._opening is not None and first <= self._opening.accounting_period.first <= last:
            found.append((self._opening_due, [self._opening]))
        for start, end, due in self._schedule.started_between(first, last, self._last_start):
            if due > self._last_due:
                break
            lines: list[PendingBillLineItem] = []
            self._prices.add_lines(start, end, lines)
            kept = [line for line in lines if first <= line.accounting_period.first <= last]
            if kept:
                found.append((due, kept))
        return found

    def most_lines(self, first: int, last: int) -> int:
        """Return at least how many lines an asked period can have, without computing them (A60)."""
        splits = sum(1 for day in self._prices.split_days if first <= day <= last)
        return self._schedule.count_between(first, min(last, self._last_start)) + splits + 2

    def _found(self, item: RecurringBillItem, item_id: str, end: int) -> tuple[Dated, ...]:
        """Return what a person should look at (A12, A13, A17)."""
        opening = item.first_billing_period_bill_item
        due, period = self._opening_due, opening.accounting_period
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
        if self._opening is not None and period.last > end:
            said = "the opening period reaches past the end and is billed as stated"
            facts = {"accountingPeriod": str(period), "end": _day(end)}
            notice("opening_past_end", said, period.first, due, **facts)
        if billed and first_due < due:
            said = "a regular period falls due before the opening period"
            facts = {"dueDate": _day(first_due), "openingDueDate": _day(due)}
            notice("due_before_opening", said, first_due, due, **facts)
        gap_end = min(starts - 1, end, self._cancelled - 1, LAST_DAY)
        if self._opening is not None and gap_end > period.last:
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
        if self._opening is not None:
            spans.append((opening.first, opening.last, self._opening_due))
        number = max(0, self._first_stopped() - 40)
        covered = opening.last if self._opening is not None else opening.first - 1
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
        uncovered = max(covered + 1, first_open if self._opening is not None else opening.first)
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
