"""Path steps: what one rule makes of an amount on every path at once.

Law: on each path it is what `rule_steps` makes of it there. What a rule remembers beside amounts is
the same for all paths that are stepped together; where it would not be, they part.
What does not live here: the percentage (`path_percentages`), the rules of a day (`path_runs`).
"""

from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjusted_amounts import AmountScale
from rentbilling.index_clause import IndexClause
from rentbilling.percentages import NO_LIMITS, Elapsed, limits_over
from rentbilling.portfolio.path_percentages import NOWHERE, held, percentages
from rentbilling.portfolio.path_values import on_all
from rentbilling.portfolio.ratios import ONE, ZERO, Ratios
from rentbilling.portfolio.vector_rounding import Mask
from rentbilling.rule_memory import NEW, Memory
from rentbilling.rule_steps import CompiledRule
from rentbilling.rules import Increment

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
        """Return the same after something else changed the amount by a factor (A36)."""
        return self._replace(
            anchor_amount=_times(self.anchor_amount, factor), own=_times(self.own, factor)
        )

    def agreed_anew(self) -> "Kept":
        """Return the same after another amount was agreed (A18, A34)."""
        return self._replace(
            points=self.points.agreed_anew(), anchor_amount=None, last_amount=None, own=None
        )

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
    """The amounts that a rule meets on a day."""

    amount: Ratios
    base: Ratios
    percentage: Ratios
    start: Ratios
    elapsed: Elapsed


class PathStep(NamedTuple):
    """What a rule did on every path."""

    exact: Ratios
    amount: Ratios
    kept: Kept
    applied: Ratios | None
    limited: Mask
    """Where a limit met the percentage or the amount."""
    recounted: bool = False
    """Whether the percentage is rather that from the amount in force to the exact one."""


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
        exact = standing.amount * (applied + 1)
        amount = exact.rounded(Fraction(1, 10**rule.scale.places), rule.scale.mode)
        points = kept.points._replace(kept_point=None, is_new=False)
        return PathStep(exact, amount, Kept(points, kept.anchor_amount, amount), applied, met)
    old = standing.amount if clause.combine == "in_turn" else standing.base
    kept, base = _base(rule, kept, old)
    apart = on_all(base.differs(old))
    elapsed = standing.elapsed
    if elapsed.first_year is not None and not kept.points.is_new:
        elapsed = elapsed._replace(first_year=None)
    found = percentages(change, clause, NO_LIMITS if apart else rule.limits, elapsed)
    applied = found.applied + standing.percentage if clause.combine == "sum" else found.applied
    part = kept.part
    if part is None and clause.indexed_amount is not None:
        part = Ratios.of(Fraction(clause.indexed_amount.amount))
    exact = _grown(base, applied, part, clause)
    unlimited = exact if apart else _grown(base, found.unlimited, part, clause)
    if clause.share_of == "money":
        whole = rounded_amounts(exact, base, clause, rule.scale)
        exact = unlimited = old + (whole - old) * Fraction(clause.share)
    limited = found.limited
    if apart:
        moving = base
        if clause.indexed_share is not None:
            moving = base * Fraction(clause.indexed_share)
        factor = Fraction(clause.correction_factor or 1)
        still = (base - (moving if part is None else part)) * factor
        exact, limited = _held_from(rule, exact, old, still, elapsed)
    exact = _floored(exact, standing.start, clause)
    step = _finished(rule, exact, base, unlimited, kept, part, limited)
    by_money = clause.share_of == "money" or clause.correction_factor is not None
    return step._replace(applied=found.applied, recounted=apart or by_money)


def _base(rule: CompiledRule, kept: Kept, old: Ratios) -> tuple[Kept, Ratios]:
    """Return the amounts that a change is of, and what is remembered of them (A34)."""
    clause, is_new = rule.clause, kept.points.is_new
    given = clause.base_amount
    if clause.basis == "anchored":
        if kept.anchor_amount is None:
            stated = given if is_new else None
            first = old if stated is None else Ratios.of(Fraction(stated.amount))
            factor = Fraction(1) if is_new else Fraction(clause.correction_factor or 1)
            kept = kept._replace(anchor_amount=first * (1 / factor))
        return kept, kept.anchor_amount or ZERO
    if clause.basis == "last_indexed" and not (is_new and given is None):
        stated_amount = old if given is None else Ratios.of(Fraction(given.amount))
        return kept, kept.last_amount or stated_amount
    return kept, kept.own or old


def _held_from(
    rule: CompiledRule, exact: Ratios, old: Ratios, still: Ratios, elapsed: Elapsed
) -> tuple[Ratios, Mask]:
    """Return amounts whose step from the ones in force keeps the limits."""
    limits = limits_over(rule.limits, rule.clause, elapsed.months)
    if limits == NO_LIMITS:
        return exact, NOWHERE
    moving = old - still
    moves = moving.differs(0)
    share, met = held((exact - still) / moving.where(moves, ONE) - 1, limits)
    met &= moves
    return (still + moving * (share + 1)).where(met, exact), met


def _finished(
    rule: CompiledRule,
    exact: Ratios,
    base: Ratios,
    unlimited: Ratios,
    kept: Kept,
    part: Ratios | None,
    limited: Mask,
) -> PathStep:
    """Return the step with its amounts rounded, and what the rule remembers of it."""
    clause = rule.clause
    amount = rounded_amounts(exact, base, clause, rule.scale)
    anchored = clause.basis == "anchored"
    rebases = anchored and clause.after_limit != "carry" and on_all(limited)
    own = None
    if clause.after_limit == "carry" and clause.basis == "chained":
        own = unlimited
        if clause.carried == "rounded":
            own = rounded_amounts(unlimited, base, clause, rule.scale)
    if rebases:
        kept = rebased(rule, kept, amount)
    last = exact if clause.carried == "exact" else amount
    if part is not None and (not anchored or rebases):
        part += (last if own is None else own) - base
    points = kept.points._replace(is_new=False)
    kept = Kept(points, kept.anchor_amount, last, own, part)
    return PathStep(exact, amount, kept, None, limited)


def rebased(rule: CompiledRule, kept: Kept, amount: Ratios) -> Kept:
    """Return what an anchored rule that was cut short remembers: it goes on from there (A35)."""
    clause = rule.clause
    if clause.basis != "anchored" or clause.after_limit == "carry":
        return kept
    anchor = amount * (1 / Fraction(clause.correction_factor or 1))
    points = kept.points._replace(anchor_point=kept.points.last_point)
    return kept._replace(points=points, anchor_amount=anchor, own=None)


def by_increment(
    rule: CompiledRule, increment: Increment, kept: Kept, standing: PathStanding, *, per_year: bool
) -> PathStep:
    """Return what an increment makes of the amounts (A36)."""
    if increment.percentage is not None:
        return by_change(rule, Ratios.of(Fraction(increment.percentage)), kept, standing)
    clause, start = rule.clause, standing.start
    periods = rule.scale.per_year if per_year else Fraction(1)
    old = standing.amount if clause.combine == "in_turn" else standing.base
    exact = old * (standing.percentage + 1) if clause.combine == "sum" else old
    if increment.level is not None:
        exact = Ratios.of(Fraction(increment.level.amount) / periods)
    else:
        added = 0 if increment.amount is None else Fraction(increment.amount.amount)
        exact += added / periods
    side = old.where(old.differs(0), start.where(start.differs(0), ONE))
    exact = ZERO.where(exact * side < 0, exact)
    exact = _floored(exact, start, clause)
    amount = rounded_amounts(exact, old, clause, rule.scale)
    points = kept.points._replace(is_new=False)
    return PathStep(exact, amount, kept._replace(points=points, last_amount=amount), None, NOWHERE)


def limited_amounts(
    rule: CompiledRule, amount: Ratios, base: Ratios, elapsed: Elapsed
) -> tuple[Ratios, bool]:
    """Return the amounts so far, held within a rule's limits from the base, and whether (A40)."""
    if not on_all(base.differs(0)):
        return amount, False
    limits = limits_over(rule.limits, rule.clause, elapsed.months)
    share, met = held(amount / base - 1, limits)
    if not on_all(met):
        return amount, False
    return rounded_amounts(base * (share + 1), base, rule.clause, rule.scale), True
