"""The adjustments of all items and balances of a lease that have plans.

Law: each item and balance has one history, computed up to the latest day asked for, so that bills
need no later index value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from rentbilling.adjustments.adjustee import Adjusted, Adjustee, Dated
from rentbilling.adjustments.amount_history import History
from rentbilling.adjustments.balances import (
    BalanceHistory,
    Moved,
    MovesBy,
    WithAdjustments,
    WithRent,
)
from rentbilling.adjustments.dates import Bounds, RuleDates
from rentbilling.adjustments.rules.amounts import AmountScale, listed_until
from rentbilling.errors import InvalidAdjustmentRuleError, MissingFactError, RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.terms import (
    RENT,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    balance_at,
    balance_ids,
    item_at,
    plan_ids,
    prices_in_a_cycle,
)
from rentbilling.values import MONTHS_PER_YEAR, NEVER, Amount, Notice, minor_units, month_start

_ALWAYS: Final = 0
_ONE: Final = Fraction(1)
A = TypeVar("A", Adjusted, Moved)
Change = tuple[int, int, Adjusted | None, Moved | None]
"""Day, plan, and the adjustment of an item or the change of a balance, or both."""


class LeaseHistories:
    """The histories of the items and balances of a lease that have plans."""

    __slots__ = (
        "_adjustees",
        "_item_ids",
        "_places",
        "_terms",
        "balances",
        "indices",
        "items",
        "plan_ids",
        "policy",
    )

    def __init__(
        self, terms: LeaseTerms, indices: Mapping[str, IndexSeries], policy: BillingPolicy
    ) -> None:
        """Compile every plan."""
        self._terms = terms
        self.indices = indices
        self.policy = policy
        by_item: dict[int, list[tuple[int, str, RentAdjustmentPlan]]] = {}
        by_balance: dict[int, list[tuple[int, RentAdjustmentPlan]]] = {}
        ids = self._item_ids = terms.item_ids[: len(terms.recurring_bill_items)]
        self._adjustees: dict[int, Adjustee] = {}
        self._places = tuple(
            (
                item_at(plan, ids) if plan.adjusts_items else None,
                balance_at(plan, terms.balances) if plan.adjusts_balances else None,
            )
            for plan in terms.rent_adjustment_plans
        )
        self.plan_ids = plan_ids(terms.rent_adjustment_plans)
        """Ids of the plans, by position where absent (A57)."""
        for at, plan in enumerate(terms.rent_adjustment_plans):
            item, balance = self._places[at]
            if item is not None:
                by_item.setdefault(item, []).append((at, self.plan_ids[at], plan))
            if balance is not None:
                by_balance.setdefault(balance, []).append((at, plan))
        self.items: dict[int, History] = {
            at: History(self._adjustee(at), plans, indices, policy) for at, plans in by_item.items()
        }
        """By the place of the item."""
        self.balances: dict[int, BalanceHistory] = {
            at: self._balance(at, plans) for at, plans in by_balance.items()
        }
        """By the place of the balance."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by what they were computed from."""
        return LeaseHistories, (self._terms, dict(self.indices), self.policy)

    # -------------------------------------------------------------------------------------- items

    def _adjustee(self, at: int) -> Adjustee:
        """Return an item with all that its adjustments depend on, built once."""
        adjustee = self._adjustees.get(at)
        if adjustee is None:
            adjustee = self._adjustees[at] = self._item(at, self._item_ids[at])
        return adjustee

    def _item(self, at: int, item_id: str) -> Adjustee:
        item, terms = self._terms.recurring_bill_items[at], self._terms
        opening = item.first_billing_period_bill_item.accounting_period
        start = terms.contract_start
        return Adjustee(
            adjustee_id=item_id,
            amounts=_dated(
                Fraction(item.amount.amount),
                [
                    (each.start.toordinal(), Fraction(each.value.amount))
                    for each in item.amount_records
                ],
            ),
            quantities=_dated(
                _ONE if item.quantity is None else Fraction(item.quantity),
                [(each.start.toordinal(), Fraction(each.value)) for each in item.quantity_records],
            ),
            scale=self._scale(
                item.amount.currency,
                item.prices_a_year,
                item.product_key,
                prices_in_a_cycle(item.billing_cycle, item.price_per),
            ),
            bounds=Bounds(opening.last, self._end(item)),
            start=opening.first,
            contract_start=opening.first if start is None else start.toordinal(),
        )

    def _scale(
        self,
        currency: str,
        per_year: Fraction,
        product_key: str = "",
        of_period: Fraction = _ONE,
    ) -> AmountScale:
        """Return how amounts of a currency are counted and rounded, by the product's policy."""
        places = minor_units(currency, self.policy.currencies)
        own = self.policy.for_product(product_key)
        return AmountScale(currency, places, own.rounding, per_year, of_period)

    def _end(self, item: RecurringBillItem | None) -> int:
        """Return the last day on which something can be adjusted (A32)."""
        ends = [NEVER]
        if self._terms.contract_end is not None:
            ends.append(self._terms.contract_end.toordinal())
        if item is not None and item.ended_on is not None:
            ends.append(item.ended_on.toordinal())
        if item is not None and item.cancelled_on is not None:
            ends.append(item.cancelled_on.toordinal() - 1)
        return min(ends)

    # ----------------------------------------------------------------------------------- balances

    def _balance(self, at: int, plans: Sequence[tuple[int, RentAdjustmentPlan]]) -> BalanceHistory:
        balance = self._terms.balances[at]
        balance_id = balance_ids(self._terms.balances)[at]
        months = None if balance.months is None else Fraction(balance.months)
        currency = balance.amount.currency
        movers: list[MovesBy] = []
        alone: list[tuple[int, RentAdjustmentPlan]] = []
        for place, plan in plans:
            if plan.adjusts_items:
                item, _ = self._places[place]
                history = self.items[0 if item is None else item]
                monthly = Fraction(MONTHS_PER_YEAR) / history.adjustee.scale.per_year
                movers.append(WithAdjustments(place, plan, months, history, monthly))
            elif months is not None:
                bounds = self._balance_bounds(at)
                movers.append(WithRent(place, plan, months, self.monthly_rent, bounds))
            else:
                alone.append((place, plan))
        if alone:
            named = [(place, self.plan_ids[place], plan) for place, plan in alone]
            own = History(self._balance_adjustee(at, balance_id), named, self.indices, self.policy)
            movers += (WithAdjustments(place, plan, None, own, _ONE) for place, plan in alone)
        return BalanceHistory(balance, balance_id, self._scale(currency, _ONE), movers)

    def _balance_adjustee(self, at: int, balance_id: str) -> Adjustee:
        balance = self._terms.balances[at]
        bounds = self._balance_bounds(at)
        return Adjustee(
            adjustee_id=balance_id,
            amounts=_dated(Fraction(balance.amount.amount), []),
            quantities=_dated(_ONE, []),
            scale=self._scale(balance.amount.currency, _ONE),
            bounds=bounds,
            start=bounds.after,
            contract_start=bounds.after,
            is_balance=True,
        )

    def _balance_bounds(self, at: int) -> Bounds:
        """Return between which days a balance can be adjusted: from the item's start (A39)."""
        rents = self._rents()
        if rents:
            opening = self._terms.recurring_bill_items[rents[0]].first_billing_period_bill_item
            return Bounds(opening.accounting_period.last, self._end(None))
        start = self._terms.contract_start
        if start is None:
            said, expected = "starts on an unknown day", "a contractStart, or an item of the rent"
            raise InvalidAdjustmentRuleError.of(f"balances[{at}]", "no_start", said, None, expected)
        return Bounds(start.toordinal(), self._end(None))

    def _rents(self) -> list[int]:
        items = self._terms.recurring_bill_items
        return [at for at, item in enumerate(items) if item.product_key == RENT]

    def monthly_rent(self, day: int) -> Fraction:
        """Return the exact monthly rent on a day, after its adjustments (A38, A39)."""
        rents = self._rents()
        if not rents:
            raise MissingFactError("no_rent", product_key=RENT)
        total = Fraction(0)
        for at in rents:
            adjustee = self._adjustee(at)
            history = self.items.get(at)
            if history is not None:
                amount = history.amount_on(day)
            else:
                amount = adjustee.amounts.on(day) * adjustee.quantities.on(day)
            total += amount * adjustee.scale.per_year / MONTHS_PER_YEAR
        return total

    # ------------------------------------------------------------------------------------- answers

    def adjusted(self, first: int, last: int, *, if_known: bool = False) -> list[Change]:
        """Return the changes between two days, if known only up to a missing index value."""
        found: dict[tuple[int, int], tuple[Adjusted | None, Moved | None]] = {}
        for history in self.items.values():
            if history.rests(first, last):
                continue
            for each in _until(history.until, last, if_known=if_known):
                if each.day >= first:
                    found[each.day, each.plan] = each, None
        for balance in self.balances.values():
            for moved in _until(balance.until, last, if_known=if_known):
                if moved.day >= first:
                    key = moved.day, moved.plan
                    found[key] = found.get(key, (None, None))[0], moved
        return [(*key, *found[key]) for key in sorted(found)]

    def amount_on(self, adjustee_id: str, day: int) -> Amount:
        """Return what an item costs for a billing period on a day, or how large a balance is (A42).

        Raises:
            MissingFactError: Nothing has this id.
        """
        terms = self._terms
        items, balances = self._item_ids, balance_ids(terms.balances)
        if adjustee_id in items:
            at = items.index(adjustee_id)
            history = self.items.get(at)
            adjustee = self._adjustee(at)
            if history is not None:
                return adjustee.scale.shown(history.amount_on(day))
            return adjustee.scale.shown(adjustee.amounts.on(day) * adjustee.quantities.on(day))
        if adjustee_id in balances:
            at = balances.index(adjustee_id)
            scale = self._scale(terms.balances[at].amount.currency, _ONE)
            moving = self.balances.get(at)
            if moving is not None:
                return scale.shown(moving.amount_on(day))
            return scale.shown(Fraction(terms.balances[at].amount.amount))
        known = ", ".join((*items, *balances)) or "none"
        raise MissingFactError("unknown_item", item=adjustee_id, known=known)

    @property
    def last_day(self) -> int:
        """Ordinal of the contract's last day, or NEVER."""
        return self._end(None)

    def plan(self, at: int) -> RentAdjustmentPlan:
        """Return a plan by its place in the lease."""
        return self._terms.rent_adjustment_plans[at]

    def places_of(self, at: int) -> tuple[int | None, int | None]:
        """Return the places of the item and of the balance that a plan adjusts."""
        return self._places[at]

    def adjustee_ids(self, at: int) -> tuple[str, ...]:
        """Return the ids of what a plan adjusts: the item, then the balance."""
        item, balance = self.places_of(at)
        terms = self._terms
        ids = () if item is None else (terms.item_ids[item],)
        return ids if balance is None else (*ids, balance_ids(terms.balances)[balance])

    def scale_of(self, at: int) -> AmountScale:
        """Return how the item that a plan adjusts is counted."""
        item, _ = self.places_of(at)
        return self.items[0 if item is None else item].adjustee.scale

    def balance_scale_of(self, at: int) -> AmountScale:
        """Return how the balance that a plan adjusts is counted."""
        _, balance = self.places_of(at)
        return self.balances[0 if balance is None else balance].scale

    def bounds(self) -> Iterator[tuple[RentAdjustmentPlan, Bounds]]:
        """Give each plan with the days between which it can adjust."""
        for at, plan in enumerate(self._terms.rent_adjustment_plans):
            item, balance = self.places_of(at)
            if item is not None:
                yield plan, self.items[item].adjustee.bounds
            else:
                yield plan, self._balance_bounds(0 if balance is None else balance)

    def notices(self, first: int, last: int) -> Iterator[Notice]:
        """Give the notices between two days, item by item."""
        for history in self.items.values():
            yield from history.notices(first, last)
        yield from self.balance_notices(first, last)

    def listed_notices(self, last: int) -> Iterator[Notice]:
        """Give the notices of listed adjustments, which need no index value (A38)."""
        for history in self.items.values():
            yield from history.listed_notices(last)

    def balance_notices(self, first: int, last: int) -> Iterator[Notice]:
        """Give the notices of balances that have rules of their own."""
        for balance in self.balances.values():
            for mover in balance.moves_by:
                if isinstance(mover, WithAdjustments) and mover.history not in self.items.values():
                    yield from mover.history.notices(first, last)


def _dated(first: Fraction, records: Sequence[tuple[int, Fraction]]) -> Dated:
    """Return a value and the records that replace it, in order of days."""
    if not records:
        return Dated((_ALWAYS,), (first,))
    ordered = sorted(records)
    return Dated((_ALWAYS, *(day for day, _ in ordered)), (first, *(value for _, value in ordered)))


def _until(history: Callable[[int], tuple[A, ...]], last: int, *, if_known: bool) -> tuple[A, ...]:
    """Return the changes up to a day, or if known up to the last day with all index values."""
    try:
        return history(last)
    except RentBillingError:
        if not if_known:
            raise
    known, unknown = _ALWAYS, last
    while unknown - known > 1:
        middle = (known + unknown) // 2
        try:
            history(middle)
        except RentBillingError:
            unknown = middle
        else:
            known = middle
    return history(known)


def next_day(plan: RentAdjustmentPlan, bounds: Bounds, after: int) -> int | None:
    """Return the first day after another on which a plan adjusts; it needs no index."""
    last = bounds.of_plan(plan).last
    listed = (each.adjusted_on.toordinal() for each in plan.adjustments)
    days = [day for day in listed if after < day <= last]
    # Up to the last listed adjustment, rules adjust nothing (A38).
    made = max(after, listed_until(plan))
    for rule in plan.rent_adjustment_rules:
        month = RuleDates(rule, plan, bounds).next_after(made)
        if month is not None:
            days.append(month_start(month))
    return min(days, default=None)
