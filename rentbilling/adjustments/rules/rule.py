"""One rule: how it adjusts an amount on a day, and the state that it stores for the next day.

Law: a step returns a new state and changes nothing; a rule that does nothing returns no effect.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from rentbilling.adjustments.rules.amounts import (
    AmountScale,
    factor_of,
    floored,
    grown,
    part_after,
    rounded_amount,
)
from rentbilling.adjustments.rules.arithmetic import ONE, Number, Reason, Where, where
from rentbilling.adjustments.rules.index_comparison import (
    IndexChange,
    Reference,
    ValueAt,
    wrong_clause,
)
from rentbilling.adjustments.rules.limits import NO_LIMITS, Limits, limit_reached, limits_over
from rentbilling.adjustments.rules.percentages import (
    Elapsed,
    Percentage,
    applied_percentage,
    part_that_counts,
    passes,
    rounded_change,
    rounded_percentage,
)
from rentbilling.adjustments.rules.rule_state import NEW, RuleState
from rentbilling.errors import MissingIndexError
from rentbilling.indices import IndexPoint, IndexSeries
from rentbilling.terms import OF_THE_STEP, Increment, RentAdjustmentRule, has_defaults

_ZERO: Final = Fraction(0)
# Leases share their limits.
_exact = lru_cache(maxsize=64)(Fraction)


class RuleInputs(NamedTuple):
    """The inputs of a rule on an adjustment day."""

    state: RuleState
    carried: Number
    """The amount of a billing period that the rules listed before hand on (A38)."""
    exact: Number
    """The same before it was rounded."""
    before: Number
    """The amount before the first rule of the day, which rules that add up or compete are of."""
    start: Number
    """The amount before the first adjustment of all."""
    elapsed: Elapsed
    """How long ago the amount was set."""
    value_at: ValueAt = IndexSeries.value_at
    """Finds index values."""


class Step(NamedTuple):
    """The effect of a rule: the amount after it, and why."""

    exact: Number
    """The new amount before it was rounded."""
    amount: Number
    """The new amount."""
    state: RuleState
    percentage: Percentage | None = None
    """None where the rule adds an amount."""
    compared: IndexChange | None = None
    """None where no index is compared."""
    reasons: tuple[Reason, ...] = ()
    """The reasons for which the percentage or the amount was changed."""
    unlimited: Number | None = None
    """The amount on the other side of zero that a decrease would have led to."""


class Idle(NamedTuple):
    """An attempt that adjusted nothing."""

    state: RuleState
    notice: str | None = None
    """Code of the notice about it; None where everything is counted already."""


class CompiledRule:
    """A rule compiled for one item: its series found, its limits as fractions."""

    __slots__ = (
        "by_time",
        "clause",
        "is_index",
        "is_plain",
        "limits",
        "missing",
        "only_limits",
        "reference",
        "rule",
        "rule_id",
        "scale",
    )

    def __init__(
        self,
        rule: RentAdjustmentRule,
        rule_id: str,
        indices: Mapping[str, IndexSeries],
        scale: AmountScale,
    ) -> None:
        """Find the rule's series; one that was not passed is missed when it is first needed."""
        self.reference: Reference | None = None
        self.missing: MissingIndexError | None = None
        self.only_limits = rule.only_limits
        """Whether it adjusts nothing itself, and only limits what the rules before it did."""
        self.is_index = rule.by_index
        """Whether an index decides."""
        if self.is_index and not self.only_limits:
            try:
                self.reference = Reference(rule, indices)
            except MissingIndexError as error:
                self.missing = error
        self.rule = rule
        self.rule_id = rule_id
        self.clause = rule.clause
        self.scale = scale
        self.by_time = self.clause.pro_rata != "none" or self.clause.limit_per != "adjustment"
        """Whether the rule depends on how long ago the amount was set."""
        self.is_plain = rule.index_clause is None or has_defaults(self.clause, OF_THE_STEP)
        """Whether the amount changes by the change of the index, but for limits."""
        least, most = rule.minimum_percentage, rule.maximum_percentage
        self.limits = Limits(
            None if least is None else _exact(least), None if most is None else _exact(most)
        )

    def first_state(self) -> RuleState:
        """Return the state before the first adjustment: with an amount that the clause states."""
        stated = self.clause.base_amount
        if stated is None:
            return NEW
        amount = Fraction(stated.amount)
        if self.clause.basis == "anchored":
            return NEW._replace(anchor_amount=amount)
        return NEW._replace(last_amount=amount)

    # ------------------------------------------------------------------------------- by an index

    def compared_with(self, month: int, state: RuleState, to: IndexPoint) -> IndexPoint:
        """Return the point that a rule compares with in a month (A33, A34)."""
        clause = self.clause
        if clause.basis in ("anchored", "mixed"):
            # Its base point, which a first attempt in vain leaves where it is.
            base = state.anchor_point or state.tried_point or clause.start_point
            return base or self._reference.from_point(to, month)
        waiting = state.waiting_point if state.waits else None
        if waiting is not None:
            return waiting
        if state.last_point is None and state.tried_point is None and clause.start_point:
            return clause.start_point
        if state.last_point is not None and clause.reference == "last_published":
            return state.last_point
        return self._reference.from_point(to, month)

    @property
    def _reference(self) -> Reference:
        if self.reference is None:
            raise self.missing or MissingIndexError("missing_series", series=None, passed="none")
        return self.reference

    def waiting(self, month: int, state: RuleState) -> RuleState:
        """Return the state after an attempt that lacked a value (A33)."""
        if self.reference is None:
            return state
        try:
            to = self.reference.to_point(month)
        except MissingIndexError:
            return state
        return state.waiting(self.compared_with(month, state, to))

    def by_index(self, month: int, inputs: RuleInputs) -> Step | Idle:
        """Return the step of an Index rule in a month, or why there is none.

        Raises:
            MissingIndexError: A value is missing.
            InvalidAdjustmentRuleError: A threshold is in points, and the series has none.
        """
        clause, reference = self.clause, self._reference
        state, value_at = inputs.state, inputs.value_at
        to = reference.to_point(month)
        start = self.compared_with(month, state, to)
        counted = self._counted(state, start, to)
        if counted is not None:
            return counted
        from_base = clause.basis in ("anchored", "mixed")
        stated = from_base or state.last_point is None
        compared = reference.compared(to, start, stated=stated, value_at=value_at)
        if clause.threshold_unit == "points" and compared.points is None:
            said = "is of points, and the series has none"
            raise wrong_clause("thresholdUnit", "contradiction", said, "points", "percent")
        if clause.threshold is not None or clause.increase_only:
            moved = compared
            # What is counted from a base point moves from where it was last applied.
            if from_base and state.last_point:
                moved = reference.compared(to, state.last_point, stated=False, value_at=value_at)
            if clause.increase_only and moved.change < 0:
                return Idle(state.waiting(start), "index_fell")
            if not passes(rounded_change(moved.change, clause), moved.points, clause):
                return Idle(state.waiting(start), "index_below_threshold")
        if self.is_plain:
            return self._plainly(compared.change, compared, inputs)
        state = state._replace(
            anchor_point=state.anchor_point or start,
            last_point=compared.to_point,
            tried_point=None,
            other_point=None,
            waits=False,
        )
        return self._stepped(compared.change, compared, inputs._replace(state=state))

    def _counted(self, state: RuleState, start: IndexPoint, to: IndexPoint) -> Idle | None:
        """Return an idle attempt where all changes up to a point are counted already (A33)."""
        clause, last = self.clause, state.last_point
        chained = clause.basis in ("chained", "last_indexed")
        end = to.last_month
        if start.last_month < end:
            # A record or a listed adjustment has applied the point before its day.
            early = chained and last is not None and last.last_month >= end
            return Idle(state) if early else None
        if last is None and start == clause.start_point:
            return Idle(state.waiting(start))
        return Idle(state._replace(waits=False)) if chained and state.waits else None

    # -------------------------------------------------------------------------- both kinds of rule

    def _stepped(self, change: Number, compared: IndexChange | None, inputs: RuleInputs) -> Step:
        if self.is_plain:
            return self._plainly(change, compared, inputs)
        clause, state, carried = self.clause, inputs.state, inputs.carried
        old = carried if clause.combine == "in_turn" else inputs.before
        state, base = self._base(state, old)
        # These step from another amount than the one in force, and limits are of that (A35).
        whole = clause.correction_factor is not None or clause.share_of == "money" or base != old
        # Parts of the first year count for the first adjustment only.
        elapsed = inputs.elapsed
        if not state.is_new:
            elapsed = elapsed._replace(first_year=None)
        found = applied_percentage(change, clause, NO_LIMITS if whole else self.limits, elapsed)
        reasons = list(found.reasons)
        part = state.part
        if part is None and clause.indexed_amount is not None:
            part = Fraction(clause.indexed_amount.amount)
        exact = grown(base, found.applied, part, clause)
        unlimited = exact if whole else grown(base, found.unlimited, part, clause)
        if clause.share_of == "money":
            all_of_it = rounded_amount(exact, base, clause, self.scale)
            exact = unlimited = old + (all_of_it - old) * Fraction(clause.share)
            reasons.append("share")
        if whole:
            exact, reached = self._limited_step(exact, old, base, part, elapsed)
            reasons += reached
        if clause.combine == "sum":
            exact += inputs.exact - old
        # What is added is counted from the amount in force, or from what the change is of.
        since = base if clause.basis == "anchored" else old
        if clause.combine == "sum":
            since = carried
        exact, amount, raised = self._rounded(exact, since, inputs.start)
        if raised is True:
            reasons.append("floor")
        limited = limit_reached(reasons)
        amounts = exact, amount, unlimited
        state = self._remembered(state, base, amounts, part, limited, limited | raised)
        if whole and isinstance(exact, Fraction) and old != 0:
            found = found._replace(applied=exact / old - 1)
        return Step(exact, amount, state, found, compared, tuple(reasons))

    def _base(self, state: RuleState, old: Number) -> tuple[RuleState, Number]:
        """Return the amount that a change is of, and what is remembered of it (A34)."""
        clause = self.clause
        if clause.basis == "anchored":
            base = state.anchor_amount
            if base is None:
                # What was agreed since is the rent itself, on which the factor has acted.
                base = old if state.is_new else old / factor_of(clause)
                state = state._replace(anchor_amount=base)
            return state, base
        if clause.basis == "last_indexed":
            return state, old if state.last_amount is None else state.last_amount
        return state, old if state.own is None else state.own

    def _rounded(self, exact: Number, since: Number, start: Number) -> tuple[Number, Number, Where]:
        """Return an amount exactly and rounded, and whether a floor has raised one of them (A40).

        The clause may round what is added since an amount. The start is before all adjustments.
        """
        clause = self.clause
        amount = rounded_amount(exact, since, clause, self.scale)
        if clause.floor_amount is None and not clause.floor_at_start:
            return exact, amount, False
        above = floored(exact, start, clause)
        # A floor may be finer than the minor unit, in which amounts are in force (A38).
        higher = self.scale.rounded(floored(amount, start, clause))
        return above, higher, (above != exact) | (higher != amount)

    def _plainly(self, change: Number, compared: IndexChange | None, inputs: RuleInputs) -> Step:
        """Return the step of a rule that says nothing of its own: the change, within its limits.

        The same as the steps of the clause, which most rules need not go through.
        """
        old, state = inputs.carried, inputs.state
        applied, reached = self.limits.hold(change)
        if isinstance(applied, Fraction) and isinstance(old, Fraction):
            # In one fraction, because every sum and product of fractions is reduced by itself.
            (over, below), (units, of) = applied.as_integer_ratio(), old.as_integer_ratio()
            exact = Fraction(units * (below + over), of * below)
        else:
            exact = old * (1 + applied)
        amount = self.scale.rounded(exact)
        reasons = () if reached is None else (reached,)
        found = Percentage(change, applied, change, reasons)
        last, point = state.last_point, state.anchor_point
        if compared is not None:
            last, point = compared.to_point, point or compared.from_point
        state = RuleState(state.anchor_amount, point, last, last_amount=amount, is_new=False)
        return Step(exact, amount, state, found, compared, reasons)

    def _remembered(
        self,
        state: RuleState,
        base: Number,
        amounts: tuple[Number, Number, Number],
        part: Number | None,
        limited: Where,
        cut: Where,
    ) -> RuleState:
        """Return what the rule remembers of a step from a base, of which a part is indexed.

        The amounts are exact, rounded, and without limits and floors. The step was limited by a
        minimum or maximum, or cut by one of them or a floor.
        """
        clause, own = self.clause, state.own
        exact, amount, unlimited = amounts
        last = exact if clause.carried == "exact" else amount
        carries, anchored = clause.after_limit == "carry", clause.basis == "anchored"
        # While nothing was cut off, the curve is the amount in force.
        if carries and clause.basis == "chained" and (own is not None or cut):
            own = unlimited
            if clause.carried == "rounded":
                own = rounded_amount(unlimited, base, clause, self.scale)
        rebases = not carries and clause.basis in ("anchored", "mixed") and bool(limited)
        # What an anchored rule starts from stays, the indexed part of it too.
        if part is not None and (not anchored or rebases):
            part = part_after(part, last if own is None else own, base, clause)
        state = state._replace(last_amount=last, own=own, part=part, is_new=False)
        return self._rebased(state, last) if rebases else state

    def cut(self, state: RuleState, led_to: Number, amount: Number) -> RuleState:
        """Return the state after another rule cut off some of what this one led to (A35).

        This one led to an amount, of which another one is left.
        """
        if self.clause.after_limit != "carry":
            return self._rebased(state, amount)
        if self.clause.basis == "chained" and state.own is None:
            return state._replace(own=led_to)
        return state

    def _rebased(self, state: RuleState, amount: Number) -> RuleState:
        """Return the state of a rule that was cut short: it goes on from there (A35)."""
        if self.clause.basis == "last_indexed":
            return state._replace(last_amount=amount)
        if self.clause.basis == "mixed":
            return state._replace(anchor_point=state.last_point)
        if self.clause.basis != "anchored":
            return state
        # The factor has acted on the amount already, and will act again on what is remembered.
        anchor = amount / factor_of(self.clause)
        return state._replace(anchor_amount=anchor, anchor_point=state.last_point)

    def _limited_step(
        self, exact: Number, old: Number, base: Number, part: Number | None, elapsed: Elapsed
    ) -> tuple[Number, list[Reason]]:
        """Return an amount whose step from the one in force is within the limits.

        Limits are for the part that follows the index, of the base that the rule counts from.
        """
        clause, factor = self.clause, factor_of(self.clause)
        limits = limits_over(self.limits, clause, elapsed.months)
        if limits == NO_LIMITS:
            return exact, []
        if part is None:
            part = base if clause.indexed_share is None else base * Fraction(clause.indexed_share)
        still = (base - part) * factor
        moving = old - still
        if moving == 0:
            return exact, []
        counts = part_that_counts(clause, elapsed)
        if counts != 1:
            limits = Limits(*(None if each is None else each * counts for each in limits))
        step, reached = limits.hold((exact - still) / moving - 1)
        if reached is None:
            return exact, []
        limited = moving * (1 + step)
        if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
            # What is applied is rounded after limits; of an anchored rule, that is from its base.
            root = moving
            if clause.basis == "anchored":
                of_base = base * factor - still
                root = where(of_base != 0, of_base, moving)
            limited = root * (1 + rounded_percentage(limited / root - 1, clause))
        return where(reached, still + limited, exact), [reached]

    # ----------------------------------------------------------------------------- by an increment

    def increment_of(self, year: int) -> Increment:
        """Return the increment that a rule makes in a year in which it acts (A36)."""
        text = f"{year:04d}"
        once = [each for each in self.rule.increments if each.of_year == text and not each.recurs]
        recurring = [each for each in self.rule.increments if each.recurs and each.of_year <= text]
        return once[0] if once else max(recurring, key=lambda each: each.of_year)

    def by_increment(self, increment: Increment, inputs: RuleInputs, *, per_year: bool) -> Step:
        """Return the step that an increment leads to (assumption A36).

        Amounts are for a billing period, or `per_year` for a year. A decrease stops at zero, which
        is then one of the reasons.
        """
        if increment.percentage is not None:
            return self._stepped(Fraction(increment.percentage), None, inputs)
        clause, start, state = self.clause, inputs.start, inputs.state
        periods = self.scale.per_year if per_year else self.scale.of_period
        old = inputs.carried if clause.combine == "in_turn" else inputs.before
        if increment.level is not None:
            exact = Fraction(increment.level.amount) / periods
        else:
            added = 0 if increment.amount is None else Fraction(increment.amount.amount)
            exact = (inputs.exact if clause.combine == "sum" else old) + added / periods
        # What came down to zero stays there, on the side that the item began on.
        side = where(old != 0, old, where(start != 0, start, ONE))
        below = exact * side < 0
        left, exact = exact, where(below, _ZERO, exact)
        since = inputs.carried if clause.combine == "sum" else old
        exact, amount, raised = self._rounded(exact, since, start)
        words = {"stopped_at_zero": below, "floor": raised}
        reasons = tuple(word for word, is_so in words.items() if is_so is True)
        state = state._replace(last_amount=amount, is_new=False)
        return Step(exact, amount, state, None, None, reasons, left if below is True else None)

    # --------------------------------------------------------------------------------- by a limit

    def limits_after(self, elapsed: Elapsed) -> Limits:
        """Return the rule's limits for the time that an adjustment covers (A40)."""
        return limits_over(self.limits, self.clause, elapsed.months)

    def limited(
        self, amount: Number, base: Number, elapsed: Elapsed
    ) -> tuple[Number, Number, Reason] | None:
        """Return the amount so far, limited to the rule's steps from the base (A37, A40).

        It comes exactly and rounded, with the limit that was reached; None where none was.
        """
        if base == 0:
            return None
        step, reached = self.limits_after(elapsed).hold(amount / base - 1)
        if not reached:
            return None
        exact = base * (1 + step)
        return exact, rounded_amount(exact, base, self.clause, self.scale), reached


class Effect(NamedTuple):
    """The effect of one rule: the amounts before and after it, and its step."""

    at: int
    """Place of the rule among all rules of the item."""
    rule: CompiledRule
    before: Number
    """The amount of a billing period as it was billed."""
    after: Number
    step: Step | None
    """None where the rule only limits."""
    reasons: tuple[Reason, ...]
    carried: Number
    """The amount that the rule began from: exact where a rule before it carries that (A38)."""
    carried_exact: Number
    """The same before it was rounded."""
    exact: Number
    """The amount after it, before it was rounded."""

    @property
    def compared(self) -> IndexChange | None:
        """What an index was compared with, None where none was."""
        return None if self.step is None else self.step.compared
