"""The plans of one item or balance: the days on which they act, and their rules on one day.

Laws: the events between two days are the same, however a longer time is cut up; two plans never act
in one month; what the rules of a day did is a chain of effects, the `to` of one being the `from` of
the next (A37).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from rentbilling.adjustments.adjustee import Adjustee
from rentbilling.adjustments.dates import RuleDates
from rentbilling.adjustments.notices import DatedNotice, Notices, two_plans
from rentbilling.adjustments.rules.amounts import listed_until
from rentbilling.adjustments.rules.arithmetic import ONE, Number, where
from rentbilling.adjustments.rules.index_comparison import ValueAt
from rentbilling.adjustments.rules.percentages import Elapsed
from rentbilling.adjustments.rules.rule import CompiledRule, Effect, Idle, RuleInputs, Step
from rentbilling.adjustments.rules.rule_state import RuleState
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.indices import IndexSeries
from rentbilling.terms import RentAdjustment, RentAdjustmentPlan
from rentbilling.values import NEVER, month_index, month_start

if TYPE_CHECKING:
    from rentbilling.adjustments.rules.limits import Limits


class PlanRules(NamedTuple):
    """A plan with its compiled rules."""

    at: int
    """Place of the plan in the lease."""
    plan_id: str
    """Its id, by position where absent (A57)."""
    plan: RentAdjustmentPlan
    rules: tuple[tuple[int, CompiledRule, RuleDates], ...]
    """Each with its place among all rules of the item or balance."""
    listed_until: int
    """Ordinal of the last day with a listed adjustment, up to which the rules adjust nothing."""
    by_time: bool
    """Whether a rule depends on how long ago the amount was set."""

    def due(self, month: int) -> list[tuple[int, CompiledRule]]:
        """Return the rules that adjust in a month, each with its place among all rules."""
        return [(at, rule) for at, rule, dates in self.rules if dates.has(month)]

    def path_of(self, at: int) -> str:
        """Return the path of a rule in the lease, by its place among all rules."""
        there = at - self.rules[0][0]
        return f"rentAdjustmentPlans[{self.at}].rentAdjustmentRules[{there}]"


Event = tuple[int, PlanRules, RentAdjustment | None]
"""The ordinal of a day, the plan that acts, and the adjustment that a service listed for it."""


class PlannedRules:
    """All plans of one item or balance."""

    __slots__ = ("_series", "first_states", "plans", "stated")

    def __init__(
        self,
        adjustee: Adjustee,
        plans: Sequence[tuple[int, str, RentAdjustmentPlan]],
        indices: Mapping[str, IndexSeries],
        notices: Notices,
    ) -> None:
        """Compile the rules.

        Raises:
            InvalidAdjustmentRuleError: A rule does not fit its series.
        """
        compiled: list[PlanRules] = []
        self.stated: list[DatedNotice] = []
        """Notices about the terms of the rules, with the day they concern."""
        self.first_states: list[RuleState] = []
        """The state of each rule before its first adjustment, in the order of all rules."""
        self._series: list[tuple[str, str] | None] = []
        for at, plan_id, plan in plans:
            rules: list[tuple[int, CompiledRule, RuleDates]] = []
            for rule, rule_id in zip(plan.rent_adjustment_rules, plan.rule_ids, strict=True):
                try:
                    ready = CompiledRule(rule, rule_id, indices, adjustee.scale)
                except InvalidAdjustmentRuleError as error:
                    place = f"rentAdjustmentPlans[{at}].rentAdjustmentRules[{len(rules)}]"
                    raise error.under(place) from None
                dates = RuleDates(rule, plan, adjustee.bounds)
                rules.append((len(self._series), ready, dates))
                if not (ready.is_index and ready.is_plain) or rule.increments:
                    self.stated += notices.of_rule(ready, dates)
                self.first_states.append(ready.first_state())
                points = ready.reference
                self._series.append(None if points is None else (points.series.name, points.unit))
            if plan.adjustments:
                first = adjustee.bounds.after + 1
                days = [listed.adjusted_on.toordinal() for listed in plan.adjustments]
                self.stated += [
                    notices.listed_before_start(day, first) for day in days if day < first
                ]
            by_time = any(rule.by_time for _, rule, _ in rules)
            compiled.append(PlanRules(at, plan_id, plan, tuple(rules), listed_until(plan), by_time))
        self.plans = tuple(compiled)
        if not all(adjustee.amounts.values):
            rules_and_days = [each[1:] for plan_rules in compiled for each in plan_rules.rules]
            self.stated += notices.of_zeros(_in_force(adjustee), rules_and_days)

    def events(self, after: int, until: int) -> list[Event]:
        """Return the events after one day up to another, in order of days.

        Raises:
            InvalidAdjustmentRuleError: Two plans act in one month.
        """
        events: list[Event] = []
        by_month: dict[int, PlanRules] = {}
        first, last = month_index(after) + 1, month_index(until)
        for plan in self.plans:
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
                        raise two_plans(by_month[month].at, plan.at, plan.plan_id, month)
                    by_month[month] = plan
                elif day not in days:
                    events.append((day, plan, None))
        events += [(month_start(month), plan, None) for month, plan in by_month.items()]
        return sorted(events, key=itemgetter(0))

    def count(self, states: list[RuleState], at: int) -> None:
        """Record in the other rules of a series which point one of them has applied (A33)."""
        to, series = states[at].last_point, self._series[at]
        for other, its in enumerate(self._series):
            if series is not None and to is not None and other != at and its == series:
                states[other] = states[other].counted(to)


def _in_force(adjustee: Adjustee) -> Iterator[tuple[int, Fraction]]:
    """Give the amounts of an item or balance, each with the first day that it is paid for."""
    days, values = adjustee.amounts
    for day, after, value in zip(days, (*days[1:], NEVER), values, strict=True):
        if after > adjustee.start:
            yield max(day, adjustee.start), value


class PlanRun:
    """The amount so far on an adjustment day, and what each rule did."""

    __slots__ = (
        "_idles",
        "_put_off",
        "_value_at",
        "amount",
        "before",
        "carried",
        "carries",
        "effects",
        "elapsed",
        "exact",
        "idle",
        "limits",
        "start",
        "states",
    )

    def __init__(
        self,
        before: Number,
        start: Number,
        elapsed: Elapsed,
        states: list[RuleState],
        competing: Iterable[int] = (),
        value_at: ValueAt = IndexSeries.value_at,
        *,
        carries: bool = False,
    ) -> None:
        self.before = before
        """The amount before the first rule of the day."""
        self.amount = self.exact = self.carried = before
        self.start = start
        """The amount before the first adjustment of all."""
        self.elapsed = elapsed
        self.states = states
        """The state of each rule of the item; changed in place."""
        self.carries = carries
        """Whether the exact amount goes on, and not the rounded one (A38)."""
        self.effects: list[Effect] = []
        self.idle: list[tuple[CompiledRule, str]] = []
        """Rules that adjusted nothing, with the code of the notice about it."""
        self.limits: list[tuple[int, Limits]] = []
        """Limits of rules that only limit, each with the number of effects before it."""
        self._value_at = value_at
        # Whether a rule left the amount as it is, which a lower one competes with.
        self._idles = False
        # Rules that add to the ones before, or compete, are measured from before them: the base of
        # such a rule follows the others only where it adjusts nothing itself.
        self._put_off = dict.fromkeys(competing, ONE)

    def inputs_of(self, at: int) -> RuleInputs:
        """Return what the next rule starts from, by its place."""
        return RuleInputs(
            self.states[at],
            self.carried,
            self.exact,
            self.before,
            self.start,
            self.elapsed,
            self._value_at,
        )

    def leave(self, at: int, rule: CompiledRule, idle: Idle) -> None:
        """Let a rule adjust nothing; its base still follows what others made of the day (A37)."""
        factor = self._put_off.pop(at, None)
        self.states[at] = idle.state if factor is None else idle.state.scaled(factor)
        self._idles = True
        if idle.notice is not None:
            self.idle.append((rule, idle.notice))

    def apply(self, at: int, rule: CompiledRule, step: Step) -> None:
        """Go on from the step of a rule (A37)."""
        clause, carries = rule.clause, rule.clause.carried == "exact"
        self._put_off.pop(at, None)
        state, reasons = step.state, step.reasons
        led_to = step.exact if carries else step.amount
        now = (step.amount, step.exact, led_to, carries)
        if clause.combine == "lower_of" and (self._idles or self.effects):
            if abs(led_to) < abs(self.carried):
                self._cut(led_to)
            else:
                reasons = (*reasons, "not_lower")
                # The amount before may be finer than the minor unit; it is stated in it (A38).
                amount, carries = rule.scale.rounded(self.amount), carries or self.carries
                carried = self.carried if carries else amount
                state = rule.cut(state, led_to, carried)
                now = (amount, self.exact, carried, carries)
        self.states[at] = state
        began = self.amount, now[0], step, reasons, self.carried, self.exact
        self._go_on(Effect(at, rule, *began, now[1]), now)

    def limit(self, at: int, rule: CompiledRule) -> None:
        """Apply the limits of a rule to what the rules before it did together (A40)."""
        if not self.effects:
            return
        self.limits.append((len(self.effects), rule.limits_after(self.elapsed)))
        measured = self.carried
        if self.carries and rule.clause.amount_rounding == "down":
            # Nor may the rounded amount be above a maximum of the law (A140).
            measured = where(abs(self.amount) > abs(measured), self.amount, measured)
        found = rule.limited(measured, self.before, self.elapsed)
        if found is None:
            return
        exact, amount, reached = found
        self._cut(amount)
        began = self.amount, amount, None, (reached,), measured, self.exact
        self._go_on(Effect(at, rule, *began, exact), (amount, exact, amount, False))

    def _go_on(self, effect: Effect, now: tuple[Number, Number, Number, bool]) -> None:
        """Go on from what a rule led to: the rounded amount, the exact one, the one handed on."""
        old = self.carried
        self.amount, self.exact, self.carried, self.carries = now
        self.effects.append(effect)
        if len(self.states) > 1 and old != 0:
            self._move_others(effect, self.carried / old)

    def _move_others(self, effect: Effect, factor: Number) -> None:
        """Let the amounts that other rules go on from follow a change that is not theirs (A37)."""
        cuts = effect.step is None or effect.rule.clause.combine == "lower_of"
        # A cut has set anew what the rules before it go on from.
        acted = {each.at for each in self.effects} if cuts else {effect.at}
        for other, state in enumerate(self.states):
            if other in self._put_off:
                self._put_off[other] *= factor
            elif other not in acted:
                self.states[other] = state.scaled(factor)

    def _cut(self, amount: Number) -> None:
        """Restart the rules so far from the limited amount, unless they carry the rest (A35)."""
        for effect in self.effects:
            at, rule = effect.at, effect.rule
            if effect.step is None:
                continue
            led_to = effect.exact if rule.clause.carried == "exact" else effect.after
            state = rule.cut(self.states[at], self.carried, amount)
            if rule.clause.after_limit == "carry" and led_to != 0 and self.carried != 0:
                # What later rules made of its result is cut off before that result is.
                made = self.carried / led_to
                state = state.scaled(_within(amount / led_to, made) / made)
            self.states[at] = state


def _within(factor: Number, made: Number) -> Number:
    """Return what is left of the factor that later rules made, where a cut leaves another one.

    Examples:
        Later rules made five percent, and three of them are left; and none where more is cut off.

        >>> from fractions import Fraction
        >>> str(_within(Fraction(103, 100), Fraction(105, 100)))
        '103/100'
        >>> str(_within(Fraction(98, 100), Fraction(105, 100)))
        '1'
    """
    low, high = where(made < 1, made, ONE), where(made > 1, made, ONE)
    factor = where(factor < low, low, factor)
    return where(factor > high, high, factor)
