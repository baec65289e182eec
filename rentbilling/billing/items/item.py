"""A recurring item compiled for billing: schedule, price history and end dates.

Law: everything that does not depend on the period is computed once, so that a period of an old
lease takes no longer than one of a new lease.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from rentbilling.billing.figures import LineFigures, RawLine
from rentbilling.billing.items.item_notices import item_notices
from rentbilling.billing.items.opening import opens_by_default
from rentbilling.billing.lines import ItemPrices, LineMaker, VatGroups, opening_figures
from rentbilling.billing.prices import PriceInForce
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import BillingEnds, schedule_of
from rentbilling.terms import RecurringBillItem
from rentbilling.values import LAST_DAY, NEVER, month_index

# One lease after another is asked for the same period.
_month_of = lru_cache(maxsize=64)(month_index)

_StartOf = Callable[[int], int]
_Prices = tuple[Sequence[int], Sequence[int], Sequence[LineFigures | None]]
_Table = tuple[int, int, int, int, _StartOf | None, int, *_Prices]
"""The quick form of a schedule, with no function where it has none, and `ItemPrices.table`."""
_NOT_PRICES: Final = (
    *("product_key", "billing_cycle", "due_date_rule", "started_on"),
    *("first_billing_period_bill_item", "cancelled_on", "ended_on"),
)
"""Fields of an item on which its schedule, its ends and its notices depend."""
_NOT_PLAIN: Final = (0, 0, 0, 0, None, 0)


class CompiledItem:
    """A recurring item compiled under a policy."""

    __slots__ = (
        "_at_hand",
        "_maker",
        "_opening",
        "_opening_due",
        "_own",
        "_stops",
        "adjusted_on",
        "adjustments",
        "currency",
        "item",
        "notices",
        "prices",
        "schedule",
    )

    def __init__(
        self,
        item: RecurringBillItem,
        item_id: str,
        contract_end: int,
        groups: VatGroups,
        policy: BillingPolicy,
    ) -> None:
        """Compute everything about the item that does not depend on a period."""
        # A record takes longer for a field than its dictionary does.
        fields = vars(item)
        product_key, opening = fields["product_key"], fields["first_billing_period_bill_item"]
        own = policy.by_product.get(product_key, policy)
        self.currency: str = fields["amount"].currency
        maker = LineMaker(product_key, item_id, self.currency, groups, own, policy)
        self.item, self._own, self._maker = item, own, maker
        self.adjustments = 0
        """How many rent adjustments its prices know of."""
        self.adjusted_on = 0
        """The day of the last of them; 0 without any."""
        self._stops = BillingEnds.of(item, contract_end)
        self.prices = ItemPrices(item, maker, own, self._stops.end)
        cycle, rule = fields["billing_cycle"], fields["due_date_rule"]
        self.schedule = schedule_of(cycle, rule, opening.accounting_period, own)
        self._opening: RawLine | None = None
        self._opening_due = opening.due_date.toordinal() if self._stops.opens else NEVER
        self._at_hand = (
            self._opening_due,
            self._stops.last_due,
            self._stops.last_start,
            *self._table(),
        )
        self.notices = item_notices(item, item_id, self.schedule, self._stops, policy.period_end)
        """The notices about the item, with the days they concern."""

    def adjusted(self, adjusted: Sequence[tuple[int, Decimal | Fraction]]) -> "CompiledItem":
        """Return the item with its rent adjustments; all else of it stays (A42)."""
        other = self._priced(self.item, adjusted)
        other.adjustments, other._opening = len(adjusted), self._opening
        other.adjusted_on = adjusted[-1][0] if adjusted else 0
        return other

    def like(self, item: RecurringBillItem) -> "CompiledItem | None":
        """Return the same item, or another one compiled if only its prices are others."""
        if item is self.item:
            return self
        fields, others = vars(self.item), vars(item)
        for name in _NOT_PRICES:
            if fields[name] is not others[name]:
                return None
        same = fields["amount"].currency == others["amount"].currency
        return self._priced(item) if same else None

    def _priced(
        self, item: RecurringBillItem, adjusted: Sequence[tuple[int, Decimal | Fraction]] = ()
    ) -> "CompiledItem":
        other = object.__new__(CompiledItem)
        other.currency, other.notices = self.currency, self.notices
        other.adjustments = other.adjusted_on = 0
        other.item, other._own, other._maker = item, self._own, self._maker
        other._stops, other.schedule = self._stops, self.schedule
        other._opening, other._opening_due = None, self._opening_due
        other.prices = ItemPrices(item, self._maker, self._own, self._stops.end, adjusted)
        other._at_hand = (*self._at_hand[:3], *other._table())
        return other

    def _table(self) -> _Table:
        """Return the numbers of the quick form of an item; zeros where it has none."""
        plain = self.schedule.plain
        step, index, later, shift, start_of, certain = _NOT_PLAIN if plain is None else plain
        return step, index, later, shift, start_of, certain, *self.prices.table

    @property
    def policy(self) -> BillingPolicy:
        """The policy of the item's lines (A54)."""
        return self._own

    def line_of(self, price: PriceInForce) -> LineFigures:
        """Return the line of a whole regular period at a price.

        Raises:
            UnsupportedCaseError: The line has more than 15 digits (A1).
        """
        return self._maker.figures(price, "regular")

    @property
    def end(self) -> int:
        """Ordinal of the last day paid for, or NEVER."""
        return self._stops.end

    @property
    def changes(self) -> int:
        """Days on which a period may be split (A19)."""
        return self.prices.changes

    def last_day(self, first: int, last: int) -> int:
        """Return the last day whose price a line of a period needs, 0 without lines (A42)."""
        schedule, stops = self.schedule, self._stops
        by_start, plain = self._own.select == "accounting_period", schedule.plain
        last = last if by_start else min(last, stops.last_due)
        if by_start or plain is not None:
            shift = 0 if by_start or plain is None else plain.due_offset
            latest = min(last - shift, stops.last_start, LAST_DAY)
            stop = schedule.number_from(latest + 1)
        else:
            stop = schedule.first_with(
                lambda number: (
                    schedule.start_of(number) > stops.last_start or schedule.due_of(number) > last
                )
            )
        if stop == 0 or (not by_start and schedule.due_of(stop - 1) < first):
            return 0
        # A change inside a period takes effect in the next one, if the policy says so (A19).
        if self._own.mid_period_change == "next_period":
            return schedule.start_of(stop - 1)
        return min(schedule.start_of(stop) - 1, stops.end)

    def add_lines(self, first: int, last: int, by_day: dict[int, list[RawLine]]) -> None:
        """Add the item's lines that belong to an asked period, by due date (A15)."""
        (
            opening_due,
            last_due,
            last_start,
            step,
            index,
            later,
            shift,
            start_of,
            certain,
            days,
            limits,
            ready,
        ) = self._at_hand
        if first <= opening_due <= last:
            by_day.setdefault(opening_due, []).append(self._opening_line())
        # Calls of `min` would show in the cost of a bill.
        last = last_due if last_due < last else last  # noqa: FURB136
        # The loop does not watch whether a period ends after the calendar does.
        if start_of is None or last > certain:
            for start, end, due in self.schedule.due_between(first, last, last_start):
                self.prices.add_lines(start, end, due, by_day.setdefault(due, []))
            return
        # The same for the common case in one loop, because it is most of the work of a bill.
        month = _month_of(first - shift - 1) + later
        if month > index:
            index += -((index - month) // step) * step
        start = start_of(index)
        if start + shift < first:
            index += step
            start = start_of(index)
        latest = last - shift if last - shift < last_start else last_start  # noqa: FURB136
        # Most periods have the newest price.
        since, until, newest = days[-1], limits[-1], ready[-1]
        while start <= latest:
            index += step
            after = start_of(index)
            due = start + shift
            lines = by_day.get(due)
            if lines is None:
                lines = by_day[due] = []
            figures, limit = newest, until
            if start < since:
                at = bisect_right(days, start) - 1
                figures, limit = ready[at], limits[at]
            if figures is not None and after <= limit:
                lines.append((figures, start, after - 1))
            else:
                self.prices.add_lines(start, after - 1, due, lines)
                newest = ready[-1]
            start = after

    def _opening_line(self) -> RawLine:
        """Return the opening line, made when it is first billed (A12)."""
        if self._opening is None:
            period = self.item.first_billing_period_bill_item.accounting_period
            figures = opening_figures(self.item, self.prices, self._maker, self._own)
            if not opens_by_default(self._own):
                self._maker.note_opening(figures, self.item, self._stops.end)
            self._opening = figures, period.first, period.last
        return self._opening

    def add_lines_started(self, first: int, last: int, by_day: dict[int, list[RawLine]]) -> None:
        """Add the lines whose own accounting period starts in the asked period (A15)."""
        opens = self.item.first_billing_period_bill_item.accounting_period.first
        if self._stops.opens and first <= opens <= last:
            by_day.setdefault(self._opening_due, []).append(self._opening_line())
        for start, end, due in self.schedule.started_between(first, last, self._stops.last_start):
            if due > self._stops.last_due:
                break
            lines: list[RawLine] = []
            self.prices.add_lines(start, end, due, lines)
            inside = [line for line in lines if first <= line[1] <= last]
            if inside:
                by_day.setdefault(due, []).extend(inside)

    def count_lines(self, first: int, last: int) -> int:
        """Return how many lines an asked period has, without computing them (A60)."""
        opening = 1 if first <= self._opening_due <= last else 0
        due = self.schedule.numbers_due(
            first, min(last, self._stops.last_due), self._stops.last_start
        )
        if not due:
            return opening
        days = self.prices.split_days_between(
            self.schedule.start_of(due.start), self.schedule.start_of(due.stop) - 1
        )
        inside = sum(self.schedule.start_of(self.schedule.number_from(day)) != day for day in days)
        return opening + len(due) + inside

    def count_lines_started(self, first: int, last: int) -> int:
        """Return how many lines start in an asked period, without computing them (A60)."""
        schedule, stops = self.schedule, self._stops
        opens = self.item.first_billing_period_bill_item.accounting_period.first
        opening = 1 if stops.opens and first <= opens <= last else 0
        # As many regular periods are billed up to the last day, and as many start before the first.
        most = schedule.first_with(
            lambda number: (
                schedule.start_of(number) > min(last, stops.last_start)
                or schedule.due_of(number) > stops.last_due
            )
        )
        before = min(most, schedule.number_from(first))
        days = self.prices.split_days_between(first, last)
        numbers = ((day, schedule.number_from(day)) for day in days)
        inside = sum(
            0 < number <= most and schedule.start_of(number) != day for day, number in numbers
        )
        return opening + most - before + inside
