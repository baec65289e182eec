"""Rule runs: the rules of one plan on one day, each meeting what the ones before it left (A37).

Law: what the rules did is a chain of effects, the `to` of one being the `from` of the next.
What does not live here: what one rule does (`rule_steps`), which rules act (`adjusting`).
"""

from fractions import Fraction
from typing import Final

from rentbilling.percentages import Elapsed
from rentbilling.rule_memory import Memory
from rentbilling.rule_steps import CompiledRule, Effect, Step

_NOTHING: Final = Fraction(0)


class Run:
    """The rules of one day at work: the amount so far, and what each of them did."""

    __slots__ = (
        "amount",
        "base",
        "before",
        "carries",
        "effects",
        "elapsed",
        "exact",
        "idle",
        "memories",
        "percentage",
        "siblings",
        "stands",
        "start",
    )

    def __init__(
        self,
        before: Fraction,
        start: Fraction,
        elapsed: Elapsed,
        memories: list[Memory],
        siblings: frozenset[int],
    ) -> None:
        """Begin with the amount that the first rule meets.

        Args:
            before: The exact amount.
            start: The amount before the first adjustment of all.
            elapsed: How long ago the amount was set.
            memories: What each rule of the item remembers; changed in place.
            siblings: Places of the rules of the plan that acts.
        """
        self.before = self.amount = self.exact = self.base = before
        self.start = start
        self.elapsed = elapsed
        self.memories = memories
        self.siblings = siblings
        self.percentage = _NOTHING
        self.carries = False
        self.effects: list[Effect] = []
        self.idle: list[CompiledRule] = []
        self.stands = False
        """Whether a rule left the amount as it is, which a lower one competes with."""

    def take(self, at: int, rule: CompiledRule, step: Step) -> None:
        """Take over what a rule did (A37)."""
        old, combine = self.amount, rule.clause.combine
        amount, exact, reasons = step.amount, step.exact, step.reasons
        memory = step.memory
        compared = self.stands or bool(self.effects)
        if combine == "lower_of" and compared:
            if abs(amount) < abs(old):
                self._rebase(amount)
            else:
                amount, exact, reasons = old, self.exact, (*reasons, "not_lower")
                memory = rule.rebased(memory, old)
        if combine == "in_turn":
            self.base, self.percentage = old, _NOTHING
        if combine == "in_turn" and step.percentage is not None:
            self.percentage = step.percentage.applied
        elif step.percentage is not None and not (combine == "lower_of" and compared):
            self.percentage += step.percentage.applied
        elif self.base:
            self.percentage = exact / self.base - 1
        self.memories[at] = memory
        self.effects.append(Effect(at, rule, old, amount, step, reasons))
        self.amount, self.exact = amount, exact
        self.carries = rule.clause.carried == "exact"
        alone = len(self.memories) == 1
        if not alone and combine in ("in_turn", "sum") and old and amount != old:
            self._scale_others(at, amount / old, by_index=rule.rule.by_index)

    def limit(self, at: int, rule: CompiledRule) -> None:
        """Hold what the rules did so far within another rule's limits (A40)."""
        if not self.effects:
            return
        amount, met = rule.limited(self.amount, self.before, self.elapsed)
        if met is None:
            return
        self._rebase(amount)
        self.effects.append(Effect(at, rule, self.amount, amount, None, (met,)))
        self.amount = self.exact = amount
        self.percentage = amount / self.base - 1 if self.base else _NOTHING

    def _rebase(self, amount: Fraction) -> None:
        """Let the rules whose result was cut go on from what is left, unless they carry (A35)."""
        for effect in self.effects:
            memory = self.memories[effect.at]
            self.memories[effect.at] = effect.rule.rebased(memory, amount)

    def _scale_others(self, at: int, factor: Fraction, *, by_index: bool) -> None:
        """Let the amounts that other rules go on from follow a change that is not theirs (A36).

        Index rules of one plan compete or add up; what one of them does is no news to the others.
        """
        for other, memory in enumerate(self.memories):
            if other != at and not (by_index and other in self.siblings):
                self.memories[other] = memory.scaled(factor)
