"""Rule steps: what one rule makes of an amount on a day, and what it remembers for the next one.

Law: a step returns a new memory and changes nothing; a rule that does nothing returns no effect.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from rentbilling.adjustments.amounts import AmountScale, floored, grown, rounded_amount
from rentbilling.adjustments.index_reference import Compared, Reference
from rentbilling.adjustments.percentages import (
    NO_LIMITS,
    Elapsed,
    Limits,
    Percentage,
    applied_percentage,
    limits_over,
    part_that_counts,
    passes,
    rounded_change,
    rounded_percentage,
)
from rentbilling.adjustments.rule_memory import NEW, Memory
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.indices import IndexSeries
from rentbilling.indices.points import IndexPoint
from rentbilling.terms.index_clause import OF_THE_STEP, says_nothing_about
from rentbilling.terms.rules import Increment, RentAdjustmentRule


class Standing(Protocol):
    """The amount that a rule meets on a day, and how it came there."""

    carried: Fraction
    """The amount of a billing period that the rules listed before hand on (A38)."""
    exact: Fraction
    """The same before it was rounded."""
    before: Fraction
    """The amount before the first rule of the day, which rules that add up or compete are of."""
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


class Idle(NamedTuple):
    """What an attempt led to that adjusted nothing."""

    memory: Memory
    notice: str | None = None
    """Code of the notice about it; None where everything is counted already."""


class Met(NamedTuple):
    """What a rule met on a day, before it did anything: where its working begins."""

    memory: Memory
    carried: Fraction
    exact: Fraction
    before: Fraction
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

    def first_memory(self) -> Memory:
        """Return what the rule remembers from the beginning: an amount that its clause states."""
        stated = self.clause.base_amount
        if stated is None:
            return NEW
        amount = Fraction(stated.amount)
        if self.clause.basis == "anchored":
            return NEW._replace(anchor_amount=amount)
        return NEW._replace(last_amount=amount)

    # ------------------------------------------------------------------------------- by an index

    def compared_with(self, month: int, memory: Memory, to: IndexPoint) -> IndexPoint:
        """Return the point that a rule compares with in a month (A33, A34)."""
        clause = self.clause
        if clause.basis in ("anchored", "mixed"):
            # Its base point, which a first attempt in vain leaves where it is.
            base = memory.anchor_point or memory.tried_point or clause.start_point
            return base or self._reference.from_point(to, month)
        waiting = memory.waiting_point if memory.waits else None
        if waiting is not None:
            return waiting
        if memory.last_point is None and memory.tried_point is None and clause.start_point:
            return clause.start_point
        if memory.last_point is not None and clause.reference == "last_published":
            return memory.last_point
        return self._reference.from_point(to, month)

    @property
    def _reference(self) -> Reference:
        if self.reference is None:
            raise self.missing or MissingIndexError("missing_series", series=None, passed="none")
        return self.reference

    def waiting(self, month: int, memory: Memory) -> Memory:
        """Return the memory after an attempt that lacked a value (A33)."""
        if self.reference is None:
            return memory
        try:
            to = self.reference.to_point(month)
        except MissingIndexError:
            return memory
        return memory.waiting(self.compared_with(month, memory, to))

    def by_index(self, month: int, memory: Memory, standing: Standing) -> Step | Idle:
        """Return what an Index rule makes of an amount; what it remembers where nothing happens.

        Raises:
            MissingIndexError: A value is missing.
        """
        clause, reference = self.clause, self._reference
        to = reference.to_point(month)
        start = self.compared_with(month, memory, to)
        counted = self.counted(memory, start, to)
        if counted is not None:
            return counted
        stated = memory.last_point is None or clause.basis in ("anchored", "mixed")
        compared = reference.compared(to, start, stated=stated)
        if clause.threshold_unit == "points" and compared.points is None:
            raise _no_points()
        if clause.threshold is not None or clause.increase_only:
            moved = compared
            # What is counted from a base point moves from where it was last applied.
            if clause.basis in ("anchored", "mixed") and memory.last_point:
                moved = reference.compared(to, memory.last_point, stated=False)
            if clause.increase_only and moved.change < 0:
                return Idle(memory.waiting(start), "index_fell")
            if not passes(rounded_change(moved.change, clause), moved.points, clause):
                return Idle(memory.waiting(start), "index_below_threshold")
        if self.is_plain:
            return self._plainly(compared.change, compared, memory, standing.carried)
        memory = memory._replace(
            anchor_point=memory.anchor_point or start,
            last_point=compared.to_point,
            tried_point=None,
            other_point=None,
            waits=False,
        )
        return self._stepped(compared.change, compared, memory, standing)

    def counted(self, memory: Memory, start: IndexPoint, to: IndexPoint) -> Idle | None:
        """Return what is remembered where all changes up to a point are counted already (A33)."""
        clause, last = self.clause, memory.last_point
        chained = clause.basis in ("chained", "last_indexed")
        if start.last_month < to.last_month:
            # A record or a listed adjustment has applied the point before its day.
            early = chained and last is not None and last.last_month >= to.last_month
            return Idle(memory) if early else None
        if last is None and start == clause.start_point:
            return Idle(memory.waiting(start))
        return Idle(memory._replace(waits=False)) if chained and memory.waits else None

    # -------------------------------------------------------------------------- both kinds of rule

    def _stepped(
        self, change: Fraction, compared: Compared | None, memory: Memory, standing: Standing
    ) -> Step:
        """Return the step that a change leads to."""
        if self.is_plain:
            return self._plainly(change, compared, memory, standing.carried)
        clause = self.clause
        old = standing.carried if clause.combine == "in_turn" else standing.before
        memory, base = self._base(memory, old)
        # Limits hold the step from what is in force, whatever makes it (A35).
        whole = base != old or clause.correction_factor is not None or clause.share_of == "money"
        # Parts of the first year count for the first adjustment only.
        elapsed = standing.elapsed
        if not memory.is_new:
            elapsed = elapsed._replace(first_year=None)
        found = applied_percentage(change, clause, NO_LIMITS if whole else self.limits, elapsed)
        reasons = list(found.reasons)
        part = memory.part
        if part is None and clause.indexed_amount is not None:
            part = Fraction(clause.indexed_amount.amount)
        exact = grown(base, found.applied, part, clause)
        unlimited = exact if whole else grown(base, found.unlimited, part, clause)
        if clause.share_of == "money":
            all_of_it = rounded_amount(exact, base, clause, self.scale)
            exact = unlimited = old + (all_of_it - old) * Fraction(clause.share)
            reasons.append("share")
        if whole:
            moving = base if clause.indexed_share is None else base * Fraction(clause.indexed_share)
            factor = Fraction(clause.correction_factor or 1)
            still = (base - (moving if part is None else part)) * factor
            exact, met = self._held(exact, old, still, base * factor, elapsed)
            reasons += met
        if clause.combine == "sum":
            exact += standing.exact - old
        # What is added is counted from the amount in force, or from what the change is of.
        since = base if clause.basis == "anchored" else old
        if clause.combine == "sum":
            since = standing.carried
        exact, amount, raised = self._rounded(exact, since, standing.start)
        reasons += raised
        limited = not {"minimum", "maximum"}.isdisjoint(reasons)
        memory = self._remembered(memory, base, exact, amount, unlimited, part, reasons)
        if whole and old != 0:
            found = found._replace(applied=exact / old - 1)
        return Step(
            exact, amount, memory, found, compared, tuple(reasons), unlimited if limited else None
        )

    def _base(self, memory: Memory, old: Fraction) -> tuple[Memory, Fraction]:
        """Return the amount that a change is of, and what is remembered of it (A34)."""
        clause = self.clause
        if clause.basis == "anchored":
            base = memory.anchor_amount
            if base is None:
                # What was agreed since is the rent itself, on which the factor has acted.
                base = old if memory.is_new else old / Fraction(clause.correction_factor or 1)
                memory = memory._replace(anchor_amount=base)
            return memory, base
        if clause.basis == "last_indexed":
            return memory, old if memory.last_amount is None else memory.last_amount
        return memory, old if memory.own is None else memory.own

    def _rounded(
        self, exact: Fraction, since: Fraction, start: Fraction
    ) -> tuple[Fraction, Fraction, list[str]]:
        """Return an amount exactly and rounded, neither of them below a floor (A40)."""
        amount = rounded_amount(exact, since, self.clause, self.scale)
        above = floored(exact, start, self.clause), floored(amount, start, self.clause)
        return *above, [] if above == (exact, amount) else ["floor"]

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
        memory = Memory(memory.anchor_amount, point, last, last_amount=amount, is_new=False)
        unlimited = None if met is None else old * (1 + change)
        return Step(exact, amount, memory, found, compared, reasons, unlimited)

    def _remembered(
        self,
        memory: Memory,
        base: Fraction,
        exact: Fraction,
        amount: Fraction,
        unlimited: Fraction,
        part: Fraction | None,
        reasons: list[str],
    ) -> Memory:
        clause = self.clause
        last = exact if clause.carried == "exact" else amount
        limited = not {"minimum", "maximum"}.isdisjoint(reasons)
        own = memory.own
        # While nothing was cut off, the curve is the amount in force.
        apart = own is not None or limited or "floor" in reasons
        if clause.after_limit == "carry" and clause.basis == "chained" and apart:
            own = unlimited
            if clause.carried == "rounded":
                own = rounded_amount(unlimited, base, clause, self.scale)
        anew = clause.basis in ("anchored", "mixed") and clause.after_limit != "carry"
        rebases = limited and anew
        # What an anchored rule starts from stays, the indexed part of it too.
        if part is not None and (clause.basis != "anchored" or rebases):
            # The part is of the amount before the factor, which acts anew each time.
            factor = Fraction(clause.correction_factor or 1)
            part += (last if own is None else own) / factor - base
        memory = memory._replace(last_amount=last, own=own, part=part, is_new=False)
        return self._rebased(memory, last) if rebases else memory

    def cut(self, memory: Memory, led_to: Fraction, amount: Fraction) -> Memory:
        """Return the memory after another rule cut off some of what this one led to (A35)."""
        if self.clause.after_limit != "carry":
            return self._rebased(memory, amount)
        if self.clause.basis == "chained" and memory.own is None:
            return memory._replace(own=led_to)
        return memory

    def _rebased(self, memory: Memory, amount: Fraction) -> Memory:
        """Return the memory of a rule that was cut short: it goes on from there (A35)."""
        if self.clause.basis == "last_indexed":
            return memory._replace(last_amount=amount)
        if self.clause.basis == "mixed":
            return memory._replace(anchor_point=memory.last_point)
        if self.clause.basis != "anchored":
            return memory
        # The factor has acted on the amount already, and will act again on what is kept.
        anchor = amount / Fraction(self.clause.correction_factor or 1)
        return memory._replace(anchor_amount=anchor, anchor_point=memory.last_point)

    def _held(
        self, exact: Fraction, old: Fraction, still: Fraction, base: Fraction, elapsed: Elapsed
    ) -> tuple[Fraction, list[str]]:
        """Return an amount whose step from the one in force keeps the limits.

        The part that no index moves stands still, and limits are for the other one.
        """
        moving = old - still
        if moving == 0:
            return exact, []
        limits = limits_over(self.limits, self.clause, elapsed.months)
        counts = part_that_counts(self.clause, elapsed)
        if counts != 1:
            limits = Limits(*(None if each is None else each * counts for each in limits))
        held, met = limits.hold((exact - still) / moving - 1)
        if met is None:
            return exact, []
        clause = self.clause
        if clause.percentage_decimals is None or clause.percentage_rounded != "applied":
            return still + moving * (1 + held), [met]
        # What is applied is rounded after limits; of an anchored rule, that is from its base.
        root = base - still if clause.basis == "anchored" and base != still else moving
        applied = rounded_percentage(moving * (1 + held) / root - 1, clause)
        return still + root * (1 + applied), [met]

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
        """Return what an increment makes of an amount (assumption A36)."""
        if increment.percentage is not None:
            return self._stepped(Fraction(increment.percentage), None, memory, standing)
        clause = self.clause
        periods = self.scale.per_year if per_year else Fraction(1)
        old = standing.carried if clause.combine == "in_turn" else standing.before
        if increment.level is not None:
            exact = Fraction(increment.level.amount) / periods
        else:
            added = 0 if increment.amount is None else Fraction(increment.amount.amount)
            exact = (standing.exact if clause.combine == "sum" else old) + added / periods
        reasons: list[str] = []
        left = None
        # What came down to zero stays there, on the side that the item began on.
        if exact * (old or standing.start or 1) < 0:
            exact, left = Fraction(0), exact
            reasons.append("stopped_at_zero")
        since = standing.carried if clause.combine == "sum" else old
        exact, amount, raised = self._rounded(exact, since, standing.start)
        reasons += raised
        memory = memory._replace(last_amount=amount, is_new=False)
        return Step(exact, amount, memory, None, None, tuple(reasons), left)

    # --------------------------------------------------------------------------------- by a limit

    def limits_after(self, elapsed: Elapsed) -> Limits:
        """Return the rule's limits for the time that an adjustment covers (A40)."""
        return limits_over(self.limits, self.clause, elapsed.months)

    def limited(
        self, amount: Fraction, base: Fraction, elapsed: Elapsed
    ) -> tuple[Fraction, Fraction, str] | None:
        """Return the amount so far, held within the rule's limits from the base (A37, A40)."""
        if base == 0:
            return None
        held, met = self.limits_after(elapsed).hold(amount / base - 1)
        if met is None:
            return None
        exact = base * (1 + held)
        return exact, rounded_amount(exact, base, self.clause, self.scale), met


def _no_points() -> InvalidAdjustmentRuleError:
    """Return the refusal of a threshold in points of a series of published changes."""
    return InvalidAdjustmentRuleError.of(
        "indexClause.thresholdUnit",
        "contradiction",
        "is of points, and the series has none",
        "points",
        "percent",
    )


class Effect(NamedTuple):
    """What one rule did: the amounts before and after it, and its step."""

    at: int
    """Place of the rule among all rules of the item."""
    rule: CompiledRule
    before: Fraction
    """The amount of a billing period as it was billed."""
    after: Fraction
    step: Step | None
    """None where the rule only limits."""
    reasons: tuple[str, ...]
    met: Fraction
    """The amount that the rule began from: exact where a rule before it carries that (A38)."""
    met_exact: Fraction
    """The same before it was rounded."""
    exact: Fraction
    """The amount after it, before it was rounded."""

    @property
    def compared(self) -> Compared | None:
        """What an index was compared with, None where none was."""
        return None if self.step is None else self.step.compared
