"""Rule memory: what a rule of an item remembers from one adjustment to the next (A33, A34, A35).

Law: a memory is a value; a step gives a new one.
What does not live here: what a rule does with it (`rule_steps`).
"""

from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.index_points import IndexPoint


class Memory(NamedTuple):
    """What a rule remembers from one adjustment to the next."""

    anchor_amount: Fraction | None = None
    """Amount that belongs to the anchor point; None until the first adjustment."""
    anchor_point: IndexPoint | None = None
    """The point that an anchored rule compares with."""
    kept_point: IndexPoint | None = None
    """The point compared with last time, where nothing came of it (A33)."""
    last_point: IndexPoint | None = None
    """The last point applied."""
    last_amount: Fraction | None = None
    """The amount after the last adjustment by this rule."""
    own: Fraction | None = None
    """The amount that the rule alone would have led to, where a limit does not end it."""
    part: Fraction | None = None
    """The indexed part of the amount."""
    is_new: bool = True
    """Whether the rule has not adjusted anything yet."""

    def agreed_anew(self) -> "Memory":
        """Return the memory after another amount was agreed: it goes on from that (A18, A34)."""
        return self._replace(
            anchor_amount=None,
            anchor_point=self.last_point or self.anchor_point,
            last_amount=None,
            own=None,
        )

    def scaled(self, factor: Fraction) -> "Memory":
        """Return the memory after something else changed the amount by a factor (A36)."""
        anchor, own = self.anchor_amount, self.own
        return self._replace(
            anchor_amount=None if anchor is None else anchor * factor,
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
