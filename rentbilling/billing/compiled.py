"""Compiled terms: a lease prepared for billing, once for many periods.

Laws: everything that does not depend on the period is computed once, so that billing an old lease
takes no longer than a new one; lines with the same due date and currency share a bill (A16).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rentbilling.billing.bill import BillingResult, PendingBill
from rentbilling.billing.due_lines import (
    BalanceLines,
    DueLines,
    LeaseParts,
    OnceLine,
    one_time_line,
)
from rentbilling.billing.earlier_bills import EarlierBills, earlier_lines
from rentbilling.billing.figures import LineFigures, RawLine
from rentbilling.billing.items.item import CompiledItem
from rentbilling.billing.lines import VatGroups
from rentbilling.billing.unbilled_lines import AskedDays, UnbilledLines, first_day
from rentbilling.billing.vat import bill_of_lines
from rentbilling.errors import UnsupportedCaseError
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import MOST_SHIFT
from rentbilling.terms import LeaseTerms
from rentbilling.values import NEVER, Notice, Period

if TYPE_CHECKING:
    from rentbilling.adjustments import AdjustmentResult, LeaseHistories

_NOWHERE: Final[Mapping[int, int]] = MappingProxyType({})
_MOST_REMEMBERED: Final = 64
"""Bills of different figures whose sums are remembered."""

_figures_of: Final[Callable[[RawLine], LineFigures]] = itemgetter(0)

_Sums = tuple[Sequence[LineFigures] | None, PendingBill]
"""Of a bill: the figures of its lines where VAT corrects them, and the bill that was first."""


class CompiledTerms:
    """Lease terms compiled under one policy; `compile_terms` makes them."""

    __slots__ = (
        "_balances",
        "_by_start",
        "_currencies",
        "_dated",
        "_groups",
        "_histories",
        "_ids",
        "_indices",
        "_items",
        "_lease_id",
        "_once",
        "_once_days",
        "_once_order",
        "_plain_days",
        "_policy",
        "_sums",
        "_terms",
    )

    def __init__(
        self,
        terms: LeaseTerms,
        policy: BillingPolicy,
        indices: AnyIndices = None,
        like: "CompiledTerms | None" = None,
    ) -> None:
        """Compile every item.

        Args:
            terms: The lease terms.
            policy: The bill's own policy.
            indices: The index series.
            like: Other compiled terms; items that are the same objects are reused, and of others
                what does not depend on their prices.
        """
        ready = {} if like is None else like.ready_items(terms, policy)
        groups: VatGroups = VatGroups() if like is None or not ready else like._groups
        self._groups: VatGroups = groups
        end = NEVER if terms.contract_end is None else terms.contract_end.toordinal()
        ids = self._ids = terms.item_ids
        self._lease_id = terms.lease_id
        self._terms, self._indices = terms, indices
        self._policy = policy
        self._sums: dict[tuple[LineFigures, ...], _Sums] = (
            {} if like is None or not ready else like._sums
        )
        self._items = tuple(
            [
                (ready[item_id].like(item) if item_id in ready else None)
                or CompiledItem(item, item_id, end, groups, policy)
                for item, item_id in zip(terms.recurring_bill_items, ids, strict=False)
            ]
        )
        self._histories: LeaseHistories | None = None
        self._balances: BalanceLines | None = None
        # Checked where no plan follows them, too, and a generator can be read only once.
        series = series_of(indices)
        if indices is not None and not isinstance(indices, IndexSeries):
            self._indices = series
        if terms.rent_adjustment_plans:
            self._histories = _histories_of(terms, series, policy)
            if self._histories.balances and policy.balance_change != "not_billed":
                self._balances = BalanceLines(self._histories, groups, policy)
        self._once: tuple[OnceLine, ...] = ()
        self._once_order: tuple[int, ...] = ()
        self._once_days: tuple[int, ...] = ()
        once: tuple[OnceLine, ...] = ()
        if terms.one_time_bill_items:
            once = self._add_once(terms, ids[len(self._items) :])
        self._dated = tuple([dated for item in self._items for dated in item.notices])
        currencies = {item.currency for item in self._items}
        if self._balances is not None:
            currencies |= {balance.amount.currency for balance in terms.balances}
        currencies |= {line[0].currency for _, _, line in once}
        self._currencies = len(currencies)
        self._by_start = policy.select == "accounting_period"
        # Days up to which no answer can have too many lines: no more periods fall due than have
        # room in them, and in days from which a bill may have moved, and one at each end and the
        # opening one; each change makes one line more.
        room = policy.max_lines - len(once) - sum(item.changes for item in self._items)
        self._plain_days = room
        if self._items:
            shortest = min(item.schedule.shortest for item in self._items)
            self._plain_days = (room // len(self._items) - 3) * shortest - 2 * (MOST_SHIFT + 1)
        if self._histories is not None:
            # Each adjustment may split a period, and each month may have a line for each balance.
            self._plain_days = min(self._plain_days, room // (2 * (len(self._items) + 1)))

    def _add_once(self, terms: LeaseTerms, ids: Iterable[str]) -> tuple[OnceLine, ...]:
        """Add the lines of the one-time items, and the order of their days; return the lines."""
        once = self._once = tuple(
            one_time_line(item, item_id, self._groups, self._policy)
            for item, item_id in zip(terms.one_time_bill_items, ids, strict=True)
        )
        order = self._once_order = tuple(sorted(range(len(once)), key=lambda at: once[at][0]))
        self._once_days = tuple(once[at][0] for at in order)
        return once

    @property
    def policy(self) -> BillingPolicy:
        """The policy that the terms were compiled under."""
        return self._policy

    @property
    def terms(self) -> LeaseTerms:
        """The lease terms."""
        return self._terms

    @property
    def indices(self) -> AnyIndices:
        """The index series: the one that was given, or several by name."""
        return self._indices

    @property
    def billed_items(self) -> tuple[CompiledItem, ...]:
        """The compiled recurring items, with the adjustments computed so far."""
        return self._items

    def item_on(self, at: int, day: int) -> CompiledItem:
        """Return a recurring item by its place, with its rent adjustments up to a day (A42).

        Raises:
            MissingIndexError: An adjustment has no index value (A41).
        """
        history = None if self._histories is None else self._histories.items.get(at)
        item = self._items[at]
        return item if history is None else item.adjusted(history.units_until(day))

    @property
    def histories(self) -> "LeaseHistories | None":
        """The adjustments of the lease; None where it has no plans."""
        return self._histories

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by what they were compiled from: a copy is compiled anew, and bills the same."""
        indices = self._indices
        if indices is not None and not isinstance(indices, IndexSeries):
            indices = dict(series_of(indices))
        adjusted = {at: item.adjusted_on for at, item in enumerate(self._items) if item.adjustments}
        return CompiledTerms, (self._terms, self._policy, indices), adjusted or None

    def __setstate__(self, adjusted: Mapping[int, int]) -> None:
        """Adjust the items of a copy up to the days to which they were adjusted."""
        items = list(self._items)
        for at, day in adjusted.items():
            items[at] = self.item_on(at, day)
        self._items = tuple(items)

    def ready_items(self, terms: LeaseTerms, policy: BillingPolicy) -> dict[str, CompiledItem]:
        """Return the items that other terms can reuse under a policy, by id."""
        same_end = terms.contract_end == self._terms.contract_end
        if policy is not self._policy or not same_end or self._histories is not None:
            return {}
        return dict(zip(self._ids, self._items, strict=False))

    # All of it in one place, because each call would show in the cost of a bill.
    def bills(self, period: Period) -> BillingResult:
        """Return the bills of a period: one pass over the items, whatever its length."""
        first, last = period.first, period.last
        items, reach = self._items, _NOWHERE
        if self._histories is not None:
            items, reach = self._adjusted_items(self._histories, first, last)
        if last - first > self._plain_days:
            self._refuse_too_many(items, first, last)
        by_day: dict[int, list[RawLine]] = {}
        if self._by_start:
            for item in items:
                item.add_lines_started(first, last, by_day)
        else:
            for item in items:
                item.add_lines(first, last, by_day)
        if self._once or self._balances is not None or last - first > self._plain_days:
            self._add_others(first, last, by_day)
        policy = self._policy
        plain = not (self._groups.large or policy.cash_rounding)
        bills: list[PendingBill] = []
        for due in sorted(by_day):
            if self._currencies > 1 or not plain:
                bills += self._apart(due, by_day[due], plain=plain)
            else:
                bills.append(self._bill(due, by_day[due]))
        notices: tuple[Notice, ...] = ()
        if self._dated or self._groups.noticed or self._histories is not None:
            notices = self._notices(by_day.values(), first, last, reach)
        return BillingResult(bills, notices, period, policy, self._lease_id, source=self)

    def _bill(self, due: int, lines: list[RawLine]) -> PendingBill:
        """Return a bill whose sums were remembered, or are computed and then remembered."""
        key = tuple(map(_figures_of, lines))
        known = self._sums.get(key)
        if known is None:
            bill = bill_of_lines(due, lines, self._policy, plain=True)
            if len(self._sums) == _MOST_REMEMBERED:
                # Assigned in one step, so that concurrent calls see the old or the new one.
                self._sums = {}
            corrected = tuple(map(_figures_of, bill.raw_lines))
            self._sums[key] = None if corrected == key else corrected, bill
            return bill
        changed, bill = known
        if changed is not None:
            lines = [
                (figures, start, end)
                for figures, (_, start, end) in zip(changed, lines, strict=True)
            ]
        return bill.again(due, lines)

    def open_bills(
        self, period: Period, already_billed: EarlierBills, since: int | None = None
    ) -> BillingResult:
        """Return the bills of a period that earlier bills leave to be sent (A53).

        Args:
            period: The asked days.
            already_billed: The earlier bills.
            since: Ordinal of the day from which lines due are compared with earlier bills; None for
                the first day of those bills.

        Returns:
            The bills, with corrections and lines that were missed, and the notices.
        """
        first, last, items, reach = period.first, period.last, self._items, _NOWHERE
        owed, policy = self._owed(items), self._policy
        billed, repeated = earlier_lines(already_billed, self._lease_id, owed.owners, policy)
        known = first_day(billed, policy) if since is None else since
        low = first if known is None else min(first, known)
        if self._histories is not None:
            _, reach = self._adjusted_items(self._histories, first, last)
            items, _ = self._adjusted_items(self._histories, low, last)
            owed = self._owed(items)
        if last - low > self._plain_days:
            self._refuse_too_many(items, low, last)
        asked = AskedDays(low, first, last, said=since is not None)
        by_day = UnbilledLines(owed, asked, self._groups, policy).after(billed)
        self._refuse_more(by_day)
        bills = [
            bill for due in sorted(by_day) for bill in self._apart(due, by_day[due], plain=False)
        ]
        notices = (*repeated, *self._notices(by_day.values(), first, last, reach))
        return BillingResult(bills, notices, period, policy, self._lease_id, source=self)

    def _owed(self, items: tuple[CompiledItem, ...]) -> DueLines:
        """Return the lines due under the lease, by items with their adjustments."""
        once, histories = self._once, self._histories
        parts = LeaseParts(items, self._ids, once, histories, self._balances, self._policy)
        return DueLines(parts)

    def _add_others(self, first: int, last: int, by_day: dict[int, list[RawLine]]) -> None:
        """Add the lines of one-time items and of balances, by due date (A39, A55)."""
        low, high = bisect_left(self._once_days, first), bisect_right(self._once_days, last)
        # In the order the items were given, whatever the order of their days (A16).
        for at in sorted(self._once_order[low:high]):
            _, due, line = self._once[at]
            by_day.setdefault(due, []).append(line)
        if self._balances is not None:
            for due, line in self._balances.between(first, last):
                by_day.setdefault(due, []).append(line)
        # Also for the parts that VAT alone makes, which no count before has (A67).
        self._refuse_more(by_day)

    def _refuse_more(self, by_day: Mapping[int, list[RawLine]]) -> None:
        """Refuse lines that are more than an answer may have (A60)."""
        lines, most = sum(map(len, by_day.values())), self._policy.max_lines
        if lines > most:
            raise UnsupportedCaseError("too_many_lines", lines=lines, most=most)

    def _apart(self, due: int, lines: Iterable[RawLine], *, plain: bool) -> Iterable[PendingBill]:
        """Give a bill for each currency of a due date, in the order of their codes (A16)."""
        by_currency: dict[str, list[RawLine]] = {}
        for line in lines:
            by_currency.setdefault(line[0].currency, []).append(line)
        for currency in sorted(by_currency):
            yield bill_of_lines(due, by_currency[currency], self._policy, plain=plain)

    def _adjusted_items(
        self, histories: "LeaseHistories", first: int, last: int
    ) -> tuple[tuple[CompiledItem, ...], Mapping[int, int]]:
        """Return the items with their adjustments up to the last day that lines are for (A42).

        And those days, by the place of the item: what happens up to them is on the bills.
        """
        items, reach = list(self._items), {}
        for at, history in histories.items.items():
            reach[at] = items[at].last_day(first, last)
            done = history.units_until(reach[at])
            if len(done) > items[at].adjustments:
                items[at] = items[at].adjusted(done)
        # Cached. Assigned in one step, so that concurrent calls see the old or the new tuple.
        found = self._items = tuple(items)
        return found, reach

    def adjustments(self, period: Period) -> "AdjustmentResult":
        """Return the rent adjustments of a period."""
        from rentbilling.adjustments import AdjustmentResult, adjustments_between  # noqa: PLC0415 - few leases have plans

        if self._histories is None:
            return AdjustmentResult(())
        return adjustments_between(self._histories, period.first, period.last)

    def _refuse_too_many(self, items: Iterable[CompiledItem], first: int, last: int) -> None:
        """Refuse an answer of too many lines before computing it (A60)."""
        most = self._policy.max_lines
        if self._by_start:
            lines = sum(item.count_lines_started(first, last) for item in items)
        else:
            lines = sum(item.count_lines(first, last) for item in items)
        low, high = bisect_left(self._once_days, first), bisect_right(self._once_days, last)
        if lines + high - low > most:
            raise UnsupportedCaseError("too_many_lines", lines=lines + high - low, most=most)

    def _notices(
        self, groups: Iterable[Iterable[RawLine]], first: int, last: int, reach: Mapping[int, int]
    ) -> tuple[Notice, ...]:
        """Return the notices of a period, each once."""
        found: dict[Notice, None] = {}
        for low, high, notice in self._dated:
            if low <= last and high >= first:
                found[notice] = None
        if self._histories is not None:
            for at, day in reach.items():
                found.update(dict.fromkeys(self._histories.items[at].notices(first, day)))
            if self._balances is not None:
                found.update(dict.fromkeys(self._histories.balance_notices(first, last)))
        for lines in groups if self._groups.noticed else ():
            for figures, _, _ in lines:
                if figures.notices:
                    found.update(dict.fromkeys(figures.notices))
        return tuple(found)


def _histories_of(
    terms: LeaseTerms, series: Mapping[str, IndexSeries], policy: BillingPolicy
) -> "LeaseHistories":
    from rentbilling.adjustments import LeaseHistories  # noqa: PLC0415 - most leases have no plan

    return LeaseHistories(terms, series, policy)
