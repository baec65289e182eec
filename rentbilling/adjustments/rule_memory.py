"""Rule memory: what a rule of an item remembers from one adjustment to the next (A33, A34, A35).

Law: a memory is a value; a step gives a new one.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.indices.points import IndexPoint


class Memory(NamedTuple):
    """What a rule remembers from one adjustment to the next."""

    anchor_amount: Fraction | None = None
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
    last_amount: Fraction | None = None
    """The amount after the last adjustment by this rule; before it only where stated."""
    own: Fraction | None = None
    """The amount on the rule's own curve, where something was cut off that it carries (A35)."""
    part: Fraction | None = None
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

    def waiting(self, start: IndexPoint) -> "Memory":
        """Return the memory after an attempt that adjusted nothing (A33)."""
        tried = self.tried_point if self.last_point or self.tried_point else start
        return self._replace(waits=True, tried_point=tried)

    def counted(self, to: IndexPoint) -> "Memory":
        """Return the memory after another rule of the series applied a point (A33)."""
        # Before its own first attempt, a rule looks one interval back, whatever others did.
        if self.last_point is None and self.tried_point is None:
            return self
        other = self.other_point
        if other is not None and other.last_month >= to.last_month:
            return self
        return self._replace(other_point=to)

    def applied(self, to: IndexPoint) -> "Memory":
        """Return the memory with a point that counts as applied without the rule (A18)."""
        return self._replace(last_point=to, other_point=None, waits=False)

    def agreed_anew(self, amount: Fraction) -> "Memory":
        """Return the memory after another amount was agreed: it goes on from that (A18, A34)."""
        if self.is_new:
            # An amount that the clause states holds until the rule has adjusted something.
            return self
        return self._replace(
            anchor_amount=None,
            anchor_point=self.last_point or self.anchor_point,
            last_amount=amount,
            own=None,
        )

    def scaled(self, factor: Fraction) -> "Memory":
        """Return the memory after something else changed the amount by a factor (A37)."""
        anchor, last, own = self.anchor_amount, self.last_amount, self.own
        if last is not None and self.is_new:
            last *= factor
        return self._replace(
            anchor_amount=None if anchor is None else anchor * factor,
            last_amount=last,
            own=None if own is None else own * factor,
        )

    def of_quantity(self, factor: Fraction) -> "Memory":
        """Return the memory after the item's quantity changed by a factor: prices stay (A38)."""
        last, part = self.last_amount, self.part
        return self.scaled(factor)._replace(
            last_amount=None if last is None else last * factor,
            part=None if part is None else part * factor,
        )


NEW: Final = Memory()
