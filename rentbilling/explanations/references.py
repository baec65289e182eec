"""References within an explanation: the history of an amount is given once, and referred to later.

Laws: a step is referred to by its id, only after it was given, and with the same result; a working
of one figure refers to no other working.
"""

from dataclasses import replace

from rentbilling.explanations.adjustments import EarlierAmount
from rentbilling.explanations.formatting import Value
from rentbilling.explanations.working import Working


class RepeatedWorkings:
    """Replaces steps that the same explanation gave before by references to them."""

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
        """Return the replacement of a step, the same object for the same step."""
        # By identity: comparing steps would compare all that they come from. The step itself is
        # stored too, so that its identity is not used again.
        done = self._written.get(id(step))
        if done is None:
            done = self._written[id(step)] = step, self._replaced(step)
        return done[1]

    def _replaced(self, step: Working) -> Working:
        """Return the replacement of a step that this working has not seen yet."""
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
        """Return the result of a step and where it is explained, None if it is not."""
        known = self._explained.get(step_id)
        if known is None:
            return None
        result, place = known
        same = not place or place == self._place
        return result, "explained above" if same else f"explained above under {place}"
