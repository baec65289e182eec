"""Notices about an item as a whole, such as days that no bill covers.

Law: every notice carries the days it concerns, so that two adjoining periods report the same
notices as the joined one.
"""

from collections.abc import Iterator

from rentbilling.schedule import BillingEnds, Schedule
from rentbilling.terms import RecurringBillItem
from rentbilling.values import LAST_DAY, NEVER, Notice, Period, PeriodEnd

Dated = tuple[int, int, Notice]
"""A notice with the first and last day of what it concerns."""


def item_notices(
    item: RecurringBillItem,
    item_id: str,
    schedule: Schedule,
    stops: BillingEnds,
    period_end: PeriodEnd = "included",
) -> tuple[Dated, ...]:
    """Return the notices about an item (A12, A13, A17)."""
    first = item.first_billing_period_bill_item
    opening, due = first.accounting_period.last, first.due_date.toordinal()
    if (
        stops.cancelled == NEVER
        and opening <= stops.end
        and due <= item.started_on.toordinal()
        and schedule.first_start == opening + 1
        and schedule.first_due >= due
    ):
        # Most items: the opening period falls due when they start, and the next period follows it.
        return ()
    watch = _Watch(item, item_id, schedule, stops, period_end)
    found = [*watch.reversed_end(), *watch.opening(), *watch.gap()]
    if stops.cancelled != NEVER:
        found += [*watch.billed_after_cancellation(), *watch.unbilled_before_cancellation()]
    return tuple(found)


class _Watch:
    """Finds the notices of one item."""

    def __init__(
        self,
        item: RecurringBillItem,
        item_id: str,
        schedule: Schedule,
        stops: BillingEnds,
        period_end: PeriodEnd,
    ) -> None:
        opening = item.first_billing_period_bill_item
        self._item_id = item_id
        self._schedule = schedule
        self._past_end = 1 if period_end == "excluded" else 0
        self._stops = stops
        self._started = item.started_on.toordinal()
        self._opening = opening.accounting_period
        self._due = opening.due_date.toordinal()
        self._starts, self._first_due = schedule.first_start, schedule.first_due

    def _notice(self, code: str, said: str, first: int, last: int, **facts: object) -> Dated:
        """Return a notice about the days between two, in either order."""
        pairs = tuple(
            (name, self._text(value) if isinstance(value, Period) else str(value))
            for name, value in facts.items()
        )
        return min(first, last), max(first, last), Notice(code, said, self._item_id, pairs)

    def _text(self, period: Period) -> str:
        """Return a period as the policy writes it (A4)."""
        return f"{_day(period.first)}/{_day(period.last + self._past_end)}"

    def _is_billed(self, number: int) -> bool:
        start, due = self._schedule.start_of(number), self._schedule.due_of(number)
        return start <= self._stops.last_start and due <= self._stops.last_due

    def reversed_end(self) -> Iterator[Dated]:
        """Give the notice of an end before the opening, on both of its days (A158)."""
        begins = self._opening.first
        if self._stops.end < begins:
            said = "ends before its opening period begins, so that nothing is ever billed"
            facts = {"end": _day(self._stops.end), "begins": _day(begins)}
            for day in sorted({begins, self._due}):
                yield self._notice("ends_before_it_begins", said, day, day, **facts)

    def opening(self) -> Iterator[Dated]:
        """Give the notices about the opening period (A12, A17)."""
        if self._started < self._due:
            said = "startedOn lies before the due date of the opening period"
            facts = {"startedOn": _day(self._started), "dueDate": _day(self._due)}
            code = "started_on_before_opening_due_date"
            yield self._notice(code, said, self._started, self._due, **facts)
        if self._stops.opens and self._opening.last > self._stops.end:
            said = "the opening period reaches past the end and is billed as stated"
            facts = {"accountingPeriod": self._text(self._opening), "end": _day(self._stops.end)}
            first = self._opening.first
            yield self._notice("opening_past_end", said, first, self._due, **facts)
        if self._first_due < self._due and self._is_billed(0):
            said = "a regular period falls due before the opening period"
            facts = {"dueDate": _day(self._first_due), "openingDueDate": _day(self._due)}
            yield self._notice("due_before_opening", said, self._first_due, self._due, **facts)

    def gap(self) -> Iterator[Dated]:
        """Give the notice of days between the opening period and the first regular one (A13)."""
        stops = self._stops
        last = min(self._starts - 1, stops.end, stops.cancelled - 1, LAST_DAY)
        if stops.opens and last > self._opening.last:
            days = Period.unchecked(self._opening.last + 1, last)
            said = "days between the opening period and the first regular one are not billed"
            until = max(last, min(self._first_due, LAST_DAY))
            yield self._notice(
                "gap_after_opening_period",
                said,
                min(self._due, days.first),
                until,
                days=days,
                count=days.days,
            )

    def _billed(self) -> Iterator[tuple[Period, int]]:
        """Give billed periods with due dates; regular ones before a cancellation as one period."""
        if self._stops.opens:
            yield self._opening, self._due
        schedule = self._schedule
        stopped = schedule.first_with(lambda each: not self._is_billed(each))
        number = min(stopped, max(0, schedule.number_from(self._stops.cancelled)))
        if number:
            last = min(schedule.start_of(number) - 1, LAST_DAY)
            yield Period.unchecked(self._starts, last), schedule.due_of(number - 1)
        while number < stopped and (start := schedule.start_of(number)) <= LAST_DAY:
            last = min(schedule.start_of(number + 1) - 1, LAST_DAY)
            yield Period.unchecked(start, last), schedule.due_of(number)
            number += 1

    def billed_after_cancellation(self) -> Iterator[Dated]:
        """Give a notice for each billed period that starts after the cancellation (A17)."""
        for period, due in self._billed():
            if period.first >= self._stops.cancelled:
                said = "a period that starts on or after the cancellation is billed"
                facts = {"accountingPeriod": period, "cancelledOn": self._cancelled}
                code = "billed_after_cancellation"
                yield self._notice(code, said, period.first, due, **facts)

    def unbilled_before_cancellation(self) -> Iterator[Dated]:
        """Give a notice for days before the cancellation that no bill covers (A17)."""
        first = self._starts if self._stops.opens else self._opening.first
        last = min(self._stops.cancelled - 1, self._stops.end)
        if last < first:
            return
        for days in Period.unchecked(first, last).minus(*(period for period, _ in self._billed())):
            said = "days before the cancellation are covered by no bill"
            until = max(days.last, self._stops.cancelled)
            code = "unbilled_days_before_cancellation"
            yield self._notice(code, said, days.first, until, days=days, count=days.days)

    @property
    def _cancelled(self) -> str:
        return _day(self._stops.cancelled)


def _day(day: int) -> str:
    """Return a day ordinal as `YYYY-MM-DD`, the calendar's first or last day where it has none."""
    return Period.unchecked(max(1, min(day, LAST_DAY)), LAST_DAY).start.isoformat()
