"""The amount of an item or balance over time: plans and index series become dated adjustments.

Laws: a history is computed once, from the first adjustment on, and only as far as it is asked for;
asking for a later day extends it and changes nothing before. An amount record, or an adjustment
that a service listed, replaces the rules on its day. If it differs from what they make of the day,
the rules restart from its amount (A18).
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import attrgetter
from typing import Self

from rentbilling.adjustments.adjustee import Adjusted, Adjustee
from rentbilling.adjustments.amounts_only import AmountsOnly, Unit, amounts_only
from rentbilling.adjustments.notices import DatedNotice, Notices, are_quiet, missing_index
from rentbilling.adjustments.plan import Event, PlannedRules, PlanRules, PlanRun
from rentbilling.adjustments.rules.amounts import listed_amount
from rentbilling.adjustments.rules.arithmetic import ONE, Number
from rentbilling.adjustments.rules.index_comparison import ValueAt
from rentbilling.adjustments.rules.percentages import AT_ONCE, Elapsed
from rentbilling.adjustments.rules.rule import CompiledRule, Idle, RuleInputs
from rentbilling.adjustments.rules.rule_state import RuleState
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    MissingIndexError,
    UnsupportedCaseError,
)
from rentbilling.indices import IndexPoint, IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.terms import RentAdjustment, RentAdjustmentPlan
from rentbilling.values import MONTHS_PER_YEAR, Notice, month_index


@dataclass(slots=True)
class State:
    """What the next adjustment goes on from; copied before a change, so that a failure leaves none.

    On paths, the state of those that are adjusted together.
    """

    states: list[RuleState]
    """The state of each rule, in the order of all rules."""
    taken_until: int
    """Up to which day records of amount and quantity count in what the rules remember."""
    exact: Number | None = None
    """The exact amount that goes on, where a clause carries it."""
    last: tuple[int, Number] | None = None
    """Day of the last adjustment, and the price of one unit since then."""
    first: tuple[int, Number] | None = None
    """Day of the first adjustment by rules, and the amount before it (A40)."""
    day: int = 0
    """Everything up to this day has happened."""
    done: list[Adjusted] = field(default_factory=list)
    notices: list[DatedNotice] = field(default_factory=list)

    def copy(self) -> "State":
        """Return the same, to go on from without changing this one."""
        return replace(self, done=[*self.done], notices=[*self.notices], states=[*self.states])


class History:
    """The adjustments of one item or balance, as far as they were asked for."""

    __slots__ = (
        "_amounts_only",
        "_notices",
        "_policy",
        "_single",
        "_state",
        "_with_inputs",
        "adjustee",
        "inputs",
        "planned",
    )

    def __init__(
        self,
        adjustee: Adjustee,
        plans: Sequence[tuple[int, str, RentAdjustmentPlan]],
        indices: Mapping[str, IndexSeries],
        policy: BillingPolicy,
    ) -> None:
        """Compile the rules of the plans, each of which comes with its place and its id."""
        self.adjustee = adjustee
        # One unit for good, as of most rents, whose price is the amount.
        self._single = len(adjustee.quantities.days) == 1 and adjustee.quantities.values[0] == 1
        self._policy = policy
        self._notices = Notices(adjustee.adjustee_id)
        self.planned = PlannedRules(adjustee, plans, indices, self._notices)
        self._state: State | None = None
        self._amounts_only = amounts_only(adjustee, self.planned, policy.max_lines)
        self._with_inputs = False
        self.inputs: dict[tuple[int, int], dict[int, RuleInputs]] = {}
        """The inputs of each rule of a day and plan, by its place, where it was replayed."""

    def _beginning(self) -> State:
        # A stated base amount is of the quantity of the first day (A34).
        adjustee, planned = self.adjustee, self.planned
        states, day = [*planned.first_states], adjustee.bounds.after
        return State(states, adjustee.start, day=day, notices=planned.stated)

    def replayed(self) -> Self:
        """Return the same history computed anew, with the inputs of each rule."""
        found = copy(self)
        found._state, found.inputs, found._with_inputs = self._beginning(), {}, True
        return found

    def until(self, day: int) -> tuple[Adjusted, ...]:
        """Return all adjustments up to a day, oldest first.

        Raises:
            MissingIndexError: An index value is missing, and the policy does not go on without.
            InvalidAdjustmentRuleError: Two plans adjust in one month (A37).
        """
        done = self.reached(day).done
        return tuple(done[: bisect_right(done, day, key=attrgetter("day"))])

    @property
    def plain(self) -> AmountsOnly | None:
        """The amounts that one plain rule makes; None where the full history is needed."""
        return self._amounts_only

    def units_until(self, day: int) -> Sequence[Unit]:
        """Return the day and the new price of one unit of each adjustment up to a day.

        Raises:
            MissingIndexError: See `until`.
            InvalidAdjustmentRuleError: See `until`.
        """
        if self._amounts_only is not None:
            found = self._amounts_only.until(day)
            if found is not None:
                return found
            self._amounts_only = None
        exact_of = self.adjustee.scale.decimal_of
        return [(each.day, exact_of(each.unit)) for each in self.until(day)]

    def rests(self, first: int, last: int) -> bool:
        """Return whether it is certain, without all steps so far, that nothing acts in a period."""
        found = None if self._amounts_only is None else self._amounts_only.until(last)
        return found is not None and (not found or found[-1][0] < first)

    def reached(self, day: int) -> State:
        """Return a state that has come as far as a day."""
        # Most bills need the amounts alone, and nothing that begins here.
        state = self._state or self._beginning()
        if day > state.day:
            events = self._events(state.day, day)
            state = state.copy()
            for when, plan, listed in events:
                if listed is None:
                    self._adjust(state, when, plan)
                else:
                    self.take(state, when, plan, listed)
            state.day = day
            self._state = state
        return state

    def _events(self, after: int, until: int) -> list[Event]:
        """Return what happens after one day up to another, refused where it is too much (A60)."""
        events, most = self.planned.events(after, until), self._policy.max_lines
        if len(events) > most:
            raise UnsupportedCaseError("too_many_lines", lines=len(events), most=most)
        return events

    def notices(self, first: int, last: int) -> Iterator[Notice]:
        """Give what a person should look at about adjustments between two days."""
        if self._amounts_only is not None and last <= self._amounts_only.day:
            return
        for day, notice in self.reached(last).notices:
            if first <= day <= last:
                yield notice

    def listed_notices(self, last: int) -> Iterator[Notice]:
        """Give the notices of listed adjustments up to a day, computing no other one."""
        return (notice for _, notice in self._listed(last).notices)

    def listed_units(self, last: int) -> Iterator[tuple[int, int, Fraction]]:
        """Give day, plan and new price of one unit of each listed adjustment up to a day."""
        return ((each.day, each.plan, each.unit) for each in self._listed(last).done)

    def _listed(self, last: int) -> State:
        """Return the state after the listed adjustments up to a day alone."""
        state = self._beginning()
        state.notices = []
        for day, plan, listed in self._events(state.day, last):
            if listed is not None:
                self.take(state, day, plan, listed)
        return state

    def amount_on(self, day: int) -> Fraction:
        """Return the exact amount of a billing period on a day, after all adjustments (A42)."""
        done = self.until(day)
        return self.in_force((done[-1].day, done[-1].unit) if done else None, day)

    def in_force(self, last: tuple[int, Number] | None, day: int) -> Number:
        """Return the exact amount of a billing period on a day (A18, A38)."""
        price = self.price(last, day)
        return price if self._single else price * self.adjustee.quantities.on(day)

    def price(self, last: tuple[int, Number] | None, day: int) -> Number:
        """Return the exact price of one unit on a day: recorded, or of the last adjustment."""
        amounts = self.adjustee.amounts
        if last is not None and not amounts.since(last[0], day):
            return last[1]
        return amounts.on(day)

    # ---------------------------------------------------------------------- an adjustment made

    def _adjust(self, state: State, day: int, plan: PlanRules) -> None:
        """Let a plan's rules act on a day (A37)."""
        recorded = self.adjustee.amounts.begins(day)
        if day <= plan.listed_until:
            if not recorded:
                self._pass_over(state, day, plan)
            return
        if recorded:
            self.take(state, day, plan)
            return
        self.take_agreed(state, day)
        in_force = self.in_force(state.last, day)
        before = in_force if state.exact is None else state.exact
        run = self._run(state, day, plan, before, notices=state.notices)
        month = month_index(day)
        if run.idle or not are_quiet(run.effects, month):
            found = self._notices.of_effects(run.effects, run.idle, month)
            state.notices += [(day, notice) for notice in found]
        state.states = run.states
        if run.effects:
            self._add(state, day, plan, run, in_force)

    def _pass_over(self, state: State, day: int, plan: PlanRules) -> None:
        """Pass over a day up to which a service has listed all adjustments: there was none (A18).

        A rule that waits on that day waits when the next adjustments are computed.
        """
        self.take_agreed(state, day)
        before = state.exact if state.exact is not None else self.in_force(state.last, day)
        run = self._run(state, day, plan, before)
        if not run.effects:
            state.states = run.states

    def begin_run(
        self,
        state: State,
        day: int,
        plan: PlanRules,
        before: Number,
        due: Sequence[tuple[int, CompiledRule]],
        value_at: ValueAt = IndexSeries.value_at,
    ) -> PlanRun:
        """Return a run of a day's rules before the first of them acts."""
        start = self._start(state, day, before)
        elapsed = self._elapsed(state, day) if plan.by_time else AT_ONCE
        competing: Sequence[int] = ()
        if len(due) > 1:
            competing = [at for at, rule in due if rule.clause.combine in ("sum", "lower_of")]
        states, carries = [*state.states], state.exact is not None
        return PlanRun(before, start, elapsed, states, competing, value_at, carries=carries)

    def _run(
        self,
        state: State,
        day: int,
        plan: PlanRules,
        before: Number,
        notices: list[DatedNotice] | None = None,
        value_at: ValueAt = IndexSeries.value_at,
    ) -> PlanRun:
        """Return what a plan's rules make of a day, each starting from the one before (A37).

        A missing value is refused or noticed as the policy says. Without `notices`, where the rules
        are only compared with a listed or recorded amount, it is neither.
        """
        month = month_index(day)
        # A plan of one rule acts on its days, and on those of listed adjustments.
        alone = notices is not None and len(plan.rules) == 1
        due = [plan.rules[0][:2]] if alone else plan.due(month)
        run = self.begin_run(state, day, plan, before, due, value_at)
        inputs = self.inputs.setdefault((day, plan.at), {}) if self._with_inputs else None
        for at, rule in due:
            if inputs is not None:
                inputs[at] = run.inputs_of(at)
            try:
                self.act(run, at, rule, month)
            except MissingIndexError as error:
                goes_on = self._policy.missing_index == "notice"
                if notices is not None and not goes_on:
                    raise missing_index(error, plan.plan_id, rule.rule_id, day) from None
                if notices is not None:
                    notices.append((day, self._notices.missing(error, rule, day)))
                rule_state = run.states[at]
                waiting = rule.waiting(month, rule_state) if goes_on else rule_state
                run.leave(at, rule, Idle(waiting))
            except InvalidAdjustmentRuleError as error:
                raise error.under(plan.path_of(at)) from None
        return run

    def _add(
        self, state: State, day: int, plan: PlanRules, run: PlanRun, in_force: Fraction
    ) -> None:
        effects = run.effects
        if state.exact is not None:
            # The adjustment is shown from the amount that was billed, not from the exact one.
            effects[0] = effects[0]._replace(before=in_force)
        unit = self.go_on(state, day, run, in_force)
        made = (day, plan.at, in_force, run.amount, run.exact, unit, tuple(effects), run.before)
        state.done.append(Adjusted(*made, limits=tuple(run.limits)))

    def go_on(self, state: State, day: int, run: PlanRun, in_force: Number) -> Number:
        """Let the state go on from what a run of rules made, and return the price of one unit."""
        unit = run.amount if self._single else run.amount / self.adjustee.quantities.on(day)
        state.last = day, unit
        state.first = state.first or (day, in_force)
        state.exact = run.carried if run.carries else None
        return unit

    def take_agreed(self, state: State, day: int, *, amounts_until: int | None = None) -> None:
        """Take in the amounts and quantities agreed since the last adjustment (A18, A38)."""
        adjustee, since = self.adjustee, state.taken_until
        until = day if amounts_until is None else amounts_until
        if adjustee.amounts.since(since, until):
            # Of the quantity before; a change of that follows.
            amount = adjustee.amounts.on(until) * adjustee.quantities.on(since)
            state.states = [each.reset_to(amount) for each in state.states]
            state.exact = None
        if not self._single and adjustee.quantities.since(since, day):
            factor = adjustee.quantities.on(day) / adjustee.quantities.on(since)
            state.states = [each.of_quantity(factor) for each in state.states]
            state.exact = None if state.exact is None else state.exact * factor
        state.taken_until = day

    def _start(self, state: State, day: int, before: Number) -> Number:
        """Return the amount before the first adjustment, of the quantity of a day (A40)."""
        if state.first is None:
            return before
        first_day, first = state.first
        quantities = self.adjustee.quantities
        if self._single or not quantities.since(first_day, day):
            return first
        return first * quantities.on(day) / quantities.on(first_day)

    def act(self, run: PlanRun, at: int, rule: CompiledRule, month: int) -> None:
        if rule.only_limits:
            run.limit(at, rule)
            return
        inputs = run.inputs_of(at)
        if rule.is_index:
            found = rule.by_index(month, inputs)
            if isinstance(found, Idle):
                run.leave(at, rule, found)
                return
        else:
            increment = rule.increment_of(month // MONTHS_PER_YEAR)
            per_year = self._policy.increment_amount == "per_year"
            found = rule.by_increment(increment, inputs, per_year=per_year)
        run.apply(at, rule, found)
        if rule.is_index and len(run.states) > 1:
            self.planned.count(run.states, at)

    def _elapsed(self, state: State, day: int) -> Elapsed:
        """Return how long ago the amount was set, and what is left of the first year (A40)."""
        adjustee = self.adjustee
        since = adjustee.start
        records = [each for each in adjustee.amounts.days if since < each < day]
        since = max([since, *records, *(() if state.last is None else state.last[:1])])
        left = MONTHS_PER_YEAR - 1 - month_index(adjustee.contract_start) % MONTHS_PER_YEAR
        return Elapsed(month_index(day) - month_index(since), left)

    # -------------------------------------------------- an adjustment recorded or listed (A18)

    def take(
        self,
        state: State,
        day: int,
        plan: PlanRules,
        listed: RentAdjustment | None = None,
        value_at: ValueAt = IndexSeries.value_at,
    ) -> None:
        """Take the amount that a record or a listed adjustment has for a day.

        Where there are both, the record is billed.
        """
        adjustee, month = self.adjustee, month_index(day)
        self.take_agreed(state, day, amounts_until=day - 1)
        quantity = adjustee.quantities.on(day)
        in_force = self.price(state.last, day - 1) * quantity
        after = None if listed is None else self._listed_amount(state, day, listed, in_force)
        if adjustee.amounts.begins(day):
            after = adjustee.amounts.on(day) * quantity
        before = in_force if state.exact is None else state.exact
        run = self._run(state, day, plan, before, value_at=value_at)
        is_due = any(not rule.only_limits for _, rule in plan.due(month))
        unit = max(ONE, quantity) * adjustee.scale.unit
        made = after is not None and is_due and abs(after - run.amount) < unit
        states = [*(run.states if made else state.states)]
        # Where the rules agree with what was listed, a rule that waits goes on waiting.
        points = {} if made and listed is not None else self._points(plan, month, listed)
        for at, to in points.items():
            if states[at].last_point != to:
                states[at] = states[at].applied(to)
                self.planned.count(states, at)
        if after is not None and not made:
            for at in points:
                states[at] = states[at]._replace(is_new=False)
            states = [each.reset_to(after) for each in states]
            if is_due:
                self.note_difference(state, day, after, run.amount)
        after = in_force if after is None else after
        effects = tuple(run.effects) if made else ()
        exact, unit = run.exact if made else after, after / quantity
        made_of = (day, plan.at, in_force, after, exact, unit, effects, before, listed)
        limits = tuple(run.limits) if made else ()
        state.done.append(Adjusted(*made_of, limits=limits, recorded=listed is None))
        state.states, state.exact, state.last = states, None, (day, unit)
        if state.first is None and (effects or listed is not None):
            state.first = day, in_force

    def note_difference(self, state: State, day: int, taken: Number, made: Number) -> None:
        """Note that a recorded or listed amount is not the one that the rules make."""
        figures = (self.adjustee.scale.shown(each) for each in (taken, made))
        state.notices.append((day, self._notices.differs(day, *figures)))

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

    def _listed_amount(
        self, state: State, day: int, listed: RentAdjustment, before: Fraction
    ) -> Fraction | None:
        """Return what a listed adjustment says the amount became, None where it does not.

        Adds a notice where it begins with another amount than the one in force, or says nothing.
        """
        adjustee, scale = self.adjustee, self.adjustee.scale
        began = listed.from_balance_amount if adjustee.is_balance else listed.from_period_amount
        # However it was rounded, an amount lies less than a minor unit from the exact one.
        shown = before * scale.of_period
        if began is not None and abs(Fraction(began.amount) - shown) >= scale.unit:
            notice = self._notices.listed_from(began, scale.shown(shown), day)
            state.notices.append((day, notice))
        found = listed_amount(listed, before, scale, of_balance=adjustee.is_balance)
        if found is None:
            state.notices.append((day, self._notices.listed_without_amount(day)))
        return found
