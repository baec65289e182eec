"""Path runs: the rules of one plan on one day, on many paths at once, each meeting the ones before.

Law: on each path it is what `rule_runs` makes of it there (A37).
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from rentbilling.adjustments.percentages import Elapsed
from rentbilling.adjustments.rule import CompiledRule
from rentbilling.simulation.path_steps import (
    NOWHERE,
    Kept,
    PathStanding,
    PathStep,
    cut,
    limited_amounts,
)
from rentbilling.simulation.path_values import on_all
from rentbilling.simulation.ratios import ONE, Ratios


class _Made(NamedTuple):
    """What one rule led to."""

    at: int
    rule: CompiledRule
    led_to: Ratios | None
    """None of a rule that only limits."""


class PathRun:
    """The rules of one day at work on many paths; see `rule_runs.Run`."""

    __slots__ = (
        "_effects",
        "_put_off",
        "_stands",
        "amount",
        "before",
        "carried",
        "carries",
        "elapsed",
        "exact",
        "kept",
        "limited",
        "start",
    )

    def __init__(
        self,
        before: Ratios,
        start: Ratios,
        elapsed: Elapsed,
        kept: list[Kept],
        competing: Iterable[int] = (),
    ) -> None:
        self.before = before
        self.amount = self.exact = self.carried = before
        self.start = start
        self.elapsed = elapsed
        self.kept = kept
        self.limited = NOWHERE
        """Where a limit met what a rule did."""
        self.carries = False
        """Whether the exact amounts go on, and not the rounded ones (A38)."""
        self._effects: list[_Made] = []
        self._stands = False
        self._put_off = dict.fromkeys(competing, ONE)

    @property
    def made(self) -> bool:
        """Whether a rule did anything."""
        return bool(self._effects)

    def standing(self) -> PathStanding:
        """Return what the next rule meets."""
        return PathStanding(self.carried, self.exact, self.before, self.start, self.elapsed)

    def leave(self, at: int, kept: Kept) -> None:
        """Let a rule adjust nothing; what others made of the day moves its base as ever (A37)."""
        factor = self._put_off.pop(at, ONE)
        self.kept[at] = kept if factor is ONE else kept.scaled(factor)
        self._stands = True

    def take(self, at: int, rule: CompiledRule, step: PathStep) -> None:
        """Take over what a rule did (A37)."""
        clause, carries = rule.clause, rule.clause.carried == "exact"
        self._put_off.pop(at, None)
        kept = step.kept
        led_to = step.exact if carries else step.amount
        now = (step.amount, step.exact, led_to, carries)
        if clause.combine == "lower_of" and (self._stands or self._effects):
            if on_all(abs(led_to) < abs(self.carried)):
                self._cut(led_to)
            else:
                kept = cut(rule, kept, led_to, self.carried)
                now = (self.amount, self.exact, self.carried, self.carries)
        self.kept[at] = kept
        self.limited = self.limited | step.limited
        after = now[1] if carries else now[0]
        self._go_on(_Made(at, rule, after), now)

    def limit(self, at: int, rule: CompiledRule) -> None:
        """Hold what the rules did so far within another rule's limits (A40)."""
        if not self._effects:
            return
        found = limited_amounts(rule, self.carried, self.before, self.elapsed)
        if found is None:
            return
        exact, amount = found
        self._cut(amount)
        self.limited = ~NOWHERE
        self._go_on(_Made(at, rule, None), (amount, exact, amount, False))

    def _go_on(self, made: _Made, now: tuple[Ratios, Ratios, Ratios, bool]) -> None:
        """Go on from what a rule led to: the rounded amount, the exact one, the one handed on."""
        old = self.carried
        self.amount, self.exact, self.carried, self.carries = now
        self._effects.append(made)
        if len(self.kept) > 1 and on_all(old.differs(0)):
            self._move_others(made, self.carried / old)

    def _move_others(self, made: _Made, factor: Ratios) -> None:
        """Let the amounts that other rules go on from follow a change that is not theirs (A37)."""
        cuts = made.led_to is None or made.rule.clause.combine == "lower_of"
        acted = {each.at for each in self._effects} if cuts else {made.at}
        for other, kept in enumerate(self.kept):
            if other in self._put_off:
                self._put_off[other] *= factor
            elif other not in acted:
                self.kept[other] = kept.scaled(factor)

    def _cut(self, amount: Ratios) -> None:
        """Let the rules whose result was cut go on from what is left, unless they carry (A35)."""
        for each in self._effects:
            if each.led_to is None:
                continue
            kept = cut(each.rule, self.kept[each.at], self.carried, amount)
            carries = each.rule.clause.after_limit == "carry"
            if carries and on_all(each.led_to.differs(0)) and on_all(self.carried.differs(0)):
                made = self.carried / each.led_to
                kept = kept.scaled(_within(amount / each.led_to, made) / made)
            self.kept[each.at] = kept


def _within(factor: Ratios, made: Ratios) -> Ratios:
    """Return what is left of the factors that later rules made; see `rule_runs`."""
    low, high = made.where(made < 1, ONE), made.where(made > 1, ONE)
    factor = low.where(factor < low, factor)
    return high.where(factor > high, factor)


def scaled_by(amounts: Ratios, over: Fraction, below: Fraction) -> Ratios:
    """Return amounts of another quantity.

    Examples:
        >>> str(*scaled_by(Ratios(10), Fraction(3), Fraction(2)).fractions())
        '15'
    """
    return amounts if over == below else amounts * (over / below)
