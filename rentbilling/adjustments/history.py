"""Adjusting: the plans of one item and its index series become dated adjustments, one by one.

Laws: a history is computed once, from the first adjustment on, and only as far as it is asked for;
asking for a later day extends it and changes nothing before. A record or a listed adjustment of an
adjustment's day is that adjustment where it is what the rules make of the day, and is agreed anew
where it is not (A18).
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rentbilling.adjustments.adjustee import Adjusted, Subject
from rentbilling.adjustments.listed import amount_told
from rentbilling.adjustments.notices import DatedNotice, Notices, is_quiet, missing_index
from rentbilling.adjustments.percentages import AT_ONCE, Elapsed
from rentbilling.adjustments.plan import Event, PlannedRules, PlanRules
from rentbilling.adjustments.plan_run import Run
from rentbilling.adjustments.rule import CompiledRule, Idle, Met
from rentbilling.adjustments.rule_memory import Memory
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    MissingIndexError,
    UnsupportedCaseError,
)
from rentbilling.indices import IndexSeries
from rentbilling.indices.points import IndexPoint
from rentbilling.policy import BillingPolicy
from rentbilling.terms.plans import RentAdjustment, RentAdjustmentPlan
from rentbilling.values.notice import Notice
from rentbilling.values.periods import month_index

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
        self.subject = subject
        # One unit for good, as of most rents, whose price is the amount.
        self._single = len(subject.quantities.days) == 1 and subject.quantities.values[0] == 1
        self._policy = policy
        self._notices = Notices(subject.subject_id)
        planned = self._planned = PlannedRules(subject, plans, indices, self._notices)
        self._state = self._beginning(planned)

    def _beginning(self, planned: PlannedRules) -> "_State":
        """Return the state before the first adjustment."""
        # A stated base amount is of the quantity of the first day (A34).
        after, memories = self.subject.bounds.after, planned.first_memories
        return _State(after, [], planned.stated, [*memories], None, self.subject.start)

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
                    self._take(state, when, plan, listed)
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
                self._take(state, day, plan, listed)
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
        recorded = self.subject.amounts.begins(day)
        if day <= plan.listed_until:
            if not recorded:
                self._pass_over(state, day, plan)
            return
        if recorded:
            self._take(state, day, plan)
            return
        self._meet(state, day)
        run = self._run(state, day, plan, self._before(state, day), told=state.notices)
        month = month_index(day)
        loud = [effect for effect in run.effects if not is_quiet(effect, month)]
        if run.idle or loud:
            found = self._notices.of_effects(run.effects, run.idle, month)
            state.notices += [(day, notice) for notice in found]
        if run.effects:
            self._add(state, day, plan, run)
        state.memories, state.met = run.memories, day

    def _pass_over(self, state: _State, day: int, plan: PlanRules) -> None:
        """Pass over a day that listed adjustments speak for: nothing came of it (A18).

        Rules that would have waited wait, as they did when the later ones were made.
        """
        self._meet(state, day)
        run = self._run(state, day, plan, self._before(state, day))
        if not run.effects:
            state.memories = run.memories

    def _before(self, state: _State, day: int) -> Fraction:
        """Return the amount of a billing period that the first rule of a day meets."""
        return state.exact if state.exact is not None else self._in_force(state.done, day)

    def _run(
        self,
        state: _State,
        day: int,
        plan: PlanRules,
        before: Fraction,
        told: list[DatedNotice] | None = None,
    ) -> Run:
        """Return what a plan's rules make of a day, each meeting what the one before left (A37)."""
        month = month_index(day)
        start = self._start(state, day, before)
        elapsed = self._elapsed(state, day) if plan.by_time else AT_ONCE
        # The days of an only rule are the plan's, but for those that are only listed.
        alone = told is not None and len(plan.rules) == 1
        due = [plan.rules[0][:2]] if alone else plan.due(month)
        competing = [at for at, rule in due if rule.clause.combine in ("sum", "lower_of")]
        run = Run(before, start, elapsed, [*state.memories], competing)
        for at, rule in due:
            try:
                self._act(run, at, rule, month)
            except MissingIndexError as error:
                goes_on = self._policy.missing_index == "notice"
                if told is not None and not goes_on:
                    raise missing_index(error, plan.plan_id, rule.rule_id, day) from None
                if told is not None:
                    told.append((day, self._notices.missing(error, rule, day)))
                memory = run.memories[at]
                run.leave(at, rule, Idle(rule.waiting(month, memory) if goes_on else memory))
            except InvalidAdjustmentRuleError as error:
                raise error.under(plan.path_of(at)) from None
        return run

    def _add(self, state: _State, day: int, plan: PlanRules, run: Run) -> None:
        """Add the adjustment that a run of rules made."""
        unit = run.amount if self._single else run.amount / self.subject.quantities.on(day)
        before, effects = run.before, run.effects
        if state.exact is not None:
            # What is told begins with what was billed, not with what is carried on.
            before = self._in_force(state.done, day)
            effects[0] = effects[0]._replace(before=before)
        made = (day, plan.at, before, run.amount, run.exact, unit, tuple(effects), run.before)
        state.done.append(Adjusted(*made, limits=tuple(run.limits)))
        state.exact = run.carried if run.carries else None

    def _meet(self, state: _State, day: int, *, agreed_by: int | None = None) -> None:
        """Take in what was agreed since the last adjustment (A18, A38)."""
        subject, since = self.subject, state.met
        until = day if agreed_by is None else agreed_by
        if subject.amounts.since(since, until):
            # Of the quantity before; a change of that follows.
            amount = subject.amounts.on(until) * subject.quantities.on(since)
            state.memories = [each.agreed_anew(amount) for each in state.memories]
            state.exact = None
        if not self._single and subject.quantities.since(since, day):
            factor = subject.quantities.on(day) / subject.quantities.on(since)
            state.memories = [each.of_quantity(factor) for each in state.memories]
            state.exact = None if state.exact is None else state.exact * factor
        state.met = day

    def _start(self, state: _State, day: int, before: Fraction) -> Fraction:
        """Return the amount before the first adjustment, of the quantity of a day (A40)."""
        first = first_made(state.done)
        if first is None:
            return before
        quantities = self.subject.quantities
        if self._single or not quantities.since(first.day, day):
            return first.before
        return first.before * quantities.on(day) / quantities.on(first.day)

    def _act(self, run: Run, at: int, rule: CompiledRule, month: int) -> None:
        if rule.only_limits:
            run.limit(at, rule)
            return
        memory = run.memories[at]
        if rule.is_index:
            found = rule.by_index(month, memory, run)
            if isinstance(found, Idle):
                run.leave(at, rule, found)
                return
        else:
            increment = rule.increment_of(month // _YEAR)
            per_year = self._policy.increment_amount == "per_year"
            found = rule.by_increment(increment, memory, run, per_year=per_year)
        run.take(at, rule, found)
        if rule.is_index and len(run.memories) > 1:
            self._planned.count(run.memories, at)

    def _elapsed(self, state: _State, day: int) -> Elapsed:
        """Return how long ago the amount was set, and what is left of the first year (A40)."""
        subject = self.subject
        since = subject.start
        records = [each for each in subject.amounts.days if since < each < day]
        since = max([since, *records, *(each.day for each in state.done[-1:])])
        left = _YEAR - 1 - month_index(subject.contract_start) % _YEAR
        return Elapsed(month_index(day) - month_index(since), left)

    # -------------------------------------------------- an adjustment recorded or listed (A18)

    def _take(
        self, state: _State, day: int, plan: PlanRules, listed: RentAdjustment | None = None
    ) -> None:
        """Take the amount that a record or a listed adjustment has for a day.

        Where there are both, the record is billed.
        """
        subject, month = self.subject, month_index(day)
        self._meet(state, day, agreed_by=day - 1)
        quantity = subject.quantities.on(day)
        in_force = self._price(state.done, day - 1) * quantity
        after = None if listed is None else self._told(state, day, listed, in_force)
        if subject.amounts.begins(day):
            after = subject.amounts.on(day) * quantity
        before = in_force if state.exact is None else state.exact
        run = self._run(state, day, plan, before)
        is_due = any(not rule.only_limits for _, rule in plan.due(month))
        unit = max(Fraction(1), quantity) / 10**subject.scale.places
        made = after is not None and is_due and abs(after - run.amount) < unit
        memories = [*(run.memories if made else state.memories)]
        # What was listed as the rules made it leaves those that waited waiting.
        points = {} if made and listed is not None else self._points(plan, month, listed)
        for at, to in points.items():
            if memories[at].last_point != to:
                memories[at] = memories[at].applied(to)
                self._planned.count(memories, at)
        if after is not None and not made:
            for at in points:
                memories[at] = memories[at]._replace(is_new=False)
            memories = [each.agreed_anew(after) for each in memories]
            if is_due:
                figures = (subject.scale.shown(each) for each in (after, run.amount))
                state.notices.append((day, self._notices.differs(day, *figures)))
        after = in_force if after is None else after
        effects = tuple(run.effects) if made else ()
        exact, unit = run.exact if made else after, after / quantity
        made_of = (day, plan.at, in_force, after, exact, unit, effects, before, listed)
        limits = tuple(run.limits) if made else ()
        state.done.append(Adjusted(*made_of, limits=limits, recorded=listed is None))
        state.memories, state.exact, state.met = memories, None, day

    def _points(
        self, plan: PlanRules, month: int, listed: RentAdjustment | None
    ) -> dict[int, IndexPoint]:
        """Return the points that count as applied, by the place of the rule among all rules."""
        found: dict[int, IndexPoint] = {}
        for at, rule in plan.due(month):
            if rule.reference is not None:
                with suppress(MissingIndexError):
                    found[at] = rule.reference.to_point(month)
        places = {rule.rule_id: (at, rule.reference) for at, rule, _ in plan.rules}
        for effect in () if listed is None else listed.adjustment_rules_effects:
            place, to = places.get(effect.rent_adjustment_rule_id or ""), effect.to_point
            if place is None:
                continue
            at, reference = place
            if to is None and effect.to_year_month is not None and reference is not None:
                to = IndexPoint.holding(effect.to_year_month, reference.unit)
            if to is not None:
                found[at] = to
        return found

    def _told(
        self, state: _State, day: int, listed: RentAdjustment, before: Fraction
    ) -> Fraction | None:
        """Return what a listed adjustment says the amount became, None where it does not.

        Notices where it begins with another amount than the one in force, or says nothing.
        """
        subject, scale = self.subject, self.subject.scale
        began = listed.from_balance_amount if subject.is_balance else listed.from_period_amount
        # However it was rounded, an amount lies less than a minor unit from the exact one.
        unit = Fraction(1, 10**scale.places)
        if began is not None and abs(Fraction(began.amount) - before) >= unit:
            notice = self._notices.listed_from(began, scale.shown(before), day)
            state.notices.append((day, notice))
        found = amount_told(listed, before, scale.per_year, of_balance=subject.is_balance)
        if found is None:
            state.notices.append((day, self._notices.listed_without_amount(day)))
        return found


class RetoldHistory(History):
    """A history told once more from its beginning, with what every rule met on the way."""

    __slots__ = ("_acting", "met")

    def __init__(self, history: History) -> None:
        for name in History.__slots__:
            setattr(self, name, getattr(history, name))
        self._state = self._beginning(self._planned)
        self._acting: dict[int, Met] = {}
        self.met: dict[tuple[int, int], dict[int, Met]] = {}
        """By day and plan of an adjustment: what each rule met, by its place."""

    def _act(self, run: Run, at: int, rule: CompiledRule, month: int) -> None:
        met = Met(run.memories[at], run.carried, run.exact, run.before, run.start, run.elapsed)
        self._acting[at] = met
        super()._act(run, at, rule, month)

    def _run(
        self,
        state: _State,
        day: int,
        plan: PlanRules,
        before: Fraction,
        told: list[DatedNotice] | None = None,
    ) -> Run:
        self._acting = self.met[day, plan.at] = {}
        return super()._run(state, day, plan, before, told)


def first_made(done: Sequence[Adjusted]) -> Adjusted | None:
    """Return the first adjustment that rules made, here or at the service that lists it (A40)."""
    return next((each for each in done if each.effects or each.listed), None)


def _day_of(adjusted: Adjusted) -> int:
    return adjusted.day
