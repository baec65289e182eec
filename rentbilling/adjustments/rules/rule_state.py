"""The state of a rule for an item, from one adjustment to the next (A33, A34, A35).

Law: a state is a value; a step of the rule gives a new one.
"""

from typing import Final, NamedTuple

from rentbilling.adjustments.rules.arithmetic import Number
from rentbilling.indices import IndexPoint


class RuleState(NamedTuple):
    """The points and amounts that a rule goes on from."""

    anchor_amount: Number | None = None
    """Amount that belongs to the anchor point; before the first adjustment only where stated."""
    anchor_point: IndexPoint | None = None
    """The point that an anchored or mixed rule compares with; None until the first adjustment."""
    last_point: IndexPoint | None = None
    """The last point that the rule applied."""
    tried_point: IndexPoint | None = None
    """The first point that the rule compared with in vain, while it has applied none (A33)."""
    other_point: IndexPoint | None = None
    """The last point of the same series that another rule has applied since then (A33)."""
    waits: bool = False
    """Whether the last attempt adjusted nothing, so that the next one looks further back."""
    last_amount: Number | None = None
    """The amount after the last adjustment by this rule; before it only where stated."""
    own: Number | None = None
    """The amount on the rule's own curve, where it carries what a limit cut off (A35)."""
    part: Number | None = None
    """The indexed part of the amount."""
    is_new: bool = True
    """Whether the rule has not adjusted anything yet."""

    @property
    def waiting_point(self) -> IndexPoint | None:
        """The point that a rule that waits compares with: the latest that is counted (A33)."""
        own, other = self.last_point or self.tried_point, self.other_point
        if own is None or other is None:
            return own
        return other if other.last_month > own.last_month else own

    def waiting(self, start: IndexPoint) -> "RuleState":
        """Return the state after an attempt that adjusted nothing, compared with a point (A33)."""
        tried = self.tried_point if self.last_point or self.tried_point else start
        return self._replace(waits=True, tried_point=tried)

    def counted(self, to: IndexPoint) -> "RuleState":
        """Return the state after another rule of the series applied a point (A33)."""
        # Before its own first attempt, a rule looks one interval back, whatever others did.
        if self.last_point is None and self.tried_point is None:
            return self
        other = self.other_point
        if other is not None and other.last_month >= to.last_month:
            return self
        return self._replace(other_point=to)

    def applied(self, to: IndexPoint) -> "RuleState":
        """Return the state with a point that counts as applied without the rule (A18)."""
        return self._replace(last_point=to, other_point=None, waits=False)

    def reset_to(self, amount: Number) -> "RuleState":
        """Return the state after another amount of a billing period was agreed (A18, A34)."""
        if self.is_new:
            # An amount that the clause states counts until the rule has adjusted something.
            return self
        return self._replace(
            anchor_amount=None,
            anchor_point=self.last_point or self.anchor_point,
            last_amount=amount,
            own=None,
        )

    def scaled(self, factor: Number) -> "RuleState":
        """Return the state after something else changed the amount by a factor (A37)."""
        anchor, last, own = self.anchor_amount, self.last_amount, self.own
        if last is not None and self.is_new:
            last *= factor
        return self._replace(
            anchor_amount=None if anchor is None else anchor * factor,
            last_amount=last,
            own=None if own is None else own * factor,
        )

    def of_quantity(self, factor: Number) -> "RuleState":
        """Return the state after the item's quantity changed by a factor: prices stay (A38)."""
        last, part = self.last_amount, self.part
        return self.scaled(factor)._replace(
            last_amount=None if last is None else last * factor,
            part=None if part is None else part * factor,
        )


NEW: Final = RuleState()
