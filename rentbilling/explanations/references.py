"""Repeated workings: an explanation gives the history of an amount once, and refers to it later.

Laws: a step is referred to only after it was given, by its id, and with its result; a working that
is asked for alone refers to nothing outside itself.
"""

from dataclasses import replace

from rentbilling.explanations.earlier_adjustments import EarlierAmount
from rentbilling.explanations.texts import Value
from rentbilling.explanations.working import Working


class RepeatedWorkings:
    """Writes the workings of one explanation, which is read from its first step to its last."""

    __slots__ = ("_explained", "_place", "_written")

    def __init__(self) -> None:
        self._explained: dict[str, tuple[Value, str]] = {}
        self._place = ""
        self._written: dict[int, tuple[Working, Working]] = {}

    def written(self, working: Working, place: str) -> Working:
        """Return a working that refers to those before it for what they have explained."""
        self._place, self._written = place, {}
        return self._step(working)

    def _step(self, step: Working) -> Working:
        """Return a step, the same for the same one."""
        # By identity: comparing would cost as much as the tree below is large. The step is held
        # beside what it became, so that no other one can take its identity.
        done = self._written.get(id(step))
        if done is None:
            done = self._written[id(step)] = step, self._anew(step)
        return done[1]

    def _anew(self, step: Working) -> Working:
        """Return a step that this working has not yet."""
        if isinstance(step, EarlierAmount):
            return step.listed(self._known)
        known = None if step.step_id is None else self._known(step.step_id)
        if known is not None and step.inputs:
            result, where = known
            named = (("step", step.step_id or ""),)
            return Working(step.label, "referred", named, result, step.rule, where)
        given = [each for _, each in step.inputs]
        now = [self._step(each) if isinstance(each, Working) else each for each in given]
        found = step
        if any(new is not old for new, old in zip(now, given, strict=True)):
            names = (name for name, _ in step.inputs)
            found = replace(step, inputs=tuple(zip(names, now, strict=True)))
        if found.step_id is not None:
            self._explained[found.step_id] = found.result, self._place
        return found

    def _known(self, step_id: str) -> tuple[Value, str] | None:
        """Return what a step led to and where it is explained, None where it is not."""
        known = self._explained.get(step_id)
        if known is None:
            return None
        result, place = known
        same = not place or place == self._place
        return result, "explained above" if same else f"explained above under {place}"
