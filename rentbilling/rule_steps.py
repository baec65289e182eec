"""Rule steps: what one rule makes of an amount on a day, and what it remembers for the next one.

Law: a step returns a new memory and changes nothing; a rule that does nothing returns no effect.
What does not live here: the days (`adjustment_dates`), the order of rules and the records of an
item (`adjusting`), the percentage and the rounding (`percentages`, `adjusted_amounts`).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from rentbilling.adjusted_amounts import AmountScale, floored, grown, rounded_amount
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.index_clause import OF_THE_STEP, says_nothing_about
from rentbilling.index_points import IndexPoint
from rentbilling.indices import IndexSeries
from rentbilling.percentages import (
    NO_LIMITS,
    Elapsed,
    Limits,
    Percentage,
    applied_percentage,
    limits_over,
    passes,
    rounded_change,
)
from rentbilling.references import Compared, Reference
from rentbilling.rule_memory import Memory
from rentbilling.rules import Increment, RentAdjustmentRule


class Standing(Protocol):
    """The amount that a rule meets on a day, and how it came there."""

    amount: Fraction
    """The exact amount of a billing period, after the rules listed before."""
    base: Fraction
    """The amount that the rules listed before began with, where they add up or compete."""
    percentage: Fraction
    """What those rules add up to."""
    start: Fraction
    """The amount before the first adjustment of all."""
    elapsed: Elapsed
    """How long ago the amount was set."""


class Step(NamedTuple):
    """What a rule did: the amount after it, and why."""

    exact: Fraction
    """The new amount before it was rounded."""
    amount: Fraction
    """The new amount."""
    memory: Memory
    percentage: Percentage | None = None
    """None where the rule adds an amount."""
    compared: Compared | None = None
    """None where no index is compared."""
    reasons: tuple[str, ...] = ()
    """What changed the percentage or the amount on the way."""
    unlimited: Fraction | None = None
    """What the rule alone would have led to, where a limit or zero cut it."""


class Met(NamedTuple):
    """What a rule met on a day, before it did anything: where its working begins."""

    memory: Memory
    amount: Fraction
    base: Fraction
    percentage: Fraction
    start: Fraction
    elapsed: Elapsed


class CompiledRule:
    """A rule made ready: its reference found, its numbers as fractions."""

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
        """Find the rule's series; one that was not passed is missed when it is first needed.

        Args:
            rule: The rule.
            rule_id: Its id.
            indices: The series by name.
            scale: How amounts are counted and rounded.

        Raises:
            InvalidAdjustmentRuleError: The rule does not fit its series.
        """
        self.reference: Reference | None = None
        self.missing: MissingIndexError | None = None
        self.only_limits = rule.only_limits
        """Whether it does nothing but hold the ones before it within its limits."""
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
        """Whether the rule asks how long ago the amount was set."""
        self.is_plain = rule.index_clause is None or says_nothing_about(self.clause, OF_THE_STEP)
        """Whether only its limits stand between the change and the amount."""
        least, most = rule.minimum_percentage, rule.maximum_percentage
        self.limits = Limits(
            None if least is None else Fraction(least), None if most is None else Fraction(most)
        )

    # ------------------------------------------------------------------------------- by an index

    def compared(self, month: int, memory: Memory) -> tuple[Compared, IndexPoint]:
        """Return what an Index rule compares in a month, and the point compared with (A33, A34).

        Raises:
            MissingIndexError: A value is missing.
        """
        reference, clause = self._reference, self.clause
        to = reference.to_point(month)
        start = self.compared_with(month, memory, to)
        found = reference.compared(to, start)
        if clause.threshold_unit == "points" and found.points is None:
            raise InvalidAdjustmentRuleError.of(
                "indexClause.thresholdUnit",
                "contradiction",
                "is of points, and the series has none",
                "points",
                "percent",
            )
        return found, start

    def compared_with(self, month: int, memory: Memory, to: IndexPoint) -> IndexPoint:
        """Return the point that a rule compares with in a month (A33, A34)."""
        clause = self.clause
        if clause.basis in ("anchored", "mixed") and memory.anchor_point is not None:
            return memory.anchor_point
        if memory.kept_point is not None:
            return memory.kept_point
        if memory.is_new and clause.start_point is not None:
            return clause.start_point
        if memory.last_point is not None and clause.reference == "last_published":
            return memory.last_point
        return self._reference.from_point(to, month)

    @property
    def _reference(self) -> Reference:
        """The reference of an Index rule."""
        if self.reference is None:
            raise self.missing or MissingIndexError("missing_series", series=None, passed="none")
        return self.reference

    def by_index(self, month: int, memory: Memory, standing: Standing) -> Step | Memory:
        """Return what an Index rule makes of an amount; its memory alone where nothing happens.

        Args:
            month: Number of the month of the adjustment.
            memory: What the rule remembers.
            standing: The amount it meets.

        Returns:
            The step, or the memory to go on with.

        Raises:
            MissingIndexError: A value is missing.
        """
        clause = self.clause
        compared, start = self.compared(month, memory)
        if clause.threshold is not None or clause.increase_only:
            moved = compared
            # An anchored rule compares with its start, but moves from where it was last applied.
            if clause.basis == "anchored" and memory.last_point:
                moved = self._reference.compared(compared.to_point, memory.last_point)
            if not passes(rounded_change(moved.change, clause), moved.points, clause):
                return memory._replace(kept_point=start)
        if self.is_plain:
            return self._plainly(compared.change, compared, memory, standing.amount)
        memory = memory._replace(
            anchor_point=memory.anchor_point or start,
            kept_point=None,
            last_point=compared.to_point,
        )
        return self._stepped(compared.change, compared, memory, standing)

    # -------------------------------------------------------------------------- both kinds of rule

    def by_percentage(self, percentage: Fraction, memory: Memory, standing: Standing) -> Step:
        """Return what an increment by percentage makes of an amount (A36)."""
        return self._stepped(percentage, None, memory, standing)

    def _stepped(
        self, change: Fraction, compared: Compared | None, memory: Memory, standing: Standing
    ) -> Step:
        """Return the step that a change leads to."""
        if self.is_plain:
            return self._plainly(change, compared, memory, standing.amount)
        clause = self.clause
        old = standing.amount if clause.combine == "in_turn" else standing.base
        anchored = clause.basis == "anchored"
        if anchored:
            if memory.anchor_amount is None:
                given = clause.base_amount if memory.is_new else None
                first = old if given is None else Fraction(given.amount)
                # What was agreed since is the rent itself, on which the factor has acted.
                factor = 1 if memory.is_new else Fraction(clause.correction_factor or 1)
                memory = memory._replace(anchor_amount=first / factor)
            base = memory.anchor_amount or Fraction(0)
        elif clause.basis == "last_indexed" and not (memory.is_new and clause.base_amount is None):
            given = clause.base_amount
            stated = old if given is None else Fraction(given.amount)
            base = stated if memory.last_amount is None else memory.last_amount
        else:
            base = old if memory.own is None else memory.own
        # Limits are for the step from what is in force, which is another one than that of the base.
        apart = base != old
        limits = NO_LIMITS if apart else self.limits
        # Parts of the first year count for the first adjustment only.
        elapsed = standing.elapsed
        if elapsed.first_year is not None and not memory.is_new:
            elapsed = elapsed._replace(first_year=None)
        found = applied_percentage(change, clause, limits, elapsed)
        applied, reasons = found.applied, list(found.reasons)
        if clause.combine == "sum":
            applied += standing.percentage
        part = memory.part
        if part is None and clause.indexed_amount is not None:
            part = Fraction(clause.indexed_amount.amount)
        exact = grown(base, applied, part, clause)
        unlimited = grown(base, found.unlimited, part, clause) if not apart else exact
        if clause.share_of == "money":
            whole = rounded_amount(exact, base, clause, self.scale)
            exact = unlimited = old + (whole - old) * Fraction(clause.share)
            reasons.append("share")
        if apart:
            moving = base if clause.indexed_share is None else base * Fraction(clause.indexed_share)
            factor = Fraction(clause.correction_factor or 1)
            still = (base - (moving if part is None else part)) * factor
            exact, met = self._held(exact, old, still, elapsed)
            reasons += met
        before = exact
        exact = floored(exact, standing.start, clause)
        reasons += ["floor"] if exact != before else []
        return self._finished(exact, base, old, unlimited, memory, part, found, compared, reasons)

    def _plainly(
        self, change: Fraction, compared: Compared | None, memory: Memory, old: Fraction
    ) -> Step:
        """Return the step of a rule that says nothing of its own: the change, within its limits.

        The same as the steps of the clause, which most rules need not go through.
        """
        applied, met = self.limits.hold(change)
        # In one fraction, because every sum and product of fractions is reduced by itself.
        (over, below), (units, of) = applied.as_integer_ratio(), old.as_integer_ratio()
        exact = Fraction(units * (below + over), of * below)
        amount = self.scale.rounded(exact)
        reasons = () if met is None else (met,)
        found = Percentage(change, applied, change, reasons)
        last, point = memory.last_point, memory.anchor_point
        if compared is not None:
            last, point = compared.to_point, point or compared.from_point
        memory = Memory(memory.anchor_amount, point, None, last, amount, is_new=False)
        unlimited = None if met is None else old * (1 + change)
        return Step(exact, amount, memory, found, compared, reasons, unlimited)

    def _finished(
        self,
        exact: Fraction,
        base: Fraction,
        old: Fraction,
        unlimited: Fraction,
        memory: Memory,
        part: Fraction | None,
        found: Percentage,
        compared: Compared | None,
        reasons: list[str],
    ) -> Step:
        """Return the step with its amount rounded, and what the rule remembers of it."""
        clause = self.clause
        amount = rounded_amount(exact, base, clause, self.scale)
        limited = "minimum" in reasons or "maximum" in reasons
        rebases = limited and clause.basis == "anchored" and clause.after_limit != "carry"
        own = None
        if clause.after_limit == "carry" and clause.basis == "chained":
            own = unlimited
            if clause.carried == "rounded":
                own = rounded_amount(unlimited, base, clause, self.scale)
        if rebases:
            memory = self.rebased(memory, amount)
        last = exact if clause.carried == "exact" else amount
        # What an anchored rule starts from stays, the indexed part of it too.
        if part is not None and (clause.basis != "anchored" or rebases):
            # The part is of the amount before the factor, which acts anew each time.
            factor = Fraction(clause.correction_factor or 1)
            part += (last if own is None else own) / factor - base
        memory = memory._replace(
            last_amount=last,
            own=own,
            part=part,
            is_new=False,
        )
        by_money = clause.share_of == "money" or clause.correction_factor is not None
        if (base != old or by_money) and old != 0:
            found = found._replace(applied=exact / old - 1)
        return Step(
            exact, amount, memory, found, compared, tuple(reasons), unlimited if limited else None
        )

    def rebased(self, memory: Memory, amount: Fraction) -> Memory:
        """Return the memory of an anchored rule that was cut short: it goes on from there (A35)."""
        if self.clause.basis != "anchored" or self.clause.after_limit == "carry":
            return memory
        # The factor has acted on the amount already, and will act again on what is kept.
        anchor = amount / Fraction(self.clause.correction_factor or 1)
        return memory._replace(anchor_amount=anchor, anchor_point=memory.last_point, own=None)

    def _held(
        self, exact: Fraction, old: Fraction, still: Fraction, elapsed: Elapsed
    ) -> tuple[Fraction, list[str]]:
        """Return an amount whose step from the one in force keeps the limits.

        The part that no index moves stands still, and limits are for the other one.
        """
        moving = old - still
        if moving == 0:
            return exact, []
        limits = limits_over(self.limits, self.clause, elapsed.months)
        held, met = limits.hold((exact - still) / moving - 1)
        return (exact, []) if met is None else (still + moving * (1 + held), [met])

    # ----------------------------------------------------------------------------- by an increment

    def increment_of(self, year: int) -> Increment:
        """Return the increment that a rule makes in a year in which it acts (A36)."""
        text = f"{year:04d}"
        once = [each for each in self.rule.increments if each.of_year == text and not each.recurs]
        recurring = [each for each in self.rule.increments if each.recurs and each.of_year <= text]
        return once[0] if once else max(recurring, key=lambda each: each.of_year)

    def by_increment(
        self, increment: Increment, memory: Memory, standing: Standing, *, per_year: bool
    ) -> Step:
        """Return what an increment makes of an amount (assumption A36).

        Args:
            increment: The increment.
            memory: What the rule remembers.
            standing: The amount it meets.
            per_year: Whether amounts are for a year, and not for a billing period.

        Returns:
            The step; a decrease stops at zero, and says so in its reasons.
        """
        if increment.percentage is not None:
            return self.by_percentage(Fraction(increment.percentage), memory, standing)
        clause = self.clause
        periods = self.scale.per_year if per_year else Fraction(1)
        old = standing.amount if clause.combine == "in_turn" else standing.base
        so_far = old * (1 + standing.percentage) if clause.combine == "sum" else old
        if increment.level is not None:
            exact = Fraction(increment.level.amount) / periods
        else:
            added = 0 if increment.amount is None else Fraction(increment.amount.amount)
            exact = so_far + added / periods
        reasons: list[str] = []
        left = None
        # What came down to zero stays there, on the side that the item began on.
        if exact * (old or standing.start or 1) < 0:
            exact, left = Fraction(0), exact
            reasons.append("stopped_at_zero")
        before = exact
        exact = floored(exact, standing.start, clause)
        reasons += ["floor"] if exact != before else []
        amount = rounded_amount(exact, old, clause, self.scale)
        memory = memory._replace(last_amount=amount, is_new=False)
        return Step(exact, amount, memory, None, None, tuple(reasons), left)

    # --------------------------------------------------------------------------------- by a limit

    def limited(
        self, amount: Fraction, base: Fraction, elapsed: Elapsed
    ) -> tuple[Fraction, str | None]:
        """Return the amount so far, held within the rule's limits from the base (A37, A40)."""
        if base == 0:
            return amount, None
        limits = limits_over(self.limits, self.clause, elapsed.months)
        held, met = limits.hold(amount / base - 1)
        if met is None:
            return amount, None
        return rounded_amount(base * (1 + held), base, self.clause, self.scale), met


class Effect(NamedTuple):
    """What one rule did: the amounts before and after it, and its step."""

    at: int
    """Place of the rule among all rules of the item."""
    rule: CompiledRule
    before: Fraction
    after: Fraction
    step: Step | None
    """None where the rule only limits."""
    reasons: tuple[str, ...]

    @property
    def compared(self) -> Compared | None:
        """What an index was compared with, None where none was."""
        return None if self.step is None else self.step.compared
