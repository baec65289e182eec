"""Path steps: what one rule makes of an amount on every path at once.

Law: on each path it is what `rule_steps` makes of it there. What a rule remembers beside amounts is
the same for all paths that are stepped together; where it would not be, they part.
"""

from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from rentbilling.adjustments.amounts import AmountScale
from rentbilling.adjustments.percentages import (
    NO_LIMITS,
    Elapsed,
    Limits,
    limits_over,
    part_that_counts,
)
from rentbilling.adjustments.rule import CompiledRule
from rentbilling.adjustments.rule_memory import NEW, Memory
from rentbilling.simulation.path_values import BeyondArraysError, on_all
from rentbilling.simulation.ratios import ONE, ZERO, Ratios
from rentbilling.simulation.vector_rounding import Mask
from rentbilling.terms.index_clause import IndexClause
from rentbilling.terms.rules import Increment

NOWHERE: Final[Mask] = np.zeros((), dtype=np.bool_)


class Found(NamedTuple):
    """A percentage on its way to the rent."""

    applied: Ratios
    unlimited: Ratios
    limited: Mask


def held(value: Ratios, limits: Limits) -> tuple[Ratios, Mask]:
    """Return percentages within the limits, and where one of them was met (A35)."""
    met = NOWHERE
    least, most = limits
    if most is not None:
        above = value > most
        value, met = Ratios.of(most).where(above, value), above
    if least is not None:
        below = value < least
        value, met = Ratios.of(least).where(below, value), met | below
    return value, met


def rounded_changes(change: Ratios, clause: IndexClause) -> Ratios:
    """Return changes as the clause rounds them before anything else."""
    if clause.percentage_decimals is None or clause.percentage_rounded != "change":
        return change
    return in_percent(change, clause)


def in_percent(value: Ratios, clause: IndexClause) -> Ratios:
    """Return percentages with the clause's decimals."""
    step = Fraction(1, 10 ** ((clause.percentage_decimals or 0) + 2))
    return value.rounded(step, clause.percentage_rounding)


def passing(change: Ratios, points: Ratios | None, clause: IndexClause) -> Mask:
    """Return where a change is large enough to lead to anything (A40)."""
    if clause.threshold is None:
        return ~NOWHERE
    in_points = clause.threshold_unit == "points"
    if in_points and points is None:
        raise BeyondArraysError("threshold_points")
    moved = abs(points if in_points and points is not None else change)
    threshold = Fraction(clause.threshold)
    return ~(moved < threshold) if clause.threshold_inclusive else moved > threshold


def percentages(change: Ratios, clause: IndexClause, limits: Limits, elapsed: Elapsed) -> Found:
    """Return what `percentages.applied_percentage` does, on every path."""
    value = rounded_changes(change, clause)
    if clause.share_of == "change" and clause.share != 1:
        value *= Fraction(clause.share)
    if clause.excess_over is not None and clause.excess_share is not None:
        bound = Fraction(clause.excess_over)
        damped = (value - bound) * Fraction(clause.excess_share) + bound
        value = damped.where(value > bound, value)
    if clause.surcharge:
        value += Fraction(clause.surcharge)
    unlimited = value
    value, met = held(value, limits_over(limits, clause, elapsed.months))
    part = part_that_counts(clause, elapsed)
    if part != 1:
        value, unlimited = value * part, unlimited * part
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        value, unlimited = in_percent(value, clause), in_percent(unlimited, clause)
    return Found(value, unlimited, met)


_YEAR: Final = 12


class Kept(NamedTuple):
    """What a rule remembers: points, the same for all paths, and amounts of each path."""

    points: Memory = NEW
    """A memory without amounts."""
    anchor_amount: Ratios | None = None
    last_amount: Ratios | None = None
    own: Ratios | None = None
    part: Ratios | None = None

    @property
    def amounts(self) -> tuple[Ratios | None, ...]:
        """The amounts of each path."""
        return self[1:]

    def scaled(self, factor: Ratios | Fraction) -> "Kept":
        """Return the same after something else changed the amount by a factor (A37)."""
        last = self.last_amount
        return self._replace(
            anchor_amount=_times(self.anchor_amount, factor),
            last_amount=_times(last, factor) if self.points.is_new else last,
            own=_times(self.own, factor),
        )

    def agreed_anew(self, amount: Fraction) -> "Kept":
        """Return the same after another amount was agreed (A18, A34)."""
        if self.points.is_new:
            return self
        points = self.points.agreed_anew(amount)._replace(last_amount=None)
        last = Ratios.of(amount)
        return self._replace(points=points, anchor_amount=None, last_amount=last, own=None)

    def of_quantity(self, factor: Fraction) -> "Kept":
        """Return the same after the quantity changed by a factor (A38)."""
        return self.scaled(factor)._replace(
            last_amount=_times(self.last_amount, factor), part=_times(self.part, factor)
        )


def _times(amount: Ratios | None, factor: Ratios | Fraction) -> Ratios | None:
    """Return an amount times a factor, where there is one."""
    return None if amount is None else amount * factor


def kept_of(memory: Memory) -> Kept:
    """Return what the scalar engine remembers, the same on all paths."""
    points = memory._replace(anchor_amount=None, last_amount=None, own=None, part=None)
    amounts = (memory.anchor_amount, memory.last_amount, memory.own, memory.part)
    return Kept(points, *(None if each is None else Ratios.of(each) for each in amounts))


class PathStanding(NamedTuple):
    """The amounts that a rule meets on a day; see `rule_steps.Standing`."""

    carried: Ratios
    exact: Ratios
    before: Ratios
    start: Ratios
    elapsed: Elapsed


class PathStep(NamedTuple):
    """What a rule did on every path."""

    exact: Ratios
    amount: Ratios
    kept: Kept
    limited: Mask
    """Where a limit met the percentage or the amount."""


def rounded_amounts(exact: Ratios, old: Ratios, clause: IndexClause, scale: AmountScale) -> Ratios:
    """Return new amounts as the clause rounds them (A38, A40)."""
    mode = clause.amount_rounding or scale.mode
    unit = Fraction(1, 10**scale.places)
    if clause.amount_rounded == "amount" and clause.amount_per == "period":
        step = unit if clause.amount_quantum is None else Fraction(clause.amount_quantum)
        near = exact.rounded(step, mode)
        return near if step == unit else near.rounded(unit, mode)
    step = Fraction(clause.amount_quantum or unit)
    in_unit = {"period": Fraction(1), "month": scale.per_year / _YEAR, "year": scale.per_year}
    step /= in_unit[clause.amount_per]
    start = old if clause.amount_rounded == "change" else ZERO
    near = (exact - start).rounded(step, mode) + start
    return near.rounded(unit, mode)


def _grown(amount: Ratios, percentage: Ratios, part: Ratios | None, clause: IndexClause) -> Ratios:
    """Return amounts of which the indexed part has grown, exactly."""
    if part is not None:
        new = amount + part * percentage
    elif clause.indexed_share is not None:
        new = amount * (percentage * Fraction(clause.indexed_share) + 1)
    else:
        new = amount * (percentage + 1)
    return new if clause.correction_factor is None else new * Fraction(clause.correction_factor)


def _floored(amount: Ratios, start: Ratios, clause: IndexClause) -> Ratios:
    """Return amounts that are not below the clause's floors."""
    floors = [start] if clause.floor_at_start else []
    if clause.floor_amount is not None:
        floors.append(Ratios.of(Fraction(clause.floor_amount.amount)))
    for floor in floors:
        size = abs(floor)
        level = (-size).where(start < 0, size)
        amount = level.where(abs(amount) < size, amount)
    return amount


def by_change(rule: CompiledRule, change: Ratios, kept: Kept, standing: PathStanding) -> PathStep:
    """Return the step that a change leads to: of an index, or of an increment by percentage."""
    clause = rule.clause
    if rule.is_plain:
        applied, met = held(change, rule.limits)
        exact = standing.carried * (applied + 1)
        amount = exact.rounded(Fraction(1, 10**rule.scale.places), rule.scale.mode)
        points = kept.points._replace(is_new=False)
        return PathStep(exact, amount, Kept(points, kept.anchor_amount, amount), met)
    old = standing.carried if clause.combine == "in_turn" else standing.before
    kept, base = _base(rule, kept, old)
    whole = clause.correction_factor is not None or clause.share_of == "money"
    whole = on_all(base.differs(old)) or whole
    elapsed = standing.elapsed
    if not kept.points.is_new:
        elapsed = elapsed._replace(first_year=None)
    found = percentages(change, clause, NO_LIMITS if whole else rule.limits, elapsed)
    part = kept.part
    if part is None and clause.indexed_amount is not None:
        part = Ratios.of(Fraction(clause.indexed_amount.amount))
    exact = _grown(base, found.applied, part, clause)
    unlimited = exact if whole else _grown(base, found.unlimited, part, clause)
    if clause.share_of == "money":
        all_of_it = rounded_amounts(exact, base, clause, rule.scale)
        exact = unlimited = old + (all_of_it - old) * Fraction(clause.share)
    limited = found.limited
    if whole:
        moving = base
        if clause.indexed_share is not None:
            moving = base * Fraction(clause.indexed_share)
        factor = Fraction(clause.correction_factor or 1)
        still = (base - (moving if part is None else part)) * factor
        exact, limited = _held_from(rule, exact, old, still, base * factor, elapsed)
    since = base if clause.basis == "anchored" else old
    if clause.combine == "sum":
        exact += standing.exact - old
        since = standing.carried
    exact, amount, floors = _finished(rule, exact, since, standing.start)
    kept = _remembered(rule, kept, base, (exact, amount, unlimited), part, limited, floors)
    return PathStep(exact, amount, kept, limited)


def _base(rule: CompiledRule, kept: Kept, old: Ratios) -> tuple[Kept, Ratios]:
    """Return the amounts that a change is of, and what is remembered of them (A34)."""
    clause = rule.clause
    if clause.basis == "anchored":
        base = kept.anchor_amount
        if base is None:
            factor = Fraction(clause.correction_factor or 1)
            base = old if kept.points.is_new else old * (1 / factor)
            kept = kept._replace(anchor_amount=base)
        return kept, base
    own = kept.last_amount if clause.basis == "last_indexed" else kept.own
    return kept, old if own is None else own


def _held_from(
    rule: CompiledRule,
    exact: Ratios,
    old: Ratios,
    still: Ratios,
    base: Ratios,
    elapsed: Elapsed,
) -> tuple[Ratios, Mask]:
    """Return amounts whose step from the ones in force keeps the limits."""
    limits = limits_over(rule.limits, rule.clause, elapsed.months)
    if limits == NO_LIMITS:
        return exact, NOWHERE
    counts = part_that_counts(rule.clause, elapsed)
    if counts != 1:
        limits = Limits(*(None if each is None else each * counts for each in limits))
    moving = old - still
    moves = moving.differs(0)
    share, met = held((exact - still) / moving.where(moves, ONE) - 1, limits)
    met &= moves
    clause, limited = rule.clause, moving * (share + 1)
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        root = moving
        if clause.basis == "anchored":
            root = (base - still).where(base.differs(still), moving)
        root = root.where(root.differs(0), ONE)
        limited = root * (in_percent(limited / root - 1, clause) + 1)
    return (still + limited).where(met, exact), met


def _finished(
    rule: CompiledRule, exact: Ratios, since: Ratios, start: Ratios
) -> tuple[Ratios, Ratios, Mask]:
    """Return amounts exactly and rounded, none of them below a floor, and where one was."""
    clause = rule.clause
    amount = rounded_amounts(exact, since, clause, rule.scale)
    if clause.floor_amount is None and not clause.floor_at_start:
        return exact, amount, NOWHERE
    above, higher = _floored(exact, start, clause), _floored(amount, start, clause)
    return above, higher, above.differs(exact) | higher.differs(amount)


def _remembered(
    rule: CompiledRule,
    kept: Kept,
    base: Ratios,
    amounts: tuple[Ratios, Ratios, Ratios],
    part: Ratios | None,
    limited: Mask,
    floors: Mask,
) -> Kept:
    """Return what the rule remembers of a step; see `rule_steps`."""
    clause = rule.clause
    exact, amount, unlimited = amounts
    last = exact if clause.carried == "exact" else amount
    carries, anchored = clause.after_limit == "carry", clause.basis == "anchored"
    own = kept.own
    if carries and clause.basis == "chained" and (own is not None or on_all(limited | floors)):
        own = unlimited
        if clause.carried == "rounded":
            own = rounded_amounts(unlimited, base, clause, rule.scale)
    rebases = clause.basis in ("anchored", "mixed") and not carries and on_all(limited)
    if part is not None and (not anchored or rebases):
        # The part is of the amount before the factor, which acts anew each time.
        factor = Fraction(clause.correction_factor or 1)
        part += (last if own is None else own) * (1 / factor) - base
    points = kept.points._replace(is_new=False)
    kept = Kept(points, kept.anchor_amount, last, own, part)
    return cut(rule, kept, last, last) if rebases else kept


def cut(rule: CompiledRule, kept: Kept, led_to: Ratios, amount: Ratios) -> Kept:
    """Return what is remembered after another rule cut off some of what this one led to (A35)."""
    clause = rule.clause
    if clause.after_limit == "carry":
        apart = clause.basis == "chained" and kept.own is None
        return kept._replace(own=led_to) if apart else kept
    if clause.basis == "last_indexed":
        return kept._replace(last_amount=amount)
    if clause.basis == "mixed":
        points = kept.points._replace(anchor_point=kept.points.last_point)
        return kept._replace(points=points)
    if clause.basis != "anchored":
        return kept
    anchor = amount * (1 / Fraction(clause.correction_factor or 1))
    points = kept.points._replace(anchor_point=kept.points.last_point)
    return kept._replace(points=points, anchor_amount=anchor)


def by_increment(
    rule: CompiledRule, increment: Increment, kept: Kept, standing: PathStanding, *, per_year: bool
) -> PathStep:
    """Return what an increment makes of the amounts (A36)."""
    if increment.percentage is not None:
        return by_change(rule, Ratios.of(Fraction(increment.percentage)), kept, standing)
    clause, start = rule.clause, standing.start
    periods = rule.scale.per_year if per_year else Fraction(1)
    old = standing.carried if clause.combine == "in_turn" else standing.before
    if increment.level is not None:
        exact = Ratios.of(Fraction(increment.level.amount) / periods)
    else:
        added = 0 if increment.amount is None else Fraction(increment.amount.amount)
        exact = (standing.exact if clause.combine == "sum" else old) + added / periods
    side = old.where(old.differs(0), start.where(start.differs(0), ONE))
    exact = ZERO.where(exact * side < 0, exact)
    since = standing.carried if clause.combine == "sum" else old
    exact, amount, _ = _finished(rule, exact, since, start)
    points = kept.points._replace(is_new=False)
    return PathStep(exact, amount, kept._replace(points=points, last_amount=amount), NOWHERE)


def limited_amounts(
    rule: CompiledRule, amount: Ratios, base: Ratios, elapsed: Elapsed
) -> tuple[Ratios, Ratios] | None:
    """Return the amounts so far, held within a rule's limits from the base (A40)."""
    if not on_all(base.differs(0)):
        return None
    limits = limits_over(rule.limits, rule.clause, elapsed.months)
    share, met = held(amount / base - 1, limits)
    if not on_all(met):
        return None
    exact = base * (share + 1)
    return exact, rounded_amounts(exact, base, rule.clause, rule.scale)
