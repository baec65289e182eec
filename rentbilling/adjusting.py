"""Adjusting: the plans of one item and its index series become dated adjustments, one by one.

Laws: a history is computed once, from the first adjustment on, and only as far as it is asked for;
asking for a later day extends it and changes nothing before. An adjustment that a service listed is
taken as made (A38).
What does not live here: the days (`adjustment_dates`), what one rule does (`rule_steps`), what
rules remember of what was listed (`listed_adjustments`), balances (`balances`), the records that
callers see (`adjustments`).
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjustment_dates import RuleDates
from rentbilling.adjustment_notices import Notices, is_quiet
from rentbilling.adjustment_refusals import missing_index, two_plans
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    MissingIndexError,
    UnsupportedCaseError,
)
from rentbilling.figures import Notice
from rentbilling.indices import IndexSeries
from rentbilling.listed_adjustments import (
    amount_told,
    cut,
    effect_of_record,
    follow,
    forget_kept,
    keep_idle,
    listed_until,
    pending,
    remembered,
)
from rentbilling.percentages import AT_ONCE, Elapsed
from rentbilling.periods import month_index, month_start
from rentbilling.plans import AdjustmentEffect, RentAdjustment, RentAdjustmentPlan
from rentbilling.policy import BillingPolicy
from rentbilling.rule_memory import NEW, Memory
from rentbilling.rule_runs import Run
from rentbilling.rule_steps import CompiledRule, Standing
from rentbilling.subjects import Adjusted, Subject

_YEAR: Final = 12


class _State(NamedTuple):
    """How far a history has come."""

    day: int
    """Everything up to this day has happened."""
    done: list[Adjusted]
    """Grows while a history is computed, and is left alone once that is kept."""
    notices: list[tuple[int, Notice]]
    memories: tuple[Memory, ...]
    """What each rule remembers, in the order of all rules."""
    exact: Fraction | None
    """The exact amount that goes on, where a clause carries it."""
    met: int
    """Up to which day records of amount and quantity are in the memories."""


class _PlanRules(NamedTuple):
    """A plan with its rules made ready."""

    at: int
    """Place of the plan in the lease."""
    plan: RentAdjustmentPlan
    rules: tuple[tuple[int, CompiledRule, RuleDates], ...]
    """Each with its place among all rules of the history."""
    listed_until: int
    """Ordinal of the last day that listed adjustments speak for."""
    by_time: bool
    """Whether a rule asks how long ago the amount was set."""
    places: frozenset[int]
    """Places of the rules among all rules of the history."""

    @property
    def first(self) -> int:
        """Place of its first rule among all rules of the history."""
        return self.rules[0][0]


class History:
    """The adjustments of one item or balance, as far as they were asked for."""

    __slots__ = ("_notices", "_plans", "_policy", "_single", "_state", "subject")

    def __init__(
        self,
        subject: Subject,
        plans: Sequence[tuple[int, RentAdjustmentPlan]],
        indices: Mapping[str, IndexSeries],
        policy: BillingPolicy,
    ) -> None:
        """Make the rules ready.

        Args:
            subject: The item or balance.
            plans: Its plans, each with its place in the lease.
            indices: The series by name.
            policy: The billing policy.
        """
        self.subject = subject
        # One unit for good, as of most rents, whose price is the amount.
        self._single = len(subject.quantities.days) == 1 and subject.quantities.values[0] == 1
        self._policy = policy
        self._notices = Notices(subject.subject_id)
        compiled: list[_PlanRules] = []
        stated: list[tuple[int, Notice]] = []
        count = 0
        for at, plan in plans:
            rules: list[tuple[int, CompiledRule, RuleDates]] = []
            for rule, rule_id in zip(plan.rent_adjustment_rules, plan.rule_ids, strict=True):
                place = f"rentAdjustmentPlans[{at}].rentAdjustmentRules[{len(rules)}]"
                try:
                    ready = CompiledRule(rule, rule_id, indices, subject.scale)
                except InvalidAdjustmentRuleError as error:
                    raise error.under(place) from None
                dates = RuleDates(rule, plan, subject.bounds)
                rules.append((count, ready, dates))
                stated += self._notices.of_rule(ready, dates)
                count += 1
            by_time = any(rule.by_time for _, rule, _ in rules)
            places = frozenset(place for place, _, _ in rules)
            until = listed_until(plan)
            compiled.append(_PlanRules(at, plan, tuple(rules), until, by_time, places))
        self._plans = tuple(compiled)
        after = subject.bounds.after
        self._state = _State(after, [], stated, (NEW,) * count, None, after)

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
            # On copies, so that a refusal half way leaves nothing half done.
            events = self._events(state.day, day)
            state = state._replace(done=[*state.done], notices=[*state.notices])
            for when, plan, listed in events:
                if listed is None:
                    state = self._adjusted(state, when, plan)
                else:
                    state = self._listed(state, when, plan, listed)
            state = self._state = state._replace(day=day)
        return state

    def notices(self, first: int, last: int) -> Iterator[Notice]:
        """Give what a person should look at about adjustments between two days."""
        for day, notice in self._reached(last).notices:
            if first <= day <= last:
                yield notice

    def listed_notices(self, last: int) -> Iterator[Notice]:
        """Give the notices of listed adjustments up to a day, computing no other one."""
        state = self._state._replace(done=[], notices=[])
        for day, plan, listed in self._events(self._state.day, last):
            if listed is not None:
                state = self._listed(state, day, plan, listed)
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

    # ------------------------------------------------------------------------------------- the days

    def _events(
        self, after: int, until: int
    ) -> list[tuple[int, _PlanRules, RentAdjustment | None]]:
        """Return what happens after one day up to another, in order of days."""
        events: list[tuple[int, _PlanRules, RentAdjustment | None]] = []
        by_month: dict[int, _PlanRules] = {}
        first, last = month_index(after) + 1, month_index(until)
        for plan in self._plans:
            days: set[int] = set()
            for listed in plan.plan.adjustments:
                day = listed.adjusted_on.toordinal()
                if after < day <= until:
                    events.append((day, plan, listed))
                    days.add(day)
            months = {
                month
                for _, rule, dates in plan.rules
                if not rule.only_limits
                for month in dates.between(first, last)
            }
            for month in months:
                day = month_start(month)
                if day > plan.listed_until:
                    if month in by_month:
                        raise two_plans(by_month[month].at, plan.at, plan.plan, month)
                    by_month[month] = plan
                elif day not in days:
                    events.append((day, plan, None))
        events += ((month_start(month), plan, None) for month, plan in by_month.items())
        if len(events) > self._policy.max_lines:
            most = self._policy.max_lines
            raise UnsupportedCaseError("too_many_lines", lines=len(events), most=most)
        return sorted(events, key=lambda event: event[0])

    # ---------------------------------------------------------------------- an adjustment made

    def _adjusted(self, state: _State, day: int, plan: _PlanRules) -> _State:
        """Return the state after a plan's rules acted on a day, each on the one before (A37)."""
        if day <= plan.listed_until:
            return self._passed_over(state, day, plan)
        if self.subject.amounts.begins(day):
            return self._recorded(state, day, plan)
        month = month_index(day)
        state = self._met(state, day)
        memories = list(state.memories)
        before = state.exact if state.exact is not None else self._in_force(state.done, day)
        start = self._start(state, day, before)
        elapsed = self._elapsed(state, day) if plan.by_time else AT_ONCE
        run = Run(before, start, elapsed, memories, plan.places)
        notices: list[tuple[int, Notice]] = []
        for at, rule, dates in plan.rules:
            # The days of an only rule are the plan's.
            if len(plan.rules) > 1 and not dates.has(month):
                continue
            try:
                self._act(run, at, rule, month)
            except MissingIndexError as error:
                if self._policy.missing_index != "notice":
                    raise missing_index(error, plan.at, plan.plan, rule.rule_id, day) from None
                notices.append((day, self._notices.missing(error, rule, day)))
                run.memories[at] = pending(run.memories[at], rule, month)
                run.stands = True
            except InvalidAdjustmentRuleError as error:
                place = f"rentAdjustmentPlans[{plan.at}].rentAdjustmentRules[{at - plan.first}]"
                raise error.under(place) from None
        if run.idle or not all(is_quiet(effect, month) for effect in run.effects):
            told = self._notices.of_effects(run.effects, run.idle, month)
            notices += ((day, each) for each in told)
        exact = state.exact
        if run.effects:
            state.done.append(self._made(day, plan, run))
            exact = run.exact if run.carries else None
        state.notices.extend(notices)
        kept = tuple(run.memories)
        return _State(state.day, state.done, state.notices, kept, exact, day)

    def _met(self, state: _State, day: int, *, agreed_by: int | None = None) -> _State:
        """Return the state as a day finds it: with what was agreed since the last adjustment."""
        if not state.done:
            return state
        subject, since = self.subject, state.met
        memories, exact = state.memories, state.exact
        agreed = subject.amounts.since(since, day if agreed_by is None else agreed_by)
        if not agreed and (self._single or not subject.quantities.since(since, day)):
            return state
        if agreed:
            memories, exact = tuple(each.agreed_anew() for each in memories), None
        if subject.quantities.since(since, day):
            factor = subject.quantities.on(day) / subject.quantities.on(since)
            memories = tuple(each.of_quantity(factor) for each in memories)
            exact = None if exact is None else exact * factor
        return state._replace(memories=memories, exact=exact, met=day)

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
        if rule.reference is not None and run.memories[at].is_new and run.memories[at] == NEW:
            self._take_over(run.memories, at, rule.reference.series, month)
        memory = run.memories[at]
        elapsed = run.elapsed
        if elapsed.first_year is not None and not memory.is_new:
            elapsed = elapsed._replace(first_year=None)
        standing = Standing(run.amount, run.base, run.percentage, run.start, elapsed)
        if rule.is_index:
            found = rule.by_index(month, memory, standing)
            if isinstance(found, Memory):
                run.memories[at] = found
                run.idle.append(rule)
                run.stands = True
                return
        else:
            increment = rule.increment_of(month // _YEAR)
            per_year = self._policy.increment_amount == "per_year"
            found = rule.by_increment(increment, memory, standing, per_year=per_year)
        run.take(at, rule, found)

    def _take_over(self, memories: list[Memory], at: int, series: IndexSeries, month: int) -> None:
        """Let a new rule compare with the point that an ended one of the series kept (A33)."""
        for plan in self._plans:
            for other, rule, dates in plan.rules:
                kept = memories[other].kept_point
                ended = kept is not None and dates.ends_before(month)
                if ended and rule.reference is not None and rule.reference.series == series:
                    memories[at] = memories[at]._replace(kept_point=kept)
                    memories[other] = memories[other]._replace(kept_point=None)

    def _made(self, day: int, plan: _PlanRules, run: Run) -> Adjusted:
        """Return the adjustment that a run of rules made."""
        unit = run.amount if self._single else run.amount / self.subject.quantities.on(day)
        effects = tuple(run.effects)
        return Adjusted(day, plan.at, run.before, run.amount, run.exact, unit, effects)

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

    def _listed(self, state: _State, day: int, plan: _PlanRules, listed: RentAdjustment) -> _State:
        """Return the state after an adjustment that a service listed (A38)."""
        recorded = self.subject.amounts.begins(day)
        state = self._met(state, day, agreed_by=day - 1 if recorded else None)
        # A record of the day is what the adjustment made of the amount before it.
        price = self._price(state.done, day - 1 if recorded else day)
        before = price * self.subject.quantities.on(day)
        after = self._told(listed, before)
        self._compare(state, day, listed, before)
        if after == before and self._told(listed, before + 1) != before:
            state.notices.append((day, self._notices.listed_without_amount(day)))
        memories = list(state.memories)
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
        return self._as_made(state, day, plan, before, after, memories, listed)

    def _told(self, told: RentAdjustment | AdjustmentEffect, before: Fraction) -> Fraction:
        """Return what an amount became, the one before where nothing is told."""
        subject = self.subject
        per_year, of_balance = subject.scale.per_year, subject.is_balance
        found = amount_told(told, before, per_year, of_balance=of_balance)
        return before if found is None else found

    @staticmethod
    def _passed_over(state: _State, day: int, plan: _PlanRules) -> _State:
        """Return the state after a day on which rules could have acted, and none is listed."""
        memories = list(state.memories)
        keep_idle(memories, plan.rules, month_index(day), ())
        return state._replace(memories=tuple(memories))

    def _recorded(self, state: _State, day: int, plan: _PlanRules) -> _State:
        """Return the state after an adjustment that an amount record already is (A18)."""
        state = self._met(state, day, agreed_by=day - 1)
        subject, month = self.subject, month_index(day)
        quantity = subject.quantities.on(day)
        before = self._price(state.done, day - 1) * quantity
        after = subject.amounts.on(day) * quantity
        memories = list(state.memories)
        for at, rule, dates in plan.rules:
            if dates.has(month):
                effect = effect_of_record(rule, memories[at], month)
                memories[at] = remembered(memories[at], rule, effect, before, after)
        return self._as_made(state, day, plan, before, after, memories)

    def _as_made(
        self,
        state: _State,
        day: int,
        plan: _PlanRules,
        before: Fraction,
        after: Fraction,
        memories: Sequence[Memory],
        listed: RentAdjustment | None = None,
    ) -> _State:
        """Return the state after an adjustment that was not computed here."""
        unit = after / self.subject.quantities.on(day)
        made = Adjusted(day, plan.at, before, after, after, unit, (), listed)
        state.done.append(made)
        return state._replace(memories=tuple(memories), exact=None, met=day)

    def _compare(self, state: _State, day: int, listed: RentAdjustment, before: Fraction) -> None:
        """Notice a listed adjustment that begins with another amount than the one in force."""
        told = listed.from_balance_amount if self.subject.is_balance else listed.from_period_amount
        scale = self.subject.scale
        # However it was rounded, an amount lies less than a minor unit from the exact one.
        unit = Fraction(1, 10**scale.places)
        if told is not None and abs(Fraction(told.amount) - before) >= unit:
            notice = self._notices.listed_from(told, scale.shown(before), day)
            state.notices.append((day, notice))


def _day_of(adjusted: Adjusted) -> int:
    """Return the day of an adjustment."""
    return adjusted.day
