"""Adjusted amounts: what a percentage makes of an amount, rounded as clause and policy say.

Law: an amount is rounded once, to the step the clause names and in the unit it names (a billing
period, a month, a year), and then to the currency's minor unit (assumptions A38, A40).
"""

from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjustments.percentages import rounded_fraction
from rentbilling.errors import UnsupportedCaseError
from rentbilling.terms.index_clause import IndexClause
from rentbilling.terms.item_parts import BillingCycle
from rentbilling.values.money import MAX_DIGITS, Amount, Rounding, decimal_of, divide_rounded

_TOO_MUCH: Final = 10**MAX_DIGITS


class AmountScale(NamedTuple):
    """How amounts of an item or balance are counted and rounded."""

    currency: str
    places: int
    """Minor units of the currency."""
    mode: Rounding
    """How the policy rounds."""
    per_year: Fraction
    """Billing periods in a year (A38); a balance counts as one."""

    def units(self, value: Fraction) -> int:
        """Return an amount in minor units, rounded as the policy says."""
        over, below = value.as_integer_ratio()
        return divide_rounded(over * 10**self.places, below, self.mode)

    def rounded(self, value: Fraction) -> Fraction:
        """Return an amount rounded to the minor unit."""
        return Fraction(self.units(value), 10**self.places)

    def shown(self, value: Fraction) -> Amount:
        """Return an amount to show, rounded to the minor unit."""
        return self.amount(self.units(value))

    def amount(self, units: int) -> Amount:
        """Return so many minor units as an amount, refused where nobody can write it (A1)."""
        if not -_TOO_MUCH < units < _TOO_MUCH:
            case = "an adjusted amount of over 15 digits"
            raise UnsupportedCaseError("amount_too_large", case=case)
        return Amount.of(decimal_of(units, self.places), self.currency)

    def yearly_units(self, units: int) -> int:
        """Return what so many minor units of a billing period are in a year, rounded (A38)."""
        per_year = self.per_year
        return divide_rounded(units * per_year.numerator, per_year.denominator, self.mode)


def periods_in_a_year(cycle: BillingCycle) -> Fraction:
    """Return how many billing periods a year has (assumption A38).

    Examples:
        >>> periods_in_a_year(BillingCycle(period_length=3))
        Fraction(4, 1)
        >>> periods_in_a_year(BillingCycle(time_unit="Week"))
        Fraction(52, 1)
    """
    a_year = {"Month": 12, "Year": 1, "Week": 52, "Day": 365}
    return Fraction(a_year[cycle.time_unit], cycle.period_length)


def rounded_amount(
    exact: Fraction, old: Fraction, clause: IndexClause, scale: AmountScale
) -> Fraction:
    """Return a new amount as the clause rounds it (assumptions A38, A40).

    Examples:
        A yearly 60,057.92 whose monthly rent is rounded to the krone:

        >>> krone = IndexClause(amount_quantum=1, amount_per="month")
        >>> scale = AmountScale("DKK", 2, "half_up", Fraction(1))
        >>> str(rounded_amount(Fraction("60057.92"), Fraction(60000), krone, scale))
        '60060'
    """
    mode = clause.amount_rounding or scale.mode
    step = Fraction(clause.amount_quantum or Decimal((0, (1,), -scale.places)))
    in_unit = {"period": Fraction(1), "month": scale.per_year / 12, "year": scale.per_year}
    times = in_unit[clause.amount_per]
    start = old if clause.amount_rounded == "change" else Fraction(0)
    steps = (exact - start) * times / step
    near = divide_rounded(steps.numerator, steps.denominator, mode) * step / times + start
    return rounded_fraction(near, scale.places, mode)


def grown(
    amount: Fraction, percentage: Fraction, part: Fraction | None, clause: IndexClause
) -> Fraction:
    """Return an amount of which the indexed part has grown by a percentage, exactly."""
    if part is not None:
        new = amount + part * percentage
    elif clause.indexed_share is not None:
        new = amount * (1 + Fraction(clause.indexed_share) * percentage)
    else:
        new = amount * (1 + percentage)
    return new if clause.correction_factor is None else new * Fraction(clause.correction_factor)


def floored(amount: Fraction, start: Fraction, clause: IndexClause) -> Fraction:
    """Return an amount that is not below the clause's floors; a credit is held alike (A26)."""
    if clause.floor_amount is None and not clause.floor_at_start:
        return amount
    floors = [start] if clause.floor_at_start else []
    if clause.floor_amount is not None:
        floors.append(Fraction(clause.floor_amount.amount))
    for floor in floors:
        if abs(amount) < abs(floor):
            # On the side that the item began on, whichever sign the clause gives its floor.
            amount = -abs(floor) if start < 0 else abs(floor)
    return amount
