"""The item or balance that plans adjust, and its adjustments.

Law: figures are exact fractions of the currency's main unit.
"""

from bisect import bisect_right
from fractions import Fraction
from typing import NamedTuple

from rentbilling.adjustments.dates import Bounds
from rentbilling.adjustments.rules.amounts import AmountScale
from rentbilling.adjustments.rules.limits import Limits
from rentbilling.adjustments.rules.rule import Effect
from rentbilling.terms import RentAdjustment


class Adjusted(NamedTuple):
    """One adjustment of an item or balance, exact."""

    day: int
    """Ordinal of the day from which the new amount is in force."""
    plan: int
    """Place of the plan in the lease."""
    before: Fraction
    """Amount of a billing period before, as it was in force."""
    after: Fraction
    """Amount of a billing period after."""
    exact: Fraction
    """The same before it was rounded."""
    unit: Fraction
    """Price of one unit from then on."""
    effects: tuple[Effect, ...]
    base: Fraction
    """The exact amount that was adjusted; differs from `before` where a clause carries it."""
    listed: RentAdjustment | None = None
    """As a service listed it, where it was not computed."""
    limits: tuple[tuple[int, Limits], ...] = ()
    """Limits of rules that only limit, each with the number of effects before it. A balance may
    reach them where the rent does not (A39)."""
    recorded: bool = False
    """Whether an amount record of the day is the adjustment; its effects are not shown (A18)."""


class Dated(NamedTuple):
    """A price or quantity without adjustments: the records in force from a day on (A18)."""

    days: tuple[int, ...]
    """Ordinals in order; the first one is before all."""
    values: tuple[Fraction, ...]

    def on(self, day: int) -> Fraction:
        return self.values[bisect_right(self.days, day) - 1]

    def begins(self, day: int) -> bool:
        return len(self.days) > 1 and day in self.days[1:]

    def since(self, day: int, until: int) -> bool:
        """Return whether a record begins after one day, up to another."""
        days = self.days
        return len(days) > 1 and bisect_right(days, until) > bisect_right(days, day)


class Adjustee(NamedTuple):
    """An item or balance, with all that its adjustments depend on."""

    adjustee_id: str
    amounts: Dated
    """Unit prices, before discount (A25)."""
    quantities: Dated
    scale: AmountScale
    bounds: Bounds
    start: int
    """Ordinal of the day from which the first amount is in force."""
    contract_start: int
    """Ordinal of the day from which the first year is counted."""
    is_balance: bool = False
    """Whether it is a balance and not an item."""
