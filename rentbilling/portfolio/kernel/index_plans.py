"""Index plans: the later prices that one plain rule makes of each item that has a plan.

Laws: which rules are plain, when they adjust and by how much is what `adjustments` says of a lease
that has such a plan; a lease is left where that is not certain. A record of the amount is the
adjustment of its day, and what the next one starts from (A18); a lease with one on an asked day is
left.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import (
    AmountScale,
    AmountsOnly,
    LeaseHistories,
    adjustments_between,
    single_adjustment,
)
from rentbilling.errors import RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    again,
    coded,
    days_of,
    empty_texts,
    in_calendar,
    largest,
    list_lengths,
    lists,
    smallest,
    there,
    true,
)
from rentbilling.portfolio.arrow.column_types import SCALE, functions, shape_of
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.arrow.payloads import values_of
from rentbilling.portfolio.kernel.calendar import FIRST_DAY, LAST_DAY, first_day, month_of
from rentbilling.portfolio.kernel.rounding import MOST, halves_up
from rentbilling.records import moment_of
from rentbilling.terms import (
    RENT,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustment,
    RentAdjustmentPlan,
    periods_a_year,
    reading_context,
)
from rentbilling.values import Amount, Period, Vat, minor_units, month_index, month_start

_WEEK: Final = 7
_CODE_BITS: Final = 31
_MOMENTS: Final = ("created", "modified")
_ENDS: Final = ("ended_on", "cancelled_on", "cancelled_or_ended_on")
_MOST_INCREMENTS: Final = 24
"""Increments of a rule; leases with more are left."""
_NAMES: Final = ("id", "lease_id", "adjustee_ref", "next_adjustment_date", *_MOMENTS, *_ENDS)
_OWN: Final = (*_NAMES, "rent_adjustment_rules")
"""Fields that may differ between plans of one shape."""


class Followed(NamedTuple):
    """What plans are followed by."""

    indices: Mapping[str, IndexSeries]
    policy: BillingPolicy
    asked: Period
    """The days whose adjustments are given."""
    first: int
    """The first day on which a bill may fall due."""
    last: int
    """The last day on which a bill may fall due."""


class PlanItems(NamedTuple):
    """The recurring items of leases, a row each."""

    owner: Column
    """The place of the lease."""
    item_id: Any
    """Array of Arrow."""
    fits: Mask
    """Whether it is one unit, with records of its amount alone, in the order of their days."""
    amount: Column
    """In units of the finest decimal."""
    records: "LaterPrices"
    """Records of amounts."""
    currency: Column
    """Number of the currency in `currencies`."""
    currencies: Sequence[str]
    opening_end: Column
    last: Column
    """The last day on which it can be adjusted."""
    months: Column
    days: Column
    start_month: Column
    start_day: Column
    due_day: Column
    """The last five as in `FlatItems`."""

    def id_of(self, row: int) -> str:
        """Return the id of an item, by its place where it is absent (A57)."""
        place = row - int(np.searchsorted(self.owner, self.owner[row]))
        return self.item_id[row].as_py() or f"recurring-{place + 1}"

    def cycle_of(self, row: int) -> BillingCycle:
        """Return how often an item is billed."""
        days = int(self.days[row])
        if not days:
            return BillingCycle(period_length=int(self.months[row]))
        if self.start_month[row] > _WEEK:
            return BillingCycle(time_unit="Day", period_length=days)
        return BillingCycle(time_unit="Week", period_length=days // _WEEK)


class LaterPrices(NamedTuple):
    """The later prices of items, in the order of items and days."""

    item: Column
    start: Column
    amount: Column
    """In units of the finest decimal."""


class Acted(NamedTuple):
    """What rules did in the asked days, a row each."""

    at: Column
    """The place of the item among those that are adjusted."""
    rule: Column
    month: Column
    before: Column
    """In units of the finest decimal."""
    after: Column


Made = Sequence[tuple[int, RentAdjustment]]
"""Adjustments of the asked days, each with the place of its lease."""


def plan_prices(
    leases: Mapping[str, Any],
    items: PlanItems,
    followed: Followed,
) -> tuple[Mask, LaterPrices, Made]:
    """Return which leases have a plan that is not followed; prices and adjustments of the others.

    Args:
        leases: The columns of the batch.
        items: Their recurring items.
        followed: Series, policy and days.
    """
    offsets, array, sound = lists(leases["rent_adjustment_plans"])
    counts = np.diff(offsets)
    left = ~sound | (counts > 0)
    none = np.zeros(0, dtype=np.int64)
    if not len(items.owner):
        return left, LaterPrices(none, none, none), ()
    owner = np.repeat(np.arange(len(counts)), counts)
    own = np.flatnonzero(sound[owner])
    place, number = owner[own], (np.arange(len(owner)) - offsets[owner])[own]
    plans = _Plans(array.take(pa.array(own)), place, number)
    row = plans.rows(leases["lease_id"], items)
    sure = np.flatnonzero(~plans.odd)
    if not len(sure):
        return left, LaterPrices(none, none, none), ()
    _, first, shape = np.unique(plans.shape[sure], return_index=True, return_inverse=True)
    openings = first_day(month_of(items.opening_end[row[sure[first]]])).tolist()
    plain = [
        _plain(given, opening, followed)
        for given, opening in zip(plans.payloads(sure[first], followed), openings, strict=True)
    ]
    lives = plans.created[sure], plans.last[sure]
    steps = _Steps(plain, shape.reshape(-1), row[sure], lives, items, followed)
    right, prices, acted = steps.taken()
    followed_by = np.bincount(place[sure[right]], minlength=len(counts))
    left[sound & (followed_by == counts)] = False
    made: list[tuple[tuple[int, int, int], RentAdjustment]] = []
    for each in steps.does(acted):
        at = sure[each.at]
        found = _adjustment(int(row[at]), plans.ids(at), each, items, followed.policy)
        made.append(((int(place[at]), each.day, int(number[at])), found))
    # As `LeaseHistories.adjusted` has them: by days, then by plans.
    made.sort(key=itemgetter(0))
    return left, prices, [(key[0], found) for key, found in made]


class _Plans:
    """The plans of some leases, each with the place of its lease, and its own in the lease."""

    def __init__(self, array: Any, place: Column, number: Column) -> None:  # noqa: ANN401 - an Arrow array
        fields = Struct(array)
        self._array, self._fields, self._place, self._number = array, fields, place, number
        self._rule_id: Any = None
        rules, values, sound = lists(fields.of("rent_adjustment_rules"))
        self.odd: Mask = ~sound | (np.diff(rules) != 1)
        self.shape = np.zeros(len(array), dtype=np.int64)
        """Equal numbers for plans that differ in nothing but names."""
        if not len(array) or not len(values):
            self.odd[:] = True
            return
        rule = values.take(pa.array(np.minimum(rules[:-1], len(values) - 1)))
        self.odd |= ~there(array) | ~there(rule)
        self.created = self._created()
        self.last = self._last_days()
        self._rule_id = Struct(rule).of("id")
        ids = fields.of("id")
        self.odd |= empty_texts(ids) | empty_texts(self._rule_id)
        if ids.null_count < len(ids):
            # The place of a plan without an id may be the id of another one.
            both = np.bincount(place, there(ids)), np.bincount(place, ~there(ids))
            self.odd |= again(place, ids) | np.minimum(*both)[place].astype(np.bool_)
        next_day = days_of(fields.of("next_adjustment_date"), NEVER)
        self.odd |= ~in_calendar(next_day)
        self.odd |= list_lengths(fields.of("adjustments")) > 0
        self.odd |= list_lengths(Struct(rule).of("increments")) > _MOST_INCREMENTS
        self.shape = _paired(_alike(array, (*_OWN, "adjustments")), _alike(rule, ("id",)))

    def _created(self) -> Column:
        """Return the month before the first one that begins after each plan was made (A32)."""
        created, modified = (coded(self._fields.of(name), _month_made, 0) for name in _MOMENTS)
        self.odd |= (created == _NO_MOMENT) | (modified == _NO_MOMENT)
        return created

    def _last_days(self) -> Column:
        """Return the last day on which each plan adjusts, as `Bounds.of_plan` has it (A32)."""
        days = [days_of(self._fields.of(name), NEVER) for name in _ENDS]
        for each in days:
            self.odd |= ~in_calendar(each)
        ended, cancelled, either = days
        stop = np.where(np.minimum(ended, cancelled) == NEVER, either, cancelled)
        last: Column = np.minimum(ended, stop - 1)
        return last

    def ids(self, at: int) -> tuple[str, str]:
        """Return the id of a plan and that of its rule, by position where absent (A57)."""
        plan, rule = self._fields.of("id")[at].as_py(), self._rule_id[at].as_py()
        return plan or f"plan-{self._number[at] + 1}", rule or "rule-1"

    def payloads(self, at: Column, followed: Followed) -> list[Any]:
        """Return what some of the plans are read from."""
        context = reading_context(followed.policy, exact_texts=True)
        shape = shape_of(RentAdjustmentPlan)
        return values_of(self._array.take(pa.array(at)), shape, context, {}) or []

    def rows(self, lease_ids: Any, items: PlanItems) -> Column:  # noqa: ANN401 - an Arrow array
        """Return the row of the item that each plan adjusts; what is not certain is odd."""
        count, fields = len(lease_ids), self._fields
        named = there(fields.of("lease_id"))
        same = functions.equal(fields.of("lease_id"), lease_ids.take(pa.array(self._place)))
        self.odd |= named & ~true(same)
        first = np.searchsorted(items.owner, np.arange(count))
        number = np.bincount(items.owner, minlength=count)
        # Each plan beside each item of its lease.
        beside = number[self._place]
        of = np.repeat(np.arange(len(beside)), beside)
        place = np.arange(len(of)) - np.repeat(np.cumsum(beside) - beside, beside)
        rows = first[self._place[of]] + place
        texts = pa.array(
            [f"recurring-{at + 1}" for at in range(largest(place, -1) + 1)], pa.string()
        )
        names = functions.coalesce(items.item_id.take(pa.array(rows)), texts.take(pa.array(place)))
        ref = fields.of("adjustee_ref")
        wanted = true(functions.equal(names, ref.take(pa.array(of))))
        wanted |= ~there(ref)[of] & (beside[of] == 1)
        found = np.full(len(self._place), -1)
        found[of[wanted][::-1]] = rows[wanted][::-1]
        # Two plans of one item may act in one month.
        twice = np.bincount(found[found >= 0], minlength=len(items.owner)) > 1
        self.odd |= (found < 0) | ~items.fits[found] | twice[found]
        opening = items.opening_end[found]
        self.odd |= (opening < FIRST_DAY) | (opening > LAST_DAY)
        return found


def _month_made(text: str) -> int:
    """Return the month before the first one that begins after a moment, as the columns have it."""
    try:
        day = moment_of(text).date()
    except RentBillingError:
        return _NO_MOMENT
    return min(month_index(day.toordinal()) + (day.day > 1) - 1, month_index(LAST_DAY))


def _alike(array: Any, without: Sequence[str] = ()) -> Column:  # noqa: ANN401 - an Arrow array
    """Return equal numbers for equal values, some fields and long lists' ends aside."""
    found = there(array).astype(np.int64)
    if pa.types.is_struct(array.type):
        fields = Struct(array)
        for each in array.type:
            column = fields.of(each.name)
            if each.name not in without and column.null_count < len(column):
                found = _paired(found, _alike(column))
        return found
    if pa.types.is_list(array.type):
        offsets, values, _ = lists(array)
        inside, counts = np.append(_alike(values) + 1, 0), np.diff(offsets)
        for at in range(min(largest(counts), _MOST_INCREMENTS)):
            there_at = np.where(counts > at, offsets[:-1] + at, -1)
            found = _paired(found, inside[there_at])
        return found
    codes: Column = array.dictionary_encode().indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _paired(one: Column, other: Column) -> Column:
    """Return equal numbers where two columns of numbers are equal."""
    found: Column = np.unique((one << _CODE_BITS) | (other + 1), return_inverse=True)[1]
    return found.reshape(-1)


class _Plain(NamedTuple):
    """A plan of one plain rule."""

    plan: RentAdjustmentPlan
    rule: AmountsOnly


def _plain(given: Mapping[str, Any], opening: int, followed: Followed) -> _Plain | None:
    """Return the plain rule of a plan for an item that opens to a day, None where it is none.

    Only amounts of rules have a currency, and none of them is plain.
    """
    context = reading_context(followed.policy, exact_texts=True)
    own = {name: value for name, value in given.items() if name not in _NAMES}
    try:
        plan = RentAdjustmentPlan.model_validate(own, context=context)
        if plan.adjusts_balances or any(
            each.percentage is None
            for rule in plan.rent_adjustment_rules
            for each in rule.increments
        ):
            return None
        (history,) = _histories(plan, opening, followed).items.values()
    except RentBillingError:
        return None
    return None if history.plain is None else _Plain(plan, history.plain)


def _histories(plan: RentAdjustmentPlan, opening: int, followed: Followed) -> LeaseHistories:
    # Valid, because the plan is, and adjusts the only item.
    lease = LeaseTerms.model_construct(
        recurring_bill_items=(_item(opening),), rent_adjustment_plans=(plan,)
    )
    return LeaseHistories(lease, followed.indices, followed.policy)


def _effect(
    plan: RentAdjustmentPlan, opening: int, month: int, followed: Followed
) -> Mapping[str, Any] | None:
    """Return what the rule of a plan does in a month, but for amounts and ids.

    None where that is not the same for an item that opened to a day and for one adjusted for the
    first time, or where a column has too few digits for it.
    """
    day, found = month_start(month), []
    for each in (opening, day - 1):
        try:
            (made,) = adjustments_between(_histories(plan, each, followed), day, day)
            (effect,) = made.adjustment_rules_effects
        except (RentBillingError, ValueError):
            return None
        values = {name: getattr(effect, name) for name in effect.model_fields_set}
        found.append({name: each for name, each in values.items() if not isinstance(each, Amount)})
    numbers = (each for each in found[0].values() if isinstance(each, Decimal))
    fits = all(10**SCALE % each.as_integer_ratio()[1] == 0 for each in numbers)
    return found[0] if fits and found[0] == found[1] else None


class _Does(NamedTuple):
    """What a rule did on a day to the item of a place, as in `Acted`."""

    at: int
    day: int
    before: int
    after: int
    effect: Mapping[str, Any]
    """All other fields, without ids."""


def _adjustment(
    row: int,
    ids: tuple[str, str],
    does: _Does,
    items: PlanItems,
    rules: BillingPolicy,
) -> RentAdjustment:
    """Return the adjustment of an item."""
    code = items.currencies[int(items.currency[row])]
    a_year = periods_a_year(items.cycle_of(row))
    scale = AmountScale(code, minor_units(code, rules.currencies), rules.rounding, a_year)
    before, after = (Fraction(each, 10**FINEST) for each in (does.before, does.after))
    plan_id, rule_id = ids
    effect = {**does.effect, "rent_adjustment_rule_id": rule_id}
    return single_adjustment(does.day, (plan_id, items.id_of(row)), (before, after), scale, effect)


@lru_cache(maxsize=512)
def _item(opening: int) -> RecurringBillItem:
    """Return an item that opens to a day; nothing else of it says anything of a plain rule."""
    price, day = Amount(1000, "EUR"), date.fromordinal(opening)
    return RecurringBillItem(
        product_key=RENT,
        amount=price,
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(),
        started_on=day,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price, due_date=day, accounting_period=Period(day, day)
        ),
    )


class _Steps:
    """The steps of the plain rules of many items, month by month for all of them together."""

    def __init__(
        self,
        plain: Sequence[_Plain | None],
        shape: Column,
        rows: Column,
        lives: tuple[Column, Column],
        items: PlanItems,
        followed: Followed,
    ) -> None:
        """Find in which months each item is adjusted.

        Args:
            plain: The rules.
            shape: For each item that is adjusted the place of its rule.
            rows: The row of each of them.
            lives: The month before which each plan adjusts nothing, and its last day.
            items: All items.
            followed: Series, policy and days.
        """
        self._items, self._rows, self._followed = items, rows, followed
        self._asked = followed.asked
        # No period that is billed reaches beyond the cycle that begins in the last month.
        shift = np.minimum(items.due_day[rows], 0)
        last = month_of(np.minimum(followed.last - shift, LAST_DAY)) + items.months[rows]
        # A cycle of days may begin in the last days of a month.
        whole = (items.start_day[rows] == 1) & (items.days[rows] == 0)
        self._reach = last - whole + _FIRST_MONTH
        self._created, end = lives
        end = np.minimum(items.last[rows], end)
        end = month_of(np.clip(end, FIRST_DAY, LAST_DAY)) + _FIRST_MONTH
        self._last = np.minimum(self._reach, end)
        self._opening = month_of(items.opening_end[rows]) + _FIRST_MONTH
        self._right = np.ones(len(rows), dtype=np.bool_)
        self._rule = np.zeros(len(rows), dtype=np.int64)
        """The rule of each item, rules that adjust in other months being others."""
        self._factors: list[tuple[int, int, int, int]] = []
        """Rule, month, and by what an amount is multiplied: a fraction, of none where not sure."""
        self._effects: dict[tuple[int, int], Mapping[str, Any]] = {}
        """What the rules do in the asked days, by rule and month."""
        self._rules = 0
        order = np.argsort(shape, kind="stable")
        ends = np.cumsum(np.bincount(shape, minlength=len(plain)))
        for each, own in zip(plain, np.split(order, ends[:-1]), strict=True):
            if each is None:
                self._right[own] = False
            else:
                self._add(each, own)

    def _add(self, plain: _Plain, own: Column) -> None:
        """Add the months of the items of a rule."""
        rule = plain.rule
        noticed = [each for each in rule.stated if each >= month_index(self._asked.first)]
        self._right[own[self._reach[own] >= min(noticed, default=_NO_MONTH)]] = False
        until, factor = int(self._last[own].max()), cache(rule.factor)
        if not rule.names_its_year:
            self._opening[own] = np.maximum(self._opening[own], self._created[own])
        alike = not rule.counts_from_opening
        openings = [smallest(self._opening[own], NEVER)] if alike else np.unique(self._opening[own])
        for opening in openings:
            some = own if alike else own[self._opening[own] == opening]
            opened = month_start(int(opening))
            self._rule[some], end = self._rules, 0
            for month in rule.months(opened, until):
                # Notices of days before the asked ones are not asked for.
                found = factor(month, noticed=month >= month_index(self._asked.first))
                # What was counted before is not counted again.
                times, of, to = _NO_FACTOR if found is None or found[2] <= end else found
                if max(abs(times), of * 10**FINEST) >= MOST:
                    of = 0
                end = max(end, to)
                if of and self._asked.first <= month_start(month) <= self._asked.last:
                    effect = _effect(plain.plan, opened, month, self._followed)
                    of = 0 if effect is None else of
                    self._effects[self._rules, month] = effect or {}
                self._factors.append((self._rules, month, times if of else 0, of))
            self._rules += 1

    def does(self, acted: Acted) -> Iterator[_Does]:
        """Give what rules did, with their effects."""
        rows = zip(*(each.tolist() for each in acted), strict=True)
        for at, rule, month, before, after in rows:
            yield _Does(at, month_start(month), before, after, self._effects[rule, month])

    def taken(self) -> tuple[Mask, LaterPrices, Acted]:
        """Return of which items the prices are sure, those prices, and what they were made by."""
        items, rows, asked = self._items, self._rows, self._asked
        records = items.records
        keys = (records.item << _DAY_BITS) | records.start
        known = self._followed.policy.currencies
        places = np.array([minor_units(each, known) for each in items.currencies], dtype=np.int64)
        fine = 10 ** (FINEST - places[items.currency])
        # Minor units unless an amount has decimals below them.
        parted = np.bincount(records.item, records.amount % fine[records.item], len(fine))
        unit = np.where((items.amount % fine) + parted > 0, 1, fine)
        cut, unit = (fine // unit)[rows], unit[rows]
        over, agreed = items.amount[rows] // unit, np.append(records.amount, 0)
        self._right[np.isin(rows, records.item[records.amount == 0])] = False
        first = np.searchsorted(keys, rows << _DAY_BITS)
        since, parts, acted = np.zeros_like(rows), [], []
        rules, months, times, below = np.array([*self._factors, _NO_STEP]).T
        days, steps = first_day(months - _FIRST_MONTH), (rules << _DAY_BITS) | months
        begin, end = (
            np.searchsorted(steps, (self._rule << _DAY_BITS) | each, side="right")
            for each in (self._opening, self._last)
        )
        counts = np.where(self._right, end - begin, 0)
        for step in range(largest(counts)):
            # The next adjustment of all that have one.
            at = np.flatnonzero(counts > step)
            there = begin[at] + step
            day, by, of = days[there], times[there], below[there] * cut[at]
            place = np.searchsorted(keys, (rows[at] << _DAY_BITS) | day, side="right") - 1
            begun = np.where(place >= first[at], np.append(records.start, 0)[place], 0)
            over[at] = np.where(begun > since[at], agreed[place] // unit[at], over[at])
            now, of_day = over[at], begun == day
            size = max(largest(now), -smallest(now))
            sure = (now != 0) & (of > 0) & (size <= MOST // np.maximum(np.abs(by), 1))
            # Notices of the asked days are on no bill of the kernel.
            sure &= (day < asked.first) | ~of_day
            self._right[at[~sure]] = False
            counts[at[~sure]] = 0
            at, now, of_day, day = at[sure], now[sure], of_day[sure], day[sure]
            made = halves_up(now * by[sure], of[sure]) * cut[at]
            over[at], since[at] = np.where(of_day, now, made), day
            new = at[~of_day]
            parts.append((rows[new], day[~of_day], over[new] * unit[new], new))
            shown = np.flatnonzero((day >= asked.first) & (day <= asked.last))
            place = at[shown]
            amounts = now[shown] * unit[place], over[place] * unit[place]
            acted.append((place, self._rule[place], months[there[sure][shown]], *amounts))
        return self._right, self._prices(parts), self._acted(acted)

    def _acted(self, parts: Sequence[tuple[Column, ...]]) -> Acted:
        """Return what rules did, where it is sure, in the order of items and days."""
        none = (np.zeros(0, dtype=np.int64),) * len(Acted._fields)
        found = [np.concatenate(each) for each in zip(*parts, none, strict=True)]
        order = np.argsort(found[0], kind="stable")
        order = order[self._right[found[0][order]]]
        return Acted(*(each[order] for each in found))

    def _prices(self, parts: Sequence[tuple[Column, ...]]) -> LaterPrices:
        """Return prices in the order of items and days, those that are sure."""
        none = (np.zeros(0, dtype=np.int64),) * 4
        item, start, amount, at = map(np.concatenate, zip(*parts, none, strict=True))
        order = np.argsort(item, kind="stable")
        order = order[self._right[at[order]]]
        return LaterPrices(item[order], start[order], amount[order])


_FIRST_MONTH: Final = month_index(FIRST_DAY)
_NO_MOMENT: Final = -1
_NO_FACTOR: Final = (0, 0, 0)
_NO_MONTH: Final = month_index(LAST_DAY) + 12 * _MOST_INCREMENTS
_NO_STEP: Final = (1 << _CODE_BITS, _FIRST_MONTH, 0, 0)
"""After the steps of all rules."""
_DAY_BITS: Final = 30
"""Bits of any day, and of NEVER."""
