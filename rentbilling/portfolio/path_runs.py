"""Path runs: the rules of one plan on one day, on many paths at once, each meeting the ones before.

Law: on each path it is what `rule_runs` makes of it there (A37).
What does not live here: what one rule does (`path_steps`), which rules act (`path_histories`).
"""

from fractions import Fraction

from rentbilling.percentages import Elapsed
from rentbilling.portfolio.path_percentages import NOWHERE
from rentbilling.portfolio.path_steps import (
    Kept,
    PathStanding,
    PathStep,
    limited_amounts,
    rebased,
)
from rentbilling.portfolio.path_values import on_all
from rentbilling.portfolio.ratios import ZERO, Ratios
from rentbilling.rule_steps import CompiledRule


class PathRun:
    """The rules of one day at work on many paths."""

    __slots__ = (
        "_carries",
        "_effects",
        "_siblings",
        "_stands",
        "amount",
        "base",
        "before",
        "elapsed",
        "exact",
        "kept",
        "limited",
        "percentage",
        "start",
    )

    def __init__(
        self,
        before: Ratios,
        start: Ratios,
        elapsed: Elapsed,
        kept: list[Kept],
        siblings: frozenset[int],
    ) -> None:
        """Begin with the amounts that the first rule meets; see `rule_runs.Run`.

        Args:
            before: The exact amounts.
            start: The amounts before the first adjustment of all.
            elapsed: How long ago the amount was set.
            kept: What each rule of the item remembers; changed in place.
            siblings: Places of the rules of the plan that acts.
        """
        self.before = self.amount = self.exact = self.base = before
        self.start = start
        self.elapsed = elapsed
        self.kept = kept
        self.percentage = ZERO
        self.limited = NOWHERE
        """Where a limit met what a rule did."""
        self._siblings = siblings
        self._carries = False
        self._effects: list[tuple[int, CompiledRule]] = []
        self._stands = False

    @property
    def made(self) -> bool:
        """Whether a rule did anything."""
        return bool(self._effects)

    @property
    def carried(self) -> Ratios | None:
        """The exact amounts that go on, where a clause carries them."""
        return self.exact if self._carries else None

    def standing(self) -> PathStanding:
        """Return what the next rule meets."""
        return PathStanding(self.amount, self.base, self.percentage, self.start, self.elapsed)

    def leave(self, at: int, kept: Kept) -> None:
        """Let a rule do nothing but remember."""
        self.kept[at] = kept
        self._stands = True

    def take(self, at: int, rule: CompiledRule, step: PathStep) -> None:
        """Take over what a rule did (A37)."""
        old, combine = self.amount, rule.clause.combine
        amount, exact, kept = step.amount, step.exact, step.kept
        # What a rule alone applies is nobody else's concern.
        applied = step.applied if len(self.kept) == 1 else self._applied(rule, step)
        competes = combine == "lower_of" and (self._stands or bool(self._effects))
        if competes:
            if on_all(abs(amount) < abs(old)):
                self._rebase(amount)
            else:
                amount, exact = old, self.exact
                kept = rebased(rule, kept, old)
        if combine == "in_turn":
            self.base, self.percentage = old, ZERO
        if combine == "in_turn" and applied is not None:
            self.percentage = applied
        elif applied is not None and not competes:
            self.percentage += applied
        elif len(self.kept) > 1 and on_all(self.base.differs(0)):
            self.percentage = exact / self.base - 1
        self.kept[at] = kept
        self._effects.append((at, rule))
        self.limited = self.limited | step.limited
        self.amount, self.exact = amount, exact
        self._carries = rule.clause.carried == "exact"
        if len(self.kept) > 1 and combine in ("in_turn", "sum") and on_all(old.differs(0)):
            self._scale_others(at, amount / old, by_index=rule.rule.by_index)

    def _applied(self, rule: CompiledRule, step: PathStep) -> Ratios | None:
        """Return the percentage that a rule applied, as the ones after it count it."""
        if step.applied is None or not step.recounted:
            return step.applied
        old = self.amount if rule.clause.combine == "in_turn" else self.base
        return step.exact / old - 1 if on_all(old.differs(0)) else step.applied

    def limit(self, at: int, rule: CompiledRule) -> None:
        """Hold what the rules did so far within another rule's limits (A40)."""
        if not self._effects:
            return
        amount, met = limited_amounts(rule, self.amount, self.before, self.elapsed)
        if not met:
            return
        self._rebase(amount)
        self._effects.append((at, rule))
        self.limited = ~NOWHERE
        self.amount = self.exact = amount
        self.percentage = ZERO
        if on_all(self.base.differs(0)):
            self.percentage = amount / self.base - 1

    def _rebase(self, amount: Ratios) -> None:
        """Let the rules whose result was cut go on from what is left, unless they carry (A35)."""
        for at, rule in self._effects:
            self.kept[at] = rebased(rule, self.kept[at], amount)

    def _scale_others(self, at: int, factor: Ratios, *, by_index: bool) -> None:
        """Let the amounts that other rules go on from follow a change that is not theirs (A36)."""
        for other, kept in enumerate(self.kept):
            if other != at and not (by_index and other in self._siblings):
                self.kept[other] = kept.scaled(factor)


def scaled_by(amounts: Ratios, over: Fraction, below: Fraction) -> Ratios:
    """Return amounts of another quantity.

    Examples:
        >>> str(*scaled_by(Ratios(10), Fraction(3), Fraction(2)).fractions())
        '15'
    """
    return amounts if over == below else amounts * (over / below)
