"""Rule runs: the rules of one plan on one day, each meeting what the ones before it left (A37).

Law: what the rules did is a chain of effects, the `to` of one being the `from` of the next.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from rentbilling.adjustments.percentages import Elapsed, Limits
from rentbilling.adjustments.rule import CompiledRule, Effect, Idle, Step
from rentbilling.adjustments.rule_memory import Memory

_ONE: Final = Fraction(1)


class Run:
    """The rules of one day at work: the amount so far, and what each of them did."""

    __slots__ = (
        "_put_off",
        "amount",
        "before",
        "carried",
        "carries",
        "effects",
        "elapsed",
        "exact",
        "idle",
        "limits",
        "memories",
        "stands",
        "start",
    )

    def __init__(
        self,
        before: Fraction,
        start: Fraction,
        elapsed: Elapsed,
        memories: list[Memory],
        competing: Iterable[int] = (),
    ) -> None:
        """Begin with the amount that the first rule meets.

        Args:
            before: The exact amount.
            start: The amount before the first adjustment of all.
            elapsed: How long ago the amount was set.
            memories: What each rule of the item remembers; changed in place.
            competing: Places of the rules of the day that add to the ones before, or compete.
        """
        self.before = before
        """The amount before the first rule of the day."""
        self.amount = self.exact = self.carried = before
        self.start = start
        self.elapsed = elapsed
        self.memories = memories
        self.carries = False
        """Whether the exact amount goes on, and not the rounded one (A38)."""
        self.effects: list[Effect] = []
        self.idle: list[tuple[CompiledRule, str]] = []
        """Rules that adjusted nothing, with the code of the notice about it."""
        self.limits: list[tuple[int, Limits]] = []
        """Limits of rules that only limit, each with the number of effects before it."""
        self.stands = False
        """Whether a rule left the amount as it is, which a lower one competes with."""
        # What rules before it made is nothing to the base of one that is measured from before them.
        self._put_off = dict.fromkeys(competing, _ONE)

    def leave(self, at: int, rule: CompiledRule, idle: Idle) -> None:
        """Let a rule adjust nothing; what others made of the day moves its base as ever (A37)."""
        factor = self._put_off.pop(at, _ONE)
        self.memories[at] = idle.memory if factor == 1 else idle.memory.scaled(factor)
        self.stands = True
        if idle.notice is not None:
            self.idle.append((rule, idle.notice))

    def take(self, at: int, rule: CompiledRule, step: Step) -> None:
        """Take over what a rule did (A37)."""
        clause, carries = rule.clause, rule.clause.carried == "exact"
        self._put_off.pop(at, None)
        memory, reasons = step.memory, step.reasons
        led_to = step.exact if carries else step.amount
        now = (step.amount, step.exact, led_to, carries)
        if clause.combine == "lower_of" and (self.stands or self.effects):
            if abs(led_to) < abs(self.carried):
                self._cut(led_to)
            else:
                reasons = (*reasons, "not_lower")
                memory = rule.cut(memory, led_to, self.carried)
                now = (self.amount, self.exact, self.carried, self.carries)
        self.memories[at] = memory
        self._go_on(Effect(at, rule, self.amount, now[0], step, reasons, *self._met, now[1]), now)

    def limit(self, at: int, rule: CompiledRule) -> None:
        """Hold what the rules did so far within another rule's limits (A40)."""
        if not self.effects:
            return
        self.limits.append((len(self.effects), rule.limits_after(self.elapsed)))
        found = rule.limited(self.carried, self.before, self.elapsed)
        if found is None:
            return
        exact, amount, met = found
        self._cut(amount)
        effect = Effect(at, rule, self.amount, amount, None, (met,), *self._met, exact)
        self._go_on(effect, (amount, exact, amount, False))

    @property
    def _met(self) -> tuple[Fraction, Fraction]:
        """What the next rule meets: the amount that is handed on, and the exact one."""
        return self.carried, self.exact

    def _go_on(self, effect: Effect, now: tuple[Fraction, Fraction, Fraction, bool]) -> None:
        """Go on from what a rule led to: the rounded amount, the exact one, the one handed on."""
        old = self.carried
        self.amount, self.exact, self.carried, self.carries = now
        self.effects.append(effect)
        if len(self.memories) > 1 and old and self.carried != old:
            self._move_others(effect, self.carried / old)

    def _move_others(self, effect: Effect, factor: Fraction) -> None:
        """Let the amounts that other rules go on from follow a change that is not theirs (A37)."""
        cuts = effect.step is None or effect.rule.clause.combine == "lower_of"
        # A cut has set anew what the rules before it go on from.
        acted = {each.at for each in self.effects} if cuts else {effect.at}
        for other, memory in enumerate(self.memories):
            if other in self._put_off:
                self._put_off[other] *= factor
            elif other not in acted:
                self.memories[other] = memory.scaled(factor)

    def _cut(self, amount: Fraction) -> None:
        """Let the rules whose result was cut go on from what is left, unless they carry (A35)."""
        for effect in self.effects:
            at, rule = effect.at, effect.rule
            if effect.step is None:
                continue
            led_to = effect.exact if rule.clause.carried == "exact" else effect.after
            memory = rule.cut(self.memories[at], self.carried, amount)
            if rule.clause.after_limit == "carry" and led_to and self.carried:
                # What later rules made of its result is cut off before that result is.
                made = self.carried / led_to
                memory = memory.scaled(_within(amount / led_to, made) / made)
            self.memories[at] = memory


def _within(factor: Fraction, made: Fraction) -> Fraction:
    """Return what is left of the factor that later rules made, where a cut leaves another one.

    Examples:
        Later rules made five percent, and three of them are left; and none where more is cut off.

        >>> str(_within(Fraction(103, 100), Fraction(105, 100)))
        '103/100'
        >>> str(_within(Fraction(98, 100), Fraction(105, 100)))
        '1'
    """
    low, high = min(made, _ONE), max(made, _ONE)
    return min(max(factor, low), high)
