"""Bills: items and a period go in, pending bills come out.

Laws: terms are compiled once and billed for many periods, at a cost that does not depend on the
age of the lease; lines with the same due date and currency share a bill (A16).
What does not live here: periods and due dates (`schedule`), lines (`lines`), VAT (`vat`), when an
item stops (`billed`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rentbilling.adjustment_records import AdjustmentResult, adjustments_between
from rentbilling.balance_lines import BalanceLines
from rentbilling.billed import BilledItem
from rentbilling.errors import InvalidInputError, InvalidRecordError, UnsupportedCaseError
from rentbilling.figures import Notice, RawLine
from rentbilling.histories import LeaseHistories
from rentbilling.indices import AnyIndices, series_of
from rentbilling.lines import LineMaker, VatGroups, one_time_figures
from rentbilling.periods import Period, month_index, period_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import Record
from rentbilling.results import BillingResult, PendingBill
from rentbilling.schedule import MOST_SHIFT
from rentbilling.stops import NEVER
from rentbilling.terms import LeaseTerms, OneTimeBillItem, RecurringBillItem
from rentbilling.vat import bill_of

Item = RecurringBillItem | OneTimeBillItem


_NOWHERE: Final[Mapping[int, int]] = MappingProxyType({})
# One lease after another is asked for the same period.
_month_of = lru_cache(maxsize=64)(month_index)


class CompiledTerms:
    """Lease terms made ready for billing under one policy; make it with `compile_terms`."""

    __slots__ = (
        "_balances",
        "_by_start",
        "_currencies",
        "_dated",
        "_groups",
        "_histories",
        "_indices",
        "_items",
        "_lease_id",
        "_once",
        "_once_days",
        "_once_order",
        "_plain_days",
        "_policy",
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
            like: Other terms whose items are taken over where they are the same objects.
        """
        ready = {} if like is None else like.ready_items(terms, policy)
        groups: VatGroups = VatGroups() if like is None or not ready else like._groups
        self._groups: VatGroups = groups
        end = NEVER if terms.contract_end is None else terms.contract_end.toordinal()
        ids = terms.item_ids
        self._lease_id = terms.lease_id
        self._terms, self._indices = terms, indices
        self._policy = policy
        self._items = tuple(
            ready.get((id(item), item_id)) or BilledItem(item, item_id, end, groups, policy)
            for item, item_id in zip(terms.recurring_bill_items, ids, strict=False)
        )
        self._histories: LeaseHistories | None = None
        self._balances: BalanceLines | None = None
        if terms.rent_adjustment_plans:
            self._histories = LeaseHistories(terms, series_of(indices), policy)
            if policy.balance_change != "not_billed":
                self._balances = BalanceLines(self._histories, groups, policy)
        once = [
            _one_time_line(item, item_id, groups, policy)
            for item, item_id in zip(
                terms.one_time_bill_items, ids[len(self._items) :], strict=True
            )
        ]
        order = sorted(range(len(once)), key=lambda at: once[at][0])
        self._once = tuple(once)
        self._once_order = tuple(order)
        self._once_days = tuple(once[at][0] for at in order)
        self._dated = tuple(dated for item in self._items for dated in item.notices)
        currencies = {item.currency for item in self._items}
        if self._balances is not None:
            currencies |= {balance.amount.currency for balance in terms.balances}
        self._currencies = len(currencies | {line[0].currency for _, _, line in self._once})
        self._by_start = policy.select == "accounting_period"
        # Days up to which no answer can have too many lines: no more periods fall due than there
        # are days, and days from which a bill may have moved; each change makes one line more.
        room = policy.max_lines - len(self._once) - sum(item.changes for item in self._items)
        self._plain_days = room // len(self._items) - 2 * (MOST_SHIFT + 1) if self._items else room
        if self._histories is not None:
            # Each adjustment may split a period, and each month may have a line for each balance.
            self._plain_days = min(self._plain_days, room // (2 * (len(self._items) + 1)))

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
        """The index series, as they were given."""
        return self._indices

    @property
    def billed_items(self) -> tuple[BilledItem, ...]:
        """The recurring items made ready, with the adjustments that were asked for so far."""
        return self._items

    @property
    def histories(self) -> LeaseHistories | None:
        """The adjustments of the lease; None where it has no plans."""
        return self._histories

    def ready_items(
        self, terms: LeaseTerms, policy: BillingPolicy
    ) -> dict[tuple[int, str], BilledItem]:
        """Return the items that other terms can take over under a policy, by object and id."""
        same_end = terms.contract_end == self._terms.contract_end
        if policy is not self._policy or not same_end or self._histories is not None:
            return {}
        return {
            (id(each.item), item_id): each
            for each, item_id in zip(self._items, self._terms.item_ids, strict=False)
        }

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
            month = _month_of(first)
            for item in items:
                item.add_lines(first, last, month, by_day)
        if self._once or self._balances is not None:
            self._add_others(first, last, by_day)
        policy = self._policy
        plain = not (self._groups.large or policy.cash_rounding)
        bills: list[PendingBill] = []
        for due in sorted(by_day):
            if self._currencies > 1:
                bills += self._apart(due, by_day[due], plain=plain)
            else:
                bills.append(bill_of(due, by_day[due], policy, plain=plain))
        notices: tuple[Notice, ...] = ()
        if self._dated or self._groups.noticed or self._histories is not None:
            notices = self._notices(by_day.values(), first, last, reach)
        return BillingResult(bills, notices, period, policy, self._lease_id, source=self)

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
            lines = sum(map(len, by_day.values()))
            if lines > self._policy.max_lines:
                most = self._policy.max_lines
                raise UnsupportedCaseError("too_many_lines", lines=lines, most=most)

    def _apart(self, due: int, lines: Iterable[RawLine], *, plain: bool) -> Iterable[PendingBill]:
        """Give a bill for each currency of a due date, in the order of their codes (A16)."""
        by_currency: dict[str, list[RawLine]] = {}
        for line in lines:
            by_currency.setdefault(line[0].currency, []).append(line)
        for currency in sorted(by_currency):
            yield bill_of(due, by_currency[currency], self._policy, plain=plain)

    def _adjusted_items(
        self, histories: LeaseHistories, first: int, last: int
    ) -> tuple[tuple[BilledItem, ...], Mapping[int, int]]:
        """Return the items with their adjustments up to the last day that lines are for (A42).

        And those days, by the place of the item: what happens up to them is on the bills.
        """
        items, reach = list(self._items), {}
        for at, history in histories.items.items():
            reach[at] = items[at].last_day(first, last)
            done = history.until(reach[at])
            if len(done) > items[at].adjustments:
                items[at] = items[at].adjusted([(each.day, each.unit) for each in done])
        # Kept for the next period; replaced as a whole, so that two askers do not meet.
        found = self._items = tuple(items)
        return found, reach

    def adjustments(self, period: Period) -> AdjustmentResult:
        """Return the rent adjustments of a period."""
        if self._histories is None:
            return AdjustmentResult(())
        return adjustments_between(self._histories, period.first, period.last)

    def _refuse_too_many(self, items: Iterable[BilledItem], first: int, last: int) -> None:
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
        self,
        groups: Iterable[Iterable[RawLine]],
        first: int,
        last: int,
        reach: Mapping[int, int],
    ) -> tuple[Notice, ...]:
        """Return what a person should look at in a period, each notice once."""
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


def _one_time_line(
    item: OneTimeBillItem, item_id: str, groups: VatGroups, policy: BillingPolicy
) -> tuple[int, int, RawLine]:
    """Return the day a one-time line is selected by, its due date, and the line (A15, A55)."""
    own = policy.for_product(item.product_key)
    maker = LineMaker(item.product_key, item_id, item.amount.currency, groups, own, policy)
    period, due = item.accounting_period, item.due_date.toordinal()
    line = one_time_figures(item, maker), period.first, period.last
    return (period.first if policy.select == "accounting_period" else due), due, line


def _terms_of(given: object) -> LeaseTerms:
    """Return lease terms for whatever items a caller hands in."""
    if isinstance(given, LeaseTerms):
        return given
    items = [given] if isinstance(given, (RecurringBillItem, OneTimeBillItem)) else given
    if not isinstance(items, Iterable) or isinstance(items, (str, bytes, dict, Record)):
        raise _not_billable(given)
    recurring: list[RecurringBillItem] = []
    once: list[OneTimeBillItem] = []
    for at, item in enumerate(items):
        if isinstance(item, RecurringBillItem):
            recurring.append(item)
        elif isinstance(item, OneTimeBillItem):
            once.append(item)
        else:
            raise _not_billable(item, f"[{at}]")
    return LeaseTerms(recurring_bill_items=tuple(recurring), one_time_bill_items=tuple(once))


def _not_billable(met: object, path: str = "") -> InvalidInputError:
    """Return the refusal of something that is no bill item."""
    return InvalidRecordError.of(
        path,
        "not_billable",
        "is no bill item",
        met,
        "lease terms, a bill item, or a list of bill items",
    )


def compile_terms(
    items_or_terms: LeaseTerms | Item | Iterable[Item] | CompiledTerms,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
) -> CompiledTerms:
    """Return terms made ready for billing: do it once, then bill many periods.

    Args:
        items_or_terms: Lease terms, an item, or items.
        policy: The billing policy; it is baked in.
        indices: The index series that rent adjustment plans follow; they are baked in.

    Returns:
        What `pending_bills` takes in place of the terms.

    Raises:
        InvalidInputError: It is no bill item, or a currency is unknown.
        UnsupportedCaseError: No period of an item lies in the calendar, or no business day near it.
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> compiled = compile_terms(LeaseTerms(lease_id="lease-1"))
        >>> len(pending_bills(compiled, "2026-01-01/2026-12-31"))
        0
    """
    if isinstance(items_or_terms, CompiledTerms):
        if policy is not None and policy != items_or_terms.policy:
            raise InvalidRecordError.of(
                "policy",
                "policy_mismatch",
                "is not the one the terms were compiled under",
                policy.fingerprint,
                items_or_terms.policy.fingerprint,
            )
        if indices is not None:
            said, expected = "were given when the terms were compiled", "none here"
            raise InvalidRecordError.of("indices", "contradiction", said, indices, expected)
        return items_or_terms
    return CompiledTerms(_terms_of(items_or_terms), policy_of(policy), indices)


def pending_bills(
    items_or_terms: LeaseTerms | Item | Iterable[Item] | CompiledTerms,
    period: Period | str,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
) -> BillingResult:
    """Return the bills that fall due in a period, with line items, VAT totals and sums.

    Args:
        items_or_terms: Lease terms, an item, items, or terms compiled by `compile_terms`.
        period: The asked days, both ends included; a bill belongs to it by its due date (A15).
        policy: Every choice the interface leaves open; the default is what most bills follow.
        indices: The index series that rent adjustment plans follow: one, several, or by name. Bills
            use the amount that is in force after all adjustments (A42).

    Returns:
        Bills in order of due date, then currency (A16), and notices.

    Raises:
        InvalidInputError: The period is malformed, or what is to be billed is no bill item.
        UnsupportedCaseError: The answer would have more than `policy.max_lines` lines (A60), or a
            date or amount that cannot be written.
        MissingIndexError: An adjustment that a bill needs has no index value (A41).
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from decimal import Decimal
        >>> from datetime import date
        >>> from rentbilling import Amount, BillingCycle, DueDateRule, Vat
        >>> from rentbilling import FirstBillingPeriodBillItem
        >>> rent = RecurringBillItem(
        ...     product_key="key:rent",
        ...     amount=Amount(8500, "DKK"),
        ...     vat=Vat("Exempt"),
        ...     due_date_rule=DueDateRule(day_of_period=1),
        ...     billing_cycle=BillingCycle(),
        ...     started_on=date(2026, 1, 15),
        ...     first_billing_period_bill_item=FirstBillingPeriodBillItem(
        ...         amount=Amount(Decimal("4661.29"), "DKK"),
        ...         due_date=date(2026, 1, 15),
        ...         accounting_period=Period.parse("2026-01-15/2026-01-31"),
        ...     ),
        ... )
        >>> for bill in pending_bills(rent, "2026-01-01/2026-03-31"):
        ...     print(bill.due_date, bill.total)
        2026-01-15 4661.29 DKK
        2026-02-01 8500.00 DKK
        2026-03-01 8500.00 DKK
    """
    if type(items_or_terms) is CompiledTerms and policy is None and indices is None:
        compiled = items_or_terms
    else:
        compiled = compile_terms(items_or_terms, policy=policy, indices=indices)
    if type(period) is not Period:
        period = period_of(period, period_end=compiled.policy.period_end)
    return compiled.bills(period)


def bill_period(
    terms: LeaseTerms | Item | Iterable[Item] | CompiledTerms,
    period: Period | str,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
) -> BillingResult:
    """Return a period's bills together with its rent adjustments.

    Args:
        terms: As `pending_bills` takes them.
        period: The asked days, both ends included; an adjustment belongs to it by its day.
        policy: Every choice the interface leaves open.
        indices: The index series that rent adjustment plans follow.

    Returns:
        The bills of `pending_bills`, with the adjustments of `rent_adjustments` and the notices of
        both.

    Raises:
        InvalidInputError: See `pending_bills`.
        MissingIndexError: An adjustment has no index value (A41).

    Examples:
        >>> bill_period(LeaseTerms(), "2026-01-01/2026-12-31").adjustments
        ()
    """
    compiled = compile_terms(terms, policy=policy, indices=indices)
    asked = period_of(period, period_end=compiled.policy.period_end)
    bills, made = compiled.bills(asked), compiled.adjustments(asked)
    return BillingResult(
        bills.bills,
        dict.fromkeys((*bills.notices, *made.notices)),
        asked,
        compiled.policy,
        bills.lease_id,
        adjustments=made.adjustments,
        source=compiled,
    )
