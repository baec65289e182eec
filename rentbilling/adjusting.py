"""Adjusting: the plans of one item and its index series become dated adjustments, one by one.

Laws: a history is computed once, from the first adjustment on, and only as far as it is asked for;
asking for a later day extends it and changes nothing before. An adjustment that a service listed is
taken as made (A38).
What does not live here: the days and the rules (`planned_rules`), what one rule does
(`rule_steps`), what rules remember of what was listed (`listed_adjustments`), balances
(`balances`), the records that callers see (`adjustments`).
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rentbilling.adjustment_notices import DatedNotice, Notices, is_quiet
from rentbilling.adjustment_refusals import missing_index
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    MissingIndexError,
    UnsupportedCaseError,
)
from rentbilling.figures import Notice
from rentbilling.indices import IndexSeries
from rentbilling.listed_adjustments import (
    amount_told,
    as_listed,
    cut,
    effect_of_record,
    follow,
    forget_kept,
    is_made,
    keep_idle,
    pending,
    remembered,
)
from rentbilling.percentages import AT_ONCE, Elapsed
from rentbilling.periods import month_index
from rentbilling.planned_rules import Event, PlannedRules, PlanRules
from rentbilling.plans import AdjustmentEffect, RentAdjustment, RentAdjustmentPlan
from rentbilling.policy import BillingPolicy
from rentbilling.rule_memory import NEW, Memory
from rentbilling.rule_runs import Run
from rentbilling.rule_steps import CompiledRule, Met
from rentbilling.subjects import Adjusted, Subject

_YEAR: Final = 12


@dataclass(slots=True)
class _State:
    """How far a history has come; changed only while it is nobody else's."""

    day: int
    """Everything up to this day has happened."""
    done: list[Adjusted]
    notices: list[DatedNotice]
    memories: list[Memory]
    """What each rule remembers, in the order of all rules."""
    exact: Fraction | None
    """The exact amount that goes on, where a clause carries it."""
    met: int
    """Up to which day records of amount and quantity are in the memories."""

    def apart(self) -> "_State":
        """Return the same, to go on from without changing this one."""
        return replace(self, done=[*self.done], notices=[*self.notices], memories=[*self.memories])


class History:
    """The adjustments of one item or balance, as far as they were asked for."""

    __slots__ = ("_notices", "_planned", "_policy", "_single", "_state", "subject")

    def __init__(
        self,
        subject: Subject,
        plans: Sequence[tuple[int, str, RentAdjustmentPlan]],
        indices: Mapping[str, IndexSeries],
        policy: BillingPolicy,
    ) -> None:
        """Make the rules ready.

        Args:
            subject: The item or balance.
            plans: Its plans, each with its place in the lease and its id.
            indices: The series by name.
            policy: The billing policy.
        """
        self.subject = subject
        # One unit for good, as of most rents, whose price is the amount.
        self._single = len(subject.quantities.days) == 1 and subject.quantities.values[0] == 1
        self._policy = policy
        self._notices = Notices(subject.subject_id)
        planned = self._planned = PlannedRules(subject, plans, indices, self._notices)
        after = subject.bounds.after
        self._state = _State(after, [], planned.stated, [NEW] * planned.count, None, after)

    def until(self, day: int) -> tuple[Adjusted, ...]:
        """Return all adjustments up to a day, oldest first.

        Raises:
            MissingIndexError: An index value is missing, and the policy does not go on without.
            InvalidAdjustmentRuleError: Two plans adjust in one month (A37).
        """
        done = self._reached(day).done
        return tuple(done[: bisect_right(done, day, key=_day_of)])

    def _reached(self, day: int) -> _State:
        """Return a state that has come as far as a day."""
        state = self._state
        if day > state.day:
            events = self._events(state.day, day)
            # Apart, so that a refusal half way leaves nothing half done.
            state = state.apart()
            for when, plan, listed in events:
                if listed is None:
                    self._adjust(state, when, plan)
                else:
                    self._take_listed(state, when, plan, listed)
            state.day = day
            self._state = state
        return state

    def _events(self, after: int, until: int) -> list[Event]:
        """Return what happens after one day up to another, refused where it is too much (A60)."""
        events, most = self._planned.events(after, until), self._policy.max_lines
        if len(events) > most:
            raise UnsupportedCaseError("too_many_lines", lines=len(events), most=most)
        return events

    def notices(self, first: int, last: int) -> Iterator[Notice]:
        """Give what a person should look at about adjustments between two days."""
        for day, notice in self._reached(last).notices:
            if first <= day <= last:
                yield notice

    def listed_notices(self, last: int) -> Iterator[Notice]:
        """Give the notices of listed adjustments up to a day, computing no other one."""
        state = self._state.apart()
        state.done, state.notices = [], []
        for day, plan, listed in self._events(self._state.day, last):
            if listed is not None:
                self._take_listed(state, day, plan, listed)
        return (notice for _, notice in state.notices)

    def amount_on(self, day: int) -> Fraction:
        """Return the exact amount of a billing period on a day, after all adjustments (A42)."""
        return self._in_force(self.until(day), day)

    def _in_force(self, done: Sequence[Adjusted], day: int) -> Fraction:
        """Return the exact amount of a billing period on a day (A18, A38)."""
        price = self._price(done, day)
        return price if self._single else price * self.subject.quantities.on(day)

    def _price(self, done: Sequence[Adjusted], day: int) -> Fraction:
        """Return the exact price of one unit on a day."""
        amounts = self.subject.amounts
        if done and not amounts.since(done[-1].day, day):
            return done[-1].unit
        return amounts.on(day)

    # ---------------------------------------------------------------------- an adjustment made

    def _adjust(self, state: _State, day: int, plan: PlanRules) -> None:
        """Let a plan's rules act on a day (A37)."""
        if day <= plan.listed_until:
            # What was listed elsewhere in the year, and tells of no rule, is what this day made.
            if not is_made(plan.plan, day):
                keep_idle(state.memories, plan.rules, month_index(day), ())
            return
        if self.subject.amounts.begins(day):
            self._take_record(state, day, plan)
            return
        self._meet(state, day)
        run = self._run(state, day, plan, told=state.notices)
        month = month_index(day)
        loud = [effect for effect in run.effects if not is_quiet(effect, month)]
        if run.idle or loud:
            found = self._notices.of_effects(run.effects, run.idle, month)
            state.notices += [(day, notice) for notice in found]
        if run.effects:
            self._add(state, day, plan, run)
        state.memories, state.met = run.memories, day

    def _run(self, state: _State, day: int, plan: PlanRules, told: list[DatedNotice]) -> Run:
        """Return what a plan's rules make of a day, each meeting what the one before left (A37).

        Args:
            state: How far the history has come; not changed.
            day: Ordinal of the day.
            plan: The plan.
            told: Where to add the notice of a missing value, which the policy may refuse.
        """
        month = month_index(day)
        before = state.exact if state.exact is not None else self._in_force(state.done, day)
        start = self._start(state, day, before)
        elapsed = self._elapsed(state, day) if plan.by_time else AT_ONCE
        run = Run(before, start, elapsed, [*state.memories], plan.places)
        for at, rule, dates in plan.rules:
            # The days of an only rule are the plan's.
            if len(plan.rules) > 1 and not dates.has(month):
                continue
            try:
                self._act(run, at, rule, month)
            except MissingIndexError as error:
                if self._policy.missing_index != "notice":
                    raise missing_index(error, plan.plan_id, rule.rule_id, day) from None
                told.append((day, self._notices.missing(error, rule, day)))
                run.memories[at] = pending(run.memories[at], rule, month)
                run.stands = True
            except InvalidAdjustmentRuleError as error:
                raise error.under(plan.path_of(at)) from None
        return run

    def _add(
        self,
        state: _State,
        day: int,
        plan: PlanRules,
        run: Run,
        listed: RentAdjustment | None = None,
    ) -> None:
        """Add the adjustment that a run of rules made."""
        unit = run.amount if self._single else run.amount / self.subject.quantities.on(day)
        before, effects = run.before, run.effects
        if state.exact is not None:
            # What is told begins with what was billed, not with what is carried on.
            before = self._in_force(state.done, day)
            effects[0] = effects[0]._replace(before=before)
        state.done.append(
            Adjusted(
                day,
                plan.at,
                before,
                run.amount,
                run.exact,
                unit,
                tuple(effects),
                run.before,
                listed,
            )
        )
        state.exact = run.exact if run.carries else None

    def _meet(self, state: _State, day: int, *, agreed_by: int | None = None) -> None:
        """Take in what was agreed since the last adjustment (A18, A38)."""
        if not state.done:
            return
        subject, since = self.subject, state.met
        agreed = subject.amounts.since(since, day if agreed_by is None else agreed_by)
        if agreed:
            state.memories, state.exact = [each.agreed_anew() for each in state.memories], None
        if not self._single and subject.quantities.since(since, day):
            factor = subject.quantities.on(day) / subject.quantities.on(since)
            state.memories = [each.of_quantity(factor) for each in state.memories]
            state.exact = None if state.exact is None else state.exact * factor
        state.met = day

    def _start(self, state: _State, day: int, before: Fraction) -> Fraction:
        """Return the amount before the first adjustment, of the quantity of a day."""
        if not state.done:
            return before
        first, quantities = state.done[0], self.subject.quantities
        if self._single or not quantities.since(first.day, day):
            return first.before
        return first.before * quantities.on(day) / quantities.on(first.day)

    def _act(self, run: Run, at: int, rule: CompiledRule, month: int) -> None:
        """Let one rule act."""
        if rule.only_limits:
            run.limit(at, rule)
            return
        memory = run.memories[at]
        if memory.is_new and rule.reference is not None and memory == NEW:
            self._planned.take_over(run.memories, at, rule.reference.series, month)
            memory = run.memories[at]
        if rule.is_index:
            found = rule.by_index(month, memory, run)
            if isinstance(found, Memory):
                run.memories[at] = found
                run.idle.append(rule)
                run.stands = True
                return
        else:
            increment = rule.increment_of(month // _YEAR)
            per_year = self._policy.increment_amount == "per_year"
            found = rule.by_increment(increment, memory, run, per_year=per_year)
        run.take(at, rule, found)

    def _elapsed(self, state: _State, day: int) -> Elapsed:
        """Return how long ago the amount was set (A40)."""
        subject = self.subject
        since = subject.start
        records = [each for each in subject.amounts.days if since < each <= day]
        since = max([since, *records, *(each.day for each in state.done[-1:])])
        left = None
        began, month = month_index(subject.contract_start), month_index(day)
        if began // _YEAR == month // _YEAR - 1:
            left = _YEAR - 1 - began % _YEAR
        return Elapsed(month - month_index(since), left)

    # -------------------------------------------------------------------- an adjustment listed

    def _take_listed(
        self, state: _State, day: int, plan: PlanRules, listed: RentAdjustment
    ) -> None:
        """Take an adjustment as a service listed it (A38)."""
        recorded = self.subject.amounts.begins(day)
        self._meet(state, day, agreed_by=day - 1 if recorded else None)
        # A record of the day is what the adjustment made of the amount before it.
        price = self._price(state.done, day - 1 if recorded else day)
        before = price * self.subject.quantities.on(day)
        self._compare(state, day, listed, before)
        run = None if recorded else self._as_listed(state, day, plan, listed)
        if run is not None:
            # What the rules did themselves, they remember better than any list can tell.
            self._add(state, day, plan, run, listed)
            state.memories, state.met = run.memories, day
            return
        after = self._told(listed, before)
        if after == before and self._told(listed, before + 1) != before:
            state.notices.append((day, self._notices.listed_without_amount(day)))
        memories = state.memories
        now, month = before, month_index(day)
        places = {rule.rule_id: (at, rule) for at, rule, _ in plan.rules}
        effects = listed.adjustment_rules_effects
        acted: list[tuple[int, CompiledRule]] = []
        for place, effect in enumerate(effects, 1):
            to = after if place == len(effects) else self._told(effect, now)
            found = places.get(effect.rent_adjustment_rule_id or "")
            if found is not None:
                at, rule = found
                memories[at] = remembered(memories[at], rule, effect, now, to)
                if "not_lower" in effect.reasons:
                    memories[at] = rule.rebased(memories[at], now)
                elif rule.clause.combine in ("limit", "lower_of"):
                    cut(memories, acted, to)
                follow(memories, at, plan.rules, to / now if now else Fraction(1))
                acted.append(found)
            now = to
        told = {effect.rent_adjustment_rule_id for effect in effects} & places.keys()
        if told:
            keep_idle(memories, plan.rules, month, told)
        else:
            forget_kept(memories, plan.rules, month)
        self._add_made(state, day, plan, before, after, listed)

    def _as_listed(
        self, state: _State, day: int, plan: PlanRules, listed: RentAdjustment
    ) -> Run | None:
        """Return what the rules themselves make of a day, where that is what was listed."""
        # An only rule is asked on every listed day, also in a year without an increment.
        if len(plan.rules) == 1 and not plan.rules[0][2].acts_in(month_index(day) // _YEAR):
            return None
        try:
            run = self._run(state, day, plan, told=[])
        except (MissingIndexError, InvalidAdjustmentRuleError):
            return None
        subject, before = self.subject, self._in_force(state.done, day)
        same = as_listed(run.effects, listed, before, subject.scale, of_balance=subject.is_balance)
        return run if same else None

    def _told(self, told: RentAdjustment | AdjustmentEffect, before: Fraction) -> Fraction:
        """Return what an amount became, the one before where nothing is told."""
        subject = self.subject
        per_year, of_balance = subject.scale.per_year, subject.is_balance
        found = amount_told(told, before, per_year, of_balance=of_balance)
        return before if found is None else found

    def _take_record(self, state: _State, day: int, plan: PlanRules) -> None:
        """Take an adjustment that an amount record already is (A18)."""
        self._meet(state, day, agreed_by=day - 1)
        subject, month, memories = self.subject, month_index(day), state.memories
        quantity = subject.quantities.on(day)
        before = self._price(state.done, day - 1) * quantity
        after = subject.amounts.on(day) * quantity
        for at, rule, dates in plan.rules:
            if dates.has(month):
                effect = effect_of_record(rule, memories[at], month)
                memories[at] = remembered(memories[at], rule, effect, before, after)
        self._add_made(state, day, plan, before, after)

    def _add_made(
        self,
        state: _State,
        day: int,
        plan: PlanRules,
        before: Fraction,
        after: Fraction,
        listed: RentAdjustment | None = None,
    ) -> None:
        """Add an adjustment that was not computed here."""
        unit = after / self.subject.quantities.on(day)
        state.done.append(Adjusted(day, plan.at, before, after, after, unit, (), before, listed))
        state.exact, state.met = None, day

    def _compare(self, state: _State, day: int, listed: RentAdjustment, before: Fraction) -> None:
        """Notice a listed adjustment that begins with another amount than the one in force."""
        told = listed.from_balance_amount if self.subject.is_balance else listed.from_period_amount
        scale = self.subject.scale
        # However it was rounded, an amount lies less than a minor unit from the exact one.
        unit = Fraction(1, 10**scale.places)
        if told is not None and abs(Fraction(told.amount) - before) >= unit:
            notice = self._notices.listed_from(told, scale.shown(before), day)
            state.notices.append((day, notice))


class RetoldHistory(History):
    """A history told once more from its beginning, with what every rule met on the way."""

    __slots__ = ("_acting", "met")

    def __init__(self, history: History) -> None:
        """Begin at the beginning.

        Args:
            history: The history.
        """
        for name in History.__slots__:
            setattr(self, name, getattr(history, name))
        after, planned = self.subject.bounds.after, self._planned
        self._state = _State(after, [], planned.stated, [NEW] * planned.count, None, after)
        self._acting: list[tuple[Run, int, Met]] = []
        self.met: dict[tuple[int, int], dict[int, Met]] = {}
        """By day and plan of an adjustment that rules made: what each met, by its place."""

    def _act(self, run: Run, at: int, rule: CompiledRule, month: int) -> None:
        base, share = run.base, run.percentage
        met = Met(run.memories[at], run.amount, base, share, run.start, run.elapsed)
        self._acting.append((run, at, met))
        super()._act(run, at, rule, month)

    def _add(
        self,
        state: _State,
        day: int,
        plan: PlanRules,
        run: Run,
        listed: RentAdjustment | None = None,
    ) -> None:
        super()._add(state, day, plan, run, listed)
        self.met[day, plan.at] = {at: met for ran, at, met in self._acting if ran is run}
        self._acting.clear()


def _day_of(adjusted: Adjusted) -> int:
    """Return the day of an adjustment."""
    return adjusted.day
