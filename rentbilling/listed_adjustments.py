"""Listed adjustments: what rules remember of what a service made, and need not be made again.

Laws: a listed adjustment is taken as made (A38); going on after it gives what going on after the
same adjustment computed here would give.
What does not live here: the order of adjustments (`adjusting`), the records (`plans`).
"""

from collections.abc import Collection, Sequence
from datetime import date
from fractions import Fraction
from typing import Final

from rentbilling.adjusted_amounts import AmountScale
from rentbilling.adjustment_dates import RuleDates
from rentbilling.errors import MissingIndexError
from rentbilling.index_points import IndexPoint
from rentbilling.periods import YearMonth
from rentbilling.plans import AdjustmentEffect, RentAdjustment, RentAdjustmentPlan
from rentbilling.references import Compared, shown_index
from rentbilling.rule_memory import Memory
from rentbilling.rule_steps import CompiledRule, Effect

_YEAR: Final = 12

Rules = Sequence[tuple[int, CompiledRule, RuleDates]]
"""The rules of a plan, each with its place among all rules of an item, and its days."""


def listed_until(plan: RentAdjustmentPlan) -> int:
    """Return the last day that a plan's listed adjustments speak for: the year of the last one.

    Where rules adjust more often than once a year, only the day itself.
    """
    if not plan.adjustments:
        return 0
    last = max(each.adjusted_on for each in plan.adjustments)
    if any(rule.clause.interval < _YEAR for rule in plan.rent_adjustment_rules):
        return last.toordinal()
    months = {rule.month for rule in plan.rent_adjustment_rules}
    if len(months) > 1:
        return last.toordinal()
    return date(last.year, 12, 31).toordinal()


def amount_told(
    told: RentAdjustment | AdjustmentEffect,
    before: Fraction,
    per_year: Fraction,
    *,
    of_balance: bool,
) -> Fraction | None:
    """Return what a listed adjustment, or an effect of it, says that an amount became.

    Args:
        told: The adjustment or the effect.
        before: The amount before, where only the change is told.
        per_year: Billing periods in a year, where only the amount of a year is told.
        of_balance: Whether the balance is asked for, and not the amount of a billing period.

    Returns:
        The amount, None where nothing is told.
    """
    if of_balance:
        whole, change = told.to_balance_amount, told.balance_amount_change
        per_year = Fraction(1)
    elif told.to_period_amount is not None or told.period_amount_change is not None:
        whole, change = told.to_period_amount, told.period_amount_change
        per_year = Fraction(1)
    else:
        whole, change = told.to_yearly_amount, told.yearly_amount_change
    if whole is not None:
        return Fraction(whole.amount) / per_year
    return None if change is None else before + Fraction(change.amount) / per_year


def as_listed(
    effects: Sequence[Effect],
    listed: RentAdjustment,
    before: Fraction,
    scale: AmountScale,
    *,
    of_balance: bool,
) -> bool:
    """Return whether what rules did is what a service listed, in all that it told.

    Args:
        effects: What the rules did.
        listed: The adjustment that was listed.
        before: The amount in force before it.
        scale: How amounts are counted.
        of_balance: Whether the amounts are those of a balance.
    """
    told = listed.adjustment_rules_effects

    def same(told: RentAdjustment | AdjustmentEffect, was: Fraction, amount: Fraction) -> bool:
        stated = amount_told(told, was, scale.per_year, of_balance=of_balance)
        return stated is None or scale.units(stated) == scale.units(amount)

    if not effects or amount_told(listed, before, scale.per_year, of_balance=of_balance) is None:
        return False
    if told and [each.rent_adjustment_rule_id for each in told] != [
        each.rule.rule_id for each in effects
    ]:
        return False
    met = (before, *(each.after for each in effects))
    return same(listed, before, met[-1]) and all(
        same(each, was, made.after) and _same_values(each, made.compared)
        for each, was, made in zip(told, met, effects, strict=False)
    )


def _same_values(told: AdjustmentEffect, compared: Compared | None) -> bool:
    """Return whether an effect that was listed compares the values that a rule compared."""
    if compared is None:
        return True
    series = compared.series
    return all(
        (stated is None or stated == shown_index(series, point, value))
        and (month is None or (point is not None and month == point.year_month))
        for stated, month, point, value in (
            (told.from_index, told.from_year_month, compared.from_point, compared.from_value),
            (told.to_index, told.to_year_month, compared.to_point, compared.to_value),
        )
    )


def remembered(
    memory: Memory, rule: CompiledRule, effect: AdjustmentEffect, before: Fraction, after: Fraction
) -> Memory:
    """Return what a rule remembers of an effect that was listed (A33, A34, A38).

    Args:
        memory: What it remembered before.
        rule: The rule.
        effect: What it did.
        before: The amount that it met.
        after: The amount that it left.

    Returns:
        The memory as it would be, had the effect been computed here.
    """
    clause, told_own = rule.clause, effect.unlimited_amount
    own = None if told_own is None or clause.after_limit != "carry" else Fraction(told_own.amount)
    to = _point(effect.to_point, effect.to_year_month, rule)
    start = _point(effect.from_point, effect.from_year_month, rule)
    if start is not None and (start != memory.anchor_point or memory.anchor_amount is None):
        # Another point than before: the rule went on from the amount it met.
        given = clause.base_amount if memory.is_new else None
        memory = memory._replace(
            anchor_point=start, anchor_amount=before if given is None else Fraction(given.amount)
        )
    limited = "minimum" in effect.reasons or "maximum" in effect.reasons
    part = memory.part
    if clause.indexed_amount is not None:
        part = Fraction(clause.indexed_amount.amount) if part is None else part
        if clause.basis != "anchored" or (limited and clause.after_limit != "carry"):
            part += (after if own is None else own) - _base(memory, rule, before)
    memory = memory._replace(
        kept_point=None,
        last_point=to or memory.last_point,
        last_amount=after,
        own=own,
        part=part,
        is_new=False,
    )
    return rule.rebased(memory, after) if limited else memory


def _base(memory: Memory, rule: CompiledRule, before: Fraction) -> Fraction:
    """Return the amount that a rule went on from."""
    found = {"anchored": memory.anchor_amount, "last_indexed": memory.last_amount}
    base = found.get(rule.clause.basis, memory.own)
    return before if base is None else base


def cut(
    memories: list[Memory], rules: Sequence[tuple[int, CompiledRule]], amount: Fraction
) -> None:
    """Let rules whose result another rule cut go on from what is left (A35)."""
    for at, rule in rules:
        memories[at] = rule.rebased(memories[at], amount)


def effect_of_record(rule: CompiledRule, memory: Memory, month: int) -> AdjustmentEffect:
    """Return the points of an adjustment of which only the new amount is known (A18)."""
    if rule.reference is None:
        return AdjustmentEffect()
    to = rule.reference.to_point(month)
    return AdjustmentEffect(from_point=rule.compared_with(month, memory, to), to_point=to)


def follow(memories: list[Memory], at: int, rules: Rules, factor: Fraction) -> None:
    """Let the amounts that other rules go on from follow an effect that was listed (A36)."""
    own = {place: rule for place, rule, _ in rules}
    if own[at].clause.combine in ("in_turn", "sum"):
        for other, memory in enumerate(memories):
            if other != at and not (own[at].rule.by_index and other in own):
                memories[other] = memory.scaled(factor)


def keep_idle(
    memories: list[Memory], rules: Rules, month: int, told: Collection[str | None]
) -> None:
    """Let the rules of a month that are listed with no effect keep their points (A33)."""
    for at, rule, dates in rules:
        if rule.rule_id not in told and dates.has(month):
            memories[at] = pending(memories[at], rule, month)


def is_made(plan: RentAdjustmentPlan, day: int) -> bool:
    """Return whether the year of a day has a listed adjustment that does not say who acted."""
    year = date.fromordinal(day).year
    return any(
        each.adjusted_on.year == year and not each.adjustment_rules_effects
        for each in plan.adjustments
    )


def forget_kept(memories: list[Memory], rules: Rules, month: int) -> None:
    """Let the rules of a month start anew, where nothing is told about any: they all acted."""
    places = [at for at, _, dates in rules if dates.has(month)]
    for at in places or [at for at, _, _ in rules]:
        memories[at] = memories[at]._replace(kept_point=None)


def pending(memory: Memory, rule: CompiledRule, month: int) -> Memory:
    """Return the memory of a rule that keeps the point it would have compared with (A33)."""
    if rule.reference is None or memory.kept_point is not None:
        return memory
    try:
        to = rule.reference.to_point(month)
    except MissingIndexError:
        return memory
    start = rule.compared_with(month, memory, to)
    return memory._replace(kept_point=memory.last_point or start)


def _point(
    point: IndexPoint | None, month: YearMonth | None, rule: CompiledRule
) -> IndexPoint | None:
    """Return the point of an effect, of which a service lists only the (last) month (A31)."""
    if point is None and month is not None:
        unit = "month" if rule.reference is None else rule.reference.unit
        return IndexPoint.holding(month, unit)
    return point
